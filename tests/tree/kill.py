#!/usr/bin/env python3
"""Kills checks at random times and resumes them until there is a verdict.

  kill.py TOOL [--kills N] [--seed S] [--engines a,b] [--only TEXT]

The verdict, the counts and the exit status have to be those of a run that nobody disturbed. Some
kills are SIGTERM, which must end with status 75; after some the last checkpoint is damaged as a
card that lied about a flush would do it, which must cost no more than that checkpoint.
"""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from texts import counters, filter_lock, pegs, product, ring, sum_of_pegs, workers

HOLDS, VIOLATED, USAGE, STOPPED = 0, 1, 64, 75
# Killed, or asked to stop before the handlers were there.
SILENT = (-signal.SIGKILL, -signal.SIGTERM)
STATS = ('states', 'transitions', 'levels', 'deadlocks', 'error_steps', 'bad_states')
SLOWEST_SECONDS = 300


# Searches with sets, whose checkpoints are not at ends of levels.
SETS = ('sets', pegs(4, 6), ['--deadlock', 'off'])
SETS_PATH = ('sets, path', pegs(4, 6), ['--deadlock', 'off', '--invariant',
                                        sum_of_pegs(4, 6) + ' > 6'])

# Name, text, options, and an engine of its own if the others cannot do it: a search that holds,
# shortest counterexamples deep in the second phase, totals of a search that goes on after a
# violation, and products with and without an accepting cycle.
# What nobody asked for stands first: steps and values are left out where that pays.
JOBS = (
    ('reduced', workers(3, 3, 2), ['--property', 'none'], 'default', '.pml'),
    ('steps', filter_lock(5, 1), ['--reduce', 'all'], 'explicit'),
    ('reduced runs', workers(2, 12, 3), ['--property', 'ends'], 'default', '.pml'),
    ('holds', counters((9, 9, 9, 9, 9, 5)), ['--deadlock', 'off']),
    ('invariant', counters((9, 9, 9, 9, 9, 4)), ['--invariant', 'v0 + v1 + v2 + v3 + v4 < 44']),
    ('full', ring(6, 4), ['--full']),
    ('errors', counters((9, 9, 9, 9, 9), ',\n    s -> s { guard v0 == 8; effect v1 = 255 + v1; }'),
     ['--full', '--errors', 'beem', '--deadlock', 'off']),
    ('no cycle', product((9, 9, 9, 9, 9), 'v0 < 9'), [], 'min-cex'),
    ('lasso', product((9, 9, 9, 9, 9), 'v0 == 9'), ['--full'], 'min-cex'),
    ('with bits', product((9, 9, 9, 9, 7), 'v0 == 9'), ['--full'], 'double-dfs'),
    ('with hash', product((9, 9, 9, 9, 7), 'v0 == 9'), ['--full', '--index', 'phf'], 'double-dfs'),
    (*SETS, 'symbolic'),
    (*SETS_PATH, 'symbolic'),
)


class Failure(Exception):
    pass


class Place:
    """One job in a folder of its own; engine `default` is what nobody asked for."""

    def __init__(self, tool, folder, job, engine):
        self.tool, self.folder = tool, folder
        self.name, text, self.options = job[:3]
        self.model = os.path.join(folder, 'model' + (job[4] if len(job) > 4 else '.dve'))
        self.work = os.path.join(folder, 'work')
        self.json = os.path.join(folder, 'result.json')
        self.log = os.path.join(folder, 'log')
        sets = engine == 'symbolic'
        # Tables of what steps do to one another stand beside those of states.
        wide = self.model.endswith('.pml')
        self.ram, self.other_ram = (('8M', '9M') if wide else ('6M', '7M') if sets else
                                    ('5M', '5500K'))
        self.limits_states = not sets
        chosen = [] if engine == 'default' else ['--engine', engine]
        self.options = [*self.options, *chosen, '--ram', self.ram, '--checkpoint',
                        '1s' if sets else 'level']
        with open(self.model, 'w') as file:
            file.write(text)

    def start(self, resume, *more):
        if os.path.exists(self.json):
            os.remove(self.json)
        words = (['resume', self.work] if resume else
                 ['check', '--work', self.work, *self.options, self.model])
        with open(self.log, 'w') as log:
            return subprocess.Popen(
                [self.tool, *words, *more, '--json', self.json, '--trace-style', 'none'],
                stdout=log, stderr=subprocess.STDOUT)

    def call(self, *words):
        return subprocess.run([self.tool, *words], capture_output=True, text=True,
                              timeout=SLOWEST_SECONDS)

    def result(self):
        """The figures of a run that wrote its result, or None; one that was stopped behind a
        violation has its totals to come."""
        try:
            with open(self.json) as file:
                result = json.load(file)
        except (OSError, ValueError):
            return None
        if result['verdict'] == 'undecided' or result['exit'] == STOPPED:
            return None
        trace = result['trace']
        if trace and not trace['minimal']:
            trace['prefix'] = None  # any of them will do
        # How much of the last level was seen before a violation ended it is left to the engine.
        stats = STATS if result['complete'] else ('levels',)
        return (result['verdict'], result['kind'], result['complete'], result['exit'], trace,
                {key: result['stats'][key] for key in stats})

    def said(self):
        with open(self.log, errors='replace') as file:
            return file.read()

    def root_files(self):
        paths = [os.path.join(self.work, f'root.{slot}') for slot in (0, 1)]
        return [path for path in paths if os.path.exists(path)]

    def roots(self):
        """Sound slots with their sequence numbers, newest first."""
        found = []
        for path in self.root_files():
            with open(path) as file:
                lines = file.read().split('\n')
            found.append((int(lines[1].split()[1]), path, lines))
        return sorted(found, reverse=True)


