/* SPDX-License-Identifier: MIT */
/* Runs a scene file frame by frame; see run.h. */
#include "scene/run.h"

#include <inttypes.h>
#include <stdlib.h>

#include "shell/line_reader.h"
#include "shell/load_shape.h"

static const uint64_t second = UINT64_C(1000000000);

const char *const scene_stage_names[STAGE_COUNT] = {"place", "broad", "examine", "report"};

void scene_stages(const graze_frame_times *times, double out_seconds[STAGE_COUNT])
{
    const double seconds[STAGE_COUNT] = {times->place, times->broad, times->examine, times->report};
    for (int i = 0; i < STAGE_COUNT; i++)
        out_seconds[i] = seconds[i];
}

/* On failure *out_object is the object that cannot be added. */
static graze_status add_objects(scene_run *run, uint32_t *out_object)
{
    scene_file *file = &run->file;
    for (size_t i = 0; i < file->object_count; i++)
    {
        uint32_t at = file->order[i];
        scene_object *object = &file->objects[at];
        graze_object_def def = graze_object_def_default();
        def.mesh = object->mesh != GRZ_NO_NAME ? file->meshes[object->mesh].mesh : NULL;
        def.shape = object->shape != NULL ? graze_shape_set_shape(object->shape) : NULL;
        def.pose = motion_first_pose(object);
        if (object->parent != GRZ_NO_NAME)
            def.parent = run->ids[object->parent];
        def.flags = object->flags;
        def.layer = object->layer;
        def.assembly = object->assembly;
        def.user = object;
        graze_status status = graze_scene_add(run->scene, &def, &run->ids[at]);
        *out_object = at;
        if (status != GRAZE_STATUS_OK)
            return status;
        run->triangles += def.mesh != NULL ? graze_mesh_triangle_count(def.mesh) : 0;
    }
    *out_object = GRZ_NO_NAME;
    return GRAZE_STATUS_OK;
}

static graze_status set_rules(const scene_run *run)
{
    const scene_interest *interest = &run->file.interest;
    graze_status status = graze_interest_set_default(run->scene, interest->otherwise);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < interest->layer_count; i++)
        status = graze_interest_set_layers(run->scene, interest->layers[i].a, interest->layers[i].b,
                                           interest->layers[i].interest);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < interest->object_count; i++)
        status =
            graze_interest_set_object(run->scene, run->ids[interest->objects[i].object], interest->objects[i].interest);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < interest->pair_count; i++)
        status = graze_interest_set_pair(run->scene, run->ids[interest->pairs[i].a], run->ids[interest->pairs[i].b],
                                         interest->pairs[i].interest);
    return status;
}

/* Whether a shape does not suit a pose. */
static bool is_pose_fault(graze_status status)
{
    return status == GRAZE_STATUS_NOT_RIGID || status == GRAZE_STATUS_SINGULAR;
}

exit_code scene_build(scene_run *run)
{
    const tool_console *console = run->request->console;
    uint32_t object = GRZ_NO_NAME;
    run->def.test_parent_child = run->file.interest.test_parent_child;
    run->ids = calloc(run->file.object_count + 1, sizeof *run->ids);
    graze_status status = run->ids != NULL ? graze_scene_create(&run->execution.context, &run->def, &run->scene)
                                           : GRAZE_STATUS_OUT_OF_MEMORY;
    if (status == GRAZE_STATUS_OK)
        status = add_objects(run, &object);
    if (status == GRAZE_STATUS_OK)
        status = set_rules(run);
    if (status == GRAZE_STATUS_OK && !motion_open(&run->file, run->scene, run->ids, &run->motion))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (status == GRAZE_STATUS_OK)
        return 0;
    if (is_pose_fault(status) && object != GRZ_NO_NAME)
        return report_error(console, EXIT_INPUT, "%s: objects[%" PRIu32 "].pose: %s",
                            display_name(run->request->arguments[0]), object, pose_refusal(status));
    return report_error(console, exit_code_of(status), "no scene: %s", graze_status_text(status));
}

static void show_progress(scene_run *run)
{
    if (!run->shows_progress || clock_now() < run->next_progress)
        return;
    run->next_progress = clock_now() + second / 4;
    fprintf(stderr, "\r%5.1f %%  frame %" PRIu64 " of %" PRIu64 " ",
            100.0 * (double)run->frames / (double)run->frame_limit, run->frames, run->frame_limit);
    fflush(stderr);
}

static void clear_progress(const scene_run *run)
{
    if (run->shows_progress)
        fputs("\r\033[K", stderr);
}

