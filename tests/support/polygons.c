/* SPDX-License-Identifier: MIT */
/* Generators of polygons to triangulate; see polygons.h. The checks are in polygons_check.c. */
#include "support/polygons.h"

#include <math.h>
#include <string.h>

void polygon_clear(test_polygon *polygon)
{
    polygon->corner_count = polygon->loop_count = 0;
    polygon->loop_sizes[0] = 0;
}

void polygon_add(test_polygon *polygon, int64_t x, int64_t y)
{
    polygon->points[polygon->corner_count][0] = x;
    polygon->points[polygon->corner_count++][1] = y;
    polygon->loop_sizes[polygon->loop_count]++;
}

void polygon_end_loop(test_polygon *polygon)
{
    polygon->loop_sizes[++polygon->loop_count] = 0;
}

void polygon_transform(test_polygon *polygon, int64_t a, int64_t b, int64_t c, int64_t d)
{
    for (size_t i = 0; i < polygon->corner_count; i++)
    {
        int64_t x = polygon->points[i][0], y = polygon->points[i][1];
        polygon->points[i][0] = a * x + b * y;
        polygon->points[i][1] = c * x + d * y;
    }
}

void polygon_reverse_loop(test_polygon *polygon, size_t loop)
{
    size_t first = 0;
    for (size_t l = 0; l < loop; l++)
        first += polygon->loop_sizes[l];
    for (size_t i = first, j = first + polygon->loop_sizes[loop] - 1; i < j; i++, j--)
        for (int k = 0; k < 2; k++)
        {
            int64_t x = polygon->points[i][k];
            polygon->points[i][k] = polygon->points[j][k];
            polygon->points[j][k] = x;
        }
}

enum
{
    MOST_SQUARES = 16,
    SIDE = MOST_SQUARES + 2
};

/* Squares, with an empty frame around them, and which of the four directed edges that leave each grid point are
 * boundary: right, up, left, down; the square is on the left. */
typedef struct square_set
{
    bool filled[SIDE][SIDE];
    bool border[SIDE][SIDE][4];
} square_set;

