/* SPDX-License-Identifier: MIT */
/*
 * Triangle-triangle intersection by orientation signs; see contact.h.
 *
 * After Guigue and Devillers (Fast and robust triangle-triangle overlap test using orientation predicates, 2003),
 * extended to report the contact. Unless one lies strictly on one side of the other's plane, each triangle cuts the
 * common line L of the two planes in an interval, and the order of the intervals' ends on L follows from orientation
 * signs alone.
 *
 * The apex is a corner off the other's plane such that the other two corners are not on its side of it. The lines from
 * the apex to the other two, the feet, hit L in the interval's ends.
 * Order on L. Let a, b be apex and foot in A, s_A the side of a by graze_point_orient3d; p, q and s_B likewise in B.
 * Let x and y be where the lines a b and p q hit L, as coordinates along n_B x n_A. Expanding orient(a, b, p, q) with
 * x - a and y - p for b - a and q - p (positive multiples of each other) gives sign(y - x) = s_A s_B orient(a, b, p,
 * q). And in A alone, with feet b, c such that (a, b, c) has the triangle's orientation: sign(x_c - x_b) = -s_A; in B:
 * +s_B.
 */
#include "exact/line_interval.h"

#include <string.h>

/* The sign of B's end (foot q) minus A's end (foot b) on the line. */
static int order(grz_points *points, const grz_line_interval *a, int b, const grz_line_interval *b_interval, int q)
{
    return a->side * b_interval->side * grz_orient3d(points, a->apex, b, b_interval->apex, q);
}

/* The feature of a triangle at an end of its interval. */
static unsigned end_mask(const grz_line_interval *t, int first, int foot, bool on_line)
{
    unsigned mask = 1u << (foot - first);
    return on_line ? mask : mask | 1u << (t->apex - first);
}

/* The feature that contains the interior of the interval. */
static unsigned middle_mask(const grz_line_interval *t, int first)
{
    return t->straddles ? GRZ_WHOLE_TRIANGLE : 1u << (t->lower - first) | 1u << (t->upper - first);
}

/* The feature of a triangle at a point of its interval, which may be one of its ends. */
static unsigned point_mask(const grz_line_interval *t, int first, bool at_lower, bool at_upper)
{
    if (at_lower)
        return end_mask(t, first, t->lower, t->lower_on);
    if (at_upper)
        return end_mask(t, first, t->upper, t->upper_on);
    return middle_mask(t, first);
}

graze_triangle_contact grz_contact_on_line(const grz_line_interval *a, const grz_line_interval *b, int up, int down)
{
    bool a_is_point = a->lower == a->upper, b_is_point = b->lower == b->upper;
    if (up > 0 && down < 0 && !a_is_point && !b_is_point)
        return grz_contact_make(1, middle_mask(a, 0), middle_mask(b, 3));
    if (up == 0) /* A's lower end is B's upper end */
        return grz_contact_make(0, point_mask(a, 0, true, false), point_mask(b, 3, false, true));
    if (down == 0)
        return grz_contact_make(0, point_mask(a, 0, false, true), point_mask(b, 3, true, false));
    /* One interval is a point strictly inside the other. */
    return grz_contact_make(0, point_mask(a, 0, a_is_point, false), point_mask(b, 3, b_is_point, false));
}

void grz_contact_set_on_line(const grz_line_interval *a, const grz_line_interval *b, const grz_line_orders *orders,
                             grz_contact_set *set)
{
    /* The lower end of the intersection is the upper one of both lower ends, and vice versa. */
    bool from_a = orders->low <= 0, from_b = orders->low >= 0, to_a = orders->high >= 0, to_b = orders->high <= 0;
    set->count = 0;
    grz_contact_add(set, point_mask(a, 0, from_a, orders->down == 0), point_mask(b, 3, from_b, orders->up == 0));
    if (orders->up == 0 || orders->down == 0)
        return; /* the same point */
    grz_contact_add(set, point_mask(a, 0, false, to_a), point_mask(b, 3, false, to_b));
}

