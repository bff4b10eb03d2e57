/* SPDX-License-Identifier: MIT */
/*
 * The tables of scene workloads: boxes (W4), meshes (W9), primitives (W12), assemblies, and the series that show where
 * one broad phase of Graze overtakes another.
 */
#include "scene_workload.h"

#define BOXES(NAME, WHAT, COUNT, SHARE, JUMPS)                                                                         \
    {                                                                                                                  \
        .name = "boxes/" NAME, .what = WHAT, .make = lab_boxes_make, .count = (COUNT), .share = (SHARE),               \
        .overlaps = 2, .jumps = (JUMPS)                                                                                \
    }

const lab_scene_workload lab_boxes[] = {
    BOXES("1000/all", "1,000 boxes, all of which move", 1000, 1, false),
    BOXES("1000/some", "1,000 boxes, 5 % of which move", 1000, 0.05, false),
    BOXES("10000/all", "10,000 boxes, all of which move", 10000, 1, false),
    BOXES("10000/some", "10,000 boxes, 5 % of which move", 10000, 0.05, false),
    BOXES("10000/jump", "10,000 boxes, all of which jump anywhere in every frame", 10000, 1, true),
    BOXES("100000/all", "100,000 boxes, all of which move", 100000, 1, false),
    BOXES("100000/some", "100,000 boxes, 5 % of which move", 100000, 0.05, false),
    {0}};

#define CAGE(COUNT)                                                                                                    \
    {                                                                                                                  \
        .name = "cage/" #COUNT, .what = "spheres, tori and flakes of 500 to 5,000 triangles flying in a cage",         \
        .make = lab_cage_make, .count = (COUNT), .share = 1, .overlaps = 2                                             \
    }

const lab_scene_workload lab_cages[] = {CAGE(10), CAGE(100), CAGE(1000), CAGE(10000), {0}};

#define PRIMITIVES(COUNT)                                                                                              \
    {                                                                                                                  \
        .name = "primitives/" #COUNT, .what = "spheres, boxes, capsules and cylinders, all of which move",             \
        .make = lab_primitives_make, .count = (COUNT), .share = 1, .overlaps = 2                                       \
    }

const lab_scene_workload lab_primitives[] = {PRIMITIVES(1000), PRIMITIVES(10000), {0}};

const lab_scene_workload lab_assemblies[] = {
    {.name = "assembly/1000",
     .what = "1,000 parts of 5,000 triangles, each a mesh of its own: all pairs of triangles that meet",
     .make = lab_assembly_make,
     .count = 1000,
     .share = 1},
    {.name = "assembly/1000/once",
     .what = "the same assembly checked one time: trees are built, then all pairs of triangles that meet",
     .make = lab_assembly_make,
     .count = 1000,
     .share = 1,
     .once = true,
     .not_quick = true},
    {0}};

#define CROSSOVER(NAME, WHAT, VALUE, COUNT, SHARE, OVERLAPS)                                                           \
    {                                                                                                                  \
        .name = "crossover/" NAME "/" #VALUE, .what = WHAT, .make = lab_boxes_make, .count = (COUNT),                  \
        .share = (SHARE), .overlaps = (OVERLAPS), .value = (VALUE), .ours_only = true, .not_quick = true               \
    }
#define COUNT(N) CROSSOVER("count", "that many boxes, all of which move", N, N, 1, 2)
#define DENSITY(OVERLAPS)                                                                                              \
    CROSSOVER("density", "5,000 boxes, all of which move, that many overlaps of each", OVERLAPS, 5000, 1, OVERLAPS)
#define MOVING(PERCENT)                                                                                                \
    CROSSOVER("moving", "10,000 boxes, that many percent of which move", PERCENT, 10000, 0.01 * (PERCENT), 2)

const lab_scene_workload lab_crossovers[] = {
    COUNT(10),    COUNT(30),     COUNT(100),   COUNT(300),   COUNT(1000),  COUNT(3000), COUNT(10000),
    COUNT(30000), COUNT(100000), DENSITY(0.1), DENSITY(0.2), DENSITY(0.5), DENSITY(1),  DENSITY(2),
    DENSITY(5),   DENSITY(10),   MOVING(0.1),  MOVING(0.2),  MOVING(0.5),  MOVING(1),   MOVING(2),
    MOVING(5),    MOVING(10),    MOVING(20),   MOVING(50),   MOVING(100),  {0}};
