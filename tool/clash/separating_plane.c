/* SPDX-License-Identifier: MIT */
/*
 * Separating planes; see separating_plane.h. First the separating axis test of the two parts' oriented boxes (15 axes),
 * which costs next to nothing; then directions with all vertices, about a microsecond per thousand vertices. When a
 * direction does not separate, the next one is its reflection by the difference of the two support points (Chung and
 * Wang, Quick collision detection of polytopes, 1996). Directions may be arbitrary: only the error bounds of the
 * heights along them must hold.
 *
 * Error bound of a height. Along n a vertex v of a part under [R|t] has the height q . v + n . t, with q = R^T n. Let
 * S_j be the sum of |R_ij n_i| over i, V_j the largest |v_j|, u half of DBL_EPSILON, or all of it in another rounding
 * mode. The error of q_j is at most 4 u S_j, of q . v that and 4 u of its terms, of n . t 4 u of its terms, of the sum
 * of both u: 16 u times the sum of all S_j V_j and |n_i t_i| is more than enough, the rounding of that sum included.
 *
 * Terms that underflow, or denormals flushed to zero, cost less than 2^-1022 times the other factors of the term. Those
 * are n, below 2^200, an entry of R or t, and a coordinate, both below 2^300, or nothing is tried: all such terms make
 * less than 2^-410, and 2^-400 covers them. The length of n, from which the distance along it comes, is above 2^-200:
 * its square is no denormal.
 */
#include "clash/separating_plane.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum
{
    TRIES = 4, /* directions with vertices */
    BLOCK = 64 /* vertices per block of the search for the support vertex */
};

#define LARGEST 0x1p300          /* of entries of poses, and of coordinates */
#define SHORTEST_SQUARE 0x1p-400 /* of the length of a direction */
#define LONGEST_SQUARE 0x1p400

typedef struct body
{
    const graze_placed_mesh *placed;
    double centre[3], half[3]; /* of its AABB in its own frame */
    double largest[3];         /* V: largest |coordinate| by axis */
    double world[3];           /* the centre in the world */
    bool fits;                 /* all its numbers are below LARGEST */
} body;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static body make_body(const clash_part *part)
{
    body b = {.placed = &part->placed, .fits = true};
    graze_box box = graze_mesh_bounds(part->placed.mesh);
    for (int axis = 0; axis < 3; axis++)
    {
        b.centre[axis] = 0.5 * box.lower[axis] + 0.5 * box.upper[axis];
        b.half[axis] = 0.5 * box.upper[axis] - 0.5 * box.lower[axis];
        b.largest[axis] = fmax(fabs(box.lower[axis]), fabs(box.upper[axis]));
        b.fits = b.fits && b.largest[axis] < LARGEST;
    }
    for (int i = 0; i < 12; i++)
        b.fits = b.fits && fabs(part->placed.pose.m[i]) < LARGEST;
    for (int axis = 0; axis < 3; axis++)
        b.world[axis] = dot(part->placed.pose.m + 4 * axis, b.centre) + part->placed.pose.m[4 * axis + 3];
    return b;
}

/* Support of a body along a direction, with its error bound. */
typedef struct support
{
    double value, error;
    double point[3]; /* approximate support point in the world; not set for boxes */
} support;

/* Transforms the direction into the body's frame and starts with the height that all vertices share. */
static support start_support(const body *b, const double n[3], double out_local[3])
{
    const double *m = b->placed->pose.m;
    support h = {.value = 0};
    double size = 0;
    for (int j = 0; j < 3; j++)
    {
        double x = m[j] * n[0], y = m[4 + j] * n[1], z = m[8 + j] * n[2], shift = n[j] * m[4 * j + 3];
        out_local[j] = x + y + z;
        h.value += shift;
        size += (fabs(x) + fabs(y) + fabs(z)) * b->largest[j] + fabs(shift);
    }
    /* shortcut: planes-between-parts */
    h.error = 16 * DBL_EPSILON * size + 0x1p-400;
    return h;
}

/* Half extents and centre are rounded, each by less than u of the largest coordinate: four times the bound for vertices
 * covers that. */
static support support_of_box(const body *b, const double n[3])
{
    double q[3];
    support h = start_support(b, n, q);
    for (int j = 0; j < 3; j++)
        h.value += q[j] * b->centre[j] + fabs(q[j]) * b->half[j];
    h.error *= 4;
    return h;
}