static graze_triangle_contact intersect_on_line(grz_points *points, const grz_line_interval *a,
                                                const grz_line_interval *b)
{
    /* Each comparison: the sign of B's end minus A's. */
    int up = order(points, a, a->lower, b, b->upper);
    if (up < 0)
        return (graze_triangle_contact){0};
    int down = order(points, a, a->upper, b, b->lower);
    if (down > 0)
        return (graze_triangle_contact){0};
    return grz_contact_on_line(a, b, up, down);
}

/* Returns false when an edge has all corners of the other triangle strictly outside. */
static bool fill_sides(grz_points *points, int triangle, int corners, int axis, int turn, grz_side_table sides)
{
    for (int e = 0; e < 3; e++)
    {
        bool all_outside = true;
        for (int i = 0; i < 3; i++)
        {
            sides[i][e] = turn * grz_orient2d(points, triangle + e, triangle + (e + 1) % 3, corners + i, axis);
            /* shortcut: separating-edge */
            all_outside = all_outside && sides[i][e] < 0;
        }
        if (all_outside)
            return false;
    }
    return true;
}

/* The feature of a triangle that contains a point with these sides; 0 outside. */
static unsigned mask_from_sides(const int sides[3])
{
    unsigned mask = GRZ_WHOLE_TRIANGLE;
    for (int e = 0; e < 3; e++)
    {
        if (sides[e] < 0)
            return 0;
        if (sides[e] == 0)
            mask &= ~(1u << (e + 2) % 3);
    }
    return mask;
}

static bool is_corner(unsigned mask)
{
    return (mask & (mask - 1)) == 0;
}

/* The corners of the intersection: corners of one in the other, and edges that cross. Only a pair of coinciding corners
   is found twice, and added once. */
graze_triangle_contact grz_contact_in_plane(grz_side_table a_in_b, grz_side_table b_in_a)
{
    unsigned mask_a = 0, mask_b = 0;
    int count = 0;
    for (int i = 0; i < 3; i++)
    {
        unsigned in_b = mask_from_sides(a_in_b[i]), in_a = mask_from_sides(b_in_a[i]);
        mask_a |= in_a | (in_b != 0 ? 1u << i : 0);
        mask_b |= in_b | (in_a != 0 ? 1u << i : 0);
        count += (in_b != 0) + (in_a != 0 && !is_corner(in_a));
    }
    for (int i = 0; i < 3; i++)
    {
        int i1 = (i + 1) % 3;
        for (int j = 0; j < 3; j++)
        {
            int j1 = (j + 1) % 3;
            if (a_in_b[i][j] * a_in_b[i1][j] >= 0 || b_in_a[j][i] * b_in_a[j1][i] >= 0)
                continue;
            mask_a |= 1u << i | 1u << i1;
            mask_b |= 1u << j | 1u << j1;
            count++;
        }
    }
    if (count == 0)
        return (graze_triangle_contact){0};
    return grz_contact_make(count > 2 ? 2 : count - 1, mask_a, mask_b);
}

void grz_contact_set_in_plane(grz_side_table a_in_b, grz_side_table b_in_a, grz_contact_set *set)
{
    set->count = 0;
    for (int i = 0; i < 3; i++)
    {
        unsigned in_b = mask_from_sides(a_in_b[i]), in_a = mask_from_sides(b_in_a[i]);
        if (in_b != 0)
            grz_contact_add(set, 1u << i, in_b);
        if (in_a != 0)
            grz_contact_add(set, in_a, 1u << i);
    }
    for (int i = 0; i < 3; i++)
    {
        int i1 = (i + 1) % 3;
        for (int j = 0; j < 3; j++)
        {
            int j1 = (j + 1) % 3;
            if (a_in_b[i][j] * a_in_b[i1][j] < 0 && b_in_a[j][i] * b_in_a[j1][i] < 0)
                grz_contact_add(set, 1u << i | 1u << i1, 1u << j | 1u << j1);
        }
    }
}

