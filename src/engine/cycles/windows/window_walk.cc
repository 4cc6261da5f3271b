#include "engine/cycles/windows/window_walk.h"

#include <algorithm>

#include "engine/search/file_names.h"
#include "store/files/numbered_file.h"
#include "store/files/word_file.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/engine.h"

namespace xmc {

namespace {

constexpr u64 kNoState = ~u64{0};

}  // namespace

// | pages | their numbers | list |
WindowWalk::WindowWalk(EdgeReader& reader, const WindowFile& bits, bool weak, std::span<u8> memory)
    : reader_(reader), bits_(bits), weak_(weak), last_(bits.layers() - 1) {
  const u64 half = round_down(memory.size() / 2, kPageBytes);
  const std::size_t frames = static_cast<std::size_t>(half / (kPageBytes + sizeof(u64)));
  XMC_CHECK(frames > 0);
  pages_ = memory.first(frames * kPageBytes);
  page_ = {reinterpret_cast<u64*>(pages_.data() + pages_.size()), frames};
  fill_zero(page_);
  const std::span<u8> rest = memory.subspan(static_cast<std::size_t>(half));
  list_ = {reinterpret_cast<u64*>(rest.data()), rest.size() / sizeof(u64)};
}

Status WindowWalk::is_in(u64 layer, u64 state, bool& in) {
  const WindowFile::Place at = bits_.place(layer, state);
  const std::size_t frame = static_cast<std::size_t>(at.page % page_.size());
  const std::span<u8> bytes = pages_.subspan(frame * kPageBytes, kPageBytes);
  if (page_[frame] != at.page + 1) {
    page_[frame] = 0;
    XMC_TRY(bits_.read_page(at.page, bytes));
    page_[frame] = at.page + 1;
  }
  in = (reinterpret_cast<const u64*>(bytes.data())[at.bit / 64] >> at.bit % 64 & 1) != 0;
  return {};
}

// The first layer that has a state of the last one: each has all of the one before.
Status WindowWalk::layer_of(u64 state, u64& layer) {
  layer = 0;
  for (u64 high = last_; layer < high;) {
    const u64 middle = (layer + high) / 2;
    bool in = false;
    XMC_TRY(is_in(middle, state, in));
    in ? high = middle : layer = middle + 1;
  }
  return {};
}

// In its layer a state came when a successor was there already: one of a layer before, or one with
// a higher number, since states were visited from the last to the first.
Status WindowWalk::step(u64& state) {
  u64 next = kNoState;
  u64 layer = 0;
  Status status = weak_ ? Status() : layer_of(state, layer);
  XMC_TRY(status);
  XMC_TRY(reader_.read(state, [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    const bool any = weak_ || record.accepting;
    for (const u64 target : targets) {
      if (next != kNoState || !status.ok()) return;
      bool in = false;
      if (any) {
        status = is_in(last_, target, in);
      } else if (target > state) {
        status = is_in(layer, target, in);
      } else if (layer > 0) {
        status = is_in(layer - 1, target, in);
      }
      if (in) next = target;
    }
  }));
  XMC_TRY(status);
  if (next == kNoState) return bits_.damaged();
  state = next;
  return {};
}

// Brent: the second state goes on, the first one jumps to it at powers of two. Where the list was
// lost, it goes around once more.
Status WindowWalk::go(WorkPoll& poll) {
  while (!done()) {
    if (met() && at_.length > list_.size()) {
      return Status::fail(Code::budget,
                          "an accepting cycle of %llu steps was found, but it does not fit the "
                          "memory; use a larger --ram",
                          wide(at_.length));
    }
    if (met() || at_.length == at_.power) {
      if (!met()) at_.power *= 2;
      at_.first = at_.second;
      at_.length = 0;
      listed_ = true;
    }
    XMC_TRY(step(at_.second));
    if (at_.length < list_.size()) list_[static_cast<std::size_t>(at_.length)] = at_.second;
    ++at_.length;
    if (++steps_ % kPollSteps != 0) continue;
    XMC_TRY(poll(at_.length));
    return {};
  }
  return {};
}

// Pages have no checksums of their own. Wrong bits may lead around a cycle, for the steps are those
// of the edge file, but past no accepting state.
Status WindowWalk::check_accepting(std::span<const u64> cycle) {
  if (weak_) return {};
  bool accepting = false;
  for (std::size_t i = 0; i < cycle.size() && !accepting; ++i) {
    XMC_TRY(reader_.read(cycle[i], [&](const EdgeGroup::Record& record, std::span<const u64>) {
      accepting = accepting || record.accepting;
    }));
  }
  return accepting ? Status() : bits_.damaged();
}

Status WindowWalk::take(LassoResult& result) {
  XMC_CHECK(done());
  const std::span<u64> cycle = list_.first(static_cast<std::size_t>(at_.length));
  XMC_TRY(check_accepting(cycle));
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  result.found = true;
  result.cycle = cycle;
  return reader_.level_of(cycle[0], result.prefix_steps);
}

// --- Checkpoints ------------------------------------------------------------------------------

Status WindowWalk::save_checkpoint(WindowCheckpoint::Walk& checkpoint, Folder& folder,
                                   std::span<u8> buffer) const {
  const bool whole = listed_ && at_.length <= list_.size();
  checkpoint = {at_.first, at_.second, at_.power, at_.length, checkpoint.number + 1, 0, 0, 0};
  if (checkpoint.number >= kRemovedBehind) {
    const u64 old = checkpoint.number - kRemovedBehind;
    XMC_TRY(folder.remove(FileName(kWalkFile, old).c_str()));
  }
  if (!whole || at_.length == 0) return {};
  const FileName name(kWalkFile, checkpoint.number);
  XMC_LET(Device* const device, folder.open(name.c_str(), Folder::Open::create));
  WordWriter out;
  out.start(device, buffer);
  Status status = out.add(list_.first(static_cast<std::size_t>(at_.length)));
  if (status.ok()) status = out.finish();
  folder.close(device);
  checkpoint.listed = at_.length;
  checkpoint.mark = {out.bytes(), out.chain()};
  return status;
}

Status WindowWalk::restore_checkpoint(const WindowCheckpoint::Walk& checkpoint, Folder& folder,
                                      std::span<u8> buffer) {
  at_ = {checkpoint.first, checkpoint.second, checkpoint.power, checkpoint.length};
  listed_ = checkpoint.length == 0;
  if (checkpoint.listed == 0 || checkpoint.listed > list_.size()) return {};
  const FileName name(kWalkFile, checkpoint.number);
  XMC_LET(Device* const device, folder.open(name.c_str(), Folder::Open::existing));
  Status status = not_of_checkpoint(name.c_str());
  if (checkpoint.listed == checkpoint.length && device->size_bytes() >= checkpoint.mark.bytes) {
    WordReader in;
    in.start(device, name.c_str(), checkpoint.listed, buffer);
    status = in.read(0, list_.first(static_cast<std::size_t>(checkpoint.listed)));
  }
  folder.close(device);
  listed_ = status.ok();
  return status;
}

}  // namespace xmc
