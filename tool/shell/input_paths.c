/* SPDX-License-Identifier: MIT */
/* Expands command-line words to files; see input_paths.h. POSIX: opendir, stat, glob. */
#define _XOPEN_SOURCE 700

#include "shell/input_paths.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "graze/io.h"
#include "shell/parse_numbers.h"

enum
{
    DEEPEST = 64 /* levels of nested folders */
};

/* --- sets of files, keyed by device and inode, not by name --- */

typedef struct file_key
{
    uint64_t device, number;
    bool used;
} file_key;

typedef struct file_set
{
    file_key *slots; /* hash table of a power of two slots, at most half full */
    size_t size, count;
} file_set;

static file_key *slot_of(const file_set *set, const struct stat *file)
{
    uint64_t hash = ((uint64_t)file->st_ino * UINT64_C(0x9e3779b97f4a7c15)) ^ (uint64_t)file->st_dev;
    size_t at = (size_t)(hash ^ hash >> 32) & (set->size - 1);
    while (set->slots[at].used &&
           (set->slots[at].device != (uint64_t)file->st_dev || set->slots[at].number != (uint64_t)file->st_ino))
        at = (at + 1) & (set->size - 1);
    return &set->slots[at];
}

static bool set_holds(const file_set *set, const struct stat *file)
{
    return set->count > 0 && slot_of(set, file)->used;
}

static bool set_grow(file_set *set)
{
    file_set larger = {.size = set->size == 0 ? 64 : 2 * set->size, .count = set->count};
    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (size_t i = 0; i < set->size; i++)
    {
        struct stat file = {.st_dev = (dev_t)set->slots[i].device, .st_ino = (ino_t)set->slots[i].number};
        if (set->slots[i].used)
            *slot_of(&larger, &file) = set->slots[i];
    }
    free(set->slots);
    *set = larger;
    return true;
}

/* Returns false when out of memory. */
static bool set_add(file_set *set, const struct stat *file)
{
    if (2 * (set->count + 1) > set->size && !set_grow(set))
        return false;
    file_key *place = slot_of(set, file);
    set->count += !place->used;
    *place = (file_key){(uint64_t)file->st_dev, (uint64_t)file->st_ino, true};
    return true;
}

/* --- lists --- */

typedef struct path_search
{
    const tool_console *console;
    input_paths *paths;
    input_path word; /* the current word, without its suffix */
    file_set named;  /* files named directly by a word */
    file_set seen;   /* files and folders found so far */
    size_t repeated; /* files found more than once, or also named directly */
} path_search;

static exit_code no_memory(const path_search *search)
{
    return report_error(search->console, EXIT_INTERNAL, "there is not enough memory for the list of files");
}

/* Grows the array for one more element of `size` bytes; false when out of memory. */
static bool make_room(void *array, size_t count, size_t *capacity, size_t size)
{
    void **data = array;
    if (count < *capacity)
        return true;
    size_t wanted = *capacity == 0 ? 16 : 2 * *capacity;
    void *larger = wanted <= SIZE_MAX / size ? realloc(*data, wanted * size) : NULL;
    if (larger == NULL)
        return false;
    *data = larger;
    *capacity = wanted;
    return true;
}

static exit_code add_file(path_search *search, const char *path)
{
    input_paths *paths = search->paths;
    if (!make_room(&paths->files, paths->count, &paths->capacity, sizeof *paths->files))
        return no_memory(search);
    input_path *file = &paths->files[paths->count];
    *file = search->word;
    file->path = strdup(path);
    if (file->path == NULL)
        return no_memory(search);
    paths->count++;
    return 0;
}

static exit_code add_skipped(path_search *search, const char *path, const char *what, bool left_out)
{
    input_paths *paths = search->paths;
    if (!make_room(&paths->missing, paths->missing_count, &paths->missing_capacity, sizeof *paths->missing))
        return no_memory(search);
    char *name = strdup(path), *sentence = strdup(what);
    if (name == NULL || sentence == NULL)
    {
        free(name);
        free(sentence);
        return no_memory(search);
    }
    paths->missing[paths->missing_count++] = (missing_path){name, sentence, left_out};
    return 0;
}

static exit_code add_missing(path_search *search, const char *path, const char *what)
{
    return add_skipped(search, path, what, true);
}

/* --- files found in folders and by patterns --- */

/* Whether a file is found for the first time; also false when out of memory, which `code` then says. */
static bool is_new(path_search *search, const struct stat *info, exit_code *code)
{
    if (set_holds(&search->named, info) || set_holds(&search->seen, info))
    {
        search->repeated++;
        return false;
    }
    if (set_add(&search->seen, info))
        return true;
    *code = no_memory(search);
    return false;
}

