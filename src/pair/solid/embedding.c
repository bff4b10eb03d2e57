/* SPDX-License-Identifier: MIT */
/*
 * Surfaces that do not meet themselves; see embedding.h. Every pair of triangles whose AABBs overlap needs a plane:
 *
 * - Without a common vertex: one that has all corners of one triangle strictly on one side, and all of the other on the
 *   other side.
 * - With one common vertex: one through it that has the other two corners of each triangle strictly on different sides,
 *   or one through an edge of a triangle at it that has the third corner strictly on one side and the two of the other
 *   triangle strictly on the other, or the plane of a triangle, with the two corners of the other strictly on one side.
 *   The triangles then have the vertex in common and nothing else.
 * - With a common edge: one through the edge that has the two opposite corners strictly on different sides, or the
 *   plane of a triangle, with the opposite corner of the other strictly on one side.
 *
 * Planes are given by normals g in doubles, taken at face value; whether g is what it was meant to be does not matter.
 * Heights g . (p - v) have an error of at most 8 u (|g_x| d_x + |g_y| d_y + |g_z| d_z) for the difference d as
 * computed: one rounding of each difference and product, two of the sum. Through an edge from v to w the plane is
 * spanned by w - v and h, a vector in doubles; a height is the determinant of w - v, h and p - v: products of three
 * factors, with an error of at most 32 u times the product of the sums of their absolute coordinates. Underflow:
 * coordinates are refused unless the mesh is neither tiny nor huge, and 2^-900 is added. That is more than products
 * that underflow lose, 2^-1074 times a coordinate, but not more than differences that are flushed to zero do, times two
 * large ones: all is computed in the default environment.
 */
#include "pair/solid/embedding.h"

#include <math.h>

#include "base/environment.h"
#include "base/memory.h"
#include "math/vector.h"
#include "mesh/mesh.h"

#define TINY 0x1p-900

