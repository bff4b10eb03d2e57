/* SPDX-License-Identifier: MIT */
/*
 * Checks tool paths; see graze/tool_path.h. A cutter gouges in a move if its open swept region meets the surface, or
 * lies within the part. Balls ask whether a segment (a degenerate triangle), or the box of a dog leg, is closer to the
 * surface than the radius; cylinders test the triangles near by (swept_cylinder.c).
 *
 * A region that does not meet the surface is connected: it is within the part if one of its points is. A move that
 * begins where one ended that did not gouge needs no such test.
 */
#include "graze/tool_path.h"

#include <math.h>

#include "base/environment.h"
#include "base/struct_size.h"
#include "graze/distance.h"
#include "pair/solid/body.h"
#include "tool_path/near_triangles.h"
#include "tool_path/swept_cylinder.h"
#include "tree/tree.h"

/* Places of a ball's centre as a mesh: a segment, or a box. */
typedef struct cutter_places
{
    graze_mesh *mesh;
    graze_tree *tree;
} cutter_places;

typedef struct path_check
{
    const graze_context *context;
    graze_placed_mesh part;
    const graze_cutter *cutters;
    size_t cutter_count;
    const graze_tool_path_options *options;
    grz_monitor *monitor; /* may be NULL */
    cutter_places segment, box;
    grz_swept_cylinder cylinder;
    grz_placed_body body; /* if the part is a solid */
    bool solid;
    bool outside; /* the last move did not gouge, */
    double at[3]; /* and ended here */
    graze_status status;
} path_check;

/* What one cutter does in one move. */
typedef struct contact
{
    bool gouges;
    uint64_t triangle;
} contact;

static bool stop(path_check *c, graze_status status)
{
    if (c->status == GRAZE_STATUS_OK)
        c->status = status;
    return false;
}

static graze_status make_place_mesh(const graze_context *context, const uint32_t *corners, size_t corner_count,
                                    size_t vertex_count, cutter_places *out)
{
    static const double origin[3 * GRZ_MOST_PLACES] = {0};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = origin;
    def.vertex_count = vertex_count;
    def.corners = corners;
    def.corner_count = corner_count;
    graze_status status = graze_mesh_create(context, &def, NULL, &out->mesh);
    return status == GRAZE_STATUS_OK ? graze_tree_create(context, out->mesh, NULL, NULL, &out->tree) : status;
}

/* The places between two points: the corners of their box, whose bits tell which of both; or themselves. */
static int set_places(const double start[3], const double end[3], bool dog_leg, double places[GRZ_MOST_PLACES][3])
{
    int count = dog_leg ? 8 : 2;
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++)
            places[i][axis] = (dog_leg ? i >> axis & 1 : i) != 0 ? end[axis] : start[axis];
    return count;
}

static bool move_places(path_check *c, const cutter_places *mesh, const double *places)
{
    graze_status status = graze_mesh_move_vertices(mesh->mesh, places, 0, GRAZE_SCALAR_DOUBLE, NULL);
    if (status == GRAZE_STATUS_OK)
        status = graze_tree_refit(c->context, mesh->tree, mesh->mesh);
    return status == GRAZE_STATUS_OK || stop(c, status);
}

static bool is_between(double x, double a, double b)
{
    return (a <= x && x <= b) || (b <= x && x <= a);
}

/* A vertex of the part within the box of a dog leg: where its surface is not near to that of the box, one is if any
   is. */
typedef struct vertex_search
{
    const graze_mesh *mesh;
    const double *start, *end;
    uint32_t found;
} vertex_search;

static bool has_vertex_within(void *user, uint32_t triangle)
{
    vertex_search *search = user;
    const double *v = grz_triangle_corner(search->mesh, triangle, 0);
    search->found = triangle;
    for (int axis = 0; axis < 3; axis++)
        if (!is_between(v[axis], search->start[axis], search->end[axis]))
            return false;
    return true;
}

