/* SPDX-License-Identifier: MIT */
/* Zip archives: bytes as the format says, limits refused. */
#include "clash/zip.h"

#include <string.h>

#include "support/unit.h"

typedef struct kept_bytes
{
    unsigned char bytes[4096];
    size_t size;
} kept_bytes;

static bool keep(void *user, const char *bytes, size_t size)
{
    kept_bytes *kept = user;
    assert_true(kept->size + size <= sizeof kept->bytes);
    memcpy(kept->bytes + kept->size, bytes, size);
    kept->size += size;
    return true;
}

static uint32_t number_at(const unsigned char *at, int size)
{
    uint32_t value = 0;
    for (int i = 0; i < size; i++)
        value |= (uint32_t)at[i] << (8 * i);
    return value;
}

static void the_checksum_is_that_of_the_standard(void **state)
{
    (void)state;
    assert_int_equal(grz_crc32("123456789", 9), 0xcbf43926U);
    assert_int_equal(grz_crc32("", 0), 0);
    assert_int_equal(grz_crc32("\xff\xff\xff\xff", 4), 0xffffffffU);
}

static void entries_are_stored_and_listed_at_the_end(void **state)
{
    (void)state;
    kept_bytes kept = {.size = 0};
    grz_sink sink = {.write = keep, .user = &kept};
    grz_zip zip = {.out = &sink, .time = grz_date_time_of(1700000000)}; /* 2023-11-14T22:13:20Z */
    assert_int_equal(grz_zip_add(&zip, "one", "123456789", 9), GRAZE_STATUS_OK);
    assert_int_equal(grz_zip_add(&zip, "folder/two", "", 0), GRAZE_STATUS_OK);
    size_t directory = kept.size;
    assert_int_equal(grz_zip_end(&zip), GRAZE_STATUS_OK);
    grz_zip_release(&zip);
    const unsigned char *at = kept.bytes;
    assert_int_equal(directory, 30 + 3 + 9 + 30 + 10);
    assert_int_equal(number_at(at, 4), 0x04034b50);
    assert_int_equal(number_at(at + 6, 2), 0); /* flags */
    assert_int_equal(number_at(at + 8, 2), 0); /* stored */
    assert_int_equal(number_at(at + 10, 2), 22 << 11 | 13 << 5 | 10);
    assert_int_equal(number_at(at + 12, 2), 43 << 9 | 11 << 5 | 14);
    assert_int_equal(number_at(at + 14, 4), 0xcbf43926U);
    assert_int_equal(number_at(at + 18, 4), 9);
    assert_int_equal(number_at(at + 22, 4), 9);
    assert_memory_equal(at + 30, "one123456789", 12);
    const unsigned char *second = at + directory + 46 + 3;
    assert_int_equal(number_at(second, 4), 0x02014b50);
    assert_int_equal(number_at(second + 42, 4), 42); /* where its entry begins */
    assert_memory_equal(second + 46, "folder/two", 10);
    const unsigned char *end = at + kept.size - 22;
    assert_int_equal(number_at(end, 4), 0x06054b50);
    assert_int_equal(number_at(end + 8, 2), 2);
    assert_int_equal(number_at(end + 12, 4), kept.size - 22 - directory);
    assert_int_equal(number_at(end + 16, 4), directory);
}

static void dates_outside_of_the_format_are_its_first_and_last(void **state)
{
    (void)state;
    const int64_t dates[2] = {0, 253402300799};
    const uint32_t days[2] = {1 << 5 | 1, 127U << 9 | 12 << 5 | 31};
    for (int i = 0; i < 2; i++)
    {
        kept_bytes kept = {.size = 0};
        grz_sink sink = {.write = keep, .user = &kept};
        grz_zip zip = {.out = &sink, .time = grz_date_time_of(dates[i])};
        assert_int_equal(grz_zip_add(&zip, "x", "", 0), GRAZE_STATUS_OK);
        assert_int_equal(number_at(kept.bytes + 12, 2), days[i]);
        grz_zip_release(&zip);
    }
}

static bool drop(void *user, const char *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

static void too_many_entries_and_too_many_bytes_are_refused(void **state)
{
    (void)state;
    size_t written = 0;
    grz_sink sink = {.write = drop, .user = &written};
    grz_zip zip = {.out = &sink, .time = grz_date_time_of(0)};
    for (int i = 0; i < GRZ_ZIP_MOST_ENTRIES; i++)
        assert_int_equal(grz_zip_add(&zip, "x", "", 0), GRAZE_STATUS_OK);
    size_t before = written;
    assert_int_equal(grz_zip_add(&zip, "x", "", 0), GRAZE_STATUS_TOO_LARGE);
    assert_int_equal(written, before);
    assert_int_equal(grz_zip_end(&zip), GRAZE_STATUS_OK);
    zip.entries.count = 1;
    zip.offset = UINT32_MAX - 31; /* as after 4 GiB */
    before = written;
    assert_int_equal(grz_zip_add(&zip, "x", "a", 1), GRAZE_STATUS_TOO_LARGE);
    assert_int_equal(grz_zip_end(&zip), GRAZE_STATUS_TOO_LARGE);
    assert_int_equal(written, before);
    assert_int_equal(grz_zip_add(&zip, "x", "", 0), GRAZE_STATUS_OK); /* ends with the last byte that can be */
    assert_int_equal(zip.offset, UINT32_MAX);
    grz_zip_release(&zip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checksum_is_that_of_the_standard),
        cmocka_unit_test(entries_are_stored_and_listed_at_the_end),
        cmocka_unit_test(dates_outside_of_the_format_are_its_first_and_last),
        cmocka_unit_test(too_many_entries_and_too_many_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
