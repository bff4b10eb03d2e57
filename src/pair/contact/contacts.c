/* SPDX-License-Identifier: MIT */
/*
 * Contacts of two placed meshes: the triangles within the margin of one another (graze/distance.h) name the features
 * that may meet; each pair of features counts once; contacts with nearly the same normal become a manifold. Meshes are
 * taken in an order that does not depend on that of the arguments.
 */
#include <stdlib.h>

#include "base/budget_monitor.h"
#include "base/memory.h"
#include "base/struct_size.h"
#include "graze/distance.h"
#include "mesh/mesh.h"
#include "pair/arguments.h"
#include "pair/contact/feature_contacts.h"

#define SAME_NORMAL 0.9990482 /* cosine of 2.5 degrees */
#define MARGIN_SHARE 0.005    /* of the size of the smaller body */

enum
{
    MOST_OF_CLUSTER = 64 /* points that are compared when a manifold is reduced; the deepest ones */
};

typedef struct contact_query
{
    const graze_context *context;
    const graze_placed_mesh *placed[2];
    grz_contact_side sides[2];
    graze_contact_surface *own[2]; /* made for the call */
    double margin;
    uint32_t most_points;
    bool swapped;
    grz_feature_contacts contacts;
    grz_monitor monitor;
    bool out_of_memory;
} contact_query;

static bool take_near(void *user, const graze_proximity *proximity)
{
    contact_query *q = user;
    const uint32_t triangles[2] = {proximity->triangle_a, proximity->triangle_b};
    q->out_of_memory = !grz_add_feature_contacts(q->context, q->sides, triangles, q->margin, &q->contacts);
    return !q->out_of_memory;
}

static graze_status find_contacts(contact_query *q)
{
    graze_tolerance_options options = graze_tolerance_options_default();
    options.budget = grz_monitor_budget(&q->monitor);
    graze_status status =
        graze_pair_tolerance_visit(q->context, q->placed[0], q->placed[1], q->margin, &options, take_near, q);
    return q->out_of_memory ? GRAZE_STATUS_OUT_OF_MEMORY : grz_monitor_end_step(&q->monitor, status, 0);
}

/* ---- manifolds ---- */

static int compare_features(const void *first, const void *second)
{
    const grz_feature_contact *x = first, *y = second;
    if (x->point.feature != y->point.feature)
        return x->point.feature < y->point.feature ? -1 : 1;
    return (x->point.gap > y->point.gap) - (x->point.gap < y->point.gap);
}

static int compare_gaps(const void *first, const void *second)
{
    const grz_feature_contact *x = first, *y = second;
    if (x->point.gap != y->point.gap)
        return x->point.gap < y->point.gap ? -1 : 1;
    return (x->point.feature > y->point.feature) - (x->point.feature < y->point.feature);
}

/* Leaves each pair of features once, and sorts by gap. */
static void merge_equal(grz_feature_contacts *contacts)
{
    size_t left = 0;
    if (contacts->count == 0)
        return;
    qsort(contacts->data, contacts->count, sizeof *contacts->data, compare_features);
    for (size_t i = 0; i < contacts->count; i++)
        if (left == 0 || contacts->data[i].point.feature != contacts->data[left - 1].point.feature)
            contacts->data[left++] = contacts->data[i];
    contacts->count = left;
    qsort(contacts->data, left, sizeof *contacts->data, compare_gaps);
}

/* Moves the contacts with nearly the normal of the first one to the front. Returns how many there are. */
static size_t gather_cluster(grz_feature_contact *contacts, size_t count)
{
    size_t of_cluster = 1;
    for (size_t i = 1; i < count; i++)
    {
        if (v3_dot(contacts[i].normal, contacts[0].normal) < SAME_NORMAL)
            continue;
        grz_feature_contact taken = contacts[i];
        memmove(&contacts[of_cluster + 1], &contacts[of_cluster], (i - of_cluster) * sizeof *contacts);
        contacts[of_cluster++] = taken;
    }
    return of_cluster;
}

static void write_point(const grz_manifold_point *point, bool swapped, graze_contact_point *out)
{
    v3_store(swapped ? point->point_b : point->point_a, out->point_a);
    v3_store(swapped ? point->point_a : point->point_b, out->point_b);
    out->gap = point->gap;
    out->feature = swapped ? point->feature << 32 | point->feature >> 32 : point->feature;
}

