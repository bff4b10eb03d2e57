/* SPDX-License-Identifier: MIT */
/*
 * A vertex that comes to a corner of a degenerate face at t = 1, in one plane with it at all times. That it does not
 * meet the face at 4/7 was known, which is where an area is zero that is zero at 1, too: the time was divided out, and
 * 1 with it.
 */
#include "graze/motion.h"
#include "support/unit.h"

static void contact_at_the_end_is_found_after_a_time_of_others(void **state)
{
    (void)state;
    const double vertex[2][3] = {{7, -4, 0}, {-6, -2, -8}};
    const double face[2][3][3] = {{{3, 2, -2}, {3, 2, -2}, {4, 2, 6}}, {{-3, 0, 0}, {-3, 0, 0}, {-6, -2, -8}}};
    graze_impact_interval when;
    assert_int_equal(graze_vertex_face_impact(vertex, face, &when), GRAZE_STATUS_OK);
    assert_int_equal(when.verdict, GRAZE_IMPACT_AT);
    assert_true(when.lower >= 1 && when.upper <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(contact_at_the_end_is_found_after_a_time_of_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
