"""Every breadth-first engine at falling shares of the RAM, against `ram` (Bao and Jones, figure 4).

For each model `ram` runs first, with as much memory as it wants, and again before each percentage;
slowdowns are ratios to the run beside them. Engines that are quadratic in the number of levels are
stopped (--limit, --timeout); their ratios are lower bounds, marked with >.

The share of a run is a percentage of what `ram` needed for its search (`ram_used`). --ram of the
small run is the share plus the fixed part: everything that is not states in the plan of `ram`.
Below 4M the tool does not go, so small models get more than their share: such rows have a `*`, and
no mean counts them. Bytecode makes every transition dearer, and so every slowdown smaller, than
compiled code would (--code emitted): say which it was.

States, transitions and levels of a complete run must be those of `ram`. `undecided`: `cached` gave
up. `refused`: --ram does not hold the plan. `gen/ins/det/que/par/wait/rest %` is the wall time by
phase. `written x` is bytes written per byte that the coded states take once. Means are geometric;
models whose table exceeds 100 MB are summed up once more, because smaller ones live in the
processor's cache. Small runs have a memory control group of --ram + 8 MiB where one may be made.
"""
from lib import rows
from lib.bench import Missing
from lib.shares import Shares, given_share, is_floored, models, name_of, percents

ON_REQUEST = True
REPEAT = 1
ENGINES = ['mono', 'local', 'part', 'cached', 'disk', 'serial', 'hddd', 'dddd', 'diagram', 'auto']
# 1 to 43 million states, 18 to 7852 levels.
MODELS = ['at.3', 'szymanski.3', 'adding.3', 'schedule_world.2', 'production_cell.5', 'plc.4',
          'rether.4.prop6', 'lifts.7', 'msmie.4', 'bakery.5', 'lamport.6', 'elevator2.3',
          'telephony.4', 'elevator_planning.2', 'anderson.6', 'brp.6']
QUICK_MODELS = ['at.3', 'szymanski.3', 'production_cell.5']
PERCENTS, QUICK_PERCENTS = '100,50,25,10,5,3', '25,5'
LARGE_TABLE = 100_000_000  # bytes: beyond every last-level cache
HEADERS = ['engine', 'share', '--ram', 'share bytes', 'wall s', 'CPU s', 'wall x', 'CPU x',
           'expanded/state', 'read B/state', 'written B/state', 'written x',
           'gen/ins/det/que/par/wait/rest %', 'full/partial/late', 'remark']


def share_text(row):
    """The share asked for, and that in fact given where the least --ram made it more."""
    given = f' (* {100 * given_share(row):.3g}%)' if is_floored(row) else ''
    return f'{row["percent"]}%{given}'


def times(cell, what):
    value = cell.slowdown(what)
    return None if value is None else f'{cell.bound}{value:.2f}'


def remark(cell):
    row = cell.first
    if cell.status == rows.COMPLETE:
        return row['note'] or ''
    why = row['reason'] or row['note'] or ''
    return f'{cell.status.upper()}: {why}' if why else cell.status.upper()


def detections(row):
    parts = [row['detections'], row['partial_detections'], row['delayed_detections']]
    return None if parts[0] is None else '/'.join('-' if n is None else f'{n}' for n in parts)


def split(cell):
    """Where the wall time went, in the order of rows.PHASES."""
    parts = cell.split()
    return None if parts is None else '/'.join(f'{part:.0f}' for part in parts)


def line(cell):
    row = cell.first
    return [row['engine'], share_text(row), row['ram'], row['share_bytes'], cell['wall_s'],
            cell['cpu_s'], times(cell, 'wall_s'), times(cell, 'cpu_s'),
            cell.per_state('expansions'), cell.per_state('bytes_read'),
            cell.per_state('bytes_written'), cell.amplification(), split(cell), detections(row),
            remark(cell)]


