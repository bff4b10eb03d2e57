/* SPDX-License-Identifier: MIT */
/*
 * Separating planes of two meshes of a scene, found from their support tables without a query; and when a mesh gets its
 * table: once its contacts were disjoint often enough, a few in each frame.
 */
#include "base/clock.h"
#include "mesh/mesh.h"
#include "scene/narrow_phase.h"

enum
{
    MOST_TABLES = 8,      /* support tables built in a frame, at most */
    LEAST_TRIANGLES = 64, /* triangles of a mesh that gets a support table, at least */
    TABLE_NS = 200,       /* time per triangle, at most; with a deadline, half of the time left must suffice */
    SEPARATING_PLANES = 6 /* candidates for a separating plane that are tried */
};

static grz_placed_support placed_support(const grz_placed_shape *shape, const grz_world_state *world_state)
{
    return (grz_placed_support){shape->support, &world_state->world, world_state->sphere.centre,
                                world_state->sphere.error};
}

static bool has_support_table(const grz_placed_shape *shape)
{
    return shape->support != NULL && grz_identity_equal(shape->support->identity, shape->mesh->identity);
}

bool grz_object_needs_support_table(const grz_placed_shape *shape)
{
    return !has_support_table(shape) && shape->tree != NULL && shape->mesh->triangle_count >= LEAST_TRIANGLES;
}

/* Whether a separating plane is found from the support tables. Contacts that collided the last time are not tried. */
bool grz_contact_is_separated(const graze_scene *scene, grz_contact *contact)
{
    const grz_placed_shape *a = &scene->shapes.data[contact->a], *b = &scene->shapes.data[contact->b];
    if (contact->colliding || contact->search != NULL || !has_support_table(a) || !has_support_table(b))
        return false;
    grz_placed_support first = placed_support(a, &scene->world_states.data[contact->a]);
    grz_placed_support second = placed_support(b, &scene->world_states.data[contact->b]);
    /* shortcut: planes-between */
    return grz_find_separating_plane(&first, &second, SEPARATING_PLANES, contact->separating_axis);
}

/* Whether there is time to build the support table of a mesh before the deadline, if any. */
static bool has_time_for_table(const graze_mesh *mesh, uint64_t deadline)
{
    uint64_t now = deadline != 0 ? grz_clock_now() : 0;
    return deadline == 0 || (now < deadline && mesh->triangle_count <= (deadline - now) / 2 / TABLE_NS);
}

/* Gets the support table of the mesh of an object. Returns how many were built: 0 or 1. */
static unsigned build_support_table(graze_scene *scene, uint32_t index, uint64_t deadline)
{
    grz_placed_shape *shape = &scene->shapes.data[index];
    bool made = false;
    if (grz_object_needs_support_table(shape))
        shape->support = grz_derived_request_support_table(grz_scene_placed_data(scene, index), shape->tree,
                                                           has_time_for_table(shape->mesh, deadline), &made);
    return made;
}

/* Builds support tables of meshes whose contacts were disjoint often, a few in each frame, since that takes time. */
void grz_scene_build_support_tables(graze_scene *scene, uint64_t deadline)
{
    unsigned made = 0;
    for (size_t i = 0; i < scene->list.count && made < MOST_TABLES; i++)
    {
        grz_contact *contact = &scene->contacts.data[scene->list.data[i]];
        if (contact->disjoint_count < GRZ_DISJOINT_ENOUGH)
            continue;
        contact->disjoint_count = 0;
        made += build_support_table(scene, contact->a, deadline);
        made += build_support_table(scene, contact->b, deadline);
    }
    scene->wants_support_tables = false;
}
