/* SPDX-License-Identifier: MIT */
/*
 * Shapes of every kind: what is in them, which numbers are refused, and that nothing leaks where memory ends. Flat and
 * point-like ones, the far ends of the range, denormals, every floating-point environment.
 */
#include "shape/create.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/topology.h"
#include "shape/convex_part.h"
#include "support/environment.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

static const double unit_points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* A shape of each kind; those that need another keep it in `inner`. */
typedef struct sample
{
    graze_mesh *mesh;
    graze_shape *inner, *shape;
} sample;

static graze_status make(const graze_context *context, graze_shape_kind kind, sample *s)
{
    static const double sizes[3] = {1, 2, 3}, heights[6] = {0, 1, 0, 2, 0, 3};
    graze_status status = GRAZE_STATUS_OK;
    *s = (sample){0};
    switch (kind)
    {
    case GRAZE_SHAPE_MESH:
        assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &s->mesh), GRAZE_STATUS_OK);
        return graze_shape_create_mesh(context, s->mesh, NULL, true, &s->shape);
    case GRAZE_SHAPE_HULL:
        return graze_shape_create_hull(context, unit_points[0], 4, NULL, &s->shape);
    case GRAZE_SHAPE_SPHERE:
        return graze_shape_create_sphere(context, unit_points[1], 2, &s->shape);
    case GRAZE_SHAPE_CAPSULE:
        return graze_shape_create_capsule(context, unit_points, 2, &s->shape);
    case GRAZE_SHAPE_BOX:
        return graze_shape_create_box(context, sizes, &s->shape);
    case GRAZE_SHAPE_CYLINDER:
        return graze_shape_create_cylinder(context, 4, 2, &s->shape);
    case GRAZE_SHAPE_CONE:
        return graze_shape_create_cone(context, 4, 2, &s->shape);
    case GRAZE_SHAPE_ELLIPSOID:
        return graze_shape_create_ellipsoid(context, sizes, &s->shape);
    case GRAZE_SHAPE_HALF_SPACE:
        return graze_shape_create_half_space(context, sizes, 4, &s->shape);
    case GRAZE_SHAPE_TRIANGLE:
        return graze_shape_create_triangle(context, unit_points, &s->shape);
    case GRAZE_SHAPE_SEGMENT:
        return graze_shape_create_segment(context, unit_points, &s->shape);
    case GRAZE_SHAPE_POINT:
        return graze_shape_create_point(context, unit_points[1], &s->shape);
    case GRAZE_SHAPE_HEIGHT_FIELD:
        return graze_shape_create_height_field(context, sizes, heights, 3, 2, &s->shape);
    case GRAZE_SHAPE_COMPOUND:
    {
        status = graze_shape_create_cylinder(context, 1, 1, &s->inner);
        graze_placed parts[2] = {{s->inner, graze_pose_translation(1, 0, 0)}, {s->inner, graze_pose_identity()}};
        return status == GRAZE_STATUS_OK ? graze_shape_create_compound(context, parts, 2, &s->shape) : status;
    }
    default:
        status = graze_shape_create_box(context, sizes, &s->inner);
        return status == GRAZE_STATUS_OK ? graze_shape_create_rounded(context, s->inner, 2, &s->shape) : status;
    }
}

static void release(sample *s)
{
    graze_shape_destroy(s->shape);
    graze_shape_destroy(s->inner);
    graze_mesh_destroy(s->mesh);
}

