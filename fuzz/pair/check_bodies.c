/* SPDX-License-Identifier: MIT */
/* Bodies: points inside or outside, containment, overlap and penetration depth. */
#include <math.h>

#include "arrangement.h"
#include "pair_case.h"

static test_random draws = {20261116};

void check_points(fuzz_bytes *bytes, pair_case *c)
{
    const case_side *side = &c->sides[0];
    shape_facts facts = shape_examine(&side->shape);
    for (unsigned i = 0, count = 1 + take_below(bytes, 4); i < count; i++)
    {
        double point[3];
        for (int k = 0; k < 3; k++)
        {
            point[k] = take_coordinate(bytes);
            point[k] += 0.5 * take_below(bytes, 3);
        }
        graze_location location = GRAZE_LOCATION_OUTSIDE;
        graze_status status = graze_point_in_mesh(&c->context, &c->a, point, NULL, &location);
        EXPECT(status == (facts.closed ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT), "point in mesh: status %d",
               (int)status);
        if (!facts.closed)
            return;
        oracle_mesh mesh = shape_for_oracle(&side->shape, &c->a.pose);
        graze_location truth = oracle_point_in_body(c->judge, &mesh, facts.oriented, point, &draws);
        EXPECT(location == truth, "point in a: %.17g %.17g %.17g is said to be at %d, and is at %d", point[0], point[1],
               point[2], (int)location, (int)truth);
    }
}

/* ---- two bodies ---- */

typedef struct body_answers
{
    graze_solid_answer solid;
    graze_verdict overlap;
} body_answers;

static void check_symmetry(pair_case *c, const body_answers *said)
{
    graze_solid_answer solid;
    graze_verdict overlap;
    EXPECT_OK(graze_pair_containment(&c->context, &c->b, &c->a, NULL, &solid));
    EXPECT_OK(graze_pair_overlap(&c->context, &c->b, &c->a, NULL, &overlap));
    EXPECT(solid.collide == said->solid.collide, "solid: swapped, collide is %d", solid.collide);
    EXPECT((solid.containment == GRAZE_CONTAINMENT_UNKNOWN) == (said->solid.containment == GRAZE_CONTAINMENT_UNKNOWN) &&
               (solid.containment == GRAZE_CONTAINMENT_NONE) == (said->solid.containment == GRAZE_CONTAINMENT_NONE),
           "solid: containment %d, swapped %d", (int)said->solid.containment, (int)solid.containment);
    EXPECT(overlap == said->overlap, "overlap: %d, swapped %d", (int)said->overlap, (int)overlap);
}

/* Where surfaces share no point, overlap must not be unknown. */
static void check_consistency(const pair_case *c, const body_answers *said)
{
    EXPECT(said->solid.collide || c->counts.pairs == 0, "solid: surfaces meet and bodies do not collide");
    EXPECT(said->overlap != GRAZE_VERDICT_UNKNOWN || c->counts.pairs > 0, "overlap: unknown, but no surfaces meet");
    EXPECT(c->counts.pairs > 0 || said->solid.collide == (said->overlap == GRAZE_VERDICT_YES),
           "surfaces do not meet: collide %d, overlap %d", said->solid.collide, (int)said->overlap);
    EXPECT(said->overlap != GRAZE_VERDICT_YES || said->solid.collide, "overlap, but no collision");
}

