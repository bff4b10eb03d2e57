// SPDX-License-Identifier: MIT
//
// Bullet's primitives against its mesh with a quantized BVH, and its boxes against each other: the algorithm that its
// dispatcher picks is kept from pose to pose, as in a simulation. Its numbers are floats; margins are 0 where it takes
// that.
#include <btBulletCollisionCommon.h>

#include <cmath>
#include <memory>
#include <vector>

#include "../shape_peers.h"

namespace
{

struct World
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDispatcherInfo info;
    btCollisionObject a, b;
    std::vector<float> vertices;
    std::vector<int> triangles;
    btTriangleIndexVertexArray arrays;
    std::unique_ptr<btCollisionShape> shape_a, shape_b;
    btPersistentManifold *manifold = nullptr;
    btCollisionAlgorithm *algorithm = nullptr;
    double most = 0; // the extent of the world, for distances

    void start()
    {
        a.setCollisionShape(shape_a.get());
        b.setCollisionShape(shape_b.get());
        btCollisionObjectWrapper x(nullptr, shape_a.get(), &a, a.getWorldTransform(), -1, -1);
        btCollisionObjectWrapper y(nullptr, shape_b.get(), &b, b.getWorldTransform(), -1, -1);
        algorithm = dispatcher.findAlgorithm(&x, &y, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    }
    ~World()
    {
        if (algorithm != nullptr)
        {
            algorithm->~btCollisionAlgorithm();
            dispatcher.freeCollisionAlgorithm(algorithm);
        }
    }
};

btTransform transform_of(const double *m)
{
    btTransform t;
    t.setBasis(btMatrix3x3(btScalar(m[0]), btScalar(m[1]), btScalar(m[2]), btScalar(m[4]), btScalar(m[5]),
                           btScalar(m[6]), btScalar(m[8]), btScalar(m[9]), btScalar(m[10])));
    t.setOrigin(btVector3(btScalar(m[3]), btScalar(m[7]), btScalar(m[11])));
    return t;
}

std::unique_ptr<btCollisionShape> make_shape(const lab_primitive &p)
{
    switch (p.kind)
    {
    case LAB_SPHERE:
        return std::make_unique<btSphereShape>(btScalar(p.radius));
    case LAB_CAPSULE:
        return std::make_unique<btCapsuleShapeZ>(btScalar(p.radius), btScalar(p.height));
    case LAB_CYLINDER:
        return std::make_unique<btCylinderShapeZ>(
            btVector3(btScalar(p.radius), btScalar(p.radius), btScalar(p.height / 2)));
    default:
        return std::make_unique<btBoxShape>(
            btVector3(btScalar(p.size[0] / 2), btScalar(p.size[1] / 2), btScalar(p.size[2] / 2)));
    }
}

void *create(const lab_mesh *mesh, const lab_primitive *primitive)
{
    auto *world = new World;
    world->vertices.assign(mesh->vertices, mesh->vertices + 3 * mesh->vertex_count);
    world->triangles.assign(mesh->triangles, mesh->triangles + 3 * mesh->triangle_count);
    btIndexedMesh part;
    part.m_numTriangles = int(mesh->triangle_count);
    part.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(world->triangles.data());
    part.m_triangleIndexStride = 3 * sizeof(int);
    part.m_numVertices = int(mesh->vertex_count);
    part.m_vertexBase = reinterpret_cast<const unsigned char *>(world->vertices.data());
    part.m_vertexStride = 3 * sizeof(float);
    part.m_vertexType = PHY_FLOAT;
    world->arrays.addIndexedMesh(part);
    auto shape = std::make_unique<btBvhTriangleMeshShape>(&world->arrays, true);
    shape->setMargin(0);
    world->shape_a = std::move(shape);
    world->shape_b = make_shape(*primitive);
    if (primitive->kind == LAB_BOX || primitive->kind == LAB_CYLINDER)
        world->shape_b->setMargin(0);
    world->a.setWorldTransform(btTransform::getIdentity());
    world->start();
    return world;
}

void destroy(void *world)
{
    delete static_cast<World *>(world);
}

double signed_distance(World *world)
{
    btCollisionObjectWrapper x(nullptr, world->shape_a.get(), &world->a, world->a.getWorldTransform(), -1, -1);
    btCollisionObjectWrapper y(nullptr, world->shape_b.get(), &world->b, world->b.getWorldTransform(), -1, -1);
    btManifoldResult result(&x, &y);
    world->algorithm->processCollision(&x, &y, world->info, &result);
    double least = INFINITY;
    btManifoldArray manifolds;
    world->algorithm->getAllContactManifolds(manifolds);
    for (int i = 0; i < manifolds.size(); i++)
    {
        for (int k = 0; k < manifolds[i]->getNumContacts(); k++)
            least = std::fmin(least, double(manifolds[i]->getContactPoint(k).getDistance()));
    }
    return least;
}

// Contacts left from earlier poses are not asked for.
void clear(World *world)
{
    btManifoldArray manifolds;
    world->algorithm->getAllContactManifolds(manifolds);
    for (int i = 0; i < manifolds.size(); i++)
        manifolds[i]->clearManifold();
}

double collide(void *user, const double pose[12])
{
    auto *world = static_cast<World *>(user);
    clear(world);
    world->b.setWorldTransform(transform_of(pose));
    return signed_distance(world) <= 0 ? 1 : 0;
}

void *create_boxes(const double half_a[3], const double half_b[3])
{
    auto *world = new World;
    world->shape_a =
        std::make_unique<btBoxShape>(btVector3(btScalar(half_a[0]), btScalar(half_a[1]), btScalar(half_a[2])));
    world->shape_b =
        std::make_unique<btBoxShape>(btVector3(btScalar(half_b[0]), btScalar(half_b[1]), btScalar(half_b[2])));
    world->shape_a->setMargin(0);
    world->shape_b->setMargin(0);
    world->start();
    return world;
}

double contacts(void *user, const double a[12], const double b[12])
{
    auto *world = static_cast<World *>(user);
    world->a.setWorldTransform(transform_of(a));
    world->b.setWorldTransform(transform_of(b));
    signed_distance(world);
    btManifoldArray manifolds;
    world->algorithm->getAllContactManifolds(manifolds);
    return manifolds.size() > 0 ? manifolds[0]->getNumContacts() : 0;
}

} // namespace

extern "C" const lab_shape_peer lab_shape_bullet = {"bullet", create, destroy, collide, nullptr};
extern "C" const lab_box_peer lab_box_bullet = {"bullet", create_boxes, destroy, contacts};
