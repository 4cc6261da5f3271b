// FieldValues: the values that each field of a state is known to take, numbered in the order in
// which they turned up. The number is what diagrams have for a value.
//
// A value is confirmed once a reachable state has it. One that is not was only written by a step
// that may never come.
#pragma once

#include <bit>
#include <span>

#include "store/symbolic/list_nodes.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

class FieldValues {
 public:
  // Tables and room for this many values over all fields; each field is sure to get eight.
  static u64 bytes_for(u32 fields, u64 values);
  void init(std::span<u8> memory, u32 fields);

  u32 count(u32 field) const { return counts_[field]; }
  u32 code(u32 field, u32 number) const { return codes_[place(field, number)]; }
  bool is_confirmed(u32 field, u32 number) const { return confirmed_[place(field, number)] != 0; }
  void confirm(u32 field, u32 number) { confirmed_[place(field, number)] = 1; }
  // kNone: there is no number left for it.
  u32 number_of(u32 field, u32 code);

 private:
  // Blocks of 8, 8, 16, 32 and so on for each field: they never move.
  static constexpr u32 kFirstBlock = 8;
  static constexpr u32 kBlocks = 10;
  static_assert(kFirstBlock << (kBlocks - 1) == ListNodes::kMostValues);

  static u32 block_of(u32 number) { return static_cast<u32>(std::bit_width(number / kFirstBlock)); }
  static u32 first_of(u32 block) { return block == 0 ? 0 : kFirstBlock << (block - 1); }
  u32 place(u32 field, u32 number) const {
    XMC_DASSERT(number < counts_[field]);
    const u32 block = block_of(number);
    return blocks_[field * kBlocks + block] + number - first_of(block);
  }

  std::span<u16> counts_;  // by field
  std::span<u32> blocks_;  // kBlocks for each
  std::span<u32> codes_;   // in blocks
  std::span<u8> confirmed_;
  u32 used_ = 0;
};

}  // namespace xmc
