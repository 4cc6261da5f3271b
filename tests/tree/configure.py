#!/usr/bin/env python3
"""What a build is made of: the summary of a configuration, LLFIO's folders, packages by name.

  configure.py CMAKE C_COMPILER CXX_COMPILER

Configures the tree with stand-ins for LLFIO in given folders, as one does without a network, and
with what has to be refused. The packages that CMake's messages name must be those of tools/need
and of the Debian package, whose rules leave tests out when they are told to.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADERS = {'LLFIO': 'llfio/v2.0/file_handle.hpp', 'QUICKCPPLIB': 'quickcpplib/config.hpp',
           'OUTCOME': 'outcome/outcome.hpp'}
failures = []


def expect(condition, message, output=''):
    if not condition:
        failures.append(message)
        print(f'FAIL {message}\n{output}')


def read(path):
    with open(os.path.join(TOP, path), encoding='utf-8') as file: return file.read()


def configure(folder, *options):
    """Exit status, output and the Ninja file of a fresh configuration."""
    cmake, c, cxx = sys.argv[1:4]
    shutil.rmtree(folder, ignore_errors=True)
    run = subprocess.run([cmake, '-S', TOP, '-B', folder, '-G', 'Ninja', '-DXMC_TESTS=OFF',
                          f'-DCMAKE_C_COMPILER={c}', f'-DCMAKE_CXX_COMPILER={cxx}', *options],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    ninja = os.path.join(folder, 'build.ninja')
    rules = ''
    if os.path.exists(ninja):
        with open(ninja, encoding='utf-8') as file: rules = file.read()
    return run.returncode, re.sub(r'\s*\n\s*', ' ', run.stdout), rules


def check_llfio(scratch):
    build, given = os.path.join(scratch, 'build'), []
    for name, header in HEADERS.items():
        root = os.path.join(scratch, name.lower())
        os.makedirs(os.path.dirname(os.path.join(root, 'include', header)))
        open(os.path.join(root, 'include', header), 'w').close()
        given.append(f'-DFETCHCONTENT_SOURCE_DIR_{name}={root}')
    code, text, rules = configure(build, '-DXMC_IO=llfio', '-DXMC_FETCH=ON', *given)
    expect(code == 0 and f'LLFIO yes, sources in {scratch}/llfio' in re.sub(' +', ' ', text),
           'given folders are used', text)
    for name in HEADERS:
        expect(f'-I{scratch}/{name.lower()}/include' in rules, f'{name} is on the include path')

    os.remove(os.path.join(scratch, 'outcome', 'include', HEADERS['OUTCOME']))
    code, text, _ = configure(build, '-DXMC_IO=llfio', '-DXMC_FETCH=ON', *given)
    expect(code != 0 and 'outcome/outcome.hpp does not exist' in text,
           'a folder that is not Outcome is refused by name', text)
    code, text, _ = configure(build, '-DXMC_IO=llfio')
    expect(code != 0 and '-DXMC_FETCH=ON' in text, 'what is not there names the remedy', text)
    code, text, _ = configure(build, '-DXMC_IO=posix', '-DXMC_FETCH=ON')
    expect(code != 0 and 'XMC_IO=posix does not use' in text, 'a useless XMC_FETCH', text)
    pins = re.findall(r'set\(xmc_pin_\w+ ([0-9a-f]{40})\)', read('platform/llfio.cmake'))
    expect(len(pins) == 3, 'three commits are pinned by their whole hash')


def check_summary(scratch):
    code, text, rules = configure(os.path.join(scratch, 'plain'), '-DXMC_IO=posix',
                                  '-DXMC_MPI=off')
    for words in ('target', 'compiler', 'io_uring +no: XMC_IO=posix', 'LLFIO +no', 'CMPH +(yes|no)',
                  'MPI +no: XMC_MPI=off', 'tests +no: XMC_TESTS=OFF'):
        expect(code == 0 and re.search(words, text), f'the summary says {words!r}', text)
    expect('unit_' not in rules, 'a build without tests compiles none')


def check_packages():
    texts = read('CMakeLists.txt') + read('tests/CMakeLists.txt')
    named = set(re.findall(r'install ([a-z0-9][a-z0-9.+-]+)"', texts))
    expect({'libcmph-dev', 'nlohmann-json3-dev'} <= named, f'CMake names packages: {named}')
    depends = read('ports/debian/control').split('Build-Depends:')[1].split('Standards-Version')[0]
    depends = set(re.findall(r'[a-z0-9][a-z0-9.+-]+(?=[ ,(<]|$)', depends))
    for package in sorted(named):
        expect(package in depends, f'{package} is in Build-Depends of ports/debian/control')
        expect(package in read('tools/need').replace('"', ' ').split(),
               f'{package} is installed by tools/need')


def check_rules():
    if not (shutil.which('make') and os.path.exists('/usr/share/dpkg/architecture.mk')): return
    for options, wanted in (('nocheck', 'OFF'), ('', 'ON')):
        text = subprocess.run(['make', '-n', '-f', os.path.join(TOP, 'ports/debian/rules'),
                               'override_dh_auto_configure'], text=True, stdout=subprocess.PIPE,
                              env=dict(os.environ, DEB_BUILD_OPTIONS=options)).stdout
        expect(f'-DXMC_TESTS={wanted}' in text, f'rules with {options!r}', text)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        check_llfio(scratch)
        check_summary(scratch)
    check_packages()
    check_rules()
    print(f'{len(failures)} failures')
    sys.exit(1 if failures else 0)


if __name__ == '__main__': main()
