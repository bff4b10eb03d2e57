/* SPDX-License-Identifier: MIT */
/* The frame-to-frame cache; see graze/cache.h. Motions are bounded as pair/motion_bound.h says. */
#include "pair/hit/cache.h"

#include <math.h>
#include <string.h>

#include "math/interval.h"
#include "mesh/mesh.h"
#include "pair/arguments.h"
#include "pair/distance/proximity.h"
#include "pair/motion_bound.h"
#include "tree/tree.h"

enum
{
    OPENINGS = 400,    /* node pairs that a search for a gap may open */
    WORTH_FRAMES = 12, /* a gap must last this many frames to be worth that */
    MOST_FRAMES = 1024,
    LEAST_GAP_BACKOFF = 32,  /* queries from a search that was not worth it, or from the start, to the next */
    GAP_BACKOFF_FACTOR = 8,  /* factor of that number after each such search */
    MOST_GAP_BACKOFF = 1024, /* and its limit */
    FEW_MISSES = 2,          /* consecutive misses of the witness before it is tried less often */
    MOST_MISSES = 6          /* the number of queries without a try doubles each time, up to 2^4 */
};

graze_pair_cache graze_pair_cache_default(void)
{
    return (graze_pair_cache){0};
}

/* Upper bound of the squared relative motion of any two points of A and B since the cache was updated. */
static double motion_sq(const grz_pair_cache_state *c, const graze_pose *a, const graze_pose *b)
{
    return grz_motion_sq(&c->pose_a, a, c->weights_a, &c->pose_b, b, c->weights_b);
}

static inline bool has_identity(const graze_mesh *mesh, const uint64_t identity[2])
{
    return mesh->identity.words[0] == identity[0] && mesh->identity.words[1] == identity[1];
}

/* Whether these are the meshes of the cache, unchanged. */
static bool same_meshes(const grz_pair_cache_state *c, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    /* shortcut: cache-identities */
    return a->mesh == c->mesh_a && b->mesh == c->mesh_b && has_identity(a->mesh, c->identity_a) &&
           has_identity(b->mesh, c->identity_b);
}

static bool proper_trees(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    return (a->tree == NULL || a->tree->mesh == a->mesh) && (b->tree == NULL || b->tree->mesh == b->mesh);
}

/* Tests whether the witness, the pair found last, still intersects. */
static bool witness_still_hits(const grz_pair_cache_state *c, const graze_placed_mesh *a, const graze_placed_mesh *b,
                               graze_hit *out_hit)
{
    if (grz_check_arguments(a, b) != GRAZE_STATUS_OK)
        return false;
    graze_placed_triangle first = {.pose = &a->pose}, second = {.pose = &b->pose};
    for (int corner = 0; corner < 3; corner++)
    {
        first.corners[corner] = grz_mesh_vertex(a->mesh, a->mesh->triangles[3 * (size_t)c->witness_a + (size_t)corner]);
        second.corners[corner] =
            grz_mesh_vertex(b->mesh, b->mesh->triangles[3 * (size_t)c->witness_b + (size_t)corner]);
    }
    /* shortcut: witness-first */
    graze_triangle_contact contact = graze_triangle_collide(&first, &second);
    if (contact.found && out_hit != NULL)
        *out_hit = (graze_hit){c->witness_a, c->witness_b, graze_mesh_triangle_face(a->mesh, c->witness_a),
                               graze_mesh_triangle_face(b->mesh, c->witness_b), contact};
    return contact.found;
}

/* Tests the witness, but less often after misses. */
static bool try_witness(grz_pair_cache_state *c, const graze_placed_mesh *a, const graze_placed_mesh *b,
                        graze_hit *out_hit)
{
    if (c->witness_backoff > 0)
    {
        c->witness_backoff--;
        return false;
    }
    if (witness_still_hits(c, a, b, out_hit))
    {
        c->witness_misses = 0;
        return true;
    }
    c->witness_misses = c->witness_misses < MOST_MISSES ? c->witness_misses + 1 : MOST_MISSES;
    c->witness_backoff = c->witness_misses > FEW_MISSES ? 1u << (c->witness_misses - FEW_MISSES) : 0;
    return false;
}

