/* SPDX-License-Identifier: MIT */
/* The octree: choosing the root cube, inserting, moving and removing objects; see octree.h. */
#include <math.h>

#include "base/sort.h"
#include "broad/axis_sweep.h"
#include "broad/octree.h"

enum
{
    SAMPLE = 512, /* boxes that the root cube is chosen from */
    FAR = 1 << 30,
    MOST_ON_AXIS = 2 /* octants of an object: at most eight */
};

static double power_of_two(int exponent)
{
    return ldexp(1, exponent < -900 ? -900 : (exponent > 900 ? 900 : exponent));
}

/* floor(x), clamped to +-FAR. */
static inline int32_t floor_of(double x)
{
    if (!(x > -FAR))
        return -FAR;
    if (x >= FAR)
        return FAR;
    int32_t whole = (int32_t)x;
    return whole - ((double)whole > x);
}

/* Lower ends along an axis (axis 3: half sizes) of a sample, every `step`-th present box; sorted. Returns their number.
 */
static size_t sorted_sample(const grz_aabb_view *view, int axis, double *out)
{
    uint64_t words[2 * SAMPLE];
    size_t count = 0, seen = 0, step = view->count / SAMPLE + 1;
    float numbers[SAMPLE];
    for (uint32_t id = 0; id < view->limit && count < SAMPLE; id++)
    {
        if (!view->present[id] || seen++ % step != 0)
            continue;
        const grz_fat_aabb *box = &view->fat[id];
        float x = axis < 3 ? box->lower[axis] : 0;
        for (int k = 0; k < 3 && axis == 3; k++)
            x = fmaxf(x, 0.5f * box->upper[k] - 0.5f * box->lower[k]);
        numbers[count] = x;
        words[count] = (uint64_t)grz_sortable_bits(x) << 32 | count;
        count++;
    }
    grz_sort_words(words, words + count, count);
    for (size_t i = 0; i < count; i++)
        out[i] = (double)numbers[(uint32_t)words[i]];
    return count;
}

/*
 * Voxels of about the size of the median box, and a cube around most boxes: the few far away are clamped to the border,
 * so that a single one does not make the tree useless for all others.
 */
static void choose_root_cube(grz_octree_index *tree, const grz_aabb_view *view)
{
    double numbers[SAMPLE], lower[3], size = 0, extent = 0, width = 0;
    for (int axis = 0; axis < 4; axis++)
    {
        size_t count = sorted_sample(view, axis, numbers);
        if (count == 0)
            numbers[count++] = 0;
        if (axis == 3)
        {
            size = 2 * numbers[count / 2];
            break;
        }
        double first = numbers[count / 20], last = numbers[count - 1 - count / 20], more = 0.15 * (last - first);
        lower[axis] = first - more;
        width = fmax(width, last - first + 2 * more);
        extent = fmax(extent, fmax(fabs(lower[axis]), fabs(last + more)));
    }
    width += size;
    int exponent, shift = 0;
    frexp(fmax(fmax(size, width * 0x1p-10), fmax(extent * 0x1p-28, 0x1p-160)), &exponent);
    tree->per_unit = power_of_two(-exponent);
    while (shift < GRZ_OCTREE_DEPTH && (double)(1 << shift) < width * tree->per_unit + 1)
        shift++;
    tree->depth = shift;
    for (int axis = 0; axis < 3; axis++)
        tree->origin[axis] = floor_of(lower[axis] * tree->per_unit);
}

bool grz_octree_reserve(const graze_context *context, grz_octree_index *tree, uint32_t limit)
{
    if (!GRZ_RESERVE(context, &tree->objects, limit))
        return false;
    while (tree->objects.count < limit)
        tree->objects.data[tree->objects.count++] = (grz_octree_object){.level = GRZ_OCTREE_NO_LEVEL};
    return true;
}

bool grz_octree_reset(const graze_context *context, grz_octree_index *tree, const grz_aabb_view *view)
{
    tree->objects.count = 0;
    if (!GRZ_RESERVE(context, &tree->octants, 1) || !grz_octree_reserve(context, tree, view->limit))
        return false;
    choose_root_cube(tree, view);
    tree->octants.count = 1;
    tree->octants.data[0] = (grz_octant){.level = (uint8_t)tree->depth};
    tree->free = 0;
    grz_list_pool_release(context, &tree->links);
    tree->outside = 0;
    tree->built_count = view->count;
    return true;
}

grz_voxel_range grz_octree_voxels(const grz_octree_index *tree, const grz_fat_aabb *box, bool *out_outside)
{
    grz_voxel_range voxels;
    /* shortcut: voxels */
    int64_t last = (INT64_C(1) << tree->depth) - 1;
    *out_outside = false;
    for (int axis = 0; axis < 3; axis++)
    {
        int64_t lower = (int64_t)floor_of((double)box->lower[axis] * tree->per_unit) - tree->origin[axis];
        int64_t upper = (int64_t)floor_of((double)box->upper[axis] * tree->per_unit) - tree->origin[axis];
        *out_outside = *out_outside || lower < 0 || upper > last;
        voxels.lower[axis] = (int32_t)(lower < 0 ? 0 : (lower > last ? last : lower));
        voxels.upper[axis] = (int32_t)(upper < 0 ? 0 : (upper > last ? last : upper));
    }
    return voxels;
}

