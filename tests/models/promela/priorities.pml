// The process with the highest priority that can move does; it lowers its own after a while.
// expect: verdict=holds states=9 transitions=8 levels=9 deadlocks=0 exit=0
byte turns;
active proctype High() priority 9 {
  turns++;
  set_priority(_pid, 1);
  assert(turns == 3);
  turns++
}
active proctype Low() priority 5 { turns++; turns++ }
