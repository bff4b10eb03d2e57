/* SPDX-License-Identifier: MIT */
/*
 * Contacts of meshes: a box on a plate has four, however both are cut into triangles and wherever it slides; inner
 * edges of flat and hollow regions are silent; edges that cross have one; and the least gap is the distance of the
 * meshes.
 */
#include "graze/contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graze/distance.h"
#include "graze/generate.h"
#include "pair/contact/contact_surface.h"
#include "pair/contact/feature_contacts.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

enum
{
    SEED = 4711,
    MOST = 64
};

static graze_contact_manifold manifolds[MOST];

static graze_mesh *box_mesh(double x, double y, double z, uint32_t segments)
{
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, x, y, z, segments, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static graze_pose turned(const double axis[3], double angle, double x, double y, double z)
{
    graze_pose pose;
    assert_int_equal(graze_pose_from_axis_angle(axis, angle, (double[3]){x, y, z}, &pose), GRAZE_STATUS_OK);
    return pose;
}

static size_t contacts_of(const graze_placed_mesh *a, const graze_placed_mesh *b, double margin, uint32_t most)
{
    graze_contact_options options = graze_contact_options_default();
    options.margin = margin;
    options.most_points = most;
    size_t count = 0;
    assert_int_equal(graze_pair_contacts(NULL, a, b, &options, manifolds, MOST, &count), GRAZE_STATUS_OK);
    assert_true(count <= MOST);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < manifolds[i].count; k++)
        {
            assert_true(margin < 0 || manifolds[i].points[k].gap <= margin * (1 + 1e-12));
            for (uint32_t n = 0; n < k; n++) /* each pair of features counts once */
                assert_true(manifolds[i].points[n].feature != manifolds[i].points[k].feature);
        }
    return count;
}

static const double up[3] = {0, 0, 1};

static void a_box_that_slides_over_a_plate_keeps_its_four_corners(void **state)
{
    (void)state;
    graze_mesh *plate = box_mesh(8, 8, 1, 7), *box = box_mesh(1, 1, 1, 3);
    uint64_t first[4] = {0};
    for (int step = 0; step < 60; step++)
    {
        double gap = step % 3 == 0 ? 0 : step % 3 == 1 ? 0.001 : -0.001;
        graze_placed_mesh a = {plate, NULL, graze_pose_identity()};
        graze_placed_mesh b = {box, NULL, turned(up, 0.1 * step, -2 + 0.06 * step, 0.01 * step, 1 + gap)};
        assert_int_equal(contacts_of(&a, &b, 0.01, 4), 1);
        const graze_contact_manifold *m = &manifolds[0];
        assert_int_equal(m->count, 4);
        assert_true(m->normal[0] == 0 && m->normal[1] == 0 && m->normal[2] == 1);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < 4; i++)
        {
            assert_true(fabs(m->points[i].gap - gap) < 1e-15);
            for (uint32_t k = 0; k < 4; k++)
                kept += step > 0 && m->points[i].feature == first[k];
        }
        for (uint32_t i = 0; i < 4 && step == 0; i++)
            first[i] = m->points[i].feature;
        assert_int_equal(kept, step > 0 ? 4 : 0); /* the same vertices over the same face */

        size_t swapped = contacts_of(&b, &a, 0.01, 4);
        assert_int_equal(swapped, 1);
        assert_true(manifolds[0].normal[2] == -1 && manifolds[0].count == 4);
        assert_true(fabs(manifolds[0].points[0].gap - gap) < 1e-15);
    }
    graze_mesh_destroy(plate);
    graze_mesh_destroy(box);
}

