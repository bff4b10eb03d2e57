/* SPDX-License-Identifier: MIT */
/*
 * Where two moving triangles may meet; see triangle_filter.h. If a direction separates the hulls of both triangles in
 * an interval of time (moving_arcs.h), they are apart in it; else it is halved. The bound of an inner product with a
 * direction is derived there.
 */
#include "motion/triangle_filter.h"

#include <math.h>
#include <string.h>

enum
{
    PIECES_MAX = 96,
    CELLS = 1 << GRZ_ARC_DEPTH_MAX
};

/* Whether A lies before B along the direction, or after it. */
static bool separates(const grz_arc_hull hulls[2], const double n[3])
{
    double least[2], most[2], error = (fabs(n[0]) + fabs(n[1]) + fabs(n[2])) * (hulls[0].error + hulls[1].error);
    error += 0x1p-1000; /* products that underflow; this one may, too */
    for (int side = 0; side < 2; side++)
    {
        least[side] = INFINITY;
        most[side] = -INFINITY;
        for (int i = 0; i < hulls[side].count; i++)
        {
            const double *p = hulls[side].points[i];
            double x = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
            least[side] = x < least[side] ? x : least[side];
            most[side] = x > most[side] ? x : most[side];
        }
    }
    return least[1] - most[0] > error || least[0] - most[1] > error;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static bool axes_separate(const grz_arc_hull hulls[2])
{
    for (int k = 0; k < 3; k++)
    {
        double n[3] = {0, 0, 0};
        n[k] = 1;
        if (separates(hulls, n))
            return true;
    }
    double n[3] = {0, 0, 0};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3 * hulls[side].count; i++)
            n[i % 3] += (side == 0 ? -1.0 : 1.0) * hulls[side].points[i / 3][i % 3] / hulls[side].count;
    return separates(hulls, n);
}

/* Normals of both faces and of pairs of edges, from the corners in the middle of the control points. */
static bool normals_separate(const grz_arc_hull hulls[2])
{
    double edges[2][3][3], n[3];
    for (int side = 0; side < 2; side++)
    {
        int row = hulls[side].count / 3;
        for (int i = 0; i < 9; i++)
            edges[side][i / 3][i % 3] = hulls[side].points[(i / 3 + 1) % 3 * row + row / 2][i % 3] -
                                        hulls[side].points[i / 3 * row + row / 2][i % 3];
        cross(edges[side][0], edges[side][1], n);
        if (separates(hulls, n))
            return true;
    }
    for (int i = 0; i < 9; i++)
    {
        cross(edges[0][i / 3], edges[1][i % 3], n);
        if (separates(hulls, n))
            return true;
    }
    return false;
}

bool grz_meeting_search_start(grz_meeting_search *search, const graze_moving_triangle *a,
                              const graze_moving_triangle *b)
{
    if (!grz_moving_arcs_make(a, b, &search->arcs))
        return false;
    search->count = search->tested = search->rest = 0;
    search->from = 0;
    return true;
}

/* Puts the interval on the stack that follows all others: as long as it may be, but at first, where it is known that
   they do not meet before, only as long as pieces that are not halved, since they are likely to meet soon. */
static void push_rest(grz_meeting_search *search)
{
    int length = CELLS;
    if (search->rest == 0 && search->from * CELLS >= 1)
    {
        search->rest = (int)fmin(search->from * CELLS, CELLS - 1); /* shortcut: known-to-be-apart */
        length = 1;
    }
    while (length > 1 && search->rest % length != 0)
        length /= 2;
    grz_time_piece *p = &search->stack[search->count++];
    p->k = GRZ_ARC_DEPTH_MAX;
    for (int i = length; i > 1; i /= 2)
        p->k--;
    p->n = search->rest / length;
    if (length == CELLS)
        memcpy(p->pieces, search->arcs.whole, sizeof p->pieces);
    else
        grz_arcs_restrict(&search->arcs, p->n, p->k, p->pieces);
    search->rest += length;
}

bool grz_meeting_search_next(grz_meeting_search *search, double until, grz_meeting_piece *out)
{
    while (search->count > 0 || search->rest < CELLS)
    {
        grz_arc_hull hulls[2];
        if (search->count == 0)
            push_rest(search);
        grz_time_piece *p = &search->stack[search->count - 1];
        if ((double)p->n * (1 << (GRZ_ARC_DEPTH_MAX - p->k)) > until * CELLS)
            return false;
        bool bounded = grz_arcs_hulls(&search->arcs, p->pieces, hulls);
        /* shortcut: moving-triangles-apart */
        if (bounded && (axes_separate(hulls) || normals_separate(hulls)))
        {
            search->count--;
            continue;
        }
        bool last = search->tested++ >= PIECES_MAX;
        if (last || p->k == GRZ_ARC_DEPTH_MAX)
        {
            *out = (grz_meeting_piece){.n = p->n, .k = p->k, .to_the_end = last};
            if (bounded && !last)
            {
                grz_near_points_of_hulls((const grz_arc_hull *)hulls, &out->near);
                grz_arcs_moves(&search->arcs, p->pieces, hulls, &out->moves);
            }
            search->count = last ? 0 : search->count - 1;
            search->rest = last ? CELLS : search->rest;
            return true;
        }
        grz_arcs_halve(&search->arcs, p->pieces, p[1].pieces);
        p->k++;
        p[1].k = p->k;
        p[1].n = 2 * p->n;
        p->n = 2 * p->n + 1;
        search->count++;
    }
    return false;
}
