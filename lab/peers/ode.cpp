// SPDX-License-Identifier: MIT
//
// ODE: trimesh against trimesh, which is OPCODE's AABB tree in single precision, followed by ODE's contact generation
// (which sometimes fails an assertion). It reports contacts and merges those that
// coincide, so that pairs of triangles may be missing from its answers; and it collects all pairs before it makes the
// first contact.
#include <ode/ode.h>

#include <algorithm>
#include <csetjmp>
#include <vector>

#include "peer.h"

namespace
{

constexpr int most_contacts = 0xffff;

struct Mesh
{
    std::vector<float> vertices;
    std::vector<uint32_t> triangles;
    dTriMeshDataID data;
    dGeomID geometry;
    std::vector<dContactGeom> contacts;
    bool broken = false; // by a failed assertion: it gets no more queries
};

void ignore_message(int, const char *, va_list)
{
}

// Failed assertions of ODE end here. It cannot continue then, and its memory leaks.
std::jmp_buf way_out;

void leave(int, const char *, va_list)
{
    std::longjmp(way_out, 1);
}

bool start()
{
    dSetMessageHandler(ignore_message);
    dSetDebugHandler(leave);
    return dInitODE2(0) != 0 && dAllocateODEDataForThread(dAllocateMaskAll) != 0;
}

// Where ODE merges two contacts, the first triangle's is kept.
int keep_first(dGeomID, int first, int)
{
    return first;
}

void *create(const lab_soup *soup)
{
    static const bool started = start();
    if (!started)
        return nullptr;
    auto *mesh = new Mesh;
    mesh->vertices.assign(soup->vertices, soup->vertices + 3 * soup->vertex_count);
    mesh->triangles.assign(soup->triangles, soup->triangles + 3 * soup->triangle_count);
    mesh->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(mesh->data, mesh->vertices.data(), 3 * sizeof(float), int(soup->vertex_count),
                                mesh->triangles.data(), int(mesh->triangles.size()), 3 * sizeof(uint32_t));
    mesh->geometry = dCreateTriMesh(nullptr, mesh->data, nullptr, nullptr, nullptr);
    dGeomTriMeshSetTriMergeCallback(mesh->geometry, keep_first);
    return mesh;
}

void destroy(void *user)
{
    auto *mesh = static_cast<Mesh *>(user);
    dGeomDestroy(mesh->geometry);
    dGeomTriMeshDataDestroy(mesh->data);
    delete mesh;
}

void set_pose(dGeomID geometry, const double *pose)
{
    const dMatrix3 rotation = {pose[0], pose[1], pose[2], 0,       pose[4],  pose[5],
                               pose[6], 0,       pose[8], pose[9], pose[10], 0};
    dGeomSetRotation(geometry, rotation);
    dGeomSetPosition(geometry, pose[3], pose[7], pose[11]);
}

int collide(Mesh &a, const double *pose_a, Mesh &b, const double *pose_b, int flags)
{
    set_pose(a.geometry, pose_a);
    set_pose(b.geometry, pose_b);
    a.contacts.resize(most_contacts);
    if (a.broken || setjmp(way_out) != 0)
    {
        a.broken = true;
        return -1;
    }
    return dCollide(a.geometry, b.geometry, flags, a.contacts.data(), sizeof(dContactGeom));
}

bool any(void *a, const double *pose_a, void *b, const double *pose_b)
{
    return collide(*static_cast<Mesh *>(a), pose_a, *static_cast<Mesh *>(b), pose_b, int(1 | CONTACTS_UNIMPORTANT)) > 0;
}

uint64_t all(void *a, const double *pose_a, void *b, const double *pose_b, lab_pairs *out_pairs)
{
    auto &mesh = *static_cast<Mesh *>(a);
    int count = collide(mesh, pose_a, *static_cast<Mesh *>(b), pose_b, most_contacts);
    if (count < 0)
        return LAB_GAVE_UP;
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    for (int i = 0; i < count; i++)
        pairs.emplace_back(uint32_t(mesh.contacts[size_t(i)].side1), uint32_t(mesh.contacts[size_t(i)].side2));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const auto &pair : pairs)
    {
        if (out_pairs != nullptr)
            lab_pairs_push(out_pairs, pair.first, pair.second);
    }
    return pairs.size();
}

} // namespace

extern "C" const lab_peer lab_peers_ode[] = {
    {"ode", "OPCODE's boxes in single precision, then contacts", create, destroy, nullptr, any, all, nullptr}, {}};
