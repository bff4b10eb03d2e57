/* SPDX-License-Identifier: MIT */
/* Separating planes: separated parts are farther apart than asked, under poses of every kind; and trees are built only
 * for the other parts, with the same answers when memory runs out. */
#define _POSIX_C_SOURCE 200809L

#include "clash/separating_plane.h"

#include <math.h>

#include "clash/engine.h"
#include "clash_boxes.h"
#include "graze/distance.h"
#include "graze/generate.h"
#include "support/environment.h"
#include "support/failing_allocator.h"
#include "support/placed_shapes.h"

static clash_part part_of(const placed_shapes *shapes, unsigned shape, const graze_pose *pose)
{
    clash_part part = {.placed = {shapes->meshes[shape], shapes->trees[shape][0], *pose}};
    part.triangle_count = graze_mesh_triangle_count(shapes->meshes[shape]);
    return part;
}

static void separated_parts_are_farther_than_asked(void **state)
{
    (void)state;
    const uint64_t seed = 20261116;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    placed_shapes *shapes = placed_shapes_create();
    unsigned parted = 0, apart = 0, met = 0, near = 0;
    for (unsigned round = 0; round < 3000; round++)
    {
        graze_pose poses[2];
        placed_poses(&random, round % POSE_KINDS, &poses[0], &poses[1]);
        clash_part a = part_of(shapes, (unsigned)grz_random_below(&random, PLACED_SHAPES), &poses[0]);
        clash_part b = part_of(shapes, (unsigned)grz_random_below(&random, PLACED_SHAPES), &poses[1]);
        graze_distance distance;
        assert_int_equal(graze_pair_distance(NULL, &a.placed, &b.placed, NULL, &distance), GRAZE_STATUS_OK);
        /* Zero, the whole distance, or half of it. */
        double asked = round % 3 == 0 ? 0 : round % 3 == 1 ? distance.upper : 0.5 * distance.lower;
        saved_environment saved;
        environment_enter(&saved, (int)(round % ENVIRONMENTS));
        bool is_apart = clash_is_separated(&a, &b, asked);
        assert_int_equal(clash_is_separated(&b, &a, asked) && round % 3 == 1, 0);
        environment_leave(&saved);
        assert_false(is_apart && (distance.upper == 0 || round % 3 == 1));
        met += distance.upper == 0;
        apart += distance.lower > 0 && round % 3 != 1;
        parted += is_apart;
        near += is_apart && round % 3 == 2;
    }
    printf("%u met, %u of %u apart were parted, %u by half their distance\n", met, parted, apart, near);
    assert_true(met > 300 && 2 * parted > apart && near > 100);
    placed_shapes_destroy(shapes);
}

/* Gaps that doubles represent: one of exactly the clearance is not larger, and touching is no gap. */
static void a_gap_of_just_the_clearance_is_not_more(void **state)
{
    (void)state;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
    clash_part a = {.placed = {mesh, NULL, graze_pose_identity()}, .triangle_count = 12}, b = a;
    b.placed.pose = graze_pose_translation(1.5, 0.25, 0);
    assert_true(clash_is_separated(&a, &b, 0) && clash_is_separated(&a, &b, 0.4999));
    assert_false(clash_is_separated(&a, &b, 0.5));
    b.placed.pose = graze_pose_translation(1, 0.25, 0);
    assert_false(clash_is_separated(&a, &b, 0));
    b.placed.pose = graze_pose_translation(1e300, 0, 0); /* too far for the error bound of heights */
    assert_false(clash_is_separated(&a, &b, 0));
    clash_part none = a;
    none.triangle_count = 0;
    assert_false(clash_is_separated(&a, &none, 0));
    graze_mesh_destroy(mesh);
}

/* ---- the far ends of the range ---- */

/* Boxes with corners at integers times 2^low, and poses of 2^high with reflections: in the world they are at integers
 * times 2^(low + high), however far both powers are from 1. */
typedef struct grid_box
{
    graze_mesh *mesh;
    clash_part part;
    int lower[3], upper[3];
} grid_box;

static grid_box make_grid_box(grz_random *random, int low, int high)
{
    static const uint32_t corners[36] = {0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 4, 5, 0, 5, 1,
                                         2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    grid_box made;
    double vertices[24];
    graze_pose pose = {{0}};
    for (int axis = 0; axis < 3; axis++)
    {
        int from = (int)grz_random_below(random, 7), to = from + (int)grz_random_below(random, 4);
        int turn = grz_random_below(random, 2) == 0 ? 1 : -1;
        int shift = (int)grz_random_below(random, 5) + (turn > 0 ? 0 : 9);
        for (int corner = 0; corner < 8; corner++)
            vertices[3 * corner + axis] = ldexp((corner >> axis & 1) != 0 ? to : from, low);
        pose.m[5 * axis] = ldexp(turn, high);
        pose.m[4 * axis + 3] = ldexp(shift, low + high);
        made.lower[axis] = shift + (turn > 0 ? from : -to);
        made.upper[axis] = shift + (turn > 0 ? to : -from);
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.corners = corners;
    def.corner_count = 36;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &made.mesh), GRAZE_STATUS_OK);
    made.part = (clash_part){.placed = {made.mesh, NULL, pose}, .triangle_count = 12};
    return made;
}

/* The square of their distance, in steps of the grid. */
static int square_gap(const grid_box *a, const grid_box *b)
{
    int sum = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        int above = a->lower[axis] - b->upper[axis], below = b->lower[axis] - a->upper[axis];
        int gap = above > below ? above : below;
        sum += gap > 0 ? gap * gap : 0;
    }
    return sum;
}

