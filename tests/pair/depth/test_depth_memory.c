/* SPDX-License-Identifier: MIT */
/* The caches of a depth search change no answer: the last witness of trial translations, and located points. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "graze/distance.h"
#include "graze/generate.h"
#include "pair/depth/penetration_work.h"
#include "support/meshes.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 5521,
    SHAPES = 4
};

typedef struct fixture
{
    graze_mesh *meshes[SHAPES];
    graze_tree *trees[SHAPES];
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.4, 30, 20, &f->meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 5, &f->meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 2, 1, 2, &f->meshes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_cylinder(NULL, 0.5, 2, 24, 3, &f->meshes[3]), GRAZE_STATUS_OK);
    for (int i = 0; i < SHAPES; i++)
        assert_int_equal(graze_tree_create(NULL, f->meshes[i], NULL, NULL, &f->trees[i]), GRAZE_STATUS_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < SHAPES; i++)
    {
        graze_tree_destroy(f->trees[i]);
        graze_mesh_destroy(f->meshes[i]);
    }
    free(f);
    return 0;
}

/* At a random pose, or not rotated and on a grid, so that faces touch. */
static graze_placed_mesh place(const fixture *f, grz_random *random, bool grid)
{
    uint32_t shape = grid ? 2 : (uint32_t)grz_random_below(random, SHAPES);
    graze_placed_mesh placed = {f->meshes[shape], f->trees[shape], graze_pose_identity()};
    double quaternion[4] = {1, 0, 0, 0}, at[3];
    for (int k = 0; k < 4 && !grid; k++)
        quaternion[k] = grz_random_between(random, -1, 1);
    for (int k = 0; k < 3; k++)
        at[k] = grid ? 0.25 * (double)grz_random_below(random, 5) : grz_random_between(random, -0.7, 0.7);
    assert_int_equal(graze_pose_from_quaternion(quaternion, at, &placed.pose), GRAZE_STATUS_OK);
    return placed;
}

static void start(grz_body_pair *body_pair, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    *body_pair = (grz_body_pair){.context = NULL};
    assert_int_equal(grz_placed_body_make(NULL, a, NULL, NULL, &body_pair->sides[0]), GRAZE_STATUS_OK);
    assert_int_equal(grz_placed_body_make(NULL, b, NULL, NULL, &body_pair->sides[1]), GRAZE_STATUS_OK);
}

/* The next trial translation: close to the last one in three of four cases, as in a search. */
static void next_step(grz_random *random, bool grid, bool close, double step[3])
{
    for (int k = 0; k < 3; k++)
    {
        double anew = grid ? 0.25 * ((double)grz_random_below(random, 13) - 6) : grz_random_between(random, -2, 2);
        double nudge =
            grid ? 0.25 * ((double)grz_random_below(random, 3) - 1) : grz_random_between(random, -0.02, 0.02);
        step[k] = close ? step[k] + nudge : anew;
    }
}

static void cached_witnesses_change_no_answer(void **state)
{
    const fixture *f = *state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    size_t apart_count = 0, tries = 0;
    uint64_t spared = 0;
    for (int round = 0; round < 60; round++)
    {
        bool grid = round % 3 == 0;
        graze_placed_mesh a = place(f, &random, grid), b = place(f, &random, grid);
        double step[3] = {0, 0, 0};
        grz_body_pair remembering;
        start(&remembering, &a, &b);
        for (int i = 0; i < 40; i++, tries++)
        {
            int mover = (int)grz_random_below(&random, 2);
            next_step(&random, grid, i % 4 != 0, step);
            grz_body_pair fresh;
            bool expected, found;
            start(&fresh, &a, &b);
            assert_int_equal(grz_disjoint_after(&fresh, mover, step, &expected), GRAZE_STATUS_OK);
            assert_int_equal(grz_disjoint_after(&remembering, mover, step, &found), GRAZE_STATUS_OK);
            assert_int_equal(found, expected);
            apart_count += found;
            grz_body_pair_release(&fresh);
        }
        spared += remembering.cache.answered_by_witness + remembering.cache.answered_by_gap;
        grz_body_pair_release(&remembering);
    }
    printf("%zu of %zu apart, %llu known before\n", apart_count, tries, (unsigned long long)spared);
    assert_true(apart_count > tries / 8 && apart_count < tries - tries / 8 && spared > 50);
}

enum
{
    MOST_BOXES = 3,
    BOX_SPACE = 12, /* between the places of boxes of one body */
    BOX_ROUNDS = 200
};

typedef struct box_set
{
    int count, at[MOST_BOXES][6]; /* lower corner, upper corner */
} box_set;

static int draw(grz_random *random, int least, int most)
{
    return least + (int)grz_random_below(random, (uint64_t)(most - least + 1));
}

