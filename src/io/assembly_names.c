/* SPDX-License-Identifier: MIT */
/*
 * Unique names of parts: a name that occurs again in its file gets "#2", "#3" and so on, skipping names that the file
 * itself has. Problems keep the name in the file. Sorting makes it O(n log n) for any names.
 */
#include <stdio.h>
#include <string.h>

#include "io/assembly.h"

typedef struct name_order
{
    const char **names; /* original names */
    uint32_t *order, *scratch;
    size_t count;
} name_order;

static bool precedes(const name_order *sorted, uint32_t a, uint32_t b)
{
    return strcmp(sorted->names[a], sorted->names[b]) <= 0;
}

/* Stable bottom-up merge sort: equal names stay in the order of the file. */
static void sort_names(name_order *sorted)
{
    for (size_t width = 1; width < sorted->count; width *= 2)
    {
        for (size_t start = 0; start < sorted->count; start += 2 * width)
        {
            size_t middle = start + width < sorted->count ? start + width : sorted->count;
            size_t end = middle + width < sorted->count ? middle + width : sorted->count;
            size_t left = start, right = middle;
            for (size_t i = start; i < end; i++)
            {
                bool take_left =
                    left < middle && (right == end || precedes(sorted, sorted->order[left], sorted->order[right]));
                sorted->scratch[i] = sorted->order[take_left ? left++ : right++];
            }
        }
        memcpy(sorted->order, sorted->scratch, sorted->count * sizeof *sorted->order);
    }
}

static bool is_taken(const name_order *sorted, const char *name)
{
    size_t low = 0, high = sorted->count;
    while (low < high)
    {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(sorted->names[sorted->order[middle]], name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Finds the next unused "name#number"; false when out of memory. */
static bool rename_part(graze_assembly *assembly, graze_part *part, const name_order *sorted, uint64_t *number)
{
    size_t room = strlen(part->name) + 24;
    char *name = grz_arena_allocate(&assembly->texts, room, 1);
    if (name == NULL)
        return false;
    do
        snprintf(name, room, "%s#%llu", part->name, (unsigned long long)(*number)++);
    while (is_taken(sorted, name));
    part->name = name;
    return true;
}

static bool rename_all(graze_assembly *assembly, graze_part *parts, name_order *sorted, const char *file_name)
{
    for (size_t i = 0; i < sorted->count; i++)
    {
        if (parts[i].name[0] == '\0')
            parts[i].name = file_name;
        sorted->names[i] = parts[i].name;
        sorted->order[i] = (uint32_t)i;
    }
    sort_names(sorted);
    uint64_t number = 2;
    for (size_t i = 1; i < sorted->count; i++)
    {
        uint32_t part = sorted->order[i];
        if (strcmp(sorted->names[sorted->order[i - 1]], sorted->names[part]) != 0)
            number = 2;
        else if (!rename_part(assembly, &parts[part], sorted, &number))
            return false;
    }
    return true;
}

bool grz_assembly_name_parts(graze_assembly *assembly, size_t first, const char *file_name)
{
    const graze_context *context = &assembly->context;
    name_order sorted = {.count = assembly->parts.count - first};
    size_t size = strlen(file_name) + 1;
    char *kept = grz_arena_allocate(&assembly->texts, size, 1);
    sorted.names = grz_allocate(context, sorted.count, sizeof *sorted.names);
    sorted.order = grz_allocate(context, sorted.count, 2 * sizeof *sorted.order);
    bool done = kept != NULL && sorted.names != NULL && sorted.order != NULL;
    if (done)
    {
        memcpy(kept, file_name, size);
        sorted.scratch = sorted.order + sorted.count;
        if (sorted.count > 0)
            done = rename_all(assembly, assembly->parts.data + first, &sorted, kept);
    }
    grz_release(context, (void *)sorted.names);
    grz_release(context, sorted.order);
    return done;
}
