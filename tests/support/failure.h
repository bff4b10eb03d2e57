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

/* What a row says about its function; to be added up. */
enum
{
    ALLOCATES = 1, /* asks for memory, with the valid arguments */
    WRITES = 2,    /* writes its outputs also where it can only say that there is nothing */
    ONCE = 4       /* is not to be called again after it ran out of memory */
};

typedef struct failure_row
{
    const char *function;
    graze_status (*call)(void);
    int pointer_count;
    unsigned flags;
} failure_row;

/* The calls of one test. Outputs that calls write to lie within `outputs`; they must stay as they are on failure. */
typedef struct failure_table
{
    const failure_row *rows;
    size_t row_count;
    void (*set_up)(void);    /* makes what the calls work on, with failure.context; before every call */
    void (*tear_down)(void); /* and takes it away, with what a call has made */
    void *outputs;
    size_t outputs_size;
} failure_table;

/* What calls share with those who check them. */
typedef struct failure_state
{
    failing_allocator allocator;
    graze_context context;
    int missing;         /* the pointer that is NULL, or NOTHING */
    uint32_t seen, free; /* one bit for every pointer that was asked for, and for those that may be NULL */
    double answer;       /* what a call has found out, if that is a number */
} failure_state;

extern failure_state failure;

/* Whether a pointer is given. */
bool failure_given(int pointer, bool may_be_null);

#define NEED(number, pointer) (failure_given(number, false) ? (pointer) : NULL)
#define MAY(number, pointer) (failure_given(number, true) ? (pointer) : NULL)

/* A call of a function that returns a status; `then` is done when that is OK. */
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

/* A call of a function that returns something else. `sensible` says of `result` that it is not just empty, which it has
   to be where a pointer is NULL that may not be: that counts as BAD_ARGUMENT. */
#define VALUE(type, function, arguments, sensible)                                                                     \
    static graze_status call_##function(void)                                                                          \
    {                                                                                                                  \
        type result = function arguments;                                                                              \
        return (sensible) ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;                                               \
    }

/* A call of a function that returns nothing; `done` says whether it did what it is for. */
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

/* Each call once with everything, and once without each of its pointers: BAD_ARGUMENT, with all outputs as they were,
   or OK where the pointer may be NULL. */
void failure_check_nulls(const failure_table *table);

/* Each call, with everything and without each of the inner pointers that may be NULL, with 0, 1, 2, ... allocations
   until it succeeds. Those before fail with OUT_OF_MEMORY, leave all outputs as they were, and when called again give
   the answer of a call that never failed. Nothing leaks. */
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
