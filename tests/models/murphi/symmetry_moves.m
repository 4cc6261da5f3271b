-- A token among three that are alike. One state is left of three, and its steps lead to it again, but
-- they are steps on to other holders: no deadlock.
-- expect: verdict=holds states=1 transitions=2 exit=0
-- expect: options "--symmetry off" verdict=holds states=3 transitions=6 exit=0
type Place: scalarset(3);
var holder: Place;
ruleset p: Place do
  startstate begin holder := p; end;
  rule "take" holder != p ==> begin holder := p; end;
end;
