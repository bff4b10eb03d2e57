/* SPDX-License-Identifier: MIT */
/*
 * The contact of two triangles, eight pairs side by side, in doubles; part of kernels_template.h. Signs of
 * determinants (contact_signs_template.h) after Guigue and Devillers, as in exact/triangle_triangle.c; contact_bits.h
 * makes contacts of them, for four groups of eight at once. A pair of which a sign is unknown is left undecided, unless
 * an axis in the plane of one of its triangles separates them.
 */
#include "simd/contact_signs_template.h"

#define MOST_IN_PLANE 0x1p240 /* the fourth power does not overflow */

/* One of three corners for each pair. */
static inline void pick_corner(const f64x8 corners[3][3], const unsigned which[3], unsigned shift, f64x8 out[3])
{
    mask64x8 first = mask64x8_from_bits(which[0] >> shift & 0xff),
             second = mask64x8_from_bits(which[1] >> shift & 0xff);
    for (int k = 0; k < 3; k++)
        out[k] = f64x8_select(first, corners[0][k], f64x8_select(second, corners[1][k], corners[2][k]));
}

/* An end of each triangle's interval on the common line: the apexes and feet whose edges cut it. */
typedef struct interval_ends
{
    const unsigned *apex_a, *foot_a, *apex_b, *foot_b;
} interval_ends;

/* Pairs in which one of two corners of A is one of two of B. */
static inline unsigned share_corner(const contact_pairs *m, const interval_ends *ends, unsigned shift)
{
    unsigned shared = 0;
    for (int i = 0; i < 3 && (m->exact & ~m->lattice) != 0; i++)
        for (int j = 0; j < 3; j++)
            shared |= m->equal[i][j] & (ends->apex_a[i] | ends->foot_a[i]) >> shift &
                      (ends->apex_b[j] | ends->foot_b[j]) >> shift;
    return shared;
}

/* The sign of the determinant that tells B's end from A's. */
static inline sign_bits find_order(const contact_pairs *m, const interval_ends *ends, unsigned shift)
{
    f64x8 apex_a[3], apex_b[3], e[3], f[3], between[3], w[3];
    pick_corner(m->a, ends->apex_a, shift, apex_a);
    pick_corner(m->b, ends->apex_b, shift, apex_b);
    pick_corner(m->a, ends->foot_a, shift, e);
    pick_corner(m->b, ends->foot_b, shift, f);
    contact_subtract(e, apex_a, e);
    contact_subtract(f, apex_b, f);
    contact_subtract(apex_b, apex_a, between);
    contact_cross(e, f, w);
    rest_signs rest = find_rest_signs(m, w);
    return find_signs(m, contact_dot(w, between), &rest, false, share_corner(m, ends, shift));
}

/* The pairs, of those given, whose planes cut each other in a line. Returns those decided. */
static unsigned decide_on_line(const contact_pairs *groups, unsigned group_count, const sign_bits of_a[3],
                               const sign_bits of_b[3], unsigned given, contact_bits *out)
{
    interval_bits a = find_interval_bits(of_a, false), b = find_interval_bits(of_b, true);
    const interval_ends low = {a.apex, a.lower, b.apex, b.upper}, high = {a.apex, a.upper, b.apex, b.lower};
    sign_bits up = {0, 0, 0}, down = {0, 0, 0};
    for (unsigned g = 0; g < group_count; g++)
    {
        if ((given >> GRZ_LANES * g & 0xff) == 0)
            continue;
        sign_bits_add(&up, find_order(&groups[g], &low, GRZ_LANES * g), GRZ_LANES * g);
        sign_bits_add(&down, find_order(&groups[g], &high, GRZ_LANES * g), GRZ_LANES * g);
    }
    up = sign_bits_flip(up, a.above ^ b.above);
    down = sign_bits_flip(down, a.above ^ b.above);
    unsigned apart = given & (up.negative | down.positive);
    unsigned meet = given & ~apart & sign_bits_known(up) & sign_bits_known(down);
    add_line_contacts(&a, &b, up.zero, down.zero, meet, out);
    return apart | meet;
}

