/* SPDX-License-Identifier: MIT */
/* See box_mesh.h. */
#include "shape/box_mesh.h"

#include <math.h>
#include <string.h>

#include "pair/distance/oriented_box.h"
#include "pair/motion_bound.h"
#include "pair/relative_pose.h"
#include "shape/box_triangle.h"
#include "shape/core.h"
#include "tree/tree.h"

enum
{
    MOST_REFS = GRZ_TREE_MAX_DEPTH * GRZ_TREE_WIDTH
};

/* Tells the cache from that of two hulls, which has a number of vertices there. */
#define BOX_MESH_TAG UINT64_MAX

/* What a cache of shapes holds of a box and a mesh. It may alias, since callers see other types. */
typedef struct __attribute__((may_alias)) box_mesh_cache
{
    const graze_mesh *mesh;
    const grz_hull *box;
    uint64_t tag, identity[2];
    double half[3], weights_mesh[4], weights_box[4];
    graze_pose mesh_pose, box_pose; /* when the verdict was certified */
    double lasting_sq;              /* it stays while motions are below the root of this */
    graze_verdict verdict;
    uint32_t triangle;
    double point[3]; /* the common point, in the mesh's coordinates */
    bool collided;   /* `triangle` is set */
    bool solid;      /* the inside of the mesh counts */
} box_mesh_cache;

_Static_assert(sizeof(box_mesh_cache) <= sizeof((graze_shape_cache *)0)->state, "the cache of a box and a mesh fits");

/* A query under way: the box is A, the surface B, or the other way round. */
typedef struct box_mesh_query
{
    grz_shape_query *q;
    const graze_placed *box, *mesh;
    const graze_tree *tree;
    const grz_distance_kernels *kernels;
    box_mesh_cache *cache; /* NULL: none */
    grz_box_frame frame;
    grz_tree_frame_box oriented;
    float least;    /* of the gaps so far, in the tree's unit of length */
    bool undecided; /* a triangle is neither certainly apart nor has a certain common point */
    bool stopped;   /* by the monitor */
} box_mesh_query;

static bool is_box(const graze_shape *shape)
{
    return shape->kind == GRAZE_SHAPE_BOX && shape->solid;
}

/* A surface whose triangles count: a mesh or a height field. */
static bool is_surface(const graze_shape *shape)
{
    return shape->form == GRZ_FORM_CORE && shape->hull == NULL && shape->radius == 0 && shape->mesh->exponent == 0 &&
           shape->mesh->triangle_count > 0;
}

static void half_sizes(const graze_shape *box, double half[3])
{
    for (int k = 0; k < 3; k++)
        half[k] = box->numbers[k] / 2;
}

/* The cache, emptied if it was of another pair. */
static box_mesh_cache *cache_of(graze_shape_cache *given, const graze_shape *box, const graze_shape *shape)
{
    box_mesh_cache *c = (box_mesh_cache *)given->state;
    const graze_mesh *mesh = shape->mesh;
    double half[3];
    half_sizes(box, half);
    /* shortcut: box-mesh-identities */
    if (c->tag == BOX_MESH_TAG && c->mesh == mesh && c->box == box->hull && c->solid == shape->solid &&
        memcmp(c->identity, mesh->identity.words, sizeof c->identity) == 0 && memcmp(c->half, half, sizeof half) == 0)
        return c;
    memset(c, 0, sizeof *c);
    c->tag = BOX_MESH_TAG;
    c->mesh = mesh;
    c->box = box->hull;
    c->solid = shape->solid;
    memcpy(c->identity, mesh->identity.words, sizeof c->identity);
    memcpy(c->half, half, sizeof half);
    for (int k = 0; k < 3; k++)
    {
        c->weights_box[k] = half[k];
        c->weights_mesh[k] = fmax(fabs(mesh->lower[k]), fabs(mesh->upper[k]));
    }
    c->weights_box[3] = c->weights_mesh[3] = 1;
    return c;
}

static void set_hit(const box_mesh_query *s, uint32_t triangle, const double point[3], bool box_first,
                    graze_shape_hit *hit)
{
    if (hit == NULL)
        return;
    *hit = grz_shape_hit_none();
    grz_shape_hit_set_point(hit, point);
    if (!graze_shape_has_triangles(s->mesh->shape))
        return;
    uint32_t face = graze_mesh_triangle_face(s->mesh->shape->mesh, triangle);
    *(box_first ? &hit->triangle_b : &hit->triangle_a) = triangle;
    *(box_first ? &hit->face_b : &hit->face_a) = face;
}

/* Keeps a verdict that lasts while motions are below `lasting`. */
static void remember(box_mesh_query *s, graze_verdict verdict, double lasting)
{
    box_mesh_cache *c = s->cache;
    if (c == NULL)
        return;
    c->verdict = verdict;
    c->collided = verdict == GRAZE_VERDICT_YES;
    c->mesh_pose = s->mesh->pose;
    c->box_pose = s->box->pose;
    c->lasting_sq = lasting > 0x1p-400 && lasting < 0x1p400 ? lasting * lasting * (1 - 8 * GRZ_U) : 0;
}

/* Whether the verdict of the cache still holds: no point of the surface can have left the box, or come to it. */
static bool still_holds(const box_mesh_cache *c, const graze_pose *mesh, const graze_pose *box)
{
    /* shortcut: box-motion-below-margin */
    return c->lasting_sq > 0 &&
           grz_motion_sq(&c->mesh_pose, mesh, c->weights_mesh, &c->box_pose, box, c->weights_box) < c->lasting_sq;
}

