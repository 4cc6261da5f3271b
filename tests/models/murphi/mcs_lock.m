-- The list-based queue lock of J. M. Mellor-Crummey and M. L. Scott, Algorithms for scalable
-- synchronization on shared-memory multiprocessors, ACM TOCS 9(1), 1991, with compare-and-swap. A
-- process appends its node to the queue and spins on a flag of its own. Every access to memory that
-- others see is a step. The counts are those of rumur, without symmetry and with exhaustive
-- symmetry.
-- expect: verdict=holds states=142 transitions=425 deadlocks=0 exit=0
-- expect: options "--symmetry off" verdict=holds states=2784 transitions=7872 deadlocks=0 exit=0
const Procs: 4;
type Proc: scalarset(Procs);
     Place: enum {Outside, Swapping, Linking, Spinning, Inside, Leaving, Swinging, Waiting, Waking};
     Node: record next: Proc; locked: boolean; end;
var node: array [Proc] of Node;
    tail: Proc;
    before: array [Proc] of Proc;
    at: array [Proc] of Place;

-- Undefined stands for no node.
procedure copy(from: Proc; var target: Proc);
begin
  if isundefined(from) then undefine target; else target := from; end;
end;

procedure rest(p: Proc);
begin
  at[p] := Outside;
  undefine before[p];
  undefine node[p].next;
  node[p].locked := false;
end;

startstate
begin
  undefine tail;
  for p: Proc do rest(p); end;
end;

ruleset p: Proc do
  rule "prepare" at[p] = Outside ==> begin undefine node[p].next; at[p] := Swapping; end;

  rule "swap" at[p] = Swapping ==>
  begin
    copy(tail, before[p]);
    tail := p;
    if isundefined(before[p]) then at[p] := Inside;
    else node[p].locked := true; at[p] := Linking;
    end;
  end;

  rule "link" at[p] = Linking ==>
  begin
    node[before[p]].next := p;
    undefine before[p];
    at[p] := Spinning;
  end;

  rule "spin" at[p] = Spinning & !node[p].locked ==> begin at[p] := Inside; end;

  rule "leave" at[p] = Inside ==> begin at[p] := Leaving; end;

  rule "look" at[p] = Leaving ==>
  begin
    if isundefined(node[p].next) then at[p] := Swinging; else at[p] := Waking; end;
  end;

  -- compare-and-swap: nobody came since.
  rule "swing" at[p] = Swinging ==>
  begin
    if tail = p then undefine tail; rest(p); else at[p] := Waiting; end;
  end;

  rule "wait" at[p] = Waiting & !isundefined(node[p].next) ==> begin at[p] := Waking; end;

  rule "wake" at[p] = Waking ==>
  begin
    node[node[p].next].locked := false;
    rest(p);
  end;
end;

invariant "one inside"
  forall p: Proc do forall q: Proc do
    p != q & at[p] = Inside -> at[q] != Inside & at[q] != Leaving
  end end;

invariant "the holder or its queue has the tail"
  isundefined(tail) -> forall p: Proc do at[p] = Outside | at[p] = Swapping end;
