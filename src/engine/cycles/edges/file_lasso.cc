#include "engine/cycles/edges/file_lasso.h"

#include <algorithm>

#include "engine/search/file_names.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Most rounds of cutting a core down from both sides. It is correct after each of them.
constexpr u32 kRounds = 8;

}  // namespace

u64 FileLasso::bytes_for(u64 states, bool weak) {
  return EdgeFile::kBlockBytes + KeyFile::kSlotBytes + kSeekPoints * sizeof(EdgeFile::SeekPoint) +
         kBatch * sizeof(u64) + round_up(CycleCore::bytes_for(states, weak), 8) +
         StateBits::bytes_for(states) + StateBits::bytes_for(2 * states) + kPageBytes;
}

Status FileLasso::load(EdgeReader& reader, const StateBits& set, const MarkedNumbers& numbers,
                       u64 end, bool weak, const Buffers& buffers, Folder& folder,
                       PassFigures& figures, WorkPoll& poll) {
  const u64 states = numbers.marked();
  XMC_CHECK(!is_open());
  XMC_CHECK(buffers.memory.size() >= bytes_for(states, weak));
  weak_ = weak;
  poll_ = poll;
  XMC_TRY(open_files(buffers, folder, states));
  XMC_TRY(copy_core(reader, set, numbers, end, figures));
  XMC_CHECK(core_file_.states() == states);
  XMC_TRY(reader.finish());
  reader_.start(core_file_, buffers.read);
  return {};
}

Status FileLasso::open_files(const Buffers& buffers, Folder& folder, u64 states) {
  folder_ = &folder;
  XMC_LET(core_device_, folder.open(kCoreFile, Folder::Open::create));
  XMC_LET(layers_device_, folder.open(kLayersFile, Folder::Open::create));
  std::span<u8> at = buffers.memory;
  const auto take = [&](u64 bytes) {
    const std::span<u8> piece = at.first(static_cast<std::size_t>(bytes));
    at = at.subspan(static_cast<std::size_t>(round_up(bytes, 8)));
    return piece;
  };
  const std::span<u8> write = take(EdgeFile::kBlockBytes);
  const std::span<u8> slot = take(KeyFile::kSlotBytes);
  auto* const seek_points = reinterpret_cast<EdgeFile::SeekPoint*>(
      take(kSeekPoints * sizeof(EdgeFile::SeekPoint)).data());
  core_file_.start(core_device_, kCoreFile, write, {seek_points, kSeekPoints});
  layers_.start(layers_device_, kLayersFile, Purpose::stack, 1, buffers.layers);
  layer_reader_.start(layers_, slot);
  batch_ = {reinterpret_cast<u64*>(take(kBatch * sizeof(u64)).data()), kBatch};
  core_memory_ = take(CycleCore::bytes_for(states, weak_));
  seeds_.start(take(StateBits::bytes_for(states)), states, false);
  visited_.start(take(StateBits::bytes_for(2 * states)), 2 * states, false);
  rest_ = at;
  return {};
}

Status FileLasso::copy_core(EdgeReader& reader, const StateBits& set, const MarkedNumbers& numbers,
                            u64 end, PassFigures& figures) {
  Status status;
  bool begun = false;  // the record of the state has targets already
  EdgeGroup::Record last;
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    if (!status.ok() || !set.test(record.state)) return;
    if (!record.goes_on) {
      // A state of the set without a record, or without targets in the set, leads nowhere.
      const u64 number = numbers.number(record.state);
      while (status.ok() && core_file_.states() < number) {
        status = core_file_.append(std::max(core_file_.level(), last.level), false, {});
      }
      begun = false;
    }
    last = record;
    u64 here[kEdgePiece];
    std::size_t count = 0;
    for (const u64 target : targets) {
      if (target < end && set.test(target)) here[count++] = numbers.number(target);
    }
    if (count == 0 || !status.ok()) return;
    status = begun ? core_file_.append_more(record.accepting, {here, count})
                   : core_file_.append(record.level, record.accepting, {here, count});
    begun = true;
  };
  XMC_TRY(EdgePass(reader, set, end).up(figures, poll_, visit));
  while (status.ok() && core_file_.states() < numbers.marked()) {
    status = core_file_.append(std::max(core_file_.level(), last.level), false, {});
  }
  return status;
}

