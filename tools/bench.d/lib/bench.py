"""Bench: what an experiment is handed. It builds, runs, keeps figures and judges targets."""
import json
import os
import platform
import shutil
import subprocess
import tempfile
import time

from lib import table
from lib.measure import run_once

MODELS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'models')
# Every state, whatever is wrong with some of them.
SEARCH_ALL = ['--full', '--deadlock', 'off']
BEEM_ALL = [*SEARCH_ALL, '--errors', 'beem']


class Missing(Exception):
    """Something that an experiment needs is not there."""


class Bench:
    def __init__(self, top, options):
        self.top = top
        self.options = options
        self.repeat = 1  # set for each experiment
        self.quick = options.quick
        self.build = os.path.abspath(options.build or os.path.join(top, 'build', 'release'))
        self.tool = os.path.join(self.build, 'xmc-lite')
        self.scratch = ''
        self.checkers = {}
        self.record = {'host': {}, 'options': vars(options).copy(), 'experiments': {}}
        self.current = None
        self.serial = 0

    def __enter__(self):
        if not self.options.build:
            os.makedirs(self.build, exist_ok=True)
        elif not os.path.exists(os.path.join(self.build, 'CMakeCache.txt')):
            raise Missing(f'{self.build} is no build folder of cmake')
        self.scratch = tempfile.mkdtemp(prefix='bench-', dir=self.options.disk or self.build)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.scratch, ignore_errors=True)

    # --- Preparation ---

    def prepare(self):
        """Packages, the build, and a line about the machine."""
        if not self.options.no_build:
            self.need()
            if not self.options.build:
                self.call(['cmake', '--preset', 'release', '--log-level=WARNING'])
        self.make('xmc-lite')
        host = {'machine': platform.machine(), 'cpu': cpu_name(), 'cpus': os.cpu_count(),
                'kernel': platform.release(), 'load': os.getloadavg()[0],
                'commit': self.commit(), 'date': time.strftime('%Y-%m-%d %H:%M')}
        self.record['host'] = host
        print(f'{host["cpu"]} ({host["machine"]}), {host["cpus"]} CPUs, kernel {host["kernel"]}; '
              f'commit {host["commit"]}')
        if host['load'] > 0.5:
            print(f'the machine is busy (load {host["load"]:.1f}): wall times mean little, '
                  'CPU times a little less than usual')

    def make(self, target):
        """Path of a program of the build folder, brought up to date."""
        if not self.options.no_build:
            self.call(['cmake', '--build', self.build, '--target', target])
        found = [path for path in (os.path.join(self.build, target),
                                   os.path.join(self.build, 'tests', target))
                 if os.path.exists(path)]
        if not found:
            raise Missing(f'{self.build} has no {target}')
        return found[0]

    def need(self):
        """Installs the packages of the task `bench`."""
        script = os.path.join(self.top, 'tools', 'need')
        subprocess.run([script, 'build', 'bench'], cwd=self.top, check=False)

    def call(self, command):
        done = subprocess.run(command, cwd=self.top, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise Missing(f'{" ".join(command)} failed:\n{done.stdout}')
        return done.stdout

    def commit(self):
        try:
            name = self.call(['git', 'rev-parse', '--short', 'HEAD']).strip()
            return name + ('+' if self.call(['git', 'status', '--porcelain']).strip() else '')
        except (Missing, OSError):
            return 'unknown'

    def program(self, name, package):
        """Path of an installed program."""
        path = shutil.which(name)
        if not path:
            raise Missing(f'{name} is not installed (Debian package {package})')
        return path

    # --- What is measured ---

    def model(self, name):
        return os.path.join(MODELS, name)

    def test_model(self, name):
        return os.path.join(self.top, 'tests', 'models', name)

    def beem(self):
        """Folder with BEEM models, or None."""
        return self.collection(self.options.beem, 'beem')

    def murphi(self):
        """Folder with Murphi models, or None."""
        return self.collection(self.options.murphi, 'murphi')

    def collection(self, given, name):
        folder = given or os.path.join(self.top, '..', 'shared', 'models', name)
        folder = os.path.normpath(folder)
        return folder if os.path.exists(os.path.join(folder, 'truth.csv')) else None

    def checker(self, model, formula=None, mpi=False, more=()):
        """Path of the checker with the emitted code of a model; built once."""
        key = model, formula, mpi, *more
        if key not in self.checkers:
            self.serial += 1
            path = os.path.join(self.scratch, f'checker{self.serial}')
            self.call([os.path.join(self.top, 'tools', 'build-checker'), model, '-o', path,
                       '--build', self.build, '--reduce', 'off', *of_formula(formula),
                       *(['--mpi'] if mpi else []), *more])
            self.checkers[key] = path
        return self.checkers[key]

    def vm(self, model, formula=None):
        """Command that checks a model with the bytecode machine."""
        return [self.tool, 'check', model, *of_formula(formula)]

    def emitted(self, model, formula=None):
        return [self.checker(model, formula), 'check']

    def check(self, command, ram, options=(), prefix=(), talk=('--quiet',), engine='ram', **how):
        """One run of the tool or of a checker, with its JSON result."""
        out = os.path.join(self.scratch, 'result.json')
        if os.path.exists(out):
            os.remove(out)
        work = os.path.join(self.scratch, 'work')
        # Engines are compared on models as they are written.
        if '--reduce' not in options:
            options = [*options, '--reduce', 'off']
        run = run_once([*prefix, *command, '--engine', engine, '--ram', str(ram), *talk,
                        '--work', work, '--json', out, *options], **how)
        shutil.rmtree(work, ignore_errors=True)
        try:
            with open(out, encoding='utf-8') as file:
                run.result = json.load(file)
        except (OSError, ValueError):
            raise Missing(f'{run.line} gave no result: exit {run.code}, '
                          f'{run.err.strip()[-300:]}') from None
        return run

    def complete(self, command, ram='1G', options=SEARCH_ALL, **how):
        """The same for a run that has to see every state."""
        run = self.check(command, ram, options, **how)
        if not run.result.get('complete'):
            raise Missing(f'{run.line} did not finish: exit {run.code}, '
                          f'{run.result.get("reason")}')
        return run

    # --- What is said ---

    def begin(self, name, module):
        usual = getattr(module, 'REPEAT', 2 if self.quick else 5)
        self.repeat = self.options.repeat or usual
        self.current = {'description': module.__doc__.strip().splitlines()[0], 'tables': [],
                        'figures': [], 'targets': [], 'notes': [], 'repeat': self.repeat}
        self.record['experiments'][name] = self.current
        print(f'\n== {name}: {self.current["description"]} Runs per figure: {self.repeat}.',
              flush=True)

    def table(self, headers, rows, title=''):
        self.current['tables'].append({'title': title, 'headers': headers, 'rows': rows})
        print()
        if title:
            print(title)
        print('\n'.join(table.render(headers, rows)), flush=True)

    def figure(self, name, value, unit, run=None):
        """A number for --json, with the command that gave it."""
        self.current['figures'].append({'name': name, 'value': value, 'unit': unit,
                                        'command': self.plain(run.line) if run else None})

    def commands(self, runs):
        """Prints the commands behind a table: label and Run."""
        print()
        for label, run in runs:
            print(f'  {label}: {self.plain(run.line)}')

    def note(self, text):
        self.current['notes'].append(text)
        print(f'  note: {text}')

    def target(self, name, met, text):
        """met: True, False, or None for not measured."""
        self.current['targets'].append({'name': name, 'met': met, 'text': text})
        print(f'  {verdict(met)}: {name}: {text}', flush=True)

    def plain(self, line):
        return line.replace(self.scratch, 'SCRATCH').replace(self.top + os.sep, '')

    def finish(self, json_file):
        targets = [(name, target) for name, experiment in self.record['experiments'].items()
                   for target in experiment['targets']]
        print('\n== summary')
        rows = [[name, target['name'], verdict(target['met']), target['text']]
                for name, target in targets]
        if rows:
            widths = [max(len(row[i]) for row in rows) for i in range(3)]
            for row in rows:
                print('  '.join(row[i].ljust(widths[i]) for i in range(3)) + '  ' + row[3])
        if json_file:
            with open(json_file, 'w', encoding='utf-8') as file:
                json.dump(self.record, file, indent=1)
                file.write('\n')
        if any(target['met'] is False for _, target in targets):
            return 1
        return 2 if any(target['met'] is None for _, target in targets) else 0


def of_formula(formula):
    return ['--ltl', formula] if formula else []


def verdict(met):
    return {True: 'met', False: 'NOT MET', None: 'not measured'}[met]


def cpu_name():
    for key in ('Model name', 'Architecture'):
        try:
            lines = subprocess.run(['lscpu'], capture_output=True, text=True,
                                   check=False).stdout.splitlines()
        except OSError:
            return 'unknown CPU'
        for line in lines:
            if line.startswith(key + ':'):
                return line.split(':', 1)[1].strip()
    return 'unknown CPU'