static void a_ball_that_rolls_over_a_plate_feels_no_inner_edge(void **state)
{
    (void)state;
    graze_mesh *plate = box_mesh(8, 8, 1, 16), *ball;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.5, 4, &ball), GRAZE_STATUS_OK);
    size_t with_contact = 0;
    for (int step = 0; step < 200; step++)
    {
        graze_placed_mesh a = {plate, NULL, graze_pose_identity()};
        graze_placed_mesh b = {ball, NULL, turned((double[3]){0, 1, 0.1}, 0.037 * step, -2 + 0.02 * step, 0.3, 1.002)};
        size_t count = contacts_of(&a, &b, 0.02, 8);
        assert_true(count <= 1);
        with_contact += count;
        for (size_t i = 0; i < count; i++)
            assert_true(manifolds[i].normal[2] == 1);
    }
    assert_true(with_contact > 150);
    graze_mesh_destroy(plate);
    graze_mesh_destroy(ball);
}

static void edges_that_cross_have_one_contact(void **state)
{
    (void)state;
    graze_mesh *low = box_mesh(4, 1, 1, 1), *high = box_mesh(1, 4, 1, 1);
    double root = sqrt(0.5);
    graze_placed_mesh a = {low, NULL, turned((double[3]){1, 0, 0}, atan(1), 0, 0, 0)};
    graze_placed_mesh b = {high, NULL, turned((double[3]){0, 1, 0}, atan(1), 0, 0, 2 * root + 0.005)};
    assert_int_equal(contacts_of(&a, &b, 0.01, 4), 1);
    assert_int_equal(manifolds[0].count, 1);
    assert_true(fabs(manifolds[0].normal[2] - 1) < 1e-15 && fabs(manifolds[0].points[0].gap - 0.005) < 1e-14);
    assert_true(manifolds[0].points[0].feature >> 62 == 1 && (manifolds[0].points[0].feature >> 30 & 3) == 1);
    b.pose.m[11] -= 0.01;
    assert_int_equal(contacts_of(&a, &b, 0.01, 4), 1);
    assert_true(fabs(manifolds[0].points[0].gap + 0.005) < 1e-14 && manifolds[0].normal[2] > 0);
    /* Whichever is above, and however edges are wound. */
    for (int i = 0; i < 16; i++)
    {
        graze_placed_mesh x = {i % 2 == 0 ? low : high, NULL, a.pose}, y = {i % 2 == 0 ? high : low, NULL, b.pose};
        x.pose =
            turned(i % 2 == 0 ? (double[3]){1, 0, 0} : (double[3]){0, 1, 0}, atan(i / 4 % 2 == 0 ? 1 : -1), 0, 0, 0);
        y.pose = turned(i % 2 == 0 ? (double[3]){0, 1, 0} : (double[3]){1, 0, 0}, atan(i / 8 == 0 ? 1 : -1), 0.125,
                        0.25, (i / 2 % 2 == 0 ? 1 : -1) * (2 * root + 0.005));
        assert_int_equal(contacts_of(&x, &y, 0.01, 4), 1);
        assert_true(manifolds[0].count == 1 && fabs(manifolds[0].points[0].gap - 0.005) < 1e-14);
        assert_true(fabs(manifolds[0].normal[2] - (i / 2 % 2 == 0 ? 1 : -1)) < 1e-15);
    }
    graze_mesh_destroy(low);
    graze_mesh_destroy(high);
}

static graze_mesh *triangle_mesh(const double vertices[3][3])
{
    static const uint32_t corners[3] = {0, 1, 2};
    graze_mesh *mesh;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* Borders of single triangles, one over the other, wound either way. */
static void borders_that_cross_have_one_contact(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++)
    {
        double low[3][3] = {{-1, 0, 0}, {1, 0, 0}, {0, 0.1, -2}}, high[3][3] = {{0, -1, 0}, {0, 1, 0}, {0.1, 0, 2}};
        if (i % 2 == 1)
        {
            low[0][0] = 1;
            low[1][0] = -1;
        }
        if (i / 2 % 2 == 1)
        {
            high[0][1] = 1;
            high[1][1] = -1;
        }
        graze_mesh *below = triangle_mesh((const double(*)[3])low), *above = triangle_mesh((const double(*)[3])high);
        graze_placed_mesh a = {below, NULL, graze_pose_identity()};
        graze_placed_mesh b = {above, NULL, graze_pose_translation(0.125, 0.25, 0.005)};
        assert_int_equal(contacts_of(i / 4 == 0 ? &a : &b, i / 4 == 0 ? &b : &a, 0.01, 4), 1);
        assert_true(manifolds[0].count == 1 && fabs(manifolds[0].points[0].gap - 0.005) < 1e-14);
        assert_true(fabs(manifolds[0].normal[2] - (i / 4 == 0 ? 1 : -1)) < 1e-12);
        graze_mesh_destroy(below);
        graze_mesh_destroy(above);
    }
}

