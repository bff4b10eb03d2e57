/* SPDX-License-Identifier: MIT */
/*
 * Sets of duplicates: n equal parts are one finding, not n (n - 1) / 2. A set is a connected component of the graph of
 * equal pairs (union-find); only wanted pairs count, so that a part which the rules, --a or --b exclude is in no set
 * because of them.
 */
#include <stdlib.h>
#include <string.h>

#include "clash/work.h"

typedef struct set_work
{
    clash_work *work;
    size_t *root; /* by part: parent in the union-find forest, the smallest part of a set being its root */
    clash_severity *severity;
    size_t *sizes;          /* by root */
    size_t *next;           /* by part: the next one of its set, or SIZE_MAX */
    graze_status *statuses; /* by finding */
    size_t first;           /* first finding that is a set */
} set_work;

static size_t root_of(size_t *root, size_t part)
{
    while (root[part] != part)
        part = root[part] = root[root[part]];
    return part;
}

static void join_two(set_work *s, size_t a, size_t b, clash_severity severity)
{
    size_t x = root_of(s->root, a), y = root_of(s->root, b), least = x < y ? x : y;
    severity = s->severity[x] > severity ? s->severity[x] : severity;
    severity = s->severity[y] > severity ? s->severity[y] : severity;
    s->root[x] = s->root[y] = least;
    s->severity[least] = severity;
}

/* Joins the parts of equal pairs; the severity of a set is the highest that the rules state for any of its pairs. */
static size_t join(set_work *s)
{
    const clash_work *work = s->work;
    size_t sets = 0;
    for (size_t i = 0; i < work->request->part_count; i++)
    {
        s->root[i] = i;
        s->next[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < work->same_count; i++)
        join_two(s, work->same[i].a, work->same[i].b, work->same[i].severity);
    for (size_t i = 0; i < work->count; i++)
    {
        const clash_candidate *c = &work->candidates[i];
        if (c->same)
            join_two(s, c->a, c->b, clash_rules_limits(work->request->rules, c->a, c->b).severity[CLASH_DUPLICATE]);
    }
    for (size_t i = 0; i < work->request->part_count; i++)
    {
        s->root[i] = root_of(s->root, i);
        sets += ++s->sizes[s->root[i]] == 2;
    }
    for (size_t i = work->request->part_count; i-- > 0;)
    {
        s->next[i] = s->root[i] == i ? s->next[i] : s->next[s->root[i]];
        if (s->root[i] != i)
            s->next[s->root[i]] = i;
    }
    return sets;
}

typedef struct named
{
    const char *name;
    size_t part;
} named;

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const named *)left)->name, ((const named *)right)->name);
}

/* Lists the parts of a set by name. False when out of memory. */
static bool list_set(const set_work *s, size_t root, clash_finding *f)
{
    const clash_request *request = s->work->request;
    named *parts = malloc(s->sizes[root] * sizeof *parts);
    f->set = malloc(s->sizes[root] * sizeof *f->set);
    if (parts == NULL || f->set == NULL)
    {
        free(parts);
        return false;
    }
    size_t count = 0;
    for (size_t i = root; i != SIZE_MAX; i = s->next[i])
        parts[count++] = (named){request->parts[i].name, i};
    qsort(parts, count, sizeof *parts, compare_names);
    for (size_t i = 0; i < count; i++)
        f->set[i] = parts[i].part;
    f->set_count = count;
    free(parts);
    return count > 1;
}

static bool add_set(const set_work *s, size_t root)
{
    const clash_part *parts = s->work->request->parts;
    clash_finding *f = clash_add_finding(s->work->report);
    if (f == NULL)
        return false;
    *f = (clash_finding){.verdict = CLASH_DUPLICATE, .rule = "default", .severity = s->severity[root]};
    if (!list_set(s, root, f))
        return false;
    f->a = f->set[0];
    f->b = f->set[1];
    for (int axis = 0; axis < 3; axis++)
        f->point[axis] = 0.5 * parts[f->a].lower[axis] + 0.5 * parts[f->a].upper[axis];
    clash_make_id(parts[f->a].name, parts[f->b].name, f->id);
    return true;
}

/* Counts the intersecting triangle pairs of the first two parts. */
static void count_triangles(void *argument, size_t index)
{
    set_work *s = argument;
    clash_finding *f = &s->work->report->findings[s->first + index];
    const clash_request *request = s->work->request;
    graze_pair_counts counts = {0};
    s->statuses[index] =
        graze_pair_count(request->context, &request->parts[f->a].placed, &request->parts[f->b].placed, NULL, &counts);
    f->pairs = counts.pairs;
}

exit_code clash_add_duplicates(clash_work *work)
{
    size_t parts = work->request->part_count, sets = 0;
    set_work s = {.work = work, .first = work->report->finding_count};
    s.root = malloc((parts + 1) * sizeof *s.root);
    s.severity = calloc(parts + 1, sizeof *s.severity);
    s.sizes = calloc(parts + 1, sizeof *s.sizes);
    s.next = malloc((parts + 1) * sizeof *s.next);
    bool done = s.root != NULL && s.severity != NULL && s.sizes != NULL && s.next != NULL;
    if (done)
        sets = join(&s);
    s.statuses = calloc(sets + 1, sizeof *s.statuses);
    done = done && s.statuses != NULL;
    for (size_t i = 0; i < parts && done; i++)
        done = s.root[i] != i || s.sizes[i] < 2 || add_set(&s, i);
    if (done)
        run_tasks(work->request->context, sets, count_triangles, &s);
    for (size_t i = 0; i < sets && done; i++)
        done = s.statuses[i] == GRAZE_STATUS_OK; /* parts were checked before: only memory can be missing */
    free(s.root);
    free(s.severity);
    free(s.sizes);
    free(s.next);
    free(s.statuses);
    return done ? 0 : clash_no_memory(work->request);
}
