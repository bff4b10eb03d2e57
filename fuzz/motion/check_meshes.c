/* SPDX-License-Identifier: MIT */
/* First impacts of two moving meshes against all pairs of triangles; many motions with a cache, threads and budgets. */
#include <stdlib.h>
#include <string.h>

#include "motion_case.h"
#include "twin_impact.h"

enum
{
    MOST_MOTIONS = 4
};

static void expect_same(const graze_impact *x, const graze_impact *y, const char *what)
{
    EXPECT(x->verdict == y->verdict && x->lower == y->lower && x->upper == y->upper && x->crosses == y->crosses &&
               x->at_start == y->at_start && x->hit.triangle_a == y->hit.triangle_a &&
               x->hit.triangle_b == y->hit.triangle_b,
           "%s: %d [%a, %a] of %u and %u (crosses %d), not %d [%a, %a] of %u and %u (crosses %d)", what,
           (int)x->verdict, x->lower, x->upper, x->hit.triangle_a, x->hit.triangle_b, x->crosses, (int)y->verdict,
           y->lower, y->upper, y->hit.triangle_a, y->hit.triangle_b, y->crosses);
}

/* The hit is the first pair in order that meets at that time; where this is no double, pairs of the same interval may
   meet later. */
static void check_hit(const twin_impact *twin, const graze_impact *impact)
{
    bool at_a_double = impact->lower == impact->upper, crosses = false;
    uint32_t a = impact->hit.triangle_a, b = impact->hit.triangle_b;
    EXPECT(a < twin->rows && b < twin->columns, "a hit of no triangles");
    const graze_moving_contact *hit = &twin->contacts[a][b];
    EXPECT(hit->when.verdict == GRAZE_IMPACT_AT && compare_times(&hit->when, &twin->first) == 0,
           "the hit of %u and %u is not at that time", a, b);
    EXPECT(memcmp(&hit->contact, &impact->hit.contact, sizeof hit->contact) == 0, "the contact of the hit is another");
    for (uint32_t i = 0; i < twin->rows; i++)
        for (uint32_t j = 0; j < twin->columns; j++)
        {
            const graze_moving_contact *other = &twin->contacts[i][j];
            if (other->when.verdict != GRAZE_IMPACT_AT || compare_times(&other->when, &twin->first) != 0)
                continue;
            crosses = crosses || other->crosses;
            EXPECT(!at_a_double || i > a || (i == a && j >= b), "%u and %u meet then, too, and come first", i, j);
        }
    EXPECT(at_a_double ? impact->crosses == crosses : crosses || !impact->crosses, "crosses: %d", impact->crosses);
}

void check_impact(fuzz_bytes *bytes, motion_case *c)
{
    static twin_impact twin;
    graze_impact_options options = graze_impact_options_default();
    graze_impact impact, swapped;
    graze_status status;
    options.crossing = take_below(bytes, 3) == 2;
    twin_impact_find(c, options.crossing, &twin);
    IN_ENVIRONMENT(c->environment, status, graze_pair_impact(&c->context, &c->a, &c->b, &options, &impact));
    EXPECT(status == GRAZE_STATUS_OK, "impact: %s", graze_status_text(status));
    EXPECT(impact.verdict == twin.first.verdict && impact.lower == twin.first.lower && impact.upper == twin.first.upper,
           "impact (crossing %d): %d [%a, %a], not %d [%a, %a]", options.crossing, (int)impact.verdict, impact.lower,
           impact.upper, (int)twin.first.verdict, twin.first.lower, twin.first.upper);
    EXPECT(impact.at_start == (impact.verdict == GRAZE_IMPACT_AT && impact.upper == 0), "at the start: %d",
           impact.at_start);
    if (impact.verdict == GRAZE_IMPACT_AT)
        check_hit(&twin, &impact);
    EXPECT_OK(graze_pair_impact(NULL, &c->b, &c->a, &options, &swapped));
    EXPECT(impact.verdict == swapped.verdict && impact.lower == swapped.lower && impact.upper == swapped.upper &&
               impact.crosses == swapped.crosses,
           "impact, swapped: %d [%a, %a], not %d [%a, %a]", (int)swapped.verdict, swapped.lower, swapped.upper,
           (int)impact.verdict, impact.lower, impact.upper);
}

/* ---- all pairs ---- */

typedef struct visited
{
    const twin_impact *twin;
    bool seen[SMALL_TRIANGLES][SMALL_TRIANGLES];
    graze_pair_impact_hit last;
    uint64_t count;
} visited;