bool grz_cache_answers(graze_pair_cache *counts, const graze_placed_mesh *a, const graze_placed_mesh *b,
                       bool *out_found, graze_hit *out_hit)
{
    grz_pair_cache_state *cache = grz_cache_state(counts);
    counts->queries++;
    if (a == NULL || b == NULL || a->mesh == NULL || b->mesh == NULL || !same_meshes(cache, a, b) ||
        !proper_trees(a, b))
        return false;
    cache->queries_since_update++;
    /* shortcut: motion-below-gap */
    if (cache->gap_sq > 0 && motion_sq(cache, &a->pose, &b->pose) < cache->gap_sq)
    {
        counts->answered_by_gap++;
        *out_found = false;
        return true;
    }
    if (!cache->collided || !try_witness(cache, a, b, out_hit))
        return false;
    counts->answered_by_witness++;
    *out_found = true;
    return true;
}

/* How far a change by one of a pose's entry moves a vertex at most, by column. */
static void set_weights(const graze_mesh *mesh, double weights[4])
{
    for (int k = 0; k < 3; k++)
    {
        double lower = fabs(mesh->lower[k]), upper = fabs(mesh->upper[k]);
        weights[k] = lower > upper ? lower : upper;
    }
    weights[3] = 1;
}

static void reset(grz_pair_cache_state *c, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    grz_pair_cache_state fresh = {.mesh_a = a->mesh,
                                  .mesh_b = b->mesh,
                                  .identity_a = {a->mesh->identity.words[0], a->mesh->identity.words[1]},
                                  .identity_b = {b->mesh->identity.words[0], b->mesh->identity.words[1]},
                                  .backoff_left = LEAST_GAP_BACKOFF,
                                  .backoff = GAP_BACKOFF_FACTOR * LEAST_GAP_BACKOFF};
    set_weights(a->mesh, fresh.weights_a);
    set_weights(b->mesh, fresh.weights_b);
    *c = fresh;
}

static void back_off(grz_pair_cache_state *c)
{
    c->backoff_left = c->backoff;
    c->backoff *= GAP_BACKOFF_FACTOR;
    if (c->backoff > MOST_GAP_BACKOFF)
        c->backoff = MOST_GAP_BACKOFF;
}

/*
 * Searches for a gap that lasts for some frames of the motion observed so far. That costs about as much as a few
 * queries. So where there is none, or where gaps did not last that long, it searches ever less often: once in 250
 * queries, twice in 1000.
 */
static void find_lower_bound(grz_pair_cache_state *c, const graze_context *context, const graze_placed_mesh *a,
                             const graze_placed_mesh *b, double step)
{
    if (c->backoff_left > 0)
    {
        c->backoff_left--;
        return;
    }
    double enough = step > 0x1p-400 ? MOST_FRAMES * step : 0x1p300; /* an object at rest has a step of 2^-450 */
    double gap = grz_distance_lower_bound(context, a, b, WORTH_FRAMES * step, enough, OPENINGS, NULL);
    if (gap > 0x1p-400 && gap < 0x1p400)
        c->gap_sq = gap * gap * (1 - 8 * GRZ_U);
    if (!(gap > WORTH_FRAMES * step))
        back_off(c);
}

/* Adapts the back-off to how long the last gap was valid. */
static void rate_gap(grz_pair_cache_state *c)
{
    if (!(c->gap_sq > 0) || c->backoff_left > 0)
        return;
    if (c->queries_since_update >= WORTH_FRAMES)
        c->backoff = LEAST_GAP_BACKOFF;
    else
        back_off(c);
}

bool grz_cache_hint(graze_pair_cache *pair_cache, grz_traversal_hint *out_hint)
{
    const grz_pair_cache_state *cache = grz_cache_state(pair_cache);
    *out_hint = (grz_traversal_hint){cache->node_a, cache->node_b};
    return cache->collided && cache->node_a != UINT32_MAX;
}

void grz_cache_update(graze_pair_cache *pair_cache, const graze_context *context, const graze_placed_mesh *a,
                      const graze_placed_mesh *b, const graze_hit *hit, const grz_traversal_hint *hint)
{
    grz_pair_cache_state *cache = grz_cache_state(pair_cache);
    if (!same_meshes(cache, a, b))
        reset(cache, a, b);
    double step = 0;
    if (cache->has_poses && cache->queries_since_update > 0)
        step = sqrt(motion_sq(cache, &a->pose, &b->pose)) / cache->queries_since_update;
    rate_gap(cache);
    cache->pose_a = a->pose;
    cache->pose_b = b->pose;
    cache->has_poses = true;
    cache->queries_since_update = 0;
    cache->gap_sq = 0;
    cache->collided = hit != NULL;
    if (hit != NULL)
    {
        cache->witness_a = hit->triangle_a;
        cache->witness_b = hit->triangle_b;
        cache->node_a = hint->a;
        cache->node_b = hint->b;
    }
    else
        find_lower_bound(cache, context, a, b, step);
}
