-- Letters in a bag, of three senders that are alike: sorted after renaming. By hand: what matters is
-- how many letters each sender has in the bag of two, whoever it is: none, one, two of one sender,
-- one each of two. Every sender can post while there is room, every letter can be taken out.
-- expect: verdict=holds states=4 transitions=11 exit=0
-- expect: options "--symmetry off" verdict=holds states=10 transitions=27 exit=0
type Sender: scalarset(3);
var bag: multiset [2] of Sender;
    count: 0..2;
startstate begin undefine bag; count := 0; end;
ruleset s: Sender do
  rule "post" count < 2 ==> begin multisetadd(s, bag); count := count + 1; end;
end;
choose i: bag do
  rule "take" begin multisetremove(i, bag); count := count - 1; end;
end;
