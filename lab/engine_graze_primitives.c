/* SPDX-License-Identifier: MIT */
/* Graze's scenes of shapes as engines of the lab; see engine_graze_scene.c. */
#include <stdlib.h>
#include <string.h>

#include "scene_workload.h"

typedef struct world
{
    graze_scene *scene;
    graze_pool *pool; /* NULL: one thread */
    graze_object *objects;
    graze_shape **shapes;
    size_t count;
} world;

static void destroy(void *user)
{
    world *w = user;
    graze_scene_destroy(w->scene);
    for (size_t i = 0; i < w->count; i++)
        graze_shape_destroy(w->shapes[i]);
    graze_pool_destroy(w->pool);
    free(w->objects);
    free(w->shapes);
    free(w);
}

static graze_status make_shape(const lab_primitive *p, graze_shape **out_shape)
{
    const double ends[2][3] = {{0, 0, -0.5 * p->size[2]}, {0, 0, 0.5 * p->size[2]}};
    switch (p->kind)
    {
    case LAB_SPHERE:
        return graze_shape_create_sphere(NULL, NULL, p->radius, out_shape);
    case LAB_BOX:
        return graze_shape_create_box(NULL, p->size, out_shape);
    case LAB_CAPSULE:
        return graze_shape_create_capsule(NULL, ends, p->radius, out_shape);
    default:
        return graze_shape_create_cylinder(NULL, p->size[2], p->radius, out_shape);
    }
}

static bool fill(world *w, const lab_scene_view *scene, const graze_context *context)
{
    if (graze_scene_create(context, NULL, &w->scene) != GRAZE_STATUS_OK)
        return false;
    for (; w->count < scene->count; w->count++)
    {
        size_t i = w->count;
        graze_object_def def = graze_object_def_default();
        if (make_shape(&scene->primitives[i], &w->shapes[i]) != GRAZE_STATUS_OK)
            return false;
        def.shape = w->shapes[i];
        def.user = &w->objects[i];
        memcpy(def.pose.m, scene->first + 12 * i, sizeof def.pose.m);
        if (graze_scene_add(w->scene, &def, &w->objects[i]) != GRAZE_STATUS_OK)
            return false;
    }
    return graze_scene_update(w->scene, NULL, NULL) == GRAZE_STATUS_OK;
}

static void *create(const lab_scene_view *scene, int threads)
{
    world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->objects = calloc(scene->count, sizeof *w->objects);
    w->shapes = calloc(scene->count, sizeof(graze_shape *));
    graze_context context = graze_context_default();
    bool done = w->objects != NULL && w->shapes != NULL;
    if (done && threads > 1)
    {
        done = graze_pool_create(NULL, (uint32_t)threads, &w->pool) == GRAZE_STATUS_OK;
        context.tasks = graze_pool_tasks(w->pool);
    }
    if (done && fill(w, scene, &context))
        return w;
    destroy(w);
    return NULL;
}

/* On any failure pairs are missing, and the comparison shows it. */
static void show_frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    world *w = user;
    const graze_pose *poses = (const graze_pose *)(const void *)scene->moved;
    for (size_t i = 0; i < scene->mover_count; i++)
    {
        if (graze_scene_move(w->scene, w->objects[scene->movers[i]], &poses[i]) != GRAZE_STATUS_OK)
            return;
    }
    graze_frame frame;
    if (graze_scene_update(w->scene, NULL, &frame) != GRAZE_STATUS_OK)
        return;
    for (size_t i = 0; i < frame.event_count; i++)
    {
        const graze_event *event = &frame.events[i];
        if (event->kind == GRAZE_EVENT_END)
            continue;
        const graze_object *a = event->user_a, *b = event->user_b;
        lab_tally_add(tally, (uint32_t)(a - w->objects), (uint32_t)(b - w->objects));
    }
}

const lab_scene_peer lab_primitives_graze[] = {{.name = "graze",
                                                .what = "this library's scene",
                                                .variant = 1,
                                                .takes_primitives = true,
                                                .create = create,
                                                .destroy = destroy,
                                                .frame = show_frame},
                                               {.name = "graze-2",
                                                .what = "the same with two threads, timed on the wall",
                                                .has_threads = true,
                                                .variant = 2,
                                                .takes_primitives = true,
                                                .create = create,
                                                .destroy = destroy,
                                                .frame = show_frame},
                                               {0}};
