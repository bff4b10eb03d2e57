/* SPDX-License-Identifier: MIT */
/* Flights in a cage; see cage.h. */
#include "literature/cage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"
#include "workload.h"

enum
{
    FLIGHT = 250 /* frames */
};

typedef struct cage_body
{
    double place[3], velocity[3], axis[3], angle, spin;
} cage_body;

static cage_body start(grz_random *random, double half)
{
    cage_body body = {.angle = 0, .spin = 0.05};
    double length = 0, along = 0;
    for (int i = 0; i < 3; i++)
    {
        body.place[i] = grz_random_between(random, -half, half);
        body.velocity[i] = grz_random_between(random, -1, 1);
        body.axis[i] = grz_random_between(random, -1, 1);
        length += body.velocity[i] * body.velocity[i];
        along += body.axis[i] * body.axis[i];
    }
    for (int i = 0; i < 3; i++)
        body.velocity[i] *= 0.02 / sqrt(length);
    if (along < 1e-3)
        body.axis[0] = 1;
    return body;
}

static void move(cage_body *body, double half)
{
    body->angle += body->spin;
    for (int i = 0; i < 3; i++)
    {
        body->place[i] += body->velocity[i];
        if (fabs(body->place[i]) > half)
            body->velocity[i] = copysign(body->velocity[i], -body->place[i]);
    }
}

static void reverse(cage_body *body)
{
    body->spin = -body->spin;
    for (int i = 0; i < 3; i++)
        body->velocity[i] = -body->velocity[i];
}

/* A flight that is being recorded. */
typedef struct recording
{
    cage_flight *flight;
    cage_question question;
    graze_tree *trees[CAGE_MOST_BODIES];
    cage_body bodies[CAGE_MOST_BODIES];
    bool reversed[CAGE_MOST_BODIES]; /* in this frame */
} recording;

/* Whether two bodies collide. Two in [-1, 1]^3 do not where their origins are 2 * sqrt(3) apart. */
static bool ask(const recording *r, size_t frame, size_t a, size_t b, bool *out_collide)
{
    const cage_flight *flight = r->flight;
    const graze_pose *poses[2] = {cage_pose(flight, frame, a), cage_pose(flight, frame, b)};
    const graze_placed_mesh placed[2] = {{flight->meshes[a], r->trees[a], *poses[0]},
                                         {flight->meshes[b], r->trees[b], *poses[1]}};
    double apart_sq = 0;
    for (int i = 3; i < 12; i += 4)
        apart_sq += (poses[0]->m[i] - poses[1]->m[i]) * (poses[0]->m[i] - poses[1]->m[i]);
    *out_collide = false;
    if (r->question == CAGE_NOTHING || (b < flight->flying && apart_sq > 12.1))
        return true;
    if (r->question == CAGE_SURFACES)
        return graze_pair_any(NULL, &placed[0], &placed[1], NULL, out_collide, NULL) == GRAZE_STATUS_OK;
    graze_solid_answer answer;
    bool done = graze_pair_containment(NULL, &placed[0], &placed[1], NULL, &answer) == GRAZE_STATUS_OK;
    *out_collide = done && answer.collide;
    return done;
}

/* All pairs of a frame; flying bodies that were apart before are reversed. */
static bool record_pairs(recording *r, size_t frame)
{
    cage_flight *flight = r->flight;
    bool done = true;
    memset(r->reversed, 0, sizeof r->reversed);
    for (size_t a = 0; done && a < flight->flying; a++)
        for (size_t b = a + 1; done && b < flight->bodies; b++)
        {
            bool *collide = &flight->collide[frame * flight->pairs + cage_pair(flight, a, b)];
            done = ask(r, frame, a, b, collide);
            if (!*collide || (frame > 0 && cage_collide(flight, frame - 1, a, b)))
                continue;
            if (!r->reversed[a])
                reverse(&r->bodies[a]);
            if (b < flight->flying && !r->reversed[b])
                reverse(&r->bodies[b]);
            r->reversed[a] = r->reversed[b] = true;
        }
    return done;
}

static bool record_frames(recording *r, double edge)
{
    cage_flight *flight = r->flight;
    grz_random random = grz_random_make(1994);
    bool done = true;
    for (size_t f = 0; done && f < flight->frames; f++)
    {
        for (size_t i = 0; done && i < flight->bodies; i++)
        {
            cage_body *body = &r->bodies[i];
            graze_pose *pose = &flight->poses[f * flight->bodies + i];
            *pose = graze_pose_identity();
            if (i >= flight->flying)
                continue;
            if (f % FLIGHT == 0)
                *body = start(&random, edge);
            move(body, edge);
            done = graze_pose_from_axis_angle(body->axis, body->angle, body->place, pose) == GRAZE_STATUS_OK;
        }
        done = done && record_pairs(r, f);
    }
    return done;
}

