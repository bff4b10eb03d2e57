#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks certificates of clearance, independently of Graze.

    verify_certificate.py CERTIFICATE A B

Written from docs/certificate-format.md alone; needs nothing but Python. Reads certificates in both forms and meshes as STL or OBJ
(triangles only), all of them also gzip-compressed. Prints "valid" and exits with 0, or prints "refused" with a reason and exits with 3.

All arithmetic is exact: fractions, and integers over common powers of two. Unlike the checker in C, which works with homogeneous
polynomials on each interval, this one keeps polynomials of t in powers and computes Bernstein coefficients by their definition.
"""
import functools
import gzip
import hashlib
import json
import math
import struct
import sys
from fractions import Fraction

KINDS = {"still": (("start", 12),), "blend": (("start", 12), ("end", 12)),
         "turn": (("quaternion", 2, 4), ("centre", 3), ("path", 2, 3)),
         "ballistic_turn": (("quaternion", 2, 4), ("centre", 3), ("path", 3, 3))}
KIND_NAMES = list(KINDS)
FRAMES = "wab"
HALVINGS = 52


class Refused(Exception):
    """The certificate is not valid, for this reason."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


# ---- meshes ----

def plain_bytes(path):
    with open(path, "rb") as file:
        data = file.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def read_stl(data):
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        return [tuple(float(x) for x in struct.unpack_from("<12f", data, 84 + 50 * i)[3:]) for i in range(count)]
    numbers = []
    for line in data.decode("ascii", "replace").splitlines():
        words = line.split()
        if words and words[0].lower() == "vertex":
            numbers.extend(float(word) for word in words[1:4])
    return [tuple(numbers[i:i + 9]) for i in range(0, len(numbers), 9)]


def read_obj(data):
    vertices, triangles = [], []
    for line in data.decode("utf-8", "replace").splitlines():
        words = line.split()
        if words and words[0] == "v":
            vertices.append(tuple(float(word) for word in words[1:4]))
        elif words and words[0] == "f":
            require(len(words) == 4, "a face of the mesh is no triangle; this checker reads triangles only")
            corners = [int(word.split("/")[0]) for word in words[1:]]
            triangles.append(sum((vertices[c - 1 if c > 0 else c] for c in corners), ()))
    return triangles


def read_mesh(path):
    """All triangles, nine coordinates each, in the order of the file."""
    data = plain_bytes(path)
    name = path[:-3] if path.endswith(".gz") else path
    return read_obj(data) if name.lower().endswith(".obj") else read_stl(data)


def mesh_hash(triangles):
    total = hashlib.sha256()
    for triangle in triangles:
        total.update(struct.pack("<9d", *(x + 0.0 if x != 0 else 0.0 for x in triangle)))
    return total.digest()


# ---- certificates: both forms become the bytes of the binary one, and these a dictionary ----

def take_digits(text, size):
    require(isinstance(text, str) and len(text) == 2 * size and all(c in "0123456789abcdef" for c in text),
            "a string of hexadecimal digits is missing or malformed")
    return bytes.fromhex(text)


def take_number(x):
    require(isinstance(x, (int, float)) and not isinstance(x, bool), "a number is missing")
    try:
        x = float(x)
    except OverflowError:
        x = math.inf
    require(math.isfinite(x), "a number is not finite")
    return x + 0.0 if x != 0 else 0.0


def take_keys(value, needed, optional=()):
    require(isinstance(value, dict) and set(needed) <= set(value) <= set(needed) | set(optional),
            "an object has other keys than it should")
    return value


def take_row(value, count):
    require(isinstance(value, list) and len(value) == count, "a list has another length than it should")
    return [take_number(x) for x in value]


