/* SPDX-License-Identifier: MIT */
/*
 * Interference of random pairs of awkward bodies against another way to know: common points located exactly, climbing
 * to local maxima of the depth, with distances to all triangles in long doubles. Hollow, nested, inside out, open,
 * self-intersecting and flush bodies; mirrored, sheared, tiny, huge and far poses; swapped, without trees, with
 * budgets.
 */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/depth.h"
#include "graze/generate.h"
#include "graze/pair.h"
#include "pair/solid/body.h"
#include "support/bodies.h"
#include "support/unit.h"

enum
{
    SEED = 4242,
    ROUNDS = 70,
    SHAPES = 14,
    POSES = 6,
    MOST_SHELLS = 8,
    SAMPLES = 120,
    CLIMBERS = 4,
    STEPS = 40
};

/* ---- bodies ---- */

typedef struct shells
{
    double vertices[8 * MOST_SHELLS][3];
    uint32_t corners[36 * MOST_SHELLS];
    size_t vertex_count, triangle_count;
} shells;

static void add_triangle(shells *s, uint32_t a, uint32_t b, uint32_t c, bool turned)
{
    const uint32_t corners[3] = {a, turned ? c : b, turned ? b : c};
    memcpy(s->corners + 3 * s->triangle_count++, corners, sizeof corners);
}

static void add_box(shells *s, const double lower[3], const double upper[3], bool inside_out)
{
    uint32_t first = (uint32_t)s->vertex_count;
    body_box_vertices(s->vertices + first, lower, upper);
    s->vertex_count += 8;
    for (size_t face = 0; face < 6; face++)
    {
        const uint32_t *c = body_box_corners + 4 * face;
        add_triangle(s, first + c[0], first + c[1], first + c[2], inside_out);
        add_triangle(s, first + c[0], first + c[2], first + c[3], inside_out);
    }
}

static void add_cube(shells *s, double half, bool inside_out)
{
    const double lower[3] = {-half, -half, -half}, upper[3] = {half, half, half};
    add_box(s, lower, upper, inside_out);
}

/* A box on a grid, so that faces of several lie on one another. */
static void add_grid_box(shells *s, grz_random *random, bool inside_out)
{
    double lower[3], upper[3];
    for (int axis = 0; axis < 3; axis++)
    {
        lower[axis] = 0.5 * (double)grz_random_below(random, 6) - 2;
        upper[axis] = lower[axis] + 0.5 + 0.5 * (double)grz_random_below(random, 4);
    }
    add_box(s, lower, upper, inside_out);
}

static void add_tetrahedron(shells *s, grz_random *random, double size)
{
    uint32_t first = (uint32_t)s->vertex_count;
    double at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = grz_random_between(random, -1, 1);
    for (size_t i = 0; i < 12; i++)
        s->vertices[first + i / 3][i % 3] = at[i % 3] + grz_random_between(random, -size, size);
    s->vertex_count += 4;
    add_triangle(s, first, first + 2, first + 1, false);
    add_triangle(s, first, first + 3, first + 2, false);
    add_triangle(s, first, first + 1, first + 3, false);
    add_triangle(s, first + 1, first + 2, first + 3, false);
}

static graze_mesh *make_shells(grz_random *random, uint64_t kind)
{
    static shells s;
    const double plate[2][3] = {{-1, -1, -0.03125}, {1, 1, 0.03125}}, left[2][3] = {{-1.5, -1, -1}, {-0.25, 1, 1}},
                 right[2][3] = {{0.25, -1, -1}, {1.5, 1, 1}};
    uint64_t count = 2 + grz_random_below(random, MOST_SHELLS - 1);
    s.vertex_count = s.triangle_count = 0;
    if (kind == 0)
        add_grid_box(&s, random, grz_random_below(random, 2) == 0);
    else if (kind == 1)
        add_box(&s, plate[0], plate[1], false);
    else if (kind == 2)
        add_tetrahedron(&s, random, 2);
    else if (kind == 3 || kind == 4) /* hollow; a shell in the interior */
    {
        add_cube(&s, 1.5, false);
        add_cube(&s, 0.75, kind == 3);
    }
    else if (kind == 5) /* two beside one another, one perhaps inside out */
    {
        add_box(&s, left[0], left[1], false);
        add_box(&s, right[0], right[1], grz_random_below(random, 2) == 0);
    }
    else if (kind == 6) /* self-intersecting */
        for (uint64_t i = 0; i < count; i++)
            add_tetrahedron(&s, random, 1.2);
    else if (kind == 7)
        for (uint64_t i = 0; i < count; i++)
            add_grid_box(&s, random, grz_random_below(random, 5) == 0);
    else
    {
        add_cube(&s, 1, false);
        if (kind == 8) /* not oriented consistently */
            add_triangle(&s, s.corners[33], s.corners[34], s.corners[35], true);
        s.triangle_count -= kind == 8 ? 1 : 1 + grz_random_below(random, 3); /* open */
        if (kind == 8)
            memcpy(s.corners + 33, s.corners + 36, 3 * sizeof s.corners[0]);
    }
    return body_of_triangles(s.vertices, s.vertex_count, s.corners, s.triangle_count);
}

