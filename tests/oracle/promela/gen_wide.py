#!/usr/bin/env python3
"""Seeded random Promela models with more of the language: gen_wide.py SEED prints one.

What gen_promela.py has, and priorities, records as messages and arrays of them, mtypes with names,
channels as values that are stored and sent, sends and receives at the head of a d_step, inlines,
jumps, accept labels, `_last`, and formulas. And corners: questions to rendezvous channels, values
that their field cuts, constants that are computed, `_pid` and its like as one of two values, `else`
where no option begins, and rendezvous at the end of an atomic.
"""
import random
import re
import sys

from gen_promela import Channel, Generator

SIZES = ['big', 'small']


class WideGenerator(Generator):
    def __init__(self, seed):
        super().__init__(seed)
        self.rng = random.Random(f'wide {seed}')
        self.has_priorities = self.chance(0.15)
        if self.has_priorities:
            # SPIN refuses priorities together with rendezvous.
            for c in self.channels: c.capacity = max(1, c.capacity)
        self.has_messages = self.chance(0.3)
        self.has_sizes = self.chance(0.3)
        self.has_values = bool(self.channels) and self.chance(0.35)
        self.has_inline = self.chance(0.3)
        self.has_last = self.chance(0.05)
        self.formula = not self.claim and self.chance(0.2)
        # With a formula SPIN takes cycles through labels for violations, too.
        self.has_accept = not self.formula and self.chance(0.25)
        self.can_jump = self.chance(0.4)
        self.target = None
        first = self.channels[0] if self.channels else None
        # What a variable that holds a channel may be, so that all fit its uses.
        self.alike = [c for c in self.channels
                      if c.kinds == first.kinds and (c.capacity > 0) == (first.capacity > 0)]
        self.depths = {n: self.room() for n in ('rq', 'sq', 'cq')}

    def room(self): return self.pick(1, 1, 2) if self.has_priorities else self.pick(0, 1, 1, 2)

    def channel_names(self): return super().channel_names() + ['rq', 'sq', 'cq', 'ch']

    # --- Expressions ---

    def variable(self):
        if self.has_record and self.chance(0.1): return 'recs[%s].f' % self.index(2)
        if self.has_messages and self.type and self.chance(0.1): return 'm.a'
        return super().variable()

    def expression(self, depth=2):
        if not self.type or self.chance(0.95): return super().expression(depth)
        own = ['_pid']
        if not (self.claim or self.formula): own.append('_nr_pr')
        if self.has_last: own.append('_last')
        if self.has_priorities: own.append('_priority')
        return '(%s < %d -> %s : %s)' % (self.variable(), self.rng.randint(1, 2), self.pick(*own),
                                         self.variable())

    def direct(self): return [c for c in self.channels if c.capacity == 0]

    def condition(self, depth=2):
        if self.direct() and self.chance(0.04):
            return '(%s(%s))' % (self.pick('full', 'nfull', 'empty', 'nempty'),
                                 self.pick(*self.direct()).name)
        some = [lambda: 'mv %s %s' % (self.pick('==', '!='), self.pick('red', 'green', '0'))]
        if self.has_sizes: some.append(lambda: 'sz == %s' % self.pick(*SIZES))
        if self.has_last: some.append(lambda: '_last == %d' % self.rng.randint(0, 2))
        if self.has_priorities:
            some.append(lambda: 'get_priority(0) > %d' % self.rng.randint(1, 3))
            if self.type: some.append(lambda: '_priority == %d' % self.rng.randint(1, 3))
        if self.has_messages and self.type: some.append(lambda: 'm.t == red')
        if self.depths['sq'] > 0 and self.has_sizes: some.append(lambda: 'sq??[%s,_]' % SIZES[0])
        if self.chance(0.15): return '(%s)' % self.pick(*some)()
        # SPIN refuses remote references in a d_step.
        remote, self.remote = self.remote, self.remote and self.inside != 'd_step'
        text = super().condition(depth)
        # Beside a claim SPIN counts that as a process, too.
        while (self.claim or self.formula) and '_nr_pr' in text: text = super().condition(depth)
        self.remote = remote
        return text

    # --- Channels ---

    def channel(self):
        if self.type and self.has_values and self.chance(0.3):
            return Channel('ch', self.alike[0].capacity, self.alike[0].kinds)
        return super().channel()

    def value(self, kind):
        # What its field cuts: its place among others is that of the whole.
        if kind != 'mtype' and self.chance(0.25):
            return '(%s) & 3%s' % (self.expression(1),
                                   ' | 256' if kind == 'byte' and self.chance(0.5) else '')
        return super().value(kind)

    def is_narrow(self, name):
        for line in reversed(self.lines):
            declared = re.match(r'\s*(\w+) %s\b' % name, line)
            if declared: return declared.group(1) == 'bit'
        return False

    def patterns(self, channel, stores=True):
        # When pan takes back a receive, it puts into the channel what the variable has: of a
        # message that was cut, too little.
        while True:
            text = super().patterns(channel, stores)
            # A bit alone is kept as a byte.
            wide = ['byte', 'bit'] if channel.kinds == ['bit'] else ['byte']
            if not any(kind in wide and self.is_narrow(name)
                       for kind, name in zip(channel.kinds, text.split(','))): return text

    def io(self):
        """A send or a receive on one of the channels that only this generator has."""
        some = []
        if self.has_messages: some += ['rq!m', 'rq?m', 'rq!!m', 'rq?%d,_' % self.rng.randint(0, 1)]
        if self.has_sizes:
            some += ['sq!%s,_pid' % self.pick(*SIZES), 'sq!!%s,%d' % (self.pick(*SIZES), 1),
                     'sq?sz,_', 'sq??%s,_' % self.pick(*SIZES), 'sq?eval(sz),i']
        if self.has_values: some += ['cq!%s' % self.pick(*self.alike).name, 'cq?ch', 'cq!ch']
        return self.pick(*some) if some else None

    # --- Statements ---

    def simple(self):
        if not self.type or self.chance(0.75): return super().simple()
        some = ['mv = %s' % self.pick('red', 'green', 'blue')]
        if self.has_sizes: some.append('sz = %s' % self.pick(*SIZES))
        if self.has_messages: some.append('m.t = %s' % self.pick('red', 'blue'))
        if self.has_values: some.append('ch = %s' % self.pick(*self.alike).name)
        if self.has_priorities:
            some.append('set_priority(%s, %d)' % (self.pick('_pid', '_pid', '0'),
                                                  self.rng.randint(1, 3)))
        io = self.io() if self.inside != 'd_step' else None
        return io if io and self.chance(0.6) else self.pick(*some)

    def last(self):
        if self.target and self.inside != 'd_step' and self.chance(0.3):
            return 'goto ' + self.target
        return super().last()

    def else_chance(self, sends): return 0.0 if sends else 0.6

    def talks_at(self, line):
        # Also by a selection that the block begins with.
        return any(self.talks(text) for text in self.lines[line:])

    def talks(self, guard): return super().talks(guard) or 'empty(' in guard or 'full(' in guard

    def first_of_d_step(self):
        if not self.channels or self.chance(0.6): return super().first_of_d_step()
        c = self.pick(*self.channels)
        if c.capacity > 0 and self.chance(0.5):
            return '%s!%s' % (c.name, ','.join(self.value(kind) for kind in c.kinds))
        return '%s?%s' % (c.name, self.patterns(c))

    def block(self, word, depth, count=None):
        # A `break` in front of it would jump into it.
        if word == 'd_step' and self.lines[-1].strip() in ('od;', 'fi;', '}'): self.put('skip;')
        super().block(word, depth, count)

    def meeting(self, depth=1):
        """A choice of rendezvous, and the ways that lead on from them."""
        begin, end = self.pick(('if', 'fi'), ('if', 'fi'), ('do', 'od'))
        self.put(begin)
        for _ in range(self.rng.randint(1, 3)):
            c = self.pick(*self.direct())
            values = ','.join(self.value(kind) for kind in c.kinds)
            talk = self.pick('%s!%s' % (c.name, values), '%s!%s' % (c.name, values),
                             '%s?%s' % (c.name, self.patterns(c)), 'skip')
            if depth > 0 and self.chance(0.15):
                self.put('::')
                self.meeting(depth - 1)
            elif begin == 'do': self.put(':: %s; break' % talk)
            elif self.target and self.chance(0.2): self.put(':: %s; goto %s' % (talk, self.target))
            else: self.put(':: ' + talk)
        self.put(end + ';')

    def atomic_meeting(self):
        self.put('atomic {')
        if self.chance(0.5): self.put(self.simple() + ';')
        unless = self.chance(0.15)
        if unless: self.put('{')
        self.meeting()
        if unless: self.put('} unless { %s }' % self.condition(0))
        if self.chance(0.3): self.put(self.simple() + ';')
        self.put('}')

    def statement(self, depth):
        if self.type and self.chance(0.02): return self.put('else;')
        if self.chance(0.02): return self.put(self.pick('(2 - 1);', '1;', 'true;', '(1);'))
        if self.direct() and self.type and self.inside == 'plain' and self.chance(0.06):
            kept, self.inside = self.inside, 'atomic'
            self.atomic_meeting()
            self.inside = kept
            return None
        if self.has_inline and self.type and self.chance(0.08):
            return self.put('bump(%s, %s);' % (self.pick('x', *self.globals), self.expression(1)))
        return super().statement(depth)

    def priority(self):
        return ' priority %d' % self.rng.randint(1, 3) if self.has_priorities else ''

    def label(self):
        if self.can_jump: self.target = 'again'
        # Something has to stand between a label and a d_step, into which nobody may jump.
        if self.has_accept and self.chance(0.7):
            return 'accept:\n' + ('again: skip;\nmore' if self.target else 'more')
        return 'again: skip;\nmore' if self.target else super().label()

    def more_locals(self):
        self.target = None
        if self.has_messages: self.put('Msg m;')
        if self.has_values: self.put('chan ch;')

    def first_statements(self):
        if self.has_values: self.put('ch = %s;' % self.pick(*self.alike).name)

    # --- The rest ---

    def declarations(self):
        if self.has_sizes: self.put('mtype:size = { %s };\nmtype:size sz;' % ', '.join(SIZES))
        super().declarations()
        self.put('mtype mv;')
        if self.has_record: self.put('Rec recs[2];')
        if self.has_messages:
            self.put('typedef Msg { byte a; mtype t };')
            self.put('chan rq = [%d] of { Msg };' % self.depths['rq'])
        if self.has_sizes: self.put('chan sq = [%d] of { mtype:size, pid };' % self.depths['sq'])
        if self.has_values: self.put('chan cq = [%d] of { chan };' % self.depths['cq'])
        if self.has_inline:
            self.put('inline bump(v, e) {\n  v = (e) % 3;')
            self.put('  if\n  :: v > 1 -> v--\n  :: else\n  fi\n}')

    def formula_text(self, depth=2):
        if depth == 0 or self.chance(0.2):
            text = self.condition(0)
            # SPIN's reader of formulas knows no questions to channels and no choices.
            while re.search(r'(full|empty|len)\(|\?\[|->', text): text = self.condition(0)
            return '(%s)' % text
        if self.chance(0.6): return '(%s %s)' % (self.pick('[]', '<>', '!'),
                                                 self.formula_text(depth - 1))
        return '(%s %s %s)' % (self.formula_text(depth - 1), self.pick('&&', '||', 'U', '->'),
                               self.formula_text(depth - 1))

    def generate(self):
        text = super().generate()
        if self.formula: text += 'ltl f { %s }\n' % self.formula_text()
        return text


def generate(seed):
    """(text, whether run-time errors may happen, 'never', 'ltl' or None)."""
    one = WideGenerator(seed)
    text = one.generate()
    return text, one.errs, 'never' if one.claim else 'ltl' if one.formula else None


if __name__ == '__main__':
    print(generate(sys.argv[1])[0], end='')
