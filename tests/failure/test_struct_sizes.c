/* SPDX-License-Identifier: MIT */
/*
 * Structs of callers that were compiled against other headers: every options and definition struct with a size of zero,
 * that of its first version (with a page behind it that may not be read), a smaller one, a larger one with zeros behind
 * it and a larger one with something there.
 */
#define _DEFAULT_SOURCE

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/struct_size.h"
#include "graze/assembly.h"
#include "graze/clash.h"
#include "graze/graze.h"
#include "support/unit.h"

enum
{
    FURTHER = 24 /* bytes that a later version has added */
};

static struct
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_scene *scene;
    graze_object object;
    graze_placed_mesh placed;
    graze_shape *shape_made;
    graze_placed shape;
    graze_assembly *assembly;
} world;

static const double vertices[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t corners[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
static const char triangle[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

/* The calls, each with one struct that is given as it is. */
static graze_status find_clashes(const void *given)
{
    graze_clash_report *report = NULL;
    const graze_clash_part part = {.name = "a", .mesh = world.mesh, .pose = graze_pose_identity()};
    graze_status status = graze_clash_find(NULL, &part, 1, given, NULL, &report);
    graze_clash_report_destroy(report);
    return status;
}

static graze_status any(const void *given)
{
    bool found;
    return graze_pair_any(NULL, &world.placed, &world.placed, given, &found, NULL);
}

static graze_status any_dual(const void *given)
{
    bool found;
    return graze_pair_any_dual(NULL, &world.placed, &world.placed, given, &found, NULL);
}

static graze_status any_batch(const void *given)
{
    bool found;
    graze_pose pose = graze_pose_identity();
    const graze_pose_batch batch = {.poses_a = &pose, .count = 1};
    return graze_pair_any_batch(NULL, &world.placed, &world.placed, &batch, given, NULL, &found);
}

static graze_status count_batch(const void *given)
{
    graze_pair_counts counts;
    graze_pose pose = graze_pose_identity();
    const graze_pose_batch batch = {.poses_a = &pose, .count = 1};
    return graze_pair_count_batch(NULL, &world.placed, &world.placed, &batch, given, NULL, &counts);
}

static graze_status count(const void *given)
{
    graze_pair_counts counts;
    return graze_pair_count(NULL, &world.placed, &world.placed, given, &counts);
}

static graze_status gather(const void *given)
{
    graze_pair_counts counts;
    return graze_pair_gather(NULL, &world.placed, &world.placed, given, NULL, 0, &counts);
}

static bool visit_hit(void *user, const graze_hit *hit)
{
    (void)user;
    return hit != NULL;
}

static graze_status visit(const void *given)
{
    return graze_pair_visit(NULL, &world.placed, &world.placed, given, visit_hit, NULL);
}

static graze_status containment(const void *given)
{
    graze_solid_answer answer;
    return graze_pair_containment(NULL, &world.placed, &world.placed, given, &answer);
}

static graze_status self_count(const void *given)
{
    graze_pair_counts counts;
    const graze_self_subject subject = {world.mesh, world.tree, false};
    return graze_self_count(NULL, &subject, given, &counts);
}

static graze_status region(const void *given)
{
    graze_region *made = NULL;
    graze_status status = graze_region_create(NULL, &world.placed, &world.placed, given, &made);
    graze_region_destroy(made);
    return status;
}

static graze_status decompose(const void *given)
{
    graze_decomposition *decomposition = NULL;
    graze_status status = graze_decomposition_create(NULL, world.placed.mesh, given, &decomposition);
    graze_decomposition_destroy(decomposition);
    return status;
}

static graze_status distance(const void *given)
{
    graze_distance result;
    return graze_pair_distance(NULL, &world.placed, &world.placed, given, &result);
}

static graze_status tolerance_any(const void *given)
{
    bool found;
    return graze_pair_tolerance_any(NULL, &world.placed, &world.placed, 0.5, given, &found, NULL);
}

static graze_status shape_any(const void *given)
{
    graze_verdict verdict;
    return graze_shape_pair_any(NULL, &world.shape, &world.shape, given, &verdict, NULL);
}

static graze_status shape_batch(const void *given)
{
    graze_verdict verdict;
    const graze_pose_batch batch = {.count = 1};
    return graze_shape_pair_any_batch(NULL, &world.shape, &world.shape, &batch, given, NULL, &verdict);
}

static graze_status shape_distance(const void *given)
{
    graze_shape_distance distance;
    return graze_shape_pair_distance(NULL, &world.shape, &world.shape, given, &distance);
}

static graze_status shape_tolerance(const void *given)
{
    graze_verdict verdict;
    return graze_shape_pair_tolerance_any(NULL, &world.shape, &world.shape, 1, given, &verdict, NULL);
}

static graze_status tessellate(const void *given)
{
    graze_shape *ball = NULL, *hull = NULL;
    graze_status status = graze_shape_create_sphere(NULL, NULL, 1, &ball);
    if (status == GRAZE_STATUS_OK)
        status = graze_shape_tessellate(NULL, ball, given, &hull);
    graze_shape_destroy(hull);
    graze_shape_destroy(ball);
    return status;
}

static graze_status shape_depth(const void *given)
{
    graze_shape_depth depth;
    return graze_shape_pair_depth(NULL, &world.shape, &world.shape, given, &depth);
}

static graze_status shape_count(const void *given)
{
    graze_shape_counts counts;
    return graze_shape_pair_count(NULL, &world.shape, &world.shape, given, &counts);
}

static graze_status shape_gather(const void *given)
{
    graze_shape_counts counts;
    return graze_shape_pair_gather(NULL, &world.shape, &world.shape, given, NULL, 0, &counts);
}

static bool visit_shape_hit(void *user, const graze_shape_hit *hit)
{
    (void)user;
    return hit != NULL;
}

static graze_status shape_visit(const void *given)
{
    return graze_shape_pair_visit(NULL, &world.shape, &world.shape, given, visit_shape_hit, NULL);
}

static graze_status shape_ray(const void *given)
{
    graze_verdict verdict;
    return graze_shape_cast_ray(NULL, &world.shape, vertices[0], vertices[1], 1, given, &verdict, NULL);
}

static graze_status tolerance_count(const void *given)
{
    uint64_t pairs;
    return graze_pair_tolerance_count(NULL, &world.placed, &world.placed, 0.5, given, &pairs);
}

static graze_status tolerance_gather(const void *given)
{
    uint64_t pairs;
    return graze_pair_tolerance_gather(NULL, &world.placed, &world.placed, 0.5, given, NULL, 0, &pairs);
}

static bool visit_near(void *user, const graze_proximity *near)
{
    (void)user;
    return near != NULL;
}

static graze_status tolerance_visit(const void *given)
{
    return graze_pair_tolerance_visit(NULL, &world.placed, &world.placed, 0.5, given, visit_near, NULL);
}

static graze_status deepest(const void *given)
{
    graze_deepest_point result;
    return graze_pair_deepest_point(NULL, &world.placed, &world.placed, given, &result);
}

static graze_status interference(const void *given)
{
    graze_interference result;
    return graze_pair_interference(NULL, &world.placed, &world.placed, given, &result);
}

static graze_status depth(const void *given)
{
    graze_depth result;
    return graze_pair_depth(NULL, &world.placed, &world.placed, given, &result);
}

static graze_status check_tool_path(const void *given)
{
    return graze_tool_path_check(NULL, world.mesh, NULL, NULL, 0, NULL, 0, given, NULL);
}

static graze_status fly(const void *given)
{
    graze_flight *flight = NULL;
    graze_status status = graze_flight_create(NULL, given, &flight);
    graze_flight_destroy(flight);
    return status;
}

static graze_status prove(const void *given)
{
    const graze_moving_mesh still = {.mesh = world.mesh};
    graze_certificate *certificate = NULL;
    graze_status status = graze_pair_prove_clear(NULL, &still, &still, 0, given, &certificate);
    graze_certificate_destroy(certificate);
    return status == GRAZE_STATUS_UNFINISHED ? GRAZE_STATUS_OK : status; /* it touches itself */
}

static graze_status overlap(const void *given)
{
    graze_verdict verdict;
    return graze_pair_overlap(NULL, &world.placed, &world.placed, given, &verdict);
}

static graze_status contacts(const void *given)
{
    size_t count;
    return graze_pair_contacts(NULL, &world.placed, &world.placed, given, NULL, 0, &count);
}

static graze_status shape_contacts(const void *given)
{
    size_t count;
    graze_shape *shape;
    const double size[3] = {1, 1, 1};
    graze_status status = graze_shape_create_box(NULL, size, &shape);
    graze_placed placed = {shape, graze_pose_identity()};
    if (status == GRAZE_STATUS_OK)
        status = graze_shape_pair_contacts(NULL, &placed, &placed, given, NULL, 0, &count);
    graze_shape_destroy(shape);
    return status;
}

static graze_status create_mesh(const void *given)
{
    graze_mesh *mesh = NULL;
    graze_status status = graze_mesh_create(NULL, given, NULL, &mesh);
    graze_mesh_destroy(mesh);
    return status;
}

static graze_status create_tree(const void *given)
{
    graze_tree *tree = NULL;
    graze_status status = graze_tree_create(NULL, world.mesh, given, NULL, &tree);
    graze_tree_destroy(tree);
    return status;
}

static graze_status create_broad_phase(const void *given)
{
    graze_broad_phase *broad = NULL;
    graze_status status = graze_broad_phase_create(NULL, given, &broad);
    graze_broad_phase_destroy(broad);
    return status;
}

static graze_status create_scene(const void *given)
{
    graze_scene *scene = NULL;
    graze_status status = graze_scene_create(NULL, given, &scene);
    graze_scene_destroy(scene);
    return status;
}

static graze_status add_object(const void *given)
{
    graze_object object;
    return graze_scene_add(world.scene, given, &object);
}

static graze_status update(const void *given)
{
    return graze_scene_update(world.scene, given, NULL);
}

static graze_status create_detector(const void *given)
{
    graze_detector *detector = NULL;
    graze_status status = graze_detector_create(NULL, world.scene, given, &detector);
    graze_detector_destroy(detector);
    return status;
}

static graze_status collide(const void *given)
{
    size_t found;
    return graze_scene_collide_mesh(world.scene, &world.placed, given, NULL, NULL, 0, &found);
}

static graze_status cast_ray(const void *given)
{
    size_t found;
    const double origin[3] = {-1, 0.25, 0.25}, direction[3] = {1, 0, 0};
    return graze_scene_cast_ray(world.scene, origin, direction, 10, given, NULL, NULL, 0, &found);
}

static graze_status nearest(const void *given)
{
    graze_nearest_object result;
    const double point[3] = {2, 2, 2};
    return graze_scene_nearest_to_point(world.scene, point, 10, given, NULL, &result);
}

static graze_status add_memory(const void *given)
{
    return graze_assembly_add_memory(world.assembly, triangle, sizeof triangle - 1, given, NULL, NULL);
}

static int set_up(void **state)
{
    (void)state;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.corners = corners;
    def.corner_count = 12;
    bool fine = graze_mesh_create(NULL, &def, NULL, &world.mesh) == GRAZE_STATUS_OK &&
                graze_tree_create(NULL, world.mesh, NULL, NULL, &world.tree) == GRAZE_STATUS_OK &&
                graze_scene_create(NULL, NULL, &world.scene) == GRAZE_STATUS_OK &&
                graze_assembly_create(NULL, &world.assembly) == GRAZE_STATUS_OK;
    world.placed = (graze_placed_mesh){world.mesh, world.tree, graze_pose_identity()};
    assert_int_equal(graze_shape_create_mesh(NULL, world.mesh, world.tree, true, &world.shape_made), GRAZE_STATUS_OK);
    world.shape = (graze_placed){world.shape_made, graze_pose_identity()};
    return fine ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    graze_assembly_destroy(world.assembly);
    graze_scene_destroy(world.scene);
    graze_shape_destroy(world.shape_made);
    graze_tree_destroy(world.tree);
    graze_mesh_destroy(world.mesh);
    return 0;
}

/* A struct with room behind it, filled so that reading beyond its size is seen. */
typedef union sized
{
    size_t struct_size;
    unsigned char bytes[512];
} sized;

/* Calls with a struct of the first version, right before memory that may not be read. */
static void check_first(const char *name, const void *defaults, size_t first, graze_status (*call)(const void *given))
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
    char *given = pages + page - first;
    memcpy(given, defaults, first);
    memcpy(given, &first, sizeof first);
    if (call(given) != GRAZE_STATUS_OK)
        fail_msg("%s: the first version is refused", name);
    munmap(pages, 2 * page);
}

static void check(const char *name, const void *defaults, size_t first, size_t size,
                  graze_status (*call)(const void *given))
{
    sized given;
    size_t least = sizeof(size_t), sizes[4] = {0, least, first - least, first - 1};
    check_first(name, defaults, first, call);
    assert_true(size + FURTHER < sizeof given);
    memset(&given, 0xa5, sizeof given);
    memcpy(&given, defaults, size);
    assert_int_equal(given.struct_size, size);
    if (call(&given) != GRAZE_STATUS_OK)
        fail_msg("%s: the defaults are refused", name);
    for (int i = 0; i < 4; i++)
    {
        given.struct_size = sizes[i];
        if (call(&given) != GRAZE_STATUS_BAD_ARGUMENT)
            fail_msg("%s: a size of %zu is taken", name, sizes[i]);
    }
    given.struct_size = SIZE_MAX;
    if (call(&given) != GRAZE_STATUS_BAD_ARGUMENT)
        fail_msg("%s: any size is taken", name);
    given.struct_size = size + FURTHER;
    memset(given.bytes + size, 0, FURTHER);
    if (call(&given) != GRAZE_STATUS_OK)
        fail_msg("%s: a larger struct that asks for nothing more is refused", name);
    for (size_t i = 0; i < FURTHER; i++)
    {
        given.bytes[size + i] = 1;
        if (call(&given) != GRAZE_STATUS_BAD_ARGUMENT)
            fail_msg("%s: what byte %zu asks for is ignored", name, i);
        given.bytes[size + i] = 0;
    }
}

#define CHECK(type, call)                                                                                              \
    do                                                                                                                 \
    {                                                                                                                  \
        type defaults = type##_default();                                                                              \
        check(#type " of " #call, &defaults, GRZ_FIRST_SIZE(type), sizeof defaults, call);                             \
    } while (0)

static void structs_of_other_sizes_are_taken_only_where_nothing_is_lost(void **state)
{
    (void)state;
    CHECK(graze_any_options, any);
    CHECK(graze_any_options, any_dual);
    CHECK(graze_any_options, any_batch);
    CHECK(graze_pair_options, count_batch);
    CHECK(graze_pair_options, count);
    CHECK(graze_pair_options, gather);
    CHECK(graze_pair_options, visit);
    CHECK(graze_pair_options, containment);
    CHECK(graze_pair_options, self_count);
    CHECK(graze_pair_options, region);
    CHECK(graze_decomposition_options, decompose);
    CHECK(graze_distance_options, distance);
    CHECK(graze_shape_options, shape_any);
    CHECK(graze_shape_options, shape_batch);
    CHECK(graze_shape_options, shape_count);
    CHECK(graze_shape_options, shape_gather);
    CHECK(graze_shape_options, shape_visit);
    CHECK(graze_shape_options, shape_ray);
    CHECK(graze_shape_distance_options, shape_distance);
    CHECK(graze_shape_tolerance_options, shape_tolerance);
    CHECK(graze_shape_depth_options, shape_depth);
    CHECK(graze_tessellation_options, tessellate);
    CHECK(graze_tolerance_options, tolerance_any);
    CHECK(graze_tolerance_options, tolerance_count);
    CHECK(graze_tolerance_options, tolerance_gather);
    CHECK(graze_tolerance_options, tolerance_visit);
    CHECK(graze_contact_options, contacts);
    CHECK(graze_shape_contact_options, shape_contacts);
    CHECK(graze_depth_options, depth);
    CHECK(graze_deepest_options, deepest);
    CHECK(graze_interference_options, interference);
    CHECK(graze_overlap_options, overlap);
    CHECK(graze_flight_def, fly);
    CHECK(graze_prove_options, prove);
    CHECK(graze_tool_path_options, check_tool_path);
    CHECK(graze_mesh_def, create_mesh);
    CHECK(graze_tree_def, create_tree);
    CHECK(graze_broad_phase_def, create_broad_phase);
    CHECK(graze_scene_def, create_scene);
    CHECK(graze_object_def, add_object);
    CHECK(graze_update_options, update);
    CHECK(graze_update_options, create_detector);
    CHECK(graze_scene_filter, collide);
    CHECK(graze_scene_filter, cast_ray);
    CHECK(graze_scene_filter, nearest);
    CHECK(graze_assembly_options, add_memory);
    CHECK(graze_clash_options, find_clashes);
}

/* graze_mesh_def before it had a budget. */
typedef struct first_mesh_def
{
    size_t struct_size;
    const void *vertices;
    size_t vertex_count;
    size_t vertex_stride;
    graze_scalar vertex_scalar;
    const uint32_t *corners;
    size_t corner_count;
    size_t triangle_stride;
    const uint32_t *loop_sizes;
    size_t loop_count;
    const uint32_t *face_loop_counts;
    size_t face_count;
} first_mesh_def;

static void a_program_compiled_before_meshes_had_a_budget_makes_meshes(void **state)
{
    (void)state;
    struct
    {
        first_mesh_def def;
        unsigned char behind[64];
    } given;
    memset(&given, 0, sizeof given.def);
    memset(given.behind, 0x7f, sizeof given.behind);
    given.def.struct_size = sizeof given.def;
    given.def.vertices = vertices;
    given.def.vertex_count = 4;
    given.def.corners = corners;
    given.def.corner_count = 12;
    const graze_mesh_def *as_given = (const void *)&given;
    graze_mesh *mesh = NULL;
    assert_int_equal(sizeof given.def, GRZ_FIRST_SIZE(graze_mesh_def));
    assert_true(offsetof(graze_mesh_def, budget) >= sizeof given.def); /* not in its padding */
    assert_int_equal(graze_mesh_create(NULL, as_given, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_triangle_count(mesh), 4);
    graze_mesh_destroy(mesh);
    given.def.struct_size--;
    mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, as_given, NULL, &mesh), GRAZE_STATUS_BAD_ARGUMENT);
    assert_null(mesh);
    given.def.struct_size = sizeof(graze_mesh_def) - 1; /* between two versions: as far as it reaches */
    memset(given.behind, 0, sizeof given.behind);
    assert_int_equal(graze_mesh_create(NULL, as_given, NULL, &mesh), GRAZE_STATUS_OK);
    graze_mesh_destroy(mesh);
}

static void object_definitions_are_written_as_far_as_the_caller_has_room(void **state)
{
    (void)state;
    sized given;
    graze_object_def def = graze_object_def_default();
    size_t first = GRZ_FIRST_SIZE(graze_object_def);
    def.mesh = world.mesh;
    graze_object object;
    assert_int_equal(graze_scene_add(world.scene, &def, &object), GRAZE_STATUS_OK);
    memset(&given, 0xa5, sizeof given);
    given.struct_size = first;
    assert_int_equal(graze_scene_object_def(world.scene, object, (graze_object_def *)(void *)&given), GRAZE_STATUS_OK);
    assert_int_equal(given.struct_size, first);
    memcpy(&def, &given, first);
    assert_ptr_equal(def.mesh, world.mesh);
    for (size_t i = first; i < sizeof given.bytes; i++)
        assert_int_equal(given.bytes[i], 0xa5);
    given.struct_size = first - 1;
    assert_int_equal(graze_scene_object_def(world.scene, object, (graze_object_def *)(void *)&given),
                     GRAZE_STATUS_BAD_ARGUMENT);
    graze_scene_remove(world.scene, object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_of_other_sizes_are_taken_only_where_nothing_is_lost),
        cmocka_unit_test(a_program_compiled_before_meshes_had_a_budget_makes_meshes),
        cmocka_unit_test(object_definitions_are_written_as_far_as_the_caller_has_room),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
