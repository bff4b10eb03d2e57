/* SPDX-License-Identifier: MIT */
#include "convex/inner_polytope.h"

#include <math.h>

/* Of the size: thinner sets M are flat. */
#define THICKNESS 0x1p-47

typedef grz_inner_polytope polytope;

static v3 difference(const polytope *p, int to, int from)
{
    return wide3_round(wide3_sub(p->vertices[to].m, p->vertices[from].m));
}

/* The normal of a face: the cross product of its two shorter edges, in twice the precision where they are so nearly
   parallel that doubles lose half of their digits. */
static v3 face_normal(const polytope *p, const uint8_t v[3])
{
    v3 edges[3];
    double length_sq[3];
    int longest = 0;
    for (int k = 0; k < 3; k++)
    {
        edges[k] = difference(p, v[(k + 1) % 3], v[k]);
        length_sq[k] = v3_dot(edges[k], edges[k]);
        if (length_sq[k] > length_sq[longest])
            longest = k;
    }
    int first = (longest + 1) % 3, second = (longest + 2) % 3;
    v3 n = v3_cross(edges[first], edges[second]);
    if (v3_dot(n, n) < 0x1p-20 * length_sq[first] * length_sq[second])
    {
        wide3 e = wide3_sub(p->vertices[v[(first + 1) % 3]].m, p->vertices[v[first]].m);
        wide3 f = wide3_sub(p->vertices[v[(second + 1) % 3]].m, p->vertices[v[second]].m);
        n = wide3_round(wide3_cross(e, f));
    }
    /* Edges are as short as 2^-100 of the size: their products are in range, squares of these too. */
    double length = v3_length(n);
    return length > 0 ? v3_scale(1 / length, n) : v3_make(0, 0, 0);
}

static double height_of(v3 normal, wide3 point)
{
    wide3 n = wide3_from(normal);
    return wide3_dot(n, point).high;
}

static double height_above(const polytope *p, const grz_inner_face *f, const wide3 *m)
{
    return v3_dot(f->normal, wide3_round(wide3_sub(*m, p->vertices[f->vertices[0]].m)));
}

static int new_face(polytope *p, int a, int b, int c)
{
    int index = 0;
    while (index < p->face_count && p->faces[index].alive)
        index++;
    if (index == GRZ_INNER_FACES)
        return -1;
    if (index == p->face_count)
        p->face_count++;
    grz_inner_face *f = &p->faces[index];
    *f = (grz_inner_face){.vertices = {(uint8_t)a, (uint8_t)b, (uint8_t)c}, .alive = true};
    f->normal = face_normal(p, f->vertices);
    f->height = height_of(f->normal, p->vertices[a].m);
    p->alive_count++;
    return index;
}

static void join(polytope *p, int f, int edge, int g, int other)
{
    p->faces[f].neighbours[edge] = (uint16_t)g;
    p->faces[f].neighbour_edges[edge] = (uint8_t)other;
    p->faces[g].neighbours[other] = (uint16_t)f;
    p->faces[g].neighbour_edges[other] = (uint8_t)edge;
}

static bool add_vertex(polytope *p, const grz_curved_wide_vertex *vertex)
{
    if (p->vertex_count == GRZ_INNER_VERTICES)
        return false;
    p->vertices[p->vertex_count++] = *vertex;
    return true;
}

/* The candidate farthest along a measure (distance from points, line or plane spanned so far). */
typedef struct candidates
{
    int count;
    grz_curved_wide_vertex vertices[32];
} candidates;

static void gather(candidates *c, const grz_curved_pair *pair, v3 w)
{
    double length = v3_length(w);
    if (!(length > 0) || c->count + 2 > 32)
        return;
    w = v3_scale(1 / length, w);
    c->vertices[c->count++] = grz_curved_pair_wide_support(pair, w);
    c->vertices[c->count++] = grz_curved_pair_wide_support(pair, v3_scale(-1, w));
}

