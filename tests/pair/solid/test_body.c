/* SPDX-License-Identifier: MIT */
/* Shells of bodies: triangles connected by edges that two triangles share, against a flood fill. */
#include "pair/solid/body.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "graze/generate.h"
#include "support/unit.h"

enum
{
    SEED = 808,
    MOST_TRIANGLES = 64
};

/* Numbers shells in the order of their first triangles; returns how many there are. */
static uint32_t flood(const graze_body *body, uint32_t *shells)
{
    uint32_t count = (uint32_t)body->mesh->triangle_count, found = 0, queue[MOST_TRIANGLES];
    for (uint32_t t = 0; t < count; t++)
        shells[t] = UINT32_MAX;
    for (uint32_t first = 0; first < count; first++)
    {
        if (shells[first] != UINT32_MAX)
            continue;
        uint32_t waiting = 0;
        queue[waiting++] = first;
        shells[first] = found;
        for (uint32_t i = 0; i < waiting; i++)
            for (uint32_t k = 0; k < 3; k++)
            {
                uint32_t twin = body->adjacency.twins[3 * queue[i] + k];
                if (twin == GRAZE_NO_HALF_EDGE || shells[twin / 3] != UINT32_MAX)
                    continue;
                shells[twin / 3] = found;
                queue[waiting++] = twin / 3;
            }
        found++;
    }
    return found;
}

/* Few vertices, so that random triangles share edges; from one shell to as many as there are triangles. */
static void shells_are_those_of_a_flood_fill(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    unsigned one = 0, several = 0;
    for (int round = 0; round < 2000; round++)
    {
        double vertices[12][3];
        uint32_t triangles[MOST_TRIANGLES][3], expected[MOST_TRIANGLES];
        size_t vertex_count = 3 + grz_random_below(&random, 10), count = 1 + grz_random_below(&random, MOST_TRIANGLES);
        for (size_t v = 0; v < vertex_count; v++)
            for (int axis = 0; axis < 3; axis++)
                vertices[v][axis] = grz_random_between(&random, -1, 1);
        count = round % 3 == 0 ? 1 + count % 6 : count;
        for (size_t t = 0; t < count; t++)
            for (int k = 0; k < 3; k++)
                triangles[t][k] = (uint32_t)grz_random_below(&random, vertex_count);
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = vertex_count;
        def.corners = &triangles[0][0];
        def.corner_count = 3 * count;
        graze_mesh *mesh;
        graze_body *body;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
        assert_int_equal(graze_body_create(NULL, mesh, NULL, &body), GRAZE_STATUS_OK);
        assert_int_equal(body->shell_count, flood(body, expected));
        assert_memory_equal(body->shells, expected, count * sizeof *expected);
        one += body->shell_count == 1;
        several += body->shell_count > 1;
        graze_body_destroy(body);
        graze_mesh_destroy(mesh);
    }
    printf("%u of one shell, %u of several\n", one, several);
    assert_true(one > 50 && several > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shells_are_those_of_a_flood_fill)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
