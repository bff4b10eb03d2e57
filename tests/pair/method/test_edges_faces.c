/* SPDX-License-Identifier: MIT */
/* Edges against faces with polygons as faces, and its checks: they change the cost, and only in biased variants the
 * answer. */
#include <string.h>

#include "graze/generate.h"
#include "graze/graze.h"
#include "pair/method/method.h"
#include "pair/method/surface_edges.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST_HITS = 4096
};

static graze_hit expected[MOST_HITS], found[MOST_HITS];

/* A box of integers whose faces are quadrangles, with a square hole through it along z: 8 quadrangles and two faces
   with a hole. With `bent` a corner is moved off the planes of its faces. */
static graze_mesh *make_frame(bool bent)
{
    static const double rings[2][4][2] = {{{-4, -4}, {4, -4}, {4, 4}, {-4, 4}}, {{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}};
    static const uint32_t sizes[12] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    static const uint32_t loops[10] = {2, 2, 1, 1, 1, 1, 1, 1, 1, 1};
    double vertices[16][3];
    uint32_t corners[48], count = 0;
    for (uint32_t top = 0; top < 2; top++)
        for (uint32_t ring = 0; ring < 2; ring++)
            for (uint32_t i = 0; i < 4; i++)
            {
                double *v = vertices[8 * top + 4 * ring + i];
                v[0] = rings[ring][i][0];
                v[1] = rings[ring][i][1];
                v[2] = top == 1 ? 1 : -1;
            }
    if (bent)
        vertices[0][2] = -6;
    for (uint32_t top = 0; top < 2; top++) /* seen from outside: the outer loop to the left, the hole to the right */
        for (uint32_t ring = 0; ring < 2; ring++)
            for (uint32_t i = 0; i < 4; i++)
                corners[count++] = 8 * top + 4 * ring + (top == ring ? 3 - i : i);
    for (uint32_t ring = 0; ring < 2; ring++)
        for (uint32_t i = 0; i < 4; i++)
        {
            uint32_t a = 4 * ring + i, b = 4 * ring + (i + 1) % 4;
            const uint32_t outward[4] = {a, b, b + 8, a + 8};
            for (int k = 0; k < 4; k++)
                corners[count++] = outward[ring == 0 ? k : 3 - k];
        }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 16;
    def.corners = corners;
    def.corner_count = count;
    def.loop_sizes = sizes;
    def.loop_count = 12;
    def.face_loop_counts = loops;
    def.face_count = 10;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* A pose that keeps integers: quarter turns, and places of halves; or a rotation. */
static graze_pose random_pose(test_random *random, bool exact)
{
    static const double turns[3][9] = {
        {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 1, 1, 0, 0, 0, 1, 0}, {0, -1, 0, 0, 0, -1, 1, 0, 0}};
    graze_pose pose;
    double place[3];
    for (int i = 0; i < 3; i++)
        place[i] = ((double)random_below(random, 25) - 12) / (exact ? 2 : 3.1);
    if (!exact)
    {
        const double axis[3] = {1 + (double)random_below(random, 9), (double)random_below(random, 9) - 4, 2};
        assert_int_equal(graze_pose_from_axis_angle(axis, (double)random_below(random, 100), place, &pose),
                         GRAZE_STATUS_OK);
        return pose;
    }
    const double *turn = turns[random_below(random, 3)];
    for (int i = 0; i < 3; i++)
    {
        for (int k = 0; k < 3; k++)
            pose.m[4 * i + k] = turn[3 * i + k];
        pose.m[4 * i + 3] = place[i];
    }
    return pose;
}

static graze_method_body *make_body(const char *method, const graze_mesh *mesh, graze_pre_checks checks)
{
    graze_method_parameters parameters = graze_method_parameters_default();
    graze_method_body *body = NULL;
    parameters.pre_checks = checks;
    assert_int_equal(graze_method_body_create(NULL, method, mesh, &parameters, &body), GRAZE_STATUS_OK);
    return body;
}

static uint64_t gather(const graze_method_body *a, const graze_method_body *b, const graze_pose poses[2],
                       graze_method_counters *counters)
{
    const graze_placed_method_body placed[2] = {{a, poses[0]}, {b, poses[1]}};
    graze_method_options options = graze_method_options_default();
    options.counters = counters;
    graze_pair_counts counts;
    assert_int_equal(graze_method_gather(NULL, &placed[0], &placed[1], &options, found, MOST_HITS, &counts),
                     GRAZE_STATUS_OK);
    return counts.pairs;
}

static uint64_t gather_truth(const graze_mesh *a, const graze_mesh *b, const graze_pose poses[2])
{
    const graze_placed_mesh placed[2] = {{a, NULL, poses[0]}, {b, NULL, poses[1]}};
    graze_pair_counts counts;
    assert_int_equal(graze_pair_gather(NULL, &placed[0], &placed[1], NULL, expected, MOST_HITS, &counts),
                     GRAZE_STATUS_OK);
    assert_true(counts.pairs <= MOST_HITS);
    return counts.pairs;
}

static void flat_polygons_are_faces_and_others_are_triangles(void **state)
{
    (void)state;
    for (int bent = 0; bent < 2; bent++)
        for (int polygons = 0; polygons < 2; polygons++)
        {
            graze_mesh *frame = make_frame(bent == 1);
            grz_surface_edges surface;
            assert_int_equal(grz_surface_edges_find(NULL, frame, polygons == 1, NULL, &surface), GRAZE_STATUS_OK);
            /* Bent, the face below with its hole (8 triangles) is not flat; the sides, moved in their planes, are. */
            size_t faces = polygons == 0 ? 32 : bent == 1 ? 17 : 10;
            size_t edges = polygons == 0 ? 48 : bent == 1 ? 32 : 24;
            assert_int_equal(surface.face_count, faces);
            assert_int_equal(surface.edge_count, edges);
            for (size_t e = 0; e < surface.edge_count; e++)
                assert_int_equal(surface.edges[e].count, 2);
            assert_int_equal(surface.starts[faces], 32);
            grz_surface_edges_release(NULL, &surface);
            graze_mesh_destroy(frame);
        }
}

static void polygons_give_the_engines_triangles(void **state)
{
    (void)state;
    static const char *const names[] = {"edges-faces", "box-tree", "cd"};
    test_random random = test_random_start("test_edges_faces, polygons", 3);
    unsigned collisions = 0, contacts = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(400u); round++)
    {
        graze_mesh *meshes[2] = {make_frame(round % 2 == 0), make_frame(false)};
        bool exact = round % 4 != 0;
        const graze_pose poses[2] = {random_pose(&random, exact), random_pose(&random, exact)};
        uint64_t truth = gather_truth(meshes[0], meshes[1], poses);
        for (int m = 0; m < 3; m++)
        {
            graze_method_body *bodies[2] = {make_body(names[m], meshes[0], GRAZE_PRE_CHECKS_ALL),
                                            make_body(names[m], meshes[1], GRAZE_PRE_CHECKS_ALL)};
            assert_int_equal(gather(bodies[0], bodies[1], poses, NULL), truth);
            assert_memory_equal(found, expected, truth * sizeof found[0]);
            graze_method_body_destroy(bodies[0]);
            graze_method_body_destroy(bodies[1]);
        }
        collisions += truth > 0;
        contacts += truth > 0 && exact;
        graze_mesh_destroy(meshes[0]);
        graze_mesh_destroy(meshes[1]);
    }
    assert_true(collisions > TEST_ROUNDS(100u) && contacts > TEST_ROUNDS(50u) && collisions < TEST_ROUNDS(380u));
}

/* Each check leaves fewer tests to the next, and none changes the hits. */
static void checks_change_the_cost_and_no_hit(void **state)
{
    (void)state;
    static const graze_pre_checks checks[] = {GRAZE_PRE_CHECKS_NONE, GRAZE_PRE_CHECKS_OBJECT_BOX,
                                              GRAZE_PRE_CHECKS_FACE_BOX, GRAZE_PRE_CHECKS_ALL};
    graze_mesh *torus = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 6, 1.5, 16, 8, &torus), GRAZE_STATUS_OK);
    graze_method_body *bodies[4];
    for (int c = 0; c < 4; c++)
        bodies[c] = make_body("edges-faces", torus, checks[c]);
    test_random random = test_random_start("test_edges_faces, checks", 5);
    uint64_t primitives[4] = {0}, volumes[4] = {0}, hits = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(20u); round++)
    {
        const graze_pose poses[2] = {random_pose(&random, false), random_pose(&random, false)};
        uint64_t truth = gather_truth(torus, torus, poses);
        hits += truth;
        for (int c = 0; c < 4; c++)
        {
            graze_method_counters counters;
            assert_int_equal(gather(bodies[c], bodies[c], poses, &counters), truth);
            assert_memory_equal(found, expected, truth * sizeof found[0]);
            primitives[c] += counters.primitives;
            volumes[c] += counters.volumes;
            assert_true((counters.check[0] > 0) <= (c >= 1) && (counters.check[1] > 0) <= (c >= 2));
            assert_true((counters.check[2] > 0) <= (c == 3));
        }
    }
    assert_true(hits > TEST_ROUNDS(200u));
    assert_true(primitives[0] > 2 * primitives[1] && primitives[1] > 10 * primitives[2]);
    assert_int_equal(primitives[2], primitives[3]);
    assert_true(volumes[2] > volumes[3]);
    for (int c = 0; c < 4; c++)
        graze_method_body_destroy(bodies[c]);
    graze_mesh_destroy(torus);
}

