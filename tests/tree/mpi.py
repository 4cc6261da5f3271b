#!/usr/bin/env python3
"""The tool on several processes: the same answers as alone, one voice, and an end for all of them.

  mpi.py TOOL MPI_TOOL MODELS -- MPIEXEC...     the words that the number of processes follows
"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

failures = []


def expect(condition, message, shown=''):
    if not condition:
        failures.append(message)
        print(f'FAIL {message}\n{shown}')


def run(words, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=120, **more)
    return done.returncode, done.stdout, done.stderr


def result_of(words):
    if os.path.exists('r.json'): os.remove('r.json')
    code, out, err = run(words + ['--json', 'r.json'])
    with open('r.json', encoding='utf-8') as file: return code, json.load(file), out, err


def has_property(model):
    with open(model, encoding='utf-8') as file:
        return re.search(r'system +\w+ +property', file.read()) is not None


def check_owners(result, count, name):
    """The report of all processes adds up to the figures of the run."""
    owners = result['owners']
    if count == 1 or owners is None: return
    expect(owners['count'] == len(owners['each']) == count, f'{name}: owners', owners)
    for key in ('states', 'steps', 'sent_states', 'sent_bytes'):
        expect(owners[key] == sum(one[key] for one in owners['each']), f'{name}: {key}', owners)
    expect(owners['states'] == result['stats']['states'], f'{name}: states of owners', owners)
    expect(owners['steps'] == result['stats']['transitions'], f'{name}: steps of owners', owners)


def check_answers(tool, job, models):
    """Verdict, levels and a path of the same length. Which states the search has seen when a
    violation ends it depends on who shares it."""
    compared = 0
    for i, model in enumerate(models):
        options = ['--engine', ('ram', 'diagram')[i % 2], '--ram', '64M', model]
        code, alone, _, text = result_of([tool] + options)
        if code not in (0, 1): continue
        for count in (1, 2, 3):
            got, shared, _, err = result_of(job(count) + options)
            if got == 64 and 'cannot share' in err: break
            same = [(r['verdict'], r['kind']) for r in (alone, shared)]
            steps = [(r['trace'] or {}).get('prefix') for r in (alone, shared)]
            name = f'{os.path.basename(model)} on {count}'
            expect(got == code and same[0] == same[1] and steps[0] == steps[1],
                   f'{name}: {same} {steps} {code} {got}', text + err)
            if alone['complete']:
                expect(alone['stats']['levels'] == shared['stats']['levels'], f'{name}: levels')
                check_owners(shared, count, name)
            rss = shared['stats']['peak_rss']
            expect(rss <= 64 << 20, f'{name}: {rss} bytes of 64 MiB')
            compared += 1
    expect(compared > 20, f'{compared} runs were compared')


def check_cycles(tool, job, models):
    """Accepting cycles by owcty: the verdict of one process, and for any number of them one lasso,
    which was replayed. Engines that need all edges in one place say that they cannot."""
    compared = violated = 0
    for model in models:
        options = ['--engine', 'owcty', '--ram', '64M', '--full', model]
        code, alone, _, text = result_of([tool] + options)
        if code not in (0, 1): continue
        lassos = set()
        for count in (2, 3, 4):
            got, shared, _, err = result_of(job(count) + options)
            name = f'{os.path.basename(model)} by owcty on {count}'
            expect(got == code, f'{name}: {code} {got}', text + err)
            if got != code: continue
            for figure in ('states', 'transitions', 'levels', 'accepting', 'edges'):
                expect(alone['stats'][figure] == shared['stats'][figure], f'{name}: {figure}')
            trace = shared['trace'] or {'replayed': True}
            expect(trace['replayed'], f'{name}: not replayed', err)
            lassos.add((trace.get('prefix'), trace.get('cycle')))
            compared += 1
        expect(len(lassos) == 1, f'{os.path.basename(model)}: several lassos {lassos}')
        violated += code
    expect(compared > 20 and violated > 3, f'{compared} runs by owcty, {violated} violated')
    code, out, err = run(job(2) + ['--engine', 'trim', models[0]])
    expect(code in (2, 64) and "engine 'trim' cannot share" in err, 'trim on processes', err)


def check_one_voice(job, model):
    code, out, err = run(job(3) + ['--bogus', model])
    expect(code == 64 and err.count('--bogus') == 1, 'a wrong option is said once', err)
    code, out, err = run(job(3) + ['--engine', 'ram', 'missing.dve'])
    expect(code == 64 and err.count('missing.dve') == 1, 'a missing model is said once', err)
    code, out, err = run(job(3) + ['version'])
    expect(code == 0 and out.count('compiler') == 1, 'commands without a search run once', out)
    code, out, err = run(job(3) + ['--engine', 'ram', '--ram', '8M', model])
    expect(code == 2 and 'is the least' in err, 'too little memory for MPI', err)
    outputs = ['--trace', 't.vcd', '--report', 'p.html', '--levels', 'l.csv', '--json', 'r.json']
    code, out, err = run(job(3) + ['--engine', 'ram', '--ram', '64M', '--work', 'w', model] +
                         outputs)
    expect(code in (0, 1) and out.count('search ') == 1 and err.count('plan ') == 1, 'one voice',
           out + err)
    for name in ('p.html', 'l.csv', 'r.json'):
        expect(os.path.exists(name), f'{name} is written')
    expect(not os.path.exists('w'), 'the work directories are removed')


def race(rounds):
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, '../../ports/examples/race.dve'), encoding='utf-8') as file:
        text = file.read()
    with open('race.dve', 'w', encoding='utf-8') as file:
        file.write(re.sub('rounds = 1', f'rounds = {rounds}', text))
    return 'race.dve'


def processes_of(tool, folder):
    """Processes that run this tool in this folder, the oldest first."""
    found = []
    for path in glob.glob('/proc/[0-9]*'):
        try:
            if os.readlink(path + '/exe') == os.path.realpath(tool) and \
                    os.readlink(path + '/cwd') == os.path.realpath(folder):
                found.append(int(os.path.basename(path)))
        except OSError:
            pass
    return sorted(found)


def check_ends(tool, job):
    """A signal to any of them, a full table, or one that cannot begin ends all."""
    model = race(100)
    for victim in range(3):
        shutil.rmtree('w', ignore_errors=True)
        words = job(3) + ['--engine', 'ram', '--ram', '512M', '--work', 'w', model]
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        deadline = time.monotonic() + 30
        while len(processes_of(tool, '.')) < 3 and time.monotonic() < deadline: time.sleep(0.02)
        begun = [f'w/rank-{rank}/model.text' for rank in range(3)]
        while not all(map(os.path.exists, begun)) and time.monotonic() < deadline: time.sleep(0.02)
        time.sleep(0.2)
        os.kill(processes_of(tool, '.')[victim], signal.SIGTERM)
        out = child.communicate(timeout=60)[0]
        expect(child.returncode == 2 and out.count('not decided') == 1, f'signal to {victim}', out)
        expect(os.path.isdir('w/rank-1'), 'an undecided run leaves its directories')
    code, out, err = run(job(3) + ['--engine', 'ram', '--ram', '24M', '--work', 'v', model])
    expect(code == 2 and 'is full' in out + err, 'a full table', out + err)
    os.makedirs('u/rank-1')
    open('u/rank-1/mine', 'w', encoding='utf-8').close()
    code, out, err = run(job(3) + ['--engine', 'ram', '--ram', '64M', '--work', 'u', model])
    expect(code == 2 and 'process 1: u/rank-1' in err and 'process 2' not in err,
           'one that cannot begin', err)


def main():
    split = sys.argv.index('--')
    tool, mpi_tool, folder = (os.path.abspath(word) for word in sys.argv[1:split])
    mpiexec = sys.argv[split + 1:]

    def job(count):
        return mpiexec + [str(count), mpi_tool]

    models = sorted(glob.glob(os.path.join(folder, '*.dve')))
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        check_answers(tool, job, models)
        check_cycles(tool, job, [m for m in models if has_property(m)])
        check_one_voice(job, os.path.join(folder, 'peterson2.dve'))
        check_ends(mpi_tool, job)
        os.chdir('/')
    print(f'{len(failures)} failures')
    sys.exit(1 if failures else 0)


if __name__ == '__main__': main()
