// References to places and variables of another process, and a goto that is a place because somebody
// looks at its label. The worker may go on between the look and the assertion, which fails then.
// expect: verdict=violated kind=assertion states=44 transitions=60 levels=17 deadlocks=0 prefix=11 exit=1
active proctype Worker() {
  byte turn;
start:
  turn = (turn + 1) % 3;
  if
  :: turn > 0 ->
busy: skip
  :: else
  fi;
away: goto start
}

active proctype Watcher() {
  Worker[0]@busy -> assert(Worker[0]:turn > 0);
  Worker@away
end:
  false
}
