/* SPDX-License-Identifier: MIT */
/*
 * Hulls of points: the four points to start with, which also tell how many dimensions there are; then faces and edges
 * from the triangles of quickhull.c. Coplanar triangles become one face. Of the vertices of triangles, those inside of
 * a face, and those where only two faces meet, are no vertices of the hull: they lie in a face or on an edge.
 */
#include "convex/hull.h"

#include "base/environment.h"
#include "base/memory.h"
#include "convex/flat_hull.h"
#include "convex/quickhull.h"
#include "exact/predicates.h"

#define NONE UINT32_MAX

enum
{
    MOST_POINTS = 1 << 30
};

/* ---- the first points ---- */

typedef struct start
{
    uint32_t points[4]; /* dimension + 1 of them */
    int dimension;
    int axis; /* of two dimensions: along which the projection has an area */
} start;

static bool are_equal(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* The axis along which three points have a projection with an area; -1 where they are collinear. */
static int find_axis(const double (*points)[3], const uint32_t corners[3])
{
    grz_points set;
    grz_points_start(&set, NULL);
    for (int k = 0; k < 3; k++)
        grz_points_add(&set, points[corners[k]], NULL);
    int first = grz_dominant_axis(&set, 0);
    for (int k = 0; k < 3; k++)
        if (grz_orient2d(&set, 0, 1, 2, (first + k) % 3) != 0)
            return (first + k) % 3;
    return -1;
}

static bool are_coplanar(const double (*points)[3], const uint32_t corners[4])
{
    grz_points set;
    grz_points_start(&set, NULL);
    for (int k = 0; k < 4; k++)
        grz_points_add(&set, points[corners[k]], NULL);
    return grz_orient3d(&set, 0, 1, 2, 3) == 0;
}

/* Whether a point is in no line or plane with the first ones. */
static bool is_independent(const double (*points)[3], start *s, uint32_t point)
{
    s->points[s->dimension + 1] = point;
    if (s->dimension == 0)
        return !are_equal(points[s->points[0]], points[point]);
    if (s->dimension == 1)
        return find_axis(points, s->points) >= 0;
    return !are_coplanar(points, s->points);
}

/* How far a point is from the first ones, roughly: a large tetrahedron leaves few points outside. */
static double distance_from(const double (*points)[3], const start *s, uint32_t point)
{
    v3 origin = v3_load(points[s->points[0]]), p = v3_sub(v3_load(points[point]), origin);
    if (s->dimension == 0)
        return v3_dot(p, p);
    v3 e = v3_sub(v3_load(points[s->points[1]]), origin), n = v3_cross(e, p);
    if (s->dimension == 1)
        return v3_dot(n, n);
    return fabs(v3_dot(n, v3_sub(v3_load(points[s->points[2]]), origin)));
}

/* Finds the first point that is as far as any; where rounding has misled, the first that is independent. */
static bool find_next(const double (*points)[3], size_t count, start *s, grz_monitor *monitor)
{
    uint32_t farthest = 0;
    double most = -1;
    for (uint32_t i = 0; i < count; i++)
    {
        double distance = distance_from(points, s, i);
        farthest = distance > most ? i : farthest;
        most = distance > most ? distance : most;
    }
    if (is_independent(points, s, farthest))
        return true;
    for (uint32_t i = 0; i < count && grz_monitor_work(monitor, GRZ_EXACT_TEST_WORK); i++)
        if (is_independent(points, s, i))
            return true;
    return false;
}

static start find_start(const double (*points)[3], size_t count, grz_monitor *monitor)
{
    start s = {.dimension = 0, .axis = -1};
    for (uint32_t i = 1; i < count; i++)
        s.points[0] = points[i][0] < points[s.points[0]][0] ? i : s.points[0];
    while (s.dimension < 3 && find_next(points, count, &s, monitor))
        s.dimension++;
    if (s.dimension == 2)
        s.axis = find_axis(points, s.points);
    return s;
}

/* ---- vertices ---- */

/* Numbers the points that are vertices, in the order of the input. `numbers` is NONE for the others. */
static graze_status number_vertices(grz_hull *hull, const double (*points)[3], size_t count, uint32_t *numbers)
{
    for (size_t i = 0; i < count; i++)
        hull->vertex_count += numbers[i] != NONE;
    hull->vertices = grz_allocate(&hull->context, hull->vertex_count, sizeof *hull->vertices);
    hull->sources = grz_allocate(&hull->context, hull->vertex_count, sizeof *hull->sources);
    if (hull->vertices == NULL || hull->sources == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    uint32_t number = 0;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] != NONE)
        {
            for (int axis = 0; axis < 3; axis++)
                hull->vertices[number][axis] = points[i][axis];
            hull->sources[number] = (uint32_t)i;
            numbers[i] = number++;
        }
    return GRAZE_STATUS_OK;
}

