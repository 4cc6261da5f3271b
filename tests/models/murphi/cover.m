-- What has to be reached somewhere: by a state, or by a statement. By hand: x goes round 0, 1, 2.
-- expect: options "--dialect rumur" verdict=holds states=3 transitions=3 exit=0
-- expect: verdict=holds states=3 transitions=3 exit=0
var x: 0..3;
startstate begin x := 0; end;
rule "on" begin x := (x + 1) % 3; cover "back" x = 0; end;
cover "two" x = 2;
ruleset i: 2..3 do cover "some of these" x = i; end;
