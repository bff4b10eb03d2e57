/* SPDX-License-Identifier: MIT */
/* Building binary trees over triangles; see binary_tree.h. */
#include "pair/method/binary_tree.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "mesh/mesh.h"

/* A build in progress. */
typedef struct method_tree_build
{
    const graze_context *context;
    const graze_mesh *mesh; /* NULL: elements are known by their centroids */
    size_t count;
    const grz_method_tree_plan *plan;
    grz_monitor *monitor;
    double (*centroids)[3];
    double *keys; /* of the triangles of one node, for medians */
    uint32_t *order;
    GRZ_ARRAY(grz_method_node) nodes;
} method_tree_build;

static double along(const double axis[3], const double point[3])
{
    return axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
}

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

double grz_split_mean(const grz_method_split *split, const double axis[3])
{
    double sum = 0;
    for (uint32_t i = 0; i < split->count; i++)
        sum += along(axis, split->centroids[split->triangles[i]]);
    return sum / split->count;
}

static double median(const method_tree_build *b, const grz_method_split *split, const double axis[3])
{
    for (uint32_t i = 0; i < split->count; i++)
        b->keys[i] = along(axis, split->centroids[split->triangles[i]]);
    return select_key(b->keys, split->count, (split->count - 1) / 2);
}

void grz_split_covariance(const grz_method_split *split, bool by_area, double out_mean[3], double out_covariance[3][3])
{
    double weight = 0, mean[3] = {0}, moments[3][3] = {{0}};
    for (uint32_t n = 0; n < split->count; n++)
    {
        uint32_t triangle = split->triangles[n];
        const double *c = split->centroids[triangle];
        const double *corners[3] = {grz_scaled_corner(split->mesh, triangle, 0),
                                    grz_scaled_corner(split->mesh, triangle, 1),
                                    grz_scaled_corner(split->mesh, triangle, 2)};
        double area = 1;
        if (by_area)
        {
            double u[3], v[3];
            for (int i = 0; i < 3; i++)
            {
                u[i] = corners[1][i] - corners[0][i];
                v[i] = corners[2][i] - corners[0][i];
            }
            double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
            area = sqrt(x * x + y * y + z * z) / 2;
        }
        weight += area;
        for (int i = 0; i < 3; i++)
        {
            mean[i] += area * c[i];
            for (int k = 0; k < 3; k++)
            {
                double corner_sum = 0;
                for (int j = 0; by_area && j < 3; j++)
                    corner_sum += corners[j][i] * corners[j][k];
                moments[i][k] += by_area ? area * (9 * c[i] * c[k] + corner_sum) / 12 : c[i] * c[k];
            }
        }
    }
    for (int i = 0; i < 3; i++)
        out_mean[i] = weight > 0 ? mean[i] / weight : 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out_covariance[i][k] = weight > 0 ? moments[i][k] / weight - out_mean[i] * out_mean[k] : i == k;
}

void grz_split_by_variance(const grz_method_split *split, double out_axis[3])
{
    double sum[3] = {0}, squares[3] = {0};
    const double *origin = split->centroids[split->triangles[0]];
    for (uint32_t n = 0; n < split->count; n++)
    {
        const double *c = split->centroids[split->triangles[n]];
        for (int i = 0; i < 3; i++)
        {
            double x = c[i] - origin[i];
            sum[i] += x;
            squares[i] += x * x;
        }
    }
    int best = 0;
    double largest = -1;
    for (int i = 0; i < 3; i++)
    {
        double variance = squares[i] - sum[i] * sum[i] / split->count;
        if (variance > largest)
        {
            largest = variance;
            best = i;
        }
    }
    for (int i = 0; i < 3; i++)
        out_axis[i] = i == best;
}

/* Moves the triangles with a centroid below the cut to the front; returns their number. */
static uint32_t partition(const method_tree_build *b, uint32_t *triangles, uint32_t count, const double axis[3],
                          double value, bool with_equal)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
    {
        double x = along(axis, b->centroids[triangles[i]]);
        if (x < value || (with_equal && x == value))
        {
            uint32_t kept = triangles[left];
            triangles[left++] = triangles[i];
            triangles[i] = kept;
        }
    }
    return left;
}

