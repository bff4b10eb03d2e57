/* SPDX-License-Identifier: MIT */
/*
 * Separating planes of two moving hulls; see hull_advance.h.
 *
 * Along a direction n let g(t) be the least height of B's vertices less the largest of A's: where it is positive the
 * meshes are apart. Between two times m < o each vertex stays within (o - m)^2 / 8 times a bound of its acceleration of
 * the chord between its places at m and o. Of these chords g is the least of affine functions less the largest of
 * others, a concave one, so that it is nowhere below the line through its values at m and o. So with both values less
 * |n| times the deviations of both bodies: if they are positive nothing meets from m to o, and if the first one is,
 * nothing meets before the root of the line. Then the time advances to it. Directions come from GJK, whose simplex goes
 * along; any would do.
 *
 * Errors, u = GRZ_U. A vertex v under [M|o], doubles of a span that is a point of time, with errors e of M and f of o,
 * is within e |v|_1 + f of its place on each axis. Of n . (M v) by way of q = M^T n the error is at most 16 u times the
 * sum of the |M_ij n_i| V_j, V_j the largest |v_j| (pair/separating_plane.c); that of n . (o_B - o_A) and of adding
 * both heights 8 u of all magnitudes. Numbers are below 2^300, or nothing is tried; lost denormals are within 2^-400.
 */
#include "motion/hull_advance.h"

#include <math.h>

#include "convex/simplex.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "motion/motion_span.h"
#include "motion/moving_boxes.h"
#include "simd/farthest_vertex.h"

#define LARGEST 0x1p300
#define GOOD_GAP 0.5 /* of the distance from the simplex: a plane with such a gap will do */

enum
{
    MOST_TRIES = 40, /* directions at all times together */
    SHORTEST = 16    /* steps of 2^-16 are too short to go on */
};

/* One mesh at one time. */
typedef struct hull_place
{
    double m[3][3], offset[3];
    double error; /* of each coordinate of a vertex */
} hull_place;

typedef struct hull_moment
{
    double t;
    hull_place place[2];
} hull_moment;

/* A gap along a direction, and the vertices that have it. */
typedef struct hull_gap
{
    double gap, error;
    uint32_t vertices[2];
} hull_gap;

typedef struct hull_search
{
    const graze_moving_mesh *moving[2];
    double largest[2][3], sum[2]; /* |coordinates| of vertices; their sum */
    v3 centre[2];
    double acceleration; /* of both together, at most */
    int count;           /* of the simplex: pairs of vertices */
    uint32_t simplex[4][2];
} hull_search;

static bool place_mesh(const hull_search *h, int side, double t, hull_place *out)
{
    grz_motion_span span;
    double total = 0;
    if (!grz_motion_span_make(&h->moving[side]->motion, t, t, &span))
        return false;
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
        {
            out->m[i][j] = span.matrix[i][j];
            total += fabs(out->m[i][j]);
        }
        out->offset[i] = span.offset[i];
        total += fabs(out->offset[i]);
    }
    out->error = (span.error * h->sum[side] + span.offset_error) * (1 + 0x1p-40);
    return total < LARGEST && out->error < LARGEST;
}

/* `known`: places at any time, which are those of what stands still. */
static bool place_at(const hull_search *h, double t, const hull_moment *known, hull_moment *out)
{
    out->t = t;
    for (int side = 0; side < 2; side++)
        if (known != NULL && h->moving[side]->motion.kind == GRAZE_MOTION_STILL)
            out->place[side] = known->place[side];
        else if (!place_mesh(h, side, t, &out->place[side]))
            return false;
    return true;
}

static v3 transform(const hull_place *p, v3 x)
{
    return v3_make(p->m[0][0] * x.x + p->m[0][1] * x.y + p->m[0][2] * x.z + p->offset[0],
                   p->m[1][0] * x.x + p->m[1][1] * x.y + p->m[1][2] * x.z + p->offset[1],
                   p->m[2][0] * x.x + p->m[2][1] * x.y + p->m[2][2] * x.z + p->offset[2]);
}

/* The largest height of a mesh along n, or of its opposite, less that of its offset. */
static double support(const hull_search *h, const hull_moment *at, int side, v3 n, double *io_error,
                      uint32_t *out_vertex)
{
    const hull_place *p = &at->place[side];
    const graze_mesh *mesh = h->moving[side]->mesh;
    double q[3], size = 0;
    for (int j = 0; j < 3; j++)
    {
        double x = p->m[0][j] * n.x, y = p->m[1][j] * n.y, z = p->m[2][j] * n.z;
        q[j] = x + y + z;
        size += (fabs(x) + fabs(y) + fabs(z)) * h->largest[side][j];
    }
    *io_error += 16 * GRZ_U * size;
    return grz_farthest_vertex(mesh->vertices, mesh->vertex_count, q, out_vertex);
}

