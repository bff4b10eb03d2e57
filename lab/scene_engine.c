/* SPDX-License-Identifier: MIT */
/*
 * The engines for scene workloads in this build, among them Graze's broad phases: all move many boxes at once, update,
 * and visit the pairs.
 */
#include <stdlib.h>
#include <string.h>

#include "scene_workload.h"

static const lab_scene_peer *const families[] = {lab_broad_graze,
                                                 lab_scenes_graze,
                                                 lab_assemblies_graze,
                                                 lab_primitives_graze,
#ifdef LAB_HAS_BULLET
                                                 lab_broad_bullet,
                                                 lab_scenes_bullet,
                                                 lab_primitives_bullet,
#endif
#ifdef LAB_HAS_EMBREE
                                                 lab_broad_embree,
#endif
#ifdef LAB_HAS_CGAL
                                                 lab_broad_cgal,
#endif
#ifdef LAB_HAS_FCL
                                                 lab_broad_fcl,
                                                 lab_scenes_fcl,
                                                 lab_primitives_fcl,
#endif
#ifdef LAB_HAS_FCL_NATIVE
                                                 lab_scenes_fcl_native,
#endif
#ifdef LAB_HAS_ODE
                                                 lab_broad_ode,
                                                 lab_scenes_ode,
                                                 lab_primitives_ode,
#endif
                                                 NULL};

const lab_scene_peer *lab_scene_peer_at(size_t index)
{
    for (size_t i = 0; families[i] != NULL; i++)
    {
        for (const lab_scene_peer *peer = families[i]; peer->name != NULL; peer++)
        {
            if (index-- == 0)
                return peer;
        }
    }
    return NULL;
}

lab_role lab_scene_role(const lab_scene_peer *peer)
{
    if (strcmp(peer->name, "graze") == 0)
        return LAB_GRAZE;
    return strncmp(peer->name, "graze-", 6) == 0 ? LAB_VARIANT : LAB_PEER;
}

static void destroy_boxes(void *world)
{
    graze_broad_phase_destroy(world);
}

/* A box of the lab has the layout of graze_box. */
_Static_assert(sizeof(graze_box) == 6 * sizeof(double), "lower corner, then upper");

static void *create_boxes(const lab_scene_view *scene, int method)
{
    graze_broad_phase_def def = graze_broad_phase_def_default();
    def.method = (graze_broad_phase_method)method;
    graze_broad_phase *broad = NULL;
    graze_status status = graze_broad_phase_create(NULL, &def, &broad);
    const graze_box *boxes = (const graze_box *)(const void *)scene->first;
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < scene->count; i++)
        status = graze_broad_phase_insert(broad, (uint32_t)i, &boxes[i]);
    if (status == GRAZE_STATUS_OK)
        status = graze_broad_phase_update(broad, NULL);
    if (status == GRAZE_STATUS_OK)
        return broad;
    graze_broad_phase_destroy(broad);
    return NULL;
}

/* On any failure pairs are missing, and the comparison shows it. */
static void frame_boxes(void *world, const lab_scene_view *scene, lab_tally *tally)
{
    const graze_box *boxes = (const graze_box *)(const void *)scene->moved;
    size_t count = 0;
    if (graze_broad_phase_move_many(world, scene->movers, boxes, scene->mover_count, NULL) != GRAZE_STATUS_OK ||
        graze_broad_phase_update(world, NULL) != GRAZE_STATUS_OK)
        return;
    const graze_box_pair *pairs = graze_broad_phase_pairs(world, &count);
    for (size_t i = 0; i < count; i++)
        lab_tally_add(tally, pairs[i].a, pairs[i].b);
}

#define BROAD(NAME, WHAT, METHOD, MOST)                                                                                \
    {                                                                                                                  \
        .name = NAME, .what = WHAT, .variant = (METHOD), .most = (MOST), .create = create_boxes,                       \
        .destroy = destroy_boxes, .frame = frame_boxes                                                                 \
    }

const lab_scene_peer lab_broad_graze[] = {
    BROAD("graze", "this library, which chooses a broad phase", GRAZE_BROAD_PHASE_AUTO, 0),
    BROAD("graze-tree", "eight children a node, refitted", GRAZE_BROAD_PHASE_BVH, 0),
    BROAD("graze-grid", "hashed grids, one for each size", GRAZE_BROAD_PHASE_HASH_GRID, 0),
    BROAD("graze-oriented-grid", "a grid found by stabbing", GRAZE_BROAD_PHASE_ORIENTED_GRID, 0),
    BROAD("graze-octree", "octant arrays and box differences", GRAZE_BROAD_PHASE_OCTREE, 0),
    BROAD("graze-sweep", "sweep and prune along three axes, kept sorted", GRAZE_BROAD_PHASE_SWEEP_AND_PRUNE, 0),
    BROAD("graze-axis", "sorted along one axis, anew each time", GRAZE_BROAD_PHASE_AXIS_SORT, 0),
    BROAD("graze-brute", "every box that changed against every other", GRAZE_BROAD_PHASE_BRUTE_FORCE, 10000),
    {0}};
