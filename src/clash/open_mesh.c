/* SPDX-License-Identifier: MIT */
/*
 * Pairs with open parts; see open_mesh.h.
 *
 * The surface of an open part is certain, its inside is not. What is asked of it: the inside, wherever it is, lies in
 * the convex hull of the part. Let O be open, X another part, whose surfaces do not meet, and O no part of X's body. If
 * a plane separates both hulls, nothing of one lies in the other. If no triangle of X meets the AABB of O, the AABB
 * lies in X or outside of it as a whole; if X is closed then outside, as the surface of O does. So the inside of O
 * matters only where a triangle of X meets O's AABB. Where X is open, too, only a plane between them is a proof.
 */
#include "clash/open_mesh.h"

#include <string.h>

#include "clash/shape_pairs.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/mesh_query.h"

bool grz_clash_is_open(const grz_clash_part *part)
{
    return !part->closed && !part->is_surface;
}

static graze_status reaches(const graze_context *context, const grz_clash_part *part, const grz_clash_part *open,
                            bool *out_reaches)
{
    graze_box box;
    size_t count = 0;
    memcpy(box.lower, open->lower, sizeof box.lower);
    memcpy(box.upper, open->upper, sizeof box.upper);
    graze_status status = graze_placed_mesh_collide_box(context, &part->placed, &box, NULL, NULL, 0, &count);
    *out_reaches = count > 0;
    return status;
}

graze_status grz_clash_inside_matters(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                      bool *out_matters)
{
    bool separated = false, a_is_open = grz_clash_is_open(a), b_is_open = grz_clash_is_open(b);
    *out_matters = false;
    if (!a_is_open && !b_is_open)
        return GRAZE_STATUS_OK;
    if (a->is_shape || b->is_shape)
        return grz_clash_inside_matters_to_shape(context, a_is_open ? a : b, a_is_open ? b : a, out_matters);
    /* shortcut: outside-the-hull */
    if (graze_pair_find_separating_plane(&a->placed, &b->placed, 0, &separated, NULL) == GRAZE_STATUS_OK && separated)
        return GRAZE_STATUS_OK;
    *out_matters = true;
    if (a_is_open && b_is_open)
        return GRAZE_STATUS_OK;
    return a_is_open ? reaches(context, b, a, out_matters) : reaches(context, a, b, out_matters);
}

const char *grz_clash_why_undecided(const grz_clash_part *a, const grz_clash_part *b)
{
    if (grz_clash_is_open(a) && grz_clash_is_open(b))
        return "neither part is closed, so that what is inside them cannot be decided";
    if (grz_clash_is_open(a))
        return "part a is not closed, so that what is inside it cannot be decided";
    if (grz_clash_is_open(b))
        return "part b is not closed, so that what is inside it cannot be decided";
    return "what is inside cannot be decided where a surface crosses itself or is not oriented";
}

/* --- open edges --- */

typedef struct edge_list
{
    const double *near_point;
    grz_clash_edge *edges; /* nearest first */
    size_t count, capacity;
} edge_list;

static double distance_sq(const grz_clash_edge *edge, const double point[3])
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double d = 0.5 * edge->ends[0][axis] + 0.5 * edge->ends[1][axis] - point[axis];
        sum += d * d;
    }
    return sum;
}

static bool is_same(const grz_clash_edge *one, const grz_clash_edge *other)
{
    const size_t size = sizeof one->ends[0];
    return (memcmp(one->ends[0], other->ends[0], size) == 0 && memcmp(one->ends[1], other->ends[1], size) == 0) ||
           (memcmp(one->ends[0], other->ends[1], size) == 0 && memcmp(one->ends[1], other->ends[0], size) == 0);
}

/* Of edges at the same distance the first ones of the mesh are kept. */
static void insert(edge_list *list, const grz_clash_edge *edge)
{
    double distance = distance_sq(edge, list->near_point);
    size_t at = list->count;
    if (at == list->capacity && !(distance < distance_sq(&list->edges[at - 1], list->near_point)))
        return;
    for (size_t i = 0; i < list->count; i++)
        if (is_same(&list->edges[i], edge))
            return;
    while (at > 0 && distance < distance_sq(&list->edges[at - 1], list->near_point))
        at--;
    list->count += list->count < list->capacity;
    memmove(list->edges + at + 1, list->edges + at, (list->count - 1 - at) * sizeof *list->edges);
    list->edges[at] = *edge;
}

/* Such a triangle has no edges. */
static bool has_equal_corners(const double *vertices, const uint32_t corners[3])
{
    for (int k = 0; k < 3; k++)
    {
        const double *p = vertices + 3 * (size_t)corners[k], *q = vertices + 3 * (size_t)corners[(k + 1) % 3];
        if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2])
            return true;
    }
    return false;
}

static void place(const graze_pose *pose, const double *p, double out[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = pose->m + 4 * axis;
        out[axis] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
    }
}

size_t grz_clash_open_edges(const grz_clash_part *part, const double near_point[3], grz_clash_edge *out_edges,
                            size_t capacity, size_t *out_count)
{
    const uint32_t *twins = graze_body_twins(part->body), *corners = graze_mesh_triangles(part->placed.mesh);
    const double *vertices = graze_mesh_vertices(part->placed.mesh);
    edge_list list = {near_point, out_edges, 0, capacity};
    *out_count = 0;
    for (size_t i = 0; twins != NULL && i < 3 * part->triangle_count; i++)
    {
        if (twins[i] != UINT32_MAX || has_equal_corners(vertices, corners + i / 3 * 3))
            continue;
        grz_clash_edge edge;
        place(&part->placed.pose, vertices + 3 * (size_t)corners[i], edge.ends[0]);
        place(&part->placed.pose, vertices + 3 * (size_t)corners[i % 3 == 2 ? i - 2 : i + 1], edge.ends[1]);
        ++*out_count;
        if (capacity > 0)
            insert(&list, &edge);
    }
    return list.count;
}
