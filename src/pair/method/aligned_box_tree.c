/* SPDX-License-Identifier: MIT */
/*
 * Trees of boxes aligned with the body (G. van den Bergen, Efficient collision detection of complex deformable models
 * using AABB trees, 1997: "SOLID"): split at the middle of the longest side; boxes of two bodies are tested by
 * separating axes of the relative pose, which is the same for all pairs; refitted from the leaves after deforming.
 */
#include "mesh/mesh.h"
#include "pair/method/table.h"
#include "pair/method/volume_tree.h"
#include "volume/oriented_box.h"

typedef struct aligned_box
{
    double centre[3], extents[3];
} aligned_box;

static void fit_triangles(const graze_mesh *mesh, const uint32_t *triangles, uint32_t count, double lower[3],
                          double upper[3])
{
    for (int i = 0; i < 3; i++)
    {
        lower[i] = INFINITY;
        upper[i] = -INFINITY;
    }
    for (uint32_t n = 0; n < count; n++)
        for (int corner = 0; corner < 3; corner++)
        {
            const double *p = grz_scaled_corner(mesh, triangles[n], corner);
            for (int i = 0; i < 3; i++)
            {
                lower[i] = p[i] < lower[i] ? p[i] : lower[i];
                upper[i] = p[i] > upper[i] ? p[i] : upper[i];
            }
        }
}

/* At the middle of the longest side. */
static void choose_axis(const grz_method_split *split, double out_axis[3], double *out_value)
{
    double lower[3], upper[3];
    fit_triangles(split->mesh, split->triangles, split->count, lower, upper);
    int longest = 0;
    for (int i = 1; i < 3; i++)
        longest = upper[i] - lower[i] > upper[longest] - lower[longest] ? i : longest;
    for (int i = 0; i < 3; i++)
        out_axis[i] = i == longest;
    if (split->point == GRAZE_SPLIT_AT_MEAN)
        *out_value = (lower[longest] + upper[longest]) / 2;
}

/* Ends move outward by what rounding of centre and extents may lose, as of an interval. */
static aligned_box box_of_ends(const double lower[3], const double upper[3])
{
    aligned_box box;
    for (int i = 0; i < 3; i++)
    {
        interval side = interval_outward(lower[i], upper[i]);
        box.centre[i] = (side.lower + side.upper) / 2;
        box.extents[i] = (side.upper - side.lower) / 2 + 2 * GRZ_U * interval_max2(fabs(side.lower), fabs(side.upper));
    }
    return box;
}

static bool fit_all(void *opaque, const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor)
{
    const grz_volume_tree *state = opaque;
    aligned_box *boxes = state->volumes;
    (void)context;
    for (size_t n = state->tree.node_count; n-- > 0;)
    {
        const grz_method_node *node = &state->tree.nodes[n];
        double lower[3], upper[3];
        fit_triangles(mesh, state->tree.order + node->first, node->left == 0 ? node->count : 0, lower, upper);
        for (uint32_t child = 0; node->left != 0 && child < grz_node_child_count(node); child++)
            for (int i = 0; i < 3; i++)
            {
                const aligned_box *box = &boxes[grz_node_child(node) + child];
                lower[i] = interval_min2(lower[i], box->centre[i] - box->extents[i]);
                upper[i] = interval_max2(upper[i], box->centre[i] + box->extents[i]);
            }
        boxes[n] = box_of_ends(lower, upper);
        if (!grz_monitor_elements(monitor, 1))
            return false;
    }
    return true;
}

static graze_status prepare(void *state, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    grz_method_tree_plan plan = grz_method_tree_plan_of(parameters, 1);
    plan.choose_axis = choose_axis;
    return grz_volume_tree_prepare(state, context, mesh, &plan, sizeof(aligned_box), fit_all, monitor);
}

typedef struct aligned_traversal
{
    const aligned_box *a, *b; /* by node */
    const grz_method_query *query;
    grz_box_placement placement; /* its offset is that of the pair tested last */
    double slack;
    grz_axes_tested tested;
} aligned_traversal;

static bool overlap(void *user, uint32_t node_a, uint32_t node_b)
{
    aligned_traversal *t = user;
    const aligned_box *a = &t->a[node_a], *b = &t->b[node_b];
    double moved[3];
    grz_method_place(t->query, b->centre, moved);
    for (int i = 0; i < 3; i++)
        t->placement.offset[i] = moved[i] - a->centre[i];
    return grz_boxes_overlap(a->extents, b->extents, &t->placement, t->tested, t->slack);
}

static double size_of(const aligned_box *box)
{
    return box->extents[0] + box->extents[1] + box->extents[2];
}

static bool opens_larger(const void *user, uint32_t node_a, uint32_t node_b)
{
    const aligned_traversal *t = user;
    return size_of(&t->a[node_a]) > size_of(&t->b[node_b]);
}

static void run(grz_method_query *query)
{
    const grz_volume_tree *a = query->a, *b = query->b;
    aligned_traversal t = {.a = a->volumes, .b = b->volumes, .query = query, .slack = 16 * query->slack};
    t.tested = query->rigid ? GRZ_AXES_ALL : GRZ_AXES_OF_FACES_OF_A;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            t.placement.rotation[i][j] = query->map[i][j];
            t.placement.magnitudes[i][j] = fabs(query->map[i][j]);
        }
    grz_method_traverse(query, &a->tree, &b->tree, true, overlap, GRAZE_TRAVERSAL_LARGER_FIRST, opens_larger, NULL, &t);
}

const grz_method grz_solid_method = {
    .info = {.name = "solid",
             .summary = "Binary trees of boxes aligned with each body, tested by 15 separating axes.",
             .source = "001, 003",
             .mesh_class = GRAZE_METHOD_CLASS_SOUP,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_EXACT,
             .deadline = true},
    .state_size = sizeof(grz_volume_tree),
    .prepare = prepare,
    .release = grz_volume_tree_release,
    .memory = grz_volume_tree_memory,
    .run = run,
};