def base_line(bases):
    first = bases[0].first
    walls, cpus = ([row[what] for cell in bases for row in cell.rows]
                   for what in ('wall_s', 'cpu_s'))
    middle = [sorted(values)[len(values) // 2] for values in (walls, cpus)]
    return ['ram', 'all', first['ram'], first['table_bytes'], *middle, '1.00', '1.00',
            1.0, 0.0, 0.0, None, split(bases[0]), None,
            f'CPU {min(cpus):.2f} to {max(cpus):.2f} s' if len(cpus) > 1 else '']


def measure(bench, shares, model, engines, shares_wanted):
    """Cells by engine and percentage, after printing the table of one model."""
    bases, cells, seen = [], {}, {}
    runs = [(engine, ()) for engine in engines]
    for percent in shares_wanted:
        base, found = shares.block(model, percent, runs, seen)
        bases.append(base)
        cells.update({(pair[0], percent): cell for pair, cell in found.items()})
    first = bases[0].first
    lines = [base_line(bases)]
    lines += [line(cells[engine, percent]) for engine in engines for percent in shares_wanted]
    bench.table(HEADERS, lines,
                f'{name_of(model)}: {first["states"]:,} states, {first["transitions"]:,} '
                f'transitions, {first["levels"]:,} levels; RAM of ram {first["table_bytes"]:,} '
                f'bytes, fixed part {first["fixed_bytes"]:,}')
    for (engine, percent), cell in cells.items():
        if cell.timed:
            bench.figure(f'{name_of(model)}: {engine} {percent}%: CPU slowdown{cell.bound}',
                         cell.slowdown('cpu_s'), 'x')
    return cells


def group_line(engine, percent, cells):
    """One line of the summary: slowdowns of an engine at a percentage over the models. Runs that
    had more than their share would flatter it; they are counted only."""
    floored = sum(is_floored(cell.first) for cell in cells)
    cells = [cell for cell in cells if not is_floored(cell.first)]
    timed = [cell for cell in cells if cell.timed]
    mark = '>' if any(cell.bound for cell in timed) else ''
    out = [engine, f'{percent}%', len(timed)]
    for what in ('wall_s', 'cpu_s'):
        found = [(cell.slowdown(what), cell.bound) for cell in timed
                 if cell.slowdown(what) is not None]
        values = [value for value, _ in found]
        if not values:
            out += [None, None, None]
            continue
        low, high = min(found), max(found)
        out += [f'{mark}{rows.geometric(values):.2f}', f'{low[1]}{low[0]:.2f}',
                f'{high[1]}{high[0]:.2f}']
    by_status = [sum(cell.status == status for cell in cells)
                 for status in (rows.TIMEOUT, rows.UNDECIDED, rows.REFUSED)]
    return out + by_status + [floored]


def summary(bench, title, found, engines, shares_wanted):
    lines = []
    for engine in engines:
        for percent in shares_wanted:
            cells = [cells[engine, percent] for cells in found]
            if cells:
                lines.append(group_line(engine, percent, cells))
    if lines:
        bench.table(['engine', 'share', 'models', 'wall: mean', 'min', 'max', 'CPU: mean', 'min',
                     'max', 'timeouts', 'undecided', 'refused', 'floored *'], lines, title)


def is_large(cells):
    return next(iter(cells.values())).first['table_bytes'] > LARGE_TABLE


def run(bench):
    options = bench.options
    engines = options.engines.split(',') if options.engines else ENGINES
    wanted = percents(options.percent or (QUICK_PERCENTS if bench.quick else PERCENTS))
    shares, found = Shares(bench, 'slowdown'), []
    for model in models(bench, QUICK_MODELS if bench.quick else MODELS):
        try:
            found.append(measure(bench, shares, model, engines, wanted))
        except Missing as missing:
            bench.note(str(missing))
    if not found:
        raise Missing('no model could be measured')
    summary(bench, f'slowdown against ram, geometric means over {len(found)} models', found,
            engines, wanted)
    large = [cells for cells in found if is_large(cells)]
    if large:
        summary(bench, f'the same, {len(large)} models whose table in RAM exceeds '
                f'{LARGE_TABLE // 1_000_000} MB', large, engines, wanted)
    else:
        bench.note(f'no table in RAM exceeds {LARGE_TABLE // 1_000_000} MB')
    bench.note('* the least --ram of 4M gives more than the share; > stopped by the time limit')
    bench.note('papers: part at 5% takes 1.0 to 1.5 times ram (8 on a dense graph), mono 1.2 to 17')
    shares.finish()