static bool visit(void *user, const graze_pair_impact_hit *hit)
{
    visited *v = user;
    uint32_t i = hit->triangle_a, j = hit->triangle_b;
    EXPECT(i < v->twin->rows && j < v->twin->columns && !v->seen[i][j], "a visit to %u and %u", i, j);
    const graze_impact_interval *when = &v->twin->contacts[i][j].when;
    EXPECT(when->verdict == hit->interval.verdict && when->lower == hit->interval.lower &&
               when->upper == hit->interval.upper,
           "%u and %u: visited at [%a, %a], not [%a, %a]", i, j, hit->interval.lower, hit->interval.upper, when->lower,
           when->upper);
    const graze_pair_impact_hit *last = &v->last;
    EXPECT(v->count == 0 || last->interval.lower < hit->interval.lower ||
               (last->interval.lower == hit->interval.lower &&
                (last->triangle_a < i || (last->triangle_a == i && last->triangle_b < j))),
           "%u and %u out of order", i, j);
    v->seen[i][j] = true;
    v->last = *hit;
    v->count++;
    return true;
}

void check_visit(fuzz_bytes *bytes, motion_case *c)
{
    static twin_impact twin;
    graze_impact_options options = graze_impact_options_default();
    graze_status status;
    visited v = {.twin = &twin};
    uint64_t meeting = 0;
    options.crossing = take_below(bytes, 3) == 2;
    twin_impact_find(c, options.crossing, &twin);
    IN_ENVIRONMENT(c->environment, status, graze_pair_impact_visit(&c->context, &c->a, &c->b, &options, visit, &v));
    EXPECT(status == GRAZE_STATUS_OK, "visit: %s", graze_status_text(status));
    for (uint32_t i = 0; i < twin.rows; i++)
        for (uint32_t j = 0; j < twin.columns; j++)
            meeting += twin.contacts[i][j].when.verdict == GRAZE_IMPACT_AT;
    EXPECT(v.count == meeting, "%d pairs visited, not %d", (int)v.count, (int)meeting);
}

/* ---- many motions ---- */

void check_track(fuzz_bytes *bytes, motion_case *c)
{
    graze_motion motions[2][MOST_MOTIONS];
    graze_impact plain, limited, *impacts = calloc(MOST_MOTIONS, sizeof *impacts);
    graze_impact_cache cache = graze_impact_cache_default();
    graze_impact_options options = graze_impact_options_default();
    graze_status status;
    uint8_t form = take_byte(bytes);
    EXPECT(impacts != NULL, "no memory");
    size_t count = 1 + form % MOST_MOTIONS;
    bool soft = c->a.end_mesh != NULL || c->b.end_mesh != NULL;
    options.crossing = (form & 0x80) != 0;
    options.cache = (form & 0x40) != 0 ? &cache : NULL;
    for (size_t i = 0; i < count; i++)
    {
        motions[0][i] = c->a.motion;
        motions[1][i] = c->b.motion;
        uint8_t which = take_byte(bytes);
        if (i > 0 && (which & 3) < 2) /* one goes on from where it was, or both do something else */
            take_motion(bytes, soft, &motions[which & 1][i]);
        else if (i > 0 && (which & 4) != 0)
            motions[1][i] = motions[1][i - 1];
    }
    IN_ENVIRONMENT(c->environment, status,
                   graze_track(&c->context, &c->a, &c->b, motions[0], motions[1], count, &options, impacts));
    EXPECT(status == GRAZE_STATUS_OK, "track: %s", graze_status_text(status));
    options.cache = NULL;
    for (size_t i = 0; i < count; i++)
    {
        c->a.motion = motions[0][i];
        c->b.motion = motions[1][i];
        options.budget.box_tests = 0;
        EXPECT_OK(graze_pair_impact(NULL, &c->a, &c->b, &options, &plain));
        expect_same(&impacts[i], &plain, "track");
        options.budget.box_tests = 1 + take_byte(bytes);
        status = graze_pair_impact(&c->context, &c->a, &c->b, &options, &limited);
        EXPECT(status == GRAZE_STATUS_OK, "under a budget: %s", graze_status_text(status));
        if (limited.verdict != GRAZE_IMPACT_UNKNOWN)
            expect_same(&limited, &plain, "under a budget");
        else
            EXPECT(limited.lower >= 0 && (plain.verdict == GRAZE_IMPACT_NONE || limited.lower <= plain.upper),
                   "under a budget nothing before %a, but an impact at %a", limited.lower, plain.upper);
    }
    free(impacts);
}
