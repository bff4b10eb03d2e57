/* SPDX-License-Identifier: MIT */
/*
 * Finds certificates. A cell is a pair of nodes (triangle_tree.h) and an interval of time. Seen from a frame, Bernstein
 * coefficients divided by those of Omega are points, the control points of the paths of the vertices: a plane of that
 * frame is valid exactly when it separates those of A from those of B by the distance. So GJK over control points
 * (point_sets.h) finds a plane whenever there is one, but for rounding; plane.h then checks it. Where no frame has one,
 * the cell is split.
 *
 * If the nodes are not apart at the middle of the interval, no halving of time helps, and nodes are split. Otherwise
 * time is halved while the motion exceeds a share of the size of the nodes.
 */
#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "base/struct_size.h"
#include "certificate/certificate.h"
#include "certificate/plane.h"
#include "certificate/point_sets.h"
#include "certificate/triangle_tree.h"

enum
{
    MAP_CACHE_SIZE = 256, /* a power of two */
    MOST_POINTS = 3 * GRZ_LISTED_TRIANGLES * GRZ_MOST_COEFFICIENTS
};

/* Time is halved while the motion exceeds this share of the nodes' size. By trial on gears: 0.1 to 3 give a quarter
   more cells at most where there is room, and the double where there is little and the share is 1 or more. */
#define MOTION_SHARE 0.25

/* Seen from a frame, control point i of a vertex v is t[i] (v - k) + s[i]. */
typedef struct control_maps
{
    bool filled, instant; /* at the middle of the interval only, seen from the world */
    grz_plane_frame frame;
    grz_time_cell time;
    int counts[2];
    double t[2][GRZ_MOST_COEFFICIENTS][3][3], s[2][GRZ_MOST_COEFFICIENTS][3];
} control_maps;

typedef struct prover
{
    const graze_context *context;
    const graze_mesh *meshes[2];
    grz_monitor *monitor;
    graze_certificate *certificate;
    grz_triangle_tree trees[2];
    grz_plane_check check;
    control_maps *maps;
    double distance; /* about */
    v3 points[2][MOST_POINTS];
    uint32_t *seen[2], *vertices[2]; /* of nodes that have no list */
    uint32_t list_number;
    graze_prove_stats stats;
    graze_prove_failure failure;
    graze_status status;
} prover;

/* A cell and the part of the call that it stands for. */
typedef struct proof_cell
{
    int nodes[2];
    grz_time_cell time;
    double share;
} proof_cell;

static double middle_of(interval x)
{
    return 0.5 * x.lower + 0.5 * x.upper;
}

static const control_maps *find_maps(prover *p, grz_plane_frame frame, grz_time_cell time, bool instant)
{
    uint64_t key =
        ((UINT64_C(1) << time.level | time.index) * GRZ_FRAME_COUNT + (uint64_t)frame) * 2 + (instant ? 1 : 0);
    control_maps *at = &p->maps[key * UINT64_C(0x9e3779b97f4a7c15) >> 56];
    if (at->filled && at->instant == instant && at->frame == frame && at->time.level == time.level &&
        at->time.index == time.index)
        return at;
    const grz_interval_form *forms;
    grz_interval_form now[2];
    if (instant)
    {
        double middle = 0.5 * (grz_time_start(time) + grz_time_end(time));
        for (int body = 0; body < 2; body++)
            grz_interval_form_make(p->check.motions, body, frame, middle, middle, &now[body]);
        forms = now;
    }
    else
        forms = grz_plane_forms(&p->check, frame, time)->forms;
    *at = (control_maps){.filled = true, .instant = instant, .frame = frame, .time = time};
    for (int body = 0; body < 2; body++)
    {
        at->counts[body] = instant ? 1 : forms[body].count;
        for (int i = 0; i < at->counts[body]; i++)
        {
            double factor = 1 / middle_of(forms[body].omega[i]);
            for (int row = 0; row < 3; row++)
            {
                for (int column = 0; column < 3; column++)
                    at->t[body][i][row][column] = middle_of(forms[body].t[i][row][column]) * factor;
                at->s[body][i][row] = middle_of(forms[body].s[i][row]) * factor;
            }
        }
    }
    return at;
}

