"""Emitted code against another tool, on the same graph: the table, and the target."""
from lib import table


def agree(bench, name, samples):
    """Every program must have seen the same graph."""
    counts = {}
    for label, sample in samples.items():
        found = sample.first.result
        stats = found.get('stats', found)
        counts[label] = (stats['states'], stats['transitions'])
    if len(set(counts.values())) > 1:
        bench.target(f'{name}: same graph', False, f'states and transitions differ: {counts}')
        return None
    return next(iter(counts.values()))


def compare(bench, name, samples, rival, shown, target, aim):
    """`samples` has 'emitted', the rival, and variants of it whose labels begin like its own."""
    counts = agree(bench, name, samples)
    if counts is None:
        return
    states, steps = counts
    ours = samples['emitted']
    rows = []
    for label, sample in samples.items():
        rows.append([label, len(sample.runs), table.seconds(sample.cpu),
                     table.percent(sample.spread), table.seconds(sample.wall), states / sample.cpu,
                     steps / sample.cpu, table.mebibytes(sample.peak),
                     table.ratio(sample.cpu / ours.cpu)])
        bench.figure(f'{name}: {label}', states / sample.cpu, 'states/s', sample.first)
    bench.table(['program', 'runs', 'CPU', 'spread', 'wall', 'states/s', 'transitions/s',
                 'peak memory', 'emitted is faster by'], rows,
                f'{name}: {states:,} states, {steps:,} transitions, the same in all')
    bench.commands([(label, sample.first) for label, sample in samples.items()])
    gain = samples[rival].cpu / ours.cpu
    best = min(sample.cpu for label, sample in samples.items() if label.startswith(rival))
    bench.figure(f'{name}: ratio to {rival}', gain, 'x')
    text = f'{gain:.2f}x of {shown} (at least {target:g}x, aim {aim:g}x)'
    if best < samples[rival].cpu:
        text += f'; {best / ours.cpu:.2f}x of its fastest variant'
    bench.target(f'{name}: speed against {shown}', gain >= target, text)