static void end(recording *r)
{
    for (size_t i = 0; r != NULL && i < r->flight->bodies; i++)
        if (i == 0 || r->trees[i] != r->trees[i - 1])
            graze_tree_destroy(r->trees[i]);
    free(r);
}

/* Prepares a recording; the caller ends it in any case. */
static recording *begin(cage_flight *flight, cage_question question)
{
    recording *r = calloc(1, sizeof *r);
    bool done = r != NULL;
    if (done)
    {
        r->flight = flight;
        r->question = question;
    }
    for (size_t i = 0; done && i < flight->bodies; i++)
    {
        if (i == 0 || flight->meshes[i] != flight->meshes[i - 1])
            done = graze_tree_create(NULL, flight->meshes[i], NULL, NULL, &r->trees[i]) == GRAZE_STATUS_OK;
        else
            r->trees[i] = r->trees[i - 1];
    }
    if (!done && r != NULL)
        end(r);
    return done ? r : NULL;
}

bool cage_record(const graze_mesh **meshes, size_t bodies, size_t flying, double edge, size_t frames,
                 cage_question question, cage_flight *out)
{
    *out = (cage_flight){.meshes = meshes, .bodies = bodies, .flying = flying, .frames = frames};
    if (bodies > CAGE_MOST_BODIES || flying == 0)
        return false;
    out->pairs = cage_pair(out, flying - 1, bodies - 1) + (flying < bodies || flying > 1 ? 1 : 0);
    out->poses = malloc(frames * bodies * sizeof *out->poses);
    out->collide = calloc(frames * out->pairs, sizeof *out->collide);
    recording *r = begin(out, question);
    bool done = out->poses != NULL && out->collide != NULL && r != NULL && record_frames(r, edge);
    end(r);
    return done;
}

bool cage_answer(cage_flight *flight, cage_question question)
{
    recording *r = begin(flight, question);
    bool done = r != NULL;
    for (size_t f = 0; done && f < flight->frames; f++)
        done = record_pairs(r, f);
    end(r);
    return done;
}

void cage_clear(cage_flight *flight)
{
    free(flight->poses);
    free(flight->collide);
    *flight = (cage_flight){0};
}

static void add_counters(graze_method_counters *sum, const graze_method_counters *more)
{
    uint64_t numbers[sizeof *sum / sizeof(uint64_t)], added[sizeof *sum / sizeof(uint64_t)];
    memcpy(numbers, sum, sizeof numbers);
    memcpy(added, more, sizeof added);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        numbers[i] += added[i];
    memcpy(sum, numbers, sizeof numbers);
}

static bool replay_frame(const cage_flight *flight, graze_method_body *const *bodies, size_t frame, cage_cost *out)
{
    bool done = true;
    for (size_t a = 0; done && a < flight->flying; a++)
        for (size_t b = a + 1; done && b < flight->bodies; b++)
        {
            const graze_placed_method_body placed[2] = {{bodies[a], *cage_pose(flight, frame, a)},
                                                        {bodies[b], *cage_pose(flight, frame, b)}};
            graze_method_counters counters;
            graze_method_options options = graze_method_options_default();
            options.counters = &counters;
            graze_method_answer answer;
            done = graze_method_any(NULL, &placed[0], &placed[1], &options, &answer) == GRAZE_STATUS_OK;
            if (!done)
                break;
            bool truth = cage_collide(flight, frame, a, b), guess = answer.guess == GRAZE_VERDICT_YES;
            out->queries++;
            out->collisions += truth;
            out->false_collisions += guess && !truth;
            out->missed += truth && !guess;
            add_counters(&out->counters, &counters);
        }
    return done;
}

bool cage_replay(const cage_flight *flight, const char *method, const graze_method_parameters *parameters,
                 size_t frames, cage_cost *out)
{
    graze_method_body *bodies[CAGE_MOST_BODIES] = {NULL};
    bool done = true;
    *out = (cage_cost){.least = INFINITY};
    for (size_t i = 0; done && i < flight->bodies; i++)
        done = graze_method_body_create(NULL, method, flight->meshes[i], parameters, &bodies[i]) == GRAZE_STATUS_OK;
    for (size_t f = 0; done && f < frames; f++)
    {
        double from = lab_cpu_now();
        done = replay_frame(flight, bodies, f, out);
        double ns = lab_cpu_now() - from;
        out->mean += ns / (double)frames;
        out->least = fmin(out->least, ns);
        out->most = fmax(out->most, ns);
    }
    for (size_t i = 0; i < flight->bodies; i++)
        graze_method_body_destroy(bodies[i]);
    return done;
}
