/* SPDX-License-Identifier: MIT */
/*
 * Links along the edges of two bodies; see overlap_links.h.
 *
 * The boundary of the common space is made of the parts of each surface in the other body, which meet in the contact
 * region. The part of a triangle in the other body is bounded by pieces of the region and by parts of its edges. So two
 * components of the region bound the same piece of common space if, along an edge, no other point of the region lies
 * between them and a point between them lies in the other body; vertices take part as nodes of their own. Within a
 * triangle only pieces that reach none of its edges remain (overlap_faces.c).
 *
 * The points of an edge are those that the pieces of both its triangles have. They are correctly rounded, and rounding
 * is monotone: of two points of a line that differ in a coordinate, the order of that coordinate is theirs.
 */
#include "pair/depth/overlap_links.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "pair/distance/triangle_distance.h"

uint32_t grz_link_root(const grz_overlap_links *links, uint32_t node)
{
    while (links->parents[node] != node)
    {
        links->parents[node] = links->parents[links->parents[node]];
        node = links->parents[node];
    }
    return node;
}

/* The lower root becomes the parent, so that the root of a set with a component is a component. */
void grz_link_join(grz_overlap_links *links, uint32_t first, uint32_t second)
{
    uint32_t p = grz_link_root(links, first), q = grz_link_root(links, second);
    uint32_t root = p < q ? p : q, other = p < q ? q : p;
    links->parents[other] = root;
    if (links->states[other] > links->states[root])
        links->states[root] = links->states[other];
}

uint32_t grz_link_corner(const grz_overlap_links *links, int side, uint32_t triangle, size_t k)
{
    const grz_placed_body *own = &links->pair->sides[side];
    return links->first_vertex[side] +
           own->body->adjacency.merged[own->placed->mesh->triangles[3 * (size_t)triangle + k]];
}

void grz_link_position(const grz_overlap_links *links, int side, uint32_t triangle, size_t k, double out[3])
{
    const graze_placed_mesh *placed = links->pair->sides[side].placed;
    graze_pose_apply(&placed->pose, grz_triangle_corner(placed->mesh, triangle, k), out);
}

static bool is_vertex(const grz_overlap_links *links, uint32_t node)
{
    return node >= links->component_count;
}

/* How a point of a side's surface lies in the other body, and a lower bound of its depth. */
static grz_link_state locate(grz_overlap_links *links, int side, const double point[3], double *out_depth)
{
    grz_nearest_triangle nearest;
    grz_find_nearest_triangle(&links->space.surfaces[1 - side], point, GRZ_COARSE, GRZ_NO_TRIANGLE, &nearest);
    *out_depth = (nearest.lower - links->error) * (1 - 4 * GRZ_U);
    /* shortcut: located-between-contacts */
    if (!(nearest.lower > links->error))
        return GRZ_LINK_UNKNOWN;
    return grz_simplex_point_inside(&links->space, 1 - side, point, nearest.lower) ? GRZ_LINK_INSIDE : GRZ_LINK_OUTSIDE;
}

/* The same of a vertex, exactly. One on the other surface is a point of the region itself: it links nothing. */
static grz_link_state locate_vertex(const grz_overlap_links *links, int side, uint32_t node)
{
    const grz_placed_body *own = &links->pair->sides[side];
    grz_body_view other = grz_placed_body_view(&links->pair->sides[1 - side]);
    const double *vertex = grz_body_vertex(own->body, node - links->first_vertex[side]);
    return grz_locate_point(&other, vertex, &own->placed->pose) == GRAZE_LOCATION_INSIDE ? GRZ_LINK_INSIDE
                                                                                         : GRZ_LINK_OUTSIDE;
}

