/* SPDX-License-Identifier: MIT */
/* Decides candidate pairs many at a time; see contact_lanes.h. */
#include "pair/hit/contact_lanes.h"

#include <string.h>

#include "base/environment.h"
#include "mesh/mesh.h"
#include "pair/hit/contact_frame.h"
#include "pair/hit/decide_pairs.h"

enum
{
    LEAST_IN_LANES = 16 /* pairs of one call from which on lanes are used */
};

/* Finds the corners of a triangle; their memory is fetched ahead of its use. */
static inline void find_corners(const graze_mesh *mesh, uint32_t triangle, unsigned lane,
                                const double *(*out)[GRZ_CONTACT_PAIRS])
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    for (int c = 0; c < 3; c++)
    {
        out[c][lane] = grz_mesh_vertex(mesh, corners[c]);
        __builtin_prefetch(out[c][lane]);
    }
}

static bool decide_corners(grz_query_part *part, const uint64_t *keys, unsigned count, const grz_contact_pairs *corners)
{
    grz_contacts found = {.decided = 0};
    part->traversal.kernels->contacts(corners, count, &part->lanes.frame, &found);
    return grz_record_contacts(part, keys, count, &found);
}

/* Decides some pairs; lanes after the last repeat it. */
static bool decide_some(grz_query_part *part, const uint64_t *keys, unsigned count)
{
    const grz_query *q = part->query;
    const double *a[3][GRZ_CONTACT_PAIRS], *b[3][GRZ_CONTACT_PAIRS];
    if (!part->lanes.usable)
    {
        const grz_contacts none = {.decided = 0};
        return grz_record_contacts(part, keys, count, &none);
    }
    for (unsigned lane = 0; lane < count || lane % GRZ_LANES != 0; lane++)
    {
        uint64_t key = keys[lane < count ? lane : count - 1];
        find_corners(q->a->mesh, (uint32_t)(key >> 32), lane, a);
        find_corners(q->b->mesh, (uint32_t)key, lane, b);
    }
    return decide_corners(part, keys, count, &(grz_contact_pairs){{a[0], a[1], a[2]}, {b[0], b[1], b[2]}});
}

/* The next pairs that are to be decided; *next is moved past them. */
static unsigned take_pairs(grz_query_part *part, const uint64_t **next, const uint64_t *end,
                           uint64_t out[GRZ_CONTACT_PAIRS])
{
    size_t left = (size_t)(end - *next), most = left < GRZ_CONTACT_PAIRS ? left : GRZ_CONTACT_PAIRS;
    unsigned count = 0;
    if (!part->query->buffered_only)
    {
        memcpy(out, *next, most * sizeof *out);
        *next += most;
        return (unsigned)most;
    }
    for (; *next < end && count < GRZ_CONTACT_PAIRS; ++*next)
    {
        if (!grz_skip_pair(part, (uint32_t)(**next >> 32), (uint32_t) * *next))
            out[count++] = **next;
    }
    return count;
}

/* Decides pairs one by one: the double filter is faster for few, and needs no frame. */
static bool decide_few(grz_query_part *part, const uint64_t *keys, size_t count)
{
    bool go_on = true;
    for (size_t i = 0; i < count && go_on; i++)
        go_on = grz_decide_in_frame(part, (uint32_t)(keys[i] >> 32), (uint32_t)keys[i], false);
    return go_on;
}

bool grz_decide_in_lanes(void *user, const uint64_t *keys, size_t count, const grz_contact_pairs *corners)
{
    grz_query_part *part = user;
    const uint64_t *next = keys, *end = keys + count;
    if (count < LEAST_IN_LANES)
        return decide_few(part, keys, count);
    grz_environment environment;
    grz_environment_enter_default(&environment);
    if (!part->lanes.started)
        part->lanes.usable = grz_contact_frame_make(part->query, &part->lanes.frame);
    part->lanes.started = true;
    if (corners != NULL && part->lanes.usable && !part->query->buffered_only)
    {
        decide_corners(part, keys, (unsigned)count, corners);
        next = end;
    }
    while (next < end && !part->out_of_memory)
    {
        uint64_t some[GRZ_CONTACT_PAIRS] = {0};
        unsigned these = take_pairs(part, &next, end, some);
        if (these > 0 && !decide_some(part, some, these))
            break;
    }
    grz_environment_leave_default(&environment);
    return !part->out_of_memory;
}