/* Two triangles that are nearly parallel: at one end they are within the margin, at the other they are not. */
static void corners_beyond_the_margin_have_no_contact(void **state)
{
    (void)state;
    const double low[3][3] = {{0, 0, 0}, {4, 0, 0}, {2, 0, -3}}, high[3][3] = {{0, 0, 0.005}, {4, 0, 0.15}, {2, 0, 4}};
    graze_mesh *below = triangle_mesh(low), *above = triangle_mesh(high);
    graze_placed_mesh a = {below, NULL, graze_pose_identity()}, b = {above, NULL, graze_pose_identity()};
    assert_int_equal(contacts_of(&a, &b, 0.01, 4), 1);
    assert_true(manifolds[0].count == 1 && fabs(manifolds[0].points[0].gap - 0.005) < 1e-5);
    assert_int_equal(contacts_of(&a, &b, 0.2, 4), 1);
    assert_true(manifolds[0].count > 1);
    graze_mesh_destroy(below);
    graze_mesh_destroy(above);
}

/* Meshes of many kinds, moved to within the margin of one another along the line of their closest points. */
static void the_least_gap_is_the_distance(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    printf("seed %d\n", SEED);
    graze_mesh *meshes[5];
    meshes[0] = box_mesh(1, 2, 0.5, 2);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 24, 12, &meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_gear(NULL, 9, 0.2, 0.4, 0.2, 0, &meshes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_tetraflake(NULL, 1.5, 2, &meshes[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.3, 5, 3, &meshes[4]), GRAZE_STATUS_OK);
    graze_tree *trees[5];
    graze_contact_surface *surfaces[5];
    for (int i = 0; i < 5; i++)
    {
        assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_contact_surface_create(NULL, meshes[i], NULL, &surfaces[i]), GRAZE_STATUS_OK);
    }
    size_t compared = 0, kinds[3] = {0};
    for (int round = 0; round < 300; round++)
    {
        int i = round % 5, k = round / 5 % 5;
        double axis[3];
        graze_placed_mesh placed[2] = {{meshes[i], trees[i], graze_pose_identity()}, {meshes[k], trees[k], {{0}}}};
        for (int n = 0; n < 3; n++)
            axis[n] = grz_random_between(&random, -1, 1);
        placed[1].pose = turned(axis, grz_random_between(&random, 0, 6), 4 * axis[1], 4 * axis[2], 4 * axis[0]);
        graze_distance distance;
        assert_int_equal(graze_pair_distance(NULL, &placed[0], &placed[1], NULL, &distance), GRAZE_STATUS_OK);
        if (!(distance.distance > 0.1))
            continue;
        for (int n = 0; n < 3; n++) /* leaves about 0.01 */
            placed[1].pose.m[4 * n + 3] += (distance.point_a[n] - distance.point_b[n]) * (1 - 0.01 / distance.distance);
        assert_int_equal(graze_pair_distance(NULL, &placed[0], &placed[1], NULL, &distance), GRAZE_STATUS_OK);
        graze_contact_options options = graze_contact_options_default();
        options.margin = 0.02;
        options.surface_a = surfaces[i];
        options.surface_b = surfaces[k];
        size_t count = 0;
        assert_int_equal(graze_pair_contacts(NULL, &placed[0], &placed[1], &options, manifolds, MOST, &count),
                         GRAZE_STATUS_OK);
        assert_true(count > 0);
        assert_true(fabs(manifolds[0].points[0].gap - distance.distance) < 1e-10);
        for (size_t n = 0; n < count; n++)
            for (uint32_t m = 0; m < manifolds[n].count; m++)
                assert_true(manifolds[n].points[m].gap <= options.margin);
        compared++;
        uint64_t feature = manifolds[0].points[0].feature;
        kinds[(feature >> 62) + (feature >> 30 & 3)]++;
    }
    printf("%zu compared; %zu vertices with vertices, %zu vertex and edge, %zu others\n", compared, kinds[0], kinds[1],
           kinds[2]);
    assert_true(compared > 150 && kinds[0] > 20 && kinds[1] > 20 && kinds[2] > 20);
    for (int i = 0; i < 5; i++)
    {
        graze_contact_surface_destroy(surfaces[i]);
        graze_tree_destroy(trees[i]);
        graze_mesh_destroy(meshes[i]);
    }
}

