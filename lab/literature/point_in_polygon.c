/* SPDX-License-Identifier: MIT */
/*
 * 000 3.2.2: which of its six checks decides a side of a polygon when a ray from the point is tested with it. This is
 * the thesis' algorithm as it is printed, in doubles without bounds, with check 6 as it is meant: the methods of the
 * library decide the same by exact signs. How often its answer differs from theirs is counted, too.
 */
#include <math.h>
#include <stdlib.h>

#include "literature/bodies.h"
#include "literature/cage.h"
#include "literature/literature.h"

enum
{
    CHECKS = 6
};

/* A body in the world. */
typedef struct placed_body
{
    const graze_mesh *mesh;
    double *points, lower[3], upper[3];
} placed_body;

typedef struct ray_counts
{
    double decided[CHECKS], left, sides, points;
} ray_counts;

static bool place(const graze_mesh *mesh, const graze_pose *pose, placed_body *out)
{
    size_t count = graze_mesh_vertex_count(mesh);
    *out = (placed_body){.mesh = mesh, .points = malloc(3 * count * sizeof(double))};
    for (int k = 0; k < 3; k++)
    {
        out->lower[k] = INFINITY;
        out->upper[k] = -INFINITY;
    }
    for (size_t v = 0; out->points != NULL && v < count; v++)
    {
        double *p = out->points + 3 * v;
        graze_pose_apply(pose, graze_mesh_vertices(mesh) + 3 * v, p);
        for (int k = 0; k < 3; k++)
        {
            out->lower[k] = fmin(out->lower[k], p[k]);
            out->upper[k] = fmax(out->upper[k], p[k]);
        }
    }
    return out->points != NULL;
}

/* Whether the ray along +x from the origin meets the side from (x, y) to (u, v). */
static bool ray_meets(double x, double y, double u, double v, ray_counts *counts)
{
    counts->sides++;
    const bool outside[CHECKS] = {x <= 0 && u <= 0, y > 0 && v > 0,   y <= 0 && v <= 0,
                                  x > 0 && u > 0,   y >= x && v >= u, -y >= x && -v >= u};
    for (int i = 0; i < CHECKS; i++)
        if (outside[i])
        {
            counts->decided[i]++;
            return i == 3;
        }
    counts->left++;
    return x - y * (x - u) / (y - v) > 0;
}

static bool is_in_polygon(const placed_body *body, size_t face, const double q[3], const double normal[3],
                          ray_counts *counts)
{
    int dropped = fabs(normal[0]) > fabs(normal[1]) ? 0 : 1;
    dropped = fabs(normal[2]) > fabs(normal[dropped]) ? 2 : dropped;
    int i = (dropped + 1) % 3, k = (dropped + 2) % 3;
    bool inside = false;
    counts->points++;
    for (size_t l = 0, count; l < graze_mesh_face_loop_count(body->mesh, face); l++)
    {
        const uint32_t *loop = graze_mesh_face_loop(body->mesh, face, l, &count);
        for (size_t c = 0; c < count; c++)
        {
            const double *a = body->points + 3 * (size_t)loop[c], *b = body->points + 3 * (size_t)loop[(c + 1) % count];
            if (ray_meets(a[i] - q[i], a[k] - q[k], b[i] - q[i], b[k] - q[k], counts))
                inside = !inside;
        }
    }
    return inside;
}

/* The plane of a face by Newell's formula; false where the box of the edge misses that of the face. */
static bool find_plane(const placed_body *body, size_t face, const double *u, const double *v, double normal[3],
                       const double **out_point)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    size_t count;
    const uint32_t *loop = graze_mesh_face_loop(body->mesh, face, 0, &count);
    normal[0] = normal[1] = normal[2] = 0;
    for (size_t c = 0; c < count; c++)
    {
        const double *a = body->points + 3 * (size_t)loop[c], *b = body->points + 3 * (size_t)loop[(c + 1) % count];
        for (int k = 0; k < 3; k++)
        {
            int y = (k + 1) % 3, z = (k + 2) % 3;
            normal[k] += (a[y] - b[y]) * (a[z] + b[z]) / 2;
            lower[k] = fmin(lower[k], a[k]);
            upper[k] = fmax(upper[k], a[k]);
        }
    }
    *out_point = body->points + 3 * (size_t)loop[0];
    for (int k = 0; k < 3; k++)
        if (fmin(u[k], v[k]) > upper[k] || fmax(u[k], v[k]) < lower[k])
            return false;
    return true;
}

