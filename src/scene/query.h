/* SPDX-License-Identifier: MIT */
/* Shared by all scene queries: what they ask about, candidate objects and the filter. */
#ifndef GRZ_SCENE_QUERY_H
#define GRZ_SCENE_QUERY_H

#include "graze/scene_query.h"
#include "pair/subquery.h"
#include "scene/scene.h"

enum
{
    GRZ_OVERLAP_IDS_INLINE = 256
};

/* Objects whose boxes overlap a box, ascending. */
typedef struct grz_overlap_ids
{
    uint32_t *ids;
    size_t count;
    bool few_ids; /* ids points to `few` */
    uint32_t few[GRZ_OVERLAP_IDS_INLINE];
} grz_overlap_ids;

graze_status grz_scene_query_box(const graze_scene *scene, const graze_box *box, grz_overlap_ids *out_found);
void grz_overlap_ids_release(const graze_scene *scene, grz_overlap_ids *found);

/* The status of a query after that of one object (subquery.h); its work counts as the query's own. */
static inline graze_status grz_query_end_object(grz_monitor *monitor, graze_status status, const graze_stats *stats)
{
    status = grz_subquery_end(monitor, status, stats);
    bool goes_on = grz_monitor_work(monitor, stats->box_tests + GRZ_EXACT_TEST_WORK * stats->exact_signs);
    return status == GRAZE_STATUS_OK && !goes_on ? grz_monitor_status(monitor) : status;
}

/* What a query asks about: a mesh, or a shape. Must not be moved in memory. */
typedef struct grz_query_body
{
    const graze_placed_mesh *mesh; /* NULL: it is a shape */
    grz_derived_data *derived;     /* of the mesh */
    bool is_solid;                 /* the mesh is a solid */
    bool is_empty;                 /* nothing can collide; `box` is not set */
    graze_box box;
    graze_placed placed; /* the shape; of a mesh it is made when it is first needed */
    graze_shape *own_shape;
    grz_derived_data own_derived;
} grz_query_body;

/* `derived` may be NULL. Fail with BAD_ARGUMENT and as graze_placed_check; then there is nothing to release. */
graze_status grz_query_body_of_mesh(const graze_scene *scene, const graze_placed_mesh *mesh, grz_derived_data *derived,
                                    bool is_solid, grz_query_body *out);
graze_status grz_query_body_of_shape(const graze_placed *shape, grz_query_body *out);
void grz_query_body_release(grz_query_body *body);

/* Makes sure that `placed` has a shape. False when out of memory. */
bool grz_query_body_as_shape(grz_query_body *body);

/* Whether a query and an object are to be compared as shapes: one of them is no mesh. */
static inline bool grz_query_is_of_shapes(const graze_scene *scene, const grz_query_body *body, uint32_t index)
{
    return body->mesh == NULL || scene->shapes.data[index].shape != NULL;
}

/* The two triangles of a hit, if there are two. events.c */
bool grz_shape_hit_witness(const graze_shape_hit *hit, graze_hit *out_witness);

/* Whether an object is alive, has geometry, and passes the filter (may be NULL). */
bool grz_filter_accepts(const graze_scene *scene, const graze_scene_filter *filter, uint32_t index);

#endif
