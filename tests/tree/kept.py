#!/usr/bin/env python3
"""Resumes stopped runs of an earlier version, and compares what it gives and what it writes.

  kept.py TOOL [--only TEXT] [--no-files]
  kept.py TOOL --make [--only TEXT]      runs and table anew
  kept.py TOOL --table [--only TEXT]     the table only, from the runs that are there

tests/kept has an archive for every engine with files. In it are work directories that the engine
has written, each of a run that a limit or a signal stopped. expected.json says what the tool that
wrote them made of each when it was resumed: verdict, counts, exit status, and a checksum of every
file that was there at the end. Work directories outlive the version that wrote them, so a
difference is a change of a format, of an order or of a default; one that is wanted makes the folder
anew (--make), and is said in CHANGELOG.md.

Some bytes differ from process to process, and are masked: the life of a block, and so its checksum
and the chains of them in a checkpoint (src/store/FORMAT.md); times, and the sums of the run. Files
depend on the memory for the search, which is what the image leaves of --ram: every resume gets as
much more or less as the tool's image takes, in pages. When the front end carves some bytes more or
less, pages cannot make up for them: such a change wants a new table (--table). An emulated or
sanitized tool has other sizes altogether: --no-files compares verdicts and counts only.
"""
import argparse
import collections
import hashlib
import io
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import tempfile

from kill import SLOWEST_SECONDS, STOPPED, Failure
from texts import counters, filter_lock, pegs, product

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'kept')
TABLE = os.path.join(FOLDER, 'expected.json')
PAGE = 4096
MAGIC = b'XMCB'
STACK = 6
RAM = 4718592  # enough above the least to give a smaller image less
STATS = ('states', 'transitions', 'levels', 'deadlocks', 'accepting', 'expansions')
# Not of the engine: the lock, and texts with paths or the memory of a resume.
NOT_COMPARED = ('lock', 'xmc-lite.options')
MASKED_LINE = re.compile(rb'(run\.|stat\.\w+_us |checksum )')
MASKED_CHAIN = re.compile(rb'((?:file|plain) \S+ \d+) .*')


def wide(states, copies):
    """A few states of many bytes, all of which say the same: they fill tables and diagrams, and
    take little room in an archive."""
    digits = ', '.join(f'a[{i}] = x {"/" if i % 2 else "%"} 256' for i in range(copies))
    steps = ',\n'.join(f'    s -> s {{ effect x = (x * {a} + {b}) % {states}, {digits}; }}'
                       for a, b in ((3, 1), (5, 2), (1, 7)))
    return (f'int x;\nbyte a[{copies}];\nprocess P {{ state s; init s; trans\n{steps};\n}}\n'
            'system async;\n')


WIDE = wide(20011, 96)
SMALL = counters((7, 7, 7, 7, 7))
LASSO = product((7, 7, 7, 7, 7), 'v0 == 7')
NO_CYCLE = product((7, 7, 7, 7, 7), 'v0 < 7')
GOAL = ['--reach', 'x == 19990']
HASH = ['--index', 'phf']
GASTIN_MORO = ['--engine', 'min-cex', '--method', 'gastin-moro']
EARLY = ['--states', '2000']
SIGNAL = 'signal'

# A run: model, options, how it was stopped, and which lines its checkpoint has to have for the stop
# to be where it should. A signal comes at another time until that is so.
# Of a `timed` one the clock has a say in what is expanded again: its files are not compared.
Kept = collections.namedtuple('Kept', 'model options stop lines timed', defaults=((), False))


def at_work(options, *lines):
    """Stopped by a signal while it does what these lines of a checkpoint are for."""
    return Kept(LASSO, options, SIGNAL, lines)


