/* SPDX-License-Identifier: MIT */
/*
 * Broad phase by an octree (Zachmann's thesis, section 5.4), with octant arrays and moves by box difference. A box is
 * in the octants of the lowest level at which it touches at most two on each axis, so large boxes are at high levels.
 * Boxes that may overlap it are in its octants, in their ancestors, and in the descendants that it touches.
 *
 * A pair may share several octants; it is reported in the octant, of the smaller box, that contains the lower corner of
 * the overlap.
 *
 * The root cube is chosen again, and everything re-inserted, when the number of boxes has changed much, or many have
 * left the cube: that cost is amortised over the changes since. A changed box costs O(d + k), where d is the depth, ten
 * at most, and k counts the boxes in the octants it visits. Memory O(n): at most eight entries per box and d octants
 * per entry, mostly shared.
 */
#include "broad/octree.h"
#include "base/sort.h"
#include "broad/linear_scan.h"
#include "broad/morton.h"

enum
{
    ENOUGH_TO_ORDER = 128,
    SOME = 16 /* changes that never cause a rebuild */
};

typedef struct octree_state
{
    graze_context context;
    grz_octree_index tree;
    GRZ_ARRAY(uint64_t) order; /* scratch: the changed boxes in Morton order */
} octree_state;

static void release(const graze_context *context, void *state)
{
    octree_state *s = state;
    grz_octree_release(context, &s->tree);
    grz_release(context, s->order.data);
}

/* The box of a query, and the sink of its results. */
typedef struct octree_query
{
    const octree_state *s;
    const grz_aabb_view *view;
    const grz_fat_aabb *box;
    grz_voxel_range voxels;
    uint32_t query_id;
    grz_pair_sink *pairs; /* NULL for a box query */
    grz_id_sink *ids;
} octree_query;

/* Whether this octant contains the lower corner of the overlap of the object and the query. */
static inline bool is_reporting_octant(const octree_query *q, const grz_voxel_range *voxels, const grz_octant *o)
{
    bool in = true;
    for (int axis = 0; axis < 3; axis++)
    {
        int32_t a = q->voxels.lower[axis], b = voxels->lower[axis];
        /* shortcut: octant-of-lower-corner */
        in = in & ((a > b ? a : b) >> o->level == o->lower[axis] >> o->level);
    }
    return in;
}

/* Reports overlapping objects of an octant; `smaller` is the octant of the smaller one of the two boxes. */
static void visit_octant(const octree_query *q, const grz_octant *o, const grz_octant *smaller)
{
    const grz_octree_index *tree = &q->s->tree;
    const grz_list_entry *links = grz_list_entries(&tree->links, &o->objects);
    for (uint32_t i = 0; i < o->objects.count; i++)
    {
        uint32_t id = links[i].other;
        if (!grz_fat_aabb_overlap(&q->view->fat[id], q->box) ||
            !is_reporting_octant(q, &tree->objects.data[id].voxels, smaller))
            continue;
        if (q->pairs == NULL)
            grz_sink_add_id(q->ids, id);
        else if (id != q->query_id && !(grz_view_changed(q->view, id) && id < q->query_id))
            grz_sink_add_pair(q->pairs, q->query_id, id);
    }
}

static bool touches(const grz_voxel_range *voxels, const grz_octant *o)
{
    bool in = true;
    for (int axis = 0; axis < 3; axis++)
        in = in & (voxels->lower[axis] >> o->level <= o->lower[axis] >> o->level) &
             (o->lower[axis] >> o->level <= voxels->upper[axis] >> o->level);
    return in;
}

/* Visits all octants below one that the query touches; recursion is no deeper than the tree. */
static void visit_below(const octree_query *q, const grz_octant *o)
{
    if (o->below == o->objects.count)
        return;
    for (int slot = 0; slot < 8; slot++)
    {
        if (o->children[slot] == 0)
            continue;
        const grz_octant *child = grz_octree_octant(&q->s->tree, o->children[slot]);
        if (!touches(&q->voxels, child))
            continue;
        visit_octant(q, child, child);
        visit_below(q, child);
    }
}

