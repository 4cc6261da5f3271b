// Five that pass numbers around a ring, each step an indivisible sequence: a state is wide, has few
// successors and could, by what is proved of the model, have more than 8000 of them. In 8 MiB the
// product fits neither a table nor the edges of so many. (The figures are those of `ram`.)
// expect: options "--reduce off" verdict=holds states=88192 transitions=314995 exit=0
#define N 5
#define PLACES 6
chan link[N] = [PLACES] of { byte, byte };
byte rounds;
byte last[N];
proctype node(byte me) {
  byte number, hops;
  do
  :: atomic {
       link[me]?number, hops;
       last[me] = number;
       if
       :: hops < 9 -> hops++
       :: hops < 9 -> hops = hops + 2
       :: hops >= 9 -> hops = 0; rounds = 1 - rounds
       fi;
       link[(me + 1) % N]!number, hops
     }
  od
}
init {
  atomic {
    link[0]!101, 0; link[2]!202, 3;
    run node(0); run node(1); run node(2); run node(3); run node(4)
  }
}
ltl passes { [] (rounds == 1 -> <> (rounds == 0)) }
