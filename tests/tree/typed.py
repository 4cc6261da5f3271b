#!/usr/bin/env python3
"""Checks as users type them, for campaigns: models of every language with options that are drawn,
the default ones first; and what a campaign has drawn, as a table.

  typed.py FILE...      the table of what campaigns wrote with --tally FILE

Nothing here asks for --full, --states or --reduce off unless it was drawn. A row of a collection is
a model with known answers (../shared/models), of which only the size is used.
"""
import collections
import csv
import json
import os
import sys

from kill import SETS, SETS_PATH
from texts import counters, filter_lock, locks, product, ring, workers

SAFETY = ('explicit', 'diagram', 'mono', 'local', 'disk', 'serial', 'hddd', 'dddd', 'part')
CYCLES = ('min-cex', 'trim', 'owcty', 'map', 'double-dfs', 'iddfs', 'ioemc')
# Options that the writer of a check may add, their values (None: it is left out), and the kind of
# jobs; a value that stands twice is drawn twice as often.
CHOICES = (
    ('--engine', (None, None, None, None, *SAFETY), 'safety'),
    ('--engine', (None, None, None, *CYCLES), 'cycles'),
    ('--reduce', (None, None, None, None, None, 'all', 'dead', 'steps', 'off'), 'any'),
    ('--threads', (None, None, None, None, '2', '3'), 'any'),
    ('--minimal', (None,) * 9 + (True,), 'any'),
    ('--full', (None,) * 9 + (True,), 'any'),
    ('--deadlock', (None,) * 9 + ('off',), 'safety'),
    ('--levels', (None,) * 19 + ('levels.csv',), 'safety'),
    ('--checkpoint', (None, None, 'level', '1s'), 'any'),
    ('--ram', (None, '8M', '8M', '6M', '16M'), 'any'),
)
NOT_BY_LEVELS = ('part', 'double-dfs', 'iddfs', 'ioemc', 'owcty', 'map', 'trim')


class Job:
    """A model with a question: `kind` says what engines it is for."""

    def __init__(self, name, suffix, text, words, kind, path=None):
        self.name, self.suffix, self.text = name, suffix, text
        self.words, self.kind, self.path = list(words), kind, path

    def model_in(self, folder):
        if self.path:
            return self.path
        path = os.path.join(folder, 'model' + self.suffix)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(self.text)
        return path


def own_jobs():
    """Of a second or so each."""
    dve = [
        ('counters', counters((9, 9, 9, 9, 9)), ['--deadlock', 'off'], 'safety'),
        ('lock', filter_lock(5, 1), [], 'safety'),
        ('lock error', filter_lock(5, 2), ['--invariant', 'not (P0.in and last[2] == 3)'],
         'safety'),
        ('lock formula', filter_lock(4, 3), ['--ltl', 'G ("P0.waits" -> F "P0.in")'], 'cycles'),
        ('deadlock', ring(7, 4), ['--reduce', 'off'], 'safety'),
        ('invariant', counters((9, 9, 9, 9, 9)), ['--invariant', 'v0 + v1 + v2 + v3 + v4 < 44'],
         'safety'),
        ('goal', ring(7, 4), ['--invariant', 'v[0] + v[3] + v[6] < 12'], 'safety'),
        ('no cycle', product((9, 9, 9, 9, 5), 'v0 < 9'), [], 'cycles'),
        ('lasso', product((9, 9, 9, 9, 5), 'v0 == 9'), [], 'cycles'),
        ('formula', ring(6, 6), ['--ltl', 'G F "v[0] == 4"'], 'cycles'),
        (*SETS, 'safety'), (*SETS_PATH, 'safety')]
    jobs = [Job(name, '.dve', text, words, kind) for name, text, words, kind in dve]
    jobs += [Job('workers', '.pml', workers(3, 3, 2), ['--property', 'none'], 'safety'),
             Job('workers end', '.pml', workers(2, 12, 3), ['--property', 'ends'], 'cycles'),
             Job('workers count', '.pml', workers(2, 12, 3), ['--property', 'counts'], 'cycles'),
             Job('locks', '.m', locks(6, 7), [], 'safety'),
             Job('locks apart', '.m', locks(5, 5), ['--symmetry', 'off'], 'safety')]
    return jobs


