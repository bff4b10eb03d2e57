/* SPDX-License-Identifier: MIT */
/* Public functions of assemblies. A file is added as a whole or not at all. */
#include "io/assembly.h"

#include <math.h>
#include <string.h>

#include "base/struct_size.h"
#include "io/source.h"

graze_status graze_assembly_create(const graze_context *context, graze_assembly **out_assembly)
{
    if (out_assembly == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_assembly *assembly = grz_allocate_zeroed(context, 1, sizeof *assembly);
    if (assembly == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    assembly->context = grz_context_copy(context);
    assembly->texts = grz_arena_make(&assembly->context);
    *out_assembly = assembly;
    return GRAZE_STATUS_OK;
}

void graze_assembly_destroy(graze_assembly *assembly)
{
    if (assembly == NULL)
        return;
    graze_context context = assembly->context;
    for (size_t i = 0; i < assembly->meshes.count; i++)
        graze_mesh_destroy(assembly->meshes.data[i].mesh);
    grz_arena_release(&assembly->texts);
    grz_release(&context, assembly->parts.data);
    grz_release(&context, assembly->meshes.data);
    grz_release(&context, assembly->files.data);
    grz_release(&context, assembly->problems.data);
    grz_release(&context, assembly);
}

/* --- queries --- */

size_t graze_assembly_part_count(const graze_assembly *assembly)
{
    return assembly != NULL ? assembly->parts.count : 0;
}

size_t graze_assembly_mesh_count(const graze_assembly *assembly)
{
    return assembly != NULL ? assembly->meshes.count : 0;
}

size_t graze_assembly_file_count(const graze_assembly *assembly)
{
    return assembly != NULL ? assembly->files.count : 0;
}

size_t graze_assembly_problem_count(const graze_assembly *assembly)
{
    return assembly != NULL ? assembly->problems.count : 0;
}

const graze_part *graze_assembly_part_at(const graze_assembly *assembly, size_t part)
{
    return assembly != NULL && part < assembly->parts.count ? &assembly->parts.data[part] : NULL;
}

const graze_mesh *graze_assembly_mesh_at(const graze_assembly *assembly, size_t mesh)
{
    return assembly != NULL && mesh < assembly->meshes.count ? assembly->meshes.data[mesh].mesh : NULL;
}

const graze_assembly_file *graze_assembly_file_at(const graze_assembly *assembly, size_t file)
{
    return assembly != NULL && file < assembly->files.count ? &assembly->files.data[file] : NULL;
}

const graze_problem *graze_assembly_problem_at(const graze_assembly *assembly, size_t problem)
{
    return assembly != NULL && problem < assembly->problems.count ? &assembly->problems.data[problem] : NULL;
}

/* --- adding --- */

static const char *keep(graze_assembly *assembly, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = grz_arena_allocate(&assembly->texts, size, 1);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

bool grz_assembly_add_mesh(graze_assembly *assembly, graze_mesh *mesh)
{
    grz_owned_mesh owned = {mesh};
    if (GRZ_PUSH(&assembly->context, &assembly->meshes, owned))
        return true;
    graze_mesh_destroy(mesh);
    return false;
}

bool grz_assembly_add_part(graze_assembly *assembly, const graze_part *part)
{
    graze_part added = *part;
    added.name = keep(assembly, part->name);
    added.file = assembly->files.count - 1;
    return added.name != NULL && GRZ_PUSH(&assembly->context, &assembly->parts, added);
}

bool grz_assembly_add_problem(graze_assembly *assembly, const char *part, graze_status status, bool left_out,
                              const char *text)
{
    graze_problem problem = {assembly->files.count - 1, keep(assembly, part), keep(assembly, text), status, left_out};
    return problem.part != NULL && problem.text != NULL && GRZ_PUSH(&assembly->context, &assembly->problems, problem);
}

/* Sizes of all arrays before a file is added, to undo it. */
typedef struct assembly_mark
{
    size_t parts, meshes, files, problems;
} assembly_mark;

static assembly_mark mark_of(const graze_assembly *assembly)
{
    assembly_mark mark = {assembly->parts.count, assembly->meshes.count, assembly->files.count,
                          assembly->problems.count};
    return mark;
}

static void take_back(graze_assembly *assembly, const assembly_mark *mark)
{
    while (assembly->meshes.count > mark->meshes)
        graze_mesh_destroy(assembly->meshes.data[--assembly->meshes.count].mesh);
    assembly->parts.count = mark->parts;
    assembly->files.count = mark->files;
    assembly->problems.count = mark->problems;
}

typedef struct addition
{
    graze_assembly *assembly;
    const graze_assembly_options *options;
} addition;

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static graze_status consume(grz_reader *reader, graze_format format, void *user)
{
    const addition *job = user;
    graze_assembly *assembly = job->assembly;
    bool gltf = format == GRAZE_FORMAT_GLTF || format == GRAZE_FORMAT_GLB;
    double scale = gltf ? job->options->metre : job->options->scale;
    graze_assembly_file file = {keep(assembly, reader->name), format, assembly->parts.count, 0, scale};
    if (file.path == NULL || !GRZ_PUSH(&assembly->context, &assembly->files, file))
        return grz_fail_memory(reader);
    reader->lenient = true;
    graze_status status = gltf ? grz_assembly_read_gltf(assembly, reader, format == GRAZE_FORMAT_GLB, scale)
                               : grz_assembly_read_model(assembly, reader, &format, scale);
    status = grz_stopped(reader, status);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!grz_assembly_name_parts(assembly, file.first_part, base_name(reader->name)))
        return grz_fail_memory(reader);
    graze_assembly_file *added = &assembly->files.data[assembly->files.count - 1];
    added->format = format;
    added->part_count = assembly->parts.count - file.first_part;
    return GRAZE_STATUS_OK;
}

static bool is_scale(double scale)
{
    return isfinite(scale) && scale > 0.0;
}

graze_status graze_assembly_add_file(graze_assembly *assembly, const char *path, const graze_assembly_options *options,
                                     const graze_budget *budget, graze_error *error)
{
    graze_assembly_options defaults = graze_assembly_options_default();
    GRZ_FULL_STRUCT(graze_assembly_options, options);
    if (options == NULL || !options_fits)
        options = &defaults;
    const char *name = options->name != NULL ? options->name : path;
    grz_reader reader = {.name = name != NULL ? name : "input", .error = error};
    if (!options_fits)
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT, "options of another size");
    if (assembly == NULL || path == NULL || !is_scale(options->scale) || !is_scale(options->metre))
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT,
                        "assembly and path may not be NULL, scales must be finite and positive");
    assembly_mark mark = mark_of(assembly);
    addition job = {assembly, options};
    reader.context = &assembly->context;
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    reader.monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL;
    graze_status status = grz_source_file(&reader, path, options->format, consume, &job);
    if (status != GRAZE_STATUS_OK)
        take_back(assembly, &mark);
    return status;
}

graze_status graze_assembly_add_memory(graze_assembly *assembly, const void *bytes, size_t size,
                                       const graze_assembly_options *options, const graze_budget *budget,
                                       graze_error *error)
{
    graze_assembly_options defaults = graze_assembly_options_default();
    GRZ_FULL_STRUCT(graze_assembly_options, options);
    if (options == NULL || !options_fits)
        options = &defaults;
    grz_reader reader = {.name = options->name != NULL ? options->name : "input", .error = error};
    if (!options_fits)
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT, "options of another size");
    if (assembly == NULL || (bytes == NULL && size > 0) || !is_scale(options->scale) || !is_scale(options->metre))
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT,
                        "assembly and bytes may not be NULL, scales must be finite and positive");
    assembly_mark mark = mark_of(assembly);
    addition job = {assembly, options};
    reader.context = &assembly->context;
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    reader.monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL;
    graze_status status = grz_source_memory(&reader, bytes, size, options->format, consume, &job);
    if (status != GRAZE_STATUS_OK)
        take_back(assembly, &mark);
    return status;
}
