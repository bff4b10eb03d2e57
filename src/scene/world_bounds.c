/* SPDX-License-Identifier: MIT */
/*
 * World AABB and bounding sphere of a placed mesh or shape, rounded outward; all three axes at once, since every object
 * that moves needs them in every frame: 50 ns instead of 160. u = GRZ_U bounds one rounding in any mode.
 *
 * With numbers of the pose and the mesh up to 2^400 nothing overflows, and underflow, or denormals flushed to zero,
 * cost less than 2^-1022 times 2^400 for each of a few terms: 2^-500 covers it. Beyond, modes that round toward zero
 * would turn an overflow into the largest number, and denormals cost more: there interval arithmetic is used.
 */
#include <float.h>
#include <math.h>

#include "base/bits.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "pair/aabb.h"
#include "scene/scene.h"
#include "shape/shape.h"
#include "simd/f64x4.h"

#define LARGEST 0x1p400
#define SMALLEST 0x1p-500

/* Sums over the columns of a pose; each lane is a world axis. */
typedef struct sums
{
    f64x4 lower, upper, size;   /* ends of the placed AABB, and sums of the magnitudes of their terms */
    f64x4 centre, centre_terms; /* the same of the centre of the sphere */
    f64x4 square;               /* squared lengths of the rows of the matrix */
} sums;

static sums sum_columns(const graze_mesh *mesh, const graze_pose *pose)
{
    const double *m = pose->m;
    f64x4 offset = f64x4_make(m[3], m[7], m[11], 0), magnitude = f64x4_abs(offset);
    sums s = {offset, offset, magnitude, offset, magnitude, f64x4_splat(0)};
    for (int k = 0; k < 3; k++)
    {
        f64x4 column = f64x4_make(m[k], m[4 + k], m[8 + k], 0);
        f64x4 first = f64x4_mul(column, f64x4_splat(mesh->lower[k]));
        f64x4 second = f64x4_mul(column, f64x4_splat(mesh->upper[k]));
        f64x4 centre = f64x4_mul(column, f64x4_splat(mesh->centre[k]));
        s.lower = f64x4_add(s.lower, f64x4_min(first, second));
        s.upper = f64x4_add(s.upper, f64x4_max(first, second));
        s.size = f64x4_add(s.size, f64x4_max(f64x4_abs(first), f64x4_abs(second)));
        s.centre = f64x4_add(s.centre, centre);
        s.centre_terms = f64x4_add(s.centre_terms, f64x4_abs(centre));
        s.square = f64x4_add(s.square, f64x4_mul(column, column));
    }
    return s;
}

/*
 * The AABB of the placed AABB: each end is a sum of three products and the translation, with an error of 4 u of the
 * magnitudes; 8 u cover the rounding of the magnitudes as well. And the AABB of the placed sphere, which is smaller for
 * rotated objects: along an axis it extends by the radius times the length of the row of the matrix. The tighter one
 * counts at each end.
 */
