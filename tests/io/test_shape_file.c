/* SPDX-License-Identifier: MIT */
/*
 * Shape files: every kind, what is refused with its key and line, scales, round trips, mesh files in their place; the
 * schema and the reader agree; cut and altered bytes do no harm.
 */
#include "graze/shape_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/environment.h"
#include "support/failing_allocator.h"
#include "support/json_schema.h"
#include "support/random.h"
#include "support/tool_process.h"
#include "support/unit.h"

/* One of each kind, in their order. */
static const char *const examples[GRAZE_SHAPE_KIND_COUNT] = {
    [GRAZE_SHAPE_HULL] = "{\"kind\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 0.3]]}",
    [GRAZE_SHAPE_SPHERE] = "{\"kind\": \"sphere\", \"centre\": [1, 2, 0.3], \"radius\": 0.1}",
    [GRAZE_SHAPE_CAPSULE] = "{\"kind\": \"capsule\", \"ends\": [[0, 0, 0], [0, 0, 1]], \"radius\": 0.25}",
    [GRAZE_SHAPE_BOX] = "{\"kind\": \"box\", \"size\": [1, 0.3, 0]}",
    [GRAZE_SHAPE_CYLINDER] = "{\"kind\": \"cylinder\", \"height\": 0.3, \"radius\": 0.1}",
    [GRAZE_SHAPE_CONE] = "{\"kind\": \"cone\", \"height\": 0.3, \"radius\": 0.1}",
    [GRAZE_SHAPE_ELLIPSOID] = "{\"kind\": \"ellipsoid\", \"radii\": [0.1, 0.2, 0.3]}",
    [GRAZE_SHAPE_HALF_SPACE] = "{\"kind\": \"half_space\", \"normal\": [0, 0.3, 1], \"offset\": -0.3}",
    [GRAZE_SHAPE_TRIANGLE] = "{\"kind\": \"triangle\", \"points\": [[0, 0, 0], [0.3, 0, 0], [0, 1, 0]]}",
    [GRAZE_SHAPE_SEGMENT] = "{\"kind\": \"segment\", \"points\": [[0, 0, 0], [0.3, 0, 0]]}",
    [GRAZE_SHAPE_POINT] = "{\"kind\": \"point\", \"points\": [[0.1, 0.2, 0.3]]}",
    [GRAZE_SHAPE_HEIGHT_FIELD] =
        "{\"kind\": \"height_field\", \"size\": [0.3, 2], \"heights\": [[0, 1, 0.3], [2, 0, 1]]}",
    [GRAZE_SHAPE_COMPOUND] =
        "{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"pose\": [0, -1, "
        "0, "
        "0.3, 1, 0, 0, 4, 0, 0, 1, 5]},\n {\"shape\": {\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": "
        "\"box\", \"size\": [1, 1, 1]}}]}}]}",
    [GRAZE_SHAPE_ROUNDED] = "{\"kind\": \"rounded\", \"core\": {\"kind\": \"box\", \"size\": [1, 2, 0.3]}, \"radius\": "
                            "0.1}",
};

static graze_status read_scaled(const char *text, double scale, graze_error *error, graze_shape_set **out_set)
{
    size_t size = strlen(text);
    char *copy = malloc(size > 0 ? size : 1); /* without a zero byte at the end */
    assert_non_null(copy);
    memcpy(copy, text, size);
    graze_status status =
        graze_shape_set_read_memory(NULL, copy, size, "a.json", GRAZE_FORMAT_SHAPE, scale, false, NULL, error, out_set);
    free(copy);
    return status;
}

static graze_shape_set *read_good(const char *text, double scale)
{
    graze_error error = {0};
    graze_shape_set *set = NULL;
    if (read_scaled(text, scale, &error, &set) != GRAZE_STATUS_OK)
        fail_msg("%s", error.text);
    return set;
}

static char *write_again(const graze_shape *shape)
{
    void *bytes = NULL;
    size_t size = 0;
    assert_int_equal(graze_shape_write_memory(NULL, shape, &bytes, &size), GRAZE_STATUS_OK);
    char *text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    graze_memory_release(NULL, bytes);
    return text;
}

