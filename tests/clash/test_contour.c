/* SPDX-License-Identifier: MIT */
/* Boundaries of adjacent polygons. */
#include "clash/contour.h"

#include "support/unit.h"

/* A square of n by n cells, each cut into two triangles, with one cell missing: like the shared region of faces. */
static void the_border_of_polygons_side_by_side_is_found(void **state)
{
    (void)state;
    enum
    {
        SIDE = 6,
        MOST = 2 * SIDE * SIDE
    };
    static const int corner_of[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {0, 1}, {1, 1}}; /* one turns left, one right */
    double points[9 * MOST];
    size_t starts[MOST + 1] = {0}, count = 0;
    for (int field = 0; field < SIDE * SIDE; field++)
        for (int k = 0; k < 6 && field != 2 * SIDE + 3; k++)
        {
            double *at = points + 3 * (3 * count + (size_t)(k % 3));
            at[0] = 0.1 * (field % SIDE + corner_of[k][0]);
            at[1] = 0.1 * (field / SIDE + corner_of[k][1]);
            at[2] = 7;
            count += k % 3 == 2;
        }
    for (size_t i = 0; i <= count; i++)
        starts[i] = 3 * i;
    grz_contour_lines lines;
    assert_true(grz_contour_of(NULL, points, starts, count, &lines));
    assert_int_equal(lines.count, 2);
    for (size_t i = 0; i < 2; i++)
    {
        const double *first = lines.points + 3 * lines.starts[i], *last = lines.points + 3 * (lines.starts[i + 1] - 1);
        size_t size = lines.starts[i + 1] - lines.starts[i];
        assert_true(size == 4 * SIDE + 1 || size == 5);
        assert_memory_equal(first, last, 3 * sizeof(double));
    }
    assert_int_equal(lines.starts[2], 4 * SIDE + 1 + 5);
    grz_contour_release(NULL, &lines);
    assert_true(grz_contour_of(NULL, points, starts, 0, &lines));
    assert_int_equal(lines.count, 0);
    grz_contour_release(NULL, &lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_border_of_polygons_side_by_side_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
