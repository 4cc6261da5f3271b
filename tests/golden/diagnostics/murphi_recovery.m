-- One message for each mistake of the grammar, and the rest is still checked.
var x: 0..3; y 0..3; z: 0..3;
startstate begin x := 0 z := 0; end;
rule "a" x = 1 begin x := 2; end;
rule "b" x == 1 ==> begin x = 2; if x = 1 then x := ; else x := nix; end; end;
ruleset i: 0..1 do rule x = i ==> begin for j : do x := j; end; x := i; end; end;
rule "c" x < 1 ==> begin while x < 2 do x := x + 1; end;
rule "d" forall i: 0..3 do x = i ==> begin end;
