"""One thread against two, by wall time: ram in full, file engines at a share of the RAM."""
from lib import rows
from lib.bench import Missing
from lib.shares import Shares, models, name_of, percents

ON_REQUEST = True
REPEAT = 3
ENGINES = ['ram', 'part', 'dddd', 'diagram', 'auto']
MODELS = ['at.3', 'szymanski.3', 'production_cell.5', 'lifts.7', 'bakery.5']
QUICK_MODELS = ['at.3', 'szymanski.3']
ONE, TWO = ('--threads', '1'), ('--threads', '2')


def knows_threads(bench):
    return '--threads' in bench.call([bench.tool, 'help'])


def line(model, engine, percent, one, two):
    found = [model, engine, 'all' if engine == 'ram' else f'{percent}%', one['wall_s'],
             two['wall_s'], one['cpu_s'], two['cpu_s']]
    if rows.COMPLETE != one.status or rows.COMPLETE != two.status:
        return found + [None, None, f'{one.status}, {two.status}'], None
    speedup = one['wall_s'] / two['wall_s']
    return found + [f'{speedup:.2f}', f'{two["cpu_s"] / one["cpu_s"]:.2f}', ''], speedup


def run(bench):
    if not knows_threads(bench):
        raise Missing('this build of the tool has no option --threads')
    percent = percents(bench.options.percent or '25')[0]
    engines = bench.options.engines.split(',') if bench.options.engines else ENGINES
    runs = [(engine, how) for engine in engines for how in (ONE, TWO)]
    shares, table, speedups = Shares(bench, 'threads'), [], {engine: [] for engine in engines}
    for model in models(bench, QUICK_MODELS if bench.quick else MODELS):
        try:
            _, cells = shares.block(model, percent, runs)
        except Missing as missing:
            bench.note(str(missing))
            continue
        for engine in engines:
            row, speedup = line(name_of(model), engine, percent, cells[engine, ONE],
                                cells[engine, TWO])
            table.append(row)
            speedups[engine] += [speedup] if speedup else []
    if not table:
        raise Missing('no model could be measured')
    bench.table(['model', 'engine', 'share', '1: wall s', '2: wall s', '1: CPU s', '2: CPU s',
                 'speedup', 'CPU x', 'remark'], table)
    for engine, values in speedups.items():
        if values:
            bench.figure(f'{engine}: speedup of 2 threads', rows.geometric(values), 'x')
            bench.note(f'{engine}: {rows.geometric(values):.2f} times as fast with two threads '
                       f'(geometric mean of {len(values)})')
    shares.finish()
