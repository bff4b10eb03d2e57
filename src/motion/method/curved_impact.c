/* SPDX-License-Identifier: MIT */
/*
 * The first impact of two curved surfaces by branch and bound over boxes of (u1, v1, u2, v2, t), earliest first, and
 * interval Newton steps in them (J. Snyder, A. Woodbury, K. Fleischer, B. Currin, A. Barr, Interval methods for
 * multi-point collisions between time-dependent curved surfaces, 1993; Zachmann 1994, 2.8).
 *
 * A box has no contact where X1 - X2 cannot be 0, by its range or by the mean value form. Surfaces that are apart at 0
 * touch first where the map (u1, v1, u2, v2) -> X1 - X2 has no full rank: else it would take the value 0 a little
 * earlier, too. So at the first contact n1 = X1_u x X1_v is normal to X2_u and X2_v, but on the borders of patches,
 * where a parameter cannot go on. These are five equations for five numbers. A Newton step over a box gives a box that
 * has all their solutions; if it lies inside of the first, there is just one. Contact at a given time is proved by a
 * step in three of the parameters, the fourth fixed.
 *
 * First the time 0 is searched without tangency. What is known when boxes are as small as doubles allow, or the budget
 * is used up, is told: contact at `best` the latest, nothing before the earliest box that is left.
 * shortcut: first-contact-is-tangent
 */
#include <string.h>

#include "base/array.h"
#include "base/budget_monitor.h"
#include "base/environment.h"
#include "motion/method/curved_surface.h"

enum
{
    TIME = 4,
    NUMBERS = 5,
    DEFAULT_BOXES = 50000,
    MOST_STEPS = 12 /* of Newton in one box */
};

#define LEAST_WIDTH 0x1p-40
#define NEWTON_WIDTH 0.5
#define DEFAULT_RESOLUTION 0x1p-20

typedef struct curved_box
{
    interval x[NUMBERS]; /* u1, v1, u2, v2, t */
    uint8_t charts[2];
} curved_box;

/* The five expressions over a box, and their derivatives. */
typedef struct curved_system
{
    interval value[NUMBERS], slope[NUMBERS][NUMBERS];
} curved_system;

typedef struct curved_impact_search
{
    const graze_context *context;
    const graze_moving_surface *surfaces[2];
    grz_monitor monitor;
    GRZ_ARRAY(curved_box) heap; /* by earliest time, of equals the smallest first */
    bool tangent;               /* whether contacts are looked for that are first ones */
    bool out_of_memory;
    double best;     /* the surfaces meet at this time or before; INFINITY: not known */
    double earliest; /* of what stays undecided, and of contacts that were found; INFINITY: none */
    graze_motion_method_counters *counters;
} curved_impact_search;

static double width_of(interval x)
{
    return x.upper - x.lower;
}

static double middle_of(interval x)
{
    return x.lower / 2 + x.upper / 2;
}

static double size_of(interval x)
{
    return fmax(fabs(x.lower), fabs(x.upper));
}

static interval negative(interval x)
{
    return (interval){-x.upper, -x.lower};
}

static interval dot(const interval a[3], const interval b[3])
{
    return interval_add(interval_add(interval_mul(a[0], b[0]), interval_mul(a[1], b[1])), interval_mul(a[2], b[2]));
}

/* Adds a x b. */
static void add_cross(const interval a[3], const interval b[3], interval out[3])
{
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = interval_add(out[i], interval_sub(interval_mul(a[j], b[k]), interval_mul(a[k], b[j])));
    }
}

static void first_of(const grz_jet x[3], int which, interval out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = x[i].first[which];
}

static void second_of(const grz_jet x[3], int which, int by, interval out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = x[i].second[grz_jet_place(which, by)];
}

