#!/usr/bin/env python3
"""Compares the oracle with a table of known answers.

  check_beem.py FOLDER [--max-states N] [--jobs N]

FOLDER holds .dve files and truth.csv (file, states, transitions, bfs_levels, deadlock_states,
accepting_states, expected, min_lasso). Plain models are explored with the error state expanded, as
the published figures were.
"""
import argparse
import csv
import os
import sys
from multiprocessing import Pool

from dve_explore import explore
from dve_model import BEEM, Model


def number(cell):
    cell = (cell or '').replace(',', '').strip()
    return int(cell) if cell.isdigit() else None


def work(job):
    row, folder = job
    with open(os.path.join(folder, row['file']), encoding='latin-1') as f: text = f.read()
    r = explore(Model(text), BEEM, max_states=10_000_000)
    wrong = []
    pairs = [('states', r.states), ('transitions', r.transitions), ('bfs_levels', len(r.levels)),
             ('deadlock_states', r.deadlocks), ('error_transitions', r.error_steps)]
    if r.product: pairs.append(('accepting_states', r.accepting))
    for column, got in pairs:
        known = number(row.get(column))
        if known is not None and known != got: wrong.append(f'{column} {got}, not {known}')
    if row.get('expected') and (row['expected'] == 'invalid') != r.accepting_cycle:
        wrong.append(f"accepting cycle {r.accepting_cycle}, expected {row['expected']}")
    if row.get('min_lasso') and r.lasso is not None:
        known = sum(int(x) for x in row['min_lasso'].split('+'))
        if known != r.lasso: wrong.append(f'shortest lasso {r.lasso}, not {known}')
    return row['file'], wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    parser.add_argument('--max-states', type=int, default=30000)
    parser.add_argument('--jobs', type=int, default=2)
    args = parser.parse_args()
    with open(os.path.join(args.folder, 'truth.csv')) as f: rows = list(csv.DictReader(f))
    rows = [r for r in rows if number(r['states']) is not None
            and number(r['states']) <= args.max_states]
    passed = failed = 0
    with Pool(args.jobs) as pool:
        for name, wrong in pool.imap(work, [(r, args.folder) for r in rows]):
            if wrong:
                failed += 1
                print(f"FAIL {name}: {'; '.join(wrong)}", flush=True)
            else:
                passed += 1
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed or not passed else 0)


if __name__ == '__main__': main()
