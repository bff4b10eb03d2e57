/* SPDX-License-Identifier: MIT */
/*
 * Placed points as integers, and determinants of them; see predicates.h.
 *
 * A placed coordinate is a sum of at most four terms, each an odd integer times a power of two. The lowest power over
 * all points becomes the unit of the axis, so that coordinates are integers no wider than the input makes necessary.
 */
#include "exact/predicates.h"

#include <string.h>

#include "exact/wide_integer.h"

enum
{
    SINGLE_BITS = 63, /* differences are below 2^62 */
    NARROW_BITS = 126 /* with room for three more and a sign: differences are below 2^125, as wide_integer.h asks */
};

/* One summand of a coordinate: sign * magnitude * 2^exponent, the magnitude odd (or 0). */
typedef struct term
{
    grz_u128 magnitude;
    int exponent;
    int sign;
} term;

typedef struct double_parts
{
    uint64_t mantissa; /* odd, or 0 */
    int exponent, sign;
} double_parts;

static double_parts decompose_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    double_parts p;
    p.sign = bits >> 63 ? -1 : 1;
    int biased = (int)(bits >> 52 & 0x7ff);
    p.mantissa = bits & UINT64_C(0xfffffffffffff);
    if (biased != 0)
        p.mantissa |= UINT64_C(1) << 52;
    p.exponent = (biased == 0 ? 1 : biased) - 1075;
    if (p.mantissa == 0)
    {
        p.exponent = 0;
        return p;
    }
    int zeros = __builtin_ctzll(p.mantissa);
    p.mantissa >>= zeros;
    p.exponent += zeros;
    return p;
}

static int bits_of(grz_u128 x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    return high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
}

enum
{
    TERMS = 4
};

/* The summands of one placed coordinate; returns how many are not zero. `pose` is NULL for the identity. */
static int find_terms(const double_parts point[3], const double_parts *pose, int axis, term terms[TERMS])
{
    if (pose == NULL)
    {
        terms[0] = (term){point[axis].mantissa, point[axis].exponent, point[axis].sign};
        return point[axis].mantissa != 0;
    }
    const double_parts *row = pose + 4 * axis;
    int count = 0;
    for (int k = 0; k < 3; k++)
    {
        if (row[k].mantissa != 0 && point[k].mantissa != 0)
            terms[count++] = (term){(grz_u128)row[k].mantissa * point[k].mantissa, row[k].exponent + point[k].exponent,
                                    row[k].sign * point[k].sign};
    }
    if (row[3].mantissa != 0)
        terms[count++] = (term){row[3].mantissa, row[3].exponent, row[3].sign};
    return count;
}

