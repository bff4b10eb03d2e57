/* SPDX-License-Identifier: MIT */
/* Prepares parts for the engine; see parts.h. */
#include "clash/parts.h"

#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/exact_sum.h"
#include "base/hash_map.h"
#include "clash/parallel.h"
#include "clash/shape_parts.h"
#include "text/normalization.h"
#include "text/pattern.h"

typedef struct body_build
{
    const graze_context *context;
    grz_clash_parts *parts;
    graze_status *statuses; /* by mesh */
} body_build;

static void make_body(void *argument, size_t mesh)
{
    body_build *w = argument;
    w->statuses[mesh] = graze_body_create(w->context, w->parts->meshes[mesh], NULL, &w->parts->bodies[mesh]);
}

/* The bounds along an axis where nothing is rounded: at most one coordinate counts, as it is or negated, and adding the
 * translation is exact. */
static bool are_bounds_exact(const double row[4], const graze_box *box, double *out_low, double *out_high)
{
    double x = 0, y = 0;
    int counting = 0;
    for (int k = 0; k < 3; k++)
    {
        if (grz_bits(row[k]) << 1 == 0) /* 0 or -0 */
            continue;
        if (++counting > 1 || fabs(row[k]) != 1)
            return false;
        x = row[k] * box->lower[k];
        y = row[k] * box->upper[k];
    }
    /* shortcut: exact-part-boxes */
    return grz_sum_exactly(row[3], fmin(x, y), out_low) && grz_sum_exactly(row[3], fmax(x, y), out_high);
}

