-- Scalarsets, unions, enums, switch, intervals with steps, and the order of evaluation.
-- By hand: owner is none, one of two processes (one, where they are alike), or undefined at the
-- start; mode follows it.
-- expect: options "--symmetry off" verdict=holds states=4 transitions=8 exit=0
-- expect: verdict=holds states=3 transitions=6 exit=0
type Process: scalarset(2);
     None: enum { nobody };
     Owner: union { Process, None };
     Mode: enum { idle, busy };
var owner: Owner; mode: Mode; sums: array [Mode] of -5..5;
startstate
begin
  mode := idle;
  sums[idle] := 0;
  for i := 4 to 0 by -2 do sums[idle] := sums[idle] + i - 3; end;
  sums[busy] := -7 / 2 + (-7) % 2;
  assert sums[idle] = -3 & sums[busy] = -4;
end;
ruleset p: Process do
  rule "take" owner != p ==>
  begin
    owner := p;
    switch mode case idle: mode := busy; case busy: assert ismember(owner, Process); end;
  end;
  rule "give" !isundefined(owner) & owner = p ==>
  begin owner := nobody; mode := idle; end;
end;
invariant (isundefined(owner) -> mode = idle) & (ismember(owner, Process) = (mode = busy));
ruleset p: Process do invariant "who" owner = p -> mode = busy; end;
