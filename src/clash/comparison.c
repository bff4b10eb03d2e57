/* SPDX-License-Identifier: MIT */
/* Comparison of a finding with what was known of it; see comparison.h. */
#include "clash/comparison.h"

#include <math.h>

/* An undecided finding is weaker than any other. */
static int strength_of(graze_clash_verdict verdict)
{
    return verdict == GRAZE_CLASH_UNDECIDED ? 0 : (int)verdict;
}

static bool is_closer(const grz_clash_measures *then, const graze_clash_finding *now)
{
    if (!then->has_gap)
        return false;
    if (now->has_gap)
        return now->gap[1] < then->gap[0];
    return strength_of(now->verdict) >= (int)GRAZE_CLASH_TOUCHES && then->gap[0] > 0;
}

const char *grz_clash_worse(const grz_clash_measures *then, const graze_clash_finding *now)
{
    if (then->has_verdict && now->verdict != then->verdict)
        return strength_of(now->verdict) > strength_of(then->verdict) ? "its verdict is stronger" : NULL;
    const double *depth = then->depth_is_way_out ? now->way_out : now->depth;
    if (then->has_depth && now->has_depth && depth[0] > then->depth[1])
        return "it is deeper";
    if (is_closer(then, now))
        return "the gap is smaller";
    return then->has_set && now->set_count > then->set_count ? "the set has more parts" : NULL;
}

bool grz_clash_take_interval(grz_json_document *document, const grz_json_place *parent, const grz_json_node *object,
                             const char *key, bool *out_is_there, double out_interval[2])
{
    grz_json_place place = {.parent = parent, .key = key}, entry = {.parent = &place};
    const grz_json_node *item = grz_json_find_member(object, key);
    *out_is_there = item != NULL && item->kind != GRZ_JSON_NULL;
    if (!*out_is_there)
        return true;
    if (item->kind != GRZ_JSON_ARRAY || item->count != 2)
        return grz_json_refuse(document, &place, "expected null or a list of 2 numbers");
    for (const grz_json_node *bound = item->child; bound != NULL; bound = bound->next)
    {
        out_interval[entry.index] = entry.index == 0 ? 0 : INFINITY;
        if (bound->kind != GRZ_JSON_NULL && !grz_json_take_number(document, &entry, bound, &out_interval[entry.index]))
            return false;
        entry.index++;
    }
    return true;
}
