// The claim ends when both processes have left their first place. Two never claims have names.
// expect: options "--property none" verdict=holds states=10 transitions=13 levels=6 deadlocks=0 exit=0
// expect: options "--property both" verdict=violated kind=claim-end states=11 transitions=12 levels=5 prefix=3 exit=1
// expect: options "--property quiet" verdict=holds states=10 transitions=14 levels=6 exit=0
byte x, y;
active proctype P() { x = 1; x = 2 }
active proctype Q() { y = 1 }
never both { do :: x > 0 && y > 0 -> break :: else od }
never quiet { do :: x < 3 od }