static double size_of(v3 a)
{
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

/* The sign of a height, or 0 when it is not certain. */
static int side_of(v3 g, v3 d)
{
    double x = g.x * d.x, y = g.y * d.y, z = g.z * d.z, height = x + y + z;
    double error = 8 * GRZ_U * (fabs(x) + fabs(y) + fabs(z)) + TINY;
    return height > error ? 1 : height < -error ? -1 : 0;
}

/* The sign of the determinant of three vectors, or 0. */
static int determinant_side(v3 e, v3 h, v3 d)
{
    double value = v3_dot(v3_cross(e, h), d), error = 32 * GRZ_U * size_of(e) * size_of(h) * size_of(d) + TINY;
    return value > error ? 1 : value < -error ? -1 : 0;
}

static v3 unit(v3 a)
{
    double length = v3_length(a);
    return length > 0 ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

/* Whether all of b is higher along g than all of a, or lower. */
static bool separates(v3 g, const v3 a[3], const v3 b[3])
{
    double highest = 0, lowest = 0, other_highest = -INFINITY, other_lowest = INFINITY, size = 0;
    for (int k = 1; k < 3; k++)
    {
        v3 from = v3_sub(a[k], a[0]);
        double height = v3_dot(g, from), now = fabs(from.x) + fabs(from.y) + fabs(from.z);
        highest = height > highest ? height : highest;
        lowest = height < lowest ? height : lowest;
        size = now > size ? now : size;
    }
    for (int k = 0; k < 3; k++)
    {
        v3 from = v3_sub(b[k], a[0]);
        double height = v3_dot(g, from), now = fabs(from.x) + fabs(from.y) + fabs(from.z);
        other_highest = height > other_highest ? height : other_highest;
        other_lowest = height < other_lowest ? height : other_lowest;
        size = now > size ? now : size;
    }
    double largest = fabs(g.x) > fabs(g.y) ? fabs(g.x) : fabs(g.y);
    largest = fabs(g.z) > largest ? fabs(g.z) : largest;
    double error = 32 * GRZ_U * (largest * size) + TINY;
    return other_lowest - highest > error || lowest - other_highest > error;
}

static v3 normal_of(const v3 p[3])
{
    return v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
}

static bool are_apart(const v3 a[3], const v3 b[3])
{
    v3 tried[3] = {normal_of(a), normal_of(b), v3_make(0, 0, 0)};
    for (int k = 0; k < 3; k++)
        tried[2] = v3_add(tried[2], v3_sub(b[k], a[k]));
    for (int i = 0; i < 3; i++)
        if (separates(tried[i], a, b))
            return true;
    /* beside an edge, in the plane of a triangle */
    for (int i = 0; i < 6; i++)
    {
        const v3 *p = i < 3 ? a : b;
        if (separates(v3_cross(v3_sub(p[(i % 3 + 1) % 3], p[i % 3]), tried[i / 3]), a, b))
            return true;
    }
    for (int i = 0; i < 9; i++)
    {
        v3 e = v3_sub(a[(i % 3 + 1) % 3], a[i % 3]), f = v3_sub(b[(i / 3 + 1) % 3], b[i / 3]);
        if (separates(v3_cross(e, f), a, b))
            return true;
    }
    return false;
}

/* Two triangles with the vertex v: a and b are the other two corners of the one, c and d of the other. */
static bool share_one_vertex(v3 v, v3 a, v3 b, v3 c, v3 d)
{
    v3 edges[4] = {v3_sub(a, v), v3_sub(b, v), v3_sub(c, v), v3_sub(d, v)}, directions[4];
    for (int i = 0; i < 2; i++)
    {
        int first = determinant_side(edges[2 * i], edges[2 * i + 1], edges[2 - 2 * i]);
        if (first != 0 && first == determinant_side(edges[2 * i], edges[2 * i + 1], edges[3 - 2 * i]))
            return true;
    }
    for (int i = 0; i < 4; i++)
        directions[i] = unit(edges[i]);
    v3 g = v3_sub(v3_add(directions[0], directions[1]), v3_add(directions[2], directions[3]));
    if (side_of(g, edges[0]) > 0 && side_of(g, edges[1]) > 0 && side_of(g, edges[2]) < 0 && side_of(g, edges[3]) < 0)
        return true;
    for (int i = 0; i < 4; i++) /* the plane through an edge, across its triangle */
    {
        int own = i ^ 1, other = i < 2 ? 2 : 0;
        v3 h = v3_cross(edges[i], edges[own]);
        int side = determinant_side(edges[i], h, edges[own]);
        if (side != 0 && determinant_side(edges[i], h, edges[other]) == -side &&
            determinant_side(edges[i], h, edges[other + 1]) == -side)
            return true;
    }
    return false;
}

/* Two triangles with the edge from v to w. */
static bool share_one_edge(v3 v, v3 w, v3 c, v3 d)
{
    v3 e = v3_sub(w, v), to_c = v3_sub(c, v), to_d = v3_sub(d, v);
    if (determinant_side(e, to_c, to_d) != 0)
        return true;
    v3 h = v3_cross(e, to_c);
    int side = determinant_side(e, h, to_c);
    return side != 0 && determinant_side(e, h, to_d) == -side;
}

/* Whether two triangles surely meet only where they have common vertices. */
static bool are_clear(const grz_embedding *s, uint32_t first, uint32_t second)
{
    const graze_mesh *mesh = s->body->mesh;
    v3 a[3], b[3];
    int common = 0, of_a[2] = {0, 0}, of_b[2] = {0, 0};
    for (int i = 0; i < 3; i++)
    {
        a[i] = v3_load(grz_triangle_corner(mesh, first, (size_t)i));
        b[i] = v3_load(grz_triangle_corner(mesh, second, (size_t)i));
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (s->body->adjacency.merged[mesh->triangles[3 * (size_t)first + (size_t)i]] ==
                s->body->adjacency.merged[mesh->triangles[3 * (size_t)second + (size_t)k]])
            {
                if (common == 2)
                    return false;
                of_a[common] = i;
                of_b[common++] = k;
            }
    if (common == 0)
        return are_apart(a, b);
    int i = of_a[0], k = of_b[0];
    if (common == 1)
        return share_one_vertex(a[i], a[(i + 1) % 3], a[(i + 2) % 3], b[(k + 1) % 3], b[(k + 2) % 3]);
    if (of_a[0] == of_a[1] || of_b[0] == of_b[1]) /* a triangle that is a segment */
        return false;
    return share_one_edge(a[i], a[of_a[1]], a[3 - i - of_a[1]], b[3 - k - of_b[1]]);
}

/* ---- leaves ---- */

static bool overlap(const graze_box *a, const graze_box *b)
{
    return a->lower[0] <= b->upper[0] && b->lower[0] <= a->upper[0] && a->lower[1] <= b->upper[1] &&
           b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] && b->lower[2] <= a->upper[2];
}

typedef struct leaf_test
{
    const grz_embedding *embedding;
    uint32_t leaf;
    graze_box box;
} leaf_test;

static bool test_leaves(const leaf_test *t, uint32_t index)
{
    const grz_embedding *s = t->embedding;
    const grz_leaf *leaf = &s->tree->leaves[t->leaf], *other = &s->tree->leaves[index];
    for (uint32_t k = 0; k < other->count; k++)
    {
        uint32_t second = s->tree->order[other->first + k];
        if (!overlap(&t->box, &s->boxes[second]))
            continue;
        for (uint32_t i = index == t->leaf ? k + 1 : 0; i < leaf->count; i++)
        {
            uint32_t first = s->tree->order[leaf->first + i];
            if (overlap(&s->boxes[first], &s->boxes[second]) && !are_clear(s, first, second))
                return false;
        }
    }
    return true;
}

static bool test_node(const leaf_test *t, uint32_t node) /* NOLINT(misc-no-recursion) */
{
    const grz_embedding *s = t->embedding;
    const uint32_t *children = s->tree->nodes[node].children;
    grz_world_aabbs boxes;
    grz_world_tree_child_aabbs(&s->frame, node, &boxes);
    bool clear = grz_monitor_box_tests(s->monitor, GRZ_TREE_WIDTH);
    for (int lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD && clear; lane++)
    {
        uint32_t child = children[lane] & ~GRZ_LEAF_FLAG;
        bool meet = true, is_leaf = (children[lane] & GRZ_LEAF_FLAG) != 0;
        for (int axis = 0; axis < 3; axis++)
            meet =
                meet && t->box.lower[axis] <= boxes.upper[axis][lane] && boxes.lower[axis][lane] <= t->box.upper[axis];
        if (meet && !(is_leaf && s->tested[child]))
            clear = is_leaf ? test_leaves(t, child) : test_node(t, child);
    }
    return clear;
}

bool grz_embedding_leaf_is_clear(grz_embedding *s, uint32_t leaf)
{
    const grz_leaf *triangles = &s->tree->leaves[leaf];
    grz_environment environment;
    grz_environment_enter_default(&environment);
    leaf_test test = {s, leaf, s->boxes[s->tree->order[triangles->first]]};
    for (uint32_t k = 1; k < triangles->count; k++)
    {
        const graze_box *box = &s->boxes[s->tree->order[triangles->first + k]];
        for (int axis = 0; axis < 3; axis++)
        {
            test.box.lower[axis] = fmin(test.box.lower[axis], box->lower[axis]);
            test.box.upper[axis] = fmax(test.box.upper[axis], box->upper[axis]);
        }
    }
    bool clear = test_node(&test, 0);
    grz_environment_leave_default(&environment);
    if (!clear || !grz_monitor_may_continue(s->monitor))
        return false;
    /* shortcut: clear-leaves */
    s->tested[leaf] = true;
    return true;
}

static graze_box box_of(const graze_mesh *mesh, size_t triangle)
{
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        double a = grz_triangle_corner(mesh, triangle, 0)[axis], b = grz_triangle_corner(mesh, triangle, 1)[axis],
               c = grz_triangle_corner(mesh, triangle, 2)[axis];
        double low = a < b ? a : b, high = a < b ? b : a;
        box.lower[axis] = c < low ? c : low;
        box.upper[axis] = c > high ? c : high;
    }
    return box;
}

static bool has_usual_size(const graze_mesh *mesh)
{
    double size = 0;
    for (int axis = 0; axis < 3; axis++)
        size = fmax(size, fmax(fabs(mesh->lower[axis]), fabs(mesh->upper[axis])));
    return size > 0x1p-200 && size < 0x1p200;
}

bool grz_embedding_start(const graze_context *context, const graze_body *body, const graze_tree *tree,
                         grz_monitor *monitor, grz_embedding *out)
{
    const graze_mesh *mesh = body->mesh;
    grz_embedding s = {.body = body, .tree = tree, .frame = grz_world_tree_make(mesh, tree, NULL), .monitor = monitor};
    *out = s;
    if (s.frame.tree == NULL || !has_usual_size(mesh))
        return false;
    out->boxes = grz_allocate(context, mesh->triangle_count, sizeof *out->boxes);
    out->tested = grz_allocate_zeroed(context, tree->leaf_count, sizeof *out->tested);
    if (out->boxes == NULL || out->tested == NULL)
        return false;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        out->boxes[t] = box_of(mesh, t);
    grz_environment_leave_default(&environment);
    return true;
}

void grz_embedding_end(const graze_context *context, grz_embedding *s)
{
    grz_release(context, s->boxes);
    grz_release(context, s->tested);
}
