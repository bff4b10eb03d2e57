/* SPDX-License-Identifier: MIT */
/* A report made by hand, with a finding of every verdict. */
#ifndef TESTS_CLASH_CLASH_SAMPLE_H
#define TESTS_CLASH_CLASH_SAMPLE_H

#include <stdlib.h>

#include "clash/report.h"

enum
{
    SAMPLE_PARTS = 6,
    SAMPLE_FINDINGS = 6
};

typedef struct sample_report
{
    graze_clash_report report;
    graze_clash_part *parts;
    graze_clash_finding *findings;
    graze_clash_ignored *ignored;
    graze_clash_problem *problems;
} sample_report;

static inline sample_report sample_create(void)
{
    static const char *const names[SAMPLE_PARTS] = {"housing", "lid", "pin 1", "pin 2", "pin 3", "shaft"};
    static size_t pins[] = {2, 3, 4};
    static const graze_clash_input rules = {"r.json", "00000000000000aa", 0};
    static const graze_clash_input inputs[] = {{"housing.obj", "00000000000000a1", 0},
                                               {"rest/pins.glb", "00000000000000b2", 0}};
    sample_report sample = {.parts = calloc(SAMPLE_PARTS, sizeof(graze_clash_part)),
                            .findings = calloc(SAMPLE_FINDINGS, sizeof(graze_clash_finding)),
                            .ignored = calloc(1, sizeof(graze_clash_ignored)),
                            .problems = calloc(1, sizeof(graze_clash_problem))};
    const graze_clash_finding findings[SAMPLE_FINDINGS] = {
        {.a = 0,
         .b = 2,
         .verdict = GRAZE_CLASH_CONTAINS,
         .severity = GRAZE_CLASH_CRITICAL,
         .has_depth = true,
         .depth = {1, 1}},
        {.a = 0,
         .b = 5,
         .verdict = GRAZE_CLASH_CROSSES,
         .severity = GRAZE_CLASH_CRITICAL,
         .pairs = 12,
         .has_depth = true,
         .depth = {0.1 + 0.2, 0.31},
         .way_out = {0.3, 0.31}},
        {.a = 2,
         .b = 3,
         .verdict = GRAZE_CLASH_DUPLICATE,
         .severity = GRAZE_CLASH_MAJOR,
         .set = pins,
         .set_count = 3,
         .pairs = 36},
        {.a = 2,
         .b = 5,
         .verdict = GRAZE_CLASH_TOO_CLOSE,
         .severity = GRAZE_CLASH_MAJOR,
         .has_gap = true,
         .gap = {0.05, 0.05},
         .point = {-1e-3, 8e4, 1.2e6}},
        {.a = 0,
         .b = 1,
         .verdict = GRAZE_CLASH_TOUCHES,
         .severity = GRAZE_CLASH_MINOR,
         .state = GRAZE_CLASH_APPROVED,
         .reason = "it is bolted",
         .touch_kind = "face",
         .area = 2.5,
         .pairs = 2},
        {.a = 1, .b = 1, .verdict = GRAZE_CLASH_SELF, .severity = GRAZE_CLASH_MINOR, .pairs = 4}};
    for (size_t i = 0; i < SAMPLE_PARTS; i++)
        sample.parts[i] = (graze_clash_part){.name = names[i], .file = "housing.obj", .parent = ""};
    for (size_t i = 0; i < SAMPLE_FINDINGS; i++)
    {
        sample.findings[i] = findings[i];
        sample.findings[i].rule = i == 3 ? "rules: limits[1]" : "default";
        grz_clash_make_id(names[findings[i].a], names[findings[i].b], sample.findings[i].id);
    }
    sample.ignored[0] = (graze_clash_ignored){.rule = "rules: ignore[0]", .reason = "threads", .count = 2};
    sample.problems[0] = (graze_clash_problem){"cap.stl", "vertex 3 is not finite"};
    sample.report = (graze_clash_report){.parts = sample.parts,
                                         .part_count = SAMPLE_PARTS,
                                         .inputs = inputs,
                                         .input_count = 2,
                                         .findings = sample.findings,
                                         .finding_count = SAMPLE_FINDINGS,
                                         .ignored = sample.ignored,
                                         .ignored_count = 1,
                                         .problems = sample.problems,
                                         .problem_count = 1,
                                         .counts = {.parts = 6,
                                                    .triangles = 72,
                                                    .pairs_possible = 15,
                                                    .pairs_culled = 5,
                                                    .pairs_tested = 8,
                                                    .pairs_ignored = 2,
                                                    .findings = 6},
                                         .complete = true,
                                         .clearance = 0.1,
                                         .units = "mm",
                                         .rules = &rules,
                                         .rules_count = 1};
    return sample;
}

static inline void sample_release(sample_report *sample)
{
    free(sample->parts);
    free(sample->findings);
    free(sample->ignored);
    free(sample->problems);
}

#endif
