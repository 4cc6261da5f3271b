#!/usr/bin/env python3
"""The completions of the tool, asked in the shells themselves.

  completion.py TOOL

bash has to be there; zsh and fish are asked where they are installed (tools/need test).
"""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

# A command line up to the cursor, and which words are offered then, all or among others. The
# folder has m.dve, notes.txt, and a folder w with nothing in it.
ALL, SOME, NONE = 'all', 'some', 'none'
CASES = [
    ('xmc-lite --engine d', ALL, ['dddd', 'diagram', 'disk', 'double-dfs']),
    ('xmc-lite plan --engine s', ALL, ['serial', 'symbolic']),
    ('xmc-lite check --deadlock st', ALL, ['stuck', 'stuttering']),
    ('xmc-lite --checkpoint l', ALL, ['level']),
    ('xmc-lite trace w --format ', ALL, ['text', 'msc', 'svg', 'itf', 'vcd', 'dot', 'steps']),
    ('xmc-lite re', ALL, ['resume']),
    ('xmc-lite m', SOME, ['m.dve']),
    ('xmc-lite --re', ALL, ['--reach', '--reduce', '--report']),
    ('xmc-lite resume --th', ALL, ['--threads']),
    ('xmc-lite resume --engi', NONE, ['--engine']),
    ('xmc-lite --json n', SOME, ['notes.txt']),
    ('xmc-lite resume ', SOME, ['w/']),
    ('xmc-lite --work ', NONE, ['notes.txt']),
    ('xmc-lite help si', ALL, ['simulate']),
    ('xmc-lite version ', NONE, ['notes.txt', 'm.dve']),
]


def run(words, **how):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=60, check=False, **how)


def ask_bash(script, folder, line):
    words = line.split(' ')
    code = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _xmc_lite; '
            'printf "%s\\n" "${COMPREPLY[@]}"')
    done = run(['bash', '-c', code, 'bash', script] + words, cwd=folder)
    assert done.stderr == '', done.stderr
    # Readline puts the slash behind folders.
    return [w + '/' if os.path.isdir(os.path.join(folder, w)) else w
            for w in done.stdout.split('\n') if w]


def ask_fish(script, folder, line):
    done = run(['fish', '-N', '-c', f"source {script}; complete -C '{line}'"], cwd=folder)
    assert done.stderr == '', done.stderr
    return [answer.split('\t')[0] for answer in done.stdout.split('\n') if answer]


class Zsh:
    """A shell on a terminal of its own. Whatever is typed is completed by listing."""

    def __init__(self, script, folder):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM='dumb', COLUMNS='300', LINES='200', PS1='')
            os.execvp('zsh', ['zsh', '-f', '-i'])
        self.say('stty -echo cols 300 rows 200; unsetopt zle prompt_sp; PS1=; PS2=\n')
        self.say('zmodload zsh/complist; autoload -U compinit; compinit -D -u; LISTMAX=1000\n')
        self.say(f'fpath=({os.path.dirname(script)} $fpath); autoload -U _xmc-lite; '
                 'compdef _xmc-lite xmc-lite\n')
        # Instead of a menu: the words that would be offered, between two marks.
        self.say("compadd() { local -a found; builtin compadd -O found \"$@\"; "
                 "for w in $found; do print -r -- \"<<$w>>\" >>$answers; done; "
                 "builtin compadd \"$@\" }\n")
        self.say("setopt zle; zstyle ':completion:*' verbose no\n")
        self.answers = os.path.join(os.path.dirname(script), 'answers')
        self.say(f'answers={self.answers}; print ready:$((1+1))\n', 'ready:2')

    def say(self, text, wait=None):
        os.write(self.fd, text.encode())
        got = ''
        end = time.time() + (20 if wait else 0.3)
        while time.time() < end and not (wait and wait in got):
            if select.select([self.fd], [], [], 0.1)[0]:
                got += os.read(self.fd, 65536).decode(errors='replace')
        assert not wait or wait in got, got
        return got

    def ask(self, folder, line):
        with open(self.answers, 'w', encoding='utf-8'):
            pass
        self.say(line + '\t')
        end = time.time() + 5
        words = []
        while time.time() < end and not words:
            time.sleep(0.3)
            with open(self.answers, encoding='utf-8') as file:
                words = re.findall(r'<<(.*?)>>', file.read())
        self.say('\x15')  # the line goes
        return [w + '/' if os.path.isdir(os.path.join(folder, w)) else w for w in words]


def check(shell, line, which, words, offered):
    if which == NONE:
        good = not set(words) & set(offered)
    elif which == ALL:
        good = sorted(set(offered)) == sorted(words)
    else:
        good = set(words) <= set(offered)
    if not good:
        print(f'{shell}: {line!r} offers {offered}, not {which} of {words}')
    return good


def main():
    tool = os.path.abspath(sys.argv[1])
    scripts = {'bash': 'xmc-lite.bash', 'zsh': '_xmc-lite', 'fish': 'xmc-lite.fish'}
    failures = asked = 0
    with tempfile.TemporaryDirectory() as top:
        folder = os.path.join(top, 'here')
        os.makedirs(os.path.join(folder, 'w'))
        for name in ('m.dve', 'notes.txt'):
            with open(os.path.join(folder, name), 'w', encoding='utf-8'):
                pass
        engines = json.loads(run([tool, 'version', '--json', '-']).stdout)['engines']
        cases = CASES + [('xmc-lite --engine ', ALL, ['auto', *engines])]
        os.environ['HOME'] = top
        # The scripts ask the tool by its name for its engines.
        os.symlink(tool, os.path.join(top, 'xmc-lite'))
        os.environ['PATH'] = top + os.pathsep + os.environ['PATH']
        for shell, name in scripts.items():
            if not shutil.which(shell):
                print(f'{shell} is not there')
                continue
            script = os.path.join(top, name)
            with open(script, 'w', encoding='utf-8') as file:
                file.write(run([tool, 'help', '--' + shell]).stdout)
            session = Zsh(script, folder) if shell == 'zsh' else None
            for line, which, words in cases:
                if session:
                    offered = session.ask(folder, line)
                else:
                    offered = (ask_bash if shell == 'bash' else ask_fish)(script, folder, line)
                failures += not check(shell, line, which, words, offered)
                asked += 1
            if session:
                os.close(session.fd)
                os.waitpid(session.pid, 0)
    print(f'{asked} questions, {failures} wrong answers')
    sys.exit(1 if failures or asked < len(cases) else 0)


if __name__ == '__main__':
    main()
