#!/usr/bin/env python3
"""A violation that was found stays found: runs with --full that are stopped later.

  found.py TOOL

Counters that count up, and a bad state among thousands of others: a run that is stopped behind it
says violated, with a replayed trace that is shortest, keeps its work directory where it has a
checkpoint (75), and goes on to the totals of an undisturbed run. The last line is 'N passed, N
failed'.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), os.pardir, 'oracle'))
from engines import chosen  # noqa: E402

# Where the path alone takes more expansions than lie between two looks at the clock.
TIMED = ['auto', 'explicit', 'mono', 'symbolic', 'part', 'ram --ram 512M', 'explicit --threads 2']
WITHOUT_CHECKPOINTS = {'ram', 'auto'}


# Behind the first levels: values without any order, so that sets of them are not closed soon.
MIXED = '''process M { state s; init s; trans
  s -> s { guard v[0] >= 9; effect x = (x + y * 7 + 1) % 251; },
  s -> s { guard v[0] >= 9; effect y = (y * 5 + z) % 251; },
  s -> s { guard v[0] >= 9; effect z = (z * 3 + x) % 251; }; }
'''


def counters(count, most, bad, error=False, more=''):
    """Processes that count to `most`; bad: the sum of the values where an assertion fails."""
    step = '{ guard v[%d] < %d; effect v[%d] = v[%d] + 1; }'
    text = f'byte v[{count}]; byte g[2]; byte x; byte y; byte z;\n'
    for i in range(count):
        text += f'process P{i} {{ state s; init s; trans s -> s {step % (i, most, i, i)}; }}\n'
    share = [bad // count + (i < bad % count) for i in range(count)]
    there = ' && '.join(f'v[{i}] == {n}' for i, n in enumerate(share))
    text += f'process Q {{ state s; init s; assert s: not ({there}); trans'
    # Out of a state of the same level that is met before.
    other = ' && '.join(f'v[{i}] == {n}' for i, n in enumerate([bad] + [0] * (count - 1)))
    if error: text += f' s -> s {{ guard {other}; effect g[v[0] + 5] = 1; }},'
    return text + ' s -> s { guard false; }; }\n' + more + 'system async;\n'


def ask(command, folder, kill_after=None):
    """Exit status and JSON of a run."""
    out = os.path.join(folder, 'out.json')
    if os.path.exists(out): os.remove(out)
    run = subprocess.Popen(command + ['-q', '--json', out], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    if kill_after:
        time.sleep(kill_after)
        run.send_signal(signal.SIGTERM)
    text = run.communicate(timeout=120)[0]
    with open(out) as f: return run.returncode, json.load(f), text


def judge(code, result, text, want, steps, engine):
    """What is wrong with a run that was stopped: sentences."""
    wrong, trace = [], result['trace'] or {}
    if code != want or result['exit'] != code: wrong.append(f'exit {code}, not {want}')
    if result['verdict'] != 'violated': wrong.append(f"verdict {result['verdict']}")
    if result['kind'] != 'assertion' and engine != 'part': wrong.append(f"kind {result['kind']}")
    if result['complete'] is not False: wrong.append('complete')
    if result['reason'] not in ('time-limit', 'states-limit', 'signal'):
        wrong.append(f"reason {result['reason']}")
    if trace.get('replayed') is not True: wrong.append('no replayed trace')
    elif engine != 'part' and (trace['prefix'] != steps or trace['minimal'] is not True):
        wrong.append(f'trace {trace}, not {steps} steps')
    if ('xmc-lite resume' in text) != (want == 75): wrong.append('advice to resume')
    return wrong


def stop_by_states(tool, folder, engine, error):
    """Stopped at a number of states, then resumed to the end."""
    model, steps = os.path.join(folder, 'small.dve'), 12
    with open(model, 'w') as f: f.write(counters(3, 12, steps, error))
    work = os.path.join(folder, 'w')
    check = [tool, model, '--full', '--reduce', 'off', '--engine', engine, '--ram', '4M']
    check += ['--work', work]
    whole = ask(check, folder)[1]
    code, result, text = ask(check + ['--states', '1500'], folder)
    want = 1 if engine in WITHOUT_CHECKPOINTS else 75
    wrong = judge(code, result, text, want, steps, engine)
    if want == 1: return wrong + (['work directory stays'] if os.path.exists(work) else [])
    if wrong: return wrong
    code, result, _ = ask([tool, 'resume', work, '--states', '1000000'], folder)
    if code != 1 or not result['complete']: wrong.append(f'resumed: exit {code}')
    for name in ('states', 'transitions', 'deadlocks', 'error_steps', 'bad_states', 'levels'):
        if result['stats'][name] != whole['stats'][name]: wrong.append(f'resumed: other {name}')
    if result['trace'] != whole['trace'] and engine != 'part': wrong.append('resumed: other trace')
    if os.path.exists(work): wrong.append('resumed: work directory stays')
    return wrong


def stop_by_time(tool, folder, engine):
    """Stopped by the clock, and once more by a signal when it goes on."""
    model, steps = os.path.join(folder, 'large.dve'), 10
    with open(model, 'w') as f: f.write(counters(6, 25, steps, more=MIXED))
    work, name = os.path.join(folder, 'w'), engine.split()[0]
    check = [tool, model, '--full', '--engine', *engine.split(), '--work', work]
    seconds = 3 if name == 'symbolic' else 1      # its rules take their time
    code, result, text = ask(check + ['--reduce', 'off', '--time', f'{seconds}s'], folder)
    want = 1 if name in WITHOUT_CHECKPOINTS else 75
    if name == 'auto' and code == 75: want = 75
    wrong = judge(code, result, text, want, steps, name)
    if wrong or want == 1: return wrong
    code, result, text = ask([tool, 'resume', work, '--time', '1h'], folder, seconds)
    # Sets may be stopped while their rules are made anew; then the kind is told, and no path yet.
    if name == 'symbolic' and (code, result.get('found')) == (75, 'assertion'): return []
    return judge(code, result, text, want, steps, name)


def main():
    tool = os.path.abspath(sys.argv[1])
    passed = failed = 0
    limited = chosen(tool, 'explicit,ram,safety,-cached')
    cases = [(stop_by_states, engine, error) for engine in limited for error in (False, True)]
    cases += [(stop_by_time, engine) for engine in TIMED]
    for case, *given in cases:
        with tempfile.TemporaryDirectory() as folder:
            try:
                wrong = case(tool, folder, *given)
            except (OSError, ValueError, subprocess.TimeoutExpired) as e:
                wrong = [repr(e)]
        passed += not wrong
        failed += bool(wrong)
        if wrong: print(f"FAIL {case.__name__} {given}: {'; '.join(wrong)}", flush=True)
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__': main()
