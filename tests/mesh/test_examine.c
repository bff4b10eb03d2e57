/* SPDX-License-Identifier: MIT */
/* Results of graze_mesh_examine for meshes whose facts are known, and for random ones against brute force. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/topology.h"
#include "support/bodies.h"
#include "support/failing_allocator.h"
#include "support/polygons.h"
#include "support/unit.h"

static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};

static graze_mesh_facts examine(const graze_mesh *mesh)
{
    graze_mesh_facts facts;
    assert_int_equal(graze_mesh_examine(NULL, mesh, NULL, NULL, &facts), GRAZE_STATUS_OK);
    return facts;
}

static graze_mesh_facts examine_and_destroy(graze_mesh *mesh)
{
    graze_mesh_facts facts = examine(mesh);
    graze_mesh_destroy(mesh);
    return facts;
}

static void assert_close(double value, double expected)
{
    if (!(fabs(value - expected) <= 4e-15 * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static void a_cube_is_everything_good(void **state)
{
    (void)state;
    static const double lower[3] = {1, 2, 3}, upper[3] = {3, 5, 7};
    graze_mesh_facts facts = examine_and_destroy(body_box(lower, upper));
    assert_int_equal(facts.vertices, 8);
    assert_int_equal(facts.distinct_vertices, 8);
    assert_int_equal(facts.triangles, 12);
    assert_int_equal(facts.faces, 6);
    assert_int_equal(facts.edges, 12);
    assert_int_equal(facts.components, 1);
    assert_true(facts.closed && facts.manifold && facts.oriented && facts.convex);
    assert_true(facts.flat_faces && facts.convex_faces && facts.solid_mass);
    assert_int_equal(facts.boundary_edges + facts.nonmanifold_edges + facts.nonmanifold_vertices, 0);
    assert_int_equal(facts.degenerate + facts.zero_area + facts.duplicates + facts.t_junctions, 0);
    assert_memory_equal(facts.bounds.lower, lower, sizeof lower);
    assert_memory_equal(facts.bounds.upper, upper, sizeof upper);
    assert_close(facts.area, 2 * (2 * 3 + 3 * 4 + 4 * 2));
    assert_close(facts.volume, 24);
    assert_close(facts.centre_of_mass[0], 2);
    assert_close(facts.centre_of_mass[1], 3.5);
    assert_close(facts.centre_of_mass[2], 5);
    assert_close(facts.inertia[0], 24.0 / 12 * (9 + 16));
    assert_close(facts.inertia[1], 24.0 / 12 * (16 + 4));
    assert_close(facts.inertia[2], 24.0 / 12 * (4 + 9));
    for (int k = 3; k < 6; k++)
        assert_true(fabs(facts.inertia[k]) < 1e-14);
}

static void an_open_box_is_open(void **state)
{
    (void)state;
    double vertices[8][3];
    body_box_vertices(vertices, zero, one);
    graze_mesh_facts facts = examine_and_destroy(body_of_polygons(vertices, 8, body_box_corners, body_box_sizes, 5));
    assert_false(facts.closed || facts.convex || facts.solid_mass);
    assert_true(facts.manifold && facts.oriented);
    assert_int_equal(facts.boundary_edges, 4);
    assert_int_equal(facts.nonmanifold_vertices, 0);
    assert_close(facts.area, 5);
    assert_close(facts.centre_of_mass[0], (0.5 * 4 + 0) / 5); /* the missing face is at x = 1 */
}

