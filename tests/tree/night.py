#!/usr/bin/env python3
"""The commands of the systemd unit over two nights, against one undisturbed run.

    night.py TOOL xmc-lite@.service

Units stand beside it: systemd-analyze verifies them, where it is installed. The unit's ExecStart
and ExecStopPost are run as they are, in folders of a test. A first night is ended by SIGTERM (a
morning) or SIGKILL (a power cut), a second one runs to its end. Limits, outputs and the verdict
have to be those of a run that nobody disturbed. What the kernel ends is not begun again and again,
and the unit's limit of memory is above what any board's run may take.
"""
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HOLDS, VIOLATED, STOPPED = 0, 1, 75
SLOWEST_SECONDS = 300
QUEUE_BYTES = 400_000  # of a search that is in the middle of its work

# About half a million states in little memory: a second or so.
MODEL = '''byte a; byte b; byte c; byte d;
process P { state s; init s; trans
s -> s { guard a < 26; effect a = a + 1; }, s -> s { guard b < 26; effect b = b + 1; },
s -> s { guard c < 26; effect c = c + 1; }, s -> s { guard d < 26; effect d = d + 1; }; }
system async;
'''
LIMITS = ['--ram', '6M', '--wear-limit', '1G', '--disk-limit', '900M', '--disk-reserve', '1M',
          '--time', '1h', '--threads', '2', '--progress', 'none']
OUTPUTS = ['--levels', 'levels.csv', '--trace', 'ce.txt', '--trace', 'ce.steps']
JOBS = {
    'violated': ['--engine', 'mono', '--checkpoint', 'level'] + LIMITS + OUTPUTS,
    'holds': ['--engine', 'auto', '--deadlock', 'off'] + LIMITS + OUTPUTS,
}


class Failure(Exception):
    pass


def unit_text(service):
    """With continued lines joined."""
    with open(service, encoding='utf-8') as file:
        return re.sub(r'\\\n\s*', ' ', file.read())


def commands_of(service):
    """The unit's commands by their names."""
    return dict(re.findall(r'^(Exec\w+)=(.*)$', unit_text(service), re.M))


def ends_of(service):
    """Files that keep the unit from being started."""
    return re.findall(r'^ConditionPathExists=!/var/lib/xmc-lite/%i/(.*)$', unit_text(service), re.M)


