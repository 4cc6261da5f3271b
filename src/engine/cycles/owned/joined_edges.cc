#include "engine/cycles/owned/joined_edges.h"

#include <algorithm>

#include "engine/search/file_names.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

// The sorted levels stay open from one time to the next, with their buffer at the very end.
Status JoinedEdges::make_sorted(const Product& product, std::span<u8> memory) {
  const std::span<u8> kept = product.memory.last(SortedLevels::kBufferBytes);
  if (!sorted_.is_open()) {
    XMC_TRY(sorted_.open(product, kept));
    done_ = joined_levels_ = 0;
  }
  return sorted_.append(product, memory);
}

// | begins, shifts | rest, for edges to be made in | joined edges | kept |
Status JoinedEdges::make(const Product& product) {
  Peers& peers = product.owners->peers();
  // Those of owner 0 keep what the joined file has in memory, too.
  std::span<u8> rest =
      product.memory.first(product.memory.size() - kKeptBytes - ProductEdges::kKeptBytes);
  XMC_TRY(make_sorted(product, rest));
  product_ = product;
  product_.queue = &sorted_.file();
  product_.states = sorted_.file().keys();
  u64 most[] = {sorted_.levels()};
  XMC_TRY(take_largest(peers, most));
  levels_ = most[0];
  const u64 table = names_bytes();
  bytes_needed_ = table + kPageBytes;
  u64 too_little[] = {bytes_needed_ > rest.size() ? u64{1} : 0};
  XMC_TRY(take_largest(peers, too_little));
  if (too_little[0] != 0) return Status::stop(StopReason::ram);
  u64* const words = reinterpret_cast<u64*>(rest.data());
  const std::size_t count = static_cast<std::size_t>(levels_ + 1);
  begin_ = {words, count};
  shift_ = {words + count + 1, count};
  rest = behind_names(rest);
  XMC_TRY(sorted_.find_begins(product_, begin_));
  XMC_TRY(numbers_.start(peers, product_.states));
  std::span<u8> kept = product.memory.last(kKeptBytes);
  XMC_CHECK(device_ == nullptr);
  XMC_LET(device_, product.folder->open(kOwnedEdgesFile, Folder::Open::create));
  own_.start(
      device_, kOwnedEdgesFile, kept.first(EdgeFile::kBlockBytes),
      {reinterpret_cast<EdgeFile::SeekPoint*>(kept.data() + EdgeFile::kBlockBytes), kSeekPoints});
  static_assert(sizeof(EdgeFile::SeekPoint) <= 32);
  from_ = done_;
  const Status built = builder_.build(product_, numbers_, from_, own_, rest);
  if (built.stop_reason() == StopReason::ram) bytes_needed_ = table + builder_.bytes_needed();
  XMC_TRY(built);
  done_ = product_.expanded;
  reader_.start(own_, product.read_buffer);
  return {};
}

Status JoinedEdges::close(Folder& folder) {
  Status status;
  if (device_ != nullptr) {
    status = reader_.finish();
    folder.close(device_);
    device_ = nullptr;
    const Status removed = folder.remove(kOwnedEdgesFile);
    if (status.ok()) status = removed;
  }
  return status;
}

Status JoinedEdges::close_sorted(Folder& folder) { return sorted_.close(folder); }

// --- Numbers ------------------------------------------------------------------------------------

// Level by level, and in each of them owner by owner.
void JoinedEdges::number_levels(std::span<JoinedEdges* const> all) {
  u64 next = 0;
  all_expanded_ = 0;
  for (u64 level = 0; level < levels_; ++level) {
    const std::size_t l = static_cast<std::size_t>(level);
    for (JoinedEdges* const owner : all) {
      owner->shift_[l] = next - owner->begin_[l];
      next += owner->begin_[l + 1] - owner->begin_[l];
    }
  }
  for (const JoinedEdges* const owner : all) all_expanded_ += owner->done_;
  all_states_ = next;
}

u64 JoinedEdges::number_at(u64 position) const {
  const u64* const above = std::upper_bound(begin_.data(), begin_.data() + levels_, position);
  return position + shift_[static_cast<std::size_t>(above - begin_.data() - 1)];
}

u64 JoinedEdges::number_of(std::span<JoinedEdges* const> all, u64 name) const {
  const u32 owner = numbers_.owner_of(name);
  return all[owner]->number_at(name);
}

Status JoinedEdges::join(const Product& product, std::span<JoinedEdges* const> all,
                         EdgeFile& edges) {
  number_levels(all);
  WorkPoll poll(product);
  for (u64 level = joined_levels_; edges.states() < all_expanded_; ++level) {
    XMC_CHECK(level < levels_);
    XMC_TRY(join_level(all, level, edges));
    XMC_TRY(poll(level));
    joined_levels_ = level + 1;
  }
  return {};
}

Status JoinedEdges::join_level(std::span<JoinedEdges* const> all, u64 level, EdgeFile& edges) {
  u64* const targets = product_.search->buffer;
  const std::size_t l = static_cast<std::size_t>(level);
  for (JoinedEdges* const owner : all) {
    for (u64 i = owner->begin_[l]; i < owner->begin_[l + 1]; ++i) {
      XMC_CHECK(i >= owner->from_);
      u32 count = 0;
      bool accepting = false;
      XMC_TRY(owner->reader_.read(i - owner->from_,
                                  [&](const EdgeGroup::Record& record, std::span<const u64> piece) {
                                    accepting = record.accepting;
                                    for (const u64 name : piece)
                                      targets[count++] = owner->number_of(all, name);
                                  }));
      std::sort(targets, targets + count);
      XMC_TRY(edges.append(level, accepting, {targets, count}));
    }
  }
  return {};
}

Status JoinedEdges::state_of(std::span<JoinedEdges* const> all, u64 number, Word* state) {
  std::size_t low = 0;
  for (std::size_t high = static_cast<std::size_t>(levels_); low + 1 < high;) {
    const std::size_t middle = (low + high) / 2;
    (all[0]->begin_[middle] + all[0]->shift_[middle] <= number ? low : high) = middle;
  }
  for (JoinedEdges* const owner : all) {
    const u64 position = number - owner->shift_[low];
    if (position < owner->begin_[low] || position >= owner->begin_[low + 1]) continue;
    KeyReader reader;
    reader.start(owner->sorted_.file(), owner->product_.read_buffer);
    XMC_TRY(reader.seek_key(position));
    XMC_LET(const bool more, reader.next(state));
    XMC_CHECK(more);
    return {};
  }
  return Status::fail(Code::internal, "there is no state %llu", wide(number));
}

}  // namespace xmc
