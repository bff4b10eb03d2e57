/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The collision methods of the literature, side by side behind one interface, for study, teaching and comparison. The
 * default engine (graze/pair.h) is faster than all of them; docs/methods.md says what each one is.
 *
 * A method prepares a *body* of each mesh once, and then answers queries of two placed bodies. Methods that are exact
 * give the same answers and the same pairs of triangles as the default engine. Others are biased: one of their two
 * answers is proved, and for the other they return GRAZE_VERDICT_UNKNOWN with a guess, never a silent one.
 *
 * Poses are those of graze/pose.h. Poses and meshes beyond what a method's bounds cover (singular matrices, numbers
 * beyond 2^300) are answered by a sweep over the boxes of all triangles.
 */
#ifndef GRAZE_METHOD_H
#define GRAZE_METHOD_H

#include <stdbool.h>
#include <string.h>

#include "graze/budget.h"
#include "graze/mesh.h"
#include "graze/pair.h"
#include "graze/pose.h"

GRAZE_BEGIN_DECLS

/// What a method asks of its meshes; each class contains those after it.
typedef enum graze_method_class
{
    GRAZE_METHOD_CLASS_SOUP = 0, ///< any triangles
    GRAZE_METHOD_CLASS_FACES,    ///< any polygons
    GRAZE_METHOD_CLASS_MANIFOLD, ///< closed, at most two faces at an edge, one fan at a vertex
    GRAZE_METHOD_CLASS_CLOSED,   ///< closed surfaces
    GRAZE_METHOD_CLASS_CONVEX    ///< convex polyhedra
} graze_method_class;

/// What a method compares.
typedef enum graze_method_subject
{
    GRAZE_METHOD_SURFACES = 0, ///< surfaces, as graze_pair_any
    GRAZE_METHOD_BODIES        ///< solids: one inside the other collides, as in graze_pair_containment
} graze_method_subject;

typedef enum graze_method_guarantee
{
    GRAZE_METHOD_EXACT = 0, ///< yes and no are proved
    GRAZE_METHOD_YES_SURE,  ///< yes is proved, no is a guess
    GRAZE_METHOD_NO_SURE,   ///< no is proved, yes is a guess
    GRAZE_METHOD_ESTIMATED  ///< both are guesses
} graze_method_guarantee;

/// A method, by its name. All strings are constants.
typedef struct graze_method_info
{
    const char *name;    ///< in kebab-case: "kdop-18"
    const char *summary; ///< one sentence
    const char *source;  ///< document and section: "001 4.1"
    graze_method_class mesh_class;
    graze_method_subject subject;
    graze_method_guarantee guarantee;
    bool deadline; ///< whether it has an answer, perhaps UNKNOWN, when a budget is used up
} graze_method_info;

/// How many methods there are.
GRAZE_API size_t graze_method_count(void);

/// A method by its number, in a fixed order; NULL for a number out of range.
GRAZE_API const graze_method_info *graze_method_at(size_t index);

/// A method by its name; NULL when there is none.
GRAZE_API const graze_method_info *graze_method_find(const char *name);

/// How a hierarchy chooses the axis along which a node is split (001, 4.2; 003). Volumes are those of k-dops, and in
/// hierarchies of other volumes those of boxes along the axes.
typedef enum graze_split_axis
{
    GRAZE_SPLIT_SPLATTER = 0, ///< k-dops: the largest variance of the centroids; others: the method's own rule
    GRAZE_SPLIT_LONGEST_SIDE, ///< the longest side of the node's volume
    GRAZE_SPLIT_MIN_SUM,      ///< the least sum of the children's volumes
    GRAZE_SPLIT_MIN_MAX,      ///< the least maximum of the children's volumes
    GRAZE_SPLIT_PCA_SWEEP,    ///< the principal axis, cut where a sweep finds the least sum of the children's volumes
    GRAZE_SPLIT_MINKOWSKI     ///< the least cost of a query with a like body, by Minkowski sums of the children's boxes
} graze_split_axis;

/// Where a hierarchy cuts the axis. Triangles go to the side of their centroid.
typedef enum graze_split_point
{
    GRAZE_SPLIT_AT_MEAN = 0,    ///< the mean of the centroids; `solid`: the middle of the box
    GRAZE_SPLIT_AT_MEDIAN,      ///< half of the triangles on either side
    GRAZE_SPLIT_AT_BEST,        ///< of all cuts that with the least sum of the children's volumes
    GRAZE_SPLIT_AT_BEST_OF_SOME ///< of `split_candidates` random cuts
} graze_split_point;

