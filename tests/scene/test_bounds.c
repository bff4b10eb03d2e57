/* SPDX-License-Identifier: MIT */
/*
 * Boxes and balls around placed meshes hold them, in every rounding mode, with denormals taken for zero, and where the
 * numbers of a mesh and of its pose are at opposite ends of the range.
 */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "scene/scene.h"
#include "support/environment.h"
#include "support/unit.h"

/* A box with corners at whole numbers times 2^low under a pose of 2^high and mirrors: in the world it is at whole
   numbers times 2^(low + high). */
typedef struct grid_object
{
    graze_mesh *mesh;
    graze_pose pose;
    int lower[3], upper[3];
    graze_box box;
    grz_ball ball;
} grid_object;

static grid_object make_object(grz_random *random, int low, int high)
{
    static const uint32_t corners[12] = {0, 1, 2, 3, 2, 1, 4, 5, 6, 7, 6, 5};
    grid_object object = {.pose = {{0}}};
    double vertices[24];
    for (int axis = 0; axis < 3; axis++)
    {
        int from = (int)grz_random_below(random, 5) - 2, to = from + (int)grz_random_below(random, 4);
        int turn = grz_random_below(random, 2) == 0 ? 1 : -1, shift = (int)grz_random_below(random, 4);
        for (int corner = 0; corner < 8; corner++)
            vertices[3 * corner + axis] = ldexp((corner >> axis & 1) != 0 ? to : from, low);
        object.pose.m[5 * axis] = ldexp(turn, high);
        object.pose.m[4 * axis + 3] = ldexp(shift, low + high);
        object.lower[axis] = shift + (turn > 0 ? from : -to);
        object.upper[axis] = shift + (turn > 0 ? to : -from);
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.corners = corners;
    def.corner_count = 12;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &object.mesh), GRAZE_STATUS_OK);
    return object;
}

static bool do_meet(const grid_object *a, const grid_object *b)
{
    bool meet = true;
    for (int axis = 0; axis < 3; axis++)
        meet = meet && a->lower[axis] <= b->upper[axis] && b->lower[axis] <= a->upper[axis];
    return meet;
}

static void boxes_and_balls_hold_what_is_placed_also_at_the_far_ends(void **state)
{
    (void)state;
    const uint64_t seed = 20261118;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    unsigned met = 0, apart = 0, far = 0;
    for (unsigned round = 0; round < 40000; round++)
    {
        int where = (int)grz_random_below(&random, round % 2 == 0 ? 41 : 1801) - (round % 2 == 0 ? 20 : 900);
        int least = where - 1000 > -1074 ? where - 1000 : -1074, most = where + 1074 < 1000 ? where + 1074 : 1000;
        grid_object objects[2];
        bool are_apart;
        for (int i = 0; i < 2; i++)
        {
            int low = least + (int)grz_random_below(&random, (uint32_t)(most - least + 1));
            low = round % 4 < 2 ? (int)grz_random_below(&random, 41) - 20 : low;
            objects[i] = make_object(&random, low, where - low);
            far += where - low > 400 || low > 400;
        }
        saved_environment saved;
        environment_enter(&saved, (int)(round / 4 % ENVIRONMENTS));
        for (int i = 0; i < 2; i++)
            grz_placed_bounds(objects[i].mesh, &objects[i].pose, &objects[i].box, &objects[i].ball);
        are_apart = grz_balls_apart(&objects[0].ball, &objects[1].ball);
        environment_leave(&saved);
        assert_false(are_apart && do_meet(&objects[0], &objects[1]));
        met += do_meet(&objects[0], &objects[1]);
        apart += are_apart;
        for (int i = 0; i < 2; i++)
        {
            for (int axis = 0; axis < 3; axis++)
                assert_true(objects[i].box.lower[axis] <= ldexp(objects[i].lower[axis], where) &&
                            objects[i].box.upper[axis] >= ldexp(objects[i].upper[axis], where));
            graze_mesh_destroy(objects[i].mesh);
        }
    }
    printf("%u met, %u balls were apart, %u at the far ends\n", met, apart, far);
    assert_true(met > 3000 && apart > 1000 && far > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_and_balls_hold_what_is_placed_also_at_the_far_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
