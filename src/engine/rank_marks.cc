// A finished rank as a file of a checkpoint (search_mark.h), and back: building it takes as long as
// inserting all states, writing it as long as its bytes do. It is written once.
//
//   file = byte order (1: little, 2: big), order of the fields, joined 0 or 1, value states,
//          node words, root, keys; if joined: where joined digits begin, a bit for each digit, and
//          the value states (store/key_order.h); the node words, two in a word    (words, kind 8)
//
// Nodes are written as they are in memory, so that a host with another byte order builds its own.
#include <algorithm>
#include <bit>

#include "engine/engine.h"
#include "engine/rank_index.h"
#include "engine/search_mark.h"
#include "store/word_file.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

enum Head : u32 { kByteOrder, kOrder, kJoined, kValueStates, kNodeWords, kRoot, kKeys, kHeadWords };

constexpr Word kOwnOrder = std::endian::native == std::endian::little ? 1 : 2;
constexpr u64 kPageBytes = 4096;
constexpr std::size_t kPart = 512;  // words that are moved at once

Status write_nodes(WordWriter& out, std::span<const u32> nodes) {
  Word part[kPart];
  for (std::size_t done = 0; done < nodes.size();) {
    std::size_t fill = 0;
    for (; fill < kPart && done < nodes.size(); done += 2) {
      const Word high = done + 1 < nodes.size() ? nodes[done + 1] : 0;
      part[fill++] = nodes[done] | high << 32;
    }
    XMC_TRY(out.add({part, fill}));
  }
  return {};
}

Status read_nodes(WordReader& in, u64 at, std::span<u32> nodes) {
  Word part[kPart];
  for (std::size_t done = 0; done < nodes.size();) {
    const std::size_t words = std::min(kPart, (nodes.size() - done + 1) / 2);
    XMC_TRY(in.read(at, {part, words}));
    at += words;
    for (std::size_t i = 0; i < words; ++i, done += 2) {
      nodes[done] = static_cast<u32>(part[i]);
      if (done + 1 < nodes.size()) nodes[done + 1] = static_cast<u32>(part[i] >> 32);
    }
  }
  return {};
}

}  // namespace

u64 RankIndex::words_of_file(u64 begins, u64 value_states, u64 nodes) const {
  return kHeadWords + begins + value_states * order_.state_words() + divide_up(nodes, 2);
}

Status RankIndex::note(SearchMark& mark, std::span<u8> buffer) {
  if (!written_) {
    number_ = mark.hash_number;
    const FileName name(kRankFile, number_);
    const Result<Device*> device = folder_->open(name.c_str(), Folder::Open::create);
    if (!device.ok()) return device.status();
    WordWriter out;
    out.start(device.value(), buffer);
    const Status status = write(out);
    folder_->close(device.value());
    XMC_TRY(status);
    stamp_ = {out.bytes(), out.chain()};
    written_ = true;
  }
  mark.index = SearchMark::Index::rank;
  mark.hash_number = number_;
  mark.rank = stamp_;
  mark.rank_words = file_words_;
  return {};
}

Status RankIndex::write(WordWriter& out) {
  const bool joined = order_.joined();
  Word head[kHeadWords] = {};
  head[kByteOrder] = kOwnOrder;
  head[kOrder] = candidate_;
  head[kJoined] = joined ? 1 : 0;
  head[kValueStates] = joined ? order_.value_states() : 0;
  head[kNodeWords] = rank_.nodes().size();
  head[kRoot] = rank_.root();
  head[kKeys] = rank_.size();
  const u64 begins = joined ? divide_up(order_.plain_digits(), 64) : 0;
  file_words_ = words_of_file(begins, head[kValueStates], head[kNodeWords]);
  XMC_TRY(out.add(head));
  Word state[limits::kStateWords] = {};
  for (u32 d = 0; d < order_.plain_digits() && joined; ++d) {
    state[0] |= Word{order_.begins_joined(d)} << d % 64;
    if (d % 64 != 63 && d + 1 != order_.plain_digits()) continue;
    XMC_TRY(out.add({state, 1}));
    state[0] = 0;
  }
  for (u32 i = 0; i < head[kValueStates]; ++i) {
    order_.value_state(i, state);
    XMC_TRY(out.add({state, order_.state_words()}));
  }
  XMC_TRY(write_nodes(out, rank_.nodes()));
  return out.finish();
}

