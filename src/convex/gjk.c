/* SPDX-License-Identifier: MIT */
/*
 * GJK (Gilbert, Johnson, Keerthi, 1988) with signed volumes, started from the last simplex (Cameron's enhanced GJK,
 * 1997). It only searches: a plane separates by the certified heights of convex_support.c, and an enclosed origin is
 * proved by signs of determinants.
 */
#include "convex/gjk.h"

#include "convex/exact_simplex.h"

enum
{
    MOST_STEPS = 100
};

void grz_gjk_set_corner(grz_gjk *g, int i, uint32_t of_a, uint32_t of_b)
{
    const grz_convex_operands *o = &g->operands;
    g->vertices[i][0] = of_a;
    g->vertices[i][1] = of_b;
    g->on_a[i] = grz_convex_rotate(o->a.m, o->a.body->vertices[of_a]);
    g->on_b[i] = v3_add(grz_convex_rotate(o->b.m, o->b.body->vertices[of_b]), o->between);
    g->corners[i] = v3_sub(g->on_a[i], g->on_b[i]);
}

/* The start of hill climbing along q. */
static uint32_t start_of(const grz_convex_side *side, v3 q)
{
    double c[3] = {q.x, q.y, q.z};
    int axis = fabs(q.x) >= fabs(q.y) ? 0 : 1;
    axis = fabs(c[axis]) >= fabs(q.z) ? axis : 2;
    double largest = fabs(c[axis]);
    if (!(largest > 0x1p-200))
        return 0;
    double x = (c[(axis + 1) % 3] / largest + 1) * (GRZ_CONVEX_CELLS / 2),
           y = (c[(axis + 2) % 3] / largest + 1) * (GRZ_CONVEX_CELLS / 2);
    int i = (int)x < GRZ_CONVEX_CELLS ? (int)x : GRZ_CONVEX_CELLS - 1;
    int k = (int)y < GRZ_CONVEX_CELLS ? (int)y : GRZ_CONVEX_CELLS - 1;
    return side->body->table->starts[2 * axis + (c[axis] < 0)][i][k];
}

static v3 centre_of(const grz_convex_side *side)
{
    const grz_convex_table *t = side->body->table;
    double centre[3];
    for (int axis = 0; axis < 3; axis++)
        centre[axis] = 0.5 * t->lower[axis] + 0.5 * t->upper[axis];
    return grz_convex_rotate(side->m, centre);
}

static void start_afresh(grz_gjk *g)
{
    grz_convex_operands *o = &g->operands;
    v3 w = v3_sub(v3_add(centre_of(&o->b), o->between), centre_of(&o->a));
    v3 q_a = grz_convex_unrotate(o->a.m, w), q_b = grz_convex_unrotate(o->b.m, v3_scale(-1, w));
    o->a.start = grz_convex_support(&o->a, q_a, start_of(&o->a, q_a)).vertex;
    o->b.start = grz_convex_support(&o->b, q_b, start_of(&o->b, q_b)).vertex;
    g->count = 1;
    grz_gjk_set_corner(g, 0, o->a.start, o->b.start);
}

void grz_gjk_start(grz_gjk *g, const grz_convex_cache *cache)
{
    size_t count_a = g->operands.a.body->vertex_count, count_b = g->operands.b.body->vertex_count;
    g->count = 0;
    g->gap = g->along = 0;
    g->steps = 0;
    uint32_t size = cache != NULL && cache->simplex_size <= 4 ? cache->simplex_size : 0;
    for (uint32_t i = 0; i < size; i++)
        if (cache->simplex[i][0] < count_a && cache->simplex[i][1] < count_b)
            grz_gjk_set_corner(g, g->count++, cache->simplex[i][0], cache->simplex[i][1]);
    if (g->count == 0)
    {
        start_afresh(g);
        return;
    }
    g->operands.a.start = g->vertices[g->count - 1][0];
    g->operands.b.start = g->vertices[g->count - 1][1];
}

double grz_gjk_gap(grz_gjk *g, v3 w, uint32_t vertices[2])
{
    grz_convex_operands *o = &g->operands;
    v3 q_a = grz_convex_unrotate(o->a.m, w), q_b = grz_convex_unrotate(o->b.m, v3_scale(-1, w));
    grz_convex_vertex of_a = grz_convex_support(&o->a, q_a, o->a.start);
    grz_convex_vertex of_b = grz_convex_support(&o->b, q_b, o->b.start);
    vertices[0] = o->a.start = of_a.vertex;
    vertices[1] = o->b.start = of_b.vertex;
    double error = grz_convex_height_error(o, w);
    double highest_a = grz_convex_highest(&o->a, q_a, &of_a, error);
    double highest_b = grz_convex_highest(&o->b, q_b, &of_b, error);
    return v3_dot(w, o->between) - highest_a - highest_b - error;
}

/* The product of radius and length has 4 roundings. */
bool grz_gjk_separates(grz_gjk *g, v3 w)
{
    uint32_t unused[2];
    double gap = grz_gjk_gap(g, w, unused);
    /* shortcut: convex-plane */
    return g->radius > 0 ? gap > g->radius * v3_length(w) * (1 + 16 * GRZ_U) + GRZ_CONVEX_TINY : gap > 0;
}

/*
 * det(p, q, r) of three corners that err by e = 8 u S on each axis (see convex_support.h): let N be the largest
 * magnitudes and e added. Each of six products errs by the sum of e_x N_y N_z in all orders, and 5 u N_x N_y N_z more
 * in evaluation.
 */
