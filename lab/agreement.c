/* SPDX-License-Identifier: MIT */
/*
 * Reference answers, and comparison with them.
 */
#include "agreement.h"

#include <stdlib.h>
#include <string.h>

static int compare_pairs(const void *first, const void *second)
{
    const lab_pair *x = first, *y = second;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

void lab_pairs_sort(lab_pairs *pairs)
{
    if (pairs->count > 1)
        qsort(pairs->data, pairs->count, sizeof *pairs->data, compare_pairs);
}

/* Queries one pose; the pairs are sorted. */
static uint64_t query(const lab_engine *engine, const lab_case *c, size_t pose, lab_question question, lab_pairs *pairs)
{
    pairs->count = 0;
    lab_engine_place(engine, c, pose);
    uint64_t found = lab_engine_query(engine, c, pose, question, pairs);
    lab_pairs_sort(pairs);
    return found;
}

/* Replaces the answers at evenly spaced poses by those of the brute-force sweep, beginning in the middle, until the
 * time is up. */
static bool sweep(lab_answers *answers, const lab_case *c, double sweep_ns)
{
    lab_engine engine;
    if (!lab_engine_open(&engine, &lab_graze_sweep, c))
        return false;
    lab_pairs none = {0};
    double start = lab_cpu_now(), used = 0;
    size_t stride = 1;
    for (size_t queried = 0; queried * stride < c->count && (queried == 0 || used < sweep_ns); queried++)
    {
        size_t i = (c->count / 2 + queried * stride) % c->count;
        answers->found[i] =
            query(&engine, c, i, answers->question, answers->pairs != NULL ? &answers->pairs[i] : &none);
        answers->swept++;
        used = lab_cpu_now() - start;
        if (queried == 0)
            stride = (size_t)((double)c->count * used / sweep_ns) + 1;
    }
    lab_engine_close(&engine);
    return true;
}

bool lab_answers_make(lab_answers *answers, const lab_engine *graze, const lab_case *c, lab_question question,
                      double sweep_ns)
{
    *answers = (lab_answers){.question = question, .count = c->count};
    answers->found = calloc(c->count, sizeof *answers->found);
    answers->pairs = question == LAB_ALL ? calloc(c->count, sizeof *answers->pairs) : NULL;
    if (answers->found == NULL || (question == LAB_ALL && answers->pairs == NULL))
        return false;
    lab_pairs none = {0};
    for (size_t i = 0; i < c->count; i++)
        answers->found[i] = query(graze, c, i, question, answers->pairs != NULL ? &answers->pairs[i] : &none);
    return sweep(answers, c, sweep_ns);
}

void lab_answers_clear(lab_answers *answers)
{
    for (size_t i = 0; answers->pairs != NULL && i < answers->count; i++)
        free(answers->pairs[i].data);
    free(answers->pairs);
    free(answers->found);
    *answers = (lab_answers){0};
}

void lab_pairs_compare(const lab_pairs *exact, const lab_pairs *other, lab_agreement *agreement)
{
    size_t i = 0, k = 0;
    while (i < exact->count || k < other->count)
    {
        int order = i == exact->count ? 1 : k == other->count ? -1 : compare_pairs(&exact->data[i], &other->data[k]);
        agreement->missing += order < 0;
        agreement->extra += order > 0;
        i += order <= 0;
        k += order >= 0;
    }
}

lab_agreement lab_agreement_find(const lab_answers *exact, const lab_engine *engine, const lab_case *c, size_t stride)
{
    lab_agreement agreement = {0};
    lab_pairs pairs = {0};
    for (size_t i = 0; i < c->count; i += stride)
    {
        lab_agreement before = agreement;
        uint64_t found = query(engine, c, i, exact->question, &pairs);
        agreement.checked++;
        if (found == LAB_GAVE_UP)
        {
            agreement.gave_up++;
            found = 0;
        }
        agreement.hits += found > 0;
        agreement.misjudged += (found > 0) != (exact->found[i] > 0);
        agreement.pairs += found;
        if (exact->question == LAB_DISTANCE)
        {
            agreement.missing += found > exact->found[i] + LAB_DISTANCE_SLACK; /* too far: a closer pair was missed */
            agreement.extra += found + LAB_DISTANCE_SLACK < exact->found[i];
        }
        else if (exact->pairs != NULL)
            lab_pairs_compare(&exact->pairs[i], &pairs, &agreement);
        else
        {
            agreement.missing += found == 0 && exact->found[i] != 0;
            agreement.extra += found != 0 && exact->found[i] == 0;
        }
        if (exact->question == LAB_DISTANCE) /* a wrong distance is a wrong answer as a whole */
            agreement.misjudged = agreement.missing + agreement.extra;
        agreement.wrong += agreement.missing != before.missing || agreement.extra != before.extra;
    }
    free(pairs.data);
    return agreement;
}
