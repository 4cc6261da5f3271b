"""Engines at a share of the RAM that the engine `ram` needs.

The share is a percentage of `ram`'s ram_used: its states, their index and its queue. --ram of the
small run is the share plus the fixed part (code, stack, front end, as the plan of `ram` has them),
and never below 4M, the least that the tool takes.
"""
import contextlib
import json
import math
import os
import re
import shutil
import time
from dataclasses import dataclass

from lib import rows
from lib.bench import BEEM_ALL, Missing
from lib.measure import run_once
from lib.memory_group import MemoryGroup

FLOOR = 4 << 20           # the least --ram
PLAN_RAM = 64 << 20       # for reading the plan of `ram`
BASE_RAM = 2 << 30        # for `ram` itself; four times as much whenever it is too little
GROUP_SPARE = 8 << 20     # of a memory control group, beside --ram
LEAST_LIMIT_S = 10
SEEN_ALL = 'cycles-not-checked'  # the states of a product, all of them


def default_limit(base_wall, options):
    """Seconds that a run may take, by what `ram` took."""
    seconds = max(LEAST_LIMIT_S, options.limit * base_wall)
    return math.ceil(min(seconds, options.timeout) if options.timeout else seconds)


def percents(text):
    try:
        found = [float(part) for part in text.split(',') if part]
    except ValueError:
        raise Missing(f'--percent {text}: numbers with commas between them are wanted') from None
    if not found or min(found) <= 0:
        raise Missing(f'--percent {text}: at least one number above 0 is wanted')
    return [f'{value:g}' for value in found]


def models(bench, names):
    """Paths of models. A name is a path, or that of a BEEM model with or without .dve."""
    found = []
    for name in bench.options.models.split(',') if bench.options.models else names:
        folder = bench.beem()
        tries = [name, os.path.join(folder or '', name), os.path.join(folder or '', name + '.dve')]
        path = next((path for path in tries if os.path.isfile(path)), None)
        if path:
            found.append(os.path.abspath(path))
        elif folder is None:
            bench.note(f'{name} is left out: there are no BEEM models here (--beem DIR)')
        else:
            bench.note(f'{name} is left out: not in {folder}')
    if not found:
        raise Missing('no model to measure')
    return found


@dataclass(frozen=True)
class Product:
    """A model with a formula; runs take it where they take the path of a model."""
    name: str
    path: str
    formula: str


def name_of(model):
    if isinstance(model, Product):
        return model.name
    return os.path.basename(model).removesuffix('.dve')


