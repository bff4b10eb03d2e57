/* SPDX-License-Identifier: MIT */
/*
 * Pairs with parts that are not closed; see open_pairs.h. What the narrow phase says of surfaces is certain:
 *
 * - where surfaces cross, or one lies in a closed part, the parts cross, whatever the inside of an open one is;
 * - where they touch, and a plane separates them, they touch; where none does, the narrow phase leaves it undecided;
 * - where they do not meet, the narrow phase says clear or too close; here it is asked whether the inside of an open
 *   part may hold the other (open_mesh.h). Then the pair is undecided. Too close remains a finding, as that or
 *   something worse is certain.
 */
#include "clash/open_pairs.h"

#include <math.h>
#include <string.h>

#include "clash/open_mesh.h"
#include "clash/winding_number.h"
#include "graze/pair.h"
#include "graze/region.h"

enum
{
    LISTED_EDGES = 64 /* of each part */
};

typedef struct part_pair
{
    const graze_context *context;
    const grz_clash_part *a, *b;
    const grz_clash_limits *limits;
    graze_clash_finding *f;
} part_pair;

/* The middle of the intersection of both AABBs. */
static void common_middle(const grz_clash_part *a, const grz_clash_part *b, double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = 0.5 * fmax(a->lower[axis], b->lower[axis]) + 0.5 * fmin(a->upper[axis], b->upper[axis]);
}

