/* SPDX-License-Identifier: MIT */
/*
 * The overlap width of two parts along n: the largest n . x of A's points minus the smallest of B's, divided by |n|;
 * see overlap_width.h. Mated faces that are rounded, as all files do, overlap by such a width of an ulp or two, where a
 * search for the deepest point would have to resolve bodies thinner than that.
 *
 * Why it bounds the depth. Let x be a common point. Moving from x along n by more than the width w leaves A: n . x is
 * at least the smallest of B, and w |n| above that nothing of A is left. So A's surface is at most w away. The same
 * holds for B along -n. B moved along n by w |n| / |n| lies above A, so w bounds the way out, too.
 *
 * Heights n . (R v + t) are computed in doubles first, with the error bound of src/pair/separating_plane.c: four terms
 * of at most three factors, 16 u of the sum S of their magnitudes. Of a direction that may do, vertices within that
 * bound of the extreme ones are computed again in double-double: each of the 12 terms and 11 sums has an error of at
 * most 2^-101 S, in any rounding mode, so that all together stay below 2^-96 S. Terms that underflow lose less than
 * 2^-900.
 */
#include "clash/overlap_width.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/double_double.h"
#include "graze/pair.h"

enum
{
    MOST_HITS = 256,       /* whose triangles are considered */
    MOST_DIRECTIONS = 32,  /* that are tried */
    SAMPLED_VERTICES = 64, /* that are looked at before all are */
    MOST_HEIGHTS = 40000   /* that are computed, unless there are fewer than six directions */
};

#define NEARLY 64         /* times enough: widths up to that may become smaller with a better normal */
#define LARGEST 0x1p200   /* of coordinates and entries of poses, so that nothing overflows */
#define SMALLEST 0x1p-200 /* of the largest component of a normal, before it is scaled */

typedef struct direction_search
{
    const graze_placed_mesh *sides[2];
    double largest[2][3]; /* magnitude of coordinates of the meshes, by axis; of vertices that no face uses, too */
    double enough, limit;
    double tried[MOST_DIRECTIONS][3], sums[MOST_DIRECTIONS][3]; /* sums: of normals much like the one tried */
    size_t tried_count, most;
    size_t hits;
    grz_clash_overlap_width *out;
} direction_search;

/* A direction in the frame of a mesh. */
typedef struct side_heights
{
    const graze_placed_mesh *placed;
    const double *n;
    double local[3], base; /* height of v: local . v + base */
    double size;           /* sum of magnitudes of all terms, for any vertex */
} side_heights;

static side_heights make_heights(const direction_search *search, int side, const double n[3])
{
    const double *m = search->sides[side]->pose.m;
    side_heights h = {.placed = search->sides[side], .n = n};
    for (int i = 0; i < 3; i++)
    {
        h.base += n[i] * m[4 * i + 3];
        h.size += fabs(n[i] * m[4 * i + 3]);
    }
    for (int j = 0; j < 3; j++)
    {
        double sum = 0;
        for (int i = 0; i < 3; i++)
        {
            h.local[j] += n[i] * m[4 * i + j];
            sum += fabs(n[i] * m[4 * i + j]);
        }
        h.size += sum * search->largest[side][j];
    }
    return h;
}

static double height_of(const side_heights *h, const double v[3])
{
    return h->local[0] * v[0] + h->local[1] * v[1] + h->local[2] * v[2] + h->base;
}

static grz_dd exact_height_of(const side_heights *h, const double v[3])
{
    const double *m = h->placed->pose.m;
    grz_dd sum = {0, 0};
    for (int i = 0; i < 3; i++)
    {
        grz_dd coordinate = {m[4 * i + 3], 0};
        for (int j = 0; j < 3; j++)
            coordinate = dd_add(coordinate, dd_two_product(m[4 * i + j], v[j]));
        sum = dd_add(sum, dd_scale(coordinate, h->n[i]));
    }
    return sum;
}

/* The largest (sign 1) or smallest (sign -1) height, times the sign, in doubles. */
static double extreme_height(const side_heights *h, double sign)
{
    const double *vertices = graze_mesh_vertices(h->placed->mesh);
    double best = -INFINITY;
    for (size_t v = 0, count = graze_mesh_vertex_count(h->placed->mesh); v < count; v++)
    {
        double height = sign * height_of(h, vertices + 3 * v);
        best = height > best ? height : best;
    }
    return best;
}

