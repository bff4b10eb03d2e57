/* SPDX-License-Identifier: MIT */
/*
 * Results as tables on the terminal and as JSON.
 */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void clear_row(lab_row *row)
{
    lab_times_clear(&row->times);
    free(row->met);
}

/* Keeps the faster of a row and the same engine's row of an earlier round. False when there is none. */
static bool replace_slower(lab_report *report, const lab_row *row)
{
    for (size_t i = 0; i < report->count; i++)
    {
        lab_row *before = &report->rows[i], slower = *row;
        if (strcmp(before->name, row->name) != 0 || strcmp(before->engine, row->engine) != 0)
            continue;
        if (row->ns < before->ns)
        {
            slower = *before;
            *before = *row;
        }
        clear_row(&slower);
        return true;
    }
    return false;
}

bool lab_report_add(lab_report *report, const lab_row *row)
{
    if (replace_slower(report, row))
        return true;
    if (report->count == report->capacity)
    {
        size_t capacity = report->capacity == 0 ? 64 : 2 * report->capacity;
        lab_row *rows = realloc(report->rows, capacity * sizeof *rows);
        if (rows == NULL)
            return false;
        report->rows = rows;
        report->capacity = capacity;
    }
    report->rows[report->count++] = *row;
    return true;
}

void lab_report_clear(lab_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        clear_row(&report->rows[i]);
    free(report->rows);
    *report = (lab_report){0};
}

bool lab_row_agrees(const lab_row *row)
{
    return row->agreement.wrong == 0 && row->agreement.gave_up == 0;
}

const lab_row *lab_report_best_peer_of(const lab_report *report, const char *name, const char *prefix)
{
    const lab_row *best = NULL;
    for (size_t i = 0; i < report->count; i++)
    {
        const lab_row *row = &report->rows[i];
        bool counts = row->role == LAB_PEER && row->agreement.gave_up == 0 && row->agreement.misjudged == 0 &&
                      strncmp(row->engine, prefix, strlen(prefix)) == 0;
        if (counts && strcmp(row->name, name) == 0 && (best == NULL || row->ns < best->ns))
            best = row;
    }
    return best;
}

const lab_row *lab_report_best_peer(const lab_report *report, const char *name)
{
    return lab_report_best_peer_of(report, name, "");
}

const lab_row *lab_report_find_graze(const lab_report *report, const char *name)
{
    for (size_t i = 0; i < report->count; i++)
    {
        if (report->rows[i].role == LAB_GRAZE && strcmp(report->rows[i].name, name) == 0)
            return &report->rows[i];
    }
    return NULL;
}

const char *lab_print_time(double ns, char text[16])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int unit = 0;
    while (ns >= 999.5 && unit < 3)
    {
        ns /= 1000;
        unit++;
    }
    snprintf(text, 16, "%.*f %s", ns >= 99.95 || unit == 0 ? 0 : ns >= 9.995 ? 1 : 2, ns, units[unit]);
    return text;
}

static void print_query_row(const lab_row *row, const lab_row *graze)
{
    char ns[16], median[16], p99[16], build[16], ratio[16] = "";
    if (row->agreement.gave_up > 0)
    {
        printf("  %-18s gave up at %zu of %zu poses\n", row->engine, row->agreement.gave_up, row->agreement.checked);
        return;
    }
    if (graze != NULL && row != graze)
        snprintf(ratio, sizeof ratio, "%.1fx", row->ns / graze->ns);
    printf("  %-18s %9s %9s %9s %9s %8.0f %9s  ", row->engine, lab_print_time(row->ns, ns),
           lab_print_time(row->times.median, median), lab_print_time(row->times.p99, p99),
           lab_print_time(row->build_ns, build), row->bytes_per_triangle, ratio);
    if (!lab_row_agrees(row))
        printf("wrong at %zu of %zu poses (%" PRIu64 " missing, %" PRIu64 " too many)", row->agreement.wrong,
               row->agreement.checked, row->agreement.missing, row->agreement.extra);
    else if (row->times.stride > 1)
        printf("exact; every %zuth pose only", row->times.stride);
    else
        printf("exact");
    printf("\n");
}

static void print_query_head(const lab_row *graze)
{
    size_t poses = graze->times.poses;
    printf("  %zu and %zu triangles, %zu poses, %" PRIu64 " of them hit", graze->triangles[0], graze->triangles[1],
           poses, graze->agreement.hits);
    if (graze->question == LAB_ALL)
        printf(", %.1f pairs a pose", (double)graze->agreement.pairs / (double)poses);
    printf("; exact sweep asked at %zu\n", graze->swept);
    if (graze->question == LAB_DISTANCE)
        printf("  %.6g apart on average\n", LAB_DISTANCE_UNIT * (double)graze->agreement.pairs / (double)poses);
    printf("  a query: %.0f box tests, %.1f leaf pairs, %.1f triangle tests, %.2f exact signs\n",
           (double)graze->cost.box_tests / (double)poses, (double)graze->cost.leaf_pairs / (double)poses,
           (double)graze->cost.triangle_tests / (double)poses, (double)graze->cost.exact_signs / (double)poses);
    printf("  %-18s %9s %9s %9s %9s %8s %9s\n", "engine", "query", "median", "p99", "build", "B/tri", "graze is");
}

