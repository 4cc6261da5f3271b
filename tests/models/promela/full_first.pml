// What is sent is not asked for where the channel is full: the index is an error only later.
// expect: verdict=holds states=6 transitions=5 levels=6 deadlocks=0
byte i = 5;
byte a[2];
chan c = [1] of { byte };
active proctype P() {
  c!1;
  if
  :: c!a[i]
  :: i = 0
  fi;
  assert(i == 0);
  c?_
}
