/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: meshes, their topology and trees. */
#include <math.h>

#include "graze/generate.h"
#include "graze/topology.h"
#include "graze/tree.h"
#include "support/failure.h"
#include "support/unit.h"

/* Two squares, of which the second has a hole. */
static const double vertices[12][3] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 1}, {4, 0, 1},
                                       {4, 4, 1}, {0, 4, 1}, {1, 1, 1}, {1, 2, 1}, {2, 2, 1}, {2, 1, 1}};
static const uint32_t corners[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const uint32_t loop_sizes[3] = {4, 4, 4}, face_loop_counts[2] = {1, 2};

static struct
{
    graze_mesh *mesh;        /* the squares */
    graze_mesh *misoriented; /* two triangles that disagree */
    graze_topology *topology;
    graze_tree *tree;
    _Alignas(64) unsigned char bytes[8192], mesh_bytes[8192];
    graze_error error;
    graze_mesh_def def;
    graze_tree_def tree_def;
    graze_budget budget;
    int released;
} world;

static struct
{
    graze_mesh *mesh;
    graze_topology *topology;
    graze_tree *tree;
    graze_mesh_facts facts;
    graze_face_pair pairs[4];
    uint32_t components[4];
    size_t count;
    unsigned char bytes[8192];
} out;

static const graze_mesh_def *squares(void)
{
    world.def = graze_mesh_def_default();
    world.def.vertices = NEED(INNER, vertices);
    world.def.vertex_count = 12;
    world.def.corners = NEED(INNER + 1, corners);
    world.def.corner_count = 12;
    world.def.loop_sizes = NEED(INNER + 2, loop_sizes);
    world.def.loop_count = 3;
    world.def.face_loop_counts = NEED(INNER + 3, face_loop_counts);
    world.def.face_count = 2;
    return &world.def;
}

static bool go_on(void *user, double share)
{
    (void)user;
    return share >= 0;
}

static const graze_budget *budget(void)
{
    world.budget = (graze_budget){.progress = MAY(INNER + 4, go_on), .progress_user = MAY(INNER + 5, &world)};
    return &world.budget;
}

static void release(void *user)
{
    ++*(int *)user;
}

static void set_up(void)
{
    static const uint32_t disagreeing[6] = {0, 1, 2, 0, 1, 3};
    assert_int_equal(graze_mesh_create(&failure.context, squares(), NULL, &world.mesh), GRAZE_STATUS_OK);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 12;
    def.corners = disagreeing;
    def.corner_count = 6;
    assert_int_equal(graze_mesh_create(&failure.context, &def, NULL, &world.misoriented), GRAZE_STATUS_OK);
    assert_int_equal(graze_topology_create(&failure.context, world.mesh, NULL, &world.topology), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(&failure.context, world.mesh, NULL, NULL, &world.tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_save(world.tree, world.bytes, sizeof world.bytes), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_save(world.mesh, world.mesh_bytes, sizeof world.mesh_bytes), GRAZE_STATUS_OK);
    world.tree_def = graze_tree_def_default();
    world.released = 0;
}

static void tear_down(void)
{
    graze_tree_destroy(world.tree);
    graze_topology_destroy(world.topology);
    graze_mesh_destroy(world.misoriented);
    graze_mesh_destroy(world.mesh);
}

VALUE(graze_mesh_def, graze_mesh_def_default, (), result.vertices == NULL)
CALL(graze_mesh_create, (MAY(0, &failure.context), NEED(1, squares()), MAY(2, &world.error), NEED(3, &out.mesh)),
     failure.answer = (double)graze_mesh_triangle_count(out.mesh);
     graze_mesh_destroy(out.mesh))
CALL(graze_mesh_move_vertices, (NEED(0, world.mesh), NEED(1, vertices), 0, GRAZE_SCALAR_DOUBLE, MAY(2, &world.error)),
     (void)0)
VALUE(size_t, graze_mesh_vertex_count, (NEED(0, world.mesh)), result == 12)
VALUE(size_t, graze_mesh_triangle_count, (NEED(0, world.mesh)), result == 10)
VALUE(size_t, graze_mesh_face_count, (NEED(0, world.mesh)), result == 2)
VALUE(const double *, graze_mesh_vertices, (NEED(0, world.mesh)), result != NULL)
VALUE(const uint32_t *, graze_mesh_triangles, (NEED(0, world.mesh)), result != NULL)
VALUE(uint32_t, graze_mesh_triangle_face, (NEED(0, world.mesh), 9), result == 1)
VALUE(size_t, graze_mesh_face_loop_count, (NEED(0, world.mesh), 1), result == 2)
VALUE(const uint32_t *, graze_mesh_face_loop, (NEED(0, world.mesh), 1, 1, MAY(1, &out.count)),
      result != NULL && (failure.missing == 1 || out.count == 4))

static graze_status call_graze_mesh_irregular_face_count(void)
{
    return graze_mesh_irregular_face_count(NEED(0, world.mesh)) == 0 && failure.missing != 0
               ? GRAZE_STATUS_OK
               : GRAZE_STATUS_BAD_ARGUMENT;
}

static graze_status call_graze_mesh_bounds(void)
{
    graze_box box = graze_mesh_bounds(NEED(0, world.mesh));
    bool bounds = box.lower[0] == 0 && box.upper[0] == 4;
    bool empty = box.lower[0] == INFINITY && box.upper[0] == -INFINITY;
    return bounds ? GRAZE_STATUS_OK : empty ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_INTERNAL;
}

VALUE(size_t, graze_mesh_saved_size, (NEED(0, world.mesh)), result > 0)
CALL(graze_mesh_save, (NEED(0, world.mesh), NEED(1, out.bytes), sizeof out.bytes), (void)0)
CALL(graze_mesh_map,
     (MAY(0, &failure.context), NEED(1, world.mesh_bytes), graze_mesh_saved_size(world.mesh), MAY(2, budget()),
      MAY(3, &world.error), NEED(4, &out.mesh)),
     failure.answer = (double)graze_mesh_triangle_count(out.mesh);
     graze_mesh_destroy(out.mesh))

static graze_status call_graze_mesh_set_on_destroy(void)
{
    graze_mesh_set_on_destroy(NEED(0, world.misoriented), MAY(1, release), MAY(2, &world.released));
    if (failure.missing == 2)
        graze_mesh_set_on_destroy(world.misoriented, NULL, NULL); /* the function would count there */
    graze_mesh_destroy(world.misoriented);
    world.misoriented = NULL;
    return failure.missing == 0 ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_OK;
}

static graze_status call_graze_mesh_destroy(void)
{
    graze_mesh_destroy(MAY(0, world.misoriented));
    if (failure.missing == NOTHING)
        world.misoriented = NULL;
    return GRAZE_STATUS_OK;
}

CALL(graze_topology_create, (MAY(0, &failure.context), NEED(1, world.mesh), MAY(2, budget()), NEED(3, &out.topology)),
     failure.answer = (double)graze_topology_edge_count(out.topology);
     graze_topology_destroy(out.topology))
VALUE(size_t, graze_topology_vertex_count, (NEED(0, world.topology)), result == 12)
VALUE(size_t, graze_topology_edge_count, (NEED(0, world.topology)), result == 12)
VALUE(size_t, graze_topology_half_edge_count, (NEED(0, world.topology)), result == 12)
VALUE(const graze_half_edge *, graze_topology_half_edges, (NEED(0, world.topology)), result != NULL)
VALUE(uint32_t, graze_topology_merged_vertex, (NEED(0, world.topology), 5), result != GRAZE_NO_VERTEX)
VALUE(uint32_t, graze_topology_mesh_vertex, (NEED(0, world.topology), 5), result != GRAZE_NO_VERTEX)
VALUE(uint32_t, graze_topology_face_half_edge, (NEED(0, world.topology), 1, 1), result != GRAZE_NO_HALF_EDGE)
VALUE(uint32_t, graze_topology_vertex_half_edge, (NEED(0, world.topology), 5), result != GRAZE_NO_HALF_EDGE)

/* The edges of the squares are boundary edges: no next edge around their corners. */
static graze_status call_graze_topology_next_around_vertex(void)
{
    uint32_t next = graze_topology_next_around_vertex(NEED(0, world.topology), 5);
    return next == GRAZE_NO_HALF_EDGE && failure.missing != 0 ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;
}

CALL(graze_mesh_examine,
     (MAY(0, &failure.context), NEED(1, world.mesh), MAY(2, world.topology), MAY(3, budget()), NEED(4, &out.facts)),
     failure.answer = (double)out.facts.edges)

static graze_status call_graze_topology_misoriented_faces(void)
{
    graze_topology *topology;
    assert_int_equal(graze_topology_create(NULL, world.misoriented, NULL, &topology), GRAZE_STATUS_OK);
    graze_status status =
        graze_topology_misoriented_faces(NEED(0, topology), NEED(1, out.pairs), 4, NEED(2, &out.count));
    assert_true(status != GRAZE_STATUS_OK || out.count == 1);
    graze_topology_destroy(topology);
    return status;
}

CALL(graze_topology_components,
     (MAY(0, &failure.context), NEED(1, world.topology), MAY(2, budget()), NEED(3, out.components),
      NEED(4, &out.count)),
     failure.answer = (double)out.count)

static graze_status call_graze_topology_destroy(void)
{
    graze_topology_destroy(MAY(0, world.topology));
    if (failure.missing == NOTHING)
        world.topology = NULL;
    return GRAZE_STATUS_OK;
}

VALUE(graze_tree_def, graze_tree_def_default, (), result.leaf_size > 0)
CALL(graze_tree_create,
     (MAY(0, &failure.context), NEED(1, world.mesh), MAY(2, &world.tree_def), MAY(3, budget()), NEED(4, &out.tree)),
     failure.answer = (double)graze_tree_examine(out.tree).leaves;
     graze_tree_destroy(out.tree))
VALUE(graze_tree_facts, graze_tree_examine, (NEED(0, world.tree)), result.triangles == 10)
CALL(graze_tree_validate, (MAY(0, &failure.context), NEED(1, world.tree)), (void)0)
VALUE(size_t, graze_tree_saved_size, (NEED(0, world.tree)), result > 0)
CALL(graze_tree_save, (NEED(0, world.tree), NEED(1, out.bytes), sizeof out.bytes), (void)0)
CALL(graze_tree_map,
     (MAY(0, &failure.context), NEED(1, world.mesh), NEED(2, world.bytes), graze_tree_saved_size(world.tree),
      MAY(3, budget()), MAY(4, &world.error), NEED(5, &out.tree)),
     graze_tree_destroy(out.tree))

/* A mapped tree, which is copied first. */
static graze_status call_graze_tree_refit(void)
{
    graze_tree *tree;
    size_t allowed = failure.allocator.allowed;
    failure.allocator.allowed = SIZE_MAX;
    size_t size = graze_tree_saved_size(world.tree), before = failure.allocator.requests;
    assert_int_equal(graze_tree_map(&failure.context, world.mesh, world.bytes, size, NULL, NULL, &tree),
                     GRAZE_STATUS_OK);
    failure.allocator.allowed = allowed == SIZE_MAX ? allowed : allowed + failure.allocator.requests - before;
    graze_status status = graze_tree_refit(MAY(0, &failure.context), NEED(1, tree), NEED(2, world.mesh));
    graze_tree_destroy(tree);
    return status;
}

static graze_status call_graze_tree_set_on_destroy(void)
{
    graze_tree_set_on_destroy(NEED(0, world.tree), MAY(1, release), MAY(2, &world.released));
    if (failure.missing == 2)
        graze_tree_set_on_destroy(world.tree, NULL, NULL); /* the function would count there */
    graze_tree_destroy(world.tree);
    world.tree = NULL;
    return failure.missing == 0 ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_OK;
}

static graze_status call_graze_tree_destroy(void)
{
    graze_tree_destroy(MAY(0, world.tree));
    if (failure.missing == NOTHING)
        world.tree = NULL;
    return GRAZE_STATUS_OK;
}

static const failure_row rows[] = {
    ROW(graze_mesh_def_default, 0, 0),
    ROW(graze_mesh_create, 4, ALLOCATES),
    ROW(graze_mesh_move_vertices, 3, 0),
    ROW(graze_mesh_vertex_count, 1, 0),
    ROW(graze_mesh_triangle_count, 1, 0),
    ROW(graze_mesh_face_count, 1, 0),
    ROW(graze_mesh_vertices, 1, 0),
    ROW(graze_mesh_triangles, 1, 0),
    ROW(graze_mesh_triangle_face, 1, 0),
    ROW(graze_mesh_face_loop_count, 1, 0),
    ROW(graze_mesh_face_loop, 2, WRITES),
    ROW(graze_mesh_irregular_face_count, 1, 0),
    ROW(graze_mesh_bounds, 1, 0),
    ROW(graze_mesh_saved_size, 1, 0),
    ROW(graze_mesh_save, 2, 0),
    ROW(graze_mesh_map, 5, ALLOCATES),
    ROW(graze_mesh_set_on_destroy, 3, 0),
    ROW(graze_mesh_destroy, 1, 0),
    ROW(graze_topology_create, 4, ALLOCATES),
    ROW(graze_topology_vertex_count, 1, 0),
    ROW(graze_topology_edge_count, 1, 0),
    ROW(graze_topology_half_edge_count, 1, 0),
    ROW(graze_topology_half_edges, 1, 0),
    ROW(graze_topology_merged_vertex, 1, 0),
    ROW(graze_topology_mesh_vertex, 1, 0),
    ROW(graze_topology_face_half_edge, 1, 0),
    ROW(graze_topology_vertex_half_edge, 1, 0),
    ROW(graze_topology_next_around_vertex, 1, 0),
    ROW(graze_mesh_examine, 5, ALLOCATES),
    ROW(graze_topology_misoriented_faces, 3, 0),
    ROW(graze_topology_components, 5, ALLOCATES),
    ROW(graze_topology_destroy, 1, 0),
    ROW(graze_tree_def_default, 0, 0),
    ROW(graze_tree_create, 5, ALLOCATES),
    ROW(graze_tree_examine, 1, 0),
    ROW(graze_tree_validate, 2, ALLOCATES),
    ROW(graze_tree_saved_size, 1, 0),
    ROW(graze_tree_save, 2, 0),
    ROW(graze_tree_map, 6, ALLOCATES),
    ROW(graze_tree_refit, 3, ALLOCATES),
    ROW(graze_tree_set_on_destroy, 3, 0),
    ROW(graze_tree_destroy, 1, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
