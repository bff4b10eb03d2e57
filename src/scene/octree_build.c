/* SPDX-License-Identifier: MIT */
/* The octree itself: choosing its cube, entering, moving and removing objects; see octree.h. */
#include <math.h>

#include "base/sort.h"
#include "scene/octree.h"
#include "scene/sweep.h"

enum
{
    SAMPLE = 512, /* boxes that the cube is chosen from */
    FAR = 1 << 30,
    MOST_ON_AXIS = 2 /* octants of an object, so at most eight */
};

static double power_of_two(int exponent)
{
    return ldexp(1, exponent < -900 ? -900 : (exponent > 900 ? 900 : exponent));
}

/* Rounded down, and not beyond what integers are for. */
static inline int32_t floor_of(double x)
{
    if (!(x > -FAR))
        return -FAR;
    if (x >= FAR)
        return FAR;
    int32_t whole = (int32_t)x;
    return whole - ((double)whole > x);
}

/* The numbers of a sample, one of `step` of the boxes that are there; sorted. Returns how many. */
static size_t sorted_sample(const grz_boxes_view *view, int axis, double *out)
{
    uint64_t words[2 * SAMPLE];
    size_t count = 0, seen = 0, step = view->count / SAMPLE + 1;
    float numbers[SAMPLE];
    for (uint32_t id = 0; id < view->limit && count < SAMPLE; id++)
    {
        if (!view->present[id] || seen++ % step != 0)
            continue;
        const grz_fat_box *box = &view->fat[id];
        float x = axis < 3 ? box->lower[axis] : 0;
        for (int k = 0; k < 3 && axis == 3; k++)
            x = fmaxf(x, 0.5f * box->upper[k] - 0.5f * box->lower[k]);
        numbers[count] = x;
        words[count] = (uint64_t)grz_ordered_bits(x) << 32 | count;
        count++;
    }
    grz_sort_words(words, words + count, count);
    for (size_t i = 0; i < count; i++)
        out[i] = (double)numbers[(uint32_t)words[i]];
    return count;
}

/*
 * Voxels of about the size of the median box, and a cube around most boxes: the few that lie far off are taken to the
 * border, so that one of them does not make the tree useless for all others.
 */
static void choose_cube(grz_octants *tree, const grz_boxes_view *view)
{
    double numbers[SAMPLE], lower[3], size = 0, reach = 0, width = 0;
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
        reach = fmax(reach, fmax(fabs(lower[axis]), fabs(last + more)));
    }
    width += size;
    int exponent, shift = 0;
    frexp(fmax(fmax(size, width * 0x1p-10), fmax(reach * 0x1p-28, 0x1p-160)), &exponent);
    tree->per_unit = power_of_two(-exponent);
    while (shift < GRZ_OCTREE_DEPTH && (double)(1 << shift) < width * tree->per_unit + 1)
        shift++;
    tree->depth = shift;
    for (int axis = 0; axis < 3; axis++)
        tree->origin[axis] = floor_of(lower[axis] * tree->per_unit);
}

bool grz_octree_start(const graze_context *context, grz_octants *tree, const grz_boxes_view *view)
{
    if (!GRZ_RESERVE(context, &tree->octants, 1) || !GRZ_RESERVE(context, &tree->objects, view->limit))
        return false;
    choose_cube(tree, view);
    tree->octants.count = 1;
    tree->octants.data[0] = (grz_octant){.level = (uint8_t)tree->depth};
    tree->free = 0;
    tree->objects.count = 0;
    while (tree->objects.count < view->limit)
        tree->objects.data[tree->objects.count++] = (grz_object){.level = GRZ_NO_LEVEL};
    grz_links_release(context, &tree->links);
    tree->outside = 0;
    tree->built_count = view->count;
    return true;
}

