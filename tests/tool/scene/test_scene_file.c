/* SPDX-License-Identifier: MIT */
/* Invalid scene files: each is refused with one message and its location; reader and schema agree; and the program ends
 * properly for any modified bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/json_schema.h"
#include "support/random.h"
#include "support/tool_json.h"
#include "support/unit.h"

#define HEAD "{\"graze\": \"scene\", \"version\": 1, \"meshes\": {\"m\": {\"shape\": \"box\"}}, "

/* A scene with all keys. */
static const char everything[] =
    "{\"graze\": \"scene\", \"version\": 1, \"$schema\": \"scene.schema.json\", \"units\": \"mm\", \"frames\": 3,\n"
    " \"seconds_per_frame\": 0.5, \"comment\": \"caf\\u00e9 \\\"x\\\" \xc3\xa9\", \"x-other\": [1, {\"a\": null}],\n"
    " \"meshes\": {\"box\": {\"shape\": \"box\", \"size\": [1, 2, 3]}, \"file\": {\"file\": \"box.obj\", \"scale\": "
    "2},\n"
    "  \"plate\": {\"shape\": \"extrusion\", \"points\": \"0 0, 1 0, 0 1\", \"height\": 0.5}},\n"
    " \"layers\": [\"one\", \"two\"], \"cage\": {\"lower\": [-9, -9, -9], \"upper\": [9, 9, 9]}, \"bounce\": true,\n"
    " \"interest\": {\"default\": \"any\", \"neighbours\": \"none\", \"layers\": [[\"one\", \"two\", \"none\"]],\n"
    "  \"pairs\": [[\"a\", \"b\", \"none\"]], \"objects\": [[\"c\", \"only\"]]},\n"
    " \"objects\": [\n"
    "  {\"name\": \"a\", \"mesh\": \"box\", \"parent\": \"d\", \"layer\": \"one\", \"solid\": true, \"velocity\": [1, "
    "0, "
    "0],\n   \"spin\": {\"axis\": [0, 0, 1], \"degrees\": 30}, \"pose\": {\"position\": [5, 0, 0], \"axis_angle\": [1, "
    "1, 0, 45]}},\n"
    "  {\"name\": \"b\", \"mesh\": \"file\", \"sensor\": true, \"static\": true, \"pose\": {\"matrix\": [1, 0, 0, -5, "
    "0, "
    "1, 0, 0, 0, 0, 1, 0]}},\n"
    "  {\"name\": \"c\", \"mesh\": \"plate\", \"assembly\": \"q\", \"track\": [{\"frame\": 1, \"pose\": {}}, "
    "{\"frame\": "
    "2, \"pose\":\n   {\"position\": [0, 7, 0], \"quaternion\": [1, 0, 0, 0.5]}}]},\n"
    "  {\"name\": \"d\", \"layer\": \"two\", \"track_file\": \"track.txt\"}\n"
    " ]}\n";

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed == 0)
    {
        write_box_obj("box.obj", 1.0);
        write_text("track.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 1 0 1 0 0 0 0 1 0\n");
    }
    return failed;
}

typedef struct fault
{
    const char *text;
    const char *words; /* in the refusal */
} fault;

static void expect_faults(const fault *faults, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        write_text("bad.json", faults[i].text);
        tool_expect_refusal(RUN("scene", "bad.json"), 3, faults[i].words);
        tool_expect_refusal(RUN("scene", "bad.json", "--json"), 3, "bad.json");
    }
}

