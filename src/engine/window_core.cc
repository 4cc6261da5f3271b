#include "engine/window_core.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"

namespace xmc {

namespace {

constexpr u64 kPageBytes = 4096;
constexpr u64 kPageBits = kPageBytes * 8;
constexpr const char* kFiles[] = {kLiveFile, kOtherLiveFile};

bool leads_into(std::span<const u64> targets, const WindowBits& set) {
  for (const u64 target : targets) {
    if (target >= set.size()) return false;
    if (set.has(target) && set.test(target)) return true;
  }
  return false;
}

}  // namespace

u64 WindowCore::least_bytes(u64 states) {
  return 3 * round_up(divide_up(divide_up(states, kMostWindows), 8) + 1, kPageBytes) +
         4 * kPageBytes;
}

Status WindowCore::find(const Setup& setup, const WorkPoll& poll, LassoResult& result,
                        StopReason& stop) {
  XMC_CHECK(setup.memory.size() >= least_bytes(setup.edges->states()));
  setup_ = setup;
  poll_ = poll;
  figures_ = {};
  passes_ = 0;
  const u64 third = round_down(setup.memory.size() / 3, kPageBytes);
  window_states_ = std::min(third * 8, std::max<u64>(round_down(setup.most_window, 64), 64));
  windows_ = divide_up(setup.edges->states(), window_states_);
  XMC_CHECK(windows_ <= kMostWindows);
  const u64 bytes = round_up(window_states_ / 8, kPageBytes);
  for (u32 i = 0; i < 3; ++i) {
    part_[i] =
        setup.memory.subspan(static_cast<std::size_t>(i * third), static_cast<std::size_t>(bytes));
  }
  result = {};
  setup_.reader->start(*setup_.edges, setup_.read_buffer);
  Status status = run(result, stop);
  const Status finished = setup_.reader->finish();
  if (status.ok()) status = finished;
  const Status closed = close_files();
  return status.ok() ? closed : status;
}

Status WindowCore::run(LassoResult& result, StopReason& stop) {
  bool changed = true;
  bool any = setup_.edges->states() > 0;
  while (changed && any && stop == StopReason::none) XMC_TRY(pass(changed, any, stop));
  if (stop != StopReason::none) return {};
  result.none = !any;
  return any ? find_cycle(result, stop) : Status();
}

// --- Files ------------------------------------------------------------------------------------

// The file of the pass before the last one is made anew.
Status WindowCore::open_next() {
  turn_ ^= 1;
  if (file_[turn_] != nullptr) setup_.folder->close(file_[turn_]);
  file_[turn_] = nullptr;
  const Result<Device*> device = setup_.folder->open(kFiles[turn_], Folder::Open::create);
  if (!device.ok()) return device.status();
  file_[turn_] = device.value();
  return {};
}

Status WindowCore::close_files() {
  Status status;
  for (u32 i = 0; i < 2; ++i) {
    if (file_[i] == nullptr) continue;
    setup_.folder->close(file_[i]);
    file_[i] = nullptr;
    const Status removed = setup_.folder->remove(kFiles[i]);
    if (status.ok()) status = removed;
  }
  return status;
}

// Before the first pass everything is live.
Status WindowCore::load(u64 window, WindowBits& bits, std::span<u8> memory, bool now) {
  bits.start(memory, first_of(window), states_in(window), true);
  const u32 which = now ? turn_ : turn_ ^ 1;
  if (file_[which] == nullptr) return {};
  const ReadRequest request{(windows_ - 1 - window) * memory.size(), memory};
  XMC_TRY(file_[which]->read({&request, 1}, Purpose::edges));
  return hash_bytes(memory) == sum_[which][window] ? Status() : damaged(which);
}

Status WindowCore::store(u64 window, std::span<u8> memory) {
  sum_[turn_][window] = hash_bytes(memory);
  return file_[turn_]->append(memory, Purpose::edges);
}

Status WindowCore::damaged(u32 which) const {
  return Status::fail(Code::corrupt, "the file '%s' is not as it was written", kFiles[which]);
}

// --- Passes -----------------------------------------------------------------------------------

Status WindowCore::pass(bool& changed, bool& any, StopReason& stop) {
  XMC_TRY(open_next());
  changed = any = false;
  for (u64 k = windows_; k-- > 0 && stop == StopReason::none;) {
    XMC_TRY(load(k, sources_, part_[0], false));
    if (sources_.any()) {
      leading_.start(part_[1], first_of(k), states_in(k), false);
      for (u64 j = windows_; j-- > 0 && stop == StopReason::none;) {
        if (j == k) continue;
        WindowBits targets;
        XMC_TRY(load(j, targets, part_[2], j > k));
        if (targets.any()) XMC_TRY(find_leading(targets, stop));
      }
      if (stop == StopReason::none) XMC_TRY(drop_rest(changed, stop));
    }
    if (sources_.any()) {
      any = true;
      some_live_ = sources_.next();
    }
    XMC_TRY(store(k, part_[0]));
  }
  ++passes_;
  return {};
}

// Of the sources, those with a live target in another window.
Status WindowCore::find_leading(const WindowBits& targets, StopReason& stop) {
  return EdgePass(*setup_.reader, sources_, sources_.size())
      .down(figures_, poll_, stop, [&](const EdgeGroup::Record& record, std::span<const u64> all) {
        if (!sources_.has(record.state) || leading_.test(record.state)) return;
        if (leads_into(all, targets)) leading_.set(record.state);
      });
}

// Of the sources, those that do not lead on: neither into another window nor here.
Status WindowCore::drop_rest(bool& changed, StopReason& stop) {
  const auto drop = [&](u64 begin, u64 end) {
    if (!sources_.any(begin, end)) return;
    sources_.clear_range(begin, end);
    changed = true;
  };
  bool leads_on = false;
  u64 above = sources_.size();
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> all) {
    if (!sources_.has(record.state)) return;
    leads_on = leads_on || leading_.test(record.state) || leads_into(all, sources_);
    if (record.goes_on) return;
    drop(leads_on ? record.state + 1 : record.state, above);
    above = record.state;
    leads_on = false;
  };
  XMC_TRY(EdgePass(*setup_.reader, sources_, sources_.size()).down(figures_, poll_, stop, visit));
  if (stop == StopReason::none) drop(sources_.first(), above);
  return {};
}

