-- Large states: a directory protocol in the manner of D. Lenoski and others, The directory-based
-- cache coherence protocol for the DASH multiprocessor, ISCA 1990, whose lines and messages carry
-- data, word by word. The home of a block sends requests for a block that another cluster has
-- changed on to that one, which answers the requester itself; a cluster that wants to store gets
-- acknowledgements of all invalidations from the sharers. Copies that are not changed are given up
-- without notice. Reduced: there are no write-backs without a request and no refusals (a block that
-- is handed over is busy at the home), and an order of the home waits for the reply that is before
-- it. The counts are those of rumur, without symmetry and with exhaustive symmetry, whatever Words
-- is. With 110 words a state has 1022 bytes, two less than the limit.
-- expect: verdict=holds states=1124 transitions=3618 deadlocks=0 exit=0
-- expect: options "--symmetry off" verdict=holds states=6120 transitions=19227 deadlocks=0 exit=0
-- expect: options "--symmetry off --ltl 'G (\"stamp[1]\" -> F \"!stamp[1]\")'" verdict=violated kind=accepting-cycle exit=1
const Clusters: 3;
      Blocks: 1;
      Words: 110;
type Cluster: scalarset(Clusters);
     Block: 1..Blocks;
     Word: 0..Words - 1;
     Line: array [Word] of 0..255;
     Count: 0..Clusters;
     Copy: enum {Invalid, Shared, Dirty};
     Wish: enum {Nothing, Read, Write};
     Order: enum {Fetch, Take, Drop};
     Owned: enum {Free, Sharing, Changed, Busy};
     Entry: record
       owned: Owned;
       owner: Cluster;
       sharer: array [Cluster] of boolean;
       line: Line;
     end;
     Cached: record copy: Copy; wish: Wish; line: Line; end;
     Reply: record full: boolean; copy: Copy; due: Count; line: Line; end;
     Forward: record full: boolean; order: Order; requester: Cluster; end;
     Notice: record full: boolean; copy: Copy; requester: Cluster; line: Line; end;
var home: array [Block] of Entry;
    cache: array [Cluster] of array [Block] of Cached;
    request: array [Cluster] of array [Block] of Wish;
    forward: array [Cluster] of array [Block] of Forward;
    reply: array [Cluster] of array [Block] of Reply;
    acks: array [Cluster] of array [Block] of Count;      -- how many have come
    notice: array [Block] of Notice;                      -- to the home: a block was handed over
    stamp: array [Block] of boolean;                      -- of the last store, for the property

-- A line whose words all tell the stamp.
procedure fill(var line: Line; odd: boolean);
begin
  for w: Word do line[w] := (w * 2 + (odd ? 1 : 0)) % 256; end;
end;

procedure drop(c: Cluster; b: Block);
begin
  cache[c][b].copy := Invalid;
  undefine cache[c][b].line;
end;

procedure answer(c: Cluster; b: Block; copy: Copy; due: Count; line: Line);
begin
  reply[c][b].full := true;
  reply[c][b].copy := copy;
  reply[c][b].due := due;
  reply[c][b].line := line;
  request[c][b] := Nothing;
end;

procedure command(target: Cluster; b: Block; what: Order; requester: Cluster);
begin
  forward[target][b].full := true;
  forward[target][b].order := what;
  forward[target][b].requester := requester;
end;

startstate
begin
  undefine home;
  undefine forward;
  undefine reply;
  undefine notice;
  for b: Block do
    home[b].owned := Free;
    for c: Cluster do home[b].sharer[c] := false; end;
    fill(home[b].line, false);
    notice[b].full := false;
    stamp[b] := false;
    for c: Cluster do
      drop(c, b);
      cache[c][b].wish := Nothing;
      request[c][b] := Nothing;
      forward[c][b].full := false;
      reply[c][b].full := false;
      acks[c][b] := 0;
    end;
  end;
end;

