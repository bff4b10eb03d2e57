/* SPDX-License-Identifier: MIT */
/*
 * The common volume from points where edges of one body cross triangles of the other; see crossing_volume.h.
 *
 * Divergence theorem, as in overlap_volume.c with g = (1, 0, 0): the volume is the sum, over the pieces of each surface
 * inside the other body, of the integral of (x - o) n_x. Over a flat triangle with corners c, p, q that is
 * f(c, p, q) = ((p - c) x (q - c))_x (sum of the three heights x - o) / 6, and over a polygon in the plane of c the sum
 * of f(c, p, q) over its edges from p to q, wherever c lies: edges may come in any order. So no polygon is made.
 *
 * The piece of a triangle T inside body B has for edges the segments that T has in common with B's triangles, and the
 * parts of T's own edges inside B. With c the first corner of T, f is 0 along the two edges at c. Of the third edge,
 * from v to w, the part inside is that from v to w if w is inside, less, for each crossing x where it enters B, that
 * from v to x, plus the same where it leaves B: again in any order.
 *
 * Directions. Seen from the front of T, B is to the left of a segment. Around T, counter-clockwise, an edge that enters
 * B starts a part inside, so the segment ends there; and starts where an edge leaves B. By symmetry the segment, as an
 * edge of the piece of B's triangle S, ends where an edge of S enters A. The directions for T and for S are opposite
 * where both bodies are behind their triangles, or both in front, and equal otherwise.
 *
 * All this is combinatorial: it follows from signs of orient3d, which are exact. If one of them is 0, or a corner turns
 * out neither inside nor outside, the answer is that nothing was found, and overlap_volume.c splits triangles.
 *
 * Errors. Let E be that of a placed corner as a distance, u = GRZ_U. The normal n = e x f of S, as computed from placed
 * corners, has an error of at most m = 4 E (|e| + |f| + E) + 16 u |e| |f|. A height h = n . (v - s), |v - s| <= D, has
 * one of at most d = m D + (|n| + m) (4 E + 16 u D). The crossing of the edge from v to w is at t = h / (h - k), k the
 * height of w, of different sign. If 4 d <= |h - k|, t is off by at most 4 d / (|h - k| - 2 d), since the derivatives
 * of t by h and k are below 3 / (|h - k| - 2 d) all the way to the true heights; otherwise by 1 at most, as t is
 * between 0 and 1. Times the length of the edge, and with E for its ends and for rounding, that is the error of x.
 *
 * f: with errors a and b of p - c and q - c, and P and Q the sums of absolute values of their y and z, the product is
 * wrong by at most a Q + b P + 2 a b + 8 u P Q; the sum of heights by the sum of the errors of the points and 4 u times
 * the sum H of their absolute values.
 */
#include "pair/depth/crossing_volume.h"

#include <math.h>
#include <string.h>

#include "exact/predicates.h"
#include "math/vector.h"
#include "pair/depth/located_triangles.h"

enum
{
    NOT_KNOWN = -1,  /* whether a vertex is inside */
    MOST_ROUNDS = 64 /* in which vertices tell one another */
};

typedef struct crossing_search
{
    const grz_body_pair *pair;
    uint8_t *const *locations;
    int8_t *const *sides;
    int8_t *inside[2];     /* per merged vertex: 1 inside the other body, 0 outside, or NOT_KNOWN */
    int32_t *crossings[2]; /* per half-edge of a triangle that is met: how often it enters the other body, less how
                              often it leaves */
    double origin, corner_error;
    double sum, error;
    bool failed;
} crossing_search;

/* A point and its error as a distance. */
typedef struct inexact_point
{
    v3 at;
    double error;
} inexact_point;

/* ---- integrals ---- */

/* Adds `factor`, 1 or -1, times f(c, p, q). */
static void add_fan(crossing_search *s, v3 c, inexact_point p, inexact_point q, double factor)
{
    v3 a = v3_sub(p.at, c), b = v3_sub(q.at, c);
    double heights[3] = {c.x - s->origin, p.at.x - s->origin, q.at.x - s->origin};
    double product = a.y * b.z - a.z * b.y, height = heights[0] + heights[1] + heights[2];
    double size_a = fabs(a.y) + fabs(a.z), size_b = fabs(b.y) + fabs(b.z);
    double error_a = p.error + s->corner_error, error_b = q.error + s->corner_error;
    double sizes = fabs(heights[0]) + fabs(heights[1]) + fabs(heights[2]);
    double height_error = error_a + error_b + 4 * GRZ_U * sizes;
    double product_error =
        error_a * size_b + error_b * size_a + 2 * error_a * error_b + 8 * GRZ_U * size_a * size_b + 0x1p-900;
    double value = product * height / 6;
    s->sum += factor * value;
    s->error += (product_error * (sizes + height_error) + (fabs(product) + product_error) * height_error) / 3 +
                16 * GRZ_U * fabs(value) + 2 * GRZ_U * fabs(s->sum);
}