Status FileLasso::close() {
  if (!is_open()) return {};
  Status status;
  if (core_device_ != nullptr) {
    status = reader_.finish();
    folder_->close(core_device_);
    if (const Status removed = folder_->remove(kCoreFile); status.ok()) status = removed;
  }
  if (layers_device_ != nullptr) {
    folder_->close(layers_device_);
    if (const Status removed = folder_->remove(kLayersFile); status.ok()) status = removed;
  }
  core_device_ = layers_device_ = nullptr;
  folder_ = nullptr;
  return status;
}

Status FileLasso::narrow(u64 level, bool& any) {
  u64 end = states();
  if (level < kNoLimit) XMC_TRY(level_begin(level + 1, end));
  narrow_end_ = end;
  XMC_TRY(core_.find(reader_, end, weak_, core_memory_, poll_));
  bool changed = !core_.empty();
  for (u32 round = 0; changed && round < kRounds; ++round) {
    XMC_TRY(keep_reached(changed));
    if (changed) XMC_TRY(core_.resume(reader_, poll_));
  }
  any = !core_.empty();
  return find_seeds();
}

// Keeps the states of the core that an accepting one of them leads to in one step or more: what
// only leads to cycles goes, and with it most of the seeds that are on none.
Status FileLasso::keep_reached(bool& changed) {
  const StateBits& live = core_.states();
  const std::span<u64> words = visited_.words();
  std::fill(words.begin(), words.end(), u64{0});
  PassFigures figures;
  for (bool more = true; more;) {
    more = false;
    const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
      if (!live.test(record.state)) return;
      if (!record.accepting && !visited_.test(record.state)) return;
      for (const u64 target : targets) {
        if (target >= narrow_end_) return;
        if (!live.test(target) || visited_.test(target)) continue;
        visited_.set(target);
        more = true;
      }
    };
    XMC_TRY(EdgePass(reader_, live, narrow_end_).up(figures, poll_, visit));
  }
  changed = false;
  const std::span<u64> core = live.words();
  for (std::size_t i = 0; i < core.size(); ++i) {
    changed = changed || (core[i] & ~words[i]) != 0;
    core[i] &= words[i];
  }
  return {};
}

// Targets of a step that does not lead down. On the way from the last state to the first, the last
// state that was of a deeper level begins the levels below this one.
Status FileLasso::find_seeds() {
  const std::span<u64> seeds = seeds_.words();
  std::fill(seeds.begin(), seeds.end(), u64{0});
  const StateBits& live = core_.states();
  u64 level = ~u64{0};
  u64 last = narrow_end_;
  u64 deeper = narrow_end_;
  PassFigures figures;
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    if (!live.test(record.state)) return;
    if (record.level != level) deeper = last;
    level = record.level;
    last = record.state;
    for (const u64 target : targets) {
      if (target >= deeper) break;
      if (live.test(target)) seeds_.set(target);
    }
  };
  return EdgePass(reader_, live, narrow_end_).down(figures, poll_, visit);
}

// --- Searches from seeds ----------------------------------------------------------------------

Status FileLasso::visit(u64 node, u64 layer) {
  // Having passed an accepting state before is never worse.
  if (visited_.test(node | 1) || visited_.test(node)) return {};
  visited_.set(node);
  return layers_.append(&node, layer);
}

