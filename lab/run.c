/* SPDX-License-Identifier: MIT */
/*
 * Runs a workload: see run.h. Engines are opened one after the other, so that the memory of one does not disturb the
 * next.
 */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const lab_question lab_questions[LAB_QUESTION_COUNT] = {LAB_ANY, LAB_ALL, LAB_BUILD, LAB_DISTANCE, LAB_CACHED};

const char *lab_question_name(lab_question question)
{
    switch (question)
    {
    case LAB_ALL:
        return "all";
    case LAB_BUILD:
        return "build";
    case LAB_DISTANCE:
        return "distance";
    case LAB_CACHED:
        return "cached";
    case LAB_FRAME:
        return "frame";
    default:
        return "any";
    }
}

enum
{
    SMALL_MESH = 1000
};

/* The state of a workload while it runs. */
typedef struct run
{
    const lab_workload *workload;
    const lab_options *options;
    lab_report *report;
    unsigned questions;
    lab_case c;
    lab_answers exact[LAB_QUESTION_COUNT];
} run;

double lab_pass_budget(const lab_options *options)
{
    return options->seconds > 0 ? 1e9 * options->seconds : options->quick ? 0.2e9 : 1.5e9;
}

/* At least one pose is swept, however long that takes. */
static double sweep_budget(const run *r)
{
    return 3 * lab_pass_budget(r->options);
}

bool lab_matches(const char *pattern, const char *text)
{
    if (*pattern == '*')
        return lab_matches(pattern + 1, text) || (*text != '\0' && lab_matches(pattern, text + 1));
    return *pattern == *text && (*pattern == '\0' || lab_matches(pattern + 1, text + 1));
}

void lab_workload_name(const lab_workload *workload, lab_question question, char out_name[96])
{
    bool single = (workload->questions & (workload->questions - 1)) == 0;
    snprintf(out_name, 96, "%s%s%s", workload->name, single ? "" : "/", single ? "" : lab_question_name(question));
}

bool lab_is_among(const char *patterns, const char *name)
{
    for (const char *rest = patterns; *rest != '\0';)
    {
        char pattern[64];
        size_t length = strcspn(rest, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, rest);
        if (lab_matches(pattern, name))
            return true;
        rest += length + (rest[length] == ',');
    }
    return false;
}

/* Peers that may be the best at these questions, chosen from runs with all of them, so that omitting the others
 * changes no comparison. Peers that move and refit a mesh for every query have a chance only if that mesh is small. */
static bool is_contender(const lab_peer *peer, const run *r)
{
    size_t a = graze_mesh_triangle_count(r->c.a), b = graze_mesh_triangle_count(r->c.b);
    if ((r->questions & LAB_BUILD) != 0)
        return lab_is_among("bullet,cgal,ode,embree,fcl-native-kdop18,fcl-native-obb", peer->name);
    if ((r->questions & LAB_DISTANCE) != 0)
        return lab_is_among("fcl-*rss", peer->name);
    if ((a < b ? a : b) < SMALL_MESH && lab_is_among("fcl-native-kdop*", peer->name))
        return true;
    return lab_is_among("fcl-obb,fcl-native-obb,fcl-native-obbrss,fcl-native-rss,ode,embree*", peer->name);
}

static bool is_wanted(const lab_peer *peer, const run *r)
{
    const char *peers = r->options->peers != NULL ? r->options->peers : r->options->quick ? "contenders" : "all";
    if (strcmp(peers, "contenders") == 0)
        return is_contender(peer, r);
    return strcmp(peers, "all") == 0 || lab_is_among(peers, peer->name);
}

static lab_row start_row(const run *r, const lab_engine *engine, lab_question question)
{
    lab_row row = {.what = r->workload->what,
                   .value = r->workload->value,
                   .question = question,
                   .engine = engine->peer->name,
                   .role = engine->peer == &lab_graze ? LAB_GRAZE : LAB_PEER,
                   .build_ns = engine->build_ns,
                   .bytes_per_triangle = engine->bytes_per_triangle,
                   .triangles = {graze_mesh_triangle_count(r->c.a), graze_mesh_triangle_count(r->c.b)}};
    lab_workload_name(r->workload, question, row.name);
    return row;
}

