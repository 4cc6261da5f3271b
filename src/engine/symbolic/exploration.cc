#include "engine/symbolic/exploration.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kPerField =
    sizeof(u32) * 9 + 2 + sizeof(FieldCode) + sizeof(Support) + 2 * sizeof(u32);

// One is for questions.
u64 most_projections(u32 tasks) { return std::min<u64>(tasks, Exploration::kMostProjections) + 1; }

}  // namespace

u64 Exploration::bytes_for(u32 fields, u32 tasks, u64 askers) {
  const u64 projections = most_projections(tasks);
  return round_up(u64{fields} * kPerField + askers * (sizeof(Asker) + sizeof(u32)) +
                      u64{tasks} * 2 * sizeof(u32) +
                      projections * (sizeof(Projection) + sizeof(Node) + fields) + 64,
                  16);
}

void Exploration::init(const PartialSteps& steps, FieldValues& values, Relations& relations,
                       SetDiagram& diagram, const LevelOrder& order, std::span<u8> memory) {
  steps_ = &steps;
  values_ = &values;
  relations_ = &relations;
  d_ = &diagram;
  order_ = order;
  tasks_ = steps.step_count + steps.move_count;
  const u32 fields = order.levels();
  const u64 projections = most_projections(tasks_);
  const u64 fixed = bytes_for(fields, tasks_, 0);
  XMC_CHECK(memory.size() > fixed);
  const u64 askers = (memory.size() - fixed) / (sizeof(Asker) + sizeof(u32));
  u8* at = memory.data();
  const auto take = [&]<class T>(std::span<T>& out, u64 count) {
    out = {reinterpret_cast<T*>(at), static_cast<std::size_t>(count)};
    at += count * sizeof(T);
  };
  take(codes_, fields);
  take(numbers_, fields);
  take(written_, fields);
  take(rule_levels_, fields);
  take(run_.reads, fields);
  take(askers_of_, fields);
  take(word_, u64{fields} * 2);
  take(projections_at_, fields);
  take(vector_, fields);
  take(run_.writes, fields);
  take(support_, fields);
  take(askers_, askers);
  take(asker_heads_, askers);
  take(task_runs_, tasks_);
  take(task_projection_, tasks_);
  take(projections_, projections);
  take(learned_, projections);
  take(known_, fields);
  take(masks_, projections * fields);
  run_.codes = codes_;
  run_.known = known_;
  for (const std::span<u32> links :
       {askers_of_, projections_at_, asker_heads_, task_projection_, written_}) {
    for (u32& link : links) link = kNone;
  }
  fill_zero(known_);
  fill_zero(task_runs_);
  fill_zero(learned_);
  asker_count_ = projection_count_ = projection_serials_ = 0;
  runs_ = 0;
  pinned_ = kNone;
  sink_ = {};
  d_->add_roots(learned_);
}

Exploration::Task Exploration::task_of(u32 id) const {
  Task task;
  task.id = id;
  task.question = id < steps_->step_count ? PartialQuestion::step : PartialQuestion::move;
  task.index = id < steps_->step_count ? id : id - steps_->step_count;
  return task;
}

void Exploration::explore_all() {
  const SetDiagram::Whole whole(*d_);
  for (u32 id = 0; id < tasks_ && !d_->stopped(); ++id) explore_task(id, kNone);
}

void Exploration::explore_task(u32 id, u32 pinned) {
  if (is_projected(id)) return;
  const Task task = task_of(id);
  pinned_ = pinned;
  runs_now_ = 0;
  const bool done = explore(task);
  pinned_ = kNone;
  task_runs_[id] += runs_now_;
  if (!done && !d_->stopped()) project(task);
}

Exploration::Answer Exploration::explore_question(PartialQuestion question, u32 index, u32 owner) {
  Task task;
  task.question = question;
  task.index = index;
  task.owner = owner;
  runs_now_ = 0;
  if (explore(task)) return Answer::explored;
  if (!d_->stopped()) project(task);
  return d_->stopped() ? Answer::stopped : Answer::projected;
}

