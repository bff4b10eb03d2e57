/* SPDX-License-Identifier: MIT */
/* Hits as sets, with their contacts: gathered, counted, visited, searched in steps, with A and B swapped. */
#include <float.h>
#include <string.h>

#include "pair_case.h"

static bool same_counts(const graze_pair_counts *x, const graze_pair_counts *y)
{
    return x->pairs == y->pairs && x->touching == y->touching && x->crossing == y->crossing &&
           x->coplanar == y->coplanar;
}

static void expect_hit(const pair_case *c, const graze_hit *hit, const char *query)
{
    EXPECT(hit->triangle_a < c->sides[0].shape.triangle_count && hit->triangle_b < c->sides[1].shape.triangle_count,
           "%s: a hit names triangles %u %u", query, hit->triangle_a, hit->triangle_b);
    const graze_triangle_contact *truth = case_contact(c, hit->triangle_a, hit->triangle_b);
    EXPECT(truth->found, "%s: triangles %u and %u do not meet", query, hit->triangle_a, hit->triangle_b);
    EXPECT(contact_equal(&hit->contact, truth), "%s: the contact of %u and %u is another kind", query, hit->triangle_a,
           hit->triangle_b);
    EXPECT(hit->face_a == hit->triangle_a && hit->face_b == hit->triangle_b, "%s: faces", query);
}

/* The hits must be the first `count` of all, in order. */
static void expect_first_hits(const pair_case *c, const graze_hit *hits, size_t count, const char *query)
{
    size_t next = 0;
    for (uint32_t i = 0; i < c->sides[0].shape.triangle_count && next < count; i++)
        for (uint32_t j = 0; j < c->sides[1].shape.triangle_count && next < count; j++)
        {
            if (!case_contact(c, i, j)->found)
                continue;
            expect_hit(c, &hits[next], query);
            EXPECT(hits[next].triangle_a == i && hits[next].triangle_b == j, "%s: the hit of %u and %u is missing",
                   query, i, j);
            next++;
        }
    EXPECT(next == count, "%s: %zu hits, of which only %zu are right", query, count, next);
}

void check_gather(pair_case *c)
{
    static graze_hit hits[MOST_PAIRS];
    graze_pair_counts counts;
    EXPECT_OK(graze_pair_gather(&c->context, &c->a, &c->b, NULL, hits, MOST_PAIRS, &counts));
    EXPECT(counts.pairs <= MOST_PAIRS, "gather: %llu pairs", (unsigned long long)counts.pairs);
    expect_first_hits(c, hits, (size_t)counts.pairs, "gather");
    EXPECT(same_counts(&counts, &c->counts), "gather: %llu pairs instead of %llu, or other kinds",
           (unsigned long long)counts.pairs, (unsigned long long)c->counts.pairs);
}

void check_swapped(pair_case *c)
{
    static graze_hit hits[MOST_PAIRS];
    graze_pair_counts counts;
    EXPECT_OK(graze_pair_gather(&c->context, &c->b, &c->a, NULL, hits, MOST_PAIRS, &counts));
    EXPECT(same_counts(&counts, &c->counts), "swapped: %llu pairs instead of %llu, or other kinds",
           (unsigned long long)counts.pairs, (unsigned long long)c->counts.pairs);
    for (size_t h = 0; h < counts.pairs; h++)
    {
        graze_hit hit = hits[h];
        hit.triangle_a = hit.face_a = hits[h].triangle_b;
        hit.triangle_b = hit.face_b = hits[h].triangle_a;
        hit.contact = contact_mirror(hits[h].contact);
        expect_hit(c, &hit, "swapped");
        EXPECT(h == 0 || hits[h - 1].triangle_a < hits[h].triangle_a ||
                   (hits[h - 1].triangle_a == hits[h].triangle_a && hits[h - 1].triangle_b < hits[h].triangle_b),
               "swapped: order");
    }
}

/* ---- forms of a query ---- */

