/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: mesh files, shape files, tree files and assemblies. */
#include "graze/assembly.h"
#include "graze/generate.h"
#include "graze/shape_file.h"
#include "support/failure.h"
#include "support/tool_process.h"
#include "support/unit.h"

static const char text[] = "o first\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\no second\nf 2 3 4\n";
static const char off_text[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
static const char shape_text[] =
    "{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"rounded\", \"core\": {\"kind\": \"hull\", "
    "\"points\": "
    "[[0, 0, 0], [1, 0, 0]]}, \"radius\": 1}}, {\"shape\": {\"kind\": \"height_field\", \"size\": [1, 1], \"heights\": "
    "[[0, 1], [2, 3]]}}]}";
static const char shape_path[] = "a.json", written_shape_path[] = "written.json";
static const char mesh_path[] = "a.obj", written_path[] = "written.ply", tree_path[] = "a.tree";

static struct
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_model *model;
    graze_assembly *assembly;
    graze_shape_set *shapes;
    graze_assembly_options options;
    graze_budget budget;
    graze_error error;
} world;

static struct
{
    graze_model *model;
    graze_mesh *mesh;
    graze_tree *tree;
    graze_assembly *assembly;
    graze_shape_set *shapes;
    void *bytes;
    size_t size;
} out;

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed == 0)
    {
        write_text(mesh_path, text);
        write_text(shape_path, shape_text);
    }
    return failed;
}

