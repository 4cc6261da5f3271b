// d_step, timeout, priorities and what a process knows of the others.
// expect: verdict=holds states=23 transitions=23 deadlocks=0 exit=0
// expect: options "--property progress" verdict=violated kind=accepting-cycle exit=1
// expect: options "--property accept" verdict=holds exit=0
byte now, ticks;
bool open[2];

active [2] proctype worker() {
  byte sum, i;
wait:
  do
  :: open[_pid] ->
     d_step {
       sum = 0;
       for (i : 1 .. 3) { sum = sum + i }
       open[_pid] = false;
       i = 0
     };
     assert(sum == 6)
  od
}

active proctype clock() {
end:
  do
  :: timeout ->
     atomic {
       assert(worker[0]@wait || worker[1]@wait);
       now = (now + 1) % 3;
       if
       :: now != 2 -> open[now] = true
       :: else -> skip
       fi
     }
  od
}
