// _pid and its like are one of two values; a `:` behind them names no process.
// expect: verdict=holds states=7 transitions=6
byte x, y;

active proctype P() {
  x = (x == 0 -> _pid : x);
  x = (x == 1 -> _nr_pr : 3);
  y = (x == 3 -> (_last == 0 -> _last : _pid) : x);
  x = (true -> _priority : x) + (y == 0 -> _nr_pr : 0);
  assert(x == 2 && y == 0)
}
