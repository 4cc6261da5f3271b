-- States that are assumed not to be there are not searched, and steps to them count. By hand: 0 to 4
-- up and down, each with two steps, of which one of 0 and one of 4 lead out.
-- expect: verdict=holds states=5 transitions=10 exit=0
var x: -9..9;
startstate begin x := 0; end;
rule "up" begin x := x + 1; end;
rule "down" begin x := x - 1; end;
assume x >= 0;
ruleset i: 5..9 do assume x != i; end;
invariant x < 5;
