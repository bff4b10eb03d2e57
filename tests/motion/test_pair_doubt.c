/* SPDX-License-Identifier: MIT */
/* Separating planes over intervals of time: what bulges out between two times is seen. */
#include "motion/pair_doubt.h"

#include <math.h>

#include "base/bits.h"
#include "graze/mesh.h"
#include "support/unit.h"

/* A triangle on a parabola that dips below a wall between its ends, by `depth`. */
static double doubt_of(double depth)
{
    const double wall[3][3] = {{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}},
                 small[3][3] = {{0, 0, 0}, {0.1, 0.1, 0}, {0, 0.1, 0.1}};
    const uint32_t corners[3] = {0, 1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *a = NULL, *b = NULL;
    def.vertices = wall;
    def.vertex_count = def.corner_count = 3;
    def.corners = corners;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &a), GRAZE_STATUS_OK);
    def.vertices = small;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &b), GRAZE_STATUS_OK);
    graze_moving_mesh moving_a = {a, NULL, NULL, {0}}, moving_b = {b, NULL, NULL, {0}};
    const graze_pose identity = graze_pose_identity();
    assert_int_equal(graze_motion_still(&identity, &moving_a.motion), GRAZE_STATUS_OK);
    /* y = (1 - 2 t)^2 - depth */
    moving_b.motion = (graze_motion){.kind = GRAZE_MOTION_BALLISTIC_TURN,
                                     .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                     .path = {{0, 1 - depth, 0}, {0, -4, 0}, {0, 4, 0}}};
    grz_space_time search = {.moving_a = &moving_a, .moving_b = &moving_b, .latest = 1, .t0 = 0, .t1 = 1};
    search.side_a = (grz_moving_side){.mesh = a};
    search.side_b = (grz_moving_side){.mesh = b};
    search.side_a.known = grz_motion_span_make(&moving_a.motion, 0, 1, &search.side_a.span);
    search.side_b.known = grz_motion_span_make(&moving_b.motion, 0, 1, &search.side_b.span);
    assert_true(search.side_a.known && search.side_b.known);
    grz_node_pair pair = {grz_join_halves(0, 0), 0};
    grz_pair_doubts(&search, &pair, 1);
    double doubt = grz_from_bits(pair.masks);
    graze_mesh_destroy(a);
    graze_mesh_destroy(b);
    return doubt;
}

static void what_dips_between_two_times_is_in_doubt(void **state)
{
    (void)state;
    for (double depth = 0x1p-30; depth < 1; depth *= 2)
    {
        double contact = 0.5 - 0.5 * sqrt(depth), doubt = doubt_of(depth);
        assert_true(doubt <= contact);
        assert_true(doubt > contact - 1e-3);
    }
    assert_true(doubt_of(-0x1p-20) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_dips_between_two_times_is_in_doubt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
