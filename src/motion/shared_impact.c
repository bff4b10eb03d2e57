/* SPDX-License-Identifier: MIT */
/*
 * First impacts that follow from doubles; see shared_impact.h.
 *
 * Shared features. Let T be the first impact of triangles a and b, where a vertex v of a meets the interior of b, and
 * let a' be another triangle of v that does not meet b before D <= T. Throughout [D, T] let v, seen along an axis, lie
 * within b, so that v is in b whenever it is in b's plane. As a and b do not meet before T, v is then off b's plane in
 * [D, T), always on the same side. If a' has its other corners on that side throughout [D, T], a' and b are apart
 * before T, and at T only v meets b. The same with the roles of A and B. Let an edge p q of a meet an edge r s of b at
 * T, both within, and a', b' be triangles of these edges. Throughout [D, T] let the edges, seen along an axis, cross.
 * As a and b do not meet before T, the edges are apart in [D, T), so the volume of p, q, r and s is not 0, always with
 * the same sign. If seen along (q - p) x (s - r) the third corner of a' lies beyond p q, away from r s, and that of b'
 * beyond r s, a plane between the two edges separates a' and b' before T, and at T the two edges alone meet.
 *
 * Places. By motion_span.h the point p is at x + s v / half + rest with x = matrix p + offset, v = half (rate p +
 * drift), |s| <= half, off by (error + half rate_error) (|p|_1 + 1). Each of x and v has 3 products and 3 sums: off by
 * at most 4 * 2^-53 of the magnitudes of their terms, for which 2^-49 is taken: it covers the sums of bounds too. The
 * difference of two points, of the same body or not, is that of x, off by that of v and both errors: what both move by
 * alike cancels out.
 *
 * Signs. Let vectors d_i be off by e_i and U_i = |d_i| + e_i, in the maximum norm. A 3x3 determinant has 6 products,
 * each off by e_1 U_2 U_3 + U_1 e_2 U_3 + U_1 U_2 e_3, and rounding takes at most 6 * 8 * 2^-53 U_1 U_2 U_3; a 2x2 one
 * has 2, and 2 * 3 * 2^-53 U_1 U_2. Factors are a little larger, for the rounding of bounds. What products of two lose
 * to underflow, 2^-1074 of the third vector, is less than e_i >= 2^-500 accounts for; of three, it is below 2^-1000.
 */
#include "motion/shared_impact.h"

#include <math.h>

#include "exact/contact.h"
#include "mesh/mesh.h"

/* On which side features are before they meet is asked so long before at least, where doubles can tell. */
#define EARLIER 0x1p-30

static bool spans_make(grz_span_pair *pair, const graze_moving_mesh *a, const graze_moving_mesh *b, double from,
                       double until)
{
    pair->made = true;
    pair->from = from;
    pair->until = until;
    pair->usable = grz_motion_span_make(&a->motion, from, until, &pair->spans[0]) &&
                   grz_motion_span_make(&b->motion, from, until, &pair->spans[1]);
    return pair->usable;
}

/* The six corners of two triangles in the spans: of A, of B. */
typedef struct pair_places
{
    double x[6][3], moves[6][3], error;
} pair_places;

/* A vector that is off by `error` on each axis at most; `most`: its length in the maximum norm with that. */
typedef struct near_vector
{
    double d[3], error, most;
} near_vector;

static void place(const grz_motion_span *span, const double p[3], int corner, pair_places *places)
{
    double size = 0, arm[3], rounding = 0;
    for (int k = 0; k < 3; k++)
    {
        arm[k] = p[k] - span->centre[k];
        size += fabs(p[k]);
    }
    for (int i = 0; i < 3; i++)
    {
        double x = span->offset[i], v = span->drift[i], x_terms = fabs(x), v_terms = fabs(v);
        for (int k = 0; k < 3; k++)
        {
            x += span->matrix[i][k] * p[k];
            v += span->rate[i][k] * p[k];
            x_terms += fabs(span->matrix[i][k] * p[k]);
            v_terms += fabs(span->rate[i][k] * p[k]);
        }
        places->x[corner][i] = x;
        places->moves[corner][i] = span->half * v;
        rounding = fmax(rounding, 0x1p-49 * (x_terms + span->half * v_terms));
    }
    double error = (span->error + span->half * span->rate_error) * size + span->offset_error;
    error += span->half * span->drift_error + span->bend * grz_length_above(arm) + span->bend_offset;
    places->error = fmax(places->error, (error + rounding) * (1 + 0x1p-40) + 0x1p-500);
}

static void place_pair(const grz_span_pair *pair, const graze_moving_mesh *a, const graze_moving_mesh *b,
                       uint32_t triangle_a, uint32_t triangle_b, pair_places *out)
{
    out->error = 0;
    for (int i = 0; i < 6; i++)
    {
        const graze_mesh *mesh = (i < 3 ? a : b)->mesh;
        uint32_t vertex = mesh->triangles[3 * (size_t)(i < 3 ? triangle_a : triangle_b) + (size_t)(i % 3)];
        place(&pair->spans[i / 3], grz_mesh_vertex(mesh, vertex), i, out);
    }
}