static const grz_triangle_node *node_of(const prover *p, const proof_cell *cell, int body)
{
    return &p->trees[body].nodes.data[cell->nodes[body]];
}

static v3 map_point(const control_maps *maps, int body, int i, const double u[3])
{
    const double(*t)[3] = maps->t[body][i];
    const double *s = maps->s[body][i];
    return v3_make(t[0][0] * u[0] + t[0][1] * u[1] + t[0][2] * u[2] + s[0],
                   t[1][0] * u[0] + t[1][1] * u[1] + t[1][2] * u[2] + s[1],
                   t[2][0] * u[0] + t[2][1] * u[1] + t[2][2] * u[2] + s[2]);
}

/* The control points of a node: of its vertices, or of the corners of its box. */
static grz_point_set control_points(prover *p, const control_maps *maps, const grz_triangle_node *node, int body)
{
    bool listed = node->end - node->first <= GRZ_LISTED_TRIANGLES;
    uint32_t count = listed ? node->vertex_count : 8;
    const uint32_t *list = listed ? p->trees[body].vertices.data + node->vertices : NULL;
    v3 *out = p->points[body];
    for (uint32_t point = 0; point < count; point++)
    {
        double u[3];
        for (int axis = 0; axis < 3; axis++)
        {
            double x = listed               ? p->check.vertices[body][3 * (size_t)list[point] + (size_t)axis]
                       : point >> axis & 1u ? node->upper[axis]
                                            : node->lower[axis];
            u[axis] = x - grz_motion_centre(&p->check.motions[body], axis);
        }
        for (int i = 0; i < maps->counts[body]; i++)
            *out++ = map_point(maps, body, i, u);
    }
    return (grz_point_set){p->points[body], (size_t)(out - p->points[body])};
}

/* All vertices of a node. */
static grz_vertex_list vertices_of(prover *p, const grz_triangle_node *node, int body)
{
    if (node->end - node->first <= GRZ_LISTED_TRIANGLES)
        return (grz_vertex_list){p->trees[body].vertices.data + node->vertices, node->vertex_count};
    const uint32_t *triangles = graze_mesh_triangles(p->meshes[body]);
    uint32_t number = ++p->list_number;
    size_t count = 0;
    for (uint32_t i = node->first; i < node->end; i++)
        for (int corner = 0; corner < 3; corner++)
        {
            uint32_t vertex = triangles[3 * (size_t)p->trees[body].order[i] + (size_t)corner];
            if (p->seen[body][vertex] == number)
                continue;
            p->seen[body][vertex] = number;
            p->vertices[body][count++] = vertex;
        }
    return (grz_vertex_list){p->vertices[body], count};
}

static bool stop(prover *p, graze_status status)
{
    if (p->status == GRAZE_STATUS_OK)
        p->status = status;
    return false;
}

static bool give_up(prover *p, graze_prove_failure_reason reason, const proof_cell *cell)
{
    p->failure.reason = reason;
    p->failure.lower = grz_time_start(cell->time);
    p->failure.upper = grz_time_end(cell->time);
    if (reason == GRAZE_PROVE_TOO_NEAR)
    {
        p->failure.triangle_a = p->trees[0].order[node_of(p, cell, 0)->first];
        p->failure.triangle_b = p->trees[1].order[node_of(p, cell, 1)->first];
    }
    return stop(p, GRAZE_STATUS_UNFINISHED);
}

static bool put_cell(prover *p, grz_certificate_cell cell)
{
    p->stats.cells++;
    p->stats.planes += cell.kind >= GRZ_CELL_PLANE_WORLD;
    return GRZ_PUSH(p->context, &p->certificate->cells, cell) || stop(p, GRAZE_STATUS_OUT_OF_MEMORY);
}

/* A plane with this normal in the middle between the control points, if they leave room for the distance. */
static bool place_plane(const prover *p, grz_point_set a, grz_point_set b, v3 n, double plane[4])
{
    double end_of_a, start_of_b;
    grz_point_sets_ends(a, b, n, &end_of_a, &start_of_b);
    double room = start_of_b - end_of_a - p->distance * v3_length(n);
    v3_store(n, plane);
    plane[3] = end_of_a + 0.5 * room;
    return room >= 0;
}

