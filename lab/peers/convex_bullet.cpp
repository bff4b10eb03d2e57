// SPDX-License-Identifier: MIT
//
// Bullet's convex hulls (double precision is not what the distribution ships: floats): GJK with a cached separating
// axis, EPA for penetration. Margins are 0, so that hulls are what they are; GJK then asks EPA when it meets contact.
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include <memory>

#include "../convex_hulls.h"

namespace
{

struct Pair
{
    std::unique_ptr<btConvexShape> a, b;
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver epa;
    std::unique_ptr<btGjkPairDetector> detector;
};

std::unique_ptr<btConvexShape> make_shape(const lab_hull &hull)
{
    std::unique_ptr<btConvexInternalShape> shape;
    if (hull.is_box != 0)
        shape = std::make_unique<btBoxShape>(
            btVector3(btScalar(hull.half[0]), btScalar(hull.half[1]), btScalar(hull.half[2])));
    else
    {
        auto points = std::make_unique<btConvexHullShape>();
        for (size_t v = 0; v < hull.vertex_count; v++)
            points->addPoint(
                btVector3(btScalar(hull.vertices[v][0]), btScalar(hull.vertices[v][1]), btScalar(hull.vertices[v][2])),
                false);
        points->recalcLocalAabb();
        shape = std::move(points);
    }
    shape->setMargin(0);
    return shape;
}

void *create(const lab_hull *a, const lab_hull *b)
{
    auto *pair = new Pair;
    pair->a = make_shape(*a);
    pair->b = make_shape(*b);
    pair->detector = std::make_unique<btGjkPairDetector>(pair->a.get(), pair->b.get(), &pair->simplex, &pair->epa);
    pair->detector->setCachedSeparatingAxis(btVector3(0, 1, 0));
    return pair;
}

void destroy(void *pair)
{
    delete static_cast<Pair *>(pair);
}

btTransform transform_of(const double *m)
{
    btTransform t;
    t.setBasis(btMatrix3x3(btScalar(m[0]), btScalar(m[1]), btScalar(m[2]), btScalar(m[4]), btScalar(m[5]),
                           btScalar(m[6]), btScalar(m[8]), btScalar(m[9]), btScalar(m[10])));
    t.setOrigin(btVector3(btScalar(m[3]), btScalar(m[7]), btScalar(m[11])));
    return t;
}

// The signed distance, negative where they overlap.
double signed_distance(void *user, const double a[12], const double b[12])
{
    auto *pair = static_cast<Pair *>(user);
    btPointCollector result;
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = transform_of(a);
    input.m_transformB = transform_of(b);
    pair->detector->getClosestPoints(input, result, nullptr);
    return result.m_hasResult ? double(result.m_distance) : 0;
}

double collide(void *pair, const double a[12], const double b[12])
{
    return signed_distance(pair, a, b) <= 0 ? 1 : 0;
}

double depth(void *pair, const double a[12], const double b[12])
{
    double distance = signed_distance(pair, a, b);
    return distance < 0 ? -distance : 0;
}

} // namespace

extern "C" const lab_convex_peer lab_convex_bullet = {"bullet", create, destroy, collide, signed_distance, depth};
