/* SPDX-License-Identifier: MIT */
/* Groups of findings; see grouping.h. A cluster is a connected component: findings that share parts, directly or
 * through others. A set of duplicates counts for each of its parts, and once for each two groups that it connects. */
#include "clash/grouping.h"

#include <stdlib.h>

#include "clash/rules_data.h"

/* The parts of a finding: two, one, or those of a set. */
static size_t parts_of(const graze_clash_finding *finding, size_t pair[2], const size_t **out_parts)
{
    pair[0] = finding->a;
    pair[1] = finding->b;
    *out_parts = finding->set != NULL ? finding->set : pair;
    return finding->set != NULL ? finding->set_count : finding->a == finding->b ? 1 : 2;
}

/* --- parts hit --- */

/* Order of parts hit: most failing findings, then most findings, then as in the report's list of parts. */
static int compare_hits(const void *left, const void *right)
{
    const graze_clash_part_hits *one = left, *other = right;
    if (one->failing != other->failing)
        return one->failing > other->failing ? -1 : 1;
    if (one->findings != other->findings)
        return one->findings > other->findings ? -1 : 1;
    return one->part < other->part ? -1 : one->part > other->part;
}

static bool count_hits(const graze_context *context, graze_clash_report *report)
{
    graze_clash_part_hits *hits = grz_allocate_zeroed(context, report->part_count + 1, sizeof *hits);
    if (hits == NULL)
        return false;
    for (size_t i = 0; i < report->finding_count; i++)
    {
        const graze_clash_finding *finding = &report->findings[i];
        const size_t *parts;
        size_t pair[2], count = parts_of(finding, pair, &parts);
        for (size_t k = 0; k < count; k++)
        {
            graze_clash_part_hits *hit = &hits[parts[k]];
            hit->findings++;
            hit->failing += graze_clash_finding_fails(report, finding);
            if (finding->severity > hit->severity)
                hit->severity = finding->severity;
        }
    }
    report->hit_count = 0;
    for (size_t i = 0; i < report->part_count; i++)
    {
        if (hits[i].findings == 0)
            continue;
        hits[report->hit_count] = hits[i];
        hits[report->hit_count++].part = i;
    }
    qsort(hits, report->hit_count, sizeof *hits, compare_hits);
    report->hits = hits;
    return true;
}

/* --- clusters --- */

static size_t root_of(size_t *roots, size_t part)
{
    while (roots[part] != part)
    {
        roots[part] = roots[roots[part]];
        part = roots[part];
    }
    return part;
}

/* Clusters are numbered from 1 in the order of their first findings, the worst first. */
static bool number_clusters(const graze_context *context, graze_clash_report *report)
{
    size_t *roots = grz_allocate(context, report->part_count + 1, sizeof *roots);
    uint32_t *numbers = grz_allocate_zeroed(context, report->part_count + 1, sizeof *numbers);
    bool fits = roots != NULL && numbers != NULL;
    for (size_t i = 0; i < report->part_count && fits; i++)
        roots[i] = i;
    for (size_t i = 0; i < report->finding_count && fits; i++)
    {
        const size_t *parts;
        size_t pair[2], count = parts_of(&report->findings[i], pair, &parts);
        for (size_t k = 1; k < count; k++)
            roots[root_of(roots, parts[k])] = root_of(roots, parts[0]);
    }
    report->cluster_count = 0;
    for (size_t i = 0; i < report->finding_count && fits; i++)
    {
        uint32_t *number = &numbers[root_of(roots, report->findings[i].a)];
        if (*number == 0)
            *number = ++report->cluster_count;
        report->findings[i].cluster = *number;
    }
    grz_release(context, roots);
    grz_release(context, numbers);
    return fits;
}

/* --- the clash matrix --- */

static bool name_groups(const graze_context *context, const graze_clash_rules *book, graze_clash_report *report)
{
    const char **names = grz_allocate_zeroed(context, book->group_count + 1, sizeof *names);
    if (names == NULL)
        return false;
    for (size_t s = 0; s < book->source_count; s++)
        for (size_t g = 0; g < book->sources[s].group_names.count; g++)
            names[book->sources[s].first_group + g] = book->sources[s].group_names.names[g];
    report->group_names = names;
    report->group_count = book->group_count;
    return true;
}

/* Whether one of the finding's parts is in one group and another in the other; of a single part, whether it is in both.
 */
static bool connects(const grz_clash_rules *rules, const size_t *parts, size_t count, size_t g, size_t h)
{
    size_t in_g = 0, in_h = 0, in_either = 0;
    for (size_t i = 0; i < count; i++)
    {
        bool is_in_g = grz_clash_rules_is_member(rules, g, parts[i]);
        bool is_in_h = grz_clash_rules_is_member(rules, h, parts[i]);
        in_g += is_in_g;
        in_h += is_in_h;
        in_either += is_in_g || is_in_h;
    }
    return in_g > 0 && in_h > 0 && (in_either > 1 || count == 1);
}

static void add_to_matrix(const grz_clash_rules *rules, const graze_clash_finding *finding, graze_clash_report *report)
{
    size_t groups = report->group_count, pair[2];
    const size_t *parts;
    size_t count = parts_of(finding, pair, &parts);
    for (size_t g = 0; g < groups; g++)
        for (size_t h = g; h < groups; h++)
        {
            if (!connects(rules, parts, count, g, h))
                continue;
            report->matrix[g * groups + h]++;
            if (h != g)
                report->matrix[h * groups + g]++;
        }
}

static bool make_matrix(const graze_context *context, const grz_clash_rules *rules, graze_clash_report *report)
{
    const graze_clash_rules *book = rules->book;
    if (book->group_count == 0)
        return true;
    if (!name_groups(context, book, report))
        return false;
    size_t cells = report->group_count * report->group_count;
    report->matrix = grz_allocate_zeroed(context, cells, sizeof *report->matrix);
    for (size_t i = 0; i < report->finding_count && report->matrix != NULL; i++)
        add_to_matrix(rules, &report->findings[i], report);
    return report->matrix != NULL;
}

bool grz_clash_group_findings(const graze_context *context, const grz_clash_rules *rules, graze_clash_report *report)
{
    return count_hits(context, report) && number_clusters(context, report) && make_matrix(context, rules, report);
}
