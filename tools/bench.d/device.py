"""Bandwidth and CPU time of the file device: append, scan, random reads; posix, uring, llfio.

Direct I/O only, inside a memory control group of --ram + 8 MiB where that is permitted. What could
not be had is marked; figures out of the page cache are not printed at all.
"""
import os
import re
import shlex

from lib import table
from lib.bench import Missing
from lib.measure import in_turn, run_once
from lib.memory_group import MemoryGroup

BACKENDS = ['posix', 'uring', 'llfio']
BATCHES = [1, 8, 32]
UNAVAILABLE, NOT_DIRECT = 3, 4


def settings(bench):
    """What the build says about compiler and libraries."""
    with open(os.path.join(bench.build, 'checker.env'), encoding='utf-8') as file:
        return dict(re.findall(r"^(\w+)='(.*)'$", file.read(), re.M))


def build(bench):
    env = settings(bench)
    top = env['CHECKER_SOURCE']
    program = os.path.join(bench.scratch, 'device_bench')
    bench.call([env['CHECKER_CXX'], *(f'-I{os.path.join(top, part)}' for part in
                                      ('include', 'src', '.')),
                *shlex.split(env['CHECKER_FLAGS']), '-o', program,
                os.path.join(bench.top, 'tools', 'bench.d', 'device_bench.cc'),
                os.path.join(bench.build, 'libxmc_platform.a'),
                os.path.join(bench.build, 'libxmc_core.a'),
                *shlex.split(env['CHECKER_LIBRARIES'])])
    return program


def figures(run):
    return {name: int(value) for name, value in re.findall(r'^(\w+) (\d+)$', run.out, re.M)}


def median(sample, value):
    found = sorted(value(figures(run)) for run in sample.runs)
    return found[len(found) // 2]


def measure(bench, program, group):
    mebibytes = 64 if bench.quick else 256
    actions, samples = {}, {}
    for backend in BACKENDS:
        command = [program, bench.scratch, backend, str(mebibytes)]
        # The first run tells whether the backend is there; it also lays out the file system.
        run = run_once(command, group=group)
        if run.code == UNAVAILABLE:
            bench.note(f'{backend}: {run.err.strip()}')
        elif run.code == NOT_DIRECT:
            bench.note(f'{backend}: NO DIRECT I/O, no figure: {run.err.strip()}')
        elif run.code:
            raise Missing(f'{run.line}: exit {run.code}, {run.err.strip()}')
        else:
            actions[backend] = lambda command=command: run_once(command, group=group)
    if actions:
        samples = in_turn(actions, min(bench.repeat, 3))
    return samples


def show(bench, samples, mark):
    rows, kinds = [], ('append', 'durable', 'scan')
    for backend, sample in samples.items():
        row = [backend]
        for kind in kinds:
            rate = median(sample, lambda f, k=kind: f[f'{k}_bytes'] / f[f'{k}_ns'] * 1e3)
            row.append(rate)
            bench.figure(f'{backend}: {kind}{mark}', rate, 'MB/s', sample.first)
        for kind in kinds:
            cost = median(sample, lambda f, k=kind: f[f'{k}_cpu_ns'] / f[f'{k}_bytes'] * 1e3)
            row.append(cost)
            bench.figure(f'{backend}: CPU of {kind}{mark}', cost, 'us/MB', sample.first)
        for batch in BATCHES:
            rate = 1e9 * median(sample,
                                lambda f, b=batch: f[f'random{b}_reads'] / f[f'random{b}_ns'])
            row.append(rate)
            bench.figure(f'{backend}: random, batch {batch}{mark}', rate, 'reads/s', sample.first)
        rows.append(row + [table.mebibytes(sample.peak)])
    block = figures(next(iter(samples.values())).first)['block']
    bench.table(['backend', *(f'{kind} MB/s' for kind in kinds),
                 *(f'{kind} CPU us/MB' for kind in kinds),
                 *(f'reads/s, batch {batch}' for batch in BATCHES), 'peak memory'], rows,
                f'direct I/O, random reads of {block} bytes; append includes the final sync, '
                f'durable one for each MiB{mark}')
    bench.commands([(backend, sample.first) for backend, sample in samples.items()])


def run(bench):
    program = build(bench)
    limit = (bench.options.ram + 8) << 20
    with MemoryGroup(limit) as group:
        mark = f' (NOT LIMITED: {group.note})' if group.note else ''
        if not group.note:
            bench.note(f'inside a memory control group of {limit >> 20} MiB')
        samples = measure(bench, program, group)
    if not samples:
        raise Missing('no backend with direct I/O here; try --disk DIR on another file system')
    show(bench, samples, mark)
