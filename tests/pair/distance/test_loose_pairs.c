/* SPDX-License-Identifier: MIT */
/*
 * Pairs that wait, against measuring each of them: the least distance is found in any order, with pairs that come
 * twice, and bounded from below; what is measured is the same; which pairs may wait, and which are dropped.
 */
#include "pair/distance/loose_pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/pair.h"
#include "pair/distance/wide_pair.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

enum
{
    SEED = 8128,
    ROUNDS = 60,
    MOST_PAIRS = 2000
};

#define GAP 0x1p-20

typedef struct pair_list
{
    grz_closest_pair pairs[MOST_PAIRS];
    size_t count, most; /* taking more stops */
} pair_list;

static bool take(void *user, const grz_closest_pair *gap)
{
    pair_list *list = user;
    assert_true(list->count < list->most);
    list->pairs[list->count++] = *gap;
    return list->count < list->most;
}

/* All pairs that may wait, in doubles. */
static void gather_pairs(const graze_placed_mesh *a, const graze_placed_mesh *b, grz_measure_frame *frame,
                         pair_list *out)
{
    grz_measure_frame_make(frame, NULL, a, b);
    uint32_t count_a = (uint32_t)graze_mesh_triangle_count(a->mesh),
             count_b = (uint32_t)graze_mesh_triangle_count(b->mesh);
    out->count = 0;
    for (uint32_t i = 0; i < count_a * count_b; i++)
    {
        grz_closest_pair gaps[GRZ_LANES];
        const grz_triangle_pair_batch batch = {.a = {i / count_b}, .b = {i % count_b}, .count = 1};
        grz_measure_pairs_in_doubles(frame, &batch, gaps);
        if (grz_pair_may_wait(frame, &gaps[0]))
            out->pairs[out->count++] = gaps[0];
    }
}

/* All pairs of two small boxes, one over the other, in doubles. */
static void make_pairs(grz_random *random, int round, const graze_mesh *mesh, grz_measure_frame *frame, pair_list *out)
{
    const double tilt[3] = {grz_random_between(random, -1, 1), 1, 0.3}, away[3] = {3 * tilt[0], 2, 1},
                 above[3] = {grz_random_between(random, -0.4, 0.4), 0.25, 1 + pow(10, -1 - round % 9)},
                 axis[3] = {round % 2 == 0 ? 0 : 1e-3, 0, 1};
    graze_placed_mesh a = {mesh, NULL, graze_pose_identity()}, b = {mesh, NULL, graze_pose_identity()};
    graze_pose relative;
    assert_int_equal(graze_pose_from_axis_angle(axis, round % 3 == 0 ? 0 : round, above, &relative), GRAZE_STATUS_OK);
    assert_int_equal(graze_pose_from_axis_angle(tilt, 0.7 * round, away, &a.pose), GRAZE_STATUS_OK);
    assert_int_equal(graze_pose_compose(&a.pose, &relative, &b.pose, NULL), GRAZE_STATUS_OK);
    gather_pairs(&a, &b, frame, out);
}

static void add_all(const pair_list *list, grz_loose_pairs *loose)
{
    for (size_t i = 0; i < list->count; i++)
        assert_true(grz_loose_pairs_add(loose, NULL, &list->pairs[i]));
}

static void shuffle(grz_random *random, pair_list *list)
{
    for (size_t i = list->count; i > 1; i--)
    {
        size_t k = grz_random_below(random, i);
        grz_closest_pair moved = list->pairs[i - 1];
        list->pairs[i - 1] = list->pairs[k];
        list->pairs[k] = moved;
    }
}

static void measure_alone(grz_measure_frame *frame, grz_closest_pair *gap)
{
    if (!grz_measure_widely(frame, gap, NULL))
        grz_measure_exactly(frame, gap);
}

static void check_taken(grz_measure_frame *frame, const pair_list *all, const pair_list *taken, double most)
{
    for (size_t i = 0; i < taken->count; i++)
    {
        const grz_closest_pair *t = &taken->pairs[i];
        bool found = false;
        for (size_t k = 0; k < all->count && !found; k++)
        {
            grz_closest_pair alone = all->pairs[k];
            found = alone.triangle_a == t->triangle_a && alone.triangle_b == t->triangle_b;
            if (!found)
                continue;
            assert_true(alone.lower <= most);
            measure_alone(frame, &alone);
            bool same = alone.lower == t->lower && alone.upper == t->upper && alone.distance == t->distance;
            assert_true(same || i == 0); /* the first may have been measured together with others */
            assert_true(t->lower <= alone.upper && t->upper >= alone.lower && t->lower <= t->distance);
            assert_true(t->distance <= t->upper && t->upper - t->lower <= 0x1p-35 * t->upper);
        }
        assert_true(found);
        for (size_t k = 0; k < i; k++)
            assert_true(taken->pairs[k].triangle_a != t->triangle_a || taken->pairs[k].triangle_b != t->triangle_b);
    }
}

