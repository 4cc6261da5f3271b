// Three philosophers who take the fork on the left first: one deadlock after three steps.
// expect: verdict=violated kind=deadlock states=14 transitions=27 levels=4 deadlocks=1 prefix=3 exit=1
#define N 3
bool fork[N];

active [N] proctype Philosopher() {
  do
  :: atomic { !fork[_pid] -> fork[_pid] = true };
     atomic { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = true };
     d_step { fork[_pid] = false; fork[(_pid + 1) % N] = false }
  od
}
