/* SPDX-License-Identifier: MIT */
/* Creating, running and destroying the searches of the public interface; see graze/search.h. */
#include "pair/hit/search_object.h"

#include <string.h>

static graze_status create(const graze_context *context, const graze_search *like, const graze_budget *budget,
                           graze_search **out_search)
{
    graze_search *made = grz_allocate_zeroed(context, 1, sizeof *made);
    if (made == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    *made = *like;
    made->context = grz_context_copy(context);
    made->search.query.context = &made->context;
    made->search.query.a = &made->a;
    made->search.query.b = made->search.query.self ? &made->a : &made->b;
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    graze_status status = grz_search_start(&made->search, NULL, grz_monitor_is_needed(&monitor) ? &monitor : NULL);
    if (status != GRAZE_STATUS_OK)
    {
        grz_release(context, made);
        return status;
    }
    *out_search = made;
    return GRAZE_STATUS_OK;
}

static bool is_kind(graze_search_kind kind)
{
    return kind == GRAZE_SEARCH_ANY || kind == GRAZE_SEARCH_COUNT || kind == GRAZE_SEARCH_HITS;
}

graze_status graze_search_create(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                 graze_search_kind kind, const graze_budget *budget, graze_search **out_search)
{
    if (a == NULL || b == NULL || out_search == NULL || !is_kind(kind))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_search like = {.a = *a, .b = *b};
    like.search.query.first_only = kind == GRAZE_SEARCH_ANY;
    like.search.query.buffer_hits = kind == GRAZE_SEARCH_HITS;
    return create(context, &like, budget, out_search);
}

graze_status graze_search_create_self(const graze_context *context, const graze_self_subject *subject,
                                      graze_search_kind kind, const graze_budget *budget, graze_search **out_search)
{
    if (subject == NULL || out_search == NULL || !is_kind(kind))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_search like = {.a = {subject->mesh, subject->tree, graze_pose_identity()}};
    like.search.query.self = true;
    like.search.query.merge_vertices = subject->merge_equal_vertices;
    like.search.query.first_only = kind == GRAZE_SEARCH_ANY;
    like.search.query.buffer_hits = kind == GRAZE_SEARCH_HITS;
    return create(context, &like, budget, out_search);
}

void graze_search_destroy(graze_search *search)
{
    if (search == NULL)
        return;
    graze_context context = search->context;
    grz_search_end(&search->search);
    grz_release(&context, search);
}

/* Bytes that a part has allocated. */
static size_t part_memory(const grz_query_part *part)
{
    const grz_traversal *t = &part->traversal;
    const grz_aabb_sweep *sweep = &part->sweep;
    size_t size = t->pairs != NULL && t->pairs != t->room ? t->capacity * sizeof *t->pairs : 0;
    size += (sweep->a != NULL ? sweep->a_count : 0) * sizeof *sweep->a;
    size += (sweep->b != NULL ? sweep->b_count : 0) * sizeof *sweep->b;
    const grz_hit_buffer *buffered = &part->buffered;
    size_t keys = buffered->crossings.capacity + buffered->others.capacity + buffered->candidates.capacity;
    return size + keys * sizeof(uint64_t) + buffered->contacts.capacity;
}

size_t graze_search_memory_size(const graze_search *search)
{
    if (search == NULL)
        return 0;
    const grz_search *s = &search->search;
    size_t size = sizeof *search + s->part_count * sizeof *s->parts + part_memory(&s->head);
    for (size_t i = 0; i < s->part_count; i++)
        size += part_memory(&s->parts[i]);
    return size;
}

graze_status graze_search_run(graze_search *search, const graze_budget *budget)
{
    return search != NULL ? grz_search_run(&search->search, budget) : GRAZE_STATUS_BAD_ARGUMENT;
}

graze_status graze_search_hits(graze_search *search, graze_hit *hits, size_t capacity, size_t *out_count)
{
    if (search == NULL || out_count == NULL || (hits == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_search *s = &search->search;
    size_t count = 0;
    if (s->query.first_only)
    {
        const graze_hit *found = grz_search_first(s);
        count = found != NULL ? 1 : 0;
        if (found != NULL && capacity > 0)
            hits[0] = *found;
    }
    if (s->query.buffer_hits)
    {
        if (!grz_search_write(s, hits, capacity))
            return GRAZE_STATUS_OUT_OF_MEMORY;
        count = grz_hit_buffer_count(&s->head.buffered);
    }
    *out_count = count;
    return GRAZE_STATUS_OK;
}