typedef struct visit
{
    graze_hit hits[MOST_PAIRS];
    size_t count, stop;
} visit;

static bool visit_hit(void *user, const graze_hit *hit)
{
    visit *v = user;
    if (v->count < MOST_PAIRS)
        v->hits[v->count] = *hit;
    return ++v->count != v->stop;
}

static void check_any(pair_case *c, bool dual)
{
    bool found = !(c->counts.pairs > 0);
    graze_hit hit;
    graze_status (*run_query)(const graze_context *, const graze_placed_mesh *, const graze_placed_mesh *,
                              const graze_any_options *, bool *, graze_hit *) =
        dual ? graze_pair_any_dual : graze_pair_any;
    EXPECT_OK(run_query(&c->context, &c->a, &c->b, NULL, &found, &hit));
    EXPECT(found == (c->counts.pairs > 0), "any%s: %d", dual ? " dual" : "", found);
    if (found)
        expect_hit(c, &hit, "any");
    found = !found;
    EXPECT_OK(run_query(&c->context, &c->b, &c->a, NULL, &found, NULL));
    EXPECT(found == (c->counts.pairs > 0), "any%s, swapped: %d", dual ? " dual" : "", found);
}

void check_shapes_of_query(fuzz_bytes *bytes, pair_case *c)
{
    static graze_hit hits[MOST_PAIRS];
    static visit v;
    uint8_t form = take_byte(bytes);
    check_any(c, (form & 0xc0) == 0xc0);
    graze_pair_counts counts;
    EXPECT_OK(graze_pair_count(&c->context, &c->a, &c->b, NULL, &counts));
    EXPECT(same_counts(&counts, &c->counts), "count: %llu pairs instead of %llu, or other kinds",
           (unsigned long long)counts.pairs, (unsigned long long)c->counts.pairs);
    size_t capacity = form & 7;
    EXPECT_OK(graze_pair_gather(&c->context, &c->a, &c->b, NULL, hits, capacity, &counts));
    EXPECT(same_counts(&counts, &c->counts), "gather of few: counts");
    expect_first_hits(c, hits, capacity < counts.pairs ? capacity : (size_t)counts.pairs, "gather of few");
    v.count = 0;
    v.stop = form >> 3 & 7;
    graze_status status = graze_pair_visit(&c->context, &c->a, &c->b, NULL, visit_hit, &v);
    bool stopped = v.stop != 0 && v.stop <= c->counts.pairs;
    EXPECT(status == (stopped ? GRAZE_STATUS_CANCELLED : GRAZE_STATUS_OK), "visit: status %d", (int)status);
    EXPECT(v.count == (stopped ? v.stop : c->counts.pairs), "visit: %zu calls", v.count);
    expect_first_hits(c, v.hits, v.count, "visit");
}

/* ---- searches in steps ---- */

/* Whether a triangle lies in the box. */
static bool holds(oracle *judge, const graze_box *box, graze_placed_triangle triangle)
{
    graze_placed_point points[5] = {{box->lower, NULL}, {box->upper, NULL}};
    for (int k = 0; k < 3; k++)
        points[2 + k] = (graze_placed_point){triangle.corners[k], triangle.pose};
    for (int i = 0; i < 3; i++) /* no double is beyond these */
        if (box->lower[i] <= -DBL_MAX || box->upper[i] >= DBL_MAX)
            return true;
    oracle_load(judge, points, 5);
    for (int k = 2; k < 5; k++)
        for (int axis = 0; axis < 3; axis++)
            if (oracle_loaded_compare(judge, k, 0, axis) < 0 || oracle_loaded_compare(judge, k, 1, axis) > 0)
                return false;
    return true;
}

