/* SPDX-License-Identifier: MIT */
/*
 * The box and the ball of a placed mesh, rounded outward; for all three axes at once, as every object that moves needs
 * them in every frame: 50 ns instead of 160. u = GRZ_U bounds one rounding in any mode.
 *
 * Numbers of the pose and the mesh up to 2^400 leave nothing that overflows, and what underflows, or is denormal and
 * taken for zero, costs less than 2^-1022 times 2^400 for each of a few terms: 2^-500 covers it. Beyond, modes that
 * round toward zero would make an overflow the largest number, and denormals cost more: there intervals tell.
 */
#include <float.h>
#include <math.h>

#include "math/interval.h"
#include "mesh/mesh.h"
#include "pair/boxes.h"
#include "scene/scene.h"
#include "simd/four.h"

#define LARGEST 0x1p400
#define SMALLEST 0x1p-500

/* Sums over the columns of a pose, an axis of the world in each lane. */
typedef struct sums
{
    four lower, upper, size; /* of the placed box's ends, and of their terms' magnitudes */
    four centre, off;        /* the same of the ball's centre */
    four square;             /* of the matrix's rows */
} sums;

static sums add_up(const graze_mesh *mesh, const graze_pose *pose)
{
    const double *m = pose->m;
    four offset = four_of(m[3], m[7], m[11], 0), magnitude = four_magnitude(offset);
    sums s = {offset, offset, magnitude, offset, magnitude, four_fill(0)};
    for (int k = 0; k < 3; k++)
    {
        four column = four_of(m[k], m[4 + k], m[8 + k], 0);
        four first = four_multiply(column, four_fill(mesh->lower[k]));
        four second = four_multiply(column, four_fill(mesh->upper[k]));
        four centre = four_multiply(column, four_fill(mesh->centre[k]));
        s.lower = four_add(s.lower, four_min(first, second));
        s.upper = four_add(s.upper, four_max(first, second));
        s.size = four_add(s.size, four_max(four_magnitude(first), four_magnitude(second)));
        s.centre = four_add(s.centre, centre);
        s.off = four_add(s.off, four_magnitude(centre));
        s.square = four_add(s.square, four_multiply(column, column));
    }
    return s;
}

/*
 * The box of a placed box: each end is a sum of three products and the translation, with a relative error of 4 u of the
 * sizes; 8 u cover the sizes' own rounding as well. And the box of the placed ball, which is what is left of
 * things that turn: along an axis it reaches as far as its radius times the length of the matrix's row. The smaller one
 * counts at each end.
 */
static graze_box box_of(const sums *s, double radius)
{
    /* shortcut: placed-boxes */
    four twice_error = four_add(four_multiply(s->size, four_fill(16 * GRZ_U)), four_fill(SMALLEST));
    four length = four_add(four_multiply(four_root(s->square), four_fill(1 + 16 * GRZ_U)), four_fill(SMALLEST));
    four reach = four_multiply(four_multiply(four_fill(radius), length), four_fill(1 + 8 * GRZ_U));
    four slack = four_multiply(four_magnitude(s->centre), four_fill(2 * GRZ_U));
    four ball_lower = four_subtract(four_subtract(s->centre, reach), slack);
    four ball_upper = four_add(four_add(s->centre, reach), slack);
    four lower = four_subtract(four_max(ball_lower, s->lower), twice_error);
    four upper = four_add(four_min(ball_upper, s->upper), twice_error);
    double ends[2][4];
    four_store(ends[0], lower);
    four_store(ends[1], upper);
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = ends[0][axis];
        box.upper[axis] = ends[1][axis];
    }
    return box;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/*
 * A ball in the world. The longest a matrix makes a vector is at most the root of the largest row sum of |R R^T|, which
 * is 1 for a rotation; its entries err by 4 u of the sums of sizes, which are at most the sum of all squares. The
 * centre errs by 8 u of the sizes along each axis, which the radius takes up.
 */
static grz_ball ball_of(const sums *s, const graze_pose *pose, double mesh_radius)
{
    double square[4], centre[4], off[4];
    four_store(square, s->square);
    four_store(centre, s->centre);
    four_store(off, s->off);
    const double *m = pose->m;
    double xy = fabs(dot(m, m + 4)), xz = fabs(dot(m, m + 8)), yz = fabs(dot(m + 4, m + 8));
    double largest = larger(square[0] + xy + xz, larger(square[1] + xy + yz, square[2] + xz + yz));
    /* shortcut: placed-balls */
    double all = square[0] + square[1] + square[2];
    double stretch = sqrt(largest + 16 * GRZ_U * all) * (1 + 4 * GRZ_U) + SMALLEST;
    double error = 8 * GRZ_U * (off[0] + off[1] + off[2]) + SMALLEST;
    double radius = (mesh_radius * stretch + error) * (1 + 8 * GRZ_U) + SMALLEST;
    return (grz_ball){{centre[0], centre[1], centre[2]}, radius, error};
}

static bool fits(const graze_mesh *mesh, const graze_pose *pose)
{
    four rows = four_max(four_magnitude(four_load(pose->m)), four_magnitude(four_load(pose->m + 4)));
    four ends = four_max(four_magnitude(four_load3(mesh->lower)), four_magnitude(four_load3(mesh->upper)));
    rows = four_max(rows, four_magnitude(four_load(pose->m + 8)));
    return four_all(four_le(four_max(rows, ends), four_fill(LARGEST)));
}

/* The box around the placed corners of the mesh's box. Ends beyond the range are moved to its end, which keeps
   overlaps, as boxes are of doubles. */
static graze_box far_box(const graze_mesh *mesh, const graze_pose *pose)
{
    interval hull[3], placed[3];
    for (int corner = 0; corner < 8; corner++)
    {
        double point[3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = (corner >> axis & 1) != 0 ? mesh->upper[axis] : mesh->lower[axis];
        grz_place_point(point, pose, placed);
        for (int axis = 0; axis < 3; axis++)
            hull[axis] = corner == 0 ? placed[axis] : interval_hull(hull[axis], placed[axis]);
    }
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = fmin(fmax(hull[axis].lower, -DBL_MAX), DBL_MAX);
        box.upper[axis] = fmax(fmin(hull[axis].upper, DBL_MAX), -DBL_MAX);
    }
    return box;
}

void grz_placed_bounds(const graze_mesh *mesh, const graze_pose *pose, graze_box *out_box, grz_ball *out_ball)
{
    /* shortcut: bounds-in-range */
    if (!fits(mesh, pose))
    {
        *out_box = far_box(mesh, pose);
        *out_ball = (grz_ball){{0, 0, 0}, INFINITY, INFINITY};
        return;
    }
    sums s = add_up(mesh, pose);
    *out_box = box_of(&s, mesh->radius);
    *out_ball = ball_of(&s, pose, mesh->radius);
}

graze_box grz_placed_box(const graze_mesh *mesh, const graze_pose *pose)
{
    if (!fits(mesh, pose))
        return far_box(mesh, pose);
    sums s = add_up(mesh, pose);
    return box_of(&s, mesh->radius);
}

bool grz_balls_apart(const grz_ball *a, const grz_ball *b)
{
    double x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1], z = a->centre[2] - b->centre[2];
    /* shortcut: balls-apart */
    double reach = (a->radius + b->radius) * (1 + 16 * GRZ_U); /* also for the rounding of the other side */
    return x * x + y * y + z * z > reach * reach + 0x1p-900;
}
