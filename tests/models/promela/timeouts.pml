// A message may be lost; the timeout is the only step that is left then.
// expect: verdict=violated kind=deadlock states=30 transitions=34 levels=17 deadlocks=1 prefix=11 exit=1
chan c = [1] of { byte };
byte tries;

active proctype Sender() {
  do
  :: tries < 3 -> c!tries; tries++; timeout
  :: else -> break
  od
}

active proctype Loser() {
end:
  do
  :: c?_
  :: c?0 -> break
  od
}
