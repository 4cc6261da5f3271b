var x: 0..3; y: array [0..3] of boolean; startstate begin x := 0; end; rule x = 0 ==> begin x := 1; end;
x < 3 & forall i: 0..3 do y[i] end