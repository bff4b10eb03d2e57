/* SPDX-License-Identifier: MIT */
/* Contacts of two shapes: their leaves, pair by pair; see contacts.h for the ways in which forms meet. */
#include "shape/contacts.h"

#include <math.h>

#include "base/memory.h"
#include "base/struct_size.h"
#include "graze/shape_contact.h"
#include "shape/convex_part.h"
#include "shape/leaves.h"
#include "shape/pair_hull.h"
#include "shape/placed.h"

#define MARGIN_SHARE 0.005 /* of the size of the smaller shape */

typedef struct contact_output
{
    GRZ_ARRAY(graze_shape_manifold) manifolds; /* at most `capacity` */
    size_t capacity, count;
} contact_output;

static void write_point(const grz_manifold_point *point, graze_contact_point *out)
{
    v3_store(point->point_a, out->point_a);
    v3_store(point->point_b, out->point_b);
    out->gap = point->gap;
    out->feature = point->feature;
}

static void write_manifold(v3 normal, const grz_manifold_point *points, unsigned count, graze_contact_manifold *out)
{
    v3_store(normal, out->normal);
    out->count = count;
    for (unsigned i = 0; i < count; i++)
        write_point(&points[i], &out->points[i]);
}

bool grz_contact_search_add(grz_contact_search *s, v3 normal, const grz_manifold_point *points, unsigned count)
{
    graze_contact_manifold manifold;
    if (count == 0)
        return true;
    memset(&manifold, 0, sizeof manifold);
    write_manifold(normal, points, count, &manifold);
    return GRZ_PUSH(s->q->context, &s->found, manifold);
}

static void turn_round(graze_contact_manifold *m)
{
    for (int k = 0; k < 3; k++)
        m->normal[k] = -m->normal[k];
    for (uint32_t i = 0; i < m->count; i++)
    {
        graze_contact_point *p = &m->points[i], old = *p;
        memcpy(p->point_a, old.point_b, sizeof p->point_a);
        memcpy(p->point_b, old.point_a, sizeof p->point_b);
        p->feature = old.feature << 32 | old.feature >> 32;
    }
}

static bool is_mesh(const graze_shape *shape)
{
    return shape->form == GRZ_FORM_CORE && shape->hull == NULL;
}

/* The contacts of two leaves; *out_turned: those of B and A were found. */
static graze_status find_contacts(grz_contact_search *s, const graze_placed *a, const graze_placed *b, bool *out_turned)
{
    const graze_placed *first = a, *second = b;
    *out_turned = b->shape->form == GRZ_FORM_HALF_SPACE || (is_mesh(b->shape) && a->shape->form == GRZ_FORM_CURVED);
    if (*out_turned)
    {
        first = b;
        second = a;
    }
    if (first->shape->form == GRZ_FORM_HALF_SPACE)
        return grz_plane_contacts(s, first, second);
    if (is_mesh(first->shape) && second->shape->form == GRZ_FORM_CURVED)
        return grz_mesh_curved_contacts(s, first, second);
    return is_mesh(first->shape) || is_mesh(second->shape) ? grz_mesh_contacts(s, first, second)
                                                           : grz_convex_contacts(s, first, second);
}

static graze_status add_leaves(grz_contact_search *s, const grz_leaf_part *a, const grz_leaf_part *b,
                               contact_output *out)
{
    bool turned = false;
    s->found.count = 0;
    graze_status status = find_contacts(s, &a->placed, &b->placed, &turned);
    for (size_t i = 0; i < s->found.count && status == GRAZE_STATUS_OK; i++, out->count++)
    {
        if (turned)
            turn_round(&s->found.data[i]);
        graze_shape_manifold manifold = {a->number, b->number, s->found.data[i]};
        if (out->count < out->capacity && !GRZ_PUSH(s->q->context, &out->manifolds, manifold))
            status = GRAZE_STATUS_OUT_OF_MEMORY;
    }
    return status;
}

static double size_of(const grz_leaves *leaves)
{
    double largest = 0;
    for (int k = 0; k < 3; k++)
    {
        double lower = INFINITY, upper = -INFINITY;
        for (size_t i = 0; i < leaves->count; i++)
        {
            lower = fmin(lower, leaves->parts[i].bounds.lower[k]);
            upper = fmax(upper, leaves->parts[i].bounds.upper[k]);
        }
        largest = fmax(largest, upper - lower);
    }
    return largest;
}

