/* SPDX-License-Identifier: MIT */
/*
 * Manifolds of two boxes. Let a_i and b_k be the columns of R_A and R_B, C_ik = a_i . b_k, D the vector between the
 * centres: everything but the last points is computed from these numbers, as in box_axes.c, whose axis is chosen.
 *
 * Let n be the normal, k the axis of a box whose face is turned towards the other one. Projected along n onto that
 * face, a vector x has the coordinates a_u . x - (a_u . n) / (a_k . n) a_k . x on its other axes u. So the other face
 * is a parallelogram there, and this one a rectangle: where one holds the other, the corners of the inner one are the
 * contact; else A's parallelogram is clipped by the four sides of B's rectangle (Sutherland and Hodgman). The gap over
 * a point of B's face is linear in its coordinates.
 *
 * All is estimated, as contacts are: what cannot be right, a corner less deep than the axis says, is left to the
 * general way.
 */
#include "convex/box_manifold.h"

#include <math.h>

#include "math/interval.h"
#include "simd/f64x2.h"

#define SHORTEST_SQ 0x1p-52  /* square of the length of axes, as in box_axes.c */
#define MOST_DEFECT 0x1p-40  /* of R^T R - I */
#define CLOSE 0.125          /* share of the margin by which the axis may be closer than all corners, as manifold.c */
#define CLOSE_ENOUGH 0x1p-33 /* share of the size, where they are apart */
#define LARGEST 0x1p90       /* sizes beyond it, or below 1 / it, are left to the general way */

enum
{
    MOST_CORNERS = 8,
    OF_VERTEX = 0,
    OF_EDGE = 1,
    OF_FACE = 2
};

typedef struct box_pair
{
    const grz_placed_box *box[2];
    v3 axes[2][3];
    double half[2][3];
    v3 centre[2];         /* in the world, rounded */
    double c[3][3];       /* C */
    double size[3][3];    /* its magnitudes */
    double between[2][3]; /* D on the axes of either */
    v3 d;                 /* D */
} box_pair;

static uint32_t name_of(unsigned what, uint32_t number)
{
    return what << 30 | (number & 0x3fffffff);
}

/* ---- numbers of features ---- */

static unsigned corner_of(const grz_hull *hull, const grz_convex_table *table, uint32_t vertex, int axis)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    bool high_u = hull->vertices[vertex][u] == table->upper[u], high_v = hull->vertices[vertex][v] == table->upper[v];
    return high_v ? (high_u ? 2 : 3) : (high_u ? 1 : 0);
}

void grz_box_features_make(const grz_hull *hull, const grz_convex_table *table, grz_box_features *out_features)
{
    for (uint32_t face = 0; face < hull->face_count; face++)
    {
        const uint32_t *o = hull->origins + hull->face_starts[face];
        for (int axis = 0; axis < 3; axis++)
        {
            double at = hull->vertices[o[0]][axis];
            if (hull->vertices[o[1]][axis] != at || hull->vertices[o[2]][axis] != at)
                continue;
            int side = 2 * axis + (at == table->upper[axis] ? 1 : 0);
            out_features->faces[side] = face;
            for (unsigned i = 0; i < 4; i++)
            {
                unsigned here = corner_of(hull, table, o[i], axis), next = corner_of(hull, table, o[(i + 1) % 4], axis);
                out_features->corners[side][here] = o[i];
                out_features->edges[side][(here + 1) % 4 == next ? here : next] = o[i];
            }
        }
    }
}

/* ---- the axis ---- */

/* The largest entry of R^T R - I of either. */
static double defect_of(const f64x2 m[9])
{
    const f64x2 one = f64x2_splat(1);
    f64x2 most = f64x2_splat(0);
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++)
        {
            f64x2 dot = f64x2_add(f64x2_add(f64x2_mul(m[i], m[k]), f64x2_mul(m[3 + i], m[3 + k])),
                                  f64x2_mul(m[6 + i], m[6 + k]));
            most = f64x2_max(most, f64x2_abs(i == k ? f64x2_sub(dot, one) : dot));
        }
    return f64x2_first(f64x2_max(most, f64x2_swap(most)));
}

