/* SPDX-License-Identifier: MIT */
/* Depths, rays, triangles, contacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shape_case.h"
#include "truth.h"
#include "twin.h"

/* ---- depths ---- */

/* Moves B by a translation, and tells the squared length of what it became; false beyond the range. */
static bool move(case_side *side, const double by[3], long double *out_length)
{
    long double sum = 0;
    for (int k = 0; k < 3; k++)
    {
        double *t = &side->placed.pose.m[4 * k + 3], old = *t;
        *t += by[k];
        if (!isfinite(*t))
            return false;
        long double moved = (long double)*t - old;
        sum += moved * moved;
    }
    *out_length = sqrtl(sum);
    return side_place(side);
}

static bool all_apart(const shape_case *c)
{
    for (uint32_t i = 0; i < c->sides[0].leaf_count; i++)
        for (uint32_t j = 0; j < c->sides[1].leaf_count; j++)
            if (truth_compare(&c->sides[0].world[i], &c->sides[1].world[j], 0) != ORDER_GREATER)
                return false;
    return true;
}

/* Shorter translations than the lower bound leave something in common. */
static void check_shorter(fuzz_bytes *bytes, shape_case *c, double lower)
{
    graze_pose before = c->sides[1].placed.pose;
    for (int i = 0; i < 4; i++)
    {
        double w[3], length = 0, by[3];
        long double moved;
        for (int k = 0; k < 3; k++)
        {
            w[k] = (double)(int8_t)take_byte(bytes);
            length = hypot(length, w[k]);
        }
        if (length == 0)
            w[i % 3] = length = 1;
        for (int k = 0; k < 3; k++)
            by[k] = w[k] / length * fmin(lower, 1e300) * (1 - 1e-12);
        if (move(&c->sides[1], by, &moved) && moved < lower)
            EXPECT(!all_apart(c), "a translation of %La parts them, below %a", moved, lower);
        c->sides[1].placed.pose = before;
        side_place(&c->sides[1]);
    }
}

/* After the way out, hardly anything is left in common: as deep as the way was rounded. */
static void check_way_out(shape_case *c, const graze_shape_depth *d)
{
    graze_pose before = c->sides[1].placed.pose;
    double largest = 0;
    long double moved, length = 0;
    for (int k = 0; k < 3; k++)
    {
        EXPECT(isfinite(d->translation[k]), "the way out is not finite");
        length += (long double)d->translation[k] * d->translation[k];
        largest = fmax(largest, fabs(before.m[4 * k + 3]));
    }
    finding_note_text("/* depth [%a, %a], way %a %a %a, %La */\n", d->lower, d->upper, d->translation[0],
                      d->translation[1], d->translation[2], sqrtl(length));
    EXPECT(sqrtl(length) <= d->upper * (1 + 1e-9L) + largest * 0x1p-50L + 0x1p-1000L, "the way out is longer than %a",
           d->upper);
    if (move(&c->sides[1], d->translation, &moved))
    {
        graze_shape_depth left;
        EXPECT_OK(graze_shape_pair_depth(NULL, &c->sides[0].placed, &c->sides[1].placed, NULL, &left));
        EXPECT(left.overlap == GRAZE_VERDICT_NO || left.lower <= 1e-9 * d->upper + 1e-13 * largest,
               "after the way out of %a they are %a deep", d->upper, left.lower);
    }
    c->sides[1].placed.pose = before;
    side_place(&c->sides[1]);
}

void check_depths(fuzz_bytes *bytes, shape_case *c)
{
    const graze_placed *a = &c->sides[0].placed, *b = &c->sides[1].placed;
    graze_shape_depth d, other;
    graze_shape_depth_options options = graze_shape_depth_options_default();
    graze_status status;
    options.max_queries = 1 + take_below(bytes, 60);
    options.budget.box_tests = 20000; /* two meshes on each other ask for many */
    IN_ENVIRONMENT(c, status, graze_shape_pair_depth(&c->context, a, b, &options, &d));
    if (status == GRAZE_STATUS_UNFINISHED)
        return;
    EXPECT(status == GRAZE_STATUS_OK, "depth: %s", graze_status_text(status));
    status = graze_shape_pair_depth(NULL, b, a, &options, &other);
    EXPECT(status == GRAZE_STATUS_OK, "depth, swapped: %s", graze_status_text(status));
    EXPECT(d.overlap == other.overlap && d.lower == other.lower && d.upper == other.upper &&
               d.depth_lower == other.depth_lower && d.depth_upper == other.depth_upper,
           "swapped: depth in [%a, %a], not [%a, %a]", other.lower, other.upper, d.lower, d.upper);
    EXPECT(d.lower >= 0 && d.lower <= d.upper && d.depth_lower >= 0 && d.depth_lower <= d.depth_upper,
           "depth in [%a, %a], [%a, %a]", d.lower, d.upper, d.depth_lower, d.depth_upper);
    if (d.overlap == GRAZE_VERDICT_NO)
    {
        EXPECT(d.upper == 0 && d.depth_upper == 0, "a depth without overlap");
        return;
    }
    EXPECT(!all_apart(c) || (d.overlap == GRAZE_VERDICT_UNKNOWN && truth_is_near(&c->sides[0], &c->sides[1], 0)),
           "overlap %d of shapes that are apart", (int)d.overlap);
    if (d.lower > 0)
        check_shorter(bytes, c, d.lower);
    if (d.upper < INFINITY)
        check_way_out(c, &d);
}

