/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Spatial queries on a scene: overlap with a mesh, shape, box or point, ray casts, nearest object, pairs within a
 * clearance.
 * All are about the poses of the last update. Results are sorted by object index, ray hits by t: as many as fit, and
 * the full count. Each takes a budget (graze/budget.h): used up it is UNFINISHED or CANCELLED, and results are
 * unchanged.
 *
 * Objects and queries may be meshes or shapes. Where a curved shape (graze/shape_query.h) is too near to touching to
 * tell, the object is listed with the verdict GRAZE_VERDICT_UNKNOWN; all others have GRAZE_VERDICT_YES.
 *
 * Thread safety: any number of threads, while none changes or updates the scene.
 */
#ifndef GRAZE_SCENE_QUERY_H
#define GRAZE_SCENE_QUERY_H

#include "graze/mesh_query.h"
#include "graze/scene.h"

GRAZE_BEGIN_DECLS

/// An object that collides with a query.
typedef struct graze_object_hit
{
    graze_object object;
    void *user;
    bool has_witness;  ///< false when one contains the other without contact, and where one has no triangles
    graze_hit witness; ///< triangle_a is the query's, triangle_b the object's
    graze_verdict verdict;
    bool has_shape_hit;        ///< one of them is a shape, and the verdict is YES
    graze_shape_hit shape_hit; ///< then: where they meet; part_a and triangle_a are the query's
} graze_object_hit;

/// Which objects a query considers. Start from graze_scene_filter_default(); NULL means the same.
typedef struct graze_scene_filter
{
    size_t struct_size;
    uint64_t layers;     ///< one bit a layer; all by default
    graze_object except; ///< ignore this object and its descendants; none by default
} graze_scene_filter;

GRAZE_INLINE graze_scene_filter graze_scene_filter_default(void)
{
    graze_scene_filter filter;
    memset(&filter, 0, sizeof filter);
    filter.struct_size = sizeof filter;
    filter.layers = UINT64_MAX;
    return filter;
}

/// All objects that collide with a placed mesh; solid ones also where they contain it. Guarantee: exact.
GRAZE_API graze_status graze_scene_collide_mesh(const graze_scene *scene, const graze_placed_mesh *mesh,
                                                const graze_scene_filter *filter, const graze_budget *budget,
                                                graze_object_hit *hits, size_t capacity, size_t *out_count);

/// All objects that collide with a placed shape. Guarantee: exact. Fails also as graze_placed_check.
GRAZE_API graze_status graze_scene_collide_shape(const graze_scene *scene, const graze_placed *shape,
                                                 const graze_scene_filter *filter, const graze_budget *budget,
                                                 graze_object_hit *hits, size_t capacity, size_t *out_count);

/// All objects that collide with one of the scene, whatever the rules of interest say. Guarantee: exact.
GRAZE_API graze_status graze_scene_collide_object(const graze_scene *scene, graze_object object,
                                                  const graze_scene_filter *filter, const graze_budget *budget,
                                                  graze_object_hit *hits, size_t capacity, size_t *out_count);

/// All objects that share a point with a solid box. Guarantee: exact.
GRAZE_API graze_status graze_scene_collide_box(const graze_scene *scene, const graze_box *box,
                                               const graze_scene_filter *filter, const graze_budget *budget,
                                               graze_object_hit *hits, size_t capacity, size_t *out_count);

/// All objects whose surface contains a point, and solid ones that contain it, as most shapes are. Guarantee: exact.
GRAZE_API graze_status graze_scene_collide_point(const graze_scene *scene, const double point[3],
                                                 const graze_scene_filter *filter, const graze_budget *budget,
                                                 graze_object_hit *hits, size_t capacity, size_t *out_count);

/// The first hit of a ray on an object.
typedef struct graze_ray_hit
{
    graze_object object;
    void *user;
    graze_mesh_ray_hit hit; ///< of shapes: triangle and face GRAZE_NO_TRIANGLE where there are none; t is 0 where the
                            ///< origin lies in it; UNKNOWN: t is the limit, and no point
    graze_verdict verdict;
    uint32_t part; ///< leaf of a compound; else 0
} graze_ray_hit;

/// All objects that the ray origin + t direction, 0 <= t <= limit, hits; `limit` may be INFINITY. Sorted by t, then by
/// index. Guarantee: whether an object is hit is exact; t is bounded.
GRAZE_API graze_status graze_scene_cast_ray(const graze_scene *scene, const double origin[3], const double direction[3],
                                            double limit, const graze_scene_filter *filter, const graze_budget *budget,
                                            graze_ray_hit *hits, size_t capacity, size_t *out_count);

/// An object and how far it is.
typedef struct graze_nearest_object
{
    graze_object object; ///< none when everything is farther than the limit
    void *user;
    graze_distance distance; ///< point_a and triangle_a are the query's; triangles and faces of shapes that have none
                             ///< are GRAZE_NO_TRIANGLE
    uint32_t part;           ///< leaf of the object, if it is a compound; else 0
} graze_nearest_object;

/// The object nearest to a placed mesh, or to a point; of those at the same computed distance the one of least index.
/// Guarantee: bounded, as graze_pair_distance; the distance of meshes is to the surface: 0 only on the surface, also
/// for solid objects. With shapes it is that of graze_shape_pair_distance: 0 within solid ones.
GRAZE_API graze_status graze_scene_nearest_to_mesh(const graze_scene *scene, const graze_placed_mesh *mesh,
                                                   double limit, const graze_scene_filter *filter,
                                                   const graze_budget *budget, graze_nearest_object *out_nearest);
GRAZE_API graze_status graze_scene_nearest_to_point(const graze_scene *scene, const double point[3], double limit,
                                                    const graze_scene_filter *filter, const graze_budget *budget,
                                                    graze_nearest_object *out_nearest);

/// The same for a placed shape; a mesh that is solid is then a solid. Fails also as graze_placed_check.
GRAZE_API graze_status graze_scene_nearest_to_shape(const graze_scene *scene, const graze_placed *shape, double limit,
                                                    const graze_scene_filter *filter, const graze_budget *budget,
                                                    graze_nearest_object *out_nearest);

/// Two objects within a clearance.
typedef struct graze_close_pair
{
    graze_object a, b;       ///< a.index < b.index
    graze_proximity witness; ///< of two meshes: one pair of triangles within the clearance; else zeros
    graze_verdict verdict;
    bool has_shape_hit;        ///< one of them has a shape, and the verdict is YES
    graze_shape_hit shape_hit; ///< then: which parts and triangles are that close
} graze_close_pair;

/// All pairs of interest (graze/interest.h) whose surfaces are at most `clearance` apart; where one has a shape, also
/// those of which one lies in the other, solid one. Guarantee: exact.
GRAZE_API graze_status graze_scene_close_pairs(const graze_scene *scene, double clearance, const graze_budget *budget,
                                               graze_close_pair *pairs, size_t capacity, size_t *out_count);

GRAZE_END_DECLS

#endif
