// Where a loop ends or a jump leads out of an atomic, an escape is looked at; where an `if` ends it
// is not. A process that may not go on rests at the end, too.
// expect: verdict=holds states=125 transitions=310 deadlocks=0
byte x, y, z;

active proctype Loop() {
  { atomic { x == 0; do :: x = 1; break od } } unless { x == 1 -> x = 9 };
  x = 7
}

active proctype Selection() {
  { atomic { y == 0; if :: y = 1 fi } } unless { y == 1 -> y = 9 };
  assert(y == 9 || y == 1)
}

active proctype Held() provided (z != 1) {
  atomic { z == 0; if :: z = 1 fi };
  z = 7
}

active proctype Helper() {
  z == 1;
  z = 2
}