/* Hits that were not found yet must lie in undecided volumes. */
static void expect_missing_undecided(pair_case *c, graze_search *search, bool known[MOST_PAIRS])
{
    static graze_undecided_volumes undecided[512];
    size_t count;
    EXPECT_OK(graze_search_undecided(search, undecided, 512, &count));
    for (uint32_t i = 0; i < c->sides[0].shape.triangle_count && count <= 512; i++)
        for (uint32_t j = 0; j < c->sides[1].shape.triangle_count; j++)
        {
            bool held = !case_contact(c, i, j)->found || known[i * c->sides[1].shape.triangle_count + j];
            for (size_t u = 0; u < count && !held; u++)
                held = undecided[u].overlap &&
                       holds(c->judge, &undecided[u].box_a, placed_triangle(&c->sides[0], &c->a.pose, i)) &&
                       holds(c->judge, &undecided[u].box_b, placed_triangle(&c->sides[1], &c->b.pose, j));
            EXPECT(held, "search: the missing hit of %u and %u is in no undecided pair", i, j);
        }
}

static void look(pair_case *c, graze_search *search, graze_search_kind kind, bool finished)
{
    static graze_hit hits[MOST_PAIRS];
    graze_search_state state = graze_search_examine(search);
    bool known[MOST_PAIRS] = {false};
    size_t count;
    EXPECT(state.finished == finished, "search: finished %d", state.finished);
    EXPECT(state.verdict != GRAZE_VERDICT_YES || c->counts.pairs > 0, "search: yes, but nothing meets");
    EXPECT(state.verdict != GRAZE_VERDICT_NO || c->counts.pairs == 0, "search: no, but something meets");
    EXPECT(!finished || state.verdict != GRAZE_VERDICT_UNKNOWN, "search: unknown at its end");
    EXPECT(state.distance_lower_bound == 0 || c->counts.pairs == 0, "search: a gap, but something meets");
    EXPECT(state.counts.pairs <= c->counts.pairs, "search: too many pairs");
    EXPECT(!finished || kind == GRAZE_SEARCH_ANY || same_counts(&state.counts, &c->counts), "search: counts");
    EXPECT_OK(graze_search_hits(search, hits, MOST_PAIRS, &count));
    for (size_t h = 0; h < count; h++)
    {
        expect_hit(c, &hits[h], "search");
        known[hits[h].triangle_a * c->sides[1].shape.triangle_count + hits[h].triangle_b] = true;
    }
    if (finished && kind == GRAZE_SEARCH_HITS)
        expect_first_hits(c, hits, count, "search");
    EXPECT(!finished || kind != GRAZE_SEARCH_HITS || count == c->counts.pairs, "search: %zu hits", count);
    if (!finished && kind == GRAZE_SEARCH_HITS)
        expect_missing_undecided(c, search, known);
}

static bool may_continue(void *user, double share)
{
    unsigned *calls = user;
    EXPECT(share >= 0 && share <= 1, "progress: a share of %g", share);
    return (*calls)-- > 0;
}

void check_search(fuzz_bytes *bytes, pair_case *c)
{
    uint8_t form = take_byte(bytes);
    graze_search_kind kind = (graze_search_kind)(form % 3);
    graze_pair_options options = graze_pair_options_default();
    options.budget.box_tests = 1 + (form >> 4);
    unsigned calls = form >> 2 & 3;
    if (calls != 0)
    {
        options.budget.progress = may_continue;
        options.budget.progress_user = &calls;
    }
    graze_search *search;
    EXPECT_OK(graze_search_create(&c->context, &c->a, &c->b, kind, NULL, &search));
    graze_status status;
    for (unsigned rounds = 0; (status = graze_search_run(search, &options.budget)) != GRAZE_STATUS_OK; rounds++)
    {
        EXPECT(status == GRAZE_STATUS_UNFINISHED || (status == GRAZE_STATUS_CANCELLED && calls == UINT32_MAX),
               "search: status %d", (int)status);
        EXPECT(rounds < 10000, "search: it never ends");
        calls = form >> 2 & 3;
        if (rounds < 8)
            look(c, search, kind, false);
    }
    look(c, search, kind, true);
    graze_search_destroy(search);
}
