/* SPDX-License-Identifier: MIT */
/*
 * The concurrent detector; see graze/detector.h.
 *
 * Poses go through a triple buffer. The application fills one buffer and puts it into ready_slot with an atomic
 * exchange; the detector takes it out the same way. If the previous buffer of the application is still there, it takes
 * it back, merges the two and puts the result in, so that a report always covers everything up to its commit. With one
 * buffer in ready_slot and one used by the detector there is a third to fill. The detector returns buffers through a
 * small ring, reports go through a linked list; both have a single writer and a single reader, so that neither side
 * ever waits.
 */
#include "graze/detector.h"

#include <stdatomic.h>
#include <string.h>

#include "base/thread.h"
#include "scene/pose_buffer.h"
#include "scene/scene.h"

enum
{
    TRIPLE_BUFFER_COUNT = 3,
    RING = 4 /* a power of two above TRIPLE_BUFFER_COUNT */
};

struct graze_report
{
    graze_context context;
    graze_status status;
    uint64_t commit;
    graze_frame frame;
    graze_event *events;
    graze_undecided_pair *undecided;
    graze_pose *poses;     /* two per event */
    graze_shape_hit *hits; /* of the events that have one, in their order; and their contacts */
    graze_shape_manifold *manifolds;
};

/* Room that a report needs. */
typedef struct report_size
{
    size_t events, undecided, hits, manifolds;
} report_size;

/* A node of the list of reports. The report of the first node has been taken already. */
typedef struct report_node
{
    struct report_node *_Atomic next;
    graze_report *report;
} report_node;

struct graze_detector
{
    graze_context context;
    graze_scene *scene;
    graze_update_options options;
    double viewpoint[3];
    uint32_t *generations;      /* of the objects at the start: only the detector reads the scene */
    const graze_shape **shapes; /* of objects without parent; NULL: none */
    size_t limit;

    /* Used by the application only. */
    grz_pose_buffer *filling;
    grz_pose_buffer *spare[TRIPLE_BUFFER_COUNT];
    size_t spare_count;
    uint64_t commits;
    report_node *first;

    /* Used by the detector thread only. */
    report_node *last;
    report_node *reserve; /* node with an empty report, to report that memory ran out; NULL once used, until it can be
                             allocated again */
    bool has_unsent;      /* the last frame of the scene could not be reported */
    graze_frame unsent;
    uint64_t unsent_commit;

    /* Shared by both. */
    grz_pose_buffer *_Atomic ready_slot;
    grz_pose_buffer *ring[RING];
    atomic_size_t ring_written, ring_read;
    atomic_uint_fast64_t processed; /* the last commit reported */
    atomic_int status;              /* OUT_OF_MEMORY while reports cannot be allocated */
    atomic_bool stop;
    atomic_bool asleep; /* the detector waits, and must be woken */

    grz_signal *wake, *done;
    grz_thread *thread;
    grz_pose_buffer buffers[TRIPLE_BUFFER_COUNT];
};

static report_size size_of_frame(const graze_frame *frame)
{
    report_size size = {.events = frame->event_count, .undecided = frame->undecided_count};
    for (size_t i = 0; i < frame->event_count; i++)
    {
        size.hits += frame->events[i].shape_hit != NULL;
        size.manifolds += frame->events[i].contact_count;
    }
    return size;
}

/* Copies what events refer to. */
static void copy_hits(graze_report *report)
{
    graze_shape_hit *hit = report->hits;
    graze_shape_manifold *manifold = report->manifolds;
    for (size_t i = 0; i < report->frame.event_count; i++)
    {
        graze_event *event = &report->events[i];
        if (event->shape_hit != NULL)
        {
            *hit = *event->shape_hit;
            event->shape_hit = hit++;
        }
        if (event->contact_count > 0)
            memcpy(manifold, event->contacts, event->contact_count * sizeof *manifold);
        event->contacts = event->contact_count > 0 ? manifold : NULL;
        manifold += event->contact_count;
    }
}

static void copy_frame(graze_report *report, const graze_scene *scene, const graze_frame *frame)
{
    report->frame = *frame;
    report->frame.events = report->events;
    report->frame.undecided = report->undecided;
    if (frame->event_count > 0)
        memcpy(report->events, frame->events, frame->event_count * sizeof *report->events);
    copy_hits(report);
    if (frame->undecided_count > 0)
        memcpy(report->undecided, frame->undecided, frame->undecided_count * sizeof *report->undecided);
    for (size_t i = 0; i < frame->event_count; i++)
    {
        report->poses[2 * i] = scene->world_states.data[frame->events[i].a.index].world;
        report->poses[2 * i + 1] = scene->world_states.data[frame->events[i].b.index].world;
    }
}