void grz_link_between(grz_overlap_links *links, int side, const uint32_t nodes[2], const double *first,
                      const double *second)
{
    uint32_t roots[2] = {grz_link_root(links, nodes[0]), grz_link_root(links, nodes[1])};
    bool inside = false;
    if (roots[0] == roots[1])
        return;
    for (int i = 0; i < 2; i++)
    {
        if (!is_vertex(links, nodes[i]))
            continue;
        if (links->states[roots[i]] == GRZ_LINK_OUTSIDE)
            return;
        inside = inside || links->states[roots[i]] == GRZ_LINK_INSIDE;
    }
    grz_common_point middle = {.node = nodes[0]};
    for (int axis = 0; axis < 3; axis++)
        middle.point[axis] = 0.5 * first[axis] + 0.5 * second[axis];
    grz_link_state state = inside ? GRZ_LINK_INSIDE : locate(links, side, middle.point, &middle.depth);
    for (int i = 0; i < 2 && state == GRZ_LINK_UNKNOWN; i++)
        if (is_vertex(links, nodes[i]))
            state = locate_vertex(links, side, nodes[i]);
    if (state == GRZ_LINK_UNKNOWN)
        links->certain = false;
    if (state == GRZ_LINK_OUTSIDE)
        for (int i = 0; i < 2; i++)
            if (is_vertex(links, roots[i]))
                links->states[roots[i]] = GRZ_LINK_OUTSIDE;
    if (state != GRZ_LINK_INSIDE)
        return;
    grz_link_join(links, nodes[0], nodes[1]);
    links->states[grz_link_root(links, nodes[0])] = GRZ_LINK_INSIDE;
    if (middle.depth > 0 && !GRZ_PUSH(links->pair->context, &links->common, middle))
        links->status = GRAZE_STATUS_OUT_OF_MEMORY;
}

/* Whether p comes before q on the way from `start` to `end`. */
static bool is_before(const double p[3], const double q[3], const double start[3], const double end[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (p[axis] < q[axis] || p[axis] > q[axis])
            return (p[axis] < q[axis]) == (start[axis] < end[axis]);
    return false;
}

/* Points are numbered by their coordinates, so they are sorted already, or the other way round, but for ties. */
static void sort_along(const grz_overlap_links *links, const double start[3], const double end[3])
{
    const grz_region_point *points = links->found->points;
    uint32_t *order = links->edge_points.data;
    size_t count = links->edge_points.count;
    bool reversed = count > 1 && is_before(points[order[count - 1]].at, points[order[0]].at, start, end);
    for (size_t i = 0; reversed && i < count / 2; i++)
    {
        uint32_t other = order[count - 1 - i];
        order[count - 1 - i] = order[i];
        order[i] = other;
    }
    for (size_t i = 1; i < count; i++)
    {
        uint32_t point = order[i];
        size_t k = i;
        for (; k > 0 && is_before(points[point].at, points[order[k - 1]].at, start, end); k--)
            order[k] = order[k - 1];
        order[k] = point;
    }
}

bool grz_link_edge_points(grz_overlap_links *links, int side, uint32_t half_edge)
{
    uint32_t t = half_edge / 3, twin = links->pair->sides[side].body->adjacency.twins[half_edge];
    const grz_met_triangles *met = &links->met[side];
    links->edge_points.count = 0;
    if (twin == GRAZE_NO_HALF_EDGE)
        return true;
    size_t i = met->point_starts[t], k = met->point_starts[twin / 3];
    while (i < met->point_starts[t + 1] && k < met->point_starts[twin / 3 + 1])
    {
        uint32_t p = met->points[i], q = met->points[k];
        if (p == q && !GRZ_PUSH(links->pair->context, &links->edge_points, p))
            return false;
        i += p <= q;
        k += q <= p;
    }
    double start[3], end[3];
    grz_link_position(links, side, t, half_edge % 3, start);
    grz_link_position(links, side, t, (half_edge + 1) % 3, end);
    sort_along(links, start, end);
    return true;
}

/* Links what follows one another along an edge: vertices and points of the region. */
static void link_edge(grz_overlap_links *links, int side, uint32_t half_edge)
{
    uint32_t t = half_edge / 3, nodes[2] = {grz_link_corner(links, side, t, half_edge % 3), 0};
    double first[3], second[3];
    if (!grz_link_edge_points(links, side, half_edge))
    {
        links->status = GRAZE_STATUS_OUT_OF_MEMORY;
        return;
    }
    size_t count = links->edge_points.count;
    uint32_t last = grz_link_corner(links, side, t, (half_edge + 1) % 3);
    if (count == 0)
    {
        grz_link_join(links, nodes[0], last);
        return;
    }
    grz_link_position(links, side, t, half_edge % 3, first);
    for (size_t i = 0; i <= count && links->status == GRAZE_STATUS_OK; i++)
    {
        nodes[1] = i < count ? links->found->component_of[links->edge_points.data[i]] : last;
        if (i < count)
            memcpy(second, links->found->points[links->edge_points.data[i]].at, sizeof second);
        else
            grz_link_position(links, side, t, (half_edge + 1) % 3, second);
        grz_link_between(links, side, nodes, first, second);
        nodes[0] = nodes[1];
        memcpy(first, second, sizeof first);
    }
}

static bool is_met(const grz_overlap_links *links, int side, uint32_t triangle)
{
    return links->met[side].hit_starts[triangle + 1] > links->met[side].hit_starts[triangle];
}

/* Edges that are not met first: their vertices are one node each set. */
static void link_side(grz_overlap_links *links, int side)
{
    const grz_twins *adjacency = &links->pair->sides[side].body->adjacency;
    size_t triangle_count = links->pair->sides[side].placed->mesh->triangle_count;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t h = 0; h < 3 * triangle_count && links->status == GRAZE_STATUS_OK; h++)
        {
            uint32_t twin = adjacency->twins[h];
            if (twin == GRAZE_NO_HALF_EDGE || twin < h)
                continue;
            bool met = is_met(links, side, h / 3) && is_met(links, side, twin / 3);
            if (!met && pass == 0)
                grz_link_join(links, grz_link_corner(links, side, h / 3, h % 3),
                              grz_link_corner(links, side, h / 3, (h + 1) % 3));
            if (met && pass == 1)
                link_edge(links, side, h);
            if (met && !grz_monitor_work(links->pair->monitor, 1))
                links->status = grz_monitor_status(links->pair->monitor);
        }
}