/* False where the boxes are no rotated ones of usual sizes. */
static bool prepare(const grz_placed_box *a, const grz_placed_box *b, box_pair *p)
{
    const double *x = a->pose->m, *y = b->pose->m;
    f64x2 m[9];
    v3 local[2];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m[3 * i + k] = f64x2_make(x[4 * i + k], y[4 * i + k]);
    if (!(defect_of(m) + 8 * GRZ_U < MOST_DEFECT))
        return false;
    double size = 0;
    for (int i = 0; i < 2; i++)
    {
        const grz_placed_box *box = i == 0 ? a : b;
        const grz_convex_table *t = box->table;
        const double *r = box->pose->m;
        p->box[i] = box;
        for (int k = 0; k < 3; k++)
        {
            p->axes[i][k] = v3_make(r[k], r[4 + k], r[8 + k]);
            p->half[i][k] = 0.5 * (t->upper[k] - t->lower[k]);
            size += t->largest[k];
        }
        double middle[3];
        for (int k = 0; k < 3; k++)
            middle[k] = 0.5 * (t->upper[k] + t->lower[k]);
        local[i] = v3_make(r[0] * middle[0] + r[1] * middle[1] + r[2] * middle[2],
                           r[4] * middle[0] + r[5] * middle[1] + r[6] * middle[2],
                           r[8] * middle[0] + r[9] * middle[1] + r[10] * middle[2]);
        p->centre[i] = v3_add(local[i], v3_make(r[3], r[7], r[11]));
    }
    p->d = v3_sub(v3_make(y[3] - x[3], y[7] - x[7], y[11] - x[11]), v3_sub(local[0], local[1]));
    size += fabs(p->d.x) + fabs(p->d.y) + fabs(p->d.z);
    for (int i = 0; i < 3; i++)
    {
        p->between[0][i] = v3_dot(p->axes[0][i], p->d);
        p->between[1][i] = v3_dot(p->axes[1][i], p->d);
        for (int k = 0; k < 3; k++)
        {
            p->c[i][k] = v3_dot(p->axes[0][i], p->axes[1][k]);
            p->size[i][k] = fabs(p->c[i][k]);
        }
    }
    return size < LARGEST && size > 1 / LARGEST;
}

static inline double overlap_of_face_a(const box_pair *p, int i)
{
    const double *y = p->half[1], *size = p->size[i];
    return p->half[0][i] + (size[0] * y[0] + size[1] * y[1] + size[2] * y[2]) - fabs(p->between[0][i]);
}

static inline double overlap_of_face_b(const box_pair *p, int i)
{
    const double *x = p->half[0];
    return p->half[1][i] + (p->size[0][i] * x[0] + p->size[1][i] * x[1] + p->size[2][i] * x[2]) -
           fabs(p->between[1][i]);
}

/* On a_i x b_k, of this length. */
static inline double overlap_of_edges(const box_pair *p, int i, int k, double *length_sq)
{
    const double *x = p->half[0], *y = p->half[1], *d = p->between[0];
    int i1 = i < 2 ? i + 1 : 0, i2 = i > 0 ? i - 1 : 2, k1 = k < 2 ? k + 1 : 0, k2 = k > 0 ? k - 1 : 2;
    *length_sq = p->c[i1][k] * p->c[i1][k] + p->c[i2][k] * p->c[i2][k];
    return x[i1] * p->size[i2][k] + x[i2] * p->size[i1][k] + y[k1] * p->size[i][k2] + y[k2] * p->size[i][k1] -
           fabs(d[i2] * p->c[i1][k] - d[i1] * p->c[i2][k]);
}

