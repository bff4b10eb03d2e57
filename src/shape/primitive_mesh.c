/* SPDX-License-Identifier: MIT */
/* See primitive_mesh.h. */
#include "shape/primitive_mesh.h"

#include <math.h>
#include <string.h>

#include "pair/distance/oriented_box.h"
#include "pair/motion_bound.h"
#include "pair/relative_pose.h"
#include "shape/core.h"
#include "shape/mesh_primitive.h"
#include "tree/tree.h"

enum
{
    MOST_REFS = GRZ_TREE_MAX_DEPTH * GRZ_TREE_WIDTH
};

/* Tells the cache from that of two hulls, which has a number of vertices there. */
#define PRIMITIVE_MESH_TAG UINT64_MAX

/* What a cache of shapes holds of a primitive and a mesh. It may alias, since callers see other types. */
typedef struct __attribute__((may_alias)) primitive_mesh_cache
{
    const graze_mesh *mesh;
    const graze_shape *shape; /* the primitive; it may be another one by now */
    uint64_t tag, identity[2];
    grz_mesh_primitive primitive;
    double weights_mesh[4], weights[4];
    graze_pose mesh_pose, pose; /* when the verdict was certified */
    double lasting_sq;          /* it stays while motions are below the root of this */
    graze_verdict verdict;
    uint32_t triangle;
    bool collided; /* `triangle` is set */
} primitive_mesh_cache;

_Static_assert(sizeof(primitive_mesh_cache) <= sizeof((graze_shape_cache *)0)->state, "the cache fits");

/* A query under way: the primitive is A, the surface B, or the other way round. */
typedef struct primitive_mesh_query
{
    grz_shape_query *q;
    const graze_placed *placed, *mesh;
    const graze_tree *tree;
    const grz_distance_kernels *kernels;
    primitive_mesh_cache *cache; /* NULL: none */
    const grz_mesh_primitive *primitive;
    grz_primitive_triangles triangles;
    grz_tree_frame_box oriented;
    float least;     /* of the gaps so far, in the tree's unit of length */
    double nearest;  /* of the gaps of triangles so far, in the world */
    bool undecided;  /* a triangle is neither certainly apart nor has a certain common point */
    bool stopped;    /* by the monitor */
    uint32_t triangle; /* that was met */
    double point[3];   /* there */
} primitive_mesh_query;

/* A surface whose triangles count: a mesh or a height field. */
static bool is_surface(const graze_shape *shape)
{
    return shape->form == GRZ_FORM_CORE && shape->hull == NULL && shape->radius == 0 && shape->mesh->exponent == 0 &&
           shape->mesh->triangle_count > 0;
}

static bool may_be_primitive(const graze_shape *shape)
{
    return shape->kind == GRAZE_SHAPE_BOX || shape->kind == GRAZE_SHAPE_SPHERE || shape->kind == GRAZE_SHAPE_CAPSULE ||
           shape->kind == GRAZE_SHAPE_CYLINDER || shape->kind == GRAZE_SHAPE_ELLIPSOID;
}

/* The cache, emptied if it was of another pair. */
static primitive_mesh_cache *cache_of(graze_shape_cache *given, const graze_shape *shape,
                                      const grz_mesh_primitive *primitive, const graze_mesh *mesh)
{
    primitive_mesh_cache *c = (primitive_mesh_cache *)given->state;
    /* shortcut: primitive-mesh-identities */
    if (c->tag == PRIMITIVE_MESH_TAG && c->mesh == mesh && c->shape == shape &&
        memcmp(c->identity, mesh->identity.words, sizeof c->identity) == 0 &&
        memcmp(&c->primitive, primitive, sizeof *primitive) == 0)
        return c;
    memset(c, 0, sizeof *c);
    c->tag = PRIMITIVE_MESH_TAG;
    c->mesh = mesh;
    c->shape = shape;
    c->primitive = *primitive;
    memcpy(c->identity, mesh->identity.words, sizeof c->identity);
    grz_mesh_primitive_weights(primitive, c->weights);
    for (int k = 0; k < 3; k++)
        c->weights_mesh[k] = fmax(fabs(mesh->lower[k]), fabs(mesh->upper[k]));
    c->weights_mesh[3] = 1;
    return c;
}

