/* SPDX-License-Identifier: MIT */
/*
 * The engines for many things that this build has, and Graze's broad phases among them: all of them move many boxes at
 * once, update, and walk over the pairs.
 */
#include <stdlib.h>
#include <string.h>

#include "crowd.h"

static const lab_crowd_peer *const families[] = {lab_crowds_broad,
                                                 lab_crowds_scene,
                                                 lab_crowds_assembly,
#ifdef LAB_HAS_BULLET
                                                 lab_crowds_bullet,
                                                 lab_scenes_bullet,
#endif
#ifdef LAB_HAS_EMBREE
                                                 lab_crowds_embree,
#endif
#ifdef LAB_HAS_CGAL
                                                 lab_crowds_cgal,
#endif
#ifdef LAB_HAS_FCL
                                                 lab_crowds_fcl,
                                                 lab_scenes_fcl,
#endif
#ifdef LAB_HAS_FCL_NATIVE
                                                 lab_scenes_fcl_native,
#endif
#ifdef LAB_HAS_ODE
                                                 lab_crowds_ode,
                                                 lab_scenes_ode,
#endif
                                                 NULL};

const lab_crowd_peer *lab_crowd_peer_at(size_t index)
{
    for (size_t i = 0; families[i] != NULL; i++)
    {
        for (const lab_crowd_peer *peer = families[i]; peer->name != NULL; peer++)
        {
            if (index-- == 0)
                return peer;
        }
    }
    return NULL;
}

lab_role lab_crowd_role(const lab_crowd_peer *peer)
{
    if (strcmp(peer->name, "graze") == 0)
        return LAB_GRAZE;
    return strncmp(peer->name, "graze-", 6) == 0 ? LAB_VARIANT : LAB_PEER;
}

static void destroy_boxes(void *world)
{
    graze_broad_destroy(world);
}

/* A box of the lab is one of Graze. */
_Static_assert(sizeof(graze_box) == 6 * sizeof(double), "lower corner, then upper");

static void *create_boxes(const lab_crowd_view *crowd, int method)
{
    graze_broad_def def = graze_broad_def_default();
    def.method = (graze_broad_method)method;
    graze_broad *broad = NULL;
    graze_status status = graze_broad_create(NULL, &def, &broad);
    const graze_box *boxes = (const graze_box *)(const void *)crowd->first;
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < crowd->count; i++)
        status = graze_broad_insert(broad, (uint32_t)i, &boxes[i]);
    if (status == GRAZE_STATUS_OK)
        status = graze_broad_update(broad, NULL);
    if (status == GRAZE_STATUS_OK)
        return broad;
    graze_broad_destroy(broad);
    return NULL;
}

/* Should anything fail, pairs are missing and the comparison shows it. */
static void frame_boxes(void *world, const lab_crowd_view *crowd, lab_tally *tally)
{
    const graze_box *boxes = (const graze_box *)(const void *)crowd->moved;
    size_t count = 0;
    if (graze_broad_move_many(world, crowd->movers, boxes, crowd->mover_count, NULL) != GRAZE_STATUS_OK ||
        graze_broad_update(world, NULL) != GRAZE_STATUS_OK)
        return;
    const graze_box_pair *pairs = graze_broad_pairs(world, &count);
    for (size_t i = 0; i < count; i++)
        lab_tally_add(tally, pairs[i].a, pairs[i].b);
}

#define BROAD(NAME, WHAT, METHOD, MOST)                                                                                \
    {                                                                                                                  \
        .name = NAME, .what = WHAT, .variant = (METHOD), .most = (MOST), .create = create_boxes,                       \
        .destroy = destroy_boxes, .frame = frame_boxes                                                                 \
    }

const lab_crowd_peer lab_crowds_broad[] = {
    BROAD("graze", "this library, which chooses a broad phase", GRAZE_BROAD_AUTO, 0),
    BROAD("graze-tree", "eight children a node, refitted", GRAZE_BROAD_TREE, 0),
    BROAD("graze-grid", "hashed grids, one for each size", GRAZE_BROAD_GRID, 0),
    BROAD("graze-oriented-grid", "a grid found by stabbing", GRAZE_BROAD_ORIENTED_GRID, 0),
    BROAD("graze-octree", "octant arrays and box differences", GRAZE_BROAD_OCTREE, 0),
    BROAD("graze-sweep", "sweep and prune along three axes, kept sorted", GRAZE_BROAD_SWEEP, 0),
    BROAD("graze-axis", "sorted along one axis, anew each time", GRAZE_BROAD_AXIS, 0),
    BROAD("graze-brute", "every box that changed against every other", GRAZE_BROAD_BRUTE, 10000),
    {0}};
