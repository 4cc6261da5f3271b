#!/usr/bin/env python3
"""What is left of a reduced model is the same whoever searches it.

  reduced.py TOOL [--checker-builder CMD]

Engines, threads, other amounts of memory, runs that were stopped and resumed, runs in which all
successors are made and compared, and a built checker count the same states, transitions and
deadlocks with --reduce all; `auto` decides the same for all of them.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile

from texts import workers

RING = 5


def ring(processes, most, tail, closed=True):
    """Counters that may be one apart from their left neighbour, with steps that touch no other."""
    text = f'byte v[{processes}];\n'
    for i in range(processes):
        left = (i - 1) % processes if closed else max(i - 1, 0)
        text += (f'process P{i} {{ byte old; state s, t, u; init s; trans\n'
                 f'    s -> t {{ guard v[{i}] < {most} and v[{i}] <= v[{left}]; '
                 f'effect old = v[{i}]; }},\n'
                 f'    t -> u {{ guard old < 2; effect old = (old + 1) % 9; }},\n'
                 f'    t -> u {{ guard old > 1; effect old = (old + 1) % 9; }},\n'
                 f'    u -> s {{ effect v[{i}] = old; }};\n}}\n')
    return text + tail


PROPERTY = ('process N { state a, b; init a; accept b; trans a -> a {},'
            ' a -> b { guard v[0] == 2; }, b -> b { guard v[0] == 2; }; }\n'
            'system async property N;\n')
MODELS = {
    'deadlocks': (ring(RING, 3, 'system async;\n'), []),
    'paths': (ring(RING, 3, 'system async;\n', closed=False), ['--reach', 'v[1] == 3 and P2.u']),
    'runs': (ring(RING - 1, 3, PROPERTY), []),
}


def fail(text):
    sys.exit(f'reduced: {text}')


class Place:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.out, self.work = (os.path.join(folder, name) for name in ('o.json', 'w'))

    def run(self, options, command=None, exits=(0, 1)):
        if os.path.exists(self.out): os.remove(self.out)
        command = command or [self.tool, 'check']
        done = subprocess.run([*command, '-q', '--json', self.out, *options], text=True,
                              capture_output=True, timeout=120, check=False)
        if done.returncode not in exits:
            fail(f'{" ".join(command + options)} ends with {done.returncode}: {done.stderr}')
        with open(self.out, encoding='utf-8') as file: return json.load(file)

    def figures(self, result, levels=True):
        """What has to be the same. Only searches by levels count them; some of products count
        each transition again."""
        stats = result['stats']
        keys = ['states', 'deadlocks'] + (['transitions', 'levels'] if levels else [])
        return [result['reduction']['kind'], result['verdict'], [stats[key] for key in keys]]

    def check(self, name, model, options, builder):
        full = ['--reduce', 'all', '--full', *options]
        product = name == 'runs'
        first = self.run([*full, '--engine', 'ram', '--ram', '64M', model])
        known = self.figures(first, not product)
        whole = self.run(['--reduce', 'off', '--full', *options, '--engine', 'ram', '--ram', '64M',
                          model])
        if first['stats']['states'] >= whole['stats']['states']:
            fail(f'{name}: nothing is left out')
        print(f'{name}: {first["stats"]["states"]} of {whole["stats"]["states"]} states', known)

        def same(label, result):
            found = self.figures(result, not product)
            if found != known: fail(f'{name}, {label}: {found}, not {known}')
        search = ['trim', 'owcty'] if product else ['mono', 'dddd', 'diagram', 'explicit']
        if not product: self.resume_default(full, model, same)
        for engine in search:
            same(engine, self.run([*full, '--engine', engine, '--ram', '5M', model]))
            same(f'{engine}, two threads', self.run([*full, '--engine', engine, '--threads', '2',
                                                     '--ram', '16M', model]))
            for depth in ('3', '9'):
                self.run([*full, '--engine', engine, '--depth', depth, '--ram', '8M', '--work',
                          self.work, model], exits=(75,))
                same(f'{engine} resumed at {depth}',
                     self.run([], [self.tool, 'resume', self.work]))
        same('compared', self.run([*full, '--engine', 'ram', '--paranoid', '--ram', '64M', model]))
        for more in (['--ram', '5M'], ['--ram', '64M'], ['--ram', '64M', '--threads', '2']):
            kind = self.run(['--reduce', 'auto', '--full', *options, *more, model])
            if kind['reduction']['kind'] != 'all': fail(f'{name}, auto: {kind["reduction"]}')
        if not builder: return
        checker = os.path.join(self.folder, 'checker')
        subprocess.run([*builder, model, '-o', checker, '--reduce', 'auto'], check=True,
                       capture_output=True)
        for word in ('auto', 'all'):
            more = ['--reduce', word, '--full', '--engine', 'ram', '--ram', '64M']
            run = self.run([*more, *options], [checker, 'check'])
            same(f'checker, {word}', run)

    def resume_default(self, options, model, same):
        """What nobody asked for: `auto`, which the resumed run must not take for the engine of
        sets, with whatever memory there is then."""
        for depth, ram in (('3', '8M'), ('9', '16M')):
            self.run([*options, '--depth', depth, '--ram', '8M', '--work', self.work, model],
                     exits=(75,))
            same(f'auto resumed at {depth}', self.run([], [self.tool, 'resume', self.work, '--ram',
                                                           ram]))

    def check_memory(self, name, model, options):
        """A layout and a reduction that depend on the memory are those that the run began with."""
        options = [*options, '--checkpoint', 'level', '--engine', 'explicit']
        for first in ('5M', '6M', '8M'):
            whole = self.figures(self.run([*options, '--ram', first, model]))
            for second in (first, '6M', '32M'):
                self.run([*options, '--ram', first, '--wear-limit', '60K', '--work', self.work,
                          model], exits=(75,))
                found = self.figures(self.run([], [self.tool, 'resume', self.work, '--wear-limit',
                                                   '1G', '--ram', second]))
                if found != whole: fail(f'{name}, {first} to {second}: {found}, not {whole}')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tool')
    parser.add_argument('--checker-builder', default='')
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(os.path.abspath(args.tool), folder)
        for name, (text, options) in MODELS.items():
            model = os.path.join(folder, f'{name}.dve')
            with open(model, 'w', encoding='utf-8') as file: file.write(text)
            place.check(name, model, options, shlex.split(args.checker_builder))
        model = os.path.join(folder, 'workers.pml')
        with open(model, 'w', encoding='utf-8') as file: file.write(workers(2, 12, 3))
        place.check_memory('workers', model, ['--property', 'none'])


if __name__ == '__main__':
    main()
