/* SPDX-License-Identifier: MIT */
/*
 * Rows of scene workloads: their part of the tables on the terminal and of the JSON.
 */
#include <inttypes.h>
#include <stdio.h>

#include "report.h"

void lab_print_frame_head(const lab_row *graze)
{
    double pairs = (double)graze->agreement.pairs / (double)graze->agreement.checked;
    printf("  %zu objects, %zu of them move, %.1f pairs a frame; compared with the exact pairs in %zu frames\n",
           graze->things, graze->movers, pairs, graze->agreement.checked);
    printf("  %-20s %9s %9s %9s %9s %8s %9s\n", "engine", "frame", "median", "p99", "build", "B each", "graze is");
}

void lab_print_frame_row(const lab_row *row, const lab_row *graze)
{
    char ns[16], median[16], p99[16], build[16], ratio[16] = "";
    const lab_agreement *agreement = &row->agreement;
    if (row != graze)
        snprintf(ratio, sizeof ratio, "%.1fx", row->ns / graze->ns);
    printf("  %-20s %9s %9s %9s %9s %8.0f %9s  ", row->engine, lab_print_time(row->ns, ns),
           lab_print_time(row->times.median, median), lab_print_time(row->times.p99, p99),
           lab_print_time(row->build_ns, build), row->bytes_per_thing, ratio);
    if (lab_row_agrees(row))
        printf("exact\n");
    else
        printf("%" PRIu64 " pairs of %" PRIu64 " missing, %" PRIu64 " too many, in %zu frames\n", agreement->missing,
               graze->agreement.pairs, agreement->extra, agreement->checked);
}

void lab_write_frame_facts(FILE *file, const lab_row *row)
{
    fprintf(file,
            ",\"question\":\"frame\",\"hits\":%" PRIu64 ",\"pairs\":%" PRIu64
            ",\"agrees_with_exact\":%s,\"poses\":%zu,\"passes\":%zu,\"checked_frames\":%zu",
            row->agreement.hits, row->agreement.pairs, lab_row_agrees(row) ? "true" : "false", row->times.poses,
            row->times.passes, row->agreement.checked);
    fprintf(file, ",\"wrong_poses\":%zu,\"misjudged_poses\":%zu,\"missing\":%" PRIu64 ",\"extra\":%" PRIu64,
            row->agreement.wrong, row->agreement.misjudged, row->agreement.missing, row->agreement.extra);
    fprintf(file, ",\"mean_ns\":%.1f,\"median_ns\":%.1f,\"p99_ns\":%.1f,\"worst_ns\":%.1f", row->times.mean,
            row->times.median, row->times.p99, row->times.worst);
    fprintf(file, ",\"things\":%zu,\"movers\":%zu,\"build_ns\":%.0f,\"bytes_per_thing\":%.1f", row->things, row->movers,
            row->build_ns, row->bytes_per_thing);
}
