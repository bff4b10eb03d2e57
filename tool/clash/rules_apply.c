/* SPDX-License-Identifier: MIT */
/* The limits of a pair: of all entries that apply the most specific one, for each limit separately, and the stricter of
 * two that are equally specific; see rules.h. */
#include <stdio.h>
#include <stdlib.h>

#include "clash/rules_data.h"
#include "shell/suggestion.h"

static const clash_severity default_severities[CLASH_SELF + 1] = {
    [CLASH_TOO_CLOSE] = CLASH_MAJOR,   [CLASH_TOUCHES] = CLASH_MINOR,   [CLASH_CROSSES] = CLASH_CRITICAL,
    [CLASH_CONTAINS] = CLASH_CRITICAL, [CLASH_DUPLICATE] = CLASH_MAJOR, [CLASH_SELF] = CLASH_MINOR};

/* A pair's limits while entries are compared, with the level of each. */
typedef struct weighing
{
    clash_limits limits;
    rule_level ignore_level, clearance_level, touch_level, depth_level, severity_levels[CLASH_SELF + 1];
} weighing;

/* Whether an entry overrides: its level is higher, or equal with a stricter value. */
static bool takes_over(rule_level level, rule_level held, bool is_stricter)
{
    return level > held || (level == held && is_stricter);
}

/* Of two equally specific entries with the same value the first of the file is named. */
static void weigh_limits(weighing *at, const clash_rule *rule)
{
    clash_limits *limits = &at->limits;
    if (rule->has_clearance && takes_over(rule->level, at->clearance_level, rule->clearance > limits->clearance))
    {
        limits->clearance = rule->clearance;
        limits->clearance_rule = rule->name;
        at->clearance_level = rule->level;
    }
    if (rule->has_allow_touch && takes_over(rule->level, at->touch_level, limits->allow_touch && !rule->allow_touch))
    {
        limits->allow_touch = rule->allow_touch;
        limits->touch_rule = rule->name;
        at->touch_level = rule->level;
    }
    if (rule->has_max_depth && takes_over(rule->level, at->depth_level, rule->max_depth < limits->max_depth))
    {
        limits->max_depth = rule->max_depth;
        limits->depth_rule = rule->name;
        at->depth_level = rule->level;
    }
}

static void weigh_severity(weighing *at, const clash_rule *rule)
{
    for (int verdict = CLASH_TOO_CLOSE; verdict <= CLASH_SELF; verdict++)
    {
        clash_severity *held = &at->limits.severity[verdict];
        if ((rule->has_verdict && (int)rule->verdict != verdict) ||
            !takes_over(rule->level, at->severity_levels[verdict], rule->severity > *held))
            continue;
        *held = rule->severity;
        at->severity_levels[verdict] = rule->level;
    }
}

/* Of the entries that ignore a pair the most specific is named, and of those the first. */
static void weigh_ignore(weighing *at, const clash_rule *rule)
{
    clash_limits *limits = &at->limits;
    if (limits->ignored && !takes_over(rule->level, at->ignore_level, rule->index < limits->ignored_index))
        return;
    limits->ignored = true;
    limits->ignored_index = rule->index;
    limits->ignored_by = rule->name;
    limits->reason = rule->reason;
    at->ignore_level = rule->level;
}

static void weigh(void *user, const clash_rules *rules, uint32_t number)
{
    const clash_rule *rule = &rules->rules[number];
    if (rule->list == RULES_IGNORE)
        weigh_ignore(user, rule);
    else if (rule->list == RULES_LIMITS)
        weigh_limits(user, rule);
    else
        weigh_severity(user, rule);
}

static weighing start_weighing(const clash_rules *rules)
{
    weighing at = {.limits = rules->base,
                   .clearance_level = rules->clearance_level,
                   .touch_level = rules->touch_level,
                   .depth_level = rules->depth_level};
    for (int i = 0; i <= CLASH_SELF; i++)
        at.severity_levels[i] = rules->severity_levels[i];
    return at;
}

static void weigh_command_line(weighing *at, const clash_tolerances *tolerances)
{
    clash_rule rule = {.level = LEVEL_COMMAND_LINE,
                       .has_clearance = tolerances->has_clearance,
                       .clearance = tolerances->clearance,
                       .has_allow_touch = tolerances->has_allow_touch,
                       .allow_touch = tolerances->allow_touch,
                       .has_max_depth = tolerances->has_max_depth,
                       .max_depth = tolerances->max_depth};
    weigh_limits(at, &rule);
    if (rule.has_clearance)
        at->limits.clearance_rule = "--clearance";
    if (rule.has_allow_touch)
        at->limits.touch_rule = "--allow-touch";
    if (rule.has_max_depth)
        at->limits.depth_rule = "--max-depth";
}