grz_voxels grz_octree_voxels(const grz_octants *tree, const grz_fat_box *box, bool *out_outside)
{
    grz_voxels voxels;
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

/* The lowest level at which no more than two octants lie side by side in these voxels. */
static uint8_t level_for(const grz_voxels *voxels)
{
    uint8_t level = 0;
    for (int axis = 0; axis < 3; axis++)
        while ((voxels->upper[axis] >> level) - (voxels->lower[axis] >> level) >= MOST_ON_AXIS)
            level++;
    return level;
}

/* A new octant below another. 0 when out of memory. */
static uint32_t add_octant(const graze_context *context, grz_octants *tree, uint32_t parent, unsigned slot)
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

/* Frees octants that have nothing in them, from one of them up. */
static void prune(grz_octants *tree, uint32_t octant)
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

/* Enters an object into the octant of a level that holds a voxel: the bits of its coordinates lead there. */
static bool enter(const graze_context *context, grz_octants *tree, uint32_t id, const int32_t voxel[3], uint8_t level)
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
    grz_object *object = &tree->objects.data[id];
    grz_octant *o = &tree->octants.data[octant - 1];
    grz_link to_object = {id, object->octants.count}, to_octant = {octant, o->objects.count};
    if (!grz_links_add(context, &tree->links, &object->octants, to_octant) ||
        !grz_links_add(context, &tree->links, &o->objects, to_object))
        return false;
    for (; octant != 0; octant = tree->octants.data[octant - 1].parent)
        tree->octants.data[octant - 1].below++;
    return true;
}

/* Takes an object out of the octant at a place of its array. */
static void leave(grz_octants *tree, uint32_t id, uint32_t place)
{
    grz_object *object = &tree->objects.data[id];
    grz_link gone = grz_links_of(&tree->links, &object->octants)[place];
    grz_octant *o = &tree->octants.data[gone.other - 1];
    grz_links_remove(&tree->links, &o->objects, gone.candidate);
    if (gone.candidate < o->objects.count)
    {
        grz_link moved = grz_links_of(&tree->links, &o->objects)[gone.candidate];
        grz_links_of(&tree->links, &tree->objects.data[moved.other].octants)[moved.candidate].candidate =
            gone.candidate;
    }
    grz_links_remove(&tree->links, &object->octants, place);
    if (place < object->octants.count)
    {
        grz_link moved = grz_links_of(&tree->links, &object->octants)[place];
        grz_links_of(&tree->links, &tree->octants.data[moved.other - 1].objects)[moved.candidate].candidate = place;
    }
    for (uint32_t octant = gone.other; octant != 0; octant = tree->octants.data[octant - 1].parent)
        tree->octants.data[octant - 1].below--;
    prune(tree, gone.other);
}

void grz_octree_remove(grz_octants *tree, uint32_t id)
{
    grz_object *object = &tree->objects.data[id];
    if (object->level == GRZ_NO_LEVEL)
        return;
    while (object->octants.count > 0)
        leave(tree, id, object->octants.count - 1);
    tree->outside -= object->outside;
    *object = (grz_object){.level = GRZ_NO_LEVEL};
}

/* Octants of a level from which, or to which, some voxels reach. */
static grz_voxels octants_of(const grz_voxels *voxels, uint8_t level)
{
    grz_voxels octants;
    for (int axis = 0; axis < 3; axis++)
    {
        octants.lower[axis] = voxels->lower[axis] >> level;
        octants.upper[axis] = voxels->upper[axis] >> level;
    }
    return octants;
}

static bool holds(const grz_voxels *octants, const int32_t at[3])
{
    bool in = true;
    for (int axis = 0; axis < 3; axis++)
        in = in && octants->lower[axis] <= at[axis] && at[axis] <= octants->upper[axis];
    return in;
}

