/* Unknown and repeated names; each is reported once. */
#define GUESS missing + 1
mtype = { red, green };
byte x, red;
typedef Pair { byte a, b };
Pair pair;

inline store(target, value) {
  target = value
}

active proctype P(byte n) {
  byte x;
  y = 1; y = 2;
  pair.c = 1;
  x = GUESS;
  store(nowhere, 3);
  store(x);
  if :: n == 1 -> goto far :: else fi;
  run Q(1);
  assert(P[0]@away)
}