static void every_kind_is_read_and_written_so_that_it_reads_back(void **state)
{
    (void)state;
    size_t count = 0;
    for (int kind = 0; kind < GRAZE_SHAPE_KIND_COUNT; kind++)
    {
        if (examples[kind] == NULL)
            continue;
        graze_shape_set *set = read_good(examples[kind], 1);
        const graze_shape *shape = graze_shape_set_shape(set);
        assert_int_equal(graze_shape_get_kind(shape), kind);
        assert_null(graze_shape_set_model(set));
        char *text = write_again(shape);
        graze_shape_set *again = read_good(text, 1);
        char *second = write_again(graze_shape_set_shape(again));
        assert_string_equal(text, second);
        graze_placed placed[2] = {{shape, graze_pose_identity()}, {graze_shape_set_shape(again), placed[0].pose}};
        placed[1].pose = graze_pose_identity();
        graze_box boxes[2];
        for (int i = 0; i < 2; i++)
            assert_int_equal(graze_placed_bounds(&placed[i], &boxes[i]), GRAZE_STATUS_OK);
        assert_memory_equal(&boxes[0], &boxes[1], sizeof boxes[0]);
        free(text);
        free(second);
        graze_shape_set_destroy(again);
        graze_shape_set_destroy(set);
        count++;
    }
    assert_int_equal(count, GRAZE_SHAPE_KIND_COUNT - 1); /* all but meshes */
}

/* Those whose points are equal have one vertex, and are written with all. */
static void degenerate_shapes_survive_the_round_trip(void **state)
{
    (void)state;
    static const char rounded[] = "{\"kind\": \"rounded\", \"core\": {\"kind\": \"triangle\", \"points\": "
                                  "[[1, 2, 3], [1, 2, 3], [0, 0, 0]]}, \"radius\": 5e-324}\n";
    static const char *const texts[] = {
        "{\"kind\": \"capsule\", \"ends\": [[1, 2, 3], [1, 2, 3]], \"radius\": 0}\n",
        "{\"kind\": \"segment\", \"points\": [[1, 2, 3], [1, 2, 3]]}\n",
        "{\"kind\": \"triangle\", \"points\": [[1, 2, 3], [1, 2, 3], [1, 2, 3]]}\n",
        "{\"kind\": \"hull\", \"points\": [[1, 2, 3]]}\n",
        "{\"kind\": \"box\", \"size\": [0, 0, 0]}\n",
        rounded,
        "{\"kind\": \"sphere\", \"centre\": [1e+308, 5e-324, -0], \"radius\": 0}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    {
        graze_shape_set *set = read_good(texts[i], 1);
        char *text = write_again(graze_shape_set_shape(set));
        graze_shape_set *again = read_good(text, 1);
        char *second = write_again(graze_shape_set_shape(again));
        assert_string_equal(text, second);
        if (i < 5)
            assert_string_equal(text, texts[i]);
        free(text);
        free(second);
        graze_shape_set_destroy(again);
        graze_shape_set_destroy(set);
    }
}

static void numbers_arrive_as_they_are_written(void **state)
{
    (void)state;
    graze_shape_set *set = read_good(examples[GRAZE_SHAPE_COMPOUND], 1);
    const graze_shape *shape = graze_shape_set_shape(set);
    const graze_placed *parts = graze_shape_parts(shape);
    assert_int_equal(graze_shape_part_count(shape), 2);
    assert_true(parts[0].pose.m[1] == -1 && parts[0].pose.m[3] == 0.3 && parts[0].pose.m[11] == 5);
    assert_true(graze_shape_radius(parts[0].shape) == 0.1);
    assert_true(graze_mesh_vertices(graze_shape_mesh(parts[0].shape))[0] == 0);
    graze_pose identity = graze_pose_identity();
    assert_memory_equal(&parts[1].pose, &identity, sizeof identity);
    graze_shape_set_destroy(set);

    double numbers[4];
    set = read_good(examples[GRAZE_SHAPE_HALF_SPACE], 1);
    assert_int_equal(graze_shape_numbers(graze_shape_set_shape(set), numbers, 4), 4);
    assert_true(numbers[0] == 0 && numbers[1] == 0.3 && numbers[2] == 1 && numbers[3] == -0.3);
    graze_shape_set_destroy(set);
    set = read_good(examples[GRAZE_SHAPE_HEIGHT_FIELD], 1);
    const double *vertices = graze_mesh_vertices(graze_shape_mesh(graze_shape_set_shape(set)));
    assert_true(vertices[0] == -0.15 && vertices[1] == -1 && vertices[3 * 3 + 2] == 2 && vertices[3 * 2 + 2] == 0.3);
    graze_shape_set_destroy(set);
}

