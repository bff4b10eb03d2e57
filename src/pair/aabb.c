/* SPDX-License-Identifier: MIT */
/* AABBs of placed triangles and the sweep and prune over them; see aabb.h. */
#include "pair/aabb.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/mesh.h"

enum
{
    SORTED_AT_ONCE = 4096 /* boxes sorted between two checks of the monitor */
};

/*
 * A sum of intervals, widened for denormal factors that the processor may flush to zero: each of them changes the sum
 * by at most the smallest normal number times the other factor.
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
    /* Factors below 2^1024, whose sum may overflow: the slack of three products is below 12. */
    /* shortcut: placed-box-by-intervals */
    double slack = 8 * GRZ_SMALLEST_NORMAL * interval_min2(factors, 0x1p1023);
    return interval_outward(sum.lower - slack, sum.upper + slack);
}

/*
 * The same in doubles with one error bound for the whole sum. With m the sum of the magnitudes of its four terms, the
 * error of each of the three products and three sums is at most GRZ_U times its result, which is m (1 + GRZ_U)^5 at
 * most: together less than 7 GRZ_U m. The computed m is at least m (1 - 5 GRZ_U), and moving an end outward rounds by
 * less than 2 GRZ_U m: 16 GRZ_U times the computed m covers all. Denormal factors are covered as above. False where the
 * sum is too large for that.
 */
static inline bool place_quickly(const double *row, const double point[3], interval *out)
{
    double x = row[0] * point[0], y = row[1] * point[1], z = row[2] * point[2], sum = x + y + z + row[3];
    double size = fabs(x) + fabs(y) + fabs(z) + fabs(row[3]);
    double factors = 1 + fabs(row[0]) + fabs(row[1]) + fabs(row[2]) + fabs(point[0]) + fabs(point[1]) + fabs(point[2]);
    /* shortcut: placed-box */
    double error = 16 * GRZ_U * size + 8 * GRZ_SMALLEST_NORMAL * factors;
    *out = (interval){sum - error, sum + error};
    return size < 0x1p1000 && factors < 0x1p1000;
}

void grz_place_point(const double point[3], const graze_pose *pose, interval out[3])
{
    if (pose != NULL && place_quickly(pose->m, point, &out[0]) && place_quickly(pose->m + 4, point, &out[1]) &&
        place_quickly(pose->m + 8, point, &out[2]))
        return;
    for (int axis = 0; axis < 3; axis++)
        out[axis] = pose == NULL ? interval_point(point[axis]) : place_coordinate(pose->m + 4 * axis, point);
}

graze_box grz_aabb_of_mesh(const graze_mesh *mesh, const graze_pose *pose)
{
    interval hull[3], placed[3];
    for (int corner = 0; corner < 8; corner++)
    {
        double point[3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = (corner >> axis & 1) != 0 ? mesh->upper[axis] : mesh->lower[axis];
        grz_place_point(point, pose, placed);
        for (int axis = 0; axis < 3; axis++)
            hull[axis] = corner == 0 ? placed[axis] : interval_hull(hull[axis], placed[axis]);
    }
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = fmin(fmax(hull[axis].lower, -DBL_MAX), DBL_MAX);
        box.upper[axis] = fmax(fmin(hull[axis].upper, DBL_MAX), -DBL_MAX);
    }
    return box;
}

grz_placed_aabb grz_aabb_of_triangle(const graze_mesh *mesh, uint32_t triangle, const graze_pose *pose)
{
    interval placed[3][3];
    for (size_t k = 0; k < 3; k++)
        grz_place_point(grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle + k]), pose, placed[k]);
    grz_placed_aabb box = {.triangle = triangle};
    for (int axis = 0; axis < 3; axis++)
        box.axes[axis] = interval_hull(interval_hull(placed[0][axis], placed[1][axis]), placed[2][axis]);
    return box;
}

grz_placed_aabb *grz_placed_aabbs_create(const graze_context *context, const graze_mesh *mesh, const graze_pose *pose)
{
    return grz_placed_aabbs_make(context, mesh, pose, NULL);
}

