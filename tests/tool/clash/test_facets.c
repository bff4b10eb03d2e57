/* SPDX-License-Identifier: MIT */
/* graze clash on round parts cut into facets: a shaft in its hole is for information, unless a rule says otherwise. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

#define CLASH(code, ...) expect_json(RUN("clash", __VA_ARGS__, "--json"), code)
#define RULES "{\"graze\": \"rules\", \"version\": 1, "

static const double pi = 3.14159265358979323846;

static void put_ring(FILE *file, double radius, int count, double turn, double z)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "v %.17g %.17g %g\n", radius * cos(2 * pi * (i + turn) / count),
                radius * sin(2 * pi * (i + turn) / count), z);
}

/* Quads between two rings, each numbered from its first vertex. */
static void put_band(FILE *file, int lower, int upper, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "f %d %d %d %d\n", lower + i, lower + (i + 1) % count, upper + (i + 1) % count, upper + i);
}

/* A bush of 24 facets, hole of radius 10; and a shaft of so many facets through it. */
static void write_fit(double radius, int facets, double turn)
{
    FILE *file = fopen("fit.obj", "w");
    assert_non_null(file);
    fputs("o bush\n", file);
    put_ring(file, 10, 24, 0, 0);
    put_ring(file, 10, 24, 0, 25);
    put_ring(file, 20, 24, 0, 0);
    put_ring(file, 20, 24, 0, 25);
    put_band(file, 25, 1, 24);  /* the hole, seen from within */
    put_band(file, 49, 73, 24); /* the outside */
    put_band(file, 1, 49, 24);
    put_band(file, 73, 25, 24);
    fputs("o shaft\n", file);
    put_ring(file, radius, facets, turn, -5);
    put_ring(file, radius, facets, turn, 30);
    put_band(file, 97, 97 + facets, facets);
    for (int end = 0; end < 2; end++)
    {
        fputs("f", file);
        for (int i = 0; i < facets; i++)
            fprintf(file, " %d", 97 + (end == 0 ? facets - 1 - i : facets + i));
        putc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
}

/* Checks the only finding, a crossing. */
static void expect_crossing(cJSON *document, bool within, const char *severity)
{
    const cJSON *findings = cJSON_GetObjectItem(document, "findings"), *finding = cJSON_GetArrayItem(findings, 0);
    assert_int_equal(cJSON_GetArraySize(findings), 1);
    assert_string_equal(json_string(finding, "verdict"), "crosses");
    assert_string_equal(json_string(finding, "severity"), severity);
    assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(finding, "within_tessellation")), within);
    if (within)
    {
        const cJSON *sagittas = cJSON_GetObjectItem(finding, "sagittas");
        assert_int_equal(cJSON_GetArraySize(sagittas), 2);
        double sum = cJSON_GetArrayItem(sagittas, 0)->valuedouble + cJSON_GetArrayItem(sagittas, 1)->valuedouble;
        assert_true(sum >= cJSON_GetArrayItem(cJSON_GetObjectItem(finding, "depth"), 1)->valuedouble);
        assert_string_equal(json_string(cJSON_GetObjectItem(finding, "grades"), "sagittas"), "estimated");
    }
    cJSON_Delete(document);
}

static void a_shaft_in_its_hole_is_for_information(void **state)
{
    (void)state;
    write_fit(10, 24, 0.5);
    expect_crossing(CLASH(0, "fit.obj"), true, "info");
    tool_result result = RUN("clash", "fit.obj");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "within tessellation"));
    tool_release(&result);
    write_fit(10, 16, 0.25);
    expect_crossing(CLASH(0, "fit.obj"), true, "info");
    write_fit(9.99, 24, 0.5);
    expect_crossing(CLASH(0, "fit.obj"), true, "info");
}

static void a_real_interference_is_none(void **state)
{
    (void)state;
    write_fit(11, 24, 0.5);
    expect_crossing(CLASH(1, "fit.obj"), false, "critical");
}

static void the_plain_reading_and_rules_make_it_fail(void **state)
{
    (void)state;
    write_fit(10, 24, 0.5); /* 0.0856 deep */
    expect_crossing(CLASH(1, "fit.obj", "--tessellation", "off"), false, "critical");
    expect_crossing(CLASH(0, "fit.obj", "--tessellation", "on"), true, "info");
    expect_crossing(CLASH(1, "fit.obj", "--max-depth", "0.05"), true, "critical");
    cJSON_Delete(CLASH(0, "fit.obj", "--max-depth", "0.1"));
    write_text("limits.json", RULES "\"limits\": [{\"a\": \"bush\", \"b\": \"shaft\", \"max_depth\": 0.01}]}");
    expect_crossing(CLASH(1, "fit.obj", "--rules", "limits.json"), true, "critical");
    write_text("severity.json", RULES "\"severity\": [{\"a\": \"shaft\", \"severity\": \"major\"}]}");
    expect_crossing(CLASH(1, "fit.obj", "--rules", "severity.json"), true, "major");
    write_text("other.json", RULES "\"limits\": [{\"a\": \"bush\", \"b\": \"shaft\", \"clearance\": 1}]}");
    expect_crossing(CLASH(0, "fit.obj", "--rules", "other.json"), true, "info");
    tool_expect_refusal(RUN("clash", "fit.obj", "--tessellation", "maybe"), 2, "--tessellation takes on or off");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shaft_in_its_hole_is_for_information),
        cmocka_unit_test(a_real_interference_is_none),
        cmocka_unit_test(the_plain_reading_and_rules_make_it_fail),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
