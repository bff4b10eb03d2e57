/* SPDX-License-Identifier: MIT */
/* Random shapes; see random_shapes.h. */
#include "support/random_shapes.h"

#include <math.h>
#include <string.h>

#include "support/meshes.h"
#include "support/unit.h"

static double grid(test_random *random)
{
    return random_between(random, -3, 3);
}

static void grid_points(test_random *random, double (*points)[3], int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = grid(random);
}

static double radius(test_random *random)
{
    static const double radii[] = {0,
                                   1,
                                   2,
                                   3,
                                   5,
                                   0.5,
                                   1.25,
                                   0.1,
                                   0.3,
                                   0x1.0000000000001p0,
                                   0x1.fffffffffffffp0,
                                   0x1.fffffffffffffp1,
                                   0x1.0000000000001p-60,
                                   0x1.6a09e667f3bcdp0,
                                   0x1.bb67ae8584caap0};
    return radii[random_below(random, 15)];
}

static double size(test_random *random)
{
    return random_once_in(random, 8) ? 0.1 * random_between(random, 0, 30) : random_between(random, 0, 9);
}

static void make_mesh(test_random *random, double scale, graze_shape **out_shape, graze_mesh **out_mesh)
{
    static test_mesh mesh; /* large */
    bool solid = !random_once_in(random, 3);
    mesh.vertex_count = mesh.triangle_count = 0;
    if (!solid)
        mesh_add_soup(&mesh, random, 5, random_between(random, 1, 4), 3);
    else if (random_once_in(random, 2))
        mesh_add_cube(&mesh, grid(random), grid(random), grid(random), random_between(random, 1, 8));
    else
    {
        for (int i = 0; i < 4; i++)
            mesh_add_vertex(&mesh, grid(random), grid(random), grid(random));
        mesh_add_triangle(&mesh, 0, 2, 1);
        mesh_add_triangle(&mesh, 0, 1, 3);
        mesh_add_triangle(&mesh, 1, 2, 3);
        mesh_add_triangle(&mesh, 2, 0, 3);
    }
    mesh_scale(&mesh, scale);
    *out_mesh = mesh_create(&mesh);
    assert_int_equal(graze_shape_create_mesh(NULL, *out_mesh, NULL, solid && !random_once_in(random, 5), out_shape),
                     GRAZE_STATUS_OK);
}

static void make_height_field(test_random *random, double scale, graze_shape **out)
{
    double heights[6];
    size_t columns = random_once_in(random, 2) ? 2 : 3;
    const double sizes[2] = {2 * scale, 4 * scale};
    for (int i = 0; i < 6; i++)
        heights[i] = random_between(random, -1, 1) * scale;
    assert_int_equal(graze_shape_create_height_field(NULL, sizes, heights, columns, 2, out), GRAZE_STATUS_OK);
}

/* Kinds that need nothing else. */
static graze_status make_plain(test_random *random, graze_shape_kind kind, double scale, graze_shape **out)
{
    double points[8][3], sizes[3] = {size(random), size(random), size(random)};
    int count = random_between(random, 1, 8);
    double r = radius(random) * scale, offset;
    grid_points(random, points, 8);
    if (kind == GRAZE_SHAPE_HALF_SPACE && points[0][0] == 0 && points[0][1] == 0)
        points[0][2] = random_once_in(random, 2) ? 1 : -2;
    for (int k = 0; k < 3; k++)
        sizes[k] *= scale;
    for (int i = kind == GRAZE_SHAPE_HALF_SPACE ? 1 : 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] *= scale;
    offset = points[1][0];
    switch (kind)
    {
    case GRAZE_SHAPE_HULL:
        return graze_shape_create_hull(NULL, points[0], (size_t)count, NULL, out);
    case GRAZE_SHAPE_SPHERE:
        return graze_shape_create_sphere(NULL, points[0], r, out);
    case GRAZE_SHAPE_CAPSULE:
        return graze_shape_create_capsule(NULL, (const double(*)[3])points, r, out);
    case GRAZE_SHAPE_BOX:
        return graze_shape_create_box(NULL, sizes, out);
    case GRAZE_SHAPE_CYLINDER:
        return graze_shape_create_cylinder(NULL, sizes[0], sizes[1], out);
    case GRAZE_SHAPE_CONE:
        return graze_shape_create_cone(NULL, sizes[0], sizes[1], out);
    case GRAZE_SHAPE_ELLIPSOID:
        return graze_shape_create_ellipsoid(NULL, sizes, out);
    case GRAZE_SHAPE_HALF_SPACE:
        return graze_shape_create_half_space(NULL, points[0], offset, out);
    case GRAZE_SHAPE_TRIANGLE:
        return graze_shape_create_triangle(NULL, (const double(*)[3])points, out);
    case GRAZE_SHAPE_SEGMENT:
        return graze_shape_create_segment(NULL, (const double(*)[3])points, out);
    default:
        return graze_shape_create_point(NULL, points[0], out);
    }
}

