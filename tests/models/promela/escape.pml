// A watchdog interrupts work before any of its statements, the outer one first; the work that is
// done before that stays done.
// expect: verdict=holds states=107 transitions=162 levels=13 deadlocks=0 exit=0
bool stop, halt;
byte done;

active proctype Worker() {
  {
    { do :: done < 3 -> done++ :: else -> break od } unless { stop -> done = 10 }
  } unless { halt -> done = done + 20 };
  assert(done <= 30)
}

active proctype Watch() { if :: stop = true :: halt = true :: skip fi }
