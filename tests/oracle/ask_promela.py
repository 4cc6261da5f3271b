#!/usr/bin/env python3
"""Random goals, or formulas, for real Promela models: reduced models against whole ones.

  ask_promela.py BINARY FOLDER [--ltl] [--count 4] [--seed 1] [--max-states N] [--reduce all]
                 [--engines ram,part,auto] [--jobs N]

FOLDER holds models and truth.csv (file, options, states). What is asked is made of the names in
each text: values of globals, lengths of channels, labels, the number of processes. Each question is
answered with --reduce off and with the reduction, as check_reduced.py compares them; products keep
no depths. What the tool refuses is left out and counted.
"""
import argparse
import csv
import os
import random
import re
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from check_reduced import compare, number
from run_binary import call

SIMPLE = r'(?:byte|bit|bool|int|short|pid)'


class Names:
    def __init__(self, text, rng):
        def find(pattern): return re.findall(pattern, text, re.M)
        self.rng = rng
        self.variables = find(r'^%s\s+(\w+)\s*(?:=\s*\w+\s*)?;' % SIMPLE)
        self.arrays = find(r'^%s\s+(\w+)\s*\[' % SIMPLE)
        self.channels = find(r'^chan\s+(\w+)\s*=')
        bodies = re.findall(r'proctype\s+(\w+)(.*?)(?=proctype|\Z)', text, re.S)
        self.labels = [(name, label) for name, body in bodies
                       for label in re.findall(r'^\s*(\w+):(?!:)', body, re.M)]

    def atom(self):
        pick, some = self.rng.choice, ['_nr_pr == %d']
        if self.variables: some += ['%s == %d', '%s > %s'] * 2
        if self.arrays: some.append('%s[1] == %d')
        if self.channels: some.append('len(%s) == %d')
        if self.labels: some += ['%s@%s', '%s[%d]@%s'] * 2
        form = pick(some)
        if '@' in form:
            name, label = pick(self.labels)
            return form % ((name, pick([0, 1, 2]), label) if '%d' in form else (name, label))
        if form == '%s > %s': return form % (pick(self.variables), pick(self.variables))
        value = pick([0, 1, 1, 2, 3])
        if form.startswith('_nr_pr'): return form % value
        names = (self.channels if 'len' in form else self.arrays if '[' in form
                 else self.variables)
        return form % (pick(names), value)

    def goal(self):
        out = '(%s)' % self.atom()
        for _ in range(self.rng.choice([0, 1, 2])):
            out += ' %s (%s)' % (self.rng.choice(['&&', '||', '&& !']), self.atom())
        return out

    def formula(self):
        p, q = '"%s"' % self.goal(), '"%s"' % self.atom()
        form = self.rng.choice(['[] P', '<> P', '[] (Q -> <> P)', 'P U Q', '<> [] P', '[] <> P',
                                '([] <> Q) -> ([] <> P)'])
        return form.replace('P', '\0').replace('Q', q).replace('\0', p)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('binary')
    parser.add_argument('folder')
    parser.add_argument('--ltl', action='store_true')
    parser.add_argument('--count', type=int, default=4)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--max-states', type=int, default=60000)
    parser.add_argument('--reduce', default='all')
    parser.add_argument('--engines', default='ram,part,auto')
    parser.add_argument('--jobs', type=int, default=2)
    args = parser.parse_args()
    rng, questions, seen = random.Random(args.seed), [], set()
    with open(os.path.join(args.folder, 'truth.csv'), encoding='utf-8') as f:
        rows = list(csv.DictReader(f))
    for row in rows:
        states = number(row['states']) or args.max_states + 1
        if row['file'] in seen or states > args.max_states: continue
        seen.add(row['file'])
        path = os.path.join(args.folder, row['file'])
        with open(path, encoding='utf-8', errors='replace') as f: names = Names(f.read(), rng)
        given = re.sub(r'--property \S+', '', row['options'] or '').split()
        for _ in range(args.count):
            asked = ['--ltl', names.formula()] if args.ltl else ['--reach', names.goal()]
            engine = ['--engine', rng.choice(args.engines.split(','))]
            questions.append((path, given + asked + engine))

    def work(question):
        path, options = question
        return [call([os.path.abspath(args.binary), 'check', '--ram', '256M'], path,
                     options + ['--reduce', word], 100) for word in ('off', args.reduce)]

    failed, kinds = 0, Counter()
    with ThreadPoolExecutor(args.jobs) as pool:
        for (path, options), (whole, reduced) in zip(questions, pool.map(work, questions)):
            if whole.code is None or whole.code > 1:
                kinds['left out'] += 1
                continue
            wrong = [what for what in compare(whole, reduced)
                     if not (args.ltl and 'not shortest' in what)]
            reduction = ((reduced.result or {}).get('reduction') or {}).get('kind')
            kinds['%s, %s' % (reduction, whole.result['kind'] or 'holds')] += 1
            if not wrong: continue
            failed += 1
            print(f"FAIL {os.path.basename(path)} {options}: {'; '.join(wrong)}", flush=True)
    for kind, count in sorted(kinds.items()): print(f'{count:6} {kind}')
    print(f"{sum(kinds.values()) - kinds['left out'] - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
