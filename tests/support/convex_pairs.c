/* SPDX-License-Identifier: MIT */
#include "support/convex_pairs.h"

#include <math.h>
#include <string.h>

#include "graze/pair.h"
#include "support/bodies.h"
#include "support/unit.h"

enum
{
    MOST_POINTS = 400
};

static graze_mesh *make_mesh(const grz_hull *hull)
{
    static uint32_t corners[3 * 4 * MOST_POINTS];
    size_t count = 0;
    if (hull->dimension < 2)
    {
        corners[0] = 0;
        corners[1] = corners[2] = (uint32_t)hull->vertex_count - 1;
        count = 1;
    }
    size_t face_count = hull->dimension == 2 ? 1 : hull->face_count;
    for (size_t f = 0; f < face_count; f++)
        for (uint32_t i = hull->face_starts[f] + 1; i + 1 < hull->face_starts[f + 1]; i++)
        {
            corners[3 * count] = hull->origins[hull->face_starts[f]];
            corners[3 * count + 1] = hull->origins[i];
            corners[3 * count + 2] = hull->origins[i + 1];
            count++;
        }
    return body_of_triangles(hull->vertices, hull->vertex_count, corners, count);
}

void convex_body_make(const double (*points)[3], size_t count, convex_body *out_body)
{
    assert_true(count <= MOST_POINTS);
    assert_int_equal(grz_hull_create(NULL, points[0], count, NULL, &out_body->hull), GRAZE_STATUS_OK);
    const grz_hull *hull = out_body->hull;
    out_body->mesh = make_mesh(hull);
    out_body->body = (grz_convex_body){.vertices = (const double(*)[3])hull->vertices,
                                       .vertex_count = hull->vertex_count,
                                       .neighbour_starts = hull->neighbour_starts,
                                       .neighbours = hull->neighbours,
                                       .pose = graze_pose_identity()};
    grz_convex_table_make(&out_body->body, &out_body->table);
    out_body->body.table = &out_body->table;
}

void convex_body_release(convex_body *body)
{
    grz_hull_destroy(body->hull);
    graze_mesh_destroy(body->mesh);
}

void convex_pair_release(convex_pair *pair)
{
    convex_body_release(&pair->a);
    convex_body_release(&pair->b);
}

static bool one_in(grz_random *random, uint64_t odds)
{
    return grz_random_below(random, odds) == 0;
}

static double step(grz_random *random, int low, int high)
{
    return low + (double)grz_random_below(random, (uint64_t)(high - low + 1));
}

static void make_points(grz_random *random, convex_pair_kind kind, convex_body *out)
{
    double points[MOST_POINTS][3];
    size_t count = 4 + grz_random_below(random, 10);
    int flat = kind == CONVEX_FLAT ? (int)grz_random_below(random, 4) : 0;
    bool box = kind != CONVEX_FLAT && kind != CONVEX_RANDOM && one_in(random, 2);
    double size[3];
    for (int axis = 0; axis < 3; axis++)
        size[axis] = step(random, 1, 3);
    if (flat == 3)
        count = 1;
    if (box)
        count = 8;
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++)
        {
            double *x = &points[i][axis];
            if (kind == CONVEX_RANDOM || kind == CONVEX_CONTAINED)
                *x = grz_random_between(random, -1, 1);
            else if (box)
                *x = (i >> axis & 1) != 0 ? size[axis] : 0;
            else
                *x = step(random, 0, 3);
            if (kind == CONVEX_DECIMALS)
                *x *= 0.1;
            if (flat > 0 && axis == 2)
                *x = points[i][0] - points[i][1];
            if (flat == 2)
                *x = points[i][0] * (1 + axis);
        }
    convex_body_make((const double(*)[3])points, count, out);
    if (one_in(random, 2))
        out->table.block_count = 0; /* hill climbing */
}

static graze_pose turn(grz_random *random)
{
    double q[4];
    for (int k = 0; k < 4; k++)
        q[k] = grz_random_between(random, -1, 1);
    graze_pose pose = graze_pose_identity();
    graze_pose_from_quaternion(q, NULL, &pose);
    return pose;
}

static graze_pose quarter(grz_random *random)
{
    graze_pose pose = {{0}};
    int first = (int)grz_random_below(random, 3);
    for (int i = 0; i < 3; i++)
        pose.m[4 * i + (i + first) % 3] = one_in(random, 2) ? 1 : -1;
    return pose;
}

static void shift(graze_pose *pose, const double by[3])
{
    for (int axis = 0; axis < 3; axis++)
        pose->m[4 * axis + 3] += by[axis];
}

/* R by: where a body shifted by `by` before it is turned comes to. */
static void turned_shift(const graze_pose *pose, double by[3])
{
    double p[3];
    graze_pose linear = *pose;
    linear.m[3] = linear.m[7] = linear.m[11] = 0;
    graze_pose_apply(&linear, by, p);
    memcpy(by, p, sizeof p);
}

