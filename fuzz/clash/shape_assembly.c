/* SPDX-License-Identifier: MIT */
/*
 * Parts that are shapes of all kinds, compounds among them, and meshes beside them, against what is true of every two
 * of their leaves (differential/truth.h): in rationals, or for curved kinds in long double. A part that is a mesh is a
 * solid where it is closed, as in graze clash.
 */
#include "shape_assembly.h"

#include <math.h>
#include <string.h>

#include "finding.h"
#include "poses.h"
#include "truth.h"

#define LARGEST 0x1p10
#define SMALLEST 0x1p-10

enum
{
    MOST_PARTS = 3
};

typedef struct shape_assembly
{
    size_t count;
    case_side sides[MOST_PARTS];
    bool is_mesh[MOST_PARTS];
    graze_clash_part parts[MOST_PARTS];
    graze_clash_tolerances tolerances;
    graze_clash_report *report;
    const graze_clash_finding *listed[MOST_PARTS][MOST_PARTS]; /* the smaller index first; or NULL */
    const char *undecided[MOST_PARTS][MOST_PARTS];             /* why; or NULL */
} shape_assembly;

static const char *const names[MOST_PARTS] = {"part0", "part1", "part2"};

/* What is known of all pairs of leaves of two parts. */
typedef struct pair_truth
{
    bool meet, overlap, apart; /* for certain; overlap: solids, inside */
    bool near;                 /* to a decision, of a curved shape: UNKNOWN is an answer */
    bool closer, farther;      /* than the clearance, for certain */
} pair_truth;

/* ---- the assembly ---- */

static void take_mesh(fuzz_bytes *bytes, shape_assembly *all, size_t i)
{
    case_leaf *leaf = &all->sides[i].leaves[0];
    leaf->kind = GRAZE_SHAPE_MESH;
    leaf->has_core = true;
    take_shape(bytes, 12, &leaf->core);
    shape_tame(&leaf->core);
    shape_facts facts = shape_examine(&leaf->core);
    leaf->mesh = shape_create(&leaf->core);
    leaf->solid = facts.closed;
    EXPECT_OK(graze_shape_create_mesh(NULL, leaf->mesh, NULL, leaf->solid, &leaf->shape));
    all->sides[i].leaf_count = 1;
    all->sides[i].placed.shape = leaf->shape;
    all->is_mesh[i] = true;
}

static void take_place(fuzz_bytes *bytes, shape_assembly *all, size_t i)
{
    graze_pose *pose = &all->sides[i].placed.pose;
    uint8_t form = take_byte(bytes);
    if ((form & 3) == 0)
        (side_needs_rigid(&all->sides[i]) ? take_rigid_pose : take_pose)(bytes, pose);
    else if ((form & 3) == 1 && i > 0)
    {
        *pose = all->sides[i - 1].placed.pose;
        pose->m[4 * (form >> 2 & 3) % 12 + 3] += 0.5 * (1 + (form >> 5));
    }
    else
        *pose = graze_pose_translation(0.5 * (form >> 2 & 7), 0.5 * (form >> 5 & 3), form >> 7);
    pose_tame(pose);
}

static bool is_ordinary_size(double size)
{
    return size == 0 || (fabs(size) > SMALLEST && fabs(size) < LARGEST);
}

/* Whether sizes are ordinary: depths of bodies 10^8 times as long as wide take half a minute. */
static bool is_ordinary(const case_side *side)
{
    bool ordinary = true;
    for (uint32_t i = 0; i < side->leaf_count; i++)
    {
        const case_leaf *leaf = &side->leaves[i];
        ordinary = ordinary && is_ordinary_size(leaf->radius);
        for (int k = 0; k < 4; k++)
            ordinary = ordinary && is_ordinary_size(leaf->numbers[k]);
        for (uint32_t v = 0; leaf->has_core && v < 3 * leaf->core.vertex_count; v++)
            ordinary = ordinary && fabs(leaf->core.vertices[v / 3][v % 3]) < LARGEST;
    }
    return ordinary;
}

/* False where a place is none that the shape may have. */
static bool take_parts(fuzz_bytes *bytes, shape_assembly *all)
{
    bool good = true;
    all->count = 2 + take_below(bytes, MOST_PARTS - 1);
    finding_start();
    for (size_t i = 0; i < all->count; i++)
    {
        if (take_below(bytes, 4) == 0)
            take_mesh(bytes, all, i);
        else
            side_make(bytes, NULL, &all->sides[i]);
        take_place(bytes, all, i);
        good = good && is_ordinary(&all->sides[i]) && side_place(&all->sides[i]) && side_check_placed(&all->sides[i]);
        for (uint32_t k = 0; k < all->sides[i].leaf_count; k++)
        {
            leaf_note((char)('0' + i), &all->sides[i].leaves[k]);
            if (all->sides[i].leaves[k].has_core)
                finding_note_mesh(names[i], &all->sides[i].leaves[k].core);
        }
        finding_note_pose(names[i], &all->sides[i].placed.pose);
        all->parts[i] = (graze_clash_part){.name = names[i], .file = "a.json", .pose = all->sides[i].placed.pose};
        if (all->is_mesh[i])
            all->parts[i].mesh = all->sides[i].leaves[0].mesh;
        else
            all->parts[i].shape = all->sides[i].placed.shape;
    }
    return good;
}

