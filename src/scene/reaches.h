/* SPDX-License-Identifier: MIT */
/*
 * Tables of how far meshes reach (pair/reach.h), one for each mesh of a scene that keeps coming near others. They only
 * save time: where there is none, queries answer.
 */
#ifndef GRZ_SCENE_REACHES_H
#define GRZ_SCENE_REACHES_H

#include "base/array.h"
#include "base/table.h"
#include "pair/reach.h"

/* The table of the mesh at some address. */
typedef struct grz_known_reach
{
    grz_reach *table;
    uint32_t asked, patience; /* since it was made for another mesh there, or before this one changed; see reaches.c */
} grz_known_reach;

typedef struct grz_reaches
{
    GRZ_ARRAY(grz_known_reach) tables;
    grz_table places; /* by address of the mesh */
} grz_reaches;

/* The table of a tree's mesh, made when there is none yet, if there is time (then *out_made is set). NULL when there is
   none, when the mesh cannot have one, when it keeps changing, and when out of memory. Tables stay where they are until
   the release. */
const grz_reach *grz_reaches_get(const graze_context *context, grz_reaches *reaches, const graze_tree *tree,
                                 bool has_time, bool *out_made);

size_t grz_reaches_memory(const grz_reaches *reaches);
void grz_reaches_release(const graze_context *context, grz_reaches *reaches);

#endif
