/* SPDX-License-Identifier: MIT */
/*
 * The concurrent detector; see graze/detector.h.
 *
 * Three buffers go around. The application fills one and puts it into the mailbox with an atomic exchange; the detector
 * takes it out the same way. When the application finds that its last one is still there, it takes it back, merges the
 * two and puts the result in again, so that a report always knows everything up to its commit. With one buffer in
 * the mailbox and one in the detector's hands there is a third to fill. The detector gives buffers back through a
 * small ring, reports go through a linked list; both have one writer and one reader, so that no side ever waits.
 */
#include "graze/detector.h"

#include <stdatomic.h>
#include <string.h>

#include "base/thread.h"
#include "scene/hand_over.h"
#include "scene/scene.h"

enum
{
    BUFFERS = 3,
    RING = 4 /* a power of two above BUFFERS */
};

struct graze_report
{
    graze_context context;
    graze_status status;
    uint64_t commit;
    graze_frame frame;
    graze_event *events;
    graze_undecided_pair *undecided;
    graze_pose *poses; /* two an event */
};

/* A link of the list of reports. The first one has been read already. */
typedef struct link
{
    struct link *_Atomic next;
    graze_report *report;
} link;

struct graze_detector
{
    graze_context context;
    graze_scene *scene;
    graze_update_options options;
    double viewpoint[3];
    uint32_t *generations; /* of the scene's objects at the start: the scene itself is the detector's */
    size_t limit;

    /* The application's. */
    grz_hand_over *filling;
    grz_hand_over *spare[BUFFERS];
    size_t spare_count;
    uint64_t commits;
    link *first;

    /* The detector's. */
    link *last;
    link *reserve; /* with an empty report, for when there is no memory for another; NULL after that, until there is */
    bool owes;     /* a frame that could not be reported: the scene's last */
    graze_frame owed;
    uint64_t owed_commit;

    /* Between the two. */
    grz_hand_over *_Atomic mailbox;
    grz_hand_over *ring[RING];
    atomic_size_t ring_written, ring_read;
    atomic_uint_fast64_t processed; /* the last commit reported */
    atomic_int status;              /* OUT_OF_MEMORY while reports cannot be made */
    atomic_bool stop;
    atomic_bool asleep; /* the detector has nothing to do, and is to be woken */

    grz_signal *wake, *done;
    grz_thread *thread;
    grz_hand_over buffers[BUFFERS];
};

static void copy_frame(graze_report *report, const graze_scene *scene, const graze_frame *frame)
{
    report->frame = *frame;
    report->frame.events = report->events;
    report->frame.undecided = report->undecided;
    if (frame->event_count > 0)
        memcpy(report->events, frame->events, frame->event_count * sizeof *report->events);
    if (frame->undecided_count > 0)
        memcpy(report->undecided, frame->undecided, frame->undecided_count * sizeof *report->undecided);
    for (size_t i = 0; i < frame->event_count; i++)
    {
        report->poses[2 * i] = scene->stances.data[frame->events[i].a.index].world;
        report->poses[2 * i + 1] = scene->stances.data[frame->events[i].b.index].world;
    }
}

/* A report with room for a frame; NULL when out of memory. */
static graze_report *make_report(const graze_context *context, size_t event_count, size_t undecided_count)
{
    graze_report *report = grz_allocate_zeroed(context, 1, sizeof *report);
    if (report == NULL)
        return NULL;
    report->context = grz_context_copy(context);
    report->events = grz_allocate(context, event_count, sizeof *report->events);
    report->undecided = grz_allocate(context, undecided_count, sizeof *report->undecided);
    report->poses = grz_allocate(context, event_count, 2 * sizeof *report->poses);
    if (report->events != NULL && report->undecided != NULL && report->poses != NULL)
        return report;
    graze_report_release(report);
    return NULL;
}

void graze_report_release(graze_report *report)
{
    if (report == NULL)
        return;
    graze_context context = report->context;
    grz_release(&context, report->events);
    grz_release(&context, report->undecided);
    grz_release(&context, report->poses);
    grz_release(&context, report);
}

static link *make_link(const graze_context *context, graze_report *report)
{
    link *made = grz_allocate(context, 1, sizeof *made);
    if (made != NULL)
    {
        made->report = report;
        atomic_init(&made->next, NULL);
    }
    return made;
}

