/* SPDX-License-Identifier: MIT */
/* An update of a scene, from the swap of the buffers to the events; see scene.h. */
#include <math.h>

#include "base/clock.h"
#include "base/struct_size.h"
#include "scene/scene.h"

/* Frees the indices and shared data of removed objects, after the frame that reports their last events. */
static void retire_removed(graze_scene *scene)
{
    for (size_t i = 0; i < scene->retiring_count; i++)
    {
        uint32_t index = scene->removed.data[i];
        grz_object_record *record = &scene->objects.data[index];
        if (record->shared_data != 0)
            grz_scene_release_data(scene, record->shared_data - 1);
        if (record->placed_shared_data != 0)
            grz_scene_release_data(scene, record->placed_shared_data - 1);
        /* The last generation is never used, so that no handle recurs. */
        uint32_t generation = scene->labels.data[index].generation;
        *record = (grz_object_record){.parent = scene->free_object};
        scene->labels.data[index] = (grz_label){.generation = generation};
        scene->shapes.data[index] = (grz_placed_shape){0};
        if (generation < UINT32_MAX - 1)
            scene->free_object = index;
    }
    for (size_t i = scene->retiring_count; i < scene->removed.count; i++) /* removed by callbacks */
        scene->removed.data[i - scene->retiring_count] = scene->removed.data[i];
    scene->removed.count -= scene->retiring_count;
    scene->retiring_count = 0;
}

/* Callbacks may change the scene: the events are complete by now. */
static void run_callbacks(graze_scene *scene, const graze_update_options *options)
{
    for (size_t i = 0; i < scene->events.count; i++)
    {
        const graze_event *event = &scene->events.data[i];
        const grz_pair_rule *rule =
            scene->rules.pairs.count > 0 ? grz_interest_rule(scene, event->a.index, event->b.index) : NULL;
        if (rule != NULL && rule->on_event != NULL)
            rule->on_event(rule->on_event_user, scene, event);
        if (options->on_event != NULL)
            options->on_event(options->on_event_user, scene, event);
    }
}

static double seconds_since(uint64_t *mark)
{
    uint64_t now = grz_clock_now(), then = *mark;
    *mark = now;
    return (double)(now - then) * 1e-9;
}

/* Work of the caller while other threads test contacts ahead. */
typedef struct broad_phase_work
{
    _Alignas(GRZ_CACHE_LINE_SIZE) atomic_size_t placed; /* objects placed so far: polled by other threads */
    _Alignas(GRZ_CACHE_LINE_SIZE) graze_scene *scene;   /* not shared */
    uint64_t mark;
    double place_seconds;
    graze_broad_phase_changes changes;
} broad_phase_work;

static void place_objects(broad_phase_work *search)
{
    grz_scene_place_objects(search->scene, &search->placed);
    search->place_seconds = seconds_since(&search->mark);
}

static graze_status run_broad_phase(void *argument)
{
    broad_phase_work *search = argument;
    if (!grz_scene_places_in_parallel(search->scene))
        place_objects(search);
    graze_status status = grz_scene_update_boxes(search->scene);
    return status == GRAZE_STATUS_OK ? graze_broad_phase_update(search->scene->broad, &search->changes) : status;
}

