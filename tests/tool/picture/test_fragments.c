/* SPDX-License-Identifier: MIT */
/* Fragments: neighbouring triangles cover each sample exactly once, at the depth of their plane. */
#include "picture/fragments.h"

#include <math.h>
#include <string.h>

#include "support/random.h"
#include "support/unit.h"

enum
{
    WIDTH = 96,
    ROWS = 64,
    SIDE = 6 /* points along a side of the mesh of triangles */
};

static size_t fragments_at(const fragment_band *band, unsigned x, unsigned y, float *out_w)
{
    size_t count = 0;
    for (uint32_t at = band->first[y * band->width + x]; at != NO_FRAGMENT; at = band->fragments[at].next, count++)
        *out_w = band->fragments[at].w;
    return count;
}

/* A random mesh over more than the band: no sample is missed, none is covered twice. */
static void neighbours_share_no_sample_and_leave_none_out(void **state)
{
    (void)state;
    test_random random = test_random_start("neighbours", 3);
    size_t covered = 0;
    for (int round = 0; round < 40; round++)
    {
        fragment_band band;
        screen_point points[SIDE][SIDE];
        double step_x = WIDTH / (SIDE - 3.0), step_y = ROWS / (SIDE - 3.0);
        assert_true(band_create(&band, WIDTH, ROWS));
        band_clear(&band, 128);
        for (int i = 0; i < SIDE; i++)
            for (int k = 0; k < SIDE; k++)
            {
                double x = (k - 1) * step_x + 0.4 * step_x * random_unit(&random);
                double y = 128 + (i - 1) * step_y + 0.4 * step_y * random_unit(&random);
                if (random_once_in(&random, 2)) /* on the samples themselves */
                    x = floor(x) + 0.5, y = floor(y) + 0.5;
                points[i][k] = (screen_point){x, y, 1 + 0.001 * x + 0.002 * y};
            }
        for (int i = 0; i + 1 < SIDE; i++)
            for (int k = 0; k + 1 < SIDE; k++)
            {
                primitive one = {.corners = {points[i][k], points[i][k + 1], points[i + 1][k]}, .corner_count = 3};
                primitive other = {.corners = {points[i + 1][k], points[i][k + 1], points[i + 1][k + 1]},
                                   .corner_count = 3};
                assert_true(band_draw(&band, &one) && band_draw(&band, &other));
            }
        for (unsigned y = 0; y < ROWS; y++)
            for (unsigned x = 0; x < WIDTH; x++)
            {
                float w = 0;
                assert_int_equal(fragments_at(&band, x, y, &w), 1);
                assert_true(fabs((double)w - (1 + 0.001 * (x + 0.5) + 0.002 * (y + 128.5))) < 1e-4);
                covered++;
            }
        band_release(&band);
    }
    assert_int_equal(covered, 40 * WIDTH * ROWS);
}

static double distance_to(double x, double y, const screen_point *p, const screen_point *q)
{
    double dx = q->x - p->x, dy = q->y - p->y, length_sq = dx * dx + dy * dy;
    double t = length_sq > 0 ? ((x - p->x) * dx + (y - p->y) * dy) / length_sq : 0;
    t = fmax(0, fmin(1, t));
    return hypot(x - p->x - t * dx, y - p->y - t * dy);
}

static void segments_and_discs_cover_what_is_within_half_their_width(void **state)
{
    (void)state;
    test_random random = test_random_start("segments", 4);
    size_t inside = 0;
    for (int round = 0; round < 200; round++)
    {
        fragment_band band;
        primitive drawn = {.width = (float)random_real(&random, 1, 20), .corner_count = 1};
        assert_true(band_create(&band, WIDTH, ROWS));
        band_clear(&band, 0);
        for (int i = 0; i < 2; i++)
            drawn.corners[i] =
                (screen_point){random_real(&random, -20, WIDTH + 20), random_real(&random, -20, ROWS + 20), 1};
        if (!random_once_in(&random, 3))
            drawn.corner_count = 2;
        if (random_once_in(&random, 4))
            drawn.corners[1].y = drawn.corners[0].y;
        assert_true(band_draw(&band, &drawn));
        for (unsigned y = 0; y < ROWS; y++)
            for (unsigned x = 0; x < WIDTH; x++)
            {
                float w;
                double distance =
                    distance_to(x + 0.5, y + 0.5, &drawn.corners[0], &drawn.corners[drawn.corner_count - 1]);
                double half = 0.5 * (double)drawn.width;
                if (fabs(distance - half) > 1e-9)
                    assert_int_equal(fragments_at(&band, x, y, &w), distance < half);
                inside += distance < half;
            }
        band_release(&band);
    }
    assert_true(inside > 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_share_no_sample_and_leave_none_out),
        cmocka_unit_test(segments_and_discs_cover_what_is_within_half_their_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
