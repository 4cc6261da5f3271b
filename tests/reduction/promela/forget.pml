/* A makes false what B or C complete, and is one step where they are two (falsifying). */
byte x = 1;
active proctype B() { skip; here: false }
active proctype C() { skip; here: false }
active proctype A() { x = 0; false }
// goal x == 1 && (B@here || C@here)
