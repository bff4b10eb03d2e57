/* SPDX-License-Identifier: MIT */
/*
 * Meshes and half-spaces that move, against polynomials with integer coefficients and Sturm chains, which share no code
 * with src/motion: on small integers, so that corners graze the face, meet it at doubles or at once.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/mesh.h"
#include "graze/shape_motion.h"
#include "support/environment.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/sturm.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(1500),
    CORNERS = 5,
    MOST_TERMS = 12
};

/* The sum of c[i] t^i. */
typedef struct small_polynomial
{
    int64_t c[MOST_TERMS];
} small_polynomial;

/* A point v of the body is at (matrix v + offset) / weight. */
typedef struct small_motion
{
    bool turns;
    small_polynomial matrix[3][3], offset[3], path[3], weight;
    int centre[3];
} small_motion;

static small_polynomial number(int64_t a, int64_t b, int64_t c)
{
    return (small_polynomial){{a, b, c}};
}

/* a + factor b c. */
static small_polynomial plus(small_polynomial a, int64_t factor, small_polynomial b, small_polynomial c)
{
    for (int i = 0; i < MOST_TERMS; i++)
        for (int j = 0; i + j < MOST_TERMS; j++)
            a.c[i + j] += factor * b.c[i] * c.c[j];
    return a;
}

static const small_polynomial one = {{1}}, nothing = {{0}};

static small_motion make_turn(int q[2][4], const int centre[3], int x[3][3], int terms)
{
    small_motion m = {.turns = true};
    small_polynomial p[4];
    for (int i = 0; i < 4; i++)
        p[i] = number(q[0][i], q[1][i] - q[0][i], 0);
    for (int i = 0; i < 4; i++)
        m.weight = plus(m.weight, 1, p[i], p[i]);
    for (int i = 0; i < 3; i++)
    {
        m.centre[i] = centre[i];
        m.path[i] = number(x[0][i], x[1][i], terms > 2 ? x[2][i] : 0);
        for (int j = 0; j < 3; j++)
        {
            /* (w^2 - |v|^2) 1 + 2 v v^T + 2 w [v] */
            small_polynomial entry = plus(nothing, 2, p[i + 1], p[j + 1]);
            if (i == j)
                entry = plus(plus(entry, -1, m.weight, one), 2, p[0], p[0]);
            else
                entry = plus(entry, (j - i + 3) % 3 == 1 ? -2 : 2, p[0], p[4 - i - j]);
            m.matrix[i][j] = entry;
        }
    }
    for (int i = 0; i < 3; i++)
    {
        m.offset[i] = plus(nothing, 1, m.weight, m.path[i]);
        for (int j = 0; j < 3; j++)
            m.offset[i] = plus(m.offset[i], -centre[j], m.matrix[i][j], one);
    }
    return m;
}

static small_motion make_blend(int a[2][3][3], int b[2][3])
{
    small_motion m = {.weight = one};
    for (int i = 0; i < 3; i++)
    {
        m.path[i] = m.offset[i] = number(b[0][i], b[1][i] - b[0][i], 0);
        for (int j = 0; j < 3; j++)
            m.matrix[i][j] = number(a[0][i][j], a[1][i][j] - a[0][i][j], 0);
    }
    return m;
}

static small_polynomial minor_of(const small_motion *m, int i, int j)
{
    int r = (i + 1) % 3, s = (i + 2) % 3, p = (j + 1) % 3, q = (j + 2) % 3;
    small_polynomial minor = plus(nothing, 1, m->matrix[r][p], m->matrix[s][q]);
    return plus(minor, -1, m->matrix[r][q], m->matrix[s][p]);
}

/* The height of a corner over the half-space n . q <= d, up to a positive factor; of a blend with det > 0. */
static small_polynomial height_of(const small_motion *h, const int n[3], int d, const small_motion *body, const int *v)
{
    small_polynomial height = nothing, inner = nothing;
    for (int i = 0; i < 3; i++)
    {
        small_polynomial place = plus(body->offset[i], -1, body->weight, h->path[i]), m = nothing;
        for (int j = 0; j < 3; j++)
        {
            place = plus(place, v[j], body->matrix[i][j], one);
            m = plus(m, n[j], h->turns ? h->matrix[i][j] : minor_of(h, i, j), one);
        }
        height = plus(height, 1, m, place);
    }
    if (h->turns)
        return plus(height, (int64_t)n[0] * h->centre[0] + n[1] * h->centre[1] + n[2] * h->centre[2] - d, h->weight,
                    body->weight);
    for (int j = 0; j < 3; j++)
        inner = plus(inner, 1, h->matrix[0][j], minor_of(h, 0, j));
    return plus(height, -d, inner, body->weight);
}

