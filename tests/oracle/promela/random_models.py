#!/usr/bin/env python3
"""Random Promela models: the tool, the facts of its lowering, and SPIN beside the explorer.

  random_models.py EXPLORER [--tool XMC-LITE] [--facts CHECK_FACTS] [--spin] [--count 100]
                   [--seed 1] [--limit 20000] [--out DIR] [--jobs 1] [--cc gcc] [-v]

A model with more states than the limit is passed over. The tool must count the explorer's
states, transitions and deadlocks and come to its verdict; no value may lie outside the facts. SPIN,
where it is asked and installed, must count the same states and transitions and come to the same
verdict: of the system without its claim; of the product with a never claim, where the system does
not stop; of acceptance cycles, with or without a claim; of cycles without progress. Behind
run-time errors its counts mean nothing, and only the verdict is compared; of a formula, the
tool's with SPIN's. Models that differ are kept in DIR. The last line is 'N compared, N with SPIN, N
differ'; before it stands how many of each question SPIN was asked, and why not.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from gen_wide import generate  # noqa: E402
from run_binary import call, scratch  # noqa: E402
from spin import Pan, Refused  # noqa: E402

REFUSED = 65
BAD = ('assertion', 'error', 'claim-end', 'trace')


class Case:
    """A model, what is known of it, and what was found."""

    def __init__(self, options, seed, path):
        self.options, self.seed, self.path = options, seed, path
        self.text, _, self.claim = generate(seed)
        with open(path, 'w') as file: file.write(self.text)
        self.wrong, self.asked, self.why = [], [], ''

    def differ(self, text): self.wrong.append(text)

    def explore(self, question):
        """(exit status, figures, messages)"""
        command = [self.options.explorer, '--limit', str(self.options.limit)]
        run = subprocess.run(command + question + [self.path], capture_output=True, text=True,
                             errors='replace', timeout=60)
        found = {k: int(v) for k, v in re.findall(r'(\S+)=(\d+)', run.stdout)}
        return run.returncode, found, run.stderr

    def run(self):
        """What happened, in a word."""
        status, found, messages = self.explore(['--property', 'none'])
        if status == REFUSED:
            self.why = messages
            return 'refused'
        if status not in (0, 1):
            self.differ('explorer: %s %s' % (status, messages))
            return 'failed'
        if not found['complete']: return 'large'
        if self.options.facts:
            command = [self.options.facts, '--limit', str(self.options.limit), self.path]
            run = subprocess.run(command, capture_output=True, text=True, timeout=60)
            if run.returncode != 0: self.differ('facts: %s %s' % (run.returncode, run.stdout))
        cases = [(['--property', 'none'], status, found, messages)] + self.with_cycles()
        for question, status, found, _ in cases:
            if self.options.tool: self.ask_tool(question, status, found)
        if self.options.spin: self.ask_spin(cases)
        return 'spin' if self.asked else 'compared'

    def with_cycles(self):
        """The same of what is asked beside the safety of the system."""
        questions = []
        if self.claim == 'never':
            questions.append(['--property', 'never_0'])
        elif self.claim is None:
            questions += [['--property', name] for name in ('accept', 'progress')
                          if name in self.text]
        out = [(question, *self.explore(question)) for question in questions]
        return [one for one in out if one[2].get('complete')]

    def ask_tool(self, question, status, found):
        answer = call([self.options.tool, 'check', '--reduce', 'off'] + question, self.path,
                      ['--full'])
        if answer.result is None:
            return self.differ('tool: exit %s, %s' % (answer.code, answer.errors[-300:]))
        # A search for cycles may end at one, and stuck states are none of its business.
        is_safety = question[1] == 'none'
        is_bad = any(kind in found for kind in BAD) or found['cycle'] > 0
        is_bad = is_bad or is_safety and found['deadlocks'] > 0
        for name in ['states', 'transitions'] + (['deadlocks'] if is_safety else []):
            stats = answer.stats()
            # The explorer has no product for progress.
            comparable = is_safety or not is_bad and question[1] != 'progress'
            # Whether who fails can move is left open.
            comparable = comparable and not ('error' in found and 'priority' in self.text)
            if comparable and stats.get(name) != found[name]:
                self.differ('%s %s: tool %s, explorer %s'
                            % (question[1], name, stats.get(name), found[name]))
        verdict = answer.result.get('verdict')
        if verdict != ('violated' if is_bad else 'holds'):
            self.differ('%s: tool %s, explorer %s' % (question[1], verdict, found))

    # --- SPIN ---

    def ask_spin(self, cases):
        # A trace of SPIN's looks for what is sent at the end, and for what is received at the
        # beginning of the channel.
        if re.search(r'^(no)?trace ', self.text, re.M) and re.search(r'!!|\?\?', self.text):
            self.why = 'trace of sorted or random messages'
            return
        try:
            with Pan(self.path, self.options.cc) as pan:
                for case in cases: self.ask_pan(pan, *case)
                if self.claim == 'ltl' and self.options.tool and 'error' not in cases[0][2] \
                        and '_nr_pr' not in self.text:
                    self.ask_formula(pan)
        except Refused as refused:
            self.why = str(refused)

    def ask_pan(self, pan, question, status, found, messages):
        name = question[1]
        # Beside a claim SPIN counts that as a process, too.
        if '_nr_pr' in self.text and name not in ('none', 'accept'): return
        # SPIN's trace is told of offers of a rendezvous that nobody takes: no verdict then.
        offers = re.search(r'^(no)?trace ', self.text, re.M) and '[0] of' in self.text
        if offers and (name != 'none' or 'error' in found): return
        if 'error' in found:
            # A compiler may leave out a division whose result nobody needs.
            if name == 'none' and 'zero' not in messages:
                self.same('error', bool(pan.first_violation()), True)
        elif name == 'none':
            states, transitions, errors = pan.safety()
            self.same('safety', (states, transitions, bool(errors) or bool(offers)),
                      (found['states'], found['transitions'], status == 1 or bool(offers)))
        elif name == 'progress':
            self.same(name, bool(pan.progress()), found['cycle'] > 0 or 'trace' in found)
        else:
            if name != 'accept' and not found['stuck']:
                self.same('product', pan.product()[:2], (found['states'], found['transitions']))
            is_bad = status == 1 if name != 'accept' else found['cycle'] or 'trace' in found
            self.same(name, bool(pan.cycles(name != 'accept')), bool(is_bad))

    def ask_formula(self, pan):
        answer = call([self.options.tool, 'check', '--reduce', 'off'], self.path, [])
        verdict = (answer.result or {}).get('verdict')
        self.same('ltl', 'violated' if pan.cycles(True) else 'holds', verdict)

    def same(self, what, spins, ours):
        self.asked.append(what)
        if spins != ours: self.differ('%s: SPIN %s, we %s' % (what, spins, ours))


def work(options, seed):
    """(seed, what happened, the case). Whatever happens to a program that is run, there is one."""
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        case = Case(options, seed, os.path.join(folder, 'random-%d.pml' % seed))
        try:
            what = case.run()
        except (subprocess.TimeoutExpired, OSError) as failure:
            what, case.why = 'large', str(failure)[:200]
        if case.wrong and options.out:
            os.makedirs(options.out, exist_ok=True)
            shutil.copy(case.path, options.out)
        return seed, what, case


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('explorer')
    parser.add_argument('--tool')
    parser.add_argument('--facts')
    parser.add_argument('--spin', action='store_true')
    parser.add_argument('--cc', default='gcc', help='what compiles pan (gcc; tcc is faster)')
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--limit', type=int, default=20000)
    parser.add_argument('--out')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('-v', action='store_true', help='why models were not compared')
    options = parser.parse_args()
    if options.spin and not (shutil.which('spin') and shutil.which(options.cc)):
        print('no SPIN here: it is not asked')
        options.spin = False
    counts, asked, differ = collections.Counter(), collections.Counter(), 0
    seeds = range(options.seed, options.seed + options.count)
    # Threads wait for programs: one that is killed is an answer like any other.
    with ThreadPoolExecutor(options.jobs) as pool:
        for seed, what, case in pool.map(lambda seed: work(options, seed), seeds):
            counts[what] += 1
            asked.update(set(case.asked))
            differ += bool(case.wrong)
            for line in case.wrong: print('seed %d: %s' % (seed, line.strip()), flush=True)
            if case.why and options.v: print('seed %d: %s: %s' % (seed, what, case.why), flush=True)
    compared = counts['spin'] + counts['compared']
    print('%d refused, %d too large' % (counts['refused'], counts['large']))
    print('SPIN was asked: ' + (', '.join('%s %d' % one for one in sorted(asked.items())) or '-'))
    print('%d compared, %d with SPIN, %d differ' % (compared, counts['spin'], differ))
    # A generator that makes nothing to compare tests nothing.
    return differ != 0 or compared * 4 < options.count


if __name__ == '__main__':
    sys.exit(main())
