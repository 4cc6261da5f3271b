/* One sends, one receives: any order will do. */
chan q = [3] of { byte };
active proctype A() { byte i; do :: i < 5 -> q!i; i++ :: else -> break od; false }
active proctype B() { byte x; end: do :: q?x od }
