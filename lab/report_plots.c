/* SPDX-License-Identifier: MIT */
/*
 * The plots of a report: the time of every query along a flight (Fig. 3 of Klosowski et al.), of Graze and of the best
 * peer; cost against the gap between nested spheres, and against the size of shells, of all engines; Graze's broad
 * phases against number, density and motion of boxes.
 *
 * Where cost is plotted against size, two dashed lines start at Graze's first point: one grows like the number of
 * triangles, one like the size of the answer, so that one sees which of the two a curve follows.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "report.h"

enum
{
    MOST_POINTS = 32
};

static bool write_plot(const lab_plot *plot, const char *folder, const char *name)
{
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    for (char *c = path + strlen(folder) + 1; *c != '\0'; c++)
        *c = *c == '/' ? '-' : *c;
    if (length > 0 && (size_t)length < sizeof path && lab_plot_write(plot, path))
        return true;
    fprintf(stderr, "graze-lab: cannot write %s: %s\n", path, strerror(errno));
    return false;
}

/* Time at each step of the flight. */
static bool fill_flight(const lab_row *row, lab_series *series)
{
    size_t count = row->times.poses;
    double *numbers = malloc(2 * count * sizeof *numbers);
    if (numbers == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        numbers[i] = (double)(i * row->times.stride);
        numbers[count + i] = row->times.each[i] > 0 ? row->times.each[i] : 1;
    }
    *series = (lab_series){row->engine, numbers, numbers + count, count, false};
    return true;
}

/* The steps at which the meshes collide; NULL if there are none. */
static double *find_meetings(const lab_row *row, size_t *out_count)
{
    double *steps = malloc(row->times.poses * sizeof *steps);
    *out_count = 0;
    for (size_t i = 0; steps != NULL && row->met != NULL && i < row->times.poses; i++)
    {
        if (row->met[i])
            steps[(*out_count)++] = (double)i;
    }
    return steps;
}

static bool plot_flight(const lab_report *report, const lab_row *graze, const char *folder)
{
    lab_series series[2];
    const lab_row *best = lab_report_best_peer(report, graze->name);
    size_t count = 0, met_count;
    double *met = find_meetings(graze, &met_count);
    if (fill_flight(graze, &series[0]))
        count = best != NULL && fill_flight(best, &series[1]) ? 2 : 1;
    lab_plot plot = {.title = graze->name,
                     .subtitle = graze->what,
                     .x_label = "step of the flight",
                     .series = series,
                     .series_count = count,
                     .marks = met,
                     .mark_count = met_count,
                     .mark_name = "they meet"};
    bool done = count > 0 && write_plot(&plot, folder, graze->name);
    for (size_t i = 0; i < count; i++)
        free((void *)series[i].x);
    free(met);
    return done;
}

/* A plot of several workloads whose names have a common prefix. */
typedef struct family
{
    const char *prefix, *title, *subtitle, *x_label;
    bool by_size;   /* against the triangles of A; otherwise against the value */
    bool by_answer; /* with a guide line that grows like the answer */
    bool is_frames;
} family;

static const family plotted[] = {
    {"spheres/2000/", "Cost against gap: nested spheres of 2,000 facets", "whether they meet; they never do",
     "gap between the spheres of radius 1 and 1 - gap", false, false, false},
    {"spheres/20000/", "Cost against gap: nested spheres of 20,000 facets", "whether they meet; they never do",
     "gap between the spheres of radius 1 and 1 - gap", false, false, false},
    {"growth/shells/", "Cost against size: shells 0.1 % apart", "whether they meet; the answer is always no",
     "triangles of each shell", true, false, false},
    {"growth/pressed/", "Cost against size: an answer of one size",
     "all pairs; a shell pressed through another until about 32 pairs of triangles meet", "triangles of each shell",
     true, true, false},
    {"growth/cut/", "Cost against size: a cut of one length",
     "all pairs; shells that cross along the same curve, cut into more and more triangles", "triangles of each shell",
     true, true, false},
    {"crossover/count/", "Broad phases against the number of boxes", "all move; each meets two others", "boxes", false,
     false, true},
    {"crossover/density/", "Broad phases against density", "5,000 boxes, all of which move",
     "others that a box meets, on average", false, false, true},
    {"crossover/moving/", "Broad phases against motion", "10,000 boxes; each meets two others", "percent that move",
     false, false, true},
};

/* Buffers for the lines of one plot. */
typedef struct lines
{
    double numbers[LAB_MOST_SERIES][2][MOST_POINTS];
    lab_series series[LAB_MOST_SERIES];
    size_t count;
} lines;

static void add_point(lines *all, const char *name, double x, double y, bool is_guide)
{
    size_t s = 0;
    while (s < all->count && strcmp(all->series[s].name, name) != 0)
        s++;
    if (s == LAB_MOST_SERIES)
        return;
    lab_series *series = &all->series[s];
    if (s == all->count)
    {
        *series = (lab_series){name, all->numbers[s][0], all->numbers[s][1], 0, is_guide};
        all->count++;
    }
    if (series->count == MOST_POINTS)
        return;
    all->numbers[s][0][series->count] = x;
    all->numbers[s][1][series->count++] = y;
}

static double answer_size(const lab_row *row)
{
    return (double)row->agreement.pairs / (double)(row->times.poses > 0 ? row->times.poses : 1);
}

static bool plot_family(const lab_report *report, const family *which, const char *folder)
{
    lines all = {.count = 0};
    const lab_row *first = NULL;
    for (int guides = 0; guides < 2; guides++) /* after the engines, so that Graze keeps the first colour */
    {
        for (size_t i = 0; i < report->count; i++)
        {
            const lab_row *row = &report->rows[i];
            if (strncmp(row->name, which->prefix, strlen(which->prefix)) != 0 || row->ns == 0)
                continue;
            double x = which->by_size ? (double)row->triangles[0] : row->value;
            if (guides == 0)
                add_point(&all, row->engine, x, row->ns, false);
            if (guides == 0 || row->role != LAB_GRAZE)
                continue;
            first = first == NULL ? row : first;
            if (which->by_size)
                add_point(&all, "as the input", x, first->ns * x / (double)first->triangles[0], true);
            if (which->by_answer && answer_size(first) > 0)
                add_point(&all, "as the answer", x, first->ns * answer_size(row) / answer_size(first), true);
        }
    }
    char name[96];
    snprintf(name, sizeof name, "%.*s", (int)strlen(which->prefix) - 1, which->prefix);
    lab_plot plot = {.title = which->title,
                     .subtitle = which->subtitle,
                     .x_label = which->x_label,
                     .y_label = which->is_frames ? "time of a frame" : NULL,
                     .log_x = true,
                     .series = all.series,
                     .series_count = all.count};
    return all.count == 0 || write_plot(&plot, folder, name);
}

bool lab_report_write_plots(const lab_report *report, const char *folder)
{
    bool done = true;
    for (size_t i = 0; i < report->count; i++)
    {
        const lab_row *row = &report->rows[i];
        if (row->role == LAB_GRAZE && strncmp(row->name, "flight/", 7) == 0)
            done = plot_flight(report, row, folder) && done;
    }
    for (size_t i = 0; i < sizeof plotted / sizeof plotted[0]; i++)
        done = plot_family(report, &plotted[i], folder) && done;
    return done;
}
