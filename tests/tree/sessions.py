#!/usr/bin/env python3
"""The sessions that the documents show are what the tool prints.

  sessions.py TOOL FILE.md... [--update]

A session is a fenced block marked ```session. Its lines that begin with `$ ` are commands, the
lines below each are what it prints on both channels. The sessions of a document are one: they run
in one shell, in a folder of their own that has the models of ports/examples, with TOOL as
xmc-lite.
Figures that depend on the machine or on the size of the program (lines that begin with a word of
MACHINE, and what they are continued with) are compared without their numbers. --update writes what
was printed into the documents; read the difference before you believe it.
"""
import argparse
import difflib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BLOCK = re.compile(r'^```session\n(.*?)^```$', re.MULTILINE | re.DOTALL)
MACHINE = ('time', 'plan', 'work', 'device', 'sample', 'forecast', 'split', 'flash', 'not decided:',
           'resume', 'run')
MARK = '\x01'


def steps_of(block):
    """[(command, what it prints)] of a session's text."""
    out = []
    for line in block.splitlines():
        if line.startswith('$ '):
            out.append((line[2:], []))
        elif out:
            out[-1][1].append(line)
        else:
            raise SystemExit(f'a session begins with output: {line!r}')
    return out


def printed(tool, commands):
    """What each command prints, as lists of lines."""
    with tempfile.TemporaryDirectory() as folder:
        bin_folder, here = os.path.join(folder, 'bin'), os.path.join(folder, 'here')
        os.mkdir(bin_folder)
        os.mkdir(here)
        os.symlink(os.path.abspath(tool), os.path.join(bin_folder, 'xmc-lite'))
        for path in glob.glob(os.path.join(TOP, 'ports', 'examples', '*.dve')):
            shutil.copy(path, here)
        # `echo $?` after a command still finds its status.
        mark = f'status=$?; printf "\\n{MARK}\\n"; (exit $status)\n'
        script = os.path.join(folder, 'script')
        with open(script, 'w', encoding='utf-8') as file:
            file.writelines(mark + command + '\n' for command in commands)
        run = subprocess.run(['bash', script], stdin=subprocess.DEVNULL, text=True, cwd=here,
                             timeout=600, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env=dict(os.environ, PATH=bin_folder + ':' + os.environ['PATH'],
                                      LC_ALL='C.UTF-8', COLUMNS='80'))
    parts = run.stdout.split('\n' + MARK + '\n')[1:]
    return [part.rstrip('\n').split('\n') if part.strip('\n') else [] for part in parts]


def masked(lines):
    """The lines without what differs between machines."""
    out, machine = [], False
    for line in lines:
        if not line.startswith(' '):
            machine = line.startswith(MACHINE)
        if machine:
            line = re.sub(r'\d[\d,.]*( [KMG]?i?B\b)?', '#', line)
            line = re.sub(r' \(# bytes\)', '', line)
        out.append(line)
    return out


def check(tool, path, update):
    """Compares one document; the number of commands that print something else."""
    with open(path, encoding='utf-8') as file: text = file.read()
    blocks = [steps_of(block) for block in BLOCK.findall(text)]
    commands = [command for steps in blocks for command, _ in steps]
    if not commands: raise SystemExit(f'{path} shows no session')
    results = printed(tool, commands)
    if len(results) != len(commands):
        raise SystemExit(f'{path}: {len(results)} of {len(commands)} commands were run')
    wrong, rest = 0, iter(results)

    def again(match):
        nonlocal wrong
        lines = ['```session']
        for command, shown in steps_of(match.group(1)):
            real = next(rest)
            if masked(shown) != masked(real):
                wrong += 1
                print(f'{path}: $ {command}')
                print('\n'.join(difflib.unified_diff(masked(shown), masked(real), 'shown',
                                                     'printed', lineterm='')))
            else:
                real = shown
            lines += ['$ ' + command] + real
        return '\n'.join(lines + ['```'])

    new = BLOCK.sub(again, text)
    if update and new != text:
        with open(path, 'w', encoding='utf-8') as file: file.write(new)
    print(f'{path}: {len(commands)} commands, {wrong} print something else'
          + (', rewritten' if update and wrong else ''))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tool')
    parser.add_argument('documents', nargs='+')
    parser.add_argument('--update', action='store_true')
    args = parser.parse_args()
    wrong = sum(check(args.tool, path, args.update) for path in args.documents)
    sys.exit(1 if wrong and not args.update else 0)


if __name__ == '__main__': main()
