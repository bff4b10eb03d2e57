/* SPDX-License-Identifier: MIT */
/*
 * Voxmap and pointshell (W. McNeely, K. Puterbaugh, J. Troy, Six degree-of-freedom haptic rendering using voxel
 * sampling, SIGGRAPH 1999; 003): A is a grid of voxels that are free, inside, or hold a part of the surface, with their
 * distances from the surface in voxels; B is points spread over its surface. A point in a voxel that is not free means
 * a collision, as a guess. Proved are: a yes by a point that lies exactly in both bodies; a no where every point of B's
 * shell is farther from A's surface than any point of B's surface from the shell, for then the surfaces are apart.
 */
#include "base/array.h"
#include "mesh/mesh.h"
#include "pair/method/closed_bodies.h"
#include "pair/method/table.h"

enum
{
    DEFAULT_VOXELS = 32, /* along the longest side */
    MOST_VOXELS = 256,
    MOST_DISTANCE = 250, /* in voxels */
    MARGIN = 2,          /* voxels around the body's box */
    MOST_TRIALS = 32     /* points that are tested exactly */
};

typedef enum voxel_kind
{
    VOXEL_UNKNOWN,
    VOXEL_FREE,
    VOXEL_INSIDE
} voxel_kind;

/* A point of the surface, and the normal of its triangle, of length 1. */
typedef struct shell_point
{
    double point[3], normal[3];
} shell_point;

typedef struct voxel_state
{
    grz_closed_state closed; /* first */
    double origin[3], side;  /* of the grid, and of a voxel */
    uint32_t counts[3];
    uint8_t *distances; /* per voxel: from the surface in voxels, at most MOST_DISTANCE; 0: a part of it is here */
    uint8_t *inside;    /* per voxel that the surface does not reach: a voxel_kind */
    GRZ_ARRAY(shell_point) shell;
    double reach; /* no point of the surface is farther from the shell */
} voxel_state;

static size_t voxel_count(const voxel_state *state)
{
    return (size_t)state->counts[0] * state->counts[1] * state->counts[2];
}

static size_t voxel_at(const voxel_state *state, const uint32_t at[3])
{
    return ((size_t)at[2] * state->counts[1] + at[1]) * state->counts[0] + at[0];
}

/* A grid with a margin around the body. */
static bool make_grid(voxel_state *state, const graze_context *context, const graze_mesh *mesh, uint32_t voxels)
{
    double longest = 0;
    for (int i = 0; i < 3; i++)
        longest = fmax(longest, mesh->scaled_upper[i] - mesh->scaled_lower[i]);
    state->side = longest > 0 ? fmax(longest / voxels, 0x1p-1022) : 1;
    for (int i = 0; i < 3; i++)
    {
        state->counts[i] = 2 * MARGIN + 1 + (uint32_t)((mesh->scaled_upper[i] - mesh->scaled_lower[i]) / state->side);
        state->origin[i] = mesh->scaled_lower[i] - MARGIN * state->side;
    }
    size_t count = voxel_count(state);
    state->distances = grz_allocate(context, count, 1);
    state->inside = grz_allocate_zeroed(context, count, 1);
    if (state->distances == NULL || state->inside == NULL)
        return false;
    memset(state->distances, MOST_DISTANCE, count);
    return true;
}

