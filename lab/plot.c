/* SPDX-License-Identifier: MIT */
/*
 * Plots as SVG: axes with round numbers, one line for each series, its name beside the end of the line, in its colour.
 * Names that would overlap are moved apart. Lines with many points are drawn thin and without dots.
 */
#include "plot.h"

#include <math.h>
#include <stdio.h>

enum
{
    WIDTH = 900,
    HEIGHT = 480,
    LEFT = 70,
    RIGHT = 160,
    TOP = 66,
    BOTTOM = 56,
    LABEL_HEIGHT = 15
};

/* One axis: maps values from lower to upper to coordinates of the plot. */
typedef struct axis
{
    bool is_log;
    double lower, upper; /* their logarithms, on a logarithmic axis */
    double from, to;
} axis;

/* Distinguishable also with red-green blindness; the first is Graze's. */
static const char *const colours[] = {"#d1242f", "#0969da", "#1b7c83", "#8250df", "#bc6c00",
                                      "#57606a", "#0a3069", "#116329", "#bf3989", "#7d4e00"};

static const char *colour_of(const lab_plot *plot, size_t series)
{
    return plot->series[series].is_guide ? "#8c959f" : colours[series % (sizeof colours / sizeof colours[0])];
}

static double scale_of(const axis *a, double value)
{
    return a->is_log ? log10(value) : value;
}

static double pixel_of(const axis *a, double value)
{
    return a->from + (scale_of(a, value) - a->lower) / (a->upper - a->lower) * (a->to - a->from);
}

/* Fits an axis to all values of a plot, x or y. The time axis begins and ends at a power of ten, or at three times
 * one. */
static axis fit_axis(const lab_plot *plot, bool is_x)
{
    axis a = {.is_log = !is_x || plot->log_x, .lower = INFINITY, .upper = -INFINITY};
    for (size_t s = 0; s < plot->series_count; s++)
    {
        for (size_t i = 0; i < plot->series[s].count; i++)
        {
            double value = scale_of(&a, (is_x ? plot->series[s].x : plot->series[s].y)[i]);
            a.lower = fmin(a.lower, value);
            a.upper = fmax(a.upper, value);
        }
    }
    if (!is_x)
    {
        a.lower = floor(2 * a.lower) / 2;
        a.upper = ceil(2 * a.upper) / 2;
    }
    if (!(a.upper > a.lower))
        a.upper = a.lower + 1;
    a.from = is_x ? LEFT : HEIGHT - BOTTOM;
    a.to = is_x ? WIDTH - RIGHT : TOP;
    return a;
}

/* The spacing of about six round numbers. */
static double tick_step(const axis *a)
{
    double rough = (a->upper - a->lower) / 6, power = pow(10, floor(log10(rough)));
    return rough / power > 5 ? 10 * power : rough / power > 2 ? 5 * power : 2 * power;
}

/* 10 ns, 1 us; 0.001, 500, 1,000,000. */
static void print_value(double value, bool is_time, char text[32])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int unit = 0;
    while (is_time && value >= 999.5 && unit < 3)
    {
        value /= 1000;
        unit++;
    }
    if (is_time)
        snprintf(text, 32, "%.3g %s", value, units[unit]);
    else if (value >= 999999.5)
        snprintf(text, 32, "%.0f,%03.0f,%03.0f", floor(value / 1e6), fmod(floor(value / 1e3), 1e3), fmod(value, 1e3));
    else if (value >= 999.5)
        snprintf(text, 32, "%.0f,%03.0f", floor(value / 1e3), fmod(value, 1e3));
    else
        snprintf(text, 32, "%.10g", value);
}

static void write_line(FILE *file, const axis *a, bool is_x, double value, const char *colour)
{
    double at = pixel_of(a, value);
    if (is_x)
        fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\"/>\n", at, TOP, at,
                HEIGHT - BOTTOM, colour);
    else
        fprintf(file, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\"/>\n", LEFT, at, WIDTH - RIGHT,
                at, colour);
}

static void write_tick(FILE *file, const axis *a, bool is_x, bool is_time, double value)
{
    char text[32];
    print_value(value, is_time, text);
    write_line(file, a, is_x, value, "#d0d7de");
    if (is_x)
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", pixel_of(a, value),
                HEIGHT - BOTTOM + 18, text);
    else
        fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 6, pixel_of(a, value) + 4,
                text);
}

/* On a logarithmic axis the powers of ten, with faint lines at twice to nine times them; on a short one twice and five
 * times them have their numbers, too. */
