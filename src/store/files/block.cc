#include "store/files/block.h"

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"

namespace xmc {

namespace {

constexpr u32 kMagic = 0x4243'4D58;  // "XMCB"
constexpr u32 kVersion = 2;
constexpr u32 kMostPages = 0xFFFF;

u64 checksum_of(std::span<const u8> block, u32 used, const BlockPlace& place) {
  return hash_bytes(block.subspan(8, used - 8), 0) ^ place.seed;
}

}  // namespace

u64 seal_block(std::span<u8> block, const BlockFrame& frame, const BlockPlace& place) {
  XMC_CHECK(block.size() == frame.block_bytes && frame.block_bytes % kPageBytes == 0);
  XMC_CHECK(frame.used_bytes >= BlockFrame::kBytes && frame.used_bytes <= frame.block_bytes);
  XMC_CHECK(frame.block_bytes / kPageBytes <= kMostPages);
  u8* const at = block.data();
  store_le<u32>(at + 8, kMagic);
  store_le<u32>(at + 12,
                kVersion | static_cast<u32>(frame.kind) << 8 | static_cast<u32>(frame.words) << 16);
  store_le<u32>(at + 16, frame.used_bytes);
  store_le<u32>(at + 20, frame.block_bytes / kPageBytes | static_cast<u32>(place.life) << 16);
  const u64 checksum = checksum_of(block, frame.used_bytes, place);
  store_le<u64>(at, checksum);
  fill_zero(block.subspan(frame.used_bytes));
  return checksum;
}

bool read_frame(std::span<const u8> block, BlockFrame& frame) {
  if (block.size() < BlockFrame::kBytes) return false;
  const u8* const at = block.data();
  const u32 sort = load_le<u32>(at + 12);
  frame.kind = static_cast<BlockKind>(sort >> 8 & 0xFFu);
  frame.words = static_cast<u16>(sort >> 16);
  frame.used_bytes = load_le<u32>(at + 16);
  frame.block_bytes = (load_le<u32>(at + 20) & kMostPages) * kPageBytes;
  return load_le<u32>(at + 8) == kMagic && (sort & 0xFFu) == kVersion && frame.block_bytes != 0 &&
         frame.used_bytes >= BlockFrame::kBytes && frame.used_bytes <= frame.block_bytes;
}

bool check_block(std::span<const u8> block, BlockFrame& frame, const BlockPlace& place,
                 u64* checksum) {
  if (!read_frame(block, frame) || frame.block_bytes > block.size()) return false;
  if (place.is_new && load_le<u32>(block.data() + 20) >> 16 != place.life) return false;
  const u64 stored = load_le<u64>(block.data());
  if (checksum != nullptr) *checksum = stored;
  return checksum_of(block, frame.used_bytes, place) == stored;
}

Status damaged_block(const char* file, u64 number) {
  return Status::fail(Code::corrupt, "block %llu of the file '%s' is damaged", wide(number), file);
}

Status not_of_checkpoint(const char* file) {
  return Status::fail(Code::corrupt, "the file '%s' is not the one of the checkpoint", file);
}

u64 extend_chain(u64 chain, u64 checksum) {
  u8 both[16];
  store_le<u64>(both, chain);
  store_le<u64>(both + 8, checksum);
  return hash_bytes(both, 0);
}

}  // namespace xmc
