/* SPDX-License-Identifier: MIT */
/* Parts that are shapes: verdicts with known answers, polytopes as the meshes they are, swapped parts. */
#include <math.h>
#include <string.h>

#include "graze/shape_query.h"
#include "support/failing_allocator.h"
#include "support/random_shapes.h"
#include "support/unit.h"

#include "clash_meshes.h"

enum
{
    CASES_OF_KINDS = 76 /* a third of all pairs of kinds: measuring takes most of the time */
};

static graze_clash_report *find_pair(const graze_clash_part parts[2], double clearance)
{
    graze_clash_options options = graze_clash_options_default();
    options.has_resolution = true;
    options.tolerances.has_clearance = true;
    options.tolerances.clearance = clearance;
    graze_clash_report *report = NULL;
    graze_error error = {.status = GRAZE_STATUS_OK};
    graze_status status = graze_clash_find(NULL, parts, 2, &options, &error, &report);
    if (status != GRAZE_STATUS_OK)
        fail_msg("%s", error.text);
    return report;
}

static graze_clash_part shape_part(const char *name, const graze_shape *shape, double x, double y, double z)
{
    return (graze_clash_part){.name = name, .shape = shape, .pose = graze_pose_translation(x, y, z)};
}

/* --- known answers --- */

typedef struct known
{
    graze_shape *a, *b;
    double b_at[3];
    graze_clash_verdict verdict;
    double depth, way_out, gap; /* of crossings; of gaps */
} known;

static graze_shape *sphere(double radius)
{
    graze_shape *shape = NULL;
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, radius, &shape), GRAZE_STATUS_OK);
    return shape;
}

static graze_shape *capsule(double length, double radius)
{
    graze_shape *shape = NULL;
    const double ends[2][3] = {{0, 0, 0}, {length, 0, 0}};
    assert_int_equal(graze_shape_create_capsule(NULL, ends, radius, &shape), GRAZE_STATUS_OK);
    return shape;
}

static graze_shape *box(double x, double y, double z)
{
    graze_shape *shape = NULL;
    assert_int_equal(graze_shape_create_box(NULL, (const double[3]){x, y, z}, &shape), GRAZE_STATUS_OK);
    return shape;
}

static graze_shape *cylinder(double height, double radius)
{
    graze_shape *shape = NULL;
    assert_int_equal(graze_shape_create_cylinder(NULL, height, radius, &shape), GRAZE_STATUS_OK);
    return shape;
}

static graze_shape *cone(double height, double radius)
{
    graze_shape *shape = NULL;
    assert_int_equal(graze_shape_create_cone(NULL, height, radius, &shape), GRAZE_STATUS_OK);
    return shape;
}

static graze_shape *ellipsoid(double x, double y, double z)
{
    graze_shape *shape = NULL;
    assert_int_equal(graze_shape_create_ellipsoid(NULL, (const double[3]){x, y, z}, &shape), GRAZE_STATUS_OK);
    return shape;
}

static graze_shape *ground(double height)
{
    graze_shape *shape = NULL;
    assert_int_equal(graze_shape_create_half_space(NULL, (const double[3]){0, 0, 2}, 2 * height, &shape),
                     GRAZE_STATUS_OK);
    return shape;
}

static void check_known(known *k)
{
    const graze_clash_part parts[2] = {shape_part("a", k->a, 0, 0, 0),
                                       shape_part("b", k->b, k->b_at[0], k->b_at[1], k->b_at[2])};
    graze_clash_report *report = find_pair(parts, 0.5);
    graze_clash_verdict verdict = report->finding_count > 0 ? report->findings[0].verdict : GRAZE_CLASH_CLEAR;
    assert_int_equal(verdict, k->verdict);
    const graze_clash_finding *f = report->findings;
    if (k->depth > 0)
    {
        assert_true(f->has_depth && f->no_pairs);
        assert_true(f->depth[0] <= k->depth * (1 + 1e-9) && k->depth * (1 - 1e-9) <= f->depth[1]);
        assert_true(f->way_out[0] <= k->way_out * (1 + 1e-9) && k->way_out * (1 - 1e-9) <= f->way_out[1]);
        assert_true(f->way_out[1] <= 1.01 * k->way_out && f->depth[1] <= 1.011 * f->depth[0]);
    }
    if (k->gap > 0)
    {
        assert_true(f->has_gap && f->gap[0] <= k->gap && k->gap <= f->gap[1]);
        assert_true(f->gap[1] - f->gap[0] <= 1e-11);
    }
    graze_clash_report_destroy(report);
    graze_shape_destroy(k->a);
    graze_shape_destroy(k->b);
}

