/* SPDX-License-Identifier: MIT */
/*
 * Calls that go wrong: every public function with every pointer NULL in turn, and with every allocation failing in
 * turn. A test in tests/failure makes a table of calls with valid arguments, one for every function of some headers,
 * in which each pointer says its number and whether it may be NULL:
 *
 *     CALL(graze_tree_save, (NEED(0, world.tree), NEED(1, world.bytes), sizeof world.bytes), (void)0)
 *
 *     static const failure_row rows[] = {ROW(graze_tree_save, 2, 0), ...};
 *
 * Numbers below INNER are the function's own pointers, of which ROW says how many there are; those from INNER on are
 * pointers within the structures they lead to. scripts/check_failures.py compares the rows with the headers.
 */
#ifndef GRAZE_TESTS_FAILURE_H
#define GRAZE_TESTS_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/status.h"
#include "support/failing_allocator.h"

enum
{
    INNER = 10,
    NOTHING = -1
};

/* Properties of a row's function; flags. */
enum
{
    ALLOCATES = 1, /* allocates memory with the valid arguments */
    WRITES = 2,    /* writes its outputs also when there is nothing to report */
    ONCE = 4       /* must not be called again after it ran out of memory */
};

typedef struct failure_row
{
    const char *function;
    graze_status (*call)(void);
    int pointer_count;
    unsigned flags;
} failure_row;

/* The calls of one test. Outputs of the calls lie within `outputs`; they must not change on failure. */
typedef struct failure_table
{
    const failure_row *rows;
    size_t row_count;
    void (*set_up)(void);    /* creates the objects of the calls, with failure.context; before every call */
    void (*tear_down)(void); /* destroys them, with everything a call has made */
    void *outputs;
    size_t outputs_size;
} failure_table;

/* State shared by calls and checks. */
typedef struct failure_state
{
    failing_allocator allocator;
    graze_context context;
    int missing;         /* the pointer that is NULL, or NOTHING */
    uint32_t seen, free; /* one bit for every pointer that was asked for, and for those that may be NULL */
    double answer;       /* the result of a call, if it is a number */
} failure_state;

extern failure_state failure;

/* Whether a pointer is passed. */
bool failure_given(int pointer, bool may_be_null);

#define NEED(number, pointer) (failure_given(number, false) ? (pointer) : NULL)
#define MAY(number, pointer) (failure_given(number, true) ? (pointer) : NULL)

/* A call of a function that returns a status; `then` is executed when that is OK. */
#define CALL(function, arguments, then)                                                                                \
    static graze_status call_##function(void)                                                                          \
    {                                                                                                                  \
        graze_status status = function arguments;                                                                      \
        if (status == GRAZE_STATUS_OK)                                                                                 \
        {                                                                                                              \
            then;                                                                                                      \
        }                                                                                                              \
        return status;                                                                                                 \
    }

/* A call of a function that returns something else. `sensible` says whether `result` is not just empty, which it must
 * be when a required pointer is NULL: that counts as BAD_ARGUMENT. */
#define VALUE(type, function, arguments, sensible)                                                                     \
    static graze_status call_##function(void)                                                                          \
    {                                                                                                                  \
        type result = function arguments;                                                                              \
        return (sensible) ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;                                               \
    }

/* A call of a function that returns nothing; `done` says whether it had its effect. */
#define DOES(function, arguments, done)                                                                                \
    static graze_status call_##function(void)                                                                          \
    {                                                                                                                  \
        function arguments;                                                                                            \
        return (done) ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;                                                   \
    }

#define ROW(function, pointer_count, flags)                                                                            \
    {                                                                                                                  \
#function, call_##function, pointer_count, flags                                                               \
    }

/* Calls each function once with all pointers, and once without each: BAD_ARGUMENT with all outputs unchanged, or OK if
 * the pointer may be NULL. */
void failure_check_nulls(const failure_table *table);

/* Calls each function, with all pointers and without each inner pointer that may be NULL, with 0, 1, 2, ... allocations
 * until it succeeds. Earlier calls fail with OUT_OF_MEMORY, leave all outputs unchanged, and when called again give the
 * answer of a call that never failed. Nothing leaks. */
void failure_check_allocations(const failure_table *table);

/* Both as a program over `rows`, with set_up and tear_down, between the group fixtures `before` and `after`. */
#define FAILURE_TESTS(rows, out, before, after)                                                                        \
    static const failure_table table = {rows, sizeof rows / sizeof rows[0], set_up, tear_down, &out, sizeof out};      \
                                                                                                                       \
    static void null_pointers_are_refused_or_mean_what_their_comment_says(void **state)                                \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        failure_check_nulls(&table);                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    static void every_allocation_may_fail(void **state)                                                                \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        failure_check_allocations(&table);                                                                             \
    }                                                                                                                  \
                                                                                                                       \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const struct CMUnitTest tests[] = {                                                                            \
            cmocka_unit_test(null_pointers_are_refused_or_mean_what_their_comment_says),                               \
            cmocka_unit_test(every_allocation_may_fail),                                                               \
        };                                                                                                             \
        return cmocka_run_group_tests(tests, before, after);                                                           \
    }

#endif