RUNS = {
    **{engine: Kept(WIDE, ['--engine', engine, '--deadlock', 'off'], EARLY)
       for engine in ('mono', 'disk', 'hddd', 'part', 'auto')},
    **{engine: Kept(SMALL, ['--engine', engine, '--full'], EARLY)
       for engine in ('local', 'cached', 'dddd', 'diagram')},
    **{f'{engine}-wide': Kept(WIDE, ['--engine', engine, '--deadlock', 'off'], EARLY, (), True)
       for engine in ('local', 'dddd')},
    # The share is given, because its own choice goes by the clock.
    'serial': Kept(WIDE, ['--engine', 'serial', '--collisions', '10', '--deadlock', 'off'], EARLY),
    'serial-on-disk': Kept(WIDE, ['--engine', 'serial', '--collisions', '0', '--deadlock', 'off'],
                           ['--states', '14000'], ('serial-caching 0',)),
    # What nobody asks for: some steps are left out.
    'auto-steps': Kept(filter_lock(5, 1), ['--reduce', 'all'], ['--states', '22000']),
    'auto-written': Kept(WIDE, ['--deadlock', 'off'], ['--wear-limit', '200000']),
    'auto-spilled': Kept(WIDE, ['--engine', 'auto', '--deadlock', 'off'], ['--states', '16000']),
    'hddd-spilled': Kept(WIDE, ['--engine', 'hddd', *GOAL], ['--states', '6000']),
    'path': Kept(WIDE, ['--engine', 'mono', *GOAL], SIGNAL, ('path-complete', 'path-left')),
    **{engine: Kept(NO_CYCLE, ['--engine', engine], EARLY)
       for engine in ('trim', 'min-cex', 'iddfs', 'double-dfs', 'owcty', 'map',
                      'ioemc')},
    'ioemc-tiers': Kept(NO_CYCLE, ['--engine', 'ioemc', '--dd', 'tiers'], EARLY),
    'ioemc-lhs': Kept(NO_CYCLE, ['--engine', 'ioemc', '--dd', 'lhs'], EARLY),
    'trim-lasso': Kept(LASSO, ['--engine', 'trim', '--full'], EARLY),
    'min-cex-lasso': Kept(LASSO, ['--engine', 'min-cex', '--full'], EARLY),
    'edges': at_work(['--engine', 'min-cex', '--full'], 'file edges'),
    'owcty-pass': at_work(['--engine', 'owcty', '--full'], 'pass', 'file bits'),
    'map-pass': at_work(['--engine', 'map', '--full'], 'pass', 'file bits'),
    'rank': Kept(LASSO, ['--engine', 'double-dfs', '--index', 'rank', '--full'], EARLY),
    'rank-built': at_work(['--engine', 'double-dfs', '--index', 'rank', '--full'],
                          'search-index 4'),
    'rank-search': at_work(['--engine', 'double-dfs', '--index', 'rank', '--full'],
                           'search-stack-blocks', 'file rank'),
    'hash': Kept(LASSO, ['--engine', 'double-dfs', *HASH, '--full'], EARLY),
    'hash-built': at_work(['--engine', 'double-dfs', *HASH, '--full'], 'search-index 3'),
    'hash-search': at_work(['--engine', 'double-dfs', *HASH, '--full'], 'search-stack-blocks',
                           'plain hash'),
    'iddfs-search': at_work(['--engine', 'iddfs', '--full'], 'search-stack-blocks'),
    'gastin-moro': Kept(LASSO, [*GASTIN_MORO, '--full'], EARLY),
    'gastin-moro-search': at_work([*GASTIN_MORO, '--full'], 'search-stack-blocks'),
    'symbolic': Kept(pegs(4, 5), ['--engine', 'symbolic', '--deadlock', 'off'], SIGNAL,
                     ('sets-place 0',)),
    'lasso-path': at_work(['--engine', 'double-dfs', '--full'], 'path-complete'),
}


def canonical_blocks(data):
    """The blocks of a file without what differs from process to process; None if there are none."""
    data = bytearray(data)
    at = 0
    while at < len(data):
        if data[at + 8:at + 12] != MAGIC:
            return None if at == 0 else bytes(data)
        kind, pages = data[at + 13], struct.unpack_from('<H', data, at + 20)[0]
        data[at:at + 8] = bytes(8)
        data[at + 22:at + 24] = bytes(2)
        if kind == STACK:
            data[at + 32:at + 40] = bytes(8)  # the checksum of the block below
        at += max(pages, 1) * PAGE
    return bytes(data)


