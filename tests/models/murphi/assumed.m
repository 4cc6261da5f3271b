-- A step that violates an assumption is none. By hand: x goes 0, 1 and back.
-- expect: verdict=holds states=2 transitions=2 exit=0
var x: 0..3;
startstate begin x := 0; end;
rule begin x := x + 1; assume x < 2; end;
rule x > 0 ==> begin x := x - 1; end;
