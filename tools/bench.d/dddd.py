"""dddd against part at 5% of the RAM, with 0, 2, 4 and 8 partial lengths (Evangelista, table 1).

The ratios of the paper stand beside ours by family; its instances were larger (142 to 972 million
states). The error of the forecast was 0.18 there.
"""
import statistics

from lib import rows
from lib.bench import Missing
from lib.shares import Shares, given_share, is_floored, models, name_of, percents

ON_REQUEST = True
REPEAT = 1
MODELS = ['anderson.6', 'at.3', 'bakery.5', 'brp.3', 'brp2.4', 'cambridge.5', 'elevator2.3',
          'lamport.6', 'leader_election.4', 'lifts.7', 'peterson.3', 'production_cell.5',
          'rether.4.prop6', 'szymanski.3', 'telephony.4', 'train-gate.5.prop2']
QUICK_MODELS = ['szymanski.3', 'rether.4.prop6', 'telephony.3']
LENGTHS = [0, 2, 4, 8]
# dddd over part by family, without and with 2, 4, 8 lengths.
PAPER = {'anderson': (.80, .28, .28, .28), 'bakery': (.65, .47, .47, .47),
         'brp2': (.20, .20, .21, .22), 'cambridge': (.62, .44, .28, .30),
         'elevator2': (1.16, .86, .85, .82), 'peterson': (.76, .71, .73, .77),
         'rether': (.07, .07, .07, .08), 'telephony': (1.01, .98, .95, .95),
         'train-gate': (.24, .24, .25, .31)}
PAPER_MEANS = (.60, .45, .45, .46)
PART = ('part', ())


def dddd(lengths):
    return ('dddd', ('--partial', str(lengths)))


def ratio(cell, to, what):
    """Of medians, with its mark: a stopped run is a lower bound, a stopped divisor an upper one."""
    if not cell.timed or not to.timed or None in (cell[what], to[what]) or not to[what]:
        return None
    if cell.bound and to.bound:
        return None
    return cell[what] / to[what], cell.bound or ('<' if to.bound else '')


def text(found):
    return None if found is None else f'{found[1]}{found[0]:.2f}'


def error(cell):
    value = cell['forecast_error_permille']
    return None if value is None else f'{value / 1000:.3f}'


def lines(model, base, cells):
    """One line by CPU and one by wall time."""
    name, first, part = name_of(model), base.first, cells[PART]
    given = 100 * given_share(part.first)
    out = []
    for label, what in (('CPU', 'cpu_s'), ('wall', 'wall_s')):
        out.append([name if label == 'CPU' else '', label, first['states'], first['levels'],
                    part.first['ram'], f'{given:.1f}%', base[what], part[what],
                    None if part.slowdown(what) is None
                    else f'{part.bound}{part.slowdown(what):.2f}',
                    *(text(ratio(cells[dddd(k)], part, what)) for k in LENGTHS)])
    return out


def detail(model, cells):
    name = name_of(model)
    paper = PAPER.get(name.split('.')[0], (None,) * len(LENGTHS))
    return [name,
            *(error(cells[dddd(k)]) for k in LENGTHS),
            *(cells[dddd(k)].per_state('expansions') for k in LENGTHS),
            *('-' if value is None else f'{value:.2f}' for value in paper)]


def means(bench, found, what, of):
    """Mean of the ratios over the families, as the paper has it, and the geometric one."""
    out = []
    for lengths in LENGTHS:
        pairs = [ratio(cells[dddd(lengths)], cells[PART], what) for cells in found]
        pairs = [pair for pair in pairs if pair is not None]
        if not pairs:
            out.append(None)
            continue
        values, marks = [value for value, _ in pairs], {mark for _, mark in pairs if mark}
        mark = marks.pop() if len(marks) == 1 else '~' if marks else ''
        mean = statistics.mean(values)
        out.append(f'{mark}{mean:.2f} ({mark}{rows.geometric(values):.2f})')
        bench.figure(f'dddd/part, --partial {lengths}, {what}, {of}{mark}', mean, 'x')
    return out


def mean_lines(bench, found):
    """Those of all families, and of those that had no more than their share."""
    exact = [cells for cells in found if not is_floored(cells[PART].first)]
    out = []
    for of, cells in (('all', found), ('not floored', exact)):
        for label, what in (('CPU', 'cpu_s'), ('wall', 'wall_s')):
            out.append([f'mean (geometric), {len(cells)} {of}' if label == 'CPU' else '', label,
                        *[None] * 7, *means(bench, cells, what, of)])
    out.append(['mean of the paper', 'wall', *[None] * 7,
                *(f'{value:.2f}' for value in PAPER_MEANS)])
    return out


def run(bench):
    wanted = percents(bench.options.percent or '5')
    runs = [PART, *(dddd(k) for k in LENGTHS)]
    shares = Shares(bench, 'dddd')
    for percent in wanted:
        table, details, found = [], [], []
        for model in models(bench, QUICK_MODELS if bench.quick else MODELS):
            try:
                base, cells = shares.block(model, percent, runs)
            except Missing as missing:
                bench.note(str(missing))
                continue
            found.append(cells)
            table += lines(model, base, cells)
            details.append(detail(model, cells))
        if not found:
            raise Missing('no model could be measured')
        heads = [f'dddd k={k}' for k in LENGTHS]
        table += mean_lines(bench, found)
        bench.table(['model', 'time', 'states', 'levels', '--ram', 'in fact', 'ram s', 'part s',
                     'part/ram', *(head + '/part' for head in heads)], table,
                    f'dddd with k partial lengths, over part, at {percent}%')
        bench.table(['model', *(f'error k={k}' for k in LENGTHS),
                     *(f'exp/st k={k}' for k in LENGTHS), *(f'paper k={k}' for k in LENGTHS)],
                    details, 'error of the forecast, expansions per state; ratio in the paper')
    bench.note('> dddd was stopped by the time limit, < part was, ~ both happened; '
               'floored: the least --ram of 4M is more than the share')
    shares.finish()
