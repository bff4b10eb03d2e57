/* SPDX-License-Identifier: MIT */
/*
 * Separating planes of two placed meshes without trees or tables; see separating_plane.h. First the separating axis
 * test of their oriented boxes (15 axes), which costs next to nothing; then a search with all vertices, about a
 * microsecond per thousand vertices.
 *
 * Error bound of a support. Along n a vertex v under [R|t] has the height q . v above t, with q = R^T n. Let S_j be the
 * sum of |R_ij n_i| over i, V_j the largest |v_j|, u = GRZ_U. The error of q_j is at most 4 u S_j, of q . v that and 4
 * u of its terms; adding the bound itself rounds by u: 16 u times the sum of all S_j V_j is more than enough, the
 * rounding of that sum included.
 *
 * Terms that underflow, or denormals flushed to zero, cost less than 2^-1022 times the other factors of the term. Those
 * are n, below 2^200, an entry of R, and a coordinate, both below 2^300, or nothing is tried: all such terms make less
 * than 2^-410, and 2^-400 covers them.
 */
#include "pair/separating_plane.h"

#include "base/bits.h"
#include "graze/distance.h"
#include "mesh/mesh.h"
#include "pair/arguments.h"
#include "simd/farthest_vertex.h"

enum
{
    TRIES = 4 /* directions with vertices */
};

#define LARGEST 0x1p300 /* of entries of poses, and of coordinates */

/* A placed mesh as the set of its vertices, and as its oriented box. */
typedef struct placed_vertices
{
    const graze_mesh *mesh;
    const double *pose;
    double centre[3], half[3]; /* of its AABB in its own frame */
    double largest[3];         /* V: largest |coordinate| by axis */
    double translation[3];     /* the reference */
    double world_centre[3];    /* of the box, about; less the translation */
    bool fits;                 /* all its numbers are below LARGEST */
} placed_vertices;

static placed_vertices make_side(const graze_placed_mesh *placed)
{
    const graze_mesh *mesh = placed->mesh;
    placed_vertices s = {.mesh = mesh, .pose = placed->pose.m, .fits = true};
    for (int axis = 0; axis < 3; axis++)
    {
        s.centre[axis] = 0.5 * mesh->lower[axis] + 0.5 * mesh->upper[axis];
        s.half[axis] = 0.5 * mesh->upper[axis] - 0.5 * mesh->lower[axis];
        s.largest[axis] = fmax(fabs(mesh->lower[axis]), fabs(mesh->upper[axis]));
        s.translation[axis] = s.pose[4 * axis + 3];
        s.fits = s.fits && s.largest[axis] < LARGEST;
    }
    for (int i = 0; i < 12; i++)
        s.fits = s.fits && fabs(s.pose[i]) < LARGEST;
    for (int axis = 0; axis < 3; axis++)
        s.world_centre[axis] = grz_normal_dot(s.pose + 4 * axis, s.centre);
    return s;
}

/* Transforms the direction into the mesh's frame; returns the error bound of supports along it. */
static double local_direction(const placed_vertices *s, const double n[3], double out_local[3])
{
    const double *m = s->pose;
    double size = 0;
    for (int j = 0; j < 3; j++)
    {
        double x = m[j] * n[0], y = m[4 + j] * n[1], z = m[8 + j] * n[2];
        out_local[j] = x + y + z;
        size += (fabs(x) + fabs(y) + fabs(z)) * s->largest[j];
    }
    /* shortcut: support-of-vertices */
    return 16 * GRZ_U * size + 0x1p-400;
}

/* Half extents and centre are rounded, each by less than u of the largest coordinate: four times the bound for vertices
   covers that. */
static double support_of_box(const void *shape, const double n[3], double out_point[3])
{
    const placed_vertices *s = shape;
    double q[3], value = 0, error = local_direction(s, n, q);
    (void)out_point; /* boxes are not searched */
    for (int j = 0; j < 3; j++)
        value += q[j] * s->centre[j] + fabs(q[j]) * s->half[j];
    return value + 4 * error;
}

static double support_of_vertices(const void *shape, const double n[3], double out_point[3])
{
    const placed_vertices *s = shape;
    double q[3], error = local_direction(s, n, q);
    uint32_t vertex;
    double highest = grz_farthest_vertex(s->mesh->vertices, s->mesh->vertex_count, q, &vertex);
    for (int axis = 0; axis < 3; axis++)
        out_point[axis] = grz_normal_dot(s->pose + 4 * axis, grz_mesh_vertex(s->mesh, vertex));
    return highest + error;
}

/* Separating axis test of the oriented boxes along n, in both directions; n becomes the normal. */
static bool axis_separates_boxes(const grz_supported *a, const grz_supported *b, double n[3], double distance)
{
    double unused[3], square = grz_normal_dot(n, n);
    if (!(square > GRZ_SHORTEST_NORMAL_SQ && square < GRZ_LONGEST_NORMAL_SQ))
        return false;
    if (grz_plane_separates(a, b, support_of_box, n, distance, unused))
        return true;
    for (int axis = 0; axis < 3; axis++)
        n[axis] = -n[axis];
    return grz_plane_separates(a, b, support_of_box, n, distance, unused);
}

static void column_of(const placed_vertices *s, int column, double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = s->pose[4 * axis + column];
}

static bool any_box_axis_separates(const grz_supported *a, const grz_supported *b, double distance, double n[3])
{
    double x[3], y[3];
    for (int k = 0; k < 6; k++)
    {
        column_of(k % 2 == 0 ? a->shape : b->shape, k / 2, n);
        if (axis_separates_boxes(a, b, n, distance))
            return true;
    }
    for (int k = 0; k < 9; k++)
    {
        column_of(a->shape, k / 3, x);
        column_of(b->shape, k % 3, y);
        for (int axis = 0; axis < 3; axis++)
            n[axis] = x[(axis + 1) % 3] * y[(axis + 2) % 3] - x[(axis + 2) % 3] * y[(axis + 1) % 3];
        if (axis_separates_boxes(a, b, n, distance))
            return true;
    }
    return false;
}

static bool find_plane(const placed_vertices *a, const placed_vertices *b, double distance, double n[3])
{
    grz_supported side_a = {a, a->translation, 0}, side_b = {b, b->translation, 0};
    if (any_box_axis_separates(&side_a, &side_b, distance, n))
        return true;
    for (int axis = 0; axis < 3; axis++)
        n[axis] = (b->translation[axis] + b->world_centre[axis]) - (a->translation[axis] + a->world_centre[axis]);
    return grz_search_separating_plane(&side_a, &side_b, support_of_vertices, distance, TRIES, n);
}

graze_status graze_pair_find_separating_plane(const graze_placed_mesh *a, const graze_placed_mesh *b, double distance,
                                              bool *out_found, double out_normal[3])
{
    graze_status status = grz_check_arguments(a, b);
    if (status == GRAZE_STATUS_OK && (out_found == NULL || !(distance >= 0) || grz_is_less(distance, 0)))
        status = GRAZE_STATUS_BAD_ARGUMENT;
    if (status != GRAZE_STATUS_OK)
        return status;
    double n[3];
    bool found = false;
    if (a->mesh->triangle_count > 0 && b->mesh->triangle_count > 0)
    {
        placed_vertices side_a = make_side(a), side_b = make_side(b);
        found = side_a.fits && side_b.fits && find_plane(&side_a, &side_b, distance, n);
    }
    *out_found = found;
    for (int axis = 0; found && out_normal != NULL && axis < 3; axis++)
        out_normal[axis] = n[axis];
    return GRAZE_STATUS_OK;
}
