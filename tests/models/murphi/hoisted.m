-- Parts of a guard that ask for outer parameters only, and one of them fails. By hand: the two steps
-- of "set" are in all four states of on[1] and on[3]. Where on[3] is set, the six instances of
-- "share" for p = 3 fail, as limit[3] is undefined. Where both are, one of "share" is enabled. Where
-- on[1] is set, one of "drop" is.
-- expect: verdict=violated kind=model-error states=4 transitions=11 prefix=2 exit=1
-- expect: options "--reach 'on[1] & !on[3]'" verdict=violated kind=goal prefix=1 exit=1
type Place: 1..3; Colour: enum { red, green };
var on: array [Place] of boolean; limit: array [Place] of 0..2;
startstate
begin
  for p: Place do on[p] := false; end;
  limit[1] := 1; limit[2] := 0;
end;

ruleset p: Place do
  rule "set" p != 2 ==> begin on[p] := true; end;
end;

ruleset p: Place; q: Place; c: Colour do
  alias mine: on[p]; other: on[q] do
    rule "share" mine & limit[p] > 0 & p != q & other & c = green ==>
    begin
      on[p] := false;
    end;
  end;
end;

ruleset p: Place; q: Place; c: Colour do
  rule "drop" on[p] & p = 1 & q = 2 & c = green ==>
  begin
    on[p] := false;
  end;
end;
