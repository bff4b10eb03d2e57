/* SPDX-License-Identifier: MIT */
/*
 * Distances of triangle pairs in twice the precision against those in integers: the intervals overlap and are narrow,
 * and what touches is never apart. Faces, edges and corners that are closest, parallel and shared; gaps down to some
 * units in the last place; degenerate triangles; all sizes; in every floating-point environment the same bytes.
 */
#include "pair/distance/wide_pair.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graze/pair.h"
#include "support/environment.h"
#include "support/unit.h"

enum
{
    SEED = 979,
    ROUNDS = 6000,
    KINDS = 6
};

static graze_mesh *triangle_mesh(double corners[3][3])
{
    static const uint32_t indices[3] = {0, 1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh;
    def.vertices = corners;
    def.vertex_count = 3;
    def.corners = indices;
    def.corner_count = 3;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* Over each other by `gap`: faces, crossing edges, a corner over a face, the same triangle, needles; or anyhow. */
static void make_triangles(grz_random *random, int kind, double gap, double a[3][3], double b[3][3])
{
    for (int i = 0; i < 3; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            a[i][k] = grz_random_between(random, -1, 1);
            b[i][k] = kind == 3 ? a[i][k] : grz_random_between(random, -1, 1);
        }
        if (kind == 5)
            continue;
        a[i][2] = kind == 1 ? (i < 2 ? 0 : -1) : 0;
        b[i][2] = kind == 1 || kind == 2 ? (i < (kind == 1 ? 2 : 1) ? gap : 1) : gap;
    }
    for (int i = 0; i < 2 && kind == 1; i++) /* edges along x and y */
    {
        a[i][0] = b[i][1] = 2 * i - 1;
        a[i][1] = b[i][0] = 0.125;
    }
    for (int k = 0; k < 3 && kind == 4; k++) /* collinear corners */
        a[2][k] = 0.5 * a[0][k] + 0.5 * a[1][k];
}

typedef struct counters
{
    int pairs, widely, meet, open;
} counters;

/* `other`: a frame of two triangles that are not far from these. */
static void check(grz_measure_frame *frame, const grz_measure_frame *other, const graze_placed_mesh placed[2],
                  int environment, counters *c)
{
    grz_closest_pair rough[GRZ_LANES], wide, again, exact;
    grz_triangle_pair_batch batch = {.count = 1};
    saved_environment saved;
    grz_wide_plane plane = {.known = false};
    bool meet;
    grz_measure_pairs_in_doubles(frame, &batch, rough);
    assert_int_equal(graze_pair_any(NULL, &placed[0], &placed[1], NULL, &meet, NULL), GRAZE_STATUS_OK);
    wide = again = exact = rough[0];
    bool done = grz_measure_widely(frame, &wide, &plane);
    environment_enter(&saved, environment);
    bool done_again = grz_measure_widely(frame, &again, NULL);
    environment_leave(&saved);
    assert_true(done == done_again && memcmp(&wide, &again, sizeof wide) == 0);
    c->pairs++;
    c->meet += meet;
    c->widely += done;
    c->open += done && rough[0].open;
    if (!done)
    {
        assert_memory_equal(&wide, &rough[0], sizeof wide);
        return;
    }
    assert_true(!meet && !wide.meet && !wide.open && !wide.shifted);
    grz_measure_exactly(frame, &exact);
    assert_true(wide.lower <= exact.upper && exact.lower <= wide.upper);
    assert_true(0 < wide.lower && wide.lower <= wide.distance && wide.distance <= wide.upper);
    assert_true(wide.upper - wide.lower <= 0x1p-36 * wide.upper);
    grz_plane_test test;
    assert_true(plane.known);
    grz_plane_test_begin(&test, frame, &plane);
    double along = grz_plane_test_gap(&test, &rough[0]);
    assert_true(along <= exact.upper && along >= wide.lower * (1 - 0x1p-40));
    assert_true(grz_plane_test_gap(&test, &rough[0]) == along); /* as it is known by now */
    if (grz_measure_widely(other, &rough[0], &plane))           /* the plane of another pair */
    {
        grz_plane_test_begin(&test, frame, &plane);
        assert_true(grz_plane_test_gap(&test, &rough[0]) <= exact.upper);
    }
    for (int k = 0; k < 3; k++) /* points that far apart */
        assert_true(fabs(wide.point_a[k] - wide.point_b[k]) <= wide.upper + 1e-14 * fabs(wide.point_a[k]));
}

static void wide_distances_agree_with_integers(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    counters all[KINDS] = {{0}};
    printf("seed %d\n", SEED);
    for (int round = 0; round < ROUNDS; round++)
    {
        int kind = round % KINDS, power = round / KINDS % 5 == 0 ? 40 * (round / KINDS % 7 - 3) : 0;
        double a[3][3], b[3][3], axis[3], scale = ldexp(1, power);
        double gap = round / KINDS % 4 == 0 ? 0 : exp2(grz_random_between(&random, -49, -8));
        make_triangles(&random, kind, gap, a, b);
        for (int i = 0; i < 9; i++)
        {
            a[i / 3][i % 3] *= scale;
            b[i / 3][i % 3] *= scale;
        }
        for (int k = 0; k < 3; k++)
            axis[k] = grz_random_between(&random, -1, 1);
        graze_pose pose = graze_pose_identity();
        const double away[3] = {scale * grz_random_between(&random, -2, 2), 0, 0};
        if (round / KINDS % 3 > 0)
            assert_int_equal(graze_pose_from_axis_angle(axis, 3 * axis[0], away, &pose), GRAZE_STATUS_OK);
        graze_mesh *meshes[2] = {triangle_mesh(a), triangle_mesh(b)};
        graze_placed_mesh placed[2] = {{meshes[0], NULL, pose}, {meshes[1], NULL, pose}};
        placed[1].pose.m[3] += round % 2 == 0 ? 0x1p-52 * scale : 0;
        grz_measure_frame frame, other;
        grz_measure_frame_make(&frame, NULL, &placed[0], &placed[1]);
        graze_placed_mesh moved[2] = {placed[0], placed[1]};
        for (int k = 0; k < 12; k++)
            moved[1].pose.m[k] += (k % 4 == 3 ? scale : 1) * grz_random_between(&random, -0.1, 0.1);
        grz_measure_frame_make(&other, NULL, &moved[0], &moved[1]);
        check(&frame, &other, placed, round % ENVIRONMENTS, &all[kind]);
        graze_mesh_destroy(meshes[0]);
        graze_mesh_destroy(meshes[1]);
    }
    for (int kind = 0; kind < KINDS; kind++)
    {
        printf("kind %d: %d pairs, %d widely, of these %d open in doubles, %d meet\n", kind, all[kind].pairs,
               all[kind].widely, all[kind].open, all[kind].meet);
        assert_true(all[kind].widely > all[kind].pairs / 3 && all[kind].meet > 5);
    }
    assert_true(all[0].open > 20);
}

/* ---- many pairs at once ---- */

enum
{
    MOST = GRZ_PAIRS_TOGETHER
};

/* Triangles of A over those of B, in doubles, all pairs of them; then together, and each alone. Returns the index that
   was found. */
static int measure_all(const double *a, size_t a_count, const double *b, size_t b_count, double gap,
                       const graze_pose *common)
{
    const double *corners[2] = {a, b};
    const size_t counts[2] = {a_count, b_count};
    graze_placed_mesh placed[2];
    graze_mesh *meshes[2];
    grz_measure_frame frame;
    grz_closest_pair pairs[MOST], before[MOST], *chosen[MOST];
    int count = 0, first = 0;
    for (int side = 0; side < 2; side++)
    {
        graze_mesh_def def = graze_mesh_def_default();
        uint32_t indices[3 * MOST];
        for (uint32_t i = 0; i < 3 * MOST; i++)
            indices[i] = i;
        def.vertices = corners[side];
        def.vertex_count = def.corner_count = 3 * counts[side];
        def.corners = indices;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &meshes[side]), GRAZE_STATUS_OK);
        placed[side] = (graze_placed_mesh){meshes[side], NULL, *common};
    }
    graze_pose above = graze_pose_identity();
    above.m[11] = gap;
    assert_int_equal(graze_pose_compose(common, &above, &placed[1].pose, NULL), GRAZE_STATUS_OK);
    grz_measure_frame_make(&frame, NULL, &placed[0], &placed[1]);
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t k = 0; k < b_count; k++, count++)
        {
            grz_closest_pair gaps[GRZ_LANES];
            const grz_triangle_pair_batch batch = {.a = {i}, .b = {k}, .count = 1};
            grz_measure_pairs_in_doubles(&frame, &batch, gaps);
            pairs[count] = before[count] = gaps[0];
            chosen[count] = &pairs[count];
            first = pairs[count].distance < pairs[first].distance ? count : first;
        }
    grz_wide_plane plane = {.known = false};
    int found = grz_measure_together(&frame, chosen, count, first, &plane);
    assert_true(plane.known == (found >= 0));
    for (int i = 0; i < count; i++)
    {
        grz_closest_pair exact = before[i];
        grz_measure_exactly(&frame, &exact);
        if (i != found)
            assert_memory_equal(&pairs[i], &before[i], sizeof pairs[i]);
        if (found >= 0)
            assert_true(pairs[found].lower <= exact.upper); /* none is nearer */
        if (i == found)
            assert_true(pairs[i].upper >= exact.lower && pairs[i].upper - pairs[i].lower <= 0x1p-36 * pairs[i].upper);
    }
    for (int side = 0; side < 2; side++)
        graze_mesh_destroy(meshes[side]);
    return found;
}