static void known_pairs_have_their_verdicts(void **state)
{
    (void)state;
    known cases[] = {
        {sphere(1), sphere(1), {1.5, 0, 0}, GRAZE_CLASH_CROSSES, 0.5, 0.5, 0},
        {sphere(1), sphere(1), {2, 0, 0}, GRAZE_CLASH_TOUCHES, 0, 0, 0},
        {sphere(5), sphere(5), {6, 8, 0}, GRAZE_CLASH_TOUCHES, 0, 0, 0},
        {sphere(1), sphere(1), {2.25, 0, 0}, GRAZE_CLASH_TOO_CLOSE, 0, 0, 0.25},
        {sphere(1), sphere(1), {2.5, 0, 0}, GRAZE_CLASH_CLEAR, 0, 0, 0},
        {sphere(1), sphere(1), {0, 0, 0}, GRAZE_CLASH_DUPLICATE, 0, 0, 0},
        {sphere(3), sphere(1), {2, 0, 0}, GRAZE_CLASH_CONTAINS, 2, 2, 0},
        {sphere(3), sphere(1), {2 + 0x1p-51, 0, 0}, GRAZE_CLASH_CROSSES, 2, 2, 0},
        {sphere(1), box(2, 2, 2), {1.5, 0, 0}, GRAZE_CLASH_CROSSES, 0.5, 0.5, 0},
        {sphere(1), box(2, 2, 2), {2, 0, 0}, GRAZE_CLASH_TOUCHES, 0, 0, 0},
        {box(2, 2, 2), sphere(1), {0, 0, 0}, GRAZE_CLASH_CONTAINS, 1, 2, 0},
        {box(2, 2, 2), sphere(1), {0x1p-52, 0, 0}, GRAZE_CLASH_CROSSES, 1, 2, 0},
        {capsule(4, 1), capsule(4, 0.5), {1, 0, 1.25}, GRAZE_CLASH_CROSSES, 0.25, 0.25, 0},
        {capsule(4, 1), sphere(1), {3, 0, 0}, GRAZE_CLASH_CONTAINS, 1, 2, 0},
        {ground(0), sphere(1), {7, 7, 0.75}, GRAZE_CLASH_CROSSES, 0.25, 0.25, 0},
        {ground(0), sphere(1), {7, 7, 1}, GRAZE_CLASH_TOUCHES, 0, 0, 0},
        {ground(0), sphere(1), {7, 7, -1}, GRAZE_CLASH_CONTAINS, 2, 2, 0},
        {ground(0), cylinder(2, 1), {0, 0, 0.5}, GRAZE_CLASH_CROSSES, 0.5, 0.5, 0},
        {ground(0), cylinder(2, 1), {0, 0, 1}, GRAZE_CLASH_TOUCHES, 0, 0, 0},
        {ground(0), cone(2, 1), {0, 0, -1}, GRAZE_CLASH_CONTAINS, 2, 2, 0},
        {cylinder(2, 1), sphere(0.25), {0.75, 0, 0}, GRAZE_CLASH_UNDECIDED + 1, 0, 0, 0},
        {cylinder(2, 1), sphere(0.25), {0.5, 0, 0}, GRAZE_CLASH_CONTAINS, 0.75, 0.75, 0},
        {cylinder(2, 1), sphere(0.25), {1, 0, 0}, GRAZE_CLASH_CROSSES, 0.25, 0.25, 0},
        {cylinder(2, 1), cylinder(1, 0.5), {0, 0, 0}, GRAZE_CLASH_CONTAINS, 1, 1.5, 0},
        {cylinder(2, 1), cylinder(2, 1), {0, 0, 0}, GRAZE_CLASH_DUPLICATE, 0, 0, 0},
        {ellipsoid(1, 2, 3), ellipsoid(1, 2, 3), {1.5, 0, 0}, GRAZE_CLASH_CROSSES, 0.5, 0.5, 0},
        {box(4, 4, 4), cylinder(4, 2), {0, 0, 0}, GRAZE_CLASH_CONTAINS, 2, 4, 0},
        {cylinder(2, 1), cone(2, 1), {3, 0, 0}, GRAZE_CLASH_CLEAR, 0, 0, 0},
        {cylinder(2, 1), cylinder(2, 1), {2.25, 0, 0}, GRAZE_CLASH_TOO_CLOSE, 0, 0, 0.25},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        if (cases[i].verdict > GRAZE_CLASH_UNDECIDED) /* they touch from inside: decided below */
        {
            graze_shape_destroy(cases[i].a);
            graze_shape_destroy(cases[i].b);
            continue;
        }
        check_known(&cases[i]);
    }
}

