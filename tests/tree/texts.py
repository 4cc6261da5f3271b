"""Texts of models that campaigns search: each has a size, so that a search takes as long as is
wanted."""


def counters(limits, extra=''):
    names = [f'v{i}' for i in range(len(limits))]
    steps = ',\n'.join(f'    s -> s {{ guard {n} < {most}; effect {n} = {n} + 1; }}'
                       for n, most in zip(names, limits))
    return (f'byte {", ".join(names)};\nprocess P {{ state s; init s; trans\n{steps}{extra};\n}}\n'
            'system async;\n')


def ring(processes, most):
    """Counters that may be one apart from their left neighbour: many levels, some deadlocks."""
    text = f'byte v[{processes}];\n'
    for i in range(processes):
        left = (i - 1) % processes
        text += (f'process P{i} {{ state s, t; init s; trans\n'
                 f'    s -> t {{ guard v[{i}] < {most} and v[{i}] <= v[{left}]; '
                 f'effect v[{i}] = v[{i}] + 1; }},\n    t -> s {{}};\n}}\n')
    return text + 'system async;\n'


def filter_lock(count, rest):
    """DVE: Peterson's lock for several processes, each with a counter that nobody looks at for a
    while: some steps can wait, some values are dead."""
    text = f'byte level[{count}]; byte last[{count}];\n'
    for i in range(count):
        free = ' and '.join(f'level[{k}] <= j' for k in range(count) if k != i)
        text += (f'process P{i} {{ byte j; byte r; state out, tries, waits, in; init out; trans\n'
                 f'  out -> out {{ guard r < {rest}; effect r = r + 1; }},\n'
                 f'  out -> tries {{ guard r == {rest}; effect j = 0, r = 0; }},\n'
                 f'  tries -> waits {{ guard j < {count - 1}; effect level[{i}] = j + 1, '
                 f'last[j] = {i}; }},\n'
                 f'  waits -> tries {{ guard last[j] != {i} or ({free}); effect j = j + 1; }},\n'
                 f'  tries -> in {{ guard j == {count - 1}; }},\n'
                 f'  in -> out {{ effect level[{i}] = 0; }};\n}}\n')
    return text + 'system async;\n'


def product(limits, stays):
    """Counters with a property that waits for the end of two of them, and then for ever."""
    property_text = (f'process N {{ state a, b; init a; accept b; trans\n    a -> a {{}},\n'
                     f'    a -> b {{ guard v0 == {limits[0]} and v1 > 2; }},\n'
                     f'    b -> b {{ guard {stays}; }};\n}}\n')
    return counters(limits).replace('system async;', property_text + 'system async property N;')


def pegs(width, height):
    """A board full of pegs but for a corner; a peg that is jumped over goes. Its states are few,
    and their set is large and slow to close."""
    steps = []
    for a in range(width * height):
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            x, y = a % width + 2 * dx, a // width + 2 * dy
            if not (0 <= x < width and 0 <= y < height):
                continue
            over, to = a + dy * width + dx, y * width + x
            steps.append(f'    s -> s {{ guard b[{a}] == 1 and b[{over}] == 1 and b[{to}] == 0; '
                         f'effect b[{a}] = 0, b[{over}] = 0, b[{to}] = 1; }}')
    start = ', '.join(['0'] + ['1'] * (width * height - 1))
    return (f'byte b[{width * height}] = {{{start}}};\nprocess P {{ state s; init s; trans\n'
            + ',\n'.join(steps) + ';\n}\nsystem async;\n')


def sum_of_pegs(width, height):
    return ' + '.join(f'b[{i}]' for i in range(width * height))


def workers(count, turns, room):
    """Promela: workers with a local counter each that send to one reader; most of their steps can
    wait, and what they remember is dead when it is sent."""
    return f'''chan c = [{room}] of {{ byte, byte }};
byte done; byte sum;
proctype Worker(byte id) {{
  byte i; byte t; byte spare;
  do
  :: i < {turns} -> t = i * 3 + id; spare = t; c!id, t; t = 0; i++
  :: i >= {turns} -> break
  od;
  atomic {{ done++; spare = 0 }}
}}
proctype Reader() {{
  byte who; byte what;
end:
  do
  :: c?who, what -> sum = sum ^ what
  od
}}
init {{ atomic {{ byte k; for (k : 1 .. {count}) {{ run Worker(k) }} run Reader() }} }}
ltl ends {{ <> (done == {count}) }}
ltl counts {{ [] (done <= {count}) }}
'''


def locks(count, rounds):
    """Murphi: clients of one lock, interchangeable, that take turns a bounded number of times."""
    return f'''const N : {count}; R : {rounds};
type id : scalarset(N); place : enum {{ idle, wants, has }};
var at : array [id] of place; turns : array [id] of 0..R; owner : id; free : boolean;
startstate begin
  for i : id do at[i] := idle; turns[i] := 0; end;
  undefine owner; free := true;
end;
ruleset i : id do
  rule "want" at[i] = idle ==> begin at[i] := wants; end;
  rule "take" at[i] = wants & free ==> begin at[i] := has; owner := i; free := false; end;
  rule "give" at[i] = has ==> begin
    at[i] := idle; undefine owner; free := true;
    if turns[i] < R then turns[i] := turns[i] + 1; else turns[i] := 0; end;
  end;
end;
invariant "one" forall i : id do forall j : id do
  (at[i] = has & at[j] = has) -> i = j end end;
'''
