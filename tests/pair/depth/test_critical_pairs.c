/* SPDX-License-Identifier: MIT */
/*
 * Boxes said to hold no local maximum of the depth in a body, against hill climbing from points in them: thin and thick
 * bodies, bodies that meet themselves, inside out, with sharp and reflex edges. Normals said to agree with a direction,
 * against those of all triangles.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "pair/depth/critical_pairs.h"
#include "pair/depth/normal_cones.h"
#include "pair/depth/surface_pieces.h"
#include "pair/distance/triangle_distance.h"
#include "support/bodies.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 2207,
    BODIES = 12,
    TETRAHEDRA = 12
};

/* Two boxes in one mesh; turned over: with all triangles the other way round. */
static graze_mesh *two_boxes(const double first[6], const double second[6], bool turned_over)
{
    double vertices[16][3];
    uint32_t corners[48], sizes[12];
    body_box_vertices(vertices, first, first + 3);
    body_box_vertices(vertices + 8, second, second + 3);
    for (uint32_t face = 0; face < 12; face++)
    {
        sizes[face] = 4;
        for (uint32_t k = 0; k < 4; k++)
            corners[4 * face + (turned_over ? 3 - k : k)] = body_box_corners[4 * (face % 6) + k] + (face < 6 ? 0 : 8);
    }
    return body_of_polygons(vertices, 16, corners, sizes, 12);
}

/* Tetrahedra that meet one another in one mesh, of either orientation: winding numbers of both signs. */
static graze_mesh *soup_of_tetrahedra(grz_random *random)
{
    static const uint32_t faces[12] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    double vertices[4 * TETRAHEDRA][3];
    uint32_t corners[12 * TETRAHEDRA];
    for (uint32_t i = 0; i < TETRAHEDRA; i++)
    {
        double at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = grz_random_between(random, -0.5, 0.5);
        for (uint32_t k = 0; k < 12; k++)
        {
            vertices[4 * i + k / 3][k % 3] = at[k % 3] + grz_random_between(random, -1, 1);
            corners[12 * i + k] = 4 * i + faces[k];
        }
    }
    return body_of_triangles(vertices, (size_t)4 * TETRAHEDRA, corners, (size_t)4 * TETRAHEDRA);
}

static graze_mesh *make_body(grz_random *random, int which)
{
    const double one[6] = {0, 0, 0, 1, 1.25, 0.75}, across[6] = {0.5, 0.25, 0.125, 2, 1, 0.5};
    const double outer[6] = {0, 0, 0, 3, 2, 4}, inner[6] = {0.25, 0.25, 0.25, 2.75, 1.75, 3.75};
    graze_mesh *mesh = NULL;
    switch (which)
    {
    case 0:
        return two_boxes(one, across, false);
    case 1:
        return two_boxes(outer, inner, false);
    case 2:
        return two_boxes(one, across, true);
    case 3:
        return two_boxes(outer, inner, true);
    case 4:
        graze_mesh_create_box(NULL, 2, 1.5, 0.3, 3, &mesh);
        break;
    case 5:
        graze_mesh_create_torus(NULL, 1, 0.3, 16, 12, &mesh);
        break;
    case 6:
        graze_mesh_create_gear(NULL, 8, 0.2, 0.6, 0.5, 0.02, &mesh);
        break;
    case 7:
        graze_mesh_create_hyperboloid(NULL, 0.3, 0.6, 1.6, 16, 8, &mesh);
        break;
    case 8:
        graze_mesh_create_geodesic_sphere(NULL, 0.8, 3, &mesh);
        break;
    case 9:
        graze_mesh_create_cylinder(NULL, 0.5, 1.5, 16, 6, &mesh);
        break;
    default:
        return soup_of_tetrahedra(random);
    }
    return mesh;
}

typedef struct scene
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_placed_mesh placed;
    grz_body_pair pair;
    grz_deepest_search search;
} scene;