static box_set draw_boxes(grz_random *random)
{
    box_set b = {.count = draw(random, 1, MOST_BOXES)};
    for (int i = 0; i < b.count; i++)
    {
        bool large = draw(random, 0, 1) != 0;
        for (int axis = 0; axis < 3; axis++)
        {
            b.at[i][axis] = (axis == 0 ? BOX_SPACE * i : 0) + (large ? 0 : draw(random, 0, 5));
            b.at[i][3 + axis] = b.at[i][axis] + (large ? 8 : draw(random, 1, 3));
        }
    }
    return b;
}

/* Whether the interiors share a point after B has moved. */
static bool boxes_overlap(const box_set *a, const box_set *b, const int step[3])
{
    for (int i = 0; i < a->count * b->count; i++)
    {
        const int *p = a->at[i % a->count], *q = b->at[i / a->count];
        int shared = 0;
        for (int axis = 0; axis < 3; axis++)
            shared += p[axis] < q[axis + 3] + step[axis] && q[axis] + step[axis] < p[axis + 3];
        if (shared == 3)
            return true;
    }
    return false;
}

static graze_mesh *make_boxes(const box_set *b)
{
    test_mesh mesh = {.vertex_count = 0};
    for (int i = 0; i < b->count; i++)
    {
        const int *at = b->at[i];
        const double lower[3] = {at[0], at[1], at[2]}, upper[3] = {at[3], at[4], at[5]};
        mesh_add_box(&mesh, lower, upper, false);
    }
    return mesh_create(&mesh);
}

typedef struct box_tally
{
    size_t apart, overlap, held; /* held: in one another, and touching nowhere */
} box_tally;

static void step_boxes(grz_random *random, const box_set sets[2], grz_body_pair *body_pair, box_tally *seen)
{
    int mover = draw(random, 0, 1), of_b[3];
    double step[3];
    graze_placed_mesh moved[2] = {*body_pair->sides[0].placed, *body_pair->sides[1].placed};
    for (int axis = 0; axis < 3; axis++)
    {
        int by = draw(random, -3, 3) + (axis == 0 ? BOX_SPACE * draw(random, -1, 1) : 0);
        of_b[axis] = mover == 1 ? by : -by;
        step[axis] = by;
        moved[mover].pose.m[4 * axis + 3] += step[axis];
    }
    bool truth = boxes_overlap(&sets[0], &sets[1], of_b), apart = truth, met;
    assert_int_equal(grz_disjoint_after(body_pair, mover, step, &apart), GRAZE_STATUS_OK);
    assert_int_equal(apart, !truth);
    assert_int_equal(graze_pair_any(NULL, &moved[0], &moved[1], NULL, &met, NULL), GRAZE_STATUS_OK);
    seen->apart += apart;
    seen->overlap += truth;
    seen->held += truth && !met;
}

/* If a box lies in another and the surfaces are disjoint, a ray decides, or a component that exceeds the hull. */
static void boxes_are_apart_after_a_step_when_none_is_in_another(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 3);
    box_tally seen = {0, 0, 0};
    for (int round = 0; round < BOX_ROUNDS; round++)
    {
        box_set sets[2] = {draw_boxes(&random), draw_boxes(&random)};
        graze_placed_mesh placed[2];
        graze_tree *trees[2] = {NULL, NULL};
        for (int i = 0; i < 2; i++)
        {
            placed[i] = (graze_placed_mesh){make_boxes(&sets[i]), NULL, graze_pose_translation(7, 9, -300)};
            if ((round >> i & 1) != 0)
                assert_int_equal(graze_tree_create(NULL, placed[i].mesh, NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
            placed[i].tree = trees[i];
        }
        grz_body_pair body_pair;
        start(&body_pair, &placed[0], &placed[1]);
        for (int n = 0; n < 8; n++)
            step_boxes(&random, sets, &body_pair, &seen);
        grz_body_pair_release(&body_pair);
        for (int i = 0; i < 2; i++)
        {
            graze_tree_destroy(trees[i]);
            graze_mesh_destroy((graze_mesh *)placed[i].mesh);
        }
    }
    printf("%zu apart, %zu overlap, %zu of them without touching\n", seen.apart, seen.overlap, seen.held);
    assert_true(seen.apart > BOX_ROUNDS && seen.overlap > BOX_ROUNDS && seen.held > BOX_ROUNDS / 4);
}

/* Lower bound of the distance of a point to a mesh. */
static double distance_of(const graze_placed_mesh *placed, const double point[3])
{
    static const double origin[3] = {0, 0, 0};
    static const uint32_t corners[3] = {0, 0, 0};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = origin;
    def.vertex_count = 1;
    def.corners = corners;
    def.corner_count = 3;
    graze_placed_mesh probe = {.pose = graze_pose_translation(point[0], point[1], point[2])};
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    probe.mesh = mesh;
    graze_distance distance;
    assert_int_equal(graze_pair_distance(NULL, &probe, placed, NULL, &distance), GRAZE_STATUS_OK);
    graze_mesh_destroy(mesh);
    return distance.lower;
}

static void cached_locations_equal_those_of_rays(void **state)
{
    const fixture *f = *state;
    grz_random random = grz_random_make(SEED + 1);
    size_t told = 0, inside_count = 0, asked = 0;
    for (int round = 0; round < 20; round++)
    {
        graze_placed_mesh placed = place(f, &random, false);
        grz_placed_body side;
        grz_located_points known = {.count = 0};
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &side), GRAZE_STATUS_OK);
        grz_body_view body = grz_placed_body_view(&side);
        for (int i = 0; i < 200; i++)
        {
            double point[3];
            for (int k = 0; k < 3; k++)
                point[k] = grz_random_between(&random, -1.5, 1.5);
            double distance = distance_of(&placed, point);
            bool inside = grz_locate_point(&body, point, NULL) == GRAZE_LOCATION_INSIDE, guess;
            if (grz_located_points_classify(&known, point, distance, &guess))
            {
                assert_int_equal(guess, inside);
                told++;
                inside_count += inside;
            }
            else
                grz_located_points_add(&known, point, distance, inside);
            asked++;
        }
        grz_placed_body_release(NULL, &side);
    }
    printf("%zu of %zu told, %zu of them inside\n", told, asked, inside_count);
    assert_true(told > asked / 4 && inside_count > 50);
}

