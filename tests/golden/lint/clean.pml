// Nothing to say.
mtype = { req, ack };
chan to = [1] of { mtype, bit };
chan from = [0] of { mtype, bit };

active proctype Sender() {
  bit number, answer;
end:
  do
  :: to!req, number;
     from?ack, answer;
     if
     :: answer == number -> number = 1 - number
     :: else
     fi
  od
}

active proctype Receiver() {
  bit number;
end:
  do
  :: to?req, number -> from!ack, number
  od
}