static void take_note(scene_run *run, const graze_frame *frame, scene_events *out_events)
{
    *out_events = (scene_events){0};
    for (size_t i = 0; i < frame->event_count; i++)
    {
        out_events->begins += frame->events[i].kind == GRAZE_EVENT_BEGIN;
        out_events->stays += frame->events[i].kind == GRAZE_EVENT_STAY;
        out_events->ends += frame->events[i].kind == GRAZE_EVENT_END;
    }
    run->events.begins += out_events->begins;
    run->events.stays += out_events->stays;
    run->events.ends += out_events->ends;
    out_events->passes = frame->pass_count;
    run->events.passes += frame->pass_count;
    run->colliding = frame->colliding;
    /* An undecided pair whose objects do not move is decided later for this frame too; if they move, this frame's
     * answer is lost. */
    run->missed_some = run->missed_some || (run->undecided > 0 && frame->moved_count > 0);
    run->undecided = frame->undecided_count;
    run->missed_some = run->missed_some || (run->options.continuous && run->undecided > 0);
    run->undecided_sum += frame->undecided_count;
    run->unknown = frame->unknown_count;
    run->unknown_sum += frame->unknown_count;
    double seconds[STAGE_COUNT];
    scene_stages(&frame->times, seconds);
    for (int i = 0; i < STAGE_COUNT; i++)
    {
        run->time_sums[i] += seconds[i];
        run->time_maxima[i] = seconds[i] > run->time_maxima[i] ? seconds[i] : run->time_maxima[i];
    }
    run->frames++;
}

/* The object whose pose in the world does not suit its shape; GRZ_NO_NAME where none is found. */
static uint32_t find_unsuited(const scene_run *run)
{
    const scene_file *file = &run->file;
    graze_pose *worlds = calloc(file->object_count + 1, sizeof *worlds);
    uint32_t found = GRZ_NO_NAME;
    for (size_t i = 0; worlds != NULL && i < file->object_count && found == GRZ_NO_NAME; i++)
    {
        uint32_t at = file->order[i];
        graze_object_def def = graze_object_def_default();
        if (graze_scene_object_def(run->scene, run->ids[at], &def) != GRAZE_STATUS_OK)
            break;
        worlds[at] = def.pose;
        if (file->objects[at].parent != GRZ_NO_NAME)
            graze_pose_compose(&worlds[file->objects[at].parent], &def.pose, &worlds[at], NULL);
        graze_placed placed = {def.shape, worlds[at]};
        if (def.shape != NULL && is_pose_fault(graze_placed_check(&placed)))
            found = at;
    }
    free(worlds);
    return found;
}

static exit_code fail(const scene_run *run, graze_status status, uint32_t object)
{
    const tool_console *console = run->request->console;
    clear_progress(run);
    if (status == GRAZE_STATUS_NOT_FINITE && object != GRZ_NO_NAME)
        return report_error(console, EXIT_INPUT, "frame %" PRIu64 ": '%s' leaves the range of doubles", run->frames + 1,
                            run->file.objects[object].name);
    if (status == GRAZE_STATUS_NOT_FINITE)
        return report_error(console, EXIT_INPUT, "frame %" PRIu64 ": an object leaves the range of doubles",
                            run->frames + 1);
    if (is_pose_fault(status) && object == GRZ_NO_NAME)
        object = find_unsuited(run);
    if (is_pose_fault(status) && object != GRZ_NO_NAME)
        return report_error(console, EXIT_INPUT, "frame %" PRIu64 ": '%s': %s", run->frames + 1,
                            run->file.objects[object].name, pose_refusal(status));
    if (status == GRAZE_STATUS_NOT_RIGID && run->options.continuous)
        return report_error(console, EXIT_INPUT,
                            "frame %" PRIu64
                            ": an object that turns has a pose that is no rotation; try --motion blend",
                            run->frames + 1);
    exit_code code = run->frames > 0 && status == GRAZE_STATUS_OUT_OF_MEMORY ? EXIT_INCOMPLETE : exit_code_of(status);
    return report_error(console, code, "frame %" PRIu64 ": %s", run->frames + 1, graze_status_text(status));
}

static exit_code run_frame(scene_run *run)
{
    uint32_t object = GRZ_NO_NAME;
    graze_status status = GRAZE_STATUS_OK;
    graze_frame frame;
    scene_events events;
    if (run->frames > 0)
        status = motion_advance(&run->motion, run->frames + 1, &object);
    if (status != GRAZE_STATUS_OK)
        return fail(run, status, object);
    status = graze_scene_update(run->scene, &run->options, &frame);
    if (status != GRAZE_STATUS_OK)
        return fail(run, status, GRZ_NO_NAME);
    take_note(run, &frame, &events);
    scene_report_frame(run, &frame, &events);
    motion_react(&run->motion, &frame);
    return 0;
}

exit_code scene_run_frames(scene_run *run)
{
    exit_code code = 0;
    scene_report_start(run);
    while (code == 0 && run->frames < run->frame_limit && !console_is_broken())
    {
        code = run_frame(run);
        show_progress(run);
    }
    clear_progress(run);
    scene_report_end(run);
    if (code != 0 || run->events.begins + run->events.passes > 0)
        return code != 0 ? code : EXIT_FOUND;
    if (run->unknown_sum > 0 && run->options.continuous)
        return report_error(run->request->console, EXIT_INCOMPLETE,
                            "unknown: whether some curved shapes touch, or touched between two frames, cannot be told");
    if (run->unknown_sum > 0)
        return report_error(run->request->console, EXIT_INCOMPLETE,
                            "unknown: some curved shapes are too near to touching to tell");
    if (run->undecided > 0)
        return report_error(run->request->console, EXIT_INCOMPLETE,
                            "the time was up; pairs that the last frame left undecided: %zu", run->undecided);
    if (run->missed_some)
        return report_error(run->request->console, EXIT_INCOMPLETE,
                            "the time was up; some pairs moved on before they could be decided");
    return EXIT_NOTHING_FOUND;
}
