#!/usr/bin/env python3
"""Runs a binary over model files that carry their expectations, and prints what differs.

  run_models.py BINARY FOLDER|FILE... [--engines a,b] [--jobs 2] [--timeout S]
                [--checker-builder CMD] [--also=OPTIONS]

Expectations stand in comments at the top of a model, one per run:
  // expect: [options "--errors beem"] verdict=violated kind=deadlock states=34 ... prefix=4 exit=1
Keys: verdict, kind, exit; the figures states, transitions, levels, deadlocks, accepting (these add
--full); prefix and cycle: exact for safety; for an accepting cycle their sum is the length of a
shortest lasso, which no answer may undercut and one called minimal must equal. line=N (with
exit=65): the message is FILE:N:COLUMN: error: ...
With --checker-builder, CMD MODEL -o CHECKER builds a checker for every model that is not refused
and can be compiled, and BINARY is not used for those. --also gives options to every run of an
accepted model. A model without any expectation is a failure.
The last line is 'N passed, N failed'.
"""
import argparse
import collections
import os
import re
import shlex
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import engines
from run_binary import EXIT, FIGURES, build_checker, call, scratch

# Engines that search for reachable states only, and those that look for accepting cycles only.
Kinds = collections.namedtuple('Kinds', 'safety cycles')
KEYS = {'verdict', 'kind', 'exit', 'prefix', 'cycle', 'line'} | set(FIGURES)
MARK = re.compile(r'^\s*(?://|--)\s*expect:(.*)$')


def expectations(path):
    """List of (options, {key: text}) of a model file."""
    out = []
    with open(path, encoding='latin-1') as f:
        for text in f:
            match = MARK.match(text)
            if not match: continue
            words, options, wanted = shlex.split(match.group(1)), [], {}
            if words[:1] == ['options']:
                options, words = shlex.split(words[1]), words[2:]
            for word in words:
                key, _, value = word.partition('=')
                if key not in KEYS or not value:
                    raise SystemExit(f'{path}: bad expectation {word!r}')
                wanted[key] = value
            out.append((options, wanted))
    return out


def rejected(answer, path, wanted):
    """Judges a run on a model that must be refused."""
    wrong = [] if answer.code == 65 else [f'exit {answer.code}, not 65']
    found = re.search('^' + re.escape(path) + r':(\d+):(\d+): error: \S', answer.errors,
                      re.MULTILINE)
    if not found:
        return wrong + [f'no FILE:LINE:COLUMN: error: message, but {answer.errors.strip()[:160]!r}']
    low, _, high = wanted.get('line', found.group(1)).partition('-')
    if not int(low) <= int(found.group(1)) <= int(high or low):
        wrong.append(f"line {found.group(1)}, not {wanted['line']}")
    return wrong


def judge(answer, path, engine, by_depth, wanted, formula=False):
    """What is wrong with one run, as a list of sentences. by_depth: of a product the engine may
    leave some figures null."""
    if wanted.get('exit') == '65': return rejected(answer, path, wanted)
    if answer.result is None:
        last = (answer.errors.strip().splitlines() or [''])[-1]
        return [f'exit {answer.code} without JSON: {last[:160]}']
    result, stats, trace, wrong = answer.result, answer.stats(), answer.trace(), []
    code = int(wanted.get('exit', EXIT.get(wanted.get('verdict'), answer.code)))
    if answer.code != code or result.get('exit') != answer.code:
        wrong.append(f"exit {answer.code} (JSON {result.get('exit')}), not {code}")
    for key in ('verdict', 'kind'):
        if key in wanted and str(result.get(key)) != wanted[key]:
            wrong.append(f'{key} {result.get(key)}, not {wanted[key]}')
    if code == 0 and result.get('complete') is not True: wrong.append('holds without complete')
    product = 'accepting' in wanted
    optional = {'levels'} if engine in ('part', 'symbolic', 'ioemc') else set()
    # Sets have steps of the system that are not erroneous, and no others, to count.
    if engine == 'symbolic' and (stats.get('error_steps') != 0 or formula):
        optional.add('transitions')
    if product and by_depth: optional = set(FIGURES) - {'states'}
    for key in FIGURES:
        if key in wanted and not (stats.get(key) is None
                                  and key in optional) and str(stats.get(key)) != wanted[key]:
            wrong.append(f'{key} {stats.get(key)}, not {wanted[key]}')
    if result.get('verdict') == 'violated':
        if trace.get('replayed') is not True: wrong.append('trace not replayed')
        wrong += trace_lengths(trace, engine, wanted)
    return wrong


