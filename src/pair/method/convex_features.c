/* SPDX-License-Identifier: MIT */
/* Features of convex bodies and their Voronoi regions; see convex_features.h. */
#include "pair/method/convex_features.h"

/* The angle of z from -pi/2 to pi/2, and of x and y, for cells of directions. */
static void find_cell(v3 d, int *out_row, int *out_column)
{
    double length = v3_length(d), turn = atan2(d.y, d.x) / (2 * 3.14159265358979323846);
    double row = length > 0 ? (d.z / length + 1) / 2 * GRZ_DIRECTION_ROWS : 0;
    double column = (turn < 0 ? turn + 1 : turn) * GRZ_DIRECTION_COLUMNS;
    *out_row = row < GRZ_DIRECTION_ROWS - 1 ? (int)row : GRZ_DIRECTION_ROWS - 1;
    *out_column = column < GRZ_DIRECTION_COLUMNS - 1 ? (int)column : GRZ_DIRECTION_COLUMNS - 1;
}

/* A unit vector in the middle of a cell: rows divide the sphere into zones of equal height. */
static v3 cell_direction(int row, int column)
{
    double z = (row + 0.5) / GRZ_DIRECTION_ROWS * 2 - 1, radius = sqrt(1 - z * z);
    double angle = (column + 0.5) / GRZ_DIRECTION_COLUMNS * 2 * 3.14159265358979323846;
    return v3_make(radius * cos(angle), radius * sin(angle), z);
}

static v3 stored_vertex(const grz_hull *hull, uint32_t vertex)
{
    return v3_load(hull->vertices[vertex]);
}

/* The sum over all corners (M. Newell): right also where the first three lie on a line. */
static v3 stored_normal(const grz_hull *hull, uint32_t face)
{
    v3 sum = v3_make(0, 0, 0), first = stored_vertex(hull, hull->origins[hull->face_starts[face]]);
    for (uint32_t h = hull->face_starts[face] + 1; h + 1 < hull->face_starts[face + 1]; h++)
        sum = v3_add(sum, v3_cross(v3_sub(stored_vertex(hull, hull->origins[h]), first),
                                   v3_sub(stored_vertex(hull, hull->origins[h + 1]), first)));
    return sum;
}

/* The face that a ray from the centre leaves by, in each cell. */
static void fill_lookup(grz_feature_state *state)
{
    const grz_hull *hull = state->convex.hull;
    double nearest[GRZ_DIRECTION_ROWS][GRZ_DIRECTION_COLUMNS];
    for (uint32_t face = 0; face < hull->face_count; face++)
    {
        v3 normal = stored_normal(hull, face);
        v3 corner = stored_vertex(hull, hull->origins[hull->face_starts[face]]);
        double height = v3_dot(normal, v3_sub(corner, v3_load(state->convex.centre)));
        for (int row = 0; row < GRZ_DIRECTION_ROWS; row++)
            for (int column = 0; column < GRZ_DIRECTION_COLUMNS; column++)
            {
                double towards = v3_dot(normal, cell_direction(row, column));
                double at = towards > 0 ? height / towards : INFINITY;
                if (face != 0 && !(at < nearest[row][column]))
                    continue;
                nearest[row][column] = at;
                state->lookup[row][column] = face;
            }
    }
}

static void number_half_edges(grz_feature_state *state, uint32_t *filled)
{
    const grz_hull *hull = state->convex.hull;
    for (uint32_t face = 0; face < hull->face_count; face++)
        for (uint32_t h = hull->face_starts[face]; h < hull->face_starts[face + 1]; h++)
        {
            state->faces[h] = face;
            state->leaving[hull->neighbour_starts[hull->origins[h]] + filled[hull->origins[h]]++] = h;
        }
}

