-- Whoever comes last to a table for two finds no chair. The trace goes on with the names that it
-- began with, and the erroneous step is one of its last state.
-- expect: verdict=violated kind=model-error prefix=3 exit=1
-- expect: options "--symmetry off" verdict=violated kind=model-error prefix=3 exit=1
type Guest: scalarset(3);
     Chair: scalarset(2);
     Where: union {Chair, enum {door}};
var sits: array [Guest] of Where;
    free: 0..2;
    next: array [Chair] of Guest;
startstate begin
  for g: Guest do sits[g] := door; end;
  free := 2;
end;
ruleset g: Guest; c: Chair do
  rule "sit" sits[g] = door & isundefined(next[c]) ==>
  begin sits[g] := c; next[c] := g; free := free - 1; end;
end;
ruleset g: Guest do
  rule "look" sits[g] = door & free = 0 ==> begin free := free - 1; end;
end;
