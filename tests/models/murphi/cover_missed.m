-- The statement is reached, and its condition is never true.
-- expect: verdict=violated kind=cover prefix=0 exit=1
var x: 0..3;
startstate begin x := 0; end;
rule "on" begin x := (x + 1) % 3; cover "three" x = 3; end;
cover x = 1;