static void planes_are_right_at_the_far_ends_of_the_range_as_well(void **state)
{
    (void)state;
    const uint64_t seed = 20261117;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    unsigned parted = 0, close = 0;
    for (unsigned round = 0; round < 40000; round++)
    {
        /* Their world position, and the pose of each. */
        int where =
            round % 2 == 0 ? (int)grz_random_below(&random, 41) - 20 : (int)grz_random_below(&random, 1801) - 900;
        int lows[2];
        for (int i = 0; i < 2; i++)
        {
            int least = where - 1000 > -1074 ? where - 1000 : -1074, most = where + 1074 < 1000 ? where + 1074 : 1000;
            lows[i] = least + (int)grz_random_below(&random, (uint32_t)(most - least + 1));
            if (round % 4 > 1)
                lows[i] = (int)grz_random_below(&random, 401) - 200;
        }
        grid_box a = make_grid_box(&random, lows[0], where - lows[0]);
        grid_box b = make_grid_box(&random, lows[1], where - lows[1]);
        unsigned asked = (unsigned)grz_random_below(&random, 5);
        saved_environment saved;
        environment_enter(&saved, (int)(round / 4 % ENVIRONMENTS));
        bool is_apart = clash_is_separated(&a.part, &b.part, ldexp(asked, where));
        environment_leave(&saved);
        bool is_close = square_gap(&a, &b) <= (int)(asked * asked);
        assert_false(is_apart && is_close);
        parted += is_apart;
        close += is_close;
        graze_mesh_destroy(a.mesh);
        graze_mesh_destroy(b.mesh);
    }
    printf("%u parted, %u too close\n", parted, close);
    assert_true(parted > 8000 && close > 8000);
}

/* ---- trees ---- */

typedef struct fixture
{
    tool_inputs inputs;
    clash_parts parts;
    clash_rules *rules;
} fixture;

static const tool_console console = {0};

/* Two boxes that cross, one whose AABB overlaps theirs but which a plane separates from them, and one far away. */
static fixture open_fixture(const graze_context *context)
{
    FILE *file = fopen("four.obj", "w");
    assert_non_null(file);
    put_box(file, "a", (double[3]){0, 0, 0}, (double[3]){4, 4, 4}, 1);
    put_box(file, "b", (double[3]){3, 3, 3}, (double[3]){5, 5, 5}, 9);
    /* A triangle across the corner of a: its AABB contains that of b, its plane is beyond both. */
    fputs("o c\nv 20 0 0\nv 0 20 0\nv 0 0 20\nf 17 18 19\n", file);
    put_box(file, "d", (double[3]){90, 0, 0}, (double[3]){91, 1, 1}, 20);
    assert_int_equal(fclose(file), 0);
    fixture f = {0};
    clash_tolerances tolerances = {0};
    assert_int_equal(inputs_read(&console, NULL, (const char *const[]){"four.obj"}, 1, UNIT_NONE, &f.inputs), 0);
    assert_int_equal(clash_parts_make(&console, context, &f.inputs, NULL, NULL, &f.parts), 0);
    assert_int_equal(clash_rules_load(&console, NULL, &tolerances, &f.rules), 0);
    assert_true(clash_rules_prepare(f.rules, f.parts.parts, f.parts.count));
    return f;
}

static void close_fixture(fixture *f)
{
    clash_rules_release(f->rules);
    clash_parts_release(&f->parts);
    inputs_release(&f->inputs);
}

static exit_code check(fixture *f, const graze_context *context, bool self, clash_report *out_report)
{
    clash_request request = {.console = &console,
                             .context = context,
                             .parts = f->parts.parts,
                             .part_count = f->parts.count,
                             .owner = &f->parts,
                             .rules = f->rules,
                             .self = self};
    *out_report = (clash_report){0};
    return clash_find(&request, out_report);
}

static void trees_are_built_where_a_pair_or_a_part_itself_needs_one(void **state)
{
    (void)state;
    graze_context context = graze_context_default();
    fixture f = open_fixture(&context);
    clash_report report;
    assert_int_equal(f.parts.count, 4);
    assert_int_equal(check(&f, &context, false, &report), 0);
    assert_true(report.finding_count == 1 && report.counts.pairs_tested == 3 && report.complete);
    assert_true(f.parts.parts[0].placed.tree != NULL && f.parts.parts[1].placed.tree != NULL);
    assert_true(f.parts.parts[2].placed.tree == NULL && f.parts.parts[3].placed.tree == NULL);
    clash_report_release(&report);
    assert_int_equal(check(&f, &context, true, &report), 0);
    assert_true(report.finding_count == 1 && report.counts.selves_tested == 4);
    for (size_t i = 0; i < 4; i++)
        assert_non_null(f.parts.parts[i].placed.tree);
    clash_report_release(&report);
    close_fixture(&f);
}

static void memory_that_ends_ends_the_check_with_code_5(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        graze_context usual = graze_context_default();
        fixture f = open_fixture(&usual);
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        clash_report report;
        exit_code code = check(&f, &context, true, &report);
        clash_report_release(&report);
        close_fixture(&f);
        assert_int_equal(allocator.live, 0);
        if (code == 0)
            break;
        assert_int_equal(code, EXIT_INTERNAL);
        failures++;
    }
    printf("%zu failures\n", failures);
    assert_true(failures > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separated_parts_are_farther_than_asked),
        cmocka_unit_test(a_gap_of_just_the_clearance_is_not_more),
        cmocka_unit_test(planes_are_right_at_the_far_ends_of_the_range_as_well),
        cmocka_unit_test(trees_are_built_where_a_pair_or_a_part_itself_needs_one),
        cmocka_unit_test(memory_that_ends_ends_the_check_with_code_5),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
