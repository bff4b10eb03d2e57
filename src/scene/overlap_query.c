/* SPDX-License-Identifier: MIT */
/* Overlap queries: the objects that a mesh, a shape, an object, a box or a point overlaps; see graze/scene_query.h. */
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
    /* After a failed update an object may have a box, but no geometry yet. */
    if (record->state != GRZ_OBJECT_ALIVE || !record->in_broad_phase || !grz_has_geometry(&scene->shapes.data[index]))
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

typedef struct overlap_query
{
    grz_query_body body;
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

/* Whether the surfaces share a point. */
static graze_status test_surfaces(const graze_scene *scene, const overlap_query *q, const graze_placed_mesh *object,
                                  grz_monitor *monitor, bool *out_found, graze_hit *out_hit)
{
    graze_stats stats = {0};
    graze_pair_options options = grz_subquery_options(monitor, &stats);
    graze_any_options any_options = grz_any_options_from(&options);
    graze_status status = q->point != NULL
                              ? test_point(scene, q, object, &options, out_found, out_hit)
                              : graze_pair_any(&scene->context, q->body.mesh, object, &any_options, out_found, out_hit);
    return grz_query_end_object(monitor, status, &stats);
}

/* Whether one of the two contains a component of the other. */
static graze_status test_containment(const graze_scene *scene, const overlap_query *q, uint32_t index, bool *out_inside)
{
    bool object_is_solid = scene->shapes.data[index].solid;
    *out_inside = false;
    if (!object_is_solid && !q->body.is_solid)
        return GRAZE_STATUS_OK;
    graze_placed_mesh placed = grz_scene_placed_mesh(scene, index);
    grz_placed_data object = {&placed, grz_scene_placed_data(scene, index), &scene->objects.data[index].box};
    grz_placed_data query = {q->body.mesh, q->body.derived, &q->body.box};
    graze_status status = GRAZE_STATUS_OK;
    if (object_is_solid)
        status = grz_solid_contains(&scene->context, &object, &query, out_inside);
    if (status == GRAZE_STATUS_OK && q->body.is_solid && !*out_inside)
        status = grz_solid_contains(&scene->context, &query, &object, out_inside);
    return status;
}

/* Both are meshes. */
static graze_status test_meshes(const graze_scene *scene, const overlap_query *q, uint32_t index, grz_monitor *monitor,
                                graze_object_hit *hit)
{
    graze_placed_mesh object = grz_scene_placed_mesh(scene, index);
    bool inside = false;
    graze_status status = test_surfaces(scene, q, &object, monitor, &hit->has_witness, &hit->witness);
    if (status == GRAZE_STATUS_OK && !hit->has_witness)
        status = test_containment(scene, q, index, &inside);
    hit->verdict = hit->has_witness || inside ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    return status;
}

static graze_status test_shapes(const graze_scene *scene, overlap_query *q, uint32_t index, grz_monitor *monitor,
                                graze_object_hit *hit)
{
    graze_placed object;
    if (!grz_query_body_as_shape(&q->body) || !grz_scene_as_shape(scene, index, &object))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_stats stats = {0};
    graze_shape_options options = graze_shape_options_default();
    options.stats = &stats;
    options.budget = grz_monitor_budget(monitor);
    graze_status status =
        graze_shape_pair_any(&scene->context, &q->body.placed, &object, &options, &hit->verdict, &hit->shape_hit);
    status = grz_query_end_object(monitor, status, &stats);
    hit->has_shape_hit = status == GRAZE_STATUS_OK && hit->verdict == GRAZE_VERDICT_YES;
    hit->has_witness = hit->has_shape_hit && grz_shape_hit_witness(&hit->shape_hit, &hit->witness);
    return status;
}

/* Hits are buffered until all are known: on failure `hits` is unchanged. */
static graze_status find_overlaps(const graze_scene *scene, overlap_query *q, const graze_scene_filter *filter,
                                  grz_monitor *monitor, graze_object_hit *hits, size_t capacity, size_t *out_count)
{
    size_t count = 0;
    GRZ_ARRAY(graze_object_hit) kept = {0};
    grz_overlap_ids found;
    graze_status status = grz_scene_query_box(scene, &q->body.box, &found);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (size_t i = 0; i < found.count && status == GRAZE_STATUS_OK; i++)
    {
        uint32_t index = found.ids[i];
        grz_monitor_stage(monitor, (double)(i + 1) / (double)found.count);
        grz_monitor_progress(monitor, 0);
        if (!grz_monitor_box_tests(monitor, 1))
            status = grz_monitor_status(monitor);
        if (status != GRAZE_STATUS_OK || index == q->leave_out || !grz_filter_accepts(scene, filter, index))
            continue;
        graze_object_hit met = {.object = grz_scene_handle(scene, index), .user = scene->labels.data[index].user};
        status = grz_query_is_of_shapes(scene, &q->body, index) ? test_shapes(scene, q, index, monitor, &met)
                                                                : test_meshes(scene, q, index, monitor, &met);
        if (status != GRAZE_STATUS_OK || met.verdict == GRAZE_VERDICT_NO)
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

/* The common part of all queries. `made` is the status with which the body of the query was made; it is released. */
static graze_status run_query(const graze_scene *scene, overlap_query *q, graze_status made,
                              const graze_scene_filter *filter, const graze_budget *budget, graze_object_hit *hits,
                              size_t capacity, size_t *out_count)
{
    GRZ_FULL_STRUCT(graze_scene_filter, filter);
    bool fits = out_count != NULL && (hits != NULL || capacity == 0) && filter_fits;
    graze_status status = fits ? made : GRAZE_STATUS_BAD_ARGUMENT;
    if (status == GRAZE_STATUS_OK && q->body.is_empty)
        *out_count = 0;
    else if (status == GRAZE_STATUS_OK)
    {
        grz_environment environment;
        grz_environment_enter_default(&environment);
        grz_monitor monitor = grz_monitor_make(budget);
        status = find_overlaps(scene, q, filter, grz_monitor_is_needed(&monitor) ? &monitor : NULL, hits, capacity,
                               out_count);
        grz_environment_leave_default(&environment);
    }
    if (made == GRAZE_STATUS_OK)
        grz_query_body_release(&q->body);
    return status;
}

static graze_status query_mesh(const graze_scene *scene, const graze_placed_mesh *mesh, bool is_solid,
                               const double *point, const graze_scene_filter *filter, const graze_budget *budget,
                               graze_object_hit *hits, size_t capacity, size_t *out_count)
{
    overlap_query q = {.point = point, .leave_out = GRZ_NO_OBJECT};
    graze_status made = grz_query_body_of_mesh(scene, mesh, NULL, is_solid, &q.body);
    return run_query(scene, &q, made, filter, budget, hits, capacity, out_count);
}

graze_status graze_scene_collide_mesh(const graze_scene *scene, const graze_placed_mesh *mesh,
                                      const graze_scene_filter *filter, const graze_budget *budget,
                                      graze_object_hit *hits, size_t capacity, size_t *out_count)
{
    if (scene == NULL || mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return query_mesh(scene, mesh, false, NULL, filter, budget, hits, capacity, out_count);
}

graze_status graze_scene_collide_shape(const graze_scene *scene, const graze_placed *shape,
                                       const graze_scene_filter *filter, const graze_budget *budget,
                                       graze_object_hit *hits, size_t capacity, size_t *out_count)
{
    if (scene == NULL || shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    overlap_query q = {.leave_out = GRZ_NO_OBJECT};
    graze_status made = grz_query_body_of_shape(shape, &q.body);
    return run_query(scene, &q, made, filter, budget, hits, capacity, out_count);
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
    const grz_placed_shape *shape = &scene->shapes.data[object.index];
    if (!record->in_broad_phase || !grz_has_geometry(shape))
    {
        *out_count = 0;
        return GRAZE_STATUS_OK;
    }
    graze_placed_mesh mesh = grz_scene_placed_mesh(scene, object.index);
    graze_placed placed = grz_scene_placed_shape(scene, object.index);
    overlap_query q = {.leave_out = object.index};
    graze_status made =
        shape->shape != NULL
            ? grz_query_body_of_shape(&placed, &q.body)
            : grz_query_body_of_mesh(scene, &mesh, grz_scene_placed_data(scene, object.index), shape->solid, &q.body);
    return run_query(scene, &q, made, filter, budget, hits, capacity, out_count);
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
    status = query_mesh(scene, &probe.placed, true, NULL, filter, budget, hits, capacity, out_count);
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
    status = query_mesh(scene, &probe.placed, false, point, filter, budget, hits, capacity, out_count);
    grz_query_mesh_release(&probe);
    return status;
}
