/* SPDX-License-Identifier: MIT */
/*
 * The hot operations of BVH-against-BVH queries, each written once (kernels_template.h) and compiled for every
 * instruction set; grz_kernels_for picks at run time. Those for AVX2 and AVX-512 use fused multiply-add (fma.h), those
 * for SSE2 and plain C do not. Within each kind all give the same bits, which tests compare with those of plain C;
 * between the kinds transformed bounds and heights differ by a rounding, within the same error bounds. So no kernel
 * drops a pair that meets; a pair that does not meet may be dropped earlier or later: answers are the same, statistics
 * may differ.
 */
#ifndef GRZ_SIMD_KERNELS_H
#define GRZ_SIMD_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/context.h"

enum
{
    GRZ_LANES = 8,
    GRZ_PAIRS = GRZ_LANES * GRZ_LANES
};

/* An affine transform x -> matrix x + offset between the tree coordinates of two trees, in floats, with the margins
   that make the results conservative. */
typedef struct grz_float_transform
{
    float matrix[3][3];
    float offset[3];
    float margin[3];   /* computed bounds of transformed boxes in [-1, 1]^3 are widened by this on each axis */
    float slab_margin; /* and computed heights along a transformed unit normal by this */
} grz_float_transform;

/* Eight boxes with oriented slabs, as in a tree's node. */
typedef struct grz_boxes8
{
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES];
    float normal[3][GRZ_LANES];
    float slab_lower[GRZ_LANES], slab_upper[GRZ_LANES];
} grz_boxes8;

/* The same boxes and slabs transformed into the other frame, and their centres in their own. Cached between uses, and
   aligned so that no vector crosses a cache line. */
typedef struct grz_transformed8
{
    _Alignas(64) float lower[3][GRZ_LANES]; /* AABBs of the transformed boxes, widened by the transform's margin */
    float upper[3][GRZ_LANES];
    float centre[3][GRZ_LANES], half[3][GRZ_LANES]; /* in their own frame */
    float size[GRZ_LANES];                          /* the largest of half */
    float direction[3][GRZ_LANES]; /* heights along the normals are direction . y in the other frame, ... */
    float slab_lower[GRZ_LANES], slab_upper[GRZ_LANES]; /* ... and lie in these intervals, widened as well */
    unsigned slab_mask;                                 /* boxes that have a slab */
} grz_transformed8;

/* How a tree's points move in the other tree's coordinates from the middle of a frame to its ends: at most by
   |matrix x + offset| + rest on each axis. `most` bounds that for all x in [-1, 1]^3. */
typedef struct grz_sweep
{
    float matrix[3][3], offset[3], rest, most;
    float still; /* the part of `rest` that is a margin, as an estimate: it does not shrink with the frame */
} grz_sweep;

/* Error bound of quantised coordinates of a leaf, in units: half a step, and the rounding before. */
#define GRZ_QUANTIZATION_ERROR 0.505f

/* Eight triangles quantised on a grid of their own, as in a tree's leaf: corner = centre + unit * q. */
typedef struct grz_triangles8
{
    int16_t corners[3][3][GRZ_LANES]; /* [corner][axis][lane] */
    float centre[3];
    float unit;
} grz_triangles8;

/* Centre of a leaf in the frame of a tree, and the error bound of its corners' coordinates after rotation in floats.
   The fourth component is padding for vectors, and 0. */
typedef struct grz_leaf_placement
{
    double centre[4];
    double error[4];
} grz_leaf_placement;

/* Transform of the leaves of another tree: the matrix rotates their corners, a centre becomes offset + columns centre,
   and the error bound of coordinates is error + unit * unit_error. */
typedef struct grz_leaf_transform
{
    float matrix[3][3];
    double columns[3][4], offset[4];
    double error[4], unit_error[4];
} grz_leaf_transform;

/* A leaf as the triangle-triangle kernels need it: first corners relative to its centre, rotated or not, and the edges
   from there to the other two. Aligned, like the queue below, so that vectors do not cross cache lines. */
typedef struct grz_corners8
{
    _Alignas(64) float start[3][GRZ_LANES];
    float edges[2][3][GRZ_LANES]; /* [edge][axis] */
    float ends[3]
              [2 * GRZ_LANES]; /* bounds as simd/quantized_boxes.h needs them: of a rotated leaf, lower ones first, */
    float size[GRZ_LANES];     /* the largest coordinate of an edge */
    int8_t rows[3][2 * GRZ_LANES]; /* and of an unrotated one, upper ones first; the others are negated */
    float scale, margin; /* of an unrotated leaf: strides of its grid per unit length, and by how many strides boxes are
                           widened */
    uint32_t first;      /* index of the first triangle, */
    unsigned present;    /* and a bit for each triangle present */
    double centre[4];    /* as in grz_leaf_placement; */
    float error[4];      /* of a rotated leaf a thousandth more, which covers its own rounding */
} grz_corners8;