ruleset c: Cluster; b: Block do
  alias entry: home[b]; mine: cache[c][b]; got: reply[c][b]; told: forward[c][b] do
    rule "wish to read" mine.wish = Nothing & mine.copy = Invalid ==>
    begin
      mine.wish := Read;
      request[c][b] := Read;
    end;

    rule "wish to write" mine.wish = Nothing & mine.copy != Dirty ==>
    begin
      mine.wish := Write;
      request[c][b] := Write;
    end;

    rule "give up a copy" mine.wish = Nothing & mine.copy = Shared ==>
    begin drop(c, b); end;

    rule "home: read" request[c][b] = Read & (entry.owned = Free | entry.owned = Sharing) ==>
    begin
      entry.owned := Sharing;
      entry.sharer[c] := true;
      answer(c, b, Shared, 0, entry.line);
    end;

    -- Orders to all other sharers leave in one step, when no slot is taken.
    rule "home: write"
      request[c][b] = Write & (entry.owned = Free | entry.owned = Sharing) &
      forall d: Cluster do !forward[d][b].full end
    ==>
    var due: Count;
    begin
      due := 0;
      for d: Cluster do
        if d != c & entry.sharer[d] then
          command(d, b, Drop, c);
          due := due + 1;
        end;
        entry.sharer[d] := false;
      end;
      answer(c, b, Dirty, due, entry.line);
      entry.owned := Changed;
      entry.owner := c;
      undefine entry.line;
    end;

    rule "home: send a request on"
      request[c][b] != Nothing & entry.owned = Changed & !forward[entry.owner][b].full
    ==>
    begin
      if request[c][b] = Read then command(entry.owner, b, Fetch, c);
      else command(entry.owner, b, Take, c);
      end;
      request[c][b] := Nothing;
      entry.owned := Busy;
    end;

    rule "invalidate" told.full & told.order = Drop & !got.full ==>
    begin
      drop(c, b);
      acks[told.requester][b] := acks[told.requester][b] + 1;
      undefine told;
      told.full := false;
    end;

    rule "hand over" told.full & told.order != Drop & mine.copy = Dirty & !notice[b].full ==>
    begin
      notice[b].full := true;
      notice[b].requester := told.requester;
      if told.order = Fetch then
        notice[b].copy := Shared;
        notice[b].line := mine.line;
        answer(told.requester, b, Shared, 0, mine.line);
        mine.copy := Shared;
      else
        notice[b].copy := Dirty;
        answer(told.requester, b, Dirty, 0, mine.line);
        drop(c, b);
      end;
      undefine told;
      told.full := false;
    end;

    rule "home: handed over" notice[b].full & entry.owner = c ==>
    begin
      if notice[b].copy = Shared then
        entry.owned := Sharing;
        entry.line := notice[b].line;
        entry.sharer[c] := true;
        entry.sharer[notice[b].requester] := true;
        undefine entry.owner;
      else
        entry.owned := Changed;
        entry.owner := notice[b].requester;
      end;
      undefine notice[b];
      notice[b].full := false;
    end;

    rule "get a copy" got.full & got.due = acks[c][b] ==>
    begin
      mine.copy := got.copy;
      mine.line := got.line;
      mine.wish := Nothing;
      acks[c][b] := 0;
      undefine got;
      got.full := false;
    end;

    rule "store" mine.copy = Dirty ==>
    begin
      stamp[b] := !stamp[b];
      fill(mine.line, stamp[b]);
    end;
  end;
end;

invariant "a changed copy is the only one"
  forall b: Block do forall c: Cluster do forall d: Cluster do
    c != d & cache[c][b].copy = Dirty -> cache[d][b].copy = Invalid
  end end end;

invariant "words are those of the last store"
  forall b: Block do forall c: Cluster do
    cache[c][b].copy != Invalid ->
    forall w: Word do cache[c][b].line[w] = (w * 2 + (stamp[b] ? 1 : 0)) % 256 end
  end end;
