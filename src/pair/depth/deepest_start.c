/* SPDX-License-Identifier: MIT */
/*
 * The cells that the search for the deepest common point starts with: leaves and triangles of both surfaces that are
 * not outside the other body, and tetrahedra of the space that both may hold; see deepest_common_point.c.
 */
#include "pair/depth/deepest_search.h"

#include <math.h>

#include "pair/depth/critical_pairs.h"
#include "pair/depth/located_triangles.h"
#include "pair/depth/normal_cones.h"

/* ---- surfaces ---- */

uint32_t grz_deepest_vertex(grz_deepest_search *s, uint8_t owner, uint32_t mesh_vertex)
{
    uint32_t *vertex = &s->vertex_of[owner][mesh_vertex];
    const graze_placed_mesh *placed = s->pair->sides[owner].placed;
    if (*vertex == GRZ_NO_CELL_VERTEX)
    {
        double x[3];
        graze_pose_apply(&placed->pose, placed->mesh->vertices + 3 * (size_t)mesh_vertex, x);
        if (!grz_simplex_vertex_add(&s->space, x, vertex))
            s->status = GRAZE_STATUS_OUT_OF_MEMORY;
    }
    return *vertex;
}

/* The cell of a triangle of a surface. Triangles without area bound no solid: they are left out of the surface of a
   closed mesh. */
static bool cell_of_triangle(grz_deepest_search *s, uint8_t owner, uint32_t triangle, grz_simplex *out_cell)
{
    const graze_placed_mesh *placed = s->pair->sides[owner].placed;
    const grz_body_view view = {.mesh = placed->mesh};
    uint8_t location = s->locations[owner][triangle];
    if (location == GRZ_TRIANGLE_OUTSIDE ||
        (s->pair->sides[owner].body->adjacency.closed && !grz_body_triangle_has_area(&view, triangle)))
        return false;
    grz_simplex cell = {.owner = owner, .exactly = location == GRZ_TRIANGLE_INSIDE};
    cell.inside[1 - owner] = cell.exactly;
    for (size_t k = 0; k < 3; k++)
        cell.vertices[k] = grz_deepest_vertex(s, owner, placed->mesh->triangles[3 * (size_t)triangle + k]);
    *out_cell = cell;
    return s->status == GRAZE_STATUS_OK;
}

/* The triangles of a leaf that are not outside the other body. */
static int cells_of_leaf(grz_deepest_search *s, const grz_simplex *leaf_cell, grz_simplex out_cells[GRZ_LANES])
{
    const graze_tree *tree = s->pair->sides[leaf_cell->owner].world.tree;
    const grz_leaf *leaf = &tree->leaves[leaf_cell->vertices[0]];
    int count = 0;
    for (uint32_t i = 0; i < leaf->count && s->status == GRAZE_STATUS_OK; i++)
        count += cell_of_triangle(s, leaf_cell->owner, tree->order[leaf->first + i], &out_cells[count]);
    return count;
}

/* The distance of all points of a leaf is at most that of its farthest vertex from any one triangle. */
static void measure_leaf(grz_deepest_search *s, grz_simplex *leaf_cell)
{
    int side = 1 - leaf_cell->owner;
    grz_simplex cells[GRZ_LANES];
    int count = cells_of_leaf(s, leaf_cell, cells);
    if (count == 0 || s->status != GRAZE_STATUS_OK)
        return;
    v3 sum = v3_make(0, 0, 0), corners[3];
    for (int i = 0; i < count; i++)
        sum = v3_add(sum, grz_simplex_centre(&s->space, &cells[i]));
    double centre[3], most = 0;
    v3_store(v3_scale(1.0 / count, sum), centre);
    grz_nearest_triangle *nearest = &s->near_last[side];
    grz_find_nearest_triangle(&s->space.surfaces[side], centre, GRZ_COARSE, nearest->triangle, nearest);
    grz_surface_corners(&s->space.surfaces[side], nearest->triangle, corners);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
        {
            grz_simplex_vertex *vertex = &s->space.vertices.data[cells[i].vertices[k]];
            if (!vertex->measured[side])
                vertex->nearest[side].triangle = nearest->triangle;
            most = fmax(most, grz_distance_to_triangle(&s->space.surfaces[side], corners, v3_load(vertex->x)));
        }
    leaf_cell->bound = fmin(leaf_cell->bound, most + grz_simplex_error(&s->space, &cells[0]));
    grz_deepest_keep(s, leaf_cell);
}

void grz_deepest_open_leaf(grz_deepest_search *s, const grz_simplex *leaf_cell)
{
    grz_simplex cells[GRZ_LANES];
    int count = cells_of_leaf(s, leaf_cell, cells);
    for (int i = 0; i < count && s->status == GRAZE_STATUS_OK; i++)
    {
        cells[i].bound = leaf_cell->bound;
        grz_deepest_measure_and_keep(s, &cells[i]);
    }
}

void grz_deepest_keep_triangle(grz_deepest_search *s, uint8_t owner, uint32_t triangle)
{
    grz_simplex cell;
    if (!cell_of_triangle(s, owner, triangle, &cell))
        return;
    cell.bound = INFINITY;
    grz_deepest_measure_and_keep(s, &cell);
}

