/* SPDX-License-Identifier: MIT */
/*
 * Results as Markdown: the headline, between two marks for the README; then Graze against the best peer, workload by
 * workload; then the time of every engine.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

/* One line of the headline: a workload, and a prefix of peer names. */
typedef struct headline
{
    const char *text, *name, *peers;
} headline;

static const headline headlines[] = {
    {"torus of 20,000 triangles flying among stalagmites of 98,000: whether they meet", "flight/torus/any", ""},
    {"... all pairs of triangles that meet", "flight/torus/all", ""},
    {"pipework of 144,000 in a larger copy: whether", "flight/pipes/any", ""},
    {"... all pairs", "flight/pipes/all", ""},
    {"aircraft of 14,646 among 25,000 tetrahedra: whether", "flight/plane/any", ""},
    {"... all pairs", "flight/plane/all", ""},
    {"36 triangles through 10,000 tetrahedra that they just miss: whether", "flight/swept/any", ""},
    {"hand of 404 in a cabin of 170,000: whether", "flight/interior/any", ""},
    {"... all pairs", "flight/interior/all", ""},
    {"two shells of 100,000, 0.1 % apart: whether", "shells/100000", ""},
    {"two bodies of 100,000 deep in one another, all 2,700 pairs", "mesh/deep", ""},
    {"... against FCL", "mesh/deep", "fcl"},
    {"two bodies of 100,000 in coherent motion, apart: whether, with a cache", "coherent/separated", ""},
    {"distance of two bodies of 100,000, their size apart", "distance/apart", ""},
    {"... nearer", "distance/near", ""},
    {"building a tree over 1,000,000 triangles", "build/1000000", ""},
    {"10,000 boxes, all of which move: all pairs, a frame", "boxes/10000/all", ""},
    {"... 5 % of which move", "boxes/10000/some", ""},
    {"100,000 boxes, all of which move: all pairs, a frame", "boxes/100000/all", ""},
    {"... 5 % of which move", "boxes/100000/some", ""},
    {"1,000 meshes of 500 to 5,000 triangles flying: all that collide, a frame", "cage/1000", ""},
    {"... 10,000 of them", "cage/10000", ""},
    {"an assembly of 1,000 parts of 5,000 triangles: all contacts", "assembly/1000", ""},
    {"... with the trees built for it", "assembly/1000/once", ""},
};

static const char *exactness(const lab_row *row)
{
    bool is_right = row->question == LAB_BUILD ? row->tree.valid : lab_row_agrees(row);
    return is_right ? "yes" : "**NO**";
}

static void write_headline(FILE *file, const lab_report *report)
{
    fprintf(file,
            "<!-- headline -->\n| one query | Graze | best peer | | Graze is faster by |\n|---|--:|--:|---|--:|\n");
    for (size_t i = 0; i < sizeof headlines / sizeof headlines[0]; i++)
    {
        const lab_row *graze = lab_report_find_graze(report, headlines[i].name);
        const lab_row *best = lab_report_best_peer_of(report, headlines[i].name, headlines[i].peers);
        char ns[16], peer_ns[16];
        if (graze == NULL || best == NULL)
            continue;
        fprintf(file, "| %s | %s | %s | %s%s | **%.1fx** |\n", headlines[i].text, lab_print_time(graze->ns, ns),
                lab_print_time(best->ns, peer_ns), best->engine,
                graze->question == LAB_BUILD || lab_row_agrees(best) ? ""
                : graze->question == LAB_FRAME                       ? " (too many pairs)"
                                                                     : " (pairs wrong)",
                best->ns / graze->ns);
    }
    fprintf(file, "<!-- /headline -->\n");
}

