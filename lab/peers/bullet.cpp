// SPDX-License-Identifier: MIT
//
// Bullet: GImpact's tree of quantized boxes in single precision, then the triangle test of its collision algorithm,
// called as btGImpactCollisionAlgorithm does but without making contact manifolds. All pairs of leaves are collected
// first, in a boolean query too: its tree offers nothing else.
#include <BulletCollision/Gimpact/btGImpactQuantizedBvh.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

#include "peer.h"

namespace
{

struct Mesh
{
    std::vector<float> vertices;
    std::vector<int> triangles;
    btTriangleIndexVertexArray arrays;
    std::unique_ptr<btGImpactMeshShape> shape;
};

void *create(const lab_soup *soup)
{
    auto *mesh = new Mesh;
    mesh->vertices.assign(soup->vertices, soup->vertices + 3 * soup->vertex_count);
    mesh->triangles.assign(soup->triangles, soup->triangles + 3 * soup->triangle_count);
    btIndexedMesh part;
    part.m_numTriangles = int(soup->triangle_count);
    part.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(mesh->triangles.data());
    part.m_triangleIndexStride = 3 * sizeof(int);
    part.m_numVertices = int(soup->vertex_count);
    part.m_vertexBase = reinterpret_cast<const unsigned char *>(mesh->vertices.data());
    part.m_vertexStride = 3 * sizeof(float);
    part.m_vertexType = PHY_FLOAT;
    mesh->arrays.addIndexedMesh(part);
    mesh->shape = std::make_unique<btGImpactMeshShape>(&mesh->arrays);
    mesh->shape->setMargin(0);
    mesh->shape->updateBound();
    return mesh;
}

void destroy(void *mesh)
{
    delete static_cast<Mesh *>(mesh);
}

btTransform to_transform(const double *pose)
{
    float m[12];
    for (int i = 0; i < 12; i++)
        m[i] = float(pose[i]);
    return btTransform(btMatrix3x3(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]),
                       btVector3(m[3], m[7], m[11]));
}

bool triangles_meet(const btGImpactMeshShapePart *a, const btTransform &pose_a, const btGImpactMeshShapePart *b,
                    const btTransform &pose_b, int triangle_a, int triangle_b)
{
    btPrimitiveTriangle first, second;
    a->getPrimitiveTriangle(triangle_a, first);
    b->getPrimitiveTriangle(triangle_b, second);
    first.applyTransform(pose_a);
    second.applyTransform(pose_b);
    first.buildTriPlane();
    second.buildTriPlane();
    GIM_TRIANGLE_CONTACT contact;
    return first.overlap_test_conservative(second) && first.find_triangle_collision_clip_method(second, contact);
}

// Calls `found` for each pair until it returns false.
template <typename Found>
void collide(void *user_a, const double *pose_a, void *user_b, const double *pose_b, Found found)
{
    btGImpactMeshShapePart *a = static_cast<Mesh *>(user_a)->shape->getMeshPart(0);
    btGImpactMeshShapePart *b = static_cast<Mesh *>(user_b)->shape->getMeshPart(0);
    btTransform to_a = to_transform(pose_a), to_b = to_transform(pose_b);
    btPairSet pairs;
    btGImpactQuantizedBvh::find_collision(a->getBoxSet(), to_a, b->getBoxSet(), to_b, pairs);
    a->lockChildShapes();
    b->lockChildShapes();
    for (int i = 0; i < pairs.size(); i++)
    {
        int first = pairs[i].m_index1, second = pairs[i].m_index2;
        if (triangles_meet(a, to_a, b, to_b, first, second) && !found(uint32_t(first), uint32_t(second)))
            break;
    }
    a->unlockChildShapes();
    b->unlockChildShapes();
}

bool any(void *a, const double *pose_a, void *b, const double *pose_b)
{
    bool met = false;
    collide(a, pose_a, b, pose_b, [&](uint32_t, uint32_t) { return !(met = true); });
    return met;
}

uint64_t all(void *a, const double *pose_a, void *b, const double *pose_b, lab_pairs *out_pairs)
{
    std::vector<lab_pair> pairs;
    collide(a, pose_a, b, pose_b,
            [&](uint32_t first, uint32_t second)
            {
                pairs.push_back({first, second});
                return true;
            });
    for (const lab_pair &pair : pairs)
    {
        if (out_pairs != nullptr)
            lab_pairs_push(out_pairs, pair.a, pair.b);
    }
    return pairs.size();
}

} // namespace

extern "C" const lab_peer lab_peers_bullet[] = {
    {"bullet", "GImpact's quantized boxes in single precision", create, destroy, nullptr, any, all, nullptr}, {}};
