/* SPDX-License-Identifier: MIT */
/* graze-lab literature: runs experiments, and tells what was printed beside what is measured now. */
#include "literature/literature.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lit_experiment experiments[] = {
    {"001/memory 003/flops", "Bytes and operations, by formula and by hand.", lit_memory},
    {"001/table-6 001/table-7",
     "Concentric spheres, the inner one a scaled copy: how many pairs of volumes a query tests as the gap closes. "
     "Boxes "
     "that follow the surface win while the gap is wide, many directions win when it is narrow.",
     lit_nested_spheres},
    {"001/table-1 001/formula 001/prose",
     "What a test of volumes, a pair of triangles and a moved volume cost, the cost formula against measured times, "
     "and "
     "what other ways to search and split cost over Algorithm 1 at the mean.",
     lit_flight_costs},
    {"001/table-2 001/table-3 001/table-4 001/table-5 001/figure-3",
     "Flights of an object through an environment, all contacts reported: the number of directions, the rule of the "
     "split, its point, and what each costs to build.",
     lit_flights},
    {"000/planes-start 000/planes-eta 000/planes-relax",
     "Two cones of 100 faces in a cage: in which share of the frames a search for a separating plane gives up although "
     "there is one, by the limit of its updates and by where it begins. The thesis does not say how its flights went "
     "on "
     "after a collision, and the shares follow from that: they vary threefold with how often ours begin anew.",
     lit_planes},
    {"000/pre-checks",
     "Ten bodies and six walls, every pair by edges against faces, with one check of boxes more each time. The thesis "
     "found a tenfold gain in comparing the edge's box with the face's, and little in collecting faces beforehand.",
     lit_pre_checks},
    {"000/point-in-polygon",
     "How a ray is counted against the sides of a polygon: which of six comparisons of coordinates decides. The "
     "algorithm as printed, in doubles; one run is compared with the exact answers.",
     lit_point_in_polygon},
    {"000/monte-carlo",
     "Random points of the common box, tested in both bodies: what vertices cost and find, and what more points do.",
     lit_monte_carlo},
    {"000/edge-list", "Finding edges from corners of faces: searching all of them, or those at a vertex.",
     lit_edge_list},
    {"000/clip 000/clip-checks",
     "Two bodies that nearly always collide: clipping edges at the half-spaces of convex bodies over testing edges "
     "with faces. Our loop over faces is vectorised, and a first hit ends it, which clipping's certificates do not.",
     lit_clip},
    {"000/box-tree 000/box-tree-depth",
     "Edges against faces, without and with box-trees. Where the tree breaks even depends on the cost of the loop that "
     "it replaces, which is vectorised here.",
     lit_box_tree},
    {"000/octree-pointers 000/octree-memory 000/octree-time",
     "An octree of fixed depth over a hundred boxes of side 1 in a cube of side 10: nearly all references lie at the "
     "lowest level, which is why visiting only the octants that a move changes is the fastest way.",
     lit_octree},
    {"000/octree-dops",
     "The generalised octree that the thesis describes and did not implement: objects are k-dops, which octants are "
     "compared with on all k/2 axes. Diagonal axes cut corners, so that bodies lie in fewer octants and share fewer; "
     "the pairs that are left for exact tests are those whose dops overlap, whatever the depth.",
     lit_octree_dops},
    {"000/grid-time 000/grid-memory 000/grid-oriented",
     "Grids over the same boxes. References that know their place in the other array, so that none need be searched, "
     "disappointed the thesis. Oriented boxes meet fewer cells than the boxes around them, for more work each.",
     lit_grid},
    {"000/grid-tetrahedra", "Tetrahedra in a cage: every pair tested exactly, behind boxes, and behind a grid.",
     lit_grid_tetrahedra},
    {"000/grid-exact", "Thirty bodies and six walls: what box-trees and a grid each save.", lit_grid_exact},
    {"000/grid-one-mover", "One body among five hundred that stay: where a grid pays.", lit_grid_one_mover},
    {"000/medium 000/dual 000/coarse",
     "Several threads: pairs from a list, both directions of one pair, or two methods of which the first sure answer "
     "stops the other. By the clock: on a machine that does other things the speed-ups mean little, so the most that "
     "two directions could give is told in CPU time.",
     lit_threads},
    {"000/fine",
     "Several threads that take chunks of the edges of one pair. The thesis expected fixed shares to be uneven, and "
     "many small chunks to cost more than they bring.",
     lit_fine_grain},
    {"002/table-2",
     "Two cars that fly through one another by CD, by the number of triangles a patch may have: free poses cost a "
     "tenth "
     "of colliding ones.",
     lit_cars},
    {"002/table-3",
     "A sphere within a slightly larger one by CD, by the number of triangles a patch may have. Even limits are good "
     "for the document's spheres, whose quadrangles are two coplanar triangles.",
     lit_patch_limits},
    {"003/box-trees 003/time-error",
     "What restricted boxes cost against oriented ones, and how ADB-trees trade errors for time: a search ends where a "
     "pair of nodes collides with the probability p_min. The slides' models and curves are lost.",
     lit_slides},
};

