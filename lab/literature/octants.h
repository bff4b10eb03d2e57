/* SPDX-License-Identifier: MIT */
/* Octants of octrees of fixed depth, and their numbers level by level, the root first. */
#ifndef LAB_LITERATURE_OCTANTS_H
#define LAB_LITERATURE_OCTANTS_H

#include <stddef.h>
#include <stdint.h>

/* The octant at a place of a level. */
typedef struct octant
{
    uint32_t level;
    int place[3];
} octant;

static inline size_t level_start(uint32_t level)
{
    return (((size_t)1 << 3 * level) - 1) / 7;
}

static inline size_t number_of(const octant *o)
{
    size_t number = 0;
    for (int axis = 2; axis >= 0; axis--)
        number = number << o->level | (size_t)o->place[axis];
    return level_start(o->level) + number;
}

/* The octant of a number, in a tree of so many levels. */
static inline octant octant_of(size_t number, uint32_t depth)
{
    octant o = {.level = depth - 1};
    while (level_start(o.level) > number)
        o.level--;
    number -= level_start(o.level);
    for (int axis = 0; axis < 3; axis++)
        o.place[axis] = (int)(number >> (uint32_t)axis * o.level & (((size_t)1 << o.level) - 1));
    return o;
}

static inline octant octant_child(const octant *o, int child)
{
    octant next = {.level = o->level + 1};
    for (int axis = 0; axis < 3; axis++)
        next.place[axis] = 2 * o->place[axis] + (child >> axis & 1);
    return next;
}

static inline octant octant_parent(const octant *o)
{
    return (octant){.level = o->level - 1, .place = {o->place[0] / 2, o->place[1] / 2, o->place[2] / 2}};
}

#endif