/* Puts a report at the end of the list. */
static void deliver(graze_detector *d, link *made)
{
    atomic_store_explicit(&d->last->next, made, memory_order_release);
    d->last = made;
}

/* An empty report in a link of its own; NULL when out of memory. */
static link *make_reserve(const graze_context *context)
{
    graze_report *report = make_report(context, 0, 0);
    link *made = report != NULL ? make_link(context, report) : NULL;
    if (made == NULL)
        graze_report_release(report);
    return made;
}

/* Reports a frame. False when there is no memory for that. */
static bool send(graze_detector *d, uint64_t commit, graze_status status, const graze_frame *frame)
{
    graze_report *report = make_report(&d->context, frame->event_count, frame->undecided_count);
    link *made = report != NULL ? make_link(&d->context, report) : NULL;
    if (made == NULL)
    {
        graze_report_release(report);
        return false;
    }
    report->status = status;
    report->commit = commit;
    copy_frame(report, d->scene, frame);
    deliver(d, made);
    return true;
}

/* Says that memory is wanting: to whoever asks, and by the report in reserve, if it has not been used. */
static void complain(graze_detector *d, uint64_t commit)
{
    atomic_store(&d->status, (int)GRAZE_STATUS_OUT_OF_MEMORY);
    if (d->reserve == NULL)
        return;
    d->reserve->report->status = GRAZE_STATUS_OUT_OF_MEMORY;
    d->reserve->report->commit = commit;
    deliver(d, d->reserve);
    d->reserve = NULL;
}

/*
 * Updates the scene and reports. Where there is no memory for a report the frame is owed: its events stay with the
 * scene, which is not updated again until they have been reported. Poses gather in its back buffer meanwhile, so
 * nothing is lost but time.
 */
static void detect(graze_detector *d, uint64_t commit)
{
    if (d->owes)
        d->owes = !send(d, d->owed_commit, GRAZE_STATUS_OK, &d->owed);
    if (!d->owes)
    {
        graze_frame frame = {0};
        graze_status status = graze_scene_update(d->scene, &d->options, &frame);
        bool sent = send(d, commit, status, &frame);
        d->owes = !sent && status == GRAZE_STATUS_OK;
        d->owed = frame;
        d->owed_commit = commit;
        if (!sent)
            complain(d, commit);
        else
            atomic_store(&d->status, (int)GRAZE_STATUS_OK);
    }
    else
        complain(d, commit);
    if (d->reserve == NULL)
        d->reserve = make_reserve(&d->context);
    atomic_store_explicit(&d->processed, commit, memory_order_release);
    grz_signal_post(d->done);
}

/* Gives a buffer back to the application. The ring has room for all there are. */
static void give_back(graze_detector *d, grz_hand_over *buffer)
{
    size_t written = atomic_load_explicit(&d->ring_written, memory_order_relaxed);
    d->ring[written % RING] = buffer;
    atomic_store_explicit(&d->ring_written, written + 1, memory_order_release);
}

/*
 * Waits for a hand-over. First it says that it sleeps, then looks once more; the application first hands over, then
 * looks whether it sleeps. So one of them notices, and waking, which may cost the application a call of the system, is
 * left out while the detector is busy. A post too many only makes it look in vain.
 */
static void fall_asleep(graze_detector *d)
{
    atomic_store(&d->asleep, true);
    if (atomic_load(&d->mailbox) == NULL && !atomic_load(&d->stop))
        grz_signal_wait(d->wake);
    atomic_store(&d->asleep, false);
}

static void run(void *argument)
{
    graze_detector *d = argument;
    while (!atomic_load(&d->stop))
    {
        grz_hand_over *buffer = atomic_exchange(&d->mailbox, NULL);
        if (buffer == NULL)
        {
            fall_asleep(d);
            continue;
        }
        uint64_t commit = buffer->commit;
        grz_hand_over_apply(buffer, d->scene);
        give_back(d, buffer);
        detect(d, commit);
    }
}

/* An empty buffer to fill. There always is one: see above. */
static grz_hand_over *take_buffer(graze_detector *d)
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
    graze_status status = graze_pose_check(pose, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (detector->filling == NULL)
        detector->filling = take_buffer(detector);
    grz_hand_over_note(detector->filling, object, pose);
    return GRAZE_STATUS_OK;
}