static void the_least_distance_is_found_in_any_order(void **state)
{
    (void)state;
    static pair_list all, taken, again;
    grz_random random = grz_random_make(SEED);
    size_t pairs = 0, near = 0, measured = 0;
    graze_mesh *mesh;
    printf("seed %d\n", SEED);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_measure_frame frame;
        grz_closest_pair least = {.lower = INFINITY, .upper = INFINITY};
        grz_loose_pairs loose = grz_loose_pairs_none(), shuffled = grz_loose_pairs_none();
        make_pairs(&random, round, mesh, &frame, &all);
        for (size_t i = 0; i < all.count; i++)
        {
            grz_closest_pair alone = all.pairs[i];
            measure_alone(&frame, &alone);
            least = alone.upper < least.upper ? alone : least;
        }
        add_all(&all, &loose);
        shuffle(&random, &all);
        add_all(&all, &shuffled);
        shuffle(&random, &all);
        add_all(&all, &shuffled); /* each twice */
        assert_true(loose.upper == shuffled.upper && loose.distance == shuffled.distance);
        double most = round % 4 == 0 ? INFINITY : loose.upper;
        for (size_t i = 0; i < all.count; i++)
        {
            assert_true(loose.upper <= all.pairs[i].upper && loose.distance <= all.pairs[i].distance);
            near += all.pairs[i].lower <= most;
        }
        taken.count = again.count = 0;
        taken.most = again.most = MOST_PAIRS;
        double lower = grz_loose_pairs_settle(&loose, &frame, most, take, &taken, NULL);
        double same = grz_loose_pairs_settle(&shuffled, &frame, most, take, &again, NULL);
        assert_true(loose.pairs.count == 0 && shuffled.pairs.count == 0 && lower == same);
        assert_true(taken.count == again.count && taken.count > 0);
        assert_memory_equal(taken.pairs, again.pairs, taken.count * sizeof *taken.pairs);
        check_taken(&frame, &all, &taken, most);
        double first = INFINITY, least_first = INFINITY; /* the first is one of the nearest of those that may be */
        for (size_t i = 0; i < all.count; i++)
        {
            const grz_closest_pair *pair = &all.pairs[i], *taken_first = &taken.pairs[0];
            if (pair->lower <= most)
                least_first = fmin(least_first, pair->distance);
            if (pair->triangle_a == taken_first->triangle_a && pair->triangle_b == taken_first->triangle_b)
                first = pair->distance;
        }
        assert_true(first <= least_first + 2 * frame.point_error);
        double nearest = INFINITY, bound = INFINITY;
        for (size_t i = 0; i < taken.count; i++)
        {
            nearest = fmin(nearest, taken.pairs[i].upper);
            bound = fmin(bound, taken.pairs[i].lower);
        }
        assert_true(nearest >= least.lower && nearest <= least.upper * (1 + 0x1p-34));
        assert_true(lower <= least.upper && lower >= bound * (1 - 0x1p-35) && lower <= bound);
        pairs += all.count;
        measured += taken.count;
        grz_loose_pairs_release(&loose, NULL);
        grz_loose_pairs_release(&shuffled, NULL);
    }
    printf("%zu pairs, %zu may be the nearest, %zu measured\n", pairs, near, measured);
    assert_true(measured < near / 4); /* planes settle the others */
    graze_mesh_destroy(mesh);
}

/* Two boxes in one mesh. */
static graze_mesh *make_boxes(const double first[3], const double second[3])
{
    enum
    {
        MOST = 64
    };
    graze_mesh *box, *both;
    graze_mesh_def def = graze_mesh_def_default();
    double vertices[MOST][3];
    uint32_t triangles[MOST][3];
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    size_t vertex_count = graze_mesh_vertex_count(box), count = graze_mesh_triangle_count(box);
    assert_true(2 * vertex_count <= MOST && 2 * count <= MOST);
    for (size_t i = 0; i < 2 * vertex_count; i++)
        for (size_t k = 0; k < 3; k++)
            vertices[i][k] =
                graze_mesh_vertices(box)[3 * (i % vertex_count) + k] + (i < vertex_count ? first : second)[k];
    for (size_t i = 0; i < 2 * count; i++)
        for (size_t k = 0; k < 3; k++)
            triangles[i][k] = graze_mesh_triangles(box)[3 * (i % count) + k] + (uint32_t)(i / count * vertex_count);
    def.vertices = vertices[0];
    def.vertex_count = 2 * vertex_count;
    def.corners = triangles[0];
    def.corner_count = 6 * count;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &both), GRAZE_STATUS_OK);
    graze_mesh_destroy(box);
    return both;
}