/* Whether det A is above 0 at both ends and at all times, as its Bernstein coefficients say. */
static bool keeps_inverse(const small_motion *m)
{
    small_polynomial det = nothing;
    for (int j = 0; j < 3; j++)
        det = plus(det, 1, m->matrix[0][j], minor_of(m, 0, j));
    const int64_t *c = det.c;
    return c[0] > 0 && 3 * c[0] + c[1] > 0 && 3 * c[0] + 2 * c[1] + c[2] > 0 && c[0] + c[1] + c[2] + c[3] > 0;
}

typedef struct root_counts
{
    int started, met, none, exact, grazed;
} root_counts;

/* Checks what is said of one corner: that it is not in the half-space before the time told, and that it is then, where
   it is the first one. Returns whether it is. */
static bool check_corner(const small_polynomial *height, const graze_shape_impact *impact, root_counts *counts)
{
    sturm_polynomial f, square_free;
    sturm_root root;
    mpq_t zero, lower, upper;
    bool first = false;
    assert_true(height->c[0] > 0);
    sturm_init(&f);
    sturm_init(&square_free);
    sturm_root_init(&root);
    mpq_inits(zero, lower, upper, (mpq_ptr)NULL);
    for (int i = 0; i < MOST_TERMS; i++)
        mpz_set_si(f.c[i], (long)height->c[i]);
    sturm_trim(&f, MOST_TERMS - 1);
    sturm_square_free(&square_free, &f);
    if (sturm_first_root(&square_free, zero, &root))
    {
        assert_int_equal(impact->verdict, GRAZE_IMPACT_AT);
        mpq_set_d(lower, impact->lower);
        mpq_set_d(upper, impact->upper);
        assert_true(sturm_compare(&root, lower) >= 0);
        first = sturm_compare(&root, upper) <= 0;
        if (first && impact->lower < impact->upper)
            assert_true(sturm_compare(&root, lower) > 0);
        counts->grazed += first && square_free.degree < f.degree;
    }
    mpq_clears(zero, lower, upper, (mpq_ptr)NULL);
    sturm_root_clear(&root);
    sturm_clear(&square_free);
    sturm_clear(&f);
    return first;
}

/* The motion in doubles, with lengths times `scale`. */
static graze_motion turn_of(int q[2][4], const int centre[3], int x[3][3], int terms, double scale)
{
    graze_motion motion = {.kind = terms > 2 ? GRAZE_MOTION_BALLISTIC_TURN : GRAZE_MOTION_TURN};
    for (int i = 0; i < 8; i++)
        motion.quaternion[i / 4][i % 4] = q[i / 4][i % 4] * 0.125;
    for (int k = 0; k < 3; k++)
    {
        motion.centre[k] = centre[k] * scale;
        for (int i = 0; i < 3; i++)
            motion.path[i][k] = x[i][k] * scale;
    }
    return motion;
}

static graze_motion blend_of(int a[2][3][3], int b[2][3], double scale)
{
    graze_motion motion = {.kind = GRAZE_MOTION_BLEND};
    for (int k = 0; k < 12; k++)
        for (int end = 0; end < 2; end++)
            (end == 0 ? &motion.start : &motion.end)->m[k] = k % 4 < 3 ? a[end][k / 4][k % 4] : b[end][k / 4] * scale;
    return motion;
}

static void random_numbers(test_random *random, int *out, int count, int most)
{
    for (int i = 0; i < count; i++)
        out[i] = random_between(random, -most, most);
}