static graze_mesh *make_shape(grz_random *random, bool *out_meets_itself)
{
    uint64_t kind = grz_random_below(random, SHAPES);
    *out_meets_itself = kind == 6 || kind == 7;
    uint32_t fineness = (uint32_t)grz_random_below(random, 9);
    graze_mesh *mesh = NULL;
    graze_status status = GRAZE_STATUS_OK;
    if (kind < 10)
        mesh = make_shells(random, kind);
    else if (kind == 10)
        mesh = body_tube(fineness % 2, 2, -1, 1, 3 + fineness, grz_random_unit(random)); /* or a rod */
    else if (kind == 11)
        status = graze_mesh_create_geodesic_sphere(NULL, 1.2, 1 + fineness % 3, &mesh);
    else if (kind == 12)
        status = graze_mesh_create_torus(NULL, 1.2, 0.5, 5 + fineness, 4 + fineness / 2, &mesh);
    else
        status = graze_mesh_create_gear(NULL, 8 + fineness, 0.2, 1, 0.25, 0, &mesh);
    assert_int_equal(status, GRAZE_STATUS_OK);
    return mesh;
}

/* ---- poses ---- */

static graze_pose make_pose(grz_random *random, uint64_t kind)
{
    graze_pose pose = graze_pose_identity();
    double axis[3], there[3];
    for (int i = 0; i < 3; i++)
    {
        axis[i] = grz_random_between(random, -1, 1);
        there[i] = kind < 2 ? 0.25 * (double)grz_random_below(random, 9) - 1 : grz_random_between(random, -0.7, 0.7);
    }
    if (kind >= 2)
        assert_int_equal(graze_pose_from_axis_angle(axis, grz_random_between(random, 0, 6), there, &pose),
                         GRAZE_STATUS_OK);
    for (int row = 0; row < 3; row++)
    {
        pose.m[4 * row + 3] = there[row];
        if (kind == 1 || kind == 3) /* mirrored */
            pose.m[4 * row] = -pose.m[4 * row];
        if (kind == 4) /* sheared */
            pose.m[4 * row + 1] += 0.5 * pose.m[4 * row];
    }
    return pose;
}

/* Tiny, huge, or far from the origin. Returns the scale, a power of two. */
static double change_scale(grz_random *random, graze_pose *a, graze_pose *b)
{
    static const int exponents[] = {0, 0, 0, -500, -280, -190, -150, 150, 290, 400};
    double scale = ldexp(1, exponents[grz_random_below(random, 10)]);
    double far = grz_random_below(random, 3) == 0 ? ldexp(1, (int)grz_random_below(random, 36)) : 0;
    for (int i = 0; i < 12; i++)
    {
        a->m[i] = scale * (a->m[i] + (i % 4 == 3 ? far : 0));
        b->m[i] = scale * (b->m[i] + (i % 4 == 3 ? far : 0));
    }
    return scale;
}

/* ---- distances to all triangles ---- */

typedef long double point[3];

typedef struct placed
{
    graze_placed_mesh mesh;
    double scale; /* distances and triangles are divided by it */
    point (*triangles)[3];
    size_t count;
} placed;

static void place(placed *p)
{
    p->count = p->mesh.mesh->triangle_count;
    p->triangles = malloc(p->count * sizeof *p->triangles);
    assert_non_null(p->triangles);
    for (size_t i = 0; i < 9 * p->count; i++)
    {
        const double *x = grz_triangle_corner(p->mesh.mesh, i / 9, i / 3 % 3), *m = p->mesh.pose.m + 4 * (i % 3);
        long double sum = m[3] / p->scale;
        for (int k = 0; k < 3; k++)
            sum += (long double)(m[k] / p->scale) * x[k];
        p->triangles[i / 9][i / 3 % 3][i % 3] = sum;
    }
}

