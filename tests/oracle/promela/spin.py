"""SPIN's answers to a Promela model: what pan counts, and whether it finds a violation."""
import os
import re
import shutil
import subprocess
import tempfile

from run_binary import scratch

GENERATE = ['spin', '-a', '-o1', '-o2', '-o3', 'm.pml']
BUILD = ['-w', '-O0', '-DNOREDUCE', '-o', 'pan', 'pan.c']
DEPTH = '-m500000'


class Refused(Exception):
    """SPIN does not take the model, or pan comes to no end; the text says why."""


class Pan:
    """A folder with pan.c of a model. `with Pan(path, 'gcc') as pan: ...`"""

    def __init__(self, path, compiler):
        self.compiler = compiler
        self.place = tempfile.TemporaryDirectory(dir=scratch())
        self.folder = self.place.name
        shutil.copy(path, os.path.join(self.folder, 'm.pml'))

    def __enter__(self):
        try:
            made = self.run(GENERATE)
            if made.returncode != 0 or not os.path.exists(os.path.join(self.folder, 'pan.c')) \
                    or 'rror' in made.stdout:
                raise Refused('spin: ' + first_line(made.stdout + made.stderr))
        except BaseException:
            self.place.cleanup()
            raise
        return self

    def __exit__(self, *unused): self.place.cleanup()

    def run(self, command):
        try:
            return subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                                  errors='replace', timeout=120)
        except subprocess.TimeoutExpired:
            raise Refused(command[0] + ': no answer in 120 s') from None

    def ask(self, flags, options, died_is_error=False):
        """(states, transitions, errors) of a pan built with these flags."""
        built = self.run([self.compiler] + BUILD + flags)
        if built.returncode != 0: raise Refused(self.compiler + ': ' + first_line(built.stderr))
        run = self.run(['./pan', DEPTH, '-w16', '-n'] + options)
        if run.returncode < 0 and died_is_error: return None, None, 1
        numbers = re.search(r'(\d+) states, stored.*?(\d+) transitions', run.stdout, re.S)
        errors = re.search(r'errors: (\d+)', run.stdout)
        if not numbers or not errors or 'max search depth too small' in run.stdout:
            raise Refused('pan: ' + first_line(run.stdout + run.stderr))
        # The arrival at the initial state is a transition of SPIN's.
        return int(numbers.group(1)), int(numbers.group(2)) - 1, int(errors.group(1))

    def safety(self):
        """Goes on after violations."""
        return self.ask(['-DSAFETY', '-DNOCLAIM'], ['-c0'])

    def first_violation(self):
        """For models with run-time errors, behind which pan's counts mean nothing."""
        return self.ask(['-DSAFETY', '-DNOCLAIM'], [], died_is_error=True)[2]

    def product(self):
        """With the claim, without a search for cycles."""
        return self.ask([], ['-c0', '-A', '-E'])

    def cycles(self, has_claim):
        """Whether there is an acceptance cycle, or another violation with a claim. Without a
        claim, violations of other kinds are left out."""
        return self.ask([], ['-a'] + ([] if has_claim else ['-A', '-E']))[2]

    def progress(self):
        return self.ask(['-DNP', '-DNOCLAIM'], ['-l', '-A', '-E'])[2]


def first_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    wanted = [line for line in lines if 'rror' in line] or lines or ['']
    return wanted[0][:160]
