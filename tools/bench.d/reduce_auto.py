"""What `--reduce auto` takes: its time against the better of `off` and `dead`, default options.

Every BEEM and Promela model of at least LEAST_STATES states, asked as a user asks who says nothing
(a row of the collection may name a property); `all` stands beside them. User CPU time. Models that
`off` decides in less than LEAST_S seconds are left out, and those where it takes --timeout seconds
(60). --models names some, --engines an engine.
"""
import csv
import os
import resource

from lib import rows
from lib.bench import Missing
from lib.measure import run_once

ON_REQUEST = True
REPEAT = 1
WORDS = ['off', 'dead', 'auto', 'all']
LEAST_STATES = 150_000
LEAST_S = 0.5
LIMIT_S = 60
MEAN, WORST, ALL = 0.6, 1.3, 3.0
# Below it differences are those of the clock.
SHORTEST_S = 0.02
QUICK_MODELS = ['spin-sort.pml', 'pcdp-rw-po.pml', 'leader_election.4.dve']


def wanted(bench):
    """Path, options and states, smallest first, each question once."""
    names = bench.options.models and bench.options.models.split(',')
    if bench.quick and not names: names = QUICK_MODELS
    found = {}
    for folder in (bench.beem(), bench.collection(bench.options.promela, 'promela')):
        if folder is None: continue
        with open(os.path.join(folder, 'truth.csv'), encoding='utf-8') as file:
            for row in csv.DictReader(file):
                states = row['states'] or row.get('spin_states') or ''
                if not states.isdigit() or int(states) < LEAST_STATES: continue
                name = row['file']
                if names and name not in names and os.path.splitext(name)[0] not in names: continue
                key = os.path.join(folder, name), row.get('options') or ''
                found.setdefault(key, int(states))
    return sorted(found, key=found.get)


def user_time(bench, path, options, word):
    """Median of user CPU seconds, the verdict, the reduction; None: it takes too long."""
    times, run = [], None
    engine = bench.options.engines or 'auto'
    for _ in range(bench.repeat):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        try:
            run = bench.check([bench.tool, 'check', path], f'{bench.options.ram}M',
                              ['--reduce', word, *options], engine=engine,
                              timeout=bench.options.timeout or LIMIT_S)
        except Missing:
            return None
        times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        if run.killed or run.result['verdict'] not in ('holds', 'violated'): return None
    return sorted(times)[len(times) // 2], run.result['verdict'], run.result['reduction']['kind']


def measure(bench, path, options):
    """A line of the table, or None."""
    found = {}
    for word in WORDS:
        found[word] = user_time(bench, path, options, word)
        if word == 'off' and (found[word] is None or found[word][0] < LEAST_S): return None
    return found


def ratio(found, word):
    best = min(found[w][0] for w in ('off', 'dead') if found[w])
    return max(found[word][0], SHORTEST_S) / max(best, SHORTEST_S)


def run(bench):
    plan = wanted(bench)
    if not plan: raise Missing('no model is there: --beem DIR, --promela DIR')
    lines, ratios, wrong, dear = [], [], [], []
    for path, options in plan:
        found = measure(bench, path, options.split())
        if found is None: continue
        name = ' '.join([os.path.basename(path), options]).strip()
        if len({part[1] for part in found.values() if part}) > 1: wrong.append(name)
        if found['auto'] is None:
            ratios.append((float('inf'), name))
            continue
        ratios.append((ratio(found, 'auto'), name))
        dead = max(found['dead'][0] if found['dead'] else LIMIT_S, SHORTEST_S)
        if found['all'] is None or found['all'][0] > ALL * dead: dear.append(name)
        lines.append([name, *(f'{found[word][0]:.2f}' if found[word] else None for word in WORDS),
                      found['auto'][2], f'{ratios[-1][0]:.2f}'])
        print('  ' + ' '.join(map(str, lines[-1])), flush=True)
    if not ratios: raise Missing('off takes too little time on all of them')
    lines.sort(key=lambda line: float(line[-1]))
    bench.table(['model', *WORDS, 'taken', 'auto / better'], lines, 'User CPU seconds')
    mean, worst = rows.geometric([r for r, _ in ratios]), max(ratios)
    bench.figure('auto to the better of off and dead', mean, 'x')
    bench.target('same verdicts', not wrong, ', '.join(wrong) or f'{len(ratios)} models')
    bench.target('mean', mean <= MEAN, f'{mean:.2f} of the better (at most {MEAN})')
    bench.target('worst', worst[0] <= WORST, f'{worst[0]:.2f}, {worst[1]} (at most {WORST})')
    bench.target('all', not dear, ', '.join(dear) or f'never above {ALL:.0f} times dead')
