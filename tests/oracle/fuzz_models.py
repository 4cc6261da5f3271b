#!/usr/bin/env python3
"""Random models, checked by a binary and by the oracle: every difference is a failure.

  fuzz_models.py BINARY [--count 300] [--seed N] [--engines ram] [--out DIR] [--jobs 2]
                 [--checker-builder CMD [--every 20]]

Model seeds are consecutive numbers from --seed on; those with too few or too many states are passed
over. A failing seed S is run again alone with --seed S --count 1. Each failure is made smaller and
written to DIR (default: the current folder). With --checker-builder, CMD MODEL -o CHECKER builds a
checker for every n-th model, and that is asked the same questions. Engines that keep files get the
smallest --ram and are not asked about accepting cycles. The last line is 'N passed, N failed'.
"""
import argparse
import os
import random
import sys
import tempfile
from multiprocessing import Pool

from dve_explore import TooLarge
from dve_model import BEEM, REPORT, STOP, Model
from gen_model import generate
from engines import chosen, least_ram, of_cycles, of_safety
from run_binary import Query, build_checker, call, judge, scratch
from shrink import shrink

MAX_STATES = 3000


def pick(rng, text, expressions, initially):
    """An expression, if possible with this value initially: else there is nothing to search."""
    model = Model(text, False)
    good = [e for e in expressions if bool(model.state_function(e)(model.initial)) == initially]
    return rng.choice(good if good and rng.random() < 0.9 else expressions)


def questions(seed, text, expressions, binary, engines):
    """What is asked about a model: everything in full in all three modes, and some short runs."""
    rng = random.Random(f'questions {seed}')
    out = []
    for engine in engines:
        run = {'engine': engine, 'ram': least_ram(binary, engine.partition(':')[0])}
        out += [Query(mode, True, **run) for mode in (BEEM, STOP, REPORT)]
        out.append(Query(rng.choice([REPORT, REPORT, BEEM, STOP]), False, **run))
        mode = rng.choice([REPORT, BEEM, STOP])
        kind = rng.choice(['invariant', 'goal'])
        given = {kind: pick(rng, text, expressions, kind == 'invariant')}
        out.append(Query(mode, rng.random() < 0.4, **run, **given))
    return out


def wanted(seed, text):
    """Is the model worth a run? Small ones mostly are not. Raises TooLarge for the others."""
    r = Query(BEEM, True).explore(text, MAX_STATES)
    return r.states >= 5 or random.Random(f'keep {seed}').random() < 0.1


def compare(binary, command, model, text, asked):
    """(question, what is wrong) for each question that went wrong."""
    out, known = [], {}
    for query in asked:
        same = (query.errors, query.invariant, query.goal)   # for several engines
        if same not in known:
            try:
                known[same] = query.explore(text, 10 * MAX_STATES)
            except TooLarge:       # without its property a system may be much larger
                known[same] = None
        r = known[same]
        if r is None or query.engine in (of_safety if r.product else of_cycles)(binary): continue
        answer = call(command, model, query.options())
        # Of a property with variables or assignments of its own there are no sets.
        if query.engine == 'symbolic' and r.product and 'cannot take this model' in answer.errors:
            continue
        wrong = judge(answer, r, query)
        if wrong: out.append((query, wrong))
    return out


def work(job):
    """One seed: None if passed over, else failures (query, sentences, through a checker?)."""
    seed, binary, engines, builder = job
    text, expressions = generate(seed)
    try:
        if not wanted(seed, text): return None
    except TooLarge:
        return None
    asked = questions(seed, text, expressions, binary, engines)
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        model = os.path.join(folder, 'model.dve')
        with open(model, 'w') as f: f.write(text)
        out = [(q, w, False) for q, w in compare(binary, [binary, 'check'], model, text, asked)]
        if builder:
            checker, broken = build_checker(builder, model, folder)
            if broken: out.append((asked[0], [broken], True))
            else: out += [(q, w, True) for q, w in compare(binary, checker, None, text, asked)]
    return out


def smaller(binary, builder, seed, query, sentences):
    """The failing model, made small for this question: some sentence starts with the same word.

    builder: None unless the failing thing is a checker; each try then costs a compilation."""
    kinds = {s.split()[0] for s in sentences}

    def fails(text):
        try:
            r = query.explore(text, MAX_STATES)
        except (TooLarge, IndexError):
            return False
        with tempfile.TemporaryDirectory(dir=scratch()) as folder:
            model = os.path.join(folder, 'model.dve')
            with open(model, 'w') as f: f.write(text)
            command, broken = [binary, 'check'], ''
            if builder: command, broken = build_checker(builder, model, folder)
            if broken: return 'build' in kinds
            answer = call(command, None if builder else model, query.options(), 10)
            wrong = judge(answer, r, query)
        return any(w.split()[0] in kinds for w in wrong)

    return shrink(generate(seed)[0], fails, 240 if builder else 40)


def report(args, seed, failures, shrunk):
    for query, sentences, built in failures:
        by = 'checker' if built else 'binary'
        print(f"FAIL seed {seed} {by} {' '.join(query.options())}: {'; '.join(sentences)}",
              flush=True)
    if shrunk >= args.shrink: return shrunk
    query, sentences, built = failures[0]
    builder = args.checker_builder.split() if built else None
    text = smaller(os.path.abspath(args.binary), builder, seed, query, sentences)
    name = os.path.join(args.out, f'fuzz-{seed}.dve')
    with open(name, 'w') as f:
        f.write(f"// seed {seed}, options: {' '.join(query.options())}\n")
        f.write(f"// {'; '.join(sentences)}\n{text}")
    print(f'  made smaller: {name}', flush=True)
    return shrunk + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('binary')
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--engines', default='ram')
    parser.add_argument('--out', default='.')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--shrink', type=int, default=5, help='failures to make smaller')
    parser.add_argument('--checker-builder')
    parser.add_argument('--every', type=int, default=20)
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    binary = os.path.abspath(args.binary)
    engines = chosen(binary, args.engines)
    builder = args.checker_builder.split() if args.checker_builder else None
    passed = failed = shrunk = 0
    seed, batch = args.seed, 40
    print(f'seed {args.seed}', flush=True)
    with Pool(args.jobs) as pool:
        while passed + failed < args.count:
            if args.count == 1: batch = 1
            seeds = range(seed, seed + batch)
            jobs = [(s, binary, engines, None if (s - args.seed) % args.every else builder)
                    for s in seeds]
            for s, failures in zip(seeds, pool.imap(work, jobs)):
                if failures is None or passed + failed >= args.count: continue
                if failures:
                    failed += 1
                    shrunk = report(args, s, failures, shrunk)
                else:
                    passed += 1
            seed += batch
    print(f'last seed {seed - 1}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__': main()
