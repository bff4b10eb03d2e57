/* SPDX-License-Identifier: MIT */
/*
 * Trees of oriented boxes (S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH 1996: "RAPID"): axes from the
 * covariance of the surface, split at the mean across the longest one; the larger box is opened first. `sat-lite` tests
 * the six axes of faces only, and leaves out the nine cross products (Zachmann's slides).
 */
#include "mesh/mesh.h"
#include "pair/method/table.h"
#include "pair/method/volume_tree.h"
#include "volume/oriented_box.h"

static const grz_oriented_box_volume *boxes_of(const grz_volume_tree *state)
{
    return state->volumes;
}

/* The box along given axes. `spread` bounds what the axes lack to be orthonormal: sum y_i axes[i] with y_i the
   coordinates along the axes misses the point by less than 2^-44 of its magnitude. */
static void fit_box(const graze_mesh *mesh, const uint32_t *triangles, uint32_t count, grz_oriented_box_volume *box)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
    for (uint32_t n = 0; n < count; n++)
        for (int corner = 0; corner < 3; corner++)
        {
            const double *p = grz_scaled_corner(mesh, triangles[n], corner);
            size = interval_max2(size, fabs(p[0]) + fabs(p[1]) + fabs(p[2]));
            for (int i = 0; i < 3; i++)
            {
                double y = box->axes[i][0] * p[0] + box->axes[i][1] * p[1] + box->axes[i][2] * p[2];
                lower[i] = y < lower[i] ? y : lower[i];
                upper[i] = y > upper[i] ? y : upper[i];
            }
        }
    for (int i = 0; i < 3; i++)
    {
        box->centre[i] = 0;
        box->extents[i] = (upper[i] - lower[i]) / 2 + 0x1p-43 * size;
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            box->centre[k] += (lower[i] + upper[i]) / 2 * box->axes[i][k];
}

/* Principal axes of the triangles' surface; longest side first. */
static void choose_axes(const grz_method_split *split, double out_axes[3][3])
{
    double mean[3], covariance[3][3];
    grz_split_covariance(split, true, mean, covariance);
    grz_principal_axes((const double(*)[3])covariance, out_axes);
}

/* Across the longest side of the box. */
static void choose_axis(const grz_method_split *split, double out_axis[3], double *out_value)
{
    (void)out_value;
    grz_oriented_box_volume box;
    choose_axes(split, box.axes);
    fit_box(split->mesh, split->triangles, split->count, &box);
    int longest = 0;
    for (int i = 1; i < 3; i++)
        longest = box.extents[i] > box.extents[longest] ? i : longest;
    memcpy(out_axis, box.axes[longest], sizeof box.axes[longest]);
}

static bool fit_all(void *opaque, const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor)
{
    const grz_volume_tree *state = opaque;
    grz_oriented_box_volume *boxes = state->volumes;
    double(*centroids)[3] = grz_allocate(context, mesh->triangle_count, sizeof *centroids);
    bool done = centroids != NULL;
    for (size_t t = 0; done && t < mesh->triangle_count; t++)
        for (int i = 0; i < 3; i++)
            centroids[t][i] =
                (grz_scaled_corner(mesh, (uint32_t)t, 0)[i] / 3 + grz_scaled_corner(mesh, (uint32_t)t, 1)[i] / 3) +
                grz_scaled_corner(mesh, (uint32_t)t, 2)[i] / 3;
    for (size_t n = 0; done && n < state->tree.node_count; n++)
    {
        const grz_method_node *node = &state->tree.nodes[n];
        grz_method_split split = {.mesh = mesh,
                                  .centroids = (const double(*)[3])centroids,
                                  .triangles = state->tree.order + node->first,
                                  .count = node->count};
        choose_axes(&split, boxes[n].axes);
        fit_box(mesh, split.triangles, split.count, &boxes[n]);
        done = grz_monitor_elements(monitor, node->count);
    }
    grz_release(context, centroids);
    return done;
}

