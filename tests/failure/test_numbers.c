/* SPDX-License-Identifier: MIT */
/* Numbers out of range, in arguments and within structures: BAD_ARGUMENT or a more specific status, with outputs
 * unchanged. And empty arrays, which may be NULL. */
#include <math.h>
#include <string.h>

#include "graze/assembly.h"
#include "graze/batch.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/exact.h"
#include "graze/generate.h"
#include "graze/interest.h"
#include "graze/scene_query.h"
#include "graze/search.h"
#include "graze/topology.h"
#include "support/failure.h"
#include "support/unit.h"

static graze_mesh *mesh;
static graze_placed_mesh placed;

static int set_up(void **state)
{
    (void)state;
    if (graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh) != GRAZE_STATUS_OK)
        return 1;
    placed = (graze_placed_mesh){mesh, NULL, graze_pose_identity()};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    graze_mesh_destroy(mesh);
    return 0;
}

#define REFUSED(call) assert_int_equal(call, GRAZE_STATUS_BAD_ARGUMENT)
#define TAKEN(call) assert_int_equal(call, GRAZE_STATUS_OK)

static const double no_numbers[] = {-1, NAN, -INFINITY};

static void meshes_refuse_strides_and_kinds_that_are_none(void **state)
{
    (void)state;
    static const double vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t corners[3] = {0, 1, 2};
    graze_mesh_def good = graze_mesh_def_default(), def = good;
    good.vertices = vertices;
    good.vertex_count = 3;
    good.corners = corners;
    good.corner_count = 3;
    graze_mesh *made = NULL;
    def = good;
    def.vertex_stride = 3 * sizeof(double) - 1;
    REFUSED(graze_mesh_create(NULL, &def, NULL, &made));
    def = good;
    def.vertex_scalar = (graze_scalar)2;
    REFUSED(graze_mesh_create(NULL, &def, NULL, &made));
    def = good;
    def.triangle_stride = 3 * sizeof(uint32_t) - 1;
    REFUSED(graze_mesh_create(NULL, &def, NULL, &made));
    def = good;
    def.corner_count = 2;
    REFUSED(graze_mesh_create(NULL, &def, NULL, &made));
    REFUSED(graze_mesh_move_vertices(mesh, vertices, 1, GRAZE_SCALAR_DOUBLE, NULL));
    REFUSED(graze_mesh_move_vertices(mesh, vertices, 0, (graze_scalar)-1, NULL));
    assert_null(made);
    def = graze_mesh_def_default(); /* no vertices, no faces, no arrays */
    TAKEN(graze_mesh_create(NULL, &def, NULL, &made));
    graze_mesh_destroy(made);
}

static void indices_that_name_nothing_get_nothing(void **state)
{
    (void)state;
    graze_topology *topology;
    size_t count = 7;
    TAKEN(graze_topology_create(NULL, mesh, NULL, &topology));
    assert_int_equal(graze_mesh_triangle_face(mesh, SIZE_MAX), 0);
    assert_int_equal(graze_mesh_face_loop_count(mesh, 12), 0);
    assert_null(graze_mesh_face_loop(mesh, 12, 0, &count));
    assert_int_equal(count, 0);
    assert_null(graze_mesh_face_loop(mesh, 0, 1, &count));
    assert_int_equal(graze_topology_merged_vertex(topology, 8), GRAZE_NO_VERTEX);
    assert_int_equal(graze_topology_mesh_vertex(topology, 8), GRAZE_NO_VERTEX);
    assert_int_equal(graze_topology_face_half_edge(topology, 12, 0), GRAZE_NO_HALF_EDGE);
    assert_int_equal(graze_topology_vertex_half_edge(topology, 8), GRAZE_NO_HALF_EDGE);
    assert_int_equal(graze_topology_next_around_vertex(topology, GRAZE_NO_HALF_EDGE), GRAZE_NO_HALF_EDGE);
    graze_topology_destroy(topology);
    graze_placed_point points[3] = {{placed.pose.m, NULL}, {placed.pose.m, NULL}, {placed.pose.m, NULL}};
    assert_int_equal(graze_point_orient2d_placed(points, 3), 0);
    assert_int_equal(graze_point_compare_placed(points, points, -1), 0);
}

static void options_of_pairs_are_in_their_range(void **state)
{
    (void)state;
    graze_distance distance;
    graze_depth depth;
    bool found;
    graze_search *search;
    for (size_t i = 0; i < sizeof no_numbers / sizeof no_numbers[0]; i++)
    {
        graze_distance_options options = graze_distance_options_default();
        options.limit = no_numbers[i];
        REFUSED(graze_pair_distance(NULL, &placed, &placed, &options, &distance));
        options = graze_distance_options_default();
        options.relative_error = no_numbers[i];
        REFUSED(graze_pair_distance(NULL, &placed, &placed, &options, &distance));
        REFUSED(graze_pair_tolerance_any(NULL, &placed, &placed, no_numbers[i], NULL, &found, NULL));
        graze_depth_options depth_options = graze_depth_options_default();
        depth_options.relative_error = no_numbers[i];
        REFUSED(graze_pair_depth(NULL, &placed, &placed, &depth_options, &depth));
        depth_options = graze_depth_options_default();
        depth_options.budget.seconds = no_numbers[i];
        REFUSED(graze_pair_depth(NULL, &placed, &placed, &depth_options, &depth));
    }
    REFUSED(graze_pair_tolerance_any(NULL, &placed, &placed, INFINITY, NULL, &found, NULL));
    REFUSED(graze_search_create(NULL, &placed, &placed, (graze_search_kind)3, NULL, &search));
    graze_pose poses[2] = {graze_pose_identity(), graze_pose_identity()};
    graze_pose_batch batch = {poses, NULL, sizeof(graze_pose) - 8, 0, 2};
    bool founds[2];
    REFUSED(graze_pair_any_batch(NULL, &placed, &placed, &batch, NULL, NULL, founds));
    unsigned char crooked[2 * sizeof(graze_pose) + 2]; /* strides need not be aligned */
    memcpy(crooked + 1, &poses[0], sizeof(graze_pose));
    memcpy(crooked + 2 + sizeof(graze_pose), &poses[1], sizeof(graze_pose));
    batch = (graze_pose_batch){NULL, (const graze_pose *)(const void *)(crooked + 1), 0, sizeof(graze_pose) + 1, 2};
    TAKEN(graze_pair_any_batch(NULL, &placed, &placed, &batch, NULL, NULL, founds));
    assert_true(founds[0] && founds[1]);
}

