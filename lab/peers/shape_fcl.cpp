// SPDX-License-Identifier: MIT
//
// FCL's primitives against its meshes (a BVH of OBBs with rectangle swept spheres).
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <memory>
#include <vector>

#include "../shape_peers.h"

namespace
{

using Transform = fcl::Transform3<double>;
using Mesh = fcl::BVHModel<fcl::OBBRSS<double>>;

struct Pair
{
    std::shared_ptr<Mesh> mesh;
    std::shared_ptr<fcl::ShapeBase<double>> primitive;
    Transform identity = Transform::Identity();
};

std::shared_ptr<fcl::ShapeBase<double>> make_shape(const lab_primitive &p)
{
    switch (p.kind)
    {
    case LAB_SPHERE:
        return std::make_shared<fcl::Sphere<double>>(p.radius);
    case LAB_CAPSULE:
        return std::make_shared<fcl::Capsule<double>>(p.radius, p.height);
    case LAB_CYLINDER:
        return std::make_shared<fcl::Cylinder<double>>(p.radius, p.height);
    default:
        return std::make_shared<fcl::Box<double>>(p.size[0], p.size[1], p.size[2]);
    }
}

void *create(const lab_mesh *mesh, const lab_primitive *primitive)
{
    auto *pair = new Pair;
    std::vector<fcl::Vector3<double>> vertices;
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        vertices.emplace_back(mesh->vertices[3 * i], mesh->vertices[3 * i + 1], mesh->vertices[3 * i + 2]);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        triangles.emplace_back(mesh->triangles[3 * i], mesh->triangles[3 * i + 1], mesh->triangles[3 * i + 2]);
    pair->mesh = std::make_shared<Mesh>();
    pair->mesh->beginModel(int(triangles.size()), int(vertices.size()));
    pair->mesh->addSubModel(vertices, triangles);
    pair->mesh->endModel();
    pair->mesh->computeLocalAABB();
    pair->primitive = make_shape(*primitive);
    pair->primitive->computeLocalAABB();
    return pair;
}

void destroy(void *pair)
{
    delete static_cast<Pair *>(pair);
}

Transform to_transform(const double *pose)
{
    Transform transform = Transform::Identity();
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            transform(row, column) = pose[4 * row + column];
    return transform;
}

double collide(void *user, const double pose[12])
{
    auto *pair = static_cast<Pair *>(user);
    fcl::CollisionRequest<double> request;
    fcl::CollisionResult<double> result;
    fcl::collide<double>(pair->mesh.get(), pair->identity, pair->primitive.get(), to_transform(pose), request, result);
    return result.isCollision() ? 1 : 0;
}

double distance(void *user, const double pose[12])
{
    auto *pair = static_cast<Pair *>(user);
    fcl::DistanceRequest<double> request;
    fcl::DistanceResult<double> result;
    return fcl::distance<double>(pair->mesh.get(), pair->identity, pair->primitive.get(), to_transform(pose), request,
                                 result);
}

} // namespace

extern "C" const lab_shape_peer lab_shape_fcl = {"fcl", create, destroy, collide, distance};
