/* SPDX-License-Identifier: MIT */
/* Whether a plane separates vertices of two moving meshes during an interval of time, as docs/certificate-format.md
 * says: exact. */
#ifndef GRZ_CERTIFICATE_PLANE_H
#define GRZ_CERTIFICATE_PLANE_H

#include "base/memory.h"
#include "certificate/bernstein.h"
#include "graze/mesh.h"

enum
{
    GRZ_FORM_CACHE_SIZE = 256 /* a power of two */
};

/* The forms of both bodies in a frame on an interval. */
typedef struct grz_cached_forms
{
    bool filled;
    grz_plane_frame frame;
    grz_time_cell time;
    grz_interval_form forms[2];
} grz_cached_forms;

/* Two motions and the distance that is claimed, with forms that were needed before. */
typedef struct grz_plane_check
{
    const graze_context *context;
    const double *vertices[2];
    graze_motion motions[2];
    double terms[3]; /* of the distance: clearance and deviations; it is their exact sum */
    interval distance;
    grz_cached_forms *cache;
    struct exact_forms *exact; /* NULL until needed */
    uint64_t exact_checks;
} grz_plane_check;

typedef enum grz_plane_verdict
{
    GRZ_PLANE_REFUSED,
    GRZ_PLANE_VALID,
    GRZ_PLANE_UNDECIDED /* out of memory */
} grz_plane_verdict;

/* The motions are such as certificates may have, the terms finite and not negative. False when out of memory; close in
   any case. */
bool grz_plane_check_open(const graze_context *context, const graze_mesh *const meshes[2],
                          const graze_motion motions[2], const double terms[3], grz_plane_check *out_check);
void grz_plane_check_close(grz_plane_check *check);

/* The forms in a frame on an interval; they live until the next call. */
const grz_cached_forms *grz_plane_forms(grz_plane_check *check, grz_plane_frame frame, grz_time_cell time);

/* Vertices of one body, by index. */
typedef struct grz_vertex_list
{
    const uint32_t *indices;
    size_t count;
} grz_vertex_list;

/* A plane is a normal and an offset, all finite. */
grz_plane_verdict grz_plane_is_valid(grz_plane_check *check, grz_plane_frame frame, grz_time_cell time,
                                     const double plane[4], grz_vertex_list a, grz_vertex_list b);

#endif