static void syntax_errors_have_line_and_column(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"", "bad.json: there is nothing in it"},
        {"[]", "line 1, column 1: expected '{', not '['"},
        {"{\"graze\": \"scene\"\n \"version\": 1}", "line 2, column 2: expected ',' or '}', not '\"'"},
        {"{\"graze\": \"scene\",\n\n  version: 1}", "line 3, column 3: expected a key in quotes, not 'v'"},
        {"{\"graze\" \"scene\"}", "line 1, column 10: expected ':', not '\"'"},
        {"{\"graze\": scene}", "line 1, column 11: expected a value, not 's'"},
        {"{\"graze\": \"scene\"", "line 1, column 18: expected ',' or '}', but the text ends here"},
        {"{\"comment\": \"\xc3\xa9\xc3\xa9\" 1}", "line 1, column 18: expected ',' or '}'"},
        {"{\"comment\": \"\xff\"}", "line 1, column 14: this byte is no UTF-8"},
        {"{\"comment\": \"a\nb\"}", "line 1, column 15: a string must not contain line ends"},
        {"{\"comment\": \"\\u0000\"}", "line 1, column 14: a string must not contain zero bytes"},
        {"{\"comment\": [1, 2,, 3]}", "line 1, column 19: expected something else here, not ','"},
        {"{\"comment\": {\"a\": [1, 2}", "line 1"},
        {"{\"comment\": \"abc", "line 1, column 13: this string has no end"},
        {"{\"graze\": \"scene\", \"version\": 1, \"objects\": [{\"name\": \"a\"}]} x",
         "column 62: expected the end, not 'x'"},
        {"{\"graze\": \"scene\", \"version\": 1, \"objects\": {}}", "expected '[', not '{'"},
        {"{\"graze\": \"scene\", \"version\": 1, \"objects\": [{\"name\": \"a\"} {\"name\": \"b\"}]}",
         "expected ',' or ']', not '{'"},
    };
    expect_faults(faults, sizeof faults / sizeof faults[0]);
    write_bytes("bad.json", "{\"a\": \0}", 8);
    tool_expect_refusal(RUN("scene", "bad.json"), 3, "zero byte");
    tool_expect_refusal(RUN("scene", "missing.json"), 3, "missing.json");
    tool_expect_refusal(RUN("scene", "."), 3, ".: ");
    tool_expect_refusal(RUN_WITH_INPUT("{", "scene", "-"), 3, "standard input, line 1, column 2");
}

/* {"comment": [[[...]]]} with so many brackets; the value has one level more if they are full. */
static void write_nested(const char *path, const char *before, size_t levels, const char *after)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(before, file);
    for (size_t i = 0; i < levels; i++)
        putc('[', file);
    fputs("\"[[{\\\"[\"", file);
    for (size_t i = 0; i < levels; i++)
        putc(']', file);
    fputs(after, file);
    assert_int_equal(fclose(file), 0);
}

static void what_is_nested_too_deep_is_told_so(void **state)
{
    (void)state;
    static const char rest[] = ", \"graze\": \"scene\", \"version\": 1, \"objects\": [{\"name\": \"a\"}]}";
    write_nested("deep.json", "{\"comment\": ", 1001, rest);
    tool_expect_refusal(RUN("scene", "deep.json"), 3, "line 1, column 1013: this is nested too deep: at most 1000");
    tool_expect_refusal(RUN("clash", "deep.json"), 3, "nested too deep");
    write_nested("deep.json", "{\"comment\": ", 1000, rest);
    tool_expect_refusal(RUN("scene", "deep.json"), 4, "no object with a mesh");
    write_nested("deep.json", "{\"comment\": ", 100000, "");
    tool_expect_refusal(RUN("scene", "deep.json"), 3, "nested too deep");
    write_nested("rules.json", "{\"graze\": \"rules\", \"version\": 1, \"comment\": ", 2000, "}");
    tool_expect_refusal(RUN("clash", "deep.json", "--rules", "rules.json"), 3, "rules.json, line 1, column");
    tool_expect_refusal(RUN("clash", "deep.json", "--rules", "rules.json"), 3, "nested too deep");
    write_nested("base.json", "{\"graze\": \"clash\", \"findings\": ", 2000, "}");
    tool_expect_refusal(RUN("clash", "deep.json", "--baseline", "base.json"), 3, "nested too deep");
    write_nested("deep.gltf", "{\"extras\": ", 100000, ""); /* not closed; depth does not matter there */
    tool_expect_refusal(RUN("info", "deep.gltf"), 3, "ends where a comma or }");
}

