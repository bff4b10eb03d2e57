#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that tests/failure calls every public function with every pointer NULL and every allocation failing.

    check_failures.py [PROJECT]

Every GRAZE_API and GRAZE_INLINE function of include/graze must have exactly one ROW in tests/failure/*.c, with as many pointers as its
declaration has: so nobody adds a function, or a pointer to one, without saying what NULL means there. Prints one line
per violation; the exit code is 1 when there is any.
"""
import pathlib
import re
import sys

DECLARATION = re.compile(r"\b(?:GRAZE_API|GRAZE_INLINE)\s([^;{]*?\b(graze_\w+)\s*\(([^;{]*)\))\s*[;{]", re.S)
ROW = re.compile(r"\bROW\(\s*(graze_\w+)\s*,\s*(\d+)\s*,")


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def parameters(text):
    """The parameters of a declaration, split at commas that are not within parentheses."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return parts + [text[start:]]


def is_pointer(parameter):
    """Also arrays, and callbacks by the name of their type."""
    return "*" in parameter or "[" in parameter or re.search(r"\bgraze_\w+_(function|filter)\s+\w+$", parameter.strip())


def declared(project):
    functions = {}
    for header in sorted((project / "include" / "graze").glob("*.h")):
        for _, name, arguments in DECLARATION.findall(without_comments(header.read_text())):
            functions[name] = sum(1 for p in parameters(arguments) if is_pointer(p))
    return functions


def main():
    project = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    functions = declared(project)
    violations, seen = [], set()
    if not functions:
        violations.append("include/graze declares nothing")
    for source in sorted((project / "tests" / "failure").glob("*.c")):
        for name, count in ROW.findall(without_comments(source.read_text())):
            if name in seen:
                violations.append(f"{source.name}: {name} has a second row")
            elif name not in functions:
                violations.append(f"{source.name}: {name} is not a public function")
            elif int(count) != functions[name]:
                violations.append(f"{source.name}: {name} has {functions[name]} pointers, and its row says {count}")
            seen.add(name)
    violations += [f"{name} is called by no row in tests/failure" for name in functions if name not in seen]
    print("\n".join(violations) or f"failures: {len(functions)} public functions, each with a row in tests/failure")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
