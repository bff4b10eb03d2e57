/* SPDX-License-Identifier: MIT */
/*
 * Containment of solids. For bodies made of boxes on a small grid, the reference answer comes from every vertex, edge,
 * square and cell of the grid: does it belong to both bodies, does one body contain all of the other? The library may
 * answer UNKNOWN, but never contradict the reference.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/depth.h"
#include "graze/generate.h"
#include "graze/topology.h"
#include "support/failing_allocator.h"
#include "support/generators.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 4000,
    SIDE = 9,             /* cells along each axis */
    STEPS = 2 * SIDE + 1, /* places along each axis: even ones are grid lines, odd ones lie between */
    MOST_BOXES = 3
};

typedef struct box
{
    int lower[3], upper[3];
    bool inward;
} box;

/* A body whose inside is where the signs of the boxes do not sum to zero. */
typedef struct assembly
{
    int count;
    box boxes[MOST_BOXES];
} assembly;

typedef enum place
{
    OUTSIDE,
    ON_SURFACE,
    INSIDE
} place;

static place locate(const assembly *body, const int at[3])
{
    int winding = 0;
    for (int i = 0; i < body->count; i++)
    {
        const box *b = &body->boxes[i];
        bool within = true, on_side = false;
        for (int c = 0; c < 3; c++)
        {
            within = within && 2 * b->lower[c] <= at[c] && at[c] <= 2 * b->upper[c];
            on_side = on_side || at[c] == 2 * b->lower[c] || at[c] == 2 * b->upper[c];
        }
        if (within && on_side)
            return ON_SURFACE;
        if (within)
            winding += b->inward ? -1 : 1;
    }
    return winding != 0 ? INSIDE : OUTSIDE;
}

/* The reference answer for two bodies. */
typedef struct truth
{
    bool collide, a_in_b, b_in_a, surfaces_meet;
} truth;

static truth find_truth(const assembly *a, const assembly *b)
{
    truth known = {false, true, true, false};
    for (int i = 0; i < STEPS * STEPS * STEPS; i++)
    {
        const int at[3] = {i % STEPS, i / STEPS % STEPS, i / STEPS / STEPS};
        place in_a = locate(a, at), in_b = locate(b, at);
        known.collide = known.collide || (in_a != OUTSIDE && in_b != OUTSIDE);
        known.a_in_b = known.a_in_b && (in_a == OUTSIDE || in_b != OUTSIDE);
        known.b_in_a = known.b_in_a && (in_b == OUTSIDE || in_a != OUTSIDE);
        known.surfaces_meet = known.surfaces_meet || (in_a == ON_SURFACE && in_b == ON_SURFACE);
    }
    return known;
}

static void random_box(test_random *random, int low, int high, box *out)
{
    for (int c = 0; c < 3; c++)
    {
        out->lower[c] = random_between(random, low, high - 1);
        out->upper[c] = random_between(random, out->lower[c] + 1, high);
    }
    out->inward = false;
}

/* Whether two boxes share part of an edge line, so that edges of the mesh could have more than two faces. */
static bool share_an_edge(const box *a, const box *b)
{
    int equal = 0;
    for (int c = 0; c < 3; c++)
        equal += a->lower[c] == b->lower[c] || a->lower[c] == b->upper[c] || a->upper[c] == b->lower[c] ||
                 a->upper[c] == b->upper[c];
    return equal >= 2;
}

static void random_assembly(test_random *random, assembly *out)
{
    bool hollow = random_once_in(random, 3);
    do
    {
        out->count = random_between(random, hollow ? 2 : 1, MOST_BOXES);
        for (int i = 0; i < out->count; i++)
            random_box(random, 0, SIDE, &out->boxes[i]);
        if (hollow) /* a cavity strictly inside the first box, with room around it */
        {
            box wall = {{0, 0, 0}, {SIDE - random_below(random, 2), SIDE, SIDE}, false};
            out->boxes[0] = wall;
            random_box(random, 2, SIDE - 2, &out->boxes[1]);
            out->boxes[1].inward = !random_once_in(random, 4);
        }
    } while ((out->count > 1 && share_an_edge(&out->boxes[0], &out->boxes[1])) ||
             (out->count > 2 &&
              (share_an_edge(&out->boxes[0], &out->boxes[2]) || share_an_edge(&out->boxes[1], &out->boxes[2]))));
}

