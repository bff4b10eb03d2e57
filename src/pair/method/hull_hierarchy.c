/* SPDX-License-Identifier: MIT */
/*
 * Nested hulls (D. Dobkin, D. Kirkpatrick, A linear algorithm for determining the separation of convex polyhedra, 1985;
 * 001 2): from the hull of all vertices, a set of vertices with few neighbours, no two of them adjacent, is left out
 * again and again, until few are left. Along any direction the highest vertex of a hull is that of the next smaller one
 * or a vertex left out next to it, so a support takes a step a level: logarithmic time, with no last frame to start
 * from. The separating vector (Q-COLLIDE's reflections) is driven by these supports; certificates decide.
 */
#include "convex/hull.h"
#include "pair/method/convex_state.h"
#include "pair/method/table.h"

enum
{
    MOST_LEVELS = 64,
    FEWEST = 6,      /* vertices of the smallest hull that is made smaller still */
    MOST_DEGREE = 8, /* of a vertex that is left out */
    MOST_STEPS = 50
};

/* One level: its vertices, and for each of them the neighbours that this level has and the next smaller lacks. */
typedef struct hull_level
{
    size_t count;
    uint32_t *vertices; /* numbers of the full hull's */
    uint32_t *starts;   /* per vertex of the next smaller level: its part of `added`; NULL: the smallest level */
    uint32_t *added;    /* numbers within this level */
    uint32_t *kept;     /* per vertex of the next smaller level: its number within this level */
} hull_level;

typedef struct hierarchy_state
{
    grz_method_convex convex; /* first: this is the state that convex_state.h knows */
    size_t level_count;
    hull_level levels[MOST_LEVELS]; /* the full hull first */
} hierarchy_state;

/* Chooses what is left out: no two neighbours, each of few neighbours. */
static size_t choose(const grz_hull *hull, uint8_t *left_out)
{
    size_t chosen = 0;
    for (size_t v = 0; v < hull->vertex_count; v++)
    {
        const uint32_t *n = hull->neighbours + hull->neighbour_starts[v],
                       *end = hull->neighbours + hull->neighbour_starts[v + 1];
        bool free = end - n <= MOST_DEGREE && hull->vertex_count - chosen > 4;
        for (; free && n < end; n++)
            free = left_out[*n] == 0;
        left_out[v] = free;
        chosen += free;
    }
    return chosen;
}

/* Fills what leads from the smaller level to this one. */
static bool link_levels(const graze_context *context, const grz_hull *hull, const uint8_t *left_out, hull_level *level,
                        size_t smaller)
{
    level->starts = grz_allocate(context, smaller + 1, sizeof *level->starts);
    level->kept = grz_allocate(context, smaller, sizeof *level->kept);
    level->added = grz_allocate(context, hull->half_edge_count, sizeof *level->added);
    if (level->starts == NULL || level->kept == NULL || level->added == NULL)
        return false;
    uint32_t count = 0, number = 0;
    for (uint32_t v = 0; v < hull->vertex_count; v++)
    {
        if (left_out[v] != 0)
            continue;
        level->starts[number] = count;
        level->kept[number++] = v;
        for (uint32_t i = hull->neighbour_starts[v]; i < hull->neighbour_starts[v + 1]; i++)
            if (left_out[hull->neighbours[i]] != 0)
                level->added[count++] = hull->neighbours[i];
    }
    level->starts[number] = count;
    return true;
}

/* Makes the next smaller hull, or none where nothing can be left out. */
static graze_status shrink(hierarchy_state *state, const graze_context *context, const grz_hull *hull,
                           grz_monitor *monitor, grz_hull **out_smaller)
{
    hull_level *level = &state->levels[state->level_count - 1];
    uint8_t *left_out = grz_allocate_zeroed(context, hull->vertex_count, 1);
    size_t left = left_out != NULL ? hull->vertex_count - choose(hull, left_out) : 0;
    double(*points)[3] = left > 0 ? grz_allocate(context, left, sizeof *points) : NULL;
    graze_status status = points != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
    *out_smaller = NULL;
    if (status == GRAZE_STATUS_OK && left < hull->vertex_count)
    {
        size_t count = 0;
        for (size_t v = 0; v < hull->vertex_count; v++)
            if (left_out[v] == 0)
                memcpy(points[count++], hull->vertices[v], sizeof points[0]);
        status = grz_hull_create(context, points[0], left, monitor, out_smaller);
    }
    bool smaller = status == GRAZE_STATUS_OK && *out_smaller != NULL;
    if (smaller && (*out_smaller)->dimension == 3 && !link_levels(context, hull, left_out, level, left))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (smaller && (status != GRAZE_STATUS_OK || (*out_smaller)->dimension < 3))
    {
        grz_hull_destroy(*out_smaller);
        *out_smaller = NULL;
    }
    grz_release(context, points);
    grz_release(context, left_out);
    return status;
}

