"""The engines of a tool, from its registry: a new one is in every list until the list says why
not."""
import functools
import json
import os
import subprocess

# These search products as well as reachable states.
OF_BOTH = {'ram', 'auto', 'explicit', 'symbolic'}


@functools.lru_cache(maxsize=None)
def version(tool):
    done = subprocess.run([os.path.abspath(tool), 'version', '--json', '-'],
                          stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def names(tool):
    """In the order of the manual."""
    return ['auto', *version(tool)['engines']]


def of_cycles(tool):
    """Those that look for accepting cycles only."""
    return set(version(tool)['cycle_engines'])


def of_safety(tool):
    """Those that search for reachable states only, most of them in files."""
    return set(names(tool)) - of_cycles(tool) - OF_BOTH - {'live'}


def least_ram(tool, engine):
    """A --ram that keeps little in memory; None where all of it is."""
    if engine in of_cycles(tool): return '5M'
    return '4M' if engine in of_safety(tool) | {'symbolic'} else None


def chosen(tool, words):
    """The engines of an option: names with commas between. `all` are all of them, `safety` those of
    of_safety(), and `-name` leaves one out."""
    out = []
    for word in words.split(','):
        if word == 'all':
            out += names(tool)
        elif word == 'safety':
            out += [name for name in names(tool) if name in of_safety(tool)]
        elif word.startswith('-'):
            out.remove(word[1:])
        else:
            out.append(word)
    return out