static void place(grz_random *random, convex_pair_kind kind, convex_pair *pair)
{
    graze_pose *a = &pair->a.body.pose, *b = &pair->b.body.pose;
    double by[3];
    for (int axis = 0; axis < 3; axis++)
        by[axis] = step(random, -3, 3);
    if (kind == CONVEX_DECIMALS)
        for (int axis = 0; axis < 3; axis++)
            by[axis] = 0.1 * by[axis];
    if (kind == CONVEX_RANDOM || kind == CONVEX_CONTAINED)
    {
        *a = turn(random);
        *b = turn(random);
        for (int axis = 0; axis < 3; axis++)
            by[axis] = grz_random_between(random, -1.3, 1.3) * (kind == CONVEX_CONTAINED ? 0.1 : 1);
    }
    if (kind == CONVEX_TURNED_GRID || (kind == CONVEX_EQUAL && one_in(random, 2)) ||
        (kind == CONVEX_FLAT && one_in(random, 3)))
    {
        *a = *b = turn(random);
        turned_shift(b, by);
    }
    if (kind == CONVEX_QUARTER_TURNS)
    {
        *a = quarter(random);
        *b = quarter(random);
    }
    if (kind == CONVEX_SHEARED)
        for (int i = 0; i < 12; i++)
        {
            if (i % 4 != 3)
                a->m[i] = step(random, -2, 2) * (one_in(random, 2) ? 1 : 0.1);
            if (i % 4 != 3)
                b->m[i] = step(random, -2, 2) * (one_in(random, 2) ? 1 : 0.1);
        }
    shift(b, by);
    if (kind == CONVEX_ULP)
    {
        double far = one_in(random, 2) ? 1024 : 0.0;
        for (int axis = 0; axis < 3; axis++)
        {
            a->m[4 * axis + 3] += far;
            b->m[4 * axis + 3] += far;
        }
        double *t = &b->m[4 * (int)grz_random_below(random, 3) + 3];
        for (uint64_t i = grz_random_below(random, 3) + 1; i > 0; i--)
            *t = nextafter(*t, one_in(random, 2) ? INFINITY : -INFINITY);
    }
}

void convex_pair_make(grz_random *random, convex_pair_kind kind, convex_pair *out_pair)
{
    make_points(random, kind, &out_pair->a);
    if (kind == CONVEX_EQUAL)
    {
        const grz_hull *hull = out_pair->a.hull;
        convex_body_make((const double(*)[3])hull->vertices, hull->vertex_count, &out_pair->b);
    }
    else
        make_points(random, kind, &out_pair->b);
    place(random, kind, out_pair);
    if (kind == CONVEX_CONTAINED)
        for (int i = 0; i < 12; i++)
            out_pair->b.body.pose.m[i] *= i % 4 == 3 ? 1 : 0.25;
    if (one_in(random, 8))
        out_pair->b.body.table = NULL;
}

static void scale_body(convex_body *body, int exponent)
{
    graze_mesh_destroy(body->mesh);
    for (size_t v = 0; v < body->hull->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            body->hull->vertices[v][axis] = ldexp(body->hull->vertices[v][axis], exponent);
    body->mesh = make_mesh(body->hull);
    for (int axis = 0; axis < 3; axis++)
        body->body.pose.m[4 * axis + 3] = ldexp(body->body.pose.m[4 * axis + 3], exponent);
    size_t blocks = body->table.block_count;
    grz_convex_table_make(&body->body, &body->table);
    body->table.block_count = blocks;
}

void convex_pair_scale(convex_pair *pair, int exponent)
{
    scale_body(&pair->a, exponent);
    scale_body(&pair->b, exponent);
}

/* Whether a vertex of one lies in the solid of the other. */
static bool has_vertex_inside(oracle *judge, const convex_body *outer, const convex_body *inner)
{
    if (outer->hull->dimension < 3 || oracle_handedness(judge, &outer->body.pose) == 0)
        return false; /* it is the image of its surface */
    oracle_mesh mesh = {outer->hull->vertices[0], graze_mesh_triangles(outer->mesh),
                        graze_mesh_triangle_count(outer->mesh), &outer->body.pose};
    graze_placed_point point = {inner->hull->vertices[0], &inner->body.pose};
    test_random random = {4711};
    graze_location location = oracle_placed_point_in_body(judge, &mesh, true, &point, &random);
    return location != GRAZE_LOCATION_OUTSIDE;
}

bool convex_pair_collide_exactly(oracle *judge, const convex_pair *pair)
{
    graze_placed_mesh a = {pair->a.mesh, NULL, pair->a.body.pose}, b = {pair->b.mesh, NULL, pair->b.body.pose};
    bool found = false;
    assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &found, NULL), GRAZE_STATUS_OK);
    return found || has_vertex_inside(judge, &pair->a, &pair->b) || has_vertex_inside(judge, &pair->b, &pair->a);
}
