/* SPDX-License-Identifier: MIT */
/*
 * Whether bodies overlap. Bodies grown from unit cells overlap when they share a cell; most of them touch in faces,
 * edges and corners, so nearly every case is singular. The library may answer UNKNOWN, which is counted, but never
 * contradict the reference.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/depth.h"
#include "graze/generate.h"
#include "pair/solid/overlap.h"
#include "support/bodies.h"
#include "support/failing_allocator.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 800,
    SIDE = 3,        /* cells along each axis that a body grows in */
    GRID = 3 * SIDE, /* and that two of them are compared in */
    POINTS = SIDE + 1
};

typedef struct cells
{
    bool filled[SIDE][SIDE][SIDE];
} cells;

static bool is_filled(const cells *body, const int at[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < 0 || at[axis] >= SIDE)
            return false;
    return body->filled[at[0]][at[1]][at[2]];
}

/* Whether two cells meet only along an edge that no other cell contains: such an edge has four triangles. */
static bool meets_at_edge(const cells *body)
{
    for (int i = 0; i < 3 * POINTS * POINTS * POINTS; i++)
    {
        int axis = i % 3, place = i / 3, filled = 0;
        for (int k = 0; k < 4; k++)
        {
            int at[3] = {place % POINTS, place / POINTS % POINTS, place / POINTS / POINTS};
            at[(axis + 1) % 3] -= k % 2;
            at[(axis + 2) % 3] -= k / 2;
            filled |= (int)is_filled(body, at) << k;
        }
        if (filled == 6 || filled == 9)
            return true;
    }
    return false;
}

/* Grows from a random cell, by cells next to those that are there. */
static cells grow_once(test_random *random, int size)
{
    cells body = {{{{false}}}};
    int count = 0;
    while (count < size)
    {
        int at[3] = {random_below(random, SIDE), random_below(random, SIDE), random_below(random, SIDE)};
        bool next_to = count == 0;
        for (int d = 0; d < 6; d++)
        {
            int neighbour[3] = {at[0], at[1], at[2]};
            neighbour[d / 2] += d % 2 == 0 ? 1 : -1;
            next_to = next_to || is_filled(&body, neighbour);
        }
        if (!next_to || is_filled(&body, at))
            continue;
        body.filled[at[0]][at[1]][at[2]] = true;
        count++;
    }
    return body;
}

static cells grow(test_random *random)
{
    cells body;
    do
        body = grow_once(random, 1 + random_below(random, SIDE * SIDE * SIDE / 2));
    while (meets_at_edge(&body));
    return body;
}

/* Its surface: two triangles for every cell face without a neighbour cell. */
static graze_mesh *make_body(const cells *body, bool inside_out)
{
    double vertices[POINTS * POINTS * POINTS][3];
    static uint32_t corners[SIDE * SIDE * SIDE * 36];
    size_t count = 0;
    for (uint32_t v = 0; v < POINTS * POINTS * POINTS; v++)
    {
        vertices[v][0] = v % POINTS;
        vertices[v][1] = v / POINTS % POINTS;
        vertices[v][2] = v / POINTS / POINTS;
    }
    for (int i = 0; i < SIDE * SIDE * SIDE * 6; i++)
    {
        int cell = i / 6, axis = i % 6 / 2, up = i % 2;
        int at[3] = {cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE}, behind[3] = {at[0], at[1], at[2]};
        behind[axis] += up != 0 ? 1 : -1;
        if (!is_filled(body, at) || is_filled(body, behind))
            continue;
        uint32_t quad[4];
        for (int k = 0; k < 4; k++)
        {
            int p[3] = {at[0], at[1], at[2]};
            p[axis] += up;
            p[(axis + 1) % 3] += k == 1 || k == 2;
            p[(axis + 2) % 3] += k >= 2;
            quad[k] = (uint32_t)(p[0] + POINTS * (p[1] + POINTS * p[2]));
        }
        bool turned = (up == 0) != inside_out;
        const int order[6] = {0, turned ? 2 : 1, turned ? 1 : 2, 0, turned ? 3 : 2, turned ? 2 : 3};
        for (int k = 0; k < 6; k++)
            corners[count++] = quad[order[k]];
    }
    return body_of_triangles(vertices, POINTS * POINTS * POINTS, corners, count / 3);
}