static void place(const grz_placed_body *side, uint32_t triangle, v3 out_corners[3])
{
    for (size_t k = 0; k < 3; k++)
        out_corners[k] = v3_place(side->placed->pose.m, grz_triangle_corner(side->placed->mesh, triangle, k));
}

/* Adds all of a triangle. */
static void add_triangle(crossing_search *s, int owner, uint32_t triangle)
{
    v3 corners[3];
    place(&s->pair->sides[owner], triangle, corners);
    add_fan(s, corners[0], (inexact_point){corners[1], s->corner_error}, (inexact_point){corners[2], s->corner_error},
            s->sides[owner][triangle]);
}

/* The point where the edge from v to w crosses the plane of a triangle. */
static inexact_point crossing_of(const crossing_search *s, v3 v, v3 w, const v3 corners[3])
{
    v3 e = v3_sub(corners[1], corners[0]), f = v3_sub(corners[2], corners[0]), n = v3_cross(e, f);
    v3 to_v = v3_sub(v, corners[0]), to_w = v3_sub(w, corners[0]), along = v3_sub(w, v);
    double lengths[2] = {v3_length(e), v3_length(f)}, length = v3_length(n), corner = s->corner_error;
    double farthest = fmax(v3_length(to_v), v3_length(to_w)) * (1 + 8 * GRZ_U);
    double of_normal = 4 * corner * (lengths[0] + lengths[1] + corner) + 16 * GRZ_U * lengths[0] * lengths[1];
    double of_height = of_normal * farthest + (length + of_normal) * (4 * corner + 16 * GRZ_U * farthest) + 0x1p-900;
    double h = v3_dot(n, to_v), k = v3_dot(n, to_w), difference = fabs(h - k), t = 0.5, error = 1;
    if (4 * of_height <= difference)
    {
        t = fmin(fmax(h / (h - k), 0), 1);
        error = 4 * of_height / (difference - 2 * of_height) * (1 + 16 * GRZ_U) + 16 * GRZ_U;
    }
    return (inexact_point){v3_add(v, v3_scale(t, along)),
                           fmin(error, 1) * v3_length(along) * (1 + 8 * GRZ_U) + 2 * corner};
}

/* ---- hits ---- */

/* A hit: points 0, 1, 2 are the corners of side 0's triangle, 3, 4, 5 those of side 1's. */
typedef struct met_pair
{
    grz_points points;
    uint32_t triangles[2];
    v3 corners[2][3];
    int signs[2][3]; /* of each side's corners: 1 behind the other's plane, -1 in front */
} met_pair;

/* Whether edge k of a side, whose ends are on different sides of the other's plane, passes through the other triangle.
   Sets *out_zero when it meets the border. */
static bool pierces(met_pair *m, int owner, int k, bool *out_zero)
{
    int from = 3 * owner + k, to = 3 * owner + (k + 1) % 3, other = 3 - 3 * owner, first = 0;
    for (int i = 0; i < 3; i++)
    {
        int sign = grz_orient3d(&m->points, from, to, other + i, other + (i + 1) % 3);
        *out_zero = *out_zero || sign == 0;
        if (i > 0 && sign != first)
            return false;
        first = sign;
    }
    return true;
}

/* An end of the segment that two triangles have in common. */
typedef struct segment_end
{
    inexact_point point;
    int ends; /* for side 0's triangle: 1 the segment ends here, -1 it starts here */
} segment_end;

/* Adds a crossing of edge k of a side with the other's triangle; the sums of half-edges and of the third edge. */
static segment_end add_crossing(crossing_search *s, met_pair *m, int owner, int k)
{
    const v3 *own = m->corners[owner];
    int next = (k + 1) % 3;
    int8_t other_side = s->sides[1 - owner][m->triangles[1 - owner]];
    int enters = other_side * m->signs[owner][next]; /* -1: leaves */
    segment_end end = {crossing_of(s, own[k], own[next], m->corners[1 - owner]), enters};
    s->crossings[owner][3 * (size_t)m->triangles[owner] + (size_t)k] += enters;
    if (k == 1)
        add_fan(s, own[0], (inexact_point){own[1], s->corner_error}, end.point,
                -enters * s->sides[owner][m->triangles[owner]]);
    if (owner == 1) /* for side 0 the segment has the other direction where both bodies are on the same side */
        end.ends *= -s->sides[0][m->triangles[0]] * s->sides[1][m->triangles[1]];
    return end;
}

