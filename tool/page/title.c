/* SPDX-License-Identifier: MIT */
/* Titles of pages from file names; see title.h. */
#define _XOPEN_SOURCE 700

#include "page/title.h"

#include <stdlib.h>
#include <string.h>

#include "scene/inputs.h"
#include "shell/line_reader.h"

static bool ends_with(const char *text, size_t size, const char *ending)
{
    size_t ending_size = strlen(ending);
    return size > ending_size && strncmp(text + size - ending_size, ending, ending_size) == 0;
}

/* Length of a base name without extension and .gz: "gear.stl.gz" has four. */
static size_t stem_size(const char *name)
{
    size_t size = strlen(name);
    if (ends_with(name, size, ".gz"))
        size -= 3;
    for (size_t at = size; at > 1; at--)
        if (name[at - 1] == '.')
            return at - 1;
    return size;
}

/* Length of the longest common folder of all paths, without its slash. */
static size_t common_folder(const page_input *inputs, size_t count)
{
    const char *first = inputs[0].path, *slash = strrchr(first, '/');
    size_t size = slash != NULL ? (size_t)(slash - first) : 0;
    for (size_t i = 1; i < count; i++)
        while (size > 0 && (strncmp(inputs[i].path, first, size) != 0 || inputs[i].path[size] != '/'))
            do
                size--;
            while (size > 0 && first[size] != '/');
    return size;
}

static char *folder_title(const page_input *inputs, size_t count)
{
    const char *path = inputs[0].path;
    size_t end = common_folder(inputs, count), begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    bool is_name = end > begin && !(end - begin == 1 && path[begin] == '.') &&
                   !(end - begin == 2 && strncmp(path + begin, "..", 2) == 0);
    return is_name ? strndup(path + begin, end - begin) : NULL;
}

char *page_title(const page_input *inputs, size_t count)
{
    if (count == 0)
        return strdup("graze");
    char *folder = count > 1 ? folder_title(inputs, count) : NULL;
    if (folder != NULL)
        return folder;
    const char *name = base_name(display_name(inputs[0].path));
    return format_text("%.*s%s", (int)stem_size(name), name, count > 1 ? " and others" : "");
}

bool page_has_y_up(const page_input *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        size_t size = strlen(inputs[i].path);
        if (ends_with(inputs[i].path, size, ".gz"))
            size -= 3;
        if (!ends_with(inputs[i].path, size, ".glb") && !ends_with(inputs[i].path, size, ".gltf"))
            return false;
    }
    return count > 0;
}
