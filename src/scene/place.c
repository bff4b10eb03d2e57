/* SPDX-License-Identifier: MIT */
/*
 * Poses and boxes in the world, level by level of the hierarchy, as far down as something moved (Zachmann, 6.0.1).
 * Objects of one level depend on those above only, so that each level may be shared among threads.
 */
#include <float.h>
#include <math.h>
#include <stdatomic.h>

#include "base/tasks.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "scene/broad.h"
#include "scene/scene.h"

enum
{
    CHUNK = 256 /* objects a task */
};

/*
 * The box of a placed box: each end is a sum of three products and the translation, with a relative error of 4 u of the
 * sizes; 8 u cover the sizes' own rounding as well. And the box of the placed ball, which is what is left of
 * things that turn: along an axis it reaches as far as its radius times the length of the matrix's row. The smaller one
 * counts at each end. What overflows is moved to the end of the range, which keeps overlaps.
 */
graze_box grz_placed_box(const graze_mesh *mesh, const graze_pose *pose)
{
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = pose->m + 4 * axis;
        double lower = row[3], upper = row[3], size = fabs(row[3]), centre = row[3], square = 0;
        for (int k = 0; k < 3; k++)
        {
            double first = row[k] * mesh->lower[k], second = row[k] * mesh->upper[k];
            lower += first < second ? first : second;
            upper += first < second ? second : first;
            size += fmax(fabs(first), fabs(second));
            centre += row[k] * mesh->centre[k];
            square += row[k] * row[k];
        }
        double error = 8 * GRZ_U * size + 16 * GRZ_SMALLEST_NORMAL;
        double reach = mesh->radius * (sqrt(square) * (1 + 16 * GRZ_U) + 0x1p-500) * (1 + 8 * GRZ_U);
        lower = fmax(lower, centre - reach - 2 * GRZ_U * fabs(centre)) - 2 * error;
        upper = fmin(upper, centre + reach + 2 * GRZ_U * fabs(centre)) + 2 * error;
        box.lower[axis] = lower > -DBL_MAX ? fmin(lower, DBL_MAX) : -DBL_MAX; /* NaN, from two infinities, as well */
        box.upper[axis] = upper < DBL_MAX ? fmax(upper, -DBL_MAX) : DBL_MAX;
    }
    return box;
}

/*
 * A ball in the world. The longest a matrix makes a vector is at most the root of the largest row sum of |R R^T|, which
 * is 1 for a rotation; its entries err by 4 u of the sums of sizes, which are at most the sum of all squares. The
 * centre errs by 8 u of the sizes along each axis, which the radius takes up.
 */
static grz_ball placed_ball(const graze_mesh *mesh, const graze_pose *pose)
{
    const double *m = pose->m;
    double largest = 0, all = 0, off = 0;
    grz_ball ball;
    for (int i = 0; i < 3; i++)
    {
        double sum = 0, size = fabs(m[4 * i + 3]);
        ball.centre[i] = m[4 * i + 3];
        for (int k = 0; k < 3; k++)
        {
            double product = m[4 * i] * m[4 * k] + m[4 * i + 1] * m[4 * k + 1] + m[4 * i + 2] * m[4 * k + 2];
            sum += fabs(product);
            all += m[4 * i + k] * m[4 * i + k];
            ball.centre[i] += m[4 * i + k] * mesh->centre[k];
            size += fabs(m[4 * i + k] * mesh->centre[k]);
        }
        largest = fmax(largest, sum);
        off += size;
    }
    double stretch = sqrt(largest + 16 * GRZ_U * all) * (1 + 4 * GRZ_U) + 0x1p-500;
    ball.radius = (mesh->radius * stretch + 8 * GRZ_U * off) * (1 + 8 * GRZ_U) + 0x1p-500;
    return ball;
}

bool grz_balls_apart(const grz_ball *a, const grz_ball *b)
{
    double x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1], z = a->centre[2] - b->centre[2];
    double reach = (a->radius + b->radius) * (1 + 16 * GRZ_U); /* also for the rounding of the other side */
    return x * x + y * y + z * z > reach * reach + 0x1p-900;
}

typedef struct level_work
{
    graze_scene *scene;
    atomic_bool overflow;
} level_work;

static void place_one(level_work *work, uint32_t index)
{
    const graze_scene *scene = work->scene;
    const grz_object_record *record = &scene->objects.data[index];
    grz_placement *placement = &scene->placements.data[record->placement];
    *placement = (grz_placement){.world = record->pose};
    if (record->parent != GRZ_NO_OBJECT)
    {
        const grz_object_record *parent = &scene->objects.data[record->parent];
        const graze_pose *outer = parent->reached ? &scene->placements.data[parent->placement].world : &parent->world;
        if (graze_pose_compose(outer, &record->pose, &placement->world, NULL) != GRAZE_STATUS_OK)
            atomic_store(&work->overflow, true);
    }
    if (record->mesh != NULL && record->mesh->triangle_count > 0)
    {
        placement->box = grz_placed_box(record->mesh, &placement->world);
        placement->ball = placed_ball(record->mesh, &placement->world);
    }
}

static void place_chunk(void *argument, size_t chunk)
{
    level_work *work = argument;
    size_t end = (chunk + 1) * CHUNK < work->scene->level.count ? (chunk + 1) * CHUNK : work->scene->level.count;
    for (size_t i = chunk * CHUNK; i < end; i++)
        place_one(work, work->scene->level.data[i]);
}