static double spread(const polytope *p, const wide3 *m)
{
    v3 d = wide3_round(wide3_sub(*m, p->vertices[0].m));
    if (p->vertex_count == 1)
        return v3_length(d);
    v3 e = difference(p, 1, 0), across = v3_cross(e, d);
    if (p->vertex_count == 2)
        return v3_length(across) / v3_length(e);
    v3 n = v3_cross(e, difference(p, 2, 0));
    return fabs(v3_dot(n, d)) / v3_length(n);
}

static double add_farthest(polytope *p, const candidates *c)
{
    int best = 0;
    double largest = -1;
    for (int i = 0; i < c->count; i++)
    {
        double s = spread(p, &c->vertices[i].m);
        if (s > largest)
        {
            largest = s;
            best = i;
        }
    }
    if (largest > 0)
        add_vertex(p, &c->vertices[best]);
    return largest;
}

static v3 perpendicular(v3 e)
{
    v3 axis = fabs(e.x) <= fabs(e.y) && fabs(e.x) <= fabs(e.z) ? v3_make(1, 0, 0)
              : fabs(e.y) <= fabs(e.z)                         ? v3_make(0, 1, 0)
                                                               : v3_make(0, 0, 1);
    return v3_cross(e, axis);
}

static bool insert(polytope *p, int seed, const grz_curved_wide_vertex *vertex);

/* Points of the simplex may be doubles: they are computed again, as rounded ones are not in M. */
bool grz_inner_polytope_start(polytope *p, const grz_curved_pair *pair, const grz_curved_simplex *simplex)
{
    double thin = THICKNESS * pair->size;
    candidates c = {0};
    p->vertex_count = p->face_count = p->alive_count = 0;
    p->upper = INFINITY;
    p->direction = v3_make(0, 0, 0);
    for (int i = 0; i < simplex->count; i++)
        c.vertices[c.count++] = grz_curved_pair_wide_support(pair, simplex->vertices[i].w);
    gather(&c, pair, v3_make(1, 0, 0));
    gather(&c, pair, v3_make(0, 1, 0));
    gather(&c, pair, v3_make(0, 0, 1));
    add_vertex(p, &c.vertices[0]);
    if (!(add_farthest(p, &c) > thin))
        return false;
    v3 e = difference(p, 1, 0), across = perpendicular(e);
    gather(&c, pair, across);
    gather(&c, pair, v3_cross(e, across));
    if (!(add_farthest(p, &c) > thin))
        return false;
    gather(&c, pair, v3_cross(e, difference(p, 2, 0)));
    if (!(add_farthest(p, &c) > thin))
        return false;
    bool outward = v3_dot(v3_cross(e, difference(p, 2, 0)), difference(p, 3, 0)) < 0; /* face 0 1 2 from point 3 */
    int second = outward ? 1 : 2, third = outward ? 2 : 1;
    int f[4] = {new_face(p, 0, second, third), new_face(p, 0, 3, second), new_face(p, second, 3, third),
                new_face(p, third, 3, 0)};
    join(p, f[0], 0, f[1], 2);
    join(p, f[0], 1, f[2], 2);
    join(p, f[0], 2, f[3], 2);
    join(p, f[1], 1, f[2], 0);
    join(p, f[2], 1, f[3], 0);
    join(p, f[3], 1, f[1], 0);
    /* The rest of the simplex too: it is what is near the origin. */
    for (int i = 0; i < simplex->count; i++)
        for (int k = 0; k < p->face_count; k++)
            if (p->faces[k].alive && height_above(p, &p->faces[k], &c.vertices[i].m) > thin)
            {
                insert(p, k, &c.vertices[i]);
                break;
            }
    return true;
}

/* An edge of the hole left by visible faces: that of a face that stays. */
typedef struct rim_edge
{
    int face, edge;
} rim_edge;

