/* SPDX-License-Identifier: MIT */
/* Two moving triangles of two moving meshes; see pair_kernel.h. */
#include "motion/pair_kernel.h"

#include <string.h>

#include "mesh/mesh.h"
#include "motion/moving_pair.h"
#include "motion/triangle_impact.h"
#include "motion/upright_edges.h"

static void load(const graze_moving_mesh *m, uint32_t triangle, graze_moving_triangle *out)
{
    for (int corner = 0; corner < 3; corner++)
    {
        uint32_t vertex = m->mesh->triangles[3 * (size_t)triangle + (size_t)corner];
        out->corners[corner] = grz_mesh_vertex(m->mesh, vertex);
        out->end_corners[corner] = m->end_mesh != NULL ? grz_mesh_vertex(m->end_mesh, vertex) : NULL;
    }
    out->motion = &m->motion;
}

static void set_zero(const graze_moving_mesh *a, const graze_moving_mesh *b, grz_pair_time *time, int side)
{
    int corners[4];
    grz_pair_side_corners(side, corners);
    for (int i = 0; i < 4; i++)
    {
        bool of_b = corners[i] >= 3;
        const uint32_t *triangle =
            of_b ? b->mesh->triangles + 3 * (size_t)time->b : a->mesh->triangles + 3 * (size_t)time->a;
        time->zero.of_b[i] = of_b;
        time->zero.vertices[i] = triangle[corners[i] % 3];
    }
}

graze_status grz_pair_first_time(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b,
                                 uint32_t triangle_a, uint32_t triangle_b, const grz_impact_question *question,
                                 grz_pair_time *out)
{
    graze_moving_triangle first, second;
    graze_moving_contact contact;
    load(a, triangle_a, &first);
    load(b, triangle_b, &second);
    grz_impact_question own = *question;
    int side;
    own.out_root = &out->root;
    own.out_side = &side;
    graze_status status = grz_triangle_impact(context, &first, &second, &own, &contact);
    if (status != GRAZE_STATUS_OK)
        return status;
    out->a = triangle_a;
    out->b = triangle_b;
    out->found = contact.when.verdict == GRAZE_IMPACT_AT;
    out->contact = contact;
    out->zero.known = side >= 0;
    if (side >= 0)
        set_zero(a, b, out, side);
    return GRAZE_STATUS_OK;
}

/* The vertices of the corners in a mask, in ascending order; returns how many. */
static int vertices_of(const graze_mesh *mesh, uint32_t triangle, unsigned mask, uint32_t out[3])
{
    int count = 0;
    for (int corner = 0; corner < 3; corner++)
    {
        if ((mask >> corner & 1) == 0)
            continue;
        uint32_t vertex = mesh->triangles[3 * (size_t)triangle + (size_t)corner];
        int at = count++;
        for (; at > 0 && out[at - 1] > vertex; at--)
            out[at] = out[at - 1];
        out[at] = vertex;
    }
    return count;
}

static bool are_same(const graze_mesh *mesh, uint32_t p, unsigned mask_p, uint32_t q, unsigned mask_q)
{
    uint32_t vertices_p[3], vertices_q[3];
    int count = vertices_of(mesh, p, mask_p, vertices_p);
    return count > 0 && count == vertices_of(mesh, q, mask_q, vertices_q) &&
           memcmp(vertices_p, vertices_q, (size_t)count * sizeof vertices_p[0]) == 0;
}

/* Whether the same features meet at both times: then each pair meets at the other's time, and first impacts are equal.
 */
static bool have_same_features(const graze_moving_mesh *a, const graze_moving_mesh *b, const grz_pair_time *first,
                               const grz_pair_time *second)
{
    const graze_triangle_contact *p = &first->contact.contact, *q = &second->contact.contact;
    return p->found && q->found && are_same(a->mesh, first->a, p->mask_a, second->a, q->mask_a) &&
           are_same(b->mesh, first->b, p->mask_b, second->b, q->mask_b);
}

/* Points as they are seen along an axis that both motions keep. */
typedef struct seen_points
{
    bool of_b[3];
    double x[3], y[3];
} seen_points;

