// WindowCheckpoint: where a search with windows of bits is (window_core.h), as a checkpoint says
// it: behind a window of a pass, or behind a step of the walk to the cycle. Files are numbered, for
// one that a checkpoint has named stays as it is; a pass makes a file with the next number in place
// of such a one, and so does each checkpoint of a walk.
#pragma once

#include "store/checkpoint/lines.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct WindowCheckpoint {
  enum class Stage : u8 { none, trim, layers, walk };
  struct File {
    u64 number = 0;
    u64 windows = 0;  // that it has; 0: there is none
    FileMark mark;    // with plain_checksum() of store/checkpoint/verify.h
  };
  // window_walk.h. The states behind `first` that it has passed are in a file.
  struct Walk {
    u64 first = 0;
    u64 second = 0;
    u64 power = 1;
    u64 length = 0;
    u64 number = 0;  // of the file
    u64 listed = 0;  // states that it has; 0: there is none
    FileMark mark;
  };

  Stage stage = Stage::none;  // none: there is no such search
  u64 states = 0;             // of the product
  u64 each = 0;               // of a window
  bool changed = false;       // by the pass so far
  bool any = false;           // trim: live states in it; layers: some are in no layer yet
  u64 some_live = 0;          // trim: one of them
  u64 passes = 0;             // over edges, so far
  u64 next_live = 0;          // numbers of new files
  u64 next_lead = 0;
  u64 oldest_live = 0;  // files with lower numbers are gone
  u64 oldest_lead = 0;
  u64 named_live[2] = {};  // the least numbers in use at the checkpoint before, and at this one
  u64 named_lead[2] = {};
  File before;  // trim: live states before the pass
  File live;    // trim: of the pass; else all
  File lead;    // layers: so far; walk: all, if the product is not weak
  Walk walk;

  void lines(Lines& io);

  u64 resumed = 0;  // searches that went on from it in this process
};

}  // namespace xmc
