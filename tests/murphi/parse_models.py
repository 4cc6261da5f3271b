#!/usr/bin/env python3
"""Parses the Murphi models of a collection with known answers.

  parse_models.py PARSE_MODEL FOLDER

FOLDER holds folders `murphi*` with models and truth.csv: file, verdict and perhaps state_bits. A
model is refused where its verdict is `rejected` and only there, and takes as many bits as the table
says. Models of a folder whose name ends in `rumur` are of that dialect. The last line is 'N passed,
N failed'.
"""
import csv
import glob
import os
import re
import subprocess
import sys

# These are refused for a wrong option in their first lines, not for their text.
WRONG_OPTION = {'bound-illegal.m'}
LOCATED = re.compile(r'^\S+:\d+:\d+: error: ', re.M)


def known_answers(folder):
    answers = {}
    with open(os.path.join(folder, 'truth.csv'), encoding='utf-8') as file:
        for row in csv.DictReader(file):
            answers.setdefault(row['file'], row)
    return answers


def judge(tool, folder, row):
    """What is wrong, or nothing."""
    dialect = ['--rumur'] if folder.endswith('rumur') else []
    done = subprocess.run([tool] + dialect + [os.path.join(folder, row['file'])],
                          capture_output=True, text=True, errors='replace', timeout=60,
                          check=False)
    refused = row['verdict'] == 'rejected' and row['file'] not in WRONG_OPTION
    if done.returncode != (65 if refused else 0):
        return f'exit {done.returncode}: {done.stderr[:400]}'
    if refused and not LOCATED.search(done.stderr):
        return 'refused without a place: ' + done.stderr[:400]
    bits = row.get('state_bits')
    if not refused and bits and f' {bits} bits' not in done.stdout:
        return f'{bits} bits expected: {done.stdout.strip()}'
    return ''


def main():
    tool, top = sys.argv[1:3]
    passed = failed = 0
    for folder in sorted(glob.glob(os.path.join(top, 'murphi*'))):
        for row in known_answers(folder).values():
            wrong = judge(tool, folder, row)
            passed += not wrong
            failed += bool(wrong)
            if wrong:
                print(f'{os.path.basename(folder)}/{row["file"]}: {wrong}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed or not passed else 0)


if __name__ == '__main__':
    main()