/* Of some kind, exactly and in doubles; false where it is none. */
static bool random_motion(test_random *random, double scale, int far, small_motion *out, graze_motion *motion)
{
    int q[2][4], centre[3], x[3][3], a[2][3][3], b[2][3], kind = random_below(random, 4);
    random_numbers(random, q[0], 8, 2);
    random_numbers(random, centre, 3, 2);
    random_numbers(random, x[0], 9, 6);
    random_numbers(random, a[0][0], 18, 1);
    random_numbers(random, b[0], 6, 6);
    x[0][2] += far;
    for (int end = 0; end < 2; end++)
    {
        b[end][2] += far;
        for (int k = 0; k < 3; k++)
            a[end][k][k] += 2;
    }
    if (random_once_in(random, 3))
        memcpy(a[1], a[0], sizeof a[0]);
    if (random_once_in(random, 3))
        memcpy(q[1], q[0], sizeof q[0]);
    *out = kind == 0 ? make_blend(a, b) : make_turn(q, centre, x, kind == 1 ? 3 : 2);
    *motion = kind == 0 ? blend_of(a, b, scale) : turn_of(q, centre, x, kind == 1 ? 3 : 2, scale);
    return (kind > 0 || keeps_inverse(out)) && graze_motion_check(motion) == GRAZE_STATUS_OK;
}

/* A parabola whose lowest point, at t = 1/2, is where the lowest corner touches the plane z = 0 that stands still. */
static void make_parabola(test_random *random, double scale, int points[CORNERS][3], small_motion exact[2],
                          graze_moving_shape sides[2])
{
    int q[2][4] = {{1, 0, 0, 0}, {1, 0, 0, 0}}, centre[3] = {0, 0, 0}, still[3][3] = {{0}}, x[3][3] = {{0}}, lowest = 9;
    for (int i = 0; i < CORNERS; i++)
        lowest = points[i][2] < lowest ? points[i][2] : lowest;
    int height = random_between(random, 1, 3);
    x[0][2] = height - lowest;
    x[1][2] = -4 * height;
    x[2][2] = 4 * height;
    exact[0] = make_turn(q, centre, still, 2);
    exact[1] = make_turn(q, centre, x, 3);
    sides[0].motion = turn_of(q, centre, still, 2, scale);
    sides[1].motion = turn_of(q, centre, x, 3, scale);
}

/* CORNERS points in a fan of triangles, and one that no triangle has. */
static graze_mesh *make_mesh(int points[CORNERS][3], double scale)
{
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    double vertices[CORNERS + 1][3];
    graze_mesh *mesh;
    for (int i = 0; i < CORNERS; i++)
        for (int k = 0; k < 3; k++)
            vertices[i][k] = points[i][k] * scale;
    for (int k = 0; k < 3; k++)
        vertices[CORNERS][k] = -40 * scale;
    const graze_mesh_def def = {.struct_size = sizeof def,
                                .vertices = vertices[0],
                                .vertex_count = CORNERS + 1,
                                .corners = triangles,
                                .corner_count = sizeof triangles / sizeof *triangles};
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void count_answer(const graze_shape_impact *impact, root_counts *counts)
{
    counts->started += impact->at_start;
    counts->met += impact->verdict == GRAZE_IMPACT_AT && !impact->at_start;
    counts->none += impact->verdict == GRAZE_IMPACT_NONE;
    counts->exact += impact->verdict == GRAZE_IMPACT_AT && impact->upper > 0 && !(impact->lower < impact->upper);
}

static void check_answer(const small_polynomial heights[CORNERS], const graze_shape_impact *impact, root_counts *counts)
{
    bool starts = false;
    int first = 0;
    for (int i = 0; i < CORNERS; i++)
        starts = starts || heights[i].c[0] <= 0;
    assert_true(starts == impact->at_start);
    for (int i = 0; i < CORNERS && !starts; i++)
        first += check_corner(&heights[i], impact, counts);
    assert_true(starts || (first > 0) == (impact->verdict == GRAZE_IMPACT_AT));
    count_answer(impact, counts);
}

static void meshes_meet_half_spaces_when_polynomials_say_so(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 2011);
    root_counts counts = {0};
    for (int round = 0; round < ROUNDS; round++)
    {
        int n[3], d, points[CORNERS][3];
        double scale = ldexp(1, random_between(&random, -3, 3) * 100);
        small_motion exact[2];
        small_polynomial heights[CORNERS];
        graze_moving_shape sides[2];
        random_numbers(&random, n, 2, 1);
        n[2] = random_between(&random, 1, 3);
        random_numbers(&random, &d, 1, 4);
        random_numbers(&random, points[0], 3 * CORNERS, 3);
        if (!random_motion(&random, scale, 0, &exact[0], &sides[0].motion) ||
            !random_motion(&random, scale, 8, &exact[1], &sides[1].motion))
            continue;
        if (round % 16 == 0)
        {
            n[0] = n[1] = d = 0;
            make_parabola(&random, scale, points, exact, sides);
        }
        const double normal[3] = {n[0] * 0.5, n[1] * 0.5, n[2] * 0.5};
        graze_mesh *mesh = make_mesh(points, scale);
        graze_shape *shapes[2];
        assert_int_equal(graze_shape_create_half_space(NULL, normal, d * 0.5 * scale, &shapes[0]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, false, &shapes[1]), GRAZE_STATUS_OK);
        for (int i = 0; i < CORNERS; i++)
            heights[i] = height_of(&exact[0], n, d, &exact[1], points[i]);
        graze_shape_impact impact, swapped;
        saved_environment saved;
        for (int side = 0; side < 2; side++)
            sides[side].shape = shapes[side];
        environment_enter(&saved, round % ENVIRONMENTS);
        graze_status status = graze_shape_pair_impact(NULL, &sides[0], &sides[1], NULL, &impact);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_pair_impact(NULL, &sides[1], &sides[0], NULL, &swapped), GRAZE_STATUS_OK);
        assert_true(impact.lower == swapped.lower && impact.upper == swapped.upper);
        assert_int_equal(impact.verdict, swapped.verdict);
        assert_int_equal(impact.hit.triangle_b, swapped.hit.triangle_a);
        assert_true(impact.verdict != GRAZE_IMPACT_UNKNOWN);
        check_answer(heights, &impact, &counts);
        for (int side = 0; side < 2; side++)
            graze_shape_destroy(shapes[side]);
        graze_mesh_destroy(mesh);
    }
    printf("%d at the start, %d met (%d at doubles, %d corners graze), %d none\n", counts.started, counts.met,
           counts.exact, counts.grazed, counts.none);
    assert_true(counts.started > ROUNDS / 20 && counts.met > ROUNDS / 20 && counts.exact > ROUNDS / 50 &&
                counts.grazed > ROUNDS / 50 && counts.none > ROUNDS / 20);
}

