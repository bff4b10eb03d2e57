/* SPDX-License-Identifier: MIT */
/*
 * Checks of calls that take a budget: cancelled at every call of the progress function, and with budgets of box tests
 * that end anywhere. The call under test checks by itself that a failure leaves its results unchanged, and returns a
 * number that stands for its answer.
 */
#ifndef GRAZE_TESTS_BUDGET_CALLS_H
#define GRAZE_TESTS_BUDGET_CALLS_H

#include <stdio.h>

#include "graze/budget.h"
#include "graze/status.h"
#include "support/counting_allocator.h"
#include "support/unit.h"

typedef struct budget_call
{
    const char *name;
    graze_status (*run)(const void *user, const graze_budget *budget, uint64_t *out_answer);
    const void *user;
    uint64_t least_checks;               /* how often an undisturbed call must ask at least */
    const counting_allocator *allocator; /* of the call; may be NULL */
} budget_call;

typedef struct budget_canceller
{
    uint64_t calls, allowed;
    double share;
} budget_canceller;

static inline bool budget_cancel_later(void *user, double share)
{
    budget_canceller *c = user;
    assert_true(share >= c->share && share <= 1);
    c->share = share;
    return c->calls++ < c->allowed;
}

static inline void assert_released(const budget_call *call, long long live)
{
    if (call->allocator != NULL)
        assert_int_equal(call->allocator->live, live);
}

/* Runs the call without a budget, then cancels it at every call, or at ever more distant ones. */
static inline void cancel_everywhere(const budget_call *call)
{
    uint64_t expected = 0, answer = 0, cancelled = 0;
    assert_int_equal(call->run(call->user, NULL, &expected), GRAZE_STATUS_OK); /* a scene may keep what it derived */
    long long live = call->allocator != NULL ? (long long)call->allocator->live : 0;
    assert_int_equal(call->run(call->user, NULL, &answer), GRAZE_STATUS_OK);
    assert_int_equal(answer, expected);
    assert_released(call, live);
    for (uint64_t allowed = 0;; allowed += 1 + allowed / 8)
    {
        budget_canceller c = {0, allowed, 0};
        const graze_budget budget = {.progress = budget_cancel_later, .progress_user = &c};
        graze_status status = call->run(call->user, &budget, &answer);
        assert_released(call, live);
        if (status == GRAZE_STATUS_OK)
        {
            print_message("%s: %llu checks, the last at %.2f, cancelled %llu times\n", call->name,
                          (unsigned long long)c.calls, c.share, (unsigned long long)cancelled);
            assert_true(answer == expected && c.calls <= allowed && c.calls >= call->least_checks);
            return;
        }
        assert_int_equal(status, GRAZE_STATUS_CANCELLED);
        assert_int_equal(c.calls, allowed + 1);
        cancelled++;
    }
}

/* Returns how often the budget did not suffice. */
static inline unsigned end_anywhere(const budget_call *call)
{
    long long live = call->allocator != NULL ? (long long)call->allocator->live : 0;
    uint64_t expected = 0, answer = 0;
    unsigned unfinished = 0;
    assert_int_equal(call->run(call->user, NULL, &expected), GRAZE_STATUS_OK);
    for (uint64_t boxes = 1;; boxes += 1 + boxes / 4)
    {
        const graze_budget budget = {.box_tests = boxes};
        graze_status status = call->run(call->user, &budget, &answer);
        assert_released(call, live);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_UNFINISHED);
        unfinished++;
    }
    assert_true(answer == expected);
    const graze_budget no_time = {.seconds = 1e-9};
    graze_status status = call->run(call->user, &no_time, &answer);
    assert_released(call, live);
    assert_true(status == GRAZE_STATUS_UNFINISHED || (status == GRAZE_STATUS_OK && call->least_checks == 0));
    print_message("%s: unfinished %u times\n", call->name, unfinished);
    return unfinished;
}

#endif
