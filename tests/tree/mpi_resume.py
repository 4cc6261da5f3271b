#!/usr/bin/env python3
"""Processes that share a search are killed, one at random, and go on in another number of them.

  mpi_resume.py TOOL MPI_TOOL [--kills N] [--seed S] -- MPIEXEC...

MPIEXEC are the words that the number of processes follows. Levels and counts have to be those of a
run that nobody disturbed, and before the end no job may end with a verdict.
"""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from mpi import processes_of, race

STATS = ('states', 'transitions', 'levels', 'deadlocks')
ENGINES = ('explicit', 'auto', 'diagram')
HERE = os.path.dirname(os.path.abspath(__file__))
VERDICTS = (0, 1)
ABORTED, TORN = 6, 'process_vm_readv'
BROKEN = (ABORTED, 11, 64, 65, 70, 134, 139)
ROUNDS = 30
SLOWEST_SECONDS = 240

VERBOSE = 'XMC_VERBOSE' in os.environ

failures = []


def expect(condition, message, shown=''):
    if not condition:
        failures.append(message)
        print(f'FAIL {message}\n{shown}')


def log(*words):
    if VERBOSE: print(*words, flush=True)


def figures(path):
    with open(path, encoding='utf-8') as file: result = json.load(file)
    return result['verdict'], {name: result['stats'][name] for name in STATS}


def alone(tool, words):
    subprocess.run([tool] + words + ['--json', 'alone.json', '-q'], stdout=subprocess.DEVNULL,
                   check=False)
    return figures('alone.json')


class Jobs:
    """One run in a work directory, in jobs of one process after the other, until it is decided."""

    def __init__(self, tool, mpi_tool, mpiexec, chance):
        self.tool, self.mpi_tool, self.mpiexec, self.chance = tool, mpi_tool, mpiexec, chance
        self.kills = 0

    def words(self, count):
        if count == 1 and self.chance.random() < 0.5:
            return [self.tool], ['--threads', str(self.chance.choice((1, 2)))]
        return self.mpiexec + [str(count), self.mpi_tool], []

    def victims(self, command):
        return processes_of(self.tool if command[0] == self.tool else self.mpi_tool, '.')

    def disturbed(self, words, count):
        """Kills one process of a job at random, or asks it to stop; whether the job was through."""
        command, more = self.words(count)
        child = subprocess.Popen(command + words + more, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
        how = self.chance.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM))
        deadline = time.monotonic() + 20
        while not self.victims(command) and time.monotonic() < deadline and child.poll() is None:
            time.sleep(0.01)
        time.sleep(self.chance.uniform(0.1, 1.5))
        victims = self.victims(command)
        if victims and child.poll() is None:
            os.kill(self.chance.choice(victims), how)
            self.kills += 1
        text = child.communicate(timeout=SLOWEST_SECONDS)[0]
        if child.returncode in VERDICTS: return True
        log(' '.join(words[:2]), len(victims), how.name, 'status', child.returncode)
        # The launcher has a status of its own when it loses a process; these are failures of ours,
        # but for a transport that aborts when it reads the memory of the process that was killed.
        torn = how == signal.SIGKILL and child.returncode == ABORTED and TORN in text
        expect(torn or child.returncode not in BROKEN, f'{how.name}: status {child.returncode}',
               text)
        # One that is killed when it has told its verdict leaves nothing to go on from.
        if 'holds ' not in text: return False
        shutil.rmtree('w', ignore_errors=True)
        return True

    def last(self, count):
        command, more = self.words(count)
        done = subprocess.run(command + ['resume', 'w', '-q', '--json', 'r.json'] + more,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=SLOWEST_SECONDS, check=False)
        return done.returncode, done.stdout


def check_kills(jobs, model, kills):
    """Every job has another number of processes than the one before, if chance will have it."""
    while jobs.kills < kills:
        engine = jobs.chance.choice(ENGINES)
        options = ['--engine', engine, '--ram', '32M', '--work', 'w', model, '--checkpoint',
                   jobs.chance.choice(('level', '1s')), '--levels', 'l.csv', '--json', 'r.json']
        for name in ('r.json', 'l.csv'):
            if os.path.exists(name): os.remove(name)
        shutil.rmtree('w', ignore_errors=True)
        through = jobs.disturbed(options, jobs.chance.choice((2, 3)))
        if not through and not os.path.exists('w/rank-0/model.text'): continue
        log(engine, options[-5:])
        for _ in range(6):
            if through: break
            through = jobs.disturbed(['resume', 'w', '-q', '--json', 'r.json'],
                                     jobs.chance.choice((1, 2, 3, 4)))
        code, text = (0, '') if through else jobs.last(jobs.chance.choice((1, 2, 3)))
        expect(code == 0, f'{engine}: the last job ends with {code}', text)
        if code != 0: return
        check_result(engine, model, jobs.tool)


