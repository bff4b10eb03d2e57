/* SPDX-License-Identifier: MIT */
/*
 * Flood fill over edges between the triangles that the other surface meets; see located_triangles.h. A triangle that
 * the other surface does not meet lies on one side of it, edges included, so it has the location of any of its corners
 * and of all triangles that share an edge with it and are not met either.
 */
#include "pair/depth/located_triangles.h"

#include <string.h>

enum
{
    MOST_SETS = 64,   /* connected sets of triangles that are located */
    SMALL_SHARE = 16, /* of the triangles, one in so many is a small set */
    MOST_LARGE = 8,   /* sets that are not */
    IN_QUEUE = 4,     /* location of a triangle whose set is being gathered */
    IN_LARGE_SET = 5  /* the same, of a set that is not small */
};

/* Gathers the set of triangles connected with `first`; returns their number. */
static size_t gather_set(const graze_body *body, uint32_t first, uint8_t *locations, uint32_t *queue)
{
    size_t count = 1;
    queue[0] = first;
    locations[first] = IN_QUEUE;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++)
        {
            uint32_t twin = body->adjacency.twins[3 * (size_t)queue[i] + k];
            if (twin == GRAZE_NO_HALF_EDGE || locations[twin / 3] != GRZ_TRIANGLE_UNKNOWN)
                continue;
            locations[twin / 3] = IN_QUEUE;
            queue[count++] = twin / 3;
        }
    return count;
}

static uint8_t locate(const grz_body_pair *pair, int owner, uint32_t triangle)
{
    const graze_placed_mesh *placed = pair->sides[owner].placed;
    grz_body_view other = grz_placed_body_view(&pair->sides[1 - owner]);
    graze_location location = grz_locate_point(&other, grz_triangle_corner(placed->mesh, triangle, 0), &placed->pose);
    return location == GRAZE_LOCATION_INSIDE    ? GRZ_TRIANGLE_INSIDE
           : location == GRAZE_LOCATION_OUTSIDE ? GRZ_TRIANGLE_OUTSIDE
                                                : GRZ_TRIANGLE_UNKNOWN;
}

/* The same for a small set: gathers no more than `most`. Gives 0 for others, whose triangles are marked; *out_joins
 * says whether they are those of a large set found before. */
static size_t gather_small_set(const graze_body *body, uint32_t first, size_t most, uint8_t *locations, uint32_t *queue,
                               bool *out_joins)
{
    size_t count = 1;
    bool joins = false;
    queue[0] = first;
    locations[first] = IN_QUEUE;
    for (size_t i = 0; i < count && count <= most && !joins; i++)
        for (size_t k = 0; k < 3 && !joins; k++)
        {
            uint32_t twin = body->adjacency.twins[3 * (size_t)queue[i] + k];
            uint8_t location = twin == GRAZE_NO_HALF_EDGE ? GRZ_TRIANGLE_MET : locations[twin / 3];
            joins = location == IN_LARGE_SET;
            if (location != GRZ_TRIANGLE_UNKNOWN)
                continue;
            locations[twin / 3] = IN_QUEUE;
            queue[count++] = twin / 3;
        }
    *out_joins = joins;
    if (count <= most && !joins)
        return count;
    for (size_t i = 0; i < count; i++)
        locations[queue[i]] = IN_LARGE_SET;
    return 0;
}

typedef struct set_search
{
    const grz_body_pair *pair;
    int owner;
    uint8_t *locations;
    uint32_t *queue;
    size_t small, large; /* sets found; a large one may count several times */
    uint8_t rest;        /* location of the large ones */
    bool failed;
} set_search;

/* Finds the set of a triangle and locates it; of a large one, that it lies where other large ones do. */
static void locate_set_of(set_search *s, uint32_t triangle)
{
    const grz_placed_body *own = &s->pair->sides[s->owner];
    size_t most = own->placed->mesh->triangle_count / SMALL_SHARE;
    bool joins;
    size_t size = gather_small_set(own->body, triangle, most, s->locations, s->queue, &joins);
    if (joins)
        return;
    uint8_t location = locate(s->pair, s->owner, triangle);
    for (size_t i = 0; i < size; i++)
        s->locations[s->queue[i]] = location;
    s->small += size > 0;
    s->large += size == 0;
    if (size == 0 && s->rest == GRZ_TRIANGLE_UNKNOWN)
        s->rest = location;
    bool differs = size == 0 && (location != s->rest || location == GRZ_TRIANGLE_UNKNOWN);
    s->failed =
        differs || s->large > MOST_LARGE || s->small >= MOST_SETS || !grz_monitor_work(s->pair->monitor, size + 1);
}

