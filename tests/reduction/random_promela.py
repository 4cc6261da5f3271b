#!/usr/bin/env python3
"""Random Promela models, reduced, against the whole ones.

  random_promela.py CHECK_PROMELA [--steps] [--count 500] [--seed 1] [--without RULE]
                    [--most STATES]

Makes models of seeds `seed` and the following ones and has them checked in one go. Says what the
checker says, and ends with its status.
"""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'oracle', 'promela'))
sys.path.insert(0, os.path.join(HERE, '..', 'oracle'))
from gen_promela import generate  # noqa: E402
from run_binary import scratch  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('checker')
    parser.add_argument('--count', type=int, default=500)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--without')
    parser.add_argument('--steps', action='store_true')
    parser.add_argument('--most', type=int, default=2000)
    options = parser.parse_args()
    print('seeds %d to %d' % (options.seed, options.seed + options.count - 1), flush=True)
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        names = []
        for seed in range(options.seed, options.seed + options.count):
            names.append(os.path.join(folder, 'seed-%d.pml' % seed))
            with open(names[-1], 'w') as file: file.write(generate(seed)[0])
        more = ['--without', options.without] if options.without else []
        if options.steps: more.append('--steps')
        command = [options.checker, '--most', str(options.most)] + more + names
        return subprocess.run(command).returncode


if __name__ == '__main__':
    sys.exit(main())
