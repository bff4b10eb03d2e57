/* SPDX-License-Identifier: MIT */
/*
 * Short separating translations: an upper bound of the penetration depth; see penetration_work.h.
 *
 * Candidate directions: the normals with the most area among the triangles that meet, the axes of both bodies, the line
 * of their centres, the line from the deepest point to its nearest surface point. In each direction the supports of the
 * bodies give the length after which their projections are disjoint; shorter lengths are tried, then bisected between
 * one that failed and one that succeeded. After that, the closest points of the separated bodies give a better
 * direction, as normal of a tangent plane. All this only proposes. A translation counts when the exact query, for the
 * poses that result from adding it in doubles, says that the bodies do not overlap.
 *
 * The length. Adding t to a pose in doubles moves it by t up to the rounding of the sum, u times its result; if the sum
 * is exact, which is tested, by t itself.
 */
#include <math.h>
#include <string.h>

#include "graze/distance.h"
#include "math/vector.h"
#include "pair/depth/penetration_work.h"
#include "pair/distance/triangle_distance.h"

enum
{
    MOST_DIRECTIONS = 40,
    MOST_NORMALS = 64, /* distinct normals whose areas are summed; */
    MAIN_NORMALS = 8,  /* of these, used as directions */
    TANGENT_STEPS = 4
};

#define ROUGH 0x1p-6          /* tolerance of supports before a direction is tried, relative to the body's size */
#define NEARLY_SEPARATED 0.25 /* share of a separating length below which lengths are tried for a shallow contact */
#define SAME_DIRECTION (1 - 0x1p-40) /* cosine; only avoids trying a direction twice */

typedef struct direction
{
    v3 along;        /* approximately a unit vector; side 1 moves along it */
    double full;     /* length after which the projections onto `along` are disjoint */
    double short_by; /* error bound of `full`, which may be too small by this */
} direction;

typedef struct translation_search
{
    grz_body_pair *body_pair;
    grz_depth_budget *budget;
    double relative_error;
    double shortest; /* lower bound of the length */
    double slack;    /* rounding error of lengths, approximately */
    direction directions[MOST_DIRECTIONS];
    size_t direction_count;
    v3 pushes[3]; /* out of the contact, if it is a shallow one: from the deepest point, along normals of each side */
    grz_separating_translation best;
} translation_search;

/* ---- certified translations ---- */

/* Upper bound of the movement of a pose along an axis when `step` is added to it; clears *exact when the sum is
   rounded. Subtracting either summand from an exact sum returns the other; most rounded sums fail this test, which
   avoids the exact comparison. */
static double moved_by(const graze_placed_mesh *placed, int axis, const double step[3], bool *exact)
{
    const double *at = placed->pose.m;
    graze_pose before = graze_pose_translation(at[3], at[7], at[11]);
    const double after[3] = {at[3] + step[0], at[7] + step[1], at[11] + step[2]};
    const graze_placed_point sum = {step, &before}, rounded = {after, NULL};
    if (!isfinite(after[axis]))
        return INFINITY;
    bool may_be_exact =
        after[axis] - step[axis] == before.m[4 * axis + 3] && after[axis] - before.m[4 * axis + 3] == step[axis];
    /* shortcut: exact-step */
    if (may_be_exact && graze_point_compare_placed(&sum, &rounded, axis) == 0)
        return fabs(step[axis]);
    *exact = false;
    return (fabs(step[axis]) + GRZ_U * fabs(after[axis])) * (1 + 4 * GRZ_U) + GRZ_SMALLEST_NORMAL;
}

/* The length of a vector with nonnegative coordinates, rounded up. Each operation has a relative error of u; squares
   that underflow beside that of the largest coordinate amount to less than u. */
static double length_upward(const double v[3])
{
    double largest = fmax(fmax(v[0], v[1]), v[2]), sum = 0;
    int others = 0;
    for (int axis = 0; axis < 3; axis++)
        others += v[axis] > 0 && v[axis] < INFINITY;
    if (others <= 1 || !(largest < INFINITY))
        return largest;
    for (int axis = 0; axis < 3; axis++)
        sum += (v[axis] / largest) * (v[axis] / largest);
    return largest * sqrt(sum) * (1 + 16 * GRZ_U) + GRZ_SMALLEST_NORMAL;
}

/* Tests a translation; *out_apart says whether it separates, and then the best is updated if it is shorter. Moving side
 * 1 by it and side 0 by its negative must both separate; with exact sums one test decides both. */