static void edges_have_the_kinds_they_look_like(void **state)
{
    (void)state;
    /* A step: two treads and a riser; a fin folded onto the lower tread. */
    static const double vertices[][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},    {1, 0, 1},
                                         {1, 1, 1}, {2, 0, 1}, {2, 1, 1}, {0.5, 0.5, 0}};
    static const uint32_t corners[] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2, 4, 6, 7, 4, 7, 5, 0, 3, 8, 8, 8, 1};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 9;
    def.corners = corners;
    def.corner_count = sizeof corners / sizeof *corners;
    graze_mesh *mesh;
    graze_contact_surface *s;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_contact_surface_create(NULL, mesh, NULL, &s), GRAZE_STATUS_OK);
    assert_int_equal(s->edges[0], GRZ_EDGE_BORDER);  /* 0 1 */
    assert_int_equal(s->edges[1], GRZ_EDGE_CONCAVE); /* 1 2: tread and riser; wound the other way round */
    assert_int_equal(s->edges[2], GRZ_EDGE_FLAT);    /* 2 0 */
    assert_int_equal(s->edges[5], GRZ_EDGE_CONVEX);  /* 3 0: folded */
    assert_int_equal(s->edges[7], GRZ_EDGE_CONVEX);  /* 4 5: riser and upper tread */
    assert_int_equal(s->edges[21], GRZ_EDGE_NONE);   /* equal corners */
    assert_int_equal(s->faces[0], s->faces[1]);
    assert_int_equal(s->faces[2], s->faces[3]);
    assert_int_not_equal(s->faces[0], s->faces[2]);
    graze_contact_surface_destroy(s);
    graze_mesh_destroy(mesh);
}

/* The sides of a box that is cut into many triangles: six faces, each with triangles of one direction. */
static void faces_of_a_box_are_its_sides(void **state)
{
    (void)state;
    graze_mesh *box = box_mesh(1, 2, 3, 3);
    graze_contact_surface *s;
    assert_int_equal(graze_contact_surface_create(NULL, box, NULL, &s), GRAZE_STATUS_OK);
    size_t faces = 0, count = graze_mesh_triangle_count(box);
    for (uint32_t t = 0; t < count; t++)
    {
        faces += s->faces[t] == t;
        const double *corners[6];
        for (size_t c = 0; c < 6; c++)
            corners[c] = graze_mesh_vertices(box) +
                         3 * (size_t)graze_mesh_triangles(box)[3 * (size_t)(c < 3 ? t : s->faces[t]) + c % 3];
        bool same = false; /* all six corners have one coordinate in common */
        for (int k = 0; k < 3; k++)
        {
            bool equal = true;
            for (size_t c = 1; c < 6; c++)
                equal = equal && corners[c][k] == corners[0][k];
            same = same || equal;
        }
        assert_true(same);
    }
    assert_int_equal(faces, 6);
    graze_contact_surface_destroy(s);
    graze_mesh_destroy(box);
}