static void add_boxes(const assembly *body, test_mesh *mesh)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    for (int i = 0; i < body->count; i++)
    {
        double lower[3], upper[3];
        for (int c = 0; c < 3; c++)
        {
            lower[c] = body->boxes[i].lower[c];
            upper[c] = body->boxes[i].upper[c];
        }
        mesh_add_box(mesh, lower, upper, body->boxes[i].inward);
    }
}

static graze_mesh *make_body(const assembly *body)
{
    static test_mesh mesh;
    add_boxes(body, &mesh);
    return mesh_create(&mesh);
}

/* With every other triangle reversed. */
static graze_mesh *make_turned_body(const assembly *body)
{
    static test_mesh mesh;
    add_boxes(body, &mesh);
    mesh_disorient(&mesh);
    return mesh_create(&mesh);
}

static void print_assembly(const char *name, const assembly *body)
{
    for (int i = 0; i < body->count; i++)
    {
        const box *b = &body->boxes[i];
        printf("%s: %d %d %d to %d %d %d%s\n", name, b->lower[0], b->lower[1], b->lower[2], b->upper[0], b->upper[1],
               b->upper[2], b->inward ? " inward" : "");
    }
}

static bool is_right(const graze_solid_answer *answer, const truth *known)
{
    if (answer->collide != known->collide)
        return false;
    switch (answer->containment)
    {
    case GRAZE_CONTAINMENT_NONE:
        return !known->a_in_b && !known->b_in_a;
    case GRAZE_CONTAINMENT_A_IN_B:
        return known->a_in_b;
    case GRAZE_CONTAINMENT_B_IN_A:
        return known->b_in_a;
    default:
        return true;
    }
}

