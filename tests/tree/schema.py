#!/usr/bin/env python3
"""Every kind of result and plan against its schema, and damaged ones against it, too.

  schema.py TOOL SCHEMAS MODELS

A result with a key missing or of another type has to fail, or the schema says nothing. A key that
the schema does not name has to be added to it. Needs python3-jsonschema.
"""
import copy
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import jsonschema

ENDLESS = '''byte a; byte b; byte c; byte d;
process P { state s; init s; trans s -> s { effect a = (a + 1) % 256; },
s -> s { effect b = (b + 1) % 256; }, s -> s { effect c = (c + 1) % 256; },
s -> s { effect d = (d + 1) % 256; }; }
system async;
'''
# 3^n states, of which 2^n are deadlocks.
MANY = 'process P%d { state s, a, b; init s; trans s -> a {}, s -> b {}; }\n'
KEPT = ['--engine', 'mono', '--work', 'kept']

# Exit status, verdict, kind or reason, and the command line: MODELS/ stands for the folder of the
# models. The lines run one after the other in one folder.
RUNS = [
    (0, 'holds', None, ['MODELS/peterson3.dve']),
    (0, 'holds', None, ['--engine', 'ram', 'MODELS/peterson3.dve']),
    (0, 'holds', None, ['--engine', 'dddd', '--keep', '--work', 'd', 'MODELS/peterson3.dve']),
    (0, 'holds', None, ['--reach', 'fork[0] == 7', 'MODELS/philosophers4.dve']),
    (0, 'holds', None, ['--deadlock', 'off', 'many100.dve']),
    (0, 'holds', None, ['--deadlock', 'off', '--engine', 'symbolic', 'many600.dve']),
    (1, 'violated', 'deadlock', ['MODELS/philosophers4.dve', '--trace', 'a.txt']),
    (1, 'violated', 'deadlock', ['MODELS/philosophers4.dve', '--full']),
    (1, 'violated', 'assertion', ['MODELS/assertion.dve']),
    (1, 'violated', 'invariant', ['--invariant', 'fork[0] < 1', 'MODELS/philosophers4.dve']),
    (1, 'violated', 'goal', ['--reach', 'fork[0] == 1', 'MODELS/philosophers4.dve']),
    (1, 'violated', 'model-error', ['MODELS/error_overflow.dve']),
    (1, 'violated', 'accepting-cycle', ['MODELS/lift_starves.dve']),
    (1, 'violated', 'accepting-cycle', ['--engine', 'ram', 'MODELS/lift_starves.dve']),
    (2, 'undecided', 'ram', ['--engine', 'ram', '--ram', '4M', 'endless.dve']),
    (2, 'undecided', 'states-limit', ['--engine', 'ram', '--states', '1000', 'endless.dve']),
    (2, 'undecided', 'signature',
     ['--engine', 'mono', '--signature', '64', '--work', 's', 'MODELS/peterson3.dve']),
    (75, 'undecided', 'states-limit', KEPT + ['--states', '1000', 'endless.dve']),
    (75, 'undecided', 'depth-limit', ['resume', 'kept', '--depth', '12']),
    (75, 'undecided', 'time-limit', ['resume', 'kept', '--time', '1s']),
    (75, 'undecided', 'signal', ['resume', 'kept']),  # TERM comes after half a second
    (64, 'undecided', 'usage', KEPT + ['endless.dve']),
    (64, 'undecided', 'usage', ['--bogus']),
    (64, 'undecided', 'usage', ['--engine', 'nosuch', 'MODELS/peterson3.dve']),
    (64, 'undecided', 'unsupported', ['--engine', 'part', '--depth', '3', 'MODELS/peterson3.dve']),
    (65, 'undecided', 'model', ['broken.dve']),
    (75, 'violated', 'invariant', ['--engine', 'mono', '--full', '--invariant', 'false',
                                   '--states', '10', '--work', 'found', 'endless.dve']),
    (65, 'undecided', 'model', ['--invariant', 'nobody == 1', 'MODELS/peterson3.dve']),
    (74, 'undecided', 'io', ['--engine', 'disk', '--work', 'no/such/place', 'endless.dve']),
    (74, 'undecided', 'corrupt', ['resume', 'damaged']),
]