/* The lens that two spheres share, a ball in a box, and what a floor holds. */
static void volumes_lie_within_their_bounds(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    graze_shape *ball = sphere(1), *block = box(4, 4, 4), *pin = cylinder(4, 0.5);
    const struct
    {
        const graze_shape *a, *b;
        double x, volume, most_error;
    } cases[] = {{ball, ball, 1.5, pi * 5.5 * 0.25 / 12, 0.1},
                 {block, ball, 1, 4.0 / 3 * pi, 1e-8},
                 {block, pin, 2, pi * 0.5, 0.02},
                 {block, pin, 0, pi, 1e-8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        const graze_clash_part parts[2] = {shape_part("a", cases[i].a, 0, 0, 0),
                                           shape_part("b", cases[i].b, cases[i].x, 0, 0)};
        graze_clash_report *report = find_pair(parts, 0);
        assert_int_equal(report->finding_count, 1);
        const graze_clash_details *d = report->findings[0].details;
        assert_true(d->has_volume && fabs(d->volume - cases[i].volume) <= d->volume_error);
        assert_true(d->volume_error <= cases[i].most_error * d->volume);
        graze_clash_report_destroy(report);
    }
    graze_shape_destroy(ball);
    graze_shape_destroy(block);
    graze_shape_destroy(pin);
}

/* A bush of 48 facets around a pin that is truly round: it reaches deepest into the middle of the facets. */
static void a_round_pin_crosses_the_facets_of_its_bore(void **state)
{
    (void)state;
    enum
    {
        SIDES = 48
    };
    double vertices[4 * SIDES][3];
    uint32_t corners[8 * SIDES][3];
    for (uint32_t i = 0; i < SIDES; i++)
    {
        uint32_t j = (i + 1) % SIDES;
        double angle = 2 * 3.14159265358979323846 * i / SIDES;
        for (uint32_t ring = 0; ring < 4; ring++) /* inner and outer below, inner and outer above */
        {
            vertices[ring * SIDES + i][0] = (ring % 2 == 0 ? 10 : 20) * cos(angle);
            vertices[ring * SIDES + i][1] = (ring % 2 == 0 ? 10 : 20) * sin(angle);
            vertices[ring * SIDES + i][2] = ring < 2 ? 0 : 25;
        }
        const uint32_t of[4] = {0, SIDES, 3 * SIDES, 2 * SIDES}; /* around the section */
        for (uint32_t k = 0; k < 4; k++)
        {
            const uint32_t p = of[k], q = of[(k + 1) % 4];
            const uint32_t sides[2][3] = {{p + i, q + i, q + j}, {p + i, q + j, p + j}};
            memcpy(corners[8 * i + 2 * k], sides, sizeof sides);
        }
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4 * SIDES;
    def.corners = corners[0];
    def.corner_count = 24 * SIDES;
    graze_mesh *bush = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &bush), GRAZE_STATUS_OK);
    static const double radii[3] = {10.02, 9.97, 9.9};
    for (int i = 0; i < 3; i++)
    {
        graze_shape *pin = cylinder(35, radii[i]);
        const graze_clash_part parts[2] = {part_of("bush", bush), shape_part("pin", pin, 0, 0, 12.5)};
        graze_clash_report *report = find_pair(parts, i < 2 ? 0.05 : 0);
        graze_clash_verdict verdict = report->finding_count > 0 ? report->findings[0].verdict : GRAZE_CLASH_CLEAR;
        double apothem = 10 * cos(3.14159265358979323846 / SIDES);
        assert_int_equal(verdict, i == 0 ? GRAZE_CLASH_CROSSES : i == 1 ? GRAZE_CLASH_TOO_CLOSE : GRAZE_CLASH_CLEAR);
        const graze_clash_finding *f = report->findings;
        if (i == 0)
        {
            assert_true(f->depth[0] <= radii[i] - apothem && radii[i] - apothem <= f->depth[1]);
            assert_true(f->depth[1] <= 1.02 * f->depth[0] && f->pairs == 6 * SIDES);
        }
        if (i == 1)
            assert_true(f->gap[0] <= apothem - radii[i] && apothem - radii[i] <= f->gap[1]);
        graze_clash_report_destroy(report);
        graze_shape_destroy(pin);
    }
    graze_mesh_destroy(bush);
}