static exit_code add_found(path_search *search, const char *path, const struct stat *info)
{
    exit_code code = 0;
    return is_new(search, info, &code) ? add_file(search, path) : code;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in a folder, sorted; false when it cannot be read or memory is exhausted. The caller frees them in any case. */
static bool list_folder(const char *path, char ***out_names, size_t *out_count)
{
    DIR *folder = opendir(path);
    size_t capacity = 0;
    bool good = folder != NULL;
    *out_names = NULL;
    *out_count = 0;
    for (struct dirent *entry; good && (entry = readdir(folder)) != NULL;)
    {
        if (entry->d_name[0] == '.')
            continue;
        good = make_room(out_names, *out_count, &capacity, sizeof **out_names);
        char *name = good ? strdup(entry->d_name) : NULL;
        good = name != NULL;
        if (good)
            (*out_names)[(*out_count)++] = name;
    }
    if (folder != NULL)
        closedir(folder);
    if (*out_count > 1)
        qsort(*out_names, *out_count, sizeof **out_names, by_bytes);
    return good;
}

static char *join(const char *folder, const char *name)
{
    size_t folder_size = strlen(folder), name_size = strlen(name);
    while (folder_size > 1 && folder[folder_size - 1] == '/')
        folder_size--;
    size_t size = folder_size + name_size + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%.*s%s%s", (int)folder_size, folder, strcmp(folder, "/") != 0 ? "/" : "", name);
    return path;
}

/* Endings of files with geometry that Graze does not read. */
static const struct
{
    const char *ending, *format;
} foreign_formats[] = {
    {".step", "STEP"},      {".stp", "STEP"},       {".stpz", "STEP"},         {".iges", "IGES"},
    {".igs", "IGES"},       {".3mf", "3MF"},        {".amf", "AMF"},           {".brep", "BREP"},
    {".x_t", "Parasolid"},  {".x_b", "Parasolid"},  {".xmt_txt", "Parasolid"}, {".sat", "ACIS"},
    {".sab", "ACIS"},       {".jt", "JT"},          {".sldprt", "SolidWorks"}, {".sldasm", "SolidWorks"},
    {".ipt", "Inventor"},   {".iam", "Inventor"},   {".catpart", "CATIA"},     {".catproduct", "CATIA"},
    {".prt", "NX or Creo"}, {".f3d", "Fusion"},     {".fcstd", "FreeCAD"},     {".3dm", "Rhino"},
    {".skp", "SketchUp"},   {".dxf", "DXF"},        {".dwg", "DWG"},           {".ifc", "IFC"},
    {".rvt", "Revit"},      {".nwd", "Navisworks"}, {".dae", "COLLADA"},       {".fbx", "FBX"},
    {".3ds", "3DS"},        {".blend", "Blender"},  {".wrl", "VRML"},          {".x3d", "X3D"},
    {".usd", "USD"},        {".usda", "USD"},       {".usdc", "USD"},          {".usdz", "USD"},
    {".vtk", "VTK"},        {".vtp", "VTK"},        {".msh", "Gmsh"},          {".urdf", "URDF"}};

const char *foreign_format(const char *path)
{
    size_t size = strlen(path);
    for (size_t i = 0; i < sizeof foreign_formats / sizeof *foreign_formats; i++)
    {
        size_t ending = strlen(foreign_formats[i].ending);
        if (size > ending && strcasecmp(path + size - ending, foreign_formats[i].ending) == 0)
            return foreign_formats[i].format;
    }
    return NULL;
}

static exit_code add_foreign(path_search *search, const char *path, const char *format)
{
    char what[120];
    snprintf(what, sizeof what, "%s files are not read; export STL, OBJ, PLY, OFF or glTF", format);
    return add_missing(search, path, what);
}

static exit_code walk_folder(path_search *search, const char *path, const struct stat *info, int depth);

static exit_code walk_entry(path_search *search, const char *path, int depth)
{
    struct stat info, link;
    const char *format = foreign_format(path);
    bool is_mesh = graze_format_from_name(path) != GRAZE_FORMAT_AUTO;
    if (lstat(path, &link) != 0)
        return is_mesh ? add_missing(search, path, strerror(errno)) : 0;
    if (stat(path, &info) != 0)
        return add_skipped(search, path, "it is a link that leads nowhere", is_mesh || format != NULL);
    if (S_ISDIR(info.st_mode) && S_ISLNK(link.st_mode))
        return add_skipped(search, path, "it is a link to a folder, which is not followed", false);
    if (S_ISDIR(info.st_mode))
        return depth < DEEPEST ? walk_folder(search, path, &info, depth + 1)
                               : add_missing(search, path, "the folder is nested too deep");
    if (S_ISREG(info.st_mode) && is_mesh)
        return add_found(search, path, &info);
    if (format != NULL)
        return add_foreign(search, path, format);
    return is_mesh ? add_missing(search, path, "it is no file but a pipe, socket or device") : 0;
}

static exit_code walk_folder(path_search *search, const char *path, const struct stat *info, int depth)
{
    char **names = NULL;
    size_t count = 0;
    exit_code code = 0;
    if (!is_new(search, info, &code))
        return code;
    errno = 0;
    if (!list_folder(path, &names, &count))
        code = add_missing(search, path, errno != 0 ? strerror(errno) : "it cannot be read");
    for (size_t i = 0; code == 0 && i < count; i++)
    {
        char *inner = join(path, names[i]);
        code = inner != NULL ? walk_entry(search, inner, depth) : no_memory(search);
        free(inner);
    }
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return code;
}

static exit_code take_folder(path_search *search, const char *path, const struct stat *info)
{
    const input_paths *paths = search->paths;
    size_t before = paths->count + search->repeated;
    exit_code code = walk_folder(search, path, info, 0);
    if (code == 0 && paths->count + search->repeated == before)
        return add_missing(search, path, "there are no mesh files in this folder");
    return code;
}

static exit_code take_pattern(path_search *search, const char *pattern)
{
    glob_t found = {0};
    int result = glob(pattern, 0, NULL, &found);
    exit_code code = 0;
    if (result == GLOB_NOSPACE)
        code = no_memory(search);
    else if (result != 0)
        code = add_missing(search, pattern, "no file fits this pattern");
    for (size_t i = 0; result == 0 && code == 0 && i < found.gl_pathc; i++)
    {
        struct stat info;
        if (stat(found.gl_pathv[i], &info) != 0)
            code = add_missing(search, found.gl_pathv[i], "it is a link that leads nowhere");
        else
            code = S_ISDIR(info.st_mode) ? walk_folder(search, found.gl_pathv[i], &info, 0)
                                         : add_found(search, found.gl_pathv[i], &info);
    }
    globfree(&found);
    return code;
}

/* --- words --- */

exit_code input_word_split(const tool_console *console, const char *word, input_path *out_path)
{
    static const char *const endings[2] = {":scale=", ":units="};
    struct stat info;
    *out_path = (input_path){.path = strdup(word)};
    if (out_path->path == NULL)
        return report_error(console, EXIT_INTERNAL, "there is not enough memory for the name of a file");
    const char *colon = strrchr(word, ':');
    if (colon == NULL || stat(word, &info) == 0)
        return 0;
    for (int e = 0; e < 2; e++)
    {
        size_t size = strlen(endings[e]), count = 0;
        char fault[FAULT_SIZE];
        const char *value = colon + size;
        if (strncmp(colon, endings[e], size) != 0)
            continue;
        if (e == 1)
            out_path->unit = unit_named(value);
        if (e == 1 && out_path->unit == UNIT_NONE)
            return report_error(console, EXIT_USAGE, "'%s': units are mm, cm, m, in or ft, not '%s'", word, value);
        if (e == 0 &&
            (!parse_numbers(value, &out_path->scale, 1, &count, fault) || count != 1 || !(out_path->scale > 0.0)))
            return report_error(console, EXIT_USAGE, "'%s': a scale is one positive number, not '%s'", word, value);
        out_path->path[colon - word] = '\0';
    }
    return 0;
}

static exit_code split_word(path_search *search, const char *word)
{
    return input_word_split(search->console, word, &search->word);
}

exit_code input_scales(const tool_console *console, const input_path *file, length_unit unit, double *out_scale,
                       double *out_metre)
{
    if (file->unit != UNIT_NONE && unit == UNIT_NONE)
        return report_error(console, EXIT_USAGE,
                            "%s:units=%s says the unit of a file; --units must then say that of the results",
                            file->path, unit_name(file->unit));
    *out_scale = unit_ratio(file->unit != UNIT_NONE ? file->unit : unit, unit);
    *out_metre = file->unit != UNIT_NONE ? *out_scale : unit_ratio(UNIT_M, unit);
    if (file->scale > 0.0)
        *out_scale = *out_metre = file->scale;
    return 0;
}

static bool is_pattern(const char *path)
{
    return strpbrk(path, "*?[") != NULL;
}

static exit_code take_word(path_search *search, const char *word)
{
    struct stat info;
    exit_code code = split_word(search, word);
    char *path = search->word.path;
    if (code == 0 && strcmp(path, "-") == 0)
        code = add_file(search, path);
    else if (code == 0 && stat(path, &info) == 0)
        code = S_ISDIR(info.st_mode) ? take_folder(search, path, &info) : add_file(search, path);
    else if (code == 0 && is_pattern(path))
        code = take_pattern(search, path);
    else if (code == 0)
        code = add_missing(search, path, "there is no such file or folder");
    free(path);
    return code;
}

/* Collects the files that words name directly. */
static exit_code note_named(path_search *search, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        struct stat info;
        exit_code code = split_word(search, words[i]);
        if (code == 0 && stat(search->word.path, &info) == 0 && !S_ISDIR(info.st_mode) &&
            !set_add(&search->named, &info))
            code = no_memory(search);
        free(search->word.path);
        if (code != 0)
            return code;
    }
    return 0;
}

exit_code input_paths_find(const tool_console *console, const char *const *words, size_t count, input_paths *out_paths)
{
    *out_paths = (input_paths){0};
    path_search search = {.console = console, .paths = out_paths};
    exit_code code = note_named(&search, words, count);
    for (size_t i = 0; code == 0 && i < count; i++)
        code = take_word(&search, words[i]);
    free(search.named.slots);
    free(search.seen.slots);
    return code;
}

void input_paths_release(input_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->files[i].path);
    for (size_t i = 0; i < paths->missing_count; i++)
    {
        free(paths->missing[i].path);
        free(paths->missing[i].what);
    }
    free(paths->files);
    free(paths->missing);
    *paths = (input_paths){0};
}