/* Box differences: leaves octants that only the old voxels touch, enters those that only the new ones do. */
static bool move(const graze_context *context, grz_octants *tree, uint32_t id, const grz_voxels *voxels, uint8_t level,
                 bool is_new)
{
    grz_object *object = &tree->objects.data[id];
    grz_voxels before = octants_of(&object->voxels, level), after = octants_of(voxels, level);
    for (uint32_t place = object->octants.count; place-- > 0;)
    {
        uint32_t octant = grz_links_of(&tree->links, &object->octants)[place].other;
        int32_t at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = tree->octants.data[octant - 1].lower[axis] >> level;
        if (!holds(&after, at))
            leave(tree, id, place);
    }
    int32_t at[3];
    for (at[0] = after.lower[0]; at[0] <= after.upper[0]; at[0]++)
        for (at[1] = after.lower[1]; at[1] <= after.upper[1]; at[1]++)
            for (at[2] = after.lower[2]; at[2] <= after.upper[2]; at[2]++)
            {
                int32_t voxel[3] = {at[0] << level, at[1] << level, at[2] << level};
                if ((is_new || !holds(&before, at)) && !enter(context, tree, id, voxel, level))
                    return false;
            }
    return true;
}

bool grz_octree_settle(const graze_context *context, grz_octants *tree, uint32_t id, const grz_fat_box *box)
{
    bool outside;
    grz_voxels voxels = grz_octree_voxels(tree, box, &outside);
    uint8_t level = level_for(&voxels);
    grz_object *object = &tree->objects.data[id];
    if (object->level != level)
        grz_octree_remove(tree, id);
    if (!move(context, tree, id, &voxels, level, object->level == GRZ_NO_LEVEL))
        return false;
    tree->outside += (size_t)outside - (size_t)object->outside;
    object->voxels = voxels;
    object->level = level;
    object->outside = outside;
    return true;
}

void grz_octree_release(const graze_context *context, grz_octants *tree)
{
    grz_release(context, tree->octants.data);
    grz_release(context, tree->objects.data);
    grz_links_release(context, &tree->links);
    *tree = (grz_octants){0};
}

size_t grz_octree_memory(const grz_octants *tree)
{
    return tree->octants.capacity * sizeof *tree->octants.data + tree->objects.capacity * sizeof *tree->objects.data +
           tree->links.pool.capacity * sizeof *tree->links.pool.data;
}

/* Whether the entries of an object and those of its octants name each other. */
static bool object_is_right(const grz_octants *tree, uint32_t id, const grz_fat_box *box)
{
    const grz_object *object = &tree->objects.data[id];
    bool outside;
    grz_voxels voxels = grz_octree_voxels(tree, box, &outside), octants = octants_of(&voxels, object->level);
    double expected = 1;
    for (int axis = 0; axis < 3; axis++)
        expected *= octants.upper[axis] - octants.lower[axis] + 1;
    if (object->level != level_for(&voxels) || expected != (double)object->octants.count)
        return false;
    for (uint32_t i = 0; i < object->octants.count; i++)
    {
        grz_link link = grz_links_of(&tree->links, &object->octants)[i];
        const grz_octant *o = grz_octree_at(tree, link.other);
        int32_t at[3] = {o->lower[0] >> o->level, o->lower[1] >> o->level, o->lower[2] >> o->level};
        if (o->level != object->level || !holds(&octants, at) || link.candidate >= o->objects.count)
            return false;
        grz_link back = grz_links_of(&tree->links, &o->objects)[link.candidate];
        if (back.other != id || back.candidate != i)
            return false;
    }
    return true;
}

bool grz_octree_validate(const grz_octants *tree, const grz_boxes_view *view)
{
    size_t outside = 0, entries = 0;
    for (uint32_t id = 0; id < tree->objects.count; id++)
    {
        bool present = id < view->limit && view->present[id];
        if (present != (tree->objects.data[id].level != GRZ_NO_LEVEL) ||
            (present && !object_is_right(tree, id, &view->fat[id])))
            return false;
        outside += tree->objects.data[id].outside;
        entries += tree->objects.data[id].octants.count;
    }
    return outside == tree->outside && (tree->octants.count == 0 || tree->octants.data[0].below == entries);
}