/* The edges of a leaf's triangles in the frame of the other tree, and the projections of the triangles onto the cross
   product of each edge and axis there: centre and half width, error bound included. */
typedef struct grz_edges8
{
    float edges[3][3][GRZ_LANES]; /* [edge][axis] */
    float middle[3][3][GRZ_LANES], width[3][3][GRZ_LANES];
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES]; /* along the axes themselves */
} grz_edges8;

/* Up to 64 triangles as boxes with their planes as slabs: those of the leaf in lane l of a node are at 8 l and
   after. */
typedef struct grz_triangle_boxes64
{
    float lower[3][GRZ_PAIRS], upper[3][GRZ_PAIRS]; /* in their own frame, */
    float transformed_lower[3][GRZ_PAIRS],
        transformed_upper[3][GRZ_PAIRS]; /* and AABBs in the other frame, as in grz_transformed8 */
    float direction[3][GRZ_PAIRS];
    float slab_lower[GRZ_PAIRS], slab_upper[GRZ_PAIRS];
    float bounds[GRZ_LANES][12]; /* of groups of as many as a kernel takes at a time: in both frames, lower first */
    unsigned lanes;              /* lanes that were added; the caller sets it to 0 first */
} grz_triangle_boxes64;

/* Position of B's leaf, rotated into A's axes, relative to A's: its centre, and error bounds of coordinates. */
typedef struct grz_leaf_translation
{
    float offset[3];
    float margin_b[3]; /* B's, by axis, */
    float error_b;     /* and the largest of them */
    float error_a;
} grz_leaf_translation;

enum
{
    GRZ_QUEUE_FULL = 64, /* pairs from which on a queue must be tested before more are added */
    GRZ_QUEUE_ROOM = GRZ_QUEUE_FULL + GRZ_PAIRS + 16,
    GRZ_QUEUE_LEAVES =
        GRZ_QUEUE_FULL + 16, /* two leaves have at least one pair; tables are read sixteen entries at a time */
    GRZ_QUEUE_WORDS = (GRZ_QUEUE_ROOM + 63) / 64
};

/* Pairs of triangles whose boxes meet, from several pairs of leaves. Data common to the pairs of two leaves is in
   tables, which `leaves` indexes; it begins with 0 and grows by 1. */
typedef struct grz_pair_queue
{
    _Alignas(64) float a[2][3][GRZ_QUEUE_ROOM], b[2][3][GRZ_QUEUE_ROOM]; /* edges as in grz_corners8, [edge][axis], */
    float between[3][GRZ_QUEUE_ROOM];                                    /* and B's first corner relative to A's */
    float size_a[GRZ_QUEUE_ROOM], size_b[GRZ_QUEUE_ROOM];
    uint8_t pairs[GRZ_QUEUE_ROOM]; /* row * 8 + lane, */
    uint8_t leaves[GRZ_QUEUE_ROOM];
    float error_a[GRZ_QUEUE_LEAVES], error_b[GRZ_QUEUE_LEAVES]; /* error bounds of coordinates */
    uint32_t first_a[GRZ_QUEUE_LEAVES], first_b[GRZ_QUEUE_LEAVES];
    unsigned count;
    bool skips_plane_axes; /* nearly coplanar pairs are tested by the contacts below */
} grz_pair_queue;

/* How the leaves of B in a queue move, by its tables: points are within `error` of b + s velocity, |s| <= 1, on each
   axis; the error includes that of their coordinates and 2^-19 of the largest entry of the velocity. */
typedef struct grz_pair_motions
{
    float velocity[3][GRZ_QUEUE_LEAVES], error[GRZ_QUEUE_LEAVES];
} grz_pair_motions;

static inline uint32_t grz_queue_index_a(const grz_pair_queue *queue, unsigned i)
{
    return queue->first_a[queue->leaves[i]] + queue->pairs[i] / GRZ_LANES;
}

static inline uint32_t grz_queue_index_b(const grz_pair_queue *queue, unsigned i)
{
    return queue->first_b[queue->leaves[i]] + queue->pairs[i] % GRZ_LANES;
}

/* Results of the triangle-triangle test for the pairs of a queue, by their index in it. */
typedef struct grz_pair_sat_results
{
    uint64_t meet[GRZ_QUEUE_WORDS];  /* may meet */
    uint64_t cross[GRZ_QUEUE_WORDS]; /* of these: certainly cross, interior in interior */
} grz_pair_sat_results;