static void check_cells(const pair_case *c, const body_answers *said)
{
    shape_facts facts[2] = {shape_examine(&c->sides[0].shape), shape_examine(&c->sides[1].shape)};
    if (!facts[0].closed || !facts[1].closed)
        return;
    small_mesh shapes[2] = {c->sides[0].shape, c->sides[1].shape};
    const graze_pose *poses[2] = {&c->a.pose, &c->b.pose};
    bool oriented[2] = {facts[0].oriented, facts[1].oriented};
    arrangement_answer truth = arrangement_classify(shapes, poses, oriented);
    if (!truth.known)
        return;
    EXPECT(said->overlap != GRAZE_VERDICT_NO || !truth.overlap, "overlap: no, but bodies share a cell");
    EXPECT(said->overlap != GRAZE_VERDICT_YES || truth.overlap || !truth.regular_a || !truth.regular_b,
           "overlap: yes, but bodies share no cell");
    EXPECT(said->solid.collide || !truth.overlap, "solid: no collision, but bodies share a cell");
    graze_containment containment = said->solid.containment;
    EXPECT(containment != GRAZE_CONTAINMENT_A_IN_B || !truth.a_outside_b, "solid: a in b, but a cell of a is not");
    EXPECT(containment != GRAZE_CONTAINMENT_B_IN_A || !truth.b_outside_a, "solid: b in a, but a cell of b is not");
    EXPECT(containment != GRAZE_CONTAINMENT_NONE || ((truth.a_outside_b || !truth.regular_a || !truth.regular_b) &&
                                                     (truth.b_outside_a || !truth.regular_a || !truth.regular_b)),
           "solid: neither in the other, but all cells of one are in the other");
}

/* ---- depth ---- */

/* B moved by the translation, or A by its negative, must be disjoint. */
static void check_way(pair_case *c, const graze_depth *depth)
{
    for (int mover = 0; mover < 2; mover++)
    {
        graze_placed_mesh a = c->a, b = c->b;
        graze_pose *pose = mover == 1 ? &b.pose : &a.pose;
        double length = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            double step = mover == 1 ? depth->translation[axis] : -depth->translation[axis];
            double before = pose->m[4 * axis + 3];
            pose->m[4 * axis + 3] = before + step;
            length = hypot(length, before + step - before);
        }
        graze_verdict overlap;
        graze_pair_counts counts;
        EXPECT(length <= depth->upper * (1 + 1e-14), "depth: the way of %.17g is longer than %.17g", length,
               depth->upper);
        EXPECT_OK(graze_pair_overlap(&c->context, &a, &b, NULL, &overlap));
        EXPECT_OK(graze_pair_count(&c->context, &a, &b, NULL, &counts));
        EXPECT(overlap == GRAZE_VERDICT_NO, "depth: after the way %.17g %.17g %.17g of %s overlap is %d",
               depth->translation[0], depth->translation[1], depth->translation[2], mover == 1 ? "b" : "a",
               (int)overlap);
        EXPECT(counts.crossing == 0, "depth: after the way of %s something crosses", mover == 1 ? "b" : "a");
        EXPECT(c->sides[0].shape.triangle_count == 0 || !case_meets(c, &a.pose, &b.pose) || counts.pairs > 0,
               "depth: after the way surfaces meet, which was not seen");
    }
}

static void check_depth(fuzz_bytes *bytes, pair_case *c, const body_answers *said)
{
    graze_depth depth;
    graze_depth_options options = graze_depth_options_default();
    options.max_queries = 1 + 4 * take_below(bytes, 16);
    EXPECT_OK(graze_pair_depth(&c->context, &c->a, &c->b, &options, &depth));
    EXPECT(depth.overlap == said->overlap, "depth says overlap %d, overlap says %d", (int)depth.overlap,
           (int)said->overlap);
    EXPECT(depth.counts.pairs == c->counts.pairs && depth.counts.crossing == c->counts.crossing, "depth: counts");
    EXPECT(depth.lower >= 0 && depth.lower <= depth.upper, "depth: [%.17g, %.17g]", depth.lower, depth.upper);
    if (depth.overlap == GRAZE_VERDICT_NO)
        EXPECT(depth.upper == 0, "depth: %.17g without overlap", depth.upper);
    else if (isfinite(depth.upper))
        check_way(c, &depth);
}

void check_bodies(fuzz_bytes *bytes, pair_case *c)
{
    uint8_t form = take_byte(bytes);
    body_answers said = {0};
    EXPECT_OK(graze_pair_containment(&c->context, &c->a, &c->b, NULL, &said.solid));
    EXPECT_OK(graze_pair_overlap(&c->context, &c->a, &c->b, NULL, &said.overlap));
    check_consistency(c, &said);
    if ((form & 1) == 0)
        check_symmetry(c, &said);
    check_cells(c, &said);
    if ((form & 6) == 6)
        check_depth(bytes, c, &said);
}
