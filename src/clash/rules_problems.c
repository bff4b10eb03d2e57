/* SPDX-License-Identifier: MIT */
/* Likely mistakes in rules: names and patterns that match no part; see rules.h. */
#include "clash/rules_data.h"
#include "text/format.h"

void grz_clash_rules_release_problems(grz_clash_rules *rules)
{
    for (size_t i = 0; i < rules->problem_count; i++)
        grz_release(rules->context, (char *)rules->problems[i].what);
    grz_release(rules->context, rules->problems);
    rules->problems = NULL;
    rules->problem_count = rules->problem_capacity = 0;
}

/* Takes ownership of the text. */
static bool add_problem(grz_clash_rules *rules, size_t source, char *what)
{
    bool fits = what != NULL && grz_array_reserve(rules->context, &rules->problems, &rules->problem_capacity,
                                                  rules->problem_count + 1, sizeof *rules->problems);
    if (fits)
        rules->problems[rules->problem_count++] = (graze_clash_problem){rules->book->inputs[source].path, what};
    else
        grz_release(rules->context, what);
    return fits;
}

/* "groups.bolts[2]: ..." */
static bool add_unmatched_patterns(grz_clash_rules *rules, size_t number)
{
    const graze_clash_rules *book = rules->book;
    const grz_clash_rules_source *source = &book->sources[number];
    bool fits = true;
    for (size_t g = 0; g < source->group_names.count; g++)
    {
        const grz_clash_rule_group *group = &book->groups[source->first_group + g];
        for (size_t k = 0; k < group->count && fits; k++)
            if (!rules->pattern_matches[group->first + k])
                fits = add_problem(rules, number,
                                   grz_format_text(rules->context, "groups.%s[%zu]: no part matches '%s'",
                                                   source->group_names.names[g], k, group->patterns[k]));
    }
    return fits;
}

/* "limits[2].a: ..." */
static bool add_unmatched_side(grz_clash_rules *rules, size_t number, int s)
{
    const grz_clash_rule *rule = &rules->rules[number];
    const grz_clash_rule_side *side = &rule->sides[s];
    const char *hint = rules->hints[2 * number + (size_t)s];
    return add_problem(
        rules, rule->source,
        grz_format_text(rules->context,
                        side->is_exact ? "%s.%s: there is no part '%s'%s%s%s" : "%s.%s: no part matches '%s'%s%s%s",
                        rule->place, side->where, side->text, hint != NULL ? "; did you mean '" : "",
                        hint != NULL ? hint : "", hint != NULL ? "'?" : ""));
}

static bool add_unused_approval(grz_clash_rules *rules, const grz_clash_rule *rule)
{
    return add_problem(rules, rule->source,
                       grz_format_text(rules->context, "%s.id: there is no finding '%s'", rule->place, rule->id));
}

/* What is fixed should be gone; of other reviews it is said. */
static bool add_unused_reviews(grz_clash_rules *rules)
{
    const graze_clash_rules *book = rules->book;
    bool fits = true;
    for (size_t i = 0; i < book->review_of.count && fits; i++)
    {
        const grz_clash_review *review = &book->reviews.data[book->review_of.data[i]];
        if (rules->is_reviewed[book->review_of.data[i]] ||
            review->what.state == grz_clash_review_states[GRZ_REVIEW_FIXED] ||
            grz_names_find(&book->ids, review->id) != GRZ_NO_NAME) /* said of the approval already */
            continue;
        fits = add_problem(
            rules, review->source,
            grz_format_text(rules->context, "review[%zu].id: there is no finding '%s'", review->index, review->id));
    }
    return fits;
}

static bool add_unmatched_surfaces(grz_clash_rules *rules)
{
    const graze_clash_rules *book = rules->book;
    bool fits = true;
    for (size_t i = 0; i < book->surfaces.count && fits; i++)
    {
        const grz_clash_surface *surface = &book->surfaces.data[i];
        if (!rules->surface_matches[i] && surface->pattern != NULL)
            fits = add_problem(rules, surface->source,
                               grz_format_text(rules->context, "surfaces[%zu]: no part matches '%s'", surface->index,
                                               surface->pattern));
    }
    return fits;
}

bool grz_clash_rules_problems(grz_clash_rules *rules, bool with_approvals, const graze_clash_problem **out_problems,
                              size_t *out_count)
{
    bool fits = true;
    grz_clash_rules_release_problems(rules);
    for (size_t i = 0; i < rules->book->source_count && fits; i++)
        fits = add_unmatched_patterns(rules, i);
    for (size_t i = 0; i < rules->rule_count; i++)
    {
        const grz_clash_rule *rule = &rules->rules[i];
        for (int s = 0; s < 2 && rule->kind == GRZ_RULE_OF_NAMES; s++)
            if (rule->sides[s].text != NULL && !rules->side_matches[2 * i + (size_t)s])
                fits = fits && add_unmatched_side(rules, i, s);
        if (with_approvals && rule->kind == GRZ_RULE_OF_ID && !rules->is_used[i] && !rule->is_repeated)
            fits = fits && add_unused_approval(rules, rule);
    }
    fits = fits && (!with_approvals || add_unused_reviews(rules)) && add_unmatched_surfaces(rules);
    if (!fits)
        return false;
    *out_problems = rules->problems;
    *out_count = rules->problem_count;
    return true;
}
