// Who has given control away rests where its atomic ends: at the `fi`, the `od` or the jump. These
// are places of their own; of ways that nobody can be seen on they are none.
// expect: verdict=holds states=9 transitions=10 deadlocks=0
byte x;
chan c = [0] of { byte };

active [2] proctype P() {
  atomic { x == 0; if :: c!1 :: c?1 fi }
}
