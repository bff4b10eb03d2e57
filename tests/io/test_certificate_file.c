/* SPDX-License-Identifier: MIT */
/* Files of certificates: both forms hold the same, and what is not well formed is refused with a sentence. */
#include "graze/certificate_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/certificates.h"
#include "support/tool_process.h"
#include "support/unit.h"

static struct
{
    moving_pair pair;
    graze_certificate *certificate;
    char *json; /* ends with a zero byte */
    size_t json_size;
} world;

static int set_up(void **state)
{
    world.pair = moving_boxes();
    assert_int_equal(
        graze_pair_prove_clear(NULL, &world.pair.moving[0], &world.pair.moving[1], 0.125, NULL, &world.certificate),
        GRAZE_STATUS_OK);
    void *bytes;
    const graze_certificate *list[] = {world.certificate};
    assert_int_equal(graze_certificate_write_memory(NULL, list, 1, GRAZE_CERTIFICATE_JSON, &bytes, &world.json_size),
                     GRAZE_STATUS_OK);
    world.json = malloc(world.json_size + 1);
    assert_non_null(world.json);
    memcpy(world.json, bytes, world.json_size);
    world.json[world.json_size] = '\0';
    graze_memory_release(NULL, bytes);
    return enter_temporary_directory(state);
}

static int tear_down(void **state)
{
    graze_certificate_destroy(world.certificate);
    moving_pair_release(&world.pair);
    free(world.json);
    return leave_temporary_directory(state);
}

static void assert_same(const graze_certificate *a, const graze_certificate *b)
{
    size_t size = graze_certificate_saved_size(a);
    assert_int_equal(graze_certificate_saved_size(b), size);
    unsigned char *bytes[2] = {malloc(size), malloc(size)};
    assert_int_equal(graze_certificate_save(a, bytes[0], size), GRAZE_STATUS_OK);
    assert_int_equal(graze_certificate_save(b, bytes[1], size), GRAZE_STATUS_OK);
    assert_memory_equal(bytes[0], bytes[1], size);
    free(bytes[0]);
    free(bytes[1]);
}

static void both_forms_read_back_what_was_written(void **state)
{
    (void)state;
    const graze_certificate *list[] = {world.certificate, world.certificate, world.certificate};
    for (int format = 0; format < 2; format++)
    {
        graze_certificate_set *set;
        assert_int_equal(
            graze_certificate_write_file(NULL, list, 3, (graze_certificate_format)format, "certificates", NULL),
            GRAZE_STATUS_OK);
        assert_int_equal(graze_certificate_set_read_file(NULL, "certificates", NULL, NULL, &set), GRAZE_STATUS_OK);
        assert_int_equal(graze_certificate_set_count(set), 3);
        for (size_t i = 0; i < 3; i++)
            assert_same(graze_certificate_set_get(set, i), world.certificate);
        assert_null(graze_certificate_set_get(set, 3));
        graze_certificate_set_destroy(set);
    }
    void *bytes;
    size_t size;
    assert_int_equal(graze_certificate_write_memory(NULL, list, 1, (graze_certificate_format)2, &bytes, &size),
                     GRAZE_STATUS_BAD_ARGUMENT);
}

/* The status of reading the text with its first `from` replaced by `to`. */
static graze_status status_of(const char *from, const char *to, graze_error *error)
{
    char *text = malloc(world.json_size + strlen(to) + 1), *at = strstr(world.json, from);
    assert_non_null(at);
    size_t before = (size_t)(at - world.json);
    memcpy(text, world.json, before);
    strcpy(text + before, to);
    strcat(text, at + strlen(from));
    graze_certificate_set *set = NULL;
    graze_status status = graze_certificate_set_read_memory(NULL, text, strlen(text), "text", NULL, error, &set);
    graze_certificate_set_destroy(set);
    free(text);
    return status;
}

