/* SPDX-License-Identifier: MIT */
/* Local minima among pairs of triangles; see disjoint_contacts.h. */
#include "pair/method/disjoint_contacts.h"

#include <stdlib.h>

#include "base/sort.h"
#include "math/interval.h"
#include "math/vector.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"

/* A share of a triangle below which a corner has no part in a point. */
#define NO_PART 0x1p-30

enum
{
    MOST_SCALED = 1000 /* exponent of the scale */
};

typedef struct minimum_search
{
    const graze_context *context;
    const grz_measure_frame *frame;
    grz_monitor *monitor;
    grz_near_pairs *near;
    double equal;           /* distances that differ by less are taken for equal */
    double scale;           /* a power of two; places times it are no larger than 2: products of six stay in range */
    grz_key_value *at;      /* vertex of A << 32 | pair, sorted: the pairs around it */
    grz_key_value *scratch; /* of the sort */
    size_t at_count;
} minimum_search;

/* The vertices of a mesh, those at one position with one number; NULL: out of memory, or stopped. */
static uint32_t *merged_vertices(const minimum_search *s, const graze_mesh *mesh)
{
    uint32_t *merged = grz_allocate(s->context, mesh->vertex_count, sizeof *merged);
    uint32_t *first = grz_allocate(s->context, mesh->vertex_count, sizeof *first);
    size_t count;
    bool done =
        merged != NULL && first != NULL && grz_merge_vertices(s->context, mesh, s->monitor, merged, first, &count);
    grz_release(s->context, first);
    if (done)
        return merged;
    grz_release(s->context, merged);
    return NULL;
}

/* A corner, less A's translation, times the scale: all pairs are compared so, also those that were measured in the
   world. */
static v3 corner_of(const minimum_search *s, const grz_near_pair *pair, int side, int corner)
{
    const graze_mesh *mesh = side == 0 ? s->frame->mesh_a : s->frame->mesh_b;
    uint32_t triangle = side == 0 ? pair->gap.triangle_a : pair->gap.triangle_b;
    double point[3];
    graze_pose_apply(side == 0 ? &s->frame->shifted_a : &s->frame->shifted_b,
                     grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle + (size_t)corner]), point);
    return v3_scale(s->scale, v3_load(point));
}

/* The closest point of a pair that does not meet, likewise. */
static v3 point_of(const minimum_search *s, const grz_near_pair *pair, int side)
{
    const double *m = s->frame->pose_a.m;
    v3 point = v3_load(side == 0 ? pair->gap.point_a : pair->gap.point_b);
    return v3_scale(s->scale, pair->gap.shifted ? point : v3_sub(point, v3_make(m[3], m[7], m[11])));
}

/* The corners whose mixture the closest point of the triangle is: all of them where it has no area, or the pair meets.
 */
static uint8_t corners_at(const minimum_search *s, const grz_near_pair *pair, int side)
{
    v3 corners[3];
    uint8_t on = 0;
    if (pair->gap.meet)
        return 7;
    v3 p = point_of(s, pair, side);
    for (int i = 0; i < 3; i++)
        corners[i] = corner_of(s, pair, side, i);
    v3 normal = v3_cross(v3_sub(corners[1], corners[0]), v3_sub(corners[2], corners[0]));
    double area = v3_dot(normal, normal);
    for (int i = 0; i < 3 && area > 0; i++)
    {
        v3 part = v3_cross(v3_sub(corners[(i + 1) % 3], p), v3_sub(corners[(i + 2) % 3], p));
        on |= (uint8_t)((v3_dot(part, normal) > NO_PART * area) << i);
    }
    return on != 0 ? on : 7;
}

static bool has_corner(const uint32_t corners[3], uint32_t vertex)
{
    return corners[0] == vertex || corners[1] == vertex || corners[2] == vertex;
}

/* Whether the second triangle has the point of the first. */
static bool holds_point(const grz_near_pair *pair, const grz_near_pair *other, int side)
{
    for (int i = 0; i < 3; i++)
        if ((pair->on[side] >> i & 1) != 0 && !has_corner(other->corners[side], pair->corners[side][i]))
            return false;
    return true;
}

