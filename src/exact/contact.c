/* SPDX-License-Identifier: MIT */
/*
 * Contact of two simplices by enumerating pairs of features; see contact.h.
 *
 * A triangle is first reduced to a simplex of three, two or one corners. A corner of the intersection of two simplices
 * is one of: a corner of one in the other; two edges crossing; an edge piercing a face. Each is decided by signs.
 */
#include "exact/contact.h"

void grz_contact_add(grz_contact_set *set, unsigned mask_a, unsigned mask_b)
{
    for (int i = 0; i < set->count; i++)
    {
        if (set->mask_a[i] == mask_a && set->mask_b[i] == mask_b)
            return;
    }
    if (set->count == GRZ_CONTACT_POINTS_MAX)
        return; /* cannot happen: a convex set bounded by six lines has at most six corners */
    set->mask_a[set->count] = (unsigned char)mask_a;
    set->mask_b[set->count] = (unsigned char)mask_b;
    set->count++;
}

static graze_feature feature_of(unsigned mask)
{
    static const unsigned char corner_counts[8] = {0, 1, 1, 2, 1, 2, 2, 3};
    return (graze_feature)corner_counts[mask];
}

graze_triangle_contact grz_contact_make(int dimension, unsigned mask_a, unsigned mask_b)
{
    return (graze_triangle_contact){
        .found = true,
        .crossing = dimension == 1 && mask_a == GRZ_WHOLE_TRIANGLE && mask_b == GRZ_WHOLE_TRIANGLE,
        .coplanar = dimension == 2,
        .dimension = (unsigned char)dimension,
        .feature_a = feature_of(mask_a),
        .feature_b = feature_of(mask_b),
        .mask_a = (unsigned char)mask_a,
        .mask_b = (unsigned char)mask_b,
    };
}

graze_triangle_contact grz_contact_summary(const grz_contact_set *set)
{
    if (set->count == 0)
        return (graze_triangle_contact){0};
    unsigned mask_a = 0, mask_b = 0;
    for (int i = 0; i < set->count; i++)
    {
        mask_a |= set->mask_a[i];
        mask_b |= set->mask_b[i];
    }
    return grz_contact_make(set->count > 2 ? 2 : set->count - 1, mask_a, mask_b);
}

/* A triangle as a simplex: a degenerate one is a segment or a point. */
typedef struct simplex
{
    int corner_count; /* 3, 2 or 1 */
    int corners[3];   /* indices of points */
    unsigned bits[3]; /* their bits in the triangle's mask */
    int axis;         /* 3: projection along it has area; 2: on it the corners differ, lower first */
    int sign;         /* 3: sign of that area */
} simplex;

static int orient3d(const grz_contact_signs *signs, int a, int b, int c, int d)
{
    return signs->orient3d(signs->user, a, b, c, d);
}

static int orient2d(const grz_contact_signs *signs, int a, int b, int c, int axis)
{
    return signs->orient2d(signs->user, a, b, c, axis);
}

static int compare(const grz_contact_signs *signs, int a, int b, int axis)
{
    return signs->compare(signs->user, a, b, axis);
}

static simplex reduce(const grz_contact_signs *signs, int first)
{
    simplex s = {3, {first, first + 1, first + 2}, {1, 2, 4}, 0, 0};
    for (s.axis = 0; s.axis < 3; s.axis++)
    {
        s.sign = orient2d(signs, first, first + 1, first + 2, s.axis);
        if (s.sign != 0)
            return s;
    }
    /* Collinear. On an axis where the corners are not all equal, equal coordinates mean equal corners. */
    for (s.axis = 0; s.axis < 3; s.axis++)
    {
        int lowest = 0, highest = 0;
        for (int i = 1; i < 3; i++)
        {
            if (compare(signs, first + i, first + lowest, s.axis) < 0)
                lowest = i;
            if (compare(signs, first + i, first + highest, s.axis) > 0)
                highest = i;
        }
        if (lowest != highest)
        {
            s.corner_count = 2;
            s.corners[0] = first + lowest;
            s.corners[1] = first + highest;
            s.bits[0] = 1u << lowest;
            s.bits[1] = 1u << highest;
            return s;
        }
    }
    s.corner_count = 1;
    return s;
}

static unsigned locate_on_segment(const grz_contact_signs *signs, int p, const simplex *s)
{
    for (int axis = 0; axis < 3; axis++)
    {
        if (orient2d(signs, s->corners[0], s->corners[1], p, axis) != 0)
            return 0;
    }
    int above_lower = compare(signs, p, s->corners[0], s->axis);
    int below_upper = compare(signs, s->corners[1], p, s->axis);
    if (above_lower < 0 || below_upper < 0)
        return 0;
    return (below_upper > 0 ? s->bits[0] : 0) | (above_lower > 0 ? s->bits[1] : 0);
}