def collected_jobs(folder, least, most):
    """The rows of a collection with as many states as that."""
    jobs = []
    with open(os.path.join(folder, 'truth.csv'), encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        size = row.get('states') or row.get('spin_states') or ''
        if row.get('verdict') == 'rejected' or not size.isdigit():
            continue
        if not least <= int(size) <= most:
            continue
        path = os.path.join(folder, row['file'])
        words = (row.get('options') or '').split()
        claim = any(word in ('--property', '--ltl') for word in words)
        cycles = bool(row.get('expected')) or (claim and 'none' not in words)
        jobs.append(Job(' '.join([row['file'], *words]), os.path.splitext(path)[1], None, words,
                        'cycles' if cycles else 'safety', os.path.abspath(path)))
    return jobs


def draw(dice, job):
    """Options for a check of the job; they go together."""
    words = {}
    for option, values, kind in CHOICES:
        if kind not in ('any', job.kind) or option in job.words:
            continue
        value = dice.choice(values)
        if value is not None:
            words[option] = value
    engine = words.get('--engine')
    if '--minimal' in words:
        whole = job.kind == 'cycles' and words.get('--reduce', 'off') != 'off'
        if engine in NOT_BY_LEVELS or whole or '--fairness' in job.words:
            del words['--minimal']
    if '--levels' in words and engine in NOT_BY_LEVELS:
        del words['--levels']
    return words


def listed(words):
    """As a command line has them."""
    out = []
    for option, value in words.items():
        out += [option] if value is True else [option, value]
    return out


def as_words(options):
    """What listed() makes of options that go together."""
    words, name = {}, None
    for one in options:
        if one.startswith('--'):
            words[one], name = True, one
        elif name is not None:
            words[name] = one
    return words


class Tally:
    """How often a campaign has drawn which option with which other one."""

    def __init__(self, campaign):
        self.campaign, self.pairs = campaign, collections.Counter()

    def note(self, words, *more, times=1):
        # What a question is about is the model's business.
        asked = ('--invariant', '--reach', '--ltl', '--property')
        words = {o: v if o not in asked else True for o, v in words.items()}
        names = sorted([f'{o} {v}' if v is not True else o for o, v in words.items()] + list(more))
        if not words:
            names.append('defaults')
        for i, one in enumerate(names):
            self.pairs[one, one] += times
            for other in names[i + 1:]:
                self.pairs[one, other] += times

    def write(self, path):
        with open(path, 'a', encoding='utf-8') as file:
            file.write(json.dumps([self.campaign, [[*pair, n] for pair, n in
                                                   sorted(self.pairs.items())]]) + '\n')


def main():
    campaigns, options = [], collections.defaultdict(collections.Counter)
    pairs = collections.Counter()
    for path in sys.argv[1:]:
        with open(path, encoding='utf-8') as file:
            for line in file:
                campaign, found = json.loads(line)
                if campaign not in campaigns:
                    campaigns.append(campaign)
                for one, other, count in found:
                    if one == other:
                        options[one][campaign] += count
                    else:
                        pairs[campaign] += 1
    print('| option | ' + ' | '.join(campaigns) + ' |')
    print('| --- |' + ' --- |' * len(campaigns))
    for option in sorted(options):
        counts = [str(options[option][campaign] or '') for campaign in campaigns]
        print(f'| {option} | ' + ' | '.join(counts) + ' |')
    print('| pairs of options | ' + ' | '.join(str(pairs[c]) for c in campaigns) + ' |')


if __name__ == '__main__':
    main()
