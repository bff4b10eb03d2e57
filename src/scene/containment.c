/* SPDX-License-Identifier: MIT */
/* Bodies in a scene; see containment.h. */
#include "scene/containment.h"

#include <string.h>

#include "mesh/mesh.h"
#include "mesh/topology.h"
#include "pair/solid/point_in_mesh.h"

static uint64_t key_of(const graze_mesh *mesh)
{
    return (uint64_t)(uintptr_t)mesh;
}

/* Leaves out the places of components that no triangle names. */
static void compact_corners(grz_solid_facts *facts)
{
    size_t count = 0;
    for (size_t i = 0; i < facts->component_count; i++)
        if (facts->corners[i] != UINT32_MAX)
            facts->corners[count++] = facts->corners[i];
    facts->corner_count = count;
}

/* One corner of each component that a face names; the others are single vertices, ends of such faces. */
static graze_status find_corners(const graze_context *context, const graze_mesh *mesh, const graze_topology *topology,
                                 grz_solid_facts *facts)
{
    size_t face_count = graze_mesh_face_count(mesh);
    uint32_t *components = grz_allocate(context, face_count, sizeof *components);
    graze_status status = components == NULL
                              ? GRAZE_STATUS_OUT_OF_MEMORY
                              : graze_topology_components(context, topology, components, &facts->component_count);
    if (status == GRAZE_STATUS_OK)
    {
        facts->corners = grz_allocate(context, facts->component_count, sizeof *facts->corners);
        status = facts->corners == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
    }
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < facts->component_count; i++)
        facts->corners[i] = UINT32_MAX;
    for (size_t triangle = mesh->triangle_count; status == GRAZE_STATUS_OK && triangle-- > 0;)
        facts->corners[components[graze_mesh_triangle_face(mesh, triangle)]] = mesh->triangles[3 * triangle];
    if (status == GRAZE_STATUS_OK)
        compact_corners(facts);
    grz_release(context, components);
    return status;
}

static graze_status find_facts(const graze_context *context, const graze_mesh *mesh, grz_solid_facts *out_facts)
{
    grz_solid_facts facts = {.stamp = mesh->stamp};
    graze_topology *topology;
    graze_status status = grz_topology_create(context, mesh, NULL, &topology);
    if (status != GRAZE_STATUS_OK)
        return status;
    size_t misoriented = 0;
    status = graze_topology_misoriented_faces(topology, NULL, 0, &misoriented);
    facts.closed = grz_topology_is_closed(topology);
    facts.oriented = misoriented == 0;
    if (status == GRAZE_STATUS_OK)
        status = find_corners(context, mesh, topology, &facts);
    graze_topology_destroy(topology);
    if (status == GRAZE_STATUS_OK)
        *out_facts = facts;
    else
        grz_release(context, facts.corners);
    return status;
}

graze_status grz_solid_cache_add(const graze_context *context, grz_solid_cache *solids, const graze_mesh *mesh)
{
    const uint32_t *known = grz_hash_map_find(&solids->places, key_of(mesh));
    /* shortcut: solid-facts */
    if (known != NULL && solids->facts.data[*known].stamp == mesh->stamp)
        return GRAZE_STATUS_OK;
    grz_solid_facts facts;
    graze_status status = find_facts(context, mesh, &facts);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (known != NULL)
    {
        grz_release(context, solids->facts.data[*known].corners);
        solids->facts.data[*known] = facts;
        return GRAZE_STATUS_OK;
    }
    uint32_t place = (uint32_t)solids->facts.count;
    if (!GRZ_RESERVE(context, &solids->facts, solids->facts.count + 1) ||
        !grz_hash_map_set(context, &solids->places, key_of(mesh), place))
    {
        grz_release(context, facts.corners);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    solids->facts.data[solids->facts.count++] = facts;
    return GRAZE_STATUS_OK;
}

/* Whether a placed corner may lie in a box. */
static bool may_lie_in(const double corner[3], const graze_pose *pose, const graze_box *box)
{
    interval point[3];
    grz_place_point(corner, pose, point);
    for (int axis = 0; axis < 3; axis++)
        /* shortcut: corners-in-boxes */
        if (point[axis].upper < box->lower[axis] || point[axis].lower > box->upper[axis])
            return false;
    return true;
}

graze_status grz_solid_contains(const graze_context *context, const grz_solid_cache *solids,
                                const graze_placed_mesh *outer, const graze_box *outer_box,
                                const graze_placed_mesh *inner, bool *out_holds)
{
    const grz_solid_facts *outer_facts = &solids->facts.data[*grz_hash_map_find(&solids->places, key_of(outer->mesh))];
    const grz_solid_facts *inner_facts = &solids->facts.data[*grz_hash_map_find(&solids->places, key_of(inner->mesh))];
    bool holds = false;
    grz_placed_aabb *boxes = NULL; /* without a tree */
    grz_world_tree world = grz_world_tree_make(outer->mesh, outer->tree, &outer->pose);
    for (size_t i = 0; i < inner_facts->corner_count && outer_facts->closed && !holds; i++)
    {
        const double *corner = grz_mesh_vertex(inner->mesh, inner_facts->corners[i]);
        if (!may_lie_in(corner, &inner->pose, outer_box))
            continue;
        if (world.tree == NULL && boxes == NULL)
            boxes = grz_placed_aabbs_create(context, outer->mesh, &outer->pose);
        if (world.tree == NULL && boxes == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        grz_body_view body = {outer->mesh, &outer->pose, world, boxes, outer_facts->oriented, NULL};
        holds = grz_locate_point(&body, corner, &inner->pose) == GRAZE_LOCATION_INSIDE;
    }
    grz_release(context, boxes);
    *out_holds = holds;
    return GRAZE_STATUS_OK;
}

void grz_solid_cache_release(const graze_context *context, grz_solid_cache *solids)
{
    for (size_t i = 0; i < solids->facts.count; i++)
        grz_release(context, solids->facts.data[i].corners);
    grz_release(context, solids->facts.data);
    grz_hash_map_release(context, &solids->places);
    *solids = (grz_solid_cache){0};
}
