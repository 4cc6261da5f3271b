byte x;
active proctype A() priority 3 { set_priority(_pid, _priority - 1); _priority = 2; x = get_priority(0) }
init priority 2 { run B() priority 9; x++ }
proctype B() { do :: x > 0 -> x-- :: timeout -> break od }