/* Marks the voxels that the box of a triangle meets, where its plane passes. The voxels are enlarged by a 2^20th. */
static bool mark_triangle(voxel_state *state, const graze_mesh *mesh, uint32_t triangle, grz_monitor *monitor)
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    const double *p = grz_mesh_scaled(mesh, corners[0]), *q = grz_mesh_scaled(mesh, corners[1]),
                 *r = grz_mesh_scaled(mesh, corners[2]);
    uint32_t first[3], last[3];
    double normal[3], reach = 0, sizes = 0;
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = (q[j] - p[j]) * (r[k] - p[k]) - (q[k] - p[k]) * (r[j] - p[j]);
        sizes += fabs(q[i] - p[i]) + fabs(r[i] - p[i]);
        double lower = fmin(fmin(p[i], q[i]), r[i]), upper = fmax(fmax(p[i], q[i]), r[i]);
        first[i] = (uint32_t)((lower - state->origin[i]) / state->side - 0x1p-20);
        last[i] = (uint32_t)((upper - state->origin[i]) / state->side + 0x1p-20);
        last[i] = last[i] < state->counts[i] ? last[i] : state->counts[i] - 1;
    }
    for (int i = 0; i < 3; i++)
        reach += fabs(normal[i]) * state->side / 2 * (1 + 0x1p-20);
    reach += 0x1p-40 * sizes * sizes * (sizes + state->side * (state->counts[0] + state->counts[1] + state->counts[2]));
    uint32_t at[3];
    for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++)
            {
                double height = 0;
                for (int i = 0; i < 3; i++)
                    height += normal[i] * (state->origin[i] + (at[i] + 0.5) * state->side - p[i]);
                if (fabs(height) <= reach)
                    state->distances[voxel_at(state, at)] = 0;
            }
    return grz_monitor_elements(monitor, 1 + (uint64_t)(last[0] - first[0]) * (last[1] - first[1]));
}

/* Distances in voxels, along the longest axis: two passes over all, the second one backwards, are enough for these
   (A. Rosenfeld, J. Pfaltz 1968). */
static bool spread_distances(voxel_state *state, grz_monitor *monitor)
{
    size_t count = voxel_count(state);
    for (int pass = 0; pass < 2; pass++)
        for (size_t n = 0; n < count; n++)
        {
            size_t voxel = pass == 0 ? n : count - 1 - n;
            int64_t x = (int64_t)(voxel % state->counts[0]), y = (int64_t)(voxel / state->counts[0] % state->counts[1]),
                    z = (int64_t)(voxel / state->counts[0] / state->counts[1]);
            uint8_t least = state->distances[voxel];
            for (int side = 0; side < 27 && least > 0; side++)
            {
                int64_t i = x + side % 3 - 1, j = y + side / 3 % 3 - 1, k = z + side / 9 - 1;
                if (i < 0 || j < 0 || k < 0 || i >= state->counts[0] || j >= state->counts[1] || k >= state->counts[2])
                    continue;
                uint8_t other =
                    state->distances[((size_t)k * state->counts[1] + (size_t)j) * state->counts[0] + (size_t)i];
                least = other + 1 < least ? (uint8_t)(other + 1) : least;
            }
            state->distances[voxel] = least;
            if (n % 4096 == 0 && !grz_monitor_elements(monitor, 4096))
                return false;
        }
    return true;
}

/* Whether the middle of a voxel lies in the body. */
static graze_status test_middle(const voxel_state *state, const graze_context *context, const graze_mesh *mesh,
                                size_t voxel, grz_monitor *monitor, bool *out_inside)
{
    const graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
    const size_t at[3] = {voxel % state->counts[0], voxel / state->counts[0] % state->counts[1],
                          voxel / state->counts[0] / state->counts[1]};
    graze_budget budget = grz_monitor_budget(monitor);
    graze_location location = GRAZE_LOCATION_OUTSIDE;
    double point[3];
    for (int i = 0; i < 3; i++)
        point[i] = ldexp(state->origin[i] + ((double)at[i] + 0.5) * state->side, mesh->exponent);
    *out_inside = false;
    if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]))
        return GRAZE_STATUS_OK; /* beyond all doubles, so outside */
    graze_status status = graze_point_in_mesh(context, &placed, point, &budget, &location);
    *out_inside = location != GRAZE_LOCATION_OUTSIDE;
    return grz_monitor_end_step(monitor, status, 0);
}

