/* SPDX-License-Identifier: MIT */
/* Snug fits: bounds of their depths are never below the depth, and found where coordinates are merely rounded. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/failing_allocator.h"
#include "support/unit.h"

#include "clash/parts.h"
#include "clash/snug_fit.h"
#include "graze/generate.h"
#include "support/random.h"

enum
{
    SIDES = 24
};

static const double pi = 3.14159265358979323846;

typedef struct body_data
{
    double vertices[4 * SIDES + 16][3];
    uint32_t triangles[8 * SIDES + 32][3];
    size_t vertex_count, triangle_count;
} body_data;

static void add_quad(body_data *d, uint32_t a, uint32_t b, uint32_t c, uint32_t e)
{
    const uint32_t corners[2][3] = {{a, b, c}, {a, c, e}};
    memcpy(d->triangles[d->triangle_count], corners, sizeof corners);
    d->triangle_count += 2;
}

static void add_ring(body_data *d, size_t sides, double (*outline)[2], double z)
{
    for (size_t i = 0; i < sides; i++, d->vertex_count++)
    {
        d->vertices[d->vertex_count][0] = outline[i][0];
        d->vertices[d->vertex_count][1] = outline[i][1];
        d->vertices[d->vertex_count][2] = z;
    }
}

/* The walls between rings that begin at two vertices, seen from outside counter-clockwise. */
static void add_walls(body_data *d, uint32_t below, uint32_t above, uint32_t sides)
{
    for (uint32_t i = 0; i < sides; i++)
    {
        uint32_t next = (i + 1) % sides;
        add_quad(d, below + i, below + next, above + next, above + i);
    }
}

static void add_floor(body_data *d, uint32_t first, uint32_t sides, bool up)
{
    for (uint32_t i = 1; i + 1 < sides; i++)
    {
        const uint32_t corners[3] = {first, first + i + (up ? 0 : 1), first + i + (up ? 1 : 0)};
        memcpy(d->triangles[d->triangle_count++], corners, sizeof corners);
    }
}

/* A prism over an outline, from z0 to z1. */
static void make_prism(body_data *d, uint32_t sides, double (*outline)[2], double z0, double z1)
{
    *d = (body_data){.vertex_count = 0};
    add_ring(d, sides, outline, z0);
    add_ring(d, sides, outline, z1);
    add_walls(d, 0, sides, sides);
    add_floor(d, 0, sides, false);
    add_floor(d, sides, sides, true);
}

/* A block over an outline three times as large, from -2 to 1, with a pocket of the outline from 0 to 1. */
static void make_pocket(body_data *d, uint32_t sides, double (*outline)[2])
{
    double outer[SIDES][2];
    for (uint32_t i = 0; i < sides; i++)
        for (int k = 0; k < 2; k++)
            outer[i][k] = 3 * outline[i][k];
    *d = (body_data){.vertex_count = 0};
    add_ring(d, sides, outer, -2);
    add_ring(d, sides, outer, 1);
    add_ring(d, sides, outline, 0);
    add_ring(d, sides, outline, 1);
    add_walls(d, 0, sides, sides);
    add_floor(d, 0, sides, false);
    add_walls(d, sides, 3 * sides, sides); /* the rim */
    add_walls(d, 3 * sides, 2 * sides, sides);
    add_floor(d, 2 * sides, sides, true);
}

static double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

static void round_outline(double out[SIDES][2])
{
    for (int i = 0; i < SIDES; i++)
    {
        out[i][0] = cos(2 * pi * i / SIDES);
        out[i][1] = sin(2 * pi * i / SIDES);
    }
}

/* Places vertices, and rounds them to multiples of `unit`. */
static void place(body_data *d, const graze_pose *pose, double unit)
{
    for (size_t v = 0; v < d->vertex_count; v++)
    {
        double x[3];
        graze_pose_apply(pose, d->vertices[v], x);
        for (int axis = 0; axis < 3; axis++)
            d->vertices[v][axis] = unit * nearbyint(x[axis] / unit);
    }
}

/* Two parts ready for tests. */
typedef struct fit
{
    graze_mesh *meshes[2];
    graze_tree *trees[2];
    grz_clash_parts parts;
} fit;

