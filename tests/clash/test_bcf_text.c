/* SPDX-License-Identifier: MIT */
/* Identifiers and dates of BCF files. */
#include "clash/bcf_text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "support/random.h"
#include "support/unit.h"

static void identifiers_have_the_form_of_a_uuid_and_differ(void **state)
{
    (void)state;
    static const char *const kinds[] = {"topic", "viewpoint", "comment"};
    static const char *const ids[] = {"0123456789abcdef", "0123456789abcdee", ""};
    grz_guid guids[9];
    for (int i = 0; i < 9; i++)
    {
        guids[i] = grz_guid_of(kinds[i / 3], ids[i % 3]);
        const char *text = guids[i].text;
        assert_int_equal(strlen(text), 36);
        assert_int_equal(strspn(text, "0123456789abcdef-"), 36);
        for (int k = 0; k < 36; k++)
            assert_int_equal(text[k] == '-', k == 8 || k == 13 || k == 18 || k == 23);
        assert_int_equal(text[14], '8');
        assert_non_null(strchr("89ab", text[19]));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(guids[k].text, text);
    }
}

static void identifiers_stay_the_same_from_version_to_version(void **state)
{
    (void)state;
    assert_string_equal(grz_guid_of("topic", "0123456789abcdef").text, "207e7f32-95a3-8026-85b2-78c8500cf4e2");
}

static void expect_date(int64_t seconds, const char *expected)
{
    char text[GRZ_DATE_SIZE];
    grz_date_time time = grz_date_time_of(seconds);
    grz_date_print(&time, text);
    assert_string_equal(text, expected);
}

static void dates_are_those_of_the_calendar(void **state)
{
    (void)state;
    expect_date(0, "1970-01-01T00:00:00Z");
    expect_date(-1, "1969-12-31T23:59:59Z");
    expect_date(951782400, "2000-02-29T00:00:00Z");
    expect_date(951868799, "2000-02-29T23:59:59Z");
    expect_date(951868800, "2000-03-01T00:00:00Z");
    expect_date(4107542400, "2100-03-01T00:00:00Z"); /* 2100 has no leap day */
    expect_date(4107542399, "2100-02-28T23:59:59Z");
    expect_date(INT64_MIN, "0001-01-01T00:00:00Z");
    expect_date(INT64_MAX, "9999-12-31T23:59:59Z");
}

/* Against the C library. */
static void random_dates_agree_with_gmtime(void **state)
{
    (void)state;
    test_random random = test_random_start("dates", 17);
    for (int i = 0; i < 20000; i++)
    {
        int64_t seconds = (int64_t)(random_next(&random) % 315537897600) - 62135596800;
        time_t value = (time_t)seconds;
        const struct tm *expected = gmtime(&value);
        grz_date_time got = grz_date_time_of(seconds);
        assert_true(got.year == expected->tm_year + 1900 && got.month == expected->tm_mon + 1 &&
                    got.day == expected->tm_mday && got.hour == expected->tm_hour && got.minute == expected->tm_min &&
                    got.second == expected->tm_sec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identifiers_have_the_form_of_a_uuid_and_differ),
        cmocka_unit_test(identifiers_stay_the_same_from_version_to_version),
        cmocka_unit_test(dates_are_those_of_the_calendar),
        cmocka_unit_test(random_dates_agree_with_gmtime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
