/* SPDX-License-Identifier: MIT */
/*
 * Triangles with two equal corners connect nothing, so that a mesh of them has more components than faces, and
 * components without a face. An array by component had room for the faces only, and of such components an unwritten
 * corner was read: memory was damaged, and scenes reported containment of bodies that were far away.
 */
#include <stdio.h>
#include <stdlib.h>

#include "graze/generate.h"
#include "graze/pair.h"
#include "graze/scene.h"
#include "support/unit.h"

enum
{
    SEGMENTS = 2000
};

/* Segments from point to point, as triangles i j i; the last vertex of each is in no other. */
static graze_mesh *make_segments(double x, double spread)
{
    double *vertices = malloc(sizeof(double) * 6 * SEGMENTS);
    uint32_t *corners = malloc(sizeof(uint32_t) * 3 * SEGMENTS);
    for (uint32_t i = 0; i < SEGMENTS; i++)
    {
        for (uint32_t k = 0; k < 2; k++)
        {
            vertices[6 * i + 3 * k] = x + spread * i / SEGMENTS;
            vertices[6 * i + 3 * k + 1] = spread * k;
            vertices[6 * i + 3 * k + 2] = 0;
        }
        corners[3 * i] = corners[3 * i + 2] = 2 * i;
        corners[3 * i + 1] = 2 * i + 1;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 2 * (size_t)SEGMENTS;
    def.corners = corners;
    def.corner_count = 3 * (size_t)SEGMENTS;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    free(vertices);
    free(corners);
    return mesh;
}

static void check_solid(const graze_mesh *segments, const graze_mesh *box, bool collide, graze_containment expected)
{
    graze_placed_mesh a = {.mesh = segments, .pose = graze_pose_identity()};
    graze_placed_mesh b = {.mesh = box, .pose = graze_pose_identity()};
    graze_solid_answer answer;
    assert_int_equal(graze_pair_containment(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_OK);
    assert_int_equal(answer.collide, collide);
    assert_int_equal(answer.containment, expected);
    graze_containment swapped = expected == GRAZE_CONTAINMENT_A_IN_B ? GRAZE_CONTAINMENT_B_IN_A : expected;
    assert_int_equal(graze_pair_containment(NULL, &b, &a, NULL, &answer), GRAZE_STATUS_OK);
    assert_int_equal(answer.collide, collide);
    assert_int_equal(answer.containment, swapped);
}

static size_t events_in_scene(const graze_mesh *segments, const graze_mesh *box)
{
    graze_scene *scene = NULL;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    graze_object object;
    def.flags = GRAZE_OBJECT_SOLID;
    def.mesh = segments;
    assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
    def.mesh = box;
    assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
    graze_frame frame;
    assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
    size_t events = frame.event_count;
    graze_scene_destroy(scene);
    return events;
}

static void a_mesh_of_segments_lies_in_a_box_or_does_not(void **state)
{
    (void)state;
    graze_mesh *box = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    graze_mesh *inside = make_segments(-0.25, 0.5), *beside = make_segments(0.75, 0.5), *through = make_segments(0, 2);
    check_solid(inside, box, true, GRAZE_CONTAINMENT_A_IN_B);
    check_solid(beside, box, false, GRAZE_CONTAINMENT_NONE);
    check_solid(through, box, true, GRAZE_CONTAINMENT_NONE);
    assert_int_equal(events_in_scene(inside, box), 1);
    assert_int_equal(events_in_scene(beside, box), 0);
    assert_int_equal(events_in_scene(through, box), 1);
    graze_mesh_destroy(inside);
    graze_mesh_destroy(beside);
    graze_mesh_destroy(through);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_of_segments_lies_in_a_box_or_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
