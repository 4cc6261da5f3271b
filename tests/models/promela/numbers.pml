// Stores are cut to the width of their type, values in between are 32 bits wide; a select is one
// step over few values and a loop over many.
// expect: verdict=holds states=54 transitions=53 levels=18 deadlocks=0 exit=0
bit b; byte c; short s; int i; unsigned u : 4;
active proctype P() {
  b = 3; c = 300; s = 40000; i = 2147483647; u = 17;
  assert(b == 1 && c == 44 && s == -25536 && u == 1);
  i++;
  assert(i < 0 && i / 2 == -1073741824);
  select (c : 1 .. 3);
  select (s : c .. c + 2);
  assert(s >= c && s <= c + 2)
}
