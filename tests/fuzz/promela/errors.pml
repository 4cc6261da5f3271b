byte x; byte x;
#define F(a) a
proctype P() { y = 1; goto nowhere; break; d_step { goto out }; out: F(1, 2); F( }
proctype P() { c_code { int i; } }
init { run Z(); run P(1); a[a[0]] = 1; _pid = 2; assert(pc_value(1)); trace }
#include <stdio.h>
#if 1 +
