/* SPDX-License-Identifier: MIT */
/*
 * The interval in which a triangle cuts the common line of two planes, after Guigue and Devillers; triangle_triangle.c
 * derives the order of intervals' ends. Shared by the predicates of predicates.h and by those of fixed_point.h.
 */
#ifndef GRZ_EXACT_LINE_INTERVAL_H
#define GRZ_EXACT_LINE_INTERVAL_H

#include "exact/contact.h"

typedef struct grz_line_interval
{
    int apex, side;
    int lower, upper;        /* feet, as point indices */
    bool lower_on, upper_on; /* whether that foot lies on the common line */
    bool straddles;          /* whether the triangle has corners on both sides of the line */
} grz_line_interval;

/* `sides` are those of the triangle's corners, not all zero and not all the same. `first` is its first corner's index;
   `direction` is -1 for A and 1 for B. */
static inline grz_line_interval grz_line_interval_find(const int sides[3], int first, int direction)
{
    int apex = 0;
    /* The corner that is alone on its side; if there is none (+ + 0), any corner off the plane. */
    for (int i = 0; i < 3; i++)
    {
        if (sides[i] != 0 && sides[(i + 1) % 3] != sides[i] && sides[(i + 2) % 3] != sides[i])
        {
            apex = i;
            break;
        }
        if (sides[i] != 0 && sides[apex] == 0)
            apex = i;
    }
    int b = (apex + 1) % 3, c = (apex + 2) % 3;
    if (sides[b] == sides[apex])
        b = c; /* + + 0: both lines go to the one corner on the plane */
    else if (sides[c] == sides[apex])
        c = b;
    grz_line_interval result;
    result.apex = first + apex;
    result.side = sides[apex];
    bool in_order = direction * sides[apex] > 0;
    int lower = in_order ? b : c, upper = in_order ? c : b;
    result.lower = first + lower;
    result.upper = first + upper;
    result.lower_on = sides[lower] == 0;
    result.upper_on = sides[upper] == 0;
    result.straddles = sides[b] * sides[apex] < 0 || sides[c] * sides[apex] < 0;
    return result;
}

/* The contact of intervals that meet: `up` is the sign of B's upper end minus A's lower one, not negative, `down` that
   of B's lower end minus A's upper one, not positive. */
graze_triangle_contact grz_contact_on_line(const grz_line_interval *a, const grz_line_interval *b, int up, int down);

/* Orders of the ends of two intervals, each the sign of B's end minus A's: `up` and `down` as above, `low` of the lower
   ends, `high` of the upper ends. */
typedef struct grz_line_orders
{
    int up, down, low, high;
} grz_line_orders;

/* The same as points: one or two. */
void grz_contact_set_on_line(const grz_line_interval *a, const grz_line_interval *b, const grz_line_orders *orders,
                             grz_contact_set *set);

/* Signs of the three edges of one triangle at the three corners of the other, projected along an axis; positive is
   inside. */
typedef int grz_side_table[3][3]; /* [corner][edge] */

/* The contact of two triangles in one plane that no edge separates. */
graze_triangle_contact grz_contact_in_plane(grz_side_table a_in_b, grz_side_table b_in_a);

/* The same as points. */
void grz_contact_set_in_plane(grz_side_table a_in_b, grz_side_table b_in_a, grz_contact_set *set);

#endif
