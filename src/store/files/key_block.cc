#include "store/files/key_block.h"

#include <algorithm>
#include <bit>

#include "store/keys/byte_moves.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

// A jump of more levels begins a new block rather than a row of marks.
constexpr u64 kMostMarks = 32;

// Keys of so many words have most of them in common with the one before.
constexpr u32 kWide = 5;

// Writes up to nine bytes for each word, whatever it uses of them. The key is the previous one
// then. `W`: the number of words, or 0 for any.
template <u32 W>
[[gnu::always_inline]] inline u8* put_record(u8* at, const Word* key, Word* previous, u32 words) {
  if constexpr (W != 0) words = W;
  u8* bytes = at + words;
  u64 all = 0;
  for (u32 w = 0; w < words; ++w) {
    const u64 difference = key[w] ^ previous[w];
    previous[w] = key[w];
    all |= difference;
    if (words >= kWide && difference == 0 && w + 1 < words) {
      at[w] = 0;
      continue;
    }
    u32 mask = byte_mask(difference);
    if (w + 1 == words && all == 0) mask = 1;
    at[w] = static_cast<u8>(mask);
    store_le<u64>(bytes, gather_bytes(difference, mask));
    bytes += kByteMoves.count[mask];
  }
  return bytes;
}

// What of a word differs; `bytes` is behind it then. `whole`: eight of them may be read.
[[gnu::always_inline]] inline Word take_word(const u8*& bytes, u32 mask, bool whole) {
  const u32 count = kByteMoves.count[mask];
  u64 packed = 0;
  if (whole) {
    packed = load_le<u64>(bytes);
  } else {
    for (u32 b = 0; b < count; ++b) packed |= u64{bytes[b]} << (8 * b);
  }
  bytes += count;
  return spread_bytes(packed, mask);
}

// Up to eight masks of a wide record.
u64 load_masks(const u8* at, const u8* end, u32 count) {
  u64 masks = 0;
  if (count == 8 && end - at >= 8) return load_le<u64>(at);
  for (u32 i = 0; i < count; ++i) masks |= u64{at[i]} << (8 * i);
  return masks;
}

}  // namespace

void KeyBlockWriter::start(std::span<u8> buffer, u32 key_words) {
  XMC_CHECK(key_words >= 1 && key_words <= limits::kKeyWords);
  XMC_CHECK(buffer.size() >= kPageBytes && buffer.size() % kPageBytes == 0);
  buffer_ = buffer;
  words_ = key_words;
  reset();
}

void KeyBlockWriter::reset() { header_ = {}; }

bool KeyBlockWriter::append(const Word* key, u64 number, u64 level) {
  if (empty()) {
    header_.first_key = number;
    header_.first_level = level_ = level;
    std::fill_n(previous_, words_, ~Word{0});
  }
  XMC_DASSERT(level >= level_);
  const u64 marks = level - level_;
  if (marks > kMostMarks || header_.used_bytes + marks * words_ + 9 * words_ > buffer_.size()) {
    return false;
  }
  u8* at = buffer_.data() + header_.used_bytes;
  if (marks != 0) at = std::fill_n(at, marks * words_, u8{0});
  switch (words_) {
    case 1:
      at = put_record<1>(at, key, previous_, 1);
      break;
    case 2:
      at = put_record<2>(at, key, previous_, 2);
      break;
    case 3:
      at = put_record<3>(at, key, previous_, 3);
      break;
    default:
      at = put_record<0>(at, key, previous_, words_);
      break;
  }
  header_.used_bytes = static_cast<u32>(at - buffer_.data());
  level_ = level;
  ++header_.keys;
  return true;
}

