/* SPDX-License-Identifier: MIT */
/*
 * Promises of motion, and pairs that sleep by them: space-time bounds (Hubbard 1993; Zachmann 1994, 2.7) of whole
 * objects. With the promise given at a pose, n updates later each point is within D(n) = speed n + acceleration n^2 / 2
 * of where it was, plus velocity n. The scene checks that at every update, for the whole step of a continuous one; an
 * object that broke its promise, or moved without one, begins anew, and its pairs wake. So promises change no answer.
 *
 * Of a pair apart by d, ages g and h of the two promises, no two points can meet within n updates if
 *     |velocity difference| n + D_a(g + n) + D_a(g) + D_b(h + n) + D_b(h) < d,
 * since a point moves by velocity n and the difference of two deviations. The left side grows with n, so that one
 * comparison covers the time in between.
 */
#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "graze/shape_query.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "motion/shape_advance.h"
#include "scene/scene.h"
#include "shape/shape.h"

enum
{
    LONGEST_SLEEP = 1 << 20, /* updates */
    MOST_WAIT = 6            /* after attempts in vain: 2^6 updates */
};

#define UPWARD (1 + 64 * GRZ_U)

graze_status graze_scene_promise(graze_scene *scene, graze_object object, const graze_promise *promise)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    if (promise == NULL)
    {
        record->promise = 0; /* its entry goes at the next update */
        record->epoch++;
        return GRAZE_STATUS_OK;
    }
    for (int k = 0; k < 3; k++)
        if (!isfinite(promise->velocity[k]))
            return GRAZE_STATUS_NOT_FINITE;
    if (!isfinite(promise->speed) || !isfinite(promise->acceleration))
        return GRAZE_STATUS_NOT_FINITE;
    if (promise->speed < 0 || promise->acceleration < 0)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const grz_promise_entry entry = {.promise = *promise, .object = object.index, .fresh = true};
    if (record->promise == 0)
    {
        if (!GRZ_PUSH(&scene->context, &scene->promises, entry))
            return GRAZE_STATUS_OUT_OF_MEMORY;
        record->promise = (uint32_t)scene->promises.count;
    }
    scene->promises.data[record->promise - 1] = entry;
    record->epoch++;
    return GRAZE_STATUS_OK;
}

/* D(n). */
static double allowance(const graze_promise *promise, double n)
{
    return promise->speed * n + 0.5 * promise->acceleration * n * n;
}

/* The Frobenius norm of the difference of two matrices, whose squares may underflow. */
static double turned(const graze_pose *base, const graze_pose *pose)
{
    double largest = 0, squares = 0;
    for (int i = 0; i < 12; i++)
        largest = i % 4 < 3 ? fmax(largest, fabs(pose->m[i] - base->m[i])) : largest;
    for (int i = 0; i < 12 && largest > 0; i++)
    {
        double part = i % 4 < 3 ? (pose->m[i] - base->m[i]) / largest : 0;
        squares += part * part;
    }
    return largest * sqrt(squares);
}

/* How far parts of a compound are from where the real products of poses have them, at both poses together. */
static double rounding_of_parts(const graze_shape *shape, const graze_pose *base, const graze_pose *pose)
{
    const graze_pose identity = graze_pose_identity();
    if (shape == NULL || shape->form != GRZ_FORM_COMPOUND)
        return 0;
    double spread = grz_shape_spread(shape, &identity, INFINITY);
    return fmax(grz_part_error(shape, spread, base), grz_part_error(shape, spread, pose));
}

/*
 * A bound of how far a point of a body may be from where it was at the base pose, plus velocity n. With a point p =
 * centre + q, |q| <= radius: |P c - B c - v n| + |P - B| |q|, by the Frobenius norm of the matrices. Each entry has
 * fewer than 12 roundings of the sum of magnitudes.
 */
static double deviation(const grz_placed_shape *placed, const graze_pose *base, const graze_pose *pose,
                        const double velocity[3], double n)
{
    const graze_shape *shape = placed->shape;
    const graze_mesh *mesh = shape == NULL ? placed->mesh : shape->form == GRZ_FORM_CORE ? shape->mesh : NULL;
    double way = 0, turn = turned(base, pose), magnitude = 0;
    for (int k = 0; k < 3; k++)
    {
        const double *p = pose->m + 4 * k, *b = base->m + 4 * k;
        double moved = p[3] - b[3] - velocity[k] * n;
        magnitude += fabs(p[3]) + fabs(b[3]) + fabs(velocity[k] * n);
        for (int j = 0; j < 3; j++)
        {
            double change = p[j] - b[j], c = mesh != NULL ? mesh->centre[j] : 0;
            moved += change * c;
            magnitude += (fabs(p[j]) + fabs(b[j])) * fabs(c);
        }
        way += moved * moved;
    }
    if (turn > 0 && mesh == NULL)
        return INFINITY;
    if (memcmp(base->m, pose->m, sizeof pose->m) == 0 && velocity[0] == 0 && velocity[1] == 0 && velocity[2] == 0)
        return 0; /* so that what stands may promise so */
    /* shortcut: promised-places */
    double rounding = 32 * GRZ_U * magnitude + rounding_of_parts(shape, base, pose);
    return (sqrt(way) + (turn > 0 ? turn * mesh->radius : 0) + rounding) * UPWARD + 0x1p-500;
}

