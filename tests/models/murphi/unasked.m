-- Parameters that nothing asks for. By hand: two states, each with six steps that change nothing and
-- one to the other state.
-- expect: verdict=holds states=2 transitions=14 exit=0
var x: boolean;
startstate begin x := false; end;
ruleset a: 0..1; b: 1..3 do rule "idle" begin end; end;
rule "turn" begin x := !x; end;