void Exploration::drop_projection() {
  const Projection& p = projections_[--projection_count_];
  XMC_CHECK(p.owner != kNone);
  projections_at_[p.top] = p.next;
  learned_[projection_count_] = kEmptySet;
}

void Exploration::explore_signatures(SignatureSink sink) {
  sink_ = sink;
  for (u32 id = 0; id < tasks_; ++id) {
    runs_now_ = 0;
    static_cast<void>(explore(task_of(id)));
  }
  sink_ = {};
  fill_zero(known_);
}

// False: too many runs, or the diagram is stopped.
bool Exploration::explore(const Task& task) {
  if (d_->stopped()) return false;
  ++runs_;
  if (task.projection == kNone && ++runs_now_ > bounds_.runs_at_once) return false;
  if (task.id != kNone && task_runs_[task.id] + runs_now_ > bounds_.runs_in_all) return false;
  const PartialEnd end = steps_->run(steps_->self, task.question, task.index, run_);
  if (end == PartialEnd::needs) return branch(task, run_.field);
  return end == PartialEnd::disabled || leaf(task, end);
}

bool Exploration::branch(const Task& task, u32 field) {
  XMC_CHECK(task.projection == kNone);
  if (task.id != kNone && sink_.signature == nullptr && !note_asker(field, task.id)) return false;
  bool done = true;
  known_[field] = 1;
  for (u32 number = 0; number < values_->count(field) && done; ++number) {
    if (!values_->is_confirmed(field, number)) continue;
    codes_[field] = values_->code(field, number);
    numbers_[field] = number;
    done = explore(task);
  }
  known_[field] = 0;
  return done;
}

Role Exploration::role_of(const Task& task, PartialEnd end) const {
  if (task.owner != kNone) return Role::question;
  const bool move = task.question == PartialQuestion::move;
  const bool product = steps_->move_count != 0;
  if (end == PartialEnd::fails) {
    return move ? Role::move_errs : product ? Role::system_errs : Role::errs;
  }
  if (!product) return Role::fires;
  if (end == PartialEnd::lost) return move ? Role::move_lost : Role::system_lost;
  return move ? Role::move : Role::system;
}

// A rule, of what was read and is written.
bool Exploration::leaf(const Task& task, PartialEnd end) {
  const auto reads = run_.reads.first(run_.read_count);
  if (pinned_ != kNone && std::find(reads.begin(), reads.end(), pinned_) == reads.end())
    return true;
  const auto writes =
      run_.writes.first(end == PartialEnd::fails || task.owner != kNone ? 0 : run_.write_count);
  u32 size = 0;
  for (const u32 field : reads) rule_levels_[size++] = order_.level_of[field];
  bool changes = false;
  bool room = true;
  for (const FieldCode& w : writes) {
    const u32 number = values_->number_of(w.field, w.code);
    room = room && number != kNone;
    written_[w.field] = number;
    const bool read = std::find(reads.begin(), reads.end(), w.field) != reads.end();
    if (!read) rule_levels_[size++] = order_.level_of[w.field];
    changes = changes || !read || numbers_[w.field] != number;
  }
  std::sort(rule_levels_.begin(), rule_levels_.subspan(size).begin());
  u32 length = 0;
  for (u32 i = 0; i < size; ++i) {
    const u32 level = rule_levels_[i];
    const u32 field = order_.field_at[level];
    const bool read =
        known_[field] != 0 && std::find(reads.begin(), reads.end(), field) != reads.end();
    const bool written = written_[field] != kNone;
    support_[i] = {static_cast<u16>(level), !written ? Touch::read
                                            : read   ? Touch::both
                                                     : Touch::written};
    if (read) word_[length++] = numbers_[field];
    if (written) word_[length++] = written_[field];
  }
  for (const FieldCode& w : writes) written_[w.field] = kNone;
  if (!room) {
    d_->stop(SetDiagram::Stop::full);
    return false;
  }
  if (sink_.signature != nullptr) {
    for (u32 i = 0; i < size; ++i) rule_levels_[i] = order_.field_at[support_[i].level];
    sink_.signature(sink_.self, rule_levels_.first(size));
    return true;
  }
  const Role role = role_of(task, end);
  if (role == Role::fires && !changes) return true;
  u16 top = size == 0 ? 0 : support_[0].level;
  // A projected step may write a level before all that it reads.
  if (task.projection != kNone) top = std::min(top, projections_[task.projection].top);
  const Rule rule{support_.first(size), word_.first(length)};
  if (!relations_->add(role, task.owner, top, rule)) return false;
  if (relations_->rules() > bounds_.rules) d_->stop(SetDiagram::Stop::full);
  return !d_->stopped();
}

