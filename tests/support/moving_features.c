/* SPDX-License-Identifier: MIT */
/* Pairs of moving features that sit on decisions; see moving_features.h. */
#include "support/moving_features.h"

#include <math.h>
#include <string.h>

graze_status moving_features_impact(const moving_features *features, graze_impact_interval *out)
{
    double vertex[2][3], face[2][3][3], a[2][2][3], b[2][2][3];
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 4; i++)
        {
            const double *place = features->places[i][t];
            memcpy(i == 0 ? vertex[t] : face[t][i - 1], place, sizeof vertex[0]);
            memcpy(i < 2 ? a[t][i] : b[t][i - 2], place, sizeof vertex[0]);
        }
    if (features->edges)
        return graze_edge_edge_impact((const double(*)[2][3])a, (const double(*)[2][3])b, out);
    return graze_vertex_face_impact((const double(*)[3])vertex, (const double(*)[3][3])face, out);
}

/* Places on a small grid at the time r / q, and small velocities: impacts at rational times. */
static void draw_planned(test_random *random, int q, int bits, moving_features *out)
{
    int r = random_between(random, 0, q), size = random_between(random, 1, 3);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
        {
            int place = q * random_between(random, -size, size);
            int velocity = random_between(random, -(1 << bits) + 1, (1 << bits) - 1);
            out->places[i][0][k] = place - r * velocity;
            out->places[i][1][k] = place + (q - r) * velocity;
        }
}

static void draw_grid(test_random *random, moving_features *out)
{
    int bits = random_between(random, 2, 5), size = random_between(random, 1, 4);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
        {
            out->places[i][0][k] = random_between(random, -size, size);
            out->places[i][1][k] = out->places[i][0][k] + random_between(random, -(1 << bits) + 1, (1 << bits) - 1);
        }
}

/* The last `axes` coordinates become multiples of the first one: all in one plane or line, at rest or moving. */
static void flatten(test_random *random, int axes, moving_features *out)
{
    for (int j = 0; j < axes; j++)
    {
        int slope = random_between(random, -1, 1), offset[2] = {random_between(random, -1, 1), 0};
        offset[1] = random_once_in(random, 2) ? offset[0] : random_between(random, -3, 3);
        for (int i = 0; i < 8; i++)
        {
            double *place = out->places[i / 2][i % 2];
            place[2 - j] = slope * place[0] + offset[i % 2];
        }
    }
}

/* A coplanarity polynomial with a double root at r / q: b's ends pass a's line in planes at right angles. */
static void draw_double_root(test_random *random, moving_features *out)
{
    int q = random_between(random, 2, 7), r = random_between(random, 1, q - 1), k = random_between(random, -2, 2);
    int m = random_between(random, 1, 2);
    for (int t = 0; t < 2; t++)
    {
        const double ends[4][3] = {{-random_between(random, 0, 2), 0, 0},
                                   {random_between(random, 0, 3), 0, 0},
                                   {random_between(random, -2, 2), 0, k * (q * t - r)},
                                   {random_between(random, -2, 2), m * (q * t - r), random_between(random, 0, 1)}};
        for (int i = 0; i < 4; i++)
            memcpy(out->places[i][t], ends[i], sizeof ends[i]);
    }
}

static void draw_doubles(test_random *random, moving_features *out)
{
    bool any = random_once_in(random, 12);
    for (int i = 0; i < 24; i++)
        out->places[i / 6][i / 3 % 2][i % 3] = any ? random_bits_double(random) : random_real(random, -1, 1);
}

static void stop(moving_features *out)
{
    for (int i = 0; i < 4; i++)
        memcpy(out->places[i][1], out->places[i][0], sizeof out->places[i][0]);
}

static void scale(moving_features *out, double factor)
{
    for (int i = 0; i < 24; i++)
        out->places[i / 6][i / 3 % 2][i % 3] *= factor;
}

/* One coordinate moves to a neighbour. */
static void nudge(test_random *random, moving_features *out)
{
    double *x = &out->places[random_below(random, 4)][random_below(random, 2)][random_below(random, 3)];
    *x = nextafter(*x, random_once_in(random, 2) ? 1e300 : -1e300);
}

static void shift(test_random *random, moving_features *out)
{
    double offset[3];
    for (int k = 0; k < 3; k++)
        offset[k] = random_between(random, -9, 9);
    for (int i = 0; i < 24; i++)
        out->places[i / 6][i / 3 % 2][i % 3] += offset[i % 3];
}

static void rotate_axes(test_random *random, moving_features *out)
{
    int turn = random_below(random, 3);
    for (int i = 0; i < 8; i++)
    {
        double *place = out->places[i / 2][i % 2], before[3];
        memcpy(before, place, sizeof before);
        for (int k = 0; k < 3; k++)
            place[k] = before[(k + turn) % 3];
    }
}

void moving_features_draw(test_random *random, moving_features *out)
{
    static const int denominators[] = {1, 2, 3, 4, 5, 7, 8, 16, 64};
    static const double scales[] = {1e-12, 1e-6, 0.1, 1e6, 1e12, 0x1p-40, 0x1p-1060, 0x1p1010};
    out->edges = random_once_in(random, 2);
    int kind = random_below(random, 16);
    if (kind < 4)
        draw_grid(random, out);
    else if (kind == 4)
        draw_double_root(random, out);
    else if (kind == 5)
        draw_doubles(random, out);
    else
        draw_planned(random, denominators[random_below(random, 9)], random_between(random, 1, 4), out);
    if (kind >= 10 && kind < 14)
        flatten(random, kind < 12 ? 1 : 2, out);
    if (random_once_in(random, 24))
        stop(out);
    rotate_axes(random, out);
    if (kind != 5 && random_once_in(random, 4))
        shift(random, out);
    if (kind != 5 && random_once_in(random, 4))
        scale(out, scales[random_below(random, 8)]);
    if (random_once_in(random, 4))
        nudge(random, out);
}
