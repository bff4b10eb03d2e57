/* SPDX-License-Identifier: MIT */
/*
 * Manifolds of two boxes. Let a_i and b_k be the columns of R_A and R_B, C_ik = a_i . b_k, D the vector between the
 * centres: everything but the last points is computed from these numbers (box_overlaps.h), as is the axis.
 *
 * Let n be the normal, k the axis of a box whose face is turned towards the other one. Projected along n onto that
 * face, a vector x has the coordinates a_u . x - (a_u . n) / (a_k . n) a_k . x on its other axes u. So A's face is a
 * parallelogram on B's, which is a rectangle there: the corners of their common part (box_clip.h) are the contact. The
 * gap over a point of B's face is linear in its coordinates.
 *
 * All is estimated, as contacts are: what cannot be right, a corner less deep than the axis says, is left to the
 * general way.
 */
#include "convex/box_manifold.h"

#include <math.h>

#include "convex/box_clip.h"
#include "convex/box_overlaps.h"

#define CLOSE 0.125          /* share of the margin by which the axis may be closer than all corners, as manifold.c */
#define CLOSE_ENOUGH 0x1p-33 /* share of the size, where they are apart */

enum
{
    OF_VERTEX = 0,
    OF_EDGE = 1,
    OF_FACE = 2
};

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
    out_features->size = table->largest[0] + table->largest[1] + table->largest[2];
    out_features->is_centred = true;
    for (int k = 0; k < 3; k++)
    {
        out_features->half[k] = 0.5 * (table->upper[k] - table->lower[k]);
        out_features->centre[k] = 0.5 * (table->upper[k] + table->lower[k]);
        out_features->is_centred = out_features->is_centred && out_features->centre[k] == 0;
    }
    for (uint32_t face = 0; face < hull->face_count; face++)
    {
        const uint32_t *o = hull->origins + hull->face_starts[face];
        for (int axis = 0; axis < 3; axis++)
        {
            double at = hull->vertices[o[0]][axis];
            if (hull->vertices[o[1]][axis] != at || hull->vertices[o[2]][axis] != at)
                continue;
            int side = 2 * axis + (at == table->upper[axis] ? 1 : 0);
            out_features->names[side][GRZ_CLIP_INSIDE] = name_of(OF_FACE, face);
            for (unsigned i = 0; i < 4; i++)
            {
                unsigned here = corner_of(hull, table, o[i], axis), next = corner_of(hull, table, o[(i + 1) % 4], axis);
                out_features->names[side][here] = name_of(OF_VERTEX, o[i]);
                out_features->names[side][GRZ_CLIP_SIDES + ((here + 1) % 4 == next ? here : next)] =
                    name_of(OF_EDGE, o[i]); /* the vertex names it, see manifold.c */
            }
        }
    }
}

/* ---- the normal ---- */

/* The normal, and its products with the axes of both boxes. */
typedef struct box_direction
{
    v3 n;
    double along[2][3];
} box_direction;

static inline v3 column_of(const grz_box_overlaps *p, int box, int k)
{
    const double *m = p->box[box]->pose->m;
    return v3_make(m[k], m[4 + k], m[8 + k]);
}

/* An axis of a box: its length is 1 but for half the defect, so that 1.5 - length^2 / 2 is one over it. */
static inline void set_face_direction(const grz_box_overlaps *p, int box, int k, box_direction *out)
{
    v3 axis = column_of(p, box, k);
    double between = box == 0 ? p->c[k][3] : p->between[k];
    double scale = (between < 0 ? -1 : 1) * (1.5 - 0.5 * v3_dot(axis, axis));
    out->n = v3_scale(scale, axis);
    for (int i = 0; i < 3; i++)
    {
        out->along[box][i] = i == k ? scale : 0;
        out->along[1 - box][i] = scale * (box == 0 ? p->c[k][i] : p->c[i][k]);
    }
}

static void set_edge_direction(const grz_box_overlaps *p, int i, int k, box_direction *out)
{
    v3 n = v3_cross(column_of(p, 0, i), column_of(p, 1, k));
    n = v3_scale((v3_dot(n, v3_load(p->d)) < 0 ? -1 : 1) / v3_length(n), n);
    out->n = n;
    for (int j = 0; j < 3; j++)
    {
        out->along[0][j] = v3_dot(column_of(p, 0, j), n);
        out->along[1][j] = v3_dot(column_of(p, 1, j), n);
    }
}

/* By branches and not by indices: what is computed from the axis need not wait until it is known, since it is mostly
   that of the last frame and predicted. The same holds for the faces below. */
static inline void set_direction(const grz_box_overlaps *p, uint32_t axis, box_direction *out)
{
    switch (axis)
    {
    case 0:
        set_face_direction(p, 0, 0, out);
        break;
    case 1:
        set_face_direction(p, 0, 1, out);
        break;
    case 2:
        set_face_direction(p, 0, 2, out);
        break;
    case 3:
        set_face_direction(p, 1, 0, out);
        break;
    case 4:
        set_face_direction(p, 1, 1, out);
        break;
    case 5:
        set_face_direction(p, 1, 2, out);
        break;
    default:
        set_edge_direction(p, (int)(axis - 6) / 3, (int)(axis - 6) % 3, out);
    }
}