class Job:
    def __init__(self, tool, commands, top, name, options):
        self.tool, self.commands, self.name = tool, commands, name
        self.etc = os.path.join(top, 'etc')
        self.state = os.path.join(top, 'state')
        os.makedirs(self.etc)
        os.makedirs(self.state)
        self.model = os.path.join(os.path.dirname(top), 'model.dve')
        with open(self.model, 'w', encoding='utf-8') as file:
            file.write(MODEL)
        with open(os.path.join(self.etc, f'{name}.conf'), 'w', encoding='utf-8') as file:
            file.write('\n'.join(options + [self.model]) + '\n')

    def path(self, name):
        return os.path.join(self.state, name)

    def words(self, command):
        """As systemd would call it, but for the places."""
        text = self.commands[command].replace('%i', self.name).replace('$$', '$')
        text = text.replace('/usr/bin/xmc-lite', shlex.quote(self.tool))
        return shlex.split(text.replace('/etc/xmc-lite/', self.etc + '/'))

    def start(self):
        return subprocess.Popen(self.words('ExecStart'), cwd=self.state, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def told_end(self, status, result):
        """What the unit does then, with what systemd tells it."""
        number = -status
        after = {'EXIT_CODE': 'exited' if status >= 0 else 'killed', 'SERVICE_RESULT': result,
                 'EXIT_STATUS': str(status) if status >= 0 else signal.Signals(number).name[3:]}
        return subprocess.run(self.words('ExecStopPost'), cwd=self.state, check=True,
                              stderr=subprocess.PIPE, text=True, env={**os.environ, **after}).stderr

    def finish(self, child, power=True):
        """Waits for the end, behind which nothing is done without power."""
        said = child.communicate(timeout=SLOWEST_SECONDS)[1]
        status = child.returncode
        if power:
            self.told_end(status, 'success' if status in (0, 1, 2, STOPPED) else 'exit-code')
        if os.path.exists(self.path('done')) != (status >= 0 and status != STOPPED):
            raise Failure(f'{self.name}: status {status}, done: {os.path.exists("done")}')
        return status, said

    def night(self):
        return self.finish(self.start())

    def read(self, name):
        with open(self.path(name), encoding='utf-8') as file:
            return file.read()

    def result(self):
        return json.loads(self.read('result.json'))

    def rows(self):
        """The levels file without its last column, which are seconds."""
        return [line.rsplit(',', 1)[0] for line in self.read('levels.csv').splitlines()]


def wait_for(condition, child):
    while not condition():
        if child.poll() is not None:
            raise Failure(f'it ended too early, with {child.returncode}: {child.stderr.read()}')
        time.sleep(0.005)


def expect(what, got, wanted):
    if got != wanted:
        raise Failure(f'{what}: {str(got)[:400]}, and it should be {str(wanted)[:400]}')


def told(result):
    """What of a result two nights may not change."""
    stats = result['stats']
    options = dict(result['options'])
    options['work'] = None  # is not asked for by resume
    options['json'] = os.path.basename(options['json'] or '')
    options['levels'] = os.path.basename(options['levels'] or '')
    options['trace'] = [os.path.basename(path) for path in options['trace']]
    figures = {key: stats[key] for key in ('engine', 'states', 'transitions', 'levels',
                                           'deadlocks', 'ram_limit')}
    return {'options': options, 'figures': figures, 'trace': result['trace'],
            **{key: result[key] for key in ('verdict', 'kind', 'reason', 'complete', 'exit')}}


def compare(job, whole):
    expect(f'{job.name}: the result', told(job.result()), told(whole.result()))
    expect(f'{job.name}: the levels', job.rows(), whole.rows())
    for name in ('ce.txt', 'ce.steps'):
        expect(f'{job.name}: {name} is there', os.path.exists(job.path(name)),
               os.path.exists(whole.path(name)))
        if os.path.exists(job.path(name)):
            expect(f'{job.name}: {name}', job.read(name), whole.read(name))
    expect(f'{job.name}: files', sorted(os.listdir(job.state)), sorted(os.listdir(whole.state)))


def interrupted(job, number, condition):
    child = job.start()
    wait_for(condition, child)
    child.send_signal(number)
    return job.finish(child, power=number != signal.SIGKILL)


def check_nights(tool, commands, top, name, options):
    whole = Job(tool, commands, os.path.join(top, 'whole'), name, options)
    status, said = whole.night()
    expect(f'{name}: status', status, VIOLATED if name == 'violated' else HOLDS)

    def in_work(job):
        queue = job.path('work/queue')
        return lambda: os.path.exists(queue) and os.path.getsize(queue) > QUEUE_BYTES

    morning = Job(tool, commands, os.path.join(top, 'morning'), name, options)
    status, said = interrupted(morning, signal.SIGTERM, in_work(morning))
    expect(f'{name}: status in the morning', status, STOPPED)
    expect(f'{name}: verdict in the morning', morning.result()['verdict'], 'undecided')
    rows = morning.rows()
    expect(f'{name}: levels in the morning', rows, whole.rows()[:len(rows)])
    if len(rows) < 10:
        raise Failure(f'{name}: only {len(rows)} rows of levels in the morning')
    status, said = morning.night()
    expect(f'{name}: resumes', morning.result()['stats']['resumes'], 1)
    compare(morning, whole)

    # A power cut, before the first checkpoint or after one.
    cut = Job(tool, commands, os.path.join(top, 'cut'), name, options)
    interrupted(cut, signal.SIGKILL, in_work(cut))
    cut.night()
    compare(cut, whole)


def check_wear(tool, commands, top):
    """A limit that is reached holds for every night, and costs the card nothing more."""
    options = ['--engine', 'mono', '--wear-limit', '300K', '--ram', '6M', '--levels', 'levels.csv']
    job = Job(tool, commands, os.path.join(top, 'wear'), 'wear', options)
    expect('wear: status', job.night()[0], STOPPED)
    expect('wear: reason', job.result()['reason'], 'wear-limit')
    def written():
        return {name: os.stat(job.path(f'work/{name}')).st_mtime_ns
                for name in os.listdir(job.path('work'))}
    before = written()
    expect('wear: status of the next night', job.night()[0], STOPPED)
    expect('wear: reason of the next night', job.result()['reason'], 'wear-limit')
    expect('wear: files', written(), before)


def check_kernel(tool, service, top):
    """What others end is told, and not begun again for ever."""
    job = Job(tool, commands_of(service), os.path.join(top, 'job'), 'ends', [])
    cases = [(75, 'success', None), (-signal.SIGTERM, 'success', None),
             (-signal.SIGKILL, 'timeout', None), (0, 'success', 'done'), (1, 'success', 'done'),
             (2, 'success', 'done'), (64, 'exit-code', 'done'), (74, 'exit-code', 'done'),
             (-signal.SIGKILL, 'oom-kill', 'failed'), (-signal.SIGKILL, 'signal', 'failed'),
             (-signal.SIGSEGV, 'core-dump', 'failed'), (127, 'exit-code', 'failed'),
             (203, 'exit-code', 'failed')]
    for status, result, left in cases:
        said = job.told_end(status, result)
        expect(f'files behind {status}, {result}', os.listdir(job.state), [left] if left else [])
        if left is None:
            continue
        if left not in ends_of(service):
            raise Failure(f'{left} does not keep the unit from being started')
        if left == 'failed':
            expect('the reason', job.read(left), said)
            if not said.startswith(result):
                raise Failure(f'the reason does not begin with {result}: {said}')
        os.remove(job.path(left))


def bytes_of(size):
    units = {'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30, 'T': 1 << 40}
    return int(size[:-1]) * units[size[-1]] if size[-1] in units else int(size)


def check_memory(tool, service, top):
    """A limit of the unit is above what its run may take, of any board."""
    limits = re.findall(r'^Memory(?:Max|High)=([0-9]+[KMGT]?)$', unit_text(service), re.M)
    model = os.path.join(top, 'model.dve')
    with open(model, 'w', encoding='utf-8') as file:
        file.write(MODEL)
    options = subprocess.run([tool, 'help', '--bash'], capture_output=True, text=True, check=True)
    boards = re.findall(r'[\w-]*pi-zero[\w -]*', options.stdout)[0].split()
    for board in boards:
        plan = subprocess.run([tool, 'plan', '--board', board, '--json', '-', model], cwd=top,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        ram = json.loads(plan.stdout)['options']['ram']
        for limit in limits:
            if bytes_of(limit) < ram * 5 // 4:
                raise Failure(f'{limit} for the unit, and --board {board} takes {ram}')


def check_units(service, top):
    if shutil.which('systemd-analyze') is None:
        return
    folder = os.path.dirname(service)
    names = [name for name in os.listdir(folder) if '@' in name]
    for name in names:
        with open(os.path.join(folder, name), encoding='utf-8') as file:
            text = file.read()
        with open(os.path.join(top, name), 'w', encoding='utf-8') as file:
            file.write(text)
    units = [os.path.join(top, name.replace('@', '@job')) for name in names]
    for unit, name in zip(units, names):
        os.symlink(os.path.join(top, name), unit)
    done = subprocess.run(['systemd-analyze', 'verify', '--man=no'] + units, capture_output=True,
                          text=True)
    wrong = [line for line in done.stderr.splitlines() if top in line or 'xmc-lite' in line]
    if wrong:
        raise Failure('\n'.join(wrong))


def main():
    tool, service = os.path.abspath(sys.argv[1]), sys.argv[2]
    for check in (lambda top: check_kernel(tool, service, top),
                  lambda top: check_memory(tool, service, top),
                  lambda top: check_units(service, top)):
        with tempfile.TemporaryDirectory() as top:
            check(top)
    commands = commands_of(service)
    for name, options in JOBS.items():
        with tempfile.TemporaryDirectory() as top:
            check_nights(tool, commands, top, name, options)
    with tempfile.TemporaryDirectory() as top:
        check_wear(tool, commands, top)


if __name__ == '__main__':
    try:
        main()
    except Failure as failure:
        print(f'wrong: {failure}')
        sys.exit(1)
