/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: clash detection, its rules, baselines, reports and documents. */
#include <string.h>

#include "graze/clash.h"
#include "graze/generate.h"
#include "support/failure.h"
#include "support/unit.h"

enum
{
    PARTS = 5
};

static const char rules_text[] = "{\"graze\": \"rules\", \"version\": 1, \"groups\": {\"g\": [\"b*\", \"x\"]}, "
                                 "\"ignore\": [{\"a\": \"@g\", \"b\": \"c\","
                                 "\"reason\": \"r\"}], \"limits\": [{\"pair\": [\"a\", \"nobody\"], \"clearance\": 1}],"
                                 "\"approve\": [{\"id\": \"0123456789abcdef\", \"reason\": \"r\"},"
                                 "{\"linked\": \"parent\", \"reason\": \"r\"}, {\"a\": \"b*\", \"depth\": [0, 0],"
                                 "\"gap\": [9, 9], \"reason\": \"r\"}], \"review\": [{\"id\": \"0123456789abcdef\","
                                 "\"state\": \"open\", \"assignee\": \"A\", \"comment\": \"C\"}],"
                                 "\"surfaces\": [\"@g\", \"e\xcc\x81\"]}";
static const char old_text[] = "{\"graze\": \"clash\", \"version\": 1, \"complete\": true, \"findings\": [{\"id\": "
                               "\"00\", \"a\": \"a\", \"b\": \"b\", \"verdict\": \"touches\"}]}";

static struct
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_shape *shape;
    graze_clash_part parts[PARTS];
    graze_clash_source sources[2];
    graze_clash_rules *rules;
    graze_clash_baseline *baseline;
    graze_clash_report *report;
    graze_clash_member members[PARTS];
    graze_clash_pair_interest pair;
    graze_clash_part_interest part;
    graze_clash_scene scene;
    graze_clash_input input;
    graze_clash_options options;
    graze_clash_bcf_options bcf_options;
    graze_error error;
    size_t written;
} world;

static struct
{
    graze_clash_rules *rules;
    graze_clash_baseline *baseline;
    graze_clash_report *report;
    double seconds;
    graze_clash_camera camera;
} out;

