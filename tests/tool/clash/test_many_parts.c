/* SPDX-License-Identifier: MIT */
/*
 * graze clash with many parts: a cost per pair would take minutes here, and more memory than any machine has. Times are
 * not compared; a cost per pair ends the test by its time limit. And counts by kinds and sets equal those of an
 * enumeration of all pairs.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/assembly.h"
#include "clash/narrow_phase.h"
#include "clash/parts.h"
#include "clash/verdict_cache.h"
#include "clash_boxes.h"
#include "support/random.h"
#include "support/tool_json.h"
#include "support/unit.h"

static void start_scene(FILE *file)
{
    fputs("{\"graze\":\"scene\",\"version\":1,\"meshes\":{\"box\":{\"shape\":\"box\"},\"small\":{\"shape\":\"box\","
          "\"size\":[0.5,0.5,0.25]}},\"objects\":[",
          file);
}

static void put_object(FILE *file, size_t number, const char *mesh, double x, double y, double z)
{
    fprintf(file, "%s{\"name\":\"p%zu\",\"mesh\":\"%s\",\"pose\":{\"position\":[%.17g,%.17g,%.17g]}}",
            number > 0 ? ",\n" : "", number, mesh, x, y, z);
}

static cJSON *run_quietly(const char *path, const char *rules, int code)
{
    tool_result result = rules != NULL ? RUN("clash", path, "--rules", rules, "--json", "many.out.json", "--quiet")
                                       : RUN("clash", path, "--json", "many.out.json", "--quiet");
    assert_int_equal(result.code, code);
    tool_release(&result);
    FILE *file = fopen("many.out.json", "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    char *text = calloc(1, size + 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    cJSON *document = cJSON_Parse(text);
    free(text);
    assert_non_null(document);
    return document;
}

enum
{
    MANY = 50001
};

static void coincident_boxes_are_one_finding_that_names_all(void **state)
{
    (void)state;
    FILE *file = fopen("same.json", "w");
    assert_non_null(file);
    start_scene(file);
    for (size_t i = 0; i < MANY; i++)
        put_object(file, i, "box", 1, 2, 3);
    fputs("]}", file);
    assert_int_equal(fclose(file), 0);
    cJSON *document = run_quietly("same.json", NULL, 1);
    assert_true(summary(document, "findings") == 1);
    expect_finding(document, 0, "p0", "p1", "duplicate");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(finding(document, 0), "set")), MANY);
    assert_true(summary(document, "pairs_possible") == 0.5 * MANY * (MANY - 1.0));
    assert_true(summary(document, "pairs_tested") == 0.5 * MANY * (MANY - 1.0));
    assert_true(summary(document, "parts_free") == 0);
    cJSON_Delete(document);
    /* An approval must apply to each pair of the set. */
    write_text("most.json",
               "{\"graze\":\"rules\",\"version\":1,\"approve\":[{\"a\":\"p*\",\"b\":\"p?*0\",\"reason\":\"r\"}]}");
    cJSON_Delete(run_quietly("same.json", "most.json", 1));
    write_text("all.json",
               "{\"graze\":\"rules\",\"version\":1,\"approve\":[{\"a\":\"p*\",\"b\":\"p*\",\"reason\":\"r\"}]}");
    cJSON_Delete(run_quietly("same.json", "all.json", 0));
}

static void parts_that_lie_apart_take_no_time_by_the_pair(void **state)
{
    (void)state;
    FILE *file = fopen("apart.json", "w");
    assert_non_null(file);
    start_scene(file);
    for (size_t i = 0; i < MANY; i++)
        put_object(file, i, "box", 3.0 * (double)(i % 37), 3.0 * (double)(i / 37 % 37), 3.0 * (double)(i / 1369));
    fputs("]}", file);
    assert_int_equal(fclose(file), 0);
    cJSON *document = run_quietly("apart.json", NULL, 0);
    assert_true(summary(document, "pairs_culled") == 0.5 * MANY * (MANY - 1.0));
    cJSON_Delete(document);
    write_text("rules.json", "{\"graze\":\"rules\",\"version\":1,\"groups\":{\"odd\":[\"*1\",\"*3\"]},"
                             "\"ignore\":[{\"a\":\"*0\",\"b\":\"@odd\",\"reason\":\"r\"},"
                             "{\"pair\":[\"p1\",\"p3\"],\"reason\":\"s\"},{\"pair\":[\"p0\",\"p1\"],\"reason\":\"t\"}],"
                             "\"limits\":[{\"a\":\"*7\",\"clearance\":0.5}]}");
    document = run_quietly("apart.json", "rules.json", 0);
    const cJSON *ignored = cJSON_GetObjectItem(document, "ignored");
    /* 5,001 names end with 0, 10,000 with 1 or 3; one of these pairs is ignored by name. */
    assert_true(json_number(cJSON_GetArrayItem(ignored, 0), "pairs") == 5001.0 * 10000 - 1);
    assert_true(json_number(cJSON_GetArrayItem(ignored, 1), "pairs") == 1);
    assert_true(json_number(cJSON_GetArrayItem(ignored, 2), "pairs") == 1);
    assert_true(summary(document, "pairs_ignored") == 5001.0 * 10000 + 1);
    cJSON_Delete(document);
}

/* Rows of boxes of two sizes at positions some of whose sums are rounded: each pair must have the verdict it has when
 * tested alone. */
