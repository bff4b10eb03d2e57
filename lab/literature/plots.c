/* SPDX-License-Identifier: MIT */
/*
 * Plots of the experiments: curves through cells whose names have a number in them. In a template @s stands for the
 * name of a curve and @x for the number. Dashed beside a curve is what the document prints.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "literature/literature.h"
#include "plot.h"

enum
{
    MOST_POINTS = 10,
    MOST_CURVES = 6
};

typedef struct lit_plot
{
    const char *id, *name; /* of its file */
    const char *title, *subtitle, *x_label, *y_label, *template;
    double unit; /* of times: nanoseconds of 1; 0: plain numbers */
    bool log_x, printed;
    const char *curves[MOST_CURVES], *xs[MOST_POINTS];
} lit_plot;

static const lit_plot plots[] = {
    {.id = "001/table-6",
     .name = "nested-spheres",
     .title = "Overlap tests of nested spheres",
     .subtitle = "2,000 facets, radii 1 and 1 - a; dashed: printed (Klosowski et al. 1998, Table 6)",
     .x_label = "gap a",
     .y_label = "overlap tests",
     .template = "@s, 2000, a @x",
     .log_x = true,
     .printed = true,
     .curves = {"6-dop", "14-dop", "18-dop", "26-dop", "RAPID"},
     .xs = {".0001", ".00055", ".001", ".0055", ".01", ".055", ".1"}},
    {.id = "001/table-7",
     .name = "nested-spheres-20000",
     .title = "Overlap tests of nested spheres",
     .subtitle = "20,000 facets, radii 1 and 1 - a; dashed: printed (Klosowski et al. 1998, Table 7)",
     .x_label = "gap a",
     .y_label = "overlap tests",
     .template = "@s, 20000, a @x",
     .log_x = true,
     .printed = true,
     .curves = {"6-dop", "14-dop", "18-dop", "26-dop", "RAPID"},
     .xs = {".0001", ".00055", ".001", ".0055", ".01", ".055", ".1"}},
    {.id = "001/table-2",
     .name = "directions",
     .title = "Time of a query by the number of directions",
     .subtitle = "flights through environments, all contacts",
     .x_label = "directions k",
     .y_label = "time of a query",
     .template = "@s, @x-dop",
     .unit = 1e6,
     .curves = {"Torus", "747", "Swept", "Interior", "Pipes"},
     .xs = {"6", "14", "18", "26"}},
    {.id = "000/planes-eta",
     .name = "planes-eta",
     .title = "Separating planes that give up",
     .subtitle = "two cones of 100 faces; the axes of Zachmann 1994, Fig 3.15",
     .x_label = "update parameter eta",
     .y_label = "false collisions, % of the frames",
     .template = "@s, eta @x",
     .log_x = true,
     .curves = {"limit 10", "limit 100", "limit 1000"},
     .xs = {"0.003", "0.007", "0.03", "0.1", "0.25", "1"}},
    {.id = "000/planes-relax",
     .name = "planes-relaxation",
     .title = "Separating planes, eta relaxed",
     .subtitle = "the best eta of each limit, times rho at each update; the axes of Zachmann 1994, Fig 3.16",
     .x_label = "rho",
     .y_label = "false collisions, % of the frames",
     .template = "@s, rho @x",
     .curves = {"limit 10", "limit 100", "limit 1000"},
     .xs = {"0.9", "0.94", "0.97", "0.99", "1"}},
    {.id = "000/box-tree",
     .name = "box-tree",
     .title = "Edges against faces : box-tree",
     .subtitle = "above 1 the tree wins; dashed: printed (Zachmann 1994, 3.6)",
     .x_label = "faces of each body",
     .y_label = "ratio of times",
     .template = "@s, @x faces, conventional : box-tree",
     .log_x = true,
     .printed = true,
     .curves = {"spheres", "tori", "flakes"},
     .xs = {"50", "100", "500", "1000"}},
    {.id = "000/box-tree-depth",
     .name = "box-tree-depth",
     .title = "Box-trees by their depth",
     .subtitle = "two bodies of about 500 faces; the axes of Zachmann 1994, Figs 3.32 to 3.34",
     .x_label = "greatest depth",
     .y_label = "time : that of depth 1",
     .template = "@s, depth @x, time : depth 1",
     .curves = {"spheres", "tori", "flakes"},
     .xs = {"1", "3", "5", "7", "9", "12"}},
    {.id = "000/octree-time",
     .name = "octree",
     .title = "Three ways of moving in an octree",
     .subtitle = "100 boxes of side 1 in a cube of side 10; the axes of Zachmann 1994, Figs 5.13 and 5.14",
     .x_label = "depth",
     .y_label = "time of a frame",
     .template = "depth @x, @s, us a frame",
     .unit = 1e3,
     .curves = {"box difference", "octant arrays", "naive"},
     .xs = {"2", "3", "4", "5"}},
    {.id = "000/grid-time",
     .name = "grid",
     .title = "Three data structures of a grid",
     .subtitle = "100 boxes of side 1 in a cube of side 10; the axes of Zachmann 1994, Fig 5.20",
     .x_label = "cells on an axis",
     .y_label = "time of a frame",
     .template = "@x^3, @s, us a frame",
     .unit = 1e3,
     .log_x = true,
     .curves = {"simple", "simple, equal boxes first", "with indices"},
     .xs = {"4", "8", "16", "32", "64"}},
    {.id = "000/grid-oriented",
     .name = "grid-oriented",
     .title = "Pairs that a grid leaves, by boxes in the cells",
     .subtitle = "oriented boxes meet fewer cells; the axes of Zachmann 1994, Fig 5.21",
     .x_label = "cells on an axis",
     .y_label = "pairs that share a cell",
     .template = "@x^3, @s, pairs a frame",
     .log_x = true,
     .curves = {"aligned", "oriented"},
     .xs = {"4", "8", "16", "32"}},
    {.id = "000/grid-tetrahedra",
     .name = "grid-tetrahedra",
     .title = "Tetrahedra in a cage",
     .subtitle = "every pair tested exactly, behind boxes, and behind a grid; the axes of Zachmann 1994, Fig 5.22",
     .x_label = "tetrahedra",
     .y_label = "time of a frame",
     .template = "@x, @s, us a frame",
     .unit = 1e3,
     .log_x = true,
     .curves = {"boxes", "grid 8^3", "no check"},
     .xs = {"10", "25", "50", "100"}},
    {.id = "000/coarse",
     .name = "coarse",
     .title = "Pairs on several threads",
     .subtitle = "by the clock: worth what the machine's idle processors are; the axes of Zachmann 1994, Fig 6.3",
     .x_label = "threads",
     .y_label = "speed-up",
     .template = "@s, @x threads, speed-up",
     .curves = {"arbitrary", "box-tree", "convex", "100 tetrahedra"},
     .xs = {"1", "2", "3", "4"}},
    {.id = "002/table-2",
     .name = "cars",
     .title = "Two cars by CD",
     .subtitle = "by the number of triangles that a patch may have; dashed: printed (Daneu 2001, Table 2; Celeron 433)",
     .x_label = "triangles of a patch, at most",
     .y_label = "time of a query",
     .template = "limit @x, @s poses",
     .unit = 1e6,
     .printed = true,
     .curves = {"colliding", "free"},
     .xs = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}},
};

