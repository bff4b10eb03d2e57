/* SPDX-License-Identifier: MIT */
/* graze check --depth: how deep two things are in each other, as solids. */
#include <math.h>

#include "commands/check.h"
#include "shell/output.h"
#include "shell/text_format.h"

static bool is_asked(const check_run *run)
{
    return run->request->values[OPTION_DEPTH] != NULL;
}

static graze_status place_solid(check_run *run, int side, graze_shape **out_own, graze_placed *out_placed)
{
    const loaded_shape *file = &run->files[side];
    *out_own = NULL;
    *out_placed = (graze_placed){file->shape, run->placed[side].pose};
    if (file->model == NULL)
        return GRAZE_STATUS_OK;
    graze_status status = graze_shape_create_mesh(&run->execution.context, graze_model_mesh(file->model),
                                                  run->trees[side], true, out_own);
    if (status == GRAZE_STATUS_OK)
        out_placed->shape = *out_own;
    return status;
}

graze_status check_place_solids(check_run *run, graze_shape *own[2], graze_placed placed[2])
{
    own[1] = NULL;
    graze_status status = place_solid(run, 0, &own[0], &placed[0]);
    return status == GRAZE_STATUS_OK ? place_solid(run, 1, &own[1], &placed[1]) : status;
}

graze_status check_measure_depth(check_run *run)
{
    graze_shape *own[2];
    graze_placed placed[2];
    if (!is_asked(run))
        return GRAZE_STATUS_OK;
    graze_status status = check_place_solids(run, own, placed);
    if (status == GRAZE_STATUS_OK)
        status = graze_shape_pair_depth(&run->execution.context, &placed[0], &placed[1], NULL, &run->depth);
    graze_shape_destroy(own[0]);
    graze_shape_destroy(own[1]);
    return status;
}

static void write_interval(grz_json_writer *json, const char *key, bool is_there, double lower, double upper)
{
    grz_json_put_key(json, key);
    if (is_there)
    {
        const double ends[2] = {lower, upper}; /* an infinite one is written as null */
        grz_json_put_reals(json, ends, 2);
    }
    else
        grz_json_put_null(json);
}

static void write_vector(grz_json_writer *json, const char *key, bool is_there, const double vector[3])
{
    grz_json_put_key(json, key);
    if (is_there)
        grz_json_put_reals(json, vector, 3);
    else
        grz_json_put_null(json);
}

void check_write_depth(grz_json_writer *json, const check_run *run)
{
    const graze_shape_depth *depth = &run->depth;
    bool overlaps = depth->overlap != GRAZE_VERDICT_NO;
    if (!is_asked(run))
        return;
    grz_json_put_key(json, "overlap");
    if (depth->overlap == GRAZE_VERDICT_UNKNOWN)
        grz_json_put_null(json);
    else
        grz_json_put_bool(json, overlaps);
    write_interval(json, "depth", overlaps, depth->depth_lower, depth->depth_upper);
    write_interval(json, "way_out", overlaps, depth->lower, depth->upper);
    write_vector(json, "translation", overlaps && isfinite(depth->upper), depth->translation);
    write_vector(json, "depth_point", overlaps && depth->has_point, depth->point);
}

/* "0.25 to 0.26", or "at least 0.25". */
static void say_interval(const char *label, double lower, double upper)
{
    if (isfinite(upper))
        printf("  %s %s to %s", label, human_real(lower).text, human_real(upper).text);
    else
        printf("  %s at least %s", label, human_real(lower).text);
}

void check_say_depth(const check_run *run)
{
    const graze_shape_depth *depth = &run->depth;
    if (!is_asked(run))
        return;
    if (depth->overlap == GRAZE_VERDICT_NO)
    {
        puts("  depth     none: no inner point is common");
        return;
    }
    say_interval("depth    ", depth->depth_lower, depth->depth_upper);
    if (depth->has_point)
    {
        printf(", at ");
        print_point(stdout, depth->point);
    }
    putchar('\n');
    say_interval("way out  ", depth->lower, depth->upper);
    if (isfinite(depth->upper))
    {
        printf(", b by ");
        print_point(stdout, depth->translation);
    }
    putchar('\n');
}
