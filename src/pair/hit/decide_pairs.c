/* SPDX-License-Identifier: MIT */
/*
 * Decides candidate pairs of triangles and records the hits; see decide_pairs.h.
 */
#include "pair/hit/decide_pairs.h"

#include "base/exact_sum.h"
#include "exact/contact.h"
#include "mesh/mesh.h"
#include "pair/hit/bvh_traversal_work.h"
#include "pair/hit/triangle_filter.h"

static void count_hit(graze_pair_counts *counts, unsigned code)
{
    counts->pairs++;
    if (code == GRZ_CROSSING_CODE)
        counts->crossing++;
    else
        counts->touching++;
    if (code >> 6 == 2)
        counts->coplanar++;
}

/* Counts and buffers a hit with the code of its contact; returns false when the part is over. */
static bool add_hit(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b, uint8_t code)
{
    const grz_query *q = part->query;
    count_hit(&part->counts, code);
    if (q->first_only)
        part->first = (graze_hit){triangle_a, triangle_b, grz_mesh_face(q->a->mesh, triangle_a),
                                  grz_mesh_face(q->b->mesh, triangle_b), grz_contact_from_code(code)};
    if (q->buffer_hits && !grz_hit_buffer_add(&part->buffered, q->context, grz_hit_key(triangle_a, triangle_b), code))
        part->out_of_memory = true;
    return !q->first_only && !part->out_of_memory;
}

/* The same for the contact of a pair that was tested exactly. */
static bool record(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b, graze_triangle_contact contact)
{
    part->triangle_tests++;
    return !contact.found || add_hit(part, triangle_a, triangle_b, grz_contact_code(&contact));
}

bool grz_record_crossings(void *user, const uint64_t *keys, size_t count)
{
    grz_query_part *part = user;
    const grz_query *q = part->query;
    part->triangle_tests += count;
    part->counts.pairs += count;
    part->counts.crossing += count;
    if (q->buffer_hits && !grz_hit_buffer_add_crossings(&part->buffered, q->context, keys, count))
        part->out_of_memory = true;
    return !part->out_of_memory;
}

static bool record_crossing(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b)
{
    if (part->query->first_only)
        return record(part, triangle_a, triangle_b, grz_crossing_contact);
    uint64_t key = grz_hit_key(triangle_a, triangle_b);
    return grz_record_crossings(part, &key, 1);
}

/* Sets part->out_of_memory when postponing the pair fails. */
bool grz_skip_pair(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b)
{
    if (!part->query->buffered_only || part->decides_candidates)
        return false;
    uint64_t key = grz_hit_key(triangle_a, triangle_b);
    if (part->buffered.end == UINT64_MAX)
        return !grz_hit_buffer_accepts(&part->buffered, key);
    if (!grz_hit_buffer_add_candidate(&part->buffered, part->query->context, key))
        part->out_of_memory = true;
    return true;
}

static const double *corner_of(const graze_mesh *mesh, uint32_t triangle, int corner)
{
    return grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle + (size_t)corner]);
}

bool grz_decide_in_world(void *user, uint32_t triangle_a, uint32_t triangle_b)
{
    grz_query_part *part = user;
    const grz_query *q = part->query;
    grz_points points;
    if (grz_skip_pair(part, triangle_a, triangle_b))
        return !part->out_of_memory;
    grz_points_start(&points, &part->stages);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, corner_of(q->a->mesh, triangle_a, i), q->pose_a);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, corner_of(q->b->mesh, triangle_b, i), q->pose_b);
    return record(part, triangle_a, triangle_b, grz_triangle_triangle(&points));
}

/* The corners of a triangle of B in A's frame, where their sums with the shift are exact. */
static bool shift_corners(const grz_query *q, uint32_t triangle_b, double transformed_b[3][3])
{
    for (int i = 0; i < 3; i++)
    {
        const double *corner = corner_of(q->b->mesh, triangle_b, i);
        for (int k = 0; k < 3; k++)
            if (!grz_sum_exactly(corner[k], q->shift[k], &transformed_b[i][k]))
                return false;
    }
    return true;
}

static int opposite(int side)
{
    return side == GRZ_UNCERTAIN ? side : -side;
}