static contact check_ball(path_check *c, const graze_tool_move *move, const graze_cutter *cutter)
{
    contact out = {false, GRAZE_NO_INDEX};
    double start[3], end[3], places[GRZ_MOST_PLACES][3];
    for (int axis = 0; axis < 3; axis++)
    {
        start[axis] = move->start[axis] + (axis == 2 ? cutter->lower : 0);
        end[axis] = move->end[axis] + (axis == 2 ? cutter->lower : 0);
    }
    set_places(start, end, move->dog_leg, places);
    const cutter_places *mesh = move->dog_leg ? &c->box : &c->segment;
    if (!move_places(c, mesh, places[0]))
        return out;
    const graze_placed_mesh ball = {mesh->mesh, mesh->tree, graze_pose_identity()};
    graze_tolerance_options options = graze_tolerance_options_default();
    graze_proximity near = {0};
    options.strict = true;
    graze_status status =
        graze_pair_tolerance_any(c->context, &ball, &c->part, cutter->radius, &options, &out.gouges, &near);
    if (status != GRAZE_STATUS_OK)
        stop(c, status);
    if (!grz_monitor_box_tests(c->monitor, 1))
        stop(c, grz_monitor_status(c->monitor));
    out.triangle = out.gouges ? near.triangle_b : GRAZE_NO_INDEX;
    if (out.gouges || !move->dog_leg)
        return out;
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = fmin(start[axis], end[axis]);
        box.upper[axis] = fmax(start[axis], end[axis]);
    }
    vertex_search search = {c->part.mesh, start, end, 0};
    out.gouges = grz_near_triangles(c->part.mesh, c->part.tree, &box, has_vertex_within, &search);
    out.triangle = out.gouges ? search.found : GRAZE_NO_INDEX;
    return out;
}

typedef struct cylinder_search
{
    path_check *check;
    uint32_t found;
} cylinder_search;

static bool cylinder_meets(void *user, uint32_t triangle)
{
    cylinder_search *search = user;
    path_check *c = search->check;
    double corners[3][3];
    for (size_t k = 0; k < 3; k++)
        memcpy(corners[k], grz_triangle_corner(c->part.mesh, triangle, k), sizeof corners[k]);
    search->found = triangle;
    if (!grz_monitor_box_tests(c->monitor, 1))
        stop(c, grz_monitor_status(c->monitor));
    bool meets = grz_swept_cylinder_meets(&c->cylinder, (const double(*)[3])corners);
    if (c->cylinder.out_of_memory)
        stop(c, GRAZE_STATUS_OUT_OF_MEMORY);
    return meets || c->status != GRAZE_STATUS_OK;
}

static contact check_cylinder(path_check *c, const graze_tool_move *move, const graze_cutter *cutter)
{
    cylinder_search search = {c, 0};
    grz_swept_cylinder *cylinder = &c->cylinder;
    cylinder->radius = cutter->radius;
    cylinder->lower = cutter->lower;
    cylinder->upper = cutter->upper;
    cylinder->place_count = set_places(move->start, move->end, move->dog_leg, cylinder->places);
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = fmin(move->start[axis], move->end[axis]), upper = fmax(move->start[axis], move->end[axis]);
        lower += axis == 2 ? cutter->lower : -cutter->radius;
        upper += axis == 2 ? cutter->upper : cutter->radius;
        const interval ends = interval_outward(lower, upper);
        box.lower[axis] = ends.lower;
        box.upper[axis] = ends.upper;
    }
    bool found =
        grz_near_triangles(c->part.mesh, c->part.tree, &box, cylinder_meets, &search) && c->status == GRAZE_STATUS_OK;
    return (contact){found, found ? search.found : GRAZE_NO_INDEX};
}

/* The cutter smaller by this all around. False: nothing is left of it. */
static bool shrink(const graze_cutter *cutter, double by, graze_cutter *out)
{
    *out = *cutter;
    out->radius -= by;
    if (cutter->kind == GRAZE_CUTTER_CYLINDER)
    {
        out->lower += by;
        out->upper -= by;
    }
    return out->radius > 0 && (cutter->kind == GRAZE_CUTTER_BALL || out->lower < out->upper);
}

/* A point of the region of a cutter at the start of a move. */
static bool is_within_part(path_check *c, const graze_tool_move *move, const graze_cutter *cutter)
{
    if (!c->solid || (cutter->kind == GRAZE_CUTTER_CYLINDER && cutter->upper == INFINITY)) /* it is bounded */
        return false;
    double height = cutter->kind == GRAZE_CUTTER_BALL ? cutter->lower : 0.5 * cutter->lower + 0.5 * cutter->upper;
    double point[3] = {move->start[0], move->start[1], move->start[2] + height};
    grz_body_view view = grz_placed_body_view(&c->body);
    return grz_locate_point(&view, point, NULL) == GRAZE_LOCATION_INSIDE;
}

