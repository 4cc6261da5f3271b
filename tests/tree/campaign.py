"""A number of cases, shared out over jobs of every engine: what misplaced.py and stops.py have in
common."""
import argparse
import collections
import concurrent.futures
import random

from kill import Failure


def arguments(count):
    """A parser; `count` is the name of the option that says how many cases there are."""
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument(count, dest='count', type=int, default=60)
    parser.add_argument('--seed', type=int, default=None)
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--only', default='', help='part of the name of an engine')
    parser.add_argument('--tally', help='file for the table of typed.py')
    return parser


def run(args, jobs, run_job):
    """run_job(job, engine, seed, cases) gives counts. Their sums by engine, and the jobs that went
    wrong."""
    seed = args.seed if args.seed is not None else random.randrange(1 << 32)
    print(f'seed {seed}', flush=True)
    jobs = [pair for pair in jobs if args.only in pair[1]]
    random.Random(seed).shuffle(jobs)
    shares = [args.count // len(jobs) + (i < args.count % len(jobs)) for i in range(len(jobs))]
    sums = collections.defaultdict(collections.Counter)
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        waiting = {pool.submit(run_job, job, engine, seed * 1000 + i, share): engine
                   for i, ((job, engine), share) in enumerate(zip(jobs, shares)) if share > 0}
        for done in concurrent.futures.as_completed(waiting):
            try:
                sums[waiting[done]] += done.result()
            except Failure as failure:
                wrong += 1
                print(f'wrong: {failure}', flush=True)
    return sums, wrong
