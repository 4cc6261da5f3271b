#include "phf/format.h"

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"

namespace xmc::phf {

namespace {

constexpr u64 kMagic = 0x3146'4850'636d'78;  // "xmcPHF1"
constexpr u32 kLayersAt = 40;

// What no file can have, whatever its footer says.
bool sensible(const FileLayout& layout, u64 file_bytes) {
  if (layout.layers == 0 || layout.layers > kLayers) return false;
  u64 keys = 0;
  for (u32 i = 0; i < layout.layers; ++i) {
    if (layout.layer[i].pages == 0 || layout.layer[i].pages > file_bytes) return false;
    keys += layout.layer[i].keys;
  }
  return keys == layout.keys && layout.file_bytes() == file_bytes;
}

}  // namespace

u64 FileLayout::first_page(u32 which) const {
  XMC_CHECK(which <= kLayers);
  u64 sum = 0;
  for (u32 i = 0; i < which; ++i) sum += layer[i].pages;
  return sum;
}

Status check_shape(const PageShape& shape, u32 block_bytes) {
  const unsigned long long bytes = shape.page_bytes;
  if (bytes < kLeastPageBytes || bytes > kMostPageBytes || bytes % kLeastPageBytes != 0 ||
      bytes % block_bytes != 0) {
    return Status::fail(Code::usage,
                        "perfect hash: pages of %llu bytes are not possible; 4096 to 65536 are, in "
                        "multiples of 4096 and of the device's %u",
                        bytes, block_bytes);
  }
  if (shape.value_bits > 32 || (shape.fingerprint_bits != 0 && shape.fingerprint_bits != 8)) {
    return Status::fail(Code::usage,
                        "perfect hash: values have at most 32 bits, not %u, and fingerprints 0 or "
                        "8, not %u",
                        shape.value_bits, shape.fingerprint_bits);
  }
  if (codec_calls(shape.codec) == nullptr) {
    return Status::fail(Code::unsupported,
                        "perfect hash: CMPH's page codec is not part of this build; the codec "
                        "pilot is");
  }
  if (shape.too_large()) {
    return Status::fail(Code::usage,
                        "perfect hash: a page has at most %u keys, which do not fill %llu bytes "
                        "with values of %u bits; take smaller pages",
                        kPageKeys, bytes, shape.value_bits);
  }
  return {};
}

void write_footer(const FileLayout& layout, std::span<u8> footer) {
  XMC_CHECK(footer.size() == kFooterBytes);
  fill_zero(footer);
  u8* at = footer.data();
  store_le(at + 8, kMagic);
  store_le(at + 16, layout.shape.page_bytes);
  at[20] = static_cast<u8>(layout.shape.value_bits);
  at[21] = static_cast<u8>(layout.shape.fingerprint_bits);
  at[22] = static_cast<u8>(layout.shape.codec);
  at[23] = static_cast<u8>(layout.layers);
  store_le(at + 24, layout.keys);
  store_le(at + 32, layout.hash_seed);
  for (u32 i = 0; i < kLayers; ++i) {
    store_le(at + kLayersAt + 16 * i, layout.layer[i].pages);
    store_le(at + kLayersAt + 16 * i + 8, layout.layer[i].keys);
  }
  store_le(at, hash_bytes(footer.subspan(8)) ^ layout.shape.file_seed);
}

Status read_footer(std::span<const u8> footer, u64 file_bytes, u64 file_seed, FileLayout& layout) {
  XMC_CHECK(footer.size() == kFooterBytes);
  const u8* at = footer.data();
  layout = FileLayout();
  layout.shape.file_seed = file_seed;
  if (load_le<u64>(at) != (hash_bytes(footer.subspan(8)) ^ file_seed) ||
      load_le<u64>(at + 8) != kMagic) {
    return Status::fail(Code::corrupt,
                        "perfect hash: the file has no valid footer; it was not finished, or it "
                        "is damaged, and has to be built again");
  }
  layout.shape.page_bytes = load_le<u32>(at + 16);
  layout.shape.value_bits = at[20];
  layout.shape.fingerprint_bits = at[21];
  layout.shape.codec = static_cast<Codec>(at[22]);
  layout.layers = at[23];
  layout.keys = load_le<u64>(at + 24);
  layout.hash_seed = load_le<u64>(at + 32);
  for (u32 i = 0; i < kLayers; ++i) {
    layout.layer[i].pages = load_le<u64>(at + kLayersAt + 16 * i);
    layout.layer[i].keys = load_le<u64>(at + kLayersAt + 16 * i + 8);
  }
  XMC_TRY(check_shape(layout.shape, kLeastPageBytes));
  if (!sensible(layout, file_bytes)) {
    return Status::fail(Code::corrupt, "perfect hash: the footer does not fit its file");
  }
  return {};
}

}  // namespace xmc::phf
