// FaultJournal: the appends that were not synced yet, in the order they came, in memory of the
// caller. Data is kept in aligned blocks, so that it can be handed to a device as it is.
#pragma once

#include <span>

#include "xmc/types.h"

namespace xmc {

class FaultJournal {
 public:
  struct Entry {
    u32 file = 0;
    u64 offset = 0;  // in the file
    u64 bytes = 0;
    u64 position = 0;  // of the data in the memory
  };

  explicit FaultJournal(std::span<u8> memory);

  // False when there is no room.
  bool add(u32 file, u64 offset, std::span<const u8> blocks);
  // Copies what is here of [offset, offset + into.size()) of the file.
  void overlay(u32 file, u64 offset, std::span<u8> into) const;
  // Where the appends of the file end; 0 when it has none.
  u64 end_of(u32 file) const;
  void drop(u32 file) { truncate(file, 0); }
  // Forgets what lies at or beyond `bytes`.
  void truncate(u32 file, u64 bytes);

  std::span<const Entry> entries() const { return {entries_, count_}; }
  std::span<const u8> data(const Entry& entry) const;

 private:
  // Appends between two syncs; more are written back, which is a legal fate.
  static constexpr u32 kEntries = 1024;

  void close_gaps();

  std::span<u8> memory_;  // aligned
  Entry entries_[kEntries];
  u32 count_ = 0;
  u64 used_ = 0;
};

}  // namespace xmc