/* The neighbours of each vertex, from the half-edges. */
static graze_status find_neighbours(grz_hull *hull)
{
    size_t count = hull->half_edge_count > 0 ? hull->half_edge_count : 2;
    hull->neighbour_starts =
        grz_allocate_zeroed(&hull->context, hull->vertex_count + 1, sizeof *hull->neighbour_starts);
    hull->neighbours = grz_allocate(&hull->context, count, sizeof *hull->neighbours);
    if (hull->neighbour_starts == NULL || hull->neighbours == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    uint32_t *starts = hull->neighbour_starts;
    if (hull->dimension == 1)
    {
        starts[1] = 1;
        starts[2] = 2;
        hull->neighbours[0] = 1;
        hull->neighbours[1] = 0;
    }
    for (size_t h = 0; h < hull->half_edge_count; h++)
        starts[hull->origins[h] + 1]++;
    for (size_t v = 0; v < hull->vertex_count && hull->half_edge_count > 0; v++)
        starts[v + 1] += starts[v];
    for (size_t h = hull->half_edge_count; h-- > 0;) /* fills each list from its end; starts move to its beginning */
        hull->neighbours[--starts[hull->origins[h] + 1]] = hull->origins[hull->twins[h]];
    for (size_t v = 0; v < hull->vertex_count && hull->half_edge_count > 0; v++)
        starts[v] = starts[v + 1];
    if (hull->half_edge_count > 0)
        starts[hull->vertex_count] = (uint32_t)hull->half_edge_count;
    return GRAZE_STATUS_OK;
}

static bool make_room_for_faces(grz_hull *hull, size_t face_count, size_t half_edge_count)
{
    hull->face_count = face_count;
    hull->half_edge_count = half_edge_count;
    hull->face_starts = grz_allocate(&hull->context, face_count + 1, sizeof *hull->face_starts);
    hull->origins = grz_allocate(&hull->context, half_edge_count, sizeof *hull->origins);
    hull->twins = grz_allocate(&hull->context, half_edge_count, sizeof *hull->twins);
    return hull->face_starts != NULL && hull->origins != NULL && hull->twins != NULL;
}

/* ---- fewer than three dimensions ---- */

/* The ends of points on a line: along an axis on which two of them differ, the least and the greatest. */
static void mark_ends(const double (*points)[3], size_t count, const start *s, uint32_t *numbers)
{
    uint32_t least = 0, greatest = 0;
    int axis = 0;
    while (points[s->points[0]][axis] == points[s->points[1]][axis])
        axis++;
    for (uint32_t i = 1; i < count; i++)
    {
        least = points[i][axis] < points[least][axis] ? i : least;
        greatest = points[i][axis] > points[greatest][axis] ? i : greatest;
    }
    numbers[least] = numbers[greatest] = 0;
}

static graze_status make_polygon(grz_hull *hull, const double (*points)[3], size_t count, const start *s,
                                 grz_monitor *monitor, uint32_t *numbers)
{
    uint32_t *loop = grz_allocate(&hull->context, count, sizeof *loop);
    size_t length = 0;
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (loop != NULL)
        status = grz_flat_hull(&hull->context, points, count, s->axis, monitor, loop, &length);
    if (status == GRAZE_STATUS_OK && !make_room_for_faces(hull, 2, 2 * length))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < length && status == GRAZE_STATUS_OK; i++)
        numbers[loop[i]] = 0;
    if (status == GRAZE_STATUS_OK)
        status = number_vertices(hull, points, count, numbers);
    for (size_t i = 0; i < length && status == GRAZE_STATUS_OK; i++)
    {
        size_t back = 2 * length - 1 - i; /* from the next vertex to this one */
        hull->origins[i] = numbers[loop[i]];
        hull->origins[back] = numbers[loop[(i + 1) % length]];
        hull->twins[i] = (uint32_t)back;
        hull->twins[back] = (uint32_t)i;
    }
    if (status == GRAZE_STATUS_OK)
    {
        hull->face_starts[0] = 0;
        hull->face_starts[1] = (uint32_t)length;
        hull->face_starts[2] = 2 * (uint32_t)length;
    }
    grz_release(&hull->context, loop);
    return status;
}

/* ---- three dimensions ---- */

/* Edges of triangles are numbered 3 t + k. */
typedef struct merging
{
    const grz_quickhull *q;
    uint8_t *flat;     /* per edge: whether the triangles on both sides are coplanar */
    uint32_t *faces;   /* per triangle: its face; NONE: none yet */
    uint32_t *numbers; /* per edge that is not flat: the half-edge that it is a part of */
    uint32_t *queue;
    uint32_t *degrees; /* per point: the edges that start there and are not flat */
} merging;

