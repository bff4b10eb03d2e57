# SPDX-License-Identifier: MIT
"""A copy of the tree in a build folder, built with mutants compiled in. The tree itself is only read."""
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOMS = ('base', 'exact', 'convex', 'math', 'mesh', 'tree', 'simd', 'pair', 'broad', 'scene', 'shape', 'decomposition', 'certificate',
         'tool_path', 'motion', 'clash', 'failure', 'repro')
REPLAYS = ('pair', 'scene', 'clash', 'shape_pair', 'motion') # differential fuzzers, whose corpora are replayed
TAKEN = ('CMakeLists.txt', 'cmake', 'include', 'src', 'tests', 'tool', 'fuzz')

SANITIZERS = ' -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'


class Failure(Exception):
    pass


def write_if_changed(path, text):
    """Keeps the time of a file that stays the same, so that it is not compiled again."""
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


class Copy:
    def __init__(self, root, folder, jobs, sanitized=False):
        self.root, self.jobs, self.sanitized = root, jobs, sanitized
        self.tree, self.build = os.path.join(folder, 'tree'), os.path.join(folder, 'build')

    def refresh(self, changed, mutant_count):
        """Copies what differs; `changed` has the texts of files to be written instead of the originals."""
        wanted = set()
        for taken in TAKEN:
            top = os.path.join(self.root, taken)
            paths = [top] if os.path.isfile(top) else [os.path.join(d, f) for d, _, files in os.walk(top) for f in files]
            for path in paths:
                name = os.path.relpath(path, self.root)
                wanted.add(name)
                if name.startswith('fuzz') and not name.endswith(('.txt', '.c', '.h')):
                    continue
                self.take(path, name, changed)
        extra = {'src/base/mutant.h': open(os.path.join(HERE, 'mutant.h'), encoding='utf-8').read(),
                 'tests/support/mutant_runner.c': open(os.path.join(HERE, 'runner.c'), encoding='utf-8').read(),
                 'src/base/mutant.c': self.selector(mutant_count)}
        for name, text in extra.items():
            write_if_changed(os.path.join(self.tree, name), text)
        self.drop_gone(wanted | set(extra))

    def take(self, path, name, changed):
        target = os.path.join(self.tree, name)
        if name in changed:
            write_if_changed(target, changed[name])
            return
        with open(path, 'rb') as file:
            data = file.read()
        if os.path.exists(target):
            with open(target, 'rb') as file:
                if file.read() == data:
                    return
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(path, target)

    def drop_gone(self, wanted):
        for folder, _, files in os.walk(self.tree):
            for file in files:
                path = os.path.join(folder, file)
                if os.path.relpath(path, self.tree) not in wanted:
                    os.remove(path)

    @staticmethod
    def selector(count):
        return ('#include <stdio.h>\n#include <stdlib.h>\n'
                f'int grz_mutant;\nextern const int grz_mutant_count;\nconst int grz_mutant_count = {count + 1};\n'
                f'unsigned char grz_mutant_seen[{count + 1}];\n'
                '__attribute__((constructor)) static void select_mutant(void)\n'
                '{\n    const char *number = getenv("GRAZE_MUTANT");\n'
                '    grz_mutant = number != NULL ? atoi(number) : 0;\n}\n'
                # For programs that have no cases: what the whole run has seen.
                '__attribute__((destructor)) static void record_run(void)\n'
                '{\n    const char *name = getenv("GRAZE_MUTANT_RECORD_RUN");\n'
                '    FILE *out = name != NULL ? fopen(name, "w") : NULL;\n    if (out == NULL)\n        return;\n'
                '    for (int n = 1; n < grz_mutant_count; n++)\n        if (grz_mutant_seen[n])\n'
                '            fprintf(out, " %d", n);\n    fclose(out);\n}\n')

    def configure(self):
        header = os.path.join(self.tree, 'src', 'base', 'mutant.h')
        command = ['cmake', '-S', self.tree, '-B', self.build, '-DGRAZE_TESTS=ON', '-DGRAZE_BENCH=OFF',
                   '-DGRAZE_INSTALL=OFF', '-DGRAZE_WERROR=OFF', '-DCMAKE_BUILD_TYPE=Release',
                   '-DCMAKE_C_FLAGS_RELEASE=-O2',
                   f'-DCMAKE_C_FLAGS=-w -fno-diagnostics-show-caret -include {header}{SANITIZERS if self.sanitized else ""}']
        if shutil.which('ninja'):
            command += ['-G', 'Ninja']
        if shutil.which('ld.lld'):
            command.append('-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld')
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(done.stdout + done.stderr)

    def targets(self):
        """Names of quick test programs, as room/name."""
        out = []
        for room in ROOMS:
            for folder, _, files in sorted(os.walk(os.path.join(self.root, 'tests', room))):
                name = os.path.relpath(folder, os.path.join(self.root, 'tests'))
                out += [f'{name}/{f[:-2]}' for f in sorted(files) if re.fullmatch(r'test_\w+\.c', f)]
        return out + [f'fuzz/{name}' for name in REPLAYS]

    def program(self, test):
        return os.path.join(self.build, 'fuzz' if test.startswith('fuzz/') else 'tests', test.replace('/', '_'))

    def command(self, test):
        """The program of a test and its arguments."""
        corpus = [os.path.join(self.root, 'fuzz', 'corpus', test.split('/')[1])] if test.startswith('fuzz/') else []
        return [self.program(test)] + corpus

    def make(self, tests):
        """Builds test programs; returns None, or the places (file, line) of errors."""
        command = ['cmake', '--build', self.build, '--parallel', str(self.jobs), '--target']
        command += [t.replace('/', '_') for t in tests]
        if os.path.exists(os.path.join(self.build, 'build.ninja')):
            command += ['--', '-k', '0']
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return None
        output = done.stdout + done.stderr
        places = {(os.path.relpath(os.path.join(self.tree, f), self.tree), int(n))
                  for f, n in re.findall(r'^([^\s:]+\.[ch]):(\d+):\d+: (?:fatal )?error', output, re.M)}
        if not places:
            raise Failure(output[-4000:])
        return places