def canonical(name, data):
    if name.startswith('root.'):
        lines = [MASKED_CHAIN.sub(rb'\1', line) for line in data.split(b'\n')
                 if not MASKED_LINE.match(line)]
        return b'\n'.join(lines)
    return canonical_blocks(data) or data


def files_of(work):
    """Size and checksum of every file that is compared."""
    found = {}
    for name in sorted(os.listdir(work)):
        if name in NOT_COMPARED:
            continue
        with open(os.path.join(work, name), 'rb') as file:
            data = canonical(name, file.read())
        found[name] = f'{len(data)} {hashlib.sha256(data).hexdigest()[:32]}'
    return found


def memory_of(said):
    """Bytes that the engine planned with: the pieces behind those of the front end."""
    pieces = re.findall(r'^ +(\d+) bytes  (.+)$', said, re.MULTILINE)
    names = [name for _, name in pieces]
    return sum(int(size) for size, _ in pieces[names.index('checkpoint') + 1:])


class Tool:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        # What is remembered of devices is not that of another test.
        self.environment = dict(os.environ, XDG_CACHE_HOME=folder)

    def start(self, *words):
        return subprocess.Popen([self.path, *words], cwd=self.folder, env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def resume(self, name, ram):
        """Result, files and memory of a kept run that goes on to its end."""
        work = os.path.join(self.folder, 'work')
        unpack(name, work)
        child = self.start('resume', 'work', '--ram', str(ram), '--keep', '--checkpoint', 'level',
                           '--wear-limit', '1T', '--trace-style', 'none', '--json', '-', '-v')
        out, said = child.communicate(timeout=SLOWEST_SECONDS)
        if '{' not in out or ' bytes  checkpoint\n' not in said:
            raise Failure(f'exit {child.returncode}: {said}')
        result = json.loads(out[out.index('{'):])
        got = {'exit': child.returncode, 'verdict': result['verdict'], 'kind': result['kind'],
               'trace': result['trace'], **{name: result['stats'][name] for name in STATS}}
        return got, files_of(work), memory_of(said)


def is_there(work, lines):
    """Whether the newest checkpoint has a line that begins with each of these."""
    newest, text = 0, ''
    for slot in ('root.0', 'root.1'):
        path = os.path.join(work, slot)
        if os.path.exists(path):
            with open(path) as file:
                found = file.read()
            sequence = int(found.split('\n')[1].split()[1])
            if sequence > newest:
                newest, text = sequence, found
    return newest > 0 and all('\n' + line in text for line in lines)


def stop(tool, run, dice):
    """Leaves a stopped run in the folder `work`."""
    work = os.path.join(tool.folder, 'work')
    with open(os.path.join(tool.folder, 'model.dve'), 'w') as file:
        file.write(run.model)
    words = ['check', '--ram', str(RAM), '--work', 'work', *run.options]
    for _ in range(5000):
        shutil.rmtree(work, ignore_errors=True)
        child = tool.start(*words, *([] if run.stop == SIGNAL else run.stop), 'model.dve')
        if run.stop == SIGNAL:
            try:
                child.communicate(timeout=dice.random() * 0.4)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGTERM)
        out, said = child.communicate(timeout=SLOWEST_SECONDS)
        if child.returncode == STOPPED and is_there(work, run.lines):
            return
        if run.stop != SIGNAL:
            raise Failure(f'exit {child.returncode}: {said}{out}')
    raise Failure('no signal came at the right time')


def writer_of(name):
    """The engine that a run was begun with."""
    options = RUNS[name].options
    return options[options.index('--engine') + 1] if '--engine' in options else 'auto'


def archive_of(name):
    return os.path.join(FOLDER, f'{writer_of(name)}.tar.xz')