/* AABB of a placed mesh: each bound is a sum of four terms, moved outward by more than their rounding error. */
void grz_clash_part_compute_aabb(grz_clash_part *part)
{
    graze_box box = graze_mesh_bounds(part->placed.mesh);
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = part->placed.pose.m + 4 * axis;
        double low = row[3], high = row[3], size = fabs(row[3]);
        part->slack[axis] = 0;
        if (are_bounds_exact(row, &box, &part->lower[axis], &part->upper[axis]))
            continue;
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

/* The mesh of a part, or the empty one for a shape without; NULL when out of memory. */
static const graze_mesh *mesh_for(const graze_context *context, const graze_clash_part *part, grz_clash_parts *out)
{
    const graze_mesh *mesh = grz_clash_mesh_of(part);
    graze_mesh_def def = graze_mesh_def_default();
    if (mesh == NULL && out->nothing == NULL &&
        graze_mesh_create(context, &def, NULL, &out->nothing) != GRAZE_STATUS_OK)
        return NULL;
    return mesh != NULL ? mesh : out->nothing;
}

/* Numbers the meshes, so that parts which share one share its tree and body. */
static bool number_meshes(const graze_context *context, const graze_clash_part *parts, grz_clash_parts *out)
{
    grz_hash_map numbers = {0};
    bool done = true;
    for (size_t i = 0; i < out->count && done; i++)
    {
        const graze_mesh *mesh = mesh_for(context, &parts[i], out);
        uint64_t key = (uint64_t)(uintptr_t)mesh;
        const uint32_t *known = grz_hash_map_find(&numbers, key);
        out->mesh_of[i] = known != NULL ? *known : (uint32_t)out->mesh_count;
        if (known != NULL)
            continue;
        out->meshes[out->mesh_count++] = mesh;
        done = mesh != NULL && grz_hash_map_set(context, &numbers, key, out->mesh_of[i]);
    }
    grz_hash_map_release(context, &numbers);
    return done;
}

/* What pairs with shapes take the part for; NULL: made of its mesh where that is needed. */
static const graze_shape *shape_of(const graze_clash_part *given)
{
    return given->shape != NULL && graze_shape_get_kind(given->shape) != GRAZE_SHAPE_MESH ? given->shape : NULL;
}

/* A hull or box without an inside: points of a plane, a line or one place. Its mesh is open, and says all of it. */
static bool is_flat_hull(const graze_clash_part *given, const graze_body *body)
{
    graze_shape_kind kind = given->shape != NULL ? graze_shape_get_kind(given->shape) : GRAZE_SHAPE_MESH;
    return (kind == GRAZE_SHAPE_HULL || kind == GRAZE_SHAPE_BOX) && !graze_body_is_closed(body);
}

static void make_part(const graze_clash_part *given, const graze_mesh *mesh, const graze_body *body,
                      const graze_clash_options *options, grz_clash_part *part)
{
    bool is_shape = given->shape != NULL && grz_clash_mesh_of(given) == NULL;
    bool has_triangles = given->shape == NULL || graze_shape_has_triangles(given->shape);
    *part = (grz_clash_part){.name = given->name,
                             .file = given->file != NULL ? given->file : "",
                             .parent = given->parent != NULL ? given->parent : "",
                             .placed = {mesh, given->shape == NULL ? given->tree : NULL, given->pose},
                             .is_shape = is_shape,
                             .placed_shape = {shape_of(given), given->pose},
                             .resolution = options->has_resolution ? options->resolution : given->resolution,
                             .is_surface = (given->flags & GRAZE_CLASH_PART_SURFACE) != 0 ||
                                           grz_clash_is_surface_shape(given) || is_flat_hull(given, body),
                             .triangle_count = graze_mesh_triangle_count(mesh),
                             .own_triangles = has_triangles ? graze_mesh_triangle_count(mesh) : 0,
                             .closed = is_shape ? graze_shape_is_solid(given->shape) : graze_body_is_closed(body),
                             .body = body,
                             .in_a = true,
                             .in_b = true};
    if (is_shape)
        grz_clash_shape_compute_aabb(part);
    else
        grz_clash_part_compute_aabb(part);
}

/* Matches one pattern of the options with all parts: the sets (0: a, 1: b), or surfaces. Names and patterns are
 * compared in normal form. */
static bool match_pattern(const graze_context *context, const char *pattern, int set, grz_clash_parts *parts)
{
    char *normal = grz_nfc(context, pattern);
    bool fits = normal != NULL;
    for (size_t i = 0; i < parts->count && fits; i++)
    {
        grz_clash_part *part = &parts->parts[i];
        char *name = grz_is_surely_nfc(part->name) ? NULL : grz_nfc(context, part->name);
        fits = name != NULL || grz_is_surely_nfc(part->name);
        bool matches = fits && grz_pattern_matches(normal, name != NULL ? name : part->name);
        grz_release(context, name);
        if (set == 0)
            part->in_a = matches;
        else if (set == 1)
            part->in_b = matches;
        else
            part->is_surface = part->is_surface || matches;
    }
    grz_release(context, normal);
    return fits;
}

static bool match_patterns(const graze_context *context, const graze_clash_options *options, grz_clash_parts *parts)
{
    const char *const sets[2] = {options->set_a, options->set_b};
    bool fits = true;
    for (int set = 0; set < 2 && fits; set++)
        fits = sets[set] == NULL || match_pattern(context, sets[set], set, parts);
    for (size_t i = 0; i < options->surface_count && fits; i++)
        fits = match_pattern(context, options->surfaces[i], 2, parts);
    return fits;
}

static graze_status fail(graze_error *error, graze_status status)
{
    return grz_error(error, status, "the parts could not be prepared: %s", graze_status_text(status));
}

static graze_status make_bodies(const graze_context *context, grz_clash_parts *parts)
{
    parts->trees = grz_allocate_zeroed(context, parts->mesh_count + 1, sizeof(graze_tree *));
    parts->bodies = grz_allocate_zeroed(context, parts->mesh_count + 1, sizeof(graze_body *));
    body_build w = {context, parts, grz_allocate_zeroed(context, parts->mesh_count + 1, sizeof *w.statuses)};
    bool has_room = parts->trees != NULL && parts->bodies != NULL && w.statuses != NULL;
    graze_status status = has_room ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
    if (has_room)
        grz_clash_parallel_for(context, parts->mesh_count, make_body, &w);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < parts->mesh_count; i++)
        status = w.statuses[i];
    grz_release(context, w.statuses);
    return status;
}

