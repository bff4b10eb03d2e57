/* SPDX-License-Identifier: MIT */
/*
 * The iteration of GJK for one kind of number. The file that includes this defines the types scalar, vector and point
 * (with a vector m, the point of M, and the v3 a), functions s_* and x_* of them, `support`, `widen`, `polish` and
 * STEPS.
 */

typedef struct gjk_simplex
{
    int count;
    point points[4];
    scalar weights[4]; /* of the nearest point; their sum is 1 */
    vector nearest;
    scalar distance_sq;
} gjk_simplex;

static void set_nearest(gjk_simplex *s)
{
    s->nearest = x_scale(s->weights[0], s->points[0].m);
    for (int i = 1; i < s->count; i++)
        s->nearest = x_add(s->nearest, x_scale(s->weights[i], s->points[i].m));
    s->distance_sq = x_dot(s->nearest, s->nearest);
}

static gjk_simplex nearest_on_point(const point *p)
{
    gjk_simplex s = {.count = 1, .points = {*p}, .weights = {s_make(1)}};
    set_nearest(&s);
    return s;
}

static gjk_simplex nearest_on_segment(const point *p, const point *q)
{
    vector d = x_sub(q->m, p->m);
    scalar length_sq = x_dot(d, d), along = s_negate(x_dot(p->m, d));
    if (!(s_double(along) > 0))
        return nearest_on_point(p);
    if (!s_less(along, length_sq))
        return nearest_on_point(q);
    scalar t = s_divide(along, length_sq);
    gjk_simplex s = {.count = 2, .points = {*p, *q}, .weights = {s_sub(s_make(1), t), t}};
    set_nearest(&s);
    return s;
}

static void take_nearer(gjk_simplex *best, const gjk_simplex *other)
{
    if (s_less(other->distance_sq, best->distance_sq))
        *best = *other;
}

/* Inside where all barycentric coordinates of the projection are positive, otherwise on an edge. */
static gjk_simplex nearest_on_triangle(const point *p, const point *q, const point *r)
{
    vector e = x_sub(q->m, p->m), f = x_sub(r->m, p->m), normal = x_cross(e, f);
    scalar area_sq = x_dot(normal, normal);
    if (s_double(area_sq) > 0)
    {
        scalar of_q = s_negate(x_dot(x_cross(p->m, f), normal)), of_r = s_negate(x_dot(x_cross(e, p->m), normal));
        scalar of_p = s_sub(s_sub(area_sq, of_q), of_r);
        if (s_double(of_p) > 0 && s_double(of_q) > 0 && s_double(of_r) > 0)
        {
            gjk_simplex s = {.count = 3, .points = {*p, *q, *r}};
            s.weights[1] = s_divide(of_q, area_sq);
            s.weights[2] = s_divide(of_r, area_sq);
            s.weights[0] = s_sub(s_sub(s_make(1), s.weights[1]), s.weights[2]);
            set_nearest(&s);
            return s;
        }
    }
    gjk_simplex best = nearest_on_segment(p, q), other = nearest_on_segment(q, r);
    take_nearer(&best, &other);
    other = nearest_on_segment(r, p);
    take_nearer(&best, &other);
    return best;
}

/* Whether the origin is on the side of a face where the fourth point is. Never of a flat tetrahedron. */
static bool behind_face(const point *p, const point *q, const point *r, const point *fourth)
{
    vector normal = x_cross(x_sub(q->m, p->m), x_sub(r->m, p->m));
    double side = s_double(x_dot(normal, x_sub(fourth->m, p->m))), origin = -s_double(x_dot(normal, p->m));
    return (side > 0 && origin > 0) || (side < 0 && origin < 0);
}

/* A count of 4 says that the origin is inside. */
static gjk_simplex nearest_on_tetrahedron(const point *p)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    gjk_simplex best = {.count = 0};
    for (int i = 0; i < 4; i++)
    {
        const int *f = faces[i];
        if (behind_face(&p[f[0]], &p[f[1]], &p[f[2]], &p[f[3]]))
            continue;
        gjk_simplex other = nearest_on_triangle(&p[f[0]], &p[f[1]], &p[f[2]]);
        if (best.count == 0)
            best = other;
        else
            take_nearer(&best, &other);
    }
    if (best.count > 0)
        return best;
    best = (gjk_simplex){.count = 4, .points = {p[0], p[1], p[2], p[3]}};
    return best;
}

