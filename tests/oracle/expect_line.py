#!/usr/bin/env python3
"""Fills in expectations with the oracle.

  expect_line.py FILE...

Every line '// expect?: [options "..."]' of the files becomes an expectation. Read the
result before you believe it: say in the comment of the model why the figures are right.
"""
import argparse
import re
import shlex
import sys

from dve_model import REPORT
from run_binary import Query, violations


def line_for(text, options):
    parser = argparse.ArgumentParser()
    for name in ('--errors', '--invariant', '--reach', '--deadlock'): parser.add_argument(name)
    parser.add_argument('--full', action='store_true')
    args = parser.parse_args(options)
    query = Query(args.errors or REPORT, True, args.invariant, args.reach)
    r = query.explore(text, 1_000_000)
    bad = violations(r, query)
    if args.deadlock == 'off': bad.pop('deadlock', None)
    kind = min(bad, key=lambda k: (bad[k] is None, bad[k])) if bad else None
    several = r.product and len(bad) > 1      # which one is met first depends on the engine
    out = ['verdict=violated'] + ([] if several else [f'kind={kind}']) if bad else ['verdict=holds']
    out += [f'states={r.states}', f'transitions={r.transitions}', f'levels={len(r.levels)}',
            f'deadlocks={r.deadlocks}']
    if r.product: out.append(f'accepting={r.accepting}')
    if kind == 'accepting-cycle' and not several:
        out += [f'prefix={r.lasso_prefix}', f'cycle={r.lasso - r.lasso_prefix}']
    elif bad and not several:
        out.append(f'prefix={bad[kind]}')
    return ' '.join(out + [f'exit={1 if bad else 0}'])


def main():
    for path in sys.argv[1:]:
        with open(path) as f: text = f.read()

        def fill(match):
            words = shlex.split(match.group(1))
            given = f' options "{words[1]}"' if words else ''
            return f'// expect:{given} {line_for(text, shlex.split(words[1]) if words else [])}'

        new = re.sub(r'^// expect\?:(.*)$', fill, text, flags=re.MULTILINE)
        if new != text:
            with open(path, 'w') as f: f.write(new)


if __name__ == '__main__': main()
