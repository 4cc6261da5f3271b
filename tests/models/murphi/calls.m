-- Values, references, results, recursion and a while loop. By hand: n goes 0, 1, 3, 6, 10 and stays.
-- expect: verdict=violated kind=deadlock states=5 transitions=5 deadlocks=1 prefix=4 exit=1
-- expect: options "--deadlock off" verdict=holds states=5 transitions=5 exit=0
-- expect: options "--deadlock off --reach 'n = 6 & depth = 3'" verdict=violated kind=goal prefix=3 exit=1
type Number: 0..20;
     Pair: record low: Number; high: Number; end;
var n: Number; depth: 0..4; pair: Pair;

function sum(upto: Number): Number;
begin
  if upto = 0 then return 0; end;
  return upto + sum(upto - 1);
end;

function ordered(a: Number; b: Number): Pair;
var made: Pair;
begin
  if a < b then made.low := a; made.high := b;
  else made.low := b; made.high := a;
  end;
  return made;
end;

procedure swap(var a: Number; var b: Number);
var kept: Number;
begin
  assert isundefined(kept) "locals begin undefined";
  kept := a; a := b; b := kept;
end;

procedure halve(var x: Number; p: Pair);
begin
  while x > p.low do x := x - 1; end;
end;

startstate
begin
  n := 0; depth := 0; pair := ordered(7, 3);
  assert pair.low = 3 & pair.high = 7;
  swap(pair.low, pair.high);
  assert pair.low = 7 & pair.high = 3;
  halve(pair.low, ordered(pair.low, pair.high));
  assert pair.low = 3;
end;

rule "next"
begin
  if depth < 4 then depth := depth + 1; end;
  n := sum(depth);
end;