static void set_hit(const primitive_mesh_query *s, bool primitive_first, graze_shape_hit *hit)
{
    if (hit == NULL)
        return;
    *hit = grz_shape_hit_none();
    grz_shape_hit_set_point(hit, s->point);
    if (!graze_shape_has_triangles(s->mesh->shape))
        return;
    uint32_t face = graze_mesh_triangle_face(s->mesh->shape->mesh, s->triangle);
    *(primitive_first ? &hit->triangle_b : &hit->triangle_a) = s->triangle;
    *(primitive_first ? &hit->face_b : &hit->face_a) = face;
}

/* Keeps a verdict that lasts while motions are below `lasting`, but for what poses may differ from rotations by. */
static void remember(primitive_mesh_query *s, graze_verdict verdict, double lasting)
{
    primitive_mesh_cache *c = s->cache;
    if (c == NULL)
        return;
    c->verdict = verdict;
    c->collided = verdict == GRAZE_VERDICT_YES;
    c->triangle = s->triangle;
    c->mesh_pose = s->mesh->pose;
    c->pose = s->placed->pose;
    c->lasting_sq = lasting > 0x1p-400 && lasting < 0x1p400 ? lasting * lasting * (1 - 0x1p-36) : 0;
}

/* Whether the verdict of the cache still holds: no point of the surface can have left the primitive, or come to it. */
static bool still_holds(const primitive_mesh_cache *c, const graze_pose *mesh, const graze_pose *pose)
{
    /* shortcut: primitive-motion-below-margin */
    return c->lasting_sq > 0 &&
           grz_motion_sq(&c->mesh_pose, mesh, c->weights_mesh, &c->pose, pose, c->weights) < c->lasting_sq;
}