static long double dot(const point a, const point b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const point a, const point b, point out)
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

static void cross(const point a, const point b, point out)
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static long double distance_to_segment(const point p, const point a, const point b)
{
    point along, to;
    subtract(b, a, along);
    subtract(p, a, to);
    long double square = dot(along, along), share = square > 0 ? dot(along, to) / square : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int i = 0; i < 3; i++)
        to[i] -= share * along[i];
    return sqrtl(dot(to, to));
}

static long double distance_to_triangle(const point p, point corners[3])
{
    point e, f, normal, to, out;
    long double least = INFINITY;
    bool above = true;
    subtract(corners[1], corners[0], e);
    subtract(corners[2], corners[0], f);
    cross(e, f, normal);
    for (int k = 0; k < 3; k++)
    {
        least = fminl(least, distance_to_segment(p, corners[k], corners[(k + 1) % 3]));
        subtract(corners[(k + 1) % 3], corners[k], e);
        subtract(p, corners[k], to);
        cross(e, to, out);
        above = above && dot(out, normal) >= 0;
    }
    long double length = sqrtl(dot(normal, normal));
    return above && length > 0 ? fminl(least, fabsl(dot(normal, to)) / length) : least;
}

static long double distance_to(const placed *p, const double x[3])
{
    const point at = {x[0] / p->scale, x[1] / p->scale, x[2] / p->scale};
    long double least = INFINITY;
    for (size_t i = 0; i < p->count; i++)
        least = fminl(least, distance_to_triangle(at, p->triangles[i]));
    return least;
}

static bool is_in(const placed *p, const double x[3])
{
    graze_location location = GRAZE_LOCATION_OUTSIDE; /* where the mesh is open */
    return graze_point_in_mesh(NULL, &p->mesh, x, NULL, &location) == GRAZE_STATUS_OK &&
           location != GRAZE_LOCATION_OUTSIDE;
}

/* ---- what common points tell ---- */

typedef struct sampled
{
    double lower[3], upper[3]; /* the common box */
    long double deepest, sum;  /* the largest depth, and the largest sum of both depths */
    int count, tried;
} sampled;

static void find_box(placed sides[2], sampled *s)
{
    for (int axis = 0; axis < 3; axis++)
    {
        s->lower[axis] = -INFINITY;
        s->upper[axis] = INFINITY;
        for (int side = 0; side < 2; side++)
        {
            long double lower = INFINITY, upper = -INFINITY;
            for (size_t i = 0; i < 3 * sides[side].count; i++)
            {
                lower = fminl(lower, sides[side].triangles[i / 3][i % 3][axis]);
                upper = fmaxl(upper, sides[side].triangles[i / 3][i % 3][axis]);
            }
            s->lower[axis] = fmax(s->lower[axis], (double)lower * sides[side].scale);
            s->upper[axis] = fmin(s->upper[axis], (double)upper * sides[side].scale);
        }
    }
}

/* Climbs from a common point, with random steps that become shorter. */
static long double climb(grz_random *random, placed sides[2], int side, const double from[3], double step)
{
    double at[3] = {from[0], from[1], from[2]};
    long double depth = distance_to(&sides[side], at);
    for (int i = 0; i < STEPS; i++)
    {
        double next[3];
        for (int axis = 0; axis < 3; axis++)
            next[axis] = at[axis] + step * grz_random_between(random, -1, 1);
        long double its_depth = distance_to(&sides[side], next);
        if (its_depth > depth && is_in(&sides[0], next) && is_in(&sides[1], next))
        {
            depth = its_depth;
            memcpy(at, next, sizeof at);
        }
        else
            step *= 0.9;
    }
    return depth;
}

