/* SPDX-License-Identifier: MIT */
/* GJK in doubles. */
#include "convex/curved_gjk.h"

#include <math.h>

#include "convex/curved_polish.h"

#define STEPS 64
#define FIRST_POLISH 6 /* steps before Newton's method */
#define SECOND_POLISH 14
#define TOLERANCE 0x1p-46

#define scalar double
#define vector v3
#define point grz_curved_vertex

#define s_make(x) ((double)(x))
#define s_double(x) (x)
#define s_sub(x, y) ((x) - (y))
#define s_negate(x) (-(x))
#define s_divide(x, y) ((x) / (y))
#define s_sqrt(x) sqrt(x)
#define s_less(x, y) ((x) < (y))
#define x_from(p) (p)
#define x_round(p) (p)
#define x_add v3_add
#define x_sub v3_sub
#define x_scale v3_scale
#define x_dot v3_dot
#define x_cross v3_cross
#define support grz_curved_pair_support
#define polish grz_curved_polish

static inline bool x_equal(v3 p, v3 q)
{
    return p.x == q.x && p.y == q.y && p.z == q.z;
}

static grz_curved_wide_vertex wide_vertex_of(const point *p)
{
    return (grz_curved_wide_vertex){wide3_from(p->m), p->a, p->w};
}

#include "convex/curved_gjk_template.h"

grz_curved_search grz_curved_gjk(const grz_curved_pair *pair, bool distance, grz_curved_simplex *out)
{
    return iterate(pair, distance, out);
}