def side_from_json(value):
    take_keys(value, ("sha256", "motion"), ("deviation",))
    motion = value["motion"]
    require(isinstance(motion, dict) and motion.get("kind") in KINDS, "a motion is of no known kind")
    members = KINDS[motion["kind"]]
    take_keys(motion, ["kind"] + [member[0] for member in members])
    numbers = []
    for member in members:
        rows = motion[member[0]]
        if len(member) == 2:
            numbers += take_row(rows, member[1])
        else:
            require(isinstance(rows, list) and len(rows) == member[1], "a list has another length than it should")
            for row in rows:
                numbers += take_row(row, member[2])
    numbers += [0.0] * (24 - len(numbers))
    return take_digits(value["sha256"], 32) + struct.pack("<II25d", KIND_NAMES.index(motion["kind"]), 0,
                                                          take_number(value.get("deviation", 0)), *numbers)


def take_index(x):
    require(isinstance(x, int) and not isinstance(x, bool) and 0 <= x < 2 ** 32, "an index is missing")
    return x


def cells_from_json(root):
    out, stack = [], [root]
    while stack:
        cell = stack.pop()
        require(isinstance(cell, list) and cell and isinstance(cell[0], str), "a cell is malformed")
        if cell[0] in ("a", "b") and len(cell) == 4:
            out.append(struct.pack("<BI28x", "ab".index(cell[0]), take_index(cell[1])))
            stack += [cell[3], cell[2]]
        elif cell[0] == "t" and len(cell) == 3:
            out.append(struct.pack("<B32x", 2))
            stack += [cell[2], cell[1]]
        else:
            require(cell[0] == "plane" and len(cell) == 6 and cell[1] in ("w", "a", "b"), "a cell is malformed")
            numbers = [struct.unpack(">d", take_digits(x, 8))[0] for x in cell[2:]]
            out.append(struct.pack("<B4d", 3 + FRAMES.index(cell[1]), *(0.0 if x == 0 else x for x in numbers)))
    return out


def unique_keys(pairs):
    require(len(dict(pairs)) == len(pairs), "an object has a key twice")
    return dict(pairs)


def bytes_from_json(value):
    take_keys(value, ("graze", "version", "a", "b", "clearance", "order_a", "order_b", "cells", "seal"))
    require(value["graze"] == "certificate" and value["version"] == 1, "this is no certificate of version 1")
    orders = [value["order_a"], value["order_b"]]
    require(all(isinstance(order, list) for order in orders), "an order is no list")
    cells = [] if value["cells"] is None else cells_from_json(value["cells"])
    return b"".join([b"grazecrt", struct.pack("<II", 1, 0), side_from_json(value["a"]), side_from_json(value["b"]),
                     struct.pack("<d3Q", take_number(value["clearance"]), len(orders[0]), len(orders[1]), len(cells))]
                    + [struct.pack("<I", take_index(i)) for order in orders for i in order] + cells
                    + [take_digits(value["seal"], 32)])


class Side:
    """A mesh's hash, its motion and its deviation."""

    def __init__(self, data):
        self.hash = data[:32]
        kind, zero, self.deviation = struct.unpack_from("<IId", data, 32)
        numbers = struct.unpack_from("<24d", data, 48)
        require(kind < len(KIND_NAMES) and zero == 0, "a motion is of no known kind")
        self.kind = KIND_NAMES[kind]
        used = sum(math.prod(member[1:]) for member in KINDS[self.kind])
        require(data[48 + 8 * used:240] == bytes(8 * (24 - used)), "bytes that should be zero are not")
        require(all(map(math.isfinite, numbers)), "a number of a motion is not finite")
        self.numbers = [Fraction(x) for x in numbers]
        require(math.isfinite(self.deviation) and self.deviation >= 0, "a deviation is not a number from 0")


def no_negative_zero(data, first, count):
    require(all(data[i:i + 8] != b"\0\0\0\0\0\0\0\x80" for i in range(first, first + 8 * count, 8)),
            "there is a negative zero")