/* The relaxed one misses collisions of few large faces, the one that stops after the checks sees too many; neither is
   wrong about what it proves. */
static void biased_variants_err_on_one_side(void **state)
{
    (void)state;
    graze_mesh *bar = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 12, 2, 2, 1, &bar), GRAZE_STATUS_OK);
    graze_method_body *relaxed = make_body("edges-faces-relaxed", bar, GRAZE_PRE_CHECKS_ALL);
    graze_method_body *boxes = make_body("edges-faces-boxes", bar, GRAZE_PRE_CHECKS_ALL);
    test_random random = test_random_start("test_edges_faces, biased", 7);
    unsigned missed = 0, too_many = 0, right_yes = 0, right_no = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(600u); round++)
    {
        const graze_pose poses[2] = {random_pose(&random, false), random_pose(&random, false)};
        bool collide = gather_truth(bar, bar, poses) > 0;
        graze_method_answer answer;
        graze_placed_method_body a = {relaxed, poses[0]}, b = {relaxed, poses[1]};
        assert_int_equal(graze_method_any(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.guess == GRAZE_VERDICT_YES, answer.collide == GRAZE_VERDICT_YES);
        assert_true(answer.collide == GRAZE_VERDICT_UNKNOWN || collide);
        missed += collide && answer.guess == GRAZE_VERDICT_NO;
        right_yes += answer.collide == GRAZE_VERDICT_YES;
        a.body = b.body = boxes;
        assert_int_equal(graze_method_any(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.guess == GRAZE_VERDICT_NO, answer.collide == GRAZE_VERDICT_NO);
        assert_true(answer.collide == GRAZE_VERDICT_UNKNOWN || !collide);
        too_many += !collide && answer.guess == GRAZE_VERDICT_YES;
        right_no += answer.collide == GRAZE_VERDICT_NO;
    }
    print_message("%u missed, %u too many, %u and %u proved\n", missed, too_many, right_yes, right_no);
    assert_true(missed > TEST_ROUNDS(5u) && too_many > TEST_ROUNDS(5u));
    assert_true(right_yes > TEST_ROUNDS(20u) && right_no > TEST_ROUNDS(20u));
    graze_method_body_destroy(relaxed);
    graze_method_body_destroy(boxes);
    graze_mesh_destroy(bar);
}

/* Hands out chunks in turn; one of so many threads takes only its own. */
typedef struct chunk_source
{
    size_t next, size, step, asked_of;
} chunk_source;

static bool take_chunk(void *user, size_t edge_count, size_t *out_first, size_t *out_end)
{
    chunk_source *source = user;
    source->asked_of = edge_count;
    if (source->next >= edge_count)
        return false;
    *out_first = source->next;
    *out_end = source->next + source->size; /* the last one may go beyond */
    source->next += source->step;
    return true;
}

/* Three queries share the edges of a pair: each finds hits only, all of them all, and none proves a "no" but by boxes.
 * Chunks of 7 hold edges of both bodies. */
static void shared_edges_together_find_all(void **state)
{
    (void)state;
    graze_mesh *frame = make_frame(false), *bar = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 12, 0.5, 0.5, 1, &bar), GRAZE_STATUS_OK);
    graze_method_body *a = make_body("edges-faces", frame, GRAZE_PRE_CHECKS_ALL);
    graze_method_body *b = make_body("edges-faces", bar, GRAZE_PRE_CHECKS_ALL);
    test_random random = test_random_start("test_edges_faces, shared edges", 15);
    unsigned partial = 0, proved = 0, collisions = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(200u); round++)
    {
        const graze_placed_method_body placed[2] = {{a, random_pose(&random, round % 2 == 0)},
                                                    {b, random_pose(&random, round % 2 == 0)}};
        const graze_pose poses[2] = {placed[0].pose, placed[1].pose};
        uint64_t truth = gather_truth(frame, bar, poses), seen = 0;
        bool known[MOST_HITS] = {false};
        graze_method_counters whole, part;
        assert_int_equal(gather(a, b, poses, &whole), truth);
        for (size_t thread = 0; thread < 3; thread++)
        {
            chunk_source source = {7 * thread, 7, 21, 0};
            graze_method_options options = graze_method_options_default();
            options.edge_chunks = (graze_edge_chunks){take_chunk, &source};
            options.counters = &part;
            graze_pair_counts counts;
            assert_int_equal(graze_method_gather(NULL, &placed[0], &placed[1], &options, found, MOST_HITS, &counts),
                             GRAZE_STATUS_OK);
            assert_int_equal(source.asked_of, 24 + 18);
            whole.volumes -= part.volumes; /* each edge is tested once */
            whole.check[0] -= part.check[0];
            for (uint64_t i = 0, k = 0; i < counts.pairs; i++, k++) /* both in the same order */
            {
                while (k < truth && memcmp(&found[i], &expected[k], sizeof found[0]) != 0)
                    k++;
                assert_true(k < truth);
                seen += !known[k];
                known[k] = true;
            }
            source = (chunk_source){7 * thread, 7, 21, 0};
            graze_method_answer answer;
            assert_int_equal(graze_method_any(NULL, &placed[0], &placed[1], &options, &answer), GRAZE_STATUS_OK);
            assert_int_equal(answer.guess == GRAZE_VERDICT_YES, counts.pairs > 0);
            assert_true(answer.collide != GRAZE_VERDICT_NO || truth == 0);
            proved += answer.collide == GRAZE_VERDICT_NO;
            partial += counts.pairs < truth;
        }
        assert_int_equal(seen, truth);
        assert_true(whole.volumes == 0 && whole.check[0] == 0);
        collisions += truth > 0;
    }
    const unsigned rounds = TEST_ROUNDS(200u);
    print_message("%u of %u collide, %u shares without all hits, %u proved apart\n", collisions, rounds, partial,
                  proved);
    assert_true(partial > rounds / 10 && proved > rounds / 10 && collisions > rounds / 10 && collisions < rounds);
    graze_method_body_destroy(a);
    graze_method_body_destroy(b);
    graze_mesh_destroy(frame);
    graze_mesh_destroy(bar);
}