/* Adds the segment of a hit to the pieces of both triangles. False where it is degenerate. */
static bool add_hit(crossing_search *s, const graze_hit *hit)
{
    met_pair m; /* large: points have room for integers */
    segment_end ends[2];
    int count = 0;
    bool zero = !hit->contact.crossing;
    m.triangles[0] = hit->triangle_a;
    m.triangles[1] = hit->triangle_b;
    grz_points_start(&m.points, NULL);
    for (int owner = 0; owner < 2 && !zero; owner++)
    {
        const graze_placed_mesh *placed = s->pair->sides[owner].placed;
        for (size_t k = 0; k < 3; k++)
            grz_points_add(&m.points, grz_triangle_corner(placed->mesh, m.triangles[owner], k), &placed->pose);
        place(&s->pair->sides[owner], m.triangles[owner], m.corners[owner]);
    }
    for (int owner = 0; owner < 2 && !zero; owner++)
    {
        grz_sides(&m.points, 3 - 3 * owner, 3 * owner, m.signs[owner]);
        zero = m.signs[owner][0] == 0 || m.signs[owner][1] == 0 || m.signs[owner][2] == 0;
    }
    for (int edge = 0; edge < 6 && !zero; edge++)
    {
        int owner = edge / 3, k = edge % 3;
        if (m.signs[owner][k] == m.signs[owner][(k + 1) % 3] || !pierces(&m, owner, k, &zero))
            continue;
        if (zero || count == 2)
            return false;
        ends[count++] = add_crossing(s, &m, owner, k);
    }
    if (zero || count != 2 || ends[0].ends + ends[1].ends != 0)
        return false;
    inexact_point from = ends[0].ends < 0 ? ends[0].point : ends[1].point;
    inexact_point to = ends[0].ends < 0 ? ends[1].point : ends[0].point;
    int8_t side = s->sides[0][m.triangles[0]];
    add_fan(s, m.corners[0][0], from, to, side);
    add_fan(s, m.corners[1][0], from, to, -side); /* with b the other side: the direction -side b, times b */
    return true;
}

/* ---- vertices ---- */

static int8_t *inside_of(const crossing_search *s, int owner, uint32_t half_edge)
{
    const graze_body *body = s->pair->sides[owner].body;
    return &s->inside[owner][body->adjacency.merged[body->mesh->triangles[half_edge]]];
}

/* Passes on what is known of vertices along the edges of a triangle that is met. Returns whether that was new. */
static bool pass_on(crossing_search *s, int owner, uint32_t triangle)
{
    bool changed = false;
    for (uint32_t k = 0; k < 6; k++)
    {
        uint32_t edge = 3 * triangle + k % 3, after = 3 * triangle + (k + 1) % 3;
        int8_t *from = inside_of(s, owner, edge), *to = inside_of(s, owner, after);
        int entered = s->crossings[owner][edge];
        if (*from == NOT_KNOWN && *to != NOT_KNOWN)
        {
            *from = (int8_t)(*to - entered);
            s->failed = s->failed || (*from & ~1) != 0;
            changed = true;
        }
        else if (*from != NOT_KNOWN && *to == NOT_KNOWN)
        {
            *to = (int8_t)(*from + entered);
            s->failed = s->failed || (*to & ~1) != 0;
            changed = true;
        }
        else if (*from != NOT_KNOWN && *to != *from + entered)
            s->failed = true;
    }
    return changed && !s->failed;
}

/* Locates the first corner that is not known among triangles that are met. False when all are known. */
static bool locate_corner(crossing_search *s, int owner, const uint32_t *met, size_t met_count)
{
    const graze_placed_mesh *placed = s->pair->sides[owner].placed;
    for (size_t i = 0; i < met_count; i++)
    {
        int8_t *inside = inside_of(s, owner, 3 * met[i]);
        if (*inside != NOT_KNOWN)
            continue;
        grz_body_view other = grz_placed_body_view(&s->pair->sides[1 - owner]);
        const double *corner = grz_triangle_corner(placed->mesh, met[i], 0);
        graze_location location = grz_locate_point(&other, corner, &placed->pose);
        s->failed = s->failed || location == GRAZE_LOCATION_BOUNDARY;
        *inside = location == GRAZE_LOCATION_INSIDE;
        return true;
    }
    return false;
}