static void query_object(const octree_query *q)
{
    const grz_octree_index *tree = &q->s->tree;
    const grz_octree_object *object = &tree->objects.data[q->query_id];
    for (uint32_t i = 0; i < object->octants.count; i++)
    {
        const grz_octant *own = grz_octree_octant(tree, grz_list_entries(&tree->links, &object->octants)[i].other);
        visit_octant(q, own, own);
        visit_below(q, own);
        for (uint32_t above = own->parent; above != 0; above = grz_octree_octant(tree, above)->parent)
            visit_octant(q, grz_octree_octant(tree, above), own);
    }
}

/* Whether a new root cube should be chosen. */
static bool needs_rebuild(const grz_octree_index *tree, const grz_aabb_view *view)
{
    return tree->octants.count == 0 || view->count > 2 * tree->built_count + SOME ||
           8 * view->count + SOME < tree->built_count ||
           tree->outside > 2 * tree->built_outside + view->count / 8 + SOME;
}

static bool rebuild(octree_state *s, const grz_aabb_view *view)
{
    if (!grz_octree_reset(&s->context, &s->tree, view))
        return false;
    for (uint32_t id = 0; id < view->limit; id++)
        if (view->present[id] && !grz_octree_move(&s->context, &s->tree, id, &view->fat[id]))
            return false;
    s->tree.built_outside = s->tree.outside;
    return true;
}

/* Applies the changes to the tree. False when out of memory. */
static bool update_tree(octree_state *s, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count)
{
    if (needs_rebuild(&s->tree, view))
        return rebuild(s, view);
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = changed[i];
        if (!view->present[id])
            grz_octree_remove(&s->tree, id);
        else if (!grz_octree_move(&s->context, &s->tree, id, &view->fat[id]))
            return false;
    }
    return !needs_rebuild(&s->tree, view) || rebuild(s, view);
}

/* Sorts neighbours next to each other, so that memory read for one is in the cache for the next. */
static void sort_by_morton_code(octree_state *s, const uint32_t *changed, size_t count)
{
    uint64_t *words = s->order.data;
    for (size_t i = 0; i < count; i++)
        words[i] = (uint64_t)grz_morton_code(s->tree.objects.data[changed[i]].voxels.lower) << 32 | changed[i];
    if (count >= ENOUGH_TO_ORDER)
        grz_sort_words(words, words + count, count);
}

static bool update(void *state, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count,
                   grz_pair_sink *sink)
{
    octree_state *s = state;
    if (!GRZ_RESERVE(&s->context, &s->order, 2 * changed_count) ||
        !grz_octree_reserve(&s->context, &s->tree, view->limit) || !update_tree(s, view, changed, changed_count))
        return false;
    sort_by_morton_code(s, changed, changed_count);
    for (size_t i = 0; i < changed_count && !sink->failed; i++)
    {
        uint32_t id = (uint32_t)s->order.data[i];
        if (!view->present[id])
            continue;
        octree_query q = {.s = s, .view = view, .box = &view->fat[id], .query_id = id, .pairs = sink};
        q.voxels = s->tree.objects.data[id].voxels;
        query_object(&q);
    }
    return !sink->failed;
}

static void in_box(const void *state, const grz_aabb_view *view, const grz_fat_aabb *box, grz_id_sink *sink)
{
    const octree_state *s = state;
    bool ignored;
    if (s->tree.octants.count == 0)
        return;
    octree_query q = {.s = s, .view = view, .box = box, .query_id = UINT32_MAX, .ids = sink};
    q.voxels = grz_octree_voxels(&s->tree, box, &ignored);
    visit_octant(&q, grz_octree_octant(&s->tree, 1), grz_octree_octant(&s->tree, 1));
    visit_below(&q, grz_octree_octant(&s->tree, 1));
}

static size_t memory(const void *state)
{
    const octree_state *s = state;
    return grz_octree_memory(&s->tree) + s->order.capacity * sizeof *s->order.data;
}

static bool validate(const void *state, const grz_aabb_view *view)
{
    const octree_state *s = state;
    return grz_octree_validate(&s->tree, view);
}

const grz_broad_method grz_octree_method = {.state_size = sizeof(octree_state),
                                            .release = release,
                                            .update = update,
                                            .in_box = in_box,
                                            .on_ray = grz_linear_scan_on_ray,
                                            .memory = memory,
                                            .validate = validate};
