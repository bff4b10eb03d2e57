/* SPDX-License-Identifier: MIT */
/*
 * The kernel's lower bound takes the vector n = q - p between the closest points found. Where they are close, n has a
 * large relative error: it tilts by about u / |n|, and over triangles of size 1 the bound is lower by as much. The
 * normals of both faces and the cross products of edges are as exact for small distances as for large ones, and where a
 * face or two edges that are not parallel are closest, one of them is the direction of n. In one plane, it is that of
 * an edge's normal.
 *
 * For any vector n and any points p of A and q of B, as rounded: n . (b - a) >= min n . (b_j - q) - max n . (a_i - p) +
 * n . (q - p) for all a of A, b of B. The error bound is that of simd/distance_triangles.h: |n|_1 (2.01 e + 20 u D).
 */
#include "pair/distance/axis_bound.h"

#include "math/interval.h"
#include "math/vector.h"
#include "mesh/mesh.h"

#define SHORTEST_AXIS_SQ 0x1p-900 /* below this, underflow could matter */

typedef struct corners_of_pair
{
    v3 a[3], b[3]; /* less p and q */
    v3 between;    /* q - p */
    double slack;  /* 2.01 e + 20 u D */
} corners_of_pair;

static v3 place(const graze_mesh *mesh, const graze_pose *pose, uint32_t triangle, int corner)
{
    const double *v = grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle + (size_t)corner]), *m = pose->m;
    return v3_make(m[0] * v[0] + m[1] * v[1] + m[2] * v[2] + m[3], m[4] * v[0] + m[5] * v[1] + m[6] * v[2] + m[7],
                   m[8] * v[0] + m[9] * v[1] + m[10] * v[2] + m[11]);
}

static double larger_coordinate(double largest, v3 a)
{
    return fmax(fmax(largest, fabs(a.x)), fmax(fabs(a.y), fabs(a.z)));
}

static corners_of_pair corners_of(const grz_measure_frame *frame, const grz_closest_pair *gap)
{
    corners_of_pair c;
    v3 p = v3_load(gap->point_a), q = v3_load(gap->point_b);
    c.between = v3_sub(q, p);
    double largest = larger_coordinate(0, c.between);
    for (int i = 0; i < 3; i++)
    {
        c.a[i] = v3_sub(place(frame->mesh_a, &frame->shifted_a, gap->triangle_a, i), p);
        c.b[i] = v3_sub(place(frame->mesh_b, &frame->shifted_b, gap->triangle_b, i), q);
        largest = larger_coordinate(larger_coordinate(largest, c.a[i]), c.b[i]);
    }
    c.slack = 2.01 * frame->error + 20 * GRZ_U * largest;
    return c;
}

/* The bound along n, turned from A to B. */
static double bound_along(const corners_of_pair *c, v3 n)
{
    double square = v3_dot(n, n), highest = 0, lowest = 0;
    if (!(square > SHORTEST_AXIS_SQ))
        return 0;
    if (v3_dot(n, c->between) < 0)
        n = v3_scale(-1, n);
    for (int i = 0; i < 3; i++)
    {
        highest = fmax(highest, v3_dot(n, c->a[i]));
        lowest = fmin(lowest, v3_dot(n, c->b[i]));
    }
    double sum = fabs(n.x) + fabs(n.y) + fabs(n.z);
    /* shortcut: axis-bound-in-doubles */
    double height = (lowest - highest) + v3_dot(n, c->between) - sum * c->slack;
    return height > 0 ? height / sqrt(square) * (1 - 8 * GRZ_U) : 0;
}

/* Raises the bound to that along n, and says whether it is near enough to the upper one. */
static bool raise_along(const corners_of_pair *c, v3 n, double enough, grz_closest_pair *gap)
{
    gap->lower = fmax(gap->lower, fmin(bound_along(c, n), gap->distance));
    return gap->upper - gap->lower <= enough;
}

static void try_axes(const corners_of_pair *c, double enough, grz_closest_pair *gap)
{
    v3 edges_a[3], edges_b[3];
    for (int i = 0; i < 3; i++)
    {
        edges_a[i] = v3_sub(c->a[(i + 1) % 3], c->a[i]);
        edges_b[i] = v3_sub(c->b[(i + 1) % 3], c->b[i]);
    }
    v3 normal_a = v3_cross(edges_a[0], edges_a[1]), normal_b = v3_cross(edges_b[0], edges_b[1]);
    bool done = raise_along(c, normal_a, enough, gap) || raise_along(c, normal_b, enough, gap);
    for (int i = 0; i < 3 && !done; i++)
        done = raise_along(c, v3_cross(edges_a[i], normal_a), enough, gap) ||
               raise_along(c, v3_cross(edges_b[i], normal_b), enough, gap);
    for (int i = 0; i < 9 && !done; i++)
        done = raise_along(c, v3_cross(edges_a[i / 3], edges_b[i % 3]), enough, gap);
}

void grz_raise_lower_bound(const grz_measure_frame *frame, double enough, grz_closest_pair *gap)
{
    corners_of_pair c = corners_of(frame, gap);
    try_axes(&c, enough, gap);
    gap->open = gap->open && !(gap->lower > 0);
}