/* The overlap on one axis, 0 to 14. */
static double overlap_on(const box_pair *p, uint32_t axis)
{
    double length_sq;
    if (axis < 6)
        return axis < 3 ? overlap_of_face_a(p, (int)axis) : overlap_of_face_b(p, (int)axis - 3);
    double overlap = overlap_of_edges(p, (int)(axis - 6) / 3, (int)(axis - 6) % 3, &length_sq);
    return length_sq < SHORTEST_SQ ? INFINITY : overlap / sqrt(length_sq);
}

/* The least overlap, and its axis. */
static double least_overlap(const box_pair *p, uint32_t *out_axis)
{
    double least = INFINITY;
    uint32_t axis = 0;
    for (int i = 0; i < 3; i++)
    {
        double of_a = overlap_of_face_a(p, i), of_b = overlap_of_face_b(p, i);
        axis = of_a < least ? (uint32_t)i : axis;
        least = of_a < least ? of_a : least;
        axis = of_b < least ? (uint32_t)(3 + i) : axis;
        least = of_b < least ? of_b : least;
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            double length_sq, overlap = overlap_of_edges(p, i, k, &length_sq);
            /* lengths are at most 1, but for rounding */
            if (!(overlap < 0 || overlap < least * (1 + 0x1p-30)) || length_sq < SHORTEST_SQ)
                continue;
            double length = sqrt(length_sq);
            if (!(overlap < least * length))
                continue;
            least = overlap / length;
            axis = (uint32_t)(6 + 3 * i + k);
        }
    *out_axis = axis;
    return least;
}

/* The normal, and its products with the axes of both boxes. */
typedef struct box_direction
{
    v3 n;
    double along[2][3];
} box_direction;

/* An axis of a box: its length is 1 but for half the defect, so that 1.5 - length^2 / 2 is one over it. */
static void set_face_direction(const box_pair *p, int box, int k, box_direction *out)
{
    v3 axis = p->axes[box][k];
    double scale = (p->between[box][k] < 0 ? -1 : 1) * (1.5 - 0.5 * v3_dot(axis, axis));
    out->n = v3_scale(scale, axis);
    for (int i = 0; i < 3; i++)
    {
        out->along[box][i] = i == k ? scale : 0;
        out->along[1 - box][i] = scale * (box == 0 ? p->c[k][i] : p->c[i][k]);
    }
}

static void set_edge_direction(const box_pair *p, int i, int k, box_direction *out)
{
    v3 n = v3_cross(p->axes[0][i], p->axes[1][k]);
    out->n = v3_scale((v3_dot(n, p->d) < 0 ? -1 : 1) / v3_length(n), n);
    for (int j = 0; j < 3; j++)
    {
        out->along[0][j] = v3_dot(p->axes[0][j], out->n);
        out->along[1][j] = v3_dot(p->axes[1][j], out->n);
    }
}

static void set_direction(const box_pair *p, uint32_t axis, box_direction *out)
{
    if (axis < 6)
        set_face_direction(p, axis < 3 ? 0 : 1, (int)axis % 3, out);
    else
        set_edge_direction(p, (int)(axis - 6) / 3, (int)(axis - 6) % 3, out);
}

/* ---- faces ---- */

/* The face of a box that is turned towards the other one. */
typedef struct turned_face
{
    int k, u, v;           /* its axis and the others, in turn */
    int number;            /* in grz_box_features */
    double side;           /* of the box, 1 or -1 */
    double inverse;        /* 1 over axis k . n */
    double lean_u, lean_v; /* axis u . n and v . n times that */
    double half_u, half_v;
} turned_face;

