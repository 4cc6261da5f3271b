#!/usr/bin/env python3
"""The static tool stays under the size that README names for the target that was built.

  size.py PROCESSOR BINARY [--llfio] [--strip PROGRAM]

The file counts as it is; with --strip, a copy without symbols does, for builds that leave them in.
"""
import argparse
import os
import subprocess
import sys
import tempfile

LIMIT_BYTES = 3_000_000
# 64-bit numbers are pairs of registers there, and its C library has twice the unwind tables.
LIMIT_BY_PROCESSOR = {'i686': 3_400_000}
# LLFIO, what it needs of the C++ library's file system, and scanf.
LLFIO_BYTES = 300_000


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('processor')
    parser.add_argument('binary')
    parser.add_argument('--llfio', action='store_true')
    parser.add_argument('--strip')
    args = parser.parse_args()
    limit = LIMIT_BY_PROCESSOR.get(args.processor, LIMIT_BYTES)
    if args.llfio: limit += LLFIO_BYTES
    binary = args.binary
    with tempfile.TemporaryDirectory() as folder:
        if args.strip:
            binary = os.path.join(folder, 'stripped')
            subprocess.run([args.strip, '-o', binary, args.binary], check=True)
        size = os.path.getsize(binary)
    print(f'{args.processor}: {size} bytes, the limit is {limit}')
    sys.exit(0 if size < limit else 1)


if __name__ == '__main__': main()