static void every_kind_says_what_it_is(void **state)
{
    (void)state;
    static const struct
    {
        const char *name;
        bool solid, triangles;
        size_t mesh_triangles; /* 0: no mesh */
        double radius;
        size_t numbers, parts;
    } expected[GRAZE_SHAPE_KIND_COUNT] = {
        {"mesh", true, true, 12, 0, 0, 0},         {"hull", true, false, 4, 0, 0, 0},
        {"sphere", true, false, 1, 2, 0, 0},       {"capsule", true, false, 1, 2, 0, 0},
        {"box", true, false, 12, 0, 3, 0},         {"cylinder", true, false, 0, 0, 2, 0},
        {"cone", true, false, 0, 0, 2, 0},         {"ellipsoid", true, false, 0, 0, 3, 0},
        {"half_space", true, false, 0, 0, 4, 0},   {"triangle", false, false, 1, 0, 0, 0},
        {"segment", false, false, 1, 0, 0, 0},     {"point", false, false, 1, 0, 0, 0},
        {"height_field", false, true, 4, 0, 4, 0}, {"compound", true, false, 0, 0, 0, 2},
        {"rounded", true, false, 12, 2, 0, 0},
    };
    for (int k = 0; k < GRAZE_SHAPE_KIND_COUNT; k++)
    {
        graze_shape_kind kind = (graze_shape_kind)k;
        sample s;
        assert_int_equal(make(NULL, kind, &s), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_get_kind(s.shape), kind);
        assert_string_equal(graze_shape_kind_name(kind), expected[k].name);
        assert_int_equal(graze_shape_is_solid(s.shape), expected[k].solid);
        assert_int_equal(graze_shape_has_triangles(s.shape), expected[k].triangles);
        const graze_mesh *mesh = graze_shape_mesh(s.shape);
        assert_int_equal(mesh != NULL ? graze_mesh_triangle_count(mesh) : 0, expected[k].mesh_triangles);
        assert_true(graze_shape_radius(s.shape) == expected[k].radius);
        double numbers[4] = {-1, -1, -1, -1};
        assert_int_equal(graze_shape_numbers(s.shape, numbers, 4), expected[k].numbers);
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(numbers[i] >= 0, i < expected[k].numbers);
        double first = -1;
        graze_shape_numbers(s.shape, &first, 1);
        assert_true(first == numbers[0]);
        assert_int_equal(graze_shape_numbers(s.shape, NULL, 0), expected[k].numbers);
        assert_int_equal(graze_shape_part_count(s.shape), expected[k].parts);
        assert_int_equal(graze_shape_parts(s.shape) != NULL, expected[k].parts > 0);
        assert_true(graze_shape_memory_size(s.shape) >= sizeof *s.shape);

        graze_placed placed = {s.shape, graze_pose_translation(1, 2, 3)};
        grz_convex_body body;
        bool convex = !expected[k].triangles && kind != GRAZE_SHAPE_HALF_SPACE && kind != GRAZE_SHAPE_COMPOUND;
        assert_int_equal(grz_shape_convex_body(&placed, &body), convex);
        if (convex)
        {
            assert_int_equal(body.kind == GRZ_CONVEX_POLYTOPE, mesh != NULL);
            assert_int_equal(body.vertex_count > 0 && body.neighbour_starts != NULL, mesh != NULL);
            assert_true(body.radius == expected[k].radius && body.pose.m[11] == 3);
            assert_true(mesh != NULL || (body.numbers[0] == numbers[0] && body.numbers[1] == numbers[1]));
        }
        release(&s);
    }
    assert_null(graze_shape_kind_name(GRAZE_SHAPE_KIND_COUNT));
    assert_null(graze_shape_kind_name((graze_shape_kind)-1));
}

static void every_allocation_of_every_kind_may_fail(void **state)
{
    (void)state;
    size_t failures = 0;
    for (int k = 0; k < GRAZE_SHAPE_KIND_COUNT; k++)
        for (size_t allowed = 0;; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            sample s;
            graze_status status = make(&context, (graze_shape_kind)k, &s);
            release(&s);
            assert_int_equal(allocator.live, 0);
            if (status == GRAZE_STATUS_OK)
                break;
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
            failures++;
        }
    assert_true(failures > 100);
}

