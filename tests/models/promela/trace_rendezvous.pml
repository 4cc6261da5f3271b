// A rendezvous is a send and then a receive; an offer that nobody takes is neither, which is not
// what SPIN says. Channels of an array are told apart, one of them by a variable.
// expect: verdict=violated kind=trace states=13 transitions=12 prefix=5 exit=1
// expect: options "--define CLEAR=1" verdict=holds states=11 transitions=11 levels=9 exit=0
// expect: options "--define TWICE=1" verdict=violated kind=model-error states=9 prefix=5 exit=1
chan c[2] = [0] of { byte };
byte which = 1;

active proctype P() {
  atomic { c[0]!1; c[1]!2 }
  if
  :: c[0]!3
  :: c[1]!4
  fi
}

active proctype Q() {
  byte x;
  do
  :: c[0]?x -> if :: x == 3 -> break :: else fi
  :: c[1]?x -> if :: x == 4 -> break :: else fi
  od
}

trace {
  c[0]!1; c[0]?_; c[which]!2; c[1]?2;
#ifdef CLEAR
  do
  :: c[0]!_; c[0]?3
  :: c[1]!4; c[1]?_
  od
#endif
#ifdef TWICE
  if
  :: c[0]!3; c[0]?3
  :: c[0]!_; c[0]?_
  fi
#endif
  c[0]!3; c[0]?3
}
