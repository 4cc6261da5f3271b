"""Liveness engines at 5% of the RAM, and what the shares of ioemc cost.

Products are BEEM models with the formulas below, so that large valid ones are there, too. A run
has 5% of what the table of `ram` takes for the whole product, and no less than its engine asks
for. Wall time of a violated product is the time to its first counterexample.

Where the plan of an engine refuses its 5%, it gets what the refusal asks for. `ram` has 2 GiB, and
is there to compare. --timeout stops a run (120 s); its row says how many states it had seen.
`known` and `new` are the shares of the questions of `ioemc` about states that took no read from
flash. Sweeps have products of some 100,000 states, because --dd lhs takes quadratic time. --quick
has products of tests/models, and is part of the test `bench`.
"""
import os
import re
from dataclasses import dataclass

from lib import rows, table
from lib.bench import Missing
from lib.cycle_runs import CycleRuns, label
from lib.shares import BASE_RAM, FLOOR, Product, percents

ON_REQUEST = True
REPEAT = 1
LIMIT_S = 120
PERCENT = '5'
HOLDS, VIOLATED = 'holds', 'violated'


@dataclass(frozen=True)
class Entry:
    """What is known of a product before it is measured. Weak: no cycle of its automaton has both
    accepting and other states, so that one search would do."""
    name: str
    model: str
    formula: str
    verdict: str
    weak: bool


def somewhere(processes, count, *places):
    """That one of the processes P_0, P_1, ... is in one of the places."""
    return ' || '.join(f'{processes}_{i}.{place}' for i in range(count) for place in places)


# Valid ones first. Their automata have accepting states that are reached; those of formulas such as
# (G F p) && (G F q) are not when q never follows p, and the search for cycles has nothing to do.
ENTRIES = [
    Entry('szymanski.3-cs', 'szymanski.3', '(G F P_0.p2 && G F P_0.p7) -> G F P_0.CS', HOLDS,
          weak=False),
    Entry('telephony.3-ring', 'telephony.3',
          '(G F User_0.talert && G F User_0.idle) -> G F User_0.q_i', HOLDS, weak=False),
    Entry('telephony.3-go', 'telephony.3', f'G F ({somewhere("User", 3, "idle", "tconnected")})',
          HOLDS, weak=True),
    Entry('lifts.7-bus', 'lifts.7', '(G F Bus.send_up) -> G F Bus.wait', HOLDS, weak=False),
    Entry('lamport.6-go', 'lamport.6', f'G F ({somewhere("P", 4, "CS", "q4")})', HOLDS, weak=True),
    Entry('bakery.5-choose', 'bakery.5', f'G F ({somewhere("P", 4, "CS", "choose")})', HOLDS,
          weak=True),
    Entry('telephony.4-go', 'telephony.4',
          f'G F ({somewhere("User", 4, "idle", "calling", "tconnected", "ringback")})', HOLDS,
          weak=True),
    Entry('anderson.6-leave', 'anderson.6', 'G (P_0.CS -> F P_0.NCS)', HOLDS, weak=True),
    Entry('bakery.5-cs', 'bakery.5', f'G F ({somewhere("P", 4, "CS")})', VIOLATED, weak=True),
    Entry('lifts.7-up', 'lifts.7', '(G F Wheels.moving_up) -> G F Wheels.staying', VIOLATED,
          weak=False),
    Entry('lifts.7-send', 'lifts.7', 'G (Bus.send_up -> F Bus.wait)', VIOLATED, weak=True),
]
QUICK = [
    Entry('peterson3-cs', 'peterson3', 'G F (P0.cs || P1.cs || P2.cs)', HOLDS, weak=True),
    Entry('peterson3-idle', 'peterson3', '(G F P0.cs && G F P0.idle) -> G F P0.claim', HOLDS,
          weak=False),
    Entry('peterson3-0', 'peterson3', 'G (P0.claim -> F P0.cs)', VIOLATED, weak=True),
    Entry('lamport.2-cs', 'lamport.2', f'G F ({somewhere("P", 3, "CS")})', VIOLATED, weak=True),
]
# Products of some 100,000 states: one table on flash that is always written anew is quadratic. The
# stacks of the others are deep enough to leave memory; the last one has memory for several blocks
# of its stack, of which rho2 is a share, at all of the table.
WRITTEN = Entry('lamport.2-go', 'lamport.2', f'G F ({somewhere("P", 3, "CS", "q4")})', HOLDS,
                weak=True)
STACKED = Entry('anderson.4-cs', 'anderson.4.prop4', '(G F P_0.p1) -> G F P_0.CS', HOLDS,
                weak=False)
