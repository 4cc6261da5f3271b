#include "store/diagram/rank.h"

#include <algorithm>
#include <bit>

#include "store/diagram/digit_search.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kMostNodeWords = 1 + 64 + 256;  // of a diagram: header, digits, children
constexpr u32 kTail = 0x8000;                 // as in diagram.h

u32 edges_of(const u32* node) { return (node[0] & 0xFFFFu) + 1; }
const u8* digits_of(const u32* node) { return reinterpret_cast<const u8*>(node + 1); }
// (child, count) of each edge.
const u32* pairs_of(const u32* node) { return node + 1 + (edges_of(node) + 3) / 4; }
Word tail_word(const u32* tail, u32 i) {
  return Word{tail[1 + 2 * i]} | Word{tail[2 + 2 * i]} << 32;
}
u32 pop(u32 bits) { return static_cast<u32>(std::popcount(bits)); }

}  // namespace

// --- Making it --------------------------------------------------------------------------------

// Marks are the words that become two: old place plus marks before it is the new place.
bool Rank::take(Diagram& d) {
  static_assert(kTail == DiagramNodes::kTail);
  if (d.size_ > kMostKeys) return false;
  d.collect();
  const u32 old_top = static_cast<u32>(d.nodes_.top);
  const u32 marks = static_cast<u32>(NodeMarks::words_for(old_top));
  fill_zero(std::span<u64>(d.marks_.bits, marks));
  for (u32 node = 1, words = 0; node < old_top; node += words) {
    words = d.nodes_.node_size(node);
    if (d.nodes_.is_tail(node)) continue;
    for (u32 at = node + words - d.nodes_.edges(node), end = node + words; at < end;) {
      const u32 count = std::min(64 - at % 64, end - at);
      d.marks_.bits[at / 64] |= ~u64{0} >> (64 - count) << (at % 64);
      at += count;
    }
  }
  u32 sum = 0;
  for (u32 w = 0; w < marks; ++w) {
    d.marks_.sums[w] = sum;
    sum += static_cast<u32>(std::popcount(d.marks_.bits[w]));
  }
  const u64 new_top = u64{old_top} + sum;
  u32* const base = d.nodes_.slots;
  const u64 room =
      static_cast<u64>(d.region_.data() + d.region_.size() - reinterpret_cast<const u8*>(base)) /
      sizeof(u32);
  if (new_top > room || new_top > 0xFFFF'FFF0u) return false;

  const u32* const old = base + (room - old_top);
  move(std::span<u32>(base + (room - old_top), old_top),
       std::span<const u32>(d.nodes_.heap, old_top));
  digits_ = d.nodes_.digits;
  key_words_ = d.nodes_.key_words;
  size_ = d.size_;
  nodes_ = base;
  // A node is written where the one after it is read at the earliest.
  u32 to = 1;
  for (u32 from = 1; from < old_top;) {
    u32 node[kMostNodeWords];
    const u32 words = d.nodes_.size_of(old + from);
    std::copy_n(old + from, words, node);
    to += write_node(node, base + to, d);
    from += words;
  }
  XMC_CHECK(to == new_top);
  top_ = new_top;
  root_ = d.root_ == 0 ? 0 : place_of(d, d.root_);
  XMC_CHECK(root_ == 0 || keys_below(base + root_) == size_);
  move_to(d.region_.data());
  d = Diagram();
  return true;
}

u32 Rank::place_of(const Diagram& d, u32 node) { return node + d.marks_.forward(node, 0); }

u64 Rank::keys_below(const u32* node) {
  if ((node[0] & kTail) != 0) return 1;
  return pairs_of(node)[2 * edges_of(node) - 1];
}

// The words that it takes.
u32 Rank::write_node(const u32* from, u32* to, const Diagram& d) const {
  const u32 words = d.nodes_.size_of(from);
  if ((from[0] & kTail) != 0) {
    std::copy_n(from, words, to);
    return words;
  }
  const u32 count = edges_of(from);
  const bool last = (from[0] >> 16) + 2 == digits_.size();
  std::copy_n(from, words - count, to);
  const u32* const children = from + words - count;
  u32* pair = to + words - count;
  u64 sum = 0;
  for (u32 i = 0; i < count; ++i) {
    const u32 child = last ? children[i] : place_of(d, children[i]);
    sum += last ? pop(child) : keys_below(nodes_ + child);
    *pair++ = child;
    *pair++ = static_cast<u32>(sum);
  }
  return words + count;
}

void Rank::move_to(u8* to) {
  u32* const place = reinterpret_cast<u32*>(to);
  move(std::span<u32>(place, static_cast<std::size_t>(top_)),
       std::span<const u32>(nodes_, static_cast<std::size_t>(top_)));
  nodes_ = place;
}

void Rank::load(std::span<u32> nodes, u32 root, u64 size, std::span<const Diagram::Digit> digits,
                u32 key_words) {
  XMC_CHECK(size <= kMostKeys && root < nodes.size());
  *this = Rank();
  nodes_ = nodes.data();
  top_ = nodes.size();
  root_ = root;
  size_ = size;
  digits_ = digits;
  key_words_ = key_words;
}

// --- Asking it --------------------------------------------------------------------------------

bool Rank::tail_equals(const u32* tail, const Word* key) const {
  const Diagram::Digit& d = digits_[tail[0] >> 16];
  const u32 bits = u32{d.shift} + d.bits;
  const Word mask = bits == 64 ? ~Word{0} : (Word{1} << bits) - 1;
  if ((key[d.word] & mask) != tail_word(tail, 0)) return false;
  for (u32 w = d.word + 1u; w < key_words_; ++w) {
    if (key[w] != tail_word(tail, w - d.word)) return false;
  }
  return true;
}

// One level after the other, for all keys that are not answered yet.
void Rank::find_group(const Word* keys, u32 count, u64* ranks) const {
  Lane lanes[kLanes];
  const u32 last = static_cast<u32>(digits_.size()) - 2;
  for (u32 i = 0; i < count; ++i) lanes[i] = {root_, 0, keys + u64{i} * key_words_, ranks + i};
  for (u32 level = 0; count > 0; ++level) {
    const Diagram::Digit d = digits_[level];
    const u32 mask = (1u << d.bits) - 1;
    u32 left = 0;
    for (u32 i = 0; i < count; ++i) {
      Lane lane = lanes[i];
      const u32* const node = nodes_ + lane.node;
      if ((node[0] & kTail) != 0) {
        *lane.rank = tail_equals(node, lane.key) ? lane.sum : kNotThere;
        continue;
      }
      const u32 edges = edges_of(node);
      const u32 wanted = static_cast<u32>(lane.key[d.word] >> d.shift) & mask;
      const u32 j = first_not_below(digits_of(node), 0, edges, wanted);
      if (j >= edges || digits_of(node)[j] != wanted) {
        *lane.rank = kNotThere;
        continue;
      }
      const u32* const pair = node + 1 + (edges + 3) / 4 + 2 * j;
      lane.sum += pair[-1] & (j == 0 ? 0 : ~0u);  // without a branch
      lane.node = pair[0];
      if (level == last) {
        *lane.rank = rank_in(pair[0], digit(lane.key, level + 1), lane.sum);
        continue;
      }
      __builtin_prefetch(nodes_ + lane.node);
      lanes[left++] = lane;
    }
    count = left;
  }
}

u64 Rank::rank_in(u32 bitmap, u32 digit, u32 sum) {
  const u32 bit = 1u << digit;
  return (bitmap & bit) == 0 ? kNotThere : u64{sum} + pop(bitmap & (bit - 1));
}

void Rank::find(const Word* keys, u32 count, u64* ranks) const {
  if (root_ == 0) return static_cast<void>(std::fill_n(ranks, count, kNotThere));
  for (u32 done = 0; done < count; done += kLanes) {
    find_group(keys + u64{done} * key_words_, std::min(kLanes, count - done), ranks + done);
  }
}

void Rank::key_of(u64 rank, Word* key) const {
  XMC_CHECK(rank < size_);
  std::fill_n(key, key_words_, Word{0});
  u32 rest = static_cast<u32>(rank);
  const u32* node = nodes_ + root_;
  for (u32 level = 0;; ++level) {
    if ((node[0] & kTail) != 0) {
      const u32 first = digits_[level].word;
      key[first] |= tail_word(node, 0);
      for (u32 w = first + 1; w < key_words_; ++w) key[w] = tail_word(node, w - first);
      return;
    }
    const u32* const pairs = pairs_of(node);
    u32 low = 0;  // the first edge whose count is above `rest`
    for (u32 high = edges_of(node) - 1; low < high;) {
      const u32 middle = (low + high) / 2;
      if (pairs[2 * middle + 1] > rest) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (low > 0) rest -= pairs[2 * low - 1];
    put_digit(key, level, digits_of(node)[low]);
    u32 child = pairs[2 * low];
    if (level + 2 == digits_.size()) {
      for (; rest > 0; --rest) child &= child - 1;
      return put_digit(key, level + 1, static_cast<u32>(std::countr_zero(child)));
    }
    node = nodes_ + child;
  }
}

}  // namespace xmc
