/* SPDX-License-Identifier: MIT */
/* Certificates put together by hand, cell by cell: which are valid, and where and why others are refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "certificate/certificate.h"
#include "graze/certificate.h"
#include "support/unit.h"

enum
{
    MOST = 4 /* triangles */
};

typedef struct made
{
    graze_mesh *meshes[2];
    graze_certificate *certificate;
} made;

/* Small triangles in a row along x, the first at one height and the others at another. */
static graze_mesh *row_of_triangles(uint32_t count, double first, double others)
{
    double vertices[9 * MOST + 3] = {0};
    uint32_t corners[3 * MOST + 1] = {0};
    for (uint32_t i = 0; i < 3 * count; i++)
    {
        vertices[3 * i] = i / 3 + (i % 3 == 1 ? 0.5 : 0);
        vertices[3 * i + 1] = i % 3 == 2 ? 0.5 : 0;
        vertices[3 * i + 2] = i < 3 ? first : others;
        corners[i] = i;
    }
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh;
    def.vertices = vertices;
    def.vertex_count = def.corner_count = 3 * (size_t)count;
    def.corners = corners;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* A certificate without cells, of meshes that stand still. */
static made make(graze_mesh *a, graze_mesh *b)
{
    made m = {{a, b}, NULL};
    const size_t counts[2] = {graze_mesh_triangle_count(a), graze_mesh_triangle_count(b)};
    m.certificate = grz_certificate_make(NULL, counts);
    assert_non_null(m.certificate);
    for (int side = 0; side < 2; side++)
    {
        grz_certificate_side *it = &m.certificate->sides[side];
        it->motion.start = graze_pose_identity();
        assert_true(grz_mesh_hash(m.meshes[side], NULL, it->hash));
        for (size_t i = 0; i < counts[side]; i++)
            it->order[i] = (uint32_t)i;
    }
    return m;
}

static void release(made *m)
{
    graze_certificate_destroy(m->certificate);
    for (int side = 0; side < 2; side++)
        graze_mesh_destroy(m->meshes[side]);
}

static void add_split(made *m, grz_certificate_cell_kind kind, uint32_t at)
{
    const grz_certificate_cell cell = {.kind = kind, .split = at};
    assert_true(GRZ_PUSH(NULL, &m->certificate->cells, cell));
}

/* A is below z = height, B above. */
static void add_plane(made *m, double height)
{
    const grz_certificate_cell cell = {.kind = GRZ_CELL_PLANE_WORLD, .plane = {0, 0, 1, height}};
    assert_true(GRZ_PUSH(NULL, &m->certificate->cells, cell));
}

static graze_certificate_check check(const made *m)
{
    graze_certificate_check out;
    assert_int_equal(graze_certificate_verify(NULL, m->certificate, m->meshes[0], m->meshes[1], NULL, &out),
                     GRAZE_STATUS_OK);
    return out;
}

static void expect_refused(const made *m, uint64_t cell, const char *part)
{
    const graze_certificate_check out = check(m);
    assert_false(out.valid);
    assert_true(out.cell == cell);
    if (strstr(out.text, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, out.text);
}

/* The second half of the time has a plane for all triangles at once, after one for the last of them: the first one of
   them is the one it does not separate. */
static void every_range_is_checked_with_its_own_triangles(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++)
        for (int good = 0; good < 2; good++)
        {
            made m = make(row_of_triangles(MOST, side == 0 ? 1 : 0, 0), row_of_triangles(MOST, side == 0 ? 2 : 1, 2));
            const grz_certificate_cell_kind kind = side == 0 ? GRZ_CELL_SPLIT_A : GRZ_CELL_SPLIT_B;
            const double all = side == 0 ? 1.5 : 0.5, rest = side == 0 ? 0.5 : 1.5;
            add_split(&m, GRZ_CELL_SPLIT_TIME, 0);
            add_split(&m, kind, 1);
            add_plane(&m, all);
            add_plane(&m, rest);
            add_plane(&m, good ? all : rest);
            if (good)
                assert_true(check(&m).valid);
            else
                expect_refused(&m, 4, "does not separate");
            release(&m);
        }
}

static void splits_lie_within_their_range(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++)
        for (uint32_t at = 0; at <= MOST + 1; at++)
        {
            made m = make(row_of_triangles(MOST, 0, 0), row_of_triangles(MOST, 1, 1));
            add_split(&m, side == 0 ? GRZ_CELL_SPLIT_A : GRZ_CELL_SPLIT_B, at);
            add_plane(&m, 0.5);
            add_plane(&m, 0.5);
            if (at > 0 && at < MOST)
                assert_true(check(&m).valid);
            else
                expect_refused(&m, 0, "splits a range of triangles where it is not");
            release(&m);
        }
}

