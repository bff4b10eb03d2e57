/* SPDX-License-Identifier: MIT */
/*
 * Adds files to an assembly. glTF: nodes with their poses, which share meshes. All other formats: the parts of a model,
 * each a mesh of its own, with the identity. A scale factor is multiplied into the pose.
 */
#include <stdio.h>

#include "io/assembly.h"
#include "io/flaw.h"
#include "io/gltf.h"
#include "io/model.h"
#include "io/source.h"

static graze_pose scaling(double scale)
{
    graze_pose pose = {{scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0}};
    return pose;
}

/* --- glTF --- */

typedef struct gltf_import
{
    graze_assembly *assembly;
    grz_gltf *gltf;
    size_t *places; /* by mesh of the file: its index in the assembly + 1; 0: not added */
    double scale;
    uint64_t passed_over;
} gltf_import;

static graze_status fail_memory(gltf_import *import)
{
    return grz_fail_memory(import->gltf->reader);
}

/* Moves a mesh into the assembly when a part first uses it. */
static bool place_mesh(gltf_import *import, uint32_t mesh)
{
    grz_gltf_mesh *entry = &import->gltf->meshes[mesh];
    if (import->places[mesh] != 0)
        return true;
    graze_mesh *moved = entry->mesh;
    entry->mesh = NULL;
    import->places[mesh] = import->assembly->meshes.count + 1;
    return grz_assembly_add_mesh(import->assembly, moved);
}

static graze_status take_node(gltf_import *import, const grz_gltf_part *part)
{
    graze_assembly *assembly = import->assembly;
    graze_status status = grz_gltf_read_mesh(import->gltf, part->mesh);
    if (status != GRAZE_STATUS_OK)
        return status;
    const grz_gltf_mesh *entry = &import->gltf->meshes[part->mesh];
    graze_status worst = part->status != GRAZE_STATUS_OK ? part->status : entry->status;
    const char *fault = part->status != GRAZE_STATUS_OK ? part->fault : entry->fault;
    graze_pose pose = part->pose;
    if (worst == GRAZE_STATUS_OK && entry->mesh == NULL && import->places[part->mesh] == 0)
    {
        worst = GRAZE_STATUS_EMPTY;
        fault = "it shows no triangles";
    }
    if (worst == GRAZE_STATUS_OK && import->scale != 1.0)
    {
        graze_pose scale = scaling(import->scale);
        worst = graze_pose_compose(&scale, &part->pose, &pose, NULL);
        fault = "its place in the world is not finite";
    }
    import->passed_over += entry->passed_over;
    const graze_precision floats = {GRAZE_NUMBER_FLOAT, 0}; /* the only positions that glTF has */
    bool added = worst != GRAZE_STATUS_OK ? grz_assembly_add_problem(assembly, part->name, worst, true, fault)
                                          : place_mesh(import, part->mesh);
    if (added && worst == GRAZE_STATUS_OK)
        added = grz_assembly_add_part(assembly, &(graze_part){.name = part->name,
                                                              .mesh = import->places[part->mesh] - 1,
                                                              .pose = pose,
                                                              .precision = floats,
                                                              .node = part->node,
                                                              .parent = part->parent,
                                                              .top = part->top});
    return added ? GRAZE_STATUS_OK : fail_memory(import);
}

static bool remark(gltf_import *import, uint64_t count, const char *what)
{
    char text[160];
    if (count == 0)
        return true;
    snprintf(text, sizeof text, "%llu %s", (unsigned long long)count, what);
    return grz_assembly_add_problem(import->assembly, "", GRAZE_STATUS_UNSUPPORTED, false, text);
}

static graze_status take_nodes(gltf_import *import)
{
    grz_gltf *gltf = import->gltf;
    import->places = grz_allocate_zeroed(gltf->reader->context, gltf->mesh_list.count, sizeof *import->places);
    if (import->places == NULL)
        return fail_memory(import);
    if (gltf->parts.count == 0)
        return grz_fail(gltf->reader, GRAZE_STATUS_EMPTY, "its scene shows no meshes");
    graze_status status = GRAZE_STATUS_OK;
    for (size_t p = 0; status == GRAZE_STATUS_OK && p < gltf->parts.count; p++)
    {
        grz_monitor_stage(gltf->reader->monitor, 0.5 + 0.5 * (double)(p + 1) / (double)gltf->parts.count);
        status = take_node(import, &gltf->parts.data[p]);
    }
    if (status == GRAZE_STATUS_OK &&
        !(remark(import, gltf->outside_scene, "nodes with meshes are not in the scene that is shown, and left out") &&
          remark(import, gltf->skinned, "parts have skins, which are not applied") &&
          remark(import, import->passed_over, "primitives are points or lines, and left out")))
        status = fail_memory(import);
    return status;
}

graze_status grz_assembly_read_gltf(graze_assembly *assembly, grz_reader *reader, bool binary, double scale)
{
    grz_gltf gltf;
    gltf_import import = {.assembly = assembly, .gltf = &gltf, .scale = scale};
    grz_monitor_stage(reader->monitor, 0.5);
    graze_status status = grz_gltf_open(reader, binary, &gltf);
    if (status == GRAZE_STATUS_OK)
        status = take_nodes(&import);
    grz_release(reader->context, import.places);
    grz_gltf_close(&gltf);
    return status;
}