def damage(place, dice):
    """Makes the newer of two checkpoints unsound. Whether it could be done."""
    roots = place.roots()
    if len(roots) < 2:
        return False
    sizes = [{words[1]: int(words[2]) for words in map(str.split, lines) if words[:1] == ['file']}
             for _, _, lines in roots]
    newer, older = sizes
    queue = os.path.join(place.work, 'queue')
    lost = newer.get('queue', 0) > older.get('queue', 0)
    fresh = sorted(name for name in newer if name not in older and newer[name] > 0)
    kinds = ['root', 'short', 'block'] if lost else ['root', 'file'] if fresh else ['root']
    kind = dice.choice(kinds)
    if kind == 'file':
        path = os.path.join(place.work, dice.choice(fresh))
        with open(path, 'r+b') as file:
            at = dice.randrange(40)
            file.seek(at)
            byte = file.read(1)
            file.seek(at)
            file.write(bytes([byte[0] ^ 1 << dice.randrange(8)]))
    elif kind == 'root':
        with open(roots[0][1], 'r+b') as file:
            file.seek(dice.randrange(os.path.getsize(roots[0][1])))
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1 << dice.randrange(8)]))
    elif kind == 'short':
        os.truncate(queue, older['queue'])
    else:
        with open(queue, 'r+b') as file:
            file.seek(older['queue'] + dice.randrange(40))
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))
    done = place.call('fsck', place.work)
    if done.returncode != 74 or 'wrong: ' not in done.stdout:
        raise Failure(f'{place.name}: fsck does not see a damage ({kind}): {done.stdout}')
    return True


def undisturbed(place):
    begin = time.monotonic()
    child = place.start(False)
    status = child.wait(SLOWEST_SECONDS)
    if status not in (HOLDS, VIOLATED):
        raise Failure(f'{place.name}: undisturbed, it ends with {status}: {place.said()}')
    if os.path.exists(place.work):
        raise Failure(f'{place.name}: the work directory stays after a verdict')
    return place.result(), time.monotonic() - begin