static sampled sample(grz_random *random, placed sides[2])
{
    sampled s = {.count = 0};
    find_box(sides, &s);
    if (!(s.lower[0] < s.upper[0] && s.lower[1] < s.upper[1] && s.lower[2] < s.upper[2]))
        return s;
    double step = 0.1 * (s.upper[0] - s.lower[0] + s.upper[1] - s.lower[1] + s.upper[2] - s.lower[2]);
    for (s.tried = 0; s.tried < SAMPLES; s.tried++)
    {
        double x[3];
        for (int axis = 0; axis < 3; axis++)
            x[axis] = grz_random_between(random, s.lower[axis], s.upper[axis]);
        if (!is_in(&sides[0], x) || !is_in(&sides[1], x))
            continue;
        long double depths[2] = {distance_to(&sides[0], x), distance_to(&sides[1], x)};
        for (int side = 0; side < 2; side++)
            if (s.count < CLIMBERS)
                s.deepest = fmaxl(s.deepest, climb(random, sides, side, x, step));
        s.deepest = fmaxl(s.deepest, fmaxl(depths[0], depths[1]));
        s.sum = fmaxl(s.sum, depths[0] + depths[1]);
        s.count++;
    }
    return s;
}

/* ---- the comparison ---- */

typedef struct tally
{
    size_t overlapping, reached, points, volumes, stopped;
} tally;

static void fail_unless(bool right, int round, const char *what, const graze_interference *found)
{
    if (!right)
        printf("round %d: %s; depth [%.17g, %.17g], way out [%.17g, %.17g], volume %.17g +- %g\n", round, what,
               found->deepest.lower, found->deepest.upper, found->way_out.lower, found->way_out.upper, found->volume,
               found->volume_error);
    assert_true(right);
}

/* The point of the lower bound is a common point, up to rounding, and as deep as it says. */
static void check_point(placed sides[2], const graze_interference *found, int round, long double slack)
{
    const graze_deepest_point *deepest = &found->deepest;
    const placed *other = &sides[deepest->inside_b], *own = &sides[1 - deepest->inside_b];
    fail_unless(is_in(other, deepest->point), round, "the point is outside", found);
    fail_unless(is_in(own, deepest->point) || distance_to(own, deepest->point) <= slack, round, "not common", found);
    fail_unless(distance_to(other, deepest->point) >= deepest->lower / other->scale - 0x1p-10L * slack, round,
                "the point is not as deep", found);
    fail_unless(distance_to(other, deepest->nearest) <= slack, round, "not a point of the surface", found);
}

static void check_samples(grz_random *random, placed sides[2], const graze_interference *found, int round,
                          long double slack, bool may_have_volume, tally *t)
{
    double scale = sides[0].scale;
    sampled s = sample(random, sides);
    t->points += (size_t)s.count;
    fail_unless(s.deepest <= found->deepest.upper / scale + slack, round, "a sampled point is deeper", found);
    fail_unless(s.sum <= found->way_out.upper / scale + slack, round, "the way out is too short", found);
    if (!may_have_volume || s.tried == 0 || !(found->volume_error < INFINITY))
        return;
    double box = 1, share = (s.count + 1.0) / (s.tried + 2.0);
    for (int axis = 0; axis < 3; axis++)
        box *= s.upper[axis] / scale - s.lower[axis] / scale;
    double cube = scale * scale * scale, wrong = fabs(found->volume / cube - box * s.count / s.tried);
    fail_unless(wrong <= found->volume_error / cube + 7 * box * sqrt(share * (1 - share) / s.tried), round,
                "another volume was sampled", found);
    t->volumes++;
}

static void check_variants(const placed sides[2], const graze_interference_options *options,
                           const graze_interference *found, int round)
{
    graze_interference other;
    assert_int_equal(graze_pair_interference(NULL, &sides[1].mesh, &sides[0].mesh, options, &other), GRAZE_STATUS_OK);
    fail_unless(other.deepest.lower == found->deepest.lower && other.deepest.upper == found->deepest.upper &&
                    other.way_out.lower == found->way_out.lower && other.way_out.upper == found->way_out.upper &&
                    other.volume == found->volume && other.volume_error == found->volume_error,
                round, "swapped, it differs", found);
    graze_placed_mesh a = sides[0].mesh, b = sides[1].mesh;
    graze_interference_options short_options = *options;
    a.tree = b.tree = NULL;
    short_options.max_cells = 100;
    assert_int_equal(graze_pair_interference(NULL, &a, &b, &short_options, &other), GRAZE_STATUS_OK);
    fail_unless(other.deepest.lower <= found->deepest.upper && found->deepest.lower <= other.deepest.upper &&
                    other.way_out.lower <= found->way_out.upper && found->way_out.lower <= other.way_out.upper &&
                    fabs(other.volume - found->volume) <= other.volume_error + found->volume_error,
                round, "without trees, the intervals are disjoint", found);
}

