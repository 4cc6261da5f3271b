#!/usr/bin/env python3
"""Compares the reference explorer of Promela with known answers.

  explore_models.py EXPLORER FOLDER... [--limit N] [--only PART] [-v]

A folder has models and truth.csv, or models with their expectations in comments, in the form of
run_models.py. Rows of formulas are left out: the explorer has no automata of them. Prints what
differs, and ends with status 1 then.
"""
import argparse
import csv
import os
import re
import shlex
import subprocess
import sys

COUNTS = {'states': 'states', 'transitions': 'transitions', 'bfs_levels': 'levels',
          'deadlock_states': 'deadlocks', 'accepting_states': 'accepting'}
KINDS = {'deadlock': 'deadlock', 'assertion': 'assertion', 'model-error': 'error',
         'claim-end': 'claim-end', 'trace': 'trace', 'accepting-cycle': 'cycle'}
MARK = re.compile(r'^// expect:(.*)$', re.MULTILINE)


def rows_of(folder):
    """Rows in the form of truth.csv."""
    table = os.path.join(folder, 'truth.csv')
    if os.path.exists(table):
        with open(table, newline='') as file:
            return list(csv.DictReader(file))
    out = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith('.pml'):
            continue
        with open(os.path.join(folder, name)) as file:
            marks = MARK.findall(file.read())
        if not marks:
            raise SystemExit('%s: no expectation' % name)
        for mark in marks:
            words = shlex.split(mark)
            row = dict.fromkeys(list(COUNTS) + ['kind', 'verdict', 'expected', 'min_steps'], '')
            row.update(file=name, options=words[1] if words[0] == 'options' else '')
            for word in words[2 if words[0] == 'options' else 0:]:
                key, _, value = word.partition('=')
                names = {v: k for k, v in COUNTS.items()}
                row[names.get(key, {'prefix': 'min_steps'}.get(key, key))] = value
            out.append(row)
    return out


def property_of(row, text):
    """The option for the row, or None when it needs the automaton of a formula."""
    named = re.search(r'--property (\S+)', row['options'])
    name = named.group(1) if named else None
    if name in ('none', 'accept', 'progress'):
        return name
    bare = re.sub(r'/\*.*?\*/|//[^\n]*', '', text, flags=re.S)
    if name:
        return None if re.search(r'\bltl\s+' + name, bare) else name
    if re.search(r'\bltl\b', bare):
        return None
    return 'never_0' if re.search(r'\bnever\b', bare) else 'none'


def differences(row, found, status):
    if row['verdict'] == 'rejected':
        return [] if status == 65 else ['accepted']
    if status not in (0, 1):
        return ['refused']
    out = ['%s %s, not %s' % (name, found[name], row[column]) for column, name in COUNTS.items()
           if row[column] and found[name] != int(row[column])]
    kinds = [KINDS[kind] for kind in row['kind'].split('|') if kind in KINDS]
    if row['verdict'] == 'violated':
        steps = [found[kind] for kind in kinds if found.get(kind, 0) or kind == 'deadlock'
                 and 'deadlock' in found]
        if not steps:
            out.append('no ' + row['kind'])
        elif row['min_steps'] and min(steps) != int(row['min_steps']):
            out.append('%s steps, not %s' % (min(steps), row['min_steps']))
    # Who asks for cycles does not ask where executions end.
    asks_cycles = re.search(r'--property (accept|progress)\b', row['options'])
    if row['verdict'] == 'holds' and (found['cycle'] if asks_cycles else status != 0):
        out.append('violated')
    if row['expected'] and found['cycle'] != (row['expected'] == 'invalid'):
        out.append('cycle %s' % found['cycle'])
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('explorer')
    parser.add_argument('folders', nargs='+')
    parser.add_argument('--limit', type=int, default=100000)
    parser.add_argument('--only', default='')
    parser.add_argument('-v', action='store_true')
    options = parser.parse_args()
    rows = wrong = skipped = 0
    for folder in options.folders:
        for row in rows_of(folder):
            path = os.path.join(folder, row['file'])
            if options.only not in row['file']:
                continue
            with open(path, errors='replace') as file:
                name = property_of(row, file.read())
            size = row['states'] or row.get('spin_states') or '0'
            # The explorer takes a text as it stands, and has no expressions from outside.
            is_asked = re.search(r'--(?!property)', row['options']) is not None
            if name is None or int(size) > options.limit or is_asked:
                skipped += 1
                continue
            run = subprocess.run([options.explorer, '--property', name, '--limit',
                                  str(options.limit * 2), path], capture_output=True, text=True,
                                 errors='replace')
            found = {k: int(v) for k, v in re.findall(r'(\S+)=(\d+)', run.stdout)}
            rows += 1
            bad = differences(row, found, run.returncode)
            if bad:
                wrong += 1
                print('%s %s: %s' % (row['file'], row['options'], '; '.join(bad)))
            if bad and options.v:
                print(run.stdout + run.stderr)
    print('%d rows, %d differ, %d left out' % (rows, wrong, skipped))
    return wrong != 0 or rows == 0


if __name__ == '__main__':
    sys.exit(main())
