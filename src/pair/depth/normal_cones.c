/* SPDX-License-Identifier: MIT */
/*
 * Normal cones of tree leaves; see normal_cones.h. A leaf whose normals all differ from an axis by at most s, as
 * vectors, agrees with a direction w, |w| <= 1, by at least axis . w - s. Only leaves for which that says nothing are
 * opened.
 */
#include "pair/depth/normal_cones.h"

#include <string.h>

#include "base/memory.h"

enum
{
    TURNS = 8, /* directions that are tried */
    STEPS = 24 /* towards a direction that some normals agree with */
};

#define LEAST_NORMAL 0x1p-490   /* length of e x f; of shorter ones the square is rounded coarsely, or is 0 */
#define LEAST_AGREEMENT 0x1p-10 /* cosine of the angle of a normal and the direction, errors excluded */
#define MARGIN 0x1p-6           /* the same of a direction before all normals are tested */

static v3 unit(v3 a)
{
    double length = v3_length(a);
    return length > 0 ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

bool grz_surface_normal(const grz_surface *surface, const v3 corners[3], v3 *out_normal, double *out_error)
{
    v3 e = v3_sub(corners[1], corners[0]), f = v3_sub(corners[2], corners[0]), normal = v3_cross(e, f);
    double length = v3_length(normal), lengths = v3_length(e) + v3_length(f), error = surface->error;
    if (!(length > LEAST_NORMAL))
        return false;
    *out_normal = v3_scale(1 / length, normal);
    *out_error = (4 * error * (lengths + error) + 16 * GRZ_U * lengths * lengths) / length + 16 * GRZ_U;
    return true;
}

bool grz_surface_make_cones(const graze_context *context, grz_surface *surface)
{
    if (surface->body->world.tree == NULL || surface->cones != NULL)
        return true;
    size_t count = surface->body->world.tree->leaf_count;
    surface->has_cone = grz_allocate_zeroed(context, count, sizeof *surface->has_cone);
    surface->cones = grz_allocate(context, count, sizeof *surface->cones); /* few are ever made */
    return surface->has_cone != NULL && surface->cones != NULL;
}

/* Heights n . x - n . a: differences have an error of at most the normal's error times |x - a|, that of the corner, and
   the rounding of six products and five sums of magnitudes up to 3 reach each. surface->error is 96 u reach. */
static void set_plane(const grz_surface *surface, grz_normal_cone *cone, uint32_t lane, v3 normal, double error,
                      v3 corner)
{
    double reach = surface->error / (64 * GRZ_U);
    cone->planes[0][lane] = normal.x;
    cone->planes[1][lane] = normal.y;
    cone->planes[2][lane] = normal.z;
    cone->planes[3][lane] = v3_dot(normal, corner);
    cone->height_error = fmax(cone->height_error, 4 * reach * error + surface->error);
}

/* Raises `highest` to the height of the centre above the planes of a leaf. */
static void find_heights(grz_normal_test *test, const grz_normal_cone *cone)
{
    double highest = -INFINITY;
    for (int lane = 0; lane < GRZ_LANES; lane++)
    {
        double height = cone->planes[0][lane] * test->centre.x + cone->planes[1][lane] * test->centre.y +
                        cone->planes[2][lane] * test->centre.z - cone->planes[3][lane];
        height *= test->facing;
        highest = height > highest ? height : highest;
    }
    test->highest = fmax(test->highest, highest + cone->height_error);
}

static void make_cone(const grz_surface *surface, const grz_leaf *leaf, grz_normal_cone *cone)
{
    const uint32_t *triangles = surface->body->world.tree->order + leaf->first;
    v3 normals[GRZ_LANES], sum = v3_make(0, 0, 0), corners[3];
    double errors[GRZ_LANES];
    cone->usable = cone->has_planes = false;
    cone->spread = cone->height_error = 0;
    cone->axis = v3_make(0, 0, 0);
    for (uint32_t i = 0; i < GRZ_LANES; i++)
    {
        grz_surface_corners(surface, triangles[i < leaf->count ? i : 0], corners);
        if (!grz_surface_normal(surface, corners, &normals[i], &errors[i]))
            return;
        sum = i < leaf->count ? v3_add(sum, normals[i]) : sum;
        set_plane(surface, cone, i, normals[i], errors[i], corners[0]);
    }
    cone->has_planes = true;
    double length = v3_length(sum);
    if (!(length > 0x1p-10))
        return;
    cone->axis = v3_scale(1 / length, sum);
    for (uint32_t i = 0; i < leaf->count; i++)
        cone->spread = fmax(cone->spread, v3_length(v3_sub(normals[i], cone->axis)) + 4 * errors[i]);
    cone->spread = cone->spread * (1 + 8 * GRZ_U) + 32 * GRZ_U;
    cone->usable = true;
}

static const grz_normal_cone *cone_of(const grz_surface *surface, uint32_t leaf)
{
    grz_normal_cone *cone = &surface->cones[leaf];
    if (!surface->has_cone[leaf])
        make_cone(surface, &surface->body->world.tree->leaves[leaf], cone);
    surface->has_cone[leaf] = true;
    return cone;
}

/* Tests the normal of a triangle that may be within the radius. */
static bool normal_agrees(const grz_surface *surface, grz_normal_test *test, const v3 corners[3])
{
    v3 normal;
    double error;
    test->met = true;
    test->violating = v3_make(0, 0, 0);
    if (!grz_surface_normal(surface, corners, &normal, &error))
        return false;
    normal = v3_scale(test->facing, normal);
    double agreement = v3_dot(normal, test->direction) - 4 * error;
    test->agreement = fmin(test->agreement, agreement);
    test->violating = normal;
    return agreement > test->least;
}

/* Tests one triangle. */
static bool triangle_agrees(const grz_surface *surface, grz_normal_test *test, uint32_t triangle)
{
    v3 corners[3];
    grz_surface_corners(surface, triangle, corners);
    return grz_least_distance_to_triangle(surface, corners, test->centre) > test->radius ||
           normal_agrees(surface, test, corners);
}

/* Tests the triangles of a leaf one by one. Those whose normal agrees need not be measured. */
static bool triangles_agree(const grz_surface *surface, grz_normal_test *test, const grz_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->count; i++)
        if (!triangle_agrees(surface, test, surface->body->world.tree->order[leaf->first + i]))
            return false;
    return true;
}

