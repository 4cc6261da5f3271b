"""Murphi models of the papers on partitioned and serial search, by engine, within little memory.

Models of the papers that are published run as they are, from --murphi DIR. Of the others there are
twins: models of tests/models/murphi about the same algorithm, with larger constants. They have
other states than the papers' models, and compare engines only.
"""
import csv
import os
import re
from dataclasses import dataclass

from lib import rows, table
from lib.bench import SEARCH_ALL, Missing
from lib.shares import Shares, is_floored

ON_REQUEST = True
REPEAT = 1
ENGINES = ['auto', 'part', 'serial', 'dddd', 'mono']
PERCENT = '5'
LIMIT_S = 60
MOST_AT_SHARE = 1 << 20      # states: what is larger runs at --ram only


@dataclass(frozen=True)
class Entry:
    """A published file, or with constants a twin."""
    name: str                # in the papers, where it has one there
    file: str
    constants: tuple = ()
    symmetry: str = 'off'
    engines: tuple = tuple(ENGINES)


ENTRIES = [
    Entry('mcslock1', 'mux-mcslock1'),
    Entry('list6', 'sym-list6'),
    Entry('eadash', 'dash-eadash', symmetry='exact', engines=('auto',)),
    Entry('n-peterson, 6', 'mux-n-peterson-N-6'),
    Entry('cache3', 'sym-cache3'),
    Entry('twin of mcslock2', 'mcs_lock_swap', (('Procs', 6),)),
    Entry('twin of newlist6', 'linked_list', (('Cells', 5),)),
    Entry('twin of sci', 'sharing_list', (('Cells', 5),)),
    Entry('twin of ldash', 'directory', (('Clusters', 4), ('Words', 88))),
    Entry('dense', 'dense', (('Size', 1 << 20),)),
]
QUICK = [Entry('twin of newlist6', 'linked_list', (('Cells', 4),)),
         Entry('dense', 'dense', (('Size', 1 << 14),))]


class MurphiRuns(Shares):
    """Runs of entries, each with its own symmetry."""

    search = SEARCH_ALL

    def __init__(self, bench):
        super().__init__(bench, 'murphi-table')
        self.symmetry = {}  # by path

    def arguments(self, model, engine, ram, options=()):
        return super().arguments(model, engine, ram,
                                 [*options, '--symmetry', self.symmetry[model]])

    def at(self, model, engine, percent, base):
        """A row at a share, or without one at --ram of the command."""
        options = self.bench.options
        key = self.key(model, engine, percent, 0)
        share, ram = self.small_ram(engine, base, percent) if percent else (0, options.ram << 20)
        seconds = options.timeout or LIMIT_S
        row = self.store.find(**key)
        if row is None:
            with self.group(ram) as group:
                run = self.check(model, engine, ram, (), seconds, group)
            row = self.row(key, run, ram, {
                'share_bytes': share, 'table_bytes': base['table_bytes'],
                'fixed_bytes': base['fixed_bytes'], 'limit_s': seconds,
                'base_wall_s': base['wall_s'], 'base_cpu_s': base['cpu_s']})
        self.compare(base, row)
        return row


def path_of(bench, entry):
    """The file of an entry; of a twin, its text with other constants."""
    if not entry.constants:
        folder = bench.murphi()
        if folder is None:
            raise Missing(f'{entry.name}: no folder of Murphi models: --murphi DIR')
        return os.path.join(folder, entry.file + '.m')
    with open(bench.test_model(os.path.join('murphi', entry.file + '.m')), encoding='ascii') as f:
        text = f.read()
    for name, value in entry.constants:
        text, found = re.subn(rf'\b{name}: \d+;', f'{name}: {value};', text, count=1)
        if not found:
            raise Missing(f'{entry.file}.m has no constant {name}')
    path = os.path.join(bench.scratch, entry.file + '.m')
    with open(path, 'w', encoding='ascii') as file:
        file.write(text)
    return path


def published_states(bench, entry):
    """What truth.csv says, or None."""
    if entry.constants:
        return None
    with open(os.path.join(bench.murphi(), 'truth.csv'), encoding='utf-8', newline='') as file:
        for row in csv.DictReader(file):
            if (row['file'], row['options']) == (entry.file + '.m', f'--symmetry {entry.symmetry}'):
                return int(row['states']) if row['states'] else None
    return None


def text_of(row):
    """CPU time and bytes written, or why there are none."""
    if row['status'] == rows.TIMEOUT:
        return f'> {row["limit_s"]} s'
    if row['status'] != rows.COMPLETE:
        return row['status']
    return f'{table.number(row["cpu_s"])} / {table.number((row["bytes_written"] or 0) / 2**20)}'


def lines_of(runs, bench, entry, engines):
    """Rows of the table: at --ram, and at the share if the model is small enough."""
    model = path_of(bench, entry)
    runs.symmetry[model] = entry.symmetry
    base = (runs.store.find(**runs.key(model, 'ram', PERCENT, 0, ['baseline']))
            or runs.baseline(model, PERCENT, 0))
    known = published_states(bench, entry)
    if known not in (None, base['states']):
        bench.target(f'{entry.name}: states', False, f'{base["states"]}, published {known}')
    engines = [engine for engine in engines if engine in entry.engines]
    budgets = [''] + [PERCENT] * (base['states'] <= MOST_AT_SHARE)
    for percent in budgets:
        found = [runs.at(model, engine, percent, base) for engine in engines]
        floored = percent and is_floored(found[0])
        cells = {row['engine']: text_of(row) for row in found}
        peak = max(row['peak_rss'] or 0 for row in found) / 2**20
        yield [entry.name, base['states'], base['cpu_s'], base['table_bytes'] / 2**20,
               f'{found[0]["ram"] / 2**20:.1f}M{"*" if floored else ""}',
               *(cells.get(engine) for engine in ENGINES), peak]


def run(bench):
    options, runs, found = bench.options, MurphiRuns(bench), []
    entries = QUICK if bench.quick else ENTRIES
    if options.models:
        entries = [entry for entry in ENTRIES if entry.file in options.models.split(',')]
    for entry in entries:
        try:
            found += lines_of(runs, bench, entry, (options.engines or ','.join(ENGINES)).split(','))
        except Missing as missing:
            bench.note(str(missing))
    if not found:
        raise Missing('no model could be measured')
    bench.table(['model', 'states', 'ram CPU s', 'ram MiB', '--ram', *ENGINES, 'peak MiB'], found,
                'CPU seconds / MiB written; *: the least --ram is more than 5% of what ram needs')
    runs.finish()
