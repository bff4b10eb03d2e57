/* SPDX-License-Identifier: MIT */
/*
 * Pairs of primitives in a few numbers; see quick_pair.h. The search is GJK (Gilbert, Johnson, Keerthi 1988) over the
 * differences of support points, of bodies that are a little smaller than they are, so that points found in both lie
 * well within the bodies themselves. What it finds is certified by the tests of quick_body.h; it only guides.
 */
#include "shape/quick_pair.h"

#include <math.h>

#include "convex/simplex.h"
#include "math/interval.h"

#define SHARE (1 - 1e-7) /* of the sizes, in searches */
#define LEAST 0x1p-500
#define NEAR_SHARE 1e-14 /* where the nearest point no longer moves, of its squared distance */

enum
{
    MOST_STEPS = 24
};

bool grz_quick_are_apart(grz_quick_placed a, grz_quick_placed b, const double direction[3])
{
    const double *d = direction, back[3] = {-d[0], -d[1], -d[2]};
    double scale = 0, square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (!(square >= 0x1p-200 && square <= 0x1p200))
        return false;
    double length = sqrt(square);
    double before = grz_quick_body_extent(a.body, a.pose, d, length, &scale);
    double behind = grz_quick_body_extent(b.body, b.pose, back, length, &scale);
    /* shortcut: quick-planes */
    return before + behind < -(64 * GRZ_U * scale + LEAST);
}

bool grz_quick_share_point(grz_quick_placed a, grz_quick_placed b, const double point[3])
{
    return grz_quick_body_holds(a.body, a.pose, point) && grz_quick_body_holds(b.body, b.pose, point);
}

/* A simplex of differences of points of A and B. */
typedef struct quick_search
{
    grz_quick_placed a, b;
    double radii;
    v3 corners[4], of_a[4];
    int count;
    grz_simplex_point nearest;
} quick_search;

/* About the middle of the common part, if there is one: between the points of A and B, in the proportion of the radii.
 */
static void mix(const quick_search *s, double out_point[3])
{
    v3 point = {0, 0, 0};
    double share = s->radii > 0 ? s->a.body->radius / s->radii : 0.5;
    for (int i = 0; i < s->count; i++)
        point = v3_add(point, v3_scale(s->nearest.weights[i], s->of_a[i]));
    v3_store(v3_add(point, v3_scale(share, s->nearest.point)), out_point);
}

/* Keeps the corners with a weight. */
static void reduce(quick_search *s)
{
    int kept = 0;
    for (int i = 0; i < s->count; i++)
    {
        if ((s->nearest.corners >> i & 1) == 0)
            continue;
        s->corners[kept] = s->corners[i];
        s->of_a[kept] = s->of_a[i];
        s->nearest.weights[kept++] = s->nearest.weights[i];
    }
    s->count = kept;
}

/* Adds the difference that is least far along v. */
static v3 add_corner(quick_search *s, v3 v)
{
    double ahead[3] = {v.x, v.y, v.z}, back[3] = {-v.x, -v.y, -v.z}, points[2][3];
    grz_quick_body_support(s->a.body, s->a.pose, ahead, SHARE, points[0]);
    grz_quick_body_support(s->b.body, s->b.pose, back, SHARE, points[1]);
    s->of_a[s->count] = v3_load(points[0]);
    v3 corner = v3_sub(v3_load(points[1]), v3_load(points[0]));
    s->corners[s->count++] = corner;
    return corner;
}

/* The difference of the centres of their bounding balls, if no other direction is known. */
static v3 start_direction(const quick_search *s, const double direction[3])
{
    v3 v = v3_load(direction);
    if (v3_dot(v, v) > 0)
        return v;
    double points[2][3];
    grz_quick_body_middle(s->a.body, s->a.pose, points[0]);
    grz_quick_body_middle(s->b.body, s->b.pose, points[1]);
    v = v3_sub(v3_load(points[1]), v3_load(points[0]));
    return v3_dot(v, v) > 0 ? v : v3_make(1, 0, 0);
}

/* One step from v, the nearest point so far. Whether to go on. */
static bool step(quick_search *s, v3 v, bool first, graze_verdict *verdict, double direction[3], double out_point[3])
{
    double square = v3_dot(v, v), enough = s->radii * SHARE;
    v3 corner = add_corner(s, v);
    double along = v3_dot(v, corner);
    if (along > 0 && along * along > s->radii * s->radii * square)
    {
        double way[3] = {v.x, v.y, v.z};
        if (grz_quick_are_apart(s->a, s->b, way))
        {
            v3_store(v, direction);
            *verdict = GRAZE_VERDICT_NO;
            return false;
        }
    }
    if (!first && square - along <= NEAR_SHARE * square)
        return false;
    grz_simplex_nearest(s->corners, s->count, &s->nearest);
    bool inside = s->nearest.corners == 15;
    reduce(s);
    double rest = v3_dot(s->nearest.point, s->nearest.point);
    if (!inside && rest > enough * enough)
        return true;
    mix(s, out_point);
    *verdict = grz_quick_share_point(s->a, s->b, out_point) ? GRAZE_VERDICT_YES : GRAZE_VERDICT_UNKNOWN;
    return false;
}

/* About the middle of what both have of the line between their centres, as far as their extents along it tell: of
   bodies that are deep in each other it mostly lies in both, and still does when they have moved a little. */
static bool guess_point(const quick_search *s, double out_point[3])
{
    double centres[2][3], way[3], back[3], scale = 0, square = 0;
    grz_quick_body_middle(s->a.body, s->a.pose, centres[0]);
    grz_quick_body_middle(s->b.body, s->b.pose, centres[1]);
    for (int k = 0; k < 3; k++)
    {
        way[k] = centres[1][k] - centres[0][k];
        back[k] = -way[k];
        square += way[k] * way[k];
    }
    double length = sqrt(square), along = 0.5;
    if (length > 0)
    {
        double ahead = grz_quick_body_extent(s->a.body, s->a.pose, way, length, &scale);
        double behind = -grz_quick_body_extent(s->b.body, s->b.pose, back, length, &scale);
        double start = way[0] * centres[0][0] + way[1] * centres[0][1] + way[2] * centres[0][2];
        along = (0.5 * ahead + 0.5 * behind - start) / square;
    }
    for (int k = 0; k < 3; k++)
        out_point[k] = centres[0][k] + along * way[k];
    return grz_quick_share_point(s->a, s->b, out_point);
}

graze_verdict grz_quick_pair_search(grz_quick_placed a, grz_quick_placed b, double direction[3], double out_point[3])
{
    quick_search s; /* what is not set here is set by the first step: zeros for all of it take time */
    s.a = a;
    s.b = b;
    s.radii = a.body->radius + b.body->radius;
    s.count = 0;
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    if (guess_point(&s, out_point))
        return GRAZE_VERDICT_YES;
    v3 v = start_direction(&s, direction);
    for (int i = 0; i < MOST_STEPS; i++)
    {
        double square = v3_dot(v, v);
        if (!(square >= 0x1p-190 && square <= 0x1p190) || !step(&s, v, i == 0, &verdict, direction, out_point))
            break;
        v = s.nearest.point;
    }
    return verdict;
}
