-- At 3 nothing happens any more, which is a run, too.
-- expect: options "--ltl 'G F \"x = 0\"'" verdict=violated kind=accepting-cycle prefix=3 cycle=1 exit=1
-- expect: options "--ltl 'F G \"x = 3\"'" verdict=holds accepting=3 exit=0
var x: 0..3;
startstate begin x := 0; end;
rule "on" x < 3 ==> begin x := x + 1; end;
