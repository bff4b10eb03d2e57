/* SPDX-License-Identifier: MIT */
/* The octree of Zachmann 1994; see fixed_octree.h. */
#include "literature/fixed_octree.h"

#include <stdlib.h>

#include "literature/octants.h"

static voxel_box voxels_of(const fixed_octree *tree, const octant *o)
{
    uint32_t shift = tree->depth - 1 - o->level;
    voxel_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = o->place[axis] << shift;
        box.upper[axis] = ((o->place[axis] + 1) << shift) - 1;
    }
    return box;
}

/* Whether a box holds an octant. Voxels are half-open, and so a box that ends in the octant's last voxel does not reach
   its upper side: it must go beyond (000 7.3.4). */
static bool covers(const voxel_box *outer, const voxel_box *inner)
{
    for (int axis = 0; axis < 3; axis++)
        if (inner->lower[axis] < outer->lower[axis] || inner->upper[axis] >= outer->upper[axis])
            return false;
    return true;
}

/* What a traversal does at an octant that the box covers, or the lowest one it meets. */
typedef enum octree_action
{
    OCTREE_ADD,
    OCTREE_REMOVE,
    OCTREE_FIND
} octree_action;

typedef struct octree_traversal
{
    fixed_octree *tree;
    uint32_t object, found;
    octree_action action;
    const voxel_box *box; /* that is traversed */
    const voxel_box *old; /* the object's box before a move: what it held already; or NULL */
} octree_traversal;

static void scan(octree_traversal *t, const counted_array *array)
{
    fixed_octree *tree = t->tree;
    for (uint32_t i = 0; i < array->count; i++)
    {
        uint32_t other = array->items[i];
        if (other <= t->object || tree->stamps[other] == tree->stamp)
            continue;
        tree->stamps[other] = tree->stamp;
        t->found++;
    }
}

static void add(octree_traversal *t, size_t number)
{
    fixed_octree *tree = t->tree;
    counted_work own = {.hysteresis = tree->work.hysteresis}; /* octant arrays are not among the counted ones */
    counted_push(&tree->octants[number], t->object, &tree->work);
    if (tree->way != OCTREE_NAIVE)
        counted_push(&tree->objects[t->object], (uint32_t)number, &own);
    tree->work.failed = tree->work.failed || own.failed;
}

static void traverse(octree_traversal *t, octant o)
{
    fixed_octree *tree = t->tree;
    voxel_box voxels = voxels_of(tree, &o);
    tree->work.visited++;
    if (!voxel_boxes_meet(&voxels, t->box))
        return;
    size_t number = number_of(&o);
    bool is_lowest = o.level + 1 == tree->depth;
    bool holds = is_lowest || covers(t->box, &voxels);
    if (t->action == OCTREE_FIND)
        scan(t, &tree->octants[number]);
    else if (holds && t->action == OCTREE_ADD)
        add(t, number);
    else if (holds)
        counted_remove(&tree->octants[number], t->object, &tree->work);
    if (is_lowest || (holds && t->action != OCTREE_FIND))
        return;
    for (int child = 0; child < 8; child++)
        traverse(t, octant_child(&o, child));
}

static void go(fixed_octree *tree, uint32_t object, octree_action action, const voxel_box *box)
{
    octree_traversal t = {.tree = tree, .object = object, .action = action, .box = box};
    traverse(&t, (octant){.level = 0});
}

bool octree_create(fixed_octree *tree, uint32_t depth, octree_way way, uint32_t objects, uint32_t hysteresis)
{
    *tree = (fixed_octree){.depth = depth, .way = way, .object_count = objects, .work = {.hysteresis = hysteresis}};
    tree->octants = calloc(level_start(depth), sizeof *tree->octants);
    tree->objects = calloc(objects, sizeof *tree->objects);
    tree->boxes = calloc(objects, sizeof *tree->boxes);
    tree->stamps = calloc(objects, sizeof *tree->stamps);
    return tree->octants != NULL && tree->objects != NULL && tree->boxes != NULL && tree->stamps != NULL;
}

void octree_destroy(fixed_octree *tree)
{
    for (size_t i = 0; tree->octants != NULL && i < level_start(tree->depth); i++)
        free(tree->octants[i].items);
    for (size_t i = 0; tree->objects != NULL && i < tree->object_count; i++)
        free(tree->objects[i].items);
    free(tree->octants);
    free(tree->objects);
    free(tree->boxes);
    free(tree->stamps);
    *tree = (fixed_octree){0};
}

