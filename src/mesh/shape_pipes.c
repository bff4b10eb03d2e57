/* SPDX-License-Identifier: MIT */
/*
 * Pipework, after the "Pipes" of Klosowski et al. (QuickCD): tubes along random walks on a cubic lattice, with round
 * elbows. No lattice node is used twice and the lattice is at least five radii wide, so the tubes neither cross
 * themselves nor each other.
 *
 * A tube is a sequence of stations, each giving one ring. As many stations are made as the wanted triangles need;
 * where the lattice has too few nodes for them, straight stretches get more than one station each. At most a
 * quarter of the nodes is used, so there is always a free pair of neighbours to start from (a lattice can be
 * paired off completely, or up to one node, into neighbours).
 */
#include <math.h>

#include "base/array.h"
#include "base/random.h"
#include "graze/generate.h"
#include "mesh/shape_builder.h"

typedef struct station
{
    v3 centre;
    v3 u, v; /* unit vectors that span the ring; u, v and the direction of travel are right-handed */
} station;

typedef struct tube_range
{
    size_t first, count; /* of stations */
} tube_range;

/* Directions 0 to 5 are +x, -x, +y, -y, +z, -z. */
typedef struct walker
{
    const graze_context *context;
    grz_random random;
    uint32_t nodes;         /* along each side of the lattice */
    double spacing, lowest; /* distance of nodes, coordinate of the first */
    double elbow_radius;    /* of the centre line */
    uint32_t elbow_steps;   /* quads along an elbow */
    uint64_t stretch_steps; /* quads along a straight stretch between nodes */
    unsigned char *used;    /* by node: x + nodes * (y + nodes * z) */
    uint32_t at[3];         /* current node of the walk */
    v3 u, v;                /* the frame transported along it */
    size_t wanted;          /* stations still to make */
    GRZ_ARRAY(station) stations;
    GRZ_ARRAY(tube_range) tubes;
} walker;

static size_t node_number(const walker *w, const uint32_t at[3])
{
    return at[0] + (size_t)w->nodes * (at[1] + (size_t)w->nodes * at[2]);
}

/* Whether the neighbour in that direction exists and is free. */
static bool is_open(const walker *w, const uint32_t at[3], int direction)
{
    uint32_t next[3] = {at[0], at[1], at[2]};
    int axis = direction / 2;
    if (direction % 2 == 0 ? at[axis] + 1 == w->nodes : at[axis] == 0)
        return false;
    next[axis] += direction % 2 == 0 ? 1u : UINT32_MAX;
    return !w->used[node_number(w, next)];
}

/* A random one of the open directions, or -1. */
static int draw_direction(walker *w)
{
    int open[6], count = 0;
    for (int direction = 0; direction < 6; direction++)
        if (is_open(w, w->at, direction))
            open[count++] = direction;
    return count == 0 ? -1 : open[grz_random_below(&w->random, (uint64_t)count)];
}

/* Moves to a free node with a free neighbour, the next one after a random node. */
static bool find_start(walker *w)
{
    size_t total = (size_t)w->nodes * w->nodes * w->nodes;
    size_t drawn = (size_t)grz_random_below(&w->random, total);
    for (size_t i = 0; i < total; i++)
    {
        size_t node = (drawn + i) % total;
        uint32_t at[3] = {(uint32_t)(node % w->nodes), (uint32_t)(node / w->nodes % w->nodes),
                          (uint32_t)(node / w->nodes / w->nodes)};
        if (w->used[node])
            continue;
        for (int direction = 0; direction < 6; direction++)
            if (is_open(w, at, direction))
            {
                for (int axis = 0; axis < 3; axis++)
                    w->at[axis] = at[axis];
                w->used[node] = 1;
                return true;
            }
    }
    return false;
}

static v3 unit_vector(int direction)
{
    double length = direction % 2 == 0 ? 1 : -1;
    return v3_make(direction / 2 == 0 ? length : 0, direction / 2 == 1 ? length : 0, direction / 2 == 2 ? length : 0);
}

