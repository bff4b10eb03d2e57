/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Generators of test meshes: primitives, and the workloads of the literature.
 *
 * Meshes are closed, oriented outward and indexed. The same arguments give the same bits on every platform with the
 * same sin, cos and sqrt. `context` may be NULL; the caller owns *out_mesh. Every function fails with BAD_ARGUMENT on
 * sizes that are not positive and finite or on too few segments, and with TOO_LARGE or OUT_OF_MEMORY; out_mesh is
 * untouched then. BAD_ARGUMENT also when coordinates would overflow, or when sizes are so small or so far apart that
 * two corners of a triangle would be rounded to the same point. A `triangle_count` below the minimum of a shape gives
 * the coarsest mesh of that shape.
 */
#ifndef GRAZE_GENERATE_H
#define GRAZE_GENERATE_H

#include "graze/mesh.h"

GRAZE_BEGIN_DECLS

/// An axis-parallel box centred at the origin, each side divided into segments x segments rectangles of two triangles:
/// 12 * segments^2 triangles.
GRAZE_API graze_status graze_mesh_create_box(const graze_context *context, double size_x, double size_y, double size_z,
                                             uint32_t segments, graze_mesh **out_mesh);

/// A sphere by latitude and longitude: `rings` (>= 2) bands of `segments` (>= 3) quads; 2 * segments * (rings - 1)
/// triangles.
GRAZE_API graze_status graze_mesh_create_sphere(const graze_context *context, double radius, uint32_t segments,
                                                uint32_t rings, graze_mesh **out_mesh);

/// A geodesic sphere (icosphere): each face of an icosahedron subdivided into frequency^2 triangles; 20 * frequency^2
/// in all.
GRAZE_API graze_status graze_mesh_create_geodesic_sphere(const graze_context *context, double radius,
                                                         uint32_t frequency, graze_mesh **out_mesh);

/// A torus around the z axis, tube_radius < ring_radius: 2 * segments * sides triangles, at least three of each.
GRAZE_API graze_status graze_mesh_create_torus(const graze_context *context, double ring_radius, double tube_radius,
                                               uint32_t segments, uint32_t sides, graze_mesh **out_mesh);

/// A cylinder along z, centred at the origin, with its two caps: `rings` (>= 1) bands of `segments` (>= 3) quads;
/// 2 * segments * (rings + 1) triangles.
GRAZE_API graze_status graze_mesh_create_cylinder(const graze_context *context, double radius, double height,
                                                  uint32_t segments, uint32_t rings, graze_mesh **out_mesh);

/// A cone along z, its base at z = -height/2 and its tip at height/2: `rings` (>= 1) bands of `segments` (>= 3) quads;
/// 2 * segments * rings triangles.
GRAZE_API graze_status graze_mesh_create_cone(const graze_context *context, double radius, double height,
                                              uint32_t segments, uint32_t rings, graze_mesh **out_mesh);

/// A one-sheeted hyperboloid of revolution with caps: waist radius at z = 0, rim radius, not below it, at both ends.
/// `rings` (>= 2) bands of `segments` (>= 3) quads; 2 * segments * (rings + 1) triangles.
GRAZE_API graze_status graze_mesh_create_hyperboloid(const graze_context *context, double waist_radius,
                                                     double rim_radius, double height, uint32_t segments,
                                                     uint32_t rings, graze_mesh **out_mesh);

/// The tetra-flake of Zachmann's thesis: smaller tetrahedra grown on every free face of one, `depth` times over.
/// Depth 0 is a tetrahedron, inscribed in a cube of side `size` around the origin, which the flake never leaves.
/// Child corners lie strictly inside their parent face, so that it stays a closed manifold and never touches itself.
/// 16 * 3^depth - 12 triangles.
GRAZE_API graze_status graze_mesh_create_tetraflake(const graze_context *context, double size, uint32_t depth,
                                                    graze_mesh **out_mesh);

