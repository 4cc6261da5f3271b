#!/usr/bin/env python3
"""Breaks each rule of tools/tidy.py in a small tree of its own and expects to be told."""
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIDY = os.path.join(TOP, 'tools', 'tidy.py')

CLEAN = {
    'CMakeLists.txt': 'xmc_library(xmc_core src/core src/engine)\nxmc_library(xmc_cli src/cli)\n'
                      'xmc_library(xmc_platform platform)\n',
    'README.md': 'A tree.\n',
    'include/README.md': 'Headers.\n',
    'include/xmc/types.h': '// Types.\n#pragma once\n',
    'platform/README.md': 'The OS.\n',
    'platform/clock.h': '#pragma once\n#include "xmc/types.h"\n',
    'platform/clock.cc': '#include "platform/clock.h"\n\n#include <unistd.h>\n',
    'src/ARCHITECTURE.md': 'Folders: `core`, `engine`, `cli`; `engine/ram.h`, `text.cc`.\n',
    'src/core/text.cc': '#include "xmc/types.h"\n#include <cstdio>\n'
                        'int f(char* p) { return std::snprintf(p, 1, "x"); }\n',
    'src/engine/ram.h': '#pragma once\n#include "xmc/types.h"\n',
    'src/engine/ram.cc': '#include "engine/ram.h"\n'
                         '// malloc(1) and throw in a comment are no calls\n'
                         'struct S { S(const S&) = delete; };\n'
                         'const char* text = "free(x) and new T in a string";\n'
                         'char* place(void* p) { return ::new (p) char; }\n'
                         "int big = 1'000'000;\n",
    'src/cli/main.cc': '#include "engine/ram.h"\n#include "platform/clock.h"\n',
    'tests/README.md': 'Tests.\n',
    'tests/CMakeLists.txt': 'add_library(xmc_test_main OBJECT unit/main.cc)\n',
    'tests/unit/main.cc': '#include <vector>\n',
    'tests/unit/core/text_test.cc': '#include <string>\nint* p = new int;\n',
    'tests/models/a.dve': '// expect: verdict=holds\n',
}


ODD = '`core` `engine` `cli` `odd`\n'


def product(line):
    return {'src/engine/more.cc': line + '\n'}