static graze_method_body *make_box_tree(const graze_mesh *mesh, uint32_t leaf_size, bool cut_empty)
{
    graze_method_parameters parameters = graze_method_parameters_default();
    graze_method_body *body = NULL;
    parameters.leaf_size = leaf_size;
    parameters.cut_empty = cut_empty;
    assert_int_equal(graze_method_body_create(NULL, "box-tree", mesh, &parameters, &body), GRAZE_STATUS_OK);
    return body;
}

/* Without the flags of empty intervals the search is the same, and cuts just those more. */
static void box_trees_count_empty_intervals_and_references(void **state)
{
    (void)state;
    graze_mesh *frame = make_frame(false), *bar = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 12, 0.5, 0.5, 1, &bar), GRAZE_STATUS_OK);
    graze_method_body *frames[2] = {make_box_tree(frame, 1, false), make_box_tree(frame, 1, true)};
    graze_method_body *bars[2] = {make_box_tree(bar, 1, true), make_box_tree(bar, 1, false)}; /* the first counts */
    graze_method_body *whole[2] = {make_box_tree(frame, 100, false), make_box_tree(bar, 100, false)};
    test_random random = test_random_start("test_edges_faces, empty intervals", 14);
    uint64_t empty = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(100u); round++)
    {
        const graze_pose poses[2] = {random_pose(&random, round % 2 == 0), random_pose(&random, round % 2 == 0)};
        uint64_t truth = gather_truth(frame, bar, poses);
        graze_method_counters counters[2], one_leaf;
        for (int i = 0; i < 2; i++)
            assert_int_equal(gather(frames[i], bars[i], poses, &counters[i]), truth);
        assert_int_equal(counters[0].volumes, counters[1].volumes);
        assert_int_equal(counters[0].primitives, counters[1].primitives);
        assert_int_equal(counters[0].empty_intervals, counters[1].empty_intervals);
        assert_int_equal(counters[0].half_spaces + counters[0].empty_intervals, counters[1].half_spaces);
        assert_int_equal(counters[0].elements, 10 + 24 + 12 + 18);
        assert_true(counters[0].references > counters[0].elements);
        empty += counters[0].empty_intervals;
        assert_int_equal(gather(whole[0], whole[1], poses, &one_leaf), truth);
        assert_int_equal(one_leaf.references, 10 + 24 + 12 + 18);
    }
    assert_true(empty > 1000);
    for (int i = 0; i < 2; i++)
    {
        graze_method_body_destroy(frames[i]);
        graze_method_body_destroy(bars[i]);
        graze_method_body_destroy(whole[i]);
    }
    graze_mesh_destroy(frame);
    graze_mesh_destroy(bar);
}