/* Two cubes that share an edge, or only a corner. */
static void bodies_that_touch_are_told_by_where(void **state)
{
    (void)state;
    for (int shared = 0; shared < 3; shared++)
    {
        double vertices[16][3], lower[3] = {shared > 0 ? 1 : 5, shared > 0 ? 1 : 5, shared > 1 ? 1 : 0};
        double upper[3] = {lower[0] + 1, lower[1] + 1, lower[2] + 1};
        body_box_vertices(vertices, zero, one);
        body_box_vertices(vertices + 8, lower, upper);
        uint32_t corners[48], sizes[12];
        for (uint32_t c = 0; c < 48; c++)
            corners[c] = body_box_corners[c % 24] + (c < 24 ? 0 : 8);
        for (int f = 0; f < 12; f++)
            sizes[f] = 4;
        graze_mesh_facts facts = examine_and_destroy(body_of_polygons(vertices, 16, corners, sizes, 12));
        assert_int_equal(facts.components, shared == 0 ? 2 : 1);
        assert_int_equal(facts.nonmanifold_edges, shared == 1);
        assert_int_equal(facts.nonmanifold_vertices, shared == 0 ? 0 : shared == 1 ? 2 : 1);
        assert_int_equal(facts.closed, shared != 1);
        assert_int_equal(facts.manifold, shared != 1);
        assert_true(facts.oriented);
        assert_false(facts.convex);
        assert_int_equal(facts.distinct_vertices, shared == 0 ? 16 : shared == 1 ? 14 : 15);
        assert_close(facts.volume, 2);
    }
}

static void a_moebius_strip_cannot_be_oriented(void **state)
{
    (void)state;
    enum
    {
        STEPS = 9
    };
    double vertices[2 * STEPS][3];
    uint32_t corners[4 * STEPS], sizes[STEPS];
    for (uint32_t i = 0; i < STEPS; i++)
    {
        double angle = 6.283185307179586 * i / STEPS;
        for (int side = 0; side < 2; side++)
        {
            double radius = 3 + (side - 0.5) * cos(angle / 2);
            vertices[2 * i + (uint32_t)side][0] = radius * cos(angle);
            vertices[2 * i + (uint32_t)side][1] = radius * sin(angle);
            vertices[2 * i + (uint32_t)side][2] = (side - 0.5) * sin(angle / 2);
        }
        uint32_t next = (i + 1) % STEPS, flip = i + 1 == STEPS;
        const uint32_t quad[4] = {2 * i, 2 * next + flip, 2 * next + 1 - flip, 2 * i + 1};
        memcpy(corners + 4 * i, quad, sizeof quad);
        sizes[i] = 4;
    }
    graze_mesh_facts facts = examine_and_destroy(body_of_polygons(vertices, 2 * STEPS, corners, sizes, STEPS));
    assert_false(facts.oriented || facts.closed);
    assert_true(facts.manifold);
    assert_int_equal(facts.misoriented_edges, 1);
    assert_int_equal(facts.boundary_edges, 2 * STEPS);
    assert_int_equal(facts.nonmanifold_vertices, 0);
    assert_int_equal(facts.nonflat_face_count, STEPS);
    assert_false(facts.flat_faces || facts.convex_faces);
}

static void doubled_faces_and_degenerate_ones_are_counted(void **state)
{
    (void)state;
    double vertices[6][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 0, 0}, {0, 0, 0}, {4, 4, 4}};
    static const uint32_t corners[] = {0, 1, 2, 2, 4, 1, 1, 2, 0, /* three times the same */
                                       0, 3, 1,                   /* collinear */
                                       0, 4, 1, 5, 5, 5, 2, 2, 0, 2, 2, 4};
    graze_mesh_facts facts = examine_and_destroy(body_of_triangles(vertices, 6, corners, 8));
    assert_int_equal(facts.vertices, 6);
    assert_int_equal(facts.distinct_vertices, 5);
    assert_int_equal(facts.duplicates, 2);
    assert_int_equal(facts.degenerate, 4);
    assert_int_equal(facts.zero_area, 5);
    assert_int_equal(facts.components, 2); /* the point is a component of its own */
    assert_int_equal(facts.nonmanifold_edges, 3);
    assert_int_equal(facts.t_junctions, 1);
    assert_int_equal(facts.nonconvex_face_count, 5);
}