static void print_build_head(const lab_row *graze)
{
    char ns[16];
    const graze_tree_facts *facts = &graze->tree.facts;
    printf("  %zu triangles; graze's tree alone: %s, %.1f bytes a triangle, depth %u, leaves %.0f %% full, cost %.1f\n",
           graze->triangles[0], lab_print_time(graze->tree.ns, ns), (double)facts->bytes / (double)facts->triangles,
           (unsigned)facts->depth, 100 * facts->fill, facts->cost);
    char refit[16], save[16], map[16];
    printf("  refitted in %s, saved in %s, mapped in %s\n", lab_print_time(graze->tree.refit_ns, refit),
           lab_print_time(graze->tree.save_ns, save), lab_print_time(graze->tree.map_ns, map));
    printf("  %-18s %9s %8s %9s\n", "engine", "build", "B/tri", "graze is");
}

static void print_build_row(const lab_row *row, const lab_row *graze)
{
    char ns[16], ratio[16] = "";
    if (graze != NULL && row != graze)
        snprintf(ratio, sizeof ratio, "%.1fx", row->ns / graze->ns);
    printf("  %-18s %9s %8.0f %9s\n", row->engine, lab_print_time(row->ns, ns), row->bytes_per_triangle, ratio);
}

void lab_report_print_workload(lab_report *report, const char *name)
{
    const lab_row *best = lab_report_best_peer(report, name), *graze = lab_report_find_graze(report, name);
    for (size_t i = 0; best != NULL && i < report->count; i++)
    {
        if (strcmp(report->rows[i].name, name) == 0 && report->rows[i].ns > 0)
            report->rows[i].ratio_to_best_peer = best->ns / report->rows[i].ns;
    }
    if (graze == NULL)
        return;
    printf("\n%s: %s\n", name, graze->what);
    if (graze->question == LAB_BUILD)
        print_build_head(graze);
    else if (graze->question == LAB_FRAME)
        lab_print_frame_head(graze);
    else
        print_query_head(graze);
    for (size_t i = 0; i < report->count; i++)
    {
        const lab_row *row = &report->rows[i];
        if (strcmp(row->name, name) == 0)
            (row->question == LAB_BUILD   ? print_build_row
             : row->question == LAB_FRAME ? lab_print_frame_row
                                          : print_query_row)(row, graze);
    }
    fflush(stdout);
}

double lab_row_ns_per_pair(const lab_row *row)
{
    return row->ns * (double)row->times.poses / (double)row->agreement.pairs;
}

/* For mated faces, compares the time per pair with that of a crossing pair in a generic case. */
static void print_mated(const lab_report *report)
{
    const lab_row *generic = lab_report_find_graze(report, "mesh/deep");
    if (generic == NULL || generic->agreement.pairs == 0)
        return;
    double per_pair = lab_row_ns_per_pair(generic);
    printf("\na pair of mesh/deep takes graze %.0f ns\n", per_pair);
    for (size_t i = 0; i < report->count; i++)
    {
        const lab_row *row = &report->rows[i];
        if (row->role != LAB_GRAZE || strncmp(row->name, "mated/", 6) != 0 || row->agreement.pairs == 0)
            continue;
        double mated = lab_row_ns_per_pair(row);
        printf("a pair of %s takes %.0f ns, %.2f times as long\n", row->name, mated, mated / per_pair);
    }
}

void lab_report_print_summary(const lab_report *report)
{
    bool starred = false;
    printf("\n%-26s %10s %10s %-19s %8s %6s\n", "workload", "graze", "best peer", "", "ratio", "exact");
    for (size_t i = 0; i < report->count; i++)
    {
        const lab_row *row = &report->rows[i];
        char ns[16], peer_ns[16];
        if (row->role != LAB_GRAZE)
            continue;
        const lab_row *best = lab_report_best_peer(report, row->name);
        const char *exact = row->question == LAB_BUILD ? (row->tree.valid ? "valid" : "NO")
                            : lab_row_agrees(row)      ? "yes"
                                                       : "NO";
        char peer[32] = "";
        if (best != NULL)
        {
            snprintf(peer, sizeof peer, "%s%s", best->engine, lab_row_agrees(best) ? "" : "*");
            starred = starred || !lab_row_agrees(best);
            printf("%-26s %10s %10s %-19s %7.1fx %6s\n", row->name, lab_print_time(row->ns, ns),
                   lab_print_time(best->ns, peer_ns), peer, best->ns / row->ns, exact);
        }
        else
            printf("%-26s %10s %10s %-19s %8s %6s\n", row->name, lab_print_time(row->ns, ns), "-", "", "-", exact);
    }
    if (starred)
        printf("* right about whether they meet, or misses no pair in any frame, but wrong about the pairs\n");
    print_mated(report);
}

