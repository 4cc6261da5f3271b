/* 13 dining philosophers, the last one left-handed; philosophers.dve is the same in DVE. One d_step
   is one transition there, and the indexes are constants as there. */
byte fork[13];

#define PHILOSOPHER(name, first, second) \
active proctype name() { \
  do \
  :: d_step { fork[first] == 0 -> fork[first] = 1 }; \
    d_step { fork[second] == 0 -> fork[second] = 1 }; \
    d_step { fork[second] = 0 }; \
    d_step { fork[first] = 0 } \
  od \
}

PHILOSOPHER(P0, 0, 1)
PHILOSOPHER(P1, 1, 2)
PHILOSOPHER(P2, 2, 3)
PHILOSOPHER(P3, 3, 4)
PHILOSOPHER(P4, 4, 5)
PHILOSOPHER(P5, 5, 6)
PHILOSOPHER(P6, 6, 7)
PHILOSOPHER(P7, 7, 8)
PHILOSOPHER(P8, 8, 9)
PHILOSOPHER(P9, 9, 10)
PHILOSOPHER(P10, 10, 11)
PHILOSOPHER(P11, 11, 12)
PHILOSOPHER(P12, 0, 12)
