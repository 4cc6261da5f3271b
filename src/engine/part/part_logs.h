// PartLogs: what `part` keeps on flash, and which partition a state is in.
//
//   visited  the states of each partition, packed as in the table (store/partitions/image_log.h)
//   pending  candidates of each partition, with their origins (store/partitions/chain_log.h)
//   origins  for each state in order of expansion: the number of its predecessor in this file, and
//            which of its successors it is; where the states are divided among owners, the number
//            begins with the owner whose file the predecessor is in
#pragma once

#include "store/checkpoint/lines.h"
#include "store/files/key_file.h"
#include "store/partitions/chain_log.h"
#include "store/partitions/image_log.h"
#include "store/partitions/origin_queue.h"
#include "store/partitions/partition_tree.h"
#include "xmc/device.h"
#include "xmc/engine.h"
#include "xmc/model.h"

namespace xmc {

struct PartLogs {
  // An origin: the predecessor's number, and which of its successors; or kNoState, and which of the
  // initial states.
  static constexpr u32 kStepBits = OriginQueue::kStepBits;
  static constexpr u64 kNoState = ~u64{0} >> kStepBits;
  static_assert(limits::kSuccessors <= 1u << kStepBits);
  static u64 number_of(u32 owner, u64 index) { return u64{owner} << kIndexBits | index; }
  static u32 owner_of(u64 number) { return static_cast<u32>(number >> kIndexBits); }
  static u64 index_of(u64 number) { return number & ((u64{1} << kIndexBits) - 1); }

  PartitionTree tree;
  ImageLog visited;
  ImageLog::Chain images[PartitionTree::kMostNodes];  // of the partitions, in `visited`
  ChainLog pending;
  KeyFile journal;              // of origins
  std::span<u8> visited_block;  // to read one, or two
  std::span<u8> pending_block;

  // The least that plan() takes.
  static u64 least_bytes(const SearchOptions& options);
  void plan(const Model& model, const SearchOptions& options, Arena& arena);
  // What a checkpoint says about partitions goes to `pending`: one of several owners has no room
  // for it in a manifest.
  void keep_contents() { keeps_contents_ = true; }
  // The files of the run's folder; close() has to follow, whatever this says.
  Status open(const SearchOptions& options);
  void close();
  // Everything is empty.
  void begin();
  Status flush();

  // A candidate waits for its partition.
  Status append_pending(u32 leaf, const Word* state, u64 origin);
  // What the reader still has waits again, each one for the partition that has it now.
  Status put_back(ChainReader& reader);
  void unpack(const ImageLog::Block& block, u32 i, Word* state) const;
  void pack(const Word* state, u8* packed) const;
  // Candidates that wait, in all partitions.
  u64 waiting() const;
  bool may_split() const;

  Status save(Lines& io);
  Status restore(Lines& io);

 private:
  static constexpr u32 kIndexBits = 38;
  static_assert(limits::kOwners <= 1u << (64 - kStepBits - kIndexBits));
  // A partition of `pending` that has the contents: all tests, images and chains, word by word.
  static constexpr u32 kContents = PartitionTree::kMostNodes;
  static constexpr u32 kImageWords = 2;
  static constexpr u32 kTestWords = PartitionTree::kNodeWords;
  static constexpr u32 kContentWords = (kTestWords + kImageWords + 1) * PartitionTree::kMostNodes;
  struct Contents {
    u64 words[kContentWords] = {};
    u64* tests = words;
    u64* images = words + kTestWords * PartitionTree::kMostNodes;
    u64* heads = images + kImageWords * PartitionTree::kMostNodes;
  };

  void fill(Contents& contents) const;
  Status append_contents();
  // What a checkpoint says of it.
  struct Said {
    FileMark visited;
    FileMark pending;
    FileMark journal;
    u64 block_bytes = 0;  // of `pending`
    u32 nodes = 0;        // of the tree
    bool filed = false;   // the contents are in `pending`, in a chain with this head
    u64 head = 0;
    Contents contents;
  };
  void lines(Lines& io, Said& said);
  void node_lines(Lines& io, Said& said);
  Status reopen_pending(const FileMark& mark, std::span<const u64> heads);
  Status read_contents(Said& said);

  struct {
    Folder* folder = nullptr;
    Device* visited = nullptr;
    Device* pending = nullptr;
    Device* journal = nullptr;
  } open_;
  struct {
    std::span<u8> visited;
    std::span<u8> pending;
    std::span<u8> journal;
  } write_;  // buffers to write
  ChainLog::Shape pending_shape_;
  u32 words_ = 0;  // of a state
  u32 bytes_ = 0;  // of a packed one
  bool keeps_contents_ = false;
};

}  // namespace xmc
