/* SPDX-License-Identifier: MIT */
/*
 * Plots as SVG: axes with round numbers, one line for each series, its name where the line ends. Lines with many
 * points are drawn thin.
 */
#include "plot.h"

#include <math.h>
#include <stdio.h>

enum
{
    WIDTH = 900,
    HEIGHT = 480,
    LEFT = 80,
    RIGHT = 170,
    TOP = 48,
    BOTTOM = 56
};

/* One axis: values from lower to upper lie between two places on the paper. */
typedef struct axis
{
    bool is_log;
    double lower, upper; /* their logarithms, on a logarithmic axis */
    double from, to;
} axis;

static const char *const colours[] = {"#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b",
                                      "#17becf", "#7f7f7f", "#bcbd22", "#e377c2", "#000000"};

static double scale_of(const axis *a, double value)
{
    return a->is_log ? log10(value) : value;
}

static double place(const axis *a, double value)
{
    return a->from + (scale_of(a, value) - a->lower) / (a->upper - a->lower) * (a->to - a->from);
}

/* Fits an axis around all values of a plot, x or y. */
static axis fit_axis(const lab_plot *plot, bool is_x)
{
    axis a = {.is_log = is_x ? plot->log_x : plot->log_y, .lower = INFINITY, .upper = -INFINITY};
    for (size_t s = 0; s < plot->series_count; s++)
    {
        for (size_t i = 0; i < plot->series[s].count; i++)
        {
            double value = scale_of(&a, (is_x ? plot->series[s].x : plot->series[s].y)[i]);
            a.lower = fmin(a.lower, value);
            a.upper = fmax(a.upper, value);
        }
    }
    if (a.is_log && !is_x)
    {
        a.lower = floor(a.lower);
        a.upper = ceil(a.upper);
    }
    if (!(a.upper > a.lower))
        a.upper = a.lower + 1;
    a.from = is_x ? LEFT : HEIGHT - BOTTOM;
    a.to = is_x ? WIDTH - RIGHT : TOP;
    return a;
}

/* The distance of round numbers of which there are about six. */
static double tick_step(const axis *a)
{
    double rough = (a->upper - a->lower) / 6, power = pow(10, floor(log10(rough)));
    return rough / power > 5 ? 10 * power : rough / power > 2 ? 5 * power : 2 * power;
}

static void write_tick(FILE *file, const axis *a, bool is_x, double value)
{
    double at = place(a, value);
    if (is_x)
        fprintf(file,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.10g</text>\n",
                at, TOP, at, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 18, value);
    else
        fprintf(file,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.10g</text>\n",
                LEFT, at, WIDTH - RIGHT, at, LEFT - 6, at + 4, value);
}

static void write_ticks(FILE *file, const axis *a, bool is_x)
{
    const double slack = 1e-9 * (a->upper - a->lower);
    double step = a->is_log ? 1 : tick_step(a);
    long last = lround(floor((a->upper + slack) / step));
    for (long k = lround(ceil((a->lower - slack) / step)); k <= last; k++)
        write_tick(file, a, is_x, a->is_log ? pow(10, (double)k) : (double)k * step);
}

static void write_series(FILE *file, const lab_series *series, const char *colour, const axis *x, const axis *y)
{
    bool is_dense = series->count > 100;
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" points=\"", colour,
            is_dense ? "0.7" : "1.6");
    for (size_t i = 0; i < series->count; i++)
        fprintf(file, "%.1f,%.1f ", place(x, series->x[i]), place(y, series->y[i]));
    fprintf(file, "\"/>\n");
    for (size_t i = 0; !is_dense && i < series->count; i++)
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", place(x, series->x[i]),
                place(y, series->y[i]), colour);
}

static void write_legend(FILE *file, const lab_plot *plot)
{
    for (size_t s = 0; s < plot->series_count; s++)
    {
        int y = TOP + 10 + 18 * (int)s;
        fprintf(file,
                "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>\n",
                WIDTH - RIGHT + 14, y, colours[s % (sizeof colours / sizeof colours[0])], WIDTH - RIGHT + 34, y + 6,
                plot->series[s].name);
    }
}

bool lab_plot_write(const lab_plot *plot, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    axis x = fit_axis(plot, true), y = fit_axis(plot, false);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(file, "<text x=\"%d\" y=\"26\" font-size=\"16\">%s</text>\n", LEFT, plot->title);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14,
            plot->x_label);
    fprintf(file, "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n", HEIGHT / 2,
            plot->y_label);
    write_ticks(file, &x, true);
    write_ticks(file, &y, false);
    /* The first is drawn last, above the others. */
    for (size_t s = plot->series_count; s-- > 0;)
        write_series(file, &plot->series[s], colours[s % (sizeof colours / sizeof colours[0])], &x, &y);
    write_legend(file, plot);
    fprintf(file, "</svg>\n");
    return fclose(file) == 0;
}