graze_status grz_feature_state_prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                                       const graze_method_parameters *parameters, grz_monitor *monitor)
{
    grz_feature_state *state = opaque;
    graze_status status = grz_method_convex_prepare(&state->convex, context, mesh, parameters, monitor);
    if (status != GRAZE_STATUS_OK)
        return status;
    const grz_hull *hull = state->convex.hull;
    if (hull->dimension < 3)
        return GRAZE_STATUS_BAD_ARGUMENT;
    uint32_t *filled = grz_allocate_zeroed(context, hull->vertex_count, sizeof *filled);
    state->faces = grz_allocate(context, hull->half_edge_count, sizeof *state->faces);
    state->leaving = grz_allocate(context, hull->half_edge_count, sizeof *state->leaving);
    bool made = filled != NULL && state->faces != NULL && state->leaving != NULL;
    if (made)
    {
        number_half_edges(state, filled);
        fill_lookup(state);
    }
    grz_release(context, filled);
    return made ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

void grz_feature_state_release(void *opaque, const graze_context *context)
{
    grz_feature_state *state = opaque;
    grz_release(context, state->faces);
    grz_release(context, state->leaving);
    state->faces = state->leaving = NULL;
    grz_method_convex_release(&state->convex, context);
}

size_t grz_feature_state_memory(const void *opaque)
{
    const grz_feature_state *state = opaque;
    return grz_method_convex_memory(&state->convex) + 2 * state->convex.hull->half_edge_count * sizeof(uint32_t);
}

grz_feature_body grz_feature_body_make(const grz_convex_search *search, int side)
{
    const grz_feature_state *state = (const grz_feature_state *)search->states[side];
    double handedness = graze_pose_handedness(&search->bodies[side].pose) < 0 ? -1 : 1;
    return (grz_feature_body){search, state, state->convex.hull, side, handedness};
}

grz_feature_edge grz_feature_edge_of(const grz_feature_body *body, uint32_t half_edge)
{
    grz_feature_edge edge = {
        .ends = {body->hull->origins[half_edge], body->hull->origins[body->hull->twins[half_edge]]}};
    edge.tail = grz_feature_vertex(body, edge.ends[0]);
    edge.along = v3_sub(grz_feature_vertex(body, edge.ends[1]), edge.tail);
    return edge;
}

v3 grz_feature_face_normal(const grz_feature_body *body, uint32_t face)
{
    const grz_hull *hull = body->hull;
    v3 sum = v3_make(0, 0, 0), first = grz_feature_vertex(body, hull->origins[hull->face_starts[face]]);
    v3 last = v3_sub(grz_feature_vertex(body, hull->origins[hull->face_starts[face] + 1]), first);
    for (uint32_t h = hull->face_starts[face] + 2; h < hull->face_starts[face + 1]; h++)
    {
        v3 next = v3_sub(grz_feature_vertex(body, hull->origins[h]), first);
        sum = v3_add(sum, v3_cross(last, next));
        last = next;
    }
    return v3_scale(body->handedness, sum);
}

static v3 unit(v3 v)
{
    double length = v3_length(v);
    return length > 0 ? v3_scale(1 / length, v) : v;
}

uint32_t grz_voronoi_plane_count(const grz_feature_body *body, grz_feature feature)
{
    const grz_hull *hull = body->hull;
    if (feature.kind == GRZ_FEATURE_VERTEX)
        return hull->neighbour_starts[feature.index + 1] - hull->neighbour_starts[feature.index];
    return feature.kind == GRZ_FEATURE_EDGE ? 4
                                            : hull->face_starts[feature.index + 1] - hull->face_starts[feature.index];
}

/* The plane through an edge, normal to the face on its left: its normal leads into the face. */
static v3 into_face(const grz_feature_body *body, uint32_t half_edge, v3 along)
{
    return unit(v3_cross(grz_feature_face_normal(body, body->state->faces[half_edge]), along));
}

grz_voronoi_plane grz_voronoi_plane_at(const grz_feature_body *body, grz_feature feature, uint32_t i)
{
    const grz_hull *hull = body->hull;
    grz_voronoi_plane plane;
    if (feature.kind == GRZ_FEATURE_VERTEX)
    {
        uint32_t half_edge = body->state->leaving[hull->neighbour_starts[feature.index] + i];
        grz_feature_edge edge = grz_feature_edge_of(body, half_edge);
        plane = (grz_voronoi_plane){unit(edge.along), edge.tail, {GRZ_FEATURE_EDGE, half_edge}};
    }
    else if (feature.kind == GRZ_FEATURE_EDGE && i < 2)
    {
        grz_feature_edge edge = grz_feature_edge_of(body, feature.index);
        v3 along = unit(edge.along);
        plane = (grz_voronoi_plane){i == 0 ? v3_scale(-1, along) : along,
                                    i == 0 ? edge.tail : v3_add(edge.tail, edge.along),
                                    {GRZ_FEATURE_VERTEX, edge.ends[i]}};
    }
    else if (feature.kind == GRZ_FEATURE_EDGE)
    {
        uint32_t half_edge = i == 2 ? feature.index : hull->twins[feature.index];
        grz_feature_edge edge = grz_feature_edge_of(body, half_edge);
        v3 along = v3_scale(body->handedness, edge.along);
        plane = (grz_voronoi_plane){
            into_face(body, half_edge, along), edge.tail, {GRZ_FEATURE_FACE, body->state->faces[half_edge]}};
    }
    else
    {
        uint32_t half_edge = hull->face_starts[feature.index] + i;
        grz_feature_edge edge = grz_feature_edge_of(body, half_edge);
        v3 along = v3_scale(-body->handedness, edge.along);
        plane = (grz_voronoi_plane){into_face(body, half_edge, along), edge.tail, {GRZ_FEATURE_EDGE, half_edge}};
    }
    return plane;
}

bool grz_voronoi_leaves(const grz_feature_body *body, grz_feature feature, v3 x, grz_feature *out_neighbour)
{
    double farthest = 0;
    for (uint32_t i = 0, n = grz_voronoi_plane_count(body, feature); i < n; i++)
    {
        grz_voronoi_plane plane = grz_voronoi_plane_at(body, feature, i);
        double height = grz_voronoi_height(&plane, x);
        if (!(height > farthest))
            continue;
        farthest = height;
        *out_neighbour = plane.neighbour;
    }
    return farthest > 0;
}

double grz_feature_highest_face(const grz_feature_body *body, v3 x, uint32_t *out_face)
{
    double highest = -INFINITY;
    for (uint32_t face = 0; face < body->hull->face_count; face++)
    {
        v3 normal = unit(grz_feature_face_normal(body, face));
        v3 corner = grz_feature_vertex(body, body->hull->origins[body->hull->face_starts[face]]);
        double height = v3_dot(normal, v3_sub(x, corner));
        if (!(height > highest))
            continue;
        highest = height;
        *out_face = face;
    }
    return highest;
}

grz_feature grz_feature_towards(const grz_feature_body *body, v3 direction)
{
    const double *m = body->search->bodies[body->side].pose.m;
    int row, column;
    /* The transposed matrix turns back; of a pose that does more the start is worse, and that is all. */
    v3 local = v3_make(m[0] * direction.x + m[4] * direction.y + m[8] * direction.z,
                       m[1] * direction.x + m[5] * direction.y + m[9] * direction.z,
                       m[2] * direction.x + m[6] * direction.y + m[10] * direction.z);
    find_cell(local, &row, &column);
    return (grz_feature){GRZ_FEATURE_FACE, body->state->lookup[row][column]};
}

static size_t count_of(const grz_hull *hull, grz_feature_kind kind)
{
    return kind == GRZ_FEATURE_VERTEX ? hull->vertex_count
           : kind == GRZ_FEATURE_EDGE ? hull->half_edge_count
                                      : hull->face_count;
}

bool grz_feature_recall(const graze_method_cache *cache, const grz_feature_body bodies[2], grz_feature out[2])
{
    if (cache == NULL || cache->numbers[0] != 1)
        return false;
    for (int side = 0; side < 2; side++)
    {
        double kind = cache->numbers[1 + 2 * side], index = cache->numbers[2 + 2 * side];
        if (!(kind >= 0 && kind <= GRZ_FEATURE_FACE && index >= 0 &&
              index < (double)count_of(bodies[side].hull, (grz_feature_kind)kind)))
            return false;
        out[side] = (grz_feature){(grz_feature_kind)kind, (uint32_t)index};
    }
    return true;
}

void grz_feature_keep(graze_method_cache *cache, const grz_feature features[2])
{
    if (cache == NULL)
        return;
    cache->numbers[0] = 1;
    for (int side = 0; side < 2; side++)
    {
        cache->numbers[1 + 2 * side] = features[side].kind;
        cache->numbers[2 + 2 * side] = features[side].index;
    }
}
