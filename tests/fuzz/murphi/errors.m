const N: 1 / 0; type t: 3..1; e: enum {A, A}; var x: nix; y: 0..3; f: real(1, 2);
procedure P(a: 0..3); begin a := 1; return 2; end; function F(): t; begin end;
startstate begin y := true; P(); F := 1; x.y[1] := ; end;
rule y = 1 -> y = 2 -> y = 3 ==> begin if y then end; end
ruleset y: 0..y do rule begin y := 1; end; end;
externfun g(): t; pctl [ x ];
