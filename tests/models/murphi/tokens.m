-- Three places hand one token around; who holds it counts its turns from 0 to 2. By hand: 3 holders
-- times 3 * 3 * 3 turns of all, and each state has the two rules of the one holder.
-- expect: verdict=holds states=81 transitions=162 exit=0
const Places: 3;
type Place: 1..Places;
     Slot: record holds: boolean; turns: 0..2; end;
var slots: array [Place] of Slot;

startstate "first"
begin
  for p: Place do
    slots[p].holds := p = 1;
    clear slots[p].turns;
  end;
end;

ruleset p: Place do
  alias slot: slots[p] do
    rule "hand on" slot.holds ==>
    begin
      slot.holds := false;
      slots[p = Places ? 1 : p + 1].holds := true;
    end;
    rule "turn" slot.holds ==>
    begin
      if slot.turns < 2 then slot.turns := slot.turns + 1;
      else clear slot.turns;
      end;
    end;
  end;
end;

invariant "one holder"
  exists p: Place do
    slots[p].holds & forall q: Place do slots[q].holds -> q = p end
  end;