/* All bytes of a shape of its own are counted, but for names of tasks and the like: within an eighth. */
static void the_size_in_memory_is_what_was_allocated(void **state)
{
    (void)state;
    for (int k = 0; k < GRAZE_SHAPE_KIND_COUNT; k++)
    {
        if (k == GRAZE_SHAPE_COMPOUND || k == GRAZE_SHAPE_ROUNDED)
            continue; /* made of others */
        failing_allocator allocator = {.allowed = SIZE_MAX};
        graze_context context = failing_allocator_context(&allocator);
        sample s;
        assert_int_equal(make(&context, (graze_shape_kind)k, &s), GRAZE_STATUS_OK);
        size_t size = graze_shape_memory_size(s.shape);
        assert_in_range(size, allocator.bytes - allocator.bytes / 8, allocator.bytes + allocator.bytes / 8);
        const graze_body *body;
        if (k == GRAZE_SHAPE_BOX)
        {
            assert_int_equal(grz_derived_body(&s.shape->derived, NULL, &body), GRAZE_STATUS_OK);
            assert_true(graze_shape_memory_size(s.shape) >= size + graze_body_memory_size(body));
        }
        release(&s);
        assert_int_equal(allocator.live, 0);
    }
}

/* Beyond 2^96 coordinates are kept a second time, scaled. */
static void coordinates_that_are_kept_twice_count_twice(void **state)
{
    (void)state;
    static double points[400][3];
    for (int i = 0; i < 400; i++)
    {
        double z = (i + 0.5) / 200 - 1, turn = 2.4 * i;
        points[i][0] = ldexp(sqrt(1 - z * z) * cos(turn), 200);
        points[i][1] = ldexp(sqrt(1 - z * z) * sin(turn), 200);
        points[i][2] = ldexp(z, 200);
    }
    failing_allocator allocator = {.allowed = SIZE_MAX};
    graze_context context = failing_allocator_context(&allocator);
    graze_shape *shape;
    assert_int_equal(graze_shape_create_hull(&context, points[0], 400, NULL, &shape), GRAZE_STATUS_OK);
    size_t size = graze_shape_memory_size(shape);
    assert_in_range(size, allocator.bytes - allocator.bytes / 64, allocator.bytes + allocator.bytes / 64);
    graze_shape_destroy(shape);
}

/* ---- meshes of hulls ---- */

/* The mesh is closed, convex and oriented, or a single degenerate triangle. */
static void check_mesh(const graze_shape *shape, int dimension, size_t vertex_count)
{
    assert_int_equal(shape->hull->dimension, dimension);
    assert_int_equal(shape->hull->vertex_count, vertex_count);
    assert_int_equal(shape->solid, dimension == 3);
    const graze_mesh *mesh = graze_shape_mesh(shape);
    if (dimension < 2)
    {
        const uint32_t *corners = graze_mesh_triangles(mesh);
        assert_int_equal(graze_mesh_triangle_count(mesh), 1);
        assert_true(corners[0] == 0 && corners[1] == corners[2] && corners[2] == (uint32_t)dimension);
        return;
    }
    graze_mesh_facts facts;
    assert_int_equal(graze_mesh_examine(NULL, mesh, NULL, NULL, &facts), GRAZE_STATUS_OK);
    assert_true(facts.closed && facts.oriented);
    if (dimension == 3)
        assert_true(facts.volume > 0 && facts.convex);
}

static void hulls_of_every_dimension_have_closed_meshes(void **state)
{
    (void)state;
    static const struct
    {
        size_t count;
        double points[9][3];
        int dimension;
        size_t vertex_count;
    } cases[] = {
        {8, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}, 3, 8},
        {9, {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0}, {0, 0, 2}, {2, 0, 2}, {0, 2, 2}, {2, 2, 2}, {1, 1, 1}}, 3, 8},
        {5, {{0, 0, 0}, {2, 0, 2}, {0, 2, 0}, {2, 2, 2}, {1, 1, 1}}, 2, 4},
        {3, {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}, 1, 2},
        {3, {{5, 6, 7}, {5, 6, 7}, {5, 6, 7}}, 0, 1},
        {4, {{0, 0, 0}, {DBL_MAX, 0, 0}, {0, DBL_MAX, 0}, {0, 0, DBL_MAX}}, 3, 4},
        {4, {{0, 0, 0}, {0x1p-1074, 0, 0}, {0, 0x1p-1074, 0}, {0, 0, 0x1p-1074}}, 3, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_shape *shape;
        assert_int_equal(graze_shape_create_hull(NULL, cases[i].points[0], cases[i].count, NULL, &shape),
                         GRAZE_STATUS_OK);
        if (i < 5)
            check_mesh(shape, cases[i].dimension, cases[i].vertex_count);
        assert_int_equal(shape->hull->dimension, cases[i].dimension);
        assert_int_equal(graze_mesh_vertex_count(graze_shape_mesh(shape)), cases[i].vertex_count);
        assert_true(graze_shape_is_solid(shape));
        graze_shape_destroy(shape);
    }
}

