// Statements that are never executed.
byte x;

proctype Nobody() {
  x = 1
}

active proctype P() {
  do
  :: x < 5 -> x = x + 1
  :: x >= 5 -> goto out
  od;
  x = 7;
  x = 8;
out:
  if
  :: x > 9 -> x = 0
  :: else -> skip
  fi;
  if
  :: true -> skip
  :: else -> x = 2
  fi;
  d_step {
    if
    :: skip
    :: else -> x = 3
    fi
  };
  goto last;
  x = 9;
last:
  assert(x < 9)
}
