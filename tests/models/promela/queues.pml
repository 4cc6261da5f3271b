// Sorted sends, receives from anywhere, copies and polls; values are cut where they are stored.
// expect: verdict=holds states=29 transitions=28 deadlocks=0 exit=0
// expect: options "--define LOW=2" verdict=violated kind=assertion exit=1
#ifndef LOW
#define LOW 1
#endif
typedef Message { byte key; short value };
chan sorted = [3] of { Message };
chan plain = [2] of { byte, bit };

active proctype fill() {
  Message m;
  m.value = 40000;
  m.key = 3; sorted!!m;
  m.key = 257; sorted!!m;
  m.key = 2; sorted!!m;
  plain!7,2; plain!8,3
}

active proctype drain() {
  Message m;
  byte b, last;
  full(sorted) && plain?[7] && !(plain?[8]) && len(plain) == 2;
  sorted?<m>;
  assert(m.key == LOW && m.value == 40000 - 65536);
  do
  :: sorted?m -> assert(m.key > last); last = m.key
  :: empty(sorted) -> break
  od;
  plain??8,b;
  assert(b == 1);
  plain?b,eval(b - 1);
  assert(b == 7)
}