/* Turns and mirrors of the grid about its middle, then a translation by whole cells. */
static graze_pose grid_pose(test_random *random, int reach)
{
    graze_pose pose = {{0}};
    int first = random_below(random, 3), step = 1 + random_below(random, 2);
    for (int row = 0; row < 3; row++)
    {
        bool mirrored = random_once_in(random, 3);
        pose.m[4 * row + (first + step * row) % 3] = mirrored ? -1 : 1;
        pose.m[4 * row + 3] = (mirrored ? SIDE : 0) + random_between(random, -reach, reach);
    }
    return pose;
}

/* The cells of a placed body, as a set in a common grid. */
static void mark(const cells *body, const graze_pose *pose, bool *marks)
{
    for (int cell = 0; cell < SIDE * SIDE * SIDE; cell++)
    {
        const int at[3] = {cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE};
        if (!is_filled(body, at))
            continue;
        const double middle[3] = {at[0] + 0.5, at[1] + 0.5, at[2] + 0.5};
        double placed[3];
        graze_pose_apply(pose, middle, placed);
        int place = 0;
        for (int axis = 0; axis < 3; axis++)
            place = place * 2 * GRID + (int)floor(placed[axis]) + GRID;
        marks[place] = true;
    }
}

static bool share_a_cell(const cells *a, const graze_pose *pose_a, const cells *b, const graze_pose *pose_b)
{
    static bool marks[2][8 * GRID * GRID * GRID];
    memset(marks, 0, sizeof marks);
    mark(a, pose_a, marks[0]);
    mark(b, pose_b, marks[1]);
    for (size_t i = 0; i < sizeof marks[0]; i++)
        if (marks[0][i] && marks[1][i])
            return true;
    return false;
}

typedef struct tally
{
    size_t verdicts[2][3]; /* by truth */
    size_t touching;
} tally;

static void compare_cells(test_random *random, tally *seen)
{
    cells a = grow(random), b = grow(random);
    graze_mesh *mesh_a = make_body(&a, random_once_in(random, 8)), *mesh_b = make_body(&b, random_once_in(random, 8));
    graze_placed_mesh placed_a = {mesh_a, NULL, grid_pose(random, 1)}, placed_b = {mesh_b, NULL, grid_pose(random, 2)};
    bool truth = share_a_cell(&a, &placed_a.pose, &b, &placed_b.pose);
    graze_verdict verdict, swapped;
    assert_int_equal(graze_pair_overlap(NULL, &placed_a, &placed_b, NULL, &verdict), GRAZE_STATUS_OK);
    assert_int_equal(graze_pair_overlap(NULL, &placed_b, &placed_a, NULL, &swapped), GRAZE_STATUS_OK);
    assert_int_equal(verdict, swapped);
    assert_int_not_equal(verdict, truth ? GRAZE_VERDICT_NO : GRAZE_VERDICT_YES);
    graze_pair_counts counts;
    assert_int_equal(graze_pair_count(NULL, &placed_a, &placed_b, NULL, &counts), GRAZE_STATUS_OK);
    seen->verdicts[truth][verdict]++;
    seen->touching += counts.pairs > 0 && counts.crossing == 0;
    graze_mesh_destroy(mesh_a);
    graze_mesh_destroy(mesh_b);
}

static void bodies_of_cells_overlap_when_they_share_one(void **state)
{
    (void)state;
    test_random random = test_random_start("bodies_of_cells", 61);
    tally seen = {{{0}}, 0};
    for (int round = 0; round < ROUNDS; round++)
        compare_cells(&random, &seen);
    printf("apart: %zu no, %zu unknown; overlapping: %zu yes, %zu unknown; %zu touch\n",
           seen.verdicts[0][GRAZE_VERDICT_NO], seen.verdicts[0][GRAZE_VERDICT_UNKNOWN],
           seen.verdicts[1][GRAZE_VERDICT_YES], seen.verdicts[1][GRAZE_VERDICT_UNKNOWN], seen.touching);
    assert_true(seen.verdicts[0][GRAZE_VERDICT_NO] > ROUNDS / 4);
    assert_true(seen.verdicts[1][GRAZE_VERDICT_YES] > ROUNDS / 10);
    assert_true(seen.touching > ROUNDS / 4);
    /* UNKNOWN cases: bodies that touch themselves in a vertex, and triangles that touch in vertices only. */
    assert_true(20 * (seen.verdicts[0][GRAZE_VERDICT_UNKNOWN] + seen.verdicts[1][GRAZE_VERDICT_UNKNOWN]) <
                seen.verdicts[0][GRAZE_VERDICT_NO] + seen.verdicts[1][GRAZE_VERDICT_YES]);
}

