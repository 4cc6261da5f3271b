// What stands still for ever makes no cycle without progress, but one through the accept label that
// it stands at, as SPIN has it.
// expect: options "--property progress" verdict=holds
// expect: options "--property accept" verdict=violated kind=accepting-cycle
// expect: verdict=violated kind=deadlock states=3 transitions=2
byte x;
active proctype P() {
progress:
  x = 1;
  x = 2;
accept:
  x == 3
}
