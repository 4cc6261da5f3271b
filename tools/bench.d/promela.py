"""States per second of Promela models against pan, one thread, RAM; bytes per state; auto at 5%.

pan is compiled as its users do, with -O2 for safety, without reductions, and its hash table never
has to grow. States and transitions must agree exactly, or the ratio means nothing; SPIN also counts
the initial state as a transition. Its bytes per state are those that it calls equivalent: state
vector and overhead, without the empty part of its table. `auto` has 5% of the memory that `ram`
took for states, beside what code, stack and program take; or the least with which the text of the
model can be read, where that is more.
"""
import csv
import math
import os
import re
import shutil

from lib import table
from lib.bench import Missing
from lib.measure import in_turn, run_once
from lib.rival import agree

ON_REQUEST = True  # the models are not part of the project
REPEAT = 1
SPEED, MEMORY, SMALL = 2.0, 1 / 3, 1.5
# Those with the most states.
COUNT, QUICK = 6, 1
GENERATE = ['-a', '-o1', '-o2', '-o3']
COMPILE = ['-O2', '-DNOREDUCE', '-DSAFETY', '-DNOCLAIM', '-w']
RUN = ['-m10000000', '-c0', '-w24']
OPTIONS = ['--property', 'none', '--full']
PERCENT = 5
PLAN_RAM, FLOOR = 64 << 20, 4 << 20


def number(cell):
    digits = (cell or '').replace(',', '')
    return int(digits) if digits.isdigit() else 0


def largest(folder, count):
    """Names of models that are searched without a property of their own."""
    with open(os.path.join(folder, 'truth.csv'), newline='', encoding='utf-8') as file:
        rows = [row for row in csv.DictReader(file)
                if number(row['states']) and row['options'] in ('', '--property none')]
    rows.sort(key=lambda row: -number(row['states']))
    return [row['file'] for row in rows[:count]]


def build_pan(bench, model):
    name = os.path.basename(model)
    folder = os.path.join(bench.scratch, name + '.pan')
    os.mkdir(folder)
    # A model may include others beside it.
    for file in os.listdir(os.path.dirname(model)):
        if file == name or not file.endswith('.pml') and file != 'truth.csv':
            path = os.path.join(os.path.dirname(model), file)
            if os.path.isfile(path):
                shutil.copy(path, folder)
    for command in ([bench.program('spin', 'spin'), *GENERATE, name],
                    [bench.program('gcc', 'gcc'), *COMPILE, '-o', 'pan', 'pan.c']):
        done = run_once(command, cwd=folder)
        if done.code:
            raise Missing(f'{done.line} failed: {done.err or done.out}')
    return folder


def run_pan(folder):
    run = run_once(['./pan', *RUN], cwd=folder)
    states = re.search(r'^\s*(\d+) states, stored', run.out, re.M)
    steps = re.search(r'^\s*(\d+) transitions', run.out, re.M)
    mebibytes = re.search(r'^\s*([\d.]+)\s+equivalent memory usage', run.out, re.M)
    if not states or not steps or not mebibytes or 'max search depth too small' in run.out:
        raise Missing(f'{run.line} failed: {run.err}{run.out[-500:]}')
    run.result = {'states': int(states.group(1)), 'transitions': int(steps.group(1)) - 1,
                  'bytes': float(mebibytes.group(1)) * (1 << 20)}
    return run


def fixed_part(bench, command):
    """Bytes of --ram that are not the states'."""
    run = bench.check(command, PLAN_RAM, [*OPTIONS, '--depth', '0', '--verbose'], talk=())
    found = re.search(r'(\d+) bytes\s+states\s*$', run.out + run.err, re.M)
    if not found:
        raise Missing(f'{run.line} prints no plan with a part named states')
    return PLAN_RAM - int(found.group(1))


def least_ram(bench, command, ram):
    """The same, or what a run with it asks for before it has a state."""
    while True:
        run = bench.check(command, ram, [*OPTIONS, '--depth', '0'], engine='auto')
        found = re.search(r'at least --ram (\d+)M', run.result.get('message') or '')
        if not found:
            return ram
        ram = max(ram + (1 << 18), int(found.group(1)) << 20)


def mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def measure(bench, model):
    """A row of the table: (name, states, ratio of speed, of bytes per state, of auto)."""
    name = os.path.basename(model)[:-len('.pml')]
    command = [bench.checker(model, more=['--property', 'none']), 'check']
    folder = build_pan(bench, model)
    samples = in_turn({'emitted': lambda: bench.complete(command, options=OPTIONS),
                       'pan': lambda: run_pan(folder)}, bench.repeat)
    counts = agree(bench, name, samples)
    if counts is None:
        return None
    ours, pan = samples['emitted'], samples['pan']
    taken = ours.first.result['stats']['ram_used']
    ram = max(FLOOR, fixed_part(bench, command) + math.ceil(taken * PERCENT / 100))
    ram = least_ram(bench, command, ram)
    small = in_turn({'auto': lambda: bench.complete(command, ram=ram, options=OPTIONS,
                                                    engine='auto')}, bench.repeat)['auto']
    if small.first.result['stats']['states'] != counts[0]:
        bench.target(f'{name}: same states', False, 'auto at 5% counts others')
        return None
    bench.commands([('emitted', ours.first), ('pan', pan.first), ('auto', small.first)])
    return {'name': name, 'states': counts[0], 'pan': pan.cpu, 'ours': ours.cpu,
            'speed': pan.cpu / ours.cpu, 'pan_bytes': pan.first.result['bytes'] / counts[0],
            'bytes': taken / counts[0], 'ram': ram, 'auto': small.cpu,
            'slower': small.cpu / ours.cpu}


def run(bench):
    folder = bench.collection(bench.options.promela, 'promela')
    if folder is None:
        raise Missing('no folder of Promela models: --promela DIR')
    bench.note('spin ' + ' '.join(GENERATE) + ' M.pml; gcc ' + ' '.join(COMPILE)
               + ' -o pan pan.c; ./pan ' + ' '.join(RUN))
    names = largest(folder, QUICK if bench.quick else COUNT)
    found = [measure(bench, os.path.join(folder, name)) for name in names]
    rows = [row for row in found if row]
    if not rows:
        return
    bench.table(['model', 'states', 'pan s', 'ram s', 'ratio', 'pan bytes', 'ram bytes', 'auto s',
                 'auto MiB', 'auto / ram'],
                [[row['name'], row['states'], table.seconds(row['pan']), table.seconds(row['ours']),
                  table.ratio(row['speed']), f'{row["pan_bytes"]:.1f}', f'{row["bytes"]:.1f}',
                  table.seconds(row['auto']), table.mebibytes(row['ram']),
                  table.ratio(row['slower'])] for row in rows],
                'compiled, one thread; bytes per state')
    for row in rows:
        bench.figure(f'{row["name"]}: ratio to pan', row['speed'], 'x')
    speed, less = mean([row['speed'] for row in rows]), mean(
        [row['bytes'] / row['pan_bytes'] for row in rows])
    slower = mean([row['slower'] for row in rows])
    bench.target('states per second against pan', speed >= SPEED,
                 f'{speed:.2f}x in the geometric mean (at least {SPEED:g}x)')
    bench.target('bytes per state against pan', less <= MEMORY,
                 f'{less:.2f} of pan in the geometric mean (at most {MEMORY:.2f})')
    bench.target('auto at 5% of the memory', slower <= SMALL,
                 f'{slower:.2f}x of the time of ram in the geometric mean (at most {SMALL:g}x)')
