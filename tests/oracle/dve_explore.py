#!/usr/bin/env python3
"""Naive breadth-first explorer for DVE, the oracle of the model tests. Prints one JSON object.

  dve_explore.py MODEL [--errors report|beem|stop] [--invariant E] [--reach E] [--no-property]
                 [--max-states N] [--path deadlock|assertion|invariant|goal|error] [--no-lasso]
"""
import argparse
import json
import sys

from dve_model import BEEM, REPORT, STOP, Model, StepError
from dve_syntax import ModelRejected


class TooLarge(Exception):
    pass


class Result:
    """What an exploration found. Distances are None when the thing does not occur."""

    def __init__(self):
        self.states = self.transitions = self.deadlocks = self.error_steps = self.accepting = 0
        self.levels = []                 # states per level
        self.distance = {'deadlock': None, 'assertion': None, 'invariant': None, 'goal': None,
                         'error': None}
        self.first = {}                  # kind -> state at that distance
        self.error_reached = False
        self.edges, self.order, self.depth, self.parent = [], [], [], []
        self.accepting_cycle = self.lasso = self.lasso_prefix = None   # lasso: all its steps
        self.product = False

    def found(self, kind, index):
        if self.distance[kind] is None:
            self.distance[kind], self.first[kind] = self.depth[index], index

    def figures(self):
        return {'states': self.states, 'transitions': self.transitions, 'levels': len(self.levels),
                'deadlocks': self.deadlocks, 'error_steps': self.error_steps,
                'accepting': self.accepting if self.product else None, 'per_level': self.levels,
                'deadlock_distance': self.distance['deadlock'],
                'assertion_distance': self.distance['assertion'],
                'invariant_distance': self.distance['invariant'],
                'goal_distance': self.distance['goal'],
                'error_distance': self.distance['error'], 'accepting_cycle': self.accepting_cycle,
                'shortest_lasso': self.lasso}


def holds(function, s):
    """A predicate given from outside; one that cannot be evaluated does not hold."""
    try:
        return bool(function(s))
    except StepError:
        return False


def explore(model, errors=REPORT, invariant=None, goal=None, max_states=200000, lasso=True):
    """Breadth-first search of everything. invariant and goal are functions of a state or None."""
    r = Result()
    r.product = model.property is not None
    number = {model.initial: 0}
    r.order, r.depth, r.parent, r.edges = [model.initial], [0], [None], [None]
    at = 0
    while at < len(r.order):
        s, depth = r.order[at], r.depth[at]
        if depth == len(r.levels): r.levels.append(0)
        r.levels[depth] += 1
        in_error = s[model.error_cell] == model.error_number
        if in_error:
            r.error_reached = True
        else:
            if model.asserts and model.assertion_fails(s): r.found('assertion', at)
            if invariant and not holds(invariant, s): r.found('invariant', at)
            if goal and holds(goal, s): r.found('goal', at)
        if r.product and s[model.property.location] in model.accepting: r.accepting += 1
        edges = []
        if not (in_error and errors == STOP):
            moves, steps = model.steps(s)
            if not moves:
                r.deadlocks += 1
                r.found('deadlock', at)
            for new, label in steps:
                if new is None:
                    r.error_steps += 1
                    r.found('error', at)
                    if errors == REPORT: continue
                    new = model.error_state
                new = tuple(new)
                index = number.get(new)
                if index is None:
                    index = number[new] = len(r.order)
                    r.order.append(new)
                    r.depth.append(depth + 1)
                    r.parent.append((at, label))
                    r.edges.append(None)
                edges.append(index)
        r.transitions += len(edges)
        r.edges[at] = edges
        at += 1
        if len(r.order) > max_states: raise TooLarge(f'more than {max_states} states')
    r.states = len(r.order)
    if r.product: find_cycles(model, r, lasso)
    return r


