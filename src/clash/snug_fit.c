/* SPDX-License-Identifier: MIT */
/*
 * Depths of snug fits, bounded by exact queries of bodies that are a little smaller; see snug_fit.h.
 *
 * Let A' be A with its vertices moved, so that each triangle T goes to T', with the corners of T' at most r away from
 * T. Then the whole way from T to T' is: at any time between, points of T have gone in straight lines to points that
 * are an affine function of where they were, and the distance from a convex set is a convex function; so the corners of
 * T' are the farthest. Now let x be a common point of A and B that is deeper than r in A. No triangle meets x on its
 * way, so the winding number there remains, and x lies inside A'. Where A' and B share no interior point there is no
 * such x. So where neither A' and B nor A and B' do, no common point is deeper than r in either.
 *
 * The vertices of faces that lie on faces of the other part move into their own body, so that the planes of these faces
 * move by r, or less where their corners would be too far away: at reflex edges. How they move needs no proof.
 *
 * Errors. Places are computed in double-double from what is stored, as heights are in overlap_width.c, with an error
 * below 2^-96 of the magnitudes. So the way of a vertex and the edges around it are differences that are known to a few
 * u. Any point s e + t f of a triangle with s, t >= 0 and s + t <= 1 bounds the distance from it, however s and t were
 * found; its products and sums have an error of at most 8 u of their magnitudes.
 *
 * Vertices at one place must move alike, or edges would open: those that twin half-edges join are one.
 */
#include "clash/snug_fit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/double_double.h"
#include "base/memory.h"
#include "clash/overlap_width.h"
#include "clash/vector.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/pair.h"

enum
{
    MOST_NORMALS = 4,   /* of a vertex: more say nothing new about where its body lies */
    MOST_TIMES = 64,    /* of the resolution, is tried */
    NEAR_TIMES = 8,     /* of the resolution, may be between faces that lie on one another */
    MOST_PAIRS = 50000, /* of triangles, which tell where they do */
    SHORTENINGS = 8     /* of a vector until rounding leaves it short enough */
};

#define STEP 1.25   /* between bounds that are tried */
#define LONGEST 4.0 /* way of a vertex, as many times as far as its planes move */

static const double opposed = -0.99;  /* cosine of the angle of normals of faces that lie on one another */
static const double the_same = 0.999; /* of two normals that count as one */
static const double smooth = 0.74;    /* of neighbours in a curved surface: 42 degrees, as in tessellation.c */

typedef struct vertex_normals
{
    vector normals[MOST_NORMALS];
    int count;
} vertex_normals;

/* A side of the fit: where its vertices are to go. */
typedef struct fit_side
{
    const grz_clash_part *part;
    const double *vertices;
    const uint32_t *triangles;
    size_t vertex_count, triangle_count;
    uint32_t *same;              /* by vertex: the one that stands for all at its place */
    bool *mated;                 /* by triangle: whether it lies on one of the other part */
    bool *continuing;            /* by triangle: whether it continues one that does */
    vertex_normals *normals;     /* by vertex that stands for others */
    uint32_t *fan_starts, *fans; /* by vertex that stands for others: the corners 3 t + k at its place */
    double (*moved)[3];          /* vertices, less the centre */
    double centre[3];
    double facing; /* 1: normals point out of the body; -1: into it */
} fit_side;

static uint32_t find_root(uint32_t *parents, uint32_t v)
{
    while (parents[v] != v)
        v = parents[v] = parents[parents[v]];
    return v;
}

static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = find_root(parents, a);
    b = find_root(parents, b);
    parents[a < b ? b : a] = a < b ? a : b;
}

static uint32_t end_of(uint32_t half_edge)
{
    return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}