uint64_t graze_detector_commit(graze_detector *detector)
{
    if (detector == NULL)
        return 0;
    if (detector->filling == NULL)
        detector->filling = take_buffer(detector);
    grz_hand_over *filled = detector->filling;
    filled->commit = ++detector->commits;
    grz_hand_over *unread = atomic_exchange(&detector->mailbox, NULL);
    if (unread != NULL)
    {
        grz_hand_over *merged = grz_hand_over_merge(unread, filled);
        detector->spare[detector->spare_count++] = merged == filled ? unread : filled;
        filled = merged;
    }
    atomic_store(&detector->mailbox, filled);
    detector->filling = NULL;
    if (atomic_load(&detector->asleep))
        grz_signal_post(detector->wake);
    return detector->commits;
}

graze_report *graze_detector_take(graze_detector *detector)
{
    if (detector == NULL)
        return NULL;
    link *next = atomic_load_explicit(&detector->first->next, memory_order_acquire);
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

void graze_report_poses(const graze_report *report, size_t event, graze_pose *out_pose_a, graze_pose *out_pose_b)
{
    if (report == NULL || event >= report->frame.event_count)
        return;
    if (out_pose_a != NULL)
        *out_pose_a = report->poses[2 * event];
    if (out_pose_b != NULL)
        *out_pose_b = report->poses[2 * event + 1];
}

graze_status graze_report_status(const graze_report *report)
{
    return report != NULL ? report->status : GRAZE_STATUS_BAD_ARGUMENT;
}

/* Everything but the thread. */
static void release(graze_detector *d)
{
    graze_context context = d->context;
    for (link *each = d->first; each != NULL;)
    {
        link *next = atomic_load(&each->next);
        graze_report_release(each->report);
        grz_release(&context, each);
        each = next;
    }
    if (d->reserve != NULL)
        graze_report_release(d->reserve->report);
    grz_release(&context, d->reserve);
    for (int i = 0; i < BUFFERS; i++)
        grz_hand_over_release(&context, &d->buffers[i]);
    grz_signal_destroy(d->wake);
    grz_signal_destroy(d->done);
    grz_release(&context, d->generations);
    grz_release(&context, d);
}

/* Memory for all it ever needs but reports. */
static bool prepare(graze_detector *d)
{
    d->limit = d->scene->objects.count;
    d->generations = grz_allocate_zeroed(&d->context, d->limit, sizeof *d->generations);
    d->first = d->last = make_link(&d->context, NULL);
    d->reserve = make_reserve(&d->context);
    d->wake = grz_signal_create(&d->context);
    d->done = grz_signal_create(&d->context);
    bool done = d->generations != NULL && d->first != NULL && d->reserve != NULL && d->wake != NULL && d->done != NULL;
    for (int i = 0; i < BUFFERS && done; i++)
    {
        done = grz_hand_over_init(&d->context, &d->buffers[i], d->limit);
        d->spare[d->spare_count++] = &d->buffers[i];
    }
    for (size_t i = 0; i < d->limit && done; i++)
        if (d->scene->objects.data[i].state == GRZ_OBJECT_ALIVE)
            d->generations[i] = d->scene->labels.data[i].generation;
    return done;
}

graze_status graze_detector_start(const graze_context *context, graze_scene *scene, const graze_update_options *options,
                                  graze_detector **out_detector)
{
    if (scene == NULL || out_detector == NULL || scene->updating ||
        (options != NULL && !grz_update_options_are_good(options)))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_detector *d = grz_allocate_zeroed(context, 1, sizeof *d);
    if (d == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    d->context = grz_context_copy(context);
    d->scene = scene;
    d->options = options != NULL ? *options : graze_update_options_default();
    if (d->options.viewpoint != NULL)
    {
        memcpy(d->viewpoint, d->options.viewpoint, sizeof d->viewpoint);
        d->options.viewpoint = d->viewpoint;
    }
    atomic_init(&d->mailbox, NULL);
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

void graze_detector_stop(graze_detector *detector)
{
    if (detector == NULL)
        return;
    atomic_store(&detector->stop, true);
    grz_signal_post(detector->wake);
    grz_thread_join(detector->thread);
    grz_hand_over *unread = atomic_load(&detector->mailbox);
    if (unread != NULL)
        grz_hand_over_apply(unread, detector->scene);
    if (detector->filling != NULL)
        grz_hand_over_apply(detector->filling, detector->scene);
    release(detector);
}
