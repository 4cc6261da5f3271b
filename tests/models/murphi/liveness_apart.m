-- The first to leave is gone for good, so that of its lamp it is wrong that it can be on again; of the
-- lamps as a whole it is not. Searched by permutations, another lamp would stand for the lost one.
-- expect: verdict=violated kind=liveness prefix=1 exit=1
type Lamp: scalarset(3);
var on: array [Lamp] of boolean;
    gone: Lamp;
startstate begin for l: Lamp do on[l] := false; end; undefine gone; end;
ruleset l: Lamp do
  rule "turn" gone != l ==> begin on[l] := !on[l]; end;
  rule "leave" isundefined(gone) & !on[l] ==> begin gone := l; end;
  liveness "on again" on[l];
end;
liveness "some lamp is on" exists l: Lamp do on[l] end;