static graze_status try_translation(translation_search *w, v3 move, bool *out_apart)
{
    double there[3], back[3], moves[2][3];
    bool exact = true;
    v3_store(move, there);
    v3_store(v3_scale(-1, move), back);
    for (int axis = 0; axis < 3; axis++)
    {
        moves[0][axis] = moved_by(w->body_pair->sides[0].placed, axis, back, &exact);
        moves[1][axis] = moved_by(w->body_pair->sides[1].placed, axis, there, &exact);
    }
    double length = fmax(length_upward(moves[0]), length_upward(moves[1]));
    *out_apart = false;
    if (!(length < INFINITY))
        return GRAZE_STATUS_OK;
    w->budget->queries++;
    graze_status status = grz_disjoint_after(w->body_pair, 1, there, out_apart);
    if (status == GRAZE_STATUS_OK && *out_apart && !exact)
        status = grz_disjoint_after(w->body_pair, 0, back, out_apart);
    if (status == GRAZE_STATUS_OK && *out_apart && length < w->best.length)
    {
        w->best.length = length;
        memcpy(w->best.translation, there, sizeof there);
    }
    return status;
}

static graze_status try_length(translation_search *w, const direction *d, double length, bool *out_apart)
{
    return try_translation(w, v3_scale(length, d->along), out_apart);
}

/* Whether no shorter translation is searched for. Bodies without a common point of known depth, like two that are flat
 * where they meet, may be separated by translations as short as one likes: those that rounding of the poses exceeds are
 * short enough. */
static bool is_enough(const translation_search *w)
{
    double enough = w->shortest > 0 ? w->shortest * (1 + w->relative_error) : w->slack;
    return w->best.length <= enough || !grz_depth_budget_left(w->budget);
}

/* ---- directions ---- */

/* Support function of a mesh in its own frame: the largest dot product of a vertex with `along`. If `short_by` is not
   NULL, an approximation whose error bound is added to *short_by; it may be too low only. */
static double support_in_frame(const grz_placed_body *side, v3 along, double *short_by)
{
    const graze_body *body = side->body;
    double d[3], size = fabs(along.x) + fabs(along.y) + fabs(along.z);
    v3_store(along, d);
    if (side->world.tree != NULL && size < 0x1p300)
    {
        uint32_t vertex = body->mesh->triangles[0];
        double tolerance = short_by != NULL ? ROUGH * side->world.tree->scale * size : 0;
        if (short_by != NULL)
            *short_by += tolerance;
        return grz_tree_support(side->world.tree, d, tolerance, &vertex);
    }
    double most = -INFINITY;
    for (uint32_t v = 0; v < body->adjacency.vertex_count; v++)
    {
        double moves = v3_dot(along, v3_load(grz_body_vertex(body, v)));
        if (moves > most && body->adjacency.components[v] != GRAZE_NO_HALF_EDGE)
            most = moves;
    }
    return most;
}

/* Support function of a placed mesh. */
static double support(const grz_placed_body *side, v3 along, double *short_by)
{
    const double *m = side->placed->pose.m;
    /* along . (R v + t) = (R^T along) . v + along . t */
    v3 turned =
        v3_add(v3_add(v3_scale(along.x, v3_make(m[0], m[1], m[2])), v3_scale(along.y, v3_make(m[4], m[5], m[6]))),
               v3_scale(along.z, v3_make(m[8], m[9], m[10])));
    return support_in_frame(side, turned, short_by) + v3_dot(along, v3_make(m[3], m[7], m[11]));
}

static double full_length(const translation_search *w, v3 along, double *short_by)
{
    return support(&w->body_pair->sides[0], along, short_by) +
           support(&w->body_pair->sides[1], v3_scale(-1, along), short_by);
}

/* Computes the full length without tolerance. */
static void refine_length(const translation_search *w, direction *d)
{
    if (d->short_by > 0)
        d->full = full_length(w, d->along, NULL);
    d->short_by = 0;
}

/* Returns the new direction, or NULL when the vector is too short, the direction is known, its length is not positive,
   or the array is full. */