/* ---- faces ---- */

/* The face of a box that is turned towards the other one. */
typedef struct turned_face
{
    int k, u, v;    /* its axis and the others, in turn */
    int number;     /* in grz_box_features */
    double height;  /* of its plane over the centre, along axis k */
    double inverse; /* 1 over axis k . n */
    double half_u, half_v;
} turned_face;

static inline void set_face(const grz_box_overlaps *p, int box, const double along[3], int k, turned_face *f)
{
    double towards = box == 0 ? along[k] : -along[k];
    f->k = k;
    f->u = k < 2 ? k + 1 : 0;
    f->v = k > 0 ? k - 1 : 2;
    f->number = 2 * k + (towards > 0 ? 1 : 0);
    f->height = copysign(p->half[box][k], towards);
    f->inverse = 1 / along[k];
    f->half_u = p->half[box][f->u];
    f->half_v = p->half[box][f->v];
}

static inline void find_face(const grz_box_overlaps *p, int box, const double along[3], turned_face *f)
{
    double x = fabs(along[0]), y = fabs(along[1]), z = fabs(along[2]);
    if (x >= y && x >= z)
        set_face(p, box, along, 0, f);
    else if (y >= z)
        set_face(p, box, along, 1, f);
    else
        set_face(p, box, along, 2, f);
}

static inline f64x2 entries_of(const double *row, const turned_face *f)
{
    return f64x2_make(row[f->u], row[f->v]);
}

/* A's face in the coordinates of B's. */
static inline void project(const grz_box_overlaps *p, const double along_b[3], const turned_face *a,
                           const turned_face *b, grz_parallelogram *g)
{
    const double *to_k = p->c[a->k], *to_u = p->c[a->u], *to_v = p->c[a->v];
    double over = a->height * to_k[b->k] - p->between[b->k] - b->height;
    f64x2 lean = f64x2_mul(entries_of(along_b, b), f64x2_splat(b->inverse));
    g->centre = f64x2_sub(f64x2_sub(f64x2_mul(f64x2_splat(a->height), entries_of(to_k, b)), entries_of(p->between, b)),
                          f64x2_mul(lean, f64x2_splat(over)));
    g->u = f64x2_sub(f64x2_mul(f64x2_splat(a->half_u), entries_of(to_u, b)),
                     f64x2_mul(lean, f64x2_splat(a->half_u * to_u[b->k])));
    g->v = f64x2_sub(f64x2_mul(f64x2_splat(a->half_v), entries_of(to_v, b)),
                     f64x2_mul(lean, f64x2_splat(a->half_v * to_v[b->k])));
}

/* ---- points ---- */

/* The corners of the common part, in the coordinates of B's face. */
typedef struct common_part
{
    unsigned count;
    grz_clip_corner corners[GRZ_CLIP_CANDIDATES];
    double gaps[GRZ_CLIP_MOST];
} common_part;

/* The gaps over all corners; returns the number of the least. */
static inline unsigned find_gaps(const grz_box_overlaps *p, const turned_face *a, const turned_face *b,
                                 common_part *common)
{
    const double *c = p->c[a->k];
    double g = (c[3] + b->height * c[b->k] - a->height) * a->inverse;
    f64x2 slope = f64x2_mul(entries_of(c, b), f64x2_splat(a->inverse));
    unsigned least = 0;
    for (unsigned i = 0; i < common->count; i++)
    {
        f64x2 rise = f64x2_mul(slope, common->corners[i].at);
        double gap = g + f64x2_first(f64x2_add(rise, f64x2_swap(rise)));
        common->gaps[i] = gap;
        least = gap < common->gaps[least] ? i : least;
    }
    return least;
}

/* The corners whose gap is at most the margin, by number, the deepest first. */
static inline unsigned choose_near(const common_part *common, unsigned deepest, double margin, unsigned chosen[])
{
    unsigned count = 0;
    for (unsigned i = 0; i < common->count; i++)
    {
        unsigned which = i == 0 ? deepest : i == deepest ? 0 : i;
        chosen[count] = which;
        count += common->gaps[which] <= margin ? 1 : 0;
    }
    return count;
}

/* The square of the distance of two points on A: (x, y) in B's face and -gap along the normal, which leans. */
static inline double distance_sq(const common_part *common, f64x2 lean, unsigned i, unsigned k)
{
    f64x2 d = f64x2_sub(common->corners[i].at, common->corners[k].at);
    double rise = common->gaps[i] - common->gaps[k];
    f64x2 sums = f64x2_mul(d, f64x2_sub(d, f64x2_mul(f64x2_splat(rise), lean)));
    return f64x2_first(f64x2_add(sums, f64x2_swap(sums))) + rise * rise;
}

