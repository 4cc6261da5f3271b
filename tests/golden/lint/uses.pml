// Variables, channels and labels without a use.
mtype = { go };
byte unused, only_written, read;
hidden byte scratch;
typedef Pair { byte a; byte b };
Pair pair, whole;
chan both = [1] of { mtype };
chan only_sent = [1] of { byte };
chan only_received = [1] of { byte };
chan nothing = [1] of { byte };
chan many[2] = [1] of { byte };

proctype Q(chan c; byte extra) {
  byte mine, taken;
  c?go;
  only_received?taken;
  many[0]?taken
}

active proctype P() {
unused_label:
  only_written = read;
  pair.a = 1;
  scratch = 1;
progress_label:
  if
  :: goto there
  :: W@watched -> run W()
  fi;
there:
  only_sent!1;
  many[0]!whole.b;
  run Q(both, 3);
  both!go
}

proctype W() {
watched:
  skip
}
