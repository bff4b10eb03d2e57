// SPDX-License-Identifier: MIT
//
// FCL's continuous collision of meshes, with the motion that interpolates linearly: naive, which asks at equal steps
// (100 of them), and conservative advancement.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/continuous_collision.h>

#include <memory>
#include <vector>

#include "../continuous_peers.h"

namespace
{

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;
using Transform = fcl::Transform3<double>;

struct Pair
{
    std::shared_ptr<Model> a, b;
};

std::shared_ptr<Model> make_model(const lab_soup *soup)
{
    auto model = std::make_shared<Model>();
    std::vector<fcl::Vector3<double>> vertices;
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < soup->vertex_count; i++)
        vertices.emplace_back(soup->vertices[3 * i], soup->vertices[3 * i + 1], soup->vertices[3 * i + 2]);
    for (size_t i = 0; i < soup->triangle_count; i++)
        triangles.emplace_back(soup->triangles[3 * i], soup->triangles[3 * i + 1], soup->triangles[3 * i + 2]);
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

void *create(const lab_soup *a, const lab_soup *b)
{
    return new Pair{make_model(a), make_model(b)};
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

template <fcl::CCDSolverType Solver, size_t Steps>
bool impact(void *pair, const double *start_a, const double *end_a, const double *start_b, const double *end_b,
            double *out_time)
{
    auto *p = static_cast<Pair *>(pair);
    fcl::ContinuousCollisionRequest<double> request(Steps, 1e-4, fcl::CCDM_LINEAR, fcl::GST_LIBCCD, Solver);
    fcl::ContinuousCollisionResult<double> result;
    fcl::continuousCollide<double>(p->a.get(), to_transform(start_a), to_transform(end_a), p->b.get(),
                                   to_transform(start_b), to_transform(end_b), request, result);
    *out_time = result.time_of_contact;
    return result.is_collide;
}

} // namespace

extern "C" const lab_continuous_peer lab_continuous_fcl[] = {
    {"fcl-naive", "asks at 100 times", false, create, destroy, impact<fcl::CCDC_NAIVE, 100>},
    {"fcl-advancement", "conservative advancement, 1e-4", false, create, destroy,
     impact<fcl::CCDC_CONSERVATIVE_ADVANCEMENT, 10>},
    {nullptr, nullptr, false, nullptr, nullptr, nullptr}};
