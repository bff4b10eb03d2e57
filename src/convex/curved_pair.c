/* SPDX-License-Identifier: MIT */
#include "convex/curved_pair.h"

#include <math.h>
#include <string.h>

enum
{
    NO_EXPONENT = -100000, /* of zero */
    TERMS = 14,            /* of a coordinate of the difference of two anchors */
    CLIMB_COUNT = 24       /* polytopes of more vertices are climbed where their edges are known */
};

static int exponent_of(double x)
{
    int exponent = 0;
    if (x == 0)
        return NO_EXPONENT;
    frexp(x, &exponent);
    return exponent;
}

static int larger_exponent(int a, int b)
{
    return a > b ? a : b;
}

static double largest_entry(const double *x, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* A number times 2^exponent; ldexp would do, but is called outside of the range of its argument too. */
static double scaled(double x, int exponent)
{
    return x == 0 ? 0 : ldexp(x, exponent);
}

/* 2^exponent is the unit of `extent`. */
typedef struct measure
{
    double extent;
    int exponent;
    int matrix_exponent; /* of the largest entry of R; 0 for curved bodies */
} measure;

/* Bounds the distance of all points from the anchor: sum over j of |R_ij| |v_j - first_j|. */
static measure measure_polytope(const grz_convex_body *body)
{
    double linear[9], spread[3] = {0, 0, 0}, largest = 0;
    for (int i = 0; i < 9; i++)
        linear[i] = body->pose.m[i + i / 3];
    for (size_t i = 0; i < body->vertex_count; i++)
        largest = fmax(largest, largest_entry(body->vertices[i], 3));
    int matrix = exponent_of(largest_entry(linear, 9)), vertex = exponent_of(largest);
    measure m = {0, 0, matrix == NO_EXPONENT ? 0 : matrix};
    if (matrix == NO_EXPONENT || vertex == NO_EXPONENT)
        return m;
    m.exponent = matrix + vertex;
    double half = ldexp(1.0, -vertex / 2), rest = ldexp(1.0, -vertex - (-vertex / 2)); /* 2^-vertex may overflow */
    for (size_t i = 0; i < body->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            spread[k] = fmax(spread[k], fabs(body->vertices[i][k] * half * rest - body->vertices[0][k] * half * rest));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m.extent += fabs(ldexp(linear[3 * i + k], -matrix)) * spread[k];
    m.extent *= 1 + 0x1p-40;
    return m;
}

static measure measure_body(const grz_convex_body *body)
{
    if (body->kind == GRZ_CONVEX_POLYTOPE)
        return measure_polytope(body);
    measure m = {0, 0, 0};
    int count = body->kind == GRZ_CONVEX_ELLIPSOID ? 3 : 2;
    double largest = largest_entry(body->numbers, count);
    if (largest == 0)
        return m;
    m.exponent = exponent_of(largest);
    m.extent = 1.0 * (1 + 0x1p-20);
    if (count == 2) /* half the height and the radius */
        m.extent = (ldexp(body->numbers[0], -m.exponent) / 2 + ldexp(body->numbers[1], -m.exponent)) * (1 + 0x1p-20);
    return m;
}

/* The exponent below which all terms of the anchor are: t and, of a polytope, R times its first vertex. */
static int anchor_exponent(const grz_convex_body *body, const measure *m)
{
    double t[3] = {body->pose.m[3], body->pose.m[7], body->pose.m[11]};
    int exponent = exponent_of(largest_entry(t, 3));
    if (body->kind == GRZ_CONVEX_POLYTOPE)
    {
        int vertex = exponent_of(largest_entry(body->vertices[0], 3));
        if (vertex != NO_EXPONENT)
            exponent = larger_exponent(exponent, vertex + m->matrix_exponent);
    }
    return exponent;
}

/* The terms of a coordinate of an anchor, in units of 2^exponent. */
static int anchor_terms(const grz_convex_body *body, const measure *m, int row, int exponent, double sign,
                        double terms[TERMS])
{
    int count = 0;
    terms[count++] = sign * scaled(body->pose.m[4 * row + 3], -exponent);
    if (body->kind != GRZ_CONVEX_POLYTOPE)
        return count;
    for (int k = 0; k < 3; k++)
    {
        double entry = scaled(body->pose.m[4 * row + k], -m->matrix_exponent);
        double coordinate = scaled(body->vertices[0][k], m->matrix_exponent - exponent);
        grz_dd product = dd_two_product(entry, sign * coordinate);
        terms[count++] = product.high;
        terms[count++] = product.low;
    }
    return count;
}

/* The sum of terms, distilled by passes of exact sums (Ogita, Rump and Oishi, "Accurate sum and dot product", 2005)
   until they no longer change: then each is less than half a unit in the last place of the next. */
static bool sum_terms(double *terms, int count, grz_dd *out_sum)
{
    for (int pass = 0; pass < 64; pass++)
    {
        bool changed = false;
        for (int i = 1; i < count; i++)
        {
            grz_dd sum = dd_two_sum(terms[i], terms[i - 1]);
            changed = changed || sum.high != terms[i] || sum.low != terms[i - 1];
            terms[i] = sum.high;
            terms[i - 1] = sum.low;
        }
        if (!changed)
        {
            *out_sum = count == 1 ? dd_make(terms[0]) : (grz_dd){terms[count - 1], terms[count - 2]};
            return true;
        }
    }
    return false;
}

/* The anchor of b minus that of a, in units of 2^exponent. False when it cannot be summed up. */
static bool anchor_difference(const grz_convex_body *a, const grz_convex_body *b, const measure *of_a,
                              const measure *of_b, int exponent, grz_dd difference[3])
{
    for (int row = 0; row < 3; row++)
    {
        double terms[TERMS];
        int count = anchor_terms(b, of_b, row, exponent, 1, terms);
        count += anchor_terms(a, of_a, row, exponent, -1, terms + count);
        if (!sum_terms(terms, count, &difference[row]))
            return false;
    }
    return true;
}

static void operand_make(const grz_convex_body *body, const measure *m, int exponent, grz_curved_operand *operand)
{
    memset(operand, 0, sizeof *operand);
    operand->kind = body->kind;
    for (int i = 0; i < 9; i++)
        operand->r[i] = scaled(body->pose.m[i + i / 3], -m->matrix_exponent);
    operand->extent = scaled(m->extent, m->exponent - exponent);
    if (body->kind == GRZ_CONVEX_POLYTOPE)
    {
        operand->vertices = body->vertices;
        operand->vertex_count = body->vertex_count;
        operand->neighbour_starts = body->neighbour_starts;
        operand->neighbours = body->neighbours;
        operand->factor = ldexp(1.0, m->matrix_exponent - exponent);
        for (int i = 0; i < 3; i++)
            operand->first[i] = body->vertices[0][i] * operand->factor;
        operand->radius = scaled(body->radius, -exponent);
        operand->extent += operand->radius;
        return;
    }
    for (int i = 0; i < 3; i++)
        operand->numbers[i] = scaled(body->numbers[i], -exponent);
    if (body->kind != GRZ_CONVEX_ELLIPSOID)
        operand->numbers[0] = scaled(body->numbers[0], -exponent - 1);
}

/* An order of bodies that depends on them alone, so that swapped arguments give the same answers. */
static int compare_bodies(const grz_convex_body *a, const grz_convex_body *b)
{
    if (a->kind != b->kind)
        return a->kind > b->kind ? -1 : 1;
    for (int i = 0; i < 3; i++)
        if (a->numbers[i] != b->numbers[i])
            return a->numbers[i] < b->numbers[i] ? -1 : 1;
    for (int i = 0; i < 12; i++)
        if (a->pose.m[i] != b->pose.m[i])
            return a->pose.m[i] < b->pose.m[i] ? -1 : 1;
    return 0;
}

static int pair_exponent(const grz_convex_body *const bodies[2], const measure measures[2], const grz_dd difference[3],
                         int difference_exponent, double margin)
{
    int exponent = exponent_of(margin);
    for (int i = 0; i < 2; i++)
    {
        if (measures[i].extent > 0)
            exponent = larger_exponent(exponent, measures[i].exponent + exponent_of(measures[i].extent));
        if (bodies[i]->kind == GRZ_CONVEX_POLYTOPE)
            exponent = larger_exponent(exponent, exponent_of(bodies[i]->radius));
    }
    for (int k = 0; k < 3; k++)
        if (difference[k].high != 0)
            exponent = larger_exponent(exponent, difference_exponent + exponent_of(difference[k].high));
    if (exponent == NO_EXPONENT)
        return 0;
    /* So that no factor is beyond the range of doubles; sizes may then be as small as 2^-150. */
    int lowest = -900;
    for (int i = 0; i < 2; i++)
        lowest = larger_exponent(lowest, measures[i].matrix_exponent - 900);
    return larger_exponent(exponent, lowest);
}

void grz_curved_pair_make(const grz_convex_body *a, const grz_convex_body *b, double margin, grz_curved_pair *pair)
{
    bool swapped = compare_bodies(a, b) > 0;
    grz_curved_pair_make_ordered(swapped ? b : a, swapped ? a : b, margin, pair);
    pair->swapped = swapped;
}

void grz_curved_pair_make_ordered(const grz_convex_body *a, const grz_convex_body *b, double margin,
                                  grz_curved_pair *pair)
{
    memset(pair, 0, sizeof *pair);
    const grz_convex_body *bodies[2] = {a, b};
    measure measures[2] = {measure_body(bodies[0]), measure_body(bodies[1])};
    int unit = larger_exponent(anchor_exponent(bodies[0], &measures[0]), anchor_exponent(bodies[1], &measures[1]));
    unit = unit == NO_EXPONENT ? -2000 : unit + 4; /* fourteen terms below 1 / 16 */
    grz_dd difference[3];
    bool summed = anchor_difference(bodies[0], bodies[1], &measures[0], &measures[1], unit, difference);
    int exponent = pair_exponent(bodies, measures, difference, unit, margin);
    pair->exponent = exponent;
    operand_make(bodies[0], &measures[0], exponent, &pair->a);
    operand_make(bodies[1], &measures[1], exponent, &pair->b);
    grz_dd *coordinates[3] = {&pair->b.wide_anchor.x, &pair->b.wide_anchor.y, &pair->b.wide_anchor.z};
    for (int k = 0; k < 3; k++)
        *coordinates[k] =
            (grz_dd){scaled(difference[k].high, unit - exponent), scaled(difference[k].low, unit - exponent)};
    pair->b.anchor = wide3_round(pair->b.wide_anchor);
    pair->margin = scaled(margin, -exponent);
    pair->size = (pair->a.extent + pair->b.extent + fabs(pair->b.anchor.x) + fabs(pair->b.anchor.y) +
                  fabs(pair->b.anchor.z) + pair->margin) *
                 (1 + 0x1p-40);
    /* Terms below 2^-1060 units are lost: they must not count. Infinite: no bound holds, nothing can be proved. */
    if (!summed || unit - exponent > 850)
        pair->size = INFINITY;
}

static v3 turn(const double r[9], v3 y)
{
    return v3_make(r[0] * y.x + r[1] * y.y + r[2] * y.z, r[3] * y.x + r[4] * y.y + r[5] * y.z,
                   r[6] * y.x + r[7] * y.y + r[8] * y.z);
}

static v3 turn_back(const double r[9], v3 w)
{
    return v3_make(r[0] * w.x + r[3] * w.y + r[6] * w.z, r[1] * w.x + r[4] * w.y + r[7] * w.z,
                   r[2] * w.x + r[5] * w.y + r[8] * w.z);
}

static v3 vertex_at(const grz_curved_operand *operand, size_t index)
{
    const double *v = operand->vertices[index];
    return v3_make(v[0] * operand->factor - operand->first[0], v[1] * operand->factor - operand->first[1],
                   v[2] * operand->factor - operand->first[2]);
}

static size_t climb(const grz_curved_operand *operand, v3 c)
{
    size_t best = 0;
    double height = v3_dot(c, vertex_at(operand, 0));
    for (bool higher = true; higher;)
    {
        higher = false;
        for (uint32_t i = operand->neighbour_starts[best], end = operand->neighbour_starts[best + 1]; i < end; i++)
        {
            double other = v3_dot(c, vertex_at(operand, operand->neighbours[i]));
            if (other > height)
            {
                height = other;
                best = operand->neighbours[i];
                higher = true;
                break;
            }
        }
    }
    return best;
}

static size_t farthest_vertex(const grz_curved_operand *operand, v3 c)
{
    size_t best = 0;
    double height = -INFINITY;
    for (size_t i = 0; i < operand->vertex_count; i++)
    {
        double other = v3_dot(c, vertex_at(operand, i));
        if (other > height)
        {
            height = other;
            best = i;
        }
    }
    return best;
}

static size_t support_vertex(const grz_curved_operand *operand, v3 c)
{
    bool climbs = operand->vertex_count > CLIMB_COUNT && operand->neighbour_starts;
    return climbs ? climb(operand, c) : farthest_vertex(operand, c);
}

/* Whether the tip of a cone is farther along c than its base. */
static bool tip_is_farther(const grz_curved_operand *operand, double along, double across)
{
    return 2 * operand->numbers[0] * along >= operand->numbers[1] * across;
}

/* A point of the body in its own frame, about its anchor. */
static v3 local_support(const grz_curved_operand *operand, v3 c)
{
    const double *n = operand->numbers;
    if (operand->kind == GRZ_CONVEX_POLYTOPE)
        return vertex_at(operand, support_vertex(operand, c));
    if (operand->kind == GRZ_CONVEX_ELLIPSOID)
    {
        v3 q = v3_make(n[0] * c.x, n[1] * c.y, n[2] * c.z);
        double length = v3_length(q);
        return length > 0 ? v3_make(n[0] * (q.x / length), n[1] * (q.y / length), n[2] * (q.z / length)) : q;
    }
    double across = sqrt(c.x * c.x + c.y * c.y);
    if (operand->kind == GRZ_CONVEX_CONE && tip_is_farther(operand, c.z, across))
        return v3_make(0, 0, n[0]);
    double z = operand->kind == GRZ_CONVEX_CYLINDER && c.z >= 0 ? n[0] : -n[0];
    return across > 0 ? v3_make(n[1] * (c.x / across), n[1] * (c.y / across), z) : v3_make(0, 0, z);
}

v3 grz_curved_operand_support(const grz_curved_operand *operand, v3 w)
{
    v3 p = v3_add(turn(operand->r, local_support(operand, turn_back(operand->r, w))), operand->anchor);
    if (operand->radius > 0)
        p = v3_add(p, v3_scale(operand->radius / v3_length(w), w));
    return p;
}

double grz_curved_operand_value(const grz_curved_operand *operand, v3 w)
{
    const double *n = operand->numbers;
    v3 c = turn_back(operand->r, w);
    double base = v3_dot(operand->anchor, w), across = sqrt(c.x * c.x + c.y * c.y);
    switch (operand->kind)
    {
    case GRZ_CONVEX_CYLINDER:
        return base + (n[0] * fabs(c.z) + n[1] * across);
    case GRZ_CONVEX_CONE:
        return base + fmax(n[0] * c.z, n[1] * across - n[0] * c.z);
    case GRZ_CONVEX_ELLIPSOID:
        return base + v3_length(v3_make(n[0] * c.x, n[1] * c.y, n[2] * c.z));
    default:
        return base + (v3_dot(c, vertex_at(operand, farthest_vertex(operand, c))) + operand->radius * v3_length(w));
    }
}

static wide3 wide_turn(const double r[9], wide3 y)
{
    wide3 rows[3];
    for (int i = 0; i < 3; i++)
        rows[i] = wide3_from(v3_load(r + 3 * i));
    return (wide3){wide3_dot(rows[0], y), wide3_dot(rows[1], y), wide3_dot(rows[2], y)};
}

static wide3 wide_vertex(const grz_curved_operand *operand, size_t index)
{
    const double *v = operand->vertices[index];
    return (wide3){dd_two_sum(v[0] * operand->factor, -operand->first[0]),
                   dd_two_sum(v[1] * operand->factor, -operand->first[1]),
                   dd_two_sum(v[2] * operand->factor, -operand->first[2])};
}

/* As local_support. Which vertex or side is taken is decided in doubles: any point of the body will do. */
static wide3 wide_local_support(const grz_curved_operand *operand, wide3 c)
{
    const double *n = operand->numbers;
    if (operand->kind == GRZ_CONVEX_POLYTOPE)
        return wide_vertex(operand, support_vertex(operand, wide3_round(c)));
    if (operand->kind == GRZ_CONVEX_ELLIPSOID)
    {
        wide3 q = {dd_scale(c.x, n[0]), dd_scale(c.y, n[1]), dd_scale(c.z, n[2])};
        grz_dd length = dd_square_root(wide3_dot(q, q));
        if (!(length.high > 0))
            return wide3_from(v3_make(0, 0, 0));
        return (wide3){dd_scale(dd_divide(q.x, length), n[0]), dd_scale(dd_divide(q.y, length), n[1]),
                       dd_scale(dd_divide(q.z, length), n[2])};
    }
    grz_dd across = dd_square_root(dd_add(dd_multiply(c.x, c.x), dd_multiply(c.y, c.y)));
    if (operand->kind == GRZ_CONVEX_CONE && tip_is_farther(operand, c.z.high, across.high))
        return wide3_from(v3_make(0, 0, n[0]));
    double z = operand->kind == GRZ_CONVEX_CYLINDER && c.z.high >= 0 ? n[0] : -n[0];
    if (!(across.high > 0))
        return wide3_from(v3_make(0, 0, z));
    return (wide3){dd_scale(dd_divide(c.x, across), n[1]), dd_scale(dd_divide(c.y, across), n[1]), dd_make(z)};
}

static wide3 operand_wide_support(const grz_curved_operand *operand, v3 w)
{
    const double *r = operand->r;
    double columns[9] = {r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]};
    wide3 c = wide_turn(columns, wide3_from(w));
    wide3 p = wide3_add(wide_turn(r, wide_local_support(operand, c)), operand->wide_anchor);
    if (operand->radius > 0)
    {
        grz_dd length = dd_square_root(wide3_dot(wide3_from(w), wide3_from(w)));
        p = wide3_add(p, wide3_scale(dd_divide(dd_make(operand->radius), length), wide3_from(w)));
    }
    return p;
}

grz_curved_vertex grz_curved_pair_support(const grz_curved_pair *pair, v3 w)
{
    grz_curved_vertex vertex = {.w = w};
    vertex.a = grz_curved_operand_support(&pair->a, w);
    vertex.m = v3_sub(vertex.a, grz_curved_operand_support(&pair->b, v3_scale(-1, w)));
    if (pair->margin > 0)
        vertex.m = v3_add(vertex.m, v3_scale(pair->margin / v3_length(w), w));
    return vertex;
}

grz_curved_wide_vertex grz_curved_pair_wide_support(const grz_curved_pair *pair, v3 w)
{
    wide3 a = operand_wide_support(&pair->a, w);
    grz_curved_wide_vertex vertex = {wide3_sub(a, operand_wide_support(&pair->b, v3_scale(-1, w))), wide3_round(a), w};
    if (pair->margin > 0)
    {
        grz_dd length = dd_square_root(wide3_dot(wide3_from(w), wide3_from(w)));
        vertex.m = wide3_add(vertex.m, wide3_scale(dd_divide(dd_make(pair->margin), length), wide3_from(w)));
    }
    return vertex;
}

/* Dividing by |w| errs by a few roundings of the value, which is at most the size. Polytopes are scanned, not climbed:
   a vertex that rounding makes the highest of its neighbours need not be the farthest. */
static double width(const grz_curved_pair *pair, v3 w)
{
    double value = grz_curved_operand_value(&pair->a, w) + grz_curved_operand_value(&pair->b, v3_scale(-1, w));
    return value / v3_length(w) + pair->margin;
}

/* shortcut: curved-width */
double grz_curved_pair_upper_width(const grz_curved_pair *pair, v3 w)
{
    return width(pair, w) + (GRZ_CURVED_ERROR * pair->size + pair->slack);
}

double grz_curved_pair_lower_width(const grz_curved_pair *pair, v3 w)
{
    return width(pair, w) - (GRZ_CURVED_ERROR * pair->size + pair->slack);
}
