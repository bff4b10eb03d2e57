/* SPDX-License-Identifier: MIT */
/*
 * Contacts of meshes and height fields. With other cores they are those of both meshes (pair/contact), with the radii
 * subtracted. With a curved leaf, each near triangle has its own with it, and those count whose feature of the mesh
 * makes contacts: so inner edges of flat regions are silent here, too. Where a disk or line of the curved leaf lies
 * along triangles, their points over them count, and where its border meets borders of the region.
 */
#include <math.h>

#include "base/memory.h"
#include "pair/contact/feature_contacts.h"
#include "shape/contacts.h"
#include "shape/convex_part.h"
#include "shape/core.h"
#include "shape/near_triangles.h"

#define BESIDE 1e-9           /* share of a triangle's height by which a point above it may be beside it */
#define SAME_NORMAL 0.9990482 /* cosine of 2.5 degrees */

graze_status grz_core_contact_surface(grz_shape_query *q, const graze_shape *core,
                                      const graze_contact_surface **out_surface)
{
    graze_shape *owner = (graze_shape *)core; /* what is derived from it does not change it */
    graze_contact_surface *known = atomic_load(&owner->contact_surface), *made = NULL;
    if (known == NULL)
    {
        graze_status status = grz_contact_surface_create(&core->context, core->mesh, q->monitor, &made);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (!atomic_compare_exchange_strong(&owner->contact_surface, &known, made))
            graze_contact_surface_destroy(made); /* another thread was first */
        else
            known = made;
    }
    *out_surface = known;
    return GRAZE_STATUS_OK;
}

/* ---- two cores ---- */

/* Takes the radii from the gaps of a manifold; points farther apart than the margin go. */
static void subtract_radii(graze_contact_manifold *m, double radius_a, double radius_b, double margin)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < m->count; i++)
    {
        graze_contact_point point = m->points[i];
        point.gap -= radius_a + radius_b;
        for (int k = 0; k < 3; k++)
        {
            point.point_a[k] += radius_a * m->normal[k];
            point.point_b[k] -= radius_b * m->normal[k];
        }
        if (point.gap <= margin)
            m->points[left++] = point;
    }
    m->count = left;
}

static graze_status take_contacts(grz_contact_search *s, const graze_placed_mesh placed[2],
                                  const graze_contact_options *options, double radius_a, double radius_b)
{
    size_t first = s->found.count, count = 0;
    graze_status status = graze_pair_contacts(s->q->context, &placed[0], &placed[1], options, NULL, 0, &count);
    if (status != GRAZE_STATUS_OK || count == 0)
        return status;
    if (!GRZ_RESERVE(s->q->context, &s->found, first + count))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_contact_manifold *manifolds = s->found.data + first;
    status = graze_pair_contacts(s->q->context, &placed[0], &placed[1], options, manifolds, count, &count);
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
    {
        graze_contact_manifold m = manifolds[i];
        subtract_radii(&m, radius_a, radius_b, s->margin);
        if (m.count > 0)
            s->found.data[s->found.count++] = m;
    }
    return status;
}

graze_status grz_mesh_contacts(grz_contact_search *s, const graze_placed *a, const graze_placed *b)
{
    graze_placed_mesh placed[2];
    graze_contact_options options = graze_contact_options_default();
    double radius_a = a->shape->radius, radius_b = b->shape->radius;
    options.margin = s->margin + (radius_a + radius_b);
    options.most_points = s->most_points;
    graze_status status = grz_core_mesh(s->q, a, &placed[0]);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_mesh(s->q, b, &placed[1]);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_contact_surface(s->q, a->shape, &options.surface_a);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_contact_surface(s->q, b->shape, &options.surface_b);
    if (status != GRAZE_STATUS_OK || !isfinite(options.margin))
        return status;
    if (s->q->monitor != NULL)
        options.budget = grz_monitor_budget(s->q->monitor);
    status = take_contacts(s, placed, &options, radius_a, radius_b);
    return s->q->monitor != NULL ? grz_monitor_end_step(s->q->monitor, status, 0) : status;
}

/* ---- a mesh and a curved leaf ---- */