static void a_mesh_of_nothing_has_no_facts_to_fear(void **state)
{
    (void)state;
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    graze_mesh_facts facts = examine_and_destroy(mesh);
    assert_false(facts.closed || facts.convex || facts.solid_mass);
    assert_true(facts.manifold && facts.oriented && facts.flat_faces);
    assert_true(facts.area == 0 && facts.volume == 0 && facts.components == 0);
    double vertices[1][3] = {{7, 7, 7}};
    static const uint32_t corners[3] = {0, 0, 0};
    facts = examine_and_destroy(body_of_triangles(vertices, 1, corners, 1));
    assert_false(facts.closed || facts.convex || facts.solid_mass);
    assert_true(facts.area == 0 && facts.centre_of_mass[1] == 7 && facts.inertia[0] == 0);
    assert_int_equal(facts.components, 1);
}

static void t_junctions_are_found_at_any_scale(void **state)
{
    (void)state;
    static const double scales[5] = {1, 1e300, 1e-300, 5e-324, 0x1p1022};
    for (int s = 0; s < 5; s++)
    {
        /* A large triangle whose long side two small ones share, with a common vertex a third of the way. */
        double vertices[5][3] = {{0, 0, 0}, {3, 3, 0}, {0, 3, 3}, {1, 1, 0}, {3, 0, 0}};
        for (int v = 0; v < 5; v++)
            for (int i = 0; i < 3; i++)
                vertices[v][i] *= scales[s];
        static const uint32_t corners[9] = {0, 1, 2, 0, 4, 3, 3, 4, 1};
        graze_mesh_facts facts = examine_and_destroy(body_of_triangles(vertices, 5, corners, 3));
        assert_int_equal(facts.t_junctions, 1);
        vertices[3][2] = 5e-324; /* the smallest shift */
        facts = examine_and_destroy(body_of_triangles(vertices, 5, corners, 3));
        assert_int_equal(facts.t_junctions, 0);
    }
}

