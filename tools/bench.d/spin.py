"""States per second against SPIN, one thread, RAM, models written alike in DVE and Promela.

pan is compiled as a user would for speed: -O2, safety only, no reductions, a hash table that never
has to grow. Counts of states and transitions must agree exactly, or the ratio means nothing. SPIN
also counts the initial state as a transition.

models/*.dve and models/*.pml are pairs: the same processes, variables and channels, one d_step (or
one single statement) of Promela for one transition of DVE. What makes them alike: `active
proctype`, so that no process is created or ends; constant indexes in both; -o1 -o3, for no reset of
dead variables and no merging of statements; -DNOREDUCE; a guard `nfull` for a send in a d_step,
which must not block; `do` loops, because a label cannot lead straight to a d_step. -DNOCOMP
(faster, larger) and -DBFS are printed beside it.
"""
import os
import re
import shutil

from lib.bench import Missing
from lib.measure import in_turn, run_once
from lib.rival import compare

TARGET, AIM = 1.5, 3.0
# name, -w (two slots or more per state), -m (depth of the stack of its depth-first search)
MODELS = [('peterson', 22, 400000), ('philosophers', 23, 4000000), ('window', 22, 300000)]
# No dead-variable and statement-merging reductions in the generator either.
GENERATE = ['-a', '-o1', '-o3']
COMPILE = ['-O2', '-DSAFETY', '-DNOREDUCE', '-DNOFAIR', '-DMEMLIM=8192', '-w']
# Stored states not compressed: faster, larger. Breadth first: what we do, and no deep stack.
VARIANTS = [('spin -DNOCOMP', ['-DNOCOMP']), ('spin -DBFS', ['-DBFS'])]


def build_pan(bench, name, label, flags):
    """Folder with a pan of this model."""
    folder = os.path.join(bench.scratch, f'{name}-{label.replace(" ", "")}')
    os.mkdir(folder)
    shutil.copy(bench.model(name + '.pml'), folder)
    for command in ([bench.program('spin', 'spin'), *GENERATE, name + '.pml'],
                    [bench.program('gcc', 'gcc'), *COMPILE, *flags, '-o', 'pan', 'pan.c']):
        done = run_once(command, cwd=folder)
        if done.code:
            raise Missing(f'{done.line} failed: {done.err or done.out}')
    return folder


def run_pan(folder, hash_bits, depth):
    run = run_once(['./pan', f'-m{depth}', f'-w{hash_bits}'], cwd=folder)
    states = re.search(r'^\s*(\d+) states, stored', run.out, re.M)
    steps = re.search(r'^\s*(\d+) transitions', run.out, re.M)
    if run.code or not states or not steps or 'max search depth too small' in run.out:
        raise Missing(f'{run.line} failed: {run.err}{run.out[-500:]}')
    run.result = {'states': int(states.group(1)), 'transitions': int(steps.group(1)) - 1}
    return run


def measure(bench, name, hash_bits, depth):
    """The pair that is judged, in turn; then one run each of what is only informative."""
    model = bench.model(name + '.dve')

    def pan(label, flags):
        folder = build_pan(bench, name, label, flags)
        return lambda: run_pan(folder, hash_bits, depth)

    samples = in_turn({'emitted': lambda: bench.complete(bench.emitted(model)),
                       'spin': pan('spin', [])}, bench.repeat)
    if not bench.quick:
        others = {'vm': lambda: bench.complete(bench.vm(model))}
        others.update({label: pan(label, flags) for label, flags in VARIANTS})
        samples.update(in_turn(others, 1))
    return samples


def run(bench):
    bench.note('spin ' + ' '.join(GENERATE) + ' MODEL.pml && gcc ' + ' '.join(COMPILE) +
               ' -o pan pan.c')
    for name, hash_bits, depth in MODELS:
        compare(bench, name, measure(bench, name, hash_bits, depth), 'spin', 'SPIN', TARGET, AIM)