/* What a body keeps of earlier answers changes none: the same bodies in several poses, mirrored and flattened too. */
static void bodies_that_keep_facts_give_the_same(void **state)
{
    (void)state;
    test_random random = test_random_start("kept_facts", 63);
    tally seen = {{{0}}, 0};
    for (int round = 0; round < ROUNDS / 8; round++)
    {
        cells shapes[2] = {grow(&random), grow(&random)};
        graze_mesh *meshes[2];
        graze_body *bodies[2];
        graze_overlap_options options = graze_overlap_options_default();
        for (int i = 0; i < 2; i++)
        {
            meshes[i] = make_body(&shapes[i], random_once_in(&random, 8));
            assert_int_equal(graze_body_create(NULL, meshes[i], NULL, &bodies[i]), GRAZE_STATUS_OK);
        }
        options.body_a = bodies[0];
        options.body_b = bodies[1];
        for (int n = 0; n < 8; n++)
        {
            graze_placed_mesh a = {meshes[0], NULL, grid_pose(&random, 1)},
                              b = {meshes[1], NULL, grid_pose(&random, 2)};
            bool truth = share_a_cell(&shapes[0], &a.pose, &shapes[1], &b.pose), flat = n % 4 == 3;
            for (int k = 0; k < 3 && flat; k++) /* onto a plane: such a body has no inside */
                b.pose.m[4 * (n / 4) + k] = 0;
            graze_verdict kept, fresh;
            assert_int_equal(graze_pair_overlap(NULL, &a, &b, &options, &kept), GRAZE_STATUS_OK);
            assert_int_equal(graze_pair_overlap(NULL, &a, &b, NULL, &fresh), GRAZE_STATUS_OK);
            assert_int_equal(kept, fresh);
            if (flat)
                continue;
            assert_int_not_equal(kept, truth ? GRAZE_VERDICT_NO : GRAZE_VERDICT_YES);
            seen.verdicts[truth][kept]++;
        }
        for (int i = 0; i < 2; i++)
        {
            graze_body_destroy(bodies[i]);
            graze_mesh_destroy(meshes[i]);
        }
    }
    assert_true(seen.verdicts[0][GRAZE_VERDICT_NO] > ROUNDS / 4 && seen.verdicts[1][GRAZE_VERDICT_YES] > ROUNDS / 10);
}

/* Two bodies, one of which moves by whole cells: with trees, with one, and with none. */
static void step_cells(test_random *random, int trees, tally *seen)
{
    cells bodies[2];
    graze_placed_mesh placed[2];
    graze_tree *made[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
    {
        bodies[i] = grow(random);
        placed[i] = (graze_placed_mesh){make_body(&bodies[i], random_once_in(random, 8)), NULL, grid_pose(random, 1)};
        if ((trees >> i & 1) != 0)
            assert_int_equal(graze_tree_create(NULL, placed[i].mesh, NULL, NULL, &made[i]), GRAZE_STATUS_OK);
        placed[i].tree = made[i];
    }
    grz_body_pair body_pair = {.context = NULL};
    for (int i = 0; i < 2; i++)
        assert_int_equal(grz_placed_body_make(NULL, &placed[i], NULL, NULL, &body_pair.sides[i]), GRAZE_STATUS_OK);
    for (int n = 0; n < 8; n++)
    {
        const double step[3] = {random_between(random, -1, 1), random_between(random, -1, 1),
                                random_between(random, -1, 1)};
        int mover = random_below(random, 2);
        graze_pose poses[2] = {placed[0].pose, placed[1].pose};
        for (int axis = 0; axis < 3; axis++)
            poses[mover].m[4 * axis + 3] += step[axis];
        bool truth = share_a_cell(&bodies[0], &poses[0], &bodies[1], &poses[1]), apart = truth;
        assert_int_equal(grz_disjoint_after(&body_pair, mover, step, &apart), GRAZE_STATUS_OK);
        assert_false(apart && truth);
        seen->verdicts[truth][apart ? GRAZE_VERDICT_NO : truth ? GRAZE_VERDICT_YES : GRAZE_VERDICT_UNKNOWN]++;
    }
    grz_body_pair_release(&body_pair);
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(made[i]);
        graze_mesh_destroy((graze_mesh *)placed[i].mesh);
    }
}

