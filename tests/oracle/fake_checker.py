#!/usr/bin/env python3
"""The oracle behind the command line of a checker, so that the runners can be tested without one.

  fake_checker.py [check] [--engine E] [--full] [--errors M] [--invariant E] [--reach E]
                  [--deadlock D] [--reduce off] --json FILE MODEL
  fake_checker.py version --json -

FAKE_BUG=transitions|commit|verdict makes it wrong on purpose: the runners must notice.
"""
import argparse
import json
import os
import sys

from dve_explore import explore
from dve_model import REPORT, Model
from dve_syntax import ModelRejected
from run_binary import Query, violations

BUG = os.environ.get('FAKE_BUG', '')


def main():
    words = sys.argv[1:]
    if words and words[0] == 'version':
        print(json.dumps({'engines': ['ram'], 'cycle_engines': []}))
        return
    if words and words[0] == 'check': words = words[1:]
    parser = argparse.ArgumentParser()
    parser.add_argument('model')
    for name in ('--engine', '--errors', '--invariant', '--reach', '--work', '--json',
                 '--deadlock', '--reduce'):
        parser.add_argument(name)
    parser.add_argument('--full', action='store_true')
    args = parser.parse_args(words)
    query = Query(args.errors or REPORT, args.full, args.invariant, args.reach, args.engine)
    with open(args.model, encoding='latin-1') as f: text = f.read()
    try:
        model = Model(text, not (args.invariant or args.reach))
        if BUG == 'commit': model.moves = [(cell, table, set()) for cell, table, _ in model.moves]
        given = [e and model.state_function(e) for e in (args.invariant, args.reach)]
    except ModelRejected as e:
        print(f'{args.model}:{e.line}:1: error: {e.message}', file=sys.stderr)
        sys.exit(65)
    r = explore(model, query.errors, given[0], given[1], 1_000_000)
    bad = violations(r, query)
    if args.deadlock == 'off': bad.pop('deadlock', None)
    if args.deadlock == 'stuck' and r.distance['deadlock'] is not None:
        bad['deadlock'] = r.distance['deadlock']
    code, trace, kind = (1 if bad else 0), None, None
    if BUG == 'verdict' and 'deadlock' in bad: code = 0
    if bad:
        kind = min(bad, key=lambda k: (bad[k] is None, bad[k]))
        cycle = 1 if kind == 'accepting-cycle' else 0
        # None: the shortest lasso is not known
        length = bad[kind] if bad[kind] is not None else 1000000
        trace = {'prefix': length - cycle, 'cycle': cycle, 'minimal': not cycle, 'replayed': True}
    stats = r.figures()
    if BUG == 'transitions' and r.distance['error'] is not None: stats['transitions'] += 1
    out = {'verdict': ['holds', 'violated'][code], 'kind': kind, 'complete': True, 'exit': code,
           'trace': trace,
           'stats': stats}
    if args.json:
        with open(args.json, 'w') as f: json.dump(out, f)
    sys.exit(code)


if __name__ == '__main__': main()