/// How the k-dops of the moving body are found again for its pose (001, 3.3; 003).
typedef enum graze_tumbling
{
    GRAZE_TUMBLING_DEFAULT = 0,  ///< by duality; small nodes from the corners of their triangles, which fits tightest
    GRAZE_TUMBLING_DUALITY,      ///< each direction is a sum of three of the dop's own, chosen once a query
    GRAZE_TUMBLING_VERTICES,     ///< around the moved vertices of the dop as it was built
    GRAZE_TUMBLING_HILL_CLIMBING ///< the root by walks on the body's convex hull, the rest by vertices
} graze_tumbling;

/// Where the search for a separating plane begins (000 3.4.2).
typedef enum graze_plane_start
{
    GRAZE_PLANE_START_BOX_CENTRES = 0, ///< between the middles of the boxes
    GRAZE_PLANE_START_CENTROIDS,       ///< between the means of the vertices
    GRAZE_PLANE_START_TRIVIAL          ///< the plane x = 0
} graze_plane_start;

/// The checks of boxes before an edge is tested with a face; each contains those before it (000 3.2).
typedef enum graze_pre_checks
{
    GRAZE_PRE_CHECKS_ALL = 0,    ///< also: faces are collected whose boxes meet the other body's
    GRAZE_PRE_CHECKS_NONE,       ///< every edge is tested with every face
    GRAZE_PRE_CHECKS_OBJECT_BOX, ///< the box of an edge must meet the other body's
    GRAZE_PRE_CHECKS_FACE_BOX    ///< and that of the face
} graze_pre_checks;

/// Whose edges are tested with the other's faces. One side does not suffice: its hits are proved, and a no is a guess
/// unless the boxes prove it. Two threads can take one side each (000 6.3.2).
typedef enum graze_edges_of
{
    GRAZE_EDGES_OF_BOTH = 0,
    GRAZE_EDGES_OF_A,
    GRAZE_EDGES_OF_B
} graze_edges_of;

/// Parameters of a method's body. Start from graze_method_parameters_default(); NULL means the same. A method reads
/// those that concern it.
typedef struct graze_method_parameters
{
    size_t struct_size;
    uint32_t leaf_size; ///< triangles a leaf at most; 0: the method's own (k-dop trees: 1, and 40 of a flying body)
    graze_split_axis split_axis;
    bool split_at_median;     ///< the same as split_point = GRAZE_SPLIT_AT_MEDIAN
    bool flying;              ///< the body that moves; 001 gives it larger leaves
    uint32_t depth;           ///< of octrees at most; 0: the method's own
    uint32_t samples;         ///< random points; 0: the method's own
    uint64_t seed;            ///< of random points
    double step, relaxation;  ///< eta and rho of separating planes; 0: 0.007 and 1
    uint32_t most_iterations; ///< of iterative methods; 0: the method's own
    graze_plane_start plane_start;
    double probability;          ///< of a collision that ends a search of `adb`; 0: 0.99, above 1: none
    graze_budget budget;         ///< what preparing may cost
    graze_pre_checks pre_checks; ///< of `edges-faces` and its variants, and of `cyrus-beck`
    graze_edges_of edges_of;     ///< of `edges-faces` and its variants, and of `box-tree`: read of the first body
    bool no_vertices;            ///< of `monte-carlo`: random points only
    bool cut_empty;              ///< of `box-tree`, of the first body: intervals known to be empty are cut, too

    /* Of hierarchies: `kdop`, `kdop-6` and so on, `rapid`, `rapid-lite`, `solid`, `restricted-boxes`. */
    graze_split_point split_point;
    uint32_t split_candidates;     ///< of GRAZE_SPLIT_AT_BEST_OF_SOME, drawn by `seed`; 0: 8
    uint32_t degree;               ///< children a node at most, 2 to 8; 0: 2
    bool bottom_up;                ///< built by joining neighbours on a Morton curve, instead of the rules of splits
    graze_tumbling tumbling;       ///< of k-dops: of this body where it is the second of a query
    const double (*directions)[3]; ///< of `kdop`: 3 to 32 that span the space, of any length; copied; NULL: kdop-18's
    uint32_t direction_count;
} graze_method_parameters;

