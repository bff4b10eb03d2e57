/* SPDX-License-Identifier: MIT */
/*
 * Self-collision: the contact of two triangles of one mesh, without what they share by construction.
 *
 * Neighbours share corners, and so the hull H of these: a point or an edge. They collide when their intersection is
 * more than H. It is convex and contains H, so:
 * - one common corner: it is more exactly when it is a segment or an area;
 * - a common edge: it is not more when the four corners are not coplanar, nor when the other two lie on different
 *   sides of the edge in the common plane. Otherwise the named corners of the intersection decide;
 * - three common corners: duplicate triangles, which always collide.
 * Signs of four different corners decide nearly all cases. Signs with a common corner twice would be zeros, which only
 * the exact stage can decide.
 */
#include <string.h>

#include "exact/contact.h"
#include "mesh/mesh.h"
#include "pair/hit/query.h"

/* Two triangles with their common corners first, in the same order. */
typedef struct neighbours
{
    const double *corners[2][3];
    int common; /* number of common corners, 0 to 3 */
} neighbours;

/* Compares bits, since == may flush denormals to zero; both zeros are the same number. */
static bool same_number(double x, double y)
{
    uint64_t p, q;
    memcpy(&p, &x, sizeof p);
    memcpy(&q, &y, sizeof q);
    return p == q || ((p | q) << 1) == 0;
}

static bool same_point(const double *p, const double *q)
{
    return same_number(p[0], q[0]) && same_number(p[1], q[1]) && same_number(p[2], q[2]);
}

static neighbours match_common_corners(const graze_mesh *mesh, uint32_t first, uint32_t second, bool merge_vertices)
{
    neighbours n = {.common = 0};
    for (int i = 0; i < 3; i++)
    {
        n.corners[0][i] = grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)first + (size_t)i]);
        n.corners[1][i] = grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)second + (size_t)i]);
    }
    for (int i = 0; i < 3; i++)
    {
        for (int j = n.common; j < 3 && i >= n.common; j++)
        {
            const double *p = n.corners[0][i], *q = n.corners[1][j];
            if (p != q && !(merge_vertices && same_point(p, q)))
                continue;
            const double *swap_a = n.corners[0][n.common], *swap_b = n.corners[1][n.common];
            n.corners[0][n.common] = p;
            n.corners[0][i] = swap_a;
            n.corners[1][n.common] = q;
            n.corners[1][j] = swap_b;
            n.common++;
            break;
        }
    }
    return n;
}

/* Whether two triangles share no more than the common corner: in a projection along an axis the line of an edge at that
   corner has its own triangle on one side and the other's edges strictly on the other. Decides most neighbours, flat
   ones too, whose sides to each other's plane no filter decides. False is no proof. */
static bool is_corner_between(const neighbours *n, grz_filter_stats *stages)
{
    enum
    {
        CORNER
    };
    static const int lines[4][4] = {{1, 2, 3, 4}, {2, 1, 3, 4}, {3, 4, 1, 2}, {4, 3, 1, 2}};
    grz_points points;
    grz_points_start(&points, NULL);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, n->corners[0][i], NULL);
    for (int i = 1; i < 3; i++)
        grz_points_add(&points, n->corners[1][i], NULL);
    int axis = grz_dominant_axis(&points, CORNER);
    for (int i = 0; i < 4; i++)
    {
        const int *line = lines[i];
        int own = grz_orient2d_filter(&points, line[0], line[1], CORNER, axis);
        if (own == GRZ_UNCERTAIN || grz_orient2d_filter(&points, line[0], line[2], CORNER, axis) != -own ||
            grz_orient2d_filter(&points, line[0], line[3], CORNER, axis) != -own)
            continue;
        /* shortcut: self-corner-between */
        stages->filtered += 3;
        return true;
    }
    return false;
}

/* Whether two triangles share no more than the common corner, decided by the sides of the other corners to each other's
   plane; false is no proof. By the filter alone: the contact in fixed point is no slower than signs from integers. */
static bool share_corner_only(const neighbours *n, grz_filter_stats *stages)
{
    for (int side = 0; side < 2; side++)
    {
        grz_points points;
        int sides[3];
        grz_points_start(&points, NULL);
        for (int i = 0; i < 3; i++)
            grz_points_add(&points, n->corners[side][i], NULL);
        for (int i = 1; i < 4; i++) /* the last one twice: three points at a time */
            grz_points_add(&points, n->corners[1 - side][i < 3 ? i : 2], NULL);
        grz_sides_filter(&points, 0, 3, sides);
        /* shortcut: self-corner */
        if (sides[0] != GRZ_UNCERTAIN && sides[0] == sides[1])
        {
            stages->filtered += 2;
            return true;
        }
    }
    return false;
}