/* n1 . X2_k for k = u, v, and its derivatives. */
static void add_tangency(grz_jet x[2][3], curved_system *out)
{
    interval along[2][3], normal[3] = {{0, 0}, {0, 0}, {0, 0}}, changes[GRZ_JET_VARIABLES][3];
    first_of(x[0], GRZ_JET_U, along[0]);
    first_of(x[0], GRZ_JET_V, along[1]);
    add_cross(along[0], along[1], normal);
    for (int by = 0; by < GRZ_JET_VARIABLES; by++)
    {
        interval bends[2][3];
        memset(changes[by], 0, sizeof changes[by]);
        second_of(x[0], GRZ_JET_U, by, bends[0]);
        second_of(x[0], GRZ_JET_V, by, bends[1]);
        add_cross(bends[0], along[1], changes[by]);
        add_cross(along[0], bends[1], changes[by]);
    }
    for (int k = 0; k < 2; k++)
    {
        interval other[3], bends[GRZ_JET_VARIABLES][3];
        first_of(x[1], k, other);
        for (int by = 0; by < GRZ_JET_VARIABLES; by++)
            second_of(x[1], k, by, bends[by]);
        out->value[3 + k] = dot(normal, other);
        for (int by = 0; by < 2; by++)
        {
            out->slope[3 + k][by] = dot(changes[by], other);
            out->slope[3 + k][2 + by] = dot(normal, bends[by]);
        }
        out->slope[3 + k][TIME] = interval_add(dot(changes[GRZ_JET_T], other), dot(normal, bends[GRZ_JET_T]));
    }
}

/* X1 - X2 over a box: whether it may be 0. */
static bool may_meet(const curved_impact_search *s, const interval x[NUMBERS], const uint8_t charts[2])
{
    grz_jet points[2][3];
    for (int side = 0; side < 2; side++)
    {
        const interval box[GRZ_JET_VARIABLES] = {x[2 * side], x[2 * side + 1], x[TIME]};
        grz_curved_place(s->surfaces[side], charts[side], box, 0, points[side]);
    }
    for (int i = 0; i < 3; i++)
        if (!interval_overlap(points[0][i].value, points[1][i].value))
            return false;
    return true;
}

/* All of them, or with order 1 the first three. */
static void evaluate(const curved_impact_search *s, const interval x[NUMBERS], const uint8_t charts[2], int order,
                     curved_system *out)
{
    grz_jet points[2][3];
    for (int side = 0; side < 2; side++)
    {
        const interval box[GRZ_JET_VARIABLES] = {x[2 * side], x[2 * side + 1], x[TIME]};
        grz_curved_place(s->surfaces[side], charts[side], box, order, points[side]);
    }
    for (int i = 0; i < 3; i++)
    {
        out->value[i] = interval_sub(points[0][i].value, points[1][i].value);
        for (int k = 0; k < 2; k++)
        {
            out->slope[i][k] = points[0][i].first[k];
            out->slope[i][2 + k] = negative(points[1][i].first[k]);
        }
        out->slope[i][TIME] = interval_sub(points[0][i].first[GRZ_JET_T], points[1][i].first[GRZ_JET_T]);
    }
    if (order > 1)
        add_tangency(points, out);
}

/* Whether first contacts in the box are tangent: it keeps off the borders of patches. */
static bool is_tangent(const curved_impact_search *s, const curved_box *box)
{
    for (int n = 0; n < TIME; n++)
        if (grz_curved_has_border(&s->surfaces[n / 2]->surface) && (box->x[n].lower <= 0 || box->x[n].upper >= 1))
            return false;
    return s->tangent;
}

/* The inverse of a matrix in doubles; false: it has none, or not nearly. */
static bool invert(int size, double from[NUMBERS][NUMBERS], double out[NUMBERS][NUMBERS])
{
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++)
            out[i][k] = i == k;
    for (int column = 0; column < size; column++)
    {
        int pivot = column;
        for (int row = column + 1; row < size; row++)
            pivot = fabs(from[row][column]) > fabs(from[pivot][column]) ? row : pivot;
        double by = from[pivot][column];
        if (!(fabs(by) > 1e-12 && fabs(by) < 1e300))
            return false;
        for (int k = 0; k < size; k++)
        {
            double a = from[pivot][k] / by, b = out[pivot][k] / by;
            from[pivot][k] = from[column][k];
            out[pivot][k] = out[column][k];
            from[column][k] = a;
            out[column][k] = b;
        }
        for (int row = 0; row < size; row++)
        {
            double factor = row != column ? from[row][column] : 0;
            for (int k = 0; k < size; k++)
            {
                from[row][k] -= factor * from[column][k];
                out[row][k] -= factor * out[column][k];
            }
        }
    }
    return true;
}

