/* SPDX-License-Identifier: MIT */
/*
 * The cage of Zachmann 1994: bodies in [-1, 1]^3 fly straight and spin evenly; those that collide are reversed, and all
 * are reflected so that their origins stay in a cube. A flight is recorded once, with the engine's answers, and
 * replayed to every method. Steps are 0.02 and 0.05 rad; the thesis gives none. Reversed, a flight goes back the way it
 * came, to and fro between two collisions, so a new one begins every 250 frames.
 */
#ifndef LAB_LITERATURE_CAGE_H
#define LAB_LITERATURE_CAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "graze/graze.h"

enum
{
    CAGE_MOST_BODIES = 512
};

typedef struct cage_flight
{
    const graze_mesh **meshes; /* the caller's */
    size_t bodies, flying;     /* the first so many fly, the others stay where they are made */
    size_t frames, pairs;      /* pairs of which at least one flies */
    graze_pose *poses;         /* of every body in every frame */
    bool *collide;             /* every pair in every frame, in the order of cage_pair */
} cage_flight;

/* What is asked of the engine. */
typedef enum cage_question
{
    CAGE_SURFACES,
    CAGE_BODIES, /* solids */
    CAGE_NOTHING /* nobody collides */
} cage_question;

/* Records a flight; `edge` is the side of the cube for the origins in body sides, which are 2. Cleared by the caller in
   any case. */
bool cage_record(const graze_mesh **meshes, size_t bodies, size_t flying, double edge, size_t frames,
                 cage_question question, cage_flight *out);
/* Asks the engine again, after poses were changed. */
bool cage_answer(cage_flight *flight, cage_question question);
void cage_clear(cage_flight *flight);

static inline const graze_pose *cage_pose(const cage_flight *flight, size_t frame, size_t body)
{
    return &flight->poses[frame * flight->bodies + body];
}

/* The number of a pair of bodies, a < b, a flying. */
static inline size_t cage_pair(const cage_flight *flight, size_t a, size_t b)
{
    return a * flight->bodies - a * (a + 1) / 2 + b - a - 1;
}

static inline bool cage_collide(const cage_flight *flight, size_t frame, size_t a, size_t b)
{
    return flight->collide[frame * flight->pairs + cage_pair(flight, a, b)];
}

/* What a method makes of the first frames of a flight, all pairs. */
typedef struct cage_cost
{
    double mean, least, most; /* nanoseconds a frame */
    double queries, collisions;
    double false_collisions, missed; /* by the method's guesses */
    graze_method_counters counters;  /* in sum */
} cage_cost;

bool cage_replay(const cage_flight *flight, const char *method, const graze_method_parameters *parameters,
                 size_t frames, cage_cost *out);

#endif
