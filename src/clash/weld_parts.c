/* SPDX-License-Identifier: MIT */
/*
 * Welding of all parts; see parts.h and weld.h. Both ends of a gap are known up to the resolution, so they may be the
 * same point if they differ by at most twice that on each axis. Parts that share a mesh share the welded one, for the
 * smallest of their resolutions, in the frame of the mesh.
 */
#include <math.h>

#include "base/error.h"
#include "clash/parallel.h"
#include "clash/parts.h"
#include "clash/weld.h"

typedef struct weld_run
{
    const graze_context *context;
    grz_clash_parts *parts;
    double *tolerances;     /* by mesh; infinite: no part wants it welded */
    graze_status *statuses; /* by mesh */
} weld_run;

/* Surfaces may have edges; nothing is asked of their inside. */
static void find_tolerances(weld_run *run)
{
    const grz_clash_parts *parts = run->parts;
    for (size_t i = 0; i < parts->mesh_count; i++)
        run->tolerances[i] = INFINITY;
    for (size_t i = 0; i < parts->count; i++)
    {
        const grz_clash_part *part = &parts->parts[i];
        double *tolerance = &run->tolerances[parts->mesh_of[i]];
        if (!part->is_surface)
            *tolerance = fmin(*tolerance, grz_clash_weld_tolerance(&part->placed.pose, 2 * part->resolution));
    }
}

static void weld_mesh(void *argument, size_t mesh)
{
    weld_run *run = argument;
    double tolerance = run->tolerances[mesh];
    if (isfinite(tolerance))
        run->statuses[mesh] = grz_clash_weld(run->context, run->parts->meshes[mesh], run->parts->bodies[mesh],
                                             tolerance, &run->parts->welded[mesh]);
}

/* A tree of the caller belongs to the mesh as it was. */
static void replace_meshes(grz_clash_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
    {
        grz_clash_part *part = &parts->parts[i];
        const grz_clash_welded *welded = &parts->welded[parts->mesh_of[i]];
        if (welded->mesh == NULL)
            continue;
        part->placed.mesh = welded->mesh;
        part->placed.tree = NULL;
        part->body = welded->body;
        part->closed = true;
        grz_clash_part_compute_aabb(part);
    }
}

static bool has_gaps(const grz_clash_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        if (!parts->parts[i].closed && !parts->parts[i].is_surface && parts->parts[i].resolution > 0)
            return true;
    return false;
}

graze_status grz_clash_parts_weld(const graze_context *context, grz_clash_parts *parts, graze_error *error)
{
    if (!has_gaps(parts))
        return GRAZE_STATUS_OK;
    parts->welded = grz_allocate_zeroed(context, parts->mesh_count + 1, sizeof *parts->welded);
    weld_run run = {context, parts, grz_allocate_zeroed(context, parts->mesh_count + 1, sizeof *run.tolerances),
                    grz_allocate_zeroed(context, parts->mesh_count + 1, sizeof *run.statuses)};
    bool has_room = parts->welded != NULL && run.tolerances != NULL && run.statuses != NULL;
    graze_status status = has_room ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
    if (has_room)
    {
        find_tolerances(&run);
        grz_clash_parallel_for(context, parts->mesh_count, weld_mesh, &run);
        replace_meshes(parts);
    }
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < parts->mesh_count; i++)
        status = run.statuses[i];
    grz_release(context, run.tolerances);
    grz_release(context, run.statuses);
    if (status == GRAZE_STATUS_OK)
        return status;
    return grz_error(error, status, "gaps of the parts could not be closed: %s", graze_status_text(status));
}

size_t grz_clash_parts_gaps(const grz_clash_parts *parts, size_t part)
{
    return parts->welded != NULL ? parts->welded[parts->mesh_of[part]].gaps : 0;
}

void grz_clash_parts_release_welded(const graze_context *context, grz_clash_parts *parts)
{
    for (size_t i = 0; parts->welded != NULL && i < parts->mesh_count; i++)
        grz_clash_welded_release(&parts->welded[i]);
    grz_release(context, parts->welded);
    parts->welded = NULL;
}
