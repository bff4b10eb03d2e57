/* SPDX-License-Identifier: MIT */
/*
 * A vertex that crosses the plane of a face three times between two doubles, at dyadic times of which only the second
 * is a contact: the times were taken for one another, since the same double is before them, and the contact was missed.
 */
#include "graze/motion.h"
#include "support/random.h"
#include "support/unit.h"

/*
 * With tau = t - 1/2 row i of tau I - E is corner i minus the vertex. Rows of `left` are left eigenvectors of E =
 * left^-1 diag(roots) left, and at the time of a root its row has the weights of the point of the face that is the
 * vertex: only those of the second row are not of both signs.
 */
static void contact_at_the_second_of_three_times_between_two_doubles_is_found(void **state)
{
    (void)state;
    static const int left[3][3] = {{1, -1, 0}, {0, 1, 0}, {0, 1, -1}},
                     inverse[3][3] = {{1, 1, 0}, {0, 1, 0}, {0, 1, -1}};
    static const int roots[3] = {-4, -2, -1}; /* in units of 2^-62 */
    double e[3][3] = {{0}}, vertex[2][3], face[2][3][3];
    for (int i = 0; i < 27; i++)
        e[i / 9][i / 3 % 3] += inverse[i / 9][i % 3] * roots[i % 3] * left[i % 3][i / 3 % 3] * 0x1p-62;
    for (int i = 0; i < 18; i++)
    {
        int t = i / 9, row = i / 3 % 3, k = i % 3;
        vertex[t][k] = e[k][k];
        face[t][row][k] = row == k ? t - 0.5 : e[k][k] - e[row][k];
    }
    graze_impact_interval when;
    assert_int_equal(graze_vertex_face_impact((const double(*)[3])vertex, (const double(*)[3][3])face, &when),
                     GRAZE_STATUS_OK);
    assert_int_equal(when.verdict, GRAZE_IMPACT_AT);
    assert_true(when.upper <= 0.5 && when.lower >= 0.5 - 0x1p-54);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_at_the_second_of_three_times_between_two_doubles_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
