#!/usr/bin/env python3
"""The stripped static tool stays under 2 MiB.

  size.py STRIP BINARY
"""
import os
import subprocess
import sys
import tempfile

LIMIT_BYTES = 2 << 20

with tempfile.TemporaryDirectory() as folder:
    stripped = os.path.join(folder, 'stripped')
    subprocess.run([sys.argv[1], '-o', stripped, sys.argv[2]], check=True)
    size = os.path.getsize(stripped)
print(f'{size} bytes stripped, the limit is {LIMIT_BYTES}')
sys.exit(0 if size < LIMIT_BYTES else 1)
