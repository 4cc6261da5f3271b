#include "engine/symbolic/field_values.h"

#include "xmc/bytes.h"

namespace xmc {

namespace {

constexpr u64 kBlocksPerField = sizeof(u32) * 10 + sizeof(u16);
constexpr u64 kPerValue = sizeof(u32) + sizeof(u8);

}  // namespace

u64 FieldValues::bytes_for(u32 fields, u64 values) {
  return round_up(fields * kBlocksPerField + (values + u64{fields} * kFirstBlock) * kPerValue, 16);
}

void FieldValues::init(std::span<u8> memory, u32 fields) {
  XMC_CHECK(memory.size() >= bytes_for(fields, 0));
  const u64 values = (memory.size() - fields * kBlocksPerField) / kPerValue;
  u8* at = memory.data();
  blocks_ = {reinterpret_cast<u32*>(at), fields * kBlocks};
  at += blocks_.size_bytes();
  codes_ = {reinterpret_cast<u32*>(at), static_cast<std::size_t>(values)};
  at += codes_.size_bytes();
  counts_ = {reinterpret_cast<u16*>(at), fields};
  at += counts_.size_bytes();
  confirmed_ = {at, static_cast<std::size_t>(values)};
  used_ = 0;
  for (u32& block : blocks_) block = kNone;
  for (u16& count : counts_) count = 0;
}

u32 FieldValues::number_of(u32 field, u32 code) {
  const u32 known = counts_[field];
  for (u32 block = 0; first_of(block) < known; ++block) {
    const u32 first = first_of(block);
    const u32 size = block == 0 ? kFirstBlock : first;
    const u32 here = known - first < size ? known - first : size;
    const u32* const codes = codes_.data() + blocks_[field * kBlocks + block];
    for (u32 i = 0; i < here; ++i) {
      if (codes[i] == code) return first + i;
    }
  }
  if (known == ListNodes::kMostValues) return kNone;
  const u32 block = block_of(known);
  u32& begin = blocks_[field * kBlocks + block];
  if (begin == kNone) {
    const u32 size = block == 0 ? kFirstBlock : first_of(block);
    if (codes_.size() - used_ < size) return kNone;
    begin = used_;
    used_ += size;
  }
  const u32 at = begin + known - first_of(block);
  codes_[at] = code;
  confirmed_[at] = 0;
  ++counts_[field];
  return known;
}

}  // namespace xmc
