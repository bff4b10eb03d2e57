/* SPDX-License-Identifier: MIT */
/*
 * Approvals of findings: by id, or by an entry that selects the pair; see rules.h. An approval lapses when the finding
 * is certainly worse than what was approved (comparison.h). By id that is a stronger verdict, too; an entry about a
 * pair with a verdict selects findings of that verdict alone.
 */
#include "clash/rules_data.h"
#include "clash/store.h"
#include "text/format.h"

/* A finding that is compared with entries of "approve". */
typedef struct approval
{
    const graze_clash_finding *finding;
    uint32_t rule, lapsed;
    bool found, has_lapsed;
    const char *why; /* it has lapsed */
} approval;

static bool is_before(const grz_clash_rules *rules, uint32_t one, uint32_t other)
{
    grz_clash_rule_level level = rules->rules[one].level, held = rules->rules[other].level;
    return level > held || (level == held && one < other);
}

/* Of several entries the most specific one counts, and of those the first; one that has lapsed only if no other holds.
 */
static void weigh_approval(void *user, const grz_clash_rules *rules, uint32_t number)
{
    approval *at = user;
    const grz_clash_rule *rule = &rules->rules[number];
    const graze_clash_finding *finding = at->finding;
    if ((rule->kind != GRZ_RULE_OF_ID && rule->has_verdict && rule->verdict != finding->verdict) ||
        (rule->kind != GRZ_RULE_OF_ID && finding->set_count > 2 &&
         !grz_clash_rule_covers_all(rules, number, finding->set, finding->set_count)))
        return;
    const char *why = grz_clash_worse(&rule->approved, finding);
    if (why == NULL && (!at->found || is_before(rules, number, at->rule)))
    {
        at->rule = number;
        at->found = true;
    }
    if (why != NULL && (!at->has_lapsed || is_before(rules, number, at->lapsed)))
    {
        at->lapsed = number;
        at->has_lapsed = true;
        at->why = why;
    }
}

bool grz_clash_rules_approve(grz_clash_rules *rules, graze_clash_finding *finding)
{
    approval at = {.finding = finding};
    uint32_t id = grz_names_find(&rules->book->ids, finding->id);
    for (uint32_t number = id != GRZ_NO_NAME ? rules->book->id_rules[id] : GRZ_NO_NAME; number != GRZ_NO_NAME;
         number = rules->rules[number].next_of_id)
    {
        weigh_approval(&at, rules, number);
        rules->is_used[number] = true;
    }
    if (!at.found)
        grz_clash_rules_visit(rules, finding->a, finding->b, rules->starts[GRZ_RULES_APPROVE], rules->rule_count,
                              weigh_approval, &at);
    rules->last_lapse = (grz_clash_lapse){at.lapsed, at.why};
    if (at.found)
    {
        finding->state = GRAZE_CLASH_APPROVED;
        finding->reason = rules->rules[at.rule].reason;
    }
    else if (at.has_lapsed)
        finding->lapsed = rules->rules[at.lapsed].name;
    return at.found;
}

/* --- all findings of a report --- */

/* Takes ownership of the text. */
static bool add_problem(const grz_clash_rules *rules, graze_clash_report *report, size_t source, char *what)
{
    bool done = what != NULL &&
                grz_clash_report_append_problem(report, &(graze_clash_problem){rules->book->inputs[source].path, what});
    grz_release(rules->context, what);
    return done;
}

static bool tell_lapse(const grz_clash_rules *rules, graze_clash_report *report, const graze_clash_finding *finding)
{
    const grz_clash_rule *rule = &rules->rules[rules->last_lapse.rule];
    return add_problem(rules, report, rule->source,
                       grz_format_text(rules->context, "%s: the approval of '%s' and '%s' has lapsed: %s than approved",
                                       rule->place, report->parts[finding->a].name, report->parts[finding->b].name,
                                       rules->last_lapse.why));
}

static bool apply_review(grz_clash_rules *rules, graze_clash_report *report, graze_clash_finding *finding)
{
    const graze_clash_rules *book = rules->book;
    uint32_t id = grz_names_find(&book->review_ids, finding->id);
    if (id == GRZ_NO_NAME)
        return true;
    const grz_clash_review *review = &book->reviews.data[book->review_of.data[id]];
    rules->is_reviewed[book->review_of.data[id]] = true;
    finding->review = &review->what;
    if (review->what.state != grz_clash_review_states[GRZ_REVIEW_FIXED])
        return true;
    return add_problem(rules, report, review->source,
                       grz_format_text(rules->context,
                                       "review[%zu]: '%s' and '%s' are said to be fixed, but are still "
                                       "a finding (%s)",
                                       review->index, report->parts[finding->a].name, report->parts[finding->b].name,
                                       graze_clash_verdict_name(finding->verdict)));
}

bool grz_clash_rules_review(grz_clash_rules *rules, graze_clash_report *report)
{
    bool done = true;
    for (size_t i = 0; i < report->finding_count && done; i++)
    {
        graze_clash_finding *finding = &report->findings[i];
        if (!grz_clash_rules_approve(rules, finding) && finding->lapsed != NULL)
            done = tell_lapse(rules, report, finding);
        done = done && apply_review(rules, report, finding);
    }
    return done;
}