static bool same_place(const double *p, const double *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* Joins the vertices of twins that are at one place. */
static void join_twins(fit_side *s)
{
    const uint32_t *twins = graze_body_twins(s->part->body);
    for (uint32_t v = 0; v < s->vertex_count; v++)
        s->same[v] = v;
    for (uint32_t h = 0; h < 3 * s->triangle_count; h++)
    {
        if (twins[h] == UINT32_MAX)
            continue;
        const uint32_t ends[2] = {twins[h], end_of(twins[h])};
        for (int k = 0; k < 2; k++)
            if (same_place(s->vertices + 3 * (size_t)s->triangles[h], s->vertices + 3 * (size_t)s->triangles[ends[k]]))
                join(s->same, s->triangles[h], s->triangles[ends[k]]);
    }
    for (uint32_t v = 0; v < s->vertex_count; v++)
        s->same[v] = find_root(s->same, v);
}

/* Lists the corners at each place: a counting sort. */
static void list_fans(fit_side *s)
{
    for (size_t c = 0; c < 3 * s->triangle_count; c++)
        s->fan_starts[s->same[s->triangles[c]] + 2]++;
    for (size_t v = 2; v < s->vertex_count + 2; v++)
        s->fan_starts[v] += s->fan_starts[v - 1];
    for (size_t c = 0; c < 3 * s->triangle_count; c++)
        s->fans[s->fan_starts[s->same[s->triangles[c]] + 1]++] = (uint32_t)c;
}

static bool make_side(const graze_context *context, const grz_clash_part *part, fit_side *s)
{
    const graze_mesh *mesh = part->placed.mesh;
    *s = (fit_side){.part = part,
                    .vertices = graze_mesh_vertices(mesh),
                    .triangles = graze_mesh_triangles(mesh),
                    .vertex_count = graze_mesh_vertex_count(mesh),
                    .triangle_count = graze_mesh_triangle_count(mesh)};
    s->same = grz_allocate(context, s->vertex_count, sizeof *s->same);
    s->mated = grz_allocate_zeroed(context, s->triangle_count, sizeof *s->mated);
    s->continuing = grz_allocate_zeroed(context, s->triangle_count, sizeof *s->continuing);
    s->normals = grz_allocate_zeroed(context, s->vertex_count, sizeof *s->normals);
    s->moved = grz_allocate(context, s->vertex_count, sizeof *s->moved);
    s->fan_starts = grz_allocate_zeroed(context, s->vertex_count + 2, sizeof *s->fan_starts);
    s->fans = grz_allocate(context, s->triangle_count, 3 * sizeof *s->fans);
    if (s->fan_starts == NULL || s->fans == NULL || s->same == NULL || s->mated == NULL || s->continuing == NULL ||
        s->normals == NULL || s->moved == NULL)
        return false;
    for (int axis = 0; axis < 3; axis++)
        s->centre[axis] = 0.5 * part->lower[axis] + 0.5 * part->upper[axis];
    join_twins(s);
    list_fans(s);
    return true;
}

static void release_side(const graze_context *context, fit_side *s)
{
    grz_release(context, s->same);
    grz_release(context, s->mated);
    grz_release(context, s->continuing);
    grz_release(context, s->normals);
    grz_release(context, s->moved);
    grz_release(context, s->fan_starts);
    grz_release(context, s->fans);
}

static vector corner_of(const fit_side *s, uint32_t triangle, uint32_t k)
{
    return vector_place(&s->part->placed.pose, s->vertices + 3 * (size_t)s->triangles[3 * (size_t)triangle + k]);
}

/* By the sign of the volume, estimated. */
static double facing_of(const fit_side *s)
{
    double volume = 0;
    vector from = corner_of(s, 0, 0);
    for (uint32_t t = 0; t < s->triangle_count; t++)
    {
        vector p = vector_sub(corner_of(s, t, 0), from), q = vector_sub(corner_of(s, t, 1), from);
        volume += vector_dot(p, vector_cross(q, vector_sub(corner_of(s, t, 2), from)));
    }
    return volume < 0 ? -1 : 1;
}

/* The unit normal of a triangle in the world, outward; zero where it has none. */
static vector normal_of(const fit_side *s, uint32_t triangle)
{
    vector corners[3];
    for (uint32_t k = 0; k < 3; k++)
        corners[k] = corner_of(s, triangle, k);
    vector cross = vector_cross(vector_sub(corners[1], corners[0]), vector_sub(corners[2], corners[0]));
    double length = vector_length(cross);
    return length > 0 && isfinite(length) ? vector_scale(s->facing / length, cross) : vector_make(0, 0, 0);
}

/* Adds the normal of a triangle that lies on one of the other part to those of its vertices, once. */
static void add_mated(fit_side *s, uint32_t triangle, vector normal)
{
    if (s->mated[triangle])
        return;
    s->mated[triangle] = true;
    for (int k = 0; k < 3; k++)
    {
        vertex_normals *known = &s->normals[s->same[s->triangles[3 * (size_t)triangle + (size_t)k]]];
        bool is_new = known->count < MOST_NORMALS;
        for (int i = 0; i < known->count && is_new; i++)
            is_new = vector_dot(known->normals[i], normal) < the_same;
        if (is_new)
            known->normals[known->count++] = normal;
    }
}

typedef struct mated_search
{
    fit_side *sides;
    size_t left; /* pairs of triangles yet to be visited */
} mated_search;

static bool visit_fitted_pair(void *user, const graze_proximity *pair)
{
    mated_search *search = user;
    vector one = normal_of(&search->sides[0], pair->triangle_a), other = normal_of(&search->sides[1], pair->triangle_b);
    if (vector_dot(one, other) <= opposed)
    {
        add_mated(&search->sides[0], pair->triangle_a, one);
        add_mated(&search->sides[1], pair->triangle_b, other);
    }
    return --search->left > 0;
}

/* Whether a triangle continues a surface that lies on the other part: it may do so itself, with a gap. */
static bool continues_mated(const fit_side *s, uint32_t triangle)
{
    vector normal = normal_of(s, triangle);
    for (int k = 0; k < 3; k++)
    {
        const vertex_normals *known = &s->normals[s->same[s->triangles[3 * (size_t)triangle + (size_t)k]]];
        for (int i = 0; i < known->count; i++)
            if (vector_dot(known->normals[i], normal) > smooth)
                return true;
    }
    return false;
}

static void add_continuing(fit_side *s)
{
    for (uint32_t t = 0; t < s->triangle_count; t++)
        s->continuing[t] = !s->mated[t] && continues_mated(s, t);
    for (uint32_t t = 0; t < s->triangle_count; t++)
        if (s->continuing[t])
            add_mated(s, t, normal_of(s, t));
}

/* The place of a vertex less the centre, in double-double, and a bound of its error. */
static void place_exactly(const fit_side *s, size_t vertex, grz_dd out[3], double *out_error)
{
    const double *m = s->part->placed.pose.m, *v = s->vertices + 3 * vertex;
    double size = 0;
    for (int i = 0; i < 3; i++)
    {
        grz_dd sum = dd_add((grz_dd){m[4 * i + 3], 0}, (grz_dd){-s->centre[i], 0});
        size += fabs(m[4 * i + 3]) + fabs(s->centre[i]);
        for (int j = 0; j < 3; j++)
        {
            sum = dd_add(sum, dd_two_product(m[4 * i + j], v[j]));
            size += fabs(m[4 * i + j] * v[j]);
        }
        out[i] = sum;
    }
    *out_error = 0x1p-96 * size + 0x1p-900;
}

/* Where planes with some normals move by 1 when a vertex moves so; with one longer than LONGEST, or where there is
 * none, along their sum. */
static vector miter(const vertex_normals *known)
{
    const vector *n = known->normals;
    vector sum = vector_make(0, 0, 0);
    for (int i = 0; i < known->count; i++)
        sum = vector_add(sum, n[i]);
    double length = vector_length(sum);
    if (length > 0)
        sum = vector_scale(1 / length, sum);
    if (known->count == 2)
        return vector_scale(1 / fmax(1 / LONGEST, vector_dot(sum, n[0])), sum);
    if (known->count != 3)
        return sum;
    vector crosses[3] = {vector_cross(n[1], n[2]), vector_cross(n[2], n[0]), vector_cross(n[0], n[1])};
    double determinant = vector_dot(n[0], crosses[0]);
    vector to = vector_add(vector_add(crosses[0], crosses[1]), crosses[2]);
    double size = vector_length(to);
    return size < LONGEST * fabs(determinant) ? vector_scale(1 / determinant, to) : sum;
}

static vector difference(const grz_dd a[3], const grz_dd b[3])
{
    double d[3];
    for (int axis = 0; axis < 3; axis++)
    {
        grz_dd off = dd_subtract(a[axis], b[axis]);
        d[axis] = off.high + off.low;
    }
    return vector_make(d[0], d[1], d[2]);
}

/* An upper bound of the distance of the point `way` from the triangle with the corners 0, e and f. */
static double distance_from_triangle(vector way, vector e, vector f)
{
    double ee = vector_dot(e, e), ef = vector_dot(e, f), ff = vector_dot(f, f), least = INFINITY;
    double we = vector_dot(way, e), wf = vector_dot(way, f), determinant = ee * ff - ef * ef;
    const double shares[4][2] = {{0, 0},
                                 {(we * ff - wf * ef) / determinant, (wf * ee - we * ef) / determinant},
                                 {fmin(we / ee, 1), 0},
                                 {0, fmin(wf / ff, 1)}};
    for (int i = 0; i < 4; i++)
    {
        double s = shares[i][0], t = shares[i][1];
        if (!(s >= 0 && t >= 0 && s + t <= 1))
            continue;
        double off = vector_length(vector_sub(way, vector_add(vector_scale(s, e), vector_scale(t, f))));
        double size = vector_length(way) + s * vector_length(e) + t * vector_length(f);
        least = fmin(least, off + 16 * DBL_EPSILON * size);
    }
    return least;
}

/* How far a vertex is from the triangles around its former place at most, when it has gone this way. */
static double farthest_from_fan(const fit_side *s, uint32_t vertex, const grz_dd from[3], vector way)
{
    double most = 0, error;
    for (uint32_t i = s->fan_starts[vertex]; i < s->fan_starts[vertex + 1]; i++)
    {
        uint32_t corner = s->fans[i], next = end_of(corner);
        grz_dd ends[2][3];
        place_exactly(s, s->triangles[next], ends[0], &error);
        place_exactly(s, s->triangles[end_of(next)], ends[1], &error);
        most = fmax(most, distance_from_triangle(way, difference(ends[0], from), difference(ends[1], from)));
    }
    return most;
}

/* Moves a vertex into its body, so that planes around it move by about `length`, and it goes no farther from any
 * triangle there. False where rounding alone moves it farther. */
static bool move_vertex(const fit_side *s, uint32_t vertex, double length, double out[3])
{
    const vertex_normals *known = &s->normals[vertex];
    grz_dd from[3], to[3];
    double error, scale = -length * (1 - 0x1p-20);
    vector along = miter(known);
    place_exactly(s, vertex, from, &error);
    for (int turn = 0; turn <= SHORTENINGS; turn++)
    {
        const double by[3] = {scale * along.x, scale * along.y, scale * along.z};
        for (int axis = 0; axis < 3; axis++)
        {
            out[axis] = from[axis].high + (from[axis].low + by[axis]);
            to[axis] = (grz_dd){out[axis], 0};
        }
        double far = farthest_from_fan(s, vertex, from, difference(to, from)) * (1 + 0x1p-30) + 8 * error;
        /* shortcut: snug-fits */
        if (far <= length)
            return true;
        double shorter = 0.9999 * length / far; /* but for rounding; then by more than it */
        scale = turn + 1 < SHORTENINGS ? scale * (turn == 0 ? shorter : fmin(shorter, 0.9375)) : 0;
    }
    return false;
}

/* Whether the body with its vertices moved by `length` and the other share no interior point. */
static graze_status is_clear_of(const graze_context *context, fit_side *s, const grz_clash_part *other, double length,
                                bool *out_clear)
{
    *out_clear = false;
    for (uint32_t v = 0; v < s->vertex_count; v++) /* all at one place go to one place, with the first of them */
    {
        if (s->same[v] != v)
            memcpy(s->moved[v], s->moved[s->same[v]], sizeof s->moved[v]);
        else if (!move_vertex(s, v, length, s->moved[v]))
            return GRAZE_STATUS_OK;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = s->moved;
    def.vertex_count = s->vertex_count;
    def.corners = s->triangles;
    def.corner_count = 3 * s->triangle_count;
    graze_mesh *mesh = NULL;
    graze_tree *tree = NULL;
    graze_body *body = NULL;
    graze_tree_def tree_def = graze_tree_def_default();
    tree_def.quick = true;
    graze_status status = graze_mesh_create(context, &def, NULL, &mesh);
    if (status == GRAZE_STATUS_OK)
        status = graze_tree_create(context, mesh, &tree_def, NULL, &tree);
    if (status == GRAZE_STATUS_OK)
        status = graze_body_create(context, mesh, NULL, &body);
    if (status == GRAZE_STATUS_OK && graze_body_is_closed(body))
    {
        graze_placed_mesh moved = {mesh, tree, graze_pose_identity()};
        graze_overlap_options options = graze_overlap_options_default();
        graze_verdict overlap = GRAZE_VERDICT_UNKNOWN;
        for (int axis = 0; axis < 3; axis++)
            moved.pose.m[4 * axis + 3] = s->centre[axis];
        options.body_a = body;
        options.body_b = other->body;
        status = graze_pair_overlap(context, &moved, &other->placed, &options, &overlap);
        *out_clear = overlap == GRAZE_VERDICT_NO;
    }
    graze_body_destroy(body);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    return status;
}

/* Gathers where both parts lie on one another, up to a few resolutions. */
static graze_status find_mated_faces(const graze_context *context, fit_side sides[2], double resolution, bool *out_any)
{
    mated_search search = {sides, MOST_PAIRS};
    graze_status status = graze_pair_tolerance_visit(context, &sides[0].part->placed, &sides[1].part->placed,
                                                     NEAR_TIMES * resolution, NULL, visit_fitted_pair, &search);
    if (status == GRAZE_STATUS_CANCELLED) /* by visit_fitted_pair: there is no budget */
        status = GRAZE_STATUS_OK;
    *out_any = false;
    for (size_t t = 0; t < sides[0].triangle_count && !*out_any; t++)
        *out_any = sides[0].mated[t];
    for (int i = 0; i < 2 && *out_any; i++)
        add_continuing(&sides[i]);
    return status;
}

/* Whether no common point is deeper than `length`. */
static graze_status is_bound(const graze_context *context, fit_side sides[2], double length, bool *out_bound)
{
    graze_status status = GRAZE_STATUS_OK;
    *out_bound = true;
    for (int i = 0; i < 2 && *out_bound && status == GRAZE_STATUS_OK; i++)
        status = is_clear_of(context, &sides[i], sides[1 - i].part, length, out_bound);
    return status;
}

/* The largest bound first: where it does not hold, parts cross. */
static graze_status bound(const graze_context *context, fit_side sides[2], double resolution, double *out_most_depth)
{
    bool holds;
    graze_status status = find_mated_faces(context, sides, resolution, &holds);
    if (status == GRAZE_STATUS_OK && holds)
        status = is_bound(context, sides, MOST_TIMES * resolution, &holds);
    if (status != GRAZE_STATUS_OK || !holds)
        return status;
    double times = 1;
    holds = false;
    while (times < MOST_TIMES && !holds)
    {
        status = is_bound(context, sides, times * resolution, &holds);
        if (status != GRAZE_STATUS_OK)
            return status;
        times = holds ? times : times * STEP;
    }
    *out_most_depth = fmin(times, MOST_TIMES) * resolution;
    return status;
}

graze_status grz_clash_bound_snug_fit(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                      const graze_hit *first, double resolution, double *out_most_depth)
{
    const graze_placed_mesh *one = &a->placed, *other = &b->placed;
    fit_side sides[2] = {{0}, {0}};
    graze_overlap_options options = graze_overlap_options_default();
    graze_verdict overlap = GRAZE_VERDICT_NO;
    options.body_a = a->body;
    options.body_b = b->body;
    *out_most_depth = INFINITY;
    if (!(resolution > 0 && MOST_TIMES * resolution < DBL_MAX) ||
        grz_clash_is_wider_by_hit(one, other, first, MOST_TIMES * resolution))
        return GRAZE_STATUS_OK;
    graze_status status = graze_pair_overlap(context, one, other, &options, &overlap);
    if (status != GRAZE_STATUS_OK || overlap == GRAZE_VERDICT_NO) /* as of faces whose coordinates are the same */
        return status;
    status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (make_side(context, a, &sides[0]) && make_side(context, b, &sides[1]))
    {
        sides[0].facing = facing_of(&sides[0]);
        sides[1].facing = facing_of(&sides[1]);
        status = bound(context, sides, resolution, out_most_depth);
    }
    release_side(context, &sides[0]);
    release_side(context, &sides[1]);
    return status;
}
