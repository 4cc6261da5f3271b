"""Running a checker and judging its answer; shared by the fuzzer and the model runner."""
import json
import os
import subprocess
import tempfile

from dve_explore import explore
from dve_model import REPORT, Model

FIGURES = ['states', 'transitions', 'levels', 'deadlocks', 'accepting']
EXIT = {'holds': 0, 'violated': 1}


class Answer:
    """One run: exit status, JSON object or None, and what was printed to standard error."""

    def __init__(self, code, result, errors):
        self.code, self.result, self.errors = code, result, errors

    def stats(self): return (self.result or {}).get('stats') or {}
    def trace(self): return (self.result or {}).get('trace') or {}


def scratch():
    """A folder for work files: memory if there is such a file system, to save time."""
    return '/dev/shm' if os.access('/dev/shm', os.W_OK) else None


def call(command, model, options, timeout=60):
    """Runs command (a list) on a model file; model is None for a checker built from a model."""
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        out = os.path.join(folder, 'out.json')
        full = command + ['--work', os.path.join(folder, 'w'), '--json', out] + options
        if model: full.append(model)
        try:
            done = subprocess.run(full, capture_output=True, text=True, errors='replace',
                                  timeout=timeout)
        except subprocess.TimeoutExpired:
            return Answer(None, None, f'no answer in {timeout} s')
        result = None
        try:
            with open(out) as f: result = json.load(f)
        except (OSError, ValueError):
            pass
        return Answer(done.returncode, result, done.stderr)


def build_checker(builder, model, folder, options=()):
    """(command of a checker built from the model, message when that failed)."""
    checker = os.path.join(folder, 'checker')
    done = subprocess.run(builder + [model, '-o', checker, '--reduce', 'off', *options],
                          capture_output=True, text=True, errors='replace')
    return [checker], f'build failed: {done.stderr.strip()[-300:]}' if done.returncode else ''


class Query:
    """What is asked of a model as it is written; options() is the command line for it."""

    def __init__(self, errors=REPORT, full=False, invariant=None, goal=None, engine='ram',
                 ram=None):
        """engine: its name; 'ram:2' has two threads. ram: of --ram."""
        self.errors, self.full, self.ram = errors, full, ram
        self.engine, _, self.threads = (engine or '').partition(':')
        self.invariant, self.goal = invariant, goal

    def options(self):
        out = ['--engine', self.engine] if self.engine else []
        if self.ram: out += ['--ram', self.ram]
        if self.threads: out += ['--threads', self.threads]
        if self.full: out.append('--full')
        out += ['--errors', self.errors, '--reduce', 'off']
        if self.invariant: out += ['--invariant', self.invariant]
        if self.goal: out += ['--reach', self.goal]
        return out

    def explore(self, text, max_states):
        """The oracle's answer."""
        model = Model(text, not (self.invariant or self.goal))
        return explore(model, self.errors, self.invariant and model.state_function(self.invariant),
                       self.goal and model.state_function(self.goal), max_states)


def violations(r, query, assertions=None):
    """What counts as a violation: kind -> steps of the trace.

    assertions: whether they count; by default only when nothing else is asked for."""
    out = {}
    asked = query.invariant or query.goal
    if assertions is None: assertions = not (asked or r.product)
    if r.product:
        if r.accepting_cycle: out['accepting-cycle'] = r.lasso
    elif not asked and r.distance['deadlock'] is not None:
        out['deadlock'] = r.distance['deadlock']
    for kind in ('invariant', 'goal'):
        if r.distance[kind] is not None: out[kind] = r.distance[kind]
    if assertions and r.distance['assertion'] is not None:
        out['assertion'] = r.distance['assertion']
    if query.errors == REPORT and r.distance['error'] is not None:
        out['model-error'] = r.distance['error'] + 1
    return out


def judge(answer, r, query):
    """What is wrong with an answer: sentences that start with the name of the wrong thing."""
    if answer.result is None:
        last = (answer.errors.strip().splitlines() or [''])[-1]
        return [f'exit {answer.code} without JSON: {last[:160]}']
    wrong = judge_against(answer, r, query, violations(r, query))
    if not wrong or not (query.invariant or query.goal or r.product): return wrong
    # Whether a failed assertion counts beside a property, invariant or goal is left open: both
    # answers will do.
    return wrong if judge_against(answer, r, query, violations(r, query, True)) else []


def judge_against(answer, r, query, bad):
    result, wrong = answer.result, []
    if query.engine == 'cached' and result.get('reason') == 'collisions':
        return [] if answer.code == 2 else [f'exit {answer.code}, not 2']
    want = 'violated' if bad else 'holds'
    if result.get('verdict') != want:
        wrong.append(f"verdict {result.get('verdict')}, not {want} {sorted(bad)}")
    if answer.code != EXIT[want] or result.get('exit') != answer.code:
        wrong.append(f"exit {answer.code} (JSON {result.get('exit')}), not {EXIT[want]}")
    complete = result.get('complete')
    if (query.full or not bad) and complete is not True: wrong.append(f'complete {complete}')
    if complete is True: wrong += judge_figures(answer.stats(), r, query)
    if bad and result.get('verdict') == 'violated': wrong += judge_trace(answer, r, query, bad)
    return wrong


def judge_figures(stats, r, query):
    known = {'states': r.states, 'transitions': r.transitions, 'levels': len(r.levels),
             'deadlocks': r.deadlocks,
             'accepting': r.accepting if r.product else None}
    optional = {'levels'} if query.engine in ('part', 'symbolic', 'auto') else set()
    if query.engine in ('symbolic', 'auto') and r.distance['error'] is not None:
        optional.add('transitions')
    # Engines of products may leave some figures null.
    if r.product: optional = set(FIGURES) - {'states'}
    wrong = []
    for key, value in known.items():
        got = stats.get(key)
        if value is None or (got is None and key in optional): continue
        if got != value: wrong.append(f'{key} {got}, not {value}')
    return wrong


def judge_trace(answer, r, query, bad):
    trace, kind = answer.trace(), answer.result.get('kind')
    if kind not in bad: return [f'kind {kind}, not one of {sorted(bad)}']
    wrong = []
    if trace.get('replayed') is not True: wrong.append('replayed is not true')
    prefix, cycle = trace.get('prefix'), trace.get('cycle')
    if prefix is None or cycle is None: return wrong + [f'trace lengths {prefix} + {cycle}']
    if kind == 'accepting-cycle':
        if cycle < 1: wrong.append('cycle of no step')
        if r.lasso is not None and (prefix + cycle < r.lasso
                                    or (trace.get('minimal') and prefix + cycle != r.lasso)):
            wrong.append(f'lasso of {prefix} + {cycle} steps, the shortest has {r.lasso}')
        return wrong
    if cycle: wrong.append(f'cycle {cycle} in a safety trace')
    steps = bad[kind]
    if r.product or query.engine == 'part':   # not breadth-first: not the shortest trace
        if prefix < steps: wrong.append(f'prefix {prefix}, the shortest has {steps}')
        return wrong
    nearest = min(bad.values())
    if prefix != nearest: wrong.append(f'prefix {prefix} for {kind}, not the shortest of {bad}')
    if trace.get('minimal') is not True: wrong.append('minimal is not true')
    return wrong
