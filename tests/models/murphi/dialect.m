-- Where the dialects differ. In CMurphi's, b is undefined from the start on, and the copy is fine.
-- expect: verdict=holds states=2 transitions=2 exit=0
-- expect: options "--dialect rumur" verdict=violated kind=model-error prefix=1 exit=1
var a: boolean; b: boolean; c: boolean;
startstate begin c := false; end;
rule "copy" begin a := b; c := !c; end;