/* A ring around the current node, perpendicular to the direction of travel. */
static station at_node(const walker *w)
{
    station s = {.u = w->u, .v = w->v};
    s.centre = v3_make(w->lowest + w->spacing * w->at[0], w->lowest + w->spacing * w->at[1],
                       w->lowest + w->spacing * w->at[2]);
    return s;
}

/* Adds a station unless there are enough. */
static bool add_station(walker *w, const station *s)
{
    if (w->wanted == 0)
        return true;
    w->wanted--;
    return GRZ_PUSH(w->context, &w->stations, *s);
}

/* Adds a station at the end of a stretch, and those along it; the last station is where the stretch began. */
static bool add_stretch(walker *w, const station *end)
{
    const station start = w->stations.data[w->stations.count - 1];
    for (uint64_t i = 1; i < w->stretch_steps && w->wanted > 0; i++)
    {
        station between = *end;
        double share = (double)i / (double)w->stretch_steps;
        between.centre = v3_add(between.centre, v3_scale(1 - share, v3_sub(start.centre, end->centre)));
        if (!add_station(w, &between))
            return false;
    }
    return add_station(w, end);
}

/* Rotates a vector of the frame with the direction of travel, from d towards e. */
static v3 turn(v3 in, v3 d, v3 e, double cosine, double sine)
{
    return v3_add(in, v3_scale(v3_dot(in, e), v3_sub(v3_scale(cosine - 1, e), v3_scale(sine, d))));
}

/* A quarter of a circle that leaves direction d before the node and joins direction e behind it. */
static bool add_elbow(walker *w, int from, int to)
{
    v3 d = unit_vector(from), e = unit_vector(to);
    const station node = at_node(w);
    for (uint32_t step = 0; step <= w->elbow_steps; step++)
    {
        double cosine, sine;
        grz_circle(step, 4 * (uint64_t)w->elbow_steps, &cosine, &sine);
        v3 offset = v3_add(v3_scale(sine - 1, d), v3_scale(1 - cosine, e));
        station s = {v3_add(node.centre, v3_scale(w->elbow_radius, offset)), turn(w->u, d, e, cosine, sine),
                     turn(w->v, d, e, cosine, sine)};
        if (!(step == 0 ? add_stretch(w, &s) : add_station(w, &s)))
            return false;
    }
    w->u = turn(w->u, d, e, 0, 1);
    w->v = turn(w->v, d, e, 0, 1);
    return true;
}

static void step_to(walker *w, int direction)
{
    w->at[direction / 2] += direction % 2 == 0 ? 1u : UINT32_MAX;
    w->used[node_number(w, w->at)] = 1;
}

/* One tube, from a free node until it is long enough, stuck, or nothing more is wanted. */
static bool walk(walker *w)
{
    tube_range tube = {w->stations.count, 0};
    int direction = draw_direction(w);
    w->u = unit_vector(direction / 2 == 0 ? 2 : 0);
    w->v = v3_cross(unit_vector(direction), w->u);
    station start = at_node(w);
    if (!add_station(w, &start))
        return false;
    uint64_t length = 2 + grz_random_below(&w->random, 4 * (uint64_t)w->nodes);
    for (uint64_t i = 0; i < length && w->wanted > 0; i++)
    {
        step_to(w, direction);
        int next = direction;
        if (!is_open(w, w->at, direction) || grz_random_below(&w->random, 3) == 0)
            next = draw_direction(w);
        if (i + 1 == length || next < 0 || next == direction)
        {
            station node = at_node(w);
            if (!add_stretch(w, &node))
                return false;
            if (next < 0)
                break;
        }
        else if (!add_elbow(w, direction, next))
            return false;
        direction = next;
    }
    tube.count = w->stations.count - tube.first;
    return GRZ_PUSH(w->context, &w->tubes, tube);
}

