#!/usr/bin/env python3
"""Stops checks in every way there is, and resumes them with nothing changed or with another memory,
number of threads or machine.

  stops.py TOOL [--stops N] [--seed S] [--jobs J] [--only TEXT] [--no-budgets] [--seconds S]
           [--models FOLDER]... [--states LEAST-MOST] [--each] [--also COMMAND]... [--tally FILE]

A check is a model of any language with options as users type them, the default ones first
(typed.py). Stops are signals (TERM, INT, KILL) after some of the CPU time that the check takes,
limits (--time, --wear-limit, --disk-limit; --states and --depth in checks that count all states
anyway), and power cuts: KILL, and what was not durable by then is gone. The verdict, the length of
a shortest counterexample, the counts and the exit status have to be those of an undisturbed run. No
process may have been larger than its --ram; an emulator or a sanitizer would be counted, too
(--no-budgets). Nothing is refused but too little memory, by a resume with less than before.

--models adds the rows of collections; --each checks each of them once, with the default options and
8M, those that take longer than a second. --also names another build of the tool that takes turns in
resuming, such as "qemu-arm-static build/armhf/xmc-lite".
"""
import collections
import functools
import json
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import campaign
import typed
from kill import STATS, STOPPED, Failure, Place

UNDECIDED, VIOLATED, HOLDS = 2, 1, 0
SIGNALS = {'TERM': signal.SIGTERM, 'INT': signal.SIGINT, 'KILL': signal.SIGKILL}
STOPS = ('TERM', 'TERM', 'INT', 'KILL', 'KILL', 'power', 'limit')
# What a kept limit is lifted with.
NO_LIMITS = {'--wear-limit': '1T', '--disk-limit': '1T'}
AMOUNTS = ('5M', '6M', '8M', '12M', '16M', '32M')
SLOWEST_SECONDS = 600
# A check that is not decided by then is none for a campaign.
MOST_SECONDS = 6


def cpu_seconds(pid):
    """Of a process that runs, or None."""
    try:
        with open(f'/proc/{pid}/stat', encoding='ascii') as file:
            words = file.read().rsplit(')', 1)[1].split()
    except (OSError, IndexError):
        return None
    return (int(words[11]) + int(words[12])) / os.sysconf('SC_CLK_TCK')


class Check:
    """A job with its options, in a folder of its own."""

    def __init__(self, tool, folder, job, words):
        self.tool, self.folder, self.job, self.words = tool, folder, job, words
        self.name = ' '.join([job.name, *job.words, *typed.listed(words)])
        self.model = job.model_in(folder)
        self.work = os.path.join(folder, 'work')
        self.json = os.path.join(folder, 'result.json')
        self.log = os.path.join(folder, 'log')
        self.processes = 0

    root_files = Place.root_files
    roots = Place.roots
    said = Place.said

    def start(self, resume, more, tool=None):
        if os.path.exists(self.json):
            os.remove(self.json)
        words = (['resume', self.work] if resume else
                 ['check', '--work', self.work, *self.job.words, *typed.listed(self.words),
                  self.model])
        for option, value in more.items():
            if resume or option not in self.words:
                words += [option, value]
        with open(self.log, 'w', encoding='utf-8') as log:
            log.write(f'{shlex.join([*(tool or [self.tool]), *words])}\n')
            log.flush()
            return subprocess.Popen([*(tool or [self.tool]), *words, '--json', self.json,
                                     '--trace-style', 'none', '--progress', 'none'],
                                    stdout=log, stderr=subprocess.STDOUT, cwd=self.folder)

    def result(self):
        try:
            with open(self.json, encoding='utf-8') as file:
                return json.load(file)
        except (OSError, ValueError):
            return None

    def call(self, *words):
        return subprocess.run([self.tool, *words], capture_output=True, text=True, check=False,
                              timeout=SLOWEST_SECONDS, errors='replace')


