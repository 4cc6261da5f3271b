#!/usr/bin/env python3
"""Compiles each header alone: it must include everything it uses.

  headers.py COMPILER
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ('include', 'platform', 'phf', 'src')
FLAGS = '''-std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wnon-virtual-dtor -Wold-style-cast -Werror -fno-exceptions -fno-rtti -D_FILE_OFFSET_BITS=64
    -D_TIME_BITS=64 -DXMC_VERSION="0" -Iinclude -Isrc -I.'''.split()


def headers():
    for folder in FOLDERS:
        for root, _, names in os.walk(os.path.join(TOP, folder)):
            for name in sorted(names):
                if name.endswith('.h'):
                    yield os.path.relpath(os.path.join(root, name), TOP)


def compile_alone(compiler, header):
    # Twice: a header without its guard fails on the second.
    text = f'#include "{header}"\n#include "{header}"\n'
    done = subprocess.run([compiler] + FLAGS + ['-x', 'c++', '-'], input=text, text=True, cwd=TOP,
                          capture_output=True)
    return done.returncode == 0, done.stderr


def main():
    found = list(headers())
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda header: compile_alone(sys.argv[1], header), found)
        for header, (good, message) in zip(found, results):
            if not good:
                failed += 1
                print(f'{header} does not compile alone:\n{message}')
    print(f'{len(found) - failed} headers compile alone, {failed} do not')
    sys.exit(1 if failed or not found else 0)


main()