static void any_allocation_of_a_surface_may_fail(void **state)
{
    (void)state;
    graze_mesh *box = box_mesh(1, 2, 3, 2);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    size_t allowed = 0;
    for (; status != GRAZE_STATUS_OK; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed, .once = true};
        graze_context context = failing_allocator_context(&allocator);
        graze_contact_surface *s = NULL;
        status = graze_contact_surface_create(&context, box, NULL, &s);
        assert_int_equal(status == GRAZE_STATUS_OK, allocator.requests <= allowed);
        graze_contact_surface_destroy(s);
        assert_int_equal(allocator.live, 0);
    }
    assert_true(allowed > 6);
    graze_mesh_destroy(box);
}

/* Triangles with two equal corners have no edges, whichever two; one without area is part of the face beside it. */
static void triangles_without_area_make_no_contacts(void **state)
{
    (void)state;
    static const double vertices[][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {1, 0, 0}};
    static const uint32_t corners[] = {0, 1, 2, 0, 2, 3, 1, 1, 2, 1, 2, 2, 1, 2, 1, 1, 0, 4};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 5;
    def.corners = corners;
    def.corner_count = sizeof corners / sizeof *corners;
    graze_mesh *mesh;
    graze_contact_surface *s;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_contact_surface_create(NULL, mesh, NULL, &s), GRAZE_STATUS_OK);
    for (int h = 6; h < 15; h++)
        assert_int_equal(s->edges[h], GRZ_EDGE_NONE);
    assert_int_equal(s->edges[2], GRZ_EDGE_FLAT); /* 2 0 */
    assert_int_equal(s->edges[0], GRZ_EDGE_FLAT); /* 0 1, with the triangle 1 0 4 */
    assert_int_equal(s->edges[15], GRZ_EDGE_FLAT);
    assert_int_equal(s->faces[0], s->faces[5]);
    graze_contact_surface_destroy(s);
    graze_mesh_destroy(mesh);
}

/* A mesh of segments and points: all of them make contacts. */
static void segments_are_borders(void **state)
{
    (void)state;
    static const double vertices[][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {1, 0, 5}};
    static const uint32_t corners[] = {0, 1, 1, 2, 3, 3, 4, 4, 4};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 5;
    def.corners = corners;
    def.corner_count = sizeof corners / sizeof *corners;
    graze_mesh *mesh;
    graze_contact_surface *s;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_contact_surface_create(NULL, mesh, NULL, &s), GRAZE_STATUS_OK);
    int borders = 0;
    for (int h = 0; h < 9; h++)
        borders += s->edges[h] == GRZ_EDGE_BORDER;
    assert_int_equal(borders, 2);
    for (size_t v = 0; v < s->adjacency.vertex_count; v++)
        assert_true(s->sharp[v]);
    graze_contact_surface_destroy(s);
    graze_mesh_destroy(mesh);
}

