/* SPDX-License-Identifier: MIT */
/* graze check --method, through the real program. */
#include <string.h>

#include "graze/method.h"
#include "support/tool_json.h"
#include "support/tool_process.h"
#include "support/unit.h"

static const char apart[] = "1 0 0 5  0 1 0 0  0 0 1 0", crossing[] = "1 0 0 1  0 1 0 0.5  0 0 1 0.25";

static void methods_count_the_pairs_of_the_engine(void **state)
{
    (void)state;
    write_box_obj("box.obj", 1.0);
    cJSON *engine = expect_json(RUN("check", "box.obj", "box.obj", "--pose-b", crossing, "--json"), 1);
    for (size_t i = 0; i < graze_method_count(); i++)
    {
        const graze_method_info *method = graze_method_at(i);
        if (method->guarantee != GRAZE_METHOD_EXACT || method->subject != GRAZE_METHOD_SURFACES)
            continue;
        cJSON *document = expect_json(
            RUN("check", "box.obj", "box.obj", "--pose-b", crossing, "--method", method->name, "--stats", "--json"), 1);
        assert_true(json_boolean(document, "collide"));
        assert_string_equal(json_string(document, "verdict"), "yes");
        assert_string_equal(json_string(document, "guess"), "yes");
        assert_string_equal(json_string(document, "method"), method->name);
        assert_string_equal(json_string(document, "guarantee"), "exact");
        assert_true(json_number(document, "pairs") == json_number(engine, "pairs"));
        assert_true(json_number(document, "crossing") == json_number(engine, "crossing"));
        assert_true(json_number(cJSON_GetObjectItem(document, "stats"), "primitives") > 0);
        assert_true(cJSON_IsNull(cJSON_GetObjectItem(document, "contains")));
        cJSON_Delete(document);
        document =
            expect_json(RUN("check", "box.obj", "box.obj", "--pose-b", apart, "--method", method->name, "--json"), 0);
        assert_false(json_boolean(document, "collide"));
        cJSON_Delete(document);
    }
    cJSON_Delete(engine);
}

static void pairs_are_listed(void **state)
{
    (void)state;
    write_box_obj("box.obj", 1.0);
    cJSON *document = expect_json(
        RUN("check", "box.obj", "box.obj", "--pose-b", crossing, "--method", "rapid", "--pairs", "3", "--json"), 1);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "pair_list")), 3);
    cJSON_Delete(document);
}

static void unknown_methods_are_refused_with_the_names_there_are(void **state)
{
    (void)state;
    write_box_obj("box.obj", 1.0);
    tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--method", "nonsense"), 2, "kdop-18");
}

/* A generated sphere is convex but for its roundings: the hint says what helps, and it does. */
static void bodies_that_are_almost_convex_are_sent_to_their_hull(void **state)
{
    (void)state;
    tool_result made = RUN("make", "sphere", "-o", "ball.obj");
    tool_release(&made);
    tool_expect_refusal(RUN("check", "ball.obj", "ball.obj", "--method", "gjk"), 2, "graze hull");
    made = RUN("hull", "ball.obj", "-o", "hull.obj");
    tool_release(&made);
    cJSON_Delete(expect_json(RUN("check", "hull.obj", "hull.obj", "--method", "gjk", "--json"), 1));
}

/* Two poses, the second in contact; by a method with pairs, one for bodies, and one that proves only the first. */
static void paths_are_answered_pose_by_pose(void **state)
{
    (void)state;
    write_box_obj("box.obj", 1.0);
    write_text("poses.txt", "1 0 0 5 0 1 0 0 0 0 1 0\n1 0 0 1 0 1 0 0.5 0 0 1 0.25\n");
    static const char *const methods[] = {"kdop-18", "gjk"};
    for (int m = 0; m < 2; m++)
    {
        cJSON *document =
            expect_json(RUN("path", "box.obj", "box.obj", "poses.txt", "--method", methods[m], "--stats", "--json"), 1);
        const cJSON *collide = cJSON_GetObjectItem(document, "collide");
        assert_int_equal(cJSON_GetArrayItem(collide, 0)->valueint, 0);
        assert_int_equal(cJSON_GetArrayItem(collide, 1)->valueint, 1);
        assert_string_equal(json_string(document, "method"), methods[m]);
        assert_true(json_number(document, "unknown") == 0);
        const cJSON *stats = cJSON_GetObjectItem(document, "stats");
        assert_true(json_number(stats, "volumes") + json_number(stats, "iterations") > 0);
        cJSON_Delete(document);
    }
    tool_result result = RUN("path", "box.obj", "box.obj", "poses.txt", "--method", "perceptron", "--json");
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.out, "\"collide\": [0,null]"));
    assert_non_null(strstr(result.err, "does not prove"));
    tool_release(&result);
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "poses.txt", "--method", "gjk", "--count"), 2, "bodies");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "poses.txt", "--method", "rapid", "--distance"), 2,
                        "--distance");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "poses.txt", "--method", "rapid", "--continuous"), 2,
                        "--method");
}

static const char beside[] = "0.8 -0.6 0 0.7  0.6 0.8 0 0.1  0 0 1 0.05";

/* How many pairs of volumes are tested; with the number of pairs of triangles, which options do not change. */
static double volumes_with(const char *options, double *out_pairs)
{
    cJSON *document = expect_json(RUN("check", "torus.obj", "torus.obj", "--pose-b", beside, "--method", "kdop-18",
                                      "--method-options", options, "--stats", "--json"),
                                  1);
    double volumes = json_number(cJSON_GetObjectItem(document, "stats"), "volumes");
    *out_pairs = json_number(document, "pairs");
    cJSON_Delete(document);
    return volumes;
}

static void expect_code(tool_result result, int code)
{
    assert_int_equal(result.code, code);
    tool_release(&result);
}