/* A step of Newton's method (Krawczyk's form) for the first `size` expressions in the numbers of `which`: m - Y f(m) +
   (1 - Y S) (x - m), Y about the inverse of the slopes S over the box. Whatever Y is, it has all solutions. */
static bool newton_step(int size, const int *which, const curved_system *over, const curved_system *at_middle,
                        const interval *x, interval out[NUMBERS])
{
    double slopes[NUMBERS][NUMBERS], inverse[NUMBERS][NUMBERS];
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++)
            slopes[i][k] = middle_of(at_middle->slope[i][which[k]]);
    if (!invert(size, slopes, inverse))
        return false;
    for (int i = 0; i < size; i++)
    {
        double middle = middle_of(x[which[i]]);
        interval sum = interval_point(middle);
        for (int k = 0; k < size; k++)
            sum = interval_sub(sum, interval_mul(interval_point(inverse[i][k]), at_middle->value[k]));
        for (int k = 0; k < size; k++)
        {
            interval rest = interval_point(i == k);
            for (int j = 0; j < size; j++)
                rest = interval_sub(rest, interval_mul(interval_point(inverse[i][j]), over->slope[j][which[k]]));
            interval off = interval_sub(x[which[k]], interval_point(middle_of(x[which[k]])));
            sum = interval_add(sum, interval_mul(rest, off));
        }
        out[i] = sum;
    }
    return true;
}

static bool lies_inside(interval inner, interval outer)
{
    return inner.lower > outer.lower && inner.upper < outer.upper;
}