/* Whether the highest of A and the lowest of B, of some vertices only, are farther apart than `most` already. */
static bool is_sample_wider(const side_heights *a, const side_heights *b, double most)
{
    const side_heights *const sides[2] = {a, b};
    double best[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 2; i++)
    {
        const double *vertices = graze_mesh_vertices(sides[i]->placed->mesh);
        size_t count = graze_mesh_vertex_count(sides[i]->placed->mesh), step = count / SAMPLED_VERTICES + 1;
        for (size_t v = 0; v < count; v += step)
        {
            double height = height_of(sides[i], vertices + 3 * v) * (i == 0 ? 1 : -1);
            best[i] = height > best[i] ? height : best[i];
        }
    }
    /* shortcut: sampled-overlap-width */
    return best[0] + best[1] > most;
}

static grz_dd exact_extreme_height(const side_heights *h, double sign, double about)
{
    const double *vertices = graze_mesh_vertices(h->placed->mesh);
    grz_dd best = {-DBL_MAX, 0};
    double least = about - 32 * DBL_EPSILON * h->size;
    for (size_t v = 0, count = graze_mesh_vertex_count(h->placed->mesh); v < count; v++)
    {
        if (sign * height_of(h, vertices + 3 * v) < least)
            continue;
        grz_dd height = exact_height_of(h, vertices + 3 * v);
        if (sign < 0)
            height = dd_negate(height);
        if (height.high > best.high || (height.high == best.high && height.low > best.low))
            best = height;
    }
    return best;
}

/* Whether no better direction is needed. */
static bool is_done(const direction_search *search)
{
    return search->out->found && search->out->width <= search->enough;
}

/* Tries n, from A to B, and keeps the width if it is within the limit and the least. */
static void try_normal(direction_search *search, const double n[3])
{
    side_heights a = make_heights(search, 0, n), b = make_heights(search, 1, n);
    double size = a.size + b.size, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) * (1 - 8 * DBL_EPSILON);
    if (!(size < LARGEST) || is_sample_wider(&a, &b, search->limit * length * 2 + 64 * DBL_EPSILON * size))
        return;
    double high = extreme_height(&a, 1), low = extreme_height(&b, -1);
    if (high + low - 32 * DBL_EPSILON * size > search->limit * length * 2)
        return;
    grz_dd sum = dd_add(exact_extreme_height(&a, 1, high), exact_extreme_height(&b, -1, low));
    /* shortcut: overlap-width */
    double above = sum.high + sum.low + (0x1p-96 * size + 0x1p-900), width = 0;
    if (above > 0)
        width = above / length * (1 + 8 * DBL_EPSILON) + DBL_MIN;
    if (!(width <= search->limit) || (search->out->found && width >= search->out->width))
        return;
    *search->out = (grz_clash_overlap_width){.found = true, .width = width};
    for (int axis = 0; axis < 3; axis++)
    {
        search->out->normal[axis] = n[axis];
        search->out->vector[axis] = width * (n[axis] / length);
    }
}

/* The vertex of a face that is farthest from a point, or, with a second point, from the line through both. */
static bool farthest_in_face(const side_heights *h, double sign, double least, const double p[3], const double *q,
                             double out[3])
{
    const double *vertices = graze_mesh_vertices(h->placed->mesh);
    double best = 0;
    for (size_t v = 0, count = graze_mesh_vertex_count(h->placed->mesh); v < count; v++)
    {
        double x[3], d[3], e[3] = {0, 0, 0}, square = 0;
        if (sign * height_of(h, vertices + 3 * v) < least)
            continue;
        graze_pose_apply(&h->placed->pose, vertices + 3 * v, x);
        for (int axis = 0; axis < 3; axis++)
        {
            d[axis] = x[axis] - p[axis];
            e[axis] = q != NULL ? q[axis] - p[axis] : 0;
        }
        for (int i = 0; i < 3; i++)
        {
            double c = q != NULL ? d[(i + 1) % 3] * e[(i + 2) % 3] - d[(i + 2) % 3] * e[(i + 1) % 3] : d[i];
            square += c * c;
        }
        if (!(square > best))
            continue;
        best = square;
        memcpy(out, x, sizeof x);
    }
    return best > 0;
}

