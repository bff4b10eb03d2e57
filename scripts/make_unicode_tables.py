#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/text/normalization_tables.c from Python's unicodedata: what normal form C needs (Unicode Standard Annex 15).

    scripts/make_unicode_tables.py > src/text/normalization_tables.c

Hangul syllables are left out, since they are computed.
"""
import sys
import unicodedata

HANGUL = range(0xAC00, 0xAC00 + 11172)


def decompositions():
    """(code, first, second) of all canonical decompositions, in one step; second is 0 for singletons."""
    for code in range(sys.maxunicode + 1):
        mapping = unicodedata.decomposition(chr(code))
        if not mapping or mapping[0] == '<' or code in HANGUL:
            continue
        parts = [int(part, 16) for part in mapping.split()]
        yield code, parts[0], parts[1] if len(parts) > 1 else 0


def class_ranges():
    """(first, last, class) of code points with a combining class other than 0."""
    ranges = []
    for code in range(sys.maxunicode + 1):
        number = unicodedata.combining(chr(code))
        if number == 0:
            continue
        if ranges and ranges[-1][1] == code - 1 and ranges[-1][2] == number:
            ranges[-1][1] = code
        else:
            ranges.append([code, code, number])
    return ranges


def rows(items, width=120):
    line = '    '
    for item in items:
        if len(line) + len(item) + 1 > width:
            yield line
            line = '    '
        line += item + ','
    yield line


def main():
    table = list(decompositions())
    # A pair composes unless it is excluded; unicodedata knows: NFC of the pair is the code point.
    composing = [i for i, (code, first, second) in enumerate(table)
                 if second and unicodedata.normalize('NFC', chr(first) + chr(second)) == chr(code)]
    composing.sort(key=lambda i: table[i][1:])
    ranges = class_ranges()
    print('/* SPDX-License-Identifier: MIT */')
    print('/* Tables of normal form C, of Unicode %s; made by scripts/make_unicode_tables.py. Kept as it was written. */'
          % unicodedata.unidata_version)
    print('#include "text/normalization_tables.h"\n\n/* clang-format off */\n')
    print('const grz_decomposition grz_decompositions[] = {')
    print('\n'.join(rows('{0x%X,0x%X,0x%X}' % entry for entry in table)))
    print('};\nconst size_t grz_decomposition_count = %d;\n' % len(table))
    print('const uint16_t grz_compositions[] = {')
    print('\n'.join(rows('%d' % index for index in composing)))
    print('};\nconst size_t grz_composition_count = %d;\n' % len(composing))
    print('const grz_class_range grz_class_ranges[] = {')
    print('\n'.join(rows('{0x%X,0x%X,%d}' % tuple(entry) for entry in ranges)))
    print('};\nconst size_t grz_class_range_count = %d;' % len(ranges))


main()
