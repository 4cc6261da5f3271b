"""Bytes of RAM per state, by bisection of --ram and by the engine's own account.

The smallest --ram that completes is looked for; what the plan gives to the states then, over their
number, is the figure that is judged: code, stack, model and buffers are the fixed part.
"""
import os
import re

from lib import table
from lib.bench import BEEM_ALL, Missing

MODELS = ['full_word.dve', 'peterson.dve', 'philosophers.dve', 'window.dve']
BEEM = ['at.3.dve', 'production_cell.5.dve', 'lifts.7.dve']
STEP = 4096
LEAST = 4 << 20  # of --ram


def models(bench):
    found = [bench.model(name) for name in MODELS]
    if bench.beem() and not bench.quick:
        found += [os.path.join(bench.beem(), name) for name in BEEM]
    return [model for model in found if os.path.exists(model)]


def allowed(bits):
    """1.3 times the packed size rounded up to words of 8 bytes, plus 2."""
    return 1.3 * ((bits + 63) // 64 * 8) + 2


def smallest(bench, command, run):
    """The run with the smallest --ram that completes, to a page."""
    stats = run.result['stats']
    low, high = LEAST - STEP, stats['ram_used'] + (16 << 20)
    best = None
    while high - low > STEP:
        middle = (low + high) // 2 // STEP * STEP
        if middle <= low:
            break
        tried = bench.check(command, middle, BEEM_ALL)
        if tried.result.get('complete'):
            best, high = tried, middle
        elif tried.result.get('reason') == 'ram' or tried.code == 2:
            low = middle
        else:
            raise Missing(f'{tried.line}: exit {tried.code}')
    return best, high


def region(bench, command, ram):
    """Bytes that the plan gives to the states with this --ram."""
    run = bench.check(command, ram, ['--depth', '0', *BEEM_ALL], talk=['--verbose'])
    found = re.search(r'(\d+) bytes\s+states\s*$', run.out + run.err, re.M)
    if not found:
        raise Missing(f'{run.line} prints no plan with a part named states')
    return int(found.group(1))


def run(bench):
    bench.program('time', 'time')
    rows, last = [], None
    for model in models(bench):
        name = os.path.basename(model)
        command = bench.emitted(model)
        full = bench.complete(command, options=BEEM_ALL)
        stats, bits = full.result['stats'], full.result['model']['state_bits']
        best, ram = smallest(bench, command, full)
        if best is None:
            raise Missing(f'{name} does not complete even in {ram} bytes')
        last = best
        states = stats['states']
        for_states = region(bench, command, ram)
        per_state = for_states / states
        rows.append([name, states, bits, ram, ram - for_states, f'{per_state:.3f}',
                     f'{stats["ram_used"] / states:.3f}', f'{allowed(bits):.2f}',
                     table.mebibytes(best.peak)])
        bench.figure(f'{name}: bytes per state', per_state, 'B', best)
        bench.target(f'{name}: bytes per state', per_state <= allowed(bits),
                     f'{per_state:.3f}, allowed {allowed(bits):.2f}')
        bench.target(f'{name}: peak within --ram', 0 < best.peak <= ram,
                     f'VmHWM {best.peak:,} of {ram:,} bytes')
    bench.table(['model', 'states', 'bits', 'least --ram', 'fixed part', 'B/state',
                 'ram_used/state', 'allowed', 'VmHWM'], rows)
    bench.commands([('least', last)])