/* Settles the near pairs alone, and with the far ones; returns how many were measured. */
static size_t settle_both(grz_measure_frame *frame, pair_list *all, size_t *out_near, size_t *out_far)
{
    static pair_list taken, again;
    grz_loose_pairs near = grz_loose_pairs_none(), more = grz_loose_pairs_none();
    double least = INFINITY;
    for (size_t i = 0; i < all->count; i++)
        least = fmin(least, all->pairs[i].distance);
    for (size_t i = 0; i < all->count; i++)
    {
        grz_closest_pair *pair = &all->pairs[i];
        if (pair->distance <= least + 2 * frame->point_error)
            assert_true(grz_loose_pairs_add(&near, NULL, pair));
        else
            pair->lower = 0; /* by their bounds they would come first */
        assert_true(grz_loose_pairs_add(&more, NULL, pair));
    }
    *out_near = near.pairs.count;
    taken.count = again.count = 0;
    taken.most = again.most = MOST_PAIRS;
    grz_loose_pairs_settle(&near, frame, INFINITY, take, &taken, NULL);
    grz_loose_pairs_settle(&more, frame, INFINITY, take, &again, NULL);
    assert_true(taken.count > 0 && taken.count <= again.count);
    assert_memory_equal(taken.pairs, again.pairs, taken.count * sizeof *taken.pairs);
    *out_far = again.count - taken.count;
    grz_loose_pairs_release(&near, NULL);
    grz_loose_pairs_release(&more, NULL);
    return taken.count;
}

/* Pairs farther than the nearest by more than twice the error of points are seen by some searches only: those that are
   nearer are measured first, and as without the others. Boxes are one above the
   other, and one beside another, at the same distance or not. */
static void far_pairs_change_nothing_of_what_is_measured_before(void **state)
{
    (void)state;
    static pair_list all;
    static const double middle[3] = {0, 0, 0}, beside[3] = {10, 0, 0}, near_it[3] = {10.75 + GAP, 0, -1 - GAP},
                        far_from_it[3] = {11, 0, -1};
    const graze_pose above = graze_pose_translation(0.25, 0.125, 1 + GAP);
    grz_random random = grz_random_make(SEED);
    size_t together = 0, several = 0, far = 0;
    graze_mesh *boxes = make_boxes(middle, beside),
               *others[2] = {make_boxes(middle, near_it), make_boxes(middle, far_from_it)};
    for (int round = 0; round < ROUNDS; round++)
    {
        const double axis[3] = {grz_random_between(&random, -1, 1), 1, 0.3}, away[3] = {round, 2, 1};
        graze_placed_mesh a = {boxes, NULL, graze_pose_identity()},
                          b = {others[round % 2], NULL, graze_pose_identity()};
        grz_measure_frame frame;
        size_t near, beyond;
        assert_int_equal(graze_pose_from_axis_angle(axis, 0.7 * round + 0.1, away, &a.pose), GRAZE_STATUS_OK);
        assert_int_equal(graze_pose_compose(&a.pose, &above, &b.pose, NULL), GRAZE_STATUS_OK);
        gather_pairs(&a, &b, &frame, &all);
        size_t measured = settle_both(&frame, &all, &near, &beyond);
        together += near > 1 && near <= GRZ_PAIRS_TOGETHER && all.count > GRZ_PAIRS_TOGETHER;
        several += measured > 1;
        far += beyond;
    }
    printf("%zu rounds measured together, %zu with several; %zu far pairs\n", together, several, far);
    assert_true(together > 10 && several > 10 && far > 20);
    graze_mesh_destroy(boxes);
    for (int i = 0; i < 2; i++)
        graze_mesh_destroy(others[i]);
}