/* Side 0 is a body, side 1 a box around it: all points of the body are common. */
static void make_scene_of(scene *c, graze_mesh *mesh, graze_pose pose, const graze_placed_mesh *around)
{
    memset(c, 0, sizeof *c);
    c->mesh = mesh;
    assert_non_null(c->mesh);
    assert_int_equal(graze_tree_create(NULL, c->mesh, NULL, NULL, &c->tree), GRAZE_STATUS_OK);
    c->placed = (graze_placed_mesh){c->mesh, c->tree, pose};
    const graze_placed_mesh *placed[2] = {&c->placed, around};
    c->search.pair = &c->pair;
    c->search.space.reach =
        4 * fmax(grz_coordinate_bound(c->mesh, &c->placed.pose), grz_coordinate_bound(around->mesh, &around->pose));
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(grz_placed_body_make(NULL, placed[i], NULL, NULL, &c->pair.sides[i]), GRAZE_STATUS_OK);
        c->search.space.surfaces[i] = grz_surface_make(&c->pair.sides[i], c->search.space.reach, NULL);
        assert_true(grz_surface_make_cones(NULL, &c->search.space.surfaces[i]));
    }
}

static void make_scene(scene *c, grz_random *random, int which, const graze_placed_mesh *around)
{
    graze_mesh *mesh = make_body(random, which);
    make_scene_of(c, mesh, random != NULL ? placed_pose(random, 1) : graze_pose_identity(), around);
}

static void release_scene(scene *c)
{
    for (int i = 0; i < 2; i++)
        grz_surface_release(NULL, &c->search.space.surfaces[i]);
    grz_body_pair_release(&c->pair);
    graze_tree_destroy(c->tree);
    graze_mesh_destroy(c->mesh);
}

static double distance_of(const scene *c, const double point[3])
{
    grz_nearest_triangle nearest;
    grz_find_nearest_triangle(&c->search.space.surfaces[0], point, 0, UINT32_MAX, &nearest);
    return nearest.lower;
}

static bool is_inside(const scene *c, const double point[3])
{
    grz_body_view view = grz_placed_body_view(&c->pair.sides[0]);
    return grz_locate_point(&view, point, NULL) == GRAZE_LOCATION_INSIDE;
}

static bool is_in_box(const grz_common_box *box, const double x[3], double margin)
{
    bool in_box = true;
    for (int axis = 0; axis < 3; axis++)
    {
        double along = v3_dot(box->axes[axis], v3_load(x));
        in_box = in_box && along > box->extents[axis].lower + margin && along < box->extents[axis].upper - margin;
    }
    return in_box;
}

/* Climbs from a point to where no step increases the distance. In the body; outside there would be no end. */
static void climb(grz_random *random, const scene *c, double x[3])
{
    double height = distance_of(c, x), step = 0.05;
    for (int failures = 0; step > 1e-5;)
    {
        double next[3];
        for (int axis = 0; axis < 3; axis++)
            next[axis] = x[axis] + step * grz_random_between(random, -1, 1);
        double there = distance_of(c, next);
        if (there > height && is_inside(c, next))
        {
            memcpy(x, next, sizeof next);
            height = there;
            failures = 0;
        }
        else if (++failures > 40)
        {
            step *= 0.5;
            failures = 0;
        }
    }
}

static grz_common_box random_box(grz_random *random, const scene *c, double size)
{
    graze_box bounds = graze_mesh_bounds(c->mesh);
    double local[3], at[3], axis[3];
    for (int k = 0; k < 3; k++)
    {
        local[k] = grz_random_between(random, bounds.lower[k], bounds.upper[k]);
        axis[k] = grz_random_between(random, -1, 1);
    }
    graze_pose_apply(&c->placed.pose, local, at);
    graze_pose turned = graze_pose_identity();
    const double origin[3] = {0, 0, 0};
    assert_int_equal(graze_pose_from_axis_angle(axis, grz_random_between(random, 0, 6), origin, &turned),
                     GRAZE_STATUS_OK);
    grz_common_box box;
    for (int k = 0; k < 3; k++)
    {
        box.axes[k] = v3_load(turned.m + 4 * (size_t)k);
        double middle = v3_dot(box.axes[k], v3_load(at)), half = size * grz_random_between(random, 0.2, 1);
        box.extents[k] = (interval){middle - half, middle + half};
    }
    return box;
}

