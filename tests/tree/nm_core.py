#!/usr/bin/env python3
"""The archive of engines and stores must not refer to an allocator, to threads or to the exception
runtime.

  nm_core.py NM ARCHIVE
"""
import re
import subprocess
import sys

FORBIDDEN = re.compile(r'''^(
    malloc | calloc | realloc | reallocarray | free
  | memalign | aligned_alloc | posix_memalign | valloc
  | strdup | strndup | asprintf | vasprintf | getline | fopen | fdopen | opendir | sbrk | brk
  | pthread_.* | __pthread.* | sem_.*                       # threads are platform/'s
  | _Zn[wa].* | _Zd[la].*                                   # operator new and delete
  | __cxa_(throw|rethrow|begin_catch|end_catch|allocate_exception|free_exception|bad_cast).*
  | __gxx_personality.* | _Unwind_.* | __aeabi_unwind_cpp_pr1 | _ZSt\d+__throw_.*
  | _ZSt9terminatev | _ZTI.* | __dynamic_cast
)$''', re.VERBOSE)


def undefined(nm, archive):
    """(member, symbol) of each reference that the archive itself does not satisfy."""
    text = subprocess.run([nm, archive], capture_output=True, text=True, check=True).stdout
    member, wanted, defined = '', [], set()
    for line in text.splitlines():
        if line.endswith(':'):
            member = line[:-1]
            continue
        parts = line.split()
        if len(parts) < 2:
            continue
        kind, symbol = parts[-2], parts[-1]
        if kind in 'Uw':
            wanted.append((member, symbol))
        else:
            defined.add(symbol)
    return [(m, s) for m, s in wanted if s not in defined], len(defined)


def main():
    for symbol in ('malloc', 'pthread_create', '_Znwm', '_Znwj', '_ZdlPvm', '__cxa_throw',
                   '_ZSt20__throw_length_errorPKc'):
        assert FORBIDDEN.match(symbol), symbol
    for symbol in ('memcpy', 'vsnprintf', '_ZN3xmc5Arena4sealEv', '__cxa_pure_virtual', 'freeze'):
        assert not FORBIDDEN.match(symbol), symbol
    references, defined = undefined(sys.argv[1], sys.argv[2])
    bad = sorted((m, s) for m, s in references if FORBIDDEN.match(s))
    for member, symbol in bad:
        print(f'{member}: refers to {symbol}')
    wanted = len({symbol for _, symbol in references})
    print(f'{defined} symbols defined, {wanted} referred to, {len(bad)} forbidden')
    sys.exit(1 if bad or defined == 0 else 0)


main()
