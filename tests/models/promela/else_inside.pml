// An `else` that begins no option is executed where nothing in front of it at its place can be: a
// `::` is missing, and the text is taken as it is.
// expect: verdict=holds states=43 transitions=78 deadlocks=0
// expect: options "--define LAST=2" verdict=violated kind=assertion
#ifndef LAST
#define LAST 3
#endif
byte x, y;

active proctype Plain() {
  x = 1
  else;
  x = 2;
  d_step { x == 2; else; x = LAST }
  assert(x == 3)
}

active proctype Choice() {
  do
  :: y == 2 -> y = 0
  :: atomic { else -> y++ }
  :: y == 1 -> y = 3; break
  od
}