static uint32_t edge_beyond(const grz_quickhull *q, uint32_t edge)
{
    const grz_hull_triangle *t = &q->triangles.data[edge / 3];
    uint32_t beyond = t->neighbours[edge % 3], end = t->corners[(edge % 3 + 1) % 3], k = 0;
    while (q->triangles.data[beyond].corners[k] != end)
        k++;
    return 3 * beyond + k;
}

static uint32_t edge_origin(const grz_quickhull *q, uint32_t edge)
{
    return q->triangles.data[edge / 3].corners[edge % 3];
}

static uint32_t edge_after(uint32_t edge)
{
    return edge % 3 == 2 ? edge - 2 : edge + 1;
}

/* The next edge around the face. */
static uint32_t next_border(const merging *m, uint32_t edge)
{
    edge = edge_after(edge);
    while (m->flat[edge])
        edge = edge_after(edge_beyond(m->q, edge));
    return edge;
}

static void find_flat_edges(merging *m)
{
    const grz_quickhull *q = m->q;
    for (uint32_t t = 0; t < q->triangles.count; t++)
        for (uint32_t k = 0; k < 3 && q->triangles.data[t].alive; k++)
        {
            uint32_t edge = 3 * t + k, beyond = edge_beyond(q, edge);
            if (beyond < edge)
                continue;
            uint32_t apex = edge_origin(q, edge_after(edge_after(beyond)));
            m->flat[edge] = m->flat[beyond] = grz_hull_triangle_side(q->points, &q->triangles.data[t], apex) == 0;
            m->degrees[edge_origin(q, edge)] += !m->flat[edge];
            m->degrees[edge_origin(q, beyond)] += !m->flat[edge];
        }
}

/* Numbers the faces: triangles connected by flat edges. Returns how many there are. */
static uint32_t number_faces(merging *m)
{
    uint32_t count = 0;
    for (uint32_t first = 0; first < m->q->triangles.count; first++)
    {
        if (!m->q->triangles.data[first].alive || m->faces[first] != NONE)
            continue;
        size_t length = 1;
        m->queue[0] = first;
        m->faces[first] = count;
        for (size_t i = 0; i < length; i++)
            for (uint32_t k = 0; k < 3; k++)
            {
                uint32_t other = m->q->triangles.data[m->queue[i]].neighbours[k];
                if (!m->flat[3 * m->queue[i] + k] || m->faces[other] != NONE)
                    continue;
                m->faces[other] = count;
                m->queue[length++] = other;
            }
        count++;
    }
    return count;
}

/* Whether the point where an edge starts is a vertex: at least three faces, and so three edges, meet there. */
static bool starts_at_vertex(const merging *m, uint32_t edge)
{
    return m->degrees[edge_origin(m->q, edge)] > 2;
}

/* Writes the loops of all faces. */
static void write_faces(merging *m, grz_hull *hull, const uint32_t *vertices)
{
    uint32_t written = 0, *firsts = m->queue; /* per face: an edge that starts at a vertex */
    for (uint32_t edge = 0; edge < 3 * m->q->triangles.count; edge++)
        if (m->q->triangles.data[edge / 3].alive && !m->flat[edge] && starts_at_vertex(m, edge))
            firsts[m->faces[edge / 3]] = edge;
    for (uint32_t face = 0; face < hull->face_count; face++)
    {
        uint32_t edge = firsts[face];
        hull->face_starts[face] = written;
        do
        {
            if (starts_at_vertex(m, edge))
                hull->origins[written++] = vertices[edge_origin(m->q, edge)];
            m->numbers[edge] = written - 1;
            edge = next_border(m, edge);
        } while (edge != firsts[face]);
    }
    hull->face_starts[hull->face_count] = written;
}

/* The twin of a half-edge: that of the edge across its first part. */
static void write_twins(const merging *m, grz_hull *hull)
{
    for (uint32_t edge = 0; edge < 3 * m->q->triangles.count; edge++)
        if (m->q->triangles.data[edge / 3].alive && !m->flat[edge] && starts_at_vertex(m, edge))
            hull->twins[m->numbers[edge]] = m->numbers[edge_beyond(m->q, edge)];
}

static graze_status merge(merging *m, grz_hull *hull, const double (*points)[3], size_t count, uint32_t *numbers)
{
    size_t half_edge_count = 0, triangle_count = m->q->triangles.count;
    for (size_t t = 0; t < triangle_count; t++)
        m->faces[t] = NONE;
    find_flat_edges(m);
    uint32_t face_count = number_faces(m);
    for (size_t i = 0; i < count; i++)
        if (m->degrees[i] > 2)
        {
            numbers[i] = 0;
            half_edge_count += m->degrees[i];
        }
    graze_status status = number_vertices(hull, points, count, numbers);
    if (status == GRAZE_STATUS_OK && !make_room_for_faces(hull, face_count, half_edge_count))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (status != GRAZE_STATUS_OK)
        return status;
    write_faces(m, hull, numbers);
    write_twins(m, hull);
    return GRAZE_STATUS_OK;
}

