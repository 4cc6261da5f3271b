#include "engine/levels/frontier.h"

#include <algorithm>

#include "engine/levels/visited_set.h"
#include "engine/search/file_names.h"
#include "xmc/check.h"

namespace xmc {

Result<Device*> OpenFiles::open(const char* name, Folder::Open how) {
  XMC_LET(Device* const device, folder_->open(name, how));
  for (File& file : files_) {
    if (file.device != nullptr) continue;
    file = {name, device};
    return device;
  }
  XMC_CHECK(false);
  return device;
}

void OpenFiles::close(const char* name) {
  for (File& file : files_) {
    if (file.device == nullptr || std::string_view(file.name) != name) continue;
    folder_->close(file.device);
    file = {};
  }
}

void OpenFiles::close_all() {
  for (File& file : files_) {
    if (file.device != nullptr) folder_->close(file.device);
    file = {};
  }
}

StateTable::Shape Frontier::shape_of(const Model& model, bool notes) {
  return {model.state_words, std::max(model.state_bytes, 1u), notes};
}

Status Frontier::open_queue() {
  XMC_LET(Device* const device, files.open(kQueueFile, Folder::Open::create));
  queue.start(device, kQueueFile, Purpose::queue, search.model.state_words, memory.write_buffer);
  reader.start(queue, memory.read_buffer);
  return {};
}

u32 Frontier::initial_states() {
  const u32 count = search.initial();
  if (!owners.on()) return count;
  u32 mine = 0;
  for (u32 i = 0; i < count; ++i) {
    const Word* const state = search.buffer_at(i);
    if (!owners.is_mine(state)) continue;
    std::copy_n(state, search.model.state_words, search.buffer_at(mine++));
  }
  return mine;
}

Status Frontier::enqueue(const Word* state) {
  // States at the depth limit are judged, nothing is stored behind them.
  if (at.last) {
    at.left_out = true;
    return {};
  }
  if (queue.keys() >= search.options.state_limit) return Status::stop(StopReason::state_limit);
  return queue.append(state, at.enqueue_level);
}

void Frontier::take_back(const Word* state) {
  SearchStats& s = search.stats();
  s.repeats = s.repeats == kNoFigure ? 1 : s.repeats + 1;
  const SearchStats before = s;
  std::copy_n(state, search.model.state_words, search.state);
  const Expansion expansion = search.expand_state(search.state, 0);
  static_cast<void>(search.judge(expansion, 0));
  s.transitions = before.transitions - (s.transitions - before.transitions);
  s.deadlocks = before.deadlocks - (s.deadlocks - before.deadlocks);
  s.error_steps = before.error_steps - (s.error_steps - before.error_steps);
  // None was met, or this one again.
  if (before.bad_states != s.bad_states) s.bad_states = before.bad_states - 1;
  if (search.model.buchi) s.accepting = before.accepting - (s.accepting - before.accepting);
}

// --- Going on ---------------------------------------------------------------------------------

Status Frontier::poll(u64 level_states, bool level_done) {
  if (owners.on()) return owners.poll(level_done);
  Progress progress;
  progress.states = set->states();
  progress.level = at.level;
  progress.level_states = level_states;
  progress.level_done = level_done;
  progress.ram_used = memory.region.size();
  return search.poll(progress);
}

GoOn Frontier::go_on() {
  return {this,
          [](void* self) {
            Frontier& frontier = *static_cast<Frontier*>(self);
            return frontier.poll(frontier.at.end - frontier.at.next, false);
          },
          &search.work};
}

u64 Frontier::now() const { return search.options.now_ns == nullptr ? 0 : search.options.now_ns(); }

u64 Frontier::busy_ns() const {
  return search.options.now_ns == nullptr ? 0 : now() - search.options.folder->wait_ns();
}

// --- Accepting cycles -------------------------------------------------------------------------

Product Frontier::product(u64 expanded, std::span<u8> work) {
  Product product;
  product.search = &search;
  product.queue = &queue;
  product.states = queue.keys();
  product.expanded = expanded;
  product.steps_back = steps_back;
  product.cycle_free = !owners.on() && cycle_free();
  product.folder = &folder();
  product.read_buffer = memory.finder_buffer;
  product.scan_buffer = memory.scan_buffer;
  product.memory = work;
  product.aside = memory.aside.size();
  product.owner = this;
  product.owners = owners.on() ? &owners : nullptr;
  product.checkpoint = [](void* self) { return static_cast<Frontier*>(self)->checkpoint(); };
  return product;
}

Status Frontier::search_prefix(u64 expanded) {
  if (finder == nullptr) return {};
  const Product part = product(expanded, memory.aside);
  return finder->wants(part) ? finder->search_prefix(part) : Status();
}

Status Frontier::search_prefix_together(u64 expanded) {
  if (finder == nullptr || !finder->meets_at_levels()) return {};
  XMC_TRY(fill_queue());
  XMC_TRY(finder->search_prefix(product(expanded, memory.aside)));
  if (search.cycle_found()) finder->cycle_begin(culprit);
  return {};
}

// A cycle is kept in what was set aside.
Status Frontier::search_cycles() {
  XMC_TRY(fill_queue());
  const std::size_t reclaimed = static_cast<std::size_t>(memory.reclaimed);
  memory.aside = {memory.aside.data() - reclaimed, memory.aside.size() + reclaimed};
  memory.region = memory.region.first(memory.region.size() - reclaimed);
  memory.reclaimed = 0;
  Product all = product(queue.keys(), memory.all());
  all.read_buffer = memory.read_buffer;
  const Status status = finder->search_all(all);
  reader.start(queue, memory.read_buffer);
  return status;
}

bool Frontier::reclaim_aside() {
  if (finder == nullptr || !finder->looks_are_over(queue.keys(), memory.aside.size())) return false;
  const std::size_t least = static_cast<std::size_t>(finder->least_aside_bytes());
  if (memory.aside.size() <= least) return false;
  const std::size_t more = memory.aside.size() - least;
  memory.region = {memory.region.data(), memory.region.size() + more};
  memory.aside = memory.aside.subspan(more);
  memory.reclaimed += more;
  memory.reclaimed_in_all += more;
  return true;
}

}  // namespace xmc
