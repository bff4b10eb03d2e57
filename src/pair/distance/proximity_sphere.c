/* SPDX-License-Identifier: MIT */
/*
 * Proximity search of a mesh of a few triangles, or of one point, against a tree; see proximity.h. Two trees whose
 * sizes differ too much cannot be compared in floats, and a point has no size at all. Here the small mesh is a bounding
 * sphere in the coordinates of the other's tree, and only that tree is traversed, nearest boxes first, in doubles.
 *
 * The bound. The small mesh lies within r of the centre c of its box, in its own coordinates. The transform between
 * both meshes' coordinates has an error of em in the entries of its matrix M, of eo in its translation
 * (relative_pose.h). So in the other mesh's coordinates the mesh lies within |M| r + 3 em r of the transformed c, with
 * |M| the Frobenius norm, and the error of the computed c is em |c| + eo + 8 u times its terms on each axis, |c| being
 * the sum of magnitudes. Subtracting the tree's origin adds u times both. A box in tree coordinates at distance d from
 * there, of which the square is computed with 8 u, is at least (d - all that) times the unit away in the world. So is a
 * slab; its direction has length 1 to within 2^-21, and the error of heights along it is 8 u times the centre's
 * coordinates, which the radius includes.
 */
#include <math.h>

#include "base/bits.h"
#include "math/interval.h"
#include "math/matrix.h"
#include "mesh/mesh.h"
#include "pair/distance/proximity.h"

enum
{
    FEW_TRIANGLES = 8
};

/* A child yet to be visited. */
typedef struct pending_node
{
    uint32_t child; /* as in grz_node */
    double bound;   /* lower bound of its distance in the world */
} pending_node;

typedef struct sphere_search
{
    grz_proximity_search *proximity;
    const graze_tree *tree;
    bool tree_is_a;
    size_t small_count;
    double centre[3], radius; /* of the sphere, in tree coordinates, with all errors */
    double unit;              /* lower bound of the world length of a length 1 in tree coordinates */
    pending_node stack[GRZ_TREE_MAX_DEPTH * GRZ_TREE_WIDTH];
    size_t stack_count;
    bool stopped;
} sphere_search;

static bool make_bounding_sphere(sphere_search *s, const graze_placed_mesh *small, const graze_placed_mesh *large)
{
    grz_relative_pose map;
    if (!grz_relative_pose_make(&large->pose, &small->pose, &map))
        return false;
    double centre[3], magnitude = 0, radius = 0, norm = 0, error = 0, farthest = 0;
    for (int k = 0; k < 3; k++)
    {
        double lower = small->mesh->lower[k], upper = small->mesh->upper[k];
        bool no_width = grz_bits(lower) == grz_bits(upper); /* == may flush denormals to zero */
        centre[k] = no_width ? lower : 0.5 * lower + 0.5 * upper;
        magnitude += fabs(centre[k]);
        /* The whole width, twice the half that is needed, leaves room for the rounding of the centre; denormals may be
           lost. */
        radius += (no_width ? 0 : upper - lower) + 4 * GRZ_SMALLEST_NORMAL;
    }
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = map.pose.m + 4 * axis;
        double position = row[0] * centre[0] + row[1] * centre[1] + row[2] * centre[2] + row[3];
        double terms = fabs(row[0]) * magnitude + fabs(row[1]) * magnitude + fabs(row[2]) * magnitude + fabs(row[3]);
        norm += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
        s->centre[axis] = (position - s->tree->origin[axis]) * s->tree->inverse_scale;
        farthest = matrix_larger(farthest, fabs(s->centre[axis]));
        error += map.matrix_error * magnitude + map.offset_error + 8 * GRZ_U * terms +
                 2 * GRZ_U * (fabs(position) + fabs(s->tree->origin[axis])) + GRZ_SMALLEST_NORMAL;
    }
    /* shortcut: proximity-sphere */
    s->radius = ((sqrt(norm) + 3 * map.matrix_error) * radius + error) * s->tree->inverse_scale * (1 + 32 * GRZ_U) +
                32 * GRZ_U * farthest + 0x1p-900;
    s->unit = grz_least_singular_value(&large->pose) * s->tree->scale;
    /* No square overflows, and comparisons with NaN are false. */
    return farthest < 0x1p400 && s->radius < 0x1p400 && s->unit > 0x1p-300 && s->unit < 0x1p300;
}