/* Mask of the feature whose interior contains point p; 0 when p is outside. */
static unsigned locate(const grz_contact_signs *signs, int p, const simplex *s)
{
    if (s->corner_count == 1)
    {
        for (int axis = 0; axis < 3; axis++)
        {
            if (compare(signs, p, s->corners[0], axis) != 0)
                return 0;
        }
        return s->bits[0];
    }
    if (s->corner_count == 2)
        return locate_on_segment(signs, p, s);
    if (orient3d(signs, s->corners[0], s->corners[1], s->corners[2], p) != 0)
        return 0;
    unsigned mask = GRZ_WHOLE_TRIANGLE;
    for (int i = 0; i < 3; i++)
    {
        int side = s->sign * orient2d(signs, s->corners[i], s->corners[(i + 1) % 3], p, s->axis);
        if (side < 0)
            return 0;
        if (side == 0) /* on the edge's line: the opposite corner is not part of the feature */
            mask &= ~(1u << (i + 2) % 3);
    }
    return mask;
}

/* Whether the open segments a0 a1 and b0 b1 cross in a single point. */
static bool edges_cross(const grz_contact_signs *signs, int a0, int a1, int b0, int b1)
{
    if (orient3d(signs, a0, a1, b0, b1) != 0)
        return false;
    for (int axis = 0; axis < 3; axis++)
    {
        int sides[4] = {orient2d(signs, a0, a1, b0, axis), orient2d(signs, a0, a1, b1, axis),
                        orient2d(signs, b0, b1, a0, axis), orient2d(signs, b0, b1, a1, axis)};
        /* A sign other than zero shows that this projection does not collapse the common plane: the signs hold in the
           plane. */
        if (sides[0] != 0 || sides[1] != 0 || sides[2] != 0 || sides[3] != 0)
            return sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0;
    }
    return false; /* collinear */
}

/* Whether the open segment e0 e1 pierces the interior of a triangle. */
static bool edge_pierces(const grz_contact_signs *signs, int e0, int e1, const simplex *t)
{
    int side = orient3d(signs, t->corners[0], t->corners[1], t->corners[2], e0);
    if (side == 0 || side * orient3d(signs, t->corners[0], t->corners[1], t->corners[2], e1) >= 0)
        return false;
    int turn = orient3d(signs, e0, e1, t->corners[0], t->corners[1]);
    return turn != 0 && turn == orient3d(signs, e0, e1, t->corners[1], t->corners[2]) &&
           turn == orient3d(signs, e0, e1, t->corners[2], t->corners[0]);
}

static int edge_count(const simplex *s)
{
    return s->corner_count == 3 ? 3 : s->corner_count - 1;
}

static void find_crossings(const grz_contact_signs *signs, const simplex *a, const simplex *b, grz_contact_set *set)
{
    for (int i = 0; i < edge_count(a); i++)
    {
        int a0 = a->corners[i], a1 = a->corners[(i + 1) % 3];
        unsigned mask_a = a->bits[i] | a->bits[(i + 1) % 3];
        for (int j = 0; j < edge_count(b); j++)
        {
            if (edges_cross(signs, a0, a1, b->corners[j], b->corners[(j + 1) % 3]))
                grz_contact_add(set, mask_a, b->bits[j] | b->bits[(j + 1) % 3]);
        }
        if (b->corner_count == 3 && edge_pierces(signs, a0, a1, b))
            grz_contact_add(set, mask_a, GRZ_WHOLE_TRIANGLE);
    }
}

void grz_contact_general_by_signs(const grz_contact_signs *signs, grz_contact_set *set)
{
    set->count = 0;
    simplex a = reduce(signs, 0), b = reduce(signs, 3);
    for (int i = 0; i < a.corner_count; i++)
    {
        unsigned mask = locate(signs, a.corners[i], &b);
        if (mask != 0)
            grz_contact_add(set, a.bits[i], mask);
    }
    for (int j = 0; j < b.corner_count; j++)
    {
        unsigned mask = locate(signs, b.corners[j], &a);
        if (mask != 0)
            grz_contact_add(set, mask, b.bits[j]);
    }
    find_crossings(signs, &a, &b, set);
    for (int j = 0; j < edge_count(&b) && a.corner_count == 3; j++)
    {
        if (edge_pierces(signs, b.corners[j], b.corners[(j + 1) % 3], &a))
            grz_contact_add(set, GRZ_WHOLE_TRIANGLE, b.bits[j] | b.bits[(j + 1) % 3]);
    }
}

static int orient3d_of_points(void *user, int a, int b, int c, int d)
{
    return grz_orient3d(user, a, b, c, d);
}

static int orient2d_of_points(void *user, int a, int b, int c, int axis)
{
    return grz_orient2d(user, a, b, c, axis);
}

static int compare_points(void *user, int a, int b, int axis)
{
    return grz_compare(user, a, b, axis);
}

void grz_contact_general(grz_points *points, grz_contact_set *set)
{
    const grz_contact_signs signs = {points, orient3d_of_points, orient2d_of_points, compare_points};
    grz_contact_general_by_signs(&signs, set);
}