GRAZE_INLINE graze_method_parameters graze_method_parameters_default(void)
{
    graze_method_parameters parameters;
    memset(&parameters, 0, sizeof parameters);
    parameters.struct_size = sizeof parameters;
    return parameters;
}

/// What a method knows of one mesh. Immutable; any number of threads may use it.
typedef struct graze_method_body graze_method_body;

/// Prepares a mesh for a method. The mesh must outlive the body and not change.
/// Fails with BAD_ARGUMENT (no such method, or a mesh that is not of its class), OUT_OF_MEMORY, UNFINISHED or
/// CANCELLED. The caller owns *out_body.
GRAZE_API graze_status graze_method_body_create(const graze_context *context, const char *method,
                                                const graze_mesh *mesh, const graze_method_parameters *parameters,
                                                graze_method_body **out_body);

GRAZE_API void graze_method_body_destroy(graze_method_body *body);

/// Bytes that the body owns, without the mesh.
GRAZE_API size_t graze_method_body_memory_size(const graze_method_body *body);

/// How many bytes graze_method_body_save writes; 0 for methods whose bodies cannot be saved. Those of k-dops can: 8 k +
/// 12 bytes a node, 4 a triangle and a header. Ways of tumbling are not saved, nor are own directions.
GRAZE_API size_t graze_method_body_saved_size(const graze_method_body *body);

/// Writes a body into a buffer of at least that size, in this machine's byte order. Fails with BAD_ARGUMENT (the buffer
/// is too small) or UNSUPPORTED.
GRAZE_API graze_status graze_method_body_save(const graze_method_body *body, void *buffer, size_t size);

/// Makes a body of what graze_method_body_save wrote, for the same mesh, without the work of splitting. The bytes are
/// copied. Guarantee: whatever the bytes are, answers stay right: the structure is checked, and volumes are enlarged to
/// hold their triangles. Fails with BAD_ARGUMENT, UNSUPPORTED (the method, or another machine's or version's bytes),
/// BAD_FORMAT, TRUNCATED, DAMAGED, OTHER_MESH or OUT_OF_MEMORY. The caller owns *out_body.
GRAZE_API graze_status graze_method_body_load(const graze_context *context, const char *method, const graze_mesh *mesh,
                                              const void *bytes, size_t size, graze_method_body **out_body);

typedef struct graze_placed_method_body
{
    const graze_method_body *body;
    graze_pose pose;
} graze_placed_method_body;

/// The cost of a query, in the units of the literature. Those that a method does not have stay 0.
typedef struct graze_method_counters
{
    uint64_t volumes;    ///< pairs of bounding volumes tested (N_v)
    uint64_t updates;    ///< volumes of the moving body updated (N_u)
    uint64_t primitives; ///< pairs of triangles, or of an edge and a face, tested (N_p)
    uint64_t check[4];   ///< pairs that each pre-check of edges against faces rejected
    uint64_t point_in_polygon;
    uint64_t half_spaces; ///< clipped against
    uint64_t iterations;
    uint64_t supports; ///< support points computed
    uint64_t vertices; ///< vertices visited
    uint64_t points;   ///< sample points tested
    uint64_t pixels;
    uint64_t voxels;
    uint64_t exact_signs;     ///< signs that needed exact arithmetic
    uint64_t left_to_engine;  ///< queries of bodies that the method could not decide by itself
    uint64_t pairs_left;      ///< pairs of nodes not yet opened when the budget was used up
    uint64_t empty_intervals; ///< of `box-tree`: parts of edges known to be empty where a cell was split
    uint64_t elements;        ///< of `box-tree`: faces and edges of both bodies
    uint64_t references;      ///< of `box-tree`: the leaves' references to them
} graze_method_counters;

/// Temporal coherence for one pair of bodies: a plain struct that owns no memory and may be copied. All zeros: empty.
/// It may save time, and changes guesses only. Give each method one of its own.
typedef struct graze_method_cache
{
    double numbers[64]; ///< private
} graze_method_cache;

/// Which of two overlapping nodes is opened, in `kdop`s, `rapid`, `rapid-lite` and `solid`. It changes the cost only.
typedef enum graze_traversal_order
{
    GRAZE_TRAVERSAL_DEFAULT = 0,       ///< k-dops: the environment first; others: the larger one first
    GRAZE_TRAVERSAL_ENVIRONMENT_FIRST, ///< the first body's, down to its leaves (001, Algorithm 1)
    GRAZE_TRAVERSAL_RESTART,           ///< the same; children of the second body's nodes begin at the first's root
    GRAZE_TRAVERSAL_LARGER_FIRST
} graze_traversal_order;

