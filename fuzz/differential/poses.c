/* SPDX-License-Identifier: MIT */
/* Generates poses from bytes; see poses.h. */
#include "poses.h"

#include <math.h>

#include "finding.h"

static double integer(fuzz_bytes *bytes)
{
    return (double)((int)take_below(bytes, 9) - 4);
}

static double decimal(fuzz_bytes *bytes)
{
    return (double)(int8_t)take_byte(bytes) * 0.1;
}

/* Numbers whose differences are rounded. */
static double awkward(fuzz_bytes *bytes)
{
    static const double numbers[] = {0,
                                     -3.5,
                                     -0.5000000000000001,
                                     0.1,
                                     0.30000000000000004,
                                     1e16,
                                     -1e16,
                                     0.7,
                                     1.1,
                                     2.2,
                                     3.3,
                                     1.0000000000000002,
                                     0x1p53,
                                     0x1p-53,
                                     1e-9,
                                     123456.789,
                                     0x1.fffffffffffffp0,
                                     1.0 / 3,
                                     2.5,
                                     -0.0};
    return numbers[take_below(bytes, sizeof numbers / sizeof numbers[0])];
}

static double ulp_off(fuzz_bytes *bytes)
{
    uint8_t byte = take_byte(bytes);
    double whole = (double)(byte & 7) - 4;
    return (byte & 8) != 0 ? whole : nextafter(whole, (byte & 16) != 0 ? INFINITY : -INFINITY);
}

static double far_away(fuzz_bytes *bytes)
{
    static const double distances[] = {1e6, 1e9, 0x1p40, 0x1p52, 0x1p53, 1e17, 1e100, 1e300};
    uint8_t byte = take_byte(bytes);
    return distances[byte & 7] * ((byte & 8) != 0 ? -1 : 1) + 0.1 * (byte >> 4);
}

static double tiny(fuzz_bytes *bytes)
{
    uint8_t byte = take_byte(bytes);
    return ldexp((double)(byte & 7) - 3, -40 - 33 * (byte >> 3));
}

static double at_the_ends(fuzz_bytes *bytes)
{
    uint8_t byte = take_byte(bytes);
    return ldexp((double)(byte & 7) - 3, (byte & 8) != 0 ? 1000 - (byte >> 4) : -1000 - 4 * (byte >> 4));
}

typedef double (*number_maker)(fuzz_bytes *bytes);

static void translate(fuzz_bytes *bytes, number_maker make, graze_pose *pose)
{
    for (int k = 0; k < 3; k++)
        pose->m[4 * k + 3] = make(bytes);
}

/* One of the 48 symmetries of the cube; without reflections if asked for. */
static void turn_cube(fuzz_bytes *bytes, bool mirror, graze_pose *pose)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    uint8_t byte = take_byte(bytes);
    int order = byte % 6, signs[3] = {(byte & 8) != 0, (byte & 16) != 0, 0};
    signs[2] = (signs[0] + signs[1] + (order >= 3) + mirror) % 2;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            pose->m[4 * row + column] = orders[order][row] != column ? 0.0 : signs[row] != 0 ? -1.0 : 1.0;
}

static void scale_by(graze_pose *pose, double factor)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            pose->m[4 * row + column] *= factor;
}

static void make_linear(fuzz_bytes *bytes, number_maker make, graze_pose *pose)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            pose->m[4 * row + column] = make(bytes);
}

/* Rank two, one or zero: a row is the sum or a multiple of others, or columns are zero. */
static void make_singular(fuzz_bytes *bytes, graze_pose *pose)
{
    uint8_t byte = take_byte(bytes);
    for (int column = 0; column < 3; column++)
    {
        double *m = pose->m;
        if ((byte & 1) != 0)
            m[8 + column] = m[column] + m[4 + column];
        if ((byte & 2) != 0)
            m[4 + column] = 2 * m[column];
        if ((byte & 4) != 0)
            m[4 * (byte >> 3 & 3) % 12 + column] = 0;
        if ((byte & 32) != 0)
            m[column * 4 + (byte >> 6) % 3] = 0;
    }
}

static void rotate(fuzz_bytes *bytes, graze_pose *pose)
{
    double wxyz[4] = {1, 0, 0, 0}, translation[3] = {pose->m[3], pose->m[7], pose->m[11]};
    uint8_t byte = take_byte(bytes);
    for (int k = 0; k < 4; k++)
        wxyz[k] += (double)(byte >> (2 * k) & 3) - (k > 0 ? 1 : 0);
    EXPECT_OK(graze_pose_from_quaternion(wxyz, translation, pose));
}

