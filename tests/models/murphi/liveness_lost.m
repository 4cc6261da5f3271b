-- Behind 5 there is no way back to 2: of the two properties one fails, 3 steps from the start.
-- expect: verdict=violated kind=liveness prefix=3 exit=1
var x: 0..9;
startstate begin x := 3; end;
rule "up" x < 9 ==> begin x := x + 1; end;
rule "down" x > 0 & x < 6 ==> begin x := x - 1; end;
rule "stay up" x = 9 ==> begin x := 8; end;
liveness x > 5;
liveness "two" x = 2;
