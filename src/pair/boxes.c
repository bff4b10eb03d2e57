/* SPDX-License-Identifier: MIT */
/* Boxes of placed triangles and the sweep over them; see boxes.h. */
#include "pair/boxes.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mesh/mesh.h"

/*
 * A sum of intervals, widened once more for denormal factors that the processor may take for zero: each of those costs
 * at most the smallest normal number times the other factor.
 */
static interval place_coordinate(const double *row, const double point[3])
{
    interval sum = interval_point(row[3]);
    double factors = 1;
    for (int k = 0; k < 3; k++)
    {
        if (row[k] != 0)
            sum = interval_add(sum, interval_mul(interval_point(row[k]), interval_point(point[k])));
        factors += fabs(row[k]) + fabs(point[k]);
    }
    double slack = 4 * GRZ_SMALLEST_NORMAL * interval_min2(factors, 0x1p1022);
    return interval_outward(sum.lower - slack, sum.upper + slack);
}

void grz_place_point(const double point[3], const graze_pose *pose, interval out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = pose == NULL ? interval_point(point[axis]) : place_coordinate(pose->m + 4 * axis, point);
}

grz_box *grz_boxes_create(const graze_context *context, const graze_mesh *mesh, const graze_pose *pose)
{
    size_t vertex_count = mesh->vertex_count, count = mesh->triangle_count;
    interval(*placed)[3] = grz_allocate(context, vertex_count, sizeof *placed);
    grz_box *boxes = grz_allocate(context, count, sizeof *boxes);
    if (placed == NULL || boxes == NULL)
    {
        grz_release(context, placed);
        grz_release(context, boxes);
        return NULL;
    }
    for (size_t v = 0; v < vertex_count; v++)
        grz_place_point(mesh->vertices + 3 * v, pose, placed[v]);
    for (size_t t = 0; t < count; t++)
    {
        const uint32_t *corners = mesh->triangles + 3 * t;
        boxes[t].triangle = (uint32_t)t;
        for (int axis = 0; axis < 3; axis++)
        {
            interval hull = interval_hull(placed[corners[0]][axis], placed[corners[1]][axis]);
            boxes[t].axes[axis] = interval_hull(hull, placed[corners[2]][axis]);
        }
    }
    grz_release(context, placed);
    return boxes;
}

grz_box grz_boxes_hull(const grz_box *boxes, size_t count)
{
    grz_box hull = {{{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}}, 0};
    for (size_t i = 0; i < count; i++)
    {
        for (int axis = 0; axis < 3; axis++)
            hull.axes[axis] = interval_hull(hull.axes[axis], boxes[i].axes[axis]);
    }
    return hull;
}

bool grz_box_overlap(const grz_box *a, const grz_box *b)
{
    return interval_overlap(a->axes[0], b->axes[0]) && interval_overlap(a->axes[1], b->axes[1]) &&
           interval_overlap(a->axes[2], b->axes[2]);
}

/* Orders by lower end, then by triangle, so that the order does not depend on the sort. */
static int compare_on_axis(const grz_box *a, const grz_box *b, int axis)
{
    double x = a->axes[axis].lower, y = b->axes[axis].lower;
    if (x != y)
        return x < y ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static int compare_x(const void *a, const void *b)
{
    return compare_on_axis(a, b, 0);
}

static int compare_y(const void *a, const void *b)
{
    return compare_on_axis(a, b, 1);
}

static int compare_z(const void *a, const void *b)
{
    return compare_on_axis(a, b, 2);
}

static int longest_axis(const grz_box *hull)
{
    int best = 0;
    double longest = -1;
    for (int axis = 0; axis < 3; axis++)
    {
        double length = hull->axes[axis].upper - hull->axes[axis].lower;
        if (length > longest)
        {
            longest = length;
            best = axis;
        }
    }
    return best;
}

/* What the sweep needs besides the two sequences. */
typedef struct sweep
{
    int axis;
    grz_box_pair_function visit;
    void *user;
    uint64_t *tests;
} sweep;

/* All boxes of `others` that begin within `box`. `swapped` says that `box` is B's. */
static bool sweep_one(const sweep *s, const grz_box *box, const grz_box *others, const grz_box *end, bool swapped)
{
    for (const grz_box *other = others; other < end; other++)
    {
        if (other->axes[s->axis].lower > box->axes[s->axis].upper)
            break;
        ++*s->tests;
        if (!grz_box_overlap(box, other))
            continue;
        bool go_on = swapped ? s->visit(s->user, other->triangle, box->triangle)
                             : s->visit(s->user, box->triangle, other->triangle);
        if (!go_on)
            return false;
    }
    return true;
}

bool grz_boxes_sweep(grz_box *a, size_t a_count, grz_box *b, size_t b_count, grz_box_pair_function visit, void *user,
                     uint64_t *tests)
{
    static int (*const compare[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    grz_box hull_a = grz_boxes_hull(a, a_count), hull_b = grz_boxes_hull(b, b_count);
    if (a_count == 0 || b_count == 0 || !grz_box_overlap(&hull_a, &hull_b))
        return true;
    sweep s = {longest_axis(&hull_a), visit, user, tests};
    qsort(a, a_count, sizeof *a, compare[s.axis]);
    qsort(b, b_count, sizeof *b, compare[s.axis]);
    /* Of two overlapping boxes one begins first, or they begin together: then A's counts as first. */
    const grz_box *end_a = a + a_count, *end_b = b + b_count;
    const grz_box *next_a = a, *next_b = b;
    while (next_a < end_a && next_b < end_b)
    {
        if (next_a->axes[s.axis].lower <= next_b->axes[s.axis].lower)
        {
            if (!sweep_one(&s, next_a, next_b, end_b, false))
                return false;
            next_a++;
        }
        else
        {
            if (!sweep_one(&s, next_b, next_a, end_a, true))
                return false;
            next_b++;
        }
    }
    return true;
}
