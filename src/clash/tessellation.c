/* SPDX-License-Identifier: MIT */
/*
 * Sagittas of facets; see tessellation.h.
 *
 * The surface that a triangle stands for is estimated from the normals of its corners, each the mean of the triangles
 * around the corner, weighted by their angles there, as far as they continue the triangle's own surface. An edge from p
 * to q of length L is the chord of an arc whose tangents differ from it by the angle f, sin f = |n . (q - p)| / L; its
 * sagitta is L/2 tan(f/2) (for a regular polygon that is exact). The smaller f of both ends counts, and none if the
 * surface bends to different sides there: an isolated crease is no curve. Over the triangle the sagittas of the edges
 * are interpolated by a quadratic patch, 4 (s_01 b_0 b_1 + s_12 b_1 b_2 + s_20 b_2 b_0) in barycentric coordinates b:
 * the largest of its values at the middles of the edges and at the centroid counts.
 *
 * A surface continues over an edge where it turns by less than 42 degrees, between a regular octagon (45), which is a
 * prism or a chamfered square, and a polygon of nine sides (40), and where the neighbour has at least a third of the
 * area, that is, of the width across the edge: flat faces end at a narrow fillet.
 *
 * All of this errs towards small sagittas where in doubt: a crossing is then told as such.
 */
#include "clash/tessellation.h"

#include <string.h>

#include "clash/vector.h"
#include "graze/depth.h"
#include "graze/mesh_query.h"

enum
{
    FAN_TRIANGLES = 32 /* of a corner, in either direction: enough for all but the tip of a cone */
};

static const double smooth_cosine = 0.7431448254773942; /* of 42 degrees */
static const double width_ratio = 3;
static const double most_of_chord = 0.125; /* a sphere of nine facets around has 0.12 of their length */

/* The surface of a placed mesh. */
typedef struct facets
{
    const double *vertices;
    const uint32_t *triangles, *twins;
    const graze_pose *pose;
} facets;

static vector place(const facets *f, uint32_t vertex)
{
    return vector_place(f->pose, f->vertices + 3 * (size_t)vertex);
}

/* A triangle in the world: corners, unit normal, area. */
typedef struct facet
{
    vector corners[3], normal;
    double area; /* 0 where there is no normal */
} facet;

static facet facet_of(const facets *f, uint32_t triangle)
{
    facet t;
    for (int k = 0; k < 3; k++)
        t.corners[k] = place(f, f->triangles[3 * (size_t)triangle + (size_t)k]);
    vector cross = vector_cross(vector_sub(t.corners[1], t.corners[0]), vector_sub(t.corners[2], t.corners[0]));
    double length = vector_length(cross);
    t.area = length > 0 && isfinite(length) ? 0.5 * length : 0;
    t.normal = t.area > 0 ? vector_scale(1 / length, cross) : vector_make(0, 0, 0);
    return t;
}

/* Whether the surface of `from` goes on in its neighbour `to`. */
static bool continues(const facet *from, const facet *to)
{
    return to->area > 0 && from->area <= width_ratio * to->area && vector_dot(from->normal, to->normal) > smooth_cosine;
}

/* The normal of a triangle times its angle at a corner. */
static vector weighted_normal(const facet *t, uint32_t corner)
{
    vector one = vector_sub(t->corners[(corner + 1) % 3], t->corners[corner]);
    vector two = vector_sub(t->corners[(corner + 2) % 3], t->corners[corner]);
    vector cross = vector_cross(one, two);
    return vector_scale(atan2(vector_length(cross), vector_dot(one, two)), t->normal);
}

static uint32_t next_around(uint32_t half_edge)
{
    return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}

static uint32_t previous_around(uint32_t half_edge)
{
    return half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1;
}

/* The half-edge that leaves the same corner from the neighbour on one side, or GRAZE_NO_HALF_EDGE. Where the
 * orientation changes, it starts elsewhere: the fan ends there. */
static uint32_t turn(const facets *f, uint32_t half_edge, bool left)
{
    uint32_t twin = f->twins[left ? previous_around(half_edge) : half_edge];
    if (twin == UINT32_MAX)
        return UINT32_MAX;
    uint32_t other = left ? twin : next_around(twin);
    vector here = place(f, f->triangles[half_edge]), there = place(f, f->triangles[other]);
    return here.x == there.x && here.y == there.y && here.z == there.z ? other : UINT32_MAX;
}

/* The unit normal of the surface at corner k of a triangle. */
static vector corner_normal(const facets *f, uint32_t triangle, const facet *own, uint32_t k)
{
    vector sum = weighted_normal(own, k);
    for (int left = 0; left < 2; left++)
    {
        facet at = *own;
        uint32_t start = 3 * triangle + k, half_edge = turn(f, start, left);
        for (int i = 0; i < FAN_TRIANGLES && half_edge != UINT32_MAX && half_edge / 3 != triangle; i++)
        {
            facet next = facet_of(f, half_edge / 3);
            if (!continues(&at, &next))
                break;
            sum = vector_add(sum, weighted_normal(&next, half_edge % 3));
            at = next;
            half_edge = turn(f, half_edge, left);
        }
        if (half_edge != UINT32_MAX && half_edge / 3 == triangle)
            break; /* all around */
    }
    double length = vector_length(sum);
    return length > 0 ? vector_scale(1 / length, sum) : own->normal;
}

/* The sagitta over the chord from p to q, positive where the surface is convex; 0 where it does not bend to the same
 * side at both ends. */