static void climbing_finds_no_maximum_where_there_is_none(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, 100, 100, 100, 1, &mesh), GRAZE_STATUS_OK);
    const graze_placed_mesh around = {mesh, NULL, graze_pose_identity()};
    size_t none[BODIES] = {0}, some = 0, climbs = 0, ends = 0;
    static scene c;
    for (int round = 0; round < 600; round++)
    {
        make_scene(&c, &random, round % BODIES, &around);
        grz_common_box box = random_box(&random, &c, grz_random_between(&random, 0.02, 0.5));
        double least = grz_random_between(&random, 0.01, 0.3), most = least * grz_random_between(&random, 1.02, 2.5);
        bool no_pair = grz_has_no_critical_pair(&c.search, 0, &box, least, most);
        none[round % BODIES] += no_pair;
        some += !no_pair;
        for (int k = 0; k < 4 && no_pair; k++)
        {
            v3 sum = v3_make(0, 0, 0);
            for (int axis = 0; axis < 3; axis++)
                sum =
                    v3_add(sum, v3_scale(grz_random_between(&random, box.extents[axis].lower, box.extents[axis].upper),
                                         box.axes[axis]));
            double x[3];
            v3_store(sum, x);
            if (!is_inside(&c, x))
                continue;
            climb(&random, &c, x);
            climbs++;
            double depth = distance_of(&c, x);
            ends += is_in_box(&box, x, 1e-3);
            bool wrong = is_inside(&c, x) && depth > least * 1.001 && depth < most * 0.999 && is_in_box(&box, x, 1e-3);
            if (wrong)
                printf("round %d: a maximum of %g in (%g, %g]\n", round, depth, least, most);
            assert_false(wrong);
        }
        release_scene(&c);
    }
    size_t sum = 0;
    for (int i = 0; i < BODIES; i++)
    {
        printf("%zu%s", none[i], i + 1 < BODIES ? ", " : " boxes without a maximum, ");
        sum += none[i];
    }
    printf("%zu others, %zu climbs, %zu of which end in the box\n", some, climbs, ends);
    assert_true(sum > 150 && some > 50 && climbs > 100 && ends > 5);
    for (int i = 4; i < 10; i++)
        assert_true(none[i] > 5);
    graze_mesh_destroy(mesh);
}

/* A plate has its local maxima in the middle, at half its thickness: exactly there, and not elsewhere. */
static void the_middle_of_a_plate_is_found(void **state)
{
    (void)state;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, 100, 100, 100, 1, &mesh), GRAZE_STATUS_OK);
    const graze_placed_mesh around = {mesh, NULL, graze_pose_identity()};
    static scene c;
    make_scene(&c, NULL, 4, &around);
    grz_common_box box = {{v3_make(1, 0, 0), v3_make(0, 1, 0), v3_make(0, 0, 1)}, {{-9, 9}, {-9, 9}, {-9, 9}}};
    assert_false(grz_has_no_critical_pair(&c.search, 0, &box, 0.149, 0.151));
    assert_false(grz_has_no_critical_pair(&c.search, 0, &box, 0.1, 0.15000001));
    assert_true(grz_has_no_critical_pair(&c.search, 0, &box, 0.155, 0.2));
    assert_true(grz_has_no_critical_pair(&c.search, 0, &box, 0.12, 0.145));
    release_scene(&c);
    graze_mesh_destroy(mesh);
}

/* The search takes a side for settled just where that is shown. */
static void sides_are_settled_where_there_is_no_maximum(void **state)
{
    (void)state;
    static const double depths[4][2] = {{0.149, 0.151}, {0.1, 0.15000001}, {0.155, 0.2}, {0.12, 0.145}};
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, 100, 100, 100, 1, &mesh), GRAZE_STATUS_OK);
    const graze_placed_mesh around = {mesh, NULL, graze_pose_identity()};
    static scene c;
    for (int i = -1; i < 4; i++)
    {
        make_scene(&c, NULL, 4, &around);
        c.search.common =
            (grz_common_box){{v3_make(1, 0, 0), v3_make(0, 1, 0), v3_make(0, 0, 1)}, {{-9, 9}, {-9, 9}, {-9, 9}}};
        c.search.best.depth = i >= 0 ? depths[i][0] : 0; /* without a deep point there is no target */
        c.search.best.way.length = i >= 0 ? depths[i][1] : 0.145;
        grz_deepest_settle_by_pairs(&c.search);
        assert_int_equal(c.search.status, GRAZE_STATUS_OK);
        assert_int_equal(c.search.settled[0], i > 1);
        assert_true(c.search.pruned == (i > 1 ? depths[i][0] : 0));
        release_scene(&c);
    }
    graze_mesh_destroy(mesh);
}

