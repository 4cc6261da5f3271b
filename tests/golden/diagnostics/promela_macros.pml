/* Mistakes of the preprocessor. */
#define TWO(a, b) a ## b
#define HALF(a x
#include <stdio.h>
#include "missing.h"
#if 1 +
#endif
#elif 1
#frobnicate
byte x = TWO(1), y = TWO(+, y), z = 0x1F;
#ifdef NEVER_CLOSED
