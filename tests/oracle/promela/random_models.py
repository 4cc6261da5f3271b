#!/usr/bin/env python3
"""Random Promela models: the tool, the facts of its lowering, and SPIN beside the explorer.

  random_models.py EXPLORER [--tool XMC-LITE] [--facts CHECK_FACTS] [--spin] [--count 100]
                   [--seed 1] [--limit 2000] [--out DIR] [--jobs 1]

A model with more states than the limit is passed over. The tool must count the explorer's
states, transitions and deadlocks and come to its verdict; no value may lie outside the facts; SPIN,
where it is asked and installed, must count the same states and transitions, unless there are
run-time errors or a claim. Models that differ are kept in DIR. The last line is 'N compared, N with
SPIN, N differ'.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from multiprocessing import Pool

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from gen_promela import generate  # noqa: E402
from run_binary import call, scratch  # noqa: E402

VIOLATIONS = {'deadlock': 'deadlock', 'assertion': 'assertion', 'error': 'model-error',
              'claim-end': 'claim-end'}
REFUSED = 65


def explore(explorer, path, limit):
    """(exit status, figures, messages)"""
    run = subprocess.run([explorer, '--limit', str(limit), path], capture_output=True, text=True,
                         errors='replace', timeout=300)
    found = {k: int(v) for k, v in re.findall(r'(\S+)=(\d+)', run.stdout)}
    return run.returncode, found, run.stderr


def tool_differences(tool, path, status, found, claim):
    answer = call([tool, 'check'], path, ['--full'])
    if answer.result is None: return ['tool: exit %s, %s' % (answer.code, answer.errors[-300:])]
    stats = answer.stats()
    out = []
    # With a claim a search may end at a cycle, and stuck states are none of its business.
    figures = ['states', 'transitions'] + ([] if claim else ['deadlocks'])
    for name in figures if not (claim and status == 1) else []:
        if stats.get(name) != found[name]:
            out.append('%s: tool %s, explorer %s' % (name, stats.get(name), found[name]))
    verdict = answer.result.get('verdict')
    if verdict != ('violated' if status == 1 else 'holds'):
        out.append('verdict: tool %s, explorer %s' % (verdict, status))
    return out


def can_ask_spin(text, claim, found):
    """A trace of SPIN's looks for what is sent at the end, and for what is received at the
    beginning of the channel."""
    is_traced = re.search(r'^(no)?trace ', text, re.M) is not None
    return not claim and 'error' not in found and not (is_traced and re.search(r'!!|\?\?', text))


def spin_differences(path, found):
    """None: SPIN does not take the model."""
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        shutil.copy(path, os.path.join(folder, 'm.pml'))

        def run(*command):
            return subprocess.run(command, cwd=folder, capture_output=True, text=True,
                                  errors='replace', timeout=120)

        made = run('spin', '-a', '-o1', '-o2', '-o3', 'm.pml')
        if made.returncode != 0 or not os.path.exists(os.path.join(folder, 'pan.c')): return None
        if 'rror' in made.stdout: return None
        built = run('gcc', '-w', '-O0', '-DNOREDUCE', '-DSAFETY', '-o', 'pan', 'pan.c')
        if built.returncode != 0: return None
        text = run('./pan', '-m200000', '-c0', '-n').stdout
    numbers = re.search(r'(\d+) states, stored.*?(\d+) transitions', text, re.S)
    if not numbers or 'max search depth too small' in text: return None
    states, transitions = int(numbers.group(1)), int(numbers.group(2)) - 1
    if (states, transitions) == (found['states'], found['transitions']): return []
    return ['SPIN has %d states and %d transitions, the explorer %d and %d'
            % (states, transitions, found['states'], found['transitions'])]


def work(job):
    """(seed, what happened, differences)"""
    seed, options = job
    text, _, claim = generate(seed)
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        path = os.path.join(folder, 'random-%d.pml' % seed)
        with open(path, 'w') as file: file.write(text)
        try:
            status, found, messages = explore(options.explorer, path, options.limit)
        except subprocess.TimeoutExpired:
            return seed, 'large', []
        if status == REFUSED: return seed, 'refused', [] if not options.v else [messages]
        if status not in (0, 1): return seed, 'failed', ['explorer: %s %s' % (status, messages)]
        if not found['complete']: return seed, 'large', []
        out, spun = [], None
        if options.facts:
            run = subprocess.run([options.facts, '--limit', str(options.limit), path],
                                 capture_output=True, text=True, timeout=300)
            if run.returncode != 0: out.append('facts: %s %s' % (run.returncode, run.stdout))
        if options.tool: out += tool_differences(options.tool, path, status, found, claim)
        if options.spin and can_ask_spin(text, claim, found): spun = spin_differences(path, found)
        out += spun or []
        if out and options.out:
            os.makedirs(options.out, exist_ok=True)
            shutil.copy(path, options.out)
        return seed, 'spin' if spun is not None else 'compared', out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('explorer')
    parser.add_argument('--tool')
    parser.add_argument('--facts')
    parser.add_argument('--spin', action='store_true')
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--limit', type=int, default=2000)
    parser.add_argument('--out')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('-v', action='store_true', help='messages of models that are refused')
    options = parser.parse_args()
    if options.spin and not shutil.which('spin'):
        print('no SPIN here: it is not asked')
        options.spin = False
    counts, differ = {}, 0
    jobs = [(seed, options) for seed in range(options.seed, options.seed + options.count)]
    with Pool(options.jobs) as pool:
        for seed, what, wrong in pool.imap(work, jobs):
            counts[what] = counts.get(what, 0) + 1
            differ += bool(wrong) and what != 'refused'
            for line in wrong: print('seed %d: %s' % (seed, line.strip()), flush=True)
    spun = counts.get('spin', 0)
    compared = spun + counts.get('compared', 0)
    print('%d refused, %d too large' % (counts.get('refused', 0), counts.get('large', 0)))
    print('%d compared, %d with SPIN, %d differ' % (compared, spun, differ))
    # A generator that makes nothing to compare tests nothing.
    return differ != 0 or compared * 4 < options.count


if __name__ == '__main__':
    sys.exit(main())
