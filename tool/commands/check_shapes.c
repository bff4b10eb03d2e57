/* SPDX-License-Identifier: MIT */
/* graze check of two files of which at least one holds a shape: queries, JSON and text. */
#include <stdlib.h>
#include <string.h>

#include "commands/check.h"
#include "shell/output.h"
#include "shell/text_format.h"

typedef struct shape_check
{
    check_run *run;
    graze_placed placed[2];
    graze_verdict collide, within;
    graze_shape_hit hit; /* if they collide */
    graze_shape_counts counts;
    bool finished;         /* false: the time was up */
    bool has_triangles[2]; /* of each side */
    graze_shape_distance distance;
    graze_shape_hit *list;
    size_t list_count;
    graze_stats stats;
} shape_check;

static bool has_triangles(const graze_shape *shape)
{
    bool found = graze_shape_has_triangles(shape);
    for (size_t i = 0; i < graze_shape_part_count(shape) && !found; i++)
        found = has_triangles(graze_shape_parts(shape)[i].shape);
    return found;
}

/* ---- queries ---- */

/* A pose of the options is a matter of usage, one of a file is not. */
static exit_code check_pose(const shape_check *c, int side)
{
    const tool_console *console = c->run->request->console;
    graze_placed placed = c->placed[side];
    graze_status status = graze_placed_check(&placed);
    if (status == GRAZE_STATUS_OK)
        return 0;
    placed.pose = graze_pose_identity();
    bool of_file = graze_placed_check(&placed) != GRAZE_STATUS_OK;
    const char *refusal = pose_refusal(status);
    if (refusal == NULL)
        refusal = graze_status_text(status);
    if (of_file)
        return report_error(console, EXIT_INPUT, "%s: %s", c->run->request->arguments[side], refusal);
    return report_error(console, EXIT_USAGE, "--pose-%c: %s", "ab"[side], refusal);
}

static graze_status list_pairs(shape_check *c, const graze_shape_options *options)
{
    uint64_t wanted = c->run->list_limit < c->counts.hits ? c->run->list_limit : c->counts.hits;
    if (wanted == 0)
        return GRAZE_STATUS_OK;
    c->list = wanted <= SIZE_MAX / sizeof *c->list ? malloc(wanted * sizeof *c->list) : NULL;
    if (c->list == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    c->list_count = (size_t)wanted;
    return graze_shape_pair_gather(&c->run->execution.context, &c->placed[0], &c->placed[1], options, c->list,
                                   c->list_count, &c->counts);
}

/* Whether they collide, and the triangles that do. */
static graze_status find_hits(shape_check *c)
{
    const graze_context *context = &c->run->execution.context;
    graze_shape_options options = graze_shape_options_default();
    options.budget = c->run->execution.budget;
    options.stats = &c->stats;
    graze_status status = graze_shape_pair_any(context, &c->placed[0], &c->placed[1], &options, &c->collide, &c->hit);
    options.stats = NULL;
    if (status == GRAZE_STATUS_OK)
        status = graze_shape_pair_count(context, &c->placed[0], &c->placed[1], &options, &c->counts);
    if (status == GRAZE_STATUS_OK)
        status = list_pairs(c, &options);
    c->finished = status == GRAZE_STATUS_OK;
    return status == GRAZE_STATUS_UNFINISHED ? GRAZE_STATUS_OK : status;
}

static graze_status measure(shape_check *c)
{
    check_run *run = c->run;
    const graze_context *context = &run->execution.context;
    graze_status status = GRAZE_STATUS_OK;
    if (run->request->values[OPTION_DISTANCE] != NULL)
        status = graze_shape_pair_distance(context, &c->placed[0], &c->placed[1], NULL, &c->distance);
    if (status == GRAZE_STATUS_OK && run->tolerance >= 0)
        status = graze_shape_pair_tolerance_any(context, &c->placed[0], &c->placed[1], run->tolerance, NULL, &c->within,
                                                NULL);
    if (status == GRAZE_STATUS_OK)
        status = check_measure_depth(run);
    return status == GRAZE_STATUS_OK ? check_find_contacts(run) : status;
}

/* ---- JSON ---- */

static void put_verdict(grz_json_writer *json, const char *key, graze_verdict verdict)
{
    grz_json_put_key(json, key);
    if (verdict == GRAZE_VERDICT_UNKNOWN)
        grz_json_put_null(json);
    else
        grz_json_put_bool(json, verdict == GRAZE_VERDICT_YES);
}

static void put_count_or_null(grz_json_writer *json, const char *key, bool is_there, uint64_t count)
{
    grz_json_put_key(json, key);
    if (is_there)
        grz_json_put_count(json, count);
    else
        grz_json_put_null(json);
}

static void put_triangle(grz_json_writer *json, uint32_t triangle)
{
    if (triangle != GRAZE_NO_TRIANGLE)
        grz_json_put_count(json, triangle);
    else
        grz_json_put_null(json);
}

static void write_counts(grz_json_writer *json, const shape_check *c)
{
    bool any = c->finished && (c->has_triangles[0] || c->has_triangles[1]);
    bool both = c->finished && c->has_triangles[0] && c->has_triangles[1];
    put_count_or_null(json, "pairs", any, c->counts.hits);
    put_count_or_null(json, "touching", both, c->counts.touching);
    put_count_or_null(json, "crossing", both, c->counts.crossing);
    put_count_or_null(json, "coplanar", both, c->counts.coplanar);
    grz_json_put_key(json, "contains");
    grz_json_put_null(json);
}

static void write_witness(grz_json_writer *json, const shape_check *c)
{
    const graze_shape_hit *hit = &c->hit;
    grz_json_put_key(json, "witness");
    if (c->collide != GRAZE_VERDICT_YES)
    {
        grz_json_put_null(json);
        return;
    }
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "a");
    put_triangle(json, hit->triangle_a);
    grz_json_put_key(json, "b");
    put_triangle(json, hit->triangle_b);
    grz_json_put_key(json, "point");
    if (hit->has_point)
        grz_json_put_reals(json, hit->point, 3);
    else
        grz_json_put_null(json);
    grz_json_put_member_count(json, "leaf_a", hit->part_a);
    grz_json_put_member_count(json, "leaf_b", hit->part_b);
    grz_json_close(json);
}

