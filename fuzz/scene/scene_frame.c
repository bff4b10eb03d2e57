/* SPDX-License-Identifier: MIT */
/* One update of both scenes: compares events, witnesses and undecided pairs. */
#include <math.h>
#include <stdlib.h>

#include "naive.h"
#include "truth.h"

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

/* The leaves that a hit names must meet. */
static void expect_shape_hit(const naive_scene *n, const graze_shape_hit *hit, int a, int b)
{
    static case_side sides[2];
    EXPECT(hit != NULL, "objects %d and %d collide, and nothing says where", a, b);
    naive_side(n, a, &sides[0]);
    naive_side(n, b, &sides[1]);
    EXPECT(hit->part_a < sides[0].leaf_count && hit->part_b < sides[1].leaf_count, "a hit of no leaves");
    order o = truth_compare(&sides[0].world[hit->part_a], &sides[1].world[hit->part_b], 0);
    EXPECT(o != ORDER_GREATER, "leaves %u and %u of objects %d and %d do not meet", hit->part_a, hit->part_b, a, b);
    for (int k = 0; k < 3; k++)
        EXPECT(!hit->has_point || isfinite(hit->point[k]), "a common point that is not finite");
}

static void expect_contacts(const graze_event *event)
{
    for (size_t i = 0; i < event->contact_count; i++)
    {
        const graze_contact_manifold *m = &event->contacts[i].contacts;
        double length = sqrt(m->normal[0] * m->normal[0] + m->normal[1] * m->normal[1] + m->normal[2] * m->normal[2]);
        EXPECT(fabs(length - 1) < 1e-6, "a normal of length %a", length);
        EXPECT(m->count >= 1 && m->count <= 4, "%u contact points", m->count);
        for (uint32_t p = 0; p < m->count; p++)
            EXPECT(isfinite(m->points[p].gap), "a gap that is not finite");
    }
    EXPECT(event->contact_count == 0 || event->has_contacts, "contacts that nobody asked for");
}

