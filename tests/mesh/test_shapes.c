/* SPDX-License-Identifier: MIT */
/* Every generated shape at several resolutions: closed, outward, of the promised size, seeded; and rejected input. */
#include "graze/generate.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/topology.h"
#include "support/body_check.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

#define LEVELS 5

/* Expected facts. */
typedef struct expectation
{
    double triangles;
    double slack;      /* how far the number of triangles may be from that */
    size_t components; /* 0: any */
    long holes;        /* handles of all components together */
} expectation;

typedef graze_status shape_function(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                                    graze_mesh **out_mesh);

static graze_status box(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                        graze_mesh **out_mesh)
{
    (void)seed;
    uint32_t segments = (uint32_t[]){1, 2, 3, 10, 40}[level];
    *expect = (expectation){12.0 * segments * segments, 0, 1, 0};
    return graze_mesh_create_box(context, 1, 0.3, 7, segments, out_mesh);
}

static graze_status sphere(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                           graze_mesh **out_mesh)
{
    (void)seed;
    uint32_t segments = (uint32_t[]){3, 4, 7, 16, 100}[level], rings = (uint32_t[]){2, 3, 5, 9, 100}[level];
    *expect = (expectation){2.0 * segments * (rings - 1), 0, 1, 0};
    return graze_mesh_create_sphere(context, 2.5, segments, rings, out_mesh);
}

static graze_status geodesic(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                             graze_mesh **out_mesh)
{
    (void)seed;
    uint32_t frequency = (uint32_t[]){1, 2, 3, 8, 31}[level];
    *expect = (expectation){20.0 * frequency * frequency, 0, 1, 0};
    return graze_mesh_create_geodesic_sphere(context, 0.7, frequency, out_mesh);
}

static graze_status bumpy_shell(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                                graze_mesh **out_mesh)
{
    uint32_t frequency = (uint32_t[]){1, 2, 5, 9, 30}[level];
    *expect = (expectation){20.0 * frequency * frequency, 0, 1, 0};
    return graze_mesh_create_bumpy_shell(context, 3, (double[]){0.9, 0.5, 0.3, 0.2, 0.1}[level], frequency, seed,
                                         out_mesh);
}

static graze_status torus(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                          graze_mesh **out_mesh)
{
    (void)seed;
    uint32_t segments = (uint32_t[]){3, 4, 9, 20, 120}[level], sides = (uint32_t[]){3, 5, 6, 20, 80}[level];
    *expect = (expectation){2.0 * segments * sides, 0, 1, 1};
    return graze_mesh_create_torus(context, 1, (double[]){0.1, 0.5, 0.9, 0.999, 0.3}[level], segments, sides, out_mesh);
}

static graze_status cylinder(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                             graze_mesh **out_mesh)
{
    (void)seed;
    uint32_t segments = (uint32_t[]){3, 4, 9, 20, 100}[level], rings = (uint32_t[]){1, 2, 1, 7, 90}[level];
    *expect = (expectation){2.0 * segments * (rings + 1), 0, 1, 0};
    return graze_mesh_create_cylinder(context, 0.5, 3, segments, rings, out_mesh);
}

static graze_status cone(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                         graze_mesh **out_mesh)
{
    (void)seed;
    uint32_t segments = (uint32_t[]){3, 4, 9, 20, 100}[level], rings = (uint32_t[]){1, 2, 1, 7, 90}[level];
    *expect = (expectation){2.0 * segments * rings, 0, 1, 0};
    return graze_mesh_create_cone(context, 0.5, 3, segments, rings, out_mesh);
}

static graze_status hyperboloid(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                                graze_mesh **out_mesh)
{
    (void)seed;
    uint32_t segments = (uint32_t[]){3, 4, 9, 20, 100}[level], rings = (uint32_t[]){2, 3, 4, 7, 90}[level];
    *expect = (expectation){2.0 * segments * (rings + 1), 0, 1, 0};
    return graze_mesh_create_hyperboloid(context, 0.2, (double[]){0.2, 0.3, 1, 2, 5}[level], 2, segments, rings,
                                         out_mesh);
}

static graze_status tetraflake(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                               graze_mesh **out_mesh)
{
    (void)seed;
    *expect = (expectation){16 * (double[]){1, 3, 9, 27, 729}[level] - 12, 0, 1, 0};
    return graze_mesh_create_tetraflake(context, 0.3, (uint32_t[]){0, 1, 2, 3, 6}[level], out_mesh);
}