/* Finds which corners of the triangles that are met lie inside, and that all crossings agree with it: neighbours that
   are not met know, then corners tell one another along edges. */
static void find_inside(crossing_search *s, int owner, const uint32_t *met, size_t met_count)
{
    const uint32_t *twins = s->pair->sides[owner].body->adjacency.twins;
    for (size_t i = 0; i < 3 * met_count; i++)
    {
        uint32_t edge = 3 * met[i / 3] + (uint32_t)(i % 3);
        if (twins[edge] == GRAZE_NO_HALF_EDGE || s->locations[owner][twins[edge] / 3] == GRZ_TRIANGLE_MET)
            continue;
        bool inside = s->locations[owner][twins[edge] / 3] == GRZ_TRIANGLE_INSIDE;
        *inside_of(s, owner, edge) = *inside_of(s, owner, edge % 3 == 2 ? edge - 2 : edge + 1) = inside;
    }
    bool changed = true;
    for (int round = 0; changed && !s->failed; round++)
    {
        changed = false;
        for (size_t i = 0; i < met_count && !s->failed; i++)
            changed = pass_on(s, owner, met[i]) || changed;
        changed = changed || locate_corner(s, owner, met, met_count);
        s->failed = s->failed || round == MOST_ROUNDS;
    }
}

/* ---- the sum ---- */

static void add_surface(crossing_search *s, int owner, uint32_t *met)
{
    size_t met_count = 0;
    for (uint32_t t = 0; t < s->pair->sides[owner].placed->mesh->triangle_count; t++)
    {
        if (s->locations[owner][t] == GRZ_TRIANGLE_INSIDE)
            add_triangle(s, owner, t);
        else if (s->locations[owner][t] == GRZ_TRIANGLE_MET)
            met[met_count++] = t;
        else
            s->failed = s->failed || s->locations[owner][t] == GRZ_TRIANGLE_UNKNOWN;
    }
    find_inside(s, owner, met, met_count);
    for (size_t i = 0; i < met_count && !s->failed; i++)
        if (*inside_of(s, owner, 3 * met[i] + 2) == 1)
            add_triangle(s, owner, met[i]);
}

static void search(crossing_search *s, const grz_hits *hits, uint32_t *met)
{
    const interval first = s->pair->sides[0].hull.axes[0], second = s->pair->sides[1].hull.axes[0];
    s->origin = 0.5 * fmax(first.lower, second.lower) + 0.5 * fmin(first.upper, second.upper);
    for (size_t i = 0; i < hits->count && !s->failed; i++)
        s->failed = !add_hit(s, &hits->data[i]) || !grz_monitor_exact_tests(s->pair->monitor, 1);
    for (int owner = 0; owner < 2 && !s->failed; owner++)
        add_surface(s, owner, met);
    s->failed = s->failed || !grz_monitor_may_continue(s->pair->monitor);
}

graze_status grz_find_crossing_volume(const grz_body_pair *body_pair, const grz_hits *hits, uint8_t *const locations[2],
                                      int8_t *const sides[2], double reach, grz_crossing_volume *out_volume)
{
    const graze_context *context = body_pair->context;
    crossing_search s = {
        .pair = body_pair, .locations = locations, .sides = sides, .corner_error = 24 * GRZ_U * reach + 0x1p-700};
    size_t most = 0;
    bool has_room = true;
    for (int i = 0; i < 2; i++)
    {
        const graze_body *body = body_pair->sides[i].body;
        size_t count = body->mesh->triangle_count;
        most = count > most ? count : most;
        s.inside[i] = grz_allocate(context, body->adjacency.vertex_count, sizeof *s.inside[i]);
        s.crossings[i] = grz_allocate_zeroed(context, 3 * count, sizeof *s.crossings[i]);
        has_room = has_room && s.inside[i] != NULL && s.crossings[i] != NULL;
        if (s.inside[i] != NULL)
            memset(s.inside[i], NOT_KNOWN, body->adjacency.vertex_count * sizeof *s.inside[i]);
    }
    uint32_t *met = grz_allocate(context, most, sizeof *met);
    *out_volume = (grz_crossing_volume){.found = false};
    has_room = has_room && met != NULL;
    if (has_room)
        search(&s, hits, met);
    /* shortcut: volume-by-crossings */
    if (has_room && !s.failed)
        *out_volume = (grz_crossing_volume){true, s.sum, s.error * (1 + 0x1p-20)};
    for (int i = 0; i < 2; i++)
    {
        grz_release(context, s.inside[i]);
        grz_release(context, s.crossings[i]);
    }
    grz_release(context, met);
    return has_room ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}