def parse(data, first):
    """One certificate from the binary form, and where it ends."""
    require(len(data) - first >= 560 and data[first:first + 16] == b"grazecrt" + struct.pack("<II", 1, 0),
            "this is no certificate of version 1")
    for place in (first + 56, first + 296):
        no_negative_zero(data, place, 25)
    no_negative_zero(data, first + 496, 1)
    clearance, count_a, count_b, count = struct.unpack_from("<d3Q", data, first + 496)
    end = first + 528 + 4 * (count_a + count_b) + 33 * count + 32
    require(max(count_a, count_b) < 2 ** 32 and end <= len(data), "it ends too early")
    require(hashlib.sha256(data[first:end - 32]).digest() == data[end - 32:end], "the seal does not fit")
    require(math.isfinite(clearance) and clearance >= 0, "the clearance is not a number from 0")
    sides = [Side(data[first + 16:first + 256]), Side(data[first + 256:first + 496])]
    at = first + 528
    orders = [struct.unpack_from(f"<{count_a}I", data, at), struct.unpack_from(f"<{count_b}I", data, at + 4 * count_a)]
    at += 4 * (count_a + count_b)
    cells = []
    for _ in range(count):
        kind = data[at]
        require(kind < 6, "a cell is of no known kind")
        if kind < 3:
            require(data[at + (5 if kind < 2 else 1):at + 33] == bytes(28 if kind < 2 else 32),
                    "bytes that should be zero are not")
            cells.append((kind, struct.unpack_from("<I", data, at + 1)[0]))
        else:
            no_negative_zero(data, at + 1, 4)
            cells.append((kind, struct.unpack_from("<4d", data, at + 1)))
        at += 33
    return (sides, clearance, orders, cells), end


def read_certificates(path):
    data = plain_bytes(path)
    if not data.startswith(b"grazecrt"):
        text, at, data = data.decode("utf-8", "strict"), 0, b""
        decoder = json.JSONDecoder(object_pairs_hook=unique_keys)
        while text[at:].strip():
            at += len(text[at:]) - len(text[at:].lstrip())
            value, at = decoder.raw_decode(text, at)
            data += bytes_from_json(value)
    found, at = [], 0
    while at < len(data) or not found:
        certificate, at = parse(data, at)
        found.append(certificate)
    return found


# ---- motions: polynomials in t, lists of coefficients of its powers ----

def add(p, q):
    return [(p[i] if i < len(p) else 0) + (q[i] if i < len(q) else 0) for i in range(max(len(p), len(q)))]


def scale(c, p):
    return [c * x for x in p]


def multiply(p, q):
    out = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for k, y in enumerate(q):
            out[i + k] += x * y
    return out


def total(polynomials):
    return functools.reduce(add, polynomials, [Fraction(0)])


class Motion:
    """M, W, X and k of the page."""

    def __init__(self, side):
        x = side.numbers
        self.turns = side.kind in ("turn", "ballistic_turn")
        if not self.turns:
            ends = [x[:12], x[:12] if side.kind == "still" else x[12:24]]
            entries = [[a] if side.kind == "still" else [a, b - a] for a, b in zip(*ends)]
            self.m = [entries[4 * row:4 * row + 3] for row in range(3)]
            self.x = [entries[4 * row + 3] for row in range(3)]
            self.w, self.k = [Fraction(1)], [Fraction(0)] * 3
            return
        q0, q1 = x[:4], x[4:8]
        require(any(q0) and any(q1), "a quaternion is zero")
        require(sum(a * b for a, b in zip(q0, q1)) >= 0, "quaternions have a negative inner product")
        w, i, j, k = ([a, b - a] for a, b in zip(q0, q1))
        sq = lambda p: multiply(p, p)
        minus = lambda p: scale(-1, p)
        twice = lambda p, q, s: scale(2, add(p, scale(s, q)))
        ij, ik, jk = multiply(i, j), multiply(i, k), multiply(j, k)
        wi, wj, wk = multiply(w, i), multiply(w, j), multiply(w, k)
        self.m = [[total([sq(w), sq(i), minus(sq(j)), minus(sq(k))]), twice(ij, wk, -1), twice(ik, wj, 1)],
                  [twice(ij, wk, 1), total([sq(w), minus(sq(i)), sq(j), minus(sq(k))]), twice(jk, wi, -1)],
                  [twice(ik, wj, -1), twice(jk, wi, 1), total([sq(w), minus(sq(i)), minus(sq(j)), sq(k)])]]
        self.w = total([sq(w), sq(i), sq(j), sq(k)])
        self.k = x[8:11]
        rows = 3 if side.kind == "ballistic_turn" else 2
        self.x = [[x[11 + 3 * row + axis] for row in range(rows)] for axis in range(3)]


