/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Shapes: whatever can collide. Meshes, convex hulls, primitives, height fields, rounded polytopes and compounds of all
 * of them. graze/shape_query.h has the queries of two placed shapes.
 *
 * **What a shape is.** Hulls, boxes, spheres, capsules, cylinders, cones, ellipsoids, half-spaces and rounded shapes
 * are solid: what lies inside collides. Triangles, segments, points and height fields are the closed sets of their
 * points; a mesh is a surface or, where it is said to be, a solid (see graze_pair_containment), but one that is not
 * closed, or has an edge of more than two faces, bounds none and stays a surface. A compound is the union of its parts.
 *
 * **Exactness** (see graze/pose.h). The numbers below are taken at face value, as real numbers. Polytopes are placed
 * as meshes are: a placed vertex is R v + t. A sphere, capsule or rounded shape is its placed core (a point, segment or
 * polytope) and all points at most `radius` away from it, measured in the world: it keeps its radius. Kinds with a
 * radius, and curved ones, take rotations and mirrored rotations only, up to 1e-9 (graze_placed_check); within that,
 * the matrix is taken as it is.
 *
 * Shapes are immutable; any number of threads may share one. What queries need to know of it (tree, body, hull) is made
 * when it is first needed, kept in the shape and destroyed with it.
 */
#ifndef GRAZE_SHAPE_H
#define GRAZE_SHAPE_H

#include <stdbool.h>

#include "graze/box.h"
#include "graze/mesh.h"
#include "graze/pose.h"
#include "graze/tree.h"

GRAZE_BEGIN_DECLS

typedef struct graze_shape graze_shape;

typedef enum graze_shape_kind
{
    GRAZE_SHAPE_MESH = 0,
    GRAZE_SHAPE_HULL,
    GRAZE_SHAPE_SPHERE,
    GRAZE_SHAPE_CAPSULE,
    GRAZE_SHAPE_BOX,
    GRAZE_SHAPE_CYLINDER,
    GRAZE_SHAPE_CONE,
    GRAZE_SHAPE_ELLIPSOID,
    GRAZE_SHAPE_HALF_SPACE,
    GRAZE_SHAPE_TRIANGLE,
    GRAZE_SHAPE_SEGMENT,
    GRAZE_SHAPE_POINT,
    GRAZE_SHAPE_HEIGHT_FIELD,
    GRAZE_SHAPE_COMPOUND,
    GRAZE_SHAPE_ROUNDED,
    GRAZE_SHAPE_KIND_COUNT
} graze_shape_kind;

/// A shape somewhere.
typedef struct graze_placed
{
    const graze_shape *shape;
    graze_pose pose;
} graze_placed;

/* All functions below that create a shape fail with BAD_ARGUMENT (a size or radius that is negative, a zero normal, a
 * core that cannot be rounded), NOT_FINITE or OUT_OF_MEMORY. Sizes and radii may be 0. The caller owns *out_shape. */

/// A mesh, which must outlive the shape and not change. `tree` is one of the mesh that outlives the shape, or NULL: one
/// is built when it is first needed.
GRAZE_API graze_status graze_shape_create_mesh(const graze_context *context, const graze_mesh *mesh,
                                               const graze_tree *tree, bool solid, graze_shape **out_shape);

/// The convex hull of points, three coordinates each; exactly: vertices, faces and edges are those of the real hull.
/// Fails with EMPTY without points, TOO_LARGE, UNFINISHED or CANCELLED. `budget` may be NULL.
GRAZE_API graze_status graze_shape_create_hull(const graze_context *context, const double *points, size_t count,
                                               const graze_budget *budget, graze_shape **out_shape);

/// `centre` may be NULL: the origin.
GRAZE_API graze_status graze_shape_create_sphere(const graze_context *context, const double centre[3], double radius,
                                                 graze_shape **out_shape);

/// All points at most `radius` away from the segment between the ends.
GRAZE_API graze_status graze_shape_create_capsule(const graze_context *context, const double ends[2][3], double radius,
                                                  graze_shape **out_shape);

/// A box centred at the origin; full sizes along x, y and z. Its corners are at half the sizes: exactly, unless that
/// takes half of the least denormal number, which is rounded.
GRAZE_API graze_status graze_shape_create_box(const graze_context *context, const double size[3],
                                              graze_shape **out_shape);

/// A cylinder centred at the origin, with axis z.
GRAZE_API graze_status graze_shape_create_cylinder(const graze_context *context, double height, double radius,
                                                   graze_shape **out_shape);

/// A cone with axis z: its tip at height / 2, the disk of its base at -height / 2.
GRAZE_API graze_status graze_shape_create_cone(const graze_context *context, double height, double radius,
                                               graze_shape **out_shape);

/// An ellipsoid centred at the origin: (x / radii[0])^2 + (y / radii[1])^2 + (z / radii[2])^2 <= 1; along an axis of
/// radius 0 it is flat.
GRAZE_API graze_status graze_shape_create_ellipsoid(const graze_context *context, const double radii[3],
                                                    graze_shape **out_shape);

/// All x with normal . x <= offset; the normal has any length but 0.
GRAZE_API graze_status graze_shape_create_half_space(const graze_context *context, const double normal[3],
                                                     double offset, graze_shape **out_shape);

GRAZE_API graze_status graze_shape_create_triangle(const graze_context *context, const double points[3][3],
                                                   graze_shape **out_shape);