/* A sphere that touches a cylinder from inside: it crosses for certain, and may lie in it. */
static void what_touches_from_inside_is_left_open(void **state)
{
    (void)state;
    graze_shape *outer = cylinder(2, 1), *inner = sphere(0.3);
    const graze_clash_part parts[2] = {shape_part("a", outer, 0, 0, 0), shape_part("b", inner, 0.7, 0, 0)};
    graze_clash_report *report = find_pair(parts, 0);
    assert_int_equal(report->finding_count, 1);
    assert_int_equal(report->findings[0].verdict, GRAZE_CLASH_CROSSES);
    assert_non_null(report->findings[0].why);
    assert_true(report->findings[0].undecided && !report->complete);
    graze_clash_report_destroy(report);
    graze_shape_destroy(outer);
    graze_shape_destroy(inner);
}

/* A curved body that touches another is undecided at resolution 0, and touches within any other. */
static void curved_bodies_that_touch_do_so_within_the_resolution(void **state)
{
    (void)state;
    graze_shape *one = cylinder(2, 1), *other = cylinder(2, 1);
    graze_clash_part parts[2] = {shape_part("a", one, 0, 0, 0), shape_part("b", other, 2, 0, 0)};
    graze_clash_report *report = find_pair(parts, 0);
    assert_int_equal(report->finding_count, 1);
    assert_int_equal(report->findings[0].verdict, GRAZE_CLASH_UNDECIDED);
    assert_non_null(report->findings[0].why);
    assert_int_equal(graze_clash_report_outcome(report), GRAZE_CLASH_OUTCOME_INCOMPLETE);
    graze_clash_report_destroy(report);
    parts[0].resolution = parts[1].resolution = 1e-7;
    for (int allows = 0; allows < 2; allows++)
    {
        graze_clash_options options = graze_clash_options_default();
        options.tolerances.has_allow_touch = options.tolerances.allow_touch = allows == 1;
        assert_int_equal(graze_clash_find(NULL, parts, 2, &options, NULL, &report), GRAZE_STATUS_OK);
        assert_int_equal(report->finding_count, 1 - allows);
        assert_true(report->complete && report->counts.resolution_changed == 1);
        if (allows == 0)
            assert_true(report->findings[0].verdict == GRAZE_CLASH_TOUCHES && report->findings[0].within_resolution &&
                        report->findings[0].exact == GRAZE_CLASH_UNDECIDED);
        graze_clash_report_destroy(report);
    }
    graze_shape_destroy(one);
    graze_shape_destroy(other);
}

