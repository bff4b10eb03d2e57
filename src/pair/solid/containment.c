/* SPDX-License-Identifier: MIT */
/*
 * Containment of solids: does one body contain the other?
 *
 * If the surfaces do not meet, each component of one lies wholly inside or wholly outside the other body, and the
 * location of one vertex decides which. If they meet, a vertex strictly outside disproves containment, and a convex
 * body contains the other when it contains all vertices and no triangle crosses its surface. Crossing a surface leads
 * outside only where the body is bounded there, since a surface may run through its own body; likewise a component of
 * the container inside the other body may or may not be the wall of a cavity (shells.h). All other cases are UNKNOWN.
 */
#include "base/struct_size.h"
#include "pair/arguments.h"
#include "pair/solid/body.h"
#include "pair/solid/shells.h"
#include "pair/subquery.h"

/* Locations of the vertices of one mesh in the other body. */
typedef struct vertex_classes
{
    bool any_inside, any_outside;
    uint32_t inside_triangle; /* a triangle with a corner inside, if any_inside */
} vertex_classes;

static void classify(vertex_classes *classes, const grz_body_view *body, const graze_placed_mesh *placed,
                     uint32_t corner)
{
    const double *vertex = grz_mesh_vertex(placed->mesh, placed->mesh->triangles[corner]);
    graze_location location = grz_locate_point(body, vertex, &placed->pose);
    if (location == GRAZE_LOCATION_INSIDE && !classes->any_inside)
        classes->inside_triangle = corner / 3;
    classes->any_inside = classes->any_inside || location == GRAZE_LOCATION_INSIDE;
    classes->any_outside = classes->any_outside || location == GRAZE_LOCATION_OUTSIDE;
}

/* Locates one corner of every component or, when the surfaces meet, all corners up to the first one outside. */
static graze_status classify_vertices(const grz_placed_body *counted, const grz_placed_body *around, bool meet,
                                      vertex_classes *out_classes)
{
    const graze_body *surface = counted->body;
    size_t count = meet ? 3 * surface->mesh->triangle_count : surface->adjacency.component_count;
    grz_body_view body = grz_placed_body_view(around);
    *out_classes = (vertex_classes){false, false, 0};
    for (uint32_t i = 0; i < count && !(meet && out_classes->any_outside) && grz_monitor_work(around->monitor, 1); i++)
        classify(out_classes, &body, counted->placed, meet ? i : surface->corners[i]);
    return grz_monitor_status(around->monitor);
}

typedef enum containment_verdict
{
    NOT_CONTAINED,
    CONTAINED,
    UNDECIDED
} containment_verdict;

static void place_corner(const graze_placed_mesh *placed, size_t corner, interval out[3])
{
    grz_place_point(grz_mesh_vertex(placed->mesh, placed->mesh->triangles[corner]), &placed->pose, out);
}

/* False only when some corner of `inner` surely lies outside the AABB of `outer`. */
static bool box_may_contain(const grz_placed_body *outer, const grz_placed_body *inner)
{
    grz_placed_aabb hull = grz_placed_aabbs_union(NULL, 0);
    interval placed[3];
    for (size_t i = 0; i < 3 * outer->body->mesh->triangle_count && grz_monitor_work(outer->monitor, 1); i++)
    {
        place_corner(outer->placed, i, placed);
        for (int axis = 0; axis < 3; axis++)
            hull.axes[axis] = interval_hull(hull.axes[axis], placed[axis]);
    }
    for (size_t i = 0; i < 3 * inner->body->mesh->triangle_count && grz_monitor_work(outer->monitor, 1); i++)
    {
        place_corner(inner->placed, i, placed);
        for (int axis = 0; axis < 3; axis++)
            if (!interval_overlap(placed[axis], hull.axes[axis]))
                return false;
    }
    return true;
}