static graze_status gear(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                         graze_mesh **out_mesh)
{
    (void)seed;
    uint32_t teeth = (uint32_t[]){8, 9, 18, 19, 200}[level];
    *expect = (expectation){80.0 * teeth, 0, 1, 1};
    return graze_mesh_create_gear(context, teeth, 0.25, 1, 0.3, 0.02, out_mesh);
}

static graze_status pipes(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                          graze_mesh **out_mesh)
{
    uint32_t sides = (uint32_t[]){3, 5, 8, 12, 6}[level];
    size_t wanted = (size_t[]){12, 300, 2000, 9000, 20000}[level];
    *expect = (expectation){(double)wanted, 3.0 * sides, 0, 0};
    return graze_mesh_create_pipes(context, 1, (double[]){0.1, 0.25, 0.03, 0.01, 0.28}[level], sides, wanted, seed,
                                   out_mesh);
}

static graze_status stalagmites(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                                graze_mesh **out_mesh)
{
    uint32_t count = (uint32_t[]){1, 5, 17, 100, 40}[level];
    size_t wanted = (size_t[]){6, 100, 999, 5000, 20011}[level];
    *expect = (expectation){(double)wanted, 2 * sqrt((double)wanted / count), count, 0};
    return graze_mesh_create_stalagmites(context, 2, count, wanted, seed, out_mesh);
}

static graze_status tetrahedra(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                               graze_mesh **out_mesh)
{
    size_t count = (size_t[]){1, 8, 9, 1000, 4500}[level];
    *expect = (expectation){4 * (double)count, 0, count, 0};
    return graze_mesh_create_tetrahedra(context, 10, count, seed, out_mesh);
}

static graze_status aircraft(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                             graze_mesh **out_mesh)
{
    (void)seed;
    size_t wanted = (size_t[]){1, 1000, 3333, 14646, 20000}[level];
    *expect = (expectation){(double)wanted, level == 0 ? 500 : 0.02 * (double)wanted, 12, 0};
    return graze_mesh_create_aircraft(context, 70.6, wanted, out_mesh);
}

static graze_status hand(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                         graze_mesh **out_mesh)
{
    (void)seed;
    size_t wanted = (size_t[]){1, 404, 404, 2500, 20000}[level];
    *expect = (expectation){(double)wanted, level == 0 ? 300 : 0.02 * (double)wanted, 6, 0};
    return graze_mesh_create_hand(context, 0.19, (double[]){0, 0, 1, 0.5, 1}[level], wanted, out_mesh);
}

/* A comb of `level` teeth with a hole in its back and the outer loop in the wrong direction. */
static graze_status extrusion(const graze_context *context, uint32_t level, uint64_t seed, expectation *expect,
                              graze_mesh **out_mesh)
{
    (void)seed;
    uint32_t teeth = 1 + level * level, count = 0;
    double points[2 * (4 * 17 + 2 + 4)];
    const double back[2][2] = {{0, -1}, {0, 0}};
    for (int i = 0; i < 2; i++, count++)
        memcpy(points + 2 * count, back[i], sizeof back[i]);
    for (uint32_t tooth = 0; tooth < teeth; tooth++)
    {
        const double corners[4][2] = {{tooth + 0.1, 0}, {tooth + 0.2, 2}, {tooth + 0.7, 2}, {tooth + 0.8, 0}};
        memcpy(points + 2 * count, corners, sizeof corners);
        count += 4;
    }
    points[2 * (count - 1) + 1] = -1;
    const double hole[4][2] = {{0.2, -0.5}, {0.3, -0.5}, {0.3, -0.25}, {0.2, -0.25}};
    memcpy(points + 2 * count, hole, sizeof hole);
    uint32_t loop_sizes[2] = {count, 4};
    *expect = (expectation){4.0 * (count + 4), 0, 1, 1};
    return graze_mesh_create_extrusion(context, points, loop_sizes, 2, 0.5, NULL, out_mesh);
}

static const struct
{
    const char *name;
    shape_function *make;
    bool seeded;
} shapes[] = {{"box", box, false},
              {"sphere", sphere, false},
              {"geodesic", geodesic, false},
              {"bumpy shell", bumpy_shell, true},
              {"torus", torus, false},
              {"cylinder", cylinder, false},
              {"cone", cone, false},
              {"hyperboloid", hyperboloid, false},
              {"tetra-flake", tetraflake, false},
              {"gear", gear, false},
              {"pipes", pipes, true},
              {"stalagmites", stalagmites, true},
              {"tetrahedra", tetrahedra, true},
              {"aircraft", aircraft, false},
              {"hand", hand, false},
              {"extrusion", extrusion, false}};
