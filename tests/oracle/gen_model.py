#!/usr/bin/env python3
"""Seeded random DVE models for differential tests: gen_model.py SEED prints one.

Small systems (2 to 4 processes) that use the whole language. Most values are kept small by guards,
masks and remainders so that the state space stays small; some effects are left unguarded so that a
good share of the models has run-time errors. The text avoids what the language description leaves
open (mixes of operators that parsers read differently, state names equal to variable names,
predicates that can fail to evaluate).
"""
import random
import sys

# Binding strength (low to high) and groups of operators that must not meet without parentheses.
STRENGTH = {'imply': 1, 'or': 2, 'and': 3, '|': 4, '^': 5, '&': 6, '==': 7, '!=': 7,
            '<': 8, '<=': 8, '>': 8, '>=': 8,
            '<<': 9, '>>': 9, '+': 10, '-': 10, '*': 11, '/': 11, '%': 11}
LOGIC, BITS = {'imply', 'or', 'and'}, {'|', '^', '&'}
ORDER, SHIFT = {'==', '!=', '<', '<=', '>', '>='}, {'<<', '>>'}


def plain_mix(outer, inner, right):
    """May `inner` stand bare below `outer`? Only where all known precedence tables agree."""
    if STRENGTH[inner] < STRENGTH[outer] or (right and STRENGTH[inner] == STRENGTH[outer]):
        return False
    if outer in BITS or inner in BITS or outer in SHIFT or inner in SHIFT: return False
    if outer in LOGIC and inner in LOGIC: return outer == inner
    if outer in ORDER and inner in ORDER: return False
    return True


def text_of(rng, e):
    """Expression tree to text: ('+', l, r), ('-', x), or a string."""
    if isinstance(e, str): return e
    if len(e) == 2:
        inner = text_of(rng, e[1])
        if not isinstance(e[1], str) or inner[0] in '-~': inner = f'({inner})'
        return f'not {inner}' if e[0] == 'not' else e[0] + inner
    sides = []
    for right, x in enumerate(e[1:]):
        part = text_of(rng, x)
        bare = isinstance(x, str) or (len(x) == 3 and plain_mix(e[0], x[0], right)
                                      and rng.random() < 0.7)
        sides.append(part if bare else f'({part})')
    operator = rng.choice({'and': ['and', '&&'], 'or': ['or', '||']}.get(e[0], [e[0]]))
    return f'{sides[0]} {operator} {sides[1]}'


