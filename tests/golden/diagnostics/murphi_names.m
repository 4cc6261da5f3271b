-- Names that are not there, or are something else.
type Cell: 0..2;
var cells: array [Cell] of boolean; x: Cell;
procedure Send(a: Cell); begin end;
startstate begin Cells[0] := true; cell := 1; end;
rule "r" cells[y] ==> var x: Cell; x: boolean; begin
  Cell := 1; Send := 2; send(x); x(1); Send(x, y); x := Send(1);
end;
invariant cells;