/* A sphere in the hollow of an open box: what is inside the box is not known. */
static void open_meshes_leave_shapes_undecided(void **state)
{
    (void)state;
    graze_mesh *closed = box_between(0, 0, 0, 4, 4, 4), *open = NULL;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = graze_mesh_vertices(closed);
    def.vertex_count = graze_mesh_vertex_count(closed);
    def.corners = graze_mesh_triangles(closed);
    def.corner_count = 33;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &open), GRAZE_STATUS_OK);
    graze_shape *ball = sphere(1);
    static const double places[3] = {2, 5.5, 4.5}; /* inside, outside of the hull, across a wall */
    static const graze_clash_verdict verdicts[3] = {GRAZE_CLASH_UNDECIDED, GRAZE_CLASH_CLEAR, GRAZE_CLASH_CROSSES};
    for (int i = 0; i < 3; i++)
        for (int assumes = 0; assumes < 2; assumes++)
        {
            graze_clash_part parts[2] = {part_of("a", open), shape_part("b", ball, 2, places[i], 2)};
            graze_clash_options options = graze_clash_options_default();
            options.assume_closed = assumes == 1;
            graze_clash_report *report = NULL;
            assert_int_equal(graze_clash_find(NULL, parts, 2, &options, NULL, &report), GRAZE_STATUS_OK);
            graze_clash_verdict found = report->finding_count > 0 ? report->findings[0].verdict : GRAZE_CLASH_CLEAR;
            assert_int_equal(found, i == 0 && assumes == 1 ? GRAZE_CLASH_CONTAINS : verdicts[i]);
            if (i == 0 && assumes == 0)
                assert_true(report->findings[0].details->open_edge_count > 0);
            graze_clash_report_destroy(report);
        }
    graze_shape_destroy(ball);
    graze_mesh_destroy(open);
    graze_mesh_destroy(closed);
}

/* --- polytopes --- */

static bool is_polytope(graze_shape_kind kind)
{
    return kind == GRAZE_SHAPE_HULL || kind == GRAZE_SHAPE_BOX || kind == GRAZE_SHAPE_TRIANGLE ||
           kind == GRAZE_SHAPE_SEGMENT || kind == GRAZE_SHAPE_POINT || kind == GRAZE_SHAPE_HEIGHT_FIELD;
}

/* A hull of two points is all there is of it, as a segment is: nothing is asked of its inside. */
static void flat_hulls_have_no_inside(void **state)
{
    (void)state;
    static const double points[2][3] = {{4, 5, 4}, {-1, 1, 0}}, heights[4] = {2, 0.5, -2, 3}, size[2] = {2, 2};
    graze_shape *hull, *field;
    assert_int_equal(graze_shape_create_hull(NULL, points[0], 2, NULL, &hull), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_height_field(NULL, size, heights, 2, 2, &field), GRAZE_STATUS_OK);
    const graze_clash_part parts[2] = {shape_part("hull", hull, 0, 0, 0), shape_part("field", field, 0, 0, 0)};
    graze_clash_report *report = find_pair(parts, 0);
    assert_int_equal(report->finding_count, 0);
    assert_int_equal(report->undecided_count, 0);
    graze_clash_report_destroy(report);
    graze_shape_destroy(hull);
    graze_shape_destroy(field);
}

static void expect_same_reports(const graze_clash_report *x, const graze_clash_report *y)
{
    assert_int_equal(x->finding_count, y->finding_count);
    for (size_t i = 0; i < x->finding_count; i++)
    {
        const graze_clash_finding *f = &x->findings[i], *g = &y->findings[i];
        assert_int_equal(f->verdict, g->verdict);
        assert_memory_equal(f->depth, g->depth, sizeof f->depth);
        assert_memory_equal(f->way_out, g->way_out, sizeof f->way_out);
        assert_memory_equal(f->gap, g->gap, sizeof f->gap);
        assert_true(f->area == g->area && f->a_in_b == g->a_in_b);
        bool volume = f->details != NULL && f->details->has_volume;
        assert_int_equal(volume, g->details != NULL && g->details->has_volume);
        assert_true(!volume || f->details->volume == g->details->volume);
    }
}