/* Search for a crossing at which the other mesh leaves the body. */
typedef struct exit_search
{
    grz_body_view body;
    int tries_left; /* crossed triangles still to be tested; at 0 the answer is UNDECIDED */
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

/* All corners of `inner` lie in `outer` or on its surface, and the surfaces meet: decides whether all of `inner` does.
 */
static graze_status decide_meeting(const graze_context *context, const grz_placed_body *inner,
                                   const grz_placed_body *outer, const graze_pair_counts *counts,
                                   containment_verdict *out_verdict)
{
    bool convex;
    graze_status status = grz_body_is_convex(context, outer->body, outer->monitor, &convex);
    if (status != GRAZE_STATUS_OK)
        return status;
    /* The image of a convex body under a singular pose is convex as well. */
    /* shortcut: convex-container */
    *out_verdict = !convex ? UNDECIDED : counts->crossing > 0 ? NOT_CONTAINED : CONTAINED;
    if (convex || counts->crossing == 0)
        return GRAZE_STATUS_OK;
    exit_search search = {grz_placed_body_view(outer), EXIT_TRIES, false};
    graze_stats stats;
    graze_pair_options options = grz_subquery_options(outer->monitor, &stats);
    status = graze_pair_visit(context, inner->placed, outer->placed, &options, try_exit, &search);
    status = grz_subquery_end(outer->monitor, status, &stats);
    if (search.found)
        *out_verdict = NOT_CONTAINED;
    bool stopped_itself = status == GRAZE_STATUS_CANCELLED && grz_monitor_may_continue(outer->monitor);
    return stopped_itself ? GRAZE_STATUS_OK : status;
}

/* The surface of `inner` lies inside `outer`, and the surfaces do not meet: decides whether the body of `inner` does.
 */
static graze_status decide_apart(const graze_context *context, const grz_placed_body *inner,
                                 const grz_placed_body *outer, containment_verdict *out_verdict)
{
    *out_verdict = CONTAINED;
    if (!inner->body->adjacency.closed)
        return GRAZE_STATUS_OK;
    vertex_classes components;
    graze_status status = classify_vertices(outer, inner, false, &components);
    if (status != GRAZE_STATUS_OK || !components.any_inside)
        return status;
    grz_body_view around = grz_placed_body_view(outer);
    graze_verdict ends = GRAZE_VERDICT_YES;
    if (!grz_body_is_bounded_at(&around, components.inside_triangle))
        status = grz_is_bounded_within(context, outer, inner, &ends);
    if (status == GRAZE_STATUS_OK)
        status = grz_monitor_status(outer->monitor);
    *out_verdict = ends == GRAZE_VERDICT_YES ? NOT_CONTAINED : ends == GRAZE_VERDICT_NO ? CONTAINED : UNDECIDED;
    return status;
}

/* Whether `inner` lies in `outer`; *out_overlap becomes true when some vertex of `inner` lies inside. */
static graze_status decide(const graze_context *context, const grz_placed_body *inner, const grz_placed_body *outer,
                           const graze_pair_counts *counts, containment_verdict *out_verdict, bool *out_overlap)
{
    bool meet = counts->pairs > 0;
    *out_verdict = NOT_CONTAINED;
    if (inner->body->mesh->triangle_count == 0)
        return GRAZE_STATUS_OK;
    bool may_contain = box_may_contain(outer, inner);
    if (!grz_monitor_may_continue(outer->monitor))
        return outer->monitor->status;
    if (!outer->body->adjacency.closed)
    {
        *out_verdict = may_contain && counts->crossing == 0 ? UNDECIDED : NOT_CONTAINED;
        return GRAZE_STATUS_OK;
    }
    if (meet && !may_contain)
        return GRAZE_STATUS_OK;
    vertex_classes corners;
    graze_status status = classify_vertices(inner, outer, meet, &corners);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_overlap = *out_overlap || corners.any_inside;
    if (corners.any_outside)
        return GRAZE_STATUS_OK;
    return meet ? decide_meeting(context, inner, outer, counts, out_verdict)
                : decide_apart(context, inner, outer, out_verdict);
}

static graze_status decide_both(const graze_context *context, const grz_placed_body *a, const grz_placed_body *b,
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
                                       const graze_placed_mesh *b, const graze_known_pair *known,
                                       const graze_pair_counts *counts, grz_monitor *monitor,
                                       graze_solid_answer *out_answer)
{
    grz_placed_body sides[2];
    graze_status status = grz_placed_body_make(context, a, known->body_a, monitor, &sides[0]);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = grz_placed_body_make(context, b, known->body_b, monitor, &sides[1]);
    if (status == GRAZE_STATUS_OK)
    {
        status = decide_both(context, &sides[0], &sides[1], counts, out_answer);
        grz_placed_body_release(context, &sides[1]);
    }
    grz_placed_body_release(context, &sides[0]);
    return status;
}

graze_status graze_pair_containment(const graze_context *context, const graze_placed_mesh *a,
                                    const graze_placed_mesh *b, const graze_pair_options *options,
                                    graze_solid_answer *out_answer)
{
    return graze_pair_containment_known(context, a, b, NULL, options, out_answer);
}

/* The hit counts: those the caller knows, else those of a query. */
static graze_status find_counts(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                const graze_known_pair *known, grz_monitor *monitor, graze_stats *stats,
                                graze_pair_counts *out_counts)
{
    if (known->counts != NULL)
    {
        *out_counts = *known->counts;
        return grz_check_arguments(a, b);
    }
    graze_pair_options options = grz_subquery_options(monitor, stats);
    return grz_subquery_end(monitor, graze_pair_count(context, a, b, &options, out_counts), stats);
}

graze_status graze_pair_containment_known(const graze_context *context, const graze_placed_mesh *a,
                                          const graze_placed_mesh *b, const graze_known_pair *known,
                                          const graze_pair_options *options, graze_solid_answer *out_answer)
{
    GRZ_FULL_STRUCT(graze_pair_options, options);
    if (out_answer == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const graze_known_pair nothing = {NULL, NULL, NULL};
    known = known != NULL ? known : &nothing;
    grz_monitor monitor = grz_monitor_make(options != NULL ? &options->budget : NULL);
    graze_pair_counts counts;
    graze_stats stats = {0};
    grz_monitor_stage(&monitor, 0.75);
    graze_status status = find_counts(context, a, b, known, &monitor, &stats, &counts);
    if (status == GRAZE_STATUS_BAD_ARGUMENT || status == GRAZE_STATUS_NOT_FINITE)
        return status;
    grz_monitor_stage(&monitor, 1);
    grz_monitor_progress(&monitor, 0);
    if (status == GRAZE_STATUS_OK)
        status = prepare_and_decide(context, a, b, known, &counts, &monitor, out_answer);
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
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    grz_placed_body side;
    status = grz_placed_body_make(context, mesh, NULL, budget != NULL ? &monitor : NULL, &side);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_body_view body = grz_placed_body_view(&side);
    bool closed = side.body->adjacency.closed;
    graze_location location = closed ? grz_locate_point(&body, point, NULL) : GRAZE_LOCATION_OUTSIDE;
    status = closed ? grz_monitor_status(&monitor) : GRAZE_STATUS_BAD_ARGUMENT;
    if (status == GRAZE_STATUS_OK)
        *out_location = location;
    grz_placed_body_release(context, &side);
    return status;
}
