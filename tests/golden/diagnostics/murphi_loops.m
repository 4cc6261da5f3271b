-- rumur
var x: 0..9; r: record f: boolean; end; u: record f: boolean; end;
startstate begin
  for i := 10 to 0 by 1 do end; for i := 0 to 3 by 0 do end; for i := 0 to 010 by x do end;
  x := 3 & 5; x := 3 & true; r := u; if r = u then end; switch x case x, 1, 1: end; clear r;
end;
rule "unclosed\" begin end;