/* Moves those to keep of more than `most` to the front, as grz_manifold_reduce does with points. */
static void choose_far(const common_part *common, f64x2 lean, unsigned most, unsigned count, unsigned chosen[])
{
    double nearest[GRZ_CLIP_MOST];
    for (unsigned i = 0; i < count; i++)
        nearest[i] = INFINITY;
    for (unsigned kept = 1; kept < most && kept < count; kept++)
    {
        unsigned best = kept;
        double farthest = -1;
        for (unsigned i = kept; i < count; i++)
        {
            double square = distance_sq(common, lean, chosen[i], chosen[kept - 1]);
            nearest[i] = square < nearest[i] ? square : nearest[i];
            bool farther = nearest[i] > farthest * (1 + GRZ_MANIFOLD_SAME_DISTANCE);
            best = farther ? i : best;
            farthest = farther ? nearest[i] : farthest;
        }
        unsigned other = chosen[kept];
        chosen[kept] = chosen[best];
        chosen[best] = other;
        nearest[best] = nearest[kept];
    }
}

/* The points over the chosen corners. */
static inline void make_points(const grz_box_overlaps *p, const turned_face *a, const turned_face *b, v3 n,
                               const common_part *common, const unsigned chosen[], unsigned count,
                               grz_manifold_point *points)
{
    const double *m = p->box[1]->pose->m, *centre = p->box[1]->features->centre;
    const uint32_t *names_a = p->box[0]->features->names[a->number], *names_b = p->box[1]->features->names[b->number];
    v3 u = column_of(p, 1, b->u), v = column_of(p, 1, b->v), base = v3_scale(b->height, column_of(p, 1, b->k));
    if (!p->box[1]->features->is_centred)
        for (int k = 0; k < 3; k++)
            base = v3_add(base, v3_scale(centre[k], column_of(p, 1, k)));
    base = v3_add(base, v3_make(m[3], m[7], m[11]));
    for (unsigned i = 0; i < count; i++)
    {
        const grz_clip_corner *corner = &common->corners[chosen[i]];
        double gap = common->gaps[chosen[i]];
        double along_u = f64x2_first(corner->at), along_v = f64x2_first(f64x2_swap(corner->at));
        v3 on_b = v3_add(base, v3_add(v3_scale(along_u, u), v3_scale(along_v, v)));
        points[i].point_a = v3_sub(on_b, v3_scale(gap, n));
        points[i].point_b = on_b;
        points[i].gap = gap;
        points[i].feature = (uint64_t)names_a[corner->of_parallelogram] << 32 | names_b[corner->of_rectangle];
    }
}

static double largest_half(const grz_box_overlaps *p)
{
    const double *h = p->half[0];
    double largest = h[0] > h[1] ? h[0] : h[1];
    return largest > h[2] ? largest : h[2];
}

grz_box_contact grz_box_manifold_make(const grz_placed_box *a, const grz_placed_box *b, double margin, unsigned most,
                                      uint32_t *axis, v3 *out_normal, grz_manifold_point *points, unsigned *out_count)
{
    grz_box_overlaps p;
    box_direction along;
    turned_face of_a, of_b;
    grz_parallelogram face_a;
    common_part common;
    *out_count = 0;
    uint32_t last = *axis;
    *axis = GRZ_BOX_NO_AXIS;
    if (!grz_box_overlaps_prepare(a, b, &p))
        return GRZ_BOXES_UNKNOWN;
    if (last < GRZ_BOX_NO_AXIS && grz_box_overlap_on(&p, last) < -margin)
    {
        *axis = last;
        return GRZ_BOXES_FAR;
    }
    double gap = -grz_box_overlap_least(&p, &last);
    if (gap > margin)
    {
        *axis = last;
        return GRZ_BOXES_FAR;
    }
    set_direction(&p, last, &along);
    find_face(&p, 0, along.along[0], &of_a);
    find_face(&p, 1, along.along[1], &of_b);
    project(&p, along.along[1], &of_a, &of_b, &face_a);
    common.count = grz_box_clip(f64x2_make(of_b.half_u, of_b.half_v), &face_a, common.corners);
    if (common.count == 0 || common.count > GRZ_CLIP_MOST)
        return GRZ_BOXES_UNKNOWN;
    unsigned deepest = find_gaps(&p, &of_a, &of_b, &common);
    double least = common.gaps[deepest];
    if (!(least <= margin && least <= gap + CLOSE * margin) ||
        !(gap <= 0 || least <= gap + CLOSE_ENOUGH * largest_half(&p)))
        return GRZ_BOXES_UNKNOWN;
    unsigned chosen[GRZ_CLIP_MOST], count = choose_near(&common, deepest, margin, chosen);
    if (count > most)
    {
        choose_far(&common, f64x2_mul(f64x2_splat(2), entries_of(along.along[1], &of_b)), most, count, chosen);
        count = most;
    }
    make_points(&p, &of_a, &of_b, along.n, &common, chosen, count, points);
    *out_normal = along.n;
    *out_count = count;
    return GRZ_BOXES_NEAR;
}