static void write_workloads(FILE *file, const lab_report *report)
{
    fprintf(file, "\n## Graze and the best peer\n\n| workload | Graze | best peer | | ratio | hits / poses | exact |\n"
                  "|---|--:|--:|---|--:|--:|---|\n");
    for (size_t i = 0; i < report->count; i++)
    {
        const lab_row *row = &report->rows[i];
        char ns[16], peer_ns[16], hits[64] = "";
        if (row->role != LAB_GRAZE)
            continue;
        const lab_row *best = lab_report_best_peer(report, row->name);
        if (row->question != LAB_BUILD)
            snprintf(hits, sizeof hits, "%llu / %zu", (unsigned long long)row->agreement.hits,
                     row->question == LAB_FRAME ? row->agreement.checked : row->times.poses);
        fprintf(file, "| %s | %s | ", row->name, lab_print_time(row->ns, ns));
        if (best != NULL)
            fprintf(file, "%s | %s%s | %.1fx", lab_print_time(best->ns, peer_ns), best->engine,
                    row->question == LAB_BUILD || lab_row_agrees(best) ? "" : "*", best->ns / row->ns);
        else
            fprintf(file, "| | ");
        fprintf(file, " | %s | %s |\n", hits, exactness(row));
    }
    fprintf(file,
            "\n\\* right about whether they meet at every pose, or misses no pair in any frame, but wrong about the "
            "pairs. Hits / poses: frames, of scene workloads.\n");
}

/* For mated faces every decision is degenerate: their cost against a pair that just crosses. */
static void write_mated(FILE *file, const lab_report *report)
{
    const lab_row *generic = lab_report_find_graze(report, "mesh/deep");
    if (generic == NULL || generic->agreement.pairs == 0)
        return;
    double crossing = lab_row_ns_per_pair(generic);
    fprintf(file,
            "\n## Mated faces\n\nTime of a query divided by the number of pairs it finds. A pair of mesh/deep, where "
            "triangles cross: %.0f ns.\n\n| workload | a pair | times as long |\n|---|--:|--:|\n",
            crossing);
    for (size_t i = 0; i < report->count; i++)
    {
        const lab_row *row = &report->rows[i];
        if (row->role == LAB_GRAZE && strncmp(row->name, "mated/", 6) == 0 && row->agreement.pairs > 0)
            fprintf(file, "| %s | %.0f ns | %.2f |\n", row->name, lab_row_ns_per_pair(row),
                    lab_row_ns_per_pair(row) / crossing);
    }
}

static void write_cell(FILE *file, const lab_row *row)
{
    char ns[16];
    if (row->agreement.gave_up > 0)
        fprintf(file, "gave up");
    else
        fprintf(file, "%s%s", lab_print_time(row->ns, ns),
                row->question == LAB_BUILD     ? ""
                : row->agreement.misjudged > 0 ? " **wrong**"
                : lab_row_agrees(row)          ? ""
                                               : "*");
}

/* All engines, as a list below each workload: there are too many for columns. */
static void write_engines(FILE *file, const lab_report *report)
{
    fprintf(file, "\n## Every engine\n\n| workload | times |\n|---|---|\n");
    for (size_t i = 0; i < report->count; i++)
    {
        const lab_row *graze = &report->rows[i];
        if (graze->role != LAB_GRAZE)
            continue;
        fprintf(file, "| %s | ", graze->name);
        for (size_t k = 0, count = 0; k < report->count; k++)
        {
            const lab_row *row = &report->rows[k];
            if (strcmp(row->name, graze->name) != 0)
                continue;
            fprintf(file, "%s%s ", count++ > 0 ? ", " : "", row->engine);
            write_cell(file, row);
        }
        fprintf(file, " |\n");
    }
    fprintf(file, "\n\\* as above; **wrong**: about whether they meet, or misses pairs.\n");
}

bool lab_report_write_table(const lab_report *report, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file != NULL)
    {
        write_headline(file, report);
        write_workloads(file, report);
        write_mated(file, report);
        write_engines(file, report);
        if (fclose(file) == 0)
            return true;
    }
    fprintf(stderr, "graze-lab: cannot write %s: %s\n", path, strerror(errno));
    return false;
}
