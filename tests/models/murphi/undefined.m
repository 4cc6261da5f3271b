-- Copying an undefined variable makes the target undefined, and computing with one is an error.
-- The erroneous step counts: it is the second one.
-- expect: verdict=violated kind=model-error prefix=2 exit=1
-- expect: options "--reach isundefined(y)" verdict=violated kind=goal prefix=0 exit=1
var x, y: 0..3;
startstate begin x := 1; end;
rule "copy" !isundefined(x) ==> begin x := y; end;
rule "compute" isundefined(x) ==> begin x := y + 1; end;