/* The exact test in A's frame, where A's corners are exact and one transform places B's, with integers of any width. */
static graze_triangle_contact contact_in_frame(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b,
                                               grz_filter_signs *signs)
{
    const grz_query *q = part->query;
    grz_points points;
    double shifted_corners[3][3];
    bool translated = q->shifts && shift_corners(q, triangle_b, shifted_corners);
    grz_points_start_in_frame(&points, &part->stages, q->mirrored, q->frame_error);
    for (int i = 0; i < 3; i++)
    {
        uint32_t vertex = q->a->mesh->triangles[3 * (size_t)triangle_a + (size_t)i];
        const double *corner = grz_mesh_vertex(q->a->mesh, vertex), *in_frame = grz_mesh_scaled(q->a->mesh, vertex);
        grz_points_add_in_frame(&points, corner, translated ? NULL : q->pose_a, in_frame);
    }
    for (int i = 0; i < 3; i++)
    {
        const double *corner = translated ? shifted_corners[i] : corner_of(q->b->mesh, triangle_b, i);
        const double *in_frame = translated && !q->scaled ? shifted_corners[i] : signs->transformed_b[i];
        grz_points_add_in_frame(&points, corner, translated ? NULL : q->pose_b, in_frame);
    }
    return grz_triangle_triangle_from(&points, signs->sides_a, signs->sides_b);
}

/* The same in fixed point, in the world. False where that does not decide the pair. */
static bool contact_in_fixed_point(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b, int sides_a[3],
                                   int sides_b[3], graze_triangle_contact *out_contact)
{
    const grz_query *q = part->query;
    grz_fixed_cache *cache = &part->fixed;
    if (q->scaled)
        return false;
    if (!cache->started)
        grz_fixed_cache_start(cache, q->a->mesh, q->pose_a, q->b->mesh, q->pose_b);
    if (!cache->usable)
        return false;
    const grz_fixed_triangle *a = grz_fixed_cache_triangle(cache, 0, q->a->mesh, triangle_a);
    const grz_fixed_triangle *b = grz_fixed_cache_triangle(cache, 1, q->b->mesh, triangle_b);
    return grz_fixed_contact(a, b, sides_a, sides_b, &part->stages, out_contact);
}

/* Pairs that the double filter leaves open come in rows, as those of mated faces do: after one, it is not tried for the
   next few. */
static bool contact_without_filter(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b,
                                   graze_triangle_contact *out_contact)
{
    int sides_a[3] = {GRZ_UNCERTAIN, GRZ_UNCERTAIN, GRZ_UNCERTAIN};
    int sides_b[3] = {GRZ_UNCERTAIN, GRZ_UNCERTAIN, GRZ_UNCERTAIN};
    if (part->fixed.left == 0)
        return false;
    part->fixed.left--;
    return contact_in_fixed_point(part, triangle_a, triangle_b, sides_a, sides_b, out_contact);
}

/* The exact test; starts from the signs that the double filter found. */
static graze_triangle_contact exact_contact(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b,
                                            grz_filter_signs *signs)
{
    for (int i = 0; i < 3 && part->query->mirrored < 0; i++)
    {
        signs->sides_a[i] = opposite(signs->sides_a[i]);
        signs->sides_b[i] = opposite(signs->sides_b[i]);
    }
    graze_triangle_contact contact;
    if (!contact_in_fixed_point(part, triangle_a, triangle_b, signs->sides_a, signs->sides_b, &contact))
        return contact_in_frame(part, triangle_a, triangle_b, signs);
    if (part->fixed.row < GRZ_FIXED_ROW)
        part->fixed.row = 2 * part->fixed.row + 1;
    part->fixed.left = part->fixed.row;
    return contact;
}

static grz_indexed_triangle indexed(const graze_mesh *mesh, uint32_t triangle)
{
    return (grz_indexed_triangle){mesh->scaled, mesh->triangles + 3 * (size_t)triangle};
}

/* The double filter decides nearly all pairs that the float tests left open; exact predicates decide the rest. */
static bool decide_pair(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b, bool crosses)
{
    const grz_query *q = part->query;
    grz_filter_verdict verdict = GRZ_FILTER_CROSSING;
    grz_filter_signs signs;
    graze_triangle_contact contact;
    if (!crosses && contact_without_filter(part, triangle_a, triangle_b, &contact))
        return record(part, triangle_a, triangle_b, contact);
    if (!crosses)
        verdict = grz_filter_triangles(indexed(q->a->mesh, triangle_a), indexed(q->b->mesh, triangle_b),
                                       &q->relative.pose, q->frame_error, &signs);
    if (verdict == GRZ_FILTER_UNCERTAIN)
        return record(part, triangle_a, triangle_b, exact_contact(part, triangle_a, triangle_b, &signs));
    part->fixed.row = 0;
    if (verdict == GRZ_FILTER_CROSSING)
        return record_crossing(part, triangle_a, triangle_b);
    part->triangle_tests++;
    return true;
}

