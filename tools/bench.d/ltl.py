"""States of the automata of negated formulas against the never claims of SPIN.

The formulas are those of tests/ltl: 55 specification patterns of Dwyer, Avrunin and Corbett, and
100 further ones. They have all the parentheses that make them mean the same to both, and no W,
which spin -f takes for part of a predicate. A state of a claim is what stands behind a label,
or behind several in a row; both tools print never claims, and both are counted alike.
"""
import os
import re

from lib.bench import Missing
from lib.measure import run_once

ON_REQUEST = True  # SPIN does not end on some of them
REPEAT = 1
TIMEOUT_S = 20
FILES = [('specification patterns', 'patterns.ltl'), ('further formulas', 'further.ltl')]


def formulas(bench, file):
    """Name and formula of each line."""
    path = os.path.join(bench.top, 'tests', 'ltl', file)
    with open(path, encoding='utf-8') as lines:
        return [(name, formula) for name, _, formula in
                (line.rstrip('\n').split(' ', 2) for line in lines)]


def states(claim):
    """Labels in a row count once."""
    count, in_labels = 0, False
    for line in claim.splitlines():
        label = re.match(r'\w+:', line) is not None
        if label and not in_labels:
            count += 1
        in_labels = label
    return count


def claim_states(command, timeout):
    """States of the claim that a command prints; None if it does not end, or knows no X."""
    run = run_once(command, timeout=timeout)
    if run.killed or 'never' not in run.out:
        return None, run
    return states(run.out), run


def compare(bench, title, file, spin, timeout):
    rows, sums, missing, larger = [], [0, 0], 0, []
    for name, formula in formulas(bench, file)[:10 if bench.quick else None]:
        ours, our_run = claim_states([bench.tool, 'ltl', '--to', 'never', f'!({formula})'], timeout)
        theirs, _ = claim_states([spin, '-f', f'!({formula})'], timeout)
        if ours is None:
            raise Missing(f'{our_run.line} failed: {our_run.err}')
        rows.append([name, ours, theirs])
        if theirs is None:
            missing += 1
            continue
        sums[0] += ours
        sums[1] += theirs
        if ours > theirs:
            larger.append(name)
    rows.append([f'sum of the {len(rows) - missing} that spin ends on', *sums])
    bench.table(['formula', 'xmc-lite', 'spin'], rows, title)
    bench.figure(f'{title}: xmc-lite', sums[0], 'states')
    bench.figure(f'{title}: spin', sums[1], 'states')
    if missing:
        bench.note(f'{missing} without a figure of spin: not within {timeout} s, or X is not known')
    if larger:
        bench.note('more states than spin: ' + ', '.join(larger))
    bench.target(title, sums[0] <= sums[1], f'{sums[0]} states, spin {sums[1]}')


def run(bench):
    spin = bench.options.spin or bench.program('spin', 'spin')
    timeout = bench.options.timeout or TIMEOUT_S
    for title, file in FILES:
        compare(bench, title, file, spin, timeout)
