/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Questions to a scene beside its frames: what a mesh, a box, a ray or a point meets, what is nearest, and which
 * objects are closer to each other than a clearance. All are about the poses of the last update. Every answer comes in
 * order of the objects' indices, as many as fit, with the full count: never a silent cut.
 *
 * Thread safety: any number of threads, while none changes or updates the scene.
 */
#ifndef GRAZE_SCENE_QUERY_H
#define GRAZE_SCENE_QUERY_H

#include "graze/mesh_query.h"
#include "graze/scene.h"

GRAZE_BEGIN_DECLS

/// An object that a query meets.
typedef struct graze_object_hit
{
    graze_object object;
    void *user;
    bool has_witness;  ///< false where one lies in the other without contact
    graze_hit witness; ///< triangle_a is the query's, triangle_b the object's
} graze_object_hit;

/// What to ask of objects. Start from graze_scene_filter_default(); NULL means the same.
typedef struct graze_scene_filter
{
    uint64_t layers;     ///< one bit a layer; all by default
    graze_object except; ///< leave this one out, with all below it; none by default
} graze_scene_filter;

GRAZE_API graze_scene_filter graze_scene_filter_default(void);

/// All objects that a placed mesh meets; solid ones also where they contain it. Guarantee: exact.
GRAZE_API graze_status graze_scene_collide_mesh(const graze_scene *scene, const graze_placed_mesh *mesh,
                                                const graze_scene_filter *filter, graze_object_hit *hits,
                                                size_t capacity, size_t *out_count);

/// All objects that one of the scene meets, whatever the rules of interest say. Guarantee: exact.
GRAZE_API graze_status graze_scene_collide_object(const graze_scene *scene, graze_object object,
                                                  const graze_scene_filter *filter, graze_object_hit *hits,
                                                  size_t capacity, size_t *out_count);

/// All objects that share a point with a box, taken as a body. Guarantee: exact.
GRAZE_API graze_status graze_scene_collide_box(const graze_scene *scene, const graze_box *box,
                                               const graze_scene_filter *filter, graze_object_hit *hits,
                                               size_t capacity, size_t *out_count);

/// All objects that a point lies on, and solid ones it lies in. Guarantee: exact.
GRAZE_API graze_status graze_scene_collide_point(const graze_scene *scene, const double point[3],
                                                 const graze_scene_filter *filter, graze_object_hit *hits,
                                                 size_t capacity, size_t *out_count);

/// Where a ray first meets an object.
typedef struct graze_ray_hit
{
    graze_object object;
    void *user;
    graze_mesh_ray_hit hit;
} graze_ray_hit;

/// All objects that the points origin + t direction, 0 <= t <= limit, meet; `limit` may be INFINITY. They come in order
/// of t, then of index. Guarantee: whether an object is met is exact; t is bounded.
GRAZE_API graze_status graze_scene_cast_ray(const graze_scene *scene, const double origin[3], const double direction[3],
                                            double limit, const graze_scene_filter *filter, graze_ray_hit *hits,
                                            size_t capacity, size_t *out_count);

/// An object and how far it is.
typedef struct graze_nearest_object
{
    graze_object object; ///< none when everything is farther than the limit
    void *user;
    graze_distance distance; ///< point_a and triangle_a are the query's
} graze_nearest_object;

/// The object nearest to a placed mesh, or to a point; of those at the same computed distance the one of least index.
/// Guarantee: bounded, as graze_pair_distance; surfaces count, not bodies.
GRAZE_API graze_status graze_scene_nearest_to_mesh(const graze_scene *scene, const graze_placed_mesh *mesh,
                                                   double limit, const graze_scene_filter *filter,
                                                   graze_nearest_object *out_nearest);
GRAZE_API graze_status graze_scene_nearest_to_point(const graze_scene *scene, const double point[3], double limit,
                                                    const graze_scene_filter *filter,
                                                    graze_nearest_object *out_nearest);

/// Two objects within a clearance.
typedef struct graze_close_pair
{
    graze_object a, b;       ///< a.index < b.index
    graze_proximity witness; ///< one pair of triangles within the clearance
} graze_close_pair;

/// All pairs of interest (graze/interest.h) whose surfaces are at most `clearance` apart. Guarantee: exact.
GRAZE_API graze_status graze_scene_close_pairs(const graze_scene *scene, double clearance, graze_close_pair *pairs,
                                               size_t capacity, size_t *out_count);

GRAZE_END_DECLS

#endif
