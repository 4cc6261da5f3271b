-- A dense graph: from every state, edges lead all over the range, and a search meets each state
-- some Fan times on few levels, without locality. Every step is a linear congruential generator x'
-- = a x + c modulo a power of two, with a = 1 modulo 4 and c odd, so that by the theorem of T. E.
-- Hull and A. R. Dobell (SIAM Review 4(3), 1962) its period is Size: all states are reached
-- whatever the seed, and every state fires Fan rules. rumur agrees.
-- expect: verdict=holds states=4096 transitions=65536 deadlocks=0 exit=0
const Size: 4096;
      Fan: 16;
      Seeds: 3;
type Number: 0..Size - 1;
var x: Number;

ruleset s: 1..Seeds do
  startstate "seed" begin x := (s * 2654435) % Size; end;
end;

ruleset k: 0..Fan - 1 do
  rule "step" begin x := (x * (1 + 4 * (k * 7919 + 311)) + 2 * k * 10007 + 1) % Size; end;
end;

invariant x >= 0 & x < Size;
