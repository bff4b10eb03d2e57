/* SPDX-License-Identifier: MIT */
/*
 * The minimum over all pairs of edges, each as two segments by minimising over one parameter after the other (exactly,
 * so that no case is lost), and over all corners whose projection on the other's plane has barycentric coordinates in
 * range; 0 when the triangles share a point. The library enumerates features instead.
 */
#include "support/oracle_distance.h"

#include <math.h>

#include "support/lattice.h"

typedef mpq_t point3[3];

typedef struct scene
{
    point3 corners[2][3];
    point3 e, f, r, p;
    mpq_t ee, ff, ef, er, fr, s, t, x, y, least;
} scene;

static void each_number(scene *place, void (*action)(mpq_ptr number))
{
    mpq_t *vectors[] = {place->e, place->f, place->r, place->p};
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            action(vectors[i][c]);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            action(place->corners[i / 3][i % 3][c]);
    mpq_t *numbers[] = {&place->ee, &place->ff, &place->ef, &place->er, &place->fr,
                        &place->s,  &place->t,  &place->x,  &place->y,  &place->least};
    for (int i = 0; i < 10; i++)
        action(*numbers[i]);
}

static void initialize(mpq_ptr number)
{
    mpq_init(number);
}

static void release(mpq_ptr number)
{
    mpq_clear(number);
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
        mpq_mul(place->y, a[c], b[c]);
        mpq_add(out, out, place->y);
    }
}

static void clamp(mpq_t x)
{
    if (mpq_sgn(x) < 0)
        mpq_set_ui(x, 0, 1);
    if (mpq_cmp_ui(x, 1, 1) > 0)
        mpq_set_ui(x, 1, 1);
}

static void place_corner(point3 out, const double *corner, const graze_pose *pose, mpq_t factor, mpq_t product)
{
    for (int axis = 0; axis < 3; axis++)
    {
        rational_set_double(out[axis], pose == NULL ? corner[axis] : pose->m[4 * axis + 3]);
        for (int k = 0; k < 3 && pose != NULL; k++)
        {
            rational_set_double(factor, pose->m[4 * axis + k]);
            rational_set_double(product, corner[k]);
            mpq_mul(product, product, factor);
            mpq_add(out[axis], out[axis], product);
        }
    }
}

static void keep_least(scene *place, point3 difference)
{
    dot(place, place->x, difference, difference);
    if (mpq_sgn(place->least) < 0 || mpq_cmp(place->x, place->least) < 0)
        mpq_set(place->least, place->x);
}

/* |r + s e - t f|^2 at s and t, where r leads from the second segment's start to the first's. */
static void measure_at(scene *place)
{
    for (int c = 0; c < 3; c++)
    {
        mpq_mul(place->p[c], place->s, place->e[c]);
        mpq_mul(place->x, place->t, place->f[c]);
        mpq_sub(place->p[c], place->p[c], place->x);
        mpq_add(place->p[c], place->p[c], place->r[c]);
    }
    keep_least(place, place->p);
}

/* The best t for s: (ef s + fr) / ff; and the best s for t: (ef t - er) / ee. */
static void best_t(scene *place)
{
    mpq_mul(place->t, place->ef, place->s);
    mpq_add(place->t, place->t, place->fr);
    if (mpq_sgn(place->ff) == 0)
        mpq_set_ui(place->t, 0, 1);
    else
        mpq_div(place->t, place->t, place->ff);
    clamp(place->t);
}

static void best_s(scene *place)
{
    mpq_mul(place->s, place->ef, place->t);
    mpq_sub(place->s, place->s, place->er);
    if (mpq_sgn(place->ee) == 0)
        mpq_set_ui(place->s, 0, 1);
    else
        mpq_div(place->s, place->s, place->ee);
    clamp(place->s);
}

/* The function is convex, so its minimum is at the lines' closest points when those lie in both segments, and else at
 * an end of one of them. */