static turned_face face_of(const box_pair *p, int box, const double along[3])
{
    double sign = box == 0 ? 1 : -1;
    turned_face f;
    f.k = fabs(along[0]) >= fabs(along[1]) ? 0 : 1;
    f.k = fabs(along[f.k]) >= fabs(along[2]) ? f.k : 2;
    f.u = f.k < 2 ? f.k + 1 : 0;
    f.v = f.k > 0 ? f.k - 1 : 2;
    f.side = sign * along[f.k] < 0 ? -1 : 1;
    f.inverse = 1 / along[f.k];
    f.lean_u = along[f.u] * f.inverse;
    f.lean_v = along[f.v] * f.inverse;
    f.half_u = p->half[box][f.u];
    f.half_v = p->half[box][f.v];
    f.number = 2 * f.k + (f.side > 0 ? 1 : 0);
    return f;
}

/* A face in the coordinates of the other one: its centre, and half its edges. */
typedef struct parallelogram
{
    double s, t, us, ut, vs, vt;
} parallelogram;

static parallelogram project(const box_pair *p, const turned_face *on, const turned_face *of, int box)
{
    parallelogram g;
    int other = 1 - box;
    double at[3], to_u[3], to_v[3]; /* of the centre's way and of half edges, on the axes of `on` */
    double height = of->side * p->half[other][of->k], base = on->side * p->half[box][on->k];
    const int axes[3] = {on->u, on->v, on->k};
    for (int i = 0; i < 3; i++)
    {
        int j = axes[i];
        const double c_k = box == 0 ? p->c[j][of->k] : p->c[of->k][j], c_u = box == 0 ? p->c[j][of->u] : p->c[of->u][j],
                     c_v = box == 0 ? p->c[j][of->v] : p->c[of->v][j];
        at[i] = (box == 0 ? p->between[0][j] : -p->between[1][j]) + height * c_k;
        to_u[i] = of->half_u * c_u;
        to_v[i] = of->half_v * c_v;
    }
    at[2] -= base;
    g.s = at[0] - on->lean_u * at[2];
    g.t = at[1] - on->lean_v * at[2];
    g.us = to_u[0] - on->lean_u * to_u[2];
    g.ut = to_u[1] - on->lean_v * to_u[2];
    g.vs = to_v[0] - on->lean_u * to_v[2];
    g.vt = to_v[1] - on->lean_v * to_v[2];
    return g;
}

static bool holds(const turned_face *on, const parallelogram *g)
{
    return fabs(g->s) + (fabs(g->us) + fabs(g->vs)) <= on->half_u &&
           fabs(g->t) + (fabs(g->ut) + fabs(g->vt)) <= on->half_v;
}

/* ---- the common part, in the coordinates of B's face ---- */

/* Array by array: a corner that was written number by number and is read as a whole would wait for its stores. */
typedef struct polygon
{
    unsigned count;
    double at[2][MOST_CORNERS + 2]; /* coordinates; two more are written, and not counted */
    uint64_t names[MOST_CORNERS + 2];
    uint32_t edges[MOST_CORNERS + 2]; /* name of the edge to the next corner */
    int32_t cuts[MOST_CORNERS + 2];   /* the side of B's rectangle on which that edge lies; -1: it is one of A */
} polygon;

static const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}; /* of corners, see grz_box_features */

