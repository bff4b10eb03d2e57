// SPDX-License-Identifier: MIT
//
// FCL's broad phase managers over box objects in doubles, as the distribution ships them. A callback receives the pairs
// whose boxes overlap, and continues.
#include <fcl/broadphase/broadphase_SSaP.h>
#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/geometry/shape/box.h>

#include <memory>
#include <vector>

#include "scene_peer.h"

namespace
{

using Manager = fcl::BroadPhaseCollisionManager<double>;
using Object = fcl::CollisionObject<double>;
using Vector = fcl::Vector3<double>;

enum Variant
{
    tree,
    array_tree,
    sweep,
    one_axis
};

struct World
{
    std::unique_ptr<Manager> manager;
    std::vector<std::unique_ptr<Object>> objects;
    std::vector<Object *> movers;
    bool all_move;
};

std::unique_ptr<Manager> make_manager(int variant)
{
    if (variant == tree)
        return std::make_unique<fcl::DynamicAABBTreeCollisionManager<double>>();
    if (variant == array_tree)
        return std::make_unique<fcl::DynamicAABBTreeCollisionManager_Array<double>>();
    if (variant == sweep)
        return std::make_unique<fcl::SaPCollisionManager<double>>();
    return std::make_unique<fcl::SSaPCollisionManager<double>>();
}

void put(Object &object, const double *box)
{
    object.setTranslation(Vector(0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5])));
    object.computeAABB();
}

void *create(const lab_scene_view *scene, int variant)
{
    auto *world = new World;
    world->manager = make_manager(variant);
    world->all_move = scene->mover_count == scene->count;
    std::vector<Object *> all;
    for (size_t i = 0; i < scene->count; i++)
    {
        const double *box = scene->first + 6 * i;
        auto shape = std::make_shared<fcl::Box<double>>(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
        world->objects.push_back(std::make_unique<Object>(shape));
        world->objects[i]->setUserData(reinterpret_cast<void *>(i));
        put(*world->objects[i], box);
        all.push_back(world->objects[i].get());
    }
    for (size_t i = 0; i < scene->mover_count; i++)
        world->movers.push_back(all[scene->movers[i]]);
    world->manager->registerObjects(all);
    world->manager->setup();
    return world;
}

void destroy(void *world)
{
    delete static_cast<World *>(world);
}

uint32_t number_of(const Object *object)
{
    return uint32_t(reinterpret_cast<size_t>(object->getUserData()));
}

bool visit(Object *a, Object *b, void *tally)
{
    lab_tally_add(static_cast<lab_tally *>(tally), number_of(a), number_of(b));
    return false;
}

void frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    auto &world = *static_cast<World *>(user);
    for (size_t i = 0; i < scene->mover_count; i++)
        put(*world.movers[i], scene->moved + 6 * i);
    if (world.all_move)
        world.manager->update();
    else
        world.manager->update(world.movers);
    world.manager->collide(tally, visit);
}

constexpr lab_scene_peer make_peer(const char *name, const char *what, Variant variant, size_t most)
{
    return {name, what, false, false, most, variant, create, destroy, frame};
}

} // namespace

extern "C" const lab_scene_peer lab_broad_fcl[] = {
    make_peer("fcl-tree", "DynamicAABBTreeCollisionManager", tree, 0),
    make_peer("fcl-array-tree", "DynamicAABBTreeCollisionManager_Array", array_tree, 0),
    make_peer("fcl-sweep", "SaPCollisionManager", sweep, 0),
    make_peer("fcl-axis", "SSaPCollisionManager", one_axis, 0),
    {}};
