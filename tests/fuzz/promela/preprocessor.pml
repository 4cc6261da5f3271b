#define N 3
#define TWO(a, b) a = b; \
  b = a
#define CAT(a, b) a##b
#define STR(a) printf(#a)
#define SELF SELF + 1
#define EMPTY
#if N > 2 && !defined(M) || (N << 1) % 2 == 0
#include "part.h"
#elif defined FLAG
byte q;
#else
#error no
#endif
#ifndef M
#undef M
#endif
byte x1, y, SELF_;
active proctype P() {
  TWO(CAT(x, 1), y) EMPTY
  STR(a "b" c)
  CAT(x, 1)++
  EMPTY
  y = 010 + 'a' + '\n' /* 1 */ // 2
}
byte included;