static graze_status prepare(void *state, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    grz_method_tree_plan plan = grz_method_tree_plan_of(parameters, 1);
    plan.choose_axis = choose_axis;
    return grz_volume_tree_prepare(state, context, mesh, &plan, sizeof(grz_oriented_box_volume), fit_all, monitor);
}

typedef struct obb_traversal
{
    const grz_method_query *query;
    const grz_method_tree *tree_a, *tree_b;
    const grz_oriented_box_volume *a, *b; /* by node */
    double slack;
    grz_axes_tested tested;
} obb_traversal;

static inline bool overlap_by(const obb_traversal *t, uint32_t node_a, uint32_t node_b, grz_axes_tested tested)
{
    const grz_oriented_box_volume *a = &t->a[node_a], *b = &t->b[node_b];
    grz_box_placement placement;
    grz_box_placement_make(a, b, t->query->map, &placement);
    return grz_boxes_overlap(a->extents, b->extents, &placement, tested, t->slack);
}

static bool overlap_all(void *user, uint32_t node_a, uint32_t node_b)
{
    return overlap_by(user, node_a, node_b, GRZ_AXES_ALL);
}

static bool overlap_lite(void *user, uint32_t node_a, uint32_t node_b)
{
    const obb_traversal *t = user;
    return overlap_by(t, node_a, node_b, t->tested);
}

static double size_of(const grz_oriented_box_volume *box)
{
    return interval_max2(interval_max2(box->extents[0], box->extents[1]), box->extents[2]);
}

static bool opens_larger(const void *user, uint32_t node_a, uint32_t node_b)
{
    const obb_traversal *t = user;
    return size_of(&t->a[node_a]) > size_of(&t->b[node_b]);
}

/* The boxes' tests take the map's columns and the boxes' axes for orthonormal, which they are up to 2^-40: that changes
   a radius by at most 3 * 2^-39 of the coordinates, 6 times what the slack has for roundings. */
static obb_traversal start(const grz_method_query *query)
{
    const grz_volume_tree *a = query->a, *b = query->b;
    return (obb_traversal){query,
                           &a->tree,
                           &b->tree,
                           boxes_of(a),
                           boxes_of(b),
                           16 * query->slack,
                           query->rigid ? GRZ_AXES_OF_FACES : GRZ_AXES_OF_FACES_OF_A};
}

static void run_rapid(grz_method_query *query)
{
    obb_traversal t = start(query);
    if (query->rigid)
        grz_method_traverse(query, t.tree_a, t.tree_b, true, overlap_all, GRAZE_TRAVERSAL_LARGER_FIRST, opens_larger,
                            NULL, &t);
    else
        grz_method_traverse(query, t.tree_a, t.tree_b, true, overlap_lite, GRAZE_TRAVERSAL_LARGER_FIRST, opens_larger,
                            NULL, &t);
}

static void run_lite(grz_method_query *query)
{
    obb_traversal t = start(query);
    grz_method_traverse(query, t.tree_a, t.tree_b, true, overlap_lite, GRAZE_TRAVERSAL_LARGER_FIRST, opens_larger, NULL,
                        &t);
}

const grz_method grz_rapid_method = {
    .info = {.name = "rapid",
             .summary = "Binary trees of oriented boxes, tested by 15 separating axes.",
             .source = "001 2, 003",
             .mesh_class = GRAZE_METHOD_CLASS_SOUP,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_EXACT,
             .deadline = true},
    .state_size = sizeof(grz_volume_tree),
    .prepare = prepare,
    .release = grz_volume_tree_release,
    .memory = grz_volume_tree_memory,
    .run = run_rapid,
};

const grz_method grz_sat_lite_method = {
    .info = {.name = "rapid-lite",
             .summary = "Binary trees of oriented boxes, tested by the six axes of their faces.",
             .source = "003",
             .mesh_class = GRAZE_METHOD_CLASS_SOUP,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_EXACT,
             .deadline = true},
    .state_size = sizeof(grz_volume_tree),
    .prepare = prepare,
    .release = grz_volume_tree_release,
    .memory = grz_volume_tree_memory,
    .run = run_lite,
};