/* The witness must be two triangles that intersect, with the contact it states. */
static void expect_witness(const naive_scene *n, const graze_event *event, int a, int b)
{
    bool swapped = !same_name(event->a, n->objects[a].name);
    expect_contacts(event);
    const naive_object *x = &n->objects[swapped ? b : a], *y = &n->objects[swapped ? a : b];
    const small_mesh *p = &n->shapes[x->shape].shape, *q = &n->shapes[y->shape].shape;
    const graze_hit *hit = &event->witness;
    EXPECT(event->user_a == (const void *)x && event->user_b == (const void *)y, "an event's user pointers");
    EXPECT(event->sensor == (((x->flags | y->flags) & GRAZE_OBJECT_SENSOR) != 0), "an event's sensor flag");
    if (naive_has_shape(n, a) || naive_has_shape(n, b))
    {
        expect_shape_hit(n, event->shape_hit, swapped ? b : a, swapped ? a : b);
        return;
    }
    EXPECT(event->shape_hit == NULL, "an event of two meshes has a hit of shapes");
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

static void expect_times(const graze_event *event)
{
    if (event->has_time)
        EXPECT(0 <= event->time_lower && event->time_lower <= event->time_upper && event->time_upper <= 1,
               "first contact in [%a, %a]", event->time_lower, event->time_upper);
    if (event->has_end_time)
        EXPECT(event->time_lower <= event->end_lower && event->end_lower <= event->end_upper && event->end_upper <= 1,
               "last contact in [%a, %a]", event->end_lower, event->end_upper);
}

static void compare_pair(naive_scene *n, const graze_frame *frame, bool has_budget, int a, int b, size_t *events,
                         size_t *colliding)
{
    naive_pair *pair = &n->pairs[a][b];
    graze_object x = n->objects[a].name, y = n->objects[b].name;
    const graze_event *event = event_of(frame, x, y);
    const graze_undecided_pair *undecided = undecided_of(frame, x, y);
    bool now = pair->wanted && pair->truth == TRUTH_TOGETHER, before = pair->collided;
    *events += event != NULL;
    if (event != NULL)
        expect_times(event);
    if (undecided != NULL)
    {
        EXPECT(pair->wanted, "objects %d and %d are undecided, but nobody asked", a, b);
        EXPECT(undecided->reason == GRAZE_UNDECIDED_BUDGET   ? has_budget
               : undecided->reason == GRAZE_UNDECIDED_MOTION ? !before
                                                             : pair->near,
               "objects %d and %d are undecided for reason %d", a, b, (int)undecided->reason);
        EXPECT(undecided->lower == 0 || pair->truth != TRUTH_TOGETHER,
               "undecided objects %d and %d collide, but lower is %g", a, b, undecided->lower);
        EXPECT(undecided->collided == before, "undecided objects %d and %d: collided %d", a, b, undecided->collided);
        EXPECT(event == NULL, "objects %d and %d are undecided, and there is an event of kind %d", a, b,
               event != NULL ? (int)event->kind : 0);
        return; /* an undecided pair does not count as colliding */
    }
    if (pair->wanted && pair->truth == TRUTH_OPEN)
        now = event != NULL ? event->kind == GRAZE_EVENT_BEGIN || event->kind == GRAZE_EVENT_STAY : before;
    *colliding += now;
    if (!now && !before)
        EXPECT(event == NULL || (event->kind == GRAZE_EVENT_PASS && event->has_time && pair->wanted),
               "objects %d and %d: an event of kind %d", a, b, (int)event->kind);
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

static void compare(naive_scene *n, const graze_frame *frame, bool has_budget)
{
    size_t events = 0, colliding = 0;
    for (int a = 0; a < MOST_OBJECTS; a++)
        for (int b = a + 1; b < MOST_OBJECTS; b++)
            if (n->objects[a].used && n->objects[b].used)
                compare_pair(n, frame, has_budget, a, b, &events, &colliding);
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
        graze_placed shape;
        if (!object->used)
            continue;
        EXPECT_OK(graze_scene_placed_mesh(n->scene, object->name, &placed, NULL));
        EXPECT_OK(graze_scene_placed_shape(n->scene, object->name, &shape, NULL));
        for (int k = 0; k < 12; k++)
            EXPECT(placed.pose.m[k] == object->world.m[k] && shape.pose.m[k] == object->world.m[k],
                   "entry %d of the pose of object %d is %.17g", k, i, placed.pose.m[k]);
        EXPECT((shape.shape != NULL) == naive_has_shape(n, i), "the shape of object %d", i);
    }
}

/* Objects that are where their shape may not be are moved to where it may; then the update goes on as if nothing had
   been. */
static void mend_poses(naive_scene *n)
{
    const graze_pose identity = graze_pose_identity();
    bool fits = true;
    naive_place(n);
    for (int i = 0; i < MOST_OBJECTS; i++)
        fits = fits && (!n->objects[i].used || naive_pose_fits(n, i, &n->objects[i].world));
    if (fits)
        return;
    finding_note_text("an update that fails\n");
    finding_show();
    graze_status status = graze_scene_update(n->scene, NULL, NULL);
    EXPECT(status == GRAZE_STATUS_NOT_RIGID || status == GRAZE_STATUS_SINGULAR || status == GRAZE_STATUS_NOT_FINITE,
           "an update with a pose that a shape may not have: status %d", (int)status);
    for (int i = 0; i < MOST_OBJECTS; i++)
    {
        naive_object *object = &n->objects[i];
        if (!object->used || naive_pose_fits(n, i, &object->world))
            continue;
        EXPECT_OK(graze_scene_set_parent(n->scene, object->name, (graze_object){0, 0}, &identity));
        object->parent = -1;
        object->local = identity;
        mend_poses(n); /* those below it have moved with it */
        return;
    }
}

/* Changes no answer. */
static void promise(fuzz_bytes *bytes, naive_scene *n)
{
    uint8_t form = take_byte(bytes);
    const naive_object *object = &n->objects[form % MOST_OBJECTS];
    graze_promise promise = {.velocity = {0.5 * (form >> 6), 0, 0}, .speed = 0.125 * (form >> 3 & 7)};
    if (object->used)
        EXPECT_OK(graze_scene_promise(n->scene, object->name, (form & 0xf8) == 0xf8 ? NULL : &promise));
    finding_note_text("promise %u\n", form);
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
    options.contacts = (form & 0xc0) == 0xc0;
    options.continuous = (form & 0x30) == 0x30;
    options.motion = GRAZE_MOTION_BLEND; /* poses need not be rotations */
    if ((form & 7) == 5)
        promise(bytes, n);
    mend_poses(n);
    finding_note_text("update %g%s\n", options.budget.seconds, options.continuous ? ", continuous" : "");
    finding_show();
    naive_update(n);
    graze_frame frame;
    EXPECT_OK(graze_scene_update(n->scene, &options, &frame));
    EXPECT(options.budget.seconds > 0 || frame.undecided_count == frame.unknown_count,
           "undecided pairs without a budget");
    compare_places(n);
    compare(n, &frame, options.budget.seconds > 0);
}
