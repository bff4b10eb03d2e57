/* SPDX-License-Identifier: MIT */
/* Shared by all scene queries: candidate objects and the filter. */
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

/* Whether an object is alive, has a mesh, and passes the filter (may be NULL). */
bool grz_filter_accepts(const graze_scene *scene, const graze_scene_filter *filter, uint32_t index);

#endif