static void tetrahedra_have_the_mass_of_the_closed_forms(void **state)
{
    (void)state;
    static const uint32_t outward[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    static const double scales[5] = {1, 1024, 1e-3, 1e60, 1e-60};
    for (int s = 0; s < 10; s++)
    {
        double a = scales[s / 2], vertices[4][3] = {{0, 0, 0}, {a, 0, 0}, {0, a, 0}, {0, 0, a}};
        uint32_t corners[12];
        for (int c = 0; c < 12; c++) /* inside out every other time */
            corners[c] = s % 2 == 0 ? outward[c] : outward[11 - c];
        graze_mesh_facts facts = examine_and_destroy(body_of_triangles(vertices, 4, corners, 4));
        assert_true(facts.convex && facts.solid_mass && facts.closed);
        assert_close(facts.volume, (s % 2 == 0 ? 1 : -1) * a * a * a / 6);
        assert_close(facts.area, (1.5 + sqrt(0.75)) * a * a);
        for (int i = 0; i < 3; i++)
        {
            assert_close(facts.centre_of_mass[i], a / 4);
            /* The integrals of y^2 + z^2, a^5/30, and of xy, a^5/120, each moved to the centre by a^3/6 (a/4)^2. */
            assert_close(facts.inertia[i], pow(a, 5) * (1.0 / 30 - 2.0 / 96));
            assert_close(facts.inertia[3 + i], -pow(a, 5) * (1.0 / 120 - 1.0 / 96));
        }
    }
}

static void a_thin_plate_far_away_keeps_its_mass(void **state)
{
    (void)state;
    double lower[3] = {1e6, 1e6, 1e6}, upper[3] = {1e6 + 1024, 1e6 + 1024, 1e6 + 0x1p-20};
    graze_mesh_facts facts = examine_and_destroy(body_box(lower, upper));
    assert_true(facts.convex);
    assert_close(facts.volume, 1);
    assert_close(facts.centre_of_mass[0], 1e6 + 512);
    assert_close(facts.inertia[2], 1024.0 * 1024 / 6);
}

static void the_ends_of_the_range_are_no_trouble(void **state)
{
    (void)state;
    double lower[3] = {-1e300, -1e300, -1e300}, upper[3] = {1e300, 1e300, 1e300};
    graze_mesh_facts facts = examine_and_destroy(body_box(lower, upper));
    assert_true(facts.convex && facts.solid_mass && facts.closed);
    assert_true(isfinite(facts.area) && isfinite(facts.volume) && isfinite(facts.inertia[0]) && facts.volume > 1e300);
    assert_true(facts.centre_of_mass[0] == 0);
    for (int i = 0; i < 3; i++)
    {
        lower[i] = 1.7e308;
        upper[i] = -1.7e308;
    }
    facts = examine_and_destroy(body_box(lower, upper)); /* inside out */
    assert_true(facts.convex && facts.solid_mass && facts.volume < -1e300 && facts.inertia[0] > 1e300);
    for (int i = 0; i < 3; i++)
    {
        lower[i] = 1e-300;
        upper[i] = 3e-300;
    }
    facts = examine_and_destroy(body_box(lower, upper));
    assert_true(facts.convex && facts.solid_mass && facts.area == 0);
    assert_close(facts.centre_of_mass[1], 2e-300);
    for (int i = 0; i < 3; i++)
    {
        lower[i] = 5e-324;
        upper[i] = 15e-324;
    }
    lower[0] = 1e308; /* a sliver a long way from the origin along one axis only */
    upper[0] = 1.1e308;
    facts = examine_and_destroy(body_box(lower, upper));
    assert_true(facts.convex && facts.closed);
    assert_close(facts.centre_of_mass[0], 1.05e308);
}

static void a_closed_sheet_without_volume_has_the_mass_of_its_surface(void **state)
{
    (void)state;
    double vertices[3][3] = {{1, 2, 3}, {4, 4, 4}, {7, 5, 9}};
    static const uint32_t corners[6] = {0, 1, 2, 2, 1, 0};
    graze_mesh_facts facts = examine_and_destroy(body_of_triangles(vertices, 3, corners, 2));
    assert_true(facts.closed && facts.oriented);
    assert_false(facts.convex || facts.solid_mass);
    assert_int_equal(facts.duplicates, 1);
    assert_close(facts.centre_of_mass[0], 4);
    assert_close(facts.centre_of_mass[1], 11.0 / 3);
}

/* Polygons of arbitrary finite doubles: all results are finite, and the counts add up. */
static void meshes_of_random_bits_are_examined(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 32);
    for (int round = 0; round < 2000; round++)
    {
        double vertices[30][3];
        uint32_t corners[30], sizes[10];
        size_t count = (size_t)random_between(&random, 3, 30), faces = 0, left = count;
        for (size_t v = 0; v < count; v++)
        {
            for (int i = 0; i < 3; i++)
                vertices[v][i] = random_once_in(&random, 4) ? 0 : random_bits_double(&random);
            corners[v] = (uint32_t)random_below(&random, (int)count);
        }
        while (left > 0)
        {
            size_t size = left < 6 ? left : (size_t)random_between(&random, 3, (int)left - 3);
            sizes[faces++] = (uint32_t)size;
            left -= size;
        }
        graze_mesh_facts facts = examine_and_destroy(body_of_polygons(vertices, count, corners, sizes, faces));
        assert_int_equal(facts.triangles, count - 2 * faces);
        assert_true(isfinite(facts.area) && isfinite(facts.volume) && facts.area >= 0);
        for (int i = 0; i < 3; i++)
            assert_true(isfinite(facts.centre_of_mass[i]) && isfinite(facts.inertia[i]) &&
                        isfinite(facts.inertia[3 + i]));
    }
}

/* A closed surface with convex edges only, around a star of five rays: it winds around twice. */
static void a_star_that_winds_twice_is_not_convex(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
        for (int skip = 1; skip <= 2; skip++)
        {
            double vertices[7][3] = {{0}};
            uint32_t corners[30];
            for (uint32_t i = 0; i < 5; i++)
            {
                double angle = 6.283185307179586 * i / 5;
                vertices[i][(axis + 1) % 3] = cos(angle);
                vertices[i][(axis + 2) % 3] = sin(angle);
                uint32_t next = (i + (uint32_t)skip) % 5;
                const uint32_t pair[6] = {5, i, next, 6, next, i};
                memcpy(corners + 6 * i, pair, sizeof pair);
            }
            vertices[5][axis] = 4;
            vertices[6][axis] = -4;
            graze_mesh_facts facts = examine_and_destroy(body_of_triangles(vertices, 7, corners, 10));
            assert_true(facts.closed && facts.manifold && facts.oriented);
            assert_int_equal(facts.nonmanifold_vertices, 0);
            assert_int_equal(facts.convex, skip == 1);
        }
}

