// Values that are cut when they are stored.
byte small = 300;
bit one;
short wide;
unsigned three : 3;
int all;
chan q = [2] of { byte, bit };

proctype Taker(byte n) {
  q?n, three;
  one = n
}

active proctype P() {
  byte i = 0;
  do
  :: i < 250 -> i = i + 10
  :: else -> break
  od;
  three = 7;
  three = 8;
  small = -1;
  wide = small * 255;
  wide = 40000;
  all = wide + 100000;
  q!256, 1;
  q!i, i;
  run Taker(257);
  run Taker(one);
  assert(all > 0 && small > 0 && three > 0)
}