static bool add_to_level(graze_scene *scene, uint32_t index)
{
    grz_object_record *record = &scene->objects.data[index];
    if (record->reached || record->state != GRZ_OBJECT_ALIVE)
        return true;
    size_t place = scene->placed.count;
    if (!GRZ_RESERVE(&scene->context, &scene->placements, place + 1) ||
        !GRZ_PUSH(&scene->context, &scene->level, index) || !GRZ_PUSH(&scene->context, &scene->placed, index))
        return false;
    record->placement = (uint32_t)place;
    record->reached = true;
    return true;
}

/* The level after `level`: children of its objects. */
static bool go_down(graze_scene *scene)
{
    scene->next_level.count = 0;
    for (size_t i = 0; i < scene->level.count; i++)
        for (uint32_t child = scene->objects.data[scene->level.data[i]].first_child; child != GRZ_NO_OBJECT;
             child = scene->objects.data[child].next_sibling)
            if (!GRZ_PUSH(&scene->context, &scene->next_level, child))
                return false;
    scene->level.count = 0;
    for (size_t i = 0; i < scene->next_level.count; i++)
        if (!add_to_level(scene, scene->next_level.data[i]))
            return false;
    return true;
}

/* The noted objects by level, in scene->keyed. */
static bool sort_by_level(graze_scene *scene)
{
    size_t count = scene->noted.count;
    if (!GRZ_RESERVE(&scene->context, &scene->keyed, 2 * count))
        return false;
    for (size_t i = 0; i < count; i++)
    {
        uint32_t index = scene->noted.data[i];
        scene->keyed.data[i] = (grz_keyed){scene->objects.data[index].level, index};
    }
    grz_sort_keyed(scene->keyed.data, scene->keyed.data + count, count);
    return true;
}

static graze_status place_levels(graze_scene *scene)
{
    level_work work = {.scene = scene};
    atomic_init(&work.overflow, false);
    scene->level.count = scene->placed.count = 0;
    if (!sort_by_level(scene))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    uint64_t level = 0;
    for (size_t next = 0; next < scene->noted.count || scene->level.count > 0; level++)
    {
        if (scene->level.count == 0)
            level = scene->keyed.data[next].key;
        for (; next < scene->noted.count && scene->keyed.data[next].key == level; next++)
            if (!add_to_level(scene, (uint32_t)scene->keyed.data[next].value))
                return GRAZE_STATUS_OUT_OF_MEMORY;
        grz_tasks_run(&scene->context, (scene->level.count + CHUNK - 1) / CHUNK, place_chunk, &work);
        if (atomic_load(&work.overflow))
            return GRAZE_STATUS_NOT_FINITE;
        if (!go_down(scene))
            return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    return GRAZE_STATUS_OK;
}

/* Says what became of an object's box. */
static graze_status tell_broad(graze_scene *scene, uint32_t index, const graze_box *box)
{
    grz_object_record *record = &scene->objects.data[index];
    bool wants = record->state == GRZ_OBJECT_ALIVE && record->mesh != NULL && record->mesh->triangle_count > 0;
    graze_status status = GRAZE_STATUS_OK;
    if (wants && !record->boxed)
        status = graze_broad_insert(scene->broad, index, box);
    else if (wants)
        status = graze_broad_move(scene->broad, index, box);
    else if (record->boxed)
        status = graze_broad_remove(scene->broad, index);
    if (status != GRAZE_STATUS_OK)
        return status;
    record->boxed = wants;
    if (wants)
        grz_broad_touch(scene->broad, index); /* the mesh may have turned within the same box */
    return GRAZE_STATUS_OK;
}

/* What the record was placed with, its own share of a tree included. */
static void adopt(graze_scene *scene, grz_object_record *record, const grz_placement *placement)
{
    record->world = placement->world;
    record->box = placement->box;
    record->ball = placement->ball;
    if (record->shared_tree != 0)
        scene->trees.data[record->shared_tree - 1].users++;
    if (record->placed_shared_tree != 0)
        grz_scene_release_tree(scene, record->placed_shared_tree - 1);
    record->placed_shared_tree = record->shared_tree;
    record->placed_mesh = record->mesh;
    record->placed_tree = record->tree;
    record->placed = true;
}

graze_status grz_scene_place(graze_scene *scene)
{
    graze_status status = place_levels(scene);
    for (size_t i = 0; i < scene->placed.count; i++)
        scene->objects.data[scene->placed.data[i]].reached = false;
    for (size_t i = 0; i < scene->dying.count && status == GRAZE_STATUS_OK; i++)
        status = tell_broad(scene, scene->dying.data[i], NULL);
    for (size_t i = 0; i < scene->placed.count && status == GRAZE_STATUS_OK; i++)
        status = tell_broad(scene, scene->placed.data[i], &scene->placements.data[i].box);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (size_t i = 0; i < scene->placed.count; i++)
        adopt(scene, &scene->objects.data[scene->placed.data[i]], &scene->placements.data[i]);
    for (size_t i = 0; i < scene->noted.count; i++)
        scene->objects.data[scene->noted.data[i]].noted = false;
    scene->noted.count = 0;
    return GRAZE_STATUS_OK;
}