/* Marks the visible faces connected with the seed, and lists the edges around them. */
static int mark_visible(polytope *p, int seed, const wide3 *m, rim_edge rim[GRZ_INNER_FACES])
{
    int stack[GRZ_INNER_FACES], depth = 0, count = 0;
    stack[depth++] = seed;
    p->faces[seed].visible = true;
    for (int i = 0; i < depth; i++)
        for (int k = 0; k < 3; k++)
        {
            const grz_inner_face *f = &p->faces[stack[i]];
            grz_inner_face *g = &p->faces[f->neighbours[k]];
            if (g->visible)
                continue;
            v3 d = wide3_round(wide3_sub(*m, p->vertices[g->vertices[0]].m));
            if (v3_dot(g->normal, d) > -0x1p-50 * v3_length(d)) /* coplanar ones go too: no slivers in their plane */
            {
                g->visible = true;
                stack[depth++] = f->neighbours[k];
            }
        }
    for (int i = 0; i < depth; i++)
        for (int k = 0; k < 3; k++)
        {
            const grz_inner_face *f = &p->faces[stack[i]];
            if (!p->faces[f->neighbours[k]].visible)
                rim[count++] = (rim_edge){f->neighbours[k], f->neighbour_edges[k]};
        }
    return count;
}

/* Whether the rim is one simple loop: each vertex starts one edge of it. */
static bool rim_is_simple(const polytope *p, const rim_edge *rim, int count, int next[GRZ_INNER_VERTICES])
{
    for (int i = 0; i < p->vertex_count; i++)
        next[i] = -1;
    for (int i = 0; i < count; i++)
    {
        const grz_inner_face *g = &p->faces[rim[i].face];
        int start = g->vertices[(rim[i].edge + 1) % 3]; /* the hole sees the edge the other way round */
        if (next[start] >= 0)
            return false;
        next[start] = i;
    }
    int steps = 0, at = count > 0 ? p->faces[rim[0].face].vertices[(rim[0].edge + 1) % 3] : -1, first = at;
    while (at >= 0 && next[at] >= 0)
    {
        const rim_edge *edge = &rim[next[at]];
        at = p->faces[edge->face].vertices[edge->edge];
        steps++;
        if (at == first || steps > count)
            break;
    }
    return steps == count && count >= 3 && at == first;
}

static void clear_visible(polytope *p, bool remove)
{
    for (int i = 0; i < p->face_count; i++)
        if (p->faces[i].alive && p->faces[i].visible)
        {
            p->faces[i].visible = false;
            p->faces[i].alive = !remove;
            p->alive_count -= remove;
        }
}

/* Replaces all faces that the point sees by a fan around it. False when there is no room, or rounding made the hole
   something else than a disk. */
static bool insert(polytope *p, int seed, const grz_curved_wide_vertex *vertex)
{
    rim_edge rim[GRZ_INNER_FACES];
    int next[GRZ_INNER_VERTICES], fan[GRZ_INNER_VERTICES];
    int count = mark_visible(p, seed, &vertex->m, rim);
    if (!rim_is_simple(p, rim, count, next) || !add_vertex(p, vertex))
    {
        clear_visible(p, false);
        return false;
    }
    clear_visible(p, true);
    int apex = p->vertex_count - 1;
    for (int i = 0; i < count; i++)
    {
        const grz_inner_face *g = &p->faces[rim[i].face];
        int start = g->vertices[(rim[i].edge + 1) % 3], end = g->vertices[rim[i].edge];
        fan[start] = new_face(p, start, end, apex);
        join(p, fan[start], 0, rim[i].face, rim[i].edge);
    }
    for (int i = 0; i < count; i++)
    {
        int start = p->faces[rim[i].face].vertices[(rim[i].edge + 1) % 3],
            end = p->faces[rim[i].face].vertices[rim[i].edge];
        join(p, fan[start], 1, fan[end], 2);
    }
    return true;
}

