// LevelPath: the path of a counterexample that a level search has found, from its end to its
// beginning, through the levels of the queue. Where that takes long, the run may be stopped
// meanwhile, and goes on later; a checkpoint has the violation, and what is known of the path, and
// of the cycle that it leads to, in a file:
//
//   path.N  words (store/files/word_file.h): the states of the cycle, then those at the end of the
//           path. Each checkpoint takes the next number; two checkpoints never need what is two
//           behind.
//
// A search that goes on after the violation (--full) finds the path as soon as the level is judged,
// so that it is there whatever ends the search later. The memory is not free then: the states go to
// such a file as they are found, the last one first.
#pragma once

#include "engine/levels/frontier.h"
#include "engine/search/path_back.h"
#include "store/files/word_file.h"

namespace xmc {

class LevelPath {
 public:
  void plan(Frontier& frontier) {
    *this = {};
    frontier_ = &frontier;
  }

  // Nothing is left to do but to find a path. `complete`: and the search was complete.
  void set_found(bool complete) {
    found_ = true;
    complete_ = complete;
  }
  bool found() const { return found_; }
  bool found_complete() const { return complete_; }

  // With --full: finds it for good, if there is one to find. The buffer of successors is free, and
  // somebody who reads the queue finds his place again.
  Status keep();
  // The lines of a checkpoint that has the violation.
  void kept_lines(Lines& io, bool violation);

  // Finds it: without its path a violation is not proved. `stop`: why the search before ended. A
  // run that was stopped before the end of its search has its checkpoint already.
  Status take(StopReason stop);
  u64 steps() const { return steps_; }
  void state(u64 i, Word* out) const;

  // The search is over, according to this checkpoint: nothing but the queue is open.
  static bool is_in(const Lines& io) { return io.there("path-complete", false); }
  Status restore(Lines& io);
  // The same for owners who are not those of the checkpoint: they look for all of it.
  Status begin_anew(Lines& io);

 private:
  static constexpr u64 kUnknown = ~u64{0};

  Status find();
  Status write_kept(WordWriter& out);
  Status read_kept();
  void note_minimal();
  Status step(PathBack& back, u64 level, const Word* target, Word* key);
  Status settle_cycle();
  Status follow_orders();
  GoOn go_on();
  Status checkpoint();
  // What is known of the path and of its cycle.
  struct Said {
    FoundCycle cycle;
    FileMark file;
  };
  void lines(Lines& io, Said& said);
  bool file_is_wanted(const Said& said) const;
  Status write(Said& said);
  Status restore_cycle(const FoundCycle& kept, std::span<Word>& cycle);
  Status read(std::span<Word> cycle);
  // The states that are known.
  std::span<Word> known() const;
  bool fits() const;

  Frontier* frontier_ = nullptr;
  bool found_ = false;
  bool complete_ = false;
  Word* states_ = nullptr;
  u64 steps_ = 0;
  u64 left_ = kUnknown;  // its states from this one on are known
  u64 number_ = 0;       // of the last file that a checkpoint has of it
  u64 kept_number_ = 0;  // of the file that has all of it, backwards; 0: there is none
  FileMark kept_;
};

}  // namespace xmc