/* Allocates a report for a frame; NULL when out of memory. */
static graze_report *make_report(const graze_context *context, report_size size)
{
    graze_report *report = grz_allocate_zeroed(context, 1, sizeof *report);
    if (report == NULL)
        return NULL;
    report->context = grz_context_copy(context);
    report->events = grz_allocate(context, size.events, sizeof *report->events);
    report->undecided = grz_allocate(context, size.undecided, sizeof *report->undecided);
    report->poses = grz_allocate(context, size.events, 2 * sizeof *report->poses);
    report->hits = grz_allocate(context, size.hits, sizeof *report->hits);
    report->manifolds = grz_allocate(context, size.manifolds, sizeof *report->manifolds);
    if (report->events != NULL && report->undecided != NULL && report->poses != NULL && report->hits != NULL &&
        report->manifolds != NULL)
        return report;
    graze_report_destroy(report);
    return NULL;
}

void graze_report_destroy(graze_report *report)
{
    if (report == NULL)
        return;
    graze_context context = report->context;
    grz_release(&context, report->events);
    grz_release(&context, report->undecided);
    grz_release(&context, report->poses);
    grz_release(&context, report->hits);
    grz_release(&context, report->manifolds);
    grz_release(&context, report);
}

static report_node *make_report_node(const graze_context *context, graze_report *report)
{
    report_node *made = grz_allocate(context, 1, sizeof *made);
    if (made != NULL)
    {
        made->report = report;
        atomic_init(&made->next, NULL);
    }
    return made;
}

/* Appends a report to the list. */
static void append_report(graze_detector *d, report_node *made)
{
    atomic_store_explicit(&d->last->next, made, memory_order_release);
    d->last = made;
}

/* An empty report in a node; NULL when out of memory. */
static report_node *make_reserve(const graze_context *context)
{
    graze_report *report = make_report(context, (report_size){0});
    report_node *made = report != NULL ? make_report_node(context, report) : NULL;
    if (made == NULL)
        graze_report_destroy(report);
    return made;
}

/* Reports a frame. False when out of memory. */
static bool send(graze_detector *d, uint64_t commit, graze_status status, const graze_frame *frame)
{
    graze_report *report = make_report(&d->context, size_of_frame(frame));
    report_node *made = report != NULL ? make_report_node(&d->context, report) : NULL;
    if (made == NULL)
    {
        graze_report_destroy(report);
        return false;
    }
    report->status = status;
    report->commit = commit;
    copy_frame(report, d->scene, frame);
    append_report(d, made);
    return true;
}

/* Reports that memory ran out: in the status, and by the reserved report, if it has not been used. */
static void report_out_of_memory(graze_detector *d, uint64_t commit)
{
    atomic_store(&d->status, (int)GRAZE_STATUS_OUT_OF_MEMORY);
    if (d->reserve == NULL)
        return;
    d->reserve->report->status = GRAZE_STATUS_OUT_OF_MEMORY;
    d->reserve->report->commit = commit;
    append_report(d, d->reserve);
    d->reserve = NULL;
}

/*
 * Updates the scene and reports. If there is no memory for a report the frame is unsent: its events stay in the scene,
 * which is not updated again until they have been reported. New poses accumulate in its back buffer meanwhile, so no
 * event is lost.
 */
static void update_and_report(graze_detector *d, uint64_t commit)
{
    if (d->has_unsent)
        d->has_unsent = !send(d, d->unsent_commit, GRAZE_STATUS_OK, &d->unsent);
    if (!d->has_unsent)
    {
        graze_frame frame = {0};
        graze_status status = graze_scene_update(d->scene, &d->options, &frame);
        bool sent = send(d, commit, status, &frame);
        d->has_unsent = !sent && status == GRAZE_STATUS_OK;
        d->unsent = frame;
        d->unsent_commit = commit;
        if (!sent)
            report_out_of_memory(d, commit);
        else
            atomic_store(&d->status, (int)GRAZE_STATUS_OK);
    }
    else
        report_out_of_memory(d, commit);
    if (d->reserve == NULL)
        d->reserve = make_reserve(&d->context);
    atomic_store_explicit(&d->processed, commit, memory_order_release);
    grz_signal_post(d->done);
}

