// Processes come and go: a slot is used by workers of both kinds, one after the other, and the
// channel that a reader makes for itself is gone with it.
// expect: verdict=holds states=63 transitions=83 deadlocks=0 exit=0
// expect: options "--reach 'nr_done == 3'" verdict=violated kind=goal exit=1
// expect: options "--invariant 'nr_done <= 3'" verdict=holds exit=0
#define ROUNDS 3

byte nr_done;
chan reply = [1] of { byte };

proctype writer(chan to; byte value) {
  to!value
}

proctype reader(byte value) {
  chan own = [2] of { byte };
  byte got;
  run writer(own, value);
  own?got;
  assert(got == value);
  reply!got
}

init {
  byte i, got;
  do
  :: i < ROUNDS ->
     run reader(i + 1);
     reply?got;
     nr_done++;
     (_nr_pr == 1);
     i++
  :: else -> break
  od
}