/* Of a surface in one piece all sets are beside triangles that are met. Where all that are not small have the same
 * location, it is that of all that is left, which need not be gathered. False where not; then nothing is located. */
static bool locate_small_sets(const grz_body_pair *pair, const grz_hits *hits, int owner, uint8_t *locations,
                              uint32_t *queue)
{
    const grz_placed_body *own = &pair->sides[owner];
    const uint32_t *twins = own->body->adjacency.twins;
    set_search s = {.pair = pair, .owner = owner, .locations = locations, .queue = queue};
    size_t count = own->placed->mesh->triangle_count;
    if (own->body->shell_count != 1 || hits->count == 0)
        return false;
    for (size_t i = 0; i < 3 * hits->count && !s.failed; i++)
    {
        uint32_t met = owner == 0 ? hits->data[i / 3].triangle_a : hits->data[i / 3].triangle_b;
        uint32_t twin = twins[3 * (size_t)met + i % 3];
        if (twin != GRAZE_NO_HALF_EDGE && locations[twin / 3] == GRZ_TRIANGLE_UNKNOWN)
            locate_set_of(&s, twin / 3);
    }
    for (size_t t = 0; t < count; t++)
    {
        if (s.failed && locations[t] != GRZ_TRIANGLE_MET)
            locations[t] = GRZ_TRIANGLE_UNKNOWN;
        else if (locations[t] == GRZ_TRIANGLE_UNKNOWN || locations[t] == IN_LARGE_SET)
            locations[t] = s.rest;
    }
    return !s.failed;
}

graze_status grz_locate_triangles(const grz_body_pair *body_pair, const grz_hits *hits, int owner,
                                  uint8_t *out_locations)
{
    const grz_placed_body *own = &body_pair->sides[owner];
    size_t count = own->placed->mesh->triangle_count, set_count = 0;
    uint32_t *queue = grz_allocate(body_pair->context, count, sizeof *queue);
    if (queue == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    memset(out_locations, GRZ_TRIANGLE_UNKNOWN, count);
    for (size_t i = 0; i < hits->count; i++)
        out_locations[owner == 0 ? hits->data[i].triangle_a : hits->data[i].triangle_b] = GRZ_TRIANGLE_MET;
    /* shortcut: largest-set-by-the-rest */
    bool located = locate_small_sets(body_pair, hits, owner, out_locations, queue);
    for (uint32_t t = 0; t < count && set_count < MOST_SETS && !located; t++)
    {
        if (out_locations[t] != GRZ_TRIANGLE_UNKNOWN)
            continue;
        size_t size = gather_set(own->body, t, out_locations, queue);
        /* shortcut: located-by-neighbours */
        uint8_t location = locate(body_pair, owner, t);
        for (size_t i = 0; i < size; i++)
            out_locations[queue[i]] = location;
        set_count++;
        if (!grz_monitor_work(body_pair->monitor, size))
            break;
    }
    grz_release(body_pair->context, queue);
    return grz_monitor_status(body_pair->monitor);
}

grz_located_surfaces grz_locate_surfaces(const grz_body_pair *body_pair, const grz_hits *hits)
{
    grz_located_surfaces located = {.status = GRAZE_STATUS_OK};
    for (int i = 0; i < 2 && located.status == GRAZE_STATUS_OK; i++)
    {
        if (!body_pair->sides[1 - i].body->adjacency.closed)
            continue;
        size_t count = body_pair->sides[i].placed->mesh->triangle_count;
        located.of[i] = grz_allocate(body_pair->context, count, sizeof *located.of[i]);
        located.status = located.of[i] == NULL ? GRAZE_STATUS_OUT_OF_MEMORY
                                               : grz_locate_triangles(body_pair, hits, i, located.of[i]);
    }
    return located;
}

void grz_located_surfaces_release(const graze_context *context, grz_located_surfaces *located)
{
    grz_release(context, located->of[0]);
    grz_release(context, located->of[1]);
}
