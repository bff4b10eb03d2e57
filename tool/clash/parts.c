/* SPDX-License-Identifier: MIT */
/* Prepares parts for the engine; see parts.h. */
#include "clash/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clash/pattern.h"

typedef struct work
{
    const graze_context *context;
    const tool_inputs *inputs;
    clash_parts *parts;
    graze_status *statuses; /* by mesh */
} work;

static void make_body(void *argument, size_t mesh)
{
    work *w = argument;
    w->statuses[mesh] = graze_body_create(w->context, w->inputs->meshes[mesh], NULL, &w->parts->bodies[mesh]);
}

/* AABB of a placed mesh: each bound is a sum of four terms, moved outward by more than their rounding error. */
static void compute_aabb(clash_part *part)
{
    graze_box box = graze_mesh_bounds(part->placed.mesh);
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = part->placed.pose.m + 4 * axis;
        double low = row[3], high = row[3], size = fabs(row[3]);
        for (int k = 0; k < 3; k++)
        {
            double x = row[k] * box.lower[k], y = row[k] * box.upper[k];
            low += fmin(x, y);
            high += fmax(x, y);
            size += fmax(fabs(x), fabs(y));
        }
        /* shortcut: part-boxes */
        double error = 8 * DBL_EPSILON * size + 16 * DBL_MIN;
        part->lower[axis] = low - error > -DBL_MAX ? fmin(low - error, DBL_MAX) : -DBL_MAX;
        part->upper[axis] = high + error < DBL_MAX ? fmax(high + error, -DBL_MAX) : DBL_MAX;
        part->slack[axis] = 3 * error; /* the error of the sum, the move outward, and the rounding of both */
    }
}

/* The name up to the last slash: the path of the parent node in the file. */
static char *parent_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    size_t size = slash != NULL ? (size_t)(slash - name) : 0;
    char *parent = malloc(size + 1);
    if (parent != NULL)
    {
        memcpy(parent, name, size);
        parent[size] = '\0';
    }
    return parent;
}

static bool is_in(const char *pattern, const char *name)
{
    return pattern == NULL || pattern_matches(pattern, name);
}

static bool make_part(const tool_inputs *inputs, size_t i, const char *a, const char *b, clash_parts *parts)
{
    const input_part *input = &inputs->parts[i];
    parts->parents[i] = parent_of(input->name);
    clash_part *part = &parts->parts[i];
    *part = (clash_part){.name = input->name,
                         .file = input->file,
                         .parent = parts->parents[i],
                         .placed = {inputs->meshes[input->mesh], NULL, input->pose},
                         .triangle_count = graze_mesh_triangle_count(inputs->meshes[input->mesh]),
                         .closed = graze_body_is_closed(parts->bodies[input->mesh]),
                         .body = parts->bodies[input->mesh],
                         .in_a = is_in(a, input->name),
                         .in_b = is_in(b, input->name)};
    parts->meshes[i] = input->mesh;
    compute_aabb(part);
    return part->parent != NULL;
}

static exit_code print_status_error(const tool_console *console, graze_status status)
{
    return report_error(console, exit_code_of(status), "the parts could not be prepared: %s",
                        graze_status_text(status));
}

exit_code clash_parts_make(const tool_console *console, const graze_context *context, const tool_inputs *inputs,
                           const char *a, const char *b, clash_parts *out_parts)
{
    clash_parts *parts = out_parts;
    *parts = (clash_parts){.count = inputs->part_count, .mesh_count = inputs->mesh_count};
    parts->parts = calloc(parts->count + 1, sizeof *parts->parts);
    parts->parents = calloc(parts->count + 1, sizeof(char *));
    parts->meshes = calloc(parts->count + 1, sizeof *parts->meshes);
    parts->trees = calloc(parts->mesh_count + 1, sizeof(graze_tree *));
    parts->bodies = calloc(parts->mesh_count + 1, sizeof(graze_body *));
    work w = {context, inputs, parts, calloc(parts->mesh_count + 1, sizeof(graze_status))};
    graze_status status = parts->parts == NULL || parts->parents == NULL || parts->meshes == NULL ||
                                  parts->trees == NULL || parts->bodies == NULL || w.statuses == NULL
                              ? GRAZE_STATUS_OUT_OF_MEMORY
                              : GRAZE_STATUS_OK;
    if (status == GRAZE_STATUS_OK)
        run_tasks(context, parts->mesh_count, make_body, &w);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < parts->mesh_count; i++)
        status = w.statuses[i];
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < parts->count; i++)
        if (!make_part(inputs, i, a, b, parts))
            status = GRAZE_STATUS_OUT_OF_MEMORY;
    free(w.statuses);
    return status == GRAZE_STATUS_OK ? 0 : print_status_error(console, status);
}

/* ---- trees ---- */

/* A mesh whose tree is to be built. */
typedef struct tree_task
{
    const graze_mesh *mesh;
    size_t index;
    graze_status status;
} tree_task;

typedef struct tree_build
{
    const graze_context *context;
    graze_tree **trees;
    tree_task *tree_tasks;
} tree_build;

static void build_tree_task(void *argument, size_t index)
{
    const tree_build *g = argument;
    tree_task *s = &g->tree_tasks[index];
    graze_tree_def def = graze_tree_def_default();
    def.quick = true; /* most trees serve only a few pairs */
    s->status = graze_tree_create(g->context, s->mesh, &def, NULL, &g->trees[s->index]);
}

exit_code clash_parts_build_trees(const tool_console *console, const graze_context *context, clash_parts *parts,
                                  const bool *marked)
{
    tree_build g = {context, parts->trees, calloc(parts->mesh_count + 1, sizeof *g.tree_tasks)};
    bool *wanted = calloc(parts->mesh_count + 1, sizeof *wanted);
    graze_status status = g.tree_tasks == NULL || wanted == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
    size_t count = 0;
    for (size_t i = 0; i < parts->count && status == GRAZE_STATUS_OK; i++)
    {
        size_t mesh = parts->meshes[i];
        if (!marked[i] || wanted[mesh] || parts->trees[mesh] != NULL)
            continue;
        wanted[mesh] = true;
        g.tree_tasks[count++] = (tree_task){parts->parts[i].placed.mesh, mesh, GRAZE_STATUS_OK};
    }
    if (count > 0)
        run_tasks(context, count, build_tree_task, &g);
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
        status = g.tree_tasks[i].status;
    for (size_t i = 0; i < parts->count; i++)
        parts->parts[i].placed.tree = parts->trees[parts->meshes[i]];
    free(g.tree_tasks);
    free(wanted);
    return status == GRAZE_STATUS_OK ? 0 : print_status_error(console, status);
}

void clash_parts_release(clash_parts *parts)
{
    for (size_t i = 0; i < parts->mesh_count; i++)
    {
        if (parts->trees != NULL)
            graze_tree_destroy(parts->trees[i]);
        if (parts->bodies != NULL)
            graze_body_destroy(parts->bodies[i]);
    }
    for (size_t i = 0; i < parts->count && parts->parents != NULL; i++)
        free(parts->parents[i]);
    free(parts->parts);
    free(parts->parents);
    free(parts->meshes);
    free(parts->trees);
    free(parts->bodies);
    *parts = (clash_parts){0};
}