static void boxes_may_be_flat_and_their_corners_are_at_half_the_size(void **state)
{
    (void)state;
    static const struct
    {
        double size[3];
        int dimension;
    } cases[] = {{{1, 2, 3}, 3}, {{1, 2, 0}, 2}, {{0, 0, 5}, 1}, {{0, 0, 0}, 0}, {{0.3, 1e-300, 0x1.8p-1021}, 3}};
    for (int number = 0; number < ENVIRONMENTS; number++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        {
            graze_shape *shape;
            saved_environment saved;
            environment_enter(&saved, number);
            graze_status status = graze_shape_create_box(NULL, cases[i].size, &shape);
            environment_leave(&saved);
            assert_int_equal(status, GRAZE_STATUS_OK);
            if (i < 4)
                check_mesh(shape, cases[i].dimension, (size_t)1 << cases[i].dimension);
            graze_box box = graze_mesh_bounds(graze_shape_mesh(shape));
            for (int axis = 0; axis < 3; axis++)
                assert_true(box.upper[axis] == cases[i].size[axis] / 2 && box.lower[axis] == -box.upper[axis]);
            graze_shape_destroy(shape);
        }
}

/* Also one without an area keeps its corners. */
static void a_triangle_keeps_its_corners_in_their_order(void **state)
{
    (void)state;
    static const double collinear[3][3] = {{2, 2, 2}, {0, 0, 0}, {1, 1, 1}};
    graze_shape *shape;
    assert_int_equal(graze_shape_create_triangle(NULL, collinear, &shape), GRAZE_STATUS_OK);
    const graze_mesh *mesh = graze_shape_mesh(shape);
    assert_memory_equal(graze_mesh_vertices(mesh), collinear, sizeof collinear);
    assert_true(graze_mesh_triangles(mesh)[0] == 0 && graze_mesh_triangles(mesh)[2] == 2);
    assert_true(shape->hull->dimension == 1 && !shape->solid);
    graze_shape *rounded;
    assert_int_equal(graze_shape_create_rounded(NULL, shape, 0, &rounded), GRAZE_STATUS_OK);
    assert_ptr_equal(graze_shape_mesh(rounded), mesh);
    assert_ptr_equal(rounded->hull, shape->hull);
    assert_ptr_equal(graze_shape_core(rounded), shape);
    graze_shape_destroy(rounded);
    graze_shape_destroy(shape);
}

/* ---- refusals ---- */

static void negative_sizes_and_numbers_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    static const struct
    {
        double value;
        graze_status status;
    } cases[] = {{-1, GRAZE_STATUS_BAD_ARGUMENT},
                 {-0x1p-1074, GRAZE_STATUS_BAD_ARGUMENT},
                 {NAN, GRAZE_STATUS_NOT_FINITE},
                 {INFINITY, GRAZE_STATUS_NOT_FINITE},
                 {-INFINITY, GRAZE_STATUS_NOT_FINITE}};
    for (int number = 0; number < ENVIRONMENTS; number++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        {
            double x = cases[i].value;
            const double sizes[3] = {1, 1, x};
            graze_shape *shape = NULL;
            saved_environment saved;
            environment_enter(&saved, number);
            const graze_status found[] = {
                graze_shape_create_sphere(NULL, NULL, x, &shape),
                graze_shape_create_capsule(NULL, unit_points, x, &shape),
                graze_shape_create_box(NULL, sizes, &shape),
                graze_shape_create_cylinder(NULL, x, 1, &shape),
                graze_shape_create_cylinder(NULL, 1, x, &shape),
                graze_shape_create_cone(NULL, x, 1, &shape),
                graze_shape_create_cone(NULL, 1, x, &shape),
                graze_shape_create_ellipsoid(NULL, sizes, &shape),
                graze_shape_create_height_field(NULL, sizes + 1, unit_points[0], 2, 2, &shape),
            };
            environment_leave(&saved);
            for (size_t k = 0; k < sizeof found / sizeof found[0]; k++)
                assert_int_equal(found[k], cases[i].status);
            assert_null(shape);
        }
}

static void coordinates_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    graze_shape *shape = NULL, *box;
    static const double corner[3] = {1, 0, 0};
    assert_int_equal(graze_shape_create_box(NULL, corner, &box), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        double bad = i == 0 ? NAN : -INFINITY;
        const double points[3][3] = {{0, 0, bad}, {1, 0, 0}, {0, 1, 0}};
        graze_placed part = {box, graze_pose_translation(bad, 0, 0)};
        const double heights[4] = {0, 0, 0, bad}, one[2] = {1, 1};
        assert_int_equal(graze_shape_create_sphere(NULL, points[0], 1, &shape), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_shape_create_capsule(NULL, points, 1, &shape), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_shape_create_hull(NULL, points[0], 3, NULL, &shape), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_shape_create_triangle(NULL, points, &shape), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_shape_create_segment(NULL, points, &shape), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_shape_create_point(NULL, points[0], &shape), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_shape_create_half_space(NULL, points[0], 1, &shape), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_shape_create_half_space(NULL, points[1], bad, &shape), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_shape_create_height_field(NULL, one, heights, 2, 2, &shape), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_shape_create_compound(NULL, &part, 1, &shape), GRAZE_STATUS_NOT_FINITE);
    }
    graze_shape_destroy(box);
    assert_null(shape);
}

