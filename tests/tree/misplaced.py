#!/usr/bin/env python3
"""Puts sound blocks into wrong places of a stopped run, and resumes it.

  misplaced.py TOOL [--cases N] [--seed S] [--jobs J] [--only TEXT]

A card that misdirects or loses a write, or a careless copy, leaves blocks whose checksums are
right: of another place of the same file, of another file, of another run, or older ones of the same
place. Every engine and every kind of file gets such blocks in turn. Afterwards `resume` has to end
with the verdict and the counts of an undisturbed run, or with status 74: never with another answer,
a signal or an internal error. `fsck` has to find what made resume give up.
"""
import collections
import functools
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

import campaign
import typed
from kill import HOLDS, SETS, SETS_PATH, STOPPED, VIOLATED, Failure, Place, undisturbed
from texts import counters, filter_lock, product, ring, workers

DAMAGED = 74
PAGE = 4096
MAGIC = b'XMCB'
KINDS = ('copied', 'swapped', 'other file', 'other run', 'stale', 'zeroed')

HOLDING = ('holds', counters((9, 9, 9, 9, 9, 5)), ['--deadlock', 'off'])
INVARIANT = ('invariant', counters((9, 9, 9, 9, 9, 4)),
             ['--invariant', 'v0 + v1 + v2 + v3 + v4 < 44'])
FULL = ('full', ring(6, 4), ['--full'])
NO_CYCLE = ('no cycle', product((9, 9, 9, 9, 9), 'v0 < 9'), [])
LASSO = ('lasso', product((9, 9, 9, 9, 7), 'v0 == 9'), ['--full'])


def with_options(job, *more):
    return job[0] + ' ' + ' '.join(more), job[1], job[2] + list(more)


# With what is left out where it pays, as nobody asked for it, and as somebody did.
STEPS = ('steps', filter_lock(5, 1), ['--reduce', 'all'])
WORKERS = ('workers', workers(3, 4, 2), ['--property', 'none'], None, '.pml')
WORKERS_END = ('workers end', workers(2, 25, 3), ['--property', 'ends'], None, '.pml')
WORKERS_STEPS = ('workers steps', workers(3, 5, 2), ['--property', 'none', '--reduce', 'all'],
                 None, '.pml')

SAFETY = ('explicit', 'diagram', 'mono', 'local', 'disk', 'serial', 'hddd', 'dddd', 'part')
JOBS = ([(job, 'default') for job in (WORKERS, WORKERS_END, STEPS, WORKERS_STEPS)] +
        [(job, engine) for engine in SAFETY for job in (STEPS, WORKERS_STEPS)] +
        [(job, engine) for engine in SAFETY for job in (HOLDING, INVARIANT, FULL)] + [
    (NO_CYCLE, 'min-cex'), (NO_CYCLE, 'trim'), (LASSO, 'min-cex'), (LASSO, 'trim'),
    (NO_CYCLE, 'owcty'), (LASSO, 'owcty'), (NO_CYCLE, 'map'), (LASSO, 'map'),
    (NO_CYCLE, 'ioemc'), (LASSO, 'ioemc'), (with_options(NO_CYCLE, '--dd', 'tiers'), 'ioemc'),
    (with_options(LASSO, '--dd', 'lhs'), 'ioemc'),
    (LASSO, 'iddfs'), (LASSO, 'double-dfs'), (with_options(LASSO, '--edges', 'on'), 'double-dfs'),
    (with_options(LASSO, '--index', 'phf'), 'double-dfs'),
    (with_options(LASSO, '--index', 'phf', '--phf', 'flash', '--phf-cache', '64K'), 'double-dfs'),
    (with_options(LASSO, '--method', 'gastin-moro', '--index', 'phf'), 'min-cex'),
    (with_options(LASSO, '--method', 'gastin-moro'), 'min-cex'),
    (SETS, 'symbolic'), (SETS_PATH, 'symbolic')])


def stop_somewhere(place, seconds, dice, resume, *more):
    """Starts or resumes a run and asks it to stop. Whether it left a checkpoint."""
    child = place.start(resume, *more)
    try:
        child.wait(seconds * (0.3 + 0.7 * dice.random()))
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGTERM)
    return child.wait(300) == STOPPED and place.roots()


def files_of(place):
    """The files of the newest checkpoint with their sizes there."""
    _, _, lines = place.roots()[0]
    named = [line.split() for line in lines if line.startswith(('file ', 'plain '))]
    return {words[1]: int(words[2]) for words in named if int(words[2]) > 0}


def blocks_of(path, size):
    """Begin and length of every block; pages, in a file that is not made of blocks."""
    with open(path, 'rb') as file:
        data = file.read(size)
    found = []
    at = 0
    while at < size:
        length = PAGE
        if data[at + 8:at + 12] == MAGIC:
            length = struct.unpack_from('<H', data, at + 20)[0] * PAGE
        found.append((at, length))
        at += length
    return data, found


def write_at(path, at, data):
    with open(path, 'r+b') as file:
        file.seek(at)
        file.write(data)


def put(path, old, at, data):
    """Whether that changed anything."""
    if old[at:at + len(data)] == data:
        return False
    write_at(path, at, data)
    return True