/* Tries a triangle; true if it certainly meets the box. */
static bool try_triangle(box_mesh_query *s, uint32_t triangle, double out_point[3])
{
    s->q->stats.triangle_tests++;
    double depth = grz_box_triangle_depth(&s->frame, triangle, out_point);
    if (!(depth > 0))
        return false;
    remember(s, GRAZE_VERDICT_YES, depth);
    if (s->cache != NULL)
        s->cache->triangle = triangle;
    return true;
}

/* The lane of the least number, of those in a mask that is not 0. */
static unsigned least_lane(const float gaps[GRZ_LANES], unsigned mask)
{
    unsigned least = (unsigned)__builtin_ctz(mask);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1)
    {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        least = gaps[lane] < gaps[least] ? lane : least;
    }
    return least;
}

static bool search_leaf(box_mesh_query *s, uint32_t index, uint32_t *out_triangle, double out_point[3])
{
    const grz_leaf *leaf = &s->tree->leaves[index];
    float gaps[GRZ_LANES];
    unsigned left = s->kernels->box_leaf(&s->oriented, &leaf->triangles, gaps, &s->least, NULL);
    left &= (1u << leaf->count) - 1;
    s->q->stats.leaf_pairs++;
    while (left != 0)
    {
        unsigned lane = least_lane(gaps, left);
        *out_triangle = s->tree->order[leaf->first + lane];
        if (try_triangle(s, *out_triangle, out_point))
            return true;
        s->undecided = true;
        left &= ~(1u << lane);
    }
    return false;
}

/* Depth first, the child with the most overlap first. */
static bool search_tree(box_mesh_query *s, uint32_t *out_triangle, double out_point[3])
{
    uint32_t refs[MOST_REFS], count = 1;
    refs[0] = 0;
    while (count > 0)
    {
        uint32_t ref = refs[--count];
        if ((ref & GRZ_LEAF_FLAG) != 0)
        {
            if (search_leaf(s, ref & ~GRZ_LEAF_FLAG, out_triangle, out_point))
                return true;
            continue;
        }
        const grz_node *node = &s->tree->nodes[ref];
        float gaps[GRZ_LANES];
        s->q->stats.box_tests += GRZ_LANES;
        if (!grz_monitor_box_tests(s->q->monitor, GRZ_LANES))
        {
            s->stopped = true;
            return false;
        }
        unsigned left = s->kernels->box_nodes(&s->oriented, &node->boxes, gaps, &s->least);
        if (left == 0)
            continue;
        unsigned first = least_lane(gaps, left);
        for (left &= ~(1u << first); left != 0; left &= left - 1)
            refs[count++] = node->children[__builtin_ctz(left)];
        refs[count++] = node->children[first];
    }
    return false;
}

/* The whole search: the last triangle first. */
static bool search(box_mesh_query *s, uint32_t *out_triangle, double out_point[3], double *out_unit, bool *out_usable)
{
    const graze_placed *mesh = s->mesh, *box = s->box;
    double half[3];
    half_sizes(box->shape, half);
    *out_usable = grz_transposed_error(box->pose.m) < GRZ_ROTATION_ERROR;
    if (!*out_usable)
        return false;
    grz_box_frame_make(&s->frame, mesh->shape->mesh, &mesh->pose, half, &box->pose);
    if (s->cache != NULL && s->cache->collided)
    {
        *out_triangle = s->cache->triangle;
        if (try_triangle(s, *out_triangle, out_point))
            return true;
    }
    *out_usable = grz_tree_frame_box_make(s->tree, &mesh->pose, half, &box->pose, &s->oriented, out_unit);
    return *out_usable && search_tree(s, out_triangle, out_point);
}

/* Where the surface is apart from the box: the box may still be inside a solid. */
static graze_status finish_apart(box_mesh_query *s, double lasting, graze_verdict *out_verdict,
                                 graze_shape_hit *out_hit)
{
    bool nested = false;
    graze_shape_hit hit = grz_shape_hit_none();
    graze_status status = grz_core_nested_in(s->q, s->box, s->mesh, &nested, &hit);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (nested && out_hit != NULL)
        *out_hit = hit;
    *out_verdict = nested ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (!nested)
        remember(s, GRAZE_VERDICT_NO, lasting);
    return status;
}

bool grz_box_mesh_collide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, graze_status *out_status,
                          graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    bool box_first = is_box(a->shape);
    box_mesh_query s = {.q = q, .box = box_first ? a : b, .mesh = box_first ? b : a, .least = INFINITY};
    if (q->slow || !is_box(s.box->shape) || !is_surface(s.mesh->shape))
        return false;
    *out_status = GRAZE_STATUS_OK;
    if (q->cache != NULL)
    {
        s.cache = cache_of(q->cache, s.box->shape, s.mesh->shape);
        if ((s.cache->verdict == GRAZE_VERDICT_NO || out_hit == NULL) &&
            still_holds(s.cache, &s.mesh->pose, &s.box->pose))
        {
            *out_verdict = s.cache->verdict;
            return true;
        }
    }
    graze_placed_mesh placed;
    uint32_t triangle = 0;
    double point[3], unit = 0;
    bool usable;
    *out_status = grz_core_mesh(q, s.mesh, &placed);
    if (*out_status != GRAZE_STATUS_OK)
        return true;
    s.tree = placed.tree;
    s.kernels = grz_distance_kernels_for(q->context != NULL ? q->context->instructions : GRAZE_INSTRUCTIONS_BEST);
    if (!s.tree->usable)
        return false;
    if (search(&s, &triangle, point, &unit, &usable))
    {
        *out_verdict = GRAZE_VERDICT_YES;
        set_hit(&s, triangle, point, box_first, out_hit);
        return true;
    }
    if (s.stopped)
        *out_status = grz_monitor_status(q->monitor);
    else if (!usable || s.undecided)
        return false;
    else
        *out_status = finish_apart(&s, unit * (double)s.least, out_verdict, out_hit);
    return true;
}