/// A spur gear with a bore, axis z, centred at the origin, one of its `teeth` (>= 8) pointing along x; 80 * teeth
/// triangles. Its pitch radius is module * teeth / 2; tips stand one module above that, roots lie 1.2 modules below and
/// must be outside of the bore. `clearance` (>= 0) thins every tooth by that much along the pitch circle; BAD_ARGUMENT
/// when nothing would be left at the tip.
/// Two gears of equal module mesh when the second one stands module * (teeth_a + teeth_b) / 2 away along x and is
/// turned by half a turn less half a tooth, pi - pi / teeth_b: with clearance they may then turn without touching.
GRAZE_API graze_status graze_mesh_create_gear(const graze_context *context, uint32_t teeth, double module,
                                              double thickness, double bore_radius, double clearance,
                                              graze_mesh **out_mesh);

/// Extrudes a polygon (x, y pairs, the outer loop first, then its holes) along z from 0 to height. Loops may run either
/// way round; they must not cross (BAD_ARGUMENT), and where they touch, so does the body.
/// With n points and h holes 4 * (n + h - 1) triangles.
/// @param error  may be NULL; names the point (NOT_FINITE) or loop (TOO_FEW_CORNERS, BAD_ARGUMENT) at fault
GRAZE_API graze_status graze_mesh_create_extrusion(const graze_context *context, const double *points,
                                                   const uint32_t *loop_sizes, size_t loop_count, double height,
                                                   graze_error *error, graze_mesh **out_mesh);

/// Pipework: closed tubes of `sides` (>= 3) sides with round elbows along random lattice walks in a cube of half-width
/// `size` (at least 3.5 pipe radii), which neither cross themselves nor each other.
/// As many triangles as asked for, to within 3 * sides.
GRAZE_API graze_status graze_mesh_create_pipes(const graze_context *context, double size, double pipe_radius,
                                               uint32_t sides, size_t triangle_count, uint64_t seed,
                                               graze_mesh **out_mesh);

/// A cave floor: `count` closed stalagmites (cones with wobbling radius) standing on the square of half-width `size`,
/// no two of which share a point. As many triangles as asked for, to within one ring of one of them.
GRAZE_API graze_status graze_mesh_create_stalagmites(const graze_context *context, double size, uint32_t count,
                                                     size_t triangle_count, uint64_t seed, graze_mesh **out_mesh);

/// `count` tetrahedra of random shape in the cube of half-width `size`, no two of which share a point.
GRAZE_API graze_status graze_mesh_create_tetrahedra(const graze_context *context, double size, size_t count,
                                                    uint64_t seed, graze_mesh **out_mesh);

/// A geodesic sphere whose radius varies smoothly by at most the factor `bump` (relative to its radius, from 0 to below
/// 1), smoothly and seeded; 20 * frequency^2 triangles.
GRAZE_API graze_status graze_mesh_create_bumpy_shell(const graze_context *context, double radius, double bump,
                                                     uint32_t frequency, uint64_t seed, graze_mesh **out_mesh);

/// An aircraft-like figure: fuselage, wings, tail and engines, each a closed body, about `triangle_count` triangles (to
/// within 2 percent from 1,000 on). Its nose points along x, its fin along z. Parts overlap where they are joined.
GRAZE_API graze_status graze_mesh_create_aircraft(const graze_context *context, double length, size_t triangle_count,
                                                  graze_mesh **out_mesh);

/// A hand-like figure: palm and five fingers of three joints each, each a closed body, about `triangle_count` triangles
/// (to within 2 percent from 400 on); `curl` from 0 (stretched) to 1 (fist) bends the fingers. The stretched fingers
/// point along x, the back of the hand along z; `length` is that of the stretched hand. Parts overlap where joined.
GRAZE_API graze_status graze_mesh_create_hand(const graze_context *context, double length, double curl,
                                              size_t triangle_count, graze_mesh **out_mesh);

GRAZE_END_DECLS

#endif
