/* Peterson's filter lock for 6 processes; peterson.dve is the same in DVE. One d_step is one
   transition there, and the indexes are constants as there. */
byte level[6], last[6];

#define FREE(me, a, b, c, d, e) (last[at] != me || \
  (level[a] < at && level[b] < at && level[c] < at && level[d] < at && level[e] < at))

#define PROCESS(name, me, a, b, c, d, e) \
active proctype name() { \
  byte at; \
  do \
  :: d_step { at = 1; level[me] = 1 }; \
    do \
    :: d_step { last[at] = me }; \
      if \
      :: d_step { at < 5 && FREE(me, a, b, c, d, e) -> at = at + 1; level[me] = at } \
      :: at == 5 && FREE(me, a, b, c, d, e) -> \
        d_step { level[me] = 0; at = 0 }; \
        break \
      fi \
    od \
  od \
}

PROCESS(P0, 0, 1, 2, 3, 4, 5)
PROCESS(P1, 1, 0, 2, 3, 4, 5)
PROCESS(P2, 2, 0, 1, 3, 4, 5)
PROCESS(P3, 3, 0, 1, 2, 4, 5)
PROCESS(P4, 4, 0, 1, 2, 3, 5)
PROCESS(P5, 5, 0, 1, 2, 3, 4)
