#!/usr/bin/env python3
"""Steps of models that do not end in any time: they hear signals and --time, and have a limit.

  long_steps.py TOOL [SECONDS]

SECONDS is the time that an end may take: 4, more for a tool that is emulated or sanitized.

Each model counts for a while, and then has one step that goes round without an end. Whoever asks
for a stop has to get it soon, with the status of a run that can go on, or that has
nothing to go on from; a folder that is left has to be resumed.
"""
import concurrent.futures
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

NOT_DECIDED, USAGE, STOPPED = 2, 64, 75
SOON = float(sys.argv[2]) if len(sys.argv) > 2 else 4.0
COUNT = 300  # states before the long step


def choices(number, option, start='byte x; short n;'):
    some = '\n'.join(f'    if :: {option(i, 0)} :: {option(i, 1)} fi;' for i in range(number))
    return start, some


def promela(start, body, after=''):
    count = f'do :: n < {COUNT} -> n++ :: n == {COUNT} -> break od'
    return f'{start}\nactive proctype P() {{\n  {count};\n  atomic {{\n{body}\n{after}\n  }}\n}}\n'


def murphi(declarations, rule, start='n := 0; x := 0', more=''):
    return (f'type big: 0..4000000;\nvar n: 0..{COUNT}; x: 0..1;\n{declarations}\nstartstate '
            f'{start}; end;\nrule "count" n < {COUNT} ==> n := n + 1; end;\n{rule}\n{more}')


def models():
    # All ways are longer than what is remembered of one, and have no end.
    loop = '    do :: a++\n    :: b++\n    :: c++ od'
    yield 'deep.pml', promela('int a, b, c; short n;', loop), (5, 7)
    yield 'for.m', murphi('', f'rule "long" n = {COUNT} ==> for i: big do for j: big do '
                          'x := (i + j) % 2; end; end; end;'), (6, 6)
    yield 'guard.m', murphi('', f'rule "long" n = {COUNT} & forall i: big do forall j: big do '
                            'i + j >= 0 end end ==> x := 1; end;'), (6, 6)
    whiles = 'while x = 0 do ' * 9 + 'y := y & y; ' + 'end; ' * 9
    yield 'while.m', murphi('', f'rule "long" n = {COUNT} ==> var y: boolean; begin y := true; '
                            f'{whiles} end;'.replace('while x = 0', 'for i: 0..999')), (6, 6)
    yield 'recursion.m', murphi(
        'function f(d: 0..60): 0..1; begin if d = 0 then return 0; end; '
        'return (f(d - 1) + f(d - 1)) % 2; end;',
        f'rule "long" n = {COUNT} ==> x := f(60); end;'), (3, 6)
    yield 'invariant.m', murphi('', '', more=f'invariant "long" n < {COUNT} | forall i: big do '
                                'forall j: big do i + j >= 0 end end;'), (7, 7)
    yield 'start.m', murphi('', '', start='for i: big do for j: big do x := (i + j) % 2; end; end; '
                            'n := 0'), (4, 4)


def run(command, stop=None):
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as p:
        if stop is not None:
            time.sleep(1)
            began = time.monotonic()
            p.send_signal(stop)
        try:
            output = p.communicate(timeout=30 + 4 * SOON)[0]
        except subprocess.TimeoutExpired:
            p.kill()
            p.communicate()
            return None, 'it had to be killed', 30
    return p.returncode, output, time.monotonic() - began


