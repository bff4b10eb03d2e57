/* SPDX-License-Identifier: MIT */
/* The methods of broad phases by name, and which one serves how many boxes best. */
#include <string.h>

#include "scene/broad.h"

static const grz_broad_method *const methods[GRAZE_BROAD_METHOD_COUNT] = {
    [GRAZE_BROAD_BRUTE] = &grz_brute_force,
    [GRAZE_BROAD_AXIS] = &grz_axis_sort,
    [GRAZE_BROAD_SWEEP] = &grz_sweep_and_prune,
    [GRAZE_BROAD_GRID] = &grz_grid,
    [GRAZE_BROAD_ORIENTED_GRID] = &grz_oriented_grid,
    [GRAZE_BROAD_OCTREE] = &grz_octree,
    [GRAZE_BROAD_TREE] = &grz_box_tree,
};

static const char *const names[GRAZE_BROAD_METHOD_COUNT] = {
    [GRAZE_BROAD_AUTO] = "auto",     [GRAZE_BROAD_BRUTE] = "brute", [GRAZE_BROAD_AXIS] = "axis",
    [GRAZE_BROAD_SWEEP] = "sweep",   [GRAZE_BROAD_GRID] = "grid",   [GRAZE_BROAD_ORIENTED_GRID] = "oriented-grid",
    [GRAZE_BROAD_OCTREE] = "octree", [GRAZE_BROAD_TREE] = "tree",
};

const grz_broad_method *grz_broad_method_of(graze_broad_method method)
{
    return methods[method] != NULL ? methods[method] : &grz_brute_force;
}

const char *graze_broad_method_name(graze_broad_method method)
{
    return method >= GRAZE_BROAD_AUTO && method < GRAZE_BROAD_METHOD_COUNT ? names[method] : NULL;
}

bool graze_broad_method_from_name(const char *name, graze_broad_method *out_method)
{
    if (name == NULL || out_method == NULL)
        return false;
    for (int method = GRAZE_BROAD_AUTO; method < GRAZE_BROAD_METHOD_COUNT; method++)
    {
        if (strcmp(graze_broad_method_name((graze_broad_method)method), name) == 0)
        {
            *out_method = (graze_broad_method)method;
            return true;
        }
    }
    return false;
}

/* With some distance between the two, so that a number that goes up and down does not cause a change each time. */
enum
{
    FEW = 64,
    NOT_SO_FEW = 96
};

graze_broad_method grz_broad_choose(graze_broad_method wanted, graze_broad_method now, size_t count)
{
    if (wanted != GRAZE_BROAD_AUTO)
        return wanted;
    if (count <= FEW || (count <= NOT_SO_FEW && now == GRAZE_BROAD_BRUTE))
        return GRAZE_BROAD_BRUTE;
    return GRAZE_BROAD_TREE;
}
