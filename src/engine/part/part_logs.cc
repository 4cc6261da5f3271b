#include "engine/part/part_logs.h"

#include <algorithm>

#include "engine/search/file_names.h"
#include "store/checkpoint/manifest.h"
#include "store/keys/key_compare.h"
#include "xmc/bytes.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u64 kMostBlock = 32 << 10;
constexpr u32 kGather = 4;      // blocks that are written at once
constexpr u32 kLeastOpen = 16;  // partitions with a block of candidates in memory
// With so much memory all buffers are there twice, and the device works while the search does.
constexpr u64 kRoomForTwo = 4 << 20;

// The blocks of candidates are as large as the memory lets them be, and those of a run that goes on
// stay as they are. 0: this is no such run.
u64 block_before(const SearchOptions& options) {
  if (options.resume == nullptr || options.divide_anew) return 0;
  const Result<u64> bytes = options.resume->number("candidate-block");
  const bool sound = bytes.ok() && bytes.value() % kPageBytes == 0 && bytes.value() >= kPageBytes &&
                     bytes.value() <= kMostBlock;
  return sound ? bytes.value() : 0;
}

}  // namespace

u64 PartLogs::least_bytes(const SearchOptions& options) {
  const u64 blocks = kLeastOpen + kGather + 1;
  return blocks * std::max(kPageBytes, block_before(options)) + 3 * ImageLog::kBlockBytes +
         round_up(ChainLog::writer_bytes(kLeastOpen), kPageBytes);
}

void PartLogs::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  const auto carve = [&](u64 bytes) {
    return arena.carve_array<u8>("partition buffers", bytes, kPageBytes);
  };
  static_assert(ImageLog::kBlockBytes == KeyFile::kSlotBytes);
  words_ = model.state_words;
  bytes_ = std::max(model.state_bytes, 1u);
  keeps_contents_ = false;
  const u64 copies = arena.free_bytes() >= kRoomForTwo ? 2 : 1;
  write_.visited = carve(copies * ImageLog::kBlockBytes);
  visited_block = carve(copies * ImageLog::kBlockBytes);
  write_.journal = carve(copies * KeyFile::kSlotBytes);
  const u64 share = arena.free_bytes() / 16;
  pending_shape_ = {};
  pending_shape_.partitions = PartitionTree::kMostNodes + 1;
  static_assert(PartitionTree::kMostNodes + 1 <= ChainLog::kMostPartitions);
  pending_shape_.key_words = words_ + 1;
  pending_shape_.gather_blocks = kGather;
  pending_shape_.behind = copies == 2;
  const u64 before = block_before(options);
  const u64 open = share / std::max(kPageBytes, before);
  pending_shape_.open = static_cast<u32>(std::clamp<u64>(open, kLeastOpen, ChainLog::kMostOpen));
  const u64 block = round_down(share / (pending_shape_.open + kGather + 1), kPageBytes);
  pending_shape_.block_bytes =
      static_cast<u32>(before != 0 ? before : std::clamp(block, kPageBytes, kMostBlock));
  write_.pending = carve(pending_shape_.buffer_bytes());
  pending_block = carve(copies * pending_shape_.block_bytes);
}

Status PartLogs::open(const SearchOptions& options) {
  tree.start(words_);
  open_ = {};
  open_.folder = options.folder;
  const bool anew = options.resume == nullptr || options.divide_anew;
  const Folder::Open how = anew ? Folder::Open::create : Folder::Open::existing;
  const auto open_one = [&](const char* name, Device*& device) -> Status {
    XMC_LET(device, options.folder->open(name, how));
    return {};
  };
  XMC_TRY(open_one(kVisitedFile, open_.visited));
  XMC_TRY(open_one(kPendingFile, open_.pending));
  return open_one(kOriginsFile, open_.journal);
}

void PartLogs::close() {
  for (Device* device : {open_.visited, open_.pending, open_.journal}) {
    if (device != nullptr) open_.folder->close(device);
  }
  open_ = {};
}

void PartLogs::begin() {
  visited.start(open_.visited, kVisitedFile, words_, bytes_, write_.visited);
  pending.start(open_.pending, kPendingFile, Purpose::candidates, pending_shape_, write_.pending);
  journal.start(open_.journal, kOriginsFile, Purpose::other, 1, write_.journal);
  std::fill_n(images, PartitionTree::kMostNodes, ImageLog::Chain());
}

Status PartLogs::append_pending(u32 leaf, const Word* state, u64 origin) {
  Word key[limits::kKeyWords];
  copy_key(key, state, words_);
  key[words_] = origin;
  return pending.append(leaf, key);
}

Status PartLogs::put_back(ChainReader& reader) {
  Word key[limits::kKeyWords];
  for (;;) {
    XMC_LET(const bool more, reader.next(key));
    if (!more) return {};
    XMC_TRY(append_pending(tree.leaf_of(key), key, key[words_]));
  }
}

void PartLogs::unpack(const ImageLog::Block& block, u32 i, Word* state) const {
  std::fill_n(state, words_, Word{0});
  for (u32 b = 0; b < bytes_; ++b) {
    state[b / 8] |= Word{block.packed[std::size_t{i} * bytes_ + b]} << (b % 8 * 8);
  }
}

void PartLogs::pack(const Word* state, u8* packed) const {
  for (u32 b = 0; b < bytes_; ++b) packed[b] = static_cast<u8>(state[b / 8] >> (b % 8 * 8));
}

u64 PartLogs::waiting() const {
  u64 sum = 0;
  for (u32 n = 0; n < tree.nodes(); ++n) sum += pending.keys(n);
  return sum;
}

// More partitions than blocks of candidates in memory are good as long as candidates keep to few of
// them at a time. Otherwise blocks are written nearly empty; not more than states are written.
bool PartLogs::may_split() const {
  const u32 leaves = (tree.nodes() + 1) / 2;
  return tree.can_split() &&
         (leaves < pending_shape_.open || pending.wasted_bytes() <= visited.bytes());
}

}  // namespace xmc