/* ---- hulls inside and around curved bodies ---- */

enum
{
    SIDES = 12,
    RINGS = 5
};

static graze_shape *hull_of(double (*points)[3], size_t count, double factor)
{
    graze_shape *hull;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] *= factor;
    assert_int_equal(graze_shape_create_hull(NULL, points[0], count, NULL, &hull), GRAZE_STATUS_OK);
    return hull;
}

/* Points of a cylinder or cone whose radius is stretched, and of a sphere scaled along axes. A regular polygon of n
   sides with corners on a circle holds one of cos(pi / n) times its radius. */
static size_t surface_points(graze_shape_kind kind, const double n[3], double stretch, double (*points)[3])
{
    size_t count = 0;
    for (int i = 0; i < SIDES; i++)
    {
        double angle = 6.283185307179586 * i / SIDES, x = cos(angle) * stretch, y = sin(angle) * stretch;
        for (int ring = 0; ring < (kind == GRAZE_SHAPE_ELLIPSOID ? RINGS : 2); ring++)
        {
            double *p = points[count++];
            double latitude = 3.141592653589793 * (ring + 0.5) / RINGS - 1.5707963267948966;
            if (kind == GRAZE_SHAPE_ELLIPSOID)
            {
                p[0] = n[0] * x * cos(latitude);
                p[1] = n[1] * y * cos(latitude);
                p[2] = n[2] * stretch * sin(latitude);
                continue;
            }
            double r = kind == GRAZE_SHAPE_CONE && ring == 1 ? 0 : n[1];
            p[0] = r * x;
            p[1] = r * y;
            p[2] = ring == 0 ? -n[0] / 2 : n[0] / 2;
        }
    }
    for (int pole = -1; pole <= 1 && kind == GRAZE_SHAPE_ELLIPSOID; pole += 2)
    {
        points[count][0] = points[count][1] = 0;
        points[count++][2] = pole * n[2] * stretch;
    }
    return count;
}

static void make_approximations(graze_shape_kind kind, random_shape *out)
{
    double n[3], points[SIDES * RINGS + 2][3];
    graze_shape_numbers(out->shape, n, 3);
    size_t count = surface_points(kind, n, 1, points);
    out->inside = hull_of(points, count, 1 - 1e-11);
    /* No facet of these points on a sphere is wider than 36 degrees: its plane is at least cos(26) from the centre. */
    count = surface_points(kind, n, kind == GRAZE_SHAPE_ELLIPSOID ? 1.2 : 1.04, points);
    out->around = hull_of(points, count, 1 + 1e-11);
}

void random_shape_make(test_random *random, graze_shape_kind kind, random_shape *out)
{
    random_shape_make_scaled(random, kind, 1, out);
}