enum
{
    EXPERIMENTS = sizeof experiments / sizeof experiments[0]
};

void lit_measure(lit_run *run, const char *id, double ours, const char *format, ...)
{
    char cell[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cell, sizeof cell, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < lit_printed_count; i++)
        if (strcmp(lit_printed_cells[i].id, id) == 0 && strcmp(lit_printed_cells[i].cell, cell) == 0)
        {
            run->measured[i] = ours;
            return;
        }
    fprintf(stderr, "graze-lab: printed.c has no cell '%s' of %s\n", cell, id);
    run->failed = true;
}

void lit_add(lit_run *run, const char *id, const char *note, double ours, const char *format, ...)
{
    if (run->own_count == LIT_MOST_OWN)
    {
        run->failed = true;
        return;
    }
    lit_own *own = &run->own[run->own_count++];
    *own = (lit_own){.id = id, .note = note, .ours = ours};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(own->cell, sizeof own->cell, format, arguments);
    va_end(arguments);
}

/* The cell that a ratio is divided by; the cell itself where there is none. */
static size_t base_of(size_t index)
{
    const lit_printed *cell = &lit_printed_cells[index];
    for (size_t i = 0; cell->base != NULL && i < lit_printed_count; i++)
        if (strcmp(lit_printed_cells[i].id, cell->id) == 0 && strcmp(lit_printed_cells[i].cell, cell->base) == 0)
            return i;
    return index;
}

/* Ours : printed; of ratios, the quotients by their base are compared. NaN where there is none. */
static double ratio_of(const lit_run *run, size_t index)
{
    const lit_printed *cell = &lit_printed_cells[index];
    double ratio = run->measured[index] / cell->printed;
    if (cell->compare == LIT_LOST)
        return NAN;
    if (cell->compare == LIT_RATIO && cell->base != NULL)
    {
        size_t base = base_of(index);
        ratio /= run->measured[base] / lit_printed_cells[base].printed;
    }
    return ratio;
}

static bool is_judged(const lit_printed *cell)
{
    return cell->high > 0;
}

static bool is_within(const lit_run *run, size_t index)
{
    const lit_printed *cell = &lit_printed_cells[index];
    double ratio = ratio_of(run, index);
    return ratio >= cell->low && ratio <= cell->high;
}

/* Whether an id is among those that were asked for. */
static bool is_wanted(const char *ids, char **patterns, int pattern_count)
{
    bool wanted = pattern_count == 0;
    for (int i = 0; i < pattern_count; i++)
        wanted = wanted || strstr(ids, patterns[i]) != NULL;
    return wanted;
}

static const char *compare_name(lit_compare compare)
{
    static const char *const names[] = {"K", "E", "B", "R", "lost"};
    return names[compare];
}

static void say_number(FILE *out, double value, int width)
{
    if (isnan(value))
        fprintf(out, "%*s", width, "-");
    else if (value == floor(value) && fabs(value) < 1e12)
        fprintf(out, "%*.0f", width, value);
    else
        fprintf(out, "%*.4g", width, value);
}

static void say(const lit_run *run, char **patterns, int pattern_count)
{
    size_t judged = 0, within = 0, measured = 0;
    printf("%-14s %-36s %12s %12s %8s  %s\n", "experiment", "cell", "printed", "ours", "ratio", "");
    for (size_t i = 0; i < lit_printed_count; i++)
    {
        const lit_printed *cell = &lit_printed_cells[i];
        if (!is_wanted(cell->id, patterns, pattern_count))
            continue;
        bool known = !isnan(run->measured[i]);
        printf("%-14s %-36s ", cell->id, cell->cell);
        say_number(stdout, cell->printed, 12);
        say_number(stdout, run->measured[i], 13);
        say_number(stdout, ratio_of(run, i), 9);
        printf("  %-4s %s\n", compare_name(cell->compare),
               !known              ? (cell->compare == LIT_LOST ? "lost" : "waiting")
               : !is_judged(cell)  ? ""
               : is_within(run, i) ? "within"
                                   : "OUTSIDE");
        measured += known;
        judged += known && is_judged(cell);
        within += known && is_judged(cell) && is_within(run, i);
    }
    for (size_t i = 0; i < run->own_count; i++)
    {
        printf("%-14s %-36s %12s ", run->own[i].id, run->own[i].cell, "-");
        say_number(stdout, run->own[i].ours, 12);
        printf("  %s\n", run->own[i].note);
    }
    printf("%zu cells measured; of %zu with a stated tolerance %zu are within it\n", measured, judged, within);
}

