/* SPDX-License-Identifier: MIT */
/* Status texts, errors with their position, messages to the log hook. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "support/unit.h"

static void every_status_has_a_text_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < GRAZE_STATUS_COUNT; i++)
    {
        const char *text = graze_status_text((graze_status)i);
        assert_non_null(text);
        assert_true(text[0] != '\0');
        for (int j = 0; j < i; j++)
            assert_string_not_equal(text, graze_status_text((graze_status)j));
    }
}

static void numbers_that_are_no_status_have_a_text_too(void **state)
{
    (void)state;
    assert_non_null(graze_status_text(GRAZE_STATUS_COUNT));
    assert_non_null(graze_status_text((graze_status)1000));
    assert_string_equal(graze_status_text(GRAZE_STATUS_COUNT), graze_status_text((graze_status)1000));
}

static void the_version_has_three_numbers(void **state)
{
    (void)state;
    int major = -1, minor = -1, patch = -1;
    char rest = 0;
    assert_int_equal(sscanf(graze_version_text(), "%d.%d.%d%c", &major, &minor, &patch, &rest), 3);
    assert_int_equal(major, GRAZE_VERSION_MAJOR);
    assert_int_equal(minor, GRAZE_VERSION_MINOR);
    assert_int_equal(patch, GRAZE_VERSION_PATCH);
}

static void an_error_names_one_place_and_no_other(void **state)
{
    (void)state;
    graze_error error;
    memset(&error, 0x55, sizeof error);
    assert_int_equal(grz_error(&error, GRAZE_STATUS_EMPTY, "nothing in %s", "it"), GRAZE_STATUS_EMPTY);
    assert_int_equal(error.status, GRAZE_STATUS_EMPTY);
    assert_string_equal(error.text, "nothing in it");
    assert_true(error.index == GRAZE_NO_INDEX && error.line == GRAZE_NO_INDEX && error.byte_offset == GRAZE_NO_INDEX);
    assert_int_equal(grz_error_index(&error, GRAZE_STATUS_BAD_INDEX, 7, "seven"), GRAZE_STATUS_BAD_INDEX);
    assert_true(error.index == 7 && error.line == GRAZE_NO_INDEX && error.byte_offset == GRAZE_NO_INDEX);
    grz_error_line(&error, GRAZE_STATUS_BAD_FORMAT, 8, "eight");
    assert_true(error.index == GRAZE_NO_INDEX && error.line == 8 && error.byte_offset == GRAZE_NO_INDEX);
    grz_error_byte(&error, GRAZE_STATUS_TRUNCATED, 9, "nine");
    assert_true(error.index == GRAZE_NO_INDEX && error.line == GRAZE_NO_INDEX && error.byte_offset == 9);
}

static void an_error_may_be_absent(void **state)
{
    (void)state;
    assert_int_equal(grz_error(NULL, GRAZE_STATUS_EMPTY, "x"), GRAZE_STATUS_EMPTY);
    assert_int_equal(grz_error_index(NULL, GRAZE_STATUS_BAD_INDEX, 1, "x"), GRAZE_STATUS_BAD_INDEX);
}

static void a_long_sentence_is_cut_at_the_end_of_its_room(void **state)
{
    (void)state;
    char sentence[2 * GRAZE_ERROR_TEXT_SIZE];
    memset(sentence, 'a', sizeof sentence);
    sentence[sizeof sentence - 1] = '\0';
    graze_error error;
    grz_error(&error, GRAZE_STATUS_INTERNAL, "%s", sentence);
    assert_int_equal(strlen(error.text), GRAZE_ERROR_TEXT_SIZE - 1);
}

typedef struct last_message
{
    int count;
    graze_log_level level;
    char text[64];
} last_message;

static void keep_message(void *user, graze_log_level level, const char *text)
{
    last_message *last = user;
    last->count++;
    last->level = level;
    snprintf(last->text, sizeof last->text, "%s", text);
}

static void messages_reach_the_hook_and_nothing_happens_without_one(void **state)
{
    (void)state;
    last_message last = {0, GRAZE_LOG_DEBUG, ""};
    graze_context context = graze_context_default();
    grz_log(NULL, GRAZE_LOG_ERROR, "nobody %d", 1);
    grz_log(&context, GRAZE_LOG_ERROR, "nobody %d", 2);
    context.log = keep_message;
    context.log_user = &last;
    grz_log(&context, GRAZE_LOG_WARNING, "somebody %d", 3);
    assert_int_equal(last.count, 1);
    assert_int_equal(last.level, GRAZE_LOG_WARNING);
    assert_string_equal(last.text, "somebody 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_text_of_its_own),
        cmocka_unit_test(numbers_that_are_no_status_have_a_text_too),
        cmocka_unit_test(the_version_has_three_numbers),
        cmocka_unit_test(an_error_names_one_place_and_no_other),
        cmocka_unit_test(an_error_may_be_absent),
        cmocka_unit_test(a_long_sentence_is_cut_at_the_end_of_its_room),
        cmocka_unit_test(messages_reach_the_hook_and_nothing_happens_without_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
