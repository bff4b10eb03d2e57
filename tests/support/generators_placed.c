/* SPDX-License-Identifier: MIT */
/*
 * Generators of triangle pairs under poses. For exact contacts under poses whose products are rounded, both sides get
 * the same matrix, or matrices that differ by an exact change of axes that the coordinates compensate.
 */
#include <math.h>
#include <string.h>

#include "support/generators.h"

static graze_pose identity(void)
{
    graze_pose pose = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    return pose;
}

static void place(triangle_case *out, graze_pose a, graze_pose b)
{
    out->poses[0] = a;
    out->poses[1] = b;
    out->placed[0] = out->placed[1] = true;
}

graze_pose random_rotation(test_random *random)
{
    double q[4], length_sq;
    do
    {
        length_sq = 0.0;
        for (int i = 0; i < 4; i++)
        {
            q[i] = random_real(random, -1.0, 1.0);
            length_sq += q[i] * q[i];
        }
    } while (length_sq < 0.01 || length_sq > 1.0);
    double s = 2.0 / length_sq, w = q[0], x = q[1], y = q[2], z = q[3];
    graze_pose pose = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), 0, //
                        s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x), 0, //
                        s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y), 0}};
    return pose;
}

static void random_translation(test_random *random, double size, graze_pose *pose)
{
    for (int row = 0; row < 3; row++)
        pose->m[4 * row + 3] = random_real(random, -size, size);
}

/* Matrix entries and translation are small integers. */
static graze_pose integer_pose(test_random *random, int size)
{
    graze_pose pose;
    for (int i = 0; i < 12; i++)
        pose.m[i] = random_between(random, -size, size);
    return pose;
}

static graze_pose real_pose(test_random *random)
{
    graze_pose pose;
    for (int i = 0; i < 12; i++)
        pose.m[i] = random_real(random, -2.0, 2.0);
    return pose;
}

/* Triangles in general position, small and close enough to intersect often, each under its own rotation. */
void make_rotated(test_random *random, triangle_case *out)
{
    make_crossing(random, out);
    graze_pose poses[2] = {random_rotation(random), random_rotation(random)};
    random_translation(random, 0.2, &poses[0]);
    random_translation(random, 0.2, &poses[1]);
    place(out, poses[0], poses[1]);
}

/* As make_grazing, each side rotated back by its own rotation in doubles, and placed again by the pose. */
void make_grazing_rotated(test_random *random, triangle_case *out)
{
    make_grazing(random, out);
    graze_pose poses[2] = {random_rotation(random), random_rotation(random)};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++)
        {
            double *x = out->corners[side][i], turned[3];
            for (int c = 0; c < 3; c++)
                turned[c] = poses[side].m[c] * x[0] + poses[side].m[4 + c] * x[1] + poses[side].m[8 + c] * x[2];
            memcpy(x, turned, sizeof turned);
        }
    place(out, poses[0], poses[1]);
}

void make_equal_rotations(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    graze_pose pose = random_rotation(random);
    random_translation(random, 1.0, &pose);
    place(out, pose, pose);
}

void make_equal_poses(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    graze_pose pose = random_once_in(random, 2) ? real_pose(random) : integer_pose(random, 3);
    place(out, pose, pose);
}

/* Permutes and negates axes of one side's coordinates, and the matrix columns accordingly: R v does not change. */
static void turn_side(test_random *random, triangle_case *out, int side)
{
    int first = random_below(random, 3), second = random_below(random, 3);
    int negated = random_below(random, 3);
    double sign = random_once_in(random, 2) ? 1.0 : -1.0;
    double *m = out->poses[side].m;
    double *columns[4] = {m, m + 4, m + 8, NULL};
    for (int i = 0; i < 3; i++)
    {
        double kept = columns[i][first];
        columns[i][first] = columns[i][second];
        columns[i][second] = kept;
        columns[i][negated] *= sign;
        double *corner = out->corners[side][i];
        kept = corner[first];
        corner[first] = corner[second];
        corner[second] = kept;
        corner[negated] *= sign;
    }
}

/* Moves integers from the coordinates of one side into the translation; exact when R has integer entries. */
static void shift_side(test_random *random, triangle_case *out, int side)
{
    int axis = random_below(random, 3), step = random_between(random, -8, 8);
    for (int i = 0; i < 3; i++)
        out->corners[side][i][axis] -= step;
    for (int row = 0; row < 3; row++)
        out->poses[side].m[4 * row + 3] += out->poses[side].m[4 * row + axis] * step;
}

