-- Local arrays and records: indexed, handed over by reference, copied, and longer than a few leaves.
-- By hand: the first rule turns row once around, so that there are three states of it; the others
-- change nothing, and fail if a local variable does not hold what it should.
-- expect: verdict=holds states=3 transitions=12 exit=0
type Digit: 0..9;
     Index: 0..2;
     Long: 0..69;
     Row: array [Index] of Digit;
     Cell: record row: Row; mark: boolean; end;
     Table: array [Index] of Cell;
     Many: array [Long] of Digit;
var row: Row; table: Table; many: Many;

procedure set(var at: Row; i: Index; v: Digit);
begin
  at[i] := v;
end;

function turned(r: Row): Row;
var made: Row;
begin
  for i: Index do made[(i + 1) % 3] := r[i]; end;
  return made;
end;

procedure count(var total: Digit; depth: Digit);
begin
  if depth > 0 then
    total := total + 1;
    count(total, depth - 1);
  end;
end;

startstate
begin
  for i: Index do
    row[i] := i;
    alias cell: table[i] do
      cell.mark := i = 1;
      for k: Index do cell.row[k] := 3 * i + k; end;
    end;
  end;
  for i: Long do many[i] := i % 10; end;
end;

rule "turn"
begin
  row := turned(row);
end;

rule "by reference"
var local: Row; total: Digit;
begin
  for i: Index do set(local, i, 9 - i); end;
  set(local, row[0], 4);
  assert local[row[0]] = 4;
  for i: Index do assert i = row[0] | local[i] = 9 - i; end;
  total := 2;
  count(total, 5);
  assert total = 7;
end;

rule "copies"
var cells: Table; one: Cell;
begin
  cells := table;
  for i: Index do
    one := cells[row[i]];
    assert one.row[row[i]] = 4 * row[i] & one.mark = (row[i] = 1);
  end;
  for i: Index do
    undefine cells[i].row;
    assert isundefined(cells[i].row[2]) & !isundefined(table[i].row[2]);
  end;
  cells[row[1]] := table[row[2]];
  assert cells[row[1]].row[0] = 3 * row[2];
end;

rule "long"
var copy: Many;
begin
  copy := many;
  for i: Long do assert copy[i] = i % 10; end;
  clear copy;
  copy[row[0] * 20] := 5;
  assert copy[row[0] * 20] = 5 & copy[69] = 0;
end;