static void find(shape_assembly *all)
{
    graze_clash_options options = graze_clash_options_default();
    options.tolerances = all->tolerances;
    options.tessellation_off = true;
    options.has_resolution = true; /* 0: the reference is exact */
    EXPECT_OK(graze_clash_find(NULL, all->parts, all->count, &options, NULL, &all->report));
    for (size_t f = 0; f < all->report->finding_count; f++)
    {
        const graze_clash_finding *found = &all->report->findings[f];
        size_t low = found->a < found->b ? found->a : found->b, high = found->a < found->b ? found->b : found->a;
        if (found->verdict == GRAZE_CLASH_DUPLICATE && found->set != NULL)
            for (size_t i = 0; i < found->set_count; i++)
                for (size_t j = i + 1; j < found->set_count; j++)
                    all->listed[found->set[i]][found->set[j]] = found;
        else if (found->verdict != GRAZE_CLASH_UNDECIDED)
            all->listed[low][high] = found;
    }
    for (size_t u = 0; u < all->report->undecided_count; u++)
    {
        size_t x = all->report->undecided[u].a, y = all->report->undecided[u].b;
        all->undecided[x < y ? x : y][x < y ? y : x] = all->report->undecided[u].why;
    }
}

/* ---- the reference ---- */

static bool is_full(const case_leaf *leaf)
{
    return leaf->kind != GRAZE_SHAPE_MESH && leaf->kind != GRAZE_SHAPE_HEIGHT_FIELD &&
           leaf->kind != GRAZE_SHAPE_TRIANGLE && leaf->kind != GRAZE_SHAPE_SEGMENT && leaf->kind != GRAZE_SHAPE_POINT;
}

static pair_truth judge(const shape_assembly *all, size_t a, size_t b)
{
    const case_side *x = &all->sides[a], *y = &all->sides[b];
    double clearance = all->tolerances.clearance;
    pair_truth t = {.apart = true, .farther = true, .near = truth_is_near(x, y, 0) || truth_is_near(x, y, clearance)};
    for (uint32_t i = 0; i < x->leaf_count; i++)
        for (uint32_t j = 0; j < y->leaf_count; j++)
        {
            order meets = truth_compare(&x->world[i], &y->world[j], 0);
            order close = clearance > 0 ? truth_compare(&x->world[i], &y->world[j], clearance) : meets;
            t.meet = t.meet || truth_meets(meets);
            t.overlap = t.overlap || (meets == ORDER_LESS && is_full(&x->leaves[i]) && is_full(&y->leaves[j]));
            t.apart = t.apart && meets == ORDER_GREATER;
            t.closer = t.closer || close == ORDER_LESS;
            t.farther = t.farther && (close == ORDER_GREATER || close == ORDER_EQUAL);
        }
    return t;
}

static void check_listed(const shape_assembly *all, size_t a, size_t b, const pair_truth *t)
{
    graze_clash_verdict verdict = all->listed[a][b]->verdict;
    const char *name = graze_clash_verdict_name(verdict);
    if (verdict == GRAZE_CLASH_TOO_CLOSE)
    {
        EXPECT(!t->meet, "parts %zu and %zu are too close, but they meet", a, b);
        EXPECT(!t->farther, "parts %zu and %zu are not too close", a, b);
        return;
    }
    EXPECT(!t->apart, "parts %zu and %zu: %s, but they are apart", a, b, name);
    if (verdict == GRAZE_CLASH_TOUCHES && all->undecided[a][b] == NULL)
        EXPECT(!t->overlap, "parts %zu and %zu: %s, but they overlap", a, b, name);
}

/* Where edges say whether there is an inside, a gap may be undecided. */
static bool has_mesh(const case_side *side)
{
    bool mesh = false;
    for (uint32_t i = 0; i < side->leaf_count; i++)
        mesh = mesh || side->leaves[i].kind == GRAZE_SHAPE_MESH;
    return mesh;
}

static void check_pair(const shape_assembly *all, size_t a, size_t b)
{
    pair_truth t = judge(all, a, b);
    bool mesh = has_mesh(&all->sides[a]) || has_mesh(&all->sides[b]);
    if (all->listed[a][b] != NULL)
        check_listed(all, a, b, &t);
    if (all->undecided[a][b] != NULL)
        EXPECT(mesh || t.near || !t.apart, "parts %zu and %zu are apart for certain, but undecided: %s", a, b,
               all->undecided[a][b]);
    if (all->listed[a][b] != NULL || all->undecided[a][b] != NULL)
        return;
    EXPECT(!t.meet || all->tolerances.allow_touch, "parts %zu and %zu meet, which is no finding", a, b);
    EXPECT(!t.overlap, "parts %zu and %zu overlap, which is no finding", a, b);
    EXPECT(!(all->tolerances.clearance > 0 && t.apart && t.closer),
           "parts %zu and %zu are too close, which is no finding", a, b);
}

void check_shape_assembly(fuzz_bytes *bytes, const graze_clash_tolerances *tolerances)
{
    static shape_assembly all;
    memset(&all, 0, sizeof all);
    all.tolerances = *tolerances;
    bool good = take_parts(bytes, &all);
    finding_note_text("/* clearance %.17g, allow touch %d */\n", tolerances->clearance, tolerances->allow_touch);
    finding_show();
    if (good)
        find(&all);
    for (size_t a = 0; a < all.count && good; a++)
        for (size_t b = a + 1; b < all.count; b++)
            check_pair(&all, a, b);
    graze_clash_report_destroy(all.report);
    for (size_t i = 0; i < all.count; i++)
        side_release(&all.sides[i]);
}