static direction *add_direction(translation_search *w, v3 along)
{
    double length = v3_length(along);
    if (!(length > 0x1p-400 && length < INFINITY) || w->direction_count == MOST_DIRECTIONS)
        return NULL;
    direction d = {.along = v3_make(along.x / length, along.y / length, along.z / length)};
    for (size_t i = 0; i < w->direction_count; i++)
        if (v3_dot(d.along, w->directions[i].along) > SAME_DIRECTION)
            return NULL;
    d.full = full_length(w, d.along, &d.short_by);
    if (!(d.full > d.short_by && d.full < INFINITY)) /* not clearly positive */
        refine_length(w, &d);
    if (!(d.full > 0 && d.full < INFINITY))
        return NULL;
    w->directions[w->direction_count] = d;
    return &w->directions[w->direction_count++];
}

/* A normal and twice the area of the triangles that have it. */
typedef struct weighed_normal
{
    v3 normal;
    double weight;
} weighed_normal;

static v3 area_normal(const graze_placed_mesh *placed, uint32_t triangle)
{
    double p[3][3];
    for (size_t k = 0; k < 3; k++)
        graze_pose_apply(&placed->pose, grz_triangle_corner(placed->mesh, triangle, k), p[k]);
    return v3_cross(v3_sub(v3_load(p[1]), v3_load(p[0])), v3_sub(v3_load(p[2]), v3_load(p[0])));
}

static void weigh_normal(weighed_normal *normals, size_t *count, v3 normal)
{
    double length = v3_length(normal);
    if (!(length > 0 && length < INFINITY))
        return;
    normal = v3_make(normal.x / length, normal.y / length, normal.z / length);
    for (size_t i = 0; i < *count; i++)
    {
        if (fabs(v3_dot(normal, normals[i].normal)) > SAME_DIRECTION)
        {
            normals[i].weight += length;
            return;
        }
    }
    if (*count < MOST_NORMALS)
        normals[(*count)++] = (weighed_normal){normal, length};
}

/* Adds the normals with the most area among the triangles that meet, in both directions. */
static void add_normals(translation_search *w, const grz_hits *hits)
{
    weighed_normal normals[MOST_NORMALS];
    size_t count = 0;
    for (size_t i = 0; i < hits->count; i++)
    {
        const graze_hit *hit = &hits->data[i];
        v3 normal = area_normal(w->body_pair->sides[1].placed, hit->triangle_b);
        weigh_normal(normals, &count, normal);
        w->pushes[2] = v3_sub(w->pushes[2], normal);
        if (i > 0 && hit->triangle_a == hits->data[i - 1].triangle_a)
            continue;
        normal = area_normal(w->body_pair->sides[0].placed, hit->triangle_a);
        weigh_normal(normals, &count, normal);
        w->pushes[1] = v3_add(w->pushes[1], normal);
    }
    for (int taken = 0; taken < MAIN_NORMALS; taken++)
    {
        size_t main = 0;
        for (size_t i = 1; i < count; i++)
            main = normals[i].weight > normals[main].weight ? i : main;
        if (count == 0 || !(normals[main].weight > 0))
            return;
        add_direction(w, normals[main].normal);
        add_direction(w, v3_scale(-1, normals[main].normal));
        normals[main].weight = 0;
    }
}

static v3 centre_of(const grz_placed_aabb *box)
{
    return v3_make(0.5 * box->axes[0].lower + 0.5 * box->axes[0].upper,
                   0.5 * box->axes[1].lower + 0.5 * box->axes[1].upper,
                   0.5 * box->axes[2].lower + 0.5 * box->axes[2].upper);
}

static void add_directions(translation_search *w, const grz_hits *hits, const grz_deepest_point *deepest)
{
    for (int i = 0; i < 2; i++)
    {
        const double *m = w->body_pair->sides[i].placed->pose.m;
        for (int column = 0; column < 3; column++)
        {
            v3 axis = v3_make(m[column], m[4 + column], m[8 + column]);
            add_direction(w, axis);
            add_direction(w, v3_scale(-1, axis));
        }
    }
    if (deepest->depth > 0)
    {
        /* Moving the other body by point - nearest brings its surface to the point. That body is side 1 if the point
         * belongs to side 0. */
        v3 out = v3_sub(v3_load(deepest->point), v3_load(deepest->nearest));
        w->pushes[0] = deepest->side == 0 ? out : v3_scale(-1, out);
        add_direction(w, w->pushes[0]);
    }
    add_direction(w, v3_sub(centre_of(&w->body_pair->sides[1].hull), centre_of(&w->body_pair->sides[0].hull)));
    add_normals(w, hits);
}

/* ---- lengths ---- */

