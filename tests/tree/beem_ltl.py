#!/usr/bin/env python3
"""Checks the LTL formulas of a BEEM collection with --ltl against the answers of its property
processes, which came from another translator.

  beem_ltl.py TOOL FOLDER [--engine NAME] [--ram SIZE] [--max-states N] [--timeout S] [--jobs N]

FOLDER has truth.csv with the columns file, states, expected, ltl_formula and ltl_aps, and the
models. With --max-states rows with more states are left out, and so are those without a figure.
The last line is 'N passed, N failed'.
"""
import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

EXIT = {'valid': 0, 'invalid': 1}


def formula_of(row):
    """The formula with its propositions as quoted expressions of the model."""
    texts = {}
    for one in filter(str.strip, row['ltl_aps'].split(';')):
        name, _, text = one.partition(':=')
        texts[name.strip()] = text.strip()
    # BEEM writes p1U(q) without blanks around the U.
    spaced = re.sub(r'(\w)U\(', r'\1 U (', row['ltl_formula'])
    words = re.compile(r'[A-Za-z_]\w*')
    return words.sub(lambda m: f'"{texts[m[0]]}"' if m[0] in texts else m[0], spaced)


def run(args, row):
    model = os.path.join(args.folder, row['file'])
    with tempfile.TemporaryDirectory(prefix='beem_ltl') as work:
        command = [args.tool, 'check', '-q', '--trace-style', 'none', '--ram', args.ram,
                   '--engine', args.engine, '--work', os.path.join(work, 'run'), '--ltl',
                   formula_of(row), model]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=args.timeout,
                                  check=False)
        except subprocess.TimeoutExpired:
            return f'no answer in {args.timeout} s'
    if done.returncode == EXIT[row['expected']]: return ''
    return f"exit {done.returncode}, but {row['expected']}: {(done.stderr or done.stdout)[:300]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tool')
    parser.add_argument('folder')
    parser.add_argument('--engine', default='auto')
    parser.add_argument('--ram', default='64M')
    parser.add_argument('--max-states', type=int)
    parser.add_argument('--timeout', type=int, default=600)
    parser.add_argument('--jobs', type=int, default=2)
    args = parser.parse_args()
    args.tool = os.path.abspath(args.tool)
    with open(os.path.join(args.folder, 'truth.csv'), newline='', encoding='utf-8') as f:
        rows = [row for row in csv.DictReader(f) if row['ltl_formula'] and row['expected'] in EXIT
                and (not args.max_states or int(row['states'] or 1 << 62) <= args.max_states)]
    failed = 0
    with ThreadPoolExecutor(args.jobs) as pool:
        for row, wrong in zip(rows, pool.map(lambda row: run(args, row), rows)):
            if not wrong: continue
            failed += 1
            print(f"{row['file']}: {row['ltl_formula']}: {wrong}", flush=True)
    print(f'{len(rows) - failed} passed, {failed} failed')
    return 1 if failed or not rows else 0


if __name__ == '__main__':
    sys.exit(main())
