"""The bytecode machine against emitted code.

Models of a million states and more, so that start-up does not count; tests/models are too small
for that, the experiment `instructions` compares on some of them.
"""
import csv
import os

from lib import table
from lib.bench import BEEM_ALL, SEARCH_ALL, Missing
from lib.measure import in_turn

TARGET = 4.0
OWN = ['peterson.dve', 'philosophers.dve', 'window.dve']
STATES = (1_000_000, 10_000_000)
QUICK_BEEM = 2


def beem_models(bench):
    """Safety models of BEEM of the right size, as paths, the smallest first."""
    folder = bench.beem()
    if folder is None:
        bench.note('no BEEM models beside the project: own models only')
        return []
    with open(os.path.join(folder, 'truth.csv'), encoding='utf-8') as file:
        rows = [(int(row['states']), row['file']) for row in csv.DictReader(file)
                if row['states'].isdigit() and not row['expected']]
    found = [os.path.join(folder, name) for states, name in sorted(rows)
             if STATES[0] <= states <= STATES[1] and os.path.exists(os.path.join(folder, name))]
    return found[:QUICK_BEEM] if bench.quick else found


def compare(bench, model, options, repeat):
    name = os.path.basename(model)
    samples = in_turn({
        'vm': lambda: bench.complete(bench.vm(model), '2G', options),
        'emitted': lambda: bench.complete(bench.emitted(model), '2G', options)}, repeat)
    vm, emitted = samples['vm'], samples['emitted']
    counts = [(s.first.result['stats']['states'], s.first.result['stats']['transitions'])
              for s in samples.values()]
    if counts[0] != counts[1]:
        bench.target(f'{name}: same graph', False, f'VM {counts[0]}, emitted {counts[1]}')
    states, steps = counts[1]
    for label, sample in samples.items():
        bench.figure(f'{name}: {label}', sample.cpu * 1e9 / steps, 'ns/transition', sample.first)
    row = [name, states, steps, emitted.first.result['model']['state_bits'],
           table.seconds(vm.cpu), table.percent(vm.spread), table.seconds(emitted.cpu),
           table.percent(emitted.spread), vm.cpu * 1e9 / steps, emitted.cpu * 1e9 / steps,
           states / emitted.cpu, table.ratio(vm.cpu / emitted.cpu)]
    return row, vm.cpu / emitted.cpu, samples


def run(bench):
    rows, ratios, last = [], {}, None
    plan = [(bench.model(name), SEARCH_ALL, bench.repeat) for name in OWN]
    plan += [(model, BEEM_ALL, min(bench.repeat, 3)) for model in beem_models(bench)]
    for model, options, repeat in plan:
        try:
            row, ratio, last = compare(bench, model, options, repeat)
        except Missing as missing:
            bench.note(str(missing))
            continue
        rows.append(row)
        ratios[os.path.basename(model)] = ratio
    if not rows:
        raise Missing('no model could be measured')
    bench.table(['model', 'states', 'transitions', 'bits', 'VM CPU', 'spread', 'emitted CPU',
                 'spread', 'VM ns/tr.', 'emitted ns/tr.', 'emitted states/s', 'VM / emitted'], rows)
    bench.commands([(label, sample.first) for label, sample in last.items()])
    worst = max(ratios, key=ratios.get)
    over = sum(ratio > TARGET for ratio in ratios.values())
    bench.target('VM within 4x of emitted code', over == 0,
                 f'at worst {ratios[worst]:.2f}x ({worst}); '
                 f'{over} of {len(ratios)} over {TARGET:.0f}x')
