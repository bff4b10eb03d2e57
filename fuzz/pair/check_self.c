/* SPDX-License-Identifier: MIT */
/* Self-intersection: a pair collides when its intersection, clipped exactly, is more than its common corners. */
#include "pair_case.h"
#include "support/oracle_internal.h"

static bool same_place(const double *p, const double *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* The corners of triangle i, as bits, that triangle j has too; each of j's counts once. */
static unsigned common_corners(const small_mesh *shape, uint32_t i, uint32_t j, bool merge)
{
    unsigned mask = 0, used = 0;
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < 3; m++)
        {
            uint32_t p = shape->triangles[i][k], q = shape->triangles[j][m];
            bool common = p == q || (merge && same_place(shape->vertices[p], shape->vertices[q]));
            if (common && (used >> m & 1) == 0)
            {
                used |= 1u << m;
                mask |= 1u << k;
                break;
            }
        }
    return mask;
}

static bool is_corner(mpz_t *point, vector3 corner)
{
    return mpz_cmp_ui(point[3], 1) == 0 && mpz_cmp(point[0], corner[0]) == 0 && mpz_cmp(point[1], corner[1]) == 0 &&
           mpz_cmp(point[2], corner[2]) == 0;
}

static bool collides(oracle *judge, const small_mesh *shape, uint32_t i, uint32_t j, bool merge)
{
    unsigned common = common_corners(shape, i, j, merge);
    if (common == 7)
        return true;
    lattice_begin(judge->grid);
    for (int k = 0; k < 6; k++)
        lattice_add(judge->grid, shape->vertices[shape->triangles[k < 3 ? i : j][k % 3]], NULL);
    lattice_align(judge->grid);
    polygon *shared = oracle_clip(judge);
    for (int p = 0; p < shared->count; p++)
    {
        bool known = false;
        for (int k = 0; k < 3; k++)
            known = known || ((common >> k & 1) != 0 && is_corner(shared->corners[p], judge->grid->points[k]));
        if (!known)
            return true;
    }
    return false;
}

void check_self(fuzz_bytes *bytes, pair_case *c)
{
    static graze_hit hits[MOST_PAIRS];
    uint8_t form = take_byte(bytes);
    const case_side *side = &c->sides[form >> 1 & 1];
    graze_self_subject subject = {side->mesh, side->tree, (form & 1) != 0};
    graze_pair_counts counts, counted;
    bool any;
    EXPECT_OK(graze_self_gather(&c->context, &subject, NULL, hits, MOST_PAIRS, &counts));
    EXPECT_OK(graze_self_count(&c->context, &subject, NULL, &counted));
    EXPECT_OK(graze_self_any(&c->context, &subject, NULL, &any, NULL));
    EXPECT(counted.pairs == counts.pairs && counted.crossing == counts.crossing && any == (counts.pairs > 0),
           "self: gather, count and any differ");
    size_t next = 0;
    for (uint32_t i = 0; i < side->shape.triangle_count; i++)
        for (uint32_t j = i + 1; j < side->shape.triangle_count; j++)
        {
            bool listed = next < counts.pairs && hits[next].triangle_a == i && hits[next].triangle_b == j;
            EXPECT(listed == collides(c->judge, &side->shape, i, j, subject.merge_equal_vertices),
                   "self of %s, merge %d: triangles %u and %u are %slisted", form >> 1 & 1 ? "b" : "a",
                   subject.merge_equal_vertices, i, j, listed ? "" : "not ");
            next += listed;
        }
    EXPECT(next == counts.pairs, "self: %llu pairs", (unsigned long long)counts.pairs);
}