static void a_scene_says_what_it_is(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"{}", "'graze' is missing, so this is no scene"},
        {"{\"graze\": \"scene\"}", "'version' is missing"},
        {"{\"graze\": \"scene\", \"version\": 1}", "'objects' is missing"},
        {"{\"graze\": \"rules\"}", "graze: expected scene, not 'rules'"},
        {"{\"graze\": 1}", "graze: expected a text, not a number"},
        {"{\"version\": 2}", "version: version 2 is not known here"},
        {"{\"graze\": \"scene\", \"graze\": \"scene\"}", "graze: this key is there twice"},
        {"{\"grace\": \"scene\"}", "grace: there is no such key here; did you mean 'graze'?"},
        {HEAD "\"frames\": 0, \"objects\": []}", "frames: expected a whole number from 1"},
        {HEAD "\"frames\": 1.5, \"objects\": []}", "frames: expected a whole number"},
        {HEAD "\"seconds_per_frame\": 0, \"objects\": []}", "seconds_per_frame: this must be above zero"},
        {HEAD "\"bounce\": 1, \"objects\": []}", "bounce: expected true or false, not a number"},
        {HEAD "\"units\": \"\", \"objects\": []}", "units: this text must not be empty"},
        {HEAD "\"cage\": {\"lower\": [0, 0, 0]}, \"objects\": []}", "cage: 'upper' is missing"},
        {HEAD "\"cage\": {\"lower\": [0, 0, 1], \"upper\": [1, 1, 0]}, \"objects\": []}", "'lower' is above 'upper'"},
    };
    expect_faults(faults, sizeof faults / sizeof faults[0]);
    write_text("empty.json", HEAD "\"objects\": []}");
    tool_expect_refusal(RUN("scene", "empty.json"), 4, "no object with a mesh");
    write_text("empty.json", HEAD "\"objects\": [{\"name\": \"frame\"}]}");
    tool_expect_refusal(RUN("scene", "empty.json"), 4, "nothing was checked");
}

#define OBJECT(text) HEAD "\"objects\": [{\"name\": \"a\", \"mesh\": \"m\"}, {\"name\": \"b\", " text "}]}"

static void faults_of_objects_are_named_with_their_place(void **state)
{
    (void)state;
    static const fault faults[] = {
        {HEAD "\"objects\": [3]}", "objects[0]: expected an object, not a number"},
        {HEAD "\"objects\": [{\"mesh\": \"m\"}]}", "objects[0]: 'name' is missing"},
        {HEAD "\"objects\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}", "objects[1].name: objects[0] has the name 'a'"},
        {OBJECT("\"mesh\": \"mm\""), "objects[1].mesh: there is no mesh 'mm'; did you mean 'm'?"},
        {OBJECT("\"parent\": \"c\""), "objects[1].parent: there is no object 'c'"},
        {OBJECT("\"parent\": \"b\""), "objects[1].parent: 'b' would be above itself"},
        {OBJECT("\"layer\": \"l\""), "objects[1].layer: 'l' is not in 'layers'"},
        {OBJECT("\"velcity\": [1, 0, 0]"), "objects[1].velcity: there is no such key here; did you mean 'velocity'?"},
        {OBJECT("\"velocity\": [1, 0]"), "objects[1].velocity: expected 3 numbers, not 2"},
        {OBJECT("\"velocity\": [1, 0, \"x\"]"), "objects[1].velocity[2]: expected a number, not a text"},
        {OBJECT("\"velocity\": [1, 0, 1e999]"), "objects[1].velocity[2]: this number is beyond the range"},
        {OBJECT("\"velocity\": {}"), "objects[1].velocity: expected 3 numbers, not an object"},
        {OBJECT("\"spin\": {\"axis\": [0, 0, 0], \"degrees\": 1}"), "spin.axis: an axis must not be zero"},
        {OBJECT("\"spin\": {\"axis\": [0, 0, 1]}"), "objects[1].spin: 'degrees' is missing"},
        {OBJECT("\"static\": null"), "objects[1].static: expected true or false, not null"},
        {OBJECT("\"static\": true, \"velocity\": [1, 0, 0]"), "objects[1]: a static object has no 'velocity'"},
        {OBJECT("\"pose\": {\"quaternion\": [1, 0, 0]}"), "objects[1].pose.quaternion: expected 4 numbers, not 3"},
        {OBJECT("\"pose\": {\"quaternion\": [0, 0, 0, 0]}"), "a quaternion must not be zero"},
        {OBJECT("\"pose\": {\"axis_angle\": [0, 0, 0, 1]}"), "pose.axis_angle: an axis must not be zero"},
        {OBJECT("\"pose\": {\"matrix\": [1]}"), "pose.matrix: expected 12 or 16 numbers, not 1"},
        {OBJECT("\"pose\": {\"matrix\": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]}"), "the last row of a 4x4 matrix"},
        {OBJECT("\"pose\": {\"matrix\": [1,0,0,0,0,1,0,0,0,0,1,0], \"position\": [0,0,0]}"), "leave out 'position'"},
        {OBJECT("\"pose\": {\"quaternion\": [1,0,0,0], \"axis_angle\": [1,0,0,0]}"), "objects[1].pose: only one of"},
        {OBJECT("\"pose\": {\"position\": [1,0,0], \"position\": [1,0,0]}"), "pose.position: this key is there twice"},
        {OBJECT("\"track\": []"), "objects[1].track: a track has at least one pose"},
        {OBJECT("\"track\": [{\"frame\": 2, \"pose\": {}}, {\"frame\": 2, \"pose\": {}}]"),
         "objects[1].track[1].frame: frames must ascend"},
        {OBJECT("\"track\": [{\"frame\": 2}]"), "objects[1].track[0]: 'pose' is missing"},
        {OBJECT("\"track\": [{\"frame\": 1, \"pose\": {}}], \"spin\": {}"), "'track' and 'spin' cannot both hold"},
    };
    expect_faults(faults, sizeof faults / sizeof faults[0]);
    write_text("bad.txt", "1 0 0 0 0 1 0 0 0 0 1 0 1 0 0 0 0 1 0 0 0 0 1 0\n");
    write_text("bad.json", OBJECT("\"track_file\": \"bad.txt\""));
    tool_expect_refusal(RUN("scene", "bad.json"), 3, "bad.txt, line 1: a pose is 12 numbers, but there are 24");
    write_text("bad.json", OBJECT("\"track_file\": \"none.txt\""));
    tool_expect_refusal(RUN("scene", "bad.json"), 3, "none.txt");
    write_text("bad.json", OBJECT("\"velocity\": [1e308, 0, 0]"));
    tool_result result = RUN("scene", "bad.json", "--frames", "9");
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "frame 3: 'b' leaves the range of doubles"));
    tool_release(&result);
}

