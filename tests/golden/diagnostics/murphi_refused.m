-- What this checker does not have.
externfun now(): 0..10;
var x: 0..3; t: real(4, 99);
startstate begin x := 1; t := 0.5; end;
rule x = 1 ==> begin liveness x = 1; x := 2; end;
pctl [ true UNTIL <= 26 x = 1 ] <= 0.1;
