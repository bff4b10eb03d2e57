/* SPDX-License-Identifier: MIT */
/* The public face of clash detection: arguments are checked, parts, rules and scenes prepared, the engine is run, and
 * its findings are compared with approvals and the baseline. */
#include "graze/clash.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/struct_size.h"
#include "clash/baseline.h"
#include "clash/engine.h"
#include "clash/grouping.h"
#include "clash/hierarchy.h"
#include "clash/rules_data.h"
#include "clash/store.h"
#include "clash/swept_box.h"
#include "text/format.h"
#include "text/pattern.h"

/* --- arguments --- */

static graze_status refuse(graze_error *error, const char *what)
{
    return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "%s", what);
}

static graze_status check_part(const graze_clash_part *part, size_t index, graze_error *error)
{
    if (part->name == NULL || (part->mesh == NULL && part->shape == NULL))
        return grz_error_index(error, GRAZE_STATUS_BAD_ARGUMENT, index, "part %zu has no name or no mesh", index);
    if (!(part->resolution >= 0) || !isfinite(part->resolution))
        return grz_error_index(error, GRAZE_STATUS_BAD_ARGUMENT, index, "part %zu has no resolution from 0 on", index);
    for (int i = 0; i < 12; i++)
        if (!isfinite(part->pose.m[i]))
            return grz_error_index(error, GRAZE_STATUS_NOT_FINITE, index, "the pose of part %zu is not finite", index);
    const graze_placed placed = {part->shape, part->pose};
    graze_status status = part->shape != NULL ? graze_placed_check(&placed) : GRAZE_STATUS_OK;
    if (status != GRAZE_STATUS_OK)
        return grz_error_index(error, status, index, "the shape of part %zu may not have its pose: %s", index,
                               graze_status_text(status));
    return status;
}

/* Findings are identified by names, so these must differ. */
static graze_status check_names(const graze_context *context, const graze_clash_part *parts, size_t count,
                                graze_error *error)
{
    grz_name_table names = {0};
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
    {
        uint32_t number = grz_names_add(context, &names, parts[i].name);
        if (number == GRZ_NO_NAME)
            status = grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
        else if (number != i)
            status = grz_error_index(error, GRAZE_STATUS_BAD_ARGUMENT, i, "parts %zu and %zu have the same name",
                                     (size_t)number, i);
    }
    grz_names_release(context, &names);
    return status;
}

static bool is_length(double length)
{
    return length >= 0 && isfinite(length);
}

static bool is_part(uint32_t part, size_t part_count)
{
    return part < part_count || part == GRAZE_CLASH_NO_PART;
}

static bool is_scene(const graze_clash_scene *scene, size_t part_count)
{
    if (scene->name == NULL || (scene->pairs == NULL && scene->pair_count > 0) ||
        (scene->layers == NULL && scene->layer_count > 0) || (scene->parts == NULL && scene->part_count > 0))
        return false;
    for (size_t i = 0; i < scene->pair_count; i++)
        if (!is_part(scene->pairs[i].a, part_count) || !is_part(scene->pairs[i].b, part_count))
            return false;
    for (size_t i = 0; i < scene->part_count; i++)
        if (!is_part(scene->parts[i].part, part_count))
            return false;
    for (size_t i = 0; i < scene->layer_count; i++)
        if (scene->layers[i].a >= GRAZE_LAYER_COUNT || scene->layers[i].b >= GRAZE_LAYER_COUNT)
            return false;
    return true;
}

static graze_status check_scenes(const graze_clash_options *options, size_t part_count, graze_error *error)
{
    if (options->scenes == NULL && options->scene_count > 0)
        return refuse(error, "there are no scenes where scene_count says so");
    for (size_t i = 0; i < options->scene_count; i++)
        if (!is_scene(&options->scenes[i], part_count))
            return refuse(error, "a scene lacks a name or a list, or names parts or layers that are not there");
    for (size_t i = 0; i < part_count && options->members != NULL; i++)
    {
        const graze_clash_member *member = &options->members[i];
        if (!is_part(member->parent, part_count) ||
            (member->scene != UINT32_MAX &&
             (member->scene >= options->scene_count || member->layer >= GRAZE_LAYER_COUNT)))
            return grz_error_index(error, GRAZE_STATUS_BAD_ARGUMENT, i,
                                   "part %zu has a scene, layer or parent that is not there", i);
    }
    return GRAZE_STATUS_OK;
}

