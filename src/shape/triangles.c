/* SPDX-License-Identifier: MIT */
/*
 * The triangles of two shapes that collide, leaf against leaf in their order. Two meshes: pairs of triangles, by the
 * queries of pair.h. A mesh and another shape: the triangles near its box, each decided as a shape of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/struct_size.h"
#include "shape/core.h"
#include "shape/leaves.h"
#include "shape/near_triangles.h"
#include "shape/small_shape.h"

/* What becomes of hits. */
typedef struct hit_sink
{
    grz_shape_query *q;
    graze_shape_counts counts;
    graze_shape_hit *hits; /* of the caller; or NULL */
    size_t capacity;
    graze_shape_hit_function visit; /* or NULL */
    void *user;
    bool stopped;
    uint32_t part_a, part_b;
} hit_sink;

/* Returns whether to go on. */
static bool take_hit(hit_sink *sink, graze_shape_hit *hit)
{
    hit->part_a = sink->part_a;
    hit->part_b = sink->part_b;
    if (sink->counts.hits < sink->capacity)
        sink->hits[sink->counts.hits] = *hit;
    sink->counts.hits++;
    sink->counts.crossing += hit->contact.found && hit->contact.crossing;
    sink->counts.touching += hit->contact.found && !hit->contact.crossing;
    sink->counts.coplanar += hit->contact.coplanar;
    sink->stopped = sink->visit != NULL && !sink->visit(sink->user, hit);
    return !sink->stopped;
}

/* ---- two meshes ---- */

static bool take_pair(void *user, const graze_hit *found)
{
    graze_shape_hit hit = grz_shape_hit_none();
    hit.triangle_a = found->triangle_a;
    hit.triangle_b = found->triangle_b;
    hit.face_a = found->face_a;
    hit.face_b = found->face_b;
    hit.contact = found->contact;
    return take_hit(user, &hit);
}

static graze_status visit_pairs(hit_sink *sink, const graze_placed *a, const graze_placed *b)
{
    grz_shape_query *q = sink->q;
    graze_placed_mesh first, second;
    graze_pair_options options = graze_pair_options_default();
    graze_stats stats = {0};
    graze_status status = grz_core_mesh(q, a, &first);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_mesh(q, b, &second);
    if (status != GRAZE_STATUS_OK)
        return status;
    options.stats = &stats;
    options.budget = grz_monitor_budget(q->monitor);
    status = graze_pair_visit(q->context, &first, &second, &options, take_pair, sink);
    status = grz_monitor_end_step(q->monitor, status, stats.box_tests);
    grz_shape_query_count(q, &stats);
    return status;
}

/* ---- a mesh and another shape ---- */

typedef GRZ_ARRAY(uint32_t) triangle_array;

typedef struct candidate_list
{
    const graze_context *context;
    triangle_array triangles;
    bool out_of_memory;
} candidate_list;

static bool keep_candidate(void *user, uint32_t triangle)
{
    candidate_list *list = user;
    list->out_of_memory = !GRZ_PUSH(list->context, &list->triangles, triangle);
    return !list->out_of_memory;
}

static int compare_triangles(const void *first, const void *second)
{
    uint32_t x = *(const uint32_t *)first, y = *(const uint32_t *)second;
    return (x > y) - (x < y);
}

static graze_status decide_triangle(hit_sink *sink, const graze_placed *mesh, uint32_t triangle,
                                    const graze_placed *other, bool mesh_first)
{
    const graze_mesh *m = mesh->shape->mesh;
    const double *const points[3] = {grz_mesh_vertex(m, m->triangles[3 * (size_t)triangle]),
                                     grz_mesh_vertex(m, m->triangles[3 * (size_t)triangle + 1]),
                                     grz_mesh_vertex(m, m->triangles[3 * (size_t)triangle + 2])};
    grz_small_shape small;
    graze_verdict verdict;
    graze_shape_hit hit = grz_shape_hit_none();
    grz_small_shape_make(sink->q, points, &mesh->pose, &small);
    graze_status status = grz_leaves_decide(sink->q, &small.placed, other, (grz_reach){0, false}, &verdict, &hit);
    grz_small_shape_release(&small);
    if (status != GRAZE_STATUS_OK)
        return status;
    sink->counts.unknown += verdict == GRAZE_VERDICT_UNKNOWN;
    if (verdict != GRAZE_VERDICT_YES)
        return status;
    hit.triangle_a = triangle;
    hit.face_a = graze_mesh_triangle_face(m, triangle);
    hit.triangle_b = hit.face_b = GRAZE_NO_TRIANGLE;
    memset(&hit.contact, 0, sizeof hit.contact);
    if (!mesh_first)
        grz_shape_hit_swap(&hit);
    return take_hit(sink, &hit) ? status : GRAZE_STATUS_CANCELLED;
}