grz_placed_aabb *grz_placed_aabbs_make(const graze_context *context, const graze_mesh *mesh, const graze_pose *pose,
                                       grz_monitor *monitor)
{
    size_t vertex_count = mesh->vertex_count, count = mesh->triangle_count;
    interval(*placed)[3] = grz_allocate(context, vertex_count, sizeof *placed);
    grz_placed_aabb *boxes = grz_allocate(context, count, sizeof *boxes);
    if (placed == NULL || boxes == NULL)
    {
        grz_release(context, placed);
        grz_release(context, boxes);
        return NULL;
    }
    for (size_t v = 0; v < vertex_count && grz_monitor_work(monitor, 1); v++)
        grz_place_point(mesh->vertices + 3 * v, pose, placed[v]);
    for (size_t t = 0; t < count && grz_monitor_work(monitor, 1); t++)
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
    if (grz_monitor_may_continue(monitor))
        return boxes;
    grz_release(context, boxes);
    return NULL;
}

grz_placed_aabb grz_placed_aabbs_union(const grz_placed_aabb *boxes, size_t count)
{
    grz_placed_aabb all = {{{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}}, 0};
    for (size_t i = 0; i < count; i++)
    {
        for (int axis = 0; axis < 3; axis++)
            all.axes[axis] = interval_hull(all.axes[axis], boxes[i].axes[axis]);
    }
    return all;
}

bool grz_placed_aabb_overlap(const grz_placed_aabb *a, const grz_placed_aabb *b)
{
    return interval_overlap(a->axes[0], b->axes[0]) && interval_overlap(a->axes[1], b->axes[1]) &&
           interval_overlap(a->axes[2], b->axes[2]);
}

/* Orders by lower end, then by triangle, so that the order does not depend on the sorting algorithm. */
static int compare_on_axis(const grz_placed_aabb *a, const grz_placed_aabb *b, int axis)
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

int grz_placed_aabb_longest_axis(const grz_placed_aabb *box)
{
    int best = 0;
    double longest = -1;
    for (int axis = 0; axis < 3; axis++)
    {
        double length = box->axes[axis].upper - box->axes[axis].lower;
        if (length > longest)
        {
            longest = length;
            best = axis;
        }
    }
    return best;
}

/* Merges two adjacent sorted runs. False when the monitor stops it. */
static bool merge_runs(const grz_placed_aabb *source, size_t first, size_t count, int axis, grz_placed_aabb *target,
                       grz_monitor *monitor)
{
    size_t left = 0, right = first;
    for (size_t i = 0; i < count; i++)
    {
        bool from_right = left == first || (right < count && compare_on_axis(&source[right], &source[left], axis) < 0);
        target[i] = source[from_right ? right++ : left++];
        if (!grz_monitor_work(monitor, 1))
            return false;
    }
    return true;
}

