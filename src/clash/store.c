/* SPDX-License-Identifier: MIT */
/* Reports with what they own; see store.h. */
#include "clash/store.h"

#include <string.h>

#include "clash/shape_parts.h"
#include "text/format.h"

const graze_context *grz_clash_context(const graze_clash_report *report)
{
    return report->store != NULL ? &report->store->context : NULL;
}

graze_clash_report *grz_clash_report_create(const graze_context *context, const graze_clash_part *parts,
                                            size_t part_count)
{
    graze_clash_report *report = grz_allocate_zeroed(context, 1, sizeof *report);
    graze_clash_store *store = grz_allocate_zeroed(context, 1, sizeof *store);
    if (report == NULL || store == NULL)
    {
        grz_release(context, report);
        grz_release(context, store);
        return NULL;
    }
    store->context = grz_context_copy(context);
    store->parts = grz_allocate_zeroed(context, part_count + 1, sizeof *store->parts);
    store->facts = grz_allocate_zeroed(context, part_count + 1, sizeof *store->facts);
    report->store = store;
    if (store->parts == NULL || store->facts == NULL)
    {
        graze_clash_report_destroy(report);
        return NULL;
    }
    if (part_count > 0)
        memcpy(store->parts, parts, part_count * sizeof *parts);
    for (size_t i = 0; i < part_count; i++)
        if (parts[i].mesh == NULL)
            store->parts[i].mesh = grz_clash_mesh_of(&parts[i]);
    report->parts = store->parts;
    report->facts = store->facts;
    report->part_count = part_count;
    return report;
}

void graze_clash_report_destroy(graze_clash_report *report)
{
    if (report == NULL || report->store == NULL)
        return;
    graze_clash_store *store = report->store;
    const graze_context context = store->context;
    for (size_t i = 0; i < store->texts.count; i++)
        grz_release(&context, store->texts.data[i]);
    grz_release(&context, store->texts.data);
    grz_release(&context, report->problems);
    grz_clash_interest_release(&context, store->interest);
    grz_release(&context, store->parts);
    grz_release(&context, store->facts);
    grz_release(&context, store);
    grz_clash_report_release(&context, report);
    grz_release(&context, report);
}

void grz_clash_report_note_facts(graze_clash_report *report, const grz_clash_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        report->store->facts[i] = (graze_clash_part_facts){.triangle_count = parts->parts[i].own_triangles,
                                                           .closed = parts->parts[i].closed,
                                                           .in_a = parts->parts[i].in_a,
                                                           .in_b = parts->parts[i].in_b,
                                                           .surface = parts->parts[i].is_surface};
}

static const char *keep_text(graze_clash_store *store, const char *text)
{
    char *copy = grz_copy_text(&store->context, text != NULL ? text : "");
    if (copy == NULL || GRZ_PUSH(&store->context, &store->texts, copy))
        return copy;
    grz_release(&store->context, copy);
    return NULL;
}

static bool insert_problem(graze_clash_report *report, size_t at, const char *part, const char *what)
{
    graze_clash_store *store = report->store;
    const char *part_copy = keep_text(store, part), *what_copy = keep_text(store, what);
    if (part_copy == NULL || what_copy == NULL ||
        !grz_array_reserve(&store->context, &report->problems, &store->problem_capacity, report->problem_count + 1,
                           sizeof *report->problems))
        return false;
    memmove(report->problems + at + 1, report->problems + at, (report->problem_count - at) * sizeof *report->problems);
    report->problems[at] = (graze_clash_problem){part_copy, what_copy};
    report->problem_count++;
    return true;
}

bool grz_clash_report_append_problem(graze_clash_report *report, const graze_clash_problem *problem)
{
    return insert_problem(report, report->problem_count, problem->part, problem->what);
}

graze_status graze_clash_report_add_problem(graze_clash_report *report, const char *part, const char *what,
                                            bool left_out)
{
    if (report == NULL || report->store == NULL || part == NULL || what == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!insert_problem(report, report->store->added, part, what))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    report->store->added++;
    report->complete = report->complete && !left_out;
    return GRAZE_STATUS_OK;
}