/* Tries triangles; true if one certainly meets the primitive. */
static bool try_triangles(primitive_mesh_query *s, const uint32_t *triangles, unsigned count)
{
    grz_triangles_verdict found;
    s->q->stats.triangle_tests += count;
    grz_primitive_test_triangles(&s->triangles, triangles, count, &found);
    if (!(found.depth > 0))
    {
        s->undecided = s->undecided || !(found.gap > 0);
        s->nearest = fmin(s->nearest, found.gap);
        return false;
    }
    s->triangle = found.triangle;
    memcpy(s->point, found.point, sizeof s->point);
    remember(s, GRAZE_VERDICT_YES, found.depth);
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

static bool search_leaf(primitive_mesh_query *s, uint32_t index)
{
    const grz_leaf *leaf = &s->tree->leaves[index];
    uint32_t triangles[GRZ_LANES];
    float gaps[GRZ_LANES];
    unsigned count = 0, left = s->kernels->box_leaf(&s->oriented, &leaf->triangles, gaps, &s->least, NULL);
    s->q->stats.leaf_pairs++;
    for (left &= (1u << leaf->count) - 1; left != 0; count++)
    {
        unsigned lane = least_lane(gaps, left);
        triangles[count] = s->tree->order[leaf->first + lane];
        left &= ~(1u << lane);
    }
    return count > 0 && try_triangles(s, triangles, count);
}

/* Depth first, the child with the most overlap first. */
static bool search_tree(primitive_mesh_query *s)
{
    uint32_t refs[MOST_REFS], count = 1;
    refs[0] = 0;
    while (count > 0)
    {
        uint32_t ref = refs[--count];
        if ((ref & GRZ_LEAF_FLAG) != 0)
        {
            if (search_leaf(s, ref & ~GRZ_LEAF_FLAG))
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
static bool search(primitive_mesh_query *s, double *out_unit, bool *out_usable)
{
    const graze_placed *mesh = s->mesh;
    graze_pose pose;
    double radius = grz_mesh_primitive_pose(s->primitive, &s->placed->pose, &pose);
    *out_usable = grz_transposed_error(pose.m) < GRZ_ROTATION_ERROR;
    if (!*out_usable)
        return false;
    if (s->cache != NULL && s->cache->collided)
    {
        if (try_triangles(s, &s->cache->triangle, 1))
            return true;
        s->undecided = false; /* it comes again */
    }
    *out_usable = grz_tree_frame_box_make(s->tree, &mesh->pose, s->primitive->half, &pose, &s->oriented, out_unit) &&
                  grz_tree_frame_box_set_radius(s->tree, radius, &s->oriented);
    return *out_usable && search_tree(s);
}

/* Where the surface is apart from the primitive: that may still be inside a solid. */
static graze_status finish_apart(primitive_mesh_query *s, double lasting, graze_verdict *out_verdict,
                                 graze_shape_hit *out_hit)
{
    bool nested = false;
    graze_shape_hit hit = grz_shape_hit_none();
    graze_status status;
    if (s->placed->shape->form == GRZ_FORM_CURVED)
    {
        const double *m = s->placed->pose.m, centre[3] = {m[3], m[7], m[11]};
        status = grz_core_holds_point(s->q, s->mesh, centre, NULL, &nested);
        grz_shape_hit_set_point(&hit, centre);
    }
    else
        status = grz_core_nested_in(s->q, s->placed, s->mesh, &nested, &hit);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (nested && out_hit != NULL)
        *out_hit = hit;
    *out_verdict = nested ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (!nested)
        remember(s, GRAZE_VERDICT_NO, lasting);
    return status;
}

bool grz_is_primitive_at_mesh(const graze_placed *a, const graze_placed *b)
{
    bool first = may_be_primitive(a->shape);
    const graze_shape *primitive = first ? a->shape : b->shape, *mesh = first ? b->shape : a->shape;
    return may_be_primitive(primitive) && is_surface(mesh) &&
           (mesh->tree != NULL || atomic_load_explicit(&mesh->derived.tree, memory_order_relaxed) != NULL);
}

bool grz_primitive_mesh_collide(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                graze_status *out_status, graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    bool first = may_be_primitive(a->shape);
    grz_mesh_primitive primitive;
    primitive_mesh_query s = {.q = q,
                              .placed = first ? a : b,
                              .mesh = first ? b : a,
                              .primitive = &primitive,
                              .least = INFINITY,
                              .nearest = INFINITY};
    if (q->slow || !may_be_primitive(s.placed->shape) || !is_surface(s.mesh->shape) ||
        !grz_mesh_primitive_of(s.placed->shape, &primitive))
        return false;
    *out_status = GRAZE_STATUS_OK;
    if (q->cache != NULL)
    {
        s.cache = cache_of(q->cache, s.placed->shape, &primitive, s.mesh->shape->mesh);
        if ((s.cache->verdict == GRAZE_VERDICT_NO || out_hit == NULL) &&
            still_holds(s.cache, &s.mesh->pose, &s.placed->pose))
        {
            *out_verdict = s.cache->verdict;
            return true;
        }
    }
    graze_placed_mesh placed;
    double unit = 0;
    bool usable;
    *out_status = grz_core_mesh(q, s.mesh, &placed);
    if (*out_status != GRAZE_STATUS_OK)
        return true;
    s.tree = placed.tree;
    if (!s.tree->usable)
        return false;
    s.kernels = grz_distance_kernels_for(q->context != NULL ? q->context->instructions : GRAZE_INSTRUCTIONS_BEST);
    s.triangles.primitive = &primitive;
    s.triangles.mesh = s.mesh;
    s.triangles.placed = s.placed;
    s.triangles.context = q->context;
    if (search(&s, &unit, &usable))
    {
        *out_verdict = GRAZE_VERDICT_YES;
        set_hit(&s, first, out_hit);
        return true;
    }
    if (s.stopped)
        *out_status = grz_monitor_status(q->monitor);
    else if (!usable || s.undecided)
        return false;
    else
        *out_status = finish_apart(&s, fmin(unit * (double)s.least, s.nearest), out_verdict, out_hit);
    return true;
}
