/* SPDX-License-Identifier: MIT */
/*
 * Small assemblies in memory for the engine of graze clash, compared with brute-force verdicts: every pair of triangles
 * by the rational oracle, bodies by the cells of the arrangement of their planes, gaps by rational distances. Every
 * finding must be true, and no true one may be missing. Every eighth assembly is of shapes (shape_assembly.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrangement.h"
#include "brute_force.h"
#include "finding.h"
#include "graze/clash.h"
#include "poses.h"
#include "shape_assembly.h"
#include "support/oracle_distance.h"

enum
{
    MOST_PARTS = 5,
    MOST_DISTANCES = 24 /* gaps are measured up to so many triangle pairs */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct assembly
{
    size_t count;
    small_mesh shapes[MOST_PARTS];
    graze_mesh *meshes[MOST_PARTS]; /* NULL: that of an earlier part */
    size_t mesh_of[MOST_PARTS];
    graze_clash_part parts[MOST_PARTS];
    graze_clash_tolerances tolerances;
    graze_clash_report *report;
    bool listed[MOST_PARTS][MOST_PARTS], undecided[MOST_PARTS][MOST_PARTS];
    graze_clash_verdict verdicts[MOST_PARTS][MOST_PARTS]; /* by part, the smaller index first */
    bool inner_first[MOST_PARTS][MOST_PARTS];
} assembly;

static const char *const names[MOST_PARTS] = {"part0", "part1", "part2", "part3", "part4"};
static const char *const pose_names[MOST_PARTS] = {"pose0", "pose1", "pose2", "pose3", "pose4"};

/* Parts repeat with another pose, or with another mesh, or are new. */
static void take_parts(fuzz_bytes *bytes, bool wild, assembly *all)
{
    uint8_t many = take_byte(bytes);
    all->count = many >= 0xc0 ? 2 + many % (MOST_PARTS - 1) : 2 + many % 2;
    finding_start();
    for (size_t i = 0; i < all->count; i++)
    {
        uint8_t form = take_byte(bytes);
        size_t mesh = i;
        if (i > 0 && (form & 7) == 7) /* the mesh of an earlier part */
            mesh = all->mesh_of[(form >> 3) % i];
        all->shapes[i] = all->shapes[mesh];
        if (mesh == i)
            take_shape(bytes, 12, &all->shapes[i]);
        if (!wild)
            shape_tame(&all->shapes[i]);
        all->meshes[i] = mesh == i ? shape_create(&all->shapes[i]) : NULL;
        all->mesh_of[i] = mesh;
        all->parts[i] = (graze_clash_part){.name = names[i], .file = "a.obj", .mesh = all->meshes[mesh]};
        if (i > 0 && (form & 0x60) == 0x60)
            take_related_pose(bytes, &all->parts[i - 1].pose, &all->parts[i].pose);
        else if ((form & 0x40) != 0)
            take_pose(bytes, &all->parts[i].pose);
        else
            all->parts[i].pose = graze_pose_translation(0.5 * (form >> 3 & 3), 0, form >> 7);
        if (!wild)
            pose_tame(&all->parts[i].pose);
        finding_note_mesh(names[i], &all->shapes[i]);
        finding_note_pose(pose_names[i], &all->parts[i].pose);
    }
}

static void find(assembly *all)
{
    graze_clash_options options = graze_clash_options_default();
    options.tolerances = all->tolerances;
    options.tessellation_off = true;
    options.has_resolution = true; /* 0: the reference is exact */
    EXPECT(graze_clash_find(NULL, all->parts, all->count, &options, NULL, &all->report) == GRAZE_STATUS_OK,
           "clash failed");
}

static void list_pair(assembly *all, size_t a, size_t b, graze_clash_verdict verdict, bool a_in_b)
{
    size_t low = a < b ? a : b, high = a < b ? b : a;
    EXPECT(!all->listed[low][high], "two findings of parts %zu and %zu", low, high);
    all->listed[low][high] = true;
    all->verdicts[low][high] = verdict;
    all->inner_first[low][high] = a_in_b == (a < b);
}

static void list_findings(assembly *all)
{
    for (size_t f = 0; f < all->report->finding_count; f++)
    {
        const graze_clash_finding *found = &all->report->findings[f];
        if (found->verdict == GRAZE_CLASH_UNDECIDED)
            continue; /* it is in the list of undecided pairs, too */
        if (found->verdict != GRAZE_CLASH_DUPLICATE || found->set == NULL)
            list_pair(all, found->a, found->b, found->verdict, found->a_in_b);
        for (size_t i = 0; found->verdict == GRAZE_CLASH_DUPLICATE && i < found->set_count; i++)
            for (size_t j = i + 1; j < found->set_count; j++)
                list_pair(all, found->set[i], found->set[j], found->verdict, false);
    }
    for (size_t u = 0; u < all->report->undecided_count; u++)
    {
        size_t x = all->report->undecided[u].a, y = all->report->undecided[u].b;
        all->undecided[x < y ? x : y][x < y ? y : x] = true;
    }
}

/* ---- the reference ---- */

/* The sign of clearance minus distance; 2 if it takes too long. */
static int compare_gap(const assembly *all, size_t a, size_t b)
{
    const small_mesh *p = &all->shapes[a], *q = &all->shapes[b];
    if (p->triangle_count * q->triangle_count > MOST_DISTANCES)
        return 2;
    mpq_t square;
    mpq_init(square);
    int least = -1;
    for (uint32_t i = 0; i < p->triangle_count; i++)
        for (uint32_t j = 0; j < q->triangle_count; j++)
        {
            graze_placed_triangle x = shape_triangle(p, &all->parts[a].pose, i);
            graze_placed_triangle y = shape_triangle(q, &all->parts[b].pose, j);
            oracle_distance_sq(brute_force_oracle(), &x, &y, square);
            int order = oracle_compare_distance(all->tolerances.clearance, square);
            least = order > least ? order : least;
        }
    mpq_clear(square);
    return least;
}

