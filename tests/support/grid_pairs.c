/* SPDX-License-Identifier: MIT */
/* Generators of pairs on a small grid; see grid_impact.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/grid_impact.h"

static int64_t clamp(int64_t x)
{
    return x > GRID_SIZE ? GRID_SIZE : x < -GRID_SIZE ? -GRID_SIZE : x;
}

static int point_count(grid_kind kind)
{
    return kind == GRID_TRIANGLES ? 6 : 4;
}

/* Point p is at a place of point q at the time k/m, but for clamping: p comes from w k to w (k - m) away, and w may be
   a multiple of what is between. */
static void plan_meeting(test_random *random, grid_pair *pair, int p, int q)
{
    int m = random_once_in(random, 3) ? random_between(random, 1, 7) : 1 << random_between(random, 0, 3);
    int k = random_between(random, 0, m);
    for (int axis = 0; axis < 3; axis++)
    {
        int w = random_between(random, -2, 2);
        pair->places[p][0][axis] = clamp(pair->places[q][0][axis] + w * k);
        pair->places[p][1][axis] = clamp(pair->places[q][1][axis] - w * (m - k));
    }
}

/* Point p runs with the middle of, or beyond, points q and r. */
static void plan_line(test_random *random, grid_pair *pair, int p, int q, int r)
{
    int i = random_between(random, -1, 2), j = 1 - i;
    for (int end = 0; end < 2; end++)
        for (int axis = 0; axis < 3; axis++)
            pair->places[p][end][axis] = clamp(i * pair->places[q][end][axis] + j * pair->places[r][end][axis]);
}

static void plan(test_random *random, grid_pair *pair)
{
    int count = point_count(pair->kind), p = random_below(random, count), q = random_below(random, count),
        r = random_below(random, count), axis = random_below(random, 3);
    int64_t(*x)[2][3] = pair->places;
    switch (random_below(random, 9))
    {
    case 0: /* within a plane at all times, or at one end */
    case 1:
        for (int i = 0, end = random_below(random, 3); i < count; i++)
            for (int e = 0; e < 2; e++)
                x[i][e][axis] = end == 2 || end == e ? 0 : x[i][e][axis];
        break;
    case 2: /* on a line at all times */
        for (int i = 0; i < count; i++)
            for (int e = 0; e < 2; e++)
                x[i][e][axis] = x[i][e][(axis + 1) % 3] = 0;
        break;
    case 3:
        plan_meeting(random, pair, p, q);
        break;
    case 4: /* two meetings: double roots of volumes */
        plan_meeting(random, pair, p, q);
        plan_meeting(random, pair, p == r ? q : r, p);
        break;
    case 5:
        plan_line(random, pair, p, q, r);
        break;
    case 6: /* one motion for some of them */
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 3 && (random_once_in(random, 2) || i == p); k++)
                x[i][1][k] = clamp(x[i][0][k] + x[q][1][k] - x[q][0][k]);
        break;
    case 7: /* equal points */
        memcpy(x[p], x[q], sizeof x[p]);
        break;
    default: /* still */
        memcpy(x[p][1], x[p][0], sizeof x[p][1]);
        memcpy(x[q][1], x[q][0], sizeof x[q][1]);
        break;
    }
}

void grid_pair_draw(test_random *random, grid_kind kind, grid_pair *out)
{
    int size = random_once_in(random, 3) ? 1 << random_between(random, 2, 4) : random_between(random, 1, 3);
    int64_t middle[3] = {0};
    memset(out, 0, sizeof *out);
    out->kind = kind;
    for (int i = 0; i < 6 * point_count(kind); i++)
        out->places[i / 6][i / 3 % 2][i % 3] = random_between(random, -size, size);
    for (int axis = random_below(random, 4), k = 0; k < 3; k++) /* they come from far apart, and may pass */
        if (k == axis || random_once_in(random, 4))
            middle[k] = random_between(random, 1, random_once_in(random, 2) ? 2 * size : GRID_SIZE);
    for (int i = 0; i < (kind == GRID_TRIANGLES ? 3 : kind == GRID_EDGES ? 2 : 1); i++)
        for (int k = 0; k < 3; k++)
        {
            out->places[i][0][k] = clamp(out->places[i][0][k] + middle[k]);
            out->places[i][1][k] = clamp(out->places[i][1][k] - middle[k]);
        }
    for (int plans = random_below(random, 4); plans > 0; plans--)
        plan(random, out);
}

/* ---- other coordinates ---- */

static void draw_matrix(test_random *random, int64_t matrix[3][3])
{
    int kind = random_below(random, 4), turn = random_below(random, 3);
    memset(matrix, 0, 9 * sizeof matrix[0][0]);
    for (int k = 0; k < 3; k++)
        matrix[k][(k + turn) % 3] = random_once_in(random, 2) ? 1 : -1;
    int size = kind == 0 ? 0 : kind == 1 ? 3 : 1 << random_between(random, 2, 20);
    for (int i = 0; i < 3 && size > 0; i++) /* shears: none makes it singular */
    {
        int row = random_below(random, 3), other = (row + random_between(random, 1, 2)) % 3,
            by = random_between(random, -size, size);
        if (i > 0 && size > 1000)
            continue;
        for (int k = 0; k < 3; k++)
            matrix[row][k] += by * matrix[other][k];
    }
}

bool grid_pair_place(test_random *random, const grid_pair *pair, double out[6][2][3])
{
    int64_t matrix[3][3], shift[2][3];
    int exponents[3], kind = random_below(random, 4), bits = random_between(random, 1, 44);
    draw_matrix(random, matrix);
    for (int k = 0; k < 3; k++)
    {
        int far = random_once_in(random, 20) ? 300 : 40;
        exponents[k] = kind == 0 ? 0 : kind == 1 || k == 0 ? random_between(random, -far, far) : exponents[0];
        for (int end = 0; end < 2; end++)
            shift[end][k] = kind < 2 ? 0 : (int64_t)(random_real(random, -1, 1) * ldexp(1, bits));
        if (random_once_in(random, 2))
            shift[1][k] = shift[0][k];
    }
    for (int i = 0; i < 6 * point_count(pair->kind); i++)
    {
        int point = i / 6, end = i / 3 % 2, k = i % 3;
        int64_t x = shift[end][k];
        for (int j = 0; j < 3; j++)
            x += matrix[k][j] * pair->places[point][end][j];
        if (llabs(x) > INT64_C(1) << 53)
            return false;
        out[point][end][k] = ldexp((double)x, exponents[k]);
    }
    return true;
}
