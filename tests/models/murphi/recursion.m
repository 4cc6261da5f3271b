-- At most 64 calls are inside each other, whichever routines they call; a step that a call abandons
-- is none. By hand: sum(n) makes n + 2 calls inside each other, so that "deeper" leads up to level 63
-- and fails there. "abandoned" is a step everywhere that changes nothing, "never" is none.
-- expect: verdict=violated kind=model-error states=64 transitions=127 prefix=64 exit=1
type Level: 0..99;
var level: Level;

function plain(n: Level): Level;
begin
  return n;
end;

function sum(n: Level): Level;
begin
  if n = 0 then return plain(n); end;
  return sum(n - 1);
end;

function upto(n: Level; limit: Level): boolean;
begin
  assume n <= limit;
  if n = 0 then return true; end;
  return upto(n - 1, limit);
end;

startstate begin level := 0; end;

rule "deeper"
begin
  level := level + 1 + sum(level);
end;

rule "abandoned"
begin
  if upto(level % 4, 3) & !upto(0, 0) then level := 0; end;
end;

rule "never"
begin
  if upto(level % 4 + 1, level % 4) then level := 0; end;
end;