/* A triangle's normal is as uncertain as it is small: the normal of three far corners of the face that it belongs to,
 * of all vertices nearly as high as the highest, is better. */
static bool widen(const side_heights *h, double sign, double extreme, double reach, double out_normal[3])
{
    double p[3], q[3], r[3], zero[3] = {0, 0, 0}, u[3], v[3], least = extreme - reach;
    if (!farthest_in_face(h, sign, least, zero, NULL, p) || !farthest_in_face(h, sign, least, p, NULL, q) ||
        !farthest_in_face(h, sign, least, p, q, r))
        return false;
    double along = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        u[axis] = q[axis] - p[axis];
        v[axis] = r[axis] - p[axis];
    }
    for (int axis = 0; axis < 3; axis++)
    {
        out_normal[axis] = u[(axis + 1) % 3] * v[(axis + 2) % 3] - u[(axis + 2) % 3] * v[(axis + 1) % 3];
        along += out_normal[axis] * h->n[axis];
    }
    double largest = fmax(fmax(fabs(out_normal[0]), fabs(out_normal[1])), fabs(out_normal[2]));
    for (int axis = 0; axis < 3; axis++)
        out_normal[axis] /= along < 0 ? -largest : largest;
    return largest > SMALLEST && largest < LARGEST;
}

/* Tries normals of the faces that n nearly is one of. */
static void try_faces(direction_search *search, const double n[3])
{
    side_heights a = make_heights(search, 0, n), b = make_heights(search, 1, n);
    double normal[3], reach = NEARLY * search->enough;
    if (is_done(search) || is_sample_wider(&a, &b, reach))
        return;
    double high = extreme_height(&a, 1), low = extreme_height(&b, -1);
    if (high + low > reach)
        return;
    if (widen(&a, 1, high, reach, normal))
        try_normal(search, normal);
    if (!is_done(search) && widen(&b, -1, low, reach, normal))
        try_normal(search, normal);
}

static void try_both_ways(direction_search *search, const double n[3])
{
    const double opposite[3] = {-n[0], -n[1], -n[2]};
    try_normal(search, n);
    try_faces(search, n);
    if (!is_done(search))
        try_normal(search, opposite);
    try_faces(search, opposite);
}

/* Tries a direction both ways, scaled to about 1, unless one much like it was tried. */
static void try_direction(direction_search *search, const double direction[3])
{
    double n[3], largest = fmax(fmax(fabs(direction[0]), fabs(direction[1])), fabs(direction[2]));
    if (is_done(search) || search->tried_count == search->most || !(largest > SMALLEST && largest < LARGEST))
        return;
    for (int axis = 0; axis < 3; axis++)
        n[axis] = direction[axis] / largest;
    for (size_t i = 0; i < search->tried_count; i++)
    {
        const double *t = search->tried[i];
        double x = n[1] * t[2] - n[2] * t[1], y = n[2] * t[0] - n[0] * t[2], z = n[0] * t[1] - n[1] * t[0];
        if (x * x + y * y + z * z >= 0x1p-80)
            continue;
        double sign = n[0] * t[0] + n[1] * t[1] + n[2] * t[2] < 0 ? -1 : 1;
        for (int axis = 0; axis < 3; axis++)
            search->sums[i][axis] += sign * n[axis];
        return;
    }
    memcpy(search->tried[search->tried_count], n, sizeof n);
    memcpy(search->sums[search->tried_count++], n, sizeof n);
    try_both_ways(search, n);
}

/* The mean of the normals of a face, each of them rounded, is closer to the face's own than each of them. */
static void try_means(direction_search *search)
{
    for (size_t i = 3; i < search->tried_count && !is_done(search); i++) /* after the axes */
        try_both_ways(search, search->sums[i]);
}

