/* SPDX-License-Identifier: MIT */
/*
 * Triangulation of polygons with holes, which need not be planar, simple or non-degenerate.
 *
 * The polygon is projected along the coordinate axis closest to its Newell normal (Zachmann's thesis, section 3.2):
 * dropping one coordinate does not change the other two, so every orientation is exact. The normal is rounded, but it
 * only selects the axis; if the projection has no area, the next axis is tried. If all three fail, the polygon is a
 * segment or a point, and any triangles are correct.
 *
 * A fan from the first corner is used wherever it is correct; all other polygons become a ring: holes are bridged, ears
 * clipped.
 */
#include "mesh/triangulate.h"

#include <math.h>
#include <stdlib.h>

#include "mesh/ring.h"

/* The normal of the best-fit plane of a loop (Newell), of arbitrary length and rounded; zero if the loop has no
   area. */
static void loop_normal(const double *vertices, const uint32_t *corners, size_t count, double out_normal[3])
{
    /* Differences from the first corner, scaled to about 1, can neither overflow nor underflow. */
    const double *origin = vertices + 3 * (size_t)corners[0];
    double extent = 0, half = 1;
    for (int attempt = 0; attempt < 2; attempt++)
    {
        for (size_t c = 1; c < count; c++)
            for (int i = 0; i < 3; i++)
                extent = fmax(extent, fabs(half * vertices[3 * (size_t)corners[c] + (size_t)i] - half * origin[i]));
        if (isfinite(extent))
            break;
        half = 0.5;
        extent = 0;
    }
    int exponent;
    frexp(extent, &exponent);
    double scale = ldexp(1, exponent < -1021 ? 1021 : -exponent);

    double normal[3] = {0, 0, 0}, before[3] = {0, 0, 0};
    for (size_t c = 1; c < count; c++)
    {
        double here[3];
        for (int i = 0; i < 3; i++)
            here[i] = (half * vertices[3 * (size_t)corners[c] + (size_t)i] - half * origin[i]) * scale;
        for (int i = 0; i < 3; i++)
        {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            normal[i] += before[j] * here[k] - before[k] * here[j];
        }
        for (int i = 0; i < 3; i++)
            before[i] = here[i];
    }
    for (int i = 0; i < 3; i++)
        out_normal[i] = normal[i];
}

/* The axes from the one closest to the normal to the farthest. */
static void sort_axes(const double normal[3], int axes[3])
{
    for (int i = 0; i < 3; i++)
    {
        int index = i;
        for (; index > 0 && fabs(normal[axes[index - 1]]) < fabs(normal[i]); index--)
            axes[index] = axes[index - 1];
        axes[index] = i;
    }
}

static void view(const grz_polygon *polygon, uint32_t corner, int axis, double out_point[2])
{
    const double *vertex = polygon->vertices + 3 * (size_t)corner;
    out_point[0] = vertex[(axis + 1) % 3];
    out_point[1] = vertex[(axis + 2) % 3];
}

/*
 * Whether the fan from the first corner is correct: all its triangles turn the same way, and all corners lie strictly
 * on one side of the first edge, so that the angle at the first corner only grows and stays below a half turn.
 */
static bool is_fan(const grz_polygon *polygon, size_t count, int axis, grz_monitor *monitor)
{
    double first[2], second[2], before[2], here[2];
    view(polygon, polygon->corners[0], axis, first);
    view(polygon, polygon->corners[1], axis, second);
    view(polygon, polygon->corners[2], axis, before);
    int turn = graze_point_orient2d(first, second, before);
    for (size_t c = 3; c < count && grz_monitor_exact_tests(monitor, 2); c++)
    {
        view(polygon, polygon->corners[c], axis, here);
        if (turn == 0 || graze_point_orient2d(first, before, here) != turn ||
            graze_point_orient2d(first, second, here) != turn)
            return false;
        before[0] = here[0];
        before[1] = here[1];
    }
    return turn != 0;
}