enum
{
    GATHERED = 64, /* points of a cluster, of which */
    KEPT = 32      /* these stay where there are more */
};

/* Points whose normals are about the same. */
typedef struct normal_cluster
{
    v3 normal;
    unsigned count;
    grz_manifold_point points[GATHERED];
} normal_cluster;

typedef struct curved_search
{
    grz_contact_search *s;
    const graze_placed_mesh *mesh;
    grz_contact_side side;
    grz_convex_body curved;
    GRZ_ARRAY(normal_cluster) clusters;
    GRZ_ARRAY(uint32_t) near; /* triangles */
    graze_status status;
} curved_search;

/* Adds a contact to the cluster of its normal, or begins another. */
static bool add_point(curved_search *c, v3 normal, const grz_manifold_point *point)
{
    normal_cluster *to = NULL;
    for (size_t i = 0; i < c->clusters.count && to == NULL; i++)
        to = v3_dot(normal, c->clusters.data[i].normal) >= SAME_NORMAL ? &c->clusters.data[i] : NULL;
    if (to == NULL)
    {
        if (!GRZ_RESERVE(c->s->q->context, &c->clusters, c->clusters.count + 1))
            return false;
        to = &c->clusters.data[c->clusters.count++];
        to->normal = normal;
        to->count = 0;
    }
    for (unsigned i = 0; i < to->count; i++)
        if (to->points[i].feature == point->feature) /* over an edge between two triangles */
            return true;
    if (to->count == GATHERED)
        to->count = grz_manifold_reduce(to->points, to->count, KEPT);
    to->points[to->count++] = *point;
    return true;
}

/* The numbers of a triangle's corners and edges in the mesh instead of in the triangle; false for those within a flat
   region, which make no contacts. */
static bool rename_feature(const curved_search *c, uint32_t triangle, uint64_t *feature)
{
    const graze_contact_surface *surface = c->side.surface;
    uint32_t name = (uint32_t)(*feature >> 32), what = name >> 30, number = name & 0x3fffffff;
    if (what == GRZ_MANIFOLD_VERTEX)
    {
        number = surface->adjacency.merged[graze_mesh_triangles(c->mesh->mesh)[3 * (size_t)triangle + number]];
        if (!surface->sharp[number])
            return false;
    }
    else if (what == GRZ_MANIFOLD_EDGE)
    {
        number += 3 * triangle;
        if (!grz_edge_makes_contacts(surface, surface->edges[number]))
            return false;
    }
    else if (what == GRZ_MANIFOLD_WITNESS)
    {
        *feature = (uint64_t)GRZ_MANIFOLD_WITNESS << 62 | (uint64_t)triangle << 32;
        return true;
    }
    *feature = (uint64_t)(what << 30 | (number & 0x3fffffff)) << 32 | (uint32_t)*feature;
    return true;
}

/* The points of the curved body's feature over a triangle, or nearly so: one over an edge between two triangles may lie
   beside both of them by rounding. */
static void add_points_above(curved_search *c, const grz_facet facets[2], v3 normal)
{
    const grz_facet *face = &facets[0], *feature = &facets[1];
    for (unsigned i = 0; i < feature->count && c->status == GRAZE_STATUS_OK; i++)
    {
        v3 p = feature->points[i];
        bool above = true;
        for (unsigned k = 0; k < 3 && above; k++)
        {
            v3 inward = v3_cross(normal, v3_sub(face->points[(k + 1) % 3], face->points[k]));
            double height = v3_dot(inward, v3_sub(face->points[(k + 2) % 3], face->points[k]));
            double side = v3_dot(inward, v3_sub(p, face->points[k]));
            above = height > 0 ? side >= -BESIDE * height : side <= -BESIDE * height;
        }
        double gap = v3_dot(face->normal, v3_sub(p, face->points[0])) / v3_dot(face->normal, normal);
        if (!above || !(fabs(gap) <= c->s->margin)) /* deeper ones are none of this face */
            continue;
        grz_manifold_point point = {v3_sub(p, v3_scale(gap, normal)), p, gap,
                                    (uint64_t)GRZ_MANIFOLD_FACE << 62 | feature->numbers[i]};
        if (!add_point(c, normal, &point))
            c->status = GRAZE_STATUS_OUT_OF_MEMORY;
    }
}

