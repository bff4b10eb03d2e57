/* SPDX-License-Identifier: MIT */
/* GJK in twice the precision of double, for bodies that almost touch: there the direction of a nearest point in doubles
   is lost to cancellation. */
#include "convex/curved_gjk.h"

#include <math.h>

#define STEPS 160
#define FIRST_POLISH 0 /* never: it was tried in doubles */
#define SECOND_POLISH 0
#define TOLERANCE 0x1p-48

#define scalar grz_dd
#define vector wide3
#define point grz_curved_wide_vertex

#define s_make(x) dd_make(x)
#define s_double(x) ((x).high)
#define s_sub dd_subtract
#define s_negate dd_negate
#define s_divide dd_divide
#define s_sqrt dd_square_root
#define x_from wide3_from
#define x_round wide3_round
#define x_add wide3_add
#define x_sub wide3_sub
#define x_scale wide3_scale
#define x_dot wide3_dot
#define x_cross wide3_cross
#define support grz_curved_pair_wide_support

static inline bool polish(const grz_curved_pair *pair, double tolerance, v3 *w, grz_curved_wide_vertex *vertex)
{
    (void)pair, (void)tolerance, (void)w, (void)vertex;
    return false;
}

static inline bool s_less(grz_dd x, grz_dd y)
{
    return x.high < y.high || (x.high == y.high && x.low < y.low);
}

static inline bool x_equal(wide3 p, wide3 q)
{
    return p.x.high == q.x.high && p.y.high == q.y.high && p.z.high == q.z.high && p.x.low == q.x.low &&
           p.y.low == q.y.low && p.z.low == q.z.low;
}

static grz_curved_wide_vertex wide_vertex_of(const point *p)
{
    return *p;
}

#include "convex/curved_gjk_template.h"

grz_curved_search grz_curved_gjk_wide(const grz_curved_pair *pair, bool distance, grz_curved_simplex *out)
{
    return iterate(pair, distance, out);
}
