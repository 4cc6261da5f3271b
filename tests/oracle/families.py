#!/usr/bin/env python3
"""Families of models whose numbers are known for every size, in sets of states.

  families.py TOOL [--no-rss]

Small members are searched by `ram` as well, which proves the formulas. Large ones, up to more
states than 512 bits can count, have to have the same numbers with `symbolic` and `auto` in 8 MiB,
without a file. --no-rss: the peak is not the tool's alone, as with an emulator.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

TIME = '/usr/bin/time'
RAM_MIB = 8
MOST = 1 << 512
SMALL = range(2, 8)
FIGURES = ('states', 'transitions', 'deadlocks')


class Philosophers:
    """Each takes the left fork, then the right one, and puts both back at once.

    A state is a word of thinking, one fork and eating around the table, in which nobody who has
    the left fork sits right of somebody who eats. Every such word is reached: those who eat
    begin. The words are closed walks of the matrix MAY, whose eigenvalues are 0 and 1 +- sqrt(2).
    """
    LARGE = (32, 60, 200)
    THINK, ONE, EAT = range(3)
    MAY = ((1, 1, 1), (1, 1, 1), (1, 0, 0))

    @staticmethod
    def model(n):
        text = f'byte fork[{n}];\n'
        for left in range(n):
            right = (left + 1) % n
            text += f'''process P{left} {{ state think, one, eat; init think; trans
  think -> one {{ guard fork[{left}] == 0; effect fork[{left}] = 1; }},
  one -> eat {{ guard fork[{right}] == 0; effect fork[{right}] = 1; }},
  eat -> think {{ effect fork[{left}] = 0, fork[{right}] = 0; }}; }}
'''
        return text + 'system async;\n'

    @classmethod
    def numbers(cls, n):
        before, states = 2, 2  # (1 + sqrt(2))^n + (1 - sqrt(2))^n
        for _ in range(n - 1):
            before, states = states, 2 * states + before
        walks = [[int(a == b) for b in range(3)] for a in range(3)]
        for _ in range(n - 1):
            walks = [[sum(row[k] * cls.MAY[k][b] for k in range(3)) for b in range(3)]
                     for row in walks]
        # Of one philosopher: takes the left fork, the right one, or puts them back.
        left = walks[cls.THINK][cls.THINK] + walks[cls.THINK][cls.ONE]
        right = walks[cls.THINK][cls.ONE]
        back = walks[cls.EAT][cls.THINK] + walks[cls.EAT][cls.ONE]
        return states, n * (left + right + back), 1  # all have the left one


class Scheduler:
    """Cyclers start in turn; each ends its work whenever it likes: any set of them is at work."""
    LARGE = (36, 60)

    @staticmethod
    def model(n):
        text = 'int turn;\n'
        for i in range(n):
            text += f'''process P{i} {{ state idle, busy; init idle; trans
  idle -> busy {{ guard turn == {i}; effect turn = {(i + 1) % n}; }}, busy -> idle {{}}; }}
'''
        return text + 'system async;\n'

    @staticmethod
    def numbers(n):
        return n << n, n * (n + 1) << (n - 1), 0


class Choices:
    """Each process takes one of two ways, and that was all."""
    LARGE = (41, 100, 400)

    @staticmethod
    def model(n):
        text = ''
        for i in range(n):
            text += f'process P{i} {{ state s, a, b; init s; trans s -> a {{}}, s -> b {{}}; }}\n'
        return text + 'system async;\n'

    @staticmethod
    def numbers(n):
        return 3 ** n, 2 * n * 3 ** (n - 1), 2 ** n


def known(stats, name):
    """The number that the result gives; the least one that it can be, where it is a bound."""
    if f'{name}_at_least' in stats:
        base, exponent = stats[f'{name}_at_least'].split('^')
        return int(base) ** int(exponent)
    if f'{name}_exact' in stats:
        return int(stats[f'{name}_exact'])
    return stats[name]


def check(tool, folder, family, n, engine, rss):
    """What is wrong with this member."""
    name = f'{family.__name__.lower()}{n}'
    model, result, peak = (os.path.join(folder, name + s) for s in ('.dve', '.json', '.peak'))
    with open(model, 'w', encoding='utf-8') as file:
        file.write(family.model(n))
    done = subprocess.run(
        [TIME, '-q', '-o', peak, '-f', '%M', tool, '--engine', engine, '--ram', f'{RAM_MIB}M',
         '--deadlock', 'off', '--reduce', 'off', '--json', result, model],
        cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        return [f'{name} {engine}: exit {done.returncode}: {done.stdout}{done.stderr}']
    with open(result, encoding='utf-8') as file:
        stats = json.load(file)['stats']
    wrong = []
    for figure, number in zip(FIGURES, family.numbers(n)):
        wanted = min(number, MOST)
        if known(stats, figure) != wanted:
            wrong.append(f'{figure} {known(stats, figure)}, not {wanted}')
        if (stats[figure] is None) != (number >= (1 << 64) - 1):
            wrong.append(f'{figure} as a number: {stats[figure]}')
        text = f'{number:,}' if number < MOST else 'at least 2^512'
        if number != 0 and text not in ' '.join(done.stdout.split()):
            wrong.append(f'{text} {figure} is not said')
    if stats['bytes_written'] or os.path.exists(model + '.xmc'):
        wrong.append('files')
    with open(peak, encoding='utf-8') as file:
        kib = int(file.read().split()[-1])
    if rss and kib > RAM_MIB << 10:
        wrong.append(f'a peak of {kib} KiB')
    return [f'{name} {engine}: {what}' for what in wrong]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument('--no-rss', action='store_true')
    args = parser.parse_args()
    tool = os.path.abspath(args.tool)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for family in (Philosophers, Scheduler, Choices):
            members = [(n, e) for n in SMALL for e in ('ram', 'symbolic')]
            members += [(n, e) for n in family.LARGE for e in ('symbolic', 'auto')]
            for n, engine in members:
                wrong = check(tool, folder, family, n, engine, not args.no_rss)
                print('\n'.join(wrong), end='\n' if wrong else '')
                failed += bool(wrong)
                passed += not wrong
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
