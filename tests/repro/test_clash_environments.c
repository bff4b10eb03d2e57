/* SPDX-License-Identifier: MIT */
/*
 * Clash detection computed AABBs, and compared them, in the caller's floating-point environment: with denormals
 * flushed, bodies that overlap by a denormal number touched, and parts of tiny meshes under large poses were not
 * candidates at all. The report must be the same in every environment, with threads as well.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/clash.h"
#include "graze/tasks.h"
#include "support/environment.h"
#include "support/unit.h"

#include "../clash/clash_meshes.h"

enum
{
    PAIRS = 7
};

#define DENORMAL 0x1p-1060

typedef struct assembly
{
    graze_mesh *meshes[2 * PAIRS];
    graze_clash_part parts[2 * PAIRS];
} assembly;

static graze_mesh *cube(double x, double size)
{
    return box_between(x, 0, 0, x + size, size, size);
}

/* Pairs of parts, each far from the others. */
static assembly make_assembly(void)
{
    static const char *const names[2 * PAIRS] = {"a0", "b0", "a1", "b1", "a2", "b2", "a3",
                                                 "b3", "a4", "b4", "a5", "b5", "a6", "b6"};
    assembly all = {.meshes = {
                        cube(-1, 1), box_between(-DENORMAL, 0, 0, 1, 1, 1), /* overlap by a denormal number */
                        cube(-1, 1), box_between(DENORMAL, 0, 0, 1, 1, 1),  /* apart by one */
                        cube(0, DENORMAL), cube(0, DENORMAL),               /* tiny, and scaled: overlap */
                        cube(0, 1), cube(0, 1),                             /* decimal places: share a face? */
                        cube(0, 0.1), cube(0.3, 1),                         /* a gap near the clearance */
                        cube(0, 1), cube(0.9, 1),                           /* cross */
                        cube(0, 3), cube(1, 1),                             /* contains */
                    }};
    for (size_t i = 0; i < 2 * PAIRS; i++)
    {
        all.parts[i] = part_of(names[i], all.meshes[i]);
        all.parts[i].pose = graze_pose_translation(0, 20 * (double)(i / 2), 0);
    }
    for (size_t i = 4; i < 6; i++)
        for (size_t axis = 0; axis < 3; axis++)
            all.parts[i].pose.m[5 * axis] = ldexp(1, 1020);
    all.parts[5].pose.m[3] = ldexp(0.75, -40);
    all.parts[6].pose.m[3] = 0.1;
    all.parts[7].pose.m[3] = 1.1;
    return all;
}

static graze_clash_report *find_in(int environment, const graze_context *context, const assembly *all)
{
    graze_clash_options options = graze_clash_options_default();
    graze_clash_report *report = NULL;
    saved_environment saved;
    options.tolerances.clearance = 0.2;
    options.tolerances.has_clearance = true;
    environment_enter(&saved, environment);
    graze_status status = graze_clash_find(context, all->parts, 2 * PAIRS, &options, NULL, &report);
    environment_leave(&saved);
    assert_int_equal(status, GRAZE_STATUS_OK);
    return report;
}

static void print_findings(const graze_clash_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++)
    {
        const graze_clash_finding *f = &report->findings[i];
        printf("%s and %s: %s, gap [%a, %a], depth [%a, %a]\n", report->parts[f->a].name, report->parts[f->b].name,
               graze_clash_verdict_name(f->verdict), f->gap[0], f->gap[1], f->depth[0], f->depth[1]);
    }
}

static bool are_equal(const graze_clash_report *a, const graze_clash_report *b)
{
    bool equal = a->finding_count == b->finding_count && a->counts.pairs_undecided == b->counts.pairs_undecided;
    for (size_t i = 0; i < a->finding_count && equal; i++)
    {
        const graze_clash_finding *f = &a->findings[i], *g = &b->findings[i];
        equal = f->a == g->a && f->b == g->b && f->verdict == g->verdict && f->exact == g->exact &&
                memcmp(f->gap, g->gap, sizeof f->gap) == 0 && memcmp(f->depth, g->depth, sizeof f->depth) == 0 &&
                memcmp(f->point, g->point, sizeof f->point) == 0;
    }
    return equal;
}

static void a_report_is_the_same_in_every_environment(void **state)
{
    (void)state;
    assembly all = make_assembly();
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
    graze_context threaded = {.tasks = graze_pool_tasks(pool)};
    graze_clash_report *expected = find_in(0, NULL, &all);
    print_findings(expected);
    int failures = 0;
    for (int environment = 0; environment < ENVIRONMENTS; environment++)
    {
        bool threads =
            ((environment >> 1 ^ environment) & 1) != 0; /* odd ones flush denormals: with threads and without */
        graze_clash_report *given = find_in(environment, threads ? &threaded : NULL, &all);
        if (!are_equal(expected, given))
        {
            printf("%s, %s:\n", environment_name(environment), threads ? "threads" : "no threads");
            print_findings(given);
            failures++;
        }
        graze_clash_report_destroy(given);
    }
    assert_int_equal(failures, 0);
    assert_int_equal(expected->finding_count, PAIRS);
    graze_clash_report_destroy(expected);
    graze_pool_destroy(pool);
    for (size_t i = 0; i < 2 * PAIRS; i++)
        graze_mesh_destroy(all.meshes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_is_the_same_in_every_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