enum
{
    SHAPE_COUNT = sizeof shapes / sizeof shapes[0]
};

static void every_shape_is_closed_outward_and_of_the_promised_size(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHAPE_COUNT; s++)
        for (uint32_t level = 0; level < LEVELS; level++)
            for (uint64_t seed = 1; seed <= (shapes[s].seeded ? 3 : 1); seed++)
            {
                expectation expect;
                graze_mesh *mesh = NULL;
                graze_status status = shapes[s].make(NULL, level, seed, &expect, &mesh);
                if (status != GRAZE_STATUS_OK)
                    fail_msg("%s, level %u: %s", shapes[s].name, (unsigned)level, graze_status_text(status));
                body_report report = body_check(mesh);
                double triangles = (double)graze_mesh_triangle_count(mesh);
                bool wrong = fabs(triangles - expect.triangles) > expect.slack || report.unpaired_edges != 0 ||
                             report.equal_vertices != 0 || report.unused_vertices != 0 || report.flat_triangles != 0 ||
                             report.inside_out != 0 ||
                             (expect.components != 0 && report.components != expect.components) ||
                             report.euler_characteristic != 2 * (long)report.components - 2 * expect.holes;
                if (wrong)
                    fail_msg("%s, level %u, seed %u: %.0f triangles instead of %.0f, %zu unpaired edges, %zu equal and "
                             "%zu unused vertices, %zu flat triangles, %zu of %zu components inside out, Euler %ld",
                             shapes[s].name, (unsigned)level, (unsigned)seed, triangles, expect.triangles,
                             report.unpaired_edges, report.equal_vertices, report.unused_vertices,
                             report.flat_triangles, report.inside_out, report.components, report.euler_characteristic);
                graze_mesh_destroy(mesh);
            }
}

static void the_facts_of_every_shape_agree_with_its_check(void **state)
{
    (void)state;
    int convex = 0;
    for (size_t s = 0; s < SHAPE_COUNT; s++)
        for (uint32_t level = 0; level < LEVELS; level++)
        {
            expectation expect;
            graze_mesh *mesh = NULL;
            graze_mesh_facts facts;
            assert_int_equal(shapes[s].make(NULL, level, 5, &expect, &mesh), GRAZE_STATUS_OK);
            assert_int_equal(graze_mesh_examine(NULL, mesh, NULL, NULL, &facts), GRAZE_STATUS_OK);
            body_report report = body_check(mesh);
            if (!facts.closed || !facts.manifold || !facts.oriented || facts.degenerate != 0 || facts.zero_area != 0 ||
                facts.duplicates != 0 || facts.t_junctions != 0 || facts.components != report.components ||
                fabs(facts.volume - report.volume) > 1e-9 * report.volume)
                fail_msg("%s, level %u: closed %d, manifold %d, oriented %d, zero area %u, duplicates %u, T-junctions "
                         "%u, components %u, volume %g instead of %g",
                         shapes[s].name, (unsigned)level, facts.closed, facts.manifold, facts.oriented,
                         (unsigned)facts.zero_area, (unsigned)facts.duplicates, (unsigned)facts.t_junctions,
                         (unsigned)facts.components, facts.volume, report.volume);
            convex += facts.convex;
            graze_mesh_destroy(mesh);
        }
    assert_true(convex >= 10); /* boxes, the coarser geodesic spheres, a tetrahedron, prisms and pyramids of one band */
}

static bool same_bytes(const graze_mesh *a, const graze_mesh *b)
{
    size_t vertices = graze_mesh_vertex_count(a), triangles = graze_mesh_triangle_count(a);
    return vertices == graze_mesh_vertex_count(b) && triangles == graze_mesh_triangle_count(b) &&
           memcmp(graze_mesh_vertices(a), graze_mesh_vertices(b), vertices * 3 * sizeof(double)) == 0 &&
           memcmp(graze_mesh_triangles(a), graze_mesh_triangles(b), triangles * 3 * sizeof(uint32_t)) == 0;
}

