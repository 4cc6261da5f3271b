type p: scalarset(2); e: enum {A, B}; u: union {p, e, enum {C}};
var q: u; i: p; n: array [u] of boolean; k: array [p] of e;
startstate begin undefine q; end;
ruleset j: u do rule n[j] & ismember(j, p) | q = A | q != i ==> begin q := j; i := q; end; end;
rule 20 "switch" begin switch q case A: case B, C: k[i] := B; end; q := i; k[q] := A; end;
