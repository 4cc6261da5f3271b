var x: 0..9; assume: boolean;
startstate begin x := 0; end
ruleset i: 0..3 do startstate "s" begin x := i; end invariant "inv" x + i < 13 end
rule begin assume := true; cover "c" x = 1; x := (x + 1) % 10; end
assume x < 9 cover "n" x = 2 liveness x = 0 assert x >= 0 "top"
