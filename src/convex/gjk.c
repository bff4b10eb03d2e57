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

static inline void set_corner(grz_gjk *g, int i, uint32_t of_a, uint32_t of_b)
{
    g->vertices[i][0] = of_a;
    g->vertices[i][1] = of_b;
    g->placed[i] = grz_convex_place(&g->operands, of_a, of_b);
    g->corners[i] = grz_convex_difference(g->placed[i]);
}

void grz_gjk_set_corner(grz_gjk *g, int i, uint32_t of_a, uint32_t of_b)
{
    set_corner(g, i, of_a, of_b);
}

/* The start of hill climbing along q. */
static uint32_t start_of(const grz_convex_table *table, v3 q)
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
    return table->starts[2 * axis + (c[axis] < 0)][i][k];
}

static void centre_of(const grz_convex_table *t, double centre[3])
{
    for (int axis = 0; axis < 3; axis++)
        centre[axis] = 0.5 * t->lower[axis] + 0.5 * t->upper[axis];
}

/* The supports of both bodies along w. */
typedef struct support_pair
{
    grz_convex_vertex found[2];
    v3 q[2];
    double gap; /* computed */
} support_pair;

static inline void find_supports(grz_gjk *g, v3 w, support_pair *s)
{
    grz_convex_operands *o = &g->operands;
    grz_convex_both q = grz_convex_unrotate(o, w);
    for (int i = 0; i < 2; i++)
    {
        s->q[i] = grz_convex_of(q, i);
        const grz_convex_vertex found = grz_convex_support(o->bodies[i], s->q[i], o->starts[i]);
        s->found[i].vertex = found.vertex; /* one by one: read again as a whole they would wait for the stores */
        s->found[i].height = found.height;
        s->found[i].margin = found.margin;
    }
    s->gap = v3_dot(w, o->between) - s->found[0].height - s->found[1].height;
}

/* Keeps the vertices as starts of the next search. */
static inline void resolve(grz_gjk *g, const support_pair *s, uint32_t vertices[2])
{
    for (int i = 0; i < 2; i++)
        vertices[i] = g->operands.starts[i] = grz_convex_found(g->operands.bodies[i], s->q[i], &s->found[i]);
}

/* The certified gap. */
static inline double certify(const grz_gjk *g, const support_pair *s, v3 w, double error)
{
    const grz_convex_operands *o = &g->operands;
    return v3_dot(w, o->between) - grz_convex_highest(o->bodies[0], s->q[0], &s->found[0], error) -
           grz_convex_highest(o->bodies[1], s->q[1], &s->found[1], error) - error;
}

double grz_gjk_gap(grz_gjk *g, v3 w, uint32_t vertices[2])
{
    support_pair s;
    vertices[0] = vertices[1] = 0;
    if (!(v3_dot(w, w) < INFINITY)) /* supports along it are nowhere */
        return 0;
    find_supports(g, w, &s);
    resolve(g, &s, vertices);
    return certify(g, &s, w, grz_convex_height_error(&g->operands, w));
}

static void start_afresh(grz_gjk *g)
{
    grz_convex_operands *o = &g->operands;
    double centre[2][3];
    support_pair s;
    uint32_t vertices[2];
    centre_of(o->bodies[0]->table, centre[0]);
    centre_of(o->bodies[1]->table, centre[1]);
    v3 w = v3_sub(o->between, grz_convex_difference(grz_convex_rotate(o, centre[0], centre[1])));
    grz_convex_both q = grz_convex_unrotate(o, w);
    for (int i = 0; i < 2; i++)
        o->starts[i] = start_of(o->bodies[i]->table, grz_convex_of(q, i));
    find_supports(g, w, &s);
    resolve(g, &s, vertices);
    g->count = 1;
    set_corner(g, 0, vertices[0], vertices[1]);
}

void grz_gjk_start(grz_gjk *g, const grz_convex_cache *cache)
{
    const grz_convex_operands *o = &g->operands;
    size_t count_a = o->bodies[0]->vertex_count, count_b = o->bodies[1]->vertex_count;
    g->count = 0;
    g->gap = g->along = 0;
    g->steps = 0;
    uint32_t size = cache != NULL && cache->simplex_size <= 4 ? cache->simplex_size : 0;
    for (uint32_t i = 0; i < size; i++)
        if (cache->simplex[i][0] < count_a && cache->simplex[i][1] < count_b)
            set_corner(g, g->count++, cache->simplex[i][0], cache->simplex[i][1]);
    if (g->count == 0)
    {
        start_afresh(g);
        return;
    }
    g->operands.starts[0] = g->vertices[g->count - 1][0];
    g->operands.starts[1] = g->vertices[g->count - 1][1];
}

/* The product of radius and length has 4 roundings. */
static inline double needed_gap(const grz_gjk *g, double length)
{
    /* shortcut: convex-plane */
    return g->radius > 0 ? g->radius * length * (1 + 16 * GRZ_U) + GRZ_CONVEX_TINY : 0;
}

bool grz_gjk_separates(grz_gjk *g, v3 w)
{
    support_pair s;
    find_supports(g, w, &s);
    double needed = needed_gap(g, v3_length(w));
    if (!(s.gap > needed))
        return false;
    for (int i = 0; i < 2; i++)
        if (s.found[i].vertex != GRZ_CONVEX_NOT_YET)
            g->operands.starts[i] = s.found[i].vertex;
    return certify(g, &s, w, grz_convex_height_error(&g->operands, w)) > needed;
}

