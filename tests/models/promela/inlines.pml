// Macros and inlines are read as the text that they stand for; declarations inside take a step.
// expect: verdict=holds states=13 transitions=12 levels=13 deadlocks=0 exit=0
#define TWICE(s) s; s
#define JOIN(a, b) a##b
#define LIMIT 3
#if LIMIT > 2 && defined(TWICE)
#define STEP 2
#else
#error this is not read
#endif
byte count_a, count_b;

inline add(v, n) {
  byte before = v;
  v = v + n;
  assert(v == before + n)
}
inline larger(a, b) { return (a > b -> a : b) }

active proctype P() {
  byte most;
  TWICE(add(JOIN(count_, a), STEP))
  add(count_b, 1)
  most = larger(count_a, count_b)
  assert(most == 4)
}