/* Reason and open edges, those nearest to the other part. */
static graze_status explain(const part_pair *p)
{
    graze_clash_details *details = grz_clash_need_details(p->context, p->f);
    grz_clash_edge *edges = grz_allocate(p->context, 2 * LISTED_EDGES, sizeof *edges);
    size_t count = 0, all = 0;
    double middle[3];
    p->f->why = grz_clash_why_undecided(p->a, p->b);
    if (details == NULL || edges == NULL)
    {
        grz_release(p->context, edges);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    common_middle(p->a, p->b, middle);
    if (grz_clash_is_open(p->a))
        count += grz_clash_open_edges(p->a, middle, edges, LISTED_EDGES, &all);
    if (grz_clash_is_open(p->b))
        count += grz_clash_open_edges(p->b, middle, edges + count, LISTED_EDGES, &all);
    grz_release(p->context, details->open_edges);
    details->open_edges = (double(*)[2][3])edges; /* the same bytes */
    details->open_edge_count = count;
    return GRAZE_STATUS_OK;
}

static graze_status set_undecided(const part_pair *p)
{
    if (p->f->verdict == GRAZE_CLASH_CLEAR || p->f->verdict == GRAZE_CLASH_UNDECIDED)
    {
        p->f->verdict = p->f->exact = GRAZE_CLASH_UNDECIDED;
        p->f->rule = "default";
        common_middle(p->a, p->b, p->f->point);
    }
    p->f->undecided = true;
    return explain(p);
}

/* Parts that touch, as far as their surfaces go. */
static graze_status set_touch(const part_pair *p)
{
    static const char *const kinds[] = {NULL, "point", "edge", "face"};
    graze_clash_finding *f = p->f;
    f->verdict = f->exact = GRAZE_CLASH_CLEAR;
    f->undecided = false;
    f->why = NULL;
    if (p->limits->allow_touch)
        return GRAZE_STATUS_OK;
    graze_region *region = NULL;
    graze_status status = graze_region_create(p->context, &p->a->placed, &p->b->placed, NULL, &region);
    if (status != GRAZE_STATUS_OK)
        return status;
    f->verdict = f->exact = GRAZE_CLASH_TOUCHES;
    f->touch_kind = kinds[region->kind];
    f->pairs = region->counts.pairs;
    f->area = region->area;
    f->box = region->bounds;
    f->rule = p->limits->touch_rule;
    f->estimated = true;
    for (int axis = 0; axis < 3; axis++)
        f->point[axis] = 0.5 * region->bounds.lower[axis] + 0.5 * region->bounds.upper[axis];
    graze_region_destroy(f->region);
    f->region = region;
    return GRAZE_STATUS_OK;
}

/* Whether winding numbers say that the parts overlap: the finding is then complete. */
static graze_status overlap_if_closed(const part_pair *p, bool *out_overlap)
{
    grz_clash_assumed assumed;
    graze_status status = grz_clash_assume_closed(p->context, p->a, p->b, &assumed);
    *out_overlap = status == GRAZE_STATUS_OK && assumed.overlap;
    if (!*out_overlap)
        return status;
    bool contains = assumed.a_in_b || assumed.b_in_a;
    p->f->verdict = p->f->exact = contains ? GRAZE_CLASH_CONTAINS : GRAZE_CLASH_CROSSES;
    p->f->a_in_b = assumed.a_in_b;
    p->f->rule = contains ? "default" : p->limits->depth_rule;
    p->f->has_gap = p->f->undecided = false;
    p->f->estimated = true;
    p->f->why = NULL;
    memcpy(p->f->point, assumed.point, sizeof p->f->point);
    return status;
}

/* A shape and an open mesh that do not meet, or only touch: the mesh is taken as closed, by its winding number around
 * the middle of the shape's bounds. */
static graze_status assume_around_shape(const part_pair *p)
{
    const grz_clash_part *open = p->a->is_shape ? p->b : p->a, *shape = p->a->is_shape ? p->a : p->b;
    graze_clash_finding *f = p->f;
    double middle[3];
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = 0.5 * shape->lower[axis] + 0.5 * shape->upper[axis];
    f->estimated = true;
    f->undecided = false;
    f->why = NULL;
    if (f->verdict == GRAZE_CLASH_UNDECIDED)
        f->verdict = f->exact = GRAZE_CLASH_CLEAR;
    if (!(fabs(grz_clash_winding_number(open, middle)) > 0.5))
        return GRAZE_STATUS_OK;
    f->verdict = f->exact = GRAZE_CLASH_CONTAINS;
    f->a_in_b = shape == p->a;
    f->has_gap = false;
    f->rule = "default";
    memcpy(f->point, middle, sizeof f->point);
    return GRAZE_STATUS_OK;
}

/* The same for a pair with a shape, whose verdict says all that is certain. */
static graze_status settle_shape(const part_pair *p, bool assume_closed)
{
    graze_clash_finding *f = p->f;
    bool is_open = grz_clash_is_open(p->a) || grz_clash_is_open(p->b), matters = false;
    bool is_apart = f->verdict == GRAZE_CLASH_TOO_CLOSE || f->exact == GRAZE_CLASH_CLEAR;
    bool is_left = f->verdict == GRAZE_CLASH_UNDECIDED && f->why == grz_clash_why_undecided(p->a, p->b);
    if (!is_open || (!is_left && (!is_apart || f->undecided)))
        return GRAZE_STATUS_OK;
    graze_status status = GRAZE_STATUS_OK;
    if (!is_left)
        status = grz_clash_inside_matters(p->context, p->a, p->b, &matters);
    if (status != GRAZE_STATUS_OK || (!is_left && !matters))
        return status;
    return assume_closed ? assume_around_shape(p) : set_undecided(p);
}

graze_status grz_clash_settle_open(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                   const grz_clash_limits *limits, bool assume_closed, graze_clash_finding *finding)
{
    const part_pair p = {context, a, b, limits, finding};
    bool is_open = grz_clash_is_open(a) || grz_clash_is_open(b), meet = false, matters = false, overlap = false;
    if (a->closed && b->closed)
        return GRAZE_STATUS_OK;
    if (a->is_shape || b->is_shape)
        return settle_shape(&p, assume_closed);
    if (finding->verdict == GRAZE_CLASH_UNDECIDED)
    {
        if (is_open && !assume_closed)
            return set_undecided(&p);
        graze_status status = is_open ? overlap_if_closed(&p, &overlap) : GRAZE_STATUS_OK;
        return status != GRAZE_STATUS_OK || overlap ? status : set_touch(&p);
    }
    bool is_apart = finding->verdict == GRAZE_CLASH_TOO_CLOSE || finding->exact == GRAZE_CLASH_CLEAR;
    if (!is_open || !is_apart || finding->undecided)
        return GRAZE_STATUS_OK;
    graze_status status = graze_pair_any(context, &a->placed, &b->placed, NULL, &meet, NULL);
    if (status == GRAZE_STATUS_OK && !meet)
        status = grz_clash_inside_matters(context, a, b, &matters);
    if (status != GRAZE_STATUS_OK || !matters)
        return status;
    if (!assume_closed)
        return set_undecided(&p);
    return overlap_if_closed(&p, &overlap);
}
