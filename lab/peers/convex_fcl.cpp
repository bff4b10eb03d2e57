// SPDX-License-Identifier: MIT
//
// FCL's convex shapes with both of its narrow phases (libccd, and its own GJK and EPA), warm where it can be; and
// libccd itself, with a support function that climbs along edges from the last vertex.
#include <ccd/ccd.h>
#include <ccd/quat.h>

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <memory>
#include <vector>

#include "../convex_hulls.h"

namespace
{

using Transform = fcl::Transform3<double>;

struct Pair
{
    std::shared_ptr<fcl::CollisionGeometry<double>> a, b;
    fcl::CollisionRequest<double> collision;
    fcl::DistanceRequest<double> distance;
};

std::shared_ptr<fcl::CollisionGeometry<double>> make_shape(const lab_hull &hull)
{
    if (hull.is_box != 0)
        return std::make_shared<fcl::Box<double>>(2 * hull.half[0], 2 * hull.half[1], 2 * hull.half[2]);
    auto vertices = std::make_shared<std::vector<fcl::Vector3<double>>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (size_t v = 0; v < hull.vertex_count; v++)
        vertices->emplace_back(hull.vertices[v][0], hull.vertices[v][1], hull.vertices[v][2]);
    for (size_t t = 0; t < hull.triangle_count; t++)
    {
        faces->push_back(3);
        for (int k = 0; k < 3; k++)
            faces->push_back(int(hull.triangles[t][k]));
    }
    return std::make_shared<fcl::Convex<double>>(vertices, int(hull.triangle_count), faces);
}

void *create(const lab_hull *a, const lab_hull *b, fcl::GJKSolverType solver)
{
    auto *pair = new Pair;
    pair->a = make_shape(*a);
    pair->b = make_shape(*b);
    pair->collision.gjk_solver_type = pair->distance.gjk_solver_type = solver;
    pair->collision.enable_cached_gjk_guess = true;
    return pair;
}

void *create_ccd(const lab_hull *a, const lab_hull *b)
{
    return create(a, b, fcl::GST_LIBCCD);
}

void *create_indep(const lab_hull *a, const lab_hull *b)
{
    return create(a, b, fcl::GST_INDEP);
}

void destroy(void *pair)
{
    delete static_cast<Pair *>(pair);
}

Transform transform_of(const double *m)
{
    Transform t = Transform::Identity();
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            t(i, k) = m[4 * i + k];
    return t;
}

double collide(void *user, const double a[12], const double b[12])
{
    auto *pair = static_cast<Pair *>(user);
    fcl::CollisionResult<double> result;
    pair->collision.enable_contact = false;
    fcl::collide(pair->a.get(), transform_of(a), pair->b.get(), transform_of(b), pair->collision, result);
    pair->collision.cached_gjk_guess = result.cached_gjk_guess;
    return result.isCollision() ? 1 : 0;
}

double distance(void *user, const double a[12], const double b[12])
{
    auto *pair = static_cast<Pair *>(user);
    fcl::DistanceResult<double> result;
    return fcl::distance(pair->a.get(), transform_of(a), pair->b.get(), transform_of(b), pair->distance, result);
}

double depth(void *user, const double a[12], const double b[12])
{
    auto *pair = static_cast<Pair *>(user);
    fcl::CollisionResult<double> result;
    pair->collision.enable_contact = true;
    fcl::collide(pair->a.get(), transform_of(a), pair->b.get(), transform_of(b), pair->collision, result);
    double deepest = 0;
    for (size_t i = 0; i < result.numContacts(); i++)
        deepest = std::max(deepest, result.getContact(i).penetration_depth);
    return deepest;
}

// ---- libccd itself ----

struct Object
{
    const lab_hull *hull;
    double m[12];
    uint32_t last;
};

struct CcdPair
{
    Object a, b;
    ccd_t ccd;
};

void support(const void *user, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    auto *object = static_cast<Object *>(const_cast<void *>(user));
    const double *m = object->m;
    double q[3];
    for (int k = 0; k < 3; k++)
        q[k] = m[k] * direction->v[0] + m[4 + k] * direction->v[1] + m[8 + k] * direction->v[2];
    const lab_hull &hull = *object->hull;
    auto height = [&](uint32_t v)
    { return q[0] * hull.vertices[v][0] + q[1] * hull.vertices[v][1] + q[2] * hull.vertices[v][2]; };
    uint32_t vertex = object->last;
    double highest = height(vertex);
    for (bool better = true; better;)
    {
        uint32_t from = vertex;
        better = false;
        for (uint32_t i = hull.neighbour_starts[from]; i < hull.neighbour_starts[from + 1]; i++)
            if (height(hull.neighbours[i]) > highest)
            {
                vertex = hull.neighbours[i];
                highest = height(vertex);
                better = true;
            }
    }
    object->last = vertex;
    const double *v = hull.vertices[vertex];
    for (int k = 0; k < 3; k++)
        out->v[k] = m[4 * k] * v[0] + m[4 * k + 1] * v[1] + m[4 * k + 2] * v[2] + m[4 * k + 3];
}

void centre(const void *user, ccd_vec3_t *out)
{
    auto *object = static_cast<const Object *>(user);
    ccdVec3Set(out, object->m[3], object->m[7], object->m[11]);
}

void *create_plain(const lab_hull *a, const lab_hull *b)
{
    auto *pair = new CcdPair;
    pair->a = {a, {}, 0};
    pair->b = {b, {}, 0};
    CCD_INIT(&pair->ccd);
    pair->ccd.support1 = pair->ccd.support2 = support;
    pair->ccd.center1 = pair->ccd.center2 = centre;
    pair->ccd.max_iterations = 200;
    pair->ccd.epa_tolerance = 1e-6;
    return pair;
}

void destroy_plain(void *pair)
{
    delete static_cast<CcdPair *>(pair);
}

CcdPair &place(void *user, const double a[12], const double b[12])
{
    auto *pair = static_cast<CcdPair *>(user);
    std::copy(a, a + 12, pair->a.m);
    std::copy(b, b + 12, pair->b.m);
    return *pair;
}

double collide_plain(void *user, const double a[12], const double b[12])
{
    CcdPair &pair = place(user, a, b);
    return ccdGJKIntersect(&pair.a, &pair.b, &pair.ccd);
}

double depth_plain(void *user, const double a[12], const double b[12])
{
    CcdPair &pair = place(user, a, b);
    ccd_real_t depth = 0;
    ccd_vec3_t direction, position;
    return ccdGJKPenetration(&pair.a, &pair.b, &pair.ccd, &depth, &direction, &position) == 0 ? depth : 0;
}

} // namespace

extern "C" const lab_convex_peer lab_convex_fcl = {"fcl (libccd)", create_ccd, destroy, collide, distance, depth};
extern "C" const lab_convex_peer lab_convex_fcl_indep = {"fcl (its own)", create_indep, destroy,
                                                         collide,         distance,     depth};
extern "C" const lab_convex_peer lab_convex_ccd = {"libccd",      create_plain, destroy_plain,
                                                   collide_plain, nullptr,      depth_plain};