/* Voxels that the surface does not reach, connected through their sides, are all free or all inside. */
static graze_status flood(voxel_state *state, const graze_context *context, size_t from, uint8_t kind)
{
    GRZ_ARRAY(size_t) waiting = {0};
    const int64_t steps[3] = {1, state->counts[0], (int64_t)state->counts[0] * state->counts[1]};
    bool done = GRZ_PUSH(context, &waiting, from);
    state->inside[from] = kind;
    while (done && waiting.count > 0)
    {
        size_t voxel = waiting.data[--waiting.count];
        const size_t at[3] = {voxel % state->counts[0], voxel / state->counts[0] % state->counts[1],
                              voxel / state->counts[0] / state->counts[1]};
        for (int side = 0; side < 6 && done; side++)
        {
            int axis = side / 2;
            if (side % 2 == 0 ? at[axis] == 0 : at[axis] + 1 == state->counts[axis])
                continue;
            size_t next = side % 2 == 0 ? voxel - (size_t)steps[axis] : voxel + (size_t)steps[axis];
            if (state->distances[next] == 0 || state->inside[next] != VOXEL_UNKNOWN)
                continue;
            state->inside[next] = kind;
            done = GRZ_PUSH(context, &waiting, next);
        }
    }
    grz_release(context, waiting.data);
    return done ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

static graze_status fill(voxel_state *state, const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor)
{
    graze_status status = GRAZE_STATUS_OK;
    for (size_t voxel = 0; voxel < voxel_count(state) && status == GRAZE_STATUS_OK; voxel++)
    {
        bool inside = false;
        if (state->distances[voxel] == 0 || state->inside[voxel] != VOXEL_UNKNOWN)
            continue;
        status = test_middle(state, context, mesh, voxel, monitor, &inside);
        if (status == GRAZE_STATUS_OK)
            status = flood(state, context, voxel, inside ? VOXEL_INSIDE : VOXEL_FREE);
    }
    return status;
}

/* The corners of a triangle's parts when each side is divided so that none is longer than a voxel. */
static bool add_points(voxel_state *state, const graze_context *context, const graze_mesh *mesh, uint32_t triangle,
                       grz_monitor *monitor)
{
    const double *corners[3];
    double longest = 0, normal[3], length;
    for (int i = 0; i < 3; i++)
        corners[i] = grz_mesh_scaled(mesh, mesh->triangles[3 * (size_t)triangle + (size_t)i]);
    for (int i = 0; i < 3; i++)
    {
        const double *p = corners[i], *q = corners[(i + 1) % 3];
        longest = fmax(longest, sqrt((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]) +
                                     (q[2] - p[2]) * (q[2] - p[2])));
        int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = (corners[1][j] - corners[0][j]) * (corners[2][k] - corners[0][k]) -
                    (corners[1][k] - corners[0][k]) * (corners[2][j] - corners[0][j]);
    }
    length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    uint32_t parts = 1 + (uint32_t)(longest / state->side);
    state->reach = fmax(state->reach, longest / parts);
    for (uint32_t u = 0; u <= parts; u++)
        for (uint32_t v = 0; u + v <= parts; v++)
        {
            shell_point p;
            for (int i = 0; i < 3; i++)
            {
                p.point[i] = corners[0][i] + (corners[1][i] - corners[0][i]) * u / parts +
                             (corners[2][i] - corners[0][i]) * v / parts;
                p.normal[i] = length > 0 ? normal[i] / length : 0;
            }
            if (!GRZ_PUSH(context, &state->shell, p))
                return false;
        }
    return grz_monitor_elements(monitor, (uint64_t)parts * parts);
}

static graze_status prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    voxel_state *state = opaque;
    graze_status status = grz_closed_state_prepare(&state->closed, context, mesh, parameters, monitor);
    if (status != GRAZE_STATUS_OK)
        return status;
    uint32_t voxels = parameters->samples != 0 ? parameters->samples : DEFAULT_VOXELS;
    if (!make_grid(state, context, mesh, voxels < MOST_VOXELS ? voxels : MOST_VOXELS))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    bool done = true;
    for (uint32_t t = 0; done && t < mesh->triangle_count; t++)
        done = mark_triangle(state, mesh, t, monitor) && add_points(state, context, mesh, t, monitor);
    if (!done || !spread_distances(state, monitor))
        return grz_monitor_or_memory(monitor);
    return fill(state, context, mesh, monitor);
}

