/* SPDX-License-Identifier: MIT */
/* Likely mistakes in a rules file: names and patterns that match no part; see rules.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/rules_data.h"

void rules_release_problems(clash_rules *rules)
{
    for (size_t i = 0; i < rules->problem_count; i++)
        free((void *)rules->problems[i].what);
    free(rules->problems);
    rules->problems = NULL;
    rules->problem_count = 0;
}

/* Takes ownership of the text. */
static bool add_problem(clash_rules *rules, char *what)
{
    clash_problem *problems = realloc(rules->problems, (rules->problem_count + 1) * sizeof *problems);
    if (problems != NULL)
        rules->problems = problems;
    if (what == NULL || problems == NULL)
    {
        free(what);
        return false;
    }
    problems[rules->problem_count++] = (clash_problem){.part = rules->path, .what = what};
    return true;
}

/* "groups.bolts[2]: ..." */
static bool add_unmatched_pattern(clash_rules *rules, size_t group, size_t pattern)
{
    const char *name = rules->group_names.names[group], *text = rules->groups[group].patterns[pattern];
    size_t size = strlen(name) + strlen(text) + 64;
    char *what = malloc(size);
    if (what != NULL)
        snprintf(what, size, "groups.%s[%zu]: no part matches '%s'", name, pattern, text);
    return add_problem(rules, what);
}

/* "limits[2].a: ..."; a rule's name has the kind of the file before that. */
static bool add_unmatched_side(clash_rules *rules, const clash_rule *rule, const rule_side *side)
{
    const char *place = rule->name + strlen("rules: ");
    const char *hint = side->hint != NULL ? side->hint : "";
    size_t size = strlen(place) + strlen(side->text) + strlen(hint) + 80;
    char *what = malloc(size);
    if (what != NULL)
        snprintf(what, size,
                 side->is_exact ? "%s.%s: there is no part '%s'%s%s%s" : "%s.%s: no part matches '%s'%s%s%s", place,
                 side->where, side->text, hint[0] != '\0' ? "; did you mean '" : "", hint, hint[0] != '\0' ? "'?" : "");
    return add_problem(rules, what);
}

static bool add_unused_approval(clash_rules *rules, const clash_rule *rule)
{
    char *what = malloc(128);
    if (what != NULL)
        snprintf(what, 128, "%s.id: there is no finding '%s'%s", rule->name + strlen("rules: "), rule->id,
                 rule->has_verdict ? " of that verdict" : "");
    return add_problem(rules, what);
}

bool clash_rules_problems(clash_rules *rules, bool with_approvals, const clash_problem **out_problems,
                          size_t *out_count)
{
    bool fits = true;
    rules_release_problems(rules);
    for (size_t g = 0; g < rules->group_names.count; g++)
        for (size_t k = 0; k < rules->groups[g].count; k++)
            if (!rules->groups[g].has_matches[k])
                fits = fits && add_unmatched_pattern(rules, g, k);
    for (size_t i = 0; i < rules->rule_count; i++)
    {
        const clash_rule *rule = &rules->rules[i];
        for (int s = 0; s < 2 && rule->kind == RULE_OF_NAMES; s++)
            if (rule->sides[s].text != NULL && !rule->sides[s].has_matches)
                fits = fits && add_unmatched_side(rules, rule, &rule->sides[s]);
        if (with_approvals && rule->kind == RULE_OF_ID && !rule->is_used)
            fits = fits && add_unused_approval(rules, rule);
    }
    if (!fits)
        return false;
    *out_problems = rules->problems;
    *out_count = rules->problem_count;
    return true;
}
