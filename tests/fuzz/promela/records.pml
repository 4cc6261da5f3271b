typedef In { byte a[2]; int b = 3 };
typedef Out { In x[2]; bool f; chan c = [1] of { In, chan } };
Out o[2]; In i;
inline both(p, q) { byte t; t = p; p = q; q = t; both_end: skip }
inline get(p) { return p + 1 }
proctype Q(short s, t; bit b) { skip }
active proctype P() {
  local Out l;
  byte k, n;
  o[k].x[1].a[0] = o[1].x[k].b;
  o[1].c!i, o[0].c;
  o[1].c?i, l.c;
  both(k, n);
  both(o[0].f, l.f);
  k = get(n);
  for (i in o[0].c) { k++ };
  run Q(k, n, 1)
}
