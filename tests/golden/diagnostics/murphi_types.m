-- Types that cannot be, and values of the wrong type.
const N: 3; M: 1 / 0;
type t: N..1;
  e: enum {A, B}; f: enum {B, C};
  s: scalarset(N - 3); u: union {e, t2};
  r: record a: boolean; a: 0..1; end;
  v: array [r] of boolean;
  p: real(4, 99);
var x: 0..N; y: e; z: Nix;
startstate begin x := true; y := 1; x := 7; end;
rule x = y | y < A ==> begin if x then y := undefined; end; end;
