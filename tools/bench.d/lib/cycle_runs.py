"""Runs of the engines for accepting cycles, and what can be told from their figures."""
import csv
import os
import shlex
import statistics
from dataclasses import dataclass

from lib import rows
from lib.bench import BEEM_ALL
from lib.shares import Shares, default_limit, name_of

DECIDED = ('holds', 'violated')
# Explores everything and looks at cycles in memory only, if at all: what the others do first.
REACH = ('diagram', ('--full',))


@dataclass
class Behind:
    """The command behind a row, as Bench.commands prints it."""
    line: str


class CycleRuns(Shares):
    """Runs (engine, options) pairs on products; a pair is run once per --ram and repeat."""

    search = [option for option in BEEM_ALL if option != '--full']

    def __init__(self, bench, experiment='cycles'):
        super().__init__(bench, experiment)
        self.truth = read_truth(bench)
        self.verdicts = {}  # of decided runs, by model
        self.unlike = []

    def one(self, model, pair, ram, repeat, base=None):
        """A row. With a row `base`, stopped after a multiple of what that took."""
        engine, options = pair
        key = self.key(model, engine, '', repeat, [*options, '--ram', str(ram)])
        row = self.store.find(**key)
        if row is None:
            seconds = self.seconds(pair, base)
            with self.group(ram) as group:
                run = self.check(model, engine, ram, options, seconds, group)
            row = self.row(key, run, ram, {'limit_s': seconds, **outcome(run)})
        self.judge(model, row)
        return row

    def seconds(self, _, base):
        """The limit of a run, or None."""
        options = self.bench.options
        return options.timeout if base is None else default_limit(base['wall_s'], options)

    def cells(self, model, runs, ram, limited=()):
        """A Cell for each pair, run in turn. Pairs of `limited` are stopped by what the first of
        `runs` took; `ram` may be a function of the pair."""
        budget = ram if callable(ram) else lambda _: ram
        found = {pair: [] for pair in runs}
        for repeat in range(self.bench.repeat):
            base = None
            for pair in runs:
                row = self.one(model, pair, budget(pair), repeat, base if pair in limited else None)
                base = base or row
                found[pair].append(row)
        return {pair: rows.Cell(list_) for pair, list_ in found.items()}

    def behind(self, model, cell):
        """Label and command of a cell, for Bench.commands."""
        row = cell.first
        options = shlex.split(row['options'])[:-2]
        line = shlex.join(self.arguments(model, row['engine'], row['ram'], options))
        return f'{row["model"]}, {label(row)}', Behind(line)

    # --- What is right ---

    def judge(self, model, row):
        """All engines have to agree, with truth.csv too, about the shortest lasso as well."""
        name = name_of(model)
        if row['status'] == rows.FAILED:
            self.unlike.append(f'{name} {label(row)}: {row["note"] or "failed"}')
        if row['verdict'] not in DECIDED:
            return
        expected, least = self.truth.get(name, (None, None))
        known = self.verdicts.setdefault(name, expected or row['verdict'])
        if row['verdict'] != known:
            self.unlike.append(f'{name} {label(row)}: {row["verdict"]}, not {known}')
        steps = row['lasso_steps']
        if steps is None or least is None:
            return
        if steps < least or (row['engine'] == 'min-cex' and steps != least):
            self.unlike.append(f'{name} {label(row)}: a lasso of {steps} steps, not {least}')

    def finish(self):
        if self.unlimited:
            self.bench.note(f'NOT LIMITED by a memory control group: {self.unlimited}')
        text = '; '.join(dict.fromkeys(self.unlike)) or \
            f'{len(self.verdicts)} products, all engines alike'
        self.bench.target('verdicts', not self.unlike if self.verdicts else None, text)


def read_truth(bench):
    """Name to verdict and length of the shortest lasso, where they are known."""
    folder = bench.beem()
    if folder is None:
        return {}
    words = {'valid': 'holds', 'invalid': 'violated'}
    found = {}
    with open(os.path.join(folder, 'truth.csv'), newline='', encoding='utf-8') as file:
        for line in csv.DictReader(file):
            if line['expected'] in words:
                least = line['min_lasso']
                found[name_of(line['file'])] = (words[line['expected']],
                                                sum(map(int, least.split('+'))) if least else None)
    return found


def outcome(run):
    """What a row has of the verdict. One that was found early is as good as a complete search."""
    verdict, lasso = run.result.get('verdict'), run.result.get('trace') or {}
    found = {'verdict': verdict}
    if verdict in DECIDED:
        found['status'] = rows.COMPLETE
    if 'prefix' in lasso:
        found['lasso_steps'] = lasso['prefix'] + (lasso.get('cycle') or 0)
    return found


def label(row):
    words = [row['engine'], *shlex.split(row['options'])[:-2]]
    return ' '.join(words)


# --- Figures ----------------------------------------------------------------------------------

def reach_us(row):
    """The breadth-first part of a run of `ram` or REACH: a nested search counts as rest."""
    parts = [row[name] for name in ('search_us', 'rest_us', 'cycles_us')]
    return None if None in parts[:2] else parts[0] - parts[1] - (parts[2] or 0)


def after_us(row, reach):
    """Time of a cycle engine without its breadth-first part, which is taken to cost what it cost in
    the run `reach`, by the transition. None when the two cannot be told apart."""
    whole, part = row['search_us'], reach_us(reach)
    if None in (whole, part, row['transitions']) or not reach['transitions']:
        return None
    found = whole - part * row['transitions'] / reach['transitions']
    return found if found > 0 else None


def search_us(row, reach):
    """The same without the making of the edge file or the index."""
    after = after_us(row, reach)
    return after - (row['numbering_us'] or 0) if after is not None else None


def values(cell, figure, reach=None):
    """figure(row), or figure(row, row of the Cell `reach` beside it), for each run; None when one
    does not have it, or it is lost in noise."""
    if reach is None:
        found = [figure(row) for row in cell.rows]
    else:
        found = [figure(row, base) for row, base in zip(cell.rows, reach.rows)]
    return None if None in found or min(found) <= 0 else found


def middle(cell, figure, reach=None):
    """Median of a time in microseconds, in seconds."""
    found = values(cell, figure, reach)
    return statistics.median(found) / 1e6 if found else None


def ratio(cell, to, figure, reach=None):
    """Median of the ratios, run by run. A run that was stopped makes it a lower bound."""
    if not cell.timed or to.status != rows.COMPLETE:
        return None
    pair = values(cell, figure, reach), values(to, figure, reach)
    if None in pair:
        return None
    return statistics.median(value / other for value, other in zip(*pair))


def wall(row):
    return row['wall_s']


def cpu(row):
    return row['cpu_s']
