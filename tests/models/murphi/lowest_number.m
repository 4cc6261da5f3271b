-- The lowest number of 64 bits stands for undefined in a step, so that it is no value: to compute
-- it is an overflow, whether the operands are known or not.
-- expect: verdict=violated kind=model-error states=1 exit=1
var x: 0..1;
startstate begin x := 0; end;
rule "constants" x = 0 ==> begin if 1 << 63 < 5 then x := 1; end; end;