/// Fine grain (000 6.3.1): several queries of the same pair, each on a thread of its own, share the edges of both
/// bodies. Each asks for edges until there are none. What a query finds is proved; a no is a guess unless the boxes
/// prove it, but when all queries have finished, all edges were handed out and all guess no, the surfaces are apart.
/// Of `edges-faces` and its variants; other methods answer as ever.
typedef struct graze_edge_chunks
{
    /// Hands out the edges from *out_first until before *out_end, of edge_count in all: the first body's, then the
    /// second's. False: there are none left. Called by the threads of all queries; NULL: nothing is shared.
    bool (*take)(void *user, size_t edge_count, size_t *out_first, size_t *out_end);
    void *user;
} graze_edge_chunks;

/// Options of a query. Start from graze_method_options_default(); NULL means the same.
typedef struct graze_method_options
{
    size_t struct_size;
    graze_method_counters *counters; ///< receives the cost, also of an unfinished query; may be NULL
    graze_method_cache *cache;       ///< of this pair, for methods that use the last frame; may be NULL
    graze_budget budget;             ///< used up: UNFINISHED, or UNKNOWN of a method with a deadline
    graze_traversal_order order;
    graze_edge_chunks edge_chunks; ///< edges are shared with other queries
} graze_method_options;

GRAZE_INLINE graze_method_options graze_method_options_default(void)
{
    graze_method_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/// An answer.
typedef struct graze_method_answer
{
    graze_verdict collide; ///< UNKNOWN: the method cannot prove its answer, or the time was up
    graze_verdict guess;   ///< what the method answers; YES or NO. Equal to `collide` where that is known
    bool finished;         ///< false: the budget was used up
    bool has_hit;          ///< whether `hit` is set: two triangles that share a point
    graze_hit hit;
} graze_method_answer;

/// Whether two bodies, of one method, collide.
/// Guarantee: that of the method. Fails with BAD_ARGUMENT (bodies of two methods), NOT_FINITE (a pose), OUT_OF_MEMORY,
/// UNFINISHED or CANCELLED.
GRAZE_API graze_status graze_method_any(const graze_context *context, const graze_placed_method_body *a,
                                        const graze_placed_method_body *b, const graze_method_options *options,
                                        graze_method_answer *out_answer);

/// Writes the first `capacity` pairs of triangles that share a point, in order of (triangle_a, triangle_b), and counts
/// all that the method finds. Of methods for surfaces; others fail with UNSUPPORTED.
GRAZE_API graze_status graze_method_gather(const graze_context *context, const graze_placed_method_body *a,
                                           const graze_placed_method_body *b, const graze_method_options *options,
                                           graze_hit *hits, size_t capacity, graze_pair_counts *out_counts);

/// A place where two surfaces are nearer to one another than all around it.
typedef struct graze_near_contact
{
    uint32_t triangle_a, triangle_b; ///< that are nearest there; of several such pairs one
    double lower, upper;             ///< certified bounds of their distance; both 0 where they meet
    double point_a[3], point_b[3];   ///< in the world, rounded; NaN where the triangles meet
} graze_near_contact;

/// Disjoint contacts: the local minima of the distance of two surfaces that are at most `tolerance`, each told once,
/// the first `capacity` of them in order of (triangle_a, triangle_b), and their number. Parts that meet are told once
/// for each connected place. Of `swift`; other methods fail with UNSUPPORTED. Guarantee: which triangles are within the
/// tolerance is exact, and so are their bounds; minima are told apart in doubles, so that of two whose distances differ
/// by roundings one may be left out. Fails as graze_method_gather; BAD_ARGUMENT (a tolerance that is negative or not
/// finite); UNSUPPORTED (poses and meshes beyond what methods cover); TOO_LARGE (2^30 pairs of triangles).
GRAZE_API graze_status graze_method_disjoint_contacts(const graze_context *context, const graze_placed_method_body *a,
                                                      const graze_placed_method_body *b, double tolerance,
                                                      const graze_method_options *options, graze_near_contact *contacts,
                                                      size_t capacity, size_t *out_count);

GRAZE_END_DECLS

#endif