static void bodies_of_cells_are_apart_after_a_step_when_they_share_none(void **state)
{
    (void)state;
    test_random random = test_random_start("steps_of_cells", 62);
    tally seen = {{{0}}, 0};
    for (int round = 0; round < ROUNDS / 4; round++)
        step_cells(&random, round % 4, &seen);
    printf("apart: %zu no, %zu unknown; overlapping: %zu\n", seen.verdicts[0][GRAZE_VERDICT_NO],
           seen.verdicts[0][GRAZE_VERDICT_UNKNOWN], seen.verdicts[1][GRAZE_VERDICT_YES]);
    assert_true(seen.verdicts[0][GRAZE_VERDICT_NO] > ROUNDS / 4 && seen.verdicts[1][GRAZE_VERDICT_YES] > ROUNDS / 4);
    assert_true(20 * seen.verdicts[0][GRAZE_VERDICT_UNKNOWN] < seen.verdicts[0][GRAZE_VERDICT_NO]);
}

/* A plate with a round hole, and a pin with the same outline, `scale` times as thick. */
static void make_pin_and_plate(double scale, graze_mesh **out_pin, graze_mesh **out_plate)
{
    enum
    {
        CORNERS = 24
    };
    double plate[2 * (4 + CORNERS)] = {-4, -4, 4, -4, 4, 4, -4, 4}, pin[2 * CORNERS];
    const uint32_t sizes[2] = {4, CORNERS}, pin_size = CORNERS;
    for (int i = 0; i < CORNERS; i++)
    {
        double angle = i * (2 * 3.14159265358979323846 / CORNERS);
        plate[8 + 2 * i] = cos(angle);
        plate[9 + 2 * i] = sin(angle);
        pin[2 * i] = scale * cos(angle);
        pin[2 * i + 1] = scale * sin(angle);
    }
    assert_int_equal(graze_mesh_create_extrusion(NULL, plate, sizes, 2, 1, NULL, out_plate), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_extrusion(NULL, pin, &pin_size, 1, 4, NULL, out_pin), GRAZE_STATUS_OK);
}

static void a_pin_that_fits_its_hole_touches_it_all_around(void **state)
{
    (void)state;
    const double scales[3] = {1, 1.001, 0.999};
    const graze_verdict expected[3] = {GRAZE_VERDICT_NO, GRAZE_VERDICT_YES, GRAZE_VERDICT_NO};
    for (int i = 0; i < 3; i++)
    {
        graze_mesh *pin = NULL, *plate = NULL;
        make_pin_and_plate(scales[i], &pin, &plate);
        for (int k = 0; k < 4; k++) /* through, flush at the bottom, flush at the top, halfway in */
        {
            const double heights[4] = {-2, 0, -3, 0.5};
            graze_placed_mesh a = {pin, NULL, graze_pose_translation(0, 0, heights[k])};
            graze_placed_mesh b = {plate, NULL, graze_pose_identity()};
            graze_verdict verdict;
            assert_int_equal(graze_pair_overlap(NULL, &a, &b, NULL, &verdict), GRAZE_STATUS_OK);
            assert_int_equal(verdict, expected[i]);
            assert_int_equal(graze_pair_overlap(NULL, &b, &a, NULL, &verdict), GRAZE_STATUS_OK);
            assert_int_equal(verdict, expected[i]);
        }
        graze_mesh_destroy(pin);
        graze_mesh_destroy(plate);
    }
}

/* Bodies of boxes at given places. */
static graze_verdict overlap_of_boxes(const double (*a)[6], size_t a_count, const double (*b)[6], size_t b_count)
{
    static test_mesh meshes[2];
    graze_mesh *made[2];
    for (int i = 0; i < 2; i++)
    {
        const double(*boxes)[6] = i == 0 ? a : b;
        meshes[i].vertex_count = meshes[i].triangle_count = 0;
        for (size_t k = 0; k < (i == 0 ? a_count : b_count); k++)
            mesh_add_box(&meshes[i], boxes[k], boxes[k] + 3, false);
        made[i] = mesh_create(&meshes[i]);
    }
    graze_placed_mesh first = {made[0], NULL, graze_pose_identity()}, second = {made[1], NULL, graze_pose_identity()};
    graze_verdict verdict;
    assert_int_equal(graze_pair_overlap(NULL, &first, &second, NULL, &verdict), GRAZE_STATUS_OK);
    graze_mesh_destroy(made[0]);
    graze_mesh_destroy(made[1]);
    return verdict;
}

