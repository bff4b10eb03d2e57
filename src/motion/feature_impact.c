/* SPDX-License-Identifier: MIT */
/*
 * First impact of a moving vertex and face, and of two moving edges, whose corners run linearly; see graze/motion.h.
 *
 * Before the first impact T > 0 the two are disjoint. If the polynomial of coplanarity is not identically zero, T is
 * one of its roots. Else all lies in a moving plane, and at T a vertex meets an edge; then T is a root of an
 * orientation of the three in some projection, or, where these are all identically zero, vertex and edge are collinear
 * at all times, T is the time at which the vertex meets an end of the edge, and a root of a difference of coordinates.
 * At each root the question is decided exactly. Degenerate faces and edges are the segments and points they are.
 */
#include <math.h>

#include "base/environment.h"
#include "graze/motion.h"
#include "motion/feature_filter.h"
#include "motion/moving_points.h"

enum
{
    STACK_LIMBS = 4096
};

/* The earliest impact found. */
typedef struct first_impact
{
    const grz_moving_points *points;
    bool found;
    double lower, upper;
} first_impact;

static void note(first_impact *first, double lower, double upper)
{
    if (first->found && (first->lower < lower || (first->lower <= lower && first->upper <= upper)))
        return;
    first->found = true;
    first->lower = lower;
    first->upper = upper;
}

/* Whether two sets of moving points meet at a root. */
typedef bool meets_function(const grz_moving_points *points, grz_root *root, const int *indices);

static bool vertex_meets_face(const grz_moving_points *points, grz_root *root, const int *v)
{
    return grz_moving_point_in_triangle(points, root, v[0], v + 1);
}

static bool edges_meet(const grz_moving_points *points, grz_root *root, const int *v)
{
    return grz_moving_segments_meet(points, root, v[0], v[1], v[2], v[3]);
}

static bool vertex_meets_edge(const grz_moving_points *points, grz_root *root, const int *v)
{
    return grz_moving_point_on_segment(points, root, v[0], v[1], v[2]);
}

static bool vertices_meet(const grz_moving_points *points, grz_root *root, const int *v)
{
    for (int axis = 0; axis < 3; axis++)
        if (grz_moving_compare(points, root, v[0], v[1], axis) != 0)
            return false;
    return true;
}

/* The first root of the polynomial at which the two meet. */
static void try_roots(first_impact *first, const grz_polynomial *polynomial, meets_function *meets, const int *v)
{
    grz_scratch *scratch = first->points->scratch;
    grz_root_search search;
    grz_root root;
    grz_root_search_start(&search, scratch, polynomial);
    while (grz_root_search_next(&search, &root))
    {
        double lower, upper;
        grz_root_locate(scratch, &root, &lower, &upper);
        if (first->found && first->lower < lower)
            return;
        if (meets(first->points, &root, v))
        {
            note(first, lower, upper);
            return;
        }
    }
}

static void try_vertices(first_impact *first, int p, int q)
{
    int v[2] = {p, q};
    grz_polynomial difference;
    for (int axis = 0; axis < 3; axis++)
    {
        grz_moving_difference(first->points, p, q, axis, &difference);
        if (!grz_polynomial_is_zero(&difference))
        {
            try_roots(first, &difference, vertices_meet, v);
            return;
        }
    }
}

static void try_vertex_edge(first_impact *first, int p, int a, int b)
{
    int v[3] = {p, a, b};
    grz_polynomial orientation;
    for (int axis = 0; axis < 3; axis++)
    {
        grz_moving_orient2d(first->points, p, a, b, axis, &orientation);
        if (!grz_polynomial_is_zero(&orientation))
        {
            try_roots(first, &orientation, vertex_meets_edge, v);
            return;
        }
    }
    try_vertices(first, p, a);
    try_vertices(first, p, b);
}