static graze_status visit_triangles(hit_sink *sink, const grz_leaf_part *mesh, const grz_leaf_part *other,
                                    bool mesh_first)
{
    static const double nothing = 0;
    grz_shape_query *q = sink->q;
    graze_placed_mesh placed;
    candidate_list list = {.context = q->context};
    graze_status status = grz_core_mesh(q, &mesh->placed, &placed);
    if (status == GRAZE_STATUS_OK)
    {
        grz_visit_near_triangles(q, &placed, &other->bounds, &nothing, keep_candidate, &list);
        status = list.out_of_memory ? GRAZE_STATUS_OUT_OF_MEMORY : grz_monitor_status(q->monitor);
    }
    if (status == GRAZE_STATUS_OK && list.triangles.count > 1)
        qsort(list.triangles.data, list.triangles.count, sizeof *list.triangles.data, compare_triangles);
    for (size_t i = 0; i < list.triangles.count && status == GRAZE_STATUS_OK; i++)
    {
        q->stats.triangle_tests++;
        status = grz_monitor_exact_tests(q->monitor, 1)
                     ? decide_triangle(sink, &mesh->placed, list.triangles.data[i], &other->placed, mesh_first)
                     : grz_monitor_status(q->monitor);
    }
    grz_release(q->context, list.triangles.data);
    return status;
}

static graze_status visit_leaves(hit_sink *sink, const grz_leaf_part *a, const grz_leaf_part *b)
{
    bool has_a = graze_shape_has_triangles(a->placed.shape), has_b = graze_shape_has_triangles(b->placed.shape);
    sink->counts.has_triangles = sink->counts.has_triangles || has_a || has_b;
    sink->q->stats.box_tests++;
    if (!grz_monitor_box_tests(sink->q->monitor, 1))
        return grz_monitor_status(sink->q->monitor);
    if ((!has_a && !has_b) || grz_box_gap(&a->bounds, &b->bounds) > 0)
        return GRAZE_STATUS_OK;
    sink->part_a = a->number;
    sink->part_b = b->number;
    if (has_a && has_b)
        return visit_pairs(sink, &a->placed, &b->placed);
    return has_a ? visit_triangles(sink, a, b, true) : visit_triangles(sink, b, a, false);
}

static graze_status visit_all(const graze_context *context, const graze_placed *a, const graze_placed *b,
                              const graze_shape_options *options, hit_sink *sink)
{
    graze_shape_options wanted = options != NULL ? *options : graze_shape_options_default();
    grz_shape_call call;
    grz_leaves first, second;
    if (a == NULL || b == NULL || a->shape == NULL || b->shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_shape_query *q = sink->q = grz_shape_call_begin(&call, context, &wanted.budget, NULL);
    graze_status status = grz_leaves_make(q, a, &first);
    if (status == GRAZE_STATUS_OK)
    {
        status = grz_leaves_make(q, b, &second);
        if (status != GRAZE_STATUS_OK)
            second.count = 0;
        for (size_t i = 0; i < first.count && status == GRAZE_STATUS_OK; i++)
            for (size_t j = 0; j < second.count && status == GRAZE_STATUS_OK; j++)
                status = visit_leaves(sink, &first.parts[i], &second.parts[j]);
        if (second.count > 0)
            grz_leaves_release(q, &second);
        grz_leaves_release(q, &first);
    }
    grz_shape_call_end(&call, wanted.stats);
    return status;
}

graze_status graze_shape_pair_count(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                    const graze_shape_options *options, graze_shape_counts *out_counts)
{
    return graze_shape_pair_gather(context, a, b, options, NULL, 0, out_counts);
}

graze_status graze_shape_pair_gather(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                     const graze_shape_options *options, graze_shape_hit *hits, size_t capacity,
                                     graze_shape_counts *out_counts)
{
    GRZ_FULL_STRUCT(graze_shape_options, options);
    if (out_counts == NULL || (hits == NULL && capacity > 0) || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    hit_sink sink = {.hits = hits, .capacity = capacity};
    graze_status status = visit_all(context, a, b, options, &sink);
    if (status == GRAZE_STATUS_OK)
        *out_counts = sink.counts;
    return status;
}

graze_status graze_shape_pair_visit(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                    const graze_shape_options *options, graze_shape_hit_function visit, void *user)
{
    GRZ_FULL_STRUCT(graze_shape_options, options);
    if (visit == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    hit_sink sink = {.visit = visit, .user = user};
    return visit_all(context, a, b, options, &sink);
}