static void options_of_a_method_change_its_cost_only(void **state)
{
    (void)state;
    static const char *const options[] = {"order=environment-first",
                                          "degree=8,leaf=1",
                                          "axis=minkowski,leaf=2",
                                          "point=best,tumbling=vertices",
                                          "build=bottom-up,leaf=3",
                                          "order=restart,tumbling=hill-climbing",
                                          "point=best-of-some,seed=5,candidates=2"};
    static const char *const wrong[] = {"order=none",        "degree=x", "nothing=1", "axis",
                                        "degree=5000000000", "leaf=-1",  "degree=1",  "degree=9"};
    write_box_obj("box.obj", 1.0);
    expect_code(RUN("make", "torus", "--segments", "16", "-o", "torus.obj"), 0);
    double pairs, other_pairs, volumes = volumes_with("", &pairs);
    unsigned changed = 0;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    {
        changed += volumes_with(options[i], &other_pairs) != volumes;
        assert_true(other_pairs == pairs && pairs > 0);
    }
    assert_int_equal(changed, sizeof options / sizeof options[0]);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--method", "kdop-18", "--method-options", wrong[i]), 2,
                            "environment-first");
    tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--method", "kdop-18", "--method-options", "degree=9"), 2,
                        "'degree=9' is not one of");
}

/* Options are read before any file; those of a method are not taken without one. */
static void options_of_a_method_go_with_a_method(void **state)
{
    (void)state;
    write_box_obj("box.obj", 1.0);
    tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--method-options", "leaf=1"), 2, "goes with --method");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "none.txt", "--method-options", "leaf=1"), 2,
                        "goes with --method");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "none.txt", "--continuous", "--method-options", "leaf=1"), 2,
                        "goes with --method");
    tool_expect_refusal(RUN("check", "box.obj", "none.obj", "--method", "nothing"), 2, "there is no method");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "none.txt", "--method", "nothing"), 2, "there is no method");
    tool_expect_refusal(
        RUN("path", "box.obj", "box.obj", "none.txt", "--method", "kdop-18", "--method-options", "leaf=x"), 2,
        "'leaf=x' is not one of");
}

/* A method says whether meshes collide; what else is asked is refused, and not passed over. */
static void what_a_method_does_not_answer_is_refused(void **state)
{
    (void)state;
    static const char *const others[] = {"--distance", "--tolerance=1", "--depth", "--contacts", "--solid"};
    write_box_obj("box.obj", 1.0);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--method", "kdop-18", others[i]), 2,
                            i < 4 ? "answers whether meshes collide, not --" : "for surfaces, without --solid");
    expect_code(RUN("check", "box.obj", "box.obj", "--method", "gjk", "--solid"), 1);
}

/* Fewer checks of boxes, or one direction only, test other boxes; all checks find all pairs. */
static void checks_of_edges_and_faces_are_options(void **state)
{
    (void)state;
    static const char *const options[] = {"checks=all", "checks=face-box", "checks=object-box", "edges=a"};
    double volumes[4], pairs[4];
    for (int i = 0; i < 4; i++)
    {
        cJSON *document = expect_json(RUN("check", "torus.obj", "torus.obj", "--pose-b", beside, "--method",
                                          "edges-faces", "--method-options", options[i], "--stats", "--json"),
                                      1);
        volumes[i] = json_number(cJSON_GetObjectItem(document, "stats"), "volumes");
        pairs[i] = json_number(document, "pairs");
        cJSON_Delete(document);
    }
    assert_true(pairs[0] > 0 && pairs[1] == pairs[0] && pairs[2] == pairs[0] && pairs[3] <= pairs[0]);
    assert_true(volumes[1] > volumes[0] && volumes[2] < volumes[0] && volumes[3] < volumes[0]);
    tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--method", "edges-faces", "--method-options", "edges=c"), 2,
                        "edges=both|a|b");
    expect_code(RUN("check", "box.obj", "box.obj", "--method", "monte-carlo", "--method-options", "vertices=no"), 1);
}

/* Empty intervals are counted, and cut where their flags are not used. */
static void flags_of_box_trees_are_an_option(void **state)
{
    (void)state;
    static const char *const options[] = {"flags=yes", "flags=no"};
    double half_spaces[2], empty[2], pointers[2];
    for (int i = 0; i < 2; i++)
    {
        cJSON *document = expect_json(RUN("check", "torus.obj", "torus.obj", "--pose-b", beside, "--method", "box-tree",
                                          "--method-options", options[i], "--stats", "--json"),
                                      1);
        const cJSON *stats = cJSON_GetObjectItem(document, "stats");
        half_spaces[i] = json_number(stats, "half_spaces");
        empty[i] = json_number(stats, "empty_intervals");
        pointers[i] = json_number(stats, "references") / json_number(stats, "elements");
        cJSON_Delete(document);
    }
    assert_true(empty[0] > 0 && empty[1] == empty[0] && half_spaces[1] == half_spaces[0] + empty[0]);
    assert_true(pointers[0] > 1 && pointers[1] == pointers[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_count_the_pairs_of_the_engine),
        cmocka_unit_test(pairs_are_listed),
        cmocka_unit_test(paths_are_answered_pose_by_pose),
        cmocka_unit_test(unknown_methods_are_refused_with_the_names_there_are),
        cmocka_unit_test(bodies_that_are_almost_convex_are_sent_to_their_hull),
        cmocka_unit_test(options_of_a_method_change_its_cost_only),
        cmocka_unit_test(options_of_a_method_go_with_a_method),
        cmocka_unit_test(what_a_method_does_not_answer_is_refused),
        cmocka_unit_test(checks_of_edges_and_faces_are_options),
        cmocka_unit_test(flags_of_box_trees_are_an_option),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
