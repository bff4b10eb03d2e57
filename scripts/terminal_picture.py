#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns what a program printed, colours included, into a picture of a terminal (SVG).

usage: terminal_picture.py TITLE <TEXT >PICTURE

Braille patterns and blocks become dots and rectangles, so that the picture does not depend on the viewer's fonts.
"""
import html
import re
import sys

WIDTH, HEIGHT, SIZE = 8.4, 18, 14  # of a character cell, and of the letters
MARGIN, BAR = 16, 34
COLOURS = {"": "#c9d1d9", "1": "#ffffff", "2": "#8b949e", "31": "#ff7b72", "1;31": "#ff7b72", "32": "#7ee787",
           "33": "#e3b341", "36": "#56d4dd"}
# Where the dots of a Braille pattern sit, by bit.
DOTS = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
ESCAPE = re.compile(r"\033\[([0-9;]*)m")


def runs(line):
    """Splits a line into (column, colour, text)."""
    column, colour = 0, ""
    for index, piece in enumerate(ESCAPE.split(line)):
        if index % 2:
            colour = "" if piece == "0" else piece
        elif piece:
            yield column, colour, piece
            column += len(piece)


def draw_symbol(character, x, y, strokes, colour):
    """Draws what is no letter; returns whether it was one of those."""
    code = ord(character)
    if 0x2800 <= code <= 0x28FF:
        for bit, (column, row) in enumerate(DOTS):
            if code >> bit & 1:
                strokes.setdefault((colour, 2.4), []).append(
                    f"M{x + (column + 0.5) * WIDTH / 2:.1f} {y + (row + 0.5) * HEIGHT / 4:.1f}h0")
    elif character == "✖":
        strokes.setdefault((colour, 2.2), []).append(
            f"M{x + 1:.1f} {y + 5.5:.1f}l6.4 7m0 -7l-6.4 7")
    elif 0x2581 <= code <= 0x2588:  # bars of one to eight eighths
        strokes.setdefault((colour, WIDTH - 1), []).append(
            f"M{x + WIDTH / 2:.1f} {y + HEIGHT - 2:.1f}v-{(code - 0x2580) * (HEIGHT - 4) / 8:.1f}")
    else:
        return False
    return True


def main():
    lines = [line.rstrip("\n") for line in sys.stdin]
    columns = max(len(ESCAPE.sub("", line)) for line in lines)
    width, height = 2 * MARGIN + columns * WIDTH, BAR + len(lines) * HEIGHT + MARGIN
    strokes, texts = {}, []
    for row, line in enumerate(lines):
        y = BAR + row * HEIGHT
        for column, colour, text in runs(line):
            fill = COLOURS[colour]
            kept = "".join(" " if draw_symbol(c, MARGIN + (column + i) * WIDTH, y, strokes, fill) else c
                           for i, c in enumerate(text))
            for word in re.finditer(r"\S+(?: \S+)*", kept):
                x = MARGIN + (column + word.start()) * WIDTH
                length = len(word.group()) * WIDTH
                weight = ' font-weight="bold"' if colour.startswith("1") else ""
                texts.append(f'<text x="{x:.1f}" y="{y + 13.5:.1f}" textLength="{length:.1f}" fill="{fill}"{weight}>'
                             f"{html.escape(word.group())}</text>")
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
          f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, '
          f'monospace" font-size="{SIZE}">')
    print(f'<rect width="100%" height="100%" rx="8" fill="#0d1117"/>')
    for index, colour in enumerate(["#ff5f56", "#ffbd2e", "#27c93f"]):
        print(f'<circle cx="{MARGIN + 4 + 18 * index}" cy="16" r="5.5" fill="{colour}"/>')
    print(f'<text x="{width / 2:.0f}" y="21" text-anchor="middle" fill="#8b949e">{html.escape(sys.argv[1])}</text>')
    for (colour, thickness), path in strokes.items():
        cap = "round" if thickness < 4 else "butt"
        print(f'<path d="{"".join(path)}" stroke="{colour}" stroke-width="{thickness:.1f}" stroke-linecap="{cap}" '
              f'fill="none"/>')
    print("\n".join(texts))
    print("</svg>")


main()
