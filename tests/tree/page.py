#!/usr/bin/env python3
"""Pages of --report: of runs that hold, are violated, are stopped, and go on after a kill.

  page.py TOOL MODELS

Every page is read with an HTML parser: tags are balanced, nothing is loaded from elsewhere, what is
referred to is there, and what comes from the model is text. Where chromium is installed, a page is
shown by it, without errors and with pictures that are not blank.
"""
import html.parser
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

VOID = {'meta', 'br', 'link', 'img', 'hr', 'input'}
MOST_BYTES = 100 * 1024
SIDE = 1025
# Names that would be markup.
HOSTILE = '''int x;
process P { state a, b; init a; trans
  a -> b { guard x < 3 && x >= 0; effect x = x + 1; },
  b -> a { guard x <= 3; };
}
system async;
'''


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.refers, self.text, self.tags = [], set(), set(), [], []
        self.problems = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name == 'id':
                self.ids.add(value)
            if name in ('href', 'src', 'xlink:href', 'action', 'data'):
                self.problems.append(f'<{tag} {name}={value}>')
            if name == 'for' or name.startswith('aria-labelledby'):
                self.refers.add(value)
            if name.startswith('on'):
                self.problems.append(f'<{tag} {name}>')
            if value and re.search(r'url\(|https?:', value):
                self.problems.append(f'<{tag} {name}={value}>')
        if tag == 'script':
            self.problems.append('a script')
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f'</{tag}> does not match')

    def handle_data(self, data):
        if self.open and self.open[-1] == 'style' and re.search(r'url\(|@import|https?:', data):
            self.problems.append('a style from elsewhere')
        self.text.append(data)


def read(path):
    data = open(path, encoding='utf-8').read()
    page = Reader()
    page.feed(data)
    page.close()
    assert not page.open, f'{path}: {page.open} are open'
    assert not page.problems, f'{path}: {page.problems}'
    assert page.refers <= page.ids, f'{path}: {page.refers - page.ids} are not there'
    assert len(data) <= MOST_BYTES, f'{path}: {len(data)} bytes'
    assert 'nan' not in re.findall(r'[a-z]+', ''.join(re.findall(r'points="[^"]*"', data)))
    page.all = ''.join(page.text)
    page.data = data
    return page


def verdict(page):
    return re.search(r'<p class=verdict>([^<]*)</p>', page.data).group(1)


def run(tool, *args, status=0):
    got = subprocess.run([tool, *args], capture_output=True, text=True)
    assert got.returncode == status, f'{args}: {got.returncode}\n{got.stderr}'
    return got


def square():
    """Of SIDE times SIDE states, level by level from one corner to the other."""
    return ('int x;\nint y;\nprocess P { state s; init s; trans\n'
            f'  s -> s {{ guard x < {SIDE - 1}; effect x = x + 1; }},\n'
            f'  s -> s {{ guard y < {SIDE - 1}; effect y = y + 1; }};\n}}\nsystem async;\n')


def blank(png):
    """Whether a picture (8 bits, no interlace) has one colour only in its middle."""
    data, at, rows = open(png, 'rb').read(), 8, b''
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        if kind == b'IHDR':
            width, height, _, colour = struct.unpack('>IIBB', data[at + 8:at + 18])
        if kind == b'IDAT':
            rows += data[at + 8:at + 8 + size]
        at += size + 12
    raw = zlib.decompress(rows)
    step = width * {2: 3, 6: 4}[colour] + 1
    # Filtered bytes: a plain line has nothing but zeros behind its first pixel.
    lines = [raw[i * step + 1 + 8:(i + 1) * step] for i in range(height)]
    return sum(any(line) for line in lines) < height // 20


def show(path, folder):
    browser = shutil.which('chromium') or shutil.which('chromium-browser')
    if browser is None:
        print('no chromium: the page was not shown')
        return
    png = os.path.join(folder, 'page.png')
    got = subprocess.run(
        [browser, '--headless=new', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr',
         f'--user-data-dir={folder}/browser', '--window-size=900,2400', f'--screenshot={png}',
         f'file://{path}'], capture_output=True, text=True, timeout=120)
    assert os.path.exists(png), got.stderr[-2000:]
    said = [line for line in got.stderr.splitlines() if 'CONSOLE' in line]
    assert not said, said
    assert not blank(png), 'the page is blank'


def holds(tool, folder):
    model = os.path.join(folder, "a'<b>&.dve")
    open(model, 'w').write(HOSTILE)
    path = os.path.join(folder, 'holds.html')
    run(tool, 'check', '--invariant', 'x < 5 && x >= 0', '--reach', 'x > 4', model, status=64)
    run(tool, 'check', '--invariant', 'x < 5 && x >= 0', '--report', path, model,
        '--work', os.path.join(folder, 'h'))
    page = read(path)
    assert verdict(page) == 'holds'
    assert 'x < 5 && x >= 0' in page.all and "a'<b>&.dve" in page.all
    assert 'refresh' not in page.data