static const double square[2][3][3] = {{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}}, {{-1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}};

static void pairs_of_parallel_faces_are_measured_together(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 1);
    int found = 0;
    for (int round = 0; round < 120; round++)
    {
        double gap = pow(10, -1 - round % 10), other[2][3][3];
        const double axis[3] = {grz_random_between(&random, -1, 1), 1, 0.5}, at[3] = {5, -3, 2},
                     x = grz_random_between(&random, -1, 1), y = grz_random_between(&random, -1, 1);
        graze_pose common;
        assert_int_equal(graze_pose_from_axis_angle(axis, round, at, &common), GRAZE_STATUS_OK);
        for (int i = 0; i < 18; i++)
            other[i / 9][i / 3 % 3][i % 3] = square[i / 9][i / 3 % 3][i % 3] + (i % 3 == 0 ? x : i % 3 == 1 ? y : 0);
        found += measure_all(square[0][0], 2, other[0][0], 2, gap, &common) >= 0;
    }
    printf("%d of 120 together\n", found);
    assert_true(found > 110);
}

/* Over the gap between two triangles, whose hull is nearer than they are. */
static void what_is_over_a_gap_is_not_measured_together(void **state)
{
    (void)state;
    static const double apart[2][3][3] = {{{-3, -1, 0}, {-1, -1, 0}, {-1, 1, 0}}, {{3, -1, 0}, {1, -1, 0}, {1, 1, 0}}};
    static const double between[1][3][3] = {{{-0.25, -0.25, 0}, {0.25, -0.25, 0}, {0, 0.25, 0}}};
    const graze_pose identity = graze_pose_identity();
    for (int power = 1; power < 30; power++)
    {
        assert_int_equal(measure_all(apart[0][0], 2, between[0][0], 1, ldexp(1, -power), &identity), -1);
        assert_int_equal(measure_all(between[0][0], 1, apart[0][0], 2, ldexp(1, -power), &identity), -1);
    }
}

/* More corners than are compared. */
static void many_corners_are_not_measured_together(void **state)
{
    (void)state;
    const graze_pose identity = graze_pose_identity();
    double fan[8][3][3];
    for (int i = 0; i < 72; i++)
        fan[i / 9][i / 3 % 3][i % 3] = i % 3 == 2 ? 0 : cos(1.7 * i + 0.3 * (i % 3));
    assert_int_equal(measure_all(fan[0][0], 8, square[0][0], 1, 0.25, &identity), -1);
    assert_true(measure_all(fan[0][0], 4, square[0][0], 1, 0.25, &identity) >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_distances_agree_with_integers),
        cmocka_unit_test(pairs_of_parallel_faces_are_measured_together),
        cmocka_unit_test(what_is_over_a_gap_is_not_measured_together),
        cmocka_unit_test(many_corners_are_not_measured_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