/* 0 means none. */
static void write_number(FILE *file, double number, int digits)
{
    if (number > 0)
        fprintf(file, "%.*f", digits, number);
    else
        fprintf(file, "null");
}

static void write_query_facts(FILE *file, const lab_row *row)
{
    fprintf(file,
            ",\"question\":\"%s\",\"hits\":%" PRIu64 ",\"pairs\":%" PRIu64
            ",\"agrees_with_exact\":%s,\"poses\":%zu,\"stride\":%zu,\"passes\":%zu",
            lab_question_name(row->question), row->agreement.hits, row->agreement.pairs,
            lab_row_agrees(row) ? "true" : "false", row->times.poses, row->times.stride, row->times.passes);
    fprintf(file,
            ",\"gave_up_poses\":%zu,\"wrong_poses\":%zu,\"misjudged_poses\":%zu,\"missing\":%" PRIu64
            ",\"extra\":%" PRIu64 ",\"swept_poses\":%zu",
            row->agreement.gave_up, row->agreement.wrong, row->agreement.misjudged, row->agreement.missing,
            row->agreement.extra, row->swept);
    fprintf(file, ",\"mean_ns\":%.1f,\"median_ns\":%.1f,\"p99_ns\":%.1f,\"worst_ns\":%.1f", row->times.mean,
            row->times.median, row->times.p99, row->times.worst);
    if (row->agreement.pairs > 0 && row->question == LAB_ALL)
        fprintf(file, ",\"ns_per_pair\":%.2f", lab_row_ns_per_pair(row));
    if (row->role != LAB_GRAZE)
        return;
    double poses = (double)row->times.poses;
    fprintf(file,
            ",\"box_tests_per_query\":%.2f,\"leaf_pairs_per_query\":%.3f,\"triangle_tests_per_query\":%.3f,"
            "\"exact_signs_per_query\":%.4f",
            (double)row->cost.box_tests / poses, (double)row->cost.leaf_pairs / poses,
            (double)row->cost.triangle_tests / poses, (double)row->cost.exact_signs / poses);
}

/* A build has no answers; Graze's is checked by validating the tree. */
static void write_build_facts(FILE *file, const lab_row *row)
{
    const char *agrees = row->role != LAB_GRAZE ? "null" : row->tree.valid ? "true" : "false";
    fprintf(file, ",\"question\":\"build\",\"hits\":0,\"agrees_with_exact\":%s", agrees);
    if (row->role == LAB_GRAZE)
        fprintf(file,
                ",\"tree_ns\":%.0f,\"tree_bytes_per_triangle\":%.1f,\"tree_depth\":%u,\"refit_ns\":%.0f,"
                "\"save_ns\":%.0f,\"map_ns\":%.0f",
                row->tree.ns, (double)row->tree.facts.bytes / (double)row->tree.facts.triangles,
                (unsigned)row->tree.facts.depth, row->tree.refit_ns, row->tree.save_ns, row->tree.map_ns);
}

bool lab_report_write_json(const lab_report *report, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
    {
        fprintf(stderr, "graze-lab: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    fprintf(file, "[\n");
    for (size_t i = 0; i < report->count; i++)
    {
        const lab_row *row = &report->rows[i];
        fprintf(file, "{\"workload\":\"%s\",\"engine\":\"%s\",\"ns_per_query\":", row->name, row->engine);
        write_number(file, row->ns, 1);
        fprintf(file, ",\"ratio_to_best_peer\":");
        write_number(file, row->ratio_to_best_peer, 4);
        if (row->question == LAB_FRAME)
            lab_write_frame_facts(file, row);
        else if (row->question == LAB_BUILD)
            write_build_facts(file, row);
        else
            write_query_facts(file, row);
        if (row->question != LAB_FRAME)
            fprintf(file, ",\"triangles_a\":%zu,\"triangles_b\":%zu,\"build_ns\":%.0f,\"bytes_per_triangle\":%.1f",
                    row->triangles[0], row->triangles[1], row->build_ns, row->bytes_per_triangle);
        fprintf(file, "}%s\n", i + 1 < report->count ? "," : "");
    }
    fprintf(file, "]\n");
    if (fclose(file) == 0)
        return true;
    fprintf(stderr, "graze-lab: cannot write %s: %s\n", path, strerror(errno));
    return false;
}