/* Starts with the leaves of a side's tree that have triangles in the other body, or with these triangles. */
void grz_deepest_start_surface(grz_deepest_search *s, uint8_t owner)
{
    const grz_placed_body *own = &s->pair->sides[owner];
    const graze_tree *tree = own->world.tree;
    const uint8_t *locations = s->locations[owner];
    if (locations == NULL)
        return;
    for (uint32_t t = 0; t < own->placed->mesh->triangle_count && s->status == GRAZE_STATUS_OK; t++)
    {
        if (locations[t] != GRZ_TRIANGLE_OUTSIDE && tree == NULL)
            grz_deepest_keep_triangle(s, owner, t);
    }
    for (uint32_t i = 0; tree != NULL && i < tree->leaf_count && s->status == GRAZE_STATUS_OK; i++)
    {
        bool outside = true;
        for (uint32_t k = 0; k < tree->leaves[i].count; k++)
            outside = outside && locations[tree->order[tree->leaves[i].first + k]] == GRZ_TRIANGLE_OUTSIDE;
        grz_simplex cell = {.bound = INFINITY, .owner = owner, .leaf = true, .vertices = {i}};
        if (!outside)
            measure_leaf(s, &cell);
    }
}

/* ---- space ---- */

/* An orthonormal frame, up to rounding, with one axis along the way from the deepest point so far to the surface: most
   overlaps are thin that way. */
static void choose_axes(const grz_deepest_search *s, grz_common_box *box)
{
    v3 first = v3_sub(v3_load(s->best.point), v3_load(s->best.nearest)), second;
    double length = v3_length(first);
    first = s->best.depth > 0 && length > 0 ? v3_scale(1 / length, first) : v3_make(1, 0, 0);
    second = fabs(first.x) < 0.6 ? v3_make(1, 0, 0) : v3_make(0, 1, 0);
    second = v3_sub(second, v3_scale(v3_dot(first, second), first));
    second = v3_scale(1 / v3_length(second), second);
    box->axes[0] = first;
    box->axes[1] = second;
    box->axes[2] = v3_cross(first, second);
}

static void widen_box(const graze_placed_mesh *placed, size_t triangle, grz_common_box *box)
{
    for (size_t k = 0; k < 3; k++)
    {
        double x[3];
        graze_pose_apply(&placed->pose, grz_triangle_corner(placed->mesh, triangle, k), x);
        for (int axis = 0; axis < 3; axis++)
        {
            double along = v3_dot(box->axes[axis], v3_load(x));
            interval *extent = &box->extents[axis];
            extent->lower = along < extent->lower ? along : extent->lower;
            extent->upper = along > extent->upper ? along : extent->upper;
        }
    }
}

/* The boundary of the common space is made of triangles that are not outside. The axes are orthonormal up to a few u,
   so that coordinates along them, and points made of these, are off by less than 64 u reach. */
grz_common_box grz_deepest_common_box(const grz_deepest_search *s)
{
    grz_common_box box;
    choose_axes(s, &box);
    for (int axis = 0; axis < 3; axis++)
        box.extents[axis] = (interval){INFINITY, -INFINITY};
    for (int owner = 0; owner < 2; owner++)
    {
        const graze_placed_mesh *placed = s->pair->sides[owner].placed;
        for (size_t t = 0; t < placed->mesh->triangle_count; t++)
            if (s->locations[owner][t] != GRZ_TRIANGLE_OUTSIDE)
                widen_box(placed, t, &box);
    }
    for (int axis = 0; axis < 3; axis++)
    {
        box.extents[axis].lower -= 256 * GRZ_U * s->space.reach;
        box.extents[axis].upper += 256 * GRZ_U * s->space.reach;
    }
    return box;
}

bool grz_deepest_find_middle(const grz_deepest_search *s, grz_simplex_ball *out_middle)
{
    grz_common_box box = grz_deepest_common_box(s);
    v3 sum = v3_make(0, 0, 0);
    for (int axis = 0; axis < 3; axis++)
        sum = v3_add(sum, v3_scale(0.5 * (box.extents[axis].lower + box.extents[axis].upper), box.axes[axis]));
    *out_middle = (grz_simplex_ball){.radius = 0};
    v3_store(sum, out_middle->centre);
    for (int side = 0; side < 2; side++)
        out_middle->nearest[side].triangle = GRZ_NO_TRIANGLE;
    return box.extents[0].lower <= box.extents[0].upper;
}

/* Whether no common point is a local maximum of the depth in a side that is deeper than the target. */
static bool is_settled_by_pairs(grz_deepest_search *s, int side, const grz_common_box *box)
{
    double target = grz_deepest_target(s);
    if (!(target > 0) || !grz_has_no_critical_pair(s, side, box, target, s->best.way.length))
        return false;
    s->pruned = fmax(s->pruned, target);
    return true;
}

void grz_deepest_settle_by_pairs(grz_deepest_search *s)
{
    s->space.near_tried = true;
    for (int side = 0; side < 2 && s->status == GRAZE_STATUS_OK; side++)
    {
        if (!grz_surface_place_corners(s->space.context, &s->space.surfaces[side]))
            s->status = GRAZE_STATUS_OUT_OF_MEMORY;
        else if (!s->settled[side])
            s->settled[side] = is_settled_by_pairs(s, side, &s->common);
    }
}