/* The hits of each side are hits, and those of both together are all; a "no" of one side is never proved wrongly. */
static void two_directions_together_find_all(void **state)
{
    (void)state;
    static const char *const names[] = {"edges-faces", "box-tree"};
    graze_mesh *bar = NULL, *plate = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 12, 0.5, 0.5, 1, &bar), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 9, 9, 0.5, 1, &plate), GRAZE_STATUS_OK);
    test_random random = test_random_start("test_edges_faces, directions", 11);
    unsigned one_sided = 0, proved = 0, collisions = 0;
    for (int m = 0; m < 2; m++)
    {
        graze_method_body *bodies[2], *plates[2];
        for (int side = 0; side < 2; side++)
        {
            graze_method_parameters parameters = graze_method_parameters_default();
            parameters.edges_of = side == 0 ? GRAZE_EDGES_OF_A : GRAZE_EDGES_OF_B;
            assert_int_equal(graze_method_body_create(NULL, names[m], bar, &parameters, &bodies[side]),
                             GRAZE_STATUS_OK);
            plates[side] = make_body(names[m], plate, GRAZE_PRE_CHECKS_ALL); /* the first body's direction counts */
        }
        for (unsigned round = 0; round < TEST_ROUNDS(200u); round++)
        {
            const graze_pose poses[2] = {random_pose(&random, round % 2 == 0), random_pose(&random, round % 2 == 0)};
            uint64_t truth = gather_truth(bar, plate, poses), seen = 0;
            bool known[MOST_HITS] = {false};
            for (int side = 0; side < 2; side++)
            {
                uint64_t count = gather(bodies[side], plates[side], poses, NULL);
                for (uint64_t i = 0, k = 0; i < count; i++, k++) /* both in the same order */
                {
                    while (k < truth && memcmp(&found[i], &expected[k], sizeof found[0]) != 0)
                        k++;
                    assert_true(k < truth);
                    seen += !known[k];
                    known[k] = true;
                }
                const graze_placed_method_body a = {bodies[side], poses[0]}, b = {plates[side], poses[1]};
                graze_method_answer answer;
                assert_int_equal(graze_method_any(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_OK);
                assert_int_equal(answer.guess == GRAZE_VERDICT_YES, count > 0);
                assert_true(answer.collide != GRAZE_VERDICT_NO || truth == 0);
                proved += answer.collide == GRAZE_VERDICT_NO;
                one_sided += truth > 0 && count == 0;
            }
            assert_int_equal(seen, truth);
            collisions += truth > 0;
        }
        for (int side = 0; side < 2; side++)
        {
            graze_method_body_destroy(bodies[side]);
            graze_method_body_destroy(plates[side]);
        }
    }
    print_message("%u collisions, %u seen from one side only, %u proved apart\n", collisions, one_sided, proved);
    assert_true(collisions > TEST_ROUNDS(60u) && one_sided > TEST_ROUNDS(4u) && proved > TEST_ROUNDS(20u));
    graze_mesh_destroy(bar);
    graze_mesh_destroy(plate);
}

