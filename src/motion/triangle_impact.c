/* SPDX-License-Identifier: MIT */
/*
 * First impact and first crossing of two moving triangles; see triangle_impact.h.
 *
 * First impact T: if they do not meet at the start they are disjoint before T, and at T a vertex of one meets the
 * other's face, or two edges meet (first_impact.h). First crossing: whether interiors cross follows from the signs of
 * the 6 + 9 coplanarity polynomials (Guigue, Devillers 2003), which change at their roots only, or are 0 at all times.
 * Crossing is an open condition, so that its infimum is 0 or one of these roots, and the first after which, at once,
 * they cross. What holds right after a root has the signs that polynomials have there: that of the first derivative
 * which is not 0.
 */
#include "motion/triangle_impact.h"

#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "exact/contact.h"
#include "motion/first_impact.h"
#include "motion/moving_pair.h"
#include "motion/ordinary_impact.h"
#include "motion/triangle_filter.h"

enum
{
    STACK_LIMBS = 8192,
    ROOTS_MAX = GRZ_PAIR_SIDES * GRZ_DEGREE_MAX,
    NOT_KNOWN = 2
};

/* Signs of volumes that are known. */
typedef struct side_signs
{
    signed char sign[GRZ_PAIR_SIDES];
} side_signs;

static side_signs no_signs(void)
{
    side_signs signs;
    memset(signs.sign, NOT_KNOWN, sizeof signs.sign);
    return signs;
}

/* Signs at a root, or right after it. */
typedef struct moment
{
    const grz_moving_points *points;
    grz_root *root;
    bool after;
    side_signs *at_root, *known; /* the same unless `after` */
} moment;

static int sign_of(const moment *m, const grz_polynomial *polynomial)
{
    return m->after ? grz_sign_after_root(m->points->scratch, polynomial, m->root)
                    : grz_sign_at_root(m->points->scratch, polynomial, m->root);
}

/* The sign of a volume whose corners are in the order of its number. A sign that is not 0 at a root is the same right
   after it. */
static int sign_of_side(const moment *m, int side)
{
    int v[4];
    grz_pair_side_corners(side, v);
    signed char *at_root = &m->at_root->sign[side];
    if (*at_root == NOT_KNOWN && m->points->near != NULL)
    {
        int sign = grz_near_orient3d(m->points->near, v[0], v[1], v[2], v[3]);
        *at_root = sign != 0 ? (signed char)sign : NOT_KNOWN;
    }
    if (*at_root != NOT_KNOWN && (*at_root != 0 || !m->after))
        return *at_root;
    grz_polynomial f;
    m->points->orient3d(m->points, v[0], v[1], v[2], v[3], &f);
    return sign_of(m, &f);
}

static int orient3d(void *user, int a, int b, int c, int d)
{
    const moment *m = user;
    bool negated;
    int side = grz_pair_side(a, b, c, d, &negated);
    signed char *known = &m->known->sign[side];
    if (*known == NOT_KNOWN)
        *known = (signed char)sign_of_side(m, side);
    return negated ? -*known : *known;
}

static int orient2d(void *user, int a, int b, int c, int axis)
{
    const moment *m = user;
    int sign = m->points->near != NULL ? grz_near_orient2d(m->points->near, a, b, c, axis) : 0;
    if (sign != 0)
        return sign;
    grz_polynomial f;
    m->points->orient2d(m->points, a, b, c, axis, &f);
    return sign_of(m, &f);
}

static int compare(void *user, int a, int b, int axis)
{
    const moment *m = user;
    int sign = m->points->near != NULL ? grz_near_compare(m->points->near, a, b, axis) : 0;
    if (sign != 0)
        return sign;
    grz_polynomial f;
    m->points->difference(m->points, a, b, axis, &f);
    return sign_of(m, &f);
}

/* The contact at a root, which lies at the double `lower` or between it and the next; or right after it. `at_root` is
   known of the signs at the root, and becomes more. */
static graze_triangle_contact contact_at(const grz_first_impact *first, grz_root *root, double lower, bool after,
                                         side_signs *at_root)
{
    if (first->arcs != NULL)
        grz_near_points_at(first->arcs, lower, first->points->near);
    side_signs after_root = no_signs();
    moment m = {first->points, root, after, at_root, after ? &after_root : at_root};
    const grz_contact_signs signs = {&m, orient3d, orient2d, compare};
    grz_contact_set set;
    grz_contact_general_by_signs(&signs, &set);
    return grz_contact_summary(&set);
}

static bool meet_at_start(grz_first_impact *first)
{
    grz_root start;
    grz_root_at(first->points->scratch, 0, &start);
    side_signs signs = no_signs();
    first->found = contact_at(first, &start, 0, false, &signs).found;
    first->root = start;
    return first->found;
}

