/* SPDX-License-Identifier: MIT */
/*
 * Which plots a report has: the time of every query along a flight (Fig. 3 of Klosowski et al.), of Graze and of the
 * best peer; cost against the gap between nested spheres and against the size of shells, of all engines.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "report.h"

enum
{
    MOST_SERIES = 16,
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

/* Time in microseconds at each step of the flight. */
static bool fill_flight(const lab_row *row, lab_series *series)
{
    size_t count = row->times.poses;
    double *numbers = malloc(2 * count * sizeof *numbers);
    if (numbers == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        numbers[i] = (double)(i * row->times.stride);
        numbers[count + i] = row->times.each[i] > 0 ? row->times.each[i] / 1000 : 0.001;
    }
    *series = (lab_series){row->engine->name, numbers, numbers + count, count};
    return true;
}

static bool plot_flight(const lab_report *report, const lab_row *graze, const char *folder)
{
    lab_series series[2];
    const lab_row *best = lab_report_best_peer(report, graze->name);
    size_t count = 0;
    if (fill_flight(graze, &series[0]))
        count = best != NULL && fill_flight(best, &series[1]) ? 2 : 1;
    lab_plot plot = {graze->name, "step", "microseconds", false, true, series, count};
    bool done = count > 0 && write_plot(&plot, folder, graze->name);
    for (size_t i = 0; i < count; i++)
        free((void *)series[i].x);
    return done;
}

/* All workloads whose names begin alike, one line for each engine: time in microseconds against size or value. */
static bool plot_family(const lab_report *report, const char *prefix, bool by_size, const char *x_label,
                        const char *folder)
{
    double numbers[MOST_SERIES][2][MOST_POINTS];
    lab_series series[MOST_SERIES];
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++)
    {
        const lab_row *row = &report->rows[i];
        if (strncmp(row->name, prefix, strlen(prefix)) != 0 || row->ns == 0)
            continue;
        size_t s = 0;
        while (s < count && strcmp(series[s].name, row->engine->name) != 0)
            s++;
        if (s == MOST_SERIES)
            continue;
        if (s == count)
            series[count++] = (lab_series){row->engine->name, numbers[s][0], numbers[s][1], 0};
        if (series[s].count == MOST_POINTS)
            continue;
        numbers[s][0][series[s].count] = by_size ? (double)row->triangles[0] : row->workload->value;
        numbers[s][1][series[s].count++] = row->ns / 1000;
    }
    lab_plot plot = {prefix, x_label, "microseconds", true, true, series, count};
    char name[96];
    snprintf(name, sizeof name, "%.*s", (int)strlen(prefix) - 1, prefix);
    plot.title = name;
    return count == 0 || write_plot(&plot, folder, name);
}

bool lab_report_write_plots(const lab_report *report, const char *folder)
{
    bool done = true;
    for (size_t i = 0; i < report->count; i++)
    {
        const lab_row *row = &report->rows[i];
        if (!lab_row_is_peer(row) && strncmp(row->name, "flight/", 7) == 0)
            done = plot_flight(report, row, folder) && done;
    }
    done = plot_family(report, "spheres/2000/", false, "gap between the spheres", folder) && done;
    done = plot_family(report, "spheres/20000/", false, "gap between the spheres", folder) && done;
    return plot_family(report, "growth/shells/", true, "triangles of each shell", folder) && done;
}
