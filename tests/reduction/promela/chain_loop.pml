/* As in loop.pml, but A goes around by chains, each of which can end at several places (sticky). */
byte x, y;
active proctype B() { skip; here: skip }
active proctype C() { skip; here: skip }
active proctype A() {
  do
  :: atomic { x = 1; if :: y == 0 -> y = 1 :: y == 1 :: y == 1 -> goto other fi; x = 0 }
  :: atomic { x == 2; x = 0 }
  od;
other: atomic { x = 1; y == 1; y = 0; x = 0 };
  atomic { x == 0; y = 0 }
}
// goal B@here || C@here
ltl never_there { [] !(B@here || C@here) }