Status FileLasso::next_batch(u64 layer, u32& count) {
  for (count = 0; count < kBatch; ++count) {
    Word node = 0;
    XMC_LET(const bool more, layer_reader_.next(&node));
    if (!more) break;
    if (layer_reader_.level() != layer) {
      XMC_CHECK(layer_reader_.level() > layer);
      layer_reader_.unread();
      break;
    }
    batch_[count] = node;
  }
  std::sort(batch_.data(), batch_.data() + count);
  return {};
}

Status FileLasso::expand(u64 node, const Range& range, u64 steps, Reach& reach) {
  Status status;
  const StateBits& live = core_.states();
  const auto visit_targets = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    const u64 passed = record.accepting ? 1 : node % 2;
    for (const u64 target : targets) {
      if (target >= narrow_end_ || reach.steps != 0 || !status.ok()) return;
      if (target < range.floor || !live.test(target)) continue;
      // The seed first: it was visited when the search began.
      if (passed == 1 && target >= range.begin && target < range.end && seeds_.test(target)) {
        reach = {steps, node};
        return;
      }
      status = visit(target * 2 + passed, steps);
    }
  };
  XMC_TRY(reader_.read(node / 2, visit_targets));
  return status;
}

Status FileLasso::search(const Range& range, u64 most, Reach& reach) {
  const std::span<u64> visited = visited_.words();
  std::fill(visited.begin(), visited.end(), u64{0});
  XMC_TRY(layers_.clear());
  for (u64 t = next_seed(range.begin, range.end); t < range.end; t = next_seed(t + 1, range.end)) {
    XMC_TRY(visit(t * 2, 0));
  }
  XMC_TRY(layer_reader_.seek_slot(0));
  for (u64 steps = 1, done = 0; steps <= most && done < layers_.keys(); ++steps) {
    for (const u64 layer_end = layers_.keys(); done < layer_end;) {
      u32 count = 0;
      XMC_TRY(next_batch(steps - 1, count));
      XMC_CHECK(count > 0);
      done += count;
      for (u32 i = 0; i < count; ++i) {
        XMC_TRY(expand(batch_[i], range, steps, reach));
        if (reach.steps != 0) return {};
      }
      XMC_TRY(poll_(steps, layer_end - done));
    }
  }
  return {};
}

Status FileLasso::first_return(u64 begin, u64 end, u64 floor, u64 most, u64& steps) {
  const Range range{begin, std::min(end, narrow_end_), floor};
  Reach reach;
  steps = 0;
  if (most == 0 || range.begin >= range.end) return {};
  XMC_TRY(search(range, most, reach));
  steps = reach.steps;
  return {};
}

// A node of the layer from which a step leads to `node`. The reader is in the layer behind.
Status FileLasso::find_before(u64 layer, u64 node, u64& before) {
  XMC_TRY(layer_reader_.seek_level_back(layer));
  for (;;) {
    u32 count = 0;
    XMC_TRY(next_batch(layer, count));
    if (count == 0) break;
    for (u32 i = 0; i < count; ++i) {
      bool leads = false;
      const u64 from = batch_[i];
      const auto look = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
        const u64 passed = record.accepting ? 1 : from % 2;
        leads = leads || (passed == node % 2 &&
                          std::binary_search(targets.begin(), targets.end(), node / 2));
      };
      XMC_TRY(reader_.read(from / 2, look));
      before = from;
      if (leads) return {};
    }
  }
  return Status::fail(Code::internal, "no way back in the file '%s'", kLayersFile);
}

Status FileLasso::trace(u64 seed, u64 floor, std::span<u64> cycle) {
  Reach reach;
  XMC_TRY(search({seed, seed + 1, floor}, cycle.size(), reach));
  XMC_CHECK(reach.steps == cycle.size());
  u64 node = reach.last;
  for (std::size_t i = cycle.size() - 1; i > 0; --i) {
    cycle[i] = node / 2;
    XMC_TRY(find_before(i - 1, node, node));
    XMC_TRY(poll_(i, 1));
  }
  cycle[0] = node / 2;
  XMC_CHECK(cycle[0] == seed);
  return {};
}

}  // namespace xmc