/* Returns a buffer to the application. The ring has room for all buffers. */
static void return_buffer(graze_detector *d, grz_pose_buffer *buffer)
{
    size_t written = atomic_load_explicit(&d->ring_written, memory_order_relaxed);
    d->ring[written % RING] = buffer;
    atomic_store_explicit(&d->ring_written, written + 1, memory_order_release);
}

/*
 * Waits for a buffer. The detector first sets `asleep`, then checks ready_slot again; the application first fills
 * ready_slot, then checks `asleep`. So one of them notices, and the wake-up, which may cost the application a system
 * call, is skipped while the detector is busy. A spurious post only causes one more check.
 */
static void wait_for_buffer(graze_detector *d)
{
    atomic_store(&d->asleep, true);
    if (atomic_load(&d->ready_slot) == NULL && !atomic_load(&d->stop))
        grz_signal_wait(d->wake);
    atomic_store(&d->asleep, false);
}

static void run(void *argument)
{
    graze_detector *d = argument;
    while (!atomic_load(&d->stop))
    {
        grz_pose_buffer *buffer = atomic_exchange(&d->ready_slot, NULL);
        if (buffer == NULL)
        {
            wait_for_buffer(d);
            continue;
        }
        uint64_t commit = buffer->commit;
        grz_pose_buffer_apply(buffer, d->scene);
        return_buffer(d, buffer);
        update_and_report(d, commit);
    }
}

/* Takes an empty buffer to fill. There always is one: see the head comment. */
static grz_pose_buffer *take_buffer(graze_detector *d)
{
    size_t read = atomic_load_explicit(&d->ring_read, memory_order_relaxed);
    while (read != atomic_load_explicit(&d->ring_written, memory_order_acquire))
        d->spare[d->spare_count++] = d->ring[read++ % RING];
    atomic_store_explicit(&d->ring_read, read, memory_order_release);
    return d->spare[--d->spare_count];
}