bool grz_gjk_encloses(const grz_gjk *g)
{
    const v3 *p = g->corners, size = g->operands.size;
    v3 e = v3_scale(8 * GRZ_U, size), n = e;
    n.x += fmax(fmax(fabs(p[0].x), fabs(p[1].x)), fmax(fabs(p[2].x), fabs(p[3].x)));
    n.y += fmax(fmax(fabs(p[0].y), fabs(p[1].y)), fmax(fabs(p[2].y), fabs(p[3].y)));
    n.z += fmax(fmax(fabs(p[0].z), fabs(p[1].z)), fmax(fabs(p[2].z), fabs(p[3].z)));
    double errors = e.x * n.y * n.z + n.x * e.y * n.z + n.x * n.y * e.z + 6 * GRZ_U * (n.x * n.y * n.z);
    /* shortcut: convex-enclosed */
    double bound = 6.001 * errors + GRZ_CONVEX_TINY;
    v3 cross_01 = v3_cross(p[0], p[1]), cross_23 = v3_cross(p[2], p[3]);
    double volumes[4] = {v3_dot(p[1], cross_23), -v3_dot(p[0], cross_23), v3_dot(p[3], cross_01),
                         -v3_dot(p[2], cross_01)};
    return (volumes[0] > bound && volumes[1] > bound && volumes[2] > bound && volumes[3] > bound) ||
           (volumes[0] < -bound && volumes[1] < -bound && volumes[2] < -bound && volumes[3] < -bound);
}

static bool holds_origin_exactly(const grz_gjk *g)
{
    return grz_exact_simplex_holds_origin(g->operands.a.body, g->operands.b.body, (const uint32_t(*)[2])g->vertices,
                                          g->count);
}

/* Drops the corners that the nearest point does not need. */
static void reduce(grz_gjk *g)
{
    int kept = 0;
    for (int i = 0; i < g->count; i++)
        if ((g->nearest.corners >> i & 1) != 0)
        {
            g->corners[kept] = g->corners[i];
            g->on_a[kept] = g->on_a[i];
            g->on_b[kept] = g->on_b[i];
            g->nearest.weights[kept] = g->nearest.weights[i];
            g->vertices[kept][0] = g->vertices[i][0];
            g->vertices[kept][1] = g->vertices[i][1];
            kept++;
        }
    g->count = kept;
}

static bool has_corner(const grz_gjk *g, const uint32_t vertices[2])
{
    for (int i = 0; i < g->count; i++)
        if (g->vertices[i][0] == vertices[0] && g->vertices[i][1] == vertices[1])
            return true;
    return false;
}

/*
 * A corner errs by 8 u S on an axis, the mixture of four corners with weights that sum up to 1 but for 4 u by 10 u of
 * their magnitudes, at most S (1 + 8 u): 24 u of the sum of S cover a computed point's distance from the one that is
 * meant.
 */
double grz_gjk_point_error(const grz_gjk *g)
{
    const v3 *size = &g->operands.size;
    return 24 * GRZ_U * (size->x + size->y + size->z) + GRZ_CONVEX_TINY;
}

v3 grz_gjk_mix(const grz_gjk *g, const v3 *points)
{
    v3 sum = v3_scale(g->nearest.weights[0], points[0]);
    for (int i = 1; i < g->count; i++)
        sum = v3_add(sum, v3_scale(g->nearest.weights[i], points[i]));
    return sum;
}

double grz_gjk_upper(const grz_gjk *g)
{
    /* shortcut: convex-upper-distance */
    return v3_length(grz_gjk_mix(g, g->corners)) * (1 + 8 * GRZ_U) + grz_gjk_point_error(g);
}

grz_convex_verdict grz_gjk_run(grz_gjk *g, grz_gjk_goal goal, const grz_convex_limits *limits)
{
    double error = grz_gjk_point_error(g), last = INFINITY;
    for (g->steps = 0; g->steps < MOST_STEPS; g->steps++)
    {
        if (g->count == 4 && grz_gjk_encloses(g))
            return GRZ_CONVEX_TOGETHER;
        grz_simplex_nearest(g->corners, g->count, &g->nearest);
        if (g->nearest.corners == 15)
            return holds_origin_exactly(g) ? GRZ_CONVEX_TOGETHER : GRZ_CONVEX_UNDECIDED;
        reduce(g);
        v3 w = v3_scale(-1, g->nearest.point);
        double square = v3_dot(w, w), length = sqrt(square);
        if (!(length > 2 * error))
            return holds_origin_exactly(g) ? GRZ_CONVEX_TOGETHER : GRZ_CONVEX_UNDECIDED;
        uint32_t vertices[2];
        double gap = grz_gjk_gap(g, w, vertices);
        if (g->along == 0 || gap * g->along > g->gap * length)
        {
            g->direction = w;
            g->gap = gap;
            g->along = length;
        }
        if (goal == GRZ_GJK_ANY)
        {
            if (gap > g->radius * length * (1 + 16 * GRZ_U) + GRZ_CONVEX_TINY)
                return GRZ_CONVEX_APART;
            if (g->radius > 0 && g->radius > grz_gjk_upper(g))
                return GRZ_CONVEX_TOGETHER;
        }
        else if (square - gap <= limits->absolute_error * length || gap > limits->enough * length)
            return GRZ_CONVEX_UNDECIDED;
        if (square - gap <= 4 * error * length || has_corner(g, vertices) || !(length < last))
            return GRZ_CONVEX_UNDECIDED;
        last = length;
        grz_gjk_set_corner(g, g->count++, vertices[0], vertices[1]);
    }
    return GRZ_CONVEX_UNDECIDED;
}
