#!/usr/bin/env python3
"""Seeded random Promela models: gen_promela.py SEED prints one.

Small systems that use the language of the specification: channels of all kinds, atomic, d_step,
unless, else, timeout, run and death, arrays, records, mtypes, provided, for and select, remote
references, never claims. Indexes are masked and divisors are constants, but for a share of the
models (`errs`), in which run-time errors may happen. What SPIN refuses or does by accident is
mostly avoided, so that it can be asked, too.
"""
import random
import sys

MTYPES = ['red', 'green', 'blue']


class Channel:
    """kinds: of its fields, of 'mtype', 'byte', 'bit'."""

    def __init__(self, name, capacity, kinds):
        self.name, self.capacity, self.kinds = name, capacity, kinds


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(f'promela {seed}')
        self.errs = self.chance(0.15)
        self.claim = self.chance(0.2)
        self.lines, self.depth = [], 0
        self.globals = ['g%d' % i for i in range(self.rng.randint(1, 3))]
        self.has_record = self.chance(0.3)
        self.channels = [Channel('q%d' % i, self.pick(0, 0, 1, 1, 2), self.fields())
                         for i in range(self.rng.randint(0, 3))]
        self.types = ['P%d' % i for i in range(self.rng.randint(1, 3))]
        self.remote = self.chance(0.15)
        # Which types take which channel, and which of them may start which.
        self.takes = {t: self.pick(*self.channels) if self.channels and self.chance(0.5) else None
                      for t in self.types}
        self.active = {t: self.pick(0, 1, 1, 2) for t in self.types}
        self.type, self.locals, self.inside = None, [], 'plain'
        self.has_array = False  # of the process

    def chance(self, p): return self.rng.random() < p
    def pick(self, *items): return self.rng.choice(items)
    def put(self, text): self.lines.append('  ' * self.depth + text)

    def fields(self):
        return [self.pick('mtype', 'byte', 'byte', 'bit') for _ in range(self.rng.randint(1, 2))]

    # --- Expressions ---

    def variable(self):
        """Of a byte or bit, to be read or stored."""
        names = self.globals + self.locals * 2
        some = [lambda: self.pick(*names)] * 4 + [lambda: 'arr[%s]' % self.index(3)]
        if self.has_array: some += [lambda: 'la[%s]' % self.index(2)] * 2
        if self.has_record:
            some += [lambda: 'rec.f', lambda: 'rec.b[%s]' % self.index(2)]
        return self.pick(*some)()

    def index(self, bound):
        if self.chance(0.6): return str(self.rng.randrange(bound))
        name = self.pick(*(self.globals + self.locals))
        if self.errs and self.chance(0.3): return name
        return '%s %% %d' % (name, bound)

    def expression(self, depth=2):
        if depth == 0 or self.chance(0.35):
            return self.variable() if self.chance(0.65) else str(self.rng.randint(0, 3))
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        op = self.pick('+', '+', '-', '*', '&', '|', '^', '/', '%', '<<', '>>', '?')
        if op == '?': return '(%s < %s -> %s : %s)' % (self.variable(), self.pick('1', '2'), a, b)
        if op in '/%' and not (self.errs and self.chance(0.3)): b = self.pick('2', '3')
        if op in ('<<', '>>'): b = self.pick('1', '2')
        return '(%s %s %s)' % (a, op, b)

    def condition(self, depth=2):
        if depth > 0 and self.chance(0.25):
            return '(%s %s %s)' % (self.condition(depth - 1), self.pick('&&', '||'),
                                   self.condition(depth - 1))
        some = [lambda: '%s %s %s' % (self.variable(), self.pick('==', '!=', '<', '<=', '>', '>='),
                                      self.expression(1))] * 6
        some += [lambda: '!(%s)' % self.variable(), lambda: '_nr_pr < %d' % self.rng.randint(2, 4)]
        if self.type: some += [lambda: '_pid == %d' % self.rng.randint(0, 2)]
        buffered = [c for c in self.channels if c.capacity > 0]
        if buffered:
            c = self.pick(*buffered)
            some += [lambda: '%s(%s)' % (self.pick('full', 'nfull', 'empty', 'nempty'), c.name),
                     lambda: 'len(%s) < %d' % (c.name, self.rng.randint(1, 2)),
                     lambda: '%s%s[%s]' % (c.name, self.pick('?', '??'), self.patterns(c, False))]
        if self.remote:
            some += [lambda: 'R[0]:own == 1', lambda: 'R[0]@here']
        if self.inside == 'plain' and self.type and self.chance(0.2): return 'timeout'
        return '(%s)' % self.pick(*some)()

    # --- Channels ---

    def value(self, kind):
        if kind == 'mtype': return self.pick(*MTYPES)
        return '(%s) & %d' % (self.expression(1), 1 if kind == 'bit' else 3)

    def patterns(self, channel, stores=True):
        out, stored = [], []
        for kind in channel.kinds:
            if kind == 'mtype':
                out.append(self.pick('_', *MTYPES) if stores else self.pick(*MTYPES))
                continue
            some = ['%d' % self.rng.randint(0, 1), 'eval(%s)' % self.variable()]
            free = [v for v in self.locals + self.globals if v not in stored and v != 'one']
            if stores and free:
                name = self.pick(*free)
                stored.append(name)
                some += [name] * 3 + ['_']
            out.append(self.pick(*some))
        # Going back, pan 6.5.2 puts such a message together again from what the variable became.
        clash = [x.startswith('eval') and any(name in x for name in stored) for x in out]
        return ','.join('_' if bad else x for x, bad in zip(out, clash))

    def channel(self):
        if self.takes.get(self.type) and self.chance(0.5):
            return Channel('way', self.takes[self.type].capacity, self.takes[self.type].kinds)
        return self.pick(*self.channels)

    def send(self):
        c = self.channel()
        return '%s%s%s' % (c.name, '!!' if self.chance(0.15) else '!',
                           ','.join(self.value(kind) for kind in c.kinds))

    def receive(self):
        c = self.channel()
        mark = '??' if self.chance(0.2) and c.capacity > 0 else '?'
        if c.capacity > 0 and self.chance(0.1): return '%s%s<%s>' % (c.name, mark, self.patterns(c))
        return '%s%s%s' % (c.name, mark, self.patterns(c))

    # --- Statements ---

    def assignment(self):
        name = self.variable()
        if self.chance(0.2): return name + self.pick('++', '--')
        if self.chance(0.3): return '%s = %s' % (name, self.expression())
        return '%s = (%s) %% %d' % (name, self.expression(), self.rng.randint(2, 3))

    def simple(self):
        some = [self.assignment] * 5 + [lambda: self.condition()] * 2 + [lambda: 'skip']
        some += [lambda: 'printf("x")', lambda: 'assert(%s || 1)' % self.condition(0)]
        if self.chance(0.1): some.append(lambda: 'assert(%s)' % self.condition(1))
        if self.channels and self.inside != 'd_step': some += [self.send, self.receive] * 3
        return self.pick(*some)()

    # What a generator of more puts in other words.

    def channel_names(self): return ['way'] + [c.name for c in self.channels]

    def talks(self, guard):
        return any(name + mark in guard for name in self.channel_names() for mark in '!?')

    def talks_at(self, line): return False
    def last(self): return self.assignment()
    # SPIN does not take an `else` beside sends and receives; we do.
    def else_chance(self, sends): return 0.1 if sends else 0.6
    def first_of_d_step(self): return self.pick(self.condition(), self.assignment())
    def more_locals(self): pass
    def first_statements(self): pass
    def label(self): return self.pick('end', 'progress', 'again')
    def priority(self): return ''

    def guarded(self, depth, loop):
        """Options of an if or do."""
        count, sends = self.rng.randint(1, 3), False
        for i in range(count):
            guard = self.simple() if self.inside != 'd_step' else self.condition()
            sends = sends or self.talks(guard)
            if self.chance(0.05) and self.inside == 'plain' and depth > 0:
                self.put('::')
                self.depth += 1
                first = len(self.lines)
                self.block('atomic', depth - 1)
                self.depth -= 1
                sends = sends or self.talks_at(first)
                continue
            self.put(':: %s ->' % guard)
            self.depth += 1
            if self.chance(0.6): self.sequence(depth - 1, self.rng.randint(1, 2))
            self.put('break' if loop and (self.chance(0.35) or i == 0) else self.last())
            self.depth -= 1
        if self.chance(self.else_chance(sends)) or self.inside == 'd_step':
            self.put(':: else -> ' + ('break' if loop else self.assignment()))

    def block(self, word, depth, count=None):
        kept = self.inside
        if word == 'd_step': self.inside = 'd_step'
        elif self.inside == 'plain': self.inside = word
        self.put(word + ' {')
        self.depth += 1
        if word == 'd_step': self.put(self.first_of_d_step() + ';')
        self.sequence(depth, count or self.rng.randint(1, 3))
        self.depth -= 1
        self.inside = kept
        self.put('}')

    def statement(self, depth):
        r = self.rng.random()
        if depth <= 0 or r < 0.5: return self.put(self.simple() + ';')
        if r < 0.68: return self.selection('if', 'fi', depth)
        if r < 0.76 and self.inside != 'd_step': return self.selection('do', 'od', depth)
        if r < 0.84: return self.block('atomic' if self.inside != 'd_step' else '', depth - 1)
        if r < 0.90 and self.inside != 'd_step':
            return self.block('d_step', depth - 1)
        if r < 0.94 and self.inside == 'plain':
            self.block('', depth - 1)
            self.put('unless')
            return self.block('', 0, 1)
        if r < 0.97:
            self.put('for (i : 0 .. %d) {' % self.rng.randint(1, 2))
            self.depth += 1
            self.sequence(0, 1)
            self.depth -= 1
            return self.put('}')
        if self.inside != 'd_step': return self.put('select (i : 0 .. 2);')
        return self.put('skip;')

    def selection(self, begin, end, depth):
        self.put(begin)
        self.guarded(depth, begin == 'do')
        self.put(end + ';')

    def sequence(self, depth, count):
        for _ in range(count): self.statement(depth)

    def run(self, name):
        kinds = ['%s' % self.expression(1)]
        if self.takes[name]: kinds.append(self.takes[name].name)
        return 'run %s(%s)%s;' % (name, ', '.join(kinds), self.priority())

    def process(self, at, name):
        takes = self.takes[name]
        active = self.active[name] if takes is None else 0
        head = '' if active == 0 else 'active [%d] ' % active
        provided = ' provided (%s)' % self.pick('g0 < 3', 'g0 != 1') if self.chance(0.07) else ''
        self.put('%sproctype %s(byte one%s)%s%s {' % (head, name, '; chan way' if takes else '',
                                                      self.priority() if head else '', provided))
        self.depth += 1
        self.type, self.locals = name, ['x', 'one'] if self.chance(0.6) else ['x', 'y', 'one']
        first = ' = 1' if self.chance(0.3) else ''
        self.put('%s x%s;' % (self.pick('byte', 'bit', 'short'), first))
        if 'y' in self.locals: self.put('byte y;')
        self.put('byte i;')
        self.has_array = self.chance(0.3)
        if self.has_array: self.put('byte la[2];')
        own = self.chance(0.1) and not takes
        if own: self.put('chan way = [1] of { byte };')
        self.more_locals()
        if own: self.put('way!x;')
        self.first_statements()
        later = self.types[at + 1:]
        if later and self.chance(0.3): self.put(self.run(self.pick(*later)))
        if self.chance(0.3): self.put(self.label() + ':')
        self.sequence(2, self.rng.randint(1, 4))
        if own: self.put('way?y;' if 'y' in self.locals else 'way?_;')
        self.depth -= 1
        self.put('}')
        self.type, self.locals, self.has_array = None, [], False

    # --- Traces ---

    def event(self, channel, mark):
        values = {'mtype': MTYPES, 'byte': ['0', '1', '2'], 'bit': ['0', '1']}
        return channel.name + mark + ','.join(
            self.pick('_', *values[kind]) for kind in channel.kinds)

    def events(self):
        """Of which no two are alike, so that a selection of them is clear."""
        some = [(c, mark) for c in self.channels for mark in '!?']
        return [self.event(*e) for e in self.rng.sample(some, self.rng.randint(1, len(some)))]

    def trace(self):
        self.put(self.pick('trace', 'trace', 'notrace') + ' {')
        for _ in range(self.rng.randint(1, 2)):
            if self.chance(0.2): self.put('end:')
            form = self.pick('do', 'if', '')
            events = self.events()
            if form == '':
                self.put(';\n'.join(events) + ';')
                continue
            self.put(form)
            for event in events:
                last = ' -> break' if form == 'do' and self.chance(0.3) else ''
                self.put(':: ' + event + ('; ' + self.event(self.channels[0], '!')
                                          if self.chance(0.3) else '') + last)
            self.put({'do': 'od;', 'if': 'fi;'}[form])
        self.put('}')

    def declarations(self):
        self.put('mtype = { %s };' % ', '.join(MTYPES))
        for name in self.globals:
            kind = 'byte' if name == 'g0' else self.pick('byte', 'bit', 'short', 'unsigned', 'int')
            text = '%s %s%s' % (kind, name, ' : 2' if kind == 'unsigned' else '')
            self.put(text + (' = 1;' if self.chance(0.3) else ';'))
        self.put('%s arr[3];' % self.pick('byte', 'bit'))
        if self.has_record: self.put('typedef Rec { byte f; bit b[2] };\nRec rec;')
        for c in self.channels:
            self.put('chan %s = [%d] of { %s };' % (c.name, c.capacity, ', '.join(c.kinds)))

    def generate(self):
        self.declarations()
        if self.remote:
            self.put('active proctype R() { byte own; own = 1;\nhere: g0 == 2; own = 0 }')
        started = [t for t in self.types if self.takes[t] or self.active[t] == 0]
        for at, name in enumerate(self.types): self.process(at, name)
        if started or self.chance(0.2):
            self.put('init {')
            self.depth += 1
            kind = self.pick('atomic {', '{', 'for')
            if kind == 'for':
                self.put('byte k;\n  for (k : 0 .. %d) {' % (self.rng.randint(0, 1)))
            else:
                self.put(kind)
            for name in started or [self.types[-1]]: self.put('  ' + self.run(name))
            self.put('}')
            if self.chance(0.3): self.put(self.pick('_nr_pr == 1;', 'timeout;', 'g0 = 0;'))
            self.depth -= 1
            self.put('}')
        if self.claim:
            self.put('never {\n  do\n  :: %s -> break\n  :: true\n  od;' % self.condition(1))
            self.put('accept:\n  do\n  :: %s\n  od\n}' % self.condition(0))
        if self.channels and self.chance(0.2): self.trace()
        return '\n'.join(self.lines) + '\n'


def generate(seed):
    """(text, whether run-time errors may happen, whether there is a claim)."""
    one = Generator(seed)
    text = one.generate()
    return text, one.errs, one.claim


if __name__ == '__main__':
    print(generate(sys.argv[1])[0], end='')
