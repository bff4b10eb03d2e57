/* SPDX-License-Identifier: MIT */
/*
 * Faces and triangles: planar, convex, without area, repeated. All by exact signs.
 *
 * A polygon is flat when all its corners lie in the plane of three that are not collinear. It is convex when it is
 * flat, has one loop, never turns the other way or straight back, and has turning number one; a projection in which the
 * face has area preserves all of this. Repeated consecutive corners do not matter.
 */
#include "mesh/examine.h"

#include <math.h>

#include "graze/exact.h"
#include "mesh/hash.h"

int grz_view_orient(const double *a, const double *b, const double *c, int axis)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double p[2] = {a[u], a[v]}, q[2] = {b[u], b[v]}, r[2] = {c[u], c[v]};
    return graze_point_orient2d(p, q, r);
}

void grz_order_views(const double *a, const double *b, const double *c, int out_axes[3])
{
    double areas[3];
    for (int i = 0; i < 3; i++)
    {
        int u = (i + 1) % 3, v = (i + 2) % 3;
        areas[i] = fabs((b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]));
        int index = i;
        for (; index > 0 && areas[out_axes[index - 1]] < areas[i]; index--)
            out_axes[index] = out_axes[index - 1];
        out_axes[index] = i;
    }
}

int grz_view_with_area(const double *a, const double *b, const double *c)
{
    int axes[3];
    grz_order_views(a, b, c, axes);
    for (int i = 0; i < 3; i++)
        if (grz_view_orient(a, b, c, axes[i]) != 0)
            return axes[i];
    return -1;
}

/* The corners of a face, all loops in sequence. */
typedef struct face_corners
{
    const graze_mesh *mesh;
    const uint32_t *corners;
    size_t count, loop_count;
} face_corners;

static const double *corner(const face_corners *face, size_t c)
{
    return grz_mesh_vertex(face->mesh, face->corners[c]);
}

static bool same_point(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Finds three corners that span a plane; returns an axis along which their projection has area, or -1 when all are
   collinear. */
static int find_plane(const face_corners *face, const double *plane[3])
{
    plane[0] = corner(face, 0);
    size_t c = 1;
    while (c < face->count && same_point(plane[0], corner(face, c)))
        c++;
    if (c == face->count)
        return -1;
    plane[1] = corner(face, c);
    for (c++; c < face->count; c++)
    {
        plane[2] = corner(face, c);
        int axis = grz_view_with_area(plane[0], plane[1], plane[2]);
        if (axis >= 0)
            return axis;
    }
    return -1;
}

static bool is_flat(const face_corners *face, const double *const plane[3])
{
    for (size_t c = 0; c < face->count; c++)
    {
        const double *point = corner(face, c);
        if (point != plane[0] && point != plane[1] && point != plane[2] &&
            graze_point_orient3d(plane[0], plane[1], plane[2], point) != 0)
            return false;
    }
    return true;
}

/* -1, 0, 1 by the first coordinate of a projection, then the second. */
static int compare_in_view(const double *a, const double *b, int axis)
{
    for (int i = 1; i <= 2; i++)
    {
        int k = (axis + i) % 3;
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    }
    return 0;
}

/* Whether the only loop of a flat face that has area in this projection is convex. */
static bool is_convex(const face_corners *face, int axis)
{
    size_t count = face->count, start = 0;
    while (same_point(corner(face, start), corner(face, (start + count - 1) % count)))
        start++;
    /* `before` and `here` are distinct corners in sequence; every later corner is `after` until it has replaced `here`.
     */
    const double *before = corner(face, (start + count - 1) % count), *here = corner(face, start);
    int direction = 0, peaks = 0;
    for (size_t step = 1; step <= count; step++)
    {
        const double *after = corner(face, (start + step) % count);
        if (same_point(here, after))
            continue;
        int turn = grz_view_orient(before, here, after, axis);
        int arriving = compare_in_view(before, here, axis), leaving = compare_in_view(here, after, axis);
        if (turn != 0 ? turn == -direction : arriving != leaving)
            return false;
        direction = turn != 0 ? turn : direction;
        peaks += arriving < 0 && leaving > 0;
        before = here;
        here = after;
    }
    return peaks == 1;
}

void grz_face_properties(const graze_mesh *mesh, grz_monitor *monitor, graze_mesh_facts *facts)
{
    for (size_t f = 0; f < mesh->face_count; f++)
    {
        face_corners face = {.mesh = mesh, .loop_count = graze_mesh_face_loop_count(mesh, f)};
        face.corners = graze_mesh_face_loop(mesh, f, 0, &face.count);
        for (size_t l = 1; l < face.loop_count; l++)
        {
            size_t count;
            graze_mesh_face_loop(mesh, f, l, &count);
            face.count += count;
        }
        if (!grz_monitor_elements(monitor, face.count))
            return;
        const double *plane[3];
        int axis = find_plane(&face, plane);
        bool flat = axis < 0 || face.count == 3 || is_flat(&face, plane);
        bool convex = flat && axis >= 0 && face.loop_count == 1 && (face.count == 3 || is_convex(&face, axis));
        facts->nonflat_face_count += !flat;
        facts->nonconvex_face_count += !convex;
    }
    facts->flat_faces = facts->nonflat_face_count == 0;
    facts->convex_faces = facts->nonconvex_face_count == 0;
}

static void sorted_triangle(const graze_topology *topology, size_t triangle, uint32_t out_corners[3])
{
    grz_topology_triangle(topology, triangle, out_corners);
    for (int pass = 0; pass < 3; pass++)
    {
        uint32_t *pair = out_corners + pass % 2;
        if (pair[0] > pair[1])
        {
            uint32_t larger = pair[0];
            pair[0] = pair[1];
            pair[1] = larger;
        }
    }
}

/* Inserts a triangle into the hash table; true if one with the same corners is there already. */
static bool is_repeated(const graze_topology *topology, const grz_hash_table *table, size_t triangle,
                        const uint32_t corners[3])
{
    uint64_t hash = grz_hash_mix(grz_hash_mix(0, (uint64_t)corners[0] << 32 | corners[1]), corners[2]);
    size_t slot = hash & table->mask;
    for (; table->slots[slot] != GRZ_HASH_EMPTY; slot = (slot + 1) & table->mask)
    {
        uint32_t other[3];
        sorted_triangle(topology, table->slots[slot], other);
        if (other[0] == corners[0] && other[1] == corners[1] && other[2] == corners[2])
            return true;
    }
    table->slots[slot] = (uint32_t)triangle;
    return false;
}

graze_status grz_triangle_properties(const graze_context *context, const graze_topology *topology, grz_monitor *monitor,
                                     graze_mesh_facts *facts)
{
    const graze_mesh *mesh = topology->mesh;
    grz_hash_table table = grz_hash_table_make(context, mesh->triangle_count);
    if (table.slots == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t t = 0; t < mesh->triangle_count && grz_monitor_elements(monitor, 1); t++)
    {
        uint32_t corners[3];
        sorted_triangle(topology, t, corners);
        if (corners[0] == corners[1] || corners[1] == corners[2])
        {
            facts->degenerate++;
            facts->zero_area++;
            continue;
        }
        facts->duplicates += is_repeated(topology, &table, t, corners);
        facts->zero_area +=
            grz_view_with_area(grz_topology_point(topology, corners[0]), grz_topology_point(topology, corners[1]),
                               grz_topology_point(topology, corners[2])) < 0;
    }
    grz_release(context, table.slots);
    return grz_monitor_status(monitor);
}
