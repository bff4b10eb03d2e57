// SPDX-License-Identifier: MIT
//
// FCL: BVHs of OBBs, of OBBs with rectangle swept spheres (OBBRSS), and of k-dops.
//
// This file is compiled twice: once against the library as the distribution ships it, and once (LAB_FCL_NATIVE)
// with FCL's templates instantiated here, optimized for this very machine (see fcl_native.h).
#include <cmath>
#include <memory>
#include <vector>

#ifdef LAB_FCL_NATIVE
#include "fcl_native.h"
#endif
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/utility.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>
#include <fcl/narrowphase/detail/traversal/distance/mesh_distance_traversal_node.h>
#ifdef LAB_FCL_NATIVE
#undef extern
#define NAME(rest) "fcl-native-" rest
#define TABLE lab_peers_fcl_native
#else
#define NAME(rest) "fcl-" rest
#define TABLE lab_peers_fcl
#endif

#include "peer.h"

namespace
{

using fcl::BVHModel;
using Request = fcl::CollisionRequest<double>;
using Result = fcl::CollisionResult<double>;
using Transform = fcl::Transform3<double>;
using Vector = fcl::Vector3<double>;

template <typename Volume> struct Mesh
{
    BVHModel<Volume> model;
    std::vector<Vector> vertices;
    std::unique_ptr<BVHModel<Volume>> moved; // if the volumes cannot be rotated
};

Transform to_transform(const double *pose)
{
    Transform transform = Transform::Identity();
    for (int row = 0; row < 3; row++)
    {
        for (int column = 0; column < 4; column++)
            transform(row, column) = pose[4 * row + column];
    }
    return transform;
}

template <typename Volume> void *create(const lab_soup *soup)
{
    auto *mesh = new Mesh<Volume>;
    mesh->vertices.reserve(soup->vertex_count);
    for (size_t i = 0; i < soup->vertex_count; i++)
        mesh->vertices.emplace_back(soup->vertices[3 * i], soup->vertices[3 * i + 1], soup->vertices[3 * i + 2]);
    std::vector<fcl::Triangle> triangles;
    triangles.reserve(soup->triangle_count);
    for (size_t i = 0; i < soup->triangle_count; i++)
        triangles.emplace_back(soup->triangles[3 * i], soup->triangles[3 * i + 1], soup->triangles[3 * i + 2]);
    mesh->model.beginModel(int(triangles.size()), int(mesh->vertices.size()));
    mesh->model.addSubModel(mesh->vertices, triangles);
    mesh->model.endModel();
    return mesh;
}

template <typename Volume> void destroy(void *mesh)
{
    delete static_cast<Mesh<Volume> *>(mesh);
}

// Oriented volumes are tested in place.
template <typename Volume, typename Node> struct Oriented
{
    static void collide(Mesh<Volume> &a, const Transform &pose_a, Mesh<Volume> &b, const Transform &pose_b,
                        const Request &request, Result &result)
    {
        Node node;
        fcl::detail::initialize(node, a.model, pose_a, b.model, pose_b, request, result);
        fcl::detail::collide(&node);
    }
};

// Other volumes need B's vertices in A's frame and its BVH refitted there, in a copy of B that is reused.
template <typename Volume> struct Aligned
{
    static void collide(Mesh<Volume> &a, const Transform &pose_a, Mesh<Volume> &b, const Transform &pose_b,
                        const Request &request, Result &result)
    {
        if (!b.moved)
            b.moved = std::make_unique<BVHModel<Volume>>(b.model);
        Transform relative = pose_a.inverse() * pose_b, identity = Transform::Identity(), still = identity;
        std::vector<Vector> vertices(b.vertices.size());
        for (size_t i = 0; i < vertices.size(); i++)
            vertices[i] = relative * b.vertices[i];
        b.moved->beginReplaceModel();
        b.moved->replaceSubModel(vertices);
        b.moved->endReplaceModel(true, true);
        fcl::detail::MeshCollisionTraversalNode<Volume> node;
        fcl::detail::initialize(node, a.model, identity, *b.moved, still, request, result, true, true);
        fcl::detail::collide(&node);
    }
};

template <typename Volume, typename Way> bool any(void *a, const double *pose_a, void *b, const double *pose_b)
{
    Result result;
    Way::collide(*static_cast<Mesh<Volume> *>(a), to_transform(pose_a), *static_cast<Mesh<Volume> *>(b),
                 to_transform(pose_b), Request(1), result);
    return result.isCollision();
}

template <typename Volume, typename Way>
uint64_t all(void *a, const double *pose_a, void *b, const double *pose_b, lab_pairs *out_pairs)
{
    Result result;
    Way::collide(*static_cast<Mesh<Volume> *>(a), to_transform(pose_a), *static_cast<Mesh<Volume> *>(b),
                 to_transform(pose_b), Request(SIZE_MAX), result);
    size_t count = result.numContacts();
    for (size_t i = 0; out_pairs != nullptr && i < count; i++)
    {
        const auto &contact = result.getContact(i);
        lab_pairs_push(out_pairs, uint32_t(contact.b1), uint32_t(contact.b2));
    }
    return count;
}

template <typename Volume, typename Node> double distance(void *a, const double *pose_a, void *b, const double *pose_b)
{
    Node node;
    fcl::DistanceResult<double> result;
    fcl::detail::initialize(node, static_cast<Mesh<Volume> *>(a)->model, to_transform(pose_a),
                            static_cast<Mesh<Volume> *>(b)->model, to_transform(pose_b), fcl::DistanceRequest<double>(),
                            result);
    fcl::detail::distance(&node);
    return std::max(0.0, result.min_distance);
}

using Obb = fcl::OBB<double>;
using Obbrss = fcl::OBBRSS<double>;
using Rss = fcl::RSS<double>;
using RssWay = Oriented<Rss, fcl::detail::MeshCollisionTraversalNodeRSS<double>>;
using ObbWay = Oriented<Obb, fcl::detail::MeshCollisionTraversalNodeOBB<double>>;
using ObbrssWay = Oriented<Obbrss, fcl::detail::MeshCollisionTraversalNodeOBBRSS<double>>;

template <typename Volume, typename Way> constexpr lab_peer make_peer(const char *name, const char *what)
{
    return {name, what, create<Volume>, destroy<Volume>, nullptr, any<Volume, Way>, all<Volume, Way>, nullptr};
}

template <size_t K> constexpr lab_peer make_kdop(const char *name, const char *what)
{
    return make_peer<fcl::KDOP<double, K>, Aligned<fcl::KDOP<double, K>>>(name, what);
}

template <typename Volume, typename Node> constexpr lab_peer with_distance(lab_peer peer)
{
    peer.distance = distance<Volume, Node>;
    return peer;
}

} // namespace

extern "C" const lab_peer TABLE[] = {
    make_peer<Obb, ObbWay>(NAME("obb"), "oriented boxes"),
    with_distance<Obbrss, fcl::detail::MeshDistanceTraversalNodeOBBRSS<double>>(
        make_peer<Obbrss, ObbrssWay>(NAME("obbrss"), "oriented boxes and swept rectangles")),
    with_distance<Rss, fcl::detail::MeshDistanceTraversalNodeRSS<double>>(
        make_peer<Rss, RssWay>(NAME("rss"), "swept rectangles")),
    make_kdop<18>(NAME("kdop18"), "18-dops, refitted for every pose"),
    make_kdop<24>(NAME("kdop24"), "24-dops, refitted for every pose"),
    {}};
