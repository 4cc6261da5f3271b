/* A sorted send can go in front of what is received (heads). */
chan q = [3] of { byte };
active proctype A() { q!2; q!!1; false }
active proctype B() { byte x; q?x; x == 7 }
