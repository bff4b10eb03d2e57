/* SPDX-License-Identifier: MIT */
/* Sequences of poses: with a cache, and as a batch. Also the intersection of one hit, and of all. */
#include <stdlib.h>
#include <string.h>

#include "graze/batch.h"
#include "pair_case.h"

enum
{
    MOST_POSES = 6
};

/* Moves that a cache must notice or may tolerate: none, a little, by about the gap, far, back to an earlier pose. */
static size_t take_poses(fuzz_bytes *bytes, const graze_pose *first, graze_pose poses[MOST_POSES])
{
    size_t count = 2 + take_below(bytes, MOST_POSES - 1);
    poses[0] = *first;
    for (size_t i = 1; i < count; i++)
    {
        uint8_t form = take_byte(bytes);
        poses[i] = poses[i - 1];
        switch (form & 7)
        {
        case 0: /* it rests */
            break;
        case 1:
        case 2: /* a step along one axis */
            poses[i].m[4 * (form >> 3 & 3) % 12 + 3] += ((form & 32) != 0 ? -1 : 1) * take_coordinate(bytes);
            break;
        case 3: /* one entry changes */
            poses[i].m[(form >> 3) % 12] = take_coordinate(bytes);
            break;
        case 4:
            poses[i] = poses[(form >> 3) % i];
            break;
        default:
            take_related_pose(bytes, &poses[i - 1], &poses[i]);
            break;
        }
        if (graze_pose_check(&poses[i], NULL) != GRAZE_STATUS_OK)
            poses[i] = poses[i - 1];
    }
    return count;
}

void check_sequence(fuzz_bytes *bytes, pair_case *c)
{
    static graze_pose poses[MOST_POSES];
    bool truth[MOST_POSES], found[MOST_POSES], both_move = take_below(bytes, 4) == 3;
    size_t count = take_poses(bytes, &c->b.pose, poses);
    for (size_t i = 0; i < count; i++)
        finding_note_pose("next_pose_b", &poses[i]);
    finding_show();
    graze_pair_cache cache = graze_pair_cache_default();
    graze_any_options options = graze_any_options_default();
    options.cache = &cache;
    for (size_t i = 0; i < count; i++)
    {
        graze_placed_mesh a = c->a, b = c->b;
        a.pose = both_move ? poses[count - 1 - i] : c->a.pose;
        b.pose = poses[i];
        truth[i] = case_meets(c, &a.pose, &b.pose);
        graze_hit hit;
        EXPECT_OK(graze_pair_any(&c->context, &a, &b, &options, &found[i], &hit));
        EXPECT(found[i] == truth[i], "cache: at pose %zu of the sequence any says %d%s", i, found[i],
               both_move ? "; a goes through the poses backwards" : "");
        if (!found[i])
            continue;
        graze_placed_triangle first = placed_triangle(&c->sides[0], &a.pose, hit.triangle_a);
        graze_placed_triangle second = placed_triangle(&c->sides[1], &b.pose, hit.triangle_b);
        graze_triangle_contact contact = oracle_triangle_triangle(c->judge, &first, &second);
        EXPECT(contact.found && contact_equal(&contact, &hit.contact), "cache: the hit at pose %zu is none", i);
    }
    graze_pose_batch batch = {.poses_b = poses, .count = count};
    graze_pair_counts counts[MOST_POSES];
    if (both_move)
        return;
    memset(found, 0, sizeof found);
    cache = graze_pair_cache_default();
    EXPECT_OK(graze_pair_any_batch(&c->context, &c->a, &c->b, &batch, &options, NULL, found));
    EXPECT_OK(graze_pair_count_batch(&c->context, &c->a, &c->b, &batch, NULL, NULL, counts));
    for (size_t i = 0; i < count; i++)
    {
        EXPECT(found[i] == truth[i], "batch: at pose %zu any says %d", i, found[i]);
        EXPECT((counts[i].pairs > 0) == truth[i], "batch: at pose %zu there are %llu pairs", i,
               (unsigned long long)counts[i].pairs);
    }
    EXPECT(memcmp(&counts[0], &c->counts, sizeof counts[0]) == 0, "batch: counts at the first pose");
}

/* ---- intersections ---- */

/* The same points in the same cyclic order, in either direction. */
static bool same_polygon(const graze_intersection *x, const graze_intersection *y)
{
    if (x->count != y->count)
        return false;
    for (int start = 0; start < y->count; start++)
        for (int step = 1; step >= -1; step -= 2)
        {
            bool same = true;
            for (int i = 0; i < x->count && same; i++)
                for (int axis = 0; axis < 3; axis++)
                    same = same && x->points[i][axis] == y->points[(start + step * i + y->count) % y->count][axis];
            if (same)
                return true;
        }
    return x->count == 0;
}

