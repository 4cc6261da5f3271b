"""What --reduce leaves of BEEM models, and what that costs: states, time per state, whole runs.

Of base models with the search for deadlocks and of products with their property, everything is
explored (--full) with --reduce off, dead, steps and all. Times are those of compiled checkers on
models that take a while; `auto` is what a user gets who asks for nothing. The means of the design
are those of its prototype, on more models than these.
"""
import csv
import os

from lib import rows
from lib.bench import Missing

ON_REQUEST = True
REPEAT = 1
WORDS = ['off', 'dead', 'steps', 'all']
MOST_STATES = 300_000
TIMED_STATES = 30_000
RAM = '1G'
# Geometric means of the design: states that remain, of base models and of products.
DESIGN = {'plain': {'dead': 0.647, 'steps': 0.578, 'all': 0.348},
          'product': {'dead': 0.617, 'steps': 0.523, 'all': 0.313}}
QUICK_MODELS = ['brp.1.dve', 'extinction.2.dve', 'phils.3.prop3.dve']
TIME_PER_STATE, WHOLE_RUN = 1.5, 0.7
STATES = ['model', 'kind', 'states', 'dead', 'steps', 'all']
TIMES = ['model', 'off ns', 'steps ns', 'per state', 'auto', 'states', 'whole run']


def wanted(bench):
    """Rows of truth.csv that are small enough."""
    with open(os.path.join(bench.beem(), 'truth.csv'), encoding='utf-8') as file:
        found = [row for row in csv.DictReader(file) if row['states']]
    if bench.options.models:
        names = {f'{name}.dve' for name in bench.options.models.split(',')}
        return [row for row in found if row['file'] in names]
    if bench.quick: return [row for row in found if row['file'] in QUICK_MODELS]
    return [row for row in found if int(row['states']) <= MOST_STATES]


def options_of(row, word):
    return ['--full', '--reduce', word] + ([] if row['expected'] else ['--deadlock', 'stuck'])


def explore(bench, row, word, command=None):
    path = os.path.join(bench.beem(), row['file'])
    runs = [bench.complete(command or bench.vm(path), RAM, options_of(row, word))
            for _ in range(bench.repeat)]
    return sorted(runs, key=lambda run: run.cpu)[len(runs) // 2]


def kind_of(row):
    return 'product' if row['expected'] else 'plain'


def judge_states(bench, shares, puzzles):
    lines = []
    for kind, of_kind in shares.items():
        if not of_kind: continue
        for label, names in (('all', of_kind), ('without puzzles', set(of_kind) - puzzles)):
            if not names: continue
            means = [rows.geometric([of_kind[name][word] for name in names])
                     for word in WORDS[1:]]
            lines.append([f'{kind}, {label}', len(names)] + [f'{mean:.3f}' for mean in means])
            for word, mean in zip(WORDS[1:], means):
                bench.figure(f'{kind} {label} {word}', mean, 'of the states')
        design = DESIGN[kind]
        lines.append([f'{kind}, design', None] + [f'{design[word]:.3f}' for word in WORDS[1:]])
    bench.table(['geometric mean', 'models', 'dead', 'steps', 'all'], lines)


def measure_states(bench, plan):
    """The first table; which models are worth a checker."""
    shares, lines, large = {'plain': {}, 'product': {}}, [], []
    wrong = []
    for row in plan:
        runs = {word: explore(bench, row, word) for word in WORDS}
        states = {word: runs[word].result['stats']['states'] for word in WORDS}
        verdicts = {runs[word].result['verdict'] for word in WORDS}
        if len(verdicts) > 1: wrong.append(f'{row["file"]}: {verdicts}')
        share = {word: states[word] / states['off'] for word in WORDS}
        shares[kind_of(row)][row['file']] = share
        lines.append([row['file'], kind_of(row), states['off']]
                     + [f'{share[word]:.3f}' for word in WORDS[1:]])
        if states['off'] >= TIMED_STATES: large.append(row)
        print('  ' + ' '.join(map(str, lines[-1])), flush=True)
    bench.table(STATES, lines)
    bench.target('same verdicts', not wrong, '; '.join(wrong) or f'{len(plan)} models')
    judge_states(bench, shares, {row['file'] for row in plan if row['model_type'] == 'puzzle'})
    return large


def measure_times(bench, plan):
    lines, per_state, whole = [], [], []
    for row in plan:
        path = os.path.join(bench.beem(), row['file'])
        code = {word: [bench.checker(path, more=('--reduce', word)), 'check']
                for word in ('off', 'steps', 'auto')}
        runs = {word: explore(bench, row, word, code[word]) for word in code}
        each = {word: run.cpu / run.result['stats']['states'] * 1e9 for word, run in runs.items()}
        per_state.append(each['steps'] / each['off'])
        ratio = runs['auto'].cpu / runs['off'].cpu
        if row['model_type'] != 'puzzle': whole.append(ratio)
        reduced = runs['auto'].result
        lines.append([row['file'], f'{each["off"]:.0f}', f'{each["steps"]:.0f}',
                      f'{per_state[-1]:.2f}', reduced['reduction']['kind'],
                      reduced['stats']['states'], f'{ratio:.2f}'])
        print('  ' + ' '.join(map(str, lines[-1])), flush=True)
    if not lines: return
    bench.table(TIMES, lines)
    mean = rows.geometric(per_state)
    bench.figure('time per state, steps to off', mean, 'x')
    bench.target('time per state', mean <= TIME_PER_STATE,
                 f'{mean:.2f} of without, {len(per_state)} compiled models')
    if not whole: return
    mean = rows.geometric(whole)
    bench.figure('whole run, auto to off', mean, 'x')
    bench.target('whole run', mean <= WHOLE_RUN,
                 f'{mean:.2f} of without, {len(whole)} compiled models that are no puzzles')


def run(bench):
    if bench.beem() is None:
        raise Missing('the BEEM models are not there: --beem DIR')
    plan = wanted(bench)
    if not plan:
        raise Missing('no model is there')
    measure_times(bench, measure_states(bench, plan))