static void make_fit(const body_data data[2], fit *out)
{
    graze_clash_part given[2] = {{.name = "a"}, {.name = "b"}};
    graze_clash_options options = graze_clash_options_default();
    for (int i = 0; i < 2; i++)
    {
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = data[i].vertices;
        def.vertex_count = data[i].vertex_count;
        def.corners = &data[i].triangles[0][0];
        def.corner_count = 3 * data[i].triangle_count;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &out->meshes[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(NULL, out->meshes[i], NULL, NULL, &out->trees[i]), GRAZE_STATUS_OK);
        given[i].mesh = out->meshes[i];
        given[i].tree = out->trees[i];
        given[i].pose = graze_pose_identity();
    }
    assert_int_equal(grz_clash_parts_make(NULL, given, 2, &options, NULL, &out->parts), GRAZE_STATUS_OK);
    assert_true(out->parts.parts[0].closed && out->parts.parts[1].closed);
}

static void release_fit(fit *f)
{
    grz_clash_parts_release(NULL, &f->parts);
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(f->trees[i]);
        graze_mesh_destroy(f->meshes[i]);
    }
}

/* The bound from any of their hits; all hits give the same, or are too wide to be of a snug fit. Infinite without. */
static double bound_of(const fit *f, double resolution)
{
    const grz_clash_part *a = &f->parts.parts[0], *b = &f->parts.parts[1];
    double depth = INFINITY;
    graze_hit hit;
    bool meet;
    assert_int_equal(graze_pair_any(NULL, &a->placed, &b->placed, NULL, &meet, &hit), GRAZE_STATUS_OK);
    if (meet)
        assert_int_equal(grz_clash_bound_snug_fit(NULL, a, b, &hit, resolution, &depth), GRAZE_STATUS_OK);
    return depth;
}

/* A plug that is larger than its pocket by e on all sides, or longer, all coordinates exact: its depth is e. */
static void no_bound_is_below_the_depth(void **state)
{
    (void)state;
    test_random random = test_random_start("no_bound_is_below_the_depth", 1801);
    const double resolution = 0x1p-30;
    int found = 0, beyond = 0;
    for (int i = 0; i < 300; i++)
    {
        double excess = resolution * ldexp(floor(random_real(&random, 1, 256)), random_between(&random, -8, 1));
        double outline[4][2], bottom = i % 3 == 0 ? -excess : 0;
        for (int v = 0; v < 4; v++)
            for (int k = 0; k < 2; k++)
                outline[v][k] = square[v][k] * (i % 3 == 0 ? 1 : 1 + excess);
        body_data data[2];
        make_prism(&data[i % 2], 4, outline, bottom, 1.5);
        make_pocket(&data[1 - i % 2], 4, square);
        fit f;
        make_fit(data, &f);
        double depth = bound_of(&f, resolution);
        assert_true(depth >= excess);
        assert_true(depth == INFINITY || depth <= fmax(2.2 * excess, resolution));
        found += depth < INFINITY;
        beyond += depth == INFINITY;
        release_fit(&f);
    }
    printf("%d found, %d not\n", found, beyond);
    assert_true(found > 120 && beyond > 100);
}

/* Pins and plugs in pockets of their outline, turned, with rounded coordinates: vertices are off by at most half a unit
 * on each axis, which moves planes by at most sqrt 3 / 2 units, and twice that is what may overlap. */
