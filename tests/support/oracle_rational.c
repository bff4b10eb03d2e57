/* SPDX-License-Identifier: MIT */
/*
 * A second oracle that checks the first: triangle against triangle in plain rationals, by candidates. Every corner of
 * the intersection is a corner of one triangle, an intersection of an edge with the other's plane, or a crossing of two
 * edges. All candidates in both triangles are collected; their dimension and features are the contact's.
 */
#include <string.h>

#include "support/lattice.h"
#include "support/oracle.h"

typedef mpq_t point3[3];

enum
{
    MOST_CANDIDATES = 6 + 18 + 9
};

typedef struct scene
{
    point3 corners[2][3];
    int candidate_count;
    point3 candidates[MOST_CANDIDATES + 1]; /* the last one is being computed */
    point3 u, v, w, n;
    mpq_t s, t, r;
} scene;

static void each_number(scene *place, void (*action)(mpq_ptr number))
{
    mpq_t *numbers[] = {place->u, place->v, place->w, place->n};
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            action(numbers[i][c]);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            action(place->corners[i / 3][i % 3][c]);
    for (int i = 0; i < MOST_CANDIDATES + 1; i++)
        for (int c = 0; c < 3; c++)
            action(place->candidates[i][c]);
    action(place->s);
    action(place->t);
    action(place->r);
}

static void subtract(point3 out, point3 a, point3 b)
{
    for (int c = 0; c < 3; c++)
        mpq_sub(out[c], a[c], b[c]);
}

static void dot(scene *place, mpq_t out, point3 a, point3 b)
{
    mpq_set_ui(out, 0, 1);
    for (int c = 0; c < 3; c++)
    {
        mpq_mul(place->r, a[c], b[c]);
        mpq_add(out, out, place->r);
    }
}

static void cross(scene *place, point3 out, point3 a, point3 b)
{
    for (int c = 0; c < 3; c++)
    {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        mpq_mul(out[c], a[d], b[e]);
        mpq_mul(place->r, a[e], b[d]);
        mpq_sub(out[c], out[c], place->r);
    }
}

static bool is_zero(point3 a)
{
    return mpq_sgn(a[0]) == 0 && mpq_sgn(a[1]) == 0 && mpq_sgn(a[2]) == 0;
}

static bool same(point3 a, point3 b)
{
    return mpq_equal(a[0], b[0]) && mpq_equal(a[1], b[1]) && mpq_equal(a[2], b[2]);
}

static void place_corner(point3 out, const double *corner, const graze_pose *pose)
{
    mpq_t factor, term;
    mpq_inits(factor, term, NULL);
    for (int row = 0; row < 3; row++)
    {
        rational_set_double(out[row], pose == NULL ? corner[row] : pose->m[4 * row + 3]);
        for (int column = 0; column < 3 && pose != NULL; column++)
        {
            rational_set_double(factor, pose->m[4 * row + column]);
            rational_set_double(term, corner[column]);
            mpq_mul(term, term, factor);
            mpq_add(out[row], out[row], term);
        }
    }
    mpq_clears(factor, term, NULL);
}

/* Whether x lies on the closed segment from a to b. */
static bool on_segment(scene *place, point3 x, point3 a, point3 b)
{
    subtract(place->u, a, x);
    subtract(place->v, b, x);
    cross(place, place->w, place->u, place->v);
    dot(place, place->s, place->u, place->v);
    return is_zero(place->w) && mpq_sgn(place->s) <= 0;
}

static bool flat(scene *place, point3 *corners)
{
    subtract(place->u, corners[1], corners[0]);
    subtract(place->v, corners[2], corners[0]);
    cross(place, place->n, place->u, place->v);
    return is_zero(place->n);
}

static bool in_triangle(scene *place, point3 x, point3 *corners)
{
    if (flat(place, corners))
        return on_segment(place, x, corners[0], corners[1]) || on_segment(place, x, corners[1], corners[2]) ||
               on_segment(place, x, corners[2], corners[0]);
    subtract(place->u, x, corners[0]);
    dot(place, place->s, place->u, place->n);
    if (mpq_sgn(place->s) != 0)
        return false;
    for (int i = 0; i < 3; i++)
    {
        subtract(place->u, corners[(i + 1) % 3], corners[i]);
        subtract(place->v, x, corners[i]);
        cross(place, place->w, place->u, place->v);
        dot(place, place->s, place->w, place->n);
        if (mpq_sgn(place->s) < 0)
            return false;
    }
    return true;
}

/* Keeps the current candidate if it lies in both triangles. */
static void offer(scene *place)
{
    point3 *made = &place->candidates[place->candidate_count];
    if (in_triangle(place, *made, place->corners[0]) && in_triangle(place, *made, place->corners[1]))
        place->candidate_count++;
}

/* a + (b - a) * s / t */
static void offer_along(scene *place, point3 a, point3 b)
{
    point3 *made = &place->candidates[place->candidate_count];
    for (int c = 0; c < 3; c++)
    {
        mpq_sub((*made)[c], b[c], a[c]);
        mpq_mul((*made)[c], (*made)[c], place->s);
        mpq_div((*made)[c], (*made)[c], place->t);
        mpq_add((*made)[c], (*made)[c], a[c]);
    }
    offer(place);
}