static bool leaf_agrees(const grz_surface *surface, grz_normal_test *test, uint32_t index)
{
    const grz_leaf *leaf = &surface->body->world.tree->leaves[index];
    const grz_normal_cone *cone = cone_of(surface, index);
    double agreement = test->facing * v3_dot(cone->axis, test->direction) - cone->spread;
    if (cone->usable && agreement > test->least)
    {
        test->met = true;
        test->agreement = fmin(test->agreement, agreement);
        if (test->heights)
            find_heights(test, cone);
        return true;
    }
    if (surface->leaves == NULL)
        return !test->heights && triangles_agree(surface, test, leaf);
    double lower[GRZ_LANES];
    const double centre[3] = {test->centre.x, test->centre.y, test->centre.z};
    grz_surface_leaf_distances(surface, index, centre, lower);
    for (uint32_t i = 0; i < leaf->count; i++)
    {
        v3 corners[3];
        if (lower[i] > test->radius)
            continue;
        grz_surface_corners(surface, surface->body->world.tree->order[leaf->first + i], corners);
        if (!normal_agrees(surface, test, corners))
            return false;
        if (test->heights && !cone->has_planes)
            return false;
        if (test->heights)
            test->highest =
                fmax(test->highest,
                     test->facing * (cone->planes[0][i] * test->centre.x + cone->planes[1][i] * test->centre.y +
                                     cone->planes[2][i] * test->centre.z - cone->planes[3][i]) +
                         cone->height_error);
    }
    return true;
}

typedef bool (*leaf_function)(const grz_surface *surface, void *user, uint32_t leaf);

/* Calls `visit` for all leaves whose box is not surely farther from the centre than the radius; false stops. */
static bool visit_leaves(const grz_surface *surface, uint32_t node, /* NOLINT(misc-no-recursion) */
                         const grz_normal_test *test, leaf_function visit, void *user)
{
    const grz_world_tree *world = &surface->body->world;
    const uint32_t *children = world->tree->nodes[node].children;
    const double p[3] = {test->centre.x, test->centre.y, test->centre.z};
    grz_world_aabbs boxes;
    grz_world_tree_child_aabbs(world, node, &boxes);
    bool go_on = grz_monitor_box_tests(surface->monitor, GRZ_TREE_WIDTH);
    for (int lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD && go_on; lane++)
    {
        double square = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            double gap = fmax(fmax(boxes.lower[axis][lane] - p[axis], p[axis] - boxes.upper[axis][lane]), 0);
            square += gap * gap;
        }
        if (square * (1 - 16 * GRZ_U) > test->radius * test->radius)
            continue;
        if ((children[lane] & GRZ_LEAF_FLAG) == 0)
            go_on = visit_leaves(surface, children[lane], test, visit, user);
        else
            go_on = visit(surface, user, children[lane] & ~GRZ_LEAF_FLAG);
    }
    return go_on;
}

