/* SPDX-License-Identifier: MIT */
/*
 * Meshes as solids: does one body hold the other?
 *
 * Where the surfaces do not meet, each component of one lies wholly inside or wholly outside the other, and one of its
 * corners tells which. Where they do meet, a corner strictly outside settles that there is no containment, and a
 * convex container holds all when it holds all corners and nothing crosses its surface. Crossing another's surface
 * leads outside only where its body ends there, for a surface may run through its own body; likewise a component of the
 * container within the other body may or may not be the wall of a cavity (shells.h). What is left stays unknown rather
 * than guessed.
 */
#include "base/memory.h"
#include "base/struct_size.h"
#include "mesh/examine.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"
#include "pair/solid/point_in_mesh.h"
#include "pair/solid/shells.h"
#include "pair/subquery.h"

/* One of the two meshes with everything the decision needs. */
typedef struct side
{
    const graze_placed_mesh *placed;
    const graze_mesh *mesh;
    const graze_pose *pose;
    grz_world_tree world;
    grz_placed_aabb *boxes; /* without a tree */
    graze_topology *topology;
    bool closed, oriented;
    grz_monitor *monitor; /* of the call; may be NULL */
} side;

static void release_side(const graze_context *context, side *s)
{
    grz_release(context, s->boxes);
    graze_topology_destroy(s->topology);
}

static graze_status prepare_side(const graze_context *context, const graze_placed_mesh *placed, grz_monitor *monitor,
                                 side *out_side)
{
    side s = {.placed = placed, .mesh = placed->mesh, .pose = &placed->pose, .monitor = monitor};
    graze_status status = grz_topology_create(context, s.mesh, monitor, &s.topology);
    if (status != GRAZE_STATUS_OK)
        return status;
    s.world = grz_world_tree_make(s.mesh, placed->tree, s.pose);
    if (s.world.tree == NULL)
        s.boxes = grz_placed_aabbs_make(context, s.mesh, s.pose, monitor);
    size_t misoriented = 0;
    status = s.world.tree == NULL && s.boxes == NULL
                 ? grz_monitor_or_memory(monitor)
                 : graze_topology_misoriented_faces(s.topology, NULL, 0, &misoriented);
    if (status != GRAZE_STATUS_OK)
    {
        release_side(context, &s);
        return status;
    }
    s.closed = grz_topology_is_closed(s.topology);
    s.oriented = misoriented == 0;
    *out_side = s;
    return GRAZE_STATUS_OK;
}

static grz_body_view body_of(const side *s)
{
    grz_body_view body = {s->mesh, s->pose, s->world, s->boxes, s->oriented, s->monitor};
    return body;
}

/* How the corners of one mesh lie in the other body. */
typedef struct vertex_classes
{
    bool any_inside, any_outside;
    uint32_t inside_triangle; /* one with a corner inside, if there is any */
} vertex_classes;

/* Looks at one corner of every component, or at every corner up to the first outside when surfaces meet. */
static graze_status classify_vertices(const graze_context *context, const side *counted, const side *around, bool meet,
                                      vertex_classes *out_classes)
{
    size_t face_count = graze_mesh_face_count(counted->mesh), component_count = 0;
    uint32_t *components = grz_allocate(context, face_count, sizeof *components);
    bool *seen = NULL; /* by component; there may be more of these than faces, see graze_topology_components */
    graze_status status = components == NULL
                              ? GRAZE_STATUS_OUT_OF_MEMORY
                              : graze_topology_components(context, counted->topology, components, &component_count);
    if (status == GRAZE_STATUS_OK)
    {
        seen = grz_allocate_zeroed(context, component_count, sizeof *seen);
        status = seen == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
    }
    vertex_classes result = {false, false, 0};
    grz_body_view body = body_of(around);
    for (size_t t = 0; status == GRAZE_STATUS_OK && t < counted->mesh->triangle_count; t++)
    {
        bool *component_seen = &seen[components[graze_mesh_triangle_face(counted->mesh, t)]];
        if (!meet && *component_seen)
            continue;
        *component_seen = true;
        for (size_t k = 0; k < (meet ? 3 : 1); k++)
        {
            const double *corner = grz_mesh_vertex(counted->mesh, counted->mesh->triangles[3 * t + k]);
            graze_location location = grz_locate_point(&body, corner, counted->pose);
            if (location == GRAZE_LOCATION_INSIDE && !result.any_inside)
                result.inside_triangle = (uint32_t)t;
            result.any_inside = result.any_inside || location == GRAZE_LOCATION_INSIDE;
            result.any_outside = result.any_outside || location == GRAZE_LOCATION_OUTSIDE;
        }
        if ((meet && result.any_outside) || !grz_monitor_work(around->monitor, 1))
            break;
    }
    if (status == GRAZE_STATUS_OK)
        status = grz_monitor_status(around->monitor);
    grz_release(context, components);
    grz_release(context, seen);
    if (status == GRAZE_STATUS_OK)
        *out_classes = result;
    return status;
}

