-- Formulas over expressions of Murphi. By hand: x counts 0, 1, 2 and goes round; "skip" can leave 2
-- out for ever. A run that ends repeats its last state.
-- expect: options "--ltl 'G F \"x = 0\"'" verdict=holds accepting=2 exit=0
-- expect: options "--ltl 'G F \"x = 2\"'" verdict=violated kind=accepting-cycle prefix=1 cycle=2 exit=1
-- expect: options "--ltl 'G \"x < 2\"'" verdict=violated kind=bad-prefix prefix=2 exit=1
-- expect: options "--ltl 'G (\"x = 1\" -> X \"x = 2 | x = 0\")'" verdict=holds exit=0
-- expect: options "--ltl 'F \"exists i: 1..2 do x = i end\"'" verdict=holds accepting=2 exit=0
var x: 0..2;
startstate begin x := 0; end;
rule "count" begin x := (x + 1) % 3; end;
rule "skip" x = 1 ==> begin x := 0; end;