enum
{
    GRZ_CONTACT_PAIRS = 64 /* pairs whose contacts are found together */
};

/* The corners of pairs of triangles, three doubles each: [corner][pair]. The last pair is repeated up to a multiple of
   GRZ_LANES. */
typedef struct grz_contact_pairs
{
    const double *const *a[3], *const *b[3];
} grz_contact_pairs;

/* The triangles of a leaf and their exact corners. */
typedef struct grz_leaf_corners
{
    const double *corners[3][GRZ_LANES];
    uint64_t triangles[GRZ_LANES];
    uint64_t directions; /* a byte each: mostly equal if the planes are parallel, and mostly not if they are not */
} grz_leaf_corners;

/* Two leaves, and masks of their triangles. */
typedef struct grz_leaf_pair
{
    const grz_corners8 *a, *b;
    const grz_leaf_corners *corners_a, *corners_b;
    unsigned rows, lanes;
} grz_leaf_pair;

enum
{
    GRZ_UNTESTED_ROOM = GRZ_CONTACT_PAIRS + GRZ_PAIRS + GRZ_LANES
};

/* Pairs of triangles as keys, A's triangle in the upper half, and their corners as in grz_contact_pairs. */
typedef struct grz_untested_list
{
    unsigned count;
    uint64_t keys[GRZ_UNTESTED_ROOM];
    const double *a[3][GRZ_UNTESTED_ROOM], *b[3][GRZ_UNTESTED_ROOM];
} grz_untested_list;

/* How B's vertices come to A's frame, for the contact of two triangles. */
typedef struct grz_contact_frame
{
    double pose[12];   /* of B in A's frame */
    double error;      /* error bound of a coordinate that this gives, the rest included */
    bool translates;   /* the pose translates only, and is exact but for the rest */
    double rest[3];    /* what the exact translation has in addition, */
    double rest_error; /* up to this on each axis, */
    double rest_size;  /* and a bound on its magnitude there; 0: there is none */
    double lattice;    /* not 0: there is none, all coordinates of A, of B and of the translation are multiples of a
                          power of two, at most 2^50 times that, and no two on an axis differ by more than this, which
                          is less than 2^16 times that */
} grz_contact_frame;

/* Contacts of pairs, a bit for each. */
typedef struct grz_contacts
{
    uint64_t
        facts[8]; /* the corners of A's feature, those of B's, and the dimension in two bits; no corners: disjoint */
    uint64_t decided; /* pairs of which the contact is known */
    unsigned zeros;   /* heights of them that are 0 */
} grz_contacts;

enum
{
    GRZ_SORT_MOST = 128 /* numbers that are sorted without memory of the caller */
};

/* Boxes in arrays by coordinate, in ascending order of lower[0]; after the last follow eight whose lower[0] is
   infinite. */
typedef struct grz_sorted_boxes
{
    const float *lower[3], *upper[3];
} grz_sorted_boxes;

