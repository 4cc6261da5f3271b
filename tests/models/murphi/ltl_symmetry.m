-- A token goes from hand to hand among three that are alike: of its holders one state is left, and a
-- loop of one step there is one of two states at least, as holders have names. The automaton takes
-- a step to begin with.
-- expect: options "--ltl 'G F \"isundefined(holder)\"'" verdict=violated kind=accepting-cycle exit=1
-- expect: options "--ltl 'G F \"isundefined(holder)\"' --symmetry off" verdict=violated kind=accepting-cycle prefix=2 cycle=2 exit=1
-- expect: options "--ltl 'F G \"!isundefined(holder)\"'" verdict=holds accepting=1 exit=0
type Place: scalarset(3);
var holder: Place;
startstate begin undefine holder; end;
ruleset p: Place do
  rule "take" holder != p ==> begin holder := p; end;
end;