/* Adds sign * magnitude * 2^shift to a two's complement number. */
static void add_term(uint64_t *limbs, int width, const term *summand, int shift)
{
    int word = shift / 64, bit = shift % 64;
    uint64_t low = (uint64_t)summand->magnitude, high = (uint64_t)(summand->magnitude >> 64);
    uint64_t shifted[3] = {low << bit, high << bit, 0};
    if (bit != 0)
    {
        shifted[1] |= low >> (64 - bit);
        shifted[2] = high >> (64 - bit);
    }
    /* Subtracting is adding the complement and one. */
    uint64_t flip = summand->sign > 0 ? 0 : UINT64_MAX;
    uint64_t carry = flip & 1;
    for (int i = word; i < width; i++)
    {
        grz_u128 sum = (grz_u128)limbs[i] + ((i - word < 3 ? shifted[i - word] : 0) ^ flip) + carry;
        limbs[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

/* All input numbers as mantissas and exponents, decomposed once. Points that share a pose share its numbers. */
typedef struct decomposed_inputs
{
    double_parts points[GRZ_POINTS_MAX][3];
    double_parts poses[GRZ_POINTS_MAX][12];
    const double_parts *pose_of[GRZ_POINTS_MAX];
} decomposed_inputs;

static void decompose_all(const grz_points *points, decomposed_inputs *all)
{
    for (int p = 0; p < points->count; p++)
    {
        const graze_placed_point *source = &points->sources[p];
        for (int k = 0; k < 3; k++)
            all->points[p][k] = decompose_double(source->point[k]);
        if (source->pose == NULL)
            all->pose_of[p] = NULL;
        else if (p > 0 && source->pose == points->sources[p - 1].pose)
            all->pose_of[p] = all->pose_of[p - 1];
        else
        {
            for (int k = 0; k < 12; k++)
                all->poses[p][k] = decompose_double(source->pose->m[k]);
            all->pose_of[p] = all->poses[p];
        }
    }
}

/* Sets the unit of an axis, given the lowest and the highest bit of all terms, and its width in limbs, which it
   returns. Four terms add two bits, a difference one more, the sign another. */
static int note_width(grz_points *points, int axis, int lowest, int highest)
{
    int bits = highest - lowest + 4;
    /* shortcut: narrow-integers */
    points->narrow = points->narrow && bits <= NARROW_BITS;
    /* shortcut: single-limb */
    points->single = points->single && bits <= SINGLE_BITS;
    points->exponents[axis] = lowest;
    points->widths[axis] = (bits + 63) / 64;
    return points->widths[axis];
}

static void make_axis_exact(grz_points *points, const decomposed_inputs *all, int axis)
{
    term terms[GRZ_POINTS_MAX][TERMS];
    int counts[GRZ_POINTS_MAX];
    int count = points->count;
    int lowest = INT32_MAX, highest = INT32_MIN;
    for (int p = 0; p < count; p++)
    {
        counts[p] = find_terms(all->points[p], all->pose_of[p], axis, terms[p]);
        for (int k = 0; k < counts[p]; k++)
        {
            int top = terms[p][k].exponent + bits_of(terms[p][k].magnitude);
            lowest = terms[p][k].exponent < lowest ? terms[p][k].exponent : lowest;
            highest = top > highest ? top : highest;
        }
    }
    if (lowest > highest) /* all zero */
        lowest = highest = 0;
    int width = note_width(points, axis, lowest, highest);
    for (int p = 0; p < count; p++)
    {
        uint64_t *limbs = points->limbs[p][axis];
        for (int i = 0; i < width; i++)
            limbs[i] = 0;
        for (int k = 0; k < counts[p]; k++)
            add_term(limbs, width, &terms[p][k], terms[p][k].exponent - lowest);
    }
}

/* The same for an axis of points without a pose, if their coordinates have at most two limbs; else false. */
static bool make_plain_axis_exact(grz_points *points, int axis)
{
    double_parts parts[GRZ_POINTS_MAX];
    int lowest = INT32_MAX, highest = INT32_MIN;
    for (int p = 0; p < points->count; p++)
    {
        parts[p] = decompose_double(points->sources[p].point[axis]);
        if (parts[p].mantissa == 0)
            continue;
        int top = parts[p].exponent + 64 - __builtin_clzll(parts[p].mantissa);
        lowest = parts[p].exponent < lowest ? parts[p].exponent : lowest;
        highest = top > highest ? top : highest;
    }
    if (lowest > highest) /* all zero */
        lowest = highest = 0;
    if (note_width(points, axis, lowest, highest) > 2)
        return false;
    for (int p = 0; p < points->count; p++)
    {
        grz_u128 shifted = parts[p].mantissa != 0 ? (grz_u128)parts[p].mantissa << (parts[p].exponent - lowest) : 0;
        grz_u128 number = parts[p].sign < 0 ? -shifted : shifted;
        points->limbs[p][axis][0] = (uint64_t)number;
        points->limbs[p][axis][1] = (uint64_t)(number >> 64);
    }
    return true;
}

static bool have_no_pose(const grz_points *points)
{
    for (int p = 0; p < points->count; p++)
        if (points->sources[p].pose != NULL)
            return false;
    return true;
}

void grz_points_make_exact(grz_points *points)
{
    if (points->exact_ready)
        return;
    int axis = 0;
    points->narrow = points->single = true;
    if (have_no_pose(points))
        while (axis < 3 && make_plain_axis_exact(points, axis))
            axis++;
    if (axis < 3)
    {
        decomposed_inputs all;
        decompose_all(points, &all);
        for (; axis < 3; axis++)
            make_axis_exact(points, &all, axis);
    }
    points->exact_ready = true;
}

void grz_exact_coordinate(const grz_points *points, int a, int axis, grz_integer *out)
{
    static const uint64_t zero[GRZ_COORDINATE_LIMBS];
    grz_integer_difference(out, points->limbs[a][axis], zero, points->widths[axis]);
}

/* The difference of two points. */
typedef struct difference_vector
{
    grz_integer axes[3];
    uint64_t limbs[3][GRZ_COORDINATE_LIMBS];
} difference_vector;

static void subtract(const grz_points *points, int a, int b, difference_vector *out)
{
    for (int axis = 0; axis < 3; axis++)
    {
        out->axes[axis].limbs = out->limbs[axis];
        grz_integer_difference(&out->axes[axis], points->limbs[a][axis], points->limbs[b][axis], points->widths[axis]);
    }
}

/* out = p_i q_j - p_j q_i. */
static void cross_component(const difference_vector *p, const difference_vector *q, int i, int j, grz_integer *out)
{
    uint64_t product_limbs[GRZ_MINOR_LIMBS];
    grz_integer product = {product_limbs, 0, 0};
    grz_integer_multiply(out, &p->axes[i], &q->axes[j]);
    grz_integer_multiply(&product, &p->axes[j], &q->axes[i]);
    grz_integer_accumulate(out, &product, true);
}

void grz_exact_orient2d(const grz_points *points, int a, int b, int c, int axis, grz_integer *out)
{
    difference_vector p, q;
    subtract(points, a, c, &p);
    subtract(points, b, c, &q);
    cross_component(&p, &q, (axis + 1) % 3, (axis + 2) % 3, out);
}

static void normal_exactly(const grz_points *points, int a, int b, int c, grz_integer normal[3])
{
    difference_vector p, q;
    subtract(points, a, c, &p);
    subtract(points, b, c, &q);
    for (int axis = 0; axis < 3; axis++)
        cross_component(&p, &q, (axis + 1) % 3, (axis + 2) % 3, &normal[axis]);
}

/* out = normal . (c-d). */
static void height(const grz_points *points, const grz_integer normal[3], int c, int d, grz_integer *out)
{
    uint64_t product_limbs[GRZ_DETERMINANT_LIMBS];
    grz_integer product = {product_limbs, 0, 0};
    difference_vector difference;
    subtract(points, c, d, &difference);
    out->count = 0;
    out->sign = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        if (normal[axis].sign == 0 || difference.axes[axis].sign == 0)
            continue;
        grz_integer_multiply(&product, &difference.axes[axis], &normal[axis]);
        grz_integer_accumulate(out, &product, false);
    }
}

static int exact_side(const grz_points *points, const grz_integer normal[3], int c, int d)
{
    uint64_t limbs[GRZ_DETERMINANT_LIMBS];
    grz_integer sum = {limbs, 0, 0};
    height(points, normal, c, d, &sum);
    return sum.sign;
}

void grz_exact_orient3d(const grz_points *points, int a, int b, int c, int d, grz_integer *out)
{
    uint64_t limbs[3][GRZ_MINOR_LIMBS];
    grz_integer normal[3] = {{limbs[0], 0, 0}, {limbs[1], 0, 0}, {limbs[2], 0, 0}};
    normal_exactly(points, a, b, c, normal);
    height(points, normal, c, d, out);
}

/* A coordinate of at most 128 bits. */
static grz_u128 narrow_coordinate(const grz_points *points, int a, int axis)
{
    const uint64_t *limbs = points->limbs[a][axis];
    return points->widths[axis] == 1 ? (grz_u128)(grz_i128)(int64_t)limbs[0] : (grz_u128)limbs[1] << 64 | limbs[0];
}

static grz_wide_number narrow_difference(const grz_points *points, int a, int b, int axis)
{
    return grz_wide_make(narrow_coordinate(points, a, axis) - narrow_coordinate(points, b, axis));
}

static void subtract_narrow(const grz_points *points, int a, int b, grz_wide_number out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = narrow_difference(points, a, b, axis);
}

static void narrow_normal(const grz_points *points, int a, int b, int c, grz_wide_normal *out)
{
    grz_wide_number p[3], q[3];
    subtract_narrow(points, a, c, p);
    subtract_narrow(points, b, c, q);
    grz_wide_normal_make(p, q, out);
}

static int narrow_side(const grz_points *points, const grz_wide_normal *normal, int c, int d)
{
    grz_wide_number r[3];
    subtract_narrow(points, c, d, r);
    return grz_wide_height_sign(normal, r);
}

/* The difference of coordinates of one limb. */
static int64_t single_difference(const grz_points *points, int a, int b, int axis)
{
    return (int64_t)(points->limbs[a][axis][0] - points->limbs[b][axis][0]);
}

/* A normal where differences are below 2^62: components are below 2^125, split at bit 62 so that products with a
   difference are those of two signed numbers; sums of these are below 2^127. */
typedef struct single_normal
{
    int64_t upper[3], lower[3];
} single_normal;

enum
{
    SPLIT = 62
};

static void find_single_normal(const grz_points *points, int a, int b, int c, single_normal *out)
{
    int64_t p[3], q[3];
    for (int k = 0; k < 3; k++)
    {
        p[k] = single_difference(points, a, c, k);
        q[k] = single_difference(points, b, c, k);
    }
    for (int k = 0; k < 3; k++)
    {
        int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
        grz_i128 component = (grz_i128)p[i] * q[j] - (grz_i128)p[j] * q[i];
        out->upper[k] = (int64_t)(component >> SPLIT);
        out->lower[k] = (int64_t)component & ((INT64_C(1) << SPLIT) - 1);
    }
}

static int single_side(const grz_points *points, const single_normal *normal, int c, int d)
{
    grz_i128 high = 0, low = 0;
    for (int k = 0; k < 3; k++)
    {
        int64_t r = single_difference(points, c, d, k);
        high += (grz_i128)normal->upper[k] * r;
        low += (grz_i128)normal->lower[k] * r;
    }
    high += low >> SPLIT;
    return high < 0 ? -1 : high != 0 || (low & ((INT64_C(1) << SPLIT) - 1)) != 0;
}

/* det(a-d, b-d, c-d) = ((a-c) x (b-c)) . (c-d). */
int grz_exact_orient3d_sign(const grz_points *points, int a, int b, int c, int d)
{
    if (points->single)
    {
        single_normal normal;
        find_single_normal(points, a, b, c, &normal);
        return single_side(points, &normal, c, d);
    }
    if (points->narrow)
    {
        grz_wide_normal normal;
        narrow_normal(points, a, b, c, &normal);
        return narrow_side(points, &normal, c, d);
    }
    uint64_t limbs[GRZ_DETERMINANT_LIMBS];
    grz_integer determinant = {limbs, 0, 0};
    grz_exact_orient3d(points, a, b, c, d, &determinant);
    return determinant.sign;
}

int grz_exact_orient2d_sign(const grz_points *points, int a, int b, int c, int axis)
{
    uint64_t limbs[GRZ_MINOR_LIMBS];
    int i = axis == 2 ? 0 : axis + 1, j = axis == 0 ? 2 : axis - 1;
    if (points->single)
    {
        grz_i128 area = (grz_i128)single_difference(points, a, c, i) * single_difference(points, b, c, j) -
                        (grz_i128)single_difference(points, a, c, j) * single_difference(points, b, c, i);
        return (area > 0) - (area < 0);
    }
    if (points->narrow)
    {
        grz_wide_cross(narrow_difference(points, a, c, i), narrow_difference(points, a, c, j),
                       narrow_difference(points, b, c, i), narrow_difference(points, b, c, j), limbs);
        return grz_wide_sign(limbs, 4);
    }
    grz_integer determinant = {limbs, 0, 0};
    grz_exact_orient2d(points, a, b, c, axis, &determinant);
    return determinant.sign;
}

void grz_exact_sides(const grz_points *points, int plane, int first, int sides[3])
{
    grz_wide_normal narrow;
    single_normal single;
    uint64_t limbs[3][GRZ_MINOR_LIMBS];
    grz_integer normal[3] = {{limbs[0], 0, 0}, {limbs[1], 0, 0}, {limbs[2], 0, 0}};
    if (points->single)
        find_single_normal(points, plane, plane + 1, plane + 2, &single);
    else if (points->narrow)
        narrow_normal(points, plane, plane + 1, plane + 2, &narrow);
    else
        normal_exactly(points, plane, plane + 1, plane + 2, normal);
    for (int i = 0; i < 3; i++)
    {
        if (sides[i] != GRZ_UNCERTAIN)
            continue;
        if (points->single)
            sides[i] = single_side(points, &single, plane + 2, first + i);
        else
            sides[i] = points->narrow ? narrow_side(points, &narrow, plane + 2, first + i)
                                      : exact_side(points, normal, plane + 2, first + i);
    }
}