static void write_rows(const char *path, test_random *random)
{
    static const double steps[] = {1, 0.5, 0.1, 0.3, 1.1, 0x1p-30};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    start_scene(file);
    double step = steps[random_below(random, 6)], far = random_once_in(random, 3) ? 1e6 : 0;
    for (size_t i = 0; i < 18; i++)
    {
        put_object(file, i, random_once_in(random, 3) ? "small" : "box", far + step * random_below(random, 3),
                   step * random_below(random, 3) - far, 1.0 * random_below(random, 2));
        if (random_once_in(random, 2) && fseek(file, -2, SEEK_CUR) == 0)
            fputs(",\"axis_angle\":[1,0,0,90]}}", file);
    }
    fputs("]}", file);
    assert_int_equal(fclose(file), 0);
}

static const tool_console console = {0};

static bool same_numbers(const graze_clash_finding *x, const graze_clash_finding *y)
{
    return x->verdict == y->verdict && x->pairs == y->pairs && x->touch_kind == y->touch_kind &&
           x->undecided == y->undecided && memcmp(&x->area, &y->area, sizeof x->area) == 0 &&
           memcmp(x->point, y->point, sizeof x->point) == 0 && memcmp(x->gap, y->gap, sizeof x->gap) == 0 &&
           memcmp(x->depth, y->depth, sizeof x->depth) == 0 && x->rule == y->rule;
}

/* Returns how many pairs were cached; `out_touches`: how many of those touch. */
static size_t compare_pairs(const grz_clash_parts *parts, double clearance, size_t *out_touches)
{
    graze_context context = graze_context_default();
    grz_clash_verdict_cache *repeats = grz_clash_verdict_cache_create(NULL, 4096);
    assert_non_null(repeats);
    grz_clash_narrow_phase with = {&context, repeats, false}, without = {&context, NULL, false};
    size_t remembered = 0;
    for (size_t a = 0; a < parts->count; a++)
        for (size_t b = 0; b < parts->count; b++)
        {
            graze_clash_finding one, other;
            grz_clash_relative_placement relation;
            grz_clash_cached_verdict repeat;
            grz_clash_limits limits = {.clearance = clearance, .allow_touch = (a + b) % 2 == 0};
            if (a == b)
                continue;
            bool known = grz_clash_relative_placement_of(&parts->parts[a], &parts->parts[b], &limits, &relation) &&
                         grz_clash_verdict_cache_find(repeats, &relation, &repeat);
            assert_int_equal(grz_clash_test_pair(&with, &parts->parts[a], &parts->parts[b], &limits, &one), 0);
            assert_int_equal(grz_clash_test_pair(&without, &parts->parts[a], &parts->parts[b], &limits, &other), 0);
            assert_true(same_numbers(&one, &other));
            remembered += known;
            *out_touches += known && one.verdict == GRAZE_CLASH_TOUCHES;
            grz_clash_release_finding(&context, &one);
            grz_clash_release_finding(&context, &other);
        }
    grz_clash_verdict_cache_release(NULL, repeats);
    return remembered;
}

static void pairs_that_repeat_are_as_if_each_were_the_first(void **state)
{
    (void)state;
    test_random random = test_random_start("pairs_that_repeat_are_as_if_each_were_the_first", 15);
    graze_context context = graze_context_default();
    size_t remembered = 0, touches = 0;
    for (int n = 0; n < 12; n++)
    {
        tool_inputs inputs;
        grz_clash_parts parts;
        clash_assembly assembly;
        const graze_clash_options options = graze_clash_options_default();
        write_rows("rows.json", &random);
        assert_int_equal(inputs_read(&console, NULL, (const char *const[]){"rows.json"}, 1, UNIT_NONE, &inputs), 0);
        assert_true(clash_assembly_make(&inputs, &assembly));
        assert_int_equal(grz_clash_parts_make(&context, assembly.parts, assembly.part_count, &options, NULL, &parts),
                         0);
        remembered += compare_pairs(&parts, n % 3 == 0 ? 0.125 : 0, &touches);
        grz_clash_parts_release(&context, &parts);
        clash_assembly_release(&assembly);
        inputs_release(&inputs);
    }
    printf("%zu pairs remembered, %zu of them touch\n", remembered, touches);
    assert_true(remembered > 150 && touches > 30);
}

/* A pair whose difference of translations is rounded is not cached. */
static void places_that_differ_by_no_double_are_not_related(void **state)
{
    (void)state;
    graze_pose pose = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    grz_clash_part a = {.placed = {NULL, NULL, pose}}, b = a;
    grz_clash_limits limits = {.clearance = 0};
    grz_clash_relative_placement relation;
    a.placed.pose.m[11] = -3.5;
    b.placed.pose.m[11] = -0.5;
    assert_true(grz_clash_relative_placement_of(&a, &b, &limits, &relation) && relation.shift[2] == 3);
    b.placed.pose.m[11] = -0.5000000000000001;
    assert_false(grz_clash_relative_placement_of(&a, &b, &limits, &relation));
    assert_false(grz_clash_relative_placement_of(&b, &a, &limits, &relation));
    a.placed.pose.m[11] = 1e300;
    b.placed.pose.m[11] = -1e300;
    assert_false(grz_clash_relative_placement_of(&a, &b, &limits, &relation));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(coincident_boxes_are_one_finding_that_names_all),
                                       cmocka_unit_test(parts_that_lie_apart_take_no_time_by_the_pair),
                                       cmocka_unit_test(pairs_that_repeat_are_as_if_each_were_the_first),
                                       cmocka_unit_test(places_that_differ_by_no_double_are_not_related)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