static void the_relaxed_variant_refuses_open_surfaces(void **state)
{
    (void)state;
    static const double vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t corners[3] = {0, 1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    graze_mesh *triangle = NULL;
    graze_method_body *body = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &triangle), GRAZE_STATUS_OK);
    assert_int_equal(graze_method_body_create(NULL, "edges-faces-relaxed", triangle, NULL, &body),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_null(body);
    graze_mesh_destroy(triangle);
}

/* Nothing of the mesh is read before it is refused. */
static void meshes_with_too_many_sides_are_refused(void **state)
{
    (void)state;
    graze_mesh mesh = {.triangle_count = (size_t)UINT32_MAX / 3 + 1};
    const graze_budget budget = {0};
    grz_monitor monitor = grz_monitor_make(&budget);
    grz_surface_edges edges;
    assert_int_equal(grz_surface_edges_find(NULL, &mesh, true, &monitor, &edges), GRAZE_STATUS_TOO_LARGE);
    grz_surface_edges_release(NULL, &edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_with_too_many_sides_are_refused),
        cmocka_unit_test(flat_polygons_are_faces_and_others_are_triangles),
        cmocka_unit_test(polygons_give_the_engines_triangles),
        cmocka_unit_test(checks_change_the_cost_and_no_hit),
        cmocka_unit_test(biased_variants_err_on_one_side),
        cmocka_unit_test(box_trees_count_empty_intervals_and_references),
        cmocka_unit_test(shared_edges_together_find_all),
        cmocka_unit_test(two_directions_together_find_all),
        cmocka_unit_test(the_relaxed_variant_refuses_open_surfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
