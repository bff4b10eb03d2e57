/* SPDX-License-Identifier: MIT */
/*
 * Links within a triangle; see overlap_links.h.
 *
 * The pieces of the region on a triangle are islands, or are connected with its border. The part of the triangle around
 * an island is bounded by one outer cycle, whose pieces the border links, and by islands. From the lowest point of an
 * island, by one coordinate u and then by the other, v, the segment down v ends at what bounds the same part: at the
 * border, or at an island with a lower point (de Berg et al., Computational Geometry, section 2.3). So the islands of a
 * part are all linked.
 *
 * Coordinates are rounded: a comparison of heights counts if they differ by more than their errors. The height of a
 * segment with ends off by e, at a given u, is off by e (1 + |dv / du|), and the rounding of it is less than that.
 */
#include "pair/depth/overlap_links.h"

#include <math.h>
#include <string.h>

enum
{
    MOST_WORK = 1 << 24 /* segments that are compared for one pair */
};

/* What is known of the triangle. */
typedef struct face_scan
{
    grz_overlap_links *links;
    int side;
    uint32_t triangle;
    int u, v;               /* axes */
    const uint32_t *points; /* of the region on it, sorted */
    size_t point_count;
    uint32_t *islands;       /* union-find over these points */
    const double *start;     /* from where to look down */
    uint32_t own;            /* island that does not count; point_count: none */
    double best, best_error; /* height of the highest segment below, by its error */
    double end[3];
    uint32_t node;
    bool found, unsure;
} face_scan;

static uint32_t island_root(const face_scan *f, uint32_t point)
{
    while (f->islands[point] != point)
        point = f->islands[point] = f->islands[f->islands[point]];
    return point;
}