static void boxes_flush_with_one_another_overlap_or_not(void **state)
{
    (void)state;
    const double block[1][6] = {{0, 0, 0, 4, 4, 8}};
    const double coaxial[1][6] = {{0, 0, 6, 4, 4, 14}}, same[1][6] = {{0, 0, 0, 4, 4, 8}};
    const double in_corner[1][6] = {{0, 0, 0, 1, 2, 3}}, on_top[1][6] = {{1, 1, 8, 3, 3, 9}};
    const double around[2][6] = {{-2, 0, 0, 0, 4, 8}, {4, 0, 0, 6, 4, 8}}, inside[1][6] = {{1, 1, 1, 2, 2, 2}};
    const double reaching[2][6] = {{-2, 0, 0, 0, 4, 8}, {3, 0, 0, 6, 4, 8}};
    assert_int_equal(overlap_of_boxes(block, 1, coaxial, 1), GRAZE_VERDICT_YES);
    assert_int_equal(overlap_of_boxes(block, 1, same, 1), GRAZE_VERDICT_YES);
    assert_int_equal(overlap_of_boxes(block, 1, in_corner, 1), GRAZE_VERDICT_YES);
    assert_int_equal(overlap_of_boxes(block, 1, inside, 1), GRAZE_VERDICT_YES);
    assert_int_equal(overlap_of_boxes(block, 1, on_top, 1), GRAZE_VERDICT_NO);
    assert_int_equal(overlap_of_boxes(block, 1, around, 2), GRAZE_VERDICT_NO); /* no plane lies between them */
    assert_int_equal(overlap_of_boxes(block, 1, reaching, 2), GRAZE_VERDICT_YES);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    graze_mesh *pin = NULL, *plate = NULL;
    make_pin_and_plate(1, &pin, &plate);
    graze_placed_mesh a = {pin, NULL, graze_pose_identity()}, b = {plate, NULL, graze_pose_identity()};
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_verdict verdict = GRAZE_VERDICT_YES;
        graze_status status = graze_pair_overlap(&context, &a, &b, NULL, &verdict);
        assert_int_equal(allocator.live, 0);
        assert_int_equal(verdict, status == GRAZE_STATUS_OK ? GRAZE_VERDICT_NO : GRAZE_VERDICT_YES);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures > 20);
    for (size_t number = 0; number <= failures; number++) /* memory that is there again a moment later */
    {
        failing_allocator allocator = {.allowed = number, .once = true};
        graze_context context = failing_allocator_context(&allocator);
        graze_verdict verdict = GRAZE_VERDICT_NO;
        graze_status status = graze_pair_overlap(&context, &a, &b, NULL, &verdict);
        assert_int_equal(allocator.live, 0);
        assert_int_equal(verdict, GRAZE_VERDICT_NO);
        assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
        assert_int_equal(status == GRAZE_STATUS_OK, number == failures);
    }
    graze_mesh_destroy(pin);
    graze_mesh_destroy(plate);
}

/* A body without a tree that is moved around a smaller one needs boxes of its placed triangles to locate it: without
   memory for them the answer is a status. */
static void a_moved_container_without_memory_is_no_answer(void **state)
{
    (void)state;
    const double corners[2][2][3] = {{{-1, -1, -1}, {1, 1, 1}}, {{-3, -3, -3}, {3, 3, 3}}};
    const double step[3] = {0.5, 0, 0};
    graze_mesh *boxes[2] = {body_box(corners[0][0], corners[0][1]), body_box(corners[1][0], corners[1][1])};
    const graze_placed_mesh placed[2] = {{boxes[0], NULL, graze_pose_identity()},
                                         {boxes[1], NULL, graze_pose_identity()}};
    size_t failures = 0;
    for (size_t number = 0;; number++)
    {
        failing_allocator allocator = {.allowed = number, .once = true};
        graze_context context = failing_allocator_context(&allocator);
        grz_body_pair pair = {.context = &context};
        bool apart = true;
        for (int i = 0; i < 2; i++) /* with memory of their own: what follows is to fail */
            assert_int_equal(grz_placed_body_make(NULL, &placed[i], NULL, NULL, &pair.sides[i]), GRAZE_STATUS_OK);
        graze_status status = grz_disjoint_after(&pair, 1, step, &apart);
        for (int i = 0; i < 2; i++)
            grz_placed_body_release(NULL, &pair.sides[i]);
        grz_local_overlap_release(&pair);
        assert_int_equal(allocator.live, 0);
        assert_false(apart);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures > 0);
    graze_mesh_destroy(boxes[0]);
    graze_mesh_destroy(boxes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_of_cells_overlap_when_they_share_one),
        cmocka_unit_test(bodies_that_keep_facts_give_the_same),
        cmocka_unit_test(bodies_of_cells_are_apart_after_a_step_when_they_share_none),
        cmocka_unit_test(a_pin_that_fits_its_hole_touches_it_all_around),
        cmocka_unit_test(boxes_flush_with_one_another_overlap_or_not),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_moved_container_without_memory_is_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
