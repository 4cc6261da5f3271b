#!/usr/bin/env python3
"""The tables of engines of tools/bench, on a model that takes no time.

  bench_test.py BUILD_FOLDER

Runs the scripts as a user would and reads the CSV file they leave: every engine gives a row, an
interrupted table is completed without a second run, shares are what they should be. The arithmetic
of rows is checked on made-up ones.
"""
import csv
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCH = os.path.join(TOP, 'tools', 'bench')
sys.path.insert(0, os.path.join(TOP, 'tools', 'bench.d'))

import liveness  # noqa: E402  (the path comes first)
from lib import cycle_runs, rows, shares  # noqa: E402

# 64,000 states in 118 levels.
MODEL = '''byte a, b, c;
process P { state s; init s;
  trans s -> s { guard a < 39; effect a = a + 1; },
        s -> s { guard b < 39; effect b = b + 1; },
        s -> s { guard c < 39; effect c = c + 1; }; }
system async;
'''
STATES = 40 ** 3

# The same with a property, and c goes round: a may stay below 5 for ever, but is never above 19.
COUNTERS = (MODEL.replace('39', '19').replace('system async;\n', '')
            .replace('c = c + 1; };', 'c = c + 1; }, s -> s { guard c == 19; effect c = 0; };'))
PROPERTY = '''process Never { state q1, q2; init q1; accept q2;
  trans q1 -> q1 {}, q1 -> q2 { guard %s; }, q2 -> q2 { guard %s; }; }
system async property Never;
'''


def fail(text):
    sys.exit(f'bench_test: {text}')


def expect(value, wanted, what):
    if value != wanted:
        fail(f'{what}: {value!r}, expected {wanted!r}')


def bench(build, *arguments, status=0):
    done = subprocess.run([sys.executable, BENCH, '--build', build, '--no-build', '--no-group',
                           '--repeat', '1', *arguments], capture_output=True, text=True,
                          timeout=100, check=False)
    if done.returncode != status:
        fail(f'{" ".join(arguments)}: exit {done.returncode}, expected {status}\n'
             f'{done.stdout}\n{done.stderr}')
    return done.stdout


def read(path):
    with open(path, newline='', encoding='utf-8') as file:
        return list(csv.DictReader(file))


def made_up(**values):
    row = dict.fromkeys(rows.FIELDS)
    row.update(status=rows.COMPLETE, wall_s=4.0, cpu_s=3.0, base_wall_s=2.0, base_cpu_s=1.0,
               states=10, expansions=15)
    return row | values


def test_cells():
    cell = rows.Cell([made_up(), made_up(wall_s=6.0), made_up(wall_s=8.0)])
    expect(cell.slowdown('wall_s'), 3.0, 'median of slowdowns')
    expect(cell.slowdown('cpu_s'), 3.0, 'slowdown')
    expect(cell.per_state('expansions'), 1.5, 'expansions per state')
    expect(cell.per_state('detections'), None, 'a figure that is not there')
    expect((cell.status, cell.bound), (rows.COMPLETE, ''), 'status')
    shared = made_up(search_us=200, **{f'{name}_us': 0 for name in rows.PHASES})
    shared |= {'generation_us': 150, 'io_wait_us': 50, 'bytes_written': 30, 'payload_bytes': 20}
    expect(rows.Cell([shared]).split(), [75.0, 0, 0, 0, 0, 25.0, 0], 'percentages of the time')
    expect(rows.Cell([shared]).amplification(), 1.5, 'bytes written per payload')
    expect((cell.split(), cell.amplification()), (None, None), 'no times')
    late = rows.Cell([made_up(), made_up(status=rows.TIMEOUT)])
    expect((late.status, late.bound, late.timed), (rows.TIMEOUT, '>', True), 'a stopped run')
    gone = rows.Cell([made_up(), made_up(status=rows.UNDECIDED)])
    expect((gone.timed, gone.slowdown('cpu_s')), (False, None), 'an undecided run')
    expect(rows.geometric([2.0, 8.0]), 4.0, 'geometric mean')


def test_shares():
    table, fixed = 100_000_000, 2_000_000
    at_five = made_up(table_bytes=table, fixed_bytes=fixed, share_bytes=5_000_000, ram=7_000_000)
    expect((shares.is_floored(at_five), shares.given_share(at_five)), (False, 0.05), 'a share')
    at_one = at_five | {'share_bytes': 1_000_000, 'ram': 4 << 20}
    expect(shares.is_floored(at_one), True, 'the least --ram')
    expect(shares.percents('50,5.0,2.5'), ['50', '5', '2.5'], 'percentages')


