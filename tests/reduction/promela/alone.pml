/* A can go around for ever, and B need not move: a visible step alone does not do (invisible). */
active proctype A() { do :: skip od }
active proctype B() { skip; here: skip }
ltl gets_there { <> B@here }
