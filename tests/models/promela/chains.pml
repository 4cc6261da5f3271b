// Ways through an atomic chain count separately, a blocked chain lets others go on, and a d_step
// takes the first option that it can.
// expect: verdict=holds states=18 transitions=25 levels=10 deadlocks=0 exit=0
byte x, y;

active proctype Chooser() {
  atomic {
    if :: x = 1 :: x = 2 :: x = 1 fi;
    y == 0 -> y = x;
    x = 0
  };
  y == 9;
  d_step {
    do
    :: x < 5 -> x++
    :: x == 5 -> break
    od;
    y = x
  }
  assert(y == 5)
}

active proctype Other() {
  y > 0 -> y = 9;
  skip
}
