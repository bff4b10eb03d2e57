# SPDX-License-Identifier: MIT
# Draws the outlines of placed meshes, seen from above, as text: every character holds 2 x 4 dots (Braille patterns).
#
#     LC_ALL=C awk -v columns=76 -v colours=1 -f draw.awk
#
# Input, line by line: "layer N" begins a mesh in terminal colour N; "pose" and 12 numbers place it; then the lines of
# its OBJ file ("v", "f"). "mark X Y" sets a cross. An edge is drawn where a face that looks up ends.

function place(x, y, z)
{
    vertices++
    px[vertices] = m[1] * x + m[2] * y + m[3] * z + m[4]
    py[vertices] = m[5] * x + m[6] * y + m[7] * z + m[8]
    if (total++ == 0) {
        left = right = px[vertices]
        low = high = py[vertices]
    }
    if (px[vertices] < left) left = px[vertices]
    if (px[vertices] > right) right = px[vertices]
    if (py[vertices] < low) low = py[vertices]
    if (py[vertices] > high) high = py[vertices]
}

# Counts, for every edge, the faces that look up and those that do not.
function take_face(    i, j, a, b, area)
{
    for (i = 2; i <= NF; i++) {
        split($i, part, "/")
        corner[i - 1] = first + part[1]
    }
    for (i = 1; i < NF; i++) {
        a = corner[i]
        b = corner[i % (NF - 1) + 1]
        area += px[a] * py[b] - px[b] * py[a]
    }
    for (i = 1; i < NF; i++) {
        a = corner[i]
        b = corner[i % (NF - 1) + 1]
        j = a < b ? a " " b : b " " a
        layer_of[j] = layer
        if (area > 1e-9) up[j]++  # a picture, so here a tolerance does no harm
        else other[j]++
    }
}

function dot(x, y, colour,    column, row, bit)
{
    column = int(x / 2)
    row = int(y / 4)
    bit = x % 2 * 4 + y % 4
    if (!((column, row, bit) in dots)) {
        dots[column, row, bit] = 1
        cell[column, row] += weight[bit]
    }
    tint[column, row] = colour
}

function line(a, b, colour,    x, y, steps, i)
{
    steps = int((px[b] - px[a]) * scale)
    if (steps < 0) steps = -steps
    y = int((py[b] - py[a]) * scale)
    if (y < 0) y = -y
    if (y > steps) steps = y
    steps = 2 * steps + 1
    for (i = 0; i <= steps; i++) {
        x = px[a] + (px[b] - px[a]) * i / steps
        y = py[a] + (py[b] - py[a]) * i / steps
        dot(int((x - left) * scale), int((high - y) * scale), colour)
    }
}

# A character of the block U+2800, as its three bytes.
function braille(pattern)
{
    return sprintf("%c%c%c", 226, 160 + int(pattern / 64), 128 + pattern % 64)
}

BEGIN {
    # Dots of a character in the order top to bottom, left column and then right one.
    split("1 2 4 64 8 16 32 128", list, " ")
    for (i = 1; i <= 8; i++) weight[i - 1] = list[i]
    if (!columns) columns = 76
}

$1 == "layer" { layer = $2; first = vertices; split("1 0 0 0 0 1 0 0 0 0 1 0", m, " ") }
$1 == "pose" { for (i = 1; i <= 12; i++) m[i] = $(i + 1) }
$1 == "v" { place($2, $3, $4) }
$1 == "f" { take_face() }
$1 == "mark" { marks++; mark_x[marks] = $2; mark_y[marks] = $3 }

END {
    scale = (2 * columns - 1) / (right - left)
    rows = int((high - low) * scale / 4) + 1
    for (edge in up)
        if (other[edge]) {
            split(edge, end, " ")
            line(end[1], end[2], layer_of[edge])
        }
    for (i = 1; i <= marks; i++)
        marked[int((mark_x[i] - left) * scale / 2), int((high - mark_y[i]) * scale / 4)] = 1
    for (row = 0; row < rows; row++) {
        text = ""
        for (column = 0; column < columns; column++) {
            if ((column, row) in marked) { symbol = "\342\234\226"; colour = "1;31" }
            else if ((column, row) in cell) { symbol = braille(cell[column, row]); colour = tint[column, row] }
            else { symbol = " "; colour = "" }
            text = text (colours && colour != "" ? "\033[" colour "m" symbol "\033[0m" : symbol)
        }
        sub(/ +$/, "", text)
        print "  " text
    }
}
