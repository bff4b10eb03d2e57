/* SPDX-License-Identifier: MIT */
/*
 * Local overlap at one contact. Bodies are sectors of a prism around the z axis, which is one of their edges or lies in
 * a face; near it they overlap when their arcs of directions do, which integers decide.
 */
#include <stdio.h>
#include <string.h>

#include "graze/depth.h"
#include "pair/solid/overlap.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    DIRECTIONS = 16,
    ROUNDS = 600
};

/* The corners of a strictly convex polygon, counter-clockwise; each has its opposite. */
static const int ring[DIRECTIONS][2] = {{13, 0},  {12, 5},  {9, 9},   {5, 12},   {0, 13},  {-5, 12},
                                        {-9, 9},  {-12, 5}, {-13, 0}, {-12, -5}, {-9, -9}, {-5, -12},
                                        {0, -13}, {5, -12}, {9, -9},  {12, -5}};

/* From one direction counter-clockwise through the given number of steps, 1 to 15; between the given heights. */
typedef struct sector
{
    int first, count, size, lower, upper;
    bool through_face; /* a sector of half a turn, without a corner on the axis */
    bool has_sliver;   /* a triangle without area along the axis */
} sector;

static bool is_half(const sector *s)
{
    return s->count == DIRECTIONS / 2;
}

static sector draw_sector(test_random *random)
{
    sector s = {.first = random_below(random, DIRECTIONS),
                .count = random_between(random, 1, DIRECTIONS - 1),
                .size = random_between(random, 1, 3),
                .lower = 2 * random_between(random, -2, 0),
                .upper = 2 * random_between(random, 1, 3)};
    if (random_once_in(random, 3))
        s.count = DIRECTIONS / 2;
    s.through_face = is_half(&s) && random_once_in(random, 2);
    return s;
}

static bool is_in_sector(const sector *s, int direction)
{
    return (direction - s->first + DIRECTIONS) % DIRECTIONS < s->count;
}

static bool sectors_overlap(const sector *a, const sector *b)
{
    return is_in_sector(a, b->first) || is_in_sector(b, a->first);
}

static void add_turned(test_mesh *mesh, bool inward, uint32_t a, uint32_t b, uint32_t c)
{
    mesh_add_triangle(mesh, a, inward ? c : b, inward ? b : c);
}

/* Corners 2 i and 2 i + 1 are those of the outline, below and above. The first triangle, or the last but one, is next
   to the sliver, if there is one. */
static graze_mesh *make_sector(const sector *s, bool inward)
{
    test_mesh mesh = {.vertex_count = 0};
    int size = s->size;
    for (int i = s->through_face ? 0 : -1; i <= s->count; i++)
    {
        const int *at = ring[(s->first + (i > 0 ? i : 0)) % DIRECTIONS];
        double x = i < 0 ? 0 : size * at[0], y = i < 0 ? 0 : size * at[1];
        mesh_add_vertex(&mesh, x, y, s->lower);
        mesh_add_vertex(&mesh, x, y, s->upper);
    }
    uint32_t count = (uint32_t)mesh.vertex_count / 2;
    for (uint32_t i = 0; i < count; i++)
    {
        uint32_t next = (i + 1) % count;
        if (i + 1 < count || !s->has_sliver)
            add_turned(&mesh, inward, 2 * i + 1, 2 * i, 2 * next + 1);
        else /* the last side ends at the axis, which has one corner more there */
        {
            uint32_t middle = mesh_add_vertex(&mesh, 0, 0, s->upper - 1);
            add_turned(&mesh, inward, 2 * i + 1, 2 * i, middle);
            add_turned(&mesh, inward, 2 * i + 1, middle, 1);
            add_turned(&mesh, inward, 2 * i, 0, middle);
            add_turned(&mesh, inward, 0, 1, middle);
            continue;
        }
        add_turned(&mesh, inward, 2 * i, 2 * next, 2 * next + 1);
    }
    for (uint32_t i = 1; i + 1 < count; i++)
    {
        add_turned(&mesh, inward, 0, 2 * i + 2, 2 * i);
        add_turned(&mesh, inward, 1, 2 * i + 1, 2 * i + 3);
    }
    return mesh_create(&mesh);
}

/* Two sectors in one frame, and that frame in the world. */
typedef struct scene
{
    graze_placed_mesh plain[2], placed[2];
    grz_body_pair body_pair;
    grz_hits hits;
} scene;

