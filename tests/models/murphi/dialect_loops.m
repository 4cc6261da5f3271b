-- A loop without a step goes down where its end is below. By hand: n is the sum of 3, 2, 1.
-- expect: verdict=holds states=2 transitions=2 exit=0
-- expect: options "--dialect rumur --reach 'n = 6'" verdict=violated kind=goal prefix=1 exit=1
-- expect: options "--reach 'n = 6'" verdict=holds states=2 transitions=2 exit=0
var n: 0..9; from: 0..3; on: boolean;
startstate begin from := 3; n := 0; on := false; end;
rule
begin
  n := 0;
  on := !on;
  if on then for i := from to 1 do n := n + i; end; end;
end;
