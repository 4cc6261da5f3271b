// The channel went with the process that made it.
// expect: verdict=violated kind=model-error exit=1
chan known;
byte x;

proctype owner() {
  chan own = [1] of { byte };
  known = own
}

init {
  run owner();
  (known != 0 && _nr_pr == 1);
  x = len(known)
}
