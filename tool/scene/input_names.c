/* SPDX-License-Identifier: MIT */
/* Unique names of parts over all files; see inputs.h. The names do not depend on the order of the files, unless a file
 * is given twice. */
#include <stdlib.h>
#include <string.h>

#include "scene/inputs.h"

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* Counts the parts of each name, by its number in the table. NULL when out of memory. */
static unsigned *count_names(tool_inputs *inputs, grz_name_table *table)
{
    unsigned *counts = calloc(inputs->part_count + 1, sizeof *counts);
    for (size_t p = 0; counts != NULL && p < inputs->part_count; p++)
    {
        uint32_t number = grz_names_add(NULL, table, inputs->parts[p].name);
        if (number == GRZ_NO_NAME)
        {
            free(counts);
            return NULL;
        }
        counts[number]++;
    }
    return counts;
}

/* Prepends the file name to each part whose name is not unique. */
static bool qualify(tool_inputs *inputs)
{
    grz_name_table table = {0};
    unsigned *counts = count_names(inputs, &table);
    bool good = counts != NULL;
    for (size_t p = 0; good && p < inputs->part_count; p++)
    {
        input_part *part = &inputs->parts[p];
        if (counts[grz_names_find(&table, part->name)] < 2)
            continue;
        if (strcmp(part->name, base_name(part->file)) == 0)
            part->name = part->file;
        else
            part->name = inputs_keep(inputs, format_text("%s:%s", part->file, part->name));
        good = part->name != NULL;
    }
    free(counts);
    grz_names_release(NULL, &table);
    return good;
}

/* Appends numbers to names that are still equal. All names are known before any is made, so that none is made twice. */
static bool number_rest(tool_inputs *inputs)
{
    unsigned *counts = count_names(inputs, &inputs->names);
    unsigned *met = calloc(inputs->part_count + 1, sizeof *met), *next = calloc(inputs->part_count + 1, sizeof *next);
    bool good = counts != NULL && met != NULL && next != NULL;
    for (size_t p = 0; good && p < inputs->part_count; p++)
    {
        input_part *part = &inputs->parts[p];
        uint32_t number = grz_names_find(&inputs->names, part->name);
        if (counts[number] < 2 || met[number]++ == 0)
            continue;
        const char *name = NULL;
        do
            name = inputs_keep(inputs, format_text("%s#%u", part->name, ++next[number] + 1));
        while (name != NULL && grz_names_find(&inputs->names, name) != GRZ_NO_NAME);
        good = name != NULL;
        part->name = name;
    }
    free(counts);
    free(met);
    free(next);
    return good;
}

bool inputs_name_parts(tool_inputs *inputs)
{
    return qualify(inputs) && number_rest(inputs);
}