PLANS = [
    ['MODELS/peterson3.dve', '--engine', 'ram'],
    ['MODELS/peterson3.dve', '--engine', 'dddd', '--peers', '0', '--checkpoint', '5m'],
    ['MODELS/lift_starves.dve', '--peers', '8', '--bandwidth', '100'],
    ['MODELS/philosophers4.dve', '--depth', '0', '--reach', 'fork[0] == 7'],
]


def run(tool, words, folder):
    command = [tool] + words[:1] + ['--json', 'r.json', '-q'] + words[1:]
    if words[0].startswith('-') or '.dve' in words[0]:
        command = [tool, '--json', 'r.json', '-q'] + words
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as process:
        if words == ['resume', 'kept']:
            time.sleep(0.5)
            process.send_signal(signal.SIGTERM)
        text = process.communicate(timeout=120)[0].decode()
    with open(os.path.join(folder, 'r.json'), encoding='utf-8') as file:
        return process.returncode, json.load(file), text


def prepare(folder):
    with open(os.path.join(folder, 'endless.dve'), 'w', encoding='utf-8') as file:
        file.write(ENDLESS)
    with open(os.path.join(folder, 'broken.dve'), 'w', encoding='utf-8') as file:
        file.write('process P { state s; init t; }\nsystem async;\n')
    for n in (100, 600):
        with open(os.path.join(folder, f'many{n}.dve'), 'w', encoding='utf-8') as file:
            file.write(''.join(MANY % i for i in range(n)) + 'system async;\n')


def damage(tool, folder):
    """A work directory whose files are all full of zeros."""
    subprocess.run([tool, '-q', '--engine', 'mono', '--work', 'damaged', '--states', '1000',
                    'endless.dve'], cwd=folder, stdout=subprocess.DEVNULL, check=False)
    for name in ('root.0', 'root.1', 'queue'):
        path = os.path.join(folder, 'damaged', name)
        if os.path.exists(path):
            with open(path, 'r+b') as file:
                file.write(bytes(os.path.getsize(path)))


def unknown_keys(schema, value, path):
    """Keys of the result that the schema does not name."""
    named = schema.get('properties')
    if not isinstance(value, dict) or named is None:
        return
    for key, below in value.items():
        if key not in named:
            yield f'{path}{key}'
        else:
            yield from unknown_keys(named[key], below, f'{path}{key}.')


def damaged_copies(schema, result, path=()):
    """The result without one of its keys, and with a value of another type, one after the other."""
    value = result
    for key in path:
        value = value[key]
    if not isinstance(value, dict):
        return
    for key in schema.get('properties', {}):
        if key not in value:
            continue
        for wrong in (None, ['wrong'], {'wrong': 1}, 'wrong\0', -1, 0.5):
            changed = copy.deepcopy(result)
            inner = changed
            for step in path:
                inner = inner[step]
            if wrong is None:
                del inner[key]
            elif type(wrong) is type(value[key]) and isinstance(wrong, (str, dict)):
                continue  # another text, or a map
            else:
                inner[key] = wrong
            what = '.'.join(path + (key,))
            yield f'{what} {"missing" if wrong is None else "= " + repr(wrong)}', changed
        yield from damaged_copies(schema['properties'][key], result, path + (key,))


def allowed_damage(what, result):
    """Free texts are any text, figures that are not counts any number from 0 on."""
    if what.startswith('reason') and result['exit'] == 0:
        return False
    key, _, wrong = what.partition(' = ')
    last = key.split('.')[-1]
    if wrong == repr('wrong\0'):
        return last in ('version', 'target', 'commit', 'compiler', 'file', 'text', 'reason',
                        'message', 'engine')
    if wrong == '0.5':
        costs = ('energy_j', 'states_per_joule', 'endurance_share')
        fractions = ('omission_bound', 'write_amplification', 'wall_s', 'cpu_s') + costs
        return last in fractions or (
            last.endswith('_per_state'))
    return False