/* The poses at which the meshes collide. NULL when out of memory: then they are not shown. */
static bool *find_met(const lab_answers *exact)
{
    bool *met = malloc(exact->count * sizeof *met);
    for (size_t i = 0; met != NULL && i < exact->count; i++)
        met[i] = exact->found[i] > 0;
    return met;
}

/* Graze runs first: its answers, checked by the sweep, are the reference for the others. */
static bool run_query(run *r, const lab_engine *engine, int which)
{
    lab_question question = lab_questions[which];
    lab_answers *exact = &r->exact[which];
    bool is_graze = engine->peer == &lab_graze;
    if (is_graze && !lab_answers_make(exact, engine, &r->c, question, sweep_budget(r)))
        return false;
    lab_row row = start_row(r, engine, question);
    size_t stride = is_graze ? 1 : lab_times_stride(engine, &r->c, question, lab_pass_budget(r->options));
    row.agreement = lab_agreement_find(exact, engine, &r->c, stride);
    row.swept = exact->swept;
    if (is_graze)
    {
        row.cost = lab_graze_cost(engine, &r->c, question);
        row.met = find_met(exact);
    }
    if (row.agreement.gave_up > 0)
        return lab_report_add(r->report, &row);
    if (!lab_times_make(&row.times, engine, &r->c, question, stride, 2 * lab_pass_budget(r->options)))
    {
        lab_times_clear(&row.times);
        free(row.met);
        return false;
    }
    row.ns = row.times.ns_per_query;
    return lab_report_add(r->report, &row);
}

/* The best of several builds of both meshes; small and fast ones are repeated more often. */
static bool run_build(run *r, const lab_engine *engine)
{
    lab_row row = start_row(r, engine, LAB_BUILD);
    double used = engine->build_ns;
    row.ns = engine->build_ns;
    for (int i = 0; i < 2 || (i < 20 && used < lab_pass_budget(r->options)); i++)
    {
        lab_engine again;
        if (!lab_engine_open(&again, engine->peer, &r->c))
            return false;
        row.ns = fmin(row.ns, again.build_ns);
        used += again.build_ns;
        lab_engine_close(&again);
    }
    /* Both meshes are alike. */
    row.ns /= 2;
    row.build_ns = row.ns;
    if (engine->peer == &lab_graze)
        row.tree = lab_graze_examine(engine);
    return lab_report_add(r->report, &row);
}

static bool run_engine(run *r, const lab_peer *peer)
{
    lab_engine engine;
    bool done = lab_engine_open(&engine, peer, &r->c);
    for (int i = 0; done && i < LAB_QUESTION_COUNT; i++)
    {
        if ((r->questions & lab_questions[i]) == 0 || (lab_questions[i] == LAB_DISTANCE && peer->distance == NULL))
            continue;
        done = lab_questions[i] == LAB_BUILD ? run_build(r, &engine) : run_query(r, &engine, i);
    }
    lab_engine_close(&engine);
    if (!done)
        fprintf(stderr, "graze-lab: %s failed on %s\n", peer->name, r->workload->name);
    return done;
}

bool lab_run_workload(const lab_workload *workload, unsigned questions, const lab_options *options, lab_report *report)
{
    run r = {.workload = workload, .options = options, .report = report, .questions = questions};
    bool done = workload->make(workload, options->quick, &r.c);
    if (!done)
        fprintf(stderr, "graze-lab: %s could not be made\n", workload->name);
    done = done && run_engine(&r, &lab_graze);
    const lab_peer *peer;
    for (size_t i = 0; done && (peer = lab_peer_at(i)) != NULL; i++)
    {
        if (is_wanted(peer, &r) && (peer->place == NULL || workload->one_frame))
            run_engine(&r, peer);
    }
    for (int i = 0; i < LAB_QUESTION_COUNT; i++)
    {
        char name[96];
        lab_workload_name(workload, lab_questions[i], name);
        if (done && (questions & lab_questions[i]) != 0)
            lab_report_print_workload(report, name);
        lab_answers_clear(&r.exact[i]);
    }
    lab_case_clear(&r.c);
    return done;
}
