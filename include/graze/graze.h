/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The map: which header answers which question. This one includes all of libgraze. Read mesh.h, tree.h and pair.h
 * first; examples/first_steps.c is the shortest program.
 *
 * One question about two meshes:
 * - graze/pair.h: do they collide, and where (the narrow phase); containment of solids
 * - graze/distance.h: distance and closest points; pairs within a tolerance; separating planes
 * - graze/depth.h: penetration depth; deepest common point (interference); overlap of solids
 * - graze/region.h: intersection curves, contact polygons and points
 * - graze/contact.h: contact points with normals and gaps, for solvers (of shapes: graze/shape_contact.h)
 *
 * The same question again and again:
 * - graze/cache.h: temporal coherence from one query to the next
 * - graze/batch.h: many poses in one call (of shapes: graze/shape_batch.h)
 * - graze/search.h: interruptible queries that may be resumed
 *
 * Things that move:
 * - graze/tool_path.h: which moves of a cutting tool gouge a part
 * - graze/certificate.h: proofs that moving meshes stay apart
 * - graze/motion.h: motions, and when what moves meets for the first time
 * - graze/motion_query.h: when two moving meshes meet for the first time (of shapes: graze/shape_motion.h)
 *
 * One mesh:
 * - graze/self.h: self-collision
 * - graze/mesh_query.h: ray casts, boxes, points, nearest point (is a point inside: graze_point_in_mesh, pair.h)
 *
 * Convex bodies:
 * - graze/hull.h: convex hulls of points, simpler hulls around them
 * - graze/decomposition.h: convex pieces of a body, convex patches of a surface
 *
 * Many objects:
 * - graze/scene.h: moving objects, collision events frame by frame
 * - graze/scene_query.h: ray casts, overlap, nearest object, clearance
 * - graze/interest.h: collision filtering
 * - graze/detector.h: a scene updated by a thread of its own
 * - graze/broad_phase.h: AABBs alone: sweep and prune, grids, octree, BVH
 *
 * Shapes:
 * - graze/shape.h: meshes, convex hulls, spheres, boxes, other primitives, height fields, compounds
 * - graze/shape_query.h: any two of them: collision, distance, tolerance, depth, triangles; rays
 * - graze/shape_file.h: shape files (libgraze_io; include it yourself)
 *
 * Meshes and files:
 * - graze/mesh.h: vertices, triangles, polygons with holes; save, map
 * - graze/topology.h: half-edges; closed, manifold, oriented, convex; mass properties
 * - graze/tree.h: BVH: build, refit, save, map
 * - graze/generate.h: test meshes
 * - graze/io.h: mesh files: STL, OBJ, PLY, OFF, glTF (libgraze_io; include it yourself)
 * - graze/assembly.h: named parts of files (libgraze_io; include it yourself)
 *
 * Assemblies:
 * - graze/clash.h: clash detection under rules, with reports (libgraze_clash; include it yourself)
 *
 * Exact arithmetic:
 * - graze/exact.h: orientation and triangle-triangle predicates
 * - graze/pose.h: poses, and the contract under which answers are exact
 * - graze/box.h: AABB and OBB
 *
 * Everywhere:
 * - graze/status.h: status codes; rules for NULL and for structs that grow
 * - graze/context.h: allocator, log, threads
 * - graze/budget.h: time and work limits, progress, cancelling
 * - graze/tasks.h: a thread pool
 */
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include "graze/batch.h"
#include "graze/box.h"
#include "graze/broad_phase.h"
#include "graze/budget.h"
#include "graze/cache.h"
#include "graze/certificate.h"
#include "graze/contact.h"
#include "graze/context.h"
#include "graze/decomposition.h"
#include "graze/depth.h"
#include "graze/detector.h"
#include "graze/distance.h"
#include "graze/enclosed_motion.h"
#include "graze/exact.h"
#include "graze/generate.h"
#include "graze/hull.h"
#include "graze/interest.h"
#include "graze/mesh.h"
#include "graze/mesh_query.h"
#include "graze/method.h"
#include "graze/motion.h"
#include "graze/motion_method.h"
#include "graze/motion_query.h"
#include "graze/pair.h"
#include "graze/pose.h"
#include "graze/region.h"
#include "graze/scene.h"
#include "graze/scene_query.h"
#include "graze/search.h"
#include "graze/self.h"
#include "graze/shape.h"
#include "graze/shape_batch.h"
#include "graze/shape_contact.h"
#include "graze/shape_motion.h"
#include "graze/shape_query.h"
#include "graze/status.h"
#include "graze/tasks.h"
#include "graze/tool_path.h"
#include "graze/topology.h"
#include "graze/tree.h"

#endif