enum
{
    FACETS = 10 /* of the fine side of a plate, along each edge */
};

/* A plate, 2 by 2 by 0.3, with many small triangles on one side and two large ones on the other. */
static graze_mesh *uneven_plate(bool turned_over)
{
    enum
    {
        ROW = FACETS + 1,
        TOP = ROW * ROW
    };
    static double vertices[TOP + 4][3];
    static uint32_t corners[4 * FACETS * FACETS + 4 * (ROW + 2) + 4], sizes[FACETS * FACETS + 5];
    uint32_t used = 0, faces = 0;
    for (uint32_t i = 0; i < TOP; i++)
    {
        const double at[3] = {-1 + 2.0 / FACETS * (i % ROW), -1 + 2.0 / FACETS * (i / ROW), 0.15};
        memcpy(vertices[i], at, sizeof at);
    }
    for (uint32_t i = 0; i < 4; i++)
    {
        const double at[3] = {i == 1 || i == 2 ? 1 : -1, i < 2 ? -1 : 1, -0.15};
        memcpy(vertices[TOP + i], at, sizeof at);
    }
    for (uint32_t i = 0; i < FACETS * FACETS; i++, sizes[faces++] = 4)
    {
        uint32_t first = i / FACETS * ROW + i % FACETS;
        const uint32_t quad[4] = {first, first + 1, first + ROW + 1, first + ROW};
        memcpy(corners + used, quad, sizeof quad);
        used += 4;
    }
    for (uint32_t side = 0; side < 4; side++, sizes[faces++] = ROW + 2)
    {
        static const uint32_t starts[4] = {0, FACETS, TOP - 1, TOP - ROW};
        static const int steps[4] = {1, ROW, -1, -ROW};
        corners[used++] = TOP + side;
        corners[used++] = TOP + (side + 1) % 4;
        for (int k = FACETS; k >= 0; k--)
            corners[used++] = (uint32_t)((int)starts[side] + k * steps[side]);
    }
    for (uint32_t i = 0; i < 4; i++)
        corners[used++] = TOP + 3 - i;
    sizes[faces++] = 4;
    for (uint32_t face = 0, first = 0; face < faces && turned_over; first += sizes[face++])
        for (uint32_t k = 0; k < sizes[face] / 2; k++)
        {
            uint32_t kept = corners[first + k];
            corners[first + k] = corners[first + sizes[face] - 1 - k];
            corners[first + sizes[face] - 1 - k] = kept;
        }
    return body_of_polygons(vertices, TOP + 4, corners, sizes, faces);
}

/* Common points are few, in the middle of a plate: their place follows from the smaller of two triangles, inside out as
   well, whichever comes first, and also where depths from far less to far more than half the thickness are asked for.
 */
static void the_middle_of_uneven_plates_is_found(void **state)
{
    (void)state;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, 100, 100, 100, 1, &mesh), GRAZE_STATUS_OK);
    const graze_placed_mesh around = {mesh, NULL, graze_pose_identity()};
    static scene c;
    static const double depths[4][2] = {{0.1499, 0.1501}, {0.01, 0.15000001}, {0.01, 2}, {0.1499, 2}};
    static const double places[3][2] = {{0.31, 0.22}, {-0.73, 0.61}, {0.05, -0.02}};
    int none = 0;
    for (int kind = 0; kind < 16; kind++)
    {
        graze_pose pose = graze_pose_identity();
        pose.m[0] = (kind & 1) != 0 ? -1 : 1;
        pose.m[10] = (kind & 2) != 0 ? -1 : 1;
        graze_mesh *plate = uneven_plate((kind & 4) != 0);
        if ((kind & 8) != 0)
        {
            graze_mesh_destroy(plate);
            assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 0.3, 20, &plate), GRAZE_STATUS_OK);
        }
        make_scene_of(&c, plate, pose, &around);
        for (int k = 0; k < 12; k++)
        {
            const double *place = places[k / 4], *asked = depths[k % 4];
            grz_common_box box = {
                {v3_make(1, 0, 0), v3_make(0, 1, 0), v3_make(0, 0, 1)},
                {{place[0] - 0.02, place[0] + 0.02}, {place[1] - 0.02, place[1] + 0.02}, {-0.02, 0.02}}};
            if (grz_has_no_critical_pair(&c.search, 0, &box, asked[0], asked[1]))
                fail_msg("plate %d, place %d: no maximum between %g and %g", kind, k / 4, asked[0], asked[1]);
            none += grz_has_no_critical_pair(&c.search, 0, &box, 0.16, 0.17);
        }
        release_scene(&c);
    }
    printf("%d boxes without a maximum that is deeper\n", none);
    assert_true(none > 0);
    graze_mesh_destroy(mesh);
}

