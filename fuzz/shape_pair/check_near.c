/* SPDX-License-Identifier: MIT */
/* Whether shapes collide or are within a tolerance, and their distance. */
#include <math.h>
#include <string.h>

#include "shape_case.h"
#include "truth.h"

/* What all pairs of leaves together say. */
typedef struct verdicts
{
    bool yes, near, curved, planes;
} verdicts;

static verdicts judge(const shape_case *c, double tolerance, bool strict)
{
    verdicts v = {false, false, false, false};
    for (uint32_t i = 0; i < c->sides[0].leaf_count; i++)
        for (uint32_t j = 0; j < c->sides[1].leaf_count; j++)
        {
            const placed_leaf *a = &c->sides[0].world[i], *b = &c->sides[1].world[j];
            order o = truth_compare(a, b, tolerance);
            v.yes = v.yes || o == ORDER_LESS || (o == ORDER_EQUAL && !strict);
            v.near = v.near || o == ORDER_NEAR;
            v.curved = v.curved || is_curved(a->leaf->kind) || is_curved(b->leaf->kind);
        }
    return v;
}

static void check_verdict(const shape_case *c, double tolerance, bool strict, graze_verdict verdict)
{
    verdicts v = judge(c, tolerance, strict);
    EXPECT(verdict != GRAZE_VERDICT_NO || !v.yes, "apart or not within %a (strict %d), but they are", tolerance,
           strict);
    EXPECT(verdict != GRAZE_VERDICT_YES || v.yes || v.near, "within %a (strict %d), but they are not", tolerance,
           strict);
    EXPECT(verdict != GRAZE_VERDICT_UNKNOWN || v.curved, "unknown without a curved shape");
    EXPECT(verdict != GRAZE_VERDICT_UNKNOWN || truth_is_near(&c->sides[0], &c->sides[1], tolerance),
           "unknown (tolerance %a) far from touching", tolerance);
}

static void check_hit(const shape_case *c, const graze_shape_hit *hit)
{
    EXPECT(hit->part_a < c->sides[0].leaf_count && hit->part_b < c->sides[1].leaf_count, "a hit of no leaf");
    for (int k = 0; k < 3; k++)
        EXPECT(!hit->has_point || isfinite(hit->point[k]), "the point of a hit is not finite");
}

static bool same_hits(const graze_shape_hit *x, const graze_shape_hit *y)
{
    return x->part_a == y->part_b && x->part_b == y->part_a && x->triangle_a == y->triangle_b &&
           x->triangle_b == y->triangle_a && x->face_a == y->face_b && x->face_b == y->face_a &&
           x->has_point == y->has_point && memcmp(x->point, y->point, sizeof x->point) == 0;
}

void check_collision(fuzz_bytes *bytes, shape_case *c)
{
    const graze_placed *a = &c->sides[0].placed, *b = &c->sides[1].placed;
    graze_verdict verdict, swapped;
    graze_shape_hit hit, other;
    graze_status status;
    (void)bytes;
    IN_ENVIRONMENT(c, status, graze_shape_pair_any(&c->context, a, b, NULL, &verdict, &hit));
    EXPECT(status == GRAZE_STATUS_OK, "any: %s", graze_status_text(status));
    check_verdict(c, 0, false, verdict);
    EXPECT_OK(graze_shape_pair_any(NULL, b, a, NULL, &swapped, &other));
    EXPECT(verdict == swapped, "swapped: %d, not %d", (int)swapped, (int)verdict);
    if (verdict != GRAZE_VERDICT_YES)
        return;
    check_hit(c, &hit);
    EXPECT(same_hits(&hit, &other), "swapped arguments have another hit");
}