static graze_status visit_pairs(grz_contact_search *s, const grz_leaves *a, const grz_leaves *b, contact_output *out)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
        {
            if (!grz_monitor_box_tests(s->q->monitor, 1))
                return grz_monitor_status(s->q->monitor);
            if (!(grz_box_gap(&a->parts[i].bounds, &b->parts[k].bounds) <= s->margin))
                continue;
            graze_status status = add_leaves(s, &a->parts[i], &b->parts[k], out);
            if (status != GRAZE_STATUS_OK)
                return status;
        }
    return GRAZE_STATUS_OK;
}

/* Two convex cores: no boxes around them are needed, and nothing is allocated. */
static bool is_plain(const graze_placed *a, const graze_placed *b)
{
    return a->shape->hull != NULL && b->shape->hull != NULL;
}

/* The largest extent of a placed convex core, rounded: as graze_placed_bounds, of all vertices or of their box. */
static double size_of_core(const graze_placed *placed)
{
    const graze_shape *shape = placed->shape;
    const grz_convex_part *part = grz_shape_make_convex_part(shape);
    bool by_box = part != NULL && (part->is_box || shape->hull->vertex_count > GRZ_PLACED_VERTICES);
    double largest = 0;
    for (int i = 0; i < 3; i++)
    {
        const double *row = placed->pose.m + 4 * i;
        double lower = INFINITY, upper = -INFINITY;
        if (by_box)
        {
            const grz_convex_table *t = &part->table;
            lower = 0;
            upper = fabs(row[0]) * (t->upper[0] - t->lower[0]) + fabs(row[1]) * (t->upper[1] - t->lower[1]) +
                    fabs(row[2]) * (t->upper[2] - t->lower[2]);
        }
        for (size_t v = 0; v < shape->hull->vertex_count && !by_box; v++)
        {
            const double *p = shape->hull->vertices[v];
            double x = row[0] * p[0] + row[1] * p[1] + row[2] * p[2];
            lower = x < lower ? x : lower;
            upper = x > upper ? x : upper;
        }
        largest = upper - lower > largest ? upper - lower : largest;
    }
    return largest + 2 * shape->radius;
}

static double usual_margin(const graze_placed *a, const graze_placed *b)
{
    double size_a = size_of_core(a), size_b = size_of_core(b);
    return MARGIN_SHARE * (size_a < size_b ? size_a : size_b);
}

static graze_status find_plain(grz_contact_search *s, const graze_placed *a, const graze_placed *b,
                               graze_shape_manifold *manifolds, size_t capacity, size_t *out_count)
{
    v3 normal;
    grz_manifold_point points[GRZ_MANIFOLD_MOST];
    unsigned count;
    graze_status status = graze_placed_check(a);
    if (status == GRAZE_STATUS_OK)
        status = graze_placed_check(b);
    if (status == GRAZE_STATUS_OK && !grz_monitor_box_tests(s->q->monitor, 1))
        status = grz_monitor_status(s->q->monitor);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (s->margin < 0)
        s->margin = usual_margin(a, b);
    status = grz_convex_manifold(s, a, b, &normal, points, &count);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_count = count > 0 ? 1 : 0;
    if (count == 0 || capacity == 0)
        return status;
    memset(&manifolds[0], 0, sizeof manifolds[0]);
    write_manifold(normal, points, count, &manifolds[0].contacts);
    return status;
}

static graze_status find_all(grz_contact_search *s, const graze_placed *a, const graze_placed *b, contact_output *out)
{
    grz_leaves leaves_a, leaves_b;
    graze_status status = grz_leaves_make(s->q, a, &leaves_a);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = grz_leaves_make(s->q, b, &leaves_b);
    if (status == GRAZE_STATUS_OK)
    {
        if (leaves_a.count != 1 || leaves_b.count != 1)
            s->q->cache = NULL; /* it is of one pair */
        if (s->margin < 0)
            s->margin = MARGIN_SHARE * fmin(size_of(&leaves_a), size_of(&leaves_b));
        if (isfinite(s->margin)) /* else both are half-spaces */
            status = visit_pairs(s, &leaves_a, &leaves_b, out);
        grz_leaves_release(s->q, &leaves_b);
    }
    grz_leaves_release(s->q, &leaves_a);
    return status;
}

