#!/usr/bin/env python3
"""Runs the guarded tool over bundled models: the guard must be armed and must not fire.

  heap_test.py --models DIR --tool GUARDED_TOOL --self GUARD_SELF_TEST [-- EMULATOR...]
"""
import argparse
import os
import subprocess
import sys
import tempfile

GUARD_FIRED = 97
VERDICTS = (0, 1, 2)
SUFFIXES = ('.dve', '.m', '.pml')
MODELS = 200  # runs are short; what is called behind the seal depends on the verdict


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=300)


def check_guard(emulator, program, failures):
    """The guard must let a quiet program pass and must catch each kind of call."""
    quiet = run(emulator + [program])
    if quiet.returncode != 0 or 'heap guard: sealed after' not in quiet.stderr:
        failures.append(f'guard self test: exit {quiet.returncode} without a call: {quiet.stderr}')
    for way in ('malloc', 'new', 'delete', 'libc'):
        done = run(emulator + [program, way])
        if done.returncode != GUARD_FIRED:
            failures.append(f'guard self test: {way} was not caught, exit {done.returncode}')


def check_tool(emulator, tool, model, options, failures, what='check'):
    with tempfile.TemporaryDirectory() as folder:
        command = emulator + [tool, what, '--ram', '32M', '--work', os.path.join(folder, 'w'),
                              '--json', os.path.join(folder, 'out.json')]
        if what == 'check':
            command += ['--report', os.path.join(folder, 'page.html')]
        command += options + [model]
        done = run(command)
    name = ' '.join([os.path.basename(model)] + options)
    if done.returncode == GUARD_FIRED:
        failures.append(f'{name}: {done.stderr.strip().splitlines()[-1]}')
        return False
    if done.returncode < 0 or done.returncode > 128:
        failures.append(f'{name}: exit {done.returncode}: cold code was called behind the seal?')
        return False
    if done.returncode not in VERDICTS:
        return False  # a model that is meant to be refused never reaches the seal
    if 'heap guard: sealed after' not in done.stderr:
        failures.append(f'{name}: exit {done.returncode}, but the arena was never sealed')
        return False
    return True


def main():
    cut = sys.argv.index('--') if '--' in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser()
    parser.add_argument('--models', required=True)
    parser.add_argument('--tool', required=True)
    parser.add_argument('--self', required=True, dest='guard')
    args = parser.parse_args(sys.argv[1:cut])
    emulator = sys.argv[cut + 1:]

    failures, runs = [], 0
    check_guard(emulator, args.guard, failures)
    models = sorted(os.path.join(folder, name)
                    for folder in (args.models, os.path.join(args.models, 'promela'))
                    for name in os.listdir(folder) if name.endswith(SUFFIXES))
    for model in models:
        if runs >= 2 * MODELS:
            break
        for options in ([], ['--full']):
            runs += check_tool(emulator, args.tool, model, options, failures)
    plans = [check_tool(emulator, args.tool, model, [], failures, 'plan') for model in models[:3]]
    if not all(plans):
        failures.append('a plan did not reach the seal')
    if runs < 2:
        failures.append(f'only {runs} runs reached the seal')
    for failure in failures:
        print(failure)
    print(f'{runs} runs without a heap call after the seal')
    sys.exit(1 if failures else 0)


main()
