/* Go-back-N over a line that loses messages; window.dve is the same in DVE. One d_step is one
   transition there. A send inside a d_step must not block, hence nfull in its guard. */
chan line = [3] of { byte, byte };
chan acks = [2] of { byte };

active proctype Sender() {
  byte base, used, at, kept[4], got;
  do
  :: d_step { used < 3 -> kept[(base + used) % 4] = 0; used = used + 1 }
  :: d_step { used < 3 -> kept[(base + used) % 4] = 1; used = used + 1 }
  :: d_step { at < used && nfull(line) ->
       line!kept[(base + at) % 4], (base + at) % 4; at = at + 1 }
  :: d_step { at > 0 -> at = 0 }
  :: d_step { acks?got; got = (got + 4 - base) % 4 };
    if
    :: d_step { got > used -> got = 0 }
    :: d_step { got <= used && got <= at ->
         base = (base + got) % 4; used = used - got; at = at - got; got = 0 }
    :: d_step { got <= used && got > at ->
         base = (base + got) % 4; used = used - got; at = 0; got = 0 }
    fi
  od
}

active proctype Receiver() {
  byte expected, number, value, last;
  do
  :: line?value, number;
    if
    :: d_step { number == expected ->
         expected = (expected + 1) % 4; last = value; number = 0; value = 0 }
    :: d_step { number != expected -> number = 0; value = 0 }
    fi;
    acks!expected
  od
}

active proctype Loss() {
  byte a, b;
  do
  :: d_step { line?a, b; a = 0; b = 0 }
  :: d_step { acks?a; a = 0 }
  od
}