/* All tubes. A last single station is dropped: a tube needs two. */
static graze_status walk_all(walker *w)
{
    size_t total = (size_t)w->nodes * w->nodes * w->nodes;
    w->used = grz_allocate_zeroed(w->context, total, 1);
    if (w->used == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    while (w->wanted >= 2)
    {
        if (!find_start(w))
            return GRAZE_STATUS_INTERNAL;
        if (!walk(w))
            return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    return GRAZE_STATUS_OK;
}

typedef struct pipe_run
{
    const station *stations;
    grz_tube tube;
    double radius;
} pipe_run;

static v3 pipe_point(const void *user, uint32_t ring, uint32_t segment)
{
    const pipe_run *p = user;
    bool lid = ring == 0 || ring > p->tube.ring_count;
    const station *s = p->stations + (ring == 0 ? 0 : lid ? ring - 2 : ring - 1);
    if (lid)
        return s->centre;
    double cosine, sine;
    grz_circle(segment, p->tube.segment_count, &cosine, &sine);
    return v3_add(s->centre, v3_scale(p->radius, v3_add(v3_scale(cosine, s->u), v3_scale(sine, s->v))));
}

static graze_status lay_pipes(const walker *w, double radius, uint32_t sides, graze_mesh **out_mesh)
{
    uint64_t quads = grz_count_times(w->stations.count, sides);
    grz_shape shape;
    graze_status status = grz_shape_begin(&shape, w->context, quads + 2 * (uint64_t)w->tubes.count, 2 * quads);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (size_t t = 0; t < w->tubes.count; t++)
    {
        tube_range range = w->tubes.data[t];
        pipe_run p = {w->stations.data + range.first, {(uint32_t)range.count, sides}, radius};
        grz_shape_tube(&shape, p.tube, pipe_point, &p);
    }
    return grz_shape_finish(&shape, NULL, out_mesh);
}

/* The lattice: as fine as four nodes per station require, but not finer than the radius allows. */
static void choose_lattice(walker *w, double size, double pipe_radius)
{
    double room = 2 * (size - pipe_radius);
    double finest = fmin(1 + floor(room / (5 * pipe_radius)), 1600);
    double wanted = (double)w->wanted;
    w->nodes = 2;
    while (w->nodes < finest && (double)w->nodes * w->nodes * w->nodes < 4 * wanted)
        w->nodes++;
    w->spacing = room / (w->nodes - 1);
    w->lowest = -room / 2;
    /* A tube of two nodes has stretch_steps + 1 stations, longer ones more per node; a quarter of the nodes must
       suffice. */
    double steps = ceil(8 * wanted / ((double)w->nodes * w->nodes * w->nodes)) - 1;
    w->stretch_steps = steps > 1 ? (uint64_t)steps : 1;
}

graze_status graze_mesh_create_pipes(const graze_context *context, double size, double pipe_radius, uint32_t sides,
                                     size_t triangle_count, uint64_t seed, graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(size) || !grz_size_valid(pipe_radius) || size < 3.5 * pipe_radius)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (sides < 3 || triangle_count == 0)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (triangle_count >= UINT32_MAX / 3 || sides >= UINT32_MAX / 12)
        return GRAZE_STATUS_TOO_LARGE;
    walker w = {.context = context, .random = grz_random_make(seed)};
    w.wanted = (triangle_count + sides) / (2 * (size_t)sides);
    if (w.wanted < 2)
        w.wanted = 2;
    w.elbow_radius = 2 * pipe_radius;
    w.elbow_steps = (sides + 7) / 8 + 1;
    choose_lattice(&w, size, pipe_radius);
    graze_status status = walk_all(&w);
    if (status == GRAZE_STATUS_OK)
        status = lay_pipes(&w, pipe_radius, sides, out_mesh);
    grz_release(context, w.used);
    grz_release(context, w.stations.data);
    grz_release(context, w.tubes.data);
    return status;
}
