// SPDX-License-Identifier: MIT
//
// ODE's spaces: hashed grids, sweep and prune (sorted from scratch in every frame), and a quadtree. The callback
// receives the pairs whose boxes overlap, in doubles.
#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "scene_peer.h"

namespace
{

enum Variant
{
    hash,
    sweep,
    quadtree
};

struct World
{
    dSpaceID space;
    std::vector<dGeomID> geometries;
};

// The levels of the hash match the boxes' sides; the quadtree is so deep that a block holds some boxes.
dSpaceID make_space(const lab_scene_view &scene, int variant)
{
    if (variant == sweep)
        return dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    if (variant == hash)
    {
        dSpaceID space = dHashSpaceCreate(nullptr);
        dHashSpaceSetLevels(space, -1, 1);
        return space;
    }
    dVector3 centre, extents;
    for (int k = 0; k < 3; k++)
    {
        centre[k] = 0.5 * (scene.lower[k] + scene.upper[k]);
        extents[k] = scene.upper[k] - scene.lower[k];
    }
    int depth = std::clamp(int(std::log2(double(scene.count)) / 2) - 1, 1, 8);
    return dQuadTreeSpaceCreate(nullptr, centre, extents, depth);
}

void put(dGeomID geometry, const double *box)
{
    dGeomSetPosition(geometry, 0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5]));
}

void *create(const lab_scene_view *scene, int variant)
{
    static const bool started = dInitODE2(0) != 0 && dAllocateODEDataForThread(dAllocateMaskAll) != 0;
    if (!started)
        return nullptr;
    auto *world = new World;
    world->space = make_space(*scene, variant);
    for (size_t i = 0; i < scene->count; i++)
    {
        const double *box = scene->first + 6 * i;
        dGeomID geometry = dCreateBox(world->space, box[3] - box[0], box[4] - box[1], box[5] - box[2]);
        dGeomSetData(geometry, reinterpret_cast<void *>(i));
        put(geometry, box);
        world->geometries.push_back(geometry);
    }
    return world;
}

void destroy(void *user)
{
    auto *world = static_cast<World *>(user);
    dSpaceDestroy(world->space); // with its contents
    delete world;
}

uint32_t number_of(dGeomID geometry)
{
    return uint32_t(reinterpret_cast<size_t>(dGeomGetData(geometry)));
}

void visit(void *tally, dGeomID a, dGeomID b)
{
    lab_tally_add(static_cast<lab_tally *>(tally), number_of(a), number_of(b));
}

void frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    auto &world = *static_cast<World *>(user);
    for (size_t i = 0; i < scene->mover_count; i++)
        put(world.geometries[scene->movers[i]], scene->moved + 6 * i);
    dSpaceCollide(world.space, tally, visit);
}

constexpr lab_scene_peer make_peer(const char *name, const char *what, Variant variant, size_t most)
{
    return {name, what, false, false, most, variant, create, destroy, frame};
}

} // namespace

extern "C" const lab_scene_peer lab_broad_ode[] = {make_peer("ode-hash", "dHashSpace", hash, 0),
                                                   make_peer("ode-sweep", "dSweepAndPruneSpace", sweep, 0),
                                                   make_peer("ode-quadtree", "dQuadTreeSpace", quadtree, 0),
                                                   {}};