/* Whether the second triangle is the first, or continues it in its plane. */
static bool continues(const minimum_search *s, const grz_near_pair *pair, const grz_near_pair *other, int side)
{
    const uint32_t *a = pair->corners[side], *b = other->corners[side];
    if (side == 0 ? pair->gap.triangle_a == other->gap.triangle_a : pair->gap.triangle_b == other->gap.triangle_b)
        return true;
    if (!has_corner(b, a[0]) && !has_corner(b, a[1]) && !has_corner(b, a[2]))
        return false;
    if (pair->gap.meet && other->gap.meet)
        return true;
    v3 first = corner_of(s, pair, side, 0);
    v3 normal = v3_cross(v3_sub(corner_of(s, pair, side, 1), first), v3_sub(corner_of(s, pair, side, 2), first));
    double length = v3_length(normal);
    bool flat = true;
    for (int i = 0; i < 3; i++)
        flat = flat &&
               fabs(v3_dot(v3_sub(corner_of(s, other, side, i), first), normal)) <= 8 * s->equal * s->scale * length;
    return flat;
}

static uint32_t group_of(grz_near_pairs *near, uint32_t pair)
{
    while (near->data[pair].group != pair)
        pair = near->data[pair].group = near->data[near->data[pair].group].group;
    return pair;
}

/* What one pair is to another near it. */
static void relate(minimum_search *s, uint32_t first, uint32_t second)
{
    grz_near_pair *pair = &s->near->data[first];
    const grz_near_pair *other = &s->near->data[second];
    bool shared = holds_point(pair, other, 0) && holds_point(pair, other, 1);
    bool equal = fabs(pair->gap.distance - other->gap.distance) <= s->equal;
    if (shared && !equal && other->gap.distance < pair->gap.distance)
        pair->below = fmin(pair->below, other->gap.distance);
    if (equal && (shared || (continues(s, pair, other, 0) && continues(s, pair, other, 1))))
    {
        uint32_t a = group_of(s->near, first), b = group_of(s->near, second);
        s->near->data[a < b ? b : a].group = a < b ? a : b;
    }
}

/* Compares each pair with those that share a vertex of A's triangle. */
static bool relate_all(minimum_search *s)
{
    for (size_t i = 0, end; i < s->at_count; i = end)
    {
        for (end = i + 1; end < s->at_count && s->at[end].key >> 32 == s->at[i].key >> 32;)
            end++;
        for (size_t k = i; k < end; k++)
        {
            if (!grz_monitor_work(s->monitor, end - i))
                return false;
            for (size_t j = i; j < end; j++)
                if (j != k)
                    relate(s, (uint32_t)s->at[k].key, (uint32_t)s->at[j].key);
        }
    }
    return true;
}

/* The vertices and features of all pairs, and the pairs at each vertex. */
static bool prepare(minimum_search *s)
{
    uint32_t *merged[2] = {merged_vertices(s, s->frame->mesh_a), merged_vertices(s, s->frame->mesh_b)};
    bool done = merged[0] != NULL && merged[1] != NULL;
    for (uint32_t n = 0; done && n < s->near->count; n++)
    {
        grz_near_pair *pair = &s->near->data[n];
        for (size_t i = 0; i < 3; i++)
        {
            pair->corners[0][i] = merged[0][s->frame->mesh_a->triangles[3 * (size_t)pair->gap.triangle_a + i]];
            pair->corners[1][i] = merged[1][s->frame->mesh_b->triangles[3 * (size_t)pair->gap.triangle_b + i]];
            s->at[s->at_count++] = (grz_key_value){(uint64_t)pair->corners[0][i] << 32 | n, 0};
        }
        for (int side = 0; side < 2; side++)
            pair->on[side] = corners_at(s, pair, side);
        pair->group = n;
        pair->below = INFINITY;
        pair->least = pair->gap.distance;
        done = grz_monitor_work(s->monitor, 8);
    }
    grz_release(s->context, merged[0]);
    grz_release(s->context, merged[1]);
    return done && grz_sort_keyed_monitored(s->at, s->scratch, s->at_count, s->monitor);
}