/* ---- rays ---- */

/* The part of a ray up to t, as a leaf: a segment under a pose that scales. */
static order ray_meets(const case_leaf *segment, const double origin[3], double t, const case_side *side)
{
    placed_leaf part = {segment, graze_pose_identity()};
    order best = ORDER_GREATER;
    for (int k = 0; k < 3; k++)
    {
        part.pose.m[5 * k] = t;
        part.pose.m[4 * k + 3] = origin[k];
    }
    for (uint32_t i = 0; i < side->leaf_count; i++)
    {
        order o = truth_compare(&part, &side->world[i], 0);
        if (truth_meets(o))
            return o;
        best = o == ORDER_NEAR ? o : best;
    }
    return best;
}

void check_rays(fuzz_bytes *bytes, shape_case *c)
{
    static const double limits[] = {INFINITY, 1, 0, 0.5, 2, 1e300, 3, 0.1};
    double points[2][3] = {{0}}, origin[3], limit = limits[take_below(bytes, 8)];
    const case_side *side = &c->sides[0];
    graze_verdict found;
    graze_shape_ray_hit hit;
    graze_status status;
    for (int k = 0; k < 3; k++)
    {
        origin[k] = take_coordinate(bytes) + (take_below(bytes, 2) != 0 ? side->world[0].pose.m[4 * k + 3] : 0);
        points[1][k] = take_coordinate(bytes);
    }
    IN_ENVIRONMENT(c, status,
                   graze_shape_cast_ray(&c->context, &side->placed, origin, points[1], limit, NULL, &found, &hit));
    if (!isfinite(origin[0]) || !isfinite(origin[1]) || !isfinite(origin[2]))
        return;
    EXPECT(status == GRAZE_STATUS_OK, "ray: %s", graze_status_text(status));
    case_leaf segment = {.kind = GRAZE_SHAPE_SEGMENT, .has_core = true};
    segment.core.vertex_count = 2;
    memcpy(segment.core.vertices, points, sizeof points);
    segment.core.triangle_count = 1;
    segment.core.triangles[0][1] = 1;
    EXPECT_OK(graze_shape_create_segment(NULL, (const double(*)[3])points, &segment.shape));
    finding_note_text("/* ray from %a %a %a along %a %a %a to %a */\n", origin[0], origin[1], origin[2], points[1][0],
                      points[1][1], points[1][2], limit);
    order whole = ray_meets(&segment, origin, fmin(limit, 0x1p1000), side);
    if (limit < INFINITY || truth_meets(whole)) /* beyond 2^1000 nothing is said */
    {
        EXPECT(found != GRAZE_VERDICT_NO || !truth_meets(whole), "a ray misses what it meets");
        EXPECT(found != GRAZE_VERDICT_YES || whole != ORDER_GREATER, "a ray meets what it misses");
    }
    if (found == GRAZE_VERDICT_YES)
    {
        finding_note_text("/* t %a in [%a, %a] */\n", hit.t, hit.t_lower, hit.t_upper);
        EXPECT(hit.part < side->leaf_count, "a ray meets no leaf");
        EXPECT(hit.t >= 0 && hit.t_lower >= 0 && hit.t_lower <= hit.t && hit.t <= hit.t_upper && hit.t_lower <= limit,
               "t %a is not in [%a, %a]", hit.t, hit.t_lower, hit.t_upper);
        double before = nextafter(hit.t_lower, -1);
        if (before >= 0)
            EXPECT(!truth_meets(ray_meets(&segment, origin, before, side)), "a ray meets before %a", hit.t_lower);
        if (hit.t_upper < INFINITY)
            EXPECT(ray_meets(&segment, origin, hit.t_upper, side) != ORDER_GREATER, "a ray meets later than %a",
                   hit.t_upper);
    }
    graze_shape_destroy(segment.shape);
}