static void negate_zeros(fuzz_bytes *bytes, graze_pose *pose)
{
    unsigned mask = take_byte(bytes);
    mask |= (unsigned)take_byte(bytes) << 8;
    for (int i = 0; i < 12; i++)
        if (pose->m[i] == 0 && (mask >> i & 1) != 0)
            pose->m[i] = -0.0;
}

static void any_translation(fuzz_bytes *bytes, graze_pose *pose)
{
    static const number_maker makers[] = {integer, decimal, awkward, ulp_off, far_away, tiny, at_the_ends, decimal};
    uint8_t byte = take_byte(bytes);
    translate(bytes, makers[byte & 7], pose);
    if ((byte & 8) != 0) /* one of them is of another kind */
        pose->m[4 * (byte >> 4 & 3) % 12 + 3] = makers[byte >> 5](bytes);
}

static void any_linear(fuzz_bytes *bytes, graze_pose *pose)
{
    static const double factors[] = {2, 0.5, 3, 0.1, 1e-9, 1e9, 0x1p1000, 0x1p-1000};
    uint8_t byte = take_byte(bytes);
    switch (byte & 15)
    {
    case 0:
    case 1:
        turn_cube(bytes, false, pose);
        break;
    case 2:
        turn_cube(bytes, true, pose);
        break;
    case 3:
    case 4:
        rotate(bytes, pose);
        break;
    case 5:
        make_linear(bytes, integer, pose);
        break;
    case 6:
        make_linear(bytes, decimal, pose);
        break;
    case 7:
        make_linear(bytes, take_coordinate, pose);
        break;
    case 8:
    case 9:
        make_singular(bytes, pose);
        break;
    case 10: /* one shear */
        pose->m[byte >> 5 == 0 ? 1 : byte >> 5 == 1 ? 2 : 4] = integer(bytes);
        break;
    case 11:
        make_linear(bytes, at_the_ends, pose);
        break;
    case 12: /* a scale for each axis */
        for (int k = 0; k < 3; k++)
            pose->m[5 * k] = factors[take_below(bytes, 8)];
        break;
    default:
        scale_by(pose, factors[byte >> 4 & 7]);
        break;
    }
}

void take_pose(fuzz_bytes *bytes, graze_pose *out)
{
    *out = graze_pose_identity();
    uint8_t form = take_byte(bytes);
    if ((form & 3) != 0) /* three in four translate, one in four rotates */
        any_translation(bytes, out);
    if ((form & 0x0c) == 0x0c)
        any_linear(bytes, out);
    if ((form & 0x30) == 0x30)
        negate_zeros(bytes, out);
    if ((form & 0xc0) == 0xc0)
    {
        uint8_t which = take_byte(bytes);
        out->m[which % 12] = nextafter(out->m[which % 12], (which & 0x80) != 0 ? INFINITY : -INFINITY);
    }
}

void take_rigid_pose(fuzz_bytes *bytes, graze_pose *out)
{
    *out = graze_pose_identity();
    uint8_t form = take_byte(bytes);
    if ((form & 3) != 0)
        any_translation(bytes, out);
    if ((form & 0x0c) == 0x04 || (form & 0x0c) == 0x08)
        turn_cube(bytes, (form & 0x10) != 0, out);
    if ((form & 0x0c) == 0x0c)
        rotate(bytes, out);
}

void pose_tame(graze_pose *pose)
{
    for (int i = 0; i < 12; i++)
    {
        double size = fabs(pose->m[i]);
        if (size > 1e9 || (size > 0 && size < 1e-9))
            *pose = graze_pose_identity();
    }
}

void take_related_pose(fuzz_bytes *bytes, const graze_pose *other, graze_pose *out)
{
    uint8_t form = take_byte(bytes);
    if ((form & 3) == 0)
    {
        take_pose(bytes, out);
        return;
    }
    *out = *other;
    if ((form & 3) == 2)
        any_translation(bytes, out);
    if ((form & 3) == 3)
        out->m[(form >> 2) % 12] = nextafter(out->m[(form >> 2) % 12], form < 128 ? INFINITY : -INFINITY);
}
