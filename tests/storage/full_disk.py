#!/usr/bin/env python3
"""Fills the file system of a run while it works, and goes on when there is room again.

  full_disk.py TOOL [--cases N] [--seed S] [--only TEXT]

The file system is a tmpfs of some MiB in a mount namespace of its own; where none can be made, the
test is skipped (status 77). Somebody else takes all that is free while the run is in the middle of
something, so that its next write ends with ENOSPC. The run has to leave a checkpoint with what it
holds in reserve: status 75, and words that say to make room. A resume before there is room changes
nothing for the worse. With room, resume gives the verdict and counts of an undisturbed run.
"""
import argparse
import collections
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tree'))
from texts import counters, product  # noqa: E402

SKIPPED = 77
HOLDS, VIOLATED, FAILED, STOPPED = 0, 1, 74, 75
SMALL, LARGE = '24M', '200M'
STATS = ('states', 'transitions', 'levels', 'deadlocks')

HOLDING = ('holds', counters((9, 9, 9, 9, 9, 9, 1)), ['--deadlock', 'off'])
INVARIANT = ('invariant', counters((9, 9, 9, 9, 9, 9, 1)),
             ['--invariant', 'v0 + v1 + v2 + v3 + v4 + v5 < 53'])
NO_CYCLE = ('no cycle', product((9, 9, 9, 9, 9, 2), 'v0 < 9'), [])
JOBS = ([(job, engine) for engine in ('mono', 'disk', 'part', 'hddd', 'dddd', 'explicit')
         for job in (HOLDING, INVARIANT)] +
        [(NO_CYCLE, engine) for engine in ('min-cex', 'owcty', 'double-dfs', 'ioemc')])


class Wrong(Exception):
    pass


def in_namespace():
    """Runs this script again where it may mount; only returns where that cannot be done."""
    if os.environ.get('XMC_FULL_DISK'):
        return
    try:
        can = subprocess.run(['unshare', '-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp'],
                             capture_output=True)
    except OSError as error:
        print(f'skipped: {error}')
        sys.exit(SKIPPED)
    if can.returncode != 0:
        print('skipped: no file system can be mounted here')
        sys.exit(SKIPPED)
    os.environ['XMC_FULL_DISK'] = '1'
    os.execvp('unshare', ['unshare', '-rm', sys.executable, *sys.argv])


def mount(folder, *words):
    subprocess.run(['mount', *words, folder], check=True)


def used(folder):
    stat = os.statvfs(folder)
    return (stat.f_blocks - stat.f_bfree) * stat.f_frsize