/* Places the objects, runs the broad phase and queues the contacts to test; some may have been tested ahead. */
static graze_status queue_contacts(graze_scene *scene, const graze_update_options *options, uint64_t deadline,
                                   broad_phase_work *search)
{
    graze_status status = grz_scene_list_moved(scene);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (grz_scene_places_in_parallel(scene))
        place_objects(search);
    status = grz_narrow_phase_ahead(scene, deadline, &search->placed, run_broad_phase, search);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_promises_check(scene);
    bool followed = grz_contacts_update(scene, &search->changes);
    scene->out_of_sync = true; /* until the events are reported */
    return followed && grz_schedule(scene, options) ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

/* Placing and the broad phase may take longer than the whole budget, in every frame. The narrow phase gets half of it
   even then, so that pairs do not wait for ever. */
static uint64_t narrow_phase_deadline(const graze_budget *budget, uint64_t deadline)
{
    if (!(budget->seconds > 0))
        return deadline;
    uint64_t least = grz_clock_now() + (uint64_t)(fmin(budget->seconds, 1e9) * 1e9 / 2);
    return deadline < least ? least : deadline;
}

/* All of an update but the callbacks. */
static graze_status run_frame(graze_scene *scene, const graze_update_options *options, graze_frame *frame)
{
    uint64_t mark = grz_clock_now();
    const graze_budget *budget = &options->budget;
    uint64_t deadline = budget->seconds > 0 ? mark + (uint64_t)(fmin(budget->seconds, 1e9) * 1e9) : 0;
    if (deadline == 0 && (budget->box_tests > 0 || budget->progress != NULL))
        deadline = UINT64_MAX;

    grz_contact_request_take(scene, options);
    scene->retiring_count = scene->removed.count;
    scene->stepping = options->continuous;
    scene->stepped = false;
    scene->step_kind = options->motion;
    broad_phase_work search = {.scene = scene, .mark = mark};
    graze_status status = queue_contacts(scene, options, deadline, &search);
    if (status != GRAZE_STATUS_OK)
    {
        grz_narrow_phase_discard_ahead(scene);
        return status;
    }
    frame->moved_count = scene->placed.count;
    frame->times.place = search.place_seconds;
    mark = search.mark;
    graze_broad_phase_pairs(scene->broad, &frame->box_pairs);
    frame->examined = scene->list.count;
    frame->asleep_count = scene->asleep_count;
    frame->times.broad = seconds_since(&mark);

    deadline = narrow_phase_deadline(budget, deadline);
    status = grz_narrow_phase(scene, options, deadline);
    frame->examined -= scene->list.count;
    frame->times.examine = seconds_since(&mark);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (scene->list.count > 0)
    {
        const grz_contact *next = &scene->contacts.data[scene->list.data[0]];
        scene->round_robin = grz_pair_key(next);
    }
    status = grz_report_events(scene, deadline, frame);
    if (status != GRAZE_STATUS_OK)
        return status;
    scene->out_of_sync = false;
    scene->stepped = scene->stepping;
    grz_contacts_remove_ended(scene);
    frame->times.report = seconds_since(&mark);
    return GRAZE_STATUS_OK;
}

bool grz_update_options_take(const graze_update_options *options, graze_update_options *out_options)
{
    GRZ_FULL_STRUCT(graze_update_options, options);
    if (!options_fits)
        return false;
    *out_options = options != NULL ? *options : graze_update_options_default();
    out_options->struct_size = sizeof *out_options; /* also where the caller's is larger */
    bool moves = out_options->motion == GRAZE_MOTION_TURN || out_options->motion == GRAZE_MOTION_BLEND ||
                 out_options->motion == GRAZE_MOTION_STILL;
    return moves && out_options->budget.seconds >= 0 && (unsigned)out_options->schedule <= GRAZE_SCHEDULE_PRIORITY &&
           out_options->contact_points >= 1 && out_options->contact_points <= GRAZE_CONTACT_POINTS_MOST &&
           !isnan(out_options->contact_margin) && out_options->contact_margin < INFINITY;
}

graze_status graze_scene_update(graze_scene *scene, const graze_update_options *options, graze_frame *out_frame)
{
    graze_update_options wanted;
    if (scene == NULL || scene->updating || !grz_update_options_take(options, &wanted))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_frame frame = {.number = ++scene->frame};
    scene->updating = true;
    scene->update++;
    graze_status status = run_frame(scene, &wanted, &frame);
    if (status == GRAZE_STATUS_OK)
    {
        uint64_t mark = grz_clock_now();
        run_callbacks(scene, &wanted);
        retire_removed(scene);
        frame.times.report += seconds_since(&mark);
        frame.events = scene->events.data;
        frame.event_count = scene->events.count;
        frame.undecided = scene->undecided.data;
        frame.undecided_count = scene->undecided.count;
        frame.object_count = scene->count;
        if (out_frame != NULL)
            *out_frame = frame;
    }
    else
        scene->frame--;
    scene->updating = false;
    return status;
}