static void polytopes_are_checked_as_the_meshes_they_are(void **state)
{
    (void)state;
    test_random random = test_random_start("shape pairs: polytopes", 71);
    size_t verdicts[GRAZE_CLASH_VERDICT_COUNT] = {0};
    for (int i = 0; i < TEST_ROUNDS(400); i++)
    {
        random_shape shapes[2];
        graze_clash_part parts[2], meshes[2];
        for (int k = 0; k < 2; k++)
        {
            graze_shape_kind kind = GRAZE_SHAPE_KIND_COUNT;
            while (!is_polytope(kind))
                kind = (graze_shape_kind)random_below(&random, GRAZE_SHAPE_KIND_COUNT);
            random_shape_make(&random, kind, &shapes[k]);
            parts[k] = (graze_clash_part){.name = k == 0 ? "a" : "b",
                                          .shape = shapes[k].shape,
                                          .pose = random_pose_for(&random, shapes[k].shape)};
            meshes[k] = parts[k];
            meshes[k].mesh = graze_shape_mesh(shapes[k].shape);
            meshes[k].shape = NULL;
            meshes[k].flags = graze_shape_is_solid(shapes[k].shape) ? 0 : GRAZE_CLASH_PART_SURFACE;
        }
        graze_clash_report *x = find_pair(parts, 0.5), *y = find_pair(meshes, 0.5);
        expect_same_reports(x, y);
        verdicts[x->finding_count > 0 ? x->findings[0].verdict : GRAZE_CLASH_CLEAR]++;
        graze_clash_report_destroy(x);
        graze_clash_report_destroy(y);
        random_shape_clear(&shapes[0]);
        random_shape_clear(&shapes[1]);
    }
    assert_true(verdicts[GRAZE_CLASH_CROSSES] > 0 && verdicts[GRAZE_CLASH_TOUCHES] > 0 &&
                verdicts[GRAZE_CLASH_CONTAINS] > 0 && verdicts[GRAZE_CLASH_CLEAR] > 0);
}

/* --- all kinds --- */

static bool is_mesh(const graze_shape *shape)
{
    graze_shape_kind kind = graze_shape_get_kind(shape);
    return is_polytope(kind) || kind == GRAZE_SHAPE_MESH;
}

