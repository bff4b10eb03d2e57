/* SPDX-License-Identifier: MIT */
/* One update of both scenes: compares events, witnesses and undecided pairs. */
#include <stdlib.h>

#include "naive.h"

static bool same_name(graze_object a, graze_object b)
{
    return a.index == b.index && a.generation == b.generation;
}

/* The event of a pair of names, if there is one. */
static const graze_event *event_of(const graze_frame *frame, graze_object a, graze_object b)
{
    for (size_t i = 0; i < frame->event_count; i++)
    {
        const graze_event *event = &frame->events[i];
        if ((same_name(event->a, a) && same_name(event->b, b)) || (same_name(event->a, b) && same_name(event->b, a)))
            return event;
    }
    return NULL;
}

static const graze_undecided_pair *undecided_of(const graze_frame *frame, graze_object a, graze_object b)
{
    for (size_t i = 0; i < frame->undecided_count; i++)
    {
        const graze_undecided_pair *pair = &frame->undecided[i];
        if ((same_name(pair->a, a) && same_name(pair->b, b)) || (same_name(pair->a, b) && same_name(pair->b, a)))
            return pair;
    }
    return NULL;
}

/* The witness must be two triangles that intersect, with the contact it states. */
static void expect_witness(const naive_scene *n, const graze_event *event, int a, int b)
{
    bool swapped = !same_name(event->a, n->objects[a].name);
    const naive_object *x = &n->objects[swapped ? b : a], *y = &n->objects[swapped ? a : b];
    const small_mesh *p = &n->shapes[x->shape].shape, *q = &n->shapes[y->shape].shape;
    const graze_hit *hit = &event->witness;
    EXPECT(event->user_a == (const void *)x && event->user_b == (const void *)y, "an event's user pointers");
    EXPECT(event->sensor == (((x->flags | y->flags) & GRAZE_OBJECT_SENSOR) != 0), "an event's sensor flag");
    if (!event->has_witness)
    {
        EXPECT(!brute_force_any(p, &x->world, q, &y->world), "an event of surfaces that meet has no witness");
        return;
    }
    EXPECT(hit->triangle_a < p->triangle_count && hit->triangle_b < q->triangle_count, "a witness of no triangles");
    brute_force_start(p, &x->world, q, &y->world);
    EXPECT(brute_force_contact(hit->triangle_a, hit->triangle_b).found,
           "the witness of objects %d and %d does not meet: triangles %u %u", a, b, hit->triangle_a, hit->triangle_b);
}

static void compare_pair(naive_scene *n, const graze_frame *frame, int a, int b, size_t *events, size_t *colliding)
{
    naive_pair *pair = &n->pairs[a][b];
    graze_object x = n->objects[a].name, y = n->objects[b].name;
    const graze_event *event = event_of(frame, x, y);
    const graze_undecided_pair *undecided = undecided_of(frame, x, y);
    bool now = pair->wanted && pair->truth, before = pair->collided;
    *events += event != NULL;
    if (undecided != NULL)
    {
        EXPECT(pair->wanted, "objects %d and %d are undecided, but nobody asked", a, b);
        EXPECT(undecided->lower == 0 || !pair->truth, "undecided objects %d and %d collide, but lower is %g", a, b,
               undecided->lower);
        EXPECT(undecided->collided == before, "undecided objects %d and %d: collided %d", a, b, undecided->collided);
        EXPECT(event == NULL, "objects %d and %d are undecided, and there is an event of kind %d", a, b,
               event != NULL ? (int)event->kind : 0);
        return; /* an undecided pair does not count as colliding */
    }
    *colliding += now;
    if (!now && !before)
        EXPECT(event == NULL, "objects %d and %d: an event of kind %d", a, b, (int)event->kind);
    else if (now && before && n->leave_out_stays)
        EXPECT(event == NULL, "objects %d and %d: a stay that was to be left out", a, b);
    else
    {
        graze_event_kind kind = now && before ? GRAZE_EVENT_STAY : now ? GRAZE_EVENT_BEGIN : GRAZE_EVENT_END;
        EXPECT(event != NULL, "objects %d and %d: no event of kind %d", a, b, (int)kind);
        EXPECT(event->kind == kind, "objects %d and %d: an event of kind %d instead of %d", a, b, (int)event->kind,
               (int)kind);
        if (now)
            expect_witness(n, event, a, b);
    }
    pair->collided = now;
}

static void compare(naive_scene *n, const graze_frame *frame)
{
    size_t events = 0, colliding = 0;
    for (int a = 0; a < MOST_OBJECTS; a++)
        for (int b = a + 1; b < MOST_OBJECTS; b++)
            if (n->objects[a].used && n->objects[b].used)
                compare_pair(n, frame, a, b, &events, &colliding);
    for (size_t i = 0; i < n->ended_count; i++)
    {
        const graze_event *event = event_of(frame, n->ended[i].a, n->ended[i].b);
        EXPECT(event != NULL && event->kind == GRAZE_EVENT_END, "no end of a pair of which one is gone");
        events++;
    }
    n->ended_count = 0;
    EXPECT(events == frame->event_count, "%zu events, of which %zu are right", frame->event_count, events);
    EXPECT(colliding == frame->colliding, "%zu pairs collide, the frame says %zu", colliding, frame->colliding);
    for (size_t i = 0; i < frame->event_count; i++)
    {
        const graze_event *event = &frame->events[i], *last = i > 0 ? event - 1 : NULL;
        EXPECT(event->a.index < event->b.index, "an event's order of objects");
        EXPECT(last == NULL || last->a.index < event->a.index ||
                   (last->a.index == event->a.index && last->b.index <= event->b.index),
               "the order of events");
    }
}

static void compare_places(const naive_scene *n)
{
    for (int i = 0; i < MOST_OBJECTS; i++)
    {
        const naive_object *object = &n->objects[i];
        graze_placed_mesh placed;
        if (!object->used)
            continue;
        EXPECT_OK(graze_scene_placed_mesh(n->scene, object->name, &placed, NULL));
        for (int k = 0; k < 12; k++)
            EXPECT(placed.pose.m[k] == object->world.m[k], "entry %d of the pose of object %d is %.17g", k, i,
                   placed.pose.m[k]);
    }
}

void frame_check(fuzz_bytes *bytes, naive_scene *n)
{
    uint8_t form = take_byte(bytes);
    graze_update_options options = graze_update_options_default();
    if ((form & 7) == 7)
    {
        options.budget.seconds = (form & 8) != 0 ? 1e-9 : 1e-5;
        options.schedule = (graze_schedule)(form >> 4 & 3);
    }
    finding_note_text("update %g\n", options.budget.seconds);
    finding_show();
    naive_update(n);
    graze_frame frame;
    EXPECT_OK(graze_scene_update(n->scene, &options, &frame));
    EXPECT(options.budget.seconds > 0 || frame.undecided_count == 0, "undecided pairs without a budget");
    compare_places(n);
    compare(n, &frame);
}