bool grz_placed_aabbs_sort(const graze_context *context, grz_placed_aabb *boxes, size_t count, int axis,
                           grz_monitor *monitor)
{
    static int (*const compare[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    size_t run = monitor != NULL && count > SORTED_AT_ONCE ? SORTED_AT_ONCE : count;
    for (size_t i = 0; i < count; i += run)
    {
        size_t size = count - i < run ? count - i : run;
        if (size > 1)
            qsort(boxes + i, size, sizeof *boxes, compare[axis]);
        if (!grz_monitor_work(monitor, size))
            return false;
    }
    if (run == count)
        return true;
    grz_placed_aabb *scratch = grz_allocate(context, count, sizeof *scratch), *source = boxes, *target = scratch;
    bool enough = scratch != NULL;
    for (; enough && run < count; run *= 2)
    {
        for (size_t i = 0; enough && i < count; i += 2 * run)
        {
            size_t size = count - i < 2 * run ? count - i : 2 * run;
            enough = merge_runs(source + i, size < run ? size : run, size, axis, target + i, monitor);
        }
        grz_placed_aabb *other = source;
        source = target;
        target = other;
    }
    if (enough && source != boxes)
        memcpy(boxes, source, count * sizeof *boxes);
    grz_release(context, scratch);
    return enough;
}

bool grz_aabb_sweep_start(grz_aabb_sweep *sweep, const graze_context *context, const graze_mesh *mesh_a,
                          const graze_pose *pose_a, const graze_mesh *mesh_b, const graze_pose *pose_b,
                          grz_monitor *monitor)
{
    sweep->a_count = mesh_a->triangle_count;
    sweep->b_count = mesh_b->triangle_count;
    sweep->next_a = sweep->next_b = sweep->other = 0;
    sweep->within = false;
    sweep->box_tests = 0;
    sweep->a = grz_placed_aabbs_make(context, mesh_a, pose_a, monitor);
    sweep->b = grz_monitor_may_continue(monitor) ? grz_placed_aabbs_make(context, mesh_b, pose_b, monitor) : NULL;
    if (sweep->a == NULL || sweep->b == NULL)
    {
        grz_aabb_sweep_end(sweep, context);
        return false;
    }
    grz_placed_aabb hull_a = grz_placed_aabbs_union(sweep->a, sweep->a_count),
                    hull_b = grz_placed_aabbs_union(sweep->b, sweep->b_count);
    if (sweep->a_count == 0 || sweep->b_count == 0 || !grz_placed_aabb_overlap(&hull_a, &hull_b))
    {
        sweep->next_a = sweep->a_count;
        return true;
    }
    sweep->axis = grz_placed_aabb_longest_axis(&hull_a);
    bool sorted = grz_placed_aabbs_sort(context, sweep->a, sweep->a_count, sweep->axis, monitor) &&
                  grz_placed_aabbs_sort(context, sweep->b, sweep->b_count, sweep->axis, monitor);
    if (!sorted)
        grz_aabb_sweep_end(sweep, context);
    return sorted;
}

void grz_aabb_sweep_end(grz_aabb_sweep *sweep, const graze_context *context)
{
    grz_release(context, sweep->a);
    grz_release(context, sweep->b);
    sweep->a = sweep->b = NULL;
    sweep->next_a = sweep->a_count;
}

bool grz_aabb_sweep_is_done(const grz_aabb_sweep *sweep)
{
    return sweep->next_a == sweep->a_count || sweep->next_b == sweep->b_count;
}

/*
 * Sweep and prune along one axis. Of two overlapping boxes one begins first; if they begin together, A's counts as
 * first. The box that begins first among the rest is tested against the boxes of the other side that begin within it,
 * and is then finished.
 */
bool grz_aabb_sweep_advance(grz_aabb_sweep *sweep, uint64_t box_limit, grz_aabb_pair_function visit, void *user)
{
    int axis = sweep->axis;
    while (!grz_aabb_sweep_is_done(sweep) && sweep->box_tests < box_limit)
    {
        const grz_placed_aabb *a = &sweep->a[sweep->next_a], *b = &sweep->b[sweep->next_b];
        bool a_first = a->axes[axis].lower <= b->axes[axis].lower;
        const grz_placed_aabb *box = a_first ? a : b, *others = a_first ? sweep->b : sweep->a;
        size_t end = a_first ? sweep->b_count : sweep->a_count;
        size_t other = sweep->within ? sweep->other : a_first ? sweep->next_b : sweep->next_a;
        sweep->within = true;
        for (; other < end && sweep->box_tests < box_limit; other++)
        {
            if (others[other].axes[axis].lower > box->axes[axis].upper)
                break;
            sweep->box_tests++;
            if (!grz_placed_aabb_overlap(box, &others[other]))
                continue;
            uint32_t first = box->triangle, second = others[other].triangle;
            if (!visit(user, a_first ? first : second, a_first ? second : first))
                return false;
        }
        sweep->other = other;
        if (other < end && others[other].axes[axis].lower <= box->axes[axis].upper)
            break; /* box_limit is reached */
        sweep->within = false;
        *(a_first ? &sweep->next_a : &sweep->next_b) += 1;
    }
    return true;
}
