/* SPDX-License-Identifier: MIT */
/* Overlap queries: the objects that a mesh, an object, a box or a point overlaps; see graze/scene_query.h. */
#include "scene/query.h"

#include <string.h>

#include "base/array.h"
#include "base/environment.h"
#include "base/struct_size.h"
#include "broad/fat_aabb.h"
#include "graze/mesh_query.h"
#include "graze/scene_query.h"
#include "mesh/mesh.h"
#include "pair/mesh_query/query_mesh.h"
#include "scene/containment.h"

bool grz_filter_accepts(const graze_scene *scene, const graze_scene_filter *filter, uint32_t index)
{
    const grz_object_record *record = &scene->objects.data[index];
    /* After a failed update an object may have a box, but no mesh yet. */
    if (record->state != GRZ_OBJECT_ALIVE || !record->in_broad_phase || scene->shapes.data[index].mesh == NULL)
        return false;
    if (filter == NULL)
        return true;
    if ((filter->layers >> record->layer & 1) == 0)
        return false;
    for (uint32_t above = index; above != GRZ_NO_OBJECT && filter->except.generation != 0;
         above = scene->objects.data[above].parent)
        if (above == filter->except.index && scene->labels.data[above].generation == filter->except.generation)
            return false;
    return true;
}

graze_status grz_scene_query_box(const graze_scene *scene, const graze_box *box, grz_overlap_ids *out_found)
{
    grz_overlap_ids found = {.ids = out_found->few, .few_ids = true};
    graze_status status =
        graze_broad_phase_collide_box(scene->broad, box, out_found->few, GRZ_OVERLAP_IDS_INLINE, &found.count);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (found.count > GRZ_OVERLAP_IDS_INLINE)
    {
        found.few_ids = false;
        found.ids = grz_allocate(&scene->context, found.count, sizeof *found.ids);
        if (found.ids == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        status = graze_broad_phase_collide_box(scene->broad, box, found.ids, found.count, &found.count);
        if (status != GRAZE_STATUS_OK)
        {
            grz_release(&scene->context, found.ids);
            return status;
        }
    }
    out_found->ids = found.ids;
    out_found->count = found.count;
    out_found->few_ids = found.few_ids;
    return GRAZE_STATUS_OK;
}

void grz_overlap_ids_release(const graze_scene *scene, grz_overlap_ids *found)
{
    if (!found->few_ids)
        grz_release(&scene->context, found->ids);
}

/* The mesh of a query, and what it represents. */
typedef struct overlap_query
{
    const graze_placed_mesh *mesh;
    grz_derived_data *derived; /* of the mesh; NULL: made for this query */
    bool is_body;
    const double *point; /* NULL unless the mesh represents a point */
    uint32_t leave_out;  /* the object of the query, or GRZ_NO_OBJECT */
} overlap_query;

/* A triangle that a point lies on. A mesh of one point is too small beside most trees for a pair query that uses them.
 */
static graze_status test_point(const graze_scene *scene, const overlap_query *q, const graze_placed_mesh *object,
                               const graze_pair_options *options, bool *out_found, graze_hit *out_hit)
{
    uint32_t triangle;
    size_t count = 0;
    graze_status status =
        graze_placed_mesh_collide_point(&scene->context, object, q->point, options, &triangle, 1, &count);
    *out_found = status == GRAZE_STATUS_OK && count > 0;
    if (!*out_found)
        return status;
    const graze_mesh *mesh = object->mesh;
    const uint32_t *corners = &mesh->triangles[3 * (size_t)triangle];
    graze_placed_triangle at_point = {{q->point, q->point, q->point}, NULL};
    graze_placed_triangle of_object = {
        {grz_mesh_vertex(mesh, corners[0]), grz_mesh_vertex(mesh, corners[1]), grz_mesh_vertex(mesh, corners[2])},
        &object->pose};
    *out_hit = (graze_hit){.triangle_b = triangle,
                           .face_b = grz_mesh_face(mesh, triangle),
                           .contact = graze_triangle_collide(&at_point, &of_object)};
    return GRAZE_STATUS_OK;
}

/* Whether one of the two contains a component of the other. */
static graze_status test_containment(const graze_scene *scene, const overlap_query *q, const graze_box *query_box,
                                     uint32_t index, bool *out_inside)
{
    bool object_is_body = scene->shapes.data[index].solid;
    *out_inside = false;
    if (!object_is_body && !q->is_body)
        return GRAZE_STATUS_OK;
    graze_placed_mesh placed = grz_scene_placed_mesh(scene, index);
    grz_placed_data object = {&placed, grz_scene_placed_data(scene, index), &scene->objects.data[index].box};
    grz_placed_data query = {q->mesh, q->derived, query_box};
    graze_status status = GRAZE_STATUS_OK;
    if (object_is_body)
        status = grz_solid_contains(&scene->context, &object, &query, out_inside);
    if (status == GRAZE_STATUS_OK && q->is_body && !*out_inside)
        status = grz_solid_contains(&scene->context, &query, &object, out_inside);
    return status;
}

/* Hits are buffered until all are known: on failure `hits` is unchanged. */
static graze_status find_overlaps(const graze_scene *scene, const overlap_query *q, const graze_scene_filter *filter,
                                  grz_monitor *monitor, graze_object_hit *hits, size_t capacity, size_t *out_count)
{
    const graze_placed_mesh *query = q->mesh;
    size_t count = 0;
    graze_box box = grz_world_aabb(query->mesh, &query->pose);
    GRZ_ARRAY(graze_object_hit) kept = {0};
    grz_overlap_ids found;
    graze_status status = grz_scene_query_box(scene, &box, &found);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (size_t i = 0; i < found.count && status == GRAZE_STATUS_OK; i++)
    {
        grz_monitor_stage(monitor, (double)(i + 1) / (double)found.count);
        grz_monitor_progress(monitor, 0);
        if (!grz_monitor_box_tests(monitor, 1))
            status = grz_monitor_status(monitor);
        if (status != GRAZE_STATUS_OK || found.ids[i] == q->leave_out ||
            !grz_filter_accepts(scene, filter, found.ids[i]))
            continue;
        graze_placed_mesh object = grz_scene_placed_mesh(scene, found.ids[i]);
        graze_object_hit met = {.object = grz_scene_handle(scene, found.ids[i]),
                                .user = scene->labels.data[found.ids[i]].user};
        bool inside = false;
        graze_stats stats;
        graze_pair_options options = grz_subquery_options(monitor, &stats);
        graze_any_options any_options = grz_any_options_from(&options);
        status = q->point != NULL
                     ? test_point(scene, q, &object, &options, &met.has_witness, &met.witness)
                     : graze_pair_any(&scene->context, query, &object, &any_options, &met.has_witness, &met.witness);
        status = grz_query_end_object(monitor, status, &stats);
        if (status == GRAZE_STATUS_OK && !met.has_witness)
            status = test_containment(scene, q, &box, found.ids[i], &inside);
        if (status != GRAZE_STATUS_OK || (!met.has_witness && !inside))
            continue;
        if (count < capacity && !GRZ_PUSH(&scene->context, &kept, met))
            status = GRAZE_STATUS_OUT_OF_MEMORY;
        count++;
    }
    grz_overlap_ids_release(scene, &found);
    if (status == GRAZE_STATUS_OK)
        *out_count = count;
    if (status == GRAZE_STATUS_OK && kept.count > 0)
        memcpy(hits, kept.data, kept.count * sizeof *hits);
    grz_release(&scene->context, kept.data);
    return status;
}

/* The common part of all four queries. */
static graze_status run_query(const graze_scene *scene, const overlap_query *q, const graze_scene_filter *filter,
                              const graze_budget *budget, graze_object_hit *hits, size_t capacity, size_t *out_count)
{
    const graze_placed_mesh *query = q->mesh;
    GRZ_FULL_STRUCT(graze_scene_filter, filter);
    if (query->mesh == NULL || out_count == NULL || (hits == NULL && capacity > 0) || !filter_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = graze_pose_check(&query->pose, NULL);
    if (status == GRAZE_STATUS_OK && query->mesh->triangle_count == 0)
        *out_count = 0;
    if (status != GRAZE_STATUS_OK || query->mesh->triangle_count == 0)
        return status;
    grz_environment environment;
    grz_derived_data own;
    grz_environment_enter_default(&environment);
    grz_monitor monitor = grz_monitor_make(budget);
    grz_derived_data_init(&own, &scene->context, query->mesh);
    overlap_query with_data = *q;
    if (q->derived == NULL)
        with_data.derived = &own;
    status = find_overlaps(scene, &with_data, filter, grz_monitor_is_needed(&monitor) ? &monitor : NULL, hits, capacity,
                           out_count);
    grz_derived_data_release(&own);
    grz_environment_leave_default(&environment);
    return status;
}

graze_status graze_scene_collide_mesh(const graze_scene *scene, const graze_placed_mesh *mesh,
                                      const graze_scene_filter *filter, const graze_budget *budget,
                                      graze_object_hit *hits, size_t capacity, size_t *out_count)
{
    if (scene == NULL || mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    overlap_query q = {.mesh = mesh, .leave_out = GRZ_NO_OBJECT};
    return run_query(scene, &q, filter, budget, hits, capacity, out_count);
}

graze_status graze_scene_collide_object(const graze_scene *scene, graze_object object, const graze_scene_filter *filter,
                                        const graze_budget *budget, graze_object_hit *hits, size_t capacity,
                                        size_t *out_count)
{
    GRZ_FULL_STRUCT(graze_scene_filter, filter);
    if (scene == NULL || out_count == NULL || (hits == NULL && capacity > 0) || !filter_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL || !record->placed)
        return GRAZE_STATUS_BAD_INDEX;
    if (!record->in_broad_phase || scene->shapes.data[object.index].mesh == NULL)
    {
        *out_count = 0;
        return GRAZE_STATUS_OK;
    }
    graze_placed_mesh placed = grz_scene_placed_mesh(scene, object.index);
    overlap_query q = {.mesh = &placed,
                       .derived = grz_scene_placed_data(scene, object.index),
                       .is_body = scene->shapes.data[object.index].solid,
                       .leave_out = object.index};
    return run_query(scene, &q, filter, budget, hits, capacity, out_count);
}

graze_status graze_scene_collide_box(const graze_scene *scene, const graze_box *box, const graze_scene_filter *filter,
                                     const graze_budget *budget, graze_object_hit *hits, size_t capacity,
                                     size_t *out_count)
{
    if (scene == NULL || box == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = grz_aabb_check(box);
    grz_query_mesh probe;
    if (status == GRAZE_STATUS_OK)
        status = grz_query_mesh_box(&scene->context, box, &probe);
    if (status != GRAZE_STATUS_OK)
        return status;
    overlap_query q = {.mesh = &probe.placed, .is_body = true, .leave_out = GRZ_NO_OBJECT};
    status = run_query(scene, &q, filter, budget, hits, capacity, out_count);
    grz_query_mesh_release(&probe);
    return status;
}

graze_status graze_scene_collide_point(const graze_scene *scene, const double point[3],
                                       const graze_scene_filter *filter, const graze_budget *budget,
                                       graze_object_hit *hits, size_t capacity, size_t *out_count)
{
    if (scene == NULL || point == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_query_mesh probe;
    graze_status status = grz_query_mesh_point(&scene->context, point, &probe);
    if (status != GRAZE_STATUS_OK)
        return status;
    overlap_query q = {.mesh = &probe.placed, .point = point, .leave_out = GRZ_NO_OBJECT};
    status = run_query(scene, &q, filter, budget, hits, capacity, out_count);
    grz_query_mesh_release(&probe);
    return status;
}