/* What the queries of shapes say of the same pair, and that swapped names change nothing. */
static void check_pair(const random_shape shapes[2], const graze_pose poses[2], size_t verdicts[])
{
    const graze_placed placed[2] = {{shapes[0].shape, poses[0]}, {shapes[1].shape, poses[1]}};
    graze_verdict meet;
    graze_shape_depth depth;
    assert_int_equal(graze_shape_pair_any(NULL, &placed[0], &placed[1], NULL, &meet, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_depth(NULL, &placed[0], &placed[1], NULL, &depth), GRAZE_STATUS_OK);
    graze_clash_verdict found[2];
    for (int swapped = 0; swapped < 2; swapped++)
    {
        const graze_clash_part parts[2] = {{.name = "a", .shape = shapes[swapped].shape, .pose = poses[swapped]},
                                           {.name = "b", .shape = shapes[!swapped].shape, .pose = poses[!swapped]}};
        graze_clash_report *report = find_pair(parts, 0);
        const graze_clash_finding *f = report->findings;
        found[swapped] = report->finding_count > 0 ? f->verdict : GRAZE_CLASH_CLEAR;
        if (meet == GRAZE_VERDICT_NO && report->finding_count > 0)
            fail_msg("shapes that are apart: %s", graze_clash_verdict_name(f->verdict));
        if (meet == GRAZE_VERDICT_YES)
            assert_int_equal(report->finding_count, 1);
        if (report->finding_count > 0 && f->has_depth)
            assert_true(f->depth[0] <= f->depth[1] && f->way_out[0] <= f->way_out[1] && f->depth[0] <= f->way_out[1]);
        /* Two polytopes are checked as meshes, for which sets without an inside mean something else. */
        bool are_meshes = is_mesh(shapes[0].shape) && is_mesh(shapes[1].shape);
        if (depth.overlap == GRAZE_VERDICT_YES && !are_meshes)
            assert_true(found[swapped] == GRAZE_CLASH_CROSSES || found[swapped] == GRAZE_CLASH_CONTAINS ||
                        found[swapped] == GRAZE_CLASH_DUPLICATE);
        if (report->finding_count == 0)
            assert_true(report->complete);
        graze_clash_report_destroy(report);
    }
    assert_int_equal(found[0], found[1]);
    verdicts[found[0]]++;
}

static void all_kinds_are_decided_as_the_queries_say(void **state)
{
    (void)state;
    test_random random = test_random_start("shape pairs: all kinds", 72);
    size_t verdicts[GRAZE_CLASH_VERDICT_COUNT] = {0};
    for (int i = 0; i < TEST_ROUNDS(CASES_OF_KINDS); i++)
    {
        random_shape shapes[2];
        graze_pose poses[2];
        for (int k = 0; k < 2; k++)
        {
            int pair = 3 * i % (GRAZE_SHAPE_KIND_COUNT * GRAZE_SHAPE_KIND_COUNT - 1);
            int kind = k == 0 ? pair % GRAZE_SHAPE_KIND_COUNT : pair / GRAZE_SHAPE_KIND_COUNT;
            random_shape_make(&random, (graze_shape_kind)kind, &shapes[k]);
            poses[k] = random_rigid_pose(&random);
        }
        check_pair(shapes, poses, verdicts);
        random_shape_clear(&shapes[0]);
        random_shape_clear(&shapes[1]);
    }
    assert_true(verdicts[GRAZE_CLASH_CLEAR] > 0 && verdicts[GRAZE_CLASH_CROSSES] > 0);
}

/* Memory that ends anywhere, in ever larger steps, while a compound and a mesh are measured. */
static void memory_may_end_anywhere(void **state)
{
    (void)state;
    graze_shape *ball = sphere(1), *pin = cylinder(3, 0.4), *both = NULL;
    const graze_placed placed[2] = {{ball, graze_pose_identity()}, {pin, graze_pose_translation(0.5, 0, 0)}};
    assert_int_equal(graze_shape_create_compound(NULL, placed, 2, &both), GRAZE_STATUS_OK);
    graze_mesh *mesh = box_between(0.5, 0.5, 0.5, 4, 4, 4);
    const graze_clash_part parts[3] = {part_of("a", mesh), shape_part("b", both, 0, 0, 0),
                                       shape_part("c", ball, 3, 3, 3)};
    size_t refused = 0;
    for (size_t allowed = 0;; allowed += 1 + allowed / 4)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_clash_report *report = NULL;
        graze_status status = graze_clash_find(&context, parts, 3, NULL, NULL, &report);
        graze_clash_report_destroy(report);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        refused++;
    }
    assert_true(refused > 10);
    graze_shape_destroy(both);
    graze_shape_destroy(pin);
    graze_shape_destroy(ball);
    graze_mesh_destroy(mesh);
}

static void poses_that_a_shape_may_not_have_are_refused(void **state)
{
    (void)state;
    graze_shape *ball = sphere(1);
    graze_clash_part parts[2] = {shape_part("a", ball, 0, 0, 0), shape_part("b", ball, 3, 0, 0)};
    parts[1].pose.m[0] = 2;
    graze_clash_report *report = NULL;
    graze_error error = {.status = GRAZE_STATUS_OK};
    assert_int_equal(graze_clash_find(NULL, parts, 2, NULL, &error, &report), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(error.index, 1);
    assert_null(report);
    graze_shape_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_pairs_have_their_verdicts),
        cmocka_unit_test(volumes_lie_within_their_bounds),
        cmocka_unit_test(a_round_pin_crosses_the_facets_of_its_bore),
        cmocka_unit_test(what_touches_from_inside_is_left_open),
        cmocka_unit_test(curved_bodies_that_touch_do_so_within_the_resolution),
        cmocka_unit_test(open_meshes_leave_shapes_undecided),
        cmocka_unit_test(flat_hulls_have_no_inside),
        cmocka_unit_test(polytopes_are_checked_as_the_meshes_they_are),
        cmocka_unit_test(all_kinds_are_decided_as_the_queries_say),
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(poses_that_a_shape_may_not_have_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