static void a_circle_of_parents_is_refused(void **state)
{
    (void)state;
    static const fault circle = {HEAD "\"objects\": [{\"name\": \"a\", \"parent\": \"c\"}, {\"name\": \"b\", "
                                      "\"parent\": \"a\"}, {\"name\": \"c\", \"parent\": \"b\"}]}",
                                 "'a' would be above itself"};
    expect_faults(&circle, 1);
}

#define WITH(text)                                                                                                     \
    "{\"graze\": \"scene\", \"version\": 1, \"objects\": [{\"name\": \"a\"}, {\"name\": \"b\"}], " text "}"

static void faults_of_meshes_and_rules_are_named_with_their_place(void **state)
{
    (void)state;
    static const fault faults[] = {
        {WITH("\"meshes\": []"), "meshes: expected an object"},
        {WITH("\"meshes\": {\"m\": 1}"), "meshes.m: expected an object, not a number"},
        {WITH("\"meshes\": {\"m\": {}}"), "meshes.m: a mesh has either a 'file' or a 'shape'"},
        {WITH("\"meshes\": {\"m\": {\"shape\": \"box\", \"file\": \"box.obj\"}}"), "either a 'file' or a 'shape'"},
        {WITH("\"meshes\": {\"m\": {\"shape\": \"spheer\"}}"), "m.shape: there is no shape 'spheer'; did you mean"},
        {WITH("\"meshes\": {\"m\": {\"shape\": \"box\", \"radius\": 1}}"), "meshes.m.radius: there is no such key"},
        {WITH("\"meshes\": {\"m\": {\"shape\": \"torus\", \"ring-radius\": 1}}"), "did you mean 'ring_radius'?"},
        {WITH("\"meshes\": {\"m\": {\"shape\": \"sphere\", \"radius\": 0}}"), "meshes.m.radius: must be above zero"},
        {WITH("\"meshes\": {\"m\": {\"shape\": \"sphere\", \"rings\": 1.5}}"), "m.rings: takes a whole number from 2"},
        {WITH("\"meshes\": {\"m\": {\"shape\": \"torus\", \"tube_radius\": 2}}"), "meshes.m: these numbers make no"},
        {WITH("\"meshes\": {\"m\": {\"shape\": \"extrusion\", \"points\": \"0 0\"}}"), "meshes.m: these numbers"},
        {WITH("\"meshes\": {\"m\": {\"file\": \"box.obj\", \"scale\": -1}}"), "m.scale: a scale must be above zero"},
        {WITH("\"meshes\": {\"m\": {\"shape\": \"box\"}, \"m\": {\"shape\": \"box\"}}"), "m: this key is there twice"},
        {WITH("\"layers\": [\"x\", \"x\"]"), "layers[1]: there is a layer 'x' already"},
        {WITH("\"layers\": [\"default\"]"), "there is a layer 'default' already"},
        {WITH("\"interest\": {\"default\": \"all\"}"), "interest.default: expected none or any, not 'all'"},
        {WITH("\"interest\": {\"pairs\": [[\"a\", \"b\"]]}"), "interest.pairs[0]: expected a list of 3"},
        {WITH("\"interest\": {\"pairs\": [[\"a\", \"z\", \"any\"]]}"), "pairs[0][1]: there is no object 'z'"},
        {WITH("\"interest\": {\"pairs\": [[\"a\", \"a\", \"any\"]]}"), "does not collide with itself"},
        {WITH("\"interest\": {\"layers\": [[\"a\", \"default\", \"any\"]]}"), "layers[0][0]: there is no layer 'a'"},
        {WITH("\"interest\": {\"objects\": [[\"a\", \"never\"]]}"), "objects[0][1]: expected none, any or only"},
    };
    expect_faults(faults, sizeof faults / sizeof faults[0]);
    write_text("bad.json", WITH("\"meshes\": {\"m\": {\"file\": \"no.stl\"}}"));
    tool_expect_refusal(RUN("scene", "bad.json"), 3, "no.stl");
}

