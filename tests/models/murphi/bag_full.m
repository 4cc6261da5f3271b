-- The third element has no room.
-- expect: verdict=violated kind=model-error prefix=3 exit=1
var bag: multiset [2] of boolean; one: boolean;
startstate begin one := true; end;
rule begin multisetadd(one, bag); end;