class View:
    """f = n . (T (v - k) + S) - d Omega and s = Omega for the points of one body in one frame, as integers over a common
    denominator, which is left out: signs do not depend on it."""

    def __init__(self, motions, body, frame):
        of, holder = motions[body], None if frame == 0 else motions[frame - 1]
        identity = [[[Fraction(int(r == c))] for c in range(3)] for r in range(3)]
        if holder is of and of.turns:
            t, s, omega = identity, [[Fraction(0)]] * 3, [Fraction(1)]
        elif holder is of:
            t, s, omega = of.m, [[Fraction(0)]] * 3, [Fraction(1)]
        else:
            x = of.x if holder is None else [add(p, scale(-1, q)) for p, q in zip(of.x, holder.x)]
            t, s, omega = of.m, [multiply(of.w, p) for p in x], of.w
            if holder is not None and holder.turns:
                transposed = [[holder.m[row][column] for row in range(3)] for column in range(3)]
                apply = lambda vector: [total(multiply(e, p) for e, p in zip(row, vector)) for row in transposed]
                columns = [apply([t[row][column] for row in range(3)]) for column in range(3)]
                t, s, omega = [[columns[c][r] for c in range(3)] for r in range(3)], apply(s), multiply(holder.w, of.w)
        flat = [p for row in t for p in row] + list(s) + [omega]
        # Lengths of lists are degrees by the factors, zeros included, as the page demands.
        self.degree = max(map(len, flat)) - 1
        denominator = math.lcm(*(c.denominator for p in flat for c in p))
        whole = [[int(c * denominator) for c in p] + [0] * (self.degree + 1 - len(p)) for p in flat]
        self.t = [[whole[3 * row + column] for column in range(3)] for row in range(3)]
        self.s, self.omega = whole[9:12], whole[12]
        self.k = of.k

    def coefficients(self, p, level, index):
        """Bernstein coefficients on [index, index + 1] / 2^level, times 2^(level degree) and a number of the degree."""
        m = self.degree
        # p((index + x) / 2^level) 2^(level m), in powers of x
        powers = [sum(math.comb(j, k) * p[j] * index ** (j - k) << level * (m - j) for j in range(k, m + 1))
                  for k in range(m + 1)]
        common = math.lcm(*(math.comb(m, k) for k in range(m + 1)))
        return [sum(math.comb(i, k) * (common // math.comb(m, k)) * powers[k] for k in range(i + 1))
                for i in range(m + 1)]

    def plane(self, n, d, level, index):
        """For every Bernstein coefficient the slopes and the constant of f, and s, for integers n and d."""
        combine = lambda ps: [sum(n[row] * ps[row][i] for row in range(3)) for i in range(self.degree + 1)]
        slopes = [self.coefficients(combine([self.t[row][column] for row in range(3)]), level, index)
                  for column in range(3)]
        constant = [c - d * o for c, o in zip(combine(self.s), self.omega)]
        return list(zip(*slopes)), self.coefficients(constant, level, index), self.coefficients(self.omega, level, index)


class Check:
    """One certificate and two meshes."""

    def __init__(self, certificate, meshes):
        self.sides, clearance, self.orders, self.cells = certificate
        self.distance = Fraction(clearance) + sum(Fraction(side.deviation) for side in self.sides)
        for name, side, order, mesh in zip("ab", self.sides, self.orders, meshes):
            require(side.hash == mesh_hash(mesh) and len(order) == len(mesh), f"mesh {name} is another one")
            require(sorted(order) == list(range(len(mesh))), f"order_{name} does not name every triangle once")
        motions = [Motion(side) for side in self.sides]
        self.views = [[View(motions, body, frame) for body in range(2)] for frame in range(3)]
        self.points, self.units = [], []
        for motion, order, mesh in zip(motions, self.orders, meshes):
            self.prepare(motion, order, mesh)

    def prepare(self, motion, order, mesh):
        """Corners less k as integers over a power of two, triangle by triangle in the order."""
        corners = [[tuple(Fraction(x) - k for x, k in zip(mesh[i][c:c + 3], motion.k)) for c in (0, 3, 6)] for i in order]
        unit = max((x.denominator for triangle in corners for point in triangle for x in point), default=1)
        self.units.append(unit)
        self.points.append([[tuple(int(x * unit) for x in point) for point in triangle] for triangle in corners])

    def plane(self, cell, ranges, level, index):
        frame, numbers = cell[0] - 3, cell[1]
        require(all(map(math.isfinite, numbers)) and any(numbers[:3]), "a plane has no normal, or is not finite")
        exact = [Fraction(x) for x in numbers]
        unit = max(x.denominator for x in exact)
        *n, d = (int(x * unit) for x in exact)
        square = sum(x * x for x in n)
        for body, (first, end) in enumerate(ranges):
            slopes, constants, omegas = self.views[frame][body].plane(n, d, level, index)
            points = {point for triangle in self.points[body][first:end] for point in triangle}
            scale_of_points = self.units[body]
            for (gx, gy, gz), constant, omega in zip(slopes, constants, omegas):
                values = [gx * x + gy * y + gz * z for x, y, z in points]
                if body == 0:
                    require(max(values) + constant * scale_of_points <= 0, "a plane does not have A on its side")
                    continue
                least = min(values) + constant * scale_of_points
                if self.distance == 0:
                    require(least > 0, "a plane does not have B on its side")
                else:
                    needed = self.distance * omega * scale_of_points
                    require(least >= 0 and least * least >= needed * needed * square, "a plane is too near to B")

    def run(self):
        """The tree of cells."""
        whole = tuple((0, len(order)) for order in self.orders)
        stack = [(whole, 0, 0)] if whole[0][1] and whole[1][1] else []
        for number, cell in enumerate(self.cells):
            require(stack, f"cell {number} is left over")
            ranges, level, index = stack.pop()
            if cell[0] == 2:
                require(level < HALVINGS, f"cell {number} halves time too often")
                stack += [(ranges, level + 1, 2 * index + 1), (ranges, level + 1, 2 * index)]
            elif cell[0] < 2:
                (first, end), k = ranges[cell[0]], cell[1]
                require(first < k < end, f"cell {number} splits a range where it is not")
                halves = [((first, k), ranges[1]), ((k, end), ranges[1])] if cell[0] == 0 else \
                         [(ranges[0], (first, k)), (ranges[0], (k, end))]
                stack += [(halves[1], level, index), (halves[0], level, index)]
            else:
                try:
                    self.plane(cell, ranges, level, index)
                except Refused as reason:
                    raise Refused(f"cell {number}: {reason}") from None
        require(not stack, "cells are missing")


def verify(path, meshes):
    """The number of planes of all certificates in a file, or Refused."""
    try:
        certificates = read_certificates(path)
    except (ValueError, RecursionError, EOFError, OSError) as error:
        raise Refused(f"it cannot be read: {error}") from None
    for certificate in certificates:
        Check(certificate, meshes).run()
    return len(certificates), sum(cell[0] > 2 for certificate in certificates for cell in certificate[3])


def main(arguments):
    if len(arguments) != 3:
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    sys.setrecursionlimit(20000)
    try:
        certificates, planes = verify(arguments[0], [read_mesh(path) for path in arguments[1:]])
    except Refused as reason:
        print(f"refused: {reason}")
        return 3
    print(f"valid: {certificates} certificates, {planes} planes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