/* From corner p to corner q throughout the spans; or only at their beginning. */
static near_vector between(const pair_places *places, int p, int q, bool at_from)
{
    near_vector v;
    double size = 0, moves = 0;
    for (int k = 0; k < 3; k++)
    {
        double move = places->moves[q][k] - places->moves[p][k];
        v.d[k] = places->x[q][k] - places->x[p][k] - (at_from ? move : 0);
        size = fmax(size, fabs(v.d[k]));
        moves = fmax(moves, fabs(move));
    }
    v.error = (at_from ? 0x1p-50 * moves : moves) + 2 * places->error + 0x1p-50 * size;
    v.most = size + v.error;
    return v;
}

static int sign_beyond(double value, double bound)
{
    return value > bound ? 1 : value < -bound ? -1 : 0; /* also of NaN */
}

static int volume_sign(const near_vector *u, const near_vector *v, const near_vector *w)
{
    double volume = u->d[0] * (v->d[1] * w->d[2] - v->d[2] * w->d[1]) +
                    u->d[1] * (v->d[2] * w->d[0] - v->d[0] * w->d[2]) +
                    u->d[2] * (v->d[0] * w->d[1] - v->d[1] * w->d[0]);
    double off = u->error * v->most * w->most + u->most * v->error * w->most + u->most * v->most * w->error;
    return sign_beyond(volume, 6.5 * off + 0x1p-47 * u->most * v->most * w->most + 0x1p-1000);
}

/* The sign of u x v on an axis. */
static int area_sign(const near_vector *u, const near_vector *v, int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double off = u->error * v->most + u->most * v->error;
    return sign_beyond(u->d[i] * v->d[j] - u->d[j] * v->d[i], 2.5 * off + 0x1p-50 * u->most * v->most);
}

/* The side of corner p of the plane of the other triangle, whose corners begin at `face`. */
static int side_of_face(const pair_places *places, int face, int p, bool at_from)
{
    const near_vector u = between(places, face, face + 1, at_from), v = between(places, face, face + 2, at_from);
    const near_vector w = between(places, face, p, at_from);
    return volume_sign(&u, &v, &w);
}

/* ---- at the start ---- */

/* Which corners of a triangle lie above the plane of the other, whose corners begin at `face`, as a mask. False where
   one may lie in it, or none or all lie above. */
static bool cuts_plane(const pair_places *places, int face, unsigned *out_above)
{
    *out_above = 0;
    for (int i = 0; i < 3; i++)
    {
        int side = side_of_face(places, face, 3 - face + i, false);
        if (side == 0)
            return false;
        *out_above |= (side > 0 ? 1u : 0u) << i;
    }
    return *out_above != 0 && *out_above != 7;
}

/* Whether an edge of one triangle pierces the interior of the other, whose corners begin at `face`. */
static bool pierces(const pair_places *places, int face, unsigned above)
{
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3, p = 3 - face + i, q = 3 - face + j;
        if ((above >> i & 1) == (above >> j & 1))
            continue;
        const near_vector along = between(places, p, q, false);
        near_vector to[3];
        for (int k = 0; k < 3; k++)
            to[k] = between(places, p, face + k, false);
        int sign = volume_sign(&along, &to[0], &to[1]);
        if (sign != 0 && volume_sign(&along, &to[1], &to[2]) == sign && volume_sign(&along, &to[2], &to[0]) == sign)
            return true;
    }
    return false;
}

/* With no corner in the plane of the other triangle both have area, and each meets the common line of the planes in a
   segment. An edge that pierces the other triangle's interior puts an end of one segment within the other: they
   overlap, and the smallest features that contain the overlap are the faces. So it is right after the start. */
bool grz_pair_crosses_at_start(grz_shared_impact *shared, const graze_moving_mesh *a, const graze_moving_mesh *b,
                               uint32_t triangle_a, uint32_t triangle_b, grz_pair_time *out)
{
    if (a->end_mesh != NULL || b->end_mesh != NULL ||
        !(shared->start.made ? shared->start.usable : spans_make(&shared->start, a, b, 0, 0)))
        return false;
    pair_places places;
    unsigned above_a, above_b;
    place_pair(&shared->start, a, b, triangle_a, triangle_b, &places);
    /* shortcut: crosses-at-start */
    if (!cuts_plane(&places, 3, &above_a) || !cuts_plane(&places, 0, &above_b) ||
        !(pierces(&places, 3, above_a) || pierces(&places, 0, above_b)))
        return false;
    *out = (grz_pair_time){.a = triangle_a, .b = triangle_b, .found = true};
    out->contact.when.verdict = GRAZE_IMPACT_AT;
    out->contact.crosses = true;
    out->contact.contact = grz_contact_make(1, GRZ_WHOLE_TRIANGLE, GRZ_WHOLE_TRIANGLE);
    return true;
}

/* ---- shared features ---- */

/* The corners of a triangle that are the vertices of a feature of another: its mask, in the order of the feature's
   corners in `out`. 0 where one is missing. */
