/* SPDX-License-Identifier: MIT */
/* The broad-phase methods: by name, their state, and the automatic choice by the number of boxes. */
#include <string.h>

#include "broad/broad_phase.h"

static const grz_broad_method *const methods[GRAZE_BROAD_PHASE_METHOD_COUNT] = {
    [GRAZE_BROAD_PHASE_BRUTE_FORCE] = &grz_brute_force_method,
    [GRAZE_BROAD_PHASE_AXIS_SORT] = &grz_sort_and_sweep_method,
    [GRAZE_BROAD_PHASE_SWEEP_AND_PRUNE] = &grz_sweep_and_prune_method,
    [GRAZE_BROAD_PHASE_HASH_GRID] = &grz_hash_grid_method,
    [GRAZE_BROAD_PHASE_ORIENTED_GRID] = &grz_oriented_grid_method,
    [GRAZE_BROAD_PHASE_OCTREE] = &grz_octree_method,
    [GRAZE_BROAD_PHASE_BVH] = &grz_dynamic_bvh_method,
};

static const char *const names[GRAZE_BROAD_PHASE_METHOD_COUNT] = {
    [GRAZE_BROAD_PHASE_AUTO] = "auto",      [GRAZE_BROAD_PHASE_BRUTE_FORCE] = "brute",
    [GRAZE_BROAD_PHASE_AXIS_SORT] = "axis", [GRAZE_BROAD_PHASE_SWEEP_AND_PRUNE] = "sweep",
    [GRAZE_BROAD_PHASE_HASH_GRID] = "grid", [GRAZE_BROAD_PHASE_ORIENTED_GRID] = "oriented-grid",
    [GRAZE_BROAD_PHASE_OCTREE] = "octree",  [GRAZE_BROAD_PHASE_BVH] = "tree",
};

const grz_broad_method *grz_broad_method_of(graze_broad_phase_method method)
{
    return methods[method] != NULL ? methods[method] : &grz_brute_force_method;
}

void *grz_method_create(const grz_broad_method *method, const graze_context *context)
{
    graze_context *state = grz_allocate_zeroed(context, 1, method->state_size);
    if (state != NULL)
        *state = grz_context_copy(context);
    return state;
}

void grz_method_destroy(const grz_broad_method *method, void *state)
{
    graze_context context = *(graze_context *)state;
    if (method->release != NULL)
        method->release(&context, state);
    grz_release(&context, state);
}

size_t grz_method_memory(const grz_broad_method *method, const void *state)
{
    return method->state_size + (method->memory != NULL ? method->memory(state) : 0);
}

const char *graze_broad_phase_method_name(graze_broad_phase_method method)
{
    return method >= GRAZE_BROAD_PHASE_AUTO && method < GRAZE_BROAD_PHASE_METHOD_COUNT ? names[method] : NULL;
}

bool graze_broad_phase_method_from_name(const char *name, graze_broad_phase_method *out_method)
{
    if (name == NULL || out_method == NULL)
        return false;
    for (int method = GRAZE_BROAD_PHASE_AUTO; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
    {
        if (strcmp(graze_broad_phase_method_name((graze_broad_phase_method)method), name) == 0)
        {
            *out_method = (graze_broad_phase_method)method;
            return true;
        }
    }
    return false;
}

/* Hysteresis, so that a count that goes up and down does not switch the method each time. */
enum
{
    FEW = 64,
    NOT_SO_FEW = 96
};

graze_broad_phase_method grz_broad_choose_method(graze_broad_phase_method wanted, graze_broad_phase_method now,
                                                 size_t count)
{
    if (wanted != GRAZE_BROAD_PHASE_AUTO)
        return wanted;
    if (count <= FEW || (count <= NOT_SO_FEW && now == GRAZE_BROAD_PHASE_BRUTE_FORCE))
        return GRAZE_BROAD_PHASE_BRUTE_FORCE;
    return GRAZE_BROAD_PHASE_BVH;
}
