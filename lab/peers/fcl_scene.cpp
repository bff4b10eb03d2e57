// SPDX-License-Identifier: MIT
//
// FCL over many meshes: its dynamic AABB tree reports candidate pairs, and OBBRSS trees find one contact of each, or,
// in an assembly, all. Compiled twice, as fcl.cpp is.
#include <memory>
#include <vector>

#ifdef LAB_FCL_NATIVE
#include "fcl_native.h"
#endif
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>
#ifdef LAB_FCL_NATIVE
#undef extern
#define NAME(WHAT) "fcl-native-" WHAT
#define TABLE lab_scenes_fcl_native
#else
#define NAME(WHAT) "fcl-" WHAT
#define TABLE lab_scenes_fcl
#endif

#include "scene_peer.h"

namespace
{

using Volume = fcl::OBBRSS<double>;
using Model = fcl::BVHModel<Volume>;
using Node = fcl::detail::MeshCollisionTraversalNodeOBBRSS<double>;
using Object = fcl::CollisionObject<double>;
using Transform = fcl::Transform3<double>;

struct World
{
    std::vector<std::shared_ptr<Model>> models;
    std::vector<std::unique_ptr<Object>> objects;
    fcl::DynamicAABBTreeCollisionManager<double> manager;
};

std::shared_ptr<Model> make_model(const lab_soup &soup)
{
    std::vector<fcl::Vector3<double>> vertices;
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < soup.vertex_count; i++)
        vertices.emplace_back(soup.vertices[3 * i], soup.vertices[3 * i + 1], soup.vertices[3 * i + 2]);
    for (size_t i = 0; i < soup.triangle_count; i++)
        triangles.emplace_back(soup.triangles[3 * i], soup.triangles[3 * i + 1], soup.triangles[3 * i + 2]);
    auto model = std::make_shared<Model>();
    model->beginModel(int(triangles.size()), int(vertices.size()));
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
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
    for (size_t i = 0; i < scene->soup_count; i++)
        world->models.push_back(make_model(scene->soups[i]));
    std::vector<Object *> all;
    for (size_t i = 0; i < scene->count; i++)
    {
        world->objects.push_back(std::make_unique<Object>(world->models[scene->soup_of[i]]));
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

const Model &model_of(const Object *object)
{
    return *static_cast<const Model *>(object->collisionGeometry().get());
}

bool visit(Object *a, Object *b, void *tally)
{
    Node node;
    fcl::CollisionRequest<double> request(1);
    fcl::CollisionResult<double> result;
    fcl::detail::initialize(node, model_of(a), a->getTransform(), model_of(b), b->getTransform(), request, result);
    fcl::detail::collide(&node);
    if (result.isCollision())
        lab_tally_add(static_cast<lab_tally *>(tally), number_of(a), number_of(b));
    return false;
}

// The state of a frame while its pairs are visited.
struct Visit
{
    lab_tally *tally;
    size_t most_triangles;
};

bool visit_all(Object *a, Object *b, void *user)
{
    auto &visit = *static_cast<Visit *>(user);
    Node node;
    fcl::CollisionRequest<double> request(SIZE_MAX);
    fcl::CollisionResult<double> result;
    fcl::detail::initialize(node, model_of(a), a->getTransform(), model_of(b), b->getTransform(), request, result);
    fcl::detail::collide(&node);
    size_t first_a = number_of(a) * visit.most_triangles, first_b = number_of(b) * visit.most_triangles;
    for (size_t i = 0; i < result.numContacts(); i++)
    {
        const auto &contact = result.getContact(i);
        lab_tally_add(visit.tally, uint32_t(first_a + size_t(contact.b1)), uint32_t(first_b + size_t(contact.b2)));
    }
    return false;
}

void frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    auto &world = *static_cast<World *>(user);
    for (size_t i = 0; i < scene->mover_count; i++)
        put(*world.objects[scene->movers[i]], scene->moved + 12 * i);
    world.manager.update();
    Visit all = {tally, scene->most_triangles};
    if (scene->most_triangles != 0)
        world.manager.collide(&all, visit_all);
    else
        world.manager.collide(tally, visit);
}

} // namespace

extern "C" const lab_scene_peer TABLE[] = {
    {NAME("scene"), "dynamic tree, then oriented boxes and swept rectangles", true, false, 0, 0, create, destroy, frame,
     false},
    {NAME("assembly"), "the same with all contacts", true, false, 0, 0, create, destroy, frame, true},
    {}};