class Case:
    """One job: a stopped run, what it looked like earlier, and another run of the same model."""

    def __init__(self, tool, folder, job, engine, dice):
        self.place = Place(tool, folder, job, engine)
        self.engine, self.dice, self.folder = engine, dice, folder
        self.wanted, self.seconds = undisturbed(self.place)
        self.kept = os.path.join(folder, 'kept')
        self.other = os.path.join(folder, 'other')
        self.past = os.path.join(folder, 'past')
        self.ready = False

    def prepare(self):
        """`past` is what a process wrote whose work was lost, `kept` what went on without it."""
        place, dice = self.place, self.dice
        for folder in (self.kept, self.other, self.past, place.work):
            shutil.rmtree(folder, ignore_errors=True)
        self.ready = False
        if not stop_somewhere(place, self.seconds * 0.7, dice, False):
            return
        shutil.move(place.work, self.other)
        if not stop_somewhere(place, self.seconds * 0.5, dice, False):
            return
        shutil.copytree(place.work, self.kept)
        if not stop_somewhere(place, self.seconds * 0.3, dice, True):
            return
        shutil.move(place.work, self.past)
        shutil.move(self.kept, place.work)
        # With other memory the same places get other blocks.
        if not stop_somewhere(place, self.seconds * 0.3, dice, True, '--ram', place.other_ram):
            return
        shutil.move(place.work, self.kept)
        self.ready = True

    def damage(self, kind):
        """Which file it is, or None if there was nothing to do."""
        place, dice = self.place, self.dice
        shutil.rmtree(place.work, ignore_errors=True)
        shutil.copytree(self.kept, place.work)
        sizes = files_of(place)
        if not sizes:
            return None
        name = dice.choice(sorted(sizes))
        path = os.path.join(place.work, name)
        data, blocks = blocks_of(path, sizes[name])
        at, length = dice.choice(blocks)
        if kind in ('copied', 'swapped'):
            same = [b for b, n in blocks if n == length and b != at]
            if not same:
                return None
            source = dice.choice(same)
            changed = put(path, data, at, data[source:source + length])
            if kind == 'swapped':
                changed = put(path, data, source, data[at:at + length]) or changed
        elif kind == 'zeroed':
            changed = put(path, data, at, bytes(length))
        else:
            changed = self.from_elsewhere(kind, name, path, data, at, length, sizes)
        return name if changed else None

    def from_elsewhere(self, kind, name, path, data, at, length, sizes):
        if kind == 'other file':
            names = [other for other in sizes if other != name]
            if not names:
                return False
            other = os.path.join(self.place.work, self.dice.choice(sorted(names)))
            source, _ = blocks_of(other, os.path.getsize(other))
            at_source = self.dice.randrange(0, max(len(source) - length, 0) + 1, PAGE)
        else:
            other = os.path.join(self.other if kind == 'other run' else self.past, name)
            if not os.path.exists(other):
                return False
            with open(other, 'rb') as file:
                source = file.read()
            at_source = at
        block = source[at_source:at_source + length]
        return len(block) == length and put(path, data, at, block)

    def judge(self, kind, name):
        place = self.place
        fsck = place.call('fsck', place.work)
        status = place.start(True).wait(300)
        label = f'{place.name} ({self.engine}), {kind} in {name}'
        if status == DAMAGED:
            if fsck.returncode != DAMAGED:
                raise Failure(f'{label}: fsck says {fsck.returncode}, resume {status}: '
                              f'{place.said()}')
            return 'refused'
        if status not in (HOLDS, VIOLATED) or place.result() != self.wanted:
            raise Failure(f'{label}: exit {status}, {place.result()} instead of {self.wanted}: '
                          f'{place.said()}')
        return 'right'


def run_job(tool, job, engine, seed, cases):
    """Counts by kind of damage, kind of file and how it ended."""
    dice = random.Random(seed)
    counts = collections.Counter()
    kinds = dice.sample(KINDS, len(KINDS))
    with tempfile.TemporaryDirectory() as folder:
        case = Case(tool, folder, job, engine, dice)
        for turn in range(cases * 12):
            if sum(counts.values()) >= cases:
                break
            if not case.ready or turn % 12 == 11:
                case.prepare()
            if not case.ready:
                continue
            kind = kinds[turn % len(kinds)]
            name = case.damage(kind)
            if name is not None:
                counts[kind, name.split('.')[0], case.judge(kind, name)] += 1
    return counts


def tally(engines):
    """Each engine has all of its jobs in turn."""
    found = typed.Tally('misplaced')
    for engine, counts in engines.items():
        jobs = [job for job, name in JOBS if name == engine]
        for job in jobs:
            words = typed.as_words(job[2])
            if engine != 'default':
                words['--engine'] = engine
            words['--checkpoint'] = 'level'
            found.note(words, job[4] if len(job) > 4 else '.dve',
                       times=sum(counts.values()) // len(jobs))
    return found


def main():
    args = campaign.arguments('--cases').parse_args()
    engines, wrong = campaign.run(args, JOBS, functools.partial(run_job, args.tool))
    total = sum(engines.values(), collections.Counter())
    for title, index in (('damage', 0), ('file', 1), ('end', 2)):
        sums = collections.Counter()
        for key, value in total.items():
            sums[key[index]] += value
        print(f'{title}: ' + ', '.join(f'{name} {n}' for name, n in sorted(sums.items())))
    print('engine: ' + ', '.join(f'{name} {sum(counts.values())}'
                                 for name, counts in sorted(engines.items())))
    if args.tally:
        tally(engines).write(args.tally)
    print(f'{sum(total.values())} cases, {wrong} jobs with a wrong end')
    sys.exit(1 if wrong or not total else 0)


if __name__ == '__main__':
    main()