static void release(void *opaque, const graze_context *context)
{
    voxel_state *state = opaque;
    grz_closed_state_release(&state->closed, context);
    grz_release(context, state->distances);
    grz_release(context, state->inside);
    grz_release(context, state->shell.data);
    state->distances = state->inside = NULL;
    state->shell.data = NULL;
}

static size_t memory(const void *opaque)
{
    const voxel_state *state = opaque;
    return grz_closed_state_memory(&state->closed) + 2 * voxel_count(state) +
           state->shell.capacity * sizeof *state->shell.data;
}

/* The voxel of a point of A's frame; false: outside of the grid. */
static bool find_voxel(const voxel_state *state, const double point[3], size_t *out_voxel)
{
    uint32_t at[3];
    for (int i = 0; i < 3; i++)
    {
        double x = (point[i] - state->origin[i]) / state->side;
        if (!(x >= 0 && x < state->counts[i]))
            return false;
        at[i] = (uint32_t)x;
    }
    *out_voxel = voxel_at(state, at);
    return true;
}

/* Tests a point of B's shell that seems to be in A, and two beside it on either side of B's surface, exactly. */
static void try_beside(grz_method_query *query, const shell_point *p, const double placed[3], double step)
{
    double beside[3];
    grz_method_try_point(query, placed);
    for (int side = -1; side <= 1 && grz_method_goes_on(query); side += 2)
    {
        for (int i = 0; i < 3; i++)
        {
            double along = 0;
            for (int k = 0; k < 3; k++)
                along += query->map[i][k] * p->normal[k];
            beside[i] = placed[i] + side * step * along;
        }
        grz_method_try_point(query, beside);
    }
}

/*
 * A voxel at distance d is at least (d - 1) sides from the voxels that the surface reaches, and the margin of the grid
 * is two; the rounding of voxels is below 2^-19 of a side, that of points below the slack. A map moves no two points
 * farther apart than its Frobenius norm says, and the shell leaves no point of B's surface farther than its reach.
 * shortcut: voxmap-clearance
 */
static void run(grz_method_query *query)
{
    const voxel_state *a = query->a, *b = query->b;
    double stretch = 0;
    unsigned trials = 0;
    bool apart = true;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            stretch += query->map[i][k] * query->map[i][k];
    double wanted = (b->reach * sqrt(stretch) + 4 * query->slack) * (1 + 0x1p-18);
    query->guess = GRAZE_VERDICT_NO;
    for (size_t i = 0; i < b->shell.count && grz_method_goes_on(query); i++)
    {
        double placed[3];
        size_t voxel;
        grz_method_place(query, b->shell.data[i].point, placed);
        query->counters.voxels++;
        bool in_grid = find_voxel(a, placed, &voxel);
        double clearance = a->side * (in_grid ? a->distances[voxel] - 1 : MARGIN);
        apart = apart && clearance > wanted;
        if (!grz_monitor_box_tests(&query->monitor, 1))
            return;
        if (!in_grid || a->inside[voxel] == VOXEL_FREE)
            continue;
        query->guess = GRAZE_VERDICT_YES;
        if (a->inside[voxel] == VOXEL_INSIDE && trials++ < MOST_TRIALS)
            try_beside(query, &b->shell.data[i], placed, a->side / 16);
    }
    if (apart && grz_method_goes_on(query))
        grz_method_decide_surfaces_apart(query, &a->closed, &b->closed);
}

const grz_method grz_voxmap_method = {
    .info = {.name = "voxmap",
             .summary = "Points of one surface in the voxels of the other body.",
             .source = "003",
             .mesh_class = GRAZE_METHOD_CLASS_CLOSED,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_ESTIMATED,
             .deadline = true},
    .state_size = sizeof(voxel_state),
    .prepare = prepare,
    .release = release,
    .memory = memory,
    .run = run,
};