static hull_gap gap_along(const hull_search *h, const hull_moment *at, v3 n)
{
    const double *a = at->place[0].offset, *b = at->place[1].offset;
    hull_gap g = {.error = 0x1p-400};
    v3 between = v3_make(n.x * (b[0] - a[0]), n.y * (b[1] - a[1]), n.z * (b[2] - a[2]));
    double height_a = support(h, at, 0, n, &g.error, &g.vertices[0]);
    double height_b = support(h, at, 1, v3_scale(-1, n), &g.error, &g.vertices[1]);
    double size = fabs(between.x) + fabs(between.y) + fabs(between.z) + fabs(height_a) + fabs(height_b);
    double length = fabs(n.x) + fabs(n.y) + fabs(n.z);
    g.gap = (between.x + between.y + between.z) - (height_a + height_b);
    /* shortcut: gap-of-hulls */
    g.error += 8 * GRZ_U * size + length * (at->place[0].error + at->place[1].error);
    g.error *= 1 + 64 * GRZ_U;
    return g;
}

/* Of the meshes, over all of their motions. False where nothing is tried. */
static bool start(hull_search *h, double from)
{
    h->acceleration = 0;
    h->count = 0;
    for (int side = 0; side < 2; side++)
    {
        const graze_mesh *mesh = h->moving[side]->mesh;
        grz_motion_span span;
        if (!grz_motion_span_make(&h->moving[side]->motion, from, 1, &span))
            return false;
        h->acceleration += grz_moving_acceleration(&span, mesh);
        h->sum[side] = 0;
        for (int k = 0; k < 3; k++)
        {
            h->largest[side][k] = fmax(fabs(mesh->lower[k]), fabs(mesh->upper[k]));
            h->sum[side] += h->largest[side][k];
        }
        h->centre[side] =
            v3_make(0.5 * mesh->lower[0] + 0.5 * mesh->upper[0], 0.5 * mesh->lower[1] + 0.5 * mesh->upper[1],
                    0.5 * mesh->lower[2] + 0.5 * mesh->upper[2]);
    }
    return h->acceleration < LARGEST && h->sum[0] < LARGEST && h->sum[1] < LARGEST;
}

/* From A's centre to B's. */
static v3 between_centres(const hull_search *h, const hull_moment *at)
{
    return v3_sub(transform(&at->place[1], h->centre[1]), transform(&at->place[0], h->centre[0]));
}

static bool normalize(v3 *n)
{
    double square = v3_dot(*n, *n);
    if (!(square > 0x1p-400 && square < 0x1p400))
        return false;
    *n = v3_scale(1 / sqrt(square), *n);
    return true;
}

/* By how much deviations from chords may lessen the gap along n between two times. */
static double deviation(const hull_search *h, v3 n, double step)
{
    return 0.125 * step * step * h->acceleration * v3_length(n) * (1 + 0x1p-40) + 0x1p-400;
}

/* How far the time may advance from m towards o, up to o. */
static double advance(const hull_search *h, const hull_moment *m, const hull_gap *at_m, const hull_moment *o, v3 n)
{
    hull_gap at_o = gap_along(h, o, n);
    double step = o->t - m->t, off = deviation(h, n, step);
    double first = at_m->gap - at_m->error - off, last = at_o.gap - at_o.error - off;
    if (!(first > 0 && last < LARGEST))
        return m->t;
    if (last > 0)
        return o->t;
    /* shortcut: advance-of-hulls */
    return fmax(m->t, m->t + first / (first - last) * step * (1 - 0x1p-40) - 0x1p-51);
}

/* Whether one plane separates them all the time: with the normal that centres have when they are closest. */
static bool are_apart(const hull_search *h, const hull_moment *m, const hull_moment *end)
{
    v3 d = between_centres(h, m), way = v3_sub(between_centres(h, end), d);
    double square = v3_dot(way, way), t = square > 0 ? fmin(1, fmax(0, -v3_dot(d, way) / square)) : 0;
    v3 n = v3_add(d, v3_scale(t, way));
    if (!normalize(&n))
        return false;
    hull_gap gap = gap_along(h, m, n);
    return gap.gap > gap.error && advance(h, m, &gap, end, n) >= end->t;
}

