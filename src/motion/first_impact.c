/* SPDX-License-Identifier: MIT */
/*
 * First impact of features; see first_impact.h.
 *
 * Before the first impact T > 0 the two are disjoint. If the polynomial of coplanarity is not identically zero, T is
 * one of its roots. Else all lies in a moving plane, and at T a vertex meets an edge; then T is a root of an
 * orientation of the three in some projection, or, where these are all identically zero, vertex and edge are collinear
 * at all times, T is the time at which the vertex meets an end of the edge, and a root of a difference of coordinates.
 * At each root the question is decided exactly. Degenerate faces and edges are the segments and points they are.
 */
#include "motion/first_impact.h"

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

/* Whether a root comes before the impact found. */
static bool is_earlier(grz_first_impact *first, grz_root *root, double lower, double upper)
{
    if (!first->found || lower < first->lower || upper < first->upper)
        return true;
    if (lower > first->lower || upper > first->upper)
        return false;
    return lower < upper && grz_root_compare(first->points->scratch, root, &first->root) < 0;
}

/* Whether a polynomial has the known root, and that one's own polynomial is known to have no other in (0, 1]. `rest`
   then has its other roots: none of them is 1, which division would lose. */
static bool has_known_root(const grz_first_impact *first, const grz_polynomial *polynomial, grz_polynomial *rest)
{
    const grz_polynomial *known = &first->known.polynomial;
    /* shortcut: known-root-divided-out */
    return first->knows_root && known->c[known->degree].sign != 0 && polynomial->c[polynomial->degree].sign != 0 &&
           grz_polynomial_variations(known) == 1 && !grz_polynomials_are_coprime(known, polynomial) &&
           grz_polynomial_divides(first->points->scratch, known, polynomial, rest);
}

/* The known root where that is the same one, which saves to find their common divisor again. */
static grz_root *known_or(grz_first_impact *first, grz_root *root)
{
    grz_root *known = &first->known;
    if (!first->knows_root || root->low < known->low || root->low > known->low || root->high < known->high ||
        root->high > known->high)
        return root;
    return !(root->low < root->high) || grz_root_compare(first->points->scratch, root, known) == 0 ? known : root;
}

static void set_known(grz_first_impact *first, const grz_root *root, bool is_found)
{
    if (first->known_is_found && !is_found)
        return;
    first->known = *root;
    first->knows_root = true;
    first->known_is_found = is_found;
    if (root->exact)
        grz_polynomial_of_root(first->points->scratch, &root->lower, &first->known.polynomial);
}

void grz_first_impact_know(grz_first_impact *first, const grz_stored_root *root)
{
    grz_root loaded;
    grz_root_load(first->points->scratch, root, &loaded);
    set_known(first, &loaded, false);
}

/* Tries a root that was located; false if later ones are of no use. */
static bool try_root(grz_first_impact *first, grz_root *root, meets_function *meets, const int *v)
{
    if (root->low > first->until)
        return false;
    root = known_or(first, root);
    if ((root == &first->known && first->known_is_found) || !is_earlier(first, root, root->low, root->high))
        return false;
    if (first->arcs != NULL)
        grz_near_points_at(first->arcs, root->low, first->points->near);
    bool found = meets(first->points, root, v);
    if (found)
    {
        first->found = true;
        first->root = *root;
        first->lower = root->low;
        first->upper = root->high;
    }
    set_known(first, root, found);
    return !found;
}

/* The first root of the polynomial at which the two meet. */
static void try_roots(grz_first_impact *first, const grz_polynomial *polynomial, meets_function *meets, const int *v)
{
    grz_scratch *scratch = first->points->scratch;
    grz_root_search search;
    grz_root root;
    grz_polynomial rest;
    if (has_known_root(first, polynomial, &rest))
    {
        if (!grz_polynomial_may_have_roots(&rest))
        {
            try_root(first, &first->known, meets, v);
            return;
        }
        polynomial = first->known_is_found ? &rest : polynomial;
    }
    grz_root_search_start(&search, scratch, polynomial, &first->range);
    while (grz_root_search_next(&search, &root))
    {
        double lower, upper;
        grz_root_locate(scratch, &root, &lower, &upper);
        if (!try_root(first, &root, meets, v))
            return;
    }
}

static void try_vertices(grz_first_impact *first, int p, int q)
{
    int v[2] = {p, q};
    grz_polynomial difference;
    for (int axis = 0; axis < 3; axis++)
    {
        first->points->difference(first->points, p, q, axis, &difference);
        if (!grz_polynomial_is_zero(&difference))
        {
            try_roots(first, &difference, vertices_meet, v);
            return;
        }
    }
}

static void try_vertex_edge(grz_first_impact *first, int p, int a, int b)
{
    int v[3] = {p, a, b};
    grz_polynomial orientation;
    for (int axis = 0; axis < 3; axis++)
    {
        first->points->orient2d(first->points, p, a, b, axis, &orientation);
        if (!grz_polynomial_is_zero(&orientation))
        {
            try_roots(first, &orientation, vertex_meets_edge, v);
            return;
        }
    }
    try_vertices(first, p, a);
    try_vertices(first, p, b);
}

void grz_first_impact_of_vertex_and_face(grz_first_impact *first, int p, int a, int b, int c)
{
    const int v[4] = {p, a, b, c};
    grz_polynomial volume;
    first->points->orient3d(first->points, a, b, c, p, &volume);
    if (!grz_polynomial_is_zero(&volume))
        try_roots(first, &volume, vertex_meets_face, v);
    else
        for (int e = 0; e < 3; e++)
            try_vertex_edge(first, p, v[1 + e], v[1 + (e + 1) % 3]);
}

void grz_first_impact_of_edges(grz_first_impact *first, int a0, int a1, int b0, int b1)
{
    const int v[4] = {a0, a1, b0, b1};
    grz_polynomial volume;
    first->points->orient3d(first->points, a0, a1, b0, b1, &volume);
    if (!grz_polynomial_is_zero(&volume))
        try_roots(first, &volume, edges_meet, v);
    else
        for (int i = 0; i < 2; i++)
        {
            try_vertex_edge(first, v[i], b0, b1);
            try_vertex_edge(first, v[2 + i], a0, a1);
        }
}