/* The known root is one in the range. */
static void start_with_likely_root(grz_first_impact *first)
{
    const grz_root_range *range = &first->range;
    const grz_stored_root *likely = first->likely;
    first->known_is_found = false;
    first->knows_root = likely != NULL && likely->usable && likely->low > ldexp(range->n, -range->k) &&
                        (range->to_the_end || likely->high < ldexp(range->n + 1.0, -range->k));
    if (first->knows_root)
        grz_first_impact_know(first, likely);
}

/* Impacts in the range. `near` is where the corners are throughout it, or NULL: a pair of features whose volume has one
   sign there does not meet. */
static void try_features(grz_first_impact *first, const grz_near_points *near)
{
    start_with_likely_root(first);
    for (int i = 0; i < GRZ_PAIR_SIDES; i++)
    {
        int v[4];
        grz_pair_side_corners(i, v);
        if (near != NULL && grz_near_orient3d(near, v[0], v[1], v[2], v[3]) != 0)
            continue;
        if (i < 6)
            grz_first_impact_of_vertex_and_face(first, v[3], v[0], v[1], v[2]);
        else
            grz_first_impact_of_edges(first, v[0], v[1], v[2], v[3]);
    }
}

/* One interval after the other in which they may meet; the search has found the first one. */
static void find_impact(grz_first_impact *first, grz_meeting_search *search, grz_meeting_piece *piece)
{
    if (search == NULL)
    {
        if (!meet_at_start(first))
            try_features(first, NULL);
        return;
    }
    do
    {
        if (piece->n == 0 && meet_at_start(first))
            return;
        first->range = (grz_root_range){piece->n, piece->k, piece->to_the_end};
        try_features(first, &piece->near);
    } while (!first->found && !first->points->scratch->failed && grz_meeting_search_next(search, first->until, piece));
}

/* A root with the doubles around it. */
typedef struct located_root
{
    grz_root root;
    double lower, upper;
} located_root;

static int order(grz_scratch *scratch, located_root *a, located_root *b)
{
    if (a->lower < b->lower || a->lower > b->lower)
        return a->lower < b->lower ? -1 : 1;
    if (a->upper < b->upper || a->upper > b->upper)
        return a->upper < b->upper ? -1 : 1;
    return a->lower < a->upper ? grz_root_compare(scratch, &a->root, &b->root) : 0;
}

/* All roots in the range of the coplanarity polynomials, each once, in ascending order; after the start. Where the
   corners are throughout the range is as for try_features. */
static int collect_roots(const grz_first_impact *first, const grz_near_points *near, located_root roots[ROOTS_MAX])
{
    const grz_moving_points *points = first->points;
    int count = 0;
    for (int i = 0; i < GRZ_PAIR_SIDES; i++)
    {
        int v[4];
        grz_polynomial volume;
        grz_root_search search;
        located_root found;
        grz_pair_side_corners(i, v);
        if (near != NULL && grz_near_orient3d(near, v[0], v[1], v[2], v[3]) != 0)
            continue;
        points->orient3d(points, v[0], v[1], v[2], v[3], &volume);
        if (grz_polynomial_is_zero(&volume))
            continue;
        grz_root_search_start(&search, points->scratch, &volume, &first->range);
        while (grz_root_search_next(&search, &found.root))
        {
            grz_root_locate(points->scratch, &found.root, &found.lower, &found.upper);
            int at = count, sign = 1;
            while (at > 0 && (sign = order(points->scratch, &roots[at - 1], &found)) > 0)
                at--;
            if (found.lower > first->until || (at > 0 && sign == 0) || count == ROOTS_MAX)
                continue;
            for (int k = count++; k > at; k--)
                roots[k] = roots[k - 1];
            roots[at] = found;
        }
    }
    return count;
}

/* Whether they cross right after a root. */
static bool try_crossing(grz_first_impact *first, located_root *root)
{
    side_signs signs = no_signs();
    if (root->lower >= 1 || !contact_at(first, &root->root, root->lower, true, &signs).crossing)
        return false;
    first->found = true;
    first->root = root->root;
    first->lower = root->lower;
    first->upper = root->upper;
    return true;
}

/* The first crossing in the range, or, with `at_start`, at 0. */
static void find_crossing_in(grz_first_impact *first, const grz_near_points *near, bool at_start)
{
    located_root roots[ROOTS_MAX], start = {.lower = 0, .upper = 0};
    grz_root_at(first->points->scratch, 0, &start.root);
    if (at_start && try_crossing(first, &start))
        return;
    int count = collect_roots(first, near, roots);
    for (int i = 0; i < count && !first->found; i++)
        try_crossing(first, &roots[i]);
}

