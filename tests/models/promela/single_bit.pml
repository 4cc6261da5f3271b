// A channel whose messages are one bit keeps a byte of it; beside another value it is a bit.
// expect: verdict=holds states=14 transitions=13 deadlocks=0
// expect: options "--define WANTED=0" verdict=violated kind=assertion
#ifndef WANTED
#define WANTED 2
#endif
typedef Flag { bool up };
chan one = [1] of { bool };
chan record = [1] of { Flag };
chan both = [1] of { bit, bit };
chan direct = [0] of { bit };
int x, y;

active proctype P() {
  one!2;
  one?x;
  assert(x == WANTED);
  record!257;
  assert(record?[1]);
  record?x;
  assert(x == 1);
  both!2,3;
  both?x,y;
  assert(x == 0 && y == 1);
  direct!3
}

active proctype Q() {
  direct?3
}
