#!/usr/bin/env python3
"""Random formulas on random models: what --ltl says must be what an evaluation without automata
says.

  fuzz_formulas.py BINARY [--count 300] [--seed N] [--engines ram,auto] [--jobs 2]

So must what --hoa and --never say with the automaton that the command ltl makes of the formula.
The oracle explores the model. A formula is then judged on its graph by guessing, in each state,
which of its subformulas X f and f U g are true: a step must agree with the guesses on both of its
ends, and a run with all f U g that it promises. (The rules are those of the definition; nothing is
simplified or translated.) Models with run-time errors or assertions that fail are passed over. A
failing seed S is run again alone with --seed S --count 1. The last line is 'N passed, N failed'.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
from multiprocessing import Pool

from dve_explore import TooLarge, components, explore
from dve_model import REPORT, Model, StepError
from gen_model import generate
from engines import of_cycles, of_safety
from run_binary import EXIT, call, scratch

MAX_STATES = 250
MAX_GUESSES = 5
FORMULAS = 4


def formula(rng, depth, count):
    """A tree over propositions 0 .. count - 1."""
    if depth == 0 or rng.random() < 0.12:
        if rng.random() < 0.05: return (rng.choice(['true', 'false']),)
        return ('p', rng.randrange(count))
    op = rng.choice(['!', '!', '&', '|', '->', 'X', 'F', 'F', 'G', 'G', 'U', 'U', 'R', 'W'])
    a = formula(rng, depth - 1, count)
    if op in '!XFG': return (op, a)
    return (op, a, formula(rng, depth - 1, count))


def text_of(f, texts):
    if f[0] == 'p': return f'"{texts[f[1]]}"'
    if len(f) == 1: return f[0]
    if len(f) == 2: return f'{f[0]} ({text_of(f[1], texts)})'
    return f'({text_of(f[1], texts)}) {f[0]} ({text_of(f[2], texts)})'


def core(f):
    """The same formula with !, &, X and U only."""
    op, parts = f[0], [core(part) for part in f[1:]] if f[0] != 'p' else []
    true = ('true',)
    if op == 'false': return ('!', true)
    if op in ('p', 'true'): return f
    if op == '|': return ('!', ('&', ('!', parts[0]), ('!', parts[1])))
    if op == '->': return ('!', ('&', parts[0], ('!', parts[1])))
    if op == 'F': return ('U', true, parts[0])
    if op == 'G': return ('!', ('U', true, ('!', parts[0])))
    if op == 'R': return ('!', ('U', ('!', parts[0]), ('!', parts[1])))
    if op == 'W':   # b R (a | b)
        either = ('!', ('&', ('!', parts[0]), ('!', parts[1])))
        return ('!', ('U', ('!', parts[1]), ('!', either)))
    return (op, *parts)


def guessed(f, out):
    """The subformulas X g and g U h of a core formula, inner ones first."""
    if f[0] != 'p':
        for part in f[1:]: guessed(part, out)
    if f[0] in 'XU' and f not in out: out.append(f)
    return out


def value(f, letter, guess):
    if f[0] == 'true': return True
    if f[0] == 'p': return letter[f[1]]
    if f[0] == '!': return not value(f[1], letter, guess)
    if f[0] == '&': return value(f[1], letter, guess) and value(f[2], letter, guess)
    return guess[f]


def violated(f, letters, edges, fair=None):
    """Whether some run of the graph does not satisfy the core formula f.

    fair: says of states and edges of the graph whether a run through all of them counts."""
    temporal = guessed(f, [])
    choices = [dict(zip(temporal, [bits >> i & 1 == 1 for i in range(len(temporal))]))
               for bits in range(1 << len(temporal))]
    nodes = [(s, c) for s in range(len(edges)) for c in range(len(choices))]
    number = {node: i for i, node in enumerate(nodes)}

    def agrees(s, c, t, d):
        here, there = choices[c], choices[d]
        for g in temporal:
            if g[0] == 'X':
                now = value(g[1], letters[t], there)
            else:
                now = (value(g[2], letters[s], here)
                       or (value(g[1], letters[s], here) and there[g]))
            if here[g] != now: return False
        return True

    reached, steps = {}, [[] for _ in nodes]
    todo = [(0, c) for c in range(len(choices)) if not value(f, letters[0], choices[c])]
    reached = set(todo)
    while todo:
        s, c = todo.pop()
        for t in set(edges[s]) or {s}:   # a deadlock goes on in its last state
            for d in range(len(choices)):
                if not agrees(s, c, t, d): continue
                steps[number[s, c]].append(number[t, d])
                if (t, d) in reached: continue
                reached.add((t, d))
                todo.append((t, d))
    comp = components(steps)
    kept, cyclic = {}, set()
    for i, (s, c) in enumerate(nodes):
        if (s, c) not in reached: continue
        if any(comp[j] == comp[i] for j in steps[i]): cyclic.add(comp[i])
        for g in temporal:
            if g[0] == 'U' and (not choices[c][g] or value(g[2], letters[s], choices[c])):
                kept.setdefault(comp[i], set()).add(g)
    promises = {g for g in temporal if g[0] == 'U'}
    bad = [k for k in cyclic if kept.get(k, set()) >= promises]
    if fair is None: return bool(bad)

    def has_fair_run(k):
        inside = [i for i, node in enumerate(nodes) if comp[i] == k and node in reached]
        taken = {(nodes[i][0], nodes[j][0]) for i in inside for j in steps[i] if comp[j] == k}
        return fair([nodes[i][0] for i in inside], taken)

    return any(has_fair_run(k) for k in bad)


def graph_of(text, expressions):
    """(letters by state, edges, texts of the propositions that have a value everywhere) or None."""
    model = Model(text, False)
    try:
        r = explore(model, REPORT, max_states=MAX_STATES)
    except TooLarge:
        return None
    if r.error_steps or r.distance['assertion'] is not None or r.states < 3: return None
    columns, texts = [], []
    for expression in expressions:
        try:
            columns.append([bool(model.state_function(expression)(s)) for s in r.order])
            texts.append(expression)
        except StepError:
            pass
    return (list(zip(*columns)), r.edges, texts) if texts else None


def work(job):
    """One seed: None if passed over, else what went wrong."""
    seed, binary, engines = job
    text, expressions = generate(seed)
    graph = graph_of(text, expressions)
    if graph is None: return None
    letters, edges, texts = graph
    rng, out = random.Random(f'formulas {seed}'), []
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        model = os.path.join(folder, 'model.dve')
        with open(model, 'w') as f: f.write(text)
        for _ in range(FORMULAS):
            tree = formula(rng, rng.choice([2, 3, 3, 4]), len(texts))
            if len(guessed(core(tree), [])) > MAX_GUESSES: continue
            want = 'violated' if violated(core(tree), letters, edges) else 'holds'
            # Formulas with X, and what else counts steps, are checked without leaving any out.
            jobs = [(engine, '--full') for engine in engines]
            jobs += [(engine, '--reduce=all') for engine in engines[:2]]
            for engine, how in jobs:
                options = ['--ltl', text_of(tree, texts), '--engine', engine, how]
                answer = call([binary, 'check'], model, options)
                wrong = judge(answer, want, binary, engine)
                if wrong: out.append(f'{options}: {wrong}')
            for form in ('hoa', 'never'):
                wrong = by_file(binary, model, text_of(tree, texts), form, want)
                if wrong: out.append(f'--{form} of {text_of(tree, texts)}: {wrong}')
    return out


def by_file(binary, model, formula_text, form, want):
    """The same through a file with the automaton of the counterexamples."""
    automaton = os.path.join(os.path.dirname(model), f'bad.{form}')
    made = subprocess.run([binary, 'ltl', '--negate', '--to', form, '-o', automaton, formula_text],
                          capture_output=True, text=True)
    if made.returncode: return f'ltl ends with {made.returncode}: {made.stderr[:300]}'
    options = [f'--{form}', automaton, '--reduce=all']
    return judge(call([binary, 'check'], model, options), want, binary, 'auto')


def judge(answer, want, binary, engine):
    if answer.result is None: return f'exit {answer.code}: {answer.errors[:300]}'
    result = answer.result
    # Each takes formulas of one kind only.
    if answer.code == 64 and engine in of_safety(binary) | of_cycles(binary): return ''
    # An automaton without edges is no product for sets.
    if engine == 'symbolic' and 'cannot take this model' in answer.errors: return ''
    if engine in of_safety(binary) and result.get('reason') == 'cycles-not-checked': return ''
    if result.get('verdict') != want: return f"{result.get('verdict')}, not {want}"
    if answer.code != EXIT[want]: return f'exit {answer.code}'
    if want == 'violated' and answer.trace().get('replayed') is not True: return 'not replayed'
    return ''


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('binary')
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--engines', default='ram,auto')
    parser.add_argument('--jobs', type=int, default=2)
    args = parser.parse_args()
    binary, engines = os.path.abspath(args.binary), args.engines.split(',')
    passed = failed = 0
    seed, batch = args.seed, 1 if args.count == 1 else 40
    print(f'seed {seed}', flush=True)
    with Pool(args.jobs) as pool:
        while passed + failed < args.count:
            seeds = range(seed, seed + batch)
            for s, wrong in zip(seeds, pool.imap(work, [(s, binary, engines) for s in seeds])):
                if wrong is None or passed + failed >= args.count: continue
                failed += 1 if wrong else 0
                passed += 0 if wrong else 1
                for sentence in wrong: print(f'FAIL seed {s} {sentence}', flush=True)
            seed += batch
    print(f'last seed {seed - 1}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__': main()