void check_tolerances(fuzz_bytes *bytes, shape_case *c)
{
    static const double tolerances[] = {0, 1, 2, 0.5, 5, 0.1, 0x1.fffffffffffffp0, 0x1p-1074};
    const graze_placed *a = &c->sides[0].placed, *b = &c->sides[1].placed;
    uint8_t byte = take_byte(bytes);
    double tolerance = byte < 0x80 ? tolerances[byte & 7] : fabs(take_coordinate(bytes));
    for (int strict = 0; strict < 2; strict++)
    {
        graze_verdict verdict, swapped;
        graze_shape_hit hit;
        graze_status status;
        graze_shape_tolerance_options options = graze_shape_tolerance_options_default();
        options.strict = strict != 0;
        IN_ENVIRONMENT(c, status,
                       graze_shape_pair_tolerance_any(&c->context, a, b, tolerance, &options, &verdict, &hit));
        EXPECT(status == GRAZE_STATUS_OK, "tolerance %a: %s", tolerance, graze_status_text(status));
        EXPECT_OK(graze_shape_pair_tolerance_any(NULL, b, a, tolerance, &options, &swapped, NULL));
        EXPECT(verdict == swapped, "tolerance %a, swapped: %d, not %d", tolerance, (int)swapped, (int)verdict);
        if (strict != 0 && tolerance == 0)
            EXPECT(verdict == GRAZE_VERDICT_NO, "something is nearer than 0");
        else
            check_verdict(c, tolerance, strict != 0, verdict);
        if (verdict == GRAZE_VERDICT_YES)
            check_hit(c, &hit);
    }
}

/* Whether the distance is certainly below or above a number, with the error of those that long double decides. */
static void compare_all(const shape_case *c, double number, bool *out_below, bool *out_above)
{
    *out_below = false;
    *out_above = true;
    for (uint32_t i = 0; i < c->sides[0].leaf_count; i++)
        for (uint32_t j = 0; j < c->sides[1].leaf_count; j++)
        {
            order o = truth_compare(&c->sides[0].world[i], &c->sides[1].world[j], number);
            *out_below = *out_below || o == ORDER_LESS;
            *out_above = *out_above && o == ORDER_GREATER;
        }
}

void check_distances(fuzz_bytes *bytes, shape_case *c)
{
    const graze_placed *a = &c->sides[0].placed, *b = &c->sides[1].placed;
    graze_shape_distance d, other;
    graze_shape_distance_options options = graze_shape_distance_options_default();
    graze_status status;
    bool below, above;
    uint8_t byte = take_byte(bytes);
    if ((byte & 3) == 1)
        options.limit = fabs(take_coordinate(bytes));
    if ((byte & 4) != 0)
        options.relative_error = 0.01;
    IN_ENVIRONMENT(c, status, graze_shape_pair_distance(&c->context, a, b, &options, &d));
    EXPECT(status == GRAZE_STATUS_OK, "distance: %s", graze_status_text(status));
    EXPECT_OK(graze_shape_pair_distance(NULL, b, a, &options, &other));
    EXPECT(d.found == other.found && d.distance == other.distance && d.lower == other.lower && d.upper == other.upper,
           "swapped: distance %a in [%a, %a], not %a in [%a, %a]", other.distance, other.lower, other.upper, d.distance,
           d.lower, d.upper);
    if (d.lower > 0)
    {
        compare_all(c, fmin(d.lower, 0x1.fffffffffffffp1023), &below, &above);
        EXPECT(!below, "the distance is below its lower bound %a", d.lower);
    }
    if (!d.found)
    {
        compare_all(c, options.limit < INFINITY ? options.limit : 0x1.fffffffffffffp1023, &below, &above);
        EXPECT(options.limit < INFINITY ? !below : above || !below, "not found within %a, but it is there",
               options.limit);
        return;
    }
    EXPECT(d.lower <= d.distance && d.distance <= d.upper, "distance %a is not in [%a, %a]", d.distance, d.lower,
           d.upper);
    if (d.upper < INFINITY)
    {
        compare_all(c, d.upper, &below, &above);
        EXPECT(!above, "the distance is above its upper bound %a", d.upper);
    }
    compare_all(c, 0, &below, &above);
    EXPECT(!above || d.distance > 0, "distance 0 of shapes that are apart");
    verdicts v = judge(c, 0, false);
    EXPECT(!v.yes || d.distance == 0 || (v.curved && truth_is_near(&c->sides[0], &c->sides[1], 0)),
           "distance %a of shapes that collide", d.distance);
    if (options.relative_error == 0 && options.limit == INFINITY &&
        !(d.upper - d.lower <= 1e-9 * largest_coordinate(c) + 0x1p-1072)) /* no two doubles are nearer */
        EXPECT(largest_coordinate(c) == INFINITY || v.curved, "a wide distance: [%a, %a]", d.lower, d.upper);
}
