/* What is sent depends on what was received (heads). */
chan q = [3] of { byte };
active proctype A() { q!2; q!len(q); false }
active proctype B() { byte x; q?x; x == 7 }