/* Whether a gap that GJK found may do; the plane that is placed then decides. */
static bool is_gap(const prover *p, double gap)
{
    return gap > 0 && gap >= p->distance * (1 - 1e-6);
}

/* Multiples of 2^-24: normals of few bits make checks elsewhere cheaper, and those along axes become exact. */
static v3 in_fixed_point(v3 n)
{
    return v3_make(rint(n.x * 0x1p24) * 0x1p-24, rint(n.y * 0x1p24) * 0x1p-24, rint(n.z * 0x1p24) * 0x1p-24);
}

/* Looks for a plane in a frame. The verdict is VALID once it is in the certificate. */
static grz_plane_verdict try_frame(prover *p, const proof_cell *cell, grz_plane_frame frame)
{
    const grz_triangle_node *a = node_of(p, cell, 0), *b = node_of(p, cell, 1);
    const control_maps *maps = find_maps(p, frame, cell->time, false);
    grz_point_set of_a = control_points(p, maps, a, 0), of_b = control_points(p, maps, b, 1);
    v3 n = {0, 0, 0};
    if (!is_gap(p, grz_point_sets_gap(of_a, of_b, &n)))
        return GRZ_PLANE_REFUSED;
    grz_certificate_cell out = {.kind = (grz_certificate_cell_kind)(GRZ_CELL_PLANE_WORLD + (int)frame)};
    for (int exactly = 0; exactly < 2; exactly++)
    {
        if (!place_plane(p, of_a, of_b, exactly ? n : in_fixed_point(n), out.plane))
            continue;
        for (int i = 0; i < 4; i++)
            out.plane[i] = grz_without_sign_of_zero(out.plane[i]);
        grz_plane_verdict verdict =
            grz_plane_is_valid(&p->check, frame, cell->time, out.plane, vertices_of(p, a, 0), vertices_of(p, b, 1));
        if (verdict == GRZ_PLANE_VALID)
            return put_cell(p, out) ? GRZ_PLANE_VALID : GRZ_PLANE_UNDECIDED;
        if (verdict == GRZ_PLANE_UNDECIDED)
        {
            stop(p, GRAZE_STATUS_OUT_OF_MEMORY);
            return verdict;
        }
    }
    return GRZ_PLANE_REFUSED;
}

/* Whether the nodes are far enough apart at the middle of the interval. */
static bool are_apart_in_the_middle(prover *p, const proof_cell *cell)
{
    const control_maps *maps = find_maps(p, GRZ_FRAME_WORLD, cell->time, true);
    grz_point_set a = control_points(p, maps, node_of(p, cell, 0), 0);
    grz_point_set b = control_points(p, maps, node_of(p, cell, 1), 1);
    v3 n = {0, 0, 0};
    return is_gap(p, grz_point_sets_gap(a, b, &n));
}

static double radius_of(const grz_triangle_node *node)
{
    v3 diagonal = v3_sub(v3_load(node->upper), v3_load(node->lower));
    return 0.5 * v3_length(diagonal);
}

/* How far the centres of both nodes move, seen from the frame where that is least. */
static double motion_of(prover *p, const proof_cell *cell)
{
    double least = INFINITY;
    for (int frame = 0; frame < GRZ_FRAME_COUNT; frame++)
    {
        const control_maps *maps = find_maps(p, (grz_plane_frame)frame, cell->time, false);
        double way = 0;
        for (int body = 0; body < 2; body++)
        {
            const grz_triangle_node *node = node_of(p, cell, body);
            double centre[3], longest = 0;
            for (int axis = 0; axis < 3; axis++)
                centre[axis] = 0.5 * node->lower[axis] + 0.5 * node->upper[axis] -
                               grz_motion_centre(&p->check.motions[body], axis);
            v3 first = map_point(maps, body, 0, centre);
            for (int i = 1; i < maps->counts[body]; i++)
                longest = fmax(longest, v3_length(v3_sub(map_point(maps, body, i, centre), first)));
            way += longest;
        }
        least = fmin(least, way);
    }
    return least;
}

