#!/usr/bin/env python3
"""Peak memory and start time, measured from outside with /usr/bin/time.

  rss.py BINARY MODELS

A child of this interpreter would inherit the interpreter's own peak; time(1) is small.
"""
import os
import subprocess
import sys
import tempfile
import time

TIME = '/usr/bin/time'
BUDGET_KIB = 32 << 10
SMALL_KIB = 6 << 10
START_SECONDS = 0.020


def peak_kib(binary, options):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'peak')
        work = ['--work', os.path.join(folder, 'w')]
        timed = [TIME, '-q', '-o', out, '-f', '%M', binary, 'check'] + work + options
        done = subprocess.run(timed, capture_output=True, timeout=300)
        with open(out) as file:
            return done.returncode, int(file.read().split()[-1])


def start_seconds(binary):
    best = 1.0
    for _ in range(20):
        begin = time.monotonic()
        done = subprocess.run([binary, 'version'], capture_output=True)
        best = min(best, time.monotonic() - begin)
        if done.returncode != 0:
            sys.exit(f'xmc-lite version: exit {done.returncode}')
    return best


def main():
    binary, folder = sys.argv[1], sys.argv[2]
    models = sorted(os.path.join(folder, name) for name in os.listdir(folder)
                    if name.endswith(('.dve', '.m')))
    failures, worst, smallest, runs = 0, 0, 1 << 30, 0
    for model in models:
        code, peak = peak_kib(binary, ['--ram', '32M', '--full', model])
        if code not in (0, 1):
            continue
        runs += 1
        worst, smallest = max(worst, peak), min(smallest, peak)
        if peak > BUDGET_KIB:
            failures += 1
            print(f'{model}: peak of {peak} KiB under --ram 32M')
    if runs == 0:
        sys.exit('no model could be checked')
    if smallest >= SMALL_KIB:
        failures += 1
        print(f'the smallest check takes {smallest} KiB, the limit is {SMALL_KIB}')
    start = start_seconds(binary)
    if start > START_SECONDS:
        failures += 1
        print(f'a start takes {start * 1000:.1f} ms, the limit is {START_SECONDS * 1000:.0f}')
    print(f'{runs} models: peak {smallest} to {worst} KiB under --ram 32M; '
          f'start {start * 1000:.1f} ms')
    sys.exit(1 if failures else 0)


main()
