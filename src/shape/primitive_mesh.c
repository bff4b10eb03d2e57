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
#include "shape/placed.h"
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
    uint64_t tag, identity[2];
    grz_mesh_primitive primitive;
    double weights_mesh[4], weights[4];
    graze_pose mesh_pose, pose; /* when the verdict was certified */
    double lasting_sq;          /* it stays while motions are below the root of this */
    graze_verdict verdict;
    uint32_t triangle;
    bool collided; /* `triangle` is set */
    bool solid;    /* the mesh */
} primitive_mesh_cache;

_Static_assert(sizeof(primitive_mesh_cache) <= sizeof((graze_shape_cache *)0)->state, "the cache fits");

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

/* A primitive and a surface, in the order of the arguments or the other one. */
typedef struct primitive_mesh_pair
{
    const graze_placed *placed, *mesh;
    grz_mesh_primitive primitive;
    bool primitive_first;
} primitive_mesh_pair;

static bool make_pair(const graze_placed *a, const graze_placed *b, primitive_mesh_pair *out)
{
    out->primitive_first = may_be_primitive(a->shape);
    out->placed = out->primitive_first ? a : b;
    out->mesh = out->primitive_first ? b : a;
    return is_surface(out->mesh->shape) && grz_mesh_primitive_of(out->placed->shape, &out->primitive);
}

static bool is_of(const primitive_mesh_cache *c, const primitive_mesh_pair *pair)
{
    const graze_mesh *mesh = pair->mesh->shape->mesh;
    /* shortcut: primitive-mesh-identities */
    return c->tag == PRIMITIVE_MESH_TAG && c->mesh == mesh && c->solid == pair->mesh->shape->solid &&
           memcmp(c->identity, mesh->identity.words, sizeof c->identity) == 0 &&
           memcmp(&c->primitive, &pair->primitive, sizeof c->primitive) == 0;
}

/* The cache, emptied if it was of another pair. */
static primitive_mesh_cache *cache_of(graze_shape_cache *given, const primitive_mesh_pair *pair)
{
    primitive_mesh_cache *c = (primitive_mesh_cache *)given->state;
    const graze_mesh *mesh = pair->mesh->shape->mesh;
    if (is_of(c, pair))
        return c;
    memset(c, 0, sizeof *c);
    c->tag = PRIMITIVE_MESH_TAG;
    c->mesh = mesh;
    c->solid = pair->mesh->shape->solid;
    c->primitive = pair->primitive;
    memcpy(c->identity, mesh->identity.words, sizeof c->identity);
    grz_mesh_primitive_weights(&c->primitive, c->weights);
    for (int k = 0; k < 3; k++)
        c->weights_mesh[k] = fmax(fabs(mesh->lower[k]), fabs(mesh->upper[k]));
    c->weights_mesh[3] = 1;
    return c;
}

/* A query under way: the primitive is A, the surface B, or the other way round. */
typedef struct primitive_mesh_query
{
    grz_shape_query *q;
    const primitive_mesh_pair *pair;
    const graze_tree *tree;
    const grz_distance_kernels *kernels;
    primitive_mesh_cache *cache; /* NULL: none */
    grz_primitive_triangles triangles;
    grz_tree_frame_box oriented;
    float least;       /* of the gaps so far, in the tree's unit of length */
    double nearest;    /* of the gaps of triangles so far, in the world */
    bool undecided;    /* a triangle is neither certainly apart nor has a certain common point */
    bool stopped;      /* by the monitor */
    uint32_t triangle; /* that was met */
    double point[3];   /* there */
} primitive_mesh_query;

static void set_hit(const primitive_mesh_query *s, graze_shape_hit *hit)
{
    if (hit == NULL)
        return;
    *hit = grz_shape_hit_none();
    grz_shape_hit_set_point(hit, s->point);
    if (!graze_shape_has_triangles(s->pair->mesh->shape))
        return;
    uint32_t face = graze_mesh_triangle_face(s->pair->mesh->shape->mesh, s->triangle);
    bool primitive_first = s->pair->primitive_first;
    *(primitive_first ? &hit->triangle_b : &hit->triangle_a) = s->triangle;
    *(primitive_first ? &hit->face_b : &hit->face_a) = face;
}

