/* SPDX-License-Identifier: MIT */
/*
 * A scene of few objects beside a naive one: all pairs, interest rules written out, every pair of triangles by the
 * rational oracle, shapes by truth.h. The scene must report what the naive one says.
 */
#ifndef FUZZ_NAIVE_H
#define FUZZ_NAIVE_H

#include "brute_force.h"
#include "finding.h"
#include "graze/interest.h"
#include "graze/scene.h"
#include "leaves.h"
#include "poses.h"

enum
{
    MOST_OBJECTS = 7,
    SHAPES = 3,
    LAYERS = 3
};

/* A mesh or shape that objects share. */
typedef struct naive_shape
{
    small_mesh shape;
    graze_mesh *mesh;        /* NULL: `side` */
    graze_tree *tree;        /* or NULL: the scene builds one */
    case_side side;          /* a shape */
    graze_shape *mesh_shape; /* of the mesh, for the references */
} naive_shape;

/* Whether two objects collide: known, or too near to touching for the references. */
typedef enum naive_truth
{
    TRUTH_APART,
    TRUTH_TOGETHER,
    TRUTH_OPEN
} naive_truth;

typedef struct naive_object
{
    bool used;
    bool placed; /* an update has seen it */
    graze_object name;
    int shape;  /* or -1: a group node */
    int parent; /* or -1 */
    graze_pose local, world;
    uint32_t flags, layer, assembly;
    graze_interest interest;
} naive_object;

typedef struct naive_pair
{
    graze_interest rule;
    bool collided;     /* at the last decision */
    bool wanted;       /* at the last update */
    naive_truth truth; /* whether they collide now; valid if wanted */
    bool near;         /* curved, and so near to touching that the scene need not know */
    bool fresh;        /* these are for the current poses */
} naive_pair;

typedef struct naive_scene
{
    graze_scene *scene;
    graze_context context;
    bool test_parent_child, leave_out_stays;
    naive_shape shapes[SHAPES];
    naive_object objects[MOST_OBJECTS];
    naive_pair pairs[MOST_OBJECTS][MOST_OBJECTS]; /* by slots, the smaller first */
    graze_interest default_interest, layer_interest[LAYERS][LAYERS];
    /* Pairs that collided and one of which was removed: an end event is due. */
    struct
    {
        graze_object a, b;
    } ended[64];
    size_t ended_count;
} naive_scene;

naive_pair *naive_pair_of(naive_scene *n, int a, int b);

/* Removes an object and its descendants. */
void naive_remove(naive_scene *n, int slot);

/* An object's shape or pose has changed. */
void naive_touch(naive_scene *n, int slot);

/* The rules of graze/interest.h, written out. */
bool naive_wants(const naive_scene *n, int a, int b);

/* Whether two placed objects intersect, or a solid one contains some of the other. `out_near` may be NULL. */
naive_truth naive_collide(const naive_scene *n, int a, int b, bool *out_near);

/* The same of an object and a placed shape. */
naive_truth naive_collide_side(const naive_scene *n, int a, const case_side *side, bool *out_near);

/* An object as leaves in the world: its shape's, or its mesh. */
void naive_side(const naive_scene *n, int slot, case_side *out);

/* A mesh under a pose; `mesh_shape` may be that of a segment or point. */
void naive_mesh_side(const naive_shape *shape, const graze_pose *pose, bool solid, case_side *out);

/* Whether an object is a shape, and not a mesh. */
bool naive_has_shape(const naive_scene *n, int slot);

/* The world pose of an object; false where it overflows, or its shape may not have it. */
bool naive_pose_fits(const naive_scene *n, int slot, const graze_pose *world);

/* Places all objects as an update does. */
void naive_place(naive_scene *n);

/* Decides all pairs as they are placed. */
void naive_update(naive_scene *n);

/* The slot of a name, or -1. */
int naive_slot(const naive_scene *n, graze_object name);

/* scene_frame.c: updates both and compares. */
void frame_check(fuzz_bytes *bytes, naive_scene *n);

/* scene_queries.c: one query between frames. */
void query_check(fuzz_bytes *bytes, naive_scene *n);

#endif
