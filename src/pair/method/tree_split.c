/* SPDX-License-Identifier: MIT */
/* Rules that split a node's triangles; see tree_split.h. */
#include "pair/method/tree_split.h"

#include <math.h>
#include <string.h>

#include "pair/method/dop_tree.h"
#include "volume/oriented_box.h"

static double along(const double axis[3], const double point[3])
{
    return axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
}

static bool needs_sweeps(const grz_method_tree_plan *plan)
{
    return plan->point == GRAZE_SPLIT_AT_BEST || plan->rule == GRAZE_SPLIT_PCA_SWEEP ||
           plan->rule == GRAZE_SPLIT_MINKOWSKI;
}

bool grz_split_work_make(const graze_context *context, const grz_method_tree_plan *plan, size_t count,
                         grz_split_work *out)
{
    *out = (grz_split_work){.kind = plan->kind != NULL ? plan->kind : &grz_dop_6,
                            .rule = plan->rule,
                            .candidates = plan->candidates != 0 ? plan->candidates : 8,
                            .random = grz_random_make(plan->seed)};
    if (plan->point == GRAZE_SPLIT_AT_MEDIAN)
        out->keys = grz_allocate(context, count, sizeof *out->keys);
    if (needs_sweeps(plan))
    {
        out->sorted = grz_allocate(context, count, sizeof *out->sorted);
        out->scratch = grz_allocate(context, count, sizeof *out->scratch);
        out->right = grz_allocate(context, count, sizeof *out->right);
        if (out->sorted == NULL || out->scratch == NULL || out->right == NULL)
            return false;
    }
    return plan->point != GRAZE_SPLIT_AT_MEDIAN || out->keys != NULL;
}

void grz_split_work_release(const graze_context *context, grz_split_work *work)
{
    grz_release(context, work->keys);
    grz_release(context, work->sorted);
    grz_release(context, work->scratch);
    grz_release(context, work->right);
    *work = (grz_split_work){0};
}

/* ---- points ---- */