def test_table(build, model, folder):
    out = os.path.join(folder, 'rows.csv')
    engines = 'mono,local,part,cached,disk,serial,hddd,dddd,diagram,auto'
    arguments = ['slowdown', '--models', model, '--engines', engines, '--percent', '50,5', '--out',
                 out]
    text = bench(build, *arguments)
    if 'geometric means' not in text or '0 differences' not in text:
        fail(f'no summary in\n{text}')
    found = read(out)
    names = engines.split(',')
    expect(len(found), 1 + 2 * len(names), 'rows')
    for row in found:
        expect((row['status'], row['states']), ('complete', str(STATES)), row['engine'])
        split = [float(row[name]) for name in rows.SPLIT]
        if not split[0] or sum(split[1:]) != split[0]:
            fail(f'the parts of the time are not the whole: {row}')
        if float(row['base_cpu_s']) <= 0 or (row['engine'] != 'ram' and row['ram'] != '4194304'):
            fail(f'a strange row: {row}')
    # Without --resume nothing is overwritten; with it a torn row is measured again, no other.
    bench(build, *arguments, status=2)
    with open(out, encoding='utf-8') as file:
        whole = file.read()
    with open(out, 'w', encoding='utf-8') as file:
        file.write(whole[:-20])
    bench(build, *arguments, '--resume')
    again = [row for row in read(out) if None not in row.values()]
    expect([row['engine'] for row in again[-1:]], [names[-1]], 'the completed row')
    expect(len(again), len(found), 'rows after completion')


def test_others(build, model, folder):
    for name in ('dddd', 'serial'):
        out = os.path.join(folder, name + '.csv')
        text = bench(build, name, '--models', model, '--percent', '30', '--out', out)
        if 'mean' not in text:
            fail(f'{name}: no mean in\n{text}')
        expect({row['status'] for row in read(out)}, {'complete'}, name)
    out = os.path.join(folder, 'devices.csv')
    bench(build, 'device-table', '--models', model, '--engines', 'dddd,diagram', '--percent', '200',
          '--floor', '0', '--out', out)
    found = {(row['experiment'], row['engine']): row for row in read(out)}
    expect(len(found), 6, 'rows of two devices')
    slow, fast = (found['device-table ' + name, 'dddd'] for name in ('a1', 'sata'))
    if not float(slow['device_s']) > float(fast['device_s']) > 0:
        fail(f'a card is not slower than an SSD: {slow["device_s"]} s, {fast["device_s"]} s')


def product(folder, name, guard):
    path = os.path.join(folder, name + '.dve')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(COUNTERS + PROPERTY % (guard, guard))
    return path


def test_cycle_figures():
    reach = made_up(search_us=1000, rest_us=200, cycles_us=0, transitions=100)
    row = made_up(search_us=1500, numbering_us=300, transitions=50)
    expect(cycle_runs.reach_us(reach), 800, 'breadth-first part')
    expect(cycle_runs.after_us(row, reach), 1100, 'without half of that part')
    expect(cycle_runs.search_us(row, reach), 800, 'and without numbering')
    expect(cycle_runs.after_us(row | {'search_us': 400}, reach), None, 'lost in noise')
    slow = rows.Cell([made_up(wall_s=4.0), made_up(wall_s=9.0), made_up(wall_s=8.0)])
    fast = rows.Cell([made_up(wall_s=2.0), made_up(wall_s=1.0), made_up(wall_s=2.0)])
    expect(cycle_runs.ratio(slow, fast, cycle_runs.wall), 4.0, 'median of the ratios')
    gone = rows.Cell([made_up(status=rows.UNDECIDED)])
    expect(cycle_runs.ratio(slow, gone, cycle_runs.wall), None, 'a ratio to nothing')


def test_cycle_verdicts():
    """Another verdict than the known one, and a lasso that cannot be, are found out."""
    runs = cycle_runs.CycleRuns.__new__(cycle_runs.CycleRuns)
    runs.truth, runs.verdicts, runs.unlike = {'m': ('violated', 7)}, {}, []
    good = made_up(engine='trim', options='--ram 1', verdict='violated', lasso_steps=9)
    for row in (good, good | {'engine': 'min-cex', 'lasso_steps': 7},
                good | {'verdict': 'unknown', 'lasso_steps': None}):
        runs.judge('m.dve', row)
    expect(runs.unlike, [], 'verdicts that are right')
    for change in ({'verdict': 'holds', 'lasso_steps': None}, {'lasso_steps': 6},
                   {'engine': 'min-cex'}, {'status': rows.FAILED}):
        runs.unlike = []
        runs.judge('m.dve', good | change)
        expect(len(runs.unlike), 1, f'{change}')