static void every_shape_of_the_schema_is_one_and_no_other(void **state)
{
    (void)state;
    cJSON *schema = schema_load(GRAZE_SOURCE_PATH "/docs/scene.schema.json");
    const cJSON *shapes = cJSON_GetObjectItem(cJSON_GetObjectItem(schema, "$defs"), "shapes"), *shape, *key;
    int parameters = 0;
    cJSON_ArrayForEach(shape, shapes)
    {
        cJSON_ArrayForEach(key, cJSON_GetObjectItem(shape, "properties"))
        {
            char scene[512];
            if (strcmp(key->string, "shape") == 0)
                continue;
            /* A value of the wrong type for each: refused because of its type, so the key itself is known. */
            snprintf(scene, sizeof scene, WITH("\"meshes\": {\"m\": {\"shape\": \"%s\", \"%s\": null}}"), shape->string,
                     key->string);
            write_text("bad.json", scene);
            tool_expect_refusal(RUN("scene", "bad.json"), 3, ": expected a ");
            parameters++;
        }
    }
    tool_result list = RUN("make", "--list");
    int options = 0;
    char *primitives = strstr(list.out, "capsule"); /* the first of those that are no meshes */
    assert_non_null(primitives);
    *primitives = '\0';
    for (const char *at = list.out; (at = strstr(at, "--")) != NULL; at += 2)
        options++;
    /* One "--mate" stands in the help of the gear. */
    printf("%d shapes, %d parameters\n", cJSON_GetArraySize(shapes), parameters);
    assert_int_equal(parameters, options - 1);
    assert_true(cJSON_GetArraySize(shapes) == 16);
    tool_release(&list);
    cJSON_Delete(schema);
}

