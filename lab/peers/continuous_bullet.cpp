// SPDX-License-Identifier: MIT
//
// Bullet's continuous convex collision: conservative advancement of two convex hulls by GJK, in floats, margins 0. It
// takes no other meshes against each other.
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include "../continuous_peers.h"

namespace
{

struct Pair
{
    btConvexHullShape a, b;
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver epa;
};

void fill(const lab_soup *soup, btConvexHullShape *shape)
{
    for (size_t i = 0; i < soup->vertex_count; i++)
        shape->addPoint(btVector3(btScalar(soup->vertices[3 * i]), btScalar(soup->vertices[3 * i + 1]),
                                  btScalar(soup->vertices[3 * i + 2])),
                        false);
    shape->recalcLocalAabb();
    shape->setMargin(0);
}

void *create(const lab_soup *a, const lab_soup *b)
{
    auto *pair = new Pair;
    fill(a, &pair->a);
    fill(b, &pair->b);
    return pair;
}

void destroy(void *pair)
{
    delete static_cast<Pair *>(pair);
}

btTransform to_transform(const double *m)
{
    return btTransform(btMatrix3x3(btScalar(m[0]), btScalar(m[1]), btScalar(m[2]), btScalar(m[4]), btScalar(m[5]),
                                   btScalar(m[6]), btScalar(m[8]), btScalar(m[9]), btScalar(m[10])),
                       btVector3(btScalar(m[3]), btScalar(m[7]), btScalar(m[11])));
}

bool impact(void *pair, const double *start_a, const double *end_a, const double *start_b, const double *end_b,
            double *out_time)
{
    auto *p = static_cast<Pair *>(pair);
    btContinuousConvexCollision query(&p->a, &p->b, &p->simplex, &p->epa);
    btConvexCast::CastResult result;
    bool found = query.calcTimeOfImpact(to_transform(start_a), to_transform(end_a), to_transform(start_b),
                                        to_transform(end_b), result);
    *out_time = result.m_fraction;
    return found;
}

} // namespace

extern "C" const lab_continuous_peer lab_continuous_bullet[] = {
    {"bullet-convex", "continuous convex collision, floats", true, create, destroy, impact},
    {nullptr, nullptr, false, nullptr, nullptr, nullptr}};