/* The lowest level at which a voxel range touches at most two octants on each axis. */
static uint8_t level_for(const grz_voxel_range *voxels)
{
    uint8_t level = 0;
    for (int axis = 0; axis < 3; axis++)
        while ((voxels->upper[axis] >> level) - (voxels->lower[axis] >> level) >= MOST_ON_AXIS)
            level++;
    return level;
}

/* Adds a child octant. 0 when out of memory. */
static uint32_t add_octant(const graze_context *context, grz_octree_index *tree, uint32_t parent, unsigned slot)
{
    uint32_t octant = tree->free;
    if (octant != 0)
        tree->free = tree->octants.data[octant - 1].parent;
    else if (tree->octants.count < UINT32_MAX - 1 && GRZ_PUSH(context, &tree->octants, (grz_octant){.parent = 0}))
        octant = (uint32_t)tree->octants.count;
    else
        return 0;
    grz_octant *above = &tree->octants.data[parent - 1], *o = &tree->octants.data[octant - 1];
    *o = (grz_octant){.parent = parent, .level = (uint8_t)(above->level - 1), .slot = (uint8_t)slot};
    for (int axis = 0; axis < 3; axis++)
        o->lower[axis] = above->lower[axis] + ((int32_t)(slot >> axis & 1) << o->level);
    above->children[slot] = octant;
    return octant;
}

/* Frees an octant and its ancestors while they are empty. */
static void free_empty_octants(grz_octree_index *tree, uint32_t octant)
{
    while (octant != 1 && tree->octants.data[octant - 1].below == 0)
    {
        grz_octant *o = &tree->octants.data[octant - 1];
        uint32_t parent = o->parent;
        tree->octants.data[parent - 1].children[o->slot] = 0;
        o->parent = tree->free;
        tree->free = octant;
        octant = parent;
    }
}

/* Inserts an object into the octant of a level that contains a voxel, descending by the bits of its coordinates. False
   when out of memory. */
static bool insert_into_octant(const graze_context *context, grz_octree_index *tree, uint32_t id,
                               const int32_t voxel[3], uint8_t level)
{
    uint32_t octant = 1;
    while (tree->octants.data[octant - 1].level > level)
    {
        int bit = tree->octants.data[octant - 1].level - 1;
        unsigned slot = ((unsigned)voxel[0] >> bit & 1) | ((unsigned)voxel[1] >> bit & 1) << 1 |
                        ((unsigned)voxel[2] >> bit & 1) << 2;
        uint32_t child = tree->octants.data[octant - 1].children[slot];
        if (child == 0)
            child = add_octant(context, tree, octant, slot);
        if (child == 0)
            return false;
        octant = child;
    }
    grz_octree_object *object = &tree->objects.data[id];
    grz_octant *o = &tree->octants.data[octant - 1];
    grz_list_entry to_object = {id, object->octants.count}, to_octant = {octant, o->objects.count};
    if (!grz_list_add(context, &tree->links, &object->octants, to_octant) ||
        !grz_list_add(context, &tree->links, &o->objects, to_object))
        return false;
    for (; octant != 0; octant = tree->octants.data[octant - 1].parent)
        tree->octants.data[octant - 1].below++;
    return true;
}

/* Removes an object from the octant at a position of its octant array. */
static void remove_from_octant(grz_octree_index *tree, uint32_t id, uint32_t index)
{
    grz_octree_object *object = &tree->objects.data[id];
    grz_list_entry gone = grz_list_entries(&tree->links, &object->octants)[index];
    grz_octant *o = &tree->octants.data[gone.other - 1];
    grz_list_remove(&tree->links, &o->objects, gone.candidate);
    if (gone.candidate < o->objects.count)
    {
        grz_list_entry moved = grz_list_entries(&tree->links, &o->objects)[gone.candidate];
        grz_list_entries(&tree->links, &tree->objects.data[moved.other].octants)[moved.candidate].candidate =
            gone.candidate;
    }
    grz_list_remove(&tree->links, &object->octants, index);
    if (index < object->octants.count)
    {
        grz_list_entry moved = grz_list_entries(&tree->links, &object->octants)[index];
        grz_list_entries(&tree->links, &tree->octants.data[moved.other - 1].objects)[moved.candidate].candidate = index;
    }
    for (uint32_t octant = gone.other; octant != 0; octant = tree->octants.data[octant - 1].parent)
        tree->octants.data[octant - 1].below--;
    free_empty_octants(tree, gone.other);
}

void grz_octree_remove(grz_octree_index *tree, uint32_t id)
{
    grz_octree_object *object = &tree->objects.data[id];
    if (object->level == GRZ_OCTREE_NO_LEVEL)
        return;
    while (object->octants.count > 0)
        remove_from_octant(tree, id, object->octants.count - 1);
    tree->outside -= object->outside;
    *object = (grz_octree_object){.level = GRZ_OCTREE_NO_LEVEL};
}

