var x, y: 0..9; p: boolean; a: array [0..9] of 0..9;
startstate begin for i: 0..9 do a[i] := 0; end; x := 0; y := undefined; end;
rule "r" x < 9 & !p | forall i: 0..3; j := 1 to 3 by 2 do a[i] >= j end ==>
var k: 0..20; const L: 2; begin
  if x = 1 then x := 2; elsif x = 2 then y := 3 else x := x + L; endif;
  switch x case 1, 2: y := 1; case 3: else y := 2; end;
  while x < 5 do x := x + 1; end;
  for i := 5 to 1 by -1 do k := i; endfor;
  alias q: a[x]; n: x * 2 do q := n; end;
  assert x < 9 "small"; put x; put "text"; if isundefined(y) then return; end;
  error "never";
end;