/* Tries the full length, then slightly longer ones in case rounding made it too short. */
static graze_status try_full_length(translation_search *w, direction *d)
{
    bool apart = false;
    double extra = 0;
    refine_length(w, d);
    for (int tries = 0; tries < 4 && !apart; tries++)
    {
        graze_status status = try_length(w, d, d->full + extra, &apart);
        if (status != GRAZE_STATUS_OK)
            return status;
        extra = extra == 0 ? w->slack : 64 * extra;
    }
    return GRAZE_STATUS_OK;
}

/* Bisects between a length that does not separate and one that does. */
static graze_status bisect_length(translation_search *w, const direction *d, double fails, double leads)
{
    while (leads > fails * (1 + 0.5 * w->relative_error) && !is_enough(w))
    {
        double middle = fails > 0 ? 0.5 * (fails + leads) : 0x1p-8 * leads; /* far shorter ones may do, too */
        bool apart;
        graze_status status = try_length(w, d, middle, &apart);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (apart)
            leads = middle;
        else
            fails = middle;
    }
    return GRAZE_STATUS_OK;
}

/* Tries lengths below the best, the shortest first: separating lengths need not form an interval. */
static graze_status shorten(translation_search *w, const direction *d)
{
    double longest = w->best.length * (1 - 0.5 * w->relative_error);
    double least = fmax(w->shortest, w->best.length * 0x1p-8), middle = sqrt(least) * sqrt(longest);
    const double lengths[4] = {sqrt(least) * sqrt(middle), middle, sqrt(middle) * sqrt(longest), longest};
    double fails = w->shortest;
    for (int i = 0; i < 4 && !is_enough(w); i++)
    {
        bool apart;
        if (!(lengths[i] > fails && lengths[i] < d->full))
            continue;
        graze_status status = try_length(w, d, lengths[i], &apart);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (apart)
            return bisect_length(w, d, fails, lengths[i]);
        fails = lengths[i];
    }
    return GRAZE_STATUS_OK;
}

/* Tries lengths slightly above the lower bound, in directions out of the contact. A pin that presses against one side
   of its hole has room at the other, but only for a short range of lengths: longer ones press it against that side. */
static graze_status push_out(translation_search *w)
{
    static const double stretches[] = {1.005, 1.03, 1.1, 1.25, 1.5, 2, 3};
    for (size_t i = 0; i < 3; i++)
    {
        double length = v3_length(w->pushes[i]), fails = w->shortest;
        if (!(length > 0x1p-400 && length < INFINITY))
            continue;
        direction d = {.along = v3_scale(1 / length, w->pushes[i])};
        for (size_t k = 0; k < sizeof stretches / sizeof stretches[0] && !is_enough(w); k++)
        {
            bool apart;
            double tried = stretches[k] * w->shortest;
            if (!(tried < NEARLY_SEPARATED * w->best.length))
                break;
            graze_status status = try_length(w, &d, tried, &apart);
            if (status == GRAZE_STATUS_OK && apart)
                status = bisect_length(w, &d, fails, tried);
            if (status != GRAZE_STATUS_OK || apart)
                return status;
            fails = tried;
        }
    }
    return GRAZE_STATUS_OK;
}

/* Adds the direction between the closest points of the bodies after 1.0625 times the best translation, and tries it. */
static graze_status follow_tangent(translation_search *w, bool *out_better)
{
    *out_better = false;
    graze_placed_mesh moved = *w->body_pair->sides[1].placed;
    for (int axis = 0; axis < 3; axis++)
        moved.pose.m[4 * axis + 3] += 1.0625 * w->best.translation[axis];
    graze_distance distance;
    if (graze_pose_check(&moved.pose, NULL) != GRAZE_STATUS_OK)
        return GRAZE_STATUS_OK;
    graze_status status =
        grz_depth_distance(w->budget, w->body_pair->context, w->body_pair->sides[0].placed, &moved, 0, &distance);
    if (status != GRAZE_STATUS_OK || !distance.found)
        return status;
    direction *d = add_direction(w, v3_sub(v3_load(distance.point_b), v3_load(distance.point_a)));
    double before = w->best.length;
    if (d == NULL)
        return GRAZE_STATUS_OK;
    if (d->full < before)
        status = try_full_length(w, d);
    if (status == GRAZE_STATUS_OK)
        status = shorten(w, d);
    *out_better = w->best.length < before * (1 - 0.25 * w->relative_error);
    return status;
}