/* ---- triangles ---- */

static bool has_triangles(const case_leaf *leaf)
{
    return leaf->kind == GRAZE_SHAPE_MESH || leaf->kind == GRAZE_SHAPE_HEIGHT_FIELD;
}

/* A triangle of a leaf as a leaf. */
static order triangle_meets(const placed_leaf *mesh, uint32_t t, const placed_leaf *other)
{
    case_leaf triangle = {.kind = GRAZE_SHAPE_TRIANGLE, .has_core = true};
    triangle.core.vertex_count = 3;
    triangle.core.triangle_count = 1;
    for (uint32_t k = 0; k < 3; k++)
    {
        memcpy(triangle.core.vertices[k], mesh->leaf->core.vertices[mesh->leaf->core.triangles[t][k]],
               sizeof triangle.core.vertices[k]);
        triangle.core.triangles[0][k] = k;
    }
    EXPECT_OK(graze_shape_create_triangle(NULL, (const double(*)[3])triangle.core.vertices, &triangle.shape));
    placed_leaf placed = {&triangle, mesh->pose};
    order o = truth_compare(&placed, other, 0);
    graze_shape_destroy(triangle.shape);
    return o;
}

static bool is_listed(const graze_shape_hit *hits, uint64_t count, uint32_t parts[2], uint32_t i, uint32_t j)
{
    for (uint64_t h = 0; h < count; h++)
        if (hits[h].part_a == parts[0] && hits[h].part_b == parts[1] && hits[h].triangle_a == i &&
            hits[h].triangle_b == j)
            return true;
    return false;
}

typedef struct listed
{
    uint64_t hits, certain; /* given; that must be there */
} listed;

static void check_leaf_triangles(shape_case *c, uint32_t parts[2], const graze_shape_hit *hits, uint64_t count,
                                 listed *sum)
{
    const placed_leaf *a = &c->sides[0].world[parts[0]], *b = &c->sides[1].world[parts[1]];
    bool lists_a = has_triangles(a->leaf), lists_b = has_triangles(b->leaf);
    uint32_t count_a = lists_a ? a->leaf->core.triangle_count : 1, count_b = lists_b ? b->leaf->core.triangle_count : 1;
    if (!lists_a && !lists_b)
        return;
    if (lists_a && lists_b)
        brute_force_start(&a->leaf->core, &a->pose, &b->leaf->core, &b->pose);
    for (uint32_t i = 0; i < count_a; i++)
        for (uint32_t j = 0; j < count_b; j++)
        {
            order o = lists_a && lists_b ? (brute_force_contact(i, j).found ? ORDER_EQUAL : ORDER_GREATER)
                      : lists_a          ? triangle_meets(a, i, b)
                                         : triangle_meets(b, j, a);
            bool there =
                is_listed(hits, count, parts, lists_a ? i : GRAZE_NO_TRIANGLE, lists_b ? j : GRAZE_NO_TRIANGLE);
            EXPECT(there || !truth_meets(o), "triangles %u, %u of parts %u, %u are not listed", i, j, parts[0],
                   parts[1]);
            EXPECT(!there || o != ORDER_GREATER, "triangles %u, %u of parts %u, %u are listed", i, j, parts[0],
                   parts[1]);
            sum->hits += there;
            sum->certain += truth_meets(o);
        }
}

typedef struct visited
{
    const graze_shape_hit *hits;
    uint64_t count, stop;
} visited;

static bool visit(void *user, const graze_shape_hit *hit)
{
    visited *v = user;
    EXPECT(memcmp(hit, &v->hits[v->count], sizeof *hit) == 0, "hit %llu is visited otherwise",
           (unsigned long long)v->count);
    return ++v->count < v->stop;
}