/* As find_impact: where they are apart they do not cross, so a first crossing in an interval is at a root in it. */
static void find_crossing(grz_first_impact *first, grz_meeting_search *search, grz_meeting_piece *piece)
{
    if (search == NULL)
    {
        find_crossing_in(first, NULL, true);
        return;
    }
    do
    {
        first->range = (grz_root_range){piece->n, piece->k, piece->to_the_end};
        find_crossing_in(first, &piece->near, piece->n == 0);
    } while (!first->found && !first->points->scratch->failed && grz_meeting_search_next(search, first->until, piece));
}

/* What a question needs. */
typedef struct impact_workspace
{
    uint64_t limbs[STACK_LIMBS];
    grz_scratch scratch;
    grz_moving_pair pair;
    grz_near_points near;
    grz_first_impact first;
} impact_workspace;

static void find(impact_workspace *work, const graze_moving_triangle *a, const graze_moving_triangle *b,
                 const grz_impact_question *question, grz_meeting_search *search, grz_meeting_piece *piece)
{
    grz_moving_pair_make(&work->pair, &work->scratch, a, b);
    work->near.usable = false;
    work->pair.base.near = &work->near;
    work->first = (grz_first_impact){.points = &work->pair.base,
                                     .until = question->until,
                                     .arcs = search != NULL ? &search->arcs : NULL,
                                     .likely = question->likely};
    if (question->crossing)
        find_crossing(&work->first, search, piece);
    else
        find_impact(&work->first, search, piece);
}

/* The impact in doubles, from the first interval in which they may meet; unknown from the interval on that is then in
   `piece`. Where surfaces cross right after the first impact it is the first crossing. */
static grz_ordinary_answer find_in_doubles(const graze_moving_triangle *a, const graze_moving_triangle *b,
                                           const grz_impact_question *question, grz_meeting_search *search,
                                           grz_meeting_piece *piece, grz_ordinary_contact *out)
{
    do
    {
        bool starts_apart = piece->n > 0 || question->from > 0;
        grz_ordinary_answer answer =
            starts_apart ? grz_ordinary_impact(&search->arcs, a, b, piece, out) : GRZ_ORDINARY_UNKNOWN;
        if (answer == GRZ_ORDINARY_FOUND && question->crossing && !out->contact.crosses)
            return GRZ_ORDINARY_UNKNOWN;
        if (answer != GRZ_ORDINARY_NONE)
            return answer;
    } while (grz_meeting_search_next(search, question->until, piece));
    out->contact = (graze_moving_contact){.when = {GRAZE_IMPACT_NONE, 0, 0}};
    return GRZ_ORDINARY_NONE;
}

/* The time of an impact that doubles have found: the only root of its volume between its bounds. */
static graze_status store_root(const graze_context *context, const graze_moving_triangle *a,
                               const graze_moving_triangle *b, const grz_ordinary_contact *found, grz_stored_root *out)
{
    impact_workspace work;
    const grz_moving_points *points = &work.pair.base;
    int v[4];
    grz_pair_side_corners(found->side, v);
    grz_scratch_start(&work.scratch, context, work.limbs, STACK_LIMBS);
    grz_moving_pair_make(&work.pair, &work.scratch, a, b);
    grz_root root = {.located = true,
                     .isolated = true,
                     .lower = grz_time_from_double(&work.scratch, found->contact.when.lower),
                     .upper = grz_time_from_double(&work.scratch, found->contact.when.upper),
                     .low = found->contact.when.lower,
                     .high = found->contact.when.upper,
                     .sign = found->sign_before};
    points->orient3d(points, v[0], v[1], v[2], v[3], &root.polynomial);
    bool failed = work.scratch.failed;
    if (!failed)
        grz_root_store(&root, out);
    grz_scratch_release(&work.scratch);
    return failed ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
}