/* Whether an object was within its promise all through the update, which is the n-th since. */
static bool is_kept(const graze_scene *scene, const grz_promise_entry *entry, double n)
{
    uint32_t index = entry->object, rank = scene->placed_ranks.data[index];
    const grz_placed_shape *placed = &scene->shapes.data[index];
    const graze_pose *world = &scene->world_states.data[index].world;
    const double *velocity = entry->promise.velocity;
    double most = deviation(placed, &entry->base, world, velocity, n), bend = 0;
    if (!scene->stepping)
        return most <= allowance(&entry->promise, n);
    if (rank == 0)
        most = fmax(most, deviation(placed, &entry->base, world, velocity, n - 1));
    else
    {
        const grz_step *step = &scene->steps.data[rank - 1];
        bend = step->bend;
        for (int side = 0; side < 2; side++)
        {
            graze_pose end;
            if (graze_motion_pose(&step->motion, side, &end, NULL) != GRAZE_STATUS_OK)
                return false;
            most = fmax(most, deviation(placed, &entry->base, &end, velocity, n - 1 + side));
        }
    }
    return most + bend <= allowance(&entry->promise, n) * (1 - 8 * GRZ_U);
}

void grz_promises_check(graze_scene *scene)
{
    size_t kept = 0;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    for (size_t i = 0; i < scene->promises.count; i++)
    {
        grz_promise_entry *entry = &scene->promises.data[i];
        grz_object_record *record = &scene->objects.data[entry->object];
        if (record->promise != i + 1 || record->state != GRZ_OBJECT_ALIVE)
            continue; /* withdrawn, or removed */
        bool has_geometry = grz_has_geometry(&scene->shapes.data[entry->object]);
        /* shortcut: kept-promises */
        if (entry->fresh || !has_geometry || !is_kept(scene, entry, (double)(scene->frame - entry->base_frame)))
        {
            entry->fresh = false;
            entry->base = scene->world_states.data[entry->object].world;
            entry->base_frame = scene->frame;
            record->epoch++;
        }
        scene->promises.data[kept] = *entry;
        record->promise = (uint32_t)++kept;
    }
    scene->promises.count = kept;
    grz_environment_leave_default(&environment);
}

bool grz_contact_sleeps(const graze_scene *scene, const grz_contact *contact)
{
    /* shortcut: sleeping-pairs */
    return contact->asleep_until >= scene->frame && contact->epochs[0] == scene->objects.data[contact->a].epoch &&
           contact->epochs[1] == scene->objects.data[contact->b].epoch;
}

/* How far the two may have come towards one another n updates from now. */
static double approach(const grz_promise_entry *const entries[2], uint64_t frame, double n)
{
    static const double standing[3] = {0, 0, 0};
    const double *v = entries[0] != NULL ? entries[0]->promise.velocity : standing;
    const double *w = entries[1] != NULL ? entries[1]->promise.velocity : standing;
    double square = 0, sum = 0;
    for (int k = 0; k < 3; k++)
        square += (v[k] - w[k]) * (v[k] - w[k]);
    for (int side = 0; side < 2; side++)
        if (entries[side] != NULL)
        {
            double age = (double)(frame - entries[side]->base_frame);
            sum += allowance(&entries[side]->promise, age) + allowance(&entries[side]->promise, age + n);
        }
    return (sqrt(square) * n * UPWARD + sum) * UPWARD;
}

/* How many updates the pair may sleep. */
static uint64_t longest_sleep(const graze_scene *scene, const grz_contact *contact, double distance)
{
    const uint32_t objects[2] = {contact->a, contact->b};
    const grz_promise_entry *entries[2] = {NULL, NULL};
    uint64_t least = 0, most = LONGEST_SLEEP;
    for (int side = 0; side < 2; side++)
        if (scene->objects.data[objects[side]].promise != 0)
            entries[side] = &scene->promises.data[scene->objects.data[objects[side]].promise - 1];
    while (least < most)
    {
        uint64_t middle = (least + most + 1) / 2;
        if (approach(entries, scene->frame, (double)middle) < distance)
            least = middle;
        else
            most = middle - 1;
    }
    return least;
}

graze_status grz_contact_try_sleep(const graze_scene *scene, grz_contact *contact, const graze_budget *budget)
{
    graze_placed a, b;
    graze_shape_distance distance;
    const grz_object_record *records = scene->objects.data;
    if (records[contact->a].promise + records[contact->b].promise == 0 || scene->frame < contact->next_nap)
        return GRAZE_STATUS_OK;
    if (!grz_scene_as_shape(scene, contact->a, &a) || !grz_scene_as_shape(scene, contact->b, &b))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_shape_distance_options options = graze_shape_distance_options_default();
    options.relative_error = 0.5;
    options.budget = *budget;
    graze_status status = graze_shape_pair_distance(&scene->context, &a, &b, &options, &distance);
    if (status != GRAZE_STATUS_OK)
        return status == GRAZE_STATUS_UNFINISHED ? GRAZE_STATUS_OK : status; /* it stays awake */
    grz_environment environment;
    grz_environment_enter_default(&environment);
    uint64_t length = longest_sleep(scene, contact, distance.lower);
    grz_environment_leave_default(&environment);
    contact->asleep_until = scene->frame + length;
    contact->epochs[0] = records[contact->a].epoch;
    contact->epochs[1] = records[contact->b].epoch;
    contact->naps_in_vain = length > 1 ? 0 : (uint8_t)(contact->naps_in_vain + (contact->naps_in_vain < MOST_WAIT));
    contact->next_nap = scene->frame + (UINT64_C(1) << contact->naps_in_vain);
    return GRAZE_STATUS_OK;
}