static void segments(scene *place, point3 a0, point3 a1, point3 b0, point3 b1)
{
    subtract(place->e, a1, a0);
    subtract(place->f, b1, b0);
    subtract(place->r, a0, b0);
    dot(place, place->ee, place->e, place->e);
    dot(place, place->ff, place->f, place->f);
    dot(place, place->ef, place->e, place->f);
    dot(place, place->er, place->e, place->r);
    dot(place, place->fr, place->f, place->r);
    for (int end = 0; end < 2; end++)
    {
        mpq_set_si(place->s, end, 1);
        best_t(place);
        measure_at(place);
        mpq_set_si(place->t, end, 1);
        best_s(place);
        measure_at(place);
    }
    mpq_mul(place->x, place->ee, place->ff);
    mpq_mul(place->s, place->ef, place->ef);
    mpq_sub(place->x, place->x, place->s);
    if (mpq_sgn(place->x) == 0)
        return;
    mpq_mul(place->s, place->ef, place->fr);
    mpq_mul(place->t, place->er, place->ff);
    mpq_sub(place->s, place->s, place->t);
    mpq_div(place->s, place->s, place->x);
    clamp(place->s);
    best_t(place);
    measure_at(place);
}

/* A corner's projection on a face, if it lies inside. */
static void foot(scene *place, point3 corner, point3 face[3])
{
    subtract(place->e, face[1], face[0]);
    subtract(place->f, face[2], face[0]);
    subtract(place->r, corner, face[0]);
    dot(place, place->ee, place->e, place->e);
    dot(place, place->ff, place->f, place->f);
    dot(place, place->ef, place->e, place->f);
    dot(place, place->er, place->e, place->r);
    dot(place, place->fr, place->f, place->r);
    mpq_mul(place->x, place->ee, place->ff);
    mpq_mul(place->y, place->ef, place->ef);
    mpq_sub(place->x, place->x, place->y);
    if (mpq_sgn(place->x) == 0)
        return;
    mpq_mul(place->s, place->ff, place->er);
    mpq_mul(place->y, place->ef, place->fr);
    mpq_sub(place->s, place->s, place->y);
    mpq_div(place->s, place->s, place->x);
    mpq_mul(place->t, place->ee, place->fr);
    mpq_mul(place->y, place->ef, place->er);
    mpq_sub(place->t, place->t, place->y);
    mpq_div(place->t, place->t, place->x);
    mpq_add(place->y, place->s, place->t);
    if (mpq_sgn(place->s) < 0 || mpq_sgn(place->t) < 0 || mpq_cmp_ui(place->y, 1, 1) > 0)
        return;
    for (int c = 0; c < 3; c++)
    {
        mpq_mul(place->x, place->s, place->e[c]);
        mpq_mul(place->y, place->t, place->f[c]);
        mpq_add(place->x, place->x, place->y);
        mpq_sub(place->p[c], place->r[c], place->x);
    }
    keep_least(place, place->p);
}

void oracle_distance_sq(oracle *judge, const graze_placed_triangle *a, const graze_placed_triangle *b, mpq_t out)
{
    mpq_set_ui(out, 0, 1);
    if (oracle_triangle_triangle(judge, a, b).found)
        return;
    scene place;
    each_number(&place, initialize);
    for (int i = 0; i < 6; i++)
    {
        const graze_placed_triangle *side = i < 3 ? a : b;
        place_corner(place.corners[i / 3][i % 3], side->corners[i % 3], side->pose, place.x, place.y);
    }
    mpq_set_si(place.least, -1, 1);
    for (int i = 0; i < 9; i++)
        segments(&place, place.corners[0][i / 3], place.corners[0][(i / 3 + 1) % 3], place.corners[1][i % 3],
                 place.corners[1][(i % 3 + 1) % 3]);
    for (int i = 0; i < 6; i++)
        foot(&place, place.corners[i / 3][i % 3], place.corners[1 - i / 3]);
    mpq_set(out, place.least);
    each_number(&place, release);
}

int oracle_compare_distance(double number, const mpq_t distance_sq)
{
    if (isinf(number))
        return 1;
    mpq_t square;
    mpq_init(square);
    rational_set_double(square, number);
    mpq_mul(square, square, square);
    int order = mpq_cmp(square, distance_sq);
    mpq_clear(square);
    return (order > 0) - (order < 0);
}