typedef enum containment_verdict
{
    NOT_CONTAINED,
    CONTAINED,
    UNDECIDED
} containment_verdict;

static void place_corner(const side *s, size_t corner, interval out[3])
{
    grz_place_point(grz_mesh_vertex(s->mesh, s->mesh->triangles[corner]), s->pose, out);
}

/* False only when some corner of `inner` surely lies outside the box of `outer`. */
static bool box_may_contain(const side *outer, const side *inner)
{
    grz_placed_aabb hull = grz_placed_aabbs_union(NULL, 0);
    interval placed[3];
    for (size_t i = 0; i < 3 * outer->mesh->triangle_count && grz_monitor_work(outer->monitor, 1); i++)
    {
        place_corner(outer, i, placed);
        for (int axis = 0; axis < 3; axis++)
            hull.axes[axis] = interval_hull(hull.axes[axis], placed[axis]);
    }
    for (size_t i = 0; i < 3 * inner->mesh->triangle_count && grz_monitor_work(outer->monitor, 1); i++)
    {
        place_corner(inner, i, placed);
        for (int axis = 0; axis < 3; axis++)
            if (!interval_overlap(placed[axis], hull.axes[axis]))
                return false;
    }
    return true;
}

/* A search for a crossing that leads out of the body. */
typedef struct exit_search
{
    grz_body_view body;
    int tries_left; /* a body with no end at so many of its crossed triangles is left undecided */
    bool found;
} exit_search;

enum
{
    EXIT_TRIES = 256
};

static bool try_exit(void *user, const graze_hit *hit)
{
    exit_search *search = user;
    if (!hit->contact.crossing)
        return true;
    search->found = grz_body_is_bounded_at(&search->body, hit->triangle_b);
    return !search->found && --search->tries_left > 0 && grz_monitor_may_continue(search->body.monitor);
}

/* The corners of `inner` are all in `outer`, and the surfaces meet: is it so for what lies between the corners? */
static graze_status decide_meeting(const graze_context *context, const side *inner, const side *outer,
                                   const graze_pair_counts *counts, containment_verdict *out_verdict)
{
    graze_mesh_facts facts;
    graze_status status = grz_mesh_examine(context, outer->mesh, outer->topology, outer->monitor, &facts);
    if (status != GRAZE_STATUS_OK)
        return status;
    /* A singular pose may fold a convex body up, but what it makes of one is convex still. */
    /* shortcut: convex-container */
    *out_verdict = !facts.convex ? UNDECIDED : counts->crossing > 0 ? NOT_CONTAINED : CONTAINED;
    if (facts.convex || counts->crossing == 0)
        return GRAZE_STATUS_OK;
    exit_search search = {body_of(outer), EXIT_TRIES, false};
    graze_stats stats;
    graze_pair_options options = grz_subquery_options(outer->monitor, &stats);
    status = graze_pair_visit(context, inner->placed, outer->placed, &options, try_exit, &search);
    status = grz_subquery_end(outer->monitor, status, &stats);
    if (search.found)
        *out_verdict = NOT_CONTAINED;
    bool stopped_itself = status == GRAZE_STATUS_CANCELLED && grz_monitor_may_continue(outer->monitor);
    return stopped_itself ? GRAZE_STATUS_OK : status;
}

/* The surface of `inner` lies in `outer`, and the surfaces do not meet: does its body? */
static graze_status decide_apart(const graze_context *context, const side *inner, const side *outer,
                                 containment_verdict *out_verdict)
{
    *out_verdict = CONTAINED;
    if (!inner->closed)
        return GRAZE_STATUS_OK;
    vertex_classes components;
    graze_status status = classify_vertices(context, outer, inner, false, &components);
    if (status != GRAZE_STATUS_OK || !components.any_inside)
        return status;
    grz_body_view around = body_of(outer), within = body_of(inner);
    graze_verdict ends = GRAZE_VERDICT_YES;
    if (!grz_body_is_bounded_at(&around, components.inside_triangle))
        status = grz_is_bounded_within(context, &around, outer->topology, outer->placed->tree, &within, &ends);
    if (status == GRAZE_STATUS_OK)
        status = grz_monitor_status(outer->monitor);
    *out_verdict = ends == GRAZE_VERDICT_YES ? NOT_CONTAINED : ends == GRAZE_VERDICT_NO ? CONTAINED : UNDECIDED;
    return status;
}

