"""The perfect hash alone: bits, bytes written, time to build and to ask for every key, in --ram.

phf_bench.cc builds it over made-up keys in a file and asks it for all of them in hash order; a
bitmap shows that the answers are a bijection. Direct I/O, in a memory control group where that is
permitted.
"""
import re

from lib import table
from lib.bench import Missing
from lib.measure import run_once
from lib.memory_group import MemoryGroup

REPEAT = 1
KEYS, QUICK_KEYS = 10_000_000, 1_000_000
# Codec, bits of a value, bits of a fingerprint, bytes of a page; the first is the usual one.
CASES = [('pilot', 8, 0, 4096), ('pilot', 0, 0, 4096), ('pilot', 16, 0, 4096),
         ('pilot', 8, 8, 4096), ('pilot', 8, 0, 16384), ('chd', 8, 0, 4096)]
MANY = 30_000_000  # more keys than this, and only the usual case is measured
HEADERS = ['codec', 'value bits', 'fingerprint', 'page', 'file bits/key', 'without values',
           'written B/key', 'build ns/key', 'CPU', 'ask all ns/key', 'CPU', 'large batch ns',
           'small batch us', 'single us', 'RAM bits/key', 'peak memory']


def figures(run):
    found = {name: int(value) for name, value in re.findall(r'^(\w+) (\d+)$', run.out, re.M)}
    if run.code or 'twin_found' not in found:
        raise Missing(f'{run.line}: exit {run.code}, {run.err.strip()[-300:]}')
    return found


def row(case, f, run):
    codec, value_bits, fingerprint, page = case
    keys = f['keys']
    bits = f['file_bytes'] * 8 / keys
    return [codec, value_bits, fingerprint, page, bits, bits - value_bits - fingerprint,
            f['written_bytes'] / keys, f['build_ns'] / keys, f['build_cpu_ns'] / keys,
            f['ask_ns'] / keys, f['ask_cpu_ns'] / keys, f['large_ns'] / f['large_queries'],
            f['small_ns'] / f['small_queries'] / 1e3, f['single_ns'] / f['single_queries'] / 1e3,
            f['pinned_bytes'] * 8 / keys, table.mebibytes(run.peak)]


def run(bench):
    program = bench.make('phf_bench')
    keys = bench.options.keys or (QUICK_KEYS if bench.quick else KEYS)
    ram = bench.options.ram << 20
    rows, runs, usual = [], [], None
    with MemoryGroup(ram + (8 << 20)) as group:
        if group.note:
            bench.note(f'NOT LIMITED: {group.note}')
        for case in CASES[:1] if keys > MANY else CASES:
            codec, value_bits, fingerprint, page = case
            done = run_once([program, bench.scratch, str(keys), str(ram), str(value_bits), codec,
                             str(fingerprint), str(page)], group=group)
            if 'not part of this build' in done.err:
                bench.note(f'{codec}: not part of this build')
                continue
            f = figures(done)
            usual = usual or (f, done)
            rows.append(row(case, f, done))
            runs.append((f'{codec} {value_bits}+{fingerprint}', done))
            if not f['direct']:
                bench.note('NO DIRECT I/O: times are those of the page cache')
    bench.table(HEADERS, rows, f'{keys} keys; large batches: {usual[0]["large_batch"]} queries, '
                f'small ones: {usual[0]["small_batch"]}; no page cache')
    bench.commands(runs)
    for name, value in usual[0].items():
        bench.figure(name, value, 'ns' if name.endswith('_ns') else '', usual[1])
    bits = rows[0][5]
    bench.target('function on flash', bits <= 3,
                 f'{bits:.2f} bits per key without values, at most 3')
    peak = max(done.peak for _, done in runs)
    bench.target('memory', peak <= ram if peak else None,
                 f'peak {peak >> 10} KiB of {ram >> 10} KiB')
