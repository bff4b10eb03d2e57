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
    grz_box_bound_function bound;
    const void *what;
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
    return s->bound(s->what, &box) > *s->reach ||
           (grz_monitor_exact_tests(s->q->monitor, 1) && s->visit(s->user, triangle));
}

/* The children of a node within reach, the nearest first. */
typedef struct sorted_children
{
    uint32_t refs[GRZ_TREE_WIDTH];
    double bounds[GRZ_TREE_WIDTH];
    int count;
} sorted_children;

static void sort_children(near_search *s, uint32_t index, sorted_children *out)
{
    const uint32_t *children = s->world.tree->nodes[index].children;
    grz_world_aabbs boxes;
    grz_world_tree_child_aabbs(&s->world, index, &boxes);
    out->count = 0;
    for (int lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD; lane++)
    {
        graze_box box;
        for (int k = 0; k < 3; k++)
        {
            box.lower[k] = boxes.lower[k][lane];
            box.upper[k] = boxes.upper[k][lane];
        }
        double bound = s->bound(s->what, &box);
        /* shortcut: near-triangles */
        if (bound > *s->reach)
            continue;
        int i = out->count++;
        for (; i > 0 && out->bounds[i - 1] > bound; i--)
        {
            out->bounds[i] = out->bounds[i - 1];
            out->refs[i] = out->refs[i - 1];
        }
        out->bounds[i] = bound;
        out->refs[i] = children[lane];
    }
}

static bool visit_leaf(near_search *s, const grz_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->count; i++)
        if (!visit_triangle(s, s->world.tree->order[leaf->first + i]))
            return false;
    return true;
}

/* Trees are no deeper than GRZ_TREE_MAX_DEPTH. */
static bool walk(near_search *s, uint32_t index) /* NOLINT(misc-no-recursion) */
{
    sorted_children children;
    s->q->stats.box_tests += GRZ_TREE_WIDTH;
    if (!grz_monitor_box_tests(s->q->monitor, GRZ_TREE_WIDTH))
        return false;
    sort_children(s, index, &children);
    for (int i = 0; i < children.count; i++)
    {
        uint32_t ref = children.refs[i];
        if (children.bounds[i] > *s->reach)
            continue;
        bool on =
            (ref & GRZ_LEAF_FLAG) != 0 ? visit_leaf(s, &s->world.tree->leaves[ref & ~GRZ_LEAF_FLAG]) : walk(s, ref);
        if (!on)
            return false;
    }
    return true;
}

bool grz_visit_triangles_within(grz_shape_query *q, const graze_placed_mesh *mesh, grz_box_bound_function bound,
                                const void *what, const double *reach, grz_near_triangle_function visit, void *user)
{
    near_search s = {q,     mesh, grz_world_tree_make(mesh->mesh, mesh->tree, &mesh->pose), bound, what, reach,
                     visit, user};
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

static double gap_from(const void *what, const graze_box *box)
{
    return grz_box_gap(what, box);
}

bool grz_visit_near_triangles(grz_shape_query *q, const graze_placed_mesh *mesh, const graze_box *box,
                              const double *reach, grz_near_triangle_function visit, void *user)
{
    return grz_visit_triangles_within(q, mesh, gap_from, box, reach, visit, user);
}