/* Replaces @s and @x. */
static void name_cell(const lit_plot *plot, const char *curve, const char *x, char out[96])
{
    size_t length = 0;
    for (const char *c = plot->template; *c != '\0' && length < 95; c++)
    {
        const char *text = c[0] == '@' ? (c[1] == 's' ? curve : x) : NULL;
        if (text == NULL)
        {
            out[length++] = *c;
            continue;
        }
        for (; *text != '\0' && length < 95; text++)
            out[length++] = *text;
        c++;
    }
    out[length] = '\0';
}

/* What is measured, or printed, in a cell; NaN where there is nothing. */
static double value_of(const lit_run *run, const char *id, const char *cell, bool printed)
{
    for (size_t i = 0; i < lit_printed_count; i++)
        if (strcmp(lit_printed_cells[i].id, id) == 0 && strcmp(lit_printed_cells[i].cell, cell) == 0)
            return printed ? lit_printed_cells[i].printed : run->measured[i];
    for (size_t i = 0; i < run->own_count && !printed; i++)
        if (strcmp(run->own[i].id, id) == 0 && strcmp(run->own[i].cell, cell) == 0)
            return run->own[i].ours;
    return NAN;
}

/* Points of one curve, ours or the printed ones. The axis is logarithmic: zeros are left out. */
typedef struct curve_points
{
    double x[MOST_POINTS], y[MOST_POINTS];
    size_t count;
} curve_points;