def violated(tool, folder, models):
    path = os.path.join(folder, 'violated.html')
    run(tool, 'check', '--report', path, os.path.join(models, 'philosophers.dve'),
        '--work', os.path.join(folder, 'v'), status=1)
    page = read(path)
    assert verdict(page) == 'violated'
    rows = re.findall(r'<tr[^>]*><td class=n>(\d+|!)</td>', page.data)
    assert rows[0] == '0' and rows[-1] == '!' and len(rows) > 3, rows
    assert 'no step leads out of this state' in page.all
    # A long trace is cut in the middle.
    model = os.path.join(folder, 'long.dve')
    open(model, 'w').write('int x;\nprocess P { state s; init s; trans\n'
                           '  s -> s { guard x < 2000; effect x = x + 1; };\n}\nsystem async;\n')
    run(tool, 'check', '--report', path, model, '--work', os.path.join(folder, 'v'), status=1)
    page = read(path)
    assert '1,751 steps are left out here' in page.all
    assert 'x=149' in page.all and 'x=150 ' not in page.all and 'x=1901' in page.all
    # The path is one that no page can be written to.
    run(tool, 'check', '--report', '-', model, status=64)
    run(tool, 'check', '--report', path, '--json', path, model, status=64)
    return path


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, 'it takes too long'
        time.sleep(0.05)


def stopped(tool, folder):
    """Running, asked for by a signal, killed, resumed with its history, stopped, and finished."""
    model = os.path.join(folder, 'wide.dve')
    open(model, 'w').write(square())
    path, work = os.path.join(folder, 'stopped.html'), os.path.join(folder, 's')
    options = ['--engine', 'explicit', '--ram', '8M', '--checkpoint', 'level', '--duty', '40']
    process = subprocess.Popen([tool, 'check', *options, '--report', path, '--work', work, model],
                               stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    history = os.path.join(work, 'page.history')
    wait_for(lambda: os.path.exists(path) and os.path.exists(history))
    first = os.stat(path).st_ino
    assert verdict(read(path)) == 'running'
    assert 'refresh' in read(path).data
    process.send_signal(signal.SIGUSR1)
    wait_for(lambda: os.stat(path).st_ino != first)
    time.sleep(0.5)
    process.kill()
    process.wait()
    assert verdict(read(path)) == 'running'
    check_levels(history)
    for _ in range(2):
        run(tool, 'resume', work, '--time', '1s', status=75)
        check_levels(history)
    page = read(path)
    assert verdict(page) == 'not decided'
    assert 'xmc-lite resume' in page.all and 'is not known here' not in page.all
    assert len(re.findall('class=resume ', page.data)) >= 2

    # A damaged history is no error.
    text = open(history, 'rb').read()
    open(history, 'wb').write(text[:-30])
    result = os.path.join(folder, 'result.json')
    run(tool, 'resume', work, '--time', '1h', '--duty', '100', '--checkpoint', 'off',
        '--json', result, status=1)
    page = read(path)
    assert verdict(page) == 'violated' and 'is not known here' in page.all
    assert json.load(open(result))['stats']['states'] == SIDE * SIDE


def check_levels(path):
    """All levels from the first one on are in the history, with their true sizes."""
    line = next(line for line in open(path) if line.startswith('levels '))
    first, step, in_last, *bins = (int(n) for n in line.split()[1:])
    assert first == 0 and bins, line
    for i, states in enumerate(bins):
        end = i * step + (step if i + 1 < len(bins) else in_last)
        sizes = [min(n + 1, 2 * SIDE - 1 - n) for n in range(i * step, end)]
        assert states == sum(sizes), f'levels {i * step} to {end}: {states}, not {sum(sizes)}'


def unwritable(tool, folder):
    """A page that cannot be written in the middle of a run does not end it."""
    if os.geteuid() == 0:
        place = os.path.join(folder, 'gone')
        os.mkdir(place)
        model = os.path.join(folder, 'wide.dve')
        path = os.path.join(place, 'page.html')
        work = os.path.join(folder, 'u')
        options = ['check', '--engine', 'explicit', '--ram', '8M', '--checkpoint', 'off', '--duty',
                   '40', '--report', path, '--work', work, model]
        process = subprocess.Popen([tool, *options], stderr=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, text=True)
        wait_for(lambda: os.path.exists(path))
        shutil.rmtree(place)
        process.send_signal(signal.SIGUSR1)
        time.sleep(0.7)
        assert process.poll() is None, 'the run has ended'
        os.mkdir(place)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 1, said
        assert 'could not be written for a while' in said, said
        assert verdict(read(path)) == 'violated'

        # A run that can go on says so, whatever becomes of its page.
        options[options.index('off')] = 'level'
        process = subprocess.Popen([tool, *options, '--time', '2s'], stderr=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, text=True)
        wait_for(lambda: os.path.exists(os.path.join(work, 'page.history')))
        shutil.rmtree(place)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 75 and 'the report is lost' in said, said
        run(tool, 'resume', work, '--report', os.path.join(folder, 'late.html'), '--duty', '100',
            '--checkpoint', 'off', '--time', '1h', status=1)
        assert verdict(read(os.path.join(folder, 'late.html'))) == 'violated'


def main():
    tool, models = (os.path.abspath(arg) for arg in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        holds(tool, folder)
        path = violated(tool, folder, models)
        stopped(tool, folder)
        unwritable(tool, folder)
        show(path, folder)
        show(os.path.join(folder, 'stopped.html'), folder)
    print('pages are sound')


if __name__ == '__main__':
    main()