void octree_insert(fixed_octree *tree, uint32_t object, const voxel_box *box)
{
    tree->boxes[object] = *box;
    go(tree, object, OCTREE_ADD, box);
}

/* Whether an object in this box has a reference in the octant: the box covers it and not its parent, or it is one of
   the lowest, and the box does not cover its parent. */
static bool belongs(const fixed_octree *tree, const voxel_box *box, size_t number)
{
    octant o = octant_of(number, tree->depth);
    voxel_box voxels = voxels_of(tree, &o);
    bool holds = o.level + 1 == tree->depth ? voxel_boxes_meet(box, &voxels) : covers(box, &voxels);
    if (!holds || o.level == 0)
        return holds;
    octant parent = octant_parent(&o);
    voxels = voxels_of(tree, &parent);
    return !covers(box, &voxels);
}

/* Adds the object where it belongs and is not known yet, in octants that meet a part of its box. */
static void enter(fixed_octree *tree, uint32_t object, const voxel_box *box, const voxel_box *part, octant o)
{
    voxel_box voxels = voxels_of(tree, &o);
    tree->work.visited++;
    if (!voxel_boxes_meet(&voxels, part))
        return;
    size_t number = number_of(&o);
    if (belongs(tree, box, number))
    {
        const counted_array *array = &tree->octants[number];
        bool known = false;
        for (uint32_t i = 0; i < array->count && !known; i++)
            known = array->items[i] == object;
        octree_traversal t = {.tree = tree, .object = object};
        if (!known)
            add(&t, number);
        return;
    }
    if (o.level + 1 == tree->depth)
        return;
    for (int child = 0; child < 8; child++)
        enter(tree, object, box, part, octant_child(&o, child));
}

/* Removes the object from the octants of its array that it no longer belongs to. Where a box no longer covers an octant
   that it meets, the octants below take the object over. */
static void leave(fixed_octree *tree, uint32_t object, const voxel_box *box)
{
    counted_array *own = &tree->objects[object];
    for (uint32_t i = own->count; i-- > 0;)
    {
        uint32_t number = own->items[i];
        tree->work.visited++;
        if (box != NULL && belongs(tree, box, number))
            continue;
        counted_remove(&tree->octants[number], object, &tree->work);
        own->items[i] = own->items[--own->count];
        octant o = octant_of(number, tree->depth);
        voxel_box voxels = voxels_of(tree, &o);
        if (box != NULL && o.level + 1 < tree->depth && !covers(box, &voxels))
            enter(tree, object, box, &voxels, o);
    }
}

void octree_move(fixed_octree *tree, uint32_t object, const voxel_box *box)
{
    voxel_box old = tree->boxes[object], parts[6];
    if (tree->way == OCTREE_NAIVE)
        go(tree, object, OCTREE_REMOVE, &old);
    if (tree->way == OCTREE_OCTANT_ARRAYS)
        leave(tree, object, NULL);
    if (tree->way != OCTREE_DIFFERENCE)
        octree_insert(tree, object, box);
    tree->boxes[object] = *box;
    if (tree->way != OCTREE_DIFFERENCE || voxel_boxes_equal(&old, box))
        return;
    leave(tree, object, box);
    int count = voxel_difference(box, &old, parts);
    for (int i = 0; i < count; i++)
    {
        for (int axis = 0; axis < 3; axis++) /* an octant below a new voxel may be covered now */
            parts[i].lower[axis]--;
        enter(tree, object, box, &parts[i], (octant){.level = 0});
    }
}

uint32_t octree_count_neighbours(fixed_octree *tree, uint32_t object)
{
    octree_traversal t = {.tree = tree, .object = object, .action = OCTREE_FIND, .box = &tree->boxes[object]};
    tree->stamp++;
    if (tree->way == OCTREE_NAIVE)
        traverse(&t, (octant){.level = 0});
    for (uint32_t i = 0; tree->way != OCTREE_NAIVE && i < tree->objects[object].count; i++)
    {
        octant o = octant_of(tree->objects[object].items[i], tree->depth);
        for (octant up = o; up.level > 0;) /* larger boxes are held further up */
        {
            up = octant_parent(&up);
            tree->work.visited++;
            scan(&t, &tree->octants[number_of(&up)]);
        }
        traverse(&t, o);
    }
    return t.found;
}

double octree_references(const fixed_octree *tree, uint32_t level)
{
    double sum = 0;
    for (size_t i = level_start(level); i < level_start(level + 1); i++)
        sum += tree->octants[i].count;
    return sum;
}

double octree_bytes(const fixed_octree *tree)
{
    return 44 * (double)level_start(tree->depth) + tree->work.bytes;
}