static arrangement_answer judge_cells(const assembly *all, size_t a, size_t b)
{
    arrangement_answer unknown = {0};
    shape_facts facts[2] = {shape_examine(&all->shapes[a]), shape_examine(&all->shapes[b])};
    if (!facts[0].closed || !facts[1].closed)
        return unknown;
    const small_mesh shapes[2] = {all->shapes[a], all->shapes[b]};
    const graze_pose *poses[2] = {&all->parts[a].pose, &all->parts[b].pose};
    const bool oriented[2] = {facts[0].oriented, facts[1].oriented};
    arrangement_answer truth = arrangement_classify(shapes, poses, oriented);
    truth.known = truth.known && truth.regular_a && truth.regular_b;
    return truth;
}

static void check_listed(const assembly *all, size_t a, size_t b, bool meet, const arrangement_answer *truth)
{
    graze_clash_verdict verdict = all->verdicts[a][b];
    const char *name = graze_clash_verdict_name(verdict);
    EXPECT(meet || verdict == GRAZE_CLASH_TOO_CLOSE || verdict == GRAZE_CLASH_CONTAINS ||
               verdict == GRAZE_CLASH_CROSSES,
           "parts %zu and %zu: %s, but no surfaces meet", a, b, name);
    if (verdict == GRAZE_CLASH_TOO_CLOSE)
        EXPECT(!meet && compare_gap(all, a, b) > 0, "parts %zu and %zu are not too close", a, b);
    if (!truth->known)
        return;
    bool undecided = all->undecided[a][b];
    if (verdict == GRAZE_CLASH_DUPLICATE)
        EXPECT(!truth->a_outside_b && !truth->b_outside_a, "parts %zu and %zu are no duplicates", a, b);
    if (verdict == GRAZE_CLASH_CONTAINS)
        EXPECT(all->inner_first[a][b] ? !truth->a_outside_b : !truth->b_outside_a,
               "parts %zu and %zu: one does not contain the other", a, b);
    if (verdict == GRAZE_CLASH_CROSSES)
        EXPECT(truth->overlap, "parts %zu and %zu do not cross", a, b);
    if (verdict == GRAZE_CLASH_CROSSES && !undecided)
        EXPECT(truth->a_outside_b && truth->b_outside_a, "parts %zu and %zu: one contains the other", a, b);
    if (verdict < GRAZE_CLASH_CROSSES && !undecided)
        EXPECT(!truth->overlap, "parts %zu and %zu: %s, but they overlap", a, b, name);
}

static void check_pair(const assembly *all, size_t a, size_t b)
{
    bool meet = brute_force_any(&all->shapes[a], &all->parts[a].pose, &all->shapes[b], &all->parts[b].pose);
    arrangement_answer truth = judge_cells(all, a, b);
    if (all->listed[a][b])
    {
        check_listed(all, a, b, meet, &truth);
        return;
    }
    if (all->undecided[a][b])
        return;
    EXPECT(!meet || all->tolerances.allow_touch, "parts %zu and %zu meet, which is no finding", a, b);
    EXPECT(!truth.known || !truth.overlap, "parts %zu and %zu overlap, which is no finding", a, b);
    if (all->tolerances.has_clearance && !meet)
    {
        int order = compare_gap(all, a, b);
        EXPECT(order <= 0 || order == 2, "parts %zu and %zu are too close, which is no finding", a, b);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static assembly all;
    fuzz_bytes bytes = bytes_of(data, size);
    memset(&all, 0, sizeof all);
    uint8_t form = take_byte(&bytes);
    all.tolerances.allow_touch = all.tolerances.has_allow_touch = (form & 1) != 0;
    all.tolerances.has_clearance = (form & 2) != 0;
    all.tolerances.clearance = (form & 2) != 0 ? fabs(take_coordinate(&bytes)) : 0;
    if ((form & 0xe0) == 0x60)
    {
        check_shape_assembly(&bytes, &all.tolerances);
        return 0;
    }
    take_parts(&bytes, form >= 0xf8, &all);
    finding_note_text("/* clearance %.17g, allow touch %d */\n", all.tolerances.clearance, all.tolerances.allow_touch);
    finding_show();
    find(&all);
    list_findings(&all);
    for (size_t a = 0; a < all.count; a++)
        for (size_t b = a + 1; b < all.count; b++)
            check_pair(&all, a, b);
    const graze_clash_report *report = all.report;
    uint64_t failing = graze_clash_report_tally(report).failing;
    graze_clash_outcome outcome = graze_clash_report_outcome(report);
    EXPECT(report->counts.findings == report->finding_count &&
               report->counts.pairs_undecided == report->undecided_count,
           "the counts are not those of the lists");
    EXPECT(outcome == (failing > 0                   ? GRAZE_CLASH_OUTCOME_FAILED
                       : report->undecided_count > 0 ? GRAZE_CLASH_OUTCOME_INCOMPLETE
                                                     : GRAZE_CLASH_OUTCOME_CLEAN),
           "the outcome is %d with %zu findings and %zu undecided pairs", (int)outcome, report->finding_count,
           report->undecided_count);
    graze_clash_report_destroy(all.report);
    for (size_t i = 0; i < all.count; i++)
        graze_mesh_destroy(all.meshes[i]);
    return 0;
}
