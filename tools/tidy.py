#!/usr/bin/env python3
"""Checks the tree itself: what a compiler does not see and a reader should not have to.

  tidy.py [TOP]

Prints `file:line: message` for each violation and ends with status 1 if there is one. Lines that
start with `note:` are only worth a look. The rules are the tables below; tests/tree/tidy_test.py
breaks each one of them on purpose.
"""
import os
import re
import sys

LINE_COLUMNS, MARKDOWN_COLUMNS = 100, 120
README_LINES = 60
FILE_LINES_NOTE, FILE_LINES_MAX = 400, 800
FUNCTION_LINES_NOTE = 70

TOP_LEVEL = set('''src include platform phf ports tools tests toolchains CMakeLists.txt
    CMakePresets.json README.md LICENSE CHANGELOG.md'''.split())
SKIPPED = {'.git', 'build', '__pycache__', '.cache'}
PRODUCT = ('include/', 'platform/', 'phf/', 'src/')
OVERVIEW = 'src/ARCHITECTURE.md'
NEEDS_README = ('include', 'platform', 'phf', 'ports', 'tests', 'toolchains', 'tools')
# Of the folders in these, each with more files than README_FILES has a README, too.
HOUSES = ('src', 'src/engine', 'src/engine/cycles', 'src/exec', 'src/report', 'src/store')
README_FILES = 5
CODE = ('.h', '.cc', '.def')
ANY_WIDTH = ('.json',)
TEXT = CODE + ('.py', '.cmake', '.txt', '.json', '.md', '.conf', '.service', '.timer', '.bash')