void random_shape_make_scaled(test_random *random, graze_shape_kind kind, double scale, random_shape *out)
{
    static const graze_shape_kind cores[] = {GRAZE_SHAPE_BOX, GRAZE_SHAPE_HULL, GRAZE_SHAPE_TRIANGLE,
                                             GRAZE_SHAPE_SEGMENT, GRAZE_SHAPE_POINT};
    memset(out, 0, sizeof *out);
    if (kind == GRAZE_SHAPE_MESH)
        make_mesh(random, scale, &out->shape, &out->mesh);
    else if (kind == GRAZE_SHAPE_HEIGHT_FIELD)
        make_height_field(random, scale, &out->shape);
    else if (kind == GRAZE_SHAPE_ROUNDED)
    {
        assert_int_equal(make_plain(random, cores[random_below(random, 5)], scale, &out->inner[0]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_rounded(NULL, out->inner[0], radius(random) * scale, &out->shape),
                         GRAZE_STATUS_OK);
    }
    else if (kind == GRAZE_SHAPE_COMPOUND)
    {
        graze_placed parts[3];
        int count = random_between(random, 1, 3);
        for (int i = 0; i < count; i++)
        {
            graze_shape_kind inner = (graze_shape_kind)random_below(random, GRAZE_SHAPE_HEIGHT_FIELD + 1);
            if (inner == GRAZE_SHAPE_MESH)
                make_mesh(random, scale, &out->inner[i], &out->inner_meshes[i]);
            else if (inner == GRAZE_SHAPE_HEIGHT_FIELD)
                make_height_field(random, scale, &out->inner[i]);
            else
                assert_int_equal(make_plain(random, inner, scale, &out->inner[i]), GRAZE_STATUS_OK);
            parts[i] = (graze_placed){out->inner[i], graze_pose_translation(grid(random) * scale, grid(random) * scale,
                                                                            grid(random) * scale)};
        }
        assert_int_equal(graze_shape_create_compound(NULL, parts, (size_t)count, &out->shape), GRAZE_STATUS_OK);
    }
    else
        assert_int_equal(make_plain(random, kind, scale, &out->shape), GRAZE_STATUS_OK);
    if (kind == GRAZE_SHAPE_CYLINDER || kind == GRAZE_SHAPE_CONE || kind == GRAZE_SHAPE_ELLIPSOID)
        make_approximations(kind, out);
}

void random_shape_clear(random_shape *shape)
{
    graze_shape_destroy(shape->shape);
    graze_shape_destroy(shape->inside);
    graze_shape_destroy(shape->around);
    graze_mesh_destroy(shape->mesh);
    for (int i = 0; i < MOST_INNER_SHAPES; i++)
    {
        graze_shape_destroy(shape->inner[i]);
        graze_mesh_destroy(shape->inner_meshes[i]);
    }
}

/* ---- poses ---- */

static void set_quarter_turn(test_random *random, graze_pose *pose)
{
    int axes[3] = {0, 1, 2};
    for (int i = 2; i > 0; i--)
    {
        int j = random_below(random, i + 1), old = axes[i];
        axes[i] = axes[j];
        axes[j] = old;
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            pose->m[4 * i + k] = axes[i] != k ? 0 : random_once_in(random, 2) ? 1 : -1;
}

graze_pose random_rigid_pose(test_random *random)
{
    graze_pose pose = graze_pose_identity();
    int how = random_below(random, 4);
    if (how == 1)
        set_quarter_turn(random, &pose);
    else if (how == 2)
    {
        double q[4];
        for (int k = 0; k < 4; k++)
            q[k] = random_between(random, -3, 3);
        q[0] = q[0] == 0 ? 1 : q[0];
        assert_int_equal(graze_pose_from_quaternion(q, NULL, &pose), GRAZE_STATUS_OK);
    }
    for (int k = 0; k < 3; k++)
    {
        double t = random_once_in(random, 3) ? 0 : random_between(random, -5, 5);
        if (random_once_in(random, 8))
            t = nextafter(t, random_once_in(random, 2) ? 10 : -10);
        else if (random_once_in(random, 12))
            t += random_real(random, -1, 1);
        pose.m[4 * k + 3] = t;
    }
    return pose;
}

static bool needs_rigid_pose(const graze_shape *shape)
{
    graze_shape_kind kind = graze_shape_get_kind(shape);
    return graze_shape_mesh(shape) == NULL || kind == GRAZE_SHAPE_SPHERE || kind == GRAZE_SHAPE_CAPSULE ||
           kind == GRAZE_SHAPE_ROUNDED;
}

graze_pose random_pose_for(test_random *random, const graze_shape *shape)
{
    graze_pose pose = random_rigid_pose(random);
    bool invertible = graze_shape_get_kind(shape) == GRAZE_SHAPE_HALF_SPACE;
    if ((needs_rigid_pose(shape) && !invertible) || !random_once_in(random, 4))
        return pose;
    if (invertible)
        for (int k = 0; k < 3; k++)
            pose.m[4 * k] *= 2; /* one column */
    else
        for (int k = 0; k < 3; k++)
            pose.m[4 * k + random_below(random, 3)] = random_between(random, -1, 2);
    return pose;
}
