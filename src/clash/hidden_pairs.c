/* SPDX-License-Identifier: MIT */
/* Which rule hides a pair; see hidden_pairs.h. */
#include "clash/hidden_pairs.h"

#include "clash/part_kinds.h"

bool grz_clash_hidden_pairs_make(const grz_clash_request *request, grz_clash_hidden_pairs *out_pairs)
{
    *out_pairs = (grz_clash_hidden_pairs){.request = request};
    bool fits = true;
    for (size_t i = 0; i < request->part_count && fits; i++)
        fits = grz_names_add(request->context, &out_pairs->names, request->parts[i].name) != GRZ_NO_NAME;
    return fits;
}

void grz_clash_hidden_pairs_release(grz_clash_hidden_pairs *pairs)
{
    grz_names_release(pairs->request->context, &pairs->names);
}

static const char *name_of_entry(const grz_clash_request *request, size_t entry)
{
    size_t rules = grz_clash_rules_ignore_count(request->rules);
    return entry < rules ? grz_clash_rules_ignore_entry(request->rules, entry).rule
                         : grz_clash_interest_entry(request->interest, entry - rules).rule;
}

/* The limit that allows what was certainly measured then, or NULL. In a report of version 1 the depth was another. */
static const char *allowing_limit(const grz_clash_limits *limits, const grz_clash_measures *then)
{
    switch (then->verdict)
    {
    case GRAZE_CLASH_TOO_CLOSE:
        return then->has_gap && then->gap[0] >= limits->clearance ? limits->clearance_rule : NULL;
    case GRAZE_CLASH_TOUCHES:
        return limits->allow_touch ? limits->touch_rule : NULL;
    case GRAZE_CLASH_CROSSES:
        return then->has_depth && !then->depth_is_way_out && then->depth[1] <= limits->max_depth ? limits->depth_rule
                                                                                                 : NULL;
    default:
        return NULL;
    }
}

const char *grz_clash_hidden_by(const grz_clash_hidden_pairs *pairs, const char *a, const char *b,
                                const grz_clash_measures *then)
{
    const grz_clash_request *request = pairs->request;
    uint32_t first = grz_names_find(&pairs->names, a), second = grz_names_find(&pairs->names, b);
    size_t entry = 0;
    if (first == GRZ_NO_NAME || second == GRZ_NO_NAME)
        return NULL;
    if (first == second && !request->self)
        return "without --self";
    if (!grz_clash_is_possible(&request->parts[first], &request->parts[second]))
        return "--a and --b";
    if (first == second ? grz_clash_rules_ignore(request->rules, first, second, &entry)
                        : grz_clash_is_ignored(request, first, second, &entry))
        return name_of_entry(request, entry);
    grz_clash_limits limits = grz_clash_rules_limits(request->rules, first, second);
    return allowing_limit(&limits, then);
}
