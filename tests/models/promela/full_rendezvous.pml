// Between steps a channel without room has no message: it is empty and never full. SPIN 6.5.2 says
// the same of it as a variable, in an array, and in a guard beside another one.
// expect: verdict=holds states=52 transitions=85 deadlocks=0
chan door[2] = [0] of { byte };
chan row = [1] of { byte };
byte x;

active proctype Asker() {
  chan any = door[1];
  assert(nfull(door[0]));
  if
  :: full(any) -> assert(false)
  :: empty(any) && nfull(any) -> x = 1
  :: nempty(door[1]) -> assert(false)
  fi;
  any = row;
  if
  :: full(any) -> x = 2
  :: nfull(any) -> x = 3
  fi;
  assert(len(door[0]) == 0);
  door[0]?x;
  assert(nfull(door[0]) && empty(door[0]))
}

active proctype Sender() {
  door[0]!1
}

active proctype Filler() {
  row!1;
  row?_
}