static bool prove(prover *p, const proof_cell *cell);

static bool split_time(prover *p, const proof_cell *cell)
{
    if (cell->time.level == GRZ_MOST_HALVINGS)
        return give_up(p, GRAZE_PROVE_TOO_NEAR, cell);
    if (!put_cell(p, (grz_certificate_cell){.kind = GRZ_CELL_SPLIT_TIME}))
        return false;
    proof_cell half = {
        {cell->nodes[0], cell->nodes[1]}, {cell->time.level + 1, 2 * cell->time.index}, 0.5 * cell->share};
    if (!prove(p, &half))
        return false;
    half.time.index++;
    return prove(p, &half);
}

static bool split_nodes(prover *p, const proof_cell *cell)
{
    const grz_triangle_node *nodes[2] = {node_of(p, cell, 0), node_of(p, cell, 1)};
    int side = radius_of(nodes[0]) >= radius_of(nodes[1]) ? 0 : 1;
    if (nodes[side]->children == GRZ_NO_NODE)
        side = 1 - side;
    int children = nodes[side]->children;
    grz_certificate_cell out = {.kind = side == 0 ? GRZ_CELL_SPLIT_A : GRZ_CELL_SPLIT_B,
                                .split = p->trees[side].nodes.data[children].end};
    if (!put_cell(p, out))
        return false;
    proof_cell half = *cell;
    half.share *= 0.5;
    half.nodes[side] = children;
    if (!prove(p, &half))
        return false;
    half.nodes[side] = children + 1;
    return prove(p, &half);
}

static bool count_work(prover *p, const proof_cell *cell)
{
    p->stats.pairs++;
    if (grz_monitor_box_tests(p->monitor, 1))
        return true;
    give_up(p, GRAZE_PROVE_BUDGET, cell);
    p->status = grz_monitor_status(p->monitor);
    return false;
}

/* Proves a cell, or gives up. */
static bool prove(prover *p, const proof_cell *cell)
{
    static const grz_plane_frame frames[] = {GRZ_FRAME_A, GRZ_FRAME_B, GRZ_FRAME_WORLD};
    if (!count_work(p, cell))
        return false;
    bool single = node_of(p, cell, 0)->children == GRZ_NO_NODE && node_of(p, cell, 1)->children == GRZ_NO_NODE;
    if (!are_apart_in_the_middle(p, cell))
        return single ? give_up(p, GRAZE_PROVE_TOO_NEAR, cell) : split_nodes(p, cell);
    for (int i = 0; i < GRZ_FRAME_COUNT; i++)
    {
        grz_plane_verdict verdict = try_frame(p, cell, frames[i]);
        if (verdict == GRZ_PLANE_VALID && p->monitor != NULL)
            grz_monitor_progress(p->monitor, p->monitor->share + cell->share);
        if (verdict != GRZ_PLANE_REFUSED)
            return verdict == GRZ_PLANE_VALID;
    }
    double size = fmax(radius_of(node_of(p, cell, 0)), radius_of(node_of(p, cell, 1)));
    return single || motion_of(p, cell) > MOTION_SHARE * size ? split_time(p, cell) : split_nodes(p, cell);
}