class Shares:
    """Runs engines for one experiment and keeps the rows."""

    floor = FLOOR
    search = BEEM_ALL

    def __init__(self, bench, experiment, code='vm'):
        self.bench = bench
        self.experiment = experiment
        options = bench.options
        self.code = options.code or code
        self.store = rows.Store(options.out, options.resume)
        self.fixed = {}      # by model
        self.base_ram = {}   # by model: what was enough
        self.unlimited = ''  # why memory is not limited from outside
        self.compared = self.wrong = 0
        self.commit = bench.commit()
        strange = {row['commit'] for row in self.store.rows.values()} - {self.commit}
        if strange:
            bench.note('rows of other commits are in the file: ' + ', '.join(map(str, strange)))

    # --- One run ---

    def command(self, model):
        make = self.bench.emitted if self.code == 'emitted' else self.bench.vm
        return make(model.path, model.formula) if isinstance(model, Product) else make(model)

    def arguments(self, model, engine, ram, options=()):
        """The command of a run, its limit apart."""
        out, work = (os.path.join(self.bench.scratch, name) for name in ('result.json', 'work'))
        return [*self.command(model), '--engine', engine, '--ram', str(ram), '--work', work,
                '--json', out, '--progress', 'none', *self.search, *options]

    def check(self, model, engine, ram, options=(), seconds=None, group=None):
        """A run and its JSON result, {} when there is none."""
        bench = self.bench
        out, work = (os.path.join(bench.scratch, name) for name in ('result.json', 'work'))
        if os.path.exists(out):
            os.remove(out)
        limit = ['--time', f'{seconds}s'] if seconds else []
        run = run_once([*self.arguments(model, engine, ram, options), *limit],
                       group=group, timeout=2 * seconds + 60 if seconds else None)
        shutil.rmtree(work, ignore_errors=True)
        try:
            with open(out, encoding='utf-8') as file:
                run.result = json.load(file)
        except (OSError, ValueError):
            run.result = {}
        return run

    def fixed_part(self, model):
        """Bytes of --ram that are not the states' in the plan of `ram`."""
        if model not in self.fixed:
            run = self.check(model, 'ram', PLAN_RAM, ['--depth', '0', '--verbose'])
            found = re.search(r'(\d+) bytes\s+states\s*$', run.out + run.err, re.M)
            if not found:
                raise Missing(f'{run.line} prints no plan with a part named states: '
                              f'exit {run.code}, {run.err.strip()[-300:]}')
            self.fixed[model] = PLAN_RAM - int(found.group(1))
        return self.fixed[model]

    # --- Rows ---

    def key(self, model, engine, percent, repeat, options=()):
        return {'experiment': self.experiment, 'model': name_of(model), 'code': self.code,
                'engine': engine, 'options': ' '.join(options), 'percent': percent,
                'repeat': str(repeat)}

    def row(self, key, run, ram, more):
        result, stats = run.result, run.result.get('stats') or {}
        row = {**key, 'commit': self.commit, 'date': time.strftime('%Y-%m-%d %H:%M'), 'ram': ram,
               'status': status_of(run), 'reason': result.get('reason'),
               'wall_s': round(run.wall, 4), 'cpu_s': None if run.killed else round(run.cpu, 4),
               'note': remarks(run)}
        row.update({name: stats.get(name) for name in (*rows.STATS, *rows.CYCLES, *rows.SPLIT,
                                                       *rows.CARD)})
        row['peak_rss'] = run.peak or stats.get('peak_rss')
        return self.store.add(row | more)

    def baseline(self, model, percent, repeat):
        """`ram` with enough memory, beside the runs at one percentage."""
        key = self.key(model, 'ram', percent, repeat, ['baseline'])
        fixed = self.fixed_part(model)
        ram = self.base_ram.get(model, BASE_RAM)
        while True:
            run = self.check(model, 'ram', ram, seconds=self.bench.options.timeout)
            if run.result.get('reason') != 'ram' or 4 * ram > physical_memory():
                break
            ram *= 4
        self.base_ram[model] = ram
        if status_of(run) != rows.COMPLETE:
            raise Missing(f'{name_of(model)}: ram did not see all states: exit {run.code}, '
                          f'{run.result.get("reason")}, {run.err.strip()[-200:]}')
        return self.row(key, run, ram, {
            'table_bytes': run.result['stats']['ram_used'], 'fixed_bytes': fixed,
            'base_wall_s': round(run.wall, 4), 'base_cpu_s': round(run.cpu, 4)})

    def small_ram(self, engine, base, percent):
        """The share in bytes, and --ram. `ram` can do nothing with a share."""
        share = math.ceil(base['table_bytes'] * float(percent) / 100)
        small = max(self.floor, share + base['fixed_bytes'])
        return share, base['ram'] if engine == 'ram' else small

    def measure(self, model, engine, percent, repeat, base, options=()):
        """One engine at one share."""
        key = self.key(model, engine, percent, repeat, options)
        share, ram = self.small_ram(engine, base, percent)
        seconds = default_limit(base['wall_s'], self.bench.options)
        with self.group(ram) as group:
            run = self.check(model, engine, ram, options, seconds, group)
        return self.row(key, run, ram, {
            'share_bytes': share, 'table_bytes': base['table_bytes'],
            'fixed_bytes': base['fixed_bytes'], 'limit_s': seconds,
            'base_wall_s': base['wall_s'], 'base_cpu_s': base['cpu_s']})

    @contextlib.contextmanager
    def group(self, ram):
        """No page cache can flatter a run that has --ram and a little in all."""
        if self.bench.options.no_group:
            self.unlimited = '--no-group'
            yield None
            return
        with MemoryGroup(ram + GROUP_SPARE) as group:
            self.unlimited = group.note
            yield group

    def block(self, model, percent, runs, seen=None):
        """All runs of a model at one percentage, in turn, `ram` first. `runs` are (engine, options)
        pairs. The answer: the Cell of `ram`, and a Cell for each pair.

        `seen`: cells of other percentages by (engine, options, --ram). Where the floor of --ram
        makes two shares the same run, it is not made again.
        """
        bases, found = [], {pair: [] for pair in runs}
        seen = {} if seen is None else seen
        for repeat in range(self.bench.repeat):
            old = {pair: self.store.find(**self.key(model, pair[0], percent, repeat, pair[1]))
                   for pair in runs}
            base = self.block_base(model, percent, repeat, old, seen)
            bases.append(base)
            for pair in runs:
                row = old[pair] or self.copy(model, pair, percent, repeat, base, seen)
                row = row or self.measure(model, pair[0], percent, repeat, base, pair[1])
                found[pair].append(row)
                seen.setdefault((pair, row['ram'], repeat), row)
                self.compare(base, row)
        return rows.Cell(bases), {pair: rows.Cell(list_) for pair, list_ in found.items()}

    def block_base(self, model, percent, repeat, old, seen):
        """The baseline of a block: kept, that of an earlier block if nothing is to be run, or
        run now."""
        base = self.store.find(**self.key(model, 'ram', percent, repeat, ['baseline']))
        if base is None:
            base = seen.get(('base', repeat))
        if base is None or not all(
                row or (pair, self.small_ram(pair[0], base, percent)[1], repeat) in seen
                for pair, row in old.items()):
            base = self.baseline(model, percent, repeat)
        seen.setdefault(('base', repeat), base)
        return base

    def copy(self, model, pair, percent, repeat, base, seen):
        share, ram = self.small_ram(pair[0], base, percent)
        other = seen.get((pair, ram, repeat))
        if other is None:
            return None
        key = self.key(model, pair[0], percent, repeat, pair[1])
        return self.store.add({**other, **key, 'share_bytes': share,
                               'note': f'the run at {other["percent"]}%'})

    def compare(self, base, row):
        """A complete run has to see the graph that `ram` saw."""
        if row['status'] == rows.FAILED:
            self.bench.target(f'{label(row)}: runs', False, row['note'] or 'failed')
        if row['status'] != rows.COMPLETE:
            return
        self.compared += 1
        for what in ('states', 'transitions', 'levels'):
            if row[what] is not None and row[what] != base[what]:
                self.wrong += 1
                self.bench.target(f'{label(row)}: same graph', False,
                                  f'{what} {row[what]}, but {base[what]} with ram')

    def finish(self):
        """The last lines of an experiment."""
        if self.unlimited:
            self.bench.note(f'NOT LIMITED by a memory control group: {self.unlimited}')
        self.bench.target('states, transitions and levels as with ram',
                          self.wrong == 0 if self.compared else None,
                          f'{self.compared} complete runs, {self.wrong} differences')


