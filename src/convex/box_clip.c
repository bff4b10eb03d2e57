/* SPDX-License-Identifier: MIT */
/*
 * A parallelogram clipped by a rectangle. One walk around the parallelogram: each edge is cut by the sides beyond which
 * its ends lie; where the border of the common part leaves the parallelogram on one side and enters it again on another
 * one, it follows the rectangle, whose corners between both sides are corners of it.
 *
 * What is found is one closed border, whatever rounding does: an end is inside or outside for both of its edges, and an
 * edge with one end inside is cut once: the share of its length, a quotient of differences of which the first is not
 * the larger one, is from 0 to 1. So no corner is lost where corners, sides and edges coincide.
 */
#include "convex/box_clip.h"

#include <math.h>
#include <stdbool.h>

enum
{
    NO_SIDE = 4,
    ALL_INSIDE = 0
};

/* Corners of the parallelogram, counterclockwise. */
typedef struct clipped_face
{
    f64x2 half;
    f64x2 at[4];
    unsigned beyond[4]; /* of the rectangle: bits 1 and 2 left and below, 4 and 8 right and above */
    bool turned;        /* they are numbered the other way round */
} clipped_face;

typedef struct corner_list
{
    grz_clip_corner *corners;
    unsigned count;
} corner_list;

static inline void add_corner(corner_list *out, f64x2 at, unsigned of_parallelogram, unsigned of_rectangle)
{
    grz_clip_corner *c = &out->corners[out->count++];
    c->at = at;
    c->of_parallelogram = of_parallelogram;
    c->of_rectangle = of_rectangle;
}

/* The corners of the rectangle at the ends of side `from` and those after it, up to the start of side `to`. */
static void add_rectangle_corners(corner_list *out, f64x2 half, unsigned from, unsigned to)
{
    static const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    while (from != to)
    {
        from = (from + 1) & 3u;
        add_corner(out, f64x2_mul(f64x2_load(signs[from]), half), GRZ_CLIP_INSIDE, from);
    }
}

/* The shares of the edge from i to j at which it crosses the lines of the sides on which i lies. */
static inline f64x2 shares_of(const clipped_face *p, unsigned i, unsigned j)
{
    f64x2 start = p->at[i];
    return f64x2_div(f64x2_sub(f64x2_copy_sign(p->half, start), start), f64x2_sub(p->at[j], start));
}

/* The share at which the edge from i, beyond sides, comes inside, and the side: the last that it crosses. */
static inline double entry(const clipped_face *p, unsigned i, unsigned j, unsigned *out_side)
{
    f64x2 shares = shares_of(p, i, j);
    double of_s = f64x2_first(shares), of_t = f64x2_first(f64x2_swap(shares));
    unsigned beyond = p->beyond[i];
    if ((beyond & 5u) != 0 && ((beyond & 10u) == 0 || of_s >= of_t))
    {
        *out_side = (beyond & 1u) != 0 ? 3 : 1;
        return of_s;
    }
    *out_side = (beyond & 2u) != 0 ? 0 : 2;
    return of_t;
}

static inline f64x2 point_between(f64x2 a, f64x2 b, double share)
{
    return f64x2_add(a, f64x2_mul(f64x2_splat(share), f64x2_sub(b, a)));
}

static inline unsigned beyond(f64x2 half, f64x2 at)
{
    return f64x2_gt_bits(f64x2_sub(f64x2_splat(0), half), at) | f64x2_gt_bits(at, half) << 2;
}

static inline void set_subject(f64x2 half, const grz_parallelogram *g, bool turned, clipped_face *p)
{
    f64x2 v = turned ? f64x2_sub(f64x2_splat(0), g->v) : g->v; /* the other way round */
    f64x2 sum = f64x2_add(g->u, v), difference = f64x2_sub(g->u, v);
    p->half = half;
    p->turned = turned;
    p->at[0] = f64x2_sub(g->centre, sum);
    p->at[1] = f64x2_add(g->centre, difference);
    p->at[2] = f64x2_add(g->centre, sum);
    p->at[3] = f64x2_sub(g->centre, difference);
    for (int i = 0; i < 4; i++)
        p->beyond[i] = beyond(half, p->at[i]);
}

