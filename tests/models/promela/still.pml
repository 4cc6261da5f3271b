// In a claim np_ is false where no process can move, with timeouts or without, as SPIN has it;
// conditions are true there for ever.
// expect: options "--property without" verdict=holds
// expect: options "--property still" verdict=violated kind=accepting-cycle
// expect: options "--property none" verdict=violated kind=deadlock states=4 transitions=3
byte x;
active proctype P() {
progress:
  x = 1;
  timeout;
  x = 2;
  x == 3
}
never without { do :: true :: np_ -> break od; accept: do :: np_ od }
never still { do :: true :: x == 2 -> break od; accept: do :: x == 2 od }
