// SPDX-License-Identifier: MIT
//
// Bullet's collision world over primitives: its dynamic tree proposes pairs, and its own algorithms (spheres, boxes, GJK
// and EPA) make contact manifolds. In single precision; a pair collides where a contact of its manifold has no gap.
#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

#include "scene_peer.h"

namespace
{

std::unique_ptr<btCollisionShape> make_shape(const lab_primitive &p)
{
    switch (p.kind)
    {
    case LAB_SPHERE:
        return std::make_unique<btSphereShape>(float(p.radius));
    case LAB_BOX:
        return std::make_unique<btBoxShape>(btVector3(float(p.size[0]), float(p.size[1]), float(p.size[2])) * 0.5f);
    case LAB_CAPSULE:
        return std::make_unique<btCapsuleShapeZ>(float(p.radius), float(p.size[2]));
    default:
        return std::make_unique<btCylinderShapeZ>(btVector3(float(p.radius), float(p.radius), float(0.5 * p.size[2])));
    }
}

struct World
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    btCollisionWorld world{&dispatcher, &broad, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;

    ~World()
    {
        for (auto &object : objects)
            world.removeCollisionObject(object.get());
    }
};

void put(btCollisionObject &object, const double *pose)
{
    float m[12];
    for (int i = 0; i < 12; i++)
        m[i] = float(pose[i]);
    object.setWorldTransform(
        btTransform(btMatrix3x3(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]), btVector3(m[3], m[7], m[11])));
}

void *create(const lab_scene_view *scene, int)
{
    auto *world = new World;
    for (size_t i = 0; i < scene->count; i++)
    {
        world->shapes.push_back(make_shape(scene->primitives[i]));
        auto object = std::make_unique<btCollisionObject>();
        object->setCollisionShape(world->shapes[i].get());
        object->setUserIndex(int(i));
        put(*object, scene->first + 12 * i);
        world->world.addCollisionObject(object.get());
        world->objects.push_back(std::move(object));
    }
    return world;
}

void destroy(void *world)
{
    delete static_cast<World *>(world);
}

bool has_contact(const btPersistentManifold &manifold)
{
    for (int i = 0; i < manifold.getNumContacts(); i++)
    {
        if (manifold.getContactPoint(i).getDistance() <= 0)
            return true;
    }
    return false;
}

void frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    auto &world = *static_cast<World *>(user);
    for (size_t i = 0; i < scene->mover_count; i++)
        put(*world.objects[scene->movers[i]], scene->moved + 12 * i);
    world.world.performDiscreteCollisionDetection();
    for (int i = 0; i < world.dispatcher.getNumManifolds(); i++)
    {
        const btPersistentManifold *manifold = world.dispatcher.getManifoldByIndexInternal(i);
        if (has_contact(*manifold))
            lab_tally_add(tally, uint32_t(manifold->getBody0()->getUserIndex()),
                          uint32_t(manifold->getBody1()->getUserIndex()));
    }
}

} // namespace

extern "C" const lab_scene_peer lab_primitives_bullet[] = {{"bullet-primitives", "collision world and dynamic tree",
                                                            false, false, 0, 0, create, destroy, frame, false, true},
                                                           {}};
