// SPDX-License-Identifier: MIT
//
// FCL over primitives: its dynamic AABB tree reports candidate pairs, and its narrow phase (closed forms and libccd)
// decides each, without contacts.
#include <memory>
#include <vector>

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>

#include "scene_peer.h"

namespace
{

using Object = fcl::CollisionObject<double>;
using Transform = fcl::Transform3<double>;

struct World
{
    std::vector<std::unique_ptr<Object>> objects;
    fcl::DynamicAABBTreeCollisionManager<double> manager;
};

std::shared_ptr<fcl::CollisionGeometry<double>> make_shape(const lab_primitive &p)
{
    switch (p.kind)
    {
    case LAB_SPHERE:
        return std::make_shared<fcl::Sphere<double>>(p.radius);
    case LAB_BOX:
        return std::make_shared<fcl::Box<double>>(p.size[0], p.size[1], p.size[2]);
    case LAB_CAPSULE:
        return std::make_shared<fcl::Capsule<double>>(p.radius, p.size[2]);
    default:
        return std::make_shared<fcl::Cylinder<double>>(p.radius, p.size[2]);
    }
}

void put(Object &object, const double *pose)
{
    Transform transform = Transform::Identity();
    for (int row = 0; row < 3; row++)
    {
        for (int column = 0; column < 4; column++)
            transform(row, column) = pose[4 * row + column];
    }
    object.setTransform(transform);
    object.computeAABB();
}

void *create(const lab_scene_view *scene, int)
{
    auto *world = new World;
    std::vector<Object *> all;
    for (size_t i = 0; i < scene->count; i++)
    {
        world->objects.push_back(std::make_unique<Object>(make_shape(scene->primitives[i])));
        world->objects[i]->setUserData(reinterpret_cast<void *>(i));
        put(*world->objects[i], scene->first + 12 * i);
        all.push_back(world->objects[i].get());
    }
    world->manager.registerObjects(all);
    world->manager.setup();
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
    fcl::CollisionRequest<double> request(1);
    fcl::CollisionResult<double> result;
    if (fcl::collide(a, b, request, result) > 0)
        lab_tally_add(static_cast<lab_tally *>(tally), number_of(a), number_of(b));
    return false;
}

void frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    auto &world = *static_cast<World *>(user);
    for (size_t i = 0; i < scene->mover_count; i++)
        put(*world.objects[scene->movers[i]], scene->moved + 12 * i);
    world.manager.update();
    world.manager.collide(tally, visit);
}

} // namespace

extern "C" const lab_scene_peer lab_primitives_fcl[] = {
    {"fcl-primitives", "dynamic tree, closed forms and libccd", false, false, 0, 0, create, destroy, frame, false, true},
    {}};
