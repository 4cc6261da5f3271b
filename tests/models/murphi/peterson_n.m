-- Mutual exclusion of N processes by N - 1 waiting rooms, after G. L. Peterson, Myths about the
-- mutual exclusion problem, Information Processing Letters 12(3), 1981: who enters a room last
-- stays until another one comes or nobody is as far. The test of the others is one step for each of
-- them: a process remembers whom it has looked at. The counts are those of rumur, without symmetry
-- and with exhaustive symmetry.
-- expect: verdict=holds states=372 transitions=982 deadlocks=0 exit=0
-- expect: options "--symmetry off" verdict=holds states=2076 transitions=5433 deadlocks=0 exit=0
const Procs: 3;
type Proc: scalarset(Procs);
     Room: 0..Procs - 1;
     Place: enum {Outside, Entering, Yielding, Looking, Inside};
var room: array [Proc] of Room;
    last: array [Room] of Proc;
    at: array [Proc] of Place;
    looked: array [Proc] of array [Proc] of boolean;

procedure forget(p: Proc);
begin
  for q: Proc do looked[p][q] := p = q; end;
end;

procedure pass(p: Proc);
begin
  forget(p);
  if room[p] = Procs - 1 then at[p] := Inside; else at[p] := Entering; end;
end;

startstate
begin
  undefine last;
  for p: Proc do
    room[p] := 0;
    at[p] := Outside;
    forget(p);
  end;
end;

ruleset p: Proc do
  rule "want" at[p] = Outside ==> begin at[p] := Entering; end;

  rule "enter a room" at[p] = Entering ==>
  begin
    room[p] := room[p] + 1;
    at[p] := Yielding;
  end;

  rule "yield" at[p] = Yielding ==>
  begin
    last[room[p]] := p;
    at[p] := Looking;
  end;

  rule "another came" at[p] = Looking & last[room[p]] != p ==> begin pass(p); end;

  ruleset q: Proc do
    rule "look" at[p] = Looking & !looked[p][q] & room[q] < room[p] ==>
    begin
      looked[p][q] := true;
      if forall r: Proc do looked[p][r] end then pass(p); end;
    end;
  end;

  rule "leave" at[p] = Inside ==>
  begin
    room[p] := 0;
    at[p] := Outside;
  end;
end;

invariant "one inside"
  forall p: Proc do forall q: Proc do
    at[p] = Inside & at[q] = Inside -> p = q
  end end;
