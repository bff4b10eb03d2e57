#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the ledger of shortcuts, docs/trust.md, with the markers in the code, both ways.

usage: check_trust.py [ROOT]

A marker is a comment with "shortcut: ID" in src/ or tool/. Every marker needs an entry whose "where" names its file, and
every entry a marker there. An entry has each of "where", "holds when", "why", "test" and "mutant" (the last two may
repeat). The test must exist: `room/test_file` is tests/room/test_file.c, and the names in parentheses are in it. The text
of a mutant must stand exactly once in the file, on one line, and differ from its replacement.
Prints one line per violation; the exit code is 1 when there is any. `entries` serves scripts/mutants.py too.
"""
import pathlib
import re
import sys

LEDGER = "docs/trust.md"
FIELDS = ["where", "holds when", "why", "test", "mutant"]
REPEATED = {"test", "mutant"}
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
HEADING = re.compile(r"^###\s+(\S+)\s*$")
FIELD = re.compile(r"^- ([a-z ]+): (.*)$")
MARKER = re.compile(r"shortcut: ([A-Za-z0-9-]+)")
WHERE = re.compile(r"^`([^`]+)`$")
TEST = re.compile(r"^`([a-z_/]+)/((?:test|long)_\w+)` \((\w+(?:, \w+)*)\)$")
MUTANT = re.compile(r"^`([^`]+)` => `([^`]*)`$")


def entries(root):
    """The ledger: (line, id, [(line, field, text)]) of each entry. Indented examples and prose are skipped."""
    found = []
    for number, line in enumerate((root / LEDGER).read_text(encoding="utf-8").splitlines(), 1):
        heading, field = HEADING.match(line), FIELD.match(line)
        if heading:
            found.append((number, heading.group(1), []))
        elif line.startswith("#"):
            found.append((number, None, []))
        elif field and found:
            found[-1][2].append((number, field.group(1), field.group(2).strip()))
    return [entry for entry in found if entry[1] is not None]


def markers(root):
    """Every marker in the code: (path, line, id)."""
    found = []
    for folder in ["src", "tool"]:
        for path in sorted((root / folder).rglob("*.[ch]")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                found += [(path.relative_to(root).as_posix(), number, name) for name in MARKER.findall(line)]
    return found


def check_test(root, text):
    match = TEST.match(text)
    if not match:
        return "a test reads `room/test_file` (name_of_the_test)"
    room, name, cases = match.groups()
    path = root / "tests" / room / (name + ".c")
    if not path.is_file():
        return f"no file tests/{room}/{name}.c"
    source = path.read_text(encoding="utf-8")
    missing = [case for case in cases.split(", ") if not re.search(r"\b" + case + r"\b", source)]
    return f"tests/{room}/{name}.c has no {missing[0]}" if missing else None


def check_mutant(source, text):
    match = MUTANT.match(text)
    if not match:
        return "a mutant reads `text` => `replacement`"
    old, new = match.groups()
    if old == new:
        return "the mutant changes nothing"
    count = source.count(old)
    return None if count == 1 else f"the mutant's text stands {count} times in the file, not once"


def check_entry(root, name, fields):
    """Violations within one entry, as (line, reason), and the file it names."""
    found, where = [], None
    for field in FIELDS:
        count = sum(1 for _, this, _ in fields if this == field)
        if count == 0 or (count > 1 and field not in REPEATED):
            found.append((None, f"{count} lines of \"{field}\""))
    for number, field, text in fields:
        reason = None
        if field not in FIELDS:
            reason = f"no such field: {field}"
        elif not text:
            reason = f"\"{field}\" says nothing"
        elif field == "where":
            match = WHERE.match(text)
            where = match and match.group(1)
            if not where or not (root / where).is_file():
                reason, where = "\"where\" is one file of the code in backquotes", None
        elif field == "test":
            reason = check_test(root, text)
        elif field == "mutant" and where:
            reason = check_mutant((root / where).read_text(encoding="utf-8"), text)
        if reason:
            found.append((number, reason))
    if not ID.fullmatch(name):
        found.append((None, "ids are words-with-hyphens"))
    return found, where


def check(root):
    """All violations, as (path, line, id, reason), and the number of entries."""
    ledger, in_code = entries(root), markers(root)
    found, files = [], {}
    for number, name, fields in ledger:
        if name in files:
            found.append((LEDGER, number, name, "a second entry of this id"))
        reasons, files[name] = check_entry(root, name, fields)
        found += [(LEDGER, line or number, name, reason) for line, reason in reasons]
        if files[name] and not any(name == other and path == files[name] for path, _, other in in_code):
            found.append((LEDGER, number, name, f"no marker in {files[name]}"))
    for path, number, name in in_code:
        if name not in files:
            found.append((path, number, name, f"no entry in {LEDGER}"))
        elif files[name] not in (None, path):
            found.append((path, number, name, f"its entry is about {files[name]}"))
    return found, len(ledger), len(in_code)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found, entry_count, marker_count = check(root)
    for path, number, name, reason in found:
        print(f"{path}:{number}: {name}: {reason}")
    print(f"trust: {entry_count} shortcuts, {marker_count} markers, {len(found)} violations")
    return 1 if found or entry_count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