static void write_fan(const uint32_t *corners, size_t count, uint32_t *out_triangles)
{
    for (size_t c = 2; c < count; c++)
    {
        uint32_t *triangle = out_triangles + 3 * (c - 2);
        triangle[0] = corners[0];
        triangle[1] = corners[c - 1];
        triangle[2] = corners[c];
    }
}

/* A hole as a chain of its own, not yet bridged. */
typedef struct hole
{
    double point[2]; /* of the last node, to sort by */
    uint32_t last;
    size_t count;
} hole;

static int compare_holes(const void *a, const void *b)
{
    const hole *p = a, *q = b;
    for (int i = 0; i < 2; i++)
        if (p->point[i] != q->point[i])
            return p->point[i] < q->point[i] ? 1 : -1;
    return p->last < q->last ? -1 : 1;
}

static bool create_ring(grz_ring *ring, grz_arena *arena, size_t capacity)
{
    ring->points = grz_arena_allocate(arena, capacity, 2 * sizeof *ring->points);
    ring->vertices = grz_arena_allocate(arena, capacity, sizeof *ring->vertices);
    ring->next = grz_arena_allocate(arena, capacity, sizeof *ring->next);
    ring->previous = grz_arena_allocate(arena, capacity, sizeof *ring->previous);
    return ring->points != NULL && ring->vertices != NULL && ring->next != NULL && ring->previous != NULL;
}

/* Makes every loop a chain; the nodes are numbered as the corners. */
static void load_ring(grz_ring *ring, const grz_polygon *polygon, int axis)
{
    ring->node_count = 0;
    ring->triangle_count = 0;
    ring->irregular = false;
    for (size_t l = 0; l < polygon->loop_count; l++)
    {
        uint32_t first = polygon->loop_starts[l] - polygon->loop_starts[0];
        uint32_t end = polygon->loop_starts[l + 1] - polygon->loop_starts[0];
        for (uint32_t c = first; c < end; c++)
        {
            double point[2];
            view(polygon, polygon->corners[c], axis, point);
            grz_ring_add(ring, polygon->corners[c], point);
            ring->previous[c] = c == first ? end - 1 : c - 1;
            ring->next[c] = c == end - 1 ? first : c + 1;
        }
    }
}

/* The direction of a clean chain; irregular unless its turning number is 1 or -1. */
static int chain_direction(grz_ring *ring, uint32_t start)
{
    int turns = grz_ring_turning_number(ring, start);
    if (turns != 1 && turns != -1)
        ring->irregular = true;
    return turns != 0 ? turns : grz_ring_turn(ring, grz_ring_last_node(ring, start));
}

static void swap_coordinates(grz_ring *ring)
{
    for (size_t n = 0; n < ring->node_count; n++)
    {
        double x = ring->points[2 * n];
        ring->points[2 * n] = ring->points[2 * n + 1];
        ring->points[2 * n + 1] = x;
    }
}

static void prepare_hole(grz_ring *ring, hole *out_hole, uint32_t first, uint32_t end)
{
    out_hole->count = end - first;
    uint32_t start = grz_ring_clean(ring, first, &out_hole->count);
    if (out_hole->count > 2 && chain_direction(ring, start) > 0)
        grz_ring_reverse(ring, start);
    out_hole->last = grz_ring_last_node(ring, start);
    out_hole->point[0] = grz_ring_point(ring, out_hole->last)[0];
    out_hole->point[1] = grz_ring_point(ring, out_hole->last)[1];
}

/* Makes one counter-clockwise chain of all loops. *out_count below 3 means that nothing remains to clip; *out_start
   GRZ_NO_NODE, that the projection has no area. */
