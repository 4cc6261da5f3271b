-- The public-key protocol of R. M. Needham and M. D. Schroeder (CACM 21(12), 1978) among
-- initiators, responders and a spy who reads what is encrypted for it, and who sends whatever it
-- can make or has seen. G. Lowe, Breaking and fixing the Needham-Schroeder public-key protocol
-- using FDR, TACAS 1996: the spy gets a responder to believe that it talks to an initiator who
-- talks to the spy; the fix is the responder's name in the second message. Both protocols are
-- searched, each from its own start states; of the first version Lowe's attack must be found in 4
-- steps, and no error of the second. The counts, and the attack with its length, are those of
-- rumur.
-- The agents: 1..Initiators, then responders, then the spy. A nonce is called by the name of who
-- made it. What was sent follows from the sender's state, so that the network needs no variables.
-- expect: verdict=holds states=760 transitions=2518 deadlocks=0 exit=0
-- expect: options "--invariant 'forall r: Responder do session[r].phase = Committed & session[r].partner <= Initiators -> session[session[r].partner].phase != Idle & session[session[r].partner].partner = r end'" verdict=violated kind=invariant prefix=4 exit=1
const Initiators: 2;
      Responders: 1;
      Spy: Initiators + Responders + 1;
type Agent: 1..Spy;
     Honest: 1..Spy - 1;
     Initiator: 1..Initiators;
     Responder: Initiators + 1..Spy - 1;
     Phase: enum {Idle, Waiting, Committed};
     Session: record
       phase: Phase;
       partner: Agent;     -- with whom it believes to talk
       nonce: Agent;       -- the nonce that it got
     end;
var session: array [Honest] of Session;
    known: array [Agent] of boolean;      -- the nonces that the spy knows
    fixed: boolean;

ruleset f: boolean do
  startstate
  begin
    undefine session;
    for a: Honest do session[a].phase := Idle; end;
    for a: Agent do known[a] := a = Spy; end;
    fixed := f;
  end;
end;

-- Message 1: the initiator's nonce and name, for the partner.
ruleset i: Initiator; a: Agent do
  rule "open" session[i].phase = Idle & i != a ==>
  begin
    session[i].phase := Waiting;
    session[i].partner := a;
    if a = Spy then known[i] := true; end;
  end;
end;

-- Message 2: both nonces and, if fixed, the responder's name, for the claimed initiator. The
-- responder answers a message 1 that the spy makes of a nonce it knows, or an initiator's own.
ruleset r: Responder; n: Agent; a: Agent do
  rule "answer"
    session[r].phase = Idle & r != a & r != n &
    (known[n] |
     n <= Initiators & a = n & session[n].phase != Idle & session[n].partner = r)
  ==>
  begin
    session[r].phase := Waiting;
    session[r].partner := a;
    session[r].nonce := n;
    if a = Spy then
      known[n] := true;
      known[r] := true;
    end;
  end;
end;

-- Message 3: the responder's nonce, for the partner. The initiator takes a message 2 that the spy
-- makes of nonces it knows, with any name, or that of a responder.
ruleset i: Initiator; n: Agent do
  rule "confirm"
    session[i].phase = Waiting & i != n &
    (known[i] & known[n] |
     n < Spy & n > Initiators & session[n].phase != Idle & session[n].partner = i &
     session[n].nonce = i & (fixed -> session[i].partner = n))
  ==>
  begin
    session[i].phase := Committed;
    session[i].nonce := n;
    if session[i].partner = Spy then known[n] := true; end;
  end;
end;

ruleset r: Responder do
  rule "commit"
    session[r].phase = Waiting &
    (known[r] | exists i: Initiator do
       session[i].phase = Committed & session[i].partner = r & session[i].nonce = r
     end)
  ==>
  begin session[r].phase := Committed; end;
end;

-- Sessions that ended or that wait in vain are given up together, with their nonces.
rule "give up" exists a: Honest do session[a].phase != Idle end ==>
begin
  undefine session;
  for a: Honest do session[a].phase := Idle; end;
  for a: Agent do known[a] := a = Spy; end;
end;

invariant "the fixed protocol: who commits was meant"
  fixed -> forall r: Responder do
    session[r].phase = Committed & session[r].partner <= Initiators ->
    session[session[r].partner].phase != Idle & session[session[r].partner].partner = r
  end;
