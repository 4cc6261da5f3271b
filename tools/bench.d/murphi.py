"""States per second of Murphi models against rumur, one thread, RAM, no symmetry reduction.

rumur's verifier is compiled with -O3, and its hash table never has to grow. Neither tool looks for
deadlocks. Counts of states and transitions must agree exactly, or the
ratio means nothing.
"""
import os
import re

from lib.bench import Missing
from lib.measure import in_turn, run_once
from lib.rival import compare

ON_REQUEST = True  # the models are not part of the project
TARGET, AIM = 5.0, 10.0
# Of those with more than 300,000 states, what rumur accepts: it has no unions.
MODELS = ['mux-mcslock1', 'mux-n-peterson-N-5', 'paraVerifier-flash-nodata-NODE-NUM-2',
          'paraVerifier-flash-nodata-cub-NODE-NUM-2']
QUICK = 1
# Unpacked auxiliary data: faster, larger.
VARIANTS = [('rumur --pack-state off', ['--pack-state', 'off'])]
GENERATE = ['--symmetry-reduction', 'off', '--threads', '1', '--deadlock-detection', 'off',
            '--set-capacity', str(64 << 20)]
COMPILE = ['-std=c11', '-O3']


def build_verifier(bench, model, options):
    """Path of rumur's verifier of a model."""
    name = os.path.basename(model)[:-len('.m')] + ''.join(options).replace('--', '-')
    source, verifier = (os.path.join(bench.scratch, name + end) for end in ('.c', '.rumur'))
    rumur, gcc = bench.program('rumur', 'rumur'), bench.program('gcc', 'gcc')
    for command in ([rumur, *GENERATE, *options, '--output', source, model],
                    [gcc, *COMPILE, '-o', verifier, source, '-lpthread']):
        done = run_once(command)
        if done.code:
            raise Missing(f'{done.line} failed: {done.err or done.out}')
    return verifier


def run_verifier(verifier):
    run = run_once([verifier])
    found = re.search(r'^\s*(\d+) states, (\d+) rules fired', run.out, re.M)
    if run.code or not found:
        raise Missing(f'{run.line} failed: {run.err}{run.out[-500:]}')
    run.result = {'states': int(found.group(1)), 'transitions': int(found.group(2))}
    return run


def measure(bench, model):
    """The pair that is judged, in turn; then one run each of what is only informative."""
    def rumur(options):
        verifier = build_verifier(bench, model, options)
        return lambda: run_verifier(verifier)

    samples = in_turn({'emitted': lambda: bench.complete(bench.emitted(model)),
                       'rumur': rumur([])}, bench.repeat)
    if not bench.quick:
        others = {'vm': lambda: bench.complete(bench.vm(model))}
        others.update({label: rumur(options) for label, options in VARIANTS})
        samples.update(in_turn(others, 1))
    return samples


def run(bench):
    folder = bench.murphi()
    if folder is None:
        raise Missing('no folder of Murphi models: --murphi DIR')
    bench.note('rumur ' + ' '.join(GENERATE) + ' MODEL.m --output MODEL.c && gcc ' +
               ' '.join(COMPILE) + ' MODEL.c -lpthread')
    for name in MODELS[:QUICK if bench.quick else None]:
        samples = measure(bench, os.path.join(folder, name + '.m'))
        compare(bench, name, samples, 'rumur', 'rumur', TARGET, AIM)