static gjk_simplex nearest_with(const gjk_simplex *s, const point *added)
{
    const point *p = s->points;
    switch (s->count)
    {
    case 1:
        return nearest_on_segment(&p[0], added);
    case 2:
        return nearest_on_triangle(&p[0], &p[1], added);
    default:
    {
        point points[4] = {p[0], p[1], p[2], *added};
        return nearest_on_tetrahedron(points);
    }
    }
}

static bool has_point(const gjk_simplex *s, const point *p)
{
    for (int i = 0; i < s->count; i++)
        if (x_equal(s->points[i].m, p->m))
            return true;
    return false;
}

static void finish(const gjk_simplex *s, const grz_curved_pair *pair, grz_curved_simplex *out)
{
    out->count = s->count;
    for (int i = 0; i < s->count; i++)
        out->vertices[i] = wide_vertex_of(&s->points[i]);
    if (s->count == 4)
        return;
    v3 nearest = x_round(s->nearest), a = v3_make(0, 0, 0);
    for (int i = 0; i < s->count; i++)
        a = v3_add(a, v3_scale(s_double(s->weights[i]), s->points[i].a));
    /* The weights are positive, and their sum is 1 up to 6 roundings: a point of M is as near as that. */
    out->upper = v3_length(nearest) + GRZ_CURVED_ERROR * pair->size;
    out->a = a;
    out->b = v3_sub(a, nearest);
}

/* Takes the point that Newton's method finds, if it proves that the bodies are apart. */
static bool polished(const grz_curved_pair *pair, v3 w, grz_curved_simplex *out)
{
    point p;
    if (!polish(pair, 0x1p-47 * pair->size, &w, &p))
        return false;
    double lower = -grz_curved_pair_upper_width(pair, w);
    if (!(lower > 0))
        return false;
    gjk_simplex s = nearest_on_point(&p);
    out->lower = lower;
    out->normal = w;
    finish(&s, pair, out);
    return true;
}

static grz_curved_search iterate(const grz_curved_pair *pair, bool distance, grz_curved_simplex *out)
{
    v3 start = pair->b.anchor;
    double length = v3_length(start);
    point first = support(pair, length > 0 ? v3_scale(1 / length, start) : v3_make(1, 0, 0));
    gjk_simplex s = nearest_on_point(&first);
    double tolerance = TOLERANCE * pair->size;
    out->lower = 0;
    out->normal = v3_make(0, 0, 0);
    finish(&s, pair, out);
    for (out->iterations = 1; out->iterations < STEPS; out->iterations++)
    {
        length = s_double(s_sqrt(s.distance_sq));
        if (!(length > 0))
            break;
        v3 w = x_round(x_scale(s_divide(s_make(-1), s_sqrt(s.distance_sq)), s.nearest));
        point p = support(pair, w);
        double beyond = -s_double(x_dot(x_from(w), p.m));
        if (beyond > out->lower)
        {
            double lower = -grz_curved_pair_upper_width(pair, w);
            if (lower > out->lower)
            {
                out->lower = lower;
                out->normal = w;
            }
            if (lower > 0 && !distance)
            {
                finish(&s, pair, out);
                return GRZ_CURVED_APART;
            }
        }
        if (length - beyond <= tolerance || has_point(&s, &p))
            break;
        if ((out->iterations == FIRST_POLISH || out->iterations == SECOND_POLISH) && polished(pair, w, out))
            return GRZ_CURVED_APART;
        gjk_simplex next = nearest_with(&s, &p);
        if (next.count == 4 ? out->lower > 0 : !s_less(next.distance_sq, s.distance_sq))
            break; /* rounding: nothing surrounds the origin of bodies that are apart, and distances do not grow */
        if (next.count == 4)
            finish(&s, pair, out); /* for `upper` and its points, which the origin itself does not have */
        s = next;
        if (s.count == 4)
            break;
    }
    finish(&s, pair, out);
    if (s.count == 4)
        return GRZ_CURVED_ENCLOSED;
    return out->lower > 0 ? GRZ_CURVED_APART : GRZ_CURVED_STALLED;
}