static double chord_sagitta(vector p, vector q, vector normal_p, vector normal_q)
{
    vector chord = vector_sub(q, p);
    double length = vector_length(chord);
    double rise = -vector_dot(normal_p, chord), fall = vector_dot(normal_q, chord);
    if (!(length > 0) || !(rise * fall > 0))
        return 0;
    double smaller = fabs(rise) < fabs(fall) ? rise : fall, sine = smaller / length;
    return smaller / (2 * (1 + sqrt(fmax(0, 1 - sine * sine))));
}

double grz_clash_triangle_sagitta(const grz_clash_part *part, uint32_t triangle)
{
    const facets f = {graze_mesh_vertices(part->placed.mesh), graze_mesh_triangles(part->placed.mesh),
                      graze_body_twins(part->body), &part->placed.pose};
    facet own = facet_of(&f, triangle);
    if (f.twins == NULL || own.area == 0)
        return 0;
    vector normals[3];
    for (uint32_t k = 0; k < 3; k++)
        normals[k] = corner_normal(&f, triangle, &own, k);
    double largest = 0, sum = 0, longest = 0;
    for (int k = 0; k < 3; k++)
    {
        int next = (k + 1) % 3;
        double sagitta = chord_sagitta(own.corners[k], own.corners[next], normals[k], normals[next]);
        largest = fmax(largest, fabs(sagitta));
        sum += sagitta;
        longest = fmax(longest, vector_length(vector_sub(own.corners[next], own.corners[k])));
    }
    largest = fmax(largest, fabs(sum) * (4.0 / 9.0)); /* the patch at the centroid */
    return isfinite(largest) ? fmin(largest, most_of_chord * longest) : 0;
}

graze_status grz_clash_sagitta_near(const graze_context *context, const grz_clash_part *part, const double point[3],
                                    double radius, double *out_sagitta)
{
    uint32_t triangles[GRZ_CLASH_SAGITTA_TRIANGLES];
    size_t count = 0;
    graze_box box;
    *out_sagitta = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = point[axis] - radius;
        box.upper[axis] = point[axis] + radius;
        if (!isfinite(box.lower[axis]) || !isfinite(box.upper[axis]))
            return GRAZE_STATUS_OK;
    }
    graze_status status = graze_placed_mesh_collide_box(context, &part->placed, &box, NULL, triangles,
                                                        GRZ_CLASH_SAGITTA_TRIANGLES, &count);
    for (size_t i = 0; i < count && i < GRZ_CLASH_SAGITTA_TRIANGLES && status == GRAZE_STATUS_OK; i++)
        *out_sagitta = fmax(*out_sagitta, grz_clash_triangle_sagitta(part, triangles[i]));
    return status;
}

/* The diagonal of the AABB: no edge is longer. */
static double diagonal_of(const grz_clash_part *part)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
        sum += (part->upper[axis] - part->lower[axis]) * (part->upper[axis] - part->lower[axis]);
    return sqrt(sum);
}

/* The longest edge of the triangle of a part that is nearest to a point. */
static graze_status find_nearest_size(const graze_context *context, const grz_clash_part *part, const double point[3],
                                      double *out_size)
{
    graze_distance nearest;
    graze_distance_options options = graze_distance_options_default();
    options.relative_error = 0x1p-3; /* about as near will do */
    graze_status status = graze_placed_mesh_nearest_to_point(context, &part->placed, point, &options, &nearest);
    *out_size = 0;
    if (status != GRAZE_STATUS_OK || !nearest.found)
        return status;
    const uint32_t *corners = graze_mesh_triangles(part->placed.mesh) + 3 * (size_t)nearest.triangle_b;
    const double *vertices = graze_mesh_vertices(part->placed.mesh);
    for (int k = 0; k < 3; k++)
    {
        vector from = vector_place(&part->placed.pose, vertices + 3 * (size_t)corners[k]);
        vector to = vector_place(&part->placed.pose, vertices + 3 * (size_t)corners[(k + 1) % 3]);
        *out_size = fmax(*out_size, vector_length(vector_sub(to, from)));
    }
    return status;
}

/* Whether facets may be large enough for sagittas of that depth: of facets four times as long as the nearest ones, no
 * sum is deeper than half their lengths. Most crossings are far deeper, and the search for all facets takes longer. */
static graze_status may_reach(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                              const double point[3], double depth, bool *out_may)
{
    double sizes[2] = {0, 0};
    graze_status status = find_nearest_size(context, a, point, &sizes[0]);
    if (status == GRAZE_STATUS_OK)
        status = find_nearest_size(context, b, point, &sizes[1]);
    *out_may = depth <= 4 * most_of_chord * (sizes[0] + sizes[1]);
    return status;
}

/* Both surfaces are within the depth of the deepest point, since none of its depths is larger. */
graze_status grz_clash_judge_facets(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                    graze_clash_finding *finding)
{
    graze_clash_details *details = finding->details;
    double sagittas[2] = {0, 0}, depth = finding->depth[1];
    if (finding->verdict != GRAZE_CLASH_CROSSES || !finding->has_depth || details == NULL || !isfinite(depth))
        return GRAZE_STATUS_OK;
    bool may = depth <= most_of_chord * (diagonal_of(a) + diagonal_of(b));
    graze_status status = GRAZE_STATUS_OK;
    if (may)
        status = may_reach(context, a, b, details->depth_line[0], depth, &may);
    if (status != GRAZE_STATUS_OK || !may)
        return status;
    status = grz_clash_sagitta_near(context, a, details->depth_line[0], depth, &sagittas[0]);
    if (status == GRAZE_STATUS_OK)
        status = grz_clash_sagitta_near(context, b, details->depth_line[0], depth, &sagittas[1]);
    if (status != GRAZE_STATUS_OK)
        return status;
    memcpy(details->sagittas, sagittas, sizeof sagittas);
    finding->within_tessellation = depth <= sagittas[0] + sagittas[1];
    return GRAZE_STATUS_OK;
}