void check_intersections(pair_case *c)
{
    int checked = 0;
    for (uint32_t i = 0; i < c->sides[0].shape.triangle_count; i++)
        for (uint32_t j = 0; j < c->sides[1].shape.triangle_count; j++)
        {
            if (!case_contact(c, i, j)->found || ++checked > 24)
                continue;
            graze_placed_triangle first = placed_triangle(&c->sides[0], &c->a.pose, i);
            graze_placed_triangle second = placed_triangle(&c->sides[1], &c->b.pose, j);
            graze_intersection truth = oracle_intersection(c->judge, &first, &second), shared, swapped;
            graze_hit hit = {i, j, i, j, *case_contact(c, i, j)}, turned = {j, i, j, i, contact_mirror(hit.contact)};
            EXPECT_OK(graze_hit_intersection(&c->a, &c->b, &hit, &shared));
            EXPECT(same_polygon(&shared, &truth), "what %u and %u share is another polygon", i, j);
            EXPECT_OK(graze_hit_intersection(&c->b, &c->a, &turned, &swapped));
            EXPECT(intersection_identical(&shared, &swapped), "what %u and %u share, swapped", i, j);
        }
}

typedef struct point_set
{
    double points[6 * MOST_PAIRS][3];
    size_t count;
} point_set;

static void expect_known_points(const point_set *known, const double *points, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
    {
        bool found = false;
        for (size_t k = 0; k < known->count && !found; k++)
            found = known->points[k][0] == points[3 * i] && known->points[k][1] == points[3 * i + 1] &&
                    known->points[k][2] == points[3 * i + 2];
        EXPECT(found, "region: a point of %s that no pair of triangles shares: %.17g %.17g %.17g", what, points[3 * i],
               points[3 * i + 1], points[3 * i + 2]);
    }
}

static void expect_same_region(const graze_region *x, const graze_region *y)
{
    EXPECT(memcmp(&x->counts, &y->counts, sizeof x->counts) == 0 && x->kind == y->kind &&
               x->point_count == y->point_count && x->curve_count == y->curve_count &&
               x->polygon_count == y->polygon_count && memcmp(&x->length, &y->length, sizeof x->length) == 0 &&
               memcmp(&x->area, &y->area, sizeof x->area) == 0,
           "region: swapped arguments change it");
    EXPECT(x->point_count == 0 || memcmp(x->points, y->points, 3 * x->point_count * sizeof(double)) == 0,
           "region: swapped arguments change points");
    size_t curve_points = x->curve_count > 0 ? x->curve_starts[x->curve_count] : 0;
    EXPECT(curve_points == 0 || (curve_points == y->curve_starts[y->curve_count] &&
                                 memcmp(x->curve_points, y->curve_points, 3 * curve_points * sizeof(double)) == 0),
           "region: swapped arguments change curves");
}

void check_region(pair_case *c)
{
    static point_set known;
    int dimension = -1;
    known.count = 0;
    for (uint32_t i = 0; i < c->sides[0].shape.triangle_count; i++)
        for (uint32_t j = 0; j < c->sides[1].shape.triangle_count; j++)
        {
            const graze_triangle_contact *contact = case_contact(c, i, j);
            if (!contact->found)
                continue;
            dimension = contact->dimension > dimension ? contact->dimension : dimension;
            graze_placed_triangle first = placed_triangle(&c->sides[0], &c->a.pose, i);
            graze_placed_triangle second = placed_triangle(&c->sides[1], &c->b.pose, j);
            graze_intersection shared = oracle_intersection(c->judge, &first, &second);
            for (int k = 0; k < shared.count; k++)
                memcpy(known.points[known.count++], shared.points[k], sizeof shared.points[k]);
        }
    graze_region *region, *swapped;
    EXPECT_OK(graze_region_create(&c->context, &c->a, &c->b, NULL, &region));
    EXPECT_OK(graze_region_create(&c->context, &c->b, &c->a, NULL, &swapped));
    EXPECT(memcmp(&region->counts, &c->counts, sizeof c->counts) == 0, "region: counts");
    EXPECT((int)region->kind == dimension + 1, "region: kind %d where the largest dimension is %d", (int)region->kind,
           dimension);
    expect_known_points(&known, region->points, region->point_count, "points");
    if (region->curve_count > 0)
        expect_known_points(&known, region->curve_points, region->curve_starts[region->curve_count], "curves");
    if (region->polygon_count > 0)
        expect_known_points(&known, region->polygon_points, region->polygon_starts[region->polygon_count], "polygons");
    EXPECT((region->point_count + region->curve_count + region->polygon_count > 0) == (c->counts.pairs > 0),
           "region: empty or not");
    expect_same_region(region, swapped);
    graze_region_destroy(region);
    graze_region_destroy(swapped);
}