static void objects_may_have_a_shape_that_is_checked(void **state)
{
    (void)state;
    static const struct
    {
        const char *object, *what;
        bool fits;
    } cases[] = {
        {"\"shape\": {\"kind\": \"sphere\", \"radius\": 1}", "", true},
        {"\"shape\": {\"kind\": \"compound\", \"x-}\": \"]\\\"{\", \"parts\": [{\"shape\": {\"kind\": \"point\", "
         "\"points\": "
         "[[0, 0, 0]]}}]}, \"static\": true",
         "", true},
        {"\"shape\": {\"kind\": \"sphere\",\n \"radius\": -1}", "objects[1].shape: radius: this must not be negative",
         false},
        {"\"shape\": {\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"box\"}}]}",
         "objects[1].shape: parts[0].shape: 'size' is missing", false},
        {"\"shape\": \"sphere\"", "objects[1].shape: expected an object that describes a shape", false},
        {"\"mesh\": \"a\", \"shape\": {\"kind\": \"sphere\", \"radius\": 1}", "'mesh' and 'shape' cannot both hold",
         false},
    };
    cJSON *schema = schema_load(GRAZE_SOURCE_PATH "/docs/scene.schema.json");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        char text[1000];
        snprintf(text, sizeof text,
                 "{\"graze\": \"scene\", \"version\": 1, \"meshes\": {\"a\": {\"shape\": \"box\"}}, \"objects\": "
                 "[{\"name\": "
                 "\"a\", \"mesh\": \"a\"}, {\"name\": \"b\", %s}]}",
                 cases[i].object);
        write_text("shapes.json", text);
        if (!cases[i].fits)
            tool_expect_refusal(RUN("scene", "shapes.json"), 3, cases[i].what);
        else
            cJSON_Delete(expect_json(RUN("scene", "shapes.json", "--json"), (int)i == 0));
        tool_result result = RUN("clash", "shapes.json", "--quiet");
        assert_int_equal(result.code, cases[i].fits ? 1 : 3);
        tool_release(&result);
        cJSON *document = cJSON_Parse(text);
        assert_int_equal(schema_accepts(schema, schema, document), cases[i].fits);
        cJSON_Delete(document);
    }
    cJSON_Delete(schema);
}

/* Two objects whose mesh is a shape touch at 2, and not when it is half as large. */
static void meshes_may_be_shapes(void **state)
{
    (void)state;
    static const struct
    {
        const char *mesh, *what;
        int collide; /* -1: refused */
    } cases[] = {
        {"{\"file\": \"sphere.json\"}", NULL, 1},
        {"{\"file\": \"sphere.json\", \"scale\": 0.5}", NULL, 0},
        {"{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"comment\": \"\"}", NULL, 1},
        {"{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.75}}", NULL, 0},
        {"{\"shape\": {\"kind\": \"sphere\", \"radius\": -1}}", "meshes.m.shape: radius: this must not be", -1},
        {"{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"scale\": 2}", "meshes.m.scale: there is no such", -1},
        {"{\"file\": \"sphere.json\", \"scale\": 0}", "meshes.m.scale: a scale must be above zero", -1},
        {"{\"file\": \"flawed.json\"}", "flawed.json, line 1: radius: this must not be negative", -1},
    };
    cJSON *schema = schema_load(GRAZE_SOURCE_PATH "/docs/scene.schema.json");
    write_text("sphere.json", "{\"kind\": \"sphere\", \"radius\": 1}");
    write_text("flawed.json", "{\"kind\": \"sphere\", \"radius\": -1}");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        char text[1000];
        snprintf(text, sizeof text,
                 "{\"graze\": \"scene\", \"version\": 1, \"meshes\": {\"b\": {\"shape\": \"box\"}, \"m\": %s, \"c\": "
                 "{\"shape\": \"box\", \"size\": 2}}, \"objects\": [{\"name\": \"one\", \"mesh\": \"m\"}, {\"name\": "
                 "\"two\", \"mesh\": \"m\", \"pose\": {\"position\": [0, 2, 0]}}, {\"name\": \"far\", \"mesh\": \"c\", "
                 "\"pose\": {\"position\": [0, 9, 0]}}]}",
                 cases[i].mesh);
        write_text("shapes.json", text);
        if (cases[i].collide < 0)
        {
            tool_expect_refusal(RUN("scene", "shapes.json"), 3, cases[i].what);
            continue;
        }
        cJSON_Delete(expect_json(RUN("scene", "shapes.json", "--json"), cases[i].collide));
        cJSON *report = expect_json(RUN("clash", "shapes.json", "--json"), cases[i].collide);
        cJSON_Delete(report);
        tool_result page = RUN("view", "shapes.json", "-o", "shapes.html");
        assert_int_equal(page.code, 0);
        tool_release(&page);
        cJSON *document = cJSON_Parse(text);
        assert_true(schema_accepts(schema, schema, document));
        cJSON_Delete(document);
    }
    cJSON_Delete(schema);
}

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
    static const char *const values[] = {
        "null",  "true",    "0",        "1",  "-1",        "2.5",          "1e300", "\"\"",
        "\"a\"", "\"box\"", "\"none\"", "[]", "[1, 2, 3]", "[1, 0, 0, 0]", "{}",    "[\"a\", \"b\", \"any\"]"};
    cJSON *items[512];
    size_t count = gather_items(document, items, 0, 512);
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
        cJSON_ReplaceItemInObjectCaseSensitive(parent, item->string, cJSON_Parse(values[random_below(random, 16)]));
    else
        cJSON_ReplaceItemViaPointer(parent, item, cJSON_Parse(values[random_below(random, 16)]));
}