/* Lower bounds of the distance from the small mesh to the boxes of a node's children, in the world. */
static void lower_bounds_of(const sphere_search *s, const grz_boxes8 *boxes, double bounds[GRZ_TREE_WIDTH])
{
    for (int i = 0; i < GRZ_TREE_WIDTH; i++)
    {
        double sum = 0, height = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            height += (double)boxes->normal[axis][i] * s->centre[axis];
            double below = (double)boxes->lower[axis][i] - s->centre[axis];
            double above = s->centre[axis] - (double)boxes->upper[axis][i];
            double gap = below > above ? below : above;
            gap = gap > 0 ? gap : 0;
            sum += gap * gap;
        }
        double under = (double)boxes->slab_lower[i] - height, over = height - (double)boxes->slab_upper[i];
        double distance = matrix_max(sqrt(sum) * (1 - 16 * GRZ_U), matrix_max(under, over) * (1 - 0x1p-20)) - s->radius;
        bounds[i] = distance > 0 ? distance * s->unit * (1 - 8 * GRZ_U) : 0;
    }
}

static void propose_leaf(sphere_search *s, const grz_leaf *leaf)
{
    grz_triangle_pair_batch pairs = {.count = 0};
    s->stopped = s->stopped || !grz_proximity_may_continue(s->proximity, 0, 1);
    for (size_t i = 0; i < s->small_count * leaf->count && !s->stopped; i++)
    {
        uint32_t small = (uint32_t)(i / leaf->count), large = s->tree->order[leaf->first + i % leaf->count];
        pairs.a[pairs.count] = s->tree_is_a ? large : small;
        pairs.b[pairs.count++] = s->tree_is_a ? small : large;
        if (pairs.count < GRZ_LANES && i + 1 < s->small_count * leaf->count)
            continue;
        s->stopped = !s->proximity->propose(s->proximity->user, &pairs, &s->proximity->bound);
        pairs.count = 0;
    }
}

/* Pushes the children within the bound, the nearest last. */
static void open_node(sphere_search *s, const grz_node *node)
{
    double bounds[GRZ_TREE_WIDTH];
    size_t first = s->stack_count;
    lower_bounds_of(s, &node->boxes, bounds);
    for (int i = 0; i < GRZ_TREE_WIDTH && node->children[i] != GRZ_NO_CHILD; i++)
    {
        s->stopped = !grz_proximity_may_continue(s->proximity, 1, 0) || s->stopped;
        if (bounds[i] > s->proximity->bound.distance)
            continue;
        size_t index = s->stack_count++;
        for (; index > first && s->stack[index - 1].bound < bounds[i]; index--)
            s->stack[index] = s->stack[index - 1];
        s->stack[index] = (pending_node){node->children[i], bounds[i]};
    }
}

bool grz_proximity_sphere(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    sphere_search s = {.proximity = proximity, .tree_is_a = b->mesh->triangle_count < a->mesh->triangle_count};
    const graze_placed_mesh *small = s.tree_is_a ? b : a, *large = s.tree_is_a ? a : b;
    s.tree = large->tree;
    s.small_count = small->mesh->triangle_count;
    if (s.tree == NULL || !s.tree->usable || s.tree->mesh->exponent != 0 || s.tree->node_count == 0 ||
        s.small_count == 0 || s.small_count > FEW_TRIANGLES || !make_bounding_sphere(&s, small, large))
        return false;
    open_node(&s, &s.tree->nodes[0]);
    while (s.stack_count > 0 && !s.stopped)
    {
        pending_node index = s.stack[--s.stack_count];
        if (index.bound > proximity->bound.distance)
            continue;
        if ((index.child & GRZ_LEAF_FLAG) != 0)
            propose_leaf(&s, &s.tree->leaves[index.child & ~GRZ_LEAF_FLAG]);
        else
            open_node(&s, &s.tree->nodes[index.child]);
    }
    return true;
}
