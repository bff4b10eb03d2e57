/* SPDX-License-Identifier: MIT */
/* Space-time traversal of two moving meshes; see space_time.h. */
#include "motion/space_time.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "motion/pair_doubt.h"
#include "motion/space_time_boxes.h"
#include "motion/space_time_trees.h"

enum
{
    FIRST_DEPTH = 15, /* of the frame around the time from which on something may meet, */
    FRAME_STEP = 5    /* and how much less those of the ones after it are */
};

bool grz_pair_list_add(const graze_context *context, grz_pair_list *list, grz_node_pair pair)
{
    if (list->count == list->capacity)
    {
        size_t capacity = list->capacity == 0 ? 256 : 2 * list->capacity;
        grz_node_pair *pairs = grz_reallocate(context, list->pairs, capacity, sizeof *pairs);
        if (pairs == NULL)
            return false;
        list->pairs = pairs;
        list->capacity = capacity;
    }
    list->pairs[list->count++] = pair;
    return true;
}

static bool make_end_boxes(grz_space_time *s)
{
    if (s->moving_a->end_mesh != NULL &&
        (s->end_boxes_a = grz_end_boxes_make(s->context, s->tree_a, s->moving_a->end_mesh)) == NULL)
        return false;
    if (s->moving_b->end_mesh != NULL &&
        (s->end_boxes_b = grz_end_boxes_make(s->context, s->tree_b, s->moving_b->end_mesh)) == NULL)
        return false;
    return true;
}

/* Where soft meshes end. */
static graze_pose end_pose(const graze_motion *motion)
{
    return motion->kind == GRAZE_MOTION_STILL ? motion->start : motion->end;
}

/* Memory that all searches of two meshes use. */
static bool prepare(grz_space_time *s)
{
    if (s->prepared)
        return true;
    if (!s->boxes_only && (s->trees = grz_moving_trees_create(s->context)) == NULL)
        return false;
    s->prepared = make_end_boxes(s);
    return s->prepared;
}

/* All times; or those from a time on until which nothing meets: around it short ones, as it is likely that something
   does then, in longer ones. Frames begin where the one before has ended. */
static void push_first_frames(grz_space_time *s)
{
    s->done = s->from;
    s->frames[0] = (grz_time_frame){.last = true, .count = 1};
    s->frame_count = s->from < 1 ? 1 : 0;
    uint64_t end = 1; /* of the frame on top, in units of its depth */
    /* shortcut: frames-from-a-time */
    for (unsigned depth = FRAME_STEP; s->from > 0 && s->from < 1 && depth <= FIRST_DEPTH; depth += FRAME_STEP)
    {
        uint64_t index = (uint64_t)ldexp(s->from, (int)depth);
        end <<= FRAME_STEP;
        s->frame_count += index + 1 != end;
        end = index + 1;
        s->frames[s->frame_count - 1] =
            (grz_time_frame){.index = index, .depth = depth, .last = s->frame_count == 1, .count = 1};
    }
}

