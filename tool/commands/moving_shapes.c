/* SPDX-License-Identifier: MIT */
/* Moving files as shapes: those that are not made of triangles, and solids within one another; see sweep.h. */
#include <string.h>

#include "commands/sweep.h"

/* Both files as shapes. A mesh that is scaled here is made a shape of its own. */
typedef struct moving_shapes
{
    graze_moving_shape sides[2];
    graze_shape *scaled[2];
} moving_shapes;

static graze_status open_shapes(moving_files *run, moving_shapes *shapes)
{
    graze_status status = GRAZE_STATUS_OK;
    *shapes = (moving_shapes){0};
    for (int side = 0; side < 2 && status == GRAZE_STATUS_OK; side++)
    {
        shapes->sides[side].shape = run->files[side].shape;
        if (run->own[side] == NULL)
            continue;
        status = graze_shape_create_mesh(&run->execution.context, run->own[side], run->trees[side],
                                         graze_shape_is_solid(run->files[side].shape), &shapes->scaled[side]);
        shapes->sides[side].shape = shapes->scaled[side];
    }
    return status;
}

static void close_shapes(moving_shapes *shapes)
{
    for (int side = 0; side < 2; side++)
        graze_shape_destroy(shapes->scaled[side]);
}

static void add_stats(graze_impact_stats *to, const graze_impact_stats *from)
{
    to->box_tests += from->box_tests;
    to->intervals += from->intervals;
    to->leaf_pairs += from->leaf_pairs;
    to->triangle_tests += from->triangle_tests;
    to->distance_queries += from->distance_queries;
}

/* The first impact of a segment; its cost is added to that of all. */
static graze_status find_impact(moving_files *run, moving_shapes *shapes, size_t segment, graze_impact *out)
{
    graze_shape_impact found;
    graze_impact_stats stats = {0};
    graze_impact_options options = run->options;
    options.stats = &stats;
    options.clearance = options.clearance && !moving_are_meshes(run); /* theirs is known, or of no use */
    for (int side = 0; side < 2; side++)
        shapes->sides[side].motion = run->motions[side][segment];
    graze_status status =
        graze_shape_pair_impact(&run->execution.context, &shapes->sides[0], &shapes->sides[1], &options, &found);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out = (graze_impact){.verdict = found.verdict,
                          .lower = found.lower,
                          .upper = found.upper,
                          .at_start = found.at_start,
                          .clearance_lower = found.clearance_lower,
                          .hit = {.triangle_a = found.hit.triangle_a, .triangle_b = found.hit.triangle_b}};
    memcpy(out->point, found.hit.point, sizeof out->point);
    memcpy(out->normal, found.normal, sizeof out->normal);
    add_stats(&run->stats, &stats);
    return GRAZE_STATUS_OK;
}

graze_status moving_track_shapes(moving_files *run)
{
    moving_shapes shapes;
    graze_status status = open_shapes(run, &shapes);
    for (size_t i = 0; i < run->count && status == GRAZE_STATUS_OK; i++)
        status = find_impact(run, &shapes, i, &run->impacts[i]);
    close_shapes(&shapes);
    return status;
}

/* What is inside can only come out by contact, and what is outside only get in: it is asked for the first segment, and
   after each one with a contact. What begins inside collides from the start, also where surfaces meet later. */
graze_status moving_find_inside(moving_files *run)
{
    moving_shapes shapes;
    bool solid = false;
    for (int side = 0; side < 2; side++)
        solid = solid || (run->files[side].model == NULL && graze_shape_is_solid(run->files[side].shape));
    if (!solid || run->options.crossing)
        return GRAZE_STATUS_OK;
    graze_status status = open_shapes(run, &shapes);
    bool known = false, inside = false;
    for (size_t i = 0; i < run->count && status == GRAZE_STATUS_OK; i++)
    {
        graze_impact impact, *told = &run->impacts[i];
        if (told->at_start)
        {
            known = false;
            continue;
        }
        impact = *told;
        if (!known)
            status = find_impact(run, &shapes, i, &impact);
        else if (inside)
            impact = (graze_impact){.verdict = GRAZE_IMPACT_AT, .at_start = true};
        if (status != GRAZE_STATUS_OK)
            break;
        bool begins_inside = impact.verdict == GRAZE_IMPACT_AT && impact.at_start;
        bool same = impact.verdict == told->verdict && impact.at_start == told->at_start;
        known = told->verdict == GRAZE_IMPACT_NONE && (begins_inside || same);
        inside = begins_inside;
        if (begins_inside)
            *told = (graze_impact){.verdict = GRAZE_IMPACT_AT, .at_start = true, .inside = true};
        else if (!same)
            *told = (graze_impact){.verdict = GRAZE_IMPACT_UNKNOWN};
        else
            told->lower = impact.lower < told->lower ? impact.lower : told->lower;
    }
    close_shapes(&shapes);
    return status;
}
