#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks whether what the pages name in `backticks` exists: files, folders and names of the code.

usage: check_docs.py [ROOT]

Checked are README.md, CONTRIBUTING.md and the pages below. A word with a slash that begins with a folder of the project is a
path; a word that begins with graze_, grz_ or GRAZE_ is a name, which must occur in include/, src/ or tool/. Links to files are
followed too. Prints one line per violation; the exit code is 1 when there is any.
"""
import pathlib
import re
import sys

PAGES = ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md", "docs/known-limits.md",
         "docs/environments.md", "examples/README.md", "lab/README.md"]
FOLDERS = "cmake docs examples fuzz include lab scripts src tests tool viewer".split()
QUOTED = re.compile(r"`([^`\s]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)\)")
NAME = re.compile(r"^(?:graze|grz|GRAZE|GRZ)_\w+$")


def violations(root):
    names = set()
    for folder in ["include", "src", "tool", "cmake", "CMakeLists.txt"]:
        for path in [root / folder] if (root / folder).is_file() else (root / folder).rglob("*.*"):
            names |= set(re.findall(r"\w+", path.read_text(encoding="utf-8", errors="replace")))
    for page in PAGES:
        path = root / page
        if not path.is_file():
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for word in QUOTED.findall(line):
                if NAME.match(word) and not word.endswith("_") and word not in names:
                    yield f"{page}:{number}: {word}: no such name"
                elif word.split("/")[0] in FOLDERS and "/" in word and not re.search(r"[*<>{$]", word) \
                        and not (root / word).exists() and not list(root.glob(word + ".*")):
                    yield f"{page}:{number}: {word}: no such file"
            for link in LINK.findall(line):
                if "://" not in link and not (path.parent / link).exists():
                    yield f"{page}:{number}: {link}: a link that leads nowhere"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(violations(root))
    print("\n".join(found) if found else "docs: what they name exists")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