def check_result(engine, model, tool):
    wanted = alone(tool, ['--engine', 'ram', '--ram', '256M', model])
    got = figures('r.json')
    expect(got == wanted, f'{engine}: {got} instead of {wanted}')
    with open('l.csv', encoding='utf-8') as file: rows = file.read().splitlines()[1:]
    expect(len(rows) == wanted[1]['levels'], f'{engine}: {len(rows)} rows of levels')
    expect(sum(int(row.split(',')[1]) for row in rows) == wanted[1]['states'],
           f'{engine}: states of levels')
    expect(not os.path.exists('w'), f'{engine}: the directories are removed')


def check_counts(jobs, model):
    """From one process to two, three, one, and back to two, each from a checkpoint."""
    options = ['--engine', 'explicit', '--ram', '32M', '--work', 'w', model]
    options += ['--checkpoint', 'level']
    mpi = lambda count: jobs.mpiexec + [str(count), jobs.mpi_tool]
    limit = ['--depth', '60']
    # The tool's work, and that of a job of one process, are in the directory itself.
    begin = jobs.chance.choice(([jobs.tool], mpi(1)))
    steps = [(begin + options + ['--depth', '45']), (mpi(2) + ['resume', 'w'] + limit),
             (mpi(3) + ['resume', 'w', '--depth', '75']),
             ([jobs.tool, 'resume', 'w', '--depth', '90']),
             ([jobs.tool, 'resume', 'w', '--threads', '2', '--depth', '100'])]
    for words in steps:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=SLOWEST_SECONDS, check=False)
        expect(done.returncode == 75, f'{words}: {done.returncode}', done.stdout)
    os.rename('w/rank-0', 'elsewhere')
    done = subprocess.run(mpi(2) + ['resume', 'w'], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    expect(done.returncode not in VERDICTS, 'a missing part is no reason to begin again',
           done.stdout)
    os.rename('elsewhere', 'w/rank-0')
    done = subprocess.run(mpi(2) + ['resume', 'w', '--depth', '1000000', '--json', 'r.json'],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=SLOWEST_SECONDS, check=False)
    expect(done.returncode == 0, 'the last one', done.stdout)
    wanted = alone(jobs.tool, ['--engine', 'ram', '--ram', '256M', model])
    if done.returncode == 0: expect(figures('r.json') == wanted, f'{figures("r.json")} {wanted}')


def check_rack(jobs, model):
    """A launcher that loses a process has a status of its own; the script has one of ours."""
    rack = os.path.join(HERE, '../../ports/rack/xmc-lite-rack')
    words = [rack, 'w'] + jobs.mpiexec + ['2', '--', '--engine', 'explicit', '--ram', '32M',
                                          '--checkpoint', 'level', '-q', model]
    environment = dict(os.environ, XMC_LITE_MPI=jobs.mpi_tool)
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             env=environment)
    deadline = time.monotonic() + 60
    roots = [f'w/rank-1/root.{i}' for i in (0, 1)]
    while not all(map(os.path.exists, roots)) and time.monotonic() < deadline: time.sleep(0.01)
    os.kill(jobs.victims(['mpiexec'])[0], signal.SIGKILL)
    status = child.wait(timeout=60)
    expect(status == 75, f'a rack with a checkpoint that loses a process: {status}')
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env=environment, timeout=SLOWEST_SECONDS, check=False)
    expect(done.returncode == 0, f'a rack that goes on: {done.returncode}')


def main():
    split = sys.argv.index('--')
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument('mpi_tool')
    parser.add_argument('--kills', type=int, default=20)
    parser.add_argument('--seed', type=int, default=1)
    given = parser.parse_args(sys.argv[1:split])
    jobs = Jobs(os.path.abspath(given.tool), os.path.abspath(given.mpi_tool), sys.argv[split + 1:],
                random.Random(given.seed))
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        model = race(ROUNDS)
        check_counts(jobs, model)
        check_rack(jobs, model)
        check_kills(jobs, model, given.kills)
        os.chdir('/')
    print(f'{jobs.kills} kills; {len(failures)} failures')
    sys.exit(1 if failures else 0)


if __name__ == '__main__': main()
