"""States per second of Murphi models against rumur, one thread, RAM, without and with symmetry.

rumur's verifier is compiled with -O3, and its hash table never has to grow. Neither tool looks for
deadlocks. Without symmetry reduction, counts of states and transitions must agree exactly, or the
ratio means nothing. With it, rumur's heuristic leaves several states of an orbit, and ours one.
"""
import os
import re

from lib import table
from lib.bench import SEARCH_ALL, Missing
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
GENERATE = ['--threads', '1', '--deadlock-detection', 'off', '--set-capacity', str(64 << 20)]
ALL, ORBITS = ['--symmetry-reduction', 'off'], ['--symmetry-reduction', 'heuristic']
# With scalarsets, and enough states for a second.
SYMMETRIC = ['mux-mcslock1', 'mux-n-peterson-N-6']
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
        verifier = build_verifier(bench, model, ALL + options)
        return lambda: run_verifier(verifier)

    def ours(command):
        return lambda: bench.complete(command, options=[*SEARCH_ALL, '--symmetry', 'off'])

    samples = in_turn({'emitted': ours(bench.emitted(model)),
                       'rumur': rumur([])}, bench.repeat)
    if not bench.quick:
        others = {'vm': ours(bench.vm(model))}
        others.update({label: rumur(options) for label, options in VARIANTS})
        samples.update(in_turn(others, 1))
    return samples


def with_symmetry(bench, name, model):
    verifier = build_verifier(bench, model, ORBITS)
    samples = in_turn({'emitted': lambda: bench.complete(bench.emitted(model)),
                       'rumur': lambda: run_verifier(verifier)}, bench.repeat)
    rows, rates = [], {}
    for label, sample in samples.items():
        states = sample.first.result.get('stats', sample.first.result)['states']
        rates[label] = states / sample.cpu
        rows.append([label, states, table.seconds(sample.cpu), rates[label]])
    bench.table(['program', 'states', 'CPU', 'states/s'], rows, f'{name}, with symmetry reduction')
    gain = rates['emitted'] / rates['rumur']
    bench.figure(f'{name}: ratio to rumur with symmetry', gain, 'x')
    bench.target(f'{name}: speed with symmetry', gain >= 1, f'{gain:.2f}x of rumur (at least 1x)')


def run(bench):
    folder = bench.murphi()
    if folder is None:
        raise Missing('no folder of Murphi models: --murphi DIR')
    bench.note('rumur ' + ' '.join(GENERATE) + ' MODEL.m --output MODEL.c && gcc ' +
               ' '.join(COMPILE) + ' MODEL.c -lpthread')
    for name in MODELS[:QUICK if bench.quick else None]:
        samples = measure(bench, os.path.join(folder, name + '.m'))
        compare(bench, name, samples, 'rumur', 'rumur', TARGET, AIM)
    for name in SYMMETRIC[:QUICK if bench.quick else None]:
        with_symmetry(bench, name, os.path.join(folder, name + '.m'))
