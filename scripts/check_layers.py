#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that no file includes what comes after its own room in the order of docs/architecture.md.

usage: check_layers.py [ROOT]

src/<room>/ may include its own room and the rooms before it, public headers of those rooms, and headers of the C
library; src/io alone may use zlib. Everything outside src/ sees public headers only, except tests, fuzzers and
benchmarks (lab/bench_*), which look inside, and the rest of lab/, which may use src/base: its clock and seeded numbers.
Prints one line per violation; the exit code is 1 when there is any.
"""
import pathlib
import re
import sys

ROOMS = ["base", "math", "exact", "simd", "mesh", "volume", "tree", "convex", "pair", "motion", "soft", "scene",
         "dynamics", "io"]

# The room that implements each public header. graze.h takes them all, so no room may include it.
PUBLIC = {"export.h": "base", "status.h": "base", "context.h": "base", "tasks.h": "base", "pose.h": "math", "exact.h": "exact",
          "mesh.h": "mesh", "shapes.h": "mesh", "topology.h": "mesh", "tree.h": "tree", "pair.h": "pair", "self.h": "pair", "batch.h": "pair", "search.h": "pair",
          "distance.h": "pair", "cache.h": "pair", "region.h": "pair", "depth.h": "pair", "broad.h": "scene", "scene.h": "scene", "scene_query.h": "scene", "interest.h": "scene", "detector.h": "scene",
          "io.h": "io", "assembly.h": "io"}

OUTSIDE = ["tool", "examples", "lab", "apps", "cluster", "gpu", "bindings"]

STANDARD = {"assert.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "limits.h", "locale.h", "math.h",
            "setjmp.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h",
            "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h", "time.h", "wchar.h", "wctype.h", "immintrin.h", "emmintrin.h",
            "xmmintrin.h"}
SYSTEM = {"fcntl.h", "unistd.h", "sys/stat.h", "sys/types.h", "sys/mman.h", "pthread.h", "semaphore.h"}
EXTRA = {"base": SYSTEM, "io": SYSTEM | {"zlib.h"}}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def order(room):
    return ROOMS.index(room)


def check_in_room(room, kind, name):
    """Why a file of src/<room> may not include this, or None."""
    if kind == "<" and name not in STANDARD | EXTRA.get(room, set()):
        return f"src/{room} may use the C library only"
    if kind == "<":
        return None
    folder, _, header = name.rpartition("/")
    if folder == "graze":
        owner = PUBLIC.get(header)
        if owner is None:
            return "no room owns this public header (see PUBLIC in scripts/check_layers.py)"
    elif folder in ROOMS:
        owner = folder
    else:
        return "an include inside src/ names its room, as in \"base/array.h\""
    return f"{owner} comes after {room}" if order(owner) > order(room) else None


def check_public(header, kind, name):
    """Why the public header may not include this, or None."""
    if kind == "<":
        return None if name in STANDARD else "public headers may use the C library only"
    folder, _, included = name.rpartition("/")
    if folder != "graze":
        return "public headers include only one another"
    if header in PUBLIC and included in PUBLIC and order(PUBLIC[included]) > order(PUBLIC[header]):
        return f"{PUBLIC[included]} comes after {PUBLIC[header]}"
    return None


def check_outside(folder, kind, name):
    """Why a file outside src/ may not include this, or None."""
    if folder == "lab" and name.startswith("base/"):
        return None
    if kind == '"' and (name.partition("/")[0] in ROOMS or "src/" in name):
        return "only public headers are visible outside src/"
    return None


def check_file(root, path):
    parts = path.relative_to(root).parts
    if parts[0] == "src":
        if len(parts) < 3 or parts[1] not in ROOMS:
            return [(1, "/".join(parts), "no such room (see ROOMS in scripts/check_layers.py)")]
        why_not = lambda kind, name: check_in_room(parts[1], kind, name)
    elif parts[0] == "include":
        why_not = lambda kind, name: check_public(parts[-1], kind, name)
    else:
        why_not = lambda kind, name: check_outside(parts[0], kind, name)
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        reason = match and why_not(*match.groups())
        if reason:
            found.append((number, match.group(2), reason))
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    files = sorted(path for folder in ["include", "src", *OUTSIDE] for path in (root / folder).rglob("*")
                   if path.suffix in {".c", ".h", ".cpp", ".hpp", ".inc"} and not path.name.startswith("bench_"))
    violations = 0
    for path in files:
        for number, name, reason in check_file(root, path):
            print(f"{path.relative_to(root)}:{number}: {name}: {reason}")
            violations += 1
    print(f"layers: {len(files)} files, {violations} violations")
    return 1 if violations or not files else 0


sys.exit(main())
