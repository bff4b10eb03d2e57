// SPDX-License-Identifier: MIT
//
// Bullet's collision world over many meshes: its dynamic tree proposes pairs, and GImpact makes contact manifolds of
// them, which needs all pairs of intersecting triangles: it cannot stop at the first. In single precision.
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

#include "scene_peer.h"

namespace
{

struct Mesh
{
    std::vector<float> vertices;
    std::vector<int> triangles;
    btTriangleIndexVertexArray arrays;
    std::unique_ptr<btGImpactMeshShape> shape;

    explicit Mesh(const lab_soup &soup)
        : vertices(soup.vertices, soup.vertices + 3 * soup.vertex_count),
          triangles(soup.triangles, soup.triangles + 3 * soup.triangle_count)
    {
        btIndexedMesh part;
        part.m_numTriangles = int(soup.triangle_count);
        part.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(triangles.data());
        part.m_triangleIndexStride = 3 * sizeof(int);
        part.m_numVertices = int(soup.vertex_count);
        part.m_vertexBase = reinterpret_cast<const unsigned char *>(vertices.data());
        part.m_vertexStride = 3 * sizeof(float);
        part.m_vertexType = PHY_FLOAT;
        arrays.addIndexedMesh(part);
        shape = std::make_unique<btGImpactMeshShape>(&arrays);
        shape->setMargin(0);
        shape->updateBound();
    }
};

struct World
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    btCollisionWorld world{&dispatcher, &broad, &configuration};
    std::vector<std::unique_ptr<Mesh>> meshes;
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
    btGImpactCollisionAlgorithm::registerAlgorithm(&world->dispatcher);
    for (size_t i = 0; i < scene->soup_count; i++)
        world->meshes.push_back(std::make_unique<Mesh>(scene->soups[i]));
    for (size_t i = 0; i < scene->count; i++)
    {
        auto object = std::make_unique<btCollisionObject>();
        object->setCollisionShape(world->meshes[scene->soup_of[i]]->shape.get());
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

// A pair has one manifold for each pair of its parts; objects here have one part each.
void frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    auto &world = *static_cast<World *>(user);
    for (size_t i = 0; i < scene->mover_count; i++)
        put(*world.objects[scene->movers[i]], scene->moved + 12 * i);
    world.world.performDiscreteCollisionDetection();
    for (int i = 0; i < world.dispatcher.getNumManifolds(); i++)
    {
        const btPersistentManifold *manifold = world.dispatcher.getManifoldByIndexInternal(i);
        if (manifold->getNumContacts() > 0)
            lab_tally_add(tally, uint32_t(manifold->getBody0()->getUserIndex()),
                          uint32_t(manifold->getBody1()->getUserIndex()));
    }
}

} // namespace

extern "C" const lab_scene_peer lab_scenes_bullet[] = {
    {"bullet-scene", "collision world, dynamic tree and GImpact", true, false, 0, 0, create, destroy, frame}, {}};