/* The place of a point of the region in the triangle's list. */
static uint32_t place_of(const face_scan *f, uint32_t point)
{
    size_t low = 0, high = f->point_count;
    while (low + 1 < high)
    {
        size_t middle = (low + high) / 2;
        if (f->points[middle] <= point)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static const double *position_of(const face_scan *f, uint32_t place)
{
    return f->links->found->points[f->points[place]].at;
}

/* Drops the axis along which the triangle is seen best. */
static void choose_axes(face_scan *f)
{
    double p[3][3];
    for (size_t k = 0; k < 3; k++)
        grz_link_position(f->links, f->side, f->triangle, k, p[k]);
    v3 a = v3_load(p[0]);
    v3 normal = v3_cross(v3_sub(v3_load(p[1]), a), v3_sub(v3_load(p[2]), a));
    double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    int dropped = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    f->u = (dropped + 1) % 3;
    f->v = (dropped + 2) % 3;
}

/* A point of a segment below the start, if there is one, with its error. */
static bool point_below(face_scan *f, const double *p, const double *q, double out[3], double *out_error)
{
    const double *low = p[f->u] <= q[f->u] ? p : q, *high = low == p ? q : p;
    double c = f->start[f->u], width = high[f->u] - low[f->u], rise = high[f->v] - low[f->v];
    if (!(low[f->u] <= c && c <= high[f->u]) || (c == high[f->u] && width > 0))
        return false;
    if (!(width > 0)) /* it lies on the line: its upper end */
    {
        memcpy(out, p[f->v] > q[f->v] ? p : q, 3 * sizeof *out);
        *out_error = 4 * f->links->error;
    }
    else
    {
        double share = (c - low[f->u]) / width;
        for (int axis = 0; axis < 3; axis++)
            out[axis] = low[axis] + share * (high[axis] - low[axis]);
        *out_error = 4 * f->links->error * (1 + fabs(rise / width));
    }
    double height = f->start[f->v];
    f->unsure = f->unsure || !(fabs(out[f->v] - height) > *out_error + f->links->error);
    return out[f->v] < height;
}

/* Considers a segment, whose node is known. */
static void consider(face_scan *f, const double *p, const double *q, uint32_t node)
{
    double at[3], error;
    if (!point_below(f, p, q, at, &error))
        return;
    bool same = f->found && grz_link_root(f->links, node) == grz_link_root(f->links, f->node);
    if (f->found && !same && fabs(at[f->v] - f->best) <= error + f->best_error)
        f->unsure = true;
    if (f->found && !(at[f->v] > f->best))
        return;
    f->found = true;
    f->best = at[f->v];
    f->best_error = error;
    f->node = node;
    memcpy(f->end, at, sizeof at);
}

static void consider_pieces(face_scan *f)
{
    const grz_met_triangles *met = &f->links->met[f->side];
    for (size_t i = met->hit_starts[f->triangle]; i < met->hit_starts[f->triangle + 1]; i++)
    {
        const grz_piece *piece = &f->links->found->pieces[met->hits[i]];
        if (f->islands != NULL && f->own < f->point_count && island_root(f, place_of(f, piece->corners[0])) == f->own)
            continue;
        for (uint32_t k = 0; k < piece->count; k++)
            consider(f, f->links->found->points[piece->corners[k]].at,
                     f->links->found->points[piece->corners[(k + 1) % piece->count]].at,
                     f->links->found->component_of[piece->corners[k]]);
        f->links->work += piece->count;
    }
}

/* Considers the part of an edge of the triangle between each two points of the region, or vertices. The node of a part
 * is that of its first end; where the line passes its second end, up to rounding, that of the second. */
static void consider_border(face_scan *f)
{
    grz_overlap_links *links = f->links;
    for (uint32_t k = 0; k < 3; k++)
    {
        uint32_t node = grz_link_corner(links, f->side, f->triangle, k);
        double first[3], second[3];
        if (!grz_link_edge_points(links, f->side, 3 * f->triangle + k))
        {
            links->status = GRAZE_STATUS_OUT_OF_MEMORY;
            return;
        }
        grz_link_position(links, f->side, f->triangle, k, first);
        for (size_t i = 0; i <= links->edge_points.count; i++)
        {
            bool last = i == links->edge_points.count;
            if (last)
                grz_link_position(links, f->side, f->triangle, (k + 1) % 3, second);
            else
                memcpy(second, links->found->points[links->edge_points.data[i]].at, sizeof second);
            uint32_t next = last ? node : links->found->component_of[links->edge_points.data[i]];
            bool at_end = fabs(second[f->u] - f->start[f->u]) <= 4 * links->error;
            consider(f, first, second, at_end ? next : node);
            memcpy(first, second, sizeof first);
            node = next;
        }
    }
}

/* Looks down from a point. */
static bool look_down(face_scan *f, const double *start, uint32_t own)
{
    f->start = start;
    f->own = own;
    f->found = f->unsure = false;
    consider_pieces(f);
    consider_border(f);
    return f->found && !f->unsure && f->links->status == GRAZE_STATUS_OK;
}

static face_scan start_scan(grz_overlap_links *links, int side, uint32_t triangle)
{
    const grz_met_triangles *met = &links->met[side];
    face_scan f = {.links = links,
                   .side = side,
                   .triangle = triangle,
                   .points = met->points + met->point_starts[triangle],
                   .point_count = met->point_starts[triangle + 1] - met->point_starts[triangle]};
    choose_axes(&f);
    return f;
}

static void join_islands(face_scan *f, uint32_t first, uint32_t second)
{
    uint32_t p = island_root(f, first), q = island_root(f, second);
    f->islands[p < q ? q : p] = p < q ? p : q;
}

/* Finds the islands. Those connected with the border are marked by `bordered` at their roots. */
static bool find_islands(face_scan *f, bool *bordered)
{
    const grz_met_triangles *met = &f->links->met[f->side];
    for (uint32_t i = 0; i < f->point_count; i++)
        f->islands[i] = i;
    for (size_t i = met->hit_starts[f->triangle]; i < met->hit_starts[f->triangle + 1]; i++)
    {
        const grz_piece *piece = &f->links->found->pieces[met->hits[i]];
        for (uint32_t k = 1; k < piece->count; k++)
            join_islands(f, place_of(f, piece->corners[0]), place_of(f, piece->corners[k]));
    }
    for (uint32_t k = 0; k < 3; k++)
    {
        if (!grz_link_edge_points(f->links, f->side, 3 * f->triangle + k))
            return false;
        for (size_t i = 0; i < f->links->edge_points.count; i++)
            bordered[island_root(f, place_of(f, f->links->edge_points.data[i]))] = true;
    }
    return true;
}

static bool is_lower(const face_scan *f, uint32_t place, uint32_t other)
{
    const double *p = position_of(f, place), *q = position_of(f, other);
    return p[f->u] < q[f->u] || (p[f->u] == q[f->u] && p[f->v] < q[f->v]);
}

/* Links each island from its lowest point. */
static void link_islands(face_scan *f, const bool *bordered, uint32_t *lowest)
{
    grz_overlap_links *links = f->links;
    for (uint32_t i = 0; i < f->point_count; i++)
        lowest[i] = i;
    for (uint32_t i = 0; i < f->point_count; i++)
    {
        uint32_t *low = &lowest[island_root(f, i)];
        if (is_lower(f, i, *low))
            *low = i;
    }
    for (uint32_t i = 0; i < f->point_count && links->status == GRAZE_STATUS_OK; i++)
    {
        if (f->islands[i] != i || bordered[i])
            continue;
        const double *start = position_of(f, lowest[i]);
        if (links->work > MOST_WORK || !look_down(f, start, i))
        {
            links->certain = false;
            continue;
        }
        const uint32_t nodes[2] = {links->found->component_of[f->points[i]], f->node};
        grz_link_between(links, f->side, nodes, start, f->end);
    }
}

/* Whether everything on the triangle is connected, or its vertices are known to be outside. */
static bool is_linked(const face_scan *f)
{
    const grz_overlap_links *links = f->links;
    uint32_t first = grz_link_root(links, links->found->component_of[f->points[0]]);
    for (size_t i = 1; i < f->point_count; i++)
        if (grz_link_root(links, links->found->component_of[f->points[i]]) != first)
            return false;
    for (size_t k = 0; k < 3; k++)
    {
        uint32_t root = grz_link_root(links, grz_link_corner(links, f->side, f->triangle, k));
        if (root != first && links->states[root] != GRZ_LINK_OUTSIDE)
            return false;
    }
    return true;
}

void grz_link_islands(grz_overlap_links *links, int side, uint32_t triangle)
{
    const graze_context *context = links->pair->context;
    face_scan f = start_scan(links, side, triangle);
    if (f.point_count == 0 || is_linked(&f))
        return;
    bool *bordered = grz_allocate_zeroed(context, f.point_count, sizeof *bordered);
    uint32_t *lowest = grz_allocate(context, f.point_count, sizeof *lowest);
    f.islands = grz_allocate(context, f.point_count, sizeof *f.islands);
    if (bordered == NULL || lowest == NULL || f.islands == NULL || !find_islands(&f, bordered))
        links->status = GRAZE_STATUS_OUT_OF_MEMORY;
    else
        link_islands(&f, bordered, lowest);
    grz_release(context, bordered);
    grz_release(context, lowest);
    grz_release(context, f.islands);
    if (links->status == GRAZE_STATUS_OK && !grz_monitor_work(links->pair->monitor, f.point_count))
        links->status = grz_monitor_status(links->pair->monitor);
}

bool grz_link_node_of_point(grz_overlap_links *links, int side, uint32_t triangle, const double point[3],
                            uint32_t *out_node)
{
    const grz_met_triangles *met = &links->met[side];
    *out_node = grz_link_corner(links, side, triangle, 0);
    if (met->hit_starts[triangle + 1] == met->hit_starts[triangle])
        return true;
    face_scan f = start_scan(links, side, triangle);
    bool found = look_down(&f, point, (uint32_t)f.point_count);
    *out_node = f.node;
    return found;
}