static void the_same_seed_gives_the_same_bytes_and_another_seed_others(void **state)
{
    (void)state;
    int seeded = 0;
    for (size_t s = 0; s < SHAPE_COUNT; s++)
    {
        expectation expect;
        graze_mesh *first, *again, *other;
        assert_int_equal(shapes[s].make(NULL, 2, 42, &expect, &first), GRAZE_STATUS_OK);
        assert_int_equal(shapes[s].make(NULL, 2, 42, &expect, &again), GRAZE_STATUS_OK);
        assert_int_equal(shapes[s].make(NULL, 2, 43, &expect, &other), GRAZE_STATUS_OK);
        assert_true(same_bytes(first, again));
        assert_int_equal(same_bytes(first, other), !shapes[s].seeded);
        seeded += shapes[s].seeded;
        graze_mesh_destroy(first);
        graze_mesh_destroy(again);
        graze_mesh_destroy(other);
    }
    assert_true(seeded >= 4);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHAPE_COUNT; s++)
        for (uint32_t level = 1; level <= 2; level++)
            for (size_t allowed = 0;; allowed++)
            {
                failing_allocator allocator = {.allowed = allowed};
                graze_context context = failing_allocator_context(&allocator);
                expectation expect;
                graze_mesh *untouched = (graze_mesh *)&allocator, *mesh = untouched;
                graze_status status = shapes[s].make(&context, level, 1, &expect, &mesh);
                if (status == GRAZE_STATUS_OK)
                {
                    assert_ptr_not_equal(mesh, untouched);
                    graze_mesh_destroy(mesh);
                    assert_int_equal(allocator.live, 0);
                    assert_true(allowed >= 4);
                    break;
                }
                assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
                assert_ptr_equal(mesh, untouched);
                assert_int_equal(allocator.live, 0);
            }
}

/* A shape as a function of its sizes only, for sizes that are rejected. */
typedef graze_status sized_function(const double sizes[3], graze_mesh **out_mesh);

static graze_status sized_box(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_box(NULL, s[0], s[1], s[2], 2, out_mesh);
}

static graze_status sized_sphere(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_sphere(NULL, s[0], 5, 4, out_mesh);
}

static graze_status sized_geodesic(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_geodesic_sphere(NULL, s[0], 2, out_mesh);
}

static graze_status sized_bumpy(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_bumpy_shell(NULL, s[0], 0.5, 2, 1, out_mesh);
}

static graze_status sized_torus(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_torus(NULL, s[0], 0.25 * s[1], 5, 4, out_mesh);
}

static graze_status sized_cylinder(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_cylinder(NULL, s[0], s[1], 5, 2, out_mesh);
}

static graze_status sized_cone(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_cone(NULL, s[0], s[1], 5, 2, out_mesh);
}

static graze_status sized_hyperboloid(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_hyperboloid(NULL, s[0], s[1], s[2], 5, 2, out_mesh);
}

static graze_status sized_tetraflake(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_tetraflake(NULL, s[0], 2, out_mesh);
}

static graze_status sized_gear(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_gear(NULL, 12, s[0], s[1], s[2], 0, out_mesh);
}

static graze_status sized_extrusion(const double s[3], graze_mesh **out_mesh)
{
    const double points[] = {0, 0, 1, 0, 0, 1};
    const uint32_t size = 3;
    return graze_mesh_create_extrusion(NULL, points, &size, 1, s[0], NULL, out_mesh);
}

static graze_status sized_pipes(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_pipes(NULL, s[0], 0.1 * s[1], 5, 100, 1, out_mesh);
}

static graze_status sized_stalagmites(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_stalagmites(NULL, s[0], 3, 100, 1, out_mesh);
}

static graze_status sized_tetrahedra(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_tetrahedra(NULL, s[0], 3, 1, out_mesh);
}

static graze_status sized_aircraft(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_aircraft(NULL, s[0], 1000, out_mesh);
}

static graze_status sized_hand(const double s[3], graze_mesh **out_mesh)
{
    return graze_mesh_create_hand(NULL, s[0], 0.5, 400, out_mesh);
}

static const struct
{
    sized_function *make;
    int size_count;
} sized_shapes[] = {{sized_box, 3},         {sized_sphere, 1},     {sized_geodesic, 1},  {sized_bumpy, 1},
                    {sized_torus, 2},       {sized_cylinder, 2},   {sized_cone, 2},      {sized_hyperboloid, 3},
                    {sized_tetraflake, 1},  {sized_gear, 3},       {sized_extrusion, 1}, {sized_pipes, 2},
                    {sized_stalagmites, 1}, {sized_tetrahedra, 1}, {sized_aircraft, 1},  {sized_hand, 1}};