def facts_of(result):
    """What any run of a check has to find."""
    trace = result['trace']
    if trace:
        trace = (trace['prefix'] + trace['cycle'] if trace['minimal'] else None,
                 trace['cycle'] != 0, trace['replayed'])
    # Which of several violations is found first is left to a search that does not go by levels.
    kind = result['kind'] if not trace or trace[0] is not None else None
    return result['verdict'], kind, result['exit'], trace


def counts_of(result):
    return {key: result['stats'][key] for key in STATS}


class Wanted:
    """What the undisturbed check finds. `auto` steps sets or states, by what is faster: the counts
    of both are right, those of states with the reduction that the run has."""

    def __init__(self, check, result, seconds):
        self.facts, self.seconds = facts_of(result), seconds
        self.complete = result['complete']
        self.sets = result['stats']['engine'] == 'symbolic'
        self.counts = {self.sets: counts_of(result)}
        self.check = check

    def counts_by(self, sets, tool):
        if sets not in self.counts:
            check = self.check
            with tempfile.TemporaryDirectory() as folder:
                words = {**check.words, '--engine': 'symbolic' if sets else 'explicit'}
                other = Check(tool, folder, check.job, words)
                other.start(False, {}).wait(SLOWEST_SECONDS)
                result = other.result()
                if result is None or result['verdict'] == 'undecided':
                    raise Failure(f'{other.name}: {other.said()}')
                self.counts[sets] = counts_of(result)
        return self.counts[sets]

    def difference(self, result, tool):
        if facts_of(result) != self.facts:
            return f'{facts_of(result)}, but undisturbed {self.facts}'
        # How much of the last level was seen before a violation ended it is left to the engine.
        if not result['complete'] or not self.complete:
            return None
        engine = result['stats']['engine']
        wanted, found = self.counts_by(engine == 'symbolic', tool), counts_of(result)
        # What is not counted in one way of many is null there.
        differ = [key for key in STATS
                  if wanted[key] != found[key] and None not in (wanted[key], found[key])]
        return f'{found}, but undisturbed {wanted} ({engine})' if differ else None


def undisturbed(check, seconds):
    """Null where it is not decided by then."""
    child = check.start(False, {})
    while child.poll() is None:
        spent = cpu_seconds(child.pid)
        if spent is not None and spent > seconds:
            child.kill()
            child.wait()
            return None
        time.sleep(0.02)
    result = check.result()
    if child.returncode not in (HOLDS, VIOLATED):
        # Too little memory, or a question that the engine does not answer: said, and no answer.
        if child.returncode in (UNDECIDED, 64) or (result and result['reason'] == 'ram'):
            check.call('clean', check.work)
            return None
        raise Failure(f'{check.name}: undisturbed, it ends with {child.returncode}: {check.said()}')
    if os.path.exists(check.work):
        raise Failure(f'{check.name}: the work directory stays after a verdict')
    return Wanted(check, result, result['stats']['cpu_s'])


def cut_power(check, dice):
    """What a card may have lost: all that no sound root speaks of, and sometimes the last root."""
    roots = check.roots()
    if len(roots) > 1 and dice.random() < 0.3:
        with open(roots[0][1], 'r+b') as file:
            file.truncate(dice.randrange(os.path.getsize(roots[0][1])))
        roots = roots[1:]
    if not roots:
        return
    for line in roots[0][2]:
        words = line.split()
        if words[:1] in (['file'], ['plain']):
            path = os.path.join(check.work, words[1])
            if os.path.exists(path) and os.path.getsize(path) > int(words[2]):
                os.truncate(path, int(words[2]))


