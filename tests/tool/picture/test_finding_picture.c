/* SPDX-License-Identifier: MIT */
/* Pictures of findings show both parts in their colours, and what clashes. */
#include "picture/finding_picture.h"

#include <stdlib.h>

#include "graze/clash.h"
#include "png_reader.h"

#include "../../clash/clash_meshes.h"

/* Pixels by what their colour tells. */
typedef struct color_counts
{
    size_t orange, blue, red, dark, background;
} color_counts;

static color_counts count_colors(const png_pixels *picture)
{
    color_counts counts = {0};
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++)
    {
        const unsigned char *p = picture->pixels + 3 * i;
        int r = p[0], g = p[1], b = p[2];
        counts.background += r > 215 && g > 220 && b > 225;
        counts.dark += r < 90 && g < 90 && b < 90;
        counts.red += r > 150 && g < 0.55 * r && b < 0.65 * r;
        counts.orange += r > g + 25 && g > b + 15 && g > 0.55 * r;
        counts.blue += b > r + 40 && b > g + 20;
    }
    return counts;
}

typedef struct pictured
{
    graze_clash_report *report;
    graze_mesh *meshes[2];
    png_file file;
    color_counts counts;
} pictured;

static pictured draw_pair(graze_mesh *a, graze_mesh *b, graze_clash_verdict verdict)
{
    pictured made = {.meshes = {a, b}};
    const graze_clash_part parts[2] = {part_of("a", a), part_of("b", b)};
    graze_clash_options options = graze_clash_options_default();
    picture_maker maker;
    options.tolerances.clearance = 0.5;
    options.tolerances.has_clearance = true;
    options.regions = true;
    options.self = true;
    assert_int_equal(graze_clash_find(NULL, parts, b != NULL ? 2 : 1, &options, NULL, &made.report), GRAZE_STATUS_OK);
    assert_int_equal(made.report->finding_count, 1);
    assert_int_equal(made.report->findings[0].verdict, verdict);
    assert_true(picture_maker_create(&maker));
    assert_int_equal(picture_of_finding(&maker, made.report, made.report->findings, false, &made.file),
                     GRAZE_STATUS_OK);
    png_file again; /* with the memory of the first */
    assert_int_equal(picture_of_finding(&maker, made.report, made.report->findings, false, &again), GRAZE_STATUS_OK);
    assert_int_equal(again.size, made.file.size);
    assert_memory_equal(again.bytes, made.file.bytes, again.size);
    png_pixels picture = png_read(made.file.bytes, made.file.size);
    assert_true(picture.width == PICTURE_WIDTH && picture.height == PICTURE_HEIGHT);
    made.counts = count_colors(&picture);
    print_message("orange %zu, blue %zu, red %zu, dark %zu, background %zu\n", made.counts.orange, made.counts.blue,
                  made.counts.red, made.counts.dark, made.counts.background);
    free(picture.pixels);
    free(again.bytes);
    picture_maker_release(&maker);
    return made;
}

static void release_pictured(pictured *made)
{
    graze_clash_report_destroy(made->report);
    graze_mesh_destroy(made->meshes[0]);
    graze_mesh_destroy(made->meshes[1]);
    free(made->file.bytes);
}

static void a_crossing_shows_both_parts_and_the_common_volume(void **state)
{
    (void)state;
    pictured made = draw_pair(box_between(0, 0, 0, 4, 4, 4), box_between(3, 1, 1, 7, 3, 3), GRAZE_CLASH_CROSSES);
    assert_true(made.counts.orange > 10000 && made.counts.blue > 5000);
    assert_true(made.counts.red > 1500);
    assert_true(made.counts.dark > 200 && made.counts.background > 20000);
    release_pictured(&made);
}

static void a_touch_shows_the_faces_that_meet(void **state)
{
    (void)state;
    pictured made = draw_pair(box_between(0, 0, 0, 4, 4, 4), box_between(1, 1, 4, 3, 3, 6), GRAZE_CLASH_TOUCHES);
    assert_true(made.counts.orange > 10000 && made.counts.blue > 4000 && made.counts.red > 1000);
    release_pictured(&made);
}

static void a_gap_is_marked(void **state)
{
    (void)state;
    pictured made = draw_pair(box_between(0, 0, 0, 4, 4, 4), box_between(4.25, 1, 1, 6, 3, 3), GRAZE_CLASH_TOO_CLOSE);
    assert_true(made.counts.orange > 10000 && made.counts.blue > 4000);
    assert_true(made.counts.red > 40 && made.counts.red < 2000);
    release_pictured(&made);
}

static void what_lies_within_is_seen_through_the_outer_part(void **state)
{
    (void)state;
    pictured made = draw_pair(box_between(0, 0, 0, 4, 4, 4), box_between(1, 1, 1, 2, 2, 2), GRAZE_CLASH_CONTAINS);
    assert_true(made.counts.orange > 20000 && made.counts.blue > 2000 && made.counts.red == 0);
    release_pictured(&made);
}

static void duplicates_have_stripes_of_both_colors(void **state)
{
    (void)state;
    pictured made = draw_pair(box_between(0, 0, 0, 4, 4, 4), box_between(0, 0, 0, 4, 4, 4), GRAZE_CLASH_DUPLICATE);
    assert_true(made.counts.orange > 20000 && made.counts.blue > 20000);
    release_pictured(&made);
}

static void parts_far_beyond_the_picture_are_drawn_as_far_as_it_goes(void **state)
{
    (void)state;
    pictured made =
        draw_pair(box_between(-1e6, -1e6, -8, 1e6, 1e6, 0), box_between(-1, -1, -1, 1, 1, 1), GRAZE_CLASH_CROSSES);
    assert_true(made.counts.orange > 20000 && made.counts.blue > 500 && made.counts.red > 500);
    release_pictured(&made);
    /* Near the largest squares there is nothing left to see of the one, but no harm either. */
    made = draw_pair(box_between(-1e200, -1e200, -8, 1e200, 1e200, 0), box_between(-1, -1, -1, 1, 1, 1),
                     GRAZE_CLASH_CROSSES);
    assert_true(made.counts.blue > 500);
    release_pictured(&made);
}

/* A box without its lid, and one within. */
static void open_edges_of_an_undecided_pair_are_marked(void **state)
{
    (void)state;
    static const uint32_t corners[30] = {0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4, 2, 6, 7,
                                         2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    graze_mesh *closed = box_between(0, 0, 0, 4, 4, 4), *open = NULL;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = graze_mesh_vertices(closed);
    def.vertex_count = 8;
    def.corners = corners;
    def.corner_count = 30;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &open), GRAZE_STATUS_OK);
    graze_mesh_destroy(closed);
    pictured made = draw_pair(open, box_between(1, 1, 1, 2, 2, 2), GRAZE_CLASH_UNDECIDED);
    assert_true(made.counts.orange > 10000 && made.counts.blue > 1000 && made.counts.red > 500);
    release_pictured(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crossing_shows_both_parts_and_the_common_volume),
        cmocka_unit_test(a_touch_shows_the_faces_that_meet),
        cmocka_unit_test(a_gap_is_marked),
        cmocka_unit_test(what_lies_within_is_seen_through_the_outer_part),
        cmocka_unit_test(parts_far_beyond_the_picture_are_drawn_as_far_as_it_goes),
        cmocka_unit_test(open_edges_of_an_undecided_pair_are_marked),
        cmocka_unit_test(duplicates_have_stripes_of_both_colors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