/* The largest q . v and its vertex; four independent maxima, since one would be a chain of dependent operations. */
static double farthest_vertex(const double *vertices, size_t count, const double q[3], size_t *out_vertex)
{
    double best = -INFINITY;
    size_t best_block = 0;
    for (size_t first = 0; first < count; first += BLOCK)
    {
        size_t end = first + BLOCK < count ? first + BLOCK : count, v = first;
        double most[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
        for (; v + 4 <= end; v += 4)
            for (size_t k = 0; k < 4; k++)
            {
                double height = dot(q, vertices + 3 * (v + k));
                most[k] = height > most[k] ? height : most[k];
            }
        for (; v < end; v++)
        {
            double height = dot(q, vertices + 3 * v);
            most[0] = height > most[0] ? height : most[0];
        }
        double highest = fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
        best_block = highest > best ? first : best_block;
        best = highest > best ? highest : best;
    }
    for (*out_vertex = best_block; *out_vertex + 1 < count && dot(q, vertices + 3 * *out_vertex) < best;)
        ++*out_vertex;
    return best;
}

static support support_of_vertices(const body *b, const double n[3])
{
    double q[3];
    size_t vertex;
    support h = start_support(b, n, q);
    const double *vertices = graze_mesh_vertices(b->placed->mesh), *m = b->placed->pose.m;
    h.value += farthest_vertex(vertices, graze_mesh_vertex_count(b->placed->mesh), q, &vertex);
    for (int axis = 0; axis < 3; axis++)
        h.point[axis] = dot(m + 4 * axis, vertices + 3 * vertex) + m[4 * axis + 3];
    return h;
}

/* Whether A lies below B along n, with more than the distance between them. */
static bool is_separated(const support *a, const support *b_back, const double n[3], double distance)
{
    double gap = -b_back->value - a->value, error = a->error + b_back->error;
    double needed = distance * sqrt(dot(n, n)) * (1 + 16 * DBL_EPSILON) + error * (1 + 16 * DBL_EPSILON);
    return gap * (1 - 4 * DBL_EPSILON) > needed && gap < INFINITY;
}

/* Separating axis test of the oriented boxes along n, in both directions. */
static bool axis_separates_boxes(const body *a, const body *b, const double n[3], double distance)
{
    double square = dot(n, n);
    if (!(square > SHORTEST_SQUARE && square < LONGEST_SQUARE))
        return false;
    const double back[3] = {-n[0], -n[1], -n[2]};
    support a_up = support_of_box(a, n), b_down = support_of_box(b, back);
    if (is_separated(&a_up, &b_down, n, distance))
        return true;
    support a_down = support_of_box(a, back), b_up = support_of_box(b, n);
    return is_separated(&a_down, &b_up, back, distance);
}

static void column_of(const body *b, int column, double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = b->placed->pose.m[4 * axis + column];
}

static bool any_box_axis_separates(const body *a, const body *b, double distance)
{
    double x[3][3], y[3][3], n[3];
    for (int k = 0; k < 3; k++)
    {
        column_of(a, k, x[k]);
        column_of(b, k, y[k]);
        if (axis_separates_boxes(a, b, x[k], distance) || axis_separates_boxes(a, b, y[k], distance))
            return true;
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            for (int axis = 0; axis < 3; axis++)
                n[axis] = x[i][(axis + 1) % 3] * y[k][(axis + 2) % 3] - x[i][(axis + 2) % 3] * y[k][(axis + 1) % 3];
            if (axis_separates_boxes(a, b, n, distance))
                return true;
        }
    return false;
}

bool clash_is_separated(const clash_part *part_a, const clash_part *part_b, double distance)
{
    if (part_a->triangle_count == 0 || part_b->triangle_count == 0)
        return false;
    body a = make_body(part_a), b = make_body(part_b);
    if (!a.fits || !b.fits)
        return false;
    if (any_box_axis_separates(&a, &b, distance))
        return true;
    double n[3], far[3];
    for (int axis = 0; axis < 3; axis++)
        n[axis] = b.world[axis] - a.world[axis];
    for (int tries = 0; tries < TRIES; tries++)
    {
        double square = dot(n, n), length = sqrt(square);
        if (!(square > SHORTEST_SQUARE && square < LONGEST_SQUARE))
            return false;
        for (int axis = 0; axis < 3; axis++)
            n[axis] /= length;
        const double back[3] = {-n[0], -n[1], -n[2]};
        support up = support_of_vertices(&a, n), down = support_of_vertices(&b, back);
        if (is_separated(&up, &down, n, distance))
            return true;
        for (int axis = 0; axis < 3; axis++)
            far[axis] = up.point[axis] - down.point[axis];
        double factor = 2 * dot(n, far) / dot(far, far);
        for (int axis = 0; axis < 3; axis++)
            n[axis] -= factor * far[axis];
    }
    return false;
}
