/* SPDX-License-Identifier: MIT */
/* Fragments of triangles, segments and discs; see fragments.h. */
#include "picture/fragments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SUBSAMPLES = 256 /* steps of a coordinate between two samples */
};

bool band_create(fragment_band *band, unsigned width, unsigned rows)
{
    *band = (fragment_band){.width = width, .rows = rows};
    band->first = malloc(sizeof *band->first * width * rows);
    return band->first != NULL;
}

void band_release(fragment_band *band)
{
    free(band->first);
    free(band->fragments);
}

void band_clear(fragment_band *band, unsigned top)
{
    band->top = top;
    band->count = 0;
    memset(band->first, 0xff, sizeof *band->first * band->width * band->rows);
}

/* Makes room, so that a primitive need not ask for every fragment. */
static bool reserve(fragment_band *band, size_t more)
{
    if (band->count + more <= band->capacity)
        return true;
    size_t capacity = band->count + more + band->capacity / 2 + 4096;
    fragment *grown = capacity < NO_FRAGMENT ? realloc(band->fragments, capacity * sizeof *grown) : NULL;
    if (grown == NULL)
        return false;
    band->fragments = grown;
    band->capacity = capacity;
    return true;
}

static void add(fragment_band *band, const primitive *drawn, int x, int row, double w)
{
    uint32_t *first = &band->first[(size_t)row * band->width + (size_t)x];
    band->fragments[band->count] = (fragment){(float)w, drawn->kind, drawn->shade, *first};
    *first = (uint32_t)band->count++;
}

/* Samples from lower to upper, within the band. */
typedef struct sample_box
{
    int left, right, top, bottom;
} sample_box;

static bool samples_between(const fragment_band *band, double left, double right, double top, double bottom,
                            sample_box *out)
{
    double last_row = (double)(band->top + band->rows) - 1, last = (double)band->width - 1;
    if (!(right >= 0 && left <= last + 1 && bottom >= band->top && top <= last_row + 1))
        return false;
    out->left = (int)fmax(0, floor(left) - 1);
    out->right = (int)fmin(last, ceil(right));
    out->top = (int)fmax(band->top, floor(top) - 1);
    out->bottom = (int)fmin(last_row, ceil(bottom));
    return out->left <= out->right && out->top <= out->bottom;
}

/* A line through two corners: a sample is inside when value > 0, or 0 on a top or left edge. */
typedef struct edge_line
{
    int64_t step_x, step_y, value; /* value at the current row's first sample */
} edge_line;

static edge_line line_of(const int64_t p[2], const int64_t q[2], int left, int top)
{
    int64_t dx = q[0] - p[0], dy = q[1] - p[1];
    bool takes_zero = dy < 0 || (dy == 0 && dx > 0);
    int64_t x = (int64_t)left * SUBSAMPLES + SUBSAMPLES / 2, y = (int64_t)top * SUBSAMPLES + SUBSAMPLES / 2;
    return (edge_line){-dy * SUBSAMPLES, dx * SUBSAMPLES, dx * (y - p[1]) - dy * (x - p[0]) - (takes_zero ? 0 : 1)};
}

/* The depth as a plane over the picture. */
typedef struct depth_plane
{
    double at, step_x, step_y;
} depth_plane;

static depth_plane plane_of(const screen_point *c, const double range[2])
{
    double ux = c[1].x - c[0].x, uy = c[1].y - c[0].y, vx = c[2].x - c[0].x, vy = c[2].y - c[0].y;
    double det = ux * vy - uy * vx, uw = c[1].w - c[0].w, vw = c[2].w - c[0].w;
    depth_plane plane = {0.5 * (range[0] + range[1]), 0, 0};
    if (det == 0)
        return plane;
    plane.step_x = (uw * vy - vw * uy) / det;
    plane.step_y = (vw * ux - uw * vx) / det;
    plane.at = c[0].w - plane.step_x * c[0].x - plane.step_y * c[0].y;
    return plane;
}

static void fill_row(fragment_band *band, const primitive *drawn, const edge_line lines[3], const sample_box *box,
                     int y, const depth_plane *depth, const double range[2])
{
    int64_t e0 = lines[0].value, e1 = lines[1].value, e2 = lines[2].value;
    for (int x = box->left; x <= box->right; x++, e0 += lines[0].step_x, e1 += lines[1].step_x, e2 += lines[2].step_x)
    {
        if ((e0 | e1 | e2) < 0)
            continue;
        double w = depth->at + depth->step_x * (x + 0.5) + depth->step_y * (y + 0.5);
        add(band, drawn, x, y - (int)band->top, w < range[0] ? range[0] : w > range[1] ? range[1] : w);
    }
}