/* The parameter without which the others' columns span the most volume. */
static int least_needed(const curved_system *over)
{
    static const int others[TIME][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    double most = -1;
    int best = 0;
    for (int n = 0; n < TIME; n++)
    {
        double m[3][3], volume = 0;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                m[i][k] = middle_of(over->slope[i][others[n][k]]);
        for (int i = 0; i < 3; i++)
            volume += m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
        if (fabs(volume) > most)
        {
            most = fabs(volume);
            best = n;
        }
    }
    return best;
}

/* Contact at the middle of the box's times, by a step in three parameters. */
static void prove_contact(curved_impact_search *s, const curved_box *box, const curved_system *before)
{
    double t = middle_of(box->x[TIME]);
    interval x[NUMBERS], middle[NUMBERS], next[NUMBERS];
    curved_system over, at_middle;
    int fixed = least_needed(before), which[3], count = 0;
    memcpy(x, box->x, sizeof x);
    x[TIME] = interval_point(t);
    x[fixed] = interval_point(middle_of(x[fixed]));
    for (int n = 0; n < NUMBERS; n++)
        middle[n] = interval_point(middle_of(x[n]));
    for (int n = 0; n < TIME; n++)
        if (n != fixed)
            which[count++] = n;
    evaluate(s, x, box->charts, 1, &over);
    evaluate(s, middle, box->charts, 1, &at_middle);
    s->counters->features++;
    if (newton_step(3, which, &over, &at_middle, x, next) && lies_inside(next[0], x[which[0]]) &&
        lies_inside(next[1], x[which[1]]) && lies_inside(next[2], x[which[2]]))
        s->best = fmin(s->best, t);
}

typedef enum box_fate
{
    BOX_EMPTY,
    BOX_SPLIT,
    BOX_CONTACT /* one tangent contact, in the box as it is now */
} box_fate;

/* Whether an expression cannot be 0, by its range or by the mean value form. */
static bool excludes(const curved_system *over, const curved_system *at_middle, const interval x[NUMBERS], int count)
{
    for (int i = 0; i < count; i++)
    {
        interval sum = at_middle->value[i];
        for (int k = 0; k < NUMBERS; k++)
            sum =
                interval_add(sum, interval_mul(over->slope[i][k], interval_sub(x[k], interval_point(middle_of(x[k])))));
        if (!interval_contains(over->value[i], 0) || !interval_contains(sum, 0))
            return true;
    }
    return false;
}

/* Narrows each number to what each expression's mean value form leaves for it, where its slope has one sign: f(m) +
   sum s_k (x_k - m_k) = 0 solved for x_n. False: nothing is left. */
static bool narrow(const curved_system *over, const curved_system *at_middle, const interval middle[NUMBERS], int count,
                   curved_box *box)
{
    for (int i = 0; i < count; i++)
        for (int n = 0; n < NUMBERS; n++)
        {
            interval slope = over->slope[i][n], rest = at_middle->value[i];
            if (interval_contains(slope, 0) || !(size_of(slope) < DBL_MAX))
                continue;
            for (int k = 0; k < NUMBERS; k++)
                if (k != n)
                    rest = interval_add(rest, interval_mul(over->slope[i][k], interval_sub(box->x[k], middle[k])));
            interval off = slope.lower > 0 ? grz_interval_divide(negative(rest), slope)
                                           : grz_interval_divide(rest, negative(slope));
            interval left = interval_add(middle[n], off);
            box->x[n].lower = fmax(box->x[n].lower, left.lower);
            box->x[n].upper = fmin(box->x[n].upper, left.upper);
            if (!(box->x[n].lower <= box->x[n].upper))
                return false;
        }
    return true;
}

/* The box made larger by an eighth on each side, within what there is: a contact on a border between boxes lies inside
   of a larger one. */
static void inflate_boxes(const curved_impact_search *s, const curved_box *box, interval out[NUMBERS])
{
    for (int n = 0; n < NUMBERS; n++)
    {
        double by = width_of(box->x[n]) / 8 + LEAST_WIDTH / 64;
        out[n] = (interval){box->x[n].lower - by, box->x[n].upper + by};
        if (n < TIME && !grz_curved_has_border(&s->surfaces[n / 2]->surface))
            continue;
        out[n].lower = fmax(out[n].lower, 0);
        out[n].upper = fmin(out[n].upper, 1);
    }
}

/* The product of all widths but those of numbers that are known. */
static double volume_of(const curved_box *box)
{
    double volume = 1;
    for (int n = 0; n < NUMBERS; n++)
        volume *= fmax(width_of(box->x[n]), LEAST_WIDTH);
    return volume;
}

/* A step over the larger box. A contact that is certain becomes the box. */
static box_fate step_in(curved_impact_search *s, curved_box *box, const curved_system *over,
                        const curved_system *at_middle, const interval larger[NUMBERS], double *out_shrunk)
{
    static const int all[NUMBERS] = {0, 1, 2, 3, 4};
    interval next[NUMBERS];
    bool inside = true;
    s->counters->features++;
    if (!newton_step(NUMBERS, all, over, at_middle, larger, next))
        return BOX_SPLIT;
    for (int n = 0; n < NUMBERS; n++)
        inside = inside && lies_inside(next[n], larger[n]);
    for (int n = 0; n < NUMBERS; n++)
    {
        double before = width_of(box->x[n]);
        interval both = {fmax(next[n].lower, box->x[n].lower), fmin(next[n].upper, box->x[n].upper)};
        if (!inside && !(both.lower <= both.upper))
            return BOX_EMPTY;
        box->x[n] = inside ? next[n] : both;
        if (before > LEAST_WIDTH)
            *out_shrunk = fmin(*out_shrunk, width_of(box->x[n]) / before);
    }
    return inside ? BOX_CONTACT : BOX_SPLIT;
}

/* Steps while they make the box smaller. */
static box_fate examine(curved_impact_search *s, curved_box *box, curved_system *last)
{
    bool contact = false;
    for (int step = 0; step < MOST_STEPS; step++)
    {
        interval middle[NUMBERS], larger[NUMBERS];
        curved_system at_middle;
        double widest = 0, shrunk = 1;
        bool tangent = is_tangent(s, box);
        int order = tangent ? 2 : 1;
        double volume = volume_of(box);
        inflate_boxes(s, box, larger);
        if (!contact && !may_meet(s, box->x, box->charts))
            return BOX_EMPTY;
        for (int n = 0; n < NUMBERS; n++)
        {
            middle[n] = interval_point(middle_of(larger[n]));
            widest = fmax(widest, width_of(box->x[n]));
        }
        evaluate(s, larger, box->charts, order, last);
        evaluate(s, middle, box->charts, order, &at_middle);
        if (!contact && (excludes(last, &at_middle, larger, tangent ? NUMBERS : 3) ||
                         !narrow(last, &at_middle, middle, tangent ? NUMBERS : 3, box)))
            return BOX_EMPTY;
        if (!contact && volume_of(box) < 0.5 * volume)
            continue;
        if (!tangent || widest > NEWTON_WIDTH)
            break;
        box_fate fate = step_in(s, box, last, &at_middle, larger, &shrunk);
        if (fate == BOX_EMPTY)
            return contact ? BOX_CONTACT : BOX_EMPTY;
        contact = contact || fate == BOX_CONTACT;
        if (shrunk > 0.75)
            break;
    }
    if (contact && box->x[TIME].upper < s->best)
        s->best = box->x[TIME].upper;
    return contact ? BOX_CONTACT : BOX_SPLIT;
}

/* The heap. */

static bool comes_before(const curved_box *a, const curved_box *b)
{
    if (a->x[TIME].lower != b->x[TIME].lower)
        return a->x[TIME].lower < b->x[TIME].lower;
    return width_of(a->x[0]) + width_of(a->x[2]) < width_of(b->x[0]) + width_of(b->x[2]);
}

static void push(curved_impact_search *s, const curved_box *box)
{
    if (box->x[TIME].lower >= s->best)
        return;
    if (!GRZ_PUSH(s->context, &s->heap, *box))
    {
        s->out_of_memory = true;
        return;
    }
    for (size_t i = s->heap.count - 1; i > 0 && comes_before(&s->heap.data[i], &s->heap.data[(i - 1) / 2]);
         i = (i - 1) / 2)
    {
        curved_box other = s->heap.data[i];
        s->heap.data[i] = s->heap.data[(i - 1) / 2];
        s->heap.data[(i - 1) / 2] = other;
    }
}

static curved_box pop(curved_impact_search *s)
{
    curved_box top = s->heap.data[0], last = s->heap.data[--s->heap.count];
    size_t i = 0, count = s->heap.count;
    for (size_t child = 1; child < count; child = 2 * i + 1)
    {
        child += child + 1 < count && comes_before(&s->heap.data[child + 1], &s->heap.data[child]);
        if (!comes_before(&s->heap.data[child], &last))
            break;
        s->heap.data[i] = s->heap.data[child];
        i = child;
    }
    if (count > 0)
        s->heap.data[i] = last;
    return top;
}

/* Cuts the number whose width moves the surfaces most; a box that cannot be cut stays undecided. */
static void split(curved_impact_search *s, const curved_box *box, const curved_system *over)
{
    double most = -1;
    int widest = -1;
    for (int n = 0; n < NUMBERS; n++)
    {
        double moves = 0;
        for (int i = 0; i < 3; i++)
            moves = fmax(moves, size_of(over->slope[i][n]));
        if (width_of(box->x[n]) > LEAST_WIDTH && moves * width_of(box->x[n]) > most)
        {
            most = moves * width_of(box->x[n]);
            widest = n;
        }
    }
    if (widest < 0)
    {
        s->earliest = fmin(s->earliest, box->x[TIME].lower);
        return;
    }
    curved_box halves[2] = {*box, *box};
    /* Not in the middle: contacts at simple fractions would lie on borders of boxes for ever. */
    halves[0].x[widest].upper = halves[1].x[widest].lower = box->x[widest].lower + 0.4837 * width_of(box->x[widest]);
    push(s, &halves[0]);
    push(s, &halves[1]);
}

/* Whether contact at a time may be tried: where tangent ones are looked for, of small boxes only. */
static bool is_small(const curved_box *box, bool tangent)
{
    for (int n = 0; n < TIME; n++)
        if (width_of(box->x[n]) > (tangent ? NEWTON_WIDTH / 16 : NEWTON_WIDTH))
            return false;
    return true;
}

/* Searches the times of `span`, until what is known is as narrow as the resolution. What begins later than `best` does
   not matter. */
static void search_times(curved_impact_search *s, interval span, double resolution)
{
    int counts[2] = {grz_curved_chart_count(&s->surfaces[0]->surface),
                     grz_curved_chart_count(&s->surfaces[1]->surface)};
    s->heap.count = 0;
    for (int chart = 0; chart < counts[0] * counts[1]; chart++)
    {
        curved_box box = {.charts = {(uint8_t)(chart / counts[1]), (uint8_t)(chart % counts[1])}};
        for (int n = 0; n < TIME; n++)
            box.x[n] = grz_curved_domain(&s->surfaces[n / 2]->surface);
        box.x[TIME] = span;
        push(s, &box);
    }
    while (s->heap.count > 0 && !s->out_of_memory)
    {
        double from = fmin(s->heap.data[0].x[TIME].lower, s->earliest);
        if (s->heap.data[0].x[TIME].lower >= s->best || s->best - from <= resolution)
            break;
        if (!grz_monitor_box_tests(&s->monitor, 1) || !grz_monitor_work(&s->monitor, GRZ_WORK_PER_CHECK / 16))
            break;
        curved_box box = pop(s);
        s->counters->steps++;
        box.x[TIME].upper = fmin(box.x[TIME].upper, s->best);
        curved_system last;
        box_fate fate = examine(s, &box, &last);
        if (fate == BOX_CONTACT)
            s->earliest = fmin(s->earliest, box.x[TIME].lower);
        if (fate != BOX_SPLIT)
            continue;
        if (is_small(&box, is_tangent(s, &box)))
            prove_contact(s, &box, &last);
        split(s, &box, &last);
    }
    if (s->heap.count > 0 && s->heap.data[0].x[TIME].lower < s->best)
        s->earliest = fmin(s->earliest, s->heap.data[0].x[TIME].lower);
}

static void search_all(curved_impact_search *s, double resolution, graze_motion_method_answer *out)
{
    search_times(s, interval_point(0), 0);
    bool starts_apart = s->best == INFINITY && s->earliest == INFINITY;
    if (starts_apart && grz_monitor_may_continue(&s->monitor))
    {
        s->tangent = true;
        search_times(s, (interval){0, 1}, resolution);
    }
    if (s->best <= 1)
    {
        out->verdict = GRAZE_IMPACT_AT;
        out->lower = fmin(s->earliest, s->best);
        out->upper = s->best;
    }
    else if (s->earliest == INFINITY && grz_monitor_may_continue(&s->monitor))
    {
        out->verdict = GRAZE_IMPACT_NONE;
        out->lower = out->upper = 0;
    }
    else if (starts_apart && s->tangent && s->earliest <= 1)
        out->lower = s->earliest;
}

graze_status graze_curved_surface_impact(const graze_context *context, const graze_moving_surface *a,
                                         const graze_moving_surface *b, double resolution, const graze_budget *budget,
                                         graze_motion_method_answer *out_answer)
{
    if (a == NULL || b == NULL || out_answer == NULL || !(resolution >= 0 && resolution <= 1))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = grz_moving_surface_check(a);
    if (status == GRAZE_STATUS_OK)
        status = grz_moving_surface_check(b);
    if (status != GRAZE_STATUS_OK)
        return status;
    const graze_budget own = {.box_tests = DEFAULT_BOXES};
    graze_motion_method_answer answer = {
        .verdict = GRAZE_IMPACT_UNKNOWN, .guess = GRAZE_IMPACT_UNKNOWN, .lower = 0, .upper = 1};
    curved_impact_search s = {.context = context,
                              .surfaces = {a, b},
                              .monitor = grz_monitor_make(budget != NULL ? budget : &own),
                              .best = INFINITY,
                              .earliest = INFINITY,
                              .counters = &answer.counters};
    grz_environment environment;
    grz_environment_enter_default(&environment);
    search_all(&s, resolution > 0 ? resolution : DEFAULT_RESOLUTION, &answer);
    grz_environment_leave_default(&environment);
    grz_release(context, s.heap.data);
    if (s.out_of_memory)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    status = grz_monitor_status(&s.monitor);
    if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_UNFINISHED)
        return status;
    if (answer.verdict != GRAZE_IMPACT_UNKNOWN)
        answer.guess = answer.verdict;
    *out_answer = answer;
    return GRAZE_STATUS_OK;
}