void rules_set_base(clash_rules *rules, const clash_tolerances *tolerances)
{
    rules->base = (clash_limits){.clearance_rule = "default", .touch_rule = "default", .depth_rule = "default"};
    for (int i = 0; i <= CLASH_SELF; i++)
        rules->base.severity[i] = default_severities[i];
    weighing at = start_weighing(rules);
    for (uint32_t i = 0; i < rules->starts[RULES_APPROVE]; i++)
        if (rules->rules[i].kind == RULE_OF_ALL)
            weigh(&at, rules, i);
    weigh_command_line(&at, tolerances);
    rules->base = at.limits;
    rules->clearance_level = at.clearance_level;
    rules->touch_level = at.touch_level;
    rules->depth_level = at.depth_level;
    for (int i = 0; i <= CLASH_SELF; i++)
        rules->severity_levels[i] = at.severity_levels[i];
}

clash_limits clash_rules_limits(const clash_rules *rules, size_t a, size_t b)
{
    weighing at = start_weighing(rules);
    rules_visit(rules, a, b, 0, rules->starts[RULES_APPROVE], weigh, &at);
    return at.limits;
}

typedef void (*pair_visitor)(const clash_rules *rules, size_t a, size_t b, size_t first, size_t last,
                             rule_visitor visit, void *user);

static bool is_ignored(const clash_rules *rules, size_t a, size_t b, pair_visitor visit_entries, size_t *out_index)
{
    size_t last = rules->starts[RULES_LIMITS];
    if (last == 0)
        return false;
    weighing at = {.limits = {.ignored = false}};
    visit_entries(rules, a, b, 0, last, weigh, &at);
    if (at.limits.ignored)
        *out_index = at.limits.ignored_index;
    return at.limits.ignored;
}

bool clash_rules_ignore(const clash_rules *rules, size_t a, size_t b, size_t *out_index)
{
    return is_ignored(rules, a, b, rules_visit, out_index);
}

bool clash_rules_ignore_unnamed(const clash_rules *rules, size_t a, size_t b, size_t *out_index)
{
    return is_ignored(rules, a, b, rules_visit_unnamed, out_index);
}

size_t clash_rules_ignore_count(const clash_rules *rules)
{
    return rules->starts[RULES_LIMITS];
}

clash_ignored clash_rules_ignore_entry(const clash_rules *rules, size_t index)
{
    const clash_rule *rule = &rules->rules[index];
    return (clash_ignored){.rule = rule->name, .reason = rule->reason};
}

clash_limits clash_rules_global(const clash_rules *rules)
{
    return rules->base;
}

double clash_rules_largest_clearance(const clash_rules *rules)
{
    double largest = rules->base.clearance;
    for (size_t i = rules->starts[RULES_LIMITS]; i < rules->starts[RULES_SEVERITY]; i++)
    {
        const clash_rule *rule = &rules->rules[i];
        if (rule->kind != RULE_OF_ALL && rule->has_clearance && rule->clearance > largest)
            largest = rule->clearance;
    }
    return largest;
}

const char *clash_limits_rule(const clash_limits *limits, clash_verdict verdict)
{
    switch (verdict)
    {
    case CLASH_TOO_CLOSE:
        return limits->clearance_rule;
    case CLASH_TOUCHES:
        return limits->touch_rule;
    case CLASH_CROSSES:
        return limits->depth_rule;
    default:
        return "default"; /* no rule allows the other verdicts */
    }
}

/* A finding that is compared with entries of "approve". */
typedef struct approval
{
    const clash_finding *finding;
    uint32_t rule;
    bool found;
} approval;

static bool speaks_of(const clash_rule *rule, const clash_finding *finding)
{
    return !rule->has_verdict || rule->verdict == finding->verdict;
}

static void weigh_approval(void *user, const clash_rules *rules, uint32_t number)
{
    approval *at = user;
    const clash_rule *rule = &rules->rules[number];
    if (!speaks_of(rule, at->finding) ||
        (at->found && !takes_over(rule->level, rules->rules[at->rule].level, number < at->rule)))
        return;
    if (at->finding->set_count > 2 && !rule_covers_all(rules, number, at->finding->set, at->finding->set_count))
        return;
    at->rule = number;
    at->found = true;
}

bool clash_rules_approve(clash_rules *rules, clash_finding *finding)
{
    approval at = {.finding = finding};
    uint32_t id = names_find(&rules->ids, finding->id);
    if (id != NO_NAME && speaks_of(&rules->rules[rules->id_rules[id]], finding))
        at = (approval){finding, rules->id_rules[id], true};
    else
        rules_visit(rules, finding->a, finding->b, rules->starts[RULES_APPROVE], rules->rule_count, weigh_approval,
                    &at);
    if (!at.found)
        return false;
    rules->rules[at.rule].is_used = true;
    finding->state = CLASH_APPROVED;
    finding->reason = rules->rules[at.rule].reason;
    return true;
}
