/* SPDX-License-Identifier: MIT */
/*
 * Sets of duplicates: n equal parts are one finding, not n (n - 1) / 2. A set is a connected component of the graph of
 * equal pairs (union-find); only wanted pairs count, so that a part which the rules, --a or --b exclude is in no set
 * because of them.
 */
#include <stdlib.h>
#include <string.h>

#include "clash/parallel.h"
#include "clash/work.h"

typedef struct set_work
{
    grz_clash_work *work;
    size_t *root; /* by part: parent in the union-find forest, the smallest part of a set being its root */
    graze_clash_severity *severity;
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

static void join_two(set_work *s, size_t a, size_t b, graze_clash_severity severity)
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
    const grz_clash_work *work = s->work;
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
        const grz_clash_candidate *c = &work->candidates[i];
        if (c->same)
            join_two(s, c->a, c->b,
                     grz_clash_rules_limits(work->request->rules, c->a, c->b).severity[GRAZE_CLASH_DUPLICATE]);
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

typedef struct set_member
{
    const char *name;
    size_t part;
} set_member;

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const set_member *)left)->name, ((const set_member *)right)->name);
}

/* Lists the parts of a set by name. False when out of memory. */
static bool list_set(const set_work *s, size_t root, graze_clash_finding *f)
{
    const grz_clash_request *request = s->work->request;
    set_member *parts = grz_allocate(request->context, s->sizes[root], sizeof *parts);
    size_t *set = grz_allocate(request->context, s->sizes[root], sizeof *set);
    f->set = set;
    if (parts == NULL || set == NULL)
    {
        grz_release(request->context, parts);
        return false;
    }
    size_t count = 0;
    for (size_t i = root; i != SIZE_MAX; i = s->next[i])
        parts[count++] = (set_member){request->parts[i].name, i};
    qsort(parts, count, sizeof *parts, compare_names);
    for (size_t i = 0; i < count; i++)
        set[i] = parts[i].part;
    f->set_count = count;
    grz_release(request->context, parts);
    return count > 1;
}

static bool add_set(const set_work *s, size_t root)
{
    const grz_clash_part *parts = s->work->request->parts;
    graze_clash_finding *f = grz_clash_add_finding(s->work->request->context, s->work->report);
    if (f == NULL)
        return false;
    *f = (graze_clash_finding){.verdict = GRAZE_CLASH_DUPLICATE,
                               .exact = GRAZE_CLASH_DUPLICATE,
                               .box = GRZ_CLASH_NO_BOX,
                               .rule = "default",
                               .severity = s->severity[root]};
    if (!list_set(s, root, f))
        return false;
    f->a = f->set[0];
    f->b = f->set[1];
    for (int axis = 0; axis < 3; axis++)
        f->point[axis] = 0.5 * parts[f->a].lower[axis] + 0.5 * parts[f->a].upper[axis];
    grz_clash_make_id(parts[f->a].name, parts[f->b].name, f->id);
    return true;
}

/* Counts the intersecting triangle pairs of the first two parts. */
static void count_triangles(void *argument, size_t index)
{
    set_work *s = argument;
    graze_clash_finding *f = &s->work->report->findings[s->first + index];
    const grz_clash_request *request = s->work->request;
    graze_pair_counts counts = {0};
    s->statuses[index] =
        graze_pair_count(request->context, &request->parts[f->a].placed, &request->parts[f->b].placed, NULL, &counts);
    f->pairs = counts.pairs;
}

graze_status grz_clash_add_duplicates(grz_clash_work *work)
{
    const graze_context *context = work->request->context;
    size_t parts = work->request->part_count, sets = 0;
    set_work s = {.work = work, .first = work->report->finding_count};
    s.root = grz_allocate(context, parts + 1, sizeof *s.root);
    s.severity = grz_allocate_zeroed(context, parts + 1, sizeof *s.severity);
    s.sizes = grz_allocate_zeroed(context, parts + 1, sizeof *s.sizes);
    s.next = grz_allocate(context, parts + 1, sizeof *s.next);
    bool done = s.root != NULL && s.severity != NULL && s.sizes != NULL && s.next != NULL;
    if (done)
        sets = join(&s);
    s.statuses = grz_allocate_zeroed(context, sets + 1, sizeof *s.statuses);
    done = done && s.statuses != NULL;
    for (size_t i = 0; i < parts && done; i++)
        done = s.root[i] != i || s.sizes[i] < 2 || add_set(&s, i);
    if (done)
        grz_clash_parallel_for(work->request->context, sets, count_triangles, &s);
    for (size_t i = 0; i < sets && done; i++)
        done = s.statuses[i] == GRAZE_STATUS_OK; /* parts were checked before: only memory can be missing */
    grz_release(context, s.root);
    grz_release(context, s.severity);
    grz_release(context, s.sizes);
    grz_release(context, s.next);
    grz_release(context, s.statuses);
    return done ? GRAZE_STATUS_OK : grz_clash_no_memory(work->request);
}
