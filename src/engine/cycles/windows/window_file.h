// Bits of all states on flash, in windows of which a few are in memory at a time.
//
// A file has layers, one set of bits after the other, each with its windows from the last to the
// first: it is only appended to. The checksums of the last two layers stay in memory. A checkpoint
// may name what it has (window_checkpoint.h); then it is not removed.
#pragma once

#include <algorithm>
#include <span>

#include "engine/cycles/windows/window_checkpoint.h"
#include "store/files/numbered_file.h"
#include "store/tables/state_bits.h"
#include "xmc/device.h"

namespace xmc {

// How the states are cut.
struct Windows {
  static constexpr u64 kMost = 64;

  u64 states = 0;
  u64 each = 0;  // states of a window
  u64 count = 0;
  u64 bytes = 0;  // of a window in memory and in a file: whole pages

  u64 first(u64 window) const { return window * each; }
  u64 size(u64 window) const { return std::min(each, states - first(window)); }
};

// The bits of some states: first, first + 1 and so on. Elsewhere nothing is marked.
class WindowBits {
 public:
  void start(std::span<u8> memory, u64 first, u64 states, bool value) {
    bits_.start(memory, states, value);
    first_ = first;
  }
  u64 first() const { return first_; }
  u64 size() const { return first_ + bits_.size(); }  // the end, as of bits that begin with 0
  bool has(u64 i) const { return i >= first_ && i < size(); }
  bool test(u64 i) const { return bits_.test(i - first_); }
  void set(u64 i) { bits_.set(i - first_); }
  void clear(u64 i) { bits_.clear(i - first_); }
  bool any(u64 begin, u64 end) const {
    begin = std::max(begin, first_);
    end = std::min(end, size());
    return begin < end && bits_.any(begin - first_, end - first_);
  }
  bool any() const { return bits_.any(0, bits_.size()); }
  u64 next() const { return first_ + bits_.next(0, bits_.size()); }  // the first that is marked
  void clear_range(u64 begin, u64 end) { bits_.clear_range(begin - first_, end - first_); }
  std::span<u64> words() { return bits_.words(); }

 private:
  StateBits bits_;
  u64 first_ = 0;
};

class WindowFile {
 public:
  // Empty, in place of one that may be there.
  Status create(Folder& folder, const FileName& name, const Windows& windows);
  // As it was when a checkpoint had so many windows of it. `memory` holds a window.
  Status reopen(Folder& folder, const FileName& name, const Windows& windows,
                const WindowCheckpoint::File& file, std::span<u8> memory);
  bool exists() const { return device_ != nullptr; }
  // Removes it unless a checkpoint may name it.
  Status close();

  // Durable, for a checkpoint that is going to name it.
  Status save_checkpoint(WindowCheckpoint::File& file);
  bool named() const { return named_; }

  // The next window of a layer: they come from the last to the first.
  Status append(std::span<const u8> window);
  u64 layers() const { return windows_appended_ / windows_.count; }            // that are complete
  u64 windows_of_layer() const { return windows_appended_ % windows_.count; }  // of the next one
  // A window of this layer, which is one of the last two, or the one that is being written.
  Status load(u64 layer, u64 window, WindowBits& bits, std::span<u8> memory) const;
  // The place of a state's bit: a page of the file, and a bit in it.
  struct Place {
    u64 page;
    u64 bit;
  };
  Place place(u64 layer, u64 state) const;
  Status read_page(u64 page, std::span<u8> memory) const;
  Status damaged() const;

 private:
  Status open(Folder& folder, const FileName& name, const Windows& windows, Folder::Open how);
  void note_sums(std::span<const u8> window);
  u64 slot(u64 layer, u64 window) const {
    return layer * windows_.count + (windows_.count - 1 - window);
  }

  Folder* folder_ = nullptr;
  FileName name_;
  Device* device_ = nullptr;
  Windows windows_;
  u64 windows_appended_ = 0;
  u64 plain_sum_ = 0;  // of all of it
  bool named_ = false;
  u64 sum_[2][Windows::kMost] = {};
};

}  // namespace xmc