/* The same in the tree's frame: boxes farther than `limit`, squared, are passed over. */
static bool visit_stored_leaves(const grz_surface *surface, uint32_t index, /* NOLINT(misc-no-recursion) */
                                const grz_tree_point *at, float limit, leaf_function visit, void *user)
{
    const grz_node *node = &surface->body->world.tree->nodes[index];
    float squares[GRZ_TREE_WIDTH];
    unsigned near = surface->kernels->point_boxes(at->at, &node->boxes, limit, squares);
    bool go_on = grz_monitor_box_tests(surface->monitor, GRZ_TREE_WIDTH);
    for (; near != 0 && go_on; near &= near - 1)
    {
        int lane = __builtin_ctz(near);
        if ((node->children[lane] & GRZ_LEAF_FLAG) == 0)
            go_on = visit_stored_leaves(surface, node->children[lane], at, limit, visit, user);
        else
            go_on = visit(surface, user, node->children[lane] & ~GRZ_LEAF_FLAG);
    }
    return go_on;
}

static bool visit_leaf_for_agreement(const grz_surface *surface, void *user, uint32_t leaf)
{
    return leaf_agrees(surface, user, leaf);
}

bool grz_surface_normals_agree(const grz_surface *surface, grz_normal_test *test)
{
    test->agreement = INFINITY;
    test->highest = -INFINITY;
    test->met = false;
    const double centre[3] = {test->centre.x, test->centre.y, test->centre.z};
    grz_tree_point at;
    if (surface->cones != NULL && surface->leaves != NULL && grz_tree_point_make(&surface->frame, centre, &at))
        return visit_stored_leaves(surface, 0, &at, grz_tree_point_limit(&at, test->radius), visit_leaf_for_agreement,
                                   test) &&
               test->met;
    if (surface->cones != NULL)
        return visit_leaves(surface, 0, test, visit_leaf_for_agreement, test) && test->met;
    for (uint32_t t = 0; t < surface->body->placed->mesh->triangle_count && !test->heights; t++)
        if (!grz_monitor_box_tests(surface->monitor, 1) || !triangle_agrees(surface, test, t))
            return false;
    return test->met && !test->heights;
}

/* Finds a direction with which all of these unit vectors agree; false where none is found. Each step turns it towards
   the one that agrees least. */
static bool find_direction(const v3 *normals, size_t count, v3 *out_direction)
{
    v3 w = v3_make(0, 0, 0);
    for (size_t i = 0; i < count; i++)
        w = v3_add(w, normals[i]);
    for (int step = 0; step < STEPS; step++)
    {
        double least = INFINITY;
        size_t worst = 0;
        w = v3_scale(1 - 0x1p-40, unit(w));
        for (size_t i = 0; i < count; i++)
        {
            double agreement = v3_dot(normals[i], w);
            worst = agreement < least ? i : worst;
            least = agreement < least ? agreement : least;
        }
        *out_direction = w;
        if (least > MARGIN)
            return true;
        w = v3_add(w, v3_scale(0.5 - 0.5 * least, normals[worst]));
    }
    return false;
}

/* Whether a direction is found; the normals of triangles that contradict one are added, and the next is tried. */
static bool has_direction(const grz_surface *surface, grz_normal_test *test, const v3 *first, size_t first_count)
{
    v3 normals[GRZ_FIRST_NORMALS + TURNS];
    size_t count = first_count < GRZ_FIRST_NORMALS ? first_count : GRZ_FIRST_NORMALS;
    memcpy(normals, first, count * sizeof *normals);
    for (int turn = 0; turn < TURNS; turn++)
    {
        if (!find_direction(normals, count, &test->direction))
            return false;
        if (grz_surface_normals_agree(surface, test))
            return true;
        if (v3_dot(test->violating, test->violating) == 0)
            return false;
        normals[count++] = test->violating;
    }
    return false;
}

bool grz_surface_has_direction(const grz_surface *surface, v3 centre, double radius, const v3 *first,
                               size_t first_count, double facing)
{
    grz_normal_test test = {.centre = centre, .radius = radius, .facing = facing, .least = LEAST_AGREEMENT};
    return has_direction(surface, &test, first, first_count);
}

bool grz_surface_has_direction_behind(const grz_surface *surface, v3 centre, double radius, double size, double depth,
                                      const v3 *first, size_t first_count, double facing)
{
    grz_normal_test test = {
        .centre = centre, .radius = radius, .facing = facing, .least = LEAST_AGREEMENT, .heights = true};
    return has_direction(surface, &test, first, first_count) &&
           test.highest + size * (1 + 4 * GRZ_U) < depth * test.agreement * (1 - 4 * GRZ_U);
}