static void arrays_of_nothing_may_be_null(void **state)
{
    (void)state;
    graze_pair_counts counts;
    uint64_t near_count;
    size_t count;
    TAKEN(graze_pair_gather(NULL, &placed, &placed, NULL, NULL, 0, &counts));
    assert_true(counts.pairs > 0);
    TAKEN(graze_pair_tolerance_gather(NULL, &placed, &placed, 0.5, NULL, NULL, 0, &near_count));
    assert_true(near_count > 0);
    graze_pose_batch batch = {0};
    TAKEN(graze_pair_any_batch(NULL, &placed, &placed, &batch, NULL, NULL, NULL));
    TAKEN(graze_pair_count_batch(NULL, &placed, &placed, &batch, NULL, NULL, NULL));
    graze_broad_phase *broad;
    TAKEN(graze_broad_phase_create(NULL, NULL, &broad));
    TAKEN(graze_broad_phase_move_many(broad, NULL, NULL, 0, NULL));
    TAKEN(graze_broad_phase_gather(broad, NULL, 0, &count));
    graze_broad_phase_destroy(broad);
    assert_int_equal(graze_point_in_polygon(placed.pose.m, NULL, NULL, 0), GRAZE_LOCATION_OUTSIDE);
}

static void scenes_refuse_numbers_that_are_none(void **state)
{
    (void)state;
    graze_scene *scene;
    graze_object object;
    size_t count;
    graze_nearest_object nearest;
    double point[3] = {0, 0, 0}, direction[3] = {1, 0, 0};
    TAKEN(graze_scene_create(NULL, NULL, &scene));
    graze_object_def def = graze_object_def_default();
    def.layer = GRAZE_LAYER_COUNT;
    REFUSED(graze_scene_add(scene, &def, &object));
    def = graze_object_def_default();
    def.flags = 1u << 31;
    REFUSED(graze_scene_add(scene, &def, &object));
    for (size_t i = 0; i < sizeof no_numbers / sizeof no_numbers[0]; i++)
    {
        graze_update_options options = graze_update_options_default();
        options.budget.seconds = no_numbers[i];
        REFUSED(graze_scene_update(scene, &options, NULL));
        REFUSED(graze_scene_close_pairs(scene, no_numbers[i], NULL, NULL, 0, &count));
        REFUSED(graze_scene_nearest_to_point(scene, point, no_numbers[i], NULL, NULL, &nearest));
        REFUSED(graze_scene_cast_ray(scene, point, direction, no_numbers[i], NULL, NULL, NULL, 0, &count));
        graze_scene_def scene_def = graze_scene_def_default();
        scene_def.broad_phase_margin = no_numbers[i];
        graze_scene *none = NULL;
        REFUSED(graze_scene_create(NULL, &scene_def, &none));
        assert_null(none);
    }
    graze_update_options options = graze_update_options_default();
    options.schedule = (graze_schedule)4;
    REFUSED(graze_scene_update(scene, &options, NULL));
    REFUSED(graze_interest_set_default(scene, (graze_interest)3));
    REFUSED(graze_interest_set_layers(scene, 0, GRAZE_LAYER_COUNT, GRAZE_INTEREST_ANY));
    graze_scene_destroy(scene);
}

static void files_refuse_numbers_that_are_none(void **state)
{
    (void)state;
    void *bytes = NULL;
    size_t size;
    graze_model *model = NULL;
    assert_true(graze_mesh_write_memory(NULL, mesh, (graze_format)77, &bytes, &size) != GRAZE_STATUS_OK);
    assert_true(graze_mesh_write_memory(NULL, mesh, GRAZE_FORMAT_AUTO, &bytes, &size) != GRAZE_STATUS_OK);
    assert_true(graze_model_read_memory(NULL, "OFF", 3, NULL, (graze_format)77, NULL, NULL, &model) != GRAZE_STATUS_OK);
    assert_int_equal(graze_model_read_memory(NULL, NULL, 0, NULL, GRAZE_FORMAT_AUTO, NULL, NULL, &model),
                     GRAZE_STATUS_EMPTY);
    graze_assembly *assembly;
    TAKEN(graze_assembly_create(NULL, &assembly));
    graze_assembly_options options = graze_assembly_options_default();
    options.scale = NAN;
    REFUSED(graze_assembly_add_memory(assembly, "OFF", 3, &options, NULL, NULL));
    graze_assembly_destroy(assembly);
    assert_null(bytes);
    assert_null(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_refuse_strides_and_kinds_that_are_none),
        cmocka_unit_test(indices_that_name_nothing_get_nothing),
        cmocka_unit_test(options_of_pairs_are_in_their_range),
        cmocka_unit_test(arrays_of_nothing_may_be_null),
        cmocka_unit_test(scenes_refuse_numbers_that_are_none),
        cmocka_unit_test(files_refuse_numbers_that_are_none),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