static void try_triangle(direction_search *search, int side, uint32_t triangle)
{
    const graze_placed_mesh *placed = search->sides[side];
    const uint32_t *corners = graze_mesh_triangles(placed->mesh) + 3 * (size_t)triangle;
    const double *vertices = graze_mesh_vertices(placed->mesh);
    double p[3][3], u[3], v[3], n[3];
    for (int k = 0; k < 3; k++)
        graze_pose_apply(&placed->pose, vertices + 3 * (size_t)corners[k], p[k]);
    for (int axis = 0; axis < 3; axis++)
    {
        u[axis] = p[1][axis] - p[0][axis];
        v[axis] = p[2][axis] - p[0][axis];
    }
    for (int axis = 0; axis < 3; axis++)
        n[axis] = u[(axis + 1) % 3] * v[(axis + 2) % 3] - u[(axis + 2) % 3] * v[(axis + 1) % 3];
    try_direction(search, n);
}

static bool visit_hit(void *user, const graze_hit *hit)
{
    direction_search *search = user;
    try_triangle(search, 0, hit->triangle_a);
    try_triangle(search, 1, hit->triangle_b);
    return !is_done(search) && search->tried_count < search->most && ++search->hits < MOST_HITS;
}

/* Tries the triangles that share a corner with one that a hit names. Where faces lie on one another, the first hit is
 * often of a triangle beside the face, and the face is next to it. */
static void try_neighbours(direction_search *search, int side, uint32_t triangle)
{
    const graze_mesh *mesh = search->sides[side]->mesh;
    const uint32_t *triangles = graze_mesh_triangles(mesh), *own = triangles + 3 * (size_t)triangle;
    for (size_t t = 0, count = graze_mesh_triangle_count(mesh); t < count && !is_done(search); t++)
    {
        bool is_neighbour = false;
        for (int i = 0; i < 9; i++)
            is_neighbour = is_neighbour || triangles[3 * t + (size_t)(i / 3)] == own[i % 3];
        if (is_neighbour)
            try_triangle(search, side, (uint32_t)t);
    }
}

/* The largest coordinates of a mesh. False if a number of the placed mesh is too large. */
static bool find_largest(const graze_placed_mesh *placed, double largest[3])
{
    const double *vertices = graze_mesh_vertices(placed->mesh);
    bool fits = true;
    for (size_t v = 0, count = graze_mesh_vertex_count(placed->mesh); v < count; v++)
        for (int axis = 0; axis < 3; axis++)
        {
            double size = fabs(vertices[3 * v + (size_t)axis]);
            largest[axis] = size > largest[axis] ? size : largest[axis];
        }
    for (int i = 0; i < 12; i++)
        fits = fits && fabs(placed->pose.m[i]) < LARGEST;
    return fits && largest[0] < LARGEST && largest[1] < LARGEST && largest[2] < LARGEST;
}

/* Two triangles in the world: corners of A's, then of B's. */
typedef struct triangle_pair
{
    double corners[6][3];
    double error;  /* of a coordinate, and more than any rounding below */
    double extent; /* no two corners are farther apart */
} triangle_pair;

static void place_triangles(const direction_search *search, const graze_hit *hit, triangle_pair *out)
{
    double size = 0;
    out->extent = 0;
    for (int side = 0; side < 2; side++)
    {
        const graze_placed_mesh *placed = search->sides[side];
        const uint32_t *corners =
            graze_mesh_triangles(placed->mesh) + 3 * (size_t)(side == 0 ? hit->triangle_a : hit->triangle_b);
        for (int k = 0; k < 3; k++)
            graze_pose_apply(&placed->pose, graze_mesh_vertices(placed->mesh) + 3 * (size_t)corners[k],
                             out->corners[3 * side + k]);
        for (int i = 0; i < 3; i++)
        {
            const double *row = placed->pose.m + 4 * i;
            double sum = fabs(row[3]);
            for (int j = 0; j < 3; j++)
                sum += fabs(row[j]) * search->largest[side][j];
            size = fmax(size, sum);
        }
    }
    for (int axis = 0; axis < 3; axis++)
    {
        double lowest = INFINITY, highest = -INFINITY;
        for (int k = 0; k < 6; k++)
        {
            lowest = fmin(lowest, out->corners[k][axis]);
            highest = fmax(highest, out->corners[k][axis]);
        }
        out->extent += highest - lowest;
    }
    out->error = 64 * DBL_EPSILON * size + DBL_MIN;
}

