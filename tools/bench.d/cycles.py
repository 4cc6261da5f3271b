"""Engines for accepting cycles: hash on flash against RAM, shortest lassos against double DFS.

"search" is the time after the breadth-first part: that part is taken to cost what `diagram --full`
took for it at the same --ram, by the transition, since engines that look at parts stop early. The
making of an index or of the edge file has a column of its own where it is not part of the search.

Each engine runs without --full, at --ram (32 MiB; table 5: 8 MiB, table 6: 4 MiB, `ram`: 2 GiB).
--models takes products and replaces those of all tables. A search that is shorter than the noise of
the difference has no figure, and products below 500,000 states are noted and not judged. Times are
wall times where waiting for the device is the point (tables 1 and 5, `search`). Table 1 leaves out
`numbering`, table 2 does not; `h cached` is --phf-cache as a share of the hash file. Table 6 means
something when the smaller product fills --ram already. Table 7 is engine_bench with a virtual
clock, with the rules of --errors beem. Verdicts of all engines must agree, and with truth.csv.
"""
import json

from lib import rows, table
from lib.bench import Missing
from lib.cycle_runs import (REACH, CycleRuns, after_us, cpu, label, middle, ratio, reach_us,
                            search_us, wall)
from lib.measure import run_once
from lib.shares import BASE_RAM, models, name_of

ON_REQUEST = True
REPEAT = 3
FLASH_MODELS, QUICK_FLASH = ['szymanski.3.prop3', 'lifts.7.prop4'], ['szymanski.1.prop3']
# Valid products, then invalid ones.
MODELS = ['anderson.4.prop4', 'szymanski.2.prop4', 'protocols.4.prop2', 'rether.3.prop5',
          'leader_election.4.prop2', 'lifts.6.prop2',
          'szymanski.1.prop3', 'at.1.prop3', 'elevator2.2.prop2', 'mcs.3.prop2', 'phils.5.prop3',
          'train-gate.5.prop2', 'rether.4.prop6', 'szymanski.3.prop3', 'lifts.7.prop4']
QUICK_MODELS = ['szymanski.2.prop4', 'szymanski.1.prop3']
INDEX_MODELS = ['leader_election.4.prop2', 'lifts.6.prop2', 'szymanski.3.prop3', 'lifts.7.prop4']
REACH_MODELS = ['lifts.7.prop4']
# Products at least ten times apart, of which the smaller one fills SLOPE_RAM already.
SLOPE_PAIRS = [('lifts.3.prop2', 'lifts.6.prop2'), ('szymanski.2.prop4', 'szymanski.3.prop3')]
QUICK_PAIRS = [('phils.3.prop3', 'szymanski.2.prop4')]
SLOPE_APART = 10
SMALL_RAM, SLOPE_RAM = 8 << 20, 5 << 20
# A smaller product on simulated devices, whose clock is virtual.
CARD_MODELS, CARDS = ['rether.3.prop5'], ['eee-ssd', 'a1']
CARD_LIMIT_S = 20_000

PHF = ('--index', 'phf')
IN_RAM = ('double-dfs', (*PHF, '--phf', 'ram'))
ON_FLASH = ('double-dfs', (*PHF, '--phf', 'flash'))
DOUBLE_DFS = ('double-dfs', ('--index', 'rank'))
MIN_CEX, TRIM, RAM = ('min-cex', ()), ('trim', ()), ('ram', ())
GASTIN_MORO = ('min-cex', ('--method', 'gastin-moro', '--index', 'rank'))
# By the names of --engines.
COMPARED = {'min-cex': MIN_CEX, 'gastin-moro': GASTIN_MORO, 'trim': TRIM,
            'iddfs': ('iddfs', ('--index', 'rank'))}
SMALL_STATES = 100_000  # more, and gastin-moro runs only when it is named
JUDGED_STATES = 500_000  # fewer, and a ratio of times is no more than a note
CACHES = [0, 5, 25, 100]  # per cent of the hash
FLASH_TARGET, MIN_CEX_TARGET, REACH_TARGET = 6, 1, 3


