/* SPDX-License-Identifier: MIT */
/*
 * A tree in bytes that the caller holds; see blob.h and graze_tree_map. Nothing is trusted. First the header is
 * checked, then the checksum, then whether the mesh is the right one. All three can be forged, so in the end the
 * structure is traversed: with every index in its range, every node and leaf visited exactly once and in order, every
 * triangle once, and every number within the bounds the kernels require, no query can leave the bytes or loop forever.
 * Boxes and leaves are compared with those of fitting the same structure to the mesh. Where they differ, because of
 * another rounding mode or a forgery, the fitted ones are used instead: so a forged tree gives correct answers too.
 * Where the structure itself is so poor that queries would be slow, a tree is built instead.
 */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/log.h"
#include "base/memory.h"
#include "mesh/mesh.h"
#include "tree/blob.h"
#include "tree/fit.h"
#include "tree/leaf_groups.h"

/* ---- the header ---- */

static graze_status check_kind(const grz_blob_header *header, size_t size, graze_error *error)
{
    if (memcmp(header->magic, GRZ_BLOB_MAGIC, sizeof header->magic) != 0)
        return grz_error(error, GRAZE_STATUS_BAD_FORMAT, "this is not a saved tree");
    if (header->byte_order != GRZ_BLOB_BYTE_ORDER)
        return grz_error(error, GRAZE_STATUS_UNSUPPORTED, "the tree was saved on a machine with another byte order");
    if (header->version != GRZ_BLOB_VERSION)
        return grz_error(error, GRAZE_STATUS_UNSUPPORTED, "the tree was saved in version %lu of the format, not %d",
                         (unsigned long)header->version, GRZ_BLOB_VERSION);
    if (header->size > size)
        return grz_error_byte(error, GRAZE_STATUS_TRUNCATED, size, "the saved tree ends after %zu of %llu bytes", size,
                              (unsigned long long)header->size);
    if (header->size < size)
        return grz_error_byte(error, GRAZE_STATUS_DAMAGED, header->size, "bytes follow the end of the saved tree");
    return GRAZE_STATUS_OK;
}

/* Whether the sizes of the sections add up to that of the whole; counts are bounded first, so that nothing
   overflows. */
static bool sizes_fit(const grz_blob_header *header)
{
    if (header->node_size != sizeof(grz_node) || header->leaf_size != sizeof(grz_leaf) ||
        header->node_count > header->size / sizeof(grz_node) || header->leaf_count > header->size / sizeof(grz_leaf) ||
        header->size < sizeof *header)
        return false;
    if (header->node_count == 0)
        return header->leaf_count == 0 && header->size == sizeof *header &&
               (header->usable == 0 || header->triangle_count == 0);
    return header->usable == 1 && header->triangle_count <= header->size / sizeof(uint32_t) &&
           header->size - sizeof *header ==
               grz_tree_parts_of(header->node_count, header->leaf_count, header->triangle_count).size;
}

static bool within(float x, float bound)
{
    return x >= -bound && x <= bound;
}

/* The frame of a usable tree; see grz_tree_choose_frame. */
static bool frame_fits(const grz_blob_header *header, const graze_mesh *mesh)
{
    if (header->node_count == 0)
        return true;
    for (int axis = 0; axis < 3; axis++)
    {
        double origin = header->origin[axis];
        if (!isfinite(origin) || !(fabs(grz_scale(origin, -mesh->exponent)) <= 0x1p300) ||
            !within(header->lower[axis], 1) || !within(header->upper[axis], 1) ||
            !(header->lower[axis] <= header->upper[axis]))
            return false;
    }
    int64_t exponent = (int64_t)header->exponent - mesh->exponent;
    return exponent > -400 && exponent < 400 && isfinite(header->cost) && header->cost > 0 &&
           isfinite(header->built_cost) && header->built_cost > 0;
}

static graze_status stopped(const grz_monitor *monitor, graze_error *error)
{
    graze_status status = grz_monitor_status(monitor);
    return status == GRAZE_STATUS_OK ? status : grz_error(error, status, "mapping the tree was stopped");
}