graze_status grz_clash_parts_make(const graze_context *context, const graze_clash_part *parts, size_t count,
                                  const graze_clash_options *options, graze_error *error, grz_clash_parts *out_parts)
{
    grz_clash_parts *made = out_parts;
    *made = (grz_clash_parts){.count = count};
    made->parts = grz_allocate_zeroed(context, count + 1, sizeof *made->parts);
    made->meshes = grz_allocate_zeroed(context, count + 1, sizeof(const graze_mesh *));
    made->mesh_of = grz_allocate_zeroed(context, count + 1, sizeof *made->mesh_of);
    if (made->parts == NULL || made->meshes == NULL || made->mesh_of == NULL || !number_meshes(context, parts, made))
        return fail(error, GRAZE_STATUS_OUT_OF_MEMORY);
    graze_status status = make_bodies(context, made);
    if (status != GRAZE_STATUS_OK)
        return fail(error, status);
    for (size_t i = 0; i < count; i++)
    {
        make_part(&parts[i], made->meshes[made->mesh_of[i]], made->bodies[made->mesh_of[i]], options, &made->parts[i]);
        if (options->tracks == NULL || options->frame_count < 2)
            continue;
        made->parts[i].motions = options->tracks[i].motions;
        made->parts[i].motion_count = options->frame_count - 1;
        made->parts[i].group = options->tracks[i].group;
    }
    return match_patterns(context, options, made) ? GRAZE_STATUS_OK : fail(error, GRAZE_STATUS_OUT_OF_MEMORY);
}

/* --- trees --- */

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

graze_status grz_clash_parts_build_trees(const graze_context *context, grz_clash_parts *parts, const bool *marked,
                                         graze_error *error)
{
    tree_build g = {context, parts->trees, grz_allocate_zeroed(context, parts->mesh_count + 1, sizeof *g.tree_tasks)};
    bool *wanted = grz_allocate_zeroed(context, parts->mesh_count + 1, sizeof *wanted);
    graze_status status = g.tree_tasks == NULL || wanted == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
    size_t count = 0;
    for (size_t i = 0; i < parts->count && status == GRAZE_STATUS_OK; i++)
    {
        uint32_t mesh = parts->mesh_of[i];
        if (!marked[i] || wanted[mesh] || parts->trees[mesh] != NULL || parts->parts[i].placed.tree != NULL)
            continue;
        wanted[mesh] = true;
        g.tree_tasks[count++] = (tree_task){parts->parts[i].placed.mesh, mesh, GRAZE_STATUS_OK};
    }
    if (count > 0)
        grz_clash_parallel_for(context, count, build_tree_task, &g);
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
        status = g.tree_tasks[i].status;
    for (size_t i = 0; i < parts->count; i++)
        if (parts->parts[i].placed.tree == NULL)
            parts->parts[i].placed.tree = parts->trees[parts->mesh_of[i]];
    grz_release(context, g.tree_tasks);
    grz_release(context, wanted);
    return status == GRAZE_STATUS_OK ? status : fail(error, status);
}

void grz_clash_parts_release(const graze_context *context, grz_clash_parts *parts)
{
    for (size_t i = 0; i < parts->mesh_count; i++)
    {
        if (parts->trees != NULL)
            graze_tree_destroy(parts->trees[i]);
        if (parts->bodies != NULL)
            graze_body_destroy(parts->bodies[i]);
    }
    grz_clash_parts_release_shapes(context, parts);
    grz_clash_parts_release_surfaces(context, parts);
    grz_clash_parts_release_welded(context, parts);
    grz_release(context, parts->parts);
    grz_release(context, parts->meshes);
    grz_release(context, parts->mesh_of);
    grz_release(context, parts->trees);
    grz_release(context, parts->bodies);
    *parts = (grz_clash_parts){0};
}
