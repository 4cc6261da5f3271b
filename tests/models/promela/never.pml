// The claim follows the system: x stays 2 for ever on some run, which is an accepting cycle.
// expect: options "--property none" verdict=holds states=6 transitions=7 levels=6 deadlocks=0 exit=0
// expect: verdict=violated kind=accepting-cycle states=9 transitions=13 levels=7 deadlocks=0 exit=1
byte x;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> if :: x = 0 :: skip fi od }
never {
  do
  :: true
  :: x == 2 -> break
  od;
accept:
  do
  :: x == 2
  od
}