class Var:
    def __init__(self, name, kind, size, const, bound):
        self.name, self.kind, self.size, self.const, self.bound = name, kind, size, const, bound


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = []

    def chance(self, p): return self.rng.random() < p
    def pick(self, *items): return self.rng.choice(items)

    # -- declarations
    def variables(self, prefix, count, taken, local=False):
        out = []
        for i in range(count):
            kind = self.pick('byte', 'byte', 'int')
            size = self.rng.randint(2, 3) if self.chance(0.3) else None
            const = not local and self.chance(0.12)
            name = f'{prefix}{i}'
            if local and taken and self.chance(0.25): name = self.rng.choice(taken).name
            if any(v.name == name for v in out): continue
            out.append(Var(name, kind, size, const, self.rng.randint(1, 3)))
        return out

    def initial(self, v, earlier):
        usable = [w for w in earlier if w.started and not w.size and w.name != v.name]
        def value():
            if usable and self.chance(0.2):
                return f'{self.rng.choice(usable).name} * 0 + {self.rng.randint(0, 2)}'
            if v.kind == 'int' and self.chance(0.1): return f'-{self.rng.randint(1, 3)}'
            return str(self.rng.randint(0, v.bound))
        v.started = v.const or self.chance(0.45)
        if not v.started: return ''
        if not v.size: return f' = {value()}'
        count = v.size if v.const else max(1, v.size + self.pick(-1, 0, 0, 0, 1))
        return ' = {' + ', '.join(value() for _ in range(count)) + '}'

    def declare(self, vs, earlier, indent):
        known = [w for w in earlier if all(w.name != v.name for v in vs)]
        for v in vs:
            size = f'[{v.size}]' if v.size else ''
            const = 'const ' if v.const else ''
            self.lines.append(f'{indent}{const}{v.kind} {v.name}{size}{self.initial(v, known)};')
            known.append(v)

    # -- expressions
    def leaf(self, scope, safe=False):
        roll = self.rng.random()
        if roll < 0.28 or not scope.vars: return str(self.number())
        if roll < 0.36 and scope.places:
            process, states = self.rng.choice(scope.places)
            return f'{process}.{self.rng.choice(states)}'
        if roll < 0.42 and scope.far:
            process, v = self.rng.choice(scope.far)
            index = f'[{self.rng.randrange(v.size)}]' if v.size else ''
            return f'{process}->{v.name}{index}'
        v = self.rng.choice(scope.vars)
        if not v.size or self.chance(0.12): return v.name
        if safe or self.chance(0.6): return f'{v.name}[{self.rng.randrange(v.size)}]'
        return f'{v.name}[{text_of(self.rng, self.index(scope, v))}]'

    def number(self):
        if self.chance(0.04):
            return self.pick(5, 7, 31, 32, 33, 100, 127, 200, 255, 256, 1000, 32767, 32768, 65535,
                                               65536, 1000000, 2147483647, 'true', 'false')
        return self.rng.randint(0, 3)

    def index(self, scope, v):
        scalars = [w for w in scope.vars if not w.size]
        if not scalars or self.chance(0.2): return str(self.rng.randrange(v.size))
        name = self.rng.choice(scalars).name
        if self.chance(0.5): return ('%', name, str(v.size))
        return self.pick(name, name, ('-', name, '1'), ('+', name, '1'), ('&', name, '1'))

    def arithmetic(self, scope, depth, safe=False):
        if depth == 0 or self.chance(0.25): return self.leaf(scope, safe)
        if self.chance(0.12): return (self.pick('-', '~'), self.arithmetic(scope, depth - 1, safe))
        operator = self.pick('+', '+', '-', '-', '*', '/', '%', '&', '|', '^', '<<', '>>')
        left = self.arithmetic(scope, depth - 1, safe)
        if operator in '/%' and (safe or self.chance(0.7)):
            return (operator, left, str(self.rng.randint(1, 4)))
        if operator in ('<<', '>>') and self.chance(0.8):
            return (operator, left, str(self.rng.randint(0, 4)))
        return (operator, left, self.arithmetic(scope, depth - 1, safe))

    def condition(self, scope, depth, safe=False):
        roll = self.rng.random()
        scalars = [v for v in scope.vars if not v.size]
        if scalars and self.chance(0.35):
            v = self.rng.choice(scalars)
            return (self.pick('<', '<=', '!=', '==', '>', '>='), v.name,
                    str(self.rng.randint(0, v.bound)))
        if depth == 0 or roll < 0.5:
            compare = (self.pick('==', '!=', '<', '<=', '>', '>='),
                       self.arithmetic(scope, self.pick(0, 0, 1), safe),
                       self.arithmetic(scope, self.pick(0, 0, 0, 1), safe))
            return compare
        if roll < 0.58: return self.arithmetic(scope, 1, safe)
        if roll < 0.68: return ('not', self.condition(scope, depth - 1, safe))
        return (self.pick('and', 'and', 'or', 'or', 'imply'),
                self.condition(scope, depth - 1, safe),
                self.condition(scope, depth - 1, safe))

    def small_value(self, scope, v):
        """A value for an assignment to v: mostly small, now and then anything."""
        roll = self.rng.random()
        at = v.name if not v.size else f'{v.name}[{self.rng.randrange(v.size)}]'
        if roll < 0.22: return str(self.rng.randint(0, v.bound))
        if roll < 0.42: return ('%', ('+', at, str(self.rng.randint(1, 2))), str(v.bound + 1))
        if roll < 0.52: return ('&', self.arithmetic(scope, 2), str(self.pick(1, 1, 3)))
        if roll < 0.60: return self.condition(scope, 1)
        if roll < 0.66: return ('-', str(v.bound), at)
        if roll < 0.72: return ('%', self.arithmetic(scope, 2), str(v.bound + 1))
        if roll < 0.78: return self.leaf(scope)
        if roll < 0.83: return ('-', at, '1')
        if roll < 0.86: return ('*', at, self.pick('2', '100', at))
        if roll < 0.89: return ('>>', self.arithmetic(scope, 2), self.pick('1', '30', '31'))
        if roll < 0.92: return self.pick(('/', str(self.rng.randint(1, 9)), at), ('%', '7', at))
        return ('-', self.pick('1', '0', '2'), ('&', at, '1'))

    def target(self, scope):
        writable = [v for v in scope.vars if not v.const
                    and (scope.local_only is False or v in scope.own)]
        if not writable: return None, None
        v = self.rng.choice(writable)
        if not v.size or self.chance(0.12): return v, v.name
        if self.chance(0.5): return v, f'{v.name}[{self.rng.randrange(v.size)}]'
        return v, f'{v.name}[{text_of(self.rng, self.index(scope, v))}]'

    # -- transitions
    def effects(self, scope, most):
        out = []
        for _ in range(self.rng.randint(0, most)):
            v, where = self.target(scope)
            if v: out.append(f'{where} = {text_of(self.rng, self.small_value(scope, v))}')
        return out

    def sync(self, scope, duty):
        """A synchronisation: one that this process owes (channels need both ends), or any."""
        if not duty: duty = [(self.rng.choice(self.channels), self.pick('!', '?'))]
        (name, count), mark = duty.pop()
        values = []
        for _ in range(count):
            if mark == '!':
                values.append(text_of(self.rng, self.arithmetic(scope, self.pick(0, 0, 1))
                                      if self.chance(0.7) else
                                      ('&', self.arithmetic(scope, 2), '3')))
            else:
                v, where = self.target(scope)
                if v is None: return None
                values.append(where)
        if count > 1 or (count and self.chance(0.3)): return f'{name}{mark}{{{", ".join(values)}}}'
        return f'{name}{mark}{"".join(values)}'

    def transition(self, source, target, scope, duty, last):
        parts = []
        if self.chance(0.4 if duty is not None else 0.8):
            parts.append(f'guard {text_of(self.rng, self.condition(scope, 2))};')
        if duty is not None and self.channels and self.chance(0.55 if duty else 0.15):
            sync = self.sync(scope, duty)
            if sync: parts.append(f'sync {sync};')
        effects = self.effects(scope, self.pick(1, 2, 2, 3))
        if effects: parts.append(f'effect {", ".join(effects)};')
        short = source == last and self.chance(0.4)
        return f'    {"" if short else source + " "}-> {target} {{ {" ".join(parts)} }}'

    def transitions(self, states, scope, duty, extra, closed=()):
        pairs = [(states[i], states[(i + 1) % len(states)]) for i in range(len(states))
                 if self.chance(0.95)]
        pairs += [(self.rng.choice(states), self.rng.choice(states))
                  for _ in range(self.rng.randint(0, extra))]
        pairs = [p for p in pairs if p[0] not in closed]
        pairs.sort(key=lambda p: states.index(p[0]))
        out, last = [], None
        for source, target in pairs:
            out.append(self.transition(source, target, scope, duty, last))
            last = source
        return out

    def marks(self, states, commit, accept):
        init = f'  init {self.rng.choice(states[:2])};'
        rest = []
        if commit: rest.append(f'  commit {self.rng.choice(states)};')
        if accept: rest.append(f'  accept {self.pick("", "buchi ")}{", ".join(accept)};')
        self.rng.shuffle(rest)
        return [init] + rest if self.chance(0.8) else rest + [init]

    def process(self, i, commits):
        name, states = self.places[i]
        own = self.locals[i]
        self.lines.append(f'process {name} {{')
        self.declare(own, self.globals, '  ')
        self.lines.append(f'  state {", ".join(states)};')
        accept = states[-1:] if self.chance(0.08) else []     # means nothing here
        self.lines += self.marks(states, commits and self.chance(0.5), accept)
        scope = Scope(self.globals, own, self.places, [])
        if self.chance(0.1):
            claims = [f'{s}: {text_of(self.rng, self.condition(scope, 1, True))}'
                      for s in self.rng.sample(states, self.pick(1, 1, min(2, len(states))))]
            self.lines.append(f'  assert {", ".join(claims)};')
        moves = self.transitions(states, scope, self.duties[i], 3)
        if moves: self.lines.append('  trans\n' + ',\n'.join(moves) + ';')
        self.lines.append('}')

    def property(self):
        states = [f'x{i}' for i in range(self.pick(1, 2, 2, 3, 3))]
        accept = self.rng.sample(states, 1 if self.chance(0.7)
                                 else self.rng.randint(1, len(states)))
        # accepting states that are never left: no cycle through them
        closed = accept if self.chance(0.4) else []
        own = self.variables('xv', self.pick(0, 0, 0, 1), [], True)
        self.lines.append('process X {')
        self.declare(own, self.globals, '  ')
        self.lines.append(f'  state {", ".join(states)};')
        self.lines += self.marks(states, False, accept)
        far = [(self.places[i][0], v) for i in range(len(self.places)) for v in self.locals[i]
               if not v.const]
        scope = Scope(self.globals, own, self.places, far, True)
        moves = self.transitions(states, scope, None, 3, closed)
        for state in states:
            if state in closed: continue
            if self.chance(0.15): moves.append(f'    {state} -> {state} {{ }}')
        if states[0] not in closed and self.chance(0.4):
            moves.append(f'    {states[0]} -> {states[0]} {{ }}')
        if moves: self.lines.append('  trans\n' + ',\n'.join(moves) + ';')
        self.lines.append('}')

    def make(self):
        self.globals = self.variables('v', self.rng.randint(1, 3), [])
        self.declare(self.globals, [], '')
        self.channels = []
        for i in range(self.pick(0, 1, 1, 2, 2, 3)):
            name, kind = f'c{i}', self.pick('plain', 'value', 'value', 'pair', 'typed', 'buffer',
                                            'buffer')
            if kind in ('typed', 'buffer'):
                types = [self.pick('byte', 'int') for _ in range(self.pick(1, 1, 2))]
                capacity = self.rng.randint(1, 2) if kind == 'buffer' else 0
                self.channels.append((name, 0 if self.chance(0.05) else len(types)))
                self.lines.append(f'channel {{{", ".join(types)}}} {name}[{capacity}];')
            else:
                self.channels.append((name, {'plain': 0, 'value': 1, 'pair': 2}[kind]))
                self.lines.append(f'channel {name};')
        count = self.pick(2, 2, 3, 3, 4)
        self.places = [(f'P{i}', [f'p{i}q{k}' for k in range(self.pick(1, 2, 2, 3, 3, 4))])
                       for i in range(count)]
        self.locals = [self.variables(f'l{i}', self.pick(0, 0, 1, 1, 2), self.globals, True)
                       for i in range(count)]
        self.duties = [[] for _ in range(count)]
        for channel in self.channels:
            sender, receiver = self.rng.sample(range(count), 2)
            self.duties[sender].append((channel, '!'))
            self.duties[receiver].append((channel, '?'))
        commits = self.chance(0.25)
        for i in range(count):
            self.process(i, commits)
            if self.chance(0.1):
                self.lines.append(self.pick('// a comment', '/* two\n   lines */', ''))
        if self.chance(0.35):
            self.property()
            self.lines.append('system async property X;')
        else:
            self.lines.append('system async;')
        return '\n'.join(self.lines) + '\n'

    def outside(self):
        """An expression for --invariant or --reach: globals, P.q, now and then P->x."""
        far = [(self.places[i][0], v) for i in range(len(self.places)) for v in self.locals[i]
               if not v.const]
        text = text_of(self.rng, self.condition(Scope(self.globals, [], self.places, far), 1, True))
        return f'({text})' if text.startswith('-') else text


class Scope:
    def __init__(self, globals_, own, places, far, local_only=False):
        self.vars = [v for v in globals_ if all(w.name != v.name for w in own)] + own
        self.own, self.places, self.far, self.local_only = own, places, far, local_only


def generate(seed):
    """(model text, expressions that may serve as invariant or goal) of a seed."""
    generator = Generator(seed)
    text = generator.make()
    return text, [generator.outside() for _ in range(6)]


if __name__ == '__main__':
    model, expressions = generate(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    print(''.join(f'// expression: {e}\n' for e in expressions) + model, end='')