/* Of a volume with an edge along the axis, which is one point. */
static bool see_along(const graze_moving_mesh *a, const graze_moving_mesh *b, const grz_zero_volume *zero, int axis,
                      seen_points *out)
{
    double x[4], y[4];
    for (int i = 0; i < 4; i++)
    {
        const double *v = grz_mesh_vertex(zero->of_b[i] ? b->mesh : a->mesh, zero->vertices[i]);
        x[i] = v[(axis + 1) % 3];
        y[i] = v[(axis + 2) % 3];
    }
    for (int i = 0; i < 4; i++)
        for (int k = i + 1; k < 4; k++)
        {
            if (zero->of_b[i] != zero->of_b[k] || x[i] != x[k] || y[i] != y[k])
                continue;
            for (int j = 0, count = 0; j < 4; j++)
                if (j != i)
                {
                    out->of_b[count] = zero->of_b[j];
                    out->x[count] = x[j];
                    out->y[count++] = y[j];
                }
            return true;
        }
    return false;
}

static bool has_point(const seen_points *points, const seen_points *other, int i)
{
    for (int k = 0; k < 3; k++)
        if (points->of_b[k] == other->of_b[i] && points->x[k] == other->x[i] && points->y[k] == other->y[i])
            return true;
    return false;
}

/* Whether two times with the same bounds are those of volumes that are multiples of one another: of three points, seen
   along an axis that both motions keep (upright_edges.h). */
static bool have_same_volume(const graze_moving_mesh *a, const graze_moving_mesh *b, const grz_pair_time *first,
                             const grz_pair_time *second)
{
    if (!first->zero.known || !second->zero.known || a->end_mesh != NULL || b->end_mesh != NULL)
        return false;
    for (int axis = 0; axis < 3; axis++)
    {
        seen_points p, q;
        if (grz_motion_stretch(&a->motion, axis) == 0 || grz_motion_stretch(&b->motion, axis) == 0)
            continue;
        /* shortcut: same-upright-volume */
        if (see_along(a, b, &first->zero, axis, &p) && see_along(a, b, &second->zero, axis, &q) &&
            has_point(&p, &q, 0) && has_point(&p, &q, 1) && has_point(&p, &q, 2))
            return true;
    }
    return false;
}

/* The root of a pair whose time doubles have found. */
static graze_status need_root(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b,
                              bool crossing, const grz_pair_time *time, grz_stored_root *out)
{
    const graze_impact_interval *when = &time->contact.when;
    const grz_impact_question question = {.crossing = crossing, .until = when->upper, .from = when->lower};
    grz_pair_time again;
    *out = time->root;
    if (out->usable)
        return GRAZE_STATUS_OK;
    graze_status status = grz_pair_first_time(context, a, b, time->a, time->b, &question, &again);
    if (status == GRAZE_STATUS_OK)
        *out = again.root;
    return status;
}

/* Of times with the same bounds, which are not doubles. */
static graze_status compare_roots(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b,
                                  bool crossing, const grz_pair_time *first, grz_pair_time *second, int *out_order)
{
    const graze_impact_interval *when = &first->contact.when;
    grz_stored_root root, *other = &second->root;
    graze_status status = need_root(context, a, b, crossing, first, &root);
    if (status == GRAZE_STATUS_OK)
        status = need_root(context, a, b, crossing, second, other);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (root.usable && other->usable)
        return grz_stored_root_compare(context, &root, other, out_order);
    graze_moving_triangle pairs[2][2];
    load(a, first->a, &pairs[0][0]);
    load(b, first->b, &pairs[0][1]);
    load(a, second->a, &pairs[1][0]);
    load(b, second->b, &pairs[1][1]);
    const grz_impact_question within = {.crossing = crossing, .until = when->upper, .from = when->lower};
    return grz_triangle_impact_order(context, pairs[0], pairs[1], &within, out_order);
}

graze_status grz_pair_times_compare(const graze_context *context, const graze_moving_mesh *a,
                                    const graze_moving_mesh *b, bool crossing, const grz_pair_time *first,
                                    grz_pair_time *second, int *out_order)
{
    const graze_impact_interval *p = &first->contact.when, *q = &second->contact.when;
    *out_order = 0;
    if (p->lower < q->lower || p->lower > q->lower)
        *out_order = p->lower < q->lower ? -1 : 1;
    else if (p->upper < q->upper || p->upper > q->upper)
        *out_order = p->upper < q->upper ? -1 : 1;
    /* shortcut: same-features */
    else if (p->lower < p->upper && have_same_volume(a, b, first, second))
        return GRAZE_STATUS_OK;
    else if (p->lower < p->upper && (crossing || !have_same_features(a, b, first, second)))
        return compare_roots(context, a, b, crossing, first, second, out_order);
    return GRAZE_STATUS_OK;
}
