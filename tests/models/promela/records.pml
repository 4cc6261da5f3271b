// Records travel as their leaves; a channel sorts them by number; bits of arrays are bytes, but in
// messages they are bits.
// expect: verdict=holds states=13 transitions=12 levels=13 deadlocks=0 exit=0
typedef Point { short x = 7; bit set[2] };
typedef Pair { Point p[2]; byte n };
chan c = [3] of { Point };
Pair pair;
Point out;

active proctype P() {
  assert(pair.p[1].x == 7);
  pair.p[0].x = -1;
  pair.p[0].set[1] = 3;
  assert(pair.p[0].set[1] == 3);
  c!!pair.p[1];
  c!!pair.p[0];
  c?out;
  assert(out.x == -1 && out.set[1] == 1 && out.set[0] == 0);
  c??[7] -> c?<out>;
  assert(out.x == 7 && len(c) == 1)
}
