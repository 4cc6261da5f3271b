-- Each of three that are alike can be on again, whoever is off now. That is a property of each of
-- them, which permutations would mix up: all states are searched.
-- expect: verdict=holds states=8 transitions=24 exit=0
type Lamp: scalarset(3);
var on: array [Lamp] of boolean;
startstate begin for l: Lamp do on[l] := false; end; end;
ruleset l: Lamp do
  rule "turn" begin on[l] := !on[l]; end;
  liveness "on again" on[l];
end;
