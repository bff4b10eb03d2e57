/* SPDX-License-Identifier: MIT */
/* What is true of two placed leaves; see truth.h. */
#include "truth.h"

#include <math.h>

#include "brute_force.h"
#include "support/oracle_distance.h"
#include "support/oracle_shapes.h"
#include "twin.h"

#define WIDTH_OF_UNKNOWN 4e-12L /* of the size of both: a few times GRZ_CURVED_WIDTH */

static order order_of(int sign)
{
    return sign < 0 ? ORDER_LESS : sign > 0 ? ORDER_GREATER : ORDER_EQUAL;
}

/* The triangles of convex cores face outward, so that they are oriented. */
static bool holds(const placed_leaf *outer, const placed_leaf *inner)
{
    graze_shape_kind kind = outer->leaf->kind;
    bool solid = kind == GRAZE_SHAPE_MESH ? outer->leaf->solid : kind != GRAZE_SHAPE_HEIGHT_FIELD;
    return solid && outer->leaf->core.triangle_count >= 4 &&
           brute_force_contains(&outer->leaf->core, &outer->pose, &inner->leaf->core, &inner->pose);
}

/* About the distance of two triangles, without radii. */
static twin_distance rough_distance(const placed_leaf *a, uint32_t i, const placed_leaf *b, uint32_t j)
{
    case_leaf first = *a->leaf, second = *b->leaf;
    first.radius = second.radius = 0;
    placed_leaf x = {&first, a->pose}, y = {&second, b->pose};
    twin_body p = {&x, i}, q = {&y, j};
    return twin_measure(&p, &q);
}

/* The least square of all pairs of triangles, which share no point. Those that are certainly farther apart than others
   need no rationals. */
static void least_square(const placed_leaf *a, const placed_leaf *b, mpq_t out)
{
    const small_mesh *x = &a->leaf->core, *y = &b->leaf->core;
    long double lower[SMALL_TRIANGLES * SMALL_TRIANGLES], limit = INFINITY;
    bool first = true;
    mpq_t square;
    mpq_init(square);
    for (uint32_t i = 0; i < x->triangle_count; i++)
        for (uint32_t j = 0; j < y->triangle_count; j++)
        {
            twin_distance d = rough_distance(a, i, b, j);
            lower[i * y->triangle_count + j] = d.lower - d.error;
            limit = fminl(limit, d.upper + d.error);
        }
    for (uint32_t i = 0; i < x->triangle_count; i++)
        for (uint32_t j = 0; j < y->triangle_count; j++)
        {
            if (lower[i * y->triangle_count + j] > limit)
                continue;
            graze_placed_triangle s = shape_triangle(x, &a->pose, i), t = shape_triangle(y, &b->pose, j);
            oracle_distance_sq(brute_force_oracle(), &s, &t, square);
            if (first || mpq_cmp(square, out) < 0)
                mpq_set(out, square);
            first = false;
        }
    mpq_clear(square);
}

static order compare_cores(const placed_leaf *a, const placed_leaf *b, double tolerance)
{
    const double terms[3] = {a->leaf->radius, b->leaf->radius, tolerance};
    const small_mesh *x = &a->leaf->core, *y = &b->leaf->core;
    bool reaches = terms[0] > 0 || terms[1] > 0 || terms[2] > 0;
    if (x->triangle_count == 0 || y->triangle_count == 0)
        return ORDER_GREATER;
    if (brute_force_any(x, &a->pose, y, &b->pose))
        return reaches ? ORDER_LESS : ORDER_EQUAL;
    if (holds(a, b) || holds(b, a))
        return ORDER_LESS;
    if (!reaches)
        return ORDER_GREATER;
    core_distance distance = {.nested = false, .empty = false};
    core_distance_init(&distance);
    least_square(a, b, distance.square);
    order o = order_of(oracle_compare_core_distance(&distance, terms, 3));
    core_distance_clear(&distance);
    return o;
}