static void write_file(grz_json_writer *json, const shape_check *c, int side)
{
    const graze_shape *shape = c->placed[side].shape;
    const graze_mesh *mesh = graze_shape_mesh(shape);
    grz_json_put_key(json, side == 0 ? "a" : "b");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "file", c->run->request->arguments[side]);
    grz_json_put_member_text(json, "kind", graze_shape_kind_name(graze_shape_get_kind(shape)));
    bool counts = graze_shape_has_triangles(shape);
    put_count_or_null(json, "triangles", counts, graze_mesh_triangle_count(mesh));
    put_count_or_null(json, "faces", counts, graze_mesh_face_count(mesh));
    grz_json_close(json);
}

static void write_distance(grz_json_writer *json, const shape_check *c)
{
    const graze_shape_distance *distance = &c->distance;
    grz_json_put_key(json, "distance");
    if (!distance->found)
    {
        grz_json_put_null(json);
        return;
    }
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "distance");
    grz_json_put_real(json, distance->distance);
    grz_json_put_key(json, "lower");
    grz_json_put_real(json, distance->lower);
    grz_json_put_key(json, "upper");
    grz_json_put_real(json, distance->upper);
    grz_json_put_key(json, "points");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    grz_json_put_reals(json, distance->point_a, 3);
    grz_json_put_reals(json, distance->point_b, 3);
    grz_json_close(json);
    grz_json_put_key(json, "triangles");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    put_triangle(json, distance->triangle_a);
    put_triangle(json, distance->triangle_b);
    grz_json_close(json);
    grz_json_put_member_count(json, "leaf_a", distance->part_a);
    grz_json_put_member_count(json, "leaf_b", distance->part_b);
    grz_json_close(json);
}

static void write_list(grz_json_writer *json, const shape_check *c)
{
    grz_json_put_key(json, "pair_list");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < c->list_count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
        put_triangle(json, c->list[i].triangle_a);
        put_triangle(json, c->list[i].triangle_b);
        grz_json_close(json);
    }
    grz_json_close(json);
}

static void write_json(const shape_check *c)
{
    const tool_request *request = c->run->request;
    grz_sink out = file_sink(stdout);
    grz_json_writer json = grz_json_start(&out);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    put_verdict(&json, "collide", c->collide);
    grz_json_put_member_text(&json, "verdict", verdict_name(c->collide));
    write_counts(&json, c);
    write_witness(&json, c);
    write_file(&json, c, 0);
    write_file(&json, c, 1);
    if (request->values[OPTION_DISTANCE] != NULL)
        write_distance(&json, c);
    if (c->run->tolerance >= 0)
    {
        put_verdict(&json, "within", c->within);
        put_count_or_null(&json, "within_pairs", false, 0);
    }
    check_write_depth(&json, c->run);
    check_write_contacts(&json, c->run);
    if (request->values[OPTION_STATS] != NULL)
        write_stats(&json, &c->stats);
    if (request->values[OPTION_PAIRS] != NULL)
        write_list(&json, c);
    grz_json_close(&json);
}

/* ---- text ---- */

