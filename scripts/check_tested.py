#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks that every source file has a test of its name, or a line in tests/covered.txt that says which test covers it.

usage: check_tested.py [ROOT]

The test of src/room/x.c is tests/room/test_x.c, that of tool/room/x.c is tests/tool/room/test_x.c. A line of the list is
"src/room/y.c tests/.../test_z.c"; # begins a comment. The test must use something of the file: it names one of the file's
functions or tables, or a function that leads there by calls in src/, tool/ or tests/support, or, for files of tool/, runs the
tool. Prints one line per violation; the exit code is 1 when there is any.
"""
import collections
import pathlib
import re
import sys

LIST = "tests/covered.txt"
WORD = re.compile(r"\w+")
# Functions with their bodies, constant tables, macros of several lines or of one.
FUNCTION = re.compile(r"^[A-Za-z_][\w\s*]*?[\s*](\w+)\s*\([^;{}]*\)\s*\n\{(.*?)^\}", re.M | re.S)
TABLE = re.compile(r"^(?:static )?const [\w *]+?\W?(\w+)(?:\[\w*\])? = \{(.*?)\};", re.M | re.S)
MACRO = re.compile(r"^#define (\w+)((?:.*\\\n)*.*)$", re.M)
RUNS_TOOL = re.compile(r"support/tool_process\.h|GRAZE_TOOL_PATH")


def test_of(path):
    room = path.parts[1:-1] if path.parts[0] == "src" else path.parts[:-1]
    return pathlib.Path("tests", *room, f"test_{path.stem}.c")


def definitions(text):
    """Functions, tables and macros of a file: name, whether it is the file's own, words of the body."""
    for pattern in [FUNCTION, TABLE, MACRO]:
        for match in pattern.finditer(text):
            yield match.group(1), match.group(0).startswith("static"), set(WORD.findall(match.group(2)))


def call_graph(root):
    """By name who mentions it, and by file the names it defines for others. A static name of a .c file is "file:name"."""
    callers, defined = collections.defaultdict(set), collections.defaultdict(set)
    for folder in ["src", "tool", "tests/support"]:
        for path in sorted((root / folder).rglob("*.[ch]")):
            file = str(path.relative_to(root))
            found = list(definitions(path.read_text(encoding="utf-8")))
            own = {name for name, static, _ in found if static and path.suffix == ".c"}
            for name, _, words in found:
                if name == "GRZ_KERNELS":  # of src/simd: the table that the template makes
                    defined[file] |= words
                    continue
                if name not in own:
                    defined[file].add(name)
                for word in words:
                    callers[f"{file}:{word}" if word in own else word].add(f"{file}:{name}" if name in own else name)
    return callers, defined


def leads_to(names, words, callers):
    """Whether one of `words` is in `names` or leads there by calls."""
    seen, rest = set(names), list(names)
    while rest:
        name = rest.pop()
        if name in words:
            return True
        fresh = callers.get(name, set()) - seen
        seen |= fresh
        rest += fresh
    return False


def text_of(root, test):
    """A test's text and that of the headers it includes from tests/ or its own folder."""
    texts, rest, seen = [], [root / test], set()
    while rest:
        path = rest.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        texts.append(path.read_text(encoding="utf-8"))
        for name in re.findall(r'^#include "([^"]+)"', texts[-1], re.M):
            rest += [path.parent / name, root / "tests" / name]
    return "\n".join(texts)


def read_list(root):
    for number, line in enumerate((root / LIST).read_text(encoding="utf-8").splitlines(), 1):
        fields = line.split("#")[0].split()
        if fields:
            yield number, fields


def violations(root):
    callers, defined = call_graph(root)
    sources = sorted(path.relative_to(root) for folder in ["src", "tool"] for path in (root / folder).rglob("*.c"))
    listed = set()
    for number, fields in read_list(root):
        place = f"{LIST}:{number}"
        if len(fields) != 2:
            yield f"{place}: a line names a source and a test"
            continue
        source, test = fields
        if source in listed:
            yield f"{place}: {source} is listed twice"
        listed.add(source)
        if not (root / source).is_file():
            yield f"{place}: {source}: no such file"
        elif (root / test_of(pathlib.Path(source))).is_file():
            yield f"{place}: {source} has a test of its name"
        elif not (root / test).is_file():
            yield f"{place}: {test}: no such test"
        else:
            text = text_of(root, test)
            runs = source.startswith("tool/") and RUNS_TOOL.search(text)
            if not runs and not leads_to(defined[source], set(WORD.findall(text)), callers):
                yield f"{place}: {test} uses nothing of {source}"
    for source in sources:
        if str(source) not in listed and not (root / test_of(source)).is_file():
            yield f"{source}: neither {test_of(source)} nor a line in {LIST}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(violations(root))
    print("\n".join(found) if found else "tested: every source file has a test")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