// --- The cycle --------------------------------------------------------------------------------

Status WindowCore::is_live(u64 state, bool& live) {
  const u64 window = state / window_states_;
  const u64 page = (windows_ - 1 - window) * (part_[0].size() / kPageBytes) +
                   (state - first_of(window)) / kPageBits;
  const std::size_t place = static_cast<std::size_t>(page % page_.size());
  const std::span<u8> bytes = pages_.subspan(place * kPageBytes, kPageBytes);
  if (page_[place] != page + 1) {
    page_[place] = 0;
    const ReadRequest request{page * kPageBytes, bytes};
    XMC_TRY(file_[turn_]->read({&request, 1}, Purpose::edges));
    page_[place] = page + 1;
  }
  const u64 bit = (state - first_of(window)) % kPageBits;
  live = (reinterpret_cast<const u64*>(bytes.data())[bit / 64] >> bit % 64 & 1) != 0;
  return {};
}

Status WindowCore::next_live(u64& state) {
  u64 next = ~u64{0};
  Status status;
  XMC_TRY(setup_.reader->read(state, [&](const EdgeGroup::Record&, std::span<const u64> targets) {
    for (const u64 target : targets) {
      if (next != ~u64{0} || !status.ok()) return;
      bool live = false;
      status = is_live(target, live);
      if (live) next = target;
    }
  }));
  XMC_TRY(status);
  if (next == ~u64{0}) return damaged(turn_);
  state = next;
  return {};
}

// | pages | their numbers | cycle |
Status WindowCore::find_cycle(LassoResult& result, StopReason& stop) {
  const u64 half = round_down(setup_.memory.size() / 2, kPageBytes);
  const std::size_t frames = static_cast<std::size_t>(half / (kPageBytes + sizeof(u64)));
  pages_ = setup_.memory.first(frames * kPageBytes);
  page_ = {reinterpret_cast<u64*>(pages_.data() + pages_.size()), frames};
  fill_zero(page_);
  // Brent: the second state goes on, the first one jumps to it at powers of two.
  u64 first = some_live_;
  u64 second = first;
  u64 length = 1;
  XMC_TRY(next_live(second));
  for (u64 power = 1; first != second && stop == StopReason::none; ++length) {
    if (length == power) {
      first = second;
      power *= 2;
      length = 0;
    }
    XMC_TRY(next_live(second));
    stop = poll_.now_and_then(length);
  }
  if (stop != StopReason::none) return {};
  const std::span<u8> rest = setup_.memory.subspan(static_cast<std::size_t>(half));
  if (length * sizeof(u64) > rest.size()) {
    return Status::fail(Code::budget,
                        "an accepting cycle of %llu steps was found, but it does not fit the "
                        "memory; use a larger --ram",
                        static_cast<unsigned long long>(length));
  }
  const std::span<u64> cycle(reinterpret_cast<u64*>(rest.data()), static_cast<std::size_t>(length));
  for (u64& state : cycle) {
    state = second;
    XMC_TRY(next_live(second));
  }
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  result.found = true;
  result.cycle = cycle;
  return setup_.reader->level_of(cycle[0], result.prefix_steps);
}

}  // namespace xmc