static void write_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.17g", value);
    else
        fputs("null", out);
}

static bool write_json(const lit_run *run, const char *path, char **patterns, int pattern_count)
{
    FILE *out = fopen(path, "w");
    const char *separator = "[";
    if (out == NULL)
        return false;
    for (size_t i = 0; i < lit_printed_count; i++)
    {
        const lit_printed *cell = &lit_printed_cells[i];
        if (!is_wanted(cell->id, patterns, pattern_count))
            continue;
        bool known = !isnan(run->measured[i]);
        fprintf(out, "%s\n{\"id\":\"%s\",\"cell\":\"%s\",\"printed\":", separator, cell->id, cell->cell);
        write_number(out, cell->printed);
        fputs(",\"ours\":", out);
        write_number(out, run->measured[i]);
        fputs(",\"ratio\":", out);
        write_number(out, ratio_of(run, i));
        fprintf(out, ",\"compare\":\"%s\",\"within\":%s,\"note\":\"%s%s\"}", compare_name(cell->compare),
                !known || !is_judged(cell) ? "null"
                : is_within(run, i)        ? "true"
                                           : "false",
                known || cell->compare == LIT_LOST ? "" : "waiting; ", cell->note);
        separator = ",";
    }
    for (size_t i = 0; i < run->own_count; i++)
    {
        const lit_own *own = &run->own[i];
        fprintf(out, "%s\n{\"id\":\"%s\",\"cell\":\"%s\",\"printed\":null,\"ours\":", separator, own->id, own->cell);
        write_number(out, own->ours);
        fprintf(out, ",\"ratio\":null,\"compare\":\"lost\",\"within\":null,\"note\":\"%s\"}", own->note);
        separator = ",";
    }
    fprintf(out, "%s\n]\n", separator[0] == '[' ? "[" : "");
    return fclose(out) == 0;
}

static void write_html_rows(FILE *out, const lit_run *run, const char *ids)
{
    fputs("<table><tr><th>experiment<th>cell<th>printed<th>ours<th>ratio<th>compare<th>note</tr>\n", out);
    for (size_t i = 0; i < lit_printed_count; i++)
    {
        const lit_printed *cell = &lit_printed_cells[i];
        if (strstr(ids, cell->id) == NULL)
            continue;
        bool bad = !isnan(run->measured[i]) && is_judged(cell) && !is_within(run, i);
        fprintf(out, "<tr%s><td>%s<td>%s<td>", bad ? " class=bad" : "", cell->id, cell->cell);
        say_number(out, cell->printed, 0);
        fputs("<td>", out);
        say_number(out, run->measured[i], 0);
        double ratio = ratio_of(run, i);
        fputs("<td>", out);
        say_number(out, ratio, 0);
        if (isfinite(ratio) && ratio > 0) /* a bar on a logarithmic scale from 1/10 to 10 */
            fprintf(out, "<span class=bar><i style=\"left:%.0f%%\"></i></span>",
                    50 + 50 * fmax(-1, fmin(1, log10(ratio))));
        fprintf(out, "<td>%s<td>%s</tr>\n", compare_name(cell->compare), cell->note);
    }
    for (size_t i = 0; i < run->own_count; i++)
        if (strstr(ids, run->own[i].id) != NULL)
        {
            fprintf(out, "<tr><td>%s<td>%s<td>-<td>", run->own[i].id, run->own[i].cell);
            say_number(out, run->own[i].ours, 0);
            fprintf(out, "<td>-<td>-<td>%s</tr>\n", run->own[i].note);
        }
    fputs("</table>\n", out);
}

