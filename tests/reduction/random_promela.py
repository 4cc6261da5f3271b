#!/usr/bin/env python3
"""Random Promela models, reduced, against the whole ones.

  random_promela.py CHECK_PROMELA [--steps | --goals | --claims] [--count 500] [--seed 1]
                    [--without RULE] [--most STATES] [--deep]

Makes models of seeds `seed` and the following ones and has them checked in one go, with --goals and
--claims some goals, or claims and formulas, of each. Says what the checker says, and ends with its
status.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'oracle', 'promela'))
sys.path.insert(0, os.path.join(HERE, '..', 'oracle'))
from gen_promela import Channel, Generator  # noqa: E402
from run_binary import scratch  # noqa: E402


class Asker(Generator):
    """A model, and what is asked about it."""

    def __init__(self, seed, deep=False):
        super().__init__(seed)
        if deep:
            self.channels = [Channel('q%d' % i, self.pick(2, 2, 3), self.fields())
                             for i in range(self.rng.randint(1, 2))]
            self.takes = {t: None for t in self.types}
        self.text = self.generate()
        self.places, name = [], None
        for line in self.text.splitlines():
            begin = re.match(r'(?:active.* )?proctype (\w+)', line)
            if begin: name = begin.group(1)
            label = re.match(r'\s*(end|progress|again|here):', line)
            if label and name: self.places.append((name, label.group(1)))

    def number(self): return self.pick('', '[0]', '[1]', '[2]', '[g0]')

    def atom(self):
        some = [lambda: self.condition(0)] * 2
        some.append(lambda: '(%s == %d)' % (self.variable(), self.rng.randint(0, 2)))
        if self.places: some += [lambda: '(%s%s@%s)' % ((p := self.pick(*self.places))[0],
                                                        self.number(), p[1])] * 2
        some.append(lambda: '(%s%s:x == %d)' % (self.pick(*self.types), self.number(),
                                                self.rng.randint(0, 2)))
        return self.pick(*some)()

    def question(self, depth=2):
        if depth == 0 or self.chance(0.4): return self.atom()
        if self.chance(0.2): return '!' + self.question(depth - 1)
        return '(%s %s %s)' % (self.question(depth - 1), self.pick('&&', '||'),
                               self.question(depth - 1))

    def goals(self):
        return ''.join('// goal %s\n' % self.question() for _ in range(3))

    def formula(self):
        p, q = self.question(1), self.question(0)
        return self.pick('[] %s' % p, '<> %s' % p, '[] (%s -> <> %s)' % (p, q),
                         '%s U %s' % (p, q), '<> [] %s' % p, '[] <> %s' % p,
                         '([] <> %s) -> ([] <> %s)' % (p, q), '<> (%s && X %s)' % (p, q))

    def never(self):
        p, q = self.question(1), self.question(0)
        return self.pick(
            'do\n:: %s -> break\n:: true\nod;\naccept: do\n:: %s\nod' % (p, q),
            'do\n:: atomic { %s -> assert(!%s) }\n:: true\nod' % (p, p),
            'again: if\n:: %s -> goto accept_1\n:: else -> goto again\nfi;\n'
            'accept_1: if\n:: %s -> goto again\n:: else -> goto accept_1\nfi' % (p, q),
            'do\n:: assert(%s)\nod' % p,
            'do\n:: d_step { if\n:: %s -> skip\n:: else -> skip\nfi }\n:: %s -> break\nod' % (p, q))

    def claims(self):
        return ''.join(['ltl f%d { %s }\n' % (i, self.formula()) for i in range(3)] +
                       ['never n%d {\n%s\n}\n' % (i, self.never()) for i in range(2)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('checker')
    parser.add_argument('--count', type=int, default=500)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--without')
    parser.add_argument('--steps', action='store_true')
    parser.add_argument('--deep', action='store_true', help='channels with room for more messages')
    parser.add_argument('--goals', action='store_true')
    parser.add_argument('--claims', action='store_true')
    parser.add_argument('--most', type=int, default=2000)
    options = parser.parse_args()
    print('seeds %d to %d' % (options.seed, options.seed + options.count - 1), flush=True)
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        names = []
        for seed in range(options.seed, options.seed + options.count):
            names.append(os.path.join(folder, 'seed-%d.pml' % seed))
            one = Asker(seed, options.deep)
            text = one.text
            if options.goals: text += one.goals()
            if options.claims: text += one.claims()
            with open(names[-1], 'w') as file: file.write(text)
        more = ['--without', options.without] if options.without else []
        more += ['--' + word for word in ('steps', 'goals', 'claims') if getattr(options, word)]
        command = [options.checker, '--most', str(options.most)] + more + names
        return subprocess.run(command).returncode


if __name__ == '__main__':
    sys.exit(main())