enum
{
    SIZED_COUNT = sizeof sized_shapes / sizeof sized_shapes[0]
};

static void sizes_must_be_positive_and_finite(void **state)
{
    (void)state;
    const double bad[] = {0, -0.0, -1, NAN, INFINITY, -INFINITY};
    for (size_t s = 0; s < SIZED_COUNT; s++)
    {
        double sizes[3] = {1, 1, 1};
        graze_mesh *mesh = NULL;
        assert_int_equal(sized_shapes[s].make(sizes, &mesh), GRAZE_STATUS_OK);
        graze_mesh_destroy(mesh);
        mesh = NULL;
        for (int place = 0; place < sized_shapes[s].size_count; place++)
            for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++)
            {
                for (int i = 0; i < 3; i++)
                    sizes[i] = i == place ? bad[b] : 1;
                assert_int_equal(sized_shapes[s].make(sizes, &mesh), GRAZE_STATUS_BAD_ARGUMENT);
                assert_null(mesh);
            }
    }
}

/* Ends of the range: a shape is either correct or rejected. */
static void sizes_at_the_far_ends_are_refused_or_right(void **state)
{
    (void)state;
    const double far[] = {5e-324, 1e-320, DBL_MIN, 1e-300, 1e300, 0x1p1023, DBL_MAX};
    int made = 0, refused = 0;
    for (size_t s = 0; s < SIZED_COUNT; s++)
        for (size_t f = 0; f < sizeof far / sizeof far[0]; f++)
        {
            const double sizes[3] = {far[f], far[f], far[f]};
            graze_mesh *mesh = NULL;
            graze_status status = sized_shapes[s].make(sizes, &mesh);
            if (status == GRAZE_STATUS_BAD_ARGUMENT)
            {
                refused++;
                continue;
            }
            assert_int_equal(status, GRAZE_STATUS_OK);
            body_report report = body_check(mesh);
            assert_int_equal(report.unpaired_edges, 0);
            assert_int_equal(report.flat_triangles, 0);
            graze_mesh_destroy(mesh);
            made++;
        }
    assert_true(made > 50 && refused > 10);
}

