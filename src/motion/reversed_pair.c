/* SPDX-License-Identifier: MIT */
/*
 * Motions backward in time; see reversed_pair.h.
 *
 * Rotations, and blends, are reversed by swapping their ends. The path x0 + x1 t + x2 t^2 of a turn becomes (x0 + x1 +
 * x2) - (x1 + 2 x2) t + x2 t^2, whose coefficients are seldom doubles. But only the difference of both translations
 * counts, so that the world may move along: each coefficient of the difference, exact as a sum of doubles, is split
 * into two doubles, of which B gets the large one and A minus the small one. Two have 106 bits and more, which suffices
 * for numbers of like magnitudes.
 */
#include "motion/reversed_pair.h"

#include <math.h>

enum
{
    TERMS_MAX = 8
};

/* Knuth's exact sum: x + y = *out_sum + the result. */
static double two_sum(double x, double y, double *out_sum)
{
    double sum = x + y, part = sum - x;
    *out_sum = sum;
    return (x - (sum - part)) + (y - part);
}

/* The sum of some doubles as that of two, high and low. False where it is none, or not finite. */
static bool sum_of_two(const double *terms, int count, double *out_high, double *out_low)
{
    double parts[TERMS_MAX] = {0}; /* an expansion: smaller parts first, no two overlap (Shewchuk 1997) */
    for (int i = 0; i < count; i++)
    {
        double rest = terms[i];
        for (int j = 0; j < i; j++)
        {
            double sum, error = two_sum(rest, parts[j], &sum);
            parts[j] = error;
            rest = sum;
        }
        parts[i] = rest;
    }
    double left[TERMS_MAX];
    int kept = 0;
    double top = 0;
    for (int i = count; i-- > 0;) /* compressed, the largest first */
    {
        double sum, error = two_sum(top, parts[i], &sum);
        top = sum;
        if (error != 0)
        {
            left[kept++] = top;
            top = error;
        }
    }
    left[kept++] = top;
    *out_high = left[0];
    *out_low = kept > 1 ? left[1] : 0;
    return kept <= 2 && isfinite(left[0]);
}

static bool turns(const graze_motion *motion)
{
    return motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
}

/* Coefficients of the path; the last is 0 but for ballistic turns. */
static void path_of(const graze_motion *motion, int axis, double x[3])
{
    x[0] = motion->path[0][axis];
    x[1] = motion->path[1][axis];
    x[2] = motion->kind == GRAZE_MOTION_BALLISTIC_TURN ? motion->path[2][axis] : 0;
}

/* Swaps the ends: all there is to blends, rotations and still motions. */
static void swap_ends(const graze_motion *motion, graze_motion *out)
{
    *out = *motion;
    if (motion->kind == GRAZE_MOTION_BLEND)
    {
        out->start = motion->end;
        out->end = motion->start;
    }
    for (int i = 0; i < 4; i++)
    {
        out->quaternion[0][i] = motion->quaternion[1][i];
        out->quaternion[1][i] = motion->quaternion[0][i];
    }
}

/* A turns, and so does B. */
static bool reverse_paths(const graze_motion *a, const graze_motion *b, graze_motion *out_a, graze_motion *out_b)
{
    for (int k = 0; k < 3; k++)
    {
        double x[3], y[3], low[2];
        path_of(a, k, x);
        path_of(b, k, y);
        const double places[6] = {y[0], y[1], y[2], -x[0], -x[1], -x[2]};
        const double slopes[6] = {-y[1], -y[2], -y[2], x[1], x[2], x[2]};
        if (!sum_of_two(places, 6, &out_b->path[0][k], &low[0]) || !sum_of_two(slopes, 6, &out_b->path[1][k], &low[1]))
            return false;
        out_a->path[0][k] = -low[0];
        out_a->path[1][k] = -low[1];
    }
    return true;
}

/* A turns, B blends from `start` to `end` translations: at t = 1 B is where it started, as seen from A, whose constant
   part has `low` and whose slope the rest. */
static bool reverse_blend(const graze_motion *a, const graze_motion *b, graze_motion *out_a, graze_motion *out_b)
{
    for (int k = 0; k < 3; k++)
    {
        double x[3], low[2];
        path_of(a, k, x);
        const double start = b->start.m[4 * k + 3], end = b->end.m[4 * k + 3];
        const double places[4] = {end, -x[0], -x[1], -x[2]};
        if (!sum_of_two(places, 4, &out_b->start.m[4 * k + 3], &low[0]))
            return false;
        const double starts[4] = {start, -x[0], x[2], -low[0]};
        if (!sum_of_two(starts, 4, &out_b->end.m[4 * k + 3], &low[1]))
            return false;
        out_a->path[0][k] = -low[0];
        out_a->path[1][k] = -low[1];
    }
    return true;
}

/* A turns, B is not a turn: a still one is taken for a blend. */
static bool reverse_mixed(const graze_motion *a, const graze_motion *b, graze_motion *out_a, graze_motion *out_b)
{
    graze_motion blend = *b;
    if (b->kind == GRAZE_MOTION_STILL)
    {
        blend.kind = GRAZE_MOTION_BLEND;
        blend.end = blend.start;
    }
    swap_ends(a, out_a);
    swap_ends(&blend, out_b);
    return reverse_blend(a, &blend, out_a, out_b);
}

bool grz_motions_reverse(const graze_motion *a, const graze_motion *b, graze_motion *out_a, graze_motion *out_b)
{
    if (turns(a) && !turns(b))
        return reverse_mixed(a, b, out_a, out_b);
    if (turns(b) && !turns(a))
        return reverse_mixed(b, a, out_b, out_a);
    swap_ends(a, out_a);
    swap_ends(b, out_b);
    return !turns(a) || reverse_paths(a, b, out_a, out_b);
}

double grz_time_reversed_below(double t)
{
    double reversed, error = two_sum(1, -t, &reversed);
    return error < 0 ? nextafter(reversed, 0) : reversed;
}

double grz_time_reversed_above(double t)
{
    double reversed, error = two_sum(1, -t, &reversed);
    return error > 0 ? nextafter(reversed, 1) : reversed;
}
