/* SPDX-License-Identifier: MIT */
/*
 * The z-buffer (G. Zachmann 1994, 3.7.1), in software: along z of A's frame, over the box that both bodies have in
 * common, every pixel has a list of the surfaces over it. For a proof the lists are conservative: of each triangle over
 * any part of the pixel an interval of depths that contains all of it there. Where no interval of A overlaps one of B
 * the surfaces are apart, and points of the bodies tell whether one is in the other: both answers are proved then.
 * Where the line through a pixel's middle is inside of both bodies, a point of it is tested in both, exactly: a yes is
 * proved. Between the two the answer is a guess, from the middles.
 */
#include "base/array.h"
#include "base/sort.h"
#include "mesh/mesh.h"
#include "pair/method/closed_bodies.h"
#include "pair/method/table.h"

enum
{
    DEFAULT_PIXELS = 64, /* on either axis */
    MOST_PIXELS = 1024,
    MOST_TRIALS = 32 /* points that are tested exactly */
};

/* The depths of a triangle over a pixel. */
typedef struct depth_range
{
    uint32_t pixel, side;
    double lower, upper;
    double middle; /* over the pixel's middle; NAN: it is not there */
} depth_range;

typedef struct z_buffer
{
    grz_method_query *query;
    double lower[3], upper[3]; /* the common box, in A's frame */
    uint32_t pixels;
    double step[2], slack;
    GRZ_ARRAY(depth_range) ranges;
} z_buffer;

/* A triangle in A's frame. */
typedef struct z_triangle
{
    double corners[3][3], lower[3], upper[3];
    double normal[3];
    double normal_error; /* of each coordinate, at most */
} z_triangle;

