/* SPDX-License-Identifier: MIT */
/*
 * Node bounds of placed trees in world coordinates; see world_tree.h. u = GRZ_U bounds one rounding in any mode.
 *
 * The slack. A corner is at t + sum m_k (o_k + s l_k), with the tree's origin o, its scale s, a power of two, and l
 * within the floats of its box, |l_k| < 2. Let S be |t| + sum |m_k| (|o_k| + 2 s). The error of the origin's sum of
 * four terms is less than 7 u S, likewise that of the box's sum of four terms, and that of adding the slack 2 u S.
 * grz_place_point widens a sum with an error of 7 u S by 16 u S (aabb.c). So 64 u times the computed S is more than
 * enough for boxes to contain those intervals, too. Underflow and flushed denormals lose less than 2^-1022 times 2^301,
 * a few times over; so do the denormal terms of aabb.c: 2^-700 covers them.
 */
#include "pair/world_tree.h"

#include <math.h>

#include "math/interval.h"
#include "mesh/mesh.h"

#define LARGEST_POSE_ENTRY 0x1p300

grz_world_tree grz_world_tree_make(const graze_mesh *mesh, const graze_tree *tree, const graze_pose *pose)
{
    static const graze_pose identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    const double *m = pose != NULL ? pose->m : identity.m;
    grz_world_tree world = {.tree = NULL};
    if (tree == NULL || tree->mesh != mesh || !tree->usable || mesh->exponent != 0 || tree->node_count == 0)
        return world;
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = m + 4 * axis;
        double sum = 0, size = fabs(row[3]);
        for (int k = 0; k < 3; k++)
        {
            if (!(fabs(row[k]) < LARGEST_POSE_ENTRY && fabs(row[3]) < LARGEST_POSE_ENTRY))
                return world;
            sum += row[k] * tree->origin[k];
            size += fabs(row[k]) * (fabs(tree->origin[k]) + 2 * tree->scale);
            world.steps[axis][k] = row[k] * tree->scale;
        }
        world.origin[axis] = sum + row[3];
        /* shortcut: world-boxes */
        world.slack[axis] = 64 * GRZ_U * size + 0x1p-700;
    }
    world.tree = tree;
    return world;
}

void grz_world_tree_child_aabbs(const grz_world_tree *world, uint32_t node, grz_world_aabbs *out)
{
    const grz_boxes8 *boxes = &world->tree->nodes[node].boxes;
    for (int axis = 0; axis < 3; axis++)
    {
        for (int lane = 0; lane < GRZ_TREE_WIDTH; lane++)
        {
            out->lower[axis][lane] = world->origin[axis] - world->slack[axis];
            out->upper[axis][lane] = world->origin[axis] + world->slack[axis];
        }
        for (int k = 0; k < 3; k++)
        {
            double step = world->steps[axis][k];
            const float *low = step > 0 ? boxes->lower[k] : boxes->upper[k];
            const float *high = step > 0 ? boxes->upper[k] : boxes->lower[k];
            for (int lane = 0; lane < GRZ_TREE_WIDTH; lane++)
            {
                out->lower[axis][lane] += step * (double)low[lane];
                out->upper[axis][lane] += step * (double)high[lane];
            }
        }
    }
}

/* ---- the support vertex ---- */

typedef struct support_search
{
    const graze_tree *tree;
    const double *direction;
    double along_origin; /* height of the origin of tree coordinates */
    double slack;        /* error bound of heights, less the tolerance */
    double best;
    uint32_t vertex; /* of that height */
} support_search;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void test_vertex(support_search *s, uint32_t vertex)
{
    double height = dot(s->direction, grz_mesh_vertex(s->tree->mesh, vertex));
    if (height > s->best)
    {
        s->best = height;
        s->vertex = vertex;
    }
}

static void test_leaf(support_search *s, const grz_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->count; i++)
        for (uint32_t corner = 0; corner < 3; corner++)
            test_vertex(s, s->tree->mesh->triangles[3 * (size_t)s->tree->order[leaf->first + i] + corner]);
}

/* Upper bounds of the support of each child; an absent one has an inverted box, with a support of -INFINITY. */
static void child_supports(const support_search *s, const grz_boxes8 *boxes, double heights[GRZ_LANES])
{
    for (int lane = 0; lane < GRZ_LANES; lane++)
        heights[lane] = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double d = s->direction[axis];
        const float *ends = d > 0 ? boxes->upper[axis] : boxes->lower[axis];
        for (int lane = 0; lane < GRZ_LANES && d != 0; lane++)
            heights[lane] += d * (double)ends[lane];
    }
    for (int lane = 0; lane < GRZ_LANES; lane++)
        heights[lane] = s->along_origin + s->tree->scale * heights[lane] + s->slack;
}

/* Children from the highest bound down, as long as the bound exceeds the best height so far. Trees are no deeper than
   GRZ_TREE_MAX_DEPTH. */
static void search_node(support_search *s, uint32_t index) /* NOLINT(misc-no-recursion) */
{
    const grz_node *node = &s->tree->nodes[index];
    double heights[GRZ_LANES];
    child_supports(s, &node->boxes, heights);
    for (int tried = 0; tried < GRZ_LANES; tried++)
    {
        int highest = 0;
        for (int lane = 1; lane < GRZ_LANES; lane++)
            highest = heights[lane] > heights[highest] ? lane : highest;
        uint32_t child = node->children[highest];
        if (!(heights[highest] > s->best) || child == GRZ_NO_CHILD)
            return;
        heights[highest] = -INFINITY;
        if ((child & GRZ_LEAF_FLAG) != 0)
            test_leaf(s, &s->tree->leaves[child & ~GRZ_LEAF_FLAG]);
        else
            search_node(s, child);
    }
}

/* The heights of a vertex and of a box are both sums of products of a direction's and a point's coordinates: the error
   of each is 4 u times the sum of their sizes; underflow is covered as above. */
double grz_tree_support(const graze_tree *tree, const double direction[3], double tolerance, uint32_t *vertex)
{
    const graze_mesh *mesh = tree->mesh;
    double size = 0;
    for (int axis = 0; axis < 3; axis++)
        size += fabs(direction[axis]) *
                (fmax(fabs(mesh->lower[axis]), fabs(mesh->upper[axis])) + fabs(tree->origin[axis]) + 2 * tree->scale);
    support_search s = {.tree = tree, .direction = direction, .best = -INFINITY, .vertex = *vertex};
    s.slack = 16 * GRZ_U * size + 0x1p-700 - tolerance;
    s.along_origin = dot(direction, tree->origin);
    test_vertex(&s, *vertex);
    search_node(&s, 0);
    *vertex = s.vertex;
    return s.best;
}