/* Two different poses with exact contacts. */
void make_turned_poses(test_random *random, triangle_case *out)
{
    make_equal_rotations(random, out);
    if (random_once_in(random, 3))
        for (int i = 0; i < 12; i++)
            out->poses[0].m[i] = out->poses[1].m[i] = random_real(random, -1.0, 1.0);
    for (int side = 0; side < 2; side++)
        for (int times = random_below(random, 4); times > 0; times--)
            turn_side(random, out, side);
}

void make_turned_nudged(test_random *random, triangle_case *out)
{
    make_turned_poses(random, out);
    int side = random_below(random, 2);
    if (random_once_in(random, 2))
    {
        double *m = &out->poses[side].m[random_below(random, 12)];
        *m = one_ulp(random, *m);
    }
    else
    {
        double *x = &out->corners[side][random_below(random, 3)][random_below(random, 3)];
        *x = one_ulp(random, *x);
    }
}

void make_integer_poses(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    graze_pose pose = integer_pose(random, 2);
    place(out, pose, pose);
    for (int side = 0; side < 2; side++)
    {
        turn_side(random, out, side);
        shift_side(random, out, side);
    }
    if (random_once_in(random, 3))
        out->poses[1].m[random_below(random, 12)] += random_between(random, -1, 1);
}

void make_sheared(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    graze_pose pose = identity();
    pose.m[random_once_in(random, 2) ? 1 : 6] = random_between(random, -3, 3) * 0.25;
    for (int row = 0; row < 3; row++)
        pose.m[5 * row] = ldexp(random_between(random, 1, 5), random_between(random, -3, 3));
    place(out, pose, pose);
    for (int side = 0; side < 2; side++)
        shift_side(random, out, side);
    if (random_once_in(random, 3))
        random_translation(random, 0.3, &out->poses[random_below(random, 2)]);
}

/* One side reflected, with its coordinates reflected back; the other side plain. */
void make_mirrored(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    place(out, identity(), identity());
    int side = random_below(random, 2), axis = random_below(random, 3);
    out->poses[side].m[5 * axis] = -1.0;
    for (int i = 0; i < 3; i++)
        out->corners[side][i][axis] = -out->corners[side][i][axis];
    if (random_once_in(random, 4))
        out->placed[1 - side] = false;
}

/* Rank 0, 1 or 2 on one side or both: triangles become segments and points. */
void make_singular(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    graze_pose pose = random_once_in(random, 2) ? identity() : integer_pose(random, 2);
    int rank = random_below(random, 3);
    for (int row = rank; row < 3; row++)
        for (int column = 0; column < 3; column++)
            pose.m[4 * row + column] = rank == 0 ? 0.0 : pose.m[column] * (row - 1);
    graze_pose other = random_once_in(random, 2) ? pose : identity();
    place(out, pose, other);
    if (random_once_in(random, 2))
        place(out, other, pose);
}

/* Outer products u v' + u' v'', rounded: singular up to the last bits. */
void make_nearly_singular(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    graze_pose pose = real_pose(random);
    int rank = random_between(random, 1, 2);
    double weights[3];
    for (int column = 0; column < 3; column++)
        weights[column] = random_real(random, -1.0, 1.0);
    for (int row = rank; row < 3; row++)
        for (int column = 0; column < 3; column++)
            pose.m[4 * row + column] =
                weights[row] * pose.m[column] + (rank == 2 ? weights[0] * pose.m[4 + column] : 0.0);
    place(out, pose, pose);
    turn_side(random, out, random_below(random, 2));
}

void make_translated(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    graze_pose pose = identity();
    if (random_once_in(random, 2))
        random_translation(random, 10.0, &pose);
    place(out, pose, pose);
    for (int side = 0; side < 2; side++)
        if (random_once_in(random, 2))
            for (int axis = 0; axis < 3; axis++)
            {
                int step = random_between(random, -8, 8);
                out->poses[side].m[4 * axis + 3] += step;
                for (int i = 0; i < 3; i++)
                    out->corners[side][i][axis] -= step;
            }
}