def test_cycles(build, folder):
    holds, violated = product(folder, 'holds', 'a > 19'), product(folder, 'violated', 'a < 5')
    out = os.path.join(folder, 'cycles.csv')
    arguments = ['cycles', '--models', f'{holds},{violated}', '--out', out]
    text = bench(build, *arguments)
    for number in range(1, 7):
        if f'\n{number}. ' not in text:
            fail(f'no table {number} in\n{text}')
    found = read(out)
    for name in ('holds', 'violated'):
        mine = [row for row in found if row['model'] == name]
        expect({row['status'] for row in mine}, {'complete'}, name)
        expect({row['verdict'] for row in mine if row['engine'] != 'diagram'}, {name}, name)
        expect({row['engine'] for row in mine},
               {'ram', 'diagram', 'double-dfs', 'min-cex', 'trim', 'iddfs'}, name)
        cached = [row for row in mine if '--phf-cache' in row['options']]
        expect(len(cached), 4, 'caches of a hash on flash')
    bench(build, *arguments, '--resume')
    expect(len(read(out)), len(found), 'rows after a second time')


def test_liveness(build, folder):
    """The quick form has products of the tree: all engines decide them, and ioemc is swept."""
    out = os.path.join(folder, 'liveness.csv')
    text = bench(build, 'liveness', '--quick', '--out', out, '--beem', folder)
    found = read(out)
    for name, verdict in (('peterson3-cs', 'holds'), ('peterson3-idle', 'holds'),
                          ('peterson3-0', 'violated')):
        # A plan that was refused is followed by one with the memory that it asked for.
        mine = [row for row in found if row['model'] == name and '--full' not in row['options']
                and row['status'] != 'refused']
        expect({row['verdict'] for row in mine}, {verdict}, name)
        expect({row['engine'] for row in mine}, {'ram', 'auto', 'trim', 'owcty', 'map',
               'double-dfs', 'iddfs', 'ioemc'}, name)
        asked = [row for row in mine if row['engine'] == 'ioemc']
        if not all(int(row['new_asked']) >= int(row['new_read']) >= 0 for row in asked):
            fail(f'questions of ioemc: {asked}')
    for option in ('--dd lhs --rho1 5', '--dd tiers --rho1 25', '--dd lhs --rho2 90'):
        if option not in text:
            fail(f'no sweep {option} in\n{text}')
    bench(build, 'liveness', '--models', 'nobody', status=2)


def test_murphi(build, folder):
    out = os.path.join(folder, 'murphi.csv')
    arguments = ['murphi-table', '--quick', '--ram', '5', '--out', out]
    if '0 differences' not in bench(build, *arguments):
        fail('murphi-table: no summary')
    found = read(out)
    expect({(row['model'], row['status'], row['states']) for row in found},
           {('linked_list.m', 'complete', '18776'), ('dense.m', 'complete', '16384')}, 'twins')
    expect(len(found), 2 * (1 + 2 * 5), 'rows of ram once, and of five engines at two budgets')
    bench(build, *arguments, '--resume')
    expect(read(out), found, 'rows after a second time')


def test_liveness_rows():
    """A run that was stopped says how far it came, one that was refused what it asked for."""
    stopped = rows.Cell([made_up(status=rows.TIMEOUT, limit_s=30, states=1234)])
    expect(liveness.answer(stopped, {'states': 5000}), '> 30 s, 1,234 states of 5,000', 'stopped')
    refused = made_up(status=rows.REFUSED, note='too small; at least --ram 9M is needed')
    expect(liveness.asked_for(refused), 9 << 20, 'what a plan asked for')
    expect(liveness.asked_for(made_up(note=refused['note'])), None, 'a run that was not refused')
    asked = rows.Cell([made_up(known_asked=1000, known_read=15, new_asked=0, new_read=0)])
    expect(liveness.without_read(asked, 'known'), '98.5%', 'questions without a read')
    expect(liveness.without_read(asked, 'new'), None, 'no questions')


def main():
    build = os.path.abspath(sys.argv[1])
    for name in ('slowdown', 'dddd', 'serial', 'threads', 'device-table', 'spin', 'cycles',
                 'liveness', 'murphi-table', 'promela'):
        if name not in bench(build, '--list'):
            fail(f'--list does not know {name}')
    test_cells()
    test_shares()
    test_cycle_figures()
    test_cycle_verdicts()
    test_liveness_rows()
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, 'counters.dve')
        with open(model, 'w', encoding='utf-8') as file:
            file.write(MODEL)
        test_table(build, model, folder)
        test_others(build, model, folder)
        test_cycles(build, folder)
        test_liveness(build, folder)
        test_murphi(build, folder)
    print('bench_test: ok')


if __name__ == '__main__':
    main()