static graze_status check_tracks(const graze_clash_options *options, size_t part_count, graze_error *error)
{
    for (size_t i = 0; options->tracks != NULL && i < part_count; i++)
    {
        const graze_motion *motions = options->tracks[i].motions;
        for (uint32_t k = 0; motions != NULL && k + 1 < options->frame_count; k++)
        {
            graze_status status = graze_motion_check(&motions[k]);
            if (status != GRAZE_STATUS_OK)
                return grz_error_index(error, status, i, "part %zu cannot move from frame %" PRIu32 " to the next: %s",
                                       i, k + 1, graze_status_text(status));
        }
    }
    return GRAZE_STATUS_OK;
}

static graze_status check_options(const graze_clash_options *options, size_t part_count, graze_error *error)
{
    const graze_clash_tolerances *tolerances = &options->tolerances;
    if ((tolerances->has_clearance && !is_length(tolerances->clearance)) ||
        (tolerances->has_max_depth && !is_length(tolerances->max_depth)))
        return refuse(error, "clearance and depth are finite lengths from 0 on");
    if (options->has_resolution && !is_length(options->resolution))
        return refuse(error, "a resolution is a finite length from 0 on");
    if ((options->set_a == NULL) != (options->set_b == NULL))
        return refuse(error, "one set of parts needs another to be tested with");
    if (options->set_a != NULL &&
        (grz_pattern_fault(options->set_a) != NULL || grz_pattern_fault(options->set_b) != NULL))
        return refuse(error, "a set of parts is no pattern");
    if (options->surfaces == NULL && options->surface_count > 0)
        return refuse(error, "there are no surfaces where surface_count says so");
    for (size_t i = 0; i < options->surface_count; i++)
        if (options->surfaces[i] == NULL || grz_pattern_fault(options->surfaces[i]) != NULL)
            return refuse(error, "the name of surfaces is no pattern");
    if ((int)options->fail_on < GRAZE_CLASH_FAIL_ON_ANY || options->fail_on > GRAZE_CLASH_FAIL_ON_WORSE)
        return refuse(error, "fail_on is none of its values");
    if (options->inputs == NULL && options->input_count > 0)
        return refuse(error, "there are no inputs where input_count says so");
    if (options->tracks != NULL && options->frame_count == 0)
        return refuse(error, "a run through time has at least one frame");
    if (options->tracks != NULL && tolerances->has_clearance && tolerances->clearance > 0)
        return refuse(error, "clearances are not checked through time");
    graze_status status = check_tracks(options, part_count, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    return check_scenes(options, part_count, error);
}

static graze_status check_arguments(const graze_context *context, const graze_clash_part *parts, size_t count,
                                    const graze_clash_options *options, graze_error *error)
{
    if (parts == NULL && count > 0)
        return refuse(error, "there are no parts");
    if (count >= UINT32_MAX)
        return grz_error(error, GRAZE_STATUS_TOO_LARGE, "there are more parts than 32-bit indices can name");
    graze_status status = check_options(options, count, error);
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
        status = check_part(&parts[i], i, error);
    return status == GRAZE_STATUS_OK ? check_names(context, parts, count, error) : status;
}

/* --- a run --- */

typedef struct clash_run
{
    const graze_context *context;
    const graze_clash_options *options;
    graze_error *error;
    grz_clash_parts parts;
    grz_clash_rules *rules;
    graze_clash_report *report;
    grz_monitor monitor;
    grz_shared_monitor shared;
} clash_run;

/* Closes gaps narrower than the resolution, and says so, once for all parts that share a mesh. */
static graze_status weld(clash_run *run)
{
    grz_clash_parts *parts = &run->parts;
    graze_status status = grz_clash_parts_weld(run->context, parts, run->error);
    uint32_t told = 0; /* meshes are numbered in order of first appearance */
    for (size_t i = 0; i < parts->count && status == GRAZE_STATUS_OK; i++)
    {
        size_t gaps = grz_clash_parts_gaps(parts, i);
        bool is_first = parts->mesh_of[i] >= told;
        told = is_first ? parts->mesh_of[i] + 1 : told;
        if (!is_first || gaps == 0)
            continue;
        char what[96];
        snprintf(what, sizeof what, "%s no wider than the resolution %s closed", grz_counted(gaps, "gap").text,
                 gaps == 1 ? "was" : "were");
        if (!grz_clash_report_append_problem(run->report, &(graze_clash_problem){parts->parts[i].name, what}))
            status = grz_error(run->error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
    }
    return status;
}

/* Boxes over all frames; and what of the rules does not count through time. */
static graze_status prepare_tracks(clash_run *run)
{
    static const graze_clash_problem clearances = {"", "clearances of rules are not checked through time"};
    grz_clash_sweep_parts(&run->parts);
    if (grz_clash_rules_largest_clearance(run->rules) > 0 && !grz_clash_report_append_problem(run->report, &clearances))
        return grz_error(run->error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
    return GRAZE_STATUS_OK;
}

static graze_status prepare(clash_run *run, const graze_clash_part *parts, size_t count)
{
    const graze_clash_options *options = run->options;
    run->report = grz_clash_report_create(run->context, parts, count);
    if (run->report == NULL)
        return grz_error(run->error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
    graze_status status = grz_clash_parts_make(run->context, parts, count, options, run->error, &run->parts);
    if (status != GRAZE_STATUS_OK)
        return status;
    run->rules = grz_clash_rules_make(run->context, options->rules, &options->tolerances);
    if (run->rules == NULL ||
        !grz_clash_find_hierarchy(run->context, options->members, run->parts.parts, run->parts.count) ||
        !grz_clash_rules_prepare(run->rules, run->parts.parts, count) ||
        !grz_clash_interest_create(run->context, options, count, &run->report->store->interest))
        return grz_error(run->error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
    status = weld(run);
    grz_clash_report_note_facts(run->report, &run->parts);
    if (status == GRAZE_STATUS_OK)
        status = grz_clash_parts_open_surfaces(run->context, &run->parts, run->error);
    if (status == GRAZE_STATUS_OK && options->tracks != NULL)
        status = prepare_tracks(run);
    return status;
}

static grz_clash_request make_request(clash_run *run)
{
    const graze_clash_options *options = run->options;
    run->monitor = grz_monitor_make(&options->budget);
    grz_shared_monitor_start(&run->shared, &run->monitor);
    return (grz_clash_request){.context = run->context,
                               .error = run->error,
                               .parts = run->parts.parts,
                               .part_count = run->parts.count,
                               .owner = &run->parts,
                               .rules = run->rules,
                               .interest = run->report->store->interest,
                               .regions = options->regions,
                               .self = options->self,
                               .tessellation = !options->tessellation_off,
                               .assume_closed = options->assume_closed,
                               .frame_count = options->tracks != NULL ? options->frame_count : 0,
                               .monitor = &run->shared,
                               .progress = options->on_progress,
                               .progress_user = options->on_progress_user};
}

/* What the report says about the run itself. */
static void describe(clash_run *run)
{
    graze_clash_report *report = run->report;
    const graze_clash_options *options = run->options;
    grz_clash_limits global = grz_clash_rules_global(run->rules);
    report->inputs = options->inputs;
    report->input_count = options->input_count;
    report->clearance = global.clearance;
    report->max_depth = global.max_depth;
    report->allow_touch = global.allow_touch;
    report->has_resolution = options->has_resolution;
    report->resolution = options->has_resolution ? options->resolution : 0;
    report->tessellation = !options->tessellation_off;
    report->assume_closed = options->assume_closed;
    report->units = options->units;
    report->rules = options->rules != NULL ? options->rules->inputs : NULL;
    report->rules_count = options->rules != NULL ? options->rules->source_count : 0;
    report->fail_on = options->fail_on;
    report->frame_count = options->tracks != NULL ? options->frame_count : 0;
}

static bool compare_with_baseline(clash_run *run, const grz_clash_request *request)
{
    grz_clash_hidden_pairs hidden;
    if (run->options->baseline == NULL)
        return true;
    bool done = grz_clash_hidden_pairs_make(request, &hidden) &&
                grz_clash_baseline_apply(run->context, run->options->baseline, &hidden, run->report);
    grz_clash_hidden_pairs_release(&hidden);
    return done;
}

/* Approvals, the baseline, and entries of rules that match nothing. */
static bool compare(clash_run *run, const grz_clash_request *request)
{
    graze_clash_report *report = run->report;
    const graze_clash_problem *problems = NULL;
    size_t count = 0;
    bool done = grz_clash_rules_review(run->rules, report) && compare_with_baseline(run, request);
    done = done && grz_clash_rules_problems(run->rules, report->complete, &problems, &count);
    for (size_t i = 0; i < count && done; i++)
        done = grz_clash_report_append_problem(report, &problems[i]);
    return done && grz_clash_group_findings(run->context, run->rules, report);
}

static graze_status find(clash_run *run, double *out_estimate)
{
    uint64_t begin = grz_clock_now();
    grz_clash_request request = make_request(run);
    graze_status status = out_estimate != NULL ? grz_clash_estimate(&request, run->report, out_estimate)
                                               : grz_clash_find(&request, run->report);
    run->report->seconds_checking = (double)(grz_clock_now() - begin) * 1e-9;
    if (status != GRAZE_STATUS_OK)
        return status;
    describe(run);
    if (out_estimate == NULL && !compare(run, &request))
        return grz_error(run->error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
    return GRAZE_STATUS_OK;
}

/* Finds clashes, or without doing so estimates the time that takes. */
static graze_status run_clash(const graze_context *context, const graze_clash_part *parts, size_t count,
                              const graze_clash_options *options, graze_error *error, graze_clash_report **out_report,
                              double *out_estimate)
{
    const graze_clash_options defaults = graze_clash_options_default();
    GRZ_FULL_STRUCT(graze_clash_options, options);
    if (!options_fits || out_report == NULL)
        return refuse(error, "a run of clash detection needs options of a known size, and a result");
    options = options != NULL ? options : &defaults;
    graze_status status = check_arguments(context, parts, count, options, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    clash_run run = {.context = context, .options = options, .error = error};
    uint64_t begin = grz_clock_now();
    double estimate = 0;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    status = prepare(&run, parts, count);
    if (status == GRAZE_STATUS_OK)
    {
        run.report->seconds_preparing = (double)(grz_clock_now() - begin) * 1e-9;
        status = find(&run, out_estimate != NULL ? &estimate : NULL);
    }
    grz_clash_rules_release(run.rules);
    grz_clash_parts_release(context, &run.parts);
    grz_environment_leave_default(&environment);
    if (status != GRAZE_STATUS_OK)
    {
        graze_clash_report_destroy(run.report);
        return status;
    }
    if (out_estimate != NULL)
        *out_estimate = estimate;
    *out_report = run.report;
    return GRAZE_STATUS_OK;
}

graze_status graze_clash_find(const graze_context *context, const graze_clash_part *parts, size_t part_count,
                              const graze_clash_options *options, graze_error *error, graze_clash_report **out_report)
{
    return run_clash(context, parts, part_count, options, error, out_report, NULL);
}

graze_status graze_clash_estimate(const graze_context *context, const graze_clash_part *parts, size_t part_count,
                                  const graze_clash_options *options, graze_error *error,
                                  graze_clash_report **out_report, double *out_seconds)
{
    if (out_seconds == NULL)
        return refuse(error, "an estimate needs a result");
    return run_clash(context, parts, part_count, options, error, out_report, out_seconds);
}