def fill(path):
    """Takes all that is free."""
    with open(path, 'wb', buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    file.write(b'x' * size)
            except OSError:
                pass


class Disk:
    def __init__(self, folder, tool, job, engine):
        self.disk = os.path.join(folder, 'disk')
        os.mkdir(self.disk)
        self.work, self.hog = os.path.join(self.disk, 'work'), os.path.join(self.disk, 'hog')
        self.json = os.path.join(folder, 'result.json')
        self.model = os.path.join(folder, 'model.dve')
        self.tool, self.engine = tool, engine
        self.options = [*job[2], '--engine', engine, '--ram', '6M', '--disk-reserve', '12M',
                        '--checkpoint', 'off']
        with open(self.model, 'w') as file:
            file.write(job[1])

    def check(self, size):
        mount(self.disk, '-t', 'tmpfs', '-o', f'size={size}', 'tmpfs')
        return self.start('check', '--work', self.work, *self.options, self.model)

    def resume(self):
        return self.start('resume', self.work)

    def start(self, *words):
        if os.path.exists(self.json):
            os.remove(self.json)
        return subprocess.Popen([self.tool, *words, '--json', self.json, '--trace-style', 'none'],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def answer(self):
        with open(self.json) as file:
            result = json.load(file)
        trace = result['trace']
        length = trace['prefix'] if trace and trace['minimal'] else None
        stats = [result['stats'][key] for key in STATS] if result['complete'] else []
        return result['verdict'], result['exit'], length, stats

    def leave(self):
        subprocess.run(['umount', self.disk], check=True)


def end(child, what, statuses):
    said = child.communicate(timeout=300)[0]
    if child.returncode not in statuses:
        raise Wrong(f'{what}: status {child.returncode}, not one of {statuses}:\n{said}')
    return said


def stop_full(disk, most, dice):
    """Fills the disk in the middle of a run; what it said, or None if it was over before."""
    child = disk.check(SMALL)
    wanted = most * dice.random()
    while child.poll() is None and used(disk.disk) < wanted:
        time.sleep(0.002)
    if child.poll() is None:
        child.send_signal(signal.SIGSTOP)
        fill(disk.hog)
        child.send_signal(signal.SIGCONT)
    said = end(child, 'on a full disk', (STOPPED, FAILED, HOLDS, VIOLATED))
    return child.returncode, said


def one_case(disk, wanted, most, dice):
    status, said = stop_full(disk, most, dice)
    if status in (HOLDS, VIOLATED):
        if disk.answer() != wanted:
            raise Wrong(f'at once: {disk.answer()} instead of {wanted}')
        return 'over before'
    began = any(os.path.exists(os.path.join(disk.work, name)) and
                os.path.getsize(os.path.join(disk.work, name)) > 1 << 19
                for name in ('queue', 'visited', 'origins'))
    if status == FAILED and began:
        raise Wrong(f'no checkpoint on a full disk:\n{said}')
    if status == FAILED:
        if 'No space left' not in said:
            raise Wrong(f'it does not say that the disk is full:\n{said}')
        return 'nothing lost'
    if 'make room' not in said:
        raise Wrong(f'it does not say to make room:\n{said}')
    if dice.random() < 0.5:
        child = disk.resume()
        end(child, 'resumed on a full disk', (STOPPED, FAILED, HOLDS, VIOLATED))
        if child.returncode in (HOLDS, VIOLATED):
            # What was left to do took no space.
            if disk.answer() != wanted:
                raise Wrong(f'resumed on a full disk: {disk.answer()} instead of {wanted}')
            return 'exact without room'
    # The run may have stopped by itself just before.
    if os.path.exists(disk.hog):
        os.remove(disk.hog)
    mount(disk.disk, '-o', f'remount,size={LARGE}')
    end(disk.resume(), 'resumed with room', (HOLDS, VIOLATED))
    if disk.answer() != wanted:
        raise Wrong(f'resumed: {disk.answer()} instead of {wanted}')
    return 'exact after resume'


def undisturbed(disk):
    """Its answer, and the most space that it has taken."""
    child = disk.check(LARGE)
    most = 0
    try:
        while child.poll() is None:
            most = max(most, used(disk.disk))
            time.sleep(0.005)
        end(child, 'undisturbed', (HOLDS, VIOLATED))
        return disk.answer(), most
    finally:
        disk.leave()


def run_job(tool, job, engine, cases, dice):
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        disk = Disk(folder, tool, job, engine)
        wanted, most = undisturbed(disk)
        for _ in range(cases):
            try:
                counts[one_case(disk, wanted, most, dice)] += 1
            except Wrong as wrong:
                counts['wrong'] += 1
                print(f'wrong: {engine}, {job[0]}: {wrong}', flush=True)
            finally:
                disk.leave()
    return counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument('--cases', type=int, default=12)
    parser.add_argument('--seed', type=int, default=None)
    parser.add_argument('--only', default='', help='part of the name of an engine')
    args = parser.parse_args()
    in_namespace()
    seed = args.seed if args.seed is not None else random.randrange(1 << 32)
    print(f'seed {seed}', flush=True)
    dice = random.Random(seed)
    jobs = [pair for pair in JOBS if args.only in pair[1]]
    dice.shuffle(jobs)
    sums = collections.Counter()
    for i, (job, engine) in enumerate(jobs):
        share = args.cases // len(jobs) + (i < args.cases % len(jobs))
        if share == 0:
            continue
        counts = run_job(args.tool, job, engine, share, dice)
        print(f'{engine:12} {job[0]:10}', dict(counts), flush=True)
        sums += counts
    print(dict(sums))
    return 1 if sums['wrong'] or not sums['exact after resume'] else 0


if __name__ == '__main__':
    sys.exit(main())