/* The line from a to b through the plane of a triangle: a + (b - a) * n.(p - a) / n.(b - a). */
static void offer_edge_face(scene *place, point3 a, point3 b, point3 *corners)
{
    if (flat(place, corners))
        return;
    subtract(place->u, corners[0], a);
    subtract(place->v, b, a);
    dot(place, place->s, place->n, place->u);
    dot(place, place->t, place->n, place->v);
    if (mpq_sgn(place->t) != 0)
        offer_along(place, a, b);
}

/* The line from a to b with the line from c to d, if they have one point in common:
 * a + (b - a) * ((c - a) x (d - c)).m / m.m, with m = (b - a) x (d - c). A false point is on no edge and is refused. */
static void offer_edge_edge(scene *place, point3 a, point3 b, point3 c, point3 d)
{
    subtract(place->u, b, a);
    subtract(place->v, d, c);
    cross(place, place->n, place->u, place->v);
    if (is_zero(place->n))
        return;
    subtract(place->u, c, a);
    cross(place, place->w, place->u, place->v);
    dot(place, place->s, place->w, place->n);
    dot(place, place->t, place->n, place->n);
    offer_along(place, a, b);
}

static void gather(scene *place)
{
    place->candidate_count = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++)
        {
            for (int c = 0; c < 3; c++)
                mpq_set(place->candidates[place->candidate_count][c], place->corners[side][i][c]);
            offer(place);
            offer_edge_face(place, place->corners[side][i], place->corners[side][(i + 1) % 3],
                            place->corners[1 - side]);
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            offer_edge_edge(place, place->corners[0][i], place->corners[0][(i + 1) % 3], place->corners[1][j],
                            place->corners[1][(j + 1) % 3]);
}

static unsigned char dimension(scene *place)
{
    unsigned char found = 0;
    for (int i = 1; i < place->candidate_count; i++)
        for (int j = 1; j < place->candidate_count; j++)
        {
            subtract(place->u, place->candidates[i], place->candidates[0]);
            subtract(place->v, place->candidates[j], place->candidates[0]);
            cross(place, place->w, place->u, place->v);
            if (!is_zero(place->u) && found < 1)
                found = 1;
            if (!is_zero(place->w))
                found = 2;
        }
    return found;
}

/* The lowest-numbered corner coincident with corner i. */
static int lowest(point3 *corners, int i)
{
    for (int j = 0; j < i; j++)
        if (same(corners[j], corners[i]))
            return j;
    return i;
}

static graze_feature feature(scene *place, point3 *corners, unsigned char *mask)
{
    bool no_area = flat(place, corners);
    for (int i = 0; i < 3; i++)
    {
        bool all = true;
        for (int k = 0; k < place->candidate_count; k++)
            all = all && same(place->candidates[k], corners[i]);
        /* A corner between the two others of a triangle without area is no feature of it. */
        point3 *a = &corners[(i + 1) % 3], *b = &corners[(i + 2) % 3];
        bool middle =
            no_area && !same(corners[i], *a) && !same(corners[i], *b) && on_segment(place, corners[i], *a, *b);
        *mask = (unsigned char)(1 << lowest(corners, i));
        if (all && !middle)
            return GRAZE_FEATURE_VERTEX;
    }
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3;
        bool all = !no_area || on_segment(place, corners[(i + 2) % 3], corners[i], corners[j]);
        for (int k = 0; k < place->candidate_count; k++)
            all = all && on_segment(place, place->candidates[k], corners[i], corners[j]);
        *mask = (unsigned char)(1 << lowest(corners, i) | 1 << lowest(corners, j));
        if (all)
            return GRAZE_FEATURE_EDGE;
    }
    *mask = 7;
    return GRAZE_FEATURE_FACE;
}

static void start_number(mpq_ptr number)
{
    mpq_init(number);
}

static void end_number(mpq_ptr number)
{
    mpq_clear(number);
}

graze_triangle_contact oracle_rational_triangles(const graze_placed_triangle *a, const graze_placed_triangle *b)
{
    scene place;
    graze_triangle_contact contact = {0};
    each_number(&place, start_number);
    for (int i = 0; i < 3; i++)
    {
        place_corner(place.corners[0][i], a->corners[i], a->pose);
        place_corner(place.corners[1][i], b->corners[i], b->pose);
    }
    gather(&place);
    if (place.candidate_count > 0)
    {
        contact.found = true;
        contact.dimension = dimension(&place);
        contact.coplanar = contact.dimension == 2;
        contact.feature_a = feature(&place, place.corners[0], &contact.mask_a);
        contact.feature_b = feature(&place, place.corners[1], &contact.mask_b);
        contact.crossing = contact.dimension == 1 && contact.feature_a == GRAZE_FEATURE_FACE &&
                           contact.feature_b == GRAZE_FEATURE_FACE;
    }
    each_number(&place, end_number);
    return contact;
}
