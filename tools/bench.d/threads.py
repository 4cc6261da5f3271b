"""One thread against two, by wall time: ram in full, engines with files at shares of its RAM."""
from lib import rows
from lib.bench import Missing
from lib.shares import Shares, models, name_of, percents

ON_REQUEST = True
REPEAT = 3
CODE = 'emitted'  # --code vm: bytecode
# What is asked for: engine, percentage of what `ram` needs, the least speed-up.
RUNS = [('ram', '100', 1.7), ('auto', '25', 1.6), ('auto', '5', 1.6), ('part', '5', 1.6)]
MODELS = ['at.3', 'szymanski.3', 'production_cell.5', 'lifts.7', 'bakery.5', 'lamport.6',
          'anderson.6']
QUICK_MODELS = ['at.3', 'szymanski.3']
ONE, TWO = ('--threads', '1'), ('--threads', '2')


def wanted_runs(options):
    """Engine, percentage, target; what was chosen by hand has no target."""
    if not options.engines and not options.percent:
        return RUNS
    engines = options.engines.split(',') if options.engines else ['ram', 'auto', 'part']
    return [(engine, percent, None) for percent in percents(options.percent or '25')
            for engine in engines]


def line(model, engine, percent, one, two):
    found = [model, engine, 'all' if engine == 'ram' else f'{percent}%', one['wall_s'],
             two['wall_s'], one['cpu_s'], two['cpu_s']]
    if rows.COMPLETE != one.status or rows.COMPLETE != two.status:
        return found + [None, None, f'{one.status}, {two.status}'], None
    speedup = one['wall_s'] / two['wall_s']
    return found + [f'{speedup:.2f}', f'{two["cpu_s"] / one["cpu_s"]:.2f}', ''], speedup


def run(bench):
    shares, table = Shares(bench, 'threads', CODE), []
    runs = wanted_runs(bench.options)
    speedups = {(engine, percent): [] for engine, percent, _ in runs}
    for model in models(bench, QUICK_MODELS if bench.quick else MODELS):
        for percent in dict.fromkeys(percent for _, percent, _ in runs):
            engines = [engine for engine, at, _ in runs if at == percent]
            try:
                _, cells = shares.block(model, percent, [(engine, how) for engine in engines
                                                         for how in (ONE, TWO)])
            except Missing as missing:
                bench.note(str(missing))
                continue
            for engine in engines:
                row, speedup = line(name_of(model), engine, percent, cells[engine, ONE],
                                    cells[engine, TWO])
                table.append(row)
                speedups[engine, percent] += [speedup] if speedup else []
    if not table:
        raise Missing('no model could be measured')
    bench.table(['model', 'engine', 'share', '1: wall s', '2: wall s', '1: CPU s', '2: CPU s',
                 'speedup', 'CPU x', 'remark'], table)
    for engine, percent, least in runs:
        values, name = speedups[engine, percent], f'{engine} at {percent}%: two threads'
        mean = rows.geometric(values)
        if values:
            bench.figure(name, mean, 'x')
        text = f'{mean:.2f}x as fast (geometric mean of {len(values)})' if values else 'no run'
        if least is None:
            bench.note(f'{name}: {text}')
        else:
            bench.target(name, mean >= least if values else None, f'{text}; {least} wanted')
    shares.finish()