DEEP = Entry('peterson.3-go', 'peterson.3', f'G F ({somewhere("P", 3, "CS")})', HOLDS, weak=True)

BASE = ('ram', ('--full',))   # sees the whole product, for its table
LHS, TIERS = ('ioemc', ('--dd', 'lhs')), ('ioemc', ('--dd', 'tiers'))
# By the names of --engines. `auto` is min-cex.
ENGINES = {'ram': ('ram', ()), 'auto': ('auto', ()), 'trim': ('trim', ()), 'owcty': ('owcty', ()),
           'map': ('map', ()), 'double-dfs': ('double-dfs', ()), 'iddfs': ('iddfs', ()),
           'ioemc': ('ioemc', ()), 'tiers': TIERS, 'lhs': LHS}
# A product, its share of the table in per cent, a form of ioemc, an option and its values.
RHO2 = (50, 60, 70, 80, 90, 95)
SWEEPS = [(WRITTEN, PERCENT, LHS, '--rho1', (1, 2, 3, 4, 5)),
          (WRITTEN, PERCENT, TIERS, '--rho1', (10, 25, 50)),
          (STACKED, PERCENT, LHS, '--rho2', RHO2), (DEEP, '100', LHS, '--rho2', RHO2)]
QUICK_SWEEPS = [(QUICK[0], PERCENT, LHS, '--rho1', (2, 5)),
                (QUICK[0], PERCENT, TIERS, '--rho1', (25,)),
                (QUICK[0], PERCENT, LHS, '--rho2', (50, 90))]
TRIES = 3  # budgets of a run, when the first ones are refused


class LivenessRuns(CycleRuns):
    """Runs at a share of the table, with limits in seconds and verdicts that are known."""

    def __init__(self, bench, entries):
        super().__init__(bench, 'liveness')
        self.truth = {entry.name: (entry.verdict, None) for entry in entries}
        self.tables = {}  # by product: the row of BASE

    def seconds(self, pair, _):
        return None if pair == BASE else self.bench.options.timeout or LIMIT_S

    def base(self, product):
        if product.name not in self.tables:
            row = self.one(product, BASE, BASE_RAM, 0)
            if row['status'] != rows.COMPLETE or not row['ram_used']:
                raise Missing(f'{product.name}: ram did not see all states in {BASE_RAM} bytes: '
                              f'{row["reason"]}')
            self.tables[product.name] = row
        return self.tables[product.name]

    def budget(self, product, percent):
        share = int(self.base(product)['ram_used'] * float(percent) / 100)
        return max(FLOOR, share + self.fixed_part(product))

    def at_share(self, product, pair, percent):
        """The Cell of an engine. It has more than the share only where its plan refuses that."""
        if pair[0] == 'ram':
            return self.cells(product, [pair], BASE_RAM)[pair]
        ram = self.budget(product, percent)
        for _ in range(TRIES):
            cell = self.cells(product, [pair], ram)[pair]
            wanted = asked_for(cell.first)
            if wanted is None or wanted <= ram:
                break
            ram = wanted
        return cell


def asked_for(row):
    """Bytes of --ram that a refused run says it needs at least."""
    found = re.search(r'at least --ram (\d+)M', row['note'] or '')
    return int(found.group(1)) << 20 if row['status'] == rows.REFUSED and found else None


# --- Products -----------------------------------------------------------------------------------

def chosen(bench, entries):
    """--models takes names of products."""
    asked = bench.options.models.split(',') if bench.options.models else None
    unknown = [name for name in asked or () if name not in {entry.name for entry in entries}]
    if unknown:
        raise Missing(f'--models {unknown[0]}: there are '
                      f'{", ".join(entry.name for entry in entries)}')
    by_name = {entry.name: entry for entry in entries}
    return [by_name[name] for name in asked] if asked else entries


def product_of(bench, entry):
    """The Product of an entry, or None with a note."""
    tries = [bench.test_model(entry.model + '.dve'),
             os.path.join(bench.beem() or '', entry.model + '.dve')]
    path = next((path for path in tries if os.path.isfile(path)), None)
    if path is None:
        bench.note(f'{entry.name} is left out: no {entry.model}.dve (--beem DIR)')
        return None
    return Product(entry.name, os.path.abspath(path), entry.formula)


def engines(bench):
    asked = bench.options.engines.split(',') if bench.options.engines else list(ENGINES)
    unknown = [name for name in asked if name not in ENGINES]
    if unknown:
        raise Missing(f'--engines {unknown[0]}: there are {", ".join(ENGINES)}')
    return [ENGINES[name] for name in asked]