static void texts_that_are_no_certificates_are_refused(void **state)
{
    (void)state;
    static const struct
    {
        const char *from, *to;
        graze_status status;
        const char *words;
    } cases[] = {
        {"{\"graze\":\"certificate\"", "{\"graze\":\"certificates\"", GRAZE_STATUS_BAD_FORMAT, "graze does not say"},
        {"\"version\":1", "\"version\":2", GRAZE_STATUS_UNSUPPORTED, "version"},
        {"\"version\":1", "\"version\":1,\"more\":1", GRAZE_STATUS_BAD_FORMAT, "key"},
        {"\"version\":1", "\"version\":1,\"version\":1", GRAZE_STATUS_BAD_FORMAT, "key"},
        {"\"clearance\":0.125", "\"clearance\":0.25", GRAZE_STATUS_DAMAGED, "seal"},
        {"\"clearance\":0.125", "\"clearance\":\"x\"", GRAZE_STATUS_BAD_FORMAT, "clearance"},
        {"\"clearance\":0.125", "\"clearance\":1e999", GRAZE_STATUS_BAD_FORMAT, "clearance"},
        {"\"deviation\":0", "\"deviation\":0.5", GRAZE_STATUS_DAMAGED, "seal"},
        {"\"deviation\":0", "\"deviations\":0", GRAZE_STATUS_BAD_FORMAT, "key"},
        {"\"kind\":\"turn\"", "\"kind\":\"screw\"", GRAZE_STATUS_BAD_FORMAT, "kind"},
        {"\"kind\":\"turn\"", "\"kind\":\"ballistic_turn\"", GRAZE_STATUS_BAD_FORMAT, "rows"},
        {"\"kind\":\"blend\"", "\"kind\":\"still\"", GRAZE_STATUS_BAD_FORMAT, "key"},
        {"\"start\":[", "\"start\":[1,", GRAZE_STATUS_BAD_FORMAT, "length"},
        {"\"start\":[1", "\"start\":[true", GRAZE_STATUS_BAD_FORMAT, "number"},
        {"\"order_a\":[", "\"order_a\":[-1,", GRAZE_STATUS_BAD_FORMAT, "triangle number"},
        {"\"order_a\":[", "\"order_a\":[0,", GRAZE_STATUS_DAMAGED, "seal"},
        {"[\"plane\"", "[\"plan\"", GRAZE_STATUS_BAD_FORMAT, "cell"},
        {"[\"plane\",\"", "[\"plane\",\"c", GRAZE_STATUS_BAD_FORMAT, "frame"},
        {"\"cells\":", "\"cells\":[],\"x\":", GRAZE_STATUS_BAD_FORMAT, "key"},
        {"\"seal\":\"", "\"seal\":\"0", GRAZE_STATUS_BAD_FORMAT, "hexadecimal"},
        {"\"sha256\":\"", "\"sha256\":\"g", GRAZE_STATUS_BAD_FORMAT, "hexadecimal"},
        {"}\n", "", GRAZE_STATUS_TRUNCATED, "expected"},
        {"}\n", "}}\n", GRAZE_STATUS_BAD_FORMAT, "expected a value"},
        {"{", "x{", GRAZE_STATUS_BAD_FORMAT, "neither binary nor JSON"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        graze_error error = {0};
        graze_status status = status_of(cases[i].from, cases[i].to, &error);
        if (status != cases[i].status || strstr(error.text, cases[i].words) == NULL)
            printf("case %zu, %s: %d, %s\n", i, cases[i].to, (int)status, error.text);
        assert_int_equal(status, cases[i].status);
        assert_non_null(strstr(error.text, cases[i].words));
    }
    graze_error error;
    assert_int_equal(status_of("\"deviation\":0", "\"deviation\":-0.0", &error), GRAZE_STATUS_OK);
    graze_certificate_set *set;
    assert_int_equal(graze_certificate_set_read_memory(NULL, "", 0, NULL, NULL, &error, &set), GRAZE_STATUS_EMPTY);
    assert_int_equal(graze_certificate_set_read_memory(NULL, " \n", 2, NULL, NULL, &error, &set), GRAZE_STATUS_EMPTY);
    assert_int_equal(graze_certificate_set_read_file(NULL, "nowhere", NULL, &error, &set), GRAZE_STATUS_NOT_FOUND);
}

/* In the binary form everything has one form only. */
static void binary_forms_are_read_strictly(void **state)
{
    (void)state;
    size_t size;
    unsigned char *bytes = proof_of(&world.pair, 0.125, &size), *copy = malloc(size);
    static const struct
    {
        size_t at;
        unsigned char value;
        graze_status status;
    } cases[] = {
        {0, 'x', GRAZE_STATUS_BAD_FORMAT},
        {8, 2, GRAZE_STATUS_UNSUPPORTED},
        {12, 1, GRAZE_STATUS_UNSUPPORTED},
        {48, 4, GRAZE_STATUS_BAD_FORMAT},
        {52, 1, GRAZE_STATUS_BAD_FORMAT},
        {63, 0x80, GRAZE_STATUS_BAD_FORMAT}, /* a negative zero */
        {256 + 240 - 1, 1, GRAZE_STATUS_BAD_FORMAT},
        {510, 1, GRAZE_STATUS_BAD_FORMAT},
        {506, 1, GRAZE_STATUS_TRUNCATED},
        {524, 1, GRAZE_STATUS_TRUNCATED},
        {528, 7, GRAZE_STATUS_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        graze_certificate *certificate = NULL;
        size_t taken = 0;
        memcpy(copy, bytes, size);
        copy[cases[i].at] = cases[i].value;
        proof_seal(copy, size);
        graze_error error = {0};
        graze_status status = graze_certificate_load(NULL, copy, size, &error, &certificate, &taken);
        if (status != cases[i].status)
            printf("byte %zu: %d, %s\n", cases[i].at, (int)status, error.text);
        assert_int_equal(status, cases[i].status);
        graze_certificate_destroy(certificate);
    }
    free(copy);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_read_back_what_was_written),
        cmocka_unit_test(texts_that_are_no_certificates_are_refused),
        cmocka_unit_test(binary_forms_are_read_strictly),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
