// SPDX-License-Identifier: MIT
//
// ODE over many meshes: its hash space reports candidate pairs, and one contact of each pair of trimeshes is asked for.
// OPCODE collects all pairs of triangles first, in single precision. Where ODE fails an assertion, the pair is not
// counted.
#include <ode/ode.h>

#include <csetjmp>
#include <vector>

#include "scene_peer.h"

namespace
{

struct Mesh
{
    std::vector<float> vertices;
    std::vector<uint32_t> triangles;
    dTriMeshDataID data;
};

struct World
{
    dSpaceID space;
    std::vector<Mesh> meshes;
    std::vector<dGeomID> geometries;
};

// Failed assertions of ODE end here, as in ode.cpp.
std::jmp_buf way_out;

void leave(int, const char *, va_list)
{
    std::longjmp(way_out, 1);
}

void ignore_message(int, const char *, va_list)
{
}

bool start()
{
    return dInitODE2(0) != 0 && dAllocateODEDataForThread(dAllocateMaskAll) != 0;
}

void put(dGeomID geometry, const double *pose)
{
    const dMatrix3 rotation = {pose[0], pose[1], pose[2], 0,       pose[4],  pose[5],
                               pose[6], 0,       pose[8], pose[9], pose[10], 0};
    dGeomSetRotation(geometry, rotation);
    dGeomSetPosition(geometry, pose[3], pose[7], pose[11]);
}

void *create(const lab_scene_view *scene, int)
{
    static const bool started = start();
    if (!started)
        return nullptr;
    dSetMessageHandler(ignore_message);
    dSetDebugHandler(leave);
    auto *world = new World;
    world->space = dHashSpaceCreate(nullptr);
    dHashSpaceSetLevels(world->space, 0, 2);
    world->meshes.resize(scene->soup_count);
    for (size_t i = 0; i < scene->soup_count; i++)
    {
        const lab_soup &soup = scene->soups[i];
        Mesh &mesh = world->meshes[i];
        mesh.vertices.assign(soup.vertices, soup.vertices + 3 * soup.vertex_count);
        mesh.triangles.assign(soup.triangles, soup.triangles + 3 * soup.triangle_count);
        mesh.data = dGeomTriMeshDataCreate();
        dGeomTriMeshDataBuildSingle(mesh.data, mesh.vertices.data(), 3 * sizeof(float), int(soup.vertex_count),
                                    mesh.triangles.data(), int(mesh.triangles.size()), 3 * sizeof(uint32_t));
    }
    for (size_t i = 0; i < scene->count; i++)
    {
        dGeomID geometry =
            dCreateTriMesh(world->space, world->meshes[scene->soup_of[i]].data, nullptr, nullptr, nullptr);
        dGeomSetData(geometry, reinterpret_cast<void *>(i));
        put(geometry, scene->first + 12 * i);
        world->geometries.push_back(geometry);
    }
    return world;
}

void destroy(void *user)
{
    auto *world = static_cast<World *>(user);
    dSpaceDestroy(world->space);
    for (Mesh &mesh : world->meshes)
        dGeomTriMeshDataDestroy(mesh.data);
    delete world;
}

uint32_t number_of(dGeomID geometry)
{
    return uint32_t(reinterpret_cast<size_t>(dGeomGetData(geometry)));
}

void visit(void *tally, dGeomID a, dGeomID b)
{
    dContactGeom contact;
    if (setjmp(way_out) == 0 && dCollide(a, b, int(1 | CONTACTS_UNIMPORTANT), &contact, sizeof contact) > 0)
        lab_tally_add(static_cast<lab_tally *>(tally), number_of(a), number_of(b));
}

void frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    auto &world = *static_cast<World *>(user);
    for (size_t i = 0; i < scene->mover_count; i++)
        put(world.geometries[scene->movers[i]], scene->moved + 12 * i);
    dSpaceCollide(world.space, tally, visit);
}

} // namespace

extern "C" const lab_scene_peer lab_scenes_ode[] = {
    {"ode-scene", "hashed space, then OPCODE's boxes", true, false, 0, 0, create, destroy, frame}, {}};