graze_status grz_space_time_start(grz_space_time *s)
{
    s->latest = 1;
    memset(&s->stats, 0, sizeof s->stats);
    s->frame_count = 0;
    s->lists.count = s->open.count = s->candidates.count = s->waiting.count = 0;
    s->within = s->start_is_bounded = s->deciding.begun = false;
    if (s->tree_a->node_count == 0 || s->tree_b->node_count == 0)
        return GRAZE_STATUS_OK;
    const uint32_t root = GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH;
    const grz_node_pair roots = {grz_join_halves(root, root), grz_join_halves(0xff, 0xff)};
    if (!prepare(s) || !grz_pair_list_add(s->context, &s->lists, roots))
    {
        grz_space_time_end(s);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    s->side_a = (grz_moving_side){.mesh = s->moving_a->mesh,
                                  .end_mesh = s->moving_a->end_mesh,
                                  .tree = s->tree_a,
                                  .end_boxes = s->end_boxes_a,
                                  .start = s->moving_a->motion.start,
                                  .end = end_pose(&s->moving_a->motion)};
    s->side_b = (grz_moving_side){.mesh = s->moving_b->mesh,
                                  .end_mesh = s->moving_b->end_mesh,
                                  .tree = s->tree_b,
                                  .end_boxes = s->end_boxes_b,
                                  .start = s->moving_b->motion.start,
                                  .end = end_pose(&s->moving_b->motion)};
    push_first_frames(s);
    if (s->start_first)
        s->frames[s->frame_count++] = (grz_time_frame){.start = true, .count = 1};
    return GRAZE_STATUS_OK;
}

void grz_space_time_end(grz_space_time *s)
{
    grz_release(s->context, s->lists.pairs);
    grz_release(s->context, s->open.pairs);
    grz_release(s->context, s->candidates.pairs);
    grz_release(s->context, s->waiting.pairs);
    grz_moving_trees_destroy(s->context, s->trees);
    grz_release(s->context, s->end_boxes_a);
    grz_release(s->context, s->end_boxes_b);
    s->lists = s->open = s->candidates = s->waiting = (grz_pair_list){NULL, 0, 0};
    s->end_boxes_a = s->end_boxes_b = NULL;
    s->trees = NULL;
    s->prepared = false;
    s->frame_count = 0;
    s->within = false;
}

/* Whether the next frame is to be examined, which is taken from the others. All frames left begin no earlier; and what
   meets at the start is known after a frame of it. */
static bool take_frame(grz_space_time *s)
{
    s->frame = s->frames[--s->frame_count];
    s->t0 = fmax(ldexp((double)s->frame.index, -(int)s->frame.depth), s->done);
    s->t1 = s->frame.start ? 0 : ldexp((double)s->frame.index + 1, -(int)s->frame.depth);
    /* shortcut: start-frame */
    return !(s->t0 > s->latest || (s->start_first && !s->frame.start && !(s->latest > 0)));
}

/* The pairs of the frame are those to be opened. */
static bool begin_frame(grz_space_time *s)
{
    s->within = true;
    s->kept = s->lists.count;
    for (size_t i = s->frame.count; i-- > 0;)
        if (!grz_pair_list_add(s->context, &s->open, s->lists.pairs[s->frame.first + i]))
            return false;
    s->side_a.known = grz_motion_span_make(&s->moving_a->motion, s->t0, s->t1, &s->side_a.span);
    s->side_b.known = grz_motion_span_make(&s->moving_b->motion, s->t0, s->t1, &s->side_b.span);
    s->by_trees = !s->boxes_only && grz_moving_trees_begin(s->trees, s);
    s->stats.intervals++;
    return true;
}

/* What is left of a frame is examined in both its halves. */
static void end_frame(grz_space_time *s)
{
    s->within = false;
    size_t count = s->lists.count - s->kept;
    if (s->frame.last) /* its own list is not needed any more */
    {
        if (count > 0)
            memmove(s->lists.pairs + s->frame.first, s->lists.pairs + s->kept, count * sizeof *s->lists.pairs);
        s->kept = s->frame.first;
        s->lists.count = s->kept + count;
    }
    if (count == 0)
    {
        s->done = s->t1;
        return;
    }
    uint64_t index = 2 * s->frame.index;
    unsigned depth = s->frame.depth + 1;
    s->frames[s->frame_count++] = (grz_time_frame){index + 1, depth, true, false, s->kept, count};
    s->frames[s->frame_count++] = (grz_time_frame){index, depth, false, false, s->kept, count};
}

/* By the times in the second words, then by triangles. */
static bool comes_before(const grz_node_pair *p, const grz_node_pair *q)
{
    if (p->masks != q->masks)
        return p->masks < q->masks;
    uint32_t a = grz_half_a(p->refs), other = grz_half_a(q->refs);
    return a != other ? a < other : grz_half_b(p->refs) < grz_half_b(q->refs);
}

/* Sorts few candidates. */
static void sort_candidates(grz_node_pair *pairs, size_t count)
{
    for (size_t i = 1; i < count; i++)
    {
        grz_node_pair moved = pairs[i];
        size_t k = i;
        for (; k > 0 && comes_before(&moved, &pairs[k - 1]); k--)
            pairs[k] = pairs[k - 1];
        pairs[k] = moved;
    }
}

/* Swaps the first in order to the front. */
static void find_first(grz_node_pair *pairs, size_t count)
{
    size_t first = 0;
    for (size_t i = 1; i < count; i++)
        if (comes_before(&pairs[i], &pairs[first]))
            first = i;
    grz_node_pair moved = pairs[0];
    pairs[0] = pairs[first];
    pairs[first] = moved;
}

enum
{
    MOST_SORTED = 256,   /* of more candidates only the first is known */
    FIRST_SORTED = 4,    /* of those at the start, of which mostly the first is the answer */
    DOUBTS_AT_ONCE = 64, /* pairs between two checks of the budget; a multiple of 8 */
    DOUBT_WORK = 128,    /* for the budget: what a time of doubt and a proposal cost, in box tests */
    PROPOSAL_WORK = 64 * GRZ_EXACT_TEST_WORK
};

/* Puts as many candidates in order as are worth it. */
static void sort_some(const grz_space_time *s, grz_node_pair *pairs, size_t count)
{
    if (s->frame.start)
        for (size_t i = 0; i < FIRST_SORTED && i < count; i++)
            find_first(pairs + i, count - i);
    else if (count <= MOST_SORTED)
        sort_candidates(pairs, count);
    else
        find_first(pairs, count);
}

/* Leaves out candidates that are settled. */
static void begin_deciding(grz_space_time *s)
{
    grz_node_pair *pairs = s->candidates.pairs;
    size_t open = 0;
    for (size_t i = 0; i < s->candidates.count && s->t0 <= s->latest; i++)
    {
        uint32_t a = grz_half_a(pairs[i].refs), b = grz_half_b(pairs[i].refs);
        if (s->settled == NULL || !s->settled(s->user, a, b))
            pairs[open++] = pairs[i];
    }
    s->candidates.count = open;
    memset(&s->deciding, 0, sizeof s->deciding);
    s->deciding.begun = true;
}

/* Finds the times of doubt of all candidates, and puts those that are in doubt in order. False when stopped. */
static bool order_candidates(grz_space_time *s)
{
    grz_node_pair *pairs = s->candidates.pairs;
    size_t count = 0;
    while (s->deciding.doubted < s->candidates.count)
    {
        grz_node_pair *next = pairs + s->deciding.doubted;
        size_t left = s->candidates.count - s->deciding.doubted, step = left < DOUBTS_AT_ONCE ? left : DOUBTS_AT_ONCE;
        if (s->frame.start)
            for (size_t i = 0; i < step; i++)
                next[i].masks = grz_bits(0.0);
        else
            grz_pair_doubts(s, next, step);
        s->deciding.doubted += step;
        if (!grz_monitor_work(s->monitor, step * DOUBT_WORK))
            return false;
    }
    for (size_t i = 0; i < s->candidates.count; i++)
        if (grz_from_bits(pairs[i].masks) < INFINITY) /* not negative: in the order of their bits */
            pairs[count++] = pairs[i];
    s->candidates.count = s->deciding.doubted = count;
    sort_some(s, pairs, count);
    s->deciding.in_order = true;
    return true;
}

graze_status grz_space_time_decide(grz_space_time *s)
{
    if (!s->deciding.begun)
        begin_deciding(s);
    if (!s->deciding.in_order && !order_candidates(s))
        return grz_monitor_status(s->monitor);
    while (s->deciding.proposed < s->candidates.count)
    {
        const grz_node_pair *pair = &s->candidates.pairs[s->deciding.proposed++];
        double doubt = grz_from_bits(pair->masks);
        if (!(doubt <= s->latest))
            continue;
        if (!s->propose(s->user, grz_half_a(pair->refs), grz_half_b(pair->refs), doubt, s->t1))
            return GRAZE_STATUS_CANCELLED;
        if (!grz_monitor_work(s->monitor, PROPOSAL_WORK))
            return grz_monitor_status(s->monitor);
    }
    s->candidates.count = 0;
    s->deciding.begun = false;
    return GRAZE_STATUS_OK;
}

graze_status grz_space_time_advance(grz_space_time *s)
{
    while (s->within || s->frame_count > 0)
    {
        if (!s->within && !take_frame(s))
        {
            s->frame_count = 0;
            break;
        }
        if (!s->within && !begin_frame(s))
            return GRAZE_STATUS_OUT_OF_MEMORY;
        graze_status status = s->by_trees ? grz_space_time_trees(s, s->trees) : grz_space_time_boxes(s);
        if (status != GRAZE_STATUS_OK)
            return status;
        end_frame(s);
    }
    return GRAZE_STATUS_OK;
}

double grz_space_time_reached(const grz_space_time *s)
{
    if (s->within)
        return s->t0;
    if (s->frame_count == 0)
        return 1;
    const grz_time_frame *next = &s->frames[s->frame_count - 1];
    return ldexp((double)next->index, -(int)next->depth);
}