def status_of(run):
    reason = run.result.get('reason')
    if run.result.get('complete') or reason == SEEN_ALL:
        return rows.COMPLETE
    if run.killed or reason == 'time-limit':
        return rows.TIMEOUT
    if run.result.get('stats') and run.result['stats'].get('states'):
        return rows.UNDECIDED if run.code == 2 else rows.FAILED
    return rows.REFUSED if run.code == 2 else rows.FAILED


def remarks(run):
    """What the tool said about the run that a reader of the row should know."""
    found = re.findall(r'^note\s+(.*)$', run.err, re.M)
    if run.code not in (0, 1, 2, 75) and not run.killed:
        found.append(f'exit {run.code}: {run.err.strip()[-200:]}')
    elif status_of(run) == rows.REFUSED:
        found.append(str(run.result.get('message') or run.err.strip()[-200:]))
    return '; '.join(' '.join(text.split()) for text in found) or None


def given_share(row):
    """The share that --ram left for the search, of what `ram` needs."""
    return (row['ram'] - row['fixed_bytes']) / row['table_bytes']


def is_floored(row):
    """Whether the least --ram gave noticeably more than the share."""
    return row['ram'] - row['fixed_bytes'] > 1.1 * row['share_bytes'] + 4096


def label(row):
    options = f' {row["options"]}' if row['options'] else ''
    return f'{row["model"]} {row["engine"]}{options} {row["percent"]}%'


def physical_memory():
    return os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES')