/* With known bodies and counts the answer is the same; a body of another mesh is refused. */
static void check_known(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_solid_answer *expected)
{
    graze_body *bodies[2];
    graze_pair_counts counts;
    graze_solid_answer answer;
    assert_int_equal(graze_body_create(NULL, a->mesh, NULL, &bodies[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_body_create(NULL, b->mesh, NULL, &bodies[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_pair_count(NULL, a, b, NULL, &counts), GRAZE_STATUS_OK);
    graze_known_pair known = {bodies[0], bodies[1], &counts}, exchanged = {bodies[1], bodies[0], &counts};
    graze_stats stats;
    graze_pair_options options = graze_pair_options_default();
    options.stats = &stats;
    assert_int_equal(graze_pair_containment_known(NULL, a, b, &known, &options, &answer), GRAZE_STATUS_OK);
    assert_true(answer.collide == expected->collide && answer.containment == expected->containment);
    if (a->mesh != b->mesh)
        assert_int_equal(graze_pair_containment_known(NULL, a, b, &exchanged, NULL, &answer),
                         GRAZE_STATUS_BAD_ARGUMENT);
    graze_body_destroy(bodies[0]);
    graze_body_destroy(bodies[1]);
}

static void bodies_of_boxes_are_never_judged_wrongly(void **state)
{
    (void)state;
    test_random random = test_random_start("bodies of boxes", 60);
    int apart = 0, contained = 0, unknown = 0, unknown_apart = 0, unknown_none = 0;
    for (int k = 0; k < ROUNDS; k++)
    {
        assembly a, b;
        random_assembly(&random, &a);
        random_assembly(&random, &b);
        if (k % 2 == 0) /* a small single box, which is often inside */
        {
            b.count = 1;
            random_box(&random, 1, SIDE - 1, &b.boxes[0]);
        }
        truth known = find_truth(&a, &b);
        graze_pose pose = k % 3 == 0 ? random_rotation(&random) : graze_pose_identity();
        graze_placed_mesh placed_a = {.mesh = make_body(&a), .pose = pose},
                          placed_b = {.mesh = make_body(&b), .pose = pose};
        graze_solid_answer answer;
        assert_int_equal(graze_pair_containment(NULL, &placed_a, &placed_b, NULL, &answer), GRAZE_STATUS_OK);
        check_known(&placed_a, &placed_b, &answer);
        if (!is_right(&answer, &known))
        {
            print_assembly("a", &a);
            print_assembly("b", &b);
            fail_msg("collide %d containment %d; truly collide %d, a in b %d, b in a %d", answer.collide,
                     (int)answer.containment, known.collide, known.a_in_b, known.b_in_a);
        }
        apart += !known.surfaces_meet;
        contained += known.a_in_b || known.b_in_a;
        unknown += answer.containment == GRAZE_CONTAINMENT_UNKNOWN;
        unknown_none += !known.a_in_b && !known.b_in_a && answer.containment == GRAZE_CONTAINMENT_UNKNOWN;
        unknown_apart += !known.surfaces_meet && answer.containment == GRAZE_CONTAINMENT_UNKNOWN;
        graze_mesh_destroy((graze_mesh *)placed_a.mesh);
        graze_mesh_destroy((graze_mesh *)placed_b.mesh);
    }
    printf("%d apart, %d contained; unknown %d, of those apart %d, none %d\n", apart, contained, unknown, unknown_apart,
           unknown_none);
    assert_true(apart > ROUNDS / 10 && contained > ROUNDS / 20);
    assert_true(unknown < ROUNDS / 2 && unknown_apart < ROUNDS / 100 && unknown_none < ROUNDS / 15);
}

/* A query with a known answer. */
typedef struct question
{
    const char *text;
    assembly a, b;
    bool collide;
    graze_containment containment;
} question;

static const question questions[] = {
    {"apart", {1, {{{0, 0, 0}, {2, 2, 2}, 0}}}, {1, {{{3, 3, 3}, {4, 4, 4}, 0}}}, false, GRAZE_CONTAINMENT_NONE},
    {"nested", {1, {{{2, 2, 2}, {3, 3, 3}, 0}}}, {1, {{{1, 1, 1}, {5, 5, 5}, 0}}}, true, GRAZE_CONTAINMENT_A_IN_B},
    {"nested the other way",
     {1, {{{1, 1, 1}, {5, 5, 5}, 0}}},
     {1, {{{2, 2, 2}, {3, 3, 3}, 0}}},
     true,
     GRAZE_CONTAINMENT_B_IN_A},
    {"touching from inside",
     {1, {{{1, 2, 2}, {3, 3, 3}, 0}}},
     {1, {{{1, 1, 1}, {5, 5, 5}, 0}}},
     true,
     GRAZE_CONTAINMENT_A_IN_B},
    {"touching from outside",
     {1, {{{0, 2, 2}, {1, 3, 3}, 0}}},
     {1, {{{1, 1, 1}, {5, 5, 5}, 0}}},
     true,
     GRAZE_CONTAINMENT_NONE},
    {"through the side",
     {1, {{{0, 2, 2}, {3, 3, 3}, 0}}},
     {1, {{{1, 1, 1}, {5, 5, 5}, 0}}},
     true,
     GRAZE_CONTAINMENT_NONE},
    {"crossed bars, no corner in the other",
     {1, {{{0, 2, 2}, {6, 3, 3}, 0}}},
     {1, {{{2, 0, 0}, {3, 6, 6}, 0}}},
     true,
     GRAZE_CONTAINMENT_NONE},
    {"in a cavity",
     {1, {{{4, 4, 4}, {5, 5, 5}, 0}}},
     {2, {{{0, 0, 0}, {9, 9, 9}, 0}, {{3, 3, 3}, {6, 6, 6}, 1}}},
     false,
     GRAZE_CONTAINMENT_NONE},
    {"in the wall of a hollow body",
     {1, {{{1, 1, 1}, {2, 2, 2}, 0}}},
     {2, {{{0, 0, 0}, {9, 9, 9}, 0}, {{3, 3, 3}, {6, 6, 6}, 1}}},
     true,
     GRAZE_CONTAINMENT_A_IN_B},
    {"around the cavity, within the wall",
     {1, {{{2, 2, 2}, {7, 7, 7}, 0}}},
     {2, {{{0, 0, 0}, {9, 9, 9}, 0}, {{3, 3, 3}, {6, 6, 6}, 1}}},
     true,
     GRAZE_CONTAINMENT_NONE},
    {"through the wall of a cavity, all corners in the wall",
     {1, {{{1, 4, 4}, {8, 5, 5}, 0}}},
     {2, {{{0, 0, 0}, {9, 9, 9}, 0}, {{3, 3, 3}, {6, 6, 6}, 1}}},
     true,
     GRAZE_CONTAINMENT_NONE},
    {"a hollow body in a full one",
     {2, {{{1, 1, 1}, {8, 8, 8}, 0}, {{3, 3, 3}, {6, 6, 6}, 1}}},
     {1, {{{0, 0, 0}, {9, 9, 9}, 0}}},
     true,
     GRAZE_CONTAINMENT_A_IN_B},
    {"one part inside, one outside",
     {2, {{{2, 2, 2}, {3, 3, 3}, 0}, {{7, 7, 7}, {8, 8, 8}, 0}}},
     {1, {{{1, 1, 1}, {5, 5, 5}, 0}}},
     true,
     GRAZE_CONTAINMENT_NONE},
    /* The search for a bounding crossing must remember one it has found: the last crossed walls lie inside the body. */
    {"from part to part of a body that overlaps itself",
     {1, {{{1, 2, 2}, {8, 4, 4}, 0}}},
     {3, {{{0, 0, 0}, {3, 6, 6}, 0}, {{4, 0, 0}, {7, 6, 6}, 0}, {{6, 1, 1}, {9, 5, 5}, 0}}},
     true,
     GRAZE_CONTAINMENT_NONE},
    {"both parts inside",
     {2, {{{2, 2, 2}, {3, 3, 3}, 0}, {{4, 4, 4}, {5, 5, 5}, 0}}},
     {1, {{{1, 1, 1}, {6, 6, 6}, 0}}},
     true,
     GRAZE_CONTAINMENT_A_IN_B},
};

static void known_positions_get_the_known_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    {
        const question *q = &questions[i];
        printf("%s\n", q->text);
        graze_placed_mesh a = {.mesh = make_body(&q->a), .pose = graze_pose_identity()},
                          b = {.mesh = make_body(&q->b), .pose = graze_pose_identity()};
        graze_solid_answer answer, swapped;
        assert_int_equal(graze_pair_containment(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_containment(NULL, &b, &a, NULL, &swapped), GRAZE_STATUS_OK);
        truth known = find_truth(&q->a, &q->b);
        assert_true(is_right(&answer, &known));
        assert_int_equal(answer.collide, q->collide);
        assert_int_equal(swapped.collide, q->collide);
        assert_int_equal(answer.containment, q->containment);
        graze_containment mirrored = q->containment == GRAZE_CONTAINMENT_A_IN_B   ? GRAZE_CONTAINMENT_B_IN_A
                                     : q->containment == GRAZE_CONTAINMENT_B_IN_A ? GRAZE_CONTAINMENT_A_IN_B
                                                                                  : q->containment;
        assert_int_equal(swapped.containment, mirrored);
        graze_mesh_destroy((graze_mesh *)a.mesh);
        graze_mesh_destroy((graze_mesh *)b.mesh);
    }
}

/* The inside of a body that is not oriented is where the number of crossings is odd: the same points here, where boxes
   do not overlap or are walls of cavities. */
static void bodies_that_are_not_oriented_get_the_same_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    {
        const question *q = &questions[i];
        if (q->b.count == MOST_BOXES) /* overlaps itself */
            continue;
        graze_placed_mesh a = {make_turned_body(&q->a), NULL, graze_pose_identity()};
        graze_placed_mesh b = {make_turned_body(&q->b), NULL, graze_pose_identity()};
        graze_solid_answer answer;
        assert_int_equal(graze_pair_containment(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.collide, q->collide);
        /* A body that touches the container from inside is surely contained only if the container is known to be
         * convex. */
        if (answer.containment != GRAZE_CONTAINMENT_UNKNOWN || q->containment == GRAZE_CONTAINMENT_NONE)
            assert_int_equal(answer.containment, q->containment);
        graze_mesh_destroy((graze_mesh *)a.mesh);
        graze_mesh_destroy((graze_mesh *)b.mesh);
    }
}

/* A bar whose ends are in the two arms of a U: no corner is outside, yet the U does not contain it. */
static void a_bar_from_arm_to_arm_is_not_contained(void **state)
{
    (void)state;
    static const double outline[] = {0, 0, 9, 0, 9, 9, 6, 9, 6, 3, 3, 3, 3, 9, 0, 9};
    static const uint32_t loop = 8;
    static test_mesh bar;
    mesh_add_box(&bar, (double[3]){1, 5, 1}, (double[3]){8, 6, 2}, false);
    graze_mesh *made = NULL;
    assert_int_equal(graze_mesh_create_extrusion(NULL, outline, &loop, 1, 3.0, NULL, &made), GRAZE_STATUS_OK);
    graze_placed_mesh u = {.mesh = made, .pose = graze_pose_identity()};
    graze_placed_mesh placed_bar = {.mesh = mesh_create(&bar), .pose = graze_pose_identity()};
    test_random random = test_random_start("a bar in a U", 61);
    for (int k = 0; k < 20; k++)
    {
        graze_solid_answer answer;
        assert_int_equal(graze_pair_containment(NULL, &placed_bar, &u, NULL, &answer), GRAZE_STATUS_OK);
        assert_true(answer.collide);
        assert_int_equal(answer.containment, GRAZE_CONTAINMENT_NONE);
        assert_int_equal(graze_pair_containment(NULL, &u, &placed_bar, NULL, &answer), GRAZE_STATUS_OK);
        assert_true(answer.collide);
        assert_int_equal(answer.containment, GRAZE_CONTAINMENT_NONE);
        u.pose = placed_bar.pose = random_rotation(&random);
    }
    graze_mesh_destroy((graze_mesh *)u.mesh);
    graze_mesh_destroy((graze_mesh *)placed_bar.mesh);
}

static void containment_in_an_open_mesh_is_unknown(void **state)
{
    (void)state;
    static test_mesh open, small;
    mesh_add_cube(&open, 0, 0, 0, 9);
    open.triangle_count--;
    mesh_add_cube(&small, 1, 1, 1, 1);
    graze_placed_mesh a = {.mesh = mesh_create(&open), .pose = graze_pose_identity()},
                      b = {.mesh = mesh_create(&small), .pose = graze_pose_identity()};
    graze_solid_answer answer;
    assert_int_equal(graze_pair_containment(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_OK);
    assert_false(answer.collide);
    assert_int_equal(answer.containment, GRAZE_CONTAINMENT_UNKNOWN);
    for (int axis = 0; axis < 3; axis++) /* but a mesh outside its AABB is not contained */
    {
        b.pose = graze_pose_translation(axis == 0 ? 20 : 0, axis == 1 ? 20 : 0, axis == 2 ? 20 : 0);
        assert_int_equal(graze_pair_containment(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.containment, GRAZE_CONTAINMENT_NONE);
    }
    graze_mesh_destroy((graze_mesh *)a.mesh);
    graze_mesh_destroy((graze_mesh *)b.mesh);
}

/* Two triangles of which only the first lies in the AABB of an open mesh, and one that crosses a plate in it. */
static void what_leaves_or_crosses_an_open_mesh_is_not_contained(void **state)
{
    (void)state;
    test_mesh open = {.vertex_count = 0}, pieces = {.vertex_count = 0}, crossing = {.vertex_count = 0};
    mesh_add_cube(&open, 0, 0, 0, 9);
    open.triangle_count--;
    mesh_add_triangle(&open, mesh_add_vertex(&open, 2, 2, 4), mesh_add_vertex(&open, 7, 2, 4),
                      mesh_add_vertex(&open, 4, 7, 4));
    for (int i = 0; i < 2; i++)
    {
        int x = 1 + 20 * i;
        mesh_add_triangle(&pieces, mesh_add_vertex(&pieces, x, 1, 1), mesh_add_vertex(&pieces, x + 1, 1, 1),
                          mesh_add_vertex(&pieces, x, 2, 1));
    }
    mesh_add_triangle(&crossing, mesh_add_vertex(&crossing, 4, 3, 3), mesh_add_vertex(&crossing, 4, 3, 5),
                      mesh_add_vertex(&crossing, 5, 3, 5));
    graze_placed_mesh b = {mesh_create(&open), NULL, graze_pose_identity()};
    for (int i = 0; i < 2; i++)
    {
        graze_placed_mesh a = {mesh_create(i == 0 ? &pieces : &crossing), NULL, graze_pose_identity()};
        graze_pair_counts counts;
        graze_solid_answer answer;
        assert_int_equal(graze_pair_count(NULL, &a, &b, NULL, &counts), GRAZE_STATUS_OK);
        assert_int_equal(counts.crossing > 0, i == 1);
        assert_int_equal(graze_pair_containment(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.containment, GRAZE_CONTAINMENT_NONE);
        graze_mesh_destroy((graze_mesh *)a.mesh);
    }
    graze_mesh_destroy((graze_mesh *)b.mesh);
}

/* An allocation that fails once: the answer is refused, or right. */
static void one_failed_allocation_makes_no_answer_wrong(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    {
        graze_placed_mesh a = {.mesh = make_body(&questions[i].a), .pose = graze_pose_identity()};
        graze_placed_mesh b = {.mesh = make_body(&questions[i].b), .pose = graze_pose_identity()};
        bool failed = true;
        for (size_t allowed = 0; failed; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed, .once = true};
            graze_context context = failing_allocator_context(&allocator);
            graze_solid_answer answer = {false, GRAZE_CONTAINMENT_UNKNOWN};
            graze_status status = graze_pair_containment(&context, &a, &b, NULL, &answer);
            assert_int_equal(allocator.live, 0);
            assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
            assert_true(status != GRAZE_STATUS_OK || answer.containment == questions[i].containment);
            failed = allocator.requests > allowed;
            failures += status != GRAZE_STATUS_OK;
        }
        graze_mesh_destroy((graze_mesh *)a.mesh);
        graze_mesh_destroy((graze_mesh *)b.mesh);
    }
    printf("%zu failures\n", failures);
    assert_true(failures > 50);
}

/* What is refused before anything was done has no statistics. */
static void refused_questions_leave_the_statistics_alone(void **state)
{
    (void)state;
    graze_placed_mesh a = {.mesh = make_body(&questions[1].a), .pose = graze_pose_identity()}, b = a;
    graze_stats stats = {.box_tests = 77};
    graze_pair_options options = graze_pair_options_default();
    graze_solid_answer answer;
    options.stats = &stats;
    assert_int_equal(graze_pair_containment(NULL, &a, NULL, &options, &answer), GRAZE_STATUS_BAD_ARGUMENT);
    b.pose.m[5] = NAN;
    assert_int_equal(graze_pair_containment(NULL, &a, &b, &options, &answer), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(stats.box_tests, 77);
    graze_mesh_destroy((graze_mesh *)a.mesh);
}

/* A surface that bounds no body is contained when all of it is: even a single triangle. */
static void a_triangle_in_a_body_is_contained(void **state)
{
    (void)state;
    test_mesh cube = {.vertex_count = 0}, triangle = {.vertex_count = 0}, nothing = {.vertex_count = 0};
    mesh_add_cube(&cube, 0, 0, 0, 9);
    mesh_add_triangle(&triangle, mesh_add_vertex(&triangle, 1, 1, 1), mesh_add_vertex(&triangle, 8, 1, 1),
                      mesh_add_vertex(&triangle, 1, 8, 2));
    const double heights[4] = {0, -1, 8, 20}; /* inside, on the floor, through the lid, above */
    const graze_containment expected[4] = {GRAZE_CONTAINMENT_A_IN_B, GRAZE_CONTAINMENT_A_IN_B, GRAZE_CONTAINMENT_NONE,
                                           GRAZE_CONTAINMENT_NONE};
    graze_placed_mesh a = {.mesh = mesh_create(&triangle)}, b = {mesh_create(&cube), NULL, graze_pose_identity()};
    graze_placed_mesh none = {mesh_create(&nothing), NULL, graze_pose_identity()};
    graze_solid_answer answer;
    for (int i = 0; i < 4; i++)
    {
        a.pose = graze_pose_translation(0, 0, heights[i]);
        assert_int_equal(graze_pair_containment(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.collide, i < 3);
        assert_int_equal(answer.containment, expected[i]);
    }
    assert_int_equal(graze_pair_containment(NULL, &none, &b, NULL, &answer), GRAZE_STATUS_OK);
    assert_false(answer.collide);
    assert_int_equal(answer.containment, GRAZE_CONTAINMENT_NONE);
    graze_mesh_destroy((graze_mesh *)a.mesh);
    graze_mesh_destroy((graze_mesh *)b.mesh);
    graze_mesh_destroy((graze_mesh *)none.mesh);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    graze_placed_mesh a = {.mesh = make_body(&questions[3].a), .pose = graze_pose_identity()};
    graze_placed_mesh b = {.mesh = make_body(&questions[3].b), .pose = graze_pose_identity()};
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_solid_answer answer = {false, GRAZE_CONTAINMENT_UNKNOWN};
        graze_status status = graze_pair_containment(&context, &a, &b, NULL, &answer);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        assert_int_equal(answer.containment, GRAZE_CONTAINMENT_UNKNOWN);
        assert_true(allowed < 1000);
    }
    graze_mesh_destroy((graze_mesh *)a.mesh);
    graze_mesh_destroy((graze_mesh *)b.mesh);
}

/* A face without area has no edges, wherever it lies: the cube bounds a body all the same. */
static void a_face_without_area_leaves_a_body_closed(void **state)
{
    (void)state;
    graze_mesh *cube, *small, *flawed;
    assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 2, 1, &cube), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &small), GRAZE_STATUS_OK);
    uint32_t corners[3 * 13];
    assert_int_equal(graze_mesh_triangle_count(cube), 12);
    memcpy(corners, graze_mesh_triangles(cube), 36 * sizeof corners[0]);
    corners[36] = corners[37] = 0;
    corners[38] = corners[1] != 0 ? corners[1] : corners[2];
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = graze_mesh_vertices(cube);
    def.vertex_count = graze_mesh_vertex_count(cube);
    def.corners = corners;
    def.corner_count = 39;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &flawed), GRAZE_STATUS_OK);
    graze_mesh_facts facts;
    assert_int_equal(graze_mesh_examine(NULL, flawed, NULL, NULL, &facts), GRAZE_STATUS_OK);
    assert_true(facts.closed);
    graze_placed_mesh outer = {flawed, NULL, graze_pose_identity()}, inner = {small, NULL, graze_pose_identity()};
    graze_solid_answer answer;
    assert_int_equal(graze_pair_containment(NULL, &outer, &inner, NULL, &answer), GRAZE_STATUS_OK);
    assert_int_equal(answer.containment, GRAZE_CONTAINMENT_B_IN_A);
    graze_mesh_destroy(cube);
    graze_mesh_destroy(small);
    graze_mesh_destroy(flawed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_positions_get_the_known_answers),
        cmocka_unit_test(bodies_that_are_not_oriented_get_the_same_answers),
        cmocka_unit_test(bodies_of_boxes_are_never_judged_wrongly),
        cmocka_unit_test(a_bar_from_arm_to_arm_is_not_contained),
        cmocka_unit_test(containment_in_an_open_mesh_is_unknown),
        cmocka_unit_test(a_face_without_area_leaves_a_body_closed),
        cmocka_unit_test(what_leaves_or_crosses_an_open_mesh_is_not_contained),
        cmocka_unit_test(one_failed_allocation_makes_no_answer_wrong),
        cmocka_unit_test(refused_questions_leave_the_statistics_alone),
        cmocka_unit_test(a_triangle_in_a_body_is_contained),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