/* Both triangles have area in the projection along `axis` and lie in one plane. */
static graze_triangle_contact intersect_coplanar(grz_points *points, int axis, int turn_a, int turn_b)
{
    grz_side_table a_in_b, b_in_a;
    if (!fill_sides(points, 3, 0, axis, turn_b, a_in_b) || !fill_sides(points, 0, 3, axis, turn_a, b_in_a))
        return (graze_triangle_contact){0};
    return grz_contact_in_plane(a_in_b, b_in_a);
}

/* A's corners are all in the plane of B's, or B's are collinear. */
static graze_triangle_contact intersect_degenerate(grz_points *points)
{
    grz_points_to_world(points);
    int best = grz_dominant_axis(points, 3);
    for (int i = 0; i < 3; i++)
    {
        int axis = (best + i) % 3;
        int turn_b = grz_orient2d(points, 3, 4, 5, axis);
        if (turn_b == 0)
            continue;
        int turn_a = grz_orient2d(points, 0, 1, 2, axis);
        if (turn_a != 0)
            return intersect_coplanar(points, axis, turn_a, turn_b);
        break; /* B spans the plane, so A has no area at all */
    }
    grz_contact_set set;
    grz_contact_general(points, &set);
    return grz_contact_summary(&set);
}

static bool same_side(const int sides[3])
{
    return sides[0] == sides[1] && sides[1] == sides[2];
}

static graze_triangle_contact intersect_noncoplanar(grz_points *points, const int sides_a[3], const int sides_b[3])
{
    grz_line_interval a = grz_line_interval_find(sides_a, 0, -1), b = grz_line_interval_find(sides_b, 3, 1);
    return intersect_on_line(points, &a, &b);
}

graze_triangle_contact grz_triangle_triangle(grz_points *points)
{
    int sides_a[3], sides_b[3];
    grz_sides(points, 3, 0, sides_a);
    if (same_side(sides_a))
        return sides_a[0] != 0 ? (graze_triangle_contact){0} : intersect_degenerate(points);
    grz_sides(points, 0, 3, sides_b);
    if (same_side(sides_b))
        return sides_b[0] != 0 ? (graze_triangle_contact){0} : intersect_degenerate(points);
    return intersect_noncoplanar(points, sides_a, sides_b);
}

graze_triangle_contact grz_triangle_triangle_from(grz_points *points, int sides_a[3], int sides_b[3])
{
    grz_sides_resolve(points, 3, 0, sides_a);
    if (same_side(sides_a))
        return sides_a[0] != 0 ? (graze_triangle_contact){0} : intersect_degenerate(points);
    grz_sides_resolve(points, 0, 3, sides_b);
    if (same_side(sides_b))
        return sides_b[0] != 0 ? (graze_triangle_contact){0} : intersect_degenerate(points);
    return intersect_noncoplanar(points, sides_a, sides_b);
}

/* An invertible pose common to both triangles does not change their contact. */
static bool pose_cancels(const graze_pose *a, const graze_pose *b)
{
    /* By bytes: == may take denormals for zero. A missed equality costs time only. */
    /* shortcut: equal-poses-of-triangles */
    return a != NULL && b != NULL && memcmp(a, b, sizeof *a) == 0 && graze_pose_handedness(a) != 0;
}

bool grz_triangle_given(const graze_placed_triangle *triangle)
{
    return triangle != NULL && triangle->corners[0] != NULL && triangle->corners[1] != NULL &&
           triangle->corners[2] != NULL;
}

void grz_points_from_triangles(grz_points *points, const graze_placed_triangle *a, const graze_placed_triangle *b)
{
    bool cancels = pose_cancels(a->pose, b->pose);
    for (int i = 0; i < 3; i++)
        grz_points_add(points, a->corners[i], cancels ? NULL : a->pose);
    for (int i = 0; i < 3; i++)
        grz_points_add(points, b->corners[i], cancels ? NULL : b->pose);
}

graze_triangle_contact graze_triangle_collide(const graze_placed_triangle *a, const graze_placed_triangle *b)
{
    if (!grz_triangle_given(a) || !grz_triangle_given(b))
        return (graze_triangle_contact){0};
    grz_points points;
    grz_points_start(&points, NULL);
    grz_points_from_triangles(&points, a, b);
    return grz_triangle_triangle(&points);
}