static int nearest_face(const polytope *p)
{
    int best = -1;
    for (int i = 0; i < p->face_count; i++)
        if (p->faces[i].alive && (best < 0 || p->faces[i].height < p->faces[best].height))
            best = i;
    return best;
}

grz_inner_result grz_inner_polytope_grow(polytope *p, const grz_curved_pair *pair, double enough, double tolerance)
{
    for (;;)
    {
        int index = nearest_face(p);
        grz_inner_face *f = &p->faces[index];
        if (f->height > enough)
            return GRZ_INNER_INSIDE;
        if (f->settled)
            return GRZ_INNER_DONE;
        grz_curved_wide_vertex vertex = grz_curved_pair_wide_support(pair, f->normal);
        double beyond = height_above(p, f, &vertex.m);
        if (f->height + beyond < p->upper)
        {
            double width = grz_curved_pair_upper_width(pair, f->normal);
            if (width < p->upper)
            {
                p->upper = width;
                p->direction = f->normal;
            }
            if (width < 0)
                return GRZ_INNER_APART;
        }
        if (!(beyond > tolerance) || !insert(p, index, &vertex))
            f->settled = true;
    }
}

/* Each edge has a twin that goes the other way: the faces form a closed surface. */
static bool is_closed(const polytope *p)
{
    for (int i = 0; i < p->face_count; i++)
        for (int k = 0; k < 3; k++)
        {
            const grz_inner_face *f = &p->faces[i];
            if (!f->alive)
                continue;
            const grz_inner_face *g = &p->faces[f->neighbours[k]];
            int j = f->neighbour_edges[k];
            bool twin = g->alive && g->neighbours[j] == i && g->neighbour_edges[j] == k &&
                        g->vertices[j] == f->vertices[(k + 1) % 3] && g->vertices[(j + 1) % 3] == f->vertices[k];
            if (!twin)
                return false;
        }
    return true;
}

/* Whether the origin is certainly below the face: the sign of the determinant of its vertices, whose error in twice the
   precision is below that of 20 operations. */
static bool faces_away(const polytope *p, const grz_inner_face *f)
{
    const wide3 *a = &p->vertices[f->vertices[0]].m, *b = &p->vertices[f->vertices[1]].m,
                *c = &p->vertices[f->vertices[2]].m;
    double magnitude = v3_length(wide3_round(*a)) * v3_length(wide3_round(*b)) * v3_length(wide3_round(*c));
    return wide3_dot(*a, wide3_cross(*b, *c)).high > GRZ_CURVED_WIDE_ERROR * magnitude + 0x1p-900;
}

/*
 * A closed surface of triangles that all turn counter-clockwise as seen from the origin's opposite side (positive
 * determinants) winds around the origin at least once: the map of its points to directions preserves orientation, so
 * each direction has the same number of triangles, and there is one. If no point of it is nearer than `radius` to the
 * origin, the ball of that radius is in the hull of its vertices: a direction w hits the surface at t w, t >= radius.
 * For a vector n of length at most 1, n . x >= radius at the three vertices shows that for a face. Vertices are within
 * GRZ_CURVED_WIDE_ERROR of points of M, which makes the radius that much smaller: the support function of the hull
 * changes by no more.
 */
double grz_inner_polytope_radius(const polytope *p, const grz_curved_pair *pair)
{
    double radius = INFINITY;
    /* shortcut: surrounded-origin */
    if (p->alive_count < 4 || !is_closed(p))
        return 0;
    for (int i = 0; i < p->face_count; i++)
    {
        const grz_inner_face *f = &p->faces[i];
        if (!f->alive)
            continue;
        if (!faces_away(p, f))
            return 0;
        for (int k = 0; k < 3; k++)
            radius = fmin(radius, height_of(f->normal, p->vertices[f->vertices[k]].m));
    }
    return radius * (1 - 0x1p-48) - (GRZ_CURVED_WIDE_ERROR * pair->size + pair->slack);
}