static int by_triangles(const void *a, const void *b)
{
    const graze_near_contact *x = a, *y = b;
    if (x->triangle_a != y->triangle_a)
        return x->triangle_a < y->triangle_a ? -1 : 1;
    return x->triangle_b < y->triangle_b ? -1 : x->triangle_b > y->triangle_b;
}

/* Whether a pair stands for its group before another: the nearer one, of equals the first in order. */
static bool comes_first(const grz_near_pair *pair, const grz_near_pair *other)
{
    if (pair->gap.upper != other->gap.upper)
        return pair->gap.upper < other->gap.upper;
    if (pair->gap.triangle_a != other->gap.triangle_a)
        return pair->gap.triangle_a < other->gap.triangle_a;
    return pair->gap.triangle_b < other->gap.triangle_b;
}

static graze_near_contact contact_of(const minimum_search *s, const grz_near_pair *pair)
{
    graze_near_contact contact = {.triangle_a = pair->gap.triangle_a,
                                  .triangle_b = pair->gap.triangle_b,
                                  .lower = pair->gap.lower,
                                  .upper = pair->gap.upper};
    for (int i = 0; i < 3; i++)
        contact.point_a[i] = contact.point_b[i] = NAN;
    if (!pair->gap.meet)
        grz_closest_points_in_world(s->frame, &pair->gap, contact.point_a, contact.point_b);
    return contact;
}

/* One contact a group that leads to no pair nearer than all of its own: of faces that are parallel but for a slope by
   roundings, pairs from rim to rim are equal one by one, and the upper rim leads to the lower one. `best` is by group:
   a pair, and 1 more. */
static bool push_minima(const minimum_search *s, uint32_t *best, grz_near_contacts *out)
{
    grz_near_pairs *near = s->near;
    for (uint32_t n = 0; n < near->count; n++)
    {
        uint32_t group = group_of(near, n);
        near->data[group].below = fmin(near->data[group].below, near->data[n].below);
        near->data[group].least = fmin(near->data[group].least, near->data[n].gap.distance);
        if (best[group] == 0 || comes_first(&near->data[n], &near->data[best[group] - 1]))
            best[group] = n + 1;
    }
    for (uint32_t n = 0; n < near->count; n++)
        if (near->data[n].group == n && !(near->data[n].below < near->data[n].least) &&
            !GRZ_PUSH(s->context, out, contact_of(s, &near->data[best[n] - 1])))
            return false;
    if (out->count > 0)
        qsort(out->data, out->count, sizeof *out->data, by_triangles);
    return true;
}

graze_status grz_disjoint_contacts(const graze_context *context, const grz_measure_frame *frame, grz_near_pairs *near,
                                   grz_monitor *monitor, grz_near_contacts *out)
{
    minimum_search s = {.context = context, .frame = frame, .monitor = monitor, .near = near};
    if (near->count == 0)
        return GRAZE_STATUS_OK;
    if (near->count >= UINT32_MAX / 3)
        return GRAZE_STATUS_TOO_LARGE;
    double magnitude = fmax(grz_coordinate_bound(frame->mesh_a, &frame->shifted_a),
                            grz_coordinate_bound(frame->mesh_b, &frame->shifted_b));
    int exponent = magnitude > 0 ? ilogb(magnitude) : 0;
    s.scale = ldexp(1, exponent > -MOST_SCALED ? -exponent : MOST_SCALED);
    s.equal = 0x1p13 * GRZ_U * magnitude + 0x1p-1072; /* 2^10 times the error of a corner's coordinate */
    s.at = grz_allocate(context, 3 * near->count, sizeof *s.at);
    s.scratch = grz_allocate(context, 3 * near->count, sizeof *s.scratch);
    uint32_t *best = grz_allocate_zeroed(context, near->count, sizeof *best);
    bool done = s.at != NULL && s.scratch != NULL && best != NULL && prepare(&s) && relate_all(&s) &&
                push_minima(&s, best, out);
    grz_release(context, s.at);
    grz_release(context, s.scratch);
    grz_release(context, best);
    return done ? GRAZE_STATUS_OK : grz_monitor_or_memory(monitor);
}
