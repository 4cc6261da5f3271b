"""A memory control group for disk figures: with --ram + 8 MiB in all, the page cache included, no
page cache can flatter them."""
import os
import time

V1 = '/sys/fs/cgroup/memory'
V2 = '/sys/fs/cgroup'


class MemoryGroup:
    """Use with `with`. `note` is empty when the limit is in force, else why it is not."""

    def __init__(self, limit_bytes):
        self.limit = limit_bytes
        self.path = ''
        self.note = ''

    def __enter__(self):
        try:
            self.create()
        except OSError as error:
            self.note = f'no memory control group ({error.strerror.lower()})'
            self.remove()
        return self

    def __exit__(self, *_):
        self.remove()

    def create(self):
        if os.path.exists(os.path.join(V1, 'memory.limit_in_bytes')):
            self.path = os.path.join(own_v1(), f'bench-{os.getpid()}')
            os.mkdir(self.path)
            self.write('memory.limit_in_bytes', self.limit)
            return
        if not os.path.exists(os.path.join(V2, 'cgroup.controllers')):
            self.note = 'no memory control group (not mounted)'
            return
        # A group below our own may not limit memory while processes live in ours (the rule of no
        # inner processes), so it is made beside it.
        self.path = os.path.join(os.path.dirname(own_v2()), f'bench-{os.getpid()}')
        os.mkdir(self.path)
        self.write('memory.max', self.limit)
        if os.path.exists(os.path.join(self.path, 'memory.swap.max')):
            self.write('memory.swap.max', 0)

    def write(self, name, value):
        with open(os.path.join(self.path, name), 'w', encoding='ascii') as file:
            file.write(str(value))

    def enter(self):
        """Called in the child, between fork and exec."""
        if self.path:
            self.write('cgroup.procs', os.getpid())

    def remove(self):
        for _ in range(20):  # the kernel takes a moment to forget the last process
            if not self.path:
                return
            try:
                os.rmdir(self.path)
            except FileNotFoundError:
                pass
            except OSError:
                time.sleep(0.05)
                continue
            self.path = ''
        self.path = ''


def own_group(controller):
    """Path of our group in a hierarchy, as /proc says; / when it is not visible here."""
    with open('/proc/self/cgroup', encoding='ascii') as file:
        for line in file:
            _, names, path = line.rstrip('\n').split(':', 2)
            if controller in names.split(','):
                return path
    return '/'


def below(root, path):
    found = os.path.join(root, path.lstrip('/'))
    return found if os.path.isdir(found) else root


def own_v1():
    return below(V1, own_group('memory'))


def own_v2():
    found = below(V2, own_group(''))
    return found if found != V2 else os.path.join(V2, 'self')