static void normals_of_length_zero_are_refused_and_denormal_ones_taken(void **state)
{
    (void)state;
    static const double zero[3] = {0, -0.0, 0}, least[3] = {0, -0x1p-1074, 0};
    for (int number = 0; number < ENVIRONMENTS; number++)
    {
        graze_shape *shape = NULL;
        saved_environment saved;
        environment_enter(&saved, number);
        graze_status first = graze_shape_create_half_space(NULL, zero, 1, &shape);
        graze_status second = graze_shape_create_half_space(NULL, least, 1, &shape);
        environment_leave(&saved);
        assert_int_equal(first, GRAZE_STATUS_BAD_ARGUMENT);
        assert_int_equal(second, GRAZE_STATUS_OK);
        graze_shape_destroy(shape);
    }
}

static void only_polytopes_can_be_rounded(void **state)
{
    (void)state;
    size_t taken = 0;
    for (int k = 0; k < GRAZE_SHAPE_KIND_COUNT; k++)
    {
        sample s;
        graze_shape *rounded = NULL;
        assert_int_equal(make(NULL, (graze_shape_kind)k, &s), GRAZE_STATUS_OK);
        graze_status status = graze_shape_create_rounded(NULL, s.shape, 1, &rounded);
        bool polytope = k == GRAZE_SHAPE_BOX || k == GRAZE_SHAPE_HULL || k == GRAZE_SHAPE_TRIANGLE ||
                        k == GRAZE_SHAPE_SEGMENT || k == GRAZE_SHAPE_POINT;
        assert_int_equal(status, polytope ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT);
        taken += status == GRAZE_STATUS_OK;
        assert_int_equal(graze_shape_create_rounded(NULL, s.shape, -1, &rounded), GRAZE_STATUS_BAD_ARGUMENT);
        graze_shape_destroy(rounded);
        release(&s);
    }
    assert_int_equal(taken, 5);
}