/* Adds a level for a hull; `names` are the numbers of its vertices in the full hull. */
static bool add_level(hierarchy_state *state, const graze_context *context, const grz_hull *hull)
{
    hull_level *level = &state->levels[state->level_count++];
    const hull_level *larger = state->level_count > 1 ? level - 1 : NULL;
    level->count = hull->vertex_count;
    level->vertices = grz_allocate(context, level->count, sizeof *level->vertices);
    if (level->vertices == NULL)
        return false;
    for (uint32_t v = 0; v < level->count; v++)
        level->vertices[v] = larger != NULL ? larger->vertices[larger->kept[hull->sources[v]]] : v;
    return true;
}

static graze_status prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    hierarchy_state *state = opaque;
    graze_status status = grz_method_convex_prepare(&state->convex, context, mesh, parameters, monitor);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_hull *hull = NULL;
    const grz_hull *last = state->convex.hull;
    if (!add_level(state, context, last))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    while (last->vertex_count > FEWEST && state->level_count < MOST_LEVELS)
    {
        grz_hull *smaller = NULL;
        status = shrink(state, context, last, monitor, &smaller);
        grz_hull_destroy(hull);
        hull = smaller;
        last = smaller;
        if (status != GRAZE_STATUS_OK || smaller == NULL)
            break;
        if (!add_level(state, context, smaller))
        {
            status = GRAZE_STATUS_OUT_OF_MEMORY;
            break;
        }
    }
    grz_hull_destroy(hull);
    return status;
}

static void release(void *opaque, const graze_context *context)
{
    hierarchy_state *state = opaque;
    for (size_t i = 0; i < state->level_count; i++)
    {
        grz_release(context, state->levels[i].vertices);
        grz_release(context, state->levels[i].starts);
        grz_release(context, state->levels[i].added);
        grz_release(context, state->levels[i].kept);
    }
    state->level_count = 0;
    grz_method_convex_release(&state->convex, context);
}

static size_t memory(const void *opaque)
{
    const hierarchy_state *state = opaque;
    size_t numbers = 0;
    for (size_t i = 0; i < state->level_count; i++)
    {
        size_t smaller = i + 1 < state->level_count ? state->levels[i + 1].count : 0;
        numbers += state->levels[i].count + (smaller > 0 ? 2 * smaller + 1 + state->levels[i].starts[smaller] : 0);
    }
    return grz_method_convex_memory(&state->convex) + numbers * sizeof(uint32_t);
}

/* The highest vertex along q, in the body's own coordinates. */
static uint32_t support(grz_method_query *query, const hierarchy_state *state, v3 q)
{
    const double(*points)[3] = state->convex.body.vertices;
    const hull_level *level = &state->levels[state->level_count - 1];
    uint32_t best = 0;
    double highest = -INFINITY;
    for (uint32_t v = 0; v < level->count; v++)
    {
        double height = grz_convex_height(q, points[level->vertices[v]]);
        best = height > highest ? v : best;
        highest = height > highest ? height : highest;
    }
    query->counters.vertices += level->count;
    while (level > state->levels)
    {
        level--;
        const uint32_t *n = level->added + level->starts[best], *end = level->added + level->starts[best + 1];
        query->counters.vertices += (uint64_t)(end - n);
        best = level->kept[best];
        for (; n < end; n++)
        {
            double height = grz_convex_height(q, points[level->vertices[*n]]);
            best = height > highest ? *n : best;
            highest = height > highest ? height : highest;
        }
    }
    return level->vertices[best];
}

static void run(grz_method_query *query)
{
    grz_convex_search search;
    if (!grz_convex_search_start(query, &search))
        return;
    v3 s = grz_convex_search_between(&search);
    for (int step = 0; step < MOST_STEPS; step++)
    {
        uint32_t vertices[2];
        double normal[3];
        grz_convex_both q = grz_convex_unrotate(&search.gjk.operands, s);
        for (int side = 0; side < 2; side++)
            vertices[side] = support(query, (const hierarchy_state *)search.states[side], grz_convex_of(q, side));
        query->counters.iterations++;
        query->counters.supports += 2;
        v3 r =
            v3_sub(grz_convex_search_point(&search, 1, vertices[1]), grz_convex_search_point(&search, 0, vertices[0]));
        v3_store(s, normal);
        if (v3_dot(s, r) > 0 && grz_convex_search_separates(query, &search, normal))
            return;
        double length = v3_length(r);
        if (!(length > 0) || !grz_monitor_box_tests(&query->monitor, 1))
            break;
        s = grz_convex_reflect(s, v3_scale(1 / length, r));
    }
    if (grz_monitor_may_continue(&query->monitor))
        grz_convex_search_decide(query, &search);
}

const grz_method grz_dobkin_kirkpatrick_method = {
    .info = {.name = "dobkin-kirkpatrick",
             .summary = "Supports through nested hulls, each with a fraction of the vertices of the last.",
             .source = "001 2",
             .mesh_class = GRAZE_METHOD_CLASS_CONVEX,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_EXACT},
    .state_size = sizeof(hierarchy_state),
    .prepare = prepare,
    .release = release,
    .memory = memory,
    .run = run,
};
