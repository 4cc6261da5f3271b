// A process that waits at a d_step cannot move, whatever the first statement of that is: High does
// not keep Low from moving, and the claim sees that the system waits for `timeout`.
// expect: options "--property none" verdict=holds
// expect: options "--property waits" verdict=violated kind=accepting-cycle
byte x;
chan c = [1] of { byte };
active proctype High() priority 2 {
  d_step { c?x; x = 2 };
  d_step { if :: x == 3 -> x = 4 :: x == 5 -> x = 6 fi }
}
active proctype Low() priority 1 {
  c!1;
  x = 3;
  timeout
}
never none_such { do :: x == 7 -> break :: else od }
never waits { do :: true :: timeout -> break od; accept: do :: true od }