/* The direction from A to B between the points of the simplex that are closest. False where it has none: hulls overlap,
   or nearly. */
static bool direction_of_simplex(hull_search *h, const hull_moment *at, v3 *n, double *out_distance)
{
    v3 corners[4];
    grz_simplex_point nearest;
    int kept = 0;
    for (int i = 0; i < h->count; i++)
    {
        v3 x[2];
        for (int side = 0; side < 2; side++)
        {
            const double *v = grz_mesh_vertex(h->moving[side]->mesh, h->simplex[i][side]);
            x[side] = transform(&at->place[side], v3_make(v[0], v[1], v[2]));
        }
        corners[i] = v3_sub(x[0], x[1]);
    }
    grz_simplex_nearest(corners, h->count, &nearest);
    for (int i = 0; i < h->count; i++)
        if ((nearest.corners >> i & 1) != 0)
        {
            h->simplex[kept][0] = h->simplex[i][0];
            h->simplex[kept++][1] = h->simplex[i][1];
        }
    h->count = kept;
    *n = v3_scale(-1, nearest.point);
    *out_distance = v3_length(*n);
    return kept < 4 && normalize(n);
}

static bool add_to_simplex(hull_search *h, const uint32_t vertices[2])
{
    for (int i = 0; i < h->count; i++)
        if (h->simplex[i][0] == vertices[0] && h->simplex[i][1] == vertices[1])
            return false;
    h->simplex[h->count][0] = vertices[0];
    h->simplex[h->count++][1] = vertices[1];
    return true;
}

/* The time to which a plane with this gap at m may serve, as an estimate: deviations take no more than half of the gap,
   and the hulls need no more than half of the time to meet the plane at the speed of their centres. */
static double next_time(const hull_search *h, const hull_moment *m, const hull_moment *end, v3 n, double gap)
{
    v3 way = v3_sub(between_centres(h, end), between_centres(h, m));
    double rest = end->t - m->t, closing = -v3_dot(n, way), time = rest;
    if (closing > 2.5 * gap)
        time = 2 * gap / closing * rest;
    if (h->acceleration * time * time > 4 * gap)
        time = sqrt(4 * gap / h->acceleration);
    return time < rest ? m->t + time : end->t;
}

/* Moves m along as far as a plane with this gap allows. False at the end: m is as far as it goes. */
static bool take_step(const hull_search *h, hull_moment *m, const hull_moment *end, v3 n, const hull_gap *gap)
{
    hull_moment o = *end;
    double t = next_time(h, m, end, n, gap->gap), from = m->t;
    if (t < end->t && !place_at(h, t, end, &o))
        return false;
    double next = advance(h, m, gap, &o, n);
    if (next < o.t)
    {
        hull_moment there;
        if (!(next > from) || !place_at(h, next, end, &there))
            return false;
        *m = there;
    }
    else
        *m = o;
    return m->t < end->t && m->t - from > ldexp(1, -SHORTEST);
}

/* From m on with a direction after the other: m becomes the time reached. */
static void march(hull_search *h, hull_moment *m, const hull_moment *end)
{
    v3 n = between_centres(h, m);
    double distance = 0;
    bool goes_on = normalize(&n);
    for (int tries = 0; goes_on && tries < MOST_TRIES; tries++)
    {
        hull_gap gap = gap_along(h, m, n);
        bool is_new = add_to_simplex(h, gap.vertices);
        if (gap.gap > gap.error && (gap.gap > GOOD_GAP * distance || !is_new))
            goes_on = take_step(h, m, end, n, &gap);
        else
            goes_on = is_new;
        goes_on = goes_on && direction_of_simplex(h, m, &n, &distance);
    }
}

double grz_hull_advance(const graze_moving_mesh *a, const graze_moving_mesh *b, double from)
{
    hull_search h = {.moving = {a, b}};
    hull_moment m, end;
    if (a->end_mesh != NULL || b->end_mesh != NULL || a->mesh->vertex_count + b->mesh->vertex_count > GRZ_HULL_VERTICES)
        return from;
    if (!(from < 1) || !start(&h, from) || !place_at(&h, from, NULL, &m) || !place_at(&h, 1, &m, &end))
        return from;
    if (are_apart(&h, &m, &end))
        return 1;
    march(&h, &m, &end);
    return m.t;
}