static void taking_may_stop_and_pairs_beyond_are_not_taken(void **state)
{
    (void)state;
    static pair_list all, taken;
    grz_random random = grz_random_make(SEED);
    grz_measure_frame frame;
    grz_loose_pairs loose = grz_loose_pairs_none(), shuffled = grz_loose_pairs_none();
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
    make_pairs(&random, 1, mesh, &frame, &all);
    taken.most = 0;
    assert_true(grz_loose_pairs_settle(&loose, &frame, INFINITY, take, &taken, NULL) == INFINITY);
    add_all(&all, &loose);
    assert_true(grz_loose_pairs_settle(&loose, &frame, 0, take, &taken, NULL) == INFINITY); /* none is that near */
    assert_true(loose.pairs.count == 0);
    add_all(&all, &loose);
    shuffle(&random, &all);
    add_all(&all, &shuffled);
    add_all(&all, &shuffled);
    taken.most = 1;
    assert_true(grz_loose_pairs_settle(&loose, &frame, INFINITY, take, &taken, NULL) == taken.pairs[0].lower);
    taken.count = 0;
    assert_true(grz_loose_pairs_settle(&shuffled, &frame, INFINITY, take, &taken, NULL) == taken.pairs[0].lower);
    assert_int_equal(taken.count, 1);
    assert_int_equal(loose.pairs.count, all.count - 1);
    assert_int_equal(shuffled.pairs.count, all.count - 1); /* each once, in the same order */
    assert_memory_equal(loose.pairs.data, shuffled.pairs.data, loose.pairs.count * sizeof *loose.pairs.data);
    grz_loose_pairs_release(&shuffled, NULL);
    grz_loose_pairs_release(&loose, NULL);
    graze_mesh_destroy(mesh);
}

/* Pairs whose lower bounds are above the least upper one leave room for others, and only they. */
static void far_pairs_are_dropped_when_there_are_many(void **state)
{
    (void)state;
    grz_loose_pairs loose = grz_loose_pairs_none();
    for (uint32_t i = 0; i < 100000; i++)
    {
        double at = 100000 - i;
        const grz_closest_pair gap = {.triangle_a = i, .lower = at, .upper = at + 0.5, .distance = at + 0.25};
        assert_true(grz_loose_pairs_add(&loose, NULL, &gap));
        assert_true(loose.upper == at + 0.5 && loose.distance == at + 0.25);
        assert_true(loose.pairs.count <= 2 * 256 && loose.pairs.data[loose.pairs.count - 1].triangle_a == i);
    }
    grz_loose_pairs_release(&loose, NULL);
    loose = grz_loose_pairs_none();
    for (uint32_t i = 0; i < MOST_PAIRS; i++) /* as near as the nearest may be */
    {
        const grz_closest_pair gap = {.triangle_a = i, .lower = i == 0 ? 1 : 2, .upper = 2, .distance = 2};
        assert_true(grz_loose_pairs_add(&loose, NULL, &gap));
    }
    assert_int_equal(loose.pairs.count, MOST_PAIRS);
    for (uint32_t i = 0; i < MOST_PAIRS; i++)
        assert_int_equal(loose.pairs.data[i].triangle_a, i);
    grz_loose_pairs_release(&loose, NULL);
}

static void pairs_wait_whose_points_are_known_and_which_likely_do_not_meet(void **state)
{
    (void)state;
    const grz_measure_frame frame = {.usable = true, .point_error = 0x1p-50};
    const grz_measure_frame useless = {.point_error = 0x1p-50};
    const double distances[6] = {0x1p-48, 0x1p-47, 0x1p-25, 0x1p-24, 0, 1};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 4; k++)
        {
            const grz_closest_pair gap = {.distance = distances[i], .shifted = k % 2 == 1, .open = k / 2 == 1};
            bool likely = i == 1 || i == 2;
            assert_true(grz_pair_may_wait(&frame, &gap) == (gap.shifted && (!gap.open || likely)));
            assert_false(grz_pair_may_wait(&useless, &gap));
        }
}

static void running_out_of_memory_is_told(void **state)
{
    (void)state;
    const grz_closest_pair gap = {.lower = 1, .upper = 2, .distance = 1.5};
    failing_allocator allocator = {.allowed = 1};
    graze_context context = failing_allocator_context(&allocator);
    grz_loose_pairs loose = grz_loose_pairs_none();
    size_t added = 0;
    while (grz_loose_pairs_add(&loose, &context, &gap))
        added++;
    assert_true(added > 0 && added == loose.pairs.count);
    grz_loose_pairs_release(&loose, &context);
    assert_int_equal(allocator.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_distance_is_found_in_any_order),
        cmocka_unit_test(far_pairs_change_nothing_of_what_is_measured_before),
        cmocka_unit_test(taking_may_stop_and_pairs_beyond_are_not_taken),
        cmocka_unit_test(far_pairs_are_dropped_when_there_are_many),
        cmocka_unit_test(pairs_wait_whose_points_are_known_and_which_likely_do_not_meet),
        cmocka_unit_test(running_out_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