MOST_FLOORS = 6
# What each folder may include beside itself: folders, or single headers. Engines see models only as
# xmc/model.h and the OS only as xmc/run_control.h and xmc/device.h.
MAY_INCLUDE = {
    'include/xmc': [],
    'platform': ['include/xmc'],
    'phf': ['include/xmc'],
    'src/core': ['include/xmc'],
    'src/ir': ['include/xmc'],
    'src/ir/tables': ['include/xmc', 'src/ir'],
    'src/store/keys': ['include/xmc'],
    'src/store/tables': ['include/xmc'],
    'src/store/files': ['include/xmc', 'src/store/keys'],
    'src/store/checkpoint': ['include/xmc', 'src/store/files'],
    'src/store/diagram': ['include/xmc', 'src/store/keys'],
    'src/store/symbolic': ['include/xmc', 'src/store/files'],
    'src/store/runs': ['include/xmc', 'src/store/keys', 'src/store/files'],
    'src/store/partitions': ['include/xmc', 'src/store/keys', 'src/store/files',
                             'src/store/tables'],
    'src/store/tiered': ['include/xmc', 'src/store'],
    'src/front': ['include/xmc'],
    'src/front/dve': ['include/xmc', 'src/front/fold.h', 'src/front/parsing.h',
                      'src/front/source.h', 'src/front/token_cursor.h'],
    'src/front/murphi': ['include/xmc', 'src/front/fold.h', 'src/front/parsing.h',
                         'src/front/source.h', 'src/front/stack.h', 'src/front/token_cursor.h'],
    'src/front/promela/text': ['include/xmc', 'src/front/source.h', 'src/front/stack.h'],
    'src/front/promela/parse': ['include/xmc', 'src/front/fold.h', 'src/front/parsing.h',
                                'src/front/source.h', 'src/front/stack.h',
                                'src/front/promela/text', 'src/front/promela/nodes.h',
                                'src/front/promela/symbols.h', 'src/front/promela/system.h'],
    'src/front/promela': ['include/xmc', 'src/front/source.h', 'src/front/stack.h'],
    'src/lower': ['include/xmc', 'src/ir', 'src/ltl'],
    'src/lower/dve': ['include/xmc', 'src/ir', 'src/front', 'src/ltl', 'src/lower'],
    'src/lower/murphi': ['include/xmc', 'src/ir', 'src/front', 'src/ltl', 'src/lower'],
    'src/lower/murphi/expr': ['include/xmc', 'src/ir', 'src/front', 'src/lower/body_code.h',
                              'src/lower/murphi/code.h', 'src/lower/murphi/layout.h',
                              'src/lower/murphi/scope.h'],
    'src/lower/promela': ['include/xmc', 'src/ir', 'src/front', 'src/ltl', 'src/lower'],
    'src/lower/promela/layout': ['include/xmc', 'src/ir', 'src/front/promela',
                                 'src/lower/name_store.h', 'src/lower/promela/facts.h'],
    'src/lower/promela/expr': ['include/xmc', 'src/ir', 'src/front/promela',
                               'src/lower/body_code.h', 'src/lower/squeeze.h',
                               'src/lower/promela/layout', 'src/lower/promela/facts.h',
                               'src/lower/promela/facts', 'src/lower/promela/liveness.h',
                               'src/lower/promela/steps/step_log.h', 'src/lower/promela/words.h'],
    'src/lower/promela/move': ['include/xmc', 'src/ir', 'src/front/promela',
                               'src/lower/promela/expr'],
    'src/lower/promela/lint': ['include/xmc', 'src/ir', 'src/front', 'src/lower/promela'],
    'src/lower/promela/steps': ['include/xmc', 'src/ir', 'src/front/promela',
                                'src/lower/body_code.h', 'src/lower/promela/layout',
                                'src/lower/promela/facts.h', 'src/lower/promela/property.h',
                                'src/lower/promela/promela_lower.h'],
    'src/lower/promela/facts': ['include/xmc', 'src/ir', 'src/front/promela',
                                'src/lower/promela/facts.h'],
    'src/lang': ['include/xmc', 'src/ir', 'src/front', 'src/lower', 'src/ltl'],
    'src/exec/rules': ['include/xmc', 'src/ir', 'src/exec/question.h', 'src/exec/state_fields.h'],
    'src/exec/processes': ['include/xmc', 'src/ir', 'src/exec/question.h',
                           'src/exec/state_fields.h'],
    'src/exec/emit': ['include/xmc', 'src/ir', 'src/exec/processes'],
    'src/exec/models': ['include/xmc', 'src/ir'],
    'src/exec/partial': ['include/xmc', 'src/ir', 'src/exec/processes', 'src/exec/rules'],
    'src/exec': ['include/xmc', 'src/ir', 'src/exec/processes', 'src/exec/rules'],
    'src/ltl/graph': ['include/xmc', 'src/ltl/automaton.h'],
    'src/ltl/formula': ['include/xmc', 'src/ltl/graph'],
    'src/ltl/tableau': ['include/xmc', 'src/ltl/automaton.h', 'src/ltl/graph', 'src/ltl/formula'],
    'src/ltl/reduce': ['include/xmc', 'src/ltl/automaton.h', 'src/ltl/graph'],
    'src/ltl/formats': ['include/xmc', 'src/ltl/automaton.h', 'src/ltl/graph', 'src/ltl/formula',
                        'src/ltl/reduce'],
    'src/ltl': ['include/xmc', 'src/ir'],
    'src/engine/search': ['include/xmc', 'src/store'],
    'src/engine/owners': ['include/xmc', 'src/store', 'src/engine/search'],
    'src/engine/ram': ['include/xmc', 'src/store', 'src/engine/search', 'src/engine/owners'],
    'src/engine/measure': ['include/xmc', 'src/store', 'src/engine/search', 'src/engine/owners',
                           'src/engine/ram'],
    'src/engine/levels': ['include/xmc', 'src/store', 'src/engine/search', 'src/engine/owners',
                          'src/engine/ram'],
    'src/engine/recent': ['include/xmc', 'src/store', 'src/engine/search', 'src/engine/owners',
                          'src/engine/levels'],
    'src/engine/delayed': ['include/xmc', 'src/store', 'src/engine/search', 'src/engine/owners',
                           'src/engine/levels', 'src/engine/measure'],
    'src/engine/diagram': ['include/xmc', 'src/store', 'src/engine/search', 'src/engine/owners',
                           'src/engine/levels', 'src/engine/ram'],
    'src/engine/symbolic': ['include/xmc', 'src/store', 'src/engine/search', 'src/engine/owners'],
    'src/engine/automatic': ['include/xmc', 'src/store', 'src/engine/search', 'src/engine/owners',
                             'src/engine/ram', 'src/engine/levels', 'src/engine/diagram',
                             'src/engine/symbolic'],
    'src/engine/part': ['include/xmc', 'src/store', 'src/engine/search', 'src/engine/owners'],
    'src/engine/nested': ['include/xmc', 'src/store', 'src/engine/search', 'src/engine/ram'],
    'src/engine/cycles/edges': ['include/xmc', 'src/store', 'src/engine/search',
                                'src/engine/owners'],
    'src/engine/cycles/owned': ['include/xmc', 'src/store', 'src/engine/search',
                                'src/engine/owners', 'src/engine/cycles/edges'],
    'src/engine/cycles/windows': ['include/xmc', 'src/store', 'src/engine/search',
                                  'src/engine/cycles/edges'],
    'src/engine/cycles/index': ['include/xmc', 'phf', 'src/store', 'src/engine/search'],
    'src/engine/cycles/bits': ['include/xmc', 'phf', 'src/store', 'src/engine/search',
                               'src/engine/cycles/index'],
    'src/engine/cycles': ['include/xmc', 'phf', 'src/store', 'src/engine/search',
                          'src/engine/owners', 'src/engine/diagram'],
    'src/engine': ['include/xmc'],
    'src/report': ['include/xmc'],
    'src/report/page': ['include/xmc', 'src/report'],
    'src/trace': ['include/xmc', 'src/report'],
    'src/cli/options': ['include/xmc', 'platform', 'src/engine', 'src/lang', 'src/report'],
    'src/cli/run/work': ['include/xmc', 'platform', 'src/store', 'src/engine', 'src/lang',
                         'src/report', 'src/cli/options'],
    'src/cli/run/forecast': ['include/xmc', 'platform', 'src/store', 'src/engine', 'src/report'],
    'src/cli/run/input': ['include/xmc', 'platform', 'src/ir', 'src/lang', 'src/ltl', 'src/exec',
                          'src/report', 'src/trace', 'src/cli/options', 'src/cli/run/session.h'],
    'src/cli/run/output': ['include/xmc', 'platform', 'src/store', 'src/engine', 'src/report',
                           'src/trace', 'src/lang', 'src/cli/options', 'src/cli/run/session.h',
                           'src/cli/run/work'],
    'src/cli/run/check': ['include/xmc', 'platform', 'src/store', 'src/engine', 'src/ir',
                          'src/lang', 'src/exec', 'src/report', 'src/trace', 'src/cli/options',
                          'src/cli/run'],
    'src/cli/run': ['include/xmc', 'platform', 'phf', 'src/core', 'src/store', 'src/engine',
                    'src/ir', 'src/lang', 'src/ltl', 'src/exec', 'src/report', 'src/trace',
                    'src/cli/options'],
    'src/cli/commands': ['include/xmc', 'platform', 'phf', 'src'],
    'src/cli': ['include/xmc', 'platform', 'phf', 'src'],
}
# Headers outside the C++ library that product code may include, and where.
OTHER_HEADERS = {'xxhash.h': 'include/xmc/hash.h', 'cmph.h': 'phf/cmph_codec.cc'}
# Parts of the C++ library that allocate, throw or pull in locales (590 kB in a static image).
BANNED_LIBRARY = set('''iostream istream ostream fstream sstream iomanip locale string vector
    functional map set unordered_map unordered_set deque list forward_list queue stack memory regex
    filesystem thread future mutex condition_variable exception stdexcept any
    typeinfo typeindex cassert'''.split())

