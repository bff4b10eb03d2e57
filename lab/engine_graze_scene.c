/* SPDX-License-Identifier: MIT */
/*
 * Graze's scenes as engines of the lab: all objects are moved, the scene is updated, and the collisions of the frame,
 * each with its exact witness, are visited. "graze-2" does the same with two threads.
 */
#include <stdlib.h>
#include <string.h>

#include "scene_workload.h"

typedef struct world
{
    graze_scene *scene;
    graze_pool *pool; /* NULL: one thread */
    graze_object *objects;
    graze_mesh **meshes;
    graze_tree **trees;
    size_t mesh_count;
} world;

static void destroy(void *user)
{
    world *w = user;
    graze_scene_destroy(w->scene);
    for (size_t i = 0; i < w->mesh_count; i++)
    {
        graze_tree_destroy(w->trees[i]);
        graze_mesh_destroy(w->meshes[i]);
    }
    graze_pool_destroy(w->pool);
    free(w->objects);
    free(w->meshes);
    free(w->trees);
    free(w);
}

static bool make_mesh(const lab_soup *soup, graze_mesh **out_mesh, graze_tree **out_tree)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = soup->vertices;
    def.vertex_count = soup->vertex_count;
    def.corners = soup->triangles;
    def.corner_count = 3 * soup->triangle_count;
    return graze_mesh_create(NULL, &def, NULL, out_mesh) == GRAZE_STATUS_OK &&
           graze_tree_create(NULL, *out_mesh, NULL, NULL, out_tree) == GRAZE_STATUS_OK;
}

static bool fill(world *w, const lab_scene_view *scene, const graze_context *context)
{
    for (; w->mesh_count < scene->soup_count; w->mesh_count++)
    {
        if (!make_mesh(&scene->soups[w->mesh_count], &w->meshes[w->mesh_count], &w->trees[w->mesh_count]))
            return false;
    }
    if (graze_scene_create(context, NULL, &w->scene) != GRAZE_STATUS_OK)
        return false;
    for (size_t i = 0; i < scene->count; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = w->meshes[scene->soup_of[i]];
        def.tree = w->trees[scene->soup_of[i]];
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
    w->meshes = calloc(scene->soup_count, sizeof(graze_mesh *));
    w->trees = calloc(scene->soup_count, sizeof(graze_tree *));
    graze_context context = graze_context_default();
    bool done = w->objects != NULL && w->meshes != NULL && w->trees != NULL;
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
        if (event->kind == GRAZE_EVENT_END || !event->has_witness)
            continue;
        const graze_object *a = event->user_a, *b = event->user_b;
        lab_tally_add(tally, (uint32_t)(a - w->objects), (uint32_t)(b - w->objects));
    }
}

const lab_scene_peer lab_scenes_graze[] = {{.name = "graze",
                                            .what = "this library's scene",
                                            .takes_meshes = true,
                                            .variant = 1,
                                            .create = create,
                                            .destroy = destroy,
                                            .frame = show_frame},
                                           {.name = "graze-2",
                                            .what = "the same with two threads, timed on the wall",
                                            .takes_meshes = true,
                                            .has_threads = true,
                                            .variant = 2,
                                            .create = create,
                                            .destroy = destroy,
                                            .frame = show_frame},
                                           {0}};
