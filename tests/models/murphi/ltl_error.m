-- The proposition has no value where y is undefined.
-- expect: options "--ltl 'G F \"y = 0\"'" verdict=violated kind=model-error accepting=0 exit=1
var x: 0..2; y: 0..2;
startstate begin x := 0; y := 0; end;
rule "on" begin x := (x + 1) % 3; if x = 2 then undefine y; else y := 0; end; end;
