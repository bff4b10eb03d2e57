/* SPDX-License-Identifier: MIT */
/* What all questions to a scene share: which objects come into question. */
#ifndef GRZ_SCENE_QUERY_H
#define GRZ_SCENE_QUERY_H

#include "graze/scene_query.h"
#include "scene/scene.h"

enum
{
    GRZ_FEW_FOUND = 256
};

/* Objects whose boxes meet one, ascending. */
typedef struct grz_found
{
    uint32_t *ids;
    size_t count;
    bool few_ids; /* they are in `few` */
    uint32_t few[GRZ_FEW_FOUND];
} grz_found;

graze_status grz_scene_in_box(const graze_scene *scene, const graze_box *box, grz_found *out_found);
void grz_found_release(const graze_scene *scene, grz_found *found);

/* Whether an object is there, with a mesh, and the filter (may be NULL) wants it. */
bool grz_filter_takes(const graze_scene *scene, const graze_scene_filter *filter, uint32_t index);

#endif