static void start_scene(scene *s, const sector sectors[2], const graze_pose *pose, const bool inward[2])
{
    *s = (scene){.body_pair = {.context = NULL}};
    for (int i = 0; i < 2; i++)
    {
        s->plain[i] = (graze_placed_mesh){make_sector(&sectors[i], inward[i]), NULL, graze_pose_identity()};
        s->placed[i] = (graze_placed_mesh){s->plain[i].mesh, NULL, *pose};
        assert_int_equal(grz_placed_body_make(NULL, &s->placed[i], NULL, NULL, &s->body_pair.sides[i]),
                         GRAZE_STATUS_OK);
        assert_true(s->body_pair.sides[i].body->adjacency.closed && s->body_pair.sides[i].body->adjacency.oriented);
    }
    assert_int_equal(grz_local_overlap_prepare(&s->body_pair), GRAZE_STATUS_OK);
    assert_int_equal(grz_hits_gather(NULL, &s->placed[0], &s->placed[1], NULL, &s->hits), GRAZE_STATUS_OK);
}

static void end_scene(scene *s)
{
    grz_body_pair_release(&s->body_pair);
    grz_release(NULL, s->hits.data);
    for (int i = 0; i < 2; i++)
        graze_mesh_destroy((graze_mesh *)s->plain[i].mesh);
}

/* Whether two triangles share a segment of the axis and nothing else. */
static bool is_on_axis(const scene *s, const graze_hit *hit)
{
    graze_intersection shared;
    if (hit->contact.crossing || hit->contact.dimension != 1)
        return false;
    assert_int_equal(graze_hit_intersection(&s->plain[0], &s->plain[1], hit, &shared), GRAZE_STATUS_OK);
    for (int i = 0; i < shared.count; i++)
        if (shared.points[i][0] != 0 || shared.points[i][1] != 0)
            return false;
    return true;
}

static graze_verdict local_overlap_at(scene *s, const graze_hit *hit)
{
    grz_placed_pair placement = {.body_pair = &s->body_pair, .placed = {s->placed[0], s->placed[1]}};
    return grz_local_overlap_at(&placement, hit);
}

static const graze_pose frames[4] = {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}},
                                     {{0, 0, 1, 3, 1, 0, 0, 5, 0, 1, 0, -7}},
                                     {{-2, 1, 0, 3, 0, 1, 1, 0, 0, 0, 1, 0}},
                                     {{3, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0}}};

static void sectors_overlap_around_an_edge_when_their_arcs_do(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 71);
    size_t yes = 0, no = 0, in_faces = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        const sector sectors[2] = {draw_sector(&random), draw_sector(&random)};
        const bool inward[2] = {random_once_in(&random, 3), random_once_in(&random, 3)};
        bool overlap = sectors_overlap(&sectors[0], &sectors[1]);
        graze_verdict expected = overlap ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO, given;
        scene s;
        start_scene(&s, sectors, &frames[round % 4], inward);
        for (size_t i = 0; i < s.hits.count; i++)
        {
            bool on_axis = is_on_axis(&s, &s.hits.data[i]);
            graze_verdict here = local_overlap_at(&s, &s.hits.data[i]);
            if (on_axis && !(sectors[0].through_face && sectors[1].through_face))
            {
                assert_int_equal(here, expected);
                yes += overlap;
                no += !overlap;
                in_faces += sectors[0].through_face || sectors[1].through_face;
            }
            else if (!s.hits.data[i].contact.crossing && !overlap)
                assert_int_not_equal(here, GRAZE_VERDICT_YES);
        }
        assert_int_equal(graze_pair_overlap(NULL, &s.placed[0], &s.placed[1], NULL, &given), GRAZE_STATUS_OK);
        assert_int_equal(given, expected);
        end_scene(&s);
    }
    printf("%zu overlap, %zu do not; %zu of them along faces\n", yes, no, in_faces);
    assert_true(yes > ROUNDS && no > ROUNDS / 4 && in_faces > ROUNDS / 4);
}

/* A triangle without area has all corners on the line and defines no half-plane. */
static void next_to_a_sliver_the_overlap_is_unknown(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 72);
    size_t asked = 0;
    for (int round = 0; round < ROUNDS / 4; round++)
    {
        sector sectors[2] = {draw_sector(&random), draw_sector(&random)};
        const bool inward[2] = {random_once_in(&random, 2), random_once_in(&random, 2)};
        int which = round % 2;
        sectors[which].through_face = sectors[1 - which].through_face = false;
        sectors[which].has_sliver = true;
        scene s;
        start_scene(&s, sectors, &frames[round / 2 % 4], inward);
        for (size_t i = 0; i < s.hits.count; i++)
        {
            const graze_hit *hit = &s.hits.data[i];
            uint32_t triangle = which == 0 ? hit->triangle_a : hit->triangle_b;
            if (triangle > 1 || !is_on_axis(&s, hit)) /* the first side's triangles, whose edge is the sliver's */
                continue;
            assert_int_equal(local_overlap_at(&s, hit), GRAZE_VERDICT_UNKNOWN);
            asked++;
        }
        end_scene(&s);
    }
    printf("%zu asked\n", asked);
    assert_true(asked > ROUNDS / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_overlap_around_an_edge_when_their_arcs_do),
        cmocka_unit_test(next_to_a_sliver_the_overlap_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