bool grz_decide_in_frame(void *user, uint32_t triangle_a, uint32_t triangle_b, bool crosses)
{
    grz_query_part *part = user;
    if (grz_skip_pair(part, triangle_a, triangle_b))
        return !part->out_of_memory;
    return decide_pair(part, triangle_a, triangle_b, crosses);
}

static unsigned number_of_bits(uint64_t bits)
{
    return (unsigned)__builtin_popcountll(bits);
}

/* Counts the pairs of `contacts` that are decided. */
static void count_contacts(grz_query_part *part, const grz_contacts *contacts, uint64_t found, uint64_t crossing)
{
    unsigned pairs = number_of_bits(found), crossings = number_of_bits(crossing);
    part->triangle_tests += number_of_bits(contacts->decided);
    part->stages.exact += contacts->zeros;
    part->counts.pairs += pairs;
    part->counts.crossing += crossings;
    part->counts.touching += pairs - crossings;
    part->counts.coplanar += number_of_bits(found & contacts->facts[7]);
}

/* Buffers the hits that are set in the two masks. False when out of memory. */
static bool buffer_contacts(grz_query_part *part, const uint64_t keys[GRZ_CONTACT_PAIRS], const uint64_t *facts,
                            uint64_t crossing, uint64_t others)
{
    const graze_context *context = part->query->context;
    uint64_t hits[GRZ_CONTACT_PAIRS];
    uint8_t codes[GRZ_CONTACT_PAIRS]; /* grz_contact_code */
    bool enough = true;
    if (others != 0)
    {
        part->traversal.kernels->list_hits(keys, facts, others, hits, codes);
        enough = grz_hit_buffer_add_others(&part->buffered, context, hits, codes, number_of_bits(others));
    }
    if (crossing != 0 && enough)
    {
        part->traversal.kernels->list_hits(keys, facts, crossing, hits, codes);
        enough = grz_hit_buffer_add_crossings(&part->buffered, context, hits, number_of_bits(crossing));
    }
    return enough;
}

bool grz_record_contacts(grz_query_part *part, const uint64_t *keys, unsigned count, const grz_contacts *contacts)
{
    const uint64_t *facts = contacts->facts;
    uint64_t given = count < GRZ_CONTACT_PAIRS ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
    uint64_t found = contacts->decided & (facts[0] | facts[1] | facts[2]);
    uint64_t crossing = found & facts[0] & facts[1] & facts[2] & facts[3] & facts[4] & facts[5] & facts[6];
    count_contacts(part, contacts, found, crossing);
    if (part->query->buffer_hits && found != 0 && !buffer_contacts(part, keys, facts, crossing, found & ~crossing))
        part->out_of_memory = true;
    for (uint64_t left = given & ~contacts->decided; left != 0 && !part->out_of_memory; left &= left - 1)
    {
        unsigned i = (unsigned)__builtin_ctzll(left);
        decide_pair(part, (uint32_t)(keys[i] >> 32), (uint32_t)keys[i], false);
    }
    return !part->out_of_memory;
}

bool grz_decide_self(void *user, uint32_t triangle_a, uint32_t triangle_b, bool crosses)
{
    grz_query_part *part = user;
    const grz_query *q = part->query;
    uint32_t lower = triangle_a < triangle_b ? triangle_a : triangle_b;
    uint32_t upper = triangle_a < triangle_b ? triangle_b : triangle_a;
    if (grz_skip_pair(part, lower, upper))
        return !part->out_of_memory;
    if (crosses) /* they share at least a segment inside both: more than a common corner or edge */
        return record_crossing(part, lower, upper);
    return record(part, lower, upper,
                  grz_self_contact(q->a->mesh, lower, upper, q->merge_vertices, &part->fixed, &part->stages));
}

bool grz_decide_self_once(void *user, uint32_t triangle_a, uint32_t triangle_b)
{
    return triangle_a >= triangle_b || grz_decide_self(user, triangle_a, triangle_b, false);
}

bool grz_decide_postponed(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b)
{
    if (part->query->self)
        return grz_decide_self(part, triangle_a, triangle_b, false);
    return part->query->uses_trees ? grz_decide_in_frame(part, triangle_a, triangle_b, false)
                                   : grz_decide_in_world(part, triangle_a, triangle_b);
}