/* Whether `inner` lies in `outer`; *out_overlap is set when some part of it does. */
static graze_status decide(const graze_context *context, const side *inner, const side *outer,
                           const graze_pair_counts *counts, containment_verdict *out_verdict, bool *out_overlap)
{
    bool meet = counts->pairs > 0;
    *out_verdict = NOT_CONTAINED;
    if (inner->mesh->triangle_count == 0)
        return GRAZE_STATUS_OK;
    bool may_contain = box_may_contain(outer, inner);
    if (!grz_monitor_may_continue(outer->monitor))
        return outer->monitor->status;
    if (!outer->closed)
    {
        *out_verdict = may_contain && counts->crossing == 0 ? UNDECIDED : NOT_CONTAINED;
        return GRAZE_STATUS_OK;
    }
    if (meet && !may_contain)
        return GRAZE_STATUS_OK;
    vertex_classes corners;
    graze_status status = classify_vertices(context, inner, outer, meet, &corners);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_overlap = *out_overlap || corners.any_inside;
    if (corners.any_outside)
        return GRAZE_STATUS_OK;
    return meet ? decide_meeting(context, inner, outer, counts, out_verdict)
                : decide_apart(context, inner, outer, out_verdict);
}

static graze_status decide_both(const graze_context *context, const side *a, const side *b,
                                const graze_pair_counts *counts, graze_solid_answer *out_answer)
{
    graze_solid_answer answer = {counts->pairs > 0, GRAZE_CONTAINMENT_NONE};
    containment_verdict a_in_b = NOT_CONTAINED, b_in_a = NOT_CONTAINED;
    graze_status status = decide(context, a, b, counts, &a_in_b, &answer.collide);
    if (status == GRAZE_STATUS_OK && a_in_b != CONTAINED)
        status = decide(context, b, a, counts, &b_in_a, &answer.collide);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (a_in_b == CONTAINED)
        answer.containment = GRAZE_CONTAINMENT_A_IN_B;
    else if (b_in_a == CONTAINED)
        answer.containment = GRAZE_CONTAINMENT_B_IN_A;
    else if (a_in_b == UNDECIDED || b_in_a == UNDECIDED)
        answer.containment = GRAZE_CONTAINMENT_UNKNOWN;
    *out_answer = answer;
    return GRAZE_STATUS_OK;
}

static graze_status prepare_and_decide(const graze_context *context, const graze_placed_mesh *a,
                                       const graze_placed_mesh *b, const graze_pair_counts *counts,
                                       grz_monitor *monitor, graze_solid_answer *out_answer)
{
    side sides[2];
    graze_status status = prepare_side(context, a, monitor, &sides[0]);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = prepare_side(context, b, monitor, &sides[1]);
    if (status == GRAZE_STATUS_OK)
    {
        status = decide_both(context, &sides[0], &sides[1], counts, out_answer);
        release_side(context, &sides[1]);
    }
    release_side(context, &sides[0]);
    return status;
}

graze_status graze_pair_containment(const graze_context *context, const graze_placed_mesh *a,
                                    const graze_placed_mesh *b, const graze_pair_options *options,
                                    graze_solid_answer *out_answer)
{
    if (out_answer == NULL || !GRZ_STRUCT_FITS(options))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_monitor monitor = grz_monitor_make(options != NULL ? &options->budget : NULL);
    graze_pair_counts counts;
    graze_stats stats;
    grz_monitor_stage(&monitor, 0.75);
    graze_pair_options count_options = grz_subquery_options(&monitor, &stats);
    graze_status status = grz_subquery_end(&monitor, graze_pair_count(context, a, b, &count_options, &counts), &stats);
    if (status == GRAZE_STATUS_BAD_ARGUMENT || status == GRAZE_STATUS_NOT_FINITE)
        return status;
    grz_monitor_stage(&monitor, 1);
    grz_monitor_progress(&monitor, 0);
    if (status == GRAZE_STATUS_OK)
        status = prepare_and_decide(context, a, b, &counts, &monitor, out_answer);
    stats.box_tests = monitor.box_tests;
    if (options != NULL && options->stats != NULL)
        *options->stats = stats;
    return status;
}

graze_status graze_point_in_mesh(const graze_context *context, const graze_placed_mesh *mesh, const double point[3],
                                 const graze_budget *budget, graze_location *out_location)
{
    if (mesh == NULL || mesh->mesh == NULL || point == NULL || out_location == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = graze_pose_check(&mesh->pose, NULL);
    if (status == GRAZE_STATUS_OK && !(isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2])))
        status = GRAZE_STATUS_NOT_FINITE;
    if (status != GRAZE_STATUS_OK)
        return status;
    side s;
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    status = prepare_side(context, mesh, budget != NULL ? &monitor : NULL, &s);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_body_view body = body_of(&s);
    graze_location location = s.closed ? grz_locate_point(&body, point, NULL) : GRAZE_LOCATION_OUTSIDE;
    status = s.closed ? grz_monitor_status(s.monitor) : GRAZE_STATUS_BAD_ARGUMENT;
    if (status == GRAZE_STATUS_OK)
        *out_location = location;
    release_side(context, &s);
    return status;
}
