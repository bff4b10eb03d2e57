/* SPDX-License-Identifier: MIT */
/*
 * Contact manifolds. Both features are convex, so their projections along the normal meet in a convex set: a polygon
 * (two faces; Sutherland and Hodgman, Reentrant polygon clipping, 1974), a segment or a point. The gap above a point of
 * it is linear over a face, so that its least value lies at a corner.
 *
 * Corners are named by the features they come from, a vertex of one body over the face of the other or two edges that
 * cross: names stay from frame to frame while the same features meet, so that a solver finds last frame's impulses.
 */
#include "convex/manifold.h"

#include <stdbool.h>

#define PARALLEL                                                                                                       \
    1e-6            /* sine between projected edges below which one is clipped by the other's ends: which points are   \
                       reported, not whether there is contact */
#define CLOSE 0.125 /* share of the margin by which the witnesses may be closer than all corners: of polytopes, */
#define CLOSE_CURVED 1e-6 /* and where rims are polygons */

enum
{
    OF_VERTEX = GRZ_MANIFOLD_VERTEX,
    OF_EDGE = GRZ_MANIFOLD_EDGE,
    OF_FACE = GRZ_MANIFOLD_FACE,
    OF_WITNESS = GRZ_MANIFOLD_WITNESS,
    MOST_CORNERS = 2 * GRZ_FACET_MOST
};

/* A feature in the plane across the normal: coordinates and heights along the normal. */
typedef struct projected
{
    const grz_facet *facet;
    double x[GRZ_FACET_MOST], y[GRZ_FACET_MOST], height[GRZ_FACET_MOST];
    double slope_x, slope_y; /* of a polygon's plane */
} projected;

typedef struct corner
{
    double x, y;
    uint32_t names[2]; /* of the first and the second feature */
    uint32_t edge;     /* name of the edge to the next corner */
    bool cut;          /* whether that edge is one of the second feature */
} corner;

typedef struct corners
{
    unsigned count;
    corner data[MOST_CORNERS];
} corners;

typedef struct contact_axes
{
    v3 x, y, normal;
} contact_axes;

static uint32_t name_of(unsigned what, uint32_t number)
{
    return what << 30 | (number & 0x3fffffff);
}

static contact_axes axes_of(v3 normal)
{
    v3 side = fabs(normal.x) < 0.6 ? v3_make(1, 0, 0) : v3_make(0, 1, 0);
    v3 x = v3_cross(normal, side);
    x = v3_scale(1 / v3_length(x), x);
    return (contact_axes){x, v3_cross(normal, x), normal};
}

static void project(const contact_axes *f, const grz_facet *facet, projected *out)
{
    out->facet = facet; /* of the arrays as much is set as the facet has points, and the first two */
    out->slope_x = out->slope_y = 0;
    for (unsigned i = 0; i < 2; i++)
        out->x[i] = out->y[i] = out->height[i] = 0;
    for (unsigned i = 0; i < facet->count; i++)
    {
        out->x[i] = v3_dot(f->x, facet->points[i]);
        out->y[i] = v3_dot(f->y, facet->points[i]);
        out->height[i] = v3_dot(f->normal, facet->points[i]);
    }
    if (facet->count > 2) /* facet.c takes faces only whose normals are not at right angles to the direction */
    {
        double along = v3_dot(f->normal, facet->normal);
        out->slope_x = -v3_dot(f->x, facet->normal) / along;
        out->slope_y = -v3_dot(f->y, facet->normal) / along;
    }
}

/* The height of a feature above a point of its projection. */
static double height_at(const projected *p, double x, double y)
{
    double dx = x - p->x[0], dy = y - p->y[0];
    if (p->facet->count > 2)
        return p->height[0] + p->slope_x * dx + p->slope_y * dy;
    if (p->facet->count == 1)
        return p->height[0];
    double ex = p->x[1] - p->x[0], ey = p->y[1] - p->y[0], square = ex * ex + ey * ey;
    double share = square > 0 ? fmin(fmax((dx * ex + dy * ey) / square, 0), 1) : 0;
    return p->height[0] + share * (p->height[1] - p->height[0]);
}

static double area_of(const projected *p)
{
    double sum = 0;
    for (unsigned i = 1; i + 1 < p->facet->count; i++)
        sum += (p->x[i] - p->x[0]) * (p->y[i + 1] - p->y[0]) - (p->x[i + 1] - p->x[0]) * (p->y[i] - p->y[0]);
    return sum;
}

/* ---- intersections of projections ---- */