static void sort_directions(translation_search *w)
{
    for (size_t i = 1; i < w->direction_count; i++)
    {
        direction d = w->directions[i];
        size_t index = i;
        for (; index > 0 && w->directions[index - 1].full > d.full; index--)
            w->directions[index] = w->directions[index - 1];
        w->directions[index] = d;
    }
}

/* Sorts by full length. The lengths of all directions that may be the shortest are computed without tolerance first. */
static void order_directions(translation_search *w)
{
    double least = INFINITY;
    for (size_t i = 0; i < w->direction_count; i++)
        least = fmin(least, w->directions[i].full + w->directions[i].short_by);
    for (size_t i = 0; i < w->direction_count; i++)
        if (w->directions[i].full <= least)
            refine_length(w, &w->directions[i]);
    sort_directions(w);
}

static translation_search make_search(grz_body_pair *body_pair, double shortest, double relative_error,
                                      grz_depth_budget *budget)
{
    translation_search w = {.body_pair = body_pair,
                            .budget = budget,
                            .relative_error = relative_error,
                            .shortest = shortest,
                            .best = {.length = INFINITY}};
    for (int i = 0; i < 2; i++)
        w.slack +=
            16 * GRZ_U * grz_coordinate_bound(body_pair->sides[i].placed->mesh, &body_pair->sides[i].placed->pose);
    return w;
}

/* Directions out of the contact: from the deepest point, and the mean normals of each side where they meet. */
static void find_pushes(translation_search *w, const grz_hits *hits, const grz_deepest_point *deepest)
{
    v3 out = v3_sub(v3_load(deepest->point), v3_load(deepest->nearest));
    w->pushes[0] = deepest->side == 0 ? out : v3_scale(-1, out);
    for (size_t i = 0; i < hits->count; i++)
    {
        w->pushes[1] = v3_add(w->pushes[1], area_normal(w->body_pair->sides[0].placed, hits->data[i].triangle_a));
        w->pushes[2] = v3_sub(w->pushes[2], area_normal(w->body_pair->sides[1].placed, hits->data[i].triangle_b));
    }
}

graze_status grz_find_short_separation(grz_body_pair *body_pair, const grz_hits *hits, const grz_deepest_point *deepest,
                                       double relative_error, grz_depth_budget *budget,
                                       grz_separating_translation *out_translation)
{
    translation_search w = make_search(body_pair, deepest->depth, relative_error, budget);
    double enough = deepest->depth * (1 + relative_error);
    graze_status status = GRAZE_STATUS_OK;
    bool apart;
    find_pushes(&w, hits, deepest);
    for (int i = 0; i < 3 && status == GRAZE_STATUS_OK && !is_enough(&w); i++)
    {
        direction *d = add_direction(&w, w.pushes[i]);
        if (d == NULL || d->full - d->short_by > enough)
            continue;
        refine_length(&w, d);
        if (d->full + w.slack <= enough)
            status = try_length(&w, d, d->full + w.slack, &apart);
    }
    double length = v3_length(w.pushes[0]);
    if (status == GRAZE_STATUS_OK && !is_enough(&w) && length > 0x1p-400 && length < INFINITY)
        status = try_translation(&w, v3_scale((1 + 0.5 * relative_error) * w.shortest / length, w.pushes[0]), &apart);
    if (status == GRAZE_STATUS_OK || status == GRAZE_STATUS_UNFINISHED)
        *out_translation = w.best;
    return status;
}

graze_status grz_find_separating_translation(grz_body_pair *body_pair, const grz_hits *hits,
                                             const grz_deepest_point *deepest, double shortest, double relative_error,
                                             grz_depth_budget *budget, grz_separating_translation *out_translation)
{
    translation_search w = make_search(body_pair, shortest, relative_error, budget);
    add_directions(&w, hits, deepest);
    order_directions(&w);
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < w.direction_count && status == GRAZE_STATUS_OK && !(w.best.length < INFINITY); i++)
        status = try_full_length(&w, &w.directions[i]);
    if (status == GRAZE_STATUS_OK && w.shortest > 0)
        status = push_out(&w);
    for (size_t i = 0; i < w.direction_count && status == GRAZE_STATUS_OK && !is_enough(&w); i++)
        status = shorten(&w, &w.directions[i]);
    bool better = true;
    for (int i = 0; i < TANGENT_STEPS && better && status == GRAZE_STATUS_OK && !is_enough(&w); i++)
        status = follow_tangent(&w, &better);
    if (status == GRAZE_STATUS_OK || status == GRAZE_STATUS_UNFINISHED)
        *out_translation = w.best;
    return status;
}
