/* SPDX-License-Identifier: MIT */
/*
 * Triangles near a box by a tree, against a look at every triangle: the same set, each once, also where a side of the
 * box is that of a triangle, or the next double beside it.
 */
#include "tool_path/near_triangles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST = 300,
    MESHES = TEST_ROUNDS(60),
    BOXES = 60
};

typedef struct soup
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_box boxes[MOST]; /* of its triangles */
    int count;
} soup;

static soup make_soup(test_random *random, int count, double size, const double origin[3])
{
    static double vertices[9 * MOST];
    static uint32_t corners[3 * MOST];
    soup s = {.count = count};
    graze_mesh_def def = graze_mesh_def_default();
    for (int i = 0; i < count; i++)
    {
        double at[3];
        for (int axis = 0; axis < 3; axis++)
        {
            at[axis] = random_between(random, -40, 40);
            s.boxes[i].lower[axis] = INFINITY;
            s.boxes[i].upper[axis] = -INFINITY;
        }
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++)
            {
                double x = origin[axis] + size * (at[axis] + random_between(random, -3, 3));
                vertices[9 * i + 3 * k + axis] = x;
                s.boxes[i].lower[axis] = fmin(s.boxes[i].lower[axis], x);
                s.boxes[i].upper[axis] = fmax(s.boxes[i].upper[axis], x);
            }
        for (int k = 0; k < 3; k++)
            corners[3 * i + k] = (uint32_t)(3 * i + k);
    }
    def.vertices = vertices;
    def.vertex_count = 3 * (size_t)count;
    def.corners = corners;
    def.corner_count = 3 * (size_t)count;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &s.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, s.mesh, NULL, NULL, &s.tree), GRAZE_STATUS_OK);
    return s;
}

static void release_soup(soup *s)
{
    graze_tree_destroy(s->tree);
    graze_mesh_destroy(s->mesh);
}

typedef struct visit
{
    int times[MOST], calls, most; /* most: stops at this call */
} visit;

static bool note(void *user, uint32_t triangle)
{
    visit *v = user;
    v->times[triangle]++;
    return ++v->calls == v->most;
}

static bool overlap(const graze_box *a, const graze_box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] > b->upper[axis] || a->upper[axis] < b->lower[axis])
            return false;
    return true;
}

/* A box whose sides are those of two triangles, of one coordinate or beside it. */
static graze_box random_box(test_random *random, const soup *s)
{
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        const graze_box *a = &s->boxes[random_below(random, s->count)], *b = &s->boxes[random_below(random, s->count)];
        double x = random_once_in(random, 2) ? a->upper[axis] : a->lower[axis];
        double y = random_once_in(random, 2) ? b->lower[axis] : b->upper[axis];
        x = random_once_in(random, 3) ? nextafter(x, random_once_in(random, 2) ? INFINITY : -INFINITY) : x;
        y = random_once_in(random, 3) ? nextafter(y, random_once_in(random, 2) ? INFINITY : -INFINITY) : y;
        box.lower[axis] = fmin(x, y);
        box.upper[axis] = random_once_in(random, 3) ? box.lower[axis] : fmax(x, y);
    }
    if (random_once_in(random, 8))
        box.upper[random_below(random, 3)] = INFINITY;
    return box;
}

static void the_triangles_near_a_box_are_those_whose_boxes_overlap_it(void **state)
{
    (void)state;
    test_random random = test_random_start("the_triangles_near_a_box_are_those_whose_boxes_overlap_it", 1515);
    static const double sizes[] = {1, 0.1, 0x1p-40, 1e6, 1e306}; /* meshes of the last size are scaled */
    int near = 0, beside = 0, stopped = 0;
    for (int round = 0; round < MESHES; round++)
    {
        double size = sizes[round % 5], origin[3];
        for (int axis = 0; axis < 3; axis++)
            origin[axis] = round % 5 == 4 ? 0 : size * random_between(&random, -1000, 1000);
        soup s = make_soup(&random, 1 + random_below(&random, MOST), size, origin);
        for (int i = 0; i < BOXES; i++)
        {
            const graze_box box = random_box(&random, &s);
            visit with = {.most = -1}, without = {.most = -1};
            assert_false(grz_near_triangles(s.mesh, s.tree, &box, note, &with));
            assert_false(grz_near_triangles(s.mesh, NULL, &box, note, &without));
            for (int k = 0; k < s.count; k++)
            {
                assert_int_equal(with.times[k], overlap(&s.boxes[k], &box));
                assert_int_equal(without.times[k], overlap(&s.boxes[k], &box));
            }
            near += with.calls;
            beside += s.count - with.calls;
            if (with.calls == 0)
                continue;
            visit cut = {.most = 1 + random_below(&random, with.calls)};
            assert_true(grz_near_triangles(s.mesh, i % 2 == 0 ? s.tree : NULL, &box, note, &cut));
            assert_int_equal(cut.calls, cut.most);
            stopped++;
        }
        release_soup(&s);
    }
    printf("%d near, %d not; %d times stopped\n", near, beside, stopped);
    assert_true(near > 1000 && beside > 10000 && stopped > 100);
}

static void nothing_is_near_without_triangles(void **state)
{
    (void)state;
    test_random random = test_random_start("nothing_is_near_without_triangles", 1);
    const double origin[3] = {0, 0, 0};
    const graze_box all = {{-1, -1, -1}, {1, 1, 1}};
    soup s = make_soup(&random, 0, 1, origin);
    visit none = {.most = -1};
    assert_false(grz_near_triangles(s.mesh, s.tree, &all, note, &none));
    assert_false(grz_near_triangles(s.mesh, NULL, &all, note, &none));
    assert_int_equal(none.calls, 0);
    release_soup(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_triangles_near_a_box_are_those_whose_boxes_overlap_it),
        cmocka_unit_test(nothing_is_near_without_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