/* ---- what the triangles of a side have ---- */

/* Sorts (triangle, value) keys and lays them out; equal ones count once. */
static bool lay_out(const grz_overlap_links *links, grz_key_value *keys, size_t count, size_t triangle_count,
                    size_t **out_starts, uint32_t **out_values)
{
    const graze_context *context = links->pair->context;
    size_t *starts = grz_allocate_zeroed(context, triangle_count + 1, sizeof *starts), kept = 0;
    uint32_t *values = grz_allocate(context, count, sizeof *values);
    *out_starts = starts;
    *out_values = values;
    if (starts == NULL || values == NULL || !grz_sort_keyed_monitored(keys, keys + count, count, links->pair->monitor))
        return false;
    for (size_t i = 0; i < count; i++)
    {
        if (i > 0 && keys[i].key == keys[i - 1].key)
            continue;
        values[kept++] = (uint32_t)keys[i].key;
        starts[(keys[i].key >> 32) + 1] = kept;
    }
    for (size_t t = 1; t <= triangle_count; t++)
        if (starts[t] < starts[t - 1])
            starts[t] = starts[t - 1];
    return true;
}

static bool find_met_triangles(grz_overlap_links *links, int side)
{
    const graze_context *context = links->pair->context;
    size_t triangle_count = links->pair->sides[side].placed->mesh->triangle_count, count = 0;
    grz_met_triangles *met = &links->met[side];
    for (size_t i = 0; i < links->hits->count; i++)
        count += links->found->pieces[i].count;
    size_t most = count > links->hits->count ? count : links->hits->count;
    grz_key_value *keys = grz_allocate(context, most, 2 * sizeof *keys);
    if (keys == NULL)
        return false;
    count = 0;
    for (size_t i = 0; i < links->hits->count; i++)
    {
        const graze_hit *hit = &links->hits->data[i];
        uint64_t triangle = side == 0 ? hit->triangle_a : hit->triangle_b;
        keys[i] = (grz_key_value){triangle << 32 | i, 0};
    }
    bool done = lay_out(links, keys, links->hits->count, triangle_count, &met->hit_starts, &met->hits);
    for (size_t i = 0; done && i < links->hits->count; i++)
    {
        const graze_hit *hit = &links->hits->data[i];
        uint64_t triangle = side == 0 ? hit->triangle_a : hit->triangle_b;
        for (uint32_t k = 0; k < links->found->pieces[i].count; k++)
            keys[count++] = (grz_key_value){triangle << 32 | links->found->pieces[i].corners[k], 0};
    }
    done = done && lay_out(links, keys, count, triangle_count, &met->point_starts, &met->points);
    grz_release(context, keys);
    return done;
}

