/* SPDX-License-Identifier: MIT */
/* What a picture of a finding shows: both parts, or the contact with as much of them as lets one see it. The same
 * choices as those of the report page; see camera.h. */
#include <math.h>

#include "clash/camera.h"

/* How many times the sphere around the contact the view may take in. */
static const double most_context = 3.5, most_outside = 6; /* the latter around a part that lies in another */

static const double aspect = 4.0 / 3.0;

typedef struct vector_box
{
    grz_vector lower, upper;
} vector_box;

grz_vector grz_vector_unit(grz_vector a)
{
    double largest = fmax(fabs(a.x[0]), fmax(fabs(a.x[1]), fabs(a.x[2])));
    if (!(largest > 0) || isinf(largest))
        return (grz_vector){{0, 0, 0}};
    grz_vector scaled = {{a.x[0] / largest, a.x[1] / largest, a.x[2] / largest}};
    return grz_vector_add((grz_vector){{0, 0, 0}}, 1 / sqrt(grz_vector_dot(scaled, scaled)), scaled);
}

const double (*grz_gap_points(const graze_clash_finding *f))[3]
{
    return f->has_gap && f->details != NULL ? (const double(*)[3])f->details->gap_points : NULL;
}

static vector_box empty_box(void)
{
    return (vector_box){{{INFINITY, INFINITY, INFINITY}}, {{-INFINITY, -INFINITY, -INFINITY}}};
}

static void grow(vector_box *box, grz_vector point)
{
    for (int i = 0; i < 3; i++)
    {
        if (point.x[i] < box->lower.x[i])
            box->lower.x[i] = point.x[i];
        if (point.x[i] > box->upper.x[i])
            box->upper.x[i] = point.x[i];
    }
}

/* A half-space: what stands for it says nothing about an extent. */
static bool is_endless(const graze_clash_part *part)
{
    return part->shape != NULL && graze_shape_get_kind(part->shape) == GRAZE_SHAPE_HALF_SPACE;
}

static void grow_by_part(vector_box *box, const graze_clash_part *part)
{
    const uint32_t *corners = graze_mesh_triangles(part->mesh);
    const double *vertices = graze_mesh_vertices(part->mesh);
    size_t count = 3 * graze_mesh_triangle_count(part->mesh);
    for (size_t i = 0; i < count; i++)
        grow(box, grz_placed_vertex(part, vertices, corners[i]));
}

/* Around a box; of radius 0 at the origin for an empty one. */
static grz_sphere sphere_of(const vector_box *box)
{
    grz_sphere sphere = {{{0, 0, 0}}, 0};
    if (!(box->lower.x[0] <= box->upper.x[0]))
        return sphere;
    grz_vector half;
    for (int i = 0; i < 3; i++)
    {
        half.x[i] = 0.5 * box->upper.x[i] - 0.5 * box->lower.x[i];
        sphere.center.x[i] = box->lower.x[i] + half.x[i];
    }
    sphere.radius = sqrt(grz_vector_dot(half, half));
    return sphere;
}

static vector_box contact_box(const graze_clash_finding *f)
{
    vector_box box = empty_box();
    const graze_box *known = f->region != NULL ? &f->region->bounds : &f->box;
    if (known->lower[0] <= known->upper[0])
        for (int i = 0; i < 3; i++)
        {
            box.lower.x[i] = known->lower[i];
            box.upper.x[i] = known->upper[i];
        }
    const double(*gap)[3] = grz_gap_points(f);
    for (int i = 0; i < 2 && gap != NULL; i++)
        grow(&box, (grz_vector){{gap[i][0], gap[i][1], gap[i][2]}});
    if (gap == NULL)
        grow(&box, (grz_vector){{f->point[0], f->point[1], f->point[2]}});
    return box;
}

grz_framing grz_framing_of(const graze_clash_report *report, const graze_clash_finding *f)
{
    vector_box both = empty_box(), box = contact_box(f);
    double least = -1; /* radius of the smaller part; negative: none has triangles */
    grz_sphere inner = {{{0, 0, 0}}, 0};
    for (int i = 0; i < 2; i++)
    {
        vector_box own = empty_box();
        const graze_clash_part part = graze_clash_finding_part(report, f, i == 1);
        if (is_endless(&part))
            continue;
        grow_by_part(&own, &part);
        if (!(own.lower.x[0] <= own.upper.x[0]))
            continue;
        grow(&both, own.lower);
        grow(&both, own.upper);
        grz_sphere sphere = sphere_of(&own);
        least = least < 0 ? sphere.radius : fmin(least, sphere.radius);
        if (f->verdict == GRAZE_CLASH_CONTAINS && f->a_in_b == (i == 0))
            inner = sphere;
    }
    grz_framing framing = {.contact = sphere_of(&box), .view = sphere_of(&both), .whole = true};
    double share = (f->has_gap && f->gap[1] > 0 ? 0.12 : 0.3) * least; /* a gap is small */
    framing.contact.radius = fmax(1.9 * framing.contact.radius, fmax(0, share));
    if (f->verdict == GRAZE_CLASH_DUPLICATE)
        framing.contact = framing.view;
    if (f->verdict == GRAZE_CLASH_CONTAINS)
        framing.contact = inner;
    bool is_undecided = f->verdict == GRAZE_CLASH_UNDECIDED; /* whether one lies in the other, mostly */
    if (is_undecided)
        framing.contact.radius = fmax(framing.contact.radius, least);
    double most = is_undecided || f->verdict == GRAZE_CLASH_CONTAINS ? most_outside : most_context;
    if (framing.view.radius > most * framing.contact.radius && framing.contact.radius > 0)
    {
        framing.view = (grz_sphere){framing.contact.center, most_context * framing.contact.radius};
        framing.whole = false;
    }
    return framing;
}

double grz_framing_fit(const graze_clash_report *report, const graze_clash_finding *f, const grz_vector axes[3],
                       double tangent, grz_vector *center)
{
    /* The plane of the frustum at angle t touches the corner with the largest s x + t z: a camera at x0 and height h
     * has them all in view when x + t z <= x0 + t h and -x + t z <= -x0 + t h, so that two maxima give x0 and h. */
    const double tangents[2] = {aspect * tangent, tangent};
    double most[2][2] = {{-INFINITY, -INFINITY}, {-INFINITY, -INFINITY}};
    for (int k = 0; k < 2; k++)
    {
        const graze_clash_part placed = graze_clash_finding_part(report, f, k == 1), *part = &placed;
        const uint32_t *corners = graze_mesh_triangles(part->mesh);
        const double *vertices = graze_mesh_vertices(part->mesh);
        size_t count = is_endless(part) ? 0 : 3 * graze_mesh_triangle_count(part->mesh);
        for (size_t i = 0; i < count; i++)
        {
            grz_vector p = grz_vector_add(grz_placed_vertex(part, vertices, corners[i]), -1, *center);
            double z = grz_vector_dot(p, axes[2]);
            for (int axis = 0; axis < 2; axis++)
            {
                double x = grz_vector_dot(p, axes[axis]);
                double right = x + tangents[axis] * z, left = -x + tangents[axis] * z;
                most[axis][0] = right > most[axis][0] ? right : most[axis][0];
                most[axis][1] = left > most[axis][1] ? left : most[axis][1];
            }
        }
    }
    double height = 0;
    for (int axis = 0; axis < 2; axis++)
    {
        height = fmax(height, (most[axis][0] + most[axis][1]) / (2 * tangents[axis]));
        *center = grz_vector_add(*center, (most[axis][0] - most[axis][1]) / 2, axes[axis]);
    }
    return height;
}