class Torture:
    def __init__(self, place, wanted, seconds, dice, counts):
        self.place, self.wanted, self.seconds = place, wanted, seconds
        self.dice, self.counts = dice, counts
        self.resume = self.damaged = self.asked_to_stop = False

    def fail(self, message):
        raise Failure(f'{self.place.name}: {message}\n{self.place.said()}')

    def round(self, kill):
        """One start, with or without a kill. True when there is a verdict."""
        place, dice = self.place, self.dice
        child = place.start(self.resume)
        self.asked_to_stop = False
        stop = dice.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
        if kill:
            try:
                child.wait(dice.random() ** 2 * self.seconds)
            except subprocess.TimeoutExpired:
                child.send_signal(stop)
                self.asked_to_stop = stop == signal.SIGTERM
        status = child.wait(SLOWEST_SECONDS)
        silent = status in SILENT or self.verified_in_part(status)
        if self.damaged and not silent and 'not sound' not in place.said():
            self.fail('nothing is said about the damaged checkpoint')
        if place.result() is not None:
            return self.finish(status)
        return self.after_stop(status, stop)

    def verified_in_part(self, status):
        """Told to stop before all of the checkpoint was read: its damage need not have been met."""
        return (self.asked_to_stop and status == STOPPED
                and 'while the checkpoint was verified' in self.place.said())

    def finish(self, status):
        """The verdict was told, even if the kill came after that."""
        place = self.place
        result = place.result()
        # A search of everything that has a violation and is asked to stop is decided with it.
        cut_short = (self.asked_to_stop and self.wanted[0] == 'violated' and not result[2]
                     and result[:2] + result[3:5] == self.wanted[:2] + self.wanted[3:5])
        if result != self.wanted and not cut_short:
            self.fail(f'{place.result()}, but undisturbed {self.wanted}')
        if status not in (self.wanted[3], -signal.SIGKILL):
            self.fail(f'exit status {status}')
        if os.path.exists(place.work) and place.call('clean', place.work).returncode != 0:
            self.fail('what the kill left cannot be cleaned')
        if os.path.exists(place.work):
            self.fail('the work directory stays after a verdict')
        return True

    def after_stop(self, status, stop):
        place, counts = self.place, self.counts
        if status == -signal.SIGKILL:
            counts['kills'] += 1
        elif status == STOPPED and stop == signal.SIGTERM:
            counts['terms'] += 1
            if f'to continue: xmc-lite resume {place.work}' not in place.said():
                self.fail('it does not say how to continue')
        elif status != -signal.SIGTERM:  # before the handlers were there
            self.fail(f'exit status {status}')
        self.resume = bool(place.root_files())
        if not self.resume:
            counts['restarts'] += 1
            if status == STOPPED:
                self.fail('status 75 without a checkpoint')
            return False
        if place.call('status', place.work).returncode != 0:
            self.fail('status fails')
        # A kill may come before the damaged checkpoint was put away.
        sound = place.call('fsck', place.work).returncode == 0
        silent = status in SILENT or self.verified_in_part(status)
        self.damaged = self.damaged and silent and not sound
        if not sound and not self.damaged:
            self.fail('fsck finds something: ' + place.call('fsck', place.work).stdout)
        if not self.damaged and self.dice.random() < 0.2 and damage(place, self.dice):
            counts['damages'] += 1
            self.damaged = True
        return False


def check_refusals(tool, folder):
    """A directory without a checkpoint, and one in which another model's run is."""
    place = Place(tool, folder, JOBS[0], 'diagram')
    os.mkdir(place.work)
    for work in (place.work, os.path.join(folder, 'missing')):
        if place.call('resume', work).returncode != USAGE:
            raise Failure(f'resume of {work} is not refused')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument('--kills', type=int, default=25)
    parser.add_argument('--seed', type=int, default=None)
    parser.add_argument('--engines', default='diagram')
    parser.add_argument('--only', default='', help='part of the name of a job')
    args = parser.parse_args()
    jobs = [job for job in JOBS if args.only in job[0]]
    seed = args.seed if args.seed is not None else random.randrange(1 << 32)
    print(f'seed {seed}', flush=True)
    dice = random.Random(seed)
    counts = dict.fromkeys(('kills', 'terms', 'restarts', 'damages', 'verdicts'), 0)
    try:
        with tempfile.TemporaryDirectory() as top:
            check_refusals(args.tool, top)
        known = {}
        turn = 0
        engines = args.engines.split(',')
        while counts['kills'] < args.kills or turn % (len(jobs) * len(engines)) != 0:
            job = jobs[turn % len(jobs)]
            engine = job[3] if len(job) > 3 else engines[turn // len(jobs) % len(engines)]
            turn += 1
            with tempfile.TemporaryDirectory() as folder:
                place = Place(args.tool, folder, job, engine)
                if (job[0], engine) not in known:
                    known[job[0], engine] = undisturbed(place)
                wanted, seconds = known[job[0], engine]
                torture = Torture(place, wanted, seconds, dice, counts)
                before = counts['kills']
                share = max(args.kills // len(jobs) // len(engines), 1)
                while not torture.round(counts['kills'] - before < share):
                    pass
                counts['verdicts'] += 1
    except Failure as failure:
        print(f'wrong: {failure}')
        sys.exit(1)
    for (name, engine), (wanted, seconds) in known.items():
        print(f'{name} ({engine}): {wanted[0]}, {wanted[5]}, {seconds:.1f} s')
    print(', '.join(f'{value} {key}' for key, value in counts.items()))


if __name__ == '__main__':
    main()
