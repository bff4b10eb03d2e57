/* SPDX-License-Identifier: MIT */
/* Bodies by the cells of the arrangement of their planes; see arrangement.h. */
#include "arrangement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_PLANES = 22, /* including the six of the box around everything */
    MOST_CELLS = 600,
    MOST_CORNERS = 48, /* of a cell */
    REACH = 64,        /* largest coordinate, in halves */
    SAMPLE_BITS = 24   /* of the fraction of sample points */
};

__extension__ typedef __int128 wide;

/* n . x + d = 0, in halves. */
typedef struct plane
{
    int64_t n[3], d;
} plane;

/* A corner of a cell: homogeneous, w > 0; and the planes it lies on. */
typedef struct corner
{
    wide x[4];
    uint32_t planes;
} corner;

typedef struct cell
{
    int count;
    corner corners[MOST_CORNERS];
} cell;

typedef struct arrangement
{
    int64_t points[2][SMALL_VERTICES][3];
    const small_mesh *shapes;
    plane planes[MOST_PLANES];
    int plane_count;
    cell cells[MOST_CELLS];
    size_t cell_count;
    bool failed; /* a limit was exceeded */
} arrangement;

/* ---- planes ---- */

/* The placed corner in halves; false unless it is a small integer. */
static bool place(const double *vertex, const graze_pose *pose, int64_t out[3])
{
    for (int row = 0; row < 3; row++)
    {
        const double *m = &pose->m[4 * row];
        double sum = m[3];
        for (int k = 0; k < 3; k++)
        {
            if (!(fabs(m[k]) <= 16 && m[k] == floor(m[k]) && fabs(vertex[k]) <= 32 &&
                  2 * vertex[k] == floor(2 * vertex[k])))
                return false;
            sum += m[k] * vertex[k];
        }
        if (!(fabs(m[3]) <= 32 && 2 * m[3] == floor(2 * m[3]) && fabs(2 * sum) < REACH))
            return false;
        out[row] = (int64_t)(2 * sum);
    }
    return true;
}

