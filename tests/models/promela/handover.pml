// Control goes to the receiver of a rendezvous inside its atomic sequence, and the sender has to
// wait; an unless takes a process out of its loop.
// expect: options "--property none" verdict=holds states=13 transitions=13 deadlocks=0 exit=0
// expect: options "--property served" verdict=holds exit=0
// expect: options "--property never_0" verdict=violated kind=accepting-cycle exit=1
mtype = { ask, stop };
chan request = [0] of { mtype, byte };
byte served;
bool busy, stopped;

active proctype server() {
  byte from;
  {
    do
    :: atomic { request?ask(from) -> busy = true; served = from; busy = false }
    od
  } unless { request?stop(_) };
  stopped = true
}

active proctype client() {
  byte n = 1;
  do
  :: n <= 2 -> atomic { request!ask(n); assert(served == n && !busy); n++ }
  :: else -> break
  od;
  request!stop(0)
}

ltl served { [] (stopped -> served == 2) && [] !busy }

never {
  do
  :: true
  :: stopped -> goto accept
  od;
accept:
  do
  :: stopped
  od
}