/* So far away that rounded sums would lose the coordinates entirely. */
void make_absorbed(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    graze_pose pose = random_once_in(random, 2) ? identity() : random_rotation(random);
    double step = ldexp(random_real(random, 0.5, 1.0), random_between(random, -8, 0));
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            out->corners[i / 3][i % 3][c] *= step;
    for (int row = 0; row < 3; row++)
        pose.m[4 * row + 3] = random_once_in(random, 2) ? 1e16 : -random_real(random, 1e15, 1e18);
    place(out, pose, pose);
    if (random_once_in(random, 3))
    {
        double *t = &out->poses[1].m[4 * random_below(random, 3) + 3];
        *t = one_ulp(random, *t);
    }
}

/* One side under a pose, the other without: exact powers of two in the coordinates compensate the pose. */
void make_one_placed(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    place(out, identity(), identity());
    int side = random_below(random, 2);
    out->placed[1 - side] = false;
    for (int axis = 0; axis < 3; axis++)
    {
        int power = random_between(random, -6, 6), step = random_between(random, -4, 4);
        out->poses[side].m[5 * axis] = ldexp(1.0, power);
        out->poses[side].m[4 * axis + 3] = step;
        for (int i = 0; i < 3; i++)
            out->corners[side][i][axis] = ldexp(out->corners[side][i][axis] - step, -power);
    }
    if (random_once_in(random, 2))
        turn_side(random, out, side);
}

/* A rotation by a multiple of 90 degrees about an axis; `c` stands for cos(90 degrees). */
static graze_pose quarter_turn(int axis, int quarters, double c)
{
    static const double cosines[4] = {1, 0, -1, 0}, sines[4] = {0, 1, 0, -1};
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double cosine = quarters % 2 != 0 ? c : cosines[quarters];
    double sine = quarters % 2 == 0 && quarters > 0 ? 2 * c : sines[quarters];
    graze_pose pose = identity();
    pose.m[5 * i] = pose.m[5 * j] = cosine;
    pose.m[4 * i + j] = -sine;
    pose.m[4 * j + i] = sine;
    return pose;
}

/* Rotates one side's coordinates back exactly, as if c were 0. */
static void turn_back(double corners[3][3], int axis, int quarters)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    for (; quarters > 0; quarters--)
        for (int k = 0; k < 3; k++)
        {
            double x = corners[k][i];
            corners[k][i] = corners[k][j];
            corners[k][j] = -x;
        }
}

static void quarter_turn_pair(test_random *random, double c, triangle_case *out)
{
    make_any_contact(random, out);
    graze_pose poses[2] = {identity(), identity()};
    for (int side = 0; side < 2; side++)
    {
        int axis = random_below(random, 3), quarters = random_below(random, 4);
        poses[side] = quarter_turn(axis, quarters, c);
        turn_back(out->corners[side], axis, quarters);
    }
    place(out, poses[0], poses[1]);
}

void make_quarter_turns(test_random *random, triangle_case *out)
{
    quarter_turn_pair(random, 0.0, out);
}

/* cos(pi/2) in doubles is 6.1e-17: mated faces are apart or cross by that much. */
void make_rounded_quarter_turns(test_random *random, triangle_case *out)
{
    quarter_turn_pair(random, cos(acos(0.0)), out);
}

/* Poses with entries from 1e-300 to 1e300; products overflow and underflow. */
void make_extreme_poses(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    double coordinates = ldexp(1.0, random_between(random, -1000, 1000));
    double entries = ldexp(1.0, random_between(random, -1000, 1000));
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            out->corners[i / 3][i % 3][c] *= coordinates;
    graze_pose pose = random_once_in(random, 2) ? integer_pose(random, 3) : real_pose(random);
    for (int i = 0; i < 12; i++)
        pose.m[i] *= entries;
    place(out, pose, pose);
    turn_side(random, out, random_below(random, 2));
    if (random_once_in(random, 4))
        out->poses[1].m[4 * random_below(random, 3) + 3] *= random_once_in(random, 2) ? 0.5 : 0x1p-500;
}

/* Poses and coordinates so small that their products underflow. */
void make_denormal_poses(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            out->corners[i / 3][i % 3][c] *= 0x1p-1074;
    graze_pose pose = integer_pose(random, 3);
    for (int i = 0; i < 12; i++)
        pose.m[i] *= 0x1p-1074;
    if (random_once_in(random, 2))
        pose = identity();
    place(out, pose, pose);
    turn_side(random, out, random_below(random, 2));
    if (random_once_in(random, 2))
        for (int row = 0; row < 3; row++)
            out->poses[0].m[4 * row + 3] = out->poses[1].m[4 * row + 3] = 1.0;
}
