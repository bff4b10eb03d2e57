/* SPDX-License-Identifier: MIT */
/* Links and assemblies of parts; see hierarchy.h. */
#include "clash/hierarchy.h"

#include <string.h>

#include "text/format.h"
#include "text/name_table.h"

/* --- by members --- */

/* The smallest part of a set of connected parts (union-find with path halving). */
static uint32_t root_of(uint32_t *roots, uint32_t part)
{
    while (roots[part] != part)
    {
        roots[part] = roots[roots[part]];
        part = roots[part];
    }
    return part;
}

static void join(uint32_t *roots, uint32_t a, uint32_t b)
{
    a = root_of(roots, a);
    b = root_of(roots, b);
    roots[a < b ? b : a] = a < b ? a : b;
}

/* Joins parts whose members have the same top. Tops are numbers of the caller's, so they are looked up as text. */
static bool join_tops(const graze_context *context, const graze_clash_member *members, uint32_t *roots, uint32_t *first,
                      size_t count)
{
    grz_name_table tops = {0};
    bool done = true;
    for (uint32_t i = 0; i < count && done; i++)
    {
        grz_short_text key = grz_grouped(members[i].top);
        size_t known = tops.count;
        uint32_t number = members[i].top != 0 ? grz_names_add(context, &tops, key.text) : 0;
        done = number != GRZ_NO_NAME;
        if (!done || members[i].top == 0)
            continue;
        if (number == known)
            first[number] = i;
        join(roots, first[number], i);
    }
    grz_names_release(context, &tops);
    return done;
}

static bool take_members(const graze_context *context, const graze_clash_member *members, grz_clash_part *parts,
                         size_t count)
{
    uint32_t *roots = grz_allocate_zeroed(context, count + 1, 2 * sizeof *roots);
    if (roots == NULL)
        return false;
    uint32_t *first = roots + count;
    for (uint32_t i = 0; i < count; i++)
        roots[i] = i;
    for (uint32_t i = 0; i < count; i++)
    {
        uint32_t parent = members[i].parent;
        if (parent >= count || parent == i)
            continue;
        parts[i].link = parent + 1;
        join(roots, i, parent);
    }
    bool done = join_tops(context, members, roots, first, count);
    for (uint32_t i = 0; i < count && done; i++)
        parts[i].assembly = root_of(roots, i) + 1;
    grz_release(context, roots);
    return done;
}

/* --- by paths --- */

/* A number for "file, path". */
static uint32_t number_of(const graze_context *context, grz_name_table *table, const char *file, const char *path,
                          size_t path_size)
{
    char *key = grz_format_text(context, "%zu:%s:%.*s", strlen(file), file, (int)path_size, path);
    uint32_t number = key != NULL ? grz_names_add(context, table, key) : GRZ_NO_NAME;
    grz_release(context, key);
    return number;
}

static bool take_paths(const graze_context *context, grz_clash_part *parts, size_t count)
{
    grz_name_table paths = {0}, tops = {0};
    uint32_t *part_of = grz_allocate_zeroed(context, count + 1, sizeof *part_of); /* part + 1, by number of its path */
    bool done = part_of != NULL;
    for (uint32_t i = 0; i < count && done; i++)
    {
        const grz_clash_part *part = &parts[i];
        const char *path = part->parent[0] != '\0' ? part->parent : part->name;
        uint32_t own = number_of(context, &paths, part->file, part->name, strlen(part->name));
        uint32_t top = number_of(context, &tops, part->file, path, strcspn(path, "/"));
        done = own != GRZ_NO_NAME && top != GRZ_NO_NAME;
        if (done && part_of[own] == 0)
            part_of[own] = i + 1;
        parts[i].assembly = done ? top + 1 : 0;
    }
    size_t own_count = paths.count;
    for (uint32_t i = 0; i < count && done; i++)
    {
        if (parts[i].parent[0] == '\0')
            continue;
        uint32_t above = number_of(context, &paths, parts[i].file, parts[i].parent, strlen(parts[i].parent));
        done = above != GRZ_NO_NAME;
        if (done && above < own_count && part_of[above] != i + 1)
            parts[i].link = part_of[above];
    }
    grz_names_release(context, &paths);
    grz_names_release(context, &tops);
    grz_release(context, part_of);
    return done;
}

bool grz_clash_find_hierarchy(const graze_context *context, const graze_clash_member *members, grz_clash_part *parts,
                              size_t count)
{
    return members != NULL ? take_members(context, members, parts, count) : take_paths(context, parts, count);
}
