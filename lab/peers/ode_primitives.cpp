// SPDX-License-Identifier: MIT
//
// ODE over primitives: its hash space reports candidate pairs, and one contact of each is asked for.
#include <ode/ode.h>

#include <csetjmp>
#include <vector>

#include "scene_peer.h"

namespace
{

struct World
{
    dSpaceID space;
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

dGeomID make_geometry(dSpaceID space, const lab_primitive &p)
{
    switch (p.kind)
    {
    case LAB_SPHERE:
        return dCreateSphere(space, p.radius);
    case LAB_BOX:
        return dCreateBox(space, p.size[0], p.size[1], p.size[2]);
    case LAB_CAPSULE:
        return dCreateCapsule(space, p.radius, p.size[2]);
    default:
        return dCreateCylinder(space, p.radius, p.size[2]);
    }
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
    for (size_t i = 0; i < scene->count; i++)
    {
        dGeomID geometry = make_geometry(world->space, scene->primitives[i]);
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

extern "C" const lab_scene_peer lab_primitives_ode[] = {{"ode-primitives", "hashed space and its colliders", false, false,
                                                         0, 0, create, destroy, frame, false, true},
                                                        {}};