/* Whether a cutter gouges. `is_outside`: it is known not to be within the part, where it does not meet it. */
static contact check_cutter(path_check *c, const graze_tool_move *move, const graze_cutter *cutter, double shrunk,
                            bool is_outside)
{
    graze_cutter smaller;
    contact out = {false, GRAZE_NO_INDEX};
    if (!shrink(cutter, shrunk, &smaller))
        return out;
    out = cutter->kind == GRAZE_CUTTER_BALL ? check_ball(c, move, &smaller) : check_cylinder(c, move, &smaller);
    if (!out.gouges && !is_outside && c->status == GRAZE_STATUS_OK)
        out.gouges = is_within_part(c, move, &smaller);
    return out;
}

/* The depth of a ball that gouges along a line: what is left of its radius at the least distance of its centre from the
   surface; all of it within the part. */
static void measure_ball(path_check *c, const graze_cutter *cutter, bool is_within, graze_gouge *gouge)
{
    const graze_placed_mesh ball = {c->segment.mesh, c->segment.tree, graze_pose_identity()};
    graze_distance distance = {.found = false};
    gouge->depth_lower = gouge->depth_upper = cutter->radius;
    if (is_within)
        return;
    graze_status status = graze_pair_distance(c->context, &ball, &c->part, NULL, &distance);
    if (status != GRAZE_STATUS_OK)
        stop(c, status);
    const interval depth = interval_sub(interval_point(cutter->radius), (interval){distance.lower, distance.upper});
    gouge->depth_lower = fmax(depth.lower, 0);
    gouge->depth_upper = fmin(depth.upper, cutter->radius);
}

/* Bounds of how much smaller a cutter may be and still gouge. */
static void measure_depth(path_check *c, const graze_tool_move *move, const graze_cutter *cutter, double from,
                          graze_gouge *gouge)
{
    gouge->depth_lower = from;
    gouge->depth_upper = cutter->radius;
    if (cutter->kind == GRAZE_CUTTER_CYLINDER)
        gouge->depth_upper = fmin(cutter->radius, 0.5 * (cutter->upper - cutter->lower));
    else if (!move->dog_leg && c->options->depth_steps > 0)
    {
        measure_ball(c, cutter, is_within_part(c, move, cutter), gouge);
        return;
    }
    for (uint32_t step = 0; step < c->options->depth_steps && c->status == GRAZE_STATUS_OK; step++)
    {
        double middle = 0.5 * (gouge->depth_lower + gouge->depth_upper);
        if (check_cutter(c, move, cutter, middle, false).gouges)
            gouge->depth_lower = middle;
        else
            gouge->depth_upper = middle;
    }
}

/* Decides a move: with the deviation taken off a gouge is certain, and with it added no gouge is. */
static void check_move(path_check *c, const graze_tool_move *move, graze_gouge *out)
{
    bool follows = c->outside && memcmp(c->at, move->start, sizeof c->at) == 0;
    *out = (graze_gouge){.verdict = GRAZE_VERDICT_NO, .triangle = GRAZE_NO_INDEX};
    for (size_t i = 0; i < c->cutter_count && c->status == GRAZE_STATUS_OK; i++)
    {
        const graze_cutter *cutter = &c->cutters[i];
        double threshold = c->options->threshold;
        contact found = check_cutter(c, move, cutter, threshold - move->deviation, follows);
        if (!found.gouges)
            continue;
        if (move->deviation > 0)
            found = check_cutter(c, move, cutter, threshold + move->deviation, follows);
        if (found.gouges)
        {
            *out = (graze_gouge){GRAZE_VERDICT_YES, (uint32_t)i, found.triangle, 0, 0};
            measure_depth(c, move, cutter, threshold + move->deviation, out);
            if (move->deviation > 0)
            {
                out->depth_lower = fmax(out->depth_lower - move->deviation, 0);
                out->depth_upper += move->deviation;
            }
            break;
        }
        if (out->verdict == GRAZE_VERDICT_NO)
            *out = (graze_gouge){GRAZE_VERDICT_UNKNOWN, (uint32_t)i, GRAZE_NO_INDEX, 0, 0};
    }
    c->outside = out->verdict == GRAZE_VERDICT_NO;
    memcpy(c->at, move->end, sizeof c->at);
}

