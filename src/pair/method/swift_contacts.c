/* SPDX-License-Identifier: MIT */
/*
 * Disjoint contacts, SWIFT++'s fifth query (002 2.5): pairs of pieces whose hulls come within the tolerance, in them
 * all pairs of triangles that do, exactly, and of these the local minima (disjoint_contacts.h).
 */
#include "pair/aabb.h"
#include "pair/method/disjoint_contacts.h"
#include "pair/method/swift.h"

/* Coordinates of which the measures in doubles lose none of what they multiply. */
#define LEAST_COORDINATE 0x1p-150
#define LARGEST_COORDINATE 0x1p150

typedef struct contact_search
{
    grz_swift_traversal traversal; /* first: what opens nodes reads it */
    double tolerance;
    bool exact; /* measures in doubles are far from the distance: coordinates are too small or large */
    grz_measure_frame frame;
    grz_triangle_pair_batch batch;
    grz_near_pairs near;
    GRZ_ARRAY(grz_placed_aabb) boxes; /* of the triangles of two leaves */
} contact_search;

/* The lower bound of the distance of two polytopes is certified. */
static bool hulls_are_near(void *user, uint32_t node_a, uint32_t node_b)
{
    contact_search *s = user;
    const grz_convex_body a = grz_swift_placed_hull(&s->traversal, 0, node_a),
                          b = grz_swift_placed_hull(&s->traversal, 1, node_b);
    const grz_convex_limits limits = {.enough = s->tolerance};
    grz_convex_distance distance;
    grz_convex_pair_distance(&a, &b, NULL, &limits, &distance);
    s->traversal.query->counters.supports += 2;
    return !(distance.verdict == GRZ_CONVEX_APART && distance.lower > s->tolerance);
}

/* Measures what was collected, and keeps what is within the tolerance. */
static bool measure(contact_search *s)
{
    grz_method_query *query = s->traversal.query;
    grz_closest_pair gaps[GRZ_LANES];
    unsigned count = s->batch.count;
    if (count == 0)
        return true;
    grz_measure_pairs(&s->frame, &s->batch, gaps);
    s->batch.count = 0;
    query->counters.primitives += count;
    for (unsigned i = 0; i < count; i++)
    {
        bool near = gaps[i].upper <= s->tolerance ||
                    (gaps[i].lower <= s->tolerance && grz_pair_is_within(&s->frame, &gaps[i], s->tolerance, false));
        if (near && s->exact && !gaps[i].meet && gaps[i].shifted)
            grz_measure_exactly(&s->frame, &gaps[i]);
        if (near && !GRZ_PUSH(query->context, &s->near, ((grz_near_pair){.gap = gaps[i]})))
        {
            query->out_of_memory = true;
            return false;
        }
    }
    return grz_monitor_exact_tests(&query->monitor, count);
}

/* Whether two boxes are farther apart than the tolerance along an axis: differences are rounded monotonically. */
static bool boxes_are_far(const grz_placed_aabb *a, const grz_placed_aabb *b, double tolerance)
{
    for (int i = 0; i < 3; i++)
        if (a->axes[i].lower - b->axes[i].upper > tolerance || b->axes[i].lower - a->axes[i].upper > tolerance)
            return true;
    return false;
}

/* Boxes of the triangles of both patches, one after the other. */
static bool place_boxes(contact_search *s, const uint32_t patches[2])
{
    grz_method_query *query = s->traversal.query;
    const grz_surface_patches *of[2] = {&s->traversal.a->patches, &s->traversal.b->patches};
    s->boxes.count = 0;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = of[side]->starts[patches[side]]; i < of[side]->starts[patches[side] + 1]; i++)
            if (!GRZ_PUSH(
                    query->context, &s->boxes,
                    grz_aabb_of_triangle(query->placed[side].mesh, of[side]->triangles[i], &query->placed[side].pose)))
            {
                query->out_of_memory = true;
                return false;
            }
    return true;
}

static bool search_patches(void *user, uint32_t node_a, uint32_t node_b)
{
    contact_search *s = user;
    grz_method_query *query = s->traversal.query;
    const uint32_t patches[2] = {grz_swift_patch(s->traversal.a, node_a), grz_swift_patch(s->traversal.b, node_b)};
    if (!place_boxes(s, patches))
        return false;
    const grz_surface_patches *a = &s->traversal.a->patches;
    size_t a_count = a->starts[patches[0] + 1] - a->starts[patches[0]];
    for (size_t k = a_count; k < s->boxes.count; k++)
    {
        if (!grz_method_count_volumes(query, a_count))
            return false;
        for (size_t i = 0; i < a_count; i++)
        {
            if (boxes_are_far(&s->boxes.data[i], &s->boxes.data[k], s->tolerance))
                continue;
            s->batch.a[s->batch.count] = s->boxes.data[i].triangle;
            s->batch.b[s->batch.count++] = s->boxes.data[k].triangle;
            if (s->batch.count == GRZ_LANES && !measure(s))
                return false;
        }
    }
    return true;
}

graze_status grz_swift_find_contacts(grz_method_query *query, double tolerance, grz_near_contacts *out)
{
    contact_search s = {.traversal = {query, query->a, query->b}, .tolerance = tolerance};
    grz_measure_frame_make(&s.frame, query->context, &query->placed[0], &query->placed[1]);
    double magnitude = fmax(grz_coordinate_bound(s.frame.mesh_a, &s.frame.shifted_a),
                            grz_coordinate_bound(s.frame.mesh_b, &s.frame.shifted_b));
    s.exact = !(magnitude > LEAST_COORDINATE && magnitude < LARGEST_COORDINATE);
    grz_method_traverse(query, &s.traversal.a->tree, &s.traversal.b->tree, true, hulls_are_near,
                        GRAZE_TRAVERSAL_LARGER_FIRST, grz_swift_opens_a, search_patches, &s);
    graze_status status = GRAZE_STATUS_OK;
    if (!query->out_of_memory && grz_monitor_may_continue(&query->monitor))
        measure(&s);
    if (query->out_of_memory)
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    else if (!grz_monitor_may_continue(&query->monitor))
        status = grz_monitor_status(&query->monitor);
    else
        status = grz_disjoint_contacts(query->context, &s.frame, &s.near, &query->monitor, out);
    query->counters.exact_signs += s.frame.stages.exact;
    grz_release(query->context, s.near.data);
    grz_release(query->context, s.boxes.data);
    return status;
}