/* The k-th smallest of some numbers, by selection in place. */
static double select_key(double *keys, size_t count, size_t k)
{
    size_t low = 0, high = count - 1;
    while (low < high)
    {
        double pivot = keys[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;)
        {
            while (keys[i] < pivot)
                i++;
            while (keys[j] > pivot)
                j--;
            if (i >= j)
                break;
            double kept = keys[i];
            keys[i++] = keys[j];
            keys[j--] = kept;
        }
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
    return keys[k];
}

static double mean(const grz_method_split *split, const double axis[3])
{
    double sum = 0;
    for (uint32_t i = 0; i < split->count; i++)
        sum += along(axis, split->centroids[split->triangles[i]]);
    return sum / split->count;
}

static double median(const grz_method_split *split, const double axis[3])
{
    for (uint32_t i = 0; i < split->count; i++)
        split->work->keys[i] = along(axis, split->centroids[split->triangles[i]]);
    return select_key(split->work->keys, split->count, (split->count - 1) / 2);
}

/* ---- costs ---- */

static grz_part_size size_of(const grz_dop_kind *kind, const double *dop, uint32_t count)
{
    grz_part_size size = {0, {0, 0, 0}, count};
    double lower[3], upper[3];
    if (dop[0] > dop[kind->half])
        return size;
    grz_dop_box(kind, dop, lower, upper);
    size.volume = grz_dop_volume(kind, dop);
    for (int i = 0; i < 3; i++)
        size.sides[i] = upper[i] - lower[i];
    return size;
}

static double minkowski_cost(const grz_part_size *a, const grz_part_size *b)
{
    return (a->count + b->count) * (a->sides[0] + b->sides[0]) * (a->sides[1] + b->sides[1]) *
           (a->sides[2] + b->sides[2]);
}

/* What a cut costs, compared with other cuts of the same node. 003: the children of a node and of one like it meet with
   probabilities in proportion to the volumes of their Minkowski sums, and then cost as much as they have triangles (the
   slides leave that cost to recursion); the four pairs are summed. */
static double cost_of(graze_split_axis rule, const grz_part_size *left, const grz_part_size *right)
{
    if (rule == GRAZE_SPLIT_MIN_MAX)
        return left->volume > right->volume ? left->volume : right->volume;
    if (rule == GRAZE_SPLIT_MINKOWSKI)
        return minkowski_cost(left, left) + 2 * minkowski_cost(left, right) + minkowski_cost(right, right);
    return left->volume + right->volume;
}

/* Of the parts below a value, and not below; `with_equal`: below or equal, and above. */
static double cost_of_value(const grz_method_split *split, const double axis[3], double value, bool with_equal)
{
    const grz_dop_kind *kind = split->work->kind;
    double dops[2][2 * GRZ_DOP_MOST_HALF];
    uint32_t counts[2] = {0, 0};
    grz_dop_clear(kind, dops[0]);
    grz_dop_clear(kind, dops[1]);
    for (uint32_t n = 0; n < split->count; n++)
    {
        uint32_t triangle = split->triangles[n];
        double x = along(axis, split->centroids[triangle]);
        int side = !(x < value || (with_equal && x == value));
        counts[side]++;
        grz_dop_add_triangle(kind, split->mesh, triangle, dops[side]);
    }
    grz_part_size left = size_of(kind, dops[0], counts[0]), right = size_of(kind, dops[1], counts[1]);
    return cost_of(split->work->rule, &left, &right);
}

/* ---- sweeps ---- */

/* Ascending like the number; both zeros are alike. */
static uint64_t key_of(double x)
{
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | (uint64_t)1 << 63;
}

/* The best of all cuts between different centroids, and its cost; infinity when there is none. The work has the sizes
   of the parts from each triangle on. */
static double sweep(const grz_method_split *split, const double axis[3], double *out_cost)
{
    grz_split_work *work = split->work;
    const grz_dop_kind *kind = work->kind;
    double dop[2 * GRZ_DOP_MOST_HALF], best = NAN;
    for (uint32_t n = 0; n < split->count; n++)
        work->sorted[n] =
            (grz_key_value){key_of(along(axis, split->centroids[split->triangles[n]])), split->triangles[n]};
    grz_sort_keyed(work->sorted, work->scratch, split->count);
    grz_dop_clear(kind, dop);
    for (uint32_t n = split->count; n-- > 0;)
    {
        grz_dop_add_triangle(kind, split->mesh, (uint32_t)work->sorted[n].value, dop);
        work->right[n] = size_of(kind, dop, split->count - n);
    }
    *out_cost = INFINITY;
    grz_dop_clear(kind, dop);
    for (uint32_t n = 1; n < split->count; n++)
    {
        grz_dop_add_triangle(kind, split->mesh, (uint32_t)work->sorted[n - 1].value, dop);
        if (work->sorted[n].key == work->sorted[n - 1].key)
            continue;
        grz_part_size left = size_of(kind, dop, n);
        double cost = cost_of(work->rule, &left, &work->right[n]);
        if (cost < *out_cost)
        {
            *out_cost = cost;
            best = along(axis, split->centroids[work->sorted[n].value]);
        }
    }
    return best;
}

/* The best of some random cuts. */
static double best_of_some(const grz_method_split *split, const double axis[3], double *out_cost)
{
    double best = NAN;
    *out_cost = INFINITY;
    for (uint32_t i = 0; i < split->work->candidates; i++)
    {
        uint64_t n = grz_random_below(&split->work->random, split->count);
        double value = along(axis, split->centroids[split->triangles[n]]);
        double cost = cost_of_value(split, axis, value, false);
        if (cost < *out_cost)
        {
            *out_cost = cost;
            best = value;
        }
    }
    return best;
}

/* With its cost, where `out_cost` is not NULL. */
static double value_and_cost(const grz_method_split *split, const double axis[3], double *out_cost)
{
    double cost, value;
    bool at_median = split->point == GRAZE_SPLIT_AT_MEDIAN;
    if (split->mesh != NULL && split->point == GRAZE_SPLIT_AT_BEST)
        value = sweep(split, axis, &cost);
    else if (split->mesh != NULL && split->point == GRAZE_SPLIT_AT_BEST_OF_SOME)
        value = best_of_some(split, axis, &cost);
    else
    {
        value = at_median ? median(split, axis) : mean(split, axis);
        cost = out_cost != NULL ? cost_of_value(split, axis, value, at_median) : 0;
    }
    if (out_cost != NULL)
        *out_cost = cost;
    return value;
}

double grz_split_value(const grz_method_split *split, const double axis[3])
{
    return value_and_cost(split, axis, NULL);
}

/* ---- axes ---- */

/* The direction in which the dop is longest. */
static void by_longest_side(const grz_method_split *split, double out_axis[3])
{
    const grz_dop_kind *kind = split->work->kind;
    double dop[2 * GRZ_DOP_MOST_HALF], longest = -1;
    grz_dop_clear(kind, dop);
    for (uint32_t i = 0; i < split->count; i++)
        grz_dop_add_triangle(kind, split->mesh, split->triangles[i], dop);
    for (int i = 0; i < kind->half; i++)
    {
        const double *d = kind->directions[i];
        double length = (dop[kind->half + i] - dop[i]) / sqrt(grz_dop_along(d, d));
        if (length > longest)
        {
            longest = length;
            memcpy(out_axis, d, 3 * sizeof *d);
        }
    }
}

/* The direction whose children cost least. */
static void by_volumes(const grz_method_split *split, double out_axis[3], double *out_value)
{
    const grz_dop_kind *kind = split->work->kind;
    double least = INFINITY;
    for (int i = 0; i < kind->half; i++)
    {
        const double *d = kind->directions[i];
        double cost, value = value_and_cost(split, d, &cost);
        if (cost < least)
        {
            least = cost;
            *out_value = value;
            memcpy(out_axis, d, 3 * sizeof *d);
        }
    }
}

static void by_principal_axis(const grz_method_split *split, double out_axis[3], double *out_value)
{
    double centre[3], covariance[3][3], axes[3][3], cost;
    grz_split_covariance(split, true, centre, covariance);
    grz_principal_axes((const double(*)[3])covariance, axes);
    memcpy(out_axis, axes[0], sizeof axes[0]);
    *out_value = sweep(split, out_axis, &cost);
}

/* Coordinate axes: the sums are those of boxes along them. */
static void by_minkowski_sums(const grz_method_split *split, double out_axis[3], double *out_value)
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++)
    {
        const double axis[3] = {i == 0, i == 1, i == 2};
        double cost, value = sweep(split, axis, &cost);
        if (cost < least)
        {
            least = cost;
            *out_value = value;
            memcpy(out_axis, axis, sizeof axis);
        }
    }
}

void grz_split_by_rule(const grz_method_split *split, double out_axis[3], double *out_value)
{
    graze_split_axis rule = split->work->rule;
    if (rule == GRAZE_SPLIT_LONGEST_SIDE)
        by_longest_side(split, out_axis);
    else if (rule == GRAZE_SPLIT_PCA_SWEEP)
        by_principal_axis(split, out_axis, out_value);
    else if (rule == GRAZE_SPLIT_MINKOWSKI)
        by_minkowski_sums(split, out_axis, out_value);
    else
        by_volumes(split, out_axis, out_value);
}
