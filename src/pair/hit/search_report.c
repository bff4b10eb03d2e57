/* SPDX-License-Identifier: MIT */
/*
 * Reports on an unfinished search: state, undecided pairs, and a lower bound of the distance; see graze/search.h.
 *
 * Boxes are transformed into the world by interval arithmetic, so they certainly contain the geometry they bound.
 */
#include <float.h>
#include <math.h>

#include "base/bits.h"
#include "mesh/mesh.h"
#include "pair/hit/search_object.h"

typedef struct world_aabb
{
    interval axes[3];
} world_aabb;

/* The world AABB of a box in mesh coordinates. Widened for factors that may be flushed to zero, as in aabb.c. */
static world_aabb transform_box(const interval box[3], const graze_pose *pose)
{
    world_aabb result;
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = pose->m + 4 * axis;
        interval sum = interval_point(row[3]);
        double factors = 1;
        for (int k = 0; k < 3; k++)
        {
            if (row[k] != 0)
                sum = interval_add(sum, interval_mul(interval_point(row[k]), box[k]));
            factors += fabs(row[k]) + fabs(box[k].lower) + fabs(box[k].upper);
        }
        /* shortcut: undecided-aabbs */
        double slack = 8 * GRZ_SMALLEST_NORMAL * interval_min2(factors, 0x1p1023);
        result.axes[axis] = interval_outward(sum.lower - slack, sum.upper + slack);
    }
    return result;
}

static world_aabb box_of_mesh(const graze_placed_mesh *placed)
{
    interval box[3];
    for (int k = 0; k < 3; k++)
        box[k] = (interval){placed->mesh->lower[k], placed->mesh->upper[k]};
    return transform_box(box, &placed->pose);
}

/* The world AABB of a node ref, from tree coordinates to the mesh's, to the world. */
static world_aabb box_of_node_ref(const graze_placed_mesh *placed, uint32_t ref)
{
    const graze_tree *tree = placed->tree;
    if (ref / GRZ_TREE_WIDTH == GRZ_ABOVE_ROOT)
        return box_of_mesh(placed);
    const grz_boxes8 *boxes = &tree->nodes[ref / GRZ_TREE_WIDTH].boxes;
    uint32_t lane = ref % GRZ_TREE_WIDTH;
    interval box[3];
    for (int k = 0; k < 3; k++)
    {
        interval local = {(double)boxes->lower[k][lane], (double)boxes->upper[k][lane]};
        box[k] = interval_add(interval_point(tree->origin[k]), interval_mul(interval_point(tree->scale), local));
        if (tree->mesh->exponent != 0) /* rounding outward covers the bits lost */
            box[k] = interval_outward(grz_scale(box[k].lower, tree->mesh->exponent),
                                      grz_scale(box[k].upper, tree->mesh->exponent));
    }
    return transform_box(box, &placed->pose);
}

/* The union of the boxes of one side that the sweep has not finished. */
static world_aabb box_of_rest(const grz_placed_aabb *boxes, size_t next, size_t count, const graze_placed_mesh *placed,
                              const graze_pose *pose_used)
{
    grz_placed_aabb bounds = grz_placed_aabbs_union(boxes + next, count - next);
    if (pose_used == NULL) /* the boxes are in mesh coordinates */
        return transform_box(bounds.axes, &placed->pose);
    world_aabb result;
    for (int k = 0; k < 3; k++)
        result.axes[k] = bounds.axes[k];
    return result;
}

static double finite(double x)
{
    return x > DBL_MAX ? DBL_MAX : x < -DBL_MAX ? -DBL_MAX : x;
}

static graze_undecided_volumes undecided_of(const world_aabb *a, const world_aabb *b)
{
    graze_undecided_volumes pair = {.overlap = true};
    for (int k = 0; k < 3; k++)
    {
        pair.box_a.lower[k] = finite(a->axes[k].lower);
        pair.box_a.upper[k] = finite(a->axes[k].upper);
        pair.box_b.lower[k] = finite(b->axes[k].lower);
        pair.box_b.upper[k] = finite(b->axes[k].upper);
        double lower = interval_max2(pair.box_a.lower[k], pair.box_b.lower[k]);
        double upper = interval_min2(pair.box_a.upper[k], pair.box_b.upper[k]);
        pair.overlap = pair.overlap && lower <= upper;
        pair.point[k] = 0.5 * lower + 0.5 * upper;
    }
    return pair;
}

