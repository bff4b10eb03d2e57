// SPDX-License-Identifier: MIT
//
// Embree: rtcCollide of a scene of user geometry with itself. The BVH is rebuilt in every frame ("embree-build")
// or refitted ("embree-refit"), which is cheaper but degrades as boxes move. Boxes are floats, rounded outward.
#include <embree3/rtcore.h>

#include <vector>

#include "rounding.h"
#include "scene_peer.h"

namespace
{

struct World
{
    bool refits;
    std::vector<RTCBounds> bounds;
    RTCDevice device = rtcNewDevice("threads=1,user_threads=1");
    RTCScene scene = rtcNewScene(device);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);

    ~World()
    {
        rtcReleaseGeometry(geometry);
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
    }

    void put(size_t i, const double *box)
    {
        RTCBounds &b = bounds[i];
        b.lower_x = lab::round_down(box[0]);
        b.lower_y = lab::round_down(box[1]);
        b.lower_z = lab::round_down(box[2]);
        b.upper_x = lab::round_up(box[3]);
        b.upper_y = lab::round_up(box[4]);
        b.upper_z = lab::round_up(box[5]);
    }

    void commit()
    {
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
    }
};

void bound(const RTCBoundsFunctionArguments *arguments)
{
    *arguments->bounds_o = static_cast<const World *>(arguments->geometryUserPtr)->bounds[arguments->primID];
}

void *create(const lab_scene_view *scene, int quality)
{
    auto *world = new World;
    world->refits = quality == RTC_BUILD_QUALITY_REFIT;
    world->bounds.resize(scene->count);
    for (size_t i = 0; i < scene->count; i++)
        world->put(i, scene->first + 6 * i);
    rtcSetSceneFlags(world->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(world->scene, RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryBuildQuality(world->geometry, RTCBuildQuality(quality));
    rtcSetGeometryUserPrimitiveCount(world->geometry, unsigned(scene->count));
    rtcSetGeometryUserData(world->geometry, world);
    rtcSetGeometryBoundsFunction(world->geometry, bound, nullptr);
    rtcAttachGeometry(world->scene, world->geometry);
    world->commit();
    return world;
}

void destroy(void *world)
{
    delete static_cast<World *>(world);
}

struct Search
{
    const RTCBounds *bounds; // NULL: they need no test
    lab_tally *tally;
};

bool overlap(const RTCBounds &a, const RTCBounds &b)
{
    return a.lower_x <= b.upper_x && b.lower_x <= a.upper_x && a.lower_y <= b.upper_y && b.lower_y <= a.upper_y &&
           a.lower_z <= b.upper_z && b.lower_z <= a.upper_z;
}

// A scene tested against itself reports every pair twice, and every box with itself.
void visit(void *user, RTCCollision *collisions, unsigned count)
{
    auto *search = static_cast<Search *>(user);
    for (unsigned i = 0; i < count; i++)
    {
        uint32_t a = collisions[i].primID0, b = collisions[i].primID1;
        if (a < b && (search->bounds == nullptr || overlap(search->bounds[a], search->bounds[b])))
            lab_tally_add(search->tally, a, b);
    }
}

void frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    auto &world = *static_cast<World *>(user);
    for (size_t i = 0; i < scene->mover_count; i++)
        world.put(scene->movers[i], scene->moved + 6 * i);
    world.commit();
    Search search = {world.refits ? world.bounds.data() : nullptr, tally};
    rtcCollide(world.scene, world.scene, visit, &search);
}

} // namespace

extern "C" const lab_scene_peer lab_broad_embree[] = {{"embree-build", "rtcCollide, the tree built for every frame",
                                                       false, false, 0, RTC_BUILD_QUALITY_LOW, create, destroy, frame},
                                                      {"embree-refit", "rtcCollide, the tree refitted for every frame",
                                                       false, false, 0, RTC_BUILD_QUALITY_REFIT, create, destroy,
                                                       frame},
                                                      {}};