/* The largest magnitude of four numbers. */
static inline double largest_of(double a, double b, double c, double d)
{
    f64x2 both = f64x2_max(f64x2_abs(f64x2_make(a, b)), f64x2_abs(f64x2_make(c, d)));
    return f64x2_first(f64x2_max(both, f64x2_swap(both)));
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
    n.x += largest_of(p[0].x, p[1].x, p[2].x, p[3].x);
    n.y += largest_of(p[0].y, p[1].y, p[2].y, p[3].y);
    n.z += largest_of(p[0].z, p[1].z, p[2].z, p[3].z);
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
    return grz_exact_simplex_holds_origin(g->operands.given[0], g->operands.given[1], (const uint32_t(*)[2])g->vertices,
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
            g->placed[kept] = g->placed[i];
            g->nearest.weights[kept] = g->nearest.weights[i];
            g->vertices[kept][0] = g->vertices[i][0];
            g->vertices[kept][1] = g->vertices[i][1];
            kept++;
        }
    g->count = kept;
}

/* The weights of a simplex that encloses the origin: of four corners, but for rounding. */
static void weigh(grz_gjk *g)
{
    grz_simplex_nearest(g->corners, g->count, &g->nearest);
    if (g->nearest.corners != 15)
        reduce(g);
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

grz_convex_both grz_gjk_mix(const grz_gjk *g)
{
    grz_convex_both sum = {f64x2_splat(0), f64x2_splat(0), f64x2_splat(0)};
    for (int i = 0; i < g->count; i++)
    {
        f64x2 weight = f64x2_splat(g->nearest.weights[i]);
        sum.x = f64x2_add(sum.x, f64x2_mul(weight, g->placed[i].x));
        sum.y = f64x2_add(sum.y, f64x2_mul(weight, g->placed[i].y));
        sum.z = f64x2_add(sum.z, f64x2_mul(weight, g->placed[i].z));
    }
    return sum;
}

double grz_gjk_upper(const grz_gjk *g)
{
    /* shortcut: convex-upper-distance */
    return v3_length(grz_convex_difference(grz_gjk_mix(g))) * (1 + 8 * GRZ_U) + grz_gjk_point_error(g);
}

/* Whether the nearest point is as near as the goal wants, by certified bounds. */
static grz_convex_verdict decide(grz_gjk *g, const support_pair *s, v3 w, double length)
{
    double needed = needed_gap(g, length);
    if (s->gap > needed && certify(g, s, w, grz_convex_height_error(&g->operands, w)) > needed)
        return GRZ_CONVEX_APART;
    return g->radius > 0 && g->radius > grz_gjk_upper(g) ? GRZ_CONVEX_TOGETHER : GRZ_CONVEX_UNDECIDED;
}

/* Only distances need the certified gap. */
static void keep_plane(grz_gjk *g, const support_pair *s, v3 w, double length, grz_gjk_goal goal)
{
    g->direction = w;
    g->along = length;
    g->gap = goal == GRZ_GJK_DISTANCE ? certify(g, s, w, grz_convex_height_error(&g->operands, w)) : 0;
}

/* The simplex holds the origin, or comes so near that doubles cannot tell. */
static grz_convex_verdict touch(const grz_gjk *g)
{
    return holds_origin_exactly(g) ? GRZ_CONVEX_TOGETHER : GRZ_CONVEX_UNDECIDED;
}

grz_convex_verdict grz_gjk_run(grz_gjk *g, grz_gjk_goal goal, const grz_convex_limits *limits)
{
    double error = grz_gjk_point_error(g), last = INFINITY;
    for (g->steps = 0; g->steps < MOST_STEPS; g->steps++)
    {
        if (g->count == 4 && grz_gjk_encloses(g))
        {
            if (goal == GRZ_GJK_DISTANCE) /* a common point is made of weights */
                weigh(g);
            return GRZ_CONVEX_TOGETHER;
        }
        grz_simplex_nearest(g->corners, g->count, &g->nearest);
        if (g->nearest.corners == 15)
            return touch(g);
        reduce(g);
        v3 w = v3_scale(-1, g->nearest.point);
        double square = v3_dot(w, w), length = sqrt(square);
        if (!(length > 2 * error))
            return touch(g);
        support_pair s;
        find_supports(g, w, &s);
        grz_convex_verdict verdict = goal == GRZ_GJK_ANY ? decide(g, &s, w, length) : GRZ_CONVEX_UNDECIDED;
        /* no support is nearer than the plane through the nearest point, or near enough */
        bool done = verdict != GRZ_CONVEX_UNDECIDED || square - s.gap <= 4 * error * length || !(length < last) ||
                    g->steps + 1 == MOST_STEPS ||
                    (goal == GRZ_GJK_DISTANCE && (square - s.gap <= limits->absolute_error * length ||
                                                  s.gap > (limits->enough + g->radius) * length));
        uint32_t vertices[2];
        if (!done)
        {
            resolve(g, &s, vertices);
            done = has_corner(g, vertices);
        }
        if (done)
        {
            keep_plane(g, &s, w, length, goal);
            return verdict;
        }
        last = length;
        set_corner(g, g->count++, vertices[0], vertices[1]);
    }
    return GRZ_CONVEX_UNDECIDED;
}
