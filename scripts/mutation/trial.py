# SPDX-License-Identifier: MIT
"""Which test cases a mutant can be noticed by, and whether one does notice it."""
import math
import os
import resource
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

MEMORY = 6 << 30 # a mutant may ask for more and more


class Case:
    def __init__(self, test, index, name, seconds):
        self.test, self.index, self.name, self.seconds = test, index, name, seconds
        self.kills = {} # by source file


def limits(seconds, memory):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply


def run(command, environment, seconds, memory=MEMORY):
    """Exit code of a program; None when it took too long."""
    try:
        done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=limits(seconds, memory), timeout=60 + 20 * seconds,
                              check=False)
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode in (-24, -9) else done.returncode


class Trial:
    """The built copy: records what each case sees, then tries mutants one by one."""

    def __init__(self, copy, patience, part):
        self.copy, self.patience, self.slice = copy, patience, part
        self.memory = None if copy.sanitized else MEMORY # the address sanitizer reserves terabytes
        self.seen = {} # number of a mutant: cases that it would make a difference in
        self.cases = {} # by test and name
        self.lock = threading.Lock()

    def record(self, tests):
        """Runs every case once without any mutant; those that fail by themselves are left out, and named."""
        with ThreadPoolExecutor(self.copy.jobs) as pool:
            lists = list(pool.map(self.record_one, tests))
        return [name for names in lists for name in names]

    def record_one(self, test):
        program = self.copy.program(test)
        file = program + '.seen'
        if not os.path.exists(file) or os.path.getmtime(file) < os.path.getmtime(program):
            if not self.record_program(test, file + '.part'):
                return [test]
            os.replace(file + '.part', file)
        wrong = []
        with open(file, encoding='utf-8') as lines:
            for index, line in enumerate(lines):
                name, failed, seconds, *numbers = line.split()
                if failed != '0':
                    wrong.append(f'{test} ({name})')
                    continue
                case = Case(test, index, name, float(seconds))
                with self.lock:
                    self.cases[f'{test} ({name})'] = case
                    for number in numbers:
                        self.seen.setdefault(int(number), []).append(case)
        return wrong

    def record_program(self, test, file):
        """One line a case. A replay is one case, which tells at its end what it has seen."""
        replay = test.startswith('fuzz/')
        environment = {'GRAZE_MUTANT': '0', 'GRAZE_MUTANT_RECORD_RUN' if replay else 'GRAZE_MUTANT_RECORD': file}
        before = time.monotonic()
        if run(self.copy.command(test), environment, 600, self.memory) != 0:
            return False
        if replay:
            numbers = '' # nothing is written where no mutated file is linked
            if os.path.exists(file):
                with open(file, encoding='utf-8') as lines:
                    numbers = lines.read()
            with open(file, 'w', encoding='utf-8') as lines:
                lines.write(f'replay 0 {time.monotonic() - before:.4f}{numbers}\n')
        return True

    def learn(self, results):
        """Takes over which cases killed mutants of which files earlier."""
        for result in results.values():
            if result['by'] in self.cases:
                kills = self.cases[result['by']].kills
                kills[result['file']] = kills.get(result['file'], 0) + 1

    def batches(self, mutant):
        """Lists of cases of one program, the most promising first, as far as patience goes, each with the seconds it may
        take. A failure comes early as a rule, so of long cases only the beginning runs: `whole` tells."""
        room, spent, out = mutant.file.split('/')[1], 0.0, []

        def promise(case):
            kills = case.kills.get(mutant.file, 0) + (1.0 if case.test.startswith(room) else 0.2)
            return kills / (min(case.seconds, self.slice) + 0.02)
        def order(case): # who killed it before comes first
            return f'{case.test} ({case.name})' != mutant.killer, -promise(case), case.test, case.index
        for case in sorted(self.seen.get(mutant.number, []), key=order):
            whole = case.seconds <= self.slice
            if spent > self.patience:
                break
            spent += min(case.seconds, self.slice)
            if whole and out and out[-1][1] and out[-1][0][0].test == case.test:
                out[-1][0].append(case)
            else:
                out.append(([case], whole))
        return out

    def judge(self, mutant):
        """(verdict, by which case): killed, timed out, survived, or unseen (no case can notice it)."""
        if mutant.number not in self.seen:
            return 'unseen', ''
        for cases, whole in self.batches(mutant):
            limit = 1 + math.ceil(3 * sum(c.seconds for c in cases)) if whole else math.ceil(self.slice)
            numbers = ','.join(str(c.index) for c in cases)
            code = run(self.copy.command(cases[0].test),
                       {'GRAZE_MUTANT': str(mutant.number), 'GRAZE_MUTANT_CASES': numbers}, limit, self.memory)
            if code == 0 or (code is None and not whole):
                continue
            guilty = next((c for c in cases if code is not None and c.index + 1 == code), cases[0])
            guilty.kills[mutant.file] = guilty.kills.get(mutant.file, 0) + 1
            return 'timed out' if code is None else 'killed', f'{guilty.test} ({guilty.name})'
        return 'survived', ''
