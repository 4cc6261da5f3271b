// Each of three clients meets the server once, in any order; then the server waits at its end label.
// expect: verdict=holds states=124 transitions=229 levels=16 deadlocks=0 exit=0
chan door = [0] of { byte, chan };

proctype Client(byte number) {
  chan back = [0] of { byte };
  byte reply;
  door!number,back;
  back?reply;
  assert(reply == number + 1)
}

init {
  atomic {
    byte i;
    for (i : 1 .. 3) { run Client(i) }
  }
  chan to; byte value;
end:
  do
  :: door?value,to -> to!value + 1
  od
}
