// SPDX-License-Identifier: MIT
//
// CGAL: AABB trees over the triangles with exact predicates. `any` uses Rigid_triangle_mesh_collision_detection, which
// reports no pairs; for `all` each triangle of the smaller mesh is a query of the larger mesh's tree, as in CGAL's
// manual. Exact except for the placed points, which are rounded.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Surface_mesh.h>

#include <memory>
#include <vector>

#include "peer.h"

namespace
{

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Transform = CGAL::Aff_transformation_3<Kernel>;
using Surface = CGAL::Surface_mesh<Point>;
using Detection = CGAL::Rigid_triangle_mesh_collision_detection<Surface>;
using Tree = Detection::AABB_tree;

struct Mesh
{
    Surface surface;
    std::unique_ptr<Tree> tree;
    std::vector<Kernel::Triangle_3> triangles;
    std::unique_ptr<Detection> detection; // of this mesh, 0, against `other`, 1
    const Mesh *other = nullptr;
};

// Every triangle gets vertices of its own, so that the mesh need not be manifold.
void *create(const lab_soup *soup)
{
    auto *mesh = new Mesh;
    mesh->surface.reserve(unsigned(3 * soup->triangle_count), unsigned(3 * soup->triangle_count),
                          unsigned(soup->triangle_count));
    mesh->triangles.reserve(soup->triangle_count);
    for (size_t i = 0; i < soup->triangle_count; i++)
    {
        Point p[3];
        for (size_t k = 0; k < 3; k++)
        {
            const double *v = soup->vertices + 3 * size_t(soup->triangles[3 * i + k]);
            p[k] = Point(v[0], v[1], v[2]);
        }
        mesh->surface.add_face(mesh->surface.add_vertex(p[0]), mesh->surface.add_vertex(p[1]),
                               mesh->surface.add_vertex(p[2]));
        mesh->triangles.emplace_back(p[0], p[1], p[2]);
    }
    mesh->tree = std::make_unique<Tree>(faces(mesh->surface).first, faces(mesh->surface).second, mesh->surface);
    mesh->tree->build();
    return mesh;
}

void destroy(void *mesh)
{
    delete static_cast<Mesh *>(mesh);
}

Transform to_transform(const double *m)
{
    return Transform(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11]);
}

bool any(void *user_a, const double *pose_a, void *user_b, const double *pose_b)
{
    auto *a = static_cast<Mesh *>(user_a), *b = static_cast<Mesh *>(user_b);
    if (a->other != b)
    {
        auto one_component = CGAL::parameters::apply_per_connected_component(false);
        a->detection = std::make_unique<Detection>();
        a->detection->add_mesh(*a->tree, a->surface, one_component);
        a->detection->add_mesh(*b->tree, b->surface, one_component);
        a->other = b;
    }
    a->detection->set_transformation(0, to_transform(pose_a));
    a->detection->set_transformation(1, to_transform(pose_b));
    return !a->detection->get_all_intersections(0).empty();
}

uint64_t all(void *user_a, const double *pose_a, void *user_b, const double *pose_b, lab_pairs *out_pairs)
{
    auto *a = static_cast<Mesh *>(user_a), *b = static_cast<Mesh *>(user_b);
    bool swapped = a->triangles.size() < b->triangles.size();
    const Mesh &large = swapped ? *b : *a, &small = swapped ? *a : *b;
    Transform relative = swapped ? to_transform(pose_b).inverse() * to_transform(pose_a)
                                 : to_transform(pose_a).inverse() * to_transform(pose_b);
    uint64_t count = 0;
    std::vector<Surface::Face_index> found;
    for (size_t i = 0; i < small.triangles.size(); i++)
    {
        found.clear();
        large.tree->all_intersected_primitives(small.triangles[i].transform(relative), std::back_inserter(found));
        count += found.size();
        for (Surface::Face_index face : found)
        {
            if (out_pairs != nullptr)
                lab_pairs_push(out_pairs, swapped ? uint32_t(i) : uint32_t(face),
                               swapped ? uint32_t(face) : uint32_t(i));
        }
    }
    return count;
}

} // namespace

extern "C" const lab_peer lab_peers_cgal[] = {
    {"cgal", "boxes with exact predicates", create, destroy, nullptr, any, all, nullptr}, {}};
