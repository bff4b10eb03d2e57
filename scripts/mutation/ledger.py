# SPDX-License-Identifier: MIT
"""The mutants that docs/trust.md names: each must be noticed by a test named beside it.

They are pieces of lines of any kind, so each is built by itself.
"""
import os
import pathlib

import check_trust
from mutation.trial import run


def read(root):
    """(id, file, old text, new text, [(test, cases)]) for each mutant of the ledger."""
    out = []
    for _, name, fields in check_trust.entries(pathlib.Path(root)):
        texts = {'where': [], 'test': [], 'mutant': []}
        for _, field, text in fields:
            texts.setdefault(field, []).append(text)
        tests = [m.groups() for m in map(check_trust.TEST.match, texts['test']) if m]
        tests = [(f'{room}/{program}', cases.replace(' ', '')) for room, program, cases in tests]
        for match in map(check_trust.MUTANT.match, texts['mutant']):
            if match:
                out.append((name, texts['where'][0].strip('`'), *match.groups(), tests))
    return out


def judge(copy, entry):
    """A sentence about one entry, and whether it is as it should be. The copy is left as it was."""
    _, file, old, new, tests = entry
    path = os.path.join(copy.tree, file)
    with open(path, encoding='utf-8') as source:
        text = source.read()
    if text.count(old) != 1:
        return f'the text stands {text.count(old)} times in the file', False
    try:
        with open(path, 'w', encoding='utf-8') as target:
            target.write(text.replace(old, new))
        if copy.make([test for test, _ in tests]) is not None:
            return 'does not compile', False
        for test, cases in tests:
            code = run(copy.command(test), {'GRAZE_MUTANT_CASES': cases}, 120)
            if code != 0:
                return f'{"timed out" if code is None else "killed"} by {test}', True
        return 'survived', False
    finally:
        with open(path, 'w', encoding='utf-8') as target:
            target.write(text)
