-- Not supported, and said where it stands.
-- expect: exit=65 line=6
var x: 0..1;
startstate begin x := 0; end;
rule begin x := 1 - x; end;
liveness x = 1;
