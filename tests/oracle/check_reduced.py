#!/usr/bin/env python3
"""Compares reduced models with whole ones, over a folder of models with known sizes.

  check_reduced.py BINARY FOLDER [--reduce dead] [--engines ram,auto] [--max-states N] [--goals]
                   [--sizes] [--only GLOB] [--jobs N] [--ram SIZE] [--also OPTIONS]

FOLDER holds models and truth.csv (file, options, states, expected); with --goals reach.csv (file,
goal) says what to look for. Each row is checked with --reduce off and with the reduction: verdict,
kind and, where both call it shortest, the length of the counterexample have to be the same; no
reduced run may call a longer or shorter one shortest. Without a shortest one the trace has to be
replayed. --sizes explores everything instead, and prints the share of the states that is left.
The last lines are the geometric mean of the shares, how many rows were reduced and by what, and
'N passed, N failed'.
"""
import argparse
import csv
import fnmatch
import math
import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from engines import chosen, of_cycles, of_safety
from run_binary import call


def number(cell):
    cell = (cell or '').replace(',', '').strip()
    return int(cell) if cell.isdigit() else None


def length(answer):
    trace = answer.trace()
    return (trace.get('prefix') or 0) + (trace.get('cycle') or 0)


def compare(whole, reduced):
    """What is wrong, as a list of sentences."""
    if reduced.result is None or whole.result is None:
        return [f'exit {whole.code} and {reduced.code}: {reduced.errors.strip()[-160:]}']
    wrong = [f'{key} {reduced.result.get(key)}, not {whole.result.get(key)}'
             for key in ('verdict', 'kind', 'exit')
             if reduced.result.get(key) != whole.result.get(key)]
    if whole.result.get('verdict') not in ('holds', 'violated'): wrong.append('not decided')
    if reduced.result.get('verdict') == 'violated':
        if reduced.trace().get('replayed') is not True: wrong.append('trace not replayed')
        a, b = length(whole), length(reduced)
        if whole.trace().get('minimal') and (b < a or (reduced.trace().get('minimal') and a != b)):
            wrong.append(f'a trace of {b} steps, the shortest has {a}')
        # Run-time errors may be put off, and in a product whatever ends a run.
        if (whole.trace().get('minimal') and not reduced.trace().get('minimal')
                and not reduced.trace().get('cycle') and whole.result['kind'] != 'model-error'
                and whole.result['property']['kind'] not in ('buchi', 'ltl')):
            wrong.append('a path that is not shortest')
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('binary')
    parser.add_argument('folder')
    parser.add_argument('--reduce', default='dead')
    parser.add_argument('--engines', default='ram')
    parser.add_argument('--max-states', type=int, default=300000)
    parser.add_argument('--goals', action='store_true')
    parser.add_argument('--sizes', action='store_true')
    parser.add_argument('--only', default='*')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--ram', default='512M')
    parser.add_argument('--also', default='')
    args = parser.parse_args()

    def read(name):
        with open(os.path.join(args.folder, name), encoding='utf-8') as f:
            return list(csv.DictReader(f))
    rows = [r for r in read('truth.csv') if fnmatch.fnmatch(r['file'], args.only)
            and (number(r['states']) or args.max_states + 1) <= args.max_states]
    if args.goals:
        known = {r['file'] for r in rows}
        rows = [r for r in read('reach.csv') if r['file'] in known]
    binary = [os.path.abspath(args.binary), 'check', '--ram', args.ram] + args.also.split()

    def work(job):
        row, engine = job
        options = (row.get('options') or '').split() + ['--engine', engine]
        base = not row.get('expected') and not args.goals
        if args.goals:
            options += ['--reach', row['goal']]
            options += ['--errors', 'stop' if args.reduce == 'dead' else 'report']
        # Erroneous steps that lead on get in the way of all others.
        if base and row['file'].endswith('.dve'):
            options += ['--errors', 'beem' if args.reduce == 'dead' else 'report']
        if args.sizes: options.append('--full')
        path = os.path.join(args.folder, row['file'])
        whole, reduced = (call(binary, path, options + ['--reduce', word], 600)
                          for word in ('off', args.reduce))
        share = None
        if args.sizes and None not in (whole.result, reduced.result):
            share = reduced.stats()['states'] / whole.stats()['states']
        return compare(whole, reduced), whole, reduced, share

    jobs = [(r, e) for r in rows for e in chosen(args.binary, args.engines)
            if e not in (of_safety if r.get('expected') else of_cycles)(args.binary)]
    failed, shares, unlike, kinds = 0, {}, 0, Counter()
    with ThreadPoolExecutor(args.jobs) as pool:
        for (row, engine), (wrong, whole, reduced, share) in zip(jobs, pool.map(work, jobs)):
            if share is not None:
                shares.setdefault('product' if row.get('expected') else 'plain', []).append(share)
                print(f"{row['file']} {engine}: {whole.stats()['states']} to"
                      f" {reduced.stats()['states']} states, {share:.3f}", flush=True)
            kinds[((reduced.result or {}).get('reduction') or {}).get('kind')] += 1
            unlike += bool(whole.trace().get('minimal')) and not reduced.trace().get('minimal')
            if not wrong: continue
            failed += 1
            print(f"FAIL {row['file']} {row.get('goal') or ''} {engine}: {'; '.join(wrong)}",
                  flush=True)
    for kind, found in shares.items():
        mean = math.exp(sum(map(math.log, found)) / len(found))
        print(f'{kind}: {len(found)} models, {mean:.3f} of the states in the geometric mean')
    print(f'reduced by {dict(kinds)}')
    print(f'{unlike} counterexamples that are no longer called shortest')
    print(f'{len(jobs) - failed} passed, {failed} failed')
    sys.exit(1 if failed or not jobs else 0)


if __name__ == '__main__':
    main()