/* A triangle in the world; false where the normal is not its own, on either side. */
static bool face_along(const curved_search *c, uint32_t triangle, v3 normal, grz_facet *out_face)
{
    const uint32_t *corners = graze_mesh_triangles(c->mesh->mesh) + 3 * (size_t)triangle;
    out_face->count = 3;
    out_face->face = 0;
    for (uint32_t k = 0; k < 3; k++)
    {
        double corner[3];
        graze_pose_apply(&c->mesh->pose, graze_mesh_vertices(c->mesh->mesh) + 3 * (size_t)corners[k], corner);
        out_face->points[k] = v3_load(corner);
        out_face->numbers[k] = k;
    }
    const v3 *p = out_face->points;
    v3 across = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
    out_face->normal = v3_dot(across, normal) < 0 ? v3_scale(-1, across) : across;
    return v3_dot(out_face->normal, normal) >= SAME_NORMAL * v3_length(across);
}

/* The corners of the common part of a triangle and the feature of the curved body that lies along it. False where that
   is no line or face, or the triangle does not lie so. */
static bool add_corners(curved_search *c, uint32_t triangle, const grz_convex_body bodies[2], v3 normal,
                        const v3 witnesses[2])
{
    grz_facet facets[2];
    grz_manifold_side sides[2] = {{&bodies[0], NULL, witnesses[0]}, {&bodies[1], NULL, witnesses[1]}};
    grz_manifold_point points[GRZ_MANIFOLD_CORNERS];
    grz_facet_find(&bodies[1], NULL, v3_scale(-1, normal), &facets[1]);
    if (facets[1].count < 2 || !face_along(c, triangle, normal, &facets[0]))
        return false;
    unsigned count = grz_manifold_corners(&sides[0], &sides[1], facets, normal, c->s->margin, points);
    for (unsigned i = 0; i < count && c->status == GRAZE_STATUS_OK; i++)
        if (rename_feature(c, triangle, &points[i].feature) && !add_point(c, normal, &points[i]))
            c->status = GRAZE_STATUS_OUT_OF_MEMORY;
    return true;
}

/* Points of the curved body's features over all near triangles along each normal: also over those that it overlaps so
   little that the shortest way out of them is sideways. */
static void complete_clusters(curved_search *c)
{
    for (size_t i = 0; i < c->clusters.count; i++)
    {
        grz_facet facets[2];
        v3 normal = c->clusters.data[i].normal;
        grz_facet_find(&c->curved, NULL, v3_scale(-1, normal), &facets[1]);
        for (size_t t = 0; t < c->near.count && facets[1].count >= 2 && c->status == GRAZE_STATUS_OK; t++)
            if (face_along(c, c->near.data[t], normal, &facets[0]))
                add_points_above(c, facets, normal);
    }
}

static bool take_triangle(void *user, uint32_t triangle)
{
    curved_search *c = user;
    const uint32_t *corners = graze_mesh_triangles(c->mesh->mesh) + 3 * (size_t)triangle;
    double vertices[3][3];
    for (int k = 0; k < 3; k++)
        memcpy(vertices[k], graze_mesh_vertices(c->mesh->mesh) + 3 * (size_t)corners[k], sizeof vertices[k]);
    grz_convex_body bodies[2] = {{.kind = GRZ_CONVEX_POLYTOPE,
                                  .vertices = (const double(*)[3])vertices,
                                  .vertex_count = 3,
                                  .pose = c->mesh->pose},
                                 c->curved};
    v3 normal, witnesses[2];
    if (!GRZ_PUSH(c->s->q->context, &c->near, triangle))
        c->status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (c->status != GRAZE_STATUS_OK)
        return false;
    if (!grz_convex_contact_frame(bodies, c->s->margin, NULL, &normal, witnesses))
        return true;
    double height = v3_dot(normal, v3_sub(witnesses[1], witnesses[0]));
    if (height < -c->s->margin || !grz_contact_feature_supports(&c->side, triangle, witnesses[0], normal))
        return true;
    if (add_corners(c, triangle, bodies, normal, witnesses))
        return c->status == GRAZE_STATUS_OK;
    grz_manifold_point point = {witnesses[0], witnesses[1], height, (uint64_t)2 << 62 | (uint64_t)triangle << 32};
    if (!add_point(c, normal, &point))
        c->status = GRAZE_STATUS_OUT_OF_MEMORY;
    return c->status == GRAZE_STATUS_OK;
}

