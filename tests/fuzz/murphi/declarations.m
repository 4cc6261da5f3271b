const N: 3; M: N * 2 - 1; T: true;
type t: 0..N; e: enum {A, B, C}; s: scalarset(N); u: union {s, e};
  r: record f, g: t; b: boolean; h: record k: e; end; end; v: array [t] of array [s] of r;
var x, y: t; p: boolean; c: e; i: s; w: u; o: r; a: v; z: -2..M;
startstate "s" begin clear x; undefine o; end;
rule begin x := (x + 1) % (N + 1); end;