# --- Tables -------------------------------------------------------------------------------------

def without_read(cell, what):
    """Share of the questions about known or new states that took no read."""
    asked, read = cell[f'{what}_asked'], cell[f'{what}_read']
    return None if not asked or read is None else f'{100 * (1 - read / asked):.1f}%'


def answer(cell, base):
    """The verdict, or how far a run came."""
    row = cell.first
    if cell.status == rows.COMPLETE:
        return row['verdict']
    seen = f'{row["states"] or 0:,} states of {base["states"]:,}'
    if cell.status == rows.TIMEOUT:
        return f'> {row["limit_s"]} s, {seen}'
    return f'{cell.status.upper()} ({row["reason"] or row["note"] or "?"}), {seen}'


def times(cell):
    return [f'{cell.bound}{table.cell(cell[name])}' for name in ('wall_s', 'cpu_s')]


def mebibytes(value):
    return None if value is None else f'{value / (1 << 20):.1f}'


def phases(cell):
    """The two longest parts of the wall time of a search."""
    parts = {name: cell[f'{name}_us'] for name in (*rows.PHASES, 'cycles')}
    whole = cell['search_us']
    if not whole:
        return None
    largest = sorted(((value, name) for name, value in parts.items() if value), reverse=True)[:2]
    return ', '.join(f'{name} {100 * value / whole:.0f}%' for value, name in largest)


def line(cell, base, first):
    row = cell.first
    return [*first, answer(cell, base), row['lasso_steps'], *times(cell), mebibytes(row['ram']),
            mebibytes(cell['peak_rss']), mebibytes(cell['bytes_written']),
            mebibytes(cell['bytes_read']), without_read(cell, 'known'), without_read(cell, 'new'),
            phases(cell)]


HEADERS = ['verdict', 'lasso', 'wall s', 'CPU s', 'ram MiB', 'RSS MiB', 'written MiB', 'read MiB',
           'known', 'new', 'longest phases']


def product_line(entry, base):
    return [entry.name, base['states'], base['transitions'], mebibytes(base['ram_used']),
            entry.verdict, 'weak' if entry.weak else 'not weak', entry.formula]


def engine_table(bench, runs, entries, percent):
    """A table of products, then one of the engines for each of them."""
    pairs, found = engines(bench), []
    for entry in entries:
        product = product_of(bench, entry)
        if product:
            found.append((entry, product, runs.base(product)))
    if not found:
        raise Missing('no product to measure')
    bench.table(['product', 'states', 'transitions', 'table MiB', 'verdict', 'automaton',
                 'formula'], [product_line(entry, base) for entry, _, base in found],
                '1. Products')
    for entry, product, base in found:
        cells = [runs.at_share(product, pair, percent) for pair in pairs]
        bench.table(['engine', *HEADERS], [line(cell, base, [label(cell.first)])
                                           for cell in cells],
                    f'2. {entry.name}, {entry.formula}, {percent}% of the table')
        bench.commands([runs.behind(product, cell) for cell in cells])
        for cell in cells:
            name = f'{entry.name}, {label(cell.first)}, CPU{" " + cell.bound if cell.bound else ""}'
            bench.figure(name, cell['cpu_s'], 's')


def sweep_table(bench, runs, sweeps):
    lines = []
    for entry, percent, (engine, options), option, values in sweeps:
        product = product_of(bench, entry)
        for value in values if product else ():
            cell = runs.at_share(product, (engine, (*options, option, str(value))), percent)
            lines.append(line(cell, runs.base(product), [entry.name, f'{percent}%',
                                                         label(cell.first)]))
    if lines:
        bench.table(['product', 'share', 'engine', *HEADERS], lines,
                    '3. ioemc: rho1 of the table and rho2 of the stack leave memory at a time')


def run(bench):
    entries = chosen(bench, QUICK if bench.quick else ENTRIES)
    sweeps = QUICK_SWEEPS if bench.quick else SWEEPS
    percent = percents(bench.options.percent or PERCENT)[0]
    runs = LivenessRuns(bench, [*entries, *(entry for entry, *_ in sweeps)])
    engine_table(bench, runs, entries, percent)
    sweep_table(bench, runs, sweeps)
    bench.note('known, new: share of the questions about states that took no read (ioemc). ram has '
               f'{BASE_RAM >> 20} MiB. --ram above the share is what a refused plan asked for, or '
               f'the floor of {FLOOR >> 20} MiB')
    runs.finish()