def components(edges):
    """Tarjan's strongly connected components without recursion: component number per state."""
    count = len(edges)
    order, low, comp = [None] * count, [0] * count, [None] * count
    stack, clock, groups = [], 0, 0
    for root in range(count):
        if order[root] is not None: continue
        work = [(root, 0)]
        while work:
            v, i = work.pop()
            if i == 0:
                order[v] = low[v] = clock
                clock += 1
                stack.append(v)
            descended = False
            for k in range(i, len(edges[v])):
                w = edges[v][k]
                if order[w] is None:
                    work.append((v, k + 1))
                    work.append((w, 0))
                    descended = True
                    break
                if comp[w] is None: low[v] = min(low[v], order[w])
            if descended: continue
            if low[v] == order[v]:
                while True:
                    w = stack.pop()
                    comp[w] = groups
                    if w == v: break
                groups += 1
            if work: low[work[-1][0]] = min(low[work[-1][0]], low[v])
    return comp


def find_cycles(model, r, lasso):
    comp = components(r.edges)
    cell = model.property.location
    accepting = [s[cell] in model.accepting for s in r.order]
    cyclic = set()
    for v, out in enumerate(r.edges):
        if any(comp[w] == comp[v] for w in out): cyclic.add(comp[v])
    bad = {comp[v] for v in range(r.states) if accepting[v] and comp[v] in cyclic}
    r.accepting_cycle = bool(bad)
    if not bad or not lasso: return
    starts = [v for v in range(r.states) if comp[v] in bad]
    best, work = None, 0
    for v in sorted(starts, key=lambda x: r.depth[x]):
        if best is not None and r.depth[v] + 1 >= best: break
        if work > 4_000_000: return        # too much work: unknown
        below = None if best is None else best - r.depth[v]
        length, cost = shortest_cycle(v, r.edges, comp, accepting, below)
        work += cost
        if length is not None: best, r.lasso_prefix = r.depth[v] + length, r.depth[v]
    r.lasso = best


def shortest_cycle(v, edges, comp, accepting, below):
    """Shortest cycle through v with an accepting state, if shorter than below; and the work."""
    seen, front, length, cost = {(v, accepting[v])}, [(v, accepting[v])], 0, 0
    while front:
        length += 1
        if below is not None and length >= below: return None, cost
        new = []
        for u, good in front:
            for w in edges[u]:
                cost += 1
                if comp[w] != comp[v]: continue
                if w == v and good: return length, cost
                key = (w, good or accepting[w])
                if key not in seen:
                    seen.add(key)
                    new.append(key)
        front = new
    return None, cost


def path(model, r, index):
    """Lines that show the way to a state."""
    steps = []
    while index is not None:
        back = r.parent[index]
        by = ' '.join(f'{t.process.name}:{t.line}' for t in back[1]) if back else 'initial'
        steps.append(f'{by:24} {model.show(r.order[index])}')
        index = back[0] if back else None
    return steps[::-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('model')
    parser.add_argument('--errors', choices=[REPORT, BEEM, STOP], default=REPORT)
    parser.add_argument('--invariant')
    parser.add_argument('--reach')
    parser.add_argument('--no-property', action='store_true')
    parser.add_argument('--no-lasso', action='store_true')
    parser.add_argument('--max-states', type=int, default=200000)
    parser.add_argument('--path', choices=['deadlock', 'assertion', 'invariant', 'goal', 'error'])
    args = parser.parse_args()
    try:
        with open(args.model, encoding='latin-1') as f: text = f.read()
        model = Model(text, not (args.no_property or args.invariant or args.reach))
        given = [e and model.state_function(e) for e in (args.invariant, args.reach)]
        r = explore(model, args.errors, given[0], given[1], args.max_states, not args.no_lasso)
    except ModelRejected as e:
        print(f'{args.model}:{e.line}: error: {e.message}', file=sys.stderr)
        sys.exit(65)
    except TooLarge as e:
        print(e, file=sys.stderr)
        sys.exit(2)
    print(json.dumps(r.figures()))
    if args.path and args.path in r.first: print('\n'.join(path(model, r, r.first[args.path])))


if __name__ == '__main__': main()
