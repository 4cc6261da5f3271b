// ChoiceMemo: remembers what was chosen, and on account of what.
//
// A choice is a function of the enabled steps and of the answers to some questions about the state,
// each of which depends on the answers before it. So for each set of enabled steps there is a tree:
// its nodes are questions, its leaves what was chosen. Who comes to a leaf has asked all that the
// choice depends on, and has the same choice as without the memo: it saves time, and changes
// nothing.
//
// A node is a question with one answer to it; what follows that answer stands behind the node, what
// follows others is linked to. Memory is given once. When it is full everything is forgotten; where
// choices repeat too seldom, the memo switches itself off.
#pragma once

#include <span>

#include "xmc/arena.h"
#include "xmc/types.h"

namespace xmc {

class ChoiceMemo {
 public:
  static constexpr u32 kQuestions = 1u << 22;
  static constexpr u32 kAnswers = 1u << 9;
  struct Asked {
    u32 question;  // even ones have the answers 0 and 1
    u32 answer;
  };

  // Sets have `words` words. With little memory there is no memo.
  ChoiceMemo(u32 words, Arena& arena);

  bool is_on() const { return !cells_.empty(); }

  // Walks down from the root of a set. `answer(question)` is a number. True: `out` is what was
  // chosen, null for all steps; false: nobody has come this way, and remember() wants to know.
  template <class Answer>
  bool find(const u64* enabled, const Answer& answer, const u64*& out) {
    ++asked_;
    for (u32 at = root(enabled); at != kOpen;) {
      const u32 cell = cells_[at];
      if ((cell & kLeaf) != 0) {
        ++found_;
        out = cell == kAll ? nullptr : rows_.data() + (cell & ~kLeaf);
        return true;
      }
      at = answer(cell / kAnswers) == cell % kAnswers ? at + 2 : cells_[at + 1];
    }
    return false;
  }

  // What the choice of that set was, with the questions that it took in order.
  void remember(const u64* enabled, std::span<const Asked> path, const u64* chosen);

 private:
  static constexpr u32 kOpen = 0;
  static constexpr u32 kLeaf = u32{1} << 31;
  static constexpr u32 kAll = kLeaf | (kLeaf - 1);

  u32 root(const u64* enabled) const;
  u32 first_slot(const u64* enabled) const;
  u32 add_root(const u64* enabled);
  u32 keep_row(const u64* row, const u64* with);
  bool has_room(std::size_t questions) const;
  void forget();
  void judge();

  u32 words_;
  std::span<u32> roots_;  // open addresses: cells behind those of rows; 0: free
  std::span<u32> cells_;
  std::span<u64> rows_;
  u32 root_count_ = 0;
  u32 cell_count_ = 0;
  u32 row_count_ = 0;
  u32 asked_ = 0;
  u32 found_ = 0;
};

}  // namespace xmc
