#include "store/tiered/cached_states.h"

#include <algorithm>

#include "store/keys/sort_keys.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kOrders = u64{1} << 32;  // values of PageHash::order

StateTable::Shape table_shape(u32 words, u32 bytes) { return {words, bytes, false}; }

u64 least_table(u32 words, u32 bytes) {
  return round_up(2 * StateTable::minimum_bytes(table_shape(words, bytes)), kPageBytes);
}

}  // namespace

// --- Memory -----------------------------------------------------------------------------------

u64 CachedStates::least_bytes(const Model& model) {
  return least_table(model.state_words, model.state_bytes) + kPageBytes;
}

void CachedStates::init(Folder& folder, const char* name, const Shape& shape, const Memory& memory,
                        const GoOn& go_on) {
  XMC_CHECK(memory.questions.size() >= question_bytes(shape.key_words));
  XMC_CHECK(shape.percent >= 1 && shape.percent <= 100);
  folder_ = &folder;
  shape_ = shape;
  memory_ = memory;
  if (shape_.form == Form::diagram && diagram_bytes() == 0) shape_.form = Form::tiers;
  filed_ = 0;
  age_ = 0;
  stop_ = StopReason::none;
  counts_ = {};
  runs_.init(folder, name, {shape.key_bytes},
             shape.form == Form::linear ? PageRuns::Form::single : PageRuns::Form::tiers,
             {memory.pages, memory.transfer, filters()}, go_on);
  lay_out_diagram();
}

// | diagram, later filters | table |
void CachedStates::lay_out_diagram() {
  const u64 bytes = shape_.form == Form::diagram ? diagram_bytes() : 0;
  diagram_.start(memory_.states.first(static_cast<std::size_t>(bytes)));
  const u64 before = diagram_.on() ? bytes : filter_bytes();
  const std::span<u8> table = memory_.states.subspan(static_cast<std::size_t>(before));
  table_.init(table.first(static_cast<std::size_t>(round_down(table.size(), kLineBytes))),
              table_shape(shape_.key_words, shape_.key_bytes));
}

// Two thirds, if that is worth while.
u64 CachedStates::diagram_bytes() const {
  const u64 bytes = round_down(memory_.states.size() / 3 * 2, kLineBytes);
  const u64 rest = memory_.states.size() - bytes;
  const bool fits = bytes >= StateDiagram::least_bytes(shape_.key_bytes) &&
                    rest >= least_table(shape_.key_words, shape_.key_bytes);
  return fits ? bytes : 0;
}

std::span<u64> CachedStates::filters() const {
  if (shape_.form != Form::tiers) return {};
  const std::span<u8> bytes = memory_.states.first(static_cast<std::size_t>(filter_bytes()));
  return {reinterpret_cast<u64*>(bytes.data()), bytes.size() / sizeof(u64)};
}

u64 CachedStates::filter_bytes() const {
  if (shape_.form == Form::linear) return 0;
  const u64 bytes = round_down(memory_.states.size() / 3, kLineBytes);
  const u64 rest = memory_.states.size() - bytes;
  return rest >= least_table(shape_.key_words, shape_.key_bytes) ? bytes : 0;
}

// --- Questions --------------------------------------------------------------------------------

Status CachedStates::ask(const Word* keys, u32 count, u64 since, bool* known) {
  XMC_DASSERT(count <= kBatch);
  StateIndex found[kBatch];
  table_.find(keys, count, found);
  u32 missing[kBatch];
  u32 fill = 0;
  for (u32 i = 0; i < count; ++i) {
    const Word* const key = keys + u64{i} * shape_.key_words;
    known[i] = found[i] != kNone || (since < age_ && diagram_.contains(key));
    if (known[i]) {
      ++counts_.known;
    } else {
      missing[fill++] = i;
    }
  }
  if (fill == 0) return {};
  if (since < age_ && runs_.runs() > 0) return ask_runs(keys, {missing, fill}, since, known);
  counts_.fresh += fill;
  return {};
}

Status CachedStates::ask_runs(const Word* keys, std::span<const u32> which, u64 since,
                              bool* known) {
  PageQuestion questions[kBatch];
  const u32 words = shape_.key_words;
  for (u32 q = 0; q < which.size(); ++q) {
    u8* const bytes = memory_.questions.data() + u64{q} * words * sizeof(Word);
    const Word* const key = keys + u64{which[q]} * words;
    for (u32 w = 0; w < words; ++w) store_le<u64>(bytes + w * sizeof(Word), key[w]);
    questions[q].key = bytes;
    questions[q].hash = PageHash::of(bytes, shape_.key_bytes);
    questions[q].since = since;
  }
  XMC_TRY(runs_.ask({questions, which.size()}));
  for (u32 q = 0; q < which.size(); ++q) {
    const PageQuestion& question = questions[q];
    known[which[q]] = question.found;
    ++(question.found ? counts_.known : counts_.fresh);
    if (question.read) ++(question.found ? counts_.known_read : counts_.fresh_read);
  }
  return {};
}