static v3 unit_vector(grz_random *random)
{
    v3 a;
    do
        a = v3_make(grz_random_between(random, -1, 1), grz_random_between(random, -1, 1),
                    grz_random_between(random, -1, 1));
    while (!(v3_length(a) > 0.1 && v3_length(a) < 1));
    return v3_scale(1 / v3_length(a), a);
}

/* A piece with a point of contact of the ball around x, of radius r, in direction u. Some are far larger than the
   ball. */
static grz_surface_piece random_piece(grz_random *random, v3 x, double r, v3 u, double sign)
{
    v3 at = v3_add(x, v3_scale(r, u));
    double size = ldexp(1, (int)grz_random_below(random, 8) - 5);
    grz_surface_piece p = {.spread = grz_random_between(random, 0, 1) * (grz_random_below(random, 2) == 0 ? 1e-3 : 1)};
    v3 axis = v3_add(u, v3_scale(0.3 * p.spread, unit_vector(random)));
    p.axis = v3_scale(sign / v3_length(axis), axis);
    p.end_count = (uint8_t)grz_random_below(random, 4);
    v3 ends[3] = {at, at, at};
    if (p.end_count > 1)
    {
        v3 along = v3_scale(size, unit_vector(random));
        double share = grz_random_between(random, 0, 1);
        ends[0] = v3_sub(at, v3_scale(share, along));
        ends[1] = v3_add(at, v3_scale(1 - share, along));
        ends[2] = v3_add(at, v3_scale(size, unit_vector(random)));
    }
    for (int i = 0; i < p.end_count; i++)
        p.centre = v3_add(p.centre, v3_scale(1.0 / p.end_count, ends[i]));
    if (p.end_count == 0)
        p.centre = v3_add(at, v3_scale(size * grz_random_between(random, 0, 1), unit_vector(random)));
    p.radius = p.end_count == 0 ? size : 0;
    for (int i = 0; i < p.end_count; i++)
        p.radius = fmax(p.radius, v3_length(v3_sub(ends[i], p.centre)));
    memcpy(p.ends, ends, sizeof ends);
    return p;
}

/* Balls that touch two pieces on opposite sides: both are found opposite, and the centre is where it is said to be. */
static void balls_between_pieces_are_found(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 5);
    for (int round = 0; round < 20000; round++)
    {
        double r = grz_random_between(&random, 0.5, 1.5), range = ldexp(1, -(int)grz_random_below(&random, 20));
        const grz_critical_search q = {.least = r * (1 - range * grz_random_between(&random, 0, 1)),
                                       .most = r * (1 + range * grz_random_between(&random, 0, 1)),
                                       .error = 1e-12};
        v3 x = v3_scale(3, unit_vector(&random)), u = unit_vector(&random), other;
        do
            other = round % 3 == 0 ? v3_scale(-1, u) : unit_vector(&random);
        while (v3_length(v3_sub(u, other)) < sqrt(8.0 / 3));
        double sign = round % 2 == 0 ? 1 : -1, other_sign = round % 4 < 2 ? 1 : -1, radius;
        grz_surface_piece a = random_piece(&random, x, r, u, sign), b = random_piece(&random, x, r, other, other_sign);
        v3 found;
        assert_true(grz_may_be_opposite(&q, &a, &b, sign, other_sign, &found, &radius));
        assert_true(v3_length(v3_sub(found, x)) <= radius);
    }
}