static void write_ticks(FILE *file, const axis *a, bool is_x, bool is_time)
{
    const double slack = 1e-9 * (a->upper - a->lower);
    double step = a->is_log ? 1 : tick_step(a);
    long first = lround(floor(a->lower / step)), last = lround(floor((a->upper + slack) / step));
    for (long k = first; a->is_log && k <= last; k++)
    {
        for (int digit = 2; digit < 10; digit++)
        {
            double value = digit * pow(10, (double)k), at = log10(value);
            if (at < a->lower - slack || at > a->upper + slack)
                continue;
            if (a->upper - a->lower < 1.6 && (digit == 2 || digit == 5))
                write_tick(file, a, is_x, is_time, value);
            else
                write_line(file, a, is_x, value, "#f0f2f4");
        }
    }
    for (long k = first; k <= last; k++)
    {
        if ((double)k * step >= a->lower - slack)
            write_tick(file, a, is_x, is_time, a->is_log ? pow(10, (double)k) : (double)k * step);
    }
}

static void write_series(FILE *file, const lab_plot *plot, size_t which, const axis *x, const axis *y)
{
    const lab_series *series = &plot->series[which];
    const char *colour = colour_of(plot, which);
    bool is_dense = series->count > 100;
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linejoin=\"round\"%s points=\"",
            colour,
            is_dense     ? "0.8"
            : which == 0 ? "2.4"
                         : "1.6",
            series->is_guide ? " stroke-dasharray=\"6 5\"" : "");
    for (size_t i = 0; i < series->count; i++)
        fprintf(file, "%s%.1f,%.1f", i > 0 ? " " : "", pixel_of(x, series->x[i]), pixel_of(y, series->y[i]));
    fprintf(file, "\"/>\n");
    for (size_t i = 0; !is_dense && !series->is_guide && i < series->count; i++)
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", pixel_of(x, series->x[i]),
                pixel_of(y, series->y[i]), colour);
}

/* The position of a line's name: beside its end, or beside the mean of its last tenth if it is dense. */
static double label_place(const lab_series *series, const axis *y)
{
    size_t last = series->count > 100 ? series->count / 10 : 1;
    double sum = 0;
    for (size_t i = series->count - last; i < series->count; i++)
        sum += pixel_of(y, series->y[i]);
    return sum / (double)last;
}

/* Names from top to bottom, each at least a line's height below the one before, all within the plot. */
static void write_labels(FILE *file, const lab_plot *plot, const axis *y)
{
    size_t order[LAB_MOST_SERIES];
    double at[LAB_MOST_SERIES];
    size_t count = 0;
    for (size_t s = 0; s < plot->series_count; s++)
    {
        if (plot->series[s].count == 0)
            continue;
        double wanted = label_place(&plot->series[s], y);
        size_t k = count++;
        for (; k > 0 && at[k - 1] > wanted; k--)
        {
            at[k] = at[k - 1];
            order[k] = order[k - 1];
        }
        at[k] = wanted;
        order[k] = s;
    }
    for (size_t k = 1; k < count; k++)
        at[k] = fmax(at[k], at[k - 1] + LABEL_HEIGHT);
    for (size_t k = 0; k < count; k++)
        at[k] = fmin(at[k], HEIGHT - BOTTOM - LABEL_HEIGHT * (double)(count - 1 - k));
    for (size_t k = 0; k < count; k++)
        fprintf(file, "<text x=\"%d\" y=\"%.1f\" fill=\"%s\"%s>%s</text>\n", WIDTH - RIGHT + 8, at[k] + 4,
                colour_of(plot, order[k]), order[k] == 0 ? " font-weight=\"bold\"" : "", plot->series[order[k]].name);
}

static void write_marks(FILE *file, const lab_plot *plot, const axis *x)
{
    if (plot->mark_count == 0)
        return;
    for (size_t i = 0; i < plot->mark_count; i++)
        fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#1f2328\"/>\n",
                pixel_of(x, plot->marks[i]), TOP - 9, pixel_of(x, plot->marks[i]), TOP - 2);
    fprintf(file, "<text x=\"%d\" y=\"%d\">%s</text>\n", WIDTH - RIGHT + 8, TOP - 2, plot->mark_name);
}

static void write_head(FILE *file, const lab_plot *plot)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"12\" fill=\"#1f2328\">\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(file, "<text x=\"%d\" y=\"24\" font-size=\"16\" font-weight=\"bold\">%s</text>\n", LEFT, plot->title);
    fprintf(file, "<text x=\"%d\" y=\"43\" fill=\"#57606a\">%s</text>\n", LEFT, plot->subtitle);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14,
            plot->x_label);
    fprintf(file, "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2, plot->y_label != NULL ? plot->y_label : "time of a query");
}

void lab_plot_draw(const lab_plot *plot, FILE *file)
{
    axis x = fit_axis(plot, true), y = fit_axis(plot, false);
    write_head(file, plot);
    write_ticks(file, &x, true, false);
    write_ticks(file, &y, false, !plot->is_plain);
    /* The first is drawn last, above the others. */
    for (size_t s = plot->series_count; s-- > 0;)
        write_series(file, plot, s, &x, &y);
    write_labels(file, plot, &y);
    write_marks(file, plot, &x);
    fprintf(file, "</svg>\n");
}

bool lab_plot_write(const lab_plot *plot, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    lab_plot_draw(plot, file);
    return fclose(file) == 0;
}