/* How many triangles of a node go to its left child. */
static uint32_t split_node(const method_tree_build *b, const grz_method_node *node)
{
    uint32_t *triangles = b->order + node->first;
    grz_method_split split = {.mesh = b->mesh,
                              .centroids = (const double(*)[3])b->centroids,
                              .triangles = triangles,
                              .count = node->count,
                              .at_median = b->plan->at_median,
                              .user = b->plan->user};
    double axis[3] = {1, 0, 0}, value = NAN;
    b->plan->choose_axis(&split, axis, &value);
    if (isnan(value))
        value = b->plan->at_median ? median(b, &split, axis) : grz_split_mean(&split, axis);
    uint32_t left = partition(b, triangles, node->count, axis, value, b->plan->at_median);
    return left == 0 || left == node->count ? node->count / 2 : left;
}

static bool start(method_tree_build *b)
{
    size_t count = b->count;
    b->centroids = grz_allocate(b->context, count, sizeof *b->centroids);
    b->order = grz_allocate(b->context, count, sizeof *b->order);
    b->keys = b->plan->at_median ? grz_allocate(b->context, count, sizeof *b->keys) : NULL;
    if (b->centroids == NULL || b->order == NULL || (b->plan->at_median && b->keys == NULL))
        return false;
    for (size_t t = 0; t < count; t++)
    {
        b->order[t] = (uint32_t)t;
        for (int i = 0; b->mesh != NULL && i < 3; i++)
        {
            double sum = 0;
            for (int corner = 0; corner < 3; corner++)
                sum += grz_scaled_corner(b->mesh, (uint32_t)t, corner)[i] / 3;
            b->centroids[t][i] = sum;
        }
    }
    return true;
}

/* Nodes are split in the order in which they were made, so that children come after parents. */
static bool split_all(method_tree_build *b)
{
    grz_method_node root = {0, 0, (uint32_t)b->count};
    if (!GRZ_PUSH(b->context, &b->nodes, root))
        return false;
    for (size_t n = 0; n < b->nodes.count; n++)
    {
        grz_method_node node = b->nodes.data[n];
        if (node.count <= b->plan->leaf_size)
            continue;
        if (!grz_monitor_elements(b->monitor, node.count))
            return false;
        uint32_t left = split_node(b, &node);
        b->nodes.data[n].left = (uint32_t)b->nodes.count;
        grz_method_node children[2] = {{0, node.first, left}, {0, node.first + left, node.count - left}};
        if (!GRZ_PUSH(b->context, &b->nodes, children[0]) || !GRZ_PUSH(b->context, &b->nodes, children[1]))
            return false;
    }
    return true;
}

static graze_status build(method_tree_build *b, const double (*centroids)[3], grz_method_tree *out_tree)
{
    *out_tree = (grz_method_tree){0};
    if (b->count == 0)
        return GRAZE_STATUS_OK;
    bool done = start(b);
    if (done && centroids != NULL)
        memcpy(b->centroids, centroids, b->count * sizeof *centroids);
    done = done && split_all(b);
    grz_release(b->context, b->centroids);
    grz_release(b->context, b->keys);
    *out_tree = (grz_method_tree){b->nodes.data, b->nodes.count, b->order, b->count};
    if (done)
        return GRAZE_STATUS_OK;
    grz_method_tree_release(b->context, out_tree);
    return grz_monitor_or_memory(b->monitor);
}

graze_status grz_method_tree_build(const graze_context *context, const graze_mesh *mesh,
                                   const grz_method_tree_plan *plan, grz_monitor *monitor, grz_method_tree *out_tree)
{
    method_tree_build b = {
        .context = context, .mesh = mesh, .count = mesh->triangle_count, .plan = plan, .monitor = monitor};
    return build(&b, NULL, out_tree);
}

graze_status grz_method_tree_build_over(const graze_context *context, const double (*centroids)[3], size_t count,
                                        const grz_method_tree_plan *plan, grz_monitor *monitor,
                                        grz_method_tree *out_tree)
{
    method_tree_build b = {.context = context, .count = count, .plan = plan, .monitor = monitor};
    return build(&b, centroids, out_tree);
}

void grz_method_tree_release(const graze_context *context, grz_method_tree *tree)
{
    grz_release(context, tree->nodes);
    grz_release(context, tree->order);
    *tree = (grz_method_tree){0};
}

size_t grz_method_tree_memory(const grz_method_tree *tree)
{
    return tree->node_count * sizeof *tree->nodes + tree->triangle_count * sizeof *tree->order;
}
