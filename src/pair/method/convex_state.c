/* SPDX-License-Identifier: MIT */
/* States and certificates of methods for convex bodies; see convex_state.h. */
#include "pair/method/convex_state.h"

#include "graze/topology.h"
#include "mesh/mesh.h"

/* The vertices that triangles use, three numbers each; NULL when out of memory. */
static double *used_vertices(const graze_context *context, const graze_mesh *mesh, size_t *out_count)
{
    double *points = grz_allocate(context, mesh->vertex_count, 3 * sizeof *points);
    uint8_t *used = grz_allocate_zeroed(context, mesh->vertex_count, 1);
    size_t count = 0;
    for (size_t i = 0; used != NULL && i < 3 * mesh->triangle_count; i++)
        used[mesh->triangles[i]] = 1;
    for (uint32_t v = 0; points != NULL && used != NULL && v < mesh->vertex_count; v++)
        for (int k = 0; used[v] != 0 && k < 3; k++)
            points[count++] = grz_mesh_vertex(mesh, v)[k];
    bool failed = used == NULL;
    grz_release(context, used);
    if (failed)
    {
        grz_release(context, points);
        return NULL;
    }
    *out_count = count / 3;
    return points;
}

static void find_centres(grz_method_convex *state)
{
    const grz_hull *hull = state->hull;
    for (int k = 0; k < 3; k++)
    {
        state->centre[k] = 0;
        for (size_t v = 0; v < hull->vertex_count; v++)
            state->centre[k] += hull->vertices[v][k] / (double)hull->vertex_count;
        state->box_centre[k] = state->table.lower[k] / 2 + state->table.upper[k] / 2;
    }
}

graze_status grz_method_convex_prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                                       const graze_method_parameters *parameters, grz_monitor *monitor)
{
    grz_method_convex *state = opaque;
    graze_mesh_facts facts;
    graze_budget budget = grz_monitor_budget(monitor);
    graze_status status = graze_mesh_examine(context, mesh, NULL, &budget, &facts);
    status = grz_monitor_end_step(monitor, status, 0);
    if (status == GRAZE_STATUS_OK && !facts.convex)
        status = GRAZE_STATUS_BAD_ARGUMENT;
    if (status != GRAZE_STATUS_OK)
        return status;
    size_t count = 0;
    double *points = used_vertices(context, mesh, &count);
    if (points == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    status = grz_hull_create(context, points, count, monitor, &state->hull);
    grz_release(context, points);
    if (status != GRAZE_STATUS_OK)
        return status;
    state->parameters = *parameters;
    state->body = (grz_convex_body){.kind = GRZ_CONVEX_POLYTOPE,
                                    .vertices = (const double(*)[3])state->hull->vertices,
                                    .vertex_count = state->hull->vertex_count,
                                    .neighbour_starts = state->hull->neighbour_starts,
                                    .neighbours = state->hull->neighbours,
                                    .table = &state->table};
    grz_convex_table_make(&state->body, &state->table);
    find_centres(state);
    return GRAZE_STATUS_OK;
}

void grz_method_convex_release(void *opaque, const graze_context *context)
{
    (void)context;
    grz_method_convex *state = opaque;
    grz_hull_destroy(state->hull);
    state->hull = NULL;
}

size_t grz_method_convex_memory(const void *opaque)
{
    const grz_hull *hull = ((const grz_method_convex *)opaque)->hull;
    return sizeof *hull + hull->vertex_count * (sizeof hull->vertices[0] + 2 * sizeof(uint32_t)) +
           (hull->face_count + 1) * sizeof(uint32_t) + 3 * hull->half_edge_count * sizeof(uint32_t);
}

bool grz_convex_search_start(grz_method_query *query, grz_convex_search *out)
{
    for (int side = 0; side < 2; side++)
    {
        out->states[side] = side == 0 ? query->a : query->b;
        out->bodies[side] = out->states[side]->body;
        out->bodies[side].pose = query->placed[side].pose;
    }
    out->gjk.radius = 0;
    if (grz_convex_prepare(&out->bodies[0], &out->bodies[1], &out->gjk.operands))
        return true;
    grz_method_decide_bodies(query);
    return false;
}

v3 grz_convex_search_between(const grz_convex_search *search)
{
    double ends[2][3];
    for (int side = 0; side < 2; side++)
        graze_pose_apply(&search->bodies[side].pose, search->states[side]->box_centre, ends[side]);
    v3 between = v3_sub(v3_load(ends[1]), v3_load(ends[0]));
    double length = v3_length(between);
    return length > 0 ? v3_scale(1 / length, between) : v3_make(1, 0, 0);
}

bool grz_convex_search_separates(grz_method_query *query, grz_convex_search *search, const double normal[3])
{
    double size = fabs(normal[0]) + fabs(normal[1]) + fabs(normal[2]);
    if (!(size > 0x1p-60 && size < 0x1p60) || !grz_gjk_separates(&search->gjk, v3_scale(1 / size, v3_load(normal))))
        return false;
    query->verdict = query->guess = GRAZE_VERDICT_NO;
    return true;
}

void grz_convex_search_decide(grz_method_query *query, grz_convex_search *search)
{
    grz_convex_verdict verdict = grz_convex_pair_collide(&search->bodies[0], &search->bodies[1], NULL);
    if (verdict == GRZ_CONVEX_UNDECIDED)
    {
        grz_method_decide_bodies(query);
        return;
    }
    query->counters.left_to_engine++;
    query->verdict = query->guess = verdict == GRZ_CONVEX_TOGETHER ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
}
