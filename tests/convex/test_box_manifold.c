/* SPDX-License-Identifier: MIT */
/*
 * Manifolds of two boxes against their slow twin, the axis of box_axes.h with the faces and projections of manifold.h:
 * the same normal, points and names, of boxes turned at random, face on face, edge on edge, mirrored, off their origin,
 * scaled; and at corners and edges that coincide, where names may differ. The last axis changes nothing.
 */
#include "convex/box_manifold.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "convex/box_axes.h"
#include "graze/pose.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    PAIRS = 4000
};

typedef enum scene
{
    ANYHOW,
    FACE_ON_FACE, /* nearly */
    ON_THE_GRID,  /* quarter turns: edges and corners coincide */
    SCENES
} scene;

typedef struct box
{
    grz_hull *hull;
    grz_convex_table table;
    grz_convex_body body;
    grz_box_features features;
    double half[3], centre[3];
} box;

static void make_box(const double half[3], const double centre[3], box *out)
{
    double points[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = centre[k] + (i >> k & 1 ? half[k] : -half[k]);
    assert_int_equal(grz_hull_create(NULL, points[0], 8, NULL, &out->hull), GRAZE_STATUS_OK);
    out->body = (grz_convex_body){.kind = GRZ_CONVEX_POLYTOPE,
                                  .vertices = (const double(*)[3])out->hull->vertices,
                                  .vertex_count = 8,
                                  .neighbour_starts = out->hull->neighbour_starts,
                                  .neighbours = out->hull->neighbours};
    grz_convex_table_make(&out->body, &out->table);
    assert_true(out->table.is_box);
    out->body.table = &out->table;
    grz_box_features_make(out->hull, &out->table, &out->features);
    memcpy(out->half, half, sizeof out->half);
    memcpy(out->centre, centre, sizeof out->centre);
}

/* ---- poses ---- */

static void multiply(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
}

static void turn(test_random *random, double most, double out[9])
{
    graze_pose pose;
    double axis[3];
    for (int k = 0; k < 3; k++)
        axis[k] = random_between(random, -1000, 1000) + 0.5;
    assert_int_equal(graze_pose_from_axis_angle(axis, most * (random_between(random, 1, 1000) / 1000.0), NULL, &pose),
                     GRAZE_STATUS_OK);
    for (int i = 0; i < 9; i++)
        out[i] = pose.m[4 * (i / 3) + i % 3];
}

/* A permutation of axes with signs, mirrored in half of the cases. */
static void quarter_turns(test_random *random, double out[9])
{
    int first = random_below(random, 3), second = (first + 1 + random_below(random, 2)) % 3;
    const int to[3] = {first, second, 3 - first - second};
    memset(out, 0, 9 * sizeof *out);
    for (int i = 0; i < 3; i++)
        out[3 * i + to[i]] = random_once_in(random, 2) ? 1 : -1;
}

static double support(const box *b, const graze_pose *pose, v3 n)
{
    double most = -INFINITY;
    for (size_t i = 0; i < 8; i++)
    {
        double p[3];
        graze_pose_apply(pose, b->hull->vertices[i], p);
        most = fmax(most, v3_dot(n, v3_load(p)));
    }
    return most;
}

static void set_rotation(const double r[9], graze_pose *pose)
{
    for (int i = 0; i < 9; i++)
        pose->m[4 * (i / 3) + i % 3] = r[i];
}

/* B near A along a direction, `gap` apart on it. */
static void place(test_random *random, scene kind, const box *a, const box *b, double scale, double gap,
                  graze_pose poses[2])
{
    double ra[9], rb[9], base[9], little[9], way[3];
    memset(poses, 0, 2 * sizeof *poses);
    if (kind == ON_THE_GRID)
    {
        quarter_turns(random, ra);
        quarter_turns(random, rb);
    }
    else
    {
        turn(random, 3, ra);
        turn(random, 3, rb);
    }
    if (kind == FACE_ON_FACE)
    {
        quarter_turns(random, base);
        turn(random, random_once_in(random, 2) ? 0.02 : 1e-4, little);
        multiply(ra, base, rb);
        memcpy(base, rb, sizeof base);
        multiply(little, base, rb);
    }
    set_rotation(ra, &poses[0]);
    set_rotation(rb, &poses[1]);
    int axis = random_below(random, 3);
    for (int k = 0; k < 3; k++)
        way[k] = kind == ANYHOW ? random_between(random, -1000, 1000) / 1000.0 + 0.0001 : ra[3 * k + axis];
    v3 n = v3_scale(1 / v3_length(v3_load(way)), v3_load(way));
    double apart = support(a, &poses[0], n) + support(b, &poses[1], v3_scale(-1, n)) + gap;
    double side[3] = {0};
    for (int k = 0; k < 3 && kind != ANYHOW; k++) /* on the face */
        side[k] = k == axis ? 0 : 0.25 * random_between(random, -6, 6) * a->half[k];
    const double d[3] = {n.x, n.y, n.z};
    for (int k = 0; k < 3; k++)
    {
        poses[0].m[4 * k + 3] = scale * random_between(random, -8, 8);
        poses[1].m[4 * k + 3] = poses[0].m[4 * k + 3] + apart * d[k] + ra[3 * k] * side[0] + ra[3 * k + 1] * side[1] +
                                ra[3 * k + 2] * side[2];
    }
}

/* ---- the slow twin ---- */

typedef struct manifold
{
    v3 normal;
    double gap; /* on the axis */
    unsigned count;
    grz_manifold_point points[GRZ_MANIFOLD_MOST];
} manifold;

static void make_slowly(const box *a, const box *b, double margin, manifold *out)
{
    grz_convex_operands operands;
    grz_box_axis axis;
    assert_true(grz_convex_prepare(&a->body, &b->body, &operands));
    assert_true(grz_box_axes_find(&operands, &axis));
    out->normal = v3_scale(1 / v3_length(axis.direction), axis.direction);
    out->gap = -support(a, &a->body.pose, out->normal) - support(b, &b->body.pose, v3_scale(-1, out->normal));
    const v3 nowhere = v3_make(NAN, NAN, NAN); /* no witnesses */
    grz_manifold_side sides[2] = {{&a->body, a->hull, nowhere}, {&b->body, b->hull, nowhere}};
    out->count = grz_manifold_make(&sides[0], &sides[1], out->normal, margin, GRZ_MANIFOLD_MOST, out->points);
}

static bool is_near(v3 x, v3 y, double bound)
{
    v3 d = v3_sub(x, y);
    return fabs(d.x) <= bound && fabs(d.y) <= bound && fabs(d.z) <= bound;
}

static bool is_crossing(const grz_manifold_point *p)
{
    return p->feature >> 62 == 1 && (p->feature >> 30 & 3) == 1;
}

/* Whether each point of the first is one of the second; without names where `anyhow`. Edges that are nearly parallel,
   by 1e-7 here, cross where rounding says. */
static bool are_among(const manifold *m, const manifold *of, double bound, bool anyhow)
{
    for (unsigned i = 0; i < m->count; i++)
    {
        bool found = false;
        double most = is_crossing(&m->points[i]) ? 1e6 * bound : bound;
        for (unsigned k = 0; k < of->count; k++)
            found = found || ((anyhow || m->points[i].feature == of->points[k].feature) &&
                              is_near(m->points[i].point_a, of->points[k].point_a, most) &&
                              is_near(m->points[i].point_b, of->points[k].point_b, most) &&
                              fabs(m->points[i].gap - of->points[k].gap) <= most);
        if (!found)
            return false;
    }
    return true;
}

typedef struct counters
{
    int pairs, near, far, unknown, points, ties;
} counters;

static void check_few(const grz_placed_box *first, const grz_placed_box *second, double margin, const manifold *all,
                      double bound)
{
    manifold few = {.count = 0};
    uint32_t axis = UINT32_MAX;
    assert_int_equal(grz_box_manifold_make(first, second, margin, 4, &axis, &few.normal, few.points, &few.count),
                     GRZ_BOXES_NEAR);
    assert_int_equal(few.count, all->count < 4 ? all->count : 4);
    assert_true(are_among(&few, all, 0, false));
    for (unsigned i = 0; i < all->count; i++)
        assert_true(few.points[0].gap <= all->points[i].gap + bound);
}

/* `scale` is about the size of the boxes and of their distance from the origin. */
static void check(const box *a, const box *b, double margin, double scale, bool on_grid, uint32_t *axis, counters *c)
{
    const grz_placed_box first = {&a->features, &a->body.pose}, second = {&b->features, &b->body.pose};
    manifold fast = {.count = 0}, slow, again = {.count = 0};
    double bound = 1e-12 * scale;
    uint32_t fresh = UINT32_MAX, last = *axis;
    grz_box_contact found =
        grz_box_manifold_make(&first, &second, margin, 8, &fresh, &fast.normal, fast.points, &fast.count);
    assert_int_equal(grz_box_manifold_make(&first, &second, margin, 8, axis, &again.normal, again.points, &again.count),
                     found);
    assert_true(again.count == fast.count &&
                memcmp(again.points, fast.points, again.count * sizeof *again.points) == 0);
    assert_true(found == GRZ_BOXES_FAR || *axis == fresh || last < 15);
    make_slowly(a, b, margin, &slow);
    c->pairs++;
    c->near += found == GRZ_BOXES_NEAR;
    c->far += found == GRZ_BOXES_FAR;
    c->unknown += found == GRZ_BOXES_UNKNOWN;
    if (found == GRZ_BOXES_FAR)
        assert_true(slow.gap > margin - bound && fast.count == 0);
    if (found != GRZ_BOXES_NEAR)
        return;
    assert_true(slow.gap <= margin + bound && fast.count > 0);
    assert_true(fabs(v3_length(fast.normal) - 1) < 1e-15 * 4);
    if (!is_near(fast.normal, slow.normal, 1e-12)) /* axes of equal overlap */
    {
        assert_true(fabs(support(a, &a->body.pose, fast.normal) + support(b, &b->body.pose, v3_scale(-1, fast.normal)) +
                         slow.gap) <= bound);
        c->ties++;
        return;
    }
    assert_true(are_among(&fast, &slow, bound, on_grid) && are_among(&slow, &fast, bound, on_grid));
    check_few(&first, &second, margin, &fast, bound);
    c->points += (int)fast.count;
}

static void run(scene kind, int exponent, counters *c)
{
    test_random random = test_random_start("manifolds of boxes", 1201 + (uint64_t)kind);
    double scale = ldexp(1, exponent);
    uint32_t axis = UINT32_MAX; /* stays from pair to pair */
    for (int pair = 0; pair < TEST_ROUNDS(PAIRS); pair++)
    {
        box boxes[2];
        graze_pose poses[2];
        for (int i = 0; i < 2; i++)
        {
            double half[3], centre[3];
            for (int k = 0; k < 3; k++)
            {
                half[k] = scale * 0.25 * random_between(&random, 1, 8);
                centre[k] = random_once_in(&random, 2) ? 0 : scale * 0.25 * random_between(&random, -8, 8);
            }
            make_box(half, centre, &boxes[i]);
        }
        double margin = scale * 0.0203, gap = scale * (random_between(&random, -150, 30) / 1000.0);
        if (kind == ANYHOW) /* other axes part them where they hardly overlap on this one */
            gap *= 10;
        place(&random, kind, &boxes[0], &boxes[1], scale, gap, poses);
        boxes[0].body.pose = poses[0];
        boxes[1].body.pose = poses[1];
        check(&boxes[0], &boxes[1], margin, 32 * scale, kind == ON_THE_GRID, &axis, c);
        grz_hull_destroy(boxes[0].hull);
        grz_hull_destroy(boxes[1].hull);
    }
    printf("%d pairs: %d near, %d far, %d unknown, %d ties; %d points\n", c->pairs, c->near, c->far, c->unknown,
           c->ties, c->points);
}

static void boxes_turned_at_random_have_the_slow_manifold(void **state)
{
    (void)state;
    counters c = {0};
    run(ANYHOW, 0, &c);
    assert_true(c.near > c.pairs / 4 && c.far > c.pairs / 32 && c.unknown < c.pairs / 64 && c.points > c.pairs / 2);
}

static void boxes_face_on_face_have_the_slow_manifold(void **state)
{
    (void)state;
    counters c = {0};
    run(FACE_ON_FACE, 0, &c);
    assert_true(c.near > c.pairs / 4 && c.unknown < c.pairs / 8 && c.points > 2 * c.near);
}

static void boxes_on_the_grid_have_the_slow_points(void **state)
{
    (void)state;
    counters c = {0};
    run(ON_THE_GRID, 0, &c);
    assert_true(c.near > c.pairs / 4 && c.points > 2 * (c.near - c.ties));
}

static void boxes_of_all_sizes_have_the_slow_manifold(void **state)
{
    (void)state;
    for (int exponent = -80; exponent <= 80; exponent += 40)
    {
        counters c = {0};
        run(FACE_ON_FACE, exponent, &c);
        assert_true(c.near > c.pairs / 4);
    }
}

static void other_poses_and_sizes_are_left_to_the_general_way(void **state)
{
    (void)state;
    static const double unit[3] = {1, 1, 1}, large[3] = {0x1p95, 0x1p95, 0x1p95}, origin[3] = {0};
    box a, b;
    manifold m;
    make_box(unit, origin, &a);
    make_box(large, origin, &b);
    graze_pose here = graze_pose_identity(), sheared = here, scaled = here;
    sheared.m[1] = 1e-11;
    scaled.m[10] = 1 + 1e-11;
    const graze_pose *poses[] = {&sheared, &scaled};
    uint32_t axis = UINT32_MAX;
    for (int i = 0; i < 4; i++)
    {
        const grz_placed_box first = {&a.features, i < 2 ? poses[i] : &here},
                             second = {&a.features, i < 2 ? &here : poses[i - 2]};
        assert_int_equal(grz_box_manifold_make(&first, &second, 0.1, 4, &axis, &m.normal, m.points, &m.count),
                         GRZ_BOXES_UNKNOWN);
        assert_int_equal(m.count, 0);
    }
    const grz_placed_box first = {&b.features, &here};
    assert_int_equal(grz_box_manifold_make(&first, &first, 0.1, 4, &axis, &m.normal, m.points, &m.count),
                     GRZ_BOXES_UNKNOWN);
    grz_hull_destroy(a.hull);
    grz_hull_destroy(b.hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_turned_at_random_have_the_slow_manifold),
        cmocka_unit_test(boxes_face_on_face_have_the_slow_manifold),
        cmocka_unit_test(boxes_on_the_grid_have_the_slow_points),
        cmocka_unit_test(boxes_of_all_sizes_have_the_slow_manifold),
        cmocka_unit_test(other_poses_and_sizes_are_left_to_the_general_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
