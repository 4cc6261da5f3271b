#!/usr/bin/env python3
"""A folder of models with the answers of the one that is given, and options that the models name.

  rumur_rows.py FOLDER NEW_FOLDER

Models of rumur's test suite say in a comment with which options they are to be run. What those say
about deadlocks is added to their rows. Rows of models that ask for a bound of the search are left
out: a search that ends there decides nothing here.
"""
import csv
import os
import re
import sys


def flags(path):
    with open(path, encoding='latin-1') as f:
        found = re.search(r"rumur_flags: *\[(.*)\]", f.read())
    return re.findall(r"'([^']*)'", found.group(1)) if found else []


def main():
    if len(sys.argv) != 3: sys.exit(__doc__)
    folder, target = map(os.path.abspath, sys.argv[1:])
    with open(os.path.join(folder, 'truth.csv'), newline='') as f: rows = list(csv.DictReader(f))
    kept = []
    for row in rows:
        words = flags(os.path.join(folder, row['file']))
        if '--bound' in words: continue
        if '--deadlock-detection' in words:
            how = words[words.index('--deadlock-detection') + 1]
            row['options'] = f"{row['options']} --deadlock {how}".strip()
        kept.append(row)
        place = os.path.join(target, row['file'])
        if not os.path.exists(place): os.symlink(os.path.join(folder, row['file']), place)
    with open(os.path.join(target, 'truth.csv'), 'w', newline='') as f:
        writer = csv.DictWriter(f, rows[0].keys())
        writer.writeheader()
        writer.writerows(kept)


if __name__ == '__main__': main()
