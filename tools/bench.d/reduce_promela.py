"""States of reduced Promela models against SPIN's default reductions.

Every model of --promela DIR whose truth.csv has at most MOST states (quick: 5,000), without its
claims: deadlocks, assertions and errors, searched to the end behind the first one. pan is as SPIN
makes it: partial order reduction, dead variables, merged statements. What pan does not take, or
does not end within its depth, is left out of the means, and so is what takes us --timeout seconds
(120).
"""
import csv
import math
import os
import re
import shutil

from lib.bench import Missing
from lib.measure import run_once

ON_REQUEST = True
REPEAT = 1
MOST, QUICK = 300000, 5000
LIMIT_S = 120
MODES = ['off', 'dead', 'all']
COMPILE = ['-O2', '-DSAFETY', '-DNOCLAIM', '-DMEMLIM=2048', '-w']
RUN = ['-m2000000', '-c0', '-n']


def models(folder, most):
    """Names of files, each once, as they are written."""
    out = {}
    with open(os.path.join(folder, 'truth.csv'), encoding='utf-8') as file:
        for row in csv.DictReader(file):
            states = row['states'] or row['spin_states']
            if row['verdict'] == 'rejected' or '--define' in row['options']: continue
            if states.isdigit() and int(states) <= most: out.setdefault(row['file'], int(states))
    return list(out)


def pan_states(bench, folder, name):
    """None: pan cannot say."""
    place = os.path.join(bench.scratch, 'pan-' + name)
    os.mkdir(place)
    for file in os.listdir(folder):
        if file == name or not file.endswith(('.pml', '.csv', '.md')):
            shutil.copy(os.path.join(folder, file), place)
    try:
        for command in ([bench.program('spin', 'spin'), '-a', name],
                        [bench.program('gcc', 'gcc'), *COMPILE, '-o', 'pan', 'pan.c']):
            if run_once(command, cwd=place, timeout=120).code: return None
        run = run_once(['./pan', *RUN], cwd=place, timeout=300)
    finally:
        shutil.rmtree(place)
    states = re.search(r'^\s*(\d+) states, stored', run.out, re.M)
    if not states or 'max search depth too small' in run.out: return None
    return int(states.group(1))


def our_states(bench, path, mode):
    options = ['--property', 'none', '--full', '--reduce', mode]
    done = bench.complete([bench.tool, 'check', path], options=options,
                          timeout=bench.options.timeout or LIMIT_S)
    return done.result['stats']['states']


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def run(bench):
    folder = bench.collection(bench.options.promela, 'promela')
    if folder is None: raise Missing('no folder of Promela models: --promela DIR')
    bench.note('spin -a MODEL && gcc ' + ' '.join(COMPILE) + ' -o pan pan.c && ./pan '
               + ' '.join(RUN))
    rows = []
    for name in models(folder, QUICK if bench.quick else MOST):
        pan = pan_states(bench, folder, name)
        if pan is None:
            bench.note(f'{name}: no count by pan')
            continue
        try:
            ours = [our_states(bench, os.path.join(folder, name), mode) for mode in MODES]
        except Missing as missing:
            bench.note(f'{name}: {missing}')
            continue
        rows.append([name[:-len('.pml')], pan, *ours, f'{ours[-1] / pan:.2f}'])
    if not rows: raise Missing('no model that both take')
    rows.sort(key=lambda row: row[4] / row[1])
    means = [mean([row[2 + i] / row[1] for row in rows]) for i in range(len(MODES))]
    rows.append(['geometric mean, over pan', 1, *(f'{m:.3f}' for m in means), f'{means[-1]:.2f}'])
    bench.table(['model', 'pan', *MODES, 'all / pan'], rows, 'States')
    for mode, value in zip(MODES, means): bench.figure(f'{mode} over pan', value, 'x')
    bench.target('states', means[-1] <= 1,
                 f'--reduce all has {means[-1]:.3f} of the states of pan on {len(rows) - 1} models '
                 '(at most 1)')