static const int step[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

/* Grows a connected set from the middle. */
static void fill_squares(square_set *set, test_random *random, int size)
{
    memset(set, 0, sizeof *set);
    set->filled[1 + size / 2][1 + size / 2] = true;
    for (int grown = random_between(random, size, size * size * 3 / 4), tries = 0; grown > 0 && tries < 100000; tries++)
    {
        int x = random_between(random, 1, size), y = random_between(random, 1, size);
        if (set->filled[x][y] ||
            !(set->filled[x - 1][y] || set->filled[x + 1][y] || set->filled[x][y - 1] || set->filled[x][y + 1]))
            continue;
        set->filled[x][y] = true;
        grown--;
    }
    /* Square (x, y) covers grid points (x, y) to (x + 1, y + 1). */
    for (int x = 1; x <= size; x++)
        for (int y = 1; y <= size; y++)
            if (set->filled[x][y])
            {
                set->border[x][y][0] = !set->filled[x][y - 1];
                set->border[x + 1][y][1] = !set->filled[x + 1][y];
                set->border[x + 1][y + 1][2] = !set->filled[x][y + 1];
                set->border[x][y + 1][3] = !set->filled[x - 1][y];
            }
}

/* Follows one boundary, always leftmost, so that the set is connected through edges only. Returns its turns, left minus
 * right. */
static int trace(square_set *set, test_polygon *polygon, int x, int y, int direction, test_random *random, int drop,
                 int repeat)
{
    int turns = 0;
    while (set->border[x][y][direction])
    {
        set->border[x][y][direction] = false;
        x += step[direction][0];
        y += step[direction][1];
        int turn = 1;
        while (turn > -1 && !set->border[x][y][(direction + turn + 4) % 4])
            turn--;
        /* At the end of the loop the first edge is used up; the corner there is decided by the start of the loop. */
        bool straight = turn == 0 && set->border[x][y][direction];
        if (!(straight && drop > 0 && random_once_in(random, drop)))
            for (int copies = repeat > 0 && random_once_in(random, repeat) ? 2 : 1; copies > 0; copies--)
                polygon_add(polygon, x, y);
        turns += turn;
        direction = (direction + turn + 4) % 4;
    }
    polygon_end_loop(polygon);
    return turns;
}

void polygon_of_squares(test_polygon *polygon, test_random *random, int size, int drop, int repeat)
{
    square_set set;
    fill_squares(&set, random, size);
    polygon_clear(polygon);
    /* The first boundary point found, lowest in the leftmost column, lies on the outer loop. */
    for (int x = 1; x <= size + 1; x++)
        for (int y = 1; y <= size + 1; y++)
            for (int direction = 0; direction < 4; direction++)
                if (set.border[x][y][direction])
                    trace(&set, polygon, x, y, direction, random, drop, repeat);
}

static int64_t cross(const int64_t a[2], const int64_t b[2], const int64_t c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int sign(int64_t x)
{
    return (x > 0) - (x < 0);
}

static bool on_segment(const int64_t a[2], const int64_t b[2], const int64_t p[2])
{
    return cross(a, b, p) == 0 && (p[0] - a[0]) * (p[0] - b[0]) <= 0 && (p[1] - a[1]) * (p[1] - b[1]) <= 0;
}

static bool segments_meet(const int64_t a[2], const int64_t b[2], const int64_t c[2], const int64_t d[2])
{
    if (on_segment(a, b, c) || on_segment(a, b, d) || on_segment(c, d, a) || on_segment(c, d, b))
        return true;
    return sign(cross(a, b, c)) * sign(cross(a, b, d)) < 0 && sign(cross(c, d, a)) * sign(cross(c, d, b)) < 0;
}

/* Reverses the corners from i to j. */
static void reverse_corners(test_polygon *polygon, size_t i, size_t j)
{
    for (; i < j; i++, j--)
        for (int k = 0; k < 2; k++)
        {
            int64_t x = polygon->points[i][k];
            polygon->points[i][k] = polygon->points[j][k];
            polygon->points[j][k] = x;
        }
}

/* Removes the first crossing of two edges (2-opt); each time the polygon becomes shorter; gives up after many. */
static bool untangle_once(test_polygon *polygon)
{
    size_t n = polygon->corner_count;
    for (size_t i = 0; i + 1 < n; i++)
        for (size_t j = i + 2; j < n; j++)
            if ((j + 1) % n != i && segments_meet(polygon->points[i], polygon->points[i + 1], polygon->points[j],
                                                  polygon->points[(j + 1) % n]))
            {
                reverse_corners(polygon, i + 1, j);
                return true;
            }
    return false;
}

bool polygon_untangled(test_polygon *polygon, test_random *random, int corner_count, int size)
{
    polygon_clear(polygon);
    for (int i = 0; i < corner_count; i++)
        polygon_add(polygon, random_below(random, size), random_below(random, size));
    polygon_end_loop(polygon);
    int rounds = 0;
    while (rounds < 2000 && untangle_once(polygon))
        rounds++;
    for (size_t i = 0, n = polygon->corner_count; i < n; i++)
    {
        const int64_t *a = polygon->points[i], *b = polygon->points[(i + 1) % n], *c = polygon->points[(i + 2) % n];
        if (on_segment(a, b, c) || on_segment(b, c, a))
            return false;
    }
    return rounds < 2000 && polygon_area(polygon) != 0;
}

void polygon_spiral(test_polygon *polygon, int turns)
{
    /* Square spiral, arms two apart, walls one thick: outward along one side, back along the other. */
    polygon_clear(polygon);
    int count = 4 * turns;
    for (int way = 0; way < 2; way++)
        for (int i = 0; i < count; i++)
        {
            int k = way == 0 ? i : count - 1 - i;
            int64_t reach = 2 * (k / 4 + 1) - way;
            int64_t x = k % 4 == 0 || k % 4 == 3 ? reach : -reach, y = k % 4 < 2 ? reach : -reach;
            if (k % 4 == 0)
                y = reach - 2; /* one arm inside the next */
            polygon_add(polygon, x, y);
        }
    polygon_end_loop(polygon);
}

void polygon_comb(test_polygon *polygon, int teeth)
{
    polygon_clear(polygon);
    polygon_add(polygon, 0, -1);
    polygon_add(polygon, 2 * teeth, -1);
    for (int tooth = teeth; tooth > 0; tooth--)
    {
        polygon_add(polygon, 2 * tooth, 0);
        polygon_add(polygon, 2 * tooth - 1, 1000);
    }
    polygon_add(polygon, 0, 0);
    polygon_end_loop(polygon);
}

void polygon_star(test_polygon *polygon, test_random *random, int rays)
{
    polygon_clear(polygon);
    for (int i = 0; i < rays; i++)
    {
        double angle = 6.283185307179586 * i / rays, radius = random_real(random, 1e5, 1e6);
        polygon_add(polygon, (int64_t)floor(radius * cos(angle)), (int64_t)floor(radius * sin(angle)));
    }
    polygon_end_loop(polygon);
}
