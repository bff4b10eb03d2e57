/* SPDX-License-Identifier: MIT */
/* Structs that have grown: the fields a caller has are taken, the others have their defaults. */
#include "base/struct_size.h"

#include "support/unit.h"

/* A struct whose third version the library knows. */
typedef struct toy_options
{
    size_t struct_size;
    unsigned char first;
    double second;
    int third[5];
} toy_options;

#define GRZ_LAST_OF_toy_options first

static toy_options toy_options_default(void)
{
    toy_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.first = 1;
    options.second = 2;
    options.third[0] = options.third[4] = 3;
    return options;
}

/* As a function of the library takes it. */
static bool take(const void *given, toy_options *out_options)
{
    const toy_options *options = given;
    GRZ_FULL_STRUCT(toy_options, options);
    if (options_fits)
        *out_options = options != NULL ? *options : toy_options_default();
    return options_fits;
}

static toy_options all_sevens(void)
{
    toy_options options = toy_options_default();
    options.first = 7;
    options.second = 7;
    for (int i = 0; i < 5; i++)
        options.third[i] = 7;
    return options;
}

static void fields_that_a_caller_does_not_have_get_their_defaults(void **state)
{
    (void)state;
    toy_options given = all_sevens(), taken;
    size_t first = GRZ_FIRST_SIZE(toy_options), second = GRZ_SIZE_UP_TO(toy_options, second);
    assert_int_equal(first, 2 * sizeof(size_t));
    given.struct_size = first;
    assert_true(take(&given, &taken));
    assert_int_equal(taken.struct_size, sizeof taken);
    assert_int_equal(taken.first, 7);
    assert_true(taken.second == 2);
    assert_int_equal(taken.third[0], 3);
    assert_int_equal(taken.third[4], 3);

    given.struct_size = second;
    assert_true(take(&given, &taken));
    assert_int_equal(taken.first, 7);
    assert_true(taken.second == 7);
    assert_int_equal(taken.third[0], 3);

    given.struct_size = sizeof given;
    assert_true(take(&given, &taken));
    assert_int_equal(taken.third[4], 7);
}

static void no_struct_at_all_means_the_defaults(void **state)
{
    (void)state;
    toy_options taken = all_sevens();
    assert_true(take(NULL, &taken));
    assert_int_equal(taken.first, 1);
}

static void sizes_below_the_first_and_unknown_fields_are_refused(void **state)
{
    (void)state;
    struct
    {
        toy_options options;
        unsigned char further[GRZ_MOST_FURTHER_BYTES + 1];
    } given = {.options = all_sevens()};
    toy_options taken;
    for (size_t size = 0; size < GRZ_FIRST_SIZE(toy_options); size++)
    {
        given.options.struct_size = size;
        assert_false(take(&given, &taken));
    }
    given.options.struct_size = sizeof(toy_options) + GRZ_MOST_FURTHER_BYTES;
    assert_true(take(&given, &taken));
    assert_int_equal(taken.third[4], 7);
    given.options.struct_size++;
    assert_false(take(&given, &taken));
    given.options.struct_size = sizeof(toy_options) + 8;
    given.further[7] = 1;
    assert_false(take(&given, &taken));
    given.options.struct_size--;
    assert_true(take(&given, &taken));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_that_a_caller_does_not_have_get_their_defaults),
        cmocka_unit_test(no_struct_at_all_means_the_defaults),
        cmocka_unit_test(sizes_below_the_first_and_unknown_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