void check_triangles(fuzz_bytes *bytes, shape_case *c)
{
    enum
    {
        MOST_HITS = MOST_LEAVES * MOST_LEAVES * SMALL_TRIANGLES * SMALL_TRIANGLES
    };
    static graze_shape_hit hits[MOST_HITS], some[MOST_HITS];
    const graze_placed *a = &c->sides[0].placed, *b = &c->sides[1].placed;
    graze_shape_counts counts, short_counts;
    graze_status status;
    listed sum = {0, 0};
    memset(hits, 0, sizeof hits);
    IN_ENVIRONMENT(c, status, graze_shape_pair_gather(&c->context, a, b, NULL, hits, MOST_HITS, &counts));
    EXPECT(status == GRAZE_STATUS_OK, "gather: %s", graze_status_text(status));
    EXPECT(counts.hits <= MOST_HITS, "too many hits");
    for (uint32_t i = 0; i < c->sides[0].leaf_count; i++)
        for (uint32_t j = 0; j < c->sides[1].leaf_count; j++)
        {
            uint32_t parts[2] = {i, j};
            check_leaf_triangles(c, parts, hits, counts.hits, &sum);
        }
    EXPECT(sum.hits == counts.hits, "%llu hits, %llu listed once", (unsigned long long)counts.hits,
           (unsigned long long)sum.hits);
    size_t capacity = take_below(bytes, 4);
    EXPECT_OK(graze_shape_pair_gather(&c->context, a, b, NULL, some, capacity, &short_counts));
    EXPECT(memcmp(&counts, &short_counts, sizeof counts) == 0, "counts with capacity %zu are others", capacity);
    visited v = {hits, 0, 1 + take_below(bytes, 8)};
    status = graze_shape_pair_visit(&c->context, a, b, NULL, visit, &v);
    EXPECT(status == (v.count >= v.stop ? GRAZE_STATUS_CANCELLED : GRAZE_STATUS_OK), "visit: %s",
           graze_status_text(status));
    EXPECT(v.count >= v.stop || v.count == counts.hits, "not all hits are visited");
}

/* ---- contacts ---- */

static void check_manifold(const shape_case *c, const graze_shape_manifold *m, double margin)
{
    const graze_contact_manifold *contacts = &m->contacts;
    double length = 0;
    EXPECT(m->part_a < c->sides[0].leaf_count && m->part_b < c->sides[1].leaf_count, "contacts of no leaf");
    EXPECT(contacts->count >= 1 && contacts->count <= 4, "%u contact points", contacts->count);
    for (int k = 0; k < 3; k++)
        length = hypot(length, contacts->normal[k]);
    EXPECT(fabs(length - 1) < 1e-6, "a normal of length %a", length);
    for (uint32_t i = 0; i < contacts->count; i++)
        for (int k = 0; k < 3; k++)
            EXPECT(isfinite(contacts->points[i].point_a[k]) && isfinite(contacts->points[i].point_b[k]) &&
                       contacts->points[i].gap <= margin * (1 + 1e-9),
                   "contact point %u is not finite, or its gap %a exceeds %a", i, contacts->points[i].gap, margin);
}

/* The largest term in a placed vertex, before others cancel it: points of contacts are rounded to its last digits. */
static double largest_term(const shape_case *c)
{
    double largest = largest_coordinate(c);
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < c->sides[s].leaf_count; i++)
        {
            const placed_leaf *leaf = &c->sides[s].world[i];
            for (uint32_t v = 0; leaf->leaf->has_core && v < leaf->leaf->core.vertex_count; v++)
                for (int k = 0; k < 12; k++)
                    largest =
                        fmax(largest, fabs(leaf->pose.m[k] * (k % 4 < 3 ? leaf->leaf->core.vertices[v][k % 4] : 1)));
        }
    return largest;
}

void check_contacts(fuzz_bytes *bytes, shape_case *c)
{
    static graze_shape_manifold manifolds[256], other[256];
    const graze_placed *a = &c->sides[0].placed, *b = &c->sides[1].placed;
    graze_shape_contact_options options = graze_shape_contact_options_default();
    size_t count, short_count, capacity = take_below(bytes, 3);
    graze_status status;
    options.margin = take_below(bytes, 2) != 0 ? fabs(take_coordinate(bytes)) : 0.5;
    IN_ENVIRONMENT(c, status, graze_shape_pair_contacts(&c->context, a, b, &options, manifolds, 256, &count));
    EXPECT(status == GRAZE_STATUS_OK, "contacts: %s", graze_status_text(status));
    for (size_t i = 0; i < count && i < 256; i++)
    {
        check_manifold(c, &manifolds[i], options.margin);
        double error = 1e-12 * largest_term(c); /* contacts are estimated */
        if (!(options.margin + error < INFINITY))
            continue;
        order o = truth_compare(&c->sides[0].world[manifolds[i].part_a], &c->sides[1].world[manifolds[i].part_b],
                                options.margin * (1 + 1e-12) + error);
        EXPECT(o != ORDER_GREATER, "contacts of leaves farther apart than %a", options.margin);
    }
    EXPECT_OK(graze_shape_pair_contacts(&c->context, a, b, &options, other, capacity, &short_count));
    EXPECT(short_count == count && memcmp(manifolds, other, (capacity < count ? capacity : count) * sizeof *other) == 0,
           "contacts with capacity %zu are others", capacity);
}
