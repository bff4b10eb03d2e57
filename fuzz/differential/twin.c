/* SPDX-License-Identifier: MIT */
/* The slow twin of convex bodies; see twin.h. */
#include "twin.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "brute_force.h"

enum
{
    MOST_STEPS = 300,
    SIMPLEX = 4
};

static long double dot(const long double a[3], const long double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const long double a[3], const long double b[3], long double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static void place(const graze_pose *pose, const long double y[3], long double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = pose->m[4 * i] * y[0] + pose->m[4 * i + 1] * y[1] + pose->m[4 * i + 2] * y[2] + pose->m[4 * i + 3];
}

/* The largest sum of products that places a point of the box of half extents y: coordinates in the world are right to a
   few roundings of it, not of themselves where terms cancel. */
static long double largest_sum(const graze_pose *pose, const long double y[3])
{
    long double largest = 0;
    for (int i = 0; i < 3; i++)
    {
        long double sum = fabsl(pose->m[4 * i + 3]);
        for (int k = 0; k < 3; k++)
            sum += fabsl(pose->m[4 * i + k] * y[k]);
        largest = fmaxl(largest, sum);
    }
    return largest;
}

/* The farthest point along c of a body in its own frame. */
static void support_curved(const case_leaf *leaf, const long double c[3], long double y[3])
{
    long double across = sqrtl(c[0] * c[0] + c[1] * c[1]);
    const double *n = leaf->numbers;
    if (leaf->kind == GRAZE_SHAPE_ELLIPSOID)
    {
        long double q[3] = {n[0] * c[0], n[1] * c[1], n[2] * c[2]}, length = sqrtl(dot(q, q));
        for (int k = 0; k < 3; k++)
            y[k] = length > 0 ? n[k] * (q[k] / length) : 0;
        return;
    }
    long double half = n[0] / 2.0L, radius = n[1];
    bool top = c[2] > 0;
    if (leaf->kind == GRAZE_SHAPE_CONE)
        top = half * c[2] > radius * across - half * c[2];
    y[2] = top ? half : -half;
    radius = top && leaf->kind == GRAZE_SHAPE_CONE ? 0 : radius;
    for (int k = 0; k < 2; k++)
        y[k] = across > 0 ? radius * (c[k] / across) : 0;
}

static void support_core(const twin_body *body, const long double w[3], long double out[3])
{
    const small_mesh *core = &body->leaf->leaf->core;
    uint32_t first = body->triangle == UINT32_MAX ? 0 : body->triangle;
    uint32_t end = body->triangle == UINT32_MAX ? core->triangle_count : body->triangle + 1;
    bool any = false;
    for (uint32_t i = 3 * first; i < 3 * end; i++)
    {
        const double *v = core->vertices[core->triangles[i / 3][i % 3]];
        long double y[3] = {v[0], v[1], v[2]}, x[3];
        place(&body->leaf->pose, y, x);
        if (!any || dot(w, x) > dot(w, out))
            memcpy(out, x, sizeof x);
        any = true;
    }
    long double length = sqrtl(dot(w, w));
    for (int k = 0; k < 3 && length > 0; k++)
        out[k] += body->leaf->leaf->radius * (w[k] / length);
}

void twin_support(const twin_body *body, const long double w[3], long double out[3])
{
    const double *m = body->leaf->pose.m;
    if (body->leaf->leaf->has_core)
    {
        support_core(body, w, out);
        return;
    }
    long double c[3], y[3] = {0};
    for (int k = 0; k < 3; k++)
        c[k] = m[k] * w[0] + m[4 + k] * w[1] + m[8 + k] * w[2];
    support_curved(body->leaf->leaf, c, y);
    place(&body->leaf->pose, y, out);
}

/* The size that errors of placed points of a body are measured in. */
static long double size_of(const twin_body *body)
{
    const case_leaf *leaf = body->leaf->leaf;
    long double y[3] = {0, 0, 0};
    if (leaf->has_core)
    {
        uint32_t first = body->triangle == UINT32_MAX ? 0 : body->triangle;
        uint32_t end = body->triangle == UINT32_MAX ? leaf->core.triangle_count : body->triangle + 1;
        for (uint32_t i = 3 * first; i < 3 * end; i++)
            for (int k = 0; k < 3; k++)
                y[k] = fmaxl(y[k], fabsl(leaf->core.vertices[leaf->core.triangles[i / 3][i % 3]][k]));
        return largest_sum(&body->leaf->pose, y) + leaf->radius;
    }
    for (int k = 0; k < 3; k++)
        y[k] =
            leaf->kind == GRAZE_SHAPE_ELLIPSOID ? leaf->numbers[k] : fmaxl(leaf->numbers[0] / 2.0L, leaf->numbers[1]);
    return largest_sum(&body->leaf->pose, y);
}

/* ---- the point of a simplex that is closest to the origin ---- */

typedef struct simplex
{
    long double points[SIMPLEX][3];
    int count;
} simplex;

/* Solves the system by elimination with pivots; false where it is singular. */
static bool solve(long double m[SIMPLEX][SIMPLEX + 1], int n)
{
    for (int column = 0; column < n; column++)
    {
        int pivot = column;
        for (int row = column + 1; row < n; row++)
            pivot = fabsl(m[row][column]) > fabsl(m[pivot][column]) ? row : pivot;
        if (!(fabsl(m[pivot][column]) > 0))
            return false;
        for (int k = 0; k <= n; k++)
        {
            long double old = m[column][k];
            m[column][k] = m[pivot][k];
            m[pivot][k] = old;
        }
        for (int row = 0; row < n; row++)
        {
            long double factor = row != column ? m[row][column] / m[column][column] : 0;
            for (int k = 0; k <= n && factor != 0; k++)
                m[row][k] -= factor * m[column][k];
        }
    }
    for (int row = 0; row < n; row++)
        m[row][n] /= m[row][row];
    return true;
}

/* The closest point of the plane of some of the points, where it is a convex combination of them. */
static bool closest_of(const simplex *s, unsigned which, long double out[3])
{
    int chosen[SIMPLEX], n = 0;
    for (int i = 0; i < s->count; i++)
        if ((which >> i & 1) != 0)
            chosen[n++] = i;
    long double edges[SIMPLEX][3], m[SIMPLEX][SIMPLEX + 1], shares[SIMPLEX], first = 1, sum = 0;
    for (int i = 1; i < n; i++)
        subtract(s->points[chosen[i]], s->points[chosen[0]], edges[i - 1]);
    for (int i = 0; i < n - 1; i++)
    {
        for (int j = 0; j < n - 1; j++)
            m[i][j] = dot(edges[i], edges[j]);
        m[i][n - 1] = -dot(edges[i], s->points[chosen[0]]);
    }
    if (!solve(m, n - 1))
        return false;
    for (int i = 0; i < n - 1; i++)
    {
        shares[i + 1] = m[i][n - 1];
        first -= shares[i + 1];
    }
    shares[0] = first;
    for (int i = 0; i < n; i++)
    {
        if (!(shares[i] >= 0 && shares[i] < INFINITY))
            return false;
        sum += shares[i];
    }
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            out[k] += shares[i] / sum * s->points[chosen[i]][k];
    return true;
}

/* Keeps the points that the closest one is made of. */
static void reduce(simplex *s, long double out[3])
{
    unsigned best = 0;
    long double least = INFINITY;
    for (unsigned which = 1; which < 1u << s->count; which++)
    {
        long double point[3];
        if (!closest_of(s, which, point) || !(dot(point, point) < least))
            continue;
        least = dot(point, point);
        best = which;
        memcpy(out, point, sizeof point);
    }
    simplex kept = {.count = 0};
    for (int i = 0; i < s->count; i++)
        if ((best >> i & 1) != 0)
            memcpy(kept.points[kept.count++], s->points[i], sizeof kept.points[0]);
    *s = kept;
}

/* The least height of the origin over the faces of a tetrahedron, on the inner side, less what the normals err by; 0
   where it is not certainly inside. */
static long double ball_in(const simplex *s)
{
    long double least = INFINITY;
    for (int i = 0; i < SIMPLEX; i++)
    {
        long double u[3], v[3], n[3], inward[3];
        const long double *p = s->points[(i + 1) % SIMPLEX];
        subtract(s->points[(i + 2) % SIMPLEX], p, u);
        subtract(s->points[(i + 3) % SIMPLEX], p, v);
        subtract(s->points[i], p, inward);
        for (int k = 0; k < 3; k++)
            n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        long double length = sqrtl(dot(n, n)), size = sqrtl(dot(u, u)) * sqrtl(dot(v, v));
        long double error = size * (sqrtl(dot(p, p)) + sqrtl(dot(inward, inward))) * 0x1p-58L;
        long double side = dot(n, inward), height = side > 0 ? -dot(n, p) : dot(n, p);
        if (!(fabsl(side) > error) || !(height > error))
            return 0;
        least = fminl(least, (height - error) / length);
    }
    return least;
}

static bool has_point(const simplex *s, const long double point[3])
{
    for (int i = 0; i < s->count; i++)
        if (memcmp(s->points[i], point, 3 * sizeof *point) == 0)
            return true;
    return false;
}

twin_distance twin_measure(const twin_body *a, const twin_body *b)
{
    simplex s = {.count = 1};
    twin_distance d = {0, INFINITY, 0, 0};
    long double w[3] = {1, 0, 0}, back[3], p[3], q[3], v[3], size = size_of(a) + size_of(b);
    twin_support(a, w, p);
    twin_support(b, w, q);
    subtract(p, q, s.points[0]);
    memcpy(v, s.points[0], sizeof v);
    for (int step = 0; step < MOST_STEPS; step++)
    {
        long double length = sqrtl(dot(v, v));
        d.upper = fminl(d.upper, length);
        if (!(length > size * 1e-19L))
            break;
        for (int k = 0; k < 3; k++)
        {
            back[k] = v[k] / length; /* from b to a */
            w[k] = -back[k];
        }
        twin_support(a, w, p);
        twin_support(b, back, q);
        long double next[3];
        subtract(p, q, next);
        d.lower = fmaxl(d.lower, dot(next, back));
        if (has_point(&s, next) || d.upper - d.lower <= size * 1e-18L || s.count == SIMPLEX)
            break;
        memcpy(s.points[s.count++], next, sizeof next);
        reduce(&s, v);
    }
    if (s.count == SIMPLEX)
        d.depth = ball_in(&s);
    d.error = size * 0x1p-52L; /* some hundred roundings of long doubles */
    return d;
}

/* ---- leaves ---- */

static bool is_solid_mesh(const case_leaf *leaf)
{
    return leaf->kind == GRAZE_SHAPE_MESH && leaf->solid;
}

/* Whether the middle of a curved body lies inside a solid mesh. */
static bool holds_middle(const placed_leaf *mesh, const placed_leaf *curved)
{
    small_mesh point = {.vertex_count = 1, .triangle_count = 1};
    return is_solid_mesh(mesh->leaf) && !curved->leaf->has_core &&
           brute_force_contains(&mesh->leaf->core, &mesh->pose, &point, &curved->pose);
}

static bool is_convex(const case_leaf *leaf)
{
    return leaf->kind != GRAZE_SHAPE_MESH && leaf->kind != GRAZE_SHAPE_HEIGHT_FIELD;
}

twin_distance twin_leaves(const placed_leaf *a, const placed_leaf *b)
{
    uint32_t count_a = is_convex(a->leaf) ? 1 : a->leaf->core.triangle_count;
    uint32_t count_b = is_convex(b->leaf) ? 1 : b->leaf->core.triangle_count;
    twin_distance all = {INFINITY, INFINITY, 0, 0};
    for (uint32_t i = 0; i < count_a; i++)
        for (uint32_t j = 0; j < count_b; j++)
        {
            twin_body x = {a, is_convex(a->leaf) ? UINT32_MAX : i}, y = {b, is_convex(b->leaf) ? UINT32_MAX : j};
            twin_distance d = twin_measure(&x, &y);
            all.lower = fminl(all.lower, d.lower);
            all.upper = fminl(all.upper, d.upper);
            all.depth = fmaxl(all.depth, d.depth);
            all.error = fmaxl(all.error, d.error);
        }
    if (all.lower > 0 && count_a > 0 && count_b > 0 && (holds_middle(a, b) || holds_middle(b, a)))
    {
        all.depth = all.lower;
        all.lower = all.upper = 0;
    }
    return all;
}

/* The direction along which the half-space grows: its normal times the inverse of the matrix, by cofactors. */
static void direction_of(const placed_leaf *half_space, long double n[3], long double *offset, long double *size)
{
    const double *m = half_space->pose.m, *numbers = half_space->leaf->numbers;
    long double sum[3] = {0}, determinant = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            long double cofactor =
                (long double)m[4 * i1 + k1] * m[4 * i2 + k2] - (long double)m[4 * i1 + k2] * m[4 * i2 + k1];
            sum[i] += cofactor * numbers[k];
            determinant += i == 0 ? cofactor * m[k] : 0;
        }
    long double length = 0;
    for (int i = 0; i < 3; i++)
        length = fmaxl(length, fabsl(sum[i] / determinant));
    *offset = numbers[3];
    *size = fabsl(*offset); /* of the terms of the offset, which may cancel */
    long double squares = 0;
    for (int i = 0; i < 3; i++)
    {
        n[i] = sum[i] / determinant;
        *offset += n[i] * m[4 * i + 3];
        *size += fabsl(n[i] * m[4 * i + 3]);
        squares += n[i] / length * (n[i] / length);
    }
    length *= sqrtl(squares);
    *offset /= length;
    *size /= length;
    for (int i = 0; i < 3; i++)
        n[i] /= length;
}

twin_distance twin_height(const placed_leaf *leaf, const placed_leaf *half_space)
{
    twin_body body = {leaf, UINT32_MAX};
    long double n[3], offset, size, down[3], point[3];
    direction_of(half_space, n, &offset, &size);
    for (int k = 0; k < 3; k++)
        down[k] = -n[k];
    twin_support(&body, down, point);
    twin_distance d;
    d.lower = d.upper = dot(n, point) - offset;
    d.depth = fmaxl(0, -d.lower);
    d.error = (size_of(&body) + size) * 0x1p-50L;
    return d;
}