/* Clips by the half-plane left of edge `edge` of a polygon; `turn` is 1 where it runs counter-clockwise, else -1. */
static void clip(const corners *from, uint32_t subject_face, const projected *polygon, unsigned edge, double turn,
                 corners *to)
{
    unsigned next = (edge + 1) % polygon->facet->count;
    double ex = polygon->x[next] - polygon->x[edge], ey = polygon->y[next] - polygon->y[edge];
    uint32_t numbers[2] = {polygon->facet->numbers[edge], polygon->facet->numbers[next]};
    uint32_t name = name_of(OF_EDGE, numbers[0]);
    to->count = 0;
    for (unsigned i = 0; i < from->count; i++)
    {
        const corner *a = &from->data[i], *b = &from->data[(i + 1) % from->count];
        double side_a = turn * (ex * (a->y - polygon->y[edge]) - ey * (a->x - polygon->x[edge]));
        double side_b = turn * (ex * (b->y - polygon->y[edge]) - ey * (b->x - polygon->x[edge]));
        if (side_a >= 0 && to->count < MOST_CORNERS)
            to->data[to->count++] = *a;
        if ((side_a >= 0) == (side_b >= 0) || (from->count == 2 && i == 1) || to->count == MOST_CORNERS)
            continue;
        double share = side_a / (side_a - side_b);
        corner crossing = {.x = a->x + share * (b->x - a->x), .y = a->y + share * (b->y - a->y), .edge = a->edge};
        crossing.cut = a->cut;
        crossing.names[0] = a->edge;
        crossing.names[1] = name;
        if (a->cut) /* two edges of the polygon: its vertex between them */
        {
            crossing.names[0] = name_of(OF_FACE, subject_face);
            crossing.names[1] = name_of(OF_VERTEX, a->edge == name_of(OF_EDGE, numbers[1]) ? numbers[1] : numbers[0]);
        }
        if (side_a >= 0) /* leaves: from here the border follows the polygon */
        {
            crossing.edge = name;
            crossing.cut = true;
        }
        to->data[to->count++] = crossing;
    }
}

static void clip_by_polygon(const projected *subject, const projected *polygon, corners *out)
{
    corners buffers[2];
    double turn = area_of(polygon) < 0 ? -1 : 1;
    buffers[0].count = subject->facet->count;
    buffers[1].count = 0;
    for (unsigned i = 0; i < subject->facet->count; i++)
    {
        uint32_t number = subject->facet->numbers[i];
        buffers[0].data[i] = (corner){subject->x[i],
                                      subject->y[i],
                                      {name_of(OF_VERTEX, number), name_of(OF_FACE, polygon->facet->face)},
                                      name_of(OF_EDGE, number),
                                      false};
    }
    unsigned now = 0;
    for (unsigned edge = 0; edge < polygon->facet->count && buffers[now].count > 0; edge++, now = 1 - now)
        clip(&buffers[now], subject->facet->face, polygon, edge, turn, &buffers[1 - now]);
    out->count = buffers[now].count;
    for (unsigned i = 0; i < out->count; i++)
        out->data[i] = buffers[now].data[i];
}

/* Two edges: the point where they cross, or, where they are parallel, the ends of their common part. */
static void cross_edges(const projected *a, const projected *b, corners *out)
{
    double ax = a->x[1] - a->x[0], ay = a->y[1] - a->y[0], bx = b->x[1] - b->x[0], by = b->y[1] - b->y[0];
    double sine = ax * by - ay * bx, a_sq = ax * ax + ay * ay, b_sq = bx * bx + by * by;
    double dx = b->x[0] - a->x[0], dy = b->y[0] - a->y[0];
    uint32_t names[2] = {name_of(OF_EDGE, a->facet->numbers[0]), name_of(OF_EDGE, b->facet->numbers[0])};
    out->count = 0;
    if (!(a_sq > 0 && b_sq > 0))
        return;
    if (fabs(sine) > PARALLEL * sqrt(a_sq) * sqrt(b_sq))
    {
        double share_a = (dx * by - dy * bx) / sine, share_b = (dx * ay - dy * ax) / sine;
        if (share_a >= 0 && share_a <= 1 && share_b >= 0 && share_b <= 1)
            out->data[out->count++] =
                (corner){a->x[0] + share_a * ax, a->y[0] + share_a * ay, {names[0], names[1]}, 0, false};
        return;
    }
    for (int end = 0; end < 4; end++) /* ends of A over B, then ends of B over A */
    {
        const projected *from = end < 2 ? a : b, *over = end < 2 ? b : a;
        double ex = over->x[1] - over->x[0], ey = over->y[1] - over->y[0], square = end < 2 ? b_sq : a_sq;
        double share = ((from->x[end % 2] - over->x[0]) * ex + (from->y[end % 2] - over->y[0]) * ey) / square;
        if (share < 0 || share > 1)
            continue;
        corner c = {from->x[end % 2], from->y[end % 2], {names[0], names[1]}, 0, false};
        c.names[end < 2 ? 0 : 1] = name_of(OF_VERTEX, from->facet->numbers[end % 2]);
        out->data[out->count++] = c;
    }
}