/* A budget that ends anywhere. */
static void check_budget(grz_random *random, placed sides[2], const graze_interference_options *options,
                         const graze_interference *found, int round, tally *t)
{
    graze_interference_options little = *options;
    graze_interference other;
    little.budget.box_tests = 1 + grz_random_below(random, UINT64_C(1) << (4 + grz_random_below(random, 18)));
    assert_int_equal(graze_pair_interference(NULL, &sides[0].mesh, &sides[1].mesh, &little, &other), GRAZE_STATUS_OK);
    t->stopped += other.way_out.unfinished || other.deepest.upper > found->deepest.upper;
    fail_unless(other.deepest.lower <= found->deepest.upper && found->deepest.lower <= other.deepest.upper &&
                    other.way_out.lower <= found->way_out.upper && found->way_out.lower <= other.way_out.upper &&
                    (other.volume_error == INFINITY || other.volume == found->volume ||
                     found->volume_error == INFINITY ||
                     fabs(other.volume - found->volume) <= other.volume_error + found->volume_error),
                round, "with a budget, the intervals are disjoint", &other);
}

static void check_pair(grz_random *random, int round, tally *t)
{
    static const int roundings[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    bool meets_itself[2];
    graze_mesh *meshes[2] = {make_shape(random, &meets_itself[0]), make_shape(random, &meets_itself[1])};
    graze_pose poses[2] = {make_pose(random, grz_random_below(random, POSES)),
                           make_pose(random, grz_random_below(random, POSES))};
    double scale = change_scale(random, &poses[0], &poses[1]);
    placed sides[2];
    long double reach = 0;
    for (int i = 0; i < 2; i++)
    {
        graze_tree *tree = NULL;
        if (grz_random_below(random, 2) == 0)
            assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &tree), GRAZE_STATUS_OK);
        sides[i] = (placed){.mesh = {meshes[i], tree, poses[i]}, .scale = scale};
        place(&sides[i]);
        for (size_t k = 0; k < 9 * sides[i].count; k++)
            reach = fmaxl(reach, fabsl(sides[i].triangles[k / 9][k / 3 % 3][k % 3]));
    }
    graze_interference_options options = graze_interference_options_default();
    graze_interference found;
    options.volume = true;
    options.max_cells = 1500;
    options.max_queries = 40;
    (void)fesetround(roundings[grz_random_below(random, 4)]);
    graze_status status = graze_pair_interference(NULL, &sides[0].mesh, &sides[1].mesh, &options, &found);
    (void)fesetround(FE_TONEAREST);
    assert_int_equal(status, GRAZE_STATUS_OK);
    if (found.deepest.overlap == GRAZE_VERDICT_YES)
    {
        t->overlapping++;
        t->reached += found.deepest.reached;
        if (found.deepest.lower > 0)
            check_point(sides, &found, round, 1e-13L * reach);
    }
    fail_unless(found.deepest.lower <= found.deepest.upper && found.way_out.lower <= found.way_out.upper, round,
                "an interval is empty", &found);
    check_samples(random, sides, &found, round, 1e-13L * reach,
                  !meets_itself[0] && !meets_itself[1] && found.deepest.overlap == GRAZE_VERDICT_YES, t);
    assert_int_equal(graze_pair_interference(NULL, &sides[0].mesh, &sides[1].mesh, &options, &found), GRAZE_STATUS_OK);
    check_variants(sides, &options, &found, round);
    check_budget(random, sides, &options, &found, round, t);
    for (int i = 0; i < 2; i++)
    {
        free(sides[i].triangles);
        graze_tree_destroy((graze_tree *)sides[i].mesh.tree);
        graze_mesh_destroy(meshes[i]);
    }
}

static void no_common_point_is_deeper_than_the_upper_bound(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    const char *wish = getenv("GRAZE_DEPTH_ATTACK_ROUNDS");
    int rounds = wish != NULL ? (int)strtol(wish, NULL, 10) : ROUNDS;
    tally t = {.points = 0};
    for (int round = 0; round < rounds; round++)
    {
        grz_random random = grz_random_make(SEED + (uint64_t)round);
        check_pair(&random, round, &t);
    }
    printf("%zu overlapping, %zu closed to 1 %%, %zu common points, %zu volumes, %zu stopped\n", t.overlapping,
           t.reached, t.points, t.volumes, t.stopped);
    assert_true(t.overlapping > (size_t)rounds / 2 && t.points > 10 * (size_t)rounds && t.stopped > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_common_point_is_deeper_than_the_upper_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