typedef struct grz_kernels
{
    const char *name;
    bool fused;

    /* Transforms eight boxes into the other frame. The transforms lead there and back. */
    void (*transform)(const grz_boxes8 *boxes, const grz_float_transform *there, const grz_float_transform *back,
                      grz_transformed8 *out);

    /* Widens the bounds and slabs of transformed boxes by how these move; `moves` gets by how much bounds were widened,
       on any axis. */
    void (*widen)(const grz_sweep *sweep, grz_transformed8 *node, float *moves);

    /* The lanes whose boxes overlap the AABB of a transformed row: the first and cheapest half of the test. */
    unsigned (*row_aabb_overlap)(const grz_transformed8 *transformed_rows, unsigned row, const grz_boxes8 *lanes);

    /* The other half: the lanes, of those in lane_mask, whose transformed AABB overlaps the row's box, and whose slabs
       may overlap. */
    unsigned (*row_slab_overlap)(const grz_boxes8 *rows, const grz_transformed8 *transformed_rows, unsigned row,
                                 const grz_boxes8 *lanes, const grz_transformed8 *transformed_lanes,
                                 unsigned lane_mask);

    /* The pairs of a row in row_mask and a lane in lane_mask that pass both; bit row * 8 + lane is set for them. */
    uint64_t (*boxes)(const grz_boxes8 *rows, const grz_transformed8 *transformed_rows, unsigned row_mask,
                      const grz_boxes8 *lanes, const grz_transformed8 *transformed_lanes, unsigned lane_mask);

    /* The box of each triangle of a leaf, in tree coordinates, with its plane as slab. */
    void (*facet_boxes)(const grz_triangles8 *leaf, grz_boxes8 *out);

    /* The edges of a leaf's triangles, in the frame of the other tree. */
    void (*facet_edges)(const grz_triangles8 *leaf, const grz_float_transform *there, grz_edges8 *out);

    /* The pairs, of those given, of a triangle and a box that no cross product of an edge and an axis separates. */
    uint64_t (*edge_axes)(const grz_edges8 *triangles, uint64_t pairs, const grz_boxes8 *boxes);

    /* The pairs of a group in the mask and a box that may meet; bit box * 8 + group is set for them. Groups are boxes
       without slabs, `seen` their transform into the boxes' frame; the transform leads to the groups' frame. out_sizes
       gets half the largest extent of each box. */
    uint64_t (*groups)(const grz_boxes8 *groups, const grz_transformed8 *seen, unsigned wanted, const grz_boxes8 *boxes,
                       const grz_float_transform *there, float out_sizes[GRZ_LANES]);

    /* The pairs of a group in the mask and a triangle of a leaf that may meet; bit group * 8 + triangle is set for
       them. The transform leads from the leaf's frame to that of the groups; the sums of magnitudes in its rows are
       given. */
    uint64_t (*group_leaf)(const grz_boxes8 *groups, unsigned wanted, const grz_triangles8 *leaf,
                           const grz_float_transform *there, const float row_sums[3]);

    /* Adds the triangles of the leaf in a lane. The transforms lead to the other frame and back. */
    void (*small_tree_add)(const grz_triangles8 *leaf, const grz_float_transform *there,
                           const grz_float_transform *back, unsigned lane, grz_triangle_boxes64 *small_tree);

    /* For each box the triangles, of those in the mask, that may meet it; returns half the largest extent of a box. The
       transform leads from the boxes' frame to that of the triangles. */
    float (*small_tree)(const grz_triangle_boxes64 *triangles, uint64_t mask, const grz_boxes8 *boxes,
                        const grz_float_transform *there, uint64_t out_triangles[GRZ_LANES]);

    /* A leaf's corners, rotated into the other tree's frame or, when `turn` is NULL, unrotated; all fields but first
       and present. */
    void (*corners)(const grz_triangles8 *leaf, const grz_leaf_transform *turn, grz_corners8 *out);

    /* Queues the pairs of a triangle of A in row_mask and one of B in lane_mask whose boxes meet. */
    void (*queue_pairs)(const grz_corners8 *a, unsigned row_mask, const grz_corners8 *b, unsigned lane_mask,
                        grz_pair_queue *queue);

    /* The `directions` of a leaf's triangles. */
    uint64_t (*directions)(const grz_corners8 *leaf);

    /* Lists the pairs of triangles of two leaves whose boxes meet: in the second list those whose directions are
       equal. Lists hold fewer than GRZ_CONTACT_PAIRS before. */
    void (*list_untested)(const grz_leaf_pair *leaves, grz_untested_list lists[2]);

    /* Tests all pairs in a queue by separating axes. */
    void (*triangle_sat)(const grz_pair_queue *queue, grz_pair_sat_results *out);

    /* The same for leaves of B that move; `cross` stays empty. The error bounds in the queue include the motion. */
    void (*moving_sat)(const grz_pair_queue *queue, const grz_pair_motions *motions, grz_pair_sat_results *out);

    /* The exact contacts of up to GRZ_CONTACT_PAIRS pairs of triangles, where doubles decide; coordinates are at most
       2^300. Lanes after the last pair, up to a multiple of eight, hold finite numbers. Rounding must be to nearest,
       and denormals kept. */
    void (*contacts)(const grz_contact_pairs *pairs, unsigned count, const grz_contact_frame *frame, grz_contacts *out);

    /* The keys of the pairs set in `which`, of GRZ_CONTACT_PAIRS, and for each a byte with its bit of every fact; both
       outputs have room for all pairs. */
    void (*list_hits)(const uint64_t *keys, const uint64_t facts[8], uint64_t which, uint64_t *out_keys,
                      uint8_t *out_codes);

    /* Sorts up to GRZ_SORT_MOST different numbers below 2^63, ascending. Where some are equal, as a forged tree makes
       them, each output is still one of the inputs. */
    void (*sort)(const uint64_t *numbers, unsigned count, uint64_t *out_sorted);

    /* The indices of the boxes, from `first` on and up to the first that begins after the given box ends on axis 0,
       that overlap it on the axes 1 and 2. Returns how many; the output has room for all. */
    size_t (*sweep)(const grz_sorted_boxes *row, size_t first, const float lower[3], const float upper[3],
                    uint32_t *out_indices);
} grz_kernels;

/* The kernels for a choice, or for the best below it that this machine and this build support. */
const grz_kernels *grz_kernels_for(graze_instructions choice);

#endif
