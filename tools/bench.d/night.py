"""A night on a board, on a virtual clock: a simulated card, two power cuts, a full card.

night_bench.cc is the whole tool on platform/device_sim.h, with a CPU that is --cpu-factor times
slower than this one. A first run is left alone. A second one loses its power at a quarter of that
time, finds the card full at half of what was written, loses its power again at another quarter, and
is resumed each time; its verdict and counts have to be those of the first.
"""
import json
import os

from lib import table
from lib.bench import SEARCH_ALL, Missing
from lib.measure import run_once
from lib.shares import models, name_of

ON_REQUEST = True
REPEAT = 1
MODELS, QUICK_MODELS = ['lamport.8'], ['lamport.6']
ENGINES, QUICK_ENGINES = 'explicit,dddd', 'explicit'
CARD, RAM = 'a1', '32M'
CUT, STOPPED = 137, 75
SAME = ('states', 'transitions', 'levels', 'deadlocks', 'error_steps')


class Night:
    def __init__(self, bench, program, model, engine):
        self.bench, self.program, self.model, self.engine = bench, program, model, engine
        name = f'{name_of(model)}-{engine}'
        self.work = os.path.join(bench.scratch, name)
        self.result = os.path.join(bench.scratch, name + '.json')

    def process(self, cut_s=0, full_mib=0, resume=False):
        """One process of the run: its exit status, and the result if it left one."""
        if os.path.exists(self.result):
            os.remove(self.result)
        command = [self.program, CARD, f'{self.bench.options.cpu_factor:g}', f'{cut_s:g}',
                   f'{full_mib:g}']
        command += ['resume', self.work] if resume else [
            'check', '--engine', self.engine, '--ram', RAM, '--work', self.work, *SEARCH_ALL,
            self.model]
        run = run_once(command + ['--quiet', '--json', self.result])
        run.result = {}
        if os.path.exists(self.result):
            with open(self.result) as file:
                run.result = json.load(file)
        return run

    def alone(self):
        run = self.process()
        if not run.result.get('complete'):
            raise Missing(f'{run.line}: exit {run.code}, {run.err.strip()[-300:]}')
        return run

    def disturbed(self, whole):
        """Rows of the processes, and the last of them."""
        quarter = whole['wall_s'] / 4
        half = whole['bytes_written'] / 2 / (1 << 20)
        rows, last = [], None
        steps = (('power cut', {'cut_s': quarter}, CUT), ('card full', {'full_mib': half}, STOPPED),
                 ('power cut', {'cut_s': quarter}, CUT), ('to the end', {}, None))
        for i, (what, how, wanted) in enumerate(steps):
            last = self.process(resume=i > 0, **how)
            stats = last.result.get('stats', {})
            rows.append([what, last.code, count(stats.get('states')), minutes(stats.get('wall_s'))])
            if wanted is not None and last.code != wanted:
                raise Missing(f'{last.line}: exit {last.code}, not {wanted}: '
                              f'{last.err.strip()[-300:]}')
        return rows, last


def count(states):
    return None if states is None else table.number(states)


def minutes(seconds):
    return None if seconds is None else f'{seconds / 60:.1f}'


def run(bench):
    program = bench.make('night_bench')
    engines = bench.options.engines or (QUICK_ENGINES if bench.quick else ENGINES)
    for model in models(bench, QUICK_MODELS if bench.quick else MODELS):
        for engine in engines.split(','):
            night = Night(bench, program, model, engine)
            whole = night.alone()
            stats = whole.result['stats']
            rows, last = night.disturbed(stats)
            found = last.result.get('stats', {})
            bench.table(['process', 'exit status', 'states', 'minutes so far'],
                        [['left alone', whole.code, table.number(stats['states']),
                          minutes(stats['wall_s'])]] + rows,
                        f'{name_of(model)}, {engine}, --ram {RAM}, card {CARD}, CPU '
                        f'{bench.options.cpu_factor:g} times slower; virtual time')
            bench.note(f'written: {table.mebibytes(stats["bytes_written"])} alone, '
                       f'{table.mebibytes(found.get("bytes_written", 0))} disturbed')
            same = (last.code == whole.code
                    and last.result.get('verdict') == whole.result['verdict']
                    and all(found.get(key) == stats[key] for key in SAME))
            bench.figure(f'{name_of(model)}, {engine}: disturbed, virtual time',
                         found.get('wall_s', 0), 's', last)
            bench.target(f'{name_of(model)}, {engine}: verdict and counts of an undisturbed run',
                         same, f'exit {last.code}, {count(found.get("states"))} states')