// As a whole: a value is confirmed once.
void Exploration::confirm_first(u32 field, u32 number) {
  const SetDiagram::Whole whole(*d_);
  values_->confirm(field, number);
  known_[field] = 1;
  codes_[field] = values_->code(field, number);
  numbers_[field] = number;
  for (u32 a = askers_of_[field]; a != kNone && !d_->stopped(); a = askers_[a].next) {
    explore_task(askers_[a].task, field);
  }
  known_[field] = 0;
}

bool Exploration::note_asker(u32 field, u32 task) {
  const u32 hash = (field * 0x9E37'79B1u ^ task * 0x85EB'CA77u) >> 7;
  u32& head = asker_heads_[hash % asker_heads_.size()];
  for (u32 a = head; a != kNone; a = askers_[a].chain) {
    if (askers_[a].task == task && askers_[a].field == field) return true;
  }
  if (asker_count_ == askers_.size()) {
    d_->stop(SetDiagram::Stop::full);
    return false;
  }
  askers_[asker_count_] = {task, askers_of_[field], head, field};
  askers_of_[field] = head = asker_count_++;
  return true;
}

void Exploration::project(const Task& task) {
  if (projection_count_ == projections_.size() || projection_serials_ == Relations::kMostSerials) {
    return d_->stop(SetDiagram::Stop::full);
  }
  const u32 i = projection_count_++;
  const std::span<u8> mask = masks_.subspan(u64{i} * order_.levels(), order_.levels());
  // By field first, in memory that no run needs between two of them.
  fill_zero(mask);
  const std::span<u8> fields(reinterpret_cast<u8*>(word_.data()), order_.levels());
  fill_zero(fields);
  steps_->may_read(steps_->self, task.question, task.index, fields);
  u32 top = kNone;
  u32 last = 0;
  for (u32 field = 0; field < order_.levels(); ++field) {
    if (fields[field] == 0) continue;
    mask[order_.level_of[field]] = 1;
    top = std::min<u32>(top, order_.level_of[field]);
    last = std::max<u32>(last, order_.level_of[field]);
  }
  XMC_CHECK(top != kNone);
  projections_[i] = {task.question,          task.index,           static_cast<u16>(top),
                     static_cast<u16>(last), projections_at_[top], task.owner,
                     projection_serials_++};
  projections_at_[top] = i;
  learned_[i] = kEmptySet;
  if (task.id != kNone) task_projection_[task.id] = i;
}

bool Exploration::learn(u32 i, std::span<const u32> word) {
  const Projection& p = projections_[i];
  u32 next = 0;
  for (u32 level = p.top; level < order_.levels(); ++level) {
    if (!projection_reads(i, level)) continue;
    const u32 field = order_.field_at[level];
    numbers_[field] = word[next++];
    codes_[field] = values_->code(field, numbers_[field]);
    known_[field] = 1;
  }
  XMC_CHECK(next == word.size());
  Task task;
  task.question = p.question;
  task.index = p.index;
  task.owner = p.owner;
  task.projection = i;
  runs_now_ = 0;
  const bool done = explore(task);
  for (u32 level = p.top; level < order_.levels(); ++level) {
    if (projection_reads(i, level)) known_[order_.field_at[level]] = 0;
  }
  return done;
}

}  // namespace xmc
