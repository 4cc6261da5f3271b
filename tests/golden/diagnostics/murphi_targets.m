-- What cannot be changed.
const N: 3;
type s: scalarset(2);
var x: 0..N; q: s; w: array [s] of boolean;
procedure P(a: 0..N; var b: 0..N); begin a := 1; b := a; clear q; end;
function F(): 0..N; begin x := 1; end;
startstate begin for i := 0 to 3 do i := 1; undefine i; end; end;
ruleset k: s do rule F() = 1 ==> begin
  N := 1; k := q; x + 1 := 2; alias v: x + 1 do v := 1; end; P(x + 1, x + 1); return 3;
end; end;