/* The usual margin is a 200th of the size of the smaller mesh, as placed. */
static void the_usual_margin_depends_on_the_smaller_mesh(void **state)
{
    (void)state;
    graze_mesh *plate = box_mesh(8, 8, 1, 1), *box = box_mesh(1, 1, 2, 1);
    for (int i = 0; i < 4; i++)
    {
        double scale = i / 2 == 0 ? 1 : 3, gap = scale * (i % 2 == 0 ? 2 / 220.0 : 2 / 180.0);
        graze_placed_mesh a = {plate, NULL, graze_pose_identity()}, b = {box, NULL, graze_pose_identity()};
        for (int k = 0; k < 3; k++)
            b.pose.m[5 * k] = scale;
        b.pose.m[11] = 0.5 + scale + gap;
        assert_int_equal(contacts_of(&a, &b, -1, 4), i % 2 == 0 ? 1 : 0);
        assert_int_equal(contacts_of(&b, &a, -1, 4), i % 2 == 0 ? 1 : 0);
        assert_int_equal(contacts_of(&a, &b, 0, 4), 0); /* a margin of 0 is one */
        b.pose.m[11] -= gap;
        assert_int_equal(contacts_of(&a, &b, 0, 4), 1);
    }
    graze_mesh_destroy(plate);
    graze_mesh_destroy(box);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    graze_mesh *mesh = box_mesh(1, 1, 1, 1), *other = box_mesh(1, 1, 1, 1);
    graze_contact_surface *surface;
    assert_int_equal(graze_contact_surface_create(NULL, other, NULL, &surface), GRAZE_STATUS_OK);
    graze_placed_mesh a = {mesh, NULL, graze_pose_identity()}, b = {mesh, NULL, graze_pose_translation(1, 0, 0)};
    size_t count = 77;
    graze_contact_options options = graze_contact_options_default();
    options.most_points = 9;
    assert_int_equal(graze_pair_contacts(NULL, &a, &a, &options, NULL, 0, &count), GRAZE_STATUS_BAD_ARGUMENT);
    options.most_points = 4;
    options.margin = NAN;
    assert_int_equal(graze_pair_contacts(NULL, &a, &a, &options, NULL, 0, &count), GRAZE_STATUS_BAD_ARGUMENT);
    options.margin = 0.1;
    options.surface_b = surface;
    assert_int_equal(graze_pair_contacts(NULL, &a, &a, &options, NULL, 0, &count), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(count, 77);
    options.surface_b = NULL;
    assert_int_equal(graze_pair_contacts(NULL, &a, &b, &options, NULL, 1, &count), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_contacts(NULL, &a, &b, &options, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(graze_pair_contacts(NULL, &a, &a, &options, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 0); /* they overlap by more than the margin */
    graze_contact_surface_destroy(surface);
    graze_mesh_destroy(mesh);
    graze_mesh_destroy(other);
}

/* Closest points with a small gap give the normal of a face with an error; the face counts, not its flat vertices. */
static void a_face_supports_directions_that_are_nearly_its_normal(void **state)
{
    (void)state;
    graze_mesh *box = box_mesh(2, 2, 2, 6);
    graze_contact_surface *s;
    assert_int_equal(graze_contact_surface_create(NULL, box, NULL, &s), GRAZE_STATUS_OK);
    graze_pose pose = graze_pose_identity();
    grz_contact_side side = grz_contact_side_make(s, &pose);
    int inner = 0;
    for (uint32_t t = 0; t < graze_mesh_triangle_count(box); t++)
    {
        const uint32_t *corners = graze_mesh_triangles(box) + 3 * (size_t)t;
        v3 middle = v3_make(0, 0, 0);
        bool is_inner = true;
        for (int k = 0; k < 3; k++)
        {
            v3 corner = v3_load(graze_mesh_vertices(box) + 3 * (size_t)corners[k]);
            is_inner = is_inner && corner.z == 1 && fabs(corner.x) < 0.9 && fabs(corner.y) < 0.9;
            middle = v3_add(middle, v3_scale(1 / 3.0, corner));
        }
        if (!is_inner)
            continue;
        inner++;
        for (int k = 0; k < 3; k++)
            assert_true(grz_contact_feature_supports(&side, t, middle, v3_make(k * 1e-5, 1e-5 - k * 1e-5, 1)));
    }
    assert_int_equal(inner, 2 * 4 * 4);
    graze_contact_surface_destroy(s);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_that_slides_over_a_plate_keeps_its_four_corners),
        cmocka_unit_test(a_ball_that_rolls_over_a_plate_feels_no_inner_edge),
        cmocka_unit_test(edges_that_cross_have_one_contact),
        cmocka_unit_test(borders_that_cross_have_one_contact),
        cmocka_unit_test(corners_beyond_the_margin_have_no_contact),
        cmocka_unit_test(the_least_gap_is_the_distance),
        cmocka_unit_test(edges_have_the_kinds_they_look_like),
        cmocka_unit_test(faces_of_a_box_are_its_sides),
        cmocka_unit_test(any_allocation_of_a_surface_may_fail),
        cmocka_unit_test(triangles_without_area_make_no_contacts),
        cmocka_unit_test(segments_are_borders),
        cmocka_unit_test(the_usual_margin_depends_on_the_smaller_mesh),
        cmocka_unit_test(a_face_supports_directions_that_are_nearly_its_normal),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