/* Keeps a verdict that lasts while motions are below `lasting`. */
static void remember(primitive_mesh_query *s, graze_verdict verdict, double lasting)
{
    primitive_mesh_cache *c = s->cache;
    if (c == NULL)
        return;
    c->verdict = verdict;
    c->collided = verdict == GRAZE_VERDICT_YES;
    c->triangle = s->triangle;
    c->mesh_pose = s->pair->mesh->pose;
    c->pose = s->pair->placed->pose;
    c->lasting_sq = lasting > 0x1p-400 && lasting < 0x1p400 ? lasting * lasting * (1 - 8 * GRZ_U) : 0;
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
    const primitive_mesh_pair *pair = s->pair;
    graze_pose pose;
    if (s->cache != NULL && s->cache->collided)
    {
        *out_usable = grz_transposed_error(pair->placed->pose.m) < GRZ_ROTATION_ERROR;
        if (!*out_usable || try_triangles(s, &s->cache->triangle, 1))
            return *out_usable;
        s->undecided = false; /* it comes again */
    }
    double radius = grz_mesh_primitive_pose(&pair->primitive, &pair->placed->pose, &pose);
    *out_usable =
        grz_tree_frame_box_make(s->tree, &pair->mesh->pose, pair->primitive.half, &pose, &s->oriented, out_unit) &&
        grz_tree_frame_box_set_radius(s->tree, radius, &s->oriented);
    return *out_usable && search_tree(s);
}

/* Where the surface is apart from the primitive: that may still be inside a solid. */
static graze_status finish_apart(primitive_mesh_query *s, double lasting, graze_verdict *out_verdict,
                                 graze_shape_hit *out_hit)
{
    const graze_placed *placed = s->pair->placed;
    bool nested = false;
    graze_shape_hit hit = grz_shape_hit_none();
    graze_status status;
    if (placed->shape->form == GRZ_FORM_CURVED)
    {
        const double *m = placed->pose.m, centre[3] = {m[3], m[7], m[11]};
        status = grz_core_holds_point(s->q, s->pair->mesh, centre, NULL, &nested);
        grz_shape_hit_set_point(&hit, centre);
    }
    else
        status = grz_core_nested_in(s->q, placed, s->pair->mesh, &nested, &hit);
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

/* Fields that the search sets itself are not set here: zeros for all of it take time. */
static bool start_query(primitive_mesh_query *s, grz_shape_query *q, const primitive_mesh_pair *pair,
                        primitive_mesh_cache *cache, const graze_tree *tree)
{
    s->q = q;
    s->pair = pair;
    s->tree = tree;
    s->cache = cache;
    s->kernels = grz_distance_kernels_for(q->context != NULL ? q->context->instructions : GRAZE_INSTRUCTIONS_BEST);
    s->least = INFINITY;
    s->nearest = INFINITY;
    s->undecided = s->stopped = false;
    s->triangle = GRAZE_NO_TRIANGLE;
    s->triangles.primitive = &pair->primitive;
    s->triangles.mesh = pair->mesh;
    s->triangles.placed = pair->placed;
    s->triangles.context = q->context;
    s->triangles.ready = false;
    return tree->usable;
}

bool grz_primitive_mesh_collide(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                graze_status *out_status, graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    primitive_mesh_pair pair;
    primitive_mesh_query s;
    primitive_mesh_cache *cache = NULL;
    graze_placed_mesh placed;
    double unit = 0;
    bool usable;
    if (q->slow || !make_pair(a, b, &pair))
        return false;
    *out_status = GRAZE_STATUS_OK;
    if (q->cache != NULL)
    {
        cache = cache_of(q->cache, &pair);
        if ((cache->verdict == GRAZE_VERDICT_NO || out_hit == NULL) &&
            still_holds(cache, &pair.mesh->pose, &pair.placed->pose))
        {
            *out_verdict = cache->verdict;
            return true;
        }
    }
    *out_status = grz_core_mesh(q, pair.mesh, &placed);
    if (*out_status != GRAZE_STATUS_OK)
        return true;
    if (!start_query(&s, q, &pair, cache, placed.tree))
        return false;
    if (search(&s, &unit, &usable))
    {
        *out_verdict = GRAZE_VERDICT_YES;
        set_hit(&s, out_hit);
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

graze_verdict grz_primitive_mesh_recall(const graze_shape_cache *cache, const graze_placed *a, const graze_placed *b)
{
    primitive_mesh_pair pair;
    const primitive_mesh_cache *c = (const primitive_mesh_cache *)cache->state;
    if (c->tag != PRIMITIVE_MESH_TAG || a == NULL || b == NULL || a->shape == NULL || b->shape == NULL ||
        !make_pair(a, b, &pair) || !is_of(c, &pair) || !still_holds(c, &pair.mesh->pose, &pair.placed->pose))
        return GRAZE_VERDICT_UNKNOWN;
    bool rigid = !grz_needs_rigid_pose(pair.placed->shape->kind) || grz_pose_is_rigid(&pair.placed->pose);
    return rigid ? c->verdict : GRAZE_VERDICT_UNKNOWN;
}
