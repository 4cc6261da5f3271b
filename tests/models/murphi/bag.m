-- A multiset holds at most two of the messages 1 and 2; order is nothing. By hand: no element, 1, 2,
-- 11, 12, 22 are 6 states; sending is possible in the 3 with room (2 messages each), and each element
-- that is present can be taken: 0 + 1 + 1 + 2 + 2 + 2.
-- expect: verdict=holds states=6 transitions=14 exit=0
type Message: 1..2;
var bag: multiset [2] of Message; sent: Message;
startstate begin undefine sent; end;
ruleset m: Message do
  rule "send" multisetcount(i: bag, true) < 2 ==>
  var copied: Message;
  begin copied := m; multisetadd(copied, bag); end;
end;
choose i: bag do
  rule "take" true ==> begin multisetremove(i, bag); end;
end;
invariant multisetcount(i: bag, bag[i] = 1) + multisetcount(i: bag, bag[i] = 2) <= 2;
