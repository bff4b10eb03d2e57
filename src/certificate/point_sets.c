/* SPDX-License-Identifier: MIT */
/* GJK over plain lists of points (Gilbert, Johnson and Keerthi, 1988); see point_sets.h. */
#include "certificate/point_sets.h"

#include <math.h>
#include <stdbool.h>

#include "convex/simplex.h"

enum
{
    MOST_STEPS = 40
};

static size_t support(grz_point_set set, v3 n, double *out_height)
{
    size_t best = 0;
    double height = v3_dot(n, set.points[0]);
    for (size_t i = 1; i < set.count; i++)
    {
        double h = v3_dot(n, set.points[i]);
        if (h > height)
        {
            height = h;
            best = i;
        }
    }
    *out_height = height;
    return best;
}

void grz_point_sets_ends(grz_point_set a, grz_point_set b, v3 n, double *out_end_of_a, double *out_start_of_b)
{
    support(a, n, out_end_of_a);
    support(b, v3_scale(-1, n), out_start_of_b);
    *out_start_of_b = -*out_start_of_b;
}

double grz_point_sets_gap(grz_point_set a, grz_point_set b, v3 *direction)
{
    v3 corners[4], n = *direction;
    int count = 0;
    double best = 0;
    if (!(v3_dot(n, n) > 0x1p-600))
        n = v3_sub(b.points[0], a.points[0]);
    for (int step = 0; step < MOST_STEPS; step++)
    {
        double length = v3_length(n), end_of_a, start_of_b;
        if (!(length > 0x1p-300) || !(length < 0x1p300))
            return best;
        v3 unit = v3_scale(1 / length, n);
        size_t i = support(a, unit, &end_of_a), k = support(b, v3_scale(-1, unit), &start_of_b);
        double gap = -start_of_b - end_of_a;
        if (gap > best)
        {
            best = gap;
            *direction = unit;
        }
        if (count > 0 && gap > length * (1 - 1e-12)) /* close enough to the distance */
            return best;
        corners[count++] = v3_sub(b.points[k], a.points[i]);
        grz_simplex_point nearest;
        grz_simplex_nearest(corners, count, &nearest);
        int kept = 0;
        for (int corner = 0; corner < count; corner++)
            if (nearest.corners >> corner & 1u)
                corners[kept++] = corners[corner];
        if (kept == 4 || (kept == count && kept > 1 && v3_dot(nearest.point, nearest.point) >= length * length))
            return best;
        count = kept;
        n = nearest.point;
    }
    return best;
}