graze_status grz_triangle_impact(const graze_context *context, const graze_moving_triangle *a,
                                 const graze_moving_triangle *b, const grz_impact_question *question,
                                 graze_moving_contact *out)
{
    grz_meeting_search search;
    bool usable = grz_meeting_search_start(&search, a, b);
    grz_meeting_piece piece;
    if (question->out_root != NULL)
        question->out_root->usable = false;
    if (question->out_side != NULL)
        *question->out_side = -1;
    if (usable)
    {
        search.from = question->from;
        if (!grz_meeting_search_next(&search, question->until, &piece))
        {
            *out = (graze_moving_contact){.when = {GRAZE_IMPACT_NONE, 0, 0}};
            return GRAZE_STATUS_OK;
        }
        grz_ordinary_contact found;
        grz_ordinary_answer answer =
            question->by_integers ? GRZ_ORDINARY_UNKNOWN : find_in_doubles(a, b, question, &search, &piece, &found);
        graze_status status = GRAZE_STATUS_OK;
        if (answer == GRZ_ORDINARY_FOUND && question->out_root != NULL && !question->root_later)
            status = store_root(context, a, b, &found, question->out_root);
        if (answer == GRZ_ORDINARY_FOUND && question->out_side != NULL)
            *question->out_side = found.side;
        if (answer != GRZ_ORDINARY_UNKNOWN)
        {
            if (status == GRAZE_STATUS_OK)
                *out = question->details ? found.contact : (graze_moving_contact){.when = found.contact.when};
            return status;
        }
    }
    impact_workspace work;
    grz_scratch_start(&work.scratch, context, work.limbs, STACK_LIMBS);
    find(&work, a, b, question, usable ? &search : NULL, &piece);
    grz_first_impact *first = &work.first;
    graze_moving_contact result = {
        .when = {first->found ? GRAZE_IMPACT_AT : GRAZE_IMPACT_NONE, first->lower, first->upper}};
    if (first->found && question->details)
    {
        side_signs signs = no_signs();
        result.contact = contact_at(first, &first->root, first->lower, false, &signs);
        result.crosses = question->crossing || contact_at(first, &first->root, first->lower, true, &signs).crossing;
    }
    bool failed = work.scratch.failed;
    if (question->out_root != NULL && first->found && !failed)
        grz_root_store(&first->root, question->out_root);
    grz_scratch_release(&work.scratch);
    if (failed)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    *out = result;
    return GRAZE_STATUS_OK;
}

graze_status grz_triangle_impact_order(const graze_context *context, const graze_moving_triangle first[2],
                                       const graze_moving_triangle second[2], const grz_impact_question *within,
                                       int *out_order)
{
    impact_workspace works[2];
    grz_root roots[2];
    bool failed = false;
    for (int i = 0; i < 2; i++)
    {
        const graze_moving_triangle *triangles = i == 0 ? first : second;
        grz_meeting_search search;
        grz_meeting_piece piece;
        bool usable = grz_meeting_search_start(&search, &triangles[0], &triangles[1]);
        search.from = within->from;
        usable = usable && grz_meeting_search_next(&search, within->until, &piece);
        grz_scratch_start(&works[i].scratch, context, works[i].limbs, STACK_LIMBS);
        find(&works[i], &triangles[0], &triangles[1], within, usable ? &search : NULL, &piece);
        roots[i] = works[i].first.root;
        failed = failed || works[i].scratch.failed;
    }
    int answer = failed ? 0 : grz_root_compare(&works[0].scratch, &roots[0], &roots[1]);
    failed = failed || works[0].scratch.failed;
    for (int i = 0; i < 2; i++)
        grz_scratch_release(&works[i].scratch);
    if (failed)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    *out_order = answer;
    return GRAZE_STATUS_OK;
}

static bool finite_corners(const double *const corners[3])
{
    for (int i = 0; i < 9; i++)
        if (!isfinite(corners[i / 3][i % 3]))
            return false;
    return true;
}

static graze_status check(const graze_moving_triangle *triangle)
{
    if (triangle == NULL || triangle->motion == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    bool ends = triangle->end_corners[0] != NULL;
    for (int i = 0; i < 3; i++)
        if (triangle->corners[i] == NULL || (triangle->end_corners[i] != NULL) != ends)
            return GRAZE_STATUS_BAD_ARGUMENT;
    if (!finite_corners(triangle->corners) || (ends && !finite_corners(triangle->end_corners)))
        return GRAZE_STATUS_NOT_FINITE;
    graze_status status = graze_motion_check(triangle->motion);
    if (status == GRAZE_STATUS_OK && ends && triangle->motion->kind > GRAZE_MOTION_BLEND)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return status;
}

graze_status graze_triangle_impact(const graze_moving_triangle *a, const graze_moving_triangle *b, bool crossing,
                                   graze_moving_contact *out)
{
    graze_status status = out == NULL ? GRAZE_STATUS_BAD_ARGUMENT : check(a);
    if (status == GRAZE_STATUS_OK)
        status = check(b);
    if (status != GRAZE_STATUS_OK)
        return status;
    const grz_impact_question question = {.crossing = crossing, .details = true, .until = 1};
    grz_environment environment;
    grz_environment_enter_default(&environment);
    status = grz_triangle_impact(NULL, a, b, &question, out);
    grz_environment_leave_default(&environment);
    return status;
}