/* Points of the middle plane of a plate are maxima, from wherever they are asked for. */
static void maxima_are_found_from_around(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 6);
    graze_mesh *mesh, *plate;
    assert_int_equal(graze_mesh_create_box(NULL, 100, 100, 100, 1, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 0.3, 4, &plate), GRAZE_STATUS_OK);
    const graze_placed_mesh around = {mesh, NULL, graze_pose_identity()};
    static scene c;
    make_scene_of(&c, plate, graze_pose_identity(), &around);
    const grz_common_box box = {{v3_make(1, 0, 0), v3_make(0, 1, 0), v3_make(0, 0, 1)}, {{-1, 1}, {-1, 1}, {-1, 1}}};
    for (int round = 0; round < 2000; round++)
    {
        grz_critical_search q = {.s = &c.search,
                                 .surface = &c.search.space.surfaces[0],
                                 .body = c.pair.sides[0].body,
                                 .box = &box,
                                 .least = 0.1,
                                 .most = 0.2,
                                 .facing = round % 2,
                                 .error = 1e-12};
        v3 x = v3_make(grz_random_between(&random, -0.8, 0.8), grz_random_between(&random, -0.8, 0.8), 0);
        double radius = ldexp(1, -(int)grz_random_below(&random, 12));
        v3 at = v3_add(x, v3_scale(radius * (1 - 1e-9), unit_vector(&random)));
        assert_true(grz_may_be_maximum(&q, at, radius));
    }
    release_scene(&c);
    graze_mesh_destroy(mesh);
}

static void agreeing_normals_are_those_of_all_triangles(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, 100, 100, 100, 1, &mesh), GRAZE_STATUS_OK);
    const graze_placed_mesh around = {mesh, NULL, graze_pose_identity()};
    size_t agreeing = 0, others = 0;
    static scene c;
    for (int round = 0; round < 600; round++)
    {
        make_scene(&c, &random, round % BODIES, &around);
        const grz_surface *surface = &c.search.space.surfaces[0];
        grz_common_box box = random_box(&random, &c, 0.1);
        v3 centre = v3_make(0, 0, 0), corners[3], normal;
        double error, x[3];
        for (int axis = 0; axis < 3; axis++)
            centre =
                v3_add(centre, v3_scale(0.5 * (box.extents[axis].lower + box.extents[axis].upper), box.axes[axis]));
        v3_store(centre, x);
        grz_nearest_triangle nearest;
        grz_find_nearest_triangle(surface, x, 0, UINT32_MAX, &nearest);
        grz_surface_corners(surface, nearest.triangle, corners);
        assert_true(grz_surface_normal(surface, corners, &normal, &error));
        grz_normal_test test = {.centre = centre,
                                .radius = nearest.upper + grz_random_between(&random, 0, 0.4),
                                .direction = v3_scale(1 - 0x1p-40, normal),
                                .facing = 1,
                                .least = 0x1p-10};
        bool agree = grz_surface_normals_agree(surface, &test);
        agreeing += agree;
        others += !agree;
        for (uint32_t t = 0; t < c.mesh->triangle_count && agree; t++)
        {
            grz_surface_corners(surface, t, corners);
            assert_true(grz_surface_normal(surface, corners, &normal, &error));
            if (grz_distance_to_triangle(surface, corners, centre) < test.radius)
                assert_true(v3_dot(normal, test.direction) >= test.agreement && test.agreement > test.least);
        }
        release_scene(&c);
    }
    printf("%zu agree, %zu do not\n", agreeing, others);
    assert_true(agreeing > 100 && others > 100);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(climbing_finds_no_maximum_where_there_is_none),
        cmocka_unit_test(the_middle_of_a_plate_is_found),
        cmocka_unit_test(sides_are_settled_where_there_is_no_maximum),
        cmocka_unit_test(the_middle_of_uneven_plates_is_found),
        cmocka_unit_test(balls_between_pieces_are_found),
        cmocka_unit_test(maxima_are_found_from_around),
        cmocka_unit_test(agreeing_normals_are_those_of_all_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