/* The same for a common edge. */
static bool share_edge_only(const neighbours *n, grz_filter_stats *stages)
{
    grz_points points;
    grz_points_start(&points, stages);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, n->corners[0][i], NULL);
    grz_points_add(&points, n->corners[1][2], NULL);
    int flat_axis = grz_dominant_axis(&points, 0), flat_side = grz_orient2d_filter(&points, 0, 1, 2, flat_axis);
    /* shortcut: self-edge-between */
    if (flat_side != GRZ_UNCERTAIN && grz_orient2d_filter(&points, 0, 1, 3, flat_axis) == -flat_side)
    {
        stages->filtered += 2;
        return true;
    }
    /* shortcut: self-edge */
    if (grz_orient3d(&points, 0, 1, 2, 3) != 0)
        return true;
    for (int axis = 0; axis < 3; axis++)
    {
        int side = grz_orient2d(&points, 0, 1, 2, axis), other = grz_orient2d(&points, 0, 1, 3, axis);
        if (side != 0 && other != 0) /* the projection of the plane along this axis is not degenerate */
            return side != other;
    }
    return false;
}

/* Whether every corner of the intersection `set` of two triangles is one of their common corners. The intersection is
   on a line here, so each of its corners is a corner of one of the triangles at least. */
static bool only_common_corners(const neighbours *n, const double *const original[2][3], const grz_contact_set *set)
{
    for (int i = 0; i < set->count; i++)
    {
        const double *point = NULL;
        for (int k = 0; k < 3; k++)
        {
            if (set->mask_a[i] == 1u << k)
                point = original[0][k];
            else if (set->mask_b[i] == 1u << k)
                point = original[1][k];
        }
        bool is_common = false;
        for (int k = 0; k < n->common && point != NULL; k++)
            is_common = is_common || same_point(point, n->corners[0][k]);
        if (!is_common)
            return false;
    }
    return true;
}

/* The contact of two triangles in fixed point. False where that does not decide it. */
static bool contact_in_fixed_point(grz_fixed_cache *fixed, const graze_mesh *mesh, uint32_t first, uint32_t second,
                                   grz_filter_stats *stages, graze_triangle_contact *out_contact)
{
    int sides_a[3] = {GRZ_UNCERTAIN, GRZ_UNCERTAIN, GRZ_UNCERTAIN};
    int sides_b[3] = {GRZ_UNCERTAIN, GRZ_UNCERTAIN, GRZ_UNCERTAIN};
    if (!fixed->started)
        grz_fixed_cache_start(fixed, mesh, NULL, mesh, NULL);
    return fixed->usable &&
           grz_fixed_contact(grz_fixed_cache_triangle(fixed, 0, mesh, first),
                             grz_fixed_cache_triangle(fixed, 1, mesh, second), sides_a, sides_b, stages, out_contact);
}

graze_triangle_contact grz_self_contact(const graze_mesh *mesh, uint32_t first, uint32_t second, bool merge_vertices,
                                        grz_fixed_cache *fixed, grz_filter_stats *stages)
{
    graze_triangle_contact contact;
    const graze_triangle_contact nothing = {0};
    neighbours n = match_common_corners(mesh, first, second, merge_vertices);
    if (n.common == 1 && (is_corner_between(&n, stages) || share_corner_only(&n, stages)))
        return nothing;
    if (n.common == 2 && share_edge_only(&n, stages))
        return nothing;
    if (n.common == 1 && contact_in_fixed_point(fixed, mesh, first, second, stages, &contact))
        return contact.dimension > 0 ? contact : nothing;
    const double *original[2][3];
    grz_points points;
    grz_points_start(&points, stages);
    for (int i = 0; i < 6; i++)
    {
        uint32_t triangle = i < 3 ? first : second;
        original[i / 3][i % 3] = grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle + (size_t)(i % 3)]);
        grz_points_add(&points, original[i / 3][i % 3], NULL);
    }
    contact = grz_triangle_triangle(&points);
    if (!contact.found || n.common == 0 || n.common == 3 || contact.dimension == 2)
        return contact;
    if (contact.dimension == 0)
        return nothing; /* the common corner itself */
    if (n.common == 1)
        return contact;
    grz_contact_set set;
    grz_contact_general(&points, &set);
    return only_common_corners(&n, (const double *const(*)[3])original, &set) ? nothing : contact;
}
