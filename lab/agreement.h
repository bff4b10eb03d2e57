/* SPDX-License-Identifier: MIT */
/*
 * Correctness before time: the exact answers at every pose, and the difference of an engine's answers from them.
 */
#ifndef LAB_AGREEMENT_H
#define LAB_AGREEMENT_H

#include "engine.h"

/* Answers at all poses of a case to one question. */
typedef struct lab_answers
{
    lab_question question;
    size_t count;     /* number of poses */
    uint64_t *found;  /* by pose: 0 or 1, or the number of pairs */
    lab_pairs *pairs; /* by pose, sorted; NULL unless all pairs were asked for */
    size_t swept;     /* number of poses whose answers come from the exact sweep */
} lab_answers;

/* Stores Graze's answers, and at evenly spaced poses those of the exact sweep, as many as `sweep_ns` allows (at least
 * one). `graze` is open. False when out of memory. */
bool lab_answers_make(lab_answers *answers, const lab_engine *graze, const lab_case *c, lab_question question,
                      double sweep_ns);
void lab_answers_clear(lab_answers *answers);

/* By (a, b). */
void lab_pairs_sort(lab_pairs *pairs);

typedef struct lab_agreement
{
    size_t checked, wrong; /* poses */
    size_t misjudged; /* of the wrong ones: those where it is wrong about whether the meshes collide at all; of frames,
                         those in which it misses a pair */
    uint64_t hits;    /* poses at which the engine found a collision */
    uint64_t pairs;   /* number of pairs found */
    size_t gave_up;   /* poses at which the engine gave up */
    uint64_t missing, extra; /* pairs, or hits if only `any` was asked */
} lab_agreement;

/* Counts missing and extra pairs of a sorted list, compared with the exact one. */
void lab_pairs_compare(const lab_pairs *exact, const lab_pairs *other, lab_agreement *agreement);

/* Queries the engine at every stride-th pose and compares. */
lab_agreement lab_agreement_find(const lab_answers *exact, const lab_engine *engine, const lab_case *c, size_t stride);

#endif