GRAZE_API graze_status graze_shape_create_segment(const graze_context *context, const double points[2][3],
                                                  graze_shape **out_shape);
GRAZE_API graze_status graze_shape_create_point(const graze_context *context, const double point[3],
                                                graze_shape **out_shape);

/// A surface over the rectangle `size` (x, y) centred at the origin: `columns` heights along x in each of `rows` rows
/// along y, the first at (-size[0] / 2, -size[1] / 2); at least two of each. Sizes are above 0. Every cell is two
/// triangles, cut from its corner of least x and y to the opposite one. Coordinates of columns and rows are rounded
/// once. Fails with TOO_LARGE.
GRAZE_API graze_status graze_shape_create_height_field(const graze_context *context, const double size[2],
                                                       const double *heights, size_t columns, size_t rows,
                                                       graze_shape **out_shape);

/// The union of placed shapes, which must outlive it; compounds may be nested. The pose of a part in the world is the
/// product of the compound's pose and its own, each entry rounded to nearest as by graze_pose_compose. Fails with EMPTY
/// without parts, and with TOO_LARGE where compounds are nested more than 64 deep or have 2^32 - 1 shapes in all.
GRAZE_API graze_status graze_shape_create_compound(const graze_context *context, const graze_placed *parts,
                                                   size_t count, graze_shape **out_shape);

/// All points at most `radius` away from the core: a box, hull, triangle, segment or point, which must outlive it.
GRAZE_API graze_status graze_shape_create_rounded(const graze_context *context, const graze_shape *core, double radius,
                                                  graze_shape **out_shape);

GRAZE_API void graze_shape_destroy(graze_shape *shape);

GRAZE_API graze_shape_kind graze_shape_get_kind(const graze_shape *shape);

/// As in shape files: "mesh", "hull", "half_space" and so on; NULL for a number that is no kind.
GRAZE_API const char *graze_shape_kind_name(graze_shape_kind kind);

/// Whether its inside belongs to it, if it has one: flat hulls and spheres of radius 0 are solid too. A compound is
/// solid where all its parts are.
GRAZE_API bool graze_shape_is_solid(const graze_shape *shape);

/// Whether queries count and list triangles of it: meshes and height fields.
GRAZE_API bool graze_shape_has_triangles(const graze_shape *shape);

/// Its polytope as a mesh: of mesh, hull, box, triangle, segment, point and height field the shape itself; of sphere,
/// capsule and rounded shape the core (a point or segment is a triangle with equal corners). NULL for all others.
/// Belongs to the shape.
GRAZE_API const graze_mesh *graze_shape_mesh(const graze_shape *shape);

/// What a rounded shape was made of; NULL for others.
GRAZE_API const graze_shape *graze_shape_core(const graze_shape *shape);

/// The radius around the core of a sphere, capsule or rounded shape; 0 for all other kinds.
GRAZE_API double graze_shape_radius(const graze_shape *shape);

/// The numbers it was made of, as many as fit into `capacity`, and how many there are: box and ellipsoid three,
/// cylinder and cone height and radius, half-space normal and offset, height field size, columns and rows; none for
/// others.
GRAZE_API size_t graze_shape_numbers(const graze_shape *shape, double *numbers, size_t capacity);

/// The parts of a compound; 0 and NULL for other kinds.
GRAZE_API size_t graze_shape_part_count(const graze_shape *shape);
GRAZE_API const graze_placed *graze_shape_parts(const graze_shape *shape);

/// Whether the pose is one the shape may have: NOT_FINITE; GRAZE_STATUS_NOT_RIGID where a kind with a radius, or a
/// curved one, or a part of that kind, has a pose that is no rotation or mirrored rotation within 1e-9 (each entry of
/// R^T R, computed in doubles, differs by at most that from the unit matrix); SINGULAR for a half-space whose pose has
/// no inverse.
GRAZE_API graze_status graze_placed_check(const graze_placed *placed);

/// A box around the placed shape, rounded outward; infinite for half-spaces, empty for meshes without triangles. Fails
/// as graze_placed_check.
GRAZE_API graze_status graze_placed_bounds(const graze_placed *placed, graze_box *out_bounds);

/// Options of tessellations. Start from graze_tessellation_options_default(); NULL means the same.
typedef struct graze_tessellation_options
{
    size_t struct_size;
    uint32_t segments; ///< around a circle, 4 to 1024, rounded down to a multiple of 4
    bool around;       ///< the hull lies around the shape, not in it
    graze_budget budget;
} graze_tessellation_options;

GRAZE_INLINE graze_tessellation_options graze_tessellation_options_default(void)
{
    graze_tessellation_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.segments = 64;
    return options;
}

/// A convex hull that stands for a sphere, capsule, rounded shape, cylinder, cone or ellipsoid: graze_shape_mesh gives
/// its triangles. Guarantee: exact; for every pose that the shape may have, the placed hull lies in the placed shape,
/// or the shape in it. They differ by about pi^2 / n^2 of the radius for n segments. UNSUPPORTED for other kinds,
/// whose mesh says all there is, and which have none; TOO_LARGE, UNFINISHED or CANCELLED.
GRAZE_API graze_status graze_shape_tessellate(const graze_context *context, const graze_shape *shape,
                                              const graze_tessellation_options *options, graze_shape **out_shape);

/// Bytes that the shape takes, with all that was made of it by now, without meshes, trees and shapes of the caller.
GRAZE_API size_t graze_shape_memory_size(const graze_shape *shape);

GRAZE_END_DECLS

#endif
