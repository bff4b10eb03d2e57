/* SPDX-License-Identifier: MIT */
/*
 * Nearest points of simplices by signed volumes (Montanari, Petrinic, Barbieri, "Improving the GJK algorithm for faster
 * and more reliable distance queries between convex objects", 2017): weights are ratios of signed volumes, areas and
 * lengths of the same sign; where one has the wrong sign, the nearest point lies on the face opposite to its corner, or
 * on another with a wrong sign.
 */
#include "convex/simplex.h"

/* Weights are divided by no smaller sums. */
#define SMALLEST 0x1p-900

static void set_corner(const v3 *s, int a, grz_simplex_point *r)
{
    r->point = s[a];
    r->weights[a] = 1;
    r->corners = 1u << a;
}

static void nearest_of_segment(const v3 *s, int a, int b, grz_simplex_point *r)
{
    v3 edge = v3_sub(s[b], s[a]);
    double along = -v3_dot(s[a], edge), length_sq = v3_dot(edge, edge);
    if (!(along > 0))
    {
        set_corner(s, a, r);
        return;
    }
    if (!(along < length_sq))
    {
        set_corner(s, b, r);
        return;
    }
    double share = along / length_sq;
    r->weights[a] = 1 - share;
    r->weights[b] = share;
    r->point = v3_add(s[a], v3_scale(share, edge));
    r->corners = 1u << a | 1u << b;
}

/* Of the nearest points of faces, keeps the nearer one. */
static void keep_nearer(grz_simplex_point *r, double *nearest, const grz_simplex_point *other)
{
    double distance = v3_dot(other->point, other->point);
    if (distance < *nearest)
    {
        *nearest = distance;
        *r = *other;
    }
}

static void nearest_of_triangle(const v3 *s, int a, int b, int c, grz_simplex_point *r)
{
    v3 n = v3_cross(v3_sub(s[b], s[a]), v3_sub(s[c], s[a]));
    double square = v3_dot(n, n), height = v3_dot(n, s[a]);
    v3 bc = v3_cross(s[b], s[c]), ca = v3_cross(s[c], s[a]), ab = v3_cross(s[a], s[b]);
    double of_a = v3_dot(n, bc), of_b = v3_dot(n, ca), of_c = v3_dot(n, ab), sum = of_a + of_b + of_c;
    if (of_a > 0 && of_b > 0 && of_c > 0 && sum > SMALLEST)
    {
        double factor = 1 / sum;
        r->weights[a] = of_a * factor;
        r->weights[b] = of_b * factor;
        r->weights[c] = of_c * factor;
        r->point = v3_scale(height / square, n);
        r->corners = 1u << a | 1u << b | 1u << c;
        return;
    }
    double nearest = INFINITY;
    const int edges[3][2] = {{b, c}, {c, a}, {a, b}};
    const double areas[3] = {of_a, of_b, of_c};
    for (int k = 0; k < 3; k++)
        if (!(areas[k] > 0))
        {
            grz_simplex_point other = {.corners = 0};
            nearest_of_segment(s, edges[k][0], edges[k][1], &other);
            keep_nearer(r, &nearest, &other);
        }
}

static void nearest_of_tetrahedron(const v3 *s, grz_simplex_point *r)
{
    static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    double volumes[4], total = v3_dot(v3_sub(s[1], s[0]), v3_cross(v3_sub(s[2], s[0]), v3_sub(s[3], s[0])));
    int inside = 0;
    for (int k = 0; k < 4; k++)
    {
        volumes[k] = v3_dot(s[faces[k][0]], v3_cross(s[faces[k][1]], s[faces[k][2]]));
        inside += volumes[k] > 0 ? total > 0 : volumes[k] < 0 && total < 0;
    }
    double sum = volumes[0] + volumes[1] + volumes[2] + volumes[3];
    if (inside == 4 && fabs(sum) > SMALLEST)
    {
        double factor = 1 / sum;
        for (int k = 0; k < 4; k++)
            r->weights[k] = volumes[k] * factor;
        r->point = v3_make(0, 0, 0);
        r->corners = 15;
        return;
    }
    double nearest = INFINITY;
    for (int k = 0; k < 4; k++)
        if (!(volumes[k] > 0 ? total > 0 : volumes[k] < 0 && total < 0))
        {
            grz_simplex_point other = {.corners = 0};
            nearest_of_triangle(s, faces[k][0], faces[k][1], faces[k][2], &other);
            keep_nearer(r, &nearest, &other);
        }
}

void grz_simplex_nearest(const v3 *corners, int count, grz_simplex_point *out_nearest)
{
    grz_simplex_point r = {.corners = 0};
    if (count == 2)
        nearest_of_segment(corners, 0, 1, &r);
    else if (count == 3)
        nearest_of_triangle(corners, 0, 1, 2, &r);
    else if (count == 4)
        nearest_of_tetrahedron(corners, &r);
    if (r.corners == 0) /* one corner; or numbers that overflowed */
        set_corner(corners, 0, &r);
    *out_nearest = r;
}