static bool stop(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

static void hulls_need_points_and_heed_their_budget(void **state)
{
    (void)state;
    static double many[3000][3];
    graze_shape *shape = NULL;
    for (int i = 0; i < 3000; i++)
        for (int axis = 0; axis < 3; axis++)
            many[i][axis] = sin(i * (axis + 1.7));
    graze_budget cancelled = {.progress = stop}, short_one = {.box_tests = 1000};
    assert_int_equal(graze_shape_create_hull(NULL, NULL, 0, NULL, &shape), GRAZE_STATUS_EMPTY);
    assert_int_equal(graze_shape_create_hull(NULL, many[0], 3000, &cancelled, &shape), GRAZE_STATUS_CANCELLED);
    assert_int_equal(graze_shape_create_hull(NULL, many[0], 3000, &short_one, &shape), GRAZE_STATUS_UNFINISHED);
    assert_null(shape);
}

/* ---- compounds ---- */

static void compounds_are_solid_where_all_parts_are(void **state)
{
    (void)state;
    graze_shape *box, *triangle, *both, *nested;
    static const double size[3] = {1, 1, 0};
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_triangle(NULL, unit_points, &triangle), GRAZE_STATUS_OK);
    graze_placed parts[2] = {{box, graze_pose_identity()}, {triangle, graze_pose_identity()}};
    assert_int_equal(graze_shape_create_compound(NULL, parts, 2, &both), GRAZE_STATUS_OK);
    graze_placed outer[2] = {{box, graze_pose_identity()}, {both, graze_pose_identity()}};
    assert_int_equal(graze_shape_create_compound(NULL, outer, 2, &nested), GRAZE_STATUS_OK);
    assert_false(graze_shape_is_solid(both));
    assert_false(graze_shape_is_solid(nested));
    assert_int_equal(nested->leaf_count, 3);
    assert_int_equal(graze_shape_create_compound(NULL, parts, 0, &nested), GRAZE_STATUS_EMPTY);
    graze_shape_destroy(nested);
    graze_shape_destroy(both);
    graze_shape_destroy(triangle);
    graze_shape_destroy(box);
}

static void compounds_nest_to_a_limit_of_levels_and_of_shapes(void **state)
{
    (void)state;
    graze_shape *levels[70];
    for (int width = 1; width <= 2; width++)
    {
        size_t count = 0;
        graze_status status = graze_shape_create_point(NULL, unit_points[0], &levels[count++]);
        while (status == GRAZE_STATUS_OK && count < 70)
        {
            graze_placed parts[2] = {{levels[count - 1], graze_pose_identity()},
                                     {levels[count - 1], graze_pose_identity()}};
            status = graze_shape_create_compound(NULL, parts, (size_t)width, &levels[count]);
            count += status == GRAZE_STATUS_OK;
        }
        assert_int_equal(status, GRAZE_STATUS_TOO_LARGE);
        assert_int_equal(count - 1, width == 1 ? GRZ_SHAPE_DEPTH_LIMIT : 31);
        while (count > 0)
            graze_shape_destroy(levels[--count]);
    }
}

/* ---- height fields ---- */