/* Files that the reader accepts, the schema accepts; files that the schema refuses, the reader refuses. */
static void reader_and_schema_agree_about_changed_files(void **state)
{
    (void)state;
    test_random random = test_random_start("reader_and_schema_agree_about_changed_files", 20250);
    cJSON *schema = schema_load(GRAZE_SOURCE_PATH "/docs/scene.schema.json");
    int taken = 0, refused = 0, stricter = 0;
    for (int round = 0; round < 200; round++)
    {
        cJSON *document = cJSON_Parse(everything);
        for (int i = random_below(&random, 2); i >= 0; i--)
            mutate(&random, document);
        char *text = cJSON_PrintUnformatted(document);
        write_text("changed.json", text);
        tool_result result = RUN("scene", "changed.json");
        bool fits = schema_accepts(schema, schema, document);
        if (result.code < 0 || result.code > 4 || result.code == 2)
            fail_msg("code %d for %s", result.code, text);
        if (result.code != 3 && !fits)
            fail_msg("taken, but not by the schema: %s", text);
        taken += result.code != 3;
        refused += !fits;
        stricter += result.code == 3 && fits;
        cJSON_free(text);
        cJSON_Delete(document);
        tool_release(&result);
    }
    printf("%d taken, %d refused by the schema too, %d by the reader alone\n", taken, refused, stricter);
    assert_true(taken > 10 && refused > 100 && stricter > 1);
    cJSON *good = cJSON_Parse(everything);
    assert_true(schema_accepts(schema, schema, good));
    cJSON_Delete(good);
    cJSON_Delete(schema);
}

static void cut_and_altered_bytes_do_no_harm(void **state)
{
    (void)state;
    test_random random = test_random_start("cut_and_altered_bytes_do_no_harm", 20251);
    const size_t size = sizeof everything - 1;
    int codes[5] = {0};
    static char bytes[sizeof everything];
    write_text("scene.json", everything);
    tool_result good = RUN("scene", "scene.json");
    assert_int_equal(good.code, 0);
    tool_release(&good);
    for (size_t i = 0; i < 200; i++)
    {
        bool cuts = i % 2 == 0;
        size_t kept = cuts ? i * (size - 1) / 200 : size;
        memcpy(bytes, everything, size);
        for (int k = random_below(&random, 2); k >= 0 && !cuts; k--)
            bytes[random_below(&random, (int)size)] = random_once_in(&random, 3)
                                                          ? (char)random_below(&random, 256)
                                                          : everything[random_below(&random, (int)size)];
        write_bytes("scene.json", bytes, kept);
        tool_result result = RUN("scene", "scene.json", "--json");
        if (result.code < 0 || result.code > 4)
            fail_msg("code %d for round %zu", result.code, i);
        if (cuts)
            assert_int_equal(result.code, 3);
        if (result.code >= 2)
            assert_int_equal(strncmp(result.err, "graze: ", 7), 0);
        codes[result.code]++;
        tool_release(&result);
    }
    printf("codes 0 to 4: %d %d %d %d %d\n", codes[0], codes[1], codes[2], codes[3], codes[4]);
    assert_true(codes[0] > 1 && codes[3] > 150 && codes[2] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syntax_errors_have_line_and_column),
        cmocka_unit_test(what_is_nested_too_deep_is_told_so),
        cmocka_unit_test(a_scene_says_what_it_is),
        cmocka_unit_test(faults_of_objects_are_named_with_their_place),
        cmocka_unit_test(a_circle_of_parents_is_refused),
        cmocka_unit_test(faults_of_meshes_and_rules_are_named_with_their_place),
        cmocka_unit_test(every_shape_of_the_schema_is_one_and_no_other),
        cmocka_unit_test(objects_may_have_a_shape_that_is_checked),
        cmocka_unit_test(meshes_may_be_shapes),
        cmocka_unit_test(reader_and_schema_agree_about_changed_files),
        cmocka_unit_test(cut_and_altered_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, enter, leave_temporary_directory);
}
