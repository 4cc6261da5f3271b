type t: 0..5; var x, y: t; b: boolean;
function fact(k: t): 0..120; begin if k = 0 then return 1; else return k * fact(k - 1); end; end;
procedure swap(var c: t; var d: t); var e: t; begin e := c; c := d; d := e; end;
function pure(c: t; d: boolean): boolean; begin return d -> c > 1; end;
startstate begin x := 1; y := 2; end;
rule pure(x, b) ==> begin swap(x, y); b := pure(fact(2), pure(1, true)); end;
invariant "i" pure(x, false) ? x > 0 : y > 0;