static order compare_twins(const placed_leaf *a, const placed_leaf *b, double tolerance, bool height)
{
    twin_distance d = height ? twin_height(a, b) : twin_leaves(a, b);
    if (d.lower - d.error > tolerance)
        return ORDER_GREATER;
    if (d.upper + d.error < tolerance || (tolerance == 0 && d.depth > d.error))
        return ORDER_LESS;
    return ORDER_NEAR;
}

order truth_compare(const placed_leaf *a, const placed_leaf *b, double tolerance)
{
    bool plane_a = a->leaf->kind == GRAZE_SHAPE_HALF_SPACE, plane_b = b->leaf->kind == GRAZE_SHAPE_HALF_SPACE;
    graze_placed x = placed_of(a), y = placed_of(b);
    if (plane_a && plane_b)
        return order_of(oracle_compare_half_spaces(&x, &y, tolerance));
    if (plane_a || plane_b)
    {
        const placed_leaf *other = plane_a ? b : a;
        if (other->leaf->has_core && other->leaf->core.triangle_count == 0)
            return ORDER_GREATER;
        if (!other->leaf->has_core && tolerance > 0)
            return compare_twins(other, plane_a ? a : b, tolerance, true);
        return order_of(oracle_compare_height(plane_a ? &y : &x, plane_a ? &x : &y, tolerance));
    }
    if (a->leaf->has_core && b->leaf->has_core)
        return compare_cores(a, b, tolerance);
    if ((a->leaf->has_core && a->leaf->core.triangle_count == 0) ||
        (b->leaf->has_core && b->leaf->core.triangle_count == 0))
        return ORDER_GREATER;
    return compare_twins(a, b, tolerance, false);
}

/* The largest extent of both together along an axis. */
static long double size_of_both(const placed_leaf *a, const placed_leaf *b)
{
    const placed_leaf *leaves[2] = {a, b};
    long double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
    for (int i = 0; i < 6; i++)
    {
        long double w[3] = {0, 0, 0}, p[3];
        twin_body body = {leaves[i % 2], UINT32_MAX};
        if (body.leaf->leaf->kind == GRAZE_SHAPE_HALF_SPACE)
            continue;
        for (int sign = -1; sign <= 1; sign += 2)
        {
            w[i / 2] = sign;
            twin_support(&body, w, p);
            lower[i / 2] = fminl(lower[i / 2], p[i / 2]);
            upper[i / 2] = fmaxl(upper[i / 2], p[i / 2]);
        }
    }
    for (int k = 0; k < 3; k++)
        size = fmaxl(size, upper[k] - lower[k]);
    return size;
}

/* Numbers that cancel down to 2^-1000 of themselves are lost; see convex/curved.h. */
static long double largest_entry(const placed_leaf *a, const placed_leaf *b)
{
    long double largest = 0;
    for (int i = 0; i < 12; i++)
        largest = fmaxl(largest, fmaxl(fabsl(a->pose.m[i]), fabsl(b->pose.m[i])));
    return largest;
}

static bool leaves_are_near(const placed_leaf *a, const placed_leaf *b, double tolerance)
{
    bool plane_a = a->leaf->kind == GRAZE_SHAPE_HALF_SPACE, plane_b = b->leaf->kind == GRAZE_SHAPE_HALF_SPACE;
    if ((!is_curved(a->leaf->kind) && !is_curved(b->leaf->kind)) ||
        (a->leaf->has_core && a->leaf->core.triangle_count == 0) ||
        (b->leaf->has_core && b->leaf->core.triangle_count == 0))
        return false;
    twin_distance d = plane_b ? twin_height(a, b) : plane_a ? twin_height(b, a) : twin_leaves(a, b);
    long double width = size_of_both(a, b) * WIDTH_OF_UNKNOWN + d.error + largest_entry(a, b) * 0x1p-960L;
    return d.lower <= tolerance + width && d.upper >= tolerance - width && (d.depth <= width || tolerance > 0);
}

bool truth_is_near(const case_side *first, const case_side *second, double tolerance)
{
    for (uint32_t i = 0; i < first->leaf_count; i++)
        for (uint32_t j = 0; j < second->leaf_count; j++)
            if (leaves_are_near(&first->world[i], &second->world[j], tolerance))
                return true;
    return false;
}
