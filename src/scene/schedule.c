/* SPDX-License-Identifier: MIT */
/*
 * Order in which contacts are tested (Daneu, 4.1.4; O'Sullivan and Dingliana's perceptual scheduling). Without a time
 * budget the list stays in any order. With one, contacts that have waited longest come first, so that none starves;
 * then the order of the schedule. A contact whose test was cut off counts as waiting from that frame on: it may be one
 * that no frame has the time for, since it moves each time, and must not take the time of all others.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "scene/scene.h"

/* Length of a vector, without overflow or underflow on the way. */
static double length_of(const double v[3])
{
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0))
        return 0;
    double x = v[0] / largest, y = v[1] / largest, z = v[2] / largest;
    return largest * sqrt(x * x + y * y + z * z);
}

/* A sixteenth of the diagonal, since boxes may be as large as all doubles. */
static double box_size(const graze_box *box)
{
    double diagonal[3];
    for (int axis = 0; axis < 3; axis++)
        diagonal[axis] = box->upper[axis] / 16 - box->lower[axis] / 16;
    return length_of(diagonal);
}

/* Apparent size of the smaller of the two: its size, relative to the distance of the viewpoint if there is one; NaN
   only if the viewpoint has one. */
static double importance_of(const graze_scene *scene, const grz_contact *contact, const graze_update_options *options)
{
    if (options->importance != NULL)
        return options->importance(options->importance_user, scene, grz_scene_handle(scene, contact->a),
                                   grz_scene_handle(scene, contact->b));
    const graze_box *a = &scene->objects.data[contact->a].box, *b = &scene->objects.data[contact->b].box;
    double size = fmin(box_size(a), box_size(b)), way[3];
    if (options->viewpoint == NULL)
        return fmin(16 * size, DBL_MAX);
    for (int axis = 0; axis < 3; axis++)
    {
        double middle = a->lower[axis] / 64 + a->upper[axis] / 64 + b->lower[axis] / 64 + b->upper[axis] / 64;
        way[axis] = middle - options->viewpoint[axis] / 16;
    }
    double both = size + length_of(way);
    return both > 0 ? size / both : 1;
}

/* A key that ascends as importance falls; NaN comes last. */
static uint64_t descending_key(double importance)
{
    if (isnan(importance))
        return UINT64_MAX;
    uint64_t bits;
    memcpy(&bits, &importance, sizeof bits);
    bits = bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63; /* ascends with the number */
    return ~bits;
}

static void sort_list(graze_scene *scene, uint64_t (*key)(const graze_scene *scene, const grz_contact *contact))
{
    size_t count = scene->list.count;
    grz_key_value *keyed = scene->keyed.data;
    for (size_t i = 0; i < count; i++)
        keyed[i] = (grz_key_value){key(scene, &scene->contacts.data[scene->list.data[i]]), scene->list.data[i]};
    if (count > 0)
        grz_sort_keyed(keyed, keyed + count, count);
    for (size_t i = 0; i < count; i++)
        scene->list.data[i] = (uint32_t)keyed[i].value;
}

static uint64_t by_pair(const graze_scene *scene, const grz_contact *contact)
{
    (void)scene;
    return grz_pair_key(contact);
}

/* Cyclic, from where the last frame stopped. */
static uint64_t by_round_robin(const graze_scene *scene, const grz_contact *contact)
{
    return grz_pair_key(contact) - scene->round_robin;
}

static uint64_t by_importance(const graze_scene *scene, const grz_contact *contact)
{
    (void)scene;
    return descending_key(contact->importance);
}

static uint64_t by_waiting(const graze_scene *scene, const grz_contact *contact)
{
    uint64_t waits = contact->since > contact->tried ? contact->since : contact->tried;
    return contact->undecided ? waits : scene->frame;
}

bool grz_schedule(graze_scene *scene, const graze_update_options *options)
{
    const graze_budget *budget = &options->budget;
    if (!(budget->seconds > 0) && budget->box_tests == 0 && budget->progress == NULL)
        return true;
    if (!GRZ_RESERVE(&scene->context, &scene->keyed, 2 * scene->list.count))
        return false;
    sort_list(scene, by_pair);
    for (size_t i = 0; i < scene->list.count; i++)
    {
        grz_contact *contact = &scene->contacts.data[scene->list.data[i]];
        contact->importance = importance_of(scene, contact, options);
    }
    if (options->schedule == GRAZE_SCHEDULE_ROUND_ROBIN)
        sort_list(scene, by_round_robin);
    else if (options->schedule != GRAZE_SCHEDULE_SEQUENTIAL)
        sort_list(scene, by_importance);
    sort_list(scene, by_waiting); /* stable: keeps the order of those that have waited as long */
    return true;
}
