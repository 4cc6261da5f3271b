"""The slowdown table on simulated devices: a slow CPU, a card or an old SSD, a virtual clock.

engine_bench.cc runs the engines on platform/device_sim.h; times are CPU time times --cpu-factor
plus what was waited for the device, so they do not depend on this machine's disk. No checkpoints.
"""
import json

from lib.bench import Missing
from lib.measure import run_once
from lib.shares import PLAN_RAM, Shares, models, name_of, percents
from slowdown import ENGINES, detections, remark, share_text, summary, times

ON_REQUEST = True
REPEAT = 1
MODELS = ['szymanski.3', 'schedule_world.2', 'at.3', 'adding.3', 'rether.4.prop6']
QUICK_MODELS = ['szymanski.3']
PERCENTS, QUICK_PERCENTS = '25,10,5', '25'
REAL_TIMEOUT_S = 1800
HEADERS = ['engine', 'share', '--ram', 'share bytes', 'total s', 'CPU s here', 'waited s',
           'device busy s', 'total x', 'CPU x', 'expanded/state', 'read B/state', 'written B/state',
           'flash B/state', 'full/partial/late', 'remark']


class CardShares(Shares):
    """Runs on one simulated device. The wall time of a run is that of the virtual clock."""

    def __init__(self, bench, profile, program):
        super().__init__(bench, f'device-table {profile}')
        self.profile, self.program = profile, program
        self.floor = bench.options.floor

    def check(self, model, engine, ram, options=(), seconds=None, group=None):
        run = run_once([self.program, model, engine, str(ram), self.profile,
                        f'{self.bench.options.cpu_factor:g}', f'{seconds or 0:g}'],
                       timeout=REAL_TIMEOUT_S)
        try:
            stats = json.loads(run.out)
        except ValueError:
            run.result = {'message': run.err.strip()[-200:]}
            return run
        run.wall, run.cpu = stats['total_s'], stats['cpu_s']
        run.result = {'complete': stats['complete'], 'stats': stats,
                      'reason': None if stats['reason'] == 'none' else stats['reason']}
        return run

    def fixed_part(self, model):
        if model not in self.fixed:
            run = self.check(model, 'ram', PLAN_RAM, seconds=1e-9)
            if 'stats' not in run.result:
                raise Missing(f'{run.line}: exit {run.code}, {run.err.strip()[-300:]}')
            self.fixed[model] = run.result['stats']['fixed_bytes']
        return self.fixed[model]

    def finish(self):
        self.unlimited = ''  # there is no page cache
        super().finish()


def line(cell):
    row = cell.first
    return [row['engine'], share_text(row), row['ram'], row['share_bytes'], cell['wall_s'],
            cell['cpu_s'], cell['waited_s'], cell['device_s'], times(cell, 'wall_s'),
            times(cell, 'cpu_s'), *(cell.per_state(name) for name in
                                    ('expansions', 'bytes_read', 'bytes_written', 'flash_written')),
            detections(row), remark(cell)]


def base_line(base):
    row = base.first
    return ['ram', 'all', row['ram'], row['table_bytes'], base['wall_s'], base['cpu_s'], 0.0, 0.0,
            '1.00', '1.00', 1.0, 0.0, 0.0, 0.0, None, '']


def measure(bench, shares, model, engines, wanted):
    cells, seen, base = {}, {}, None
    runs = [(engine, ()) for engine in engines]
    for percent in wanted:
        last, found = shares.block(model, percent, runs, seen)
        base = base or last
        cells.update({(pair[0], percent): cell for pair, cell in found.items()})
    first = base.first
    lines = [base_line(base)]
    lines += [line(cells[engine, percent]) for engine in engines for percent in wanted]
    bench.table(HEADERS, lines,
                f'{name_of(model)} on {shares.profile}: {first["states"]:,} states, '
                f'{first["levels"]:,} levels; RAM of ram {first["table_bytes"]:,} bytes')
    return cells


def run(bench):
    options = bench.options
    program = bench.make('engine_bench')
    engines = options.engines.split(',') if options.engines else ENGINES
    wanted = percents(options.percent or (QUICK_PERCENTS if bench.quick else PERCENTS))
    for profile in options.profiles.split(','):
        shares, found = CardShares(bench, profile, program), []
        for model in models(bench, QUICK_MODELS if bench.quick else MODELS):
            try:
                found.append(measure(bench, shares, model, engines, wanted))
            except Missing as missing:
                bench.note(str(missing))
        if not found:
            raise Missing('no model could be measured')
        summary(bench, f'{profile}, CPU {options.cpu_factor:g} times slower: slowdown against ram, '
                f'geometric means over {len(found)} models; wall is the virtual clock', found,
                engines, wanted)
        shares.finish()
        options.resume = bool(options.out)  # the next profile goes into the same file
