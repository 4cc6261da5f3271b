-- A linked list that is distributed over cells, as the sharing lists of directory protocols are (D.
-- V. James and others, Distributed-directory scheme: Scalable Coherent Interface, IEEE Computer
-- 23(6), 1990): every cell knows its successor, the home knows the first cell. Cells come at the
-- front; who goes is looked for from the front on, and its predecessor or the home takes over its
-- successor. The network is a bag of messages without any order, and a message that comes too early
-- waits there. rumur has neither unions nor multisets: the counts are those of a program written
-- for this protocol alone, and its states up to renaming of cells; --paranoid agrees.
-- expect: verdict=holds states=210 transitions=538 deadlocks=0 exit=0
-- expect: options "--symmetry off" verdict=holds states=1196 transitions=3054 deadlocks=0 exit=0
const Cells: 3;
      Room: Cells + 1;      -- messages under way: one per cell, and one of the search
type Cell: scalarset(Cells);
     Home: enum {Directory};
     Node: union {Cell, Home};
     Place: enum {Out, Coming, In, Going};
     Kind: enum {Come, Welcome, Go, Find, Give, Next, Done};
     Message: record
       kind: Kind;
       target: Node;
       from: Node;
       cell: Cell;      -- whom it is about; undefined at the end of the list
     end;
var net: multiset [Room] of Message;
    at: array [Cell] of Place;
    next: array [Cell] of Cell;
    first: Cell;
    busy: boolean;      -- the home waits for the end of a removal

procedure send(kind: Kind; from: Node; target: Node; cell: Cell);
var m: Message;
begin
  m.kind := kind;
  m.from := from;
  m.target := target;
  m.cell := cell;
  multisetadd(m, net);
end;

procedure at_home(kind: Kind; from: Node; cell: Cell);
begin
  switch kind
  case Come:
    send(Welcome, Directory, from, first);
    first := from;
  case Go:
    busy := true;
    if first = from then send(Give, Directory, from, undefined);
    else send(Find, Directory, first, from);
    end;
  case Next:
    first := cell;
    busy := false;
  case Done:
    busy := false;
  else
    error "the home got what is not for it";
  end;
end;

procedure at_cell(c: Cell; kind: Kind; from: Node; cell: Cell);
begin
  switch kind
  case Welcome:
    next[c] := cell;
    at[c] := In;
  case Find:
    assert !isundefined(next[c]) "the cell is not on the list";
    if next[c] = cell then send(Give, c, cell, undefined);
    else send(Find, Directory, next[c], cell);
    end;
  case Give:
    assert at[c] = Going "only who goes is cut out";
    send(Next, c, from, next[c]);
    undefine next[c];
    at[c] := Out;
  case Next:
    next[c] := cell;
    send(Done, c, Directory, undefined);
  else
    error "a cell got what is not for it";
  end;
end;

startstate
begin
  undefine net;
  undefine first;
  undefine next;
  busy := false;
  for c: Cell do at[c] := Out; end;
end;

ruleset c: Cell do
  rule "come" at[c] = Out ==>
  begin
    at[c] := Coming;
    send(Come, c, Directory, undefined);
  end;

  rule "go" at[c] = In ==>
  begin
    at[c] := Going;
    send(Go, c, Directory, undefined);
  end;
end;

choose i: net do
  alias m: net[i] do
    rule "deliver to the home"
      ismember(m.target, Home) & (busy -> m.kind = Next | m.kind = Done)
    ==>
    var got: Message;
    begin
      got := m;
      multisetremove(i, net);
      at_home(got.kind, got.from, got.cell);
    end;

    ruleset c: Cell do
      rule "deliver to a cell"
        m.target = c & (at[c] = Coming -> m.kind = Welcome)
      ==>
      var got: Message;
      begin
        got := m;
        multisetremove(i, net);
        at_cell(c, got.kind, got.from, got.cell);
      end;
    end;
  end;
end;

invariant "no two have one successor"
  forall c: Cell do forall d: Cell do
    c != d & !isundefined(next[c]) -> next[c] != next[d]
  end end;

invariant "nobody follows itself" forall c: Cell do next[c] != c end;

invariant "who is out is on no list, unless it is being cut out"
  !busy -> forall c: Cell do
    at[c] = Out -> first != c & forall d: Cell do next[d] != c end
  end;
