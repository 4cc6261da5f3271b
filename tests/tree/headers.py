#!/usr/bin/env python3
"""Compiles each header alone: it must include everything it uses. The build itself has shown that
of headers with which a source file begins.

  headers.py COMPILER
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ('include', 'platform', 'phf', 'src')
FLAGS = '''-std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wnon-virtual-dtor -Wold-style-cast -Werror -fno-exceptions -fno-rtti -D_FILE_OFFSET_BITS=64
    -D_TIME_BITS=64 -DXMC_VERSION="0" -Iinclude -Isrc -I.'''.split()


FIRST_DIRECTIVE = re.compile(r'^#.*$', re.MULTILINE)


def files(ending):
    for folder in FOLDERS:
        for root, _, names in os.walk(os.path.join(TOP, folder)):
            for name in sorted(names):
                if name.endswith(ending):
                    yield os.path.relpath(os.path.join(root, name), TOP)


def begun_with():
    """Headers that the first directive of a source file includes."""
    found = set()
    for source in files('.cc'):
        with open(os.path.join(TOP, source), encoding='utf-8') as text:
            first = FIRST_DIRECTIVE.search(text.read())
        name = re.fullmatch(r'#include "(.*)"', first.group()) if first else None
        if name:
            found.update(os.path.join(folder, name.group(1)) for folder in ('include', 'src', ''))
    return found


def compile_alone(compiler, header):
    # Twice: a header without its guard fails on the second.
    text = f'#include "{header}"\n#include "{header}"\n'
    done = subprocess.run([compiler] + FLAGS + ['-x', 'c++', '-'], input=text, text=True, cwd=TOP,
                          capture_output=True)
    return done.returncode == 0, done.stderr


def main():
    begun = begun_with()
    every = list(files('.h'))
    found = [header for header in every if header not in begun]
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda header: compile_alone(sys.argv[1], header), found)
        for header, (good, message) in zip(found, results):
            if not good:
                failed += 1
                print(f'{header} does not compile alone:\n{message}')
    print(f'{len(found) - failed} headers compile alone, {failed} do not, '
          f'{len(every) - len(found)} begin a source file')
    sys.exit(1 if failed or not found else 0)


main()