static void say_verdict(const shape_check *c)
{
    const tool_console *console = c->run->request->console;
    const char *plain = console_tone(console, TONE_PLAIN);
    if (c->collide == GRAZE_VERDICT_YES)
        printf("%scollision%s: they share a point\n", console_tone(console, TONE_BAD), plain);
    else if (c->collide == GRAZE_VERDICT_NO)
        printf("%sno collision%s: they share no point\n", console_tone(console, TONE_GOOD), plain);
    else
        printf("%sunknown%s: %s\n", console_tone(console, TONE_BOLD), plain,
               c->finished ? "they touch or nearly do" : "the time was up before any hit was found");
}

static void say_file(const shape_check *c, int side)
{
    const graze_shape *shape = c->placed[side].shape;
    const char *kind = graze_shape_kind_name(graze_shape_get_kind(shape));
    printf("  %c         %s  %s", "ab"[side], c -> run -> request -> arguments[side], kind);
    if (graze_shape_has_triangles(shape))
        printf(", %s", grz_counted(graze_mesh_triangle_count(graze_shape_mesh(shape)), "triangle").text);
    if (graze_shape_part_count(shape) > 0)
        printf(", %s", grz_counted(graze_shape_part_count(shape), "part").text);
    putchar('\n');
}

static void say_triangles(const shape_check *c)
{
    if (!c->finished || (!c->has_triangles[0] && !c->has_triangles[1]))
        return;
    bool both = c->has_triangles[0] && c->has_triangles[1];
    printf("  pairs     %s\n", grz_grouped(c->counts.hits).text);
    if (both)
        printf("  crossing  %s\n  touching  %s\n", grz_grouped(c->counts.crossing).text,
               grz_grouped(c->counts.touching).text);
}

static void say_measures(const shape_check *c)
{
    static const char *const words[] = {"unknown", "no", "yes"};
    if (c->distance.found)
    {
        printf("  distance  %s, from ", human_real(c->distance.distance).text);
        print_point(stdout, c->distance.point_a);
        printf("\n            to ");
        print_point(stdout, c->distance.point_b);
        putchar('\n');
    }
    else if (c->run->request->values[OPTION_DISTANCE] != NULL)
        puts("  distance  none: there is nothing to measure from");
    if (c->run->tolerance >= 0)
        printf("  within    %s: %s\n", human_real(c->run->tolerance).text, words[c->within]);
    check_say_depth(c->run);
    check_say_contacts(c->run);
}

static void say(const shape_check *c)
{
    say_verdict(c);
    putchar('\n');
    say_file(c, 0);
    say_file(c, 1);
    say_triangles(c);
    say_measures(c);
    if (c->collide == GRAZE_VERDICT_YES && c->hit.has_point)
    {
        printf("  witness   at ");
        print_point(stdout, c->hit.point);
        putchar('\n');
    }
    for (size_t i = 0; i < c->list_count; i++)
    {
        const graze_shape_hit *hit = &c->list[i];
        const uint32_t triangles[2] = {hit->triangle_a, hit->triangle_b};
        for (int side = 0; side < 2; side++)
            if (triangles[side] != GRAZE_NO_TRIANGLE)
                printf("  %10u", triangles[side]);
            else
                printf("  %10s", "-");
        putchar('\n');
    }
}

static exit_code verdict_code(const shape_check *c)
{
    const tool_console *console = c->run->request->console;
    if (c->collide == GRAZE_VERDICT_YES || (c->run->tolerance >= 0 && c->within == GRAZE_VERDICT_YES))
        return EXIT_FOUND;
    if (!c->finished)
        return report_error(console, EXIT_INCOMPLETE, "the time was up");
    if (c->collide == GRAZE_VERDICT_UNKNOWN)
        return report_error(console, EXIT_INCOMPLETE, "whether they meet is unknown: they touch or nearly do");
    if (c->run->tolerance >= 0 && c->within == GRAZE_VERDICT_UNKNOWN)
        return report_error(console, EXIT_INCOMPLETE, "whether they are within the tolerance is unknown");
    return EXIT_NOTHING_FOUND;
}

exit_code check_shapes(check_run *run)
{
    shape_check c = {.run = run, .collide = GRAZE_VERDICT_UNKNOWN};
    exit_code code = 0;
    for (int side = 0; code == 0 && side < 2; side++)
    {
        c.placed[side] = (graze_placed){run->files[side].shape, run->placed[side].pose};
        c.has_triangles[side] = has_triangles(c.placed[side].shape);
        code = check_pose(&c, side);
    }
    if (code != 0)
        return code;
    graze_status status = find_hits(&c);
    if (status == GRAZE_STATUS_OK)
        status = measure(&c);
    if (status != GRAZE_STATUS_OK)
        code = report_error(run->request->console, exit_code_of(status), "the check failed: %s",
                            graze_status_text(status));
    else
    {
        if (run->request->values[OPTION_JSON] != NULL)
            write_json(&c);
        else
            say(&c);
        code = verdict_code(&c);
    }
    free(c.list);
    return code;
}