/* Whether both overlap by more than `limit` along the cross product n of two edges, either way. Edges have an error of
 * 4 errors E, as distances, n of 4 E (|e| + |f|), and E covers its rounding; so the height of a corner is off by that
 * times the extent, and the widths by twice that and the rounding of heights, E |n|_1. */
static bool is_wider_across(const triangle_pair *t, const int e[2], const int f[2], double limit)
{
    double u[3], v[3], n[3], highest[2] = {-INFINITY, -INFINITY}, lowest[2] = {INFINITY, INFINITY}, edges = 0, sum = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        u[axis] = t->corners[e[1]][axis] - t->corners[e[0]][axis];
        v[axis] = t->corners[f[1]][axis] - t->corners[f[0]][axis];
        edges += fabs(u[axis]) + fabs(v[axis]);
    }
    for (int axis = 0; axis < 3; axis++)
    {
        n[axis] = u[(axis + 1) % 3] * v[(axis + 2) % 3] - u[(axis + 2) % 3] * v[(axis + 1) % 3];
        sum += fabs(n[axis]);
    }
    for (int k = 0; k < 6; k++)
    {
        double height = 0;
        for (int axis = 0; axis < 3; axis++)
            height += n[axis] * (t->corners[k][axis] - t->corners[0][axis]);
        highest[k / 3] = fmax(highest[k / 3], height);
        lowest[k / 3] = fmin(lowest[k / 3], height);
    }
    double width = fmin(highest[0] - lowest[1], highest[1] - lowest[0]);
    return width - 4 * t->error * (sum + 8 * t->extent * edges) > 2 * limit * sum;
}

/* Whether two triangles that meet overlap by more than the limit in every direction, and with them the bodies. The
 * points b - a form a polytope: 0 is as far from its surface as from the nearest of its faces, whose normals are those
 * of a triangle, or cross products of two edges. */
static bool is_wider_by_hit(const direction_search *search, const graze_hit *hit)
{
    static const int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}};
    triangle_pair t;
    place_triangles(search, hit, &t);
    if (!is_wider_across(&t, edges[0], edges[1], search->limit) ||
        !is_wider_across(&t, edges[3], edges[4], search->limit))
        return false;
    for (int i = 0; i < 9; i++)
        if (!is_wider_across(&t, edges[i / 3], edges[3 + i % 3], search->limit))
            return false;
    return true;
}

bool grz_clash_is_wider_by_hit(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_hit *hit,
                               double limit)
{
    direction_search search = {.sides = {a, b}, .limit = limit};
    return find_largest(a, search.largest[0]) && find_largest(b, search.largest[1]) && is_wider_by_hit(&search, hit);
}

graze_status grz_clash_find_overlap_width(const graze_context *context, const graze_placed_mesh *a,
                                          const graze_placed_mesh *b, const graze_hit *first, double enough,
                                          double limit, grz_clash_overlap_width *out)
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    direction_search search = {.sides = {a, b}, .enough = enough, .limit = limit, .out = out};
    size_t vertices = graze_mesh_vertex_count(a->mesh) + graze_mesh_vertex_count(b->mesh);
    *out = (grz_clash_overlap_width){0};
    if (vertices == 0 || !find_largest(a, search.largest[0]) || !find_largest(b, search.largest[1]))
        return GRAZE_STATUS_OK;
    /* shortcut: width-of-a-hit */
    if (first != NULL && is_wider_by_hit(&search, first))
        return GRAZE_STATUS_OK;
    search.most = MOST_HEIGHTS / vertices;
    search.most = search.most < 6 ? 6 : search.most > MOST_DIRECTIONS ? MOST_DIRECTIONS : search.most;
    for (int axis = 0; axis < 3; axis++)
        try_direction(&search, axes[axis]);
    if (first != NULL)
    {
        visit_hit(&search, first);
        try_neighbours(&search, 0, first->triangle_a);
        try_neighbours(&search, 1, first->triangle_b);
    }
    if (is_done(&search))
        return GRAZE_STATUS_OK;
    graze_status status = graze_pair_visit(context, a, b, NULL, visit_hit, &search);
    if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_CANCELLED)
        return status;
    try_means(&search); /* cancelled by visit_hit: there is no budget */
    return GRAZE_STATUS_OK;
}
