-- Only the rules of the least priority that is enabled go on. By hand: 0, 1, 2, then back to 0.
-- expect: verdict=holds states=3 transitions=3 exit=0
var x: 0..2;
startstate begin x := 0; end;
rule 5 "back" true ==> begin x := 0; end;
rule 1 "up" x < 2 ==> begin x := x + 1; end;
