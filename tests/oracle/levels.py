#!/usr/bin/env python3
"""The levels of sets of states against those of states: --levels of `symbolic` and of `ram`.

  levels.py TOOL MODEL_OR_FOLDER...

Every row but its seconds has to be the same. Transitions may be left out where the result has
none. Models that `symbolic` refuses are passed over.
"""
import json
import os
import subprocess
import sys
import tempfile

UNSUPPORTED = 64
LEAST_MODELS = 30


def run(tool, folder, engine, model):
    """(exit status, result, rows without seconds)"""
    result, table = (os.path.join(folder, engine + s) for s in ('.json', '.csv'))
    done = subprocess.run(
        [tool, '-q', '--engine', engine, '--full', '--work', os.path.join(folder, 'w'),
         '--json', result, '--levels', table, model],
        capture_output=True, timeout=300, check=False)
    with open(result, encoding='utf-8') as file:
        known = json.load(file)
    if done.returncode == UNSUPPORTED:
        return done.returncode, known, []
    with open(table, encoding='utf-8') as file:
        return done.returncode, known, [row.rsplit(',', 1)[0].split(',') for row in file]


def without_transitions(row):
    return row[:2] + row[3:4]


def compare(tool, folder, model):
    """None: refused. Else what is wrong."""
    status, sets, rows = run(tool, folder, 'symbolic', model)
    if status == UNSUPPORTED:
        return None
    wanted_status, wanted, wanted_rows = run(tool, folder, 'ram', model)
    if status != wanted_status:
        return f'exit {status}, not {wanted_status}'
    if sets['stats']['levels'] != wanted['stats']['levels']:
        return f"levels {sets['stats']['levels']}, not {wanted['stats']['levels']}"
    if sets['stats']['transitions'] is None:
        rows, wanted_rows = ([without_transitions(r) for r in t] for t in (rows, wanted_rows))
    if rows != wanted_rows:
        first = next(p for p in zip(rows + [None], wanted_rows + [None]) if p[0] != p[1])
        return f'a row {first[0]}, not {first[1]}'
    return ''


def models_of(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from models_of(os.path.join(path, n) for n in sorted(os.listdir(path))
                                 if n.endswith(('.dve', '.m')))
        else:
            yield path


def main():
    tool = os.path.abspath(sys.argv[1])
    passed = failed = 0
    for model in models_of(sys.argv[2:]):
        with tempfile.TemporaryDirectory() as folder:
            wrong = compare(tool, folder, model)
        if wrong is None:
            continue
        passed += wrong == ''
        failed += wrong != ''
        if wrong:
            print(f'{model}: {wrong}')
    print(f'{passed} passed, {failed} failed')
    if passed < LEAST_MODELS:
        print(f'of {LEAST_MODELS} at least')
    sys.exit(1 if failed or passed < LEAST_MODELS else 0)


if __name__ == '__main__':
    main()