static void rounded_fits_are_bounded(void **state)
{
    (void)state;
    test_random random = test_random_start("rounded_fits_are_bounded", 1802);
    int found = 0, small = 0;
    for (int i = 0; i < 120; i++)
    {
        const double unit = ldexp(1, -random_between(&random, 12, 44));
        double outline[SIDES][2], axis[3], to[3];
        graze_pose pose = graze_pose_identity();
        round_outline(outline);
        for (int k = 0; k < 3; k++)
        {
            axis[k] = random_real(&random, -1, 1);
            to[k] = random_real(&random, -4, 4);
        }
        assert_int_equal(graze_pose_from_axis_angle(axis, random_real(&random, 0, 6), to, &pose), GRAZE_STATUS_OK);
        body_data data[2];
        bool round = i % 2 == 0;
        make_prism(&data[0], round ? SIDES : 4, round ? outline : square, i % 4 < 2 ? 0 : 0.25, 1.5);
        make_pocket(&data[1], round ? SIDES : 4, round ? outline : square);
        place(&data[0], &pose, unit);
        place(&data[1], &pose, unit);
        for (size_t t = 0; t < data[i % 3 % 2].triangle_count && i % 3 < 2; t++) /* inside out */
        {
            uint32_t *corners = data[i % 3 % 2].triangles[t], first = corners[0];
            corners[0] = corners[1];
            corners[1] = first;
        }
        fit f;
        make_fit(data, &f);
        double depth = bound_of(&f, unit);
        found += depth < INFINITY;
        small += depth <= 2 * unit;
        release_fit(&f);
    }
    printf("%d found, %d of them at most two units\n", found, small);
    assert_true(found > 110 && small > 80);
}

/* Files without shared vertices: corners at one place go to one place. */
static void separate_triangles_stay_closed(void **state)
{
    (void)state;
    body_data data[2], soup[2];
    double outline[SIDES][2];
    graze_pose pose = graze_pose_identity();
    const double axis[3] = {1, 2, 3}, to[3] = {1, 0, 2};
    for (int i = 0; i < SIDES; i++)
        for (int k = 0; k < 2; k++)
            outline[i][k] = square[i % 4][k];
    assert_int_equal(graze_pose_from_axis_angle(axis, 1, to, &pose), GRAZE_STATUS_OK);
    make_prism(&data[0], 4, outline, 0, 1.5);
    make_pocket(&data[1], 4, outline);
    for (int i = 0; i < 2; i++)
    {
        place(&data[i], &pose, 0x1p-30);
        soup[i] = (body_data){.vertex_count = 0};
        for (size_t t = 0; t < data[i].triangle_count; t++)
            for (int k = 0; k < 3; k++)
            {
                soup[i].triangles[t][k] = (uint32_t)soup[i].vertex_count;
                memcpy(soup[i].vertices[soup[i].vertex_count++], data[i].vertices[data[i].triangles[t][k]],
                       sizeof *soup[i].vertices);
            }
        soup[i].triangle_count = data[i].triangle_count;
    }
    fit shared, separate;
    make_fit(data, &shared);
    make_fit(soup, &separate);
    double depth = bound_of(&shared, 0x1p-30);
    assert_true(depth < INFINITY && bound_of(&separate, 0x1p-30) == depth);
    release_fit(&shared);
    release_fit(&separate);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    body_data data[2];
    graze_pose pose = graze_pose_identity();
    const double axis[3] = {1, 2, 3}, to[3] = {1, 0, 2};
    assert_int_equal(graze_pose_from_axis_angle(axis, 1, to, &pose), GRAZE_STATUS_OK);
    make_prism(&data[0], 4, square, 0, 1.5);
    make_pocket(&data[1], 4, square);
    for (int i = 0; i < 2; i++)
        place(&data[i], &pose, 0x1p-30);
    fit f;
    make_fit(data, &f);
    const grz_clash_part *a = &f.parts.parts[0], *b = &f.parts.parts[1];
    graze_hit hit;
    bool meet;
    assert_int_equal(graze_pair_any(NULL, &a->placed, &b->placed, NULL, &meet, &hit), GRAZE_STATUS_OK);
    assert_true(meet);
    size_t failures = 0;
    for (size_t left = 0;; left++)
    {
        failing_allocator allocator = {.allowed = left};
        graze_context context = failing_allocator_context(&allocator);
        double depth = -1;
        graze_status status = grz_clash_bound_snug_fit(&context, a, b, &hit, 0x1p-30, &depth);
        assert_int_equal(allocator.live, 0);
        assert_true(depth == INFINITY || status == GRAZE_STATUS_OK);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    printf("%zu failing allocations\n", failures);
    assert_true(failures > 30);
    release_fit(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bound_is_below_the_depth), cmocka_unit_test(rounded_fits_are_bounded),
        cmocka_unit_test(separate_triangles_stay_closed), cmocka_unit_test(every_failing_allocation_is_survived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