/* --- models --- */

static size_t face_count_of(const graze_model *model, size_t part)
{
    if (model->part_starts == NULL)
        return part == 0 && model->mesh != NULL ? graze_mesh_face_count(model->mesh) : 0;
    return model->part_starts[part + 1] - model->part_starts[part];
}

/* Moves the whole mesh if it is the only part, which saves a copy. */
static graze_status part_mesh(graze_assembly *assembly, graze_model *model, size_t part, graze_mesh **out_mesh)
{
    if (model->part_count > 1)
        return graze_model_create_part_mesh(&assembly->context, model, part, out_mesh);
    *out_mesh = model->mesh;
    model->mesh = NULL;
    return GRAZE_STATUS_OK;
}

typedef struct model_import
{
    graze_assembly *assembly;
    grz_reader *reader;
    graze_model *model; /* without a mesh if all parts are flawed */
    grz_faults faults;
    uint32_t *fault_of; /* by part: 0, or the index of its fault + 1 */
    graze_pose pose;
} model_import;

static graze_status take_part(model_import *import, size_t part)
{
    graze_assembly *assembly = import->assembly;
    const char *name = graze_model_part_name(import->model, part);
    bool added;
    if (import->fault_of[part] != 0)
    {
        const grz_fault *fault = &import->faults.data[import->fault_of[part] - 1];
        added = grz_assembly_add_problem(assembly, name, fault->status, true, fault->text);
    }
    else if (import->model->mesh == NULL || face_count_of(import->model, part) == 0)
        added = grz_assembly_add_problem(assembly, name, GRAZE_STATUS_EMPTY, true, "it has no faces");
    else
    {
        graze_mesh *mesh = NULL;
        graze_status status = part_mesh(assembly, import->model, part, &mesh);
        if (status != GRAZE_STATUS_OK)
            return grz_fail(import->reader, status, "%.100s: %s", name, graze_status_text(status));
        added =
            grz_assembly_add_mesh(assembly, mesh) &&
            grz_assembly_add_part(assembly, &(graze_part){.name = name,
                                                          .mesh = assembly->meshes.count - 1,
                                                          .pose = import->pose,
                                                          .precision = graze_model_part_precision(import->model, part),
                                                          .node = GRAZE_NO_NODE,
                                                          .parent = GRAZE_NO_NODE,
                                                          .top = GRAZE_NO_NODE});
    }
    return added ? GRAZE_STATUS_OK : grz_fail_memory(import->reader);
}

static graze_status take_parts(model_import *import)
{
    size_t part_count = import->model->part_count;
    import->fault_of = grz_allocate_zeroed(import->reader->context, part_count, sizeof *import->fault_of);
    if (import->fault_of == NULL)
        return grz_fail_memory(import->reader);
    for (size_t i = 0; i < import->faults.count; i++)
        import->fault_of[import->faults.data[i].part] = (uint32_t)i + 1;
    graze_status status = GRAZE_STATUS_OK;
    for (size_t p = 0; status == GRAZE_STATUS_OK && p < part_count; p++)
    {
        bool goes_on = grz_read_elements(import->reader, 1 + face_count_of(import->model, p));
        status = goes_on ? take_part(import, p) : grz_stopped(import->reader, GRAZE_STATUS_OK);
    }
    return status;
}

static graze_status drop_flawed(model_import *import)
{
    size_t unused = 0;
    graze_status status = grz_drop_flawed_parts(import->reader, &import->faults, &unused);
    char text[120];
    snprintf(text, sizeof text, "%zu vertices that no face uses have coordinates that are not finite", unused);
    if (status == GRAZE_STATUS_OK && unused > 0 &&
        !grz_assembly_add_problem(import->assembly, "", GRAZE_STATUS_NOT_FINITE, false, text))
        status = grz_fail_memory(import->reader);
    return status;
}

/* All parts are flawed: there are names, but no faces for a mesh. */
static graze_status make_names_only(model_import *import)
{
    const graze_context *context = import->reader->context;
    import->model = grz_allocate_zeroed(context, 1, sizeof *import->model);
    if (import->model == NULL)
        return grz_fail_memory(import->reader);
    import->model->context = grz_context_copy(context);
    return grz_model_make_names(import->model, &import->reader->builder) ? GRAZE_STATUS_OK
                                                                         : grz_fail_memory(import->reader);
}

graze_status grz_assembly_read_model(graze_assembly *assembly, grz_reader *reader, graze_format *format, double scale)
{
    model_import import = {.assembly = assembly, .reader = reader, .pose = scaling(scale)};
    graze_status status = grz_source_build(reader, format);
    if (status == GRAZE_STATUS_OK)
        status = drop_flawed(&import);
    bool nothing_left = import.faults.count > 0 && reader->builder.face_count == 0;
    if (status == GRAZE_STATUS_OK)
        status = nothing_left ? make_names_only(&import) : grz_model_make(reader, *format, &import.model);
    if (status == GRAZE_STATUS_OK)
        status = take_parts(&import);
    graze_model_destroy(import.model);
    grz_release(reader->context, import.faults.data);
    grz_release(reader->context, import.fault_of);
    return status;
}
