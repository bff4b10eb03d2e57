/* SPDX-License-Identifier: MIT */
/* Scene queries under a budget: cancelled at every call, with budgets that end anywhere, results unchanged then. */
#include <math.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/interest.h"
#include "graze/scene_query.h"
#include "support/budget_calls.h"

enum
{
    OBJECTS = 400
};

typedef struct world
{
    counting_allocator allocator;
    graze_mesh *sphere;
    graze_scene *scene;
    graze_object first;
    graze_placed_mesh probe;
} world;

/* Everything that the queries write. */
typedef struct results
{
    size_t count;
    graze_object_hit hits[OBJECTS];
    graze_ray_hit ray_hits[OBJECTS];
    graze_close_pair pairs[OBJECTS];
    graze_nearest_object nearest;
} results;

static results out;

static void begin(void)
{
    memset(&out, 0xa5, sizeof out);
}

static graze_status end(graze_status status, uint64_t answer, uint64_t *out_answer)
{
    if (status == GRAZE_STATUS_OK)
    {
        *out_answer = answer;
        return status;
    }
    const unsigned char *bytes = (const unsigned char *)&out;
    for (size_t i = 0; i < sizeof out; i++)
        assert_int_equal(bytes[i], 0xa5);
    return status;
}

static graze_status collide_mesh(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const world *w = user;
    begin();
    graze_status status = graze_scene_collide_mesh(w->scene, &w->probe, NULL, budget, out.hits, OBJECTS, &out.count);
    return end(status, out.count, answer);
}

static graze_status collide_object(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const world *w = user;
    begin();
    graze_status status = graze_scene_collide_object(w->scene, w->first, NULL, budget, out.hits, OBJECTS, &out.count);
    return end(status, out.count, answer);
}

static graze_status collide_box(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const world *w = user;
    const graze_box box = {{-0.5, -0.5, -0.5}, {30, 1, 1}};
    begin();
    graze_status status = graze_scene_collide_box(w->scene, &box, NULL, budget, out.hits, OBJECTS, &out.count);
    return end(status, out.count, answer);
}

static graze_status collide_point(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const world *w = user;
    const double point[3] = {0.25, 0.25, 0.25};
    begin();
    graze_status status = graze_scene_collide_point(w->scene, point, NULL, budget, out.hits, OBJECTS, &out.count);
    return end(status, out.count, answer);
}

static graze_status cast_ray(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const world *w = user;
    const double origin[3] = {-5, 0.1, 0.2}, direction[3] = {1, 0, 0};
    begin();
    graze_status status =
        graze_scene_cast_ray(w->scene, origin, direction, INFINITY, NULL, budget, out.ray_hits, OBJECTS, &out.count);
    return end(status, out.count, answer);
}

static graze_status nearest_to_mesh(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const world *w = user;
    graze_placed_mesh away = w->probe;
    away.pose = graze_pose_translation(3, 6.5, 0.25);
    begin();
    graze_status status = graze_scene_nearest_to_mesh(w->scene, &away, INFINITY, NULL, budget, &out.nearest);
    return end(status, out.nearest.object.index, answer);
}

static graze_status nearest_to_point(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const world *w = user;
    const double point[3] = {3, 9, 0.25};
    begin();
    graze_status status = graze_scene_nearest_to_point(w->scene, point, INFINITY, NULL, budget, &out.nearest);
    return end(status, out.nearest.object.index, answer);
}

static graze_status close_pairs(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const world *w = user;
    begin();
    graze_status status = graze_scene_close_pairs(w->scene, 0.25, budget, out.pairs, OBJECTS, &out.count);
    return end(status, out.count, answer);
}

static int set_up(void **state)
{
    static world w;
    graze_context context = counting_allocator_context(&w.allocator);
    bool fine = graze_mesh_create_sphere(NULL, 1, 48, 36, &w.sphere) == GRAZE_STATUS_OK &&
                graze_scene_create(&context, NULL, &w.scene) == GRAZE_STATUS_OK;
    for (int i = 0; i < OBJECTS && fine; i++)
    {
        graze_object_def def = graze_object_def_default();
        graze_object object;
        def.mesh = w.sphere;
        def.pose = graze_pose_translation(0.9 * i, 0.03 * (i % 7), 0);
        def.flags = i % 3 == 0 ? GRAZE_OBJECT_SOLID : 0;
        fine = graze_scene_add(w.scene, &def, &object) == GRAZE_STATUS_OK;
        if (i == 0)
            w.first = object;
    }
    fine = fine && graze_scene_update(w.scene, NULL, NULL) == GRAZE_STATUS_OK;
    w.probe = (graze_placed_mesh){w.sphere, NULL, graze_pose_translation(3.1, 0.2, 0.3)};
    *state = &w;
    return fine ? 0 : -1;
}

static int tear_down(void **state)
{
    world *w = *state;
    graze_scene_destroy(w->scene);
    graze_mesh_destroy(w->sphere);
    return w->allocator.live == 0 ? 0 : -1;
}

static void scene_queries_may_be_cancelled_and_end_anywhere(void **state)
{
    const world *w = *state;
    const budget_call calls[] = {
        {"collide_mesh", collide_mesh, w, 1, &w->allocator},
        {"collide_object", collide_object, w, 0, &w->allocator},
        {"collide_box", collide_box, w, 1, &w->allocator},
        {"collide_point", collide_point, w, 0, &w->allocator},
        {"cast_ray", cast_ray, w, 1, &w->allocator},
        {"nearest_to_mesh", nearest_to_mesh, w, 1, &w->allocator},
        {"nearest_to_point", nearest_to_point, w, 0, &w->allocator},
        {"close_pairs", close_pairs, w, 20, &w->allocator},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    {
        cancel_everywhere(&calls[i]);
        assert_true(end_anywhere(&calls[i]) > 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scene_queries_may_be_cancelled_and_end_anywhere)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