static graze_status make_polyhedron(grz_hull *hull, const double (*points)[3], size_t count, const start *s,
                                    grz_monitor *monitor, uint32_t *numbers)
{
    grz_quickhull q;
    const graze_context *context = &hull->context;
    graze_status status = grz_quickhull_make(context, points, count, s->points, monitor, &q);
    if (status == GRAZE_STATUS_OK)
    {
        size_t triangle_count = q.triangles.count;
        merging m = {.q = &q,
                     .flat = grz_allocate_zeroed(context, 3 * triangle_count, sizeof *m.flat),
                     .faces = grz_allocate(context, triangle_count, sizeof *m.faces),
                     .numbers = grz_allocate(context, 3 * triangle_count, sizeof *m.numbers),
                     .queue = grz_allocate(context, triangle_count, sizeof *m.queue),
                     .degrees = grz_allocate_zeroed(context, count, sizeof *m.degrees)};
        status = GRAZE_STATUS_OUT_OF_MEMORY;
        if (m.flat != NULL && m.faces != NULL && m.numbers != NULL && m.queue != NULL && m.degrees != NULL)
            status = merge(&m, hull, points, count, numbers);
        grz_release(context, m.flat);
        grz_release(context, m.faces);
        grz_release(context, m.numbers);
        grz_release(context, m.queue);
        grz_release(context, m.degrees);
    }
    grz_quickhull_release(&q);
    return status;
}

/* ---- the hull ---- */

static graze_status make_hull(grz_hull *hull, const double (*points)[3], size_t count, grz_monitor *monitor,
                              uint32_t *numbers)
{
    start s = find_start(points, count, monitor);
    graze_status status = grz_monitor_status(monitor);
    if (status != GRAZE_STATUS_OK)
        return status;
    hull->dimension = s.dimension;
    for (size_t i = 0; i < count; i++)
        numbers[i] = NONE;
    if (s.dimension == 3)
        status = make_polyhedron(hull, points, count, &s, monitor, numbers);
    else if (s.dimension == 2)
        status = make_polygon(hull, points, count, &s, monitor, numbers);
    else
    {
        if (s.dimension == 1)
            mark_ends(points, count, &s, numbers);
        else
            numbers[0] = 0;
        status = number_vertices(hull, points, count, numbers);
    }
    return status == GRAZE_STATUS_OK ? find_neighbours(hull) : status;
}

static graze_status check_points(const double (*points)[3], size_t count)
{
    if (count == 0)
        return GRAZE_STATUS_EMPTY;
    if (count >= MOST_POINTS)
        return GRAZE_STATUS_TOO_LARGE;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(points[i][0]) || !isfinite(points[i][1]) || !isfinite(points[i][2]))
            return GRAZE_STATUS_NOT_FINITE;
    return GRAZE_STATUS_OK;
}

static graze_status create(const graze_context *context, const double (*points)[3], size_t count, grz_monitor *monitor,
                           grz_hull **out_hull)
{
    graze_status status = check_points(points, count);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_hull *hull = grz_allocate_zeroed(context, 1, sizeof *hull);
    uint32_t *numbers = grz_allocate(context, count, sizeof *numbers);
    status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (hull != NULL)
        hull->context = grz_context_copy(context);
    if (hull != NULL && numbers != NULL)
        status = make_hull(hull, points, count, monitor, numbers);
    grz_release(context, numbers);
    if (status == GRAZE_STATUS_OK)
        *out_hull = hull;
    else
        grz_hull_destroy(hull);
    return status;
}

graze_status grz_hull_create(const graze_context *context, const double *coordinates, size_t count,
                             grz_monitor *monitor, grz_hull **out_hull)
{
    grz_environment environment; /* coordinates are compared: a denormal is not 0 */
    grz_environment_enter(&environment);
    graze_status status = create(context, (const double(*)[3])coordinates, count, monitor, out_hull);
    grz_environment_leave(&environment);
    return status;
}

void grz_hull_destroy(grz_hull *hull)
{
    if (hull == NULL)
        return;
    graze_context context = hull->context;
    grz_release(&context, hull->vertices);
    grz_release(&context, hull->sources);
    grz_release(&context, hull->face_starts);
    grz_release(&context, hull->origins);
    grz_release(&context, hull->twins);
    grz_release(&context, hull->neighbour_starts);
    grz_release(&context, hull->neighbours);
    grz_release(&context, hull);
}
