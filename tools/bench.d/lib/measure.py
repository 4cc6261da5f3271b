"""Running a program and what it cost, seen from outside."""
import os
import shlex
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

# Peak memory comes from GNU time: the kernel counts the memory of the process that forks into the
# maximum of its child, and that of a Python interpreter is larger than a small check.
TIME = shutil.which('time', path='/usr/bin')


@dataclass
class Run:
    """One finished process."""
    command: list
    code: int
    out: str
    err: str
    cpu: float          # user + system seconds
    wall: float
    peak: int           # bytes of VmHWM, 0 when GNU time is not there
    killed: bool = False  # after its timeout; cpu is then unknown
    result: dict = field(default_factory=dict)  # what --json said, for runs of the tool

    @property
    def line(self):
        return shlex.join(self.command)


@dataclass
class Sample:
    """The runs of one program: medians, and how far apart they were."""
    runs: list

    def median(self, what):
        return statistics.median(getattr(run, what) for run in self.runs)

    @property
    def cpu(self):
        return self.median('cpu')

    @property
    def wall(self):
        return self.median('wall')

    @property
    def peak(self):
        return max(run.peak for run in self.runs)

    @property
    def spread(self):
        """Distance of the extremes of CPU time over the median."""
        values = [run.cpu for run in self.runs]
        return (max(values) - min(values)) / self.cpu if self.cpu else 0.0

    @property
    def first(self):
        return self.runs[0]


def run_once(command, cwd=None, group=None, timeout=None, memory=True):
    """Runs a command to its end. With a group, inside that memory control group."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, \
            tempfile.NamedTemporaryFile('r') as peak_file:
        prefix = [TIME, '-q', '-o', peak_file.name, '-f', '%M'] if memory and TIME else []
        start = time.perf_counter()
        # A session of its own, so that GNU time and the program under it end together.
        process = subprocess.Popen(prefix + list(command), cwd=cwd, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, start_new_session=True,
                                   preexec_fn=group.enter if group else None)
        try:
            usage, killed = wait(process, timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        wall = time.perf_counter() - start
        peak = peak_file.read().split()
        return Run(list(command), process.returncode, contents(out), contents(err),
                   usage.ru_utime + usage.ru_stime, wall, int(peak[-1]) << 10 if peak else 0,
                   killed)


def wait(process, timeout):
    """Like Popen.wait, with the resources that the process and its children used, and whether it
    had to be killed."""
    deadline = time.monotonic() + timeout if timeout else None
    killed = False
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG if deadline else 0)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage, killed
        if time.monotonic() > deadline:
            os.killpg(process.pid, signal.SIGKILL)
            deadline, killed = None, True
        time.sleep(0.01)


def contents(file):
    file.seek(0)
    return file.read().decode('utf-8', 'replace')


def in_turn(actions, repeat):
    """Label to Sample, for a dict of label to function that makes one Run. A B A B, not A A B B."""
    runs = {label: [] for label in actions}
    for _ in range(repeat):
        for label, action in actions.items():
            runs[label].append(action())
    return {label: Sample(found) for label, found in runs.items()}