CALL = r'(?<![\w.>])(?:std::|::)?'
BANNED = [  # pattern in code without comments and strings, message, files it is allowed in
    (CALL + r'(malloc|calloc|realloc|free|strdup|aligned_alloc|posix_memalign)\s*\(',
     'takes from the heap: carve from the arena', ()),
    (r'\bnew\b(?!\s*\()', 'takes from the heap: carve from the arena (placement new is fine)', ()),
    (r'(?<![=\w])\s*\bdelete\b(?!\s*;)', 'nothing was taken from the heap', ()),
    (CALL + r'([fd]?printf|v[fd]?printf|f?puts|putchar|fputc|v?sprintf|fopen)\s*\(',
     'stdio: write through xmc/text.h', ()),
    (CALL + r'v?snprintf\s*\(', 'format through xmc/text.h', ('src/core/',)),
    (CALL + r'(memcpy|memcmp|memset|memmove)\s*\(', 'unbounded: use xmc/bytes.h',
     ('include/xmc/bytes.h',)),
    (CALL + r'(strcpy|strcat|strncpy|strncat|gets|strtok|alloca)\s*\(', 'unbounded', ()),
    (CALL + r's?rand\s*\(', 'rand differs between systems', ()),
    (CALL + r'assert\s*\(', 'use XMC_CHECK, which stays on in release builds', ()),
    (r'\bstd::(endl|cout|cerr|cin|string|vector|function|map|set|unique_ptr|shared_ptr)\b',
     'not in product code', ()),
    (r'\b(throw|try|catch)\b', 'no exceptions: return a Status', ()),
    (r'\b(dynamic_cast|typeid)\b', 'no RTTI', ()),
    (r'\.substr\(', 'may throw: use piece_of of xmc/text.h', ()),
]
# A file in backquotes, as pages name those of the tree: by a path, or by a name that is somewhere.
NAMED_FILE = re.compile(r'`((?:[\w.-]+/)*[\w.-]+\.(?:h|cc|def)|(?:[\w.-]+/)+[\w.-]+\.(?:py|md))`')
UNFINISHED = re.compile(r'\b(TO' r'DO|FIX' r'ME|X' r'XX)\b')
MACHINE_PATH = re.compile(r'(^|[^\w.])/(work|farm|home|root)/')
FUNCTION = re.compile(r'(?!namespace|class|struct|enum|union|extern|using|typedef)[A-Za-z_\[].*\(')
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
VERSIONED = (  # files, and the line with the version
    (r'CHANGELOG\.md', r'## ([\d.]+)'),
    (r'ports/debian/changelog', r'\S+ \(([\d.]+)'),
    (r'ports/man/.*\.\d', r'\.TH .*"xmc\\-lite ([\d.]+)"'),
)
EXPECTATION = re.compile(r'\bexpect\b')