def trace_lengths(trace, engine, wanted):
    prefix, cycle = int(wanted.get('prefix', -1)), int(wanted.get('cycle', 0))
    if prefix < 0: return []
    got = trace.get('prefix'), trace.get('cycle')
    if None in got: return [f'trace lengths {got}']
    if not cycle:
        if engine == 'part' and got[0] >= prefix: return []   # not breadth-first
        return [] if got == (prefix, 0) else [f'trace {got[0]} + {got[1]}, not {prefix} + 0']
    if got[1] < 1: return ['a lasso without a cycle']
    if sum(got) < prefix + cycle or ((trace.get('minimal') or engine == 'min-cex')
                                     and sum(got) != prefix + cycle):
        return [f'lasso of {got[0]} + {got[1]} steps, the shortest has {prefix + cycle}']
    return []


def fits_sets(path, text, options):
    """Sets have no canonical states, no counters of fairness, no property with variables or
    assignments of its own, and nothing in them has to be reached. A startstate that fails is no
    step of theirs, an automaton without edges no product. The last two are too irregular: they take
    minutes or gigabytes."""
    if re.search(r'property_(effect_after|locals)[.]dve$', path): return False
    if options in (['--ltl', 'true'], ['--ltl', 'false']) or '--fairness' in options: return False
    if not path.endswith('.m'): return True
    if 'scalarset' in text and options[-2:] != ['--symmetry', 'off']: return False
    if re.search(r'\b(cover|liveness)\b', text): return False
    return os.path.basename(path) not in {'start_error.m', 'dense.m', 'directory.m'}


def fits_promela(kinds, engine, text, options, wanted):
    """A claim or formula makes a product, unless it is ignored. Rules that make their own steps
    have no partial ones, so no sets."""
    if engine in {'live', 'symbolic'}: return False
    chosen = '--property' in options and options[options.index('--property') + 1]
    claims = re.search(r'^(never|ltl)\b', text, re.MULTILINE)
    product = chosen not in (False, 'none') or '--ltl' in options
    product |= bool(claims) and not chosen and not {'--invariant', '--reach'} & set(options)
    if not product: return engine not in kinds.cycles - kinds.safety
    if wanted.get('kind') in {'assertion', 'claim-end', 'model-error'}: return engine == 'ram'
    return engine not in kinds.safety - kinds.cycles


def can_answer(kinds, engine, path, options, wanted):
    """Engines that do not look for accepting cycles refuse products, and others all the rest.
    Searches by levels know liveness properties of Murphi, others do not."""
    with open(path, errors='replace') as f: text = f.read()
    live = path.endswith('.m') and re.search(r'^\s*(ruleset .*)?liveness\b', text, re.MULTILINE)
    if engine == 'live': return live
    # It ends with any violation.
    several = os.path.basename(path).startswith('error_beside_')
    if engine == 'part' and (several or '--minimal' in options): return False
    if path.endswith('.pml'): return fits_promela(kinds, engine, text, options, wanted)
    if engine == 'symbolic' and not fits_sets(path, text, options): return False
    if live and engine in {'part'} | kinds.cycles - {'ram', 'auto'}: return False
    if engine not in kinds.safety | kinds.cycles: return True
    if {'--invariant', '--reach'} & set(options): return engine in kinds.safety
    if '--property' in options: return engine in kinds.cycles
    if {'--ltl', '--hoa', '--never'} & set(options):
        # What holds under fairness would need a cycle not to.
        holds_fairly = '--fairness' in options and wanted.get('verdict') == 'holds'
        cycles = ('accepting' in wanted or wanted.get('kind') == 'accepting-cycle' or holds_fairly)
        return engine in (kinds.cycles if cycles else kinds.safety)
    product = re.search(r'\bsystem\s+async\s+property\b', text)
    return engine in (kinds.cycles if product else kinds.safety)


