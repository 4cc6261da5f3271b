// Who keeps control loses it where a process of a higher priority can move, as SPIN has it: P0 runs
// before P2 is there.
// expect: verdict=holds states=9 transitions=8 levels=9 deadlocks=0
byte x;
proctype P0() { x = 1; atomic { x = 2 } }
proctype P2() { assert(x == 2) }
init { atomic { run P0() priority 3; run P2() priority 2 } }