/* ---- scale ---- */

static void lengths_are_scaled_and_rounded_once(void **state)
{
    (void)state;
    static const double scale = 25.4;
    for (int number = 0; number < ENVIRONMENTS; number++)
    {
        saved_environment saved;
        graze_shape_set *sets[5];
        static const graze_shape_kind kinds[5] = {GRAZE_SHAPE_COMPOUND, GRAZE_SHAPE_HALF_SPACE, GRAZE_SHAPE_SPHERE,
                                                  GRAZE_SHAPE_HEIGHT_FIELD, GRAZE_SHAPE_CYLINDER};
        environment_enter(&saved, number);
        for (int i = 0; i < 5; i++)
            sets[i] = read_good(examples[kinds[i]], scale);
        environment_leave(&saved);
        const graze_placed *parts = graze_shape_parts(graze_shape_set_shape(sets[0]));
        double numbers[4];
        assert_true(parts[0].pose.m[1] == -1 && parts[0].pose.m[3] == 0.3 * scale && parts[0].pose.m[7] == 4 * scale);
        assert_true(graze_shape_radius(parts[0].shape) == 0.1 * scale);
        graze_shape_numbers(graze_shape_set_shape(sets[1]), numbers, 4);
        assert_true(numbers[1] == 0.3 && numbers[3] == -0.3 * scale);
        assert_true(graze_mesh_vertices(graze_shape_mesh(graze_shape_set_shape(sets[2])))[2] == 0.3 * scale);
        graze_shape_numbers(graze_shape_set_shape(sets[3]), numbers, 4);
        assert_true(numbers[0] == 0.3 * scale && numbers[2] == 3);
        assert_true(graze_mesh_vertices(graze_shape_mesh(graze_shape_set_shape(sets[3])))[3 * 2 + 2] == 0.3 * scale);
        graze_shape_numbers(graze_shape_set_shape(sets[4]), numbers, 4);
        assert_true(numbers[0] == 0.3 * scale && numbers[1] == 0.1 * scale);
        for (int i = 0; i < 5; i++)
            graze_shape_set_destroy(sets[i]);
    }
}

static void scales_are_finite_and_above_zero(void **state)
{
    (void)state;
    static const double scales[] = {0, -1, INFINITY, NAN};
    for (size_t i = 0; i < 4; i++)
    {
        graze_error error = {0};
        graze_shape_set *set = NULL;
        assert_int_equal(read_scaled(examples[GRAZE_SHAPE_BOX], scales[i], &error, &set), GRAZE_STATUS_BAD_ARGUMENT);
        assert_null(set);
    }
}

/* ---- refusals ---- */

