/* SPDX-License-Identifier: MIT */
/* The limits of a pair: of all entries that apply the most specific one, for each limit separately, and the stricter of
 * two that are equally specific; see rules.h. */
#include "clash/rules_data.h"

static const graze_clash_severity default_severities[GRAZE_CLASH_VERDICT_COUNT] = {
    [GRAZE_CLASH_TOO_CLOSE] = GRAZE_CLASH_MAJOR,  [GRAZE_CLASH_TOUCHES] = GRAZE_CLASH_MINOR,
    [GRAZE_CLASH_CROSSES] = GRAZE_CLASH_CRITICAL, [GRAZE_CLASH_CONTAINS] = GRAZE_CLASH_CRITICAL,
    [GRAZE_CLASH_DUPLICATE] = GRAZE_CLASH_MAJOR,  [GRAZE_CLASH_SELF] = GRAZE_CLASH_MINOR,
    [GRAZE_CLASH_UNDECIDED] = GRAZE_CLASH_MAJOR};

/* A pair's limits while entries are compared, with the level of each. */
typedef struct weighing
{
    grz_clash_limits limits;
    grz_clash_rule_level ignore_level, clearance_level, touch_level, depth_level,
        severity_levels[GRAZE_CLASH_VERDICT_COUNT];
} weighing;

/* Whether an entry overrides: its level is higher, or equal with a stricter value. */
static bool takes_over(grz_clash_rule_level level, grz_clash_rule_level held, bool is_stricter)
{
    return level > held || (level == held && is_stricter);
}