static uint64_t names_of(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

/* The corners of B's face, over A's. */
static void take_b(const turned_face *b, const grz_box_features *of_b, uint32_t face_a, polygon *out)
{
    out->count = 4;
    for (int i = 0; i < 4; i++)
    {
        out->at[0][i] = signs[i][0] * b->half_u;
        out->at[1][i] = signs[i][1] * b->half_v;
        out->names[i] = names_of(name_of(OF_FACE, face_a), name_of(OF_VERTEX, of_b->corners[b->number][i]));
    }
}

static void take_a(const turned_face *a, const grz_box_features *of_a, uint32_t face_b, const parallelogram *g,
                   polygon *out)
{
    out->count = 4;
    for (int i = 0; i < 4; i++)
    {
        out->at[0][i] = g->s + (signs[i][0] * g->us + signs[i][1] * g->vs);
        out->at[1][i] = g->t + (signs[i][0] * g->ut + signs[i][1] * g->vt);
        out->names[i] = names_of(name_of(OF_VERTEX, of_a->corners[a->number][i]), name_of(OF_FACE, face_b));
        out->edges[i] = name_of(OF_EDGE, of_a->edges[a->number][i]);
        out->cuts[i] = -1;
    }
}

/* The sides of B's rectangle (below, right, above, left) beyond which there are corners, as bits. */
static unsigned sides_to_clip(const turned_face *b, const parallelogram *g)
{
    double s = fabs(g->us) + fabs(g->vs), t = fabs(g->ut) + fabs(g->vt);
    return (g->t - t < -b->half_v ? 1u : 0u) | (g->s + s > b->half_u ? 2u : 0u) | (g->t + t > b->half_v ? 4u : 0u) |
           (g->s - s < -b->half_u ? 8u : 0u);
}

static void copy_corner(const polygon *from, unsigned i, polygon *to)
{
    unsigned k = to->count++;
    to->at[0][k] = from->at[0][i];
    to->at[1][k] = from->at[1][i];
    to->names[k] = from->names[i];
    to->edges[k] = from->edges[i];
    to->cuts[k] = from->cuts[i];
}

/* Clips by one side. */
static void clip(const turned_face *b, const grz_box_features *of_b, uint32_t name_face_a, int side,
                 const polygon *from, polygon *to)
{
    const uint32_t *numbers = of_b->corners[b->number];
    uint32_t name = name_of(OF_EDGE, of_b->edges[b->number][side]);
    int across = (side & 1) == 0 ? 1 : 0; /* the coordinate that is bounded */
    double half = across == 1 ? b->half_v : b->half_u, sign = side == 0 || side == 3 ? 1 : -1;
    double at = half + sign * from->at[across][0], first = at;
    to->count = 0;
    for (unsigned i = 0; i < from->count && to->count < MOST_CORNERS; i++)
    {
        unsigned next = i + 1 < from->count ? i + 1 : 0;
        double at_next = next > 0 ? half + sign * from->at[across][next] : first;
        bool is_in = at >= 0;
        if (is_in)
            copy_corner(from, i, to);
        if (is_in != (at_next >= 0))
        {
            double share = at / (at - at_next);
            int32_t cut = from->cuts[i];
            uint32_t edge = from->edges[i];
            unsigned k = to->count++;
            to->at[0][k] = from->at[0][i] + share * (from->at[0][next] - from->at[0][i]);
            to->at[1][k] = from->at[1][i] + share * (from->at[1][next] - from->at[1][i]);
            to->names[k] = cut < 0 ? names_of(edge, name)
                                   : names_of(name_face_a, /* of two sides, their vertex */
                                              name_of(OF_VERTEX, numbers[(cut + 1) % 4 == side ? side : cut]));
            to->edges[k] = is_in ? name : edge; /* where it leaves, the border follows B from here */
            to->cuts[k] = is_in ? side : cut;
        }
        at = at_next;
    }
    to->count = to->count < MOST_CORNERS ? to->count : MOST_CORNERS;
}

static const polygon *intersect(const box_pair *p, const turned_face *a, const turned_face *b, polygon buffers[2])
{
    const grz_box_features *of_a = p->box[0]->features, *of_b = p->box[1]->features;
    uint32_t face_a = of_a->faces[a->number], face_b = of_b->faces[b->number];
    parallelogram of_face_b = project(p, a, b, 0);
    if (holds(a, &of_face_b))
    {
        take_b(b, of_b, face_a, &buffers[0]);
        return &buffers[0];
    }
    parallelogram of_face_a = project(p, b, a, 1);
    take_a(a, of_a, face_b, &of_face_a, &buffers[0]);
    int now = 0;
    unsigned sides = sides_to_clip(b, &of_face_a);
    for (int side = 0; side < 4 && buffers[now].count > 0; side++)
    {
        if ((sides >> side & 1) == 0)
            continue;
        clip(b, of_b, name_of(OF_FACE, face_a), side, &buffers[now], &buffers[1 - now]);
        now = 1 - now;
    }
    return &buffers[now];
}

/* ---- all ---- */

/* The gaps over all corners; returns the number of the least. */
static unsigned find_gaps(const box_pair *p, const turned_face *a, const turned_face *b, const polygon *corners,
                          double *gaps)
{
    const double *c = p->c[a->k];
    double base = p->between[0][a->k] + b->side * p->half[1][b->k] * c[b->k] - a->side * p->half[0][a->k];
    double g = base * a->inverse, gs = c[b->u] * a->inverse, gt = c[b->v] * a->inverse;
    unsigned least = 0;
    for (unsigned i = 0; i < corners->count; i++)
    {
        gaps[i] = g + (gs * corners->at[0][i] + gt * corners->at[1][i]);
        least = gaps[i] < gaps[least] ? i : least;
    }
    return least;
}

/* The points over the corners whose gap is at most the margin, the deepest first. */
static unsigned make_points(const box_pair *p, const turned_face *b, v3 n, double margin, const polygon *corners,
                            const double *gaps, unsigned deepest, grz_manifold_point *points)
{
    v3 centre = v3_add(p->centre[1], v3_scale(b->side * p->half[1][b->k], p->axes[1][b->k]));
    unsigned count = 0;
    for (unsigned i = 0; i < corners->count; i++)
    {
        unsigned which = i == 0 ? deepest : i == deepest ? 0 : i;
        double u = corners->at[0][which], v = corners->at[1][which];
        grz_manifold_point *point = &points[count]; /* counted where the gap is small enough */
        v3 on_b = v3_add(centre, v3_add(v3_scale(u, p->axes[1][b->u]), v3_scale(v, p->axes[1][b->v])));
        point->point_a = v3_sub(on_b, v3_scale(gaps[which], n));
        point->point_b = on_b;
        point->gap = gaps[which];
        point->feature = corners->names[which];
        count += gaps[which] <= margin ? 1 : 0;
    }
    return count;
}

static double largest_half(const box_pair *p)
{
    const double *h = p->half[0];
    double largest = h[0] > h[1] ? h[0] : h[1];
    return largest > h[2] ? largest : h[2];
}

grz_box_contact grz_box_manifold_make(const grz_placed_box *a, const grz_placed_box *b, double margin, unsigned most,
                                      uint32_t *axis, v3 *out_normal, grz_manifold_point *points, unsigned *out_count)
{
    box_pair p;
    box_direction along;
    polygon buffers[2];
    double gaps[MOST_CORNERS];
    *out_count = 0;
    if (!prepare(a, b, &p))
        return GRZ_BOXES_UNKNOWN;
    if (*axis < 15 && overlap_on(&p, *axis) < -margin)
        return GRZ_BOXES_FAR;
    double gap = -least_overlap(&p, axis);
    if (gap > margin)
        return GRZ_BOXES_FAR;
    set_direction(&p, *axis, &along);
    turned_face of_a = face_of(&p, 0, along.along[0]), of_b = face_of(&p, 1, along.along[1]);
    const polygon *common = intersect(&p, &of_a, &of_b, buffers);
    if (common->count == 0)
        return GRZ_BOXES_UNKNOWN;
    unsigned deepest = find_gaps(&p, &of_a, &of_b, common, gaps);
    double least = gaps[deepest];
    if (!(least <= gap + CLOSE * margin) || !(gap <= 0 || least <= gap + CLOSE_ENOUGH * largest_half(&p)))
        return GRZ_BOXES_UNKNOWN;
    unsigned count = make_points(&p, &of_b, along.n, margin, common, gaps, deepest, points);
    *out_normal = along.n;
    *out_count = count <= most ? count : grz_manifold_reduce(points, count, most);
    return count > 0 ? GRZ_BOXES_NEAR : GRZ_BOXES_UNKNOWN;
}
