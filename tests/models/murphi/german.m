-- A directory-based cache-coherence protocol, after the exercise that S. German gave to tools for
-- parametric verification (as in A. Pnueli, S. Ruah and L. Zuck, Automatic deductive verification
-- with invisible invariants, TACAS 2001). The home serves one request at a time: it recalls copies,
-- waits for the answers and grants. Each client has three channels of one message. A client that
-- holds a copy can lose it only on a recall. The counts are those of rumur, without symmetry and
-- with exhaustive symmetry.
-- expect: verdict=holds states=1704 transitions=4982 deadlocks=0 exit=0
-- expect: options "--symmetry off" verdict=holds states=3390 transitions=9912 deadlocks=0 exit=0
const Clients: 2;
      Values: 2;
type Client: scalarset(Clients);
     Value: 1..Values;
     Copy: enum {None, Shared, Exclusive};
     Ask: enum {NoAsk, AskShared, AskExclusive};
     Order: enum {NoOrder, Recall, GrantShared, GrantExclusive};
     Line: record copy: Copy; data: Value; end;
     Down: record order: Order; data: Value; end;
     Up: record full: boolean; data: Value; end;      -- data only from an exclusive copy
var cache: array [Client] of Line;
    ask: array [Client] of Ask;
    down: array [Client] of Down;
    up: array [Client] of Up;
    memory: Value;
    latest: Value;                          -- what the last store wrote, for the property only
    owned: boolean;                         -- the home has granted an exclusive copy
    sharer: array [Client] of boolean;      -- who may have a copy
    to_recall: array [Client] of boolean;
    serving: Ask;
    served: Client;

ruleset v: Value do
  startstate
  begin
    for c: Client do
      cache[c].copy := None;
      undefine cache[c].data;
      ask[c] := NoAsk;
      down[c].order := NoOrder;
      undefine down[c].data;
      up[c].full := false;
      undefine up[c].data;
      sharer[c] := false;
      to_recall[c] := false;
    end;
    memory := v;
    latest := v;
    owned := false;
    serving := NoAsk;
    undefine served;
  end;
end;

procedure grant(order: Order);
begin
  down[served].order := order;
  down[served].data := memory;
  sharer[served] := true;
  owned := order = GrantExclusive;
  serving := NoAsk;
  undefine served;
end;

ruleset c: Client do
  rule "ask for a shared copy" cache[c].copy = None & ask[c] = NoAsk ==>
  begin ask[c] := AskShared; end;

  rule "ask for an exclusive copy" cache[c].copy != Exclusive & ask[c] = NoAsk ==>
  begin ask[c] := AskExclusive; end;

  rule "take up a request" serving = NoAsk & ask[c] != NoAsk ==>
  begin
    serving := ask[c];
    served := c;
    ask[c] := NoAsk;
    for d: Client do to_recall[d] := sharer[d]; end;
  end;

  rule "recall"
    to_recall[c] & down[c].order = NoOrder & (serving = AskExclusive | serving = AskShared & owned)
  ==>
  begin
    down[c].order := Recall;
    to_recall[c] := false;
  end;

  rule "give up the copy" down[c].order = Recall & !up[c].full ==>
  begin
    up[c].full := true;
    if cache[c].copy = Exclusive then up[c].data := cache[c].data; end;
    cache[c].copy := None;
    undefine cache[c].data;
    down[c].order := NoOrder;
  end;

  rule "the copy is back" serving != NoAsk & up[c].full ==>
  begin
    if owned then memory := up[c].data; end;
    owned := false;
    sharer[c] := false;
    up[c].full := false;
    undefine up[c].data;
  end;

  rule "get a copy" down[c].order = GrantShared | down[c].order = GrantExclusive ==>
  begin
    if down[c].order = GrantShared then cache[c].copy := Shared;
    else cache[c].copy := Exclusive;
    end;
    cache[c].data := down[c].data;
    down[c].order := NoOrder;
    undefine down[c].data;
  end;

  ruleset v: Value do
    rule "store" cache[c].copy = Exclusive ==>
    begin
      cache[c].data := v;
      latest := v;
    end;
  end;
end;

rule "grant a shared copy" serving = AskShared & !owned & down[served].order = NoOrder ==>
begin grant(GrantShared); end;

rule "grant an exclusive copy"
  serving = AskExclusive & down[served].order = NoOrder & forall c: Client do !sharer[c] end ==>
begin grant(GrantExclusive); end;

invariant "an exclusive copy is the only one"
  forall c: Client do forall d: Client do
    c != d & cache[c].copy = Exclusive -> cache[d].copy = None
  end end;

invariant "copies are up to date"
  forall c: Client do cache[c].copy != None -> cache[c].data = latest end;

invariant "memory is up to date" !owned -> memory = latest;