static void find_points(const lit_run *run, const lit_plot *plot, const char *curve, bool printed, curve_points *out)
{
    double unit = plot->unit > 0 ? plot->unit : 1;
    out->count = 0;
    for (size_t i = 0; i < MOST_POINTS && plot->xs[i] != NULL; i++)
    {
        char cell[96];
        name_cell(plot, curve, plot->xs[i], cell);
        double y = value_of(run, plot->id, cell, printed);
        if (!(y > 0))
            continue;
        out->x[out->count] = strtod(plot->xs[i], NULL);
        out->y[out->count++] = y * unit;
    }
}

/* Fills a plot for lab_plot_draw; false where nothing was measured. */
static bool prepare(const lit_run *run, const lit_plot *plot, curve_points points[2 * MOST_CURVES],
                    lab_series series[2 * MOST_CURVES], lab_plot *out)
{
    size_t count = 0;
    bool any = false;
    for (int printed = 0; printed < (plot->printed ? 2 : 1); printed++)
        for (size_t c = 0; c < MOST_CURVES && plot->curves[c] != NULL; c++)
        {
            find_points(run, plot, plot->curves[c], printed == 1, &points[count]);
            if (points[count].count == 0)
                continue;
            any = any || printed == 0;
            series[count] = (lab_series){printed == 1 ? "" : plot->curves[c], points[count].x, points[count].y,
                                         points[count].count, printed == 1};
            count++;
        }
    *out = (lab_plot){.title = plot->title,
                      .subtitle = plot->subtitle,
                      .x_label = plot->x_label,
                      .y_label = plot->y_label,
                      .log_x = plot->log_x,
                      .is_plain = !(plot->unit > 0),
                      .series = series,
                      .series_count = count};
    return any;
}

void lit_draw_plots(const lit_run *run, const char *ids, FILE *file)
{
    for (size_t p = 0; p < sizeof plots / sizeof plots[0]; p++)
    {
        curve_points points[2 * MOST_CURVES];
        lab_series series[2 * MOST_CURVES];
        lab_plot plot;
        if (strstr(ids, plots[p].id) != NULL && prepare(run, &plots[p], points, series, &plot))
            lab_plot_draw(&plot, file);
    }
}

bool lit_write_plots(const lit_run *run, const char *folder)
{
    bool done = true;
    for (size_t p = 0; p < sizeof plots / sizeof plots[0]; p++)
    {
        curve_points points[2 * MOST_CURVES];
        lab_series series[2 * MOST_CURVES];
        lab_plot plot;
        char path[1024];
        int length = snprintf(path, sizeof path, "%s/plot-%s.svg", folder, plots[p].name);
        if (prepare(run, &plots[p], points, series, &plot))
            done = length > 0 && (size_t)length < sizeof path && lab_plot_write(&plot, path) && done;
    }
    return done;
}