/* ---- two boxes, before anything is prepared ---- */

_Static_assert(sizeof(grz_manifold_point) == sizeof(graze_contact_point) &&
                   offsetof(grz_manifold_point, point_b) == offsetof(graze_contact_point, point_b) &&
                   offsetof(grz_manifold_point, gap) == offsetof(graze_contact_point, gap) &&
                   offsetof(grz_manifold_point, feature) == offsetof(graze_contact_point, feature),
               "points of boxes are written where the caller wants them");
_Static_assert((int)GRZ_MANIFOLD_MOST == (int)GRAZE_CONTACT_POINTS_MOST, "as many as the caller has room for");

/* Contacts of two boxes under rotations, without limits and in the usual environment. False where that is not so, or
   their axes do not say it all: then nothing was written. */
static bool find_boxes(const graze_placed *a, const graze_placed *b, const graze_shape_contact_options *options,
                       graze_shape_manifold *manifolds, size_t capacity, size_t *out_count)
{
    const graze_budget *budget = &options->budget;
    if (a->shape->kind != GRAZE_SHAPE_BOX || b->shape->kind != GRAZE_SHAPE_BOX || budget->progress != NULL ||
        budget->box_tests > 0 || budget->seconds > 0 || !grz_environment_sums_as_default())
        return false;
    v3 normal;
    grz_manifold_point room[GRZ_MANIFOLD_MOST];
    grz_manifold_point *points = capacity > 0 ? (grz_manifold_point *)(void *)manifolds[0].contacts.points : room;
    unsigned count;
    double margin = options->margin >= 0 ? options->margin : usual_margin(a, b);
    if (!grz_box_manifold(a, b, margin, options->most_points, options->cache, &normal, points, &count))
        return false;
    *out_count = count > 0 ? 1 : 0;
    if (count == 0 || capacity == 0)
        return true;
    memset(&manifolds[0], 0, offsetof(graze_shape_manifold, contacts.points));
    v3_store(normal, manifolds[0].contacts.normal);
    manifolds[0].contacts.count = count;
    for (unsigned i = count; i < GRAZE_CONTACT_POINTS_MOST; i++)
        memset(&manifolds[0].contacts.points[i], 0, sizeof manifolds[0].contacts.points[i]);
    return true;
}

graze_status graze_shape_pair_contacts(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                       const graze_shape_contact_options *options, graze_shape_manifold *manifolds,
                                       size_t capacity, size_t *out_count)
{
    graze_shape_contact_options defaults;
    GRZ_FULL_STRUCT(graze_shape_contact_options, options);
    if (!options_fits || a == NULL || b == NULL || a->shape == NULL || b->shape == NULL || out_count == NULL ||
        (manifolds == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (options == NULL)
    {
        defaults = graze_shape_contact_options_default();
        options = &defaults;
    }
    if (isnan(options->margin) || options->margin == INFINITY || options->most_points < 1 ||
        options->most_points > GRAZE_CONTACT_POINTS_MOST)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (find_boxes(a, b, options, manifolds, capacity, out_count))
        return GRAZE_STATUS_OK;
    grz_shape_call call;
    contact_output out = {.capacity = capacity};
    grz_contact_search s = {.margin = options->margin, .most_points = options->most_points};
    s.q = grz_shape_call_begin(&call, context, &options->budget, options->cache);
    if (is_plain(a, b))
    {
        graze_status plain = find_plain(&s, a, b, manifolds, capacity, out_count);
        grz_shape_call_end(&call, NULL);
        return plain;
    }
    graze_status status = find_all(&s, a, b, &out);
    grz_shape_call_end(&call, NULL);
    if (status == GRAZE_STATUS_OK)
    {
        for (size_t i = 0; i < out.manifolds.count && i < capacity && manifolds != NULL; i++)
            manifolds[i] = out.manifolds.data[i];
        *out_count = out.count;
    }
    grz_release(context, out.manifolds.data);
    grz_release(context, s.found.data);
    return status;
}