static bool stop(void *user, double share)
{
    (void)share;
    return --*(int *)user > 0;
}

/* Corners whose coordinates differ by so much that their heights take many limbs, and roots in great number: at a place
   where half of a grid goes through the face at times of their own. */
static void long_numbers_and_many_corners_end_when_they_must(void **state)
{
    (void)state;
    int points[CORNERS][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 1, 1}}, failed = 0, left = 1;
    const double normal[3] = {0x1p-300, 0x1p300, 1};
    graze_mesh *small = make_mesh(points, 0x1p-400), *grid;
    graze_shape *shapes[3];
    assert_int_equal(graze_mesh_create_sphere(NULL, 1, 128, 64, &grid), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(NULL, normal, -0x1p200, &shapes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, small, NULL, false, &shapes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, grid, NULL, false, &shapes[2]), GRAZE_STATUS_OK);
    int q[2][4] = {{1, 0, 0, 0}, {3, 0, 0, 1}}, centre[3] = {0, 0, 1}, x[3][3] = {{0, 3, 0}, {0, -6, 0}, {0}};
    graze_moving_shape plane = {shapes[0], turn_of(q, centre, x, 2, 0x1p-20)};
    graze_moving_shape body = {shapes[1], turn_of(q, centre, x, 2, 1)}, many = {shapes[2], body.motion};
    graze_shape_impact impact = {.lower = -1}, again;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_status status = graze_shape_pair_impact(&context, &plane, &body, NULL, &impact);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        assert_true(impact.lower < 0);
        failed++;
    }
    assert_true(failed > 0 && impact.verdict == GRAZE_IMPACT_AT);
    graze_impact_options options = graze_impact_options_default();
    options.budget = (graze_budget){.progress = stop, .progress_user = &left};
    assert_int_equal(graze_shape_pair_impact(NULL, &plane, &many, &options, &again), GRAZE_STATUS_CANCELLED);
    options.budget = (graze_budget){.seconds = 1e-9};
    assert_int_equal(graze_shape_pair_impact(NULL, &plane, &many, &options, &again), GRAZE_STATUS_OK);
    assert_int_equal(again.verdict, GRAZE_IMPACT_UNKNOWN);
    for (int i = 0; i < 3; i++)
        graze_shape_destroy(shapes[i]);
    graze_mesh_destroy(grid);
    graze_mesh_destroy(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(meshes_meet_half_spaces_when_polynomials_say_so),
                                       cmocka_unit_test(long_numbers_and_many_corners_end_when_they_must)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