Status RankIndex::reopen(const Product& product, u64 left, IndexResult& result) {
  const SearchMark& mark = *product.mark;
  const FileName name(kRankFile, mark.hash_number);
  const Result<Device*> device = product.folder->open(name.c_str(), Folder::Open::existing);
  if (!device.ok()) return device.status();
  Status status;
  if (device.value()->size_bytes() < mark.rank.bytes || mark.rank_words < kHeadWords) {
    status = not_of_checkpoint(name.c_str());
  } else {
    WordReader in;
    in.start(device.value(), name.c_str(), mark.rank_words, product.scan_buffer);
    status = read(in, name.c_str(), product, left, result);
  }
  product.folder->close(device.value());
  if (result.index == nullptr) return status;
  folder_ = product.folder;
  number_ = mark.hash_number;
  stamp_ = mark.rank;
  file_words_ = mark.rank_words;
  written_ = true;
  return status;
}

// | order, batch | nodes | as build() leaves it. Without room for it there is no index.
Status RankIndex::read(WordReader& in, const char* name, const Product& product, u64 left,
                       IndexResult& result) {
  Word head[kHeadWords] = {};
  XMC_TRY(in.read(0, head));
  if (head[kByteOrder] != kOwnOrder || head[kKeys] != product.expanded) return {};
  const u64 nodes = head[kNodeWords];
  if (head[kOrder] >= KeyOrder::kCandidates || nodes > 0xFFFF'FFFFu || head[kRoot] >= nodes ||
      head[kValueStates] > 1u << ValueCodes::kCodeBits) {
    return not_of_checkpoint(name);
  }
  joins_ = head[kJoined] != 0;
  const u64 tables = plan_fixed(product);
  const u64 bytes = round_up(fixed_bytes_ + nodes * sizeof(u32), kPageBytes);
  if (bytes + left > product.memory.size()) return {};
  plan_order(product, tables);
  candidate_ = static_cast<u32>(head[kOrder]);
  order_.choose(candidate_);
  u64 at = kHeadWords;
  const u64 begins = joins_ ? divide_up(order_.plain_digits(), 64) : 0;
  if (words_of_file(begins, head[kValueStates], nodes) != product.mark->rank_words) {
    return not_of_checkpoint(name);
  }
  if (joins_) XMC_TRY(read_order(in, name, begins, static_cast<u32>(head[kValueStates]), at));
  const std::span<u32> place(reinterpret_cast<u32*>(product.memory.data() + fixed_bytes_),
                             static_cast<std::size_t>(nodes));
  XMC_TRY(read_nodes(in, at, place));
  rank_.load(place, static_cast<u32>(head[kRoot]), head[kKeys], order_.digits(),
             order_.key_words());
  result.index = this;
  result.memory = product.memory.subspan(static_cast<std::size_t>(bytes));
  return {};
}

Status RankIndex::read_order(WordReader& in, const char* name, u64 begins, u32 value_states,
                             u64& at) {
  Word words[limits::kStateWords];
  Word key[kKeyWords];
  XMC_TRY(in.read(at, {words, static_cast<std::size_t>(begins)}));
  at += begins;
  if (!order_.join_at({words, static_cast<std::size_t>(begins)})) return not_of_checkpoint(name);
  for (u32 i = 0; i < value_states; ++i) {
    XMC_TRY(in.read(at, {words, order_.state_words()}));
    at += order_.state_words();
    if (!order_.to_key(words, key)) return not_of_checkpoint(name);
  }
  return {};
}

}  // namespace xmc