/* The octants of a level that a voxel range touches. */
static grz_voxel_range to_octants(const grz_voxel_range *voxels, uint8_t level)
{
    grz_voxel_range octants;
    for (int axis = 0; axis < 3; axis++)
    {
        octants.lower[axis] = voxels->lower[axis] >> level;
        octants.upper[axis] = voxels->upper[axis] >> level;
    }
    return octants;
}

static bool contains(const grz_voxel_range *octants, const int32_t at[3])
{
    bool in = true;
    for (int axis = 0; axis < 3; axis++)
        in = in && octants->lower[axis] <= at[axis] && at[axis] <= octants->upper[axis];
    return in;
}

/* Box difference: removes the object from octants that only the old voxels touch, inserts it into those that only the
   new ones do. */
static bool move_object(const graze_context *context, grz_octree_index *tree, uint32_t id,
                        const grz_voxel_range *voxels, uint8_t level, bool is_new)
{
    grz_octree_object *object = &tree->objects.data[id];
    grz_voxel_range before = to_octants(&object->voxels, level), after = to_octants(voxels, level);
    for (uint32_t index = object->octants.count; index-- > 0;)
    {
        uint32_t octant = grz_list_entries(&tree->links, &object->octants)[index].other;
        int32_t at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = tree->octants.data[octant - 1].lower[axis] >> level;
        if (!contains(&after, at))
            remove_from_octant(tree, id, index);
    }
    int32_t at[3];
    for (at[0] = after.lower[0]; at[0] <= after.upper[0]; at[0]++)
        for (at[1] = after.lower[1]; at[1] <= after.upper[1]; at[1]++)
            for (at[2] = after.lower[2]; at[2] <= after.upper[2]; at[2]++)
            {
                int32_t voxel[3] = {at[0] << level, at[1] << level, at[2] << level};
                if ((is_new || !contains(&before, at)) && !insert_into_octant(context, tree, id, voxel, level))
                    return false;
            }
    return true;
}

bool grz_octree_move(const graze_context *context, grz_octree_index *tree, uint32_t id, const grz_fat_aabb *box)
{
    bool outside;
    grz_voxel_range voxels = grz_octree_voxels(tree, box, &outside);
    uint8_t level = level_for(&voxels);
    grz_octree_object *object = &tree->objects.data[id];
    if (object->level != level)
        grz_octree_remove(tree, id);
    if (!move_object(context, tree, id, &voxels, level, object->level == GRZ_OCTREE_NO_LEVEL))
        return false;
    tree->outside += (size_t)outside - (size_t)object->outside;
    object->voxels = voxels;
    object->level = level;
    object->outside = outside;
    return true;
}

void grz_octree_release(const graze_context *context, grz_octree_index *tree)
{
    grz_release(context, tree->octants.data);
    grz_release(context, tree->objects.data);
    grz_list_pool_release(context, &tree->links);
    *tree = (grz_octree_index){0};
}

size_t grz_octree_memory(const grz_octree_index *tree)
{
    return tree->octants.capacity * sizeof *tree->octants.data + tree->objects.capacity * sizeof *tree->objects.data +
           tree->links.pool.capacity * sizeof *tree->links.pool.data;
}

/* Whether the entries of an object and of its octants refer to each other. */
static bool object_is_valid(const grz_octree_index *tree, uint32_t id, const grz_fat_aabb *box)
{
    const grz_octree_object *object = &tree->objects.data[id];
    bool outside;
    grz_voxel_range voxels = grz_octree_voxels(tree, box, &outside), octants = to_octants(&voxels, object->level);
    double expected = 1;
    for (int axis = 0; axis < 3; axis++)
        expected *= octants.upper[axis] - octants.lower[axis] + 1;
    if (object->level != level_for(&voxels) || expected != (double)object->octants.count)
        return false;
    for (uint32_t i = 0; i < object->octants.count; i++)
    {
        grz_list_entry link = grz_list_entries(&tree->links, &object->octants)[i];
        const grz_octant *o = grz_octree_octant(tree, link.other);
        int32_t at[3] = {o->lower[0] >> o->level, o->lower[1] >> o->level, o->lower[2] >> o->level};
        if (o->level != object->level || !contains(&octants, at) || link.candidate >= o->objects.count)
            return false;
        grz_list_entry back = grz_list_entries(&tree->links, &o->objects)[link.candidate];
        if (back.other != id || back.candidate != i)
            return false;
    }
    return true;
}

bool grz_octree_validate(const grz_octree_index *tree, const grz_aabb_view *view)
{
    size_t outside = 0, entries = 0;
    for (uint32_t id = 0; id < tree->objects.count; id++)
    {
        bool present = id < view->limit && view->present[id];
        if (present != (tree->objects.data[id].level != GRZ_OCTREE_NO_LEVEL) ||
            (present && !object_is_valid(tree, id, &view->fat[id])))
            return false;
        outside += tree->objects.data[id].outside;
        entries += tree->objects.data[id].octants.count;
    }
    return outside == tree->outside && (tree->octants.count == 0 || tree->octants.data[0].below == entries);
}