class Tree:
    def __init__(self, top):
        self.top = top
        self.violations, self.notes = [], []
        self.files, self.text, self.names = [], {}, set()
        for root, folders, names in os.walk(top):
            folders[:] = sorted(f for f in folders if f not in SKIPPED and not f.endswith('.xmc'))
            if root == top and 'debian' in folders:
                folders.remove('debian')  # a copy of ports/debian while a package is built
            for name in sorted(names):
                path = os.path.relpath(os.path.join(root, name), top)
                self.files.append(path)
                self.names.add(name)
        for path in self.files:
            if path.endswith(TEXT) or is_script(os.path.join(top, path)):
                with open(os.path.join(top, path), encoding='utf-8', errors='replace') as file:
                    self.text[path] = file.read()

    def bad(self, path, line, message):
        self.violations.append((path, line, message))

    def note(self, path, line, message):
        self.notes.append((path, line, message))

    def code(self, folders=('',)):
        return [p for p in self.text if p.endswith(CODE) and p.startswith(tuple(folders))]


def is_script(path):
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, 'rb') as file:
        return file.read(2) == b'#!'


def blank(match):
    """Keeps the lines of what a comment or string is replaced with."""
    text = match.group(0)
    if text.startswith(('"', 'R"')):
        return '""' + '\n' * text.count('\n')
    if text.startswith("'"):
        return "' '"
    return ' ' + '\n' * text.count('\n')


LITERALS = re.compile(
    r'''//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'''
    r'''|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+\'''',
    re.DOTALL)


def bare_code(text):
    """The code without comments and the contents of literals; lines keep their numbers."""
    return LITERALS.sub(blank, text)


def check_lines(tree):
    for path, text in tree.text.items():
        if text and not text.endswith('\n'):
            tree.bad(path, text.count('\n') + 1, 'no newline at the end')
        lines = text.split('\n')
        limit = MARKDOWN_COLUMNS if path.endswith('.md') else LINE_COLUMNS
        for number, line in enumerate(lines, 1):
            if len(line) > limit and not path.endswith(ANY_WIDTH):
                tree.bad(path, number, f'{len(line)} columns, the limit is {limit}')
            if '\t' in line and os.path.basename(path) not in ('rules', 'Makefile'):
                tree.bad(path, number, 'tab')
            if line != line.rstrip():
                tree.bad(path, number, 'blanks at the end')
            if UNFINISHED.search(line):
                tree.bad(path, number, 'unfinished mark')
            if MACHINE_PATH.search(line):
                tree.bad(path, number, 'path of a machine')


def check_lengths(tree):
    for path in tree.code():
        count = tree.text[path].count('\n')
        if count > FILE_LINES_MAX:
            tree.bad(path, 1, f'{count} lines, the limit is {FILE_LINES_MAX}: more than one idea')
        elif count > FILE_LINES_NOTE:
            tree.note(path, 1, f'{count} lines')
        check_function_lengths(tree, path)


def check_function_lengths(tree, path):
    """Functions at the outermost level: in our format a `}` in column one ends them."""
    begin = None
    for number, line in enumerate(bare_code(tree.text[path]).split('\n'), 1):
        if FUNCTION.match(line):
            begin = number if not line.rstrip().endswith((';', '}')) else None
        elif line.startswith('}') and begin:
            if number - begin + 1 > FUNCTION_LINES_NOTE:
                tree.note(path, begin, f'function of {number - begin + 1} lines')
            begin = None