static void what_is_wrong_is_refused_with_its_key_and_line(void **state)
{
    (void)state;
    static const struct
    {
        const char *text;
        uint64_t line;
        const char *what;
    } cases[] = {
        {"{\"kind\": \"sphere\"}", 1, "a.json, line 1: 'radius' is missing"},
        {"{\"kind\": \"sphere\",\n\"radius\": -1}", 2, "a.json, line 2: radius: this must not be negative"},
        {"{\"kind\": \"sphere\",\n\"radius\": 1e999}", 2, "radius: this number is beyond the range of doubles"},
        {"{\"kind\": \"sphere\", \"radius\": \"1\"}", 1, "radius: expected a number, not a text"},
        {"{\"kind\": \"sphere\", \"radius\": 1,\n\n\"center\": [0, 0, 0]}", 3, "center: there is no such key here"},
        {"{\"kind\": \"sphere\", \"radius\": 1, \"radius\": 2}", 1, "radius: this key is there twice"},
        {"{\"kind\": \"sphere\", \"radius\": 1, \"centre\": [0, 0]}", 1, "centre: expected 3 numbers, not 2"},
        {"{\"kind\": \"sphere\", \"radius\": 1, \"centre\": [0,\n0, null]}", 2, "centre[2]: expected a number"},
        {"{\"kind\": \"shpere\", \"radius\": 1}", 1, "kind: there is no shape 'shpere'; did you mean 'sphere'?"},
        {"{\"kind\": \"mesh\"}", 1, "kind: there is no shape 'mesh'"},
        {"{\"kind\": 3}", 1, "kind: expected a text"},
        {"{\"radius\": 3}", 1, "'kind' is missing"},
        {"[1, 2]", 1, "expected an object that describes a shape"},
        {"{\"kind\": \"capsule\", \"radius\": 1}", 1, "'ends' is missing"},
        {"{\"kind\": \"capsule\", \"ends\": [[0, 0, 0]], \"radius\": 1}", 1, "ends: expected 2 points, not 1"},
        {"{\"kind\": \"capsule\", \"ends\": [[0, 0, 0], [0, 0, 1, 2]], \"radius\": 1}", 1,
         "ends[1]: expected 3 numbers"},
        {"{\"kind\": \"box\", \"size\": [1, 1, -1]}", 1, "size[2]: this must not be negative"},
        {"{\"kind\": \"box\", \"size\": 1}", 1, "size: expected 3 numbers, not a number"},
        {"{\"kind\": \"ellipsoid\", \"radii\": [1, -1, 1]}", 1, "radii[1]: this must not be negative"},
        {"{\"kind\": \"cylinder\", \"height\": -1, \"radius\": 1}", 1, "height: this must not be negative"},
        {"{\"kind\": \"cone\", \"height\": 1, \"radius\": -1}", 1, "radius: this must not be negative"},
        {"{\"kind\": \"hull\", \"points\": []}", 1, "points: there must be a point at least"},
        {"{\"kind\": \"hull\", \"points\": {}}", 1, "points: expected a list, not an object"},
        {"{\"kind\": \"hull\", \"points\": [[0, 0, 0],\n [1]]}", 2, "points[1]: expected 3 numbers, not 1"},
        {"{\"kind\": \"half_space\", \"normal\": [0, 0, -0], \"offset\": 1}", 1, "normal: a normal must not be zero"},
        {"{\"kind\": \"half_space\", \"normal\": [0, 0, 1]}", 1, "'offset' is missing"},
        {"{\"kind\": \"point\", \"points\": [[0, 0, 0], [1, 1, 1]]}", 1, "points: expected 1 point, not 2"},
        {"{\"kind\": \"height_field\", \"size\": [1, 0], \"heights\": [[1, 1], [1, 1]]}", 1,
         "size[1]: this must be above"},
        {"{\"kind\": \"height_field\", \"size\": [1, 1], \"heights\": [[1, 1]]}", 1, "heights: there must be two rows"},
        {"{\"kind\": \"height_field\", \"size\": [1, 1], \"heights\": [[1], [1]]}", 1, "heights[0]: there must be two"},
        {"{\"kind\": \"height_field\", \"size\": [1, 1], \"heights\": [[1, 1], [1, 1, 1]]}", 1,
         "heights[1]: expected 2 numbers, not 3"},
        {"{\"kind\": \"compound\", \"parts\": []}", 1, "parts: there must be a part at least"},
        {"{\"kind\": \"compound\", \"parts\": [{}]}", 1, "parts[0]: 'shape' is missing"},
        {"{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}},\n{\"shape\": "
         "{\"kind\": \"sphere\",\n\"radius\": -1}}]}",
         3, "a.json, line 3: parts[1].shape.radius: this must not be negative"},
        {"{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1},\n\"pose\": [2, 0, 0, "
         "0, "
         "0, 1, 0, 0, 0, 0, 1, 0]}]}",
         2, "parts[0].pose: a shape with a radius or a curved one takes a rotation"},
        {"{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1], "
         "\"offset\": "
         "0}, \"pose\": [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]}]}",
         1, "parts[0].pose: a half-space takes a matrix with an inverse"},
        {"{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"point\", \"points\": [[0, 0, 0]]}, \"pose\": "
         "[1]}]}",
         1, "parts[0].pose: expected 12 numbers, not 1"},
        {"{\"kind\": \"rounded\", \"core\": {\"kind\": \"sphere\", \"radius\": 1}, \"radius\": 1}", 1,
         "core: only a box, hull, triangle, segment or point is rounded"},
        {"{\"kind\": \"rounded\", \"core\": {\"kind\": \"box\", \"size\": [1, 1, -1]}, \"radius\": 1}", 1,
         "core.size[2]: this must not be negative"},
        {"{\"kind\": \"box\", \"size\": [1, 1, 1]\n", 2, "the text ends within a value"},
        {"{\"kind\": \"box\", \"size\": [1, 1, 1]}\n}", 2, "expected the end"},
        {"{\"kind\": \"box\",\n\"size\": [1, 1, 01]}", 2, "size: a number is not written as JSON wants it"},
        {"{\"kind\": \"sphere\", \"radius\": NaN}", 1, "radius: expected a value, not 'N'"},
        {"{\"kind\": \"hull\", \"points\": [[0, 0, 0],\n[0, Infinity, 1]]}", 2, "points: expected a value, not 'I'"},
        {"{\"kind\": \"rounded\", \"core\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, \"radius\": -NaN}", 1,
         "radius: a number is not written as JSON wants it"},
        {"{\"kind\": \"b\xff\"}", 1, "this byte is no UTF-8"},
        {" ", 1, "expected a value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_error error = {0};
        graze_shape_set *set = NULL;
        graze_status status = read_scaled(cases[i].text, 1, &error, &set);
        if (status != GRAZE_STATUS_BAD_FORMAT || error.line != cases[i].line ||
            strstr(error.text, cases[i].what) == NULL)
            fail_msg("%s\n gave %d, line %d: %s\n expected line %d: %s", cases[i].text, (int)status, (int)error.line,
                     error.text, (int)cases[i].line, cases[i].what);
        assert_null(set);
    }
}

static void numbers_that_a_scale_brings_out_of_range_are_refused(void **state)
{
    (void)state;
    static const struct
    {
        const char *text, *what;
    } cases[] = {
        {"{\"kind\": \"sphere\", \"radius\": 1e300}", "radius: times the scale this is beyond the range of doubles"},
        {"{\"kind\": \"box\", \"size\": [1, 1e300, 1]}", "size[1]: times"},
        {"{\"kind\": \"hull\", \"points\": [[0, 0, 0], [0, 1e300, 0]]}", "points[1][1]: times"},
        {"{\"kind\": \"half_space\", \"normal\": [1e300, 0, 0], \"offset\": -1e300}", "offset: times"},
        {"{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"pose\": "
         "[1, 0, 0, 0, 0, 1, 0, 1e300, 0, 0, 1, 0]}]}",
         "parts[0].pose[7]: times"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_error error = {0};
        graze_shape_set *set = NULL;
        assert_int_equal(read_scaled(cases[i].text, 1e10, &error, &set), GRAZE_STATUS_BAD_FORMAT);
        if (strstr(error.text, cases[i].what) == NULL)
            fail_msg("%s", error.text);
    }
}

static void comments_and_the_name_of_a_schema_are_passed_over(void **state)
{
    (void)state;
    graze_shape_set *set =
        read_good("\xef\xbb\xbf{\"$schema\": \"shape.schema.json\", \"comment 1\": [1, {}], \"kind\": "
                  "\"sphere\", \"x-made-by\": null, \"radius\": 2}",
                  1);
    assert_true(graze_shape_radius(graze_shape_set_shape(set)) == 2);
    graze_shape_set_destroy(set);
}

/* `levels` compounds around a point. */
static char *nested(int levels)
{
    static const char begin[] = "{\"kind\": \"compound\", \"parts\": [{\"shape\": ", end[] = "}]}";
    static const char point[] = "{\"kind\": \"point\", \"points\": [[0, 0, 0]]}";
    char *text = malloc((size_t)levels * (sizeof begin + sizeof end) + sizeof point);
    assert_non_null(text);
    text[0] = '\0';
    for (int i = 0; i < levels; i++)
        strcat(text, begin);
    strcat(text, point);
    for (int i = 0; i < levels; i++)
        strcat(text, end);
    return text;
}

static void shapes_nest_to_a_limit(void **state)
{
    (void)state;
    char *deepest = nested(63), *deeper = nested(64), *far_deeper = nested(1000);
    graze_shape_set *set = read_good(deepest, 1);
    char *text = write_again(graze_shape_set_shape(set));
    graze_shape_set_destroy(set);
    set = read_good(text, 1);
    graze_shape_set_destroy(set);
    set = NULL;
    graze_error error = {0};
    assert_int_equal(read_scaled(deeper, 1, &error, &set), GRAZE_STATUS_BAD_FORMAT);
    assert_non_null(strstr(error.text, "].shape: shapes are nested too deep"));
    assert_int_equal(read_scaled(far_deeper, 1, &error, &set), GRAZE_STATUS_BAD_FORMAT);
    assert_non_null(strstr(error.text, "nested too deep"));
    assert_null(set);
    free(text);
    free(far_deeper);
    free(deeper);
    free(deepest);
}

static bool stop(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

static void the_budget_ends_the_reading_of_large_hulls(void **state)
{
    (void)state;
    enum
    {
        COUNT = 20000
    };
    char *text = malloc(100 * COUNT);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "{\"kind\": \"hull\", \"points\": [");
    for (int i = 0; i < COUNT; i++)
        used += (size_t)sprintf(text + used, "%s[%.17g, %.17g, %.17g]", i > 0 ? ", " : "", sin(i), sin(1.3 * i),
                                sin(1.7 * i));
    strcpy(text + used, "]}");
    graze_budget cancelled = {.progress = stop};
    size_t stopped = 0;
    graze_shape_set *set = NULL;
    graze_error error = {0};
    assert_int_equal(graze_shape_set_read_memory(NULL, text, strlen(text), NULL, GRAZE_FORMAT_AUTO, 1, false,
                                                 &cancelled, &error, &set),
                     GRAZE_STATUS_CANCELLED);
    for (uint64_t limit = 10000; set == NULL; limit *= 2)
    {
        graze_budget budget = {.box_tests = limit};
        graze_status status = graze_shape_set_read_memory(NULL, text, strlen(text), NULL, GRAZE_FORMAT_AUTO, 1, false,
                                                          &budget, &error, &set);
        assert_true(status == (set != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_UNFINISHED));
        stopped += set == NULL;
    }
    assert_true(stopped >= 3);
    graze_shape_set_destroy(set);
    free(text);
}

/* ---- other files ---- */

static const char off_text[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

static void mesh_files_are_read_as_shapes_of_their_meshes(void **state)
{
    (void)state;
    for (int solid = 0; solid < 2; solid++)
    {
        graze_shape_set *set = NULL;
        assert_int_equal(graze_shape_set_read_memory(NULL, off_text, sizeof off_text - 1, "a.off", GRAZE_FORMAT_AUTO, 2,
                                                     solid == 1, NULL, NULL, &set),
                         GRAZE_STATUS_OK);
        const graze_shape *shape = graze_shape_set_shape(set);
        assert_int_equal(graze_shape_get_kind(shape), GRAZE_SHAPE_MESH);
        assert_int_equal(graze_shape_is_solid(shape), solid);
        assert_ptr_equal(graze_shape_mesh(shape), graze_model_mesh(graze_shape_set_model(set)));
        assert_true(graze_mesh_vertices(graze_shape_mesh(shape))[3] == 1); /* not scaled */
        void *bytes = NULL;
        size_t size = 0;
        assert_int_equal(graze_shape_write_memory(NULL, shape, &bytes, &size), GRAZE_STATUS_UNSUPPORTED);
        graze_shape_set_destroy(set);
    }
}

static void shapes_are_told_from_other_json_by_their_kind(void **state)
{
    (void)state;
    static const struct
    {
        const char *text;
        bool is_shape;
    } cases[] = {
        {"{\"kind\": \"box\"}", true},
        {"  \n{ \"size\" : [1, {\"a\": 2}],\n \"kind\" \n: \"box\"}", true},
        {"{\"x-note\": \"\\\"kind\\\": 1\", \"kind\": 1}", true},
        {"{\"radius\": {\"kind\": \"box\"}}", false},
        {"{\"asset\": {\"version\": \"2.0\"}, \"kind\": \"box\"}", false},
        {"{\"asset\": {\"kind\": \"box\"}}", false},
        {"{\"name\": \"kind\"}", false},
        {"{\"graze\": \"scene\"}", false},
        {"{}, \"kind\": 1", false},
        {"{\"kind\"", false},
        {"{\"kind", false},
        {"{\"kind\\", false},
        {"{", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_error error = {0};
        graze_model *model = NULL;
        graze_status status = graze_model_read_memory(NULL, cases[i].text, strlen(cases[i].text), NULL,
                                                      GRAZE_FORMAT_AUTO, NULL, &error, &model);
        bool is_shape = strstr(error.text, "this describes a shape") != NULL;
        if (status == GRAZE_STATUS_OK || is_shape != cases[i].is_shape)
            fail_msg("%s: %s", cases[i].text, error.text);
        assert_true(!is_shape || status == GRAZE_STATUS_UNSUPPORTED);
    }
}

static void files_are_written_and_read(void **state)
{
    (void)state;
    graze_shape_set *set = read_good(examples[GRAZE_SHAPE_COMPOUND], 1), *again = NULL;
    graze_error error = {0};
    assert_int_equal(graze_shape_write_file(NULL, graze_shape_set_shape(set), "shape.json", &error), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_set_read_file(NULL, "shape.json", GRAZE_FORMAT_AUTO, 1, false, NULL, &error, &again),
                     GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_part_count(graze_shape_set_shape(again)), 2);
    graze_shape_set_destroy(again);
    graze_shape_set_destroy(set);
    set = NULL;
    assert_int_equal(graze_shape_set_read_file(NULL, "none.json", GRAZE_FORMAT_AUTO, 1, false, NULL, &error, &set),
                     GRAZE_STATUS_NOT_FOUND);
    write_text("empty.json", "");
    assert_int_equal(graze_shape_set_read_file(NULL, "empty.json", GRAZE_FORMAT_AUTO, 1, false, NULL, &error, &set),
                     GRAZE_STATUS_EMPTY);
    write_text("a.off", off_text);
    assert_int_equal(graze_shape_set_read_file(NULL, "a.off", GRAZE_FORMAT_AUTO, 1, false, NULL, &error, &set),
                     GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_write_file(NULL, graze_shape_set_shape(set), "mesh.json", &error),
                     GRAZE_STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "mesh.json"));
    graze_shape_set_destroy(set);
}

/* ---- the schema, and other bytes ---- */

/* All values below one, to choose from. */
static size_t gather_items(cJSON *item, cJSON **items, size_t count, size_t capacity)
{
    cJSON *child;
    cJSON_ArrayForEach(child, item)
    {
        assert_true(count < capacity);
        items[count++] = child;
        count = gather_items(child, items, count, capacity);
    }
    return count;
}

/* Replaces a value, or removes it, or misspells a key. */
static void mutate(test_random *random, cJSON *document)
{
    static const char *const values[] = {"null", "0", "1", "-1", "1e300", "\"box\"", "[]", "[1, 2, 3]", "{}", "2.5"};
    cJSON *items[512];
    size_t count = gather_items(document, items, 0, 512);
    if (count == 0)
        return;
    cJSON *item = items[random_below(random, (int)count)], *parent = NULL, *child;
    for (size_t i = 0; i <= count && parent == NULL; i++)
    {
        cJSON *candidate = i < count ? items[i] : document;
        cJSON_ArrayForEach(child, candidate)
        {
            if (child == item)
                parent = candidate;
        }
    }
    assert_non_null(parent);
    if (random_once_in(random, 4))
        cJSON_Delete(cJSON_DetachItemViaPointer(parent, item));
    else if (item->string != NULL && random_once_in(random, 6))
        item->string[0]++;
    else if (item->string != NULL)
        cJSON_ReplaceItemInObjectCaseSensitive(parent, item->string, cJSON_Parse(values[random_below(random, 10)]));
    else
        cJSON_ReplaceItemViaPointer(parent, item, cJSON_Parse(values[random_below(random, 10)]));
}

/* Files that the reader accepts, the schema accepts; files that the schema refuses, the reader refuses. */
static void reader_and_schema_agree_about_changed_files(void **state)
{
    (void)state;
    test_random random = test_random_start("reader_and_schema_agree_about_changed_files", 1812);
    cJSON *schema = schema_load(GRAZE_SOURCE_PATH "/docs/shape.schema.json");
    int taken = 0, refused = 0, stricter = 0;
    for (int round = 0; round < TEST_ROUNDS(4000); round++)
    {
        int kind = 1 + random_below(&random, GRAZE_SHAPE_KIND_COUNT - 1);
        cJSON *document = cJSON_Parse(examples[kind]);
        assert_true(schema_accepts(schema, schema, document));
        for (int i = random_below(&random, 3); i > 0; i--)
            mutate(&random, document);
        char *text = cJSON_PrintUnformatted(document);
        graze_shape_set *set = NULL;
        graze_error error = {0};
        graze_status status = read_scaled(text, 1, &error, &set);
        bool fits = schema_accepts(schema, schema, document);
        if (status != GRAZE_STATUS_OK && (status != GRAZE_STATUS_BAD_FORMAT || error.line == GRAZE_NO_INDEX))
            fail_msg("status %d for %s", status, text);
        if (status == GRAZE_STATUS_OK && !fits)
            fail_msg("taken, but not by the schema: %s", text);
        taken += status == GRAZE_STATUS_OK;
        refused += !fits;
        stricter += status != GRAZE_STATUS_OK && fits;
        graze_shape_set_destroy(set);
        cJSON_free(text);
        cJSON_Delete(document);
    }
    printf("%d taken, %d refused by the schema too, %d by the reader alone\n", taken, refused, stricter);
    assert_true(taken > TEST_ROUNDS(1000) && refused > TEST_ROUNDS(1000) && stricter > 0);
    cJSON_Delete(schema);
}

static void cut_and_altered_bytes_do_no_harm(void **state)
{
    (void)state;
    test_random random = test_random_start("cut_and_altered_bytes_do_no_harm", 1813);
    const char *whole = examples[GRAZE_SHAPE_COMPOUND];
    size_t size = strlen(whole), refused = 0;
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t cut = 0; cut < size; cut++)
    {
        memcpy(text, whole, cut);
        text[cut] = '\0';
        graze_shape_set *set = NULL;
        graze_error error = {0};
        assert_int_not_equal(read_scaled(text, 1, &error, &set), GRAZE_STATUS_OK);
        assert_true(error.text[0] != '\0');
    }
    for (int round = 0; round < TEST_ROUNDS(3000); round++)
    {
        memcpy(text, whole, size + 1);
        text[random_below(&random, (int)size)] = (char)(1 + random_below(&random, 255));
        graze_shape_set *set = NULL;
        graze_error error = {0};
        refused += read_scaled(text, 1, &error, &set) != GRAZE_STATUS_OK;
        graze_shape_set_destroy(set);
    }
    free(text);
    assert_true(refused > TEST_ROUNDS(1000));
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    size_t failures = 0;
    for (int kind = 1; kind < GRAZE_SHAPE_KIND_COUNT; kind++)
        for (size_t allowed = 0;; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            graze_shape_set *set = NULL;
            graze_status status = graze_shape_set_read_memory(&context, examples[kind], strlen(examples[kind]), NULL,
                                                              GRAZE_FORMAT_AUTO, 1, false, NULL, NULL, &set);
            graze_shape_set_destroy(set);
            assert_int_equal(allocator.live, 0);
            if (status == GRAZE_STATUS_OK)
                break;
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
            failures++;
        }
    assert_true(failures > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read_and_written_so_that_it_reads_back),
        cmocka_unit_test(degenerate_shapes_survive_the_round_trip),
        cmocka_unit_test(numbers_arrive_as_they_are_written),
        cmocka_unit_test(lengths_are_scaled_and_rounded_once),
        cmocka_unit_test(scales_are_finite_and_above_zero),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_key_and_line),
        cmocka_unit_test(numbers_that_a_scale_brings_out_of_range_are_refused),
        cmocka_unit_test(comments_and_the_name_of_a_schema_are_passed_over),
        cmocka_unit_test(shapes_nest_to_a_limit),
        cmocka_unit_test(the_budget_ends_the_reading_of_large_hulls),
        cmocka_unit_test(mesh_files_are_read_as_shapes_of_their_meshes),
        cmocka_unit_test(shapes_are_told_from_other_json_by_their_kind),
        cmocka_unit_test(files_are_written_and_read),
        cmocka_unit_test(reader_and_schema_agree_about_changed_files),
        cmocka_unit_test(cut_and_altered_bytes_do_no_harm),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
