/* SPDX-License-Identifier: MIT */
/* See near_triangles.h. */
#include "shape/near_triangles.h"

#include <math.h>

#include "mesh/mesh.h"
#include "pair/aabb.h"
#include "pair/world_tree.h"
#include "shape/leaves.h"

typedef struct near_search
{
    grz_shape_query *q;
    const graze_placed_mesh *mesh;
    grz_world_tree world;
    const graze_box *box;
    const double *reach;
    grz_near_triangle_function visit;
    void *user;
} near_search;

static bool visit_triangle(near_search *s, uint32_t triangle)
{
    grz_placed_aabb around = grz_aabb_of_triangle(s->mesh->mesh, triangle, &s->mesh->pose);
    graze_box box;
    for (int k = 0; k < 3; k++)
    {
        box.lower[k] = around.axes[k].lower;
        box.upper[k] = around.axes[k].upper;
    }
    double gap = grz_box_gap(&box, s->box);
    return gap > *s->reach || s->visit(s->user, triangle, gap);
}

/* Trees are no deeper than GRZ_TREE_MAX_DEPTH. */
static bool walk(near_search *s, uint32_t index) /* NOLINT(misc-no-recursion) */
{
    const graze_tree *tree = s->world.tree;
    const uint32_t *children = tree->nodes[index].children;
    grz_world_aabbs boxes;
    s->q->stats.box_tests += GRZ_TREE_WIDTH;
    if (!grz_monitor_box_tests(s->q->monitor, GRZ_TREE_WIDTH))
        return false;
    grz_world_tree_child_aabbs(&s->world, index, &boxes);
    for (int lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD; lane++)
    {
        graze_box box;
        for (int k = 0; k < 3; k++)
        {
            box.lower[k] = boxes.lower[k][lane];
            box.upper[k] = boxes.upper[k][lane];
        }
        if (grz_box_gap(&box, s->box) > *s->reach)
            continue;
        if ((children[lane] & GRZ_LEAF_FLAG) == 0)
        {
            if (!walk(s, children[lane]))
                return false;
            continue;
        }
        const grz_leaf *leaf = &tree->leaves[children[lane] & ~GRZ_LEAF_FLAG];
        for (uint32_t i = 0; i < leaf->count; i++)
            if (!visit_triangle(s, tree->order[leaf->first + i]))
                return false;
    }
    return true;
}

bool grz_visit_near_triangles(grz_shape_query *q, const graze_placed_mesh *mesh, const graze_box *box,
                              const double *reach, grz_near_triangle_function visit, void *user)
{
    near_search s = {q, mesh, grz_world_tree_make(mesh->mesh, mesh->tree, &mesh->pose), box, reach, visit, user};
    if (mesh->mesh->triangle_count == 0)
        return true;
    if (s.world.tree != NULL)
        return walk(&s, 0);
    for (uint32_t t = 0; t < mesh->mesh->triangle_count; t++)
    {
        q->stats.box_tests++;
        if (!grz_monitor_box_tests(q->monitor, 1) || !visit_triangle(&s, t))
            return false;
    }
    return true;
}