/* The corners of both triangles projected along the axis on which B's normal is largest. */
typedef struct contact_projection
{
    f64x8 a[3][2], b[3][2], normal_a, normal_b;
} contact_projection;

static inline contact_projection project_contacts(const contact_pairs *m)
{
    contact_projection p;
    const f64x8 *n = m->normal_a, *o = m->normal_b;
    f64x8 x = f64x8_abs(o[0]), y = f64x8_abs(o[1]), z = f64x8_abs(o[2]);
    mask64x8 is_y = f64x8_lt(x, y), is_z = f64x8_lt(f64x8_max(x, y), z);
    p.normal_a = f64x8_select(is_z, n[2], f64x8_select(is_y, n[1], n[0]));
    p.normal_b = f64x8_select(is_z, o[2], f64x8_select(is_y, o[1], o[0]));
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 2; k++)
        {
            p.a[c][k] = f64x8_select(is_z, m->a[c][k], f64x8_select(is_y, m->a[c][(k + 2) % 3], m->a[c][k + 1]));
            p.b[c][k] = f64x8_select(is_z, m->b[c][k], f64x8_select(is_y, m->b[c][(k + 2) % 3], m->b[c][k + 1]));
        }
    return p;
}

static inline sign_bits find_area_signs(const contact_pairs *m, f64x8 area, unsigned known_zero)
{
    rest_signs bound = {m->area_bound, 0, 0};
    return find_signs(m, area, &bound, false, known_zero);
}

static inline f64x8 find_area(const f64x8 a[2], const f64x8 b[2], const f64x8 c[2])
{
    f64x8 left = f64x8_mul(f64x8_sub(a[0], c[0]), f64x8_sub(b[1], c[1]));
    return f64x8_sub(left, f64x8_mul(f64x8_sub(a[1], c[1]), f64x8_sub(b[0], c[0])));
}

/* Sides of the corners to the other's edges, of pairs in one plane. */
typedef struct plane_signs
{
    side_bits a_in_b, b_in_a;
    sign_bits turn_a, turn_b;
} plane_signs;

static inline void add_plane_signs(const contact_pairs *m, unsigned shift, plane_signs *out)
{
    contact_projection p = project_contacts(m);
    sign_bits_add(&out->turn_a, find_area_signs(m, p.normal_a, 0), shift);
    sign_bits_add(&out->turn_b, find_area_signs(m, p.normal_b, 0), shift);
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 3; i++)
        {
            int next = (e + 1) % 3;
            f64x8 a = find_area(p.b[e], p.b[next], p.a[i]), b = find_area(p.a[e], p.a[next], p.b[i]);
            unsigned a_on = m->equal[i][e] | m->equal[i][next], b_on = m->equal[e][i] | m->equal[next][i];
            sign_bits_add(&out->a_in_b[i][e], find_area_signs(m, a, a_on), shift);
            sign_bits_add(&out->b_in_a[i][e], find_area_signs(m, b, b_on), shift);
        }
}

/* The pairs, of those given, that lie in one plane. Returns those decided. */
static unsigned decide_in_plane(const contact_pairs *groups, unsigned group_count, unsigned given, contact_bits *out)
{
    plane_signs s;
    memset(&s, 0, sizeof s);
    for (unsigned g = 0; g < group_count; g++)
        if ((given >> GRZ_LANES * g & 0xff) != 0)
            add_plane_signs(&groups[g], GRZ_LANES * g, &s);
    unsigned known = given;
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 3; i++)
        {
            known &= sign_bits_known(s.a_in_b[i][e]) & sign_bits_known(s.b_in_a[i][e]);
            s.a_in_b[i][e] = sign_bits_flip(s.a_in_b[i][e], s.turn_b.negative);
            s.b_in_a[i][e] = sign_bits_flip(s.b_in_a[i][e], s.turn_a.negative);
        }
    /* without area in the projection a triangle is degenerate, or its sign unknown */
    unsigned has_area = given & (s.turn_a.positive | s.turn_a.negative) & (s.turn_b.positive | s.turn_b.negative);
    unsigned apart = has_area & (find_separated_by_edge(s.a_in_b) | find_separated_by_edge(s.b_in_a));
    known &= has_area & ~apart;
    add_plane_contacts(s.a_in_b, s.b_in_a, known, out);
    return apart | known;
}