# (what is broken, files that replace or join the clean ones, place and words that must be printed)
BROKEN = [
    ('long line', product('// ' + 'x' * 98), 'src/engine/more.cc:1: 101 columns'),
    ('tab', product('\tint x;'), 'more.cc:1: tab'),
    ('trailing blank', product('int x; '), 'more.cc:1: blanks at the end'),
    ('no last newline', {'src/engine/more.cc': 'int x;'}, 'more.cc:1: no newline'),
    ('unfinished', product('// TO' 'DO: later'), 'more.cc:1: unfinished mark'),
    ('unfinished 2', product('// FIX' 'ME'), 'more.cc:1: unfinished mark'),
    ('unfinished 3', product('// X' 'XX'), 'more.cc:1: unfinished mark'),
    ('machine path', {'README.md': 'See /ho' 'me/me/x.\n'}, 'README.md:1: path of a machine'),
    ('malloc', product('void* p = malloc(1);'), 'more.cc:1: malloc: takes from the heap'),
    ('std::calloc', product('void* p = std::calloc(1, 1);'), 'more.cc:1: std::calloc: takes'),
    ('realloc', product('void* p = ::realloc(q, 1);'), 'more.cc:1: ::realloc'),
    ('free', product('void f() { free(p); }'), 'more.cc:1: free: takes from the heap'),
    ('new', product('int* p = new int;'), 'more.cc:1: new: takes'),
    ('delete', product('void f() { delete p; }'), 'more.cc:1: delete: nothing'),
    ('delete []', product('void f() {\n  delete[] p;\n}'), 'more.cc:2: delete: nothing'),
    ('printf', product('int x = printf("x");'), 'more.cc:1: printf: stdio'),
    ('fprintf', product('int x = std::fprintf(f, "x");'), 'more.cc:1: std::fprintf: stdio'),
    ('sprintf', product('int x = sprintf(p, "x");'), 'more.cc:1: sprintf: stdio'),
    ('snprintf', product('int x = snprintf(p, 1, "x");'), 'more.cc:1: snprintf: format'),
    ('memcpy', product('void f() { std::memcpy(p, q, 1); }'), 'more.cc:1: std::memcpy: unbounded'),
    ('memset', product('void f() { memset(p, 0, 1); }'), 'more.cc:1: memset: unbounded'),
    ('strcpy', product('void f() { strcpy(p, q); }'), 'more.cc:1: strcpy: unbounded'),
    ('rand', product('int x = rand();'), 'more.cc:1: rand: '),
    ('assert', product('void f() { assert(x); }'), 'more.cc:1: assert: use XMC_CHECK'),
    ('endl', product('auto& x = std::endl;'), 'more.cc:1: std::endl: not in product'),
    ('std::vector', product('std::vector<int> x;'), 'more.cc:1: std::vector: not in product'),
    ('throw', product('void f() { throw 1; }'), 'more.cc:1: throw: no exceptions'),
    ('try', product('void f() { try { } catch (...) { } }'), 'more.cc:1: try: no exceptions'),
    ('dynamic_cast', product('auto* p = dynamic_cast<T*>(q);'), 'more.cc:1: dynamic_cast: no RTTI'),
    ('typeid', product('auto& t = typeid(q);'), 'more.cc:1: typeid: no RTTI'),
    ('after a string',
     product('const char* s = "\\""; int* p = new int;'), 'more.cc:1: new: '),
    ('iostream', product('#include <iostream>'), 'more.cc:1: <iostream> is not for product code'),
    ('vector', product('#include <vector>'), 'more.cc:1: <vector> is not for product code'),
    ('OS header', product('#include <unistd.h>'), 'more.cc:1: <unistd.h>: headers of the system'),
    ('OS folder', product('#include <sys/stat.h>'), 'more.cc:1: <sys/stat.h>: headers'),
    ('upward include', product('#include "platform/clock.h"'),
     'more.cc:1: src/engine may not include platform/clock.h'),
    ('include in platform', {'platform/more.cc': '#include "engine/ram.h"\n'},
     'platform/more.cc:1: platform may not include src/engine/ram.h'),
    ('include of a test', {'src/cli/more.cc': '#include "tests/unit/main.cc"\n'},
     'src/cli/more.cc:1: src/cli may not include tests/unit/main.cc'),
    ('unknown folder',
     {'src/odd/a.cc': '#include "xmc/types.h"\n', 'src/ARCHITECTURE.md': ODD},
     'src/odd/a.cc:1: src/odd is not in the table'),
    ('missing include', product('#include "ram.h"'), 'more.cc:1: ram.h is not in'),
    ('no pragma', {'src/engine/ram.h': '#include "xmc/types.h"\n'},
     'src/engine/ram.h:1: #pragma once'),
    ('orphan header', {'src/engine/alone.h': '#pragma once\n'}, 'src/engine/alone.h:1: orphan'),
    ('orphan source', {'src/odd/a.cc': 'int x;\n', 'src/ARCHITECTURE.md': ODD},
     'src/odd/a.cc:1: orphan: CMakeLists.txt'),
    ('orphan test', {'tests/unit/core/text.cc': 'int x;\n'}, 'tests/unit/core/text.cc:1: orphan'),
    ('orphan model', {'tests/models/b.dve': 'system async;\n'}, 'tests/models/b.dve:1: orphan'),
    ('huge file', product('int x;\n' * 800), 'more.cc:1: 801 lines'),
    ('top level', {'docs/x.md': 'x\n'}, 'docs:1: not one of the agreed names'),
    ('no README', {'tools/x.py': 'x = 1\n'}, 'tools:1: no README.md'),
    ('folder not on the page', {'src/ARCHITECTURE.md': '`core`, `cli`, engine\n'},
     'src/ARCHITECTURE.md:1: does not mention src/engine'),
    ('no page', {'src/ARCHITECTURE.md': ''}, 'src/ARCHITECTURE.md:1: does not mention src/core'),
    ('wide page', {'README.md': 'x' * 121 + '\n'}, 'README.md:1: 121 columns, the limit is 120'),
    ('wide row', {'src/core/README.md': '| ' + 'x ' * 59 + '|\n'},
     'src/core/README.md:1: 121 columns'),
    ('long README', {'include/README.md': 'x\n' * 61}, 'include/README.md:1: 61 lines'),
    ('room without README', {f'src/core/{n}.cc': 'int x;\n' for n in 'abcde'},
     'src/core:1: no README.md'),
    ('room of a house', {f'src/engine/ram/{n}.cc': 'int x;\n' for n in 'abcdef'},
     'src/engine/ram:1: no README.md'),
    ('file that moved', {'README.md': 'Of `src/ram.h`.\n'}, 'README.md:1: src/ram.h is not in'),
    ('path that moved', {'src/core/README.md': 'x\n`core/ram.h`\n'},
     'src/core/README.md:2: core/ram.h is not in the tree'),
    ('name of no file', {'include/README.md': '`rom.h`\n'},
     'include/README.md:1: rom.h is not in the tree'),
    ('page that moved', {'README.md': '`src/README.md`\n'}, 'README.md:1: src/README.md is not'),
    ('version', {'CMakeLists.txt': CLEAN['CMakeLists.txt'] + 'project(a VERSION 1.2 LANGUAGES C)\n',
                 'CHANGELOG.md': '# News\n\n## 1.1\n'},
     'CHANGELOG.md:3: the version is 1.2'),
    ('no version', {'CMakeLists.txt': CLEAN['CMakeLists.txt'] + 'project(a VERSION 1.2)\n',
                    'ports/README.md': 'x\n', 'ports/debian/changelog': 'xmc-lite\n'},
     'ports/debian/changelog:1: the version is 1.2'),
    ('not executable', {'tools/x': '#!/bin/sh\n', 'tools/README.md': 'x\n'}, 'tools/x:1: a script'),
]
NOTED = [
    ('long file', product('int x;\n' * 401), 'note: src/engine/more.cc:1: 402 lines'),
    ('long function', product('int f(int x) {\n' + '  ++x;\n' * 70 + '}'),
     'more.cc:1: function of 72 lines'),
]


