/* SPDX-License-Identifier: MIT */
/*
 * Polytopes inside of the difference of two bodies: the certified radius is that of a ball inside of it, and nothing is
 * certified of surfaces that are open, turned inside out, or do not contain the origin.
 */
#include "convex/inner_polytope.h"

#include <math.h>
#include <stdio.h>

#include "support/curved_bodies.h"
#include "support/unit.h"

enum
{
    SEED = 1811
};

/* Two overlapping bodies; false where they do not overlap, or the difference is flat. */
static bool grown(test_random *random, test_body *a, test_body *b, grz_curved_pair *pair, grz_inner_polytope *p)
{
    double to[3];
    test_body_make(random, (test_body_kind)random_below(random, TEST_CURVED_KINDS), a);
    test_body_make(random, (test_body_kind)random_below(random, TEST_BODY_KINDS), b);
    for (int k = 0; k < 3; k++)
        to[k] = random_real(random, -0.5, 0.5);
    test_body_move(b, to);
    grz_curved_pair_make(&a->body, &b->body, 0, pair);
    grz_curved_simplex simplex;
    if (grz_curved_gjk(pair, false, &simplex) == GRZ_CURVED_APART || !grz_inner_polytope_start(p, pair, &simplex))
        return false;
    return grz_inner_polytope_grow(p, pair, INFINITY, 0x1p-30 * pair->size) == GRZ_INNER_DONE;
}

static int any_face(test_random *random, const grz_inner_polytope *p)
{
    int i = random_below(random, p->face_count);
    while (!p->faces[i].alive)
        i = (i + 1) % p->face_count;
    return i;
}

static void the_radius_is_that_of_a_ball_inside(void **state)
{
    (void)state;
    test_random random = test_random_start("radius of polytopes", SEED);
    size_t certified = 0;
    for (int round = 0; round < TEST_ROUNDS(300); round++)
    {
        test_body a, b;
        grz_curved_pair pair;
        grz_inner_polytope p;
        if (!grown(&random, &a, &b, &pair, &p))
            continue;
        double radius = grz_inner_polytope_radius(&p, &pair);
        certified += radius > 0;
        assert_true(radius <= p.upper);
        for (int i = 0; i < 200; i++) /* the support function of its vertices is nowhere less */
        {
            long double w[3], farthest = -INFINITY;
            reference_direction(&random, w);
            for (int v = 0; v < p.vertex_count; v++)
                farthest = fmaxl(farthest, w[0] * p.vertices[v].m.x.high + w[1] * p.vertices[v].m.y.high +
                                               w[2] * p.vertices[v].m.z.high);
            assert_true(farthest >= radius);
        }
    }
    assert_true(certified > 100 / (SUPPORT_SANITIZED ? 4 : 1));
}

static void surfaces_with_a_flaw_prove_nothing(void **state)
{
    (void)state;
    test_random random = test_random_start("flawed polytopes", SEED);
    size_t count = 0;
    for (int round = 0; round < TEST_ROUNDS(300); round++)
    {
        test_body a, b;
        grz_curved_pair pair;
        grz_inner_polytope p;
        if (!grown(&random, &a, &b, &pair, &p) || !(grz_inner_polytope_radius(&p, &pair) > 1e-6))
            continue;
        count++;
        int i = any_face(&random, &p);
        grz_inner_polytope flawed = p;
        flawed.faces[i].alive = false; /* open */
        assert_true(grz_inner_polytope_radius(&flawed, &pair) <= 0);
        flawed = p;
        flawed.faces[i].vertices[0] = p.faces[i].vertices[1]; /* torn */
        assert_true(grz_inner_polytope_radius(&flawed, &pair) <= 0);
        flawed = p; /* all of it reflected: normals are right, faces turn the other way */
        for (int v = 0; v < p.vertex_count; v++)
            flawed.vertices[v].m.x = dd_negate(p.vertices[v].m.x);
        for (int f = 0; f < p.face_count; f++)
            flawed.faces[f].normal.x = -p.faces[f].normal.x;
        assert_true(grz_inner_polytope_radius(&flawed, &pair) <= 0);
        flawed = p; /* the origin is outside */
        for (int v = 0; v < p.vertex_count; v++)
            flawed.vertices[v].m.x = dd_add(p.vertices[v].m.x, dd_make(100));
        assert_true(grz_inner_polytope_radius(&flawed, &pair) <= 0);
        flawed = p; /* a vector too short by far says less */
        flawed.faces[i].normal = v3_scale(0x1p-60, p.faces[i].normal);
        assert_true(grz_inner_polytope_radius(&flawed, &pair) < 0x1p-50);
    }
    assert_true(count > 100 / (SUPPORT_SANITIZED ? 4 : 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_radius_is_that_of_a_ball_inside),
        cmocka_unit_test(surfaces_with_a_flaw_prove_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