def load(path):
    with open(path, encoding='utf-8') as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema, jsonschema.Draft202012Validator(schema)


def resolved(whole, schema):
    ref = schema.get('$ref')
    return whole['$defs'][ref.split('/')[-1]] if ref else schema


def plan_damage(whole, schema, plan, at=()):
    """The plan without one of its keys, and with a list in place of one of its values."""
    schema = resolved(whole, schema)
    if isinstance(plan, list) and plan and 'items' in schema:
        for what, inner in plan_damage(whole, schema['items'], plan[0], at + ('0',)):
            yield what, [inner] + plan[1:]
        yield '.'.join(at) + ' has a text', plan + ['wrong']
    if not isinstance(plan, dict):
        return
    for key, below in schema.get('properties', {}).items():
        what = '.'.join(at + (key,))
        yield f'{what} missing', {k: v for k, v in plan.items() if k != key}
        yield f'{what} is wrong', {**plan, key: [['wrong']]}
        for deeper, inner in plan_damage(whole, below, plan[key], at + (key,)):
            yield deeper, {**plan, key: inner}


def check_plans(tool, schema_path, models, folder):
    """(damaged plans, failures)"""
    schema, validator = load(schema_path)
    damages, failures = 0, []
    for words in PLANS:
        words = [w.replace('MODELS', models) for w in words]
        done = subprocess.run([tool, 'plan', '--json', '-'] + words, cwd=folder,
                              capture_output=True, text=True, timeout=120, check=False)
        name = 'plan ' + ' '.join(words)
        if done.returncode != 0:
            failures.append(f'{name}: exit {done.returncode}\n{done.stderr}')
            continue
        plan = json.loads(done.stdout)
        failures += [f'{name}: {e.json_path}: {e.message}' for e in validator.iter_errors(plan)]
        failures += [f'{name}: the schema does not name {key}'
                     for key in unknown_keys(schema, plan, '')]
        for what, changed in plan_damage(schema, schema, plan):
            damages += 1
            if validator.is_valid(changed):
                failures.append(f'{name}: {what} is taken for right')
    return damages, failures


def main():
    tool, schemas, models = (os.path.abspath(a) for a in sys.argv[1:4])
    schema, validator = load(os.path.join(schemas, 'result.schema.json'))
    failures, damages, damaged = [], 0, set()
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        damage(tool, folder)
        for status, verdict, why, words in RUNS:
            words = [w.replace('MODELS', models) for w in words]
            got, result, text = run(tool, words, folder)
            name = ' '.join(words)
            known = (result['exit'], result['verdict'], result['kind'] or result['reason'])
            if got != status or known != (status, verdict, why):
                failures.append(f'{name}: exit {got}, result {known}, not {(status, verdict, why)}'
                                f'\n{text}')
            failures += [f'{name}: {e.json_path}: {e.message}'
                         for e in validator.iter_errors(result)]
            failures += [f'{name}: the schema does not name {key}'
                         for key in unknown_keys(schema, result, '')]
            if status in damaged:  # one of each is enough
                continue
            damaged.add(status)
            for what, changed in damaged_copies(schema, result):
                damages += 1
                valid = validator.is_valid(changed)
                if valid != allowed_damage(what, result):
                    failures.append(f'{name}: {what} is taken for {"right" if valid else "wrong"}')
        more, wrong = check_plans(tool, os.path.join(schemas, 'plan.schema.json'), models, folder)
    damages += more
    failures += wrong
    print('\n'.join(failures))
    print(f'{len(RUNS)} results, {len(PLANS)} plans, {damages} damaged ones, '
          f'{len(failures)} failures')
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