std::span<const u8> KeyBlockWriter::seal(bool early, const BlockPlace& place, u64& checksum) {
  u8* const at = buffer_.data() + BlockFrame::kBytes;
  store_le<u32>(at, header_.keys);
  store_le<u32>(at + 4, u32{0});
  store_le<u64>(at + 8, header_.first_key);
  store_le<u64>(at + 16, header_.first_level);
  const u64 bytes = early ? round_up(header_.used_bytes, kPageBytes) : buffer_.size();
  BlockFrame frame;
  frame.kind = BlockKind::keys;
  frame.words = static_cast<u16>(words_);
  frame.used_bytes = header_.used_bytes;
  frame.block_bytes = static_cast<u32>(bytes);
  const std::span<u8> block = buffer_.first(static_cast<std::size_t>(bytes));
  checksum = seal_block(block, frame, place);
  return block;
}

void KeyBlockReader::start(std::span<const u8> block, u32 key_words, const KeyBlockHeader& header) {
  base_ = block.data();
  size_ = block.size();
  words_ = key_words;
  at_ = KeyBlockHeader::kBytes;
  done_ = 0;
  header_ = header;
  level_ = header.first_level;
  std::fill_n(previous_, words_, ~Word{0});
}

bool KeyBlockReader::next(Word* key) {
  if (done_ == header_.keys) return false;
  switch (words_) {
    case 1:
      next_narrow<1>(key);
      break;
    case 2:
      next_narrow<2>(key);
      break;
    case 3:
      next_narrow<3>(key);
      break;
    default:
      words_ < kWide ? next_narrow<0>(key) : next_wide(key);
      break;
  }
  ++done_;
  XMC_CHECK(at_ <= header_.used_bytes);
  return true;
}

// `W` as for put_record().
template <u32 W>
[[gnu::always_inline]] inline void KeyBlockReader::next_narrow(Word* key) {
  const u32 words = W == 0 ? words_ : W;
  const u8* at = base_ + at_;
  const auto is_mark = [&] {
    u32 any = 0;  // of the masks: which of them is zero is anyone's guess, so there is no branch
    for (u32 w = 0; w < words; ++w) any |= at[w];
    return any == 0;
  };
  for (; is_mark(); at += words) ++level_;
  // The last records may be too near to the end for loads of eight bytes.
  const bool whole = at + std::size_t{9} * words <= base_ + size_;
  const u8* bytes = at + words;
  for (u32 w = 0; w < words; ++w) {
    previous_[w] ^= take_word(bytes, at[w], whole);
    key[w] = previous_[w];
  }
  at_ = static_cast<u32>(bytes - base_);
}

// The same, in steps from one word that differs to the next.
void KeyBlockReader::next_wide(Word* key) {
  const u8* at = base_ + at_;
  const u8* const end = base_ + size_;
  for (bool any = false; !any;) {
    const u8* bytes = at + words_;
    for (u32 first = 0; first < words_; first += 8) {
      u64 masks = load_masks(at + first, end, std::min(8u, words_ - first));
      any = any || masks != 0;
      while (masks != 0) {
        const u32 place = static_cast<u32>(std::countr_zero(masks)) / 8 * 8;
        const u32 mask = static_cast<u32>(masks >> place) & 0xFF;
        previous_[first + place / 8] ^= take_word(bytes, mask, end - bytes >= 8);
        masks &= ~(u64{0xFF} << place);
      }
    }
    if (!any) ++level_;
    at = bytes;
  }
  std::copy_n(previous_, words_, key);
  at_ = static_cast<u32>(at - base_);
}

bool open_key_block(std::span<const u8> bytes, u32 key_words, const BlockPlace& place,
                    KeyBlockHeader& header, u32* block_bytes) {
  BlockFrame frame;
  if (!check_block(bytes, frame, place, nullptr)) return false;
  if (frame.kind != BlockKind::keys || frame.words != key_words) return false;
  if (frame.used_bytes < KeyBlockHeader::kBytes) return false;
  const u8* const at = bytes.data() + BlockFrame::kBytes;
  header = {frame.used_bytes, load_le<u32>(at), load_le<u64>(at + 8), load_le<u64>(at + 16)};
  if (block_bytes != nullptr) *block_bytes = frame.block_bytes;
  return true;
}

}  // namespace xmc