class Run:
    """One check with its stops, to the end."""

    def __init__(self, check, wanted, dice, counts, setting):
        self.check, self.wanted, self.dice, self.counts = check, wanted, dice, counts
        self.setting = setting
        self.counting = '--full' in check.words or check.words.get('--reduce') == 'off'
        self.ram = self.first_ram = check.words.get('--ram', '32M')

    def fail(self, message):
        raise Failure(f'{self.check.name}: {message}\n{self.check.said()}')

    def limit(self):
        dice = self.dice
        known = [('--wear-limit', str(dice.randrange(50_000, 3_000_000))),
                 ('--disk-limit', str(dice.randrange(50_000, 2_000_000)))]
        if self.counting:
            known.append(('--states', str(dice.randrange(1000, 200_000))))
            if self.check.words.get('--engine') not in typed.NOT_BY_LEVELS:
                known.append(('--depth', str(dice.randrange(2, 60))))
        name, value = dice.choice(known)
        return {name: value}

    def changes(self, resume, stop):
        """Options of a process beside those of the check."""
        dice, words = self.dice, {}
        if resume:
            words = dict(NO_LIMITS)
            # The last process has the memory that the check began with, or more.
            change = dice.choice(('', '', 'ram', 'ram', 'threads', 'both'))
            if change in ('ram', 'both') and stop:
                words['--ram'] = self.ram = dice.choice(AMOUNTS)
            elif not stop:
                words['--ram'] = self.ram = max(self.ram, self.first_ram, key=lambda m: int(m[:-1]))
            if change in ('threads', 'both'):
                words['--threads'] = dice.choice(('1', '2', '3'))
            words['--time'] = '10h'
            # A limit that was typed with the check is for one command line.
        if stop == 'time':
            words['--time'] = f'{dice.randrange(1, max(int(self.wanted.seconds), 1) + 1)}s'
        elif stop == 'limit':
            words.update(self.limit())
        return words

    def one_process(self, stop):
        """True when there is a verdict."""
        check, dice = self.check, self.dice
        resume = os.path.exists(os.path.join(check.work, 'model.text'))
        had_root = bool(check.root_files())
        tool = None
        if resume and self.setting.also and dice.random() < 0.5:
            tool = shlex.split(dice.choice(self.setting.also))
            self.counts['on another machine'] += 1
        more = self.changes(resume, stop)
        child = check.start(resume, more, tool)
        if stop in SIGNALS or stop == 'power':
            self.send(child, stop)
        status = child.wait(SLOWEST_SECONDS)
        if stop == 'power' and status == -signal.SIGKILL:
            cut_power(check, dice)
            self.counts['power cuts'] += 1
        result = check.result() if status != -signal.SIGKILL else None
        if self.setting.budgets and tool is None:
            self.check_budget(result)
        if status in (HOLDS, VIOLATED):
            return self.finish(result, status)
        self.after_stop(status, stop, result, resume and had_root)
        return False

    def send(self, child, stop):
        target = self.dice.random() ** 1.3 * self.wanted.seconds
        while child.poll() is None:
            spent = cpu_seconds(child.pid)
            if spent is not None and spent >= target:
                child.send_signal(SIGNALS.get(stop, signal.SIGKILL))
                return
            time.sleep(0.005)

    def check_budget(self, result):
        stats = result['stats'] if result else {}
        if stats.get('peak_rss') and stats['peak_rss'] > stats['ram_limit']:
            self.fail(f'{stats["peak_rss"]} bytes resident, {stats["ram_limit"]} allowed')
        # Of this process, whatever those before it had.
        if stats.get('ram_used') and stats['ram_used'] > stats['ram_limit']:
            self.fail(f'{stats["ram_used"]} bytes used, {stats["ram_limit"]} allowed')

    def finish(self, result, status):
        if result is None:
            self.fail(f'status {status} without a result')
        wrong = self.wanted.difference(result, self.setting.tool)
        if wrong:
            self.fail(wrong)
        if os.path.exists(self.check.work):
            self.fail('the work directory stays after a verdict')
        return True

    def after_stop(self, status, stop, result, had_checkpoint):
        self.counts['stops'] += 1
        self.counts[f'by {stop}'] += 1
        if status == -signal.SIGKILL:
            return
        if status in (-signal.SIGTERM, -signal.SIGINT):  # before the handlers were there
            self.counts['before it began'] += 1
        elif status == STOPPED:
            self.counts['with a checkpoint'] += 1
            if result and result['verdict'] == 'violated' and self.wanted.facts[0] != 'violated':
                self.fail('violated, but undisturbed it holds')
        elif status == UNDECIDED:
            short = 'at least' in self.check.said() or (result and result['reason'] == 'ram')
            if had_checkpoint and not short:
                self.fail('undecided, though there was a checkpoint to go on from')
            if stop is None:
                self.fail('it does not end without a stop')
            self.counts['too little memory' if short else 'before it began'] += 1
        else:
            self.fail(f'exit status {status} after {stop}')


