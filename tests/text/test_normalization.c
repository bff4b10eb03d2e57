/* SPDX-License-Identifier: MIT */
/* Unicode normal form C: known cases of every kind, and all entries of the tables. That the tables and the algorithm
 * agree with another implementation was checked with Python's unicodedata on all code points and random texts. */
#include <stdlib.h>
#include <string.h>

#include "support/random.h"
#include "support/unit.h"
#include "text/normalization.h"
#include "text/normalization_tables.h"

static void expect(const char *text, const char *normal)
{
    char *made = grz_nfc(NULL, text);
    assert_non_null(made);
    assert_string_equal(made, normal);
    free(made);
}

static void texts_are_composed(void **state)
{
    (void)state;
    static const struct
    {
        const char *text, *normal;
    } cases[] = {
        {"", ""},
        {"plain/name#2", "plain/name#2"},
        {"caf\u00e9", "caf\u00e9"},
        {"cafe\u0301", "caf\u00e9"},
        {"A\u030aB", "\u00c5B"},
        {"\u212b", "\u00c5"},              /* the unit is the letter */
        {"s\u0323\u0307", "\u1e69"},       /* two marks */
        {"s\u0307\u0323", "\u1e69"},       /* in any order, since their classes differ */
        {"\u1e0b\u0323", "\u1e0d\u0307"},  /* a mark that comes before one that was composed */
        {"a\u0301\u0301", "\u00e1\u0301"}, /* equal classes: only the first composes */
        {"\u0301a", "\u0301a"},            /* a mark without a starter */
        {"\u0340", "\u0300"},              /* a singleton */
        {"\u0344", "\u0308\u0301"},        /* excluded from composition */
        {"\u0958", "\u0915\u093c"},        /* likewise */
        {"\u1100\u1161", "\uac00"},        /* Hangul: lead and vowel */
        {"\u1100\u1161\u11a8", "\uac01"},  /* with a tail */
        {"\uac00\u11a8", "\uac01"},
        {"\uac01\u11a8", "\uac01\u11a8"}, /* one tail at most */
        {"\u1fed\u0313", "\u1fed\u0313"}, /* equal classes keep their order */
        {"\u0b47\u0b3e", "\u0b4b"},       /* two starters */
        {"\xff"
         "e\u0301\xcc",
         "\xff\u00e9\xcc"},             /* bytes that are no UTF-8 stay */
        {"e\xff\u0301", "e\xff\u0301"}, /* and nothing composes over them */
        {"\U0001d15e", "\U0001d157\U0001d165"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(cases[i].text, cases[i].normal);
}

static size_t put(uint32_t code, char *out)
{
    if (code < 0x80)
    {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((length == 2 ? 0xc0 : length == 3 ? 0xe0 : 0xf0) | code);
    return length;
}

/* A decomposition has the normal form of what it decomposes; where it is undone, that is the code point itself. */
static void decompositions_have_the_normal_form_of_the_whole(void **state)
{
    (void)state;
    size_t undone = 0;
    for (size_t i = 0; i < grz_decomposition_count; i++)
    {
        const grz_decomposition *entry = &grz_decompositions[i];
        char whole[8] = "", parts[16] = "";
        put(entry->code, whole);
        size_t size = put(entry->first, parts);
        if (entry->second != 0)
            put(entry->second, parts + size);
        char *one = grz_nfc(NULL, whole), *other = grz_nfc(NULL, parts);
        assert_string_equal(one, other);
        undone += strcmp(one, whole) == 0;
        free(one);
        free(other);
    }
    assert_int_equal(undone, grz_composition_count);
}

/* The normal form of a normal form is itself; and marks in the order of the text or sorted have the same one. */
static void normal_forms_are_fixed_and_do_not_depend_on_the_order_of_marks(void **state)
{
    (void)state;
    static const uint32_t above[] = {0x300, 0x301, 0x308}, below[] = {0x323, 0x331, 0x327};
    test_random random = test_random_start("normal_forms_are_fixed_and_do_not_depend_on_the_order_of_marks", 7);
    size_t changed = 0;
    for (int n = 0; n < 2000; n++)
    {
        char one[64] = "", other[64] = "", letter = (char)('a' + random_below(&random, 26));
        size_t a = put((uint32_t)letter, one), b = put((uint32_t)letter, other);
        uint32_t high = above[random_below(&random, 3)], low = below[random_below(&random, 3)];
        a += put(high, one + a);
        put(low, one + a);
        b += put(low, other + b);
        put(high, other + b);
        char *normal = grz_nfc(NULL, one), *same = grz_nfc(NULL, other), *again = grz_nfc(NULL, normal);
        assert_string_equal(normal, same);
        assert_string_equal(normal, again);
        changed += strcmp(normal, one) != 0;
        free(normal);
        free(same);
        free(again);
    }
    assert_true(changed > 1000);
}

/* 200,000 marks of falling classes: sorted by counting, not by moving each past all others. */
static void long_runs_of_marks_take_linear_time(void **state)
{
    (void)state;
    const size_t half = 100000;
    char *text = malloc(4 * half + 2), *sorted = malloc(4 * half + 2);
    assert_true(text != NULL && sorted != NULL);
    text[0] = sorted[0] = 'q';
    for (size_t i = 0; i < 2 * half; i++)
    {
        put(i < half ? 0x301 : 0x323, text + 1 + 2 * i);
        put(i < half ? 0x323 : 0x301, sorted + 1 + 2 * i);
    }
    text[4 * half + 1] = sorted[4 * half + 1] = '\0';
    expect(text, sorted);
    free(text);
    free(sorted);
}

static void texts_below_the_first_mark_are_known_to_be_normal(void **state)
{
    (void)state;
    assert_true(grz_is_surely_nfc(""));
    assert_true(grz_is_surely_nfc("caf\u00e9 \u02ff"));
    assert_false(grz_is_surely_nfc("\u0300"));
    assert_false(grz_is_surely_nfc("a\uac00"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_composed),
        cmocka_unit_test(decompositions_have_the_normal_form_of_the_whole),
        cmocka_unit_test(normal_forms_are_fixed_and_do_not_depend_on_the_order_of_marks),
        cmocka_unit_test(long_runs_of_marks_take_linear_time),
        cmocka_unit_test(texts_below_the_first_mark_are_known_to_be_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
