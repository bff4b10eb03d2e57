/* SPDX-License-Identifier: MIT */
/* Two placed shapes of any kinds; see shape_case.h. */
#include "shape_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "twin.h"

/* ---- memory that may end ---- */

static bool one_more(void *user)
{
    uint64_t *left = user;
    if (*left == 0)
        return false;
    --*left;
    return true;
}

static void *allocate(void *user, size_t size)
{
    return one_more(user) ? malloc(size) : NULL;
}

static void *reallocate(void *user, void *memory, size_t size)
{
    return one_more(user) ? realloc(memory, size) : NULL;
}

static void release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

/* ---- poses ---- */

static void support_of(const placed_leaf *leaf, const long double w[3], long double out[3])
{
    static const long double zero[3] = {0, 0, 0};
    twin_body body = {leaf, UINT32_MAX};
    memcpy(out, zero, sizeof zero);
    if (leaf->leaf->kind == GRAZE_SHAPE_HALF_SPACE)
    {
        for (int k = 0; k < 3; k++)
            out[k] = leaf->pose.m[4 * k + 3] + (leaf->leaf->numbers[k] != 0 ? leaf->leaf->numbers[3] : 0);
        return;
    }
    if (!leaf->leaf->has_core || leaf->leaf->core.triangle_count > 0)
        twin_support(&body, w, out);
}

/* Moves B so that it touches A, up to rounding, in a direction of a small grid: along some axes or all. */
static void bring_together(fuzz_bytes *bytes, case_side sides[2])
{
    uint8_t form = take_byte(bytes), which = take_byte(bytes);
    if ((form & 1) == 0)
        return;
    const placed_leaf *a = &sides[0].world[(which & 3) % sides[0].leaf_count];
    const placed_leaf *b = &sides[1].world[(which >> 2 & 3) % sides[1].leaf_count];
    long double w[3], back[3], p[3], q[3];
    for (int k = 0; k < 3; k++)
        w[k] = (long double)((form >> 1) / (k == 0 ? 1 : k == 1 ? 3 : 9) % 3) - 1;
    if (w[0] == 0 && w[1] == 0 && w[2] == 0)
        w[0] = 1;
    for (int k = 0; k < 3; k++)
        back[k] = -w[k];
    support_of(a, w, p);
    support_of(b, back, q);
    for (int k = 0; k < 3; k++)
    {
        double t = (double)(sides[1].placed.pose.m[4 * k + 3] + p[k] - q[k]);
        if (isfinite(t) && ((which >> 4 & 7) == 0 || (which >> (4 + k) & 1) != 0))
            sides[1].placed.pose.m[4 * k + 3] = t;
    }
}

static void note_sides(shape_case *c)
{
    static const char *const meshes[2][MOST_LEAVES] = {{"a0", "a1", "a2"}, {"b0", "b1", "b2"}};
    static const char *const poses[2][MOST_LEAVES] = {{"pose_a0", "pose_a1", "pose_a2"},
                                                      {"pose_b0", "pose_b1", "pose_b2"}};
    finding_start();
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < c->sides[s].leaf_count; i++)
        {
            leaf_note(s == 0 ? 'a' : 'b', &c->sides[s].leaves[i]);
            if (c->sides[s].leaves[i].has_core)
                finding_note_mesh(meshes[s][i], &c->sides[s].leaves[i].core);
            finding_note_pose(poses[s][i], &c->sides[s].world[i].pose);
        }
    finding_note_text("/* instructions %d, %s, compounds %d %d */\n", (int)c->context.instructions,
                      environment_name(c->environment), c->sides[0].compound != NULL, c->sides[1].compound != NULL);
    finding_show();
}

bool shape_case_make(fuzz_bytes *bytes, shape_case *c)
{
    uint8_t byte = take_byte(bytes);
    c->allocations_left = UINT64_MAX;
    c->context = graze_context_default();
    c->context.allocator = (graze_allocator){allocate, reallocate, release, &c->allocations_left};
    c->context.instructions = (graze_instructions)(byte % GRAZE_INSTRUCTIONS_COUNT);
    c->environment = (byte & 0x80) != 0 ? byte >> 3 & 7 : 0;
    side_make(bytes, &c->context, &c->sides[0]);
    side_make(bytes, &c->context, &c->sides[1]);
    (side_needs_rigid(&c->sides[0]) ? take_rigid_pose : take_pose)(bytes, &c->sides[0].placed.pose);
    if (side_needs_rigid(&c->sides[1]) && take_below(bytes, 8) != 0)
        take_rigid_pose(bytes, &c->sides[1].placed.pose);
    else
        take_related_pose(bytes, &c->sides[0].placed.pose, &c->sides[1].placed.pose);
    if (!side_place(&c->sides[0]) || !side_place(&c->sides[1]))
        return false;
    bring_together(bytes, c->sides);
    if (!side_place(&c->sides[1]))
        return false;
    note_sides(c);
    bool good = side_check_placed(&c->sides[0]);
    return side_check_placed(&c->sides[1]) && good;
}

double largest_coordinate(const shape_case *c)
{
    double largest = 0;
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < c->sides[s].leaf_count; i++)
        {
            graze_placed placed = placed_of(&c->sides[s].world[i]);
            graze_box box;
            if (graze_placed_bounds(&placed, &box) != GRAZE_STATUS_OK)
                return INFINITY;
            for (int k = 0; k < 3; k++)
                largest = fmax(largest, fmax(fabs(box.lower[k]), fabs(box.upper[k])));
        }
    return largest;
}

void shape_case_release(shape_case *c)
{
    side_release(&c->sides[0]);
    side_release(&c->sides[1]);
}
