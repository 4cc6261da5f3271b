// Passes over the blocks of an edge file that have marked states, in one direction or the other.
// What has no marked state is not read, groups without one are not decoded.
#pragma once

#include <algorithm>

#include "engine/search/work_poll.h"
#include "store/files/edge_file.h"
#include "store/tables/state_bits.h"

namespace xmc {

struct PassFigures {
  u64 passes = 0;
  u64 blocks = 0;  // read
  u64 edges = 0;   // of records that were decoded
};

// Bits: any(begin, end), and size(), the end of what they know.
template <class Bits>
class EdgePass {
 public:
  // The file up to state `end`, which is not beyond the bits.
  EdgePass(EdgeReader& reader, const Bits& bits, u64 end)
      : reader_(reader), file_(reader.file()), bits_(bits), end_(end) {
    XMC_CHECK(end <= file_.states());
    XMC_CHECK(end <= bits.size());
  }

  // visit(record, targets) for every record of a state before the end in a group with marked ones,
  // the state itself marked or not, from the last to the first.
  template <class Visit>
  Status down(PassFigures& figures, WorkPoll& poll, Visit visit) {
    ++figures.passes;
    if (end_ == 0) return {};
    const u64 all = last_block() + 1;
    u64 block = below(all - 1);
    const LongWork::Scope scope(poll.work(), "pass over edges");
    while (block != EdgeReader::kNoBlock) {
      const u64 next = block == 0 ? EdgeReader::kNoBlock : below(block - 1);
      XMC_TRY(reader_.load(block, next));
      ++figures.blocks;
      for (u32 g = reader_.block().groups(); g-- > 0;) {
        if (!wanted(g)) continue;
        XMC_TRY(reader_.decode(g));
        const EdgeGroup& group = reader_.group();
        for (u32 r = group.records; r-- > 0;) {
          const EdgeGroup::Record& record = group.record[r];
          if (record.state >= end_) continue;
          figures.edges += record.count;
          visit(record, group.targets(record));
        }
      }
      poll.set(all - block, all);
      XMC_TRY(poll(0, end_));
      block = next;
    }
    return {};
  }

  // The same from the first to the last; those of states before `from` are left out.
  template <class Visit>
  Status up(PassFigures& figures, WorkPoll& poll, Visit visit, u64 from = 0) {
    ++figures.passes;
    if (from >= end_) return {};
    const u64 last = last_block();
    const LongWork::Scope scope(poll.work(), "pass over edges");
    for (u64 block = above(file_.seek_point_before(from) * file_.stride(), last); block <= last;) {
      const u64 next = above(block + 1, last);
      XMC_TRY(reader_.load(block, next <= last ? next : EdgeReader::kNoBlock));
      ++figures.blocks;
      for (u32 g = 0; g < reader_.block().groups(); ++g) {
        if (!wanted(g)) continue;
        XMC_TRY(reader_.decode(g));
        const EdgeGroup& group = reader_.group();
        for (u32 r = 0; r < group.records; ++r) {
          const EdgeGroup::Record& record = group.record[r];
          if (record.state >= end_) break;
          if (record.state < from) continue;
          figures.edges += record.count;
          visit(record, group.targets(record));
        }
      }
      poll.set(block + 1, last + 1);
      XMC_TRY(poll(0, end_));
      block = next;
    }
    return {};
  }

 private:
  // The last block that may have states before the end.
  u64 last_block() const {
    const u64 point = file_.seek_point_before(end_ - 1);
    return std::min((point + 1) * file_.stride(), file_.blocks()) - 1;
  }
  // Whether the blocks from seek point i on, up to the next one, may have a marked state.
  bool marked(u64 i) const {
    const EdgeFile::SeekPoint& point = file_.seek_point(i);
    const u64 begin = point.goes_on ? point.state - 1 : point.state;
    const u64 behind = i + 1 < file_.seek_point_count() ? file_.seek_point(i + 1).state : end_;
    return bits_.any(begin, std::min(behind, end_));
  }
  // The next block with marked states, this one or one before it.
  u64 below(u64 block) const {
    for (u64 i = block / file_.stride();; --i) {
      if (marked(i)) return std::min(block, (i + 1) * file_.stride() - 1);
      if (i == 0) return EdgeReader::kNoBlock;
    }
  }
  // The same upwards; last + 1 if there is none.
  u64 above(u64 block, u64 last) const {
    for (u64 i = block / file_.stride(); i * file_.stride() <= last; ++i) {
      if (marked(i)) return std::max(block, i * file_.stride());
    }
    return last + 1;
  }
  bool wanted(u32 g) const {
    const EdgeBlockReader& block = reader_.block();
    const u64 begin = block.first_state(g) - (block.goes_on(g) ? 1 : 0);
    return bits_.any(begin, std::min(block.first_state(g + 1), end_));
  }

  EdgeReader& reader_;
  EdgeFile& file_;
  const Bits& bits_;
  u64 end_;
};

}  // namespace xmc
