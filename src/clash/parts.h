/* SPDX-License-Identifier: MIT */
/* From the caller's parts to parts ready for the engine: bodies, AABBs and membership in the two sets; and trees, which
 * take most of the time, only for parts of pairs that need them. */
#ifndef GRZ_CLASH_PARTS_H
#define GRZ_CLASH_PARTS_H

#include "clash/report.h"
#include "graze/depth.h"

typedef struct grz_clash_parts
{
    grz_clash_part *parts;
    size_t count;
    const graze_mesh **meshes; /* each once, in order of first appearance */
    graze_tree **trees;        /* by mesh; NULL where there is none of our own */
    graze_body **bodies;       /* by mesh */
    size_t mesh_count;
    uint32_t *mesh_of;               /* by part */
    struct grz_clash_welded *welded; /* by mesh: instead of it, if it has a mesh; NULL: none. See weld_parts.c */
    graze_mesh *nothing;             /* the empty mesh of parts that are tested as shapes; NULL: there are none */
    graze_shape **shapes;            /* by part: of the mesh of one that meets such a part; NULL: none */
    graze_body **surfaces; /* by mesh: of a closed mesh that is meant to be a surface; NULL: none. See surfaces.c */
} grz_clash_parts;

/* Prepares everything but trees, one mesh per task. The options have the two sets, the surfaces and the resolution.
 * Release in any case. */
graze_status grz_clash_parts_make(const graze_context *context, const graze_clash_part *parts, size_t count,
                                  const graze_clash_options *options, graze_error *error, grz_clash_parts *out_parts);

/* Computes the AABB of a part in the world, and its slack. */
void grz_clash_part_compute_aabb(grz_clash_part *part);

/* Closes gaps that are narrower than the resolution of the parts that have them, unless these are surfaces; each such
 * part then has a mesh of its own. After that resolutions and surfaces do not change. Fails with OUT_OF_MEMORY or
 * TOO_LARGE. */
graze_status grz_clash_parts_weld(const graze_context *context, grz_clash_parts *parts, graze_error *error);

/* The number of gaps that were closed in the mesh of a part. */
size_t grz_clash_parts_gaps(const grz_clash_parts *parts, size_t part);

/* Releases what grz_clash_parts_weld made. */
void grz_clash_parts_release_welded(const graze_context *context, grz_clash_parts *parts);

/* Takes the inside from parts that are meant to be surfaces. Fails with OUT_OF_MEMORY. */
graze_status grz_clash_parts_open_surfaces(const graze_context *context, grz_clash_parts *parts, graze_error *error);
void grz_clash_parts_release_surfaces(const graze_context *context, grz_clash_parts *parts);

/* Builds the trees of the marked parts that have none yet, one mesh per task. */
graze_status grz_clash_parts_build_trees(const graze_context *context, grz_clash_parts *parts, const bool *marked,
                                         graze_error *error);
void grz_clash_parts_release(const graze_context *context, grz_clash_parts *parts);

#endif