static graze_contact_manifold manifold_of(const contact_query *q, const grz_feature_contact *cluster, size_t count)
{
    graze_contact_manifold manifold;
    grz_manifold_point points[MOST_OF_CLUSTER];
    unsigned of_cluster = count < MOST_OF_CLUSTER ? (unsigned)count : MOST_OF_CLUSTER;
    memset(&manifold, 0, sizeof manifold);
    for (unsigned i = 0; i < of_cluster; i++)
        points[i] = cluster[i].point;
    manifold.count = grz_manifold_reduce(points, of_cluster, q->most_points);
    v3_store(v3_scale(q->swapped ? -1 : 1, cluster[0].normal), manifold.normal);
    for (uint32_t i = 0; i < manifold.count; i++)
        write_point(&points[i], q->swapped, &manifold.points[i]);
    return manifold;
}

static size_t make_manifolds(contact_query *q, graze_contact_manifold *manifolds, size_t capacity)
{
    size_t made = 0;
    merge_equal(&q->contacts);
    for (size_t first = 0; first < q->contacts.count; made++)
    {
        size_t count = gather_cluster(&q->contacts.data[first], q->contacts.count - first);
        if (made < capacity)
            manifolds[made] = manifold_of(q, &q->contacts.data[first], count);
        first += count;
    }
    return made;
}

/* ---- the call ---- */

static graze_status take_surface(contact_query *q, int side, const graze_contact_surface *given)
{
    const graze_mesh *mesh = q->placed[side]->mesh;
    graze_status status = GRAZE_STATUS_OK;
    if (given != NULL && (given->mesh != mesh || !grz_identity_equal(given->identity, mesh->identity)))
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (given == NULL)
    {
        status = grz_contact_surface_create(q->context, mesh, &q->monitor, &q->own[side]);
        given = q->own[side];
    }
    if (status == GRAZE_STATUS_OK)
        q->sides[side] = grz_contact_side_make(given, &q->placed[side]->pose);
    return status;
}

/* The size of a placed mesh: the longest side of the box around its vertices, as placed in doubles. */
static double size_of(const graze_placed_mesh *placed)
{
    graze_box box = graze_mesh_bounds(placed->mesh);
    double largest = 0;
    for (int row = 0; row < 3; row++)
    {
        double extent = 0;
        for (int k = 0; k < 3; k++)
            extent += fabs(placed->pose.m[4 * row + k]) * (box.upper[k] - box.lower[k]);
        largest = fmax(largest, extent);
    }
    return largest;
}

static graze_status check(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_contact_options *options)
{
    graze_status status = grz_check_arguments(a, b);
    if (status == GRAZE_STATUS_OK && (isnan(options->margin) || options->margin == INFINITY ||
                                      options->most_points < 1 || options->most_points > GRAZE_CONTACT_POINTS_MOST))
        status = GRAZE_STATUS_BAD_ARGUMENT;
    return status;
}

graze_status graze_pair_contacts(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                 const graze_contact_options *options, graze_contact_manifold *manifolds,
                                 size_t capacity, size_t *out_count)
{
    graze_contact_options defaults = graze_contact_options_default();
    GRZ_FULL_STRUCT(graze_contact_options, options);
    if (!options_fits || out_count == NULL || (manifolds == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    options = options == NULL ? &defaults : options;
    graze_status status = check(a, b, options);
    if (status != GRAZE_STATUS_OK)
        return status;
    contact_query q = {.context = context, .most_points = options->most_points, .margin = options->margin};
    q.swapped = grz_arguments_swapped(a, b);
    q.placed[0] = q.swapped ? b : a;
    q.placed[1] = q.swapped ? a : b;
    q.monitor = grz_monitor_make(&options->budget);
    if (q.margin < 0)
        q.margin = MARGIN_SHARE * fmin(size_of(a), size_of(b));
    status = isfinite(q.margin) ? take_surface(&q, 0, q.swapped ? options->surface_b : options->surface_a)
                                : GRAZE_STATUS_BAD_ARGUMENT;
    if (status == GRAZE_STATUS_OK)
        status = take_surface(&q, 1, q.swapped ? options->surface_a : options->surface_b);
    if (status == GRAZE_STATUS_OK)
        status = find_contacts(&q);
    if (status == GRAZE_STATUS_OK)
        *out_count = make_manifolds(&q, manifolds, capacity);
    grz_release(context, q.contacts.data);
    graze_contact_surface_destroy(q.own[0]);
    graze_contact_surface_destroy(q.own[1]);
    return status;
}
