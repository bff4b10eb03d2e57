/* SPDX-License-Identifier: MIT */
/*
 * Graze over a whole assembly: AABBs of the placed parts go into a broad phase, and for each candidate pair all
 * triangle pairs are gathered.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene_workload.h"

typedef struct world
{
    graze_broad_phase *broad;
    graze_placed_mesh *parts; /* meshes and trees belong to the world */
    size_t count;
    graze_box *boxes;
} world;

/* AABB of the placed box of the mesh; each bound is a sum of four terms, moved outward by more than their rounding
 * error. */
static graze_box box_of(const graze_placed_mesh *part)
{
    graze_box bounds = graze_mesh_bounds(part->mesh), box;
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = part->pose.m + 4 * axis;
        double low = row[3], high = row[3], size = fabs(row[3]);
        for (int k = 0; k < 3; k++)
        {
            double x = row[k] * bounds.lower[k], y = row[k] * bounds.upper[k];
            low += fmin(x, y);
            high += fmax(x, y);
            size += fmax(fabs(x), fabs(y));
        }
        box.lower[axis] = low - 8 * DBL_EPSILON * size;
        box.upper[axis] = high + 8 * DBL_EPSILON * size;
    }
    return box;
}

static void destroy(void *user)
{
    world *w = user;
    graze_broad_phase_destroy(w->broad);
    for (size_t i = 0; i < w->count && w->parts != NULL; i++)
    {
        graze_tree_destroy((graze_tree *)w->parts[i].tree);
        graze_mesh_destroy((graze_mesh *)w->parts[i].mesh);
    }
    free(w->parts);
    free(w->boxes);
    free(w);
}

static bool add_part(world *w, const lab_scene_view *scene, size_t i)
{
    const lab_soup *soup = &scene->soups[scene->soup_of[i]];
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh;
    graze_tree *tree;
    def.vertices = soup->vertices;
    def.vertex_count = soup->vertex_count;
    def.corners = soup->triangles;
    def.corner_count = 3 * soup->triangle_count;
    if (graze_mesh_create(NULL, &def, NULL, &mesh) != GRAZE_STATUS_OK)
        return false;
    w->parts[i].mesh = mesh;
    if (graze_tree_create(NULL, mesh, NULL, NULL, &tree) != GRAZE_STATUS_OK)
        return false;
    w->parts[i].tree = tree;
    memcpy(w->parts[i].pose.m, scene->first + 12 * i, sizeof w->parts[i].pose.m);
    w->boxes[i] = box_of(&w->parts[i]);
    return graze_broad_phase_insert(w->broad, (uint32_t)i, &w->boxes[i]) == GRAZE_STATUS_OK;
}

static void *create(const lab_scene_view *scene, int variant)
{
    (void)variant;
    world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->count = scene->count;
    w->parts = calloc(scene->count, sizeof *w->parts);
    w->boxes = calloc(scene->count, sizeof *w->boxes);
    bool done =
        w->parts != NULL && w->boxes != NULL && graze_broad_phase_create(NULL, NULL, &w->broad) == GRAZE_STATUS_OK;
    for (size_t i = 0; i < scene->count && done; i++)
        done = add_part(w, scene, i);
    if (done && graze_broad_phase_update(w->broad, NULL) == GRAZE_STATUS_OK)
        return w;
    destroy(w);
    return NULL;
}

typedef struct taking
{
    lab_tally *tally;
    uint32_t first_a, first_b;
} taking;

static bool add_hit(void *user, const graze_hit *hit)
{
    taking *t = user;
    lab_tally_add(t->tally, t->first_a + hit->triangle_a, t->first_b + hit->triangle_b);
    return true;
}

/* On any failure pairs are missing, and the comparison shows it. */
static void show_frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    world *w = user;
    const graze_pose *poses = (const graze_pose *)(const void *)scene->moved;
    size_t count = 0;
    for (size_t i = 0; i < scene->mover_count; i++)
    {
        w->parts[scene->movers[i]].pose = poses[i];
        w->boxes[i] = box_of(&w->parts[scene->movers[i]]);
    }
    if (graze_broad_phase_move_many(w->broad, scene->movers, w->boxes, scene->mover_count, NULL) != GRAZE_STATUS_OK ||
        graze_broad_phase_update(w->broad, NULL) != GRAZE_STATUS_OK)
        return;
    const graze_box_pair *pairs = graze_broad_phase_pairs(w->broad, &count);
    for (size_t i = 0; i < count; i++)
    {
        taking t = {tally, (uint32_t)(pairs[i].a * scene->most_triangles),
                    (uint32_t)(pairs[i].b * scene->most_triangles)};
        if (graze_pair_visit(NULL, &w->parts[pairs[i].a], &w->parts[pairs[i].b], NULL, add_hit, &t) != GRAZE_STATUS_OK)
            return;
    }
}

const lab_scene_peer lab_assemblies_graze[] = {{.name = "graze",
                                                .what = "this library's broad phase, then all contacts of each pair",
                                                .takes_meshes = true,
                                                .names_triangles = true,
                                                .create = create,
                                                .destroy = destroy,
                                                .frame = show_frame},
                                               {0}};