static void find_vertex_face(first_impact *first)
{
    static const int v[4] = {0, 1, 2, 3};
    grz_polynomial volume;
    grz_root start;
    grz_root_at(first->points->scratch, 0, &start);
    grz_moving_orient3d(first->points, 1, 2, 3, 0, &volume);
    if (volume.c[0].sign == 0 && vertex_meets_face(first->points, &start, v))
        note(first, 0, 0);
    else if (!grz_polynomial_is_zero(&volume))
        try_roots(first, &volume, vertex_meets_face, v);
    else
        for (int e = 0; e < 3; e++)
            try_vertex_edge(first, 0, 1 + e, 1 + (e + 1) % 3);
}

static void find_edge_edge(first_impact *first)
{
    static const int v[4] = {0, 1, 2, 3};
    grz_polynomial volume;
    grz_root start;
    grz_root_at(first->points->scratch, 0, &start);
    grz_moving_orient3d(first->points, 0, 1, 2, 3, &volume);
    if (volume.c[0].sign == 0 && edges_meet(first->points, &start, v))
        note(first, 0, 0);
    else if (!grz_polynomial_is_zero(&volume))
        try_roots(first, &volume, edges_meet, v);
    else
        for (int i = 0; i < 2; i++)
        {
            try_vertex_edge(first, i, 2, 3);
            try_vertex_edge(first, 2 + i, 0, 1);
        }
}

static bool all_finite(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * 0;
    return !isnan(sum);
}

/* places[i][t]: point i at time t. */
static graze_status decide(double places[4][2][3], void (*find)(first_impact *), graze_impact_interval *out)
{
    uint64_t limbs[STACK_LIMBS];
    grz_scratch scratch;
    grz_moving_points points;
    const double(*pointers[4])[3];
    for (int i = 0; i < 4; i++)
        pointers[i] = (const double(*)[3])places[i];
    grz_scratch_start(&scratch, NULL, limbs, STACK_LIMBS);
    grz_moving_points_on_lines(&points, &scratch, pointers, 4);
    first_impact first = {.points = &points};
    find(&first);
    bool failed = scratch.failed;
    grz_scratch_release(&scratch);
    if (failed)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    *out = (graze_impact_interval){first.found ? GRAZE_IMPACT_AT : GRAZE_IMPACT_NONE, first.lower, first.upper};
    return GRAZE_STATUS_OK;
}

graze_status graze_vertex_face_impact(const double vertex[2][3], const double face[2][3][3], graze_impact_interval *out)
{
    if (vertex == NULL || face == NULL || out == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!all_finite(vertex[0], 6) || !all_finite(face[0][0], 18))
        return GRAZE_STATUS_NOT_FINITE;
    double places[4][2][3];
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 3; k++)
        {
            places[0][t][k] = vertex[t][k];
            for (int i = 0; i < 3; i++)
                places[1 + i][t][k] = face[t][i][k];
        }
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = GRAZE_STATUS_OK;
    if (grz_vertex_face_apart(places))
        *out = (graze_impact_interval){GRAZE_IMPACT_NONE, 0, 0};
    else
        status = decide(places, find_vertex_face, out);
    grz_environment_leave_default(&environment);
    return status;
}

graze_status graze_edge_edge_impact(const double a[2][2][3], const double b[2][2][3], graze_impact_interval *out)
{
    if (a == NULL || b == NULL || out == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!all_finite(a[0][0], 12) || !all_finite(b[0][0], 12))
        return GRAZE_STATUS_NOT_FINITE;
    double places[4][2][3];
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
            {
                places[i][t][k] = a[t][i][k];
                places[2 + i][t][k] = b[t][i][k];
            }
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = GRAZE_STATUS_OK;
    if (grz_edge_edge_apart(places))
        *out = (graze_impact_interval){GRAZE_IMPACT_NONE, 0, 0};
    else
        status = decide(places, find_edge_edge, out);
    grz_environment_leave_default(&environment);
    return status;
}
