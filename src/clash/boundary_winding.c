/* SPDX-License-Identifier: MIT */
/*
 * Generalised winding numbers by one ray; see boundary_winding.h.
 *
 * The surface, and from each open edge a strip to infinity along a direction d, together are closed. Their winding
 * number around a point counts the crossings of any ray; the ray along -d meets no strip, so only triangles of the
 * surface count. Less the solid angles of the strips this is the sum of the solid angles of the triangles. That of a
 * strip is the limit of the formula of van Oosterom and Strackee (winding_number.c) for a far corner along d.
 */
#include "clash/boundary_winding.h"

#include <string.h>

#include "clash/vector.h"
#include "graze/depth.h"
#include "graze/pair.h"
#include "graze/tree.h"

/* Of unit length, and parallel to no edge or face that anybody designs. */
static const vector ray_direction = {0.5347067753832491, 0.3108497361662851, 0.7857869341523811};
static const double four_pi = 12.566370614359172;

/* The start of a half-edge in the frame of the mesh. */
static const double *start_of(const graze_mesh *mesh, size_t half_edge)
{
    return graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[half_edge];
}

static size_t next_around(size_t half_edge)
{
    return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}

/* Whether a half-edge has no opposite one: none at all, or one of the same direction. */
static bool is_open(const graze_mesh *mesh, const uint32_t *twins, size_t half_edge)
{
    if (twins[half_edge] == UINT32_MAX)
        return true;
    const double *p = start_of(mesh, half_edge), *q = start_of(mesh, twins[half_edge]);
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static void put_end(const grz_clash_part *part, size_t half_edge, double out[3])
{
    vector p = vector_place(&part->placed.pose, start_of(part->placed.mesh, half_edge));
    out[0] = p.x;
    out[1] = p.y;
    out[2] = p.z;
}

bool grz_clash_boundary_make(const graze_context *context, const grz_clash_part *part, grz_clash_boundary *out_boundary)
{
    const uint32_t *twins = graze_body_twins(part->body);
    const graze_mesh *mesh = part->placed.mesh;
    size_t half_edges = 3 * part->triangle_count, count = 0;
    for (size_t i = 0; i < half_edges; i++)
        count += is_open(mesh, twins, i);
    *out_boundary = (grz_clash_boundary){part, grz_allocate(context, count + 1, sizeof *out_boundary->edges), 0};
    for (size_t i = 0; out_boundary->edges != NULL && i < half_edges; i++)
    {
        if (!is_open(mesh, twins, i))
            continue;
        put_end(part, i, out_boundary->edges[out_boundary->count][0]);
        put_end(part, next_around(i), out_boundary->edges[out_boundary->count++][1]);
    }
    return out_boundary->edges != NULL;
}

void grz_clash_boundary_release(const graze_context *context, grz_clash_boundary *boundary)
{
    grz_release(context, boundary->edges);
    *boundary = (grz_clash_boundary){.part = NULL};
}

/* The solid angle of the triangle from p to q to infinity along the direction. */
static double strip_angle(vector p, vector q)
{
    double x = vector_length(p), y = vector_length(q);
    double below = x * y + vector_dot(p, q) + vector_dot(q, ray_direction) * x + vector_dot(p, ray_direction) * y;
    double angle = 2 * atan2(vector_dot(p, vector_cross(q, ray_direction)), below);
    return isfinite(angle) ? angle : 0;
}

typedef struct crossing_count
{
    const grz_clash_part *part;
    long sum; /* of signs: 1 for a triangle that the ray leaves the body through */
} crossing_count;

static bool count_crossing(void *user, const graze_hit *hit)
{
    crossing_count *at = user;
    vector corners[3];
    for (size_t k = 0; k < 3; k++)
        corners[k] =
            vector_place(&at->part->placed.pose, start_of(at->part->placed.mesh, 3 * (size_t)hit->triangle_b + k));
    vector normal = vector_cross(vector_sub(corners[1], corners[0]), vector_sub(corners[2], corners[0]));
    double along = -vector_dot(normal, ray_direction);
    at->sum += (along > 0) - (along < 0);
    return true;
}

/* Crossings of the ray from the point against the direction, which ends beyond the AABB. */
static graze_status cast_ray(const graze_context *context, const grz_clash_part *part, vector from, long *out_sum)
{
    vector extent =
        vector_make(part->upper[0] - part->lower[0], part->upper[1] - part->lower[1], part->upper[2] - part->lower[2]);
    vector to = vector_sub(from, vector_scale(2 * vector_length(extent), ray_direction));
    const double vertices[6] = {from.x, from.y, from.z, to.x, to.y, to.z};
    static const uint32_t corners[3] = {0, 1, 1};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 2;
    def.corners = corners;
    def.corner_count = 3;
    graze_placed_mesh ray = {.pose = graze_pose_identity()};
    graze_mesh *mesh = NULL;
    crossing_count at = {part, 0};
    graze_status status = graze_mesh_create(context, &def, NULL, &mesh);
    graze_tree *tree = NULL; /* without one the other tree is not used, either */
    if (status == GRAZE_STATUS_OK)
        status = graze_tree_create(context, mesh, NULL, NULL, &tree);
    ray.mesh = mesh;
    ray.tree = tree;
    if (status == GRAZE_STATUS_OK)
        status = graze_pair_visit(context, &ray, &part->placed, NULL, count_crossing, &at);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    *out_sum = at.sum;
    return status;
}

graze_status grz_clash_boundary_winding(const graze_context *context, const grz_clash_boundary *boundary,
                                        const double point[3], double *out_winding)
{
    vector centre = vector_make(point[0], point[1], point[2]);
    long crossings = 0;
    graze_status status = cast_ray(context, boundary->part, centre, &crossings);
    double strips = 0; /* they close the surface, so they run against its edges */
    for (size_t i = 0; i < boundary->count; i++)
    {
        const double *p = boundary->edges[i][0], *q = boundary->edges[i][1];
        strips += strip_angle(vector_sub(vector_make(q[0], q[1], q[2]), centre),
                              vector_sub(vector_make(p[0], p[1], p[2]), centre));
    }
    *out_winding = (double)crossings - strips / four_pi;
    return status;
}