static int64_t divisor(int64_t a, int64_t b)
{
    while (b != 0)
    {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static void add_plane(arrangement *all, plane p)
{
    int64_t factor = divisor(divisor(p.n[0], p.n[1]), divisor(p.n[2], p.d));
    if (p.n[0] == 0 && p.n[1] == 0 && p.n[2] == 0)
        return;
    if (p.n[0] < 0 || (p.n[0] == 0 && (p.n[1] < 0 || (p.n[1] == 0 && p.n[2] < 0))))
        factor = -factor;
    for (int k = 0; k < 3; k++)
        p.n[k] /= factor;
    p.d /= factor;
    for (int i = 0; i < all->plane_count; i++)
        if (memcmp(&all->planes[i], &p, sizeof p) == 0)
            return;
    if (all->plane_count == MOST_PLANES)
        all->failed = true;
    else
        all->planes[all->plane_count++] = p;
}

static plane plane_of(const int64_t *a, const int64_t *b, const int64_t *c)
{
    int64_t u[3], v[3];
    for (int k = 0; k < 3; k++)
    {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    plane p = {{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]}, 0};
    p.d = -(p.n[0] * a[0] + p.n[1] * a[1] + p.n[2] * a[2]);
    return p;
}

static void take_planes(arrangement *all)
{
    for (int i = 0; i < 6; i++)
    {
        plane side = {{0, 0, 0}, i % 2 == 0 ? REACH + 1 : -REACH - 1};
        side.n[i / 2] = 1;
        add_plane(all, side);
    }
    for (int s = 0; s < 2; s++)
        for (uint32_t t = 0; t < all->shapes[s].triangle_count; t++)
        {
            const uint32_t *v = all->shapes[s].triangles[t];
            add_plane(all, plane_of(all->points[s][v[0]], all->points[s][v[1]], all->points[s][v[2]]));
        }
}

/* ---- cells ---- */

static wide height(const plane *p, const corner *at)
{
    return p->n[0] * at->x[0] + p->n[1] * at->x[1] + p->n[2] * at->x[2] + p->d * at->x[3];
}

static void start_cell(cell *whole)
{
    whole->count = 8;
    for (int i = 0; i < 8; i++)
    {
        corner *at = &whole->corners[i];
        at->planes = 0;
        at->x[3] = 1;
        for (int k = 0; k < 3; k++)
        {
            bool upper = (i >> k & 1) != 0;
            at->x[k] = upper ? REACH + 1 : -REACH - 1;
            at->planes |= 1u << (2 * k + upper);
        }
    }
}

/* Whether two corners are joined by an edge of the cell: no third corner lies on all planes of both. */
static bool is_edge(const cell *c, int i, int j)
{
    uint32_t common = c->corners[i].planes & c->corners[j].planes;
    if (__builtin_popcount(common) < 2)
        return false;
    for (int k = 0; k < c->count; k++)
        if (k != i && k != j && (c->corners[k].planes & common) == common)
            return false;
    return true;
}

static wide wide_divisor(wide a, wide b)
{
    while (b != 0)
    {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* The intersection of the plane with an edge from height s > 0 to height t < 0. */
static corner cut(const corner *from, wide s, const corner *to, wide t, uint32_t planes)
{
    corner at = {.planes = planes};
    wide common = 0;
    for (int k = 0; k < 4; k++)
    {
        at.x[k] = s * to->x[k] - t * from->x[k];
        common = wide_divisor(common, at.x[k]);
    }
    for (int k = 0; k < 4; k++)
        at.x[k] /= common;
    return at;
}

static void add_corner(arrangement *all, cell *c, const corner *at)
{
    if (c->count == MOST_CORNERS)
        all->failed = true;
    else
        c->corners[c->count++] = *at;
}

static void split(arrangement *all, size_t index, int number)
{
    cell *whole = &all->cells[index];
    wide heights[MOST_CORNERS];
    bool above = false, below = false;
    for (int i = 0; i < whole->count; i++)
    {
        heights[i] = height(&all->planes[number], &whole->corners[i]);
        above = above || heights[i] > 0;
        below = below || heights[i] < 0;
        if (heights[i] == 0)
            whole->corners[i].planes |= 1u << number;
    }
    if (!above || !below)
        return;
    if (all->cell_count == MOST_CELLS)
    {
        all->failed = true;
        return;
    }
    static cell upper;
    cell *lower = &all->cells[all->cell_count++];
    upper.count = lower->count = 0;
    for (int i = 0; i < whole->count; i++)
    {
        if (heights[i] >= 0)
            add_corner(all, &upper, &whole->corners[i]);
        if (heights[i] <= 0)
            add_corner(all, lower, &whole->corners[i]);
        for (int j = 0; j < whole->count && heights[i] > 0; j++)
            if (heights[j] < 0 && is_edge(whole, i, j))
            {
                uint32_t planes = (whole->corners[i].planes & whole->corners[j].planes) | 1u << number;
                corner at = cut(&whole->corners[i], heights[i], &whole->corners[j], heights[j], planes);
                add_corner(all, &upper, &at);
                add_corner(all, lower, &at);
            }
    }
    *whole = upper;
}

/* ---- sample points ---- */

/* A point strictly inside the cell, in units of 2^-SAMPLE_BITS halves; false if rounding moved it out. */
static bool sample(const arrangement *all, const cell *c, int64_t out[3])
{
    for (int k = 0; k < 3; k++)
    {
        double sum = 0;
        for (int i = 0; i < c->count; i++)
            sum += (double)c->corners[i].x[k] / (double)c->corners[i].x[3];
        out[k] = llround(ldexp(sum / c->count, SAMPLE_BITS));
    }
    corner at = {{out[0], out[1], out[2], (wide)1 << SAMPLE_BITS}, 0};
    for (int p = 0; p < all->plane_count; p++)
    {
        wide side = height(&all->planes[p], &at);
        for (int i = 0; i < c->count; i++)
        {
            wide other = height(&all->planes[p], &c->corners[i]);
            if (side == 0 || (side > 0 && other < 0) || (side < 0 && other > 0))
                return false;
        }
    }
    return true;
}

static int sign_of(wide x)
{
    return (x > 0) - (x < 0);
}

/* How the ray from a point crosses a triangle: 1 or -1, 0: not at all, 2: singular. */
static int cross_ray(int64_t x[3][3], const int64_t direction[3])
{
    int sides[3];
    wide volume = 0;
    for (int i = 0; i < 3; i++)
    {
        const int64_t *u = x[i], *v = x[(i + 1) % 3];
        wide w[3] = {(wide)u[1] * v[2] - (wide)u[2] * v[1], (wide)u[2] * v[0] - (wide)u[0] * v[2],
                     (wide)u[0] * v[1] - (wide)u[1] * v[0]};
        sides[i] = sign_of(w[0] * direction[0] + w[1] * direction[1] + w[2] * direction[2]);
        if (i == 0)
            volume = w[0] * x[2][0] + w[1] * x[2][1] + w[2] * x[2][2];
    }
    if (sides[0] == 0 || sides[1] == 0 || sides[2] == 0)
        return 2;
    if (sides[0] != sides[1] || sides[1] != sides[2])
        return 0;
    return sign_of(volume) == sides[0] ? sides[0] : 0; /* the plane is crossed ahead of the ray's origin */
}

static bool is_inside(const arrangement *all, int side, const int64_t point[3], bool oriented, bool *out_known)
{
    static const int64_t directions[4][3] = {
        {100003, 70001, 130027}, {-65537, 91019, 33391}, {50021, -120011, 77003}, {-88001, -61001, 111119}};
    for (int d = 0; d < 4; d++)
    {
        int sum = 0;
        bool singular = false;
        for (uint32_t t = 0; t < all->shapes[side].triangle_count && !singular; t++)
        {
            int64_t x[3][3];
            const uint32_t *v = all->shapes[side].triangles[t];
            for (int i = 0; i < 9; i++)
                x[i / 3][i % 3] = all->points[side][v[i / 3]][i % 3] * (INT64_C(1) << SAMPLE_BITS) - point[i % 3];
            plane p = plane_of(all->points[side][v[0]], all->points[side][v[1]], all->points[side][v[2]]);
            if (p.n[0] == 0 && p.n[1] == 0 && p.n[2] == 0)
                continue;
            int crossing = cross_ray(x, directions[d]);
            singular = crossing == 2;
            sum += oriented ? crossing : abs(crossing);
        }
        if (!singular)
            return oriented ? sum != 0 : sum % 2 != 0;
    }
    *out_known = false;
    return false;
}

/* ---- the answer ---- */

/* Whether the body is on exactly one side of each triangle, by two points next to its middle. */
static bool is_regular(const arrangement *all, int side, bool oriented, bool *known)
{
    for (uint32_t t = 0; t < all->shapes[side].triangle_count; t++)
    {
        const uint32_t *v = all->shapes[side].triangles[t];
        plane p = plane_of(all->points[side][v[0]], all->points[side][v[1]], all->points[side][v[2]]);
        if (p.n[0] == 0 && p.n[1] == 0 && p.n[2] == 0)
            return false; /* a segment or a point, which may stick out of the body */
        bool sides[2];
        for (int up = 0; up < 2; up++)
        {
            int64_t point[3];
            for (int k = 0; k < 3; k++)
            {
                /* Weights that avoid lines of symmetry; the step across is far smaller than any cell. */
                int64_t mid =
                    5 * all->points[side][v[0]][k] + 4 * all->points[side][v[1]][k] + 7 * all->points[side][v[2]][k];
                point[k] = mid * (INT64_C(1) << (SAMPLE_BITS - 4)) + (up != 0 ? p.n[k] : -p.n[k]);
            }
            sides[up] = is_inside(all, side, point, oriented, known);
        }
        if (sides[0] == sides[1])
            return false;
    }
    return true;
}

arrangement_answer arrangement_classify(const small_mesh shapes[2], const graze_pose *poses[2], const bool oriented[2])
{
    static arrangement all;
    arrangement_answer truth = {0};
    all.shapes = shapes;
    all.plane_count = 0;
    all.failed = false;
    for (int s = 0; s < 2; s++)
        for (uint32_t v = 0; v < shapes[s].vertex_count; v++)
            if (!place(shapes[s].vertices[v], poses[s], all.points[s][v]))
                return truth;
    take_planes(&all);
    if (all.failed)
        return truth;
    start_cell(&all.cells[0]);
    all.cell_count = 1;
    for (int p = 6; p < all.plane_count && !all.failed; p++)
        for (size_t c = all.cell_count; c-- > 0 && !all.failed;)
            split(&all, c, p);
    truth.known = !all.failed;
    for (size_t c = 0; c < all.cell_count && truth.known; c++)
    {
        int64_t point[3];
        truth.known = sample(&all, &all.cells[c], point);
        bool in_a = is_inside(&all, 0, point, oriented[0], &truth.known);
        bool in_b = is_inside(&all, 1, point, oriented[1], &truth.known);
        truth.overlap = truth.overlap || (in_a && in_b);
        truth.a_outside_b = truth.a_outside_b || (in_a && !in_b);
        truth.b_outside_a = truth.b_outside_a || (in_b && !in_a);
    }
    truth.cells = all.cell_count;
    truth.regular_a = is_regular(&all, 0, oriented[0], &truth.known);
    truth.regular_b = is_regular(&all, 1, oriented[1], &truth.known);
    return truth;
}