/* A point on the sphere is not decided, one inside is; a full cache drops the oldest point. */
static void a_point_on_the_sphere_is_not_located_by_the_cache(void **state)
{
    (void)state;
    grz_located_points known = {.count = 0};
    const double centre[3] = {1, 2, 3}, end[3] = {1, 2, 4}, within[3] = {1, 2, 3.875};
    bool inside = false;
    assert_false(grz_located_points_classify(&known, centre, INFINITY, &inside));
    grz_located_points_add(&known, centre, 1, true);
    assert_false(grz_located_points_classify(&known, end, 0.5, &inside));
    assert_false(inside);
    assert_true(grz_located_points_classify(&known, within, 0.125, &inside));
    assert_true(inside);
    for (int i = 0; i < GRZ_MOST_LOCATED_POINTS; i++)
        grz_located_points_add(&known, end, 0.0625, false);
    assert_false(grz_located_points_classify(&known, within, 0.0625, &inside)); /* the first point was dropped */
}

/* Compares every placed corner exactly with the hull and with its component's extent. */
static void hulls_hold_all_corners_and_extents_are_reached(void **state)
{
    (void)state;
    placed_shapes *shapes = placed_shapes_create();
    grz_random random = grz_random_make(SEED + 2);
    size_t ends = 0;
    for (unsigned round = 0; round < 10 * POSE_KINDS; round++)
    {
        graze_pose poses[2];
        placed_poses(&random, round % POSE_KINDS, &poses[0], &poses[1]);
        graze_placed_mesh placed = {shapes->meshes[round % PLACED_SHAPES], NULL, poses[round / POSE_KINDS % 2]};
        grz_placed_body side;
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &side), GRAZE_STATUS_OK);
        const graze_body *body = side.body;
        for (size_t c = 0; c < body->adjacency.component_count; c++)
        {
            bool reached[3][2] = {{false}};
            for (uint32_t v = 0; v < placed.mesh->vertex_count; v++)
            {
                if (body->adjacency.components[body->adjacency.merged[v]] != c)
                    continue;
                const graze_placed_point corner = {grz_mesh_vertex(placed.mesh, v), &placed.pose};
                for (int axis = 0; axis < 3; axis++)
                {
                    double lower[3] = {0}, upper[3] = {0}, least[3] = {0}, most[3] = {0};
                    lower[axis] = side.hull.axes[axis].lower;
                    upper[axis] = side.hull.axes[axis].upper;
                    least[axis] = side.extents[c].lower[axis];
                    most[axis] = side.extents[c].upper[axis];
                    const graze_placed_point hull[2] = {{lower, NULL}, {upper, NULL}};
                    const graze_placed_point extent[2] = {{least, NULL}, {most, NULL}};
                    assert_true(graze_point_compare_placed(&corner, &hull[0], axis) >= 0);
                    assert_true(graze_point_compare_placed(&corner, &hull[1], axis) <= 0);
                    reached[axis][0] = reached[axis][0] || graze_point_compare_placed(&corner, &extent[0], axis) <= 0;
                    reached[axis][1] = reached[axis][1] || graze_point_compare_placed(&corner, &extent[1], axis) >= 0;
                }
            }
            for (int axis = 0; axis < 3; axis++, ends += 2)
                assert_true(reached[axis][0] && reached[axis][1]);
        }
        grz_placed_body_release(NULL, &side);
    }
    placed_shapes_destroy(shapes);
    printf("%zu ends\n", ends);
    assert_true(ends > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cached_witnesses_change_no_answer),
        cmocka_unit_test(boxes_are_apart_after_a_step_when_none_is_in_another),
        cmocka_unit_test(cached_locations_equal_those_of_rays),
        cmocka_unit_test(a_point_on_the_sphere_is_not_located_by_the_cache),
        cmocka_unit_test(hulls_hold_all_corners_and_extents_are_reached),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
