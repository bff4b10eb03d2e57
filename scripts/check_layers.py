#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every file includes only what its room may use, and that the README of each room says the same.

usage: check_layers.py [ROOT]

A room is a folder of src/ or tool/; a sub-room, such as src/pair/hit, is a room of its own. MAY_USE and TOOL_MAY_USE below
list the rooms in order, each with the rooms before it whose headers it may include. Public headers belong to the room
that implements them (PUBLIC) and may be included where that room may. Of the outside world rooms see the C library;
src/io alone may use zlib. Of other libraries than libgraze (SEPARATE) rooms see public headers, src/base and src/text.
Everything outside src/ sees public headers only, except tests, fuzzers and benchmarks (lab/bench_*), which look inside, the
rest of lab/, which may use src/base: its clock and seeded numbers, and tool/, which may use src/text: JSON, names, patterns.

The README.md of a room has one line "May use: base, math." (or "May use: nothing."), which must name the same rooms.
Prints one line per violation; the exit code is 1 when there is any.
"""
import pathlib
import re
import sys

MAY_USE = {
    "base": [],
    "text": ["base"],
    "math": ["base"],
    "exact": ["base", "math"],
    "simd": ["base", "math"],
    "convex": ["base", "math", "exact", "simd"],
    "volume": ["base", "math"],
    "mesh": ["base", "math", "exact"],
    "tree": ["base", "math", "simd", "mesh"],
    "pair": ["base", "math", "exact", "simd", "mesh", "tree"],
    "pair/distance": ["base", "math", "exact", "simd", "convex", "mesh", "tree", "pair"],
    "pair/hit": ["base", "math", "exact", "simd", "mesh", "tree", "pair", "pair/distance"],
    "pair/solid": ["base", "math", "exact", "mesh", "tree", "pair"],
    "pair/region": ["base", "math", "exact", "mesh", "pair"],
    "pair/depth": ["base", "math", "exact", "simd", "mesh", "pair", "pair/distance", "pair/solid", "pair/region"],
    "pair/contact": ["base", "math", "exact", "convex", "mesh", "pair"],
    "pair/mesh_query": ["base", "math", "exact", "mesh", "tree", "pair"],
    "decomposition": ["base", "math", "exact", "convex", "mesh", "tree", "pair", "pair/solid"],
    "pair/method": ["base", "math", "exact", "simd", "convex", "volume", "mesh", "decomposition", "pair", "pair/distance", "pair/hit", "pair/solid"],
    "shape": ["base", "math", "exact", "simd", "convex", "mesh", "tree", "pair", "pair/distance", "pair/solid", "pair/mesh_query", "pair/contact"],
    "motion": ["base", "math", "exact", "simd", "convex", "mesh", "tree", "pair", "pair/distance", "pair/hit", "pair/solid", "shape"],
    "motion/method": ["base", "math", "exact", "mesh", "tree", "pair", "motion"],
    "certificate": ["base", "math", "exact", "convex", "mesh", "motion"],
    "tool_path": ["base", "math", "exact", "simd", "mesh", "tree", "pair", "pair/solid"],
    "broad": ["base", "math", "exact", "simd"],
    "scene": ["base", "math", "simd", "mesh", "tree", "pair", "pair/solid", "pair/mesh_query", "shape", "motion", "broad"],
    "clash": ["base", "text", "math", "exact", "mesh", "tree", "pair", "shape", "broad", "scene", "motion"],
    "io": ["base", "text", "math", "mesh", "tree", "shape", "motion", "certificate"],
}

TOOL_MAY_USE = {
    "shell": [],
    "scene": ["shell"],
    "page": ["shell", "scene"],
    "picture": ["shell"],
    "clash": ["shell", "scene", "page", "picture"],
    "commands": ["shell", "scene", "page", "picture", "clash"],
}

# The room that implements each public header; those of src/pair belong to all its sub-rooms. graze.h takes them all,
# so no room may include it.
PUBLIC = {
    "base": ["export.h", "status.h", "budget.h", "context.h", "tasks.h"],
    "math": ["pose.h", "box.h"],
    "exact": ["exact.h"],
    "mesh": ["mesh.h", "generate.h", "topology.h"],
    "tree": ["tree.h"],
    "pair": ["pair.h", "self.h", "batch.h", "search.h", "distance.h", "cache.h", "region.h", "depth.h", "mesh_query.h", "contact.h", "method.h"],
    "decomposition": ["hull.h", "decomposition.h"],
    "shape": ["shape.h", "shape_query.h", "shape_contact.h", "shape_batch.h"],
    "motion": ["enclosed_motion.h", "motion.h", "motion_method.h", "motion_query.h", "shape_motion.h"],
    "certificate": ["certificate.h"],
    "tool_path": ["tool_path.h"],
    "broad": ["broad_phase.h"],
    "scene": ["scene.h", "scene_query.h", "interest.h", "detector.h"],
    "clash": ["clash.h", "clash_report.h"],
    "io": ["io.h", "assembly.h", "shape_file.h", "certificate_file.h"],
}
OWNER = {header: room for room, headers in PUBLIC.items() for header in headers}

# Rooms that are libraries of their own: they reach only what libgraze exports, and their copies of base and text.
SEPARATE = {"clash"}

OUTSIDE = ["tool", "examples", "lab", "apps", "cluster", "gpu", "bindings"]

STANDARD = {"assert.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "limits.h", "locale.h", "math.h",
            "setjmp.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h",
            "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h", "time.h", "wchar.h", "wctype.h", "immintrin.h", "emmintrin.h",
            "xmmintrin.h"}
SYSTEM = {"fcntl.h", "unistd.h", "sys/stat.h", "sys/types.h", "sys/mman.h", "pthread.h", "semaphore.h"}
EXTRA = {"base": SYSTEM, "io": SYSTEM | {"zlib.h"}}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
USES = re.compile(r"^May use: ([\w/, ]+)\.$", re.M)


def may_use(room, other):
    return other == room or other in MAY_USE[room]


def check_in_room(room, kind, name):
    """Why a file of src/<room> may not include this, or None."""
    if kind == "<" and name not in STANDARD | EXTRA.get(room, set()):
        return f"src/{room} may use the C library only"
    if kind == "<":
        return None
    folder, _, header = name.rpartition("/")
    if folder == "graze":
        owner = OWNER.get(header)
        if owner is None:
            return "no room owns this public header (see PUBLIC in scripts/check_layers.py)"
    elif folder in MAY_USE:
        owner = folder
        if room in SEPARATE and folder not in {room, "base", "text"}:
            return f"src/{room} is a library of its own and sees public headers of {folder} only"
    else:
        return "an include inside src/ names its room, as in \"base/array.h\""
    return None if may_use(room, owner) else f"src/{room} may not use {owner} (see MAY_USE in scripts/check_layers.py)"


def check_public(header, kind, name):
    """Why the public header may not include this, or None."""
    if kind == "<":
        return None if name in STANDARD else "public headers may use the C library only"
    folder, _, included = name.rpartition("/")
    if folder != "graze":
        return "public headers include only one another"
    if header in OWNER and included in OWNER and not may_use(OWNER[header], OWNER[included]):
        return f"{OWNER[header]} may not use {OWNER[included]}"
    return None


def check_in_tool(root, room, name):
    """Why a file of tool/<room> (None: of tool/ itself) may not include this header of the tool, or None."""
    folder = name.rpartition("/")[0]
    if folder == room or room is None or folder in TOOL_MAY_USE[room]:
        return None
    return f"tool/{room} may not use {folder} (see TOOL_MAY_USE in scripts/check_layers.py)"


def check_outside(root, parts, kind, name):
    """Why a file outside src/ may not include this, or None."""
    folder = parts[0]
    if kind == "<" or (folder == "lab" and name.startswith("base/")) or (folder == "tool" and name.startswith("text/")):
        return None
    if folder == "tool" and name.rpartition("/")[0] in TOOL_MAY_USE and (root / "tool" / name).is_file():
        return check_in_tool(root, parts[1] if len(parts) > 2 else None, name)
    if name.partition("/")[0] in MAY_USE or "src/" in name:
        return "only public headers are visible outside src/"
    return None


def check_file(root, path):
    parts = path.relative_to(root).parts
    if parts[0] == "src":
        room = "/".join(parts[1:-1])
        if room not in MAY_USE:
            return [(1, "/".join(parts), "no such room (see MAY_USE in scripts/check_layers.py)")]
        why_not = lambda kind, name: check_in_room(room, kind, name)
    elif parts[0] == "include":
        why_not = lambda kind, name: check_public(parts[-1], kind, name)
    elif parts[0] == "tool" and len(parts) > 2 and "/".join(parts[1:-1]) not in TOOL_MAY_USE:
        return [(1, "/".join(parts), "no such room (see TOOL_MAY_USE in scripts/check_layers.py)")]
    else:
        why_not = lambda kind, name: check_outside(root, parts, kind, name)
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        reason = match and why_not(*match.groups())
        if reason:
            found.append((number, match.group(2), reason))
    return found


def check_order(table):
    """Rooms that may use one that does not come before them: then there could be a cycle."""
    names = list(table)
    return [f"{room} may use {other}, which does not come before it" for room, used in table.items() for other in used
            if other not in names or names.index(other) >= names.index(room)]


def check_readme(root, folder, room, table):
    """What is wrong with the README of a room, or None; rooms without files need none."""
    if not (root / folder / room).is_dir():
        return None
    readme = root / folder / room / "README.md"
    if not readme.is_file():
        return f"{folder}/{room}: no README.md"
    text = readme.read_text(encoding="utf-8")
    if len(text.splitlines()) > 15:
        return f"{folder}/{room}/README.md: more than fifteen lines"
    found = USES.findall(text)
    if len(found) != 1:
        return f"{folder}/{room}/README.md: needs one line \"May use: room, room.\""
    said = [] if found[0] == "nothing" else [name.strip() for name in found[0].split(",")]
    return None if said == table[room] else f"{folder}/{room}/README.md: says {said}, but check_layers.py {table[room]}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    files = sorted(path for folder in ["include", "src", *OUTSIDE] for path in (root / folder).rglob("*")
                   if path.suffix in {".c", ".h", ".cpp", ".hpp", ".inc"} and not path.name.startswith("bench_"))
    violations = [f"{path.relative_to(root)}:{number}: {name}: {reason}" for path in files
                  for number, name, reason in check_file(root, path)]
    for folder, table in [("src", MAY_USE), ("tool", TOOL_MAY_USE)]:
        violations += check_order(table)
        violations += filter(None, (check_readme(root, folder, room, table) for room in table))
    print(*violations, sep="\n", end="\n" if violations else "")
    print(f"layers: {len(files)} files, {len(violations)} violations")
    return 1 if violations or not files else 0


sys.exit(main())