def check_banned(tree):
    for path in tree.code(PRODUCT):
        for number, line in enumerate(bare_code(tree.text[path]).split('\n'), 1):
            if line.lstrip().startswith('#'):
                continue
            for pattern, message, allowed in BANNED:
                found = re.search(pattern, line)
                if found and not path.startswith(allowed if allowed else ('\0',)):
                    tree.bad(path, number, f'{found.group(0).strip().rstrip("(")}: {message}')


def folder_of(path):
    return 'include/xmc' if path.startswith('include/') else os.path.dirname(path)


def find_include(tree, path, name):
    # A test finds what is beside it, and what its area and all areas share.
    beside = []
    if path.startswith('tests/'):
        beside = [os.path.dirname(path) + '/', '/'.join(path.split('/')[:3]) + '/', 'tests/unit/']
    for root in ['include/', 'src/', ''] + beside:
        if root + name in tree.text:
            return root + name
    return None


def check_includes(tree):
    included = set()
    for path in tree.code():
        product = path.startswith(PRODUCT)
        for number, line in enumerate(tree.text[path].split('\n'), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            if match.group(1) == '"':
                target = find_include(tree, path, match.group(2))
                if target is None:
                    tree.bad(path, number, f'{match.group(2)} is not in include, src or the top')
                    continue
                if target != path:
                    included.add(target)
                if product:
                    check_direction(tree, path, number, target)
            elif product:
                check_library_include(tree, path, number, match.group(2))
    for path in tree.code(PRODUCT):
        if path.endswith(('.h', '.def')) and path not in included:
            tree.bad(path, 1, 'orphan: nothing includes it')


def check_direction(tree, path, number, target):
    folder = folder_of(path)
    if folder not in MAY_INCLUDE:
        tree.bad(path, number, f'{folder} is not in the table of tools/tidy.py')
        return
    for allowed in [folder] + MAY_INCLUDE[folder]:
        if target == allowed or target.startswith(allowed + '/'):
            return
    tree.bad(path, number, f'{folder} may not include {target}')


def floors(table):
    """By folder of the top two levels, how many folders stand below it, itself counted; None for
    one that stands above itself."""
    def house(room):
        return '/'.join(room.split('/')[:2])

    houses = {house(room) for room in table}
    below = {here: set() for here in houses}
    for room, allowed in table.items():
        for other in allowed:
            found = {h for h in houses if h == house(other) or h.startswith(other + '/')}
            below[house(room)] |= found - {house(room)}

    def floor(here, above):
        if here in above:
            return None
        under = [floor(other, above | {here}) for other in below[here]]
        return None if None in under else 1 + max(under, default=0)

    return {here: floor(here, frozenset()) for here in houses}


def check_floors(tree):
    for here, floor in floors(MAY_INCLUDE).items():
        if floor is None or floor > MOST_FLOORS:
            tree.bad('tools/tidy.py', 1, f'{here} is on floor {floor}; there are {MOST_FLOORS}')


def check_library_include(tree, path, number, name):
    if name in BANNED_LIBRARY:
        tree.bad(path, number, f'<{name}> is not for product code')
    system = name.endswith(('.h', '.hpp')) and OTHER_HEADERS.get(name) != path
    if system and not path.startswith('platform/'):
        tree.bad(path, number, f'<{name}>: headers of the system belong in platform/')


def check_headers(tree):
    for path in tree.code():
        if path.endswith('.h'):
            lines = [line for line in bare_code(tree.text[path]).split('\n') if line.strip()]
            if not lines or lines[0].strip() != '#pragma once':
                tree.bad(path, 1, '#pragma once must come before the first declaration')


def named_by_script(tree, path):
    name = os.path.basename(path)
    return any(name in text for other, text in tree.text.items()
               if other.startswith('tools/') and not other.endswith(CODE + ('.md',)))


def built(folder, build):
    """Whether the build names the folder or one that it is in."""
    while folder:
        if re.search(re.escape(folder) + r'(?![\w/])', build):
            return True
        folder = os.path.dirname(folder)
    return False


def check_orphans(tree):
    test_build = ''.join(tree.text.get(f'tests/{name}', '')
                         for name in ('CMakeLists.txt', 'units.cmake'))
    build = tree.text.get('CMakeLists.txt', '') + test_build
    for path in tree.code():
        folder = os.path.dirname(path)
        if not path.endswith('.cc'):
            continue
        if path.startswith('tests/'):
            unit = re.match(r'tests/unit/\w+/(\w+/)*\w+_test\.cc$', path)
            if not unit and path[len('tests/'):] not in test_build:
                tree.bad(path, 1, 'orphan: tests/CMakeLists.txt does not build it')
        elif path.startswith('tools/') and named_by_script(tree, path):
            continue
        elif not built(folder, build) and path not in build:
            tree.bad(path, 1, 'orphan: CMakeLists.txt does not build it')
    for path in tree.files:
        if path.startswith('tests/models/') and path.endswith(('.dve', '.m', '.pml')):
            with open(os.path.join(tree.top, path), encoding='utf-8', errors='replace') as file:
                if not EXPECTATION.search(file.read()):
                    tree.bad(path, 1, 'orphan: a model without an expectation')


def check_shape(tree):
    for name in sorted({path.split('/')[0] for path in tree.files}):
        if not name.startswith('.') and name not in TOP_LEVEL:
            tree.bad(name, 1, 'not one of the agreed names at the top')
    for folder in NEEDS_README:
        here = [p for p in tree.files if p.startswith(folder + '/')]
        if here and f'{folder}/README.md' not in here:
            tree.bad(folder, 1, 'no README.md')
    for folder in sorted({os.path.dirname(p) for p in tree.files}):
        here = [p for p in tree.files if os.path.dirname(p) == folder]
        if os.path.dirname(folder) in HOUSES and len(here) > README_FILES:
            if f'{folder}/README.md' not in here:
                tree.bad(folder, 1, 'no README.md')
    check_pages(tree)
    for path, text in tree.text.items():
        if text.startswith('#!') and not os.access(os.path.join(tree.top, path), os.X_OK):
            tree.bad(path, 1, 'a script that is not executable')


def check_pages(tree):
    """The page of the architecture, the READMEs of folders, and the files that pages name."""
    overview = tree.text.get(OVERVIEW)
    for folder in sorted({'/'.join(p.split('/')[:2]) for p in tree.code(['src/'])}):
        if not overview or not re.search(r'`' + folder.split('/')[-1] + r'`', overview):
            tree.bad(OVERVIEW, 1, f'does not mention {folder}')
    for path in (p for p in tree.text if p.endswith('.md')):
        text, folder = tree.text[path], os.path.dirname(path)
        if os.path.basename(path) == 'README.md' and folder and text.count('\n') > README_LINES:
            tree.bad(path, 1, f'{text.count(chr(10))} lines, the limit is {README_LINES}')
        for number, line in enumerate(text.split('\n'), 1):
            for name in NAMED_FILE.findall(line):
                if path != 'CHANGELOG.md' and not is_in_tree(tree, name, folder):
                    tree.bad(path, number, f'{name} is not in the tree')


def is_in_tree(tree, name, folder):
    if '/' not in name:
        return name in tree.names
    roots = ('', 'src', 'include', folder, os.path.dirname(folder))
    return any(os.path.normpath(os.path.join(root, name)) in tree.text for root in roots)


def read_lines(tree, path):
    with open(os.path.join(tree.top, path), encoding='utf-8', errors='replace') as file:
        return enumerate(file.read().split('\n'), 1)


def check_version(tree):
    """CMakeLists.txt says the version; what people read by hand follows it."""
    said = re.search(r'^project\(\S+ VERSION ([\d.]+)', tree.text.get('CMakeLists.txt', ''), re.M)
    for path, pattern in VERSIONED:
        for file in (f for f in tree.files if said and re.fullmatch(path, f)):
            named = [(number, match.group(1)) for number, line in read_lines(tree, file)
                     if (match := re.match(pattern, line))]
            if not named or named[0][1] != said.group(1):
                tree.bad(file, named[0][0] if named else 1,
                         f'the version is {said.group(1)}, by CMakeLists.txt')


CHECKS = (check_lines, check_lengths, check_banned, check_includes, check_floors, check_headers,
          check_orphans, check_shape, check_version)


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    tree = Tree(os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else here)
    for check in CHECKS:
        check(tree)
    for path, line, message in sorted(tree.notes):
        print(f'note: {path}:{line}: {message}')
    for path, line, message in sorted(tree.violations):
        print(f'{path}:{line}: {message}')
    print(f'{len(tree.files)} files, {len(tree.violations)} violations, {len(tree.notes)} notes')
    sys.exit(1 if tree.violations else 0)


if __name__ == '__main__':
    main()
