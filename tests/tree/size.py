#!/usr/bin/env python3
"""The static tool stays under the 2 MB that README names, on the target that was built.

  size.py TARGET BINARY [STRIP]

Without STRIP the file counts as it is; with it, a copy without symbols does, for builds that leave
them in.
"""
import os
import subprocess
import sys
import tempfile

LIMIT_BYTES = 2_000_000

target, binary, strip = (sys.argv[1:] + [''])[:3]
with tempfile.TemporaryDirectory() as folder:
    if strip:
        stripped = os.path.join(folder, 'stripped')
        subprocess.run([strip, '-o', stripped, binary], check=True)
        binary = stripped
    size = os.path.getsize(binary)
print(f'{target}: {size} bytes, the limit is {LIMIT_BYTES}')
sys.exit(0 if size < LIMIT_BYTES else 1)