class Setting:
    def __init__(self, args):
        self.tool, self.budgets = os.path.abspath(args.tool), not args.no_budgets
        self.also, self.seconds = args.also, args.seconds
        self.tally = typed.Tally('stops') if args.tally else None


def stop_check(setting, job, words, dice, counts, stops, least=0.0):
    """Runs of one check until they were stopped that often."""
    with tempfile.TemporaryDirectory() as folder:
        check = Check(setting.tool, folder, job, words)
        wanted = undisturbed(check, setting.seconds)
        if wanted is None or wanted.seconds < least:
            counts['left out'] += 1
            return
        if setting.tally:
            setting.tally.note({**typed.as_words(job.words), **words}, job.suffix)
        before = counts['stops']
        for _ in range(10):
            if counts['stops'] - before >= stops:
                break
            run = Run(check, wanted, dice, counts, setting)
            for _ in range(dice.randrange(1, 5)):
                # The least time that can be typed is a second.
                long = wanted.seconds > 1.5
                if run.one_process(dice.choice(STOPS + ('time', 'time') if long else STOPS)):
                    break
            else:
                if not run.one_process(None):
                    run.fail('it does not end without a stop')
            counts['verdicts'] += 1


def run_job(setting, job, _, seed, stops):
    """Checks of one job: with the default options, then with others."""
    dice, counts = random.Random(seed), collections.Counter()
    words = {}
    for _ in range(stops * 3):
        if counts['stops'] >= stops:
            break
        stop_check(setting, job, words, dice, counts, max(1, min(4, stops - counts['stops'])))
        words = typed.draw(dice, job)
    return counts


def run_row(setting, job, _, seed, __):
    """One check of a row as the issue of a night has it: 8M, and what takes a second."""
    dice, counts = random.Random(seed), collections.Counter()
    stop_check(setting, job, {'--ram': '8M'}, dice, counts, 1, least=setting.least)
    return counts


def arguments():
    parser = campaign.arguments('--stops')
    parser.add_argument('--no-budgets', action='store_true')
    parser.add_argument('--seconds', type=float, default=MOST_SECONDS,
                        help='CPU time that an undisturbed check may take')
    parser.add_argument('--models', action='append', default=[], help='a collection')
    parser.add_argument('--states', default='20000-2000000', help='size of rows of collections')
    parser.add_argument('--each', action='store_true', help='each row once')
    parser.add_argument('--least', type=float, default=1.0, help='with --each: CPU seconds')
    parser.add_argument('--also', action='append', default=[], help='another build of the tool')
    return parser.parse_args()


def main():
    args = arguments()
    setting = Setting(args)
    setting.least = args.least
    least, most = (int(n) for n in args.states.split('-'))
    rows = [job for folder in args.models for job in typed.collected_jobs(folder, least, most)]
    jobs = rows if args.each else typed.own_jobs() + rows
    pairs = [(job, job.name) for job in jobs]
    if args.each:
        args.count = len([pair for pair in pairs if args.only in pair[1]])
    run = functools.partial(run_row if args.each else run_job, setting)
    done, wrong = campaign.run(args, pairs, run)
    total = sum(done.values(), collections.Counter())
    print(', '.join(f'{value} {key}' for key, value in sorted(total.items())))
    print(f'{len(done)} models, {wrong} with a difference')
    if setting.tally:
        setting.tally.write(args.tally)
    sys.exit(1 if wrong or not total['verdicts'] else 0)


if __name__ == '__main__':
    main()