static bool edge_meets(const double *u, const double *v, const placed_body *faces, ray_counts *counts)
{
    for (int k = 0; k < 3; k++)
        if (fmin(u[k], v[k]) > faces->upper[k] || fmax(u[k], v[k]) < faces->lower[k])
            return false;
    for (size_t f = 0; f < graze_mesh_face_count(faces->mesh); f++)
    {
        double normal[3], along = 0, height = 0, q[3];
        const double *p;
        if (!find_plane(faces, f, u, v, normal, &p))
            continue;
        for (int k = 0; k < 3; k++)
        {
            along += normal[k] * (v[k] - u[k]);
            height += normal[k] * (p[k] - u[k]);
        }
        if (along < 0 ? height > 0 || height < along : height < 0 || height > along)
            continue;
        if (along == 0)
            continue; /* parallel: 000 says no */
        for (int k = 0; k < 3; k++)
            q[k] = u[k] + height / along * (v[k] - u[k]);
        if (is_in_polygon(faces, f, q, normal, counts))
            return true;
    }
    return false;
}

static bool any_edge_meets(const placed_body *edges, const placed_body *faces, ray_counts *counts)
{
    for (size_t f = 0; f < graze_mesh_face_count(edges->mesh); f++)
        for (size_t l = 0, count; l < graze_mesh_face_loop_count(edges->mesh, f); l++)
        {
            const uint32_t *loop = graze_mesh_face_loop(edges->mesh, f, l, &count);
            for (size_t c = 0; c < count; c++)
            {
                uint32_t a = loop[c], b = loop[(c + 1) % count];
                if (a < b && edge_meets(edges->points + 3 * (size_t)a, edges->points + 3 * (size_t)b, faces, counts))
                    return true; /* every edge belongs to two faces, and once runs upward */
            }
        }
    return false;
}

/* One frame; the number of pairs whose answers differ from the exact ones, or a negative number. */
static double run_frame(const cage_flight *flight, size_t frame, ray_counts *counts)
{
    placed_body bodies[16] = {{.points = NULL}};
    double different = 0;
    bool done = true;
    for (size_t i = 0; done && i < flight->bodies; i++)
        done = place(flight->meshes[i], cage_pose(flight, frame, i), &bodies[i]);
    for (size_t a = 0; done && a < flight->flying; a++)
        for (size_t b = a + 1; b < flight->bodies; b++)
        {
            bool found =
                any_edge_meets(&bodies[a], &bodies[b], counts) || any_edge_meets(&bodies[b], &bodies[a], counts);
            different += found != cage_collide(flight, frame, a, b);
        }
    for (size_t i = 0; i < flight->bodies; i++)
        free(bodies[i].points);
    return done ? different : -1;
}

bool lit_point_in_polygon(lit_run *run)
{
    const double edge = 3;
    static const char *const id = "000/point-in-polygon";
    graze_mesh *meshes[16];
    cage_flight flight = {0};
    ray_counts counts = {.left = 0};
    double different = 0;
    bool done = lit_make_ten(edge, meshes) &&
                cage_record((const graze_mesh **)meshes, 16, 10, edge, run->quick ? 40 : 400, CAGE_SURFACES, &flight);
    for (size_t f = 0; done && f < flight.frames; f++)
    {
        double found = run_frame(&flight, f, &counts);
        different += found;
        done = found >= 0;
    }
    for (int i = 0; done && i < CHECKS; i++)
        lit_measure(run, id, 100 * counts.decided[i] / counts.sides, "decided by check %d", i + 1);
    lit_measure(run, id, 100 * counts.left / counts.sides, "left");
    lit_measure(run, id, counts.sides, "ray-edge tests");
    lit_add(run, id, "by the algorithm as printed, in doubles", different, "pairs decided otherwise than exactly");
    cage_clear(&flight);
    lit_destroy(meshes, 16);
    return done;
}