static graze_status check_header(const grz_blob_header *header, const void *bytes, size_t size, const graze_mesh *mesh,
                                 grz_monitor *monitor, graze_error *error)
{
    graze_status status = check_kind(header, size, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool intact = header->checksum == grz_blob_checksum(header, bytes, monitor);
    grz_monitor_progress(monitor, 0.6);
    /* shortcut: mapped-trees */
    bool same_mesh = intact && header->triangle_count == mesh->triangle_count &&
                     header->vertex_count == mesh->vertex_count &&
                     header->mesh_checksum == grz_blob_mesh_checksum(mesh, monitor);
    if (stopped(monitor, error) != GRAZE_STATUS_OK)
        return grz_monitor_status(monitor);
    if (!intact)
        return grz_error(error, GRAZE_STATUS_DAMAGED, "the saved tree has been altered: its checksum is wrong");
    if (!same_mesh)
        return grz_error(error, GRAZE_STATUS_OTHER_MESH, "the saved tree belongs to another mesh");
    if (!sizes_fit(header) || !frame_fits(header, mesh))
        return grz_error(error, GRAZE_STATUS_DAMAGED, "the header of the saved tree contradicts itself");
    return GRAZE_STATUS_OK;
}

/* ---- the structure ---- */

typedef struct structure_walk
{
    const graze_tree *tree;
    grz_monitor *monitor;
    size_t nodes, leaves, triangles; /* visited so far */
    uint32_t depth;                  /* of the deepest node */
} structure_walk;

static bool child_fits(const grz_boxes8 *boxes, int lane)
{
    for (int axis = 0; axis < 3; axis++)
    {
        float lower = boxes->lower[axis][lane], upper = boxes->upper[axis][lane];
        if (!within(lower, 1) || !within(upper, 1) || !(lower <= upper) || !within(boxes->normal[axis][lane], 1.0001f))
            return false;
    }
    float lower = boxes->slab_lower[lane], upper = boxes->slab_upper[lane];
    return within(lower, FLT_MAX) && within(upper, FLT_MAX) && lower <= upper;
}

/* Kernels must never report an absent child, so its box must be the empty one. */
static bool child_is_empty(const grz_boxes8 *boxes, int lane)
{
    for (int axis = 0; axis < 3; axis++)
    {
        if (boxes->lower[axis][lane] != INFINITY || boxes->upper[axis][lane] != -INFINITY ||
            boxes->normal[axis][lane] != 0)
            return false;
    }
    return boxes->slab_lower[lane] == -FLT_MAX && boxes->slab_upper[lane] == FLT_MAX;
}

static bool leaf_fits(structure_walk *w, uint32_t index)
{
    if (index != w->leaves || index >= w->tree->leaf_count)
        return false;
    const grz_leaf *leaf = &w->tree->leaves[index];
    if (leaf->count < 1 || leaf->count > GRZ_TREE_WIDTH || leaf->first != w->triangles ||
        leaf->count > w->tree->triangle_count - w->triangles)
        return false;
    int exponent;
    float unit = leaf->triangles.unit;
    if (!(unit >= 0x1p-60f && unit <= 1) || frexpf(unit, &exponent) != 0.5f)
        return false;
    for (int axis = 0; axis < 3; axis++)
    {
        if (!within(leaf->triangles.centre[axis], 1))
            return false;
    }
    w->leaves++;
    w->triangles += leaf->count;
    return true;
}

static bool node_fits(structure_walk *w, uint32_t index, uint32_t depth)
{
    if (index != w->nodes || index >= w->tree->node_count || depth > GRZ_TREE_MAX_DEPTH)
        return false;
    if (!grz_monitor_elements(w->monitor, GRZ_TREE_WIDTH))
        return false;
    w->nodes++;
    w->depth = depth > w->depth ? depth : w->depth;
    const grz_node *node = &w->tree->nodes[index];
    bool ended = false;
    for (int lane = 0; lane < GRZ_TREE_WIDTH; lane++)
    {
        uint32_t child = node->children[lane];
        ended = ended || child == GRZ_NO_CHILD;
        if (ended)
        {
            if (child != GRZ_NO_CHILD || lane == 0 || !child_is_empty(&node->boxes, lane))
                return false;
            continue;
        }
        if (!child_fits(&node->boxes, lane))
            return false;
        if ((child & GRZ_LEAF_FLAG) != 0 ? !leaf_fits(w, child & ~GRZ_LEAF_FLAG) : !node_fits(w, child, depth + 1))
            return false;
    }
    return true;
}

static bool structure_fits(const graze_tree *tree, grz_monitor *monitor)
{
    if (tree->node_count == 0)
        return true;
    structure_walk w = {.tree = tree, .monitor = monitor};
    if (!node_fits(&w, 0, 1) || w.nodes != tree->node_count || w.leaves != tree->leaf_count ||
        w.triangles != tree->triangle_count || w.depth != tree->depth)
        return false;
    return true;
}

/* Whether the leaves have every triangle, and each once: one twice and another not at all would give wrong answers. */
static graze_status check_order(const graze_tree *tree, grz_monitor *monitor)
{
    if (tree->node_count == 0)
        return GRAZE_STATUS_OK;
    uint8_t *met = grz_allocate_zeroed(&tree->context, tree->triangle_count / 8 + 1, 1);
    if (met == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < tree->triangle_count && status == GRAZE_STATUS_OK && grz_monitor_elements(monitor, 1); i++)
    {
        uint32_t triangle = tree->order[i];
        if (triangle >= tree->triangle_count || (met[triangle / 8] >> triangle % 8 & 1) != 0)
            status = GRAZE_STATUS_DAMAGED;
        else
            met[triangle / 8] = (uint8_t)(met[triangle / 8] | 1u << triangle % 8);
    }
    grz_release(&tree->context, met);
    return status;
}

/* Uses the fitted nodes and leaves where the saved ones differ; see the head of this file. */
static graze_status check_fit(graze_tree *tree, grz_monitor *monitor)
{
    if (tree->node_count == 0)
        return GRAZE_STATUS_OK;
    graze_tree fitted = *tree;
    graze_status status = grz_tree_own(&fitted);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_tree_choose_frame(&fitted);
    grz_shared_monitor shared;
    grz_shared_monitor_start(&shared, monitor);
    if (fitted.usable && !grz_tree_fit(&tree->context, monitor != NULL ? &shared : NULL, &fitted))
    {
        grz_release(&tree->context, fitted.node_memory);
        return grz_monitor_status(monitor);
    }
    bool same = fitted.usable && memcmp(fitted.nodes, tree->nodes, tree->node_count * sizeof *tree->nodes) == 0 &&
                memcmp(fitted.leaves, tree->leaves, tree->leaf_count * sizeof *tree->leaves) == 0 &&
                memcmp(fitted.lower, tree->lower, sizeof tree->lower) == 0 &&
                memcmp(fitted.upper, tree->upper, sizeof tree->upper) == 0 &&
                memcmp(fitted.origin, tree->origin, sizeof tree->origin) == 0 && fitted.exponent == tree->exponent;
    tree->cost = fitted.cost;
    /* shortcut: fitted-trees */
    void *others = same ? fitted.node_memory : tree->node_memory;
    if (!same)
        *tree = fitted;
    grz_release(&tree->context, others);
    return GRAZE_STATUS_OK;
}

/*
 * Whether queries with this tree may be slow. Of 165 meshes, scans, parts and broken ones, built trees of all but one
 * cost less than 3 times the root of the number of leaves; one whose triangles were shuffled costs as much as it has
 * leaves. A tree without nodes counts as poor: whether there can be one is decided by building.
 */
static bool is_poor(const graze_tree *tree)
{
    return tree->node_count == 0 ? tree->triangle_count > 0 : !(tree->cost <= 4 * sqrt((double)tree->leaf_count) + 16);
}

static graze_status check_parts(graze_tree *tree, grz_monitor *monitor, graze_error *error)
{
    graze_status status = structure_fits(tree, monitor) ? check_order(tree, monitor) : GRAZE_STATUS_DAMAGED;
    grz_monitor_progress(monitor, 0.5);
    if (status == GRAZE_STATUS_OK && grz_monitor_may_continue(monitor))
        status = check_fit(tree, monitor);
    if (stopped(monitor, error) != GRAZE_STATUS_OK)
        return grz_monitor_status(monitor);
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        return grz_error(error, status, "no memory to check the saved tree");
    if (status != GRAZE_STATUS_OK)
        return grz_error(error, status, "the parts of the saved tree do not fit together");
    return status;
}

/* ---- the whole ---- */

/* Points into the bytes, or into a copy of them where they are not aligned. */
static graze_status take_parts(graze_tree *tree, const grz_blob_header *header, const void *bytes)
{
    uintptr_t base = (uintptr_t)bytes;
    tree->triangle_count = header->triangle_count;
    tree->node_count = header->node_count;
    tree->leaf_count = header->leaf_count;
    if (tree->node_count == 0)
        return GRAZE_STATUS_OK;
    grz_tree_parts parts = grz_tree_parts_of(tree->node_count, tree->leaf_count, tree->triangle_count);
    if (base % GRZ_TREE_ALIGNMENT != 0)
    {
        tree->node_memory = grz_allocate(&tree->context, parts.size + GRZ_TREE_ALIGNMENT, 1);
        if (tree->node_memory == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        size_t skip = (GRZ_TREE_ALIGNMENT - (uintptr_t)tree->node_memory % GRZ_TREE_ALIGNMENT) % GRZ_TREE_ALIGNMENT;
        char *copy = (char *)tree->node_memory + skip;
        memcpy(copy, (const char *)bytes + sizeof *header, parts.size);
        base = (uintptr_t)copy;
    }
    else
        base += sizeof *header;
    /* Mapped bytes may be read-only: graze_tree_refit, which alone writes, first makes a copy. */
    tree->nodes = (grz_node *)base;
    tree->leaves = (grz_leaf *)(base + parts.leaves);
    tree->order = (uint32_t *)(base + parts.order);
    return GRAZE_STATUS_OK;
}

static void take_frame(graze_tree *tree, const grz_blob_header *header)
{
    for (int axis = 0; axis < 3; axis++)
        tree->origin[axis] = grz_scale(header->origin[axis], -tree->mesh->exponent);
    grz_tree_set_bounds(tree, header->lower, header->upper);
    tree->exponent = header->exponent - tree->mesh->exponent;
    tree->scale = ldexp(1.0, tree->exponent);
    tree->inverse_scale = ldexp(1.0, -tree->exponent);
    tree->usable = header->usable != 0;
    tree->depth = header->depth;
    tree->cost = header->cost;
    tree->built_cost = header->built_cost;
}

static graze_status map(const graze_context *context, const graze_mesh *mesh, const void *bytes, size_t size,
                        grz_monitor *monitor, graze_error *error, graze_tree **out_tree)
{
    grz_blob_header header;
    if (size < sizeof header)
        return grz_error_byte(error, GRAZE_STATUS_TRUNCATED, size, "%zu bytes are too few for a saved tree", size);
    memcpy(&header, bytes, sizeof header);
    grz_monitor_stage(monitor, 0.3);
    graze_status status = check_header(&header, bytes, size, mesh, monitor, error);
    grz_monitor_stage(monitor, 0.9);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_tree *tree = grz_allocate_zeroed(context, 1, sizeof *tree);
    if (tree == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "no memory for a tree");
    tree->context = grz_context_copy(context);
    tree->mesh = mesh;
    take_frame(tree, &header);
    status = take_parts(tree, &header, bytes);
    if (status != GRAZE_STATUS_OK)
        grz_error(error, status, "no memory for a copy of the saved tree");
    else
        status = check_parts(tree, monitor, error);
    if (status != GRAZE_STATUS_OK)
    {
        graze_tree_destroy(tree);
        return status;
    }
    if (is_poor(tree))
    {
        graze_tree_destroy(tree);
        grz_monitor_stage(monitor, 1);
        graze_budget left = grz_monitor_budget(monitor);
        status = grz_monitor_end_step(monitor, graze_tree_create(context, mesh, NULL, &left, out_tree), 0);
        if (status == GRAZE_STATUS_OUT_OF_MEMORY)
            return grz_error(error, status, "no memory for a tree");
        return stopped(monitor, error);
    }
    grz_tree_form_groups(tree);
    *out_tree = tree;
    return GRAZE_STATUS_OK;
}

graze_status graze_tree_map(const graze_context *context, const graze_mesh *mesh, const void *bytes, size_t size,
                            const graze_budget *budget, graze_error *error, graze_tree **out_tree)
{
    if (mesh == NULL || (bytes == NULL && size > 0) || out_tree == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "mesh, bytes and out_tree may not be NULL");
    graze_error reason;
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    graze_status status =
        map(context, mesh, bytes, size, grz_monitor_is_needed(&monitor) ? &monitor : NULL, &reason, out_tree);
    if (status == GRAZE_STATUS_OK)
        return status;
    grz_log(context, GRAZE_LOG_WARNING, "%s", reason.text);
    if (error != NULL)
        *error = reason;
    return status;
}
