/* SPDX-License-Identifier: MIT */
/* Bodies: where points lie, whether one lies in the other, whether they overlap, and how deep. */
#include <math.h>

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
            point[k] = take_coordinate(bytes) + 0.5 * take_below(bytes, 3);
        graze_location location = GRAZE_LOCATION_OUTSIDE;
        graze_status status = graze_point_in_mesh(&c->context, &c->a, point, &location);
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

