-- From everywhere a way leads back to 0, and to any other number.
-- expect: verdict=holds states=10 transitions=18 exit=0
var x: 0..9;
startstate begin x := 4; end;
rule "up" x < 9 ==> begin x := x + 1; end;
rule "down" x > 0 ==> begin x := x - 1; end;
ruleset i: 0..9 do liveness "anywhere" x = i; end;