/* Narrows the samples of a row to those a line leaves inside, up to one at each end. */
static void narrow(const edge_line *line, sample_box *row, int left)
{
    if (line->step_x == 0)
        return;
    double x = left - (double)line->value / (double)line->step_x; /* where the line is crossed */
    if (line->step_x > 0 && x - 1 > row->left)
        row->left = x - 1 > row->right ? row->right + 1 : (int)(x - 1);
    else if (line->step_x < 0 && x + 1 < row->right)
        row->right = x + 1 < row->left ? row->left - 1 : (int)(x + 1);
}

static double least(double a, double b, double c)
{
    double two = a < b ? a : b;
    return two < c ? two : c;
}

static double most(double a, double b, double c)
{
    double two = a > b ? a : b;
    return two > c ? two : c;
}

static bool draw_triangle(fragment_band *band, const primitive *drawn)
{
    const screen_point *c = drawn->corners;
    sample_box box;
    if (!samples_between(band, least(c[0].x, c[1].x, c[2].x), most(c[0].x, c[1].x, c[2].x),
                         least(c[0].y, c[1].y, c[2].y), most(c[0].y, c[1].y, c[2].y), &box))
        return true;
    int64_t p[3][2];
    for (int i = 0; i < 3; i++)
    {
        p[i][0] = (int64_t)floor(c[i].x * SUBSAMPLES + 0.5);
        p[i][1] = (int64_t)floor(c[i].y * SUBSAMPLES + 0.5);
    }
    int64_t area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
    if (area == 0)
        return true;
    int second = area > 0 ? 1 : 2, third = 3 - second;
    edge_line lines[3] = {line_of(p[0], p[second], box.left, box.top), line_of(p[second], p[third], box.left, box.top),
                          line_of(p[third], p[0], box.left, box.top)};
    const double range[2] = {least(c[0].w, c[1].w, c[2].w), most(c[0].w, c[1].w, c[2].w)};
    depth_plane depth = plane_of(c, range);
    for (int y = box.top; y <= box.bottom; y++)
    {
        sample_box row = box;
        for (int i = 0; i < 3; i++)
            narrow(&lines[i], &row, box.left);
        if (row.left <= row.right)
        {
            edge_line at[3];
            for (int i = 0; i < 3; i++)
            {
                at[i] = lines[i];
                at[i].value += (row.left - box.left) * lines[i].step_x;
            }
            if (!reserve(band, 1 + (size_t)(row.right - row.left)))
                return false;
            fill_row(band, drawn, at, &row, y, &depth, range);
        }
        for (int i = 0; i < 3; i++)
            lines[i].value += lines[i].step_y;
    }
    return true;
}

/* Samples within half the width of a segment, or of a point. */
static bool draw_thick(fragment_band *band, const primitive *drawn)
{
    const screen_point *p = &drawn->corners[0], *q = &drawn->corners[drawn->corner_count - 1];
    double half = 0.5 * (double)drawn->width, dx = q->x - p->x, dy = q->y - p->y, length_sq = dx * dx + dy * dy;
    sample_box box;
    if (!samples_between(band, fmin(p->x, q->x) - half, fmax(p->x, q->x) + half, fmin(p->y, q->y) - half,
                         fmax(p->y, q->y) + half, &box))
        return true;
    double steep = fabs(dy) > fabs(dx) ? 0 : 1;
    for (int y = box.top; y <= box.bottom; y++)
    {
        int left = box.left, right = box.right;
        if (dy != 0) /* the part of the segment's strip in this row */
        {
            double reach = half * sqrt(length_sq) / fabs(dy) + fabs(dx / dy) * 0.5 + half + 1 + steep;
            double x = p->x + dx / dy * (y + 0.5 - p->y);
            left = (int)fmax(left, floor(fmin(fmax(x - reach, -1), right + 1.0)));
            right = (int)fmin(right, ceil(fmax(fmin(x + reach, right), left - 1.0)));
        }
        if (left > right)
            continue;
        if (!reserve(band, 1 + (size_t)(right - left)))
            return false;
        for (int x = left; x <= right; x++)
        {
            double px = x + 0.5 - p->x, py = y + 0.5 - p->y;
            double t = length_sq > 0 ? (px * dx + py * dy) / length_sq : 0;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            double ex = px - t * dx, ey = py - t * dy;
            if (ex * ex + ey * ey <= half * half)
                add(band, drawn, x, y - (int)band->top, p->w + t * (q->w - p->w));
        }
    }
    return true;
}

bool band_draw(fragment_band *band, const primitive *drawn)
{
    return drawn->corner_count == 3 ? draw_triangle(band, drawn) : draw_thick(band, drawn);
}
