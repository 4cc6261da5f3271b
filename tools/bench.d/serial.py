"""serial against disk at 50, 40 and 30% of the RAM (Della Penna and others, table 1).

Rules fired are not counted by the tool; they are taken as transitions per state times expansions.
"""
import statistics

from lib import rows
from lib.bench import Missing
from lib.shares import Shares, given_share, is_floored, models, name_of, percents

ON_REQUEST = True
REPEAT = 1
MODELS = ['at.3', 'szymanski.3', 'schedule_world.2', 'production_cell.5', 'lifts.7', 'bakery.5',
          'lamport.6', 'elevator2.3', 'telephony.4', 'anderson.6']
QUICK_MODELS = ['at.3', 'szymanski.3']
RUNS = [('cached', ()), ('disk', ()), ('serial', ())]
PAPER_TIME = 0.99


def rules(cell):
    expansions, transitions = cell['expansions'], cell.per_state('transitions')
    return None if None in (expansions, transitions) else expansions * transitions


def ratios(disk, serial):
    """Name to ratio, serial over disk; None where one of them was not complete."""
    if rows.COMPLETE != disk.status or rows.COMPLETE != serial.status:
        return {}
    pairs = {'CPU': (serial['cpu_s'], disk['cpu_s']), 'wall': (serial['wall_s'], disk['wall_s']),
             'rules': (rules(serial), rules(disk)),
             'states': (serial['expansions'], disk['expansions'])}
    return {name: a / b for name, (a, b) in pairs.items() if a is not None and b}


def cached_text(cell):
    if cell.status == rows.COMPLETE:
        return f'{cell["cpu_s"]:.2f}'
    return f'{cell.first["reason"] or cell.status} after {cell["cpu_s"] or 0:.2f}'


def line(model, percent, base, cells):
    cached, disk, serial = (cells[pair] for pair in RUNS)
    found = ratios(disk, serial)
    row = disk.first
    return [name_of(model), f'{percent}%', row['ram'],
            f'{100 * given_share(row):.1f}%', base['cpu_s'],
            cached_text(cached), f'{disk.bound}{disk["cpu_s"]:.2f}' if disk.timed else disk.status,
            f'{serial.bound}{serial["cpu_s"]:.2f}' if serial.timed else serial.status,
            *(f'{found[name]:.3f}' if name in found else None
              for name in ('rules', 'states', 'CPU', 'wall'))], found


def run(bench):
    wanted = percents(bench.options.percent or '50,40,30')
    shares, table, found = Shares(bench, 'serial'), [], []
    for model in models(bench, QUICK_MODELS if bench.quick else MODELS):
        seen = {}
        for percent in wanted:
            try:
                base, cells = shares.block(model, percent, RUNS, seen)
            except Missing as missing:
                bench.note(str(missing))
                break
            row, values = line(model, percent, base, cells)
            table.append(row)
            if not is_floored(cells[RUNS[1]].first):
                found.append(values)
    if not table:
        raise Missing('no model could be measured')
    means = {name: statistics.mean(values[name] for values in found if name in values)
             for name in ('rules', 'states', 'CPU', 'wall')
             if any(name in values for values in found)}
    table.append([f'mean of {len(found)}', *[None] * 7,
                  *(f'{means[name]:.3f}' if name in means else None
                    for name in ('rules', 'states', 'CPU', 'wall'))])
    bench.table(['model', 'share', '--ram', 'in fact', 'ram CPU', 'cached CPU', 'disk CPU',
                 'serial CPU', 'rules', 'states', 'CPU', 'wall'], table,
                'serial over disk; states are expansions')
    bench.note('the mean leaves out runs that had more than their share, by the least --ram of 4M')
    if 'CPU' in means:
        bench.figure('serial/disk, CPU', means['CPU'], 'x')
        bench.note(f'papers: time {PAPER_TIME} on average, 0.84 to 1.17')
    shares.finish()
