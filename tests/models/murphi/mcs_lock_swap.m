-- The list-based queue lock of J. M. Mellor-Crummey and M. L. Scott (ACM TOCS 9(1), 1991) without
-- compare-and-swap: who finds no successor takes the tail out of the lock, and puts it back if it
-- was not its own. Others that got the empty lock between the two go first (they are usurpers), and
-- the waiting queue is hung behind them. The counts are those of rumur, without symmetry and with
-- exhaustive symmetry.
-- expect: verdict=holds states=290 transitions=805 deadlocks=0 exit=0
-- expect: options "--symmetry off" verdict=holds states=6376 transitions=17176 deadlocks=0 exit=0
const Procs: 4;
type Proc: scalarset(Procs);
     Place: enum {Outside, Swapping, Linking, Spinning, Inside, Taking, Returning, Waiting, Hanging,
                  Waking};
     Node: record next: Proc; locked: boolean; end;
var node: array [Proc] of Node;
    tail: Proc;
    seen: array [Proc] of Proc;    -- what the last swap of the tail gave
    at: array [Proc] of Place;

-- Undefined stands for no node. The new tail is defined in all swaps but one.
procedure swap(p: Proc; new: Proc);
begin
  if isundefined(tail) then undefine seen[p]; else seen[p] := tail; end;
  tail := new;
end;

procedure rest(p: Proc);
begin
  at[p] := Outside;
  undefine seen[p];
  undefine node[p].next;
  node[p].locked := false;
end;

startstate
begin
  undefine tail;
  for p: Proc do rest(p); end;
end;

ruleset p: Proc do
  rule "prepare" at[p] = Outside ==> begin at[p] := Swapping; end;

  rule "swap" at[p] = Swapping ==>
  begin
    swap(p, p);
    if isundefined(seen[p]) then at[p] := Inside;
    else node[p].locked := true; at[p] := Linking;
    end;
  end;

  rule "link" at[p] = Linking ==>
  begin
    node[seen[p]].next := p;
    undefine seen[p];
    at[p] := Spinning;
  end;

  rule "spin" at[p] = Spinning & !node[p].locked ==> begin at[p] := Inside; end;

  rule "leave" at[p] = Inside ==>
  begin
    if isundefined(node[p].next) then at[p] := Taking; else at[p] := Waking; end;
  end;

  rule "take the tail" at[p] = Taking ==>
  begin
    seen[p] := tail;
    undefine tail;
    if seen[p] = p then rest(p); else at[p] := Returning; end;
  end;

  rule "return the tail" at[p] = Returning ==>
  begin
    swap(p, seen[p]);
    at[p] := Waiting;
  end;

  rule "wait" at[p] = Waiting & !isundefined(node[p].next) ==>
  begin
    if isundefined(seen[p]) then at[p] := Waking; else at[p] := Hanging; end;
  end;

  rule "hang behind usurpers" at[p] = Hanging ==>
  begin
    node[seen[p]].next := node[p].next;
    rest(p);
  end;

  rule "wake" at[p] = Waking ==>
  begin
    node[node[p].next].locked := false;
    rest(p);
  end;
end;

invariant "one inside"
  forall p: Proc do forall q: Proc do
    p != q & at[p] = Inside -> at[q] != Inside
  end end;
