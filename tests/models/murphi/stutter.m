-- A rule that changes nothing does not save a state. By hand: x = 2 is a deadlock, 2 steps away.
-- expect: verdict=violated kind=deadlock prefix=2 exit=1
-- expect: options "--deadlock stuck" verdict=holds states=3 transitions=5 exit=0
-- expect: options "--invariant 'x < 2' --deadlock off" verdict=violated kind=invariant prefix=2 exit=1
var x: 0..2;
startstate begin x := 0; end;
rule x < 2 ==> begin x := x + 1; end;
rule "idle" begin end;
