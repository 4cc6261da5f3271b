#!/usr/bin/env python3
"""Stops checks in every way there is, and resumes them with other memory and threads.

  stops.py TOOL [--stops N] [--seed S] [--jobs J] [--only TEXT] [--no-budgets]

Signals (TERM, INT, KILL) come at random times, limits (of states, depth, bytes written, the disk)
at random places, for every engine. Each resume may have another --ram and --threads. The verdict,
the counts and the exit status have to be those of an undisturbed run. No process may have been
larger than its --ram; an emulator or a sanitizer would be counted, too (--no-budgets). A resume
with too little memory may say so (status 2): the next one has more.
"""
import collections
import functools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile

import campaign
from kill import SLOWEST_SECONDS, STOPPED, Failure, Place, undisturbed
from misplaced import JOBS

UNDECIDED = 2
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
# What a kept limit is lifted with.
NO_LIMITS = {'--wear-limit': '1T', '--disk-limit': '1T'}


class Run:
    """One check with its stops, to the end."""

    def __init__(self, place, wanted, seconds, dice, counts, budgets):
        self.place, self.wanted, self.seconds = place, wanted, seconds
        self.dice, self.counts, self.budgets = dice, counts, budgets
        # With that much memory threads own their states, and cannot count them for --states.
        self.roomy = dice.random() < 0.3

    def fail(self, message):
        raise Failure(f'{self.place.name}: {message}\n{self.place.said()}')

    def words(self, stop):
        """Options of one process. Without a stop it has all the memory it may want."""
        dice = self.dice
        amounts = ('6M', '12M', '14M') if self.roomy else ('4500K', '5M', '5500K', '6M', '8M')
        words = ['--ram', dice.choice(amounts) if stop else amounts[-1]]
        if dice.random() < 0.4:
            words += ['--threads', str(dice.choice((1, 2, 3)))]
        limits = dict(NO_LIMITS)
        if stop == 'limit':
            known = (('--states', 2 * self.wanted[5].get('states', 100_000)),
                     ('--depth', (self.wanted[5]['levels'] or 0) + 5),
                     ('--wear-limit', 3_000_000), ('--disk-limit', 2_000_000))
            first = 2 if not self.place.limits_states else 1 if self.roomy else 0
            name, most = dice.choice(known[first:])
            # Without levels there is no depth.
            if name != '--depth' or self.wanted[5]['levels']:
                limits[name] = str(dice.randrange(5000, max(most, 5001)) if most > 5000
                                   else dice.randrange(2, most))
        return words + [word for pair in limits.items() for word in pair]

    def one_process(self, stop):
        """True when there is a verdict."""
        place, dice = self.place, self.dice
        resume = os.path.exists(os.path.join(place.work, 'model.text'))
        child = place.start(resume, *self.words(stop))
        if stop in SIGNALS:
            try:
                child.wait(dice.random() ** 2 * self.seconds)
            except subprocess.TimeoutExpired:
                child.send_signal(stop)
        status = child.wait(SLOWEST_SECONDS)
        if self.budgets:
            self.check_budget()
        if place.result() is not None:
            return self.finish(status, stop)
        self.after_stop(status, stop)
        return False

    def check_budget(self):
        try:
            with open(self.place.json) as file:
                stats = json.load(file)['stats']
        except (OSError, ValueError):
            return
        if stats.get('peak_rss') and stats['peak_rss'] > stats['ram_limit']:
            self.fail(f'{stats["peak_rss"]} bytes resident, {stats["ram_limit"]} allowed')

    def finish(self, status, stop):
        result = self.place.result()
        # A search of everything that has a violation and is stopped is decided with it.
        cut_short = (stop and self.wanted[0] == 'violated' and not result[2]
                     and result[:2] + result[3:4] == self.wanted[:2] + self.wanted[3:4])
        if result != self.wanted and not cut_short:
            self.fail(f'{result}, but undisturbed {self.wanted}')
        if status not in (self.wanted[3], -signal.SIGKILL):
            self.fail(f'exit status {status}')
        if os.path.exists(self.place.work):
            self.place.call('clean', self.place.work)
        return True

    def after_stop(self, status, stop):
        self.counts['stops'] += 1
        if status == -signal.SIGKILL:
            self.counts['killed'] += 1
        elif status == STOPPED:
            self.counts['with a checkpoint'] += 1
        elif status == UNDECIDED:
            # Too little memory, or asked to stop before there was anything to keep.
            self.counts['undecided'] += 1
        elif status not in (-signal.SIGTERM, -signal.SIGINT):  # before the handlers were there
            self.fail(f'exit status {status} after {stop}')


def run_pair(tool, budgets, job, engine, seed, stops):
    dice = random.Random(seed)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(tool, folder, job, engine)
        # --ram and --threads are those of each process.
        at = place.options.index('--ram')
        del place.options[at:at + 2]
        place.name += f' ({engine}), seed {seed}'
        wanted, seconds = undisturbed(place)
        while counts['stops'] < stops:
            run = Run(place, wanted, seconds, dice, counts, budgets)
            for _ in range(dice.randrange(1, 6)):
                if run.one_process(dice.choice((*SIGNALS, 'limit'))):
                    break
            else:
                # With all the memory it may want one process is enough.
                if not run.one_process(None):
                    run.fail('it does not end without a stop')
            counts['verdicts'] += 1
    return counts


def main():
    parser = campaign.arguments('--stops')
    parser.add_argument('--no-budgets', action='store_true')
    args = parser.parse_args()
    run = functools.partial(run_pair, args.tool, not args.no_budgets)
    engines, wrong = campaign.run(args, JOBS, run)
    total = sum(engines.values(), collections.Counter())
    print(', '.join(f'{value} {key}' for key, value in sorted(total.items())))
    print(f'{len(engines)} engines, {wrong} jobs with a difference')
    sys.exit(1 if wrong or not total else 0)


if __name__ == '__main__':
    main()