graze_status graze_detector_move(graze_detector *detector, graze_object object, const graze_pose *pose)
{
    if (detector == NULL || pose == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (object.index >= detector->limit || object.generation == 0 ||
        detector->generations[object.index] != object.generation)
        return GRAZE_STATUS_BAD_INDEX;
    graze_status status = grz_scene_check_pose(detector->shapes[object.index], pose);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (detector->filling == NULL)
        detector->filling = take_buffer(detector);
    grz_pose_buffer_set(detector->filling, object, pose);
    return GRAZE_STATUS_OK;
}

uint64_t graze_detector_commit(graze_detector *detector)
{
    if (detector == NULL)
        return 0;
    if (detector->filling == NULL)
        detector->filling = take_buffer(detector);
    grz_pose_buffer *filled = detector->filling;
    filled->commit = ++detector->commits;
    grz_pose_buffer *unread = atomic_exchange(&detector->ready_slot, NULL);
    if (unread != NULL)
    {
        grz_pose_buffer *merged = grz_pose_buffer_merge(unread, filled);
        detector->spare[detector->spare_count++] = merged == filled ? unread : filled;
        filled = merged;
    }
    atomic_store(&detector->ready_slot, filled);
    detector->filling = NULL;
    if (atomic_load(&detector->asleep))
        grz_signal_post(detector->wake);
    return detector->commits;
}

graze_report *graze_detector_take(graze_detector *detector)
{
    if (detector == NULL)
        return NULL;
    report_node *next = atomic_load_explicit(&detector->first->next, memory_order_acquire);
    if (next == NULL)
        return NULL;
    grz_release(&detector->context, detector->first);
    detector->first = next;
    graze_report *report = next->report;
    next->report = NULL;
    return report;
}

void graze_detector_drain(graze_detector *detector)
{
    if (detector == NULL)
        return;
    if (detector->filling != NULL)
        graze_detector_commit(detector);
    while (atomic_load_explicit(&detector->processed, memory_order_acquire) < detector->commits)
        grz_signal_wait(detector->done);
}

graze_status graze_detector_status(const graze_detector *detector)
{
    if (detector == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return (graze_status)atomic_load(&detector->status);
}

const graze_frame *graze_report_frame(const graze_report *report)
{
    return report != NULL ? &report->frame : NULL;
}

uint64_t graze_report_commit(const graze_report *report)
{
    return report != NULL ? report->commit : 0;
}

graze_status graze_report_poses(const graze_report *report, size_t event, graze_pose *out_pose_a,
                                graze_pose *out_pose_b)
{
    if (report == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (event >= report->frame.event_count)
        return GRAZE_STATUS_BAD_INDEX;
    if (out_pose_a != NULL)
        *out_pose_a = report->poses[2 * event];
    if (out_pose_b != NULL)
        *out_pose_b = report->poses[2 * event + 1];
    return GRAZE_STATUS_OK;
}

graze_status graze_report_status(const graze_report *report)
{
    return report != NULL ? report->status : GRAZE_STATUS_BAD_ARGUMENT;
}

/* Releases everything but the thread. */
static void release(graze_detector *d)
{
    graze_context context = d->context;
    for (report_node *each = d->first; each != NULL;)
    {
        report_node *next = atomic_load(&each->next);
        graze_report_destroy(each->report);
        grz_release(&context, each);
        each = next;
    }
    if (d->reserve != NULL)
        graze_report_destroy(d->reserve->report);
    grz_release(&context, d->reserve);
    for (int i = 0; i < TRIPLE_BUFFER_COUNT; i++)
        grz_pose_buffer_release(&context, &d->buffers[i]);
    grz_signal_destroy(d->wake);
    grz_signal_destroy(d->done);
    grz_release(&context, d->generations);
    grz_release(&context, d->shapes);
    grz_release(&context, d);
}

/* Allocates all memory it ever needs, except for reports. False when out of memory. */
static bool prepare(graze_detector *d)
{
    d->limit = d->scene->objects.count;
    d->generations = grz_allocate_zeroed(&d->context, d->limit, sizeof *d->generations);
    d->shapes = grz_allocate_zeroed(&d->context, d->limit, sizeof(void *)); /* pointers to shapes */
    d->first = d->last = make_report_node(&d->context, NULL);
    d->reserve = make_reserve(&d->context);
    d->wake = grz_signal_create(&d->context);
    d->done = grz_signal_create(&d->context);
    bool done = d->generations != NULL && d->shapes != NULL && d->first != NULL && d->reserve != NULL &&
                d->wake != NULL && d->done != NULL;
    for (int i = 0; i < TRIPLE_BUFFER_COUNT && done; i++)
    {
        done = grz_pose_buffer_init(&d->context, &d->buffers[i], d->limit);
        d->spare[d->spare_count++] = &d->buffers[i];
    }
    for (size_t i = 0; i < d->limit && done; i++)
    {
        const grz_object_record *record = &d->scene->objects.data[i];
        if (record->state != GRZ_OBJECT_ALIVE)
            continue;
        d->generations[i] = d->scene->labels.data[i].generation;
        d->shapes[i] = record->parent == GRZ_NO_OBJECT ? record->shape : NULL;
    }
    return done;
}

graze_status graze_detector_create(const graze_context *context, graze_scene *scene,
                                   const graze_update_options *options, graze_detector **out_detector)
{
    graze_update_options wanted;
    if (scene == NULL || out_detector == NULL || scene->updating || !grz_update_options_take(options, &wanted))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_detector *d = grz_allocate_zeroed(context, 1, sizeof *d);
    if (d == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    d->context = grz_context_copy(context);
    d->scene = scene;
    d->options = wanted;
    if (d->options.viewpoint != NULL)
    {
        memcpy(d->viewpoint, d->options.viewpoint, sizeof d->viewpoint);
        d->options.viewpoint = d->viewpoint;
    }
    atomic_init(&d->ready_slot, NULL);
    atomic_init(&d->status, (int)GRAZE_STATUS_OK);
    if (prepare(d))
        d->thread = grz_thread_start(context, run, d);
    if (d->thread == NULL)
    {
        release(d);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    *out_detector = d;
    return GRAZE_STATUS_OK;
}

void graze_detector_destroy(graze_detector *detector)
{
    if (detector == NULL)
        return;
    atomic_store(&detector->stop, true);
    grz_signal_post(detector->wake);
    grz_thread_join(detector->thread);
    grz_pose_buffer *unread = atomic_load(&detector->ready_slot);
    if (unread != NULL)
        grz_pose_buffer_apply(unread, detector->scene);
    if (detector->filling != NULL)
        grz_pose_buffer_apply(detector->filling, detector->scene);
    release(detector);
}
