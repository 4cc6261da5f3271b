"""Size of the static binary, time to start, memory of small and of too large checks."""
import os
import statistics

from lib import table
from lib.bench import SEARCH_ALL, Missing
from lib.measure import run_once

SIZE, START, SMALL = 2 << 20, 0.020, 6 << 20
SMALL_MODEL = 'peterson3.dve'
# A budget in MiB and the model that it meets; window in 4 and philosophers in 32 do not fit.
BUDGETS = [(4, 'window.dve'), (32, 'peterson.dve'), (32, 'window.dve'), (32, 'philosophers.dve')]
QUICK_STARTS, STARTS = 10, 50


def size(bench):
    stripped = os.path.join(bench.scratch, 'stripped')
    done = run_once([bench.program('strip', 'binutils'), '-o', stripped, bench.tool])
    if done.code:
        raise Missing(f'{done.line}: {done.err}')
    found = os.path.getsize(stripped)
    with open(bench.tool, 'rb') as file:
        static = b'/ld-linux' not in file.read()
    bench.figure('stripped size', found, 'B', done)
    bench.target('static and under 2 MiB stripped', static and found < SIZE,
                 f'{found:,} bytes, {"static" if static else "DYNAMIC"}')


def start(bench):
    model = bench.test_model(SMALL_MODEL)
    work = os.path.join(bench.scratch, 'work')
    commands = {'version': [bench.tool, 'version'],
                'small check': [bench.tool, 'check', '--quiet', '--work', work, model]}
    count = QUICK_STARTS if bench.quick else STARTS
    times = {label: [] for label in commands}
    for _ in range(count):
        for label, command in commands.items():
            times[label].append(run_once(command, memory=False))
    rows = []
    for label, runs in times.items():
        wall = statistics.median(run.wall for run in runs)
        rows.append([label, table.seconds(wall), table.seconds(min(run.wall for run in runs)),
                     table.seconds(statistics.median(run.cpu for run in runs))])
        bench.figure(f'{label}: wall', wall, 's', runs[0])
    bench.table(['command', 'median wall', 'least wall', 'median CPU'], rows,
                f'{count} starts each; wall includes the fork by this script')
    bench.commands([(label, runs[0]) for label, runs in times.items()])
    wall = max(statistics.median(run.wall for run in runs) for runs in times.values())
    bench.target('starts in under 20 ms', wall < START, f'{table.seconds(wall)} for a small check')
    peak = bench.check(bench.vm(model), '32M').peak
    bench.target('small check peaks under 6 MiB', 0 < peak < SMALL, table.mebibytes(peak))


def budgets(bench):
    rows, over, shown = [], [], []
    for mebibytes, name in BUDGETS:
        for label, command in (('vm', bench.vm(bench.model(name))),
                               ('emitted', bench.emitted(bench.model(name)))):
            found = bench.check(command, f'{mebibytes}M', SEARCH_ALL)
            limit = mebibytes << 20
            rows.append([f'{name} ({label})', f'{mebibytes} MiB', table.mebibytes(found.peak),
                         f'exit {found.code}', found.result['stats']['states']])
            bench.figure(f'{name} ({label}) in {mebibytes}M: VmHWM', found.peak, 'B', found)
            if not 0 < found.peak <= limit:
                over.append(f'{name} ({label}) {found.peak:,} of {limit:,}')
            shown.append((f'{name} in {mebibytes}M', found))
    bench.table(['model', '--ram', 'VmHWM from outside', 'end', 'states seen'], rows)
    bench.commands(shown[-1:])
    bench.target('VmHWM never over --ram', not over, '; '.join(over) or f'{len(rows)} runs')


def run(bench):
    bench.program('time', 'time')
    size(bench)
    start(bench)
    budgets(bench)