static unsigned find_corners(const uint32_t *triangle, const uint32_t *other, unsigned mask, int first, int out[3])
{
    unsigned found = 0;
    int count = 0;
    for (int i = 0; i < 3; i++)
    {
        if ((mask >> i & 1) == 0)
            continue;
        int at = 0;
        while (at < 3 && triangle[at] != other[i])
            at++;
        if (at == 3)
            return 0;
        found |= 1u << at;
        out[count++] = first + at;
    }
    return found;
}

/* The vertex p of one triangle and the face of the other, whose corners begin at `face`. */
static bool vertex_meets_first(const pair_places *places, int p, int face)
{
    near_vector to[3];
    for (int k = 0; k < 3; k++)
        to[k] = between(places, p, face + k, false);
    bool within = false;
    for (int axis = 0; axis < 3 && !within; axis++)
    {
        int sign = area_sign(&to[0], &to[1], axis);
        within = sign != 0 && area_sign(&to[1], &to[2], axis) == sign && area_sign(&to[2], &to[0], axis) == sign;
    }
    int side = within ? side_of_face(places, face, p, true) : 0;
    for (int i = 3 - face; side != 0 && i < 6 - face; i++)
        if (i != p && side_of_face(places, face, i, false) != side)
            return false;
    return side != 0;
}

/* Whether the edges e and f cross, seen along some axis. */
static bool edges_cross(const pair_places *places, const int e[2], const int f[2])
{
    const near_vector along_e = between(places, e[0], e[1], false), along_f = between(places, f[0], f[1], false);
    near_vector to[2], back[2]; /* from e's first corner to f's, from f's first corner to e's */
    for (int i = 0; i < 2; i++)
    {
        to[i] = between(places, e[0], f[i], false);
        back[i] = between(places, f[0], e[i], false);
    }
    for (int axis = 0; axis < 3; axis++)
        if (area_sign(&along_e, &to[0], axis) * area_sign(&along_e, &to[1], axis) < 0 &&
            area_sign(&along_f, &back[0], axis) * area_sign(&along_f, &back[1], axis) < 0)
            return true;
    return false;
}

static bool edges_meet_first(const pair_places *places, const int e[2], const int f[2])
{
    if (!edges_cross(places, e, f))
        return false;
    near_vector u = between(places, e[0], e[1], true), v = between(places, f[0], f[1], true);
    near_vector w = between(places, e[0], f[0], true);
    int side = volume_sign(&u, &v, &w);
    u = between(places, e[0], e[1], false);
    v = between(places, f[0], f[1], false);
    const near_vector third_a = between(places, e[0], 3 - e[0] - e[1], false);
    const near_vector third_b = between(places, f[0], 12 - f[0] - f[1], false);
    return side != 0 && volume_sign(&u, &v, &third_a) == -side && volume_sign(&u, &v, &third_b) == side;
}

/* How many corners are in a mask. */
static int count_of(unsigned mask)
{
    return (int)((mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1));
}

bool grz_pair_shares_impact(grz_shared_impact *shared, const graze_moving_mesh *a, const graze_moving_mesh *b,
                            const grz_pair_time *best, uint32_t triangle_a, uint32_t triangle_b, double from,
                            grz_pair_time *out)
{
    const graze_triangle_contact *contact = &best->contact.contact;
    double until = best->contact.when.upper;
    int count_a = count_of(contact->mask_a), count_b = count_of(contact->mask_b);
    if (a->end_mesh != NULL || b->end_mesh != NULL || contact->dimension != 0 || count_a + count_b != 4 ||
        !(from <= until))
        return false;
    pair_places places;
    const uint32_t *triangles[2] = {a->mesh->triangles + 3 * (size_t)triangle_a,
                                    b->mesh->triangles + 3 * (size_t)triangle_b};
    int corners_a[3], corners_b[3];
    unsigned mask_a =
        find_corners(triangles[0], a->mesh->triangles + 3 * (size_t)best->a, contact->mask_a, 0, corners_a);
    unsigned mask_b =
        find_corners(triangles[1], b->mesh->triangles + 3 * (size_t)best->b, contact->mask_b, 3, corners_b);
    if (count_of(mask_a) != count_a || count_of(mask_b) != count_b || (count_a == 3 && triangle_a != best->a) ||
        (count_b == 3 && triangle_b != best->b))
        return false;
    double start = fmax(from - EARLIER, 0);
    bool is_made = shared->before.made && shared->before.from <= start && !(shared->before.until < until) &&
                   !(shared->before.until > until);
    if (!(is_made ? shared->before.usable : spans_make(&shared->before, a, b, start, until)))
        return false;
    place_pair(&shared->before, a, b, triangle_a, triangle_b, &places);
    /* shortcut: shared-features */
    bool first = count_a == 2   ? edges_meet_first(&places, corners_a, corners_b)
                 : count_a == 1 ? vertex_meets_first(&places, corners_a[0], 3)
                                : vertex_meets_first(&places, corners_b[0], 0);
    if (!first)
        return false;
    *out = *best; /* the same number, and so the same root */
    out->a = triangle_a;
    out->b = triangle_b;
    out->contact.crosses = false;
    out->contact.contact = grz_contact_make(0, mask_a, mask_b);
    return true;
}