// --- The table --------------------------------------------------------------------------------

// The oldest states go, a share of all. Those that are in the table only become old states before,
// with all others; in the form of the paper alone.
Status CachedStates::make_room() {
  const u32 size = table_.size();
  const u32 wanted = static_cast<u32>(u64{size} * shape_.percent / 100);
  const u32 going = std::min(std::max(wanted, 8u), size) / 8 * 8;
  XMC_CHECK(going > 0);
  if (filed_ < going && diagram_.on() && !give_to_diagram()) {
    XMC_TRY(leave_diagram());
    return settle();
  }
  if (filed_ < going) {
    XMC_TRY(write_run(shape_.form == Form::linear ? going : size));
    XMC_TRY(settle());
  }
  table_.drop_first(going);
  filed_ -= going;
  return {};
}

Status CachedStates::settle() { return behind(runs_.settle()); }

Status CachedStates::behind(Status status) {
  const StopReason stop = status.take_stop();
  if (stop != StopReason::none) stop_ = stop;
  return status;
}

// False: it is full.
bool CachedStates::give_to_diagram() {
  ++age_;
  filed_ += diagram_.add(table_.size() - filed_, memory_.transfer,
                         [&](u32 i, Word* state) { table_.load(filed_ + i, state); });
  return filed_ == table_.size();
}

// All states become runs, by way of the table. Then there is memory for filters, and more of it for
// the table.
Status CachedStates::leave_diagram() {
  if (filed_ < table_.size()) XMC_TRY(write_run(table_.size()));
  const auto empty_table = [&] {
    table_.drop_first(table_.size() / 8 * 8);
    filed_ = table_.size();
  };
  Word states[KeyOrder::kBlockWords];
  empty_table();
  diagram_.begin_walk();
  while (const u32 count = diagram_.walk(states, KeyOrder::kBlockWords / shape_.key_words)) {
    for (u32 done = 0; done < count;) {
      const u32 left = count - done;
      done += table_.insert(states + u64{done} * shape_.key_words, left, nullptr);
      if (done == count) break;
      XMC_TRY(write_run(table_.size()));
      XMC_TRY(settle());
      empty_table();
    }
  }
  if (filed_ < table_.size()) XMC_TRY(write_run(table_.size()));
  shape_.form = Form::tiers;
  lay_out_diagram();
  filed_ = 0;
  return behind(runs_.set_filters(filters()));
}

// The states up to `end` that are in memory only, in the order of their hashes: as many at a time
// as can be sorted, the table is gone through for each of these ranges.
Status CachedStates::write_run(StateIndex end) {
  const std::span<u8> memory = memory_.transfer;
  const u64 pages = std::max<u64>(round_down(memory.size() / 4, kPageBytes), kPageBytes);
  const u64 states = end - filed_;
  XMC_TRY(runs_.begin_run(++age_, states, memory.first(static_cast<std::size_t>(pages))));
  const std::span<u8> rest = memory.subspan(static_cast<std::size_t>(pages));
  const std::size_t room = rest.size() / (2 * sizeof(u64));
  const std::span<u64> chosen(reinterpret_cast<u64*>(rest.data()), room);
  u64* const other = chosen.data() + room;
  u64 width = std::min(kOrders, kOrders / states * (room - room / 8) + 1);
  for (u64 low = 0; low < kOrders;) {
    const u64 high = std::min(low + width, kOrders);
    const u32 count = collect(end, low, high, chosen);
    if (count > room) {
      width = width / 2 + 1;
      continue;
    }
    const u64* const sorted = sort_keys(chosen.data(), other, count, 1);
    for (u32 i = 0; i < count; ++i) {
      const u8* const key = table_.packed_at(static_cast<u32>(sorted[i]));
      XMC_TRY(runs_.add(key, PageHash::of(key, shape_.key_bytes)));
    }
    low = high;
  }
  filed_ = end;
  return runs_.end_run();
}

// Hash and number of those whose hash is in the range; more than there is room for: there are too
// many.
u32 CachedStates::collect(StateIndex end, u64 low, u64 high, std::span<u64> into) const {
  u32 fill = 0;
  for (StateIndex i = filed_; i < end; ++i) {
    const u64 order = PageHash::of(table_.packed_at(i), shape_.key_bytes).order;
    if (order < low || order >= high) continue;
    if (fill == into.size()) return fill + 1;
    into[fill++] = order << 32 | i;
  }
  return fill;
}

}  // namespace xmc