/* The pairs of one group that are one triangle twice, corner for corner, and certainly have area: each is the contact.
 */
static inline unsigned find_identical(const contact_pairs *m)
{
    unsigned identical = 0xff;
    for (int i = 0; i < 3; i++)
        identical &= m->equal[i][0] | m->equal[i][1] | m->equal[i][2];
    if (identical == 0)
        return 0;
    const f64x8 *n = m->normal_a;
    f64x8 largest = f64x8_max(f64x8_max(f64x8_abs(n[0]), f64x8_abs(n[1])), f64x8_abs(n[2]));
    return identical & f64x8_lt_bits(m->area_bound, largest);
}

/* Takes identical triangles from the flat pairs: whole triangles meet. Returns those decided. */
static inline unsigned decide_identical(const contact_pairs *groups, unsigned group_count, unsigned flat,
                                        contact_bits *out)
{
    unsigned identical = 0;
    for (unsigned g = 0; g < group_count; g++)
        identical |= find_identical(&groups[g]) << GRZ_LANES * g;
    /* shortcut: identical-triangles */
    identical &= flat;
    for (int i = 0; i < 3; i++)
    {
        out->mask_a[i] |= identical;
        out->mask_b[i] |= identical;
    }
    out->dimension[1] |= identical;
    return identical;
}

/* Whether the intervals of both triangles along w are disjoint: simd/triangle_sat_template.h has the error bound, with
   14 roundings of positions and products; coordinates are relative to A's first corner. Sums are below 12 M^4. */
static inline unsigned is_separated_along_axis(const contact_pairs *m, const f64x8 w[3], f64x8 error)
{
    f64x8 zero = f64x8_splat(0), lower_a = zero, upper_a = zero, lower_b = zero, upper_b = zero, x[3];
    for (int c = 0; c < 3; c++)
    {
        contact_subtract(m->b[c], m->a[0], x);
        f64x8 at_b = contact_dot(w, x);
        lower_b = c == 0 ? at_b : f64x8_min(lower_b, at_b);
        upper_b = c == 0 ? at_b : f64x8_max(upper_b, at_b);
        contact_subtract(m->a[c], m->a[0], x);
        f64x8 at_a = contact_dot(w, x);
        lower_a = f64x8_min(lower_a, at_a);
        upper_a = f64x8_max(upper_a, at_a);
    }
    f64x8 sum = f64x8_add(f64x8_add(f64x8_abs(w[0]), f64x8_abs(w[1])), f64x8_abs(w[2]));
    /* shortcut: in-plane-axes-in-doubles */
    f64x8 bound = f64x8_add(f64x8_mul(sum, error), f64x8_splat(0x1p-600));
    return f64x8_lt_bits(f64x8_add(upper_b, bound), lower_a) | f64x8_lt_bits(f64x8_add(upper_a, bound), lower_b);
}

/* Undecided pairs that an axis in the plane of one triangle, across one of its edges, separates. */
static __attribute__((noinline)) unsigned separate_in_plane(const contact_pairs *m)
{
    f64x8 slope = f64x8_mul(m->size, f64x8_splat(20 * 0x1p-53));
    f64x8 moved = f64x8_splat(1.001 * (m->frame->translates ? m->frame->rest_size : 0));
    f64x8 off = f64x8_select(mask64x8_from_bits(m->exact), moved, f64x8_splat(1.001 * m->frame->error));
    f64x8 error = f64x8_add(slope, off);
    unsigned separated = 0;
    for (int i = 0; i < 3; i++)
    {
        f64x8 edge[3], w[3];
        contact_subtract(m->a[(i + 1) % 3], m->a[i], edge);
        contact_cross(m->normal_a, edge, w);
        separated |= is_separated_along_axis(m, w, error);
        contact_subtract(m->b[(i + 1) % 3], m->b[i], edge);
        contact_cross(m->normal_b, edge, w);
        separated |= is_separated_along_axis(m, w, error);
    }
    return separated & f64x8_lt_bits(m->size, f64x8_splat(MOST_IN_PLANE));
}

