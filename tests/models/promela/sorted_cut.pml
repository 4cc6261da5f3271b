// A sorted send compares its values before their fields cut them, and messages need not be in order.
// expect: verdict=holds states=16 transitions=15 deadlocks=0
// expect: options "--define WANTED=4" verdict=violated kind=assertion
#ifndef WANTED
#define WANTED 1
#endif
chan pairs = [3] of { bool, byte };
chan bytes = [3] of { byte };
bool flag;
byte value;

active proctype P() {
  pairs!!1,4;
  pairs!!2,1;
  pairs?flag,value;
  assert(flag == 1 && value == 4);
  pairs?flag,value;
  assert(flag == 0 && value == 1);
  bytes!9;
  bytes!1;
  bytes!!260;
  bytes?value;
  assert(value == 9);
  bytes?value;
  assert(value == WANTED);
  bytes?4
}