static void too_few_segments_and_other_nonsense_is_refused(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    const graze_status bad = GRAZE_STATUS_BAD_ARGUMENT;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 0, &mesh), bad);
    assert_int_equal(graze_mesh_create_sphere(NULL, 1, 2, 5, &mesh), bad);
    assert_int_equal(graze_mesh_create_sphere(NULL, 1, 5, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 0, &mesh), bad);
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.1, 0, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 1, 3, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, -0.1, 3, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, NAN, 3, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 1, 5, 5, &mesh), bad);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.5, 2, 5, &mesh), bad);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.5, 5, 2, &mesh), bad);
    assert_int_equal(graze_mesh_create_cylinder(NULL, 1, 1, 2, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_cylinder(NULL, 1, 1, 3, 0, &mesh), bad);
    assert_int_equal(graze_mesh_create_cone(NULL, 1, 1, 2, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_cone(NULL, 1, 1, 3, 0, &mesh), bad);
    assert_int_equal(graze_mesh_create_hyperboloid(NULL, 2, 1, 1, 5, 2, &mesh), bad);
    assert_int_equal(graze_mesh_create_hyperboloid(NULL, 1, 2, 1, 2, 2, &mesh), bad);
    assert_int_equal(graze_mesh_create_hyperboloid(NULL, 1, 2, 1, 5, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_gear(NULL, 7, 1, 1, 1, 0, &mesh), bad);
    assert_int_equal(graze_mesh_create_gear(NULL, 8, 1, 1, 2.8, 0, &mesh), bad);
    assert_int_equal(graze_mesh_create_gear(NULL, 8, 1, 1, 1, 0.9, &mesh), bad);
    assert_int_equal(graze_mesh_create_gear(NULL, 8, 1, 1, 1, -0.1, &mesh), bad);
    assert_int_equal(graze_mesh_create_gear(NULL, 8, 1, 1, 1, NAN, &mesh), bad);
    assert_int_equal(graze_mesh_create_pipes(NULL, 1, 0.1, 2, 100, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_pipes(NULL, 1, 0.3, 4, 100, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_pipes(NULL, 1, 0.1, 4, 0, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_stalagmites(NULL, 1, 0, 100, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_stalagmites(NULL, 1, 3, 0, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_tetrahedra(NULL, 1, 0, 1, &mesh), bad);
    assert_int_equal(graze_mesh_create_aircraft(NULL, 1, 0, &mesh), bad);
    assert_int_equal(graze_mesh_create_hand(NULL, 1, 0, 0, &mesh), bad);
    assert_int_equal(graze_mesh_create_hand(NULL, 1, -0.1, 400, &mesh), bad);
    assert_int_equal(graze_mesh_create_hand(NULL, 1, 1.1, 400, &mesh), bad);
    assert_int_equal(graze_mesh_create_hand(NULL, 1, NAN, 400, &mesh), bad);
    assert_null(mesh);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, NULL), bad);
    assert_int_equal(graze_mesh_create_hand(NULL, 1, 0, 400, NULL), bad);
}

static void more_than_indices_can_name_is_refused_before_any_allocation(void **state)
{
    (void)state;
    failing_allocator allocator = {.allowed = 0};
    graze_context context = failing_allocator_context(&allocator);
    graze_mesh *mesh = NULL;
    const graze_status large = GRAZE_STATUS_TOO_LARGE;
    const uint32_t counts[] = {40000, 1u << 20, UINT32_MAX - 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    {
        uint32_t n = counts[i];
        assert_int_equal(graze_mesh_create_box(&context, 1, 1, 1, n, &mesh), large);
        assert_int_equal(graze_mesh_create_sphere(&context, 1, n, n, &mesh), large);
        assert_int_equal(graze_mesh_create_geodesic_sphere(&context, 1, n, &mesh), large);
        assert_int_equal(graze_mesh_create_bumpy_shell(&context, 1, 0.5, n, 1, &mesh), large);
        assert_int_equal(graze_mesh_create_torus(&context, 1, 0.5, n, n, &mesh), large);
        assert_int_equal(graze_mesh_create_cylinder(&context, 1, 1, n, n, &mesh), large);
        assert_int_equal(graze_mesh_create_cone(&context, 1, 1, n, n, &mesh), large);
        assert_int_equal(graze_mesh_create_hyperboloid(&context, 1, 1, 1, n, n, &mesh), large);
        assert_int_equal(graze_mesh_create_tetraflake(&context, 1, n, &mesh), large);
        assert_int_equal(graze_mesh_create_pipes(&context, 1, 0.1, 3, (size_t)n * n, 1, &mesh), large);
        assert_int_equal(graze_mesh_create_stalagmites(&context, 1, n, (size_t)n * n, 1, &mesh), large);
        assert_int_equal(graze_mesh_create_tetrahedra(&context, 1, (size_t)n * n, 1, &mesh), large);
        assert_int_equal(graze_mesh_create_aircraft(&context, 1, (size_t)n * n, &mesh), large);
        assert_int_equal(graze_mesh_create_hand(&context, 1, 0, (size_t)n * n, &mesh), large);
    }
    assert_int_equal(graze_mesh_create_gear(&context, UINT32_MAX, 1, 1, 1, 0, &mesh), large);
    assert_int_equal(graze_mesh_create_pipes(&context, 1, 0.1, UINT32_MAX, 100, 1, &mesh), large);
    assert_int_equal(graze_mesh_create_stalagmites(&context, 1, UINT32_MAX, 100, 1, &mesh), large);
    assert_int_equal(graze_mesh_create_tetrahedra(&context, 1, SIZE_MAX, 1, &mesh), large);
    assert_int_equal(graze_mesh_create_aircraft(&context, 1, SIZE_MAX, &mesh), large);
    assert_int_equal(graze_mesh_create_hand(&context, 1, 0, SIZE_MAX, &mesh), large);
    assert_null(mesh);
    assert_int_equal(allocator.requests, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_closed_outward_and_of_the_promised_size),
        cmocka_unit_test(the_facts_of_every_shape_agree_with_its_check),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes_and_another_seed_others),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(sizes_must_be_positive_and_finite),
        cmocka_unit_test(sizes_at_the_far_ends_are_refused_or_right),
        cmocka_unit_test(too_few_segments_and_other_nonsense_is_refused),
        cmocka_unit_test(more_than_indices_can_name_is_refused_before_any_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