/* A part is dropped from the assembly because of a number that is not finite. */
static void set_up(void)
{
    static const char flawed[] = "o good\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no bad\nv nan 0 0\nf 1 2 4\n";
    const graze_context *context = &failure.context;
    assert_int_equal(graze_mesh_create_box(context, 1, 1, 1, 1, &world.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(context, world.mesh, NULL, NULL, &world.tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_write_file(NULL, world.tree, tree_path, NULL), GRAZE_STATUS_OK);
    assert_int_equal(
        graze_model_read_memory(context, text, sizeof text - 1, "a.obj", GRAZE_FORMAT_AUTO, NULL, NULL, &world.model),
        GRAZE_STATUS_OK);
    assert_int_equal(graze_assembly_create(context, &world.assembly), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_set_read_memory(context, shape_text, sizeof shape_text - 1, NULL, GRAZE_FORMAT_AUTO, 1,
                                                 false, NULL, NULL, &world.shapes),
                     GRAZE_STATUS_OK);
    graze_assembly_options options = graze_assembly_options_default();
    options.format = GRAZE_FORMAT_OBJ;
    assert_int_equal(graze_assembly_add_memory(world.assembly, flawed, sizeof flawed - 1, &options, NULL, NULL),
                     GRAZE_STATUS_OK);
}

static void tear_down(void)
{
    graze_shape_set_destroy(world.shapes);
    graze_assembly_destroy(world.assembly);
    graze_model_destroy(world.model);
    graze_tree_destroy(world.tree);
    graze_mesh_destroy(world.mesh);
}

static bool go_on(void *user, double share)
{
    (void)user;
    return share <= 1;
}

static const graze_budget *budget(void)
{
    world.budget = (graze_budget){.progress = MAY(INNER + 4, go_on), .progress_user = MAY(INNER + 5, &world)};
    return &world.budget;
}

static const graze_assembly_options *options(const char *name)
{
    world.options = graze_assembly_options_default();
    world.options.name = MAY(INNER, name);
    return &world.options;
}

#define CONTEXT MAY(0, &failure.context)

CALL(graze_model_read_file,
     (CONTEXT, NEED(1, mesh_path), GRAZE_FORMAT_AUTO, MAY(2, budget()), MAY(3, &world.error), NEED(4, &out.model)),
     failure.answer = (double)graze_model_part_count(out.model);
     graze_model_destroy(out.model))
CALL(graze_model_read_memory,
     (CONTEXT, NEED(1, text), sizeof text - 1, MAY(2, "a.obj"), GRAZE_FORMAT_OBJ, MAY(3, budget()),
      MAY(4, &world.error), NEED(5, &out.model)),
     failure.answer = (double)graze_model_part_count(out.model);
     graze_model_destroy(out.model))
VALUE(graze_format, graze_model_format, (NEED(0, world.model)), result == GRAZE_FORMAT_OBJ)
VALUE(const graze_mesh *, graze_model_mesh, (NEED(0, world.model)), result != NULL)
VALUE(size_t, graze_model_part_count, (NEED(0, world.model)), result == 2)
VALUE(const char *, graze_model_part_name, (NEED(0, world.model), 1), result[0] != '\0')
VALUE(graze_precision, graze_model_part_precision, (NEED(0, world.model), 1), result.format == GRAZE_NUMBER_DECIMAL)
VALUE(double, graze_precision_resolution, ((graze_precision){GRAZE_NUMBER_FLOAT, 0}, 1, 1), result == 0x1p-24)
VALUE(uint32_t, graze_model_face_part, (NEED(0, world.model), 1), result == 1)
CALL(graze_model_create_part_mesh, (CONTEXT, NEED(1, world.model), 1, NEED(2, &out.mesh)),
     failure.answer = (double)graze_mesh_vertex_count(out.mesh);
     graze_mesh_destroy(out.mesh))
VALUE(graze_format, graze_format_from_name, (NEED(0, "a.obj")), result == GRAZE_FORMAT_OBJ)
CALL(graze_mesh_write_file,
     (CONTEXT, NEED(1, world.mesh), NEED(2, written_path), GRAZE_FORMAT_AUTO, MAY(3, &world.error)), (void)0)
CALL(graze_mesh_write_memory, (CONTEXT, NEED(1, world.mesh), GRAZE_FORMAT_OBJ, NEED(2, &out.bytes), NEED(3, &out.size)),
     failure.answer = (double)out.size;
     graze_memory_release(failure.missing == 0 ? NULL : &failure.context, out.bytes))
CALL(graze_tree_write_file, (CONTEXT, NEED(1, world.tree), NEED(2, tree_path), MAY(3, &world.error)), (void)0)
CALL(graze_tree_map_file,
     (CONTEXT, NEED(1, world.mesh), NEED(2, tree_path), MAY(3, budget()), MAY(4, &world.error), NEED(5, &out.tree)),
     graze_tree_destroy(out.tree))

static graze_status call_graze_model_destroy(void)
{
    graze_model_destroy(MAY(0, world.model));
    if (failure.missing == NOTHING)
        world.model = NULL;
    return GRAZE_STATUS_OK;
}

CALL(graze_shape_set_read_file,
     (CONTEXT, NEED(1, shape_path), GRAZE_FORMAT_AUTO, 2, false, MAY(2, budget()), MAY(3, &world.error),
      NEED(4, &out.shapes)),
     failure.answer = (double)graze_shape_memory_size(graze_shape_set_shape(out.shapes));
     graze_shape_set_destroy(out.shapes))
/* A mesh, here. */
CALL(graze_shape_set_read_memory,
     (CONTEXT, NEED(1, text), sizeof text - 1, MAY(2, "a.obj"), GRAZE_FORMAT_OBJ, 1, true, MAY(3, budget()),
      MAY(4, &world.error), NEED(5, &out.shapes)),
     failure.answer = (double)graze_shape_memory_size(graze_shape_set_shape(out.shapes));
     graze_shape_set_destroy(out.shapes))
VALUE(const graze_shape *, graze_shape_set_shape, (NEED(0, world.shapes)), graze_shape_part_count(result) == 2)

static graze_status call_graze_shape_set_model(void)
{
    graze_shape_set_destroy(world.shapes);
    world.shapes = NULL;
    assert_int_equal(graze_shape_set_read_memory(NULL, text, sizeof text - 1, NULL, GRAZE_FORMAT_OBJ, 1, true, NULL,
                                                 NULL, &world.shapes),
                     GRAZE_STATUS_OK);
    return graze_shape_set_model(NEED(0, world.shapes)) != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;
}

CALL(graze_shape_write_file,
     (CONTEXT, NEED(1, graze_shape_set_shape(world.shapes)), NEED(2, written_shape_path), MAY(3, &world.error)),
     (void)0)
CALL(graze_shape_write_memory,
     (CONTEXT, NEED(1, graze_shape_set_shape(world.shapes)), NEED(2, &out.bytes), NEED(3, &out.size)),
     failure.answer = (double)out.size;
     graze_memory_release(failure.missing == 0 ? NULL : &failure.context, out.bytes))

static graze_status call_graze_shape_set_destroy(void)
{
    graze_shape_set_destroy(MAY(0, world.shapes));
    if (failure.missing == NOTHING)
        world.shapes = NULL;
    return GRAZE_STATUS_OK;
}

VALUE(graze_assembly_options, graze_assembly_options_default, (), result.scale == 1)
CALL(graze_assembly_create, (CONTEXT, NEED(1, &out.assembly)), graze_assembly_destroy(out.assembly))
CALL(graze_assembly_add_file,
     (NEED(0, world.assembly), NEED(1, mesh_path), MAY(2, options("a.obj")), MAY(3, budget()), MAY(4, &world.error)),
     failure.answer = (double)graze_assembly_part_count(world.assembly))
CALL(graze_assembly_add_memory,
     (NEED(0, world.assembly), NEED(1, off_text), sizeof off_text - 1, MAY(2, options("a.off")), MAY(3, budget()),
      MAY(4, &world.error)),
     failure.answer = (double)graze_assembly_part_count(world.assembly))
VALUE(size_t, graze_assembly_part_count, (NEED(0, world.assembly)), result == 1)
VALUE(size_t, graze_assembly_mesh_count, (NEED(0, world.assembly)), result == 1)
VALUE(size_t, graze_assembly_file_count, (NEED(0, world.assembly)), result == 1)
VALUE(size_t, graze_assembly_problem_count, (NEED(0, world.assembly)), result == 1)
VALUE(const graze_part *, graze_assembly_part_at, (NEED(0, world.assembly), 0), result != NULL)
VALUE(const graze_mesh *, graze_assembly_mesh_at, (NEED(0, world.assembly), 0), result != NULL)
VALUE(const graze_assembly_file *, graze_assembly_file_at, (NEED(0, world.assembly), 0), result != NULL)
VALUE(const graze_problem *, graze_assembly_problem_at, (NEED(0, world.assembly), 0), result != NULL)

static graze_status call_graze_assembly_destroy(void)
{
    graze_assembly_destroy(MAY(0, world.assembly));
    if (failure.missing == NOTHING)
        world.assembly = NULL;
    return GRAZE_STATUS_OK;
}

static const failure_row rows[] = {
    ROW(graze_model_read_file, 5, ALLOCATES),
    ROW(graze_model_read_memory, 6, ALLOCATES),
    ROW(graze_model_format, 1, 0),
    ROW(graze_model_mesh, 1, 0),
    ROW(graze_model_part_count, 1, 0),
    ROW(graze_model_part_name, 1, 0),
    ROW(graze_model_part_precision, 1, 0),
    ROW(graze_precision_resolution, 0, 0),
    ROW(graze_model_face_part, 1, 0),
    ROW(graze_model_create_part_mesh, 3, ALLOCATES),
    ROW(graze_format_from_name, 1, 0),
    ROW(graze_mesh_write_file, 4, ALLOCATES),
    ROW(graze_mesh_write_memory, 4, ALLOCATES),
    ROW(graze_tree_write_file, 4, ALLOCATES),
    ROW(graze_tree_map_file, 6, ALLOCATES),
    ROW(graze_model_destroy, 1, 0),
    ROW(graze_shape_set_read_file, 5, ALLOCATES),
    ROW(graze_shape_set_read_memory, 6, ALLOCATES),
    ROW(graze_shape_set_shape, 1, 0),
    ROW(graze_shape_set_model, 1, 0),
    ROW(graze_shape_write_file, 4, ALLOCATES),
    ROW(graze_shape_write_memory, 4, ALLOCATES),
    ROW(graze_shape_set_destroy, 1, 0),
    ROW(graze_assembly_options_default, 0, 0),
    ROW(graze_assembly_create, 2, ALLOCATES),
    ROW(graze_assembly_add_file, 5, ALLOCATES),
    ROW(graze_assembly_add_memory, 5, ALLOCATES),
    ROW(graze_assembly_part_count, 1, 0),
    ROW(graze_assembly_mesh_count, 1, 0),
    ROW(graze_assembly_file_count, 1, 0),
    ROW(graze_assembly_problem_count, 1, 0),
    ROW(graze_assembly_part_at, 1, 0),
    ROW(graze_assembly_mesh_at, 1, 0),
    ROW(graze_assembly_file_at, 1, 0),
    ROW(graze_assembly_problem_at, 1, 0),
    ROW(graze_assembly_destroy, 1, 0),
};

FAILURE_TESTS(rows, out, enter, leave_temporary_directory)