static graze_status check_cutters(const graze_cutter *cutters, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        const graze_cutter *it = &cutters[i];
        bool cylinder = it->kind == GRAZE_CUTTER_CYLINDER;
        if (!isfinite(it->radius) || !isfinite(it->lower) || (cylinder && isnan(it->upper)))
            return GRAZE_STATUS_NOT_FINITE;
        if (!(it->radius > 0) || (!cylinder && it->kind != GRAZE_CUTTER_BALL) || (cylinder && it->lower >= it->upper))
            return GRAZE_STATUS_BAD_ARGUMENT;
    }
    return GRAZE_STATUS_OK;
}

static graze_status check_moves(const graze_tool_move *moves, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        for (int axis = 0; axis < 3; axis++)
            if (!isfinite(moves[i].start[axis]) || !isfinite(moves[i].end[axis]))
                return GRAZE_STATUS_NOT_FINITE;
        if (!isfinite(moves[i].deviation))
            return GRAZE_STATUS_NOT_FINITE;
        if (moves[i].deviation < 0)
            return GRAZE_STATUS_BAD_ARGUMENT;
    }
    return GRAZE_STATUS_OK;
}

static graze_status prepare(path_check *c)
{
    static const uint32_t segment[] = {0, 1, 1};
    static const uint32_t box[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    graze_status status = make_place_mesh(c->context, segment, 3, 2, &c->segment);
    if (status == GRAZE_STATUS_OK)
        status = make_place_mesh(c->context, box, 36, 8, &c->box);
    if (status != GRAZE_STATUS_OK || c->options->surface)
        return status;
    status = grz_placed_body_make(c->context, &c->part, NULL, c->monitor, &c->body);
    c->solid = status == GRAZE_STATUS_OK;
    return c->solid && !c->body.body->adjacency.closed ? GRAZE_STATUS_BAD_ARGUMENT : status;
}

static void release(path_check *c)
{
    graze_tree_destroy(c->segment.tree);
    graze_mesh_destroy(c->segment.mesh);
    graze_tree_destroy(c->box.tree);
    graze_mesh_destroy(c->box.mesh);
    grz_swept_cylinder_release(&c->cylinder);
    if (c->solid)
        grz_placed_body_release(c->context, &c->body);
}

graze_status graze_tool_path_check(const graze_context *context, const graze_mesh *part, const graze_tree *tree,
                                   const graze_cutter *cutters, size_t cutter_count, const graze_tool_move *moves,
                                   size_t move_count, const graze_tool_path_options *options, graze_gouge *out_gouges)
{
    const graze_tool_path_options defaults = graze_tool_path_options_default();
    GRZ_FULL_STRUCT(graze_tool_path_options, options);
    if (part == NULL || (cutters == NULL && cutter_count > 0) || (moves == NULL && move_count > 0) ||
        (out_gouges == NULL && move_count > 0) || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    options = options != NULL ? options : &defaults;
    if (!isfinite(options->threshold))
        return GRAZE_STATUS_NOT_FINITE;
    if (options->threshold < 0 || (tree != NULL && tree->mesh != part))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = check_cutters(cutters, cutter_count);
    if (status == GRAZE_STATUS_OK)
        status = check_moves(moves, move_count);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_monitor monitor = grz_monitor_make(&options->budget);
    path_check c = {.context = context,
                    .part = {part, tree, graze_pose_identity()},
                    .cutters = cutters,
                    .cutter_count = cutter_count,
                    .options = options,
                    .monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL,
                    .cylinder = {.context = context}};
    graze_gouge *gouges = grz_allocate(context, move_count, sizeof *gouges);
    if (gouges == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    c.status = prepare(&c);
    for (size_t i = 0; i < move_count && c.status == GRAZE_STATUS_OK; i++)
    {
        check_move(&c, &moves[i], &gouges[i]);
        if (c.monitor != NULL)
            grz_monitor_progress(c.monitor, (double)i / (double)move_count);
    }
    release(&c);
    grz_environment_leave_default(&environment);
    if (c.status == GRAZE_STATUS_OK && move_count > 0)
        memcpy(out_gouges, gouges, move_count * sizeof *gouges);
    grz_release(context, gouges);
    return c.status;
}