static z_triangle place(const grz_method_query *query, int side, uint32_t triangle)
{
    z_triangle t;
    for (int corner = 0; corner < 3; corner++)
    {
        const double *p = grz_mesh_scaled(
            side == 0 ? query->mesh_a : query->mesh_b,
            (side == 0 ? query->mesh_a : query->mesh_b)->triangles[3 * (size_t)triangle + (size_t)corner]);
        if (side == 1)
            grz_method_place(query, p, t.corners[corner]);
        else
            memcpy(t.corners[corner], p, sizeof t.corners[corner]);
    }
    double u[3], v[3], sizes = 0;
    for (int i = 0; i < 3; i++)
    {
        double a = t.corners[0][i], b = t.corners[1][i], c = t.corners[2][i];
        u[i] = b - a;
        v[i] = c - a;
        sizes += fabs(u[i]) + fabs(v[i]);
        t.lower[i] = (a < b ? a : b) < c ? (a < b ? a : b) : c;
        t.upper[i] = (a > b ? a : b) > c ? (a > b ? a : b) : c;
    }
    for (int i = 0; i < 3; i++)
        t.normal[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    t.normal_error = 4 * query->slack * (sizes + 4 * query->slack);
    return t;
}

/* The range of pixels that an interval may touch, on one axis; false: none. */
static bool pixel_range(const z_buffer *z, int axis, double lower, double upper, uint32_t out[2])
{
    double first = (lower - z->slack - z->lower[axis]) / z->step[axis] - 0x1p-20;
    double last = (upper + z->slack - z->lower[axis]) / z->step[axis] + 0x1p-20;
    if (!(first < z->pixels && last >= 0))
        return false;
    out[0] = first > 0 ? (uint32_t)first : 0;
    out[1] = last < z->pixels - 1 ? (uint32_t)last : z->pixels - 1;
    return true;
}

/* Whether a triangle certainly lies beside a pixel with this middle: beyond the line of one of its sides, seen along z.
 *out_holds: whether the middle seems to lie in it. */
static bool is_beside(const z_buffer *z, const z_triangle *t, const double middle[2], bool *out_holds)
{
    double turn = t->normal[2] < 0 ? -1 : 1;
    bool upright = fabs(t->normal[2]) <= t->normal_error;
    *out_holds = t->normal[2] != 0;
    for (int side = 0; side < 3; side++)
    {
        const double *p = t->corners[side], *q = t->corners[(side + 1) % 3];
        double ex = q[0] - p[0], ey = q[1] - p[1];
        double height = turn * (ex * (middle[1] - p[1]) - ey * (middle[0] - p[0]));
        double reach = (fabs(ey) * z->step[0] + fabs(ex) * z->step[1]) / 2 * (1 + 0x1p-20);
        double sizes = fabs(ex) + fabs(ey) + fabs(middle[0] - p[0]) + fabs(middle[1] - p[1]) + z->step[0] + z->step[1];
        *out_holds = *out_holds && height >= 0;
        if (!upright && height + reach < -8 * z->slack * (sizes + z->slack))
            return true;
    }
    return false;
}

/* The depths over a pixel: those of the plane, where it is not too steep, and no others than the triangle has. */
static depth_range depths_over(const z_buffer *z, const z_triangle *t, const double middle[2])
{
    depth_range r = {.lower = t->lower[2] - z->slack, .upper = t->upper[2] + z->slack, .middle = NAN};
    double nz = t->normal[2], error = t->normal_error;
    if (!(fabs(nz) > 0x1p10 * error))
        return r;
    double dx = middle[0] - t->corners[0][0], dy = middle[1] - t->corners[0][1];
    double gx = -t->normal[0] / nz, gy = -t->normal[1] / nz;
    double depth = t->corners[0][2] + gx * dx + gy * dy;
    double slope_error = 2 * error * (2 + fabs(gx) + fabs(gy)) / fabs(nz);
    double far = fabs(dx) + fabs(dy) + z->step[0] + z->step[1];
    double reach = (fabs(gx) * z->step[0] + fabs(gy) * z->step[1]) / 2 * (1 + 0x1p-20) + slope_error * far +
                   z->slack * (2 + fabs(gx) + fabs(gy));
    r.lower = depth - reach > r.lower ? depth - reach : r.lower;
    r.upper = depth + reach < r.upper ? depth + reach : r.upper;
    r.middle = depth < t->lower[2] ? t->lower[2] : depth > t->upper[2] ? t->upper[2] : depth;
    return r;
}

/* Adds what a triangle covers. False when the query is over. */
static bool draw(z_buffer *z, int side, const z_triangle *t)
{
    uint32_t columns[2], rows[2];
    if (!pixel_range(z, 0, t->lower[0], t->upper[0], columns) || !pixel_range(z, 1, t->lower[1], t->upper[1], rows))
        return true;
    for (uint32_t row = rows[0]; row <= rows[1]; row++)
        for (uint32_t column = columns[0]; column <= columns[1]; column++)
        {
            const double middle[2] = {z->lower[0] + (column + 0.5) * z->step[0],
                                      z->lower[1] + (row + 0.5) * z->step[1]};
            bool holds;
            z->query->counters.pixels++;
            if (is_beside(z, t, middle, &holds))
                continue;
            depth_range r = depths_over(z, t, middle);
            r.pixel = row * z->pixels + column;
            r.side = (uint32_t)side;
            if (!holds)
                r.middle = NAN;
            if (!GRZ_PUSH(z->query->context, &z->ranges, r))
            {
                z->query->out_of_memory = true;
                return false;
            }
        }
    return grz_monitor_box_tests(&z->query->monitor, 1 + (uint64_t)(rows[1] - rows[0]) * (columns[1] - columns[0]));
}

static bool draw_all(z_buffer *z)
{
    for (int side = 0; side < 2; side++)
    {
        const graze_mesh *mesh = side == 0 ? z->query->mesh_a : z->query->mesh_b;
        for (uint32_t triangle = 0; triangle < mesh->triangle_count; triangle++)
        {
            z_triangle t = place(z->query, side, triangle);
            if (!draw(z, side, &t))
                return false;
        }
    }
    return true;
}

/* The box that both have in common; false: there is none, for certain. */
static bool find_common_box(z_buffer *z)
{
    double boxes[2][2][3];
    for (int side = 0; side < 2; side++)
    {
        const graze_mesh *mesh = side == 0 ? z->query->mesh_a : z->query->mesh_b;
        for (int i = 0; i < 3; i++)
        {
            boxes[side][0][i] = INFINITY;
            boxes[side][1][i] = -INFINITY;
        }
        for (uint32_t triangle = 0; triangle < mesh->triangle_count; triangle++)
        {
            z_triangle t = place(z->query, side, triangle);
            for (int i = 0; i < 3; i++)
            {
                boxes[side][0][i] = t.lower[i] < boxes[side][0][i] ? t.lower[i] : boxes[side][0][i];
                boxes[side][1][i] = t.upper[i] > boxes[side][1][i] ? t.upper[i] : boxes[side][1][i];
            }
        }
    }
    bool common = true;
    for (int i = 0; i < 3; i++)
    {
        z->lower[i] = (boxes[0][0][i] > boxes[1][0][i] ? boxes[0][0][i] : boxes[1][0][i]) - 2 * z->slack;
        z->upper[i] = (boxes[0][1][i] < boxes[1][1][i] ? boxes[0][1][i] : boxes[1][1][i]) + 2 * z->slack;
        common = common && z->lower[i] <= z->upper[i];
    }
    for (int i = 0; i < 2; i++)
        z->step[i] = (z->upper[i] - z->lower[i]) / z->pixels;
    return common;
}

/* Groups the ranges by pixels, and then sorts those of a pixel by their lower ends. False when the query is over. */
static bool group_by_pixels(z_buffer *z)
{
    size_t count = z->ranges.count;
    const graze_context *context = z->query->context;
    grz_key_value *keys = grz_allocate(context, count, 2 * sizeof *keys);
    depth_range *grouped = grz_allocate(context, count, sizeof *grouped);
    bool made = keys != NULL && grouped != NULL;
    for (size_t i = 0; made && i < count; i++)
        keys[i] = (grz_key_value){z->ranges.data[i].pixel, i};
    bool sorted = made && grz_sort_keyed_monitored(keys, keys + count, count, &z->query->monitor);
    for (size_t i = 0; sorted && i < count; i++)
        grouped[i] = z->ranges.data[keys[i].value];
    if (sorted)
        memcpy(z->ranges.data, grouped, count * sizeof *grouped);
    grz_release(context, keys);
    grz_release(context, grouped);
    z->query->out_of_memory = z->query->out_of_memory || !made;
    return sorted;
}

/* Lists are short: insertion. */
static void sort_depths(depth_range *ranges, size_t count, bool by_middle)
{
    for (size_t i = 1; i < count; i++)
    {
        depth_range moved = ranges[i];
        size_t k = i;
        for (; k > 0 && (by_middle ? ranges[k - 1].middle > moved.middle : ranges[k - 1].lower > moved.lower); k--)
            ranges[k] = ranges[k - 1];
        ranges[k] = moved;
    }
}

/* Whether no range of A overlaps one of B; those of one pixel, by their lower ends. */
static bool are_apart(const depth_range *ranges, size_t count)
{
    double reached[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++)
    {
        if (ranges[i].lower <= reached[1 - ranges[i].side])
            return false;
        if (ranges[i].upper > reached[ranges[i].side])
            reached[ranges[i].side] = ranges[i].upper;
    }
    return true;
}

/* Follows the line through a pixel's middle; where it is inside of both, the middle of that part is tested. Sorts the
   ranges anew. */
static void follow_line(z_buffer *z, depth_range *ranges, size_t count, unsigned *trials)
{
    size_t known = 0;
    bool inside[2] = {false, false};
    for (size_t i = 0; i < count; i++)
        if (!isnan(ranges[i].middle))
            ranges[known++] = ranges[i];
    sort_depths(ranges, known, true);
    for (size_t i = 0; i + 1 < known && *trials < MOST_TRIALS; i++)
    {
        uint32_t pixel = ranges[i].pixel;
        inside[ranges[i].side] = !inside[ranges[i].side];
        if (!inside[0] || !inside[1])
            continue;
        const double point[3] = {z->lower[0] + (pixel % z->pixels + 0.5) * z->step[0],
                                 z->lower[1] + (pixel / z->pixels + 0.5) * z->step[1],
                                 ranges[i].middle / 2 + ranges[i + 1].middle / 2};
        z->query->guess = GRAZE_VERDICT_YES;
        (*trials)++;
        grz_method_try_point(z->query, point);
        if (!grz_method_goes_on(z->query))
            return;
    }
}

/* Looks at all pixels; whether the surfaces are apart in all of them. */
static bool compare_pixels(z_buffer *z)
{
    bool apart = true;
    unsigned trials = 0;
    if (z->ranges.count > 0 && !group_by_pixels(z))
        return false;
    for (size_t first = 0, end; first < z->ranges.count && grz_method_goes_on(z->query); first = end)
    {
        end = first;
        while (end < z->ranges.count && z->ranges.data[end].pixel == z->ranges.data[first].pixel)
            end++;
        sort_depths(z->ranges.data + first, end - first, false);
        apart = are_apart(z->ranges.data + first, end - first) && apart;
        follow_line(z, z->ranges.data + first, end - first, &trials);
        if (!grz_monitor_box_tests(&z->query->monitor, end - first))
            return false;
    }
    return apart;
}

/*
 * Coordinates of triangles err by the slack s; pixels are enlarged by it, and by 2^-20 of their side. A normal's
 * coordinate errs by 4 s (U + 4 s), U the sum of the magnitudes of two sides; where |n_z| is 2^10 times that, the
 * quotients g err by less than 2 (2 + |g|) of that over |n_z|, and the depth over any part of the pixel by that times
 * the distance from the corner, and by s (2 + |g|) for the corner itself.
 * shortcut: z-buffer-ranges
 */
static void run(grz_method_query *query)
{
    const grz_closed_state *a = query->a, *b = query->b;
    z_buffer z = {.query = query, .slack = query->slack, .pixels = DEFAULT_PIXELS};
    if (a->parameters.samples != 0)
        z.pixels = a->parameters.samples < MOST_PIXELS ? a->parameters.samples : MOST_PIXELS;
    query->guess = GRAZE_VERDICT_NO;
    if (!find_common_box(&z))
        query->verdict = GRAZE_VERDICT_NO; /* boxes are enlarged by the slack: that is certain */
    else if (draw_all(&z) && compare_pixels(&z) && grz_method_goes_on(query))
        grz_method_decide_surfaces_apart(query, a, b);
    grz_release(query->context, z.ranges.data);
}

const grz_method grz_z_buffer_method = {
    .info = {.name = "z-buffer",
             .summary = "Lists of depths over pixels: conservative for a no, points of the middles for a yes.",
             .source = "000 3.7.1",
             .mesh_class = GRAZE_METHOD_CLASS_CLOSED,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_YES_SURE,
             .deadline = true},
    .state_size = sizeof(grz_closed_state),
    .prepare = grz_closed_state_prepare,
    .release = grz_closed_state_release,
    .memory = grz_closed_state_memory,
    .run = run,
};