static void convex_shapes_are_convex_and_others_are_not(void **state)
{
    (void)state;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 2, 4, 5, &mesh), GRAZE_STATUS_OK); /* many coplanar triangles */
    assert_true(examine_and_destroy(mesh).convex);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 4, &mesh), GRAZE_STATUS_OK);
    assert_true(examine_and_destroy(mesh).convex);
    assert_int_equal(graze_mesh_create_torus(NULL, 3, 1, 12, 8, &mesh), GRAZE_STATUS_OK);
    graze_mesh_facts facts = examine_and_destroy(mesh);
    assert_true(facts.closed && facts.oriented);
    assert_false(facts.convex);
}

/* Random octahedra over a small grid: convex exactly when no vertex is outside the plane of a triangle. */
static void random_octahedra_are_convex_when_no_vertex_is_outside(void **state)
{
    (void)state;
    static const uint32_t corners[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    test_random random = test_random_start(__func__, 31);
    int convex = 0, flat = 0;
    for (int round = 0; round < 20000; round++)
    {
        static const int centre[6][3] = {{7, 4, 4}, {1, 4, 4}, {4, 7, 4}, {4, 1, 4}, {4, 4, 7}, {4, 4, 1}};
        double vertices[6][3];
        for (int v = 0; v < 6; v++)
            for (int i = 0; i < 3; i++)
                vertices[v][i] = centre[v][i] + random_between(&random, -2, 2);
        bool distinct = true, outside[2] = {false, false}, coplanar = false;
        for (int v = 0; v < 6; v++)
            for (int w = 0; w < v; w++)
                distinct = distinct && memcmp(vertices[v], vertices[w], sizeof vertices[v]) != 0;
        for (int t = 0; t < 8; t++)
        {
            double edge[2][3], normal[3];
            const double *a = vertices[corners[3 * t]];
            for (int i = 0; i < 3; i++)
            {
                edge[0][i] = vertices[corners[3 * t + 1]][i] - a[i];
                edge[1][i] = vertices[corners[3 * t + 2]][i] - a[i];
            }
            for (int i = 0; i < 3; i++)
                normal[i] = edge[0][(i + 1) % 3] * edge[1][(i + 2) % 3] - edge[0][(i + 2) % 3] * edge[1][(i + 1) % 3];
            distinct = distinct && (normal[0] != 0 || normal[1] != 0 || normal[2] != 0);
            int in_plane = 0;
            for (int v = 0; v < 6; v++)
            {
                double height = 0;
                for (int i = 0; i < 3; i++)
                    height += normal[i] * (vertices[v][i] - a[i]);
                outside[0] = outside[0] || height > 0;
                outside[1] = outside[1] || height < 0;
                in_plane += height == 0;
            }
            coplanar = coplanar || in_plane > 3;
        }
        if (!distinct)
            continue;
        bool expected = outside[0] != outside[1];
        graze_mesh_facts facts = examine_and_destroy(body_of_triangles(vertices, 6, corners, 8));
        assert_int_equal(facts.convex, expected);
        convex += expected;
        flat += expected && coplanar;
    }
    print_message("%d convex, %d of them with coplanar triangles\n", convex, flat);
    assert_true(convex > 1000 && flat > 100);
}

static void polygons_are_told_flat_and_convex_exactly(void **state)
{
    (void)state;
    static test_polygon polygon;
    static const struct
    {
        int corners[7][2], count;
        bool convex;
    } cases[] = {
        {{{0, 0}, {4, 0}, {4, 4}, {0, 4}}, 4, true},
        {{{0, 0}, {2, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 4}}, 7, true}, /* straight and repeated corners */
        {{{0, 0}, {4, 0}, {1, 1}, {0, 4}}, 4, false},
        {{{0, 0}, {4, 0}, {6, 0}, {4, 0}, {4, 4}, {0, 4}}, 6, false}, /* a spike */
        {{{2, 0}, {0, 2}, {-2, -1}, {2, -2}, {1, 3}}, 5, false},      /* turns left, but twice around */
        {{{0, 0}, {1, 0}, {2, 0}, {3, 0}}, 4, false},                 /* no area */
        {{{0, 0}, {4, 0}, {4, 4}, {0, 0}, {4, 0}, {4, 4}}, 6, false}, /* twice around */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    {
        polygon_clear(&polygon);
        for (int c = 0; c < cases[k].count; c++)
            polygon_add(&polygon, cases[k].corners[c][0], cases[k].corners[c][1]);
        polygon_end_loop(&polygon);
        for (int way = 0; way < 6; way++)
        {
            polygon_reverse_loop(&polygon, 0);
            graze_mesh_facts facts = examine_and_destroy(polygon_mesh(&polygon, NULL, way - 2, 2, 1, way % 3));
            assert_true(facts.flat_faces);
            assert_int_equal(facts.convex_faces, cases[k].convex);
        }
    }
    double vertices[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 5e-324}};
    static const uint32_t corners[4] = {0, 1, 2, 3}, size = 4;
    graze_mesh_facts facts = examine_and_destroy(body_of_polygons(vertices, 4, corners, &size, 1));
    assert_int_equal(facts.nonflat_face_count, 1);
    assert_int_equal(facts.nonconvex_face_count, 1);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    graze_mesh *mesh = body_box(zero, one);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    size_t allowed = 0;
    for (; status != GRAZE_STATUS_OK; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_mesh_facts facts;
        status = graze_mesh_examine(&context, mesh, NULL, NULL, &facts);
        assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
        assert_int_equal(allocator.live, 0);
    }
    assert_true(allowed > 20);
    graze_topology *topology;
    graze_mesh_facts facts, again = examine(mesh);
    assert_int_equal(graze_topology_create(NULL, mesh, NULL, &topology), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_examine(NULL, mesh, topology, NULL, &facts), GRAZE_STATUS_OK);
    assert_int_equal(facts.edges, again.edges);
    assert_int_equal(graze_mesh_examine(NULL, NULL, topology, NULL, &facts), GRAZE_STATUS_BAD_ARGUMENT);
    graze_mesh *other = body_box(zero, one);
    assert_int_equal(graze_mesh_examine(NULL, other, topology, NULL, &facts), GRAZE_STATUS_BAD_ARGUMENT);
    graze_mesh_destroy(other);
    graze_topology_destroy(topology);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_is_everything_good),
        cmocka_unit_test(an_open_box_is_open),
        cmocka_unit_test(bodies_that_touch_are_told_by_where),
        cmocka_unit_test(a_moebius_strip_cannot_be_oriented),
        cmocka_unit_test(doubled_faces_and_degenerate_ones_are_counted),
        cmocka_unit_test(a_mesh_of_nothing_has_no_facts_to_fear),
        cmocka_unit_test(t_junctions_are_found_at_any_scale),
        cmocka_unit_test(tetrahedra_have_the_mass_of_the_closed_forms),
        cmocka_unit_test(a_thin_plate_far_away_keeps_its_mass),
        cmocka_unit_test(the_ends_of_the_range_are_no_trouble),
        cmocka_unit_test(a_closed_sheet_without_volume_has_the_mass_of_its_surface),
        cmocka_unit_test(meshes_of_random_bits_are_examined),
        cmocka_unit_test(a_star_that_winds_twice_is_not_convex),
        cmocka_unit_test(convex_shapes_are_convex_and_others_are_not),
        cmocka_unit_test(random_octahedra_are_convex_when_no_vertex_is_outside),
        cmocka_unit_test(polygons_are_told_flat_and_convex_exactly),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