/* Four boxes: two that touch; two that are equal, and of one scene. */
static void set_up(void)
{
    static const char *const names[PARTS] = {"a", "b", "c", "d", "e"};
    assert_int_equal(graze_mesh_create_box(&failure.context, 2, 2, 2, 1, &world.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(&failure.context, world.mesh, NULL, NULL, &world.tree), GRAZE_STATUS_OK);
    for (int i = 0; i < PARTS; i++)
    {
        world.parts[i] = (graze_clash_part){.name = names[i],
                                            .file = "f",
                                            .parent = "p",
                                            .mesh = world.mesh,
                                            .pose = graze_pose_translation(i < 2 ? 2 * i : 9, 0, 0)};
        world.members[i] = (graze_clash_member){.scene = i < 2 ? UINT32_MAX : 0, .parent = GRAZE_CLASH_NO_PART};
    }
    assert_int_equal(graze_shape_create_sphere(&failure.context, NULL, 1, &world.shape), GRAZE_STATUS_OK);
    world.parts[4] = (graze_clash_part){.name = "e", .shape = world.shape, .pose = graze_pose_translation(4, 0, 0)};
    world.sources[0] = (graze_clash_source){"rules", rules_text, sizeof rules_text - 1};
    world.sources[1] = (graze_clash_source){"old", old_text, sizeof old_text - 1};
    world.pair = (graze_clash_pair_interest){2, GRAZE_CLASH_NO_PART, GRAZE_INTEREST_NONE};
    world.part = (graze_clash_part_interest){2, GRAZE_INTEREST_ANY};
    world.scene = (graze_clash_scene){.name = "s",
                                      .otherwise = GRAZE_INTEREST_ANY,
                                      .pairs = &world.pair,
                                      .pair_count = 1,
                                      .parts = &world.part,
                                      .part_count = 1};
    world.input = (graze_clash_input){.path = "f"};
    assert_int_equal(graze_clash_rules_create(&failure.context, world.sources, 1, NULL, &world.rules), GRAZE_STATUS_OK);
    assert_int_equal(graze_clash_baseline_create(&failure.context, &world.sources[1], NULL, &world.baseline),
                     GRAZE_STATUS_OK);
    assert_int_equal(graze_clash_find(&failure.context, world.parts, PARTS, NULL, NULL, &world.report),
                     GRAZE_STATUS_OK);
    world.written = 0;
}

static void tear_down(void)
{
    graze_clash_report_destroy(world.report);
    graze_clash_baseline_destroy(world.baseline);
    graze_clash_rules_destroy(world.rules);
    graze_shape_destroy(world.shape);
    graze_tree_destroy(world.tree);
    graze_mesh_destroy(world.mesh);
}

static void note_progress(void *user, uint64_t done, uint64_t all)
{
    (void)user;
    (void)done;
    (void)all;
}

static bool go_on(void *user, double share)
{
    (void)user;
    return share <= 1;
}

static bool take_bytes(void *user, const char *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    world.written += size;
    return true;
}

static const graze_clash_part *parts(void)
{
    world.parts[0].tree = MAY(INNER + 1, world.tree);
    world.parts[1].file = MAY(INNER + 2, "f");
    world.parts[1].parent = MAY(INNER + 2, "p");
    world.parts[2].name = NEED(INNER + 4, "c");
    world.parts[2].mesh = NEED(INNER + 5, world.mesh);
    return world.parts;
}

static const graze_clash_options *options(void)
{
    world.options = graze_clash_options_default();
    world.options.rules = MAY(INNER + 6, world.rules);
    world.options.baseline = MAY(INNER + 6, world.baseline);
    world.options.members = MAY(INNER + 8, world.members);
    world.options.scenes = NEED(INNER + 9, &world.scene);
    world.options.scene_count = 1;
    world.options.inputs = NEED(INNER + 10, &world.input);
    world.options.input_count = 1;
    world.options.units = MAY(INNER + 11, "mm");
    world.options.on_progress = MAY(INNER + 12, note_progress);
    world.options.on_progress_user = MAY(INNER + 11, &world);
    world.options.budget.progress = MAY(INNER + 12, go_on);
    world.options.budget.progress_user = MAY(INNER + 11, &world);
    static const char *const surfaces[] = {"*\xcc\x81"};
    world.options.surfaces = NEED(INNER + 13, surfaces);
    world.options.surface_count = 1;
    world.options.self = true;
    world.options.regions = true;
    world.scene.name = NEED(INNER + 16, "s");
    world.scene.pairs = NEED(INNER + 17, &world.pair);
    world.scene.parts = NEED(INNER + 18, &world.part);
    return &world.options;
}

static const graze_clash_options *plain_options(void)
{
    world.options = graze_clash_options_default();
    return &world.options;
}

static graze_status no_snapshot(void *user, size_t finding, const void **out_png, size_t *out_size)
{
    (void)user;
    (void)finding;
    (void)out_png;
    *out_size = 0;
    return GRAZE_STATUS_OK;
}

static const graze_clash_bcf_options *bcf_options(void)
{
    world.bcf_options = graze_clash_bcf_options_default();
    world.bcf_options.snapshot = MAY(INNER, no_snapshot);
    world.bcf_options.snapshot_user = MAY(INNER + 1, &world);
    return &world.bcf_options;
}

static const graze_clash_source *source(size_t number)
{
    world.sources[number].name = NEED(INNER, "n");
    world.sources[number].text = NEED(INNER + 1, number == 0 ? rules_text : old_text);
    return &world.sources[number];
}

#define CONTEXT MAY(0, &failure.context)

VALUE(graze_clash_options, graze_clash_options_default, (), result.struct_size == sizeof result)
CALL(graze_clash_rules_create, (CONTEXT, NEED(1, source(0)), 1, MAY(2, &world.error), NEED(3, &out.rules)),
     graze_clash_rules_destroy(out.rules))
CALL(graze_clash_baseline_create, (CONTEXT, NEED(1, source(1)), MAY(2, &world.error), NEED(3, &out.baseline)),
     graze_clash_baseline_destroy(out.baseline))
CALL(graze_clash_find,
     (CONTEXT, NEED(1, parts()), PARTS, MAY(2, options()), MAY(3, &world.error), NEED(4, &out.report)),
     failure.answer = (double)out.report->finding_count;
     graze_clash_report_destroy(out.report))
CALL(graze_clash_estimate,
     (CONTEXT, NEED(1, world.parts), PARTS, MAY(2, plain_options()), MAY(3, &world.error), NEED(4, &out.report),
      NEED(5, &out.seconds)),
     failure.answer = (double)out.report->counts.pairs_tested;
     graze_clash_report_destroy(out.report))
CALL(graze_clash_report_add_problem, (NEED(0, world.report), NEED(1, "f"), NEED(2, "what"), false), (void)0)
VALUE(bool, graze_clash_finding_fails, (NEED(0, world.report), NEED(1, world.report->findings)), result)
VALUE(graze_clash_part, graze_clash_finding_part, (NEED(0, world.report), NEED(1, world.report->findings), true),
      result.name != NULL)
VALUE(graze_clash_tally, graze_clash_report_tally, (NEED(0, world.report)), result.failing > 0)
VALUE(graze_clash_outcome, graze_clash_report_outcome, (NEED(0, world.report)), result == GRAZE_CLASH_OUTCOME_FAILED)
VALUE(graze_clash_phrase, graze_clash_finding_measure, (NEED(0, world.report->findings)), result.text[0] != '\0')
CALL(graze_clash_write_json, (NEED(0, world.report), NEED(1, take_bytes), MAY(2, &world)),
     failure.answer = (double)world.written)
CALL(graze_clash_write_csv, (NEED(0, world.report), NEED(1, take_bytes), MAY(2, &world)),
     failure.answer = (double)world.written)
CALL(graze_clash_write_junit, (NEED(0, world.report), NEED(1, take_bytes), MAY(2, &world)),
     failure.answer = world.written > 0)
VALUE(graze_clash_bcf_options, graze_clash_bcf_options_default, (), result.struct_size == sizeof result)
CALL(graze_clash_write_bcf, (NEED(0, world.report), MAY(1, bcf_options()), NEED(2, take_bytes), MAY(3, &world)),
     failure.answer = world.written > 0)
CALL(graze_clash_finding_camera, (NEED(0, world.report), NEED(1, world.report->findings), false, NEED(2, &out.camera)),
     failure.answer = out.camera.distance)
CALL(graze_clash_write_page_header, (NEED(0, world.report), NEED(1, take_bytes), MAY(2, &world)),
     failure.answer = (double)world.written)
CALL(graze_clash_write_page_body, (NEED(0, world.report), NEED(1, take_bytes), MAY(2, &world)),
     failure.answer = (double)world.written)
VALUE(const char *, graze_clash_verdict_name, (GRAZE_CLASH_CROSSES), strcmp(result, "crosses") == 0)
VALUE(const char *, graze_clash_severity_name, (GRAZE_CLASH_MAJOR), strcmp(result, "major") == 0)
VALUE(const char *, graze_clash_state_name, (GRAZE_CLASH_WORSE), strcmp(result, "worse") == 0)
VALUE(const char *, graze_clash_fail_on_name, (GRAZE_CLASH_FAIL_ON_NEW), strcmp(result, "new") == 0)
VALUE(const char *, graze_clash_undecided_reason, (), result[0] != '\0')

/* A report that is not complete, so that there is something to say. */
static graze_status call_graze_clash_report_shortfall(void)
{
    world.report->complete = false;
    graze_clash_phrase phrase = graze_clash_report_shortfall(NEED(0, world.report));
    return phrase.text[0] != '\0' ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;
}

static graze_status call_graze_clash_rules_destroy(void)
{
    graze_clash_rules_destroy(MAY(0, world.rules));
    if (failure.missing == NOTHING)
        world.rules = NULL;
    return GRAZE_STATUS_OK;
}

static graze_status call_graze_clash_baseline_destroy(void)
{
    graze_clash_baseline_destroy(MAY(0, world.baseline));
    if (failure.missing == NOTHING)
        world.baseline = NULL;
    return GRAZE_STATUS_OK;
}

static graze_status call_graze_clash_report_destroy(void)
{
    graze_clash_report_destroy(MAY(0, world.report));
    if (failure.missing == NOTHING)
        world.report = NULL;
    return GRAZE_STATUS_OK;
}

static const failure_row rows[] = {
    ROW(graze_clash_options_default, 0, 0),
    ROW(graze_clash_rules_create, 4, ALLOCATES),
    ROW(graze_clash_rules_destroy, 1, 0),
    ROW(graze_clash_baseline_create, 4, ALLOCATES),
    ROW(graze_clash_baseline_destroy, 1, 0),
    ROW(graze_clash_find, 5, ALLOCATES),
    ROW(graze_clash_estimate, 6, ALLOCATES),
    ROW(graze_clash_report_destroy, 1, 0),
    ROW(graze_clash_report_add_problem, 3, ALLOCATES),
    ROW(graze_clash_finding_fails, 2, 0),
    ROW(graze_clash_finding_part, 2, 0),
    ROW(graze_clash_report_tally, 1, 0),
    ROW(graze_clash_report_outcome, 1, 0),
    ROW(graze_clash_finding_measure, 1, 0),
    ROW(graze_clash_report_shortfall, 1, 0),
    ROW(graze_clash_undecided_reason, 0, 0),
    ROW(graze_clash_verdict_name, 0, 0),
    ROW(graze_clash_severity_name, 0, 0),
    ROW(graze_clash_state_name, 0, 0),
    ROW(graze_clash_fail_on_name, 0, 0),
    ROW(graze_clash_write_json, 3, 0),
    ROW(graze_clash_write_csv, 3, 0),
    ROW(graze_clash_write_junit, 3, ALLOCATES),
    ROW(graze_clash_bcf_options_default, 0, 0),
    ROW(graze_clash_write_bcf, 4, ALLOCATES),
    ROW(graze_clash_finding_camera, 3, 0),
    ROW(graze_clash_write_page_header, 3, 0),
    ROW(graze_clash_write_page_body, 3, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
