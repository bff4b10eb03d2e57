/* SPDX-License-Identifier: MIT */
/* Building trees over triangles; see binary_tree.h. */
#include "pair/method/binary_tree.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "mesh/mesh.h"
#include "pair/method/tree_join.h"
#include "pair/method/tree_split.h"

/* A build in progress. */
typedef struct method_tree_build
{
    const graze_context *context;
    const graze_mesh *mesh; /* NULL: elements are known by their centroids */
    size_t count;
    const grz_method_tree_plan *plan;
    grz_monitor *monitor;
    double (*centroids)[3];
    grz_split_work work;
    grz_tree_joint *joints; /* of a build from the leaves */
    uint32_t *order;
    GRZ_ARRAY(grz_method_node) nodes;
    GRZ_ARRAY(uint32_t) waiting;  /* nodes to be opened */
    GRZ_ARRAY(uint32_t) joint_of; /* per node, from the leaves: its joint, or element */
} method_tree_build;

static double along(const double axis[3], const double point[3])
{
    return axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
}

grz_method_tree_plan grz_method_tree_plan_of(const graze_method_parameters *parameters, uint32_t own_leaf_size)
{
    return (grz_method_tree_plan){
        .leaf_size = parameters->leaf_size != 0 ? parameters->leaf_size : own_leaf_size,
        .rule = parameters->split_axis,
        .point = parameters->split_at_median ? GRAZE_SPLIT_AT_MEDIAN : parameters->split_point,
        .candidates = parameters->split_candidates,
        .seed = parameters->seed,
        .degree = parameters->degree,
        .bottom_up = parameters->bottom_up,
    };
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

/* How many triangles of a part go to its left side. */
static uint32_t split_part(method_tree_build *b, const grz_method_node *part)
{
    uint32_t *triangles = b->order + part->first;
    grz_method_split split = {.mesh = b->mesh,
                              .centroids = (const double(*)[3])b->centroids,
                              .triangles = triangles,
                              .count = part->count,
                              .point = b->plan->point,
                              .work = &b->work,
                              .user = b->plan->user};
    double axis[3] = {1, 0, 0}, value = NAN;
    if (b->mesh != NULL && b->plan->rule != GRAZE_SPLIT_SPLATTER)
        grz_split_by_rule(&split, axis, &value);
    else
        b->plan->choose_axis(&split, axis, &value);
    if (isnan(value))
        value = grz_split_value(&split, axis);
    uint32_t left = partition(b, triangles, part->count, axis, value, split.point == GRAZE_SPLIT_AT_MEDIAN);
    return left == 0 || left == part->count ? part->count / 2 : left;
}

/* Parts of a node that will be its children. */
typedef struct parts
{
    grz_method_node nodes[GRZ_METHOD_MOST_CHILDREN];
    uint32_t joints[GRZ_METHOD_MOST_CHILDREN];
    uint32_t count;
} parts;

static uint32_t joint_count(const method_tree_build *b, uint32_t joint)
{
    return joint < b->count ? 1 : b->joints[joint - b->count].count;
}

/* Cuts one of the parts in two. */
static void cut_part(method_tree_build *b, parts *p, uint32_t which)
{
    grz_method_node part = p->nodes[which];
    uint32_t left, joints[2] = {0, 0};
    if (b->joints != NULL)
    {
        const grz_tree_joint *joint = &b->joints[p->joints[which] - b->count];
        left = joint_count(b, joint->parts[0]);
        joints[0] = joint->parts[0];
        joints[1] = joint->parts[1];
    }
    else
        left = split_part(b, &part);
    for (uint32_t i = p->count++; i > which + 1; i--) /* children stay in the order of their triangles */
    {
        p->nodes[i] = p->nodes[i - 1];
        p->joints[i] = p->joints[i - 1];
    }
    p->nodes[which].count = left;
    p->nodes[which + 1] = (grz_method_node){0, part.first + left, part.count - left};
    p->joints[which] = joints[0];
    p->joints[which + 1] = joints[1];
}

/* The part with the most triangles, if it is larger than a leaf. */
static bool find_largest(const method_tree_build *b, const parts *p, uint32_t *out_which)
{
    *out_which = 0;
    for (uint32_t i = 1; i < p->count; i++)
        *out_which = p->nodes[i].count > p->nodes[*out_which].count ? i : *out_which;
    return p->nodes[*out_which].count > b->plan->leaf_size;
}

/* Two parts, and while there are fewer than the degree the largest is cut again. */
static bool open_node(method_tree_build *b, size_t n)
{
    parts p = {.nodes = {b->nodes.data[n]}, .joints = {b->joints != NULL ? b->joint_of.data[n] : 0}, .count = 1};
    uint32_t degree = b->plan->degree != 0 ? b->plan->degree : 2, which;
    while (p.count < degree && find_largest(b, &p, &which))
    {
        if (!grz_monitor_elements(b->monitor, p.nodes[which].count))
            return false;
        cut_part(b, &p, which);
    }
    b->nodes.data[n].left = (uint32_t)b->nodes.count | (p.count - 2) << GRZ_METHOD_CHILD_BITS;
    for (uint32_t i = 0; i < p.count; i++)
    {
        p.nodes[i].left = 0;
        if (!GRZ_PUSH(b->context, &b->nodes, p.nodes[i]) ||
            (b->joints != NULL && !GRZ_PUSH(b->context, &b->joint_of, p.joints[i])))
            return false;
    }
    return true;
}

/* Puts the elements below a joint, which is an inner node's, in order; leaves nothing to recursion: joints come after
   their parts, and the places of a joint's parts follow from its own. */
static bool order_by_joints(method_tree_build *b)
{
    size_t joint_total = b->count - 1;
    uint32_t *firsts = grz_allocate(b->context, b->count + joint_total, sizeof *firsts);
    if (firsts == NULL)
        return false;
    firsts[b->count + joint_total - 1] = 0;
    for (size_t j = joint_total; j-- > 0;)
    {
        const grz_tree_joint *joint = &b->joints[j];
        firsts[joint->parts[0]] = firsts[b->count + j];
        firsts[joint->parts[1]] = firsts[b->count + j] + joint_count(b, joint->parts[0]);
    }
    for (size_t e = 0; e < b->count; e++)
        b->order[firsts[e]] = (uint32_t)e;
    grz_release(b->context, firsts);
    return true;
}

static bool start(method_tree_build *b)
{
    size_t count = b->count;
    b->centroids = grz_allocate(b->context, count, sizeof *b->centroids);
    b->order = grz_allocate(b->context, count, sizeof *b->order);
    if (b->centroids == NULL || b->order == NULL || !grz_split_work_make(b->context, b->plan, count, &b->work))
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

/* Children come after their parents, and subtrees one after the other, so that what a search visits is near. */
static bool open_all(method_tree_build *b)
{
    grz_method_node root = {0, 0, (uint32_t)b->count};
    if (b->plan->bottom_up && b->count > 1)
    {
        if (!grz_tree_join(b->context, b->mesh, (const double(*)[3])b->centroids, b->count, b->monitor, &b->joints) ||
            !order_by_joints(b) || !GRZ_PUSH(b->context, &b->joint_of, (uint32_t)(2 * b->count - 2)))
            return false;
    }
    if (!GRZ_PUSH(b->context, &b->nodes, root) || !GRZ_PUSH(b->context, &b->waiting, 0))
        return false;
    while (b->waiting.count > 0)
    {
        size_t n = b->waiting.data[--b->waiting.count];
        if (b->nodes.data[n].count <= b->plan->leaf_size)
            continue;
        uint32_t first = (uint32_t)b->nodes.count;
        if (!open_node(b, n))
            return false;
        for (uint32_t child = (uint32_t)b->nodes.count; child-- > first;)
            if (!GRZ_PUSH(b->context, &b->waiting, child))
                return false;
    }
    return true;
}

static graze_status build(method_tree_build *b, const double (*centroids)[3], grz_method_tree *out_tree)
{
    *out_tree = (grz_method_tree){0};
    if (b->count == 0)
        return GRAZE_STATUS_OK;
    if (b->count > (size_t)1 << (GRZ_METHOD_CHILD_BITS - 1))
        return GRAZE_STATUS_TOO_LARGE;
    if (b->plan->degree == 1 || b->plan->degree > GRZ_METHOD_MOST_CHILDREN ||
        (unsigned)b->plan->rule > GRAZE_SPLIT_MINKOWSKI || (unsigned)b->plan->point > GRAZE_SPLIT_AT_BEST_OF_SOME)
        return GRAZE_STATUS_BAD_ARGUMENT;
    bool done = start(b);
    if (done && centroids != NULL)
        memcpy(b->centroids, centroids, b->count * sizeof *centroids);
    done = done && open_all(b);
    grz_release(b->context, b->centroids);
    grz_split_work_release(b->context, &b->work);
    grz_release(b->context, b->joints);
    grz_release(b->context, b->joint_of.data);
    grz_release(b->context, b->waiting.data);
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
