/* SPDX-License-Identifier: MIT */
/*
 * Where the triangles of one body lie in another, by flood fill, against the location of every corner and the hits of
 * every triangle.
 */
#include "pair/depth/located_triangles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/mesh_query.h"
#include "pair/depth/penetration_work.h"
#include "support/bodies.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 1911,
    STRIP = 200,
    FEW_SETS = 32 /* connected sets, all of which are located */
};

static bool is_hit(const grz_hits *hits, int owner, uint32_t triangle)
{
    for (size_t i = 0; i < hits->count; i++)
        if ((owner == 0 ? hits->data[i].triangle_a : hits->data[i].triangle_b) == triangle)
            return true;
    return false;
}

/* The number of connected sets of triangles that are not met. Sets are spread over edges until nothing changes. */
static size_t count_sets(const grz_body_pair *pair, int owner, const uint8_t *locations, uint32_t *sets)
{
    const uint32_t *twins = pair->sides[owner].body->adjacency.twins;
    size_t count = pair->sides[owner].placed->mesh->triangle_count, set_count = 0;
    for (uint32_t t = 0; t < count; t++)
        sets[t] = t;
    for (bool changed = true; changed;)
    {
        changed = false;
        for (size_t h = 0; h < 3 * count; h++)
        {
            size_t t = h / 3, other = twins[h] == GRAZE_NO_HALF_EDGE ? t : twins[h] / 3;
            if (locations[t] == GRZ_TRIANGLE_MET || locations[other] == GRZ_TRIANGLE_MET || sets[t] == sets[other])
                continue;
            sets[t] = sets[other] = sets[t] < sets[other] ? sets[t] : sets[other];
            changed = true;
        }
    }
    for (uint32_t t = 0; t < count; t++)
        set_count += sets[t] == t && locations[t] != GRZ_TRIANGLE_MET;
    return set_count;
}

static graze_location location_of(const grz_body_pair *pair, int owner, uint32_t triangle, size_t k)
{
    const graze_placed_mesh *own = pair->sides[owner].placed;
    grz_body_view other = grz_placed_body_view(&pair->sides[1 - owner]);
    return grz_locate_point(&other, grz_triangle_corner(own->mesh, triangle, k), &own->pose);
}

static void locations_equal_those_of_corners(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    placed_shapes *shapes = placed_shapes_create();
    size_t counts[4] = {0, 0, 0, 0}, few_count = 0;
    for (int round = 0; round < 40; round++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES - 1), j = grz_random_below(&random, PLACED_SHAPES - 1);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][0], placed_pose(&random, 0.5)};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][1], placed_pose(&random, 0.5)};
        grz_pair_hits hits;
        assert_int_equal(grz_pair_hits_make(NULL, &a, &b, NULL, NULL, NULL, &hits), GRAZE_STATUS_OK);
        for (int owner = 0; owner < 2; owner++)
        {
            size_t count = graze_mesh_triangle_count(hits.body_pair.sides[owner].placed->mesh);
            uint8_t *locations = malloc(count);
            assert_non_null(locations);
            assert_int_equal(grz_locate_triangles(&hits.body_pair, &hits.hits, owner, locations), GRAZE_STATUS_OK);
            for (uint32_t t = (uint32_t)(round % 7); t < count; t += 7)
            {
                counts[locations[t]]++;
                assert_int_equal(locations[t] == GRZ_TRIANGLE_MET, is_hit(&hits.hits, owner, t));
                for (size_t k = 0; k < 3 && locations[t] != GRZ_TRIANGLE_MET && locations[t] != GRZ_TRIANGLE_UNKNOWN;
                     k++)
                    assert_int_equal(location_of(&hits.body_pair, owner, t, k), locations[t] == GRZ_TRIANGLE_INSIDE
                                                                                    ? GRAZE_LOCATION_INSIDE
                                                                                    : GRAZE_LOCATION_OUTSIDE);
            }
            uint32_t *sets = malloc(count * sizeof *sets);
            assert_non_null(sets);
            bool few = count_sets(&hits.body_pair, owner, locations, sets) <= FEW_SETS;
            for (size_t t = 0; t < count && few; t++)
                assert_true(locations[t] != GRZ_TRIANGLE_UNKNOWN);
            few_count += few;
            free(sets);
            free(locations);
        }
        grz_pair_hits_release(&hits);
    }
    placed_shapes_destroy(shapes);
    printf("%zu outside, %zu inside, %zu met\n", counts[GRZ_TRIANGLE_OUTSIDE], counts[GRZ_TRIANGLE_INSIDE],
           counts[GRZ_TRIANGLE_MET]);
    assert_true(counts[GRZ_TRIANGLE_OUTSIDE] > 1000 && counts[GRZ_TRIANGLE_INSIDE] > 100 &&
                counts[GRZ_TRIANGLE_MET] > 100 && few_count > 40);
}

/* A strip of triangles that share edges of any number with the next one is one connected set. */
static void a_long_strip_is_one_set(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, STRIP, 10, 10};
    graze_mesh *box = body_box(block, block + 3);
    double vertices[STRIP + 2][3];
    for (uint32_t i = 0; i < STRIP + 2; i++)
        memcpy(vertices[i], (const double[3]){0.5 + 0.5 * i, 4 + i % 2, 5}, sizeof vertices[i]);
    for (uint32_t turn = 0; turn < 6; turn++)
    {
        uint32_t corners[3 * STRIP];
        uint8_t locations[STRIP];
        for (uint32_t i = 0; i < 3 * STRIP; i++)
            corners[i] = (turn < 3 ? i / 3 : STRIP - 1 - i / 3) + (i + turn) % 3;
        graze_mesh *strip = body_of_triangles(vertices, STRIP + 2, corners, STRIP);
        for (int outside = 0; outside < 2; outside++)
        {
            graze_placed_mesh a = {box, NULL, graze_pose_identity()};
            graze_placed_mesh b = {strip, NULL, graze_pose_translation(0, outside != 0 ? 20 : 0.5, 0)};
            grz_pair_hits hits;
            assert_int_equal(grz_pair_hits_make(NULL, &a, &b, NULL, NULL, NULL, &hits), GRAZE_STATUS_OK);
            int owner = hits.body_pair.sides[0].placed == &b ? 0 : 1;
            assert_int_equal(grz_locate_triangles(&hits.body_pair, &hits.hits, owner, locations), GRAZE_STATUS_OK);
            for (int t = 0; t < STRIP; t++)
                assert_int_equal(locations[t], outside != 0 ? GRZ_TRIANGLE_OUTSIDE : GRZ_TRIANGLE_INSIDE);
            grz_pair_hits_release(&hits);
        }
        graze_mesh_destroy(strip);
    }
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locations_equal_those_of_corners),
        cmocka_unit_test(a_long_strip_is_one_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
