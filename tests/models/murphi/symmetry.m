-- Four lamps that nothing tells apart. By hand: 2^4 states with 4 steps each; by how many are on,
-- 5 states remain.
-- expect: verdict=holds states=5 transitions=20 exit=0
-- expect: options "--symmetry off" verdict=holds states=16 transitions=64 exit=0
-- expect: options "--invariant 'exists s: Lamp do !on[s] end'" verdict=violated kind=invariant prefix=4 exit=1
type Lamp: scalarset(4);
var on: array [Lamp] of boolean;
startstate begin for s: Lamp do on[s] := false; end; end;
ruleset s: Lamp do
  rule "turn" begin on[s] := !on[s]; end;
end;
