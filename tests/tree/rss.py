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
SMALL_KIB = 6 << 10
START_SECONDS = 0.020
# Fifteen million states: more than any of the budgets below can hold.
LARGE = '''byte a, b, c;
process P { state s; init s;
  trans s -> s { guard a < 249; effect a = a + 1; },
        s -> s { guard b < 249; effect b = b + 1; },
        s -> s { guard c < 249; effect c = c + 1; }; }
system async;
'''
BUDGETS_MIB = (4, 8, 32, 48)
UNDECIDED = 2


def run(binary, ram_mib, model, *options):
    """(exit status, peak in KiB) of a full search."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'peak')
        done = subprocess.run(
            [TIME, '-q', '-o', out, '-f', '%M', binary, 'check', '--ram', f'{ram_mib}M', '--full',
             '--work', os.path.join(folder, 'w'), *options, model],
            capture_output=True, timeout=300)
        with open(out) as file:
            return done.returncode, int(file.read().split()[-1])


def check_small(binary, folder, wrong):
    """Bundled models stay in 32 MiB, most of them far below."""
    peaks = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(('.dve', '.m')):
            status, peak = run(binary, 32, os.path.join(folder, name))
            if status in (0, 1):
                peaks.append(peak)
    if not peaks:
        sys.exit('no model could be checked')
    peaks.sort()
    print(f'{len(peaks)} models: peak {peaks[0]} to {peaks[-1]} KiB under --ram 32M')
    if peaks[-1] > 32 << 10:
        wrong.append(f'a peak of {peaks[-1]} KiB under --ram 32M')
    if peaks[len(peaks) // 2] >= SMALL_KIB:
        wrong.append(f'a small check takes {peaks[len(peaks) // 2]} KiB, the limit is {SMALL_KIB}')


def check_large(binary, wrong):
    """A search that outgrows its budget stops at it: not above, and not far below."""
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, 'large.dve')
        with open(model, 'w') as file:
            file.write(LARGE)
        for budget in BUDGETS_MIB:
            status, peak = run(binary, budget, model, '--engine', 'ram')
            print(f'--ram {budget}M: exit {status}, peak {peak} KiB')
            if status != UNDECIDED:
                wrong.append(f'--ram {budget}M: exit {status}, not {UNDECIDED}')
            if peak > budget << 10:
                wrong.append(f'--ram {budget}M: peak of {peak} KiB')
            if budget >= 32 and peak < budget * 1024 * 3 // 4:
                wrong.append(f'--ram {budget}M: only {peak} KiB were used')


def check_start(binary, wrong):
    best = 1.0
    for _ in range(20):
        begin = time.monotonic()
        done = subprocess.run([binary, 'version'], capture_output=True)
        best = min(best, time.monotonic() - begin)
        if done.returncode != 0:
            wrong.append(f'xmc-lite version: exit {done.returncode}')
    print(f'start {best * 1000:.1f} ms')
    if best > START_SECONDS:
        wrong.append(f'a start takes {best * 1000:.1f} ms')


def main():
    wrong = []
    check_small(sys.argv[1], sys.argv[2], wrong)
    check_large(sys.argv[1], wrong)
    check_start(sys.argv[1], wrong)
    for message in wrong:
        print(f'wrong: {message}')
    sys.exit(1 if wrong else 0)


main()
