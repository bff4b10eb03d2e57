/* SPDX-License-Identifier: MIT */
/* Pairs of moving triangles; see moving_triangles.h. */
#include "support/moving_triangles.h"

#include <math.h>
#include <string.h>

static void draw_small(test_random *random, double *x, int count, int size)
{
    for (int i = 0; i < count; i++)
        x[i] = random_between(random, -size, size);
}

/* Quaternions with an inner product that is not negative, often about one axis. */
static void draw_quaternions(test_random *random, graze_motion *motion)
{
    int axis = random_below(random, 5);
    double inner = -1;
    while (inner < 0)
    {
        inner = 0;
        double lengths[2] = {0, 0};
        for (int i = 0; i < 4; i++)
            for (int end = 0; end < 2; end++)
            {
                bool free = axis > 3 || i == 0 || i == axis;
                motion->quaternion[end][i] = free ? random_between(random, -2, 2) : 0;
                lengths[end] += fabs(motion->quaternion[end][i]);
            }
        for (int i = 0; i < 4; i++)
            inner += motion->quaternion[0][i] * motion->quaternion[1][i];
        inner = lengths[0] > 0 && lengths[1] > 0 ? inner : -1;
    }
}

static void draw_motion(test_random *random, int size, graze_motion *motion)
{
    memset(motion, 0, sizeof *motion);
    motion->kind = (graze_motion_kind)random_below(random, GRAZE_MOTION_BALLISTIC_TURN + 1);
    motion->start = motion->end = graze_pose_identity();
    if (random_once_in(random, 2))
        draw_small(random, motion->start.m, 12, 1);
    if (random_once_in(random, 2))
        draw_small(random, motion->end.m, 12, 1);
    for (int k = 0; k < 3; k++)
    {
        motion->start.m[4 * k + 3] = random_between(random, -size, size);
        motion->end.m[4 * k + 3] = random_between(random, -size, size);
    }
    draw_quaternions(random, motion);
    draw_small(random, motion->centre, 3, random_once_in(random, 2) ? 0 : 1);
    draw_small(random, motion->path[0], 3, size);
    draw_small(random, motion->path[1], 3, 2 * size);
    draw_small(random, motion->path[2], 3, size);
}

static void nudge(test_random *random, double *x)
{
    double direction = random_once_in(random, 2) ? 1e9 : -1e9;
    *x = fabs(*x) > 0 ? nextafter(*x, direction) : copysign(0x1p-50, direction);
}

void moving_triangles_draw(test_random *random, moving_triangles *out)
{
    int size = random_between(random, 1, 3), flat = random_below(random, 6);
    out->whole = true;
    for (int side = 0; side < 2; side++)
    {
        draw_small(random, out->corners[side][0], 9, size);
        draw_small(random, out->end_corners[side][0], 9, size);
        draw_motion(random, size, &out->motions[side]);
        if (flat == 0) /* within one plane at all times, if motions stay in it */
        {
            for (int i = 0; i < 3; i++)
                out->corners[side][i][2] = out->end_corners[side][i][2] = 0;
            for (int k = 0; k < 3; k++)
                out->motions[side].path[k][2] = 0;
            out->motions[side].start.m[8] = out->motions[side].start.m[9] = out->motions[side].start.m[11] = 0;
            out->motions[side].end = out->motions[side].start;
            out->motions[side].end.m[3] += random_between(random, -2, 2);
            for (int end = 0; end < 2; end++)
            {
                out->motions[side].quaternion[end][1] = out->motions[side].quaternion[end][2] = 0;
                out->motions[side].quaternion[end][0] = random_between(random, 1, 2);
                out->motions[side].quaternion[end][3] = random_between(random, 0, 2);
            }
        }
        out->soft[side] = out->motions[side].kind <= GRAZE_MOTION_BLEND && random_once_in(random, 3);
    }
    if (flat == 1) /* one motion for both */
        out->motions[1] = out->motions[0];
    if (flat == 1)
        out->soft[1] = out->soft[0];
    if (random_once_in(random, 4))
    {
        out->whole = false;
        nudge(random, &out->corners[random_below(random, 2)][random_below(random, 3)][random_below(random, 3)]);
        nudge(random, &out->motions[random_below(random, 2)].path[random_below(random, 2)][random_below(random, 3)]);
    }
}

graze_moving_triangle moving_triangle(const moving_triangles *pair, int side)
{
    graze_moving_triangle triangle = {.motion = &pair->motions[side]};
    for (int i = 0; i < 3; i++)
    {
        triangle.corners[i] = pair->corners[side][i];
        triangle.end_corners[i] = pair->soft[side] ? pair->end_corners[side][i] : NULL;
    }
    return triangle;
}

/* A corner at t = k/16 times w, and w: integers, by the formula of the motion. */
static double place_turn(const moving_triangles *pair, int side, int corner, int k, double out[3])
{
    const graze_motion *m = &pair->motions[side];
    double q[4], y[3], w = 0, t = k;
    for (int i = 0; i < 4; i++)
    {
        q[i] = (16 - t) * m->quaternion[0][i] + t * m->quaternion[1][i];
        w += q[i] * q[i];
    }
    for (int i = 0; i < 3; i++)
        y[i] = pair->corners[side][corner][i] - m->centre[i];
    /* (q0^2 - u.u) y + 2 (u.y) u + 2 q0 u x y, with u the vector part */
    double u[3] = {q[1], q[2], q[3]}, uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    double uy = u[0] * y[0] + u[1] * y[1] + u[2] * y[2];
    for (int i = 0; i < 3; i++)
    {
        double cross = u[(i + 1) % 3] * y[(i + 2) % 3] - u[(i + 2) % 3] * y[(i + 1) % 3];
        double path = 256 * m->path[0][i] + 16 * t * m->path[1][i];
        if (m->kind == GRAZE_MOTION_BALLISTIC_TURN)
            path += t * t * m->path[2][i];
        out[i] = 256 * ((q[0] * q[0] - uu) * y[i] + 2 * uy * u[i] + 2 * q[0] * cross) + w * path;
    }
    return 256 * w;
}

static double place_linear(const moving_triangles *pair, int side, int corner, int k, double out[3])
{
    const graze_motion *m = &pair->motions[side];
    const graze_pose *end = m->kind == GRAZE_MOTION_BLEND ? &m->end : &m->start;
    const double *p = pair->corners[side][corner], *q = pair->soft[side] ? pair->end_corners[side][corner] : p;
    for (int i = 0; i < 3; i++)
    {
        const double *r = m->start.m + 4 * i, *s = end->m + 4 * i;
        double a = r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3], b = s[0] * q[0] + s[1] * q[1] + s[2] * q[2] + s[3];
        out[i] = (16 - k) * a + k * b;
    }
    return 16;
}

graze_triangle_contact moving_triangles_contact(const moving_triangles *pair, int k)
{
    double places[2][3][3], weights[2] = {1, 1};
    graze_placed_triangle triangles[2] = {{{NULL}, NULL}, {{NULL}, NULL}};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++)
        {
            bool turns = pair->motions[side].kind >= GRAZE_MOTION_TURN;
            weights[side] = (turns ? place_turn : place_linear)(pair, side, i, k, places[side][i]);
            triangles[side].corners[i] = places[side][i];
        }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 9; i++)
            places[side][i / 3][i % 3] *= weights[1 - side];
    return graze_triangle_collide(&triangles[0], &triangles[1]);
}
