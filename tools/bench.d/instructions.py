"""Instructions per transition by callgrind: the same number on a busy machine, for regressions.

Small models, and the first states of larger ones. What a run of the initial level alone executes
(start, front end, report) is taken off. Caches and memory are not in these figures: a change that
saves instructions may still be slow. On models of some hundred states the end of each level and
the growth of the table weigh more than the transitions.
"""
import os
import re

from lib import table
from lib.bench import BEEM_ALL, Missing

# Own models are cut at this many states: callgrind is fifty times slower than the machine.
CUT = 30_000
OWN = ['peterson.dve', 'philosophers.dve', 'window.dve']
TESTS = ['philosophers6.dve', 'alternating_bit.dve', 'peterson3.dve']
BEEM = ['anderson.2.dve', 'bakery.2.dve', 'extinction.1.dve']


def count(bench, command, options):
    """Instructions, and the run."""
    out = os.path.join(bench.scratch, 'callgrind.out')
    prefix = [bench.program('valgrind', 'valgrind'), '--tool=callgrind',
              f'--callgrind-out-file={out}']
    run = bench.check(command, '32M', [*BEEM_ALL, *options], prefix=prefix)
    found = re.search(r'Collected\s*:\s*(\d+)', run.err)
    if not found:
        raise Missing(f'{run.line} collected nothing: {run.err[-300:]}')
    return int(found.group(1)), run


def per_transition(bench, command):
    fixed, _ = count(bench, command, ['--depth', '0'])
    total, run = count(bench, command, ['--states', str(CUT)])
    stats = run.result['stats']
    return (total - fixed) / max(1, stats['transitions']), fixed, run


def models(bench):
    found = [bench.model(name) for name in OWN] + [bench.test_model(name) for name in TESTS]
    folder = bench.beem()
    if folder and not bench.quick:
        found += [os.path.join(folder, name) for name in BEEM]
    return [model for model in found if os.path.exists(model)]


def run(bench):
    rows, last = [], None
    for model in models(bench):
        name = os.path.basename(model)
        vm, vm_fixed, vm_run = per_transition(bench, bench.vm(model))
        emitted, emitted_fixed, last = per_transition(bench, bench.emitted(model))
        stats = last.result['stats']
        rows.append([name, stats['states'], stats['transitions'], vm, emitted, vm_fixed,
                     emitted_fixed, table.ratio(vm / emitted)])
        bench.figure(f'{name}: vm', vm, 'instructions/transition', vm_run)
        bench.figure(f'{name}: emitted', emitted, 'instructions/transition', last)
    if not rows:
        raise Missing('no model was found')
    bench.table(['model', 'states', 'transitions', 'VM', 'emitted', 'VM start', 'emitted start',
                 'VM / emitted'], rows, 'instructions per transition, and of a start')
    bench.commands([('emitted', last)])
