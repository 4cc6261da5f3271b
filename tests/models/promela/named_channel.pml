// A rendezvous on a channel that a variable names: with --reduce steps it waits for the number, too.
// expect: options "" verdict=holds states=64 transitions=111 deadlocks=0 exit=0
chan a = [0] of { byte };
chan b = [0] of { byte };
chan which = [1] of { chan };

active proctype Chooser() {
  if
  :: which!a
  :: which!b
  fi
}

active proctype Sender() {
  chan way;
  which?way;
  way!1
}

active proctype Left() {
  byte x;
  end: a?x;
  x = x + 1
}

active proctype Right() {
  byte y;
  end: b?y;
  y = y + 1
}

active proctype Clock() {
  byte t;
  do
  :: t < 2 -> t++
  :: else -> break
  od
}
