// What a claim is made of beside conditions: arrays and variables with values of the beginning,
// atomic sequences, and a d_step, which is one move with the first statements that can be executed.
// expect: options "--property table" verdict=violated kind=accepting-cycle exit=1
// expect: options "--property early" verdict=violated kind=claim-end prefix=5 exit=1
// expect: options "--property checked" verdict=violated kind=assertion exit=1
byte start = 2, x;

active proctype P() {
  do
  :: x < 4 -> x++
  :: x == 4 -> x = start
  od
}

// x is an element of the table, from some time on.
never table {
  byte wanted[3] = { 2, 3, 4 };
  byte first = start + 1;
  do
  :: x == wanted[first - 3] && x != 0 -> break
  :: true
  od;
accept:
  do
  :: x == wanted[x % 3] || x == wanted[(x + 1) % 3] || x == wanted[(x + 2) % 3]
  od
}

never early {
  do
  :: d_step { x > 1; if :: x == 3 -> skip :: x == 2 -> skip :: else fi } -> break
  :: else
  od
}

never checked {
  byte limit = start - 1;
  do
  :: d_step { x >= limit; assert(x == limit); skip }
  :: else
  od
}