def times(cell, value):
    """A ratio as it is printed: a lower bound when a run was stopped."""
    return None if value is None else f'{cell.bound}{value:.2f}'


def remark(cell):
    row = cell.first
    if cell.status == rows.COMPLETE:
        return row['verdict'] or cell.status
    return f'{cell.status.upper()}: {row["reason"] or row["note"] or ""}'


def mebibytes(value):
    return None if value is None else table.mebibytes(value)


def seconds(us):
    return None if us is None else us / 1e6


def bits(value, count):
    return None if value is None or not count else 8 * value / count


def products(bench, names):
    """Paths of those that are there; --models takes the place of the names."""
    try:
        return models(bench, names)
    except Missing as missing:
        bench.note(str(missing))
        return []


# --- 1. The hash on flash ---------------------------------------------------------------------

def flash_cells(runs, model, ram):
    """Cells of reachability, of h in RAM, and by the share of h that may stay in memory."""
    first = rows.Cell([runs.one(model, IN_RAM, ram, 0)])
    hash_bytes = first['phf_bytes']
    if first.status != rows.COMPLETE or not hash_bytes:
        raise Missing(f'{name_of(model)}: {label(first.first)} --ram {ram}: {remark(first)}')
    pairs = {share: (ON_FLASH[0], (*ON_FLASH[1], '--phf-cache', str(hash_bytes * share // 100)))
             for share in CACHES}
    cells = runs.cells(model, [IN_RAM, REACH, *pairs.values()], ram, limited=pairs.values())
    return cells[REACH], cells[IN_RAM], {share: cells[pair] for share, pair in pairs.items()}


def flash_line(share, cell, base, reach):
    row = cell.first
    return [row['model'], share, cell['wall_s'], cell['cpu_s'],
            times(cell, ratio(cell, base, wall)), times(cell, ratio(cell, base, cpu)),
            seconds(cell['numbering_us']),
            middle(cell, search_us, reach), times(cell, ratio(cell, base, search_us, reach)),
            cell['random_reads'], cell['bytes_read'], bits(cell['phf_bytes'], row['states']),
            mebibytes(cell['peak_rss']), remark(cell)]


def flash_table(bench, runs, names, ram):
    lines, behind, found = [], [], []
    for model in products(bench, names):
        try:
            reach, base, by_share = flash_cells(runs, model, ram)
        except Missing as missing:
            bench.note(str(missing))
            continue
        lines.append(flash_line('in RAM', base, base, reach))
        lines += [flash_line(f'{share}%', cell, base, reach) for share, cell in by_share.items()]
        behind += [runs.behind(model, cell) for cell in (reach, base, *by_share.values())]
        found.append((by_share[5], base, reach))
    if lines:
        bench.table(['product', 'h cached', 'wall s', 'CPU s', 'wall x', 'CPU x', 'numbering s',
                     'search s', 'search x', 'random reads', 'bytes read', 'h bits/state',
                     'peak memory', 'verdict'], lines,
                    f'1. double-dfs with a perfect hash h on flash, over h in RAM; --ram {ram}')
        bench.commands(behind)
    for cell, base, reach in found:
        value = ratio(cell, base, search_us, reach)
        judge(bench, f'{base.first["model"]}: h on flash, 5% cached', base.first['states'], value,
              FLASH_TARGET, f'search {times(cell, value)}x, all of it '
              f'{times(cell, ratio(cell, base, wall))}x of h in RAM; at most {FLASH_TARGET}x',
              lower_bound=cell.bound)


def judge(bench, name, states, value, most, text, lower_bound=''):
    """A target, for products that are large enough."""
    if value is not None:
        bench.figure(name + lower_bound, value, 'x')
    if states is not None and states < JUDGED_STATES:
        bench.note(f'{name}: {text}; too small to be judged')
    elif value is None or (lower_bound and value <= most):
        bench.target(name, None, f'no time to compare; at most {most}x')
    else:
        bench.target(name, value <= most, text)


# --- 2 and 4. Edges against double DFS --------------------------------------------------------

def compare_runs(bench, states):
    asked = bench.options.engines.split(',') if bench.options.engines else None
    unknown = [name for name in asked or () if name not in COMPARED]
    if unknown:
        raise Missing(f'--engines {unknown[0]}: there are {", ".join(COMPARED)}')
    return [pair for name, pair in COMPARED.items()
            if (name in asked if asked else pair != GASTIN_MORO or states <= SMALL_STATES)]


def compare_line(cell, base, reach):
    row = cell.first
    return [row['model'], label(row), remark(cell), row['lasso_steps'], row['states'],
            cell['wall_s'], cell['cpu_s'], times(cell, ratio(cell, base, wall)),
            times(cell, ratio(cell, base, cpu)), middle(cell, after_us, reach),
            times(cell, ratio(cell, base, after_us, reach)), cell['ram_used'],
            mebibytes(cell['peak_rss'])]


def edge_line(cell):
    row = cell.first
    numbering, whole = cell['numbering_us'], cell['search_us']
    share = table.percent(numbering / whole) if numbering is not None and whole else None
    return [row['model'], label(row), remark(cell), row['states'], row['edges'],
            row['edge_bytes'], bits(row['edge_bytes'], row['edges']), row['edge_passes'],
            seconds(numbering), share]


def compare_table(bench, runs, names, ram):
    """The first row of every product is the double DFS that the others are compared with. The
    answer: lines for edge_table."""
    lines, edges, behind, found = [], [], [], []
    for model in products(bench, names):
        pairs = compare_runs(bench, runs.one(model, DOUBLE_DFS, ram, 0)['states'] or 0)
        cells = runs.cells(model, [DOUBLE_DFS, REACH, *pairs], ram, limited=pairs)
        base, reach = cells[DOUBLE_DFS], cells.pop(REACH)
        lines += [compare_line(cell, base, reach) for cell in cells.values()]
        edges += [edge_line(cells[pair]) for pair in (MIN_CEX, TRIM) if pair in cells]
        behind += [runs.behind(model, cell) for cell in (reach, *cells.values())]
        if MIN_CEX in cells:
            found.append((cells[MIN_CEX], base, reach))
    if not lines:
        return []
    bench.table(['product', 'engine', 'verdict', 'lasso', 'states seen', 'wall s', 'CPU s',
                 'wall x', 'CPU x', 'search s', 'search x', 'RAM for it', 'peak memory'], lines,
                f'2. over double-dfs --index rank; the search has its index or edge file in it; '
                f'--ram {ram}')
    bench.commands(behind)
    judge_min_cex(bench, found)
    return edges


def edge_table(bench, lines, ram):
    if lines:
        bench.table(['product', 'engine', 'verdict', 'states seen', 'edges', 'bytes', 'bits/edge',
                     'passes', 'making it s', 'of the search'], lines,
                    f'4. edge files of the runs of table 2; --ram {ram}')


def judge_min_cex(bench, found):
    """min-cex over double-dfs, whole and search alone, for products that hold and that do not."""
    for verdict in ('holds', 'violated'):
        group = [cells for cells in found if cells[1].first['verdict'] == verdict
                 and (cells[1].first['states'] or 0) >= JUDGED_STATES]
        for what, figure, alone in (('all of it, CPU', cpu, False), ('search', after_us, True)):
            name = f'min-cex over double-dfs, {verdict}, {what}'
            values = [ratio(cell, base, figure, reach if alone else None)
                      for cell, base, reach in group]
            values = [value for value in values if value is not None]
            if not values:
                bench.note(f'{name}: no product of {JUDGED_STATES:,} states to judge it by')
                continue
            mean = rows.geometric(values)
            judge(bench, name, None, mean, MIN_CEX_TARGET,
                  f'{mean:.2f}x on average (geometric), {min(values):.2f} to {max(values):.2f}, '
                  f'{len(values)} products; at most {MIN_CEX_TARGET}x')


# --- 3. Rank, hash and a table ----------------------------------------------------------------

def index_table(bench, runs, names, ram):
    lines, behind = [], []
    for model in products(bench, names):
        cells = runs.cells(model, [RAM, DOUBLE_DFS, IN_RAM, ON_FLASH],
                           lambda pair: BASE_RAM if pair == RAM else ram)
        base = cells[RAM]
        for cell in cells.values():
            row = cell.first
            lines.append([row['model'], label(row), remark(cell), row['states'], cell['wall_s'],
                          cell['cpu_s'], times(cell, ratio(cell, base, wall)),
                          times(cell, ratio(cell, base, cpu)), seconds(cell['numbering_us']),
                          cell['ram_used'], bits(cell['ram_used'], row['states']),
                          mebibytes(cell['peak_rss']), cell['bytes_written']])
            behind.append(runs.behind(model, cell))
    if lines:
        bench.table(['product', 'engine', 'verdict', 'states seen', 'wall s', 'CPU s', 'wall x',
                     'CPU x', 'numbering s', 'RAM for it', 'bits/state', 'peak memory',
                     'bytes written'], lines,
                    f'3. over the nested search of ram; --ram {ram}, for ram {BASE_RAM}')
        bench.commands(behind)


# --- 5. Against plain reachability ------------------------------------------------------------

def reach_table(bench, runs, names, ram):
    """The CPU time of the breadth-first part of `ram` is taken to be its share of the wall time."""
    plain = (RAM[0], ('--full',))
    lines, behind, found = [], [], []
    for model in products(bench, names):
        cells = runs.cells(model, [plain, MIN_CEX],
                           lambda pair: BASE_RAM if pair == plain else ram)
        base, cell = cells[plain], cells[MIN_CEX]
        part = middle(base, reach_us)
        if part is None or cell.status != rows.COMPLETE:
            bench.note(f'{name_of(model)}: ram: {remark(base)}, min-cex: {remark(cell)}')
            continue
        part_cpu = part * 1e6 / base['search_us'] * base['cpu_s']
        by_wall = ratio_to_reach(cell, base)
        lines.append([name_of(model), base.first['states'], part, part_cpu, remark(cell),
                      cell.first['lasso_steps'], cell.first['states'], cell['wall_s'],
                      cell['cpu_s'], f'{by_wall:.2f}', f'{cell["cpu_s"] / part_cpu:.2f}',
                      mebibytes(cell['peak_rss'])])
        behind += [runs.behind(model, base), runs.behind(model, cell)]
        found.append((base, by_wall))
    if lines:
        bench.table(['product', 'states', 'ram: wall s', 'CPU s', 'min-cex: verdict', 'lasso',
                     'states seen', 'wall s', 'CPU s', 'wall x', 'CPU x', 'peak memory'], lines,
                    f'5. min-cex at --ram {ram} over the breadth-first part of ram')
        bench.commands(behind)
    for base, by_wall in found:
        judge(bench, f'{base.first["model"]}: min-cex at {ram >> 20}M over reachability in RAM',
              base.first['states'], by_wall, REACH_TARGET,
              f'{by_wall:.2f}x by wall time; at most {REACH_TARGET}x')


def ratio_to_reach(cell, base):
    pairs = sorted(row['wall_s'] / (reach_us(other) / 1e6)
                   for row, other in zip(cell.rows, base.rows))
    return pairs[len(pairs) // 2]


# --- 6. Memory by the state -------------------------------------------------------------------

def slope_pairs(bench, pairs):
    """Pairs of paths. With --models: the first and the last of them."""
    if bench.options.models:
        paths = products(bench, ())
        return [(paths[0], paths[-1])] if len(paths) > 1 else []
    found = [models_or_none(bench, pair) for pair in pairs]
    return [pair for pair in found if pair]


def models_or_none(bench, names):
    paths = products(bench, names)
    return tuple(paths) if len(paths) == len(names) else None


def slope_line(few, many):
    """The first cell is that of the smaller product."""
    counts = [cell.first['states'] or 0 for cell in (few, many)]
    why = '' if counts[1] >= SLOPE_APART * counts[0] > 0 else \
        f'not {SLOPE_APART} times as many states'
    if not rows.COMPLETE == few.status == many.status:
        why = f'{remark(few)}, {remark(many)}'
    out = [f'{few.first["model"]}, {many.first["model"]}', label(few.first), *counts]
    for what, shown in (('peak_rss', mebibytes), ('ram_used', table.cell)):
        pair = few[what], many[what]
        slope = None if why or None in pair else bits(pair[1] - pair[0], counts[1] - counts[0])
        out += [*map(shown, pair), slope]
    return out + [why]


def slope_table(bench, runs, pairs, ram):
    lines, behind = [], []
    for small, large in slope_pairs(bench, pairs):
        for pair in (MIN_CEX, DOUBLE_DFS, ON_FLASH):
            both = {model: runs.cells(model, [pair], ram)[pair] for model in (small, large)}
            few, many = sorted(both.values(), key=lambda cell: cell.first['states'] or 0)
            lines.append(slope_line(few, many))
            behind += [runs.behind(model, cell) for model, cell in both.items()]
    if lines:
        bench.table(['products', 'engine', 'states seen', 'states seen', 'peak memory',
                     'peak memory', 'bits/extra state', 'RAM for it', 'RAM for it',
                     'bits/extra state', 'remark'], lines,
                    f'6. memory of a small and a large product; --ram {ram}')
        bench.commands(behind)


# --- 7. The hash on simulated devices ---------------------------------------------------------

def card_run(bench, program, model, card, how):
    """The figures of a double-dfs that may take CARD_LIMIT_S virtual seconds, or None."""
    run_of = run_once([program, model, 'double-dfs', str(bench.options.ram << 20), card,
                       f'{bench.options.cpu_factor:g}', str(CARD_LIMIT_S), '2048', *how])
    try:
        return json.loads(run_of.out)
    except ValueError:
        bench.note(f'{run_of.line}: {run_of.err.strip()[-200:]}')
        return None


def card_line(model, card, share, stats, base):
    slower = stats['total_s'] / base['total_s']
    bound = '' if stats['reason'] == 'none' else '>'
    return [name_of(model), card, share, stats['total_s'], stats['cpu_s'], stats['waited_s'],
            f'{bound}{slower:.2f}', stats['random_reads'], stats['bytes_read']]


def card_table(bench, names):
    program, lines = bench.make('engine_bench'), []
    for model in products(bench, names):
        for card in CARDS:
            base = card_run(bench, program, model, card, ['ram'])
            if base is None:
                continue
            lines.append(card_line(model, card, 'in RAM', base, base))
            for share in CACHES:
                cache = str(base['phf_bytes'] * share // 100)
                stats = card_run(bench, program, model, card, ['flash', cache])
                if stats is not None:
                    lines.append(card_line(model, card, f'{share}%', stats, base))
    if lines:
        bench.table(['product', 'device', 'h cached', 'total s', 'CPU s here', 'waited s',
                     'total x', 'random reads', 'bytes read'], lines,
                    f'7. double-dfs with h on simulated devices; CPU '
                    f'{bench.options.cpu_factor:g} times slower, virtual clock')


def run(bench):
    runs, quick = CycleRuns(bench), bench.quick
    ram = bench.options.ram << 20
    flash_table(bench, runs, QUICK_FLASH if quick else FLASH_MODELS, ram)
    edges = compare_table(bench, runs, QUICK_MODELS if quick else MODELS, ram)
    index_table(bench, runs, QUICK_MODELS if quick else INDEX_MODELS, ram)
    edge_table(bench, edges, ram)
    reach_table(bench, runs, QUICK_MODELS if quick else REACH_MODELS, SMALL_RAM)
    slope_table(bench, runs, QUICK_PAIRS if quick else SLOPE_PAIRS, SLOPE_RAM)
    card_table(bench, QUICK_PAIRS[0][:1] if quick else CARD_MODELS)
    bench.note('> a run was stopped by --limit or --timeout; search: see the head of cycles.py')
    runs.finish()
