// A rank as a file of a checkpoint (search_checkpoint.h), and back: building it takes as long as
// inserting all states, writing it as long as its bytes do. A finished one is written once; while
// it is built, each checkpoint has the diagram as it is then, with the first states of the queue.
//
//   file = byte order (3: little, 4: big), order of the fields, joined 0 or 1, value states,
//          node words, root, keys, words of a sample in each order; if joined: where joined digits
//          begin, a bit for each digit, and the value states (store/diagram/key_order.h); the node
//          words, two in a word    (words, kind 8)
//
// Nodes are written as they are in memory, so that a host with another byte order builds its own.
#include <algorithm>
#include <bit>

#include "engine/cycles/index/rank_index.h"
#include "engine/cycles/index/search_checkpoint.h"
#include "engine/search/file_names.h"
#include "store/files/word_file.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/engine.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

enum Field : u32 { kByteOrder, kOrder, kJoined, kValueStates, kNodeWords, kRoot, kKeys, kFields };

constexpr Word kOwnOrder = std::endian::native == std::endian::little ? 3 : 4;
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

struct RankIndex::Head {
  Word field[kFields] = {};
  Word order_words[KeyOrder::kCandidates] = {};
  static constexpr u64 kWords = kFields + KeyOrder::kCandidates;

  bool sound() const {
    return field[kOrder] < KeyOrder::kCandidates && field[kNodeWords] <= 0xFFFF'FFFFu &&
           field[kRoot] < field[kNodeWords] && field[kValueStates] <= 1u << ValueCodes::kCodeBits;
  }
};

u64 RankIndex::begin_words(const Head& head) const {
  return head.field[kJoined] != 0 ? divide_up(order_.plain_digits(), 64) : 0;
}

u64 RankIndex::words_of_file(const Head& head) const {
  return Head::kWords + begin_words(head) + head.field[kValueStates] * order_.state_words() +
         divide_up(head.field[kNodeWords], 2);
}

// --- Writing ----------------------------------------------------------------------------------

Status RankIndex::save_checkpoint(SearchCheckpoint& checkpoint, std::span<u8> buffer) {
  if (!written_) {
    number_ = checkpoint.hash_number;
    const FileName name(kRankFile, number_);
    XMC_TRY(write(name, buffer, rank_.nodes(), rank_.root(), rank_.size()));
    written_ = true;
  }
  checkpoint.index = SearchCheckpoint::Index::rank;
  checkpoint.hash_number = number_;
  checkpoint.rank = stamp_;
  checkpoint.rank_words = file_words_;
  return {};
}

Status RankIndex::checkpoint_if_due(const Product& product) {
  if (product.search_checkpoint == nullptr || !product.checkpoint_due(false)) return {};
  XMC_TRY(save_part(product));
  return product.checkpoint(product.owner);
}

Status RankIndex::save_part(const Product& product) {
  if (product.search_checkpoint == nullptr) return {};
  SearchCheckpoint& checkpoint = *product.search_checkpoint;
  folder_ = product.folder;
  XMC_TRY(checkpoint.next_bits(*folder_));
  const FileName name(kBitsFile, checkpoint.bits_number);
  const std::span<const u32> nodes = diagram_.nodes();
  XMC_TRY(write(name, product.scan_buffer, nodes, diagram_.root(), inserted_));
  checkpoint.index = SearchCheckpoint::Index::rank_part;
  checkpoint.phase = SearchCheckpoint::Phase::none;
  checkpoint.states = product.states;
  checkpoint.bits = stamp_;
  checkpoint.rank_words = file_words_;
  checkpoint.named = true;
  return {};
}

Status RankIndex::write(const FileName& name, std::span<u8> buffer, std::span<const u32> nodes,
                        u32 root, u64 keys) {
  Head head;
  head.field[kByteOrder] = kOwnOrder;
  head.field[kOrder] = candidate_;
  head.field[kJoined] = order_.joined() ? 1 : 0;
  head.field[kValueStates] = order_.joined() ? order_.value_states() : 0;
  head.field[kNodeWords] = nodes.size();
  head.field[kRoot] = root;
  head.field[kKeys] = keys;
  std::copy_n(order_words_, KeyOrder::kCandidates, head.order_words);
  XMC_LET(Device* const device, folder_->open(name.c_str(), Folder::Open::create));
  WordWriter out;
  out.start(device, buffer);
  Status status = write_head(out, head);
  if (status.ok()) status = write_nodes(out, nodes);
  if (status.ok()) status = out.finish();
  folder_->close(device);
  stamp_ = {out.bytes(), out.chain()};
  file_words_ = words_of_file(head);
  return status;
}

Status RankIndex::write_head(WordWriter& out, const Head& head) {
  const bool joined = order_.joined();
  XMC_TRY(out.add(head.field));
  XMC_TRY(out.add(head.order_words));
  Word state[limits::kStateWords] = {};
  for (u32 d = 0; d < order_.plain_digits() && joined; ++d) {
    state[0] |= Word{order_.begins_joined(d)} << d % 64;
    if (d % 64 != 63 && d + 1 != order_.plain_digits()) continue;
    XMC_TRY(out.add({state, 1}));
    state[0] = 0;
  }
  for (u32 i = 0; i < head.field[kValueStates]; ++i) {
    order_.value_state(i, state);
    XMC_TRY(out.add({state, order_.state_words()}));
  }
  return {};
}

