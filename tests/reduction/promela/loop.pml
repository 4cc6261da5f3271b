/* A can go around for ever: whoever waits for the others has to be told (sticky). What is looked for
   needs one of two steps, so that a loop of one looks cheaper. The last process is tried first. */
active proctype B() { skip; here: skip }
active proctype C() { skip; here: skip }
active proctype A() { do :: skip od }
// goal B@here || C@here
ltl never_there { [] !(B@here || C@here) }
