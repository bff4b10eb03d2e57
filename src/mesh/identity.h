/* SPDX-License-Identifier: MIT */
/*
 * Identity of a mesh among all that may have its address before or after it: a 128-bit hash of its vertices and
 * triangles. No clock and no global counter is needed, and equal meshes have equal identities.
 *
 * Two meshes that differ have equal identities with probability 2^-128 or so. Nothing relies on it alone: every cache
 * compares the address too, so that only a mesh at the address of another could be mistaken for it.
 */
#ifndef GRZ_MESH_IDENTITY_H
#define GRZ_MESH_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget_monitor.h"

typedef struct grz_identity
{
    uint64_t words[2];
} grz_identity;

/* Meaningless when the monitor (may be NULL) stops the call. */
grz_identity grz_identity_make(const double *coordinates, size_t coordinate_count, const uint32_t *indices,
                               size_t index_count, grz_monitor *monitor);

static inline bool grz_identity_equal(grz_identity a, grz_identity b)
{
    return a.words[0] == b.words[0] && a.words[1] == b.words[1];
}

#endif
