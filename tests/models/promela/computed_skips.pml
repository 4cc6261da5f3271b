// Of several skips in a row one is kept; what is computed is a statement, though it is 1.
// expect: verdict=holds states=8 transitions=8 deadlocks=0
mtype = { first };
byte x;

active proctype P() {
  do
  :: (2 - 1); skip; true; first; (1); !0; x = 1 - x
  od
}
