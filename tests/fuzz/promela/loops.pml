byte x;
active proctype A() {
  do
  :: do :: x > 1 -> break :: else -> goto deep od
  :: { atomic { x = 1; { x = 2 } unless { x == 3 -> deep: x = 4 } }; x = 5 } unless { x == 7; x = 8 }
  :: break
  od;
progress: goto last;
  x = 2;
last:
}
