mtype = { a, b }; mtype:t = { red };
chan c = [2] of { mtype, byte }; chan r[2] = [0] of { bit };
byte x, arr[3] = { 1, 2 }; unsigned u : 3 = 5; mtype:t m = red; bool f = true;
active [2] proctype P() provided (x < 9) {
  byte y = x + 1, z[2]; bit w;
again: x = 1
  do
  :: x < 3 -> x++; break
  :: c?a(y) -> c!!b,3
  :: c??[b] && !full(c) -> c?<_,eval(y)>
  :: atomic { x == 1; goto again }
  :: else -> skip; skip; skip
  od
  { x = 2; y = (x > 1 -> 1 : 2) } unless { timeout -> y = 3 }
  if :: d_step { x > 1; do :: x < 5 -> x++ :: else -> break od; L: y = 1 } :: true fi;
  for (x : 1 .. 3) { z[0] = z[1] }
  for (x in arr) { assert(arr[x] != 9) }
  select (x : 1 .. 5); select (x : y .. y + 1);
  printf("%d\n", x); printm(a); assert(len(c) <= 2 && nempty(c) || empty(c));
  byte late = 3;
end: r[0]!1
}
init { pid p; atomic { p = run Q(1, c) }; (_nr_pr == 3); xr c }
proctype Q(byte n; chan k) { int v; k?a,v; Q[1]@there -> there: Q[0]:v == 1 }
never { do :: P[0]@again || enabled(1) :: np_ && _last == 2 -> goto accept od; accept: do :: x == 2 od }
ltl p1 { [] (x == 1 -> <> (y_ok U !Q@there)) }
ltl { always eventually (x > 1) && X (x < 3) }
bool y_ok;