// --- Reading ----------------------------------------------------------------------------------

template <class Use>
Status RankIndex::with_file(const Product& product, const FileName& name, u64 bytes, Use use) {
  const u64 words = product.search_checkpoint->rank_words;
  XMC_LET(Device* const device, product.folder->open(name.c_str(), Folder::Open::existing));
  Status status;
  if (device->size_bytes() < bytes || words < Head::kWords) {
    status = not_of_checkpoint(name.c_str());
  } else {
    WordReader in;
    in.start(device, name.c_str(), words, product.scan_buffer);
    Head head;
    status = in.read(0, head.field);
    if (status.ok()) status = in.read(kFields, head.order_words);
    // One of another host, or of another version.
    const bool own = head.field[kByteOrder] == kOwnOrder;
    if (status.ok() && own && !head.sound()) status = not_of_checkpoint(name.c_str());
    if (status.ok() && own) status = use(in, head);
  }
  product.folder->close(device);
  return status;
}

Status RankIndex::reopen(const Product& product, u64 left, IndexResult& result) {
  const SearchCheckpoint& checkpoint = *product.search_checkpoint;
  const FileName name(kRankFile, checkpoint.hash_number);
  XMC_TRY(with_file(product, name, checkpoint.rank.bytes, [&](WordReader& in, const Head& head) {
    return read(in, name.c_str(), head, product, left, result);
  }));
  if (result.index == nullptr) return {};
  folder_ = product.folder;
  number_ = checkpoint.hash_number;
  stamp_ = checkpoint.rank;
  file_words_ = checkpoint.rank_words;
  written_ = true;
  return {};
}

// | order, batch | nodes | as build() leaves it. Without room for it there is no index.
Status RankIndex::read(WordReader& in, const char* name, const Head& head, const Product& product,
                       u64 left, IndexResult& result) {
  const u64 nodes = head.field[kNodeWords];
  if (head.field[kKeys] != product.expanded) return {};
  joins_ = head.field[kJoined] != 0;
  const u64 tables = plan_fixed(product);
  const u64 bytes = round_up(fixed_bytes_ + nodes * sizeof(u32), kPageBytes);
  if (bytes + left > product.memory.size()) return {};
  plan_order(product, tables);
  u64 at = 0;
  XMC_TRY(read_order(in, name, head, product.search_checkpoint->rank_words, at));
  const std::span<u32> place(reinterpret_cast<u32*>(product.memory.data() + fixed_bytes_),
                             static_cast<std::size_t>(nodes));
  XMC_TRY(read_nodes(in, at, place));
  rank_.load(place, static_cast<u32>(head.field[kRoot]), head.field[kKeys], order_.digits(),
             order_.key_words());
  result.index = this;
  result.memory = product.memory.subspan(static_cast<std::size_t>(bytes));
  return {};
}

Status RankIndex::load_part(const Product& product, bool& loaded) {
  const SearchCheckpoint& checkpoint = *product.search_checkpoint;
  goes_on_ = false;
  if (product.expanded <= Rank::kMostKeys && lay_out(product)) {
    const FileName name(kBitsFile, checkpoint.bits_number);
    XMC_TRY(with_file(product, name, checkpoint.bits.bytes, [&](WordReader& in, const Head& head) {
      return read_part(in, name.c_str(), head, product);
    }));
  }
  loaded = goes_on_;
  return {};
}

// As insert_all() left it.
Status RankIndex::read_part(WordReader& in, const char* name, const Head& head,
                            const Product& product) {
  const u64 keys = head.field[kKeys];
  if (keys > product.expanded || (head.field[kJoined] != 0 && !joins_)) return {};
  u64 at = 0;
  XMC_TRY(read_order(in, name, head, product.search_checkpoint->rank_words, at));
  begin_diagram(product);
  const std::span<u32> nodes = diagram_.room_for(head.field[kNodeWords]);
  if (nodes.empty()) return {};
  XMC_TRY(read_nodes(in, at, nodes));
  if (!diagram_.load(nodes, static_cast<u32>(head.field[kRoot]), keys)) return {};
  inserted_ = keys;
  goes_on_ = true;
  return keys < product.queue->keys() ? reader_.seek_key(keys) : Status();
}

// What is in front of the nodes.
Status RankIndex::read_order(WordReader& in, const char* name, const Head& head, u64 words,
                             u64& at) {
  candidate_ = static_cast<u32>(head.field[kOrder]);
  order_.choose(candidate_);
  std::copy_n(head.order_words, KeyOrder::kCandidates, order_words_);
  if (words_of_file(head) != words) return not_of_checkpoint(name);
  at = Head::kWords;
  if (head.field[kJoined] == 0) return {};
  Word state[limits::kStateWords];
  Word key[limits::kKeyWords];
  const std::size_t begins = static_cast<std::size_t>(begin_words(head));
  XMC_TRY(in.read(at, {state, begins}));
  at += begins;
  if (!order_.join_at({state, begins})) return not_of_checkpoint(name);
  for (u64 i = 0; i < head.field[kValueStates]; ++i) {
    XMC_TRY(in.read(at, {state, order_.state_words()}));
    at += order_.state_words();
    if (!order_.to_key(state, key)) return not_of_checkpoint(name);
  }
  return {};
}

}  // namespace xmc
