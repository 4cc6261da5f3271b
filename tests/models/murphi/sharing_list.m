-- Cache coherence by a doubly linked list of the copies, much reduced from the Scalable Coherent
-- Interface (D. V. James and others, IEEE Computer 23(6), 1990). The home knows the newest cell
-- only. A cell that comes is told its predecessor in time, tells that one to stand behind it, and
-- gets the data from there. Only the front cell stores: it purges the list behind it, cell by cell.
-- The last cell alone on the list can give its data back to the home, unless another one has come
-- meanwhile. Every message has a slot of its own for each cell. The counts are those of rumur,
-- without symmetry and with exhaustive symmetry.
-- expect: verdict=holds states=534 transitions=1490 deadlocks=0 exit=0
-- expect: options "--symmetry off" verdict=holds states=2982 transitions=8178 deadlocks=0 exit=0
const Cells: 3;
      Values: 2;
type Cell: scalarset(Cells);
     Value: 1..Values;
     Place: enum {Invalid, Asking, Linking, Valid, Purging, Leaving};
     Reply: enum {Granted, Refused};
     Entry: record place: Place; ahead: Cell; behind: Cell; data: Value; end;
     Told: record full: boolean; behind: Cell; data: Value; end;      -- by the home or a cell
     Purged: record full: boolean; behind: Cell; end;
var cell: array [Cell] of Entry;
    ask: array [Cell] of boolean;         -- to the home: who is the front?
    told: array [Cell] of Told;
    link: array [Cell] of Cell;           -- to a cell: who comes before it
    answer: array [Cell] of Told;
    purge: array [Cell] of Cell;          -- to a cell: who purges
    purged: array [Cell] of Purged;
    leave: array [Cell] of boolean;       -- to the home, with the data of the cell
    reply: array [Cell] of Reply;
    front: Cell;
    memory: Value;
    latest: Value;                        -- what the last store wrote, for the property only

procedure invalidate(c: Cell);
begin
  undefine cell[c];
  cell[c].place := Invalid;
end;

procedure empty(var m: Told);
begin
  undefine m;
  m.full := false;
end;

ruleset v: Value do
  startstate
  begin
    undefine link;
    undefine purge;
    undefine purged;
    undefine reply;
    undefine front;
    for c: Cell do
      invalidate(c);
      ask[c] := false;
      leave[c] := false;
      empty(told[c]);
      empty(answer[c]);
      purged[c].full := false;
    end;
    memory := v;
    latest := v;
  end;
end;

ruleset c: Cell do
  alias me: cell[c] do
    rule "want a copy" me.place = Invalid ==>
    begin
      me.place := Asking;
      ask[c] := true;
    end;

    rule "home: a new front" ask[c] ==>
    begin
      ask[c] := false;
      told[c].full := true;
      if isundefined(front) then told[c].data := memory; else told[c].behind := front; end;
      front := c;
    end;

    rule "alone on the list" told[c].full & isundefined(told[c].behind) ==>
    begin
      me.place := Valid;
      me.data := told[c].data;
      empty(told[c]);
    end;

    rule "link" told[c].full & !isundefined(told[c].behind) ==>
    begin
      me.place := Linking;
      me.behind := told[c].behind;
      link[me.behind] := c;
      empty(told[c]);
    end;

    -- Who still comes, purges or asks to leave lets the new front wait.
    rule "stand behind" me.place = Valid & !isundefined(link[c]) ==>
    begin
      me.ahead := link[c];
      answer[me.ahead].full := true;
      answer[me.ahead].data := me.data;
      undefine link[c];
    end;

    rule "linked" me.place = Linking & answer[c].full ==>
    begin
      me.place := Valid;
      me.data := answer[c].data;
      empty(answer[c]);
    end;

    rule "begin to purge" me.place = Valid & isundefined(me.ahead) & !isundefined(me.behind) ==>
    begin
      me.place := Purging;
      purge[me.behind] := c;
    end;

    rule "be purged" !isundefined(purge[c]) ==>
    var purger: Cell;
    begin
      assert me.place = Valid "only a settled cell has one ahead";
      purger := purge[c];
      purged[purger].full := true;
      if !isundefined(me.behind) then purged[purger].behind := me.behind; end;
      undefine purge[c];
      invalidate(c);
    end;

    rule "purge on" me.place = Purging & purged[c].full ==>
    begin
      if isundefined(purged[c].behind) then
        undefine me.behind;
        me.place := Valid;
      else
        me.behind := purged[c].behind;
        purge[me.behind] := c;
      end;
      undefine purged[c];
      purged[c].full := false;
    end;

    ruleset v: Value do
      rule "store" me.place = Valid & isundefined(me.ahead) & isundefined(me.behind) ==>
      begin
        me.data := v;
        latest := v;
      end;
    end;

    rule "ask to leave" me.place = Valid & isundefined(me.ahead) & isundefined(me.behind) ==>
    begin
      me.place := Leaving;
      leave[c] := true;
    end;

    rule "home: may it leave?" leave[c] ==>
    begin
      leave[c] := false;
      if front = c then
        memory := me.data;
        undefine front;
        reply[c] := Granted;
      else
        reply[c] := Refused;
      end;
    end;

    rule "leave or stay" !isundefined(reply[c]) ==>
    begin
      if reply[c] = Granted then invalidate(c); else me.place := Valid; end;
      undefine reply[c];
    end;
  end;
end;

invariant "copies are up to date"
  forall c: Cell do cell[c].place = Valid -> cell[c].data = latest end;

invariant "memory is up to date" isundefined(front) -> memory = latest;

-- While a cell is purged, the front still names it.
invariant "no two settled cells have one cell behind them"
  forall c: Cell do forall d: Cell do
    c != d & cell[c].place = Valid & cell[d].place = Valid &
    !isundefined(cell[c].behind) & !isundefined(cell[d].behind) ->
    cell[c].behind != cell[d].behind
  end end;
