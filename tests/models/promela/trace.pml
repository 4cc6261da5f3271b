// Requests and answers take turns on the way out, whatever the buffers do; what they carry has to
// be alike. Receives are not followed: the trace names none. It may stop in front of a request.
// SPIN counts 23 states and 22 transitions, too.
// expect: verdict=holds states=23 transitions=22 levels=23 exit=0
// expect: options "--define SLIP=1" verdict=violated kind=trace states=36 transitions=35 deadlocks=1 prefix=12 exit=1
// expect: options "--define LOST=1" verdict=violated kind=deadlock states=26 transitions=25 prefix=25 exit=1
mtype = { ask, tell };
chan out = [2] of { mtype, bit };
chan back = [1] of { mtype, bit };

active proctype client() {
  bit b;
  byte n;
  do
  :: n < 3 -> out!ask,b; back?tell,_; b = 1 - b; n++
  :: else -> break
  od;
#ifdef LOST
  out!ask,b; (false)
#endif
}

active proctype server() {
  bit b;
end:
  do
  :: out?ask,b ->
     if
#ifdef SLIP
     :: b == 1 -> back!tell,0
#endif
     :: back!tell,b
     fi
  od
}

trace {
end:
  do
  :: out!ask,0; back!tell,0
  :: out!ask,1; back!tell,1
  od
}