static bool write_html(const lit_run *run, const char *path, char **patterns, int pattern_count)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return false;
    fputs(
        "<!doctype html><meta charset=utf-8><title>The literature, measured again</title>\n"
        "<style>body{font:15px/1.5 system-ui,sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:#222}"
        "svg{display:block;width:100%;max-width:56em}"
        "table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.15em .6em;text-align:left;"
        "border-bottom:1px solid #ddd}.bad td{background:#fde8e8}.bar{display:inline-block;position:relative;width:8em;"
        "height:.7em;margin-left:.5em;background:linear-gradient(90deg,#eee 49.5%,#999 49.5% 50.5%,#eee 50.5%)}"
        ".bar i{position:absolute;top:0;width:4px;margin-left:-2px;height:100%;background:#06c}</style>\n"
        "<h1>The literature, measured again</h1>\n<p>What the documents printed beside what Graze's methods give "
        "today. K "
        "counts, E error rates, B bytes, R ratios of times within one run (divided by their base cell). The bar shows "
        "ours : printed on a logarithmic scale from 1/10 to 10. Empty cells wait for their experiment or are "
        "lost.</p>\n",
        out);
    for (size_t e = 0; e < EXPERIMENTS; e++)
        if (is_wanted(experiments[e].ids, patterns, pattern_count))
        {
            fprintf(out, "<h2>%s</h2>\n<p>%s</p>\n", experiments[e].ids, experiments[e].what);
            lit_draw_plots(run, experiments[e].ids, out);
            write_html_rows(out, run, experiments[e].ids);
        }
    return fclose(out) == 0;
}

static bool run_experiments(lit_run *run, char **patterns, int pattern_count)
{
    bool done = true;
    for (size_t e = 0; e < EXPERIMENTS; e++)
        if (is_wanted(experiments[e].ids, patterns, pattern_count))
        {
            printf("%s\n", experiments[e].ids);
            fflush(stdout);
            if (!experiments[e].run(run))
            {
                fprintf(stderr, "graze-lab: %s failed\n", experiments[e].ids);
                done = false;
            }
        }
    return done && !run->failed;
}

/* Whether each pattern is of some experiment; says which is not, and which there are. */
static bool know_patterns(char **patterns, int pattern_count)
{
    for (int i = 0; i < pattern_count; i++)
    {
        bool known = false;
        for (size_t e = 0; e < EXPERIMENTS; e++)
            known = known || strstr(experiments[e].ids, patterns[i]) != NULL;
        if (known)
            continue;
        fprintf(stderr, "graze-lab: no experiment has '%s' in its name; there are", patterns[i]);
        for (size_t e = 0; e < EXPERIMENTS; e++)
            fprintf(stderr, " %s", experiments[e].ids);
        fputs("\n", stderr);
        return false;
    }
    return true;
}

int lab_literature(int argument_count, char **arguments)
{
    const char *json = NULL, *html = NULL, *plots = NULL;
    lit_run run = {0};
    int pattern_count = 0;
    for (int i = 0; i < argument_count; i++)
    {
        bool has_value = i + 1 < argument_count;
        if (strcmp(arguments[i], "--quick") == 0)
            run.quick = true;
        else if (strcmp(arguments[i], "--json") == 0 && has_value)
            json = arguments[++i];
        else if (strcmp(arguments[i], "--html") == 0 && has_value)
            html = arguments[++i];
        else if (strcmp(arguments[i], "--plots") == 0 && has_value)
            plots = arguments[++i];
        else if (arguments[i][0] == '-')
        {
            fprintf(stderr,
                    "graze-lab: literature [ID...] [--quick] [--json FILE] [--html FILE] [--plots FOLDER], not %s\n",
                    arguments[i]);
            return 2;
        }
        else
            arguments[pattern_count++] = arguments[i];
    }
    if (!know_patterns(arguments, pattern_count))
        return 2;
    run.measured = malloc(lit_printed_count * sizeof *run.measured);
    run.own = malloc(LIT_MOST_OWN * sizeof *run.own);
    if (run.measured == NULL || run.own == NULL)
    {
        free(run.measured);
        free(run.own);
        return 1;
    }
    for (size_t i = 0; i < lit_printed_count; i++)
        run.measured[i] = NAN;
    bool done = run_experiments(&run, arguments, pattern_count);
    say(&run, arguments, pattern_count);
    if (json != NULL)
        done = write_json(&run, json, arguments, pattern_count) && done;
    if (html != NULL)
        done = write_html(&run, html, arguments, pattern_count) && done;
    if (plots != NULL)
        done = lit_write_plots(&run, plots) && done;
    free(run.measured);
    free(run.own);
    return done ? 0 : 1;
}