static graze_box aabb_of(const sums *s, double radius)
{
    /* shortcut: world-aabbs */
    f64x4 twice_error = f64x4_add(f64x4_mul(s->size, f64x4_splat(16 * GRZ_U)), f64x4_splat(SMALLEST));
    f64x4 length = f64x4_add(f64x4_mul(f64x4_sqrt(s->square), f64x4_splat(1 + 16 * GRZ_U)), f64x4_splat(SMALLEST));
    f64x4 extent = f64x4_mul(f64x4_mul(f64x4_splat(radius), length), f64x4_splat(1 + 8 * GRZ_U));
    f64x4 slack = f64x4_mul(f64x4_abs(s->centre), f64x4_splat(2 * GRZ_U));
    f64x4 sphere_lower = f64x4_sub(f64x4_sub(s->centre, extent), slack);
    f64x4 sphere_upper = f64x4_add(f64x4_add(s->centre, extent), slack);
    f64x4 lower = f64x4_sub(f64x4_max(sphere_lower, s->lower), twice_error);
    f64x4 upper = f64x4_add(f64x4_min(sphere_upper, s->upper), twice_error);
    double ends[2][4];
    f64x4_store(ends[0], lower);
    f64x4_store(ends[1], upper);
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
 * The world sphere. A matrix stretches a vector by at most the root of the largest row sum of |R R^T|, which is 1 for a
 * rotation; its entries err by 4 u of the sums of magnitudes, which are at most the sum of all squares. The centre errs
 * by 8 u of the magnitudes along each axis, which the radius includes.
 */
static grz_world_sphere sphere_of(const sums *s, const graze_pose *pose, double mesh_radius)
{
    double square[4], centre[4], centre_terms[4];
    f64x4_store(square, s->square);
    f64x4_store(centre, s->centre);
    f64x4_store(centre_terms, s->centre_terms);
    const double *m = pose->m;
    double xy = fabs(dot(m, m + 4)), xz = fabs(dot(m, m + 8)), yz = fabs(dot(m + 4, m + 8));
    double largest = larger(square[0] + xy + xz, larger(square[1] + xy + yz, square[2] + xz + yz));
    /* shortcut: world-spheres */
    double all = square[0] + square[1] + square[2];
    double stretch = sqrt(largest + 16 * GRZ_U * all) * (1 + 4 * GRZ_U) + SMALLEST;
    double error = 8 * GRZ_U * (centre_terms[0] + centre_terms[1] + centre_terms[2]) + SMALLEST;
    double radius = (mesh_radius * stretch + error) * (1 + 8 * GRZ_U) + SMALLEST;
    return (grz_world_sphere){{centre[0], centre[1], centre[2]}, radius, error};
}

static bool is_in_range(const graze_mesh *mesh, const graze_pose *pose)
{
    f64x4 rows = f64x4_max(f64x4_abs(f64x4_load(pose->m)), f64x4_abs(f64x4_load(pose->m + 4)));
    f64x4 ends = f64x4_max(f64x4_abs(f64x4_load3(mesh->lower)), f64x4_abs(f64x4_load3(mesh->upper)));
    rows = f64x4_max(rows, f64x4_abs(f64x4_load(pose->m + 8)));
    return f64x4_all(f64x4_le(f64x4_max(rows, ends), f64x4_splat(LARGEST)));
}

void grz_world_bounds(const graze_mesh *mesh, const graze_pose *pose, graze_box *out_box, grz_world_sphere *out_ball)
{
    /* shortcut: bounds-in-range */
    if (!is_in_range(mesh, pose))
    {
        *out_box = grz_aabb_of_mesh(mesh, pose);
        *out_ball = (grz_world_sphere){{0, 0, 0}, INFINITY, INFINITY};
        return;
    }
    sums s = sum_columns(mesh, pose);
    *out_box = aabb_of(&s, mesh->radius);
    *out_ball = sphere_of(&s, pose, mesh->radius);
}

graze_box grz_world_aabb(const graze_mesh *mesh, const graze_pose *pose)
{
    if (!is_in_range(mesh, pose))
        return grz_aabb_of_mesh(mesh, pose);
    sums s = sum_columns(mesh, pose);
    return aabb_of(&s, mesh->radius);
}

static const grz_world_sphere everywhere = {{0, 0, 0}, INFINITY, INFINITY};

/* Ends of at most the largest double: what lies beyond is clamped, which preserves the order of numbers. */
static double clamped(double x)
{
    return x > DBL_MAX ? DBL_MAX : x < -DBL_MAX ? -DBL_MAX : x;
}

/* Widens both by a radius: a sum errs by 2 u of itself in any mode. */
static void grow(double radius, graze_box *box, grz_world_sphere *ball)
{
    for (int axis = 0; axis < 3; axis++)
    {
        /* shortcut: world-bounds-with-radius */
        double lower = box->lower[axis] - radius, upper = box->upper[axis] + radius;
        box->lower[axis] = clamped(lower - (4 * GRZ_U * fabs(lower) + SMALLEST));
        box->upper[axis] = clamped(upper + (4 * GRZ_U * fabs(upper) + SMALLEST));
    }
    ball->radius = (ball->radius + radius) * (1 + 8 * GRZ_U) + SMALLEST;
}

/* Around a box whose ends are not too far out: from its middle to a corner. */
static grz_world_sphere sphere_around(const graze_box *box)
{
    grz_world_sphere ball = {.error = 0};
    double square = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        if (!(fabs(box->lower[axis]) <= LARGEST && fabs(box->upper[axis]) <= LARGEST))
            return everywhere;
        ball.centre[axis] = 0.5 * box->lower[axis] + 0.5 * box->upper[axis];
        double way = larger(box->upper[axis] - ball.centre[axis], ball.centre[axis] - box->lower[axis]);
        square += way * way;
    }
    /* shortcut: spheres-around-boxes */
    ball.radius = sqrt(square) * (1 + 16 * GRZ_U) + SMALLEST;
    return ball;
}

void grz_world_bounds_of_shape(const graze_shape *shape, const graze_pose *pose, graze_box *out_box,
                               grz_world_sphere *out_ball)
{
    if (shape->form == GRZ_FORM_CORE && shape->mesh->triangle_count > 0)
    {
        grz_world_bounds(shape->mesh, pose, out_box, out_ball);
        if (grz_is_less(0, shape->radius)) /* by its bits: denormals count */
            grow(shape->radius, out_box, out_ball);
        return;
    }
    graze_placed placed = {shape, *pose};
    *out_ball = everywhere;
    *out_box = (graze_box){{1, 1, 1}, {0, 0, 0}};
    if (graze_placed_bounds(&placed, out_box) != GRAZE_STATUS_OK || !(out_box->lower[0] <= out_box->upper[0]))
        return;
    for (int axis = 0; axis < 3; axis++)
    {
        out_box->lower[axis] = clamped(out_box->lower[axis]);
        out_box->upper[axis] = clamped(out_box->upper[axis]);
    }
    *out_ball = sphere_around(out_box);
}

bool grz_world_spheres_disjoint(const grz_world_sphere *a, const grz_world_sphere *b)
{
    double x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1], z = a->centre[2] - b->centre[2];
    /* shortcut: spheres-disjoint */
    double radii = (a->radius + b->radius) * (1 + 16 * GRZ_U); /* also covers the rounding of the left side */
    return x * x + y * y + z * z > radii * radii + 0x1p-900;
}
