#!/usr/bin/env python3
"""The static tool stays under the size that README names, on the target that was built.

  size.py TARGET LIMIT BINARY [STRIP]

Without STRIP the file counts as it is; with it, a copy without symbols does, for builds that leave
them in.
"""
import os
import subprocess
import sys
import tempfile

target, limit, binary, strip = (sys.argv[1:] + [''])[:4]
with tempfile.TemporaryDirectory() as folder:
    if strip:
        stripped = os.path.join(folder, 'stripped')
        subprocess.run([strip, '-o', stripped, binary], check=True)
        binary = stripped
    size = os.path.getsize(binary)
print(f'{target}: {size} bytes, the limit is {limit}')
sys.exit(0 if size < int(limit) else 1)
