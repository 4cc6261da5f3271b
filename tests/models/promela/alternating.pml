// Alternating bits over channels that lose messages: both sides go on for ever.
// expect: verdict=holds states=208 transitions=422 levels=30 deadlocks=0 exit=0
mtype = { message, answer };
chan to_receiver = [1] of { mtype, bit };
chan to_sender = [1] of { mtype, bit };

active proctype Sender() {
  bit sent, got;
  do
  :: to_receiver!message(sent)
  :: to_receiver?_,_ // lost
  :: to_sender?answer(got) ->
     if
     :: got == sent -> sent = 1 - sent
     :: else
     fi
  od
}

active proctype Receiver() {
  bit bit_seen, expected;
  do
  :: to_receiver?message(bit_seen) ->
     to_sender!answer(bit_seen)
     if
     :: bit_seen == expected -> expected = 1 - expected
     :: else -> skip
     fi
  od
}