/* The corners of the common part of both projections; none where a feature is a vertex: then the witnesses count. */
static void intersect(const projected *a, const projected *b, corners *out)
{
    out->count = 0;
    if (a->facet->count == 2 && b->facet->count == 2)
        cross_edges(a, b, out);
    else if (b->facet->count > 2 && a->facet->count > 0)
        clip_by_polygon(a, b, out);
    else if (a->facet->count > 2 && b->facet->count > 0)
    {
        clip_by_polygon(b, a, out);
        for (unsigned i = 0; i < out->count; i++)
        {
            uint32_t name = out->data[i].names[0];
            out->data[i].names[0] = out->data[i].names[1];
            out->data[i].names[1] = name;
        }
    }
}

/* ---- the points to keep ---- */

static double distance_sq(const grz_manifold_point *p, const grz_manifold_point *q)
{
    v3 d = v3_sub(p->point_a, q->point_a);
    return v3_dot(d, d);
}

static void swap_points(grz_manifold_point *points, unsigned i, unsigned k)
{
    grz_manifold_point other = points[i];
    points[i] = points[k];
    points[k] = other;
}

unsigned grz_manifold_reduce(grz_manifold_point *points, unsigned count, unsigned most)
{
    double nearest[GRZ_MANIFOLD_CANDIDATES]; /* of each point, the square of its distance from those kept */
    for (unsigned i = 1; i < count; i++)
        if (points[i].gap < points[0].gap)
            swap_points(points, i, 0);
    if (count <= most)
        return count;
    for (unsigned i = 0; i < count; i++)
        nearest[i] = INFINITY;
    for (unsigned kept = 1; kept < most && kept < count; kept++)
    {
        unsigned best = kept;
        double farthest = -1;
        for (unsigned i = kept; i < count; i++)
        {
            double square = distance_sq(&points[i], &points[kept - 1]);
            nearest[i] = square < nearest[i] ? square : nearest[i];
            bool farther = nearest[i] > farthest * (1 + GRZ_MANIFOLD_SAME_DISTANCE);
            best = farther ? i : best;
            farthest = farther ? nearest[i] : farthest;
        }
        swap_points(points, kept, best);
        nearest[best] = nearest[kept];
    }
    return most;
}

bool grz_manifold_is_witness(const grz_manifold_point *point)
{
    return point->feature >> 62 == OF_WITNESS;
}

unsigned grz_manifold_corners(const grz_manifold_side *a, const grz_manifold_side *b, const grz_facet facets[2],
                              v3 normal, double margin, grz_manifold_point points[GRZ_MANIFOLD_CORNERS])
{
    contact_axes f = axes_of(normal);
    projected sides[2];
    corners found;
    project(&f, &facets[0], &sides[0]);
    project(&f, &facets[1], &sides[1]);
    intersect(&sides[0], &sides[1], &found);

    unsigned count = 0;
    double least = INFINITY, witness_gap = v3_dot(normal, v3_sub(b->witness, a->witness));
    for (unsigned i = 0; i < found.count; i++)
    {
        const corner *c = &found.data[i];
        double low = height_at(&sides[0], c->x, c->y) + a->body->radius;
        double high = height_at(&sides[1], c->x, c->y) - b->body->radius;
        v3 base = v3_add(v3_scale(c->x, f.x), v3_scale(c->y, f.y));
        if (!(high - low <= margin))
            continue;
        least = fmin(least, high - low);
        points[count++] =
            (grz_manifold_point){v3_add(base, v3_scale(low, normal)), v3_add(base, v3_scale(high, normal)), high - low,
                                 (uint64_t)c->names[0] << 32 | c->names[1]};
    }
    bool curved = a->body->kind != GRZ_CONVEX_POLYTOPE || b->body->kind != GRZ_CONVEX_POLYTOPE;
    if (witness_gap <= margin && !(least <= witness_gap + (curved ? CLOSE_CURVED : CLOSE) * margin))
        points[count++] = (grz_manifold_point){a->witness, b->witness, witness_gap,
                                               (uint64_t)name_of(OF_WITNESS, facets[0].face) << 32 |
                                                   name_of(OF_WITNESS, facets[1].face)};
    return count;
}

unsigned grz_manifold_make(const grz_manifold_side *a, const grz_manifold_side *b, v3 normal, double margin,
                           unsigned most, grz_manifold_point *points)
{
    grz_facet facets[2];
    grz_manifold_point candidates[GRZ_MANIFOLD_CORNERS];
    grz_facet_find(a->body, a->hull, normal, &facets[0]);
    grz_facet_find(b->body, b->hull, v3_scale(-1, normal), &facets[1]);
    unsigned count = grz_manifold_corners(a, b, facets, normal, margin, candidates);
    unsigned kept = grz_manifold_reduce(candidates, count, most);
    for (unsigned i = 0; i < kept; i++)
        points[i] = candidates[i];
    return kept;
}