/* ---- all of it ---- */

static graze_status start(grz_overlap_links *links)
{
    const graze_context *context = links->pair->context;
    const grz_placed_body *sides = links->pair->sides;
    size_t nodes = links->component_count;
    double reach = 0;
    for (int side = 0; side < 2; side++)
    {
        if (nodes + sides[side].body->adjacency.vertex_count >= UINT32_MAX || links->hits->count >= UINT32_MAX)
            return GRAZE_STATUS_TOO_LARGE;
        links->first_vertex[side] = (uint32_t)nodes;
        nodes += sides[side].body->adjacency.vertex_count;
        reach = fmax(reach, grz_coordinate_bound(sides[side].placed->mesh, &sides[side].placed->pose));
    }
    links->first_vertex[2] = (uint32_t)nodes;
    links->space.context = context;
    links->space.reach = reach;
    /* A vertex is off by less than 14 u reach, a point of the region by less than u reach; a point between two by as
       much and another two roundings per coordinate. */
    links->error = 24 * GRZ_U * reach + 0x1p-700;
    for (int side = 0; side < 2; side++)
    {
        links->space.surfaces[side] = grz_surface_make(&sides[side], reach, links->pair->monitor);
        if (!grz_surface_make_leaves(context, &links->space.surfaces[side]))
            return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    links->parents = grz_allocate(context, nodes, sizeof *links->parents);
    links->states = grz_allocate_zeroed(context, nodes, sizeof *links->states);
    if (links->parents == NULL || links->states == NULL || !find_met_triangles(links, 0) ||
        !find_met_triangles(links, 1))
        return grz_monitor_or_memory(links->pair->monitor);
    for (uint32_t node = 0; node < nodes; node++)
        links->parents[node] = node;
    return GRAZE_STATUS_OK;
}

graze_status grz_overlap_links_make(grz_body_pair *pair, const grz_hits *hits, const grz_hit_pieces *found,
                                    size_t component_count, grz_overlap_links *out_links)
{
    grz_overlap_links *links = out_links;
    memset(links, 0, sizeof *links);
    links->pair = pair;
    links->hits = hits;
    links->found = found;
    links->component_count = component_count;
    links->certain = true;
    links->status = start(links);
    for (int side = 0; side < 2 && links->status == GRAZE_STATUS_OK; side++)
        link_side(links, side);
    for (int side = 0; side < 2 && links->status == GRAZE_STATUS_OK; side++)
        for (uint32_t t = 0; t < pair->sides[side].placed->mesh->triangle_count && links->status == GRAZE_STATUS_OK;
             t++)
            if (is_met(links, side, t))
                grz_link_islands(links, side, t);
    if (links->status == GRAZE_STATUS_OK)
        links->status = grz_monitor_status(pair->monitor);
    return links->status;
}

void grz_overlap_links_release(grz_overlap_links *links)
{
    const graze_context *context = links->pair->context;
    for (int side = 0; side < 2; side++)
    {
        grz_release(context, links->met[side].hit_starts);
        grz_release(context, links->met[side].point_starts);
        grz_release(context, links->met[side].hits);
        grz_release(context, links->met[side].points);
        grz_surface_release(context, &links->space.surfaces[side]);
    }
    grz_release(context, links->parents);
    grz_release(context, links->states);
    grz_release(context, links->edge_points.data);
    grz_release(context, links->common.data);
    grz_release(context, links->space.vertices.data);
    grz_release(context, links->space.normals.data);
}