def models(paths):
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                if name.endswith(('.dve', '.m', '.pml')): yield os.path.join(folder, name)


BUILT_WITH = ('--property', '--define', '--max-procs')


def of_building(path, options):
    """Those that a checker of a Promela model is built with."""
    if not path.endswith('.pml'): return ()
    return tuple(word for i, word in enumerate(options)
                 if word in BUILT_WITH or i > 0 and options[i - 1] in BUILT_WITH)


def of_running(options):
    """Without those that a checker has of when it was built."""
    built = BUILT_WITH[1:]
    return [word for i, word in enumerate(options)
            if word not in built and not (i > 0 and options[i - 1] in built)]


def without_given(more, options):
    """Nothing is given twice."""
    if '--threads' not in options or '--threads' not in more: return more
    at = more.index('--threads')
    return more[:at] + more[at + 2:]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('binary')
    parser.add_argument('models', nargs='+')
    parser.add_argument('--engines', default='ram')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--timeout', type=int, default=120)
    parser.add_argument('--checker-builder')
    parser.add_argument('--also', default='')
    args = parser.parse_args()
    binary, jobs, failed, passed = os.path.abspath(args.binary), [], 0, 0
    kinds = Kinds(engines.of_safety(binary), engines.of_cycles(binary))
    asked = engines.chosen(binary, args.engines)
    for path in models(args.models):
        found = expectations(path)
        if not found:
            failed += 1
            print(f'FAIL {path}: no expectation')
        jobs += [(path, engine, options, wanted) for options, wanted in found
                 for engine in asked if can_answer(kinds, engine, path, options, wanted)]

    builder = args.checker_builder.split() if args.checker_builder else None

    checkers = {}

    def build(wanted):
        path, built_with = wanted
        folder = tempfile.mkdtemp(dir=folders)
        command, broken = build_checker(builder, path, folder, built_with)
        if 'cannot be compiled' not in broken: checkers[wanted] = command, broken

    def work(job):
        path, engine, options, wanted = job
        if set(wanted) & set(FIGURES) and '--full' not in options: options = options + ['--full']
        options = ['--engine', engine] + options
        if wanted.get('exit') != '65': options += without_given(args.also.split(), options)
        command, broken = checkers.get((path, of_building(path, options)), (None, None))
        if broken: return [broken]
        if command: options = of_running(options)
        answer = call(command or [binary, 'check'], None if command else path, options,
                      args.timeout)
        by_depth = engine in kinds.cycles | engines.OF_BOTH
        return judge(answer, path, engine, by_depth, wanted, '--ltl' in options)

    with tempfile.TemporaryDirectory(dir=scratch()) as folders, \
         ThreadPoolExecutor(args.jobs) as pool:
        if builder:
            accepted = {(path, of_building(path, options)) for path, _, options, wanted in jobs
                        if wanted.get('exit') != '65'}
            list(pool.map(build, sorted(accepted)))
        for (path, engine, options, _), wrong in zip(jobs, pool.map(work, jobs)):
            if wrong:
                failed += 1
                print(f"FAIL {path} {engine} {' '.join(options)}: {'; '.join(wrong)}", flush=True)
            else:
                passed += 1
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed or not passed else 0)


if __name__ == '__main__': main()
