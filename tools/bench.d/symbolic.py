"""Sets of states: symbolic and auto against explicit in 8 MiB, and against the design's figures."""
import os

from lib import rows, table
from lib.bench import BEEM_ALL, Missing
from lib.measure import TIME

ON_REQUEST = True
REPEAT = 1
RAM = 8 << 20
TIMEOUT = 60
ENGINES = ['symbolic', 'auto', 'explicit']
# Seconds of relations and closure that the prototype of this design took, without the choice of an
# order: None where it did not finish.
FIX = {
    'lamport.8': 0.79, 'brp.6': 6.57, 'collision.4': 0.12, 'lamport.7': 0.36, 'anderson.6': 4.33,
    'telephony.4': 1.93, 'elevator_planning.2': 0.02, 'lamport.6': 2.58, 'bakery.5': 5.14,
    'elevator2.3': 0.01, 'lifts.7': 9.32, 'production_cell.5': 0.36, 'plc.4': None,
    'iprotocol.4': 0.13, 'adding.3': None, 'public_subscribe.3': 0.21, 'lann.3': 0.04,
    'at.3': 0.39, 'schedule_world.2': 0.01, 'sorter.3': 0.07, 'fischer.4': 0.07,
    'lamport_nonatomic.4': 0.02, 'szymanski.3': 0.13, 'peterson.4': 0.10, 'brp.3': 0.09,
    'protocols.5': 0.04, 'elevator.4': 4.06, 'peg_solitaire.4': None, 'bridge.3': 0.46,
    'exit.5': 0.02, 'telephony.3': 0.11, 'sokoban.2': 1.19, 'extinction.3': 0.07,
    'leader_election.4': 0.03, 'cambridge.5': 9.49, 'synapse.6': 1.61, 'reader_writer.3': 0.01,
    'mcs.3': 0.11, 'firewire_link.7': 0.04, 'firewire_tree.4': 0.01}
QUICK_MODELS = ['reader_writer.3', 'szymanski.3']
# The largest one in less memory, by symbolic alone.
SMALLER = ('lamport.8', (6 << 20, 4 << 20))
HEADERS = ['model', 'engine', 'ram', 'M states', 'CPU s', 'peak MiB', 'MiB written', 'M work',
           'fix s', 'ratio', 'decided by']


def path_of(bench, name):
    return os.path.join(bench.beem(), f'{name}.dve')


def measure(bench, name, engine, ram):
    """The run with the median of the CPU times. Sets that do not get small may take for ever."""
    limit = ['--time', f'{bench.options.timeout or TIMEOUT}s'] if engine == 'symbolic' else []
    runs = [bench.check(bench.vm(path_of(bench, name)), ram, [*BEEM_ALL, *limit], engine=engine)
            for _ in range(bench.repeat)]
    return sorted(runs, key=lambda run: run.cpu)[len(runs) // 2]


def line(name, engine, ram, run):
    stats = run.result['stats']
    fix = FIX.get(name) if engine == 'symbolic' else None
    complete = run.result['complete']
    return [name, engine, f'{ram >> 20}M', stats['states'] / 1e6 if complete else None, run.cpu,
            run.peak / (1 << 20), (stats['bytes_written'] or 0) / (1 << 20),
            (stats['set_work'] or 0) / 1e6 or None, fix,
            table.ratio(run.cpu / fix) if fix and complete else None,
            stats['engine'] if complete else run.result['reason']]


def judge(bench, runs):
    """Ratios of auto to explicit, the same counts, and no more memory than was given."""
    ratios, long, wrong = [], [(0, '')], []
    for name in dict.fromkeys(name for name, _, _ in runs):
        found = {e: runs[name, e, RAM] for e in ENGINES if runs[name, e, RAM].result['complete']}
        counts = {r.result['stats']['states'] for r in found.values()}
        if len(counts) > 1:
            wrong.append(f'{name}: states {counts}')
        if 'auto' not in found or 'explicit' not in found:
            continue
        ratios.append(found['auto'].cpu / found['explicit'].cpu)
        if found['explicit'].cpu >= 1:
            long.append((ratios[-1], name))
    over = [f'{name} {engine}: {run.peak}' for (name, engine, ram), run in runs.items()
            if run.peak > ram]
    bench.target('same states', not wrong, '; '.join(wrong) or f'{len(ratios)} models')
    bench.target('peak memory', not over if TIME else None, '; '.join(over) or 'within --ram')
    worst = max(long)
    bench.figure('auto to explicit', rows.geometric(ratios), 'x')
    bench.note(f'auto to explicit: {rows.geometric(ratios):.2f} (geometric mean of {len(ratios)})')
    bench.target('auto, models of 1 s and more', worst[0] <= 1.2 if worst[1] else None,
                 f'at most {worst[0]:.2f} of explicit, {worst[1]}' if worst[1] else 'there is none')


def run(bench):
    if bench.beem() is None:
        raise Missing('the BEEM models are not there: --beem DIR')
    names = (bench.options.models.split(',') if bench.options.models
             else QUICK_MODELS if bench.quick else list(FIX))
    names = [name for name in names if os.path.exists(path_of(bench, name))]
    if not names:
        raise Missing('no model is there')
    plan = [(name, engine, RAM) for name in names for engine in ENGINES]
    if SMALLER[0] in names:
        plan += [(SMALLER[0], 'symbolic', ram) for ram in SMALLER[1]]
    runs = {}
    for key in plan:
        runs[key] = measure(bench, *key)
        print('  ' + ' '.join(map(str, key)), f'{runs[key].cpu:.2f} s', flush=True)
    bench.table(HEADERS, [line(*key, run) for key, run in runs.items()])
    bench.commands([('the first', next(iter(runs.values())))])
    judge(bench, runs)
