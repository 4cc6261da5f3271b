// Nothing proves how many there can be: each process starts the next one as long as the input lasts.
// There is room for as many as are needed here, and with more input for too few.
// expect: verdict=holds states=53 transitions=73 levels=32 exit=0
// expect: options "--define LONG=40" verdict=undecided exit=2
// expect: options "--define LONG=40 --max-procs 45" verdict=holds exit=0
#ifndef LONG
#define LONG 5
#endif
byte left = LONG;
chan done = [0] of { int };

proctype next(chan back) {
  chan mine = [0] of { int };
  int sum;
  if
  :: left > 0 -> left--; run next(mine); mine?sum; back!sum + 1
  :: left == 0 -> back!0
  fi
}

init {
  int all;
  run next(done);
  done?all;
  assert(all == LONG)
}