def run(files):
    with tempfile.TemporaryDirectory() as top:
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(top, path)), exist_ok=True)
            with open(os.path.join(top, path), 'w') as file:
                file.write(text)
        done = subprocess.run([sys.executable, TIDY, top], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def floors_fail():
    """The floors of three small houses, one of which has a room above itself."""
    sys.path.insert(0, os.path.dirname(TIDY))
    from tidy import floors
    wrong = floors({'a': [], 'src/b/x': ['a'], 'src/b/y': ['src/b/x'], 'src/c': ['src']}) != \
        {'a': 1, 'src/b': 2, 'src/c': 3}
    wrong |= floors({'a': ['b'], 'b': ['a']}) != {'a': None, 'b': None}
    if wrong:
        print('floors are counted wrongly')
    return wrong


def main():
    failed = 1 if floors_fail() else 0
    cases = [('clean', {}, ' 0 violations', 0)]
    cases += [(name, files, words, 1) for name, files, words in BROKEN]
    cases += [(name, files, words, 0) for name, files, words in NOTED]
    for name, files, words, status in cases:
        code, output = run({**CLEAN, **files})
        if code != status or words not in output:
            failed += 1
            print(f'{name}: status {code}, expected {status} and "{words}":\n{output}')
    print(f'{len(cases) + 1 - failed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


main()