static void height_fields_cut_cells_from_the_least_corner(void **state)
{
    (void)state;
    static const double size[2] = {3, 0.3}, heights[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    graze_shape *shape;
    assert_int_equal(graze_shape_create_height_field(NULL, size, heights, 4, 2, &shape), GRAZE_STATUS_OK);
    const graze_mesh *mesh = graze_shape_mesh(shape);
    static const double xs[4] = {-1.5, -0.5, 0.5, 1.5};
    for (int i = 0; i < 8; i++)
    {
        const double *vertex = graze_mesh_vertices(mesh) + 3 * i;
        assert_true(vertex[0] == xs[i % 4] && vertex[1] == (i < 4 ? -0.15 : 0.15) && vertex[2] == heights[i]);
    }
    static const uint32_t first[6] = {0, 1, 5, 0, 5, 4}, last[6] = {2, 3, 7, 2, 7, 6};
    assert_int_equal(graze_mesh_triangle_count(mesh), 6);
    assert_memory_equal(graze_mesh_triangles(mesh), first, sizeof first);
    assert_memory_equal(graze_mesh_triangles(mesh) + 12, last, sizeof last);
    double numbers[4];
    assert_int_equal(graze_shape_numbers(shape, numbers, 4), 4);
    assert_true(numbers[0] == 3 && numbers[1] == 0.3 && numbers[2] == 4 && numbers[3] == 2);
    graze_shape_destroy(shape);
}

/* In long doubles, where the numerator is exact, the quotient is rounded twice: the same but for ties, of which there
   are none here. */
static void columns_are_rounded_once_in_every_environment(void **state)
{
    (void)state;
    static const double sizes[][2] = {{0.1, 1}, {DBL_MAX, 0x1p-1074}, {0x1.fffffffffffffp-1020, 7e-310}};
    static double heights[2 * 1000];
    for (int number = 0; number < ENVIRONMENTS; number++)
        for (size_t k = 0; k < 3; k++)
        {
            graze_shape *shape;
            saved_environment saved;
            environment_enter(&saved, number);
            graze_status status = graze_shape_create_height_field(NULL, sizes[k], heights, 1000, 2, &shape);
            environment_leave(&saved);
            assert_int_equal(status, GRAZE_STATUS_OK);
            const double *vertices = graze_mesh_vertices(graze_shape_mesh(shape));
            for (int i = 0; i < 1000; i++)
            {
                long double x = (long double)sizes[k][0] * (2 * i - 999) / 1998;
                assert_true(vertices[3 * i] == (double)x);
            }
            assert_true(vertices[1] == -(sizes[k][1] / 2));
            graze_shape_destroy(shape);
        }
}

static void height_fields_need_two_columns_and_rows_and_an_area(void **state)
{
    (void)state;
    static const double size[2] = {1, 1}, flat[2] = {1, 0}, heights[4] = {0};
    graze_shape *shape = NULL;
    assert_int_equal(graze_shape_create_height_field(NULL, size, heights, 1, 2, &shape), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_shape_create_height_field(NULL, size, heights, 2, 1, &shape), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_shape_create_height_field(NULL, size, heights, 0, 0, &shape), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_shape_create_height_field(NULL, flat, heights, 2, 2, &shape), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_shape_create_height_field(NULL, size, heights, SIZE_MAX / 2, 4, &shape),
                     GRAZE_STATUS_TOO_LARGE);
    assert_null(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_says_what_it_is),
        cmocka_unit_test(every_allocation_of_every_kind_may_fail),
        cmocka_unit_test(the_size_in_memory_is_what_was_allocated),
        cmocka_unit_test(coordinates_that_are_kept_twice_count_twice),
        cmocka_unit_test(hulls_of_every_dimension_have_closed_meshes),
        cmocka_unit_test(boxes_may_be_flat_and_their_corners_are_at_half_the_size),
        cmocka_unit_test(a_triangle_keeps_its_corners_in_their_order),
        cmocka_unit_test(negative_sizes_and_numbers_that_are_not_finite_are_refused),
        cmocka_unit_test(coordinates_that_are_not_finite_are_refused),
        cmocka_unit_test(normals_of_length_zero_are_refused_and_denormal_ones_taken),
        cmocka_unit_test(only_polytopes_can_be_rounded),
        cmocka_unit_test(hulls_need_points_and_heed_their_budget),
        cmocka_unit_test(compounds_are_solid_where_all_parts_are),
        cmocka_unit_test(compounds_nest_to_a_limit_of_levels_and_of_shapes),
        cmocka_unit_test(height_fields_cut_cells_from_the_least_corner),
        cmocka_unit_test(columns_are_rounded_once_in_every_environment),
        cmocka_unit_test(height_fields_need_two_columns_and_rows_and_an_area),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