static void merge_loops(grz_ring *ring, const grz_polygon *polygon, hole *holes, uint32_t *out_start, size_t *out_count)
{
    const uint32_t *starts = polygon->loop_starts;
    size_t count = starts[1] - starts[0];
    uint32_t outer = grz_ring_clean(ring, 0, &count);
    *out_count = count;
    *out_start = GRZ_NO_NODE;
    if (count < 3)
        return;
    if (chain_direction(ring, outer) < 0)
        swap_coordinates(ring);
    size_t hole_count = polygon->loop_count - 1;
    for (size_t h = 0; h < hole_count; h++)
        prepare_hole(ring, &holes[h], starts[h + 1] - starts[0], starts[h + 2] - starts[0]);
    if (hole_count > 1)
        qsort(holes, hole_count, sizeof *holes, compare_holes);
    for (size_t h = 0; h < hole_count && grz_ring_may_continue(ring); h++)
    {
        bool unclean = grz_ring_bridge(ring, outer, holes[h].last);
        count += holes[h].count + 2;
        if (unclean)
            outer = grz_ring_clean(ring, outer, &count);
    }
    *out_start = outer;
    *out_count = count;
}

/* A polygon without area in any projection: arbitrary bridges, and a fan. */
static void cut_anyhow(grz_ring *ring, const grz_polygon *polygon)
{
    load_ring(ring, polygon, 0);
    for (size_t l = 1; l < polygon->loop_count; l++)
        grz_ring_join(ring, 0, polygon->loop_starts[l] - polygon->loop_starts[0]);
    for (uint32_t count = ring->node_count; count > 2; count--)
        grz_ring_clip(ring, ring->next[0]);
    ring->irregular = true;
}

static graze_status cut_ring(grz_arena *arena, const grz_polygon *polygon, const int axes[3], grz_monitor *monitor,
                             uint32_t *out_triangles, bool *out_irregular)
{
    grz_arena_reset(arena);
    grz_ring ring = {.triangles = out_triangles, .monitor = monitor};
    size_t corner_count = polygon->loop_starts[polygon->loop_count] - polygon->loop_starts[0];
    hole *holes = grz_arena_allocate(arena, polygon->loop_count, sizeof *holes);
    if (holes == NULL || !create_ring(&ring, arena, corner_count + 2 * (polygon->loop_count - 1)))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    uint32_t start = GRZ_NO_NODE;
    size_t count = 0;
    for (int i = 0; i < 3 && start == GRZ_NO_NODE && grz_monitor_may_continue(monitor); i++)
    {
        load_ring(&ring, polygon, axes[i]);
        merge_loops(&ring, polygon, holes, &start, &count);
    }
    if (!grz_monitor_may_continue(monitor))
        return grz_monitor_status(monitor);
    if (start == GRZ_NO_NODE)
        cut_anyhow(&ring, polygon);
    else if (count > 2)
    {
        bool crossing = false;
        if (!grz_ring_find_self_intersection(&ring, arena, start, count, &crossing) ||
            !grz_ring_clip_ears(&ring, arena, start, count))
            return grz_monitor_or_memory(monitor);
        ring.irregular = ring.irregular || crossing;
    }
    *out_irregular = ring.irregular;
    return GRAZE_STATUS_OK;
}

graze_status grz_triangulate(grz_arena *arena, const grz_polygon *polygon, grz_monitor *monitor,
                             uint32_t *out_triangles, bool *out_irregular)
{
    size_t count = polygon->loop_starts[1] - polygon->loop_starts[0];
    *out_irregular = false;
    int axes[3];
    double normal[3];
    if (!grz_monitor_elements(monitor, polygon->loop_starts[polygon->loop_count] - polygon->loop_starts[0]))
        return grz_monitor_status(monitor);
    loop_normal(polygon->vertices, polygon->corners, count, normal);
    sort_axes(normal, axes);
    /* shortcut: fans */
    if (polygon->loop_count == 1 && (count == 3 || is_fan(polygon, count, axes[0], monitor)))
    {
        write_fan(polygon->corners, count, out_triangles);
        return grz_monitor_status(monitor);
    }
    return cut_ring(arena, polygon, axes, monitor, out_triangles, out_irregular);
}