/* Writes undecided pairs up to the capacity, and counts all. */
typedef struct listing
{
    const grz_query *query;
    graze_undecided_volumes *pairs;
    size_t capacity, count;
} listing;

static void list_pair(listing *list, const world_aabb *a, const world_aabb *b)
{
    if (list->count < list->capacity)
        list->pairs[list->count] = undecided_of(a, b);
    list->count++;
}

static void list_part(listing *list, const grz_query_part *part)
{
    const grz_query *q = list->query;
    if (part->done)
        return;
    if (!q->uses_trees)
    {
        const grz_aabb_sweep *sweep = &part->sweep;
        if (grz_aabb_sweep_is_done(sweep))
            return;
        world_aabb a = box_of_rest(sweep->a, sweep->next_a, sweep->a_count, q->a, q->pose_a);
        world_aabb b = box_of_rest(sweep->b, sweep->next_b, sweep->b_count, q->b, q->pose_b);
        list_pair(list, &a, &b);
        return;
    }
    if (!part->traversal.started && q->a->mesh->triangle_count > 0 && q->b->mesh->triangle_count > 0)
    {
        world_aabb a = box_of_mesh(q->a), b = box_of_mesh(q->b);
        list_pair(list, &a, &b);
    }
    for (size_t i = part->traversal.count; i > 0; i--)
    {
        if (list->count >= list->capacity)
        {
            list->count += i;
            return;
        }
        world_aabb a = box_of_node_ref(q->a, grz_half_a(part->traversal.pairs[i - 1].refs));
        world_aabb b = box_of_node_ref(q->b, grz_half_b(part->traversal.pairs[i - 1].refs));
        list_pair(list, &a, &b);
    }
}

static size_t list_all(const grz_search *s, graze_undecided_volumes *pairs, size_t capacity)
{
    listing list = {&s->query, pairs, capacity, 0};
    list_part(&list, &s->head);
    for (size_t i = 0; i < s->part_count; i++)
        list_part(&list, &s->parts[i]);
    return list.count;
}

graze_status graze_search_undecided(const graze_search *search, graze_undecided_volumes *pairs, size_t capacity,
                                    size_t *out_count)
{
    if (search == NULL || out_count == NULL || (pairs == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    *out_count = list_all(&search->search, pairs, capacity);
    return GRAZE_STATUS_OK;
}

/*
 * A lower bound of the distance of both meshes' AABBs. Gaps along the axes are rounded down; the largest of them is a
 * bound by itself. The root of the sum of their squares is a better one: with gaps that neither overflow nor underflow
 * when squared its relative error is at most 4 GRZ_U. Lower ends of intervals are neither infinite upward nor NaN
 * (interval.h), and so no gap is.
 */
static double distance_bound(const grz_query *q)
{
    if (q->a->mesh->triangle_count == 0 || q->b->mesh->triangle_count == 0)
        return INFINITY;
    world_aabb a = box_of_mesh(q->a), b = box_of_mesh(q->b);
    double largest = 0, squares = 0;
    for (int k = 0; k < 3; k++)
    {
        double above = interval_sub(b.axes[k], a.axes[k]).lower, below = interval_sub(a.axes[k], b.axes[k]).lower;
        double gap = interval_max2(0, interval_max2(above, below));
        largest = interval_max2(largest, gap);
        squares += gap > 0x1p-400 && gap < 0x1p400 ? gap * gap : 0;
    }
    return interval_max2(largest, sqrt(squares) * (1 - 8 * GRZ_U));
}

graze_search_state graze_search_examine(const graze_search *search)
{
    if (search == NULL)
        return (graze_search_state){0};
    const grz_search *s = &search->search;
    graze_search_state state = {.finished = s->finished,
                                .share = s->share,
                                .counts = grz_search_counts(s),
                                .stats = grz_search_stats(s),
                                .undecided = s->finished ? 0 : list_all(s, NULL, 0)};
    state.verdict = state.counts.pairs > 0 ? GRAZE_VERDICT_YES : s->finished ? GRAZE_VERDICT_NO : GRAZE_VERDICT_UNKNOWN;
    if (state.verdict != GRAZE_VERDICT_YES)
        state.distance_lower_bound = distance_bound(&s->query);
    return state;
}