class Trial:
    def __init__(self, tool, folder):
        self.tool = tool
        self.folder = folder
        self.failures = []

    def expect(self, what, good, output):
        if not good:
            self.failures.append(f'{what}\n{output}')

    def stopped(self, name, engine, threads, stop):
        work = os.path.join(self.folder, f'{name}.{engine}.{threads}.{stop}.work')
        command = [self.tool, 'check', '-q', '--engine', engine, '--threads', str(threads),
                   '--ram', '64M', '--work', work, os.path.join(self.folder, name)]
        what = f'{name}, {engine}, {threads} threads, {stop}'
        if isinstance(stop, signal.Signals):
            status, output, seconds = run(command, stop)
        else:
            status, output, seconds = run(command + ['--time', stop])
            seconds -= 1
        self.expect(f'{what}: {status} after {seconds:.1f} s',
                    status in (NOT_DECIDED, STOPPED) and seconds < SOON, output)
        self.expect(f'{what}: no reason', 'stopped by signal' in output or 'time limit' in output,
                    output)
        if engine in ('mono', 'explicit', 'part') and not name.startswith('start') and threads == 1:
            self.expect(f'{what}: {status}, and no checkpoint', status == STOPPED, output)
        if status != STOPPED:
            return
        status, output, seconds = run([self.tool, 'resume', '-q', '--time', '1s', work])
        self.expect(f'{what}: resume, {status} after {seconds:.1f} s',
                    status == STOPPED and seconds - 1 < SOON, output)

    def limited(self, name, lines):
        status, output, _ = run([self.tool, 'check', '-q', '--engine', 'ram', '--step-work',
                                 '300000', os.path.join(self.folder, name)])
        good = status == NOT_DECIDED and '--step-work' in output and 'line' in output
        if good:
            said = output[output.index('line'):].split()[1].strip(',').split('-')
            good = lines[0] <= int(said[0]) and int(said[-1]) <= lines[1]
        self.expect(f'{name} with a limit: {status}', good, output)

    def simulated(self, name):
        status, output, seconds = run([self.tool, 'simulate', '--steps', '1000',
                                       os.path.join(self.folder, name)], signal.SIGTERM)
        self.expect(f'simulate {name}: {status} after {seconds:.1f} s',
                    status in (NOT_DECIDED, -signal.SIGTERM) and seconds < SOON, output)

    # Ways that meet: every one of them counts, and the states between are followed once.
    def counted(self, tool, number):
        name = os.path.join(self.folder, f'meet{number}.pml')
        report = os.path.join(self.folder, f'{os.path.basename(tool)}{number}.json')
        text = promela(*choices(number, lambda i, v: f'x = {v}'), after='    x = 2')
        with open(name, 'w', encoding='ascii') as f:
            f.write(text.replace(str(COUNT), '3'))
        source = [] if tool != self.tool else [name]
        status, output, _ = run([tool, 'check', '-q', '--engine', 'ram', '--reduce', 'off',
                                 '--deadlock', 'off', '--paranoid', '--json', report] + source)
        if status != 0:
            return self.failures.append(f'{number} choices: {status}\n{output}')
        with open(report, encoding='ascii') as f:
            stats = json.load(f)['stats']
        base = stats['transitions'] - 2**number
        if number > 63:
            self.expect('too many to count', stats['transitions'] == 2**64 - 2, str(stats))
        else:
            self.expect(f'{number} choices', base == 8, str(stats))


def main():
    tool = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(tool, folder)
        jobs = []
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for i, (name, text, lines) in enumerate(models()):
                with open(os.path.join(folder, name), 'w', encoding='ascii') as f:
                    f.write(text)
                engine = ('explicit', 'mono', 'part', 'ram')[i % 4]
                stops = (signal.SIGTERM, signal.SIGINT, '1s')
                jobs.append(pool.submit(trial.stopped, name, engine, 1, stops[i % 3]))
                jobs.append(pool.submit(trial.stopped, name, 'auto', 1 + i % 2, stops[(i + 1) % 3]))
                jobs.append(pool.submit(trial.limited, name, lines))
                jobs.append(pool.submit(trial.simulated, name))
            for number in (3, 12, 60, 70):
                jobs.append(pool.submit(trial.counted, tool, number))
            for job in jobs:
                job.result()
        for failure in trial.failures:
            print(failure)
        print(f'{len(jobs)} trials, {len(trial.failures)} failures')
        sys.exit(1 if trial.failures else 0)


if __name__ == '__main__':
    main()