def kept_files(name):
    """{file: bytes} of a run, from the archive of its writer."""
    with tarfile.open(archive_of(name)) as tar:
        return {os.path.basename(info.name): tar.extractfile(info).read()
                for info in tar if os.path.dirname(info.name) == name}


def unpack(name, work):
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    for file, data in kept_files(name).items():
        with open(os.path.join(work, file), 'wb') as out:
            out.write(data)


def pack(name, work):
    """Puts a run into the archive of its writer, whose other runs stay. The same bytes for the same
    files, whoever packs them and when."""
    runs = {}
    for other in (run for run in RUNS if archive_of(run) == archive_of(name)):
        if other != name and os.path.exists(archive_of(name)):
            runs[other] = kept_files(other)
    runs[name] = {}
    for file in os.listdir(work):
        with open(os.path.join(work, file), 'rb') as data:
            runs[name][file] = data.read()
    with tarfile.open(archive_of(name), 'w:xz', format=tarfile.USTAR_FORMAT, preset=9) as tar:
        for run in (run for run in RUNS if runs.get(run)):
            for file, data in sorted(runs[run].items()):
                info = tarfile.TarInfo(f'{run}/{file}')  # of nobody, at no time, 0644
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))


def row_of(tool, name):
    """What the table says of a run."""
    run = RUNS[name]
    got, files, memory = tool.resume(name, RAM)
    if run.timed:
        got.pop('expansions')
        files = {}
    return {'options': ' '.join(run.options),
            'stopped': run.stop if run.stop == SIGNAL else ' '.join(run.stop),
            'memory': memory, 'result': got, 'files': files}


def make(tool, name, dice):
    stop(tool, RUNS[name], dice)
    pack(name, os.path.join(tool.folder, 'work'))


def compare(tool, name, expected, with_files):
    """Differences, as texts."""
    got, files, memory = tool.resume(name, RAM)
    if with_files and memory != expected['memory']:
        got, files, memory = tool.resume(name, RAM + expected['memory'] - memory)
    wanted = dict(expected['result'])
    if not with_files:
        # These depend on the memory, and a trace that is not a shortest one may be any. So do all
        # counts of a search that a violation ended in the middle of a level.
        wanted.pop('expansions', None)
        if wanted['verdict'] != 'holds':
            for count in ('states', 'transitions', 'deadlocks', 'accepting'):
                wanted.pop(count, None)
        if wanted['trace'] and not wanted['trace']['minimal']:
            wanted.pop('trace')
    wrong = [f'{key} is {got[key]}, not {value}' for key, value in wanted.items()
             if got[key] != value]
    if not with_files or not expected['files']:
        return wrong
    if memory != expected['memory']:
        return wrong + [f'{memory} bytes for the search cannot be made {expected["memory"]}']
    names = sorted(set(files) | set(expected['files']))
    return wrong + [f'the file {file} is {files.get(file)}, not {expected["files"].get(file)}'
                    for file in names if files.get(file) != expected['files'].get(file)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument('--make', action='store_true')
    parser.add_argument('--table', action='store_true')
    parser.add_argument('--only', default='', help='part of the name of a run')
    parser.add_argument('--no-files', action='store_true')
    args = parser.parse_args()
    table = {}
    if os.path.exists(TABLE):
        with open(TABLE) as file:
            table = json.load(file)
    names = [name for name in RUNS if args.only in name]
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(os.path.abspath(args.tool), folder)
        dice = random.Random(1)
        for name in names:
            try:
                if args.make:
                    make(tool, name, dice)
                if args.make or args.table:
                    table[name] = row_of(tool, name)
                    continue
                wrong = compare(tool, name, table[name], not args.no_files)
            except Failure as failure:
                wrong = [str(failure)]
            differ += bool(wrong)
            for text in wrong:
                print(f'{name}: {text}')
    if args.make or args.table:
        with open(TABLE, 'w') as file:
            json.dump({name: table[name] for name in RUNS if name in table}, file, indent=1)
            file.write('\n')
    print(f'{len(names)} runs, {differ} with a difference')
    sys.exit(1 if differ or not names else 0)


if __name__ == '__main__':
    main()
