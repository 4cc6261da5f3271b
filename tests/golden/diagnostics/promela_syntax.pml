/* Mistakes in the grammar: the next unit is read again. */
byte x
active proctype A() {
  if
  :: x == -> skip
  fi
}
active proctype B() {
  do :: x++ fi
}
active proctype C() { x = 1 x = 2 }
init { c_code { x = 1; } }
never { do :: x = 1 od }
ltl p { [] (x == 1 }
