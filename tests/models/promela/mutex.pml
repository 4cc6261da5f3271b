// Two processes that both look before they write: both are inside after 5 steps.
// expect: verdict=violated kind=assertion states=69 transitions=106 levels=15 deadlocks=0 prefix=7 exit=1
bool in_use
byte inside

active [2] proctype P() {
  !in_use
  in_use = true
  inside++
  assert(inside == 1)
  inside--
  in_use = false
}
