/* SPDX-License-Identifier: MIT */
/*
 * Many short lists in one piece of memory: for every box its links to others. A list lies in a block of 4, 8, 16...
 * places; blocks that a list has outgrown, or left empty, serve others of their size.
 */
#ifndef GRZ_SCENE_LINKS_H
#define GRZ_SCENE_LINKS_H

#include "base/array.h"

typedef struct grz_link
{
    uint32_t other;     /* the box at the other end */
    uint32_t candidate; /* what the two are to each other */
} grz_link;

typedef struct grz_link_list
{
    uint32_t first; /* place of its block, in units of GRZ_LEAST_LINKS */
    uint32_t count;
    uint32_t size_class; /* its block has GRZ_LEAST_LINKS << (size_class - 1) places; 0: it has none */
} grz_link_list;

enum
{
    GRZ_LEAST_LINKS = 4,
    GRZ_LINK_CLASSES = 32
};

typedef struct grz_links
{
    GRZ_ARRAY(grz_link) pool;
    uint32_t free[GRZ_LINK_CLASSES]; /* first free block of each size + 1; the next is named where its first link was */
} grz_links;

static inline grz_link *grz_links_of(const grz_links *links, const grz_link_list *list)
{
    if (links->pool.data == NULL) /* to which not even zero may be added */
        return NULL;
    return links->pool.data + (size_t)list->first * GRZ_LEAST_LINKS;
}

/* Adds a link at the end. False when out of memory, with the list as it was. */
bool grz_links_add(const graze_context *context, grz_links *links, grz_link_list *list, grz_link link);

/* Takes the link at a place away; the last one takes its place. An empty list gives its block back. */
void grz_links_remove(grz_links *links, grz_link_list *list, uint32_t place);

/* Places that a list of so many links takes. */
size_t grz_links_room(uint32_t count);

/* Forgets all blocks, and then gives lists, which are empty, blocks for so many links: all lists anew, faster than one
   by one. The pool has room for what grz_links_room says of them all. */
void grz_links_start_anew(grz_links *links);
void grz_links_give(grz_links *links, grz_link_list *list, uint32_t count);

void grz_links_release(const graze_context *context, grz_links *links);

#endif