/* Where no edge crosses a side and no corner is inside: whether the rectangle is inside. */
static bool holds_centre(const grz_parallelogram *g, double area)
{
    double c[2], u[2], v[2];
    f64x2_store(c, g->centre);
    f64x2_store(u, g->u);
    f64x2_store(v, g->v);
    return area != 0 && fabs(c[0] * v[1] - c[1] * v[0]) <= fabs(area) && fabs(u[0] * c[1] - u[1] * c[0]) <= fabs(area);
}

/* Nothing is clipped. */
static inline unsigned take_all(const grz_parallelogram *g, grz_clip_corner *corners)
{
    f64x2 sum = f64x2_add(g->u, g->v), difference = f64x2_sub(g->u, g->v);
    corner_list out = {corners, 0};
    add_corner(&out, f64x2_sub(g->centre, sum), 0, GRZ_CLIP_INSIDE);
    add_corner(&out, f64x2_add(g->centre, difference), 1, GRZ_CLIP_INSIDE);
    add_corner(&out, f64x2_add(g->centre, sum), 2, GRZ_CLIP_INSIDE);
    add_corner(&out, f64x2_sub(g->centre, difference), 3, GRZ_CLIP_INSIDE);
    return out.count;
}

/* Where the border enters and leaves the rectangle. */
typedef struct border_walk
{
    corner_list out;
    unsigned first; /* the side of the first entry, where that comes before an exit; else NO_SIDE */
    unsigned last;  /* of the last exit */
} border_walk;

static inline void cut_edge(const clipped_face *p, unsigned i, border_walk *w)
{
    unsigned j = (i + 1) & 3u, side_in = NO_SIDE, side_out = NO_SIDE, name = p->turned ? (6 - i) & 3u : i;
    if ((p->beyond[i] & p->beyond[j]) != 0)
        return;
    double share_in = p->beyond[i] != 0 ? entry(p, i, j, &side_in) : 0;
    double share_out = p->beyond[j] != 0 ? entry(p, j, i, &side_out) : 0; /* from the other end */
    if (side_in != NO_SIDE && side_out != NO_SIDE && share_in + share_out > 1)
        return;
    if (side_in != NO_SIDE)
    {
        if (w->last != NO_SIDE)
            add_rectangle_corners(&w->out, p->half, w->last, side_in);
        else
            w->first = side_in;
        add_corner(&w->out, point_between(p->at[i], p->at[j], share_in), GRZ_CLIP_SIDES + name,
                   GRZ_CLIP_SIDES + side_in);
    }
    if (side_out != NO_SIDE)
    {
        add_corner(&w->out, point_between(p->at[j], p->at[i], share_out), GRZ_CLIP_SIDES + name,
                   GRZ_CLIP_SIDES + side_out);
        w->last = side_out;
    }
}

unsigned grz_box_clip(f64x2 half, const grz_parallelogram *g, grz_clip_corner corners[GRZ_CLIP_CANDIDATES])
{
    clipped_face p;
    border_walk w = {{corners, 0}, NO_SIDE, NO_SIDE};
    f64x2 reach = f64x2_add(f64x2_abs(g->centre), f64x2_add(f64x2_abs(g->u), f64x2_abs(g->v)));
    if (f64x2_gt_bits(reach, half) == 0)
        return take_all(g, corners);
    f64x2 products = f64x2_mul(g->u, f64x2_swap(g->v));
    double area = f64x2_first(f64x2_sub(products, f64x2_swap(products)));
    set_subject(half, g, area < 0, &p);
    for (unsigned i = 0; i < 4; i++)
    {
        if (p.beyond[i] == ALL_INSIDE)
            add_corner(&w.out, p.at[i], p.turned ? 3 - i : i, GRZ_CLIP_INSIDE);
        if ((p.beyond[i] | p.beyond[(i + 1) & 3u]) != ALL_INSIDE)
            cut_edge(&p, i, &w);
    }
    if (w.first != NO_SIDE && w.last != NO_SIDE)
        add_rectangle_corners(&w.out, half, w.last, w.first);
    else if (w.out.count == 0 && holds_centre(g, area))
    {
        add_rectangle_corners(&w.out, half, 3, 2); /* corners 0 to 2 */
        add_rectangle_corners(&w.out, half, 2, 3);
    }
    return w.out.count;
}