static inline unsigned all_three(unsigned a, unsigned b, unsigned c)
{
    return a & b & c;
}

/* Pairs separated by the plane whose heights these are. */
static inline unsigned is_separated(const sign_bits h[3])
{
    return all_three(h[0].positive, h[1].positive, h[2].positive) |
           all_three(h[0].negative, h[1].negative, h[2].negative);
}

static unsigned separate_undecided(const contact_pairs *groups, unsigned group_count, unsigned undecided)
{
    unsigned separated = 0;
    for (unsigned g = 0; g < group_count; g++)
        if ((undecided >> GRZ_LANES * g & 0xff) != 0)
            separated |= separate_in_plane(&groups[g]) << GRZ_LANES * g;
    return undecided & separated;
}

static void write_contacts(const contact_bits *found, const sign_bits of_a[3], const sign_bits of_b[3],
                           unsigned decided, grz_contacts *out)
{
    out->decided = decided;
    out->zeros = 0;
    for (int i = 0; i < 3; i++)
    {
        out->facts[i] = found->mask_a[i];
        out->facts[i + 3] = found->mask_b[i];
        out->zeros +=
            (unsigned)__builtin_popcount(of_a[i].zero & decided) + (unsigned)__builtin_popcount(of_b[i].zero & decided);
    }
    out->facts[6] = found->dimension[0];
    out->facts[7] = found->dimension[1];
}

static void contacts_kernel(const grz_contact_pairs *pairs, unsigned count, const grz_contact_frame *frame,
                            grz_contacts *out)
{
    contact_pairs groups[GRZ_CONTACT_PAIRS / GRZ_LANES];
    sign_bits of_a[3] = {{0}, {0}, {0}}, of_b[3] = {{0}, {0}, {0}};
    contact_bits found = {{0}, {0}, {0}};
    unsigned group_count = (count + GRZ_LANES - 1) / GRZ_LANES;
    unsigned given = count < 32 ? (1u << count) - 1 : UINT32_MAX, left = given;
    for (unsigned g = 0; g < group_count; g++)
    {
        sign_bits a[3], b[3];
        groups[g].frame = frame;
        load_contact_pairs(&groups[g], pairs, GRZ_LANES * g);
        find_contact_bounds(&groups[g]);
        find_heights_signs(&groups[g], a, b);
        for (int i = 0; i < 3; i++)
        {
            sign_bits_add(&of_a[i], a[i], GRZ_LANES * g);
            sign_bits_add(&of_b[i], b[i], GRZ_LANES * g);
        }
    }
    unsigned decided = given & (is_separated(of_a) | is_separated(of_b));
    for (int i = 0; i < 3; i++)
        left &= sign_bits_known(of_a[i]) & sign_bits_known(of_b[i]);
    left &= ~decided;
    unsigned flat = left & (all_three(of_a[0].zero, of_a[1].zero, of_a[2].zero) |
                            all_three(of_b[0].zero, of_b[1].zero, of_b[2].zero));
    if ((left & ~flat) != 0)
        decided |= decide_on_line(groups, group_count, of_a, of_b, left & ~flat, &found);
    if (flat != 0)
    {
        unsigned identical = decide_identical(groups, group_count, flat, &found);
        decided |= identical;
        flat &= ~identical;
    }
    if (flat != 0)
        decided |= decide_in_plane(groups, group_count, flat, &found);
    if (decided != given)
        decided |= separate_undecided(groups, group_count, given & ~decided);
    write_contacts(&found, of_a, of_b, decided, out);
}