static graze_status prepare(prover *p, const double terms[3])
{
    const grz_certificate_side *sides = p->certificate->sides;
    const graze_motion motions[2] = {sides[0].motion, sides[1].motion};
    if (!grz_plane_check_open(p->context, p->meshes, motions, terms, &p->check))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    p->maps = grz_allocate_zeroed(p->context, MAP_CACHE_SIZE, sizeof *p->maps);
    if (p->maps == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (int body = 0; body < 2; body++)
    {
        size_t count = graze_mesh_vertex_count(p->meshes[body]);
        p->seen[body] = grz_allocate_zeroed(p->context, count, sizeof(uint32_t));
        p->vertices[body] = grz_allocate(p->context, count, sizeof(uint32_t));
        if (p->seen[body] == NULL || p->vertices[body] == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        if (!grz_mesh_hash(p->meshes[body], p->monitor, p->certificate->sides[body].hash))
            return grz_monitor_status(p->monitor);
        graze_status status =
            grz_triangle_tree_build(p->context, p->meshes[body], sides[body].order, p->monitor, &p->trees[body]);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    return GRAZE_STATUS_OK;
}

static graze_status run(prover *p, const double terms[3])
{
    graze_status status = prepare(p, terms);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool empty = graze_mesh_triangle_count(p->meshes[0]) == 0 || graze_mesh_triangle_count(p->meshes[1]) == 0;
    const proof_cell whole = {{0, 0}, {0, 0}, 1};
    if (empty) /* there is nothing to prove */
        return GRAZE_STATUS_OK;
    prove(p, &whole);
    p->stats.exact_checks = p->check.exact_checks;
    return p->status;
}

static void release(prover *p)
{
    grz_plane_check_close(&p->check);
    grz_release(p->context, p->maps);
    for (int body = 0; body < 2; body++)
    {
        grz_triangle_tree_release(&p->trees[body]);
        grz_release(p->context, p->seen[body]);
        grz_release(p->context, p->vertices[body]);
    }
    if (p->status != GRAZE_STATUS_OK)
        graze_certificate_destroy(p->certificate);
}

static graze_status check_arguments(const graze_moving_mesh *const meshes[2], const double terms[3])
{
    for (int i = 0; i < 3; i++)
        if (!isfinite(terms[i]) || terms[i] < 0)
            return isfinite(terms[i]) ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_NOT_FINITE;
    for (int body = 0; body < 2; body++)
    {
        graze_status status = graze_motion_check(&meshes[body]->motion);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (meshes[body]->end_mesh != NULL || meshes[body]->motion.kind > GRAZE_MOTION_BALLISTIC_TURN)
            return GRAZE_STATUS_UNSUPPORTED;
    }
    return GRAZE_STATUS_OK;
}

/* With checked arguments, in the default floating-point environment. */
static graze_status make_proof(prover *p, const graze_moving_mesh *const meshes[2], const double terms[3])
{
    const size_t counts[2] = {graze_mesh_triangle_count(meshes[0]->mesh), graze_mesh_triangle_count(meshes[1]->mesh)};
    p->certificate = grz_certificate_make(p->context, counts);
    if (p->certificate == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    p->certificate->clearance = grz_without_sign_of_zero(terms[0]);
    for (int body = 0; body < 2; body++)
    {
        p->meshes[body] = meshes[body]->mesh;
        p->certificate->sides[body].motion = grz_certificate_motion(&meshes[body]->motion);
        p->certificate->sides[body].deviation = grz_without_sign_of_zero(terms[1 + body]);
    }
    p->distance = terms[0] + terms[1] + terms[2];
    p->status = GRAZE_STATUS_OK;
    p->status = run(p, terms);
    release(p);
    return p->status;
}

graze_status graze_pair_prove_clear(const graze_context *context, const graze_moving_mesh *a,
                                    const graze_moving_mesh *b, double clearance, const graze_prove_options *options,
                                    graze_certificate **out_certificate)
{
    GRZ_FULL_STRUCT(graze_prove_options, options);
    if (a == NULL || b == NULL || a->mesh == NULL || b->mesh == NULL || out_certificate == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const graze_moving_mesh *meshes[2] = {a, b};
    const double terms[3] = {clearance, options != NULL ? options->deviation_a : 0,
                             options != NULL ? options->deviation_b : 0};
    graze_status status = check_arguments(meshes, terms);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_monitor monitor = grz_monitor_make(options != NULL ? &options->budget : NULL);
    prover *p = grz_allocate_zeroed(context, 1, sizeof *p);
    if (p == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    p->context = context;
    p->monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    status = make_proof(p, meshes, terms);
    grz_environment_leave_default(&environment);
    if (options != NULL && options->stats != NULL)
        *options->stats = p->stats;
    if (status == GRAZE_STATUS_OK)
        *out_certificate = p->certificate;
    else if (options != NULL && options->failure != NULL && p->failure.reason != GRAZE_PROVE_STARTED)
        *options->failure = p->failure;
    grz_release(context, p);
    return status;
}