/* Sorts by feature: which of several points that are as deep comes first then stays from frame to frame. */
static void sort_by_feature(normal_cluster *of)
{
    for (unsigned i = 1; i < of->count; i++)
    {
        grz_manifold_point point = of->points[i];
        unsigned k = i;
        for (; k > 0 && of->points[k - 1].feature > point.feature; k--)
            of->points[k] = of->points[k - 1];
        of->points[k] = point;
    }
}

/* Witnesses are where they are by rounding: they go where a corner is as deep. */
static void drop_witnesses(normal_cluster *of, double slack)
{
    double least = INFINITY;
    unsigned left = 0;
    for (unsigned i = 0; i < of->count; i++)
        if (!grz_manifold_is_witness(&of->points[i]))
            least = fmin(least, of->points[i].gap);
    for (unsigned i = 0; i < of->count; i++)
        if (!grz_manifold_is_witness(&of->points[i]) || of->points[i].gap < least - slack)
            of->points[left++] = of->points[i];
    of->count = left;
}

/* Chooses the points to keep. Gaps that differ by a millionth of the margin count as equal. */
static unsigned choose_points(const grz_contact_search *s, normal_cluster *of)
{
    double least = INFINITY, slack = 1e-6 * s->margin;
    drop_witnesses(of, slack);
    sort_by_feature(of);
    const normal_cluster all = *of;
    for (unsigned i = 0; i < all.count; i++)
        least = fmin(least, all.points[i].gap);
    for (unsigned i = 0; i < all.count; i++)
        if (all.points[i].gap - least <= slack)
            of->points[i].gap = least;
    unsigned kept = grz_manifold_reduce(of->points, all.count, s->most_points);
    for (unsigned i = 0; i < kept; i++)
        for (unsigned k = 0; k < all.count; k++)
            if (all.points[k].feature == of->points[i].feature)
                of->points[i].gap = all.points[k].gap;
    return kept;
}

static graze_status add_clusters(curved_search *c)
{
    for (size_t i = 0; i < c->clusters.count; i++)
    {
        normal_cluster *from = &c->clusters.data[i];
        unsigned count = choose_points(c->s, from);
        if (!grz_contact_search_add(c->s, from->normal, from->points, count))
            return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    return GRAZE_STATUS_OK;
}

graze_status grz_mesh_curved_contacts(grz_contact_search *s, const graze_placed *mesh, const graze_placed *curved)
{
    graze_placed_mesh placed;
    const graze_contact_surface *surface;
    graze_box box;
    curved_search c = {.s = s, .mesh = &placed};
    graze_status status = grz_core_mesh(s->q, mesh, &placed);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_contact_surface(s->q, mesh->shape, &surface);
    if (status == GRAZE_STATUS_OK)
        status = graze_placed_bounds(curved, &box);
    if (status != GRAZE_STATUS_OK || !grz_shape_convex_body(curved, &c.curved))
        return status;
    c.side = grz_contact_side_make(surface, &placed.pose);
    double reach = s->margin;
    grz_visit_near_triangles(s->q, &placed, &box, &reach, take_triangle, &c);
    status = c.status != GRAZE_STATUS_OK ? c.status : grz_monitor_status(s->q->monitor);
    if (status == GRAZE_STATUS_OK)
    {
        complete_clusters(&c);
        status = c.status;
    }
    if (status == GRAZE_STATUS_OK)
        status = add_clusters(&c);
    grz_release(s->q->context, c.clusters.data);
    grz_release(s->q->context, c.near.data);
    return status;
}
