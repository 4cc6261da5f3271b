"""One process with all of the RAM against two with half of it each, and four with a quarter."""
import os
import shutil

from lib import rows
from lib.bench import Missing
from lib.shares import GROUP_SPARE, Shares, models, name_of, percents

ON_REQUEST = True
REPEAT = 2
CODE = 'emitted'  # --code vm: bytecode
RANKS = (1, 2, 4)
LEAST = 1.4       # two ranks against one process
RUNS = [('auto', '25'), ('auto', '5')]
MODELS = ['at.3', 'szymanski.3', 'production_cell.5', 'lifts.7', 'bakery.5', 'lamport.6',
          'anderson.6']
QUICK_MODELS = ['at.3', 'szymanski.3']
# What MPI itself has mapped; every rank pays for it from its --ram.
MPI_PART = 20 << 20


class Ranks(Shares):
    """The runs of Shares, by as many processes as the word behind --ranks says."""

    def __init__(self, bench):
        super().__init__(bench, 'mpi', CODE)
        self.mpiexec = bench.program('mpiexec', 'mpich')

    def arguments(self, model, engine, ram, options=()):
        if '--ranks' not in options:
            return super().arguments(model, engine, ram, options)
        at = options.index('--ranks')
        count, others = int(options[at + 1]), [*options[:at], *options[at + 2:]]
        fixed = self.fixed_part(model)
        words = super().arguments(model, engine, (ram - fixed) // count + fixed + MPI_PART, others)
        return words if count == 1 else [self.mpiexec, '-n', str(count), *words]

    def group(self, ram):
        """Processes of one machine stand in one group."""
        return super().group(ram + max(RANKS) * (MPI_PART + GROUP_SPARE))

    def command(self, model):
        """Processes that share a search need a program that can."""
        if self.code == 'emitted':
            return [self.bench.checker(model, mpi=True), 'check']
        return [self.bench.tool + '-mpi', 'check', model]


def line(model, engine, percent, cells):
    alone = cells[1]
    row = [model, engine, f'{percent}%', *(cell['wall_s'] for cell in cells.values()),
           *(cell['cpu_s'] for cell in cells.values())]
    bad = {count: cell.status for count, cell in cells.items() if cell.status != rows.COMPLETE}
    if bad:
        return row + [None, ', '.join(f'{count}: {status}' for count, status in bad.items())], None
    speedup = alone['wall_s'] / cells[2]['wall_s']
    return row + [f'{speedup:.2f}', ''], speedup


def run(bench):
    if not os.path.exists(bench.tool + '-mpi'):
        raise Missing('no xmc-lite-mpi was built: tools/need mpi, and configure again')
    if not shutil.which('mpiexec'):
        raise Missing('mpiexec is not installed (Debian package mpich)')
    options = bench.options
    runs = RUNS if not options.engines and not options.percent else [
        (engine, percent) for percent in percents(options.percent or '25')
        for engine in (options.engines or 'auto').split(',')]
    shares, table, speedups = Ranks(bench), [], []
    for model in models(bench, QUICK_MODELS if bench.quick else MODELS):
        for engine, percent in runs:
            how = {count: ('--ranks', str(count)) for count in RANKS}
            try:
                _, cells = shares.block(model, percent, [(engine, how[count]) for count in RANKS])
            except Missing as missing:
                bench.note(str(missing))
                continue
            row, speedup = line(name_of(model), engine, percent,
                                {count: cells[engine, how[count]] for count in RANKS})
            table.append(row)
            speedups += [speedup] if speedup else []
    if not table:
        raise Missing('no model could be measured')
    bench.table(['model', 'engine', 'share', *(f'{n}: wall s' for n in RANKS),
                 *(f'{n}: CPU s' for n in RANKS), 'speedup', 'remark'], table)
    bench.note(f'--ram of each process: its part of the share, its code and stack, and '
               f'{MPI_PART >> 20} MiB for MPI')
    mean = rows.geometric(speedups)
    if speedups:
        bench.figure('two ranks against one process', mean, 'x')
    bench.target('two ranks against one process', mean >= LEAST if speedups else None,
                 f'{mean:.2f}x as fast (geometric mean of {len(speedups)}); {LEAST} wanted'
                 if speedups else 'no run')
    shares.finish()