/* Of two equally specific entries with the same value the first of the file is named. */
static void weigh_limits(weighing *at, const grz_clash_rule *rule)
{
    grz_clash_limits *limits = &at->limits;
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

static void weigh_severity(weighing *at, const grz_clash_rule *rule)
{
    for (int verdict = GRAZE_CLASH_TOO_CLOSE; verdict < GRAZE_CLASH_VERDICT_COUNT; verdict++)
    {
        graze_clash_severity *held = &at->limits.severity[verdict];
        if ((rule->has_verdict && (int)rule->verdict != verdict) ||
            !takes_over(rule->level, at->severity_levels[verdict], rule->severity > *held))
            continue;
        *held = rule->severity;
        at->limits.is_severity_ruled[verdict] = true;
        at->severity_levels[verdict] = rule->level;
    }
}

/* Of the entries that ignore a pair the most specific is named, and of those the first. */
static void weigh_ignore(weighing *at, const grz_clash_rule *rule)
{
    grz_clash_limits *limits = &at->limits;
    if (limits->ignored && !takes_over(rule->level, at->ignore_level, rule->index < limits->ignored_index))
        return;
    limits->ignored = true;
    limits->ignored_index = rule->index;
    limits->ignored_by = rule->name;
    limits->reason = rule->reason;
    at->ignore_level = rule->level;
}

static void weigh(void *user, const grz_clash_rules *rules, uint32_t number)
{
    const grz_clash_rule *rule = &rules->rules[number];
    if (rule->list == GRZ_RULES_IGNORE)
        weigh_ignore(user, rule);
    else if (rule->list == GRZ_RULES_LIMITS)
        weigh_limits(user, rule);
    else
        weigh_severity(user, rule);
}

static weighing start_weighing(const grz_clash_rules *rules)
{
    weighing at = {.limits = rules->base,
                   .clearance_level = rules->clearance_level,
                   .touch_level = rules->touch_level,
                   .depth_level = rules->depth_level};
    for (int i = 0; i < GRAZE_CLASH_VERDICT_COUNT; i++)
        at.severity_levels[i] = rules->severity_levels[i];
    return at;
}

static void weigh_command_line(weighing *at, const graze_clash_tolerances *tolerances)
{
    grz_clash_rule rule = {.level = GRZ_LEVEL_COMMAND_LINE,
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

void grz_clash_rules_set_base(grz_clash_rules *rules, const graze_clash_tolerances *tolerances)
{
    rules->base = (grz_clash_limits){.clearance_rule = "default", .touch_rule = "default", .depth_rule = "default"};
    for (int i = 0; i < GRAZE_CLASH_VERDICT_COUNT; i++)
        rules->base.severity[i] = default_severities[i];
    weighing at = start_weighing(rules);
    for (uint32_t i = 0; i < rules->starts[GRZ_RULES_APPROVE]; i++)
        if (rules->rules[i].kind == GRZ_RULE_OF_ALL)
            weigh(&at, rules, i);
    weigh_command_line(&at, tolerances);
    rules->base = at.limits;
    rules->clearance_level = at.clearance_level;
    rules->touch_level = at.touch_level;
    rules->depth_level = at.depth_level;
    for (int i = 0; i < GRAZE_CLASH_VERDICT_COUNT; i++)
        rules->severity_levels[i] = at.severity_levels[i];
}

grz_clash_limits grz_clash_rules_limits(const grz_clash_rules *rules, size_t a, size_t b)
{
    weighing at = start_weighing(rules);
    grz_clash_rules_visit(rules, a, b, 0, rules->starts[GRZ_RULES_APPROVE], weigh, &at);
    return at.limits;
}

/* The entry that ignores a pair, of those that were weighed. */
static bool take_ignored(const weighing *at, size_t *out_index)
{
    if (at->limits.ignored)
        *out_index = at->limits.ignored_index;
    return at->limits.ignored;
}

bool grz_clash_rules_ignore(const grz_clash_rules *rules, size_t a, size_t b, size_t *out_index)
{
    weighing at = {.limits = {.ignored = false}};
    if (rules->starts[GRZ_RULES_LIMITS] > 0)
        grz_clash_rules_visit(rules, a, b, 0, rules->starts[GRZ_RULES_LIMITS], weigh, &at);
    return take_ignored(&at, out_index);
}

bool grz_clash_rules_ignore_as(const grz_clash_rules *rules, size_t a, size_t b, unsigned commons, size_t *out_index)
{
    weighing at = {.limits = {.ignored = false}};
    if (rules->starts[GRZ_RULES_LIMITS] > 0)
        grz_clash_rules_visit_as(rules, a, b, commons, 0, rules->starts[GRZ_RULES_LIMITS], weigh, &at);
    return take_ignored(&at, out_index);
}

bool grz_clash_rules_ignore_unnamed(const grz_clash_rules *rules, size_t a, size_t b, size_t *out_index)
{
    return grz_clash_rules_ignore_as(rules, a, b, grz_clash_rules_commons_of(rules, a, b), out_index);
}

size_t grz_clash_rules_ignore_count(const grz_clash_rules *rules)
{
    return rules->starts[GRZ_RULES_LIMITS];
}

graze_clash_ignored grz_clash_rules_ignore_entry(const grz_clash_rules *rules, size_t index)
{
    const grz_clash_rule *rule = &rules->rules[index];
    return (graze_clash_ignored){.rule = rule->name, .reason = rule->reason};
}

grz_clash_limits grz_clash_rules_global(const grz_clash_rules *rules)
{
    return rules->base;
}

double grz_clash_rules_largest_clearance(const grz_clash_rules *rules)
{
    double largest = rules->base.clearance;
    for (size_t i = rules->starts[GRZ_RULES_LIMITS]; i < rules->starts[GRZ_RULES_SEVERITY]; i++)
    {
        const grz_clash_rule *rule = &rules->rules[i];
        if (rule->kind != GRZ_RULE_OF_ALL && rule->has_clearance && rule->clearance > largest)
            largest = rule->clearance;
    }
    return largest;
}

const char *grz_clash_limits_rule(const grz_clash_limits *limits, graze_clash_verdict verdict)
{
    switch (verdict)
    {
    case GRAZE_CLASH_TOO_CLOSE:
        return limits->clearance_rule;
    case GRAZE_CLASH_TOUCHES:
        return limits->touch_rule;
    case GRAZE_CLASH_CROSSES:
        return limits->depth_rule;
    default:
        return "default"; /* no rule allows the other verdicts */
    }
}