static void cells_are_neither_missing_nor_left_over(void **state)
{
    (void)state;
    made m = make(row_of_triangles(2, 0, 0), row_of_triangles(2, 1, 1));
    expect_refused(&m, GRAZE_NO_INDEX, "missing");
    add_plane(&m, 0.5);
    assert_true(check(&m).valid);
    add_plane(&m, 0.5);
    expect_refused(&m, 1, "left over");
    release(&m);
    for (uint32_t empty = 1; empty < 4; empty++) /* of A, of B, of both */
    {
        m = make(row_of_triangles(empty != 2 ? 0 : 2, 0, 0), row_of_triangles(empty != 1 ? 0 : 2, 1, 1));
        assert_true(check(&m).valid);
        add_plane(&m, 0.5);
        expect_refused(&m, 0, "left over");
        release(&m);
    }
}

static void orders_name_every_triangle_once(void **state)
{
    (void)state;
    static const char *const names[2] = {"order_a", "order_b"};
    for (int side = 0; side < 2; side++)
    {
        made m = make(row_of_triangles(MOST, 0, 0), row_of_triangles(MOST, 1, 1));
        uint32_t *order = m.certificate->sides[side].order;
        add_plane(&m, 0.5);
        order[0] = 3;
        order[3] = 0;
        assert_true(check(&m).valid);
        static const uint32_t wrong[] = {1, 3, MOST, MOST + 1, UINT32_MAX};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        {
            order[3] = wrong[i];
            expect_refused(&m, GRAZE_NO_INDEX, names[side]);
        }
        release(&m);
    }
}

static void a_wrong_mesh_is_named(void **state)
{
    (void)state;
    static const char *const names[2] = {"mesh a is not", "mesh b is not"};
    static const char *const motions[2] = {"the motion of a", "the motion of b"};
    for (int side = 0; side < 2; side++)
    {
        made m = make(row_of_triangles(MOST, 0, 0), row_of_triangles(MOST, 1, 1));
        add_plane(&m, 0.5);
        m.certificate->sides[side].hash[31] ^= 1;
        expect_refused(&m, GRAZE_NO_INDEX, names[side]);
        m.certificate->sides[side].hash[31] ^= 1;
        m.certificate->sides[side].motion.start.m[7] = INFINITY;
        expect_refused(&m, GRAZE_NO_INDEX, motions[side]);
        release(&m);
    }
}

static void what_is_missing_is_refused(void **state)
{
    (void)state;
    graze_certificate_check out;
    made m = make(row_of_triangles(1, 0, 0), row_of_triangles(1, 1, 1));
    for (int missing = 0; missing < 4; missing++)
        assert_int_equal(graze_certificate_verify(NULL, missing == 0 ? NULL : m.certificate,
                                                  missing == 1 ? NULL : m.meshes[0], missing == 2 ? NULL : m.meshes[1],
                                                  NULL, missing == 3 ? NULL : &out),
                         GRAZE_STATUS_BAD_ARGUMENT);
    release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_range_is_checked_with_its_own_triangles),
        cmocka_unit_test(splits_lie_within_their_range),
        cmocka_unit_test(cells_are_neither_missing_nor_left_over),
        cmocka_unit_test(orders_name_every_triangle_once),
        cmocka_unit_test(a_wrong_mesh_is_named),
        cmocka_unit_test(what_is_missing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
