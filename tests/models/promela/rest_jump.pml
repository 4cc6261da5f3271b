// In front of the last statement of an atomic, and at a jump out of it, a sender rests, too.
// expect: verdict=violated kind=deadlock states=21 transitions=31
byte x;
chan c = [0] of { byte };

active [2] proctype P() {
  do
  :: atomic {
      x == 0;
      if
      :: c!1; goto out
      :: if :: c!2 :: c?2 fi
      :: c?1
      :: do :: c!3; break :: c?3; break od
      fi;
      x < 5
    }
  od;
out:
  skip
}
