-- The second instance of the startstate computes with an undefined variable.
-- expect: verdict=violated kind=model-error prefix=1 exit=1
var x, y: 0..3;
ruleset i: 0..1 do
  startstate "begin" begin if i = 0 then x := 0; else x := y + 1; end; end;
end;
rule begin x := 0; end;
