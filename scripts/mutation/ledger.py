# SPDX-License-Identifier: MIT
"""The mutants that docs/trust.md names: each must be noticed by the test named beside it.

They are lines of any kind, so each is built by itself.
"""
import os
import re

from mutation.trial import run

ENTRY = re.compile(r'^### (\S+)\n(.*?)(?=^#|\Z)', re.M | re.S)


def unquote(text):
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '`' else text


def read(text):
    """(id, file, old line, new line, tests) for each mutant; a test is a program and the name of a case, or none."""
    out = []
    for name, body in ENTRY.findall(text):
        files = re.findall(r'^- where:.*', body, re.M)
        files = re.findall(r'`([^`]+)`', files[0]) if files else []
        tests = re.findall(r'^- test: `([^`]+)`(?: \((\w+)\))?', body, re.M)
        for old, new in re.findall(r'^- mutant: (`.+?`) => (`.*`)\s*$', body, re.M):
            out.append((name, files, unquote(old), unquote(new), tests))
    return out


def place(root, files, old):
    """(file, its text) of the one place of a line; None unless there is exactly one."""
    found = []
    for file in files:
        path = os.path.join(root, file)
        if os.path.isfile(path):
            with open(path, encoding='utf-8') as source:
                text = source.read()
            found += [(file, text)] * text.count(old)
    return found[0] if len(found) == 1 else None


def judge(copy, entry):
    """A sentence about one entry, and whether it is as it should be. The copy is left as it was."""
    _, files, old, new, tests = entry
    there = place(copy.root, files, old)
    if there is None:
        return 'the line is not there exactly once', False
    if not tests:
        return 'no test is named', False
    file, text = there
    path = os.path.join(copy.tree, file)
    try:
        with open(path, 'w', encoding='utf-8') as target:
            target.write(text.replace(old, new))
        if copy.make([test for test, _ in tests]) is not None:
            return 'does not compile', False
        for test, _ in tests:
            code = run(copy.program(test), {}, 120)
            if code != 0:
                return f'{"timed out" if code is None else "killed"} by {test}', True
        return 'survived', False
    finally:
        with open(path, 'w', encoding='utf-8') as target:
            target.write(text)
